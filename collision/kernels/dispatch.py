"""Kernels that choose while they run, by a number that says which core an element has.

A walk through a scene comes upon elements of all kinds. What is asked of each is a *case*: a kernel of its own for each
core. The cases are made from the tables of `collision.kernels.table`, so a new core is a new case by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from collision.kernels.loops import NO_STRIDES
from collision.kernels.table import ROWS, CoreRow, CoreType
from collision.native import Table, kernel


def size_choice() -> Callable[..., float]:
    """Return a kernel for the largest number that a single shape is given by; it takes a rank and the operands."""
    return _chosen([_size_in(ROWS[rank]) for rank in CoreType])


def _size_in(row: CoreRow) -> Callable[..., float]:
    read, size_of = row.read, row.size

    @kernel
    def size(table: Table) -> float:
        core, radius = read(table, NO_STRIDES, 0)
        return max(size_of(core), radius)

    return size


def _chosen(cases: Sequence[Callable[..., Any]]) -> Callable[..., Any]:
    """Return a kernel that calls the case of a number; of the last one no number is asked."""
    chosen = _last(cases[-1])
    for number in range(len(cases) - 2, -1, -1):
        chosen = _either(number, cases[number], chosen)
    return chosen


def _last(case: Callable[..., Any]) -> Callable[..., Any]:
    @kernel
    def last(number: int, *given: Any) -> Any:
        return case(*given)

    return last


def _either(own: int, case: Callable[..., Any], otherwise: Callable[..., Any]) -> Callable[..., Any]:
    @kernel
    def either(number: int, *given: Any) -> Any:
        if number == own:
            return case(*given)
        return otherwise(number, *given)

    return either
