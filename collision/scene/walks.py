"""Walks through the tree of a scene, from near to far: the nearest elements to shapes, and the first that rays hit.

A few elements are beside the tree, each looked at by every walk: those that have no end, and those that were replaced
since the tree was built.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from collision.base.fields import BoolArray, FloatArray, IntArray
from collision.broadphase.blocks import ROW, Tree, row_at
from collision.broadphase.hierarchy import WIDENING
from collision.broadphase.tree import TREE, TreeMemory
from collision.broadphase.volumes import QUOTIENTS, Course, course_along, course_in_box, runs_through
from collision.broadphase.walk import walk_of
from collision.kernels.core import bound, bounds, hit, size
from collision.kernels.cores import Linear, load_linear
from collision.kernels.nearness import SLACK, Corners, grown, squared
from collision.kernels.passes import limited
from collision.kernels.vec3 import Vec3, largest, store
from collision.native import (
    BYTES,
    FLOATS,
    INT,
    INTS,
    TABLE,
    Bytes,
    Floats,
    Ints,
    IntTable,
    Loop,
    Singles,
    Table,
    address,
    in_parts,
    kernel,
    table,
)
from collision.scene.ignored import Ignored
from collision.scene.pairs import SCENE_ROWS, Element, SceneCores, SceneRows, element_at, gap_of, scene_cores

#: The shapes and rays that are worth a thread of their own.
_THREAD_GRAIN = 256

_WIDENING, _NOBODY = WIDENING, 1 << 62  # plain globals: loops take them as constants

# -- a scene in memory -------------------------------------------------------------------------------------------------

#: What every walk takes, in this order: `SceneMemory.addresses`.
SCENE = (*TREE, INT, INTS, FLOATS, BYTES, *SCENE_ROWS)


class SceneMemory:
    """Where all that walks through a scene read is in memory: the tree, and numbers and boxes of elements beside it.

    `gone` says which elements in the tree are not to be found; `rows` are the cores of all.

    Parameters
    ----------
    tree : TreeMemory
        The elements that have an end, as they were when it was built.
    numbers : ndarray of int, shape (m,)
        The elements beside the tree, without any that are hidden.
    boxes : ndarray, shape (m, 6)
        Their boxes.
    gone : ndarray of bool, shape (n,)
        Which elements in the tree are not to be found.
    rows : SceneRows
        The cores of all elements.
    """

    def __init__(
        self, tree: TreeMemory, numbers: IntArray, boxes: FloatArray, gone: BoolArray, rows: SceneRows
    ) -> None:
        numbers = np.ascontiguousarray(numbers, dtype=np.int64)
        self._kept = tree, numbers, boxes, gone, rows  # all must stay in memory
        beside = len(numbers), address(numbers), address(boxes)
        #: What walks take for `SCENE`.
        self.addresses = *tree.addresses, *beside, address(gone), *rows.addresses


class _SceneView(NamedTuple):
    """A scene as kernels see it: the tree; how many elements are beside it, and which; which are gone; all cores."""

    tree: Tree
    listed: int
    numbers: Ints
    boxes: Floats
    gone: Bytes
    cores: SceneCores


def _searching(
    look: Callable[[Any, Any, int], Any],
    bound_of: Callable[[Any, Corners], float],
    worth: Callable[[Any, float], bool],
    done: Callable[[Any, Any], bool],
) -> Callable[[Any, Any], Any]:
    """Return the kernel (query, state) -> state that looks at the elements of a query's scene, near ones first.

    `look` takes (query, state, number) -> state; others are as for `collision.broadphase.walk.walk_of`.
    """

    @kernel
    def visit(tree: Tree, query: Any, state: Any, slot: int) -> Any:
        number, scene = tree.order[slot], query.scene
        return state if scene.gone[number] != 0 else look(query, state, number)

    walk = walk_of(visit, bound=bound_of, worth=worth, done=done)

    @kernel
    def search(query: Any, state: Any) -> Any:
        scene = query.scene
        for k in range(scene.listed):
            if not done(query, state) and worth(state, bound_of(query, row_at(scene.boxes, ROW * k))):
                state = look(query, state, scene.numbers[k])
        return walk(scene.tree, query, state, 0)

    return search


# -- the nearest -------------------------------------------------------------------------------------------------------


class _FoundSoFar(NamedTuple):
    """How many elements were found for a shape, and how large a bound may be that is worth a look."""

    total: int
    limit: float


class _Pairs(NamedTuple):
    """The pairs to ignore: those of two single elements, as numbers in order, and those of sets, as tables."""

    listed: Ints
    tables: Bytes
    length: int
    sets: int
    elements: int


class _Query(NamedTuple):
    """A shape whose nearest elements are looked for: its box, which element it is (-1: none), and its answers."""

    scene: _SceneView
    shape: Element
    box: Corners
    number: int
    ignored: _Pairs
    numbers: Ints
    gaps: Floats
    start: int
    capacity: int


@kernel
def _before(gap: float, number: int, other_gap: float, other: int) -> bool:
    """Tell whether an element comes before another: by distance, then by number."""
    return gap < other_gap or (gap == other_gap and number < other)


@kernel
def _with(found: _FoundSoFar, query: _Query, number: int, gap: float) -> _FoundSoFar:
    """Put an element among the nearest, which are in order, and no more than the query has a capacity for."""
    numbers, gaps, start, capacity = query.numbers, query.gaps, query.start, query.capacity
    at, count = start + found.total, min(found.total + 1, capacity)
    if found.total == capacity:
        at -= 1  # the last one goes
        if not _before(gap, number, gaps[at], numbers[at]):
            return found
    while at > start and _before(gap, number, gaps[at - 1], numbers[at - 1]):
        gaps[at], numbers[at] = gaps[at - 1], numbers[at - 1]
        at -= 1
    gaps[at], numbers[at] = gap, number
    if count < capacity:
        return _FoundSoFar(count, found.limit)
    limit = squared(gaps[start + capacity - 1])
    return _FoundSoFar(count, limit + SLACK * limit if limit > 0.0 else limit)


@kernel
def _ignores(pairs: _Pairs, a: int, b: int) -> bool:
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


@kernel
def _least(query: _Query, box: Corners) -> float:
    """Return how near, at least, a shape is to anything in a box, squared."""
    return bound(query.shape.core, query.shape.radius, query.box, box)


@kernel
def _near_enough(found: _FoundSoFar, least: float) -> bool:
    return least <= found.limit


@kernel
def _never(query: _Query, found: _FoundSoFar) -> bool:
    return False


@kernel
def _look(query: _Query, found: _FoundSoFar, number: int) -> _FoundSoFar:
    """Put an element among the nearest to a shape, if it is one of them."""
    gap = gap_of(query.shape, element_at(query.scene.cores, number), 0.0)
    if not squared(gap) <= found.limit or number == query.number:
        return found
    if query.number >= 0 and _ignores(query.ignored, query.number, number):
        return found
    return _with(found, query, number, gap)


_nearest_of_scene = _searching(_look, _least, _near_enough, _never)


def _nearest(
    first: int, last: int, capacity: int, asked_floats: Table, asked_ints: IntTable, own_numbers: Ints,
    blocks: Singles, order: Ints, starts: Ints, frame: Floats, lower: Floats, upper: Floats,
    beside: int, own: Ints, boxes: Floats, gone: Bytes, floats: Table, ints: IntTable,
    listed: Ints, sets: Bytes, sizes: Ints, numbers: Ints, gaps: Floats,
) -> None:  # fmt: skip
    """Store the nearest elements to some shapes, and how far they are."""
    tree = Tree(blocks, order, starts, frame, lower, upper)
    scene = _SceneView(tree, beside, own, boxes, gone, scene_cores(floats, ints))
    shapes = scene_cores(asked_floats, asked_ints)
    ignored = _Pairs(listed, sets, sizes[0], sizes[1], sizes[2])
    for i in range(first, last):
        shape = element_at(shapes, i)
        least, most = bounds(shape.core)
        box, start = grown(least, most, shape.radius), i * capacity
        query = _Query(scene, shape, box, own_numbers[i], ignored, numbers, gaps, start, capacity)
        found = _nearest_of_scene(query, _FoundSoFar(0, math.inf))
        for k in range(start + found.total, start + capacity):
            numbers[k], gaps[k] = -1, math.nan


_IGNORED = (INTS, BYTES, INTS)
_NEAREST = Loop("nearest", _nearest, (INT, INT, INT, *SCENE_ROWS, INTS, *SCENE, *_IGNORED, INTS, FLOATS))


def nearest(
    shapes: SceneRows, numbers: IntArray, capacity: int, memory: SceneMemory, ignored: Ignored
) -> tuple[IntArray, FloatArray]:
    """Return the nearest elements (n, capacity) to each shape, and their distances; -1 and NaN where there are no more.

    An element (a number, -1 from outside) is none of its own neighbours, and neither are those that it ignores.
    """
    count = len(numbers)
    element, distance = np.empty((count, capacity), dtype=np.int64), np.empty((count, capacity))
    numbers = np.ascontiguousarray(numbers, dtype=np.int64)
    given = capacity, *shapes.addresses, address(numbers), *memory.addresses, *ignored.arguments()

    out = address(element), address(distance)
    in_parts(lambda first, last: _NEAREST.run(first, last, *given, *out), count, _THREAD_GRAIN)
    return element, distance


# -- rays --------------------------------------------------------------------------------------------------------------


class Hits(NamedTuple):
    """What rays hit: distances at which they enter and leave, points and outward normals; NaN for none."""

    enter: FloatArray
    leave: FloatArray
    point: FloatArray
    normal: FloatArray

    @classmethod
    def empty(cls, count: int) -> Hits:
        """Return memory for so many."""
        return cls(*np.empty((2, count)), *np.empty((2, count, 3)))


class _Best(NamedTuple):
    """The best hit so far: an element, the distances along the ray, the point and the outward normal."""

    number: int
    enter: float
    leave: float
    point: Vec3
    normal: Vec3


@kernel
def _hit_of(ray: Linear, element: Element, number: int) -> _Best:
    """Return the hit of an element; a miss has no distance."""
    largest_number = max(largest(ray.origin), size(element.core), element.radius)
    found = hit(element.core, ray, element.radius, largest_number)
    return _Best(number, found.enter, found.leave, found.point, found.normal)


class _RayWalk(NamedTuple):
    """A ray through a scene, also as boxes are compared with it, and whether any element will do that it hits."""

    scene: _SceneView
    ray: Linear
    course: Course
    any_hit: int


@kernel
def _better(cast: _RayWalk, best: _Best, number: int) -> _Best:
    """Return the better of a hit and that of one more element."""
    found = _hit_of(cast.ray, element_at(cast.scene.cores, number), number)
    return found if found.enter < best.enter or (found.enter == best.enter and number < best.number) else best


@kernel
def _entry(cast: _RayWalk, box: Corners) -> float:
    """Return the distance at which a ray may enter a box; NaN where it misses."""
    enter, leave = course_in_box(cast.course, box)
    return enter if runs_through(enter, leave) else math.nan


@kernel
def _in_time(best: _Best, enter: float) -> bool:
    """Tell whether a ray enters a box before what it hits so far."""
    return enter <= best.enter + QUOTIENTS * abs(enter)


@kernel
def _hit_any(cast: _RayWalk, best: _Best) -> bool:
    return cast.any_hit != 0 and best.number != _NOBODY


_hit_of_scene = _searching(_better, _entry, _in_time, _hit_any)


def _first_hits(
    first: int, last: int, ray_floats: Table, ray_ints: IntTable, limits: Floats, any_hit: int,
    blocks: Singles, order: Ints, starts: Ints, frame: Floats, lower: Floats, upper: Floats,
    beside: int, own: Ints, boxes: Floats, gone: Bytes, floats: Table, ints: IntTable,
    element: Ints, out: Table,
) -> None:  # fmt: skip
    tree = Tree(blocks, order, starts, frame, lower, upper)
    scene = _SceneView(tree, beside, own, boxes, gone, scene_cores(floats, ints))
    rays, nothing = scene_cores(ray_floats, ray_ints), Vec3(math.nan, math.nan, math.nan)
    for i in range(first, last):
        core = element_at(rays, i).core
        ray = limited(load_linear(core.numbers, core.at), limits[i])
        margin = _WIDENING * largest(ray.origin)
        course = course_along(ray.origin, ray.direction, Vec3(margin, margin, margin), 0.0, math.inf)
        cast = _RayWalk(scene, ray, course, any_hit)
        best = _hit_of_scene(cast, _Best(_NOBODY, limits[i], math.nan, nothing, nothing))
        found = best.number != _NOBODY
        element[i] = best.number if found else -1
        out[0][i], out[1][i] = best.enter if found else math.nan, best.leave
        store(out[2], 3 * i, best.point)
        store(out[3], 3 * i, best.normal)


def _all_hits(
    first: int, last: int, ray_floats: Table, ray_ints: IntTable, limits: Floats, floats: Table, ints: IntTable,
    pairs: Ints, out: Table,
) -> None:  # fmt: skip
    """Store where rays hit elements, for pairs of both."""
    rays, elements = scene_cores(ray_floats, ray_ints), scene_cores(floats, ints)
    for k in range(first, last):
        core = element_at(rays, pairs[2 * k]).core
        ray = limited(load_linear(core.numbers, core.at), limits[pairs[2 * k]])
        found = _hit_of(ray, element_at(elements, pairs[2 * k + 1]), 0)
        out[0][k], out[1][k] = found.enter, found.leave
        store(out[2], 3 * k, found.point)
        store(out[3], 3 * k, found.normal)


_RAYS = (INT, INT, *SCENE_ROWS, FLOATS)
_FIRST = Loop("rays_first", _first_hits, (*_RAYS, INT, *SCENE, INTS, TABLE))
_ALL = Loop("rays_all", _all_hits, (*_RAYS, *SCENE_ROWS, INTS, TABLE))


def first_hits(rays: SceneRows, limits: FloatArray, memory: SceneMemory, any_hit: bool) -> tuple[IntArray, Hits]:
    """Return the first element that each ray hits (-1 for none), and where; of equal ones the lowest number."""
    limits = np.ascontiguousarray(limits)
    count = len(limits)
    element, hits = np.empty(count, dtype=np.int64), Hits.empty(count)
    given = *rays.addresses, address(limits), any_hit, *memory.addresses
    out = address(element), table(hits)
    in_parts(lambda first, last: _FIRST.run(first, last, *given, *out), count, _THREAD_GRAIN)
    return element, hits


def hits_of_pairs(rays: SceneRows, limits: FloatArray, elements: SceneRows, pairs: IntArray) -> Hits:
    """Return where rays hit elements, for pairs (k, 2) of both."""
    limits, pairs = np.ascontiguousarray(limits), np.ascontiguousarray(pairs, dtype=np.int64)
    hits = Hits.empty(len(pairs))
    given = *rays.addresses, address(limits), *elements.addresses, address(pairs), table(hits)
    in_parts(lambda first, last: _ALL.run(first, last, *given), len(pairs), _THREAD_GRAIN)
    return hits
