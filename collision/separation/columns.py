"""How cores lie in the columns of a block: see `collision.native.blocks`."""

from collections.abc import Callable
from typing import Any, NamedTuple

from collision.native import BLOCK, Columns, Floats, kernel
from collision.separation.cores import Linear, linear
from collision.vec3 import Vec3


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


POINT = InBlocks(Columns(1, 1), _point)
LINEAR = InBlocks(Columns(2, 3), _linear)
