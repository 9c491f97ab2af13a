"""The cylinder with flat ends: the core, and its separation from every other.

Along a unit vector n a cylinder reaches half its length times |n . axis| and its radius times |n x axis| from its
center. Two cores are as far apart as the widest gap that their reaches leave between them along any direction; where
the widest is negative, it is the least depth. The direction is of one of a few families, in each of which it solves an
equation in one unknown: the normals of flat faces, the ways across two straight edges, the ways from corners, and the
ways across an edge or a side to a rim (`rim_across`). All are measured by the true reaches, so none can be too good.
Two rims alone need two unknowns; `collision.kernels.cylinders` finds those.
"""

import math
from typing import NamedTuple

import numpy as np

from collision.base.fields import FloatArray, length
from collision.kernels.clips import SurfacePoint
from collision.kernels.cores import (
    ROUNDING,
    TOUCH,
    Box,
    Linear,
    Separation,
    at,
    clamp,
    half_of,
    into,
    linear,
    middle_of,
    nearest_parameter,
    offset,
    out_of,
    to_world,
)
from collision.kernels.extents import Convex, Extent, Operands, no_cone
from collision.kernels.features import Feature, Span, edge_feature, face_feature, point_feature
from collision.kernels.halfspace import HalfSpaceCore, height
from collision.kernels.linear import linear_box_parameter, linear_linear, support, unit_axis
from collision.kernels.nearness import Corners, linear_bound
from collision.kernels.turned import Pose, TurningKernels, from_axis, put, turn, unchanged
from collision.kernels.vec3 import (
    EPS,
    Vec3,
    absolute,
    add,
    along,
    cross,
    dot,
    largest,
    load,
    norm,
    opposite,
    over,
    perpendicular,
    scale,
    store,
    sub,
)
from collision.native import Floats, Ints, Table, kernel


class CylinderCore(NamedTuple):
    """The points within a radius of an axis, between the planes across it at its two ends."""

    start: Vec3
    end: Vec3
    center: Vec3
    axis: Vec3
    half: float
    radius: float


#: A cosine or a sine that is no more than this is zero: what rounding the products of two unit vectors leaves.
LEVEL = 2.0 * ROUNDING

#: Features within this angle of level are tried for witness points; what is found is measured.
NEARLY = 1e-6

#: The most steps to the root of an equation in one unknown, each of which at least halves an angle.
_STEPS = 64


@kernel
def cylinder(start: Vec3, end: Vec3, radius: float) -> CylinderCore:
    """Return the cylinder between two points; one of no length is a disc across the z axis."""
    way = sub(end, start)
    size = norm(way)
    axis = over(way, size) if size > 0.0 else Vec3(0.0, 0.0, 1.0)
    axis = scale(axis, 1.5 - 0.5 * dot(axis, axis))  # unit to rounding
    return CylinderCore(start, end, add(scale(start, 0.5), scale(end, 0.5)), axis, 0.5 * size, radius)


@kernel
def read_cylinder(table: Table, strides: Ints, i: int) -> tuple[CylinderCore, float]:
    """Read element i of the operands of a cylinder: the core and by how much it is grown."""
    core = cylinder(load(table[0], i * strides[0]), load(table[1], i * strides[1]), table[2][i * strides[2]])
    return core, table[3][i * strides[3]]


@kernel
def load_cylinder(numbers: Floats, k: int) -> CylinderCore:
    """Read a cylinder from its row, which begins at number k."""
    center, axis = load(numbers, k + 6), load(numbers, k + 9)
    return CylinderCore(load(numbers, k), load(numbers, k + 3), center, axis, numbers[k + 12], numbers[k + 13])


@kernel
def store_cylinder(numbers: Floats, k: int, core: CylinderCore) -> None:
    """Write the row of a cylinder."""
    store(numbers, k, core.start)
    store(numbers, k + 3, core.end)
    store(numbers, k + 6, core.center)
    store(numbers, k + 9, core.axis)
    numbers[k + 12], numbers[k + 13] = core.half, core.radius


@kernel
def cylinder_size(core: CylinderCore) -> float:
    """Return a bound on the coordinates of a cylinder that rounding is measured by."""
    return max(largest(core.start), largest(core.end)) + core.radius


