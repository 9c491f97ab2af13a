"""The nearest points of two convex cores that are known by their supports alone, with bounds on the distance.

A *support* of a core is a kernel ``(core, direction) -> Vec3``: the point of the core that is farthest in a direction
of any length, given from the core's middle. `support_search` makes a kernel of two of them, when loops are compiled::

    search = support_search(cylinder_support, hull_support)  # once, at the top of a module
    found = search(cylinder, hull, way)  # in a kernel; `way` leads from the middle of the first to that of the second

It is the method of Gilbert, Johnson and Keerthi, *A fast procedure for computing the distance between complex objects
in three-dimensional space* (1988), which walks over triangles of points of the difference of the cores, ever nearer to
the origin. The answer is bounded from both sides, whatever rounding did on the way:

- `upper` is the distance of two points of the cores, `on_a` and `on_b`;
- `lower` is the gap between the cores along `normal`, as their supports there say: above zero, it proves them apart.

Where `apart` is false the cores touch or overlap, or rounding hides that they do not: the search knows no depth. The
kernel that calls it finds the least depth over the faces and edges of the cores, and may trust an overlap only where
that is above zero.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from collision.kernels.vec3 import EPS, Vec3, add, along, cross, dot, largest, norm, opposite, over, scale, sub
from collision.native import kernel

#: The most steps. Cores with corners take a few; the last digits of curved ones take some dozens.
MOST_STEPS = 128

#: A tetrahedron that is lower than this part of its size is flat, and holds no origin.
_FLAT = 1e-12


class DifferenceCorner(NamedTuple):
    """A point of the difference of two cores: the way from a point of A to one of B, both from their middles."""

    way: Vec3
    a: Vec3
    b: Vec3


class Simplex(NamedTuple):
    """A point, a segment or a triangle (corners 1, 2, 3) of the difference, with the weights of its nearest point."""

    corners: int
    p: DifferenceCorner
    q: DifferenceCorner
    r: DifferenceCorner
    weight_p: float
    weight_q: float
    weight_r: float


class Nearness(NamedTuple):
    """What a search found: bounds of the distance, and the simplex that the nearest points are in.

    The points are from the middles of their cores; the unit normal is from A to B.
    """

    apart: bool
    lower: float
    upper: float
    on_a: Vec3
    on_b: Vec3
    normal: Vec3
    simplex: Simplex


@kernel
def weighted(simplex: Simplex, p: Vec3, q: Vec3, r: Vec3) -> Vec3:
    """Return the mean of three points by the weights of a simplex."""
    if simplex.corners == 1:
        return p
    mean = along(scale(p, simplex.weight_p), simplex.weight_q, q)
    return along(mean, simplex.weight_r, r) if simplex.corners == 3 else mean


@kernel
def _single(p: DifferenceCorner) -> Simplex:
    return Simplex(1, p, p, p, 1.0, 0.0, 0.0)


@kernel
def _between(p: DifferenceCorner, q: DifferenceCorner, t: float) -> Simplex:
    """Return the simplex at a part of the way from one corner to another, without a corner of no weight."""
    if not t > 0.0:
        return _single(p)
    return Simplex(2, p, q, q, 1.0 - t, t, 0.0) if t < 1.0 else _single(q)


@kernel
def _of_two(p: DifferenceCorner, q: DifferenceCorner) -> Simplex:
    """Return the part of a segment that is nearest to the origin."""
    edge = sub(q.way, p.way)
    squared = dot(edge, edge)
    return _between(p, q, -dot(edge, p.way) / squared) if squared > 0.0 else _single(p)


@kernel
def _of_three(p: DifferenceCorner, q: DifferenceCorner, r: DifferenceCorner) -> Simplex:
    """Return the part of a triangle that is nearest to the origin (Ericson, *Real-Time Collision Detection*, 5.1.5).

    The weights of corners are areas, found through the normal of the triangle: the textbook's differences cancel.
    """
    a, b, c = p.way, q.way, r.way
    ab, ac = sub(b, a), sub(c, a)
    from_a, from_b, from_c = -dot(ab, a), -dot(ab, b), -dot(ab, c)
    other_a, other_b, other_c = -dot(ac, a), -dot(ac, b), -dot(ac, c)
    if from_a <= 0.0 and other_a <= 0.0:
        return _single(p)
    if from_b >= 0.0 and other_b <= from_b:
        return _single(q)
    if other_c >= 0.0 and from_c <= other_c:
        return _single(r)
    normal = cross(ab, ac)
    at_c = dot(normal, cross(a, b))
    if at_c <= 0.0 and from_a >= 0.0 and from_b <= 0.0:
        return _between(p, q, from_a / (from_a - from_b))
    at_b = dot(normal, cross(c, a))
    if at_b <= 0.0 and other_a >= 0.0 and other_c <= 0.0:
        return _between(p, r, other_a / (other_a - other_c))
    at_a = dot(normal, cross(b, c))
    to_c, to_b = other_b - from_b, from_c - other_c
    if at_a <= 0.0 and to_c >= 0.0 and to_b >= 0.0:
        return _between(q, r, to_c / (to_c + to_b))
    total = at_a + at_b + at_c
    if not total > 0.0:  # all three are on a line, and an edge is nearest
        return _nearer(_nearer(_of_two(p, q), _of_two(q, r)), _of_two(p, r))
    return Simplex(3, p, q, r, at_a / total, at_b / total, at_c / total)


@kernel
def _squared(simplex: Simplex) -> float:
    """Return the squared distance of the nearest point of a simplex from the origin."""
    v = weighted(simplex, simplex.p.way, simplex.q.way, simplex.r.way)
    return dot(v, v)


@kernel
def _nearer(one: Simplex, other: Simplex) -> Simplex:
    return other if _squared(other) < _squared(one) else one


@kernel
def _of_four(triangle: Simplex, top: DifferenceCorner, size: float) -> tuple[Simplex, bool]:
    """Return the part of a tetrahedron nearest to the origin, on a face at the top; tell if the origin is inside.

    A face counts unless the origin is clearly on its inner side of a tetrahedron that is not flat.
    """
    p, q, r, best, inside = triangle.p, triangle.q, triangle.r, triangle, True
    for _ in range(3):
        normal = cross(sub(p.way, top.way), sub(q.way, top.way))
        height, origin = dot(normal, sub(r.way, top.way)), -dot(normal, top.way)
        if height * origin <= 0.0 or abs(height) <= _FLAT * norm(normal) * size:
            face = _of_three(p, q, top)
            best = face if inside else _nearer(best, face)
            inside = False
        p, q, r = q, r, p
    return best, inside


@kernel
def _with(simplex: Simplex, top: DifferenceCorner, size: float) -> tuple[Simplex, bool]:
    """Return the part nearest to the origin once a simplex has one more corner; tell if the origin is inside."""
    if simplex.corners == 1:
        return _of_two(simplex.p, top), False
    if simplex.corners == 2:
        return _of_three(simplex.p, simplex.q, top), False
    return _of_four(simplex, top, size)


@kernel
def to_nearest(simplex: Simplex, v: Vec3) -> Vec3:
    """Return the way from the origin to its nearest point v of a simplex, at a right angle to that.

    Near the origin v is what is left of a sum of much longer vectors; the edges of the simplex are not.
    """
    if simplex.corners == 1:
        return v
    edge = sub(simplex.q.way, simplex.p.way)
    if simplex.corners == 2:
        return along(v, -dot(edge, v) / dot(edge, edge), edge)
    normal = cross(edge, sub(simplex.r.way, simplex.p.way))
    return scale(normal, math.copysign(1.0, dot(normal, v)))


def support_search(
    support_a: Callable[[Any, Vec3], Vec3], support_b: Callable[[Any, Vec3], Vec3], stop: float = 4.0 * EPS
) -> Callable[[Any, Any, Vec3], Nearness]:
    """Return the kernel that searches the nearest points of two cores.

    Parameters
    ----------
    support_a, support_b : kernel
        (core, direction) -> Vec3: the farthest point in a direction, from the middle of the core.
    stop : float, optional
        By how much of it the distance may be uncertain. The search ends sooner only where rounding ends it.

    Returns
    -------
    kernel
        (a, b, way) -> Nearness, with the way from the middle of A to that of B.
    """

    @kernel
    def foremost(a: Any, b: Any, way: Vec3, direction: Vec3, unit: float) -> DifferenceCorner:
        on_a, on_b = support_a(a, direction), support_b(b, opposite(direction))
        return DifferenceCorner(scale(add(way, sub(on_b, on_a)), unit), on_a, on_b)

    @kernel
    def search(a: Any, b: Any, way: Vec3) -> Nearness:
        start = way if largest(way) > 0.0 else Vec3(1.0, 0.0, 0.0)
        first = foremost(a, b, way, start, 1.0)
        size = max(largest(way), largest(first.way), largest(first.a), largest(first.b))
        unit = 1.0 if 1e-30 < size < 1e30 or size == 0.0 else 1.0 / size  # products of four lengths must be numbers
        first = DifferenceCorner(scale(first.way, unit), first.a, first.b)
        size, simplex, v = size * unit, _single(first), first.way
        apart, lower, widest = True, -math.inf, Vec3(0.0, 0.0, 1.0)
        for _ in range(MOST_STEPS):
            length = norm(v)
            if length <= EPS * size:
                apart = False
                break
            toward = to_nearest(simplex, v)
            toward = over(toward, norm(toward)) if norm(toward) > 0.0 else over(v, length)
            top = foremost(a, b, way, toward, unit)
            size, gap = max(size, largest(top.way)), dot(toward, top.way)
            if gap > lower:
                lower, widest = gap, toward
            if length - lower <= stop * length:
                break
            following, inside = _with(simplex, top, size)
            if inside:
                apart = False
                break
            nearer = weighted(following, following.p.way, following.q.way, following.r.way)
            if not dot(nearer, nearer) < dot(v, v):  # by no more than rounding, which the gap along it can still tell
                other = to_nearest(following, nearer)
                other = over(other, norm(other)) if norm(other) > 0.0 else toward
                if not dot(other, foremost(a, b, way, other, unit).way) > lower:
                    break
            simplex, v = following, nearer
        p, q, r = simplex.p, simplex.q, simplex.r
        on_a, on_b = weighted(simplex, p.a, q.a, r.a), weighted(simplex, p.b, q.b, r.b)
        return Nearness(apart, lower / unit, norm(add(way, sub(on_b, on_a))), on_a, on_b, widest, simplex)

    return search
