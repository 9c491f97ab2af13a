"""When two shapes touch that chains of links turn and move: all intervals, one after the other.

A pair is followed from the start. How far apart its shapes are, or how deep in each other, changes no faster than their
points move against each other: for a while after each time that is looked at they certainly touch on, or stay apart. So
long is each step, or as long as the resolution asked for, if that is longer. Where they touch after a step and did not
before, or the other way round, the change is bisected.

Over a piece of time in which nothing turns out of its place, as in the case of a ball that rolls, the distance is a
convex function of time. There the first and the last touch are found as those of straight sweeps are.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from collision.base.fields import FloatArray, IntArray
from collision.kernels.chains import LENGTH, LINK, START, Chain, joint_at, turns, velocity_at
from collision.kernels.core import (
    ROW,
    SEARCH_ROWS,
    AnyCore,
    core_in,
    farthest,
    is_upright,
    moved_in_search,
    read,
    separate,
    size,
)
from collision.kernels.cores import ROUNDING
from collision.kernels.steps import Body, Limits, Moment, least_speed, limits, moment, step
from collision.kernels.straight import straight_search
from collision.kernels.vec3 import largest, norm, scale, sub
from collision.native import (
    ADDRESSES,
    FLOATS,
    INT,
    INT_TABLE,
    INTS,
    TABLE,
    Floats,
    Ints,
    IntTable,
    Loop,
    Table,
    address,
    in_parts,
    kernel,
    table,
)
from collision.shapes.shape import Shape

#: So many intervals of a pair have room at first. Of the few pairs that have more they are counted, and found again.
_ROOM = 4

#: The pairs that are worth a thread of their own, and those that are done in one go, which bounds the memory.
_FEW, _MANY = 64, 1 << 16

#: What turns counts as going straight if its turning moves it by less than this part of its slack.
_IN_PLACE = 0.125


class Asked(NamedTuple):
    """What is asked for.

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
    """Where the intervals of a pair go: when they begin and end, the first place, and how many places there are."""

    begin: Floats
    end: Floats
    first: int
    room: int


class Change(NamedTuple):
    """When something changes: no earlier than the one time, no later than the other."""

    low: float
    high: float


@kernel
def noted(spans: Spans, count: int, begin: float, end: float, gap: float) -> int:
    """Add an interval, or lengthen the latest if that ended no longer than a gap before; return how many there are.

    If there are more of them than places, the last place is that of the latest.
    """
    latest = spans.first + min(count, spans.room) - 1
    if count > 0 and begin <= spans.end[latest] + gap:
        spans.end[latest] = max(spans.end[latest], end)
        return count
    place = spans.first + min(count, spans.room - 1)
    spans.begin[place], spans.end[place] = begin, end
    return count + 1


