"""How the kernel of two boxes gets to their separation: the fifteen axes, the one that decides, and the search then."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

from collision.explaining.bars import AXES, PlotBar, bar_plot
from collision.explaining.pairs import PairTrace, nearest_of_boxes, turned_back
from collision.explaining.records import Formula, Mark, Plot, PlotLine, PlotPoint, Space, Step, Value, arrow, formula
from collision.explaining.trace import Call
from collision.kernels.cores import Box, out_of
from collision.kernels.vec3 import Vec3, add, along, norm, scale
from collision.shapes.kinds import AABB, OrientedBox, Point, Segment

#: The most slides of a search.
_SLIDES = 12

#: What the slack is.
_SLACK = "what rounding may do to a length here"


def box_box(pair: PairTrace) -> list[Step]:
    """Return the steps of a box against a box."""
    apart: bool = pair.call["apart"]
    steps = [_into_one(pair), _axes(pair)]
    steps += _searched(pair) if apart else [_parted(pair)]
    return [*steps, _nearest(pair), _normal(pair)]


class _BoxFrame:
    """Where in the world is what two boxes are seen from one of them as."""

    def __init__(self, pair: PairTrace) -> None:
        self.both, self.middle = pair.call["both"], pair.call["middle"]
        self.core: Box = pair.second.core

    def turned(self, v: Vec3) -> Vec3:
        """Return a vector."""
        return out_of(self.core, v)

    def of_b(self, q: Vec3) -> Vec3:
        """Return a point of the second box."""
        return add(self.middle, self.turned(q))

    def along(self, axis: Vec3, x: float) -> Vec3:
        """Return a point of the line along an axis through the center of the second box."""
        return self.of_b(scale(axis, x))

    def of_a(self, r: Vec3) -> Vec3:
        """Return a point of the first box."""
        both = self.both
        return self.of_b(along(along(along(both.center, r.x, both.x), r.y, both.y), r.z, both.z))


def _into_one(pair: PairTrace) -> Step:
    """Return the step that takes the first box into the space of the second."""
    a, b, both = pair.first, pair.second, pair.call["both"]
    middle = Value(r"\mathbf{o}", pair.call["middle"], "length", f"center of {b.name}", f"center of {b.name}")
    c = Value(r"\mathbf{c}", both.center, "length", "between the centers", f"center of {a.name}, seen from {b.name}")
    axes = Value("R", (both.x, both.y, both.z), "", "", f"axes of {a.name}, one a row, seen from {b.name}")
    half_a = Value(r"\mathbf{a}", both.a, "length", "", f"half the sizes of {a.name}")
    half_b = Value(r"\mathbf{b}", both.b, "length", "", f"half the sizes of {b.name}")
    slack = Value(r"\epsilon", both.slack, "length", "", _SLACK)
    text = (
        f"Seen from the center of {b.name} and along its axes {b.name} is a plain range of coordinates, and {a.name} "
        "a box at an angle. Centers are subtracted first: near ones differ exactly, however far away both are."
    )
    frame = _BoxFrame(pair)
    marks = (
        Mark(f"center of {a.name}", "point", Point(frame.of_b(both.center))),
        Mark(f"center of {b.name}", "point", Point(frame.middle)),
        Mark("between the centers", "guide", Segment(frame.middle, frame.of_b(both.center))),
    )
    seen_b = AABB(scale(both.b, -1.0), both.b)
    seen_a = OrientedBox(both.center, [[both.x[k], both.y[k], both.z[k]] for k in range(3)], both.a)
    space = Space(f"{b.name}'s own space", (Mark(b.name, "given", seen_b), Mark(a.name, "given", seen_a)))
    return Step("Into the space of the second", text, (), (middle, c, axes, half_a, half_b, slack), marks, space=space,
                kernel="box_box")  # fmt: skip


def _axes(pair: PairTrace) -> Step:
    """Return the step that looks for the axis along which the gap is widest."""
    a, b, call = pair.first, pair.second, pair.call
    found = axes_of(call, a.name, b.name)
    chosen = next(axis for axis in found if axis.number == call["number"])
    gap = Value("g", call["gap"], "length", "gap", f"gap along {chosen.name}, the widest")
    tried = Value("N", len(found), "", "", "axes that were tried")
    m = Value(r"\mathbf{m}", call["axis"], "", "axis", f"the axis from {a.name} to {b.name}, as {b.name} sees it")
    text = (
        "Along an axis each box has a shadow, and the gap is how far apart the centers are less how far both boxes "
        "reach. Two boxes are apart if along one of fifteen axes their shadows are: the widest gap is along "
        f"{chosen.name}."
    )
    if len(found) == 6:
        text += " The faces alone show that, so no pair of edges is asked."
    elif call["apart"]:
        text += " That is a gap: the boxes are apart."
    else:
        text += " It is none, but the least overlap, which is the depth: this is the shortest way out."
    if 6 < len(found) < 15:
        text += " Pairs of parallel edges have no axis of their own."
    plot = _axis_plot(found, chosen)
    values = (gap, *chosen.parts.values(), m, tried)
    return Step("Gaps along the axes", text, (chosen.rule(gap),), values, _shadows(pair), plot, kernel="box_box")


def _axis_plot(found: list[BoxAxis], chosen: BoxAxis) -> Plot:
    """Return the gaps along all axes as bars, the widest first."""
    ordered = sorted(found, key=lambda axis: (-axis.gap, axis.number))
    bars = [
        PlotBar(row, 0.0, axis.gap, "chosen" if axis is chosen else "other", "", "axis" if axis is chosen else "")
        for row, axis in enumerate(ordered)
    ]
    names = [axis.name for axis in ordered]
    edge = PlotLine((0.0, 0.0), (-0.5, len(names) - 0.5), "guide")
    return bar_plot("Gap along each axis", "gap (negative: overlap)", names, bars, (), (edge,))


def _shadows(pair: PairTrace) -> tuple[Mark, ...]:
    """Return the axis that decides, the shadows of both boxes on a line along it, and the gap between them."""
    frame, both, axis = _BoxFrame(pair), pair.call["both"], pair.call["axis"]
    reach_b = sum(abs(m) * half for m, half in zip(axis, both.b, strict=True))
    seen = [sum(m * e for m, e in zip(axis, edge, strict=True)) for edge in (both.x, both.y, both.z)]
    reach_a = sum(abs(m) * half for m, half in zip(seen, both.a, strict=True))
    at = sum(m * x for m, x in zip(axis, both.center, strict=True))
    ends = at + reach_a, -reach_b  # of A towards B, and of B towards A: as the axis leads from A to B
    shadows = (
        Mark(f"shadow of {pair.first.name}", "core", Segment(*(frame.along(axis, x) for x in (at - reach_a, ends[0])))),
        Mark(f"shadow of {pair.second.name}", "other", Segment(*(frame.along(axis, x) for x in (ends[1], reach_b)))),
    )
    start = frame.along(axis, reach_b)
    return (
        *shadows,
        Mark("gap", "gap", Segment(*(frame.along(axis, x) for x in ends))),
        arrow("axis", start, frame.turned(axis)),
    )


def _searched(pair: PairTrace) -> list[Step]:
    """Return the steps of a search for the nearest points of boxes that are apart."""
    apart = pair.call.find("_apart")
    searches = apart.calls_of("_search")
    return [_started(pair, apart), _slid(pair, searches)]


def _started(pair: PairTrace, apart: Call) -> Step:
    """Return the step that finds the features that face each other."""
    a, b, frame = pair.first, pair.second, _BoxFrame(pair)
    r, q = (call.result for call in apart.calls_of("support"))
    local = Value(r"\mathbf{p}'_0", r, "length", f"start on {a.name}", f"on {a.name}, along its axes")
    other = Value(r"\mathbf{q}'_0", q, "length", f"start on {b.name}", f"on {b.name}, along its axes")
    text = (
        f"Along the axis {a.name} reaches farthest to {_feature(r, pair.call['both'].a)}, and {b.name} against it "
        f"to {_feature(q, pair.call['both'].b)}. The search starts from there."
    )
    marks = (
        Mark(f"start on {a.name}", "point", Point(frame.of_a(r))),
        Mark(f"start on {b.name}", "point", Point(frame.of_b(q))),
    )
    return Step("Start where the axis points", text, (), (local, other), marks, kernel="_apart")


def _feature(p: Vec3, half: Vec3) -> str:
    """Return what a point that is farthest some way is on: coordinates along which that is level are zero."""
    level = sum(x == 0.0 and h > 0.0 for x, h in zip(p, half, strict=True))
    middle = ", of which the middle is taken"
    return ("a corner", f"an edge{middle}", f"a face{middle}", "its middle")[level]


def _slid(pair: PairTrace, searches: list[Call]) -> Step:
    """Return the step in which a point slides along the edges of its box to where it is nearest to the other."""
    search = searches[-1]
    from_b: bool = search.first("from_b")
    moving, still = (pair.second, pair.first) if from_b else (pair.first, pair.second)
    frame, descend = _BoxFrame(pair), search.find("_descend")
    in_world = frame.of_b if from_b else frame.of_a
    slides = descend.calls_of("_slide")
    path = [descend.first("r"), *(call.result for call in slides)]
    lengths = list(map(norm, descend.values_of("step")))
    end = norm(descend.result.step)
    names = [AXES[call.first("j")] for call in slides]
    edges = f"{', '.join(names[:3])} and so on, {len(names)} times" if len(names) > 4 else ", then ".join(names)
    if slides:
        text = (
            f"The point of {moving.name} slides along the edge that promises the most, to where {still.name} is "
            f"nearest: along {edges}. "
        )
        if len(slides) < _SLIDES:
            text += "Then nothing is left to gain but rounding."
        else:
            text += "So many slides are enough, however little each gains: what is found is measured all the same."
    else:
        text = f"No edge of {moving.name} leads nearer to {still.name}: the point stays where it is."
    if len(searches) > 1:
        text = f"What a point of {still.name} found does not fit to rounding, so the search is run once more. " + text
    marks = [
        Mark(f"slide {k + 1}", "guide", Segment(in_world(one), in_world(other)))
        for k, (one, other) in enumerate(pairwise(path))
        if one != other
    ]
    marks += [
        Mark("start", "outside", Point(in_world(path[0]))),
        Mark("end", "witness", Point(in_world(descend.result.r))),
    ]
    gap = Value("d", end, "length", "", "distance after the search")
    values = (Value("k", len(slides), "", "", "slides"), gap)
    counts = tuple(float(k) for k in range(len(lengths)))
    line = PlotLine(counts, tuple(lengths), "guide")
    points = tuple(PlotPoint(k, length, "point") for k, length in zip(counts, lengths, strict=True))
    most = max(lengths, default=1.0) or 1.0
    span = (-0.5, max(len(lengths), 2) - 0.5)
    plot = Plot("Distance after each slide", "slides", "distance", span, (0.0, 1.1 * most), (line,), points)
    shown = plot if slides else None
    return Step("Slide to the nearest points", text, (), values, tuple(marks), shown, kernel="_descend")


def _parted(pair: PairTrace) -> Step:
    """Return the step that moves the first box out along the axis until both just touch."""
    a, b, call, frame = pair.first, pair.second, pair.call, _BoxFrame(pair)
    tries = list(call.each("_parting"))
    last = next(part for part in tries if part.result == call["best"])
    gap, axis, moved = last.first("gap"), last.first("axis"), last["moved"]
    g = Value("g", gap, "length", "way out", "gap along the axis: minus the depth")
    m = Value(r"\mathbf{m}", axis, "", "way out", f"the axis as {b.name} sees it")
    c = Value(r"\mathbf{c}", call["both"].center, "length", "", f"center of {a.name}")
    gone = Value(r"\mathbf{c}'", moved.center, "length", f"{a.name}, moved", f"center of {a.name} once it has moved")
    text = (
        f"Once {a.name} has gone the depth against the axis, the boxes only touch, and there is a plane between "
        "them. So any point that they have in common then is one where they touch."
    )
    if len(tries) > 1:
        text += f" Several axes are equally short to rounding, so {len(tries)} were tried until the points fitted."
    way = frame.turned(scale(axis, gap))
    start = frame.of_b(call["both"].center)
    out = Mark(f"{a.name}, moved", "guide", a.shape.translated(way))
    marks = (out, Mark("way out", "gap", Segment(start, add(start, way))))
    rule = formula(r"<gone> = <c> + <g>\,<m>", gone=gone, c=c, g=g, m=m)
    return Step("Move out along the axis", text, (rule,), (g, m, gone), marks, kernel="_parting")


def _nearest(pair: PairTrace) -> Step:
    """Return the step that measures what was found."""
    a, call = pair.first, pair.call
    best, s, slack = call["best"], pair.separation, call["both"].slack
    p, q, marks = nearest_of_boxes(pair)
    d = Value("d", s.distance, "length", "gap", "distance of the cores")
    local = Value(r"\mathbf{p}'", best.r, "length", f"nearest of {a.name}", f"on {a.name}, along its axes")
    allowed = Value(r"\epsilon", slack, "length", "", _SLACK)
    text = _measured(call)
    apart = call.find("_apart") if call["apart"] else None
    if apart and apart.has("distance") and not apart.ran("_fitted"):
        left = Value("l", apart["left"], "length²", "", "what all edges promise, times the distance")
        rules: tuple[Formula, ...] = (formula(r"<l> \leq <e>\,<d>", l=left, e=allowed, d=d),)
        more: tuple[Value, ...] = (left, allowed)
    elif apart and not apart.has("distance"):
        known = {"w": Value(r"\mathbf{w}", apart["step"]), "g": Value("g", call["gap"])}
        rules = (formula(r"|<w> - <g>\,<m>| \leq <e>", m=Value(r"\mathbf{m}", call["axis"]), e=allowed, **known),)
        more = (allowed,)
    else:
        misfit = Value("f", best.misfit, "length", "", "by how much the step is not the gap along the normal")
        fits = best.misfit <= allowed.value
        rules = (formula(r"<f> \leq <e>", f=misfit, e=allowed),) if fits else ()
        more = (misfit, allowed)
    title = "Nearest points of the cores"
    return Step(title, text, rules, (p, q, d, local, *more), marks, kernel="box_box")


def _measured(call: Call) -> str:
    """Return how the answer was confirmed, or found where boxes overlap."""
    if not call["apart"]:
        text = "Where the boxes touch once the one has moved out, the points are: each on the surface of its own box."
        tried = " The first points did not fit to rounding, so all edges were tried."
        return text + tried if call.ran("_at_an_edge") else text
    apart = call.find("_apart")
    if not apart.has("distance"):
        return (
            "The step between the two points is the gap along the axis and nothing else. No step can be shorter, so "
            "these are the nearest points."
        )
    if not apart.ran("_fitted"):
        return (
            "What all edges still promise is no more than rounding, so no other step is shorter: these are the nearest "
            "points, and the way between them is the normal."
        )
    if apart.ran("_at_an_edge"):
        return (
            "Neither search found points that fit to rounding, so all twenty-four edges were tried: where boxes are "
            "nearest, an edge is always among the features."
        )
    return (
        "The step between the points is known only to rounding, which hides its exact direction. Of the normals that "
        "both boxes have at these points the one that fits the step best is taken."
    )


def _normal(pair: PairTrace) -> Step:
    """Return the step that turns the normal back to the world."""
    a, b, call, s = pair.first, pair.second, pair.call, pair.separation
    m = Value(r"\mathbf{m}", call["best"].normal, "", "normal", f"as {b.name} sees it")
    n = Value(r"\mathbf{n}", s.normal, "", "normal", f"from {a.name} to {b.name}")
    rule = turned_back(n, b.core, call["best"].normal)
    text = f"The normal is turned back from the axes of {b.name} to the world's, and made one unit long to rounding."
    return Step("The normal", text, (rule,), (m, n), (arrow("normal", s.on_a, s.normal),), kernel="box_box")


# --- the axes, read back from the loops of the kernel ---------------------------------------------


#: The axes that are normals of faces.
_FACE_AXES = 6


@dataclass(frozen=True)
class BoxAxis:
    """An axis, and what the kernel found along it."""

    number: int  # 0 to 2 of the second box, 3 to 5 of the first, from 6 on of two edges
    name: str  # in words
    gap: float  # between the shadows of the boxes, negative where these overlap
    template: str  # how the gap comes about
    parts: dict[str, Value]  # what stands for the symbols of that

    def rule(self, gap: Value) -> Formula:
        """Return how the gap comes about."""
        return formula(self.template, g=gap, **self.parts)


def axes_of(call: Call, a: str, b: str) -> list[BoxAxis]:
    """Return the axes that the kernel tried, but for those of parallel edges."""
    found = _of_faces(call.find("widest_face"), a, b)
    return [*found, *_of_edges(call.find("widest_edge"), a, b)] if call.ran("widest_edge") else found


def _of_faces(call: Call, a: str, b: str) -> list[BoxAxis]:
    # Each gap is the first coordinate of `first` in turn.
    gaps, (reach_b, reach_a) = [first.x for first in call.values_of("first")], call.values_of("reach")
    into_a = call.find("into_a")
    seen = (*call.first("both").center, *into_a.result)
    reaches = (*reach_b, *reach_a)
    axes = []
    for k in range(_FACE_AXES):
        owner, name = b if k < 3 else a, AXES[k % 3]
        parts = {
            "f": Value("f", seen[k], "length", "", f"the center of {a}, seen from that of {b}, along the axis"),
            "h": Value("h", reaches[k], "length", "", "how far both boxes reach along it, together"),
        }
        axes.append(BoxAxis(k, f"{owner} {name}", gaps[k], "<g> = |<f>| - <h>", parts))
    return axes


def _of_edges(call: Call, a: str, b: str) -> list[BoxAxis]:
    # All are turned once for each axis of B, and set anew for each of A; of `other` the second value counts.
    fars, reaches, xs, halves = map(call.values_of, ("far", "reach", "x", "b"))
    sines, others = call.values_of("sine"), call.values_of("other")
    axes = []
    for k in range(9):
        j, i = divmod(k, 3)
        gap, x, half = others[2 * k + 1], xs[4 * j + i], halves[3 * j + i]
        if gap == -math.inf:
            continue
        parts = {
            "f": Value("f", fars[4 * j + i].x, "length", "", "how far apart the centers are along the cross product"),
            "h": Value("h", reaches[4 * j + i].x, "length", "", f"how far {a} reaches along it"),
            "by": Value("b_1", half.y, "length", "", f"half the size of {b} along the next of its axes"),
            "bz": Value("b_2", half.z, "length", "", "half its size along the one after that"),
            "xy": Value("R_1", x.y, "", "", f"the axis of {a}, along that next one of {b}: a number of R"),
            "xz": Value("R_2", x.z, "", "", "the same along the one after that"),
            "s": Value("s", sines[k], "", "", "how long the cross product is: the sine of the angle of both axes"),
        }
        template = r"<g> = \frac{<f> - <h> - (<by>\,|<xz>| + <bz>\,|<xy>|)}{<s>}"
        axes.append(BoxAxis(_FACE_AXES + k, f"{a} {AXES[j]} × {b} {AXES[i]}", gap, template, parts))
    return axes
