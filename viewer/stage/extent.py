"""How far the things in a picture reach, and how far its camera must see. Pure arithmetic, no renderer."""

from __future__ import annotations

import math
import operator
from collections.abc import Container, Iterable, Sequence
from operator import itemgetter
from typing import TypeAlias

import numpy as np

from collision import AABB, Capsule, OrientedBox, Sphere
from collision.inner import FloatArray
from viewer.picture.drawables import Solid
from viewer.view.camera import Viewport

#: The nearest that the camera sees, as a part of the depth of what there is to see.
_NEAR_PART = 1e-3

#: The same, as a part of the distance to what the camera looks at.
_AIM_PART = 1e-2

#: The farthest that the camera sees, in multiples of the nearest.
_DEEPEST = 1e6

#: Of so many rows that changed, and fewer, each costs less than looking at all.
MANY = 64


#: The lowest and the highest corner of a box.
Corners: TypeAlias = tuple[Sequence[float], Sequence[float]]

BoundedShape: TypeAlias = Sphere | Capsule | AABB | OrientedBox


def clipping_range(bodies: Iterable[Corners], marks: tuple[float, float], view: Viewport) -> tuple[float, float]:
    """Return the nearest and the farthest depth that the camera must see.

    The steps of the depth buffer are as fine as the nearest depth is far. So lines that come towards the eye, or go to
    the horizon, do not bring it nearer than bodies need.

    Parameters
    ----------
    bodies : iterable of pairs of sequences of 3 floats
        The boxes around them.
    marks : tuple of 2 floats
        The nearest and the farthest depth of what of the marks is before the eye.
    view : Viewport
        Where the picture is taken from.
    """
    (ex, ey, ez), (fx, fy, fz) = view.eye.tolist(), view.forward.tolist()
    # Which of the two corners of a box, along each axis, is nearer.
    i, j, k = fx < 0.0, fy < 0.0, fz < 0.0
    aim = math.dist(view.camera.target, view.camera.position)
    nearest, farthest = math.inf, aim
    for box in bodies:
        near = (box[i][0] - ex) * fx + (box[j][1] - ey) * fy + (box[k][2] - ez) * fz
        far = (box[not i][0] - ex) * fx + (box[not j][1] - ey) * fy + (box[not k][2] - ez) * fz
        nearest, farthest = min(nearest, near), max(farthest, far)
    # A body with a corner behind the eye may be anywhere near; a mark ends where it leaves the view. However far the
    # farthest is, what one looks at is not cut open.
    least = max(min(farthest * _NEAR_PART, aim * _AIM_PART), farthest / _DEEPEST)
    near = max(0.99 * min(nearest, farthest, marks[0]), least)
    return near, min(1.01 * max(farthest, marks[1]), near * _DEEPEST)


#: For each of the six sides of a box, the rows that reach farthest to it, with how far, from the farthest on.
_Outermost: TypeAlias = list[list[tuple[int, float]]]


class Extent:
    """The box around solids. Of a batch that it has seen, it asks only those that have moved for theirs."""

    def __init__(self) -> None:
        self._last: list[_BatchExtent] = []

    def around(self, solids: Sequence[Solid]) -> Corners | None:
        """Return the lowest and the highest corner of the box around all solids; None if there is nothing."""
        if len(solids) != len(self._last):
            self._last = [_BatchExtent() for _ in solids]
        boxes: list[Corners] = []
        for last, solid in zip(self._last, solids, strict=True):
            if last.solid is not solid:
                last.see(solid)
            boxes += last.boxes
        return union(boxes)


