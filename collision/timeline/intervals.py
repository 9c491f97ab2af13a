"""When the pairs of a moving scene touch.

Where two shapes do not turn against each other, their distance is a convex function of time, and `sweep` finds both
ends of the one interval. Where one turns, `collision.kernels.impact` goes through time by steps.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from collision.base.fields import FloatArray, IntArray, read_margin, read_number
from collision.broadphase.hierarchy import Hierarchy
from collision.kernels.impact import IntervalSearch
from collision.scene.scene import Scene, check_scene
from collision.timeline.moving import MovingElements

#: Pieces of time that are looked at where shapes turn, unless another resolution is given.
DEFAULT_PIECES = 1024

#: Ends are bisected to this part of the whole time where shapes turn.
END_TOLERANCE = 2.0**-36

#: Shapes that turn count as touching where they are no further apart than this part of their coordinates: a wheel that
#: rolls does not leave the ground whenever its position is rounded.
RESTING_TOLERANCE = 1e-12


@dataclass(frozen=True, eq=False)
class TouchingIntervals:
    """When pairs touch, one row for each interval.

    Attributes
    ----------
    pairs : ndarray of int, shape (k, 2)
        Element numbers, i < j, in lexicographic order; a pair has as many rows as it has intervals.
    begin, end : ndarray, shape (k,)
        The first and the last time of each; equal, where two shapes graze.
    start, stop : float
        The time that was looked at.
    """

    pairs: IntArray
    begin: FloatArray
    end: FloatArray
    start: float
    stop: float

    def __len__(self) -> int:
        return len(self.pairs)

    def merged(self) -> FloatArray:
        """Return the intervals (m, 2) in which anything touches, in order; exact, as their times are those of pairs.

        Examples
        --------
        >>> from collision import Motion, Scene, Sphere, touching_intervals
        >>> fly = Motion("ball", times=[0, 10], offsets=[[0, 0, 0], [10, 0, 0]])
        >>> posts = Sphere([[4, 0, 0], [5, 0, 0]], 0.25)
        >>> touching_intervals(Scene({"ball": Sphere([0, 0, 0], 0.5), "posts": posts}, motion=[fly])).merged()
        array([[3.25, 5.75]])
        """
        order = np.argsort(self.begin, kind="stable")
        found: list[list[float]] = []
        for begin, end in zip(self.begin[order].tolist(), self.end[order].tolist(), strict=True):
            if found and begin <= found[-1][1]:
                found[-1][1] = max(found[-1][1], end)
            else:
                found.append([begin, end])
        return np.array(found, dtype=np.float64).reshape(-1, 2)


def touching_intervals(
    scene: Scene,
    *,
    start: float | None = None,
    stop: float | None = None,
    margin: float = 0.0,
    resolution: float | None = None,
) -> TouchingIntervals:
    """Return when the pairs of a scene touch while it moves, as `TouchingIntervals`.

    Where neither shape of a pair turns against the other, no touch is missed, however short, and its ends are as exact
    as those of `sweep`. Where one turns, no touch and no gap that is longer than the resolution is missed, and ends are
    right to 1.5e-11 of the whole time; there, touching means to be no further apart than 1e-12 of the coordinates.

    Parameters
    ----------
    scene : Scene
        With a `motion`; pairs that are ignored or hidden are left out.
    start, stop : float, optional
        When to begin and to stop looking; by default the first and the last keyframe.
    margin : float
        Count pairs that are no further apart than this as well.
    resolution : float, optional
        The longest touch or gap that may be missed where shapes turn; by default a 1024th of the whole time.

    Notes
    -----
    Between two times a shape comes nearer by no more than its motion bound (the most that any of its points moves), so
    what is far enough apart, or deep enough in each other, is not looked at for a while: conservative advancement,
    Mirtich, *Impulse-based Dynamic Simulation of Rigid Body Systems* (1996).

    Examples
    --------
    >>> from collision import Motion, Scene, Sphere
    >>> fly = Motion("ball", times=[0, 10], offsets=[[0, 0, 0], [10, 0, 0]])
    >>> scene = Scene({"ball": Sphere([0, 0, 0], 1), "post": Sphere([5, 0, 0], 1)}, motion=[fly])
    >>> found = touching_intervals(scene)
    >>> found.pairs, found.begin, found.end
    (array([[0, 1]]), array([3.]), array([7.]))
    """
    first, last = check_scene(scene, "touching_intervals").span or (0.0, 0.0)
    first = first if start is None else read_number(start, "touching_intervals: start")
    last = last if stop is None else read_number(stop, "touching_intervals: stop")
    if last < first:
        raise ValueError(f"touching_intervals: stop must not be before start, {first:g}, got {last:g}")
    step = (
        (last - first) / DEFAULT_PIECES
        if resolution is None
        else read_number(resolution, "touching_intervals: resolution")
    )
    if step <= 0.0 and (resolution is not None or last > first):
        raise ValueError(f"touching_intervals: resolution must be positive, got {step:g}")
    near = read_margin(margin, "touching_intervals")
    if first == last:
        pairs = scene.at(first).contacts(margin=near).pairs
        return TouchingIntervals(pairs, np.full(len(pairs), first), np.full(len(pairs), first), first, last)
    exact, least = END_TOLERANCE * (last - first), 4.0 * np.spacing(max(abs(first), abs(last)))
    search = IntervalSearch(first, last, max(step, least), exact, 2.0 * exact, near)
    return TouchingIntervals(*_joined(*_searched(scene, search), search.gap), first, last)


def _joined(pairs: IntArray, begin: FloatArray, end: FloatArray, gap: float) -> tuple[IntArray, FloatArray, FloatArray]:
    """Sort intervals, and make one of those of a pair that are no further apart than a gap."""
    order = np.lexsort((begin, pairs[:, 1], pairs[:, 0]))
    pairs, begin, end = pairs[order], begin[order], end[order]
    other = np.ones(len(pairs), dtype=bool)
    other[1:] = np.any(pairs[1:] != pairs[:-1], axis=1)
    # An interval may lie within one that began before it, so what counts is the latest end of a pair so far. The pairs
    # are kept apart by ranks, as adding anything to the ends would round them.
    by_end = np.argsort(end, kind="stable")
    rank = np.empty(len(end), dtype=np.intp)
    rank[by_end] = np.arange(len(end))
    shift = np.cumsum(other) * len(end)
    latest = end[by_end[np.maximum.accumulate(rank + shift) - shift]]
    new = other
    new[1:] |= begin[1:] > latest[:-1] + gap
    heads = np.flatnonzero(new)
    return pairs[heads], begin[heads], np.maximum.reduceat(end, heads) if len(heads) else end


def _searched(scene: Scene, search: IntervalSearch) -> tuple[IntArray, FloatArray, FloatArray]:
    """Return the intervals of all pairs whose boxes around all positions overlap, in any order."""
    moving = MovingElements(scene)
    lower, upper = moving.boxes(search.start, search.stop)
    pairs = Hierarchy(lower, upper).pairs(margin=search.margin)
    pairs = pairs[scene.tested(*moving.numbers[pairs].T)]
    with np.errstate(invalid="ignore"):
        reach = np.maximum(np.abs(lower), np.abs(upper)).max(axis=1)
    slack = RESTING_TOLERANCE * np.where(np.isfinite(reach), reach, 0.0)[pairs].max(axis=1)
    which, begin, end = moving.cores.intervals(*moving.pairs(pairs), slack, search)
    return np.sort(moving.numbers[pairs[which]], axis=1), begin, end
