"""Handles and numbers in a session: every mode, by the mouse, by keys and from Python, without a window."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collision import AABB, Camera, Capsule, Line, OrientedBox, Ray, Scene, Segment, Shape, Sphere
from tests.helpers import AXES, SHAPES, SIZE, pixel, type_keys
from viewer.gizmo import AXIS_LENGTH, Gizmo, Handle, Mover, Turner
from viewer.gizmo.rotating import RING
from viewer.picture.handles import handle_marks
from viewer.picture.present import present
from viewer.records.drawables import Panel
from viewer.records.events import Key, Pointer
from viewer.records.sizes import grid_step
from viewer.session import Session
from viewer.stage.stage import Stage
from viewer.studio.app import App

pytestmark = pytest.mark.usefixtures("undrawn")

SCENE = Scene(
    SHAPES
    | {
        "crate": SHAPES["box"],
        "box": OrientedBox([7, 0, 0], AXES, [1, 0.5, 0.5]),
        "crowd": SHAPES["crowd"].translated([0, 4, 0]),
    }
)
MODES = ("translate", "rotate", "size")


@pytest.fixture
def session() -> Session:
    return Session(SCENE, size=SIZE)


def place_of(session: Session, handle: Handle) -> tuple[float, float]:
    """Return a pixel at which the session takes just this handle."""
    gizmo, view = session.manipulation.tool.gizmo, session.viewport
    assert gizmo is not None
    at = gizmo.handles(view)[handle]
    unit = view.units_per_pixel(at)
    candidates = [at]
    if handle.kind in ("axis", "plane"):
        along = np.eye(3)[handle.axis] if handle.kind == "axis" else (1.0 - np.eye(3)[handle.axis])
        reaches = AXIS_LENGTH * np.linspace(0.95, 0.2, 9) if handle.kind == "axis" else [48.0, 40.0, 56.0]
        candidates = [at + gizmo.subject.frame @ along * unit * reach for reach in reaches]
    if handle.kind == "ring":
        assert isinstance(gizmo, Turner)
        candidates = list(gizmo.ring(view, handle.axis)[0])
    for point in candidates:
        x, y = pixel(session, *point)
        around = [(x, y), (x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]  # not just where two handles meet
        if all(gizmo.hit(view, *place) == handle for place in around):
            return x, y
    raise AssertionError(f"{handle} cannot be grabbed")


def turns_in_place(shape: Shape, gizmo: Gizmo, handle: Handle, session: Session) -> bool:
    """Say whether a shape is round about the axis of a ring."""
    axis = gizmo.typed(handle, [1.0], session.viewport).axis  # type: ignore[attr-defined]
    if isinstance(shape, Sphere):  # the crowd, in a row
        along = shape.center[1] - shape.center[0]
    elif isinstance(shape, Capsule | Segment):
        along = shape.end - shape.start
    elif isinstance(shape, Line | Ray):
        along = shape.direction
    else:
        return False
    return bool(np.linalg.norm(np.cross(along, axis)) < 1e-12)


# -- every handle of every kind, by the mouse --------------------------------------------------------------------------


@pytest.mark.parametrize("axes", ["world", "local"])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", [*SCENE, "crowd[1]"])
def test_every_handle_can_be_dragged_and_undone_bit_for_bit(name: str, mode: str, axes: str) -> None:
    session = Session(SCENE, size=SIZE)
    session.view.set_camera(Camera((14, -22, 17), (1, 0, 0)))
    session.select(name)
    session.manipulation.tool.set_mode(mode)  # type: ignore[arg-type]
    session.manipulation.tool.set_axes(axes)  # type: ignore[arg-type]
    assert session.manipulation.tool.gizmo is not None
    tried, gizmo = 0, session.manipulation.tool.gizmo
    for handle in gizmo.handles(session.viewport):
        x, y = place_of(session, handle)
        assert session.press(x, y), handle
        assert session.manipulation.tool.hot == handle
        assert session.move(x + 25, y + 14)
        about_itself = handle.kind == "ring" and turns_in_place(SCENE[name], gizmo, handle, session)
        if handle.kind == "ring" and isinstance(SCENE[name], Ray) and about_itself:
            np.testing.assert_allclose(session.scene[name].direction, SCENE[name].direction, atol=1e-15)
        else:
            assert (session.scene != SCENE) is not about_itself, handle
        assert session.manipulation.tool.status[0].split()[0] in ("move", "turn", "size", "scale")
        changed = session.scene
        assert session.release(x + 25, y + 14)
        assert session.scene == changed
        assert not session.pending
        others = [n for n in SCENE if n != name.partition("[")[0]]
        assert all(session.scene[n] is SCENE[n] or session.scene[n] == SCENE[n] for n in others)
        assert session.document.undoable is (changed != SCENE)
        if session.document.undoable:
            session.undo()
            assert session.scene is SCENE
            session.redo()
            assert session.scene == changed
            session.undo()
        assert session.scene is SCENE
        tried += 1
    nothing = {"rotate": {"ball", "P", "crowd[1]"}, "size": {"ray", "line", "P"}, "translate": set()}
    assert (tried == 0) == (name in nothing[mode])
    if not tried:
        assert len(session.manipulation.tool.status) == 2  # it says why


@pytest.mark.parametrize("mode", MODES)
def test_a_drag_back_to_where_it_was_pressed_changes_nothing(session: Session, mode: str) -> None:
    session.select("box")
    session.manipulation.tool.set_mode(mode)  # type: ignore[arg-type]
    for handle in session.manipulation.tool.gizmo.handles(session.viewport):  # type: ignore[union-attr]
        start = place_of(session, handle)
        session.press(*start)
        session.move(start[0] + 90, start[1] - 40)
        session.move(*start)
        for field, value in SCENE["box"].values().items():
            assert session.scene["box"].values()[field] == pytest.approx(value, abs=1e-12)
        session.key("Escape")
        assert session.scene is SCENE


def test_a_ring_is_followed_round_and_round_and_is_one_step(session: Session) -> None:
    session.select("box")
    session.manipulation.tool.set_mode("rotate")
    gizmo, view = session.manipulation.tool.gizmo, session.viewport
    assert isinstance(gizmo, Turner)
    ring, _ = gizmo.ring(view, 2)
    start = place_of(session, Handle("body", "ring", 2))
    first = int(np.argmin(np.linalg.norm(view.project(ring)[0] - start, axis=1)))
    session.press(*start)
    for step in range(0, 2 * len(ring) + len(ring) // 4 + 1, 4):
        session.move(*pixel(session, *ring[(first + step) % len(ring)]))
    assert session.manipulation.tool.status == ("turn about z", "angle\t810°")
    turned = session.scene["box"]
    assert isinstance(turned, OrientedBox)
    assert turned.axes == pytest.approx(np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]]) @ AXES, abs=1e-6)
    session.release(*pixel(session, *ring[(first + len(ring) // 4) % len(ring)]))
    session.undo()
    assert session.scene is SCENE


def test_refitting_an_aabb_does_not_grow_it_within_a_drag_and_says_how_to_turn_it(session: Session) -> None:
    session.select("crate")
    session.manipulation.tool.set_mode("rotate")
    start = place_of(session, Handle("body", "ring", 2))
    session.press(*start)
    sizes = []
    for step in range(60):
        session.move(start[0] + 60 * np.sin(step), start[1] + 40 * np.cos(step))
        crate = session.scene["crate"]
        assert isinstance(crate, AABB)
        sizes.append(float(crate.half_extents[0]))
    assert max(sizes) <= np.sqrt(2.0) * (1 + 1e-12)
    assert any("refitted; Shift+O makes it a box that turns" in line for line in session.manipulation.tool.status)
    angle = session.manipulation.tool.status[1]
    session.key("O", shift=True)
    turned = session.scene["crate"]
    assert isinstance(turned, OrientedBox)
    assert turned.half_extents.tolist() == [1, 1, 1]
    assert session.manipulation.tool.status == ("turn about z", angle)
    session.release(start[0] + 60 * np.sin(59), start[1] + 40 * np.cos(59))
    assert isinstance(session.scene["crate"], OrientedBox)
    session.undo()
    assert session.scene is SCENE


def test_ctrl_snaps_a_move_to_the_grid_and_shift_to_a_finer_one(session: Session) -> None:
    session.view.set_camera(Camera((14, -22, 17), (1, 0, 0)))
    session.select("ball")
    session.move_selection([0.123, 0.456, 0.789])
    step = grid_step(SCENE.bounds())
    assert step == 2.0
    for handle, free in (
        (Handle("body", "axis", 0), [0]),
        (Handle("body", "plane", 2), [0, 1]),
        (Handle("body", "view"), [0, 1, 2]),
    ):
        for held, unit in (({"ctrl": True}, step), ({"ctrl": True, "shift": True}, 0.1 * step)):
            x, y = place_of(session, handle)
            session.press(x, y)
            session.move(x + 77, y + 41, **held)
            center = session.scene["ball"].values()["center"]
            assert center[free] / unit == pytest.approx(np.round(center[free] / unit), abs=1e-9)
            bound = [axis for axis in range(3) if axis not in free]
            assert center[bound].tolist() == np.array([0.123, 0.456, 0.789])[bound].tolist()
            session.move(x + 77, y + 41)
            assert session.scene["ball"].values()["center"][0] % (0.1 * step) > 1e-6
            session.key("Escape")


def test_along_local_axes_moves_snap_to_whole_steps(session: Session) -> None:
    session.select("box")
    session.manipulation.tool.set_axes("local")
    x, y = place_of(session, Handle("body", "axis", 0))
    session.press(x, y)
    session.move(x + 60, y - 5, ctrl=True)
    offset = session.scene["box"].values()["center"] - SCENE["box"].values()["center"]
    amount = float(offset @ AXES[:, 0])
    assert abs(amount) >= 1.0
    assert amount == pytest.approx(round(amount), abs=1e-12)
    assert offset == pytest.approx(amount * AXES[:, 0])
    assert session.manipulation.tool.status[0] == "move along local x"


def test_the_snap_switch_turns_ctrl_around(session: Session) -> None:
    session.select("box")
    session.manipulation.tool.set_mode("rotate")
    assert session.manipulation.tool.status == ("turn · world axes",)
    session.key("S", shift=True)
    assert session.manipulation.tool.status == ("turn · world axes · snap 2, 15°",)
    x, y = place_of(session, Handle("body", "ring", 2))
    session.press(x, y)
    session.move(x + 30, y + 10)
    snapped = float(session.manipulation.tool.status[1].partition("\t")[2].rstrip("°").replace("\N{MINUS SIGN}", "-"))
    assert snapped != 0
    assert snapped % 15 == 0
    session.move(x + 31, y + 10, ctrl=True)
    free = float(session.manipulation.tool.status[1].partition("\t")[2].rstrip("°").replace("\N{MINUS SIGN}", "-"))
    assert free % 15 != 0
    session.release(x + 31, y + 10, ctrl=True)
    axes = session.scene["box"].values()["axes"] @ AXES.T
    assert np.degrees(np.arctan2(axes[1, 0], axes[0, 0])) == pytest.approx(free, abs=1e-2)


def test_shift_resizes_both_sides(session: Session) -> None:
    session.select("crate")
    session.manipulation.tool.set_mode("size")
    x, y = place_of(session, Handle("body", "face", 2, 1))
    session.press(x, y)
    session.move(x, y + 40)
    assert session.scene["crate"].values()["lower"].tolist() == [2, -1, -1]
    session.move(x, y + 40, shift=True)
    lower, upper = session.scene["crate"].values().values()
    assert lower[2] == -upper[2]
    assert upper[2] > 1.1
    assert session.manipulation.tool.status == ("size", f"z\t{float(f'{upper[2] - lower[2]:.5g}'):g}")


def test_a_sphere_is_made_a_point_and_large_again(session: Session) -> None:
    session.select("ball")
    session.manipulation.tool.set_mode("size")
    x, y = place_of(session, Handle("body", "radius"))
    session.press(x, y)
    session.release(x - 500, y)
    assert session.scene["ball"] == Sphere([0, 0, 0], 0)
    x, y = place_of(session, Handle("body", "radius"))
    session.press(x, y)
    session.release(x + 50, y)
    assert session.scene["ball"].values()["radius"] > 0.1


# -- by keys -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "center"),
    [
        (("g", "x", "1", "period", "5", "Return"), [1.5, 0, 0]),
        (("g", "y", "minus", "2", "KP_Enter"), [0, -2, 0]),
        (("g", "z", "KP_1", "KP_Decimal", "KP_5", "Return"), [0, 0, 1.5]),
        (("g", "1", "Tab", "2", "Tab", "minus", "3", "Return"), [1, 2, -3]),
        (("g", "x", "1", "2", "BackSpace", "Return"), [1, 0, 0]),
        (("g", "x", "1", "y", "4", "Return"), [0, 14, 0]),
        (("g", "x", "1", "y", "Return"), [0, 1, 0]),
        (("g", "2", "x", "Return"), [2, 0, 0]),
        (("g", "2", "Tab", "3", "z", "Return"), [0, 0, 3]),
        (("g", "2", "Tab", "z", "Return"), [0, 0, 2]),
        (("g", "x", "2", "x", "Return"), [2, 0, 0]),
        (("g", "x", "0", "period", "1", "Return"), [0.1, 0, 0]),
        (("g", "x", "Return"), [0, 0, 0]),
        (("g", "Return"), [0, 0, 0]),
    ],
)
def test_a_move_is_typed(session: Session, keys: tuple[str, ...], center: list[float]) -> None:
    session.select("ball")
    type_keys(session, *keys)
    assert session.scene["ball"].values()["center"].tolist() == center
    assert not session.pending
    assert session.document.undoable is any(center)
    session.undo()
    assert session.scene is SCENE


@pytest.mark.parametrize(
    ("name", "phrase"),
    [
        ("ball", "g x 0 Return"),
        ("ball", "g x period Return"),
        ("ball", "g x minus 0 Return"),
        ("box", "r z 3 6 0 Return"),
        ("box", "r z 0 Return"),
        ("ball", "s 1 Return"),
        ("crate", "s y 2 Return"),
        ("crowd", "s 1 Return"),
    ],
)
def test_what_changes_nothing_is_no_step_and_forgets_none_that_was_undone(
    session: Session, name: str, phrase: str
) -> None:
    session.comes_from("scene.toml")
    session.select(name)
    session.move_selection([0, 0, 1])
    moved = session.scene
    session.undo()
    type_keys(session, *phrase.split())
    assert session.scene is SCENE
    assert not session.document.undoable
    assert not session.file.dirty
    session.redo()
    assert session.scene is moved


def test_a_drag_back_to_where_it_began_is_no_step(session: Session) -> None:
    session.select("ball")
    x, y = place_of(session, Handle("body", "axis", 0))
    session.press(x, y)
    session.move(x + 50, y)
    session.move(x, y)
    session.release(x, y)
    assert session.scene is SCENE
    assert not session.document.undoable


def test_planes_are_chosen_with_shift_and_the_same_axis_again_is_the_local_one(session: Session) -> None:
    session.select("box")
    type_keys(session, "g")
    session.key("Z", shift=True)
    type_keys(session, "1", "Tab", "2")
    assert session.manipulation.tool.status == ("move in xy", "x\t1", "y\t2\N{LEFT ONE QUARTER BLOCK}")
    type_keys(session, "Return")
    assert session.scene["box"].values()["center"].tolist() == [8, 2, 0]
    type_keys(session, "g", "x", "x", "2")
    assert session.manipulation.tool.status[0] == "move along local x"
    assert session.manipulation.tool.axes == "local"
    type_keys(session, "Return")
    assert session.scene["box"].values()["center"] == pytest.approx(np.array([8, 2, 0]) + 2 * AXES[:, 0])


def test_turns_and_sizes_are_typed(session: Session) -> None:
    session.select("box")
    type_keys(session, "r", "z", "9", "0", "Return")
    quarter = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1.0]])
    assert session.scene["box"].values()["axes"] == pytest.approx(quarter @ AXES, abs=1e-15)
    assert session.scene["box"].values()["center"].tolist() == [7, 0, 0]
    type_keys(session, "r", "z", "minus", "4", "5", "0", "Return")
    assert session.scene["box"].values()["axes"] == pytest.approx(AXES, abs=1e-15)
    session.select("ball")
    type_keys(session, "s", "0", "period", "7", "5", "Return")
    assert session.scene["ball"] == Sphere([0, 0, 0], 0.75)
    session.select("crate")
    type_keys(session, "s", "y", "5", "Return")
    assert session.scene["crate"] == AABB([2, -1, -1], [4, 4, 1])
    type_keys(session, "s", "4", "Tab", "Tab", "6", "Return")
    assert session.scene["crate"] == AABB([1, -1, -3], [5, 4, 3])
    session.select("arm")
    type_keys(session, "s", "Tab", "3", "Return")
    assert session.scene["arm"] == Capsule([-4, 0, -0.5], [-4, 0, 2.5], 0.4)


def test_a_typed_whole_turn_changes_no_bit() -> None:
    for name in ("box", "arm", "edge", "ray", "line", "crate", "crowd"):
        session = Session(SCENE, size=SIZE)
        session.select(name)
        type_keys(session, "r", "y", "3", "6", "0", "Return")
        assert session.scene == SCENE


def test_numbers_are_typed_while_dragging_and_then_the_mouse_is_not_heard(session: Session) -> None:
    session.select("ball")
    x, y = place_of(session, Handle("body", "axis", 1))
    session.press(x, y)
    session.move(x + 30, y + 20)
    type_keys(session, "2", "period", "5")
    assert session.scene["ball"].values()["center"].tolist() == [0, 2.5, 0]
    session.move(x + 60, y + 20)
    assert session.scene["ball"].values()["center"].tolist() == [0, 2.5, 0]
    type_keys(session, "z")
    session.move(x + 30, y + 20)
    assert session.scene["ball"].values()["center"].tolist() == [0, 0, 2.5]
    type_keys(session, "BackSpace", "BackSpace", "BackSpace")
    session.move(x + 30, y + 30)
    center = session.scene["ball"].values()["center"]
    assert center[:2].tolist() == [0, 0]
    assert center[2] not in (0, 2.5)
    type_keys(session, "4", "Return")
    assert session.scene["ball"].values()["center"].tolist() == [0, 0, 4]
    assert not session.manipulation.tool.dragging
    assert session.release(x, y) is False
    assert session.scene["ball"].values()["center"].tolist() == [0, 0, 4]
    session.undo()
    assert session.scene is SCENE


def test_letting_go_of_the_button_accepts_what_was_typed(session: Session) -> None:
    session.select("ball")
    x, y = place_of(session, Handle("body", "axis", 0))
    session.press(x, y)
    session.move(x + 30, y)
    type_keys(session, "3")
    assert session.release(x + 30, y)
    assert session.scene["ball"].values()["center"].tolist() == [3, 0, 0]


def test_typing_without_having_moved_the_mouse_is_no_click(session: Session) -> None:
    session.select("edge")
    start = pixel(session, *SCENE["edge"].values()["end"])
    session.press(*start)
    type_keys(session, "1")
    session.release(*start)
    assert session.scene["edge"].values()["end"].tolist() == [3, -4, 1]
    session.undo()
    assert session.scene is SCENE


def test_escape_and_backspace_take_back_what_was_typed(session: Session) -> None:
    session.select("ball")
    type_keys(session, "g", "x", "5", "BackSpace")
    assert session.scene is SCENE
    assert session.pending
    type_keys(session, "6", "Escape")
    assert session.scene is SCENE
    assert not session.pending
    assert session.document.active == "ball"
    session.undo()
    assert session.scene is SCENE


def test_undo_drops_what_is_typed_and_no_more(session: Session) -> None:
    session.select("ball")
    session.move_selection([1, 0, 0])
    moved = session.scene
    type_keys(session, "g", "x", "5")
    session.key("z", ctrl=True)
    assert session.scene is moved
    assert not session.pending


def test_what_waits_for_numbers_survives_turning_the_view_and_is_accepted_by_a_click(session: Session) -> None:
    session.select("ball")
    type_keys(session, "g", "x", "5")
    assert session.press(5, 5) is False
    session.move(40, 40)
    session.release(40, 40)
    assert session.pending
    session.view.set_camera(Camera((10, -30, 20)))
    assert session.press(5, 5) is False
    session.release(5, 5)
    assert not session.pending
    assert session.document.active == "ball"
    assert session.scene["ball"].values()["center"].tolist() == [5, 0, 0]


def test_a_handle_can_be_taken_while_numbers_are_waited_for(session: Session) -> None:
    session.select("ball")
    type_keys(session, "g", "z", "2")
    x, y = place_of(session, Handle("body", "axis", 0))
    assert session.press(x, y)
    session.release(x + 40, y)
    center = session.scene["ball"].values()["center"]
    assert center[0] != 0
    assert center[2] == 2
    session.undo()
    assert session.scene["ball"].values()["center"].tolist() == [0, 0, 2]


def test_axes_that_a_mode_does_not_have_are_refused_in_the_status(session: Session) -> None:
    session.select("arm")
    type_keys(session, "s", "x")
    assert session.manipulation.tool.status[-1] == "there is no size 'x' here, but radius, length"
    type_keys(session, "1", "e", "9", "9", "9")
    assert session.scene is SCENE
    assert session.manipulation.tool.status == (
        "size",
        "radius\t1e999\N{LEFT ONE QUARTER BLOCK}",
        "length\t2",
        "numbers go up to 1e70",
    )
    type_keys(session, "BackSpace", "BackSpace", "BackSpace", "BackSpace", "Return")
    assert session.scene["arm"] == Capsule([-4, 0, 0], [-4, 0, 2], 1.0)


def test_what_cannot_be_done_is_said_and_leaves_all_as_it_was(session: Session) -> None:
    session.select_many(["ray", "ball"])
    type_keys(session, "s", "0")
    assert session.scene is SCENE
    assert "no direction left" in session.manipulation.tool.status[-1]
    type_keys(session, "Escape")
    session.select("ball")
    type_keys(session, "g", "x", "1", "e", "3", "0", "9")
    assert session.scene is SCENE
    assert len(session.manipulation.tool.status) == 3
    type_keys(session, "Return")
    session.undo()
    assert session.scene is SCENE


def test_negative_sizes_are_not_typed(session: Session) -> None:
    session.select("ball")
    type_keys(session, "s", "minus", "1")
    assert session.scene is SCENE
    assert session.manipulation.tool.status[-1] == "radius must be zero or more, got -1"


@pytest.mark.parametrize(("key", "mode"), [("g", "translate"), ("r", "rotate"), ("s", "size")])
def test_modes_have_keys_with_and_without_a_selection(session: Session, key: str, mode: str) -> None:
    type_keys(session, key)
    assert session.manipulation.tool.mode == mode
    assert not session.pending
    session.select("box")
    type_keys(session, key)
    assert (session.manipulation.tool.mode, session.pending) == (mode, True)
    assert session.manipulation.tool.status[-1] == "x y z: an axis; then a number and Enter"
    type_keys(session, "Escape")
    assert session.manipulation.tool.mode == mode
    assert session.document.active == "box"


def test_x_y_and_z_look_along_axes_when_nothing_is_in_hand(session: Session) -> None:
    session.select("ball")
    type_keys(session, "x")
    assert session.viewport.forward == pytest.approx([-1, 0, 0])
    camera = session.viewport.camera
    type_keys(session, "g", "y")
    assert session.viewport.camera == camera


def test_the_status_stands_in_the_picture(session: Session) -> None:
    def texts() -> list[str]:
        panels = [d for d in present(session) if isinstance(d, Panel) and d.corner == "lower-right"]
        return [row.text for panel in panels for row in panel.rows]

    assert texts() == []
    session.select("ball")
    assert texts() == ["move · world axes"]
    type_keys(session, "g", "x", "minus", "1", "period")
    assert texts() == ["move along x", "x\t\N{MINUS SIGN}1.\N{LEFT ONE QUARTER BLOCK}"]


# -- several shapes ----------------------------------------------------------------------------------------------------


def test_several_shapes_turn_about_their_common_middle_by_the_axes_of_the_active_one(session: Session) -> None:
    session.select_many(["ball", "box"])
    middle = np.array(AABB.union(SCENE["ball"].bounds(), SCENE["box"].bounds()).center)
    session.rotate_selection("z", 180)
    assert session.scene["ball"].values()["center"] == pytest.approx(2 * middle - [0, 0, 0])
    assert session.scene["box"].values()["center"] == pytest.approx(2 * middle - [7, 0, 0])
    session.undo()
    session.manipulation.tool.set_axes("local")
    gizmo = session.manipulation.tool.gizmo
    assert gizmo is not None
    assert np.array_equal(gizmo.subject.frame, AXES)
    assert np.array_equal(gizmo.subject.middle, middle)


def test_a_group_is_dragged_as_one_and_undone_as_one(session: Session) -> None:
    session.view.set_camera(Camera((14, -22, 17), (1, 0, 0)))
    session.select_many(["ball", "crate", "crowd[0]", "ray"])
    for mode in MODES:
        session.manipulation.tool.set_mode(mode)  # type: ignore[arg-type]
        for handle in session.manipulation.tool.gizmo.handles(session.viewport):  # type: ignore[union-attr]
            x, y = place_of(session, handle)
            assert session.press(x, y)
            session.release(x + 33, y + 21)
            changed = {name for name in SCENE if session.scene[name] != SCENE[name]}
            assert changed == {"ball", "crate", "crowd", "ray"}
            assert session.scene["crowd[1]"] == SCENE["crowd[1]"]
            session.undo()
            assert session.scene is SCENE


def test_an_element_that_is_selected_twice_moves_once(session: Session) -> None:
    session.select_many(["crowd[0]", "crowd"])
    session.move_selection([1, 0, 0])
    assert session.scene["crowd"].values()["center"].tolist() == [[9, 4, 0], [9, 7, 0], [9, 10, 0]]
    session.rotate_selection([0, 0, 1], 180)
    assert session.scene["crowd"].values()["center"].tolist() == [[9, 10, 0], [9, 7, 0], [9, 4, 0]]


def test_what_is_deleted_in_the_middle_of_a_drag_was_where_it_rested(session: Session) -> None:
    session.select_many(["ball", "crate"])
    x, y = place_of(session, Handle("body", "axis", 2))
    session.press(x, y)
    session.move(x, y + 40)
    session.key("d", ctrl=True)
    assert session.scene["ball"] == SCENE["ball"]
    assert not session.pending
    session.undo()
    assert session.scene is SCENE


def test_a_click_on_what_is_selected_gives_the_handles_back_to_its_body(session: Session) -> None:
    session.select("edge")
    session.manipulation.tool.choose_part("end")
    session.select("edge")
    assert session.selection.part == "body"


# -- from Python -------------------------------------------------------------------------------------------------------


def test_exact_changes_from_python(session: Session) -> None:
    session.select("box")
    session.rotate_selection([0, 0, 2], 90, about=[0, 0, 0])
    assert session.scene["box"].values()["center"] == pytest.approx([0, 7, 0], abs=1e-15)
    session.undo()
    session.resize_selection("x", 3, side=1)
    assert session.scene["box"].values()["half_extents"].tolist() == [1.5, 0.5, 0.5]
    assert session.scene["box"].values()["center"] == pytest.approx(np.array([7, 0, 0]) + 0.5 * AXES[:, 0])
    session.undo()
    session.scale_selection(2)
    assert session.scene["box"] == OrientedBox([7, 0, 0], AXES, [2, 1, 1])
    session.undo()
    session.select("ray")
    session.rotate_selection("x", 90)
    assert session.scene["ray"].values()["direction"] == pytest.approx(np.array([0, -0.5, -1]) / np.sqrt(1.25))
    assert session.scene["ray"].values()["origin"].tolist() == [-4, -4, 0]
    session.undo()
    assert session.scene is SCENE
    session.select("crate")
    session.manipulation.orient()
    assert session.scene["crate"] == OrientedBox([3, 0, 0], np.eye(3), [1, 1, 1])
    session.rotate_selection("view", 30)
    assert isinstance(session.scene["crate"], OrientedBox)
    session.undo()
    session.undo()
    assert session.scene is SCENE


@pytest.mark.parametrize(
    ("selected", "command", "words"),
    [
        ([], lambda s: s.rotate_selection("z", 1), "select a shape first"),
        ([], lambda s: s.resize_selection("x", 1), "select a shape first"),
        ([], lambda s: s.scale_selection(2), "select a shape first"),
        ([], lambda s: s.manipulation.orient(), "select a shape first"),
        ([], lambda s: s.manipulation.tool.begin("rotate"), "select a shape first"),
        (["none"], lambda s: s.rotate_selection("z", 1), "what is selected has no elements"),
        (
            ["ball"],
            lambda s: s.rotate_selection("z", 1),
            "a sphere is the same from all sides: there is nothing to turn",
        ),
        (
            ["P"],
            lambda s: s.manipulation.tool.begin("rotate"),
            "a point is the same from all sides: there is nothing to turn",
        ),
        (["box"], lambda s: s.rotate_selection("w", 1), "what turns does so about x, y, z or view, got 'w'"),
        (
            ["box"],
            lambda s: s.rotate_selection([0, 0, 0], 1),
            "rotate.axis must be x, y, z, view or a direction (3,), got [0.0, 0.0, 0.0]",
        ),
        (["box"], lambda s: s.rotate_selection("z", np.inf), "degrees must be a finite number, got inf"),
        (["box"], lambda s: s.rotate_selection("z", "far"), "degrees must be made of real numbers, got 'far'"),
        (["box"], lambda s: s.resize_selection("radius", 1), "the box has no size 'radius': it has x, y, z"),
        (["box"], lambda s: s.resize_selection("x", -1), "x must be zero or more, got -1"),
        (
            ["box", "ball"],
            lambda s: s.resize_selection("x", 1),
            "only a single shape has a size: select one, or an element, or scale the selection",
        ),
        (["ray"], lambda s: s.resize_selection("length", 1), "a ray has no size"),
        (["ball"], lambda s: s.scale_selection(-1), "factor must be zero or more, got -1"),
        (["ball"], lambda s: s.manipulation.orient(), "no aabb is selected: only that can be made a box that turns"),
        (
            ["crates[0]"],
            lambda s: s.manipulation.orient(),
            "'crates[0]' is an element of a batch of aabbs: select the batch instead",
        ),
        (
            ["box"],
            lambda s: s.manipulation.tool.set_mode("shear"),
            "mode must be one of translate, rotate, size, got 'shear'",
        ),
        (
            ["box"],
            lambda s: s.manipulation.tool.begin("shear"),
            "mode must be one of translate, rotate, size, got 'shear'",
        ),
        (["box"], lambda s: s.manipulation.tool.set_axes("mine"), "axes must be world or local, got 'mine'"),
        (
            ["box"],
            lambda s: s.manipulation.tool.begin("translate", "w"),
            "what moves does so along x, y or z, or in xy, xz or yz, got 'w'",
        ),
        (["none"], lambda s: s.manipulation.tool.begin("translate"), "what is selected has no elements"),
        (["none"], lambda s: s.manipulation.nudge("up"), "what is selected has no elements"),
        ([], lambda s: s.manipulation.nudge("up"), "select a shape first"),
        ([], lambda s: s.manipulation.modal.take("translate"), "select a shape first"),
        (["arm"], lambda s: s.manipulation.tool.begin("size", "x"), "there is no size 'x' here, but radius, length"),
        (["ball"], lambda s: s.resize_selection("radius", 1e200), "numbers go up to 1e70"),
        (["ball"], lambda s: s.move_selection([0, 1e71, 0]), "numbers go up to 1e70"),
        (["crowd"], lambda s: s.scale_selection(1e71), "numbers go up to 1e70"),
        (["crowd"], lambda s: s.scale_selection(5e69), "numbers go up to 1e70"),
    ],
)
def test_what_cannot_be_done_is_said(selected: list[str], command, words: str) -> None:  # type: ignore[no-untyped-def]
    scene = SCENE.with_shape("none", Sphere(np.zeros((0, 3)), 1.0))
    scene = scene.with_shape("crates", AABB([[20, 0, 0], [22, 0, 0]], [[21, 1, 1], [23, 1, 1]]))
    session = Session(scene, size=SIZE)
    session.select_many(selected)
    with pytest.raises(ValueError) as error:  # noqa: PT011 (the words are below)
        command(session)
    assert str(error.value) == words
    assert session.scene is scene
    assert not session.pending


def test_a_script_goes_the_same_way_as_the_keys(session: Session) -> None:
    session.select("box")
    session.manipulation.tool.begin("rotate", axis="x")
    assert session.pending
    assert not session.manipulation.tool.dragging
    assert all(session.manipulation.modal.type_key(key) for key in ("4", "5"))
    typed = session.scene
    assert session.manipulation.tool.accept()
    assert session.manipulation.tool.accept() is False
    assert session.manipulation.modal.type_key("1") is False
    session.undo()
    session.rotate_selection("x", 45)
    assert session.scene == typed
    session.undo()
    session.manipulation.tool.begin("size", axis="z")
    assert session.cancel()
    assert session.cancel() is False


def test_a_mode_keeps_to_its_own_when_the_selection_changes(session: Session) -> None:
    session.select("edge")
    end = pixel(session, *SCENE["edge"].values()["end"])
    session.press(*end)
    session.release(*end)
    assert session.selection.part == "end"
    session.manipulation.tool.begin("translate", "z")
    assert session.manipulation.tool.status[0] == "move end along z"
    type_keys(session, "1", "Return")
    assert session.scene["edge"].values()["end"].tolist() == [2, -4, 2]
    session.manipulation.tool.set_mode("rotate")
    assert session.selection.part == "body"
    session.select("ball")
    assert session.manipulation.tool.mode == "rotate"


def test_a_ray_s_tip_is_moved_by_numbers_from_where_it_is(session: Session) -> None:
    session.select("ray")
    gizmo = session.manipulation.tool.gizmo
    assert isinstance(gizmo, Mover)
    tip = gizmo.parts(session.viewport)["tip"]
    start = pixel(session, *tip)
    session.press(*start)
    session.release(*start)
    assert session.selection.part == "tip"
    type_keys(session, "g", "x", "2", "Return")
    wanted = np.add(tip, [2, 0, 0]) - SCENE["ray"].values()["origin"]
    assert session.scene["ray"].values()["direction"] == pytest.approx(wanted / np.linalg.norm(wanted))


# -- anything at any time ----------------------------------------------------------------------------------------------

STEPS = st.one_of(
    st.tuples(
        st.just("key"), st.sampled_from([*"grsxyz0125e", "period", "minus", "Tab", "BackSpace", "Return", "Escape"])
    ),
    st.tuples(st.just("shift"), st.sampled_from([*"XYZSO"])),
    st.tuples(st.just("select"), st.sampled_from([*SCENE, "crowd[1]", "box ball", "crate arm ray"])),
    st.tuples(st.just("press"), st.integers(0, 11)),
    st.tuples(st.just("move"), st.tuples(st.integers(-80, 80), st.integers(-80, 80), st.booleans(), st.booleans())),
    st.tuples(st.just("release"), st.none()),
    st.tuples(st.just("undo"), st.none()),
)


@settings(max_examples=100, deadline=None)
@given(st.lists(STEPS, max_size=25))
def test_whatever_is_done_with_handles_and_keys_is_undone_bit_for_bit(steps: list[tuple[str, object]]) -> None:
    session = Session(SCENE, size=SIZE)
    at = (400.0, 300.0)
    for what, how in steps:
        if what == "key":
            session.key(str(how))
        elif what == "shift":
            session.key(str(how), shift=True)
        elif what == "select":
            session.select_many(name for name in str(how).split() if name in session.scene)
        elif what == "press" and session.manipulation.tool.gizmo is not None:
            handles = list(session.manipulation.tool.gizmo.handles(session.viewport).items())
            if handles:
                assert isinstance(how, int)
                handle, place = handles[how % len(handles)]
                along = np.array([0.0, 0.0, RING * session.viewport.units_per_pixel(place)])
                at = pixel(session, *place + along if handle.kind == "ring" else place)
                session.press(*at)
        elif what == "move":
            assert isinstance(how, tuple)
            session.move(at[0] + how[0], at[1] + how[1], shift=how[2], ctrl=how[3])
        elif what == "release":
            session.release(*at)
        elif what == "undo":
            session.undo()
        assert isinstance(session.manipulation.tool.status, tuple)
        assert isinstance(handle_marks(session), tuple)
        box = session.scene.shapes.get("box", SCENE["box"]).values()["axes"]
        assert np.abs(box.T @ box - np.eye(3)).max() < 1e-14
    session.cancel()
    for _ in range(30):
        session.undo()
    assert session.scene is SCENE


@pytest.mark.parametrize(
    "shape",
    [
        Sphere([0, 0, 0], 0),
        Capsule([0, 0, 0], [0, 0, 0], 0),
        Segment([0, 0, 0], [0, 0, 0]),
        AABB([0, 0, 0], [0, 0, 0]),
        OrientedBox([0, 0, 0], np.eye(3), [0, 0, 0]),
        Sphere([1e-7, 0, 0], 1e-8),
        AABB([1e7, 0, 0], [1e7 + 1, 1, 1]),
    ],
    ids=lambda shape: f"{type(shape).__name__}",
)
@pytest.mark.parametrize("mode", MODES)
def test_shapes_that_are_hardly_there_can_be_handled(shape: Shape, mode: str) -> None:
    scene = Scene({"it": shape})
    session = Session(scene, size=SIZE)
    session.select("it")
    session.manipulation.tool.set_mode(mode)  # type: ignore[arg-type]
    assert session.manipulation.tool.gizmo is not None
    for handle, at in session.manipulation.tool.gizmo.handles(session.viewport).items():
        # The ends of what has no length are in one place, and one of them is taken there.
        x, y = pixel(session, *at) if handle.kind == "view" else place_of(session, handle)
        assert session.press(x, y)
        session.move(x + 30, y + 30)
        session.move(x + 30, y + 30, ctrl=True, shift=True)
        session.release(x + 30, y + 30)
        session.cancel()
        while session.scene is not scene:
            session.undo()


# -- through a stage, without a window ---------------------------------------------------------------------------------


def test_events_of_a_stage_reach_every_mode_with_their_modifiers() -> None:
    with Stage.offscreen(SIZE) as stage:
        session = App(Session(SCENE, size=SIZE), stage).session
        session.select("crate")
        pictures = []
        for key, handle in (
            ("g", Handle("body", "axis", 0)),
            ("r", Handle("body", "ring", 2)),
            ("s", Handle("body", "face", 1, -1)),
        ):
            assert stage.send("key", Key(key))
            x, y = place_of(session, handle)
            assert stage.send("press", Pointer(x, y, "left", ctrl=True))
            stage.send("move", Pointer(x + 60, y + 5, "left", ctrl=True))
            free, snapped = (
                session.scene,
                session.manipulation.tool.status[1].partition("\t")[2].rstrip("°").replace("\N{MINUS SIGN}", "-"),
            )
            assert float(snapped) % (15 if key == "r" else 1) == 0
            stage.send("move", Pointer(x + 60, y + 5, "left"))
            assert session.scene != free
            stage.send("move", Pointer(x + 60, y + 5, "left", ctrl=True, shift=True))
            assert session.scene != free
            assert stage.send("release", Pointer(x + 60, y + 5, "left", ctrl=True))
            assert session.scene == free
            pictures.append(stage.image())
            assert stage.send("key", Key("z", ctrl=True))
            assert session.scene == SCENE
        assert all(np.any(a != b) for a, b in pairwise(pictures))


def test_numbers_are_typed_into_a_stage_and_stand_in_its_picture() -> None:
    with Stage.offscreen(SIZE) as stage:
        session = App(Session(SCENE, size=SIZE), stage).session
        session.select("ball")
        corner = np.s_[-140:, -260:]
        seen = []
        for symbol in ("g", "z", "KP_2", "period", "5"):
            assert stage.send("key", Key(symbol))
            seen.append(stage.image()[corner])
        assert all(np.any(a != b) for a, b in pairwise(seen))
        assert stage.send("key", Key("Return"))
        assert session.scene["ball"].values()["center"].tolist() == [0, 0, 2.5]
        assert stage.send("key", Key("Tab"))
        assert session.document.active == list(SCENE)[1]


# -- a mode that is refused --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "mode"), [("ball", "r"), ("P", "r"), ("P", "s")])
def test_what_follows_a_refused_mode_is_swallowed_up_to_its_end(session: Session, name: str, mode: str) -> None:
    session.select(name)
    camera = session.viewport.camera
    phrase = ("z", "Z", "1", "2", "period", "5", "minus", "Tab", "BackSpace")
    for end in ("Return", "KP_Enter", "Escape"):
        type_keys(session, mode, *phrase)
        type_keys(session, "x", "3", end)
        assert (session.viewport.camera, session.scene, session.selected) == (camera, SCENE, (name,))
        assert not session.document.undoable
        assert any(
            "there is nothing to turn" in row or "has no size" in row for row in session.manipulation.tool.status
        )
    type_keys(session, "z")
    assert session.viewport.camera != camera


def test_a_click_another_command_and_another_selection_end_a_refused_mode(session: Session) -> None:
    def looks_along_z() -> bool:
        before = session.viewport.camera
        session.key("z")
        changed = session.viewport.camera != before
        session.view.set_camera(before)
        return changed

    def refuse() -> None:
        session.select("ball")
        session.key("r")
        assert not looks_along_z()

    refuse()
    assert not session.key("Shift_L")  # held for a plane: no command
    assert not looks_along_z()
    type_keys(session, "n")
    assert looks_along_z()
    refuse()
    session.press(5, 5)
    assert looks_along_z()
    refuse()
    session.select("crate")
    assert looks_along_z()
    refuse()
    type_keys(session, "g", "x", "2", "Return")
    assert session.scene["ball"] == Sphere([2, 0, 0], 1)
    refuse()
    type_keys(session, "Delete")
    assert "ball" not in session.scene
    assert looks_along_z()
