"""Shapes that follow others: a function of the user's answers every change, and all of it is one step."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import viewer
from collision import AABB, Scene, Sphere
from viewer.camera.camera import Viewport
from viewer.files.loading import LoadError, read
from viewer.session import Session

FILE = '''
from collision import AABB, Scene, Sphere

def scene():
    return {"ball": Sphere([0, 0, 2], 0.5), "plate": AABB([-0.5, -0.5, 0], [0.5, 0.5, 0.1])}

def react(scene):
    """The plate stays below the ball, wherever it is."""
    x, y, z = scene["ball"].center
    if z < 1:
        raise ValueError("the ball cannot be lower")
    return scene.with_shape("plate", AABB([x - 0.5, y - 0.5, 0], [x + 0.5, y + 0.5, 0.1]))
'''


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "plate.py"
    path.write_text(FILE)
    return path


@pytest.fixture
def session(file: Path) -> Session:
    loaded = read(file)
    assert loaded.react is not None
    session = Session(loaded.scene, size=(800, 600), view="-y")
    session.react_with(loaded.react)
    return session


def middle(session: Session) -> list[float]:
    return [round(float(value), 9) for value in session.scene["plate"].bounds().center[:2]]


def pixel(session: Session) -> tuple[float, float]:
    view: Viewport = session.viewport
    x, y = view.project(session.scene["ball"].values()["center"])[0]
    return float(x), float(y)


def test_what_follows_a_drag_follows_every_move_and_is_one_step_with_it(session: Session) -> None:
    before = session.scene
    session.select("ball")
    x, y = pixel(session)
    assert session.press(x, y)
    places = []
    for step in (20, 40, 60):
        session.move(x + step, y)
        assert middle(session) == session.scene["ball"].values()["center"][:2].round(9).tolist()
        places.append(middle(session)[0])
    assert 0.0 < places[0] < places[1] < places[2]
    session.release(x + 60, y)
    assert middle(session)[0] == places[2]
    session.undo()
    assert session.scene == before
    assert not session.document.undoable
    session.redo()
    assert middle(session)[0] == places[2]


def test_a_drag_that_is_put_back_leaves_nothing(session: Session) -> None:
    before = session.scene
    session.select("ball")
    x, y = pixel(session)
    session.press(x, y)
    session.move(x + 50, y)
    assert session.scene != before
    session.cancel()
    assert session.scene == before
    assert not session.document.undoable


def test_other_changes_are_answered_too(session: Session) -> None:
    session.select("ball")
    session.move_selection([3, 1, 0])
    assert middle(session) == [3.0, 1.0]
    session.select("plate")
    session.move_selection([0, 0, 5])  # it is put back at once, so that nothing has changed
    assert middle(session) == [3.0, 1.0]
    session.undo()
    assert middle(session) == [0.0, 0.0]


def test_what_a_reaction_refuses_is_not_done_and_it_is_said_why(session: Session) -> None:
    session.select("ball")
    session.move_selection([0, 0, -1.5])
    assert session.scene["ball"] == Sphere([0, 0, 2], 0.5)
    assert "the ball cannot be lower" in session.notice
    x, y = pixel(session)
    session.press(x, y)
    session.move(x, y - 5)
    lower = session.scene
    session.move(x, y - 500)
    assert session.scene is lower
    session.release(x, y - 500)
    assert session.scene == lower


def test_what_a_reaction_returns_has_to_be_a_scene() -> None:
    session = Session(Scene({"ball": Sphere([0, 0, 0], 1)}))
    session.react_with(lambda scene: None)  # type: ignore[arg-type, return-value]
    session.select("ball")
    with pytest.raises(TypeError, match=r"^react must return a collision\.Scene, got NoneType$"):
        session.move_selection([1, 0, 0])


@pytest.mark.parametrize("show", [viewer.view, viewer.widget])
def test_what_is_no_function_cannot_react(show: Callable[..., object]) -> None:
    with pytest.raises(TypeError, match=r"^react must be a function react\(scene\), got int$"):
        show(Scene(), react=3)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("react = 3", r"plate\.py: react must be a function react\(scene\), got int"),
        ("def react(scene): return {}", r"plate\.py: react\(\): must return a collision\.Scene .*got dict"),
        ("def react(scene): return 1 / 0", r"plate\.py:14: ZeroDivisionError: division by zero"),
    ],
)
def test_mistakes_in_a_file_are_said_in_a_line(file: Path, text: str, said: str) -> None:
    file.write_text(f"{FILE}\n{text}\n")
    with pytest.raises(LoadError, match=said):
        read(file).react(Scene())  # type: ignore[misc]


def test_a_window_has_the_reaction_of_a_file_or_of_its_caller(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Any] = []
    monkeypatch.setattr("viewer.studio.app.run", lambda scene, react, **_: given.append(react))
    own = Scene({"ball": Sphere([5, 6, 7], 1), "plate": AABB([0, 0, 0], [1, 1, 1])})
    viewer.view(file)
    assert given[0](own)["plate"].bounds().center.round(9).tolist() == [5.0, 6.0, 0.05]
    viewer.view(file, react=given.copy)  # type: ignore[arg-type]
    viewer.view(own)
    assert given[1:] == [given.copy, None]
