"""How near pairs come to each other, and when: with a bound on what may have been missed.

Time is cut into pieces. For each, what is known at its ends bounds the distance from below (see
`collision.timeline.tracks`); a piece that cannot have the least distance is done with, all others are cut on: branch
and bound.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from collision.base.fields import BoolArray, FloatArray, IntArray
from collision.timeline.tracks import Moment, Tracks

#: The least distance is found to this part of the size of the pair.
EXACT = 1e-9

#: So many places of pairs are looked at, at most, before the search ends with what is known.
MOST = 400_000

#: Into so many pieces time is cut where nothing bounds the motion: a guess, and one that is said to be one.
SAMPLES = 256

#: Pieces that are cut in one go, which bounds the memory.
_AT_ONCE = 8192

#: Pieces are not cut nearer to their ends than this part of them.
_EDGE = 0.1


class Least(NamedTuple):
    """The least signed distance of each of some pairs.

    Attributes
    ----------
    gap, time : ndarray, shape (k,)
        What was found.
    bound : ndarray, shape (k,)
        It is certain to be no less than this at any time; NaN where nothing is known.
    size : ndarray, shape (k,)
    normal : ndarray, shape (k, 3)
        At that time, from the first to the second.
    """

    gap: FloatArray
    time: FloatArray
    bound: FloatArray
    size: FloatArray
    normal: FloatArray


class _Nodes(NamedTuple):
    """Pieces of time of pairs: what is known at both ends, and bounds on the motion between."""

    row: IntArray
    start: FloatArray
    stop: FloatArray
    speed: FloatArray
    bend: FloatArray
    first: Moment
    last: Moment
    #: Bounds from below, and where to cut next, from 0 to 1.
    low: FloatArray
    cut: FloatArray

    def rows(self, index: IntArray | BoolArray) -> _Nodes:
        """Return some of them."""
        return _Nodes._make(part.rows(index) if isinstance(part, Moment) else part[index] for part in self)


class LeastSearch:
    """The search for the least distance of each of some pairs.

    Parameters
    ----------
    tracks : Tracks
        The pairs.
    start, stop : float
        When.
    level : float
        Pairs that come no nearer than this are told apart from the nearest of all only as far as is needed for that.
    best : float
        A distance that is known already of another pair: what does not come nearer than that and the level is let be.
    """

    def __init__(self, tracks: Tracks, start: float, stop: float, level: float = -np.inf, best: float = np.inf) -> None:
        self._tracks, self._level, self._known = tracks, level, best
        count = len(tracks.pairs)
        self._gap, self._time, self._low = np.full(count, np.inf), np.full(count, start), np.full(count, np.inf)
        self._size, self._normal = np.zeros(count), np.zeros((count, 3))
        self._looked = 0
        self._span = start, stop

    def found(self) -> Least:
        """Return what is found."""
        pieces = self._tracks.pieces(*self._span)
        first, last = (self._look(pieces.row, times) for times in (pieces.start, pieces.stop))
        waiting = self._bounded(pieces.row, pieces.start, pieces.stop, pieces.speed, pieces.bend, first, last)
        while True:
            open_ = self._open(waiting)
            self._close(waiting.rows(~open_))
            waiting = waiting.rows(open_)
            if not len(waiting.row) or self._looked > MOST:
                self._close(waiting)
                return Least(self._gap, self._time, np.minimum(self._low, self._gap), self._size, self._normal)
            order = np.argsort(waiting.low, kind="stable")
            waiting = _joined(waiting.rows(order[_AT_ONCE:]), self._halves(waiting.rows(order[:_AT_ONCE])))

    def _open(self, nodes: _Nodes) -> BoolArray:
        """Tell which pieces may have less than was found."""
        best = np.fmin.reduce(self._gap, initial=self._known)
        limit = np.minimum(self._gap, max(best, self._level))[nodes.row]
        far = (nodes.low >= limit - EXACT * self._size[nodes.row]) | np.isnan(limit)  # what is no number stays none
        middle = 0.5 * nodes.start + 0.5 * nodes.stop
        # Where nothing bounds the motion, more pieces tell no more.
        short = nodes.stop - nodes.start < (self._span[1] - self._span[0]) / SAMPLES
        done = far | (short & np.isinf(nodes.speed) & np.isinf(nodes.bend))
        return np.asarray(~done & (nodes.start < middle) & (middle < nodes.stop))

    def _close(self, nodes: _Nodes) -> None:
        low = np.where(np.isnan(nodes.low), -np.inf, nodes.low)
        np.minimum.at(self._low, nodes.row, low)

    def _look(self, rows: IntArray, times: FloatArray) -> Moment:
        """Return pairs at a time each, and remember those that are nearest."""
        now = self._tracks.at(rows, times)
        self._looked += len(rows)
        np.maximum.at(self._size, rows, now.size)
        order = np.lexsort((times, now.gap, rows))
        firsts = order[np.unique(rows[order], return_index=True)[1]]
        better = firsts[~(now.gap[firsts] >= self._gap[rows[firsts]])]
        mine = rows[better]
        self._gap[mine], self._time[mine], self._normal[mine] = now.gap[better], times[better], now.normal[better]
        return now

    def _halves(self, nodes: _Nodes) -> _Nodes:
        """Return both parts of pieces that are cut."""
        times = nodes.start + nodes.cut * (nodes.stop - nodes.start)
        inside = (times > nodes.start) & (times < nodes.stop)
        times = np.where(inside, times, 0.5 * nodes.start + 0.5 * nodes.stop)
        now = self._look(nodes.row, times)
        left = self._bounded(nodes.row, nodes.start, times, nodes.speed, nodes.bend, nodes.first, now)
        right = self._bounded(nodes.row, times, nodes.stop, nodes.speed, nodes.bend, now, nodes.last)
        return _joined(left, right)

    def _bounded(
        self, row: IntArray, start: FloatArray, stop: FloatArray, speed: FloatArray, bend: FloatArray,
        first: Moment, last: Moment,
    ) -> _Nodes:  # fmt: skip
        """Return pieces with the bounds that follow from what is known at their ends."""
        with np.errstate(all="ignore"):  # what has no end, or is no number, bounds nothing
            time, ends = stop - start, np.minimum(first.gap, last.gap)
            ahead = self._tracks.gap_along(row, last, first.normal)
            back = self._tracks.gap_along(row, first, last.normal)
            # The larger of two straight lines: from the first gap to ahead, and from back to the last gap.
            rise, fall = first.gap - back, last.gap - ahead
            cross = rise / (rise + fall)
            valley = first.gap + (ahead - first.gap) * cross
            valley = np.where(
                np.isfinite(valley), valley, np.maximum(np.minimum(first.gap, ahead), np.minimum(back, last.gap))
            )
            curved = np.minimum(ends, valley) - 0.125 * bend * time * time
            steep = 0.5 * (first.gap + last.gap - speed * time)
            still = (speed == 0.0) & (bend == 0.0)
            low = np.where(still, ends, np.minimum(np.fmax(curved, steep), ends))
            cut = np.where(np.isfinite(cross), np.clip(cross, _EDGE, 1.0 - _EDGE), 0.5)
        return _Nodes(row, start, stop, speed, bend, first, last, low, cut)


def _joined(one: _Nodes, other: _Nodes) -> _Nodes:
    """Return the pieces of both."""
    return _Nodes._make(
        Moment._make(map(np.concatenate, zip(a, b, strict=True)))
        if isinstance(a, Moment) and isinstance(b, Moment)
        else np.concatenate([a, b])
        for a, b in zip(one, other, strict=True)
    )
