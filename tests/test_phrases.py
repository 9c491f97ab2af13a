"""Phrases of keys, such as ``g x 1.5 Enter``: what is part of them, what is none, and what they say meanwhile."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from collision import Capsule, OrientedBox, Sphere
from collision.scenefile import load_scene
from tests.helpers import AXES, SIZE, free_key, type_keys
from tests.test_handling import SCENE
from viewer.picture.present import present
from viewer.session import Session
from viewer.session.commands import BINDINGS


@pytest.fixture
def session() -> Session:
    return Session(SCENE, size=SIZE)


def test_without_a_selection_a_phrase_is_refused_as_a_whole(session: Session) -> None:
    camera = session.viewport.camera
    for phrase, mode in (("g x 1", "translate"), ("r z 9 0", "rotate"), ("s 2", "size"), ("g Tab y", "translate")):
        for end in ("Return", "Escape"):
            *keys, last = phrase.split()
            type_keys(session, *keys, last)
            assert session.notice == "select a shape first"
            assert session.manipulation.tool.mode == mode
            type_keys(session, end)
            assert session.notice == ""
            assert (session.viewport.camera, session.resting, session.selected) == (camera, SCENE, ())
    type_keys(session, "g", "n")
    assert not session.settings.toggles.labels
    assert session.notice == ""
    type_keys(session, "x")
    assert session.viewport.camera != camera


# -- in the middle of a number -----------------------------------------------------------------------------------------


def test_a_number_is_not_begun_by_a_mode(session: Session) -> None:
    session.select("ball")
    type_keys(session, "g", "n")
    assert session.pending
    assert not session.settings.toggles.labels


def test_letters_that_are_typed_for_a_number_are_no_commands(session: Session) -> None:
    session.select("ball")
    seen = session.settings.toggles, session.viewport, session.selected
    type_keys(session, "g", "x", *"abcehqw", "space")
    assert session.notice == "a number comes next: Enter is the end of it, Esc drops it"
    type_keys(session, "1", *"abc")
    assert session.notice == "a number is being typed: Enter takes it, Esc drops it"
    type_keys(session, "BackSpace", *"abc")
    assert (session.settings.toggles, session.viewport, session.selected) == seen
    assert (session.prompt, session.closed, session.pending) == (None, False, True)
    type_keys(session, "2", "Return")
    assert session.scene["ball"].values()["center"].tolist() == [2, 0, 0]
    type_keys(session, "g", "x")
    session.key("h", ctrl=True)
    assert session.document.hidden == {"ball"}


def test_in_the_middle_of_a_number_keys_that_are_no_part_of_it_do_nothing() -> None:
    part = {
        "x",
        "y",
        "z",
        "shift+x",
        "shift+y",
        "shift+z",
        "e",
        "shift+e",
        "tab",
        "shift+tab",
        "backspace",
        "escape",
        "return",
        "enter",
        "delete",
    }
    part |= {f"{held}{key}" for key in ("minus", "subtract", "period", "comma", *"1234") for held in ("", "shift+")}
    swallowed = [key for key, row in BINDINGS.items() if key not in part - {"delete"} and not row.while_typing]
    assert {"q", "a", "space", "plus", "f2", "ctrl+a", "up", "home", "delete", "h", "g"} <= set(swallowed)
    for key in (*swallowed, "slash", free_key(), "asterisk"):
        session = Session(SCENE, size=SIZE)
        session.select("ball")
        type_keys(session, "g", "x", "1")
        seen = (
            session.viewport,
            session.settings.toggles,
            session.settings.margin,
            session.settings.theme,
            session.manipulation.tool.axes,
            session.manipulation.tool.snapping,
        )
        *held, symbol = key.split("+")
        assert session.key(symbol, text="é" if symbol == "eacute" else "", **dict.fromkeys(held, True)), key
        assert session.notice == "a number is being typed: Enter takes it, Esc drops it", key
        assert session.prompt is None
        assert not session.closed
        assert session.manipulation.tool.status == ("move along x", "x\t1\N{LEFT ONE QUARTER BLOCK}"), key
        after = (
            session.viewport,
            session.settings.toggles,
            session.settings.margin,
            session.settings.theme,
            session.manipulation.tool.axes,
            session.manipulation.tool.snapping,
        )
        assert after == seen, key
        type_keys(session, "5", "Return")
        assert session.notice == ""
        assert session.scene["ball"].values()["center"].tolist() == [15, 0, 0], key


def test_what_types_nothing_is_not_minded_in_the_middle_of_a_number(session: Session) -> None:
    session.select("ball")
    type_keys(session, "g", "x", "1")
    for symbol in ("Shift_L", "Control_L", "Caps_Lock", "F5"):
        assert not session.key(symbol)
        assert session.notice == ""


def test_saving_in_the_middle_of_a_number_takes_it_first(session: Session, tmp_path: Path) -> None:
    file = tmp_path / "scene.toml"
    session.file.save_as(file)
    session.select("ball")
    type_keys(session, "g", "x", "1")
    session.key("s", ctrl=True)
    assert session.notice == "saved scene.toml"
    assert not session.pending
    assert not session.file.dirty
    assert session.document.undoable
    assert load_scene(file)["ball"] == Sphere([1, 0, 0], 1) == session.scene["ball"]
    type_keys(session, "g", "x", "1")
    session.key("S", ctrl=True, shift=True)
    assert session.prompt is not None
    session.dialog.dismiss()
    assert session.scene["ball"] == Sphere([2, 0, 0], 1)


@pytest.mark.parametrize("close", ["ctrl+q", "ctrl+w", "window"])
def test_closing_in_the_middle_of_a_number_asks_as_for_any_change(session: Session, tmp_path: Path, close: str) -> None:
    session.file.save_as(tmp_path / "scene.toml")
    session.select("ball")
    type_keys(session, "g", "x", "1")
    if close == "window":
        session.dialog.ask_close()
    else:
        session.key(close[-1], ctrl=True)
    assert not session.closed
    assert session.prompt is not None
    assert session.prompt.title == "scene.toml has unsaved changes"
    session.key("s")
    assert session.closed
    assert load_scene(tmp_path / "scene.toml")["ball"] == Sphere([1, 0, 0], 1)


def test_closing_before_a_number_is_begun_drops_nothing(session: Session, tmp_path: Path) -> None:
    session.file.save_as(tmp_path / "scene.toml")
    session.select("ball")
    type_keys(session, "g", "q")
    assert session.closed


def test_an_aabb_is_made_one_that_turns_in_the_middle_of_an_angle(session: Session) -> None:
    session.select("crate")
    type_keys(session, "r", "z", "9", "0")
    session.key("O", shift=True)
    assert isinstance(session.scene["crate"], OrientedBox)
    assert session.pending


# -- the axes of a phrase ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", ["Escape", "Return"])
@pytest.mark.parametrize("own", ["world", "local"])
def test_the_other_axes_of_a_phrase_last_no_longer_than_it(session: Session, own: str, end: str) -> None:
    session.select("box")
    session.manipulation.tool.set_axes(own)  # type: ignore[arg-type]
    type_keys(session, "g", "x", "2", "x")
    assert session.manipulation.tool.axes != own
    assert session.manipulation.tool.status[1] == "x\t2\N{LEFT ONE QUARTER BLOCK}"
    along = AXES[:, 0] if own == "world" else np.array([1, 0, 0])
    assert session.scene["box"].values()["center"] == pytest.approx(np.array([7, 0, 0]) + 2 * along)
    type_keys(session, "x", "x", end)
    assert session.manipulation.tool.axes == own
    moved = session.scene["box"].values()["center"] - [7, 0, 0]
    assert moved == pytest.approx(2 * along if end == "Return" else [0, 0, 0])


def test_axes_that_are_asked_for_within_a_phrase_stay(session: Session) -> None:
    session.select("box")
    type_keys(session, "g", "e", "x", "Escape")
    assert session.manipulation.tool.axes == "local"


def test_a_number_is_kept_for_another_axis_of_each_mode(session: Session) -> None:
    session.select("crate")
    type_keys(session, "r", "9", "0", "x", "y", "Return")
    assert session.scene["crate"].bounds().upper == pytest.approx([4, 1, 1])
    type_keys(session, "s", "5", "y", "Return")
    assert session.scene["crate"].values()["upper"][1] - 1 == pytest.approx(3)
    session.undo()
    type_keys(session, "g", "1", "Tab", "2")
    session.key("Z", shift=True)
    assert session.manipulation.tool.status == ("move in xy", "x\t1", "y\t2\N{LEFT ONE QUARTER BLOCK}")


# -- what the sizes say, and what is too large -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "rows"),
    [
        ("ball", ("size", "radius\t1", "radius: a number and Enter")),
        ("arm", ("size", "radius\t0.4", "length\t2", "radius: a number and Enter; Tab: length")),
        ("edge", ("size", "length\t2.2361", "length: a number and Enter")),
        ("crate", ("size", "x\t2", "y\t2", "z\t2", "x y z: an axis; then a number and Enter")),
        ("crowd", ("scale", "factor\t1", "factor: a number and Enter")),
        ("ball box", ("scale", "factor\t1", "factor: a number and Enter")),
    ],
)
def test_the_sizes_that_there_are_stand_in_the_status(session: Session, names: str, rows: tuple[str, ...]) -> None:
    session.select_many(names.split())
    type_keys(session, "s")
    assert session.manipulation.tool.status == rows
    if "crate" not in names:
        type_keys(session, "x")
        own = ", ".join(row.partition("\t")[0] for row in rows[1:-1])
        assert session.manipulation.tool.status == (*rows, f"there is no size 'x' here, but {own}")


def test_the_status_says_which_size_is_typed_next(session: Session) -> None:
    session.select("arm")
    type_keys(session, "s", "Tab")
    assert session.manipulation.tool.status[-1] == "length: a number and Enter; Tab: radius"
    type_keys(session, "3")
    assert session.manipulation.tool.status == ("size", "radius\t0.4", "length\t3\N{LEFT ONE QUARTER BLOCK}")
    type_keys(session, "Return")
    assert session.scene["arm"] == Capsule([-4, 0, -0.5], [-4, 0, 2.5], 0.4)


@pytest.mark.parametrize("phrase", ["g", "g x", "g x x", "r", "r z", "r z z", "s"])
@pytest.mark.parametrize("power", ["71", "200", "400"])
def test_numbers_beyond_all_lengths_are_refused_in_a_sentence(session: Session, phrase: str, power: str) -> None:
    session.select("arm")
    type_keys(session, *phrase.split(), "1", "e", *power)
    assert session.manipulation.tool.status[-1] == "numbers go up to 1e70"
    assert session.scene is SCENE
    present(session)
    type_keys(session, "Return")
    assert session.scene is SCENE
    assert not session.document.undoable


@pytest.mark.parametrize("radius", [1e39, 1e70, 1e72])
def test_the_camera_survives_whatever_is_framed(radius: float) -> None:
    session = Session(SCENE, size=SIZE)
    session.change(SCENE.with_shape("ball", Sphere([0, 0, 0], radius)))
    session.select("ball")
    session.view.frame_selection()
    assert np.isfinite(session.viewport.right).all()
    assert np.linalg.norm(session.viewport.up) == pytest.approx(1.0)
    session.undo()
    session.view.frame_all()
    pixels, _ = session.viewport.project([[0, 0, 0], [7, 0, 0], [8, 10, 0]])
    assert ((pixels > 0) & (pixels < SIZE)).all()


# -- numbers that will not do ------------------------------------------------------------------------------------------


def test_a_number_that_is_refused_stays_until_it_is_another_or_dropped(session: Session) -> None:
    session.select("ball")
    type_keys(session, "s", "minus", "1", "Return")
    assert any("radius must be zero or more" in line for line in session.manipulation.tool.status)
    assert session.pending
    type_keys(session, "minus", "Return")
    ball = session.scene["ball"]
    assert isinstance(ball, Sphere)
    assert ball.radius == 1.0
    assert not session.pending


@pytest.mark.parametrize("last", ["Tab", "ISO_Left_Tab"])
def test_tab_after_the_only_angle_is_no_part_of_it(session: Session, last: str) -> None:
    session.select("box")
    type_keys(session, "r", "z", "9", "0", last, "4", "5")
    assert session.notice == "there is only one number to type: Enter takes it, Esc drops it"
    assert session.manipulation.tool.status[1] == "angle\t90\N{LEFT ONE QUARTER BLOCK}°"
    type_keys(session, "BackSpace", "1")  # goes on with it
    assert session.notice == ""
    assert session.manipulation.tool.status[1] == "angle\t91\N{LEFT ONE QUARTER BLOCK}°"


def test_tab_after_the_only_number_does_not_run_into_the_next_digits(session: Session) -> None:
    session.select("ball")
    type_keys(session, "s", "3", "Tab")
    assert session.notice == "there is only one number to type: Enter takes it, Esc drops it"
    assert session.selected == ("ball",)
    for key in ("4", "5", "minus", "period", "e", "Tab"):  # it is still said when they have been typed
        type_keys(session, key)
        assert session.notice == "there is only one number to type: Enter takes it, Esc drops it"
    assert session.manipulation.tool.status[1] == "radius\t3\N{LEFT ONE QUARTER BLOCK}"
    type_keys(session, "Return")
    ball = session.scene["ball"]
    assert isinstance(ball, Sphere)
    assert ball.radius == 3.0
