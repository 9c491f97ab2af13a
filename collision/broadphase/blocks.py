"""Boxes in blocks of eight, in single precision, rounded outwards: what the tree is made of.

A block has eight numbers each of the lower corners' x, y and z and then of the upper ones', so that one box is compared
with eight at once. The coordinates are from the middle of all boxes and in units of about their extent, so that scenes
far from the origin, very large or small ones lose no more than others. What overlaps in single precision only is told
apart by the boxes as they were given.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from collision.kernels.nearness import Corners, finite_size
from collision.kernels.vec3 import Vec3, load
from collision.native import LANES, Floats, Ints, Single, Singles, kernel

#: Numbers to a block, and where in it the upper corners begin.
BLOCK, UPPERS = 6 * LANES, 3 * LANES

#: Numbers to a box that is kept as a row: its lower corner, then its upper one.
ROW = 6

#: Numbers of the tree's own coordinates: their origin, how many units a length is, and how long a unit is. Behind them
#: is what the tree is built by.
FRAME = 11

#: More than the levels of any tree.
LEVELS = 16

#: Rounding to single precision adds no more than half of this, relatively, or a part of the least normal number. So
#: what is first taken down by this much is not above what it was, whatever rounding does.
_DOWN, _UP, _LEAST = 1.0 - 2.0**-23, 1.0 + 2.0**-23, 2.0**-126

#: The largest number of single precision. What is beyond it, in boxes that are looked for, counts as that, which leaves
#: all comparisons with boxes of a tree as they are: were it infinite, it would overlap what overlaps nothing.
_MOST = (2.0 - 2.0**-23) * 2.0**127

#: Boxes that overlap by more than this, in units of the tree, do so as they were given: twice what rounding makes.
SURE = 2.0**-20


class Tree(NamedTuple):
    """A tree of boxes as kernels see it.

    `blocks` has those of the leaves first, then level by level to the top, each with a box around each of eight blocks
    below; `starts` the number of levels, and where each begins; `order` the number of the box in each slot of the
    leaves, or -1.
    """

    blocks: Singles
    order: Ints
    starts: Ints
    frame: Floats
    lower: Floats
    upper: Floats


@kernel
def rounded_down(x: Single) -> float:
    """Return a number that is not above x when it is rounded to single precision, or the least that there is."""
    return min(max(float(x) * (_DOWN if x > 0.0 else _UP) - _LEAST, -_MOST), _MOST)


@kernel
def rounded_up(x: Single) -> float:
    """Return a number that is not below x when it is rounded to single precision, or the largest that there is."""
    return min(max(float(x) * (_UP if x > 0.0 else _DOWN) + _LEAST, -_MOST), _MOST)


@kernel
def index_of(slot: int) -> int:
    """Return the index of the first number of the box in a slot of the blocks, each of which has eight slots."""
    return slot // LANES * BLOCK + slot % LANES


@kernel
def store_box(box: Corners, blocks: Singles, slot: int) -> None:
    """Store a box in a slot of the blocks; it is in the coordinates of the tree, rounded outwards."""
    at, (a, b) = index_of(slot), box
    blocks[at], blocks[at + LANES], blocks[at + 2 * LANES] = a.x, a.y, a.z
    blocks[at + UPPERS], blocks[at + UPPERS + LANES], blocks[at + UPPERS + 2 * LANES] = b.x, b.y, b.z


@kernel
def in_units(box: Corners, frame: Floats) -> Corners:
    """Return a box in the coordinates of a tree, rounded outwards."""
    a, b, units = box.lower, box.upper, frame[3]
    return Corners(
        Vec3(
            rounded_down((a.x - frame[0]) * units),
            rounded_down((a.y - frame[1]) * units),
            rounded_down((a.z - frame[2]) * units),
        ),
        Vec3(
            rounded_up((b.x - frame[0]) * units),
            rounded_up((b.y - frame[1]) * units),
            rounded_up((b.z - frame[2]) * units),
        ),
    )


@kernel
def store_empty(blocks: Singles, slot: int) -> None:
    """Store a box that overlaps nothing."""
    at = index_of(slot)
    for k in range(3):
        blocks[at + LANES * k], blocks[at + LANES * k + UPPERS] = math.inf, -math.inf


@kernel
def box_at(tree: Tree, at: int) -> Corners:
    """Return a box of the blocks, by the index of its first number, in the coordinates of the world."""
    return Corners(_corner(tree.blocks, at, tree.frame), _corner(tree.blocks, at + UPPERS, tree.frame))


@kernel
def _corner(blocks: Singles, at: int, frame: Floats) -> Vec3:
    """Return a corner in the coordinates of the world; a product with a double is one."""
    x, y, z = float(blocks[at]), float(blocks[at + LANES]), float(blocks[at + 2 * LANES])
    return Vec3(x * frame[4] + frame[0], y * frame[4] + frame[1], z * frame[4] + frame[2])


@kernel
def row_at(rows: Floats, i: int) -> Corners:
    """Return a box that is kept as a row of six numbers."""
    return Corners(load(rows, i), load(rows, i + 3))


@kernel
def widened_box(lower: Floats, upper: Floats, number: int, widening: float) -> Corners:
    """Return a box as it was given, widened by so many times its largest coordinate."""
    a, b = load(lower, 3 * number), load(upper, 3 * number)
    margin = widening * max(finite_size(a), finite_size(b))
    return Corners(Vec3(a.x - margin, a.y - margin, a.z - margin), Vec3(b.x + margin, b.y + margin, b.z + margin))
