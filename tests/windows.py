"""Real windows on a real X server, with a real mouse and real keys: what the tests of windows have in common.

Where there is no display, Xvfb is started, one for all tests of a process. The window runs in another process, which
writes down what the session says after every change. Most tests share that process, and open one window after another
in it: imports and the first use of OpenGL take longer than a test. What is about the process itself has one of its own.
"""

from __future__ import annotations

import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import ImageGrab

from collision import AABB, Camera, Capsule, Scene, Sphere
from viewer.session import Session

ROOT = Path(__file__).parent.parent

#: What a test of windows is marked with. A screen that somebody sits at has one mouse for all tests.
MARKS = [
    pytest.mark.window,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="drives an X server"),
    pytest.mark.skipif(
        not os.environ.get("DISPLAY") and shutil.which("Xvfb") is None, reason="neither a display nor Xvfb is there"
    ),
    pytest.mark.skipif(shutil.which("xdotool") is None, reason="xdotool is not there"),
    *([pytest.mark.xdist_group("display")] if os.environ.get("DISPLAY") else []),
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

#: Nobody waits this long where all is well; it only ends a test that hangs.
PATIENCE = 60.0

#: Runs the programs that it is told, one after another. A signal closes the window, at the next move of the mouse.
HOST = """
import json, signal, sys, traceback
import viewer.studio.app

sessions = []
run = viewer.studio.app.run

def noted(scene, *, watch, **options):
    def seen(session):
        sessions[:] = [session]
        watch(session)
    return run(scene, watch=seen, **options)

viewer.studio.app.run = noted
signal.signal(signal.SIGUSR1, lambda *_: [session.close() for session in sessions])
for line in sys.stdin:
    program, *sys.argv[1:] = json.loads(line)
    try:
        exec(compile(program, "<program>", "exec"), {"__name__": "__main__"})
    except BaseException:
        traceback.print_exc()
    sessions.clear()
    print(json.dumps({"ended": True}), flush=True)
"""


class Process:
    """A process that opens windows, and the lines that it writes."""

    def __init__(self, display: str, *command: str, cwd: Path | None = None) -> None:
        self.environment = {**os.environ, "DISPLAY": display}
        self.environment.pop("VTK_DEFAULT_OPENGL_WINDOW", None)
        if cwd is not None:
            self.environment["PYTHONPATH"] = str(ROOT)
        self.running = subprocess.Popen(
            [sys.executable, "-c", *command],
            env=self.environment, cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        self.lines: queue.Queue[str] = queue.Queue()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def tell(self, *words: str) -> None:
        """Have a host run a program."""
        assert self.running.stdin is not None
        self.running.stdin.write(json.dumps(words) + "\n")
        self.running.stdin.flush()

    def kill(self) -> None:
        """End it at once."""
        self.running.kill()
        self.running.wait()
        self._listener.join()
        if self.running.stdin is not None:
            self.running.stdin.close()

    def _listen(self) -> None:
        assert self.running.stdout is not None
        with self.running.stdout as lines:
            for line in lines:
                self.lines.put(line)
        self.lines.put("")


class Display(str):
    """The name of a screen, and the process that opens windows on it for one test after another."""

    __slots__ = ("host",)

    host: Process | None

    def __new__(cls, name: str) -> Display:
        """Name a screen that has no such process yet."""
        made = super().__new__(cls, name)
        made.host = None
        return made

    def end(self) -> None:
        """End that process; the next test starts another."""
        if self.host is not None:
            self.host.kill()
        self.host = None


@contextmanager
def screen() -> Iterator[Display]:
    """Yield the display that there is, or that of an Xvfb of our own."""
    own = os.environ.get("DISPLAY")
    server = None
    if not own:
        read, write = os.pipe()
        # Without -noreset it starts anew whenever a window was the last one, and refuses the next one meanwhile.
        command = ["Xvfb", "-displayfd", str(write), "-noreset", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"]
        server = subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as answer:
            number = answer.readline().strip()
        assert number, "Xvfb did not start"
        own = f":{number}"
    display = Display(own)
    try:
        yield display
    finally:
        display.end()
        if server is not None:
            server.terminate()
            server.wait()


class Window:
    """The window's process: its mouse, its keys, its pixels and what its session says."""

    def __init__(self, owner: Process) -> None:
        self.owner, self.process, self.environment = owner, owner.running, owner.environment
        self.said: dict[str, Any] = {}
        self.origin = (0, 0)
        # The same scene in the same view, to know where things are in the picture.
        shapes = {"AABB": AABB, "Capsule": Capsule, "Scene": Scene, "Sphere": Sphere}
        self.model = Session(eval(SCENE, shapes), size=SIZE)

    @property
    def ended(self) -> bool:
        """Whether the host of this window has said that its program has ended."""
        return "ended" in self.said

    def wait(self, condition: Callable[[dict[str, Any]], bool], what: str) -> dict[str, Any]:
        """Read what the session says until a condition holds."""
        while not (self.said and condition(self.said)):
            try:
                line = self.owner.lines.get(timeout=PATIENCE)
            except queue.Empty:
                line = ""
            assert line, f"the window never said: {what}; its last words: {self.said}; exit code {self.process.poll()}"
            assert not self.ended, f"the window was closed before it said: {what}"
            self.said = json.loads(line)
        return self.said

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

    def close(self) -> None:
        """Close the window where it is open still, and wait until its host is free."""
        if not self.ended:
            self.process.send_signal(signal.SIGUSR1)
            for step in (3, 9):  # it hears the signal when it has something to do
                self.to((self.origin[0] + step, self.origin[1] + step))
            self.wait(lambda said: "ended" in said, "the window is closed")


@contextmanager
def windows_process(display: str, *command: str, cwd: Path | None = None) -> Iterator[Window]:
    """Run a program that opens a window in a process of its own, which is ended at the end."""
    owner = Process(display, *command, cwd=cwd)
    try:
        yield Window(owner)
    finally:
        owner.kill()


@contextmanager
def hosted_window(display: Display, *command: str) -> Iterator[Window]:
    """Run a program that opens a window in the process that is there for it, which a failure ends."""
    display.host = display.host or Process(display, HOST)
    display.host.tell(*command)
    window = Window(display.host)
    try:
        yield window
        window.close()
    except BaseException:
        display.end()
        raise


@contextmanager
def opened_window(display: Display, *command: str, own: bool = False) -> Iterator[Window]:
    """Run a program that opens a window on the three shapes, and hand it out when it shows them.

    With ``own``, in a process of its own.
    """
    with (windows_process if own else hosted_window)(display, *command) as opened:
        said = opened.wait(lambda said: "size" in said, "hello")
        opened.model.view.set_camera(Camera(tuple(said["position"]), tuple(said["target"])))
        opened.find()
        opened.to(opened.pixel(0, 0, -3))
        opened.settled(lambda image: blue_pixels(image) > 10_000, "three calm shapes")
        yield opened


def blue_pixels(image: np.ndarray) -> int:
    red, _, blue = np.moveaxis(image.astype(int), -1, 0)
    return int(np.sum(blue > red + 15))
