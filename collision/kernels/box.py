"""A box against a box."""

import math
from typing import NamedTuple

import numpy as np

from collision.base.fields import FloatArray
from collision.base.fields import turned as rotated
from collision.kernels.cores import ROUNDING, Box, Separation, clamp, half_of, into, middle_of, out_of, to_world
from collision.kernels.extents import Edge, Extent, Operands, Outline, no_cone, zonotope
from collision.kernels.linear import linear_box_parameter, support, turn, unit_axis
from collision.kernels.vec3 import EPS, Vec3, absolute, add, along, cross, dot, largest, norm, over, scale, sub, times
from collision.native import kernel


class BoxPair(NamedTuple):
    """Two boxes as B sees them, from its center and along its axes: A's center and axes, and the half extents of both.

    A point of A is given by its coordinates from A's center along A's axes, a point of B likewise; `slack` is what
    rounding may do to a length.
    """

    center: Vec3
    x: Vec3
    y: Vec3
    z: Vec3
    a: Vec3
    b: Vec3
    slack: float


class Approach(NamedTuple):
    """Points r of A and q of B, and the step between them, which is too long by at most `left` over its length."""

    r: Vec3
    q: Vec3
    step: Vec3
    left: float


class Candidate(NamedTuple):
    """Points r of A and q of B and a unit normal from A to B, and by how much they fail to be the answer.

    If the step from r to q is the gap along the normal times the normal, no step is shorter. The misfit is the largest
    coordinate of what else there is.
    """

    r: Vec3
    q: Vec3
    normal: Vec3
    misfit: float


@kernel
def box_box(a: Box, b: Box) -> Separation:
    """Return the separation of two boxes.

    The widest gap over the fifteen axes of the separating axis theorem decides (Gottschalk, Lin and Manocha, *OBBTree*,
    1996). A negative one is the depth, and its axis the shortest way out. Where the boxes are apart, they are nearest
    at the features that the axis points to, or at some that are found from there by a few exact steps. What is found is
    measured before it is returned; if it does not fit to rounding, others are tried.
    """
    middle = to_world(b, middle_of(b))
    both = seen_from(b, middle, a)
    gap, number = widest_face(both)
    if gap <= 8.0 * both.slack:  # else they are apart, and no edges need tell
        gap, number = widest_edge(both, gap, number)
    axis, apart = _axis(both, number), gap > 2.0 * both.slack
    best = _apart(both, gap, number, axis) if apart else _way_out(both, gap, number, axis)
    distance = norm(sub(best.q, out_of_a(both, best.r))) if apart else gap_along(both, best.normal)
    normal, on_b = out_of(b, best.normal), add(middle, out_of(b, best.q))
    normal = scale(normal, 1.5 - 0.5 * dot(normal, normal))  # unit to rounding, as the axes are: one step
    return Separation(distance, along(on_b, -distance, normal), on_b, normal)


@kernel
def seen_from(b: Box, middle: Vec3, a: Box) -> BoxPair:
    """Return two boxes as B sees them. Centers are subtracted in the world, where near ones differ exactly."""
    center = into(b, sub(to_world(a, middle_of(a)), middle))
    half_a, half_b = half_of(a), half_of(b)
    slack = 2.0 * EPS * (2.0 * (largest(half_a) + largest(half_b)) + largest(center))
    return BoxPair(center, into(b, a.x), into(b, a.y), into(b, a.z), half_a, half_b, slack)


@kernel
def seen_from_a(both: BoxPair) -> BoxPair:
    """Return two boxes as A sees them: A and B exchanged."""
    _, x, y, z, a, b, slack = both
    center = scale(into_a(both, both.center), -1.0)
    return BoxPair(center, Vec3(x.x, y.x, z.x), Vec3(x.y, y.y, z.y), Vec3(x.z, y.z, z.z), b, a, slack)


@kernel
def out_of_a(both: BoxPair, r: Vec3) -> Vec3:
    """Return a point of A as B sees it."""
    return along(along(along(both.center, r.x, both.x), r.y, both.y), r.z, both.z)


