"""The loops over pairs of cores: one pattern for all, filled in with a kernel and with how its cores are read."""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

from collision.native.compile import FLOAT, TABLE, Ints, Loop, Table
from collision.native.operands import PAIRS
from collision.separation.cores import Separation
from collision.vec3 import along, largest, store

#: A kernel that returns the separation of two cores.
Solve: TypeAlias = Callable[[Any, Any], Separation]


class PairLoops(NamedTuple):
    """What is compiled for a pair of cores, each part when it is first needed.

    `record` fills in signed distances, sizes, witness points and normals. `distance` fills in signed distances, less
    `room` times the size, and `one` returns that of two single shapes.
    """

    record: Loop
    distance: Loop
    one: Loop


class CoreAccess(NamedTuple):
    """How a core is read from memory, and how its size is measured."""

    read: Callable[[Table, Ints, int], tuple[Any, float]]
    size: Callable[[Any], float]


def pair_loops(name: str, solve: Solve, a: CoreAccess, b: CoreAccess) -> PairLoops:
    """Return the loops for a kernel and the cores that it takes."""
    return PairLoops(
        Loop(f"{name}_record", _record(solve, a, b), PAIRS),
        Loop(f"{name}_distance", _distance(solve, a, b), (*PAIRS, FLOAT)),
        Loop(f"{name}_one", _one(solve, a, b), (TABLE, TABLE, FLOAT), FLOAT, brief=True),
    )


def _record(solve: Solve, a: CoreAccess, b: CoreAccess) -> Callable[..., None]:
    read_a, size_a = a
    read_b, size_b = b

    def loop(
        first: int,
        last: int,
        indexed: int,
        ta: Table,
        sa: Ints,
        ia: Ints,
        tb: Table,
        sb: Ints,
        ib: Ints,
        more: Table,
        steps: Ints,
        out: Table,
    ) -> None:
        distance, size, on_a, on_b, normal = out[0], out[1], out[2], out[3], out[4]
        for k in range(first, last):
            i, j = (ia[k], ib[k]) if indexed else (k, k)
            core_a, radius_a = read_a(ta, sa, i)
            core_b, radius_b = read_b(tb, sb, j)
            s = solve(core_a, core_b)
            distance[k] = s.distance - (radius_a + radius_b)
            reach = max(size_a(core_a), size_b(core_b), radius_a, radius_b)
            size[k] = max(reach, largest(s.on_a), largest(s.on_b))
            store(on_a, 3 * k, along(s.on_a, radius_a, s.normal))
            store(on_b, 3 * k, along(s.on_b, -radius_b, s.normal))
            store(normal, 3 * k, s.normal)

    return loop


def _distance(solve: Solve, a: CoreAccess, b: CoreAccess) -> Callable[..., None]:
    read_a, size_a = a
    read_b, size_b = b

    def loop(
        first: int,
        last: int,
        indexed: int,
        ta: Table,
        sa: Ints,
        ia: Ints,
        tb: Table,
        sb: Ints,
        ib: Ints,
        more: Table,
        steps: Ints,
        out: Table,
        room: float,
    ) -> None:
        distance = out[0]
        for k in range(first, last):
            i, j = (ia[k], ib[k]) if indexed else (k, k)
            core_a, radius_a = read_a(ta, sa, i)
            core_b, radius_b = read_b(tb, sb, j)
            s = solve(core_a, core_b)
            distance[k] = s.distance - (radius_a + radius_b)
            if room > 0.0:
                reach = max(size_a(core_a), size_b(core_b), radius_a, radius_b)
                distance[k] -= room * max(reach, largest(s.on_a), largest(s.on_b))

    return loop


def _one(solve: Solve, a: CoreAccess, b: CoreAccess) -> Callable[..., float]:
    read_a, size_a = a
    read_b, size_b = b

    def loop(ta: Table, tb: Table, room: float) -> float:
        core_a, radius_a = read_a(ta, NO_STRIDES, 0)
        core_b, radius_b = read_b(tb, NO_STRIDES, 0)
        s = solve(core_a, core_b)
        distance: float = s.distance - (radius_a + radius_b)
        if room > 0.0:
            reach = max(size_a(core_a), size_b(core_b), radius_a, radius_b)
            distance -= room * max(reach, largest(s.on_a), largest(s.on_b))
        return distance

    return loop


#: The strides of a single shape.
NO_STRIDES: Any = (0, 0, 0, 0, 0)  # a constant, where a loop over many has memory
