"""How the kernels of a linear piece get to its separation from another and from a box."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

from collision.explaining.bars import AXES, widened
from collision.explaining.pairs import PairTrace, nearest, sentence, the_normal, unit_of, unit_of_direction
from collision.explaining.point import beside, clamping, raw_and_kept
from collision.explaining.records import (
    Mark,
    MarkRole,
    Plot,
    PlotArea,
    PlotLine,
    PlotPoint,
    Step,
    Value,
    arrow,
    formula,
)
from collision.explaining.trace import Call
from collision.kernels.cores import ROUNDING, Linear, out_of, to_world
from collision.kernels.vec3 import Vec3, along, dot, largest, opposite, sub
from collision.shapes.kinds import AABB, Line, Point, Ray, Segment

_COMPARE = "Compare the directions"


class Parameters(NamedTuple):
    """The parameters that the kernel goes through."""

    raw: float  # where the common perpendicular stands on A's line
    kept: float  # that, clamped
    first: Call  # of `clamped`, which finds that of B for it
    again: Call | None  # of `clamped`, which finds that of A anew where the one of B was clamped


def linear_linear(pair: PairTrace) -> list[Step]:
    """Return the steps of two linear pieces."""
    call, a, b = pair.call, pair.first, pair.second
    if call.ran("point_linear"):
        degenerate = call.find("point_linear")
        point, piece = (a, b) if degenerate.first("p") is a.core.origin else (b, a)
        text = f"{sentence(point.core_name)} has no length, so it is a point, and the kernel of a point takes over."
        mark = Mark(f"start of {point.core_name}", "point", Point(point.core.origin))
        first = Step(_COMPARE, text, (), (), (mark,), kernel="linear_linear")
        return [first, *beside(pair, degenerate, point, piece, point.core.origin, piece.core)]
    steps = [_compare(pair, call.ran("_parallel"))]
    if call.ran("_parallel"):
        parallel = call.find("_parallel")
        return [*steps, _side_by_side(pair, parallel), *_from_end(pair, parallel, None)]
    found = _parameters(call)
    steps += [_first(pair, found), _other(pair, found, found.first, 2)]
    if found.again is not None:
        steps.append(_other(pair, found, found.again, 3))
    if call.ran("_from_end"):
        return [*steps, *_from_end(pair, call, found)]
    return [*steps, *_perpendicular(pair, found)]


def _parameters(call: Call) -> Parameters:
    """Return the parameters that the kernel went through: what was clamped is named before B's is found."""
    names = [name for name, _ in call.assigned]
    before = [value for name, value in call.assigned[: names.index("t")] if name == "s"]
    first, *more = call.calls_of("clamped")
    return Parameters(before[0], before[-1], first, more[0] if more else None)


def directions(pair: PairTrace) -> tuple[Value, Value]:
    """Return the directions of both pieces."""
    u, v = (
        Value(rf"\mathbf{{{x}}}", side.core.direction, unit_of_direction(side.core), x, f"along {side.core_name}")
        for x, side in zip("uv", (pair.first, pair.second), strict=True)
    )
    return u, v


def _compare(pair: PairTrace, parallel: bool) -> Step:
    found = pair.call.find("across")
    u, v = directions(pair)
    n = Value(r"\mathbf{n}", found["n"], "", "", "at a right angle to both")
    length = Value(r"\|\mathbf{n}\|", found["sine"], "", "", "the product of both lengths and the sine of their angle")
    if parallel:
        text = "The cross product is zero, to rounding: the pieces are parallel, and no one perpendicular is theirs."
    else:
        text = "The cross product stands at a right angle to both pieces, and it is the longer the more they cross."
        if not found.result[2]:
            text += " They are nearly parallel, so it is computed with twice the digits."
    formulas = (formula(r"<n> = <u> \times <v>", n=n, u=u, v=v),)
    marks = tuple(
        arrow(value.mark, side.core.origin, side.core.direction)
        for side, value in zip((pair.first, pair.second), (u, v), strict=True)
    )
    return Step(_COMPARE, text, formulas, (u, v, n, length), marks, kernel="across")


