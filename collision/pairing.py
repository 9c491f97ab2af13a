"""Pairs of elements of many kinds, sorted by kinds, so that one run of a loop does all pairs of two kinds."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from operator import attrgetter

import numpy as np

from collision.compile import FLOATS, INT, INTS, Loop, address, kernel
from collision.fields import FloatArray, IntArray
from collision.operands import Stretch, run_stretches
from collision.separation import LOOPS, TOUCH, Record
from collision.separation.loops import PairLoops
from collision.shape import Shape


class PairsByKind:
    """Pairs of elements in an order of its own, that of the kernels.

    Parameters
    ----------
    pairs : ndarray of int, shape (k, 2)
        Numbers of elements.
    places : ndarray of int, shape (n, 2)
        For every element, its batch and its row in it.
    moved : ndarray of int, shape (m, 3)
        A few elements that are in other places: their numbers, and where.
    batches : sequence of Shape
        Flat ones.
    """

    def __init__(self, pairs: IntArray, places: IntArray, moved: IntArray, batches: Sequence[Shape]) -> None:
        count, kinds = len(pairs), len(batches)
        self._batches, self._pairs = batches, np.ascontiguousarray(pairs)
        self._sorted, self._ends = np.empty((4, count), dtype=np.int64), (ctypes.c_int64 * (kinds * kinds))()
        ranks = (ctypes.c_int64 * kinds)(*[batch.rank for batch in batches])
        self._at, where = address(self._sorted), (places, moved)
        _SORT.run(count, kinds, len(moved), address(self._pairs), *map(address, where), ranks, self._ends, self._at)

    @property
    def rows(self) -> IntArray:
        """The place of each among the pairs as they were given."""
        first: IntArray = self._sorted[0]
        return first

    def touching(self, most: int) -> IntArray:
        """Return the pairs that touch, in lexicographic order; no element has a higher number than `most`."""
        count = len(self._pairs)
        distance, keys = np.empty(count), np.empty(count, dtype=np.int64)
        self._run(attrgetter("distance"), (distance,), TOUCH)
        places = address(distance), self._at, address(self._pairs), address(keys)
        keys = keys[: _TOUCHING.run(count, most + 1, *places)]
        keys.sort()
        pairs = np.empty((len(keys), 2), dtype=np.int64)
        np.divmod(keys, most + 1, out=(pairs[:, 0], pairs[:, 1]))
        return pairs

    def records(self) -> Record:
        """Return all there is to know of each pair, in its own order of shapes."""
        count = len(self.rows)
        found = Record(np.empty(count), np.empty(count), *(np.empty((count, 3)) for _ in range(3)))
        self._run(attrgetter("record"), found)
        swapped = self._sorted[3].astype(bool)
        found.on_a[swapped], found.on_b[swapped] = found.on_b[swapped], found.on_a[swapped]
        found.normal[swapped] *= -1.0
        return found

    def _run(self, choose: Callable[[PairLoops], Loop], outputs: Sequence[FloatArray], *numbers: float) -> None:
        batches, count, start = self._batches, len(self._batches), 0
        stretches: list[Stretch] = []
        for kinds, end in enumerate(self._ends):
            if end > start:
                a, b = batches[kinds // count], batches[kinds % count]
                stretches.append((choose(LOOPS[a.rank, b.rank]), a, b, end))
                start = end
        step = 8 * len(self._pairs)
        run_stretches(stretches, (self._at + step, self._at + 2 * step), outputs, numbers)


@kernel
def place(number, places, moved, few):  # type: ignore[no-untyped-def]
    """Return the batch and the row of an element."""
    for k in range(few):
        if moved[3 * k] == number:
            return moved[3 * k + 1], moved[3 * k + 2]
    return places[2 * number], places[2 * number + 1]


def _sort(count, kinds, few, pairs, places, moved, ranks, ends, out):  # type: ignore[no-untyped-def]
    """Sort pairs by the batches of both, the one whose core comes first in kernels first: counted, then placed."""
    rows, first, second, swapped = 0, count, 2 * count, 3 * count  # `ends` are zero so far
    for k in range(count):
        (a, i), (b, j) = place(pairs[2 * k], places, moved, few), place(pairs[2 * k + 1], places, moved, few)
        ends[kinds * b + a if ranks[a] > ranks[b] else kinds * a + b] += 1
    total = 0
    for k in range(kinds * kinds):
        total += ends[k]
        ends[k] = total - ends[k]
    for k in range(count):
        (a, i), (b, j) = place(pairs[2 * k], places, moved, few), place(pairs[2 * k + 1], places, moved, few)
        swap = ranks[a] > ranks[b]
        kind = kinds * b + a if swap else kinds * a + b
        to = ends[kind]
        ends[kind] = to + 1
        out[rows + to], out[swapped + to] = k, swap
        out[first + to], out[second + to] = (j, i) if swap else (i, j)


def _touching(count, base, distance, rows, pairs, keys):  # type: ignore[no-untyped-def]
    """Store one number for each pair that touches, in the order of the pairs; return how many there are."""
    total = 0
    for k in range(count):
        keys[total] = base * pairs[2 * rows[k]] + pairs[2 * rows[k] + 1]
        total += distance[k] <= 0.0
    return total


_SORT = Loop("pairs_by_kind", _sort, (INT, INT, INT, *[INTS] * 6))
_TOUCHING = Loop("pairs_touching", _touching, (INT, INT, FLOATS, INTS, INTS, INTS), INT)
