"""A linear piece (segment, capsule axis, ray, line) against a linear piece and a box."""

import math

import numpy as np

from collision.native import kernel
from collision.separation.cores import (
    ROUNDING,
    Linear,
    Separation,
    at,
    clamp,
    into,
    out_of,
    squared_up,
    swapped,
    to_local,
    to_world,
)
from collision.separation.point import point_linear
from collision.vec3 import EPS, Vec3, add, along, cross, dot, largest, norm, perpendicular, scale, sub, times


@kernel
def linear_linear(a, b):  # type: ignore[no-untyped-def]
    """Return the separation of two linear pieces.

    The squared distance is a convex quadratic over the rectangle of the two spans. Its minimum is either inside, where
    the common perpendicular stands, or on one of the (finite) sides, each of which is an end of one piece against the
    other. Clamping both parameters of the common perpendicular independently is a classic mistake: it is wrong for
    about half of all pairs. One parameter is clamped, the other found for it; if that had to be clamped too, the first
    is found anew (Ericson, *Real-Time Collision Detection*, section 5.1.9). The perpendicular is found through the
    cross product of the directions, which stays accurate for nearly parallel pieces where the textbook's difference of
    squares cancels.
    """
    u, v = a.direction, b.direction
    if dot(u, u) == 0.0:
        return point_linear(a.origin, b)
    if dot(v, v) == 0.0:
        return swapped(point_linear(b.origin, a))
    product = norm(u) * norm(v)
    sine, unit = _across(u, v, product)
    skew = sine > 2.0 * ROUNDING * product
    if skew:
        w = sub(b.origin, a.origin)
        s = min(max(dot(cross(w, v), unit) / sine, a.lo), a.hi)
        t = _clamped(b, along(scale(w, -1.0), s, u))
        if t == b.lo or t == b.hi:
            s = _clamped(a, along(w, t, v))
        if a.lo < s < a.hi and b.lo < t < b.hi:
            return _common_perpendicular(a, b, s, unit, sine / product)
        at_end_of_b = t == b.lo or t == b.hi
        best = swapped(point_linear(at(b, t), a)) if at_end_of_b else point_linear(at(a, s), b)
    else:
        best = _nearest_side(a, b)
    reach = max(largest(sub(best.on_a, a.origin)), largest(sub(best.on_b, b.origin)))
    if best.distance <= ROUNDING * reach or best.distance == 0.0:
        # They touch at an end. Sideways to both is always a way out; along the plane that they span may not be.
        return Separation(best.distance, best.on_a, best.on_b, unit if skew else perpendicular(u))
    return best if skew else _beside(best, u)


@kernel
def _beside(s, u):  # type: ignore[no-untyped-def]
    """Return the separation of parallel pieces, its normal without what rounding far from the origin put along them."""
    gap = squared_up(scale(s.normal, s.distance), u, max(largest(s.on_a), largest(s.on_b)))
    length = norm(gap)
    return Separation(s.distance, s.on_a, s.on_b, scale(gap, 1.0 / length) if length > 0.0 else perpendicular(u))


@kernel
def _across(u, v, product):  # type: ignore[no-untyped-def]
    """Return the length of the cross product of two vectors, and the unit vector along it.

    Between nearly parallel vectors much of the cross product is rounding. What of that lies along u would tilt the
    normal out of the right plane, so it is taken off; twice, as the first time leaves its own rounding behind.
    """
    n = cross(u, v)
    sine = length = norm(n)
    if sine < 0.25 * product:
        for _ in range(2):
            n = along(n, -dot(n, u) / dot(u, u), u)
        length = norm(n)
    return sine, (scale(n, 1.0 / length) if length > 0.0 else n)


@kernel
def _common_perpendicular(a, b, s, unit, sine):  # type: ignore[no-untyped-def]
    """Return the separation at inner parameters, with the more accurate of the two ways to the normal.

    The cross product of the directions is off by rounding / sine, the gap itself by rounding × size / distance.
    """
    # Each once more against the other: what s was off by then costs only a second-order error, also near an end. All in
    # differences: far from the origin the points themselves are rounded more coarsely than the gap need be.
    w = sub(b.origin, a.origin)
    t = _clamped(b, along(scale(w, -1.0), s, a.direction))
    s = _clamped(a, along(w, t, b.direction))
    t = _clamped(b, along(scale(w, -1.0), s, a.direction))
    p, q = at(a, s), at(b, t)
    gap = along(along(w, t, b.direction), -s, a.direction)
    reach = max(largest(sub(p, a.origin)), largest(sub(q, b.origin)))
    gap = squared_up(squared_up(gap, a.direction, reach), b.direction, reach)
    distance = norm(gap)
    if distance > sine * max(reach, distance):
        return Separation(distance, p, q, scale(gap, 1.0 / distance))
    side = dot(gap, unit)
    return Separation(abs(side), p, q, unit if side >= 0.0 else scale(unit, -1.0))


