"""Pairs of elements of many kinds, sorted by kinds, so that one run of a loop does all pairs of two kinds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter

import numpy as np

from collision.compile import BYTES, INT, INTS, Loop, address
from collision.fields import FloatArray, IntArray
from collision.operands import Stretch, run_stretches
from collision.separation import LOOPS, Record
from collision.separation.loops import PairLoops
from collision.shape import Shape


class PairsByKind:
    """Pairs of elements in an order of its own, that of the kernels.

    Parameters
    ----------
    pairs : ndarray of int, shape (k, 2)
        Numbers of elements.
    group, row : ndarray of int
        For every element, its batch and its row in it.
    batches : sequence of Shape
        Flat ones.
    """

    def __init__(self, pairs: IntArray, group: IntArray, row: IntArray, batches: Sequence[Shape]) -> None:
        count = len(pairs)
        self._batches = batches
        self._ends, ranks = np.empty(len(batches) ** 2, dtype=np.int64), np.array([s.rank for s in batches])
        self._picks, self._swapped = np.empty((3, count), dtype=np.int64), np.empty(count, dtype=np.bool_)
        given = [np.ascontiguousarray(v) for v in (pairs, group, row, ranks)]
        _SORT.run(count, len(batches), *map(address, (*given, self._ends, *self._picks, self._swapped)))

    @property
    def rows(self) -> IntArray:
        """The place of each among the pairs as they were given."""
        first: IntArray = self._picks[0]
        return first

    def distances(self, *, room: float = 0.0) -> FloatArray:
        """Return signed distances, less `room` times the size that their rounding is relative to."""
        found = np.empty(len(self.rows))
        self._run(attrgetter("distance"), (found,), room)
        return found

    def records(self) -> Record:
        """Return all there is to know of each pair, in its own order of shapes."""
        count = len(self.rows)
        found = Record(np.empty(count), np.empty(count), *(np.empty((count, 3)) for _ in range(3)))
        self._run(attrgetter("record"), found)
        swapped = self._swapped
        found.on_a[swapped], found.on_b[swapped] = found.on_b[swapped], found.on_a[swapped]
        found.normal[swapped] *= -1.0
        return found

    def _run(self, choose: Callable[[PairLoops], Loop], outputs: Sequence[FloatArray], *numbers: float) -> None:
        batches, count, start = self._batches, len(self._batches), 0
        stretches: list[Stretch] = []
        for kinds, end in enumerate(self._ends.tolist()):
            if end > start:
                a, b = batches[kinds // count], batches[kinds % count]
                stretches.append((choose(LOOPS[a.rank, b.rank]), a, b, end))
                start = end
        run_stretches(stretches, (self._picks[1], self._picks[2]), outputs, numbers)


def _sort(count, kinds, pairs, group, row, ranks, ends, rows, first, second, swapped):  # type: ignore[no-untyped-def]
    """Sort pairs by the groups of both, the one whose core comes first in kernels first: counted, then placed."""
    for k in range(kinds * kinds):
        ends[k] = 0
    for k in range(count):
        a, b = group[pairs[2 * k]], group[pairs[2 * k + 1]]
        ends[kinds * b + a if ranks[a] > ranks[b] else kinds * a + b] += 1
    total = 0
    for k in range(kinds * kinds):
        total += ends[k]
        ends[k] = total - ends[k]
    for k in range(count):
        i, j = pairs[2 * k], pairs[2 * k + 1]
        swap = ranks[group[i]] > ranks[group[j]]
        if swap:
            i, j = j, i
        kind = kinds * group[i] + group[j]
        place = ends[kind]
        ends[kind] = place + 1
        rows[place], first[place], second[place], swapped[place] = k, row[i], row[j], swap


_SORT = Loop("pairs_by_kind", _sort, (INT, INT, *[INTS] * 8, BYTES))
