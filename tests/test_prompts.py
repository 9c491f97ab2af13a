"""Long lines in questions and notices: the cursor, and the place of an error, stay in sight."""

from __future__ import annotations

from pathlib import Path

import pytest

from collision import Scene, Sphere
from tests.helpers import chord, panel
from viewer.layout.page import Page
from viewer.layout.panels import place_panels
from viewer.picture.prompts import line_room
from viewer.records.events import Key, Timer
from viewer.records.sizes import unit_of
from viewer.records.text import around, breadth, without_carets
from viewer.session import Session
from viewer.stage.stage import Stage
from viewer.stage.text.fonts import Fonts
from viewer.studio.app import App

pytestmark = pytest.mark.usefixtures("undrawn")

SIZES = [(300, 200), (800, 600), (3840, 2160)]
PATH = "/home/somebody/" + "a_rather_long_folder_name/" * 12 + "scene.toml"


@pytest.mark.parametrize("size", SIZES)
def test_the_cursor_stays_in_sight(size: tuple[int, int]) -> None:
    session = Session(Scene({"a": Sphere([0, 0, 0], 1)}), size=size)
    room = line_room(session)
    session.dialog.ask_save_as()
    chord(session, "ctrl+BackSpace")
    for sign in PATH:
        session.key("x", text=sign)
    assert breadth(PATH) > room
    for _ in PATH:
        assert session.prompt is not None
        shown, at = panel(session, "center").rows[0].text, session.prompt.cursor
        assert breadth(shown) <= room
        before, _, after = shown.partition("|")
        assert PATH[:at].endswith(before.removeprefix("…"))
        assert PATH[at:].startswith(after.removesuffix("…"))
        assert len(before) >= min(at, 12)
        session.key("Left")
    session.key("End")
    assert panel(session, "center").rows[0].text.endswith("scene.toml|")


def test_a_suggested_path_shows_its_end() -> None:
    session = Session(Scene({"W" * 99 + " end": Sphere([0, 0, 0], 1)}), size=(300, 200))
    session.select("W" * 99 + " end")
    session.dialog.ask_rename()
    assert panel(session, "center").rows[0].text.endswith("WW end]")


def test_any_part_of_a_line_is_as_long_as_there_is_room() -> None:
    text = "abc/WWW/漢字/lll" * 3
    for at in range(len(text)):
        for room in (8.0, 12.0, 20.0):
            shown = around(text, at, room).strip("…")
            assert text[at] in shown
            assert shown in text
            assert breadth(shown) > room - 4 * breadth("W")


@pytest.mark.parametrize("size", SIZES)
def test_the_place_of_an_error_is_not_cut(size: tuple[int, int], tmp_path: Path) -> None:
    session = Session(Scene({"a": Sphere([0, 0, 0], 1)}), size=size)
    error = f"{PATH}:3:14: this is not valid TOML: Unclosed array\n    radius=[[[ 1\n                ^"
    session.say(error)
    unit = unit_of(size)
    page = Page(size, unit, unit * session.settings.theme.font_size, Fonts().width)
    drawn = place_panels([panel(session, "lower-right")], page)
    (notice,) = drawn.panels
    lines = [run.text for run in notice.runs]
    assert "".join("".join(lines).split()) == "".join(without_carets(error).split())
    assert "^" not in "".join(lines)


def test_no_text_is_drawn_wider_than_it_is_taken_for() -> None:
    for sign in map(chr, [*range(0x20, 0x7F), *range(0x391, 0x450), ord("…"), ord("—"), ord("漢")]):
        assert Fonts().width(20 * sign, 15, False) <= 15 * breadth(20 * sign), sign


def test_letters_that_wait_are_drawn_together(monkeypatch: pytest.MonkeyPatch) -> None:
    with Stage.offscreen((320, 240)) as stage:
        app = App(Session(Scene({"ball": Sphere([0, 0, 0], 1)}), size=(320, 240)), stage)
        frames, render = [0], stage.render
        monkeypatch.setattr(stage, "wake_in", lambda milliseconds: True)  # as a window does
        monkeypatch.setattr(stage, "render", lambda: (frames.append(1), render()))
        stage.send("key", Key("k", ctrl=True))
        before = sum(frames)
        for letter in "explain":
            stage.send("key", Key(letter, text=letter))
        assert sum(frames) == before
        assert app.session.prompt is not None
        assert app.session.prompt.text == "explain"
        stage.send("timer", Timer())
        assert sum(frames) == before + 1
        stage.send("key", Key("Escape"))
        assert sum(frames) == before + 2
