"""A linear piece (segment, capsule axis, ray, line) against a linear piece and a box."""

import math

from collision.compile import kernel
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
from collision.vec3 import EPS, Vec3, along, cross, dot, largest, norm, perpendicular, scale, sub


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
    return best


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
def _slope(o, d, lo, hi, t, skip):  # type: ignore[no-untyped-def]
    """Return half the derivative at t of the squared distance from o + t d to a box.

    `skip` is the axis whose slab is entered or left exactly at t, where rounding must not count.
    """
    slope = 0.0
    if skip != 0:
        x = o.x + t * d.x
        slope += d.x * (x - min(max(x, lo.x), hi.x))
    if skip != 1:
        y = o.y + t * d.y
        slope += d.y * (y - min(max(y, lo.y), hi.y))
    if skip != 2:
        z = o.z + t * d.z
        slope += d.z * (z - min(max(z, lo.z), hi.z))
    return slope


@kernel
def linear_box_parameter(o, d, lo, hi, first, last):  # type: ignore[no-untyped-def]
    """Return the parameter in [first, last] at which o + t d is nearest to a box.

    Along the line the squared distance is convex and piecewise quadratic, with a breakpoint wherever a coordinate
    enters or leaves its slab. The breakpoints and the ends of the span bracket the sign change of the slope; inside the
    bracket the slope is linear and its zero is solved for. Where the slope is zero over an interval (inside the box,
    or beside it in parallel) the middle is taken.
    """
    below, above = -math.inf, math.inf  # the slope is negative up to `below` and positive from `above`
    flat_from, flat_to = math.inf, -math.inf
    for k in range(8):
        if k < 6:
            axis = k >> 1
            start, step, bound = o.z, d.z, (lo.z if k == 4 else hi.z)
            if axis == 0:
                start, step, bound = o.x, d.x, (lo.x if k == 0 else hi.x)
            elif axis == 1:
                start, step, bound = o.y, d.y, (lo.y if k == 2 else hi.y)
            if step == 0.0:
                continue
            t = (bound - start) / step
        else:
            axis = 3
            t = first if k == 6 else last
        if not (first <= t <= last and below < t < above) or abs(t) == math.inf:
            continue
        slope = _slope(o, d, lo, hi, t, axis)
        if slope < 0.0:
            below = t
        elif slope > 0.0:
            above = t
        else:
            flat_from, flat_to = min(flat_from, t), max(flat_to, t)
    if flat_from <= flat_to:
        return 0.5 * flat_from + 0.5 * flat_to
    if above == first:
        return first
    if below == last:
        return last
    return min(max(_zero_of_slope(o, d, lo, hi, below, above), below), above)


@kernel
def _zero_of_slope(o, d, lo, hi, below, above):  # type: ignore[no-untyped-def]
    """Solve for the zero of the slope between two neighbouring breakpoints, either of which may be at infinity."""
    stride = max(largest(o), largest(lo), largest(hi)) / largest(d)  # well past a breakpoint, whatever the scale
    if below == -math.inf:
        probe = 0.0 if above == math.inf else above - (stride + abs(above))
    else:
        probe = below + (stride + abs(below)) if above == math.inf else 0.5 * below + 0.5 * above
    rate, moment = 0.0, 0.0
    x, y, z = o.x + probe * d.x, o.y + probe * d.y, o.z + probe * d.z
    if x < lo.x or x > hi.x:
        rate += d.x * d.x
        moment += d.x * ((lo.x if x < lo.x else hi.x) - o.x)
    if y < lo.y or y > hi.y:
        rate += d.y * d.y
        moment += d.y * ((lo.y if y < lo.y else hi.y) - o.y)
    if z < lo.z or z > hi.z:
        rate += d.z * d.z
        moment += d.z * ((lo.z if z < lo.z else hi.z) - o.z)
    return moment / rate if rate > 0.0 else probe


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
    size = max(largest(sub(q, o)), largest(b), largest(q))
    if distance > 4.0 * ROUNDING * size:
        normal = out_of(box, Vec3(gap.x / distance, gap.y / distance, gap.z / distance))
        return Separation(distance, at(line, t), to_world(box, b), normal)
    out = _way_out(local, b, box.lo, box.hi)
    if distance > ROUNDING * size:  # apart, but by so little that the gap's direction is noise: the way out serves
        normal = out_of(box, out.normal)
        return Separation(distance, at(line, t), along(at(line, t), distance, normal), normal)
    return Separation(out.distance, to_world(box, out.on_a), to_world(box, out.on_b), out_of(box, out.normal))


@kernel
def unit_axis(i):  # type: ignore[no-untyped-def]
    """Return the unit vector of axis 0, 1 or 2."""
    return Vec3(1.0 if i == 0 else 0.0, 1.0 if i == 1 else 0.0, 1.0 if i == 2 else 0.0)


@kernel
def box_edge(i, m, lo, hi):  # type: ignore[no-untyped-def]
    """Return the edge of a box along axis i that lies farthest against m, in the box's frame."""
    x, y, z = (hi.x if m.x < 0.0 else lo.x), (hi.y if m.y < 0.0 else lo.y), (hi.z if m.z < 0.0 else lo.z)
    start = Vec3(lo.x if i == 0 else x, lo.y if i == 1 else y, lo.z if i == 2 else z)
    end = Vec3(hi.x if i == 0 else x, hi.y if i == 1 else y, hi.z if i == 2 else z)
    return Linear(start, sub(end, start), end, 0.0, 1.0)


