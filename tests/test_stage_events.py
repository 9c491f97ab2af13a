"""What the user does reaches the handlers, and nothing of VTK's or PyVista's own reacts to it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from collision import Camera, Sphere
from tests.desk import Desk
from tests.windows import MARKS
from viewer.records.drawables import Solid
from viewer.records.events import Key, Pointer, Resized
from viewer.stage import gl
from viewer.stage.events import Handlers
from viewer.stage.stage import Stage

SIZE = (320, 240)
CAMERA = Camera((4.0, -5.0, 3.0))
ROOT = Path(__file__).parent.parent


@pytest.fixture
def desk() -> Iterator[Desk]:
    with Stage.offscreen(SIZE) as stage:
        stage.draw([Solid.of(Sphere([[0, 0, 0]], 1), np.zeros(1, np.uint8))], CAMERA)
        stage.render()
        yield Desk(stage, Handlers())


def test_handlers_get_what_happened(desk: Desk) -> None:
    press, move, release, key = (desk.heard(kind) for kind in ("press", "move", "release", "key"))
    desk.mouse("LeftButtonPressEvent", 10, 20, shift=True)
    desk.mouse("MouseMoveEvent", 11, 22)
    desk.mouse("LeftButtonReleaseEvent", 12, 24, ctrl=True)
    desk.mouse("RightButtonPressEvent", 1, 2, alt=True)
    desk.mouse("RightButtonReleaseEvent", 1, 2)
    desk.mouse("MouseMoveEvent", 13, 26)
    desk.key("Left", "L")
    assert press == [Pointer(10, 20, "left", shift=True), Pointer(1, 2, "right", alt=True)]
    assert move == [Pointer(11, 22, "left"), Pointer(13, 26)]
    assert release == [Pointer(12, 24, "left", ctrl=True), Pointer(1, 2, "right")]
    assert key == [Key("Left")]


def test_a_double_click_is_a_press(desk: Desk) -> None:
    press = desk.heard("press")
    desk.mouse("LeftButtonDoubleClickEvent", 5, 6)
    assert press == [Pointer(5, 6, "left")]


def drag(desk: Desk, button: str, **modifiers: bool) -> Camera:
    desk.mouse(f"{button}ButtonPressEvent", 100, 100, **modifiers)
    desk.mouse("MouseMoveEvent", 130, 110, **modifiers)
    desk.mouse(f"{button}ButtonReleaseEvent", 130, 110, **modifiers)
    return desk.stage.camera


@pytest.mark.parametrize("button", ["Left", "Middle"])
def test_a_drag_on_nothing_turns_the_camera(desk: Desk, button: str) -> None:
    moved = drag(desk, button)
    assert moved.target == CAMERA.target
    assert moved.position != CAMERA.position
    assert np.linalg.norm(moved.position) == pytest.approx(np.linalg.norm(CAMERA.position))


@pytest.mark.parametrize(("button", "shift"), [("Middle", True), ("Left", True), ("Right", False)])
def test_other_drags_pan(desk: Desk, button: str, shift: bool) -> None:
    moved = drag(desk, button, shift=shift)
    np.testing.assert_allclose(np.subtract(moved.position, moved.target), CAMERA.position, rtol=1e-12)
    assert moved.target != CAMERA.target


def test_the_wheel_zooms(desk: Desk) -> None:
    desk.mouse("MouseWheelForwardEvent", 160, 120)
    assert np.linalg.norm(desk.stage.camera.position) == pytest.approx(0.85 * np.linalg.norm(CAMERA.position))
    desk.mouse("MouseWheelBackwardEvent", 160, 120)
    np.testing.assert_allclose(desk.stage.camera.position, CAMERA.position)


def test_a_consumed_press_leaves_the_camera_alone(desk: Desk) -> None:
    desk.heard("press", consume=True)
    assert drag(desk, "Left").position == CAMERA.position


def test_a_consumed_move_leaves_the_camera_alone(desk: Desk) -> None:
    desk.heard("move", consume=True)
    assert drag(desk, "Left").position == CAMERA.position


def test_after_the_release_the_camera_stays(desk: Desk) -> None:
    drag(desk, "Left")
    before = desk.stage.camera
    desk.mouse("MouseMoveEvent", 200, 200)
    assert desk.stage.camera == before


@pytest.mark.parametrize("symbol", ["q", "e", "w", "s", "p", "3", "r", "f", "j", "t", "Up"])
def test_no_key_does_anything_by_itself(desk: Desk, symbol: str) -> None:
    exits: list[str] = []
    desk.interactor.AddObserver("ExitEvent", lambda *_: exits.append("exit"))
    style = desk.interactor.GetInteractorStyle()
    representations = [actor.GetProperty().GetRepresentation() for actor in desk.stage._solids.actors]
    desk.key(symbol, symbol[0])
    assert exits == []
    assert desk.stage.camera.position == CAMERA.position
    assert [a.GetProperty().GetRepresentation() for a in desk.stage._solids.actors] == representations
    assert desk.interactor.GetInteractorStyle() is style
    assert not desk.interactor.GetRenderWindow().GetStereoRender()


def test_the_last_handler_comes_first_and_may_consume() -> None:
    order: list[str] = []
    handlers = Handlers()
    handlers.add("key", lambda _: order.append("first"))
    handlers.add("key", lambda _: bool(order.append("second")))
    assert not handlers.send("key", Key("a"))
    assert order == ["second", "first"]
    handlers.add("key", lambda _: True)
    assert handlers.send("key", Key("a"))
    assert order == ["second", "first"]


def test_an_unknown_kind_is_refused() -> None:
    with Stage.offscreen((64, 48)) as stage, pytest.raises(ValueError, match="press, move, release, wheel, key"):
        stage.on("click", lambda _: None)  # type: ignore[arg-type]


def test_events_can_be_sent_without_a_window() -> None:
    heard: list[Resized] = []
    with Stage.offscreen((64, 48)) as stage:
        stage.on("resize", heard.append)
        assert not stage.send("resize", Resized(10, 20))
        stage.stop()  # nothing runs: nothing happens
    assert heard == [Resized(10, 20)]


def in_a_window(test: Callable[..., None]) -> Callable[..., None]:
    """Mark a test with all that one of windows is marked with."""
    for mark in MARKS:
        test = mark(test)
    return test


PROGRAM = """
import json, sys
import numpy as np
from collision import Camera, Sphere
from viewer.records.drawables import Panel, Row, Solid
from viewer.stage.stage import Stage
from tests.test_stage_events import CAMERA