def _said(raw: float, kept: float, name: str) -> str:
    if raw == kept:
        return "That is on the piece."
    where = "before its start" if raw < kept else "beyond its end"
    return f"That is {where}, on the extension of {name}, so it is clamped to that end."


def _first(pair: PairTrace, found: Parameters) -> Step:
    a = pair.first
    shown = "at s" if found.raw == found.kept else "unclamped"
    raw = Value("s_0", found.raw, unit_of(a.core), shown, "where the common perpendicular stands")
    kept = Value("s", found.kept, unit_of(a.core), "at s", "clamped")
    w, v = Value(r"\mathbf{w}", pair.call["w"]), directions(pair)[1]
    n = Value(r"\mathbf{n}", pair.call["n"])
    rule = formula(r"<s> = \frac{(<w> \times <v>) \cdot <n>}{\|<n>\|^2}", s=raw, w=w, v=v, n=n)
    text = (
        f"s says how far along {a.core_name} the common perpendicular of both lines stands. "
        f"{_said(found.raw, found.kept, a.core_name)}"
    )
    marks = (*_lines(pair), *raw_and_kept(a.core, found.raw, found.kept, ("unclamped", "at s")))
    formulas = (rule, *clamping(raw, kept, a.core))
    return Step(
        "Along the first", text, formulas, (raw, kept), marks, _path_plot(pair, found, 1), kernel="linear_linear"
    )


def _other(pair: PairTrace, found: Parameters, call: Call, stage: int) -> Step:
    """Return the step that finds a parameter of one piece for a point of the other."""
    own, fixed = (pair.second, pair.first) if stage == 2 else (pair.first, pair.second)
    letter, other = ("t", "s") if stage == 2 else ("s", "t")
    point = found.kept if stage == 2 else found.first.result
    shown = f"at {letter}" if call["t"] == call.result else "unclamped"
    raw = Value(f"{letter}_0", call["t"], unit_of(own.core), shown, f"nearest on the line to the point at {other}")
    kept = Value(letter, call.result, unit_of(own.core), f"at {letter}", "clamped")
    way, d = Value(r"\mathbf{g}", call.first("from_origin")), directions(pair)[0 if stage == 3 else 1]
    rule = formula(r"<r> = \frac{<g> \cdot <d>}{<d> \cdot <d>}", r=raw, g=way, d=d)
    text = (
        f"{letter} says which point of {own.core_name} is nearest to the one of {fixed.core_name} at {other}. "
        f"{_said(call['t'], call.result, own.core_name)}"
    )
    title = "Along the second"
    if stage == 3:
        title = "Along the first again"
        text = f"The end of {fixed.core_name} holds t fast, so s is found once more for it. " + text
    marks = (
        *_lines(pair),
        Mark(f"at {other}", "point", Point(along(fixed.core.origin, point, fixed.core.direction))),
        *raw_and_kept(own.core, call["t"], call.result, ("unclamped", f"at {letter}")),
    )
    return Step(
        title,
        text,
        (rule, *clamping(raw, kept, own.core)),
        (way, raw, kept),
        marks,
        _path_plot(pair, found, stage),
        kernel="clamped",
    )


def _path_plot(pair: PairTrace, found: Parameters, stage: int) -> Plot:
    """Return the square of both parameters, with the way to where a stage leads."""
    first, again = found.first, found.again
    a, b = pair.first.core, pair.second.core
    way = [WayPoint(found.raw, valley(a, b, found.raw), "unclamped" if stage == 1 and found.raw != found.kept else "")]
    if stage == 1:
        way.append(WayPoint(found.kept, first["t"], "at s"))
    elif stage == 2 or again is None:
        way += [WayPoint(found.kept, first["t"], "unclamped"), WayPoint(found.kept, first.result, "at t")]
    else:
        way += [
            WayPoint(found.kept, first.result, ""),
            WayPoint(again["t"], first.result, "unclamped"),
            WayPoint(again.result, first.result, "at s"),
        ]
    end = way.pop()  # what was not clamped is shown once
    return square(a, b, (*(point for point in way if point[:2] != end[:2]), end), way[0].s)


