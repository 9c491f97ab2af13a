"""Kernels for many pairs at once: those of `point` and `linear` without what is long and rare.

Both sides of a branch are computed and one is taken, which costs little where a branch is short. Where it is not, the
result is NaN: such a pair is for the kernel that they stand for. All else is computed by the same operations in the
same order, and so comes out the same to the last bit.
"""

import math
from types import FunctionType
from typing import Any

from collision.native import kernel
from collision.separation import linear
from collision.separation.cores import (
    ROUNDING,
    Box,
    Linear,
    Separation,
    at,
    clamp,
    into,
    nearest_parameter,
    offset,
    out_of,
    squared_up,
    swapped,
    to_local,
    to_world,
)
from collision.separation.cores import linear as piece
from collision.separation.linear import beyond, clamped, leading_on, leads_out
from collision.separation.point import inside_box
from collision.vec3 import Vec3, along, cross, dot, largest, scale, sub, times


def of_module(name: str, other: Any) -> Any:
    """Return a kernel under a name of a module such as this: the build makes parts of loops of those that they call."""
    made = FunctionType(other.function.__code__, other.function.__globals__, other.function.__name__)
    made.__module__, made.__qualname__ = name, other.function.__qualname__
    return kernel(made)


parameter = of_module(__name__, linear.linear_box_parameter)


@kernel
def plain_norm(a: Vec3) -> float:
    """Return the Euclidean length, NaN where products of four such lengths are not known to be numbers."""
    squared = dot(a, a)
    return math.sqrt(squared) if _plain(squared) else math.nan


@kernel
def _plain(squared: float) -> bool:
    return (squared > 1e-120) & (squared < 1e120)


@kernel
def point_linear(p: Vec3, line: Linear) -> Separation:
    """Return the separation of a point and a linear piece; NaN where the point is on it, to rounding."""
    t = nearest_parameter(line, p)
    foot = at(line, t)
    gap = offset(line, t, p)
    reach = largest(sub(p, line.origin))
    rise = dot(gap, line.direction)
    beyond = ((t == line.hi) & (rise < 0.0)) | ((t == line.lo) & (rise > 0.0))
    gap = squared_up(gap, line.direction, reach if beyond else math.inf)
    distance = plain_norm(gap)
    normal = Vec3(gap.x / distance, gap.y / distance, gap.z / distance)
    return Separation(distance if distance > ROUNDING * reach else math.nan, p, foot, normal)


@kernel
def point_box(p: Vec3, box: Box) -> Separation:
    """Return the separation of a point and a box; NaN where products of the lengths between them are no numbers."""
    q = to_local(box, p)
    b = clamp(q, box.lo, box.hi)
    gap = sub(b, q)
    distance = plain_norm(gap)
    outer = Separation(distance, q, b, Vec3(gap.x / distance, gap.y / distance, gap.z / distance))
    inner = inside_box(q, box.lo, box.hi)
    found = inner if largest(gap) == 0.0 else outer
    return Separation(found.distance, p, to_world(box, found.on_b), out_of(box, found.normal))


@kernel
def linear_linear(a: Linear, b: Linear) -> Separation:
    """Return the separation of two linear pieces; NaN where they are nearly parallel, a point, or touch with an end."""
    u, v = a.direction, b.direction
    n = cross(u, v)
    sine = plain_norm(n)
    uu, vv = dot(u, u), dot(v, v)
    steep = _plain(uu) & _plain(vv) & (sine * sine > 0.0626 * (uu * vv))  # by a little more than a quarter
    unit, w = scale(n, 1.0 / sine), sub(b.origin, a.origin)
    s = min(max(dot(cross(w, v), unit) / sine, a.lo), a.hi)
    t = clamped(b, along(scale(w, -1.0), s, u))
    again = clamped(a, along(w, t, v))
    end_of_b = (t == b.lo) | (t == b.hi)
    s = again if end_of_b else s
    end_of_a = (s == a.lo) | (s == a.hi)
    from_b = end_of_b & (not end_of_a)
    first, second = (b if from_b else a), (a if from_b else b)
    ends = _from_end(first, second, t if from_b else s, s if from_b else t, unit)
    ends = swapped(ends) if from_b else ends
    inner = _between(a, b, again, unit)
    found = ends if end_of_a | end_of_b else inner
    return Separation(found.distance if steep else math.nan, found.on_a, found.on_b, found.normal)


