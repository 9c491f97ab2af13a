"""A linear piece (segment, capsule axis, ray, line) against a linear piece and a box."""

import math

from collision.separation.compile import compiled
from collision.separation.cores import (
    ROUNDING,
    Separation,
    at,
    box_size,
    clamp,
    into,
    linear_size,
    load_box,
    load_linear,
    nearest_parameter,
    out_of,
    swapped,
    to_local,
    to_world,
    write,
    write_distance,
)
from collision.separation.point import point_linear
from collision.vec3 import EPS, Vec3, along, cross, dot, kernel, largest, norm, perpendicular, scale, sub


@kernel
def linear_linear(a, b):  # type: ignore[no-untyped-def]
    """Return the separation of two linear pieces.

    The squared distance is a convex quadratic over the rectangle of the two spans. Its minimum is either inside, where
    the common perpendicular stands, or on one of the (finite) sides, each of which is an end of one piece against the
    other. Clamping both parameters of the common perpendicular independently is a classic mistake: it is wrong for
    about half of all pairs. The perpendicular is found through the cross product of the directions, which stays
    accurate for nearly parallel pieces where the textbook's difference of squares cancels.
    """
    u, v = a.direction, b.direction
    if dot(u, u) == 0.0:
        return point_linear(a.origin, b)
    if dot(v, v) == 0.0:
        return swapped(point_linear(b.origin, a))
    n = cross(u, v)
    sine = norm(n)
    product = norm(u) * norm(v)
    skew = sine > 2.0 * ROUNDING * product
    if skew:
        w = sub(a.origin, b.origin)
        unit = Vec3(n.x / sine, n.y / sine, n.z / sine)
        s = -dot(cross(w, v), unit) / sine
        t = -dot(cross(w, u), unit) / sine
        if a.lo < s < a.hi and b.lo < t < b.hi:
            return _common_perpendicular(a, b, s, t, unit, sine / product)
    best = _nearest_side(a, b, skew)
    reach = max(largest(sub(best.on_a, a.origin)), largest(sub(best.on_b, b.origin)))
    if best.distance <= ROUNDING * reach or best.distance == 0.0:
        # They touch at an end. Sideways to both is always a way out; along the plane that they span may not be.
        sideways = Vec3(n.x / sine, n.y / sine, n.z / sine) if skew else perpendicular(u)
        return Separation(best.distance, best.on_a, best.on_b, sideways)
    return best


@kernel
def _common_perpendicular(a, b, s, t, unit, sine):  # type: ignore[no-untyped-def]
    """Return the separation at inner parameters, with the more accurate of the two ways to the normal.

    The cross product of the directions is off by rounding / sine, the gap itself by rounding × size / distance.
    """
    p = at(a, s)
    # Once more against the found point: what s is off by then costs only a second-order error.
    t = nearest_parameter(b, p)
    q = at(b, t)
    gap = sub(q, p)
    distance = norm(gap)
    size = max(largest(sub(p, a.origin)), largest(sub(q, b.origin)), distance)
    if distance > sine * size:
        return Separation(distance, p, q, Vec3(gap.x / distance, gap.y / distance, gap.z / distance))
    across = dot(gap, unit)
    return Separation(abs(across), p, q, unit if across >= 0.0 else scale(unit, -1.0))


@kernel
def _nearest_side(a, b, skew):  # type: ignore[no-untyped-def]
    """Return the nearest of: the ends of A against B, the ends of B against A, and for parallel pieces their middle."""
    start = nearest_parameter(a, b.origin) if skew else _middle_of_overlap(a, b)
    best = point_linear(at(a, start), b)
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
    if below == -math.inf:
        probe = 0.0 if above == math.inf else above - (1.0 + abs(above))
    else:
        probe = below + (1.0 + abs(below)) if above == math.inf else 0.5 * below + 0.5 * above
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
    d = sub(tip, o) if line.hi < math.inf else tip
    t = linear_box_parameter(o, d, box.lo, box.hi, line.lo, line.hi)
    q = tip if t == 1.0 and line.hi < math.inf else along(o, t, d)
    b = clamp(q, box.lo, box.hi)
    gap = sub(b, q)
    distance = norm(gap)
    p = at(line, t)
    size = max(largest(sub(q, o)), largest(b), largest(q))
    if distance > ROUNDING * size:
        normal = out_of(box, Vec3(gap.x / distance, gap.y / distance, gap.z / distance))
        return Separation(distance, p, to_world(box, b), normal)
    # From here on coordinates are taken from a point inside, so that being far from the origin costs nothing.
    depth, normal = _way_out(sub(o, b), d, line.lo, line.hi, sub(box.lo, b), sub(box.hi, b))
    # Where do they touch once they are moved apart along the normal? A generous step keeps the question well posed.
    step = depth + max(abs(depth), largest(sub(box.hi, box.lo)), norm(d))
    t = linear_box_parameter(along(o, -step, normal), d, box.lo, box.hi, line.lo, line.hi)
    p = at(line, t)
    normal = out_of(box, normal)
    return Separation(-depth, p, along(p, -depth, normal), normal)


