"""The elements of a scene that moves, as cores and links: what moves each, and what that of two has in common."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from collision.base.cached import cached_property
from collision.base.fields import BoolArray, FloatArray, IntArray, length, to_bytes, turned
from collision.kernels.chains import ANGLE, AXES, AXIS, CENTER, LENGTH, LINK, OFFSET, START, WAY
from collision.queries.moving import BOX_PARTS, Linked, MovingCores
from collision.scene.scene import Scene, movers_of
from collision.shapes.kinds import AABB
from collision.shapes.motion import Motion
from collision.shapes.rotations import unit_quaternions, vectors_between
from collision.shapes.rows import core_rows
from collision.shapes.transforms import Transform


class Turning(NamedTuple):
    """A motion, and the point that it turns about."""

    motion: Motion
    pivot: FloatArray

    @property
    def values(self) -> tuple[bytes, ...]:
        """What tells it from those that move otherwise."""
        motion = self.motion
        arrays = (motion.times, motion.offsets, *((motion.rotations, self.pivot) if motion.turns else ()))
        return tuple(map(to_bytes, arrays))

    def links(self) -> FloatArray:
        """Return it as links (n, LINK): one before the first keyframe, one between each two, one without end."""
        times, offsets = self.motion.times, self.motion.offsets
        links = np.zeros((len(times) + 1, LINK))
        links[:, START], links[:, LENGTH] = np.append(times[0] - 1.0, times), 1.0
        links[1:-1, LENGTH], links[-1, LENGTH] = np.diff(times), np.inf
        if self.motion.turns:  # else a center is in the way of exact positions
            links[:, CENTER : CENTER + 3] = self.pivot
        links[:, OFFSET : OFFSET + 3] = np.concatenate([offsets[:1], offsets])
        links[1:-1, WAY : WAY + 3] = np.diff(offsets, axis=0)
        links[:, AXES : AXES + 9], links[:, AXIS + 2] = np.eye(3).ravel(), 1.0
        if self.motion.turns:
            axes = self.motion.displacement(times, self.pivot).axes
            links[:, AXES : AXES + 9] = np.concatenate([axes[:1], axes]).reshape(-1, 9)
            vectors = self._turns()
            links[1:-1, ANGLE] = angle = length(vectors)
            spins = np.flatnonzero(angle)
            links[1 + spins, AXIS : AXIS + 3] = turned(axes[spins], vectors[spins] / angle[spins, None])
        return links

    def _turns(self) -> FloatArray:
        """Return rotation vectors from each keyframe to the next, in the axes of the first."""
        quaternions = self.motion.rotations
        keys = unit_quaternions(quaternions)
        same = np.all(quaternions[1:] == quaternions[:-1], axis=1)
        return np.where(same[:, None], 0.0, vectors_between(keys[:-1], keys[1:]))


class Chains:
    """The chains of a scene by number: all moves that any of them has, once, and the numbers of each one's moves."""

    def __init__(self, chains: Iterable[Sequence[Turning]]) -> None:
        known: dict[tuple[bytes, ...], int] = {}
        self.moves: list[Turning] = []
        self.members: list[tuple[int, ...]] = []
        for chain in chains:
            numbers = []
            for move in chain:
                numbers.append(known.setdefault(move.values, len(known)))
                if numbers[-1] == len(self.moves):
                    self.moves.append(move)
            self.members.append(tuple(numbers))

    def of(self, number: int, count: int) -> tuple[Turning, ...]:
        """Return the first so many moves of a chain."""
        return tuple(self.moves[k] for k in self.members[number][:count])

    @cached_property
    def lengths(self) -> IntArray:
        """How many moves each has."""
        return np.array([*map(len, self.members)], dtype=np.intp)

    @cached_property
    def _table(self) -> IntArray:
        """The members, a row each; the number after all others stands for none."""
        table = np.full((len(self.members), self.lengths.max(initial=0)), len(self.moves))
        for row, members in zip(table, self.members, strict=True):
            row[: len(members)] = members
        return table

    @cached_property
    def _turning(self) -> BoolArray:
        """Which moves turn; after these, what stands for none."""
        return np.array([*(move.motion.turns for move in self.moves), False])

    def own(self, a: IntArray, b: IntArray, upright: BoolArray) -> tuple[IntArray, IntArray]:
        """Return how many moves of two chains each change anything between what they carry.

        The last ones that both have in common move it as one, except for boxes that are kept upright as they turn.
        """
        own_a, own_b = self.lengths[a], self.lengths[b]
        left: IntArray = np.flatnonzero((own_a > 0) & (own_b > 0))
        while len(left):
            last_a, last_b = (self._table[n[left], own[left] - 1] for n, own in ((a, own_a), (b, own_b)))
            left = left[(last_a == last_b) & ~(upright[left] & self._turning[last_a])]
            own_a[left] -= 1
            own_b[left] -= 1
            left = left[(own_a[left] > 0) & (own_b[left] > 0)]
        return own_a, own_b

    @cached_property
    def links(self) -> FloatArray:
        """The links of all moves, (n, LINK)."""
        return np.concatenate([np.zeros((0, LINK)), *(move.links() for move in self.moves)])

    @cached_property
    def _first_links(self) -> IntArray:
        """The first link of each move."""
        return np.cumsum([0, *(len(move.motion.times) + 1 for move in self.moves)])

    def moves_of(self, links: IntArray) -> list[Turning]:
        """Return the moves that have some links for their first."""
        return [self.moves[k] for k in np.searchsorted(self._first_links, links).tolist()]

    def first_links(self, numbers: IntArray, counts: IntArray) -> IntArray:
        """Return the first link of each of the first so many moves of chains, one after the other."""
        taken = np.arange(self._table.shape[1]) < counts[:, None]
        return self._first_links[self._table[numbers][taken]]