def _lines(pair: PairTrace) -> tuple[Mark, ...]:
    return tuple(
        Mark(f"line of {side.core_name}", "guide", Line(side.core.origin, side.core.direction))
        for side in (pair.first, pair.second)
    )


def _side_by_side(pair: PairTrace, call: Call) -> Step:
    middle = call.find("_middle_of_overlap")
    a, b = pair.first, pair.second
    unit = unit_of(a.core)
    values = [
        Value("s_b", min(middle["first"], middle["last"]), unit, "", f"where {b.core_name} begins beside it"),
        Value("s_e", max(middle["first"], middle["last"]), unit, "", f"where {b.core_name} ends beside it"),
        Value("s", middle.result, unit, "at s", "chosen"),
    ]
    if middle["lo"] > middle["hi"]:
        text = f"{sentence(b.core_name)} lies beyond an end of {a.core_name}, so that end is nearest."
    else:
        text = f"{sentence(a.core_name)} and {b.core_name} lie side by side, all there as near: the middle serves."
    s: float = middle.result
    marks = (*_lines(pair), Mark("at s", "chosen", Point(along(a.core.origin, s, a.core.direction))))
    ends = [value for value in (values[0].value, values[1].value, a.core.lo, a.core.hi, s) if isinstance(value, float)]
    finite = [end for end in ends if math.isfinite(end)]
    lo, hi = widened(min(finite), max(finite))
    areas = tuple(
        PlotArea((max(first, lo), min(last, hi)), (row - 0.3, row + 0.3), "core", side.core_name)
        for row, side, first, last in (
            (0, a, a.core.lo, a.core.hi),
            (1, b, min(middle["first"], middle["last"]), max(middle["first"], middle["last"])),
        )
    )
    point = PlotPoint(s, 0.0, "chosen", "s", "at s")
    plot = Plot("Side by side", "s", "", (lo, hi), (-0.5, 1.5), (), (point,), areas, (a.name, b.name))
    return Step("Where they lie side by side", text, (), tuple(values), marks, plot, kernel=middle.name)


def _from_end(pair: PairTrace, parent: Call, found: Parameters | None) -> list[Step]:
    """Return the steps of a call of `_from_end`, which may have been given the two in the other order."""
    call = parent.find("_from_end")
    s, t, gap = call["s"], call["t"], call["gap"]
    if call.first("a") is not pair.first.core:
        s, t, gap = t, s, opposite(gap)
    step = _nearest(pair, s, t, gap, call["distance"], found)
    led_in = largest(sub(call["gap"], call["again"])) > 4.0 * ROUNDING * call["distance"]
    if call["distance"] <= call["noise"] or led_in:
        text = "The gap is no more than rounding, so it has no direction: they part sideways, at a right angle to both."
        if not call["distance"] <= call["noise"]:
            text = (
                "The gap is so small that its direction leads into a piece, so they part sideways, along the product."
            )
        return [step, the_normal(pair, pair.first, text, "_from_end")]
    w, d = step.values[-2:]
    text = "The normal is the way from one nearest point to the other, made one unit long."
    return [step, the_normal(pair, pair.first, text, "_from_end", r"<n> = <sign>\frac{<w>}{<d>}", w=w, d=d)]


def _perpendicular(pair: PairTrace, found: Parameters) -> list[Step]:
    """Return the steps of a call of `common_perpendicular`."""
    call = pair.call.find("common_perpendicular")
    step = _nearest(pair, call["s"], call["t"], call["gap"], abs(call["side"]), found)
    text = "Both nearest points are inside their pieces, so the normal is at a right angle to both: the cross product."
    if call["side"] == 0.0:
        text = "They cross. Both ways along the cross product part them as quickly, and one is taken."
    return [step, the_normal(pair, pair.first, text, "common_perpendicular")]


