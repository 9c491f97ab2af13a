"""What articles compute beside the kernels, from the same numbers, in their own words and with their own mistakes."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

from collision.explaining.bars import AXES, PlotBar, bar_plot, widened
from collision.explaining.clips import Cast
from collision.explaining.pairs import Operand, PairTrace, listed, sentence, unit_of, unit_of_direction
from collision.explaining.records import (
    Formula,
    Mark,
    MarkRole,
    Plot,
    PlotArea,
    PlotLine,
    PlotPoint,
    Step,
    Unit,
    Value,
    arrow,
    at_most,
    formula,
)
from collision.kernels.cores import Aligned, Box, Linear
from collision.kernels.vec3 import Vec3, along, cross, dot, norm, over, scale, sub
from collision.queries.casts import Crossings, RayHit
from collision.shapes.kinds import AABB, Point, Segment, Sphere

#: What each article is called where it is spoken of first: what it is about, and what it is a part of.
_SEGMENT = "the article on circle against segment (a Processing reference)"
_VOLUMES = "the article on 3D collision detection (MDN)"
_QUADRATIC = "the article on sphere against segment (a p5.js series on game mathematics)"
_GEOMETRY = "the article on the points where a line meets a circle (a game-mathematics study site)"


def article_first(steps: Iterable[Step]) -> list[Step]:
    """Return steps in the order in which they are told: the article's, which are the simpler ones, before ours."""
    return sorted(steps, key=lambda step: not step.article)


# --- a point and a linear piece -------------------------------------------------------------------


#: Places at which the curve of the plot is drawn, as parts of its width.
_CURVE = tuple(k / 40.0 for k in range(41))


class Products(NamedTuple):
    """What the article computes of a point P and a piece from A on."""

    n: Vec3  # the unit direction
    ap: Vec3  # from A to P
    ax: float  # how far along the foot X of the perpendicular is, with a sign
    px: float  # how far aside P is
    x: Vec3  # the foot X, on the piece or on its extension
    first: float  # where the piece starts, as a length from A
    last: float  # where it ends

    @property
    def region(self) -> str:
        """Before the start, between the ends, or after the end."""
        return "before" if self.ax < self.first else "after" if self.ax > self.last else "between"

    def distance(self, end: Vec3 | None, p: Vec3) -> float:
        """Return the distance of P from the piece, by the region that it is in."""
        if self.region == "between":
            return self.px
        return norm(self.ap) if self.region == "before" or end is None else norm(sub(p, end))


def products(p: Vec3, line: Linear) -> Products:
    """Return what the article computes of a point and a linear piece that has a length."""
    length = norm(line.direction)
    n, ap = over(line.direction, length), sub(p, line.origin)
    ax, last = dot(n, ap), length if line.hi < math.inf else math.inf
    return Products(n, ap, ax, norm(cross(n, ap)), along(line.origin, ax, n), line.lo, last)


def by_products(point: Operand, piece: Operand, p: Vec3, line: Linear) -> list[Step]:
    """Return the article's way to the distance of a point and a linear piece."""
    if norm(line.direction) == 0.0:
        text = f"{sentence(_SEGMENT)} divides AB by its length. That is zero here, so it has no answer."
        return [Step("The article: inner and cross product", text, (), (Value("|AB|", 0.0, "length"),), article=True)]
    found = products(p, line)
    return [_along_and_aside(found, point, piece, p, line), _regions(found, point, piece, p, line)]


def _along_and_aside(found: Products, point: Operand, piece: Operand, p: Vec3, line: Linear) -> Step:
    n = Value(r"\mathbf{n}", found.n, "", "n", "the unit direction")
    ap = Value(r"\mathbf{AP}", found.ap, "length", "AP", f"from A to {point.core_name}")
    ax = Value("|AX|", found.ax, "length", "AX", "how far along X is, with a sign")
    px = Value("|PX|", found.px, "length", "PX", "how far aside P is")
    marks = (
        *_points(found, p, line),
        Mark("AP", "guide", Segment(line.origin, p)),
        Mark("AX", "gap", Segment(line.origin, found.x)),
        Mark("PX", "gap", Segment(p, found.x)),
        arrow("n", line.origin, found.n),
    )
    start = "where" if line.lo == 0.0 else "the point by which"
    verb = "starts" if line.lo == 0.0 else "is given"
    text = (
        f"By {_SEGMENT}: A is {start} {piece.core_name} {verb}, P is {point.core_name}, X the foot of the "
        "perpendicular. The inner product with the unit direction says how far along X is, the cross product how far "
        "aside P is."
    )
    formulas = (
        formula(r"<ax> = <n> \cdot <ap>", ax=ax, n=n, ap=ap),
        formula(r"<px> = \|<n> \times <ap>\|", px=px, n=n, ap=ap),
    )
    return Step("The article: inner and cross product", text, formulas, (n, ap, ax, px), marks, article=True)


