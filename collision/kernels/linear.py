"""A linear piece (segment, capsule axis, ray, line) against a linear piece and a box.

What a normal has to fulfil is kept by construction: along it neither core reaches beyond its witness point. Inside a
piece it is at a right angle to the piece, at an end it leads on from there, and beside a box it leads away from the
sides that the point is at. What a gap, which is a sum of rounded numbers, has against these conditions is taken off.
"""

import math

import numpy as np

from collision.base.fields import FloatArray
from collision.kernels.cores import (
    ROUNDING,
    Box,
    Linear,
    Separation,
    at,
    clamp,
    into,
    linear,
    offset,
    out_of,
    swapped,
    to_local,
    to_world,
)
from collision.kernels.extents import Cone, Edge, Extent, Operands, Outline, zonotope
from collision.kernels.point import point_linear
from collision.kernels.vec3 import (
    EPS,
    Vec3,
    add,
    along,
    cross,
    cross_exactly,
    dot,
    largest,
    norm,
    over,
    perpendicular,
    scale,
    sub,
    times,
)
from collision.native import kernel


@kernel
def linear_linear(a: Linear, b: Linear) -> Separation:
    """Return the separation of two linear pieces.

    The squared distance is a convex quadratic over the rectangle of the two spans. To clamp both parameters of the
    common perpendicular independently is a classic mistake: it is wrong for about half of all pairs. One parameter is
    clamped, the other found for it; if that had to be clamped too, the first is found anew (Ericson, *Real-Time
    Collision Detection*, section 5.1.9). The perpendicular is found through the cross product of the directions, which
    stays accurate for nearly parallel pieces where the textbook's difference of squares cancels.
    """
    u, v = a.direction, b.direction
    if dot(u, u) == 0.0:
        return point_linear(a.origin, b)
    if dot(v, v) == 0.0:
        return swapped(point_linear(b.origin, a))
    n, sine, steep = across(a, b)
    if sine == 0.0:
        return _parallel(a, b)
    unit, w = scale(n, 1.0 / sine), sub(b.origin, a.origin)
    s = dot(cross(w, v), unit) / sine
    s = min(max(s, a.lo), a.hi)
    t = clamped(b, along(scale(w, -1.0), s, u))
    if t == b.lo or t == b.hi:
        s = clamped(a, along(w, t, v))
    if s == a.lo or s == a.hi:
        return _from_end(a, b, s, t, unit)
    if t == b.lo or t == b.hi:
        return swapped(_from_end(b, a, t, s, unit))
    return common_perpendicular(a, b, s, unit, steep)


@kernel
def across(a: Linear, b: Linear) -> tuple[Vec3, float, bool]:
    """Return the cross product of two directions, its length (0 if they are parallel), and if they are steep."""
    u, v = a.direction, b.direction
    product = norm(u) * norm(v)
    n = cross(u, v)
    sine = norm(n)
    if sine >= 0.25 * product:
        return n, sine, True
    n = cross_exactly(u, v)  # of the other much would be rounding
    sine = norm(n)
    same = sine <= (EPS if a.hi == math.inf == b.hi else 2.0 * EPS) * product
    return n, 0.0 if same else sine, False


@kernel
def common_perpendicular(a: Linear, b: Linear, s: float, unit: Vec3, steep: bool) -> Separation:
    """Return the separation at inner parameters, given the unit vector along the cross product of the directions."""
    # Each once more against the other: what s was off by then costs only a second-order error, also near an end. All in
    # differences: far from the origin the points themselves are rounded more coarsely than the gap need be.
    w = sub(b.origin, a.origin)
    t = clamped(b, along(scale(w, -1.0), s, a.direction))
    s = clamped(a, along(w, t, b.direction))
    t = clamped(b, along(scale(w, -1.0), s, a.direction))
    # Nearly parallel pieces may be nearest so far away that only the gap of their origins is known well.
    gap = along(along(w, t, b.direction), -s, a.direction) if steep else w
    side = dot(gap, unit)
    return Separation(abs(side), at(a, s), at(b, t), scale(unit, math.copysign(1.0, side)))


