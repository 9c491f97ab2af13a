"""When the pairs of a moving scene touch.

Where two shapes move against each other in a straight line without turning, their distance is a convex function of
time: it touches during one interval, and `sweep` finds both ends of it, from the front and from the back.

Where one of them turns, the signed distance still changes no faster than the points of both shapes move. A distance
of 3 between shapes of which no point is faster than 2 says that they cannot touch within 1.5 before and after; a depth
of 3 says that they do touch that long. Time is halved until this decides each piece, or until pieces are as short as
the resolution asked for; those that are left are decided at both ends and in the middle, and each change is bisected.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from collision.broadphase.hierarchy import Hierarchy
from collision.fields import FloatArray, IntArray, read_margin, read_number
from collision.moving import Mover, Turning
from collision.queries import intersects, signed_distance
from collision.sweeps import sweep

if TYPE_CHECKING:
    from collision.scene.scene import Scene

#: Pieces of time that are looked at where shapes turn, unless another resolution is given.
PIECES = 1024

#: Ends are bisected to this part of the whole time.
ENDS = 2.0**-36

#: Shapes that turn count as touching where they are no further apart than this part of their coordinates: a wheel that
#: rolls does not leave the ground whenever its place is rounded.
RESTING = 1e-12


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
        """Return the intervals in which anything touches, in order.

        Returns
        -------
        ndarray, shape (m, 2)
            First and last times, in order; exact, as they are those of pairs.

        Examples
        --------
        >>> from collision import Motion, Scene, Sphere, touching_intervals
        >>> fly = Motion("ball", times=[0, 10], offsets=[[0, 0, 0], [10, 0, 0]])
        >>> posts = Sphere([[4, 0, 0], [5, 0, 0], [9, 0, 0]], 0.25)
        >>> touching_intervals(Scene({"ball": Sphere([0, 0, 0], 0.5), "posts": posts}, motion=[fly])).merged()
        array([[3.25, 5.75],
               [8.25, 9.75]])
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
    """Return when the pairs of a scene touch while it moves.

    Where both shapes of a pair move without turning, no touch is missed, however short, and its ends are as exact as
    those of `sweep`. Where one turns, no touch and no gap that is longer than the resolution is missed, and ends are
    right to 1.5e-11 of the whole time; there, touching means to be no further apart than 1e-12 of the coordinates.

    Parameters
    ----------
    scene : Scene
        With a `motion`; pairs that are ignored or hidden are left out.
    start, stop : float, optional
        When to begin and to stop looking; by default the first and the last keyframe.
    margin : float
        Count pairs that are no further apart than this as well; all are then treated as pairs that turn are.
    resolution : float, optional
        The longest touch or gap that may be missed where shapes turn; by default a 1024th of the whole time.

    Returns
    -------
    TouchingIntervals
        ``.pairs``, ``.begin``, ``.end``.

    Raises
    ------
    ValueError
        If a number is not finite, the margin is negative, the resolution is not positive, or stop is before start.

    Notes
    -----
    Each end is within the resolution that is asked for. Between two times a shape comes nearer by no more than its
    motion bound (the most that any of its points moves), so what is far enough apart is not looked at again:
    conservative advancement, Mirtich, *Impulse-based Dynamic Simulation of Rigid Body Systems* (1996).

    Examples
    --------
    >>> from collision import Motion, Scene, Sphere
    >>> fly = Motion("ball", times=[0, 10], offsets=[[0, 0, 0], [10, 0, 0]])
    >>> scene = Scene({"ball": Sphere([0, 0, 0], 1), "post": Sphere([5, 0, 0], 1)}, motion=[fly])
    >>> found = touching_intervals(scene)
    >>> found.pairs, found.begin, found.end
    (array([[0, 1]]), array([3.]), array([7.]))
    """
    first, last = scene.span or (0.0, 0.0)
    first = first if start is None else read_number(start, "touching_intervals: start")
    last = last if stop is None else read_number(stop, "touching_intervals: stop")
    if last < first:
        raise ValueError(f"touching_intervals: stop must not be before start, {first:g}, got {last:g}")
    step = (last - first) / PIECES if resolution is None else read_number(resolution, "touching_intervals: resolution")
    if step <= 0.0 and last > first:
        raise ValueError(f"touching_intervals: resolution must be positive, got {step:g}")
    near = read_margin(margin, "touching_intervals")
    if first == last:
        pairs = scene.at(first).contacts(margin=near).pairs
        rows = [_Rows(pairs, np.full(len(pairs), first), np.full(len(pairs), first))]
    else:
        rows = list(_searched(scene, _Search(first, last, near, step)))
    pairs, begin, end = (np.concatenate(parts) for parts in zip(*rows, strict=True))
    gap = 2.0 * ENDS * (last - first)
    return TouchingIntervals(*_joined(pairs, begin, end, gap), first, last)