@kernel
def into_a(both: BoxPair, v: Vec3) -> Vec3:
    """Take a vector from B's axes to A's."""
    return Vec3(dot(v, both.x), dot(v, both.y), dot(v, both.z))


@kernel
def _reach(m: Vec3, half: Vec3) -> float:
    """Return how far a box reaches from its center along a unit vector in its frame."""
    return dot(absolute(m), half)


@kernel
def widest_face(both: BoxPair) -> tuple[float, int]:
    """Return the widest gap between two boxes along the normals of their faces, and which: 0 to 2 of B, 3 to 5 of A."""
    x, y, z = absolute(both.x), absolute(both.y), absolute(both.z)
    reach = along(along(along(both.b, both.a.x, x), both.a.y, y), both.a.z, z)
    first = sub(absolute(both.center), reach)
    reach = add(both.a, Vec3(dot(x, both.b), dot(y, both.b), dot(z, both.b)))
    then = sub(absolute(into_a(both, both.center)), reach)
    gap, number = -math.inf, 0
    for k in range(6):
        if first.x > gap:
            gap, number = first.x, k
        first, then = Vec3(first.y, first.z, then.x), turn(then)
    return gap, number


@kernel
def widest_edge(both: BoxPair, gap: float, number: int) -> tuple[float, int]:
    """Return the widest gap, and its number, of the one given and those along the cross products of two edges.

    Number 6 + 3 j + i is axis i of B times axis j of A; both are the first axis in turn, so that it is (0, -x.z, x.y).
    """
    c, x, y, z, a, b, _ = both
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
def axis_of_a(both: BoxPair, j: int) -> Vec3:
    """Return an axis of A."""
    return both.x if j == 0 else (both.y if j == 1 else both.z)


