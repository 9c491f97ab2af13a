"""Two bodies that chains of links turn and move: when they first touch, all intervals, and how near they come.

**All intervals**: a pair is followed from the start. How far apart its shapes are, or how deep in each other, changes
no faster than their points move against each other: for a while after each time they certainly touch on, or stay apart.
So long is each step, or as long as the resolution asked for, if that is longer. A change between two steps is bisected.
Over a piece of time in which nothing turns out of its place the distance is a convex function of time; there the first
and the last touch are found as those of straight sweeps are.

One loop answers all three questions, for cores of any kind: what they have in common is compiled once.
"""

import math
from typing import NamedTuple

from collision.kernels.chains import (
    Chain,
    joint_at,
    largest_start,
    put_in_force,
    turns,
    velocity_at,
)
from collision.kernels.core import (
    CORES,
    ROW,
    AnyCore,
    CoreMemory,
    core_in,
    farthest,
    gain,
    is_upright,
    size,
)
from collision.kernels.cores import ROUNDING, TOUCH
from collision.kernels.motion_bounds import (
    Body,
    Moment,
    MotionLimits,
    SweptBox,
    leapt,
    least_speed,
    limits,
    moment,
    range_between,
    slope_of,
    step,
    swept,
    united,
)
from collision.kernels.straight import ALIKE, THIN, search_any
from collision.kernels.vec3 import Vec3, add, along, dot, largest, norm, scale, store, sub
from collision.native import FLOATS, INT, INT_TABLE, INTS, TABLE, Floats, Ints, IntTable, Loop, Table, kernel

#: After so many certain steps, shapes count as touching that are no farther apart than `NEAR_TOUCH` of the way of their
#: fastest point. Almost all searches end within twenty. After `MAX_STEPS` a search ends.
PATIENT_STEPS, MAX_STEPS = 1000, 10_000
NEAR_TOUCH = 1e-9

#: What turns counts as going straight if its turning moves it by less than this part of its slack.
_IN_PLACE = 0.125

#: What the loop can be asked for: the first touch, all intervals, the range of the distance between two times.
FIRST_TOUCH, INTERVALS, RANGE = 0, 1, 2


class IntervalSearch(NamedTuple):
    """What intervals are searched for.

    The time; how long a touch or a gap may be that is missed; how near to a change its time is found; how far apart
    intervals are that become one; the margin within which shapes count as touching.
    """

    start: float
    stop: float
    resolution: float
    exact: float
    gap: float
    margin: float


class Spans(NamedTuple):
    """Where the intervals of a pair go: when they begin and end, the first index, and how many there is memory for."""

    begin: Floats
    end: Floats
    first: int
    capacity: int


class TouchChange(NamedTuple):
    """When something changes: no earlier than the one time, no later than the other."""

    low: float
    high: float


# -- the first touch ------------------------------------------------------------------------------------------------


@kernel
def search(a: Body, b: Body, radius: float, extent: float) -> tuple[float, Moment, Vec3, int]:
    """Return the time of the first touch (NaN for a miss), the moment then, the normal, and how many steps."""
    time, before, count = 0.0, Vec3(0.0, 0.0, 0.0), 0
    now = moment(a, b, time, 0)
    bounds = limits(a, b, now, time, 1.0)
    for count in range(MAX_STEPS):
        near = TOUCH * extent if count < PATIENT_STEPS else max(TOUCH * extent, NEAR_TOUCH * least_speed(bounds))
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
    a: Body, b: Body, now: Moment, bounds: MotionLimits, time: float, radius: float, deep: float
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
def _overlap_along(now: Moment, n: Vec3) -> float:
    """Return by how much two bodies overlap along a direction: not at all along a normal of the touch."""
    a, b, still = now.core_a, now.core_b, Vec3(0.0, 0.0, 0.0)
    return gain(a, False, now.s.on_a, n, still, still) + gain(b, False, now.s.on_b, scale(n, -1.0), still, still)


