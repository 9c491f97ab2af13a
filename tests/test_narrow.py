"""In narrow pictures, a scene's own camera gives way, so that no shape is cut off that it was made to show."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from collision import AABB, Camera, Scene, Sphere
from collision.inner import FloatArray
from collision.scenefile import load_scene, save_scene
from viewer import add_scene, as_scene, render, render_frames
from viewer.camera.camera import Viewport, distance, other_projection
from viewer.camera.framing import Room, for_width, from_width, narrowness
from viewer.camera.outline import corners, outline
from viewer.session import Session

MADE_FOR = (1280, 960)
NARROW = [(900, 900), (960, 1080), (360, 900), (300, 700), (64, 900)]
ROW = Scene({f"ball{k}": Sphere([k, 0, 0], 0.4) for k in range(-3, 4)}, camera=Camera((0, -11, 1)))


def parts(boxes: AABB, camera: Camera, size: tuple[int, int]) -> FloatArray:
    """Return where the corners of boxes are, from the middle of the picture, 0, to its edges, 1."""
    pixels, _ = Viewport(camera, size).project(corners(*boxes.flattened().corners()).reshape(-1, 3))
    return np.asarray(np.abs(2.0 * pixels / size - 1.0))


def boxes_of(scene: Scene) -> AABB:
    boxes = outline(scene.shapes.values())
    assert boxes is not None
    return boxes


@pytest.mark.parametrize("parallel", [False, True])
@pytest.mark.parametrize("size", NARROW)
@pytest.mark.parametrize("name", ["first", "slope", "robot_arm"])
def test_what_a_scenes_camera_was_made_to_see_is_seen_in_a_narrow_picture(
    name: str, size: tuple[int, int], parallel: bool
) -> None:
    scene = as_scene(name)
    assert scene.camera is not None
    own = other_projection(scene.camera) if parallel else scene.camera
    boxes, shown = boxes_of(scene), Session(scene.replaced(camera=own), size=size).viewport
    seen = (parts(boxes, own, MADE_FOR) <= 1.0).all(axis=-1)
    assert seen.any()
    assert parts(boxes, shown.camera, size)[seen].max() <= 1.0
    assert np.allclose(shown.forward, Viewport(own, size).forward)
    assert shown.camera.view_angle == own.view_angle


def test_shapes_near_and_far_stay_in_a_narrow_picture() -> None:
    rng, farther = np.random.default_rng(3), 0
    for _ in range(100):
        middles = rng.uniform(-3.0, 3.0, (12, 3))
        boxes, size = AABB(middles - 0.2, middles + 0.2), (300, int(rng.integers(301, 1500)))
        camera = Camera(tuple(rng.uniform(4.0, 9.0, 3)), tuple(rng.uniform(-1.0, 1.0, 3)), view_angle=25.0)
        seen = (parts(boxes, camera, MADE_FOR) <= 1.0).all(axis=-1)
        found = for_width(boxes, camera, size)
        assert parts(boxes, found, size)[seen].max(initial=0.0) <= 1.0 + 1e-9
        _, depth = Viewport(camera, size).project(corners(*boxes.corners()).reshape(-1, 3))
        back = distance(found) - distance(camera)
        least, most = ((narrowness(size) - 1.0) * far for far in (distance(camera), float(depth.max())))
        assert least - 1e-9 <= back <= most + 1e-9
        farther += back > least + 1e-9
    assert 20 < farther < 100


@pytest.mark.parametrize("size", [(1280, 960), (640, 480), (1920, 1080), (800, 200), (320, 240)])
def test_in_all_other_pictures_it_stays(size: tuple[int, int]) -> None:
    assert ROW.camera is not None
    assert for_width(boxes_of(ROW), ROW.camera, size) is ROW.camera
    assert from_width(boxes_of(ROW), ROW.camera, size) is ROW.camera
    assert Session(ROW, size=size).viewport.camera is ROW.camera


def test_a_camera_that_is_asked_for_stays_in_a_narrow_picture() -> None:
    size = (200, 400)
    shown = np.asarray(render(ROW, size=size))
    asked = np.asarray(render(ROW, size=size, camera=ROW.camera))
    assert np.any(shown != asked)
    assert np.array_equal(shown, np.asarray(render(ROW, size=size, camera=Session(ROW, size=size).viewport.camera)))


def test_frames_give_way_as_pictures_do(tmp_path: Path) -> None:
    options = {"size": (200, 400), "panels": False}
    first, *_ = render_frames([ROW, ROW], tmp_path / "row-%02d.png", progress=False, **options)  # type: ignore[arg-type]
    with Image.open(first) as frame:
        assert np.array_equal(np.asarray(frame.convert("RGB")), np.asarray(render(ROW, **options)))  # type: ignore[arg-type]


def test_a_narrow_plot_of_a_plotter_shows_all() -> None:
    import pyvista as pv

    plotter = pv.Plotter(off_screen=True, shape=(1, 2), window_size=(1000, 500))
    plotter.subplot(0, 0)
    stage = add_scene(plotter, ROW).stage
    assert stage.size[0] <= stage.size[1]
    assert parts(boxes_of(ROW), stage.camera, stage.size).max() <= 1.0
    plotter.close()


def test_a_window_gives_way_while_nobody_has_moved_the_view() -> None:
    session = Session(ROW, size=MADE_FOR)
    for size in ((400, 900), (700, 900), (400, 900)):
        session.view.resize(size)
        assert session.viewport.camera == Session(ROW, size=size).viewport.camera != ROW.camera
    assert not session.view.undoable
    session.view.resize(MADE_FOR)
    assert session.viewport.camera == ROW.camera
    session.view.orbit(30, 10)
    moved = session.viewport.camera
    session.view.resize((400, 900))
    assert session.viewport.camera == moved


def test_a_view_that_was_not_moved_is_not_written_as_another_one(tmp_path: Path) -> None:
    file = tmp_path / "row.toml"
    save_scene(ROW, file)
    session = Session(as_scene(file), size=(400, 900))
    session.comes_from(file)
    session.cover([Room(0.0, 0.4, 0.4, 0.6)])
    assert session.viewport.camera != ROW.camera
    session.view.keep()
    assert not session.document.undoable
    session.view.orbit(30, 10)
    session.select("ball0")
    session.move_selection([0.0, 0.0, 1.0])
    session.save()
    assert load_scene(file).camera == ROW.camera
    session.view.reset()
    session.view.keep()
    assert session.scene.camera == ROW.camera


def test_a_view_that_is_kept_in_a_narrow_window_is_seen_again() -> None:
    size = (400, 900)
    session = Session(ROW, size=size)
    session.view.orbit(30, 10)
    session.view.keep()
    kept, shown = session.scene, session.viewport.camera
    assert kept.camera is not None
    again = Session(kept, size=size).viewport.camera
    assert np.allclose([again.position, again.target], [shown.position, shown.target], atol=1e-4)
    session.view.keep()
    assert session.scene is kept
    session.undo()
    session.view.keep()
    assert session.scene.camera == kept.camera, "the view is not that of the scene any more"


def test_no_other_picture_cuts_off_what_fills_the_height_of_a_narrow_one() -> None:
    tower = Scene({f"ball{k}": Sphere([0, 0, k], 0.4) for k in range(12)})
    session = Session(tower, size=(400, 900), view="x")
    for _ in range(2):
        session.view.keep()
        assert session.scene.camera is not None
        assert parts(boxes_of(tower), session.scene.camera, MADE_FOR).max() <= 1.0
        session.view.switch_projection()
