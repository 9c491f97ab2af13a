"""A box against a box."""

import math

from collision.compile import kernel
from collision.separation.cores import (
    ROUNDING,
    Linear,
    Separation,
    clamp,
    into,
    out_of,
    to_local,
    to_world,
)
from collision.separation.linear import box_edge, box_extent, linear_box_parameter, linear_linear, past_edge, unit_axis
from collision.vec3 import EPS, Vec3, add, along, cross, dot, largest, norm, scale, sub


@kernel
def box_box(a, b):  # type: ignore[no-untyped-def]
    """Return the separation of two boxes.

    The widest gap over the fifteen axes of the separating axis theorem decides. Where it is no gap but an overlap, its
    size is the depth and its axis the shortest way out. Where the boxes are apart, the closest points are searched for
    by exact steps (`_approach`), until the planes through them prove that nothing is nearer.
    """
    x, y, z = into(b, a.x), into(b, a.y), into(b, a.z)
    center = to_local(b, a.origin)
    # A in the frame of B; coordinates from a point of B keep being far from the origin from costing digits.
    shift = clamp(center, b.lo, b.hi)
    o, lo, hi = sub(center, shift), sub(b.lo, shift), sub(b.hi, shift)
    size = largest(sub(a.hi, a.lo)) + largest(sub(hi, lo)) + largest(o)
    gap, k = _widest_gap(o, x, y, z, a.lo, a.hi, lo, hi)
    _, axis = _candidate(o, x, y, z, a.lo, a.hi, lo, hi, k)
    if gap > ROUNDING * size:
        s = _approach(o, x, y, z, a.lo, a.hi, lo, hi, gap, axis, size)
    else:
        s = _way_out(o, x, y, z, a.lo, a.hi, lo, hi, gap, k, size)
    on_a, on_b = to_world(b, add(s.on_a, shift)), to_world(b, add(s.on_b, shift))
    return Separation(s.distance, on_a, on_b, out_of(b, s.normal))


@kernel
def _widest_gap(o, x, y, z, a_lo, a_hi, lo, hi):  # type: ignore[no-untyped-def]
    """Return the widest gap between two boxes over their candidate normals, and the number of its normal.

    A negative gap is a depth. B is [lo, hi] in the frame that A's origin and axes are given in.
    """
    gap, number = -math.inf, 0
    for k in range(30):
        candidate, _ = _candidate(o, x, y, z, a_lo, a_hi, lo, hi, k)
        # Edges must be better than a face by more than rounding: parallel edges give noise for a normal.
        if candidate > gap + (EPS * abs(gap) if k >= 12 else 0.0):
            gap, number = candidate, k
    return gap, number


@kernel
def _candidate(o, x, y, z, a_lo, a_hi, lo, hi, k):  # type: ignore[no-untyped-def]
    """Return the gap between two boxes along candidate normal k, and the normal, from A to B.

    The fifteen axes of the separating axis theorem in both senses: those of B, those of A, and their cross products.
    """
    i = k >> 1
    g = x if i == 3 or 6 <= i < 9 else (y if i == 4 or 9 <= i < 12 else z)
    if i < 3:
        m = unit_axis(i)
    elif i < 6:
        m = g
    else:
        m = cross(unit_axis(i % 3), g)
    length = norm(m)
    if length <= ROUNDING:
        return -math.inf, m  # parallel edges span no plane; the faces cover them
    m = scale(m, (-1.0 if k & 1 else 1.0) / length)
    _, a_most = _extent(m, o, x, y, z, a_lo, a_hi)
    b_least, _ = box_extent(m, lo, hi)
    return b_least - a_most, m


@kernel
def _way_out(o, x, y, z, a_lo, a_hi, lo, hi, gap, number, size):  # type: ignore[no-untyped-def]
    """Return the separation of two boxes that touch or overlap.

    Where several candidates are equally near to rounding (faces or edges all but parallel), the one whose witness
    points meet best is right.
    """
    _, axis = _candidate(o, x, y, z, a_lo, a_hi, lo, hi, number)
    best, misfit = _resolve(o, x, y, z, a_lo, a_hi, lo, hi, number, gap, axis, size)
    if misfit > ROUNDING * size:
        for k in range(30):
            other, axis = _candidate(o, x, y, z, a_lo, a_hi, lo, hi, k)
            if other >= gap - ROUNDING * size:
                s, m = _resolve(o, x, y, z, a_lo, a_hi, lo, hi, k, other, axis, size)
                if m < misfit:
                    best, misfit = s, m
    return best