@kernel
def cylinder_corners(core: CylinderCore) -> tuple[Vec3, Vec3]:
    """Return the smallest and the largest coordinates of a cylinder."""
    a, b, u, r = core.start, core.end, core.axis, core.radius
    x, y, z = math.sqrt(u.y * u.y + u.z * u.z), math.sqrt(u.z * u.z + u.x * u.x), math.sqrt(u.x * u.x + u.y * u.y)
    return (
        Vec3(min(a.x, b.x) - r * x, min(a.y, b.y) - r * y, min(a.z, b.z) - r * z),
        Vec3(max(a.x, b.x) + r * x, max(a.y, b.y) + r * y, max(a.z, b.z) + r * z),
    )


@kernel
def cylinder_bound(core: CylinderCore, radius: float, box: Corners, other: Corners) -> float:
    """Return how near, at least, a cylinder is to a shape in a box, squared: by the capsule around it."""
    axis = Linear(core.start, sub(core.end, core.start), core.end, 0.0, 1.0)
    return linear_bound(axis, radius + core.radius, box, other)


@kernel
def moved_cylinder(core: CylinderCore, t: float, v: Vec3) -> CylinderCore:
    """Return a cylinder after a part of its motion."""
    start, end, center = along(core.start, t, v), along(core.end, t, v), along(core.center, t, v)
    return CylinderCore(start, end, center, core.axis, core.half, core.radius)


# -- points, reaches and supports, all from the center -------------------------------------------------------------


@kernel
def off_axis(core: CylinderCore, v: Vec3) -> Vec3:
    """Return the part of a vector at a right angle to the axis; exactly so, however long the rest is."""
    aside = along(v, -dot(v, core.axis), core.axis)
    return along(aside, -dot(aside, core.axis), core.axis)


@kernel
def cylinder_reach(core: CylinderCore, n: Vec3) -> float:
    """Return how far a cylinder reaches from its center along a unit vector."""
    return core.half * abs(dot(core.axis, n)) + core.radius * norm(cross(core.axis, n))


@kernel
def cylinder_support(core: CylinderCore, direction: Vec3) -> Vec3:
    """Return the farthest point in a direction of any length, from the center; the middle of what is level."""
    rise, aside, long = dot(core.axis, direction), off_axis(core, direction), norm(direction)
    across = norm(aside)
    tip = scale(core.axis, math.copysign(core.half, rise) * (abs(rise) > LEVEL * long))
    return along(tip, core.radius / across, aside) if across > LEVEL * long else tip


@kernel
def from_cylinder(core: CylinderCore, p: Vec3) -> tuple[float, Vec3, Vec3]:
    """Return how far outside a point is, given from the center, the nearest surface point, and the normal there."""
    z, aside = dot(core.axis, p), off_axis(core, p)
    rho, up = norm(aside), math.copysign(1.0, z)
    out = over(aside, rho) if rho > EPS * abs(z) else perpendicular(core.axis)
    dz, dr = abs(z) - core.half, rho - core.radius
    if dz > 0.0 and dr > 0.0:
        gap = norm(Vec3(dz, dr, 0.0))
        normal = along(scale(out, dr / gap), dz / gap * up, core.axis)
        return gap, along(scale(out, core.radius), core.half * up, core.axis), normal
    if dr >= dz:
        return dr, along(p, -dr, out), out
    return dz, along(p, -dz * up, core.axis), scale(core.axis, up)


# -- the ways across an edge to a rim -------------------------------------------------------------------------------


@kernel
def _cube_root_squared(x: float) -> float:
    """Return the power 2/3 of a number, near enough: y = sqrt(sqrt(x y)) makes it the cube root, thrice Newton does."""
    y = 1.0
    for _ in range(10):
        y = math.sqrt(math.sqrt(x) * math.sqrt(y)) if x < 1e-150 or x > 1e150 else math.sqrt(math.sqrt(x * y))
    for _ in range(3):
        y -= (y - x / (y * y)) / 3.0 if y > 0.0 else 0.0
    return y * y


class Across(NamedTuple):
    """The directions across an edge, n = (k + t q) / |k + t q|: k is as near to an axis as can be, q across it.

    The cosine and the sine are those of the angle between the axis and k; where that is a right angle, the edge runs
    along the axis, and no n leads to a rim.
    """

    k: Vec3
    q: Vec3
    cosine: float
    sine: float


@kernel
def across_edge(axis: Vec3, edge: Vec3) -> Across:
    """Return the directions across an edge, given by a unit vector, seen from an axis."""
    q = cross(edge, axis)
    cosine = norm(q)
    q = over(q, cosine) if cosine > LEVEL else perpendicular(edge)
    q = along(q, -dot(q, edge), edge)
    q = over(q, norm(q))
    return Across(cross(q, edge), q, cosine if cosine > LEVEL else 0.0, abs(dot(axis, edge)))