def _points(found: Products, p: Vec3, line: Linear) -> list[Mark]:
    """Return the points that the article has names for."""
    ends = [("A", line.origin), *([("B", line.tip)] if line.hi < math.inf else [])]
    role: MarkRole = "point" if found.region == "between" else "outside"
    return [*(Mark(name, "core", Point(at)) for name, at in (*ends, ("P", p))), Mark("X", role, Point(found.x))]


def _regions(found: Products, point: Operand, piece: Operand, p: Vec3, line: Linear) -> Step:
    end = line.tip if line.hi < math.inf else None
    distance, reach = found.distance(end, p), point.radius + piece.radius
    d, r = Value("d", distance, "length", "nearest", "distance"), Value("r", reach, "length", "", "radius")
    ax, ab = Value("|AX|", found.ax, "length", "X"), Value("|AB|", found.last, "length", "", "length of AB")
    bp = Value(r"\mathbf{BP}", sub(p, line.tip), "length")
    ap, px = Value(r"\mathbf{AP}", found.ap, "length"), Value("|PX|", found.px, "length")
    rules: tuple[Formula, ...]
    if found.region == "before":
        said = "X lies before A, so A is nearest"
        rules = (formula(r"<ax> \lt 0", ax=ax), formula(r"<d> = \|<ap>\|", d=d, ap=ap))
    elif found.region == "after":
        said = "X lies after B, so B is nearest"
        rules = (formula(r"<ab> \lt <ax>", ax=ax, ab=ab), formula(r"<d> = \|<bp>\|", d=d, bp=bp))
    else:
        said = "X is on the piece, so X is nearest"
        between = (formula(r"0 \leq <ax> \leq <ab>", ax=ax, ab=ab),) if line.lo == 0.0 else ()
        rules = (*between, formula("<d> = <px>", d=d, px=px))
    hit = Value(r"\mathrm{hit}", distance < reach, "", "", "the article's verdict")
    sign = r"\lt" if distance < reach else r"\geq"
    formulas = (*rules, formula(rf"<d> {sign} <r>", d=d, r=r))
    text = f"{said}. The article says hit where that is less than the radius; to us touching counts, too."
    nearest = {"before": line.origin, "after": line.tip}.get(found.region, found.x)
    marks = (
        *_points(found, p, line),
        Mark("nearest", "chosen", Point(nearest)),
        Mark("d", "gap", Segment(p, nearest)),
    )
    ab_or_not = (ab,) if math.isfinite(found.last) else ()
    return Step(
        "The article: three regions",
        text,
        formulas,
        (ax, *ab_or_not, d, r, hit),
        marks,
        _region_plot(found, distance, reach),
        article=True,
    )


def _region_plot(found: Products, distance: float, radius: float) -> Plot:
    """Return the plot of the distance of a point as far aside as P, over how far along it is, and of the radius."""
    ends = [end for end in (found.first, found.last) if math.isfinite(end)] or [0.0]
    lo, hi = min(*ends, found.ax, found.ax), max(*ends, found.ax, found.ax)
    lo, hi = widened(lo, hi, 0.2)
    shown = tuple(lo + (hi - lo) * part for part in _CURVE)
    heights = tuple(math.hypot(found.px, x - min(max(x, found.first), found.last)) for x in shown)
    top = 1.1 * max(*heights, distance, min(radius, 2.0 * max(heights))) or 1.0
    lines = [PlotLine(shown, heights, "gap")]
    if radius > 0.0:
        lines.append(PlotLine((lo, hi), (radius, radius), "guide", "r"))
    spans = {
        "before": (lo, found.first),
        "between": (max(found.first, lo), min(found.last, hi)),
        "after": (found.last, hi),
    }
    areas = tuple(
        PlotArea(span, (0.0, top), "chosen" if name == found.region else "other", name)
        for name, span in spans.items()
        if math.isfinite(span[0]) and math.isfinite(span[1])
    )
    here = PlotPoint(found.ax, distance, "chosen", "d", "X")
    return Plot("Distance over |AX|", "|AX|", "d", (lo, hi), (0.0, top), tuple(lines), (here,), areas)


