"""What a line, a ray or a segment meets: `crossings` and `raycast`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from collision.explaining import articles, clips
from collision.explaining.bars import PlotBar, bar_plot
from collision.explaining.clips import IN, OUT, Cast, cast_of, enters_and_leaves
from collision.explaining.explanation import Explanation, Question
from collision.explaining.pairs import sentence, unit_of
from collision.explaining.records import Mark, Plot, Step, Value, arrow, formula
from collision.shapes.kinds import Point, Sphere


def explained(asked: Question) -> Explanation:
    """Return the explanation of `crossings` or `raycast`."""
    result, crossing = asked.result, asked.query == "crossings"
    cast = cast_of(asked)
    theirs, stored = ((result.parameters, result.points), cast.stored[2:]) if crossing else (result[1:], cast.stored)
    asked.confirm(stored, [np.ravel(part) for part in theirs])
    end = _crossings(cast, result) if crossing else _hit(cast, result)
    article = articles.by_roots_or_geometry(cast, result) if isinstance(cast.target.shape, Sphere) else []
    return asked.answered((*article, _shrink(cast), *clips.inside(cast), *_parts(cast), *end), end[-1].text)


def _shrink(cast: Cast) -> Step:
    target = cast.target
    mark = Mark(f"core of {target.name}", "core", target.core_shape)
    if not target.core_word:
        text = f"{target.name} is not grown by a radius: it is its own core."
        return Step("Shrink to the cores", sentence(text), (), (), (mark,), kernel=cast.call.name)
    core = f"its {target.core_word}"
    text = f"{target.name} is {core}, grown by its radius: inside is what is no farther from {core} than that."
    radius = Value("r", target.radius, "length", mark.label, f"radius of {target.name}")
    return Step("Shrink to the cores", sentence(text), (), (radius,), (mark,), kernel=cast.call.name)


def _parts(cast: Cast) -> list[Step]:
    """Return the step that compares the part inside with the part of the line that the piece is."""
    first, _ = cast.span.result
    piece, clip = cast.piece, cast.clip
    if clip is None or math.isnan(clip.result[0]):
        return []
    name, found = cast.line.name, clip.result
    unit = unit_of(piece)
    lo, hi = (
        Value("t_0", piece.lo, unit, "", f"where {name} begins"),
        Value("t_1", piece.hi, unit, "", f"where {name} ends"),
    )
    values = (*enters_and_leaves(found, "inside", "inside", unit), lo, hi)
    inside = cast.part("inside", "chosen" if not math.isnan(first) else "outside", *found)
    if piece.hi == math.inf and piece.lo == -math.inf:
        text = f"{name} is a line without ends: all of the part inside counts."
    elif math.isnan(first):
        text = f"The part inside lies beyond the end of {name}, which does not reach it."
    elif found[1] < piece.lo or found[0] > piece.hi:
        text = f"The part inside lies beyond the end of {name} by no more than rounding: that end touches."
    elif piece.lo <= found[0] and found[1] <= piece.hi:
        text = f"All of the part inside is on {name}."
    elif found[0] < piece.lo and piece.hi < found[1]:
        text = f"{name} lies wholly inside: both ends of the part inside are beyond its own ends."
    else:
        text = f"{name} ends inside: only some of the part inside is on it."
    plot = _bars(cast, found)
    return [
        Step("The part that is on the piece", sentence(text), (), values, (cast.carrier, inside), plot, kernel="span")
    ]


def _bars(cast: Cast, found: tuple[float, float]) -> Plot:
    name, piece = cast.line.name, cast.piece
    own, part = (cast.shown(piece.lo), cast.shown(piece.hi)), (cast.shown(found[0]), cast.shown(found[1]))
    both = max(own[0], part[0]), min(own[1], part[1])
    bars = [PlotBar(0, *own, "other"), PlotBar(1, *part, "outside", mark="inside")]
    if both[0] <= both[1]:
        bars.append(PlotBar(2, *both, "chosen", mark="inside"))
    return bar_plot("Along the line", "t", (name, f"inside {cast.target.name}", "both"), bars)


def _crossings(cast: Cast, result: Any) -> list[Step]:
    """Return the steps from the part inside to the points in which the surface is crossed."""
    count, name, target = int(result.count), cast.line.name, cast.target.name
    nearest = Mark("nearest", "point", Point(result.nearest))
    ways = [way for way, crosses in ((IN, cast.call.result.enters), (OUT, cast.call.result.leaves)) if crosses]
    found = [
        Value(way, cast.stored[2][k], unit_of(cast.piece), f"crossing {k + 1}", "where it crosses")
        for k, way in enumerate(ways)
    ]
    points = [Mark(f"crossing {k + 1}", "witness", Point(result.points[k])) for k in range(count)]
    text = f"{name} crosses the surface of {target} {'once' if count == 1 else 'twice'}."
    if count == 0:
        text = f"{name} does not cross the surface of {target}."
        if not math.isnan(cast.span.result[0]):
            where = "runs along the surface of" if cast.call.has("slack") else "is wholly inside"
            text = f"{name} {where} {target}: it intersects, and crosses the surface nowhere."
    last = Value(r"\mathbf{N}", tuple(result.nearest.tolist()), "length", "nearest", "nearest point of the piece")
    amount = Value("n", count, "", "", "crossings")
    end = Step("Crossings", sentence(text), (), (amount, *found, last), (*points, nearest), kernel="passes")
    return [_which_cross(cast), end] if cast.call.has("a") else [end]


def _which_cross(cast: Cast) -> Step:
    call = cast.call
    start, end = call["start"], call["end"]
    marks = (cast.point("start of the part", "point", start), cast.point("end of the part", "point", end))
    unit = unit_of(cast.piece)
    values = (
        Value("t_a", start, unit, marks[0].label, "start of the part on the piece"),
        Value("t_b", end, unit, marks[1].label, "end of the part on the piece"),
        Value("g_a", call["a"].gap, "length", marks[0].label, "how far outside that start is"),
        Value("g_b", call["b"].gap, "length", marks[1].label, "how far outside that end is"),
        Value(r"\epsilon", call["tolerance"], "length", "", "what counts as touching"),
        Value("c_a", bool(call.result.enters), "", marks[0].label, "whether it crosses at the start"),
        Value("c_b", bool(call.result.leaves), "", marks[1].label, "whether it crosses at the end"),
    )
    text = (
        "An end of the part is a crossing where the line enters or leaves there, or where the end of the piece lies on "
        "the surface; an end deep inside is none."
    )
    if call.has("slack"):
        text = "The part is no deeper than rounding: the piece runs along the surface, and crosses where its line does."
    # A part without an end has no gap there.
    known = (value for value in values if not (isinstance(value.value, float) and math.isnan(value.value)))
    return Step("Which ends cross", text, (), tuple(known), marks, kernel="passing")


def _hit(cast: Cast, result: Any) -> list[Step]:
    """Return the steps from the part inside to what the ray hits."""
    call, name, target = cast.call, cast.line.name, cast.target.name
    if not result.hit:
        limit = cast.piece.hi
        far = f" within {limit:.4g}" if math.isfinite(limit) else ""
        return [Step("The hit", sentence(f"{name} does not hit {target}{far}."), (), (), (), kernel="hit")]
    enter, leave, gap = call["enter"], call["leave"], call["there"].gap
    begin = Value("t_a", call.first("enter"), "length", "entry", "where the part inside starts, not before the ray")
    values = [
        begin,
        Value("t_b", leave, "length", "exit", "where it ends"),
        Value("g", gap, "length", "", "how far outside"),
    ]
    facing = call["there"].normal
    slope = math.fsum(x * y for x, y in zip(facing, cast.piece.direction, strict=True))
    against = call.result.point == cast.piece.origin and enter == 0.0 and tuple(call.result.normal) != tuple(facing)
    if against and slope > 0.0 and gap >= -8.0 * math.ulp(1.0) * cast.size:
        text = (
            f"{name} starts on the surface and leaves {target} at once: it hits there, with a normal against the ray."
        )
    elif against:
        text = f"{name} starts inside {target}: it is in it from the start, and its normal is set against the ray."
    elif enter == 0.0:
        text = f"{name} starts on the surface of {target}, to rounding: that is where it hits."
    else:
        text = f"{name} enters {target} from outside; the normal of the surface there points out of it."
    marks = [Mark("entry", "witness", Point(result.point)), arrow("normal", result.point, result.normal)]
    if math.isfinite(leave):
        marks.append(cast.point("exit", "point", leave))
    values += [
        Value(r"t_\mathrm{hit}", enter, "length", "entry", "distance along the ray"),
        Value(r"\mathbf{p}", tuple(result.point.tolist()), "length", "entry", "the point of the surface"),
        Value(r"\mathbf{n}", tuple(result.normal.tolist()), "", "normal", "the outward normal"),
    ]
    start = cast.span.result[0]
    # What starts on the surface, to rounding, is taken to the start of the ray.
    clamped = enter == max(start, 0.0)
    rules = (formula(r"<t> = \max(<a>, 0)", t=values[3], a=Value("t_a", start)),) if clamped else ()
    return [Step("The hit", sentence(text), rules, tuple(values), tuple(marks), kernel="hit")]
