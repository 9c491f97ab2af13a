"""What handles are put on: where its middle is, which way its axes point, and what it can do."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from collision import AABB, Capsule, Cylinder, HalfSpace, Line, OrientedBox, Point, Ray, Segment, Shape, Sphere
from collision.inner import FloatArray
from viewer.camera.outline import finite_bounds

#: Whose axes handles follow: the world's, or those of the active shape.
Axes = Literal["world", "local"]

WORLD = np.eye(3)
WORLD.flags.writeable = False


@dataclass(frozen=True, eq=False)
class Subject:
    """What is taken by handles: one shape, or several that follow together about their middle.

    The columns of the frame are the axes that handles point along; the shape is there where it is one, and no batch.
    """

    middle: FloatArray
    frame: FloatArray
    shape: Shape | None = None

    @classmethod
    def of(cls, shapes: Sequence[Shape], axes: Axes = "world") -> Subject:
        """Return the subject that some shapes are; the last is the active one, whose axes are the local ones."""
        active = shapes[-1]
        frame = frame_of(active) if axes == "local" else WORLD
        return cls(middle_of(*shapes), frame, active if len(shapes) == 1 and not active.batch_shape else None)

    def after(self, active: Shape, offset: FloatArray | None) -> Subject:
        """Return the subject when the active shape has become another, or all have moved; its axes stay."""
        if self.shape is not None:
            return Subject(middle_of(active), self.frame, active)
        return self if offset is None else Subject(self.middle + offset, self.frame)

    @property
    def local(self) -> bool:
        """Whether the axes are others than those of the world."""
        return self.frame is not WORLD and not np.array_equal(self.frame, WORLD)

    @property
    def alike_from_all_sides(self) -> bool:
        """Whether turning it changes nothing."""
        return isinstance(self.shape, Point | Sphere)


def middle_of(*shapes: Shape) -> FloatArray:
    """Return the middle of some shapes; rays and lines count by the point that they are given by."""
    if len(shapes) > 1 or shapes[0].batch_shape:
        return AABB.union(*map(finite_bounds, shapes)).center
    return shapes[0].core.middle()


def frame_of(shape: Shape) -> FloatArray:
    """Return a shape's own axes: those of an oriented box, z along what has one axis, and else those of the world."""
    if shape.batch_shape:
        return WORLD
    if isinstance(shape, OrientedBox):
        return shape.axes
    if isinstance(shape, Segment | Capsule | Cylinder):
        return _upright_along(shape.end - shape.start)
    if isinstance(shape, Ray | Line | HalfSpace):
        return _upright_along(direction_of(shape))
    return WORLD


def direction_of(shape: Ray | Line | HalfSpace) -> FloatArray:
    """Return where a shape without an end points: its direction, or the normal of its plane."""
    return shape.normal if isinstance(shape, HalfSpace) else shape.direction


def _upright_along(direction: FloatArray) -> FloatArray:
    """Return axes of which z points in a direction, turned the short way from z or -z; the world's for no direction.

    Without a square root of what may vanish, after Duff and others, "Building an Orthonormal Basis, Revisited" (2017).
    """
    x, y, z = direction.tolist()
    largest = max(abs(x), abs(y), abs(z))
    if largest == 0.0:
        return WORLD
    x, y, z = x / largest, y / largest, z / largest
    length = math.sqrt(x * x + y * y + z * z)
    x, y, z = x / length, y / length, z / length
    sign = math.copysign(1.0, z)
    a = -1.0 / (sign + z)
    b = x * y * a
    return np.array([[1.0 + sign * x * x * a, b, x], [sign * b, sign + y * y * a, y], [-sign * x, -y, z]])
