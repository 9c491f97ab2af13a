"""Shapes that chains of links move: when two of them touch, how far apart they are, and where they come to."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from collision.base.fields import BoolArray, FloatArray, IntArray, check_broadcast
from collision.kernels.chains import ANGLE, AXES, AXIS, CENTER, LENGTH, LINK, OFFSET, START, WAY
from collision.kernels.core import ROW, SEARCH_ROWS, CoreRows
from collision.kernels.impact import FIRST_TOUCH, INTERVALS, LOOP, RANGE, SWEPT_BOXES, IntervalSearch
from collision.native import ADDRESSES, Loop, address, in_parts, table
from collision.shapes.kinds import Shape
from collision.shapes.rotations import rotation_between
from collision.shapes.rows import core_rows, spread
from collision.shapes.transforms import Transform

#: Into so many parts a way is cut to find boxes around it.
BOX_PARTS = 16

#: The intervals of a pair for which there is memory at first. Those of the few pairs that have more are counted, and
#: found again.
_FIRST_CAPACITY = 4

#: Pairs whose intervals are searched in one go, which bounds the memory.
_PAIRS_AT_ONCE = 1 << 14

#: The pairs that are worth a thread of their own.
_THREAD_GRAIN = 64


class PlacementPath:
    """How a shape goes from one placement to another of the same scale, about a pivot that goes straight."""

    def __init__(self, shape: Shape, start: Transform, end: Transform, pivot: FloatArray) -> None:
        self._given = shape, start, end, pivot
        scaled = np.any(start.scale != 1.0)
        self.shape = shape.transformed(Transform(scale=start.scale)) if scaled else shape
        self._start, self._end = (Transform(one.position, one.axes) for one in (start, end))
        self._pivot = pivot * start.scale if scaled else pivot
        self.batch_shape = check_broadcast(
            "sweep", start=start.batch_shape, end=end.batch_shape, pivot=pivot.shape[:-1]
        )
        turns = np.any(start.axes != end.axes, axis=(-1, -2))
        self.turns = np.broadcast_to(turns, self.batch_shape).ravel()

    def at_start(self) -> Shape:
        """Return the shape where it starts."""
        return self.shape.transformed(self._start)

    def way(self) -> FloatArray:
        """Return how far it goes where it does not turn, (..., 3)."""
        return np.asarray(self._end.position - self._start.position)

    def spread(self, rows: IntArray, lead: tuple[int, ...]) -> PlacementPath:
        """Return flat batches: rows of a flat batch of shapes, and the ways spread over joint batch axes."""
        shape, start, end, pivot = self._given
        begin, last = (
            Transform(
                np.broadcast_to(t.position, (*lead, 3)).reshape(-1, 3),
                np.broadcast_to(t.axes, (*lead, 3, 3)).reshape(-1, 3, 3),
                np.broadcast_to(t.scale, (*lead, 3)).reshape(-1, 3),
            )
            for t in (start, end)
        )
        return PlacementPath(shape[rows], begin, last, np.broadcast_to(pivot, (*lead, 3)).reshape(-1, 3))

    def picked(self, rows: IntArray) -> PlacementPath:
        """Return some of flat batches of shapes and ways."""
        return PlacementPath(self.shape[rows], self._start[rows], self._end[rows], self._pivot[rows])

    def links(self) -> FloatArray:
        """Return links (2 n, LINK), two for every element of the batch axes: from time 0 to 1, and after."""
        links = np.zeros((*self.batch_shape, 2, LINK))
        start, end = self._start.apply(self._pivot), self._end.apply(self._pivot)
        axis, angle = rotation_between(self._start.axes, self._end.axes)
        links[..., 1, START] = 1.0
        links[..., LENGTH] = 1.0, np.inf
        links[..., CENTER : CENTER + 3] = self._pivot[..., None, :]
        links[..., AXIS : AXIS + 3] = axis[..., None, :]
        for k, (placement, position) in enumerate(((self._start, start), (self._end, end))):
            links[..., k, OFFSET : OFFSET + 3] = position - self._pivot
            links[..., k, AXES : AXES + 9] = placement.axes.reshape(*placement.axes.shape[:-2], 9)
        links[..., 0, WAY : WAY + 3], links[..., 0, ANGLE] = end - start, angle
        return links.reshape(-1, LINK)

    def boxes(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the corners (n, m, 3) of boxes around shapes in m parts of their ways, and the speeds (n,).

        A speed bounds how far any point goes; of an upright box how far the coordinates of its corners change.
        """
        count = len(self.turns)
        parts = BOX_PARTS if self.shape.bounded else 1
        rows, times = np.repeat(np.arange(count), parts), np.arange(parts + 1) / parts
        linked = Linked.of(rows, 2 * rows, np.ones(len(rows), dtype=np.intp))
        cores = MovingCores(core_rows([self.shape]), self.links())
        lower, upper, speed = cores.boxes(linked, np.tile(times[:-1], count), np.tile(times[1:], count), 1)
        boxes = lower.reshape(count, parts, 3), upper.reshape(count, parts, 3)
        return *boxes, speed.reshape(count, parts).max(axis=1)


