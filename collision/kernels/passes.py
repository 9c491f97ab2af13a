"""Where linear pieces pass through shapes: what rays hit, and where lines, rays and segments cross surfaces."""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from collision.kernels.cores import ROUNDING, TOUCH, Linear
from collision.kernels.vec3 import Vec3, along, dot, norm, scale
from collision.native import kernel

if TYPE_CHECKING:
    from collision.kernels.table import CoreRow

#: A normal that leans along a ray by no more than this is at a right angle to it: rounding makes as much.
_LEVEL = 2.0 * ROUNDING


class CoreHit(NamedTuple):
    """Where a ray enters and leaves a shape, the point of the surface and the outward normal; NaN for a miss."""

    enter: float
    leave: float
    point: Vec3
    normal: Vec3


class Pass(NamedTuple):
    """The part of a linear piece inside a shape: its ends, NaN for none, and whether they cross the surface, where."""

    start: float
    end: float
    enters: bool
    leaves: bool
    on_start: Vec3
    on_end: Vec3


@kernel
def within(t: float, piece: Linear) -> float:
    """Return the parameter of a piece nearest to t; zero without a sign."""
    return min(max(t, piece.lo), piece.hi) + 0.0


@kernel
def _carrier(piece: Linear) -> Linear:
    """Return the line along a linear piece."""
    return Linear(piece.origin, piece.direction, piece.tip, -math.inf, math.inf)


def span_of(row: "CoreRow") -> Callable[[Linear, Any, float, float], tuple[float, float]]:
    """Return the kernel for where the line of a piece runs inside a shape, NaN where the piece does not touch it."""
    clip, surface = row.clip, row.surface

    @kernel
    def span(piece: Linear, core: Any, radius: float, size: float) -> tuple[float, float]:
        if norm(piece.direction) == 0.0:
            gap = surface(piece, 0.0, core, radius, size).gap
            if gap > TOUCH * size:
                return math.nan, math.nan
            return (-math.inf, math.inf) if gap < -TOUCH * size else (0.0, 0.0)
        first, last = clip(_carrier(piece), core, radius, size)
        beyond = first > piece.hi or last < piece.lo  # where an end may touch, to rounding
        if beyond and surface(piece, within(first, piece), core, radius, size).gap > TOUCH * size:
            return math.nan, math.nan
        return first, last

    return span


def hit_of(row: "CoreRow") -> Callable[[Linear, Any, float, float], CoreHit]:
    """Return the kernel for what a ray hits; a ray that starts inside has a normal against itself."""
    span, surface = span_of(row), row.surface

    @kernel
    def hit(ray: Linear, core: Any, radius: float, size: float) -> CoreHit:
        first, last = span(ray, core, radius, size)
        if math.isnan(first):
            nothing = Vec3(math.nan, math.nan, math.nan)
            return CoreHit(math.nan, math.nan, nothing, nothing)
        enter, line = within(first, ray), _carrier(ray)
        leave, there = max(last, enter), surface(line, enter, core, radius, size)
        if enter > 0.0:
            start = surface(line, 0.0, core, radius, size)
            if start.gap <= TOUCH * size:
                enter, there = 0.0, start
        if enter == 0.0 and (there.gap < -TOUCH * size or dot(there.normal, ray.direction) > _LEVEL):
            return CoreHit(enter, leave, ray.origin, scale(ray.direction, -1.0))
        return CoreHit(enter, leave, there.point, there.normal)

    return hit


@kernel
def limited(ray: Linear, limit: float) -> Linear:
    """Return a ray that goes no farther than a limit."""
    return Linear(ray.origin, ray.direction, along(ray.origin, 1.0, ray.direction), 0.0, limit)


def pass_of(row: "CoreRow") -> Callable[[Linear, Any, float, float], Pass]:
    """Return the kernel for where a piece crosses the surface of a shape.

    A part that is deeper than rounding ends at the surface or at an end of the piece. A part that is not runs along the
    surface: it crosses where its line does, or touches in one point.
    """
    span, surface = span_of(row), row.surface

    @kernel
    def passing(piece: Linear, core: Any, radius: float, size: float) -> Pass:
        first, last = span(piece, core, radius, size)
        if math.isnan(first):
            nothing = Vec3(math.nan, math.nan, math.nan)
            return Pass(math.nan, math.nan, False, False, nothing, nothing)
        tolerance, speed = TOUCH * size, norm(piece.direction)
        start, end = within(first, piece), within(last, piece)
        a, b = surface(piece, start, core, radius, size), surface(piece, end, core, radius, size)
        if surface(piece, 0.5 * start + 0.5 * end, core, radius, size).gap >= -2.0 * tolerance:
            slack = tolerance / speed if speed > 0.0 else 0.0
            leaves = piece.lo - slack <= last <= piece.hi + slack
            enters = piece.lo - slack <= first <= piece.hi + slack or (start >= end and not leaves)
        else:
            enters = start > -math.inf and (first >= piece.lo or a.gap >= -tolerance)
            leaves = end < math.inf and (last <= piece.hi or b.gap >= -tolerance)
        return Pass(start, end, enters, leaves and not (enters and start >= end), a.point, b.point)

    return passing
