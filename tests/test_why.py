"""Why a pair is reported or not, and what the broad phase keeps: against the contacts of the scene itself."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from collision import (
    AABB,
    Capsule,
    HalfSpace,
    Line,
    Point,
    Ray,
    Scene,
    Segment,
    Shape,
    Sphere,
    candidate_pairs,
    signed_distance,
    why,
)


def pairs_of(scene: Scene) -> set[tuple[str, str]]:
    return {(scene.element_name(a), scene.element_name(b)) for a, b in scene.colliding_pairs().tolist()}


def random_scene(seed: int) -> Scene:
    rng = np.random.default_rng(seed)
    shapes: dict[str, Shape] = {
        "balls": Sphere(rng.uniform(-3, 3, (6, 3)), rng.uniform(0.2, 1.0, 6)),
        "arm left": Capsule(rng.uniform(-3, 3, 3), rng.uniform(-3, 3, 3), 0.5),
        "arm right": Capsule(rng.uniform(-3, 3, 3), rng.uniform(-3, 3, 3), 0.5),
        "box": AABB([-1, -1, -1], rng.uniform(0, 2, 3)),
        "line": Line([0, 0, 0], rng.normal(size=3)),
        "edge": Segment(rng.uniform(-3, 3, 3), rng.uniform(-3, 3, 3)),
    }
    return Scene(shapes, ignored=[("arm*", "balls*"), ("box", "balls[2]")], hidden=["balls[4]"])


def overlap(a: Shape, b: Shape, margin: float) -> bool:
    """Say whether boxes overlap, by comparing numbers; of what has no end, whether it reaches the box."""
    if not (a.bounded or b.bounded):
        return True
    if not (a.bounded and b.bounded):
        endless, box = (b, a.bounds()) if a.bounded else (a, b.bounds())
        return bool(signed_distance(endless, AABB(box.lower - margin, box.upper + margin)) <= 0.0)
    one, other = a.bounds(), b.bounds()
    return bool(np.all(one.lower <= other.upper + margin) and np.all(other.lower <= one.upper + margin))


def widest_gap(a: Shape, b: Shape) -> tuple[str | None, float]:
    """Return along which axis two boxes are farthest apart, and how far, by looking at their ends one by one."""
    if not (a.bounded and b.bounded):
        return None, -np.inf
    gaps = {}
    for k, axis in enumerate("xyz"):
        low, high = sorted((float(s.bounds().lower[k]), float(s.bounds().upper[k])) for s in (a, b))
        gaps[axis] = max(high[0] - low[1], low[0] - high[1])
    best = max(gaps, key=lambda axis: gaps[axis])
    return best, gaps[best]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("margin", [0.0, 0.4])
def test_the_verdict_is_that_of_the_scene(seed: int, margin: float) -> None:
    scene = random_scene(seed).moved("balls[1]", [0.1, 0, 0])
    reported = {tuple(pair) for pair in scene.contacts(margin=margin).pairs.tolist()}
    kept = {tuple(pair) for pair in candidate_pairs(scene, margin=margin).tolist()}
    gates = set()
    for i, j in combinations(range(scene.element_count), 2):
        a, b = scene.element(i), scene.element(j)
        reason = why(scene, scene.element_name(i), scene.element_name(j), margin=margin)
        gates.add(reason.gate)
        assert reason.reported == ((i, j) in reported)
        assert reason.signed_distance == float(signed_distance(a, b))
        assert (reason.axis, reason.box_gap) == widest_gap(a, b) == widest_gap(b, a)
        boxes_meet = overlap(a, b, margin)
        excused = reason.gate in ("hidden", "rule")
        assert ((i, j) in kept) == (boxes_meet and not excused)
        assert excused or (reason.gate == "narrow phase") == boxes_meet
        assert ("is hidden" in reason.because) == (4 in (i, j))
    assert gates == {"hidden", "rule", "broad phase", "narrow phase"}


def test_the_axis_is_the_one_with_the_widest_gap() -> None:
    scene = Scene({"a": AABB([0, 0, 0], [1, 1, 1]), "b": AABB([1.12, 1.5, 0], [2, 2, 1]), "c": Point([1.12, 1, 1])})
    assert (why(scene, "a", "b").axis, why(scene, "a", "b").box_gap) == ("y", 0.5)
    text = str(why(scene, "a", "c"))
    assert text == "a and c are not reported: apart in the broad phase, along x by 0.12."
    assert str(why(scene, "b", "a", margin=0.1)).startswith("b and a are not reported: apart in the broad phase, al")
    assert str(why(scene, "a", "b", margin=0.2)).endswith("along y by 0.5, more than the margin 0.2.")


def test_what_has_no_end_has_no_widest_gap() -> None:
    scene = Scene({"line": Line([0, 0, 5], [1, 0, 0]), "ball": Sphere([0, 0, 0], 1)})
    reason = why(scene, "line", "ball")
    assert (reason.gate, reason.axis, reason.box_gap) == ("broad phase", None, -np.inf)
    text = "apart in the broad phase: the one without an end does not reach the box around the other, they are 4 apart"
    assert reason.because == text
    assert why(scene, "line", "ball", margin=3.5).because == text + ", more than the margin 3.5"
    beside = why(scene.replaced(shapes={**scene.shapes, "line": Line([0, 0.8, 0.8], [1, 0, 0])}), "line", "ball")
    assert (beside.gate, beside.axis) == ("narrow phase", None)
    assert beside.because == "one of them has no end, but they are 0.1314 apart"
    assert why(scene.with_shape("ray", Ray([0, 0, 9], [1, 0, 0])), "line", "ray").gate == "narrow phase"


@pytest.mark.parametrize("margin", [0.0, 0.3])
@pytest.mark.parametrize("others", [0, 10, 300])
@pytest.mark.parametrize("kind", [HalfSpace, Line, Ray])
def test_how_many_others_there_are_changes_no_reason(kind: type[Any], others: int, margin: float) -> None:
    """What has no end is looked at alike in small scenes and in large ones, and so it is said."""
    rng = np.random.default_rng(5)
    balls = Sphere(rng.uniform(-2, 2, (60, 3)), rng.uniform(0.1, 0.8, 60))
    shapes = {"balls": balls, "endless": kind([0.1, 0.2, 0.3], [1, 2, -1]), "other": Line([5, 5, 5], [-1, 1, 1])}
    far = Sphere(np.arange(30.0, 30.0 + 3 * others).reshape(-1, 3), 0.1)
    scene = Scene({**shapes, "far": far}, hidden=["balls[7]"])
    kept = set(map(tuple, candidate_pairs(scene, margin=margin).tolist()))
    gates = []
    for number in (*range(60), 61):
        a, b = scene.element(number), scene.element(60)
        reason = why(scene, scene.element_name(number), "endless", margin=margin)
        met = overlap(a, b, margin)
        gate = "narrow phase" if met else "broad phase"
        assert reason.gate == ("hidden" if number == 7 else gate)
        assert ((min(number, 60), max(number, 60)) in kept) == (met and number != 7)
        gates.append(reason.gate)
    assert min(gates.count("broad phase"), gates.count("narrow phase")) > 5
    asked = set(map(tuple, scene._world.hierarchy.pairs(margin=margin).tolist()))  # of which the scene's answer is made
    assert {pair for pair in asked if 7 not in pair} == kept


@pytest.mark.parametrize(
    ("x", "margin", "text"),
    [
        (1.5, 0.0, "a and b are reported: they overlap, by 0.5."),
        (2.0, 0.0, "a and b are reported: they touch."),
        (2.25, 0.5, "a and b are reported: they are 0.25 apart, within the margin 0.5."),
        (1.5, 0.5, "a and b are reported: they overlap, by 0.5."),
    ],
)
def test_the_words_for_what_is_reported(x: float, margin: float, text: str) -> None:
    scene = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([x, 0, 0], 1)})
    assert str(why(scene, "a", "b", margin=margin)) == text


def test_rules_and_hiding_are_told_with_the_distance() -> None:
    scene = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([1, 0, 0], 1)}, ignored=[("a", "a*"), ("b", "a*")])
    reason = why(scene, "a", "b")
    assert (reason.reported, reason.gate, reason.rule, reason.signed_distance) == (False, "rule", ("b", "a*"), -1.0)
    assert reason.because == "the scene ignores 'b' with 'a*'"
    both = why(scene.replaced(hidden=["a", "b"]), "a", "b")
    assert (both.gate, both.hidden, both.because) == ("hidden", ("a", "b"), "a and b are hidden")


def test_mistakes() -> None:
    scene = Scene({"crowd": Sphere([[0, 0, 0], [9, 0, 0]], 1), "ball": Sphere([0, 0, 0], 1)})
    with pytest.raises(ValueError, match=r"'crowd' is a batch of 2 elements; name one of them, such as 'crowd\[0\]'"):
        why(scene, "ball", "crowd")
    with pytest.raises(ValueError, match="two different shapes, got 'ball' and 'ball', which are the same"):
        why(scene, "ball", "ball")
    with pytest.raises(KeyError, match="there is no shape named 'bal' in the scene"):
        why(scene, "bal", "ball")
    with pytest.raises(ValueError, match="why: margin must be zero or more and finite, got -1"):
        why(scene, "crowd[0]", "ball", margin=-1)
    with pytest.raises(ValueError, match="candidate_pairs: margin must be zero or more"):
        candidate_pairs(scene, margin=np.inf)


def test_an_empty_scene_keeps_no_pairs() -> None:
    assert candidate_pairs(Scene()).shape == (0, 2)


@pytest.mark.parametrize("margin", [0.0, 0.7])
def test_contacts_of_one_are_those_of_all_that_it_has_a_part_in(margin: float) -> None:
    scene = random_scene(3).moved("balls[3]", [0.3, 0, 0])
    whole = scene.contacts(margin=margin)
    for name in (*scene, "balls[3]", "balls[4]"):
        own = scene.contacts(margin=margin, of=name)
        rows = np.isin(whole.pairs, list(scene.element_numbers(name))).any(axis=1)
        assert np.array_equal(own.pairs, whole.pairs[rows])
        assert np.array_equal(own.signed_distance, whole.signed_distance[rows])
        assert np.array_equal(own.normal, whole.normal[rows])
    assert len(scene.contacts(margin=margin, of="balls[4]")) == 0  # it is hidden
    with pytest.raises(KeyError, match="'nobody'"):
        scene.contacts(of="nobody")