@kernel
def put_in_force(chain: Chain, time: float) -> float:
    """Take each link of a chain to the one of its motion that holds at a time; return until when all of them do.

    The links of a motion follow each other in memory, the last has no end.
    """
    n, until = chain.numbers, math.inf
    for i in range(chain.first, chain.last):
        k = LINK * chain.rows[i]
        while n[k + LENGTH] < math.inf and n[k + LINK + START] <= time:
            k += LINK
        chain.rows[i] = k // LINK
        if n[k + LENGTH] < math.inf:
            until = min(until, n[k + LINK + START])
    return until


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
) -> Change:  # fmt: skip
    """Return two times near each other, between which two bodies begin or cease to touch.

    `touched` tells whether they touch up to `low`. They are not asked at `low` itself: a step that is certain to pass
    no touch may end at one, and rounding decides which side of it that is. A moment that is still asked for keeps its
    place.
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
    return Change(low, high)


@kernel
def _sure(a: Body, b: Body, now: Moment, bounds: Limits, gap: float, left: float) -> float:
    """Return for how long two bodies certainly go on to touch, or not to, as they do now."""
    fastest = least_speed(bounds)
    if fastest * left < abs(gap):
        return left
    if gap > 0.0:
        return step(a, b, now, bounds, gap, left)
    return -gap / fastest if fastest < math.inf else 0.0


@kernel
def _walk(
    a: Body, b: Body, now: Moment, bounds: Limits, radius: float,
    time: float, until: float, asked: Asked, spans: Spans, count: int,
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


_search = straight_search(separate, moved_in_search)


@kernel
def _glide(
    now: Moment, then: Moment, radius: float, extent: float,
    time: float, until: float, asked: Asked, spans: Spans, count: int,
) -> int:  # fmt: skip
    """Note the interval of a piece of time in which two bodies go straight; return how many there are then."""
    own, other = velocity_at(now.twist_a, now.s.on_a), velocity_at(now.twist_b, now.s.on_b)
    way = scale(sub(own, other), until - time)
    forth, _, _ = _search(now.core_a, now.core_b, radius, way, extent)
    back, _, _ = _search(then.core_a, then.core_b, radius, scale(way, -1.0), extent)
    if not (forth >= 0.0 or back >= 0.0):
        return count
    begin, end = time + forth * (until - time), until - back * (until - time)
    # Where shapes graze, rounding may hide the touch from one side, or turn its ends around.
    begin, end = begin if forth >= 0.0 else end, end if back >= 0.0 else begin
    return noted(spans, count, min(begin, end), max(begin, end), asked.gap)


@kernel
def _piece(
    a: Body, b: Body, radius: float, slack: float,
    time: float, until: float, asked: Asked, spans: Spans, count: int,
) -> int:  # fmt: skip
    """Note the intervals of a piece of time, over which no link has a keyframe; return how many there are then."""
    left, near = until - time, radius + asked.margin
    now = moment(a, b, time, 0)
    if turns(a.chain) or turns(b.chain):
        near += slack
        # Parallel lines are nearest at places so far off that the velocity there is rounded by as much.
        spin = norm(sub(now.twist_a.spin, now.twist_b.spin))
        swung = _swing(now.core_a, a, time, left) + _swing(now.core_b, b, time, left)
        rounded = ROUNDING * spin * left * max(largest(now.s.on_a), largest(now.s.on_b))
        if swung + rounded > _IN_PLACE * slack:
            bounds = limits(a, b, now, time, left)
            return _walk(a, b, now, bounds, near, time, until, asked, spans, count)
    extent = max(size(now.core_a), size(now.core_b), near)
    return _glide(now, moment(a, b, until, 1), near, extent, time, until, asked, spans, count)


def _touching(
    first: int, last: int, ta: Table, sa: Ints, ia: Ints, rank_a: int, tb: Table, sb: Ints, ib: Ints,
    rank_b: int, asked_for: Floats, numbers: Table, indices: IntTable, out: Table, memory: Floats,
    corners: Floats,
) -> None:  # fmt: skip
    """Follow pairs of two cores with radii, each moved by a chain."""
    rows, ends, places, counts = indices[0], indices[1], indices[2], indices[3]
    asked = Asked(asked_for[0], asked_for[1], asked_for[2], asked_for[3], asked_for[4], asked_for[5])
    core_a, core_b = core_in(rank_a, memory, 0, corners), core_in(rank_b, memory, 1, corners)
    up_a, up_b = is_upright(rank_a), is_upright(rank_b)
    for k in range(first, last):
        radius = read(core_a, ta, sa, ia[k]) + read(core_b, tb, sb, ib[k])
        chain_a = Chain(numbers[0], rows, ends[2 * k], ends[2 * k + 1])
        chain_b = Chain(numbers[0], rows, ends[2 * k + 1], ends[2 * k + 2])
        spans = Spans(out[0], out[1], places[k], places[k + 1] - places[k])
        count, time = 0, asked.start
        while time < asked.stop:
            until = min(asked.stop, put_in_force(chain_a, time), put_in_force(chain_b, time))
            a = Body(core_a, up_a, up_a and turns(chain_a), chain_a)
            b = Body(core_b, up_b, up_b and turns(chain_b), chain_b)
            count = _piece(a, b, radius, numbers[1][k], time, until, asked, spans, count)
            time = until
        counts[k] = count


_ARGUMENTS = (INT, INT, TABLE, INTS, INTS, INT, TABLE, INTS, INTS, INT, FLOATS, TABLE, INT_TABLE, TABLE, FLOATS, FLOATS)

#: The loop for two cores of any kind, that of the lower rank first.
LOOP = Loop("touching", _touching, _ARGUMENTS)


class Linked(NamedTuple):
    """Elements of a batch of shapes, and the chains of links that move them.

    Attributes
    ----------
    shape : Shape
        A flat batch.
    elements : ndarray of int, shape (k,)
        Of the batch.
    links : ndarray of int, shape (l,)
        For each link of each element in turn, innermost first, which is the first link of its motion.
    counts : ndarray of int, shape (k,)
        How many links each has.
    """

    shape: Shape
    elements: IntArray
    links: IntArray
    counts: IntArray

    def part(self, rows: IntArray) -> Linked:
        """Return some of them."""
        ends = np.cumsum(self.counts)
        own = np.repeat((ends - self.counts)[rows], self.counts[rows])
        return Linked(self.shape, self.elements[rows], self.links[own + _within(self.counts[rows])], self.counts[rows])


def _within(counts: IntArray) -> IntArray:
    """Return the numbers from zero to each count in turn."""
    return np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)


def touching_spans(
    a: Linked, b: Linked, numbers: FloatArray, slack: FloatArray, asked: Asked
) -> tuple[IntArray, FloatArray, FloatArray]:
    """Return when pairs touch: the rows of the pairs, in order, and when each interval begins and ends.

    Parameters
    ----------
    a, b : Linked
        As many of each, those of the lower rank first.
    numbers : ndarray, shape (l, LINK)
        The links of all motions.
    slack : ndarray, shape (k,)
        How far apart shapes of each pair may be and still touch while something turns.
    asked : Asked
        What is asked for.
    """
    found = []
    for first in range(0, len(slack), _MANY):
        rows = np.arange(first, min(first + _MANY, len(slack)))
        room = np.full(len(rows), _ROOM)
        while len(rows):
            places = np.cumsum([0, *room])
            counts, begin, end = _filled(a.part(rows), b.part(rows), numbers, slack[rows], asked, places)
            done = counts <= room
            kept = np.where(done, counts, 0)
            index = np.repeat(places[:-1], kept) + _within(kept)
            found.append((np.repeat(rows, kept), begin[index], end[index]))
            rows, room = rows[~done], counts[~done]
    if not found:
        return np.zeros(0, dtype=np.intp), np.zeros(0), np.zeros(0)
    which, begin, end = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return which, begin, end


def _filled(
    a: Linked, b: Linked, numbers: FloatArray, slack: FloatArray, asked: Asked, places: IntArray
) -> tuple[IntArray, FloatArray, FloatArray]:
    """Return how many intervals pairs have, and those for which there are places."""
    lengths = np.stack([a.counts, b.counts], axis=1)
    ends = np.cumsum([0, *lengths.ravel()])
    rows = np.empty(ends[-1], dtype=np.int64)
    for k, one in enumerate((a, b)):
        rows[np.repeat(ends[k:-1:2], one.counts) + _within(one.counts)] = one.links
    counts = np.empty(len(slack), dtype=np.int64)
    begin, end = np.empty((2, places[-1]))
    sides: list[object] = []
    picked = [np.ascontiguousarray(one.elements, dtype=np.int64) for one in (a, b)]
    for one, index in zip((a, b), picked, strict=True):
        operands = one.shape.operands
        sides += [operands.table, operands.strides, address(index), one.shape.core_type]
    given = (
        np.array(asked),
        table([numbers, slack]),
        ADDRESSES[4](*map(address, (rows, ends, places, counts))),
        table([begin, end]),
    )

    def part(first: int, last: int) -> None:
        memory = np.empty(ROW * SEARCH_ROWS)
        LOOP.run(first, last, *sides, address(given[0]), *given[1:], address(memory), None)

    in_parts(part, len(slack), _FEW)
    return counts, begin, end
