"""The first touch of two shapes that turn as they move."""

import math
from typing import Any

import numpy as np

from collision.base.fields import FloatArray, IntArray
from collision.kernels.chains import CENTER, LINK, OFFSET, Chain, turns, velocity_at
from collision.kernels.core import ROW, SEARCH_ROWS, AnyCore, core_in, gain, is_upright, read, size
from collision.kernels.cores import TOUCH
from collision.kernels.pairs import PAIRS
from collision.kernels.steps import Body, Limits, Moment, leapt, least_speed, limits, moment, slope_of, step
from collision.kernels.straight import ALIKE, THIN
from collision.kernels.vec3 import Vec3, along, dot, largest, load, scale, store, sub
from collision.native import FLOATS, INT, Floats, Ints, Loop, Table, address, in_parts, kernel, table
from collision.queries.placements import Course
from collision.shapes.operands import spread
from collision.shapes.shape import Shape

#: After so many steps, each as long as is certain, shapes that are no farther apart than `NEAR` of the way of their
#: fastest point count as touching. Almost all searches end within twenty.
PATIENCE = 1000
NEAR = 1e-9

#: After so many a search ends.
STEPS = 10_000


@kernel
def search(a: Body, b: Body, radius: float, extent: float) -> tuple[float, Moment, Vec3, int]:
    """Return the time of the first touch (NaN for a miss), the moment then, the normal, and how many steps."""
    time, before, count = 0.0, Vec3(0.0, 0.0, 0.0), 0
    now = moment(a, b, time, 0)
    bounds = limits(a, b, now, time, 1.0)
    for count in range(STEPS):
        near = TOUCH * extent if count < PATIENCE else max(TOUCH * extent, NEAR * least_speed(bounds))
        gap = now.s.distance - radius
        if gap <= near:
            break
        if time == 1.0:
            return math.nan, now, before, count
        after, then = advance(a, b, now, bounds, time, radius, -TOUCH * extent)
        if after == time:
            break
        now, before, time = then, now.s.normal, after
    return time, now, _normal(now, before, extent), count


@kernel
def advance(
    a: Body, b: Body, now: Moment, bounds: Limits, time: float, radius: float, deep: float
) -> tuple[float, Moment]:
    """Return a time up to which two bodies are certain not to touch, and the moment then."""
    gap, other_one = now.s.distance - radius, 1 - now.number
    sure, aim = time + step(a, b, now, bounds, gap, 1.0 - time), slope_of(now)
    aim = min(time - gap / aim, 1.0) if aim < 0.0 else 1.0
    if sure < aim:
        then = moment(a, b, aim, other_one)
        other = then.s.distance - radius
        if other < deep:  # too far: the secant is on the other side of the touch, where Newton's tangent is not
            aim = time + (aim - time) * (gap / (gap - other))
            then = moment(a, b, aim, other_one)
            other = then.s.distance - radius
        if aim > sure and other >= deep and leapt(a, b, now, then, time, aim, bounds, Vec3(gap, other, 0.0)):
            return aim, then
    sure = min(sure, 1.0)
    return sure, moment(a, b, sure, other_one)


@kernel
def _missing(now: Moment, n: Vec3) -> float:
    """Return how much room is missing along a direction, which is none along a normal of the touch."""
    a, b, still = now.core_a, now.core_b, Vec3(0.0, 0.0, 0.0)
    return gain(a, False, now.s.on_a, n, still, still) + gain(b, False, now.s.on_b, scale(n, -1.0), still, still)


@kernel
def _normal(now: Moment, before: Vec3, extent: float) -> Vec3:
    """Return the normal of a touch; `before` is the one a step before, or zero at the start.

    Of cores without thickness the gap has no direction any more, and may come out on the other side.
    """
    n = now.s.normal
    if largest(before) == 0.0 or now.s.distance > THIN * extent:
        return n
    back = scale(n, -1.0)
    if largest(sub(n, before)) > ALIKE and _missing(now, back) <= TOUCH * extent:
        v = sub(velocity_at(now.twist_a, now.s.on_b), velocity_at(now.twist_b, now.s.on_b))
        return n if dot(n, v) >= 0.0 else back
    return n


@kernel
def _chain(numbers: Any, rows: Ints, i: int) -> Chain:
    """Return the chain of one link that is number i; of none where its row is less than zero."""
    return Chain(numbers, rows, i, i + 1 if rows[i] >= 0 else i)