def _nearest(pair: PairTrace, s: float, t: float, gap: Vec3, distance: float, found: Parameters | None) -> Step:
    a, b = pair.first, pair.second
    u, v = directions(pair)
    o, c = Value(r"\mathbf{a}", a.core.origin), Value(r"\mathbf{b}", b.core.origin)
    at_s = Value("s", s, unit_of(a.core), f"nearest of {a.core_name}")
    at_t = Value("t", t, unit_of(b.core), f"nearest of {b.core_name}")
    p = Value(r"\mathbf{p}", pair.separation.on_a, "length", f"nearest of {a.core_name}", f"on {a.core_name}")
    q = Value(r"\mathbf{q}", pair.separation.on_b, "length", f"nearest of {b.core_name}", f"on {b.core_name}")
    w, d = Value(r"\mathbf{w}", gap, "length", "w"), Value("d", distance, "length", "w", "distance of the cores")
    formulas = (
        formula("<p> = <o> + <s> <u>", p=p, o=o, s=at_s, u=u),
        formula("<q> = <c> + <t> <v>", q=q, c=c, t=at_t, v=v),
    )
    where = [f"at an end of {side.core_name}" for side, x in ((a, s), (b, t)) if x in (side.core.lo, side.core.hi)]
    text = f"They are nearest {' and '.join(where) or 'inside both'}, d apart."
    step = nearest(pair, text, pair.call.name, formulas, (at_s, at_t, p, q, w, d))
    if found is None:
        return step
    raw, end = WayPoint(found.raw, valley(a.core, b.core, found.raw), ""), WayPoint(s, t, f"nearest of {a.core_name}")
    way = (end,) if raw[:2] == end[:2] else (raw, end)
    return replace(step, plot=square(a.core, b.core, way, found.raw))


# --- the square of both parameters ----------------------------------------------------------------


#: The curves of equal distance, as parts of the one through the point that is shown, and the points on each.
_LEVELS, _ANGLES = (0.5, 1.0, 1.5), tuple(2.0 * math.pi * k / 36.0 for k in range(37))


class WayPoint(NamedTuple):
    """Two parameters, and the label of the mark in the scene that shows them."""

    s: float
    t: float
    mark: str


def square(a: Linear, b: Linear, way: tuple[WayPoint, ...], lowest: float) -> Plot:
    """Return the plot of both parameters: the square, the curves about `lowest`, the way to the answer, and its end."""
    s, t = way[-1].s, way[-1].t
    xs, ys = _parameter_window(a, [point.s for point in way]), _parameter_window(b, [point.t for point in way])
    area = PlotArea((max(a.lo, xs[0]), min(a.hi, xs[1])), (max(b.lo, ys[0]), min(b.hi, ys[1])), "core")
    lines = _contours(a, b, way[-1], lowest)
    lines += [PlotLine((s, s), area.y, "chosen", f"s = {s:g}") for end in (a.lo, a.hi) if s == end]
    lines += [PlotLine(area.x, (t, t), "chosen", f"t = {t:g}") for end in (b.lo, b.hi) if t == end]
    if len(way) > 1:
        lines.append(PlotLine(tuple(point.s for point in way), tuple(point.t for point in way), "gap"))
    points = [PlotPoint(point.s, point.t, "outside", "", point.mark) for point in way[:-1]]
    points.append(PlotPoint(s, t, "chosen", "", way[-1].mark))
    seen = (p for p in points if xs[0] <= p.x <= xs[1] and ys[0] <= p.y <= ys[1])
    return Plot("Squared distance over s and t", "s", "t", xs, ys, tuple(lines), tuple(seen), (area,), square=True)