@kernel
def _clamped(line, from_origin):  # type: ignore[no-untyped-def]
    """Return the parameter of the point of a linear piece nearest to a point given from its origin."""
    t = dot(from_origin, line.direction) / dot(line.direction, line.direction)
    return min(max(t, line.lo), line.hi)


@kernel
def _nearest_side(a, b):  # type: ignore[no-untyped-def]
    """Return the nearest of: the middle of where parallel pieces lie side by side, and the ends of each."""
    best = point_linear(at(a, _middle_of_overlap(a, b)), b)
    if a.lo > -math.inf:
        best = _nearer(best, point_linear(at(a, a.lo), b))
    if a.hi < math.inf:
        best = _nearer(best, point_linear(at(a, a.hi), b))
    if b.lo > -math.inf:
        best = _nearer(best, swapped(point_linear(at(b, b.lo), a)))
    if b.hi < math.inf:
        best = _nearer(best, swapped(point_linear(at(b, b.hi), a)))
    return best


@kernel
def _nearer(best, other):  # type: ignore[no-untyped-def]
    """Return the nearer of two records; the first when they are equal to the last bit or so."""
    return other if other.distance < best.distance * (1.0 - EPS) else best


@kernel
def _middle_of_overlap(a, b):  # type: ignore[no-untyped-def]
    """Return the parameter on A in the middle of where a parallel B lies beside it, or the nearest end of A."""
    squared = dot(a.direction, a.direction)
    along_a = dot(b.direction, a.direction)
    start = dot(sub(b.origin, a.origin), a.direction) / squared
    step = along_a / squared
    first = start + b.lo * step
    last = start + b.hi * step
    if b.lo == 0.0:
        first = start
    lo = max(a.lo, min(first, last))
    hi = min(a.hi, max(first, last))
    if lo > hi:
        return min(max(start, a.lo), a.hi)
    if lo == -math.inf:
        return 0.0 if hi == math.inf else hi
    return lo if hi == math.inf else 0.5 * lo + 0.5 * hi


@kernel
def linear_box_parameter(o, d, lo, hi, first, last):  # type: ignore[no-untyped-def]
    """Return the parameter in [first, last] at which o + t d is nearest to a box.

    The squared distance is the sum over the axes of d² times the squared distance of t from the interval in which the
    axis's slab is crossed. If the intervals have something in common, the line meets the box there (or is parallel to
    it), and the middle serves. If not, the least sum lies between the one that ends first and the one that begins last:
    their weighted mean, or with the third interval's nearest end included, if that mean is not in it.
    """
    x_in, x_out, x = _slab(o.x, d.x, lo.x, hi.x)
    y_in, y_out, y = _slab(o.y, d.y, lo.y, hi.y)
    z_in, z_out, z = _slab(o.z, d.z, lo.z, hi.z)
    enter, leave = max(x_in, y_in, z_in), min(x_out, y_out, z_out)
    if enter <= leave:
        return 0.5 * min(max(enter, first), last) + 0.5 * max(min(leave, last), first)
    start, end, weight = Vec3(x_in, y_in, z_in), Vec3(x_out, y_out, z_out), Vec3(x, y, z)
    t = 0.5 * enter + 0.5 * leave
    x, y, z = _is(x_in, enter, x_out, leave), _is(y_in, enter, y_out, leave), _is(z_in, enter, z_out, leave)
    two = times(weight, Vec3(x, y, z))
    t = dot(two, clamp(Vec3(t, t, t), start, end)) / (two.x + two.y + two.z)
    t = dot(weight, clamp(Vec3(t, t, t), start, end)) / (weight.x + weight.y + weight.z)
    return min(max(t, first), last)


@kernel
def _slab(o, d, lo, hi):  # type: ignore[no-untyped-def]
    """Return the parameters between which o + t d is in [lo, hi], and the weight d² of a step beyond them."""
    if d * d == 0.0:
        return -math.inf, math.inf, 0.0
    first, last = (lo - o) / d, (hi - o) / d
    return min(first, last), max(first, last), d * d