@kernel
def _between(a: Linear, b: Linear, s: float, unit: Vec3) -> Separation:
    """Return what `linear.common_perpendicular` does of steep pieces, from the parameter of A on that it finds anew."""
    w = sub(b.origin, a.origin)
    t = clamped(b, along(scale(w, -1.0), s, a.direction))
    side = dot(along(along(w, t, b.direction), -s, a.direction), unit)
    return Separation(abs(side), at(a, s), at(b, t), scale(unit, math.copysign(1.0, side)))


@kernel
def _from_end(a: Linear, b: Linear, s: float, t: float, unit: Vec3) -> Separation:
    """Return the separation at parameters of which that of A is at an end; NaN where they touch there, to rounding."""
    p, q = at(a, s), at(b, t)
    noise = ROUNDING * max(largest(sub(p, a.origin)), largest(sub(q, b.origin)))
    gap = leading_on(offset(b, t, p), a, s, noise)
    gap = scale(leading_on(scale(gap, -1.0), b, t, noise), -1.0)
    distance = plain_norm(gap)
    clear = (distance > noise) & _led_on(gap, a, s, noise, 3.0 * ROUNDING * distance)
    return Separation(distance if clear else math.nan, p, q, scale(gap, 1.0 / distance))


@kernel
def _led_on(gap: Vec3, line: Linear, t: float, noise: float, most: float) -> bool:
    """Tell whether `leading_on` takes nothing off a gap, or at most so much."""
    rise, squared = dot(gap, line.direction), dot(line.direction, line.direction)
    left = line.hi - t if rise > 0.0 else t - line.lo
    return (left * left * squared <= noise * noise) | (rise * rise <= most * most * squared)


@kernel
def linear_box(line: Linear, box: Box) -> Separation:
    """Return the separation of a linear piece and a box; NaN where they touch, and where rounding hides an edge."""
    o = to_local(box, line.origin)
    tip = to_local(box, line.tip) if line.hi < math.inf else into(box, line.direction)
    local = piece(o, tip, line.lo, line.hi)
    t = parameter(o, local.direction, box.lo, box.hi, line.lo, line.hi)
    q = at(local, t)
    b = clamp(q, box.lo, box.hi)
    gap = sub(b, q)
    distance = plain_norm(gap)
    noise = 4.0 * ROUNDING * max(largest(sub(q, o)), largest(q))
    way = _upright(gap, local.direction, q, box.lo, box.hi, noise)
    way = gap if t == (line.hi if dot(gap, local.direction) > 0.0 else line.lo) else way
    length = plain_norm(way)
    normal = out_of(box, scale(way, 1.0 / length))
    clear = (distance > noise) & (length > 0.0)
    return Separation(distance if clear else math.nan, at(line, t), to_world(box, b), normal)


@kernel
def _upright(gap: Vec3, d: Vec3, q: Vec3, lo: Vec3, hi: Vec3, tolerance: float) -> Vec3:
    """Return what `linear._upright` does beside a face, an edge or a corner; NaN where a corner's way leads inwards."""
    over, under = beyond(q, hi, tolerance), beyond(scale(q, -1.0), scale(lo, -1.0), tolerance)
    inside = times(sub(Vec3(1.0, 1.0, 1.0), over), sub(Vec3(1.0, 1.0, 1.0), under))
    count = inside.x + inside.y + inside.z
    across = cross(inside, d)
    level = largest(across) <= ROUNDING * largest(d)
    beside = gap if level else scale(across, math.copysign(1.0, dot(across, gap)))
    upright = along(gap, -dot(gap, d) / dot(d, d), d)
    upright = scale(upright, 1.0 if leads_out(upright, ROUNDING * plain_norm(upright), over, under) else math.nan)
    return beside if count == 1.0 else gap if count == 2.0 else upright
