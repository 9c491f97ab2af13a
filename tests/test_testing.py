"""Assertions on scenes: what passes, and what those say that do not."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import collision.testing
from collision import AABB, Capsule, Expectation, Motion, Scene, Sphere, judge
from collision.scenefile import SceneFileError, save_scene
from collision.testing import (
    BrokenPromiseError,
    SceneLike,
    assert_apart,
    assert_collides,
    assert_expectations,
    assert_touches,
    describe,
)

CELL = {
    "arm": Capsule([0, 0, 0], [0, 0, 2], 0.5),
    "crate": Sphere([0.875, 0, 1], 0.5),
    "far": Sphere([9, 0, 0], 1),
    "table": AABB([-3, -3, -1], [3, 3, -0.5]),
}
SLIDE = Scene(
    {"ball": Sphere([0, 0, 0], 1), "wall": AABB([4, -1, -1], [5, 1, 1])},
    motion=[Motion("ball", times=[0, 2], offsets=[[0, 0, 0], [4, 0, 0]])],
)


GROUPS = Scene(CELL, name_groups={"robot": ["arm", "cr*"]})

#: What holds: an assertion, its scene and names, and its numbers.
HOLDING: dict[str, tuple[Callable[..., None], SceneLike, list[str], dict[str, Any]]] = {
    "two collide": (assert_collides, CELL, ["arm", "crate"], {}),
    "so deep, that way": (assert_collides, CELL, ["arm", "crate"], {"depth": (0.1, 0.2), "normal": [1, 0, 0]}),
    "one is apart from all": (assert_apart, CELL, ["far"], {"clearance": 4}),
    "two are apart": (assert_apart, CELL, ["far", "arm"], {"clearance": 7.5}),
    "two touch, that way": (assert_touches, CELL, ["arm", "table"], {"normal": [0, 0, -1]}),
    "two nearly touch": (assert_touches, CELL, ["arm", "crate"], {"off": 0.2}),
    "a tolerance is allowed for": (assert_apart, CELL, ["arm", "crate"], {"tolerance": 0.125}),
    "groups and patterns": (assert_apart, GROUPS, ["robot", "f*"], {"clearance": 6}),
    "at some time": (assert_collides, SLIDE, ["ball", "wall"], {}),
    "at a time": (assert_apart, SLIDE, ["ball", "wall"], {"at": 1}),
    "during a time": (assert_apart, SLIDE, ["ball", "wall"], {"during": (0, 1.25), "clearance": 0.5}),
    "all of a time": (assert_collides, SLIDE, ["ball", "wall"], {"during": (1.5, 2), "when": "always"}),
}


@pytest.mark.parametrize("name", HOLDING)
def test_what_holds_passes_and_that_it_never_does_fails(name: str) -> None:
    check, scene, names, numbers = HOLDING[name]
    check(scene, *names, **numbers)
    with pytest.raises(BrokenPromiseError):
        check(scene, *names, **numbers | {"when": "never"})


@pytest.mark.parametrize(
    ("name", "beyond"),
    [
        ("so deep, that way", {"depth": 0.12}),
        ("so deep, that way", {"normal": [0, 1, 0]}),
        ("one is apart from all", {"clearance": 6}),
        ("two are apart", {"clearance": 7.6}),
        ("two touch, that way", {"normal": [0, 0, 1]}),
        ("two nearly touch", {"off": 0.12}),
        ("a tolerance is allowed for", {"tolerance": 0.12}),
        ("groups and patterns", {"clearance": 8}),
        ("at a time", {"at": 2}),
        ("during a time", {"during": (0, 1.5)}),
        ("all of a time", {"during": (1.25, 2)}),
    ],
)
def test_what_is_beyond_its_numbers_fails(name: str, beyond: dict[str, Any]) -> None:
    check, scene, names, numbers = HOLDING[name]
    with pytest.raises(BrokenPromiseError):
        check(scene, *names, **numbers | beyond)


def test_a_broken_one_says_what_was_expected_what_is_and_what_would_mend_it() -> None:
    with pytest.raises(AssertionError) as found:
        assert_apart(CELL, "arm", "crate", clearance=0.25)
    assert str(found.value).splitlines() == [
        "arm and crate at least 0.25 apart",
        "  actual    arm and crate overlap by 0.125",
        "  mend      move crate by [0.375, 0, 0]: 0.375 far",
    ]


def test_digits_are_as_many_as_tell_a_distance_from_what_was_asked_for_and_no_more() -> None:
    near = {"a": Sphere([0, 0, 0], 1), "b": Sphere([1.9, 0, 0], 1)}
    with pytest.raises(AssertionError, match=r"a and b overlap by 0\.1\n"):
        assert_apart(near, "a", "b", clearance=0.1)
    with pytest.raises(AssertionError, match=r"a and b are 0\.0999999\d+ apart\n"):
        assert_apart(near | {"b": Sphere([2.09999999, 0, 0], 1)}, "a", "b", clearance=0.1)


def test_digits_are_as_many_as_tell_where_a_ray_hits_from_where_it_should() -> None:
    aim = Expectation("ray", b="a", origin=[-4, 0, 0], direction=[1, 0, 0], distance=3.0000001)
    with pytest.raises(AssertionError, match=r"it hits a at 3$"):
        assert_expectations(Scene({"a": Sphere([0, 0, 0], 1)}, expectations=[aim]))
    with pytest.raises(AssertionError, match=r"it hits a at 3\.0000002$"):
        assert_expectations(Scene({"a": Sphere([0.0000002, 0, 0], 1)}, expectations=[aim]))


def test_the_move_that_is_told_mends_it() -> None:
    with pytest.raises(BrokenPromiseError) as found:
        assert_apart(CELL, "arm", "crate", clearance=0.25)
    (verdict,) = found.value.judgement.verdicts
    assert verdict.move is not None
    assert_apart(CELL | {"crate": CELL["crate"].translated(verdict.move)}, "arm", "crate", clearance=0.25)


def test_over_all_the_worst_is_told_and_further_ones_are_named() -> None:
    with pytest.raises(AssertionError) as found:
        assert_apart(CELL)
    first, actual, *_, also = str(found.value).splitlines()
    assert first == "all shapes do not touch"
    assert actual == "  actual    arm and crate overlap by 0.125, and 1 more pair"
    assert also == "  also      arm and table touch"


def test_a_message_names_groups_and_times() -> None:
    with pytest.raises(AssertionError, match="robot and t"):
        assert_apart(GROUPS, "robot", "table")
    with pytest.raises(AssertionError, match=r"(?s)at no time|do not touch.*at  *2 s"):
        assert_apart(SLIDE, "ball", "wall")


def test_promises_of_a_scene_and_of_a_file(tmp_path: Path) -> None:
    scene = Scene(CELL, expectations=[Expectation("collide", "arm", "crate"), Expectation("touch", "arm", "table")])
    save_scene(scene, tmp_path / "cell.toml")
    assert assert_expectations(tmp_path / "cell.toml") == judge(scene)
    broken = scene.replaced(expectations=[Expectation("apart", "arm", "crate", reason="people reach in here")])
    with pytest.raises(AssertionError) as found:
        assert_expectations(broken)
    text = str(found.value)
    assert "  because   people reach in here" in text
    assert "nothing else collides" in text
    assert_expectations(broken, only="nothing-else", tolerance=1)


def test_nothing_promised_and_nothing_tested_are_not_green() -> None:
    with pytest.raises(AssertionError, match="nothing is promised"):
        assert_expectations(Scene(CELL))
    with pytest.raises(AssertionError, match="no pair"):
        assert_apart({"alone": CELL["arm"]})
    with pytest.raises(AssertionError, match="ignores all pairs"):
        assert_apart(Scene(CELL, ignored=[("arm", "crate")]), "arm", "crate")


def test_mistakes_are_no_failures(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"^there is no shape and no group named 'crat'; did you mean 'crate'\?"):
        assert_apart(CELL, "crat", "arm")
    with pytest.raises(ValueError, match="clearance must be zero or more"):
        assert_apart(CELL, clearance=-1)
    with pytest.raises(SceneFileError, match="no such file"):
        assert_apart(tmp_path / "none.toml")
    with pytest.raises(TypeError, match="expected a Scene, shapes by name or the path"):
        assert_apart(3)  # type: ignore[arg-type]


def test_all_that_raises_is_hidden_from_tracebacks() -> None:
    for name in ("assert_apart", "assert_collides", "assert_touches", "assert_expectations", "_assert", "_judged"):
        assert "__tracebackhide__ = True" in inspect.getsource(getattr(collision.testing, name)), name


def test_the_first_name_of_a_description_still_holds() -> None:
    assert collision.testing.told is describe


def test_of_many_broken_pairs_a_few_are_named_and_the_others_counted() -> None:
    heap = {"heap": Sphere([[0.0, 0.0, 0.1 * k] for k in range(6)], 1)}
    with pytest.raises(BrokenPromiseError) as found:
        assert_apart(heap)
    lines = describe(found.value.judgement).splitlines()
    assert sum(line.startswith("  also") for line in lines) == 4
    assert lines[-1] == "  also      11 more pairs"