@kernel
def _is(a, b, c, d):  # type: ignore[no-untyped-def]
    """Return 1 if a is b or c is d, else 0."""
    return 1.0 * ((a == b) | (c == d))


@kernel
def _upright(gap, direction, size):  # type: ignore[no-untyped-def]
    """Return the gap of a box and the inside of a linear piece, squared up against the piece and the edge it is at.

    The cross product of the two is good to rounding over the sine of their angle, the gap to rounding over its length;
    the better of them is taken.
    """
    x, y, z = 1.0 * (gap.x == 0.0), 1.0 * (gap.y == 0.0), 1.0 * (gap.z == 0.0)
    if x + y + z == 1.0:
        across = cross(Vec3(x, y, z), direction)
        if norm(across) * size > norm(direction) * norm(gap):
            return scale(across, math.copysign(1.0, dot(across, gap)))
    return squared_up(gap, direction, math.inf)


@kernel
def linear_box(line, box):  # type: ignore[no-untyped-def]
    """Return the separation of a linear piece and a box."""
    o = to_local(box, line.origin)
    tip = to_local(box, line.tip) if line.hi < math.inf else into(box, line.direction)
    local = Linear(o, sub(tip, o) if line.hi < math.inf else tip, tip, line.lo, line.hi)
    t = linear_box_parameter(o, local.direction, box.lo, box.hi, line.lo, line.hi)
    q = at(local, t)
    b = clamp(q, box.lo, box.hi)
    gap = sub(b, q)
    distance = norm(gap)
    size = max(largest(sub(q, o)), largest(q))
    if distance > 4.0 * ROUNDING * size:
        if line.lo < t < line.hi:
            gap = _upright(gap, local.direction, size)
        return Separation(distance, at(line, t), to_world(box, b), out_of(box, scale(gap, 1.0 / norm(gap))))
    out = _way_out(local, t, box.lo, box.hi)
    normal = out_of(box, out.normal)
    if distance > ROUNDING * size:  # apart, but by so little that the gap's direction is noise: the way out serves
        return Separation(distance, at(line, t), along(at(line, t), distance, normal), normal)
    return Separation(out.distance, to_world(box, out.on_a), to_world(box, out.on_b), normal)


@kernel
def unit_axis(i):  # type: ignore[no-untyped-def]
    """Return the unit vector of axis 0, 1 or 2."""
    return Vec3(1.0 * (i == 0), 1.0 * (i == 1), 1.0 * (i == 2))


@kernel
def _way_out(line, inside, lo, hi):  # type: ignore[no-untyped-def]
    """Return the separation of a linear piece from a box that it touches or enters, in the box's frame.

    The candidates are the normals of the Minkowski difference: those of the box's faces (0 to 2), and those of the
    parallelograms that the piece makes with the box's edges (3 to 5). The shortest way wins. Where several are equally
    short to rounding (the piece is all but parallel to a face), the one whose witness points meet best is right.
    `inside` is the parameter of a point in the box.
    """
    size = max(largest(sub(hi, lo)), norm(line.direction) if line.hi < math.inf else 0.0)
    start = line.origin if line.lo == 0.0 else _endless(line.origin, scale(line.direction, -1.0))
    end = line.tip if line.hi < math.inf else _endless(line.origin, line.direction)
    touch = at(line, inside)
    best = Separation(0.0, touch, touch, unit_axis(0))  # for a line so short that its squares are zero
    misfit, least, tried = math.inf, -math.inf, np.int64(0)  # a literal would be compiled for as a type of its own
    while misfit > ROUNDING * size:
        gap, number = _widest_gap(line, start, end, lo, hi, tried)
        if gap < least or number == 6:
            break
        s, m = _resolve(line, start, end, inside, lo, hi, gap, number, size)
        if m < misfit:
            best, misfit = s, m
        tried, least = tried | 1 << number, max(least, gap - ROUNDING * size)
    return best


@kernel
def _endless(o, d):  # type: ignore[no-untyped-def]
    """Return the coordinates that a point reaches that moves from o along d for ever."""
    return Vec3(
        o.x if d.x == 0.0 else math.copysign(math.inf, d.x),
        o.y if d.y == 0.0 else math.copysign(math.inf, d.y),
        o.z if d.z == 0.0 else math.copysign(math.inf, d.z),
    )


