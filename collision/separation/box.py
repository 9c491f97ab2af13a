"""A box against a box."""

import math
from typing import Any, NamedTuple

from collision.native import kernel
from collision.separation.cores import (
    ROUNDING,
    Separation,
    clamp,
    into,
    out_of,
    to_world,
)
from collision.separation.linear import linear_box_parameter, past_edge, support, turn, unit_axis
from collision.vec3 import EPS, Vec3, absolute, add, along, cross, dot, largest, norm, scale, sub, times


class Boxes(NamedTuple):
    """Two boxes as B sees them, from its center and along its axes: A's center and axes, and the half extents of both.

    A point of A is given by its coordinates from A's center along A's axes, a point of B likewise.
    """

    center: Any
    x: Any
    y: Any
    z: Any
    a: Any
    b: Any


@kernel
def box_box(a, b):  # type: ignore[no-untyped-def]
    """Return the separation of two boxes.

    The widest gap over the fifteen axes of the separating axis theorem decides. Where it is no gap but an overlap, its
    size is the depth and its axis the shortest way out. Where the boxes are apart, they are nearest at the features
    that the axis points to, or at some that are found from there by a few exact steps.
    """
    middle = to_world(b, _middle(b))
    both = _seen_from(b, middle, a)
    size = 2.0 * (largest(both.a) + largest(both.b)) + largest(both.center)
    gap, number = _widest_face(both)
    if gap <= 4.0 * ROUNDING * size:  # else they are apart, and no edges need tell
        gap, number = _widest_edge(both, gap, number)
    axis = _axis(both, number)
    s = _apart(both, number, axis, size) if gap > ROUNDING * size else _way_out(both, gap, number, axis, size)
    normal, on_b = out_of(b, s.normal), add(middle, out_of(b, s.on_b))
    normal = scale(normal, 1.5 - 0.5 * dot(normal, normal))  # unit to rounding, as the axes are: one step
    return Separation(s.distance, along(on_b, -s.distance, normal), on_b, normal)


@kernel
def _middle(box):  # type: ignore[no-untyped-def]
    """Return the coordinates of a box's center in its frame."""
    return add(scale(box.lo, 0.5), scale(box.hi, 0.5))


@kernel
def _seen_from(b, middle, a):  # type: ignore[no-untyped-def]
    """Return two boxes as B sees them. Centers are subtracted in the world, where near ones differ exactly."""
    center = into(b, sub(to_world(a, _middle(a)), middle))
    half_a, half_b = sub(scale(a.hi, 0.5), scale(a.lo, 0.5)), sub(scale(b.hi, 0.5), scale(b.lo, 0.5))
    return Boxes(center, into(b, a.x), into(b, a.y), into(b, a.z), half_a, half_b)


@kernel
def _turned(both):  # type: ignore[no-untyped-def]
    """Return two boxes as A sees them: A and B exchanged."""
    _, x, y, z, a, b = both
    center = scale(_into_a(both, both.center), -1.0)
    return Boxes(center, Vec3(x.x, y.x, z.x), Vec3(x.y, y.y, z.y), Vec3(x.z, y.z, z.z), b, a)


@kernel
def _place(both, r):  # type: ignore[no-untyped-def]
    """Return a point of A as B sees it."""
    return along(along(along(both.center, r.x, both.x), r.y, both.y), r.z, both.z)


@kernel
def _into_a(both, v):  # type: ignore[no-untyped-def]
    """Take a vector from B's axes to A's."""
    return Vec3(dot(v, both.x), dot(v, both.y), dot(v, both.z))


@kernel
def _reach(m, half):  # type: ignore[no-untyped-def]
    """Return how far a box reaches from its center along a unit vector in its frame."""
    return dot(absolute(m), half)


@kernel
def _widest_face(both):  # type: ignore[no-untyped-def]
    """Return the widest gap between two boxes along the normals of their faces, and which: 0 to 2 of B, 3 to 5 of A."""
    x, y, z = absolute(both.x), absolute(both.y), absolute(both.z)
    reach = along(along(along(both.b, both.a.x, x), both.a.y, y), both.a.z, z)
    first = sub(absolute(both.center), reach)
    reach = add(both.a, Vec3(dot(x, both.b), dot(y, both.b), dot(z, both.b)))
    then = sub(absolute(_into_a(both, both.center)), reach)
    gap, number = -math.inf, 0
    for k in range(6):
        if first.x > gap:
            gap, number = first.x, k
        first, then = Vec3(first.y, first.z, then.x), turn(then)
    return gap, number