@kernel
def _normal(now: Moment, before: Vec3, extent: float) -> Vec3:
    """Return the normal of a touch, or `before` of cores without thickness, whose gap may be on the other side."""
    n = now.s.normal
    if largest(before) == 0.0 or now.s.distance > THIN * extent:
        return n
    back = scale(n, -1.0)
    if largest(sub(n, before)) > ALIKE and _overlap_along(now, back) <= TOUCH * extent:
        v = sub(velocity_at(now.twist_a, now.s.on_b), velocity_at(now.twist_b, now.s.on_b))
        return n if dot(n, v) >= 0.0 else back
    return n


@kernel
def extent_of(body: Body) -> float:
    """Return the largest number that a body and where it starts are given by."""
    return max(size(body.core), largest_start(body.chain))


# -- all intervals --------------------------------------------------------------------------------------------------


@kernel
def noted(spans: Spans, count: int, begin: float, end: float, gap: float) -> int:
    """Add an interval, or lengthen the latest if that ended no longer than a gap before; return how many there are."""
    latest = spans.first + min(count, spans.capacity) - 1
    if count > 0 and begin <= spans.end[latest] + gap:
        spans.end[latest] = max(spans.end[latest], end)
        return count
    index = spans.first + min(count, spans.capacity - 1)
    spans.begin[index], spans.end[index] = begin, end
    return count + 1


@kernel
def _swing(core: AnyCore, body: Body, time: float, left: float) -> float:
    """Return how far the turning of a body's links takes its points at most, in the time that is left."""
    far, fast = 0.0, 0.0
    for i in range(body.chain.first, body.chain.last):
        joint = joint_at(body.chain, i, time)
        if joint.rate != 0.0:
            speed = joint.rate * (farthest(core, body.grows, joint.at, joint.axis) + fast * left)
            far, fast = far + speed * left, fast + speed
        fast += joint.speed
    return far


@kernel
def _change(
    now: Moment, a: Body, b: Body, radius: float, touched: bool, low: float, high: float, exact: float
) -> TouchChange:  # fmt: skip
    """Return two times near each other, between which two bodies begin or cease to touch.

    They are not asked at `low` itself, which may be the very end of a step, where rounding decides.
    """
    other = 1 - now.number
    while high - low > exact:
        middle = 0.5 * low + 0.5 * high
        if middle <= low or middle >= high:  # there is no number left between
            break
        if (moment(a, b, middle, other).s.distance <= radius) == touched:
            low = middle
        else:
            high = middle
    return TouchChange(low, high)


@kernel
def _sure(a: Body, b: Body, now: Moment, bounds: MotionLimits, gap: float, left: float) -> float:
    """Return for how long two bodies certainly go on to touch, or not to, as they do now."""
    fastest = least_speed(bounds)
    if fastest * left < abs(gap):
        return left
    if gap > 0.0:
        return step(a, b, now, bounds, gap, left)
    return -gap / fastest if fastest < math.inf else 0.0


@kernel
def _walk(
    a: Body, b: Body, now: Moment, bounds: MotionLimits, radius: float,
    time: float, until: float, asked: IntervalSearch, spans: Spans, count: int,
) -> int:  # fmt: skip
    """Note the intervals of a piece of time; return how many there are then."""
    gap = now.s.distance - radius
    while time < until:
        safe = time + _sure(a, b, now, bounds, gap, until - time)
        after = min(max(safe, time + asked.resolution), until)
        now = moment(a, b, after, now.number)
        before, gap = gap, now.s.distance - radius
        if (before <= 0.0) == (gap <= 0.0):
            count = noted(spans, count, time, after, asked.gap) if gap <= 0.0 else count
        else:
            low, high = _change(now, a, b, radius, before <= 0.0, min(safe, after), after, asked.exact)
            begin, end = (high, after) if gap <= 0.0 else (time, low)
            count = noted(spans, count, begin, end, asked.gap)
        time = after
    return count


