"""The loops over pairs of cores that have a kernel without long branches: see `collision.native.blocks`."""

from collections.abc import Callable
from typing import Any, NamedTuple

from collision.native import (
    BLOCK,
    FLOAT,
    PAIRS,
    Columns,
    Floats,
    Loop,
    Pair,
    Widths,
    kernel,
    over_blocks,
    over_blocks_with,
)
from collision.separation.columns import InBlocks, put
from collision.separation.cores import Separation
from collision.vec3 import along

#: The outputs of a record: the signed distance and the size; the points on a and b, and the normal.
_RECORD = Columns(3, 2)


class Side(NamedTuple):
    """What there is to know of a core of a block: how it lies in it, and the kernel for the largest coordinate."""

    laid: InBlocks
    size: Callable[[Any], float]


def record_loop(
    name: str, exact: Callable[[Pair], None], quick: Callable[[Any, Any], Separation], a: Side, b: Side
) -> Loop:
    """Return the loop that fills in records, by a kernel for blocks and one for each pair that this leaves over."""
    (of_a, read_a), size_a = a
    (of_b, read_b), size_b = b
    b_from, out_from = of_a.total, of_a.total + of_b.total

    @kernel
    def answer(block: Floats) -> None:
        for k in range(BLOCK):
            core_a, radius_a = read_a(block, 0, k)
            core_b, radius_b = read_b(block, b_from, k)
            s = quick(core_a, core_b)
            block[BLOCK * out_from + k] = s.distance - (radius_a + radius_b)
            block[BLOCK * (out_from + 1) + k] = max(size_a(core_a), size_b(core_b), radius_a, radius_b)
            put(block, out_from + 2, k, along(s.on_a, radius_a, s.normal))
            put(block, out_from + 5, k, along(s.on_b, -radius_b, s.normal))
            put(block, out_from + 8, k, s.normal)

    loop = over_blocks(exact, answer, Widths(of_a, of_b, _RECORD))
    return Loop(name, loop, PAIRS, columns=out_from + _RECORD.total)


def distance_loop(
    name: str, exact: Callable[[Pair, float], None], quick: Callable[[Any, Any], Separation], a: Side, b: Side
) -> Loop:
    """Return the loop that fills in signed distances, less some room, made as that of `record_loop` is."""
    (of_a, read_a), size_a = a
    (of_b, read_b), size_b = b
    b_from, out_from = of_a.total, of_a.total + of_b.total

    @kernel
    def answer(block: Floats, room: float) -> None:
        for k in range(BLOCK):
            core_a, radius_a = read_a(block, 0, k)
            core_b, radius_b = read_b(block, b_from, k)
            block[BLOCK * out_from + k] = quick(core_a, core_b).distance - (radius_a + radius_b)
        if room > 0.0:
            for k in range(BLOCK):
                core_a, radius_a = read_a(block, 0, k)
                core_b, radius_b = read_b(block, b_from, k)
                block[BLOCK * out_from + k] -= room * max(size_a(core_a), size_b(core_b), radius_a, radius_b)

    loop = over_blocks_with(exact, answer, Widths(of_a, of_b, Columns(0, 1)))
    return Loop(name, loop, (*PAIRS, FLOAT), columns=out_from + 1)
