"""A bounding volume hierarchy, eight wide, over boxes in the order of a space-filling curve.

Along the curve (Hilbert's, of which neighbours are never far apart) what is near in space is near in memory, so eight
neighbours make a leaf, eight leaves a block of the next level, and so on: complete, it needs no pointers, and building
it is one sort. Each class of sizes has a stretch of the order to itself, so that a few huge boxes do not swell the
blocks of many small ones. (Lauterbach et al., *Fast BVH Construction on GPUs*, 2009, has trees over such curves; Wald
et al., *Getting Rid of Packets*, 2008, has wide ones, of which all boxes of a node are compared at once.)
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from collision.base.fields import FloatArray, IntArray
from collision.broadphase.blocks import (
    BLOCK,
    FRAME,
    LEVELS,
    UPPERS,
    Tree,
    in_units,
    index_of,
    store_box,
    store_empty,
    widened_box,
)
from collision.kernels.vec3 import Vec3, along, largest, load, scale, store, sub
from collision.native import (
    FLOAT,
    FLOATS,
    INT,
    INTS,
    LANES,
    SINGLES,
    Floats,
    Ints,
    Loop,
    Singles,
    address,
    fetch,
    in_parts,
    kernel,
)

#: Boxes to a leaf, and leaves and blocks to a block.
LEAF = LANES

#: Up to so many boxes are left in the order in which they are: to sort them takes longer than it saves.
SORT_THRESHOLD = 128

#: Most bits of a position along one axis of the curve, beside three for the class of sizes; and those of a pass of the
#: radix sort. The last step along an axis is a little short, so that rounding stays within the bits.
_BITS, _DIGIT = 16, 11

#: So many boxes are worth several threads.
_THREAD_GRAIN = 1 << 15

#: More than this no walk through a tree can note: eight bits for each level but the lowest.
MAX_BOXES = LEAF**9

#: The stages of building, or all at once.
_ALL, _MEASURE, _CODES, _SORT, _LEAVES, _ABOVE = range(6)

#: Where behind the frame the grid of the curve is: its corner, steps to a unit of length, the usual size, and its bits.
_START, _STEPS, _USUAL, _OF_BITS = 5, 8, 9, 10

#: So many boxes ahead are on their way from memory, in which they are at random addresses.
_AHEAD = 48

#: How often the unit of a tree is doubled or halved at most: its inverse must be a number.
_SCALES = 1000


class TreeMemory(NamedTuple):
    """A tree, and the boxes that it is of; what each is, `collision.broadphase.blocks.Tree` says."""

    blocks: npt.NDArray[np.float32]
    order: IntArray
    starts: IntArray
    frame: FloatArray
    lower: FloatArray
    upper: FloatArray

    @property
    def addresses(self) -> tuple[int, ...]:
        """The addresses of the arrays, good as long as these live: what loops take for `TREE`."""
        return tuple(map(address, self))


@kernel
def store_levels(count: int, starts: Ints) -> None:
    """Store how many levels a tree of so many boxes has, and where the blocks of each begin; the last is the end."""
    blocks, level = max((count + LEAF - 1) // LEAF, 1), 1
    starts[0], starts[1], starts[2] = 1, 0, blocks
    while blocks > 1:
        blocks, level = (blocks + LEAF - 1) // LEAF, level + 1
        starts[0], starts[level + 1] = level, starts[level] + blocks


def build_tree(lower: FloatArray, upper: FloatArray, widening: float, numbers: IntArray | None = None) -> TreeMemory:
    """Return the tree over finite boxes (n, 3), all or some, each widened by so many times its largest coordinate."""
    count = len(lower) if numbers is None else len(numbers)
    if count > MAX_BOXES:
        raise MemoryError(f"there are {count:,} shapes, more than {MAX_BOXES:,}")
    starts = np.zeros(LEVELS, dtype=np.int64)
    store_levels(count, starts)
    order = np.arange(count) if numbers is None else numbers.astype(np.int64)
    memory = TreeMemory(
        np.empty((starts[starts[0] + 1], 6, LANES), dtype=np.float32),
        np.concatenate([order, np.full(LEAF * starts[2] - count, -1)]),
        starts,
        np.empty(FRAME),
        lower,
        upper,
    )
    work = np.empty(work_size(count), dtype=np.int64)
    given = count, *memory.addresses, address(HILBERT), address(work), widening

    def stage(number: int, total: int) -> None:
        in_parts(lambda first, last: BUILD.run(number, first, last, *given), total, _THREAD_GRAIN)

    if count < 2 * _THREAD_GRAIN:
        BUILD.run(_ALL, 0, 0, *given)
        return memory
    BUILD.run(_MEASURE, 0, 0, *given)
    stage(_CODES, count)
    BUILD.run(_SORT, 0, 0, *given)
    stage(_LEAVES, len(memory.order))
    BUILD.run(_ABOVE, 0, 0, *given)
    return memory


def work_size(count: int) -> int:
    """Return how many integers it takes to build a tree over so many boxes."""
    return (1 << _DIGIT) + 3 * count


def _curve() -> IntArray:
    """Return for every state of the curve and octant its position, plus 8 times the next state.

    The rules are those of C. H. Hamilton and A. Rau-Chaplin, "Compact Hilbert indices" (2008), for three dimensions; a
    state is the corner at which the curve enters a cell, and the axis along which it leaves.
    """
    table = np.empty((8, 3, 8), dtype=np.int64)
    turned = [[((v << k) | (v >> (3 - k))) & 7 for k in range(3)] for v in range(8)]  # bits rotated to the left
    for entry, axis, octant in np.ndindex(table.shape):
        gray = turned[octant ^ entry][(2 - axis) % 3]
        position = gray ^ gray >> 1 ^ gray >> 2
        even = max((position - 1) // 2 * 2, 0)
        next_entry = entry ^ turned[even ^ even >> 1][(axis + 1) % 3]
        run = position if position & 1 else max(position - 1, 0)
        ones = next(k for k in range(4) if not run >> k & 1)
        next_axis = (axis + ones + 1) % 3
        table[entry, axis, octant] = position + 8 * (3 * next_entry + next_axis)
    return table.reshape(24, 8)


def _twice(one: IntArray) -> IntArray:
    """Return for every state and two octants, one in the other, their position, plus 64 times the next state."""
    two = one[one >> 3]  # (state, octant, octant in it)
    return np.ascontiguousarray(8 * (one[:, :, None] & 7) + (two & 7) + 64 * (two >> 3))


#: Hilbert's curve, and what `build_kernel` takes to follow it.
CURVE = _curve()
HILBERT = _twice(CURVE)


@kernel
def _middle(lower: Floats, upper: Floats, i: int) -> Vec3:
    """Return the center of a box; of halves, which cannot overflow."""
    return along(scale(load(lower, i), 0.5), 0.5, load(upper, i))


@kernel
def _size(lower: Floats, upper: Floats, i: int) -> float:
    """Return the longest side of a box."""
    return largest(sub(load(upper, i), load(lower, i)))


@kernel
def _size_class(size: float, usual: float) -> int:
    """Return the class of a size, 0 for the largest to 7; each spans a factor of eight, the fourth around the usual."""
    number, bound = 3, usual * math.sqrt(8.0)
    while size > bound and number > 0:
        number, bound = number - 1, 8.0 * bound
    bound = usual / math.sqrt(8.0)
    while size < bound and number < 7:
        number, bound = number + 1, bound / 8.0
    return number


@kernel
def _spread(v: int) -> int:
    """Put two zero bits between the bits of a number of up to 20."""
    v = (v | v << 32) & 0x1F00000000FFFF
    v = (v | v << 16) & 0x1F0000FF0000FF
    v = (v | v << 8) & 0x100F00F00F00F00F
    v = (v | v << 4) & 0x10C30C30C30C30C3
    return (v | v << 2) & 0x1249249249249249


@kernel
def _measure(tree: Tree, count: int, widening: float) -> None:
    """Choose the coordinates of the tree, and the grid of the curve.

    The farthest side is at about one, and what boxes are widened by at no more, or all could be one point in single
    precision. All axes have one scale: the noise across a thin line of shapes must not get as many bits as the way
    along it.
    """
    order, lower, upper, frame = tree.order, tree.lower, tree.upper, tree.frame
    if count == 0:
        store(frame, 0, Vec3(0.0, 0.0, 0.0))
        frame[3], frame[4] = 1.0, 1.0
        return
    low, high, total = load(lower, 3 * order[0]), load(upper, 3 * order[0]), 0.0
    start = end = _middle(lower, upper, 3 * order[0])
    for i in range(count):
        box = 3 * order[i]
        low, high = _least(low, load(lower, box)), _most(high, load(upper, box))
        p = _middle(lower, upper, box)
        start, end = _least(start, p), _most(end, p)
        total += math.sqrt(_size(lower, upper, box))  # a mean of roots: a few giants do not count for all
    store(frame, 0, along(scale(low, 0.5), 0.5, high))
    most = max(largest(along(scale(high, 0.5), -0.5, low)), widening * max(largest(low), largest(high)))
    units, steps = 1.0, 0
    while most * units > 1.0 and steps < _SCALES:
        units, steps = 0.5 * units, steps + 1
    while 0.0 < most * units < 0.5 and steps < _SCALES:
        units, steps = 2.0 * units, steps + 1
    frame[3], frame[4] = units, 1.0 / units
    extent, usual, bits = largest(sub(end, start)), (total / count) ** 2, 2
    while bits < _BITS and extent > usual * (1 << bits):
        bits += 2
    store(frame, _START, start)
    frame[_STEPS] = ((1 << bits) - 1.0 / 64.0) / extent if 0.0 < extent < math.inf else 0.0
    frame[_USUAL], frame[_OF_BITS] = usual, bits


@kernel
def _least(a: Vec3, b: Vec3) -> Vec3:
    return Vec3(min(a.x, b.x), min(a.y, b.y), min(a.z, b.z))


@kernel
def _most(a: Vec3, b: Vec3) -> Vec3:
    return Vec3(max(a.x, b.x), max(a.y, b.y), max(a.z, b.z))


@kernel
def _store_codes(tree: Tree, first: int, last: int, table: Ints, work: Ints, codes: int) -> None:
    """Store the class of size, in the highest bits, and the position along the curve of the centers of boxes."""
    order, lower, upper, frame = tree.order, tree.lower, tree.upper, tree.frame
    start, steps, usual, bits = load(frame, _START), frame[_STEPS], frame[_USUAL], int(frame[_OF_BITS])
    for i in range(first, last):
        box = 3 * order[i]
        code, state = _size_class(_size(lower, upper, box), usual), 0
        way = scale(sub(_middle(lower, upper, box), start), steps)
        octants = _spread(int(way.x)) | _spread(int(way.y)) << 1 | _spread(int(way.z)) << 2
        for shift in range(3 * bits - 6, -1, -6):
            entry = table[64 * state + (octants >> shift & 63)]
            code, state = code << 6 | entry & 63, entry >> 6
        work[codes + i] = code


@kernel
def _sort(count: int, bits: int, order: Ints, work: Ints) -> None:
    """Sort the order by codes, those from the end of the counts on: a radix sort, passes without effect left out."""
    digits = 1 << _DIGIT
    codes, others, moved = digits, digits + count, digits + 2 * count
    in_order = True  # or else in what is moved
    for shift in range(0, 3 * bits + 3, _DIGIT):
        for d in range(digits):
            work[d] = 0
        for i in range(count):
            work[work[codes + i] >> shift & digits - 1] += 1
        if work[work[codes] >> shift & digits - 1] == count:
            continue
        total = 0
        for d in range(digits):
            here = work[d]
            work[d] = total
            total += here
        for i in range(count):
            code = work[codes + i]
            index = work[code >> shift & digits - 1]
            work[code >> shift & digits - 1] = index + 1
            work[others + index] = code
            if in_order:
                work[moved + index] = order[i]
            else:
                order[index] = work[moved + i]
        codes, others, in_order = others, codes, not in_order
    if not in_order:
        for i in range(count):
            order[i] = work[moved + i]


@kernel
def _fit_leaves(tree: Tree, first: int, last: int, widening: float) -> None:
    """Put the boxes of some slots, widened, into the leaves."""
    for slot in range(first, last):
        number, ahead = tree.order[slot], 3 * max(tree.order[min(slot + _AHEAD, last - 1)], 0)
        fetch(tree.lower, ahead)
        fetch(tree.upper, ahead)
        fetch(tree.lower, ahead + 2)
        fetch(tree.upper, ahead + 2)
        if number < 0:
            store_empty(tree.blocks, slot)
        else:
            box = widened_box(tree.lower, tree.upper, number, widening)
            store_box(in_units(box, tree.frame), tree.blocks, slot)


@kernel
def _fit_above(tree: Tree) -> None:
    """Fit the blocks above the leaves, level by level, around those below."""
    blocks, starts = tree.blocks, tree.starts
    for level in range(1, starts[0]):
        below, first = starts[level], starts[level + 1]
        for slot in range(LANES * (starts[level + 2] - first)):
            if below + slot >= first:
                store_empty(blocks, LANES * first + slot)
                continue
            child, at = BLOCK * (below + slot), index_of(LANES * first + slot)
            for k in range(3):
                least, most = blocks[child + LANES * k], blocks[child + LANES * k + UPPERS]
                for lane in range(1, LANES):
                    least = min(least, blocks[child + LANES * k + lane])
                    most = max(most, blocks[child + LANES * k + UPPERS + lane])
                blocks[at + LANES * k], blocks[at + LANES * k + UPPERS] = least, most


@kernel
def build(tree: Tree, count: int, table: Ints, work: Ints, widening: float) -> None:
    """Sort the boxes along the curve and fit the tree; its order is filled up with -1 to the end of the last leaf."""
    _measure(tree, count, widening)
    if count > SORT_THRESHOLD:
        _store_codes(tree, 0, count, table, work, 1 << _DIGIT)
        _sort(count, int(tree.frame[_OF_BITS]), tree.order, work)
    _fit_leaves(tree, 0, LANES * tree.starts[2], widening)
    _fit_above(tree)


def _build(
    stage: int, first: int, last: int, count: int,
    blocks: Singles, order: Ints, starts: Ints, frame: Floats, lower: Floats, upper: Floats,
    table: Ints, work: Ints, widening: float,
) -> None:  # fmt: skip
    """Build a tree, or do a stage of it, for some of the boxes or slots; see `build`."""
    tree = Tree(blocks, order, starts, frame, lower, upper)
    if stage == _ALL:
        build(tree, count, table, work, widening)
    elif stage == _MEASURE:
        _measure(tree, count, widening)
    elif stage == _CODES:
        _store_codes(tree, first, last, table, work, 1 << _DIGIT)
    elif stage == _SORT:
        _sort(count, int(frame[_OF_BITS]), order, work)
    elif stage == _LEAVES:
        _fit_leaves(tree, first, last, widening)
    else:
        _fit_above(tree)


#: What searches and builds take of a tree.
TREE = (SINGLES, INTS, INTS, FLOATS, FLOATS, FLOATS)
BUILD = Loop("tree", _build, (INT, INT, INT, INT, *TREE, INTS, INTS, FLOAT))
