"""Tests that are written by the program: they run, state what holds, and can be made small."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from collision import (
    AABB,
    Capsule,
    Expectation,
    HalfSpace,
    Line,
    Motion,
    OrientedBox,
    Point,
    Ray,
    Scene,
    Segment,
    Sphere,
    judge,
)
from collision.scenefile import save_scene
from collision.testing import BrokenPromiseError, reduced, shrunk, snippet
from viewer.cli import ExitCode, main
from viewer.files.loading import load
from viewer.session import Session
from viewer.session.requests import CopyText

TILT = [0.1, -0.3, 0.2, 0.9]
KINDS = {
    "point": Point([0.1, 0.2, 0.3]),
    "segment": Segment([0.1, 0, 0], [0, 1 / 3, 0.7]),
    "ray": Ray([0, 0, 0.1], [1, 2, 3]),
    "line": Line([0.3, 0, 0], [1, 0, 1]),
    "sphere": Sphere([0.1, 1 / 3, 0], 0.7),
    "capsule": Capsule([0, 0, 0], [0.3, 1 / 7, 0], 0.25),
    "aabb": AABB([-0.1, -1 / 3, 0], [0.5, 0.25, 1]),
    "box": OrientedBox([0.1, 0, 0.2], TILT, [1, 0.5, 1 / 3]),
    "floor": HalfSpace([0, 0, 0.1], [0.1, 0.2, 1]),
}
SLIDE = Scene(
    {"balls": Sphere([[0, 0, 0], [0, 5, 0]], 1), "wall": AABB([4, -1, -1], [5, 1, 1])},
    motion=[
        Motion("balls", times=[0, 1, 2], rotations=[[0, 0, 0, 1], [0, 0, 0.1, 1], [0, 0, 0, 1]]),
        Motion("balls[0]", times=[0, 2], offsets=[[0, 0, 0], [4.125, 0, 0]]),
    ],
)


def run(text: str) -> dict[str, Any]:
    """Run the tests in a text, each of which must pass; return its names."""
    names: dict[str, Any] = {}
    exec(compile(text, "snippet", "exec"), names)
    tests = [value for name, value in names.items() if name.startswith("test_")]
    assert tests
    for test in tests:
        test()
    return names


def scene_in(text: str) -> Scene:
    """Return the scene that the test in a text makes."""
    names: dict[str, Any] = {}
    body = text.replace("    scene = Scene(", "    global scene\n    scene = Scene(")
    exec(compile(body, "snippet", "exec"), names)
    next(value for name, value in names.items() if name.startswith("test_"))()
    found: Scene = names["scene"]
    return found


# -- what is written ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("other", KINDS)
def test_a_test_of_each_kind_passes_and_has_its_shapes_to_the_last_bit(other: str) -> None:
    for offset in ([0.0, 0.0, 0.0], [0.05, 0.1, -4.0 / 3.0], [2.5, -3.0, 1.0]):
        shapes = {"far sphere": Sphere(offset, 0.9), other: KINDS[other]}
        assert scene_in(snippet(Scene(shapes), "far sphere", other)) == Scene(shapes)


def test_numbers_are_rounded_outwards() -> None:
    balls = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([1.0003, 0, 0], 1), "c": Sphere([0, 9.0128, 0], 1)})
    assert 'assert_collides(scene, "a", "b", depth=(0.999, 1.0))' in snippet(balls)
    assert 'assert_apart(scene, "a", "c", clearance=7.01)' in snippet(balls, "a", "c")
    moved = snippet(balls, "a", "b").replace("1.0003", "1.5")
    with pytest.raises(BrokenPromiseError):
        run(moved)


def test_only_what_matters_is_written_and_elements_have_names_of_their_own() -> None:
    crowd = Scene({"crowd": Sphere(np.arange(60).reshape(20, 3) * 1.0, 0.1), "it's": Sphere([3, 4, 5.05], 0.125)})
    text = snippet(crowd)
    assert text.count("Sphere(") == 2
    assert '"crowd 1": ' in text
    assert "def test_crowd_1_and_it_s():" in text
    run(text)


def test_without_a_pair_that_collides_it_is_about_the_nearest_two() -> None:
    apart = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([9, 0, 0], 1), "c": Sphere([4, 0, 0], 1)})
    assert 'assert_apart(scene, "a", "c", clearance=2.0)' in snippet(apart)
    with pytest.raises(ValueError, match="no two shapes"):
        snippet(Scene({"a": Sphere([0, 0, 0], 1)}))


def test_a_moving_scene_is_taken_at_a_time_or_with_its_motion() -> None:
    assert 'assert_apart(scene, "balls 0", "wall", clearance=3.0)' in snippet(SLIDE, "balls[0]", "wall")
    later = snippet(SLIDE, "balls[0]", "wall", at=2)
    assert 'assert_collides(scene, "balls 0", "wall", depth=(1.12, 1.13))' in later
    assert "Motion" not in later
    whole = snippet(SLIDE, "balls[0]", "wall", moving=True)
    assert whole.count("Motion(") == 2
    run(whole)
    part = snippet(SLIDE, "balls[0]", "wall", during=(0, 0.5))
    assert "during=(0.0, 0.5)" in part
    assert "assert_apart" in part
    run(part)


def test_shapes_that_are_taken_out_move_as_they_did() -> None:
    alone = reduced(SLIDE, ["balls[1]", "wall"])
    for time in np.linspace(0, 2, 9):
        assert alone.at(time)["balls 1"] == SLIDE.at(time)["balls[1]"]


@pytest.mark.parametrize("name", ["first", "robot_arm", "knot"])
def test_the_snippets_of_examples_pass(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["snippet", name]) == ExitCode.FINE
    run(capsys.readouterr().out)


# -- made small --------------------------------------------------------------------------------------------------------


def field_of_shapes() -> Scene:
    """Return 1,000 shapes, of which two are too near to each other."""
    rng = np.random.default_rng(1)
    shapes: dict[str, Any] = {}
    for k in range(1000):
        center = rng.uniform(-1, 1, 3) + np.array([k % 10, k // 10 % 10, k // 100]) * 5
        shapes[f"s{k}"] = (
            Sphere(center, rng.uniform(0.3, 0.9)),
            Capsule(center, center + rng.uniform(-0.3, 0.3, 3), rng.uniform(0.2, 0.5)),
            OrientedBox(center, rng.normal(size=4), rng.uniform(0.2, 0.6, 3)),
            AABB(center - rng.uniform(0.2, 0.6, 3), center + rng.uniform(0.2, 0.6, 3)),
        )[k % 4]
    shapes["s503"] = shapes["s503"].translated(shapes["s702"].center - shapes["s503"].corners()[0] - 0.2)
    return Scene(shapes, expectations=[Expectation("apart", "s*", "s*", clearance=0.01, id="room")])


def breaks_room(scene: Scene) -> bool:
    found = {verdict.id: verdict for verdict in judge(scene).verdicts}
    return "room" in found and not found["room"].ok and found["room"].values.get("depth", 0.0) > 0.1


def test_of_a_thousand_shapes_two_with_short_numbers_are_left_that_break_alike() -> None:
    scene, tried = field_of_shapes(), list[int]()
    small = shrunk(scene, breaks_room, progress=lambda _, count: tried.append(count))
    assert list(small) == ["s503", "s702"]
    assert breaks_room(small)
    numbers = np.concatenate([value.ravel() for shape in small.shapes.values() for value in shape.values().values()])
    assert max(len(repr(abs(number))) for number in numbers.tolist()) <= 4
    assert tried[-1] < 200
    assert shrunk(scene, breaks_room) == small


def test_what_is_not_needed_goes_and_what_is_stays() -> None:
    crowd = Sphere(np.arange(36).reshape(12, 3) * 1.0, 0.1)
    scene = Scene(
        {"crowd": crowd, "box": OrientedBox([9, 10, 11], TILT, [0.3, 0.3, 0.3])},
        motion=[Motion("crowd", times=[0, 1, 2], offsets=[[0, 0, 0], [0, 0.25, 0], [0, 0, 0]])],
        title="Much",
        ignored=[("crowd", "crowd")],
    )
    small = shrunk(scene, lambda scene: len(scene.colliding_pairs()) == 1)
    assert [shape.batch_shape for shape in small.shapes.values()] == [(), ()]
    assert (small.motion, small.title, small.ignored) == ((), "", ())
    assert np.array_equal(small["box"].values()["axes"], np.eye(3))
    moving = shrunk(scene, lambda scene: bool(scene.span) and scene.at(1)["crowd"].center[..., 1].max() > 33)
    assert [len(motion.times) for motion in moving.motion] == [2]


def test_directions_and_rotations_are_written_with_few_digits(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tilted = {"plane": HalfSpace([1, 0.2, 0.1], [0.3, 0.11, 0.95]), "rod": Ray([0.2, 0.1, 3], [0.123, 0.321, -0.9])}
    boxes = {"box": OrientedBox([0.1, 0, 0], TILT, [1, 0.2, 0.1]), "ball": Sphere([0.7, 0.6, 0.3], 0.3)}
    turning = Motion("box", times=[0, 1], rotations=[[0.1, 0.2, 0.3, 0.9], [0.3, 0.1, 0.2, 0.7]])
    for scene in (Scene(tilted), Scene(boxes), Scene(boxes, motion=[turning])):
        save_scene(scene, tmp_path / "scene.toml")
        during = ["--during", "all"] if scene.motion else []
        assert main(["snippet", str(tmp_path / "scene.toml"), *scene.shapes, *during, "--shrink"]) == 0
        text = capsys.readouterr().out
        assert max(map(len, re.findall(r"\d+\.\d+", text))) <= 6, text
        run(text)


def test_what_touches_a_slope_touches_a_floor(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["snippet", "slope", "--shrink"]) == 0
    text = capsys.readouterr().out
    assert "HalfSpace(point=[0.0, 0.0, -0.7], normal=[0.0, 0.0, 1.0])" in text
    run(text)


def test_work_is_bounded_and_what_does_not_show_it_is_refused() -> None:
    tried: list[int] = []
    shrunk(field_of_shapes(), breaks_room, most=10, progress=lambda _, count: tried.append(count))
    assert len(tried) == 10
    with pytest.raises(ValueError, match="does not show"):
        shrunk(Scene(), breaks_room)


def test_the_command_makes_a_broken_promise_and_a_pair_small(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "row.toml"
    balls = "\n".join(
        f'[shapes.b{k}]\nkind = "sphere"\ncenter = [{k * 1.61803}, 0.1, 0]\nradius = {0.9 if k in (4, 5) else 0.7}'
        for k in range(9)
    )
    path.write_text(f'{balls}\n[[expect]]\napart = ["b*", "b*"]\n', encoding="utf-8")
    assert main(["snippet", str(path), "--shrink"]) == ExitCode.FINE
    text = capsys.readouterr().out
    assert '"""Made of row.toml, where this does not hold: b* and b* do not touch."""' in text
    assert sorted(scene_in(text)) == ["b4", "b5"]
    assert main(["snippet", "robot_arm", "forearm tip", "wall", "--during", "all", "--shrink"]) == ExitCode.FINE
    text = capsys.readouterr().out
    found = scene_in(text)
    assert found.span
    assert sum(len(motion.times) for motion in found.motion) < 8


# -- the window --------------------------------------------------------------------------------------------------------


def test_a_key_of_the_window_copies_what_is_selected_as_a_test() -> None:
    session = Session(load("first"))
    session.key("c", ctrl=True, shift=True)
    session.select("ball")
    session.select("step", add=True)
    session.key("c", ctrl=True, shift=True)
    copied = [request.text for request in session.dialog.take_requests() if isinstance(request, CopyText)]
    assert "def test_pairs():" in copied[0]
    assert "def test_ball_and_step():" in copied[1]
    for text in copied:
        run(text)
