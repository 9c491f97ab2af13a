"""How near, at least, a shape is to anything in a box: bounds for searches that look into the nearest boxes first.

Bounds are squared where they are above zero, which keeps their order and needs no root; below zero, where boxes
overlap, they say how deep what is in them can overlap at most. Each is a little less than the truth, by rounding.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from collision.broadphase.blocks import Corners, finite_size
from collision.broadphase.hierarchy import ROOM
from collision.kernels.cores import Box, Linear, linear_corners, nearest_parameter, offset, to_world
from collision.kernels.halfspace import HalfSpace, height
from collision.kernels.table import CoreType
from collision.kernels.vec3 import EPS, Vec3, absolute, add, largest, norm, scale, sub
from collision.native import kernel

#: By how much bounds may be off, relatively, with plenty to spare.
SLACK = 64.0 * EPS

_ROOM = ROOM  # a plain global: loops take it as a constant


class Thin(NamedTuple):
    """A linear piece with a radius, and the box around it."""

    corners: Corners
    piece: Linear
    radius: float


@kernel
def squared(x: float) -> float:
    """Return the square of a number above zero, and others as they are: in the order of the numbers, without roots."""
    return x * x if x > 0.0 else x


@kernel
def _around(least: Vec3, most: Vec3, radius: float) -> Corners:
    """Return the box around a shape with such a core, widened."""
    size = max(finite_size(least), finite_size(most)) + radius
    room = _ROOM * size + radius
    return Corners(
        Vec3(least.x - room, least.y - room, least.z - room), Vec3(most.x + room, most.y + room, most.z + room)
    )


@kernel
def _box_bound(box: Corners, other: Corners) -> float:
    """Return how near, at least, two shapes in two boxes are, squared: how far these are apart, or how deep in.

    For the empty box that fills a block up it is NaN, as all bounds are.
    """
    a, b, c, d = box.lower, box.upper, other.lower, other.upper
    if not c.x <= d.x:
        return math.nan
    x, y, z = max(c.x - b.x, a.x - d.x), max(c.y - b.y, a.y - d.y), max(c.z - b.z, a.z - d.z)
    widest = max(x, y, z)
    if widest <= 0.0:
        return widest
    x, y, z = max(x, 0.0), max(y, 0.0), max(z, 0.0)
    return x * x + y * y + z * z


@kernel
def _thin_bound(thin: Thin, other: Corners) -> float:
    """Return how near, at least, a linear piece is to a shape in a box, squared; by the ball around that box too."""
    bound = _box_bound(thin.corners, other)
    if not abs(other.lower.x) < math.inf:
        return bound
    lower, upper = other.lower, other.upper
    middle, half = add(scale(lower, 0.5), scale(upper, 0.5)), sub(scale(upper, 0.5), scale(lower, 0.5))
    away = norm(offset(thin.piece, nearest_parameter(thin.piece, middle), middle))
    reach = norm(half) + thin.radius
    size = largest(thin.piece.origin) + largest(middle) + away + reach
    return max(bound, squared(away - reach - SLACK * size))


@kernel
def _side_bound(space: HalfSpace, other: Corners) -> float:
    """Return how near, at least, a half-space is to a shape in a box, squared: the height of the lowest corner."""
    n, a, b = space.normal, other.lower, other.upper
    x, y, z = a.x if n.x > 0.0 else b.x, a.y if n.y > 0.0 else b.y, a.z if n.z > 0.0 else b.z
    if not abs(a.x) < math.inf:
        return -math.inf if a.x < 0.0 else math.nan
    corner = Vec3(x, y, z)
    return squared(height(space, corner) - SLACK * (largest(corner) + largest(space.point)))


@kernel
def _of_point(p: Vec3, radius: float) -> Corners:
    """Return what bounds of a ball are taken from."""
    return _around(p, p, radius)


@kernel
def _of_linear(piece: Linear, radius: float) -> Thin:
    """Return what bounds of a linear piece are taken from."""
    least, most = linear_corners(piece)
    return Thin(_around(least, most, radius), piece, radius)


@kernel
def _of_box(box: Box, radius: float) -> Corners:
    """Return what bounds of a box are taken from; it need not be centered on its origin."""
    middle, half = to_world(box, scale(add(box.lo, box.hi), 0.5)), scale(sub(box.hi, box.lo), 0.5)
    x, y, z = absolute(box.x), absolute(box.y), absolute(box.z)
    reach = add(add(scale(x, half.x), scale(y, half.y)), scale(z, half.z))
    return _around(sub(middle, reach), add(middle, reach), radius)


@kernel
def _of_half_space(space: HalfSpace, radius: float) -> HalfSpace:
    """Return what bounds of a half-space are taken from."""
    return space


#: For each core: how it is prepared for taking bounds, and the bound.
BOUNDS: dict[CoreType, tuple[Callable[..., Any], Callable[..., float]]] = {
    CoreType.POINT: (_of_point, _box_bound),
    CoreType.LINEAR: (_of_linear, _thin_bound),
    CoreType.BOX: (_of_box, _box_bound),
    CoreType.HALF_SPACE: (_of_half_space, _side_bound),
}
