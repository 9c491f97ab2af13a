"""What the kernel of a linear piece and a box tells: slabs, the distance over the parameter, and the way out."""

from __future__ import annotations

import math
from dataclasses import replace

from collision.explaining.pairs import Told, nearest, sentence, the_normal
from collision.explaining.point import unit_of
from collision.explaining.records import Mark, MarkRole, Plot, PlotArea, PlotLine, PlotPoint, Step, Value, formula
from collision.explaining.trace import Call
from collision.kernels.cores import Linear, out_of, to_world
from collision.kernels.vec3 import Vec3, along, largest
from collision.shapes.kinds import AABB, Line, Point, Ray, Segment

_AXES = ("x", "y", "z")
_WAYS = {"side": "through the side {}", "edge": "across the edges along {}"}
_PLACES = tuple(k / 60.0 for k in range(61))


def linear_box(told: Told) -> list[Step]:
    """Return the steps of a linear piece against a box."""
    call = told.call
    found = call.the("linear_box_parameter")
    steps = [_into_frame(told), _crossings(told, found), _nearest_parameter(told, found)]
    out = call.find("_way_out")
    if out is None:
        return [*steps, *_apart(told)]
    return [*steps, *_leaving(told, out)]


def _into_frame(told: Told) -> Step:
    piece, box, local = told.first, told.second, told.call["local"]
    o = Value(r"\mathbf{o}", local.origin, "length", "o", "where it starts, along the box's axes")
    u = Value(r"\mathbf{u}", local.direction, "length" if local.hi < math.inf else "", "u", "its direction there")
    if isinstance(box.shape, AABB):
        text = f"The sides of {box.name} are along the world's axes, so its frame is the world's."
    else:
        text = f"{sentence(piece.core_name)} is taken into the frame of {box.name}."
    text += " There each side is a bound on one coordinate."
    x, y, z = box.core.x, box.core.y, box.core.z
    middle = to_world(box.core, Vec3(*(0.5 * (lo + hi) for lo, hi in zip(box.core.lo, box.core.hi, strict=True))))
    marks = (
        Mark("o", "point", Point(piece.core.origin)),
        Mark("u", "normal", Segment(piece.core.origin, along(piece.core.origin, 1.0, piece.core.direction))),
        *(
            Mark(f"{name} of the box", "normal", Segment(middle, along(middle, 1.0, axis)))
            for name, axis in zip(_AXES, (x, y, z), strict=True)
        ),
    )
    return Step("Into the frame of the box", text, (), (o, u), marks, kernel="linear_box")


def _at(told: Told, t: float) -> Vec3:
    """Return the point of the piece at a parameter."""
    return along(told.first.core.origin, t, told.first.core.direction)


def _crossings(told: Told, found: Call) -> Step:
    line: Linear = told.first.core
    unit = unit_of(line)
    enter, leave = found["enter"], found["leave"]
    values, areas, marks = [], [], []
    spans = [(found.values[f"{name}_in"], found.values[f"{name}_out"]) for name in _AXES]
    finite = [end for span in spans for end in span if math.isfinite(end)]
    lo, hi = shown(line, finite, 2.5)
    for row, (name, (first, last)) in enumerate(zip(_AXES, spans, strict=True)):
        values.append(Value(f"{name}_0", first, unit, f"into {name}", f"where it comes into the slab of {name}"))
        values.append(Value(f"{name}_1", last, unit, f"out of {name}", f"where it leaves the slab of {name}"))
        role: MarkRole = "chosen" if enter == first or leave == last else "other"
        if first < hi and last > lo:
            areas.append(PlotArea((max(first, lo), min(last, hi)), (row - 0.3, row + 0.3), role, name))
        for word, t in (("into", first), ("out of", last)):
            if math.isfinite(t):
                marks.append(Mark(f"{word} {name}", "chosen" if t in (enter, leave) else "other", Point(_at(told, t))))
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
        text = f"{sentence(told.first.core_name)} has no length: it is in a slab always, or never."
    rules = (
        formula(r"<i> = \max(<a>,\, <b>,\, <c>)", i=t_in, a=values[0], b=values[2], c=values[4]),
        formula(r"<i> = \min(<a>,\, <b>,\, <c>)", i=t_out, a=values[1], b=values[3], c=values[5]),
    )
    span = PlotArea((max(line.lo, lo), min(line.hi, hi)), (-0.5, 2.5), "core", told.first.core_name)
    lines = tuple(
        PlotLine((t, t), (-0.5, 2.5), "chosen", label) for t, label in ((enter, "in"), (leave, "out")) if lo <= t <= hi
    )
    plot = Plot("In which slabs", "t", "", (lo, hi), (-0.5, 2.5), lines, (), (span, *areas), _AXES)
    return Step("When it is in each slab", text, rules, (*values, t_in, t_out), tuple(marks), plot, kernel=found.name)


def shown(line: Linear, places: list[float], far: float = 1.0) -> tuple[float, float]:
    """Return a range of parameters: the piece and what is near it, which of a segment is so many times its length."""
    if line.hi < math.inf:
        lo, hi = min([0.0, *(max(t, -far) for t in places)]), max([1.0, *(min(t, 1.0 + far) for t in places)])
    else:
        ends = [*places, 0.0]
        lo, hi = min(ends), max(ends)
    room = 0.1 * (hi - lo) or 1.0
    return lo - room, hi + room


