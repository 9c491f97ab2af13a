"""A file that another program changes while a real window shows it."""

from __future__ import annotations

from pathlib import Path

from collision import AABB, Capsule, Scene, Sphere
from collision.scenefile import save_scene
from tests.helpers import red_pixels
from tests.windows import MARKS, SCENE, SIZE, Display, opened_window

pytestmark = MARKS

PROGRAM = f"""
import json, sys
from collision import AABB, Capsule, Scene, Sphere
from viewer.studio.app import run
from viewer.files.loading import read

def say(session):
    camera = session.viewport.camera
    print(json.dumps({{
        "size": session.viewport.size, "pairs": len(session.scene.colliding_pairs()), "notice": session.notice,
        "position": camera.position, "target": camera.target,
    }}), flush=True)

run(read(sys.argv[1]), size={SIZE}, watch=say)
"""


def test_a_change_of_the_file_is_seen_with_nobody_at_the_mouse(display: Display, tmp_path: Path) -> None:
    path = tmp_path / "scene.toml"
    scene: Scene = eval(SCENE, {"AABB": AABB, "Capsule": Capsule, "Sphere": Sphere, "Scene": Scene})
    save_scene(scene, path)
    with opened_window(display, PROGRAM, str(path)) as window:
        calm = red_pixels(window.image())
        save_scene(scene.moved("ball", [1.5, 0, 0]), path)
        window.wait(lambda said: said["pairs"] == 1, "the pair collides")
        assert window.said["notice"] == "read scene.toml again; undo brings back what was"
        window.settled(lambda image: red_pixels(image) > calm + 4000, "a red pair")
        path.write_text("[shapes")
        window.wait(lambda said: "cannot be read" in said["notice"], "it is broken")
