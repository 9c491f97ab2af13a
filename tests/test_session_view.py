"""The view as a part of the scene: kept by a command, undone as any edit, saved in the file, and seen first."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from collision import Camera
from collision.scenefile import load_scene, save_scene
from tests.helpers import BALLS, SIZE
from viewer.camera.camera import Viewport, other_projection
from viewer.camera.framing import Room
from viewer.camera.navigation import orbit, rounded, zoom
from viewer.files.loading import load
from viewer.session import Session


@pytest.fixture
def session(tmp_path: Path) -> Session:
    file = tmp_path / "scene.toml"
    save_scene(BALLS, file)
    found = Session(load(str(file)), size=SIZE)
    found.comes_from(file)
    return found


def test_a_view_is_kept_saved_and_seen_first(session: Session) -> None:
    session.view.orbit(37, 21)
    session.view.zoom(2)
    session.key("B", shift=True, ctrl=True)
    kept = session.viewport.camera
    assert session.scene.camera == kept
    assert session.file.dirty
    assert session.notice == "this view is the scene's own now: its file has it when it is saved"
    session.view.orbit(50, 0)
    session.save()
    assert session.file.path is not None
    assert load_scene(session.file.path).camera == kept
    assert Session(load(str(session.file.path)), size=SIZE).viewport.camera == kept
    assert max(map(len, session.file.path.read_text(encoding="utf-8").splitlines())) < 60
    session.view.reset()
    assert session.viewport.camera == kept


def test_a_kept_view_is_undone_as_any_edit(session: Session) -> None:
    session.view.keep()
    first = session.scene.camera
    session.view.orbit(50, 0)
    session.view.keep()
    assert session.scene.camera != first
    session.view.keep()  # once more is no step
    session.undo()
    assert session.scene.camera == first
    session.undo()
    assert session.scene.camera is None
    assert not session.file.dirty
    assert not session.document.undoable
    session.redo()
    assert session.scene.camera == first


def test_what_is_selected_and_what_moves_is_not_touched(session: Session) -> None:
    session.select("b")
    extent, shapes = session.document.extent, session.scene.shapes
    session.view.keep()
    assert session.selected == ("b",)
    assert session.document.extent is extent
    assert session.scene.shapes is shapes


def test_changes_of_the_view_are_taken_back_one_by_one_and_done_again(session: Session) -> None:
    views = [session.viewport.camera]

    def done() -> None:
        views.append(session.viewport.camera)

    for _ in range(3):
        session.key("Left", alt=True)
    done()
    for _ in range(2):
        session.key("Prior", alt=True)
    done()
    session.key("x")
    done()
    for _ in range(3):
        session.key("Left", alt=True)
    done()
    assert len(set(views)) == 5
    for view in reversed(views[:-1]):
        session.key("z", alt=True)
        assert session.viewport.camera == view
    assert not session.view.undoable
    session.key("z", alt=True)
    assert session.notice == "the view has not changed"
    for view in views[1:]:
        session.key("Z", alt=True, shift=True)
        assert session.viewport.camera == view
    session.key("y", alt=True)
    assert session.notice == "no change of the view was taken back"
    session.view.undo()
    session.view.orbit(5, 0)
    assert not session.view.redoable
    assert not session.document.undoable  # the scene has a history of its own


def test_a_first_view_that_makes_room_for_panels_is_no_change() -> None:
    session = Session(BALLS, size=SIZE)
    session.cover([Room(0.0, 0.0, 0.5, 1.0)])
    assert session.viewport.camera != Session(BALLS, size=SIZE).viewport.camera
    assert not session.view.undoable


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e5])
@pytest.mark.parametrize("parallel", [False, True])
def test_a_rounded_camera_sees_the_same(scale: float, parallel: bool) -> None:
    rng = np.random.default_rng(5)
    for _ in range(20):
        position, target = (scale * rng.uniform(-9, 9, (2, 3))).tolist()
        camera = Camera(position, target, up=rng.uniform(-1, 1, 3).tolist())
        camera = orbit(Viewport(other_projection(camera) if parallel else camera, SIZE), *rng.uniform(-300, 300, 2))
        camera = zoom(Viewport(camera, SIZE), 2.5, 100.0, 200.0)
        other = rounded(camera)
        size = float(np.linalg.norm(np.subtract(camera.position, camera.target)))
        places = np.array(camera.target) + 0.2 * size * rng.uniform(-1, 1, (20, 3))
        seen = [Viewport(one, SIZE).project(places)[0] for one in (camera, other)]
        assert np.abs(seen[0] - seen[1]).max() < 0.02
        assert rounded(other) == other