def chains_of(scene: Scene) -> tuple[Chains, IntArray]:
    """Return the chains that move elements, the first of them empty, and the number of that of each element."""
    movers = movers_of(scene)
    of: IntArray = np.zeros(scene.element_count, dtype=np.intp)
    for number, chain in enumerate(movers.chains):
        of[chain.elements] = number + 1
    moves = [tuple(Turning(s.motion, movers.pivot(s, scene)) for s in chain.steps) for chain in movers.chains]
    return Chains([(), *moves]), of


class MovingElements:
    """The elements of a scene that are not hidden, their chains, and the links that move them.

    What moves all of them last moves them as one, and is left out. `row_of` tells where each element of the scene is.
    """

    def __init__(self, scene: Scene) -> None:
        groups = scene.groups
        self.numbers: IntArray = np.concatenate([np.zeros(0, dtype=np.intp), *(elements for elements, _ in groups)])
        self.row_of: IntArray = np.full(scene.element_count, -1)
        self.row_of[self.numbers] = np.arange(len(self.numbers))
        self.chains, of = chains_of(scene)
        self._chain: IntArray = of[self.numbers]
        self._upright: BoolArray = np.concatenate(
            [np.zeros(0, dtype=bool), *(np.full(len(elements), isinstance(shape, AABB)) for elements, shape in groups)]
        )
        self.cores = MovingCores(core_rows([shape for _, shape in groups]), self.chains.links)

    @cached_property
    def own_counts(self) -> IntArray:
        """How many moves of its chain each element makes that not all of them make last."""
        used = np.unique(self._chain)
        if not len(used):
            return self._chain
        upright = np.full(len(used), self._upright.any())
        own = self.chains.own(used, np.full(len(used), used[0]), upright)[0]
        return self.chains.lengths[self._chain] - int((self.chains.lengths[used] - own).min())

    def moves(self, row: int) -> tuple[Turning, ...]:
        """Return what moves one of the elements."""
        return self.chains.of(int(self._chain[row]), int(self.own_counts[row]))

    def pairs(self, pairs: IntArray) -> tuple[Linked, Linked]:
        """Return both sides of pairs (k, 2) of rows, moved by what changes anything between the two."""
        a, b = self._chain[pairs].T
        counts = self.chains.own(a, b, np.any(self._upright[pairs], axis=1))
        return self._linked(pairs[:, 0], counts[0]), self._linked(pairs[:, 1], counts[1])

    def _linked(self, rows: IntArray, counts: IntArray) -> Linked:
        return Linked.of(rows, self.chains.first_links(self._chain[rows], counts), counts)

    def pieces(self, pairs: IntArray, start: float, stop: float) -> tuple[IntArray, FloatArray, FloatArray]:
        """Return pieces of time without keyframes: of which of some pairs each is, and when it begins and ends."""
        a, b = self.pairs(pairs)
        moved = np.stack([self._chain[pairs[:, 0]], a.counts, self._chain[pairs[:, 1]], b.counts], axis=1)
        found = [(np.zeros(0, dtype=np.intp), np.zeros(0), np.zeros(0))]
        kinds, kind = np.unique(moved, axis=0, return_inverse=True)
        for number, (chain_a, count_a, chain_b, count_b) in enumerate(kinds.tolist()):
            rows = np.flatnonzero(kind.ravel() == number)
            cuts = keyframes((*self.chains.of(chain_a, count_a), *self.chains.of(chain_b, count_b)), start, stop)
            found.append((np.repeat(rows, len(cuts) - 1), np.tile(cuts[:-1], len(rows)), np.tile(cuts[1:], len(rows))))
        row, first, last = (np.concatenate(parts) for parts in zip(*found, strict=True))
        return row, first, last

    def boxes(self, start: float, stop: float) -> tuple[FloatArray, FloatArray]:
        """Return the lower and the upper corners (n, 3) of boxes around all positions of each element."""
        count = len(self.numbers)
        linked = self._linked(np.arange(count), self.own_counts)
        lower, upper, _ = self.cores.boxes(linked, np.full(count, start), np.full(count, stop), BOX_PARTS)
        return lower, upper


def displaced(moves: Iterable[Turning], times: FloatArray) -> Transform:
    """Return where some moves, one after the other, take what makes them at each of some times."""
    found = Transform(np.zeros((*times.shape, 3)))
    for motion, pivot in moves:
        found = motion.displacement(times, pivot) @ found
    return found


def keyframes(moves: Iterable[Turning], start: float, stop: float) -> FloatArray:
    """Return the times of the keyframes of some moves between two times, and these two."""
    keys = [motion.times for motion, _ in moves]
    inside = [times[(times > start) & (times < stop)] for times in keys]
    return np.array([start, *np.unique(np.concatenate([np.zeros(0), *inside])), stop])
