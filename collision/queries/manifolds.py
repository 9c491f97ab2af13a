"""Where two shapes touch each other: not at one point, but over a patch.

Both shapes are seen along the normal of their contact. The foremost feature of each (a vertex, an edge or a face) casts
a shadow on the plane across the normal, and the patch is what the shadows have in common: a polygon, a piece of a line,
or a point. `collision.kernels.features` finds the features, `collision.kernels.patches` what they have in common.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from collision.base.fields import FloatArray, IntArray, read_margin, read_number
from collision.kernels.cores import TOUCH
from collision.kernels.features import WIDTH, load_feature, store_feature
from collision.kernels.pairs import PAIRS, Pair, over_pairs_with
from collision.kernels.patches import MAX_POINTS, SAME, PatchContact, Points, patch, with_deepest
from collision.kernels.table import CoreRow, for_all_cores
from collision.kernels.vec3 import Vec3, load, store
from collision.native import (
    ADDRESSES,
    FLOAT,
    FLOATS,
    INT,
    INTEGERS,
    INTS,
    TABLE,
    Floats,
    Ints,
    Loop,
    Table,
    address,
    in_parts,
    kernel,
    table,
)
from collision.queries.distances import joint_axes
from collision.queries.separation import Record, separate
from collision.shapes.kinds import Shape
from collision.shapes.running import spread

#: What stands beyond the points of a patch.
NOTHING = Vec3(math.nan, math.nan, math.nan)

#: The features of so many pairs at a time are found, and then what they have in common: they stay in the cache.
_TOGETHER = 4096


class Manifold(NamedTuple):
    """The contact patch of two shapes: up to eight points of each, one opposite the other.

    Attributes
    ----------
    count : ndarray of int, shape (...)
        How many points there are; what is beyond is NaN.
    on_a, on_b : ndarray, shape (..., 8, 3)
        The points on the surfaces of A and of B; ``on_b == on_a + signed_distance * normal``. They go around the normal
        counter-clockwise, as seen from B.
    signed_distance : ndarray, shape (..., 8)
        From each point on A to that on B; negative where the shapes overlap.
    normal : ndarray, shape (..., 3)
        Unit, from A to B, the same for all points.
    """

    count: IntArray  # type: ignore[assignment]  # the field, not the method of tuples
    on_a: FloatArray
    on_b: FloatArray
    signed_distance: FloatArray
    normal: FloatArray

    @property
    def point(self) -> FloatArray:
        """The middle between each two points, (..., 8, 3)."""
        return 0.5 * self.on_a + 0.5 * self.on_b

    @property
    def depth(self) -> FloatArray:
        """How deep the shapes overlap at each point, zero where they are apart, (..., 8)."""
        return np.maximum(-self.signed_distance, 0.0)


def manifold(a: Shape, b: Shape, /, *, margin: float = 0.0, angle: float = 0.1) -> Manifold:
    """Return the contact patch of two shapes: the corners of where they lie on each other, and how deep each is.

    A box that lies on a half-space has four points, as on a box, where it has up to eight if it is turned; an edge on a
    face has two, and so has a capsule that lies on a box or beside a capsule; whatever is round both ways has one.

    Parameters
    ----------
    a, b : Shape
        Any two kinds; batch axes broadcast.
    margin : float
        Points up to this far apart are returned; of shapes that are farther apart there is none.
    angle : float
        In radians, from zero to less than a right angle. Edges and faces that are tilted against the plane of contact
        by no more than this still count as lying on it, and two edges as side by side. With 0 they have to be level to
        rounding. With 1 boxes meet by faces however they are turned, as in most physics engines.

    Returns
    -------
    Manifold

    Raises
    ------
    TypeError, ValueError
        If an argument is no shape; if batch axes do not broadcast, the margin is no number, negative or not finite, or
        the angle is out of range.

    Notes
    -----
    The normal is that of `closest_points`, and the least signed distance is that of the pair: where no corner of the
    patch is as deep (two capsules that cross at a small angle), the witness points of the pair come last. Corners that
    are more than the margin apart, or at infinity, are left out. All points are on the surfaces, and opposite to each
    other, to 1e-14 of the size of the pair. Faces are cut to each other by Sutherland and Hodgman's method, "Reentrant
    polygon clipping", Communications of the ACM 17 (1974).

    Examples
    --------
    >>> from collision import AABB, manifold
    >>> floor, crate = AABB([-2, -2, -1], [2, 2, 0]), AABB([0, 0, -0.125], [3, 1, 1])
    >>> patch = manifold(floor, crate)
    >>> int(patch.count), patch.on_a[:4], patch.depth[:4]
    (4, array([[2., 1., 0.],
           [0., 1., 0.],
           [0., 0., 0.],
           [2., 0., 0.]]), array([0.125, 0.125, 0.125, 0.125]))
    """
    lead = joint_axes(a, b, "manifold")
    margin, tilt = read_margin(margin, "manifold"), read_number(angle, "manifold: angle")
    if not 0.0 <= tilt < 0.5 * math.pi:
        raise ValueError(f"manifold: angle must be from zero to less than a right angle, in radians, got {angle!r}")
    sine, record = math.sin(tilt), separate(a, b, lead)
    on_a, on_b = np.empty((2, *lead, MAX_POINTS, 3))
    signed, count = np.empty((*lead, MAX_POINTS)), np.empty(lead, dtype=np.int64)
    known = [np.asarray(values) for values in record]
    given, out, counts = table(known), table([signed, on_a, on_b]), address(count)
    features = _Features(a, b, record, margin, sine)

    def work(first: int, last: int) -> None:
        for start, end, *given_features in features.of(first, last):
            _PATCH.run(start, end, given, *given_features, counts, out, margin, sine)

    in_parts(work, count.size)
    return Manifold(count[()], on_a, on_b, signed, record.normal)


class _Features:
    """The foremost features of two shapes in each of their pairs, some pairs at a time: all would take much memory.

    No feature is found of pairs that are farther apart than the margin; features that are tilted by less than an angle
    of this sine count as level.
    """

    def __init__(self, a: Shape, b: Shape, record: Record, margin: float, sine: float) -> None:
        lead = record.normal.shape[:-1]
        self._normals, self._sine = record.normal.reshape(-1, 3), sine
        self._known = np.asarray(record.signed_distance), np.asarray(record.size), np.array([margin])
        self._index: tuple[IntArray, ...] = ()
        if len(lead) > 1:
            self._index = spread(a.batch_shape, lead), spread(b.batch_shape, lead)
            a, b = a.flattened(), b.flattened()
        picks: list[int | None] = [*map(address, self._index)] or [None, None]
        self._shapes, self._of_a, self._of_b = (a, b), (*a.operands, picks[0]), (*b.operands, picks[1])

    def of(self, first: int, last: int) -> Iterator[tuple[int, int, int, int]]:
        """Yield parts of the pairs: the first, the end, and of A and of B where feature zero would be."""
        a, b = self._shapes
        most = min(last - first, _TOGETHER)
        features, opposite = np.empty((2, most, WIDTH)), np.empty((most, 3))
        for start in range(first, last, _TOGETHER):
            end = min(start + _TOGETHER, last)
            np.negative(self._normals[start:end], out=opposite[: end - start])
            of_a, of_b = (address(side) - 8 * WIDTH * start for side in features)
            self._find(a, start, end, (*self._of_a, *self._of_b), address(self._normals), of_a)
            self._find(b, start, end, (*self._of_b, *self._of_a), address(opposite) - 24 * start, of_b)
            yield start, end, of_a, of_b

    def _find(self, shape: Shape, start: int, end: int, operands: tuple[Any, ...], ways: int, out: int) -> None:
        """Find those of a shape, given the addresses of its first direction and of where its first feature goes."""
        more = ADDRESSES[4](ways, *map(address, self._known)), INTEGERS[1](3), ADDRESSES[1](out)
        _FEATURES[shape.core_type].run(start, end, bool(self._index), *operands, *more, self._sine)


@kernel
def _is_near(signed: float, size: float, margin: float) -> bool:
    """Tell whether a pair is no farther apart than it may be, to rounding, and its distance is one."""
    return -math.inf < signed <= margin + TOUCH * size


def _feature_loop(row: CoreRow) -> Callable[..., None]:
    """Return the loop over pairs that finds the foremost features of A."""
    read, feature = row.read, row.feature

    @kernel
    def foremost(pair: Pair, sine: float) -> None:
        k, ways, margin = pair.number, pair.vectors[0], pair.vectors[3]
        if not _is_near(pair.vectors[1][k], pair.vectors[2][k], margin[0]):
            return
        core, radius = read(pair.a.table, pair.a.strides, pair.a.row)
        direction = load(ways, k * pair.step[0])
        store_feature(pair.out[0], WIDTH * k, feature(core, radius, direction, sine))

    return over_pairs_with(foremost)


_FEATURES = for_all_cores(lambda row: Loop(f"feature_{row.name}", _feature_loop(row), (*PAIRS, FLOAT)))


def _patch_loop(
    start: int,
    end: int,
    record: Table,
    features_a: Floats,
    features_b: Floats,
    counts: Ints,
    out: Table,
    margin: float,
    sine: float,
) -> None:
    """Store the contact patches of pairs, from their records and features."""
    signed, size, witness_a, witness_b, normal = record[0], record[1], record[2], record[3], record[4]
    for k in range(start, end):
        near = PatchContact(load(normal, 3 * k), margin + TOUCH * size[k], sine, SAME * size[k])
        points, count = Points(out[0], out[1], out[2], MAX_POINTS * k), 0
        if _is_near(signed[k], size[k], margin):
            a, b = load_feature(features_a, WIDTH * k), load_feature(features_b, WIDTH * k)
            count = patch(a, b, near, points)
        on_a, on_b = load(witness_a, 3 * k), load(witness_b, 3 * k)
        counts[k] = count = with_deepest(count, signed[k], on_a, on_b, near, points)
        for j in range(MAX_POINTS * k + count, MAX_POINTS * (k + 1)):
            points.signed[j] = math.nan
            store(points.on_a, 3 * j, NOTHING)
            store(points.on_b, 3 * j, NOTHING)


_PATCH = Loop("patch", _patch_loop, (INT, INT, TABLE, FLOATS, FLOATS, INTS, TABLE, FLOAT, FLOAT))
