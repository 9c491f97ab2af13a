"""How the kernels of a point get to its separation from a point, a linear piece and a box."""

from __future__ import annotations

import math
from dataclasses import replace

from collision.explaining.articles import by_products
from collision.explaining.bars import AXES, PlotBar, bar_plot, widened
from collision.explaining.pairs import (
    Operand,
    PairTrace,
    listed,
    nearest,
    sentence,
    the_normal,
    turned_back,
    unit_of,
    unit_of_direction,
)
from collision.explaining.records import (
    Formula,
    Mark,
    Plot,
    PlotArea,
    PlotLine,
    PlotPoint,
    Space,
    Step,
    Value,
    arrow,
    formula,
)
from collision.explaining.trace import Call
from collision.kernels.cores import ROUNDING, Box, Linear, to_world
from collision.kernels.vec3 import Vec3, along, largest, sub
from collision.shapes.kinds import AABB, Line, OrientedBox, Point, Segment


def point_point(pair: PairTrace) -> list[Step]:
    """Return the steps of a point against a point."""
    call, a, b = pair.call, pair.first, pair.second
    gap, distance = call["gap"], call["distance"]
    p, q = Value(f"\\mathbf{{{a.letter.lower()}}}", a.core), Value(f"\\mathbf{{{b.letter.lower()}}}", b.core)
    w = Value(r"\mathbf{w}", gap, "length", "w", f"from {a.core_name} to {b.core_name}")
    d = Value("d", distance, "length", "w", "distance of the points")
    found = nearest(
        pair,
        "Both cores are points, so they are nearest to each other where they are: d apart.",
        "point_point",
        (formula("<w> = <q> - <p>", w=w, q=q, p=p), formula(r"<d> = \|<w>\|", d=d, w=w)),
        (w, d),
    )
    if distance == 0.0:
        text = "The points are the same, so every direction parts them as quickly; up, along z, is taken."
        return [found, the_normal(pair, a, text, "point_point")]
    text = "The normal is the way from one point to the other, made one unit long."
    return [found, the_normal(pair, a, text, "point_point", r"<n> = <sign>\frac{<w>}{<d>}", w=w, d=d)]


def point_linear(pair: PairTrace) -> list[Step]:
    """Return the steps of a point against a linear piece."""
    return beside(pair, pair.call, pair.first, pair.second, pair.first.core, pair.second.core)


def beside(pair: PairTrace, call: Call, point: Operand, piece: Operand, p: Vec3, line: Linear) -> list[Step]:
    """Return the steps of a call of `point_linear`, of which a linear piece without a length may be the point."""
    project = call.find("nearest_parameter")
    steps = [_project(project, point, piece, p, line), *_clamp(project, point, piece, line)]
    gap, distance = call["gap"], call["distance"]
    x = Value(r"\mathbf{x}", call["foot"], "length", f"nearest of {piece.core_name}", f"on {piece.core_name}")
    w = Value(r"\mathbf{w}", gap, "length", "w", f"from {point.core_name} to {piece.core_name}")
    d = Value("d", distance, "length", "w", "distance of the cores")
    t = Value("t", call["t"])
    at, o, u = symbols(point, piece, p, line)
    position = formula("<x> = <o> + <t> <u>", x=x, o=o, t=t, u=u)
    steps.append(
        nearest(
            pair,
            f"{sentence(piece.core_name)} at t is nearest to {point.core_name}, d away.",
            "point_linear",
            (position, formula("<w> = <x> - <p>", w=w, x=x, p=at), formula(r"<d> = \|<w>\|", d=d, w=w)),
            (x, w, d),
        )
    )
    return [*steps, *by_products(point, piece, p, line), _sideways(pair, call, point, piece, w, d)]


def symbols(point: Operand, piece: Operand, p: Vec3, line: Linear) -> tuple[Value, Value, Value]:
    """Return the point, and where a linear piece begins and leads, as formulas name them."""
    begins = "a point of" if line.lo < 0.0 else "start of"
    return (
        Value(r"\mathbf{p}", p, "length", "", point.core_name),
        Value(r"\mathbf{o}", line.origin, "length", "", f"{begins} {piece.core_name}"),
        Value(r"\mathbf{u}", line.direction, unit_of_direction(line), "", f"direction of {piece.core_name}"),
    )


def _project(call: Call, point: Operand, piece: Operand, p: Vec3, line: Linear) -> Step:
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
        arrow("u", line.origin, line.direction),
    )
    values = (at, o, replace(u, mark="u"), t)
    return Step(title, text, (rule,), values, marks, kernel=call.name)


