"""The first minute: each line is followed, and goes when that is done; nobody is led twice."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import viewer
from collision import AABB, HalfSpace, Motion, Point, Scene, Sphere
from tests.helpers import chord, pixel, type_keys
from viewer.files.catalogue import find_examples
from viewer.layout.arrangement import arrange, by_type
from viewer.layout.page import Page
from viewer.picture.present import present
from viewer.picture.shapes import shape_flags
from viewer.records.drawables import Panel, ShapeFlags
from viewer.records.events import Key, Pointer, Timer
from viewer.records.sizes import unit_of
from viewer.session import Session
from viewer.stage.stage import Stage
from viewer.stage.text.fonts import Fonts
from viewer.stage.text.formulas import Formulas
from viewer.studio import app as app_module
from viewer.studio.app import App

pytestmark = pytest.mark.usefixtures("undrawn")

SIZE = (800, 600)
SCENE = Scene({"floor": HalfSpace([0, 0, -1], [0, 0, 1]), "a": Sphere([0, 0, 0], 1), "b": Sphere([1.5, 0, 0], 1)})


@pytest.fixture
def session() -> Session:
    session = Session(SCENE, size=SIZE)
    session.start.guide.begin()
    return session


@pytest.fixture
def app() -> Iterator[App]:
    with Stage.offscreen(SIZE) as stage:
        app = App(Session(Scene(), size=SIZE), stage, switches=True)
        app.session.start.show_page()
        app.refresh()
        yield app


def said(session: Session) -> str:
    session.start.guide.follow()
    return session.start.guide.text


def open_example(app: App, name: str) -> None:
    title = next(example.title for example in find_examples() if example.name == name)
    (number,) = (k for k, entry in enumerate(app.session.start.entries) if entry.title == title)
    app.session.start.open_card(number)
    app.refresh()


def test_each_thing_that_is_done_leads_to_the_next_until_all_are_done(session: Session) -> None:
    assert said(session) == "Drag a. What overlaps is red.", "not the floor, which is no thing to drag"
    session.settings.set_theme("colour-blind")
    assert said(session) == "Drag a. What overlaps is orange."
    session.settings.set_theme("light")
    session.select("a")
    session.view.orbit(30, 0)
    assert said(session).startswith("Drag a"), "that was something else"
    session.manipulation.tool.begin("translate", axis="x")
    type_keys(session, "1")
    assert said(session).startswith("Drag a"), "it is still in hand"
    type_keys(session, "Return")
    assert said(session).startswith("Press ]")
    session.key("bracketright")
    assert said(session).startswith("Shift+E explains")
    chord(session, "shift+e")
    assert said(session).endswith("; Shift+E ends it."), "its card is where that of the pair was"
    chord(session, "shift+e")
    assert said(session).startswith("Click a number")
    session.key("Return")
    assert said(session).startswith("Ctrl+P")
    session.dialog.dismiss()
    session.dialog.takes_pictures = True
    chord(session, "ctrl+p")
    assert said(session) == ""
    assert session.start.guide.over


def hint(app: App) -> str:
    (panel,) = (d for d in present(app.session) if isinstance(d, Panel) and d.name == "guide")
    return panel.rows[0].text


def test_what_was_done_is_ticked_before_the_next_hint_comes(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    open_example(app, "first")
    first = hint(app)
    assert first.startswith("Drag the marble")
    app.session.select("marble")
    app.session.move_selection([0.5, 0.0, 0.0])
    app.refresh()
    assert hint(app) == f"\N{CHECK MARK} {first}"
    app.stage.send("timer", Timer())
    assert hint(app).startswith("\N{CHECK MARK}"), "it can be seen"
    monkeypatch.setattr(app_module, "TICK", 0)
    app.stage.send("timer", Timer())
    assert hint(app).startswith("Press ]")
    app.stage.send("key", Key("Escape"))
    app.stage.send("key", Key("Escape"))
    assert not any(isinstance(d, Panel) and d.name == "guide" for d in present(app.session))


@pytest.mark.parametrize(
    ("name", "size", "scale"),
    [
        ("first", (480, 360), 1.0),
        ("robot_arm", (640, 480), 1.0),
        ("slope", (1280, 960), 2.0),
        pytest.param("robot", (480, 360), 1.0, marks=pytest.mark.deep),
    ],
)
def test_in_a_small_picture_the_hint_is_whole_at_the_foot_and_off_the_subject(
    name: str, size: tuple[int, int], scale: float
) -> None:
    with Stage.offscreen(size) as stage:
        app = App(Session(Scene(), size=size), stage, switches=True)
        app.session.settings.set_scale(scale)
        app.session.start.show_page()
        open_example(app, name)
        session, given = app.session, by_type(present(app.session))
        placed = arrange(given, Page(size, unit_of(size), session.settings.theme.font_size, Fonts().width), Formulas())
        (plate,) = (panel.plate for panel in placed.sheet.panels if panel.panel and panel.panel.name == "guide")
        (words,) = (" ".join(run.text for run in p.runs) for p in placed.sheet.panels if p.plate == plate)
        assert session.start.guide.text in words
        assert words.endswith("no more hints Esc")
        foot = 0 if placed.strip is None else placed.strip.plate.y + placed.strip.plate.height
        assert plate.y - foot < 40 * scale, "at the foot"
        solids = [shape for shape in session.scene.shapes.values() if not isinstance(shape, HalfSpace)]
        centers = np.concatenate([np.atleast_2d(shape.bounds().center) for shape in solids])
        assert not any(plate.covers(*pixel(session, *center)) for center in centers)
        chord(session, "shift+e")
        assert session.explaining.active
        assert not any(isinstance(d, Panel) and d.name == "guide" for d in present(session)), "the card has the room"


def test_what_cannot_be_done_is_left_out() -> None:
    session = Session(Scene({"p": Point([0, 0, 0]), "q": Point([3, 0, 0])}), size=SIZE)
    session.start.guide.begin()
    assert said(session).startswith("Drag q")
    session.select("p")
    session.move_selection([0, 0, 1])
    assert said(session).startswith("Shift+E explains"), "nothing collides"
    one = Session(Scene({"p": Point([0, 0, 0])}), size=SIZE)
    one.start.guide.begin()
    one.select("p")
    one.move_selection([0, 0, 1])
    assert said(one).startswith("Click a number"), "there is no second to explain it with"
    empty = Session(Scene(), size=SIZE)
    empty.start.guide.begin()
    assert said(empty).startswith("Ctrl+P")


def test_what_is_to_be_dragged_is_not_red_yet_nor_what_others_stand_on() -> None:
    shapes = {"table": AABB([-9, -9, -1], [9, 9, 0]), "a": Sphere([0, 0, 2], 1), "b": Sphere([1.5, 0, 2], 1)}
    session = Session(Scene({**shapes, "cup": Sphere([5, 0, 2], 1), "P": Point([7, 7, 7])}), size=SIZE)
    session.start.guide.begin()
    assert said(session).startswith("Drag cup into table.")
    session.select("cup")
    session.manipulation.tool.begin("translate", axis="x")
    type_keys(session, "minus", "2")
    assert session.scene.colliding_pairs().tolist() == [[1, 2], [2, 3]]
    assert said(session).startswith("Drag cup"), "it is the same as long as it is in hand"


def test_the_first_drag_of_the_first_scene_turns_two_shapes_red_that_were_not(app: App) -> None:
    open_example(app, "first")
    session = app.session
    text = session.start.guide.text
    assert text == "Drag the marble into the crate. What overlaps is red."
    assert "Try: drag the marble into the crate." in session.scene.caption, "they say one thing"
    numbers = [session.scene.element_numbers(name)[0] for name in ("marble", "crate")]
    flags = shape_flags(session.scene, session.scene.contacts(), ())
    assert not flags[numbers].any()
    start, end = (
        session.viewport.project(session.scene[name].bounds().center[None])[0][0] for name in ("marble", "crate")
    )
    app.stage.send("press", Pointer(*start, "left"))
    app.stage.send("move", Pointer(*end, "left"))
    flags = shape_flags(session.scene, session.scene.contacts(), session.selected)
    assert (flags[numbers] & ShapeFlags.HIT).all(), "while it is in hand, too"
    app.stage.send("release", Pointer(*end, "left"))
    assert session.start.guide.text.startswith("Press ]")


def test_a_hint_says_what_the_caption_does_and_tears_no_robot_apart() -> None:
    parts = {"hand": Sphere([0, 0, 0], 1), "forearm": Sphere([1, 0, 0], 1), "floor": HalfSpace([0, 0, -3], [0, 0, 1])}
    robot = Scene(parts, ignored=[("hand", "forearm")])
    session = Session(robot, size=SIZE)
    session.start.guide.begin()
    assert said(session).startswith("Shift+E explains"), "each shape is a part of one whole"
    session = Session(robot.replaced(shapes={**parts, "cup": Sphere([5, 0, 0], 1)}), size=SIZE)
    session.start.guide.begin()
    assert said(session).startswith("Drag cup into ")
    session = Session(robot.replaced(caption="A robot. Try: drag the robot by its handles. It falls."), size=SIZE)
    session.start.guide.begin()
    assert said(session) == "Drag the robot by its handles. What overlaps is red."


def test_a_hint_to_drag_goes_when_a_motion_plays() -> None:
    moves = Motion("a", times=[0, 1], offsets=[[0, 0, 0], [1, 0, 0]])
    session = Session(SCENE.replaced(motion=[moves]), size=SIZE)
    session.start.guide.begin()
    assert said(session).startswith("Drag")
    session.player.scrub(0.5)
    assert not said(session).startswith("Drag")


def test_a_locked_scene_says_how_it_is_unlocked(session: Session) -> None:
    session.manipulation.tool.switch_lock()
    assert said(session).startswith("Press Shift+L")


def test_escape_ends_it_where_there_is_nothing_else_to_end(session: Session) -> None:
    session.select("a")
    session.key("Escape")
    assert said(session), "that was the selection"
    session.key("Escape")
    assert said(session) == ""
    assert session.start.guide.over


def test_a_click_on_its_cross_ends_it_and_pictures_do_not_have_it(app: App) -> None:
    open_example(app, "first")
    session = app.session
    with_guide = app.stage.image()
    (panel,) = (d for d in present(session) if isinstance(d, Panel) and d.fleeting)
    assert "Try:" in session.scene.caption
    assert not any("Try:" in row.text for d in present(session) if isinstance(d, Panel) for row in d.rows)
    plain = Session(session.scene.replaced(caption=session.scene.caption.partition(" Try: ")[0]), size=SIZE)
    plain.view.set_camera(session.viewport.camera)
    assert np.array_equal(viewer.snapshot(session), viewer.snapshot(plain))
    places = ((x, y) for x in range(400, SIZE[0], 20) for y in range(2, 400, 4))
    at = next(place for place in places if app.stage.panel_at(*place)[1] == panel.rows[-1])
    app.stage.send("press", Pointer(*at, "left"))
    assert session.start.guide.over
    assert np.any(app.stage.image() != with_guide)


def test_nobody_is_led_twice_and_new_scenes_lead_nobody(app: App) -> None:
    open_example(app, "first")
    assert app.session.start.guide.text
    app.stage.send("key", Key("e", ctrl=True))
    open_example(app, "slope")
    assert app.session.start.guide.text, "it was not followed to the end yet"
    app.session.start.guide.end()
    app.stage.send("key", Key("e", ctrl=True))
    open_example(app, "first")
    assert not app.session.start.guide.text
    app.stage.send("key", Key("n", ctrl=True))
    assert not app.session.start.guide.text


def test_a_session_by_itself_leads_nobody() -> None:
    session = Session(SCENE, size=SIZE)
    assert (said(session), session.start.guide.over) == ("", False)
