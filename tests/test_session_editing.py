"""Choosing, adding, taking away, renaming and hiding, undone and done again: a session without a window."""

from __future__ import annotations

import numpy as np
import pytest

from collision import AABB, Camera, Capsule, Line, OrientedBox, Point, Ray, Scene, Segment, Shape, Sphere
from tests.helpers import SHAPES, SIZE, chord, pixel, write
from tests.test_scene_editing import random_scene
from viewer.camera.picking import pick_box
from viewer.files.loading import load
from viewer.picture.handles import handle_marks
from viewer.picture.present import present
from viewer.records.drawables import Marker, Panel, Solid, Stroke
from viewer.session import Session
from viewer.session.document import NEW

SCENE = Scene(SHAPES | {"grid": Point(np.arange(12.0).reshape(2, 2, 3))}).without("edge", "ray", "line")


@pytest.fixture
def session() -> Session:
    return Session(SCENE, size=SIZE)


# -- choosing ----------------------------------------------------------------------------------------------------------


def click(session: Session, *point: float, shift: bool = False) -> None:
    at = pixel(session, *point)
    session.press(*at)
    session.release(*at, shift=shift)


def test_shift_and_click_adds_and_takes_away(session: Session) -> None:
    click(session, 0, 0, 1)
    click(session, 3, 0, 1, shift=True)
    click(session, 8, 3, 0, shift=True)
    assert session.selected == ("ball", "box", "crowd[1]")
    assert session.document.active == "crowd[1]"
    click(session, 3, 0, 1, shift=True)
    assert session.selected == ("ball", "crowd[1]")
    at = (3.0, 3.0)
    session.press(*at)
    session.release(*at, shift=True)
    assert session.selected == ("ball", "crowd[1]")
    session.press(*at)
    session.release(*at)
    assert session.selected == ()
    assert session.document.active is None


def test_an_entry_and_its_elements_are_not_selected_twice(session: Session) -> None:
    session.select_many(["crowd[1]", "crowd", "ball", "ball"])
    assert session.selected == ("crowd", "ball")
    session.select("crowd[2]", add=True)
    assert session.selected == ("ball",)
    with pytest.raises(KeyError, match="no shape named 'nobody'"):
        session.select_many(["ball", "nobody"])
    assert session.selected == ("ball",)


def test_all_and_inverted(session: Session) -> None:
    chord(session, "ctrl+a")
    assert session.selected == tuple(SCENE)
    session.select_many(["crowd[1]", "ball"])
    chord(session, "ctrl+i")
    assert session.selected == ("box", "arm", "P", "crowd[0]", "crowd[2]", "grid")
    session.select_many(["box", "crowd[2]"])
    session.document.hide()
    session.selection.select_all()
    assert session.selected == ("ball", "arm", "P", "crowd[0]", "crowd[1]", "grid")
    session.selection.invert()
    assert session.selected == ()


def test_what_is_selected_is_drawn_so(session: Session) -> None:
    session.select_many(["ball", "crowd[1]"])
    solids = [drawable for drawable in present(session) if isinstance(drawable, Solid)]
    assert sum(int(np.count_nonzero(solid.flags & 2)) for solid in solids) == 2