@kernel
def _widest_gap(line, start, end, lo, hi, tried):  # type: ignore[no-untyped-def]
    """Return the widest gap between a linear piece and a box along the candidate normals not tried, and which; else 6.

    A negative gap is how far the piece has to go to leave the box. Each axis is the first in turn, so that its product
    with the piece's direction is (0, -d.z, d.y).
    """
    d, half, far = line.direction, scale(sub(hi, lo), 0.5), sub(line.origin, scale(add(lo, hi), 0.5))
    far, parallel = cross(d, far), ROUNDING * norm(d)
    gap, number = -math.inf, 6
    for k in range(3):
        other = max(lo.x - max(start.x, end.x), min(start.x, end.x) - hi.x)
        if tried >> k & 1:
            other = -math.inf
        if other > gap:
            gap, number = other, k
        sine = math.sqrt(d.y * d.y + d.z * d.z)
        other = (abs(far.x) - half.y * abs(d.z) - half.z * abs(d.y)) / max(sine, parallel)
        # Must be better than a face by more than rounding, and parallel edges give only noise.
        other = min(other - EPS * abs(other), math.copysign(math.inf, sine - parallel))
        if tried >> k & 8:
            other = -math.inf
        if other > gap:
            gap, number = other, k + 3
        start, end, lo, hi, d, half, far = turn(start), turn(end), turn(lo), turn(hi), turn(d), turn(half), turn(far)
    return gap, number


@kernel
def turn(v):  # type: ignore[no-untyped-def]
    """Return a vector with its coordinates moved up by one, so that each is the first in turn."""
    return Vec3(v.y, v.z, v.x)


@kernel
def _resolve(line, start, end, inside, lo, hi, gap, number, size):  # type: ignore[no-untyped-def]
    """Return the separation along a candidate normal, and by how much its witness points miss the box."""
    d, e, middle = line.direction, unit_axis(number % 3), scale(add(lo, hi), 0.5)
    if number >= 3:
        normal = cross(e, d)
        normal = scale(normal, math.copysign(1.0 / norm(normal), dot(sub(middle, line.origin), normal)))
        half = scale(sub(hi, lo), 0.5)
        q = add(middle, support(scale(normal, -1.0), half))  # of the edge, the middle
        return past_edge(line.origin, d, line.lo, line.hi, q, e, dot(half, e), gap, normal, size)
    # Through a face: the end that is deeper, or any point in the box of a piece that is level.
    way = Vec3(
        middle.x - 0.5 * (start.x + end.x), middle.y - 0.5 * (start.y + end.y), middle.z - 0.5 * (start.z + end.z)
    )
    side = way.x if number == 0 else (way.y if number == 1 else way.z)
    normal = scale(e, math.copysign(1.0, side))
    rise = dot(d, normal)
    t = inside if abs(rise) <= ROUNDING * norm(d) else (line.hi if rise > 0.0 else line.lo)
    p = at(line, t)
    q = along(p, gap, normal)
    return Separation(gap, p, q, normal), largest(sub(q, clamp(q, lo, hi)))


@kernel
def support(m, half):  # type: ignore[no-untyped-def]
    """Return the farthest point of a box along m, from its center; the middle of where it is level."""
    return Vec3(_end(m.x, half.x), _end(m.y, half.y), _end(m.z, half.z))


@kernel
def _end(rise, half):  # type: ignore[no-untyped-def]
    """Return the end of an interval about zero that a slope leads to, or zero if the slope is level to rounding."""
    return math.copysign(half, rise) * (abs(rise) > ROUNDING)


@kernel
def past_edge(p, d, first, last, q, e, half, gap, normal, size):  # type: ignore[no-untyped-def]
    """Return the separation of p + s d from a box's edge along e about q, and by how much the points miss.

    The gap (negative where they have passed each other) and the normal are known, but where the two are all but
    parallel the line between their nearest points tells the direction better.
    """
    w, n = sub(p, q), cross(e, d)
    s = min(max(dot(w, cross(e, n)) / dot(n, n), first), last)
    # Once more against each other: what s was off by then costs only a second-order error.
    t = min(max(dot(along(w, s, d), e), -half), half)
    s = min(max(-dot(along(w, -t, e), d) / dot(d, d), first), last)
    p, q = along(p, s, d), along(q, t, e)
    w = sub(q, p)
    distance = norm(w)
    if distance * norm(d) > norm(n) * size:
        turned = scale(w, math.copysign(1.0, gap) / distance)
        # Edges that only just meet have no direction between them; then the candidate's is the better one.
        normal = turned if dot(turned, normal) > 1.0 - 1e-6 else normal
    return Separation(gap, p, along(p, gap, normal), normal), abs(distance - abs(gap))
