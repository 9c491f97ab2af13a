"""The ground lies where it lay, until an edit has put something far outside of it or left only what is tiny."""

from __future__ import annotations

import numpy as np

from collision import AABB, Motion, Point, Scene, Sphere
from tests.helpers import BALLS, SIZE
from viewer.camera.floors import has_room
from viewer.picture.present import present
from viewer.records.drawables import Ground
from viewer.records.ground import ground
from viewer.records.sizes import grid_step
from viewer.session import Session


def ground_of(session: Session) -> Ground:
    (found,) = (drawable for drawable in present(session) if isinstance(drawable, Ground))
    return found


def test_small_edits_leave_the_very_same_ground() -> None:
    session = Session(BALLS, size=SIZE)
    extent, lies = session.document.extent, ground_of(session)
    session.select("b")
    for offset in ([3, 0, 0], [-9, 0, 0], [0, 2, 1]):
        session.move_selection(offset)
        assert session.document.extent is extent
        assert ground_of(session) == lies
    session.document.hide()
    session.select("b")
    session.rename("c")
    session.delete()
    assert session.document.extent is extent


def test_the_ground_follows_what_is_moved_far_and_goes_back_with_undo() -> None:
    session = Session(BALLS, size=SIZE)
    first = session.document.extent
    session.select("b")
    session.move_selection([500, 0, 0])
    far = session.document.extent
    assert far == session.scene.bounds()
    assert ground_of(session) == ground(far)
    assert ground_of(session).spacing == grid_step(far) == 50.0
    assert abs(ground_of(session).center[0] - 254.0) <= 50.0
    session.move_selection([100, 0, 0])
    assert session.document.extent is far
    session.undo()
    assert session.document.extent is far
    session.undo()
    assert session.document.extent is first
    session.redo()
    assert session.document.extent is far
    session.move_selection([-500, 0, 0])  # the same as undone by hand
    assert session.document.extent is first


def test_the_ground_follows_no_drag_before_it_ends() -> None:
    session = Session(BALLS, size=SIZE, view="z")
    first = session.document.extent
    session.select("b")
    session.view.zoom(-40)
    at = session.viewport.project(np.array([8.0, 0.0, 1.0]))[0].tolist()
    assert at is not None
    session.press(at[0] + 60.0, at[1])
    session.move(at[0] + 300.0, at[1])
    assert session.scene["b"].bounds().lower[0] > 100.0
    assert session.document.extent is first
    session.cancel()
    assert session.document.extent is first
    session.press(at[0] + 60.0, at[1])
    session.move(at[0] + 300.0, at[1])
    session.release(at[0] + 300.0, at[1])
    assert session.document.extent == session.scene.bounds()


def test_what_is_added_far_away_has_a_ground_and_steps_of_its_size() -> None:
    session = Session(Scene(), size=SIZE)
    step = ground_of(session).spacing
    session.add("sphere")
    session.resize_selection("radius", 300.0)
    assert ground_of(session).spacing > 100.0 * step
    session.undo()
    assert ground_of(session).spacing == step


def test_what_is_left_when_what_is_huge_has_gone_has_a_ground_of_its_size() -> None:
    session = Session(Scene({"floor": AABB([-50, -50, -1], [50, 50, 0]), "ball": Sphere([20, 0, 1], 1)}), size=SIZE)
    first = session.document.extent
    session.select("floor")
    session.delete()
    assert ground_of(session).spacing == grid_step(session.scene["ball"].bounds()) == 0.2
    session.undo()
    assert session.document.extent is first


def test_a_ground_has_room_for_points_and_for_nothing() -> None:
    extent = AABB([0, 0, 0], [10, 10, 1])
    assert has_room(extent, None)
    assert has_room(extent, Point([3, 3, 0]).bounds())
    assert has_room(None, AABB([-2, 0, 0], [1, 1, 1]))
    assert has_room(Point([0, 0, 0]).bounds(), AABB([-2, 0, 0], [1, 1, 1]))
    assert not has_room(None, Point([30, 3, 0]).bounds())
    assert not has_room(extent, AABB([0, 0, -40], [10, 10, 1]))
    assert not has_room(extent, AABB([0, 0, 0], [0.9, 0.9, 0.9]))


def test_with_a_motion_the_ground_is_that_of_all_its_time() -> None:
    scene = BALLS.replaced(motion=[Motion("a", [0, 1], [[0, 0, 0], [100, 0, 0]])])
    session = Session(scene, size=SIZE)
    first = session.document.extent
    session.select("b")
    session.move_selection([60, 0, 0])
    assert session.document.extent is first
    session.move_selection([600, 0, 0])
    assert session.document.extent is not None
    assert session.document.extent.upper[0] == 669.0
    session.select("a")
    session.move_selection([600, 0, 0])
    assert session.document.extent is not None
    assert session.document.extent.upper[0] == 669.0
