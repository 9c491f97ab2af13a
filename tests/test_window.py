"""A real window on a real X server, driven by a real mouse and real keys, and judged by what is on the screen."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import numpy as np
import pytest

from tests.helpers import red_pixels
from tests.windows import MARKS, PATIENCE, SCENE, SIZE, Display, Window, hosted_window, opened_window
from viewer.gizmo import AXIS_LENGTH

pytestmark = MARKS

PROGRAM = f"""
import json
from collision import AABB, Capsule, Scene, Sphere
from viewer.studio.app import run

def say(session):
    camera = session.viewport.camera
    print(json.dumps({{
        "selection": session.document.active,
        "dragging": session.manipulation.tool.dragging,
        "pairs": session.scene.colliding_pairs().tolist(),
        "ball": session.scene["ball"].values()["center"].tolist(),
        "arm": {{name: value.tolist() for name, value in session.scene["arm"].values().items()}},
        "help": session.settings.toggles.help,
        "size": session.viewport.size,
        "position": camera.position,
        "target": camera.target,
    }}), flush=True)

left = run({SCENE}, size={SIZE}, watch=say)
print(json.dumps({{"left": left["ball"].values()["center"].tolist()}}), flush=True)
"""


@pytest.fixture
def window(display: Display) -> Iterator[Window]:
    with opened_window(display, PROGRAM) as opened:
        yield opened


def amber_pixels(image: np.ndarray) -> int:
    red, green, blue = np.moveaxis(image.astype(int), -1, 0)
    return int(np.sum((red > 150) & (red > green + 25) & (green > 1.3 * blue)))


def arrow_tip(window: Window, axis: int, moved: float = 0.0) -> tuple[int, int]:
    """Return where the tip of an arrow of the ball is on the screen, when the ball has moved that way along it."""
    unit = window.model.viewport.units_per_pixel([0, 0, 0])
    return window.pixel(*((0.9 * AXIS_LENGTH * unit + moved) * np.eye(3)[axis]))


def test_a_drag_with_the_mouse_turns_a_pair_red_and_back(window: Window) -> None:
    assert red_pixels(window.image()) < 200
    window.click(window.pixel(0, 0, 1))
    window.wait(lambda said: said["selection"] == "ball", "the ball is selected")
    calm = window.settled(lambda image: amber_pixels(image) > 1000, "an amber rim around the ball")
    assert red_pixels(calm) < 1000

    start = arrow_tip(window, 0)
    step = np.subtract(arrow_tip(window, 0, moved=1.5), start)
    window.to(start)
    window.xdotool("mousedown", 1)
    window.wait(lambda said: said["dragging"], "a handle is in hand")
    for part in np.linspace(0.1, 1.0, 8):
        window.to((round(start[0] + part * step[0]), round(start[1] + part * step[1])))
    said = window.wait(lambda said: said["pairs"] == [[0, 1]], "ball and box collide")
    assert said["dragging"]
    window.settled(lambda image: red_pixels(image) > red_pixels(calm) + 4000, "a red pair")
    said = window.wait(lambda said: abs(said["ball"][0] - 1.5) < 0.05, "the ball is under the cursor")
    assert said["ball"][1:] == [0.0, 0.0]

    for part in np.linspace(0.9, 0.0, 8):
        window.to((round(start[0] + part * step[0]), round(start[1] + part * step[1])))
    window.wait(lambda said: said["pairs"] == [] and said["ball"] == [0.0, 0.0, 0.0], "nothing collides any more")
    window.settled(lambda image: red_pixels(image) < 1000, "no red")
    window.xdotool("mouseup", 1)
    window.wait(lambda said: not said["dragging"], "the handle is let go")


def test_the_end_of_a_capsule_is_dragged_alone(window: Window) -> None:
    window.click(window.pixel(-3, -0.4, 0.3))
    window.wait(lambda said: said["selection"] == "arm", "the capsule is selected")
    start = window.pixel(-3, 0, 1)
    window.to(start)
    window.xdotool("mousedown", 1)
    window.wait(lambda said: said["dragging"], "the end is in hand")
    window.to((start[0] + 60, start[1] + 30))
    said = window.wait(lambda said: said["arm"]["end"] != [-3.0, 0.0, 1.0], "the end has moved")
    assert said["arm"]["start"] == [-3.0, 0.0, -1.0]
    window.xdotool("mouseup", 1)
    window.wait(lambda said: not said["dragging"], "the end is let go")


def test_escape_drops_a_drag_and_then_the_selection(window: Window) -> None:
    window.click(window.pixel(0, 0, 1))
    window.wait(lambda said: said["selection"] == "ball", "the ball is selected")
    start = arrow_tip(window, 2)
    window.to(start)
    window.xdotool("mousedown", 1)
    window.to((start[0], start[1] - 60))
    window.wait(lambda said: said["ball"][2] > 0.3, "the ball is lifted")
    window.xdotool("key", "Escape")
    said = window.wait(lambda said: said["ball"] == [0.0, 0.0, 0.0], "the ball is back")
    assert not said["dragging"]
    assert said["selection"] == "ball"
    window.xdotool("mouseup", 1)
    window.xdotool("key", "Escape")
    window.wait(lambda said: said["selection"] is None, "nothing is selected")
    window.settled(lambda image: amber_pixels(image) < 500, "no amber")


def test_keys_nudge_undo_frame_and_help(window: Window) -> None:
    window.click(window.pixel(0, 0, 1))
    first = window.wait(lambda said: said["selection"] == "ball", "the ball is selected")
    window.xdotool("key", "Right")
    said = window.wait(lambda said: said["ball"][0] > 0.0, "the ball is nudged")
    assert said["ball"][1:] == [0.0, 0.0]
    window.xdotool("key", "shift+Up")
    window.wait(lambda said: said["ball"][2] > 0.0, "the ball is nudged up")
    window.xdotool("key", "ctrl+z")
    window.xdotool("key", "ctrl+z")
    window.wait(lambda said: said["ball"] == [0.0, 0.0, 0.0], "both nudges are undone")
    before = window.settled(lambda image: amber_pixels(image) > 1000, "an amber rim")
    window.xdotool("key", "f")
    said = window.wait(lambda said: said["position"] != first["position"], "the camera goes to the ball")
    assert said["target"] == pytest.approx([0.0, 0.0, 0.0], abs=0.2)
    plain = window.settled(lambda image: amber_pixels(image) > 1.3 * amber_pixels(before), "a larger ball")
    window.xdotool("key", "question")
    window.wait(lambda said: said["help"], "the help is on")
    window.settled(lambda image: np.mean(np.any(image != plain, axis=-1)) > 0.2, "the keys")
    window.xdotool("key", "h")
    window.wait(lambda said: not said["help"], "the help is off")
    window.settled(lambda image: np.mean(np.any(image != plain, axis=-1)) < 0.01, "the same picture, but for a label")


def test_a_drag_beside_the_shapes_turns_the_view_and_selects_nothing(window: Window) -> None:
    first = window.said
    at = window.pixel(0, 0, -3)
    window.to(at)
    window.xdotool("mousedown", 1)
    window.to((at[0] + 80, at[1]))
    said = window.wait(lambda said: said["position"] != first["position"], "the camera has turned")
    window.xdotool("mouseup", 1)
    assert said["selection"] is None
    assert said["target"] == first["target"]
    window.xdotool("click", 4)
    nearer = window.wait(lambda said: said["target"] != first["target"], "the wheel has zoomed")
    assert np.linalg.norm(np.subtract(nearer["position"], nearer["target"])) < np.linalg.norm(
        np.subtract(first["position"], first["target"])
    )


def test_q_closes_the_window_and_run_returns_the_scene_as_it_was_left(display: Display) -> None:
    with opened_window(display, PROGRAM, own=True) as window:
        _closed_by_q(window)


def _closed_by_q(window: Window) -> None:
    window.click(window.pixel(0, 0, 1))
    window.wait(lambda said: said["selection"] == "ball", "the ball is selected")
    window.xdotool("key", "Up")
    moved = window.wait(lambda said: said["ball"][2] > 0.0, "the ball is nudged")["ball"]
    window.xdotool("key", "q")
    assert window.wait(lambda said: "left" in said, "goodbye")["left"] == moved
    assert window.process.wait(PATIENCE) == 0


def test_a_window_is_no_larger_than_the_screen(display: Display) -> None:
    program = PROGRAM.replace(f"size={SIZE}", "size=(4000, 3000)").replace(
        "def say(session):", "def say(session):\n    session.close()"
    )
    with hosted_window(display, program) as window:
        width, height = window.wait(lambda said: "size" in said, "hello")["size"]
    assert width < 4000
    assert width / height == pytest.approx(4 / 3, rel=0.01)


#: While something is dragged, the processor draws edges as they are; once it is let go, they are smooth again.
HASTE = """
import numpy as np
from collision import Camera, Sphere
from viewer.stage import gl
from viewer.records.drawables import Solid
from viewer.stage.stage import Stage

