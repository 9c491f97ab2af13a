"""A cylinder against a convex hull: the widest gap of all that can be, as with a box (`collision.kernels.cylinder`)."""

import math

from collision.kernels.cores import ROUNDING, Linear, Separation
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
    clip_hull,
    hull_corner,
    hull_corners,
    hull_edge,
    hull_edges,
    hull_face,
    hull_faces,
    hull_height,
    hull_middle,
    hull_reach,
    hull_support,
)
from collision.kernels.vec3 import EPS, Vec3, add, along, dot, largest, norm, opposite, over, scale, sub
from collision.native import kernel


@kernel
def cylinder_hull(a: CylinderCore, b: HullCore) -> Separation:
    """Return the separation of a cylinder and a hull.

    The direction of the widest gap is the normal of a face, or it leads to a corner, or across an edge to the side or
    to a rim. All are measured by the true reaches, so none can be too good.
    """
    way = sub(hull_middle(b), a.center)
    noise = ROUNDING * (largest(way) + a.half + a.radius + hull_reach(b))
    best = _measured(no_gap(a.axis), a, b, way, a.axis, noise)
    best = _measured(best, a, b, way, opposite(a.axis), noise)
    for k in range(hull_faces(b)):
        best = _measured(best, a, b, way, opposite(hull_face(b, k).normal), noise)
    for k in range(hull_corners(b)):
        best = _to_corner(best, a, b, way, add(way, hull_corner(b, k)), noise)
    for k in range(hull_edges(b)):
        best = _across(best, a, b, way, k, noise)
    gap, p, least = best.four, a.center, math.inf
    for k in range(4):
        if least > noise:
            trial = equally_wide(best, k)
            other, off = _touching(trial, a, b, way)
            if off < least:
                gap, p, least = trial, other, off
    normal = scale(gap.normal, 1.5 - 0.5 * dot(gap.normal, gap.normal))
    on_a = add(a.center, p)
    return Separation(gap.width, on_a, along(on_a, gap.width, normal), normal)


@kernel
def _measured(best: Widest, a: CylinderCore, b: HullCore, way: Vec3, n: Vec3, noise: float) -> Widest:
    """Return the widest of gaps and that along a unit vector."""
    width = dot(n, add(way, hull_support(b, opposite(n)))) - cylinder_reach(a, n)
    return with_gap(best, width, n, noise)


@kernel
def _hopeful(best: Widest, a: CylinderCore, b: HullCore, way: Vec3, n: Vec3, p: Vec3, noise: float) -> Widest:
    """Return the same, but measure only if the gap to a point of the hull would be wide enough."""
    if dot(n, p) - cylinder_reach(a, n) < best.width - noise:
        return best
    return _measured(best, a, b, way, n, noise)


@kernel
def _to_corner(best: Widest, a: CylinderCore, b: HullCore, way: Vec3, p: Vec3, noise: float) -> Widest:
    """Return the widest of gaps and those along the ways from the side and from the rims to a corner."""
    aside = off_axis(a, p)
    rho = norm(aside)
    if rho > EPS * largest(p):
        best = _hopeful(best, a, b, way, over(aside, rho), p, noise)
    if rho > a.radius and abs(dot(a.axis, p)) > a.half:
        _, _, outward = from_cylinder(a, p)
        best = _hopeful(best, a, b, way, outward, p, noise)
    return best


@kernel
def _across(best: Widest, a: CylinderCore, b: HullCore, way: Vec3, k: int, noise: float) -> Widest:
    """Return the widest of gaps and those across an edge: to the side, and to both rims.

    Each half of the circle of directions has at most one such to a rim. Where it is not between the normals beside the
    edge, another gap is wider.
    """
    edge = hull_edge(b, k)
    p, ways = add(way, edge.corner), across_edge(a.axis, over(edge.way, norm(edge.way)))
    if ways.cosine == 0.0:
        return best
    best = _hopeful(best, a, b, way, ways.q, p, noise)
    best = _hopeful(best, a, b, way, opposite(ways.q), p, noise)
    for half in range(2):
        sign = 1.0 - 2.0 * half
        v = along(scale(p, sign), a.half, a.axis)
        found, t = rim_across(ways, v, a.radius, -math.inf, math.inf)
        if found:
            best = _hopeful(best, a, b, way, scale(way_across(ways, t), -sign), p, noise)
    return best


@kernel
def _touching(best: Gap, a: CylinderCore, b: HullCore, way: Vec3) -> tuple[Vec3, float]:
    """Return the point of the cylinder, from its center, that the gap leads to one of the hull, and its misfit."""
    gap, n = best
    step, size = along(way, -gap, n), a.half + a.radius + hull_reach(b)  # to the hull's middle once the gap is closed
    rise, aside, found = dot(a.axis, n), off_axis(a, n), cylinder_support(a, n)
    least = hull_height(b, sub(found, step))
    low = dot(n, hull_support(b, opposite(n))) + NEARLY * size
    for k in range(hull_corners(b)):
        q = hull_corner(b, k)
        if least > 0.0 and dot(n, q) <= low:
            p = add(q, step)
            off = from_cylinder(a, p)[0]
            if off < least:
                found, least = p, off
    across = norm(aside)
    if least > 0.0 and abs(rise) <= NEARLY:  # the line on the side, or its ends
        foot = scale(aside, a.radius / across)
        line = Linear(add(hull_middle(b), sub(foot, step)), a.axis, a.axis, -math.inf, math.inf)
        first, last = clip_hull(line, b, 0.0, size)
        middle = 0.0 if math.isnan(first) else 0.5 * max(first, -a.half) + 0.5 * min(last, a.half)
        for k in range(3):
            t = middle if k == 0 else (a.half if k == 1 else -a.half)
            p = along(foot, min(max(t, -a.half), a.half), a.axis)
            off = hull_height(b, sub(p, step))
            if off < least:
                found, least = p, off
    for k in range(hull_edges(b)):  # where an edge crosses a rim
        edge = hull_edge(b, k)
        if least > 0.0 and dot(n, edge.corner) <= low and abs(dot(n, edge.way)) <= NEARLY * norm(edge.way):
            corner = add(edge.corner, step)
            for j in range(3):
                t = at_rim(a, corner, edge.way, j) if j < 2 else _nearest_to(found, corner, edge.way)
                p = along(corner, min(max(t, 0.0), 1.0), edge.way)
                off = from_cylinder(a, p)[0]
                if off < least:
                    found, least = p, off
    return found, max(least, 0.0)


@kernel
def _nearest_to(point: Vec3, corner: Vec3, way: Vec3) -> float:
    """Return the parameter of the point of an edge that is nearest to another point."""
    return dot(sub(point, corner), way) / dot(way, way)
