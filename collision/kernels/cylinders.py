"""A cylinder against a cylinder.

The ways across one side or one flat end are found as against any edge (`collision.kernels.cylinder`). What is left are
two rims: the direction from one to the other solves two equations, and Newton's method finds it on the sphere of
directions. Cores that are apart have one such direction, and the search by supports leads near it; the least depth of
cores that overlap can be near any of several, so the search starts from the best of directions all around.
"""

import math

from collision.kernels.cores import ROUNDING, Separation, linear
from collision.kernels.cylinder import (
    LEVEL,
    NEARLY,
    CylinderCore,
    Gap,
    Widest,
    across_edge,
    at_rim,
    cylinder_reach,
    cylinder_support,
    equally_wide,
    from_cylinder,
    no_gap,
    off_axis,
    rim_across,
    way_across,
    with_gap,
)
from collision.kernels.linear import linear_linear
from collision.kernels.support_search import support_search
from collision.kernels.vec3 import (
    EPS,
    Vec3,
    add,
    along,
    cross,
    dot,
    largest,
    norm,
    opposite,
    over,
    perpendicular,
    scale,
    sub,
)
from collision.native import kernel

#: How near the search by supports comes, relatively: Newton's method goes on from there.
_ROUGH = 1e-3

_SEARCH = support_search(cylinder_support, cylinder_support, _ROUGH)

#: The most steps of Newton's method, and from a rough start; and the most times that a step is shortened.
_STEPS, _FEW, _SHORTENED = 60, 8, 12

#: From within this part of the distance to the nearer axis Newton's method needs no watching.
_SURE = 1e-2

#: Directions whose sine to an axis is no more than this may have run into the normal of a flat end.
_NEAR_END = 1e-2

#: Axes whose cosine is more than this are nearly parallel.
_FACING = 0.99

#: Directions all around are taken from the sides of a cube, each with so many rows of so many.
_ROWS = 4


@kernel
def cylinder_cylinder(a: CylinderCore, b: CylinderCore) -> Separation:
    """Return the separation of two cylinders: the widest gap of all that can be, and points there."""
    way = sub(b.center, a.center)
    noise = ROUNDING * (largest(way) + a.half + a.radius + b.half + b.radius)
    best = _measured(no_gap(a.axis), a, b, way, a.axis, noise)
    best = _measured(best, a, b, way, b.axis, noise)
    best = _beside_sides(best, a, b, way, noise)
    # Apart, points that touch once the gap is closed prove that none is wider.
    touch = _touching(best.four, a, b, way, noise)
    if not best.width > noise or _off(touch, best.four, a, b, way) > noise:
        best = _between_rims(best, a, b, way, noise)
    gap, p, least = best.four, way, math.inf
    for k in range(4):
        if least > noise:
            trial = equally_wide(best, k)
            other = _touching(trial, a, b, way, noise)
            off = _off(other, trial, a, b, way)
            if off < least:
                gap, p, least = trial, other, off
    on_a = add(a.center, p)
    return Separation(gap.width, on_a, along(on_a, gap.width, gap.normal), gap.normal)


@kernel
def _measured(best: Widest, a: CylinderCore, b: CylinderCore, way: Vec3, n: Vec3, noise: float) -> Widest:
    """Return the widest of gaps and that between cylinders a way apart, along a unit vector or against it."""
    width = abs(dot(way, n)) - cylinder_reach(a, n) - cylinder_reach(b, n)
    return with_gap(best, width, scale(n, math.copysign(1.0, dot(way, n))), noise)


@kernel
def _beside_sides(best: Widest, a: CylinderCore, b: CylinderCore, way: Vec3, noise: float) -> Widest:
    """Return the widest of gaps and those across a side: to the other side, and to rims."""
    ways = across_edge(b.axis, a.axis)
    if ways.cosine > 0.0:
        best = _measured(best, a, b, way, ways.q, noise)
    aside = off_axis(a, way)
    rho = norm(aside)
    n = over(aside, rho) if rho > EPS * largest(way) else perpendicular(a.axis)
    best = _measured(best, a, b, way, n, noise)
    for k in range(4):
        side, rims = (a, b) if k < 2 else (b, a)
        ways = across_edge(rims.axis, side.axis)
        v = along(scale(rims.axis, rims.half), 1.0 - 2.0 * (k & 1), way)
        found, t = rim_across(ways, v, rims.radius, -math.inf, math.inf)
        if found:
            best = _measured(best, a, b, way, way_across(ways, t), noise)
    return best


