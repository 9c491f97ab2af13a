"""The comparisons of an article on bounding volumes: boxes along the axes, spheres and points, by yes or no.

What the article computes is computed here, beside the kernel's way, in the article's own words: boxes by their least
and greatest coordinates, spheres by squares and a root. Its texts count touching as a collision; its code does not
where a sphere takes part. `intersects` always does.
"""

from __future__ import annotations

import math

from collision.explaining.bars import AXES, Bar, bar_plot
from collision.explaining.pairs import Side, Told, listed
from collision.explaining.records import Formula, Mark, PlotPoint, Step, Value, formula
from collision.kernels.vec3 import Vec3
from collision.shapes.kinds import AABB, Point, Segment, Sphere

_ROUND = (Point, Sphere)

_LEQ = r"\leq"


def compared(told: Told, touching: bool) -> list[Step]:
    """Return the article's way to decide whether two shapes touch; nothing for kinds that it does not have."""
    a, b = told.first, told.second
    if isinstance(a.shape, AABB) and isinstance(b.shape, AABB):
        return [_boxes(a, b, touching)]
    if isinstance(a.shape, Point) and isinstance(b.shape, AABB):
        return [point_in_box(b.shape, a.core, touching, (b.name, a.name))]
    if isinstance(a.shape, Sphere) and isinstance(b.shape, AABB):
        return [_sphere_and_box(a, b, touching)]
    if isinstance(a.shape, _ROUND) and isinstance(b.shape, _ROUND):
        return [_spheres(a, b, touching)]
    return []


def point_in_box(box: AABB, p: Vec3, touching: bool, names: tuple[str, str]) -> Step:
    """Return the article's comparisons of a point with a box."""
    lower, upper = box.lower.tolist(), box.upper.tolist()
    known: list[tuple[bool, Formula]] = []
    for name, x, low, high in zip(AXES, p, lower, upper, strict=True):
        least, c, most = (
            Value(rf"\mathrm{{min}}_{name}", low),
            Value(f"p_{name}", x),
            Value(rf"\mathrm{{max}}_{name}", high),
        )
        rule = f"<l> {'>' if low > x else _LEQ} <c> {'>' if x > high else _LEQ} <h>"
        known.append((low <= x <= high, formula(rule, l=least, c=c, h=most)))
    bars = [Bar(k, low, high, "core") for k, (low, high) in enumerate(zip(lower, upper, strict=True))]
    points = [
        PlotPoint(x, k, "point" if inside else "outside")
        for k, (x, (inside, _)) in enumerate(zip(p, known, strict=True))
    ]
    text = f"The article compares each coordinate of {names[1]} with the least and the greatest one of {names[0]}."
    values = (*_each(known), *_verdicts(all(inside for inside, _ in known), touching))
    plot = bar_plot("Point in box", "coordinate", AXES, bars, points)
    return Step("The article: point in box", text, tuple(rule for _, rule in known), values, (), plot, article=True)


def _boxes(a: Side, b: Side, touching: bool) -> Step:
    """Return the article's comparisons of two boxes."""
    known: list[tuple[bool, Formula]] = []
    bars: list[Bar] = []
    for k, name in enumerate(AXES):
        (al, ah), (bl, bh) = (a.core.lo[k], a.core.hi[k]), (b.core.lo[k], b.core.hi[k])
        parts = {
            "al": Value(rf"{a.letter}.\mathrm{{min}}_{name}", al),
            "ah": Value(rf"{a.letter}.\mathrm{{max}}_{name}", ah),
            "bl": Value(rf"{b.letter}.\mathrm{{min}}_{name}", bl),
            "bh": Value(rf"{b.letter}.\mathrm{{max}}_{name}", bh),
        }
        signs = ">" if al > bh else _LEQ, r"\lt" if ah < bl else r"\geq"
        rule = formula(rf"<al> {signs[0]} <bh> \;\; \mathrm{{and}} \;\; <ah> {signs[1]} <bl>", **parts)
        known.append((al <= bh and ah >= bl, rule))
        bars += [Bar(k, al, ah, "core", a.name, "", 0, 2), Bar(k, bl, bh, "other", b.name, "", 1, 2)]
    failing = [name for name, (overlap, _) in zip(AXES, known, strict=True) if not overlap]
    text = "The article compares the least and the greatest coordinates on each axis: six comparisons, no arithmetic."
    text += f" Those along {listed(failing)} fail." if failing else " None fails."
    values = (*_each(known), *_verdicts(not failing, touching))
    plot = bar_plot("Box and box", "coordinate", AXES, bars)
    return Step("The article: box against box", text, tuple(rule for _, rule in known), values, (), plot, article=True)


def _sphere_and_box(ball: Side, box: Side, touching: bool) -> Step:
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
        formula(r"<d> = \sqrt{(<x> - <c>)^2}", d=_mathrm(d), x=x, c=center),
        formula(rf"<d> {_sign(distance, ball.radius)} <r>", d=_mathrm(d), r=r),
    )
    text = (
        "The article clamps the center to the box on each axis, and compares how far the point found is from it with "
        f"the radius.{_tangent(distance, ball.radius)}"
    )
    marks = (Mark("nearest point", "point", Point(near)), Mark("distance", "gap", Segment(c, near)))
    values = (x, d, r, *_verdicts(hit, touching))
    return Step("The article: sphere against box", text, rules, values, marks, article=True)


def _spheres(a: Side, b: Side, touching: bool) -> Step:
    """Return the article's way for two spheres, or a point and a sphere: the distance of the centers and the radii."""
    distance = math.sqrt(sum((x - y) * (x - y) for x, y in zip(a.core, b.core, strict=True)))
    reach = a.radius + b.radius
    d = Value(r"\mathrm{distance}", distance, "length", "distance", "of the centers")
    p, q = Value(r"\mathbf{a}", a.core, "length"), Value(r"\mathbf{b}", b.core, "length")
    r, s = (Value(f"r_{side.letter}", side.radius, "length", "", f"radius of {side.name}") for side in (a, b))
    rules = (
        formula(r"<d> = \sqrt{(<p> - <q>)^2}", d=_mathrm(d), p=p, q=q),
        formula(rf"<d> {_sign(distance, reach)} <r> + <s>", d=_mathrm(d), r=r, s=s),
    )
    text = f"The article compares the distance of the centers with both radii.{_tangent(distance, reach)}"
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
    """Return the article's verdict, and the true one."""
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


def _mathrm(value: Value) -> Value:
    return Value(rf"\mathrm{{{value.symbol}}}", value.value)