def _parameter_window(line: Linear, shown: list[float]) -> tuple[float, float]:
    """Return a range of parameters, with what is to be shown unless that is far away."""
    if line.hi < math.inf:
        return min(-0.2, *(max(x, -1.0) for x in shown)), max(1.2, *(min(x, 2.0) for x in shown))
    end = shown[-1]
    reach = max(0.2 * abs(end), *(abs(x - end) for x in shown[-2:])) or 1.0
    return (-0.2 * reach if line.lo == 0.0 <= end < reach else end - 1.2 * reach), end + 1.2 * reach


def _contours(a: Linear, b: Linear, end: WayPoint, s: float) -> list[PlotLine]:
    """Return ellipses of equal distance about where both lines are nearest; none if they are parallel."""
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


def valley(a: Linear, b: Linear, s: float) -> float:
    """Return the parameter of B's line at which it is nearest to the point of A's line at s."""
    rise = dot(a.direction, b.direction) * s - dot(sub(b.origin, a.origin), b.direction)
    return rise / dot(b.direction, b.direction)


# --- a box ----------------------------------------------------------------------------------------


_WAYS = {"side": "through the side {}", "edge": "across the edges along {}"}
_CURVE = tuple(k / 60.0 for k in range(61))


def linear_box(pair: PairTrace) -> list[Step]:
    """Return the steps of a linear piece against a box."""
    call = pair.call
    found = call.find("linear_box_parameter")
    steps = [_into_frame(pair), _crossings(pair, found), _nearest_parameter(pair, found)]
    if call.ran("_way_out"):
        return [*steps, *_leaving(pair, call.find("_way_out"))]
    return [*steps, *_apart_from_box(pair)]


def _into_frame(pair: PairTrace) -> Step:
    piece, box, local = pair.first, pair.second, pair.call["local"]
    o = Value(r"\mathbf{o}", local.origin, "length", "o", "where it starts, along the box's axes")
    u = Value(r"\mathbf{u}", local.direction, unit_of_direction(local), "u", "its direction there")
    if isinstance(box.shape, AABB):
        text = f"The sides of {box.name} are along the world's axes, so its frame is the world's."
    else:
        text = f"{sentence(piece.core_name)} is taken into the frame of {box.name}."
    text += " There each side is a bound on one coordinate."
    x, y, z = box.core.x, box.core.y, box.core.z
    middle = to_world(box.core, Vec3(*(0.5 * (lo + hi) for lo, hi in zip(box.core.lo, box.core.hi, strict=True))))
    marks = (
        Mark("o", "point", Point(piece.core.origin)),
        arrow("u", piece.core.origin, piece.core.direction),
        *(arrow(f"{name} of the box", middle, axis) for name, axis in zip(AXES, (x, y, z), strict=True)),
    )
    return Step("Into the frame of the box", text, (), (o, u), marks, kernel="linear_box")


def _at(pair: PairTrace, t: float) -> Vec3:
    """Return the point of the piece at a parameter."""
    return along(pair.first.core.origin, t, pair.first.core.direction)


def _slabs(call: Call) -> list[tuple[float, float]]:
    """Return the parameters between which the line is in the slab of each axis."""
    return [(call["x_in"], call["x_out"]), (call["y_in"], call["y_out"]), (call["z_in"], call["z_out"])]