@kernel
def _glide(
    now: Moment, then: Moment, radius: float, extent: float,
    time: float, until: float, asked: IntervalSearch, spans: Spans, count: int,
) -> int:  # fmt: skip
    """Note the interval of a piece of time in which two bodies go straight; return how many there are then."""
    own, other = velocity_at(now.twist_a, now.s.on_a), velocity_at(now.twist_b, now.s.on_b)
    way = scale(sub(own, other), until - time)
    forth, _, _ = search_any(now.core_a, now.core_b, radius, way, extent)
    back, _, _ = search_any(then.core_a, then.core_b, radius, scale(way, -1.0), extent)
    if not (forth >= 0.0 or back >= 0.0):
        return count
    begin, end = time + forth * (until - time), until - back * (until - time)
    # Where shapes graze, rounding may hide the touch from one side, or turn its ends around.
    begin, end = begin if forth >= 0.0 else end, end if back >= 0.0 else begin
    return noted(spans, count, min(begin, end), max(begin, end), asked.gap)


@kernel
def _piece(
    a: Body, b: Body, radius: float, slack: float,
    time: float, until: float, asked: IntervalSearch, spans: Spans, count: int,
) -> int:  # fmt: skip
    """Note the intervals of a piece of time, over which no link has a keyframe; return how many there are then."""
    left, near = until - time, radius + asked.margin
    now = moment(a, b, time, 0)
    if a.chain.first == a.chain.last and b.chain.first == b.chain.last:  # neither moves
        hair = TOUCH * max(size(now.core_a), size(now.core_b), near)
        return noted(spans, count, time, until, asked.gap) if now.s.distance - near <= hair else count
    if turns(a.chain) or turns(b.chain):
        near += slack
        # Parallel lines are nearest at points so far off that the velocity there is rounded by as much.
        spin = norm(sub(now.twist_a.spin, now.twist_b.spin))
        swung = _swing(now.core_a, a, time, left) + _swing(now.core_b, b, time, left)
        rounded = ROUNDING * spin * left * max(largest(now.s.on_a), largest(now.s.on_b))
        if swung + rounded > _IN_PLACE * slack:
            bounds = limits(a, b, now, time, left)
            return _walk(a, b, now, bounds, near, time, until, asked, spans, count)
    extent = max(size(now.core_a), size(now.core_b), near)
    return _glide(now, moment(a, b, until, 1), near, extent, time, until, asked, spans, count)


# -- the loops -----------------------------------------------------------------------------------------------------


@kernel
def _body(cores: CoreMemory, i: int, chain: Chain, scratch: Floats, row: int) -> Body:
    """Return the body of core i, which is copied to a row of a search, moved by the links of a chain in force."""
    core = core_in(cores.types[i], scratch, row, cores.corners)
    for k in range(ROW):
        scratch[core.at + k] = cores.rows[ROW * i + k]
    keeps = is_upright(cores.types[i])
    return Body(core, keeps, keeps and turns(chain), chain)


@kernel
def _in_force(body: Body, time: float) -> tuple[Body, float]:
    """Return a body with the links that are in force at a time, and until when they are."""
    until = put_in_force(body.chain, time)
    return Body(body.core, body.upright, body.upright and turns(body.chain), body.chain), until


@kernel
def _first_touch(a: Body, b: Body, radius_a: float, radius_b: float, out: Table, k: int) -> None:
    """Fill in the first touch of pair k from time 0 to 1: fraction, point, normal, and how many steps it took."""
    radius = radius_a + radius_b
    extent = max(extent_of(a), extent_of(b), radius)
    time, now, facing, count = search(a, b, radius, extent)
    hit, nowhere = time >= 0.0, Vec3(math.nan, math.nan, math.nan)
    out[0][k], out[3][k] = time, count
    store(out[1], 3 * k, along(now.s.on_b, -radius_b, now.s.normal) if hit else nowhere)
    store(out[2], 3 * k, facing if hit else nowhere)


@kernel
def _intervals(a: Body, b: Body, radius: float, slack: float, asked: IntervalSearch, spans: Spans) -> int:
    """Note the intervals of a pair; return how many there are."""
    count, time = 0, asked.start
    while time < asked.stop:
        a, until_a = _in_force(a, time)
        b, until_b = _in_force(b, time)
        until = min(asked.stop, until_a, until_b)
        count = _piece(a, b, radius, slack, time, until, asked, spans, count)
        time = until
    return count


