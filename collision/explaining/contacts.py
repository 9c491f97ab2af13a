"""How `manifold` finds a contact patch: the two features, where they overlap, and each corner's depth."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from collision.explaining.bars import PlotBar, bar_plot, widened
from collision.explaining.explanation import Explanation, Question
from collision.explaining.pairs import PairTrace, memory_of, sentence, shrink, trace_pair
from collision.explaining.records import (
    Formula,
    Mark,
    MarkRole,
    Plot,
    PlotLine,
    PlotPoint,
    Step,
    Value,
    arrow,
    at_most,
    formula,
)
from collision.explaining.trace import Call, trace
from collision.kernels.cores import TOUCH
from collision.kernels.features import Feature, Span
from collision.kernels.loops import NO_STRIDES
from collision.kernels.patches import MAX_POINTS, SAME, PatchContact, Points, patch, with_deepest
from collision.kernels.table import GENERAL, ROWS, CoreType
from collision.kernels.vec3 import Vec3, along, cross, dot, load, scale
from collision.native import Floats
from collision.shapes.kinds import HalfSpace, Line, OrientedBox, Point, Ray, Segment, Shape

#: The angle to which features count as level, unless another is asked for.
_ANGLE = 0.1

_FEATURES = ("corner", "edge", "face")


class _FoundFeature(NamedTuple):
    """A feature, and what the kernel computed that found it."""

    name: str
    shape: Shape
    feature: Feature
    call: Call
    table: list[float]  # what its ring of corners is in


class _TracedPatch(NamedTuple):
    """What there is to know of a patch."""

    a: _FoundFeature
    b: _FoundFeature
    contact: PatchContact
    call: Call
    points: Any
    number: int


def explained(asked: Question) -> Explanation:
    """Return the explanation of `manifold`."""
    (a, b), names = asked.given, asked.names
    pair = trace_pair(a, b, names)
    margin, angle = float(asked.more.get("margin", 0.0)), float(asked.more.get("angle", _ANGLE))
    found = _found(pair, a, b, names, margin, angle)
    asked.confirm((found.number, found.points.on_a), (asked.result.count, asked.result.on_a.ravel()))
    steps = [shrink(pair), _normal(pair, found, names)]
    if pair.distance <= found.contact.max_distance:
        steps += [_features(found, names), *_common(found, names), _corners(found, names)]
    plural = "point" if found.number == 1 else "points"
    said = f"{names[0]} and {names[1]} are in contact at {found.number} {plural}."
    if not found.number:
        said = f"{names[0]} and {names[1]} have no point of contact."
    return asked.answered(steps, said)


def _found(pair: PairTrace, a: Shape, b: Shape, names: tuple[str, str], margin: float, angle: float) -> _TracedPatch:
    """Run the kernels of a patch as Python."""
    normal, (on_a, on_b) = pair.normal, pair.witnesses
    sine, size = math.sin(angle), pair.size
    contact = PatchContact(normal, margin + TOUCH * size, sine, SAME * size)
    of_a = _feature(names[0], a, normal, sine)
    of_b = _feature(names[1], b, scale(normal, -1.0), sine)
    nothing = [math.nan] * 3 * MAX_POINTS
    memory: Any = [math.nan] * MAX_POINTS, list(nothing), list(nothing)
    out: Any = Points(memory[0], memory[1], memory[2], 0)
    # In the loop the corners of both are in one table: those of B behind those of A.
    ring, behind = of_b.feature.ring, len(of_a.table)
    ring = ring._replace(first=ring.first + behind, corners=ring.corners + behind)
    table = of_a.table + of_b.table
    call = trace(
        _joined, of_a.feature, of_b.feature._replace(ring=ring), table, contact, pair.distance, on_a, on_b, out
    )
    count = int(call.result)
    for values in memory:  # beyond there are those of a first try, if there was no room for all
        width = len(values) // MAX_POINTS
        values[width * count :] = [math.nan] * (width * (MAX_POINTS - count))
    return _TracedPatch(of_a, of_b, contact, call, out, count)


def _joined(
    a: Feature, b: Feature, table: Floats, contact: PatchContact, signed: float, on_a: Vec3, on_b: Vec3, points: Points
) -> int:
    """Store the patch of two features, as the loop over many does, and return how many points it has."""
    count = 0
    if -math.inf < signed <= contact.max_distance:
        count = patch(a, b, table, contact, points)
    return with_deepest(count, signed, on_a, on_b, contact, points)


def _feature(name: str, shape: Shape, direction: Vec3, sine: float) -> _FoundFeature:
    """Run the kernel that finds the foremost feature of a shape."""
    rank = CoreType(shape.core_type)
    row, memory = ROWS[GENERAL.get(rank, rank)], memory_of(shape)
    core, radius = row.read(memory.table, NO_STRIDES, 0)
    call = trace(row.feature, core, radius, direction, sine)
    return _FoundFeature(name, shape, call.result, call, getattr(core, "table", []))


def _normal(pair: PairTrace, found: _TracedPatch, names: tuple[str, str]) -> Step:
    """Return the step that says along what the shapes are seen."""
    contact = found.contact
    d = Value("D", pair.distance, "length", "signed distance", "signed distance, as closest_points has it")
    n = Value(r"\mathbf{n}", contact.normal, "", "normal", f"from {names[0]} to {names[1]}")
    most = Value(
        "m", contact.max_distance, "length", "", "how far apart points may be and still count: the margin, and rounding"
    )
    close = pair.distance <= contact.max_distance
    text = "From here on both shapes are seen along the normal of their contact, which is that of the closest points."
    if not close:
        text += " They are farther apart than the margin, so there is no contact."
    rule = formula(rf"<d> {at_most(close)} <m>", d=d, m=most)
    gap = Mark("signed distance", "gap", Segment(pair.on_first, pair.on_second))
    marks = (gap, arrow("normal", pair.witnesses[0], contact.normal))
    return Step("The normal of the contact", text, (rule,), (d, n, most), marks, kernel="record")


def _features(found: _TracedPatch, names: tuple[str, str]) -> Step:
    """Return the step that finds the vertex, edge or face of each shape that faces the other."""
    sides = (found.a, found.b)
    kinds = [_FEATURES[side.feature.dimension] for side in sides]
    angle = math.degrees(math.asin(found.contact.sine))
    rings = [side.feature.ring.number for side in sides]
    of_a, of_b = (
        f"{_a(kind)} of {name}" + (f" with {count} corners" if count else "")
        for kind, name, count in zip(kinds, names, rings, strict=True)
    )
    text = (
        f"Along the normal {of_a} and {of_b} face each other. An edge or a face counts if it is level with the plane "
        f"of contact to within {angle:.3g}°."
    )
    values = [Value("s", found.contact.sine, "", "", "sine of the angle within which features count as level")]
    marks = []
    for letter, side in zip("AB", sides, strict=True):
        label = f"feature of {side.name}"
        values.append(
            Value(
                f"k_{letter}",
                side.feature.dimension,
                "",
                label,
                f"kind of feature of {side.name}: 0 a corner, 1 an edge, 2 a face",
            )
        )
        if side.call.name == "box_feature":
            values.append(
                Value(
                    rf"\mathbf{{m}}_{letter}",
                    side.call["m"],
                    "",
                    label,
                    f"the normal along the axes of {side.name}, the steepest component last",
                )
            )
        marks.append(_shown(label, side.feature, side.table))
    return Step("The features that face each other", text, (), tuple(values), tuple(marks), kernel="feature")


def _a(word: str) -> str:
    return f"an {word}" if word == "edge" else f"a {word}"


def _shown(label: str, feature: Feature, table: list[float]) -> Mark:
    """Return a feature as a mark; the ring of a hull's face by its sides."""
    f = feature
    if f.ring.number:
        every = [int(k) for k in table[f.ring.first : f.ring.first + f.ring.number]]
        own: list[Vec3] = [load(table, f.ring.corners + 3 * k) for k in every]
        return _sides(label, "chosen", f, [Vec3(dot(p, f.ring.u), dot(p, f.ring.v), 0.0) for p in own])[0]
    if f.dimension == 0:
        return Mark(label, "chosen", Point(f.origin))
    if f.dimension == 1:
        return Mark(label, "chosen", _edge(f))
    if math.isinf(f.r.last):
        return Mark(label, "chosen", HalfSpace(f.origin, cross(f.u, f.v)))
    middle = along(along(f.origin, _mid(f.r), f.u), _mid(f.s), f.v)
    axes = np.array([f.u, f.v, cross(f.u, f.v)]).T
    half = [0.5 * f.r.last - 0.5 * f.r.first, 0.5 * f.s.last - 0.5 * f.s.first, 0.0]
    return Mark(label, "chosen", OrientedBox(middle, axes, half))


