"""Kernels for many pairs of boxes at once: see `collision.separation.branchless`.

For 99 of 100 pairs the search of `box` slides a point along one edge at most, and what it finds first fits. These are
answered here, with one slide for each pair; all others are left to it.
"""

import math
from typing import NamedTuple

from collision.native import kernel
from collision.separation import box
from collision.separation.box import (
    Boxes,
    axis_of_a,
    into_a,
    middle_of,
    near_in_a,
    near_in_b,
    place,
    room_along,
)
from collision.separation.branchless import of_module, parameter, plain_norm
from collision.separation.cores import ROUNDING, Box, Separation, out_of, to_world
from collision.separation.linear import support, turn, unit_axis
from collision.vec3 import EPS, Vec3, absolute, add, along, cross, dot, largest, scale, sub, times

_seen_from, _seen_from_a = of_module(__name__, box.seen_from), of_module(__name__, box.seen_from_a)
_widest_face = of_module(__name__, box.widest_face)


class _Found(NamedTuple):
    """Points r of A and q of B, the step between them, what is left to gain, and whether the search ended with them."""

    r: Vec3
    q: Vec3
    step: Vec3
    left: float
    ended: bool


@kernel
def box_box(a: Box, b: Box) -> Separation:
    """Return the separation of two boxes; NaN where the search has more to do."""
    middle = to_world(b, middle_of(b))
    both = _seen_from(b, middle, a)
    gap, number = _widest_face(both)
    wider, edge = _widest_edge(both, gap, number)
    near = gap <= 8.0 * both.slack
    gap, number = wider if near else gap, edge if near else number
    axis, apart = _axis(both, number), gap > 2.0 * both.slack
    r, q, step, left, ended = _found(both, gap, number, axis, apart)
    length = plain_norm(step)
    fits = largest(along(step, -gap, axis)) <= both.slack
    clear = ended & (fits | (apart & (left <= both.slack * length)))
    normal = axis if fits else scale(step, 1.0 / length)
    distance = plain_norm(sub(q, place(both, r))) if apart else room_along(both, normal)
    normal, on_b = out_of(b, normal), add(middle, out_of(b, q))
    normal = scale(normal, 1.5 - 0.5 * dot(normal, normal))
    return Separation(distance if clear else math.nan, along(on_b, -distance, normal), on_b, normal)


@kernel
def _widest_edge(both: Boxes, gap: float, number: int) -> tuple[float, int]:
    """Return what `box.widest_edge` does."""
    c, x, y, z, a, b, _ = both
    gap, number = _widest_of_axis(c, x, y, z, a, b, gap, number, 6)
    gap, number = _widest_of_axis(c, y, z, x, turn(a), b, gap, number, 9)
    return _widest_of_axis(c, z, x, y, turn(turn(a)), b, gap, number, 12)


@kernel
def _widest_of_axis(
    c: Vec3, x: Vec3, y: Vec3, z: Vec3, a: Vec3, b: Vec3, gap: float, number: int, first: int
) -> tuple[float, int]:
    """Return the widest gap, and which, of the one given and those of an axis of A times each of B."""
    far = absolute(cross(x, c))
    reach = add(scale(absolute(cross(x, y)), a.y), scale(absolute(cross(x, z)), a.z))
    for k in range(3):
        sine = math.sqrt(x.y * x.y + x.z * x.z)
        other = (far.x - reach.x - (b.y * abs(x.z) + b.z * abs(x.y))) / max(sine, ROUNDING)
        other = min(other - EPS * abs(other), math.copysign(math.inf, sine - ROUNDING))
        if other > gap:
            gap, number = other, first + k
        x, b, far, reach = turn(x), turn(b), turn(far), turn(reach)
    return gap, number


@kernel
def _axis(both: Boxes, number: int) -> Vec3:
    """Return what `box._axis` does."""
    group = 1 * (number >= 3) + 1 * (number >= 6) + 1 * (number >= 9) + 1 * (number >= 12)
    i = number - 3 * group
    of_b, of_a = unit_axis(i), axis_of_a(both, i if group == 1 else group - 2)
    across = cross(of_b, of_a)
    sine = plain_norm(across)
    across = scale(across, 1.0 / sine if sine > ROUNDING else 0.0)
    m = of_b if group == 0 else of_a if group == 1 else across
    return scale(m, -math.copysign(1.0, dot(both.center, m)))


@kernel
def _found(both: Boxes, gap: float, number: int, axis: Vec3, apart: bool) -> _Found:
    """Return what `box._apart` finds first, or `box._parting`: there A is moved along the axis before."""
    of_a = (number >= 3) & (number < 6)
    r, q = support(into_a(both, axis), both.a), support(scale(axis, -1.0), both.b)
    moved = Boxes(along(both.center, gap, axis), both.x, both.y, both.z, both.a, both.b, both.slack)
    turned = apart & of_a
    still = _seen_from_a(both) if turned else both if apart else moved
    start = q if turned else r
    step, gain = _promised(still, start)
    left = gain.x + gain.y + gain.z
    at_once = left <= both.slack * plain_norm(step)
    j = 0 if gain.x >= max(gain.y, gain.z) else 1 if gain.y >= gain.z else 2
    j = j if apart else 1 * (number >= 9) + 1 * (number >= 12)
    slides = not at_once if apart else number >= 6
    moving = _slide(still, start, j) if slides else start
    then, more = _promised(still, moving)
    rest = times(more, sub(Vec3(1.0, 1.0, 1.0), unit_axis(j)))
    ended = rest.x + rest.y + rest.z <= both.slack * plain_norm(then)
    near = near_in_b(still, moving)
    if not apart:
        return _touching(both, moved, near_in_a(moved, q) if of_a else moving, q if of_a else near)
    back = along(along(scale(both.x, -then.x), -then.y, both.y), -then.z, both.z)
    left = left if at_once else more.x + more.y + more.z
    return _Found(
        near if turned else moving, moving if turned else near, back if turned else then, left, at_once | ended
    )


@kernel
def _touching(both: Boxes, moved: Boxes, r: Vec3, q: Vec3) -> _Found:
    """Return the points where the boxes touch once A has moved."""
    other = near_in_a(moved, q)
    face = largest(sub(q, place(moved, r))) > both.slack
    r, q = other if face else r, near_in_b(moved, other) if face else q
    return _Found(r, q, sub(q, place(both, r)), 0.0, True)


@kernel
def _promised(both: Boxes, r: Vec3) -> tuple[Vec3, Vec3]:
    """Return the step from a point of A to B, and what it gains if the point slides along each edge."""
    step = sub(near_in_b(both, r), place(both, r))
    slope = into_a(both, step)
    return step, sub(times(absolute(slope), both.a), times(slope, r))


@kernel
def _slide(both: Boxes, r: Vec3, j: int) -> Vec3:
    """Return what `box._slide` does."""
    e, d = unit_axis(j), axis_of_a(both, j)
    half, old = dot(both.a, e), dot(r, e)
    new = parameter(along(place(both, r), -old, d), d, scale(both.b, -1.0), both.b, -half, half)
    return along(r, new - old, e)
