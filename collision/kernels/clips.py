"""Where a straight line runs inside a core grown by its radius, and what the surface is like at a point of the line.

A *clip interval* is the interval of the line's parameter inside the shape: NaN for a miss, one parameter for a line
that only touches, to rounding. It is found through the nearest point and half the chord, since the textbook's quadratic
formula cancels; Newton's method takes off what rounding leaves where a line is all but parallel to an axis. Points and
normals are made from the shape's own numbers, as exact as these, however far away the line starts.
"""

import math
from typing import NamedTuple

from collision.kernels.cores import (
    ROUNDING,
    TOUCH,
    Box,
    Linear,
    at,
    clamp,
    into,
    nearest_parameter,
    offset,
    squared_up,
    to_local,
    to_world,
)
from collision.kernels.linear import across, linear_box_parameter, linear_linear
from collision.kernels.vec3 import Vec3, along, cross, dot, norm, perpendicular, scale, sub
from collision.native import kernel

#: Steps of Newton's method at an end of an interval. One or two do; for lines that graze, each halves the way.
_STEPS = 60


class SurfacePoint(NamedTuple):
    """The surface near a point of a line: how far outside that is, the nearest surface point, and its normal.

    Of several normals the one that is most against the line is taken.
    """

    gap: float
    point: Vec3
    normal: Vec3


# --- points and linear pieces ---------------------------------------------------------------------


@kernel
def clip_point(line: Linear, c: Vec3, radius: float, size: float) -> tuple[float, float]:
    """Return the interval of a line inside a ball."""
    t = nearest_parameter(line, c)
    t -= dot(offset(line, t, c), line.direction) / dot(line.direction, line.direction)  # what t was off by, far away
    miss, tolerance = norm(squared_up(offset(line, t, c), line.direction, math.inf)), TOUCH * size
    if miss > radius + tolerance:
        return math.nan, math.nan
    if miss >= radius - tolerance:
        return t, t
    half = math.sqrt((radius - miss) * (radius + miss)) / norm(line.direction)
    return t - half, t + half


@kernel
def surface_point(line: Linear, t: float, c: Vec3, radius: float, size: float) -> SurfacePoint:
    """Return what the point at a parameter is to a ball."""
    gap = offset(line, t, c)
    distance = norm(gap)
    if distance > 0.0 and radius > TOUCH * size:
        normal = Vec3(gap.x / distance, gap.y / distance, gap.z / distance)
    else:
        normal = _against(line.direction)
    return SurfacePoint(distance - radius, along(c, radius, normal), normal)


@kernel
def _against(direction: Vec3) -> Vec3:
    """Return the unit vector against a direction; the z axis where it is zero."""
    length = norm(direction)
    if length == 0.0:
        return Vec3(0.0, 0.0, 1.0)
    return Vec3(-direction.x / length, -direction.y / length, -direction.z / length)


@kernel
def clip_linear(line: Linear, axis: Linear, radius: float, size: float) -> tuple[float, float]:
    """Return the interval of a line inside a rounded linear piece.

    Where the line enters the infinite cylinder beside the axis, that is the entry; where it enters beyond an end, it
    can only come in through that end's ball. The same holds for the exit.
    """
    u, tolerance = axis.direction, TOUCH * size
    if dot(u, u) == 0.0:
        return clip_point(line, axis.origin, radius, size)
    closest = linear_linear(line, axis)
    if closest.distance > radius + tolerance:
        return math.nan, math.nan
    n, touch = cross(line.direction, u), nearest_parameter(line, closest.on_a)
    sine, product = norm(n), norm(line.direction) * norm(u)
    level = across(line, axis)[1] == 0.0 if axis.hi == math.inf else sine <= 2.0 * ROUNDING * product
    if level or product == 0.0:
        return _clip_along(line, axis, radius, size, touch)
    if closest.distance >= radius - tolerance:
        return touch, touch
    w, unit = sub(line.origin, axis.origin), Vec3(n.x / sine, n.y / sine, n.z / sine)
    middle = -dot(cross(w, u), unit) / sine
    miss = min(abs(dot(w, unit)), radius)
    half = math.sqrt((radius - miss) * (radius + miss)) * norm(u) / sine
    first, _ = _through_end(line, axis, radius, size, middle - half)
    _, last = _through_end(line, axis, radius, size, middle + half)
    first, last = (first if first < touch else touch), (last if last > touch else touch)
    beyond = (norm(u) + 2.0 * radius) / norm(line.direction)
    first = _settled(line, axis, radius, size, first, touch - beyond)
    return first, _settled(line, axis, radius, size, last, touch + beyond)