def _nearest_parameter(told: Told, found: Call) -> Step:
    line: Linear = told.first.core
    unit = unit_of(line)
    t = Value("t", found.result, unit, "at t", "clamped to the piece")
    marks = (Mark("at t", "chosen", Point(_at(told, found.result))), Mark("line", "guide", told.first.core_shape))
    if found["enter"] <= found["leave"]:
        text = "The middle of what lies inside the box serves, or the end of the piece that is nearest to that."
        return Step("The nearest parameter", text, (), (t,), marks, _over_t(told, found, []), kernel=found.name)
    tries = [assigned.value for assigned in found.assigned if assigned.name == "t"]
    names = ("halfway between", "with the two slabs that part them", "with all three slabs")
    values = tuple(
        Value(f"t_{k}", value, unit, "", name) for k, (value, name) in enumerate(zip(tries, names, strict=False))
    )
    text = (
        "The squared distance is a sum of one parabola for each slab that the line is out of. Its lowest place is a "
        "weighted mean of where the line is nearest to each slab; then it is clamped to the piece."
    )
    nearest_to = [call for call in found.calls if call.name == "clamp"][-1].result
    weights = {f"w{k}": Value(f"w_{name}", found["weight"][k]) for k, name in enumerate(_AXES)}
    places = {f"c{k}": Value(f"c_{name}", nearest_to[k], unit) for k, name in enumerate(_AXES)}
    template = r"<t> = \frac{<w0> \cdot <c0> + <w1> \cdot <c1> + <w2> \cdot <c2>}{<w0> + <w1> + <w2>}"
    rule = formula(template, t=values[-1], **weights, **places)
    return Step(
        "The nearest parameter", text, (rule,), (*values, t), marks, _over_t(told, found, tries), kernel=found.name
    )


def _over_t(told: Told, found: Call, tries: list[float]) -> Plot:
    """Return the plot of the distance over the parameter, with the places at which a slab begins or ends."""
    line: Linear = told.first.core
    slabs = [(found.values[f"{name}_in"], found.values[f"{name}_out"]) for name in _AXES]
    weights = [step * step for step in found.arguments["d"]]

    def height(t: float) -> float:
        parts = (w * (t - min(max(t, a), b)) ** 2 for (a, b), w in zip(slabs, weights, strict=True) if w > 0.0)
        return math.sqrt(math.fsum(parts))

    breaks = sorted(t for span in slabs for t in span if math.isfinite(t))
    lo, hi = shown(line, [*breaks, found.result, *tries])
    places = sorted([*(lo + (hi - lo) * k for k in _PLACES), *(t for t in breaks if lo < t < hi)])
    heights = [height(t) for t in places]
    top = 1.1 * max(heights) or 1.0
    t = found.result
    points = [PlotPoint(x, height(x), "point", "") for x in breaks if lo < x < hi]
    points += [PlotPoint(x, height(x), "outside", "") for x in tries if lo < x < hi]
    points.append(PlotPoint(t, height(t), "chosen", "t", "at t"))
    span = PlotArea((max(line.lo, lo), min(line.hi, hi)), (0.0, top), "core", told.first.core_name)
    curve = PlotLine(tuple(places), tuple(heights), "gap")
    return Plot("Distance over t", "t", "distance", (lo, hi), (0.0, top), (curve,), tuple(points), (span,))


def _apart(told: Told) -> list[Step]:
    call, piece, box = told.call, told.first, told.second
    q = Value(
        r"\mathbf{q}", call["q"], "length", f"nearest of {piece.core_name}", f"on {piece.core_name}, in the box's frame"
    )
    b = Value(r"\mathbf{b}", call["b"], "length", f"nearest of {box.core_name}", "on the box, in its frame")
    w = Value(r"\mathbf{w}", call.first("gap"), "length", "w")
    d = Value("d", call["distance"], "length", "w", "distance of the cores")
    text = (
        f"The point at t, clamped to the box on each axis, gives the nearest point of {box.name}: "
        f"{call['distance']:.4g} apart."
    )
    lo, hi = Value(r"\mathbf{l}", box.core.lo), Value(r"\mathbf{h}", box.core.hi)
    rules = (
        formula(r"<b> = \min(\max(<q>,\, <l>),\, <h>)", b=b, q=q, l=lo, h=hi),
        formula(r"<d> = \|<b> - <q>\|", d=d, b=b, q=q),
    )
    step = nearest(told, text, "linear_box", rules, (q, b, w, d))
    upright = call.find("_upright")
    if largest(piece.core.direction) == 0.0:
        said = (
            f"{sentence(piece.core_name)} has no length: it is a point, and the normal is the gap, made one unit long."
        )
    elif upright is None:
        said = f"{sentence(piece.core_name)} is nearest with an end, so the normal is the gap, made one unit long."
    else:
        count = upright["count"]
        beside = (
            "an edge" if count == 1.0 else "a side" if count == 2.0 else "a corner" if count == 0.0 else "the inside"
        )
        said = (
            f"{sentence(piece.core_name)} is nearest between its ends, beside {beside} of the box. "
            "There the normal is at a right angle to the piece, which is made so: rounding would leave it a little off."
        )
    return [step, the_normal(told, piece, said, "linear_box")]