@kernel
def _range(a: Body, b: Body, radius: float, start: float, stop: float, out: Table, k: int) -> None:
    """Fill in the distances of pair k at two times without a keyframe between, bounds, and when to look next."""
    a, _ = _in_force(a, start)
    b, _ = _in_force(b, start)
    now, then = moment(a, b, start, 0), moment(a, b, stop, 1)
    found = range_between(a, b, now, then, limits(a, b, now, start, stop - start), radius, start, stop)
    out[0][k], out[1][k] = now.s.distance - radius, then.s.distance - radius
    out[2][k], out[3][k], out[4][k] = found.least, found.most, found.cut
    out[5][k] = max(size(now.core_a), size(now.core_b), radius)
    store(out[6], 3 * k, now.s.normal)


def _over_time(
    first: int, last: int, task: int, types: Ints, rows: Floats, radii: Floats, corners: Floats, elements: Ints,
    numbers: Table, indices: IntTable, out: Table, scratch: Floats,
) -> None:  # fmt: skip
    """Answer pairs of cores with radii, that of the lower type first, each moved by a chain of links.

    `numbers` are those of the links, when to start and to stop for each pair, its slack, and the settings of a search
    for intervals. `indices` are the rows of the links of all chains, and where those of A and of B of each pair begin;
    then where the intervals of each pair go, and how many it has.
    """
    cores, links, ends = CoreMemory(types, rows, radii, corners), numbers[0], indices[1]
    for k in range(first, last):
        i, j = elements[2 * k], elements[2 * k + 1]
        a = _body(cores, i, Chain(links, indices[0], ends[2 * k], ends[2 * k + 1]), scratch, 0)
        b = _body(cores, j, Chain(links, indices[0], ends[2 * k + 1], ends[2 * k + 2]), scratch, 1)
        if task == FIRST_TOUCH:
            _first_touch(a, b, radii[i], radii[j], out, k)
        elif task == INTERVALS:
            starts, counts, s = indices[2], indices[3], numbers[4]
            spans = Spans(out[0], out[1], starts[k], starts[k + 1] - starts[k])
            asked = IntervalSearch(s[0], s[1], s[2], s[3], s[4], s[5])
            counts[k] = _intervals(a, b, radii[i] + radii[j], numbers[3][k], asked, spans)
        else:
            _range(a, b, radii[i] + radii[j], numbers[1][k], numbers[2][k], out, k)


LOOP = Loop("over_time", _over_time, (INT, INT, INT, *CORES, INTS, TABLE, INT_TABLE, TABLE, FLOATS))


@kernel
def _swept_box(body: Body, start: float, stop: float, parts: int) -> SweptBox:
    """Return the box around all positions of a body; where it turns, time without keyframes is cut into parts."""
    nothing, time = Vec3(math.inf, math.inf, math.inf), start
    found = SweptBox(nothing, scale(nothing, -1.0), 0.0)
    while True:
        body, until = _in_force(body, time)
        until = min(until, stop)
        count = parts if turns(body.chain) else 1
        for i in range(count):
            first = time + (until - time) * (i / count)
            last = time + (until - time) * ((i + 1) / count)
            found = united(found, swept(body, first, last))
        if not until < stop:
            return found
        time = until


def _swept_boxes(
    first: int, last: int, parts: int, types: Ints, rows: Floats, radii: Floats, corners: Floats, elements: Ints,
    numbers: Table, indices: IntTable, out: Table, scratch: Floats,
) -> None:  # fmt: skip
    """Fill in the corners of the boxes around all positions of cores with radii, and bounds on their points' speeds."""
    cores, ends = CoreMemory(types, rows, radii, corners), indices[1]
    for k in range(first, last):
        i = elements[k]
        body = _body(cores, i, Chain(numbers[0], indices[0], ends[k], ends[k + 1]), scratch, 0)
        found, radius = _swept_box(body, numbers[1][k], numbers[2][k], parts), radii[i]
        store(out[0], 3 * k, sub(found.lower, Vec3(radius, radius, radius)))
        store(out[1], 3 * k, add(found.upper, Vec3(radius, radius, radius)))
        out[2][k] = found.speed


SWEPT_BOXES = Loop("swept_boxes", _swept_boxes, (INT, INT, INT, *CORES, INTS, TABLE, INT_TABLE, TABLE, FLOATS))
