"""What the kernel of two linear pieces tells: segments, the axes of capsules, rays and lines."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

from collision.explaining.pairs import Told, nearest, sentence, the_normal
from collision.explaining.point import beside, raw_and_kept, unit_of
from collision.explaining.records import Formula, Mark, Plot, PlotArea, PlotPoint, Step, Value, formula
from collision.explaining.square import Spot, square, valley
from collision.explaining.trace import Call
from collision.kernels.cores import ROUNDING, Linear
from collision.kernels.vec3 import Vec3, along, largest, opposite, sub
from collision.shapes.kinds import Line, Point, Segment

_COMPARE = "Compare the directions"


class Parameters(NamedTuple):
    """The parameters that the kernel goes through.

    Attributes
    ----------
    raw : float
        Where the common perpendicular stands on A's line.
    kept : float
        That, clamped.
    first : Call
        Of `clamped`, which finds that of B for it.
    again : Call, optional
        Of `clamped`, which finds that of A anew where the one of B was clamped.
    """

    raw: float
    kept: float
    first: Call
    again: Call | None


def linear_linear(told: Told) -> list[Step]:
    """Return the steps of two linear pieces."""
    call, a, b = told.call, told.first, told.second
    degenerate = next((c for c in call.calls if c.name == "point_linear"), None)
    if degenerate is not None:
        point, piece = (a, b) if degenerate.arguments["p"] is a.core.origin else (b, a)
        text = f"{sentence(point.core_name)} has no length, so it is a point, and the kernel of a point takes over."
        mark = Mark(f"start of {point.core_name}", "point", Point(point.core.origin))
        first = Step(_COMPARE, text, (), (), (mark,), kernel="linear_linear")
        return [first, *beside(told, degenerate, point, piece, point.core.origin, piece.core)]
    parallel = next((c for c in call.calls if c.name == "_parallel"), None)
    steps = [_compare(told, parallel is not None)]
    if parallel is not None:
        return [*steps, _side_by_side(told, parallel), *_from_end(told, parallel, None)]
    found = _parameters(call)
    steps += [_first(told, found), _second(told, found)]
    if found.again is not None:
        steps.append(_anew(told, found))
    if any(c.name == "_from_end" for c in call.calls):
        return [*steps, *_from_end(told, call, found)]
    return [*steps, *_perpendicular(told, found)]


def _parameters(call: Call) -> Parameters:
    """Return the parameters that the kernel went through: what was clamped is named before B's is found."""
    names = [assigned.name for assigned in call.assigned]
    before = [assigned.value for assigned in call.assigned[: names.index("t")] if assigned.name == "s"]
    first, *more = [c for c in call.calls if c.name == "clamped"]
    return Parameters(before[0], before[-1], first, more[0] if more else None)


def directions(told: Told) -> tuple[Value, Value]:
    """Return the directions of both pieces."""
    a, b = told.first, told.second
    return (
        Value(r"\mathbf{u}", a.core.direction, "length" if a.core.hi < math.inf else "", "u", f"along {a.core_name}"),
        Value(r"\mathbf{v}", b.core.direction, "length" if b.core.hi < math.inf else "", "v", f"along {b.core_name}"),
    )


def _origins(told: Told) -> tuple[Value, Value]:
    return Value(r"\mathbf{a}", told.first.core.origin), Value(r"\mathbf{b}", told.second.core.origin)


def _compare(told: Told, parallel: bool) -> Step:
    found = told.call.the("across")
    u, v = directions(told)
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
        Mark(value.mark, "normal", Segment(side.core.origin, along(side.core.origin, 1.0, side.core.direction)))
        for side, value in zip((told.first, told.second), (u, v), strict=True)
    )
    return Step(_COMPARE, text, formulas, (u, v, n, length), marks, kernel="across")


def _clamping(raw: Value, kept: Value, line: Linear) -> tuple[Formula, ...]:
    """Return the formula that clamps a parameter, if there is an end to clamp to."""
    if line.lo < 0.0:
        return ()
    upper = "1" if line.hi < math.inf else r"\infty"
    return (formula(rf"<k> = \min(\max(<r>,\, 0),\, {upper})", k=kept, r=raw),)


