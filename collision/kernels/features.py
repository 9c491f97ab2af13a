"""The vertex, edge or face of a core that is foremost in a direction: what it touches others with.

A face is a rectangle in space or a ring of corners, so that contact patches need one method for all cores.
"""

import math
from typing import NamedTuple

from collision.kernels.cores import ROUNDING, Box, Linear, box_size, into, linear_size
from collision.kernels.linear import turn
from collision.kernels.vec3 import Vec3, along, dot, norm, scale
from collision.native import kernel


class Span(NamedTuple):
    """The numbers from one to another, which may be infinite."""

    first: float
    last: float


class Ring(NamedTuple):
    """The corners of a face of a hull, in the table of its numbers, and the face's directions u and v along its axes.

    How many there are, where their numbers begin, counter-clockwise seen from outside, and where the hull's corners do.
    """

    number: int
    first: int
    corners: int
    u: Vec3
    v: Vec3


class Feature(NamedTuple):
    """The points origin + r u + s v with r and s in their spans: a vertex (0), an edge (1, along u) or a face (2).

    A face that is no rectangle has a ring of corners, and no end to its spans.
    """

    dimension: int
    origin: Vec3
    u: Vec3
    v: Vec3
    r: Span
    s: Span
    radius: float
    ring: Ring


_NOWHERE, _NO_SPAN = Vec3(0.0, 0.0, 0.0), Span(0.0, 0.0)
NO_RING = Ring(0, 0, 0, _NOWHERE, _NOWHERE)


@kernel
def face_feature(origin: Vec3, u: Vec3, v: Vec3, r: Span, s: Span, radius: float) -> Feature:
    """Return a face that is a rectangle, or has no end."""
    return Feature(2, origin, u, v, r, s, radius, NO_RING)


@kernel
def edge_feature(origin: Vec3, u: Vec3, r: Span, radius: float) -> Feature:
    """Return an edge."""
    return Feature(1, origin, u, _NOWHERE, r, _NO_SPAN, radius, NO_RING)


@kernel
def point_feature(point: Vec3, radius: float, direction: Vec3, sine: float) -> Feature:
    """Return the feature of a point: itself."""
    return Feature(0, point, _NOWHERE, _NOWHERE, _NO_SPAN, _NO_SPAN, radius, NO_RING)


@kernel
def linear_feature(line: Linear, radius: float, direction: Vec3, sine: float) -> Feature:
    """Return the foremost feature of a linear piece: all of it if it is level, else a vertex."""
    length = norm(line.direction)
    short = line.hi < math.inf and length <= ROUNDING * linear_size(line)
    if short or abs(dot(line.direction, direction)) > (sine + ROUNDING) * length:
        return point_feature(line.origin, radius, direction, sine)
    span = Span(line.lo * length, line.hi * length)
    return edge_feature(line.origin, scale(line.direction, 1.0 / length), span, radius)


@kernel
def box_feature(box: Box, radius: float, direction: Vec3, sine: float) -> Feature:
    """Return the foremost feature of a box. The steepest of its axes never counts as level; here it is the third."""
    m = into(box, direction)
    steep = max(abs(m.x), abs(m.y), abs(m.z))
    while abs(m.z) < steep:
        m, box = turn(m), Box(box.origin, box.y, box.z, box.x, turn(box.lo), turn(box.hi))
    lo, hi, thin = box.lo, box.hi, ROUNDING * box_size(box)
    origin = along(box.origin, hi.z if m.z > 0.0 else lo.z, box.z)
    level_x = abs(m.x) <= sine + ROUNDING and hi.x - lo.x > thin
    level_y = abs(m.y) <= sine + ROUNDING and hi.y - lo.y > thin
    if level_x and level_y:
        return face_feature(origin, box.x, box.y, Span(lo.x, hi.x), Span(lo.y, hi.y), radius)
    if level_x:
        origin = along(origin, hi.y if m.y > 0.0 else lo.y, box.y)
        return edge_feature(origin, box.x, Span(lo.x, hi.x), radius)
    origin = along(origin, hi.x if m.x > 0.0 else lo.x, box.x)
    if level_y:
        return edge_feature(origin, box.y, Span(lo.y, hi.y), radius)
    return point_feature(along(origin, hi.y if m.y > 0.0 else lo.y, box.y), radius, direction, sine)
