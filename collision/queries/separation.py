"""How far apart two shapes of any kinds are, where, and in which direction: the kernel of each pair of cores is run."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from collision.base.fields import BoolArray, FloatArray, IntArray
from collision.kernels.cores import TOUCH
from collision.kernels.loops import LOOPS
from collision.native import ADDRESSES, NONE, address
from collision.shapes.rows import run_pairs

if TYPE_CHECKING:
    from collision.shapes.kinds import Shape


class PairRecords(NamedTuple):
    """The answer of a kernel for whole arrays; `size` is the largest number that the shapes are given by."""

    signed_distance: FloatArray
    size: FloatArray
    on_a: FloatArray
    on_b: FloatArray
    normal: FloatArray

    def swapped(self) -> PairRecords:
        """Return the record of the shapes the other way round; the normal is turned in place."""
        distance, size, on_a, on_b, normal = self
        return PairRecords(distance, size, on_b, on_a, np.subtract(0.0, normal, out=normal))


def separate(
    a: Shape,
    b: Shape,
    lead: tuple[int, ...],
    index: tuple[IntArray, IntArray] | None = None,
    out: tuple[FloatArray, FloatArray, FloatArray, FloatArray] | None = None,
    *,
    sizes: bool = True,
) -> PairRecords:
    """Return signed distance, witness points and normal of two shapes, written to `out` where it is given.

    `lead` are the joint batch axes, or the number of pairs where an index says which elements to pair.
    """
    if not lead and index is None and out is None:
        return separate_one(a, b)
    swap = a.core_type > b.core_type
    if swap:
        a, b, index = b, a, index[::-1] if index else None
    if out is None:
        out = np.empty(lead), np.empty((*lead, 3)), np.empty((*lead, 3)), np.empty((*lead, 3))
    distance, on_a, on_b, normal = out
    if swap:
        on_a, on_b = on_b, on_a
    size = np.empty(lead) if sizes else distance  # which is stored over it
    run_pairs(LOOPS[a.core_type, b.core_type].record, a, b, (distance, size, on_a, on_b, normal), index=index)
    record = PairRecords(distance[()], size[()], on_a, on_b, normal)
    return record.swapped() if swap else record


def separate_one(a: Shape, b: Shape) -> PairRecords:
    """Return what `separate` does for two single shapes, by the shortest way."""
    swap = a.core_type > b.core_type
    if swap:
        a, b = b, a
    found = np.empty(11)
    begin = address(found)
    out = ADDRESSES[5](begin, begin + 8, begin + 16, begin + 40, begin + 64)
    LOOPS[a.core_type, b.core_type].record.run(0, 1, 0, *a.operands, None, *b.operands, None, *NONE, out)
    record = PairRecords(found[0], found[1], found[2:5], found[5:8], found[8:])
    return record.swapped() if swap else record


def separation_distance(
    a: Shape,
    b: Shape,
    lead: tuple[int, ...],
    index: tuple[IntArray, IntArray] | None = None,
    *,
    tolerance: float = 0.0,
    out: FloatArray | None = None,
) -> FloatArray:
    """Return the signed distance of two shapes, less `tolerance` times the largest number they are given by."""
    if a.core_type > b.core_type:
        a, b, index = b, a, index[::-1] if index else None
    distance = np.empty(lead) if out is None else out
    run_pairs(LOOPS[a.core_type, b.core_type].distance, a, b, (distance,), index=index, numbers=(tolerance,))
    return np.asarray(distance[()]) if out is None else out


def touches(a: Shape, b: Shape, lead: tuple[int, ...], index: tuple[IntArray, IntArray] | None = None) -> BoolArray:
    """Tell whether two shapes intersect, to rounding. The parameters are those of `separate`."""
    return np.asarray(separation_distance(a, b, lead, index, tolerance=TOUCH) <= 0.0)
