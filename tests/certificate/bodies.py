"""Every kind of shape as the certificate sees it: what is certified needs only the methods of `Body`.

Vectors are arrays (3, n) of long doubles, one column for each shape of a batch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from collision.base.fields import FloatArray
from collision.shapes.kinds import (
    AABB,
    Capsule,
    ConvexHull,
    Cylinder,
    HalfSpace,
    Line,
    OrientedBox,
    Point,
    Ray,
    Segment,
    Shape,
    Sphere,
)

Wide: TypeAlias = npt.NDArray[np.longdouble]


def wide(vectors: FloatArray) -> Wide:
    """Return vectors (n, 3) as long doubles (3, n)."""
    return np.ascontiguousarray(np.asarray(vectors, dtype=np.longdouble).T)


def dot(a: Wide, b: Wide) -> Wide:
    return np.asarray(a[0] * b[0] + a[1] * b[1] + a[2] * b[2])


def cross(a: Wide, b: Wide) -> Wide:
    return np.stack([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def norm(a: Wide) -> Wide:
    return np.sqrt(dot(a, a))


def _over(a: Wide, b: Wide) -> Wide:
    """Return a / b, and zero where b is zero."""
    return np.divide(a, b, out=np.zeros_like(a), where=b != 0)


def unit(a: Wide) -> Wide:
    """Return vectors of length one; zero ones stay."""
    scaled = _over(a, np.broadcast_to(np.abs(a).max(axis=0), a.shape))  # no square is lost
    return _over(scaled, np.broadcast_to(norm(scaled), a.shape))


def perpendicular(a: Wide) -> Wide:
    """Return vectors at a right angle to others."""
    return cross(a, np.eye(3, dtype=np.longdouble)[np.argmin(np.abs(a), axis=0)].T)


@dataclass(frozen=True)
class Axis:
    """A vector that is taken low to high times; either may be infinite."""

    vector: Wide
    low: Wide
    high: Wide

    def reach(self, slope: Wide, end: Wide) -> Wide:
        """Return the largest product of the slope with a count; where there is no end, the one given serves."""
        low = np.where(np.isinf(self.low), -end, self.low)
        high = np.where(np.isinf(self.high), end, self.high)
        return np.maximum(slope * low, slope * high)


@dataclass(frozen=True)
class Body:
    """A batch of shapes of one kind: a base, no axis or one or three, which are at right angles, and a radius.

    A kind that is no such thing can have a class of its own with the same methods.
    """

    base: Wide
    axes: tuple[Axis, ...]
    radius: Wide

    def extent(self) -> Wide:
        """Return the largest absolute coordinate or radius; of an axis without an end only its base counts."""
        low = high = self.base
        for axis in self.axes:
            ends = [np.where(np.isfinite(end), end, 0) * axis.vector for end in (axis.low, axis.high)]
            low, high = low + np.minimum(*ends), high + np.maximum(*ends)
        return np.asarray(np.maximum(np.maximum(np.abs(low), np.abs(high)).max(axis=0), self.radius))

    def support(self, normal: Wide, end: Wide) -> Wide:
        """Return the largest product of a normal with a point; axes without an end are cut at the one given."""
        rise = dot(self.base, normal) + self.radius * norm(normal)
        for axis in self.axes:
            rise = rise + axis.reach(dot(axis.vector, normal), end)
        return rise

    def off_surface(self, points: Wide) -> Wide:
        """Return how far points are from the surface; for a shape without thickness, from the shape."""
        return np.asarray(np.abs(self.distance(points)))

    def distance(self, points: Wide) -> Wide:
        """Return the distance of points from the shape; less than zero for the depth inside."""
        return self._from_core(points - self.base) - self.radius

    def off_core(self, points: Wide, outward: Wide) -> Wide:
        """Return how far points are from the core after a step inwards of the radius."""
        return np.maximum(self._from_core(points - self.radius * outward - self.base), 0)

    def _from_core(self, way: Wide) -> Wide:
        """Return the distance of points from the core, given from the base; less than zero for the depth inside."""
        if len(self.axes) < 3:
            for axis in self.axes:
                count = _over(dot(way, axis.vector), dot(axis.vector, axis.vector))
                way = way - np.clip(count, axis.low, axis.high) * axis.vector
            return norm(way)
        vectors = [axis.vector for axis in self.axes]
        volume = dot(cross(vectors[0], vectors[1]), vectors[2])
        outside, depth = np.zeros_like(way), np.full_like(volume, np.inf)
        for i, axis in enumerate(self.axes):  # the products of two axes lead back to counts, exactly
            count = dot(cross(vectors[(i + 1) % 3], vectors[(i + 2) % 3]), way) / volume
            outside = outside + (count - np.clip(count, axis.low, axis.high)) * axis.vector
            depth = np.minimum(depth, np.minimum(count - axis.low, axis.high - count))
        away = norm(outside)
        return np.where(away > 0, away, -depth)

    def edges(self) -> list[Wide]:
        """Return the directions of the core's edges: facets of differences are at right angles to two of them."""
        return [axis.vector for axis in self.axes]