def _crossings(pair: PairTrace, found: Call) -> Step:
    line: Linear = pair.first.core
    unit = unit_of(line)
    enter, leave = found["enter"], found["leave"]
    values, areas, marks = [], [], []
    spans = _slabs(found)
    finite = [end for span in spans for end in span if math.isfinite(end)]
    lo, hi = shown(line, finite, 2.5)
    for row, (name, (first, last)) in enumerate(zip(AXES, spans, strict=True)):
        values.append(Value(f"{name}_0", first, unit, f"into {name}", f"where it comes into the slab of {name}"))
        values.append(Value(f"{name}_1", last, unit, f"out of {name}", f"where it leaves the slab of {name}"))
        role: MarkRole = "chosen" if enter == first or leave == last else "other"
        if first < hi and last > lo:
            areas.append(PlotArea((max(first, lo), min(last, hi)), (row - 0.3, row + 0.3), role, name))
        for word, t in (("into", first), ("out of", last)):
            if math.isfinite(t):
                marks.append(Mark(f"{word} {name}", "chosen" if t in (enter, leave) else "other", Point(_at(pair, t))))
    values = [
        value if any(m.label == value.mark for m in marks) else Value(value.symbol, value.value, unit, "", value.means)
        for value in values
    ]
    t_in, t_out = Value(r"t_\mathrm{in}", enter, unit), Value(r"t_\mathrm{out}", leave, unit)
    if enter <= leave:
        text = "There are parameters at which the line is inside all three slabs: there it runs through the box."
    else:
        text = "The line leaves one slab before it is in all of them, so it misses the box."
    if largest(line.direction) == 0.0:
        text = f"{sentence(pair.first.core_name)} has no length: it is in a slab always, or never."
    rules = (
        formula(r"<i> = \max(<a>,\, <b>,\, <c>)", i=t_in, a=values[0], b=values[2], c=values[4]),
        formula(r"<i> = \min(<a>,\, <b>,\, <c>)", i=t_out, a=values[1], b=values[3], c=values[5]),
    )
    span = PlotArea((max(line.lo, lo), min(line.hi, hi)), (-0.5, 2.5), "core", pair.first.core_name)
    lines = tuple(
        PlotLine((t, t), (-0.5, 2.5), "chosen", label) for t, label in ((enter, "in"), (leave, "out")) if lo <= t <= hi
    )
    plot = Plot("In which slabs", "t", "", (lo, hi), (-0.5, 2.5), lines, (), (span, *areas), AXES)
    return Step("When it is in each slab", text, rules, (*values, t_in, t_out), tuple(marks), plot, kernel=found.name)


def shown(line: Linear, known: list[float], far: float = 1.0) -> tuple[float, float]:
    """Return a range of parameters: the piece and what is near it, which of a segment is so many times its length."""
    if line.hi < math.inf:
        lo, hi = min([0.0, *(max(t, -far) for t in known)]), max([1.0, *(min(t, 1.0 + far) for t in known)])
    else:
        ends = [*known, 0.0]
        lo, hi = min(ends), max(ends)
    return widened(lo, hi)


def _nearest_parameter(pair: PairTrace, found: Call) -> Step:
    line: Linear = pair.first.core
    unit = unit_of(line)
    t = Value("t", found.result, unit, "at t", "clamped to the piece")
    marks = (Mark("at t", "chosen", Point(_at(pair, found.result))), Mark("line", "guide", pair.first.core_shape))
    if found["enter"] <= found["leave"]:
        text = "The middle of what lies inside the box serves, or the end of the piece that is nearest to that."
        return Step("The nearest parameter", text, (), (t,), marks, _over_t(pair, found, []), kernel=found.name)
    tries = found.values_of("t")
    names = ("halfway between", "with the two slabs that part them", "with all three slabs")
    values = tuple(
        Value(f"t_{k}", value, unit, "", name) for k, (value, name) in enumerate(zip(tries, names, strict=False))
    )
    text = (
        "The squared distance is a sum of one parabola for each slab that the line is out of. Its lowest place is a "
        "weighted mean of where the line is nearest to each slab; then it is clamped to the piece."
    )
    nearest_to = found.calls_of("clamp")[-1].result
    weights = {f"w{k}": Value(f"w_{name}", found["weight"][k]) for k, name in enumerate(AXES)}
    nearest_ts = {f"c{k}": Value(f"c_{name}", nearest_to[k], unit) for k, name in enumerate(AXES)}
    template = r"<t> = \frac{<w0> \cdot <c0> + <w1> \cdot <c1> + <w2> \cdot <c2>}{<w0> + <w1> + <w2>}"
    rule = formula(template, t=values[-1], **weights, **nearest_ts)
    return Step(
        "The nearest parameter", text, (rule,), (*values, t), marks, _over_t(pair, found, tries), kernel=found.name
    )


