"""Made explanations that have everything a card can show, for tests of the card."""

from __future__ import annotations

from typing import Any

import numpy as np

from collision import AABB, Capsule, Explanation, HalfSpace, Line, OrientedBox, Point, Segment, Shape, Sphere
from collision.inner import Formula, Mark, Plot, PlotArea, PlotLine, PlotPoint, Space, Step, Value

_LONG = (
    "The nearest point of the axis is where the perpendicular through the center meets it, unless that lies before "
    "the start or beyond the end: then the end itself is nearest. Here it lies between the two, so it is kept."
)


def _parabola() -> Plot:
    x = np.linspace(-1.0, 3.0, 65)
    return Plot(
        "The quadratic along the line",
        "t",
        "distance from the center, squared, less the radius squared",
        (-1.0, 3.0),
        (-2.0, 6.0),
        (PlotLine(tuple(x.tolist()), tuple((x * x - 2.0 * x - 1.0).tolist()), "core", "f(t)"),),
        (
            PlotPoint(1.0 - 2.0**0.5, 0.0, "outside", "t1", "P'"),
            PlotPoint(1.0 + 2.0**0.5, 0.0, "chosen", "t2", "P"),
            PlotPoint(1.0, -2.0, "point", "lowest"),
        ),
        (PlotArea((0.0, 1.0), (-2.0, 6.0), "guide", "in the segment"),),
    )


def _bars() -> Plot:
    rows = ("axis x of ball", "axis y of ball", "axis z of a name that is far too long for its room", "cross")
    areas = [
        PlotArea((0.3 * k, 1.0 + k), (k - 0.3, k + 0.3), "chosen" if k == 2 else "other", "", "P") for k in range(4)
    ]
    points = (PlotPoint(0.5, 1.0, "point", "clamped", "w"),)
    return Plot("Overlap on each axis", "length", "", (-0.5, 4.5), (-0.5, 3.5), (), points, tuple(areas), rows)


def _square() -> Plot:
    areas = (PlotArea((0.0, 1.0), (0.0, 1.0), "guide"),)
    points = (PlotPoint(1.3, 0.4, "outside", "free", "P'"), PlotPoint(1.0, 0.5, "chosen", "clamped", "P"))
    line = PlotLine((-0.2, 1.5), (0.1, 0.7), "other", "ridge")
    return Plot("Both parameters", "s", "t", (-0.25, 1.5), (-0.25, 1.25), (line,), points, areas)


def steps(a: Any, b: Any) -> tuple[Step, ...]:
    """Return steps between two shapes that have centers."""
    p, q = np.asarray(a.center), np.asarray(b.center)
    w = tuple((q - p).tolist())
    d = float(np.linalg.norm(q - p))
    values = (
        Value(r"\mathbf{w}", w, "length", "w", "from ball to arm"),
        Value("d", d, "length", "w", "distance of the two points, which is long to tell"),
        Value(r"t_1", -0.4142135, "", "P'", "outside"),
        Value(r"t_2", 2.4142135, "", "P", "chosen"),
        Value("D", -1.5e-9, "length²", "", "discriminant"),
        Value(r"\alpha", 36.8699, "degrees", "", "angle"),
        Value(r"\mathrm{touching}", True),
        Value("M", ((1.0, 0.0, 0.25, -3.5), (0.0, 0.5, 0.0, 12.125), (0.0, 0.0, 1.0, 0.0)), "", "", "to the space"),
    )
    rule = Formula(
        r"t = \frac{-b \pm \sqrt{b^2 - 4 a c}}{2 a} \leq \frac{\mathbf{w} \cdot \mathbf{d}}{\|\mathbf{d}\|^2}",
        rf"0.3333 = \frac{{-({d:.4g}) \pm \sqrt{{{d:.4g}^2 - 4 \times 1.5 \times (-2.25)}}}}{{2 \times 1.5}} \leq "
        r"\frac{(1,\,2.5,\,-3.125) \cdot (0.5,\,0.25,\,1.125)}{\|(0.5,\,0.25,\,1.125)\|^2}",
    )
    second = Formula(
        r"\mathbf{p} = \mathbf{a} + \min(1,\,\max(0,\,t))\,\mathbf{d}",
        rf"({w[0]:.4g},\,{w[1]:.4g},\,{w[2]:.4g}) = 1.5 \times 10^{{-9}}",
    )
    marks = _marks(p, q)
    space = Space("The capsule's own space", _space_marks())
    return (
        Step("Nearest points of the cores", _LONG, (rule, second), values, marks, kernel="linear_linear"),
        Step("The quadratic", _LONG, (rule,), values[:4], marks, _parabola(), article=True),
        Step("Overlap on each axis", "The axis with the smallest overlap decides.", (), values[:2], marks, _bars()),
        Step("Clamp to the square", _LONG, (second,), values[2:4], marks, _square()),
        Step("In the capsule's space", _LONG, (rule,), values, marks, space=space),
        Step("A step with nothing", ""),
        Step("Both pictures", _LONG, (second,), values, marks, _parabola(), space),
    )


def _marks(p: Any, q: Any) -> tuple[Mark, ...]:
    shapes: list[tuple[str, Any, Shape]] = [
        ("w", "gap", Segment(p, q)),
        ("P", "chosen", Point(0.5 * p + 0.5 * q)),
        ("P'", "outside", Point(1.5 * p - 0.5 * q)),
        ("normal", "normal", Segment(p, p + np.array([0.0, 0.0, 1.2]))),
        ("axis", "guide", Line(p, q - p + [0.0, 0.0, 0.1])),
        ("core of ball", "core", Point(p)),
        ("box", "other", AABB(p - 0.5, p + 0.5)),
    ]
    return tuple(Mark(*one) for one in shapes)


def _space_marks() -> tuple[Mark, ...]:
    return (
        Mark("capsule", "given", Capsule([0, 0, -1], [0, 0, 1], 0.5)),
        Mark("ball", "given", Sphere([1.2, 0.3, 0.4], 0.6)),
        Mark("box", "other", OrientedBox([0, 1, 0], [0, 0, 0.3826834, 0.9238795], [0.3, 0.3, 0.3])),
        Mark("axis", "guide", Line([0, 0, 0], [0, 0, 1])),
        Mark("center", "point", Point([1.2, 0.3, 0.4])),
        Mark("on the axis", "chosen", Point([0, 0, 0.4])),
        Mark("floor", "guide", HalfSpace([0, 0, -2], [0, 0, 1])),
    )


def made(query: str, a: Shape, b: Shape, *, names: tuple[str, str] = ("A", "B")) -> Explanation:
    """Return an explanation that has everything, in place of `collision.explain`."""
    return Explanation(query, names, (a, b), steps(a, b), 0.0, f"{names[0]} and {names[1]} are 0.25 apart, as it says.")
