"""The deep module: how far apart two shapes of any kinds are, where, and in which direction.

Every shape is a core grown by a radius, so the 36 pairs of kinds reduce to six pairs of cores: `point`, `linear` and
`box` have one kernel for each, and this module picks the kernel and puts the operands in its order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from collision.fields import BoolArray, FloatArray, IntArray
from collision.native.compile import ADDRESSES, FLOATS, INT, INTS, TABLE, Floats, Ints, Loop, Table, address, kernel
from collision.native.operands import NONE, run_pairs
from collision.separation import box, linear, point
from collision.separation.cores import (
    aligned_size,
    box_corners,
    box_size,
    linear_corners,
    linear_size,
    point_size,
    read_aligned,
    read_box,
    read_linear,
    read_point,
)
from collision.separation.loops import CoreAccess, PairLoops, pair_loops
from collision.vec3 import Vec3, store

if TYPE_CHECKING:
    from collision.shape import Shape

#: Touching counts as intersecting, and shapes meet "exactly" only to rounding: of their coordinates, which a user gives
#: in decimals, and of the result. Both are a few ulp of the largest coordinate; this is eight of them.
TOUCH = 8.0 * float(np.finfo(np.float64).eps)

POINT, LINEAR = CoreAccess(read_point, point_size), CoreAccess(read_linear, linear_size)
BOX, ALIGNED = CoreAccess(read_box, box_size), CoreAccess(read_aligned, aligned_size)

_POINT_BOX = pair_loops("point_box", point.point_box, POINT, BOX)
_LINEAR_BOX = pair_loops("linear_box", linear.linear_box, LINEAR, BOX)
_BOX_BOX = pair_loops("box_box", box.box_box, BOX, BOX)

#: The loops for two cores, by their ranks, the lower first.
LOOPS: dict[tuple[int, int], PairLoops] = {
    (0, 0): pair_loops("point_point", point.point_point, POINT, POINT),
    (0, 1): pair_loops("point_linear", point.point_linear, POINT, LINEAR),
    (0, 2): _POINT_BOX,
    (0, 3): _POINT_BOX,
    (1, 1): pair_loops("linear_linear", linear.linear_linear, LINEAR, LINEAR),
    (1, 2): _LINEAR_BOX,
    (1, 3): _LINEAR_BOX,
    (2, 2): _BOX_BOX,
    (2, 3): _BOX_BOX,
    (3, 3): pair_loops("aligned_aligned", box.aligned_aligned, ALIGNED, ALIGNED),
}


@kernel
def _corners(rank: int, table: Table, strides: Ints, i: int) -> tuple[Vec3, Vec3, float]:
    """Return the smallest and the largest coordinates of a core, and its radius."""
    if rank == 0:
        point, radius = read_point(table, strides, i)
        return point, point, radius
    if rank == 1:
        line, radius = read_linear(table, strides, i)
        least, most = linear_corners(line)
        return least, most, radius
    if rank == 2:
        box, _ = read_box(table, strides, i)
        least, most = box_corners(box)
        return least, most, 0.0
    aligned, _ = read_aligned(table, strides, i)
    return aligned.lo, aligned.hi, 0.0


def _bound(
    count: int,
    rank: int,
    table: Table,
    strides: Ints,
    numbers: Ints,
    kind: int,
    lower: Floats,
    upper: Floats,
    places: Ints,
) -> None:
    """Store the corners of the boxes around the elements of a batch, each at its number.

    Also, from which batch it is and in which row, unless there are no numbers (of a kind less than zero).
    """
    for row in range(count):
        number = row
        if kind >= 0:
            number = numbers[row]
            places[2 * number], places[2 * number + 1] = kind, row
        least, most, radius = _corners(rank, table, strides, row)
        store(lower, 3 * number, Vec3(least.x - radius, least.y - radius, least.z - radius))
        store(upper, 3 * number, Vec3(most.x + radius, most.y + radius, most.z + radius))


#: Bounds of the elements of a batch: how many, the rank of their core, the operands, their numbers, which batch it is.
BOUND = Loop("bounds", _bound, (INT, INT, TABLE, INTS, INTS, INT, FLOATS, FLOATS, INTS))


class Record(NamedTuple):
    """The answer of a kernel for whole arrays.

    `size` is the largest coordinate or radius that had a part in it: what rounding is relative to.
    """

    signed_distance: FloatArray
    size: FloatArray
    on_a: FloatArray
    on_b: FloatArray
    normal: FloatArray

    def swapped(self) -> Record:
        """Return the record of the shapes the other way round; the normal is turned in place."""
        distance, size, on_a, on_b, normal = self
        return Record(distance, size, on_b, on_a, np.negative(normal, out=normal))


def separate(a: Shape, b: Shape, lead: tuple[int, ...], index: tuple[IntArray, IntArray] | None = None) -> Record:
    """Return signed distance, witness points and normal of two shapes.

    Parameters
    ----------
    a, b : Shape
        Of any kinds.
    lead : tuple of int
        The joint batch axes; the number of pairs, where there is an index.
    index : pair of ndarray of int, optional
        Elements of a and b to pair, instead of broadcasting the two.
    """
    swap = a.rank > b.rank
    if swap:
        a, b, index = b, a, index[::-1] if index else None
    if not lead and index is None:
        record = _separate_one(a, b)
        return record.swapped() if swap else record
    vectors = [np.empty((*lead, 3)) for _ in range(3)]
    distance, size, (on_a, on_b, normal) = np.empty(lead), np.empty(lead), vectors
    run_pairs(LOOPS[a.rank, b.rank].record, a, b, (distance, size, *vectors), index=index)
    record = Record(distance[()], size[()], on_a, on_b, normal)
    return record.swapped() if swap else record


def _separate_one(a: Shape, b: Shape) -> Record:
    """Return the record of two single shapes, in the order of their cores, by the shortest way."""
    found, x, y = np.empty(11), a.operands, b.operands
    place = address(found)
    out = ADDRESSES[5](place, place + 8, place + 16, place + 40, place + 64)
    given = (x.table, x.strides, None, y.table, y.strides, None, *NONE, out)
    LOOPS[a.rank, b.rank].record.run(0, 1, False, *given)
    return Record(found[0], found[1], found[2:5], found[5:8], found[8:])


def separation_distance(
    a: Shape, b: Shape, lead: tuple[int, ...], index: tuple[IntArray, IntArray] | None = None, *, room: float = 0.0
) -> FloatArray:
    """Return the signed distance of two shapes, less `room` times the size that its rounding is relative to.

    The other parameters are those of `separate`.
    """
    if a.rank > b.rank:
        a, b, index = b, a, index[::-1] if index else None
    distance = np.empty(lead)
    run_pairs(LOOPS[a.rank, b.rank].distance, a, b, (distance,), index=index, numbers=(room,))
    return np.asarray(distance[()])


def touches(a: Shape, b: Shape, lead: tuple[int, ...], index: tuple[IntArray, IntArray] | None = None) -> BoolArray:
    """Tell whether two shapes intersect, to rounding. The parameters are those of `separate`."""
    return np.asarray(separation_distance(a, b, lead, index, room=TOUCH) <= 0.0)
