"""A point against a point, a linear piece and a box."""

import math

import numpy as np

from collision.base.fields import FloatArray
from collision.kernels.cores import (
    ROUNDING,
    Box,
    Linear,
    Separation,
    at,
    clamp,
    nearest_parameter,
    offset,
    out_of,
    squared_up,
    to_local,
    to_world,
)
from collision.kernels.extents import Extent, Operands, Outline, no_cone, zonotope
from collision.kernels.vec3 import Vec3, dot, largest, norm, perpendicular, sub
from collision.native import kernel


@kernel
def point_point(a: Vec3, b: Vec3) -> Separation:
    """Return the separation of two points. Coincident points part along z."""
    gap = sub(b, a)
    distance = norm(gap)
    if distance == 0.0:
        return Separation(0.0, a, b, Vec3(0.0, 0.0, 1.0))
    return Separation(distance, a, b, Vec3(gap.x / distance, gap.y / distance, gap.z / distance))


@kernel
def point_linear(p: Vec3, line: Linear) -> Separation:
    """Return the separation of a point and a linear piece.

    The nearest parameter is the projection, clamped to the span; inside, the normal is made to be at a right angle.
    """
    t = nearest_parameter(line, p)
    foot = at(line, t)
    gap = offset(line, t, p)
    reach = largest(sub(p, line.origin))
    rise = dot(gap, line.direction)
    beyond = (t == line.hi and rise < 0.0) or (t == line.lo and rise > 0.0)
    gap = squared_up(gap, line.direction, reach if beyond else math.inf)
    distance = norm(gap)
    if distance <= ROUNDING * reach or distance == 0.0:
        return Separation(distance, p, foot, perpendicular(line.direction))
    return Separation(distance, p, foot, Vec3(gap.x / distance, gap.y / distance, gap.z / distance))


@kernel
def point_box_local(q: Vec3, lo: Vec3, hi: Vec3) -> Separation:
    """Return the separation of a point and a box, both in the box's frame; inside, it is to the nearest face."""
    b = clamp(q, lo, hi)
    gap = sub(b, q)
    distance = norm(gap)
    if distance > 0.0:
        return Separation(distance, q, b, Vec3(gap.x / distance, gap.y / distance, gap.z / distance))
    return inside_box(q, lo, hi)


@kernel
def inside_box(q: Vec3, lo: Vec3, hi: Vec3) -> Separation:
    """Return the separation of a point in a box and that box: the nearest face parts them."""
    depth, face, normal = q.x - lo.x, Vec3(lo.x, q.y, q.z), Vec3(1.0, 0.0, 0.0)
    if hi.x - q.x < depth:
        depth, face, normal = hi.x - q.x, Vec3(hi.x, q.y, q.z), Vec3(-1.0, 0.0, 0.0)
    if q.y - lo.y < depth:
        depth, face, normal = q.y - lo.y, Vec3(q.x, lo.y, q.z), Vec3(0.0, 1.0, 0.0)
    if hi.y - q.y < depth:
        depth, face, normal = hi.y - q.y, Vec3(q.x, hi.y, q.z), Vec3(0.0, -1.0, 0.0)
    if q.z - lo.z < depth:
        depth, face, normal = q.z - lo.z, Vec3(q.x, q.y, lo.z), Vec3(0.0, 0.0, 1.0)
    if hi.z - q.z < depth:
        depth, face, normal = hi.z - q.z, Vec3(q.x, q.y, hi.z), Vec3(0.0, 0.0, -1.0)
    return Separation(-depth, q, face, normal)


@kernel
def point_box(p: Vec3, box: Box) -> Separation:
    """Return the separation of a point and a box."""
    s = point_box_local(to_local(box, p), box.lo, box.hi)
    return Separation(s.distance, p, to_world(box, s.on_b), out_of(box, s.normal))


# -- in NumPy ----------------------------------------------------------------------------------------------------------


def _middle(core: Operands) -> FloatArray:
    return np.asarray(core[0])


def _vertices(core: Operands) -> FloatArray:
    return np.asarray(core[0])[None]


def _outline(core: Operands) -> Outline:
    return zonotope(core[0], [])


EXTENT = Extent(_middle, _outline, no_cone, _vertices)