@kernel
def way_across(ways: Across, t: float) -> Vec3:
    """Return the unit vector with a parameter, which may be infinite."""
    if abs(t) > 1.0:
        return scale(along(ways.q, 1.0 / t, ways.k), math.copysign(1.0, t) / math.sqrt(1.0 + (1.0 / t) * (1.0 / t)))
    return scale(along(ways.k, t, ways.q), 1.0 / math.sqrt(1.0 + t * t))


@kernel
def _slope(x: float, y: float, pull: float, sine: float, t: float) -> float:
    """Return the derivative of v . n + r |axis x n| along the circle of directions, over the cosine."""
    if abs(t) < math.inf:
        root = math.sqrt(t * t + sine * sine)
        return y - x * t + (pull * (t / root) if root > 0.0 else 0.0)
    far = -x * t
    return far if far == far else y + math.copysign(pull, t)


@kernel
def rim_across(ways: Across, v: Vec3, radius: float, first: float, last: float) -> tuple[bool, float]:
    """Tell whether v . n + radius |axis x n| has a minimum between two parameters, and return its parameter.

    It is where the point -v is nearest to an ellipse: the rim, seen along the edge. The derivative is a line and a
    sigmoid in t = tan(angle), which rises at most between two parameters with an odd mean, so there is but one minimum.
    """
    x, y, pull, sine = dot(v, ways.k), dot(v, ways.q), radius * ways.cosine * ways.cosine, ways.sine
    low, high = first, last
    if x > 0.0:
        if abs(y) >= pull or pull <= sine * x:  # it rises nowhere, or not enough
            return False, 0.0
        most = _cube_root_squared(pull * sine * sine / x) - sine * sine
        if not most > 0.0:
            return False, 0.0
        low, high = max(low, -math.sqrt(most)), min(high, math.sqrt(most))
    if not low < high or not _slope(x, y, pull, sine, low) < 0.0 or not _slope(x, y, pull, sine, high) > 0.0:
        return False, 0.0
    if abs(y) < pull:  # where the line is level
        t = -y * sine / math.sqrt((pull - y) * (pull + y))
    else:
        t = (y - math.copysign(pull, y)) / x if x != 0.0 else 0.0
    for _ in range(_STEPS):
        if not low < t < high:
            t = _mean_angle(low, high)
        slope = _slope(x, y, pull, sine, t)
        if slope > 0.0:
            high = t
        elif slope < 0.0:
            low = t
        else:
            break
        root = math.sqrt(t * t + sine * sine)
        steep = -x + (pull * (sine / root) * (sine / root) / root if root > 0.0 else 0.0)
        step = slope / steep if steep > 0.0 else 0.0
        if steep > 0.0 and abs(step) <= EPS * abs(t):
            break
        if not steep > 0.0 or not low < t - step < high:
            if not low < _mean_angle(low, high) < high:
                break
            t = _mean_angle(low, high)
        else:
            t -= step
    return True, t


@kernel
def _mean_angle(low: float, high: float) -> float:
    """Return the tangent of the mean of two angles, given by theirs, which may be infinite."""
    a = math.sqrt(1.0 + low * low) if abs(low) < 1e150 else abs(low)
    b = math.sqrt(1.0 + high * high) if abs(high) < 1e150 else abs(high)
    sine = (low / a if a < math.inf else math.copysign(1.0, low)) + (
        high / b if b < math.inf else math.copysign(1.0, high)
    )
    cosine = 1.0 / a + 1.0 / b
    return sine / cosine if cosine > 0.0 else 0.0


# -- a point and a half-space ---------------------------------------------------------------------------------------


@kernel
def point_cylinder(p: Vec3, core: CylinderCore) -> Separation:
    """Return the separation of a point and a cylinder."""
    gap, foot, normal = from_cylinder(core, sub(p, core.center))
    return Separation(gap, p, add(core.center, foot), opposite(normal))


@kernel
def half_space_cylinder(space: HalfSpaceCore, core: CylinderCore) -> Separation:
    """Return the separation of a half-space and a cylinder: that of its lowest point, or of the lowest's middle."""
    lowest = add(core.center, cylinder_support(core, opposite(space.normal)))
    h = height(space, core.center) - cylinder_reach(core, space.normal)
    return Separation(h, along(lowest, -h, space.normal), lowest, space.normal)


