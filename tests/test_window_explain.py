"""An explanation in a real window, with a real mouse and real keys."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from collision import Camera
from tests.windows import MARKS, SCENE, SIZE, Display, Window, opened_window

pytestmark = MARKS

PROGRAM = f"""
import json
from collision import AABB, Capsule, Scene, Sphere
from viewer.studio.app import run

def say(session):
    told = session.explaining.explanation
    camera = session.viewport.camera
    print(json.dumps({{
        "size": session.viewport.size, "position": camera.position, "target": camera.target,
        "told": None if told is None else [*told.names], "step": session.explaining.step,
        "lit": session.explaining.highlighted,
        "ball": session.scene["ball"].center.tolist(), "held": session.pending,
    }}), flush=True)

run({SCENE}, size={SIZE}, watch=say)
"""


@pytest.fixture
def window(display: Display) -> Iterator[Window]:
    with opened_window(display, PROGRAM) as opened:
        yield opened


def test_a_pair_is_explained_while_it_is_dragged(window: Window) -> None:
    window.to(window.pixel(0, 0, 0))
    calm = window.image()
    window.xdotool("key", "shift+e")
    said = window.wait(lambda said: said["told"], "the explanation")
    assert said["told"][0] == "ball"
    card = window.settled(lambda image: bool(np.any(image[40:200, 380:600] < 100)), "the card")
    assert np.any(card[40:200, 380:600] != calm[40:200, 380:600])

    window.xdotool("key", "period")
    window.wait(lambda said: said["step"] == 1, "the second step")
    window.to((window.origin[0] + 500, window.origin[1] + 100))
    window.xdotool("click", 5)  # the wheel, on the card
    window.wait(lambda said: said["step"] == 2, "the third step")
    assert window.said["position"] == said["position"]

    window.model.view.set_camera(Camera(tuple(said["position"]), tuple(said["target"])))  # the card was beside them
    x, y = ball = window.pixel(0, 0, 0)
    window.to(ball)
    window.xdotool("mousedown", 1)
    for k in range(1, 6):
        window.to((x + 4 * k, y))
    window.wait(lambda said: said["held"] and said["ball"] != [0.0, 0.0, 0.0], "the drag")
    assert window.said["told"] == said["told"]
    assert window.said["step"] == 2
    window.xdotool("mouseup", 1)
    window.wait(lambda said: not said["held"], "the end of the drag")
    window.xdotool("key", "Escape")
    window.wait(lambda said: said["told"] is None, "no explanation")