@pytest.mark.parametrize("parallel", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_a_box_takes_what_lies_in_it_as_a_whole(seed: int, parallel: bool) -> None:
    """The oracle draws the outline by very many points of each shape's surface."""
    rng = np.random.default_rng(seed)
    scene = random_scene(rng, 12)
    session = Session(scene, size=SIZE)
    session.view.set_camera(Camera(tuple(rng.uniform(4, 8, 3)), parallel_height=6.0 if parallel else None))
    taken = []
    for _ in range(6):
        start, end = rng.uniform(0, SIZE, (2, 2))
        low, high = np.minimum(start, end), np.maximum(start, end)
        found = pick_box(scene, session.viewport, tuple(start), tuple(end))
        numbers = {number for name in found for number in scene.element_numbers(name)}
        taken.append(len(numbers) / scene.element_count)
        for number in range(scene.element_count):
            pixels, depth = session.viewport.project(surface(scene.element(number), rng))
            inside = bool((depth > 0).all() and (low <= pixels).all() and (pixels <= high).all())
            # Sampled points do not reach the very edge: they can only miss that a shape is out.
            assert inside >= (number in numbers)
            reach = 3.0 + 0.02 * float(np.ptp(pixels, axis=0).max())
            well_inside = bool((depth > 0).all() and (low + reach <= pixels).all() and (pixels <= high - reach).all())
            assert (number in numbers) >= well_inside
    assert 0.01 < np.mean(taken) < 0.7


def surface(shape: Shape, rng: np.random.Generator) -> np.ndarray:
    """Return points all over the surface of a shape; of a ray or line, the point that it is given by."""
    way = rng.normal(size=(4000, 3))
    way /= np.linalg.norm(way, axis=1, keepdims=True)
    values = shape.values()
    match shape:
        case Sphere():
            return values["center"] + values["radius"] * way
        case Capsule():
            ends = np.stack([values["start"], values["end"]])
            return (ends[:, None] + values["radius"] * way).reshape(-1, 3)
        case Segment():
            return np.stack([values["start"], values["end"]])
        case AABB() | OrientedBox():
            signs = np.array(np.meshgrid(*3 * [[-1.0, 1.0]])).reshape(3, -1).T
            axes = values["axes"] if isinstance(shape, OrientedBox) else np.eye(3)
            return shape.center + (signs * shape.half_extents) @ axes.T
        case Ray() | Line() | Point():
            return shape.core.operands[0][None]
    raise AssertionError(shape)


@pytest.mark.parametrize("parallel", [False, True])
def test_a_box_is_drawn_with_ctrl_or_after_b(session: Session, parallel: bool) -> None:
    if parallel:
        chord(session, "p")
    session.view.frame_shapes([SCENE["ball"]])
    low = np.array(pixel(session, 0, 0, 0)) - 260
    high = low + 520
    assert session.press(*low, ctrl=True)
    assert session.move(*high, ctrl=True)
    box = session.selection.box
    assert box is not None
    assert any(isinstance(d, Stroke) and len(d.start) == 4 for d in handle_marks(session))
    corners = next(d for d in handle_marks(session) if isinstance(d, Stroke)).start
    pixels = session.viewport.project(corners)[0]
    assert pixels.min(axis=0) == pytest.approx(low)
    assert pixels.max(axis=0) == pytest.approx(high)
    present(session)
    assert session.release(*high)
    assert session.selection.box is None
    assert session.selected == ("ball",)
    session.view.frame_all()
    session.select("grid[0,0]")
    chord(session, "b")
    assert session.press(2, 2)
    session.move(*pixel(session, 0, 0, 0))
    assert session.release(798, 598, shift=True)
    assert set(session.selected) == set(SCENE)
    assert not session.press(2, 2)


def test_escape_drops_a_box(session: Session) -> None:
    session.select("ball")
    session.press(2, 2, ctrl=True)
    session.move(700, 500)
    session.key("Escape")
    assert session.selection.box is None
    assert session.release(700, 500) is False
    assert session.selected == ("ball",)
    chord(session, "b")
    session.key("Escape")
    assert not session.press(2, 2)
    assert session.selected == ("ball",)


def test_a_rectangle_that_was_not_let_go_of_ends_at_the_next_press() -> None:
    session = Session(SCENE, size=SIZE)
    session.press(10, 10, ctrl=True)
    session.move(50, 50)
    assert session.selection.box is not None
    assert not session.press(300, 20)
    assert session.selection.box is None
    assert not session.move(350, 20)


def test_a_group_moves_as_one_step(session: Session) -> None:
    session.select_many(["ball", "crowd[1]", "box"])
    session.move_selection([0, 0, 1])
    moved = session.scene
    assert moved["ball"] == Sphere([0, 0, 1], 1)
    assert moved["box"] == AABB([2, -1, 0], [4, 1, 2])
    assert moved["crowd[1]"] == Sphere([8, 3, 1], 0.5)
    assert moved["crowd[0]"] == Sphere([8, 0, 0], 0.5)
    session.manipulation.nudge("up")
    session.undo()
    assert session.scene is moved
    session.undo()
    assert session.scene is SCENE
    assert session.selected == ("ball", "crowd[1]", "box")


# -- adding ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", NEW)
def test_a_new_shape_stands_where_the_camera_looks_in_proportion(session: Session, kind: str) -> None:
    for camera in (Camera((30, -40, 20), (1, 2, 3)), Camera((0.03, 0, 0.01), (0.001, 0, 0)), session.viewport.camera):
        session.view.set_camera(camera)
        name = session.add(kind)
        assert session.selected == (name,)
        shape = session.scene[name]
        at = shape.bounds().center if shape.bounded else shape.core.operands[0]
        assert np.all(np.abs(session.viewport.project(at)[0] / SIZE - 0.5) < 0.4)
        if shape.bounded and kind != "point":
            size = float(shape.bounds().half_extents.max())
            assert f"{size:.12e}".rstrip("0")[0] in "1235"
            assert 0.05 < size / (SIZE[1] * session.viewport.units_per_pixel(at)) < 0.4
        session.view.frame_all()
    first = 1 + (kind in SCENE)
    numbered = [kind if number == 1 else f"{kind} {number}" for number in range(first, first + 3)]
    assert list(session.scene)[-3:] == numbered
    for _ in range(3):
        session.undo()
    assert session.scene is SCENE


FLOOR = AABB([-9, -9, -0.4], [9, 9, 0.1])


@pytest.mark.parametrize("kind", ["sphere", "capsule", "box", "aabb"])
def test_new_shapes_stand_side_by_side_on_the_ground_or_the_floor(kind: str) -> None:
    for scene, height in (
        (Scene({"floor": FLOOR, "ball": Sphere([0, 0, 1.1], 1)}), 0.1),
        (Scene({"ball": Sphere([0, 0, 1], 1)}), 0.0),
        (Scene(), 0.0),
    ):
        session = Session(scene, size=SIZE)
        names = [session.add(kind) for _ in range(6)]
        lowest = [float(session.scene[name].bounds().lower[2]) for name in names]
        assert lowest == pytest.approx([height] * 6, abs=1e-12)
        assert all("floor" in pair for pair in _pairs(session))
        places = [number for name in names for value in session.scene[name].values().values() for number in value.flat]
        assert all(round(number, 6) == pytest.approx(number, abs=1e-12) for number in places)


def _pairs(session: Session) -> list[tuple[str, ...]]:
    return [tuple(map(session.scene.element_name, pair)) for pair in session.scene.colliding_pairs().tolist()]


def test_in_a_drawing_new_shapes_lie_in_its_plane() -> None:
    session = Session(load("circle_segment"), size=SIZE)
    before = _pairs(session)
    for kind in ("sphere", "point", "segment", "box"):
        name = session.add(kind)
        assert session.scene[name].bounds().center[2] == 0.0
    assert session.view.face_on
    assert _pairs(session) == before


def test_a_new_half_space_lies_below_what_stands_on_the_ground() -> None:
    session = Session(Scene({"ball": Sphere([0, 0, 1], 1)}), size=SIZE)
    session.add("halfspace")
    assert _pairs(session) == []


@pytest.mark.parametrize("name", ["ball", "box", "arm", "crowd[1]"])
def test_a_duplicate_touches_neither_the_first_nor_another(session: Session, name: str) -> None:
    before = _pairs(session)
    session.select(name)
    for _ in range(5):
        session.duplicate()
    assert _pairs(session) == before


def test_adding_has_keys(session: Session) -> None:
    for key, kind in zip("scybaerlphu", NEW, strict=True):
        chord(session, "a")
        assert session.prompt is not None
        session.key(key)
        assert session.prompt is None
        assert session.document.active is not None, kind
    assert len(session.scene) == len(SCENE) + len(NEW)
    assert {name.partition(" ")[0] for name in list(session.scene)[-len(NEW) :]} == set(NEW)
    with pytest.raises(ValueError, match="a new shape is one of sphere, capsule"):
        session.add("torus")


def test_a_duplicate_stands_aside_and_is_selected(session: Session) -> None:
    session.select_many(["crowd[1]", "ball", "crowd"])
    session.deselect()
    session.select_many(["grid[0,1]", "ball"])
    chord(session, "ctrl+d")
    assert session.selected == ("grid 2", "ball 2")
    assert session.scene["ball"] == SCENE["ball"]
    aside = session.scene["ball 2"].values()["center"]
    assert 0 < np.linalg.norm(aside) < 8
    assert session.scene["grid 2"].values()["position"] == pytest.approx(np.array([3, 4, 5]) + aside)
    session.select("ball 2")
    session.duplicate()
    assert session.selected == ("ball 3",)
    session.undo()
    session.undo()
    assert session.scene is SCENE


def test_a_copy_has_the_next_number_that_is_free() -> None:
    ball = Sphere([0, 0, 0], 1)
    scene = Scene(dict.fromkeys(("arm 1", "box 7", "leg", "leg 2", "9 9", "arm", "a  1", "x y 9"), ball))
    session = Session(scene)
    for name, copy in (
        ("arm 1", "arm 2"),
        ("arm 1", "arm 3"),
        ("arm", "arm 4"),
        ("box 7", "box 8"),
        ("leg", "leg 3"),
        ("9 9", "9 10"),
        ("x y 9", "x y 10"),
    ):
        session.select(name)
        assert session.duplicate() == (copy,)
    session.select_many(["box 7", "box 8"])
    assert session.duplicate() == ("box 9", "box 10")


def test_deleting_takes_elements_out_of_their_batch(session: Session) -> None:
    session.select_many(["crowd[0]", "ball"])
    chord(session, "delete")
    assert list(session.scene) == ["box", "arm", "P", "crowd", "grid"]
    assert session.scene["crowd"].values()["center"].tolist() == [[8, 3, 0], [8, 6, 0]]
    assert session.selected == ()
    session.undo()
    assert session.scene is SCENE
    assert session.selected == ("crowd[0]", "ball")
    session.redo()
    assert "ball" not in session.scene
    session.select("grid[0,0]")
    chord(session, "delete")
    assert "'grid' is a grid of 2 by 2 elements: none can be taken out of it" in session.notice
    assert "grid[0,0]" in session.scene
    session.deselect()
    chord(session, "backspace")
    assert session.notice == "select a shape first"


def test_renaming_is_typed_and_says_what_is_wrong(session: Session) -> None:
    session.select("ball")
    chord(session, "f2")
    asked = session.prompt
    assert asked is not None
    assert (asked.title, asked.text) == ("Rename ball", "ball")
    session.key("BackSpace", ctrl=True)
    write(session, "box")
    session.key("Return")
    assert session.prompt is not None
    assert session.prompt.error == "there is already a shape named 'box' in the scene"
    assert session.prompt.text == "box"
    write(session, "*")
    assert session.prompt.error == ""
    session.key("Return")
    assert "without the characters [ ] *" in session.prompt.error
    for key in ("BackSpace", "Home", "x", "End", "Left", "Left", "Delete"):
        session.key(key)
    present(session)
    session.key("KP_Enter")
    assert session.prompt is None
    assert session.selected == ("xbx",)
    assert list(session.scene) == ["xbx", *list(SCENE)[1:]]
    session.undo()
    assert session.scene is SCENE
    assert session.selected == ("ball",)
    chord(session, "f2")
    write(session, "x")
    session.key("Escape")
    assert session.prompt is None
    assert session.scene is SCENE


def test_elements_are_counted_and_not_named(session: Session) -> None:
    session.select("crowd[1]")
    chord(session, "f2")
    assert session.prompt is None
    assert session.notice == "'crowd[1]' is counted, not named: rename the batch 'crowd' it is of"
    session.select_many(["crowd[0]", "crowd[1]"])
    session.rename("people", old="crowd")
    assert session.selected == ("people[0]", "people[1]")


# -- hiding ------------------------------------------------------------------------------------------------------------


def test_what_is_hidden_is_not_drawn_not_picked_and_not_tested(session: Session) -> None:
    session.change(SCENE.moved("ball", [1.5, 0, 0]))
    at = pixel(session, 1.5, 0, 0.9)
    assert session.scene.colliding_pairs().tolist() == [[0, 1]]
    assert session.selection.click(*at) == "ball"
    chord(session, "ctrl+h")
    assert session.document.hidden == {"ball"}
    assert session.selected == ()
    assert session.scene.colliding_pairs().tolist() == []
    assert session.selection.click(*at) != "ball"
    drawn = sum(len(d.flags) for d in present(session) if isinstance(d, Solid))
    assert drawn == 5
    assert any(
        "1 shape hidden, and not tested" in row.text for d in present(session) if isinstance(d, Panel) for row in d.rows
    )
    session.undo()
    assert session.document.hidden == frozenset()
    session.redo()
    assert session.document.hidden == {"ball"}
    session.select("arm")
    chord(session, "ctrl+shift+h")
    assert session.selected == ("arm",)
    assert session.scene.colliding_pairs().tolist() == [[0, 1]]
    session.document.show_all() if session.document.hidden else None
    chord(session, "ctrl+shift+h")
    assert session.notice == "nothing is hidden"


def test_all_else_can_be_hidden(session: Session) -> None:
    session.select_many(["P", "crowd[1]"])
    chord(session, "shift+h")
    assert session.document.hidden == {"ball", "box", "arm", "crowd[0]", "crowd[2]", "grid"}
    assert session.selected == ("P", "crowd[1]")
    drawables = present(session)
    assert [len(d.flags) for d in drawables if isinstance(d, Solid)] == [1]
    assert sum(len(d.points) for d in drawables if isinstance(d, Marker) and d.role == "free") == 1
    for name in ("P", "crowd[1]", "P"):
        session.key("Tab")
        assert session.document.active == name or session.document.active in ("P", "crowd[1]")
    session.selection.select_all()
    assert session.selected == ("P", "crowd[1]")


def test_everything_hidden_leaves_a_picture(session: Session) -> None:
    session.selection.select_all()
    session.document.hide()
    present(session)
    session.key("Tab")
    assert session.selected == ()
    session.view.frame_all()
    assert session.selection.click(400, 300) is None


# -- the history -------------------------------------------------------------------------------------------------------


def test_steps_hold_what_is_hidden_and_what_was_selected(session: Session) -> None:
    session.select("ball")
    session.document.hide()
    session.select("box")
    session.move_selection([0, 0, 1])
    session.select_many(["arm", "P"])
    session.undo()
    assert (session.document.hidden, session.selected) == ({"ball"}, ("box",))
    session.undo()
    assert (session.document.hidden, session.selected) == (frozenset(), ("ball",))
    session.redo()
    session.redo()
    assert session.scene["box"] == AABB([2, -1, 0], [4, 1, 2])
    assert session.selected == ("arm", "P")


# -- the camera --------------------------------------------------------------------------------------------------------


def test_views_can_be_remembered(session: Session) -> None:
    first = session.viewport.camera
    chord(session, "ctrl+b")
    assert session.prompt is not None
    session.key("3")
    session.view.look("z")
    above = session.viewport.camera
    session.view.remember("4")
    chord(session, "ctrl+3")
    assert session.viewport.camera == first
    chord(session, "ctrl+4")
    assert session.viewport.camera == above
    chord(session, "ctrl+9")
    assert session.viewport.camera == above
    assert session.notice == "no view is remembered as 9"


def test_everything_is_framed_by_keys(session: Session) -> None:
    far = Camera((300, -400, 200))
    framed = []
    for key in ("home", "shift+f"):
        session.view.set_camera(far)
        session.select("ball")
        chord(session, key)
        framed.append(session.viewport.camera)
    assert framed[0] == framed[1] != far


def test_scenes_of_different_length_with_everything_hidden_are_not_taken_for_each_other(session: Session) -> None:
    def drawn() -> int:
        return sum(len(d.flags) for d in present(session) if isinstance(d, Solid))

    def notes() -> list[str]:
        rows = [row.text for d in present(session) if isinstance(d, Panel) for row in d.rows]
        return [text for text in rows if "hidden" in text]

    shown = drawn()
    assert shown == 6
    for more in range(2):
        session.selection.select_all()
        session.document.hide()
        assert drawn() == 0
        assert notes() == [f"{SCENE.element_count + more} shapes hidden, and not tested"]
        session.document.show_all()
        assert drawn() == shown + more
        assert notes() == []
        session.select("ball")
        session.duplicate()
        assert drawn() == shown + more + 1


def test_a_name_that_is_suggested_is_replaced_by_what_is_typed_and_edited_after_moving(session: Session) -> None:
    def line() -> str:
        (panel,) = (d for d in present(session) if isinstance(d, Panel) and d.corner == "center")
        return panel.rows[0].text

    def after(*keys: str) -> str:
        session.select("ball")
        session.dialog.ask_rename()
        assert line() == "[ball]"
        for key in keys:
            chord(session, key)
        return line()

    assert after("n", "e", "w") == "new|"
    session.key("Return")
    assert session.selected == ("new",)
    session.undo()
    assert after("End", "s") == "balls|"
    assert after("Home", "a") == "a|ball"
    assert after("Left", "x") == "balx|l"
    assert after("BackSpace") == "|"
    assert after("Delete", "x") == "x|"
    assert after("End", "BackSpace") == "bal|"
    assert after("End", "s", "Home", "ctrl+a") == "[balls]"
    assert after("End", "s", "ctrl+a", "x") == "x|"
    assert after("Delete", "ctrl+a") == "|"  # nothing is there to be selected
    assert after("Shift_L") == "[ball]"  # held for a capital, it is no key of the line
    session.key("X", shift=True)
    assert line() == "X|"
    session.dialog.answer("box")
    assert line() == "box|"  # refused: to be mended, not typed anew


def test_the_keys_close_by_escape_first_and_by_what_edits_or_moves_the_camera(session: Session) -> None:
    def closes(*keys: str) -> bool:
        session.select("ball")
        if not session.settings.toggles.help:
            session.key("h")
        for key in keys:
            chord(session, key)
        return not session.settings.toggles.help

    assert closes("escape")
    assert session.selected == ("ball",)
    chord(session, "escape")
    assert session.selected == ()
    for key in ("left", "delete", "ctrl+z", "ctrl+d", "ctrl+h", "g", "z", "f", "p"):
        assert closes(key), key
        session.cancel()
        session.change(SCENE)
    assert closes("a", "s")
    assert not closes("t", "c", "tab", "a", "escape")
    session.press(5, 5)
    assert not session.settings.toggles.help