def _clamp(call: Call, point: Operand, piece: Operand, line: Linear) -> list[Step]:
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
    marks = raw_and_kept(line, raw, t, ("foot", "clamped"))
    points = [PlotPoint(t, 0.0, "chosen", "t", "clamped")]
    if raw != t:
        ends = (along(line.origin, x, line.direction) for x in (raw, t))
        marks = (*marks, Mark("from the foot", "guide", Segment(*ends)))
        points.insert(0, PlotPoint(raw, 0.0, "outside", "t₀", "foot"))
    plot = parameter_plot(piece, line, tuple(points))
    return [
        Step("Clamp to the ends", text, clamping(before, after, line), (before, after), marks, plot, kernel=call.name)
    ]


def clamping(raw: Value, kept: Value, line: Linear) -> tuple[Formula, ...]:
    """Return the formula that clamps a parameter, if there is an end to clamp to."""
    if line.lo < 0.0:
        return ()
    upper = "1" if line.hi < math.inf else r"\infty"
    return (formula(rf"<t> = \min(\max(<raw>,\, 0),\, {upper})", t=kept, raw=raw),)


def raw_and_kept(line: Linear, raw: float, kept: float, labels: tuple[str, str]) -> tuple[Mark, ...]:
    """Return the marks of a parameter before and after it was clamped: one where it was not."""
    chosen = Mark(labels[1], "chosen", Point(along(line.origin, kept, line.direction)))
    if raw == kept:
        return (chosen,)
    return Mark(labels[0], "outside", Point(along(line.origin, raw, line.direction))), chosen


def parameter_plot(piece: Operand, line: Linear, points: tuple[PlotPoint, ...]) -> Plot:
    """Return the plot of parameters along a linear piece, which is a bar."""
    ends = [end for end in (line.lo, line.hi) if math.isfinite(end)] + [point.x for point in points]
    lo, hi = widened(min(ends), max(ends))
    bar = PlotArea((max(line.lo, lo), min(line.hi, hi)), (-0.3, 0.3), "core")
    return Plot("Where along the piece", "t", "", (lo, hi), (-1.0, 1.0), (), points, (bar,), (piece.name,))


def _sideways(pair: PairTrace, call: Call, point: Operand, piece: Operand, w: Value, d: Value) -> Step:
    if call["distance"] > ROUNDING * call["reach"] and call["distance"] != 0.0:
        text = "The normal is the way from one nearest point to the other, made one unit long."
        if call["rise"] != 0.0 and not call["beyond"]:
            text += " What rounding leaves along the piece is taken off, so that it stands at a right angle to it."
        return the_normal(pair, point, text, "point_linear", r"<n> = <sign>\frac{<w>}{<d>}", w=w, d=d)
    line: Linear = call.first("line")
    if largest(line.direction) == 0.0:
        text = "Both are points, and the same: every direction parts them as quickly, and up, along z, is taken."
    else:
        text = (
            f"The point is on {piece.core_name}, to rounding, so the gap has no direction. "
            "They part sideways, at a right angle to the piece."
        )
    return the_normal(pair, point, text, "point_linear")


# --- a box ----------------------------------------------------------------------------------------


#: The directions of a box's faces, in the order in which the kernel tries them: the axis and the side.
_FACES = tuple((axis, side) for axis in range(3) for side in (-1, 1))

_P, _Q, _C = r"\mathbf{p}", r"\mathbf{q}", r"\mathbf{c}"


def point_box(pair: PairTrace) -> list[Step]:
    """Return the steps of a point against a box."""
    local = pair.call.find("point_box_local")
    steps = [_into_the_box(pair, local)] if isinstance(pair.second.shape, OrientedBox) else []
    steps.append(_clamped_to_box(pair, local))
    if local["distance"] == 0.0:
        steps.append(_nearest_face(pair, local))
    return [*steps, _box_normal(pair, local)]


def vector(symbol: str, value: Vec3, means: str = "", mark: str = "") -> Value:
    """Return a vector of lengths as a named value."""
    return Value(symbol, value, "length", mark, means)