def _over_t(pair: PairTrace, found: Call, tries: list[float]) -> Plot:
    """Return the plot of the distance over the parameter, with the places at which a slab begins or ends."""
    line: Linear = pair.first.core
    slabs = _slabs(found)
    steps = [*found.first("d")]

    def height(t: float) -> float:
        parts = zip(slabs, steps, strict=True)
        return math.hypot(*(step * (t - min(max(t, a), b)) for (a, b), step in parts if step * step > 0.0))

    breaks = sorted(t for span in slabs for t in span if math.isfinite(t))
    lo, hi = shown(line, [*breaks, found.result, *tries])
    shown_ts = sorted([*(lo + (hi - lo) * k for k in _CURVE), *(t for t in breaks if lo < t < hi)])
    heights = [height(t) for t in shown_ts]
    top = 1.1 * max(heights) or 1.0
    t = found.result
    points = [PlotPoint(x, height(x), "point", "") for x in breaks if lo < x < hi]
    points += [PlotPoint(x, height(x), "outside", "") for x in tries if lo < x < hi]
    points.append(PlotPoint(t, height(t), "chosen", "t", "at t"))
    span = PlotArea((max(line.lo, lo), min(line.hi, hi)), (0.0, top), "core", pair.first.core_name)
    curve = PlotLine(tuple(shown_ts), tuple(heights), "gap")
    return Plot("Distance over t", "t", "distance", (lo, hi), (0.0, top), (curve,), tuple(points), (span,))


def _apart_from_box(pair: PairTrace) -> list[Step]:
    call, piece, box = pair.call, pair.first, pair.second
    q = Value(
        r"\mathbf{q}", call["q"], "length", f"nearest of {piece.core_name}", f"on {piece.core_name}, in the box's frame"
    )
    b = Value(r"\mathbf{b}", call["b"], "length", f"nearest of {box.core_name}", "on the box, in its frame")
    w = Value(r"\mathbf{w}", call.first("gap"), "length", "w")
    d = Value("d", call["distance"], "length", "w", "distance of the cores")
    text = f"The point at t, clamped to the box on each axis, gives the nearest point of {box.name}: d apart."
    lo, hi = Value(r"\mathbf{l}", box.core.lo), Value(r"\mathbf{h}", box.core.hi)
    rules = (
        formula(r"<b> = \min(\max(<q>,\, <l>),\, <h>)", b=b, q=q, l=lo, h=hi),
        formula(r"<d> = \|<b> - <q>\|", d=d, b=b, q=q),
    )
    step = nearest(pair, text, "linear_box", rules, (q, b, w, d))
    if largest(piece.core.direction) == 0.0:
        said = (
            f"{sentence(piece.core_name)} has no length: it is a point, and the normal is the gap, made one unit long."
        )
    elif not call.ran("_upright"):
        said = f"{sentence(piece.core_name)} is nearest with an end, so the normal is the gap, made one unit long."
    else:
        count = call.find("_upright")["count"]
        beside = {0.0: "a corner", 1.0: "an edge", 2.0: "a side"}[count]
        said = (
            f"{sentence(piece.core_name)} is nearest between its ends, beside {beside} of the box. "
            "There the normal is at a right angle to the piece, which is made so: rounding would leave it a little off."
        )
    return [step, the_normal(pair, piece, said, "linear_box")]


