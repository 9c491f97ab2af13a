"""How near, at least, a shape is to anything in a box: bounds for searches that look into the nearest boxes first.

Bounds above zero are squared, which needs no root; below zero they say how deep an overlap can be at most.
"""

import math
from typing import Any, NamedTuple

from collision.kernels.cores import TOUCH, Linear, nearest_parameter, offset
from collision.kernels.vec3 import EPS, Vec3, add, largest, norm, scale, sub
from collision.native import kernel

#: By how much bounds may be off, relatively, with plenty to spare.
SLACK = 64.0 * EPS

#: By how many times its largest coordinate the box around a shape is widened.
_WIDENING = 2.0 * TOUCH


class Corners(NamedTuple):
    """A box by its corners."""

    lower: Vec3
    upper: Vec3


@kernel
def squared(x: float) -> float:
    """Return the square of a number above zero, and others as they are: in the order of the numbers, without roots."""
    return x * x if x > 0.0 else x


@kernel
def finite_size(v: Vec3) -> float:
    """Return the largest absolute component that is finite."""
    x, y, z = abs(v.x), abs(v.y), abs(v.z)
    return max(x if x < math.inf else 0.0, y if y < math.inf else 0.0, z if z < math.inf else 0.0)


@kernel
def grown(least: Vec3, most: Vec3, radius: float) -> Corners:
    """Return the box around a shape, given the bounds of its core, widened by rounding."""
    margin = _WIDENING * (max(finite_size(least), finite_size(most)) + radius) + radius
    return Corners(
        Vec3(least.x - margin, least.y - margin, least.z - margin),
        Vec3(most.x + margin, most.y + margin, most.z + margin),
    )


@kernel
def box_bound(core: Any, radius: float, box: Corners, other: Corners) -> float:
    """Return how near, at least, two shapes in two boxes are, squared; NaN for the empty box that fills a block up."""
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
def linear_bound(piece: Linear, radius: float, box: Corners, other: Corners) -> float:
    """Return how near, at least, a linear piece is to a shape in a box, squared; by the ball around that box too."""
    bound = box_bound(piece, radius, box, other)
    if not abs(other.lower.x) < math.inf:
        return bound
    lower, upper = other.lower, other.upper
    middle, half = add(scale(lower, 0.5), scale(upper, 0.5)), sub(scale(upper, 0.5), scale(lower, 0.5))
    away = norm(offset(piece, nearest_parameter(piece, middle), middle))
    reach = norm(half) + radius
    size = largest(piece.origin) + largest(middle) + away + reach
    return max(bound, squared(away - reach - SLACK * size))
