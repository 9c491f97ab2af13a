"""The searches of a tree of boxes: which of them overlap each other, one box, or each of many volumes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from collision.base.fields import IntArray
from collision.base.ram import check_memory
from collision.broadphase.blocks import (
    BLOCK,
    ROW,
    SURE,
    UPPERS,
    Tree,
    box_at,
    index_of,
    rounded_down,
    rounded_up,
    row_at,
    widened_box,
)
from collision.broadphase.tree import TREE
from collision.broadphase.volumes import KERNELS, VolumeKernels, Volumes
from collision.broadphase.walk import EVERY, walk_of
from collision.kernels.nearness import Corners
from collision.kernels.vec3 import Vec3, store, sub
from collision.native import (
    FLOAT,
    FLOATS,
    INT,
    INTS,
    LANES,
    Floats,
    Ints,
    Loop,
    Singles,
    address,
    kernel,
    lowest_bit,
    overlapping,
)


class Tried(NamedTuple):
    """What a search stored, up to a capacity, and how many there are."""

    search: Loop
    arguments: tuple[float | None, ...]
    some: IntArray
    total: int

    @classmethod
    def of(cls, search: Loop, arguments: tuple[float | None, ...], guess: int) -> Tried:
        """Search, with a capacity of a guess; `arguments` are all but the last two, the memory and its capacity."""
        # Filled and counted at once: a scene as sparse as most needs no second pass.
        found = np.empty((guess, 2), dtype=np.int64)
        total = search.run(*arguments, address(found), guess)
        return cls(search, arguments, found[:total], total)

    def all(self) -> IntArray:
        """Return all, searched for once more where they were more than the capacity."""
        if self.total <= len(self.some):
            return self.some
        found = np.empty((self.total, 2), dtype=np.int64)
        self.search.run(*self.arguments, address(found), self.total)
        return found


#: Bytes that a pair of bounds takes until it is known whether its shapes touch.
_EACH = 64


def filled(search: Loop, arguments: tuple[float | None, ...], guess: int) -> IntArray:
    """Return the pairs that a search stores, which takes the memory for them and its capacity last."""
    tried = Tried.of(search, arguments, guess)
    if tried.total > guess:
        check_count(tried.total)
    return tried.all()


def check_count(count: int) -> None:
    """Refuse more pairs than there is memory for."""
    check_memory(_EACH * count, f"there are {count:,} pairs of shapes whose bounds overlap")


# -- searches of the tree ------------------------------------------------------------------------------------------


class OverlapSearch(NamedTuple):
    """What counts as overlapping, and the memory where what is found goes.

    A box is widened by `widening` times its largest coordinate, and two may be `reach` apart, `units` in those of the
    tree; boxes of single precision that are `sure` apart are so for certain.
    """

    widening: float
    reach: float
    units: float
    sure: float
    found: Ints
    capacity: int


@kernel
def _overlaps_one(tree: Tree, block: int, at: int, units: float) -> int:
    """Return which boxes of a block overlap the one at an index of the blocks, widened by some units of the tree."""
    blocks = tree.blocks
    ax, ay, az = blocks[at], blocks[at + LANES], blocks[at + 2 * LANES]
    bx, by, bz = blocks[at + UPPERS], blocks[at + UPPERS + LANES], blocks[at + UPPERS + 2 * LANES]
    if units == 0.0:
        return overlapping(blocks, BLOCK * block, ax, ay, az, bx, by, bz)
    ax, ay, az = rounded_down(ax - units), rounded_down(ay - units), rounded_down(az - units)
    bx, by, bz = rounded_up(bx + units), rounded_up(by + units), rounded_up(bz + units)
    return overlapping(blocks, BLOCK * block, ax, ay, az, bx, by, bz)


@kernel
def boxes_overlap(a: Corners, b: Corners, reach: float) -> bool:
    """Tell whether two boxes overlap, or all but."""
    return (
        (a.lower.x - reach <= b.upper.x)
        & (b.lower.x - reach <= a.upper.x)
        & (a.lower.y - reach <= b.upper.y)
        & (b.lower.y - reach <= a.upper.y)
        & (a.lower.z - reach <= b.upper.z)
        & (b.lower.z - reach <= a.upper.z)
    )


@kernel
def _pairs_of_leaves(tree: Tree, a: int, b: int, rows: int, look: OverlapSearch, total: int) -> int:
    """Store the pairs that some boxes of a leaf have with those of the same or a later one; count them on."""
    while rows:
        lane = lowest_bit(rows)
        rows &= rows - 1
        at, i = BLOCK * a + lane, tree.order[LANES * a + lane]
        mask = _overlaps_one(tree, b, at, look.units)
        if a == b:
            mask &= -2 << lane
        sure = _overlaps_one(tree, b, at, look.sure) if mask else 0
        while mask:
            other = lowest_bit(mask)
            mask &= mask - 1
            j = tree.order[LANES * b + other]
            if not sure >> other & 1:
                one = widened_box(tree.lower, tree.upper, i, look.widening)
                if not boxes_overlap(one, widened_box(tree.lower, tree.upper, j, look.widening), look.reach):
                    continue
            if total < look.capacity:
                look.found[2 * total], look.found[2 * total + 1] = min(i, j), max(i, j)
            total += 1
    return total


class _Leaf(NamedTuple):
    """A leaf whose pairs are looked for: its number, the index of the box around it, and how it is done."""

    number: int
    own: int
    look: OverlapSearch


@kernel
def _later(tree: Tree, leaf: _Leaf, total: int, level: int, node: int) -> int:
    """Return which boxes of a block overlap that of a leaf, and have later leaves than it below them."""
    mask = _overlaps_one(tree, tree.starts[level + 1] + node, leaf.own, leaf.look.units)
    first = (leaf.number + 1 >> 3 * (level - 1)) - LANES * node
    return mask & -1 << min(max(first, 0), LANES)


@kernel
def _pairs_with(tree: Tree, leaf: _Leaf, total: int, other: int) -> int:
    """Store the pairs of two leaves; count them on."""
    rows = _overlaps_one(tree, leaf.number, index_of(LANES * tree.starts[2] + other), leaf.look.units)
    return _pairs_of_leaves(tree, leaf.number, other, rows, leaf.look, total)


_to_later_leaves = walk_of(_pairs_with, lanes=_later)


@kernel
def pairs_of_tree(tree: Tree, first: int, last: int, widening: float, reach: float, found: Ints, capacity: int) -> int:
    """Store the pairs of the boxes of some leaves with each other and with those of later ones; count them all."""
    units, total = reach * tree.frame[3], 0
    look = OverlapSearch(widening, reach, units, units - SURE * (1.0 + units), found, capacity)
    for a in range(first, last):
        total = _pairs_of_leaves(tree, a, a, EVERY, look, total)
        if tree.starts[0] > 1:
            total = _to_later_leaves(tree, _Leaf(a, index_of(LANES * tree.starts[2] + a), look), total, 1)
    return total


def _pairs(
    first: int, last: int,
    blocks: Singles, order: Ints, starts: Ints, frame: Floats, lower: Floats, upper: Floats,
    widening: float, reach: float, found: Ints, capacity: int,
) -> int:  # fmt: skip
    """Store the pairs of some leaves; see `pairs_of_tree`."""
    tree = Tree(blocks, order, starts, frame, lower, upper)
    return pairs_of_tree(tree, first, last, widening, reach, found, capacity)


class _Volume(NamedTuple):
    """A volume, its number, by how much boxes are widened, and memory for pairs with its capacity."""

    volume: Any
    number: int
    widening: float
    found: Ints
    capacity: int


def _met_by(kernels: VolumeKernels) -> Callable[..., int]:
    """Return the search for the boxes that volumes of a kind meet."""
    read, meets = kernels.read, kernels.meets

    @kernel
    def met(tree: Tree, query: _Volume, total: int, level: int, node: int) -> int:
        """Return which boxes of a block a volume meets."""
        mask, start = 0, BLOCK * (tree.starts[level + 1] + node)
        for lane in range(LANES):
            mask |= int(meets(query.volume, box_at(tree, start + lane))) << lane
        return mask

    @kernel
    def store_met(tree: Tree, query: _Volume, total: int, slot: int) -> int:
        """Store a box if a volume meets it as it was given; count it on."""
        number = tree.order[slot]
        if not meets(query.volume, widened_box(tree.lower, tree.upper, number, query.widening)):
            return total
        if total < query.capacity:
            query.found[2 * total], query.found[2 * total + 1] = query.number, number
        return total + 1

    walk = walk_of(store_met, lanes=met)

    def search(
        first: int, last: int, one: Floats, other: Floats, ways: Floats, widening: float, reach: float,
        blocks: Singles, order: Ints, starts: Ints, frame: Floats, lower: Floats, upper: Floats,
        found: Ints, capacity: int,
    ) -> int:  # fmt: skip
        tree, total = Tree(blocks, order, starts, frame, lower, upper), 0
        for i in range(first, last):
            volume = read(one, other, ways, i, widening, reach)
            total = walk(tree, _Volume(volume, i, widening, found, capacity), total, 0)
        return total

    return search


# -- few boxes, without a tree: each is compared with all behind it, eight at a time ------------------------------

#: Up to so many boxes this is quicker than a tree, whatever the processor: that takes longer to fit than it saves.
TREE_THRESHOLD = 192


@kernel
def pairs_of_few(
    count: int, lower: Floats, upper: Floats, widening: float, reach: float, rows: Floats, blocks: Singles,
    found: Ints, capacity: int,
) -> int:  # fmt: skip
    """Store the pairs of boxes that overlap, i < j, in lexicographic order, up to a capacity; count them all.

    Rows have the widened boxes; blocks are those of leaves, but from a corner of the first box, not rounded outwards
    and less the reach. Rounding keeps order, so boxes that overlap do so in single precision; others are told apart by
    their rows.
    """
    _store_blocks(count, lower, upper, widening, reach, rows, blocks)
    total, last = 0, (count + LANES - 1) // LANES
    for i in range(count):
        own, wanted = index_of(i), -2 << i % LANES  # of its own block those behind it
        ax, ay, az = blocks[own], blocks[own + LANES], blocks[own + 2 * LANES]
        bx, by, bz = blocks[own + UPPERS], blocks[own + UPPERS + LANES], blocks[own + UPPERS + 2 * LANES]
        for block in range(i // LANES, last):
            mask = overlapping(blocks, BLOCK * block, ax, ay, az, bx, by, bz) & wanted
            wanted = -1
            while mask:
                j = LANES * block + lowest_bit(mask)
                mask &= mask - 1
                if boxes_overlap(row_at(rows, ROW * i), row_at(rows, ROW * j), reach):
                    if total < capacity:
                        found[2 * total], found[2 * total + 1] = i, j
                    total += 1
    return total


@kernel
def _store_blocks(
    count: int, lower: Floats, upper: Floats, widening: float, reach: float, rows: Floats, blocks: Singles
) -> None:
    """Widen boxes, and store them as rows and in blocks; what is left of the last block overlaps nothing."""
    start = Vec3(_finite(lower[0]), _finite(lower[1]), _finite(lower[2]))
    for i in range(count):
        box, at = widened_box(lower, upper, i, widening), index_of(i)
        store(rows, ROW * i, box.lower)
        store(rows, ROW * i + 3, box.upper)
        a, b = sub(sub(box.lower, Vec3(reach, reach, reach)), start), sub(box.upper, start)
        blocks[at], blocks[at + LANES], blocks[at + 2 * LANES] = a.x, a.y, a.z
        blocks[at + UPPERS], blocks[at + UPPERS + LANES], blocks[at + UPPERS + 2 * LANES] = b.x, b.y, b.z
    for i in range(count, (count + LANES - 1) // LANES * LANES):
        for k in range(6):
            blocks[index_of(i) + LANES * k] = math.nan  # even infinite boxes do not overlap it


@kernel
def _finite(x: float) -> float:
    """Return a number, or zero where it is infinite, or none."""
    return x if abs(x) < math.inf else 0.0


_FOUND = (INTS, INT)
PAIRS = Loop("tree_pairs", _pairs, (INT, INT, *TREE, FLOAT, FLOAT, *_FOUND), INT)

_VOLUMES = (INT, INT, FLOATS, FLOATS, FLOATS, FLOAT, FLOAT)

#: The searches for boxes that volumes meet, by the kind of the volumes.
MET: dict[type[Volumes], Loop] = {
    kind: Loop(f"tree_{kernels.name}", _met_by(kernels), (*_VOLUMES, *TREE, *_FOUND), INT)
    for kind, kernels in KERNELS.items()
}
