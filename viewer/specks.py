"""Solids too small to be seen: they are drawn as dots of constant size, and the picture says so."""

from __future__ import annotations

import numpy as np

from collision import AABB, Capsule, OrientedBox, Scene, Shape, Sphere
from collision.elements import Group
from collision.fields import BoolArray
from viewer.camera import Viewport
from viewer.ignored import is_hidden
from viewer.words import counted

#: A solid that is smaller than this in the picture, in pixels, is a speck.
SPECK = 2.0

#: Dots of more specks than this would hide the scene: then only those that collide get one, if they are not more.
MOST_DOTS = 200


def specks(scene: Scene, viewport: Viewport) -> BoolArray:
    """Tell of every element whether it is in the picture, but too small to be seen.

    Points, segments, rays and lines are drawn with a constant width, so none of them is.

    Examples
    --------
    >>> from collision import Camera, Sphere
    >>> scene = Scene({"ball": Sphere([0, 0, 0], 1), "grain": Sphere([2, 0, 0], 1e-3)})
    >>> specks(scene, Viewport(Camera(position=(0, 0, 20), up=(0, 1, 0)), (640, 480)))
    array([False,  True])
    """
    groups, changes = scene.changes
    found = _among(groups, viewport, scene.element_count).copy()
    for number, shape in changes.items():
        if not is_hidden(scene, scene.element_name(number)):
            found[number] = _are_specks(shape, viewport)
    return found


class _Memo:
    """The specks among the last groups of elements: a few that moved do not change what the others are."""

    def __init__(self) -> None:
        self._known: tuple[tuple[Group, ...], Viewport] | None = None
        self._found: BoolArray = np.zeros(0, dtype=bool)

    def __call__(self, groups: tuple[Group, ...], viewport: Viewport, count: int) -> BoolArray:
        # Where all is hidden there are no groups, and every tuple of none is the same one.
        same = self._known is not None and self._known[0] is groups and self._known[1] == viewport
        if not same or len(self._found) != count:
            self._known, self._found = (groups, viewport), np.zeros(count, dtype=bool)
            for elements, shape in groups:
                self._found[elements] = _are_specks(shape, viewport)
        return self._found


_among = _Memo()


def _are_specks(shape: Shape, viewport: Viewport) -> BoolArray:
    if not isinstance(shape, Sphere | Capsule | AABB | OrientedBox):
        return np.zeros(shape.batch_shape, dtype=bool)
    with np.errstate(over="ignore", invalid="ignore"):
        lower, upper = shape.corners()
        center = 0.5 * lower + 0.5 * upper
        size = (upper - lower).max(axis=-1) / viewport.units_per_pixels(center)
        small = np.asarray(size < SPECK)
        if small.any():
            pixels, _ = viewport.project(center[small])
            small[small] = ((pixels >= 0.0) & (pixels <= viewport.size)).all(axis=-1)
    return small


def dotted(found: BoolArray, colliding: BoolArray) -> BoolArray:
    """Return which of the specks are drawn as dots, so that there are not too many."""
    for some in (found, found & colliding):
        if np.count_nonzero(some) <= MOST_DOTS:
            return some
    return np.zeros_like(found)


def speck_note(found: BoolArray, dots: BoolArray) -> str:
    """Say how many shapes are too small to be seen, and what is done about it; nothing where there are none.

    Examples
    --------
    >>> speck_note(np.array([True, False, True]), np.array([True, False, True]))
    '2 shapes smaller than 2 pixels, drawn as dots'
    """
    count, drawn = int(np.count_nonzero(found)), int(np.count_nonzero(dots))
    if not count:
        return ""
    which = "" if drawn == count else f"{drawn:,} of them "
    done = f", {which}drawn as {'dots' if drawn > 1 else 'a dot'}" if drawn else ""
    return f"{counted(count, 'shape')} smaller than {SPECK:g} pixels{done}"