@kernel
def _between_rims(best: Widest, a: CylinderCore, b: CylinderCore, way: Vec3, noise: float) -> Widest:
    """Return the widest of gaps and those between two rims."""
    near = _SEARCH(a, b, way)
    best = _measured(best, a, b, way, _newton(a, b, way, near.normal, _STEPS), noise)
    if abs(dot(a.axis, b.axis)) > _FACING:
        best = _between_ends(best, a, b, way, noise)
    n, there = _off_end(best.one.normal, a, b, way)
    if there:
        best = _measured(best, a, b, way, _newton(a, b, way, n, _STEPS), noise)
    n, there = _off_end(opposite(best.one.normal), b, a, opposite(way))
    if there:
        best = _measured(best, a, b, way, _newton(a, b, way, opposite(n), _STEPS), noise)
    return best if best.width > 0.0 else _all_around(best, a, b, way, noise)


# -- two rims -------------------------------------------------------------------------------------------------------


@kernel
def _overlap(a: CylinderCore, b: CylinderCore, way: Vec3, n: Vec3) -> float:
    """Return by how much two cylinders overlap along a unit vector from A to B."""
    return cylinder_reach(a, n) + cylinder_reach(b, n) - dot(way, n)


@kernel
def _newton(a: CylinderCore, b: CylinderCore, way: Vec3, n: Vec3, steps: int) -> Vec3:
    """Return the direction near another along which two cylinders overlap least, where each is foremost with a rim.

    The slope is the vector between the foremost points; a rim adds its radius over the sine to the curvature, along
    the rim. Steps that are not sure to be good are shortened until they are.
    """
    for _ in range(steps):
        aside_a, aside_b = off_axis(a, n), off_axis(b, n)
        sine_a, sine_b = norm(aside_a), norm(aside_b)
        if min(sine_a, sine_b) <= LEVEL:
            break
        slope = sub(along(scale(a.axis, math.copysign(a.half, dot(a.axis, n))), a.radius / sine_a, aside_a), way)
        slope = along(along(slope, math.copysign(b.half, dot(b.axis, n)), b.axis), b.radius / sine_b, aside_b)
        e1 = perpendicular(n)
        e2, overlap = cross(n, e1), dot(slope, n)
        g1, g2 = dot(slope, e1), dot(slope, e2)
        rim_a, rim_b = over(cross(a.axis, n), sine_a), over(cross(b.axis, n), sine_b)
        a1, a2, b1, b2 = dot(rim_a, e1), dot(rim_a, e2), dot(rim_b, e1), dot(rim_b, e2)
        bend_a, bend_b = a.radius / sine_a, b.radius / sine_b
        h11, h22 = bend_a * a1 * a1 + bend_b * b1 * b1 - overlap, bend_a * a2 * a2 + bend_b * b2 * b2 - overlap
        h12 = bend_a * a1 * a2 + bend_b * b1 * b2
        det, total = h11 * h22 - h12 * h12, h11 + h22
        if det > 0.0 and total > 0.0:
            s1, s2 = (h12 * g2 - h22 * g1) / det, (h12 * g1 - h11 * g2) / det
        else:
            root = math.sqrt(max(total * total - 4.0 * det, 0.0))
            steep = max(abs(0.5 * (total + root)), abs(0.5 * (total - root)), abs(overlap))
            if not steep > 0.0:
                break
            s1, s2 = -g1 / steep, -g2 / steep
        size = math.sqrt(s1 * s1 + s2 * s2)
        sure = det > 0.0 and total > 0.0 and size <= _SURE * min(sine_a, sine_b)
        part = min(1.0, 0.5 / size) if size > 0.0 else 1.0
        following = over_unit(along(along(n, part * s1, e1), part * s2, e2))
        before, better = _overlap(a, b, way, n), sure
        for _ in range(_SHORTENED):
            if better or _overlap(a, b, way, following) < before:
                better = True
                break
            part *= 0.25
            following = over_unit(along(along(n, part * s1, e1), part * s2, e2))
        if not better:
            break
        n = following
        if size <= 2.0 * EPS:
            break
    return n


