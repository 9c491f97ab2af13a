"""Cores that turn: where they are then, how far they reach, and how much farther they come to reach as they turn."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from collision.kernels.cores import ROUNDING, TOUCH, Box, Linear, half_of, linear, middle_of, to_world
from collision.kernels.frames import ALLOWED, orthonormalised, unit
from collision.kernels.vec3 import Vec3, absolute, add, along, cross, dot, largest, norm, scale, sub, times
from collision.native import kernel


class Pose(NamedTuple):
    """A rigid motion, p -> position + frame (p - center); the frame's columns are where it takes the axes."""

    center: Vec3
    position: Vec3
    x: Vec3
    y: Vec3
    z: Vec3


class TurningKernels(NamedTuple):
    """What is needed of a core that turns.

    Attributes
    ----------
    turned : kernel
        (core, pose) -> core: where a pose takes it.
    posed : kernel
        (core, pose) -> core: the same for a rotation about the world's origin, to the last bit as `Shape.transformed`
        has it: directions and axes are made unit vectors again.
    upright : kernel
        (core) -> core: the box with the world's axes around a turned box; any other core as it is.
    farthest : kernel
        (core, grows, point, axis) -> float: the distance from an axis to the point that is farthest from it; of a core
        that grows and shrinks to stay upright, no less than what its corners move by per radian.
    gain : kernel
        (core, grows, at, m, own, seen) -> float: by how much the largest m . (x - at + spin x (x - at)) over the points
        x of the core exceeds zero. `at` is one of them, and the spin is by how much the core turns itself less by how
        much the frame turns that it is seen from. It is zero where both are the same and m is the normal at that point.
    """

    turned: Callable[[Any, Pose], Any]
    posed: Callable[[Any, Pose], Any]
    upright: Callable[[Any], Any]
    farthest: Callable[[Any, bool, Vec3, Vec3], float]
    gain: Callable[[Any, bool, Vec3, Vec3, Vec3, Vec3], float]


@kernel
def turn(pose: Pose, v: Vec3) -> Vec3:
    """Return where a pose takes a vector."""
    return add(add(scale(pose.x, v.x), scale(pose.y, v.y)), scale(pose.z, v.z))


@kernel
def turn_back(pose: Pose, v: Vec3) -> Vec3:
    """Return the vector that a pose takes to this one."""
    return Vec3(dot(pose.x, v), dot(pose.y, v), dot(pose.z, v))


@kernel
def put(pose: Pose, p: Vec3) -> Vec3:
    """Return where a pose takes a point."""
    return add(turn(pose, sub(p, pose.center)), pose.position)


@kernel
def from_axis(p: Vec3, point: Vec3, axis: Vec3) -> float:
    """Return the distance of a point from an axis, given by a point and a unit vector."""
    return norm(cross(axis, sub(p, point)))


@kernel
def unchanged(core: Any) -> Any:
    """Return a core as it is."""
    return core


@kernel
def turned_point(p: Vec3, pose: Pose) -> Vec3:
    """Return a point where a pose takes it."""
    return put(pose, p)


@kernel
def farthest_point(p: Vec3, grows: bool, point: Vec3, axis: Vec3) -> float:
    """Return the distance of a point from an axis."""
    return from_axis(p, point, axis)


@kernel
def point_gain(p: Vec3, grows: bool, at: Vec3, m: Vec3, own: Vec3, seen: Vec3) -> float:
    """Return zero: there is but the one point."""
    return 0.0


@kernel
def turned_linear(line: Linear, pose: Pose) -> Linear:
    """Return a linear piece where a pose takes it."""
    origin = put(pose, line.origin)
    if line.hi < math.inf:
        tip = put(pose, line.tip)
        return Linear(origin, sub(tip, origin), tip, line.lo, line.hi)
    direction = turn(pose, line.direction)
    return Linear(origin, direction, direction, line.lo, line.hi)


@kernel
def posed_linear(line: Linear, pose: Pose) -> Linear:
    """Return a linear piece where a pose takes it; its direction is of unit length if it has no end."""
    tip = put(pose, line.tip) if line.hi < math.inf else unit(turn(pose, line.direction))
    return linear(put(pose, line.origin), tip, line.lo, line.hi)


@kernel
def farthest_linear(line: Linear, grows: bool, point: Vec3, axis: Vec3) -> float:
    """Return how far a linear piece gets from an axis; infinitely far without an end, unless it runs along it."""
    origin = from_axis(line.origin, point, axis)
    if line.hi < math.inf:
        return max(origin, from_axis(line.tip, point, axis))
    return origin if norm(cross(line.direction, axis)) <= ROUNDING * norm(line.direction) else math.inf


