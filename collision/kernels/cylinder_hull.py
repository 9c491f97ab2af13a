"""A cylinder against a convex hull, as against a box (`collision.kernels.cylinder`): by corners, edges and faces."""

import math

from collision.kernels.cores import ROUNDING, Separation, at, linear
from collision.kernels.cylinder import (
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
from collision.kernels.hull import (
    HullCore,
    hull_corner,
    hull_corners,
    hull_edge,
    hull_edges,
    hull_face,
    hull_faces,
    hull_middle,
    hull_reach,
    hull_support,
)
from collision.kernels.linear import linear_linear
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


@kernel
def cylinder_hull(core: CylinderCore, hull: HullCore) -> Separation:
    """Return the separation of a cylinder and a hull: the widest gap of all that can be, and points there."""
    way = sub(hull_middle(hull), core.center)
    noise = ROUNDING * (largest(way) + core.half + core.radius + hull_reach(hull))
    best = _measured(no_gap(core.axis), core, hull, way, core.axis, noise)
    best = _measured(best, core, hull, way, opposite(core.axis), noise)
    for k in range(hull_faces(hull)):
        best = _measured(best, core, hull, way, opposite(hull_face(hull, k).normal), noise)
    for k in range(hull_edges(hull)):
        best = _across(best, core, hull, way, k, noise)
    for k in range(hull_corners(hull)):
        best = _from_corner(best, core, hull, way, add(way, hull_corner(hull, k)), noise)
    gap, p, least = best.four, way, math.inf
    for k in range(4):
        if least > noise:
            trial = equally_wide(best, k)
            other, off = _touching(trial, core, hull, way)
            if off < least:
                gap, p, least = trial, other, off
    on_a = add(core.center, p)
    return Separation(gap.width, on_a, along(on_a, gap.width, gap.normal), gap.normal)


@kernel
def _measured(best: Widest, core: CylinderCore, hull: HullCore, way: Vec3, n: Vec3, noise: float) -> Widest:
    """Return the widest of gaps and that along a unit vector from a cylinder to a hull a way off."""
    width = dot(way, n) + dot(hull_support(hull, opposite(n)), n) - cylinder_reach(core, n)
    return with_gap(best, width, n, noise)


@kernel
def _likely(best: Widest, core: CylinderCore, p: Vec3, n: Vec3, noise: float) -> bool:
    """Tell whether a gap along a direction can be among the widest, as a point of the hull says."""
    return dot(p, n) - cylinder_reach(core, n) >= best.width - noise


@kernel
def _across(best: Widest, core: CylinderCore, hull: HullCore, way: Vec3, k: int, noise: float) -> Widest:
    """Return the widest of gaps and those across an edge, to the side and to the rims."""
    edge = hull_edge(hull, k)
    p, ways = add(way, edge.corner), across_edge(core.axis, over(edge.way, norm(edge.way)))
    if ways.cosine == 0.0:
        return best
    for i in range(2):
        side = 1.0 - 2.0 * i
        n = scale(ways.q, side)
        if _likely(best, core, p, n, noise):
            best = _measured(best, core, hull, way, n, noise)
        v = along(scale(p, -side), core.half, core.axis)
        found, t = rim_across(ways, v, core.radius, -math.inf, math.inf)
        n = scale(way_across(ways, t), side)
        if found and _likely(best, core, p, n, noise):
            best = _measured(best, core, hull, way, n, noise)
    return best


@kernel
def _from_corner(best: Widest, core: CylinderCore, hull: HullCore, way: Vec3, p: Vec3, noise: float) -> Widest:
    """Return the widest of gaps and those along the ways from the side and from the surface to a corner."""
    aside = off_axis(core, p)
    rho = norm(aside)
    n = over(aside, rho) if rho > EPS * largest(p) else perpendicular(core.axis)
    if _likely(best, core, p, n, noise):
        best = _measured(best, core, hull, way, n, noise)
    if rho > core.radius and abs(dot(core.axis, p)) > core.half:
        _, _, n = from_cylinder(core, p)
        if _likely(best, core, p, n, noise):
            best = _measured(best, core, hull, way, n, noise)
    return best


@kernel
def _outside(hull: HullCore, p: Vec3) -> float:
    """Return how high a point, from the middle, is above the face over which it is highest."""
    most = -math.inf
    for k in range(hull_faces(hull)):
        face = hull_face(hull, k)
        most = max(most, dot(face.normal, p) - face.height)
    return most


@kernel
def _touching(best: Gap, core: CylinderCore, hull: HullCore, way: Vec3) -> tuple[Vec3, float]:
    """Return the point of a cylinder, from its center, that a gap leads to one of the hull, and what it misses by."""
    gap, n = best
    moved = along(way, -gap, n)  # the middle of the hull once the gap is closed
    end = scale(core.axis, math.copysign(core.half, dot(core.axis, n)))
    found = cylinder_support(core, n)
    least = abs(_outside(hull, sub(found, moved)))
    off = abs(_outside(hull, sub(end, moved))) if norm(cross(core.axis, n)) <= NEARLY else math.inf
    if off < least:
        found, least = end, off
    corner = add(moved, hull_support(hull, opposite(n)))
    off = abs(from_cylinder(core, corner)[0])
    if off < least:
        found, least = corner, off
    floor = dot(corner, n) + NEARLY * hull_reach(hull)
    for k in range(hull_edges(hull)):
        edge = hull_edge(hull, k)
        start, tip = add(moved, edge.corner), add(moved, add(edge.corner, edge.way))
        if least > 0.0 and max(dot(start, n), dot(tip, n)) <= floor:
            for i in range(4):
                p = at(linear(start, tip, 0.0, 1.0), _parameter(core, start, tip, end, n, i))
                off = abs(from_cylinder(core, p)[0])
                if off < least:
                    found, least = p, off
    return found, least


@kernel
def _parameter(core: CylinderCore, start: Vec3, tip: Vec3, end: Vec3, n: Vec3, i: int) -> float:
    """Return where an edge may touch a cylinder: at a rim (0, 1), nearest to the middle of its end, or to its side."""
    edge = sub(tip, start)
    if i < 2:
        t = at_rim(core, start, edge, i)
    elif i == 2:
        t = dot(sub(end, start), edge) / dot(edge, edge)
    else:
        aside = off_axis(core, n)
        across = norm(aside)
        foot = scale(aside, core.radius / across) if across > NEARLY else aside
        long = scale(core.axis, core.half)
        beside = linear_linear(linear(sub(foot, long), add(foot, long), 0.0, 1.0), linear(start, tip, 0.0, 1.0))
        t = dot(sub(beside.on_b, start), edge) / dot(edge, edge)
    return min(max(t, 0.0), 1.0)
