"""A motion in a real window: it plays by the clock, pauses, and is scrubbed with a real mouse."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from collision import Motion, Scene, Sphere
from tests.helpers import strip_of
from tests.windows import MARKS, SIZE, TITLE, Display, Window, hosted_window
from viewer.session import Session

pytestmark = MARKS

PROGRAM = f"""
import json
from collision import Motion, Scene, Sphere
from viewer.studio.app import run

def say(session):
    print(json.dumps({{
        "size": session.viewport.size, "time": session.time, "playing": session.player.playing,
        "pairs": len(session.scene.colliding_pairs()),
    }}), flush=True)

fly = Motion("ball", [0, 4], [[0, 0, 0], [8, 0, 0]])
scene = Scene({{"ball": Sphere([0, 0, 0], 1), "post": Sphere([4, 0, 0], 1)}}, motion=[fly], title={TITLE!r})
left = run(scene, size={SIZE}, watch=say)
print(json.dumps({{"left": left == scene}}), flush=True)
"""

SCENE = Scene(
    {"ball": Sphere([0, 0, 0], 1), "post": Sphere([4, 0, 0], 1)},
    motion=[Motion("ball", [0, 4], [[0, 0, 0], [8, 0, 0]])],
)


@pytest.fixture
def playing(display: Display) -> Iterator[Window]:
    with hosted_window(display, PROGRAM) as window:
        window.wait(lambda said: "size" in said, "hello")
        window.find()
        window.to((window.origin[0] + 5, window.origin[1] + 5))
        yield window


def place(window: Window, time: float) -> tuple[int, int]:
    """Return where a time stands on the screen."""
    strip = strip_of(Session(SCENE, size=SIZE))
    y = strip.plate.y + 0.5 * strip.plate.height
    return window.origin[0] + round(strip.x_of(time)), window.origin[1] + SIZE[1] - 1 - round(y)


def test_space_plays_and_pauses_and_the_mouse_scrubs(playing: Window) -> None:
    playing.xdotool("key", "space")
    playing.wait(lambda said: said["playing"], "it plays")
    playing.wait(lambda said: said["time"] > 0.3, "time passes")
    playing.xdotool("key", "space")
    paused = playing.wait(lambda said: not said["playing"], "it pauses")["time"]

    playing.to(place(playing, 2.0))
    playing.xdotool("mousedown", 1)
    found = playing.wait(lambda said: abs(said["time"] - 2.0) < 0.05, "the time that was clicked")
    assert paused != found["time"]
    assert found["pairs"] == 1
    playing.to(place(playing, 3.5))
    assert playing.wait(lambda said: abs(said["time"] - 3.5) < 0.05, "the time that was dragged to")["pairs"] == 0
    playing.xdotool("mouseup", 1)
    playing.xdotool("key", "q")
    assert playing.wait(lambda said: "left" in said, "what is left")["left"] is True  # playing changes nothing


def test_the_strip_is_on_the_screen(playing: Window) -> None:
    x, y = place(playing, 2.0)
    x, y = x - playing.origin[0], y - playing.origin[1]

    def bars(image: np.ndarray) -> bool:
        around = image[y - 30 : y + 30, x - 4 : x + 4].astype(int)
        return bool(np.count_nonzero((around[..., 0] > 180) & (around[..., 1] < 110)) > 20)

    playing.settled(bars, "a red bar where the pair touches")