class Linked(NamedTuple):
    """Elements (rows of cores), and the chains of links that move them, each chain innermost first."""

    elements: IntArray
    links: IntArray
    counts: IntArray
    starts: IntArray

    @classmethod
    def of(cls, elements: IntArray, links: IntArray, counts: IntArray) -> Linked:
        """Return elements with the links of each, one after the other."""
        return cls(elements, links, counts, np.cumsum(counts) - counts)

    def rows(self, rows: IntArray) -> Linked:
        """Return some of them."""
        counts = self.counts[rows]
        return Linked.of(
            self.elements[rows], self.links[np.repeat(self.starts[rows], counts) + _within(counts)], counts
        )


class Ranges(NamedTuple):
    """The signed distances (k,) of pairs at two times each, bounds on those between, and where to look next (0 to 1).

    Bounds are infinite where nothing is known; `size` is what rounding is relative to, `normal` that at the first time.
    """

    first: FloatArray
    last: FloatArray
    least: FloatArray
    most: FloatArray
    cut: FloatArray
    size: FloatArray
    normal: FloatArray


class MovingCores:
    """Cores as they are before they are moved, and the links (l, LINK) of all motions: questions to them over time."""

    def __init__(self, cores: CoreRows, links: FloatArray) -> None:
        self.cores, self.links = cores, np.ascontiguousarray(links)

    def first_touches(self, a: Linked, b: Linked) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Return fractions (NaN for a miss), points and normals of first touches, of chains of one link."""
        count = len(a.counts)
        fraction, steps, point, normal = *np.empty((2, count)), *np.empty((2, count, 3))
        swapped = self._run_loop(LOOP, FIRST_TOUCH, (a, b), (), (), (fraction, point, normal, steps))
        normal[swapped] = 0.0 - normal[swapped]
        return fraction, point, normal, steps

    def intervals(
        self, a: Linked, b: Linked, slack: FloatArray, search: IntervalSearch
    ) -> tuple[IntArray, FloatArray, FloatArray]:
        """Return when pairs are apart by no more than the slack: their rows, and both ends of each interval."""
        found, none, settings = [(np.zeros(0, dtype=np.intp), np.zeros(0), np.zeros(0))], np.zeros(0), np.array(search)
        for first in range(0, len(slack), _PAIRS_AT_ONCE):
            rows = np.arange(first, min(first + _PAIRS_AT_ONCE, len(slack)))
            capacity = np.full(len(rows), _FIRST_CAPACITY)
            while len(rows):
                starts, counts = np.concatenate([[0], np.cumsum(capacity)]), np.empty(len(rows), dtype=np.int64)
                begin, end = np.empty((2, starts[-1]))
                pairs, numbers = (a.rows(rows), b.rows(rows)), (none, none, slack[rows], settings)
                self._run_loop(LOOP, INTERVALS, pairs, numbers, (starts, counts), (begin, end))
                done = counts <= capacity
                kept = np.where(done, counts, 0)
                index = np.repeat(starts[:-1], kept) + _within(kept)
                found.append((np.repeat(rows, kept), begin[index], end[index]))
                rows, capacity = rows[~done], counts[~done]
        which, begin, end = (np.concatenate(parts) for parts in zip(*found, strict=True))
        return which, begin, end

    def ranges(self, a: Linked, b: Linked, start: FloatArray, stop: FloatArray) -> Ranges:
        """Return the distances of pairs at two times each, without keyframes between, and bounds on those between."""
        found = Ranges._make([*np.empty((6, len(start))), np.empty((len(start), 3))])
        swapped = self._run_loop(LOOP, RANGE, (a, b), (start, stop), (), found)
        found.normal[swapped] = 0.0 - found.normal[swapped]
        return found

    def boxes(
        self, one: Linked, start: FloatArray, stop: FloatArray, parts: int
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the corners of boxes around elements between two times each, and bounds on their points' speeds.

        The more parts a piece of time without keyframes is taken in where something turns, the closer the boxes are.
        """
        lower, upper, speed = *np.empty((2, len(start), 3)), np.empty(len(start))
        self._run_loop(SWEPT_BOXES, parts, (one,), (start, stop), (), (lower, upper, speed))
        return lower, upper, speed

    def _run_loop(
        self, loop: Loop, task: int, sides: tuple[Linked, ...], numbers: Sequence[FloatArray],
        indices: Sequence[IntArray], out: Sequence[FloatArray],
    ) -> BoolArray:  # fmt: skip
        """Run a loop of `collision.kernels.impact`; return which pairs it took the other way round."""
        elements = np.stack([one.elements for one in sides], axis=1)
        counts = np.stack([one.counts for one in sides], axis=1)
        swapped = self.cores.types[elements[:, 0]] > self.cores.types[elements[:, -1]]
        elements[swapped], counts[swapped] = elements[swapped, ::-1], counts[swapped, ::-1]
        ends = np.concatenate([[0], np.cumsum(counts)])
        rows = np.empty(ends[-1], dtype=np.int64)
        for side, one in enumerate(sides):
            order = np.where(swapped, 1 - side, side) + len(sides) * np.arange(len(elements))
            rows[np.repeat(ends[order], one.counts) + _within(one.counts)] = one.links
        arrays = (np.ascontiguousarray(elements, dtype=np.int64), rows, ends, *indices)
        chains = ADDRESSES[len(arrays) - 1](*map(address, arrays[1:]))
        given = *self.cores.addresses, address(arrays[0]), table((self.links, *numbers)), chains, table(out)

        def part(first: int, last: int) -> None:
            scratch = np.empty(ROW * SEARCH_ROWS)
            loop.run(first, last, task, *given, address(scratch))

        in_parts(part, len(elements), _THREAD_GRAIN)
        return swapped


def _within(counts: IntArray) -> IntArray:
    """Return the numbers from zero to each count in turn."""
    return np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)


def turning_touches(
    a: Shape | PlacementPath, b: Shape | PlacementPath, lead: tuple[int, ...], rows: IntArray
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return fractions, points and normals of the first touches of some rows of the pairs, and the number of steps."""
    links, shapes, sides, count = np.zeros((0, LINK)), [], [], 0
    for one in (a, b):
        if isinstance(one, PlacementPath):
            shape, own, first = one.shape, 1, len(links) + 2 * spread(one.batch_shape, lead)[rows]
            links = np.concatenate([links, one.links()])
        else:
            shape, own, first = one, 0, np.zeros(0, dtype=np.intp)
        sides.append(Linked.of(count + spread(shape.batch_shape, lead)[rows], first, np.full(len(rows), own)))
        shapes.append(shape)
        count += math.prod(shape.batch_shape)
    return MovingCores(core_rows(shapes), links).first_touches(*sides)
