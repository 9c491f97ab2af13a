"""The square of the parameters of two linear pieces: where their distance is least, and the edge that clamps it."""

from __future__ import annotations

import math
from typing import NamedTuple

from collision.explaining.records import Plot, PlotArea, PlotLine, PlotPoint
from collision.kernels.cores import Linear
from collision.kernels.vec3 import dot, sub

#: The curves of equal distance, as parts of the one through the point that is shown, and the places on each.
_LEVELS, _ANGLES = (0.5, 1.0, 1.5), tuple(2.0 * math.pi * k / 36.0 for k in range(37))


class Spot(NamedTuple):
    """Two parameters, and the label of the mark in the scene that shows them."""

    s: float
    t: float
    mark: str


def square(a: Linear, b: Linear, way: tuple[Spot, ...], lowest: float) -> Plot:
    """Return the plot of both parameters: the square (or what is shown of it), the way to the answer, and its end.

    `lowest` is the parameter at which the line of A is nearest to that of B: the curves are about that.
    """
    s, t = way[-1].s, way[-1].t
    xs, ys = _window(a, [spot.s for spot in way]), _window(b, [spot.t for spot in way])
    area = PlotArea((max(a.lo, xs[0]), min(a.hi, xs[1])), (max(b.lo, ys[0]), min(b.hi, ys[1])), "core")
    lines = [*_contours(a, b, way[-1], lowest), *_edges(area, s, t, a, b)]
    if len(way) > 1:
        lines.append(PlotLine(tuple(spot.s for spot in way), tuple(spot.t for spot in way), "gap"))
    points = [PlotPoint(spot.s, spot.t, "outside", "", spot.mark) for spot in way[:-1]]
    points.append(PlotPoint(s, t, "chosen", "", way[-1].mark))
    seen = (p for p in points if xs[0] <= p.x <= xs[1] and ys[0] <= p.y <= ys[1])
    return Plot("Squared distance over s and t", "s", "t", xs, ys, tuple(lines), tuple(seen), (area,), square=True)


def _window(line: Linear, shown: list[float]) -> tuple[float, float]:
    """Return a range of parameters, with what is to be shown unless that is far away."""
    if line.hi < math.inf:
        return min(-0.2, *(max(x, -1.0) for x in shown)), max(1.2, *(min(x, 2.0) for x in shown))
    end = shown[-1]
    reach = max(0.2 * abs(end), *(abs(x - end) for x in shown[-2:])) or 1.0
    return (-0.2 * reach if line.lo == 0.0 <= end < reach else end - 1.2 * reach), end + 1.2 * reach


def _contours(a: Linear, b: Linear, end: Spot, s: float) -> list[PlotLine]:
    """Return ellipses of equal distance about the place where both lines are nearest; none if they are parallel."""
    uu, uv, vv = dot(a.direction, a.direction), dot(a.direction, b.direction), dot(b.direction, b.direction)
    along = math.sqrt(uu)
    tilt = -uv / along
    across = vv - tilt * tilt
    if across <= 1e-6 * vv:
        return []
    across = math.sqrt(across)
    t = valley(a, b, s)
    ds, dt = end.s - s, end.t - t
    reach = math.hypot(along * ds + tilt * dt, across * dt)
    if reach <= 1e-6 * along:
        reach = 0.4 * min(along, across)
    lines = []
    for level in _LEVELS:
        ys = tuple(level * reach * math.sin(angle) / across for angle in _ANGLES)
        xs = tuple((level * reach * math.cos(x) - tilt * y) / along for x, y in zip(_ANGLES, ys, strict=True))
        lines.append(PlotLine(tuple(s + x for x in xs), tuple(t + y for y in ys), "other"))
    return lines


def _edges(area: PlotArea, s: float, t: float, a: Linear, b: Linear) -> list[PlotLine]:
    """Return the sides of the square that a point lies on: those that clamped it."""
    upright = [PlotLine((s, s), area.y, "chosen", f"s = {s:g}") for end in (a.lo, a.hi) if s == end]
    level = [PlotLine(area.x, (t, t), "chosen", f"t = {t:g}") for end in (b.lo, b.hi) if t == end]
    return upright + level


def valley(a: Linear, b: Linear, s: float) -> float:
    """Return the parameter of B's line at which it is nearest to the point of A's line at s."""
    rise = dot(a.direction, b.direction) * s - dot(sub(b.origin, a.origin), b.direction)
    return rise / dot(b.direction, b.direction)
