"""The stage's events become commands, and the session becomes pictures: a real stage without a window."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import numpy as np
import pytest

from collision import AABB, Camera, Scene, Sphere
from tests.helpers import free_key, pixel, red_pixels
from viewer import as_scene
from viewer.gizmo import AXIS_LENGTH
from viewer.picture.present import present
from viewer.records.events import Button, Key, Pointer, Resized
from viewer.records.sizes import DEFAULT
from viewer.session import Session
from viewer.stage import gl
from viewer.stage.stage import Stage
from viewer.studio import app
from viewer.studio.app import App, NoDisplay, run

SIZE = (480, 360)
SCENE = Scene({"ball": Sphere([0, 0, 0], 1), "box": AABB([2, -1, -1], [4, 1, 1])})


@pytest.fixture
def bound() -> Iterator[App]:
    with Stage.offscreen(SIZE) as stage:
        yield App(Session(SCENE, size=SIZE), stage)


def test_a_drag_turns_the_picture_red_and_back(bound: App) -> None:
    session, stage = bound.session, bound.stage
    x, y = pixel(session, 0, 0, 1)
    assert stage.send("press", Pointer(x, y, "left"))
    stage.send("release", Pointer(x, y, "left"))
    assert session.document.active == "ball"
    calm = red_pixels(stage.image())

    unit = session.viewport.units_per_pixel([0, 0, 0])
    start = pixel(session, 0.9 * AXIS_LENGTH * unit, 0, 0)
    end = np.add(start, np.subtract(pixel(session, 1.5, 0, 0), pixel(session, 0, 0, 0)))
    assert stage.send("press", Pointer(*start, "left"))
    assert stage.send("move", Pointer(*end, "left"))
    assert session.scene.colliding_pairs().tolist() == [[0, 1]]
    assert red_pixels(stage.image()) > calm + 2000
    assert stage.send("move", Pointer(*start, "left"))
    assert red_pixels(stage.image()) <= calm  # the arrow in hand is not red
    assert stage.send("release", Pointer(*start, "left"))
    assert session.scene == SCENE


def test_labels_go_back_where_they_were_when_the_view_is_reset() -> None:
    with Stage.offscreen(DEFAULT) as stage:
        stage.steady()
        bound = App(Session(as_scene("first"), size=DEFAULT), stage)
        bound.refresh()
        first = stage.image().copy()
        for _ in range(4):
            bound.session.view.orbit(75, -24)
            bound.refresh()
            stage.render()
        bound.session.key("R", shift=True)
        bound.refresh()
        assert np.array_equal(stage.image(), first)


def test_other_buttons_belong_to_the_camera(bound: App) -> None:
    x, y = pixel(bound.session, 0, 0, 1)
    buttons: tuple[Button, ...] = ("middle", "right")
    for button, selected in zip(buttons, (None, "ball"), strict=True):  # a menu is about what is clicked on
        assert bound.stage.send("press", Pointer(x, y, button)) is False
        assert bound.stage.send("release", Pointer(x, y, button)) is False
        assert bound.session.document.active == selected


def test_alt_and_the_other_buttons_turn_the_camera_from_anywhere(bound: App) -> None:
    session, stage = bound.session, bound.stage
    x, y = pixel(session, 0, 0, 1)
    held: tuple[tuple[Button, bool], ...] = (("left", True), ("middle", False), ("right", False))
    for button, alt in held:
        assert stage.send("press", Pointer(x, y, button, alt=alt)) is False
        assert stage.send("move", Pointer(x + 60, y, button, alt=alt)) is False
        assert session.manipulation.pointing.hovered is None
        assert stage.send("release", Pointer(x + 60, y, button, alt=alt)) is False
        assert (session.scene, session.selected) == (SCENE, ())
    assert stage.send("press", Pointer(x, y, "left"))
    assert stage.send("press", Pointer(x, y, "right")) is False  # in the middle of a drag
    assert stage.send("move", Pointer(x + 60, y, "right"))
    stage.send("release", Pointer(x + 60, y, "left"))
    assert session.scene != SCENE
    assert not session.pending


def test_the_pointer_is_a_hand_over_what_a_press_takes(bound: App) -> None:
    session, stage = bound.session, bound.stage
    window = stage.plotter.render_window
    assert window is not None
    stage.send("move", Pointer(1.0, SIZE[1] / 2))
    arrow = window.GetCurrentCursor()
    x, y = pixel(session, 0, 0, 0)
    stage.send("move", Pointer(x, y))
    assert session.manipulation.pointing.hovered == "ball"
    assert window.GetCurrentCursor() != arrow
    session.manipulation.tool.switch_lock()
    stage.send("move", Pointer(x + 1, y))
    assert session.manipulation.pointing.hovered == "ball"
    assert window.GetCurrentCursor() == arrow
    row = next(room for room in stage.covered(present(session)))
    stage.send("move", Pointer(0.5 * (row.left + row.right) * SIZE[0], 0.5 * (row.bottom + row.top) * SIZE[1]))
    assert session.manipulation.pointing.hovered is None


def test_after_a_click_of_the_wheel_it_is_looked_again_what_is_under_the_pointer(bound: App) -> None:
    x, y = pixel(bound.session, 0, 0, 0)
    bound.stage.send("move", Pointer(x, y))
    camera = bound.session.viewport.camera
    bound.stage.send("camera", Camera(camera.position, (50.0, 0.0, 0.0)))
    assert bound.session.manipulation.pointing.hovered is None
    bound.stage.send("camera", camera)
    assert bound.session.manipulation.pointing.hovered == "ball"


def test_a_function_of_the_user_that_fails_ends_the_drag_and_is_told_in_the_window(bound: App) -> None:
    def fails(scene: Scene) -> Scene:
        raise RuntimeError("no such gear")

    session, stage = bound.session, bound.stage
    session.react_with(fails)
    x, y = pixel(session, 0, 0, 0)
    stage.send("press", Pointer(x, y, "left"))
    with pytest.raises(RuntimeError, match="gear"):
        stage.send("move", Pointer(x + 60, y, "left"))
    assert session.notice == "RuntimeError: no such gear (the terminal says where)"
    assert (session.pending, session.scene) == (False, SCENE)
    stage.send("move", Pointer(x + 90, y, "left"))  # nothing is in hand any more
    stage.send("release", Pointer(x + 90, y, "left"))
    assert session.scene == SCENE


def test_keys_are_commands(bound: App) -> None:
    bound.session.select("ball")
    assert bound.stage.send("key", Key("Up"))
    assert bound.session.scene["ball"].values()["center"][2] > 0.0
    assert bound.stage.send("key", Key("z", ctrl=True))
    assert bound.session.scene is SCENE
    assert bound.stage.send("key", Key(free_key())) is False
    before = bound.stage.image()
    assert bound.stage.send("key", Key("h"))
    middle = np.s_[SIZE[1] // 3 : -SIZE[1] // 3, SIZE[0] // 3 : -SIZE[0] // 3]
    assert np.mean(np.any(bound.stage.image()[middle] != before[middle], axis=-1)) > 0.3


def test_the_users_camera_is_the_sessions_camera(bound: App) -> None:
    camera = Camera((0, -30, 5))
    bound.stage.send("camera", camera)
    assert bound.session.viewport.camera == camera
    assert bound.stage.camera == camera


def test_a_drag_and_a_run_of_the_wheel_are_each_one_change_of_the_view(bound: App) -> None:
    session, stage = bound.session, bound.stage
    first, views = session.viewport.camera, []
    for places in ([(0, -30, 5), (2, -30, 5)], [(5, -30, 5), (6, -30, 5)]):
        assert stage.send("press", Pointer(5, 300, "left")) is False
        for place in places:
            stage.send("camera", Camera(place))
        stage.send("release", Pointer(5, 300, "left"))
        views.append(session.viewport.camera)
    for place in [(7, -20, 5), (7, -10, 5)]:
        stage.send("camera", Camera(place))
    for view in (*reversed(views), first):
        stage.send("key", Key("z", alt=True))
        assert session.viewport.camera == view
        assert stage.camera == view
    assert not session.view.undoable


def test_a_framed_selection_moves_the_stages_camera(bound: App) -> None:
    bound.session.select("box")
    bound.stage.send("key", Key("f"))
    assert bound.stage.camera.position == pytest.approx(bound.session.viewport.camera.position)
    x, y = pixel(bound.session, 3, 0, 0)
    assert (x, y) == pytest.approx((SIZE[0] / 2, SIZE[1] / 2), abs=20)


def test_a_resize_reaches_the_session(bound: App) -> None:
    bound.stage.send("resize", Resized(640, 360))
    assert bound.session.viewport.size == (640, 360)


def test_no_panel_of_a_window_covers_a_shape() -> None:
    titled = SCENE.replaced(title="A ball before a box, and a long title", caption="What there is to say. " * 12)
    with Stage.offscreen(SIZE) as stage:
        session = App(Session(titled, size=SIZE), stage).session
        for room in stage.covered(present(session)):
            x, y = np.meshgrid(np.linspace(room.left, room.right, 9), np.linspace(room.bottom, room.top, 9))
            assert not (session.scene.raycast(session.viewport.ray(x * SIZE[0], y * SIZE[1])).element >= 0).any()


def test_nothing_is_drawn_anew_when_nothing_changed(bound: App) -> None:
    assert bound.draw() is False
    bound.session.select("ball")
    assert bound.draw() is True
    assert bound.draw() is False


def test_a_watcher_hears_of_every_change() -> None:
    heard = []
    with Stage.offscreen(SIZE) as stage:
        App(Session(SCENE, size=SIZE), stage, lambda session: heard.append(session.document.active))
        stage.send("key", Key("Tab"))
        stage.send("key", Key("Tab"))
        stage.send("key", Key("Escape"))
    assert heard == [None, "ball", "box", None]


def test_q_stops_the_stage(bound: App, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = []
    monkeypatch.setattr(bound.stage, "stop", lambda: stopped.append(True))
    bound.stage.send("key", Key("q"))
    assert stopped == [True]


def test_without_a_display_one_sentence_says_what_to_use_instead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "has_display", lambda: False)
    with pytest.raises(NoDisplay) as caught:
        run(SCENE)
    text = str(caught.value)
    assert "\n" not in text
    for words in ("no display", "collision-viewer render", "collision-viewer check", "xvfb-run"):
        assert words in text


def test_an_unknown_view_is_refused_before_a_window_opens() -> None:
    with pytest.raises(ValueError, match="view must be one of"):
        run(SCENE, view="inside")


def test_importing_the_app_loads_no_renderer() -> None:
    code = "import sys, viewer.studio.app; print([m for m in ('pyvista', 'vtk', 'vtkmodules') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_no_display_is_told_apart_from_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gl, "_is_linux", lambda: True)
    monkeypatch.delenv("DISPLAY", raising=False)
    assert gl.has_display() is False
