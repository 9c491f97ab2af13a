"""When the pairs of a moving scene touch.

Where two shapes move against each other in a straight line without turning, their distance is a convex function of
time: it touches during one interval, and `sweep` finds both ends of it, from the front and from the back.

Where one of them turns, the signed distance still changes no faster than the points of both shapes move. A distance
of 3 between shapes of which no point is faster than 2 says that they cannot touch within the next 1.5; a depth of 3
says that they do touch that long. `collision.queries.touching` goes through time by such steps.

What moves both shapes of a pair last moves them as one. Without it, many turn no more, or rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from collision.base.fields import FloatArray, IntArray, read_margin, read_number
from collision.broadphase.hierarchy import Hierarchy
from collision.kernels.table import CoreType
from collision.queries.distances import intersects, signed_distance
from collision.queries.sweeps import sweep
from collision.queries.touching import Asked, Linked, touching_spans
from collision.scene.scene import Scene, check_scene
from collision.shapes.kinds import AABB, Shape
from collision.timeline.moving import Chains, Mover, keyframes
from collision.timeline.tracks import chains_of

if TYPE_CHECKING:
    from collision.scene.elements import Group

#: Pieces of time that are looked at where shapes turn, unless another resolution is given.
PIECES = 1024

#: Ends are bisected to this part of the whole time where shapes turn.
ENDS = 2.0**-36

#: Pieces of straight motions that are swept in one go, which bounds the memory.
MANY = 1 << 16

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

    Returns
    -------
    TouchingIntervals
        ``.pairs``, ``.begin``, ``.end``.

    Raises
    ------
    TypeError
        If that is no scene.
    ValueError
        If a number is not finite, the margin is negative, the resolution is not positive, or stop is before start.

    Notes
    -----
    Between two times a shape comes nearer by no more than its motion bound (the most that any of its points moves), so
    what is far enough apart, or deep enough in each other, is not looked at for a while: conservative advancement,
    Mirtich, *Impulse-based Dynamic Simulation of Rigid Body Systems* (1996). Pairs that are moved as one are decided
    once; a ball that turns goes where its center goes.

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
    step = (last - first) / PIECES if resolution is None else read_number(resolution, "touching_intervals: resolution")
    if step <= 0.0 and (resolution is not None or last > first):
        raise ValueError(f"touching_intervals: resolution must be positive, got {step:g}")
    near = read_margin(margin, "touching_intervals")
    if first == last:
        pairs = scene.at(first).contacts(margin=near).pairs
        return TouchingIntervals(pairs, np.full(len(pairs), first), np.full(len(pairs), first), first, last)
    exact, least = ENDS * (last - first), 4.0 * np.spacing(max(abs(first), abs(last)))
    asked = Asked(first, last, max(step, least), exact, 2.0 * exact, near)
    rows = list(_searched(scene, asked))
    pairs, begin, end = (np.concatenate(parts) for parts in zip(*rows, strict=True))
    return TouchingIntervals(*_joined(pairs, begin, end, asked.gap), first, last)


class _Rows(NamedTuple):
    """Intervals in any order: of which pairs, elements (k, 2) or numbers (k,), and when they begin and end."""

    pairs: IntArray
    begin: FloatArray
    end: FloatArray


class _Pairs(NamedTuple):
    """Pairs of elements of two batches: which of each batch, by which chain each is moved, by how many of its moves."""

    a: Shape
    b: Shape
    rows: IntArray
    chains: IntArray
    counts: IntArray

    def part(self, index: IntArray) -> _Pairs:
        """Return some of them."""
        return _Pairs(self.a, self.b, self.rows[index], self.chains[index], self.counts[index])


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


def _searched(scene: Scene, asked: Asked) -> Iterator[_Rows]:
    """Yield the intervals of all pairs whose swept boxes overlap."""
    yield _Rows(np.zeros((0, 2), dtype=np.intp), np.zeros(0), np.zeros(0))
    groups = sorted(scene.groups, key=lambda group: group.shape.core_type)
    if not groups:
        return
    numbers = np.concatenate([elements for elements, _ in groups])
    chains, chain_of = _chains(scene, numbers)
    starts = np.cumsum([0, *(len(elements) for elements, _ in groups)])
    lower, upper = _swept(groups, starts, chains, chain_of, asked)
    # The rows of the boxes stand for elements in another order than the scene's.
    found = np.sort(Hierarchy(lower, upper).pairs(margin=asked.margin), axis=1)
    found = found[scene._world.ignored.keeps(np.sort(numbers[found], axis=1))]
    with np.errstate(invalid="ignore"):
        reach = np.maximum(np.abs(lower), np.abs(upper)).max(axis=1)
    slack = RESTING * np.where(np.isfinite(reach), reach, 0.0)[found].max(axis=1)
    owner = np.searchsorted(starts, found, side="right") - 1
    code = owner @ [len(groups), 1]
    for value in np.unique(code).tolist():
        index = np.flatnonzero(code == value)
        first, second = divmod(value, len(groups))
        a, b, rows = groups[first].shape, groups[second].shape, found[index]
        upright = np.full(len(index), CoreType.ALIGNED in (a.core_type, b.core_type))
        moved_by = chain_of[rows]
        counts = np.stack(chains.own(moved_by[:, 0], moved_by[:, 1], upright), axis=1)
        pairs = _Pairs(a, b, rows - starts[[first, second]], moved_by, counts)
        which, begin, end = _pairs_touching(pairs, chains, slack[index], asked)
        yield _Rows(np.sort(numbers[rows[which]], axis=1), begin, end)


def _chains(scene: Scene, numbers: IntArray) -> tuple[Chains, IntArray]:
    """Return the chains that move elements, the first of them empty, and the number of that of each element.

    What moves all of them last, and so as one, is left out.
    """
    chains, of = chains_of(scene)
    used = np.unique(of[numbers])
    upright = np.full(len(used), any(isinstance(shape, AABB) for _, shape in scene.groups))
    own = chains.own(used, np.full(len(used), used[0]), upright)[0]
    shared = int((chains.lengths[used] - own).min())
    kept = chains.lengths - np.where(np.isin(np.arange(len(chains.members)), used), shared, 0)
    return Chains([chains.of(k, count) for k, count in enumerate(kept.tolist())]), of[numbers]


def _swept(
    groups: Sequence[Group], starts: IntArray, chains: Chains, chain_of: IntArray, asked: Asked
) -> tuple[FloatArray, FloatArray]:
    """Return the lower and the upper corners (n, 3) of boxes around all places of the elements of groups."""
    lower, upper = np.empty((2, starts[-1], 3))
    for start, (elements, shape) in zip(starts.tolist(), groups, strict=False):
        own = chain_of[start : start + len(elements)]
        for number in np.unique(own).tolist():
            rows = np.flatnonzero(own == number)
            mover = Mover(shape[rows], chains.of(number, chains.lengths[number]))
            lower[start + rows], upper[start + rows] = mover.swept(mover.cuts(asked.start, asked.stop))
    return lower, upper


def _pairs_touching(pairs: _Pairs, chains: Chains, slack: FloatArray, asked: Asked) -> _Rows:
    """Return the intervals of pairs, by their rows."""
    moving = pairs.counts.any(axis=1)
    turning = chains.turns(pairs.chains[:, 0], pairs.counts[:, 0])
    turning |= chains.turns(pairs.chains[:, 1], pairs.counts[:, 1])
    walked = moving & (turning | (asked.margin > 0.0))
    parts = [_Rows(np.zeros(0, dtype=np.intp), np.zeros(0), np.zeros(0))]
    for rows, search in (
        (np.flatnonzero(~moving), _resting),
        (np.flatnonzero(moving & ~walked), _straight),
        (np.flatnonzero(walked), _walked),
    ):
        if len(rows):
            found = search(pairs.part(rows), chains, slack[rows], asked)
            parts.append(_Rows(rows[found.pairs], found.begin, found.end))
    return _Rows(*map(np.concatenate, zip(*parts, strict=True)))


def _resting(pairs: _Pairs, _: Chains, _slack: FloatArray, asked: Asked) -> _Rows:
    """Return the intervals of pairs of which nothing moves against the other: the whole time, or none."""
    a, b = pairs.a[pairs.rows[:, 0]], pairs.b[pairs.rows[:, 1]]
    near = signed_distance(a, b) <= asked.margin if asked.margin else intersects(a, b)
    rows = np.flatnonzero(near)
    return _Rows(rows, np.full(len(rows), asked.start), np.full(len(rows), asked.stop))


def _straight(pairs: _Pairs, chains: Chains, _: FloatArray, asked: Asked) -> _Rows:
    """Return the intervals of pairs of which nothing turns."""
    row, first, last = _pieces(pairs, chains, asked)
    found = []
    for begin in range(0, len(row), MANY):
        part = slice(begin, begin + MANY)
        which, start, stop = _swept_along(pairs.part(row[part]), chains, first[part], last[part])
        found.append(_Rows(row[part][which], start, stop))
    return _Rows(*map(np.concatenate, zip(*found, strict=True)))


def _swept_along(pairs: _Pairs, chains: Chains, first: FloatArray, last: FloatArray) -> _Rows:
    """Return the intervals of pairs that do not turn, by their rows, in a piece of time each without keyframes."""
    shapes, ways = [], []
    for k, shape in enumerate((pairs.a, pairs.b)):
        start, stop = (_offsets(pairs, k, chains, times) for times in (first, last))
        batch = shape[pairs.rows[:, k]]
        shapes.append((batch.translated(start), batch.translated(stop)))
        ways.append(stop - start)
    forth = sweep(shapes[0][0], shapes[1][0], motion=ways[0] - ways[1])
    back = sweep(shapes[0][1], shapes[1][1], motion=ways[1] - ways[0])
    begin, end = first + forth.fraction * (last - first), last - back.fraction * (last - first)
    # Where shapes graze, rounding may hide the touch from one side, or turn its ends around.
    begin, end = np.where(forth.hit, begin, end), np.where(back.hit, end, begin)
    hit = np.flatnonzero(forth.hit | back.hit)
    return _Rows(hit, np.minimum(begin, end)[hit], np.maximum(begin, end)[hit])


def _pieces(pairs: _Pairs, chains: Chains, asked: Asked) -> tuple[IntArray, FloatArray, FloatArray]:
    """Return pieces of time without keyframes: of which pair each is, and when it begins and ends."""
    found = []
    moved = np.concatenate([pairs.chains, pairs.counts], axis=1)
    kinds, kind = np.unique(moved, axis=0, return_inverse=True)
    order, ends = np.argsort(kind.ravel(), kind="stable"), np.cumsum(np.bincount(kind.ravel(), minlength=len(kinds)))
    for (a, b, count_a, count_b), rows in zip(kinds.tolist(), np.split(order, ends[:-1]), strict=True):
        moves = (*chains.of(a, count_a), *chains.of(b, count_b))
        cuts = keyframes(moves, asked.start, asked.stop)
        pieces = len(cuts) - 1
        found.append((np.repeat(rows, pieces), np.tile(cuts[:-1], len(rows)), np.tile(cuts[1:], len(rows))))
    row, first, last = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return row, first, last


def _offsets(pairs: _Pairs, side: int, chains: Chains, times: FloatArray) -> FloatArray:
    """Return how far the shapes of one side of pairs that do not turn are from where they rest, at a time each."""
    found = np.zeros((len(times), 3))
    kinds = pairs.chains[:, side] * (chains.lengths.max() + 1) + pairs.counts[:, side]
    for kind in np.unique(kinds).tolist():
        rows = np.flatnonzero(kinds == kind)
        for motion, pivot in chains.of(*divmod(kind, int(chains.lengths.max()) + 1)):
            found[rows] += motion.displacement(times[rows], pivot).position
    return found


def _walked(pairs: _Pairs, chains: Chains, slack: FloatArray, asked: Asked) -> _Rows:
    """Return the intervals of pairs of which something turns."""
    sides = []
    for k, shape in enumerate((pairs.a, pairs.b)):
        links = chains.first_links(pairs.chains[:, k], pairs.counts[:, k])
        sides.append(Linked(shape, pairs.rows[:, k], links, pairs.counts[:, k]))
    return _Rows(*touching_spans(sides[0], sides[1], chains.links, slack, asked))
