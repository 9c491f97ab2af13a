"""Shapes as loops take them: as core records, which scenes, poses and motions keep, and as pairs of elements."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterable, Sequence
from itertools import accumulate
from struct import pack
from typing import NamedTuple

import numpy as np

from collision.base.fields import FloatArray, IntArray, turned
from collision.kernels.core import BOUNDS, ENCODE, CoreRows
from collision.kernels.hull import HEAD
from collision.native import INTEGERS, NONE, THREAD_GRAIN, Loop, address, in_parts, table
from collision.shapes.kinds import ConvexHull, Shape


class ShapeEntries(NamedTuple):
    """Single shapes and batches as loops take them, `ENTRIES`; the table of their corners; and the shapes.

    The latter must stay in memory meanwhile.
    """

    packed: tuple[bytes, ...]
    corners: FloatArray
    kept: list[Shape]


def entries_of(shapes: Iterable[Shape], starts: Sequence[int]) -> ShapeEntries:
    """Return single shapes and batches as loops take them."""
    kept = [shape if len(shape.batch_shape) < 2 else shape.flattened() for shape in shapes]
    types, tables, strides, begins, parts, total = [], [], [], [], [], 0
    for shape in kept:
        operands, steps = shape.operands
        types.append(shape.core_type)
        tables.append(ctypes.addressof(operands))
        strides.append(ctypes.addressof(steps))
        begins.append(total)
        if shape.row_table.size:
            parts.append(shape.row_table.ravel())
            total += shape.row_table.size
    numbers = f"{len(kept)}q"
    packed = pack(numbers, *types), pack(f"q{numbers}", *starts), pack(numbers, *tables), pack(numbers, *strides)
    corners = np.concatenate(parts) if parts else np.empty(0)
    return ShapeEntries((*packed, pack(numbers, *begins)), corners, kept)


def core_rows(shapes: Iterable[Shape]) -> CoreRows:
    """Return the cores of all elements of some shapes, one shape after the other, each batch in C order."""
    every = list(shapes)
    starts = [0, *accumulate(math.prod(shape.batch_shape) for shape in every)]
    entries = entries_of(every, starts)
    rows = CoreRows.empty(starts[-1], entries.corners)

    def work(first: int, last: int) -> None:
        ENCODE.run(first, last, *entries.packed, *rows.addresses)

    in_parts(work, len(rows))
    return rows


def hulls_of_rows(rows: FloatArray, radii: FloatArray, table: FloatArray) -> ConvexHull:
    """Return the hulls that rows and the table that they refer to are of: of the corners alone, as many of each.

    Examples
    --------
    >>> wedge = ConvexHull([[[0, 0, 0], [2, 0, 0], [0, 2, 0], [0, 0, 2], [0.1, 0.1, 0.1]]])
    >>> found = core_rows([wedge])
    >>> hulls_of_rows(found.rows, found.radii, found.corners).points.tolist() == wedge.points[:, :4].tolist()
    True
    """
    begin, axes = rows[:, 12].astype(int), rows[:, 3:12].reshape(-1, 3, 3).swapaxes(1, 2)
    counts = table[begin[:, None] + np.arange(3)].astype(int)
    corners, longest = counts[:, 0], int(counts[:, 0].max(initial=1))
    ends = table[begin + HEAD + counts @ [3, 4, 4] + counts[:, 1]].astype(int)  # where the corners of its faces end
    places = begin[:, None] + np.arange(int((ends + corners).max(initial=1)))
    numbers = table[places.clip(max=len(table) - 1)]
    numbered = np.minimum(np.arange(longest), corners[:, None] - 1)  # the last one stands for those that are missing
    each = np.arange(len(begin))[:, None]
    numbers[each, ends[:, None] + numbered] = numbered
    own = numbers[each[..., None], HEAD + 3 * numbered[..., None] + np.arange(3)]
    points = rows[:, None, :3] + turned(axes[:, None], own)
    return ConvexHull._of(*map(np.ascontiguousarray, (points, radii, rows[:, :3], axes, numbers)))


def row_bounds(rows: CoreRows) -> tuple[FloatArray, FloatArray]:
    """Return the corners of the boxes around shapes, (n, 3) each: infinite for those that have no end."""
    lower, upper = np.empty((2, len(rows), 3))
    given = *rows.addresses, address(lower), address(upper)
    in_parts(lambda first, last: BOUNDS.run(first, last, *given), len(rows))
    return lower, upper


def run_pairs(
    loop: Loop,
    a: Shape,
    b: Shape,
    outputs: Sequence[FloatArray],
    *,
    extra: tuple[FloatArray, ...] = (),
    index: tuple[IntArray, IntArray] | None = None,
    numbers: tuple[float, ...] = (),
    scratch: int = 0,
) -> None:
    """Run a loop over the pairs of two shapes, in its order of cores, or over pairs of elements by contiguous indices.

    The loop has the arguments `PAIRS`, then `numbers`, then memory for so many numbers of its own, if any; `extra` is
    one array of vectors (..., 3), contiguous.
    """
    lead, count = outputs[0].shape, outputs[0].size
    if not count:
        return
    if index is None and (len(a.batch_shape) > 1 or len(b.batch_shape) > 1 or len(lead) > 1):
        index = (spread(a.batch_shape, lead), spread(b.batch_shape, lead))
        a, b = a.flattened(), b.flattened()
        # Copies, always: a loop cannot know of a vector that stands for many by a stride of zero.
        extra = tuple(np.broadcast_to(v, (*lead, 3)).flatten().reshape(-1, 3) for v in extra)
    given = NONE
    if extra:
        given = table(extra), INTEGERS[1](3 if extra[0].ndim > 1 and len(extra[0]) > 1 else 0)
    index_a, index_b = map(address, index) if index is not None else (None, None)
    out = (ctypes.c_void_p * len(outputs))(*map(address, outputs))
    operands = (*a.operands, index_a, *b.operands, index_b)
    run, indexed = loop.run, index is not None

    def work(start: int, end: int) -> None:
        own = np.empty(scratch)
        run(start, end, indexed, *operands, *given, out, *numbers, *([address(own)] if scratch else []))

    if count < THREAD_GRAIN:  # the usual case, without a detour
        work(0, count)
    else:
        in_parts(work, count)


def spread(batch_shape: tuple[int, ...], lead: tuple[int, ...]) -> IntArray:
    """Return for every element of the joint batch axes which element of a batch it is, counted flat."""
    own = np.arange(math.prod(batch_shape), dtype=np.int64).reshape(batch_shape)
    return np.broadcast_to(own, lead).flatten()  # a copy, always: what is only spread cannot be written to
