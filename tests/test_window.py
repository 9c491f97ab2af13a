"""A real window on a real X server, driven by a real mouse and real keys, and judged by what is on the screen.

Where there is no display, the tests start Xvfb. They need xdotool, and they run the window in a process of its own,
which writes down what the session says after every change.
"""

from __future__ import annotations

import json
import os
import queue
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from PIL import ImageGrab

from collision import AABB, Camera, Capsule, Scene, Sphere
from tests.helpers import red_pixels
from viewer.gizmo import AXIS_LENGTH
from viewer.session import Session
from viewer.session.commands import help_pages

pytestmark = [
    pytest.mark.window,
    pytest.mark.xdist_group("display"),  # one X server at a time: two that start together may take the same number
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="drives an X server"),
    pytest.mark.skipif(
        not os.environ.get("DISPLAY") and shutil.which("Xvfb") is None, reason="neither a display nor Xvfb is there"
    ),
    pytest.mark.skipif(shutil.which("xdotool") is None, reason="xdotool is not there"),
]

SIZE = (640, 480)
TITLE = "A window to test"
SCENE = f"""Scene(
    {{
        "ball": Sphere([0, 0, 0], 1),
        "box": AABB([2, -1, -1], [4, 1, 1]),
        "arm": Capsule([-3, 0, -1], [-3, 0, 1], 0.4),
    }},
    title={TITLE!r},
)"""

PROGRAM = f"""
import json
from collision import AABB, Capsule, Scene, Sphere
from viewer.app import run

def say(session):
    camera = session.viewport.camera
    print(json.dumps({{
        "selection": session.selection,
        "dragging": session.dragging,
        "pairs": session.scene.colliding_pairs().tolist(),
        "ball": session.scene["ball"].values()["center"].tolist(),
        "arm": {{name: value.tolist() for name, value in session.scene["arm"].values().items()}},
        "help": session.toggles.help,
        "size": session.viewport.size,
        "position": camera.position,
        "target": camera.target,
    }}), flush=True)

left = run({SCENE}, size={SIZE}, watch=say)
print(json.dumps({{"left": left["ball"].values()["center"].tolist()}}), flush=True)
"""

#: Nobody waits this long where all is well; it only ends a test that hangs.
PATIENCE = 60.0


