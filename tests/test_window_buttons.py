"""The first page, the bar, menus and pictures in a real window, with a real mouse and real keys."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from collision import Scene
from tests.helpers import red_pixels
from tests.windows import MARKS, SIZE, TITLE, Display, Window, windows_process
from viewer.layout.bar import place_bar
from viewer.layout.page import Page
from viewer.picture.bar import bar_of
from viewer.records.drawables import Button
from viewer.records.grid import Grid
from viewer.records.sizes import unit_of
from viewer.records.theme import FONT_SIZE
from viewer.session import Session
from viewer.stage.text.fonts import Fonts

pytestmark = MARKS

PROGRAM = f"""
import json
from collision import Scene
from viewer.studio.app import run

def say(session):
    asked = session.prompt
    print(json.dumps({{
        "size": session.viewport.size, "title": session.scene.title, "page": session.start.shown,
        "mode": session.manipulation.tool.mode, "selection": session.document.active,
        "asked": None if asked is None else asked.title,
        "hot": "" if asked is None else asked.hot, "notice": session.notice, "guide": session.start.guide.text,
        "forward": session.viewport.forward.tolist(), "shapes": len(session.scene),
    }}), flush=True)

run(None, size={SIZE}, title={TITLE!r}, watch=say, switches=True)
"""


@pytest.fixture
def window(display: Display, tmp_path: Path) -> Iterator[Window]:
    with windows_process(display, PROGRAM, cwd=tmp_path) as opened:
        opened.wait(lambda said: said["page"], "the first page")
        opened.find()
        yield opened


def on_screen(window: Window, x: float, y: float) -> tuple[int, int]:
    return window.origin[0] + round(x), window.origin[1] + SIZE[1] - 1 - round(y)


def button(window: Window, icon: str) -> tuple[int, int]:
    """Return where a button is on the screen, of a scene without a motion."""
    bar = place_bar(bar_of(Session(Scene(), size=SIZE)), Page(SIZE, unit_of(SIZE), FONT_SIZE, Fonts().width))
    assert bar is not None
    place = next(rect for rect, row in bar.part.hits if isinstance(row, Button) and row.icon == icon)
    return on_screen(window, *place.middle)


def test_from_the_first_page_to_a_scene_its_menus_a_picture_and_back(window: Window, tmp_path: Path) -> None:
    page = window.settled(lambda image: red_pixels(image) > 500, "the pictures of examples")
    # The first three cards are no examples.
    session = Session(Scene(), size=SIZE)
    session.start.may_open = True
    session.start.show_page()
    place = Grid.of([entry[:2] for entry in session.start.entries], SIZE, unit_of(SIZE), 15.0).place(3, 0)
    assert place is not None
    window.click(on_screen(window, place.x + 40, place.y + 40))
    said = window.wait(lambda said: said["title"] == "A first scene", "the first example")
    assert said["guide"].startswith("Drag ")
    window.settled(lambda image: red_pixels(image) > 8000, "the scene")

    window.to(button(window, "size"))
    window.settled(lambda image: bool(np.any(image[:, 40:110] != page[:, 40:110])), "its tip")
    window.click(button(window, "size"))
    window.wait(lambda said: said["mode"] == "size", "the mode of the handles")

    middle = on_screen(window, 0.5 * SIZE[0], 0.5 * SIZE[1])
    window.xdotool("key", "Tab")
    name = window.wait(lambda said: said["selection"], "a shape is selected")["selection"]
    window.xdotool("key", "f")
    window.to(middle)
    window.xdotool("click", 3)
    window.wait(lambda said: (said["asked"] or "").startswith(f"{name}, "), "the menu of the shape")
    for key in ("Up", "Up", "Return"):  # delete stands before the general menu
        window.xdotool("key", key)
    window.wait(lambda said: said["asked"] is None and said["shapes"] == 5, "the shape is deleted")
    window.xdotool("key", "ctrl+z")
    window.wait(lambda said: said["shapes"] == 6, "and it is back")

    window.xdotool("key", "ctrl+p")
    window.wait(lambda said: said["asked"] == "Save a picture as", "the question for a name")
    window.xdotool("key", "alt+t")
    window.xdotool("key", "Return")
    window.wait(lambda said: said["notice"] == "saved first.png", "the picture is saved")
    assert np.asarray(Image.open(tmp_path / "first.png")).shape == (SIZE[1], SIZE[0], 4)

    window.xdotool("key", "ctrl+e")
    window.wait(lambda said: said["page"], "the first page again")
    window.settled(lambda image: np.mean(np.any(image != page, axis=-1)) < 0.05, "the pictures of examples again")