@kernel
def _through_end(line: Linear, axis: Linear, radius: float, size: float, t: float) -> tuple[float, float]:
    """Return where a line that crosses the infinite cylinder's wall at t enters and leaves: there, or an end's ball."""
    s = dot(offset(line, t, axis.origin), axis.direction) / dot(axis.direction, axis.direction)
    if axis.lo <= s <= axis.hi:
        return t, t
    return clip_point(line, at(axis, min(max(s, axis.lo), axis.hi)), radius, size)


@kernel
def _settled(line: Linear, axis: Linear, radius: float, size: float, t: float, outside: float) -> float:
    """Return the end of a clip interval, given nearly, or at least a parameter beyond it, as exactly as can be."""
    found, gap = _end(line, axis, radius, size, t)
    if abs(gap) > TOUCH * size:
        found, gap = _end(line, axis, radius, size, outside)
    return found


@kernel
def _end(line: Linear, axis: Linear, radius: float, size: float, t: float) -> tuple[float, float]:
    """Return the end of a clip interval that Newton's method leads to, from outside, and how far outside it is."""
    surface = surface_linear(line, t, axis, radius, size)
    for _ in range(_STEPS):
        slope = dot(surface.normal, line.direction)
        if slope == 0.0 or abs(surface.gap) <= 0.25 * ROUNDING * size:
            break
        step = t - surface.gap / slope
        following = surface_linear(line, step, axis, radius, size)
        if not abs(following.gap) < abs(surface.gap):
            break
        t, surface = step, following
    return t, surface.gap


@kernel
def _clip_along(line: Linear, axis: Linear, radius: float, size: float, touch: float) -> tuple[float, float]:
    """Return the interval of a line that runs along a rounded linear piece, near enough: between the end balls."""
    if axis.lo == -math.inf:
        return -math.inf, math.inf
    first, last = clip_point(line, at(axis, axis.lo), radius, size)
    if math.isnan(first):
        first = last = touch
    if axis.hi < math.inf:
        other, end = clip_point(line, at(axis, axis.hi), radius, size)
        if not math.isnan(other):
            first, last = min(first, other), max(last, end)
    elif dot(line.direction, axis.direction) > 0.0:
        last = math.inf
    else:
        first = -math.inf
    return first, last


@kernel
def surface_linear(line: Linear, t: float, axis: Linear, radius: float, size: float) -> SurfacePoint:
    """Return what the point at a parameter is to a rounded linear piece."""
    s, length = nearest_parameter(axis, at(line, t)), norm(axis.direction)
    tolerance = ROUNDING * size / length if length > 0.0 else 0.0
    s = axis.lo if s - axis.lo <= min(tolerance, axis.hi - s) else (axis.hi if axis.hi - s <= tolerance else s)
    beside = at(axis, s)
    gap = _upright(offset(line, t, beside), line.direction, axis, s, size)
    distance = norm(gap)
    if distance > 0.0 and radius > TOUCH * size:
        normal = Vec3(gap.x / distance, gap.y / distance, gap.z / distance)
    else:
        normal = _off_wire(line.direction, axis, s)
    return SurfacePoint(distance - radius, along(beside, radius, normal), normal)


@kernel
def _upright(gap: Vec3, direction: Vec3, axis: Linear, s: float, size: float) -> Vec3:
    """Return the vector to a point of a line from the point at s of an axis, without what rounding put along either."""
    u = axis.direction
    inner = axis.lo < s < axis.hi
    if not inner:
        gap = squared_up(gap, direction, 2.0 * size)
    rise = dot(gap, u)
    if inner or (s == axis.lo and rise > 0.0) or (s == axis.hi and rise < 0.0):
        aside = squared_up(squared_up(direction, u, math.inf), u, math.inf)
        gap = squared_up(squared_up(gap, u, math.inf), aside, 2.0 * size)
    return gap


