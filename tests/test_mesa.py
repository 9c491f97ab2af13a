"""Mesa compiles quickly for pictures and well for windows and movies, and what is drawn is the same."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import viewer
from collision import Motion, Scene, Sphere
from tests.test_gl import answer_with, success
from viewer.records.drawables import Panel, Row
from viewer.stage import gl, mesa
from viewer.stage.stage import Stage

SCENE = Scene({"ball": Sphere([0, 0, 0], 1)}, motion=[Motion("ball", times=[0, 1], offsets=[[0, 0, 0], [0, 0, 1]])])


@pytest.fixture(autouse=True)
def unset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(mesa.VARIABLE, "set, so that it is put back")
    monkeypatch.delenv(mesa.VARIABLE)


def seen_while_drawing(stage: Stage) -> list[str | None]:
    """Return what the variable is in frames of a stage, to which each of them adds."""
    seen: list[str | None] = []
    stage.plotter.renderer.AddObserver("StartEvent", lambda *_: seen.append(os.environ.get(mesa.VARIABLE)))
    return seen


def test_a_picture_is_compiled_quickly_and_the_environment_is_as_before() -> None:
    with Stage.offscreen((64, 64)) as stage:
        seen = seen_while_drawing(stage)
        stage.draw([Panel("upper-left", (Row("text"),))])
        stage.image()
    assert seen
    assert set(seen) == {"nopt"}
    assert mesa.VARIABLE not in os.environ


def test_an_error_while_drawing_leaves_the_environment_as_before() -> None:
    with pytest.raises(ZeroDivisionError), mesa.compiled_quickly():
        raise ZeroDivisionError
    assert mesa.VARIABLE not in os.environ


@pytest.mark.parametrize("value", ["", "no_quad_lod"])
def test_what_the_user_has_set_counts(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv(mesa.VARIABLE, value)
    with Stage.offscreen((64, 64)) as stage:
        seen = seen_while_drawing(stage)
        stage.render()
    assert set(seen) == {value}
    assert os.environ[mesa.VARIABLE] == value


def films() -> Stage:
    return Stage.offscreen((64, 64), film=True)


def large() -> Stage:
    return Stage.offscreen((1921, 1080))


def own() -> Stage:
    import pyvista as pv

    gl.ensure_offscreen()
    return Stage(pv.Plotter(off_screen=True, window_size=[64, 64]))


@pytest.mark.parametrize("kind", [films, large, own], ids=["a film", "a large picture", "a user's own plotter"])
def test_what_draws_much_is_compiled_well(kind: Callable[[], Stage]) -> None:
    with kind() as stage:
        seen = seen_while_drawing(stage)
        stage.render()
    assert seen
    assert set(seen) == {None}


def test_a_movie_is_a_film_and_a_picture_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[bool] = []
    monkeypatch.setattr("viewer.stage.compiled_quickly", lambda wanted: asked.append(wanted) or mesa.compiled_quickly())
    viewer.render(SCENE, size=(64, 64))
    viewer.render_motion(SCENE, tmp_path / "rise.gif", fps=1.0, size=(64, 64), progress=False)
    assert asked == [True, False, False]


def test_the_test_picture_is_compiled_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[dict[str, str]] = []
    answer_with(monkeypatch, lambda _, environment: given.append(environment) or success())
    gl.probe()
    monkeypatch.setenv(mesa.VARIABLE, "")
    gl.probe()
    assert [environment[mesa.VARIABLE] for environment in given] == ["nopt", ""]


_PICTURE = """
import sys, hashlib, viewer
print(hashlib.sha256(viewer.render("first", size=(320, 240)).tobytes()).hexdigest())
"""


def test_pictures_are_the_same_either_way() -> None:
    pictures = {
        value: subprocess.run(
            [sys.executable, "-c", _PICTURE],
            env=os.environ | {mesa.VARIABLE: value},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for value in ("", "nopt")
    }
    assert len(pictures[""]) == 65
    assert pictures[""] == pictures["nopt"]