@kernel
def _resolve(o, x, y, z, a_lo, a_hi, lo, hi, k, gap, axis, size):  # type: ignore[no-untyped-def]
    """Return the separation along candidate normal k, and by how much its witness points miss the boxes."""
    if k >= 12:
        # Past an edge of each: their common perpendicular, known better than the cross product of the axes.
        i, j = (k >> 1) % 3, ((k >> 1) - 6) // 3
        against = scale(axis, -1.0)
        edge = box_edge(j, Vec3(dot(against, x), dot(against, y), dot(against, z)), a_lo, a_hi)
        start, end = _place(o, x, y, z, edge.origin), _place(o, x, y, z, edge.tip)
        s = linear_linear(Linear(start, sub(end, start), end, 0.0, 1.0), box_edge(i, axis, lo, hi))
        return past_edge(s, gap, axis), abs(s.distance - abs(gap))
    # Through a face. Where do they touch once they are apart? A generous step keeps the question well posed.
    step = size - gap
    s = _approach(along(o, -step, axis), x, y, z, a_lo, a_hi, lo, hi, size, axis, size)
    if k < 6:
        on_a = along(s.on_a, step, axis)
        on_b = along(on_a, gap, axis)
        return Separation(gap, on_a, on_b, axis), largest(sub(on_b, clamp(on_b, lo, hi)))
    on_a = along(s.on_b, -gap, axis)
    r = _in_a(o, x, y, z, on_a)
    return Separation(gap, on_a, s.on_b, axis), largest(sub(r, clamp(r, a_lo, a_hi)))


@kernel
def _extent(m, o, x, y, z, lo, hi):  # type: ignore[no-untyped-def]
    """Return the smallest and largest coordinate along m of the box with origin o and axes x, y, z."""
    least, most = box_extent(Vec3(dot(m, x), dot(m, y), dot(m, z)), lo, hi)
    start = dot(m, o)
    return start + least, start + most


@kernel
def _support(m, lo, hi):  # type: ignore[no-untyped-def]
    """Return the coordinates in A of its farthest point along m (given in A's axes); the middle where A is level."""
    return Vec3(_choose(m.x, lo.x, hi.x), _choose(m.y, lo.y, hi.y), _choose(m.z, lo.z, hi.z))


@kernel
def _choose(rise, lo, hi):  # type: ignore[no-untyped-def]
    """Return the end of an interval that a slope leads to, or the middle if the slope is level."""
    if abs(rise) <= ROUNDING:
        return 0.5 * lo + 0.5 * hi
    return hi if rise > 0.0 else lo


@kernel
def _place(o, x, y, z, r):  # type: ignore[no-untyped-def]
    """Return the point of A with coordinates r in its axes, in the frame of B."""
    return add(add(o, scale(x, r.x)), add(scale(y, r.y), scale(z, r.z)))


@kernel
def _in_a(o, x, y, z, q):  # type: ignore[no-untyped-def]
    """Return the coordinates in A's axes of a point in the frame of B."""
    w = sub(q, o)
    return Vec3(dot(w, x), dot(w, y), dot(w, z))


