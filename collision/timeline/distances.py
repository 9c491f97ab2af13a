"""How near pairs of a moving scene come to each other, and when: branch and bound over pieces of time."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from collision.base.fields import BoolArray, FloatArray, IntArray
from collision.queries.moving import Ranges
from collision.timeline.moving import MovingElements

#: Distances are found to this part of the size of the pair.
EXACT = 1e-9

#: So many pieces of time of pairs are looked at, at most, before the search for the least distance of each ends with
#: what is known; and before that for what is made of the distances of all pairs does.
_MAX_LEAST, _MAX_REDUCED = 800_000, 400_000

#: Into so many pieces time is cut where nothing bounds the motion: a guess, and one that is said to be one.
_SAMPLES = 256

#: Pieces that are cut in one go, which bounds the memory.
_PIECES_AT_ONCE = 8192

#: Pieces are not cut nearer to their ends than this part of them.
_MIN_CUT = 0.1


class TimedPairs:
    """Pairs of elements (k, 2) of a scene that moves, none of them hidden, over a time."""

    def __init__(self, moving: MovingElements, pairs: IntArray, start: float, stop: float) -> None:
        self._moving, self._pairs = moving, moving.row_of[pairs]
        self._sides = moving.pairs(self._pairs)
        self.start, self.stop = start, stop

    def __len__(self) -> int:
        return len(self._pairs)

    def pieces(self) -> tuple[IntArray, FloatArray, FloatArray]:
        """Return pieces of the time without keyframes: of which pair each is, and when it begins and ends."""
        return self._moving.pieces(self._pairs, self.start, self.stop)

    def ranges(self, rows: IntArray, start: FloatArray, stop: FloatArray) -> Ranges:
        """Return the distances of pairs at the ends of such a piece each, or of a part of one, and bounds between."""
        a, b = self._sides
        return self._moving.cores.ranges(a.rows(rows), b.rows(rows), start, stop)


class Least(NamedTuple):
    """The least signed distance of each of some pairs, when, its normal, and a bound from below, at worst infinite."""

    gap: FloatArray
    time: FloatArray
    bound: FloatArray
    size: FloatArray
    normal: FloatArray


class _Pieces(NamedTuple):
    """Pieces of time of pairs: bounds on the distance from below, and at which part of each to look next."""

    row: IntArray
    start: FloatArray
    stop: FloatArray
    least: FloatArray
    cut: FloatArray

    def rows(self, index: IntArray | BoolArray) -> _Pieces:
        """Return some of them."""
        return _Pieces._make(part[index] for part in self)


class LeastSearch:
    """The search for the least distance of each of some pairs.

    Pairs that come no nearer than `level` are told apart from the nearest of all only as far as is needed for that;
    what comes no nearer than that and `best`, which is known of another pair, is let be.
    """

    def __init__(self, pairs: TimedPairs, level: float = -np.inf, best: float = np.inf) -> None:
        self._pairs, self._level, self._known = pairs, level, best
        count = len(pairs)
        self._gap, self._time, self._bound = np.full(count, np.inf), np.full(count, pairs.start), np.full(count, np.inf)
        self._size, self._looked = np.zeros(count), 0

    def found(self) -> Least:
        """Return what is found."""
        waiting = self._looked_at(*self._pairs.pieces())
        while True:
            open_ = self._open(waiting)
            self._close(waiting.rows(~open_))
            waiting = waiting.rows(open_)
            if not len(waiting.row) or self._looked > _MAX_LEAST:
                self._close(waiting)
                now = self._pairs.ranges(np.arange(len(self._pairs)), self._time, self._time)
                return Least(now.first, self._time, np.minimum(self._bound, now.first), self._size, now.normal)
            order = np.argsort(waiting.least, kind="stable")
            first, rest = waiting.rows(order[:_PIECES_AT_ONCE]), waiting.rows(order[_PIECES_AT_ONCE:])
            parts = rest, *self._halves(first)
            waiting = _Pieces._make(map(np.concatenate, zip(*parts, strict=True)))

    def _open(self, pieces: _Pieces) -> BoolArray:
        """Tell which pieces may have less than was found."""
        best = np.fmin.reduce(self._gap, initial=self._known)
        limit = np.minimum(self._gap, max(best, self._level))[pieces.row]
        far = (pieces.least >= limit - EXACT * self._size[pieces.row]) | np.isnan(limit)  # what is no number stays none
        middle = 0.5 * pieces.start + 0.5 * pieces.stop
        # Where nothing bounds the motion, more pieces tell no more.
        short = pieces.stop - pieces.start < (self._pairs.stop - self._pairs.start) / _SAMPLES
        done = far | (short & np.isinf(pieces.least))
        return np.asarray(~done & (pieces.start < middle) & (middle < pieces.stop))

    def _close(self, pieces: _Pieces) -> None:
        """Be done with pieces: nothing in them is less than they say."""
        np.minimum.at(self._bound, pieces.row, pieces.least)

    def _looked_at(self, row: IntArray, start: FloatArray, stop: FloatArray) -> _Pieces:
        """Return pieces with what bounds the distances in them, and remember when pairs are nearest."""
        found = self._pairs.ranges(row, start, stop)
        self._looked += len(row)
        np.maximum.at(self._size, row, found.size)
        rows, times = np.concatenate([row, row]), np.concatenate([start, stop])
        gaps = np.concatenate([found.first, found.last])
        order = np.lexsort((times, gaps, rows))
        firsts = order[np.unique(rows[order], return_index=True)[1]]
        better = firsts[~(gaps[firsts] >= self._gap[rows[firsts]])]
        self._gap[rows[better]], self._time[rows[better]] = gaps[better], times[better]
        return _Pieces(row, start, stop, found.least, found.cut)

    def _halves(self, pieces: _Pieces) -> tuple[_Pieces, _Pieces]:
        times = pieces.start + np.clip(pieces.cut, _MIN_CUT, 1.0 - _MIN_CUT) * (pieces.stop - pieces.start)
        inside = (times > pieces.start) & (times < pieces.stop)
        times = np.where(inside, times, 0.5 * pieces.start + 0.5 * pieces.stop)
        before = self._looked_at(pieces.row, pieces.start, times)
        return before, self._looked_at(pieces.row, times, pieces.stop)


class Extreme(NamedTuple):
    """The largest value over time, or the least: when, a bound that it is certain to be within, and the pairs then."""

    value: float
    time: float
    bound: float
    gaps: FloatArray
    normals: FloatArray
    size: float


class _Times(NamedTuple):
    """Pieces of time, and bounds on the value in them."""

    start: FloatArray
    stop: FloatArray
    bound: FloatArray

    def rows(self, index: IntArray | BoolArray) -> _Times:
        """Return some of them."""
        return _Times(self.start[index], self.stop[index], self.bound[index])


class ReducedSearch:
    """The search for what is largest or least over time of a number that is made of the distances of several pairs.

    `reduce` makes numbers (n,) of distances (n, k), and must not fall where no distance does: so the number is between
    what it is of the bounds of all distances from below and above.
    """

    def __init__(self, pairs: TimedPairs, reduce: Callable[[FloatArray], FloatArray], *, largest: bool) -> None:
        self._pairs, self._reduce = pairs, reduce
        self._largest, self._sign = largest, 1.0 if largest else -1.0
        self._best, self._time, self._size, self._looked = -np.inf, np.nan, 0.0, 0

    def found(self, level: float | None = None, *, any_beyond: bool = False) -> Extreme:
        """Return what is found, or is known once it is certain that nothing, or anything, is beyond a level."""
        pairs, closed = self._pairs, -np.inf
        _, *ends = pairs.pieces()
        cuts = np.array([pairs.start, *np.unique(ends)[1:-1], pairs.stop])
        pieces, above = self._looked_at(cuts[:-1], cuts[1:]), -np.inf if level is None else self._sign * level
        while True:
            middle = 0.5 * pieces.start + 0.5 * pieces.stop
            enough = max(self._best + EXACT * self._size, above)
            short = pieces.stop - pieces.start < (pairs.stop - pairs.start) / _SAMPLES
            hopeless = short & np.isinf(pieces.bound)  # nothing bounds the motion
            keep = ~(pieces.bound <= enough) & ~hopeless & (pieces.start < middle) & (middle < pieces.stop)
            closed = max(closed, float(np.max(pieces.bound[~keep], initial=-np.inf)))
            pieces = pieces.rows(keep)
            done = not len(pieces.bound) or self._looked > _MAX_REDUCED or np.isnan(self._best)
            if done or (any_beyond and self._best >= above):
                return self._told(max(self._best, closed, float(np.max(pieces.bound, initial=-np.inf))))
            order = np.argsort(-pieces.bound, kind="stable")
            here, rest = np.split(order, [max(1, _PIECES_AT_ONCE // len(pairs))])
            first, middle = pieces.rows(here), middle[keep][here]
            parts = pieces.rows(rest), self._looked_at(first.start, middle), self._looked_at(middle, first.stop)
            pieces = _Times._make(map(np.concatenate, zip(*parts, strict=True)))

    def _looked_at(self, start: FloatArray, stop: FloatArray) -> _Times:
        """Return pieces of time with bounds on the values in them, and remember the best value."""
        shape = len(start), len(self._pairs)
        rows = np.tile(np.arange(shape[1]), shape[0])
        found = self._pairs.ranges(rows, np.repeat(start, shape[1]), np.repeat(stop, shape[1]))
        self._looked += len(rows)
        for gaps, times in ((found.first, start), (found.last, stop)):
            values = self._sign * self._reduce(gaps.reshape(shape))
            best = int(np.argmax(values))
            if not values[best] <= self._best or np.isnan(self._time):  # what has no end may be infinitely deep
                self._best, self._time = float(values[best]), float(times[best])
                self._size = float(np.max(found.size.reshape(shape)[best]))
        limits = found.most if self._largest else found.least
        return _Times(start, stop, self._sign * self._reduce(limits.reshape(shape)))

    def _told(self, bound: float) -> Extreme:
        """Return the best value with what is known of the pairs at that time."""
        count = len(self._pairs)
        times = np.full(count, self._time)
        now = self._pairs.ranges(np.arange(count), times, times)
        value, size = self._sign * self._best, float(np.max(now.size))
        return Extreme(value, self._time, self._sign * bound, now.first, now.normal, size)
