"""The deep module: how far apart two shapes of any kinds are, where, and in which direction.

Every shape is a core grown by a radius, so the 36 pairs of kinds reduce to six pairs of cores: `point`, `linear` and
`box` have one kernel for each, and this module picks the kernel and puts the operands in its order.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from collision.compile import quiet
from collision.fields import FloatArray
from collision.separation import box, linear, point
from collision.shape import Shape
from collision.shapes import AABB

#: Touching counts as intersecting, and shapes meet "exactly" only to rounding: of their coordinates, which a user gives
#: in decimals, and of the result. Both are a few ulp of the largest coordinate; this is eight of them.
TOUCH = 8.0 * float(np.finfo(np.float64).eps)

RANK = {"point": 0, "linear": 1, "box": 2}

_RECORD = {
    ("point", "point"): point.point_point_record,
    ("point", "linear"): point.point_linear_record,
    ("point", "box"): point.point_box_record,
    ("linear", "linear"): linear.linear_linear_record,
    ("linear", "box"): linear.linear_box_record,
    ("box", "box"): box.box_box_record,
}

_DISTANCE = {
    ("point", "point"): point.point_point_distance,
    ("point", "linear"): point.point_linear_distance,
    ("point", "box"): point.point_box_distance,
    ("linear", "linear"): linear.linear_linear_distance,
    ("linear", "box"): linear.linear_box_distance,
    ("box", "box"): box.box_box_distance,
}


class Record(NamedTuple):
    """The answer of a kernel for whole arrays.

    `size` is the largest coordinate or radius that had a part in it: what rounding is relative to.
    """

    signed_distance: FloatArray
    size: FloatArray
    on_a: FloatArray
    on_b: FloatArray
    normal: FloatArray


def separate(a: Shape, b: Shape) -> Record:
    """Return signed distance, witness points and normal of two shapes, batch axes broadcast."""
    gufunc, operands, swap = _plan(a, b, _RECORD, box.aabb_aabb_record)
    with quiet():
        distance, size, on_first, on_second, normal = gufunc(*operands)
    if swap:
        return Record(distance, size, on_second, on_first, np.negative(normal))
    return Record(distance, size, on_first, on_second, normal)


def separation_distance(a: Shape, b: Shape) -> tuple[FloatArray, FloatArray]:
    """Return only the signed distance, and the size that its rounding is relative to."""
    gufunc, operands, _ = _plan(a, b, _DISTANCE, box.aabb_aabb_distance)
    with quiet():
        distance, size = gufunc(*operands)
    return distance, size


def _plan(a: Shape, b: Shape, table: dict[tuple[str, str], Any], aligned: Any) -> tuple[Any, tuple[Any, ...], bool]:
    """Choose the gufunc for two shapes, its operands in order, and whether A and B change places."""
    if isinstance(a, AABB) and isinstance(b, AABB):
        return aligned, (a.lower, a.upper, b.lower, b.upper), False
    first, second = a.core, b.core
    swap = RANK[first.kind] > RANK[second.kind]
    if swap:
        first, second = second, first
    return table[first.kind, second.kind], (*first.operands, *second.operands), swap
