"""How cores lie in the columns of a block: see `collision.native.blocks`."""

from collections.abc import Callable
from typing import Any, NamedTuple

from collision.native import BLOCK, Columns, Floats, kernel
from collision.separation.cores import Box, Linear, linear
from collision.vec3 import Vec3, scale


class InBlocks(NamedTuple):
    """How a core lies in blocks.

    Attributes
    ----------
    columns : Columns
        What its operands are.
    read : kernel
        (block, column, row) -> (core, radius): the element in a row, of columns from one on.
    """

    columns: Columns
    read: Callable[[Floats, int, int], tuple[Any, float]]


@kernel
def vector(block: Floats, column: int, row: int) -> Vec3:
    """Read a vector from a row of three columns."""
    place = BLOCK * column + row
    return Vec3(block[place], block[place + BLOCK], block[place + 2 * BLOCK])


@kernel
def put(block: Floats, column: int, row: int, v: Vec3) -> None:
    """Write a vector to a row of three columns."""
    place = BLOCK * column + row
    block[place] = v.x
    block[place + BLOCK] = v.y
    block[place + 2 * BLOCK] = v.z


@kernel
def _point(block: Floats, column: int, row: int) -> tuple[Vec3, float]:
    return vector(block, column, row), block[BLOCK * (column + 3) + row]


@kernel
def _linear(block: Floats, column: int, row: int) -> tuple[Linear, float]:
    start, tip, place = vector(block, column, row), vector(block, column + 3, row), BLOCK * (column + 6) + row
    return linear(start, tip, block[place], block[place + BLOCK]), block[place + 2 * BLOCK]


@kernel
def _box(block: Floats, column: int, row: int) -> tuple[Box, float]:
    """Read what `cores.read_box` does: an axis is a column of the matrix, and in its place are the matrix's rows."""
    x, y, z = vector(block, column + 3, row), vector(block, column + 6, row), vector(block, column + 9, row)
    lower, upper = vector(block, column + 12, row), vector(block, column + 15, row)
    sign = block[BLOCK * (column + 18) + row]
    axes = Vec3(x.x, y.x, z.x), Vec3(x.y, y.y, z.y), Vec3(x.z, y.z, z.z)
    return Box(vector(block, column, row), axes[0], axes[1], axes[2], scale(lower, sign), upper), 0.0


POINT = InBlocks(Columns(1, 1), _point)
LINEAR = InBlocks(Columns(2, 3), _linear)
BOX = InBlocks(Columns(3, 1, 1), _box)
