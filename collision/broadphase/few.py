"""The pairs of a few boxes that overlap, without a tree: each is compared with all behind it, eight at a time.

For some hundred boxes a tree takes longer to fit, and to walk through, than it saves. Their blocks are those of leaves
(`collision.broadphase.blocks`), but for the coordinates: these go from a corner of the first box, and are not rounded
outwards. Rounding keeps order, so boxes that overlap do so when all numbers are rounded to the nearest, or have become
infinite; those that overlap in single precision only are told apart by the boxes in double precision.
"""

from __future__ import annotations

import math

from collision.broadphase.blocks import BLOCK, UPPERS, row_at, widened_box
from collision.broadphase.search import boxes_overlap
from collision.kernels.vec3 import Vec3, store, sub
from collision.native import LANES, Floats, Ints, Singles, kernel, lowest_bit, overlapping

#: Up to so many boxes this is quicker than a tree, whatever the processor.
TREE_THRESHOLD = 192


@kernel
def pairs_of_few(
    count: int, lower: Floats, upper: Floats, widening: float, rows: Floats, blocks: Singles, found: Ints, room: int
) -> int:
    """Store the pairs of boxes that overlap, i < j, in lexicographic order where there is room; count them all.

    The boxes are widened, each by so many times its largest coordinate, and stored as rows of six numbers.
    """
    _store_blocks(count, lower, upper, widening, rows, blocks)
    total, last = 0, (count + LANES - 1) // LANES
    for i in range(count):
        own, wanted = BLOCK * (i // LANES) + i % LANES, -2 << i % LANES  # of its own block those behind it
        ax, ay, az = blocks[own], blocks[own + LANES], blocks[own + 2 * LANES]
        bx, by, bz = blocks[own + UPPERS], blocks[own + UPPERS + LANES], blocks[own + UPPERS + 2 * LANES]
        for block in range(i // LANES, last):
            mask = overlapping(blocks, BLOCK * block, ax, ay, az, bx, by, bz) & wanted
            wanted = -1
            while mask:
                j = LANES * block + lowest_bit(mask)
                mask &= mask - 1
                if boxes_overlap(row_at(rows, 6 * i), row_at(rows, 6 * j), 0.0):
                    if total < room:
                        found[2 * total], found[2 * total + 1] = i, j
                    total += 1
    return total


@kernel
def _store_blocks(count: int, lower: Floats, upper: Floats, widening: float, rows: Floats, blocks: Singles) -> None:
    """Widen boxes, and store them in blocks; what is left of the last block overlaps nothing."""
    start = Vec3(_finite(lower[0]), _finite(lower[1]), _finite(lower[2]))
    for i in range(count):
        box, at = widened_box(lower, upper, i, widening), BLOCK * (i // LANES) + i % LANES
        store(rows, 6 * i, box.lower)
        store(rows, 6 * i + 3, box.upper)
        a, b = sub(box.lower, start), sub(box.upper, start)
        blocks[at], blocks[at + LANES], blocks[at + 2 * LANES] = a.x, a.y, a.z
        blocks[at + UPPERS], blocks[at + UPPERS + LANES], blocks[at + UPPERS + 2 * LANES] = b.x, b.y, b.z
    for i in range(count, (count + LANES - 1) // LANES * LANES):
        for k in range(6):
            blocks[BLOCK * (i // LANES) + i % LANES + LANES * k] = math.nan  # even infinite boxes do not overlap it


@kernel
def _finite(x: float) -> float:
    """Return a number, or zero where it is infinite, or none."""
    return x if abs(x) < math.inf else 0.0