@kernel
def _approach(o, x, y, z, a_lo, a_hi, lo, hi, gap, axis, size):  # type: ignore[no-untyped-def]
    """Return the closest points of two boxes that are apart, in the frame of B.

    Three exact steps in turn: the point of B nearest to the point of A; the point of A nearest to that; and the nearest
    point along the edge of A that leads down the steepest. Closest points always include a vertex of one box or an
    inner point of an edge of A, so a step ends the search as soon as it starts on the right feature. Planes at a right
    angle to the line between the points prove it: no two points are nearer than the planes that touch the boxes. If
    eight rounds have not done it, all twelve edges of A and all eight vertices of B are tried.
    """
    r = _support(Vec3(dot(axis, x), dot(axis, y), dot(axis, z)), a_lo, a_hi)
    best = _pair(_place(o, x, y, z, r), clamp(_place(o, x, y, z, r), lo, hi))
    for _ in range(8):
        if _proven(best, gap, axis, o, x, y, z, a_lo, a_hi, lo, hi, size):
            return _with_axis(best, gap, axis, size)
        r = clamp(_in_a(o, x, y, z, best.on_b), a_lo, a_hi)
        p = _place(o, x, y, z, r)
        best = _shorter(best, _pair(p, clamp(p, lo, hi)))
        if _proven(best, gap, axis, o, x, y, z, a_lo, a_hi, lo, hi, size):
            return _with_axis(best, gap, axis, size)
        r = clamp(_in_a(o, x, y, z, best.on_a), a_lo, a_hi)
        edge = _steepest(Vec3(dot(best.normal, x), dot(best.normal, y), dot(best.normal, z)), r, a_lo, a_hi)
        best = _shorter(best, _along_edge(o, x, y, z, r, a_lo, a_hi, lo, hi, edge))
    return _with_axis(_exhaustive(best, o, x, y, z, a_lo, a_hi, lo, hi), gap, axis, size)


@kernel
def _pair(p, q):  # type: ignore[no-untyped-def]
    """Return the record of two points that are apart."""
    w = sub(q, p)
    distance = norm(w)
    if distance == 0.0:
        return Separation(0.0, p, q, Vec3(0.0, 0.0, 1.0))
    return Separation(distance, p, q, Vec3(w.x / distance, w.y / distance, w.z / distance))


@kernel
def _shorter(best, other):  # type: ignore[no-untyped-def]
    """Return the record of the smaller distance."""
    return other if other.distance < best.distance else best


@kernel
def _proven(best, gap, axis, o, x, y, z, a_lo, a_hi, lo, hi, size):  # type: ignore[no-untyped-def]
    """Tell whether planes prove that no two points of the boxes are nearer than these, to rounding."""
    if _faces(best, gap, axis, size):
        return True
    _, a_most = _extent(best.normal, o, x, y, z, a_lo, a_hi)
    b_least, _ = box_extent(best.normal, lo, hi)
    return b_least - a_most >= best.distance - EPS * size


@kernel
def _faces(best, gap, axis, size):  # type: ignore[no-untyped-def]
    """Tell whether two points are as near as the widest gap over the separating axes, and lie along its axis."""
    aside = sub(sub(best.on_b, best.on_a), scale(axis, best.distance))
    return best.distance <= gap + 2.0 * EPS * size and largest(aside) <= ROUNDING * size


@kernel
def _with_axis(best, gap, axis, size):  # type: ignore[no-untyped-def]
    """Return the record with the separating axis for normal where that is the more accurate of the two."""
    if _faces(best, gap, axis, size) or best.distance <= 4.0 * ROUNDING * size:
        return Separation(best.distance, best.on_a, best.on_b, axis)
    return best


@kernel
def _steepest(rise, r, lo, hi):  # type: ignore[no-untyped-def]
    """Return the axis of A along which a step from r within the box gains the most along the normal."""
    gain_x = max(rise.x * (hi.x - r.x), rise.x * (lo.x - r.x))
    gain_y = max(rise.y * (hi.y - r.y), rise.y * (lo.y - r.y))
    gain_z = max(rise.z * (hi.z - r.z), rise.z * (lo.z - r.z))
    if gain_x >= gain_y and gain_x >= gain_z:
        return 0
    return 1 if gain_y >= gain_z else 2


@kernel
def _along_edge(o, x, y, z, r, a_lo, a_hi, lo, hi, edge):  # type: ignore[no-untyped-def]
    """Return the record of the point of B and the point of A nearest to it, moving r along one axis of A."""
    if edge == 0:
        start, d, first, last = _place(o, x, y, z, Vec3(0.0, r.y, r.z)), x, a_lo.x, a_hi.x
    elif edge == 1:
        start, d, first, last = _place(o, x, y, z, Vec3(r.x, 0.0, r.z)), y, a_lo.y, a_hi.y
    else:
        start, d, first, last = _place(o, x, y, z, Vec3(r.x, r.y, 0.0)), z, a_lo.z, a_hi.z
    p = along(start, linear_box_parameter(start, d, lo, hi, first, last), d)
    return _pair(p, clamp(p, lo, hi))


