"""Pairs of a moving scene: where their shapes are at a time, and what is certain about the times between.

The signed distance of two convex shapes is the largest gap along any direction: how far apart two planes at right
angles to it are, each of which just touches one shape. Along a direction that is kept, the gap is the least over all
pairs of points; each of these moves almost in a straight line, from which its acceleration leads it away by no more
than an eighth of the bound times the square of the time. So the gap at two times bounds it from below between them:
along the normal of the first time and along that of the second. How fast points move gives another bound, which also
holds from above.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from collision.base.fields import BoolArray, FloatArray, IntArray
from collision.queries.separation import separate
from collision.scene.scene import Scene
from collision.shapes.balls import extreme_points
from collision.shapes.kinds import AABB, HalfSpace, Line
from collision.shapes.motion import Motion
from collision.shapes.rotations import KnownQuaternions
from collision.shapes.shape import Shape
from collision.shapes.transforms import Transform
from collision.timeline.moving import Chains, Mover, Turning, displaced, keyframes

#: A direction that is less out of the plane of a line's or a half-space's sides than this is in it, but for rounding.
_IN_PLANE = 1e-14

#: What is turned and kept upright grows and shrinks along three axes at once.
_UPRIGHT = np.sqrt(3.0)


class Moment(NamedTuple):
    """Some pairs, each at a time: how far apart they are, and where both shapes have been taken.

    Attributes
    ----------
    gap, size : ndarray, shape (k,)
    normal : ndarray, shape (k, 3)
    place_a, place_b : ndarray, shape (k, 3)
    axes_a, axes_b : ndarray, shape (k, 3, 3)
    """

    gap: FloatArray
    size: FloatArray
    normal: FloatArray
    place_a: FloatArray
    axes_a: FloatArray
    place_b: FloatArray
    axes_b: FloatArray

    def rows(self, index: IntArray | BoolArray) -> Moment:
        """Return some of them."""
        return Moment._make(part[index] for part in self)


class Pieces(NamedTuple):
    """Pieces of time without keyframes: of which pair, from when to when, and the bounds on its relative motion."""

    row: IntArray
    start: FloatArray
    stop: FloatArray
    speed: FloatArray
    bend: FloatArray


class Tracks:
    """Pairs of elements of a scene that moves.

    Parameters
    ----------
    scene : Scene
        With its motion, or without one.
    pairs : ndarray of int, shape (k, 2)
        None of the elements hidden.
    """

    def __init__(self, scene: Scene, pairs: IntArray) -> None:
        self.pairs = pairs
        self._groups = scene.groups
        self._places = np.full((scene.element_count, 2), -1)
        for number, (elements, _) in enumerate(self._groups):
            self._places[elements, 0], self._places[elements, 1] = number, np.arange(len(elements))
        self._outlines = [Outline(shape) for _, shape in self._groups]
        chains, chain_of = chains_of(scene)
        upright = np.array([isinstance(shape, AABB) for _, shape in self._groups], dtype=bool)
        any_upright = upright[self._places[pairs, 0]].any(axis=1) if len(pairs) else np.zeros(0, dtype=bool)
        numbers = chain_of[pairs]
        counts = chains.own(numbers[:, 0], numbers[:, 1], any_upright)
        codes = np.stack([numbers, np.stack(counts, axis=1)], axis=2).reshape(-1, 2)
        kinds, of = np.unique(codes, axis=0, return_inverse=True)
        self._moves: list[tuple[Turning, ...]] = [chains.of(*kind) for kind in kinds.tolist()]
        self._moved_by = of.reshape(-1, 2)
        for side in (0, 1):
            self._rest_endless(side)

    def _rest_endless(self, side: int) -> None:
        """Let what has no end and turns rest, in pairs with what has one: its points are faster than any bound.

        The other shape makes its own moves, and then those of the first the other way round. Boxes that are kept
        upright in the world would not be so there; for these no bound is known.
        """
        endless = np.array([not shape.bounded for _, shape in self._groups], dtype=bool)
        rigid = np.array([shape.bounded and not isinstance(shape, AABB) for _, shape in self._groups], dtype=bool)
        turns = np.array([any(move.motion.turns for move in moves) for moves in self._moves], dtype=bool)
        here, there = (self._places[self.pairs[:, k], 0] for k in (side, 1 - side))
        rows = np.flatnonzero(endless[here] & rigid[there] & turns[self._moved_by[:, side]])
        known: dict[tuple[int, int], int] = {}
        for row in rows.tolist():
            mine, other = int(self._moved_by[row, side]), int(self._moved_by[row, 1 - side])
            if (mine, other) not in known:
                known[mine, other] = len(self._moves)
                self._moves.append((*self._moves[other], *backwards(self._moves[mine])))
            self._moved_by[row, 1 - side] = known[mine, other]
        if len(rows):
            self._moves.append(())
            self._moved_by[rows, side] = len(self._moves) - 1

    def pieces(self, start: float, stop: float) -> Pieces:
        """Return the pieces of time that each pair has between two times."""
        both, which = np.unique(self._moved_by, axis=0, return_inverse=True)
        found = []
        for number, (a, b) in enumerate(both.tolist()):
            rows = np.flatnonzero(which.ravel() == number)
            cuts = keyframes((*self._moves[a], *self._moves[b]), start, stop)
            if len(cuts) < 2:
                cuts = np.array([start, stop])
            limits = [self._limits(self.pairs[rows, side], moves, cuts) for side, moves in enumerate((a, b))]
            speed, bend = (one + other for one, other in zip(*limits, strict=True))
            count = len(cuts) - 1
            found.append((np.repeat(rows, count), np.tile(cuts[:-1], len(rows)), np.tile(cuts[1:], len(rows)),
                          speed.T.ravel(), bend.T.ravel()))  # fmt: skip
        return Pieces._make(np.concatenate(parts) for parts in zip(*found, strict=True))

    def _limits(self, elements: IntArray, moves: int, cuts: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return bounds on speed and acceleration (pieces, n) of elements that make the same moves."""
        speed, bend = np.zeros((2, len(cuts) - 1, len(elements)))
        if not self._moves[moves] or cuts[0] == cuts[-1]:
            return speed, bend
        for number, rows, inner in self._by_group(elements):
            own = Mover(self._groups[number].shape[inner], self._moves[moves]).limits(cuts)
            grown = _UPRIGHT if self._outlines[number].upright else 1.0
            speed[:, rows], bend[:, rows] = grown * own[0], grown * own[1]
        return speed, bend

    def _by_group(self, elements: IntArray) -> list[tuple[int, IntArray, IntArray]]:
        """Return the groups of some elements: which, which of the elements, and their rows in it."""
        group, inner = self._places[elements].T
        found = ((number, np.flatnonzero(group == number)) for number in np.unique(group).tolist())
        return [(number, rows, inner[rows]) for number, rows in found]

    # -- moments ------------------------------------------------------------------------------------------------------

    def at(self, rows: IntArray, times: FloatArray) -> Moment:
        """Return pairs at a time each."""
        places = [self._placed(self._moved_by[rows, side], times) for side in (0, 1)]
        gap, size, normal = np.empty(len(rows)), np.empty(len(rows)), np.empty((len(rows), 3))
        pairs = self.pairs[rows]
        parts = [self._by_group(pairs[:, side]) for side in (0, 1)]
        for group_a, rows_a, _ in parts[0]:
            for group_b, rows_b, _ in parts[1]:
                here = np.intersect1d(rows_a, rows_b, assume_unique=True)
                if not len(here):
                    continue
                a, b = (
                    self._taken(group, pairs[here, side], places[side][0][here], places[side][1][here])
                    for side, group in enumerate((group_a, group_b))
                )
                found = separate(a, b, here.shape)
                gap[here], size[here], normal[here] = found.signed_distance, found.size, found.normal
        return Moment(gap, size, normal, *places[0], *places[1])

    def _placed(self, moved_by: IntArray, times: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return where what makes some moves is taken: positions (k, 3) and axes (k, 3, 3)."""
        place, axes = np.zeros((len(times), 3)), np.tile(np.eye(3), (len(times), 1, 1))
        for number in np.unique(moved_by).tolist():
            if self._moves[number]:
                here = np.flatnonzero(moved_by == number)
                found = displaced(self._moves[number], times[here])
                place[here], axes[here] = found.position, found.axes
        return place, axes

    def _taken(self, group: int, elements: IntArray, place: FloatArray, axes: FloatArray) -> Shape:
        shape = self._groups[group].shape[self._places[elements, 1]]
        if not place.any() and np.array_equal(axes, np.broadcast_to(np.eye(3), axes.shape)):
            return shape
        return shape.transformed(Transform(place, axes))

    def gap_along(self, rows: IntArray, moment: Moment, normal: FloatArray) -> FloatArray:
        """Return the gap of pairs along directions (k, 3); minus infinity where one of them has no end that way."""
        pairs = self.pairs[rows]
        reach = self._reach(pairs[:, 0], normal, moment.place_a, moment.axes_a)
        return np.asarray(-reach - self._reach(pairs[:, 1], -normal, moment.place_b, moment.axes_b))

    def _reach(self, elements: IntArray, normal: FloatArray, place: FloatArray, axes: FloatArray) -> FloatArray:
        found = np.empty(len(elements))
        for number, rows, inner in self._by_group(elements):
            found[rows] = self._outlines[number].reach(inner, normal[rows], axes[rows])
        return np.asarray(found + np.sum(normal * place, axis=1))


class Outline:
    """How far the elements of a batch reach along directions.

    Parameters
    ----------
    shape : Shape
        A flat batch, at rest.
    """

    def __init__(self, shape: Shape) -> None:
        self._shape = shape
        #: Whether the shapes are kept upright where they are turned.
        self.upright = isinstance(shape, AABB)
        if isinstance(shape, AABB):
            self._middle, self._half = shape.center, shape.half_extents
        elif shape.bounded:
            points, radius = extreme_points(shape)
            self._points = np.stack([np.broadcast_to(point, (len(shape), 3)) for point in points], axis=1)
            self._radius = np.broadcast_to(radius, len(shape))
        else:
            self._origin, self._way = (np.broadcast_to(part, (len(shape), 3)) for part in shape.core.operands[:2])

    def reach(self, inner: IntArray, normal: FloatArray, axes: FloatArray) -> FloatArray:
        """Return how far elements that are turned by axes reach along directions; infinity where they have no end."""
        own = np.einsum("kij,ki->kj", axes, normal)  # the direction as the shape at rest has it
        if self.upright:
            half = np.einsum("kij,kj->ki", np.abs(axes), self._half[inner])
            return np.asarray(np.sum(own * self._middle[inner], axis=1) + np.sum(np.abs(normal) * half, axis=1))
        if self._shape.bounded:
            along = np.einsum("kpi,ki->kp", self._points[inner], own)
            return np.asarray(along.max(axis=1) + self._radius[inner])
        way = self._way[inner]
        if isinstance(self._shape, HalfSpace):
            endless = np.abs(own - way).max(axis=1) > _IN_PLANE
        else:
            rise = np.sum(own * way, axis=1)
            endless = (np.abs(rise) if isinstance(self._shape, Line) else rise) > _IN_PLANE
        return np.where(endless, np.inf, np.sum(own * self._origin[inner], axis=1))


def backwards(moves: Sequence[Turning]) -> tuple[Turning, ...]:
    """Return the moves that take back what some moves do: each turns back after it has moved back."""
    found: list[Turning] = []
    for motion, pivot in reversed(moves):
        found.append(Turning(Motion(motion.shape, motion.times, -motion.offsets), pivot))
        if motion.turns:
            turned_back = KnownQuaternions(motion.rotations * [-1.0, -1.0, -1.0, 1.0])
            found.append(Turning(Motion(motion.shape, motion.times, rotations=turned_back), pivot))
    return tuple(found)


def chains_of(scene: Scene) -> tuple[Chains, IntArray]:
    """Return the chains that move elements, the first of them empty, and the number of that of each element."""
    movers = scene._movers
    of: IntArray = np.zeros(scene.element_count, dtype=np.intp)
    for number, chain in enumerate(movers.chains):
        of[chain.elements] = number + 1
    moves = [tuple(Turning(s.motion, movers.pivot(s, scene)) for s in chain.steps) for chain in movers.chains]
    return Chains([(), *moves]), of