class Window:
    """The window's process: its mouse, its keys, its pixels and what its session says."""

    def __init__(self, process: subprocess.Popen[str], environment: dict[str, str]) -> None:
        self.process = process
        self.environment = environment
        self.said: dict[str, Any] = {}
        self.lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()
        self.origin = (0, 0)
        # The same scene in the same view, to know where things are in the picture.
        shapes = {"AABB": AABB, "Capsule": Capsule, "Scene": Scene, "Sphere": Sphere}
        self.model = Session(eval(SCENE, shapes), size=SIZE)

    def wait(self, condition: Callable[[dict[str, Any]], bool], what: str) -> dict[str, Any]:
        """Read what the session says until a condition holds."""
        while not (self.said and condition(self.said)):
            try:
                line = self.lines.get(timeout=PATIENCE)
            except queue.Empty:
                line = ""
            assert line, f"the window never said: {what}; its last words: {self.said}; exit code {self.process.poll()}"
            self.said = json.loads(line)
        return self.said

    def _listen(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as lines:
            for line in lines:
                self.lines.put(line)
        self.lines.put("")

    def xdotool(self, *words: object) -> str:
        command = ["xdotool", *map(str, words)]
        done = subprocess.run(
            command, env=self.environment, check=False, capture_output=True, text=True, timeout=PATIENCE
        )
        assert done.returncode == 0, (
            f"{' '.join(command)}: {done.stderr}; the window's exit code: {self.process.poll()}"
        )
        return done.stdout

    def find(self) -> None:
        """Wait for the window, and note where it is on the screen."""
        search, end = ["xdotool", "search", "--onlyvisible", "--name", TITLE], time.monotonic() + PATIENCE
        while not (found := subprocess.run(search, env=self.environment, check=False, capture_output=True).stdout):
            assert self.process.poll() is None, f"the window's process ended with code {self.process.poll()}"
            assert time.monotonic() < end, "the window never appeared"
            time.sleep(0.05)
        geometry = self.xdotool("getwindowgeometry", "--shell", int(found.split()[-1]))
        place = dict(line.split("=") for line in geometry.splitlines())
        self.origin = int(place["X"]), int(place["Y"])

    def pixel(self, *point: float) -> tuple[int, int]:
        """Return where a point is on the screen, whose origin is the upper left corner."""
        x, y = self.model.viewport.project(np.array(point))[0]
        return self.origin[0] + round(float(x)), self.origin[1] + SIZE[1] - 1 - round(float(y))

    def to(self, at: tuple[int, int]) -> None:
        self.xdotool("mousemove", *at)

    def click(self, at: tuple[int, int]) -> None:
        self.to(at)
        self.xdotool("click", 1)

    def image(self) -> np.ndarray:
        """Return what is on the screen where the window is."""
        x, y = self.origin
        grabbed = ImageGrab.grab(bbox=(x, y, x + SIZE[0], y + SIZE[1]), xdisplay=self.environment["DISPLAY"])
        return np.asarray(grabbed.convert("RGB"))

    def settled(self, condition: Callable[[np.ndarray], bool], what: str) -> np.ndarray:
        """Look at the screen until a condition holds: the X server draws when it comes to it."""
        end = time.monotonic() + PATIENCE
        while not condition(image := self.image()):
            assert time.monotonic() < end, f"the screen never showed: {what}"
            time.sleep(0.05)
        return image


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    own = os.environ.get("DISPLAY")
    if own:
        yield own
        return
    read, write = os.pipe()
    # Without -noreset it starts anew whenever a window was the last one, and refuses the next one meanwhile.
    command = ["Xvfb", "-displayfd", str(write), "-noreset", "-screen", "0", "1280x1024x24"]
    server = subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as answer:
        number = answer.readline().strip()
    assert number, "Xvfb did not start"
    yield f":{number}"
    server.terminate()
    server.wait()


@contextmanager
def opened_window(display: str, *command: str) -> Iterator[Window]:
    """Run a program that opens a window on the three shapes, and hand it out when it shows them."""
    environment = {**os.environ, "DISPLAY": display}
    environment.pop("VTK_DEFAULT_OPENGL_WINDOW", None)
    process = subprocess.Popen([sys.executable, "-c", *command], env=environment, stdout=subprocess.PIPE, text=True)
    opened = Window(process, environment)
    try:
        said = opened.wait(lambda said: "size" in said, "hello")
        opened.model.set_camera(Camera(tuple(said["position"]), tuple(said["target"])))
        opened.find()
        opened.to(opened.pixel(0, 0, -3))
        opened.settled(lambda image: blue_pixels(image) > 10_000, "three calm shapes")
        yield opened
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def window(display: str) -> Iterator[Window]:
    with opened_window(display, PROGRAM) as opened:
        yield opened


def blue_pixels(image: np.ndarray) -> int:
    red, _, blue = np.moveaxis(image.astype(int), -1, 0)
    return int(np.sum(blue > red + 15))


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
    calm = window.settled(lambda image: amber_pixels(image) > 2000, "an amber ball")
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
    before = window.settled(lambda image: amber_pixels(image) > 1000, "an amber ball")
    window.xdotool("key", "f")
    said = window.wait(lambda said: said["position"] != first["position"], "the camera goes to the ball")
    assert said["target"] == pytest.approx([0.0, 0.0, 0.0], abs=0.2)
    plain = window.settled(lambda image: amber_pixels(image) > 1.3 * amber_pixels(before), "a larger ball")
    window.xdotool("key", "h")
    window.wait(lambda said: said["help"], "the help is on")
    window.settled(lambda image: np.mean(np.any(image != plain, axis=-1)) > 0.2, "the keys")
    for _ in help_pages(SIZE):  # the key turns the pages, and after the last one closes them
        window.xdotool("key", "h")
    window.wait(lambda said: not said["help"], "the help is off")
    window.settled(lambda image: np.mean(np.any(image != plain, axis=-1)) < 0.001, "the same picture as before")


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


def test_q_closes_the_window_and_run_returns_the_scene_as_it_was_left(window: Window) -> None:
    window.click(window.pixel(0, 0, 1))
    window.wait(lambda said: said["selection"] == "ball", "the ball is selected")
    window.xdotool("key", "Up")
    moved = window.wait(lambda said: said["ball"][2] > 0.0, "the ball is nudged")["ball"]
    window.xdotool("key", "q")
    assert window.wait(lambda said: "left" in said, "goodbye")["left"] == moved
    assert window.process.wait(PATIENCE) == 0


def test_a_window_is_no_larger_than_the_screen(display: str) -> None:
    program = PROGRAM.replace(f"size={SIZE}", "size=(4000, 3000)").replace(
        "def say(session):", "def say(session):\n    session.close()"
    )
    environment = {**os.environ, "DISPLAY": display}
    environment.pop("VTK_DEFAULT_OPENGL_WINDOW", None)
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    width, height = json.loads(done.stdout.splitlines()[0])["size"]
    assert width < 4000
    assert width / height == pytest.approx(4 / 3, rel=0.01)


#: While something is dragged, the processor draws edges as they are; once it is let go, they are smooth again.
HASTE = """
import numpy as np
from collision import Camera, Sphere
from viewer import gl
from viewer.picture.drawables import Solid
from viewer.stage import Stage

stage = Stage.window((320, 240))
stage.on("move", lambda event: stage.render() or True)
stage.draw([Solid(Sphere([[0, 0, 0]], 1), np.zeros(1, np.uint8))], Camera((4, -4, 3)))
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
