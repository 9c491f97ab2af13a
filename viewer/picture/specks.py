"""Solids too small to be seen: they are drawn as dots of constant size, and the picture says so."""

from __future__ import annotations

import numpy as np

from collision import AABB, Capsule, OrientedBox, Scene, Shape, Sphere
from collision.inner import BoolArray, Group
from viewer.picture.ignored import is_hidden
from viewer.picture.words import counted
from viewer.view.camera import Viewport
from viewer.view.footprint import footprint

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
    return _memo(scene, viewport)


class _Memo:
    """The specks of the last picture: those of its elements as they were at first, and what the moved ones changed."""

    def __init__(self) -> None:
        self._known: tuple[tuple[Group, ...], Viewport] | None = None
        self._first = self._last = np.zeros(0, dtype=bool)
        #: Of each that has moved its shape, whether that is a speck, and whether it was one at first.
        self._moved: dict[int, tuple[Shape, bool, bool]] = {}
        self._others: dict[int, bool] = {}

    def __call__(self, scene: Scene, viewport: Viewport) -> BoolArray:
        """Return for every element whether it is a speck; for as long as none changes, the same array, read-only."""
        groups, changes = scene.changes
        self._see(groups, viewport, scene.element_count)
        moved = {}
        for number, shape in changes.items():
            known = self._moved.get(number)
            if known is None or known[0] is not shape:
                speck = _is_speck(shape, viewport) and not is_hidden(scene, scene.element_name(number))
                known = shape, speck, bool(self._first[number]) if known is None else known[2]
            moved[number] = known
        others = {number: speck for number, (_, speck, first) in moved.items() if speck != first}
        if others != self._others:
            self._last = self._first.copy()
            for number, speck in others.items():
                self._last[number] = speck
            self._last.flags.writeable = False
        self._moved, self._others = moved, others
        return self._last

    def _see(self, groups: tuple[Group, ...], viewport: Viewport, count: int) -> None:
        """Look at the elements as they were at first, if these or the view are not those of the last picture."""
        # Where all is hidden there are no groups, and every tuple of none is the same one.
        known = self._known if len(self._first) == count else None
        if known is not None and known[0] is groups and (known[1] is viewport or known[1] == viewport):
            return
        found = np.zeros(count, dtype=bool)
        for elements, shape in groups:
            found[elements] = _are_specks(shape, viewport)
        found.flags.writeable = False
        self._known, self._first, self._last, self._moved, self._others = (groups, viewport), found, found, {}, {}


_memo = _Memo()


def _is_speck(shape: Shape, viewport: Viewport) -> bool:
    """Tell of a single shape what `_are_specks` tells; of one that is clearly larger, with less work."""
    return not footprint(shape, viewport).side > 2.0 * SPECK and bool(_are_specks(shape, viewport))


def _are_specks(shape: Shape, viewport: Viewport) -> BoolArray:
    if not isinstance(shape, Sphere | Capsule | AABB | OrientedBox):
        return np.zeros(shape.batch_shape, dtype=bool)
    with np.errstate(over="ignore", invalid="ignore"):
        lower, upper = shape.corners()
        center = 0.5 * lower + 0.5 * upper
        size = (upper - lower).max(axis=-1) / viewport.units_per_pixel(center)
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