def _edge(f: Feature) -> Shape:
    """Return an edge, which may have no end."""
    if math.isinf(f.r.first):
        return Line(f.origin, f.u)
    start = along(f.origin, f.r.first, f.u)
    return Ray(start, f.u) if math.isinf(f.r.last) else Segment(start, along(f.origin, f.r.last, f.u))


def _mid(span: Span) -> float:
    return 0.5 * span.first + 0.5 * span.last


def _common(found: _TracedPatch, names: tuple[str, str]) -> list[Step]:
    """Return the steps that find where the features overlap, seen along the normal."""
    for name, explain in (("_face_on_face", _faces), ("_edge_on_face", _edge_on_face), ("_edge_beside_edge", _edges)):
        if found.call.ran(name):
            return [explain(found.call.find(name), names)]
    text = "A corner is a point, so contact is possible there alone: the closest points are the whole patch."
    return [Step("Where the two features overlap", text, kernel="patch")]


# --- faces ----------------------------------------------------------------------------------------


def _faces(call: Call, names: tuple[str, str]) -> Step:
    title = "Where the two features overlap"
    if not call.ran("_around"):
        text = "Both faces go on for ever, so neither has a corner."
        return Step(title, text, kernel="_face_on_face")
    around = call.calls_of("_around")[-1]
    face: Feature = call.first("face")
    one, other = names if call.first("side") > 0.0 else names[::-1]
    outlines = [[side.p for side in around.values_of(its)][: around.first(whose).number]
                for its, whose in (("mine", "one"), ("its", "two"))]  # fmt: skip
    left = sum(part.result.first <= part.result.last for part in around.calls_of("_over"))
    common = around.values_of("before")[1:]
    text = (
        f"Seen along the normal, sides of the face of {one} are cut to the face of {other}, and the other way round. "
        "What is left of the sides goes around what both have in common, in the order of their directions."
    )
    if not common:
        text = f"Seen along the normal, nothing of the face of {other} is over the face of {one}."
    if around.first("few"):
        text += f" That has more than {MAX_POINTS} corners: those that are farthest in eight directions are taken."
    values = (
        Value("n_1", len(outlines[0]), "", "", f"sides of the face of {one}"),
        Value("n_2", len(outlines[1]), "", "", f"sides of the face of {other}"),
        Value("s", left, "", "", "sides of which something is left"),
        Value("n", len(common), "", "", "corners that they have in common, each once"),
    )
    marks = [*_sides("before", "other", face, outlines[1]), *_sides("after", "chosen", face, common)]
    drawn = _cut_plot((one, other), outlines, common)
    return Step(title, text, (), values, tuple(marks), drawn, kernel="_around")


