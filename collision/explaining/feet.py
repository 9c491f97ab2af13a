"""How `foot` reaches its answer: the foot of the perpendicular, the region, and the nearest point of the piece."""

from __future__ import annotations

import math
from typing import Any

from collision.explaining.articles import article_first
from collision.explaining.explanation import Explanation, Question
from collision.explaining.pairs import PairTrace, sentence, shrink, trace_pair, unit_of
from collision.explaining.point import parameter_plot, point_linear, symbols
from collision.explaining.records import Mark, PlotPoint, Step, Value, formula
from collision.kernels.cores import Linear
from collision.kernels.vec3 import Vec3
from collision.shapes.kinds import Line, Point, Segment

_SAID = {
    "before": "It is before the start of {}, so the start is the nearest point.",
    "between": "It is between the ends of {}, so it is the nearest point itself.",
    "after": "It is beyond the end of {}, so the end is the nearest point.",
}


def explained(asked: Question) -> Explanation:
    """Return the explanation of `foot`."""
    (point, piece), names, result = asked.given, asked.names, asked.result
    pair = trace_pair(point, piece, names)
    asked.confirm((pair.separation.on_b, pair.separation.distance), (result.nearest, result.distance))
    kept = [
        step
        for step in point_linear(pair)
        if step.title in ("Clamp to the ends", "Nearest points of the cores") or step.article
    ]
    steps = [shrink(pair), _perpendicular(pair, result), _region(pair, result), *kept]
    where = {"before": "before the start of", "between": "on", "after": "beyond the end of"}[str(result.region)]
    return asked.answered(article_first(steps), f"The foot of {names[0]} is {where} {names[1]}.")


def _perpendicular(pair: PairTrace, result: Any) -> Step:
    line: Linear = pair.second.core
    p: Vec3 = pair.first.core
    t = Value("t", float(result.parameter), unit_of(line), "foot", f"how far along {pair.second.core_name}")
    x = Value(r"\mathbf{x}", tuple(result.point.tolist()), "length", "foot", "the foot")
    at, o, u = symbols(pair.first, pair.second, p, line)
    title = "The foot of the perpendicular"
    if line.direction == (0.0, 0.0, 0.0):
        text = f"{sentence(pair.second.core_name)} has no length, so its start serves as the foot."
        return Step(title, text, (), (t, x), (Mark("foot", "point", Point(result.point)),))
    text = (
        f"The inner product with the direction of {pair.second.core_name} says how far along the foot of the "
        f"perpendicular from {pair.first.core_name} lies; it may be on the extension."
    )
    rules = (
        formula(r"<t> = \frac{(<p> - <o>) \cdot <u>}{<u> \cdot <u>}", t=t, p=at, o=o, u=u),
        formula("<x> = <o> + <t> <u>", x=x, o=o, t=t, u=u),
    )
    marks = (
        Mark("line", "guide", Line(line.origin, line.direction)),
        Mark("perpendicular", "gap", Segment(p, result.point)),
        Mark("foot", "point" if result.region == "between" else "outside", Point(result.point)),
    )
    return Step(title, text, rules, (at, o, u, t, x), marks)


def _region(pair: PairTrace, result: Any) -> Step:
    line: Linear = pair.second.core
    t, region = Value("t", float(result.parameter), unit_of(line), "foot"), str(result.region)
    upper = "1" if line.hi < math.inf else r"\infty"
    if line.lo < 0.0:
        text, rule = "A line has no ends, so the foot is always on it.", None
    else:
        text = _SAID[region].format(pair.second.core_name)
        template = {"before": r"<t> \lt 0", "between": rf"0 \leq <t> \leq {upper}", "after": rf"{upper} \lt <t>"}[
            region
        ]
        rule = formula(template, t=t)
    marks = (
        Mark("foot", "point" if region == "between" else "outside", Point(result.point)),
        Mark("nearest", "chosen", Point(result.nearest)),
    )
    plot = parameter_plot(pair.second, line, (PlotPoint(float(result.parameter), 0.0, "chosen", "t", "foot"),))
    return Step("Which region", text, (rule,) if rule else (), (t,), marks, plot)
