"""The deep module: how far apart two shapes of any kinds are, where, and in which direction.

Every shape is a core grown by a radius, so the 36 pairs of kinds reduce to six pairs of cores: `point`, `linear` and
`box` have one kernel for each, and this module picks the kernel and puts the operands in its order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from collision.fields import BoolArray, FloatArray, IntArray
from collision.operands import run_pairs
from collision.separation import box, linear, point
from collision.separation.cores import (
    aligned_size,
    box_corners,
    box_size,
    linear_size,
    point_corners,
    point_size,
    read_aligned,
    read_box,
    read_linear,
    read_point,
    segment_corners,
)
from collision.separation.loops import CoreAccess, PairLoops, corner_loop, pair_loops

if TYPE_CHECKING:
    from collision.shape import Shape

#: Touching counts as intersecting, and shapes meet "exactly" only to rounding: of their coordinates, which a user gives
#: in decimals, and of the result. Both are a few ulp of the largest coordinate; this is eight of them.
TOUCH = 8.0 * float(np.finfo(np.float64).eps)

#: The cores in the order in which kernels take them. A box with the world's axes is a core of its own among its like.
CORES = ("point", "linear", "box", "aligned")

POINT, LINEAR = CoreAccess(read_point, point_size), CoreAccess(read_linear, linear_size)
BOX, ALIGNED = CoreAccess(read_box, box_size), CoreAccess(read_aligned, aligned_size)

_POINT_BOX = pair_loops("point_box", point.point_box, POINT, BOX)
_LINEAR_BOX = pair_loops("linear_box", linear.linear_box, LINEAR, BOX)
_BOX_BOX = pair_loops("box_box", box.box_box, BOX, BOX)

#: The loops for two cores, by their places in `CORES`, the lower first.
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

#: The loops for the corners of the boxes around cores, by their places in `CORES`.
CORNERS = (
    corner_loop("point", read_point, point_corners),
    corner_loop("segment", read_linear, segment_corners),
    corner_loop("box", read_box, box_corners),
)


class Record(NamedTuple):
    """The answer of a kernel for whole arrays.

    `size` is the largest coordinate or radius that had a part in it: what rounding is relative to.
    """

    signed_distance: FloatArray
    size: FloatArray
    on_a: FloatArray
    on_b: FloatArray
    normal: FloatArray


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
    vectors = [np.empty((*lead, 3)) for _ in range(3)]
    distance, size, (on_a, on_b, normal) = np.empty(lead), np.empty(lead), vectors
    run_pairs(LOOPS[a.rank, b.rank].record, a, b, (distance, size, *vectors), index=index)
    if swap:
        on_a, on_b, normal = on_b, on_a, np.negative(normal, out=normal)
    return Record(distance[()], size[()], on_a, on_b, normal)


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
