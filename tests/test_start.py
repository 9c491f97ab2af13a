"""The first page of the window: examples to choose from, a new scene, a file; and from there to a scene and back."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from collision import Scene, Sphere
from tests.helpers import chord, red_pixels, type_keys, write
from viewer.cli.commands import main
from viewer.files.catalogue import find_examples, find_lessons
from viewer.files.places import thumbnail_of
from viewer.layout.gallery import place_gallery
from viewer.layout.page import Page
from viewer.picture.present import present
from viewer.records.drawables import Gallery, Panel, Solid
from viewer.records.events import Key, Pointer, Wheel
from viewer.records.grid import Grid
from viewer.records.sizes import unit_of
from viewer.records.text import ELLIPSIS
from viewer.session import Session
from viewer.session.requests import OpenScene
from viewer.stage.stage import Stage
from viewer.stage.text.fonts import Fonts
from viewer.studio import app as app_module
from viewer.studio.app import App

pytestmark = pytest.mark.usefixtures("undrawn")

SIZE = (640, 480)
COUNT = sum(not example.lacks for example in find_examples()) + 3


@pytest.fixture
def app() -> Iterator[App]:
    with Stage.offscreen(SIZE) as stage:
        app = App(Session(Scene(), size=SIZE), stage, switches=True)
        app.session.start.show_page()
        app.refresh()
        yield app


@pytest.fixture
def session() -> Session:
    session = Session(Scene({"ball": Sphere([0, 0, 0], 1)}), size=SIZE)
    session.start.may_open = True
    session.start.show_page()
    return session


def page(session: Session) -> Gallery:
    return next(drawable for drawable in present(session) if isinstance(drawable, Gallery))


def chosen(session: Session) -> str:
    (card,) = (card for card in page(session).items if card.highlighted)
    return card.text


@cache
def texts() -> list[tuple[str, str]]:
    """Return the titles and lines of the first page."""
    session = Session(Scene(), size=SIZE)
    session.start.may_open = True
    session.start.show_page()
    return [entry[:2] for entry in session.start.entries]


def grid(size: tuple[int, int] = SIZE) -> Grid:
    return Grid.of(texts(), size, unit_of(size), 15.0)


def middle(number: int, first: int = 0) -> tuple[float, float]:
    place = grid().place(number, first)
    assert place is not None
    return place.x + 0.5 * place.width, place.y + 0.5 * place.height


def click(app: App, at: tuple[float, float]) -> None:
    app.stage.send("press", Pointer(*at, "left"))
    app.stage.send("release", Pointer(*at, "left"))


def test_every_example_has_a_card_with_its_title_a_line_and_a_picture(session: Session) -> None:
    cards = page(session).items
    assert [card.text for card in cards[:4]] == ["Lessons", "A new scene", "A file", "A first scene"]
    assert {card.text for card in cards[3:]} == {example.title for example in find_examples() if not example.lacks}
    assert all(card.line and thumbnail_of(card.picture).exists() for card in cards[3:])
    assert not any(isinstance(drawable, Solid) for drawable in present(session)), "the scene is behind it"


@pytest.mark.parametrize("size", [(1280, 960), (1280, 800), (1024, 768), (960, 720), (922, 691)])
@pytest.mark.parametrize("lessons", [False, True])
def test_titles_and_lines_of_cards_are_whole(session: Session, size: tuple[int, int], lessons: bool) -> None:
    session.view.resize(size)
    if lessons:
        session.start.show_lessons()
    gallery = page(session)
    placed = place_gallery(gallery, Page(size, unit_of(size), session.settings.theme.font_size, Fonts().width))
    written = [text.run.text for text in placed.part.texts]
    assert not [text for text in written if ELLIPSIS in text]
    words = " ".join(written)
    assert all(item.text in words and item.line in words for item in gallery.items), "all of them are seen"


@given(st.integers(1, 60), st.integers(320, 4000), st.integers(240, 2400))
def test_cards_are_in_the_picture_and_apart(count: int, width: int, height: int) -> None:
    size = width, height
    made = Grid.of(count * [("A title", "And a line of text below it")], size, unit_of(size), 15.0)
    for first in range(max(-(-count // made.columns) - made.rows, 0) + 1):
        places = [place for k in range(count) if (place := made.place(k, first)) is not None]
        assert places
        for k, a in enumerate(places):
            assert a.x >= 0
            assert a.x + a.width <= width
            assert a.y + a.height <= height
            assert all(not a.overlaps(b) for b in places[:k])
        if height > 400:
            assert min(place.y for place in places) >= 0


def wished(session: Session) -> OpenScene | None:
    """Return what a window is asked to open."""
    return next((request for request in session.dialog.take_requests() if isinstance(request, OpenScene)), None)


@pytest.mark.parametrize("size", [(1280, 960), (3840, 2160)])
def test_where_there_is_room_all_are_seen_at_once(size: tuple[int, int]) -> None:
    assert grid(size).rows * grid(size).columns >= COUNT
    assert grid().rows * grid().columns < COUNT, "in a small picture they are scrolled"


def test_arrow_keys_choose_and_scroll_and_enter_opens(session: Session) -> None:
    titles = [card.text for card in page(session).items]
    columns, rows = grid().columns, grid().rows
    type_keys(session, "Right", "Right", "Left")
    assert chosen(session) == titles[1]
    for _ in range(rows):
        session.key("Down")
    assert chosen(session) == titles[1 + rows * columns]
    assert page(session).first == 1
    session.key("End")
    assert chosen(session) == titles[-1]
    assert page(session).first == -(-COUNT // columns) - rows
    session.key("Home")
    assert (chosen(session), page(session).first) == (titles[0], 0)
    session.key("Next")
    assert chosen(session) == titles[rows * columns]
    session.key("Prior")
    session.key("Left")
    assert chosen(session) == titles[0], "there is nothing before it"
    assert wished(session) is None
    type_keys(session, "Right", "Right", "Right", "Return")
    wish = wished(session)
    assert wish is not None
    assert wish.loaded is not None
    assert wish.loaded.scene.title == titles[3] == "A first scene"
    assert wish.is_example


def test_the_lessons_are_a_page_of_their_own_in_their_order(session: Session) -> None:
    titles = [card.text for card in page(session).items]
    for _ in range(titles.index("Lessons")):
        session.key("Right")
    assert chosen(session) == "Lessons"
    session.key("Return")
    lessons = page(session).items
    assert [card.text for card in lessons] == [lesson.title for lesson in find_lessons()]
    assert all(card.line and "Try" not in card.line and thumbnail_of(card.picture).exists() for card in lessons)
    assert "back to the examples" in page(session).hint
    session.key("Escape")
    assert [card.text for card in page(session).items] == titles
    session.start.show_lessons()
    type_keys(session, "Right", "Return")
    wish = wished(session)
    assert wish is not None
    assert wish.loaded is not None
    assert wish.loaded.scene.title == find_lessons()[1].title


def test_keys_do_not_reach_the_scene_behind_the_page(session: Session) -> None:
    before = session.scene, session.selected, session.viewport.camera
    type_keys(session, "Right", "Right", "Right")
    for key in ("a", "g", "Tab", "Delete", "w", "i", "F10", "space", "ctrl+a", "ctrl+z"):
        chord(session, key)
        assert (session.scene, session.selected, session.viewport.camera) == before, key
        assert session.prompt is None, key
    theme = session.settings.theme
    chord(session, "shift+t")
    assert session.settings.theme is not theme
    type_keys(session, "Escape")
    assert not session.start.shown, "back to the scene"
    chord(session, "ctrl+e")
    assert session.start.shown


def test_no_example_is_offered_that_cannot_be_opened_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("viewer.files.catalogue.find_spec", lambda name: None)
    other = Session(Scene(), size=SIZE)
    other.start.may_open = True
    other.start.show_page()
    offered = {card.text for card in page(other).items[3:]}
    lacking = {example.title for example in find_examples() if example.lacks}
    assert lacking
    assert offered == {example.title for example in find_examples()} - lacking


def test_it_says_how_to_return_to_the_scene_behind_it(session: Session) -> None:
    assert page(session).hint.endswith("Esc: back to the scene")
    empty = Session(Scene(), size=SIZE)
    empty.start.may_open = True
    empty.start.show_page()
    assert "Esc" not in page(empty).hint


def test_a_file_is_opened_by_its_name_and_mistakes_are_said(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "hall.toml"
    path.write_text('title = "Hall"\n[shapes.a]\nkind = "sphere"\ncenter = [0, 0, 0]\nradius = 1')
    chord(session, "ctrl+o")
    write(session, "nowhere.toml")
    session.key("Return")
    assert session.prompt is not None
    assert "there is no such file" in session.prompt.error
    session.key("a", ctrl=True)
    write(session, str(path))
    session.key("Return")
    assert session.prompt is None
    wish = wished(session)
    assert wish is not None
    assert wish.loaded is not None
    assert (wish.loaded.scene.title, wish.is_example) == ("Hall", False)


def test_an_example_is_opened_by_its_name_too(session: Session) -> None:
    chord(session, "ctrl+o")
    write(session, "knot")
    session.key("Return")
    wish = wished(session)
    assert wish is not None
    assert wish.is_example


def test_what_is_not_saved_is_asked_about_before_it_is_left(session: Session, tmp_path: Path) -> None:
    session.file.save_as(tmp_path / "mine.toml")
    session.change(session.scene.moved("ball", [1, 0, 0]))
    type_keys(session, "Right", "Right", "Right", "Return")
    assert wished(session) is None
    assert session.prompt is not None
    assert session.prompt.title == "mine.toml has unsaved changes"
    session.key("s")
    wish = wished(session)
    assert wish is not None
    assert "center = [1" in (tmp_path / "mine.toml").read_text().replace("1.0", "1")


def test_a_window_that_shows_one_scene_says_so() -> None:
    session = Session(Scene({"ball": Sphere([0, 0, 0], 1)}), size=SIZE)
    for key in ("ctrl+e", "ctrl+o", "ctrl+n"):
        chord(session, key)
        assert "this window shows one scene" in session.notice
        assert (session.start.shown, session.prompt, wished(session)) == (False, None, None)


def test_a_click_opens_an_example_and_a_key_returns_to_the_page(app: App) -> None:
    names = [card.text for card in page(app.session).items]
    click(app, middle(3))
    assert not app.session.start.shown
    assert app.session.scene.title == names[3]
    assert app.session.file.path is not None
    assert not app.session.file.saves_over, "an example stays as it is"
    assert app.session.settings.toggles.bar
    app.stage.send("key", Key("e", ctrl=True))
    assert app.session.start.shown
    click(app, middle(4))
    assert app.session.scene.title == names[4]
    assert not app.session.file.dirty
    app.stage.send("key", Key("Tab"))
    assert app.session.selected, "the window belongs to the new session"


def test_a_new_scene_is_begun_and_asked_about(app: App) -> None:
    app.session.settings.set_theme("dark")
    app.stage.send("key", Key("n", ctrl=True))
    assert (len(app.session.scene), app.session.start.shown) == (0, False)
    assert app.session.settings.theme.background == (24, 27, 33)
    for key in ("a", "s"):
        app.stage.send("key", Key(key))
    assert list(app.session.scene) == ["sphere"]
    app.stage.send("key", Key("w", ctrl=True))
    assert app.session.prompt is not None
    assert app.session.prompt.title == "the new scene has unsaved changes"
    assert not app.session.closed


def test_the_pictures_of_cards_are_seen_and_scroll_under_the_wheel(app: App) -> None:
    before = app.stage.image().astype(int)
    place = grid().place(3, 0)
    assert place is not None
    top = SIZE[1] - round(place.y + place.height)
    region = before[top + 8 : top + 80, round(place.x) + 8 : round(place.x + place.width) - 8]
    red = (region[..., 0] > 110) & (region[..., 0] > 2 * region[..., 1])
    assert red.sum() > 200
    assert app.stage.send("wheel", Wheel(Pointer(*middle(0)), -1.0))
    assert page(app.session).first == 1
    assert np.abs(app.stage.image() - before).max(axis=-1).mean() > 3
    for _ in range(9):
        app.stage.send("wheel", Wheel(Pointer(2, 2), 1.0))
    assert page(app.session).first == 0
    app.stage.send("key", Key("Escape"))
    app.session.settings.toggle("bar")
    app.refresh()
    assert red_pixels(app.stage.image()) < 100, "no card is left"


def test_what_is_asked_lies_over_the_cards(app: App) -> None:
    app.stage.send("key", Key("o", ctrl=True))
    app.refresh()
    (panel,) = (drawable for drawable in present(app.session) if isinstance(drawable, Panel))
    assert app.stage.panel_at(320, 240)[1] in panel.rows
    image = app.stage.image().astype(int)
    covered = [
        (x, y)
        for x in range(4, SIZE[0], 12)
        for y in range(4, SIZE[1], 12)
        if app.stage.panel_at(x, y)[1] in panel.rows
    ]
    columns, rows = np.array(covered).T
    inside = image[SIZE[1] - 1 - rows, columns]
    assert np.all(inside[:, 0] < 1.6 * inside[:, 1] + 20), "nothing red of the pictures shows through"


def test_the_cursor_lights_the_card_under_it(app: App) -> None:
    calm = app.stage.image().astype(int)
    app.stage.send("move", Pointer(*middle(2)))
    rows, columns = np.nonzero(np.abs(app.stage.image() - calm).max(axis=-1) > 8)
    place = grid().place(2, 0)
    assert place is not None
    assert place.x - 8 < columns.min() < columns.max() < place.x + place.width + 8
    assert len(rows) > 200


def test_open_without_a_scene_and_without_a_display_says_what_to_use_instead(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(app_module, "has_display", lambda: False)
    assert main(["open"]) == 2
    assert "there is no display to open a window on" in capsys.readouterr().err
    assert main(["open", "--new"]) == 2
    assert "open --new scene.toml" in capsys.readouterr().err
