"""The broad phase: which pairs can touch at all, from bounds alone.

What has no end has no box, and is not in the tree: lines and half-spaces walk through it. Bounds are widened by the
rounding that the narrow phase grants to touching shapes, so no touch is lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from collision.base.cached import cached_property
from collision.base.fields import BoolArray, FloatArray, IntArray, all_finite
from collision.broadphase.search import MET, PAIRS, Tried, check_count, filled
from collision.broadphase.tree import LEAF, TreeMemory, build_tree
from collision.broadphase.volumes import Volumes, around, contiguous
from collision.kernels.cores import TOUCH
from collision.native import in_parts

#: The narrow phase lets shapes touch across `TOUCH` times the largest coordinate; bounds give way by twice that.
WIDENING = 2.0 * TOUCH

#: The volumes that are worth a thread of their own.
_THREAD_GRAIN = 256

#: The leaves that are.
_LEAVES_GRAIN = 512

_NONE = np.empty(0, dtype=np.intp)
_NO_PAIRS: IntArray = np.empty((0, 2), dtype=np.int64)


class Hierarchy:
    """Boxes, and what is needed to find those that overlap without comparing all.

    Corners (n, 3) are infinite where a shape is unbounded; `endless` has what is known of those: numbers of boxes, and
    as many lines or half-spaces. Others may be anywhere.
    """

    def __init__(self, lower: FloatArray, upper: FloatArray, endless: Sequence[tuple[IntArray, Volumes]] = ()) -> None:
        self.count = len(lower)
        self._lower, self._upper = np.ascontiguousarray(lower), np.ascontiguousarray(upper)
        self._endless = endless

    def pairs(self, *, margin: float = 0.0, some: bool = False) -> IntArray:
        """Return the pairs (k, 2) of boxes, i < j, that are no more than a margin apart along each axis, in any order.

        A line has a pair with each box that it runs through, a half-space with each that it reaches, and what is
        unbounded with all else that is. With `some` the first that are found do where there are many.
        """
        if not self.count:
            return _NO_PAIRS
        return np.concatenate([_NO_PAIRS, *self._wide_pairs(margin), *self._tree_pairs(_reach(margin), some)])

    def met_by(self, volumes: Volumes, *, margin: float = 0.0) -> IntArray:
        """Return numbers (k, 2) of volumes and of boxes no more than a margin apart from them, in any order."""
        found = [*self._met_in_tree(volumes, _reach(margin)), *self._wide_met_by(volumes, margin)]
        return found[0] if len(found) == 1 else np.concatenate(found) if found else _NO_PAIRS

    def _met_in_tree(self, volumes: Volumes, reach: float) -> list[IntArray]:
        """Return the pairs of volumes and bounded boxes."""
        count = len(volumes[0])
        if not count:
            return []
        # The arrays must stay in memory as long as the search runs.
        arrays, addresses = contiguous(volumes)
        search, given = MET[type(volumes)], (*addresses, WIDENING, reach, *self.tree.addresses)

        def work(first: int, last: int) -> IntArray:
            return filled(search, (first, last, *given), 16 * (last - first) + 64)

        found = in_parts(work, count, _THREAD_GRAIN)
        del arrays
        return found

    def _wide_met_by(self, volumes: Volumes, margin: float) -> Iterator[IntArray]:
        """Yield the pairs of volumes and unbounded boxes."""
        count = len(volumes[0])
        if not len(self.wide) or not count:
            return
        others, boxes = self.wide, around(volumes)
        if boxes is not None:
            # The tables are turned: these walk through those.
            turned, others = Hierarchy(*boxes), self._unknown
            for numbers, endless in self._endless:
                found = turned.met_by(endless, margin=margin)
                yield np.stack([found[:, 1], numbers[found[:, 0]]], axis=1)
        yield np.stack([np.repeat(np.arange(count), len(others)), np.tile(others, count)], axis=1)

    def rows(self, index: IntArray) -> FloatArray:
        """Return some boxes, widened, as rows of six numbers."""
        return _widened(self._lower[index], self._upper[index])

    @cached_property
    def wide(self) -> IntArray:
        """The boxes that have no end on some side."""
        if all_finite(self._lower) and all_finite(self._upper):
            return _NONE
        return np.flatnonzero(~(np.isfinite(self._lower) & np.isfinite(self._upper)).all(axis=1))

    @cached_property
    def _unknown(self) -> IntArray:
        """Those of which no more is known: numbers were too large for their corners."""
        return np.setdiff1d(self.wide, self._known) if len(self.wide) > len(self._known) else _NONE

    @property
    def _known(self) -> IntArray:
        """Those that are lines or half-spaces."""
        return np.concatenate([_NONE, *(numbers for numbers, _ in self._endless)])

    @cached_property
    def tree(self) -> TreeMemory:
        """The bounded boxes."""
        bounded = np.delete(np.arange(self.count), self.wide) if len(self.wide) else None
        return build_tree(self._lower, self._upper, WIDENING, bounded)

    def _wide_pairs(self, margin: float) -> Iterator[IntArray]:
        """Yield the pairs that unbounded boxes have with the bounded ones and with each other."""
        for numbers, volumes in self._endless:
            for found in self._met_in_tree(volumes, _reach(margin)):
                yield _ordered(numbers[found[:, 0]], found[:, 1])
        known = self._known
        check_count(len(known) * (len(known) - 1) // 2)
        if len(known) > 1:
            i, j = np.triu_indices(len(known), 1)
            yield _ordered(known[i], known[j])
        if not len(self._unknown):
            return
        others = np.setdiff1d(np.arange(self.count), self._unknown)
        for k, wide in enumerate(self._unknown):
            later = np.concatenate([others, self._unknown[k + 1 :]])
            near = later[_overlap(self.rows(later), self.rows(np.array([wide])), _reach(margin))]
            yield _ordered(near, np.full(len(near), wide))

    def _tree_pairs(self, reach: float, some: bool) -> list[IntArray]:
        """Return the pairs of bounded boxes, found by several threads in parts; or some, if there are many."""
        arguments, leaves = self.tree.addresses, len(self.tree.order) // LEAF

        def work(first: int, last: int) -> Tried:
            return Tried.of(PAIRS, (first, last, *arguments, WIDENING, reach), 2 * LEAF * (last - first) + 16)

        parts = in_parts(work, leaves, _LEAVES_GRAIN)
        if some:
            return [part.some for part in parts]
        check_count(sum(part.total for part in parts))
        return [part.all() for part in parts]


def _reach(margin: float) -> float:
    """Return a margin, and what it may be rounded by."""
    return margin * (1.0 + WIDENING)


def _widened(lower: FloatArray, upper: FloatArray) -> FloatArray:
    """Return boxes as rows of six numbers, each widened in proportion to its largest finite coordinate."""
    rows = np.concatenate([lower, upper], axis=1)
    size = np.where(np.isfinite(rows), np.abs(rows), 0.0).max(axis=1, keepdims=True)
    return np.asarray(rows + WIDENING * size * [-1.0, -1.0, -1.0, 1.0, 1.0, 1.0])


def _ordered(a: IntArray, b: IntArray) -> IntArray:
    """Return pairs with the lower number first."""
    return np.stack([np.minimum(a, b), np.maximum(a, b)], axis=1)


def _overlap(a: FloatArray, b: FloatArray, reach: float) -> BoolArray:
    """Tell which rows of boxes overlap, or are no more than `reach` apart along each axis."""
    return np.asarray(np.all((a[:, :3] <= b[:, 3:] + reach) & (b[:, :3] <= a[:, 3:] + reach), axis=1))