@kernel
def _way_out(line, inner, lo, hi):  # type: ignore[no-untyped-def]
    """Return the separation of a linear piece from a box that it touches or enters, in the box's frame.

    The candidates are the normals of the Minkowski difference: those of the box's faces (0 to 2), and those of the
    parallelograms that the piece makes with the box's edges (3 to 5), each both ways. The shortest wins. Where several
    are equally short to rounding (the piece is all but parallel to a face), the one whose witness points meet best is
    right. `inner` is a point of both; coordinates are taken from it, so that being far from the origin costs nothing.
    """
    depth, number = math.inf, 0
    for k in range(12):
        candidate, _ = _candidate(line, inner, lo, hi, k)
        # An edge must be better than a face by more than rounding: parallel edges give noise for a normal.
        if candidate < depth - (EPS * abs(depth) if k >= 6 and depth < math.inf else 0.0):
            depth, number = candidate, k
    depth, normal = _candidate(line, inner, lo, hi, number)
    best, misfit = _resolve(line, lo, hi, number, depth, normal)
    size = max(largest(sub(hi, lo)), norm(line.direction) if line.hi < math.inf else 0.0)
    if misfit > ROUNDING * size:
        for k in range(12):
            other, normal = _candidate(line, inner, lo, hi, k)
            if other <= depth + ROUNDING * size:
                s, m = _resolve(line, lo, hi, k, other, normal)
                if m < misfit:
                    best, misfit = s, m
    return best


@kernel
def _candidate(line, inner, lo, hi, k):  # type: ignore[no-untyped-def]
    """Return how far a linear piece must go to leave a box along candidate normal k, and the normal, piece to box.

    Candidates come in pairs, one for each sense: the faces' normals first, then the edges'.
    """
    m = unit_axis((k >> 1) % 3)
    if k >= 6:
        m = cross(m, line.direction)
        sine = norm(m)
        if sine <= ROUNDING * norm(line.direction):
            return math.inf, m
        m = Vec3(m.x / sine, m.y / sine, m.z / sine)
    m = scale(m, -1.0) if k & 1 else m
    _, line_hi = _linear_extent(m, sub(line.origin, inner), line.direction, line.lo, line.hi, k >= 6)
    box_lo, _ = box_extent(m, sub(lo, inner), sub(hi, inner))
    return line_hi - box_lo, m


@kernel
def _resolve(line, lo, hi, k, depth, normal):  # type: ignore[no-untyped-def]
    """Return the separation along candidate normal k, and by how much its witness points miss the shapes."""
    if k >= 6:
        # Past an edge: the common perpendicular of edge and piece, known better than their cross product.
        s = linear_linear(line, box_edge((k >> 1) % 3, normal, lo, hi))
        return past_edge(s, -depth, normal), abs(s.distance - abs(depth))
    # Through a face. Where do they touch once they are apart? A generous step keeps the question well posed.
    length = norm(line.direction) if line.hi < math.inf else 0.0
    step = depth + max(abs(depth), largest(sub(hi, lo)), length)
    t = linear_box_parameter(along(line.origin, -step, normal), line.direction, lo, hi, line.lo, line.hi)
    p = at(line, t)
    q = along(p, -depth, normal)
    return Separation(-depth, p, q, normal), largest(sub(q, clamp(q, lo, hi)))


@kernel
def past_edge(s, gap, normal):  # type: ignore[no-untyped-def]
    """Return the separation whose witness points are the nearest points of two edges, apart or (gap < 0) passed."""
    turned = scale(s.normal, math.copysign(1.0, gap))
    # Edges that only just meet have no direction between them; then the candidate's is the better one.
    if dot(turned, normal) > 1.0 - 1e-6:
        normal = turned
    return Separation(gap, s.on_a, along(s.on_a, gap, normal), normal)


@kernel
def _linear_extent(m, o, d, first, last, across):  # type: ignore[no-untyped-def]
    """Return the smallest and the largest coordinate along m of a linear piece through the origin.

    `across` says that m is at a right angle to the piece, so that even an infinite one has a coordinate along m.
    """
    rise = 0.0 if across else dot(m, d)
    lo, hi = 0.0, 0.0
    if first > -math.inf:
        lo = hi = dot(m, along(o, first, d))
    elif rise != 0.0:
        lo, hi = (-math.inf, 0.0) if rise > 0.0 else (0.0, math.inf)
    if last < math.inf:
        end = dot(m, along(o, last, d))
        lo, hi = min(lo, end), max(hi, end)
    elif rise > 0.0:
        hi = math.inf
    elif rise < 0.0:
        lo = -math.inf
    return lo, hi


@kernel
def box_extent(m, lo, hi):  # type: ignore[no-untyped-def]
    """Return the smallest and the largest coordinate along m of a box, in the box's frame."""
    x0, x1, y0, y1, z0, z1 = m.x * lo.x, m.x * hi.x, m.y * lo.y, m.y * hi.y, m.z * lo.z, m.z * hi.z
    return min(x0, x1) + min(y0, y1) + min(z0, z1), max(x0, x1) + max(y0, y1) + max(z0, z1)
