"""Solids too small to be seen: they are drawn as dots of constant size, and the picture says so."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from collision import Scene, Shape
from collision.inner import BoolArray, joined
from viewer.picture.batches import Batch, batches, same_but_for_moves
from viewer.picture.drawables import SolidShape
from viewer.picture.words import counted
from viewer.view.camera import Viewport

#: A solid that is smaller than this in the picture, in pixels, is tiny.
TINY = 2.0

#: Dots of more shapes than this would hide the scene: then only those that collide get one, if they are not more.
MOST_DOTS = 200


class TinyShapes:
    """Finds what is too small to be seen, and keeps it for the next picture: most shapes stay where they are.

    Examples
    --------
    >>> from collision import Camera, Sphere
    >>> scene = Scene({"ball": Sphere([0, 0, 0], 1), "grain": Sphere([2, 0, 0], 1e-3)})
    >>> TinyShapes().of(scene, Viewport(Camera(position=(0, 0, 20), up=(0, 1, 0)), (640, 480)))
    array([False,  True])
    """

    def __init__(self) -> None:
        self._scene: Scene | None = None
        self._viewport: Viewport | None = None
        #: Of each batch, which of its shapes were tiny at first.
        self._first: list[BoolArray] = []

    def of(self, scene: Scene, viewport: Viewport, parts: Sequence[Batch] | None = None) -> BoolArray:
        """Tell of every element whether it is in the picture, but too small to be seen.

        Points, segments, rays and lines are drawn with a constant width, so none of them is.

        Parameters
        ----------
        scene : Scene
            The shapes.
        viewport : Viewport
            How they are seen.
        parts : sequence of Batch, optional
            The same by kind.
        """
        parts = batches(scene) if parts is None else parts
        if not same_but_for_moves(scene, self._scene) or viewport != self._viewport:
            self._first = [_are_tiny(batch.first, viewport) for batch in parts]
            self._scene, self._viewport = scene, viewport
        tiny = np.zeros(scene.element_count, dtype=bool)
        for (elements, first, moved), at_first in zip(parts, self._first, strict=True):
            tiny[elements] = at_first
            if moved:
                tiny[elements[list(moved)]] = _are_tiny(joined(type(first), list(moved.values())), viewport)
        return tiny


def _are_tiny(shapes: Shape, viewport: Viewport) -> BoolArray:
    if not isinstance(shapes, SolidShape):
        return np.zeros(shapes.batch_shape, dtype=bool)
    with np.errstate(over="ignore", invalid="ignore"):
        lower, upper = shapes.corners()
        center = 0.5 * lower + 0.5 * upper
        size = (upper - lower).max(axis=-1) / viewport.units_per_pixel(center)
        small = np.asarray(size < TINY)
        if small.any():
            pixels, _ = viewport.project(center[small])
            small[small] = ((pixels >= 0.0) & (pixels <= viewport.size)).all(axis=-1)
    return small


def dotted(tiny: BoolArray, colliding: BoolArray) -> BoolArray:
    """Return which of the tiny shapes are drawn as dots, so that there are not too many."""
    for some in (tiny, tiny & colliding):
        if np.count_nonzero(some) <= MOST_DOTS:
            return some
    return np.zeros_like(tiny)


def tiny_note(tiny: BoolArray, dots: BoolArray) -> str:
    """Say how many shapes are too small to be seen, and what is done about it; nothing where there are none.

    Examples
    --------
    >>> tiny_note(np.array([True, False, True]), np.array([True, False, True]))
    '2 shapes smaller than 2 pixels, drawn as dots'
    """
    count, drawn = int(np.count_nonzero(tiny)), int(np.count_nonzero(dots))
    if not count:
        return ""
    which = "" if drawn == count else f"{drawn:,} of them "
    done = f", {which}drawn as {'dots' if drawn > 1 else 'a dot'}" if drawn else ""
    return f"{counted(count, 'shape')} smaller than {TINY:g} pixels{done}"
