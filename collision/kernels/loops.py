"""The loops over pairs of cores: one pattern for all, filled in with a kernel and with how its cores are read."""

from collections.abc import Callable
from typing import Any, NamedTuple

from collision.kernels.pairs import PAIRS, Element, Pair, over_pairs, over_pairs_with
from collision.kernels.table import KERNELS, ROWS, CoreRow, Solve, for_all_pairs
from collision.kernels.vec3 import Vec3, along, store
from collision.native import FLOAT, FLOATS, INT, INTS, TABLE, Floats, Ints, Loop, Table, kernel


class PairLoops(NamedTuple):
    """What is compiled for a pair of cores, each part when it is first needed.

    `record` fills in signed distances, sizes, witness points and normals. `distance` fills in signed distances, less
    a tolerance times the size, and `one` returns that of two single shapes.
    """

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
        core_a, radius_a = read_a(pair.a.table, pair.a.strides, pair.a.row)
        core_b, radius_b = read_b(pair.b.table, pair.b.strides, pair.b.row)
        s, k = solve(core_a, core_b), pair.number
        distance, size, on_a, on_b, normal = pair.out[0], pair.out[1], pair.out[2], pair.out[3], pair.out[4]
        size[k] = max(size_a(core_a), size_b(core_b), radius_a, radius_b)
        distance[k] = s.distance - (radius_a + radius_b)  # last: where nobody asks for sizes, both have one place
        store(on_a, 3 * k, along(s.on_a, radius_a, s.normal))
        store(on_b, 3 * k, along(s.on_b, -radius_b, s.normal))
        store(normal, 3 * k, s.normal)

    return record


def _gap(solve: Solve, a: CoreRow, b: CoreRow) -> Callable[[Element, Element, float], float]:
    """Return the kernel for the signed distance of two elements, less a tolerance times the size of the pair."""
    read_a, size_a = a.read, a.size
    read_b, size_b = b.read, b.size

    @kernel
    def gap(one: Element, other: Element, tolerance: float) -> float:
        core_a, radius_a = read_a(one.table, one.strides, one.row)
        core_b, radius_b = read_b(other.table, other.strides, other.row)
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
        return gap(Element(ta, NO_STRIDES, 0), Element(tb, NO_STRIDES, 0), tolerance)

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
