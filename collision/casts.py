"""Where lines, rays and segments pierce shapes.

One question lies under both functions: over which interval of its parameter does a straight line run inside a solid?
The kernels answer it for the three cores, with the interval's ends accurate where the textbook's quadratic formula
cancels: through the nearest point and half the chord. A line that only touches (to rounding) has an interval of one
parameter.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from collision.fields import BoolArray, FloatArray, IntArray, check_broadcast
from collision.native.compile import Ints, Loop, Table, kernel
from collision.native.operands import PAIRS, run_pairs
from collision.separation import BOX, LINEAR, POINT, TOUCH, separate
from collision.separation.cores import (
    ROUNDING,
    Box,
    Linear,
    at,
    into,
    linear_size,
    nearest_parameter,
    out_of,
    read_linear,
    to_local,
)
from collision.separation.linear import linear_box, linear_linear
from collision.separation.loops import CoreAccess
from collision.shape import Shape, no_shape
from collision.shapes import Capsule, Line, Point, Ray, Segment
from collision.vec3 import Vec3, along, cross, dot, norm, scale, store, sub

_TOUCH = TOUCH  # a plain global: kernels take it as a constant

#: A kernel that returns the interval of a line inside a core with a radius, and the entry normal; the size is the last.
_Solve: TypeAlias = Callable[[Linear, Any, float, float], tuple[float, float, Vec3]]


class RayHit(NamedTuple):
    """Where a ray enters a shape.

    Attributes
    ----------
    hit : ndarray of bool, shape (...)
        Whether it does; touching counts.
    enter, exit : ndarray, shape (...)
        Distances along the ray, NaN where it misses. ``enter`` is 0 when the ray starts inside; ``exit`` is infinite
        when it never leaves (a ray along a line).
    point, normal : ndarray, shape (..., 3)
        The entry point and the outward normal there; against the ray's direction when it starts inside. NaN where it
        misses.
    """

    hit: BoolArray
    enter: FloatArray
    exit: FloatArray
    point: FloatArray
    normal: FloatArray


class Crossings(NamedTuple):
    """Where a line, ray or segment crosses a shape's surface.

    Attributes
    ----------
    count : ndarray of int, shape (...)
        0, 1 (it touches, or one end is inside) or 2.
    parameters : ndarray, shape (..., 2)
        In order along the line, NaN where there is none: rates 0 to 1 for a segment, distances for a ray or a line.
    points : ndarray, shape (..., 2, 3)
        NaN where there is none.
    nearest : ndarray, shape (..., 3)
        The point of the line, ray or segment nearest to the shape's center or axis; for a box that it runs through, the
        middle of the part inside. Always filled.
    """

    count: IntArray  # type: ignore[assignment]  # the field, not the method of tuples
    parameters: FloatArray
    points: FloatArray
    nearest: FloatArray


@np.errstate(over="ignore", invalid="ignore")  # near the largest number there may be no answer
def raycast(ray: Ray, shape: Shape, /) -> RayHit:
    """Return where a ray first meets a shape.

    Parameters
    ----------
    ray : Ray
        One ray or a batch.
    shape : Shape
        Any kind; batch axes broadcast with the ray's.

    Returns
    -------
    RayHit
        ``.hit``, ``.enter``, ``.exit``, ``.point``, ``.normal``.

    Raises
    ------
    TypeError
        If the first argument is no Ray or the second no shape.
    ValueError
        If batch axes do not broadcast.

    Notes
    -----
    A ray that starts on the surface hits it there, with ``enter == 0``, whichever way it goes. Where it leaves,
    ``exit`` is 0 too, to rounding, and the normal is against the ray, as inside; where it goes in, the normal is the
    outward one. For a ray that bounces, leave out what it comes from if ``exit`` is no more than rounding.

    Examples
    --------
    >>> from collision import Ray, Sphere, raycast
    >>> hit = raycast(Ray([-3, 0, 0], [1, 0, 0]), Sphere([0, 0, 0], 1))
    >>> float(hit.enter), float(hit.exit), hit.normal
    (2.0, 4.0, array([-1.,  0.,  0.]))
    >>> leaving = raycast(Ray([-1, 0, 0], [-1, 0, 0]), Sphere([0, 0, 0], 1))  # what bounces off starts in touch
    >>> bool(leaving.hit), float(leaving.enter), float(leaving.exit), float(leaving.normal[0])
    (True, 0.0, 0.0, 1.0)
    """
    if not isinstance(ray, Ray):
        raise TypeError(f"raycast: the first argument must be a Ray, got {type(ray).__name__}")
    first, last, normal, tolerance = _interval(ray, shape, "raycast")
    hit = last >= -tolerance
    inside = first < -tolerance
    enter = np.where(hit, np.maximum(first, 0.0), np.nan)
    leave = np.where(hit, np.maximum(last, 0.0), np.nan)
    point = ray.origin + enter[..., None] * ray.direction
    outward = np.where(inside[..., None], -ray.direction, normal)
    return RayHit(hit[()], enter[()], leave[()], point, np.where(hit[..., None], outward, np.nan))


@np.errstate(over="ignore", invalid="ignore")  # near the largest number there may be no answer
def crossings(line: Shape, shape: Shape, /) -> Crossings:
    """Return the points in which a line, a ray or a segment pierces a shape's surface.

    Shapes are solid: a segment wholly inside crosses nothing, though it intersects.

    Parameters
    ----------
    line : Line, Ray or Segment
        One or a batch.
    shape : Shape
        Any kind; batch axes broadcast.

    Returns
    -------
    Crossings
        ``.count``, ``.parameters``, ``.points``, ``.nearest``.

    Raises
    ------
    TypeError
        If the first argument is of another kind or the second no shape.
    ValueError
        If batch axes do not broadcast.

    Examples
    --------
    >>> from collision import Segment, Sphere, crossings
    >>> crossings(Segment([-2, 0, 0], [2, 0, 0]), Sphere([0, 0, 0], 1)).parameters
    array([0.25, 0.75])
    >>> int(crossings(Segment([-2, 1, 0], [2, 1, 0]), Sphere([0, 0, 0], 1)).count)  # tangent
    1
    """
    if not isinstance(line, Line | Ray | Segment):
        raise TypeError(f"crossings: the first argument must be a Line, Ray or Segment, got {type(line).__name__}")
    first, last, _, tolerance = _interval(line, shape, "crossings")
    origin, tip, lo, hi, _ = line.core.operands
    ends = np.stack([first, last], axis=-1)
    room = tolerance[..., None]
    within = (ends >= lo - room) & (ends <= hi + room) & np.isfinite(ends)
    within[..., 1] &= last > first  # a tangent is one crossing
    ends = np.where(within, np.clip(ends, lo, hi), np.nan)
    ends = np.where(within[..., :1] | ~within[..., 1:], ends, ends[..., ::-1])  # the only one comes first
    direction = tip - origin if line.bounded else tip
    points = origin[..., None, :] + ends[..., None] * direction[..., None, :]
    if line.bounded:
        points = np.where((ends == 1.0)[..., None], tip[..., None, :], points)
    return Crossings(within.sum(axis=-1), ends, points, _nearest(line, shape, first, last))


def _nearest(line: Shape, shape: Shape, first: FloatArray, last: FloatArray) -> FloatArray:
    """Return the point of the line nearest to a shape's core; in a box, the middle of the part inside."""
    kind, operands = shape.core
    if kind == "point":
        shape = Point(operands[0])
    elif isinstance(shape, Capsule):
        shape = Segment(shape.start, shape.end)
    nearest = separate(line, shape, first.shape).on_a
    if kind != "box":
        return nearest
    origin, tip, lo, hi, _ = line.core.operands
    start, end = np.clip(first, lo, hi), np.clip(last, lo, hi)
    runs = (first <= hi) & (last >= lo) & np.isfinite(start) & np.isfinite(end)
    direction = tip - origin if line.bounded else tip
    middle = origin + (0.5 * np.where(runs, start, 0.0) + 0.5 * np.where(runs, end, 0.0))[..., None] * direction
    return np.where(runs[..., None], middle, nearest)


