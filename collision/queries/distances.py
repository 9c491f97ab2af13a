"""Questions about two shapes of any kinds, in any order; `help(collision)` says what holds for all of them.

Two shapes touch if their signed distance is at most 1.8e-15 (eight spacings of the doubles above 1) times the largest
number that they are given by: a coordinate or a radius. A box at an angle counts with its center and its half extents,
one after the other; a ray, a line and a half-space with the coordinates of their point. Where shapes are nearest does
not count, however far away that is. So lines and rays that are meant to meet much farther out than the points they are
given by may miss each other, since directions are rounded; give them points that are near.

Lines and rays whose directions differ by no more than 2.2e-16 (what is rounded when they are made of unit length) count
as parallel. All others are taken as exactly as they are stored: their signed distance is right to 1e-15 times the same
largest number, also where they are nearest at coordinates of 1e15.
"""

from __future__ import annotations

from typing import Any, NamedTuple, cast

import numpy as np

from collision.base.fields import BoolArray, FloatArray, check_broadcast, check_out, read_margin
from collision.kernels.cores import TOUCH
from collision.kernels.extents import Convex
from collision.queries.fast_call import DISTANCE, DISTANCE_TOUCHING, PairDistance
from collision.queries.separation import separate, separation_distance, touches
from collision.shapes.kinds import Point, Shape, check_shapes

# NumPy's numbers: a product with one is one, and is made in less time than the type takes to make it.
_ONE: FloatArray = cast(Any, np.float64(1.0))
_TRUTH: tuple[BoolArray, BoolArray] = cast(Any, (np.False_, np.True_))


class ClosestPoints(NamedTuple):
    """Where two shapes are nearest, or overlap the least deeply.

    Attributes
    ----------
    signed_distance : ndarray, shape (...)
        As from `signed_distance`.
    on_a, on_b : ndarray, shape (..., 3)
        Witness points on the two surfaces; ``on_b == on_a + signed_distance * normal``.
    normal : ndarray, shape (..., 3)
        Unit, from A to B.
    """

    signed_distance: FloatArray
    on_a: FloatArray
    on_b: FloatArray
    normal: FloatArray


class Contact(NamedTuple):
    """Whether and how two shapes touch.

    Attributes
    ----------
    touching : ndarray of bool, shape (...)
        Whether the signed distance is at most the margin, to rounding as in `intersects`.
    signed_distance, on_a, on_b, normal : ndarray
        As those of `ClosestPoints`.
    point : ndarray, shape (..., 3)
        The middle between the witness points.
    depth : ndarray, shape (...)
        How far one must move along the normal to part; zero for shapes that are apart.
    """

    touching: BoolArray
    signed_distance: FloatArray
    point: FloatArray
    normal: FloatArray
    depth: FloatArray
    on_a: FloatArray
    on_b: FloatArray


def signed_distance(a: Shape, b: Shape, /, *, out: FloatArray | None = None) -> FloatArray:
    """Return the distance of two shapes (...), in scene units: negative where they overlap.

    Where they overlap it is minus the penetration depth: the length of the shortest translation that parts them.

    Notes
    -----
    Distances of cores follow Ericson, *Real-Time Collision Detection*, chapter 5; depths are found over the normals of
    the Minkowski difference.

    Examples
    --------
    >>> from collision import Sphere, signed_distance
    >>> signed_distance(Sphere([[0, 0, 0], [1, 0, 0]], 1), Sphere([2, 0, 0], 1))
    array([ 0., -1.])
    """
    if out is not None:
        return _distances(a, b, "signed_distance", out)
    try:
        return _ONE * DISTANCE.call(a.packed, b.packed)
    except (AttributeError, TypeError):  # not two single shapes, or the first two of their kinds
        lead = joint_axes(a, b, "signed_distance")
        return separation_distance(a, b, lead) if lead else _ONE * _first(DISTANCE, a, b)


def _first(distance: PairDistance, a: Shape, b: Shape) -> float:
    """Return how far two single shapes are apart, who may be the first two of their kinds."""
    return distance.first(cast(bytes, a.packed), cast(bytes, b.packed))


def _distances(a: Shape, b: Shape, query: str, out: FloatArray | None) -> FloatArray:
    """Return the signed distance of two shapes, in an array of the user's where there is one."""
    lead = joint_axes(a, b, query)
    if out is not None:
        check_out(out, lead, np.float64, f"{query}: out")
    return separation_distance(a, b, lead, out=out)


def distance(a: Shape, b: Shape, /, *, out: FloatArray | None = None) -> FloatArray:
    """Return the distance of two shapes (...), in scene units: zero where they overlap.

    Examples
    --------
    >>> from collision import Sphere, distance
    >>> float(distance(Sphere([0, 0, 0], 1), Sphere([1, 0, 0], 1)))
    0.0
    """
    return np.maximum(_distances(a, b, "distance", out), 0.0, out=out)


def intersects(a: Shape, b: Shape, /, *, out: BoolArray | None = None) -> BoolArray:
    """Tell whether two shapes have a point in common (...); touching counts, to rounding.

    Examples
    --------
    >>> from collision import Sphere, intersects
    >>> bool(intersects(Sphere([0.1, 0, 0], 0.1), Sphere([0.4, 0, 0], 0.2)))  # touching, to rounding
    True
    """
    if out is not None:
        lead = joint_axes(a, b, "intersects")
        check_out(out, lead, np.bool_, "intersects: out")
        return np.less_equal(separation_distance(a, b, lead, tolerance=TOUCH), 0.0, out=out)
    try:
        return _TRUTH[DISTANCE_TOUCHING.call(a.packed, b.packed) <= 0.0]
    except (AttributeError, TypeError):  # not two single shapes, or the first two of their kinds
        lead = joint_axes(a, b, "intersects")
        return touches(a, b, lead) if lead else _TRUTH[_first(DISTANCE_TOUCHING, a, b) <= 0.0]