def _sides(label: str, role: MarkRole, face: Feature, polygon: list[Vec3]) -> list[Mark]:
    """Return a polygon in the coordinates of a face as its sides on that face."""
    if not polygon:
        return []
    outline = [along(along(face.origin, p.x, face.u), p.y, face.v) for p in polygon]
    return [Mark(label, role, Segment(outline, [*outline[1:], outline[0]]))]


def _cut_plot(names: tuple[str, str], outlines: list[list[Vec3]], common: list[Vec3]) -> Plot:
    """Return two faces, and what they have in common, in the coordinates of the first."""
    known = [p for polygon in (*outlines, common) for p in polygon]
    spans = [widened(min(p[k] for p in known), max(p[k] for p in known), 0.08) for k in (0, 1)]
    drawn: list[tuple[list[Vec3], MarkRole, str]] = [
        (outlines[0], "core", f"face of {names[0]}"), (outlines[1], "outside", "before"), (common, "chosen", "after")
    ]  # fmt: skip
    lines = tuple(
        PlotLine(tuple(p.x for p in around), tuple(p.y for p in around), role, label)
        for around, role, label in (([*polygon, *polygon[:1]], role, label) for polygon, role, label in drawn)
        if around
    )
    points = tuple(PlotPoint(p.x, p.y, "witness") for p in common)
    return Plot("Cut to the other face", "along u", "along v", spans[0], spans[1], lines, points, square=True)


# --- edges ----------------------------------------------------------------------------------------


def _edge_on_face(call: Call, names: tuple[str, str]) -> Step:
    one, other = names if call.first("side") > 0.0 else names[::-1]
    cuts = [part.result for part in call.each("_cut")]
    text = (
        f"Seen along the normal, the edge of {other} is clipped at the sides of the face of {one} in turn, "
        "which leaves a span of it."
    )
    return _spans(text, call.first("edge"), [call.first("edge").r, *cuts], "_edge_on_face", "after side")