# -- a linear piece -------------------------------------------------------------------------------------------------


class Gap(NamedTuple):
    """A gap between two cores, negative where they overlap, along a unit vector from A to B."""

    width: float
    normal: Vec3


class Widest(NamedTuple):
    """The widest gap so far, and up to four that are as wide to rounding, the last one first.

    Where gaps along several normals are equally wide to rounding, points that touch may be known for one alone.
    """

    width: float
    one: Gap
    two: Gap
    three: Gap
    four: Gap


@kernel
def with_gap(widest: Widest, width: float, normal: Vec3, noise: float) -> Widest:
    """Return the widest gaps once there is another one, given what rounding does to its width."""
    gap = Gap(width, normal)
    if width > widest.width + noise:
        return Widest(width, gap, gap, gap, gap)
    if width >= widest.width - noise:
        return Widest(max(widest.width, width), gap, widest.one, widest.two, widest.three)
    return widest


@kernel
def no_gap(normal: Vec3) -> Widest:
    """Return what is known before any gap is."""
    gap = Gap(-math.inf, normal)
    return Widest(-math.inf, gap, gap, gap, gap)


@kernel
def equally_wide(widest: Widest, k: int) -> Gap:
    """Return one of four gaps that are equally wide, the first one that was found first."""
    return widest.four if k == 0 else (widest.three if k == 1 else (widest.two if k == 2 else widest.one))


@kernel
def at_rim(core: CylinderCore, p: Vec3, d: Vec3, k: int) -> float:
    """Return the first (0) or last (1) parameter at which p + t d, from the center, is a radius off the axis."""
    aside, way = off_axis(core, p), off_axis(core, d)
    squared = dot(way, way)
    if squared == 0.0:
        return 0.0
    t = -dot(aside, way) / squared
    miss = min(norm(along(aside, t, way)), core.radius)
    half = math.sqrt((core.radius - miss) * (core.radius + miss) / squared)
    return t + half if k else t - half


@kernel
def _beside(core: CylinderCore, line: Linear, edge: Vec3, n: Vec3) -> float:
    """Return the gap from a linear piece to a cylinder along a unit vector."""
    rise, reach = dot(edge, n), cylinder_reach(core, n)
    start = -dot(offset(line, line.lo if line.lo > -math.inf else 0.0, core.center), n) - reach
    if line.hi < math.inf:
        return min(start, -dot(sub(line.tip, core.center), n) - reach)
    if abs(rise) <= LEVEL:  # of a line far away the nearest point counts, where rounding is least
        return -dot(offset(line, nearest_parameter(line, core.center), core.center), n) - reach
    return start if line.lo == 0.0 and rise < 0.0 else -math.inf


@kernel
def linear_cylinder(line: Linear, core: CylinderCore) -> Separation:
    """Return the separation of a linear piece and a cylinder: the widest gap of all that can be, and points there."""
    long = norm(line.direction)
    if long == 0.0:
        return point_cylinder(line.origin, core)
    edge, u = over(line.direction, long), core.axis
    near = offset(line, nearest_parameter(line, core.center), core.center)
    w = along(near, -dot(near, edge), edge)
    noise = ROUNDING * (largest(near) + core.half + core.radius)
    best = with_gap(no_gap(u), _beside(core, line, edge, u), u, noise)
    best = with_gap(best, _beside(core, line, edge, opposite(u)), opposite(u), noise)
    ways = across_edge(u, edge)
    if ways.cosine > 0.0:
        n = scale(ways.q, -math.copysign(1.0, dot(w, ways.q)))
        best = with_gap(best, _beside(core, line, edge, n), n, noise)
    best = _from_point(best, core, line, edge, w, noise)
    for k in range(2):
        side = 1.0 - 2.0 * k
        found, t = rim_across(ways, along(scale(w, side), core.half, u), core.radius, -math.inf, math.inf)
        if found:
            n = scale(way_across(ways, t), side)
            best = with_gap(best, _beside(core, line, edge, n), n, noise)
    if line.lo > -math.inf:
        best = _from_point(best, core, line, edge, offset(line, line.lo, core.center), noise)
    if line.hi < math.inf:
        best = _from_point(best, core, line, edge, sub(line.tip, core.center), noise)
    gap, t, least = best.four, line.lo, math.inf
    for k in range(4):
        if least > noise:
            trial = equally_wide(best, k)
            other = _on_line(line, core, edge, trial)
            off = _off(line, core, other, trial)
            if off < least:
                gap, t, least = trial, other, off
    p = at(line, t)
    return Separation(gap.width, p, along(p, gap.width, gap.normal), gap.normal)


