"""The table of pairs and the card in a real window: the wheel, clicks on numbers, keys, and the clipboard."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests import test_window
from tests.test_cards import place_of
from tests.windows import MARKS, SCENE, SIZE, Display, Window, opened_window
from viewer.session import Session
from viewer.stage.stage import Stage
from viewer.studio.app import App

pytestmark = MARKS

#: The three shapes of the other windows, and ten tiny balls that all collide.
PROGRAM = test_window.PROGRAM.replace("run(Scene(", "run(scene(Scene(").replace(", size=", "), size=")
PROGRAM = PROGRAM.replace(
    "def say(session):",
    """
import numpy as np

def scene(given):
    crowd = Sphere(np.arange(10)[:, None] * np.array([0.005, 0.0, 0.0]) + [-1.7, 0.0, -0.9], 0.05)
    return given.replaced(shapes={**given.shapes, "crowd": crowd})

def say(session):""",
).replace(
    '"help": session',
    """"first": session.selection.pair_rows.first,
        "filter": session.selection.pair_filter,
        "order": session.selection.pair_order,
        "place": session.prompt.place if session.prompt else None,
        "error": session.prompt.error if session.prompt else "",
        "radius": float(session.scene["ball"].radius),
        "undoable": session.document.undoable,
        "notice": session.notice,
        "help": session""",
)


@pytest.fixture
def window(display: Display) -> Iterator[Window]:
    with opened_window(display, PROGRAM) as opened:
        yield opened


@contextmanager
def model(window: Window, *selected: str) -> Iterator[App]:
    """Yield the same window without a screen, to know where things are in it."""
    space = {}
    exec(PROGRAM.partition("left = ")[0], space)
    given = eval(SCENE, space)
    session = Session(space["scene"](given), size=SIZE)
    session.view.set_camera(window.model.viewport.camera)
    session.select_many(selected)
    with Stage.offscreen(SIZE) as stage:
        app = App(session, stage)
        app.refresh()
        yield app


def on_screen(window: Window, place: tuple[float, float]) -> tuple[int, int]:
    return window.origin[0] + round(place[0]), window.origin[1] + SIZE[1] - 1 - round(place[1])


def test_the_wheel_scrolls_the_table_and_zooms_elsewhere(window: Window) -> None:
    with model(window) as app:
        row = place_of(app, "crowd[1]", "crowd[0]")
    before = window.wait(lambda said: True, "hello")["position"]
    window.to(on_screen(window, row))
    for _ in range(3):
        window.xdotool("click", 5)
    window.wait(lambda said: said["first"] == 3, "scrolled")
    window.xdotool("click", 4)
    assert window.wait(lambda said: said["first"] == 2, "scrolled back")["position"] == before
    window.to(window.pixel(0, 0, -3))
    window.xdotool("click", 4)
    after = window.wait(lambda said: said["position"] != before, "zoomed")
    assert after["first"] == 2


def test_pairs_are_found_and_sorted_by_keys(window: Window) -> None:
    window.xdotool("key", "ctrl+f")
    window.wait(lambda said: said["place"] == "pairs", "a line to type")
    window.xdotool("type", "[3")
    window.wait(lambda said: said["filter"] == "[3", "filtered")
    window.xdotool("key", "Return", "d")
    window.wait(lambda said: said["order"] == "name" and said["place"] is None, "sorted")


def test_a_number_is_clicked_typed_and_taken(window: Window) -> None:
    with model(window, "ball") as app:
        number = place_of(app, "radius", "1")
    window.click(window.pixel(0, 0, 0))
    window.wait(lambda said: said["selection"] == "ball", "selected")
    window.click(on_screen(window, number))
    window.wait(lambda said: said["place"] == "card: radius 0", "asked")
    window.xdotool("type", "--", "-2")
    window.xdotool("key", "Return")
    window.wait(lambda said: "must be zero or more" in said["error"], "refused")
    window.xdotool("key", "ctrl+a")
    window.xdotool("type", "0.75")
    window.xdotool("key", "Return")
    window.wait(lambda said: said["radius"] == 0.75 and said["place"] is None, "taken")
    window.xdotool("key", "Return", "Tab", "Tab")
    window.wait(lambda said: said["place"] == "card: center 2", "the third number")
    window.xdotool("type", "1.5")
    window.xdotool("key", "shift+Tab")
    window.wait(lambda said: said["ball"] == [0, 0, 1.5] and said["place"] == "card: center 1", "taken, and back")
    window.xdotool("key", "Escape", "ctrl+z", "ctrl+z")
    window.wait(lambda said: said["radius"] == 1.0 and not said["undoable"], "undone")


def test_the_card_is_on_the_clipboard(window: Window) -> None:
    pytest.importorskip("tkinter")
    window.click(window.pixel(0, 0, 0))
    window.wait(lambda said: said["selection"] == "ball", "selected")
    window.xdotool("key", "ctrl+c")
    window.wait(lambda said: said["notice"] == "copied", "copied")
    read = (
        "import tkinter; root = tkinter.Tk(); print(root.clipboard_get(type='UTF8_STRING')); "
        "root.clipboard_clear(); root.clipboard_append('other'); root.update()"
    )
    command, environment = [sys.executable, "-I", "-c", read], {**os.environ, "DISPLAY": window.environment["DISPLAY"]}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "ball = Sphere(center=[0.0, 0.0, 0.0], radius=1.0)\n"
