"""The patch over which two shapes touch: what the foremost features of both have in common, seen along the normal."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from collision.base.fields import FloatArray, IntArray, read_margin, read_number
from collision.kernels.core import CORES, CoreMemory, core_at, feature
from collision.kernels.cores import TOUCH
from collision.kernels.patches import MAX_POINTS, SAME, PatchContact, Points, patch, with_deepest
from collision.kernels.vec3 import Vec3, load, scale, store
from collision.native import FLOAT, INT, INTS, TABLE, Floats, Ints, Loop, Table, address, in_parts, table
from collision.queries.distances import joint_axes
from collision.queries.separation import separate
from collision.shapes.kinds import Shape
from collision.shapes.rows import core_rows, spread

#: What stands beyond the points of a patch.
NOTHING = Vec3(math.nan, math.nan, math.nan)


class Manifold(NamedTuple):
    """The contact patch of two shapes: up to eight points of each, one opposite the other.

    Attributes
    ----------
    count : ndarray of int, shape (...)
        How many points there are; all further ones are NaN.
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
    Faces of hulls may have more corners in common: then there are those that are farthest in eight directions. A hull
    with a radius lies on what is flat of it. A flat end of a cylinder counts as the square in it, and its side as the
    edge that is foremost.

    Parameters
    ----------
    margin : float
        Points up to this far apart are returned; of shapes that are farther apart there is none.
    angle : float
        In radians, from zero to less than a right angle. Edges and faces that are tilted against the plane of contact
        by no more than this count as lying on it, and two edges as side by side. With 0 they have to be level to
        rounding. With 1 boxes meet by faces however they are turned, as in most physics engines.

    Notes
    -----
    The normal is that of `closest_points`, and the least signed distance is that of the pair: where no corner of the
    patch is as deep (two capsules that cross at a small angle), the witness points of the pair come last. The sides of
    each face are cut to the other face (M. Cyrus and J. Beck, *Generalized two- and three-dimensional clipping*, 1978).

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
    rows, known = core_rows([a, b]), [np.asarray(values) for values in record]
    index = spread(a.batch_shape, lead), spread(b.batch_shape, lead) + math.prod(a.batch_shape)
    where = *rows.addresses, *map(address, index), table(known), address(count), table([signed, on_a, on_b])
    in_parts(lambda first, last: _PATCHES.run(first, last, *where, margin, sine), count.size)
    return Manifold(count[()], on_a, on_b, signed, record.normal)


def _patches(
    first: int, last: int, types: Ints, rows: Floats, radii: Floats, corners: Floats, index_a: Ints, index_b: Ints,
    record: Table, counts: Ints, out: Table, margin: float, sine: float,
) -> None:  # fmt: skip
    """Store the contact patches of pairs of cores with radii, from what their separation is."""
    cores = CoreMemory(types, rows, radii, corners)
    signed, size, witness_a, witness_b, normal = record[0], record[1], record[2], record[3], record[4]
    for k in range(first, last):
        near = PatchContact(load(normal, 3 * k), margin + TOUCH * size[k], sine, SAME * size[k])
        points, count = Points(out[0], out[1], out[2], MAX_POINTS * k), 0
        if -math.inf < signed[k] <= near.max_distance:
            i, j = index_a[k], index_b[k]
            a = feature(core_at(cores, i), radii[i], near.normal, sine)
            b = feature(core_at(cores, j), radii[j], scale(near.normal, -1.0), sine)
            count = patch(a, b, corners, near, points)
        on_a, on_b = load(witness_a, 3 * k), load(witness_b, 3 * k)
        counts[k] = count = with_deepest(count, signed[k], on_a, on_b, near, points)
        for j in range(MAX_POINTS * k + count, MAX_POINTS * (k + 1)):
            points.signed[j] = math.nan
            store(points.on_a, 3 * j, NOTHING)
            store(points.on_b, 3 * j, NOTHING)


_PATCHES = Loop("patches", _patches, (INT, INT, *CORES, INTS, INTS, TABLE, INTS, TABLE, FLOAT, FLOAT))
