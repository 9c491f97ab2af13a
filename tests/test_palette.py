"""The palette: every command is found by a few letters, with its keys, and given by Enter or a click."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from collision import Scene, Sphere
from tests.helpers import chord, write
from tests.test_menus import place_of
from viewer.picture.present import present
from viewer.records.drawables import Panel, Row
from viewer.records.events import Pointer, Wheel
from viewer.records.keys import printed
from viewer.session import Session
from viewer.session.commands import BINDINGS, ESSENTIALS, TABLE, Topic, find_commands
from viewer.stage.stage import Stage
from viewer.studio.app import App

pytestmark = pytest.mark.usefixtures("undrawn")

SIZE = (640, 480)
SCENE = Scene({"ball": Sphere([0, 0, 0], 1), "other": Sphere([3, 0, 0], 1)})


@pytest.fixture
def session() -> Session:
    return Session(SCENE, size=SIZE)


@pytest.fixture
def app() -> Iterator[App]:
    with Stage.offscreen(SIZE) as stage:
        yield App(Session(SCENE, size=SIZE), stage)


def listed(session: Session) -> list[Row]:
    (panel,) = (d for d in present(session) if isinstance(d, Panel) and d.name == "prompt")
    return [row for row in panel.rows if row.does is not None]


@pytest.mark.parametrize("keys", ["ctrl+k", "f3"])
def test_what_is_typed_narrows_the_list_and_enter_gives_the_first(session: Session, keys: str) -> None:
    session.key(keys[-1] if "+" in keys else keys, ctrl="+" in keys)
    everything = len(listed(session))
    write(session, "select all")
    assert next(row.text for row in listed(session)) == "Select: all\tCtrl+A"
    assert len(listed(session)) < everything
    session.key("Return")
    assert session.selected == ("ball", "other")
    assert session.prompt is None


def test_escape_closes_it_and_nothing_has_happened(session: Session) -> None:
    session.key("k", ctrl=True)
    write(session, "delete")
    session.key("Escape")
    assert session.prompt is None
    assert session.scene == SCENE


def test_arrows_go_through_it_and_the_lit_one_is_in_sight(session: Session) -> None:
    session.key("k", ctrl=True)
    for _ in range(40):
        session.key("Down")
        assert [row.highlighted for row in listed(session)].count(True) == 1
    assert session.prompt is not None
    assert session.prompt.hot == [*session.prompt.choices][40]
    session.key("Up")
    assert session.prompt.hot == [*session.prompt.choices][39]


def test_every_command_with_a_name_is_found_by_it_and_by_its_keys() -> None:
    for binding in BINDINGS.values():
        if binding.name:
            keys = printed(binding.chords[0])
            assert keys in [found.keys for found in find_commands(binding.name)]
            assert binding in [found.binding for found in find_commands(f"{binding.menu}: {binding.name} {keys}")]


def test_all_that_the_mouse_does_is_found_too_and_said(session: Session) -> None:
    mice = [found for found in find_commands("") if found.binding is None]
    assert "wheel" in " ".join(found.keys for found in mice)
    session.key("k", ctrl=True)
    write(session, "nearer, farther")
    session.key("Return")
    assert session.notice == "wheel, Alt+Page up, Alt+Page down: nearer, farther"


def test_what_has_nothing_to_do_is_faint_and_says_why(session: Session) -> None:
    session.key("k", ctrl=True)
    write(session, "edit: undo")
    assert listed(session)[0].faint
    session.key("Return")
    assert session.notice


def test_words_that_nothing_has_are_said_to_be_none_and_can_be_mended(session: Session) -> None:
    session.key("k", ctrl=True)
    write(session, "xyzzy")
    session.key("Return")
    assert session.prompt is not None
    assert listed(session) == []
    session.key("BackSpace", ctrl=True)
    assert listed(session)


def test_a_click_gives_a_command_the_wheel_goes_on_and_a_click_beside_closes(app: App) -> None:
    session = app.session
    for last in ("click", "beside"):
        chord(session, "ctrl+k")
        app.refresh()
        hot = session.prompt.hot if session.prompt else ""
        at = place_of(app, "Select: all\tCtrl+A")
        app.stage.send("wheel", Wheel(Pointer(*at), -1.0))
        assert session.prompt is not None
        assert session.prompt.hot not in ("", hot)
        at = at if last == "click" else (620.0, 240.0)
        app.stage.send("press", Pointer(*at, "left"))
        app.stage.send("release", Pointer(*at, "left"))
        assert session.prompt is None
        assert session.selected == ("ball", "other")


def test_the_help_has_a_dozen_keys_in_groups_and_names_the_palette(session: Session) -> None:
    session.key("question")
    (panel,) = (d for d in present(session) if isinstance(d, Panel) and d.name == "keys")
    assert "Ctrl+K" in panel.title
    assert [row.text for row in panel.rows if "\t" not in row.text] == [*ESSENTIALS]
    assert sum("\t" in row.text for row in panel.rows) <= 14
    known = " ".join(row.keys for row in TABLE if isinstance(row, Topic)).replace(",", "").split()
    for keys in (keys for group in ESSENTIALS.values() for keys in group):
        assert set(keys.replace(",", "").split()) & set(known), keys
