"""A line, a ray or a segment against a sphere as articles do it: by the quadratic, and by geometry.

Both are computed beside the kernel's way, from the same numbers, and agree with it to rounding.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from collision.explaining.lines import Cast
from collision.explaining.records import (
    Formula,
    Mark,
    MarkRole,
    Plot,
    PlotArea,
    PlotLine,
    PlotPoint,
    Step,
    Value,
    formula,
)
from collision.kernels.vec3 import along, dot, norm, scale, sub
from collision.queries.casts import Crossings, RayHit
from collision.shapes.kinds import Point, Segment

#: So many points of the parabola are drawn.
_SAMPLES = 65


class Quadratic(NamedTuple):
    """The numbers of the article: a t² + b t + c is zero at t1 and t2; NaN where they are no numbers."""

    a: float
    b: float
    c: float
    discriminant: float
    t1: float
    t2: float


def quadratic_of(cast: Cast) -> Quadratic:
    """Return the numbers that the article computes."""
    v, x = cast.piece.direction, sub(cast.piece.origin, cast.target.core)
    a, b, c = dot(v, v), 2.0 * dot(v, x), dot(x, x) - cast.target.radius * cast.target.radius
    inner = b * b - 4.0 * a * c
    if inner < 0.0 or a == 0.0:
        return Quadratic(a, b, c, inner, math.nan, math.nan)
    root = math.sqrt(inner)
    return Quadratic(a, b, c, inner, (-b + root) / (2.0 * a), (-b - root) / (2.0 * a))


def article(cast: Cast, result: Any) -> list[Step]:
    """Return the steps of both articles: the quadratic and its roots, and the foot with half the chord."""
    q = quadratic_of(cast)
    steps = [_coefficients(cast, q), _roots(cast, q, result)] if q.a > 0.0 else [_no_roots(cast, q, result)]
    return [*steps, _by_geometry(cast)]


def _values(cast: Cast, q: Quadratic) -> tuple[Value, Value, Value, Value]:
    return (
        Value("a", q.a, "length²", "", "before the square"),
        Value("b", q.b, "length²", "", "before t"),
        Value("c", q.c, "length²", "", "at t = 0: less than zero inside"),
        Value("d", q.discriminant, "", "", "the discriminant"),
    )


def _coefficients(cast: Cast, q: Quadratic) -> Step:
    start = sub(cast.piece.origin, cast.target.core)
    v = Value(r"\mathbf{V}", cast.piece.direction, "length", f"line of {cast.line.name}", "the direction")
    x = Value(r"\mathbf{X}", start, "length", "X", "from C to the start P")
    r = Value("r", cast.target.radius, "length", "", "radius")
    a, b, c, inner = _values(cast, q)
    rules = (
        formula(r"<a> = <v> \cdot <v>", a=a, v=v),
        formula(r"<b> = 2 <v> \cdot <x>", b=b, v=v, x=x),
        formula(r"<c> = <x> \cdot <x> - <r>^2", c=c, x=x, r=r),
        formula(r"<d> = <b>^2 - 4 <a> <c>", d=inner, a=a, b=b, c=c),
    )
    marks = [cast.carrier, Mark("P", "point", Point(cast.piece.origin))]
    if norm(start) > 0.0:
        marks.append(Mark("X", "gap", Segment(cast.target.core, cast.piece.origin)))
    text = "P + tV is on the sphere where its distance from C is r: squared, that is a quadratic in t."
    return Step("By the quadratic", text, rules, (v, x, r, a, b, c, inner), tuple(marks), article=True)


def _roots(cast: Cast, q: Quadratic, result: Any) -> Step:
    a, b, _, inner = values = _values(cast, q)
    roots, rules, marks = [], list[Formula](), [cast.carrier]
    if not math.isnan(q.t1):
        for name, t, sign in (("t_1", q.t1, "+"), ("t_2", q.t2, "-")):
            root = Value(name, t, "", name, _where(cast, t))
            roots.append(root)
            rules.append(formula(rf"<t> = \frac{{-<b> {sign} \sqrt{{<d>}}}}{{2 <a>}}", t=root, a=a, b=b, d=inner))
            marks.append(cast.point(name, _role(cast, t, q), t))
    text = f"{_verdict(cast, q)} {_truth(cast, result)}"
    shown = (*values, *roots) if not roots else tuple(roots)
    return Step("The roots", text, tuple(rules), shown, tuple(marks), _parabola(cast, q), article=True)


def _no_roots(cast: Cast, q: Quadratic, result: Any) -> Step:
    text = f"Of a segment without length, a is zero, and the article divides by it. {_truth(cast, result)}"
    mark = Mark("P", "point", Point(cast.piece.origin))
    return Step("By the quadratic", text, (), _values(cast, q), (mark,), article=True)


def _in_range(cast: Cast, t: float) -> bool:
    return cast.piece.lo <= t <= cast.piece.hi


def _where(cast: Cast, t: float) -> str:
    return f"on {cast.line.name}" if _in_range(cast, t) else f"not on {cast.line.name}: left out"


def _role(cast: Cast, t: float, q: Quadratic) -> MarkRole:
    if not _in_range(cast, t):
        return "outside"
    return "chosen" if t == _first(cast, q) else "point"


def _first(cast: Cast, q: Quadratic) -> float:
    return min((t for t in (q.t1, q.t2) if _in_range(cast, t)), default=math.nan)


def _verdict(cast: Cast, q: Quadratic) -> str:
    """Return what the article says."""
    if q.discriminant < 0.0:
        return "The discriminant is less than zero: the article says that they do not touch."
    first = _first(cast, q)
    if math.isnan(first):
        return f"Neither root is on {cast.line.name}: the article says that they do not touch."
    if cast.piece.lo == -math.inf:
        return "The discriminant is not less than zero: the article says that they touch."
    return f"The smallest root on {cast.line.name}, {first:.4g}, is the first touch."


def _truth(cast: Cast, result: Any) -> str:
    """Return what is true."""
    line, target = cast.line.name, cast.target.name
    if math.isnan(cast.span.result[0]):
        return "In truth, too, they have no point in common."
    if isinstance(result, Crossings) and int(result.count) == 0:
        return f"In truth {line} lies wholly inside {target}: they do intersect, and no surface is crossed."
    if isinstance(result, RayHit) and float(result.enter) == 0.0:
        return f"In truth {line} is in {target} from the start: it hits at zero."
    return "In truth they do have a point in common."


def _parabola(cast: Cast, q: Quadratic) -> Plot:
    """Return the parabola, the part of it that is on the piece, and the roots."""
    vertex, lo, hi = -q.b / (2.0 * q.a), cast.piece.lo, cast.piece.hi
    known = [t for t in (q.t1, q.t2, vertex, lo, hi) if math.isfinite(t)]
    width = max(known) - min(known) or math.sqrt(max(abs(q.c), q.a) / q.a)
    low, high = min(known) - 0.2 * width, max(known) + 0.2 * width
    times = [low + (high - low) * k / (_SAMPLES - 1) for k in range(_SAMPLES)]
    curve = tuple(q.a * t * t + q.b * t + q.c for t in times)
    bottom, top = min(curve), max(curve)
    room = 0.1 * (top - bottom)
    y_range = (min(bottom, 0.0) - room, max(top, 0.0) + room)
    lines = (PlotLine((low, high), (0.0, 0.0), "guide"), PlotLine(tuple(times), curve, "core", "a t² + b t + c"))
    roots = [("t₁", "t_1", q.t1), ("t₂", "t_2", q.t2)]
    points = [PlotPoint(t, 0.0, _role(cast, t, q), said, mark) for said, mark, t in roots if not math.isnan(t)]
    area = PlotArea((max(lo, low), min(hi, high)), y_range, "guide", cast.line.name)
    return Plot("The quadratic", "t", "a t² + b t + c", (low, high), y_range, lines, tuple(points), (area,))


def _by_geometry(cast: Cast) -> Step:
    """Return the step that finds the points by the foot of the perpendicular and half the chord."""
    c, r, name = cast.target.core, cast.target.radius, cast.line.name
    length = norm(cast.piece.direction)
    if length == 0.0:
        text = f"{name} has no length, and so no direction: the article has nothing to divide by."
        return Step("By geometry", text, (), (), (cast.point("P", "point", 0.0),), article=True)
    n = scale(cast.piece.direction, 1.0 / length)
    h = along(cast.piece.origin, dot(sub(c, cast.piece.origin), n), n)
    gap = norm(sub(h, c))
    unit, foot = Value(r"\mathbf{n}", n, "", "", "direction, of length one"), Value("H", h, "length", "H", "foot")
    miss, radius = Value("|CH|", gap, "length", "|CH|", "from C to H"), Value("r", r, "length", "", "radius")
    marks = [Mark("H", "point", Point(h)), cast.carrier]
    if gap > 0.0:
        marks.append(Mark("|CH|", "gap", Segment(c, h)))
    values, rules = [unit, foot, miss, radius], list[Formula]()
    if gap > r:
        text = f"H is farther from C than r: the article says that the line misses {cast.target.name}."
        return Step(
            "By geometry", text, (formula("<m> > <r>", m=miss, r=radius),), tuple(values), tuple(marks), article=True
        )
    half = math.sqrt(r * r - gap * gap)
    t = Value("t", half, "length", "t", "half the chord")
    rules.append(formula(r"<t> = \sqrt{<r>^2 - <m>^2}", t=t, r=radius, m=miss))
    if half == 0.0:
        text = "H is as far from C as r: the article says that the line touches in H."
        return Step("By geometry", text, tuple(rules), (*values, t), tuple(marks), article=True)
    for label, sign, end in (("P", "+", along(h, half, n)), ("P'", "-", along(h, -half, n))):
        point = Value(label, end, "length", label, "a point of the circle")
        values.append(point)
        rules.append(formula(f"<p> = <h> {sign} <t> <n>", p=point, h=foot, t=t, n=unit))
        marks.append(Mark(label, "witness", Point(end)))
    marks += [Mark("t", "gap", Segment(h, along(h, half, n))), Mark("r", "gap", Segment(c, along(h, half, n)))]
    text = "C, H and P make a right triangle, so r and |CH| give t; P and P' are that far from H, along the line."
    return Step("By geometry", text, tuple(rules), (*values, t), tuple(marks), article=True)