def _said(raw: float, kept: float, name: str) -> str:
    if raw == kept:
        return "That is on the piece."
    where = "before its start" if raw < kept else "beyond its end"
    return f"That is {where}, on the extension of {name}, so it is clamped to that end."


def _first(told: Told, found: Parameters) -> Step:
    a = told.first
    shown = "at s" if found.raw == found.kept else "unclamped"
    raw = Value("s_0", found.raw, unit_of(a.core), shown, "where the common perpendicular stands")
    kept = Value("s", found.kept, unit_of(a.core), "at s", "clamped")
    w, v = Value(r"\mathbf{w}", told.call["w"]), directions(told)[1]
    n = Value(r"\mathbf{n}", told.call["n"])
    rule = formula(r"<s> = \frac{(<w> \times <v>) \cdot <n>}{\|<n>\|^2}", s=raw, w=w, v=v, n=n)
    text = (
        f"s says how far along {a.core_name} the common perpendicular of both lines stands. "
        f"{_said(found.raw, found.kept, a.core_name)}"
    )
    marks = (*_lines(told), *raw_and_kept(a.core, found.raw, found.kept, ("unclamped", "at s")))
    formulas = (rule, *_clamping(raw, kept, a.core))
    return Step("Along the first", text, formulas, (raw, kept), marks, _way(told, found, 1), kernel="linear_linear")


def _second(told: Told, found: Parameters) -> Step:
    return _other(told, found, found.first, 2)


def _anew(told: Told, found: Parameters) -> Step:
    assert found.again is not None
    return _other(told, found, found.again, 3)


def _other(told: Told, found: Parameters, call: Call, stage: int) -> Step:
    """Return the step that finds a parameter of one piece for a point of the other."""
    own, fixed = (told.second, told.first) if stage == 2 else (told.first, told.second)
    letter, other = ("t", "s") if stage == 2 else ("s", "t")
    point = found.kept if stage == 2 else found.first.result
    shown = f"at {letter}" if call["t"] == call.result else "unclamped"
    raw = Value(f"{letter}_0", call["t"], unit_of(own.core), shown, f"nearest on the line to the point at {other}")
    kept = Value(letter, call.result, unit_of(own.core), f"at {letter}", "clamped")
    way, d = Value(r"\mathbf{g}", call.arguments["from_origin"]), directions(told)[0 if stage == 3 else 1]
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
        *_lines(told),
        Mark(f"at {other}", "point", Point(along(fixed.core.origin, point, fixed.core.direction))),
        *raw_and_kept(own.core, call["t"], call.result, ("unclamped", f"at {letter}")),
    )
    return Step(
        title,
        text,
        (rule, *_clamping(raw, kept, own.core)),
        (way, raw, kept),
        marks,
        _way(told, found, stage),
        kernel="clamped",
    )


def _way(told: Told, found: Parameters, stage: int) -> Plot:
    """Return the square of both parameters, with the way to where a stage leads."""
    first, again = found.first, found.again
    a, b = told.first.core, told.second.core
    way = [Spot(found.raw, valley(a, b, found.raw), "unclamped" if stage == 1 and found.raw != found.kept else "")]
    if stage == 1:
        way.append(Spot(found.kept, first["t"], "at s"))
    elif stage == 2 or again is None:
        way += [
            Spot(found.kept, first["t"], "unclamped"),
            Spot(found.kept, first.result, "at t"),
        ]
    else:
        way += [
            Spot(found.kept, first.result, ""),
            Spot(again["t"], first.result, "unclamped"),
            Spot(again.result, first.result, "at s"),
        ]
    end = way.pop()  # what was not clamped is shown once
    return square(a, b, (*(spot for spot in way if spot[:2] != end[:2]), end), way[0].s)


def _lines(told: Told) -> tuple[Mark, ...]:
    return tuple(
        Mark(f"line of {side.core_name}", "guide", Line(side.core.origin, side.core.direction))
        for side in (told.first, told.second)
    )