def _into_the_box(pair: PairTrace, local: Call) -> Step:
    """Return the step that turns the point into the box's own space."""
    point, box, q = pair.first, pair.second, local["q"]
    core: Box = box.core
    p, o = (
        vector(_P, point.core, point.core_name, f"core of {point.name}"),
        vector(r"\mathbf{o}", core.origin, f"center of {box.name}", "center"),
    )
    axes = [
        Value(rf"\mathbf{{{name}}}", axis, "", "", f"axis of {box.name}")
        for name, axis in zip(AXES, core[1:4], strict=False)
    ]
    own = [Value(f"q_{name}", along, "length") for name, along in zip(AXES, q, strict=True)]
    rules = tuple(formula(r"<q> = <a> \cdot (<p> - <o>)", q=q, a=a, p=p, o=o) for q, a in zip(own, axes, strict=True))
    legs = _way_along_axes(core, core.origin, q, "way")
    text = (
        f"Seen from its center along its own axes {box.name} is a plain range of coordinates, so "
        f"{point.core_name} is taken there: one inner product for each axis."
    )
    values = (p, o, *axes, vector(_Q, q, "the point as the box sees it", f"core of {point.name}"))
    ends = (Mark(f"core of {point.name}", "core", Point(point.core)), Mark("center", "point", Point(core.origin)))
    marks = (*ends, *legs)
    space = _box_space(box, q, ())
    return Step("Into the box's own space", text, rules, values, marks, space=space, kernel="to_local")


def _clamped_to_box(pair: PairTrace, local: Call) -> Step:
    """Return the step that clamps the point to the box, on each axis by itself."""
    point, box, q, lo, hi, b = pair.first, pair.second, *(local[name] for name in ("q", "lo", "hi", "b"))
    core: Box = box.core
    changed = [name for name, was, now in zip(AXES, q, b, strict=True) if was != now]
    rules: list[Formula] = []
    for name, was, low, high, now in zip(AXES, q, lo, hi, b, strict=True):
        known = {"c": Value(f"c_{name}", now), "q": Value(f"q_{name}", was)}
        known |= {"l": Value(f"l_{name}", low), "h": Value(f"h_{name}", high)}
        rules.append(formula(r"<c> = \min(\max(<q>,\,<l>),\,<h>)", **known))
    d = local["distance"]
    length = Value("d", d, "length", "w", "distance of the cores")
    rules += [formula(r"<d> = \|<c> - <q>\|", d=length, c=vector(_C, b), q=vector(_Q, q))]
    marks = [
        Mark(f"core of {point.name}", "core", Point(point.core)),
        *_way_along_axes(core, point.core, sub(b, q), "clamped"),
    ]
    if changed:
        text = (
            f"Each coordinate is clamped to the box's range by itself, which gives the point of {box.name} that is "
            f"nearest to {point.core_name}. It is out of range along {listed(changed)}."
        )
        end = to_world(core, b)
        marks += [Mark("clamped", "witness", Point(end)), Mark("w", "gap", Segment(point.core, end))]
    else:
        text = f"No coordinate is out of the box's range, so {point.core_name} is in {box.name}, or on its surface."
    way = ("clamped", "w") if changed else (f"core of {point.name}", "")
    values = (
        vector(_C, b, "clamped point", way[0]),
        vector(r"\mathbf{w}", local["gap"], "from the point to the clamped one", way[1]),
        Value("d", d, "length", way[1], "distance of the cores"),
        vector(_Q, q, point.core_name, f"core of {point.name}"),
        vector(r"\mathbf{l}", lo, f"lower corner of {box.name}"),
        vector(r"\mathbf{h}", hi, f"upper corner of {box.name}"),
    )
    space = _box_space(box, q, (Mark("clamped", "witness", Point(b)),) if changed else ())
    plot = _clamp_plot(q, lo, hi, b, bool(changed))
    title = "Nearest points of the cores"
    return Step(title, text, tuple(rules), values, tuple(marks), plot, space, kernel="point_box_local")


def _clamp_plot(q: Vec3, lo: Vec3, hi: Vec3, b: Vec3, apart: bool) -> Plot:
    """Return the ranges of the box as three bars, and the point before and after the clamp."""
    bars = [PlotBar(k, low, high, "core", "", "") for k, (low, high) in enumerate(zip(lo, hi, strict=True))]
    points, lines = [], []
    for k, (was, now) in enumerate(zip(q, b, strict=True)):
        if was != now:
            points.append(PlotPoint(was, k, "outside", "", f"clamped along {AXES[k]}"))
            lines.append(PlotLine((was, now), (k, k), "gap"))
        points.append(PlotPoint(now, k, "witness", "", "clamped" if apart else ""))
    return bar_plot("Clamp on each axis", "coordinate", AXES, bars, points, lines)


