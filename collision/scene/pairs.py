"""Pairs of elements, as rows of cores: which of them touch, how far they are apart, and all there is to know of them.

One call of machine code answers some thousand elements; more are done in parts and by several threads.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from struct import pack
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from collision.base.fields import FloatArray, IntArray
from collision.base.ram import check_memory
from collision.broadphase.blocks import BLOCK, FRAME, LEVELS, Tree
from collision.broadphase.hierarchy import WIDENING
from collision.broadphase.search import TREE_THRESHOLD, check_count, pairs_of_few, pairs_of_tree
from collision.broadphase.tree import HILBERT, LEAF, build, store_levels, work_size
from collision.kernels.core import (
    ENTRIES,
    ROW,
    AnyCore,
    CoreMemory,
    CoreRows,
    Entries,
    core_at,
    encode,
    separate_any,
    size,
    store_bounds,
)
from collision.kernels.cores import TOUCH
from collision.kernels.vec3 import along, opposite, store
from collision.native import (
    FLOATS,
    INT,
    INT_TABLE,
    INTS,
    TABLE,
    Floats,
    Ints,
    IntTable,
    Loop,
    Table,
    Tables,
    address,
    fetch,
    floats_from,
    in_parts,
    ints_from,
    kernel,
    singles_from,
    table,
)
from collision.queries.separation import PairRecords
from collision.shapes.kinds import Shape
from collision.shapes.rows import core_rows, entries_of, row_bounds

#: Up to so many elements are done in one call; more are worth several threads.
ONE_CALL = 1 << 14

#: Up to so many candidates they are.
_CANDIDATES = 1 << 17

#: The pairs that are worth a thread of their own.
_PAIRS_GRAIN = 1 << 11

#: So many pairs ahead the cores of elements are on their way from memory.
_AHEAD = 12

#: Bytes that a pair takes, with all that there is to know of it.
_EACH = 400

# Plain globals: loops take them as constants.
_WIDENING, _TOUCH, _TREE_THRESHOLD, _ROW = WIDENING, TOUCH, TREE_THRESHOLD, ROW

_CURVE = address(HILBERT)

NO_PAIRS: IntArray = np.empty((0, 2), dtype=np.int64)


# -- elements as kernels see them ------------------------------------------------------------------------------------


class SceneCores(NamedTuple):
    """The cores of elements: as they were at first, and those of the few that changed, with their numbers."""

    first: CoreMemory
    changed: int
    numbers: Ints
    now: CoreMemory


class Element(NamedTuple):
    """An element: its core and its radius."""

    core: AnyCore
    radius: float


#: What loops take for the cores of elements: `SceneRows.addresses`.
SCENE_ROWS = (TABLE, INT_TABLE)


class SceneRows:
    """The cores of elements as loops take them: as they were at first, and the few that are another shape now."""

    def __init__(self, rows: CoreRows, changes: Mapping[int, Shape] = MappingProxyType({})) -> None:
        now = core_rows(changes.values()) if changes else rows
        numbers = np.array([len(changes), *changes], dtype=np.int64)
        self._kept = rows, now, numbers  # all must stay in memory
        (types, *floats), (types_now, *floats_now), count = rows.addresses, now.addresses, address(numbers)
        self.addresses = pack("6q", *floats, *floats_now), pack("4q", types, types_now, count + 8, count)


@kernel
def scene_cores(floats: Table, ints: IntTable) -> SceneCores:
    """Read what loops take for `SCENE_ROWS`."""
    first, now = (
        CoreMemory(ints[0], floats[0], floats[1], floats[2]),
        CoreMemory(ints[1], floats[3], floats[4], floats[5]),
    )
    return SceneCores(first, ints[3][0], ints[2], now)


@kernel
def element_at(cores: SceneCores, number: int) -> Element:
    """Return an element by its number."""
    for k in range(cores.changed):
        if cores.numbers[k] == number:
            return Element(core_at(cores.now, k), cores.now.radii[k])
    return Element(core_at(cores.first, number), cores.first.radii[number])


@kernel
def gap_of(a: Element, b: Element, tolerance: float) -> float:
    """Return the signed distance of two elements, less a tolerance times the size of the pair."""
    s, _ = separate_any(a.core, b.core)
    gap = s.distance - (a.radius + b.radius)
    if tolerance > 0.0:
        gap -= tolerance * size_of(a, b)
    return gap


@kernel
def size_of(a: Element, b: Element) -> float:
    """Return the largest number that two elements are given by."""
    return max(size(a.core), size(b.core), a.radius, b.radius)


# -- loops over pairs ------------------------------------------------------------------------------------------------


@kernel
def _fetch(cores: SceneCores, number: int) -> None:
    """Let the processor fetch an element, which is read soon: of many they are at random places in memory."""
    at = ROW * number
    fetch(cores.first.types, number)
    fetch(cores.first.radii, number)
    fetch(cores.first.rows, at)
    fetch(cores.first.rows, at + 8)
    fetch(cores.first.rows, at + 17)


@kernel
def keep_touching(cores: SceneCores, first: int, last: int, pairs: Ints, found: Ints, start: int) -> int:
    """Store those of some pairs that touch, from a position on, in order; return the position after the last."""
    for k in range(first, last):
        ahead = 2 * min(k + _AHEAD, last - 1)
        _fetch(cores, pairs[ahead])
        _fetch(cores, pairs[ahead + 1])
        i, j = pairs[2 * k], pairs[2 * k + 1]
        if gap_of(element_at(cores, i), element_at(cores, j), _TOUCH) <= 0.0:
            found[2 * start], found[2 * start + 1] = i, j
            start += 1
    return start


def _touching(first: int, last: int, floats: Table, ints: IntTable, pairs: Ints, found: Ints) -> int:
    """Store those of some pairs that touch, where the first of these is; return how many there are."""
    return keep_touching(scene_cores(floats, ints), first, last, pairs, found, first) - first


def _records(
    first: int, last: int, floats: Table, ints: IntTable, other_floats: Table, other_ints: IntTable,
    pairs: Ints, out: Table,
) -> None:  # fmt: skip
    """Store signed distances, sizes, witness points and normals of elements and others."""
    cores, others = scene_cores(floats, ints), scene_cores(other_floats, other_ints)
    distance, size, on_a, on_b, normal = out[0], out[1], out[2], out[3], out[4]
    for k in range(first, last):
        a, b = element_at(cores, pairs[2 * k]), element_at(others, pairs[2 * k + 1])
        s, swap = separate_any(a.core, b.core)
        radius, other = (b.radius, a.radius) if swap else (a.radius, b.radius)
        here, there, facing = along(s.on_a, radius, s.normal), along(s.on_b, -other, s.normal), s.normal
        if swap:
            here, there, facing = there, here, opposite(facing)
        distance[k], size[k] = s.distance - (radius + other), size_of(a, b)
        store(on_a, 3 * k, here)
        store(on_b, 3 * k, there)
        store(normal, 3 * k, facing)


_TOUCHING = Loop("pairs_touching", _touching, (INT, INT, *SCENE_ROWS, INTS, INTS), INT)
_RECORDS = Loop("pairs_records", _records, (INT, INT, *SCENE_ROWS, *SCENE_ROWS, INTS, TABLE))


def touching(rows: SceneRows, pairs: IntArray) -> IntArray:
    """Return those of some pairs (k, 2) of elements that touch, in the order in which they are given."""
    pairs = np.ascontiguousarray(pairs, dtype=np.int64)
    found = np.empty_like(pairs)

    def work(first: int, last: int) -> IntArray:
        total = _TOUCHING.run(first, last, *rows.addresses, address(pairs), address(found))
        return found[first : first + total]

    parts = in_parts(work, len(pairs), _PAIRS_GRAIN)
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def records(one: SceneRows, other: SceneRows, pairs: IntArray) -> PairRecords:
    """Return all there is to know of pairs (k, 2) of one of some and one of others."""
    count = len(pairs)
    check_memory(_EACH * count, f"there are {count:,} pairs of shapes that may touch")
    pairs = np.ascontiguousarray(pairs, dtype=np.int64)
    found = PairRecords(*np.empty((2, count)), *np.empty((3, count, 3)))
    given = *one.addresses, *other.addresses, address(pairs), table(found)
    in_parts(lambda first, last: _RECORDS.run(first, last, *given), count, _PAIRS_GRAIN)
    return found


# -- a whole scene in one call ---------------------------------------------------------------------------------------

#: Numbers to an element that is worked with: its type, its radius, its row, and the corners of its bounds.
_EACH_ELEMENT = 2 + ROW + 6


class ElementCores(NamedTuple):
    """The cores of elements, and the corners of their bounds (n, 3), infinite without an end."""

    rows: CoreRows
    lower: FloatArray
    upper: FloatArray


def cores_of(shapes: Iterable[Shape]) -> ElementCores:
    """Return the cores of all elements of some shapes."""
    rows = core_rows(shapes)
    return ElementCores(rows, *row_bounds(rows))


def memory_size(count: int, capacity: int) -> int:
    """Return how many numbers `_scene` works with, given how many elements and candidates there are."""
    blocks = count // (LEAF - 1) + LEVELS
    tree = FRAME + LEVELS + LEAF * blocks + BLOCK // 2 * blocks
    return (_EACH_ELEMENT + 1) * count + tree + work_size(count) + 2 * capacity


def touching_in_one_call(shapes: Iterable[Shape], starts: tuple[int, ...]) -> IntArray | None:
    """Return the touching pairs of all elements, i < j, in lexicographic order; None if worth several threads."""
    if starts[-1] > ONE_CALL:
        return None
    entries = entries_of(shapes, starts)
    count, capacity = starts[-1], 2 * starts[-1] + 64
    while True:
        found, memory = np.empty((capacity, 2), dtype=np.int64), np.empty(memory_size(count, capacity))
        given = *entries.packed, address(entries.corners), address(memory), _CURVE, address(found)
        total = SCENE_TOUCHING.run(count, capacity, *given)
        if total >= 0:
            return found[:total].copy()
        capacity = -total
        check_count(capacity)
        if capacity > _CANDIDATES:
            return None


def _scene(
    count: int, capacity: int, entry_types: Ints, entry_starts: Ints, tables: Tables, strides: IntTable, begins: Ints,
    corners: Floats, memory: Floats, curve: Ints, found: Ints,
) -> int:  # fmt: skip
    """Store the pairs that touch, in order; return how many there are, or minus how many candidates need memory."""
    types, radii, rows = ints_from(memory, 0), floats_from(memory, count), floats_from(memory, 2 * count)
    lower, upper = floats_from(memory, (2 + _ROW) * count), floats_from(memory, (5 + _ROW) * count)
    cores, rest = CoreMemory(types, rows, radii, corners), floats_from(memory, (8 + _ROW) * count)
    encode(Entries(entry_types, entry_starts, tables, strides, begins), 0, count, cores)
    store_bounds(cores, 0, count, lower, upper)
    elements = SceneCores(cores, 0, types, cores)
    if count <= _TREE_THRESHOLD:
        blocks = singles_from(rest, 6 * count)
        total = pairs_of_few(count, lower, upper, _WIDENING, 0.0, rest, blocks, found, capacity)
        return keep_touching(elements, 0, total, found, found, 0) if total <= capacity else -total
    unbounded, frame = ints_from(rest, 0), floats_from(rest, count)
    levels = ints_from(rest, count + FRAME)
    store_levels(count, levels)
    order = ints_from(rest, count + FRAME + LEVELS)
    rest = floats_from(rest, count + FRAME + LEVELS + LEAF * levels[2])
    blocks, rest = singles_from(rest, 0), floats_from(rest, BLOCK // 2 * levels[levels[0] + 1])
    tree = Tree(blocks, order, levels, frame, lower, upper)
    total = _candidates(count, tree, unbounded, curve, ints_from(rest, 0), found, capacity)
    if total > capacity:
        return -total
    total = keep_touching(elements, 0, total, found, found, 0)
    _sort(count, total, found, ints_from(rest, 0), ints_from(rest, count + 1))
    return total


@kernel
def _candidates(count: int, tree: Tree, unbounded: Ints, curve: Ints, work: Ints, found: Ints, capacity: int) -> int:
    """Build the tree and store the pairs whose boxes overlap, and those of what has no box with all; count them."""
    without = _divided(count, tree.lower, tree.order, unbounded)
    boxes = count - without
    store_levels(boxes, tree.starts)
    for slot in range(boxes, LEAF * tree.starts[2]):
        tree.order[slot] = -1
    build(tree, boxes, curve, work, _WIDENING)
    total = pairs_of_tree(tree, 0, tree.starts[2], _WIDENING, 0.0, found, capacity)
    for k in range(without):
        number = unbounded[k]
        for other in range(count):
            if other == number or (other < number and not tree.lower[3 * other] > -math.inf):
                continue
            if total < capacity:
                found[2 * total], found[2 * total + 1] = min(number, other), max(number, other)
            total += 1
    return total


@kernel
def _divided(count: int, lower: Floats, bounded: Ints, unbounded: Ints) -> int:
    """List the elements that have a box, and those that have no end; return how many the latter are."""
    without = 0
    for number in range(count):
        has_end = lower[3 * number] > -math.inf
        bounded[number - without], unbounded[without] = number, number
        without += not has_end
    return without


@kernel
def _sort(count: int, total: int, pairs: Ints, counts: Ints, other: Ints) -> None:
    """Sort pairs in lexicographic order, by their second numbers and then by their first ones."""
    _counted(count, total, pairs, 1, counts, other)
    _counted(count, total, other, 0, counts, pairs)


@kernel
def _counted(count: int, total: int, given: Ints, side: int, counts: Ints, out: Ints) -> None:
    """Store pairs in the order of their first or second number; those that have the same stay in order."""
    for number in range(count + 1):
        counts[number] = 0
    for k in range(total):
        counts[given[2 * k + side] + 1] += 1
    for number in range(count):
        counts[number + 1] += counts[number]
    for k in range(total):
        number = given[2 * k + side]
        slot = counts[number]
        counts[number] = slot + 1
        out[2 * slot], out[2 * slot + 1] = given[2 * k], given[2 * k + 1]


SCENE_TOUCHING = Loop("scene_touching", _scene, (INT, INT, *ENTRIES, FLOATS, FLOATS, INTS, INTS), INT)
