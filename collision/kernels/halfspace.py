"""The half-space: the core, and its separation from every other.

A half-space parts from a bounded shape along its normal alone, so the signed distance is how high the shape's lowest
point is above the plane. Where no move parts two shapes (a line that pierces the plane, two planes that cross) the
signed distance is minus infinity, and both witness points are one point that the shapes have in common.
"""

import math
from typing import NamedTuple

import numpy as np

from collision.base.fields import FloatArray
from collision.kernels.clips import SurfacePoint
from collision.kernels.cores import ROUNDING, TOUCH, Box, Linear, Separation, at, half_of, into, middle_of, to_world
from collision.kernels.extents import Cone, Extent, Operands
from collision.kernels.features import Feature, Span, face_feature
from collision.kernels.frames import unit
from collision.kernels.linear import support
from collision.kernels.nearness import SLACK, Corners, squared
from collision.kernels.turned import Pose, TurningKernels, put, turn, unchanged
from collision.kernels.vec3 import (
    Vec3,
    absolute,
    add,
    along,
    cross,
    dot,
    largest,
    load,
    norm,
    opposite,
    perpendicular,
    scale,
    store,
    sub,
)
from collision.native import Floats, Ints, Table, kernel


class HalfSpaceCore(NamedTuple):
    """The points p with (p - point) . normal <= 0."""

    point: Vec3
    normal: Vec3


#: A direction whose rise over a unit of length is no more than this is level with a plane: what rounding its three
#: products, and those of both unit vectors, leaves.
LEVEL = 2.0 * ROUNDING


@kernel
def read_half_space(table: Table, strides: Ints, i: int) -> tuple[HalfSpaceCore, float]:
    """Read element i of the operands of a half-space, and no radius."""
    return HalfSpaceCore(load(table[0], i * strides[0]), load(table[1], i * strides[1])), 0.0


@kernel
def load_half_space(numbers: Floats, k: int) -> HalfSpaceCore:
    """Read a half-space from its row, which begins at number k."""
    return HalfSpaceCore(load(numbers, k), load(numbers, k + 3))


@kernel
def store_half_space(numbers: Floats, k: int, space: HalfSpaceCore) -> None:
    """Write the row of a half-space."""
    store(numbers, k, space.point)
    store(numbers, k + 3, space.normal)


@kernel
def half_space_size(space: HalfSpaceCore) -> float:
    """Return the largest coordinate of the point that a half-space is given by."""
    return largest(space.point)


@kernel
def half_space_corners(space: HalfSpaceCore) -> tuple[Vec3, Vec3]:
    """Return corners without an end."""
    return Vec3(-math.inf, -math.inf, -math.inf), Vec3(math.inf, math.inf, math.inf)


@kernel
def moved_half_space(space: HalfSpaceCore, t: float, v: Vec3) -> HalfSpaceCore:
    """Return a half-space after a part of its motion."""
    return HalfSpaceCore(along(space.point, t, v), space.normal)


@kernel
def half_space_bound(space: HalfSpaceCore, radius: float, box: Corners, other: Corners) -> float:
    """Return how near, at least, a half-space is to a shape in a box, squared: the height of the lowest corner."""
    n, a, b = space.normal, other.lower, other.upper
    x, y, z = a.x if n.x > 0.0 else b.x, a.y if n.y > 0.0 else b.y, a.z if n.z > 0.0 else b.z
    if not abs(a.x) < math.inf:
        return -math.inf if a.x < 0.0 else math.nan
    corner = Vec3(x, y, z)
    return squared(height(space, corner) - SLACK * (largest(corner) + largest(space.point)))


@kernel
def height(space: HalfSpaceCore, p: Vec3) -> float:
    """Return how high a point is above the plane."""
    return dot(sub(p, space.point), space.normal)


@kernel
def point_half_space(p: Vec3, space: HalfSpaceCore) -> Separation:
    """Return the separation of a point and a half-space."""
    h = height(space, p)
    return Separation(h, p, along(p, -h, space.normal), opposite(space.normal))


@kernel
def linear_half_space(line: Linear, space: HalfSpaceCore) -> Separation:
    """Return the separation of a linear piece and a half-space: that of its lower end, or of its middle if level."""
    if line.hi < math.inf:
        start, tip = height(space, line.origin), height(space, line.tip)
        if start == tip:
            return point_half_space(at(line, 0.5), space)
        return point_half_space(line.origin if start < tip else line.tip, space)
    rise = dot(line.direction, space.normal)
    level = abs(rise) <= LEVEL
    if level or (line.lo == 0.0 and rise > 0.0):
        return point_half_space(line.origin, space)
    t = -height(space, line.origin) / rise
    common = along(line.origin, max(t, line.lo), line.direction)
    return Separation(-math.inf, common, common, opposite(space.normal))


