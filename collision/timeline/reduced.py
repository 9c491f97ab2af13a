"""What is largest or least over time of a number that is made of the distances of several pairs.

That number must not fall where no distance does: such as the distance of the nearest pair, or how far out of several
shapes something sticks. Then it is between what it is of the bounds of all distances from below and from above.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from collision.base.fields import FloatArray, IntArray
from collision.timeline.least import EXACT, SAMPLES
from collision.timeline.tracks import Moment, Tracks

#: So many places of pairs are looked at, at most, before the search ends with what is known.
MOST = 200_000

#: Places that are looked at in one go, which bounds the memory.
_AT_ONCE = 8192


class Extreme(NamedTuple):
    """The largest value over time, or the least.

    Attributes
    ----------
    value, time : float
        What was found, and when.
    bound : float
        It is certain to be nowhere beyond this.
    gaps : ndarray, shape (k,)
        The signed distances of all pairs then.
    normals : ndarray, shape (k, 3)
    size : float
        The largest number by which the shapes are given.
    """

    value: float
    time: float
    bound: float
    gaps: FloatArray
    normals: FloatArray
    size: float


class _Nodes(NamedTuple):
    """Pieces of time: the distances of all pairs at both ends, and which piece without keyframes each is of."""

    start: FloatArray
    stop: FloatArray
    first: FloatArray
    last: FloatArray
    piece: IntArray

    def rows(self, index: IntArray) -> _Nodes:
        """Return some of them."""
        return _Nodes(self.start[index], self.stop[index], self.first[index], self.last[index], self.piece[index])


class ReducedSearch:
    """The search for what is largest over time, or least.

    Parameters
    ----------
    tracks : Tracks
        The pairs, all of which are looked at whenever one is.
    start, stop : float
        When.
    reduce : callable
        Makes numbers (n,) of distances (n, k); it must not fall where none of these does.
    largest : bool
        Which of the two.
    """

    def __init__(
        self, tracks: Tracks, start: float, stop: float, reduce: Callable[[FloatArray], FloatArray], *, largest: bool
    ) -> None:
        self._tracks, self._reduce = tracks, reduce
        self._sign = 1.0 if largest else -1.0
        pieces, self._count = tracks.pieces(start, stop), len(tracks.pairs)
        self._cuts = np.unique([pieces.start, pieces.stop])
        if len(self._cuts) < 2:
            self._cuts = np.array([start, stop])
        shape = (len(self._cuts) - 1, self._count)
        self._speed, self._bend = np.zeros(shape), np.zeros(shape)
        spots = [np.searchsorted(self._cuts, ends).tolist() for ends in (pieces.start, pieces.stop)]
        for begin, end, row, fast, bend in zip(*spots, pieces.row.tolist(), pieces.speed, pieces.bend, strict=True):
            self._speed[begin:end, row], self._bend[begin:end, row] = fast, bend
        self._looked, self._best = 0, Extreme(-np.inf, start, np.inf, np.empty(0), np.empty((0, 3)), 0.0)

    def found(self, level: float | None = None, *, any_beyond: bool = False) -> Extreme:
        """Return what is found; the search is over as soon as it is certain that nothing is beyond a level.

        If anything beyond will do, it is over, too, as soon as there is something.
        """
        cuts = self._cuts
        gaps = self._look(cuts)
        nodes = _Nodes(cuts[:-1], cuts[1:], gaps[:-1], gaps[1:], np.arange(len(cuts) - 1))
        bounds, closed = self._bounds(nodes), -np.inf
        above = -np.inf if level is None else self._sign * level
        while True:
            middle = 0.5 * nodes.start + 0.5 * nodes.stop
            enough = max(self._best.value + EXACT * self._best.size, above)
            short = nodes.stop - nodes.start < (cuts[-1] - cuts[0]) / SAMPLES
            hopeless = short & np.isinf(bounds)  # nothing bounds the motion
            keep = ~(bounds <= enough) & ~hopeless & (nodes.start < middle) & (middle < nodes.stop)
            closed = max(closed, float(np.max(bounds[~keep], initial=-np.inf)))
            nodes, bounds = nodes.rows(np.flatnonzero(keep)), bounds[keep]
            done = not len(bounds) or self._looked > MOST or np.isnan(self._best.value)
            if done or (any_beyond and self._best.value >= above):
                bound = max(self._best.value, closed, float(np.max(bounds, initial=-np.inf)))
                return self._best._replace(value=self._sign * self._best.value, bound=self._sign * bound)
            order = np.argsort(-bounds, kind="stable")
            here, rest = np.split(order, [max(1, _AT_ONCE // self._count)])
            halves = self._halved(nodes.rows(here))
            nodes = _Nodes._make(np.concatenate(parts) for parts in zip(nodes.rows(rest), halves, strict=True))
            bounds = np.concatenate([bounds[rest], self._bounds(halves)])

    def _halved(self, nodes: _Nodes) -> _Nodes:
        times = 0.5 * nodes.start + 0.5 * nodes.stop
        gaps = self._look(times)
        return _Nodes(
            np.concatenate([nodes.start, times]),
            np.concatenate([times, nodes.stop]),
            np.concatenate([nodes.first, gaps]),
            np.concatenate([gaps, nodes.last]),
            np.concatenate([nodes.piece, nodes.piece]),
        )

    def _look(self, times: FloatArray) -> FloatArray:
        """Return the distances of all pairs at some times, and remember the best."""
        now = self._tracks.at(np.tile(np.arange(self._count), len(times)), np.repeat(times, self._count))
        gaps = now.gap.reshape(len(times), self._count)
        self._looked += gaps.size
        values = self._sign * self._reduce(gaps)
        spot = int(np.argmax(values))
        if not values[spot] <= self._best.value or not len(self._best.gaps):  # what has no end may be infinitely deep
            self._best = self._kept(now, gaps, spot, float(values[spot]), float(times[spot]))
        return gaps

    def _kept(self, now: Moment, gaps: FloatArray, spot: int, value: float, time: float) -> Extreme:
        part = slice(spot * self._count, (spot + 1) * self._count)
        return Extreme(value, time, np.inf, gaps[spot], now.normal[part], float(np.max(now.size[part])))

    def _bounds(self, nodes: _Nodes) -> FloatArray:
        """Return bounds on the values in pieces of time."""
        with np.errstate(invalid="ignore"):
            way = self._speed[nodes.piece] * (nodes.stop - nodes.start)[:, None]
            if self._sign > 0.0:
                far = 0.5 * (nodes.first + nodes.last + way)
                # What goes in a straight line is nowhere farther than at one end: the distance is convex.
                straight = np.maximum(nodes.first, nodes.last)
                ends = np.where(self._bend[nodes.piece] == 0.0, straight, np.inf)
                limits = np.fmin(np.where(np.isnan(far), np.inf, far), ends)
            else:
                near = 0.5 * (nodes.first + nodes.last - way)
                limits = np.where(np.isnan(near), -np.inf, near)
            return np.asarray(self._sign * self._reduce(limits))