@kernel
def _widest_edge(both, gap, number):  # type: ignore[no-untyped-def]
    """Return the widest gap, and which, of the one given and those along the cross products of two edges.

    Number 6 + 3 j + i is axis i of B times axis j of A. Both are the first axis in turn, so that the product is
    (0, -x.z, x.y).
    """
    c, x, y, z, a, b = both
    for j in range(6, 15, 3):
        far = absolute(cross(x, c))
        reach = add(scale(absolute(cross(x, y)), a.y), scale(absolute(cross(x, z)), a.z))
        for k in range(j, j + 3):
            sine = math.sqrt(x.y * x.y + x.z * x.z)
            other = (far.x - reach.x - (b.y * abs(x.z) + b.z * abs(x.y))) / max(sine, ROUNDING)
            # Must be better than a face by more than rounding, and parallel edges give only noise.
            other = min(other - EPS * abs(other), math.copysign(math.inf, sine - ROUNDING))
            if other > gap:
                gap, number = other, k
            x, y, z, b, far, reach = turn(x), turn(y), turn(z), turn(b), turn(far), turn(reach)
        x, y, z, a = y, z, x, turn(a)
    return gap, number


@kernel
def _axis_of_a(both, j):  # type: ignore[no-untyped-def]
    """Return an axis of A."""
    return both.x if j == 0 else (both.y if j == 1 else both.z)


