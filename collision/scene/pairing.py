"""Pairs of elements of many kinds, sorted by kinds, so that one run of a loop does all pairs of two kinds."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from collision.base.fields import BoolArray, FloatArray, IntArray
from collision.base.ram import check_memory
from collision.kernels.cores import TOUCH
from collision.kernels.loops import LOOPS, PairLoops
from collision.kernels.vec3 import along, load, opposite, scale, store
from collision.native import (
    ADDRESSES,
    BYTES,
    FLOAT,
    FLOATS,
    INT,
    INTS,
    TABLE,
    Bytes,
    Floats,
    Ints,
    Loop,
    Table,
    address,
    fetch,
    kernel,
    table,
)
from collision.scene.answers import Contacts
from collision.scene.elements import joined
from collision.shapes.operands import Stretch, run_stretches
from collision.shapes.shape import Shape

#: Bytes that a pair takes, with all that there is to know of it.
_EACH = 400

#: So many pairs ahead the places of elements are on their way from memory.
_AHEAD = 16

_TOUCH, _LAST = TOUCH, 1 << 62  # plain globals: loops take them as constants


class Batches:
    """Where the elements of a scene are: by kind in flat batches, but for a few that are in places of their own.

    Parameters
    ----------
    shapes : sequence of Shape
        The batches; a single shape is one of one element.
    places : ndarray of int, shape (n, 2)
        For every element, its batch and its row in it.
    moved : ndarray of int, shape (m, 3)
        The few in other places: their numbers, and where. A number may be one that the scene does not have.
    """

    def __init__(self, shapes: Sequence[Shape], places: IntArray, moved: IntArray) -> None:
        self.shapes, self.places, self.moved = shapes, places, moved
        self.ranks = (ctypes.c_int64 * len(shapes))(*[batch.core_type for batch in shapes])
        self.at = address(places), address(moved)  # both stay in memory as long as this

    def with_more(self, more: Mapping[int, Shape]) -> Batches:
        """Return these and further shapes, under numbers that they are found by from now on."""
        shapes, moved = [*self.shapes], []
        by_kind: dict[type[Shape], list[int]] = {}
        for number, shape in more.items():
            by_kind.setdefault(type(shape), []).append(number)
        for kind, numbers in by_kind.items():
            moved += [(number, len(shapes), row) for row, number in enumerate(numbers)]
            shapes.append(joined(kind, [more[number] for number in numbers]) if len(numbers) > 1 else more[numbers[0]])
        rows = np.array(moved, dtype=np.int64)
        return Batches(shapes, self.places, np.concatenate([rows, self.moved]) if len(self.moved) else rows)


class Near(NamedTuple):
    """Contacts, and where they are in memory: their pairs, and the table of all else that there is to know of them."""

    contacts: Contacts
    at: tuple[int, Any]

    @classmethod
    def of(cls, contacts: Contacts) -> Near:
        """Return contacts the arrays of which can still be written to."""
        pairs, *others = contacts._parts()
        return cls(contacts, (address(pairs), table(others)))


class PairsByKind:
    """Pairs of elements in an order of its own, that of the kernels.

    Parameters
    ----------
    pairs : ndarray of int, shape (k, 2)
        Numbers of elements.
    batches : Batches
        Where these are.
    """

    def __init__(self, pairs: IntArray, batches: Batches) -> None:
        count, kinds = len(pairs), len(batches.shapes)
        self._batches, self._pairs = batches.shapes, np.ascontiguousarray(pairs)
        self._sorted, self._ends = np.empty((4, count), dtype=np.int64), (ctypes.c_int64 * (kinds * kinds))()
        self._at, self._pairs_at, few = address(self._sorted), address(self._pairs), len(batches.moved)
        _SORT.run(count, kinds, few, self._pairs_at, *batches.at, batches.ranks, self._ends, self._at)

    def touching(self, most: int) -> IntArray:
        """Return the pairs that touch, in lexicographic order; no element has a higher number than `most`."""
        count = len(self._pairs)
        distance, keys = np.empty(count), np.empty(count, dtype=np.int64)
        self._run(attrgetter("distance"), table([distance]), TOUCH)
        places = address(distance), self._at, self._pairs_at, address(keys)
        keys = keys[: _TOUCHING.run(count, most + 1, *places)]
        keys.sort()
        pairs = np.empty((len(keys), 2), dtype=np.int64)
        np.divmod(keys, most + 1, out=(pairs[:, 0], pairs[:, 1]))
        return pairs

    def distances(self) -> FloatArray:
        """Return the signed distance of each pair, in the order in which the pairs were given."""
        count = len(self._pairs)
        found, distance = np.empty(count), np.empty(count)
        self._run(attrgetter("distance"), table([found]), 0.0)
        distance[self._sorted[0]] = found
        return distance

    def near(self, margin: float, known: Near | None = None, gone: BoolArray | None = None) -> Near:
        """Return the pairs that are no more than a margin apart, in the order in which they were given.

        Parameters
        ----------
        margin : float
            Zero or more.
        known : Near, optional
            Others in lexicographic order, to be merged with these, which must be in that order too.
        gone : ndarray of bool, shape (n,)
            The elements whose pairs are to be left out of those that are known.
        """
        count, before = len(self._pairs), 0 if known is None else len(known.contacts)
        check_memory(_EACH * (count + before), f"there are {count + before:,} pairs of shapes that may touch")
        old = (None, None, None) if known is None else (*known.at, address(gone))
        found = np.empty(11 * count)
        record = _parts_at(found, count, (0, 1, 2, 5, 8))
        self._run(attrgetter("record"), record)
        most = count + before  # room for all, of which a part may stay empty
        pairs, others = np.empty((most, 2), dtype=np.int64), np.empty(13 * most)
        at = address(pairs), _parts_at(others, most, (0, 1, 4, 7, 10))
        total = _NEAR.run(count, self._at, self._pairs_at, record, margin, before, *old, *at)
        vectors = [others[k * most : k * most + 3 * total].reshape(total, 3) for k in (1, 4, 7, 10)]
        return Near(Contacts(pairs[:total], others[:total], *vectors), at)

    def _run(self, choose: Callable[[PairLoops], Loop], outputs: Any, *numbers: float) -> None:
        batches, kinds, start = self._batches, len(self._batches), 0
        stretches: list[Stretch] = []
        for place, end in enumerate(self._ends[:]):  # as a list, which is quicker to go through
            if end > start:
                a, b = batches[place // kinds], batches[place % kinds]
                stretches.append((choose(LOOPS[a.core_type, b.core_type]), a, b, end))
                start = end
        count = len(self._pairs)
        run_stretches(stretches, (self._at + 8 * count, self._at + 16 * count), count, outputs, numbers)


def _parts_at(memory: FloatArray, count: int, parts: tuple[int, ...]) -> Any:
    """Return where parts of a piece of memory are, counted in so many numbers each."""
    start = address(memory)
    return ADDRESSES[len(parts)](*[start + 8 * count * part for part in parts])


@kernel
def place(number: int, places: Ints, moved: Ints, few: int) -> tuple[int, int]:
    """Return the batch and the row of an element."""
    for k in range(few):
        if moved[3 * k] == number:
            return moved[3 * k + 1], moved[3 * k + 2]
    return places[2 * number], places[2 * number + 1]


@kernel
def sort_by_kind(
    count: int, kinds: int, few: int, pairs: Ints, places: Ints, moved: Ints, ranks: Ints, ends: Ints, out: Ints
) -> None:
    """Sort pairs by the batches of both, the one whose core comes first in kernels first: counted, then placed."""
    rows, first, second, swapped = 0, count, 2 * count, 3 * count  # `ends` are zero so far
    for k in range(count):
        ahead = 2 * min(k + _AHEAD, count - 1)
        fetch(places, 2 * pairs[ahead])
        fetch(places, 2 * pairs[ahead + 1])
        (a, i), (b, j) = place(pairs[2 * k], places, moved, few), place(pairs[2 * k + 1], places, moved, few)
        ends[kinds * b + a if ranks[a] > ranks[b] else kinds * a + b] += 1
    total = 0
    for k in range(kinds * kinds):
        total += ends[k]
        ends[k] = total - ends[k]
    for k in range(count):
        ahead = 2 * min(k + _AHEAD, count - 1)
        fetch(places, 2 * pairs[ahead])
        fetch(places, 2 * pairs[ahead + 1])
        (a, i), (b, j) = place(pairs[2 * k], places, moved, few), place(pairs[2 * k + 1], places, moved, few)
        swap = ranks[a] > ranks[b]
        kind = kinds * b + a if swap else kinds * a + b
        to = ends[kind]
        ends[kind] = to + 1
        out[rows + to], out[swapped + to] = k, swap
        out[first + to], out[second + to] = (j, i) if swap else (i, j)


def _sort(
    count: int, kinds: int, few: int, pairs: Ints, places: Ints, moved: Ints, ranks: Ints, ends: Ints, out: Ints
) -> None:
    """Sort pairs by kind; see `sort_by_kind`."""
    sort_by_kind(count, kinds, few, pairs, places, moved, ranks, ends, out)


def _touching(count: int, base: int, distance: Floats, rows: Ints, pairs: Ints, keys: Ints) -> int:
    """Store one number for each pair that touches, in the order of the pairs; return how many there are."""
    total = 0
    for k in range(count):
        keys[total] = base * pairs[2 * rows[k]] + pairs[2 * rows[k] + 1]
        total += distance[k] <= 0.0
    return total


@kernel
def _copy(known: Table, old: int, near: Table, new: int) -> None:
    """Copy all that there is to know of a pair."""
    near[0][new] = known[0][old]
    for part in range(1, 5):
        store(near[part], 3 * new, load(known[part], 3 * old))


@kernel
def _take(found: Table, k: int, swap: int, near: Table, new: int) -> None:
    """Store what a kernel found of a pair, the shapes of which it may have taken the other way round."""
    on_a, on_b, normal = load(found[2], 3 * k), load(found[3], 3 * k), load(found[4], 3 * k)
    if swap:
        on_a, on_b, normal = on_b, on_a, opposite(normal)
    near[0][new] = found[0][k]
    store(near[1], 3 * new, along(scale(on_a, 0.5), 0.5, on_b))
    store(near[2], 3 * new, normal)
    store(near[3], 3 * new, on_a)
    store(near[4], 3 * new, on_b)


def _near(
    count: int,
    order: Ints,
    pairs: Ints,
    found: Table,
    margin: float,
    before: int,
    known_pairs: Ints,
    known: Table,
    gone: Bytes,
    near_pairs: Ints,
    near: Table,
) -> int:
    """Store the pairs that are near, merged with those known before that are not gone; return how many there are."""
    distance, size, total, old = found[0], found[1], 0, 0
    for k in range(count):
        order[count + order[k]] = k  # where in the order of the kernels each pair is
    for pair in range(count + 1):
        k = order[count + pair] if pair < count else 0
        if pair < count and not distance[k] <= margin + _TOUCH * size[k]:
            continue
        i, j = (pairs[2 * pair], pairs[2 * pair + 1]) if pair < count else (_LAST, 0)
        while old < before and (known_pairs[2 * old], known_pairs[2 * old + 1]) < (i, j):
            a, b = known_pairs[2 * old], known_pairs[2 * old + 1]
            if not (gone[a] or gone[b]):
                near_pairs[2 * total], near_pairs[2 * total + 1] = a, b
                _copy(known, old, near, total)
                total += 1
            old += 1
        if pair < count:
            near_pairs[2 * total], near_pairs[2 * total + 1] = i, j
            _take(found, k, order[3 * count + k], near, total)
            total += 1
    return total


_SORT = Loop("pairs_by_kind", _sort, (INT, INT, INT, *[INTS] * 6))
_TOUCHING = Loop("pairs_touching", _touching, (INT, INT, FLOATS, INTS, INTS, INTS), INT)
_NEAR = Loop("pairs_near", _near, (INT, INTS, INTS, TABLE, FLOAT, INT, INTS, TABLE, BYTES, INTS, TABLE), INT)