# --- boxes, spheres and points --------------------------------------------------------------------


_ROUND = (Point, Sphere)


def compared(pair: PairTrace, touching: bool) -> list[Step]:
    """Return the article's way to decide whether two shapes touch; nothing for kinds that it does not have."""
    a, b = pair.first, pair.second
    if isinstance(a.shape, AABB) and isinstance(b.shape, AABB):
        return [_boxes(a, b, touching)]
    if isinstance(a.shape, Point) and isinstance(b.shape, AABB):
        return [point_in_box(b.core, a.core, touching, (b.name, a.name))]
    if isinstance(a.shape, Sphere) and isinstance(b.shape, AABB):
        return [_sphere_and_box(a, b, touching)]
    if isinstance(a.shape, _ROUND) and isinstance(b.shape, _ROUND):
        return [_spheres(a, b, touching)]
    return []


def point_in_box(box: Aligned | Box, p: Vec3, touching: bool, names: tuple[str, str]) -> Step:
    """Return the article's comparisons of a point with a box."""
    lower, upper = box.lo, box.hi
    known: list[tuple[bool, Formula]] = []
    for name, x, low, high in zip(AXES, p, lower, upper, strict=True):
        least, c, most = (
            Value(rf"\mathrm{{min}}_{name}", low),
            Value(f"p_{name}", x),
            Value(rf"\mathrm{{max}}_{name}", high),
        )
        rule = f"<l> {at_most(not low > x)} <c> {at_most(not x > high)} <h>"
        known.append((low <= x <= high, formula(rule, l=least, c=c, h=most)))
    bars = [PlotBar(k, low, high, "core") for k, (low, high) in enumerate(zip(lower, upper, strict=True))]
    points = [
        PlotPoint(x, k, "point" if inside else "outside")
        for k, (x, (inside, _)) in enumerate(zip(p, known, strict=True))
    ]
    text = f"{sentence(_VOLUMES)} compares each coordinate of {names[1]} with the least and the greatest of {names[0]}."
    values = (*_each(known), *_verdicts(all(inside for inside, _ in known), touching))
    plot = bar_plot("Point in box", "coordinate", AXES, bars, points)
    return Step("The article: point in box", text, tuple(rule for _, rule in known), values, (), plot, article=True)


def _boxes(a: Operand, b: Operand, touching: bool) -> Step:
    known: list[tuple[bool, Formula]] = []
    bars: list[PlotBar] = []
    for k, name in enumerate(AXES):
        (al, ah), (bl, bh) = (a.core.lo[k], a.core.hi[k]), (b.core.lo[k], b.core.hi[k])
        parts = {
            "al": Value(rf"{a.letter}.\mathrm{{min}}_{name}", al),
            "ah": Value(rf"{a.letter}.\mathrm{{max}}_{name}", ah),
            "bl": Value(rf"{b.letter}.\mathrm{{min}}_{name}", bl),
            "bh": Value(rf"{b.letter}.\mathrm{{max}}_{name}", bh),
        }
        signs = at_most(not al > bh), r"\lt" if ah < bl else r"\geq"
        rule = formula(rf"<al> {signs[0]} <bh> \;\; \mathrm{{and}} \;\; <ah> {signs[1]} <bl>", **parts)
        known.append((al <= bh and ah >= bl, rule))
        bars += [PlotBar(k, al, ah, "core", a.name, "", 0, 2), PlotBar(k, bl, bh, "other", b.name, "", 1, 2)]
    failing = [name for name, (overlap, _) in zip(AXES, known, strict=True) if not overlap]
    text = f"{sentence(_VOLUMES)} compares the least and the greatest coordinates on each axis: six comparisons, no "
    text += "arithmetic."
    text += f" Those along {listed(failing)} fail." if failing else " None fails."
    values = (*_each(known), *_verdicts(not failing, touching))
    plot = bar_plot("Box and box", "coordinate", AXES, bars)
    return Step("The article: box against box", text, tuple(rule for _, rule in known), values, (), plot, article=True)