@kernel
def _from_point(best: Widest, core: CylinderCore, line: Linear, edge: Vec3, p: Vec3, noise: float) -> Widest:
    """Return the widest of gaps and those along the ways from a point to the cylinder's side and to its surface."""
    aside = off_axis(core, p)
    rho = norm(aside)
    n = opposite(over(aside, rho)) if rho > EPS * largest(p) else perpendicular(core.axis)
    best = with_gap(best, _beside(core, line, edge, n), n, noise)
    if rho > core.radius and abs(dot(core.axis, p)) > core.half:
        _, _, outward = from_cylinder(core, p)
        best = with_gap(best, _beside(core, line, edge, opposite(outward)), opposite(outward), noise)
    return best


@kernel
def _on_line(line: Linear, core: CylinderCore, edge: Vec3, best: Gap) -> float:
    """Return the parameter of the point of a linear piece that a gap leads nearest to the cylinder."""
    gap, n = best
    rise, aside = dot(edge, n), off_axis(core, n)
    t = _nearer(line, core, best, line.lo, cylinder_support(core, opposite(n)))
    t = _nearer(line, core, best, t, scale(core.axis, -math.copysign(core.half, dot(core.axis, n))))
    end = line.hi if rise > 0.0 else line.lo
    if abs(end) < math.inf and _off(line, core, end, best) < _off(line, core, t, best):
        t = end
    if abs(dot(core.axis, n)) <= NEARLY:  # beside the side, which is a segment there
        foot = add(core.center, along(scale(aside, -core.radius / norm(aside)), -gap, n))
        start, tip = along(foot, -core.half, core.axis), along(foot, core.half, core.axis)
        q = linear_linear(line, linear(start, tip, 0.0, 1.0)).on_b
        t = _nearer(line, core, best, t, along(sub(q, core.center), gap, n))
    start = along(sub(line.origin, core.center), gap, n)
    for k in range(2):  # where it crosses a rim
        other = min(max(at_rim(core, start, line.direction, k), line.lo), line.hi)
        if _off(line, core, other, best) < _off(line, core, t, best):
            t = other
    return t


@kernel
def _nearer(line: Linear, core: CylinderCore, best: Gap, t: float, q: Vec3) -> float:
    """Return a parameter, or that nearest to a point of the cylinder with the gap closed if it leads nearer to it."""
    other = nearest_parameter(line, add(core.center, along(q, -best.width, best.normal)))
    return other if not _off(line, core, t, best) <= _off(line, core, other, best) else t


@kernel
def _off(line: Linear, core: CylinderCore, t: float, best: Gap) -> float:
    """Return by how much the gap leads from a point of a line past the surface of a cylinder."""
    return abs(from_cylinder(core, along(offset(line, t, core.center), best.width, best.normal))[0])


# -- a box ----------------------------------------------------------------------------------------------------------


@kernel
def _pick(v: Vec3, i: int) -> float:
    """Return a component, by a number that is taken modulo three."""
    i = i % 3
    return v.x if i == 0 else (v.y if i == 1 else v.z)


@kernel
def _measured(best: Widest, core: CylinderCore, half: Vec3, way: Vec3, noise: float) -> Widest:
    """Return the widest of gaps and that along a way, or against it, from a box about the origin to a cylinder."""
    far = dot(core.center, way)
    width = abs(far) - dot(absolute(way), half) - cylinder_reach(core, way)
    return with_gap(best, width, scale(way, math.copysign(1.0, far)), noise)


@kernel
def box_cylinder(box: Box, core: CylinderCore) -> Separation:
    """Return the separation of a box and a cylinder: the widest gap of all that can be, and points there."""
    middle, half = to_world(box, middle_of(box)), half_of(box)
    center, u = into(box, sub(core.center, middle)), into(box, core.axis)
    local = CylinderCore(center, center, center, u, core.half, core.radius)
    noise = ROUNDING * (largest(center) + largest(half) + core.half + core.radius)
    best = _measured(no_gap(u), local, half, Vec3(1.0, 0.0, 0.0), noise)
    best = _measured(best, local, half, Vec3(0.0, 1.0, 0.0), noise)
    best = _measured(best, local, half, Vec3(0.0, 0.0, 1.0), noise)
    best = _measured(best, local, half, u, noise)
    for i in range(3):
        best = _across_side(best, local, half, i, noise)
    best = _from_corners(best, local, half, noise)
    # Apart, points that touch once the gap is closed prove that none is wider.
    if not best.width > noise or _touching(best.four, local, half)[1] > noise:
        for i in range(3):
            best = _across_axis(best, local, half, i, noise)
    gap, p, least = best.four, center, math.inf
    for k in range(4):
        if least > noise:
            trial = equally_wide(best, k)
            other, off = _touching(trial, local, half)
            if off < least:
                gap, p, least = trial, other, off
    normal = out_of(box, gap.normal)
    normal = scale(normal, 1.5 - 0.5 * dot(normal, normal))
    on_a = add(middle, out_of(box, p))
    return Separation(gap.width, on_a, along(on_a, gap.width, normal), normal)