@kernel
def linear_gain(line: Linear, grows: bool, at: Vec3, m: Vec3, own: Vec3, seen: Vec3) -> float:
    """Return the gain at the better end; infinite where an endless piece turns into the direction."""
    spin = sub(own, seen)
    way = add(m, cross(m, spin))
    start = dot(way, sub(line.origin, at))
    if line.hi < math.inf:
        return max(start, dot(way, sub(line.tip, at)))
    if largest(spin) == 0.0:  # it lies at a right angle to m, or on the side away from it
        return start if line.lo == 0.0 and start > TOUCH * norm(sub(line.origin, at)) else 0.0
    rise = dot(way, line.direction)
    return math.inf if rise > 0.0 or (line.lo < 0.0 and rise != 0.0) else max(start, 0.0)


@kernel
def turned_box(box: Box, pose: Pose) -> Box:
    """Return a box where a pose takes it."""
    x, y, z = turn(pose, box.x), turn(pose, box.y), turn(pose, box.z)
    return Box(put(pose, box.origin), x, y, z, box.lo, box.hi)


@kernel
def posed_box(box: Box, pose: Pose) -> Box:
    """Return a box where a pose takes it, with axes that are a rotation's."""
    x, y, z, _ = orthonormalised(turn(pose, box.x), turn(pose, box.y), turn(pose, box.z), ALLOWED)
    return Box(put(pose, box.origin), x, y, z, box.lo, box.hi)


@kernel
def halves(box: Box) -> tuple[Vec3, Vec3, Vec3, Vec3]:
    """Return the middle of a box, and the vectors from there to three of its faces."""
    middle, half = to_world(box, middle_of(box)), half_of(box)
    return middle, scale(box.x, half.x), scale(box.y, half.y), scale(box.z, half.z)


@kernel
def upright_box(box: Box) -> Box:
    """Return the box with the world's axes around a box; one that has them already as it is."""
    if largest(Vec3(box.y.x, box.z.y, box.x.z)) == 0.0 and largest(Vec3(box.z.x, box.x.y, box.y.z)) == 0.0:
        return box
    middle, x, y, z = halves(box)
    reach = add(add(absolute(x), absolute(y)), absolute(z))
    low, high = sub(middle, reach), add(middle, reach)
    return Box(Vec3(0.0, 0.0, 0.0), Vec3(1.0, 0.0, 0.0), Vec3(0.0, 1.0, 0.0), Vec3(0.0, 0.0, 1.0), low, high)


@kernel
def farthest_box(box: Box, grows: bool, point: Vec3, axis: Vec3) -> float:
    """Return the distance of the corner of a box that is farthest from an axis."""
    middle, x, y, z = halves(box)
    if grows:
        return from_axis(middle, point, axis) + (norm(x) + norm(y) + norm(z))
    most, w = 0.0, cross(axis, sub(middle, point))
    u, v = cross(axis, x), cross(axis, y)
    for i in range(4):
        corner = along(along(w, 1.0 if i & 1 else -1.0, u), 1.0 if i & 2 else -1.0, v)
        side = cross(axis, z)
        most = max(most, norm(add(corner, side)), norm(sub(corner, side)))
    return most


@kernel
def box_gain(box: Box, grows: bool, at: Vec3, m: Vec3, own: Vec3, seen: Vec3) -> float:
    """Return the gain at the best corner, or of a box that is kept upright, at the best sum of its sides."""
    middle, x, y, z = halves(box)
    way = add(m, cross(m, sub(own, seen)))
    base = dot(way, sub(middle, at))
    if not grows:
        return base + (abs(dot(way, x)) + abs(dot(way, y)) + abs(dot(way, z)))
    fixed = sub(m, cross(m, seen))
    return base + (_grown(fixed, m, own, x) + _grown(fixed, m, own, y) + _grown(fixed, m, own, z))


@kernel
def _grown(fixed: Vec3, m: Vec3, own: Vec3, side: Vec3) -> float:
    """Return the part of a gain that a side of a box has that is kept upright."""
    turned = absolute(add(times(fixed, side), times(m, cross(own, side))))
    return turned.x + turned.y + turned.z


POINT = TurningKernels(turned_point, turned_point, unchanged, farthest_point, point_gain)
LINEAR = TurningKernels(turned_linear, posed_linear, unchanged, farthest_linear, linear_gain)
BOX = TurningKernels(turned_box, posed_box, upright_box, farthest_box, box_gain)
