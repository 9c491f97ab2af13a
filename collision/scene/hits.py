"""The first of many elements that rays hit."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from collision.casts import LOOPS
from collision.fields import FloatArray, IntArray
from collision.native.compile import FLOATS, INT, INTS, Floats, Ints, Loop, address
from collision.native.memory import table
from collision.native.operands import Stretch, run_stretches
from collision.scene.pairing import place
from collision.shape import Shape
from collision.shapes import Ray
from collision.vec3 import load, scale, store


class Hits(NamedTuple):
    """The first elements that rays hit: element numbers, distances and outward normals; -1 and NaN for none."""

    element: IntArray
    enter: FloatArray
    normal: FloatArray


def first_hits(rays: Ray, pairs: IntArray, places: IntArray, moved: IntArray, batches: Sequence[Shape]) -> Hits:
    """Return the first element that each of some rays hits; of several at the same distance, the lowest number.

    Parameters
    ----------
    rays : Ray
        A flat batch.
    pairs : ndarray of int, shape (k, 2)
        Rays, and elements that they may hit.
    places, moved, batches
        As for `collision.scene.pairing.PairsByKind`.
    """
    count, kinds = len(pairs), len(batches)
    pairs, order, ends = np.ascontiguousarray(pairs), np.empty((3, count), dtype=np.int64), (ctypes.c_int64 * kinds)()
    at = address(order)
    _SORT.run(count, kinds, len(moved), *map(address, (pairs, places, moved)), ends, at)
    (enter, leave, tolerance), normal = np.empty((3, count)), np.empty((count, 3))
    stretches: list[Stretch] = [(LOOPS[batch.rank], rays, batch, end) for batch, end in zip(batches, ends, strict=True)]
    run_stretches(stretches, (at, at + 8 * count), count, table((enter, leave, normal, tolerance)))
    hits = Hits(np.empty(len(rays), dtype=np.int64), np.empty(len(rays)), np.empty((len(rays), 3)))
    found = map(address, (rays.direction, order, enter, leave, normal, tolerance, *hits))
    _FIRST.run(len(rays), count, *found)
    return hits


def _sort(count: int, kinds: int, few: int, pairs: Ints, places: Ints, moved: Ints, ends: Ints, out: Ints) -> None:
    """Sort pairs by the batches of their elements; store the rays, the rows in the batches, and the elements.

    `ends` are zero at first.
    """
    for k in range(count):
        ends[place(pairs[2 * k + 1], places, moved, few)[0]] += 1
    total = 0
    for k in range(kinds):
        total += ends[k]
        ends[k] = total - ends[k]
    for k in range(count):
        group, row = place(pairs[2 * k + 1], places, moved, few)
        to = ends[group]
        ends[group] = to + 1
        out[to], out[count + to], out[2 * count + to] = pairs[2 * k], row, pairs[2 * k + 1]


def _first(
    rays: int,
    count: int,
    directions: Floats,
    order: Ints,
    first: Floats,
    last: Floats,
    facing: Floats,
    tolerance: Floats,
    element: Ints,
    enter: Floats,
    normal: Floats,
) -> None:
    """Store for every ray the first hit among those of the pairs; what starts inside is hit at once, and face on."""
    for ray in range(rays):
        element[ray], enter[ray] = -1, math.nan
        for k in range(3 * ray, 3 * ray + 3):
            normal[k] = math.nan
    for k in range(count):
        ray, number = order[k], order[2 * count + k]
        if not (last[k] >= -tolerance[k] and first[k] < math.inf):
            continue
        distance = 0.0 if first[k] <= 0.0 else first[k]
        nearer = element[ray] < 0 or distance < enter[ray]
        if nearer or (distance == enter[ray] and number < element[ray]):
            element[ray], enter[ray] = number, distance
            inside = first[k] < -tolerance[k]
            store(normal, 3 * ray, scale(load(directions, 3 * ray), -1.0) if inside else load(facing, 3 * k))


_SORT = Loop("rays_by_kind", _sort, (INT, INT, INT, *[INTS] * 5))
_FIRST = Loop("rays_first", _first, (INT, INT, FLOATS, INTS, *[FLOATS] * 4, INTS, FLOATS, FLOATS))