def _sphere_and_box(ball: Operand, box: Operand, touching: bool) -> Step:
    """Return the article's way for a sphere and a box: the nearest point of the box, and its distance."""
    c, lo, hi = ball.core, box.core.lo, box.core.hi
    near = Vec3(*(max(low, min(x, high)) for x, low, high in zip(c, lo, hi, strict=True)))
    distance = math.sqrt(sum((x - y) * (x - y) for x, y in zip(near, c, strict=True)))
    x = Value(r"\mathbf{x}", near, "length", "nearest point", f"point of {box.name} nearest to the center")
    d = Value(r"\mathrm{distance}", distance, "length", "distance", "from it to the center")
    center, r = Value(r"\mathbf{c}", c, "length"), Value("r", ball.radius, "length", "", f"radius of {ball.name}")
    hit = distance < ball.radius
    rules = (
        formula(
            r"<x> = \max(<least>,\,\min(<c>,\,<most>))",
            x=x,
            c=center,
            least=Value(r"\mathbf{min}", lo),
            most=Value(r"\mathbf{max}", hi),
        ),
        formula(r"<d> = \sqrt{(<x> - <c>)^2}", d=d, x=x, c=center),
        formula(rf"<d> {_sign(distance, ball.radius)} <r>", d=d, r=r),
    )
    text = (
        f"{sentence(_VOLUMES)} clamps the center to the box on each axis, and compares how far the point found is from "
        f"it with the radius.{_tangent(distance, ball.radius)}"
    )
    marks = (Mark("nearest point", "point", Point(near)), Mark("distance", "gap", Segment(c, near)))
    values = (x, d, r, *_verdicts(hit, touching))
    return Step("The article: sphere against box", text, rules, values, marks, article=True)


def _spheres(a: Operand, b: Operand, touching: bool) -> Step:
    """Return the article's way for two spheres, or a point and a sphere: the distance of the centers and the radii."""
    distance = math.sqrt(sum((x - y) * (x - y) for x, y in zip(a.core, b.core, strict=True)))
    reach = a.radius + b.radius
    d = Value(r"\mathrm{distance}", distance, "length", "distance", "of the centers")
    p, q = Value(r"\mathbf{a}", a.core, "length"), Value(r"\mathbf{b}", b.core, "length")
    r, s = (Value(f"r_{side.letter}", side.radius, "length", "", f"radius of {side.name}") for side in (a, b))
    rules = (
        formula(r"<d> = \sqrt{(<p> - <q>)^2}", d=d, p=p, q=q),
        formula(rf"<d> {_sign(distance, reach)} <r> + <s>", d=d, r=r, s=s),
    )
    text = f"{sentence(_VOLUMES)} compares the distance of the centers with both radii.{_tangent(distance, reach)}"
    marks = (Mark("distance", "gap", Segment(a.core, b.core)),)
    values = (d, r, s, *_verdicts(distance < reach, touching))
    return Step("The article: sphere against sphere", text, rules, values, marks, article=True)


def _each(known: list[tuple[bool, Formula]]) -> list[Value]:
    """Return for each axis whether its comparisons hold."""
    return [
        Value(rf"\mathrm{{{name}}}", holds, "", "", f"whether that holds along {name}")
        for name, (holds, _) in zip(AXES, known, strict=True)
    ]


def _verdicts(article: bool, ours: bool) -> tuple[Value, Value]:
    return (
        Value(r"\mathrm{article}", article, "", "", "whether they collide, as the article's code has it"),
        Value(r"\mathrm{here}", ours, "", "", "whether they do, touching included, to rounding"),
    )


def _sign(less: float, more: float) -> str:
    return r"\lt" if less < more else (r"\geq" if less == more else ">")