@dataclass(frozen=True)
class RoundBody(Body):
    """A batch of cylinders: the axis as the only axis, -1 to 1 times, and how far around it they reach."""

    around: Wide

    @property
    def _way(self) -> Wide:
        return unit(self.axes[0].vector)

    def extent(self) -> Wide:
        return np.asarray(super().extent() + self.around)

    def support(self, normal: Wide, end: Wide) -> Wide:
        return np.asarray(super().support(normal, end) + self.around * norm(cross(self._way, normal)))

    def _from_core(self, way: Wide) -> Wide:
        along = dot(way, self._way)
        aside = way - along * self._way
        aside = aside - dot(aside, self._way) * self._way
        beyond, beside = np.abs(along) - norm(self.axes[0].vector), norm(aside) - self.around
        outside = np.hypot(np.maximum(beyond, 0), np.maximum(beside, 0))
        return np.where(outside > 0, outside, np.maximum(beyond, beside))


def cylinders(start: FloatArray, end: FloatArray, radius: FloatArray) -> RoundBody:
    """Return cylinders by their ends and radii."""
    low, high = wide(start), wide(end)
    axis = _axis((high - low) / 2, -1.0, 1.0)
    none = np.zeros(low.shape[1:], dtype=np.longdouble)
    return RoundBody((low + high) / 2, (axis,), none, np.asarray(radius, dtype=np.longdouble))


@dataclass(frozen=True)
class Corners(Body):
    """A batch of hulls of points (3, k, n), which need not be corners, grown by radii; the base is the first of them.

    It is between triangles of its points, and behind planes along the normals of such: all of them are tried, so that
    it takes no finding of faces.
    """

    points: Wide

    def extent(self) -> Wide:
        return np.asarray(np.maximum(np.abs(self.points).max(axis=(0, 1)), self.radius))

    def support(self, normal: Wide, end: Wide) -> Wide:
        return np.asarray(dot(self.points, normal[:, None]).max(axis=0) + self.radius * norm(normal))

    def _from_core(self, way: Wide) -> Wide:
        own = self.points - self.base[:, None]
        nearest, depth = np.full(way.shape[1:], np.inf), np.full(way.shape[1:], np.inf)
        for i, j, k in combinations(range(own.shape[1]), 3):
            nearest = np.minimum(nearest, norm(_from_triangle(way, own[:, i], own[:, j], own[:, k])))
            normal = _facing(own[:, j] - own[:, i], own[:, k] - own[:, i])
            heights, height = dot(own, normal[:, None]), dot(way, normal)
            inside = np.minimum(heights.max(axis=0) - height, height - heights.min(axis=0))
            depth = np.where(dot(normal, normal) > 0.5, np.minimum(depth, inside), depth)
        return np.where((depth > 0) & (depth < np.inf), -depth, nearest)

    def edges(self) -> list[Wide]:
        return [self.points[:, j] - self.points[:, i] for i, j in combinations(range(self.points.shape[1]), 2)]


def _facing(v: Wide, w: Wide) -> Wide:
    """Return unit vectors at right angles to two others, or zero."""
    v, w = unit(v), unit(w)
    normal = unit(cross(v, w))
    normal = normal - dot(normal, v) * v  # between vectors all but parallel the product is mostly rounding
    return unit(normal - dot(normal, w) * w)