@kernel
def _from_corners(best: Widest, core: CylinderCore, half: Vec3, noise: float) -> Widest:
    """Return the widest of gaps and those along the ways from the corners of a box to the cylinder."""
    for k in range(8):
        corner = Vec3(half.x if k & 1 else -half.x, half.y if k & 2 else -half.y, half.z if k & 4 else -half.z)
        p = sub(corner, core.center)
        aside = off_axis(core, p)
        rho = norm(aside)
        if rho - core.radius >= best.width - noise and rho > EPS * largest(p):
            best = _measured(best, core, half, over(aside, rho), noise)
        if rho > core.radius and abs(dot(core.axis, p)) > core.half:
            gap, _, outward = from_cylinder(core, p)
            if gap >= best.width - noise:
                best = _measured(best, core, half, outward, noise)
    return best


@kernel
def _across_side(best: Widest, core: CylinderCore, half: Vec3, i: int, noise: float) -> Widest:
    """Return the widest of gaps and that across the side and the edges of a box along axis i."""
    way = cross(core.axis, unit_axis(i))
    sine = norm(way)
    return _measured(best, core, half, over(way, sine), noise) if sine > LEVEL else best


@kernel
def _across_axis(best: Widest, core: CylinderCore, half: Vec3, i: int, noise: float) -> Widest:
    """Return the widest of gaps and those across the edges of a box along axis i to the rims.

    Directions across these edges are parted where they are level with an axis: between two such, one edge is foremost.
    """
    ways = across_edge(core.axis, unit_axis(i))
    if ways.cosine == 0.0:
        return best
    j, k = i + 1, i + 2
    kj, kk, qj, qk = _pick(ways.k, j), _pick(ways.k, k), _pick(ways.q, j), _pick(ways.q, k)
    one = -kj / qj if qj != 0.0 else math.copysign(math.inf, kj)
    other = -kk / qk if qk != 0.0 else math.copysign(math.inf, kk)
    first, last = min(one, other), max(one, other)
    for piece in range(3):
        low, high = (-math.inf, first) if piece == 0 else ((first, last) if piece == 1 else (last, math.inf))
        if low < high:
            way = way_across(ways, _mean_angle(low, high))
            corner = Vec3(
                math.copysign(half.x, way.x) * (i != 0),
                math.copysign(half.y, way.y) * (i != 1),
                math.copysign(half.z, way.z) * (i != 2),
            )
            corner = along(corner, core.half, core.axis)
            for side in range(2):
                v = along(corner, 1.0 - 2.0 * side, core.center)
                found, t = rim_across(ways, v, core.radius, low, high)
                if found:
                    best = _measured(best, core, half, way_across(ways, t), noise)
    return best


@kernel
def _touching(best: Gap, core: CylinderCore, half: Vec3) -> tuple[Vec3, float]:
    """Return the point of a box that the gap leads to one of the cylinder, and by how much it misses both."""
    gap, n = best
    x, y, z = _foremost(n.x, half.x), _foremost(n.y, half.y), _foremost(n.z, half.z)
    lo, hi = Vec3(x[0], y[0], z[0]), Vec3(x[1], y[1], z[1])
    moved = along(core.center, -gap, n)  # the center once the gap is closed
    found = add(moved, cylinder_support(core, opposite(n)))
    least = norm(sub(found, clamp(found, lo, hi)))
    end = along(moved, -math.copysign(core.half, dot(core.axis, n)), core.axis)
    for k in range(3):
        if least > 0.0:
            p = support(n, half) if k == 0 else clamp(end if k == 1 else found, lo, hi)
            off = abs(from_cylinder(core, sub(p, moved))[0])
            if off < least:
                found, least = p, off
    if least > 0.0 and abs(dot(core.axis, n)) <= NEARLY:
        aside = off_axis(core, n)
        foot, d = along(moved, -core.radius / norm(aside), aside), scale(core.axis, core.half)
        p = along(foot, linear_box_parameter(foot, d, lo, hi, -1.0, 1.0), d)
        off = norm(sub(p, clamp(p, lo, hi)))
        if off < least:
            found, least = p, off
    for k in range(6):  # where an edge crosses a rim
        edge = unit_axis(k >> 1)
        if least > 0.0 and abs(dot(edge, n)) <= NEARLY:
            corner = sub(
                Vec3(math.copysign(half.x, n.x), math.copysign(half.y, n.y), math.copysign(half.z, n.z)), moved
            )
            p = clamp(add(moved, along(corner, at_rim(core, corner, edge, k & 1), edge)), lo, hi)
            off = abs(from_cylinder(core, sub(p, moved))[0])
            if off < least:
                found, least = p, off
    return found, least