@kernel
def _off_wire(direction: Vec3, axis: Linear, s: float) -> Vec3:
    """Return the outward normal of a linear piece of no thickness at s that is most against a direction."""
    u, normal = axis.direction, _against(direction)
    rise, squared = dot(normal, u), dot(u, u)
    if squared == 0.0 or (s == axis.lo and rise <= 0.0) or (s == axis.hi and rise >= 0.0):
        return normal
    aside = along(normal, -rise / squared, u)
    aside = along(aside, -dot(aside, u) / squared, u)  # what rounding left of it
    length = norm(aside)
    if length <= ROUNDING:
        return perpendicular(u)
    return Vec3(aside.x / length, aside.y / length, aside.z / length)


# --- boxes ----------------------------------------------------------------------------------------


@kernel
def _slab(o: float, d: float, lo: float, hi: float, level: float, first: float, last: float) -> tuple[float, float]:
    """Narrow an interval to where one coordinate is inside its slab; a slope that is level, to rounding, stays so."""
    if abs(d) <= level:
        return first, last
    a, b = (lo - o) / d, (hi - o) / d
    return max(first, min(a, b)), min(last, max(a, b))


@kernel
def clip_box(line: Linear, box: Box, radius: float, size: float) -> tuple[float, float]:
    """Return the interval of a line inside a box: the part that is in all three slabs.

    Williams et al., "An efficient and robust ray-box intersection algorithm" (2005). A line is level with a face if its
    height changes by no more than rounding within the box.
    """
    o, d, tolerance = to_local(box, line.origin), into(box, line.direction), TOUCH * size
    t = linear_box_parameter(o, d, box.lo, box.hi, -math.inf, math.inf)
    q = along(o, t, d)
    if norm(sub(q, clamp(q, box.lo, box.hi))) > tolerance:
        return math.nan, math.nan
    wide, speed = norm(sub(box.hi, box.lo)), norm(d)
    if wide <= tolerance:
        return t, t
    level = tolerance * speed / wide
    enter, leave = _slab(o.x, d.x, box.lo.x, box.hi.x, level, -math.inf, math.inf)
    enter, leave = _slab(o.y, d.y, box.lo.y, box.hi.y, level, enter, leave)
    enter, leave = _slab(o.z, d.z, box.lo.z, box.hi.z, level, enter, leave)
    if abs(leave - enter) * speed <= tolerance:
        enter = leave = 0.5 * enter + 0.5 * leave  # through a flat box, or past an edge
    elif leave < enter:
        enter = leave = t
    return enter, leave


@kernel
def _face(q: float, d: float, lo: float, hi: float, tolerance: float) -> tuple[float, float]:
    """Return how steeply a line leaves the side of a slab that it is at, and which side that is: -1 or 1, else 0."""
    if q - lo <= tolerance and (d >= 0.0 or hi - q > tolerance):
        return -d, -1.0
    if hi - q <= tolerance:
        return d, 1.0
    return math.inf, 0.0


@kernel
def surface_box(line: Linear, t: float, box: Box, radius: float, size: float) -> SurfacePoint:
    """Return what the point at a parameter is to a box."""
    d, tolerance = into(box, line.direction), TOUCH * size
    q = to_local(box, line.tip) if t == 1.0 and line.hi < math.inf else along(to_local(box, line.origin), t, d)
    p = clamp(q, box.lo, box.hi)
    gap = norm(sub(q, p))
    if gap == 0.0:
        above, below = sub(q, box.hi), sub(box.lo, q)
        gap = max(above.x, above.y, above.z, below.x, below.y, below.z)
    x_slope, x = _face(q.x, d.x, box.lo.x, box.hi.x, tolerance)
    y_slope, y = _face(q.y, d.y, box.lo.y, box.hi.y, tolerance)
    z_slope, z = _face(q.z, d.z, box.lo.z, box.hi.z, tolerance)
    if x_slope <= y_slope and x_slope <= z_slope:
        p, normal = Vec3(_side(x, p.x, box.lo.x, box.hi.x), p.y, p.z), scale(box.x, x)
    elif y_slope <= z_slope:
        p, normal = Vec3(p.x, _side(y, p.y, box.lo.y, box.hi.y), p.z), scale(box.y, y)
    else:
        p, normal = Vec3(p.x, p.y, _side(z, p.z, box.lo.z, box.hi.z)), scale(box.z, z)
    return SurfacePoint(gap, to_world(box, p), normal)


@kernel
def _side(side: float, q: float, lo: float, hi: float) -> float:
    """Return the coordinate of a side of a slab: the low one (-1) or the high one (1); of neither, the one given."""
    return lo if side < 0.0 else (hi if side > 0.0 else q)