@kernel
def over_unit(v: Vec3) -> Vec3:
    """Return the unit vector along a vector."""
    return scale(v, 1.0 / norm(v))


@kernel
def _between_ends(best: Widest, a: CylinderCore, b: CylinderCore, way: Vec3, noise: float) -> Widest:
    """Return the widest of gaps and that along a direction between the nearly parallel normals of two flat ends."""
    facing = scale(b.axis, math.copysign(1.0, dot(a.axis, b.axis)))
    tilt = sub(facing, a.axis)
    if largest(tilt) <= LEVEL:
        return best
    n = over_unit(add(a.axis, facing))
    n = scale(n, math.copysign(1.0, dot(n, way)))
    aside = cross(n, tilt)  # off the line between both normals, where nothing is smooth
    n = over_unit(along(n, math.copysign(0.5, dot(aside, way)), aside))
    return _measured(best, a, b, way, _newton(a, b, way, n, _STEPS), noise)


@kernel
def _off_end(n: Vec3, a: CylinderCore, b: CylinderCore, way: Vec3) -> tuple[Vec3, bool]:
    """Return a direction on the better side of the normal of A's flat end, if one is near it and that is not the best.

    Newton's method does not come past that normal, where nothing is smooth. It is the best direction if the foremost
    point of B is over the end; else better ones lean to that point.
    """
    end = scale(a.axis, math.copysign(1.0, dot(a.axis, n)))
    if norm(cross(a.axis, n)) > _NEAR_END:
        return n, False
    q = add(way, cylinder_support(b, opposite(end)))
    aside = off_axis(a, q)
    rho, sine = norm(aside), norm(cross(b.axis, end))
    if rho <= a.radius or sine <= LEVEL:
        return n, False
    lean = min((rho - a.radius) / (b.radius / sine + abs(dot(q, end))), 0.25)
    return over_unit(along(end, lean / rho, aside)), True


