"""A bounding volume hierarchy over boxes in the order of a space-filling curve.

Along the curve (Hilbert's, of which neighbours are never far apart) what is near in space is near in memory, so the
tree is the complete binary one over leaves of a few neighbours each: numbered like a heap, it needs no pointers, and
building it is one sort. It needs no cell size, and minds neither thin lines of boxes nor clusters. Boxes of very
different sizes are kept apart: each class of sizes has a stretch of the order to itself, so that a few huge boxes do
not swell the nodes of many small ones. Pairs come from descending the tree against itself. (Lauterbach et al., *Fast
BVH Construction on GPUs*, 2009, has trees over such curves.)
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from collision.broadphase.rows import store_widened
from collision.fields import FloatArray, IntArray
from collision.native import FLOAT, FLOATS, INT, INTS, Floats, Ints, Loop, address, kernel
from collision.vec3 import Vec3, along, largest, load, scale, sub

#: Boxes to a leaf: comparing two handfuls costs less than walking the tree to tell them apart.
LEAF = 4

#: Bits of a place along one axis of the curve: 51 for three and the class of sizes, which seven passes of eight sort.
#: The last step is a little short, so that rounding stays within them.
_BITS = 16
_STEPS = 2.0**_BITS - 1.0 / 64.0
_PASSES = 7


class Tree(NamedTuple):
    """Boxes in the order of the curve, by leaves, and the nodes above them, as rows of six numbers: lower, upper.

    `order` has the number of each box. Nodes are numbered from 1; the last leaves may be empty.
    """

    order: IntArray
    boxes: FloatArray
    nodes: FloatArray

    def places(self) -> tuple[int, int, int, int]:
        """Return where the boxes, the nodes and the order are, and how many nodes come before those of the leaves."""
        return address(self.boxes), address(self.nodes), address(self.order), len(self.nodes) // 2


def build_tree(lower: FloatArray, upper: FloatArray, room: float) -> Tree:
    """Return the tree over finite boxes (n, 3), each widened by `room` times its largest coordinate."""
    count = len(lower)
    leaves = max(-(-count // LEAF), 1)
    boxes, nodes = np.empty((leaves * LEAF, 6)), np.empty((2 << math.ceil(math.log2(leaves)), 6))
    order, (codes, others, moved) = np.empty(count, dtype=np.int64), np.empty((3, count), dtype=np.int64)
    if not count:
        boxes[:], nodes[:] = _EMPTY, _EMPTY
        return Tree(order, boxes, nodes)
    counts = np.empty(_PASSES * 256, dtype=np.int64)
    given = (np.ascontiguousarray(lower), np.ascontiguousarray(upper), _HILBERT)
    places = map(address, (*given, codes, others, moved, counts, order, boxes, nodes))
    _BUILD.run(count, leaves * LEAF, len(nodes) // 2, *places, room)
    return Tree(order, boxes, nodes)


_EMPTY = np.array([math.inf] * 3 + [-math.inf] * 3)


def _hilbert_table() -> IntArray:
    """Return for every state of the curve and two octants, one in the other, their place, plus 64 times the next state.

    A state is the corner at which the curve enters a cell, and the axis along which it leaves. The rules are those of
    C. H. Hamilton and A. Rau-Chaplin, "Compact Hilbert indices" (2008), for three dimensions.
    """
    table = np.empty((8, 3, 8), dtype=np.int64)  # for a single octant
    turned = [[((v << k) | (v >> (3 - k))) & 7 for k in range(3)] for v in range(8)]  # bits rotated to the left
    for entry, axis, octant in np.ndindex(table.shape):
        gray = turned[octant ^ entry][(2 - axis) % 3]
        place = gray ^ gray >> 1 ^ gray >> 2
        even = max((place - 1) // 2 * 2, 0)
        next_entry = entry ^ turned[even ^ even >> 1][(axis + 1) % 3]
        run = place if place & 1 else max(place - 1, 0)
        ones = next(k for k in range(4) if not run >> k & 1)
        next_axis = (axis + ones + 1) % 3
        table[entry, axis, octant] = place + 8 * (3 * next_entry + next_axis)
    one = table.reshape(24, 8)
    two = one[one >> 3]  # (state, octant, octant in it)
    return np.ascontiguousarray(8 * (one[:, :, None] & 7) + (two & 7) + 64 * (two >> 3))


_HILBERT = _hilbert_table()


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
def _store_codes(count: int, lower: Floats, upper: Floats, table: Ints, codes: Ints) -> None:
    """Store the class of size and the place along the curve of each box's center, the class in the highest bits.

    All axes have one scale: the noise across a thin line of shapes must not get as many bits as the way along it.
    """
    start, end, total = _middle(lower, upper, 0), _middle(lower, upper, 0), 0.0
    for i in range(count):
        p = _middle(lower, upper, 3 * i)
        start = Vec3(min(start.x, p.x), min(start.y, p.y), min(start.z, p.z))
        end = Vec3(max(end.x, p.x), max(end.y, p.y), max(end.z, p.z))
        total += math.sqrt(_size(lower, upper, 3 * i))  # a mean of roots: a few giants do not count for all
    extent, usual = largest(sub(end, start)), (total / count) ** 2
    steps = _STEPS / extent if 0.0 < extent < math.inf else 0.0
    for i in range(count):
        code, state = _size_class(_size(lower, upper, 3 * i), usual), 0
        way = scale(sub(_middle(lower, upper, 3 * i), start), steps)
        octants = _spread(int(way.x)) | _spread(int(way.y)) << 1 | _spread(int(way.z)) << 2
        for shift in range(3 * _BITS - 6, -1, -6):
            entry = table[64 * state + (octants >> shift & 63)]
            code, state = code << 6 | entry & 63, entry >> 6
        codes[i] = code


@kernel
def _sort(count: int, codes: Ints, others: Ints, order: Ints, moved: Ints, counts: Ints) -> None:
    """Sort codes and the order along with them: a radix sort, eight bits a pass, passes without effect left out."""
    for c in range(_PASSES * 256):
        counts[c] = 0
    for i in range(count):
        order[i] = i
        for k in range(_PASSES):
            counts[256 * k + (codes[i] >> 8 * k & 255)] += 1
    ends_in_moved = False
    for k in range(_PASSES):
        base, total = 256 * k, 0
        if counts[base + (codes[0] >> 8 * k & 255)] == count:
            continue
        for d in range(base, base + 256):
            here = counts[d]
            counts[d] = total
            total += here
        for i in range(count):
            d = base + (codes[i] >> 8 * k & 255)
            place = counts[d]
            counts[d] = place + 1
            others[place], moved[place] = codes[i], order[i]
        codes, others, order, moved = others, codes, moved, order
        ends_in_moved = not ends_in_moved
    if ends_in_moved:
        for i in range(count):
            moved[i] = order[i]


@kernel
def _fit(
    count: int,
    places: int,
    half: int,
    lower: Floats,
    upper: Floats,
    order: Ints,
    boxes: Floats,
    nodes: Floats,
    room: float,
) -> None:
    """Put the boxes, widened, in order into the leaves, and fit the nodes around them."""
    for node in range(2 * half):
        for k in range(3):
            nodes[6 * node + k], nodes[6 * node + 3 + k] = math.inf, -math.inf
    for place in range(places):
        box, leaf = 6 * place, 6 * (half + place // LEAF)
        if place >= count:  # the last leaf is filled up with boxes that overlap nothing
            for k in range(3):
                boxes[box + k], boxes[box + 3 + k] = math.inf, -math.inf
            continue
        store_widened(lower, upper, 3 * order[place], room, boxes, box)
        for k in range(3):
            nodes[leaf + k] = min(nodes[leaf + k], boxes[box + k])
            nodes[leaf + 3 + k] = max(nodes[leaf + 3 + k], boxes[box + 3 + k])
    for node in range(half - 1, 0, -1):
        left, right = 12 * node, 12 * node + 6
        for k in range(3):
            nodes[6 * node + k] = min(nodes[left + k], nodes[right + k])
            nodes[6 * node + 3 + k] = max(nodes[left + 3 + k], nodes[right + 3 + k])


def _build(
    count: int,
    places: int,
    half: int,
    lower: Floats,
    upper: Floats,
    table: Ints,
    codes: Ints,
    others: Ints,
    moved: Ints,
    counts: Ints,
    order: Ints,
    boxes: Floats,
    nodes: Floats,
    room: float,
) -> None:
    """Sort the boxes along the curve and fit the tree."""
    _store_codes(count, lower, upper, table, codes)
    _sort(count, codes, others, order, moved, counts)
    _fit(count, places, half, lower, upper, order, boxes, nodes, room)


_ARRAYS = (FLOATS, FLOATS, INTS, INTS, INTS, INTS, INTS, INTS, FLOATS, FLOATS)
_BUILD = Loop("tree", _build, (INT, INT, INT, *_ARRAYS, FLOAT))
