"""How far the things in a picture reach, and how far its camera must see. Pure arithmetic, no renderer."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import TypeAlias

import numpy as np

from collision import AABB, Capsule, OrientedBox, Sphere
from collision.fields import FloatArray
from viewer.camera import Viewport
from viewer.drawables import Solid

#: The nearest that the camera sees, as a part of the depth of what there is to see.
_NEAR_PART = 1e-3

#: The farthest that the camera sees, in multiples of the nearest.
_DEEPEST = 1e6

#: Of so many rows that changed, and fewer, each costs less than looking at all.
MANY = 64


#: The lowest and the highest corner of a box.
Corners: TypeAlias = tuple[Sequence[float], Sequence[float]]


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
    eye, forward = view.eye.tolist(), view.forward.tolist()
    nearest, farthest = math.inf, math.dist(view.camera.target, view.camera.position)
    for lower, upper in bodies:
        near = far = 0.0
        for low, high, start, along in zip(lower, upper, eye, forward, strict=True):
            first, last = (low - start) * along, (high - start) * along
            near, far = (near + first, far + last) if first < last else (near + last, far + first)
        nearest, farthest = min(nearest, near), max(farthest, far)
    # A body with a corner behind the eye may be anywhere near; a mark ends where it leaves the view.
    near = max(0.99 * min(nearest, farthest, marks[0]), farthest * _NEAR_PART)
    return near, min(1.01 * max(farthest, marks[1]), near * _DEEPEST)


_Corners: TypeAlias = tuple[FloatArray, FloatArray]

#: For each of the six sides of a box, the rows that reach farthest to it, with how far, from the farthest on.
_Outermost: TypeAlias = list[list[tuple[int, float]]]


class Extent:
    """The box around solids. Where only a few rows differ from the last solids, it asks only these for theirs."""

    def __init__(self) -> None:
        self._like: list[Solid] = []
        self._outermost: list[_Outermost] = []
        self._boxes: list[_Corners] = []

    def around(self, solids: Sequence[Solid]) -> Corners | None:
        """Return the lowest and the highest corner of the box around all solids; None if there is nothing."""
        like = [solid.like or solid for solid in solids]
        if len(like) != len(self._like) or any(a is not b for a, b in zip(like, self._like, strict=True)):
            self._like, self._outermost = like, [_outermost(solid) for solid in like]
            self._boxes = [_box(solid.shape.flattened()) for solid in like]
        boxes = [
            box if not len(solid.rows) else (_moved(solid, outermost) if outermost else _box(solid.shape))
            for solid, outermost, box in zip(solids, self._outermost, self._boxes, strict=True)
        ]
        if not boxes:
            return None
        lowest, highest = (np.array(side) for side in zip(*boxes, strict=True))
        lower, upper = lowest.min(axis=0).tolist(), highest.max(axis=0).tolist()
        return (lower, upper) if lower[0] <= upper[0] else None


def _box(shape: Sphere | Capsule | AABB | OrientedBox) -> _Corners:
    """Return the corners of the box around some shapes; inside out where there are none."""
    lower, upper = shape.corners()
    return lower.min(axis=0, initial=np.inf), upper.max(axis=0, initial=-np.inf)


def _outermost(solid: Solid) -> _Outermost:
    """Return those that reach farthest of many solids: one more than may have moved since."""
    shape = solid.shape.flattened()
    if len(shape) <= MANY:
        return []
    far = np.concatenate([*shape.corners()], axis=1) * _OUTWARD
    first = np.argpartition(far, MANY - 1, axis=0)[:MANY]
    return [
        sorted(zip(rows.tolist(), far[rows, side].tolist(), strict=True), key=itemgetter(1))
        for side, rows in enumerate(first.T)
    ]


#: Makes of the two corners of a box six numbers that are the less the farther it reaches.
_OUTWARD = np.array([1.0, 1.0, 1.0, -1.0, -1.0, -1.0])


def _moved(solid: Solid, outermost: _Outermost) -> _Corners:
    """Return the corners of the box around solids of which a few rows are not where they were."""
    if len(solid.rows) >= MANY:
        return _box(solid.shape)
    moved = set(solid.rows.tolist())
    lower, upper = _box(solid.some)
    rest = [next(far for row, far in side if row not in moved) for side in outermost]
    return np.minimum(lower, rest[:3]), np.maximum(upper, np.negative(rest[3:]))


def origin_in(lower: Sequence[float], upper: Sequence[float]) -> FloatArray:
    """Return a point near the middle of a box: single precision is relative to it.

    It stays where it is while the box changes a little, as it does when a shape is dragged at its border.
    """
    size = float(np.subtract(upper, lower).max())
    middle = np.asarray(0.5 * np.asarray(lower) + 0.5 * np.asarray(upper))
    if not 0.0 < size < np.inf:
        return middle
    step = 2.0 ** (np.ceil(np.log2(size)) - 4.0)
    # The sum turns a negative zero into zero: which of them it is must not depend on what was before.
    return np.asarray(step * np.round(middle / step) + 0.0) if step > 0.0 else middle