def _nearest_face(pair: PairTrace, local: Call) -> Step:
    """Return the step that finds the face through which a point inside leaves the soonest."""
    point, box, q, lo, hi = pair.first, pair.second, local["q"], local["lo"], local["hi"]
    found = local.find("inside_box")
    core: Box = box.core
    chosen = next(k for k, (axis, side) in enumerate(_FACES) if found["normal"][axis] == -side)
    # The kernel compares these differences where they stand, without names; the least of them it calls depth.
    depths = [q[axis] - lo[axis] if side < 0 else hi[axis] - q[axis] for axis, side in _FACES]
    names = [f"{'-+'[side > 0]}{AXES[axis]}" for axis, side in _FACES]
    depth = Value(r"\delta", found["depth"], "length", "way out", "depth, to the nearest face")
    each = [Value(rf"\delta_{{{name}}}", d, "length", "way out" if k == chosen else "", f"depth below face {name}")
            for k, (name, d) in enumerate(zip(names, depths, strict=True))]  # fmt: skip
    least = ",\\,".join(f"<p{k}>" for k in range(6))
    rule = formula(rf"<p> = \min({least})", p=depth, **{f"p{k}": value for k, value in enumerate(each)})
    where = "on the surface of" if found["depth"] == 0.0 else "inside"
    text = f"{point.core_name} is {where} {box.name}, so the nearest of the six faces decides: {names[chosen]}."
    if sum(d == depths[chosen] for d in depths) > 1:
        text += " Others are as near; the first of them is taken, always the same."
    face = to_world(core, found["face"])
    marks = (
        Mark(f"core of {point.name}", "core", Point(point.core)),
        Mark("face", "chosen", _flat_face(box, core, _FACES[chosen])),
        Mark("way out", "gap", Segment(point.core, face)),
    )
    bars = [PlotBar(k, 0.0, d, "chosen" if k == chosen else "other", "", "way out" if k == chosen else "")
            for k, d in enumerate(depths)]  # fmt: skip
    plot = bar_plot("Depth below each face", "depth", names, bars)
    return Step("From inside: the nearest face", sentence(text), (rule,), (depth, *each), marks, plot,
                kernel="inside_box")  # fmt: skip


def _box_normal(pair: PairTrace, local: Call) -> Step:
    point, s, inside = pair.first, local.result, local["distance"] == 0.0
    n = Value(r"\mathbf{n}", pair.separation.normal, "", "normal", f"from {point.name} to {pair.second.name}")
    m = Value(r"\mathbf{m}", s.normal, "", "normal", "the normal along the box's own axes")
    d = Value("d", s.distance, "length", "", "signed distance of the cores")
    rules: list[Formula] = []
    if inside:
        text = (
            "From inside the distance is minus the depth, and the normal points inwards, at a right angle to the "
            f"face: {point.name} has to go against it to leave by the shortest way."
        )
        rules.append(formula(r"<d> = -<p>", d=d, p=Value(r"\delta", local.find("inside_box")["depth"], "length")))
    else:
        text = "The normal is the way from the point to the clamped one, made one unit long."
        w = vector(r"\mathbf{w}", local["gap"])
        rules.append(formula(r"<m> = \frac{<w>}{<d>}", m=m, w=w, d=d))
    if isinstance(pair.second.shape, OrientedBox):
        text += " It is turned back from the box's axes to the world's."
        rules.append(turned_back(n, pair.second.core, s.normal))
    return Step(
        "The normal",
        text,
        tuple(rules),
        (d, m, n),
        (arrow("normal", point.core, pair.separation.normal),),
        kernel="point_box",
    )


def _way_along_axes(core: Box, start: Vec3, way: Vec3, word: str) -> list[Mark]:
    """Return a way along the axes of a box, one after the other, without those that it does not go."""
    legs, at = [], start
    for name, axis, length in zip(AXES, core[1:4], way, strict=False):
        if length != 0.0:
            end = Vec3(at.x + length * axis.x, at.y + length * axis.y, at.z + length * axis.z)
            legs.append(Mark(f"{word} along {name}", "guide", Segment(at, end)))
            at = end
    return legs


def _flat_face(box: Operand, core: Box, face: tuple[int, int]) -> AABB | OrientedBox:
    """Return a face of a box as a flat box."""
    axis, side = face
    lo, hi = list(core.lo), list(core.hi)
    (lo if side > 0 else hi)[axis] = (hi if side > 0 else lo)[axis]
    if not isinstance(box.shape, OrientedBox):
        return AABB(lo, hi)
    middle = Vec3(*(0.5 * low + 0.5 * high for low, high in zip(lo, hi, strict=True)))
    half = [0.5 * high - 0.5 * low for low, high in zip(lo, hi, strict=True)]
    return OrientedBox(to_world(core, middle), box.shape.axes, half)


def _box_space(box: Operand, q: Vec3, more: tuple[Mark, ...]) -> Space | None:
    """Return a turned box and the point in the box's own space."""
    if not isinstance(box.shape, OrientedBox):
        return None
    marks = (Mark(box.name, "given", AABB(box.core.lo, box.core.hi)), Mark("q", "core", Point(q)), *more)
    return Space(f"{box.name}'s own space", marks)
