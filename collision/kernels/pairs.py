"""Pairs of elements in memory, and the loops that run a kernel for each."""

from collections.abc import Callable
from typing import NamedTuple

from collision.native import INT, INTS, TABLE, Ints, Table, fetch, kernel

#: What every loop over pairs takes: the part of the pairs to do, whether elements are picked by an index, for both
#: shapes the table of operands with their strides and the index, what else there is, and the table of outputs.
PAIRS = (INT, INT, INT, TABLE, INTS, INTS, TABLE, INTS, INTS, TABLE, INTS, TABLE)


class Element(NamedTuple):
    """An element of a batch in memory, as kernels read it: its operands, their strides, and its row."""

    table: Table
    strides: Ints
    row: int


class Pair(NamedTuple):
    """A pair of elements in memory.

    Attributes
    ----------
    number : int
        Its number among all pairs: where its outputs go.
    a, b : Element
        The two.
    vectors, step : memory
        What else there is, and how far it is from one pair to the next.
    out : memory
        The outputs.
    """

    number: int
    a: Element
    b: Element
    vectors: Table
    step: Ints
    out: Table


#: So many pairs are answered while the elements of as many are on their way from memory, where they are picked.
_TOGETHER = 16


@kernel
def _fetch(table: Table, strides: Ints, listed: Ints, first: int, last: int) -> None:
    """Let the processor fetch the first two operands of some listed elements, which are most of them."""
    for k in range(first, last):
        row = listed[k]
        fetch(table[0], strides[0] * row)
        fetch(table[1], strides[1] * row)
        fetch(table[1], strides[1] * (row + 1))


def over_pairs(store: Callable[[Pair], None]) -> Callable[..., None]:
    """Return the loop, with the arguments `PAIRS`, that runs a kernel for each pair."""

    def loop(
        first: int, last: int, indexed: int, ta: Table, sa: Ints, ia: Ints, tb: Table, sb: Ints, ib: Ints,
        vectors: Table, step: Ints, out: Table,
    ) -> None:  # fmt: skip
        for start in range(first, last, _TOGETHER):
            end = min(start + _TOGETHER, last)
            if indexed:
                _fetch(ta, sa, ia, end, min(end + _TOGETHER, last))
                _fetch(tb, sb, ib, end, min(end + _TOGETHER, last))
            for k in range(start, end):
                i, j = (ia[k], ib[k]) if indexed else (k, k)
                store(Pair(k, Element(ta, sa, i), Element(tb, sb, j), vectors, step, out))

    return loop


def over_pairs_with(store: Callable[[Pair, float], None]) -> Callable[..., None]:
    """Return the loop, with a number after the arguments `PAIRS`, that runs a kernel for each pair."""

    def loop(
        first: int, last: int, indexed: int, ta: Table, sa: Ints, ia: Ints, tb: Table, sb: Ints, ib: Ints,
        vectors: Table, step: Ints, out: Table, number: float,
    ) -> None:  # fmt: skip
        for start in range(first, last, _TOGETHER):
            end = min(start + _TOGETHER, last)
            if indexed:
                _fetch(ta, sa, ia, end, min(end + _TOGETHER, last))
                _fetch(tb, sb, ib, end, min(end + _TOGETHER, last))
            for k in range(start, end):
                i, j = (ia[k], ib[k]) if indexed else (k, k)
                store(Pair(k, Element(ta, sa, i), Element(tb, sb, j), vectors, step, out), number)

    return loop
