"""Where a line runs inside a shape: a linear piece with a shape that it may meet, and a function for each core."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from collision.explaining.bars import PlotBar, bar_plot, widened
from collision.explaining.explanation import Question
from collision.explaining.pairs import Operand, listed, memory_of, unit_of, unit_of_direction
from collision.explaining.records import Formula, Mark, MarkRole, Plot, PlotLine, PlotPoint, Step, Unit, Value, formula
from collision.explaining.trace import Call, trace
from collision.kernels.cores import Linear, at
from collision.kernels.table import ROWS, CoreRow, CoreType
from collision.kernels.vec3 import Vec3, along, norm
from collision.queries.casts import HITS, PASSES
from collision.queries.distances import signed_distance
from collision.shapes.kinds import Line, Point, Segment, Sphere

#: Where a line enters a shape, and where it leaves it.
IN, OUT = r"t_\mathrm{in}", r"t_\mathrm{out}"

#: What is drawn of a line without an end, beside what it meets: so many times the size of the pair.
_BEYOND = 2.0


@dataclass(frozen=True)
class Cast:
    """A linear piece and a shape that it may meet, and the record of the kernels that decided it."""

    line: Operand  # the piece
    target: Operand  # what it may meet
    call: Call  # of the kernel that knows whether it is met
    span: Call  # of the kernel that found where the line of the piece runs inside
    stored: tuple[list[float], ...]  # what the kernels stored

    @property
    def piece(self) -> Linear:
        """The piece as the kernels saw it."""
        piece: Linear = self.line.core
        return piece

    @property
    def size(self) -> float:
        """The largest number that both are given by."""
        size: float = self.call.first("size")
        return size

    @property
    def clip(self) -> Call | None:
        """The call that found the part of the line inside the shape; nothing for a piece without length."""
        return next(iter(self.span.calls_of(self._row.clip.__name__)), None)

    @property
    def surface(self) -> Call:
        """The first call that found what a point of the line is to the surface."""
        return self.span.calls_of(self._row.surface.__name__)[0]

    @property
    def _row(self) -> CoreRow:
        return ROWS[CoreType(self.target.shape.core_type)]

    @property
    def speed(self) -> float:
        """The length of the direction: how far it goes for a unit of the parameter."""
        return math.hypot(*self.piece.direction)

    def shown(self, t: float) -> float:
        """Return a parameter that can be drawn: infinity is far beyond the shape."""
        if math.isfinite(t):
            return t
        first, last = self.clip.result if self.clip else (0.0, 0.0)
        ends = [end for end in (first, last) if math.isfinite(end)]
        middle = sum(ends) / len(ends) if ends else 0.0
        return middle + math.copysign(_BEYOND * (self.size or 1.0) / (self.speed or 1.0), t)

    def at(self, t: float) -> Vec3:
        """Return the point of the line at a parameter, to be drawn."""
        return at(self.piece, self.shown(t))

    def point(self, label: str, role: MarkRole, t: float) -> Mark:
        """Return a mark of a point of the line."""
        return Mark(label, role, Point(self.at(t)))

    def part(self, label: str, role: MarkRole, first: float, last: float) -> Mark:
        """Return a mark of a part of the line."""
        return Mark(label, role, Segment(self.at(first), self.at(last)))

    @property
    def carrier(self) -> Mark:
        """The line that the piece is on, as far as it is of interest."""
        first, last = self.clip.result if self.clip else (0.0, 0.0)
        known = [self.shown(t) for t in (first, last, self.piece.lo, self.piece.hi) if not math.isnan(t)]
        margin = 0.25 * (max(known) - min(known))
        return self.part(f"line of {self.line.name}", "guide", min(known) - margin, max(known) + margin)


def cast_of(asked: Question) -> Cast:
    """Run the kernels of `crossings` or `raycast` for a single piece and shape, and return what they did."""
    (line, shape), names = asked.given, asked.names
    a, b = memory_of(line), memory_of(shape)
    nothing: Any = ()
    stored: tuple[list[float], ...] = [0.0], [0.0], [0.0] * 2, [0.0] * 6
    loops, kernel, moving = PASSES, "passing", "piece"
    if asked.query == "raycast":
        stored = [float(np.asarray(asked.more.get("max_distance", math.inf)))], [0.0], [0.0] * 3, [0.0] * 3
        loops, kernel, moving = HITS, "hit", "ray"
    loop = loops[shape.core_type].function
    root = trace(loop, 0, 1, 0, a.table, a.strides, nothing, b.table, b.strides, nothing, nothing, nothing, stored)
    call = root.find(kernel)
    span = call.find("span")
    sides = (
        Operand(names[0], "A", line, call.first(moving), 0.0),
        Operand(names[1], "B", shape, span["core"], span["radius"]),
    )
    return Cast(*sides, call, span, stored)


#: So many points of a curve are drawn.
_SAMPLES = 65


def inside(cast: Cast) -> list[Step]:
    """Return the steps that find where the line of a piece runs inside a shape."""
    clip = cast.clip
    if clip is None:
        return [_without_length(cast)]
    return _EXPLAINERS.get(clip.name, _as_recorded)(cast, clip)


def _as_recorded(cast: Cast, call: Call) -> list[Step]:
    """Return the step of a core that has no steps of its own: what its kernel returned."""
    title, line, target = "Where the line runs inside", cast.line.name, cast.target.name
    first, last = call.result
    if math.isnan(first):
        return [Step(title, f"The line of {line} misses {target}.", (), (), (cast.carrier,), kernel=call.name)]
    values = enters_and_leaves(call.result, "inside", "inside", unit_of(cast.piece))
    marks = (cast.carrier, cast.part("inside", "chosen", first, last))
    return [Step(title, f"The line of {line} runs inside {target}.", (), values, marks, kernel=call.name)]


def enters_and_leaves(found: tuple[float, float], first: str, last: str, unit: Unit) -> tuple[Value, Value]:
    """Return where a line enters and where it leaves, with the labels of the marks that show it."""
    return Value(IN, found[0], unit, first, "where the line enters"), Value(
        OUT, found[1], unit, last, "where it leaves"
    )


def _without_length(cast: Cast) -> Step:
    gap, name, target = cast.surface.result.gap, cast.line.name, cast.target.name
    value = Value("g", gap, "length", "the point", f"how far outside {target} it is")
    side = "inside" if cast.span.result[0] == -math.inf else "on the surface, to rounding"
    side = "outside" if math.isnan(cast.span.result[0]) else side
    text = f"{name} has no length: it is a point, and it lies {side}."
    return Step("A piece without length", text, (), (value,), (cast.point("the point", "point", 0.0),), kernel="span")


# --- points: balls --------------------------------------------------------------------------------


def ball(cast: Cast, call: Call) -> list[Step]:
    """Return the steps of a line and a ball: the foot H of its center, and half the chord."""
    line, c, radius = (call.first("line"), call.first("c"), call.first("radius"))
    t, miss = call["t"], call["miss"]
    o, d = (
        Value(r"\mathbf{O}", line.origin, "length", "", "origin"),
        Value(r"\mathbf{D}", line.direction, unit_of_direction(cast.piece)),
    )
    center = Value(r"\mathbf{C}", c, "length", "center", "center")
    unit = unit_of(cast.piece)
    foot, gap = Value("t_H", t, unit, "H", "where the foot H is"), Value("|CH|", miss, "length", "|CH|", "from C to H")
    r = Value("r", radius, "length", "", "radius")
    h = along(line.origin, t, line.direction)
    marks = [Mark("center", "core", Point(c)), Mark("H", "point", Point(h)), cast.carrier]
    if miss > 0.0:
        marks.append(Mark("|CH|", "gap", Segment(c, h)))
    rules = (
        formula(r"<t> = \frac{(<c> - <o>) \cdot <d>}{<d> \cdot <d>}", t=foot, c=center, o=o, d=d),
        formula(r"<m> = \|<o> + <t> <d> - <c>\|", m=gap, o=o, t=foot, d=d, c=center),
    )
    text = "H, the foot of the perpendicular from the center C, is the point of the line nearest to C."
    first = Step("Foot of the perpendicular", text, rules, (foot, gap), tuple(marks), kernel="clip_point")
    return [first, _half_chord(cast, call, h, gap, r)]


def _half_chord(cast: Cast, call: Call, h: Vec3, gap: Value, r: Value) -> Step:
    line, c, found = call.first("line"), call.first("c"), call.result
    title = "Half the chord"
    foot = Mark("H", "point", Point(h))
    if math.isnan(found[0]):
        text = "H is farther from C than the radius, by more than rounding: the line misses."
        return Step(title, text, (formula("<m> > <r>", m=gap, r=r),), (gap, r), (foot,), kernel="clip_point")
    if not call.has("half"):
        text = "H is as far from C as the radius, to rounding: the line touches in H alone."
        return Step(title, text, (formula(r"<m> \approx <r>", m=gap, r=r),), (gap, r), (foot,), kernel="clip_point")
    unit, as_part = unit_of(cast.piece), ", as a part of D" if cast.piece.hi < math.inf else ""
    half = Value("h", call["half"], unit, "h", f"half the chord{as_part}")
    length = Value(r"|\mathbf{D}|", norm(line.direction), unit_of_direction(cast.piece), "", "length of the direction")
    ends = enters_and_leaves(found, "enters", "leaves", unit)
    p, q = (along(line.origin, end, line.direction) for end in found)
    marks = [foot, Mark("enters", "witness", Point(p)), Mark("leaves", "witness", Point(q))]
    marks += [Mark("h", "gap", Segment(h, q)), Mark("r", "gap", Segment(c, q))]
    if call["miss"] > 0.0:
        marks.append(Mark("|CH|", "gap", Segment(c, h)))
    foot_at = Value("t_H", call["t"], "", "H")
    rules = (
        formula(r"<h> = \frac{\sqrt{(<r> - <m>)(<r> + <m>)}}{<l>}", h=half, r=r, m=gap, l=length),
        formula("<t> = <f> - <h>", t=ends[0], f=foot_at, h=half),
        formula("<t> = <f> + <h>", t=ends[1], f=foot_at, h=half),
    )
    text = "The radius and |CH| give half the chord: so far from H the line enters, and leaves."
    return Step(title, text, rules, (half, *ends), tuple(marks), kernel="clip_point")


# --- linear pieces: capsules ----------------------------------------------------------------------


def pipe(cast: Cast, call: Call) -> list[Step]:
    """Return the steps of a line and a rounded linear piece: the endless cylinder, its end balls, Newton's method."""
    if not call.has("closest"):
        inner = call.find("clip_point")
        text = f"The axis of {cast.target.name} has no length: it is a ball."
        mark = Mark("axis", "core", Point(call.first("axis").origin))
        return [Step("An axis without length", text, (), (), (mark,), kernel="clip_linear"), *ball(cast, inner)]
    steps = [_nearest(cast, call)]
    if call.ran("_clip_along"):
        steps.append(_along_axis(cast, call.find("_clip_along")))
    elif call.has("middle"):
        steps += [_cylinder(cast, call), _ends(cast, call), _newton(cast, call)]
    return steps


