"""The nearest of many elements to each of many shapes: a walk through the tree, nearest first (branch and bound).

A node's box says how near an element in it can be at least; what is farther than the nearest elements so far is not
looked into. Bounds may be below zero, as signed distances are: boxes that overlap say how deep what is in them can
overlap at most. (Hjaltason and Samet, *Distance Browsing in Spatial Databases*, 1999; here depth first, with a stack.)
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from collision.base.fields import FloatArray, IntArray
from collision.broadphase.blocks import BLOCK, Tree, below, box_at, pop, push, row_at
from collision.broadphase.rows import ROW
from collision.kernels.dispatch import distance_choice
from collision.kernels.table import GENERAL, ROWS, CoreType
from collision.native import (
    BYTES,
    FLOATS,
    INT,
    INTS,
    LANES,
    TABLE,
    Bytes,
    Floats,
    Ints,
    IntTable,
    Loop,
    Singles,
    Table,
    Tables,
    address,
    in_parts,
    kernel,
)
from collision.scene.bounds import BOUNDS, SLACK, squared
from collision.scene.hits import STACK
from collision.scene.ignored import IgnoredTable
from collision.scene.memory import SCENE, SceneMemory, SceneView, is_gone, read_scene
from collision.shapes.shape import Shape

#: The shapes that are worth a thread of their own.
_PART = 256

# -- the nearest so far --------------------------------------------------------------------------------------------


class Search(NamedTuple):
    """How many elements were found for a shape, and how large a bound may be that is worth a look."""

    found: int
    limit: float


@kernel
def _before(gap: float, number: int, other_gap: float, other: int) -> bool:
    """Tell whether an element comes before another: by distance, then by number."""
    return gap < other_gap or (gap == other_gap and number < other)


@kernel
def _with(search: Search, numbers: Ints, gaps: Floats, start: int, most: int, number: int, gap: float) -> Search:
    """Put an element among the nearest, which are in order from a place in memory on, and no more than some."""
    place = start + search.found
    count = min(search.found + 1, most)
    if search.found == most:
        place -= 1  # the last one goes
        if not _before(gap, number, gaps[place], numbers[place]):
            return search
    while place > start and _before(gap, number, gaps[place - 1], numbers[place - 1]):
        gaps[place], numbers[place] = gaps[place - 1], numbers[place - 1]
        place -= 1
    gaps[place], numbers[place] = gap, number
    if count < most:
        return Search(count, search.limit)
    limit = squared(gaps[start + most - 1])
    return Search(count, limit + SLACK * limit if limit > 0.0 else limit)


class Pairs(NamedTuple):
    """The pairs to ignore: those of two single elements, as numbers in order, and those of sets, as tables."""

    listed: Ints
    tables: Bytes
    length: int
    sets: int
    elements: int


@kernel
def _ignores(pairs: Pairs, a: int, b: int) -> bool:
    """Tell whether the pair of two elements is ignored."""
    key, low, high = min(a, b) * pairs.elements + max(a, b), 0, pairs.length
    while low < high:
        middle = (low + high) // 2
        if pairs.listed[middle] < key:
            low = middle + 1
        else:
            high = middle
    if low < pairs.length and pairs.listed[low] == key:
        return True
    for k in range(pairs.sets):
        one, other = 2 * k * pairs.elements, (2 * k + 1) * pairs.elements
        if pairs.tables[one + a] & pairs.tables[other + b] or pairs.tables[one + b] & pairs.tables[other + a]:
            return True
    return False


# -- the walk ------------------------------------------------------------------------------------------------------


class Asker(NamedTuple):
    """A shape whose nearest elements are looked for: where it is, which element it is (-1: none), and its answers."""

    table: Table
    steps: Ints
    row: int
    number: int
    ignored: Pairs
    numbers: Ints
    gaps: Floats
    start: int
    most: int


def _looking(distance: Callable[..., float]) -> Callable[..., Search]:
    """Return the kernel that puts an element among the nearest to a shape, if it is one of them."""

    @kernel
    def look(search: Search, asker: Asker, scene: SceneView, number: int, batch: int, row: int) -> Search:
        table, steps, i = asker.table, asker.steps, asker.row
        gap = distance(scene.cases[batch], table, steps, i, scene.tables[batch], scene.strides[batch], row)
        if not squared(gap) <= search.limit or number == asker.number:
            return search
        if asker.number >= 0 and _ignores(asker.ignored, asker.number, number):
            return search
        return _with(search, asker.numbers, asker.gaps, asker.start, asker.most, number, gap)

    return look


def _through_tree(bound: Callable[..., float], look: Callable[..., Search]) -> Callable[..., Search]:
    """Return the kernel that looks at the elements of the tree, near ones first."""

    @kernel
    def in_leaf(search: Search, asker: Asker, shape: Any, scene: SceneView, leaf: int) -> Search:
        for lane in range(LANES):
            if bound(shape, box_at(scene.tree, BLOCK * leaf + lane)) <= search.limit:
                number = scene.tree.order[LANES * leaf + lane]
                if not is_gone(scene, number):
                    owner = scene.owners
                    search = look(search, asker, scene, number, owner[2 * number], owner[2 * number + 1])
        return search

    @kernel
    def in_tree(search: Search, asker: Asker, shape: Any, scene: SceneView, stack: Floats) -> Search:
        tree = scene.tree
        depth = push(stack, 0, 0, tree.starts[0] - 1, 0, -math.inf)
        while depth > 0:
            depth -= 1
            level, node, least = pop(stack, depth)
            if not least <= search.limit:
                continue
            if level == 0:
                search = in_leaf(search, asker, shape, scene, node)
                continue
            base, block = depth, tree.starts[level + 1] + node
            for lane in range(below(tree, level, node)):
                least = bound(shape, box_at(tree, BLOCK * block + lane))
                if least <= search.limit:
                    depth = push(stack, base, depth, level - 1, LANES * node + lane, least)
        return search

    return in_tree


def _walk(own: CoreType) -> Callable[..., None]:
    """Return the loop for shapes with a core."""
    read, (prepare, bound) = ROWS[own].read, BOUNDS[own]
    look = _looking(distance_choice(own)[0])
    in_tree = _through_tree(bound, look)

    def walk(
        first: int, last: int, most: int, table: Table, steps: Ints, own_numbers: Ints,
        blocks: Singles, order: Ints, starts: Ints, frame: Floats, lower: Floats, upper: Floats,
        few: Floats, ints: IntTable, gone: Bytes, tables: Tables, strides: IntTable, cases: Ints,
        listed: Ints, sets: Bytes, sizes: Ints, stack: Floats, numbers: Ints, gaps: Floats,
    ) -> None:  # fmt: skip
        """Store the nearest elements to some shapes, and how far they are."""
        tree = Tree(blocks, order, starts, frame, lower, upper)
        scene = read_scene(tree, few, ints, gone, tables, strides, cases)
        ignored = Pairs(listed, sets, sizes[0], sizes[1], sizes[2])
        for i in range(first, last):
            asker = Asker(table, steps, i, own_numbers[i], ignored, numbers, gaps, i * most, most)
            core, radius = read(table, steps, i)
            shape, search = prepare(core, radius), Search(0, math.inf)
            for k in range(scene.few):
                if bound(shape, row_at(scene.few_boxes, ROW * k)) <= search.limit:
                    owner = scene.few_owners
                    search = look(search, asker, scene, scene.few_numbers[k], owner[2 * k], owner[2 * k + 1])
            if scene.any_tree:
                search = in_tree(search, asker, shape, scene, stack)
            for k in range(i * most + search.found, (i + 1) * most):
                numbers[k], gaps[k] = -1, math.nan

    return walk


_ASKER = (INT, INT, INT, TABLE, INTS, INTS)
_ANSWERS = (INTS, BYTES, INTS, FLOATS, INTS, FLOATS)
_LOOPS = {rank: Loop(f"nearest_{ROWS[rank].name}", _walk(rank), (*_ASKER, *SCENE, *_ANSWERS)) for rank in BOUNDS}
_CASES = {rank: distance_choice(rank)[1] for rank in BOUNDS}


def nearest_of_many(
    shapes: Shape, numbers: IntArray, most: int, memory: SceneMemory, ignored: IgnoredTable
) -> tuple[IntArray, FloatArray]:
    """Return the nearest elements to each of some shapes, and their signed distances: sorted, then by number.

    Parameters
    ----------
    shapes : Shape
        A flat batch.
    numbers : ndarray of int, shape (n,)
        Which elements the shapes are, -1 for those from outside: an element is none of its own neighbours, and
        neither are those of pairs to be ignored.
    most : int
        How many are wanted.
    memory : SceneMemory
        The elements.
    ignored : IgnoredTable
        The pairs to be ignored.

    Returns
    -------
    element : ndarray of int, shape (n, most)
        -1 where there are no more.
    signed_distance : ndarray, shape (n, most)
        NaN where there are no more.
    """
    count, own = len(shapes), shapes.core_type
    rank = GENERAL.get(CoreType(own), CoreType(own))
    loop, cases = _LOOPS[rank], _CASES[rank]
    element, distance = np.empty((count, most), dtype=np.int64), np.empty((count, most))
    scene = memory.arguments(f"nearest to {own}", lambda other: cases[own, other])
    table, places = ignored.arguments(), shapes.operands
    numbers = np.ascontiguousarray(numbers, dtype=np.int64)

    def work(first: int, last: int) -> None:
        stack = np.empty(STACK)
        out = address(stack), address(element), address(distance)
        loop.run(first, last, most, *places, address(numbers), *scene, *table, *out)

    in_parts(work, count, _PART)
    return element, distance