def closest_points(a: Shape, b: Shape, /, *, out: ClosestPoints | None = None) -> ClosestPoints:
    """Return the witness points of two shapes as `ClosestPoints`, for separated and for overlapping shapes alike.

    Where they are not unique (concentric spheres, crossing segments, parallel faces) one pair is chosen, always the
    same for the same input. Both points are on the surfaces, and a move along the normal parts the two, or has them
    touch, after as much as the signed distance says. `out` is a `ClosestPoints`, too.

    Examples
    --------
    >>> from collision import Segment, Sphere, closest_points
    >>> closest_points(Segment([-1, 0, 0], [1, 0, 0]), Sphere([0, 0, 3], 1)).on_b
    array([0., 0., 2.])
    """
    if out is not None:
        lead = joint_axes(a, b, "closest_points")
        if not isinstance(out, ClosestPoints):
            raise TypeError(f"closest_points: out must be a ClosestPoints, got {type(out).__name__}")
        for name, array in zip(out._fields, out, strict=True):
            axes = lead if name == "signed_distance" else (*lead, 3)
            check_out(array, axes, np.float64, f"closest_points: out.{name}")
        separate(a, b, lead, out=out, sizes=False)
        return out
    distance, _, on_a, on_b, normal = separate(a, b, joint_axes(a, b, "closest_points"), sizes=False)
    return ClosestPoints(distance, on_a, on_b, normal)


def contact(a: Shape, b: Shape, /, *, margin: float = 0.0) -> Contact:
    """Return whether two shapes touch, where, how deeply and in which direction, as a `Contact` that is always filled.

    Parameters
    ----------
    margin : float
        Shapes up to this far apart count as touching: zero or more, finite.

    Examples
    --------
    >>> from collision import Sphere, contact
    >>> hit = contact(Sphere([0, 0, 0], 1), Sphere([1.5, 0, 0], 1))
    >>> bool(hit.touching), float(hit.depth), hit.point
    (True, 0.5, array([0.75, 0.  , 0.  ]))
    """
    distance, size, on_a, on_b, normal = separate(a, b, joint_axes(a, b, "contact"))
    allowed = read_margin(margin, "contact")
    touching: BoolArray = distance <= allowed + TOUCH * size
    return Contact(touching, distance, 0.5 * on_a + 0.5 * on_b, normal, np.maximum(-distance, 0.0), on_a, on_b)


def contains(a: Shape, b: Shape, /) -> BoolArray:
    """Tell whether b lies entirely inside a (...), the boundary included, to rounding as in `intersects`.

    A convex shape holds another if it holds the point of its core that sticks out the most, with the radius around it.

    Examples
    --------
    >>> from collision import AABB, Sphere, contains
    >>> bool(contains(AABB([0, 0, 0], [4, 4, 4]), Sphere([1, 1, 1], 1)))
    True
    """
    lead = joint_axes(a, b, "contains")
    if not b.bounded:
        return contains_unbounded(a, b, lead)
    points, radius = b.core.extremes(distances_to(a)), b.core.radius
    inside = np.ones(lead, dtype=bool)
    for position in points if lead else [points]:  # those of a single shape all at once
        point = Point._trusted(position=position)
        record = separate(a, point, np.broadcast_shapes(a.batch_shape, point.batch_shape))
        with np.errstate(over="ignore"):  # infinite is outside
            held = record.signed_distance + radius <= TOUCH * np.maximum(record.size, radius)
        inside &= held if lead else held.all()
    return np.asarray(inside)[()]


def contains_unbounded(a: Shape, b: Shape, lead: tuple[int, ...]) -> BoolArray:
    """Tell whether a holds a shape without bounds: only a line along the same carrier can, or a half-space."""
    outer, inner = a.core.cone(), b.core.cone()
    if outer is None or inner is None or (not outer.solid and (inner.solid or inner.both_ways > outer.both_ways)):
        return np.zeros(lead, dtype=bool)[()]
    carrier, direction = outer.axis, inner.axis
    origin = b.core.middle()
    point = Point(origin)
    record = separate(a, point, np.broadcast_shapes(a.batch_shape, point.batch_shape))
    if inner.solid:
        along = np.abs(carrier - direction).max(axis=-1) <= TOUCH
    elif outer.solid:
        rise = np.sum(carrier * direction, axis=-1)
        along = (np.abs(rise) if inner.both_ways else rise) <= TOUCH
    else:
        along = np.linalg.norm(np.cross(carrier, direction), axis=-1) <= TOUCH
        if not outer.both_ways:
            along &= np.sum(carrier * direction, axis=-1) > 0.0
    inside = (record.signed_distance <= TOUCH * record.size) & along
    return np.broadcast_to(np.asarray(inside), lead).copy()[()]


def distances_to(a: Shape) -> Convex:
    """Return the function of points (k, ..., 3) that is their signed distance to a shape: convex, as shapes are."""
    return lambda points: np.stack([signed_distance(a, Point._trusted(position=point)) for point in points])


def joint_axes(a: Shape, b: Shape, query: str) -> tuple[int, ...]:
    """Return the joint batch axes of what a query was given, which must be two shapes."""
    check_shapes(query, a, b)
    return check_broadcast(query, a=a.batch_shape, b=b.batch_shape)
