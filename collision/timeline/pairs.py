"""The pairs between names of a scene that moves: how near they come, how far they are at most, and when."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from collision.base.cached import cached_property
from collision.base.fields import FloatArray, IntArray
from collision.broadphase.hierarchy import Hierarchy
from collision.scene.scene import Scene
from collision.timeline.least import LeastSearch
from collision.timeline.moving import Mover
from collision.timeline.reduced import Extreme, ReducedSearch
from collision.timeline.tracks import Tracks, chains_of

#: Pairs whose boxes are compared in one go, which bounds the memory.
_BLOCK = 1 << 20

#: Pairs that are searched together: few at first, so that what is far is known for that before it is looked at.
_FIRST, _PART = 64, 2048

#: At most so many pairs are looked at whenever one is; of more, those whose boxes are nearest.
MOST_AT_ONCE = 4096


class NearPairs(NamedTuple):
    """Pairs that come near, one of each side first.

    Attributes
    ----------
    pairs : ndarray of int, shape (k, 2)
    gap, time : ndarray, shape (k,)
        The least signed distance of each, and when.
    bound : ndarray, shape (k,)
        It is certain to be no less than this.
    size : ndarray, shape (k,)
    normal : ndarray, shape (k, 3)
        From the first to the second, at that time.
    """

    pairs: IntArray
    gap: FloatArray
    time: FloatArray
    bound: FloatArray
    size: FloatArray
    normal: FloatArray

    def rows(self, index: IntArray) -> NearPairs:
        """Return some of them."""
        return NearPairs._make(part[index] for part in self)


class Far(NamedTuple):
    """When the nearest of some pairs is farthest: that pair, and what is known of it."""

    pair: IntArray
    gap: float
    time: float
    bound: float
    size: float
    normal: FloatArray


class MovingScene:
    """A scene that moves, and what is asked of its pairs.

    Parameters
    ----------
    scene : Scene
        With its motion, or without one.
    start, stop : float
        When.
    """

    def __init__(self, scene: Scene, start: float, stop: float) -> None:
        self.scene, self.names = scene, scene.promised_names
        self.start, self.stop = start, stop

    @cached_property
    def shown(self) -> IntArray:
        """The elements that are not hidden, in order."""
        return np.sort(np.concatenate([np.zeros(0, dtype=np.intp), *(elements for elements, _ in self.scene.groups)]))

    @cached_property
    def _boxes(self) -> tuple[FloatArray, FloatArray]:
        """The corners (n, 3) of boxes around all places of each element; NaN for those that are hidden."""
        chains, chain_of = chains_of(self.scene)
        lower, upper = np.full((2, self.scene.element_count, 3), np.nan)
        for elements, shape in self.scene.groups:
            for number in np.unique(chain_of[elements]).tolist():
                rows = np.flatnonzero(chain_of[elements] == number)
                mover = Mover(shape[rows], chains.of(number, int(chains.lengths[number])))
                cuts = mover.cuts(self.start, self.stop)
                lower[elements[rows]], upper[elements[rows]] = mover.swept(cuts)
        return lower, upper

    def _box_gaps(self, pairs: IntArray) -> FloatArray:
        """Return how far apart the boxes of pairs are, at least."""
        lower, upper = self._boxes
        i, j = pairs.T
        with np.errstate(invalid="ignore"):
            apart = np.fmax(np.fmax(lower[j] - upper[i], lower[i] - upper[j]), 0.0)
        return np.asarray(np.sqrt(np.sum(apart * apart, axis=1)))

    def _blocks(self, a: str, b: str) -> Iterator[IntArray]:
        """Yield the pairs between two names that are tested, many at a time."""
        first, second = (np.intersect1d(self.names.numbers(name), self.shown) for name in (a, b))
        both = np.isin(first, second), np.isin(second, first)
        step = max(1, _BLOCK // max(len(second), 1))
        for begin in range(0, len(first), step):
            part = slice(begin, begin + step)
            x, y = np.repeat(first[part], len(second)), np.tile(second, len(first[part]))
            # A pair of two that are on both sides is there twice.
            twice = np.repeat(both[0][part], len(second)) & np.tile(both[1], len(first[part]))
            keep = np.where(twice, x < y, x != y)
            pairs = np.stack([x[keep], y[keep]], axis=1)
            yield pairs[self.scene.tested(pairs[:, 0], pairs[:, 1])]

    def nearest(self, a: str, b: str, level: float) -> NearPairs:
        """Return the pairs between two names that come as near as a level, and in any case the nearest of all."""
        found, best = [_NONE], math.inf
        for pairs in self._blocks(a, b):
            found.append(self.nearest_of(pairs, level, best))
            best = min(best, _best(found[-1]))
        return _near(found, level)

    def nearest_of(self, pairs: IntArray, level: float, best: float = np.inf) -> NearPairs:
        """Return those of some pairs that come as near as a level, and in any case the nearest."""
        gaps = self._box_gaps(pairs)
        order = np.argsort(gaps, kind="stable")
        found, begin, size = [_NONE], 0, _FIRST
        while begin < len(order):
            rows = order[begin : begin + size]
            rows = rows[~(gaps[rows] > max(best, level))]
            if not len(rows):
                break
            least = LeastSearch(Tracks(self.scene, pairs[rows]), self.start, self.stop, level, best).found()
            found.append(_near([NearPairs(pairs[rows], *least)], level))
            best = min(best, _best(found[-1]))
            begin, size = begin + size, _PART
        return _near(found, level)

    def meeting(self) -> IntArray:
        """Return the pairs that are tested and whose boxes meet."""
        lower, upper = (corners[self.shown] for corners in self._boxes)
        pairs = np.sort(self.shown[Hierarchy(lower, upper).pairs()], axis=1)
        return np.asarray(pairs[self.scene.tested(pairs[:, 0], pairs[:, 1])])

    @property
    def reach(self) -> float:
        """The largest finite coordinate of all boxes."""
        corners = np.abs(np.concatenate(self._boxes))
        return float(np.max(corners[np.isfinite(corners)], initial=0.0))

    def farthest(self, a: str, b: str, level: float | None = None) -> Far:
        """Return when the nearest pair between two names is farthest; not beyond a level is enough to know."""
        pairs = np.concatenate(list(self._blocks(a, b)))
        few = pairs[np.argsort(self._box_gaps(pairs), kind="stable")[:MOST_AT_ONCE]]
        search = ReducedSearch(Tracks(self.scene, few), self.start, self.stop, _least, largest=True)
        found: Extreme = search.found(level)
        row = int(np.argmin(found.gaps))
        return Far(few[row], found.value, found.time, found.bound, found.size, found.normals[row])


_NONE = NearPairs(np.zeros((0, 2), dtype=np.intp), np.zeros(0), np.zeros(0), np.zeros(0), np.zeros(0), np.zeros((0, 3)))


def _least(gaps: FloatArray) -> FloatArray:
    return np.asarray(gaps.min(axis=1))


def _best(found: NearPairs) -> float:
    return float(np.fmin.reduce(found.gap, initial=np.inf))


def _near(found: Sequence[NearPairs], level: float) -> NearPairs:
    """Return the pairs of several that come as near as a level, and the nearest; the bound of which is that of all."""
    all_of_them = NearPairs._make(np.concatenate(parts) for parts in zip(*found, strict=True))
    if not len(all_of_them.gap):
        return all_of_them
    nearest = int(np.argmin(all_of_them.gap))
    # What is nearest is so only as far as the others are certain to be no nearer.
    all_of_them.bound[nearest] = min(all_of_them.bound[nearest], np.fmin.reduce(all_of_them.bound))
    keep = ~(all_of_them.gap > level)
    keep[nearest] = True
    return all_of_them.rows(np.flatnonzero(keep))