stage = Stage.window((400, 300), "stage test window")
heard = []
def hear(kind):
    def handler(event):
        shown = [event.x, event.y, event.button] if kind in ("press", "move", "release") else None
        heard.append([kind, getattr(event, "symbol", shown)])
        if kind == "key" and event.symbol == "x":
            stage.stop()
        return kind == "press" and event.ctrl
    return handler
for kind in ("press", "move", "release", "key", "camera", "resize"):
    stage.on(kind, hear(kind))
ball = Solid.of(Sphere([[0, 0, 0]], 1), np.ones(1, np.uint8))
stage.draw([ball, Panel("upper-left", (Row("text"),))], CAMERA)
%s
stage.start()
image = stage.image().astype(int)
red = int(((image[..., 0] > 110) & (image[..., 0] > 2 * image[..., 1])).sum())
plate = int((image == 255).all(axis=-1).sum())
print(json.dumps({"heard": heard, "position": stage.camera.position, "red": red, "plate": plate, "size": stage.size}))
stage.close()
"""

#: Plays a user from inside the window's own event loop.
SCRIPT = """
moves = [("LeftButtonPressEvent", 200, 150), ("MouseMoveEvent", 220, 150), ("MouseMoveEvent", 240, 150),
         ("LeftButtonReleaseEvent", 240, 150), ("MouseMoveEvent", 300, 200), ("KeyPressEvent", "q"), ("CharEvent", "q"),
         ("KeyPressEvent", "x")]
interactor = stage.plotter.iren.interactor
def act(*_):
    name, *what = moves.pop(0)
    if what[0] in ("q", "x"):
        interactor.SetKeySym(what[0]); interactor.SetKeyCode(what[0])
    else:
        interactor.SetEventInformation(*what, 0, 0)
    interactor.InvokeEvent(name)
interactor.AddObserver("TimerEvent", act)
interactor.Initialize()
interactor.CreateRepeatingTimer(50)
"""


def start(program: str, display: str) -> subprocess.Popen[str]:
    environment = {name: value for name, value in os.environ.items() if name != gl.WINDOW_VARIABLE}
    return subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=environment | {"DISPLAY": display},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def outcome(process: subprocess.Popen[str]) -> dict[str, Any]:
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    answer: dict[str, Any] = json.loads(out.splitlines()[-1])
    return answer


@in_a_window
def test_a_window_shows_the_picture_and_follows_the_user(display: str) -> None:
    found = outcome(start(PROGRAM % SCRIPT, display))
    kinds = [kind for kind, _ in found["heard"] if kind != "resize"]
    # The last move comes after the release and leaves the camera alone; q is a key like any other.
    assert kinds == ["press", "move", "camera", "move", "camera", "release", "move", "key", "key"]
    assert found["heard"][-1] == ["key", "x"]
    assert found["position"] != list(CAMERA.position)
    assert found["red"] > 3000
    assert found["plate"] > 500


def pointer(display: str, *words: str) -> str:
    done = subprocess.run(
        ["xdotool", *words], env=os.environ | {"DISPLAY": display}, capture_output=True, text=True, check=False
    )
    return done.stdout.strip()


@in_a_window
def test_a_real_mouse_turns_the_camera(display: str) -> None:
    process = start(PROGRAM % "", display)
    window = ""
    deadline = time.monotonic() + 60
    while not window and time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.3)
        window = pointer(display, "search", "--name", "stage test window").partition("\n")[0]
    assert window, process.communicate()[1] if process.poll() is not None else "no window"
    time.sleep(2.0)  # its loop has begun
    steps = ["mousemove 200 150", "mousedown 1", "mousemove 230 150", "mousemove 260 150", "mouseup 1"]
    steps += ["keydown ctrl", "mousedown 1", "mousemove 100 150", "mouseup 1", "keyup ctrl", "key q", "key e", "key x"]
    for step in steps:
        action, *rest = step.split()
        where = ["--window", window] if action == "mousemove" else []
        pointer(display, action, *where, *rest)
        time.sleep(0.25)
    found = outcome(process)
    kinds = [kind for kind, _ in found["heard"]]
    assert kinds.count("press") == kinds.count("release") == 2
    assert kinds.count("camera") >= 1
    first_press, second_press = [n for n, kind in enumerate(kinds) if kind == "press"]
    assert "camera" in kinds[first_press:second_press]
    assert "camera" not in kinds[second_press:]  # the handler consumed it
    assert [what for kind, what in found["heard"] if kind == "key"][-3:] == ["q", "e", "x"]
