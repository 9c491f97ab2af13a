"""The first of many elements that rays hit: a walk through the tree from near to far, which stops at the first hit.

Each block is entered by a ray at some distance, or not at all. The nearest of those below one is looked into first, the
others wait on a stack, and are dropped where a hit was found before the ray gets there.
"""

from __future__ import annotations

import ctypes
import math
from typing import NamedTuple

import numpy as np

from collision.base.fields import FloatArray, IntArray
from collision.broadphase.blocks import BLOCK, Tree, below, box_at, pop, push, row_at
from collision.broadphase.hierarchy import ROOM
from collision.broadphase.rows import ROW
from collision.broadphase.volumes import QUOTIENTS, Course, course_along, course_in_box, runs_through
from collision.kernels.cores import Linear, read_linear
from collision.kernels.dispatch import hit_choice
from collision.kernels.passes import limited
from collision.kernels.vec3 import Vec3, largest, store
from collision.native import (
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
from collision.scene.memory import SCENE, SceneMemory, SceneView, is_gone, read_scene
from collision.shapes.kinds import Ray

#: The rays that are worth a thread of their own.
_PART = 256

#: What can wait on the stack of a walk: seven blocks a level, and one more at the last, two numbers each.
STACK = 2 * 80

_ROOM, _NOBODY = ROOM, 1 << 62  # plain globals: loops take them as constants

_hit, _CASES = hit_choice()


class Hits(NamedTuple):
    """The elements that rays hit: their numbers, distances, points and outward normals; -1 and NaN for none."""

    element: IntArray
    enter: FloatArray
    point: FloatArray
    normal: FloatArray


def first_hits(rays: Ray, memory: SceneMemory, limits: FloatArray, any_hit: bool) -> Hits:
    """Return the first element that each of some rays hits; of several at the same distance, the lowest number.

    Parameters
    ----------
    rays : Ray
        A flat batch.
    memory : SceneMemory
        Of the world that they go through.
    limits : ndarray, shape (n,)
        How far each goes; what it hits there counts.
    any_hit : bool
        Whether any element will do that they hit, in place of the first.
    """
    count = len(rays)
    hits = Hits(np.empty(count, dtype=np.int64), np.empty(count), np.empty((count, 3)), np.empty((count, 3)))
    scene, out, operands = memory.arguments("rays", _CASES.__getitem__), [*map(address, hits)], rays.operands

    def work(first: int, last: int) -> None:
        stack = np.empty(STACK)
        _FIRST.run(first, last, *operands, address(limits), any_hit, *scene, address(stack), *out)

    in_parts(work, count, _PART)
    return hits


def first_hit(ray: Ray, memory: SceneMemory, limit: float, any_hit: bool) -> tuple[int, FloatArray]:
    """Return the first element that a single ray hits, and the distance, the point and the normal; see `first_hits`."""
    scene, found, place = memory.arguments("rays", _CASES.__getitem__), np.empty(9 + STACK), ctypes.c_int64()
    found[8] = limit
    at = address(found)
    out = at + 72, ctypes.addressof(place), at, at + 8, at + 32
    _FIRST.run(0, 1, *ray.operands, at + 64, any_hit, *scene, *out)
    return place.value, found[:7].copy()


class Hit(NamedTuple):
    """The best hit so far: an element, its distance along the ray, the point and the outward normal."""

    number: int
    enter: float
    point: Vec3
    normal: Vec3


@kernel
def _better(best: Hit, line: Linear, scene: SceneView, number: int, batch: int, row: int) -> Hit:
    """Return the better of a hit and that of one more element; a miss has no distance."""
    found = _hit(scene.cases[batch], line, scene.tables[batch], scene.strides[batch], row)
    if found.enter < best.enter or (found.enter == best.enter and number < best.number):
        return Hit(number, found.enter, found.point, found.normal)
    return best


@kernel
def _in_time(enter: float, leave: float, limit: float) -> bool:
    """Tell whether a line runs through a box, and comes there before a limit."""
    return runs_through(enter, leave) and not enter > limit + QUOTIENTS * abs(enter)


@kernel
def _among_few(best: Hit, line: Linear, course: Course, scene: SceneView, any_hit: int) -> Hit:
    """Return the better of a hit and those of the elements beside the tree."""
    for k in range(scene.few):
        enter, leave = course_in_box(course, row_at(scene.few_boxes, ROW * k))
        if _in_time(enter, leave, best.enter):
            owner = scene.few_owners
            best = _better(best, line, scene, scene.few_numbers[k], owner[2 * k], owner[2 * k + 1])
            if any_hit and best.number != _NOBODY:
                break
    return best


@kernel
def _in_leaf(best: Hit, line: Linear, course: Course, scene: SceneView, leaf: int) -> Hit:
    """Return the better of a hit and those of the elements in a leaf."""
    for lane in range(LANES):
        enter, leave = course_in_box(course, box_at(scene.tree, BLOCK * leaf + lane))
        if not _in_time(enter, leave, best.enter):
            continue
        number = scene.tree.order[LANES * leaf + lane]
        if not is_gone(scene, number):
            best = _better(best, line, scene, number, scene.owners[2 * number], scene.owners[2 * number + 1])
    return best


@kernel
def _in_tree(best: Hit, line: Linear, course: Course, scene: SceneView, any_hit: int, stack: Floats) -> Hit:
    """Return the better of a hit and those of the elements in the tree, near ones first."""
    tree = scene.tree
    depth = push(stack, 0, 0, tree.starts[0] - 1, 0, -math.inf)
    while depth > 0 and not (any_hit and best.number != _NOBODY):
        depth -= 1
        level, node, bound = pop(stack, depth)
        if not _in_time(bound, math.inf, best.enter):
            continue
        if level == 0:
            best = _in_leaf(best, line, course, scene, node)
            continue
        base, block = depth, tree.starts[level + 1] + node
        for lane in range(below(tree, level, node)):
            enter, leave = course_in_box(course, box_at(tree, BLOCK * block + lane))
            if _in_time(enter, leave, best.enter):
                depth = push(stack, base, depth, level - 1, LANES * node + lane, enter)
    return best


def _first(
    first: int, last: int, table: Table, row_steps: Ints, limits: Floats, any_hit: int,
    blocks: Singles, order: Ints, starts: Ints, frame: Floats, lower: Floats, upper: Floats,
    few: Floats, ints: IntTable, gone: Bytes, tables: Tables, strides: IntTable, cases: Ints,
    stack: Floats, element: Ints, enter: Floats, point: Floats, normal: Floats,
) -> None:  # fmt: skip
    """Store for every ray the first hit, or any."""
    tree = Tree(blocks, order, starts, frame, lower, upper)
    scene = read_scene(tree, few, ints, gone, tables, strides, cases)
    nothing = Vec3(math.nan, math.nan, math.nan)
    for ray in range(first, last):
        piece, _ = read_linear(table, row_steps, ray)
        line = limited(piece, limits[ray])
        room = _ROOM * largest(line.origin)
        course = course_along(line.origin, line.direction, Vec3(room, room, room), 0.0, math.inf)
        best = _among_few(Hit(_NOBODY, limits[ray], nothing, nothing), line, course, scene, any_hit)
        if scene.any_tree:
            best = _in_tree(best, line, course, scene, any_hit, stack)
        hit = best.number != _NOBODY
        element[ray], enter[ray] = best.number if hit else -1, best.enter if hit else math.nan
        store(point, 3 * ray, best.point)
        store(normal, 3 * ray, best.normal)


_FIRST = Loop("rays_first", _first, (INT, INT, TABLE, INTS, FLOATS, INT, *SCENE, FLOATS, INTS, *[FLOATS] * 3))
