"""How far the things in a picture reach, and how far its camera must see. Pure arithmetic, no renderer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from collision import AABB, Capsule, OrientedBox, Sphere
from collision.fields import FloatArray, IntArray
from viewer.camera import Viewport
from viewer.drawables import Solid

#: The nearest that the camera sees, as a part of the depth of what there is to see.
_NEAR_PART = 1e-3

#: The farthest that the camera sees, in multiples of the nearest.
_DEEPEST = 1e6

#: Of so many rows that changed, and fewer, each costs less than looking at all.
MANY = 64


def clipping_range(bodies: FloatArray, marks: FloatArray, view: Viewport) -> tuple[float, float]:
    """Return the nearest and the farthest depth that the camera must see.

    The steps of the depth buffer are as fine as the nearest depth is far. So lines that come towards the eye, or go to
    the horizon, do not bring it nearer than bodies need.
    """
    target = float((np.array(view.camera.target) - view.eye) @ view.forward)
    of_bodies, of_marks = ((points - view.eye) @ view.forward for points in (bodies, marks))
    # A body with a corner behind the eye may be anywhere near; a mark ends where it leaves the view.
    depth = np.concatenate([of_bodies, of_marks[of_marks > 0.0]])
    middle = max(float(of_bodies.max(initial=0.0)), target)
    near = max(0.99 * float(depth.min(initial=middle)), middle * _NEAR_PART)
    far = 1.01 * float(depth.max(initial=middle))
    return near, min(far, near * _DEEPEST)


_Corners: TypeAlias = tuple[FloatArray, FloatArray]


class Extent:
    """The box around solids. Where only a few rows differ from the last solids, it asks only a few for theirs."""

    def __init__(self) -> None:
        self._like: list[Solid] = []
        self._outermost: list[IntArray] = []
        self._boxes: list[_Corners] = []

    def around(self, solids: Sequence[Solid]) -> tuple[FloatArray, FloatArray] | None:
        """Return the lowest and the highest corner of the box around all solids; None if there is nothing."""
        like = [solid.like or solid for solid in solids]
        if len(like) != len(self._like) or any(a is not b for a, b in zip(like, self._like, strict=True)):
            self._like, self._outermost = like, [_outermost(solid) for solid in like]
            self._boxes = [_box(solid.shape.flattened()) for solid in like]
        boxes = []
        for solid, outermost, box in zip(solids, self._outermost, self._boxes, strict=True):
            shape = solid.shape
            if 0 < len(solid.rows) < MANY < len(shape):
                shape = shape[np.concatenate([outermost, solid.rows])]
            boxes.append(_box(shape) if len(solid.rows) else box)
        if not any(len(solid.shape.flattened()) for solid in solids):
            return None
        lowest, highest = zip(*boxes, strict=True)
        return np.min(lowest, axis=0), np.max(highest, axis=0)


def _box(shape: Sphere | Capsule | AABB | OrientedBox) -> _Corners:
    """Return the corners of the box around some shapes; inside out where there are none."""
    lower, upper = shape.corners()
    return lower.min(axis=0, initial=np.inf), upper.max(axis=0, initial=-np.inf)


def _outermost(solid: Solid) -> IntArray:
    """Return, for each direction of each axis, the elements that reach farthest: one more than may have moved since."""
    shape = solid.shape.flattened()
    if len(shape) <= MANY:
        return np.zeros(0, dtype=np.intp)
    lower, upper = shape.corners()
    far = np.concatenate([lower, -upper], axis=1)
    return np.unique(np.argpartition(far, MANY - 1, axis=0)[:MANY])


def origin_in(lower: FloatArray, upper: FloatArray) -> FloatArray:
    """Return a point near the middle of a box: single precision is relative to it.

    It stays where it is while the box changes a little, as it does when a shape is dragged at its border.
    """
    size = float((upper - lower).max())
    middle = np.asarray(0.5 * lower + 0.5 * upper)
    if not 0.0 < size < np.inf:
        return middle
    step = 2.0 ** (np.ceil(np.log2(size)) - 4.0)
    # The sum turns a negative zero into zero: which of them it is must not depend on what was before.
    return np.asarray(step * np.round(middle / step) + 0.0) if step > 0.0 else middle
