"""The loops over pairs of cores: one pattern for all, filled in with a kernel and with how its cores are read."""

from collections.abc import Callable
from typing import Any, NamedTuple

from collision.kernels.pairs import PAIRS, Pair, over_pairs, over_pairs_with
from collision.kernels.table import KERNELS, ROWS, CoreRow, Solve, for_all_pairs
from collision.kernels.vec3 import Vec3, along, store
from collision.native import FLOAT, FLOATS, INT, INTS, TABLE, Floats, Ints, Loop, Table, kernel


class PairLoops(NamedTuple):
    """What is compiled for a pair of cores, each part when it is first needed.

    `record` fills in signed distances, sizes, witness points and normals. `distance` fills in signed distances, less
    `room` times the size, and `one` returns that of two single shapes.
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


def _distance(solve: Solve, a: CoreRow, b: CoreRow) -> Callable[[Pair, float], None]:
    """Return the kernel that fills in the signed distance of a pair, less some room."""
    read_a, size_a = a.read, a.size
    read_b, size_b = b.read, b.size

    @kernel
    def distance(pair: Pair, room: float) -> None:
        core_a, radius_a = read_a(pair.a.table, pair.a.strides, pair.a.row)
        core_b, radius_b = read_b(pair.b.table, pair.b.strides, pair.b.row)
        gap: float = solve(core_a, core_b).distance - (radius_a + radius_b)
        if room > 0.0:
            gap -= room * max(size_a(core_a), size_b(core_b), radius_a, radius_b)
        pair.out[0][pair.number] = gap

    return distance


def _one(solve: Solve, a: CoreRow, b: CoreRow) -> Callable[..., float]:
    read_a, size_a = a.read, a.size
    read_b, size_b = b.read, b.size

    def loop(ta: Table, tb: Table, room: float) -> float:
        core_a, radius_a = read_a(ta, NO_STRIDES, 0)
        core_b, radius_b = read_b(tb, NO_STRIDES, 0)
        s = solve(core_a, core_b)
        distance: float = s.distance - (radius_a + radius_b)
        if room > 0.0:
            distance -= room * max(size_a(core_a), size_b(core_b), radius_a, radius_b)
        return distance

    return loop


#: The strides of a single shape.
NO_STRIDES: Any = (0, 0, 0, 0, 0)  # a constant, where a loop over many has memory


#: How many elements, the operands, their numbers, which batch it is; where corners and places go.
BOUNDS_ARGUMENTS = (INT, TABLE, INTS, INTS, INT, FLOATS, FLOATS, INTS)


def bounds_loop(row: CoreRow) -> Callable[..., None]:
    """Return the loop over the bounds of the elements of a batch."""
    read, bounds_of = row.read, row.bounds

    def loop(
        count: int, table: Table, strides: Ints, numbers: Ints, batch: int, lower: Floats, upper: Floats, places: Ints
    ) -> None:
        """Store the corners of the box around each element at its number, and there its batch and its row in it.

        Without numbers (of a batch less than zero) an element's number is its row.
        """
        for row in range(count):
            number = row
            if batch >= 0:
                number = numbers[row]
                places[2 * number], places[2 * number + 1] = batch, row
            core, radius = read(table, strides, row)
            least, most = bounds_of(core)
            store(lower, 3 * number, Vec3(least.x - radius, least.y - radius, least.z - radius))
            store(upper, 3 * number, Vec3(most.x + radius, most.y + radius, most.z + radius))

    return loop


#: The loops over pairs, by the ranks of both cores, the lower first.
LOOPS: dict[tuple[int, int], PairLoops] = for_all_pairs(pair_loops, KERNELS)

#: Bounds of the elements of a batch, by rank: how many, the operands, their numbers, which batch it is.
BOUNDS: dict[int, Loop] = {
    rank: Loop(f"bounds_{row.name}", bounds_loop(row), BOUNDS_ARGUMENTS) for rank, row in ROWS.items()
}