def _interval(line: Shape, shape: Shape, query: str) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return the interval of the carrier inside the shape, the entry normal, and what rounding amounts to in it."""
    if not isinstance(shape, Shape):
        raise TypeError(f"{query}: the second argument must be a shape, got {no_shape(shape)}")
    lead = check_broadcast(query, line=line.batch_shape, shape=shape.batch_shape)
    first, last, normal, tolerance = np.empty(lead), np.empty(lead), np.empty((*lead, 3)), np.empty(lead)
    run_pairs(LOOPS[shape.rank], line, shape, (first, last, normal, tolerance))
    return first, last, normal, tolerance


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
    if sine <= 2.0 * ROUNDING * product or product == 0.0:
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
def _cast_point(line: Linear, c: Vec3, radius: float, size: float) -> tuple[float, float, Vec3]:
    """Return the interval of a line inside a ball, and the entry normal."""
    first, last = _ball(line, c, radius, _TOUCH * size)
    return first, last, _entry_normal(line, first, c, radius, _TOUCH * size)


@kernel
def _cast_linear(line: Linear, axis: Linear, radius: float, size: float) -> tuple[float, float, Vec3]:
    """Return the interval of a line inside a rounded linear piece, and the entry normal."""
    first, last = _tube(line, axis, radius, _TOUCH * size)
    beside = at(axis, nearest_parameter(axis, along(line.origin, first, line.direction)))
    return first, last, _entry_normal(line, first, beside, radius, _TOUCH * size)


@kernel
def _slab(o: float, d: float, lo: float, hi: float, first: float, last: float) -> tuple[float, float]:
    """Narrow an interval to where one coordinate is inside its slab."""
    if d == 0.0:
        return first, last
    a, b = (lo - o) / d, (hi - o) / d
    return max(first, min(a, b)), min(last, max(a, b))


@kernel
def _cast_box(line: Linear, box: Box, radius: float, size: float) -> tuple[float, float, Vec3]:
    """Return the interval of a line inside a box, and the entry normal."""
    nearest = linear_box(line, box)
    if nearest.distance > _TOUCH * size:
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
    if abs(leave - enter) * norm(line.direction) <= _TOUCH * size:
        enter = leave = 0.5 * enter + 0.5 * leave  # through a flat box, or past an edge
    elif leave < enter:
        enter = leave = nearest_parameter(line, nearest.on_a)
    return enter, leave, out_of(box, side)


def _cast(solve: _Solve, core: CoreAccess) -> Callable[..., None]:
    """Return the loop over the carriers of linear pieces and shapes with a core."""
    read, size_of = core

    def loop(
        first: int,
        last: int,
        indexed: int,
        ta: Table,
        sa: Ints,
        ia: Ints,
        tb: Table,
        sb: Ints,
        ib: Ints,
        more: Table,
        steps: Ints,
        out: Table,
    ) -> None:
        enter, leave, normal, tolerance = out[0], out[1], out[2], out[3]
        for k in range(first, last):
            i, j = (ia[k], ib[k]) if indexed else (k, k)
            piece, _ = read_linear(ta, sa, i)
            line = Linear(piece.origin, piece.direction, piece.tip, -math.inf, math.inf)
            target, radius = read(tb, sb, j)
            size = max(linear_size(line), size_of(target), radius)
            length = norm(line.direction)
            enter[k], leave[k], facing = solve(line, target, radius, size)
            store(normal, 3 * k, facing)
            tolerance[k] = _TOUCH * size / length if length > 0.0 else 0.0

    return loop


_CAST_BOX = Loop("cast_box", _cast(_cast_box, BOX), PAIRS)

#: The loops for the rank of the shape that is hit.
LOOPS = (
    Loop("cast_point", _cast(_cast_point, POINT), PAIRS),
    Loop("cast_linear", _cast(_cast_linear, LINEAR), PAIRS),
    _CAST_BOX,
    _CAST_BOX,
)