class _Rows(NamedTuple):
    """Intervals in any order: of which pairs, elements (k, 2) or numbers (k,), and when they begin and end."""

    pairs: IntArray
    begin: FloatArray
    end: FloatArray


class _Search(NamedTuple):
    """What was asked for."""

    start: float
    stop: float
    margin: float
    resolution: float


class _Pairs(NamedTuple):
    """Pairs of elements, the first all of one mover, the second all of another: two batches of the same length."""

    a: Mover
    b: Mover
    slack: FloatArray

    def gaps(self, rows: IntArray, times: FloatArray) -> FloatArray:
        """Return how far some of the pairs are from touching, at a time each; negative where they do."""
        apart = signed_distance(self.a.rows(rows).at(times), self.b.rows(rows).at(times))
        return np.asarray(apart - self.slack[rows])


def _joined(pairs: IntArray, begin: FloatArray, end: FloatArray, gap: float) -> _Rows:
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
    return _Rows(pairs[heads], begin[heads], np.maximum.reduceat(end, heads) if len(heads) else end)


def _movers(scene: Scene) -> Iterator[tuple[IntArray, Mover]]:
    """Yield the elements that are not hidden, those of a kind that make the same moves together."""
    movers = scene._movers
    chain_of = np.full(scene.element_count, -1)
    for number, chain in enumerate(movers.chains):
        chain_of[chain.elements] = number
    moves = [tuple(Turning(s.motion, movers.pivot(s, scene)) for s in chain.steps) for chain in movers.chains]
    for elements, shape in scene.groups:
        for number in np.unique(chain_of[elements]).tolist():
            rows = np.flatnonzero(chain_of[elements] == number)
            yield elements[rows], Mover(shape[rows], moves[number] if number >= 0 else ())


def _searched(scene: Scene, search: _Search) -> Iterator[_Rows]:
    """Yield the intervals of all pairs whose swept boxes overlap."""
    yield _Rows(np.zeros((0, 2), dtype=np.intp), np.zeros(0), np.zeros(0))
    groups = list(_movers(scene))
    if not groups:
        return
    numbers = np.concatenate([elements for elements, _ in groups])
    swept = [mover.swept(mover.cuts(search.start, search.stop)) for _, mover in groups]
    lower, upper = (np.concatenate(corners) for corners in zip(*swept, strict=True))
    # The rows of the boxes stand for elements in another order than the scene's.
    found = Hierarchy(lower, upper).pairs(margin=search.margin)
    found = found[_not_ignored(scene, numbers[found])]
    starts = np.cumsum([0, *(len(elements) for elements, _ in groups)])
    owner = np.searchsorted(starts, found, side="right") - 1
    with np.errstate(invalid="ignore"):
        reach = np.maximum(np.abs(lower), np.abs(upper)).max(axis=1)
    reach = np.where(np.isfinite(reach), reach, 0.0)
    code = owner[:, 0] * len(groups) + owner[:, 1]
    for value in np.unique(code).tolist():
        rows = np.flatnonzero(code == value)
        first, second = divmod(value, len(groups))
        i, j = found[rows].T
        a, b = groups[first][1].rows(i - starts[first]), groups[second][1].rows(j - starts[second])
        slack = search.margin + RESTING * np.maximum(reach[i], reach[j])
        which, begin, end = _pairs_touching(_Pairs(a, b, slack), search)
        yield _Rows(np.sort(numbers[found[rows[which]]], axis=1), begin, end)


def _not_ignored(scene: Scene, pairs: IntArray) -> IntArray:
    """Return the rows of pairs that the scene does not ignore."""
    count = scene.element_count
    ordered = np.sort(pairs, axis=1)
    kept = scene._world.ignored.removed(ordered)
    return np.flatnonzero(np.isin(ordered @ [count, 1], kept @ [count, 1]))