@kernel
def _exhaustive(best, o, x, y, z, a_lo, a_hi, lo, hi):  # type: ignore[no-untyped-def]
    """Return the nearest over all edges of A against B and all vertices of B against A."""
    for k in range(4):
        u, v = k & 1, k >> 1
        r = Vec3(0.0, a_hi.y if u else a_lo.y, a_hi.z if v else a_lo.z)
        best = _shorter(best, _along_edge(o, x, y, z, r, a_lo, a_hi, lo, hi, 0))
        r = Vec3(a_hi.x if u else a_lo.x, 0.0, a_hi.z if v else a_lo.z)
        best = _shorter(best, _along_edge(o, x, y, z, r, a_lo, a_hi, lo, hi, 1))
        r = Vec3(a_hi.x if u else a_lo.x, a_hi.y if v else a_lo.y, 0.0)
        best = _shorter(best, _along_edge(o, x, y, z, r, a_lo, a_hi, lo, hi, 2))
    for k in range(8):
        q = Vec3(hi.x if k & 1 else lo.x, hi.y if k & 2 else lo.y, hi.z if k & 4 else lo.z)
        p = _place(o, x, y, z, clamp(_in_a(o, x, y, z, q), a_lo, a_hi))
        best = _shorter(best, _pair(p, q))
    return best


@kernel
def aligned_aligned(a, b):  # type: ignore[no-untyped-def]
    """Return the separation of two boxes with the world's axes: the general kernel's answer without its work.

    Along each axis the boxes are apart (the facing sides are nearest) or overlap (the middle of the overlap serves).
    """
    a_lo, a_hi, b_lo, b_hi = a.lo, a.hi, b.lo, b.hi
    px, qx, gap_x = _facing(a_lo.x, a_hi.x, b_lo.x, b_hi.x)
    py, qy, gap_y = _facing(a_lo.y, a_hi.y, b_lo.y, b_hi.y)
    pz, qz, gap_z = _facing(a_lo.z, a_hi.z, b_lo.z, b_hi.z)
    if gap_x > 0.0 or gap_y > 0.0 or gap_z > 0.0:
        return _pair(Vec3(px, py, pz), Vec3(qx, qy, qz))
    widest = max(gap_x, gap_y, gap_z)
    if gap_x == widest:
        side = 1.0 if b_hi.x - a_lo.x >= a_hi.x - b_lo.x else -1.0
        p, normal = Vec3(a_hi.x if side > 0.0 else a_lo.x, py, pz), Vec3(side, 0.0, 0.0)
        q = Vec3(b_lo.x if side > 0.0 else b_hi.x, qy, qz)
    elif gap_y == widest:
        side = 1.0 if b_hi.y - a_lo.y >= a_hi.y - b_lo.y else -1.0
        p, normal = Vec3(px, a_hi.y if side > 0.0 else a_lo.y, pz), Vec3(0.0, side, 0.0)
        q = Vec3(qx, b_lo.y if side > 0.0 else b_hi.y, qz)
    else:
        side = 1.0 if b_hi.z - a_lo.z >= a_hi.z - b_lo.z else -1.0
        p, normal = Vec3(px, py, a_hi.z if side > 0.0 else a_lo.z), Vec3(0.0, 0.0, side)
        q = Vec3(qx, qy, b_lo.z if side > 0.0 else b_hi.z)
    return Separation(widest, p, q, normal)


@kernel
def _facing(a_lo, a_hi, b_lo, b_hi):  # type: ignore[no-untyped-def]
    """Return the nearest coordinates of two intervals and the gap between them, negative where they overlap."""
    if a_hi < b_lo:
        return a_hi, b_lo, b_lo - a_hi
    if b_hi < a_lo:
        return a_lo, b_hi, a_lo - b_hi
    middle = 0.5 * max(a_lo, b_lo) + 0.5 * min(a_hi, b_hi)
    return middle, middle, -min(a_hi - b_lo, b_hi - a_lo)