def _side_by_side(told: Told, call: Call) -> Step:
    middle = call.the("_middle_of_overlap")
    a, b = told.first, told.second
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
    marks = (*_lines(told), Mark("at s", "chosen", Point(along(a.core.origin, s, a.core.direction))))
    ends = [value for value in (values[0].value, values[1].value, a.core.lo, a.core.hi, s) if isinstance(value, float)]
    finite = [end for end in ends if math.isfinite(end)]
    room = 0.1 * (max(finite) - min(finite)) or 0.2 * abs(max(finite)) or 1.0
    lo, hi = min(finite) - room, max(finite) + room
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


def _from_end(told: Told, parent: Call, found: Parameters | None) -> list[Step]:
    """Return the steps of a call of `_from_end`, which may have been given the two in the other order."""
    call = next(c for c in parent.calls if c.name == "_from_end")
    s, t, gap = call["s"], call["t"], call["gap"]
    if call.arguments["a"] is not told.first.core:
        s, t, gap = t, s, opposite(gap)
    step = _nearest(told, s, t, gap, call["distance"], found)
    led_in = largest(sub(call["gap"], call["again"])) > 4.0 * ROUNDING * call["distance"]
    if call["distance"] <= call["noise"] or led_in:
        text = "The gap is no more than rounding, so it has no direction: they part sideways, at a right angle to both."
        if not call["distance"] <= call["noise"]:
            text = (
                "The gap is so small that its direction leads into a piece, so they part sideways, along the product."
            )
        return [step, the_normal(told, told.first, text, "_from_end")]
    w, d = step.values[-2:]
    text = "The normal is the way from one nearest point to the other, made one unit long."
    return [step, the_normal(told, told.first, text, "_from_end", r"<n> = <sign>\frac{<w>}{<d>}", w=w, d=d)]


def _perpendicular(told: Told, found: Parameters) -> list[Step]:
    """Return the steps of a call of `common_perpendicular`."""
    call = next(c for c in told.call.calls if c.name == "common_perpendicular")
    step = _nearest(told, call["s"], call["t"], call["gap"], abs(call["side"]), found)
    text = "Both nearest points are inside their pieces, so the normal is at a right angle to both: the cross product."
    if call["side"] == 0.0:
        text = "They cross. Both ways along the cross product part them as quickly, and one is taken."
    return [step, the_normal(told, told.first, text, "common_perpendicular")]


def _nearest(told: Told, s: float, t: float, gap: Vec3, distance: float, found: Parameters | None) -> Step:
    a, b = told.first, told.second
    (u, v), (o, c) = directions(told), _origins(told)
    at_s = Value("s", s, unit_of(a.core), f"nearest of {a.core_name}")
    at_t = Value("t", t, unit_of(b.core), f"nearest of {b.core_name}")
    p = Value(r"\mathbf{p}", told.separation.on_a, "length", f"nearest of {a.core_name}", f"on {a.core_name}")
    q = Value(r"\mathbf{q}", told.separation.on_b, "length", f"nearest of {b.core_name}", f"on {b.core_name}")
    w, d = Value(r"\mathbf{w}", gap, "length", "w"), Value("d", distance, "length", "w", "distance of the cores")
    formulas = (
        formula("<p> = <o> + <s> <u>", p=p, o=o, s=at_s, u=u),
        formula("<q> = <c> + <t> <v>", q=q, c=c, t=at_t, v=v),
    )
    where = [f"at an end of {side.core_name}" for side, x in ((a, s), (b, t)) if x in (side.core.lo, side.core.hi)]
    text = f"They are nearest {' and '.join(where) or 'inside both'}, {distance:.4g} apart."
    step = nearest(told, text, told.call.name, formulas, (at_s, at_t, p, q, w, d))
    if found is None:
        return step
    raw, end = Spot(found.raw, valley(a.core, b.core, found.raw), ""), Spot(s, t, f"nearest of {a.core_name}")
    way = (end,) if raw[:2] == end[:2] else (raw, end)
    return replace(step, plot=square(a.core, b.core, way, found.raw))
