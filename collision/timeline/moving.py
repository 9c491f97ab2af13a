"""What moves elements of a scene: chains of motions, what two of them have in common, and what space they sweep."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from collision.base.cached import cached_property
from collision.base.fields import BoolArray, FloatArray, IntArray, length, to_bytes, turned
from collision.kernels.chains import ANGLE, AXES, AXIS, CENTER, LENGTH, LINK, OFFSET, START, WAY
from collision.kernels.table import CoreType
from collision.shapes.kinds import Shape
from collision.shapes.motion import Motion
from collision.shapes.quaternions import unit, vectors_between
from collision.shapes.transforms import Transform

#: So many places between two cuts are looked at to find the space that is swept where something turns.
SAMPLES = 16


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
        keys = unit(quaternions)
        same = np.all(quaternions[1:] == quaternions[:-1], axis=1)
        return np.where(same[:, None], 0.0, vectors_between(keys[:-1], keys[1:]))


class Chains:
    """The chains of a scene, by number.

    Parameters
    ----------
    chains : iterable of sequence of Turning
        What each carries out, in this order.

    Attributes
    ----------
    moves : list of Turning
        All that any of them has, once.
    members : list of tuple of int
        The numbers of those that each has.
    """

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

        The last ones that both have in common move it as one. Boxes that are kept upright as they turn are not carried
        along as they are, so that only what does not turn is left out.

        Parameters
        ----------
        a, b : ndarray of int, shape (k,)
            Numbers of chains.
        upright : ndarray of bool, shape (k,)
            Whether one is such a box.
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

    def turns(self, numbers: IntArray, counts: IntArray) -> BoolArray:
        """Tell whether any of the first so many moves of chains turns."""
        rows = np.cumsum(self._turning[self._table], axis=1)
        before = np.concatenate([np.zeros((len(rows), 1), dtype=rows.dtype), rows], axis=1)
        return np.asarray(before[numbers, counts] > 0)

    @cached_property
    def links(self) -> FloatArray:
        """The links of all moves, (n, LINK)."""
        return np.concatenate([np.zeros((0, LINK)), *(move.links() for move in self.moves)])

    @cached_property
    def _first_links(self) -> IntArray:
        """The first link of each move."""
        return np.cumsum([0, *(len(move.motion.times) + 1 for move in self.moves)])

    def first_links(self, numbers: IntArray, counts: IntArray) -> IntArray:
        """Return the first link of each of the first so many moves of chains, one after the other."""
        taken = np.arange(self._table.shape[1]) < counts[:, None]
        return self._first_links[self._table[numbers][taken]]


class Mover:
    """Elements of one kind that make the same moves, one after the other.

    Parameters
    ----------
    shape : Shape
        The elements at rest, as a flat batch.
    moves : tuple of Turning
        None for elements that rest.
    """

    def __init__(self, shape: Shape, moves: tuple[Turning, ...]) -> None:
        self.shape = shape
        self.moves = moves

    def displacement(self, times: FloatArray) -> Transform:
        """Return where the elements are taken at each of some times."""
        return displaced(self.moves, times)

    def at(self, times: FloatArray) -> Shape:
        """Return the elements at times, the axes of which broadcast with those of the elements."""
        return self.shape.transformed(self.displacement(times)) if self.moves else self.shape

    def cuts(self, start: float, stop: float) -> FloatArray:
        """Return the times of keyframes between two times, and these two."""
        return keyframes(self.moves, start, stop)

    def limits(self, cuts: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return bounds on the speed and on the acceleration of all points of each core between cuts, all keyframes.

        A motion that turns at a rate w what is itself no faster than v and accelerated by no more than a adds 2 w v,
        and w² times the distance from its pivot; that is as large as at the start and as far as the motions before have
        moved it since, at most. What goes in a straight line only adds to the speed. A radius is not turned.

        Returns
        -------
        speed, acceleration : ndarray, shape (len(cuts) - 1, n)
            Infinite for what has no end and turns.
        """
        time = np.diff(cuts)[:, None]
        reach, middle = self._reach()
        place = np.broadcast_to(middle, (len(time), *middle.shape))
        speed, found = np.zeros((2, *place.shape[:2]))
        for motion, pivot in self.moves:
            move = motion.displacement(cuts, pivot)
            axes = np.broadcast_to(move.axes, (len(cuts), 3, 3))
            slide = motion.displacement(cuts, np.zeros(3)).position
            turn = _angles(axes)[:, None] / time
            away = length(place - pivot) + reach + speed * time
            # What turns by nothing is not moved by it, however far away it reaches.
            with np.errstate(invalid="ignore"):
                found = np.where(turn > 0.0, found + turn * (2.0 * speed + turn * away), found)
                speed = speed + length(np.diff(slide, axis=0))[:, None] / time
                speed = np.where(turn > 0.0, speed + turn * away, speed)
            place = Transform(move.position[:-1, None], axes[:-1, None]).apply(place)
        return np.asarray(speed), np.asarray(found)

    def _reach(self) -> tuple[FloatArray | float, FloatArray]:
        """Return how far the points of each core are from a middle at most, and the middles (n, 3)."""
        if not self.shape.bounded:
            return np.inf, np.asarray(self.shape.core.operands[0])
        ball = self.shape.bounding_sphere()
        return (0.0 if self.shape.core_type == CoreType.POINT else ball.radius), ball.center

    def swept(self, cuts: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return lower and upper corners (n, 3) of boxes around all places of each element."""
        if not self.shape.bounded:
            whole = np.full((len(self.shape), 3), np.inf)
            return -whole, whole
        if not self.moves:
            return self.shape.corners()
        bend = self.limits(cuts)[1]
        lower, upper = self.at(cuts[:1, None]).corners()
        lower, upper = lower[0], upper[0]
        for piece, hard in enumerate(bend):
            count = SAMPLES if hard.any() else 1
            times = np.linspace(cuts[piece], cuts[piece + 1], count + 1)
            # Between two places that were looked at, no point is farther than this from the line through them.
            slack = 0.125 * hard[:, None] * (times[1] - times[0]) ** 2
            low, high = self.at(times[:, None]).corners()
            lower = np.minimum(lower, low.min(axis=0) - slack)
            upper = np.maximum(upper, high.max(axis=0) + slack)
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
    return np.unique(np.concatenate([[start, stop], *inside]))


def _angles(axes: FloatArray) -> FloatArray:
    """Return the angles between each of some rotation matrices and the next."""
    chord = np.sqrt(np.sum(np.diff(axes, axis=0) ** 2, axis=(-1, -2)) / 8.0)
    return np.asarray(2.0 * np.arcsin(np.minimum(chord, 1.0)))
