"""Shapes as core records: the rows that scenes, poses, motions and everything of many kinds keep."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from ctypes import addressof
from itertools import accumulate
from struct import pack

import numpy as np

from collision.base.fields import FloatArray
from collision.kernels.core import BOUNDS, ENCODE, CoreRows
from collision.native import address, in_parts
from collision.shapes.kinds import Shape


def entries_of(shapes: Iterable[Shape], starts: Sequence[int]) -> tuple[tuple[bytes, ...], list[Shape]]:
    """Return single shapes and batches as loops take them, `ENTRIES`, and what must stay in memory meanwhile.

    The starts say how many elements come before each, and how many there are.
    """
    kept = [shape if len(shape.batch_shape) < 2 else shape.flattened() for shape in shapes]
    types, tables, strides = [], [], []
    for shape in kept:
        table, steps = shape.operands
        types.append(shape.core_type)
        tables.append(addressof(table))
        strides.append(addressof(steps))
    numbers = f"{len(kept)}q"
    return (pack(numbers, *types), pack(f"q{numbers}", *starts), pack(numbers, *tables), pack(numbers, *strides)), kept


def core_rows(shapes: Iterable[Shape]) -> CoreRows:
    """Return the cores of all elements of some shapes, one shape after the other, each batch in C order."""
    every = list(shapes)
    starts = [0, *accumulate(math.prod(shape.batch_shape) for shape in every)]
    entries, kept = entries_of(every, starts)
    rows = CoreRows.empty(starts[-1])

    def work(first: int, last: int) -> None:
        ENCODE.run(first, last, *entries, *rows.addresses)

    in_parts(work, len(rows))
    del kept
    return rows


def row_bounds(rows: CoreRows) -> tuple[FloatArray, FloatArray]:
    """Return the corners of the boxes around shapes, (n, 3) each: infinite for those that have no end."""
    lower, upper = np.empty((2, len(rows), 3))
    given = *rows.addresses, address(lower), address(upper)
    in_parts(lambda first, last: BOUNDS.run(first, last, *given), len(rows))
    return lower, upper