def _from_triangle(way: Wide, a: Wide, b: Wide, c: Wide) -> Wide:
    """Return vectors from the nearest points of triangles, or of their sides."""
    best = way - a
    for start, end in ((a, b), (b, c), (c, a)):
        side, here = end - start, way - start
        off = here - np.clip(_over(dot(here, side), dot(side, side)), 0, 1) * side
        best = np.where(norm(off) < norm(best), off, best)
    normal = _facing(b - a, c - a)
    above = [dot(normal, cross(end - start, way - start)) for start, end in ((a, b), (b, c), (c, a))]
    within = (np.min(above, axis=0) >= 0) | (np.max(above, axis=0) <= 0)
    return np.where(within & (dot(normal, normal) > 0.5), dot(way - a, normal) * normal, best)


def facing(a: Body, b: Body) -> Iterator[Wide]:
    """Yield all directions (unit, or zero) in which the depth of two cores could be least, but for their signs."""
    edges = [*a.edges(), *b.edges()]
    for u, v in combinations(map(unit, edges), 2):
        normal = unit(cross(u, v))
        normal = normal - dot(normal, u) * u  # between edges all but parallel the product is mostly rounding
        yield unit(normal - dot(normal, v) * v)
    yield from map(unit, map(perpendicular, edges))


def _body(base: FloatArray, *axes: Axis, radius: Any = 0.0) -> Body:
    place = wide(base)
    return Body(place, axes, np.broadcast_to(np.asarray(radius, dtype=np.longdouble), place.shape[1:]))


def _axis(vector: Wide, low: Any, high: Any) -> Axis:
    low, high = (np.broadcast_to(np.asarray(end, dtype=np.longdouble), vector.shape[1:]) for end in (low, high))
    return Axis(vector, low, high)


def _between(start: FloatArray, end: FloatArray) -> Axis:
    return _axis(wide(end) - wide(start), 0.0, 1.0)


def _aligned(shape: AABB) -> Body:
    eye = np.broadcast_to(np.eye(3)[:, :, None], (3, 3, len(shape.lower)))
    axes = (_axis(wide(eye[i].T), shape.lower[:, i], shape.upper[:, i]) for i in range(3))
    return _body(np.zeros_like(shape.lower), *axes)


def _oriented(shape: OrientedBox) -> Body:
    columns = (shape.axes[:, :, i] for i in range(3))
    half = shape.half_extents
    return _body(shape.center, *(_axis(wide(c), -half[:, i], half[:, i]) for i, c in enumerate(columns)))


def _corners(shape: ConvexHull) -> Corners:
    points = np.moveaxis(np.asarray(shape.points, dtype=np.longdouble), -1, 0).swapaxes(1, 2).copy()
    radius = np.broadcast_to(np.asarray(shape.radius, dtype=np.longdouble), points.shape[2:])
    return Corners(points[:, 0], (), radius, points)


def _half_space(shape: HalfSpace) -> Body:
    normal = wide(shape.normal)
    aside = unit(perpendicular(normal))
    axes = (
        _axis(aside, -np.inf, np.inf),
        _axis(unit(cross(normal, aside)), -np.inf, np.inf),
        _axis(normal, -np.inf, 0.0),
    )
    return _body(shape.point, *axes)


#: One row for every kind: how a batch of it, with one batch axis, is read.
ROWS: dict[type[Shape], Callable[[Any], Body]] = {
    Point: lambda s: _body(s.position),
    Segment: lambda s: _body(s.start, _between(s.start, s.end)),
    Ray: lambda s: _body(s.origin, _axis(wide(s.direction), 0.0, np.inf)),
    Line: lambda s: _body(s.point, _axis(wide(s.direction), -np.inf, np.inf)),
    Sphere: lambda s: _body(s.center, radius=s.radius),
    Capsule: lambda s: _body(s.start, _between(s.start, s.end), radius=s.radius),
    Cylinder: lambda s: cylinders(s.start, s.end, s.radius),
    AABB: _aligned,
    OrientedBox: _oriented,
    HalfSpace: _half_space,
    ConvexHull: _corners,
}


def body(shape: Shape) -> Body:
    """Return what is certified of a batch with one batch axis."""
    return ROWS[type(shape)](shape)