def _nearest(cast: Cast, call: Call) -> Step:
    closest, radius = call["closest"], call.first("radius")
    gap, r = Value("d", closest.distance, "length", "d", "distance of the axes"), Value("r", radius, "length")
    marks = [Mark("on the line", "point", Point(closest.on_a)), Mark("on the axis", "point", Point(closest.on_b))]
    if closest.distance > 0.0:
        marks.append(Mark("d", "gap", Segment(closest.on_a, closest.on_b)))
    values = [gap, r]
    if call.has("touch"):
        values.append(Value("t_n", call["touch"], unit_of(cast.piece), "on the line", "where it is nearest"))
    if math.isnan(call.result[0]):
        text, sign = "The line comes no nearer to the axis than this, which is more than the radius: it misses.", ">"
    elif call.has("middle") or closest.distance < radius:
        text, sign = "The line comes nearer to the axis than the radius: it runs inside, around that point.", r"\lt"
    else:
        text, sign = "The line is as far from the axis as the radius, to rounding: it touches.", r"\approx"
    title = "Nearest points of the line and the axis"
    rule = formula(f"<d> {sign} <r>", d=gap, r=r)
    return Step(title, text, (rule,), tuple(values), (*marks, cast.carrier), kernel="clip_linear")


def _along_axis(cast: Cast, call: Call) -> Step:
    axis, radius, found = call.first("axis"), call.first("radius"), call.result
    values = enters_and_leaves(found, "inside", "inside", unit_of(cast.piece))
    marks = [cast.part("inside", "chosen", *found)]
    for label, end in (("ball at the start", axis.lo), ("ball at the end", axis.hi)):
        if math.isfinite(end):
            marks.append(Mark(label, "other", Sphere(at(axis, end), radius)))
    if axis.lo == -math.inf:
        text = "The line runs along the axis, to rounding, and neither ends: it runs inside everywhere."
    elif axis.hi == math.inf:
        text = "The line runs along the axis, to rounding: it comes in through the ball at its start, and never leaves."
    else:
        text = "The line runs along the axis, to rounding: in through the ball at one end, and out through the other."
    if axis.lo > -math.inf and math.isnan(call.calls[0].result[0] if call.calls else math.nan):
        text += " It only grazes that ball, so its nearest point stands in."
    return Step("Along the axis", text, (), values, tuple(marks), kernel="_clip_along")