@kernel
def _way_out(o, d, first, last, lo, hi):  # type: ignore[no-untyped-def]
    """Return the shortest translation that takes a linear piece out of a box, and its normal, from piece to box.

    The candidates are the normals of the Minkowski difference: those of the box's faces, and those of the
    parallelograms that the piece makes with the box's edges. The piece passes through the origin, which is in the box.
    """
    depth, normal = math.inf, Vec3(0.0, 0.0, 1.0)
    length = norm(d)
    for k in range(6):
        m = Vec3(0.0, 0.0, 1.0)
        if k in (0, 3):
            m = Vec3(1.0, 0.0, 0.0)
        elif k in (1, 4):
            m = Vec3(0.0, 1.0, 0.0)
        if k >= 3:
            m = cross(m, d)
            sine = norm(m)
            if sine <= ROUNDING * length:
                continue
            m = Vec3(m.x / sine, m.y / sine, m.z / sine)
        line_lo, line_hi = _linear_extent(m, o, d, first, last, k >= 3)
        box_lo, box_hi = box_extent(m, lo, hi)
        if line_hi - box_lo < depth:
            depth, normal = line_hi - box_lo, m
        if box_hi - line_lo < depth:
            depth, normal = box_hi - line_lo, scale(m, -1.0)
    return depth, normal


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


@compiled("(n),(n),(),(),(),(n),(n),(),(),()->(),(),(n),(n),(n)")
def linear_linear_record(a, tip_a, lo_a, hi_a, ra, b, tip_b, lo_b, hi_b, rb, distance, size, on_a, on_b, normal):  # type: ignore[no-untyped-def]
    """Store the separation of two linear pieces with radii."""
    first, second = load_linear(a, tip_a, lo_a[0], hi_a[0]), load_linear(b, tip_b, lo_b[0], hi_b[0])
    reach = max(linear_size(first), linear_size(second))
    write(linear_linear(first, second), reach, ra[0], rb[0], distance, size, on_a, on_b, normal)


@compiled("(n),(n),(),(),(),(n),(n),(),(),()->(),()")
def linear_linear_distance(a, tip_a, lo_a, hi_a, ra, b, tip_b, lo_b, hi_b, rb, distance, size):  # type: ignore[no-untyped-def]
    """Store the signed distance of two linear pieces with radii."""
    first, second = load_linear(a, tip_a, lo_a[0], hi_a[0]), load_linear(b, tip_b, lo_b[0], hi_b[0])
    reach = max(linear_size(first), linear_size(second))
    write_distance(linear_linear(first, second), reach, ra[0], rb[0], distance, size)


@compiled("(n),(n),(),(),(),(n),(n,n),(n),(n),()->(),(),(n),(n),(n)")
def linear_box_record(a, tip, lo_a, hi_a, ra, b, axes, lo, hi, rb, distance, size, on_a, on_b, normal):  # type: ignore[no-untyped-def]
    """Store the separation of a linear piece with a radius and a box."""
    line, box = load_linear(a, tip, lo_a[0], hi_a[0]), load_box(b, axes, lo, hi)
    reach = max(linear_size(line), box_size(box))
    write(linear_box(line, box), reach, ra[0], rb[0], distance, size, on_a, on_b, normal)


@compiled("(n),(n),(),(),(),(n),(n,n),(n),(n),()->(),()")
def linear_box_distance(a, tip, lo_a, hi_a, ra, b, axes, lo, hi, rb, distance, size):  # type: ignore[no-untyped-def]
    """Store the signed distance of a linear piece with a radius and a box."""
    line, box = load_linear(a, tip, lo_a[0], hi_a[0]), load_box(b, axes, lo, hi)
    reach = max(linear_size(line), box_size(box))
    write_distance(linear_box(line, box), reach, ra[0], rb[0], distance, size)