@kernel
def _axis(both, number):  # type: ignore[no-untyped-def]
    """Return the unit vector from A to B along the axis of a number, or a zero one if it is of parallel edges."""
    m = unit_axis(number % 3)
    if number >= 6:
        m = cross(m, _axis_of_a(both, number // 3 - 2))
        sine = norm(m)
        m = scale(m, 1.0 / sine if sine > ROUNDING else 0.0)
    elif number >= 3:
        m = _axis_of_a(both, number - 3)
    return scale(m, -math.copysign(1.0, dot(both.center, m)))


@kernel
def _apart(both, number, axis, size):  # type: ignore[no-untyped-def]
    """Return the separation of two boxes that are apart, the widest gap being along the axis of a number.

    The search starts from the point of one box that is farthest along the axis. It seldom fails from there, and seldom
    from the other box; if both fail, all edges are tried.
    """
    r, q = support(_into_a(both, axis), both.a), support(scale(axis, -1.0), both.b)
    from_b = 3 <= number < 6  # where the axis is a normal of A, a vertex of B is nearest
    r, q, proven = _search(both, r, q, from_b, size)
    if not proven:
        r, q, proven = _search(both, r, q, not from_b, size)
    if not proven:
        r, q = _best_edge(both, r, q)
        q, r = _best_edge(_turned(both), q, r)
    p = _place(both, r)
    w = sub(q, p)
    distance = norm(w)
    # Along the axis to rounding, or nearer than the direction between the points could be known: the axis it is.
    if distance > 4.0 * ROUNDING * size and largest(along(w, -distance, axis)) > ROUNDING * size:
        w = _level(both, r, q, w, size)
        axis = scale(w, 1.0 / norm(w))
    return Separation(distance, p, q, axis)


@kernel
def _level(both, r, q, w, size):  # type: ignore[no-untyped-def]
    """Return a gap without what rounding put along the edges and faces that its two points are inside of."""
    for _ in range(2):
        slope = times(_into_a(both, w), _inside(r, both.a))
        if largest(slope) <= ROUNDING * size:
            w = along(along(along(w, -slope.x, both.x), -slope.y, both.y), -slope.z, both.z)
        slope = times(w, _inside(q, both.b))
        if largest(slope) <= ROUNDING * size:
            w = sub(w, slope)
    return w


@kernel
def _inside(r, half):  # type: ignore[no-untyped-def]
    """Return 1 for each coordinate that is not at an end of its interval, else 0."""
    far = absolute(r)
    return Vec3(1.0 * (far.x < half.x), 1.0 * (far.y < half.y), 1.0 * (far.z < half.z))


@kernel
def _search(both, r, q, from_b, size):  # type: ignore[no-untyped-def]
    """Return nearer points of A and B, found from the one of A or from that of B, and whether none are nearer."""
    if from_b:
        q, r, proven = _descend(_turned(both), q, size)
        return r, q, proven
    return _descend(both, r, size)


@kernel
def _descend(both, r, size):  # type: ignore[no-untyped-def]
    """Return a point of A nearer to B than r, the point of B nearest to it, and whether no two points are nearer.

    The point slides along the edge that promises the most, to where on it B is nearest, until none promises anything
    that another slide has not shown to be rounding. What the edges promise together is a bound on what is left to gain:
    planes at a right angle to the line between the points prove it.
    """
    every = Vec3(1.0, 1.0, 1.0)
    free = every
    for _ in range(12):
        p = _place(both, r)
        q = clamp(p, scale(both.b, -1.0), both.b)
        w = sub(p, q)
        slope = times(_into_a(both, w), free)
        gain = add(times(absolute(slope), both.a), times(slope, r))
        if dot(gain, every) <= EPS * size * norm(w):
            return r, q, True
        j = 2
        if gain.x >= max(gain.y, gain.z):
            j = 0
        elif gain.y >= gain.z:
            j = 1
        start, r = r, _slide(both, r, j)
        moved = largest(sub(r, start)) > ROUNDING * size
        free = sub(every if moved else free, unit_axis(j))
    return r, q, False


@kernel
def _slide(both, r, j):  # type: ignore[no-untyped-def]
    """Return the point of A nearest to B of those that differ from r in coordinate j alone."""
    e, d = unit_axis(j), _axis_of_a(both, j)
    half, old = dot(both.a, e), dot(r, e)
    new = linear_box_parameter(along(_place(both, r), -old, d), d, scale(both.b, -1.0), both.b, -half, half)
    return along(r, new - old, e)


@kernel
def _best_edge(both, r, q):  # type: ignore[no-untyped-def]
    """Return the nearest of two points and of all edges of A against B."""
    least = norm(sub(_place(both, r), q))
    for k in range(24):
        corner = times(both.a, Vec3((k & 1) * 2.0 - 1.0, (k & 2) - 1.0, (k & 4) * 0.5 - 1.0))
        s = _slide(both, corner, k >> 3)
        p = _place(both, s)
        t = clamp(p, scale(both.b, -1.0), both.b)
        distance = norm(sub(p, t))
        if distance < least:
            least, r, q = distance, s, t
    return r, q


@kernel
def _way_out(both, gap, number, axis, size):  # type: ignore[no-untyped-def]
    """Return the separation of two boxes that touch or overlap.

    Where edges or faces are all but parallel, several axes may be equally near to rounding. Then the one whose witness
    points meet best is right.
    """
    best, misfit = _resolve(both, gap, number, axis, size)
    if misfit > ROUNDING * size:
        least = gap - ROUNDING * size
        for k in range(15):
            axis = _axis(both, k)
            gap = -dot(axis, both.center) - _reach(axis, both.b) - _reach(_into_a(both, axis), both.a)
            if gap >= least and dot(axis, axis) > 0.0:
                s, m = _resolve(both, gap, k, axis, size)
                if m < misfit:
                    best, misfit = s, m
    return best


@kernel
def _resolve(both, gap, number, axis, size):  # type: ignore[no-untyped-def]
    """Return the separation along an axis, and by how much its witness points miss the boxes."""
    r, q = support(_into_a(both, axis), both.a), support(scale(axis, -1.0), both.b)
    p = _place(both, r)
    if number >= 6:  # these are the middles of the edges: the axis is level along them
        i, j = unit_axis(number % 3), number // 3 - 2
        half = dot(both.a, unit_axis(j))
        return past_edge(p, _axis_of_a(both, j), -half, half, q, i, dot(both.b, i), gap, axis, size)
    s, misfit = _through_face(both, gap, number, axis, p, q)
    if misfit > ROUNDING * size:
        # Level edges or faces. Where do they touch once they are apart? A generous step keeps the question well posed.
        center = along(both.center, gap - size, axis)
        s = _apart(Boxes(center, both.x, both.y, both.z, both.a, both.b), number, axis, size)
        s, misfit = _through_face(both, gap, number, axis, along(s.on_a, size - gap, axis), s.on_b)
    return s, misfit


@kernel
def _through_face(both, gap, number, axis, p, q):  # type: ignore[no-untyped-def]
    """Return the separation through a face, given where the other box is deepest, and by how much it misses."""
    if number < 3:
        q = along(p, gap, axis)
        miss = sub(q, clamp(q, scale(both.b, -1.0), both.b))
    else:
        p = along(q, -gap, axis)
        r = _into_a(both, sub(p, both.center))
        miss = sub(r, clamp(r, scale(both.a, -1.0), both.a))
    return Separation(gap, p, q, axis), largest(miss)


@kernel
def _pair(p, q):  # type: ignore[no-untyped-def]
    """Return the record of two points that are apart."""
    w = sub(q, p)
    distance = norm(w)
    if distance == 0.0:
        return Separation(0.0, p, q, Vec3(0.0, 0.0, 1.0))
    return Separation(distance, p, q, Vec3(w.x / distance, w.y / distance, w.z / distance))


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
