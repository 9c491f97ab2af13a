"""Explanations of casts and sweeps: the same bits as the query, marks where they are said to be, articles' numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from collision import (
    AABB,
    Capsule,
    CapsuleCollider,
    Explanation,
    HalfSpace,
    Line,
    Motion,
    OrientedBox,
    Point,
    Scene,
    Segment,
    Sphere,
    Transform,
    crossings,
    explain,
    intersects,
    signed_distance,
    sweep,
    sweep_steps,
    touching_intervals,
)
from collision.explaining.clips import IN, OUT
from collision.explaining.records import Step
from collision.shapes.kinds import KINDS, Shape
from tests.slow import deep
from tests.strategies import LINE_LIKE, UNBOUNDED, generic, lattice

#: So many of each kind of question.
MANY = 5_000 if deep() else 60

Generator = np.random.Generator


def same(a: Any, b: Any) -> bool:
    return all(np.array_equal(x, y, equal_nan=True) for x, y in zip(a, b, strict=True))


def some(rng: Generator, kind: type[Shape]) -> Shape:
    """Return a shape: of whole numbers, so that much is level, touches or has no length, or of any."""
    return (lattice if rng.random() < 0.5 else generic)(rng).build(kind)


def finite(explanation: Explanation) -> None:
    for step in explanation.steps:
        marks = [*step.marks, *(step.space.marks if step.space else ())]
        assert len({mark.label for mark in step.marks}) == len(step.marks), step.title
        for mark in marks:
            assert all(np.isfinite(value).all() for value in mark.shape.values().values()), (step.title, mark)
        labels = {mark.label for mark in marks}
        assert {value.mark for value in step.values} - {""} <= labels, step.title
        if step.plot:
            shown = {point.mark for point in step.plot.points} | {area.mark for area in step.plot.areas}
            assert shown - {""} <= labels, (step.title, labels)
            assert np.isfinite([*step.plot.x_range, *step.plot.y_range]).all(), step.title
            assert np.isfinite([x for line in step.plot.lines for x in (*line.x, *line.y)]).all(), step.title


def step_of(explanation: Explanation, title: str) -> Step:
    return next(step for step in explanation.steps if step.title == title)


def number(step: Step, symbol: str) -> float:
    return float(next(value.value for value in step.values if value.symbol == symbol))  # type: ignore[arg-type]


def test_marks_of_a_line_are_on_it_and_on_the_surface() -> None:
    rng = np.random.default_rng(9)
    on_surface = {"P", "P'", "enters", "leaves", "crossing 1", "crossing 2"}
    seen = set()
    for k in range(MANY):
        line, shape = generic(rng).build(Line), generic(rng).build(KINDS[k % len(KINDS)])
        if isinstance(shape, Sphere) and rng.random() < 0.5:  # lines at random seldom meet a ball
            line = Line(line.point, shape.center + 0.5 * shape.radius * line.direction - line.point)
        for step in explain(crossings, line, shape).steps:
            for mark in step.marks:
                if mark.label in on_surface:
                    seen.add(mark.label)
                    assert abs(signed_distance(mark.shape, shape)) < 1e-11, (step.title, mark.label)
                if mark.label in on_surface | {"H", "inside", "nearest", "wall 1", "wall 2", "middle", "on the line"}:
                    assert signed_distance(mark.shape, line) < 1e-11, (step.title, mark.label)
                if mark.label == "H":
                    core = Point(shape.center if isinstance(shape, Sphere) else shape.corners()[0])
                    known = signed_distance(line, core)
                    assert signed_distance(mark.shape, core) == pytest.approx(known, rel=1e-12, abs=1e-14)
    assert seen == on_surface


def test_marks_of_a_sweep_touch() -> None:
    rng = np.random.default_rng(10)
    touched = 0
    for k in range(MANY):
        a, b = generic(rng).build(KINDS[k % len(KINDS)]), generic(rng).build(KINDS[rng.integers(len(KINDS))])
        explanation = explain(sweep, a, b, motion=4.0 * rng.normal(size=3))
        marks = {mark.label: mark.shape for mark in explanation.steps[-1].marks}
        if explanation.result.hit and float(explanation.result.fraction) > 0.0:
            touched += 1
            there = marks["A at the touch"]
            assert all(abs(signed_distance(x, y)) < 1e-10 for x, y in ((there, b), (marks["touch"], b)))
            assert abs(signed_distance(marks["touch"], there)) < 1e-10
    assert touched


def test_the_articles_agree_with_half_the_chord() -> None:
    rng = np.random.default_rng(3)
    met = 0
    for k in range(MANY):
        ball, line = Sphere(rng.normal(size=3), rng.uniform(1.0, 3.0)), some(rng, LINE_LIKE[k % 3])
        explanation = explain(crossings, line, ball)
        chord = next((step for step in explanation.steps if step.title == "Half the chord"), None)
        if chord is None or not any(value.symbol == "h" for value in chord.values):
            continue
        found = number(chord, IN), number(chord, OUT)
        if found[1] - found[0] < 0.1:
            continue  # the article's discriminant cancels where a line grazes
        met += 1
        if not isinstance(line, Line):  # P and t are another article's there
            roots = step_of(explanation, "The roots")
            assert number(roots, "t_2") == pytest.approx(found[0], rel=1e-12, abs=1e-12)
            assert number(roots, "t_1") == pytest.approx(found[1], rel=1e-12, abs=1e-12)
            continue
        ends, geometry = ({mark.label: mark.shape for mark in step.marks} for step in (chord, explanation.steps[0]))
        for ours, theirs in (("enters", "P'"), ("leaves", "P")):
            assert abs(signed_distance(geometry[theirs], ball)) < 1e-12
            assert np.allclose(geometry[theirs].position, ends[ours].position, rtol=0, atol=1e-12)  # type: ignore[attr-defined]
    assert met > MANY // 5


def test_a_segment_inside_is_a_miss_to_the_article_alone() -> None:
    segment, ball = Segment([-0.5, 0.25, 0], [0.5, 0.25, 0]), Sphere([0, 0, 0], 1)
    step = step_of(explain(crossings, segment, ball, names=("rod", "ball")), "The roots")
    assert step.article
    assert {mark.role for mark in step.marks if mark.label.startswith("t_")} == {"outside"}
    assert "article says that they do not touch" in step.text
    assert "In truth rod lies wholly inside" in step.text
    assert intersects(segment, ball)


def test_a_scale_misleads_the_test_in_capsule_space() -> None:
    collider, transform, ball = CapsuleCollider(height=4), Transform(scale=2), Sphere([1.75, 0, 0], 0.5)
    explanation = explain(collider.sphere_test, transform, ball, names=("pill", "ball"))
    assert same(explanation.result, collider.sphere_test(transform, ball))
    finite(explanation)
    assert bool(explanation.result.hit)
    assert not intersects(collider.in_world(transform), ball)
    assert "do not touch: the test is wrong" in explanation.steps[-1].text
    assert number(explanation.steps[-1], "D") == signed_distance(collider.in_world(transform), ball)


def test_capsule_space_agrees_at_scale_one() -> None:
    rng = np.random.default_rng(4)
    for _ in range(MANY):
        axis: Any = "xyz"[rng.integers(3)]
        collider = CapsuleCollider(rng.normal(size=3), axis, rng.uniform(1, 4), rng.uniform(0, 0.5))
        transform = Transform(rng.normal(size=3), Rotation.random(rng=rng).as_matrix())
        ball = Sphere(rng.normal(size=3), rng.uniform(0, 1))
        explanation = explain("sphere_test", collider, transform, ball)
        finite(explanation)
        assert "as the test says" in explanation.steps[-1].text
        squared = number(step_of(explanation, "Compare the squares"), "q")
        core = Segment(collider.in_world(transform).start, collider.in_world(transform).end)
        assert squared == pytest.approx(signed_distance(core, Point(ball.center)) ** 2, rel=1e-12, abs=1e-12)


def test_newton_s_steps_end_where_the_tangent_is_zero() -> None:
    a, b = Sphere([0, 0, 0], 1), Sphere([5, 1, 0], 1)
    explanation = explain(sweep, a, b, motion=[6, 0, 0])
    steps = [step for step in explanation.steps if step.title.startswith("Step ")]
    known = sweep_steps(a, b, motion=[6, 0, 0])
    assert [number(step, "t") for step in steps] == pytest.approx([step.fraction for step in known], rel=1e-12)
    for step in steps[:-1]:
        t, gap, fall = (number(step, symbol) for symbol in "tDs")
        assert number(step, "t'") == t + gap / fall
        assert gap == pytest.approx(signed_distance(a.translated([6 * t, 0, 0]), b), abs=1e-14)
    # A chart labels each thing once, and a letter is one thing throughout.
    plots = [step.plot for step in explanation.steps if step.plot is not None]
    assert all(
        len({line.label for line in plot.lines if line.label}) == sum(bool(line.label) for line in plot.lines)
        for plot in plots
    )
    again = explain(sweep_steps, a, b, motion=[6, 0, 0])
    assert [step.text for step in again.steps[:-1]] == [step.text for step in explanation.steps[:-1]]


def test_a_pair_and_its_swap_take_the_same_steps() -> None:
    rng = np.random.default_rng(8)
    for k in range(MANY // 3):
        a, b = some(rng, KINDS[k % len(KINDS)]), some(rng, KINDS[rng.integers(len(KINDS))])
        if a.core_type == b.core_type:
            continue  # the kernel of a core with itself need not be even in the last bits
        way = rng.normal(size=3)
        one, other = explain(sweep, a, b, motion=way), explain(sweep, b, a, motion=-way, names=("B", "A"))
        for step, swapped in zip(one.steps, other.steps, strict=True):
            if step.title.startswith("Step "):
                assert (step.title, step.text, step.formulas) == (swapped.title, swapped.text, swapped.formulas)
                numbers = [(value.symbol, value.value) for value in step.values]
                assert numbers == [(value.symbol, value.value) for value in swapped.values]
        assert one.summary == other.summary.replace("B and A", "A and B")


def test_steps_that_are_certain_pass_no_touch() -> None:
    rod, post = Capsule([0, 0, 0], [5, 0, 0], 0.25), Capsule([3, 3, -1], [3, 3, 1], 0.5)
    explanation = explain(sweep, rod, post, end=Transform(rotation=[0, 0, 1, 1]), names=("rod", "post"))
    for step in explanation.steps:
        if step.title.startswith("Step "):
            assert number(step, "t") < number(step, "t_s") <= float(explanation.result.fraction) + 1e-12
    assert explanation.summary == "rod and post first touch after 38.69 % of the way."


def moving(rng: Generator) -> Scene:
    """Return two shapes of any kinds, one or both of which move by keyframes; every other one turns."""
    kinds = [kind for kind in KINDS if kind not in UNBOUNDED]
    shapes = {name: some(rng, kinds[rng.integers(len(kinds))]) for name in ("one", "other")}
    motions = []
    for name in list(shapes)[: rng.integers(1, 3)]:
        turns = Rotation.random(3, rng=rng).as_quat() if rng.random() < 0.4 else None
        motions.append(Motion(name, times=[0, 1, 3], offsets=2 * rng.normal(size=(3, 3)), rotations=turns))
    return Scene(shapes, motion=motions)


def test_intervals_are_those_of_the_query() -> None:
    rng = np.random.default_rng(6)
    touched = 0
    for _ in range(MANY // 6):
        scene = moving(rng)
        explanation = explain(touching_intervals, scene, names=("one", "other"), resolution=0.01)
        known = touching_intervals(scene, resolution=0.01)
        assert same(
            (explanation.result.pairs, explanation.result.begin, explanation.result.end),
            (known.pairs, known.begin, known.end),
        )
        finite(explanation)
        assert number(explanation.steps[-1], "n") == len(known)
        touched += len(known)
    assert touched


def test_intervals_are_told_of_a_pair_of_any_scene() -> None:
    fly = Motion("ball", times=[0, 10], offsets=[[0, 0, 0], [10, 0, 0]])
    posts = Sphere([[4, 0, 0], [5, 0, 0], [9, 9, 9]], 0.25)
    scene = Scene({"ball": Sphere([0, 0, 0], 0.5), "posts": posts}, motion=[fly])
    explanation = explain(touching_intervals, scene, names=("ball", "posts[1]"))
    assert explanation.summary == "ball and posts[1] touch once between t = 0 and 10."
    sweep_step = step_of(explanation, "From 0 to 10")
    assert (number(sweep_step, "t"), number(sweep_step, "t'")) == (4.25, 5.75)
    assert len(explanation.result) == 2
    apart = explain(touching_intervals, scene, names=("ball", "posts[2]"))
    assert "never touch" in apart.steps[0].text
    with pytest.raises(ValueError, match="'posts' stands for 3 shapes"):
        explain(touching_intervals, scene, names=("ball", "posts"))


def test_more_than_one_is_refused() -> None:
    with pytest.raises(ValueError, match="pick one shape"):
        explain(crossings, Line([[0, 0, 0]], [1, 0, 0]), AABB([0, 0, 0], [1, 1, 1]))
    with pytest.raises(ValueError, match="pick one shape"):
        explain(
            sweep, OrientedBox([[0, 0, 0]], np.eye(3), [1, 1, 1]), HalfSpace([0, 0, 0], [0, 0, 1]), motion=[0, 0, 1]
        )