def _cylinder(cast: Cast, call: Call) -> Step:
    axis, middle, half = call.first("axis"), call["middle"], call["half"]
    t = Value("t_m", middle, unit_of(cast.piece), "middle", "where the line is nearest to the endless axis")
    h = Value("h", half, unit_of(cast.piece), "", "half of the part inside")
    m, r = (
        Value("m", call["miss"], "length", "", "distance of both lines"),
        Value("r", call.first("radius"), "length"),
    )
    first, last = (
        Value(f"t_{k}", middle + side * half, unit_of(cast.piece), f"wall {k}") for k, side in ((1, -1.0), (2, 1.0))
    )
    u = Value(r"|\mathbf{U}|", norm(axis.direction), "length", "", "length of the axis")
    n = Value(r"|\mathbf{D} \times \mathbf{U}|", call["sine"], "length²", "", "length of the cross product")
    rules = (
        formula(r"<h> = \frac{\sqrt{(<r> - <m>)(<r> + <m>)} <u>}{<n>}", h=h, r=r, m=m, u=u, n=n),
        formula("<a> = <t> - <h>", a=first, t=t, h=h),
        formula("<a> = <t> + <h>", a=last, t=t, h=h),
    )
    marks = (
        cast.point("wall 1", "point", middle - half),
        cast.point("wall 2", "point", middle + half),
        cast.point("middle", "point", middle),
        Mark("endless axis", "guide", Line(axis.origin, axis.direction)),
    )
    text = "Were the axis endless, the line would cross the wall of the cylinder at these two, even about the middle."
    return Step("The endless cylinder", text, rules, (t, h, m, first, last), marks, kernel="clip_linear")


