"""Kernels that choose while they run, by a number that says which core an element has.

A walk through a scene comes upon elements of all kinds. What is asked of each is a *case*: a kernel of its own for each
core. The cases are made from the tables of `collision.kernels.table`, so a new core is a new case by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from collision.kernels.cores import Linear
from collision.kernels.loops import NO_STRIDES
from collision.kernels.passes import Hit, hit_of
from collision.kernels.table import GENERAL, KERNELS, ROWS, CoreRow, CoreType, Solve, taken_as
from collision.kernels.vec3 import largest
from collision.native import Ints, Table, kernel


def hit_choice() -> tuple[Callable[..., Hit], dict[int, int]]:
    """Return a kernel for where a ray hits any element, and the case for each rank of an element.

    The kernel takes the case, a ray (of `collision.kernels.passes.limited`), and the element: its table, strides and
    row.
    """
    ranks = [rank for rank in CoreType if rank not in GENERAL]
    cases = {int(rank): ranks.index(GENERAL.get(rank, rank)) for rank in CoreType}
    return _chosen([hit_in(ROWS[rank]) for rank in ranks]), cases


def distance_choice(own: CoreType) -> tuple[Callable[..., float], dict[tuple[int, int], int]]:
    """Return a kernel for signed distances, and the case for each two ranks, that of an element second.

    Parameters
    ----------
    own : CoreType
        Of the shapes whose distances to elements are asked for; a rank that is read as this one has cases too.

    Returns
    -------
    kernel : callable
        Takes the case, the shape and the element: of each its table, strides and row.
    cases : dict
        By the two ranks.
    """
    kernels: dict[tuple[CoreType, CoreType, bool], Callable[..., float]] = {}
    cases = {}
    for mine in (rank for rank in CoreType if GENERAL.get(rank, rank) == own):
        for other in CoreType:
            swap = mine > other  # kernels take the core of the lower rank first
            a, b = taken_as((other, mine) if swap else (mine, other), KERNELS)
            kernels.setdefault((a, b, swap), _distance(KERNELS[a, b], ROWS[a], ROWS[b], swap))
            cases[int(mine), int(other)] = [*kernels].index((a, b, swap))
    return _chosen([*kernels.values()]), cases


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


def _distance(solve: Solve, a: CoreRow, b: CoreRow, swap: bool) -> Callable[..., float]:
    """Return the kernel for the signed distance of a shape and an element; swapped, the element's core is the first."""
    read_a, read_b = a.read, b.read

    @kernel
    def distance(ta: Table, sa: Ints, i: int, tb: Table, sb: Ints, j: int) -> float:
        core_a, radius_a = read_a(ta, sa, i)
        core_b, radius_b = read_b(tb, sb, j)
        return solve(core_a, core_b).distance - (radius_a + radius_b)

    if not swap:
        return distance

    @kernel
    def swapped(ta: Table, sa: Ints, i: int, tb: Table, sb: Ints, j: int) -> float:
        return distance(tb, sb, j, ta, sa, i)

    return swapped


def hit_in(row: CoreRow) -> Callable[..., Hit]:
    """Return the kernel for where a ray hits an element with a core."""
    read, size_of, hit = row.read, row.size, hit_of(row)

    @kernel
    def hit_one(ray: Linear, table: Table, strides: Ints, row: int) -> Hit:
        target, radius = read(table, strides, row)
        return hit(ray, target, radius, max(largest(ray.origin), size_of(target), radius))

    return hit_one