@kernel
def _from_end(a: Linear, b: Linear, s: float, t: float, unit: Vec3) -> Separation:
    """Return the separation at parameters of which that of A is at an end; where they touch, sideways along `unit`."""
    p, q = at(a, s), at(b, t)
    noise = ROUNDING * max(largest(sub(p, a.origin)), largest(sub(q, b.origin)))
    gap = leading_on(offset(b, t, p), a, s, noise)
    gap = scale(leading_on(scale(gap, -1.0), b, t, noise), -1.0)
    distance = norm(gap)
    again = leading_on(gap, a, s, noise)  # what was taken off along B may lead into A
    if distance <= noise or largest(sub(gap, again)) > 4.0 * ROUNDING * distance:
        return Separation(distance, p, q, scale(unit, math.copysign(1.0, dot(gap, unit))))
    return Separation(distance, p, q, over(gap, distance))


@kernel
def leading_on(gap: Vec3, line: Linear, t: float, noise: float) -> Vec3:
    """Return a gap without its part along a linear piece, unless that leads on from an end that the parameter is at."""
    rise, squared = dot(gap, line.direction), dot(line.direction, line.direction)
    left = line.hi - t if rise > 0.0 else t - line.lo
    return gap if left * left * squared <= noise * noise else along(gap, -rise / squared, line.direction)


@kernel
def _parallel(a: Linear, b: Linear) -> Separation:
    """Return the separation of parallel pieces: in the middle of where they lie side by side, or at an end."""
    w, s = sub(b.origin, a.origin), _middle_of_overlap(a, b)
    t = clamped(b, along(scale(w, -1.0), s, a.direction))
    s = clamped(a, along(w, t, b.direction))
    return _from_end(a, b, s, t, perpendicular(a.direction))


@kernel
def clamped(line: Linear, from_origin: Vec3) -> float:
    """Return the parameter of the point of a linear piece nearest to a point given from its origin."""
    t = dot(from_origin, line.direction) / dot(line.direction, line.direction)
    return min(max(t, line.lo), line.hi)


