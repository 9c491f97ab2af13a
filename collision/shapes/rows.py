"""Shapes as core records: the rows that scenes, poses, motions and everything of many kinds keep."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from collision.kernels.core import ENCODE, CoreRows
from collision.native import address, in_parts
from collision.shapes.shape import Shape


def core_rows(shapes: Iterable[Shape]) -> CoreRows:
    """Return the cores of all elements of some shapes, one shape after the other, each batch in C order.

    Parameters
    ----------
    shapes : iterable of Shape
        Single shapes and batches of any kinds.
    """
    flat, types, starts, tables, strides, count = [], [], [0], [], [], 0
    for shape in shapes:
        axes = shape.batch_shape
        if len(axes) > 1:
            shape = shape.flattened()
            axes = shape.batch_shape
        flat.append(shape)  # which keeps its operands in memory
        table, step = shape.operands
        types.append(shape.core_type)
        tables.append(table)
        strides.append(step)
        count += axes[0] if axes else 1
        starts.append(count)
    rows = CoreRows.empty(count)
    entries = np.array([types, starts[:-1], tables, strides], dtype=np.int64)
    ends = np.array(starts, dtype=np.int64)
    given = address(entries[0]), address(ends), address(entries[2]), address(entries[3])

    def work(first: int, last: int) -> None:
        ENCODE.run(first, last, *given, *rows.places)

    in_parts(work, count)
    return rows