def _leaving(pair: PairTrace, out: Call) -> list[Step]:
    widest = out.find("_widest_gap")
    piece, box, call = pair.first, pair.second, pair.call
    tried = candidates(widest)
    chosen = next(k for k, (_, gap, _) in enumerate(tried) if gap == widest["gap"])
    marks = _ways(pair, tried, out, widest)
    shown = {mark.label for mark in marks}
    values = tuple(
        Value(f"g_{k + 1}", gap, "length", "shortest" if k == chosen else name if name in shown else "", name)
        for k, (name, gap, _) in enumerate(tried)
    )
    text = (
        f"{sentence(piece.core_name)} is inside {box.name}, or touches it. The ways out are through the sides, and "
        f"across the edges; the one with the least depth is {_WAYS[tried[chosen][0][:4]].format(tried[chosen][0][5:])}."
    )
    depth = Value("d", pair.separation.distance, "length", "w", "distance of the cores")
    most = formula(
        f"<w> = \\max({', '.join(f'<g{k}>' for k in range(len(tried)))})".replace(", ", r",\, "),
        w=Value("g", widest["gap"]),
        **{f"g{k}": value for k, value in enumerate(values)},
    )
    step = Step("The shortest way out", text, (most,), values, marks, _depths(tried, chosen), kernel="_widest_gap")
    t = Value("t", out["t"], unit_of(piece.core), f"nearest of {piece.core_name}", "which point touches last")
    said = "Moved along that way until it just touches, the piece touches where the witness points are."
    if call["distance"] > 0.0 and pair.separation.distance == call["distance"]:
        said = "They are apart by so little that the gap has no direction; the shortest way out serves as one."
    found = nearest(pair, said, "_way_out", (), (t, depth))
    found = replace(found, marks=(*found.marks, _moved(pair, out["moved"])))
    a, b = pair.sides
    way = f"The normal is the shortest way out, taken so that it leads from {a.name} to {b.name}."
    return [step, found, the_normal(pair, piece, way, "linear_box")]


def _depths(tried: list[tuple[str, float, Vec3]], chosen: int) -> Plot:
    """Return the plot of the gap along each way, the widest on top."""
    least, most = min(gap for _, gap, _ in tried if math.isfinite(gap)), max(0.0, *(gap for _, gap, _ in tried))
    span = widened(least, most)
    rows = sorted(range(len(tried)), key=lambda k: (k != chosen, -tried[k][1]))
    areas = tuple(
        PlotArea((max(tried[k][1], span[0]), 0.0), (row - 0.3, row + 0.3), "chosen" if k == chosen else "other")
        for row, k in enumerate(rows)
    )
    names = tuple(tried[k][0] for k in rows)
    return Plot("How deep along each way", "gap", "", span, (-0.5, len(rows) - 0.5), (), (), areas, names)


def _moved(pair: PairTrace, moved: Linear) -> Mark:
    """Return the mark of the piece where it has left the box."""
    frame = pair.second.core
    start, way = to_world(frame, moved.origin), out_of(frame, moved.direction)
    if moved.hi < math.inf:
        return Mark("moved out", "guide", Segment(start, to_world(frame, moved.tip)))
    return Mark("moved out", "guide", Line(start, way) if moved.lo < 0.0 else Ray(start, way))


def candidates(call: Call) -> list[tuple[str, float, Vec3]]:
    """Return what `_widest_gap` tried: a name, the gap, and the way in the box's frame."""
    found: list[tuple[str, float, Vec3]] = []
    axis, seen = 0, {}
    for name, value in call.assigned:
        if name == "k":
            axis = value
        seen[name] = value
        if name == "down":
            up, down = seen["up"], seen["down"]
            way = [0.0, 0.0, 0.0]
            way[axis] = 1.0 if up >= down else -1.0
            found.append((f"side {'-' if up >= down else '+'}{AXES[axis]}", max(up, down), Vec3(*way)))
        elif name == "other":
            found.append((f"edge {AXES[axis]}", value, Vec3(0.0, 0.0, 0.0)))
    return found


def _ways(pair: PairTrace, tried: list[tuple[str, float, Vec3]], out: Call, widest: Call) -> tuple[Mark, ...]:
    """Return marks of the ways out through sides, from a point inside, and of the shortest one."""
    start, frame = _at(pair, out.first("inside")), pair.second.core
    marks = [
        Mark(name, "other", Segment(start, along(start, gap, out_of(frame, way))))
        for name, gap, way in tried
        if math.isfinite(gap) and largest(way) > 0.0 and gap is not widest["gap"]
    ]
    shortest = along(start, widest["gap"], out_of(frame, widest["normal"]))
    return (*marks, Mark("shortest", "chosen", Segment(start, shortest)))
