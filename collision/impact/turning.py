"""The first touch of two shapes that turn as they move."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from collision.fields import FloatArray, IntArray
from collision.impact.chains import CENTER, LINK, OFFSET, Chain, turns, velocity_at
from collision.impact.placements import Course
from collision.impact.steps import ASKED, Body, Engine, Limits, Moment, engine, leapt, least_speed, slope_of
from collision.impact.straight import ALIKE, THIN
from collision.native import INT, PAIRS, Ints, Loop, Table, address, in_parts, kernel, spread, table
from collision.separation.cores import TOUCH
from collision.separation.table import CoreRow, Rank, Solve, for_all_pairs
from collision.shape import Shape
from collision.vec3 import Vec3, along, dot, largest, load, scale, store, sub

#: After so many steps, each as long as is certain, shapes that are no farther apart than `NEAR` of the way of their
#: fastest point count as touching. Almost all searches end within twenty.
PATIENCE = 1000
NEAR = 1e-9

#: After so many a search ends.
STEPS = 10_000


def turning_search(engine: Engine, normal: Callable[..., Vec3]) -> Callable[..., Any]:
    """Return the kernel that finds the first touch of two bodies from time 0 to time 1."""
    moment, limits, _ = engine
    advance = _advance(engine)

    @kernel
    def search(a: Body, b: Body, radius: float, size: float) -> tuple[float, Moment, Vec3, int]:
        """Return the time of the first touch (NaN for a miss), the moment then, the normal, and how many steps."""
        time, before, count = 0.0, Vec3(0.0, 0.0, 0.0), 0
        now = moment(a, b, time)
        bounds = limits(a, b, now, time, 1.0)
        for count in range(STEPS):
            near = TOUCH * size if count < PATIENCE else max(TOUCH * size, NEAR * least_speed(bounds))
            gap = now.s.distance - radius
            if gap <= near:
                break
            if time == 1.0:
                return math.nan, now, before, count
            after, then = advance(a, b, now, bounds, time, radius, -TOUCH * size)
            if after == time:
                break
            now, before, time = then, now.s.normal, after
        return time, now, normal(now, before, size), count

    return search


def _advance(engine: Engine) -> Callable[..., Any]:
    moment, _, step = engine

    @kernel
    def advance(
        a: Body, b: Body, now: Moment, limits: Limits, time: float, radius: float, deep: float
    ) -> tuple[float, Moment]:
        """Return a time up to which two bodies are certain not to touch, and the moment then."""
        gap = now.s.distance - radius
        sure, aim = time + step(a, b, now, limits, gap, 1.0 - time), slope_of(now)
        aim = min(time - gap / aim, 1.0) if aim < 0.0 else 1.0
        if sure < aim:
            then = moment(a, b, aim)
            other = then.s.distance - radius
            if other < deep:  # too far: the secant is on the other side of the touch, where Newton's tangent is not
                aim = time + (aim - time) * (gap / (gap - other))
                then = moment(a, b, aim)
                other = then.s.distance - radius
            if aim > sure and other >= deep and leapt(a, b, now, then, time, aim, limits, Vec3(gap, other, 0.0)):
                return aim, then
        sure = min(sure, 1.0)
        return sure, moment(a, b, sure)

    return advance


def _normal(row_a: CoreRow, row_b: CoreRow) -> Callable[..., Vec3]:
    gain_a, gain_b = row_a.turning.gain, row_b.turning.gain

    @kernel
    def missing(now: Moment, n: Vec3) -> float:
        """Return how much room is missing along a direction, which is none along a normal of the touch."""
        a, b, still = now.core_a, now.core_b, Vec3(0.0, 0.0, 0.0)
        return gain_a(a, False, now.s.on_a, n, still, still) + gain_b(
            b, False, now.s.on_b, scale(n, -1.0), still, still
        )

    @kernel
    def normal(now: Moment, before: Vec3, size: float) -> Vec3:
        """Return the normal of a touch; `before` is the one a step before, or zero at the start.

        Of cores without thickness the gap has no direction any more, and may come out on the other side.
        """
        n = now.s.normal
        if largest(before) == 0.0 or now.s.distance > THIN * size:
            return n
        back = scale(n, -1.0)
        if largest(sub(n, before)) > ALIKE and missing(now, back) <= TOUCH * size:
            v = sub(velocity_at(now.twist_a, now.s.on_b), velocity_at(now.twist_b, now.s.on_b))
            return n if dot(n, v) >= 0.0 else back
        return n

    return normal


@kernel
def _chain(numbers: Any, rows: Ints, i: int) -> Chain:
    """Return the chain of one link that is number i; of none where its row is less than zero."""
    return Chain(numbers, rows, i, i + 1 if rows[i] >= 0 else i)


@kernel
def _reach(chain: Chain) -> float:
    """Return the largest coordinate of where a chain of one link starts."""
    size = 0.0
    for i in range(chain.first, chain.last):
        k = LINK * chain.rows[i]
        size = max(size, largest(load(chain.numbers, k + CENTER)), largest(load(chain.numbers, k + OFFSET)))
    return size


def _turning_loop(name: str, solve: Solve, a: CoreRow, b: CoreRow) -> Loop:
    return Loop(f"turning_{name}", _turning_sweep(solve, a, b), (*PAIRS, INT, INT))


def _turning_sweep(solve: Solve, a: CoreRow, b: CoreRow) -> Callable[..., None]:
    """Return the loop over pairs of two cores with radii, each moved by one link or resting."""
    read_a, size_a, read_b, size_b = a.read, a.size, b.read, b.size
    search = turning_search(engine(solve, a, b), _normal(a, b))

    def loop(
        first: int, last: int, indexed: int, ta: Table, sa: Ints, ia: Ints, tb: Table, sb: Ints, ib: Ints,
        links: Table, rows: Ints, out: Table, upright_a: int, upright_b: int,
    ) -> None:  # fmt: skip
        fraction, point, normal, steps = out[0], out[1], out[2], out[3]
        for k in range(first, last):
            i, j = (ia[k], ib[k]) if indexed else (k, k)
            core_a, radius_a = read_a(ta, sa, i)
            core_b, radius_b = read_b(tb, sb, j)
            chain_a, chain_b = _chain(links[0], rows, 2 * k), _chain(links[0], rows, 2 * k + 1)
            up_a, up_b = upright_a != 0, upright_b != 0
            body_a = Body(core_a, up_a, up_a and turns(chain_a), chain_a)
            body_b = Body(core_b, up_b, up_b and turns(chain_b), chain_b)
            radius = radius_a + radius_b
            size = max(size_a(core_a), size_b(core_b), radius, _reach(chain_a), _reach(chain_b))
            time, now, facing, count = search(body_a, body_b, radius, size)
            hit, nowhere = time >= 0.0, Vec3(math.nan, math.nan, math.nan)
            fraction[k], steps[k] = time, count
            store(point, 3 * k, along(now.s.on_b, -radius_b, now.s.normal) if hit else nowhere)
            store(normal, 3 * k, facing if hit else nowhere)

    return loop


#: The loops for two cores by their ranks.
LOOPS: dict[tuple[int, int], Loop] = for_all_pairs(_turning_loop, ASKED)


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
    if _shape(a).rank > _shape(b).rank:
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
    upright = (first.rank == Rank.ALIGNED, second.rank == Rank.ALIGNED)
    run = LOOPS[first.rank, second.rank].run
    in_parts(lambda start, end: run(start, end, True, *operands, *given, *upright), len(rows), _FEW)
    return fraction, point, normal, steps


def _shape(one: Shape | Course) -> Shape:
    return one.shape if isinstance(one, Course) else one
