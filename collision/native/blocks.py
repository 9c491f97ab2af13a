"""Blocks: some pairs at a time, laid out number by number, so that the processor works on several of them at once.

In a batch the numbers of an element follow each other. In a block the first numbers of all elements do, then all second
ones: a column each. A kernel of which both sides of each branch are worth doing, run over the rows of a block, becomes
code that takes two, four or eight rows with each instruction, with the bits of one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from collision.native.instructions import LANES, copy_eight, eight_from_columns, eight_to_columns
from collision.native.kernels import kernel
from collision.native.memory import BLOCK, Floats, Ints, Table
from collision.native.operands import Element, Pair
from collision.native.wanted import blocks_wanted

#: So many blocks are answered pair by pair after one that left most pairs over: others near it may be of their kind.
_UNASKED = 3


class Columns(NamedTuple):
    """How many vectors of three numbers there are of each element, and how many numbers after them (or before).

    After the first vector there may be a matrix of three times three numbers.
    """

    vectors: int
    numbers: int
    matrices: int = 0

    @property
    def total(self) -> int:
        """The columns of a block that this takes."""
        return 9 * self.matrices + 3 * self.vectors + self.numbers


class Widths(NamedTuple):
    """What operands both shapes have, vectors first, and what outputs there are, numbers first."""

    a: Columns
    b: Columns
    out: Columns


def over_blocks(exact: Callable[[Pair], None], answer: Callable[[Floats], None], widths: Widths) -> Callable[..., None]:
    """Return the loop, with the arguments `PAIRS`, that answers a block of pairs at a time.

    Parameters
    ----------
    exact : kernel
        What is run for each pair of which the first output is NaN after that, and for those that fill no block.
    answer : kernel
        Fills in the columns of the outputs, which come after those of the operands.
    widths : Widths
        How many columns all these have.
    """
    of_a, of_b, of_out = widths
    b_from, out_from = of_a.total, of_a.total + of_b.total

    def loop(
        first: int, last: int, indexed: int, ta: Table, sa: Ints, ia: Ints, tb: Table, sb: Ints, ib: Ints,
        vectors: Table, rows: Ints, out: Table,
    ) -> None:  # fmt: skip
        unasked, filled = 0, False
        for start in range(first, last, BLOCK):
            end, left = min(start + BLOCK, last), 0
            whole = blocks_wanted() and rows[0] == end - start and not unasked
            unasked = max(unasked - 1, 0)
            if whole:
                block = vectors[0]
                fill(block, 0, of_a, ta, sa, indexed, ia, start, filled)
                fill(block, b_from, of_b, tb, sb, indexed, ib, start, filled)
                filled = True
                answer(block)
                drain(block, out_from, of_out, out, start)
                if not unsure(block, out_from):
                    continue
            for k in range(start, end):
                if not whole or math.isnan(out[0][k]):
                    i, j = (ia[k], ib[k]) if indexed else (k, k)
                    exact(Pair(k, Element(ta, sa, i), Element(tb, sb, j), vectors, rows, out))
                    left += 1
            unasked = _UNASKED if whole and 2 * left > BLOCK else unasked

    return loop


def over_blocks_with(
    exact: Callable[[Pair, float], None], answer: Callable[[Floats, float], None], widths: Widths
) -> Callable[..., None]:
    """Return the loop, with a number after the arguments `PAIRS`, that answers a block of pairs at a time.

    The parameters are those of `over_blocks`; both kernels take the number, too.
    """
    of_a, of_b, of_out = widths
    b_from, out_from = of_a.total, of_a.total + of_b.total

    def loop(
        first: int, last: int, indexed: int, ta: Table, sa: Ints, ia: Ints, tb: Table, sb: Ints, ib: Ints,
        vectors: Table, rows: Ints, out: Table, number: float,
    ) -> None:  # fmt: skip
        unasked, filled = 0, False
        for start in range(first, last, BLOCK):
            end, left = min(start + BLOCK, last), 0
            whole = blocks_wanted() and rows[0] == end - start and not unasked
            unasked = max(unasked - 1, 0)
            if whole:
                block = vectors[0]
                fill(block, 0, of_a, ta, sa, indexed, ia, start, filled)
                fill(block, b_from, of_b, tb, sb, indexed, ib, start, filled)
                filled = True
                answer(block, number)
                drain(block, out_from, of_out, out, start)
                if not unsure(block, out_from):
                    continue
            for k in range(start, end):
                if not whole or math.isnan(out[0][k]):
                    i, j = (ia[k], ib[k]) if indexed else (k, k)
                    exact(Pair(k, Element(ta, sa, i), Element(tb, sb, j), vectors, rows, out), number)
                    left += 1
            unasked = _UNASKED if whole and 2 * left > BLOCK else unasked

    return loop


@kernel
def unsure(block: Floats, column: int) -> int:
    """Return how many numbers of a column are none: all looked at together, and not one by one."""
    count = 0
    for k in range(BLOCK):
        value = block[BLOCK * column + k]
        count += 1 * (value != value)
    return count


@kernel
def fill(
    block: Floats,
    column: int,
    columns: Columns,
    table: Table,
    strides: Ints,
    indexed: int,
    listed: Ints,
    first: int,
    again: bool,
) -> None:
    """Copy operands of elements to the columns of a block.

    Parameters
    ----------
    block, column
        The block, and where in it the columns begin.
    columns, table, strides
        The operands.
    indexed, listed, first
        Which elements: those from the first on, or those that are listed from there on.
    again
        Whether the block is as it was left: what stands for all is there.
    """
    for operand in range(columns.matrices + columns.vectors + columns.numbers):
        memory, stride, start = table[operand], strides[operand], BLOCK * column
        width = 3 if operand < columns.matrices + columns.vectors else 1
        width = 9 if columns.matrices and operand == 1 else width
        column += width
        if stride == 0:  # one that stands for all
            for number in range(0 if again else width):
                value = memory[number]
                for k in range(BLOCK):
                    block[start + BLOCK * number + k] = value
        elif indexed or width == 9:
            _pick(block, start, width, memory, indexed, listed, first)
        elif width == 1:
            for k in range(0, BLOCK, LANES):
                copy_eight(memory, first + k, block, start + k)
        else:
            for k in range(0, BLOCK, LANES):
                eight_to_columns(memory, 3 * (first + k), block, start + k)


@kernel
def _pick(block: Floats, start: int, width: int, memory: Floats, indexed: int, listed: Ints, first: int) -> None:
    """Copy an operand of any elements, number by number."""
    for k in range(BLOCK):
        i = width * (listed[first + k] if indexed else first + k)
        for number in range(width):
            block[start + BLOCK * number + k] = memory[i + number]


@kernel
def drain(block: Floats, column: int, columns: Columns, out: Table, first: int) -> None:
    """Copy columns of a block, from one on, to the outputs of elements from one on.

    Of the numbers the first go last: others may be given the same place, where nobody asks for them.
    """
    for output in range(columns.numbers - 1, -1, -1):
        for k in range(0, BLOCK, LANES):
            copy_eight(block, BLOCK * (column + output) + k, out[output], first + k)
    for output in range(columns.vectors):
        memory, start = out[columns.numbers + output], BLOCK * (column + columns.numbers + 3 * output)
        for k in range(0, BLOCK, LANES):
            eight_from_columns(block, start + k, memory, 3 * (first + k))