@kernel
def _reach(chain: Chain) -> float:
    """Return the largest coordinate of where a chain of one link starts."""
    far = 0.0
    for i in range(chain.first, chain.last):
        k = LINK * chain.rows[i]
        far = max(far, largest(load(chain.numbers, k + CENTER)), largest(load(chain.numbers, k + OFFSET)))
    return far


@kernel
def body_of(core: AnyCore, rank: int, links: Floats, rows: Ints, i: int) -> Body:
    """Return the body of a core, and of the rank as which it was given, that is moved by link number i."""
    chain, keeps = _chain(links, rows, i), is_upright(rank)
    return Body(core, keeps, keeps and turns(chain), chain)


@kernel
def extent_of(body: Body) -> float:
    """Return the largest number that a body and where it starts are given by."""
    return max(size(body.core), _reach(body.chain))


def _turning(
    first: int, last: int, indexed: int, ta: Table, sa: Ints, ia: Ints, tb: Table, sb: Ints, ib: Ints,
    links: Table, rows: Ints, out: Table, rank_a: int, rank_b: int, memory: Floats, corners: Floats,
) -> None:  # fmt: skip
    """Answer pairs of two cores with radii, each moved by one link or resting."""
    fraction, point, normal, steps = out[0], out[1], out[2], out[3]
    core_a, core_b = core_in(rank_a, memory, 0, corners), core_in(rank_b, memory, 1, corners)
    for k in range(first, last):
        i, j = (ia[k], ib[k]) if indexed else (k, k)
        radius_a, radius_b = read(core_a, ta, sa, i), read(core_b, tb, sb, j)
        body_a = body_of(core_a, rank_a, links[0], rows, 2 * k)
        body_b = body_of(core_b, rank_b, links[0], rows, 2 * k + 1)
        radius = radius_a + radius_b
        extent = max(extent_of(body_a), extent_of(body_b), radius)
        time, now, facing, count = search(body_a, body_b, radius, extent)
        hit, nowhere = time >= 0.0, Vec3(math.nan, math.nan, math.nan)
        fraction[k], steps[k] = time, count
        store(point, 3 * k, along(now.s.on_b, -radius_b, now.s.normal) if hit else nowhere)
        store(normal, 3 * k, facing if hit else nowhere)


#: The loop for two cores of any kind, that of the lower rank first.
LOOP = Loop("turning", _turning, (*PAIRS, INT, INT, FLOATS, FLOATS))


#: The pairs that are worth a thread of their own.
_FEW = 256


def turning_touches(
    a: Shape | Course, b: Shape | Course, lead: tuple[int, ...], rows: IntArray
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return fractions, points and normals of the first touches of shapes that turn, and how many steps it took.

    Parameters
    ----------
    a, b : Shape or Course
        What rests, or where it goes.
    lead : tuple of int
        The joint batch axes.
    rows : ndarray of int
        The pairs asked for, counted flat.
    """
    if _shape(a).core_type > _shape(b).core_type:
        fraction, point, normal, steps = turning_touches(b, a, lead, rows)
        return fraction, point, 0.0 - normal, steps
    links: list[FloatArray] = []
    numbers = np.full((len(rows), 2), -1, dtype=np.int64)
    for side, one in enumerate((a, b)):
        if isinstance(one, Course):
            numbers[:, side] = spread(one.batch_shape, lead)[rows] + sum(len(each) for each in links)
            links.append(one.links())
    together = np.concatenate(links)
    first, second = _shape(a).flattened(), _shape(b).flattened()
    picked = [np.ascontiguousarray(spread(_shape(one).batch_shape, lead)[rows]) for one in (a, b)]
    fraction, steps, point, normal = np.empty(len(rows)), np.empty(len(rows)), *np.empty((2, len(rows), 3))
    x, y = first.operands, second.operands
    operands = (x.table, x.strides, address(picked[0]), y.table, y.strides, address(picked[1]))
    given = (table([together]), address(numbers), table([fraction, point, normal, steps]))

    def part(start: int, end: int) -> None:
        memory = np.empty(ROW * SEARCH_ROWS)
        LOOP.run(start, end, True, *operands, *given, first.core_type, second.core_type, address(memory), None)

    in_parts(part, len(rows), _FEW)
    return fraction, point, normal, steps


def _shape(one: Shape | Course) -> Shape:
    return one.shape if isinstance(one, Course) else one
