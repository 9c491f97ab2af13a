"""How `contains` reaches its answer: the corners of the one shape in the other, or directions where there are none."""

from __future__ import annotations

import math
from typing import NamedTuple

from collision.explaining.articles import article_first, point_in_box
from collision.explaining.bars import PlotBar, bar_plot
from collision.explaining.explanation import Explanation, Question
from collision.explaining.pairs import PairTrace, sentence, trace_pair
from collision.explaining.records import Mark, PlotLine, Step, Value, arrow, at_most, formula, vector_of
from collision.explaining.separation import kernel_steps
from collision.explaining.trace import trace
from collision.kernels.cores import TOUCH
from collision.kernels.vec3 import Vec3
from collision.queries.distances import contains_unbounded, distances_to
from collision.shapes.kinds import AABB, HalfSpace, Point, Ray, Segment, Shape, Sphere


class _Corner(NamedTuple):
    """A corner of the inner shape, and its separation from the outer one."""

    name: str
    at: Vec3
    pair: PairTrace

    def out(self, radius: float) -> float:
        """How far the inner shape sticks out here, as `contains` adds it up."""
        return self.pair.distance + radius


def explained(asked: Question) -> Explanation:
    """Return the explanation of `contains`."""
    inner = asked.given[1]
    said = "lies in" if asked.result else "does not lie in"
    steps = _of_bounded(asked) if inner.bounded else _of_unbounded(asked)
    return asked.answered(article_first(steps), f"{asked.names[1]} {said} {asked.names[0]}.")


def _of_bounded(asked: Question) -> list[Step]:
    """Return the steps for a shape that has an end on every side."""
    (a, b), names = asked.given, asked.names
    points, radius = b.core.extremes(distances_to(a)), float(b.core.radius)
    noun = "point" if b.core.vertices() is None else "corner"
    called = [f"{noun} {k + 1}" for k in range(len(points))]
    if len(points) == 1 and noun == "corner":
        called = [f"the center of {names[1]}" if isinstance(b, Sphere) else names[1]]
    corners = [
        _Corner(name, Vec3(*point.tolist()), trace_pair(a, Point(point), (names[0], name)))
        for name, point in zip(called, points, strict=True)
    ]
    worst = max(corners, key=lambda corner: _beyond(corner, radius))
    limit = TOUCH * max(worst.pair.size, radius)
    held = all(c.out(radius) <= TOUCH * max(c.pair.size, radius) for c in corners)
    asked.confirm([held], [asked.result])
    steps = [_corners(b, corners, radius, names, noun)]
    steps += kernel_steps(worst.pair)
    steps.append(_verdict(worst, radius, limit, names, held))
    if isinstance(a, AABB) and isinstance(b, Point):
        steps.append(point_in_box(worst.pair.second.core, worst.at, held, names))
    return steps


def _beyond(corner: _Corner, radius: float) -> float:
    """Return by how much a corner sticks out beyond what rounding excuses."""
    beyond = corner.out(radius) - TOUCH * max(corner.pair.size, radius)
    return beyond if not math.isnan(beyond) else math.inf


def _corners(b: Shape, corners: list[_Corner], radius: float, names: tuple[str, str], noun: str) -> Step:
    """Return the step that takes the corners of the inner shape, or points of a round one."""
    outer, inner = names
    marks = [Mark(corner.name, "core", Point(corner.at)) for corner in corners]
    if len(corners) > 1:
        marks.append(Mark(f"core of {inner}", "guide", b.without_radius))
    values = [Value("r", radius, "length", "", f"radius of {inner}")] if radius else []
    for k, corner in enumerate(corners):
        symbol = "D" if len(corners) == 1 else f"D_{{{k + 1}}}"
        values.append(Value(symbol, corner.pair.distance, "length", corner.name, f"signed distance of {corner.name}"))
    around = ", each with the radius around it" if radius else ""
    if noun == "point":
        text = f"{outer} is convex: it holds all of {inner} if it holds what sticks out the most of its core{around}."
    elif len(corners) == 1:
        text = f"{inner} is one point{' and a radius around it' if radius else ''}, and that has to be in {outer}."
    else:
        text = (
            f"{outer} is convex: it holds all of {inner} as soon as it holds its {len(corners)} corners{around}. "
            "The one that sticks out the most decides."
        )
    bars = [PlotBar(row, 0.0, corner.out(radius), "outside" if corner.out(radius) > 0.0 else "core", "", corner.name)
            for row, corner in enumerate(corners)]  # fmt: skip
    edge = PlotLine((0.0, 0.0), (-0.5, len(corners) - 0.5), "guide")
    title = f"How far each {noun} sticks out" if len(corners) > 1 else "How far it sticks out"
    plot = bar_plot(title, "signed distance + radius", [c.name for c in corners], bars, (), (edge,))
    return Step(f"Take the {noun}s", text, (), tuple(values), tuple(marks), plot, kernel="contains")


