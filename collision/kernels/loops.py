"""Pairs of elements in memory, and the loops over them: one pattern for all, filled in with kernels."""

from collections.abc import Callable
from typing import Any, NamedTuple

from collision.kernels.table import KERNELS, ROWS, CoreRow, Solve, for_all_pairs
from collision.kernels.vec3 import Vec3, along, store
from collision.native import FLOAT, FLOATS, INT, INTS, TABLE, Floats, Ints, Loop, Table, fetch, kernel

#: What every loop over pairs takes: the part of the pairs to do, whether elements are picked by an index, for both
#: shapes the table of operands with their strides and the index, what else there is, and the table of outputs.
PAIRS = (INT, INT, INT, TABLE, INTS, INTS, TABLE, INTS, INTS, TABLE, INTS, TABLE)


class BatchElement(NamedTuple):
    """An element of a batch in memory, as kernels read it: its operands, their strides, and its row."""

    table: Table
    strides: Ints
    row: int


class Pair(NamedTuple):
    """A pair of elements in memory, its number among all pairs, and where its vectors and outputs are."""

    number: int
    a: BatchElement
    b: BatchElement
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
                store(Pair(k, BatchElement(ta, sa, i), BatchElement(tb, sb, j), vectors, step, out))

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
                store(Pair(k, BatchElement(ta, sa, i), BatchElement(tb, sb, j), vectors, step, out), number)

    return loop


class PairLoops(NamedTuple):
    """What is compiled for a pair of cores, each part when it is first needed: records, distances, and one distance."""

    record: Loop
    distance: Loop
    one: Loop


def pair_loops(name: str, solve: Solve, a: CoreRow, b: CoreRow) -> PairLoops:
    """Return the loops for a kernel and the cores that it takes."""
    return PairLoops(
        Loop(f"{name}_record", over_pairs(record_of(solve, a, b)), PAIRS),
        Loop(f"{name}_distance", over_pairs_with(_distance(solve, a, b)), (*PAIRS, FLOAT)),
        Loop(f"{name}_one", _one(solve, a, b), (TABLE, TABLE, FLOAT), FLOAT),
    )


def record_of(solve: Solve, a: CoreRow, b: CoreRow) -> Callable[[Pair], None]:
    """Return the kernel that fills in the record of a pair."""
    read_a, size_a = a.read, a.size
    read_b, size_b = b.read, b.size

    @kernel
    def record(pair: Pair) -> None:
        core_a, radius_a = read_a(*pair.a)
        core_b, radius_b = read_b(*pair.b)
        s, k = solve(core_a, core_b), pair.number
        distance, size, on_a, on_b, normal = pair.out[0], pair.out[1], pair.out[2], pair.out[3], pair.out[4]
        size[k] = max(size_a(core_a), size_b(core_b), radius_a, radius_b)
        distance[k] = s.distance - (radius_a + radius_b)  # last: where nobody asks for sizes, both are one array
        store(on_a, 3 * k, along(s.on_a, radius_a, s.normal))
        store(on_b, 3 * k, along(s.on_b, -radius_b, s.normal))
        store(normal, 3 * k, s.normal)

    return record


def _gap(solve: Solve, a: CoreRow, b: CoreRow) -> Callable[[BatchElement, BatchElement, float], float]:
    """Return the kernel for the signed distance of two elements, less a tolerance times the size of the pair."""
    read_a, size_a = a.read, a.size
    read_b, size_b = b.read, b.size

    @kernel
    def gap(one: BatchElement, other: BatchElement, tolerance: float) -> float:
        core_a, radius_a = read_a(*one)
        core_b, radius_b = read_b(*other)
        distance: float = solve(core_a, core_b).distance - (radius_a + radius_b)
        if tolerance > 0.0:
            distance -= tolerance * max(size_a(core_a), size_b(core_b), radius_a, radius_b)
        return distance

    return gap


def _distance(solve: Solve, a: CoreRow, b: CoreRow) -> Callable[[Pair, float], None]:
    """Return the kernel that fills in the signed distance of a pair, less a tolerance."""
    gap = _gap(solve, a, b)

    @kernel
    def distance(pair: Pair, tolerance: float) -> None:
        pair.out[0][pair.number] = gap(pair.a, pair.b, tolerance)

    return distance


def _one(solve: Solve, a: CoreRow, b: CoreRow) -> Callable[..., float]:
    gap = _gap(solve, a, b)

    def loop(ta: Table, tb: Table, tolerance: float) -> float:
        return gap(BatchElement(ta, NO_STRIDES, 0), BatchElement(tb, NO_STRIDES, 0), tolerance)

    return loop


#: The strides of a single shape.
NO_STRIDES: Any = (0, 0, 0, 0, 0)  # a constant, where a loop over many has memory


def _bounds(row: CoreRow) -> Callable[..., None]:
    """Return the loop over the bounds of the elements of a batch."""
    read, bounds_of = row.read, row.bounds

    def loop(count: int, table: Table, strides: Ints, lower: Floats, upper: Floats) -> None:
        """Store the corners of the box around each element."""
        for i in range(count):
            core, radius = read(table, strides, i)
            least, most = bounds_of(core)
            store(lower, 3 * i, Vec3(least.x - radius, least.y - radius, least.z - radius))
            store(upper, 3 * i, Vec3(most.x + radius, most.y + radius, most.z + radius))

    return loop


#: The loops over pairs, by the types of both cores, the lower first.
LOOPS: dict[tuple[int, int], PairLoops] = for_all_pairs(pair_loops, KERNELS)

#: The loops over the bounds of the elements of a batch, by the type of their cores.
BOUNDS: dict[int, Loop] = {
    own: Loop(f"bounds_{row.name}", _bounds(row), (INT, TABLE, INTS, FLOATS, FLOATS)) for own, row in ROWS.items()
}
