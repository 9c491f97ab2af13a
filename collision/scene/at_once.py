"""All pairs of a scene that touch, in one call of machine code: bounds, tree, candidates, verdicts, order.

It is for scenes of up to some thousand shapes, of which Python's part would take longer than the work. The loops for
bounds and for distances are called by their addresses, so a scene needs those of its own kinds and no others. Up to
some hundred shapes need no tree: their boxes are compared with each other, and the pairs are found in order.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, product
from operator import sub
from struct import Struct
from typing import NamedTuple

import numpy as np

from collision.base.fields import IntArray
from collision.broadphase.blocks import BLOCK, FRAME, LEVELS, Tree
from collision.broadphase.few import FEW, pairs_of_few
from collision.broadphase.hierarchy import ROOM
from collision.broadphase.search import check_count, pairs_of_tree
from collision.broadphase.tree import HILBERT, LEAF, build, store_levels, work_size
from collision.kernels.cores import TOUCH
from collision.kernels.loops import BOUNDS, LOOPS
from collision.kernels.table import CoreType
from collision.native import (
    FLOATS,
    INT,
    INT_TABLE,
    INTS,
    TABLES,
    Floats,
    Ints,
    IntTable,
    Loop,
    Table,
    Tables,
    address,
    call,
    floats_from,
    ints_from,
    kernel,
    singles_from,
    tabled,
)
from collision.scene.candidates import NO_PAIRS
from collision.scene.elements import Elements, Group
from collision.scene.pairing import sort_by_kind
from collision.shapes.shape import Shape

#: Up to so many elements are done in one call; more are worth several threads, and what is worked out is kept.
MOST = 1 << 14

#: Up to so many are done while other threads wait, and up to so many even where most of them overlap.
_FEW, _DENSE = 256, 4096

#: Up to so many pairs are compared of which one has no end, and so no box: it may touch all others.
_ENDLESS = 1 << 15

#: Up to so many batches are taken as they are; of more, those of a kind are joined. There are fewer kinds than this.
BATCHES = _KINDS = 16

# Plain globals: loops take them as constants.
_ROOM, _TOUCH, _TREELESS, _WALL = ROOM, TOUCH, FEW, int(CoreType.HALF_SPACE)

#: As it is: NumPy takes as long to find it by its class as to make an array.
_INT64 = np.dtype(np.int64)

#: All numbers of elements.
_NUMBERS = np.arange(MOST)

_CURVE, _EVERY = address(HILBERT), address(_NUMBERS)

#: What packs so many integers or addresses.
_PACK = [Struct(f"{count}q").pack for count in range(BATCHES + 6)]


class _Plan(NamedTuple):
    """How batches of some kinds and sizes are asked.

    Attributes
    ----------
    ranks : bytes
        The rank of each batch.
    calls : bytes
        The addresses of loops, for bounds of each, and for the distances of any two.
    behind : bytes
        How many operands each has: behind the table of these are their strides.
    numbers : bytes
        The places where the numbers of all elements are, if they have these one after the other.
    sizes : sequence of int
        How many elements there are in each.
    room : int
        For how many pairs there is room at first.
    first : tuple of bytes and int
        What `_memory` returns for this room.
    """

    ranks: bytes
    calls: bytes
    behind: bytes
    numbers: bytes
    sizes: Sequence[int]
    room: int
    first: tuple[bytes, int]


@lru_cache(256)
def _plan(kinds: tuple[type[Shape], ...], starts: tuple[int, ...]) -> _Plan | None:
    """Return how batches are asked, given the first number of each and of all; None if too many have no end."""
    ranks, sizes = [kind.core_type for kind in kinds], [*map(sub, starts[1:], starts)]
    endless = starts[-1] * sum([size for kind, size in zip(kinds, sizes, strict=True) if not kind.bounded])
    if endless > _ENDLESS:
        return None
    calls = [BOUNDS[rank].address for rank in ranks]
    for i, j in product(range(len(kinds)), repeat=2):
        alone = sizes[i] * sizes[j] == 0 or (i == j and sizes[i] == 1)  # which makes no pair
        if ranks[i] > ranks[j] or alone or ranks[i] == ranks[j] == _WALL:
            calls.append(0)
        else:
            calls.append(LOOPS[ranks[i], ranks[j]].distance.address)
    pack = _PACK[len(kinds)]
    behind = pack(*[kind.layout.count for kind in kinds])
    numbers = pack(*[_EVERY + 8 * first for first in starts[:-1]])
    room = 2 * starts[-1] + endless + 64
    given = pack(*ranks), Struct(f"{len(calls)}q").pack(*calls), behind, numbers
    return _Plan(*given, sizes, room, _memory(sizes, room))


def _memory(sizes: Sequence[int], room: int) -> tuple[bytes, int]:
    """Return the numbers that the loop takes where there is room for so many pairs, and how many it works with."""
    count, kinds = sum(sizes), len(sizes)
    size = memory_size(count, room)
    return _PACK[kinds + 3](count, kinds, room, *sizes), size


def touching_at_once(elements: Elements) -> IntArray | None:
    """Return the pairs of elements that touch, i < j, in lexicographic order.

    None where it is not for one call: of more shapes than some thousand, where many of them have no end, and where
    there are so many candidates that they are worth several threads.
    """
    count = elements.count
    if count < 2:
        return NO_PAIRS
    if count > MOST:
        return None
    groups = elements.groups if len(elements.shapes) > BATCHES else ()
    shapes, starts = _joined(groups) if groups else (elements.shapes.values(), elements.starts)
    batches, kinds, places = [], [], []  # in one go, which is quicker than three
    for shape in shapes:
        batch = shape if len(shape.batch_shape) < 2 else shape.flattened()
        batches.append(batch)  # and so stays in memory
        kinds.append(type(batch))
        places.append(batch.place)
    plan = _plan(tuple(kinds), starts)
    if plan is None:
        return None
    pack = _PACK[len(batches)]
    # Of groups the numbers must stay in memory, whatever another thread has the elements forget.
    numbers = pack(*[address(group.elements) for group in groups]) if groups else plan.numbers
    given = plan.ranks, plan.calls, pack(*places), plan.behind, numbers
    room, (sizes, size) = plan.room, plan.first
    while True:
        found, memory = np.empty((room, 2), dtype=_INT64), np.empty(size, dtype=_INT64)
        if count <= _FEW:
            total = AT_ONCE.briefly(sizes, *given, memory, _CURVE, found)
        else:
            total = AT_ONCE.run(sizes, *given, address(memory), _CURVE, address(found))
        if total >= 0:
            return found[:total] if count <= _FEW else found[:total].copy()  # of little, what is left over may stay
        if count > _DENSE:
            return None
        check_count(-total)
        room = -total
        sizes, size = _memory(plan.sizes, room)


def _joined(groups: tuple[Group, ...]) -> tuple[list[Shape], tuple[int, ...]]:
    """Return all of a kind as flat batches, and how many come before each and in all."""
    return [group.shape for group in groups], (0, *accumulate([len(group.elements) for group in groups]))


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
    out: Table
    work: Ints


#: Numbers that do not grow with a scene: the frame of a tree, its levels, the ends of pairs of two kinds, and the
#: address of where distances go.
_FIXED = FRAME + LEVELS + _KINDS * _KINDS + 1


def memory_size(count: int, room: int) -> int:
    """Return how many numbers it takes to work out the pairs of so many elements; see `_parts`."""
    blocks = count // (LEAF - 1) + LEVELS
    return 7 * room + (6 + 2) * count + LEAF * blocks + BLOCK // 2 * blocks + _FIXED + work_size(count)


@kernel
def _parts(memory: Floats, count: int, room: int) -> Parts:
    """Divide a piece of memory."""
    lower, fixed = 7 * room, 7 * room + 8 * count
    frame, starts = fixed, fixed + FRAME
    ends, out = starts + LEVELS, starts + LEVELS + _KINDS * _KINDS
    order = out + 1
    levels = ints_from(memory, starts)
    store_levels(count, levels)
    blocks = order + LEAF * levels[2]
    work = blocks + BLOCK // 2 * levels[levels[0] + 1]
    low, high = floats_from(memory, lower), floats_from(memory, lower + 3 * count)
    tree = Tree(singles_from(memory, blocks), ints_from(memory, order), levels, floats_from(memory, frame), low, high)
    places = ints_from(memory, lower + 6 * count)
    pairs, addresses = ints_from(memory, room), ints_from(memory, out)
    return Parts(
        memory, low, high, tree, places, pairs, 3 * room, ints_from(memory, ends), tabled(addresses, memory),
        ints_from(memory, work),
    )  # fmt: skip


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
    tree, endless = parts.tree, ints_from(parts.distance, parts.by_kind)
    if count <= _TREELESS:
        return pairs_of_few(count, parts.lower, parts.upper, _ROOM, tree.blocks, parts.pairs, room)
    without = _divided(count, parts.lower, tree.order, endless)
    boxes = count - without
    store_levels(boxes, tree.starts)
    for place in range(boxes, LEAF * tree.starts[2]):
        tree.order[place] = -1
    build(tree, boxes, curve, parts.work, _ROOM)
    total = pairs_of_tree(tree, 0, tree.starts[2], _ROOM, 0.0, parts.pairs, room)
    for k in range(without):
        total = _pairs_of_endless(endless[k], count, parts, total, room)
    return total


@kernel
def _divided(count: int, lower: Floats, boxes: Ints, endless: Ints) -> int:
    """List the elements that have a box, and those that have no end; return how many the latter are."""
    without = 0
    for number in range(count):
        has_end = lower[3 * number] > -math.inf
        boxes[number - without], endless[without] = number, number
        without += not has_end
    return without


@kernel
def _pairs_of_endless(number: int, count: int, parts: Parts, total: int, room: int) -> int:
    """Store one without end with all others, two of them once, where there is room; count them, with those before."""
    for other in range(count):
        if other == number or (other < number and not parts.lower[3 * other] > -math.inf):
            continue
        if total < room:
            parts.pairs[2 * total], parts.pairs[2 * total + 1] = min(number, other), max(number, other)
        total += 1
    return total


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


@kernel
def _apart(first: int, last: int, distance: Floats) -> int:
    """Have pairs not touch, as two half-spaces in a scene never do; return where they end."""
    for k in range(first, last):
        distance[k] = math.inf
    return last


def _at_once(
    numbers: Ints, ranks: Ints, calls: Ints, tables: Tables, behind: Ints, elements: IntTable,
    memory: Floats, curve: Ints, found: Ints,
) -> int:  # fmt: skip
    """Store the pairs that touch, and return how many there are; or less than zero how many there is to be room for."""
    count, kinds, room = numbers[0], numbers[1], numbers[2]
    parts = _parts(memory, count, room)
    ends = parts.ends
    for k in range(kinds):
        own = tables[k], ints_from(tables[k], behind[k]), elements[k]
        call(calls, k, (numbers[3 + k], *own, k, parts.lower, parts.upper, parts.places))
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
            if ranks[a] == _WALL and ranks[b] == _WALL:
                start = _apart(start, ends[place], parts.distance)
                continue
            one = tables[a], ints_from(tables[a], behind[a]), first
            other = tables[b], ints_from(tables[b], behind[b]), second
            call(calls, kinds + place, (start, ends[place], 1, *one, *other, parts.out, ends, parts.out, _TOUCH))
            start = ends[place]
    if count <= _TREELESS:
        return _touching_in_order(total, parts, by_kind, found)
    return _touching(total, count, parts, by_kind, found)


_GIVEN = (INTS, INTS, INTS, TABLES, INTS, INT_TABLE)
AT_ONCE = Loop("scene_at_once", _at_once, (*_GIVEN, FLOATS, INTS, INTS), INT)