@kernel
def _all_around(best: Widest, a: CylinderCore, b: CylinderCore, way: Vec3, noise: float) -> Widest:
    """Return the widest of gaps and those found from the best directions of each side of a cube."""
    best = _measured(best, a, b, way, _newton(a, b, way, best.one.normal, _FEW), noise)
    for side in range(3):
        start = no_gap(a.axis)
        for k in range(_ROWS * _ROWS):
            x, y = (2.0 * (k % _ROWS) + 1.0) / _ROWS - 1.0, (2.0 * (k // _ROWS) + 1.0) / _ROWS - 1.0
            n = Vec3(1.0, x, y) if side == 0 else (Vec3(x, 1.0, y) if side == 1 else Vec3(x, y, 1.0))
            start = _measured(start, a, b, way, over_unit(n), 0.0)
        best = _measured(best, a, b, way, _newton(a, b, way, start.four.normal, _FEW), noise)
    return _measured(best, a, b, way, _newton(a, b, way, best.one.normal, _STEPS), noise)


# -- points that touch ----------------------------------------------------------------------------------------------


@kernel
def _off(p: Vec3, best: Gap, a: CylinderCore, b: CylinderCore, way: Vec3) -> float:
    """Return by how much a point is off the surface of A, or off that of B once the gap has led it there."""
    there = sub(along(p, best.width, best.normal), way)
    return max(abs(from_cylinder(a, p)[0]), abs(from_cylinder(b, there)[0]))


@kernel
def _touching(best: Gap, a: CylinderCore, b: CylinderCore, way: Vec3, noise: float) -> Vec3:
    """Return the point of A, from its center, that the gap leads to one of B."""
    n, first = best.normal, -1
    if max(abs(dot(a.axis, n)), abs(dot(b.axis, n))) <= NEARLY:
        first = 10
    elif max(norm(cross(a.axis, n)), norm(cross(b.axis, n))) <= NEARLY:
        first = 1
    p = _trial(first, best, a, b, way) if first > 0 else cylinder_support(a, n)
    least = _off(p, best, a, b, way)
    if least > noise and first > 0:
        p = cylinder_support(a, n)
        least = _off(p, best, a, b, way)
    for k in range(11):
        if least > noise:
            other = _trial(k, best, a, b, way)
            off = _off(other, best, a, b, way)
            if off < least:
                p, least = other, off
    return p


@kernel
def _trial(k: int, best: Gap, a: CylinderCore, b: CylinderCore, way: Vec3) -> Vec3:
    """Return a point of A that may touch B: what is foremost may be a point, the middle of an end, or a side."""
    gap, n = best
    closed = along(way, -gap, n)  # the center of B once the gap is closed
    if k == 0:
        return add(closed, cylinder_support(b, opposite(n)))
    end_a = scale(a.axis, math.copysign(a.half, dot(a.axis, n)))
    end_b = along(closed, -math.copysign(b.half, dot(b.axis, n)), b.axis)
    aside_a, aside_b = off_axis(a, n), off_axis(b, n)
    sine_a, sine_b = norm(aside_a), norm(aside_b)
    if k == 1:
        return _in_both_ends(end_a, a.radius, end_b, b.radius, n)
    side_a = scale(aside_a, a.radius / sine_a) if sine_a > NEARLY else end_a
    side_b = along(closed, -b.radius / sine_b, aside_b) if sine_b > NEARLY else end_b
    if k == 2:  # a flat end of A on the side of B
        return along(side_b, min(max(dot(sub(end_a, side_b), b.axis), -b.half), b.half), b.axis)
    if k == 3:
        return along(side_a, min(max(dot(sub(end_b, side_a), a.axis), -a.half), a.half), a.axis)
    if k < 6:  # where a side crosses a rim
        return along(side_b, min(max(at_rim(a, side_b, b.axis, k & 1), -b.half), b.half), b.axis)
    if k < 8:
        t = at_rim(b, sub(side_a, closed), a.axis, k & 1)
        return along(side_a, min(max(t, -a.half), a.half), a.axis)
    if k < 10:
        return _on_both_rims(end_a, a.radius, end_b, b.radius, n, k)
    tip_a, tip_b = scale(a.axis, a.half), scale(b.axis, b.half)
    one = linear(sub(side_a, tip_a), add(side_a, tip_a), 0.0, 1.0)
    return linear_linear(one, linear(sub(side_b, tip_b), add(side_b, tip_b), 0.0, 1.0)).on_a


@kernel
def _in_both_ends(end_a: Vec3, radius_a: float, end_b: Vec3, radius_b: float, n: Vec3) -> Vec3:
    """Return the middle of what two discs across a unit vector have in common, on the line between their middles."""
    between = sub(end_b, end_a)
    between = along(between, -dot(between, n), n)
    long = norm(between)
    first, last = max(-radius_a, long - radius_b), min(radius_a, long + radius_b)
    return along(end_a, 0.5 * (first + last) / long, between) if long > 0.0 else end_a


@kernel
def _on_both_rims(end_a: Vec3, radius_a: float, end_b: Vec3, radius_b: float, n: Vec3, k: int) -> Vec3:
    """Return one of two points where two rims cross, nearly across a unit vector both."""
    between = sub(end_b, end_a)
    between = along(between, -dot(between, n), n)
    long = norm(between)
    if not long > 0.0:
        return end_a
    x = 0.5 * (long + (radius_a - radius_b) * ((radius_a + radius_b) / long))
    x = min(max(x, -radius_a), radius_a)
    y = math.sqrt((radius_a - x) * (radius_a + x)) * (2.0 * (k & 1) - 1.0)
    return along(along(end_a, x / long, between), y / long, cross(n, between))