class _BatchExtent:
    """Boxes around one batch of solids, as it was at first and as it is now."""

    def __init__(self) -> None:
        self.solid: Solid | None = None
        self.boxes: Sequence[Corners] = ()
        self._batch: BoundedShape | None = None

    def see(self, solid: Solid) -> None:
        """Take another batch."""
        batch = solid.batch
        if batch is not self._batch:
            self._batch, self._outermost, self._whole = batch, _outermost(batch.flattened()), _box(batch.flattened())
        self.solid = solid
        if len(solid.moved) >= MANY:
            self.boxes = (_box(solid.shape),)
        elif solid.moved:
            # Those that have moved, and of the others those that reach farthest.
            x, y, z, u, v, w = [_reach(side, solid.moved) for side in self._outermost]
            self.boxes = [*[shape.box.tolist() for shape in solid.moved.values()], ((x, y, z), (-u, -v, -w))]
        else:
            self.boxes = (self._whole,)


def _reach(side: list[tuple[int, float]], moved: Container[int]) -> float:
    """Return how far the rows reach to a side but for those that have moved; infinitely inwards if there are none."""
    for row, reach in side:
        if row not in moved:
            return reach
    return math.inf


def union(boxes: Iterable[Corners]) -> Corners | None:
    """Return the box around boxes; None if there is nothing."""
    low_x = low_y = low_z = math.inf
    high_x = high_y = high_z = -math.inf
    for (x, y, z), (u, v, w) in boxes:  # in a fraction of the time that `min` and `max` take
        low_x = x if x < low_x else low_x
        low_y = y if y < low_y else low_y
        low_z = z if z < low_z else low_z
        high_x = u if u > high_x else high_x
        high_y = v if v > high_y else high_y
        high_z = w if w > high_z else high_z
    if not low_x <= high_x:
        return None
    # The sums turn a negative zero into zero: which of them it is must not depend on what was before.
    return (low_x + 0.0, low_y + 0.0, low_z + 0.0), (high_x + 0.0, high_y + 0.0, high_z + 0.0)


def _box(shape: BoundedShape) -> Corners:
    """Return the corners of the box around some shapes; inside out where there are none."""
    lower, upper = shape.corners()
    return lower.min(axis=0, initial=np.inf).tolist(), upper.max(axis=0, initial=-np.inf).tolist()


def _outermost(shape: BoundedShape) -> _Outermost:
    """Return those that reach farthest of many shapes, one more than may have moved since; of few, all."""
    far = np.concatenate([*shape.corners()], axis=1) * _OUTWARD
    first = np.argpartition(far, MANY - 1, axis=0)[:MANY] if len(shape) > MANY else np.argsort(far, axis=0)
    return [
        sorted(zip(rows.tolist(), far[rows, side].tolist(), strict=True), key=itemgetter(1))
        for side, rows in enumerate(first.T)
    ]


#: Makes of the two corners of a box six numbers that are the less the farther it reaches.
_OUTWARD = np.array([1.0, 1.0, 1.0, -1.0, -1.0, -1.0])


def origin_in(lower: Sequence[float], upper: Sequence[float]) -> FloatArray:
    """Return a point near the middle of a box: single precision is relative to it.

    It stays where it is while the box changes a little, as it does when a shape is dragged at its border: it is one of
    the points of a grid as wide as half of the box's size at least, and as all of it at most. So it is within half of
    the size from the middle, and what is relative to it is precise to 2 ** -24 of the size.

    Examples
    --------
    >>> origin_in((1000.0, 0.0, 0.0), (1003.0, 1.0, 2.0)), origin_in((1000.0, 0.0, 0.0), (1003.5, 1.0, 2.0))
    (array([1002.,    0.,    0.]), array([1002.,    0.,    0.]))
    """
    size = max(map(operator.sub, upper, lower))
    middle = [0.5 * low + 0.5 * high for low, high in zip(lower, upper, strict=True)]
    if not 0.0 < size < math.inf:
        return np.array(middle)
    step = math.ldexp(0.5, math.frexp(size)[1])  # the greatest power of two that is not above the size
    # The sum turns a negative zero into zero: which of them it is must not depend on what was before.
    return np.array([step * round(along / step) + 0.0 for along in middle] if step > 0.0 else middle)