def _tangent(distance: float, reach: float) -> str:
    if distance != reach:
        return ""
    return " Both are equal: by its code, which asks for less, that is no collision; by its text, and here, it is."


# --- a line and a sphere --------------------------------------------------------------------------


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


def by_roots_or_geometry(cast: Cast, result: Any) -> list[Step]:
    """Return the steps of an article: of a line the foot with half the chord, else the quadratic and its roots.

    Both have a P and a t, and mean other things by them.
    """
    if cast.piece.lo == -math.inf:
        return [_by_geometry(cast)]
    q = quadratic_of(cast)
    return [_coefficients(cast, q), _roots(cast, q, result)] if q.a > 0.0 else [_no_roots(cast, q, result)]


def _coefficient_values(cast: Cast, q: Quadratic) -> tuple[Value, Value, Value, Value]:
    """Return the numbers of the quadratic; V of a ray is of length one and no length, so that t is one."""
    units: tuple[Unit, ...] = ("length²", "length²", "length²", "length⁴")
    if cast.piece.hi == math.inf:
        units = "", "length", "length²", "length²"
    return (
        Value("a", q.a, units[0], "", "before the square"),
        Value("b", q.b, units[1], "", "before t"),
        Value("c", q.c, units[2], "", "at t = 0: less than zero inside"),
        Value("d", q.discriminant, units[3], "", "the discriminant"),
    )


def _coefficients(cast: Cast, q: Quadratic) -> Step:
    start = sub(cast.piece.origin, cast.target.core)
    unit = unit_of_direction(cast.piece)
    v = Value(r"\mathbf{V}", cast.piece.direction, unit, f"line of {cast.line.name}", "the direction")
    x = Value(r"\mathbf{X}", start, "length", "X", "from C to the start P")
    r = Value("r", cast.target.radius, "length", "", "radius")
    a, b, c, inner = _coefficient_values(cast, q)
    rules = (
        formula(r"<a> = <v> \cdot <v>", a=a, v=v),
        formula(r"<b> = 2 <v> \cdot <x>", b=b, v=v, x=x),
        formula(r"<c> = <x> \cdot <x> - <r>^2", c=c, x=x, r=r),
        formula(r"<d> = <b>^2 - 4 <a> <c>", d=inner, a=a, b=b, c=c),
    )
    marks = [cast.carrier, Mark("P", "point", Point(cast.piece.origin)), Mark("C", "core", Point(cast.target.core))]
    if norm(start) > 0.0:
        marks.append(Mark("X", "gap", Segment(cast.target.core, cast.piece.origin)))
    text = (
        f"By {_QUADRATIC}: P + tV is on the sphere where its distance from C is r. Squared, that is a quadratic in t."
    )
    return Step("By the quadratic", text, rules, (v, x, r, a, b, c, inner), tuple(marks), article=True)


def _roots(cast: Cast, q: Quadratic, result: Any) -> Step:
    a, b, _, inner = values = _coefficient_values(cast, q)
    roots, rules, marks = [], list[Formula](), [cast.carrier]
    if not math.isnan(q.t1):
        for name, t, sign in (("t_1", q.t1, "+"), ("t_2", q.t2, "-")):
            where = f"on {cast.line.name}" if _in_range(cast, t) else f"not on {cast.line.name}: left out"
            root = Value(name, t, unit_of(cast.piece), name, where)
            roots.append(root)
            rules.append(formula(rf"<t> = \frac{{-<b> {sign} \sqrt{{<d>}}}}{{2 <a>}}", t=root, a=a, b=b, d=inner))
            marks.append(cast.point(name, _root_role(cast, t, q), t))
    text = f"{_article_says(cast, q)} {_truth(cast, result)}"
    shown = (*values, *roots) if not roots else tuple(roots)
    return Step("The roots", text, tuple(rules), shown, tuple(marks), _parabola(cast, q), article=True)


def _no_roots(cast: Cast, q: Quadratic, result: Any) -> Step:
    text = f"Of a segment without length, a is zero, and {_QUADRATIC} divides by it. {_truth(cast, result)}"
    mark = Mark("P", "point", Point(cast.piece.origin))
    return Step("By the quadratic", text, (), _coefficient_values(cast, q), (mark,), article=True)


