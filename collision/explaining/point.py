"""What the kernels of a point tell: against a point and a linear piece."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from collision.explaining.circle import by_products
from collision.explaining.pairs import Side, Told, nearest, sentence, the_normal
from collision.explaining.records import Mark, Plot, PlotArea, PlotPoint, Step, Unit, Value, formula
from collision.explaining.trace import Call
from collision.kernels.cores import ROUNDING, Linear
from collision.kernels.vec3 import Vec3, along, largest
from collision.shapes.kinds import Line, Point, Segment


def point_point(told: Told) -> list[Step]:
    """Return the steps of a point against a point."""
    call, a, b = told.call, told.first, told.second
    gap, distance = call["gap"], call["distance"]
    p, q = Value(f"\\mathbf{{{a.letter.lower()}}}", a.core), Value(f"\\mathbf{{{b.letter.lower()}}}", b.core)
    w = Value(r"\mathbf{w}", gap, "length", "w", f"from {a.core_name} to {b.core_name}")
    d = Value("d", distance, "length", "w", "distance of the points")
    found = nearest(
        told,
        f"Both cores are points, so they are nearest to each other where they are: {distance:.4g} apart.",
        "point_point",
        (formula("<w> = <q> - <p>", w=w, q=q, p=p), formula(r"<d> = \|<w>\|", d=d, w=w)),
        (w, d),
    )
    if distance == 0.0:
        text = "The points are the same, so every direction parts them as quickly; up, along z, is taken."
        return [found, the_normal(told, a, text, "point_point")]
    text = "The normal is the way from one point to the other, made one unit long."
    return [found, the_normal(told, a, text, "point_point", r"<n> = <sign>\frac{<w>}{<d>}", w=w, d=d)]


def point_linear(told: Told) -> list[Step]:
    """Return the steps of a point against a linear piece."""
    return beside(told, told.call, told.first, told.second, told.first.core, told.second.core)


def beside(told: Told, call: Call, point: Side, piece: Side, p: Vec3, line: Linear) -> list[Step]:
    """Return the steps of a call of `point_linear`, of which a linear piece without a length may be the point."""
    project = call.the("nearest_parameter")
    steps = [_project(project, point, piece, p, line), *_clamp(project, point, piece, line)]
    gap, distance = call["gap"], call["distance"]
    x = Value(r"\mathbf{x}", call["foot"], "length", f"nearest of {piece.core_name}", f"on {piece.core_name}")
    w = Value(r"\mathbf{w}", gap, "length", "w", f"from {point.core_name} to {piece.core_name}")
    d = Value("d", distance, "length", "w", "distance of the cores")
    t = Value("t", call["t"])
    at, o, u = symbols(point, piece, p, line)
    place = formula("<x> = <o> + <t> <u>", x=x, o=o, t=t, u=u)
    steps.append(
        nearest(
            told,
            f"{sentence(piece.core_name)} at t is nearest to {point.core_name}, {distance:.4g} away.",
            "point_linear",
            (place, formula("<w> = <x> - <p>", w=w, x=x, p=at), formula(r"<d> = \|<w>\|", d=d, w=w)),
            (x, w, d),
        )
    )
    return [*steps, *by_products(point, piece, p, line), _sideways(told, call, point, piece, w, d)]


def symbols(point: Side, piece: Side, p: Vec3, line: Linear) -> tuple[Value, Value, Value]:
    """Return the point, and where a linear piece begins and leads, as formulas name them."""
    begins = "a point of" if line.lo < 0.0 else "start of"
    return (
        Value(r"\mathbf{p}", p, "length", "", point.core_name),
        Value(r"\mathbf{o}", line.origin, "length", "", f"{begins} {piece.core_name}"),
        Value(r"\mathbf{u}", line.direction, unit_of_direction(line), "", f"direction of {piece.core_name}"),
    )


def unit_of_direction(line: Linear) -> Unit:
    """Return what a direction is measured in: that of a segment leads to its end, others are a unit long."""
    return "length" if line.hi < math.inf else ""


def unit_of(line: Linear) -> Unit:
    """Return what the parameter of a linear piece is measured in: the direction of what has no end is a unit long."""
    return "" if line.hi < math.inf else "length"


def _project(call: Call, point: Side, piece: Side, p: Vec3, line: Linear) -> Step:
    title, squared = "Project the point on the line", call["squared"]
    at, o, u = symbols(point, piece, p, line)
    if squared == 0.0:
        text = f"{sentence(piece.core_name)} has no length, so there is no direction to project on: its start serves."
        u2 = Value(r"\|\mathbf{u}\|^2", squared, "length²", "", "squared length")
        t = Value("t", call.result, "", "start", "where it starts")
        marks: tuple[Mark, ...] = (Mark("start", "point", Point(line.origin)),)
        return Step(title, text, (formula(r"<s> = <u> \cdot <u>", s=u2, u=u),), (u2, t), marks, kernel=call.name)
    t = Value("t_0", call["t"], unit_of(line), "foot", f"how far along {piece.core_name}")
    kind = "as a part of its length" if line.hi < math.inf else "in scene units"
    text = f"t says how far along {piece.core_name} the foot of the perpendicular from {point.core_name} lies, {kind}."
    rule = formula(r"<t> = \frac{(<p> - <o>) \cdot <u>}{<u> \cdot <u>}", t=t, p=at, o=o, u=u)
    foot = along(line.origin, call["t"], line.direction)
    on_it = line.lo <= call["t"] <= line.hi
    marks = (
        Mark("line", "guide", Line(line.origin, line.direction)),
        Mark("foot", "point" if on_it else "outside", Point(foot)),
        Mark("perpendicular", "gap", Segment(p, foot)),
        Mark("u", "normal", Segment(line.origin, along(line.origin, 1.0, line.direction))),
    )
    values = (at, o, replace(u, mark="u"), t)
    return Step(title, text, (rule,), values, marks, kernel=call.name)


def _clamp(call: Call, point: Side, piece: Side, line: Linear) -> list[Step]:
    """Return the step that takes a parameter to the ends of a piece, if it has any."""
    if call["squared"] == 0.0 or line.lo == -math.inf:
        return []
    raw, t = call["t"], call.result
    if raw == t:
        text = f"t is between the ends of {piece.core_name}, so the foot is on it."
    else:
        end = "before the start" if raw < t else "beyond the end"
        text = f"The foot is on the extension, {end} of {piece.core_name}, so that end is nearest."
    before = Value("t_0", raw, unit_of(line), "clamped" if raw == t else "foot")
    after = Value("t", t, unit_of(line), "clamped", "clamped")
    upper = "1" if line.hi == 1.0 else r"\infty"
    rule = formula(rf"<t> = \min(\max(<raw>,\, 0),\, {upper})", t=after, raw=before)
    marks = raw_and_kept(line, raw, t, ("foot", "clamped"))
    points = [PlotPoint(t, 0.0, "chosen", "t", "clamped")]
    if raw != t:
        ends = (along(line.origin, x, line.direction) for x in (raw, t))
        marks = (*marks, Mark("from the foot", "guide", Segment(*ends)))
        points.insert(0, PlotPoint(raw, 0.0, "outside", "t₀", "foot"))
    plot = parameter_plot(piece, line, tuple(points))
    return [Step("Clamp to the ends", text, (rule,), (before, after), marks, plot, kernel=call.name)]


def raw_and_kept(line: Linear, raw: float, kept: float, labels: tuple[str, str]) -> tuple[Mark, ...]:
    """Return the marks of a parameter before and after it was clamped: one where it was not."""
    chosen = Mark(labels[1], "chosen", Point(along(line.origin, kept, line.direction)))
    if raw == kept:
        return (chosen,)
    return Mark(labels[0], "outside", Point(along(line.origin, raw, line.direction))), chosen


def parameter_plot(piece: Side, line: Linear, points: tuple[PlotPoint, ...]) -> Plot:
    """Return the plot of parameters along a linear piece, which is a bar."""
    lo, hi = window([point.x for point in points], line)
    bar = PlotArea((max(line.lo, lo), min(line.hi, hi)), (-0.3, 0.3), "core")
    return Plot("Where along the piece", "t", "", (lo, hi), (-1.0, 1.0), (), points, (bar,), (piece.name,))


def window(shown: Sequence[float], line: Linear) -> tuple[float, float]:
    """Return a range of parameters with some values in it, the ends of a linear piece, and some room."""
    ends = [end for end in (line.lo, line.hi) if math.isfinite(end)]
    lo, hi = min([*shown, *ends]), max([*shown, *ends])
    room = 0.1 * (hi - lo) or 0.2 * abs(hi) or 1.0
    return lo - room, hi + room


def _sideways(told: Told, call: Call, point: Side, piece: Side, w: Value, d: Value) -> Step:
    if call["distance"] > ROUNDING * call["reach"] and call["distance"] != 0.0:
        text = "The normal is the way from one nearest point to the other, made one unit long."
        if call["rise"] != 0.0 and not call["beyond"]:
            text += " What rounding leaves along the piece is taken off, so that it stands at a right angle to it."
        return the_normal(told, point, text, "point_linear", r"<n> = <sign>\frac{<w>}{<d>}", w=w, d=d)
    line: Linear = call.arguments["line"]
    if largest(line.direction) == 0.0:
        text = "Both are points, and the same: every direction parts them as quickly, and up, along z, is taken."
    else:
        text = (
            f"The point is on {piece.core_name}, to rounding, so the gap has no direction. "
            "They part sideways, at a right angle to the piece."
        )
    return the_normal(told, point, text, "point_linear")
