"""Hands on: what is pressed and dragged moves, what is hovered says so, and what is locked stays."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from collision import (
    AABB,
    Camera,
    Capsule,
    HalfSpace,
    Line,
    Motion,
    OrientedBox,
    Point,
    Ray,
    Scene,
    Segment,
    Shape,
    Sphere,
)
from collision.inner import FloatArray
from tests.cases import check_each
from tests.helpers import SIZE, chord, pixel, type_keys
from viewer.camera.picking import seen_at_pixel
from viewer.files.loading import load
from viewer.picture.present import present
from viewer.records.drawables import Label, Marker, Role, ShapeFlags, Solid
from viewer.records.events import Pointer
from viewer.session import Session
from viewer.stage.stage import Stage
from viewer.studio.app import App

pytestmark = pytest.mark.usefixtures("undrawn")

#: A ball and a crate on a floor, a rod that leans, a bird in the air, a point, a batch, and a wall.
SCENE = Scene(
    {
        "floor": AABB([-6, -6, -0.5], [6, 6, 0]),
        "ball": Sphere([0, 0, 1], 1),
        "crate": OrientedBox([3, 0, 0.75], np.eye(3), [0.75, 0.75, 0.75]),
        "rod": Capsule([-4, 0, 0.5], [-3, 1, 3], 0.25),
        "bird": Sphere([2, 3, 3], 0.5),
        "edge": Segment([-2, -4, 1], [1, -4, 1]),
        "ray": Ray([4, -4, 1], [1, 0, 1]),
        "P": Point([-1, -2, 2]),
        "crowd": Sphere([[5, 3, 0.5], [5, 5, 0.5]], 0.5),
        "wall": HalfSpace([0, 6, 0], [0, -1, 0]),
    },
    camera=Camera((4, -22, 13), (0, 0, 0.5)),
)


@pytest.fixture
def session() -> Session:
    return Session(SCENE, size=SIZE)


def drawing() -> Session:
    """Return a session on a drawing that is seen face on."""
    return Session(load("point_distance"), size=SIZE)


def place(session: Session, name: str) -> FloatArray:
    return np.asarray(next(iter(session.scene[name].values().values())))


def press_on(session: Session, name: str, *at: float, **held: bool) -> tuple[tuple[float, float], FloatArray]:
    """Press on a point of a shape; return the pixel, and the point that is seen there."""
    x, y = pixel(session, *(at or place(session, name)))
    seen = seen_at_pixel(session.scene, session.viewport, x, y)
    assert seen is not None
    assert seen.name == name
    assert session.press(x, y, **held)
    return (x, y), seen.point


def drag(session: Session, name: str, dx: float, dy: float, *at: float, **held: bool) -> FloatArray:
    """Drag a shape by pixels, and return how its first place has moved."""
    before = place(session, name)
    (x, y), _ = press_on(session, name, *at, **held)
    assert session.move(x + dx, y + dy, **held)
    session.release(x + dx, y + dy, **held)
    return place(session, name) - before


# -- a drag moves ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["ball", "crate", "crowd[1]"])
def test_what_stands_on_the_ground_is_dragged_along_it(session: Session, name: str) -> None:
    camera, revision = session.viewport.camera, session.scene
    (x, y), point = press_on(session, name)
    assert session.scene is revision
    before = place(session, name)
    for dx, dy in ((30, 10), (-45, 60), (70, -20)):
        session.move(x + dx, y + dy)
        offset = place(session, name) - before
        assert offset[2] == 0.0
        assert pixel(session, *(point + offset)) == pytest.approx((x + dx, y + dy), abs=1.0)
        assert session.pending
        assert session.manipulation.tool.gizmo is None
    assert session.selected == (name,)
    session.release(x + 70, y - 20)
    assert not session.pending
    assert session.manipulation.tool.gizmo is not None
    assert session.viewport.camera == camera
    session.undo()
    assert session.scene is revision
    assert not session.document.undoable


def test_along_the_ground_nothing_rises_by_rounding() -> None:
    rng = np.random.default_rng(7)
    for _ in range(100):
        center = rng.uniform(0.3, 1, 3)
        ball = Sphere(center, center[2])
        camera = Camera(tuple((center + rng.uniform(3, 9, 3)).tolist()), tuple(center.tolist()))
        session = Session(Scene({"ball": ball, "other": Point([9, 9, 0])}, camera=camera), size=SIZE)
        x, y = pixel(session, *center)
        session.press(x, y)
        session.move(x + rng.uniform(-60, 60), y + 20)
        moved = place(session, "ball") - center
        assert moved[2] == 0.0
        assert moved.any()
        session.cancel()


@pytest.mark.parametrize("name", ["rod", "bird", "P", "edge", "ray"])
def test_all_else_is_dragged_in_the_plane_of_the_picture(session: Session, name: str) -> None:
    at = 0.5 * np.add(*list(session.scene[name].values().values())[:2]) if name in ("rod", "edge") else ()
    if name == "ray":
        at = np.array([4.5, -4, 1.5])
    x, y = pixel(session, *(at if len(at) else place(session, name)))
    seen = seen_at_pixel(session.scene, session.viewport, x, y)
    assert seen is not None
    offset = drag(session, name, 40, 25, *at)
    assert pixel(session, *(seen.point + offset)) == pytest.approx((x + 40, y + 25), abs=1.0)
    assert offset @ session.viewport.forward == pytest.approx(0.0, abs=session.viewport.units_per_pixel(seen.point))
    assert session.selected == (name,)


def test_seen_flat_the_ground_is_no_plane_to_drag_in(session: Session) -> None:
    session.view.set_camera(Camera((20, -30, 3), (0, 0, 1)))
    assert drag(session, "ball", 10, 40)[2] > 0.5


@pytest.mark.parametrize(("name", "end", "other"), [("edge", "start", "end"), ("rod", "end", "start")])
def test_an_end_is_dragged_alone(session: Session, name: str, end: str, other: str) -> None:
    shape = session.scene[name].values()
    x, y = pixel(session, *shape[end])
    assert session.press(x + 3, y - 2)
    session.move(x + 43, y + 28)
    assert pixel(session, *session.scene[name].values()[end]) == pytest.approx((x + 40, y + 30), abs=1.0)
    assert session.scene[name].values()[other].tolist() == shape[other].tolist()
    session.key("Escape")
    assert session.scene[name] == SCENE[name]
    assert session.move(x + 90, y) is False  # the button is still down
    assert session.manipulation.pointing.hovered is None
    session.release(x + 90, y)
    assert session.scene is SCENE
    assert not session.document.undoable


def test_ends_that_are_near_each_other_in_the_picture_are_not_taken_alone() -> None:
    session = Session(Scene({"dash": Segment([0, 0, 0], [0.1, 0, 0]), "far": Point([9, 9, 9])}), size=SIZE)
    start, end = session.scene["dash"].values().values()
    drag(session, "dash", 30, 20)
    moved = session.scene["dash"].values()
    assert moved["end"] - moved["start"] == pytest.approx(end - start)


def test_a_still_click_selects_and_moves_nothing(session: Session) -> None:
    (x, y), _ = press_on(session, "ball")
    session.move(x + 2, y + 2)
    session.release(x + 2, y + 2)
    assert session.scene is SCENE
    assert session.selected == ("ball",)
    assert not session.document.undoable


def test_what_is_selected_moves_together_and_shift_adds_to_it(session: Session) -> None:
    session.select_many(["crate", "rod"])
    before = {name: place(session, name) for name in ("crate", "rod", "ball")}
    step = drag(session, "crate", 30, 10)
    assert place(session, "rod") - before["rod"] == pytest.approx(step)
    assert session.selected == ("crate", "rod")
    drag(session, "ball", 20, 10, shift=True)
    assert session.selected == ("crate", "rod", "ball")
    session.undo()
    session.undo()
    assert session.scene is SCENE
    drag(session, "ball", 20, 10)
    assert session.selected == ("ball",)
    session.select("crowd")
    before["crowd"] = session.scene["crowd"].values()["center"]
    drag(session, "crowd[0]", 20, 10)
    assert session.selected == ("crowd",)
    assert np.ptp(session.scene["crowd"].values()["center"] - before["crowd"], axis=0) == pytest.approx([0, 0, 0])


def test_handles_win_over_the_shape(session: Session) -> None:
    session.select("bird")
    unit = float(session.viewport.units_per_pixel([2, 3, 3]))
    x, y = pixel(session, 2 + 80 * unit, 3, 3)
    assert session.press(x, y)
    session.move(x + 30, y + 40)
    assert place(session, "bird")[1:].tolist() == [3, 3]


def test_ctrl_snaps_what_is_dragged_and_draws_a_rectangle_elsewhere(session: Session) -> None:
    drag(session, "ball", 37, 11, ctrl=True)
    assert session.selection.box is None
    assert (place(session, "ball") % 1.0).tolist() == [0, 0, 0]
    assert place(session, "ball").tolist() != [0, 0, 1]
    assert session.press(3, 3, ctrl=True)
    assert session.selection.box is not None
    session.cancel()
    session.selection.draw_box()
    press_on(session, "bird")
    assert session.selection.box is not None
    assert not session.pending


def test_numbers_and_axes_are_typed_while_a_shape_is_dragged(session: Session) -> None:
    (x, y), _ = press_on(session, "ball")
    session.move(x + 30, y + 30)
    type_keys(session, "x", "1", "period", "5")
    session.move(x + 90, y + 30)
    assert place(session, "ball").tolist() == [1.5, 0, 1]
    session.release(x + 90, y + 30)
    assert place(session, "ball").tolist() == [1.5, 0, 1]
    session.manipulation.tool.set_mode("rotate")
    (x, y), _ = press_on(session, "bird", 2.2, 3, 3.3)
    session.move(x + 30, y + 30)
    type_keys(session, "e", "y", "2", "Return")
    assert place(session, "bird") == pytest.approx([2, 5, 3])


def test_a_floor_and_a_half_space_stay_unless_they_are_selected(session: Session) -> None:
    for at in ((-5, -5, 0), (0, 6, 4)):
        x, y = pixel(session, *at)
        session.move(x, y)
        assert session.manipulation.pointing.hovered is None
        assert not session.press(x, y)
        assert not session.move(x + 60, y)
        session.release(x + 60, y)
    assert session.scene is SCENE
    session.select("wall")
    point = place(session, "wall")
    x, y = pixel(session, 3, 6, 4)
    assert session.press(x, y)
    session.move(x + 5, y - 60)
    session.release(x + 5, y - 60)
    step = place(session, "wall") - point
    assert abs(step[1]) > 0.1
    assert step[[0, 2]] == pytest.approx([0, 0], abs=1e-9)
    session.select("floor")
    assert drag(session, "floor", 40, 10, -5, -5, 0)[2] == 0.0


@pytest.mark.parametrize("camera", [Camera((9, -22, 13)), Camera((3, -9, 4), parallel_height=9.0)])
def test_shapes_of_every_kind_are_taken_where_they_are_seen(camera: Camera) -> None:
    shapes: list[Shape] = [
        Point([0.2, 0.1, 1]),
        Segment([-2, 0, 1], [2, 0.5, 1.5]),
        Ray([-2, 0, 1], [1, 0, 0.2]),
        Line([0, 0, 1], [1, 0.3, 0]),
        Sphere([0, 0, 1], 1),
        Capsule([-2, 0, 1], [2, 0, 2], 0.4),
        AABB([-1, -1, 0.2], [1, 1, 2]),
        OrientedBox([0, 0, 1], [0.1, 0.2, 0.3, 0.9], [1, 2, 0.3]),
    ]
    check_each(shapes, lambda shape: _is_taken(shape, camera), lambda shape: type(shape).__name__)


def _is_taken(shape: Shape, camera: Camera) -> None:
    session = Session(Scene({"it": shape, "other": Point([7, 7, 0])}, camera=camera), size=SIZE)
    rng, taken = np.random.default_rng(3), 0
    middle = pixel(session, *shape.bounds().center) if shape.bounded else (400.0, 300.0)
    for x, y in [middle, *(rng.uniform(0.3, 0.7, (40, 2)) * SIZE).tolist()]:
        seen = seen_at_pixel(session.scene, session.viewport, x, y)
        if seen is None:
            continue
        under = session.press(x, y)
        session.move(x + 12, y - 9)
        assert under
        assert session.pending
        change = session.scene["it"].values(), shape.values()
        ends = [key for key in change[0] if key in ("start", "end", "origin", "point", "center", "position", "lower")]
        steps = [change[0][key] - change[1][key] for key in ends]
        step = max(steps, key=lambda one: float(np.abs(one).max()))
        assert pixel(session, *(seen.point + step)) == pytest.approx((x + 12, y - 9), abs=8.0 + 1e-6)
        session.cancel()
        session.release(x, y)
        assert session.scene["it"] == shape
        taken += 1
    assert taken > 0


# -- drawings ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("example", ["point_distance", "circle_segment", "line_circle"])
def test_a_drawing_is_shifted_face_on_and_turned_when_asked(example: str) -> None:
    session = Session(load(example), size=SIZE)
    camera = session.viewport.camera
    assert session.view.face_on
    assert session.press(5, 5)
    assert session.move(45, 25)
    assert session.move(65, 25)
    session.release(65, 25)
    shifted = session.viewport.camera
    assert session.view.face_on
    assert session.selected == ()
    assert shifted.position[0] < camera.position[0]
    assert np.subtract(shifted.position, shifted.target) == pytest.approx(np.subtract(camera.position, camera.target))
    session.view.undo()
    assert session.viewport.camera == camera
    session.view.orbit(30, 20)
    assert not session.view.face_on
    assert session.press(5, 5) is False
    session.release(5, 5)
    session.view.look("z")
    assert session.view.face_on


def test_other_scenes_are_no_drawings() -> None:
    flat = {"a": Sphere([0, 0, 1], 1), "b": Sphere([4, 0, 1], 1)}
    above = Camera((0, 0, 9), up=(0, 1, 0))
    assert Session(Scene(flat, camera=above), size=SIZE).view.face_on
    assert not Session(Scene(flat), size=SIZE, view="z").view.face_on
    assert not Session(Scene({**flat, "c": Sphere([0, 0, 2], 1)}, camera=above), size=SIZE).view.face_on
    assert not Session(Scene({**flat, "r": Ray([0, 0, 1], [1, 0, 1])}, camera=above), size=SIZE).view.face_on
    assert Session(Scene({**flat, "w": HalfSpace([0, 0, 9], [1, 0, 0])}, camera=above), size=SIZE).view.face_on
    assert not Session(load("first"), size=SIZE).view.face_on


def test_what_is_drawn_stays_in_its_plane_however_it_is_seen() -> None:
    session = drawing()
    session.view.orbit(120, -90)
    offset = drag(session, "P", 50, 30)
    assert offset[2] == 0.0
    assert np.abs(offset).max() > 0.1


def test_a_point_of_a_drawing_is_dragged_and_the_view_stays() -> None:
    session = drawing()
    camera = session.viewport.camera
    x, y = pixel(session, *place(session, "P"))
    drag(session, "P", 60, 40)
    assert session.viewport.camera == camera
    assert pixel(session, *place(session, "P")) == pytest.approx((x + 60, y + 40), abs=1.0)
    chord(session, "ctrl+z")
    assert session.scene["P"] == load("point_distance")["P"]


# -- locked, and moving ------------------------------------------------------------------------------------------------


def test_what_is_locked_is_moved_by_keys_alone(session: Session) -> None:
    session.key("L", shift=True)
    assert session.manipulation.tool.locked
    x, y = pixel(session, *place(session, "ball"))
    assert not session.press(x, y)
    assert not session.move(x + 40, y)
    session.release(x + 40, y)
    assert session.scene is SCENE
    session.press(x, y)
    session.release(x, y)
    assert session.selected == ("ball",)
    assert session.manipulation.tool.gizmo is None
    assert session.manipulation.tool.status == ("locked: Shift+L unlocks", "keys and typed numbers still move them")
    type_keys(session, "g", "x", "2", "Return")
    assert place(session, "ball").tolist() == [2, 0, 1]
    session.undo()
    session.move(x, y)
    assert session.manipulation.pointing.offer == ""  # as it is said of what is selected
    session.deselect()
    session.move(x + 1, y)
    assert session.manipulation.pointing.offer == "ball is locked: Shift+L unlocks"
    assert session.press(x, y, ctrl=True)
    assert session.selection.box is not None
    session.cancel()
    session.key("L", shift=True)
    session.select("ball")
    assert session.manipulation.tool.gizmo is not None
    session.deselect()
    assert drag(session, "ball", 30, 10).any()


@pytest.mark.parametrize(("name", "locked"), [("arm.xml", True), ("arm.URDF", True), ("arm.toml", False)])
def test_a_robot_model_is_locked_when_it_is_opened(session: Session, tmp_path: Path, name: str, locked: bool) -> None:
    session.comes_from(tmp_path / name)
    assert session.manipulation.tool.locked is locked


def test_what_moves_just_now_is_not_taken_and_says_so() -> None:
    motion = [Motion("ball", [0, 1], [[0, 0, 0], [3, 0, 0]])]
    session = Session(SCENE.replaced(motion=motion), size=SIZE)
    session.player.scrub(0.5)
    x, y = pixel(session, 1.5, 0, 1)
    session.move(x, y)
    assert session.manipulation.pointing.offer == "ball is moving just now"
    assert not session.press(x, y)
    session.release(0, 0)
    session.player.scrub(0.0)
    assert drag(session, "ball", 30, 10).any()
    session.player.play()
    session.move(*pixel(session, *place(session, "crate")))
    assert session.manipulation.pointing.hovered is None


# -- hovering ----------------------------------------------------------------------------------------------------------

OFFERS = {
    "ball": "ball: drag it along the ground",
    "bird": "bird: drag it in the picture's plane",
    "crowd[0]": "crowd[0]: drag it along the ground",
    "P": "P: drag it in the picture's plane",
}


def test_what_is_under_the_pointer_says_what_a_press_does(session: Session) -> None:
    def check(name: str) -> None:
        session.move(*pixel(session, *place(session, name)))
        assert session.manipulation.pointing.hovered == name
        assert session.manipulation.pointing.offer == OFFERS[name]

    check_each(OFFERS, check)
    session.move(*pixel(session, *session.scene["rod"].values()["end"]))
    assert session.manipulation.pointing.offer == "rod: drag its end in the picture's plane"
    session.move(1, 1)
    assert (session.manipulation.pointing.hovered, session.manipulation.pointing.offer) == (None, "")


def test_the_picture_changes_only_when_another_shape_is_under_the_pointer(session: Session) -> None:
    x, y = pixel(session, *place(session, "ball"))
    session.move(x, y)
    before = session.revision
    session.move(x + 2, y)
    assert session.revision == before
    session.move(1, 1)
    assert session.revision > before


def test_what_is_hovered_is_outlined_named_and_its_ends_are_dots(session: Session) -> None:
    session.move(*pixel(session, *place(session, "crowd[1]")))
    drawn = present(session)
    flags = np.concatenate([solid.flags for solid in drawn if isinstance(solid, Solid)])
    assert np.sum(flags & ShapeFlags.HOVERED > 0) == 1
    assert sum(label.text == "crowd[1]" for label in drawn if isinstance(label, Label)) == 1
    session.move(*pixel(session, *place(session, "ball")))
    assert sum(label.text == "ball" for label in present(session) if isinstance(label, Label)) == 1
    session.move(*pixel(session, *session.scene["rod"].values()["start"]))
    dots = {mark.role: len(mark.points) for mark in present(session) if isinstance(mark, Marker)}
    assert (dots[Role.HANDLE], dots[Role.HOT]) == (1, 1)


def test_nothing_is_hovered_behind_the_strip_of_the_time() -> None:
    motion = [Motion("ball", [0, 1], [[0, 0, 0], [3, 0, 0]])]
    with Stage.offscreen(SIZE) as stage:
        app = App(Session(SCENE.replaced(motion=motion), size=SIZE), stage)
        session = app.session
        x, y = 400.0, 40.0
        session.view.pan(x - pixel(session, 3, 0, 0.75)[0], y - pixel(session, 3, 0, 0.75)[1])
        app.refresh()
        stage.send("move", Pointer(*pixel(session, 3, 0, 0.75)))
        assert session.manipulation.pointing.hovered is None
        session.settings.toggle("hud")
        app.refresh()
        stage.send("move", Pointer(*pixel(session, 3, 0, 0.75)))
        assert session.manipulation.pointing.hovered == "crate"


def test_nothing_is_hovered_while_something_else_is_done(session: Session) -> None:
    x, y = pixel(session, *place(session, "ball"))
    session.move(x, y)
    session.press(x, y)
    assert session.manipulation.pointing.hovered is None
    session.move(x + 50, y)
    session.release(x + 50, y)
    session.undo()
    session.deselect()
    session.move(x, y)
    assert session.manipulation.pointing.hovered == "ball"
    session.dialog.ask_menu()
    session.move(x + 1, y)
    assert session.manipulation.pointing.hovered is None
    session.dialog.dismiss()
    session.move(x, y)
    session.view.orbit(200, 0)
    assert session.manipulation.pointing.hovered is None
    session.move(*pixel(session, *place(session, "ball")))
    assert session.manipulation.pointing.hovered == "ball"
    session.select("ball")
    session.delete()
    assert session.manipulation.pointing.hovered is None