def _in_range(cast: Cast, t: float) -> bool:
    return cast.piece.lo <= t <= cast.piece.hi


def _root_role(cast: Cast, t: float, q: Quadratic) -> MarkRole:
    if not _in_range(cast, t):
        return "outside"
    return "chosen" if t == _first_root(cast, q) else "point"


def _first_root(cast: Cast, q: Quadratic) -> float:
    return min((t for t in (q.t1, q.t2) if _in_range(cast, t)), default=math.nan)


def _article_says(cast: Cast, q: Quadratic) -> str:
    if q.discriminant < 0.0:
        return "The discriminant is less than zero: the article says that they do not touch."
    first = _first_root(cast, q)
    if math.isnan(first):
        whole = "Of the whole line it asks no more than d ≥ 0, so that would touch."
        return f"Neither root is on {cast.line.name}: the article says that they do not touch. {whole}"
    return f"The smallest root on {cast.line.name} is the first touch."


def _truth(cast: Cast, result: Any) -> str:
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
    margin = 0.1 * (top - bottom)
    y_range = (min(bottom, 0.0) - margin, max(top, 0.0) + margin)
    lines = (PlotLine((low, high), (0.0, 0.0), "guide"), PlotLine(tuple(times), curve, "core", "a t² + b t + c"))
    roots = [("t₁", "t_1", q.t1), ("t₂", "t_2", q.t2)]
    points = [PlotPoint(t, 0.0, _root_role(cast, t, q), said, mark) for said, mark, t in roots if not math.isnan(t)]
    area = PlotArea((max(lo, low), min(hi, high)), y_range, "guide", cast.line.name)
    return Plot("The quadratic", "t", "a t² + b t + c", (low, high), y_range, lines, tuple(points), (area,))


def _by_geometry(cast: Cast) -> Step:
    """Return the step that finds the points by the foot of the perpendicular and half the chord."""
    c, r = cast.target.core, cast.target.radius
    n = scale(cast.piece.direction, 1.0 / norm(cast.piece.direction))
    h = along(cast.piece.origin, dot(sub(c, cast.piece.origin), n), n)
    gap = norm(sub(h, c))
    unit, foot = Value(r"\mathbf{n}", n, "", "", "direction, of length one"), Value("H", h, "length", "H", "foot")
    miss, radius = Value("|CH|", gap, "length", "|CH|", "from C to H"), Value("r", r, "length", "", "radius")
    marks = [Mark("H", "point", Point(h)), Mark("C", "core", Point(c)), cast.carrier]
    if gap > 0.0:
        marks.append(Mark("|CH|", "gap", Segment(c, h)))
    values, rules = [unit, foot, miss, radius], list[Formula]()
    said = f"By {_GEOMETRY}: H is the point of the line nearest to the center C."
    if gap > r:
        text = f"{said} It is farther from C than r: the line misses {cast.target.name}."
        rules.append(formula("<m> > <r>", m=miss, r=radius))
        return Step("By geometry", text, tuple(rules), tuple(values), tuple(marks), article=True)
    half = math.sqrt(r * r - gap * gap)
    t = Value("t", half, "length", "t", "half the chord")
    values.append(t)
    rules.append(formula(r"<t> = \sqrt{<r>^2 - <m>^2}", t=t, r=radius, m=miss))
    if half == 0.0:
        text = f"{said} It is as far from C as r: the line touches in H."
        return Step("By geometry", text, tuple(rules), tuple(values), tuple(marks), article=True)
    for label, sign, end in (("P", "+", along(h, half, n)), ("P'", "-", along(h, -half, n))):
        point = Value(label, end, "length", label, "a point of the circle")
        values.append(point)
        rules.append(formula(f"<p> = <h> {sign} <t> <n>", p=point, h=foot, t=t, n=unit))
        marks.append(Mark(label, "witness", Point(end)))
    marks += [Mark("t", "gap", Segment(h, along(h, half, n))), Mark("r", "gap", Segment(c, along(h, half, n)))]
    text = f"{said} C, H and P make a right triangle, so r and |CH| give t; P and P' are that far from H."
    return Step("By geometry", text, tuple(rules), tuple(values), tuple(marks), article=True)