def _verdict(worst: _Corner, radius: float, limit: float, names: tuple[str, str], held: bool) -> Step:
    """Return the step that compares the corner that sticks out the most."""
    d = Value("D", worst.pair.distance, "length", "way", f"signed distance of {worst.name}")
    r, allowed = (
        Value("r", radius, "length", "", f"radius of {names[1]}"),
        Value(r"\epsilon", limit, "length", "", _ALLOWED),
    )
    result = Value(r"\mathrm{inside}", held)
    rule = formula(f"<d> + <r> {at_most(held)} <e>" if radius else f"<d> {at_most(held)} <e>", d=d, r=r, e=allowed)
    who = f"{worst.name}, with the radius around it," if radius else worst.name
    if held:
        text = f"{who} sticks out by no more than rounding, or not at all, so all of {names[1]} is inside."
    else:
        text = f"{who} sticks out, so {names[1]} is not inside."
    text = sentence(text) + " The boundary counts as inside."
    values = (d, r, allowed, result) if radius else (d, allowed, result)
    pair = worst.pair
    marks = (Mark("way", "gap", Segment(pair.on_first, pair.on_second)),)
    return Step("The verdict", text, (rule,), values, marks, kernel="contains")


_ALLOWED = "what counts as touching: eight units in the last place of the largest coordinate or radius"


def _of_unbounded(asked: Question) -> list[Step]:
    """Return the steps for a shape without an end, by its direction."""
    (a, b), (outer, inner) = asked.given, asked.names
    call = trace(contains_unbounded, a, b, ())
    if not call.has("record"):
        text = f"{inner} has no end, and {outer} has no room for that: "
        if a.bounded:
            text += f"{outer} ends on every side."
        else:
            text += "what ends on one side holds nothing that ends on none, and only a half-space holds a half-space."
        return [Step("The verdict", text, (), (Value(r"\mathrm{inside}", False),), (), kernel="contains_unbounded")]
    carrier, direction, record = (call[name] for name in ("carrier", "direction", "record"))
    of_a, of_b = (
        f"{'normal' if isinstance(shape, HalfSpace) else 'direction'} of {name}"
        for shape, name in ((a, outer), (b, inner))
    )
    u, v = (
        Value(r"\mathbf{u}", vector_of(carrier), "", of_a, of_a),
        Value(r"\mathbf{v}", vector_of(direction), "", of_b, of_b),
    )
    start = vector_of(call["origin"])
    d = Value("D", float(record.signed_distance), "length", "start", f"signed distance of the point {inner} starts at")
    allowed = Value(r"\epsilon", float(TOUCH * record.size), "length", "", _ALLOWED)
    along = bool(call["along"])
    way = Value(r"\mathrm{along}", along, "", "", "whether the directions allow it")
    if isinstance(a, HalfSpace) and not isinstance(b, HalfSpace):
        rise = Value(r"\mathbf{u} \cdot \mathbf{v}", float(call["rise"]))
        text = f"{inner} stays in the half-space {outer} if it starts there and does not rise above its plane."
        values: tuple[Value, ...] = (u, v, rise, way)
    else:
        text = f"{inner} lies in {outer} if both have the same direction, to rounding, and {inner} starts in {outer}."
        values = (u, v, way)
    marks = (Mark("start", "point", Point(start)), arrow(of_a, start, carrier), arrow(of_b, start, direction))
    first = Step("Compare the directions", text, (), values, marks, kernel="contains_unbounded")
    inside, starts_there = (
        Value(r"\mathrm{inside}", bool(asked.result)),
        bool(record.signed_distance <= TOUCH * record.size),
    )
    rules = (formula(r"<d> \leq <e>", d=d, e=allowed),) if starts_there else ()
    begins = "It starts at a point that" if isinstance(b, Ray) else "It is given by a point that"
    where = "is" if starts_there else "is not"
    said = f"{begins} {where} in {outer}; the directions {'allow' if along else 'do not allow'} the rest."
    last = Step("The verdict", said, rules, (d, allowed, way, inside), marks[:1], kernel="contains_unbounded")
    return [first, last]