def _leaving(told: Told, out: Call) -> list[Step]:
    widest = out.the("_widest_gap")
    piece, box, call = told.first, told.second, told.call
    tried = candidates(widest)
    chosen = next(k for k, (_, gap, _) in enumerate(tried) if gap is widest["gap"])
    marks = _ways(told, tried, out, widest)
    shown = {mark.label for mark in marks}
    values = tuple(
        Value(f"g_{k + 1}", gap, "length", "shortest" if k == chosen else name if name in shown else "", name)
        for k, (name, gap, _) in enumerate(tried)
    )
    text = (
        f"{sentence(piece.core_name)} is inside {box.name}, or touches it. The ways out are through the sides, and "
        f"across the edges; the one with the least depth is {_WAYS[tried[chosen][0][:4]].format(tried[chosen][0][5:])}."
    )
    depth = Value("d", told.separation.distance, "length", "w", "distance of the cores")
    most = formula(
        f"<w> = \\max({', '.join(f'<g{k}>' for k in range(len(tried)))})".replace(", ", r",\, "),
        w=Value("g", widest["gap"]),
        **{f"g{k}": value for k, value in enumerate(values)},
    )
    step = Step("The shortest way out", text, (most,), values, marks, _depths(tried, chosen), kernel="_widest_gap")
    t = Value("t", out["t"], unit_of(piece.core), f"nearest of {piece.core_name}", "which point touches last")
    said = "Moved along that way until it just touches, the piece touches where the witness points are."
    if call["distance"] > 0.0 and told.separation.distance == call["distance"]:
        said = "They are apart by so little that the gap has no direction; the shortest way out serves as one."
    found = nearest(told, said, "_way_out", (), (t, depth))
    found = replace(found, marks=(*found.marks, _moved(told, out["moved"])))
    a, b = told.sides
    way = f"The normal is the shortest way out, taken so that it leads from {a.name} to {b.name}."
    return [step, found, the_normal(told, piece, way, "linear_box")]


def _depths(tried: list[tuple[str, float, Vec3]], chosen: int) -> Plot:
    """Return the plot of the gap along each way, the widest on top."""
    least, most = min(gap for _, gap, _ in tried if math.isfinite(gap)), max(0.0, *(gap for _, gap, _ in tried))
    room = 0.1 * (most - least) or 1.0
    rows = sorted(range(len(tried)), key=lambda k: (k != chosen, -tried[k][1]))
    areas = tuple(
        PlotArea((max(tried[k][1], least - room), 0.0), (row - 0.3, row + 0.3), "chosen" if k == chosen else "other")
        for row, k in enumerate(rows)
    )
    names = tuple(tried[k][0] for k in rows)
    span = (least - room, most + room)
    return Plot("How deep along each way", "gap", "", span, (-0.5, len(rows) - 0.5), (), (), areas, names)


def _moved(told: Told, moved: Linear) -> Mark:
    """Return the mark of the piece where it has left the box."""
    frame = told.second.core
    start, way = to_world(frame, moved.origin), out_of(frame, moved.direction)
    if moved.hi < math.inf:
        return Mark("moved out", "guide", Segment(start, to_world(frame, moved.tip)))
    return Mark("moved out", "guide", Line(start, way) if moved.lo < 0.0 else Ray(start, way))


def candidates(call: Call) -> list[tuple[str, float, Vec3]]:
    """Return what `_widest_gap` tried: a name, the gap, and the way in the box's frame."""
    found: list[tuple[str, float, Vec3]] = []
    axis, seen = 0, {}
    for assigned in call.assigned:
        if assigned.name == "k":
            axis = assigned.value
        seen[assigned.name] = assigned.value
        if assigned.name == "down":
            up, down = seen["up"], seen["down"]
            way = [0.0, 0.0, 0.0]
            way[axis] = 1.0 if up >= down else -1.0
            found.append((f"side {'-' if up >= down else '+'}{_AXES[axis]}", max(up, down), Vec3(*way)))
        elif assigned.name == "other":
            found.append((f"edge {_AXES[axis]}", assigned.value, Vec3(0.0, 0.0, 0.0)))
    return found


def _ways(told: Told, tried: list[tuple[str, float, Vec3]], out: Call, widest: Call) -> tuple[Mark, ...]:
    """Return marks of the ways out through sides, from a point inside, and of the shortest one."""
    start, frame = _at(told, out.arguments["inside"]), told.second.core
    marks = [
        Mark(name, "other", Segment(start, along(start, gap, out_of(frame, way))))
        for name, gap, way in tried
        if math.isfinite(gap) and largest(way) > 0.0 and gap is not widest["gap"]
    ]
    shortest = along(start, widest["gap"], out_of(frame, widest["normal"]))
    return (*marks, Mark("shortest", "chosen", Segment(start, shortest)))
