"""A real window in the hand of a program, and of a user with a mouse at the same time."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import ImageGrab

import viewer
from collision import Camera, Scene, Sphere
from tests.helpers import red_pixels
from tests.windows import MARKS, Display
from viewer.gizmo import AXIS_LENGTH
from viewer.session import Session

pytestmark = MARKS

PATIENCE = 60.0
SIZE = (640, 480)
TITLE = "A window in hand"

BALLS = Scene(
    {"a": Sphere([0, 0, 0], 1), "b": Sphere([6, 0, 0], 1)}, camera=Camera((2, -16, 1), (2, 0, 0)), title=TITLE
)


@pytest.fixture
def here(display: Display, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("DISPLAY", display)
    monkeypatch.delenv("VTK_DEFAULT_OPENGL_WINDOW", raising=False)
    return display


@pytest.fixture
def window(here: str) -> Iterator[viewer.WindowHandle]:
    with viewer.show(BALLS, size=SIZE) as handle:
        yield handle
    assert handle.closed


def xdotool(*words: object) -> str:
    command = ["xdotool", *map(str, words)]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=PATIENCE).stdout


def until(condition: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.02)


def origin() -> tuple[int, int]:
    """Return where the window is on the screen."""
    until(lambda: bool(_search()), "the window never appeared")
    place = dict(line.split("=") for line in xdotool("getwindowgeometry", "--shell", _search()).splitlines())
    return int(place["X"]), int(place["Y"])


def _search() -> str:
    command = ["xdotool", "search", "--onlyvisible", "--name", TITLE]
    found = subprocess.run(command, check=False, capture_output=True, text=True).stdout.split()
    return found[-1] if found else ""


def image() -> np.ndarray:
    x, y = origin()
    grabbed = ImageGrab.grab(bbox=(x, y, x + SIZE[0], y + SIZE[1]), xdisplay=os.environ["DISPLAY"])
    return np.asarray(grabbed.convert("RGB"))


def pixel(*point: float) -> tuple[int, int]:
    x, y = Session(BALLS, size=SIZE).viewport.project(np.array(point))[0]
    left, top = origin()
    return left + round(float(x)), top + SIZE[1] - 1 - round(float(y))


def drag(start: tuple[int, int], stop: tuple[int, int]) -> None:
    xdotool("mousemove", *start, "mousedown", 1)
    for part in np.linspace(0.1, 1.0, 8):
        xdotool("mousemove", *(round(a + part * (b - a)) for a, b in zip(start, stop, strict=True)))
    xdotool("mouseup", 1)


def test_fifty_updates_then_a_drag_that_the_program_reads(window: viewer.WindowHandle) -> None:
    scene = BALLS
    for _ in range(50):
        scene = scene.moved("b", [-0.06, 0, 0])
        window.update(scene)
        assert window.scene == scene
    assert window.drawn(PATIENCE)
    for wait in (window.drawn, window.wait):
        for wrong in ("x", -1, True, float("nan")):
            with pytest.raises(
                ValueError, match=rf"{wait.__name__}: timeout must be None or seconds, .* got {wrong!r}"
            ):
                wait(wrong)  # type: ignore[operator]
    assert not window.closed
    until(lambda: red_pixels(image()) < 300, "nothing collides")
    scene = scene.moved("b", [-1.5, 0, 0])
    window.update(scene)
    assert window.drawn(PATIENCE)
    until(lambda: red_pixels(image()) > 3000, "a red pair")

    xdotool("mousemove", *pixel(-0.5, -1, 0), "click", 1)
    until(lambda: window.selected == ("a",), "the ball is selected")
    assert window.scene == scene  # nothing was changed
    reach = 0.9 * AXIS_LENGTH * Session(BALLS, size=SIZE).viewport.units_per_pixel([0, 0, 0])
    drag(pixel(0, 0, reach), pixel(0, 0, reach + 2))
    until(lambda: window.scene["a"].values()["center"][2] > 1.5, "the drag is read")
    xdotool("key", "Escape")  # an arrow of the handles is red, too
    until(lambda: red_pixels(image()) < 300, "nothing collides any more")
    assert window.scene["b"] == scene["b"]
    window.update(window.scene.moved("a", [0, 0, -1]))
    assert window.drawn(PATIENCE)
    assert window.scene["a"].values()["center"][2] < 1.5


def test_what_is_worked_out_before_the_last_change_of_the_user_is_dropped(window: viewer.WindowHandle) -> None:
    before = window.scene
    xdotool("mousemove", *pixel(0, -1, 0), "click", 1)
    until(lambda: window.selected == ("a",), "the ball is selected")
    xdotool("key", "Up", "key", "Escape")
    until(lambda: window.selected == (), "the ball was nudged, and let go")
    window.update(before.moved("b", [3, 0, 0]))
    assert window.scene["a"] != before["a"]
    assert window.scene["b"] == before["b"]
    window.update(before)  # from one who has not read the scene since: it is not worked out from an old one
    assert window.scene == before


def test_the_user_closes_the_window(window: viewer.WindowHandle) -> None:
    xdotool("mousemove", *pixel(2, 0, 2), "key", "q")
    left = window.wait(PATIENCE)
    assert window.closed
    assert left == BALLS
    window.update(BALLS)  # nothing happens


def test_a_crash_is_told(window: viewer.WindowHandle) -> None:
    os.kill(window.pid, signal.SIGSEGV)
    until(lambda: window.closed, "the end is noticed")
    with pytest.raises(RuntimeError, match="the window is gone: its process ended in SIGSEGV"):
        window.update(BALLS)
    with pytest.raises(RuntimeError, match="ended in SIGSEGV"):
        window.wait()
    assert window.scene == BALLS


def test_the_example_of_the_page_runs(here: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (Path(viewer.__file__).parent / "README.md").read_text(encoding="utf-8")
    (code,) = (
        block for block in re.findall(r"^```py\n(.*?)^```", text, re.DOTALL | re.MULTILINE) if "viewer.show" in block
    )
    opened: list[viewer.WindowHandle] = []
    show = viewer.show

    def show_for_a_while(scene: Scene) -> viewer.WindowHandle:
        opened.append(show(scene, size=SIZE))
        threading.Timer(3.0, opened[0].close).start()
        return opened[0]

    monkeypatch.setattr(viewer, "show", show_for_a_while)
    exec(code, {})
    assert opened[0].closed
    assert opened[0].scene["ball"].values()["center"][2] < 2.95


def test_what_goes_wrong_there_is_raised_here(here: str) -> None:
    with pytest.raises(ValueError, match="view must be one of"):
        viewer.show(BALLS, size=SIZE, view="top")


SCRIPT = f"""
import sys, viewer
from collision import Scene, Sphere
window = viewer.show({{"a": Sphere([0, 0, 0], 1)}}, size={SIZE}, title={TITLE!r})
print(window.pid, flush=True)
sys.stdin.readline()
print("closed" if window.closed else "open")
"""


@pytest.mark.parametrize("how", ["end", "kill", "interrupt"])
def test_a_plain_script_leaves_no_process_behind(here: str, how: str, tmp_path: Path) -> None:
    path = tmp_path / "script.py"  # without `if __name__ == "__main__":`
    path.write_text(SCRIPT)
    command = [sys.executable, str(path)]
    script = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
    )
    assert script.stdout is not None
    window = int(script.stdout.readline())
    if how == "interrupt":  # as Ctrl-C, which all processes of a terminal get
        os.killpg(script.pid, signal.SIGINT)
    elif how == "kill":
        script.kill()
    out, _ = script.communicate(b"\n", PATIENCE)
    assert out == (b"open\n" if how == "end" else b"")
    until(lambda: not is_alive(window), "the window's process ends")


def is_alive(process: int) -> bool:
    try:
        with open(f"/proc/{process}/stat") as facts:
            return facts.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
