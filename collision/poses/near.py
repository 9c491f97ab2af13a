"""What is near in a pose, by balls and boxes: bodies, shapes, and what rests; and what kernels say of two shapes.

A pair of bodies is looked at where the balls around both are near, a pair of shapes where theirs are, and only then are
the kernels asked, by the address of the loop for two shapes: their answers alone count.
"""

from __future__ import annotations

import math

from collision.kernels.table import CoreType
from collision.kernels.vec3 import Vec3, load
from collision.native import LANES, Floats, Table, call_for_float, kernel, overlapping
from collision.poses.blocks import BLOCK, ball_box, below, beyond
from collision.poses.memory import PLACED
from collision.poses.placing import Place, Rest

_LANES, _BLOCK, _RANKS = LANES, BLOCK, len(CoreType)  # constants, as loops take them

#: Bodies whose balls are compared at once.
STRIDE = 16


@kernel
def table_of(rest: Rest, place: Place, shape: int) -> Table:
    """Return where the operands of a shape are."""
    if shape < rest.moving:
        return place.tables[shape]
    return rest.tables[shape - rest.moving]


@kernel
def gap_of(rest: Rest, place: Place, s: int, t: int) -> float:
    """Return the signed distance of two shapes, taken in the order in which a scene takes them."""
    a, b = (s, t) if rest.elements[s] < rest.elements[t] else (t, s)
    if rest.ranks[a] > rest.ranks[b]:
        a, b = b, a
    code = _RANKS * rest.ranks[a] + rest.ranks[b]
    return call_for_float(rest.codes, code, (table_of(rest, place, a), table_of(rest, place, b), 0.0))


@kernel
def between(a: Floats, i: int, b: Floats, j: int) -> float:
    """Return the signed distance of two balls."""
    x, y, z = a[i] - b[j], a[i + 1] - b[j + 1], a[i + 2] - b[j + 2]
    return math.sqrt(x * x + y * y + z * z) - (a[i + 3] + b[j + 3])


@kernel
def to_box(balls: Floats, i: int, rest: Rest, box: int) -> float:
    """Return the signed distance of a ball and the box around a shape that rests."""
    lo, hi = load(rest.boxes, 6 * box), load(rest.boxes, 6 * box + 3)
    return ball_box(load(balls, i), balls[i + 3], lo, hi)


@kernel
def to_block(balls: Floats, i: int, rest: Rest, k: int) -> float:
    """Return the signed distance of a ball and a box of a block, the first number of which is number k."""
    blocks, n = rest.blocks, _LANES
    lo = Vec3(float(blocks[k]), float(blocks[k + n]), float(blocks[k + 2 * n]))
    hi = Vec3(float(blocks[k + 3 * n]), float(blocks[k + 4 * n]), float(blocks[k + 5 * n]))
    return ball_box(load(balls, i), balls[i + 3], lo, hi)


@kernel
def to_wide(rest: Rest, place: Place, body: int, wide: int) -> float:
    """Return a number no larger than the signed distance of any shape of a body and one without an end."""
    shape = rest.boxed + wide
    tables = place.body_tables[body], rest.tables[shape]
    return call_for_float(rest.codes, rest.ranks[rest.moving + shape], (*tables, 0.0)) - rest.noise[wide]


@kernel
def any_near(place: Place, n: int, a: int, start: int, end: int, reach: float) -> bool:
    """Tell whether the ball around any of some bodies in a row is so near to that around another, or overlaps it so.

    Balls of infinite radius are, also where what is asked for is minus infinity, and the sum of both no number.
    """
    p, hits = place.spheres, 0
    ax, ay, az, r = p[a], p[n + a], p[2 * n + a], p[3 * n + a] + reach
    for b in range(start, end):
        x, y, z, room = p[b] - ax, p[n + b] - ay, p[2 * n + b] - az, p[3 * n + b] + r
        hits += not x * x + y * y + z * z > room * room
    return hits != 0


@kernel
def blocks_near(rest: Rest, place: Place, body: int, block: int, reach: float) -> int:
    """Return which of the eight boxes of a block are so near to a body: a bit each."""
    c, r = load(place.bodies, PLACED * body), place.bodies[PLACED * body + 3] + reach
    mask = overlapping(
        rest.blocks,
        _BLOCK * block,
        below(c.x - r),
        below(c.y - r),
        below(c.z - r),
        beyond(c.x + r),
        beyond(c.y + r),
        beyond(c.z + r),
    )
    return int(mask)