@kernel
def _foremost(rise: float, half: float) -> tuple[float, float]:
    """Return the part of an interval about zero that is foremost along a slope: all of it if that is nearly level."""
    end = math.copysign(half, rise)
    return (-half, half) if abs(rise) <= NEARLY else (end, end)


# -- lines through it, features, turns ------------------------------------------------------------------------------


@kernel
def clip_cylinder(line: Linear, core: CylinderCore, radius: float, size: float) -> tuple[float, float]:
    """Return the interval of a line inside a cylinder: the part that is both between its ends and within its side."""
    endless = Linear(line.origin, line.direction, line.direction, -math.inf, math.inf)
    d, tolerance = line.direction, TOUCH * size
    speed, near = norm(d), nearest_parameter(endless, core.center)
    p = offset(line, near, core.center)
    near -= dot(p, d) / (speed * speed)  # what the parameter was off by, far away
    p = offset(line, near, core.center)
    closest = linear_cylinder(endless, core)
    t = nearest_parameter(endless, closest.on_a)
    if closest.distance > tolerance:
        return math.nan, math.nan
    z, rise, wide = dot(p, core.axis), dot(d, core.axis), 2.0 * (core.half + core.radius)
    first, last = -math.inf, math.inf
    if abs(rise) * wide > tolerance * speed:
        one, other = (-core.half - z) / rise, (core.half - z) / rise
        first, last = min(one, other), max(one, other)
    aside, way = off_axis(core, p), off_axis(core, d)
    if norm(way) * wide > tolerance * speed:
        squared = dot(way, way)
        middle = -dot(aside, way) / squared
        miss = min(norm(along(aside, middle, way)), core.radius)
        half = math.sqrt((core.radius - miss) * (core.radius + miss) / squared)
        first, last = max(first, middle - half), min(last, middle + half)
    if closest.distance >= -tolerance and (last - first) * speed <= tolerance:
        return t, t  # past a rim, or along nothing
    if not last >= first or last - first == math.inf:
        return t, t
    return first + near, last + near


@kernel
def surface_cylinder(line: Linear, t: float, core: CylinderCore, radius: float, size: float) -> SurfacePoint:
    """Return what the point at a parameter is to a cylinder; at a rim, to what is most against the line."""
    p, tolerance = offset(line, t, core.center), TOUCH * size
    gap, foot, normal = from_cylinder(core, p)
    aside, z = off_axis(core, p), dot(core.axis, p)
    rho, rise = norm(aside), dot(core.axis, line.direction)
    up = -math.copysign(1.0, rise) if core.half <= tolerance else math.copysign(1.0, z)
    if abs(rho - core.radius) <= tolerance and abs(z) <= core.half + tolerance:
        out = over(aside, rho) if core.radius > tolerance else _against(core, line.direction)
        normal, foot = out, along(scale(core.axis, min(max(z, -core.half), core.half)), core.radius, out)
    else:
        out = normal
    at_end = abs(abs(z) - core.half) <= tolerance and rho <= core.radius + tolerance
    side = abs(rho - core.radius) <= tolerance
    if at_end and (not side or up * rise < dot(out, line.direction)):
        normal = scale(core.axis, up)
        foot = along(scale(aside, min(1.0, core.radius / rho) if rho > 0.0 else 0.0), core.half * up, core.axis)
    return SurfacePoint(gap, add(core.center, foot), normal)


@kernel
def _against(core: CylinderCore, direction: Vec3) -> Vec3:
    """Return the direction across the axis that is most against another."""
    aside = off_axis(core, direction)
    rho = norm(aside)
    return over(aside, -rho) if rho > LEVEL * norm(direction) else perpendicular(core.axis)