def _ends(cast: Cast, call: Call) -> Step:
    axis, radius, marks, said = call.first("axis"), call.first("radius"), [], []
    values: list[Value] = []
    for k, end in enumerate(call.each("_through_end")):
        s, way = end["s"], ("enters", "leaves")[k]
        through = end.result[k]
        label = f"{way} here"
        values.append(Value(f"s_{k + 1}", s, "", f"wall {k + 1}", "where that is beside the axis, 0 to 1"))
        values.append(
            Value(
                f"t_{k + 1}", through, unit_of(cast.piece), label if not math.isnan(through) else "", f"where it {way}"
            )
        )
        beyond = end.ran("clip_point")
        if not beyond:
            said.append(f"it {way} by the wall beside the axis")
        else:
            missed = ", which it misses" if math.isnan(through) else ""
            said.append(f"beyond the axis it {way} only through the ball of that end{missed}")
            marks.append(Mark(f"ball where it {way}", "other", Sphere(end.find("clip_point").first("c"), radius)))
        if not math.isnan(through):
            marks.append(cast.point(label, "witness", through))
        marks.append(cast.point(f"wall {k + 1}", "outside" if beyond else "point", end.first("t")))
    span = " to ".join("∞" if math.isinf(end) else f"{end:g}" for end in (axis.lo, axis.hi))
    text = f"The axis goes from {span}: {said[0]}, and {said[1]}."
    return Step("The ends of the axis", text, (), tuple(values), tuple(marks), kernel="_through_end")


