"""One shape and a scene: what is far away, hidden, left out or asked wrongly."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from collision import (
    AABB,
    Point,
    Ray,
    Scene,
    Sphere,
    candidate_pairs,
    touching_intervals,
    why,
)
from collision.broadphase.hierarchy import SORT_THRESHOLD
from tests.test_world import make


def test_the_nearest_is_found_far_away_and_past_a_corner() -> None:
    """In the first box that is looked at there may be nothing, or something in a corner that is not the nearest."""
    rng = np.random.default_rng(6)
    points = rng.uniform(0, 10, (2 * SORT_THRESHOLD, 3))
    scene = Scene({"points": Point(points)})
    for place in rng.uniform(-10, 20, (100, 3)):
        found = scene.nearest(Point(place))
        assert found is not None
        assert found.element == int(np.argmin(np.linalg.norm(points - place, axis=1)))
    assert scene.nearest(Point([0, 0, 0]), without="points") is None


def test_the_shooter_leaves_itself_out() -> None:
    scene = Scene({"gun": Sphere([0, 0, 0], 1), "target": Sphere([5, 0, 0], 1)})
    ray = Ray([0, 0, 0], [1, 0, 0])
    assert scene.raycast(ray).name == "gun"
    assert scene.raycast(ray, without="gun").name == "target"
    assert scene.raycast(ray, without=["gun", "target"]).name == ""
    assert scene.nearest("gun", without="target") is None
    assert scene.nearest("gun", without=["gun"]).name == "target"  # it is none of its own neighbours anyway
    assert scene.raycast(ray).name == "gun"


def test_of_several_touches_at_once_the_first_in_the_scene_wins() -> None:
    wall = AABB([3, -5, -5], [4, 5, 5])
    for names in (("x", "y"), ("y", "x")):
        scene = Scene({names[0]: wall, names[1]: wall})
        assert scene.sweep(Sphere([0, 0, 0], 1), motion=[8, 0, 0]).name == names[0]


def test_extreme_motions_lose_nothing() -> None:
    scene = Scene(
        {"wall": AABB([1e6, -1, -1], [2e6, 1, 1]), **{f"far {i}": Point([0, 9.0, i]) for i in range(SORT_THRESHOLD)}}
    )
    assert scene.sweep(Point([0, 0, 0]), motion=[1e9, 0, 0]).name == "wall"
    for huge in (1e308, -1e308):
        scene.sweep(Point([huge, 0, 0]), motion=[huge, huge, 0])
        scene.nearest(Point([huge, huge, 0]))
        scene.contacts(of=Sphere([huge, 0, 0], 1e308), margin=1e308)


@pytest.mark.parametrize(
    ("ask", "error", "message"),
    [
        (
            lambda s: s.nearest_element(s["balls"]),
            ValueError,
            "takes a single shape, got a batch of 10",
        ),
        (lambda s: s.nearest_element("balls"), ValueError, r": 'balls' is a batch of 10 .* 'balls\[0\]'"),
        (lambda s: s.nearest("balls", k=0), ValueError, "^nearest: k must be at least one, got 0$"),
        (lambda s: s.nearest("balls", k=1.5), TypeError, "^nearest: k must be a whole number, got 1.5$"),
        (
            lambda s: s.sweep("balls", motion=np.ones((3, 3))),
            ValueError,
            r"broadcast together: shape \(10,\), motion \(3",
        ),
        (lambda s: s.contacts_with({}), TypeError, "^contacts_with takes a Scene, got dict$"),
        (lambda s: touching_intervals({}), TypeError, "^touching_intervals takes a Scene, got dict$"),
        (lambda s: why({}, "ball", "post"), TypeError, "^why takes a Scene, got dict$"),
        (lambda s: candidate_pairs({}), TypeError, "^candidate_pairs takes a Scene, got dict$"),
        (lambda s: s.raycast(Ray([0, 0, 0], [1, 0, 0]), any_hit="no"), TypeError, "any_hit must be .*, got 'no'$"),
        (lambda s: s.sweep("bal", motion=[1, 0, 0]), KeyError, "no shape named 'bal'"),
        (lambda s: s.sweep("ball", motion=[1, 0]), ValueError, r"^Scene\.sweep\.motion must be an array of shape"),
        (lambda s: s.contacts(of="bal"), KeyError, "no shape named 'bal'"),
        (lambda s: s.nearest("ball", without="bal"), KeyError, "no shape named 'bal'"),
        (lambda s: s.nearest("ball", without=3), TypeError, "^without must be a name or names, got int$"),
        (lambda s: s.raycast(Ray([0, 0, 0], [1, 0, 0]), without=["bal"]), KeyError, "no shape named 'bal'"),
    ],
)
def test_mistakes_are_named(ask: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        ask(make(30, 0))


def test_all_names_are_listed() -> None:
    scene = make(30, 0)
    assert list(scene.element_names) == [scene.element_name(e) for e in range(scene.element_count)]
    assert Scene().element_names == ()
    assert all(re.fullmatch(r"\w+(\[[\d,]+\])?", name) for name in scene.element_names)