stage = Stage.window((320, 240))
stage.on("move", lambda event: stage.render() or True)
stage.draw([Solid.of(Sphere([[0, 0, 0]], 1), np.zeros(1, np.uint8))], Camera((4, -4, 3)))
stage.plotter.show(auto_close=False, interactive=False)
wired = stage.plotter.iren.interactor

def seen(event, x):
    wired.SetEventInformation(x, 100)
    wired.InvokeEvent(event)
    return len(np.unique(stage.image().reshape(-1, 3), axis=0))

stage.smooth = False
rough = len(np.unique(stage.image().reshape(-1, 3), axis=0))
stage.smooth = True
smooth = seen("MouseMoveEvent", 100)
facts = stage.plotter.render_window.ReportCapabilities().splitlines()
slow = any(gl.is_software(fact) for fact in facts if "renderer string" in fact)
assert rough != smooth
assert seen("LeftButtonPressEvent", 100) == smooth
assert seen("MouseMoveEvent", 101) == (rough if slow else smooth)
frames = []
stage.plotter.render_window.AddObserver("EndEvent", lambda *_: frames.append("frame"))
wired.InvokeEvent("LeftButtonReleaseEvent")
assert len(frames) == slow  # what was drawn in haste is drawn again
assert seen("MouseMoveEvent", 102) == smooth
print("as it should be" if slow else "a graphics card draws")
"""


def test_edges_are_smoothed_when_a_drag_is_over(display: str) -> None:
    environment = {**os.environ, "DISPLAY": display}
    environment.pop("VTK_DEFAULT_OPENGL_WINDOW", None)
    command = [sys.executable, "-c", HASTE]
    done = subprocess.run(command, env=environment, check=False, capture_output=True, text=True, timeout=PATIENCE)
    assert done.stdout.strip() in ("as it should be", "a graphics card draws"), done.stderr
