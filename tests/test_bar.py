"""The bar of buttons: what it offers, where it is, and what a click on it does."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from collision import AABB, Motion, Scene
from tests.helpers import SHAPES
from viewer.files.loading import load
from viewer.layout.bar import place_bar, place_tip
from viewer.layout.icons import ICONS
from viewer.layout.page import Page
from viewer.picture.bar import bar_of
from viewer.picture.present import present
from viewer.records.commands import Command
from viewer.records.drawables import Bar, Button, Panel, Row
from viewer.records.events import Key, Pointer
from viewer.records.pixels import Rect
from viewer.records.sizes import unit_of
from viewer.records.theme import FONT_SIZE
from viewer.session import Session
from viewer.stage.stage import Stage
from viewer.studio.app import App

pytestmark = pytest.mark.usefixtures("undrawn")

SIZE = (800, 600)
SCENE = Scene(SHAPES)
SIZES = ((640, 480), (1280, 960), (3840, 2160))


@pytest.fixture
def app() -> Iterator[App]:
    with Stage.offscreen(SIZE) as stage:
        yield App(Session(SCENE, size=SIZE), stage)


def button(session: Session, icon: str) -> Button:
    return next(button for button in bar_of(session).buttons if button.icon == icon)


def page(size: tuple[int, int] = SIZE, unit: float = 0.0) -> Page:
    return Page(size, unit or unit_of(size), FONT_SIZE, lambda text, size, bold: 0.5 * size * len(text))


def place_of(app: App, icon: str) -> tuple[float, float]:
    """Return the middle of a button."""
    bar = place_bar(bar_of(app.session), page())
    assert bar is not None
    place = bar.place_of(button(app.session, icon))
    assert place is not None
    return place.middle


def click(app: App, icon: str) -> None:
    at = place_of(app, icon)
    assert app.stage.send("press", Pointer(*at, "left"))
    app.stage.send("release", Pointer(*at, "left"))


def test_pictures_have_no_bar_and_windows_do(app: App) -> None:
    assert not any(isinstance(drawable, Bar) for drawable in present(Session(SCENE)))
    assert any(isinstance(drawable, Bar) for drawable in present(app.session))
    app.session.key("t", ctrl=True)
    app.refresh()
    assert app.stage.panel_at(20, 300) == (False, None)


def test_every_button_has_an_icon_and_says_its_key() -> None:
    moving = Scene(SHAPES, motion=[Motion("ball", [0, 1], [[0, 0, 0], [0, 0, 3]])])
    for session in (Session(SCENE), Session(moving)):
        buttons = bar_of(session).buttons
        assert {button.icon for button in buttons} <= set(ICONS)
        assert all(len(button.text.split("\t")) == 2 for button in buttons)
        assert len({button.text for button in buttons}) == len(buttons)
        assert ("play" in {button.icon for button in buttons}) == session.player.has_motion
        session.do(Command("player.play_or_pause"))
        assert ("pause" in {button.icon for button in bar_of(session).buttons}) == session.player.has_motion


def test_what_is_in_use_is_on_and_what_has_nothing_to_do_is_faint() -> None:
    session = Session(SCENE)
    assert button(session, "undo").faint
    assert not button(session, "move").on
    assert not button(session, "turn").faint, "it says what the handles of what is selected next do"
    session.select("ball")
    assert button(session, "move").on
    assert button(session, "turn").faint
    session.manipulation.tool.set_mode("size")
    assert (button(session, "move").on, button(session, "size").on) == (False, True)
    session.move_selection([0, 0, 1])
    assert not button(session, "undo").faint
    assert not button(session, "see-through").on
    session.settings.toggle("see_through")
    assert button(session, "see-through").on


def test_clicks_on_buttons_do_what_they_say_and_never_turn_the_camera(app: App) -> None:
    session = app.session
    camera = session.viewport.camera
    session.select("box")
    app.refresh()
    click(app, "size")
    assert session.manipulation.tool.mode == "size"
    click(app, "turn")
    assert session.manipulation.tool.mode == "rotate"
    assert not session.pending, "nothing is in hand: the mouse takes a handle"
    session.move_selection([0, 0, 1])
    app.refresh()
    click(app, "undo")
    assert session.scene == SCENE
    click(app, "help")
    assert session.settings.toggles.help
    app.stage.send("key", Key("Escape"))
    click(app, "menu")
    assert session.prompt is not None
    session.dialog.dismiss()
    app.refresh()
    click(app, "add")
    assert session.prompt is not None
    assert session.prompt.title == "Add"
    assert session.viewport.camera == camera


@pytest.mark.parametrize("size", SIZES)
def test_the_menu_opens_beside_the_bar_whatever_is_there(size: tuple[int, int]) -> None:
    session = Session(Scene({"wall": AABB([-99, -99, -99], [99, 99, 99])}), size=size)
    session.settings.toggle("bar")
    session.view.zoom(20)
    row = next(button for button in bar_of(session).buttons if button.icon == "menu")
    assert row.does is not None
    session.do(row.does)
    assert session.prompt is not None
    assert (session.prompt.title, session.selected) == ("Menu", ())
    bar = place_bar(bar_of(session), page(size))
    with Stage.offscreen(size) as stage:
        stage.draw(present(session), session.viewport.camera)
        places = ((x, y) for x in range(0, size[0], 8) for y in range(0, size[1], 8))
        rows = ((x, stage.panel_at(x, y)[1]) for x, y in places)
        x = next(x for x, found in rows if found is not None and found.text.startswith("Edit"))
    assert bar is not None
    assert bar.plate.x + bar.plate.width < x < bar.plate.x + 2 * bar.plate.width


def test_between_the_buttons_a_press_does_nothing(app: App) -> None:
    x, y = place_of(app, "size")
    _, below = place_of(app, "add")
    assert app.stage.panel_at(x, 0.5 * (y + below)) == (True, None)
    camera = app.session.viewport.camera
    assert app.stage.send("press", Pointer(x, 0.5 * (y + below), "left"))
    assert app.session.viewport.camera == camera


def test_a_tip_says_name_and_key_also_of_what_is_faint(app: App) -> None:
    calm = app.stage.image().astype(int)
    for icon in ("move", "undo"):
        at = place_of(app, icon)
        app.stage.send("move", Pointer(*at))
        rows, columns = np.nonzero(np.abs(app.stage.image() - calm).max(axis=-1) > 8)
        assert rows.min() > SIZE[1] - at[1] - 25
        assert rows.max() < SIZE[1] - at[1] + 25
        assert columns.max() > at[0] + 60
        app.stage.send("move", Pointer(400, 10))
    assert np.array_equal(app.stage.image(), calm)


def test_no_tip_lies_over_the_menu_that_its_button_has_opened(app: App) -> None:
    at = place_of(app, "menu")
    app.stage.send("move", Pointer(*at))
    app.stage.send("press", Pointer(*at, "left"))
    opened = app.stage.image()
    app.stage.send("move", Pointer(400, 10))
    rows, columns = np.nonzero(np.abs(app.stage.image().astype(int) - opened).max(axis=-1) > 8)
    assert columns.max() < at[0] + 25, "the button alone is no longer lit"
    assert rows.size > 0


def test_a_tip_is_beside_its_button_and_stays_when_that_changes() -> None:
    session = Session(SCENE)
    hovered = button(session, "see-through")
    session.settings.toggle("see_through")
    bar = place_bar(bar_of(session), page(unit=1.0))
    assert bar is not None
    tip = place_tip(bar, hovered, page(unit=1.0))
    assert tip is not None
    assert [run.text for run in tip.runs] == ["see-through", "w"]
    assert tip.plate.x > bar.plate.x + bar.plate.width
    place = bar.place_of(hovered)
    assert place is not None
    assert tip.plate.y < place.y + 0.5 * place.height < tip.plate.y + tip.plate.height
    assert place_tip(bar, Row("see-through\tw"), page(unit=1.0)) is None


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ["first", "robot_arm", "capsule_space"])
def test_the_bar_covers_no_panel_and_stays_in_the_picture(name: str, size: tuple[int, int]) -> None:
    scene = load(Path(__file__).parents[1] / "examples" / f"{name}.{'py' if name == 'capsule_space' else 'toml'}")
    with Stage.offscreen(size) as stage:
        session = App(Session(scene, size=size), stage).session
        session.selection.select_all()
        bar = place_bar(bar_of(session), page(size))
        assert bar is not None
        plates = [
            Rect(room.left, room.bottom, room.right - room.left, room.top - room.bottom)
            for room in stage.covered(present(session))
        ]
        panels = len([d for d in present(session) if isinstance(d, Panel)])
        assert len(plates) >= panels - 1, "the bar, and all panels but for hints, which give way"
        assert not any(a.overlaps(b) for a, b in combinations(plates, 2))
        assert all(p.x >= 0 and p.y >= 0 and p.x + p.width <= 1 and p.y + p.height <= 1 for p in plates)


def test_a_picture_that_is_too_small_has_no_bar() -> None:
    bar = bar_of(Session(SCENE))
    assert place_bar(bar, page((640, 160), 1.0)) is None
    assert place_bar(Bar(()), page()) is None
    low = place_bar(bar, page((640, 300)))
    assert low is not None
    assert low.plate.y > 0
    assert low.plate.y + low.plate.height < 300