def _newton(cast: Cast, call: Call) -> Step:
    steps, points = [], []
    for settled in call.each("_settled"):
        tries = [*settled.each("_end")]
        steps.append(sum(len(tried.calls_of("surface_linear")) - 1 for tried in tries))
        for tried in tries:
            surfaces = tried.calls_of("surface_linear")
            points += [(surface.first("t"), surface.result.gap) for surface in surfaces]
    first, last = call.result
    values = (
        *enters_and_leaves(call.result, "enters", "leaves", unit_of(cast.piece)),
        Value("k", sum(steps), "", "", "steps of Newton's method"),
    )
    text = "What rounding left is taken off by steps of Newton's method: the distance from the surface is zero there."
    marks = (cast.point("enters", "witness", first), cast.point("leaves", "witness", last))
    return Step("Newton's steps", text, (), values, marks, _distance_plot(cast, points, (first, last)), kernel="_end")


def _distance_plot(cast: Cast, points: list[tuple[float, float]], ends: tuple[float, float]) -> Plot:
    width = ends[1] - ends[0]
    low, high = ends[0] - 0.3 * width, ends[1] + 0.3 * width
    times = np.linspace(low, high, _SAMPLES)
    points_of_line = np.asarray(cast.piece.origin) + times[:, None] * np.asarray(cast.piece.direction)
    gaps = signed_distance(Point(points_of_line), cast.target.shape)
    curve = PlotLine(tuple(times.tolist()), tuple(np.asarray(gaps).tolist()), "core", "distance from the surface")
    zero = PlotLine((low, high), (0.0, 0.0), "guide", "surface")
    shown = [p for p in points if low <= p[0] <= high]
    dots = [PlotPoint(t, gap, "other") for t, gap in shown]
    dots += [PlotPoint(end, 0.0, "chosen", label, label) for end, label in zip(ends, ("enters", "leaves"), strict=True)]
    bottom, top = float(np.min(gaps)), float(np.max(gaps))
    return Plot(
        "Distance along the line", "t", "distance", (low, high), widened(bottom, top), (zero, curve), tuple(dots)
    )


# --- boxes ----------------------------------------------------------------------------------------


def slabs(cast: Cast, call: Call) -> list[Step]:
    """Return the steps of a line and a box: the part in all three slabs."""
    box, target = call.first("box"), cast.target.name
    o, d = call["o"], call["d"]
    t = Value("t_n", call["t"], unit_of(cast.piece), "nearest", "where the line is nearest to the box")
    q = Value(r"\mathbf{q}", call["q"], "length", "nearest", "that point, in the box's own axes")
    origin = Value(r"\mathbf{o}", o, "length", "", "where it starts, in the box's own axes")
    way = Value(r"\mathbf{d}", d, unit_of_direction(cast.piece), "", "its direction, in the box's own axes")
    missed, flat = math.isnan(call.result[0]), not call.has("level")
    if missed:
        text = f"In the axes of {target}, the line stays outside even where it is nearest: it misses."
    elif flat:
        text = f"{target} is no larger than rounding: it is a point, and the line touches it."
    else:
        text = f"In the axes of {target}, the line reaches the box where it is nearest, so it does not miss."
    marks = (cast.point("nearest", "point", call["t"]), cast.carrier)
    rule = formula("<q> = <o> + <t> <d>", q=q, o=origin, t=t, d=way)
    steps = [Step("Into the box's axes", text, (rule,), (origin, way, t, q), marks, kernel="clip_box")]
    return steps if missed or flat else [*steps, _three_slabs(cast, call, box)]


