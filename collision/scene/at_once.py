"""All pairs of a scene that touch, in one call of machine code: bounds, tree, candidates, verdicts, order.

It is for scenes of up to some thousand shapes, of which Python's part would take longer than the work. The loops for
bounds and for distances are called by their addresses, so a scene needs those of its own kinds and no others. Up to
some hundred shapes need no tree: their boxes are compared with each other, and the pairs are found in order.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from operator import attrgetter
from struct import Struct
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from collision import native
from collision.broadphase.blocks import BLOCK, FRAME, LEVELS, Tree
from collision.broadphase.few import FEW, pairs_of_few
from collision.broadphase.hierarchy import ROOM
from collision.broadphase.search import check_count, pairs_of_tree
from collision.broadphase.tree import HILBERT, LEAF, build, store_levels, work_size
from collision.fields import IntArray
from collision.native import (
    FLOATS,
    INT,
    INT_TABLE,
    INTS,
    TABLE,
    TABLES,
    Floats,
    Ints,
    IntTable,
    Loop,
    Table,
    Tables,
    address,
    block_size,
    call,
    floats_from,
    ints_from,
    kernel,
    singles_from,
)
from collision.scene.candidates import NO_PAIRS
from collision.scene.elements import Elements
from collision.scene.pairing import sort_by_kind
from collision.separation import BOUNDS, LOOPS
from collision.separation.cores import TOUCH
from collision.shape import Shape

if TYPE_CHECKING:
    from collision.scene.world import World

#: Up to so many elements are done in one call; more are worth several threads, and what is worked out is kept.
MOST = 1 << 14

#: Up to so many are done while other threads wait, and up to so many even where most of them overlap.
_FEW, _DENSE = 256, 4096

#: Up to so many batches are taken as they are; of more, those of a kind are joined. There are fewer kinds than this.
BATCHES = _KINDS = 16

_ROOM, _TOUCH, _TREELESS = ROOM, TOUCH, FEW  # plain globals: loops take them as constants

#: All numbers of elements.
_NUMBERS = np.arange(MOST)

_CURVE, _EVERY = address(HILBERT), address(_NUMBERS)

_bounded = attrgetter("bounded")

#: What packs so many integers or addresses.
_PACK = [Struct(f"{count}q").pack for count in range(BATCHES + 4)]

#: How many rows a block has; and what loops are given that have none.
_ROWS, _NOTHING = _PACK[1](native.BLOCK), _PACK[1](0)


def is_plain(world: World) -> bool:
    """Tell whether a world is of no more than some thousand shapes, all of which have an end."""
    elements = world.elements
    return elements.count <= MOST and all(map(_bounded, elements.shapes.values()))


def touching_at_once(elements: Elements) -> IntArray | None:
    """Return the pairs of elements that touch, i < j, in lexicographic order; all of them must have an end.

    None where there are so many candidates that they are worth several threads.
    """
    count = elements.count
    if count < 2:
        return NO_PAIRS
    # Of these the numbers must stay in memory, whatever another thread has the elements forget.
    groups = elements.groups if len(elements.shapes) > BATCHES else ()
    batches = [(address(own), len(own), shape) for own, shape in groups] or _spans(elements)
    firsts, sizes, tables, strides, kinds = [], [], [], [], []
    for first, size, shape in batches:
        place = shape.place
        firsts.append(first)
        sizes.append(size)
        tables.append(place)
        strides.append(place + 8 * shape.layout.count)
        kinds.append(2 * shape.rank + (size > 1))
    ranks, calls, columns = _calls(tuple(kinds))
    rows, block = (_ROWS, block_size(columns)) if count >= _FEW else (_NOTHING, 0)
    pack, run, room = _PACK[len(kinds)], AT_ONCE.briefly if count <= _FEW else AT_ONCE.run, 2 * count + 64
    given = ranks, calls, pack(*tables), pack(*strides), pack(*firsts)
    while True:
        # First what is found, then a block of pairs, then all that is worked out on the way.
        memory = np.empty(2 * room + block + memory_size(count, room), dtype=np.int64)
        found = address(memory)
        more, work = found + 16 * room, found + 16 * room + 8 * block
        numbers = _PACK[len(kinds) + 3](count, len(kinds), room, *sizes)
        total = run(numbers, *given, _PACK[1](more + 63 & -64), rows, work, _PACK[1](work), _CURVE, found)
        if total >= 0:
            return memory[: 2 * total].reshape(total, 2).copy()
        if count > _DENSE:
            return None
        check_count(-total)
        room = -total


def _spans(elements: Elements) -> list[tuple[int, int, Shape]]:
    """Return the entries as flat batches: where the numbers of their elements are, how many there are, the shapes."""
    return [(_EVERY + 8 * first, end - first, shape) for first, end, shape in elements.spans()]


@lru_cache(256)
def _calls(kinds: tuple[int, ...]) -> tuple[bytes, bytes, int]:
    """Return ranks, the addresses of loops, for bounds and for the distances of any two, and the columns of a block.

    Of each batch it is told twice its rank, and one more if there are several in it: one shape alone makes no pair.
    """
    ranks, columns = [kind // 2 for kind in kinds], 0
    calls = [BOUNDS[rank].address for rank in ranks]
    for (i, a), (j, b) in product(enumerate(ranks), repeat=2):
        if a > b or (i == j and not kinds[i] % 2):
            calls.append(0)
        else:
            loop = LOOPS[a, b].distance
            calls.append(loop.address)
            columns = max(columns, loop.columns)
    return _PACK[len(ranks)](*ranks), Struct(f"{len(calls)}q").pack(*calls), columns


class Parts(NamedTuple):
    """What is worked out on the way, in one piece of memory."""

    distance: Floats
    lower: Floats
    upper: Floats
    tree: Tree
    places: Ints
    pairs: Ints
    by_kind: int
    ends: Ints
    work: Ints


#: Numbers that do not grow with a scene: the frame of a tree, its levels, and the ends of pairs of two kinds.
_FIXED = FRAME + LEVELS + _KINDS * _KINDS


def memory_size(count: int, room: int) -> int:
    """Return how many numbers it takes to work out the pairs of so many elements; see `_parts`."""
    blocks = count // (LEAF - 1) + LEVELS
    return 7 * room + (6 + 2) * count + LEAF * blocks + BLOCK // 2 * blocks + _FIXED + work_size(count)


@kernel
def _parts(memory: Floats, count: int, room: int) -> Parts:
    """Divide a piece of memory."""
    lower, fixed = 7 * room, 7 * room + 8 * count
    frame, starts = fixed, fixed + FRAME
    ends, order = starts + LEVELS, starts + LEVELS + _KINDS * _KINDS
    levels = ints_from(memory, starts)
    store_levels(count, levels)
    blocks = order + LEAF * levels[2]
    work = blocks + BLOCK // 2 * levels[levels[0] + 1]
    low, high = floats_from(memory, lower), floats_from(memory, lower + 3 * count)
    tree = Tree(singles_from(memory, blocks), ints_from(memory, order), levels, floats_from(memory, frame), low, high)
    places = ints_from(memory, lower + 6 * count)
    pairs = ints_from(memory, room)
    return Parts(memory, low, high, tree, places, pairs, 3 * room, ints_from(memory, ends), ints_from(memory, work))


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
        place = counts[number]
        counts[number] = place + 1
        out[2 * place], out[2 * place + 1] = given[2 * k], given[2 * k + 1]


@kernel
def _pairs(count: int, parts: Parts, curve: Ints, room: int) -> int:
    """Store the pairs of elements whose boxes overlap, those of few in order; count them all."""
    tree = parts.tree
    if count <= _TREELESS:
        return pairs_of_few(count, parts.lower, parts.upper, _ROOM, tree.blocks, parts.pairs, room)
    for place in range(LEAF * tree.starts[2]):
        tree.order[place] = place if place < count else -1
    build(tree, count, curve, parts.work, _ROOM)
    return pairs_of_tree(tree, 0, tree.starts[2], _ROOM, 0.0, parts.pairs, room)


@kernel
def _touching_in_order(count: int, parts: Parts, by_kind: Ints, found: Ints) -> int:
    """Store the pairs that touch, of such as are in order but for their kinds; return how many there are."""
    total, pairs, touch = 0, parts.pairs, 3 * count  # who has been swapped is of no use any more
    for k in range(count):
        by_kind[touch + by_kind[k]] = parts.distance[k] <= 0.0
    for k in range(count):
        found[2 * total], found[2 * total + 1] = pairs[2 * k], pairs[2 * k + 1]
        total += by_kind[touch + k]
    return total


@kernel
def _touching(count: int, elements: int, parts: Parts, by_kind: Ints, found: Ints) -> int:
    """Store the pairs that touch, in order; return how many there are."""
    total, pairs = 0, parts.pairs
    for k in range(count):
        if parts.distance[k] <= 0.0:
            row = by_kind[k]
            found[2 * total], found[2 * total + 1] = pairs[2 * row], pairs[2 * row + 1]
            total += 1
    _counted(elements, total, found, 1, parts.work, pairs)
    _counted(elements, total, pairs, 0, parts.work, found)
    return total


def _at_once(
    numbers: Ints, ranks: Ints, calls: Ints, tables: Tables, strides: IntTable, elements: IntTable,
    more: Table, rows: Ints, memory: Floats, out: Table, curve: Ints, found: Ints,
) -> int:  # fmt: skip
    """Store the pairs that touch, and return how many there are; or less than zero how many there is to be room for."""
    count, kinds, room = numbers[0], numbers[1], numbers[2]
    parts = _parts(memory, count, room)
    ends = parts.ends
    for k in range(kinds):
        given = (numbers[3 + k], tables[k], strides[k], elements[k], k, parts.lower, parts.upper, parts.places)
        call(calls, k, given)
    total = _pairs(count, parts, curve, room)
    if total > room:
        return -total
    for place in range(kinds * kinds):
        ends[place] = 0
    by_kind, start = ints_from(memory, parts.by_kind), 0
    sort_by_kind(total, kinds, 0, parts.pairs, parts.places, ends, ranks, ends, by_kind)
    first, second = ints_from(memory, parts.by_kind + total), ints_from(memory, parts.by_kind + 2 * total)
    for place in range(kinds * kinds):
        if ends[place] > start:
            a, b = place // kinds, place % kinds
            one, other = (tables[a], strides[a], first), (tables[b], strides[b], second)
            call(calls, kinds + place, (start, ends[place], 1, *one, *other, more, rows, out, _TOUCH))
            start = ends[place]
    if count <= _TREELESS:
        return _touching_in_order(total, parts, by_kind, found)
    return _touching(total, count, parts, by_kind, found)


_GIVEN = (INTS, INTS, INTS, TABLES, INT_TABLE, INT_TABLE)
AT_ONCE = Loop("scene_at_once", _at_once, (*_GIVEN, TABLE, INTS, FLOATS, TABLE, INTS, INTS), INT)