def _edges(call: Call, names: tuple[str, str]) -> Step:
    title = "Where the two features overlap"
    if not call.has("span"):
        u, v = (
            Value(rf"\mathbf{{{x}}}", call[x], "", "", f"edge of {name}") for x, name in zip("uv", names, strict=True)
        )
        text = (
            "The two edges cross at more than the angle within which edges count as parallel: they touch at one point."
        )
        return Step(title, text, (), (u, v), kernel="_edge_beside_edge")
    commons = [part.result for part in call.calls_of("_common")]
    cuts = [part.result for part in call.calls_of("_cut")]
    text = (
        "The edges are parallel enough. They are in contact where they overlap along the mean of their directions and "
        "are no farther apart across it than their radii reach."
    )
    if call.result == 0 and call.has("beside"):
        text += " They cross, or lie beside each other, so nothing is left."
    a: Feature = call.first("a")
    seen = a._replace(u=call["w"])
    return _spans(text, seen, [*commons, *cuts], "_edge_beside_edge", "after cut")


def _spans(text: str, edge: Feature, spans: list[Span], kernel: str, word: str) -> Step:
    """Return a step in which a span of an edge gets shorter."""
    values, bars, names = [], [], []
    finite = [x for span in spans for x in span if math.isfinite(x)] or [0.0]
    for k, span in enumerate(spans):
        meaning = "at first" if not k else f"{word} {k}"
        values.append(Value(f"s_{k}", (span.first, span.last), "length", "", meaning))
        names.append(meaning)
        if span.first <= span.last:
            first, last = (min(max(end, min(finite)), max(finite)) for end in span)
            bars.append(PlotBar(k, first, last, "chosen" if k == len(spans) - 1 else "core"))
    left = spans[-1]
    marks: tuple[Mark, ...] = ()
    if left.first <= left.last and all(map(math.isfinite, left)):
        ends = along(edge.origin, left.first, edge.u), along(edge.origin, left.last, edge.u)
        marks = (Mark("what is left", "chosen", Segment(*ends)),)
    if left.first > left.last:
        text += " Nothing is left."
    plot = bar_plot("Span of the edge", "along the edge", names, bars)
    return Step("Where the two features overlap", text, (), tuple(values), marks, plot, kernel=kernel)


# --- corners --------------------------------------------------------------------------------------


def _corners(found: _TracedPatch, names: tuple[str, str]) -> Step:
    points, count, contact = found.points, found.number, found.contact
    before = found.call.find("patch").result if found.call.ran("patch") else 0
    signed = [points.signed[k] for k in range(count)]
    values = tuple(
        Value(
            f"D_{{{k + 1}}}",
            value,
            "length",
            f"corner {k + 1}",
            "depth, negative" if value < 0.0 else "signed distance",
        )
        for k, value in enumerate(signed)
    )
    ends = [(load(points.on_a, 3 * k), load(points.on_b, 3 * k)) for k in range(count)]
    marks = tuple(Mark(f"corner {k + 1}", "witness", Segment(*both)) for k, both in enumerate(ends))
    text = (
        "Through each corner of the overlap goes a line along the normal. It meets both surfaces, and the way from one "
        "to the other is the depth there."
    )
    if not before:
        text = "The closest points of the two are the only point of contact."
    elif count > before:
        text += " No corner is as deep as the closest points, so these are added."
    bars = [PlotBar(k, 0.0, value, "chosen" if value == min(signed) else "other", "", f"corner {k + 1}")
            for k, value in enumerate(signed) if math.isfinite(value)]  # fmt: skip
    edge = PlotLine((0.0, 0.0), (-0.5, count - 0.5), "guide")
    plot = bar_plot("Signed distance at each corner", "signed distance", [f"corner {k + 1}" for k in range(count)],
                    bars, (), (edge,))  # fmt: skip
    n = Value(r"\mathbf{n}", contact.normal)
    rules: tuple[Formula, ...] = ()
    if count and math.isfinite(signed[0]):
        p, q = (Value(rf"\mathbf{{{x}}}_1", end, "length") for x, end in zip("ab", ends[0], strict=True))
        rules = (formula(r"<q> = <p> + <d>\,<n>", q=q, p=p, d=values[0], n=n),)
    return Step("The depth of each corner", sentence(text), rules, values, marks, plot, kernel="with_deepest")