@kernel
def _middle_of_overlap(a: Linear, b: Linear) -> float:
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
def linear_box_parameter(o: Vec3, d: Vec3, lo: Vec3, hi: Vec3, first: float, last: float) -> float:
    """Return the parameter in [first, last] at which o + t d is nearest to a box.

    The squared distance is the sum over the axes of d² times the squared distance of t from the interval in which the
    axis's slab is crossed. If the intervals have something in common, its middle serves. If not, the least sum lies
    between the one that ends first and the one that begins last: their weighted mean, or one with the third interval's
    end included.
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
def _slab(o: float, d: float, lo: float, hi: float) -> tuple[float, float, float]:
    """Return the parameters between which o + t d is in [lo, hi], and the weight d² of a step beyond them."""
    if d * d == 0.0:
        return -math.inf, math.inf, 0.0
    first, last = (lo - o) / d, (hi - o) / d
    return min(first, last), max(first, last), d * d


@kernel
def _is(a: float, b: float, c: float, d: float) -> float:
    """Return 1 if a is b or c is d, else 0."""
    return 1.0 * ((a == b) | (c == d))


@kernel
def linear_box(line: Linear, box: Box) -> Separation:
    """Return the separation of a linear piece and a box."""
    o = to_local(box, line.origin)
    tip = to_local(box, line.tip) if line.hi < math.inf else into(box, line.direction)
    local = linear(o, tip, line.lo, line.hi)
    t = linear_box_parameter(o, local.direction, box.lo, box.hi, line.lo, line.hi)
    q = at(local, t)
    b = clamp(q, box.lo, box.hi)
    gap = sub(b, q)
    distance = norm(gap)
    size = max(largest(sub(q, o)), largest(q))
    if distance > 4.0 * ROUNDING * size:
        rise = dot(gap, local.direction)
        if t != (line.hi if rise > 0.0 else line.lo):
            gap = _upright(gap, local.direction, q, box.lo, box.hi, 4.0 * ROUNDING * size)
        return Separation(distance, at(line, t), to_world(box, b), out_of(box, over(gap, norm(gap))))
    gap_out, normal, t_out, b = _way_out(local, t, box.lo, box.hi)
    normal = out_of(box, normal)
    if distance > ROUNDING * size:  # apart, but by so little that the gap's direction is noise: the way out serves
        return Separation(distance, at(line, t), along(at(line, t), distance, normal), normal)
    return Separation(gap_out, at(line, t_out), to_world(box, b), normal)


@kernel
def _upright(gap: Vec3, d: Vec3, q: Vec3, lo: Vec3, hi: Vec3, tolerance: float) -> Vec3:
    """Return the way from a point q inside a linear piece to the point of a box nearest to it, at a right angle to d.

    Beside an edge the cross product with it is the way. Beside a corner the gap is, less its part along d; if that
    leads into the box, rounding has hidden that an edge from the corner is just as near.
    """
    over, under = beyond(q, hi, tolerance), beyond(scale(q, -1.0), scale(lo, -1.0), tolerance)
    inside = times(sub(Vec3(1.0, 1.0, 1.0), over), sub(Vec3(1.0, 1.0, 1.0), under))
    count = inside.x + inside.y + inside.z
    if count == 1.0:
        across = cross(inside, d)
        parallel = largest(across) <= ROUNDING * largest(d)  # then the product is noise, and any way across serves
        return gap if parallel else scale(across, math.copysign(1.0, dot(across, gap)))
    if count == 2.0:
        return gap
    upright = along(gap, -dot(gap, d) / dot(d, d), d)
    if leads_out(upright, ROUNDING * norm(upright), over, under):
        return upright
    way, gain = _better(gap, 0.0, gap, Vec3(1.0, 0.0, 0.0), d, over, under)
    way, gain = _better(way, gain, gap, Vec3(0.0, 1.0, 0.0), d, over, under)
    return _better(way, gain, gap, Vec3(0.0, 0.0, 1.0), d, over, under)[0]


@kernel
def _better(way: Vec3, gain: float, gap: Vec3, edge: Vec3, d: Vec3, over: Vec3, under: Vec3) -> tuple[Vec3, float]:
    """Return a way with how far the gap goes along it, or that across an edge where the gap goes farther."""
    across = cross(edge, d)
    sine = norm(across)
    other = dot(across, gap)
    across, tolerance = scale(across, math.copysign(1.0, other)), ROUNDING * norm(across)
    if abs(other) > gain * sine and sine > ROUNDING * norm(d) and leads_out(across, tolerance, over, under):
        return across, abs(other) / sine
    return way, gain


@kernel
def beyond(q: Vec3, hi: Vec3, tolerance: float) -> Vec3:
    """Return 1 for each coordinate that is beyond a limit, or nearer to it than a tolerance, else 0."""
    return Vec3(1.0 * (q.x >= hi.x - tolerance), 1.0 * (q.y >= hi.y - tolerance), 1.0 * (q.z >= hi.z - tolerance))


@kernel
def leads_out(way: Vec3, tolerance: float, over: Vec3, under: Vec3) -> bool:
    """Tell whether a way to a box leads, but for a tolerance, into no side it comes from (in flat boxes from both)."""
    n, up, down = way, sub(over, times(over, under)), sub(under, times(over, under))
    return max(n.x * up.x, n.y * up.y, n.z * up.z, -n.x * down.x, -n.y * down.y, -n.z * down.z) <= tolerance


@kernel
def _way_out(line: Linear, inside: float, lo: Vec3, hi: Vec3) -> tuple[float, Vec3, float, Vec3]:
    """Return how a linear piece that touches or enters a box leaves it: negative gap, way, and witness points."""
    gap, normal, end = _widest_gap(line, inside, lo, hi)
    moved = Linear(along(line.origin, gap, normal), line.direction, along(line.tip, gap, normal), line.lo, line.hi)
    size = max(largest(sub(hi, lo)), largest(moved.origin), largest(at(moved, inside)))
    # A piece that is level to rounding, over the part inside, touches with all of that; another one with its end.
    t = inside if _miss(moved, inside, lo, hi) <= ROUNDING * size else end
    if t == end and _miss(moved, end, lo, hi) > ROUNDING * size:
        t = linear_box_parameter(moved.origin, line.direction, lo, hi, line.lo, line.hi)
    return gap, normal, t, clamp(at(moved, t), lo, hi)


@kernel
def _miss(line: Linear, t: float, lo: Vec3, hi: Vec3) -> float:
    """Return by how much a point of a linear piece misses a box, in its largest coordinate."""
    q = at(line, t)
    return largest(sub(q, clamp(q, lo, hi)))


@kernel
def _widest_gap(line: Linear, inside: float, lo: Vec3, hi: Vec3) -> tuple[float, Vec3, float]:
    """Return the widest gap between a linear piece and a box, its normal, and where the piece comes out last.

    The candidates are the normals of the Minkowski difference: those of the box's faces, and those of the
    parallelograms that the piece makes with the box's edges. Each axis is the first in turn: its product with the
    direction is (0, -d.z, d.y).
    """
    start = line.origin if line.lo == 0.0 else _endless(line.origin, scale(line.direction, -1.0))
    tip = line.tip if line.hi < math.inf else _endless(line.origin, line.direction)
    d, half, far = line.direction, scale(sub(hi, lo), 0.5), sub(at(line, inside), scale(add(lo, hi), 0.5))
    far, parallel = cross(d, far), ROUNDING * norm(d)
    gap, normal, end = -math.inf, unit_axis(0), inside
    for k in range(3):
        up, down = lo.x - max(start.x, tip.x), min(start.x, tip.x) - hi.x
        if max(up, down) > gap:
            gap, normal = max(up, down), scale(unit_axis(k), 1.0 if up >= down else -1.0)
            end = line.hi if (tip.x > start.x) == (up >= down) else line.lo
        sine = math.sqrt(d.y * d.y + d.z * d.z)
        if sine > parallel:  # parallel edges give only noise
            other = (abs(far.x) - half.y * abs(d.z) - half.z * abs(d.y)) / sine
            if other - EPS * abs(other) > gap:  # must be better than a face by more than rounding
                gap, end = other, inside
                normal = scale(cross(unit_axis(k), line.direction), -math.copysign(1.0 / sine, far.x))
        start, tip, lo, hi, d, half, far = turn(start), turn(tip), turn(lo), turn(hi), turn(d), turn(half), turn(far)
    return gap, normal, end


@kernel
def turn(v: Vec3) -> Vec3:
    """Return a vector with its coordinates moved up by one, so that each is the first in turn."""
    return Vec3(v.y, v.z, v.x)


@kernel
def unit_axis(i: int) -> Vec3:
    """Return the unit vector of axis 0, 1 or 2."""
    return Vec3(1.0 * (i == 0), 1.0 * (i == 1), 1.0 * (i == 2))


@kernel
def _endless(o: Vec3, d: Vec3) -> Vec3:
    """Return the coordinates that a point reaches that moves from o along d for ever."""
    return Vec3(
        o.x if d.x == 0.0 else math.copysign(math.inf, d.x),
        o.y if d.y == 0.0 else math.copysign(math.inf, d.y),
        o.z if d.z == 0.0 else math.copysign(math.inf, d.z),
    )


@kernel
def support(m: Vec3, half: Vec3) -> Vec3:
    """Return the farthest point of a box along m, from its center; the middle of where it is level."""
    return Vec3(_end(m.x, half.x), _end(m.y, half.y), _end(m.z, half.z))


@kernel
def _end(rise: float, half: float) -> float:
    """Return the end of an interval about zero that a slope leads to, or zero if the slope is level to rounding."""
    return math.copysign(half, rise) * (abs(rise) > ROUNDING)


# -- in NumPy ----------------------------------------------------------------------------------------------------------


def _middle(core: Operands) -> FloatArray:
    start, tip, _, hi, _ = core
    return np.asarray(start if hi == math.inf else 0.5 * start + 0.5 * tip)


def _vertices(core: Operands) -> FloatArray:
    return np.stack(np.broadcast_arrays(core[0], core[1]))


def _outline(core: Operands) -> Outline:
    start, tip, lo, hi, _ = core
    if hi == math.inf:
        return zonotope(start, [Edge(tip, True, bool(lo < 0.0))])
    half = 0.5 * tip - 0.5 * start
    return zonotope(start + half, [Edge(half)])


def _cone(core: Operands) -> Cone | None:
    _, direction, lo, hi, _ = core
    return Cone(direction, both_ways=bool(lo < 0.0)) if hi == math.inf else None


EXTENT = Extent(_middle, _outline, _cone, _vertices)
