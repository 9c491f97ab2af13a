"""Where a straight line runs inside a core grown by its radius: the interval of its parameter, and the entry normal.

The interval's ends are accurate where the textbook's quadratic formula cancels: through the nearest point and half the
chord. A line that only touches (to rounding) has an interval of one parameter; one that misses has NaN.
"""

import math

from collision.native import kernel
from collision.separation.cores import (
    ROUNDING,
    TOUCH,
    Box,
    Linear,
    at,
    into,
    nearest_parameter,
    out_of,
    to_local,
)
from collision.separation.linear import across, linear_box, linear_linear
from collision.vec3 import Vec3, along, cross, dot, norm, scale, sub


@kernel
def _ball(line: Linear, center: Vec3, radius: float, tolerance: float) -> tuple[float, float]:
    """Return the interval of a line inside a ball: the parameter of the nearest point, less and plus half a chord."""
    t = nearest_parameter(line, center)
    length = norm(line.direction)
    miss = norm(sub(at(line, t), center))
    if length == 0.0:
        return (-math.inf, math.inf) if miss <= radius + tolerance else (math.nan, math.nan)
    if miss > radius + tolerance:
        return math.nan, math.nan
    if miss >= radius - tolerance:
        return t, t
    half = math.sqrt((radius - miss) * (radius + miss)) / length
    return t - half, t + half


@kernel
def _tube(line: Linear, axis: Linear, radius: float, tolerance: float) -> tuple[float, float]:
    """Return the interval of a line inside a rounded linear piece.

    The line runs inside the infinite cylinder over an interval. Where it enters beside the axis, that is the entry;
    where it enters beyond an end, it can only come in through that end's ball. The same holds for the exit.
    """
    closest = linear_linear(line, axis)
    if closest.distance > radius + tolerance:
        return math.nan, math.nan
    u = axis.direction
    n = cross(line.direction, u)
    sine, product = norm(n), norm(line.direction) * norm(u)
    level = across(line, axis)[1] == 0.0 if axis.hi == math.inf else sine <= 2.0 * ROUNDING * product
    if level or product == 0.0:
        return _tube_parallel(line, axis, radius, tolerance)
    touch = nearest_parameter(line, closest.on_a)
    if closest.distance >= radius - tolerance:
        return touch, touch
    w = sub(line.origin, axis.origin)
    unit = Vec3(n.x / sine, n.y / sine, n.z / sine)
    middle = -dot(cross(w, u), unit) / sine
    miss = min(abs(dot(w, unit)), radius)
    half = math.sqrt((radius - miss) * (radius + miss)) * norm(u) / sine
    first = _through_end(line, axis, radius, tolerance, middle - half, 0, touch)
    last = _through_end(line, axis, radius, tolerance, middle + half, 1, touch)
    return first, last


@kernel
def _through_end(
    line: Linear, axis: Linear, radius: float, tolerance: float, t: float, side: int, touch: float
) -> float:
    """Return the entry (side 0) or exit (side 1) of a line that crosses the infinite cylinder's wall at t."""
    s = dot(sub(at(line, t), axis.origin), axis.direction) / dot(axis.direction, axis.direction)
    if axis.lo <= s <= axis.hi:
        return t
    first, last = _ball(line, at(axis, min(max(s, axis.lo), axis.hi)), radius, tolerance)
    if math.isnan(first):
        return touch
    return first if side == 0 else last


@kernel
def _tube_parallel(line: Linear, axis: Linear, radius: float, tolerance: float) -> tuple[float, float]:
    """Return the interval of a line that runs along a rounded linear piece, near enough: between the end balls."""
    first, last = math.inf, -math.inf
    if axis.lo == -math.inf:
        return -math.inf, math.inf
    near = _ball(line, at(axis, axis.lo), radius, tolerance)
    if not math.isnan(near[0]):
        first, last = min(first, near[0]), max(last, near[1])
    if axis.hi < math.inf:
        far = _ball(line, at(axis, axis.hi), radius, tolerance)
        if not math.isnan(far[0]):
            first, last = min(first, far[0]), max(last, far[1])
    elif dot(line.direction, axis.direction) > 0.0:
        last = math.inf
    else:
        first = -math.inf
    return first, last


@kernel
def _entry_normal(line: Linear, t: float, core_point: Vec3, radius: float, tolerance: float) -> Vec3:
    """Return the outward normal of a rounded core where a line enters; against the line when it has no thickness."""
    w = sub(along(line.origin, t, line.direction), core_point)
    length = norm(w)
    if radius <= tolerance or length == 0.0 or not length < math.inf:
        w, length = scale(line.direction, -1.0), norm(line.direction)
    return Vec3(w.x / length, w.y / length, w.z / length)


@kernel
def chord_point(line: Linear, c: Vec3, radius: float, size: float) -> tuple[float, float, Vec3]:
    """Return the interval of a line inside a ball, and the entry normal."""
    first, last = _ball(line, c, radius, TOUCH * size)
    return first, last, _entry_normal(line, first, c, radius, TOUCH * size)


@kernel
def chord_linear(line: Linear, axis: Linear, radius: float, size: float) -> tuple[float, float, Vec3]:
    """Return the interval of a line inside a rounded linear piece, and the entry normal."""
    first, last = _tube(line, axis, radius, TOUCH * size)
    beside = at(axis, nearest_parameter(axis, along(line.origin, first, line.direction)))
    return first, last, _entry_normal(line, first, beside, radius, TOUCH * size)


@kernel
def _slab(o: float, d: float, lo: float, hi: float, first: float, last: float) -> tuple[float, float]:
    """Narrow an interval to where one coordinate is inside its slab."""
    if d == 0.0:
        return first, last
    a, b = (lo - o) / d, (hi - o) / d
    return max(first, min(a, b)), min(last, max(a, b))


@kernel
def chord_box(line: Linear, box: Box, radius: float, size: float) -> tuple[float, float, Vec3]:
    """Return the interval of a line inside a box, and the entry normal."""
    nearest = linear_box(line, box)
    if nearest.distance > TOUCH * size:
        return math.nan, math.nan, Vec3(math.nan, math.nan, math.nan)
    o, d = to_local(box, line.origin), into(box, line.direction)
    enter, leave = _slab(o.x, d.x, box.lo.x, box.hi.x, -math.inf, math.inf)
    side = Vec3(math.copysign(1.0, -d.x), 0.0, 0.0)
    y_enter, y_leave = _slab(o.y, d.y, box.lo.y, box.hi.y, enter, leave)
    if y_enter > enter:
        side = Vec3(0.0, math.copysign(1.0, -d.y), 0.0)
    enter, leave = _slab(o.z, d.z, box.lo.z, box.hi.z, y_enter, y_leave)
    if enter > y_enter:
        side = Vec3(0.0, 0.0, math.copysign(1.0, -d.z))
    if abs(leave - enter) * norm(line.direction) <= TOUCH * size:
        enter = leave = 0.5 * enter + 0.5 * leave  # through a flat box, or past an edge
    elif leave < enter:
        enter = leave = nearest_parameter(line, nearest.on_a)
    return enter, leave, out_of(box, side)