@kernel
def _axis(both: BoxPair, number: int) -> Vec3:
    """Return the unit vector from A to B along the axis of a number, or a zero one if it is of parallel edges."""
    m = unit_axis(number % 3)
    if number >= 6:
        m = cross(m, axis_of_a(both, number // 3 - 2))
        sine = norm(m)
        m = scale(m, 1.0 / sine if sine > ROUNDING else 0.0)
    elif number >= 3:
        m = axis_of_a(both, number - 3)
    return scale(m, -math.copysign(1.0, dot(both.center, m)))


@kernel
def gap_along(both: BoxPair, n: Vec3) -> float:
    """Return the gap between two boxes along a unit vector, negative where they overlap along it."""
    return -dot(both.center, n) - _reach(n, both.b) - _reach(into_a(both, n), both.a)


@kernel
def _apart(both: BoxPair, gap: float, number: int, axis: Vec3) -> Candidate:
    """Return the answer for two boxes that are apart, the widest gap being along the axis of a number.

    The search starts from the point of one box that is farthest along the axis; if both fail, all edges are tried.
    """
    r, q = support(into_a(both, axis), both.a), support(scale(axis, -1.0), both.b)
    from_b = 3 <= number < 6  # where the axis is a normal of A, a vertex of B is nearest
    r, q, step, left = _search(both, r, q, from_b)
    if largest(along(step, -gap, axis)) <= both.slack:
        return Candidate(r, q, axis, both.slack)
    distance = norm(step)
    if left <= both.slack * distance:
        return Candidate(r, q, over(step, distance), both.slack)
    best = _fitted(both, r, q, axis, gap)
    if best.misfit > both.slack:
        r, q, step, left = _search(both, r, q, not from_b)
        best = _better(best, _fitted(both, r, q, axis, gap))
    return best if best.misfit <= both.slack else _at_an_edge(both, both, best, axis, gap)


@kernel
def _way_out(both: BoxPair, gap: float, number: int, axis: Vec3) -> Candidate:
    """Return the answer for two boxes that touch or overlap, the least overlap being along the axis of a number.

    Where edges or faces are all but parallel, several of the fifteen axes are equally short to rounding, and once A has
    gone along some of them the boxes miss each other by up to the root of it. Along the true one they touch.
    """
    best = _parting(both, gap, number, axis)
    if best.misfit > both.slack:
        for k in range(15):
            axis = _axis(both, k)
            other = gap_along(both, axis)
            if other >= gap - both.slack and best.misfit > both.slack and dot(axis, axis) > 0.0:
                best = _better(best, _parting(both, other, k, axis))
    return best


@kernel
def _parting(both: BoxPair, gap: float, number: int, axis: Vec3) -> Candidate:
    """Return the answer along an axis: where the boxes touch once A has moved along it by the (negative) gap."""
    moved = BoxPair(along(both.center, gap, axis), both.x, both.y, both.z, both.a, both.b, both.slack)
    r, q = support(into_a(both, axis), both.a), support(scale(axis, -1.0), both.b)
    if 3 <= number < 6:  # a vertex of B touches a face of A
        r = near_in_a(moved, q)
    else:
        r = _slide(moved, r, number // 3 - 2) if number >= 6 else r
        q = near_in_b(moved, r)
    if largest(sub(q, out_of_a(moved, r))) > both.slack:  # or a face does, and this is its middle
        r = near_in_a(moved, q)
        q = near_in_b(moved, r)
    best = _fitted(both, r, q, axis, gap)
    return best if best.misfit <= both.slack else _at_an_edge(both, moved, best, axis, gap)


@kernel
def _better(best: Candidate, other: Candidate) -> Candidate:
    """Return the candidate that fits better; the first of equal ones."""
    return other if other.misfit < best.misfit else best


@kernel
def _fitted(both: BoxPair, r: Vec3, q: Vec3, axis: Vec3, gap: float) -> Candidate:
    """Return two points with the normal that fits them best, first of all an axis along which the gap is known.

    The exact step w between the points is along a normal that both boxes have there. These normals fill a cone, each
    side of which is at a right angle to an edge. The direction of a short step is off by much, but of the vectors in
    the cone the one nearest to it is not, however parallel the edges are. That one is w, or w less its part along one
    edge, or it is at a right angle to two edges: one of the fifteen axes.
    """
    w = sub(q, out_of_a(both, r))
    best = Candidate(r, q, axis, largest(along(w, -gap, axis)))
    if best.misfit > both.slack:
        best = _with_normal(both, best, w, _direction(w, axis), gap)
    for k in range(15):
        if best.misfit <= both.slack:
            break
        other = _axis(both, k)
        best = _with_normal(both, best, w, other, gap)
        if k < 6:
            level = along(w, -dot(w, other), other)
            level = along(level, -dot(level, other), other)  # what rounding left
            best = _with_normal(both, best, w, _direction(level, axis), gap)
    return best


@kernel
def _with_normal(both: BoxPair, best: Candidate, w: Vec3, n: Vec3, least: float) -> Candidate:
    """Return a candidate with another normal, if that fits the step w and the least gap that there is better."""
    gap = gap_along(both, n)
    misfit = max(largest(along(w, -gap, n)), least - gap)
    return Candidate(best.r, best.q, n, misfit) if misfit < best.misfit and dot(n, n) > 0.0 else best


@kernel
def _direction(w: Vec3, axis: Vec3) -> Vec3:
    """Return the unit vector along w to the side to which an axis points; zero if w is."""
    length = norm(w)
    return scale(w, math.copysign(1.0 / length, dot(w, axis)) if length > 0.0 else 0.0)


@kernel
def _search(both: BoxPair, r: Vec3, q: Vec3, from_b: bool) -> Approach:
    """Return nearer points of A and B, found from the one of A or from that of B."""
    if from_b:
        q, r, step, left = _descend(seen_from_a(both), q)
        step = along(along(scale(both.x, -step.x), -step.y, both.y), -step.z, both.z)
        return Approach(r, q, step, left)
    return _descend(both, r)


@kernel
def _descend(both: BoxPair, r: Vec3) -> Approach:
    """Return a point of A nearer to B than r, and the point of B nearest to it.

    The point slides along the edge that promises the most, to where on it B is nearest, until none promises more than
    rounding: planes at a right angle to the step prove that nothing is left to gain.
    """
    every = Vec3(1.0, 1.0, 1.0)
    free, left = every, math.inf
    for _ in range(12):
        q = near_in_b(both, r)
        step = sub(q, out_of_a(both, r))
        slope = into_a(both, step)
        gain = sub(times(absolute(slope), both.a), times(slope, r))
        left = dot(gain, every)
        gain = times(gain, free)
        if dot(gain, every) <= both.slack * norm(step):
            break
        j = 2
        if gain.x >= max(gain.y, gain.z):
            j = 0
        elif gain.y >= gain.z:
            j = 1
        start, r = r, _slide(both, r, j)
        moved = largest(sub(r, start)) > both.slack
        free, left = sub(every if moved else free, unit_axis(j)), math.inf
    q = near_in_b(both, r)
    return Approach(r, q, sub(q, out_of_a(both, r)), left)


@kernel
def _slide(both: BoxPair, r: Vec3, j: int) -> Vec3:
    """Return the point of A nearest to B of those that differ from r in coordinate j alone."""
    e, d = unit_axis(j), axis_of_a(both, j)
    half, old = dot(both.a, e), dot(r, e)
    new = linear_box_parameter(along(out_of_a(both, r), -old, d), d, scale(both.b, -1.0), both.b, -half, half)
    return along(r, new - old, e)


@kernel
def _at_an_edge(both: BoxPair, moved: BoxPair, best: Candidate, axis: Vec3, gap: float) -> Candidate:
    """Return the best of a candidate and those where an edge, A having moved, comes nearest to the other box.

    Where boxes are nearest from inside of two parallel faces, both points can be slid until one is at an edge.
    """
    turned = seen_from_a(moved)
    least = norm(sub(best.q, out_of_a(moved, best.r)))
    for k in range(24):
        r, q = _on_edge(moved, turned, k)
        distance = norm(sub(q, out_of_a(moved, r)))
        if best.misfit > both.slack and distance <= least + both.slack:
            least = min(least, distance)
            best = _better(best, _fitted(both, r, q, axis, gap))
    return best


@kernel
def _on_edge(both: BoxPair, turned: BoxPair, k: int) -> tuple[Vec3, Vec3]:
    """Return the points where an edge, 0 to 11 of A and 12 to 23 of B, is nearest to the other box."""
    edge, j = k % 12, k % 3
    one, other = (edge // 3 % 2) * 2.0 - 1.0, (edge // 6) * 2.0 - 1.0
    corner = add(unit_axis(j), add(scale(unit_axis((j + 1) % 3), one), scale(unit_axis((j + 2) % 3), other)))
    if k < 12:
        r = _slide(both, times(corner, both.a), j)
        return r, near_in_b(both, r)
    q = _slide(turned, times(corner, both.b), j)
    return near_in_a(both, q), q


@kernel
def near_in_b(both: BoxPair, r: Vec3) -> Vec3:
    """Return the point of B nearest to a point of A."""
    return clamp(out_of_a(both, r), scale(both.b, -1.0), both.b)


@kernel
def near_in_a(both: BoxPair, q: Vec3) -> Vec3:
    """Return the point of A nearest to a point of B."""
    return clamp(into_a(both, sub(q, both.center)), scale(both.a, -1.0), both.a)


# -- in NumPy ----------------------------------------------------------------------------------------------------------


def _middle(core: Operands) -> FloatArray:
    origin, axes, lo, hi, _ = core
    with np.errstate(over="ignore", invalid="ignore"):  # near the largest number there may be no middle
        return np.asarray(origin + rotated(axes, 0.5 * lo + 0.5 * hi))


def _vertices(core: Operands) -> FloatArray:
    origin, axes, lo, hi, _ = core
    corners = []
    for pick in np.ndindex(2, 2, 2):
        local = np.asarray(np.where(np.array(pick, dtype=bool), hi, lo), dtype=np.float64)
        with np.errstate(over="ignore", invalid="ignore"):  # what is no number is in no solid
            corners.append(origin + rotated(axes, local))
    return np.stack(corners)


def _outline(core: Operands) -> Outline:
    origin, axes, lo, hi, _ = core
    center, half = origin + axes @ (0.5 * lo + 0.5 * hi), 0.5 * hi - 0.5 * lo
    return zonotope(center, [Edge(axis * extent) for axis, extent in zip(axes.T, half, strict=True)])


EXTENT = Extent(_middle, _outline, no_cone, _vertices, solid=True)