def _pairs_touching(pairs: _Pairs, search: _Search) -> _Rows:
    """Return the intervals of pairs, by their rows."""
    a, b, margin = pairs.a, pairs.b, search.margin
    if not a.moves and not b.moves:
        near = signed_distance(a.shape, b.shape) <= margin if margin else intersects(a.shape, b.shape)
        rows = np.flatnonzero(near)
        return _Rows(rows, np.full(len(rows), search.start), np.full(len(rows), search.stop))
    cuts = np.union1d(a.cuts(search.start, search.stop), b.cuts(search.start, search.stop))
    middle = 0.5 * cuts[:-1] + 0.5 * cuts[1:]
    straight = a.steady(middle) & b.steady(middle) & (margin == 0.0)
    parts = [_straight(pairs, cuts[:-1][straight], cuts[1:][straight])]
    if not straight.all():
        parts.append(_turning(pairs, cuts, np.flatnonzero(~straight), search))
    return _Rows(*map(np.concatenate, zip(*parts, strict=True)))


def _straight(pairs: _Pairs, start: FloatArray, stop: FloatArray) -> _Rows:
    """Return the intervals of pairs in pieces of time in which nothing turns."""
    first, last = start[:, None], stop[:, None]
    a, b = (mover.displacement(last).position - mover.displacement(first).position for mover in pairs[:2])
    forth = sweep(pairs.a.at(first), pairs.b.at(first), motion=a - b)
    back = sweep(pairs.a.at(last), pairs.b.at(last), motion=b - a)
    begin, end = first + forth.fraction * (last - first), last - back.fraction * (last - first)
    # Where shapes graze, rounding may hide the touch from one side, or turn its ends around.
    begin, end = np.where(forth.hit, begin, end), np.where(back.hit, end, begin)
    begin, end = np.minimum(begin, end), np.maximum(begin, end)
    piece, row = np.nonzero(forth.hit | back.hit)
    return _Rows(row, begin[piece, row], end[piece, row])


def _turning(pairs: _Pairs, cuts: FloatArray, pieces: IntArray, search: _Search) -> _Rows:
    """Return the intervals of pairs in pieces of time in which something turns."""
    speed = pairs.a.speed(cuts) + pairs.b.speed(cuts)
    piece, row = (part.ravel() for part in np.meshgrid(pieces, np.arange(len(pairs.slack)), indexing="ij"))
    start, stop, fastest = cuts[piece], cuts[piece + 1], speed[piece, row]
    touching, open_ = [], []
    while len(row):
        middle = 0.5 * start + 0.5 * stop
        gap = pairs.gaps(row, middle)
        reach = fastest * (0.5 * (stop - start))
        sure, short = np.abs(gap) > reach, stop - start <= search.resolution
        hit = sure & (gap <= 0.0)
        touching.append(_Rows(row[hit], start[hit], stop[hit]))
        left = ~sure & short
        open_ += [_Rows(row[left], start[left], middle[left]), _Rows(row[left], middle[left], stop[left])]
        more = ~sure & ~short
        row, fastest = np.tile(row[more], 2), np.tile(fastest[more], 2)
        start, stop = np.append(start[more], middle[more]), np.append(middle[more], stop[more])
    undecided = _Rows(*map(np.concatenate, zip(*open_, strict=True)))
    parts = [*touching, _bisected(pairs, undecided, ENDS * (search.stop - search.start))]
    return _Rows(*map(np.concatenate, zip(*parts, strict=True)))


def _bisected(pairs: _Pairs, pieces: _Rows, ends: float) -> _Rows:
    """Return the touching parts of pieces of time, in each of which there is at most one change."""
    row, start, stop = pieces
    at_start, at_stop = pairs.gaps(row, start) <= 0.0, pairs.gaps(row, stop) <= 0.0
    changes = np.flatnonzero(at_start != at_stop)
    own, low, high, begins = row[changes], start[changes], stop[changes], at_stop[changes]
    while len(own) and np.any(high - low > ends):
        middle = 0.5 * low + 0.5 * high
        if np.all((middle == low) | (middle == high)):  # there is no number left between
            break
        late = (pairs.gaps(own, middle) <= 0.0) == begins  # the change is before
        low, high = np.where(late, low, middle), np.where(late, middle, high)
    # Of the two sides of a change, the one that touches.
    begin, end = start.copy(), stop.copy()
    begin[changes], end[changes] = np.where(begins, high, begin[changes]), np.where(begins, end[changes], low)
    touches = at_start | at_stop
    return _Rows(row[touches], begin[touches], end[touches])
