"""Explanations of points, linear pieces and half-spaces: bits, marks, the swap, and the article's numbers."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from collision import (
    AABB,
    Capsule,
    Explanation,
    Line,
    OrientedBox,
    Point,
    Ray,
    Segment,
    Shape,
    Sphere,
    explain,
    foot,
    signed_distance,
)
from collision.explaining.articles import products
from collision.explaining.cases.linear import LINEARS
from collision.explaining.linear import candidates
from collision.explaining.pairs import trace_pair
from collision.kernels.cores import linear
from collision.kernels.vec3 import Vec3, norm
from collision.shapes.kinds import KINDS
from tests.slow import deep
from tests.strategies import LINEAR, Kind, random_pairs
from tests.test_explain_casts import finite, number, step_of

#: Pairs of each two kinds, where all is asked of them, and where less is.
MANY, SOME = (1400, 100) if deep() else (2, 1)
ORDERED = [*product(KINDS, KINDS)]


def pairs_of(kinds: tuple[Kind, Kind], many: int = MANY, seed: int = 16) -> list[tuple[Shape, Shape]]:
    """Return hard pairs of two kinds; of each seventeen that differ, some."""
    cases = random_pairs(*kinds, max(many, 17), seed)
    first = KINDS.index(kinds[0]) + KINDS.index(kinds[1])
    return [(case.a, case.b) for case in (cases * 2)[first % 17 :][:many]]


def value(explanation: Explanation, title: str, symbol: str) -> Any:
    return next(found.value for found in step_of(explanation, title).values if found.symbol == symbol)


def same(a: Any, b: Any) -> bool:
    if isinstance(a, tuple):
        return type(a) is type(b) and all(map(same, a, b))
    return bool(np.array_equal(a, b, equal_nan=np.asarray(a).dtype.kind == "f"))


def test_points_are_on_what_they_are_said_to_be_on() -> None:
    for kinds in ORDERED:
        for a, b in pairs_of(kinds, SOME, seed=17):
            explanation = explain("closest_points", a, b, names=("left", "right"))
            cores = trace_pair(a, b, ("left", "right"))
            on = {"left": a, "right": b, **{f"{s.core_name}": s.core_shape for s in cores.sides}}
            for step in explanation.steps:
                for mark in step.marks:
                    if mark.label.startswith("nearest of ") and isinstance(mark.shape, Point):
                        _is_on(on[mark.label.removeprefix("nearest of ")], mark.shape, cores.size, step.title)


def _is_on(shape: Shape, point: Point, size: float, title: str) -> None:
    """Check that a point is in a shape, but for rounding."""
    size = max(size, np.abs(point.position).max())
    assert signed_distance(shape, point) <= 1e-13 * size, (title, shape, point)


def test_parameters_are_where_their_marks_are() -> None:
    shown = 0
    for kinds in product((Point, Segment, Capsule), (Segment, Capsule)):
        for a, b in pairs_of(kinds, 20, seed=21):
            explanation = explain(signed_distance, a, b)
            for step in explanation.steps:
                own = a if step.title.startswith("Along the first") else b
                if not step.title.startswith(("Along the ", "Clamp to", "Project")) or isinstance(own, Point):
                    continue
                if isinstance(a, Segment | Capsule) and step.title.startswith(("Clamp to", "Project")):
                    continue  # of two pieces either may be the point
                shown += _are_at(step, own)
    assert shown > 100


def _are_at(step: Any, own: Any) -> int:
    """Check that the marks of parameters are where these lead along a piece, and return how many there were."""
    places = {mark.label: mark.shape for mark in step.marks}
    found = [v for v in step.values if v.symbol in ("s", "t", "s_0", "t_0") and isinstance(places.get(v.mark), Point)]
    for v in found:
        size = max(np.abs(own.start).max(), np.abs(own.end).max()) * max(1.0, abs(v.value))
        at = own.start + v.value * (own.end - own.start)
        assert places[v.mark].position == pytest.approx(at, abs=1e-14 * size), (step.title, v.symbol)
    return len(found)


def test_a_pair_and_its_swap_tell_the_same_story() -> None:
    for kinds in ORDERED:
        for a, b in pairs_of(kinds, SOME, seed=18):
            explanation, swapped = (
                explain("contact", a, b, names=("l", "r")),
                explain("contact", b, a, names=("r", "l")),
            )
            if a.core_type == b.core_type:  # the kernel begins with the first of the two
                assert explanation.steps[0].title == swapped.steps[0].title
                assert explanation.steps[-1].title == swapped.steps[-1].title
                size = max(np.abs(x).max() for shape in (a, b) for x in shape.values().values())
                assert explanation.result.signed_distance == pytest.approx(
                    swapped.result.signed_distance, abs=1e-12 * size
                )
                continue
            assert [step.title for step in explanation.steps] == [step.title for step in swapped.steps]
            for one, other in zip(explanation.steps, swapped.steps, strict=True):
                assert _values(one, {}) == _values(other, str.maketrans("AB", "BA")), (one.title, a, b)


def _values(step: Any, turn: dict[int, int]) -> dict[tuple[str, str], Any]:
    """Return the values of a step by their symbols, with letters exchanged, and with normals from l to r."""
    found = {}
    for v in step.values:
        known, means = v.value, v.means
        if means.startswith("from r to l"):
            known, means = tuple(-x for x in known), means.replace("from r to l", "from l to r")
        found[v.symbol if step.article else v.symbol.translate(turn), means] = known
    return found


def test_the_article_s_numbers_are_the_kernel_s() -> None:
    for kinds in product((Point, Sphere), LINEAR):
        for point, piece in pairs_of(kinds, 10 * SOME, seed=19):
            explanation = explain(signed_distance, point, piece)
            steps = [step for step in explanation.steps if step.article]
            if len(steps) == 1:
                assert "has no answer" in steps[0].text
                continue
            size = max(np.abs(x).max() for shape in (point, piece) for x in shape.values().values())
            far = trace_pair(point, piece, ("a", "b")).separation.distance
            assert number(steps[1], "d") == pytest.approx(far, abs=1e-12 * size, rel=1e-12), (point, piece)


def test_the_article_s_regions_are_those_of_foot() -> None:
    rng = np.random.default_rng(3)
    for _ in range(50):
        p, start, end = rng.normal(size=(3, 3))
        found = products(Vec3(*p), linear(Vec3(*start), Vec3(*end), 0.0, 1.0))
        x = foot(Point(p), Segment(start, end))
        assert found.region == x.region
        assert found.x == pytest.approx(tuple(x.point), abs=1e-12)
        assert found.ax == pytest.approx(float(x.parameter) * norm(Vec3(*(end - start))), abs=1e-12)


def test_x_leaves_the_segment_where_the_article_has_it_and_the_nearest_point_does_not() -> None:
    explanation = explain("intersects", Sphere([3, 1, 0], 1.5), Segment([0, 0, 0], [2, 0, 0]), names=("ball", "arm"))
    along, regions = (step for step in explanation.steps if step.article)
    assert [(v.symbol, v.value) for v in along.values[2:]] == [("|AX|", 3.0), ("|PX|", 1.0)]
    assert number(regions, "d") == 2.0**0.5
    places = {mark.label: (mark.role, mark.shape) for mark in regions.marks}
    assert places["X"] == ("outside", Point([3, 0, 0]))
    assert places["nearest"] == ("chosen", Point([2, 0, 0]))
    assert "after B" in regions.text
    assert regions.plot is not None
    curve, radius = regions.plot.lines
    assert {*radius.y} == {1.5}
    assert all(
        y == pytest.approx(np.hypot(1.0, x - min(max(x, 0.0), 2.0))) for x, y in zip(curve.x, curve.y, strict=True)
    )
    assert value(explanation, regions.title, r"\mathrm{hit}") is True
    assert explanation.summary == "ball and arm overlap by 0.08579."


def test_touching_is_told_apart_from_the_article_s_verdict() -> None:
    explanation = explain("intersects", *LINEARS["sphere touching a segment"].given)
    assert value(explanation, "The article: three regions", r"\mathrm{hit}") is False
    assert value(explanation, "Do they touch?", r"\mathrm{touching}") is True
    assert explanation.summary == "A and B touch."


def test_what_is_clamped_is_shown_raw_and_clamped() -> None:
    explanation = explain(signed_distance, *LINEARS["segments that both end"].given)
    assert value(explanation, "Along the first", "s") == 1.0 < value(explanation, "Along the first", "s_0")
    assert value(explanation, "Along the second", "t") == 0.0
    assert value(explanation, "Along the first again", "s_0") == 1.4
    plot = step_of(explanation, "Nearest points of the cores").plot
    assert plot is not None
    edges = {line.label: (line.x, line.y) for line in plot.lines if line.role == "chosen"}
    assert edges == {"s = 1": ((1.0, 1.0), (0.0, 1.0)), "t = 0": ((0.0, 1.0), (0.0, 0.0))}


def test_the_middle_curve_of_equal_distance_goes_through_the_answer() -> None:
    a, b = LINEARS["segment beyond the end of another"].given
    plot = step_of(explain(signed_distance, a, b), "Nearest points of the cores").plot
    assert plot is not None
    chosen = next(point for point in plot.points if point.role == "chosen")
    start, u, other, v = a.start, a.end - a.start, b.start, b.end - b.start

    def distance(s: float, t: float) -> float:
        return float(np.linalg.norm(other + t * v - start - s * u))

    curves = [
        [distance(s, t) for s, t in zip(line.x, line.y, strict=True)] for line in plot.lines if line.role == "other"
    ]
    assert len(curves) == 3
    assert all(np.ptp(curve) < 1e-12 for curve in curves)
    assert curves[1][0] == pytest.approx(distance(chosen.x, chosen.y), abs=1e-12)
    assert curves[0][0] < curves[1][0] < curves[2][0]


@pytest.mark.parametrize("name", ["segment beside an edge of a box", "segment beside a corner of a box"])
def test_the_curve_over_the_parameter_is_the_distance(name: str) -> None:
    a, b = LINEARS[name].given
    plot = step_of(explain(signed_distance, a, b), "The nearest parameter").plot
    assert plot is not None
    for t, height in zip(plot.lines[0].x, plot.lines[0].y, strict=True):
        assert signed_distance(Point(a.start + t * (a.end - a.start)), b) == pytest.approx(height, abs=1e-12)
    lowest = next(point for point in plot.points if point.role == "chosen")
    assert lowest.y <= min(plot.lines[0].y) + 1e-12
    assert lowest.y == pytest.approx(float(signed_distance(a, b)), abs=1e-12)


def test_the_shortest_way_out_is_the_widest_gap_of_all_that_were_tried() -> None:
    for kinds in product((Segment, Line, Capsule), (AABB, OrientedBox)):
        for a, b in pairs_of(kinds, 40, seed=20):
            traced = trace_pair(a, b, ("a", "b"))
            if not traced.call.ran("_widest_gap"):
                continue
            call = traced.call.find("_widest_gap")
            tried = candidates(call)
            assert 3 <= len(tried) <= 6
            assert sum(gap is call["gap"] for _, gap, _ in tried) == 1
            assert call["gap"] >= max(gap for name, gap, _ in tried if "edge" not in name)
            step = step_of(explain(signed_distance, a, b), "The shortest way out")
            assert [v.value for v in step.values if v.mark == "shortest"] == [call["gap"]]
            assert step.plot is not None
            assert step.plot.areas[0].role == "chosen"


def test_what_no_move_parts_is_told_so() -> None:
    for name in ("ray into the ground", "line through the ground", "half-spaces that cross"):
        explanation = explain("contact", *LINEARS[name].given)
        assert explanation.result.signed_distance == -np.inf
        assert explanation.summary == "A and B overlap without an end."
        assert "No move parts" in step_of(explanation, "Add the radii").text
        finite(explanation)


def test_a_kernel_that_divides_by_zero_is_told_all_the_same() -> None:
    point = [3.0, -3.0, 3.0]
    explanation = explain("closest_points", Segment(point, point), AABB([-1, -1, -1], [1, 1, 1]))
    assert explanation.result.signed_distance == pytest.approx(12.0**0.5)
    finite(explanation)


TITLES = {
    "sphere beside a segment": [
        "The article: inner and cross product",
        "The article: three regions",
        "Shrink to the cores",
        "Project the point on the line",
        "Clamp to the ends",
        "Nearest points of the cores",
        "The normal",
        "Add the radii",
        "Do they touch?",
    ],
    "segments that pass each other": [
        "Shrink to the cores",
        "Compare the directions",
        "Along the first",
        "Along the second",
        "Nearest points of the cores",
        "The normal",
        "Add the radii",
    ],
    "parallel segments side by side": [
        "Shrink to the cores",
        "Compare the directions",
        "Where they lie side by side",
        "Nearest points of the cores",
        "The normal",
        "Add the radii",
    ],
    "segment stuck through a box": [
        "Shrink to the cores",
        "Into the frame of the box",
        "When it is in each slab",
        "The nearest parameter",
        "The shortest way out",
        "Nearest points of the cores",
        "The normal",
        "Add the radii",
        "Do they touch?",
        "The witness points",
        "Point and depth",
    ],
    "segment on a slope above the ground": [
        "Shrink to the cores",
        "The lower end",
        "Height above the plane",
        "Nearest points of the cores",
        "The normal",
        "Add the radii",
    ],
    "foot beyond the end": [
        "The article: inner and cross product",
        "The article: three regions",
        "Shrink to the cores",
        "The foot of the perpendicular",
        "Which region",
        "Clamp to the ends",
        "Nearest points of the cores",
    ],
}


def test_the_steps_of_known_examples() -> None:
    for name, titles in TITLES.items():
        case = LINEARS[name]
        assert [step.title for step in explain(case.query, *case.given, **case.more).steps] == titles, name


def test_the_margin_is_a_part_of_the_verdict() -> None:
    explanation = explain("contact", Sphere([0, 0, 0], 1), Ray([2.5, 0, 0], [1, 0, 0]), margin=2)
    assert value(explanation, "Do they touch?", "m") == 2.0
    assert explanation.summary == "A and B are 1.5 apart, which is within the margin."
    assert explanation.result.touching
    line = explain("contact", Sphere([0, 0, 0], 1), Line([0, 3.5, 0], [1, 0, 0]), margin=2)
    assert not line.result.touching
    assert line.summary == "A and B are 2.5 apart."
