"""Everything by mouse: menus, and what a click on a row of a panel does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from operator import attrgetter
from pathlib import Path

import numpy as np
import pytest

from collision import Capsule, Scene, Segment, Sphere
from tests.helpers import strip_of
from tests.slow import some
from tests.test_protocol import robot
from viewer.camera.navigation import orbit, pan, zoom
from viewer.files.loading import load
from viewer.picture.present import present
from viewer.picture.prompts import ON
from viewer.records.drawables import Panel, Row, Timeline
from viewer.records.events import Key, Pointer
from viewer.records.keys import printed
from viewer.session import Session
from viewer.session.commands import BINDINGS, MENUS, ROBOT, Binding
from viewer.session.dialog import LEADS_ON, letters
from viewer.session.session import METHODS
from viewer.stage.stage import Stage
from viewer.studio.app import App

pytestmark = pytest.mark.usefixtures("undrawn")

SIZE = (800, 600)

SCENE = Scene(
    {
        "a": Sphere([0, 0, 0], 1),
        "b": Sphere([1.2, 0, 0], 1),
        "rod": Capsule([0, 3, 0], [2, 3, 0], 0.4),
        "edge": Segment([0, -3, 0], [2, -3, 0]),
        "c": Sphere([0.5, 0.5, 0], 0.5),
    }
)


@pytest.fixture
def app() -> Iterator[App]:
    with Stage.offscreen(SIZE) as stage:
        yield App(Session(SCENE, size=SIZE), stage)


def rows(session: Session) -> list[Row]:
    return [row for panel in present(session) if isinstance(panel, Panel) for row in panel.rows]


def menu_rows(session: Session) -> list[Row]:
    (menu,) = (panel for panel in present(session) if isinstance(panel, Panel) and panel.name == "prompt")
    return [*menu.rows]


def place_of(app: App, text: str) -> tuple[float, float]:
    """Return a pixel on the row that begins with a text."""
    for x in (20, 60, SIZE[0] // 2, SIZE[0] - 60):  # in the bar, in panels at the left, in the middle, at the right
        for y in range(2, SIZE[1], 6):
            _, row = app.stage.panel_at(x, y)
            if row is not None and row.text.startswith(text):
                return x, y
    raise AssertionError(f"no row says {text!r}: {[row.text for row in rows(app.session)]}")


def click(app: App, x: float, y: float, button: str = "left") -> bool:
    consumed = app.stage.send("press", Pointer(x, y, button))  # type: ignore[arg-type]
    app.stage.send("release", Pointer(x, y, button))  # type: ignore[arg-type]
    return consumed


def test_every_command_is_in_a_menu_once_or_is_what_a_drag_does() -> None:
    listed = [command for menu in MENUS.values() for command in menu]
    assert len({command.name for command in listed}) == len(listed)
    assert all(command.name and command.menu in MENUS for command in listed)
    # What is left are other keys for the same, and what a drag does by mouse.
    drags = r"((shift|ctrl|alt|alt\+shift)\+)?(left|right|up|down|page up|page down)"
    left = {key for key, command in BINDINGS.items() if command not in listed}
    assert {key for key in left if not re.fullmatch(rf"{drags}|ctrl\+[1-9]", key)} == {"q", "f10"}


def test_the_menus_are_in_order() -> None:
    assert list(MENUS) == ["File", "Edit", "Select", "Handles", "View", "Show", "Play", "Robot"]
    assert [printed(command.chords[0]) for command in MENUS["File"]] == [
        "Ctrl+E", "Ctrl+O", "Ctrl+N", "F8", "Shift+F8", "Ctrl+S", "Ctrl+Shift+S", "Ctrl+R", "Ctrl+P", "Ctrl+Shift+P",
        "Ctrl+W",
    ]  # fmt: skip
    assert [command.name for command in MENUS["Edit"]] == [
        "undo", "redo", "add a shape", "duplicate", "rename", "delete", "make it a box that turns", "type its numbers",
        "copy as Python", "copy as a test", "hide", "hide all else", "show all", "ignore this pair",
    ]  # fmt: skip


@pytest.mark.parametrize("title", MENUS)
def test_every_choice_of_a_menu_does_what_its_key_does(title: str) -> None:
    for letter, command in zip(letters(command.name for command in MENUS[title]), MENUS[title], strict=True):
        by_menu, by_key = Session(SCENE, size=SIZE), Session(SCENE, size=SIZE)
        for session in (by_menu, by_key):
            session.select("rod")
            session.move_selection([0, 0, 1])
        by_menu.dialog.ask_menu(title)
        assert by_menu.prompt is not None
        assert by_menu.prompt.choices[letter].split("\t")[:2] == [command.name, printed(command.chords[0])]
        by_menu.dialog.answer(letter)
        *held, symbol = command.chords[0].split("+")
        assert by_key.key(symbol, **dict.fromkeys(held, True))
        assert rows(by_menu) == rows(by_key), command.name
        for what in (
            "scene",
            "selected",
            "viewport",
            "settings.toggles",
            "settings.margin",
            "settings.theme",
            "notice",
            "prompt",
            "closed",
            "selection.part",
        ):
            assert attrgetter(what)(by_menu) == attrgetter(what)(by_key), (command.name, what)


SWITCHES = [command for menu in MENUS.values() for command in menu if METHODS[command.command.name].on is not None]


@pytest.mark.parametrize("command", SWITCHES, ids=lambda command: command.name)
def test_what_is_on_has_a_mark_in_its_menu(command: Binding) -> None:
    session = robot() if command.menu == ROBOT else Session(SCENE, size=SIZE)
    seen = []
    for _ in range(3):
        session.dialog.ask_menu(command.menu)
        (text,) = (row.text for row in menu_rows(session) if row.text.split("\t")[0].endswith(command.name))
        assert text.endswith(f"\t{ON}") == session.is_on(command.command)
        seen.append(session.is_on(command.command))
        session.dialog.dismiss()
        session.do(command.command)
    assert seen in ([True, False, True], [False, True, False])


def test_what_cannot_be_on_has_no_mark() -> None:
    session = Session(SCENE, size=SIZE)
    marked = set()
    for title in MENUS:
        session.dialog.ask_menu(title)
        assert session.prompt is not None
        marked |= {row.text.split("\t")[0] for row in menu_rows(session) if ON in row.text}
    assert marked == {
        "table and other texts", "legend", "ground", "labels", "shadows", "over and over, or once"
    }  # fmt: skip


def test_a_menu_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match=r"a menu is one of File, Edit, .* got 'Tools'"):
        Session(SCENE).dialog.ask_menu("Tools")


def test_letters_are_all_different_and_run_out_into_digits() -> None:
    found = letters(["ab", "ab ", "ab  ", "ba"])
    assert list(found) == ["a", "b", "1", "2"]
    assert list(found.values()) == ["ab", "ab ", "ab  ", "ba"]


def test_a_shape_is_added_by_clicks_alone(app: App) -> None:
    for text in ("menu\tF10", "Edit", "add a shape", "b\tbox"):
        assert click(app, *place_of(app, text))
    assert app.session.prompt is None
    assert list(app.session.scene) == [*SCENE, "box"]
    for text in ("menu\tF10", "Edit", "undo"):
        click(app, *place_of(app, text))
    assert app.session.scene == SCENE


def test_what_a_menu_cannot_do_it_says(app: App) -> None:
    app.session.key("F10")
    app.session.key("e")
    app.session.key("d")
    assert app.session.prompt is None
    assert "select" in app.session.notice


def test_a_right_click_opens_the_menus_and_a_click_beside_closes_them(app: App) -> None:
    assert app.session.prompt is None
    click(app, 400, 120, "right")
    assert app.session.prompt is not None
    assert app.session.prompt.title == "Menu"
    assert click(app, 5, 300)
    assert app.session.prompt is None
    app.stage.send("press", Pointer(400, 300, "right"))
    app.stage.send("release", Pointer(440, 300, "right"))
    assert app.session.prompt is None, "a drag is none"


def test_a_right_click_on_a_shape_is_about_it(app: App) -> None:
    """The menu opens at the pointer, and what is seen there is selected unless it is already."""
    session = app.session
    x, y = session.viewport.project([session.scene["rod"].bounds().center])[0][0]
    click(app, x, y, "right")
    assert session.selected == ("rod",)
    for title in ("rod, capsule", "Menu", "Edit"):
        panel = next(d for d in present(session) if isinstance(d, Panel) and d.corner == "center")
        assert panel.title == title
        assert app.stage.panel_at(x + 5, y - 5)[0]
        assert not app.stage.panel_at(x - 5, y + 5)[0]
        if title != "Edit":
            session.dialog.answer("g" if title == "rod, capsule" else "e")
            app.refresh()
    session.dialog.dismiss()
    session.select_many(["a", "rod"])
    click(app, x, y, "right")
    assert session.selected == ("a", "rod")
    session.dialog.dismiss()
    click(app, 0.5 * SIZE[0], 2, "right")
    assert session.selected == ("a", "rod"), "there is nothing, so what is selected stays"


@pytest.mark.parametrize(("across", "up"), [(0.999, 0.001), (0.001, 0.999), (0.999, 0.999), (0.001, 0.001)])
def test_a_menu_stays_in_the_picture(app: App, across: float, up: float) -> None:
    app.session.dialog.ask_menu(at=(across * SIZE[0], up * SIZE[1]))
    app.refresh()
    pixels = ((x, y) for x in range(1, SIZE[0], 20) for y in range(1, SIZE[1], 4))
    seen = {row.text for pixel in pixels if (row := app.stage.panel_at(*pixel)[1]) is not None}
    assert {f"{title}\t{LEADS_ON}" for title in MENUS if title != ROBOT} | {"close\tEsc"} <= seen
    edges = [(x, y) for x in (0, SIZE[0] - 1) for y in range(0, SIZE[1], 4)]
    edges += [(x, y) for x in range(0, SIZE[0], 4) for y in (0, SIZE[1] - 1)]
    assert not any(app.stage.panel_at(*pixel)[0] for pixel in edges), "it is cut"


def test_what_a_click_would_choose_is_tinted(app: App) -> None:
    """The row under the pointer, and no other; and no more once the pointer has left it."""
    app.session.key("F10")
    app.refresh()
    app.stage.send("move", Pointer(2, 2))
    before = app.stage.image().astype(int)
    x, y = place_of(app, "Edit")
    app.stage.send("move", Pointer(x, y))
    rows, columns = np.nonzero(np.abs(app.stage.image() - before).max(axis=-1) > 3)
    assert abs(0.5 * (rows.min() + rows.max()) - (SIZE[1] - y)) < 10
    assert rows.max() - rows.min() < 30
    assert columns.max() - columns.min() > 60
    app.stage.send("move", Pointer(2, 2))
    assert np.array_equal(app.stage.image(), before)


def test_a_row_that_comes_under_a_pointer_that_rests_is_tinted(app: App) -> None:
    window = app.stage.plotter.render_window
    assert window is not None
    middle = (0.5 * SIZE[0], 0.5 * SIZE[1])
    app.stage.send("move", Pointer(0.0, 0.0))
    arrow = window.GetCurrentCursor()
    app.stage.send("move", Pointer(*middle))
    app.stage.send("key", Key("f10"))
    place = place_of(app, "View")
    click(app, *place)  # the next menu opens in the same place
    _, row = app.stage.panel_at(*place)
    assert row is not None
    assert row.does is not None
    assert window.GetCurrentCursor() != arrow
    tinted = app.stage.image()
    assert app.stage.point(None)
    assert np.any(app.stage.image() != tinted)
    app.stage.point(row)
    app.stage.send("key", Key("Escape"))  # and with the menu it is gone
    assert not app.stage.point(None)
    assert window.GetCurrentCursor() == arrow


def test_a_click_beside_a_line_that_is_typed_keeps_it(app: App) -> None:
    app.session.select("rod")
    app.session.dialog.ask_rename()
    click(app, 5, 300)
    assert app.session.prompt is not None
    assert app.session.selected == ("rod",)


def test_a_click_on_a_pair_of_the_table_selects_and_frames_it(app: App) -> None:
    camera = app.session.viewport.camera
    click(app, *place_of(app, "a\tc"))
    assert app.session.selection.pair == ("a", "c")
    assert app.session.viewport.camera != camera
    app.session.key("bracketright")  # the walk goes on from there
    assert app.session.selection.pair not in (None, ("a", "c"))


def test_a_click_on_a_panel_does_not_reach_the_scene(app: App) -> None:
    app.session.select("rod")
    app.refresh()
    assert click(app, *place_of(app, "3 colliding pairs"))
    assert app.session.selected == ("rod",)


def test_the_help_is_shown_and_hidden_by_clicks(app: App) -> None:
    click(app, *place_of(app, "keys\th"))
    assert app.session.settings.toggles.help
    click(app, 0.5 * SIZE[0], 0.5 * SIZE[1])
    assert not app.session.settings.toggles.help


def test_the_cursor_shows_where_a_click_does_something(app: App) -> None:
    window = app.stage.plotter.render_window
    assert window is not None
    seen = []
    for x, y in (place_of(app, "menu"), (400, 100), place_of(app, "3 colliding"), place_of(app, "a\tb")):
        app.stage.send("move", Pointer(x, y))
        seen.append(window.GetCurrentCursor())
    assert seen[0] == seen[2] == seen[3] != seen[1]


@pytest.fixture
def arm() -> Iterator[App]:
    scene = load(Path(__file__).parents[1] / "examples" / "robot_arm.toml")
    with Stage.offscreen(SIZE) as stage:
        yield App(Session(scene, size=SIZE), stage)


def test_names_on_the_strip_of_the_time_are_clicked(arm: App) -> None:
    session = arm.session
    timeline = next(drawable for drawable in present(session) if isinstance(drawable, Timeline))
    strip = strip_of(session)
    x, top = strip.plate.x + 20, strip.track.y + strip.track.height
    session.player.scrub(1.25)
    arm.refresh()
    assert click(arm, x, top - 0.5 * strip.line)
    assert session.player.playing
    assert session.time == 1.25, "it goes on from where it is"
    click(arm, x, top - 0.5 * strip.line)
    assert not session.player.playing
    click(arm, x, top - 1.5 * strip.line)
    assert session.selection.pair == timeline.rows[0].pair
    session.player.scrub(1.25)
    arm.refresh()
    assert click(arm, x, strip.track.y + 0.2 * strip.line), "beside the ticks nothing happens"
    assert session.time == 1.25
    click(arm, strip.track.x + 0.5 * strip.track.width, top - 0.5 * strip.line)
    assert session.time == pytest.approx(0.5 * (timeline.start + timeline.stop))
    click(arm, x, top - 1.5 * strip.line, "right")
    assert session.prompt is not None
    assert session.prompt.title == " and ".join(timeline.rows[0].pair)


@pytest.mark.parametrize(
    ("key", "held", "wanted"),
    [
        ("Left", {"alt": True}, lambda view: orbit(view, -40, 0)),
        ("Up", {"alt": True}, lambda view: orbit(view, 0, 40)),
        ("Right", {"alt": True, "shift": True}, lambda view: pan(view, 40, 0)),
        ("Down", {"alt": True, "shift": True}, lambda view: pan(view, 0, -40)),
        ("Prior", {"alt": True}, lambda view: zoom(view, 1.0, 400, 300)),
        ("Next", {"alt": True}, lambda view: zoom(view, -1.0, 400, 300)),
    ],
)
def test_the_camera_moves_by_keys(key: str, held: dict[str, bool], wanted: object) -> None:
    session = Session(SCENE, size=SIZE)
    session.select("rod")
    before = session.viewport
    assert session.key(key, **held)
    assert session.viewport.camera == wanted(before)  # type: ignore[operator]
    assert session.viewport.camera != before.camera
    assert session.scene == SCENE


def test_shapes_are_added_to_the_selection_by_keys() -> None:
    session = Session(SCENE, size=SIZE)
    session.select("b")
    session.key("bracketright", ctrl=True)
    assert session.selected == ("b", "rod")
    session.key("bracketright", ctrl=True)
    assert session.selected == ("b", "rod", "edge")
    session.key("bracketleft", ctrl=True)
    assert session.selected == ("b", "edge", "rod"), "the active one comes last"


def test_ends_take_the_handles_in_turn_by_a_key() -> None:
    session = Session(SCENE, size=SIZE)
    session.select("rod")
    found = []
    for _ in range(3):
        session.key("k")
        found.append(session.selection.part)
    assert sorted(found) == ["body", "end", "start"]
    session.manipulation.tool.choose_part("end")
    session.key("Right")
    rod, before = session.scene["rod"], SCENE["rod"]
    assert isinstance(rod, Capsule)
    assert isinstance(before, Capsule)
    np.testing.assert_array_equal(rod.start, before.start)
    assert np.any(rod.end != before.end)
    with pytest.raises(ValueError, match="what is selected has body, start, end, got 'tip'"):
        session.manipulation.tool.choose_part("tip")
    session.deselect()
    session.key("k")
    assert "select a shape first" in session.notice


def test_remembered_views_are_listed_to_return_to() -> None:
    session = Session(SCENE, size=SIZE)
    session.key("B", shift=True)
    assert session.notice == "no view is remembered; Ctrl+B remembers this one"
    session.view.remember("3")
    kept = session.viewport.camera
    session.view.orbit(50, 0)
    session.key("B", shift=True)
    assert session.prompt is not None
    assert list(session.prompt.choices) == ["3"]
    session.key("3")
    assert session.viewport.camera == kept


def test_a_name_on_the_strip_shows_the_pair_while_it_touches(arm: App) -> None:
    session = arm.session
    timeline = next(drawable for drawable in present(session) if isinstance(drawable, Timeline))
    strip = strip_of(session)
    for number, row in some(3, enumerate(timeline.rows, start=1)):
        begin, end, _ = row.intervals[-1]
        for time, wanted in ((0.5 * (begin + end), 0.5 * (begin + end)), (timeline.stop, row.intervals[0][0])):
            if time == timeline.stop == end:
                continue
            session.player.scrub(time)
            arm.refresh()
            click(arm, strip.plate.x + 20, strip.track.y + strip.track.height - (number + 0.5) * strip.line)
            assert session.time == pytest.approx(wanted)
            assert session.selection.pair == row.pair


def test_an_empty_scene_says_what_to_do_and_begins_at_the_origin() -> None:
    session = Session(Scene({}), size=SIZE)
    assert "no shapes yet: a adds one" in [row.text for row in rows(session)]
    session.key("a")
    session.key("s")
    ball = session.scene["sphere"]
    assert isinstance(ball, Sphere)
    assert ball.center.tolist() == [0.0, 0.0, ball.radius]  # on the ground
