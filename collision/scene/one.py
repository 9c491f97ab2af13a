"""The elements that one shape of a large scene touches, in one call of machine code: bounds, tree and verdicts.

It is what a drag asks at every step, and is worth it for just that: one shape that moved, or none, in a scene with a
tree, of shapes that have an end, of which none is hidden and no pair is ignored.
"""

from __future__ import annotations

import ctypes
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from collision.base.fields import IntArray
from collision.broadphase.blocks import BLOCK, in_units, widened_box
from collision.broadphase.hierarchy import FEW, ROOM
from collision.broadphase.search import boxes_overlap, next_block
from collision.broadphase.tree import TREE
from collision.kernels.cores import TOUCH
from collision.kernels.loops import BOUNDS, LOOPS
from collision.native import (
    FLOATS,
    INT,
    INT_TABLE,
    INTS,
    LANES,
    NONE,
    TABLE,
    TABLES,
    Floats,
    Ints,
    IntTable,
    Loop,
    Singles,
    Table,
    Tables,
    address,
    call,
    floats_from,
    ints_from,
    kernel,
    lowest_bit,
    overlapping,
    table,
)
from collision.scene.memory import SceneMemory
from collision.shapes.shape import Shape

if TYPE_CHECKING:
    from collision.scene.world import World

#: The elements that there is room for at first.
_ROOM_AT_FIRST = 64

_ROOM, _TOUCH = ROOM, TOUCH  # plain globals: loops take them as constants


def is_alone(world: World, number: int) -> bool:
    """Tell whether a world is one of many shapes that has nothing of all that `touching_one` knows nothing of."""
    if world.hidden is not None or world.ignored_names or world.elements.count <= FEW:
        return False
    return len(world.changes) <= (number in world.changes) and not len(world.hierarchy.wide)


def touching_one(shape: Shape, number: int, memory: SceneMemory) -> IntArray:
    """Return the elements that touch a shape, in order, but the one whose number it has; it has an end."""
    room, own = _ROOM_AT_FIRST, shape.operands
    calls, swaps = _calls(shape.core_type, memory.ranks)
    while True:
        found, work = np.empty(room, dtype=np.int64), np.empty(9)
        place = address(work)
        given = (own.table, own.strides, calls, swaps, *memory.tree, *memory.batches)
        total = _ONE.run(number, room, *given, place, table([work]), *NONE, address(found))
        if total <= room:
            others = found[:total]
            others.sort()
            return others
        room = total


@lru_cache(256)
def _calls(rank: int, ranks: tuple[int, ...]) -> tuple[Any, Any]:
    """Return the addresses of loops, for bounds and for distances to each batch, and how a kernel takes each.

    That is 1 if the shape is the second, -1 if it is the first, and 0 if the lower number is.
    """
    calls = [BOUNDS[rank].address, *(LOOPS[min(rank, b), max(rank, b)].distance.address for b in ranks)]
    swaps = [(rank > b) - (rank < b) for b in ranks]
    return (ctypes.c_int64 * len(calls))(*calls), (ctypes.c_int64 * len(swaps))(*swaps)


@kernel
def _touches(
    calls: Ints, swaps: Ints, second: bool, batch: int, own: tuple[Table, Ints, Ints], other: tuple[Table, Ints, Ints],
    nothing: Table, rows: Ints, out: Table,
) -> bool:  # fmt: skip
    """Tell whether the shape touches an element; second, if all else is equal."""
    swap = swaps[batch]
    if swap > 0 or (swap == 0 and second):
        call(calls, batch + 1, (0, 1, 1, *other, *own, nothing, rows, out, _TOUCH))
    else:
        call(calls, batch + 1, (0, 1, 1, *own, *other, nothing, rows, out, _TOUCH))
    return out[0][0] <= 0.0


def _one(
    number: int, room: int, own: Table, own_strides: Ints, calls: Ints, swaps: Ints,
    blocks: Singles, order: Ints, starts: Ints, frame: Floats, lower: Floats, upper: Floats,
    owners: Ints, tables: Tables, strides: IntTable,
    work: Floats, out: Table, nothing: Table, rows: Ints, found: Ints,
) -> int:  # fmt: skip
    """Store the elements that touch the shape; return how many there are."""
    levels, total = starts[0], 0
    call(calls, 0, (1, own, own_strides, found, -1, floats_from(work, 3), floats_from(work, 6), found))
    box = widened_box(floats_from(work, 3), floats_from(work, 6), 0, _ROOM)
    (ax, ay, az), (bx, by, bz) = in_units(box, frame)
    first, second = ints_from(work, 1), ints_from(work, 2)
    level, node, pending = levels - 1, 0, 0
    while level < levels:
        mask = overlapping(blocks, BLOCK * (starts[level + 1] + node), ax, ay, az, bx, by, bz)
        if level > 0:
            pending |= mask << LANES * (level - 1)
        else:
            while mask:
                other = order[LANES * node + lowest_bit(mask)]
                mask &= mask - 1
                if other == number or not boxes_overlap(box, widened_box(lower, upper, other, _ROOM), 0.0):
                    continue
                batch, first[0], second[0] = owners[2 * other], 0, owners[2 * other + 1]
                mine, theirs = (own, own_strides, first), (tables[batch], strides[batch], second)
                if _touches(calls, swaps, other < number, batch, mine, theirs, nothing, rows, out):
                    if total < room:
                        found[total] = other
                    total += 1
            level, node = 1, node // LANES
        level, node, pending = next_block(levels, level, node, pending)
    return total


_GIVEN = (INT, INT, TABLE, INTS, INTS, INTS, *TREE, INTS, TABLES, INT_TABLE)
_ONE = Loop("scene_one", _one, (*_GIVEN, FLOATS, TABLE, TABLE, INTS, INTS), INT)
