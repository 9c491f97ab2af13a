"""Boxes as rows of six numbers, lower corner before upper: how they are widened, and whether two of them meet."""

import math

import numpy as np

from collision.base.fields import FloatArray
from collision.native import FLOAT, FLOATS, INT, Floats, Loop, address, kernel

#: Numbers to a row, and where in it the upper corner begins.
ROW, UPPER = 6, 3


@kernel
def store_widened(lower: Floats, upper: Floats, i: int, room: float, rows: Floats, box: int) -> None:
    """Store a box, widened by `room` times its largest finite coordinate, as a row."""
    size = 0.0
    for k in range(3):
        least, most = abs(lower[i + k]), abs(upper[i + k])
        size = max(size, least if least < math.inf else 0.0)
        size = max(size, most if most < math.inf else 0.0)
    for k in range(3):
        rows[box + k], rows[box + UPPER + k] = lower[i + k] - room * size, upper[i + k] + room * size


@kernel
def meet(a: Floats, i: int, b: Floats, j: int, reach: float) -> bool:
    """Tell whether the boxes from number i of a and from number j of b on overlap, or all but."""
    return (
        (a[i] - reach <= b[j + 3])
        & (b[j] - reach <= a[i + 3])
        & (a[i + 1] - reach <= b[j + 4])
        & (b[j + 1] - reach <= a[i + 4])
        & (a[i + 2] - reach <= b[j + 5])
        & (b[j + 2] - reach <= a[i + 5])
    )


def _widen(count: int, lower: Floats, upper: Floats, room: float, rows: Floats) -> None:
    """Store boxes, widened, as rows."""
    for i in range(count):
        store_widened(lower, upper, 3 * i, room, rows, ROW * i)


_WIDEN = Loop("widen", _widen, (INT, FLOATS, FLOATS, FLOAT, FLOATS))


def widened(lower: FloatArray, upper: FloatArray, room: float) -> FloatArray:
    """Return boxes as rows of six numbers, each widened by `room` times its largest finite coordinate."""
    lower, upper, rows = np.ascontiguousarray(lower), np.ascontiguousarray(upper), np.empty((len(lower), ROW))
    _WIDEN.run(len(lower), address(lower), address(upper), room, address(rows))
    return rows
