"""A robot in a real window: a link is dragged with the mouse until it is red, and a knob of its panel of joints."""

from __future__ import annotations

import numpy as np
import pytest

from collision import Camera
from tests.helpers import red_pixels
from tests.test_joints import SRDF, URDF, opened, pixel_of
from tests.test_sliders import track_of
from tests.windows import MARKS, SIZE, TITLE, Display, Window, blue_pixels, hosted_window
from viewer.files.loading import ModelOptions
from viewer.session import Session
from viewer.stage.stage import Stage
from viewer.studio.app import App

pytestmark = MARKS

WANTED = ModelOptions(srdf=SRDF, joints=(("wrist", 2.0),))

PROGRAM = f"""
import json, sys
from pathlib import Path
from viewer.studio.app import run
from viewer.files.loading import ModelOptions, read

def say(session):
    camera = session.viewport.camera
    print(json.dumps({{
        "size": session.viewport.size, "position": camera.position, "target": camera.target, "up": camera.up,
        "values": dict(session.joints.values), "pairs": len(session.scene.colliding_pairs()),
        "pending": session.pending, "shown": session.sliders.shown, "undoable": session.document.undoable,
    }}), flush=True)

wanted = ModelOptions(srdf=Path(sys.argv[2]), joints=(("wrist", 2.0),))
run(read(sys.argv[1], wanted), size={SIZE}, view="-y", title={TITLE!r}, watch=say)
"""


def on_screen(window: Window, x: float, y: float) -> tuple[int, int]:
    return window.origin[0] + round(x), window.origin[1] + SIZE[1] - 1 - round(y)


def elbow_of(session: Session) -> tuple[float, float]:
    model = session.joints.model
    assert model is not None
    x, y = session.viewport.project(model.forward(links=["forearm"]).position[0])[0].tolist()
    return x, y


def test_a_link_and_a_knob_are_dragged_until_it_collides(display: Display) -> None:
    with hosted_window(display, PROGRAM, str(URDF), str(SRDF)) as window:
        window.wait(lambda said: "size" in said, "hello")
        window.find()
        window.settled(lambda image: blue_pixels(image) > 3000, "an arm")
        calm = red_pixels(window.image())
        session = opened(WANTED, size=SIZE)
        session.view.set_camera(Camera(window.said["position"], window.said["target"], window.said["up"]))
        x, y = pixel_of(session, "forearm")
        window.to(on_screen(window, x, y))
        window.xdotool("mousedown", 1)
        center_x, center_y = elbow_of(session)
        radius = np.hypot(x - center_x, y - center_y)
        for angle in np.linspace(0.3, 3.0, 10):  # round the elbow, from straight up
            window.to(on_screen(window, center_x + radius * np.sin(angle), center_y + radius * np.cos(angle)))
        said = window.wait(lambda said: said["pairs"] > 0, "it collides")
        assert said["pending"]
        assert said["values"]["elbow"] > 2.0
        window.settled(lambda image: red_pixels(image) > calm + 200, "red")
        window.xdotool("mouseup", 1)
        window.wait(lambda said: not said["pending"], "it is let go")
        window.xdotool("key", "ctrl+z")
        window.wait(lambda said: said["values"]["elbow"] == 0.0 and not said["undoable"], "one step")

        window.xdotool("key", "j")
        said = window.wait(lambda said: said["shown"], "the panel")
        session.view.set_camera(Camera(said["position"], said["target"], said["up"]))
        session.sliders.switch()
        with Stage.offscreen(SIZE) as stage:
            app = App(session, stage)
            app.refresh()
            left, right, y = track_of(app, "elbow")
        window.to(on_screen(window, left, y))
        window.xdotool("mousedown", 1)
        window.to(on_screen(window, 0.5 * (left + right), y))
        said = window.wait(lambda said: said["values"]["elbow"] > 1.0, "the knob follows")
        assert said["values"]["elbow"] == pytest.approx(1.4, abs=0.1)
        window.to(on_screen(window, right + 30, y))
        window.wait(lambda said: said["values"]["elbow"] == 2.8, "its limit")
        window.xdotool("mouseup", 1)
        window.wait(lambda said: said["undoable"] and not said["pending"], "it is let go")