def _three_slabs(cast: Cast, call: Call, box: Any) -> Step:
    calls = call.calls_of("_slab")
    parts = [((min(s["a"], s["b"]), max(s["a"], s["b"])) if s.has("a") else None) for s in calls]
    found, values, marks, unit = call.result, list[Value](), [], unit_of(cast.piece)
    level = [axis for axis, part in zip("xyz", parts, strict=True) if part is None]
    for axis, part in zip("xyz", parts, strict=True):
        if part is not None:
            values += [Value(f"{axis}_0", part[0], unit, f"slab {axis}", f"enters the slab of {axis}")]
            values += [Value(f"{axis}_1", part[1], unit, f"slab {axis}", "leaves it")]
            marks.append(cast.part(f"slab {axis}", "other", *part))
    values += enters_and_leaves(found, "inside", "inside", unit)
    marks.append(cast.part("inside", "chosen", *found))
    text = "The box is what three slabs share: the line is inside from the last one entered to the first one left."
    if level:
        slabs = "slab" if len(level) == 1 else "slabs"
        text += f" It runs level with the {slabs} of {listed(level)}, and inside all the way."
    if call["enter"] == call["leave"]:
        text += " Both are the same, to rounding: it touches in one point."
    rules: tuple[Formula, ...] = ()
    lows, highs = [v for v in values if v.symbol.endswith("_0")], [v for v in values if v.symbol.endswith("_1")]
    if len(lows) > 1 and found[0] == max(v.value for v in lows) and found[1] == min(v.value for v in highs):
        names = ",".join(f"<{axis}>" for axis in "xyz"[: len(lows)])
        rules = (
            formula(rf"<t> = \max({names})", t=values[-2], **dict(zip("xyz", lows, strict=False))),
            formula(rf"<t> = \min({names})", t=values[-1], **dict(zip("xyz", highs, strict=False))),
        )
    plot = _slab_bars(cast, parts, found)
    return Step("Three slabs", text, rules, tuple(values), tuple(marks), plot, kernel="_slab")


def _slab_bars(cast: Cast, parts: list[tuple[float, float] | None], found: tuple[float, float]) -> Plot:
    """Return the parts as bars, those that go on and on cut off."""
    margin = (found[1] - found[0]) or 0.25 * (cast.size or 1.0) / cast.speed
    low, high = found[0] - margin, found[1] + margin
    bars = []
    for k, part in enumerate(parts):
        first, last = part or (low, high)
        bars.append(PlotBar(k, max(first, low), min(last, high), "other", mark=f"slab {'xyz'[k]}" if part else ""))
    bars.append(PlotBar(3, *found, "chosen", mark="inside"))
    return bar_plot("Along the line", "t", ("slab x", "slab y", "slab z", "all three"), bars)


# --- half-spaces ----------------------------------------------------------------------------------


def half_space(cast: Cast, call: Call) -> list[Step]:
    """Return the step of a line and a half-space."""
    h = Value("h", call["h"], "length", "", "height of its origin above the plane")
    rise = Value("v", call["rise"], unit_of_direction(cast.piece), "", "how fast it rises")
    first, last = call.result
    marks: tuple[Mark, ...] = (cast.carrier,)
    if call.has("reach"):
        side = "outside: it misses" if math.isnan(first) else "inside, all along"
        text = f"The line runs level with the plane, to rounding, and it is {side}."
        return [Step("Through the plane", text, (), (h, rise), marks, kernel="clip_half_space")]
    through = last if math.isfinite(last) else first
    t = Value("t", through, unit_of(cast.piece), "through the plane", "where it goes through the plane")
    up = call["rise"] > 0.0
    text = f"The line goes through the plane once: it is inside {'before' if up else 'after'} that, without end."
    marks = (*marks, cast.point("through the plane", "point", through))
    rule = formula(r"<t> = \frac{-<h>}{<v>}", t=t, h=h, v=rise)
    return [Step("Through the plane", text, (rule,), (h, rise, t), marks, kernel="clip_half_space")]


_EXPLAINERS: Mapping[str, Callable[[Cast, Call], list[Step]]] = MappingProxyType(
    {"clip_point": ball, "clip_linear": pipe, "clip_box": slabs, "clip_half_space": half_space}
)
