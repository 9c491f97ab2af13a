"""How `all_normals` finds every shortest way out: the cores as one body, its nearest facets."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from collision.explaining.bars import PlotBar, bar_plot
from collision.explaining.explanation import Explanation, Question
from collision.explaining.pairs import PairTrace, sentence, shrink, trace_pair
from collision.explaining.records import Mark, Step, Value, at_most, formula, vector_of
from collision.explaining.trace import Call, trace
from collision.queries.ambiguity import Normals, all_normals
from collision.shapes.kinds import HalfSpace, Point, Segment

#: So many facets at most are shown as bars: two boxes have up to thirty.
_BARS = 12

#: And so many ways as marks.
_MARKS = 8

#: Two unit vectors whose product is this near to 1 are the same direction, found twice.
_SAME = 1.0 - 1e-12

#: What each answer means.
_KINDS = {
    "none": "no move parts the two, however far",
    "one": "there is one shortest way out",
    "several": "there are several shortest ways out, single ones",
    "arc": "the shortest ways out make an arc, from one normal to another",
    "circle": "the shortest ways out make a whole circle",
    "patch": "the shortest ways out make a patch of the unit sphere",
    "sphere": "every direction is a shortest way out",
}

#: What is recorded; the rest calls much, and takes long to trace.
_TRACED = frozenset({"all_normals", "_ways_out"})


def explained(asked: Question) -> Explanation:
    """Return the explanation of `all_normals`."""
    (a, b), names, result = asked.given, asked.names, asked.result
    pair, call = trace_pair(a, b, names), trace(all_normals, a, b, only=_TRACED)
    asked.confirm((call.result.kind, call.result.corners), (result.kind, result.corners))
    steps = [shrink(pair), *_ways(pair, call, names), _answer(pair, result, names)]
    return asked.answered(steps, f"Between {names[0]} and {names[1]} {_KINDS[result.kind]}.")


def _ways(pair: PairTrace, call: Call, names: tuple[str, str]) -> list[Step]:
    """Return the steps up to the facets, as far as they were needed."""
    d = Value("D", pair.distance, "length", "signed distance", "signed distance")
    marks = (Mark("signed distance", "gap", Segment(pair.on_first, pair.on_second)),)
    if pair.distance == -math.inf:
        text = f"{names[0]} and {names[1]} both go on for ever through each other."
        return [Step("Are the cores apart?", text, (), (Value("D", pair.distance, "length"),), kernel="all_normals")]
    if not call.has("radii"):
        (side, *_) = (side for side in (pair.first, pair.second) if side.shape.core.outline() is None)
        text = "Out of a half-space leads its normal alone."
        if not isinstance(side.shape, HalfSpace):
            text = f"{sentence(side.core_name)} has no edges, so the one normal of the pair is all there is."
        return [Step("Are the cores apart?", text, (), (d,), marks, kernel="all_normals")]
    r, allowed = (
        Value("r", call["radii"], "length", "", "both radii"),
        Value(r"\epsilon", call["tolerance"], "length", ""),
    )
    apart = float(pair.distance) + call["radii"] > call["tolerance"]
    rule = formula(f"<d> + <r> {at_most(not apart)} <e>", d=d, r=r, e=allowed)
    if apart:
        text = (
            "Without their radii the cores are apart. Two convex bodies that are apart have one direction between them."
        )
        return [Step("Are the cores apart?", text, (rule,), (d, r, allowed), marks, kernel="all_normals")]
    text = (
        "The cores touch or overlap, so there may be many ways out. A radius adds as much to each and does not count."
    )
    first = Step("Are the cores apart?", text, (rule,), (d, r, allowed), marks, kernel="all_normals")
    return [first, _polytope(call["difference"], names), _facets(pair, call)]


def _polytope(difference: Any, names: tuple[str, str]) -> Step:
    """Return the step that takes one core from the other."""
    text = (
        f"The vectors from a point of the core of {names[1]} to one of {names[0]} make one convex body, whose edges "
        "are those of both cores. The origin is in it, and parting the two is leading the origin out."
    )
    c = Value(r"\mathbf{c}", vector_of(difference.center), "length", "", "its center")
    edges = [
        Value(
            rf"\mathbf{{e}}_{{{k + 1}}}",
            vector_of(edge.vector),
            "length",
            "",
            "half of the edge, from its middle" if not edge.endless else "edge without an end",
        )
        for k, edge in enumerate(difference.edges)
    ]
    return Step("One core less the other", text, (), (c, *edges), kernel="_difference")


def _facets(pair: PairTrace, call: Call) -> Step:
    """Return the step that compares how far each facet is from the origin."""
    last = list(call.each("_ways_out"))[-1]
    facets, reaches, rank = last["facets"], last["reaches"], last["rank"]
    least, allowed = last["least"], last["tolerance"]
    shape = ("a point", "a piece of a line", "flat", "solid")[rank]
    text = f"The body is {shape}. "
    every = _each_once(facets, reaches)
    if rank == 3:
        near = sum(bool(reaches[k] <= least + allowed) for k in every)
        text += f"Each facet says how far it is to go that way: {near} of {len(every)} are nearest, to rounding."
    else:
        text += "So it is left sideways at no cost, and at its border also by what leads away from it."
    if len(list(call.each("_ways_out"))) > 1:
        text = "The body is flat to rounding, so its edges are laid into one plane. " + text
    order = every[:_BARS]
    values = [Value("k", int(rank), "", "", "directions in which it has a size")]
    values += [Value("h", float(least), "length", "", "the shortest way out, without the radii")]
    at = pair.witnesses[0]
    marks: list[Mark] = []
    bars: list[PlotBar] = []
    for row, k in enumerate(order):
        chosen = bool(reaches[k] <= least + allowed)
        label = f"way {row + 1}" if chosen and len(marks) < _MARKS else ""
        means = f"along {_words(facets[k])}"
        values.append(Value(f"h_{{{row + 1}}}", float(reaches[k]), "length", label, means))
        if label:
            end = [x + float(n) for x, n in zip(at, facets[k], strict=True)]
            marks.append(Mark(label, "chosen", Segment(at, end)))
        if math.isfinite(reaches[k]):
            bars.append(PlotBar(row, 0.0, float(reaches[k]), "chosen" if chosen else "other", "", label))
    plot = bar_plot("How far to each facet", "way to go", [_words(facets[k]) for k in order], bars) if bars else None
    return Step("The nearest facets", text, (), tuple(values), tuple(marks), plot, kernel="_ways_out")


def _each_once(facets: Any, reaches: Any) -> list[int]:
    """Return the numbers of facets, the nearest first, each direction once."""
    order = np.argsort(reaches, kind="stable")
    again = np.tril(facets[order] @ facets[order].T >= _SAME, -1).any(axis=1)
    return [int(k) for k in order[~again]]


def _words(n: Any) -> str:
    return "(" + ", ".join(f"{float(x) + 0.0:.2g}" for x in n) + ")"


def _answer(pair: PairTrace, result: Normals, names: tuple[str, str]) -> Step:
    """Return the step that shows all normals that were found."""
    at = pair.witnesses[0]
    text = f"Between {names[0]} and {names[1]} {_KINDS[result.kind]}."
    if result.kind not in ("one", "none"):
        text += " Queries choose one of them, always the same; these are all of them."
    values = [Value(rf"\mathbf{{n}}_{{{k + 1}}}", vector_of(n), "", "normals") for k, n in enumerate(result.corners)]
    marks = []
    if len(result.corners):
        tips = np.asarray(at) + result.corners
        marks.append(Mark("normals", "normal", Segment(np.broadcast_to(at, tips.shape), tips)))
    curves = [np.asarray(at) + curve for curve in result.curves()]
    if curves:
        starts, ends = (np.concatenate([curve[part] for curve in curves]) for part in (slice(-1), slice(1, None)))
        marks.append(Mark("all that lie between", "guide", Segment(starts, ends)))
    end = Point([x + n for x, n in zip(at, pair.normal, strict=True)])
    marks.append(Mark("the one that queries choose", "chosen", end))
    return Step("All normals", text, (), tuple(values), tuple(marks), kernel="all_normals")
