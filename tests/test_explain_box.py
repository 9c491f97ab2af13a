"""Explanations of boxes, contacts, what holds what and the broad phase: bits, marks, swaps and articles' numbers."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from collision import (
    AABB,
    Capsule,
    Explanation,
    HalfSpace,
    Line,
    OrientedBox,
    Point,
    Scene,
    Sphere,
    all_normals,
    candidate_pairs,
    closest_points,
    contains,
    explain,
    intersects,
    manifold,
    signed_distance,
    why,
)
from collision.explaining.records import Step
from collision.explaining.text import plain
from collision.shapes.kinds import Shape
from tests.remembered import REMEMBERED
from tests.slow import deep
from tests.strategies import PAIRS, UNBOUNDED, random_pairs
from tests.test_explain_casts import finite, number, step_of

#: Pairs of each two kinds.
MANY = 100 if deep() else 4

BOXES = (AABB, OrientedBox)
BOX_PAIRS = [(a, b) for a, b in PAIRS if b in BOXES and a in (Point, Sphere, *BOXES)]
PAIRS_OF_BOXES = [pair for pair in REMEMBERED.values() if isinstance(pair[0], BOXES) and isinstance(pair[1], BOXES)]


def asked(a: type[Shape], b: type[Shape], count: int = MANY) -> list[tuple[Shape, Shape]]:
    return [(case.a, case.b) for case in random_pairs(a, b, count, 11)]


def size_of(*shapes: Shape) -> float:
    return max(float(np.abs(values).max()) for shape in shapes for values in shape.values().values()) or 1.0


def near(mark: Shape, shape: Shape, size: float) -> bool:
    """Tell whether all of a mark is on or in a shape, to rounding."""
    return abs(float(signed_distance(mark, shape))) <= 1e-13 * size or bool(contains(shape, mark))


def hides(text: str, names: tuple[str, ...]) -> bool:
    return all(name in text for name in names)


# --- distances ------------------------------------------------------------------------------------


@pytest.mark.parametrize("pair", BOX_PAIRS, ids=lambda pair: f"{pair[0].__name__}-{pair[1].__name__}")
def test_distances_are_those_of_the_query_and_marks_are_where_they_are_said_to_be(pair: Any) -> None:
    for a, b in asked(*pair, 10 * MANY):
        explanation = explain(closest_points, a, b, names=("one", "other"))
        assert all(np.array_equal(x, y) for x, y in zip(explanation.result, closest_points(a, b), strict=True))
        finite(explanation)
        size = size_of(a, b)
        for step in explanation.steps:
            for mark in step.marks:
                if mark.label in ("nearest of one", "start on one", "core of one", "face of one"):
                    assert near(mark.shape, a, size), (step.title, mark)
                if mark.label in ("nearest of other", "start on other", "clamped", "face", "face of other"):
                    assert near(mark.shape, b, size), (step.title, mark)


def test_the_axes_are_all_fifteen_and_the_widest_decides() -> None:
    for a, b in [*asked(OrientedBox, OrientedBox, 20 * MANY), *PAIRS_OF_BOXES]:
        if isinstance(a, AABB) and isinstance(b, AABB):
            continue
        explanation = explain(signed_distance, a, b)
        step = step_of(explanation, "Gaps along the axes")
        assert step.plot is not None
        bars = list(step.plot.areas)
        widths = [max(area.x, key=abs) for area in bars]
        assert widths == sorted(widths, reverse=True)
        assert [area.role for area in bars].count("chosen") == 1
        gap = number(step, "g")
        assert gap == next(width for width, area in zip(widths, bars, strict=True) if area.role == "chosen")
        slack = number(explanation.steps[1], r"\epsilon")
        assert gap <= float(explanation.result) + 4.0 * slack  # no axis shows more room than there is


def test_a_letter_is_one_thing_in_all_steps_of_two_boxes() -> None:
    box = OrientedBox([0, 0, 0], [0.1, 0.2, 0.3, 0.9], [1.1, 0.8, 0.7])
    for place in ([2.4, 0.2, 0.3], [1.2, 0.1, 0.2], [0, 0, 2]):
        kinds: dict[str, set[bool]] = {}
        for step in explain(signed_distance, box, OrientedBox(place, [0, 0.4, 0, 0.9], [0.7, 0.7, 0.7])).steps:
            for value in step.values:
                kinds.setdefault(plain(value.symbol), set()).add(isinstance(value.value, tuple))
        assert {letter for letter, kind in kinds.items() if len(kind) > 1} == set()  # a number here, a vector there


def test_from_inside_the_nearest_face_decides() -> None:
    explanation = explain(signed_distance, Point([3.75, 1.5, 1]), AABB([0, 0, 0], [4, 3, 2]), names=("bee", "room"))
    step = step_of(explanation, "From inside: the nearest face")
    assert number(step, r"\delta") == 0.25
    assert step.text == "bee is inside room, so the nearest of the six faces decides: +x."
    assert np.array_equal(next(mark for mark in step.marks if mark.label == "face").shape.lower, [4, 0, 0])


def test_intervals_say_which_axis_parts_two_boxes() -> None:
    explanation = explain(signed_distance, AABB([0, 0, 0], [1, 1, 1]), AABB([2, 0.5, 0.25], [3, 2, 0.75]))
    step = step_of(explanation, "Compare the intervals on each axis")
    assert [number(step, f"g_{axis}") for axis in "xyz"] == [1.0, -0.5, -0.75]
    assert "Along x these are apart" in step.text
    assert step.plot is not None
    assert step.plot.rows == ("x", "y", "z")


def test_the_gaps_of_two_boxes_make_a_way_from_the_one_to_the_other() -> None:
    a, b = AABB([3, 3, 3], [4, 4, 4]), AABB([0, 5, 0], [1, 6, 1])
    for one, other in ((a, b), (b, a)):
        step = step_of(explain(signed_distance, one, other), "Compare the intervals on each axis")
        legs: list[Any] = [mark.shape for mark in step.marks]
        ends = [{tuple(leg.start), tuple(leg.end)} for leg in legs]
        joints = [before & after for before, after in pairwise(ends)]
        assert [len(joint) for joint in joints] == [1, 1]
        (start,), (end,) = ends[0] - joints[0], ends[-1] - joints[-1]
        assert contains(one, Point(start))
        assert contains(other, Point(end))


# --- the article on bounding volumes --------------------------------------------------------------


def article(explanation: Explanation) -> Step:
    return next(step for step in explanation.steps if step.article)


@pytest.mark.parametrize("pair", [(Point, AABB), (Sphere, AABB), (AABB, AABB), (Sphere, Sphere), (Point, Sphere)])
def test_the_article_s_numbers_agree_with_the_kernel_s(pair: Any) -> None:
    for a, b in asked(*pair, 10 * MANY):
        explanation = explain(intersects, a, b)
        step, size = article(explanation), size_of(a, b)
        verdict, here = number(step, r"\mathrm{article}"), number(step, r"\mathrm{here}")
        assert here == bool(explanation.result)
        gap = float(signed_distance(a, b))
        if abs(gap) > 1e-12 * size and a.values().get("radius", 1.0) != 0.0:  # of a radius of zero none is less
            assert verdict == here
        for value in step.values:
            if value.symbol == "distance":
                core = next(s for s in explanation.steps if s.title == "Nearest points of the cores")
                assert value.value == pytest.approx(number(core, "d"), rel=1e-12, abs=1e-12 * size)


def test_where_shapes_touch_the_article_s_code_says_no() -> None:
    explanation = explain(intersects, Sphere([5, 1, 1], 1), AABB([0, 0, 0], [4, 3, 2]))
    step = article(explanation)
    assert explanation.result
    assert number(step, r"\mathrm{article}") == 0
    assert "Both are equal" in step.text


# --- what holds what, patches, ways out -----------------------------------------------------------


def test_each_corner_of_a_patch_is_between_the_surfaces() -> None:
    floor, crate = AABB([-2, -2, -1], [2, 2, 0]), OrientedBox([0, 0, 0.875], np.eye(3), [1, 1, 1])
    explanation = explain(manifold, floor, crate, names=("floor", "crate"))
    assert [step.title for step in explanation.steps] == [
        "Shrink to the cores",
        "The normal of the contact",
        "The features that face each other",
        "Where the two features overlap",
        "The depth of each corner",
    ]
    corners = explanation.steps[-1]
    assert [value.value for value in corners.values] == [-0.125] * 4
    for mark in corners.marks:
        assert abs(float(signed_distance(Point(mark.shape.start), floor))) < 1e-15
        assert abs(float(signed_distance(Point(mark.shape.end), crate))) < 1e-15
    features = explanation.steps[2]
    for mark, shape in zip(features.marks, (floor, crate), strict=True):
        assert contains(shape, mark.shape)
    assert hides(features.text, ("face of floor", "face of crate"))


def test_the_cut_polygon_is_what_both_faces_have_in_common() -> None:
    eighth = [[0.8, -0.6, 0.0], [0.6, 0.8, 0.0], [0.0, 0.0, 1.0]]
    explanation = explain(manifold, AABB([-1, -1, -1], [1, 1, 0]), OrientedBox([0, 0, 0.875], eighth, [1, 1, 1]))
    step = step_of(explanation, "Where the two features overlap")
    assert [value.value for value in step.values] == [4, 4, 8, 8]
    assert step.plot is not None
    after = next(line for line in step.plot.lines if line.label == "after")
    assert max(map(abs, (*after.x, *after.y))) == pytest.approx(1.0)


def test_the_corner_that_sticks_out_most_is_told_of() -> None:
    room, crate = AABB([0, 0, 0], [4, 4, 4]), AABB([1, 1, 1], [2, 5, 3])
    explanation = explain(contains, room, crate, names=("room", "crate"))
    assert not explanation.result
    assert number(explanation.steps[-1], "D") == 1.0
    assert explanation.steps[-1].text == "Corner 3 sticks out, so crate is not inside. The boundary counts as inside."


def test_all_ways_out_are_told() -> None:
    explanation = explain(all_normals, Sphere([0, 0, 0], 1), AABB([-1, -1, -3], [1, 1, 3]), names=("ball", "post"))
    facets = step_of(explanation, "The nearest facets")
    assert number(facets, "h") == 1.0
    assert "4 of 6 are nearest" in facets.text
    assert explanation.summary == "Between ball and post there are several shortest ways out, single ones."


# --- the broad phase ------------------------------------------------------------------------------


def crowd(count: int) -> Scene:
    rng = np.random.default_rng(5)
    balls = Sphere(rng.uniform(0, 20, (count, 3)), rng.uniform(0.2, 0.8, count))
    return Scene({"crowd": balls, "wall": AABB([0, 0, 0], [1, 20, 20])})


def test_which_nodes_of_a_tree_are_opened_and_why() -> None:
    scene = crowd(500)
    explanation = explain(candidate_pairs, scene)
    assert np.array_equal(explanation.result, candidate_pairs(scene))
    finite(explanation)
    step = step_of(explanation, "Down the tree")
    leaf, opened, passed = (
        next(mark.shape for mark in step.marks if mark.label == label)
        for label in ("the leaf", "opened", "passed over")
    )
    assert len(opened) == number(step, "o")
    assert len(passed) == number(step, "p")
    assert (signed_distance(opened, leaf) <= 1e-5).all()
    assert (signed_distance(passed, leaf) >= -1e-5).all()


@pytest.mark.parametrize("count", [20, 500])
def test_a_pair_is_told_to_the_gate_that_stops_it(count: int) -> None:
    scene = crowd(count)
    pairs = [tuple(map(scene.element_name, pair)) for pair in candidate_pairs(scene)[:6].tolist()]
    others = [("crowd[0]", f"crowd[{k}]") for k in range(1, 9)]
    seen = set()
    for a, b in [*pairs, *others]:
        explanation, reason = explain(why, scene, a, b), why(scene, a, b)
        assert explanation.result == reason
        finite(explanation)
        seen.add(reason.gate)
        titles = [step.title for step in explanation.steps]
        assert "Down the tree" in titles
        assert ("Add the radii" in titles) == (reason.gate == "narrow phase")
        if (a, b) in pairs:
            down = step_of(explanation, "Down the tree").text
            assert ("are in the same leaf" in down) != ("is among those opened" in down)
    assert seen == {"broad phase", "narrow phase"}


def test_gates_before_geometry_end_the_story() -> None:
    scene = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([1, 0, 0], 1), "g": HalfSpace([0, 0, 0], [0, 0, 1])})
    for stopped in (scene.ignoring(("a", "*")), Scene(scene.shapes, hidden=("a",))):
        explanation = explain(why, stopped, "a", "b")
        assert [step.title for step in explanation.steps] == ["Gates before geometry"]
    assert [step.title for step in explain(why, scene, "a", "g").steps][:2] == [
        "Gates before geometry",
        "The boxes around the two",
    ]


def test_what_has_no_end_is_told_without_a_tree() -> None:
    scene = Scene(
        {"x": Line([0, 0, 0], [1, 0, 0]), "y": Line([0, 0, 1], [0, 1, 0]), "pill": Capsule([0, 0, 0], [1, 0, 0], 1)}
    )
    explanation = explain(candidate_pairs, scene)
    finite(explanation)
    assert len(explanation.result) == len(candidate_pairs(scene))
    for pair in (("x", "y"), ("x", "pill")):
        finite(explain(why, scene, *pair))
    assert "go on for ever" not in explain(candidate_pairs, Scene({"x": scene["x"], "y": scene["y"]})).steps[0].text


@pytest.mark.parametrize("kind", UNBOUNDED)
def test_what_has_no_end_is_compared_with_a_box(kind: type[Shape]) -> None:
    for other in (Sphere, OrientedBox):
        for a, b in asked(kind, other):
            scene = Scene({"far": a, "near": b})
            explanation, reason = explain(why, scene, "far", "near"), why(scene, "far", "near")
            assert explanation.result == reason
            finite(explanation)
            step = step_of(explanation, "The boxes around the two")
            assert ("which stops the pair" in step.text) == (reason.gate == "broad phase")
            inside = [mark.shape for mark in step.marks if mark.label == "in the box"]
            for part in inside:
                assert signed_distance(AABB(*b.corners()), part) <= 1e-12 * size_of(a, b)