@kernel
def box_half_space(box: Box, space: HalfSpaceCore) -> Separation:
    """Return the separation of a box and a half-space: that of its lowest corner, or the middle of what is level."""
    middle, half, m = to_world(box, middle_of(box)), half_of(box), into(box, space.normal)
    down = support(scale(m, -1.0), half)
    lowest = add(middle, add(add(scale(box.x, down.x), scale(box.y, down.y)), scale(box.z, down.z)))
    h = height(space, middle) - dot(absolute(m), half)
    return Separation(h, lowest, along(lowest, -h, space.normal), opposite(space.normal))


@kernel
def half_space_half_space(a: HalfSpaceCore, b: HalfSpaceCore) -> Separation:
    """Return the separation of two half-spaces, which is minus infinity unless they face each other."""
    w = sub(b.point, a.point)
    if largest(add(a.normal, b.normal)) <= LEVEL:
        gap = dot(w, a.normal)
        on_a = along(a.point, 0.5, along(w, -gap, a.normal))
        return Separation(gap, on_a, along(on_a, gap, a.normal), a.normal)
    # Where they are all but parallel, the small difference of the normals is exact, and their sine is not.
    facing = math.copysign(1.0, dot(a.normal, b.normal))
    tilt = along(b.normal, -facing, a.normal)
    aside = along(tilt, -dot(tilt, a.normal), a.normal)
    length = norm(aside)
    if length > LEVEL:
        aside = scale(aside, 1.0 / length)
        common = along(a.point, dot(w, b.normal) / dot(aside, tilt), aside)
    else:  # they face the same way, and the lower one is in the other
        common = a.point if dot(w, b.normal) >= 0.0 else b.point
    return Separation(-math.inf, common, common, a.normal)


@kernel
def clip_half_space(line: Linear, space: HalfSpaceCore, radius: float, size: float) -> tuple[float, float]:
    """Return the interval of a line inside a half-space."""
    h, rise = height(space, line.origin), dot(line.direction, space.normal)
    if abs(rise) <= LEVEL * norm(line.direction):
        reach = math.inf if h <= TOUCH * size else math.nan
        return -reach, reach
    return (-math.inf, -h / rise) if rise > 0.0 else (-h / rise, math.inf)


@kernel
def surface_half_space(line: Linear, t: float, space: HalfSpaceCore, radius: float, size: float) -> SurfacePoint:
    """Return what the point at a parameter is to a half-space."""
    p = at(line, t)
    h = height(space, p)
    return SurfacePoint(h, along(p, -h, space.normal), space.normal)


@kernel
def half_space_feature(space: HalfSpaceCore, radius: float, direction: Vec3, sine: float) -> Feature:
    """Return the feature of a half-space: all of its plane."""
    u, endless = perpendicular(space.normal), Span(-math.inf, math.inf)
    return face_feature(space.point, u, cross(space.normal, u), endless, endless, radius)


@kernel
def turned_half_space(space: HalfSpaceCore, pose: Pose) -> HalfSpaceCore:
    """Return a half-space where a pose takes it."""
    return HalfSpaceCore(put(pose, space.point), turn(pose, space.normal))


@kernel
def posed_half_space(space: HalfSpaceCore, pose: Pose) -> HalfSpaceCore:
    """Return a half-space where a pose takes it; its normal is of unit length."""
    return HalfSpaceCore(put(pose, space.point), unit(turn(pose, space.normal)))


@kernel
def farthest_half_space(space: HalfSpaceCore, grows: bool, point: Vec3, axis: Vec3) -> float:
    """Return infinity."""
    return math.inf


@kernel
def half_space_gain(space: HalfSpaceCore, grows: bool, at: Vec3, m: Vec3, own: Vec3, seen: Vec3) -> float:
    """Return zero where nothing spins, or about the normal alone; else infinity."""
    return 0.0 if largest(cross(m, sub(own, seen))) == 0.0 else math.inf


TURNING = TurningKernels(turned_half_space, posed_half_space, unchanged, farthest_half_space, half_space_gain)


# -- in NumPy ----------------------------------------------------------------------------------------------------------


def _middle(core: Operands) -> FloatArray:
    return np.asarray(core[0])


def _outline(core: Operands) -> None:
    """Return None: out of a half-space leads its normal alone."""


def _cone(core: Operands) -> Cone:
    return Cone(core[1], solid=True)


EXTENT = Extent(_middle, _outline, _cone)