@kernel
def cylinder_feature(core: CylinderCore, radius: float, direction: Vec3, sine: float) -> Feature:
    """Return the foremost feature of a cylinder; of a flat end the square in it, of its side a line along it."""
    thin, rise, aside = ROUNDING * cylinder_size(core), dot(core.axis, direction), off_axis(core, direction)
    across = norm(aside)
    if across <= sine + ROUNDING and core.radius > thin:
        u, half = perpendicular(core.axis), core.radius * math.sqrt(0.5)
        tip = along(core.center, math.copysign(core.half, rise), core.axis)
        return face_feature(tip, u, cross(core.axis, u), Span(-half, half), Span(-half, half), radius)
    origin = along(core.center, core.radius / across, aside) if across > ROUNDING else core.center
    if abs(rise) <= sine + ROUNDING and core.half > thin:
        return edge_feature(origin, core.axis, Span(-core.half, core.half), radius)
    return point_feature(along(origin, math.copysign(core.half, rise), core.axis), radius, direction, sine)


@kernel
def turned_cylinder(core: CylinderCore, pose: Pose) -> CylinderCore:
    """Return a cylinder where a pose takes it."""
    start, end, center = put(pose, core.start), put(pose, core.end), put(pose, core.center)
    return CylinderCore(start, end, center, turn(pose, core.axis), core.half, core.radius)


@kernel
def posed_cylinder(core: CylinderCore, pose: Pose) -> CylinderCore:
    """Return a cylinder where a pose takes it, made anew from its ends."""
    return cylinder(put(pose, core.start), put(pose, core.end), core.radius)


@kernel
def farthest_cylinder(core: CylinderCore, grows: bool, point: Vec3, axis: Vec3) -> float:
    """Return how far a cylinder gets from an axis, at most: the farther end, and from there a radius."""
    return max(from_axis(core.start, point, axis), from_axis(core.end, point, axis)) + core.radius


@kernel
def cylinder_gain(core: CylinderCore, grows: bool, at: Vec3, m: Vec3, own: Vec3, seen: Vec3) -> float:
    """Return the gain at the foremost point."""
    way = add(m, cross(m, sub(own, seen)))
    ends = max(dot(way, sub(core.start, at)), dot(way, sub(core.end, at)))
    return ends + core.radius * norm(cross(core.axis, way))


TURNING = TurningKernels(turned_cylinder, posed_cylinder, unchanged, farthest_cylinder, cylinder_gain)


# -- in NumPy -------------------------------------------------------------------------------------------------------

#: Points of a rim at first, and how often the best of them is looked for again in a part as small as this.
_AROUND, _AGAIN, _PART = 32, 14, 0.1


def _middle(core: Operands) -> FloatArray:
    return np.asarray(0.5 * core[0] + 0.5 * core[1])


def _outline(core: Operands) -> None:
    """Return None: it has curved faces."""


def _extremes(core: Operands, convex: Convex) -> FloatArray:
    """Return a point of each rim where a convex function is greatest: the best of many, then of many around that."""
    start, end, radius = (np.asarray(part, dtype=np.float64) for part in core[:3])
    way = end - start
    axis = way / np.maximum(length(way), np.finfo(np.float64).tiny)[..., None]
    other = np.eye(3)[np.argmin(np.abs(axis), axis=-1)]
    u = np.cross(axis, other)
    u = u / length(u)[..., None]
    v = np.cross(axis, u)
    found = []
    for tip in (start, end):
        angle, spread = np.zeros(np.broadcast_shapes(tip.shape[:-1], radius.shape)), 2.0 * np.pi
        for _ in range(_AGAIN):
            angles = angle + spread * (np.arange(_AROUND).reshape(-1, *[1] * angle.ndim) / _AROUND - 0.5)
            points = tip + radius[..., None] * (np.cos(angles)[..., None] * u + np.sin(angles)[..., None] * v)
            values = convex(points)
            best = np.argmax(values, axis=0)
            angles = np.broadcast_to(angles, values.shape)
            angle, spread = np.take_along_axis(angles, best[None], axis=0)[0], spread * _PART
        found.append(tip + radius[..., None] * (np.cos(angle)[..., None] * u + np.sin(angle)[..., None] * v))
    return np.stack(found)


EXTENT = Extent(_middle, _outline, no_cone, extremes=_extremes, solid=True)
