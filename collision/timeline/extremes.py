"""How near the shapes of a moving scene come to each other, and when."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from collision.base.cached import cached_property
from collision.base.fields import BoolArray, FloatArray, IntArray, read_number
from collision.broadphase.hierarchy import Hierarchy
from collision.scene.scene import Scene, check_scene
from collision.timeline.distances import LeastSearch, ReducedSearch, TimedPairs
from collision.timeline.intervals import RESTING_TOLERANCE, TouchingIntervals
from collision.timeline.moving import MovingElements

#: Pairs whose boxes are compared in one go, which bounds the memory.
_BLOCK_PAIRS = 1 << 20

#: Pairs that are searched together: few at first, so that what is far is known for that before it is looked at.
_FIRST_PAIRS, _PAIRS_AT_ONCE = 64, 2048

#: At most so many pairs are looked at whenever one is; of more, those whose boxes are nearest.
_MAX_REDUCED_PAIRS = 4096


@dataclass(frozen=True)
class ExtremeDistance:
    """The least distance of shapes that move, or the largest.

    Attributes
    ----------
    a, b : str
        The names of the two elements.
    signed_distance : float
        How far apart they are at that time, negative where they overlap.
    time : float
        When.
    error : float
        No distance at any other time is beyond this one by more; infinite, where nothing is known of that.
    """

    a: str
    b: str
    signed_distance: float
    time: float
    error: float


def extreme_distance(
    scene: Scene, a: str, b: str, *, start: float | None = None, stop: float | None = None, farthest: bool = False
) -> ExtremeDistance:
    """Return how near the shapes of a scene come to each other while it moves, and when, as an `ExtremeDistance`.

    It is exact to rounding for its time; its error is at most 1e-9 of the size of the pair, or more where shapes turn
    in a way that takes too long to tell, and infinite for two shapes without end that turn against each other.

    Parameters
    ----------
    scene : Scene
        With a `motion`; pairs that are ignored or hidden are left out.
    a, b : str
        Names of entries or elements, patterns, or names of groups: the nearest of all pairs between them counts. A
        `ValueError` is raised where a name stands for nothing, or no pair is tested.
    start, stop : float, optional
        When to begin and to stop looking; by default the first and the last keyframe.
    farthest : bool
        Whether the largest distance that the nearest pair has at any time is asked for, in place of the least.

    Notes
    -----
    Branch and bound over time: the gap along a direction that is kept changes no faster, and bends no more, than the
    points of both shapes move, and the distance is the largest of these gaps. Such bounds are those of conservative
    advancement: Mirtich, *Impulse-based Dynamic Simulation of Rigid Body Systems* (1996).

    Examples
    --------
    >>> from collision import Motion, Scene, Sphere
    >>> fly = Motion("ball", times=[0, 10], offsets=[[0, 0, 0], [10, 0, 0]])
    >>> scene = Scene({"ball": Sphere([0, 0, 0], 1), "post": Sphere([5, 4, 0], 1)}, motion=[fly])
    >>> found = extreme_distance(scene, "ball", "post")
    >>> round(found.signed_distance, 8), round(found.time, 4)
    (2.0, 5.0)
    """
    first, last = check_scene(scene, "extreme_distance").span or (0.0, 0.0)
    first = first if start is None else read_number(start, "extreme_distance: start")
    last = last if stop is None else read_number(stop, "extreme_distance: stop")
    if last < first:
        raise ValueError(f"extreme_distance: stop must not be before start, {first:g}, got {last:g}")
    names = scene.promised_names
    for name in (a, b):
        if not isinstance(name, str) or not names.covers(name):
            raise ValueError(f"extreme_distance: {names.unknown(str(name))}")
    if nothing := names.nothing_to_test(a, b, scene.tested):
        raise ValueError(f"extreme_distance: {nothing}")
    moving = MovingScene(scene, first, last)
    if farthest:
        far = moving.farthest(a, b)
        pair, gap, time, error = far.pair, far.gap, far.time, far.bound - far.gap
    else:
        near = moving.nearest(a, b, -np.inf)
        row = int(np.argmin(near.gap))
        pair, gap, time = near.pairs[row], float(near.gap[row]), float(near.time[row])
        error = gap - float(np.min(near.bound))
    one, other = (scene.element_name(int(number)) for number in pair)
    return ExtremeDistance(one, other, gap, time, error)


def only_touching(scene: Scene, found: TouchingIntervals) -> BoolArray:
    """Tell in which of the intervals of a scene the pair touches and no more, but for rounding while it moves.

    Examples
    --------
    >>> from collision import HalfSpace, Motion, Scene, Sphere, touching_intervals
    >>> slide = Motion("ball", times=[0, 1], offsets=[[0, 0, 0], [4, 0, 0]])
    >>> floor = {"floor": HalfSpace([0, 0, 0], [0, 0, 1]), "post": Sphere([2, 0, 1], 0.5)}
    >>> scene = Scene({"ball": Sphere([0, 0, 1], 1), **floor}, motion=[slide])
    >>> found = touching_intervals(scene)
    >>> found.pairs.tolist(), only_touching(scene, found).tolist()
    ([[0, 1], [0, 2]], [True, False])
    """
    moving, middle = MovingElements(scene), 0.5 * found.begin + 0.5 * found.end
    a, b = moving.pairs(moving.row_of[found.pairs])
    # What overlaps is almost always seen to do so in the middle of its interval; the others are searched.
    now = moving.cores.ranges(a, b, middle, middle)
    touches = ~(now.first < -RESTING_TOLERANCE * now.size)
    left = np.flatnonzero(touches)
    spans, span = np.unique(np.stack([found.begin[left], found.end[left]], axis=1), axis=0, return_inverse=True)
    for number, (begin, end) in enumerate(spans.tolist()):
        rows = left[span.ravel() == number]
        least = LeastSearch(TimedPairs(moving, found.pairs[rows], begin, end), 0.0).found()
        touches[rows] = ~(least.gap < -RESTING_TOLERANCE * least.size)
    return touches


class NearPairs(NamedTuple):
    """Pairs (k, 2) that come near, one of each side: their least distances, when, normals, and bounds from below."""

    pairs: IntArray
    gap: FloatArray
    time: FloatArray
    bound: FloatArray
    size: FloatArray
    normal: FloatArray

    def rows(self, index: IntArray) -> NearPairs:
        """Return some of them."""
        return NearPairs._make(part[index] for part in self)


class ExtremePair(NamedTuple):
    """A pair at the moment that an extreme distance is at, with a bound, from below or above, on all other moments."""

    pair: IntArray
    gap: float
    time: float
    bound: float
    size: float
    normal: FloatArray


class MovingScene:
    """A scene that moves, and what is asked of its pairs from `start` to `stop`."""

    def __init__(self, scene: Scene, start: float, stop: float) -> None:
        self.scene, self.names = scene, scene.promised_names
        self.start, self.stop = float(start), float(stop)

    @cached_property
    def _moving(self) -> MovingElements:
        return MovingElements(self.scene)

    @cached_property
    def shown(self) -> IntArray:
        """The elements that are not hidden, in order."""
        return np.sort(self._moving.numbers)

    @cached_property
    def _boxes(self) -> tuple[FloatArray, FloatArray]:
        """The corners (n, 3) of boxes around all positions of each element; NaN for those that are hidden."""
        found = np.full((2, self.scene.element_count, 3), np.nan)
        found[:, self._moving.numbers] = self._moving.boxes(self.start, self.stop)
        return found[0], found[1]

    def timed(self, pairs: IntArray) -> TimedPairs:
        """Return some pairs (k, 2) over the time."""
        return TimedPairs(self._moving, pairs, self.start, self.stop)

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
        step = max(1, _BLOCK_PAIRS // max(len(second), 1))
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
        found, begin, size = [_NONE], 0, _FIRST_PAIRS
        while begin < len(order):
            rows = order[begin : begin + size]
            rows = rows[~(gaps[rows] > max(best, level))]
            if not len(rows):
                break
            least = LeastSearch(self.timed(pairs[rows]), level, best).found()
            found.append(_near([NearPairs(pairs[rows], *least)], level))
            best = min(best, _best(found[-1]))
            begin, size = begin + size, _PAIRS_AT_ONCE
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

    def farthest(self, a: str, b: str, level: float | None = None) -> ExtremePair:
        """Return when the nearest pair between two names is farthest; not beyond a level is enough to know."""
        pairs = np.concatenate(list(self._blocks(a, b)))
        few = pairs[np.argsort(self._box_gaps(pairs), kind="stable")[:_MAX_REDUCED_PAIRS]]
        found = ReducedSearch(self.timed(few), _least, largest=True).found(level)
        row = int(np.argmin(found.gaps))
        return ExtremePair(few[row], found.value, found.time, found.bound, found.size, found.normals[row])


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
