"""The menu of a shape, and menus by the arrow keys: into one, out of it, and no slip by a double click."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from collision import Scene, Sphere
from tests.helpers import SHAPES, chord, type_keys
from viewer.files.loading import load
from viewer.picture.present import present
from viewer.records.drawables import Panel, Row
from viewer.records.events import Button, Key, Pointer
from viewer.session import Session
from viewer.session.commands import MENUS, ROBOT
from viewer.session.dialog import LEADS_ON
from viewer.stage.stage import Stage
from viewer.studio import app as app_module
from viewer.studio.app import App

pytestmark = pytest.mark.usefixtures("undrawn")

SIZE = (640, 480)
SCENE = Scene({**SHAPES, "bead": Sphere([0, 0, 2.5], 0.5)})


@pytest.fixture
def app() -> Iterator[App]:
    with Stage.offscreen(SIZE) as stage:
        yield App(Session(SCENE, size=SIZE), stage)


def seen_at(session: Session, name: str) -> tuple[float, float]:
    """Return the pixel of the middle of a shape."""
    x, y = session.viewport.project([session.scene[name].bounds().center])[0][0]
    return float(x), float(y)


def click(app: App, at: tuple[float, float], button: Button = "left") -> None:
    app.stage.send("press", Pointer(*at, button))
    app.stage.send("release", Pointer(*at, button))


def menu(session: Session) -> Panel:
    return next(d for d in present(session) if isinstance(d, Panel) and d.corner == "center")


def names(session: Session) -> list[str]:
    return [row.text.partition("\t")[0] for row in menu(session).rows]


def lit(session: Session) -> list[str]:
    return [row.text.partition("\t")[0] for row in menu(session).rows if row.highlighted]


def row_place(app: App, name: str) -> tuple[float, float]:
    """Return a pixel on a row of the menu."""
    rows = menu(app.session).rows
    for x in range(60, SIZE[0], 20):
        for y in range(2, SIZE[1], 4):
            _, row = app.stage.panel_at(x, y)
            if row in rows and row.text.partition("\t")[0] == name:
                return x, y
    raise AssertionError(f"no row says {name!r}")


def test_a_right_click_on_a_shape_opens_its_menu(app: App) -> None:
    session = app.session
    click(app, seen_at(session, "box"), "right")
    assert menu(session).title == "box, aabb"
    assert names(session) == [
        *(
            "move",
            "turn",
            "resize",
            "type its numbers",
            "duplicate",
            "rename",
            "hide",
            "hide all else",
            "frame the selection",
            "explain the pair",
            "delete",
        ),
        *("general menu", "close"),
    ]
    assert not any(row.faint for row in menu(session).rows)
    click(app, row_place(app, "delete"))
    assert "box" not in session.scene
    assert session.prompt is None


def test_of_two_the_pair_can_be_framed(app: App) -> None:
    session = app.session
    session.select_many(["ball", "box"])
    click(app, seen_at(session, "box"), "right")
    assert menu(session).title == "ball and box"
    camera = session.viewport.camera
    click(app, row_place(app, "frame the pair"))
    assert session.selection.pair == ("ball", "box")
    assert session.viewport.camera != camera
    session.select_many(["ball", "box", "arm"])
    session.dialog.ask_menu(at=seen_at(session, "box"))
    assert menu(session).title == "3 shapes"
    assert "frame the pair" not in names(session)


def test_beside_all_shapes_a_right_click_opens_the_general_menu(app: App) -> None:
    click(app, (320, 5), "right")
    assert names(app.session) == [*(title for title in MENUS if title != ROBOT), "close"]


def test_each_row_shows_its_letter_once_and_the_key_of_its_command(app: App) -> None:
    session = app.session
    session.dialog.ask_menu(at=seen_at(session, "box"))
    asked = session.prompt
    assert asked is not None
    for key, row in zip(asked.choices, menu(session).rows, strict=False):
        assert row.mark == key
        assert row.mark in row.text.partition("\t")[0].lower()
    assert menu(session).rows[0].text == "move\tg"


def test_marks_are_lines_below_letters(app: App) -> None:
    plain = Panel("center", (Row("hide all else"),))
    with Stage.offscreen(SIZE) as stage:
        images = []
        for mark in ("", "h", "s"):
            stage.draw([Panel("center", (Row("hide all else", mark=mark),)) if mark else plain])
            images.append(stage.image().astype(int))
    columns = []
    for image in images[1:]:
        rows, cols = np.nonzero(np.abs(image - images[0]).max(axis=-1) > 60)
        assert np.ptp(rows) <= 2
        assert 5 <= np.ptp(cols) <= 14
        columns.append(cols.mean())
    assert columns[1] - columns[0] > 50, "the letters are where they are in the text"


def test_arrow_keys_go_through_a_menu_into_others_and_back() -> None:
    session = Session(SCENE, size=SIZE)
    type_keys(session, "F10")
    assert lit(session) == []
    type_keys(session, "Down", "Down")
    assert lit(session) == ["Edit"]
    type_keys(session, "Up", "Up")
    assert lit(session) == ["Play"], "round and round"
    type_keys(session, "Right")
    assert menu(session).title == "Play"
    assert lit(session) == []
    type_keys(session, "Left")
    assert (menu(session).title, lit(session)) == ("Menu", ["Play"])
    type_keys(session, "Return")
    assert menu(session).title == "Play"
    type_keys(session, "BackSpace", "BackSpace")
    assert menu(session).title == "Menu", "there is none before it"
    type_keys(session, "v", "Down", "Right")
    assert menu(session).title == "View", "a command leads nowhere"
    type_keys(session, "Up", "Escape")
    assert session.prompt is None


def test_enter_gives_the_command_that_the_arrows_have_come_to() -> None:
    session = Session(SCENE, size=SIZE)
    session.select("box")
    chord(session, "f10")
    type_keys(session, "Return")
    assert menu(session).title == "Menu", "nothing is lit yet"
    type_keys(session, "e", "Down", "Down", "Down", "Down")
    assert lit(session) == ["duplicate"]
    type_keys(session, "Return")
    assert session.prompt is None
    assert len(session.scene) == len(SCENE) + 1


def test_from_a_shape_to_all_menus_and_back_to_the_shape() -> None:
    session = Session(SCENE, size=SIZE)
    session.dialog.ask_menu(at=seen_at(session, "box"))
    type_keys(session, "Up", "Right")
    assert menu(session).title == "Menu"
    assert menu(session).rows[0].text == f"File\t{LEADS_ON}"
    type_keys(session, "Down", "Right", "Left")
    assert (menu(session).title, lit(session)) == ("Menu", ["File"])
    type_keys(session, "Left")
    assert (menu(session).title, lit(session)) == ("box, aabb", ["general menu"])


def test_other_choices_are_stepped_through_too() -> None:
    session = Session(SCENE, size=SIZE)
    type_keys(session, "a", "Down", "Down", "Return")
    assert session.prompt is None
    assert type(session.scene[session.selected[0]]).__name__ == "Capsule"


def test_the_pointer_and_the_arrows_do_not_light_two_rows(app: App) -> None:
    session, stage = app.session, app.stage
    session.dialog.ask_menu()
    app.refresh()
    at = row_place(app, "View")
    stage.send("move", Pointer(*at))
    by_mouse = stage.image()
    stage.send("key", Key("Down"))
    assert lit(session) == ["File"]
    by_key = stage.image()
    assert np.any(by_key != by_mouse)
    stage.send("move", Pointer(at[0] + 1, at[1]))
    assert lit(session) == []
    assert np.array_equal(stage.image(), by_mouse)


def test_the_second_click_of_a_double_click_hits_no_row_of_the_next_menu(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [100.0]
    monkeypatch.setattr(app_module, "monotonic", lambda: clock[0])
    app.session.dialog.ask_menu(at=(200, 300))
    app.refresh()
    at = row_place(app, "View")
    click(app, at)
    assert menu(app.session).title == "View"
    assert app.stage.panel_at(*at)[1] in menu(app.session).rows, "it opens in the same place"
    clock[0] += 0.15
    click(app, at)
    assert menu(app.session).title == "View"
    clock[0] += 0.1
    click(app, at)
    assert app.session.prompt is None, "the third is meant"


@pytest.mark.parametrize("title", [None, *MENUS])
def test_every_menu_fits_into_a_small_picture(app: App, title: str | None) -> None:
    app.session.dialog.ask_menu(title, at=(600, 20))
    app.refresh()
    rows = menu(app.session).rows
    pixels = ((x, y) for x in range(50, SIZE[0], 30) for y in range(1, SIZE[1], 5))
    seen = [row for pixel in pixels if (row := app.stage.panel_at(*pixel)[1]) is not None]
    assert all(row in seen for row in rows)


def test_a_right_click_on_a_row_of_the_table_ignores_its_pair_and_the_file_remembers_it(
    app: App, tmp_path: Path
) -> None:
    session, path = app.session, tmp_path / "pair.toml"
    session.change(session.scene.replaced(shapes={"a": Sphere([0, 0, 0], 1), "b": Sphere([1, 0, 0], 1)}))
    session.file.save_as(path)
    app.refresh()
    places = ((x, y) for x in range(10, 300, 10) for y in range(300, SIZE[1], 4))
    at = next(
        place
        for place in places
        if (row := app.stage.panel_at(*place)[1]) is not None
        and row.does is not None
        and row.does.name == "selection.show_pair"
    )
    before = session.viewport.camera
    click(app, at, "right")
    assert session.selected == ("a", "b")
    assert menu(session).title == "a and b"
    click(app, row_place(app, "ignore this pair"))
    assert session.scene.ignored == (("a", "b"),)
    assert not len(session.scene.colliding_pairs())
    assert session.viewport.camera == before
    chord(session, "shift+i")
    assert session.notice == "a and b are ignored already"
    session.undo()
    assert len(session.scene.colliding_pairs()) == 1
    session.redo()
    session.save()
    assert "ignore" in path.read_text(encoding="utf-8")
    assert load(path).ignored == (("a", "b"),)


def test_no_pair_is_ignored_where_none_is_selected(app: App) -> None:
    app.session.select("box")
    chord(app.session, "shift+i")
    assert app.session.notice.startswith("two shapes are to be selected")
