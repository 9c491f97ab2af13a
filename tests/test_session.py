"""The session's commands, driven by pixels that are computed from the scene: no window."""

from __future__ import annotations

import numpy as np
import pytest

from collision import AABB, Camera, Line, Motion, Point, Scene, Segment, Shape, Show, Sphere
from tests.helpers import SHAPES, SIZE, free_key, pixel, same
from tests.slow import some
from viewer.camera.picking import pick
from viewer.gizmo import AXIS_LENGTH, Handle
from viewer.picture.present import present
from viewer.session import Session, Toggles
from viewer.session.commands import BINDINGS, TABLE, Topic
from viewer.studio.pictures import snapshot

SCENE = Scene(SHAPES, shows=[Show("closest_points", "ball", "box")])

TIMED = SCENE.moved("ball", [1.5, 0, 0]).replaced(motion=[Motion("box", [0, 1], [[0, 0, 0], [-3, 0, 0]])])


@pytest.fixture
def session() -> Session:
    return Session(SCENE, size=SIZE)


def arrow(session: Session, axis: int) -> tuple[float, float]:
    """Return a pixel on the selection's arrow along an axis."""
    gizmo = session.manipulation.tool.gizmo
    assert gizmo is not None
    at = gizmo.parts(session.viewport)[session.selection.part]
    unit = session.viewport.units_per_pixel(at)
    return pixel(session, *(at + 0.9 * AXIS_LENGTH * unit * np.eye(3)[axis]))


def drag(session: Session, start: tuple[float, float], end: tuple[float, float], steps: int = 5) -> None:
    assert session.press(*start)
    for part in np.linspace(0.0, 1.0, steps):
        assert session.move(*(np.array(start) + part * np.subtract(end, start)))
    assert session.release(*end)


# -- picking -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "point"),
    [
        ("ball", (0, 0, 1)),
        ("box", (3, 0, 1)),
        ("arm", (-4, -0.3, 1)),
        ("edge", (1, -4, 0.5)),
        ("ray", (-4, -6, 1)),
        ("line", (-3, 4, 0)),
        ("P", (-2, -3, 0)),
        ("crowd[1]", (8, 3, 0)),
    ],
)
def test_a_click_selects_what_is_seen_there(session: Session, name: str, point: tuple[float, float, float]) -> None:
    assert session.selection.click(*pixel(session, *point)) == name
    assert session.document.active == name


def test_a_click_beside_everything_deselects(session: Session) -> None:
    session.select("ball")
    assert session.selection.click(3, 3) is None
    assert session.document.active is None


def test_thin_shapes_are_picked_within_a_few_pixels(session: Session) -> None:
    x, y = pixel(session, -2, -3, 0)
    assert [pick(SCENE, session.viewport, x + away, y) for away in (0, 7, 30)] == ["P", "P", None]
    edge = np.array([pixel(session, 0, -4, 0), pixel(session, 2, -4, 1)])
    across = np.array([[0, -1], [1, 0]]) @ (edge[1] - edge[0])
    middle, across = edge.mean(axis=0), across / np.linalg.norm(across)
    assert pick(SCENE, session.viewport, *(middle + 6 * across)) == "edge"
    assert pick(SCENE, session.viewport, *(middle + 14 * across)) is None


def test_a_point_at_the_end_of_a_segment_can_be_picked() -> None:
    scene = Scene({"edge": Segment([0, 0, 0], [1, 0, 0]), "end": Point([1, 0, 0])})
    session = Session(scene, size=SIZE, view="z")
    assert session.selection.click(*pixel(session, 1, 0, 0)) == "end"
    x, y = pixel(session, 1, 0, 0)
    assert session.selection.click(x - 20, y) == "edge"


def test_a_thin_shape_behind_a_solid_needs_a_closer_click_than_one_before_it() -> None:
    scene = Scene({"wall": AABB([-3, -3, -1], [3, 3, 0]), "under": Point([-1, 0, -2]), "over": Point([1, 0, 1])})
    session = Session(scene, size=SIZE, view="z")
    for name, near, far in (("under", "wall", "wall"), ("over", "over", "wall")):
        x, y = pixel(session, *scene[name].values()["position"])
        assert session.selection.click(x + 1, y) == name
        assert session.selection.click(x + 6, y) == near
        assert session.selection.click(x + 12, y) == far


def test_what_is_behind_the_eye_is_not_picked() -> None:
    scene = Scene({"P": Point([0, 0, 20]), "edge": Segment([0, 0, 20], [0, 0, 30]), "ball": Sphere([0, 0, 20], 1)})
    session = Session(scene, size=SIZE)
    session.view.set_camera(Camera((0, 0, 10), up=(0, 1, 0)))
    assert session.selection.click(SIZE[0] / 2, SIZE[1] / 2) is None


# -- the mouse ---------------------------------------------------------------------------------------------------------


def test_press_and_release_at_a_place_is_a_click(session: Session) -> None:
    x, y = pixel(session, 0, 0, 1)
    assert session.press(x, y)
    assert session.move(x + 2, y - 2)
    assert not session.pending
    session.release(x + 2, y - 2)
    assert session.document.active == "ball"


def test_a_drag_beside_all_shapes_belongs_to_the_camera_and_selects_nothing(session: Session) -> None:
    x, y = pixel(session, 0, 0, 3)
    assert session.press(x, y) is False
    assert session.move(x + 40, y) is False
    assert session.release(x + 40, y) is False
    assert session.document.active is None


def test_dragging_an_arrow_turns_a_pair_red_and_dragging_back_calms_it(session: Session) -> None:
    session.select("ball")
    start = arrow(session, 0)
    one = np.subtract(pixel(session, 1.5, 0, 0), pixel(session, 0, 0, 0))
    end = (start[0] + one[0], start[1] + one[1])
    assert session.press(*start)
    assert session.manipulation.tool.dragging
    assert session.move(*end)
    assert session.scene.colliding_pairs().tolist() == [[0, 1]]
    assert session.move(*start)
    assert session.scene.colliding_pairs().tolist() == []
    assert session.scene == SCENE
    assert session.move(*end)
    assert session.release(*end)
    assert session.scene.colliding_pairs().tolist() == [[0, 1]]
    moved = session.scene["ball"].values()["center"]
    assert moved[0] > 1.0
    assert moved[1:].tolist() == [0.0, 0.0]
    session.undo()
    assert session.scene == SCENE


def test_a_drag_is_one_step_of_the_history(session: Session) -> None:
    session.select("ball")
    start = arrow(session, 2)
    drag(session, start, (start[0], start[1] + 60), steps=20)
    lifted = session.scene
    start = arrow(session, 0)
    drag(session, start, (start[0] - 50, start[1]), steps=20)
    session.undo()
    assert session.scene is lifted
    session.undo()
    assert session.scene is SCENE
    session.undo()
    assert session.scene is SCENE
    session.redo()
    assert session.scene is lifted


def test_escape_in_a_drag_restores_the_snapshot_and_then_deselects(session: Session) -> None:
    session.select("ball")
    start = arrow(session, 2)
    session.press(*start)
    session.move(start[0], start[1] + 80)
    assert session.scene != SCENE
    session.key("Escape")
    assert session.scene is SCENE
    assert session.document.active == "ball"
    assert session.release(start[0], start[1] + 80) is False
    assert session.scene is SCENE
    assert session.document.active == "ball"
    session.undo()
    assert session.scene is SCENE
    session.key("Escape")
    assert session.document.active is None


def test_undo_in_a_drag_drops_only_the_drag(session: Session) -> None:
    session.select("ball")
    session.manipulation.nudge("up")
    nudged = session.scene
    start = arrow(session, 2)
    session.press(*start)
    session.move(start[0], start[1] + 80)
    session.undo()
    assert session.scene is nudged
    assert not session.manipulation.tool.dragging


def test_a_shaky_click_on_a_handle_moves_nothing(session: Session) -> None:
    session.select("ball")
    x, y = arrow(session, 2)
    assert session.press(x, y)
    session.move(x + 2, y + 2)
    assert session.release(x + 2, y + 2)
    assert session.scene is SCENE
    session.undo()
    assert session.scene is SCENE


@pytest.mark.parametrize(("name", "end"), [("edge", "start"), ("edge", "end"), ("arm", "start"), ("arm", "end")])
def test_the_ends_have_handles_of_their_own(session: Session, name: str, end: str) -> None:
    session.select(name)
    before = SCENE[name].values()
    start = pixel(session, *before[end])
    target = (start[0] + 30, start[1] - 45)
    drag(session, start, target)
    after = session.scene[name].values()
    assert pixel(session, *after[end]) == pytest.approx(target, abs=1.0)
    for field in before.keys() - {end}:
        assert np.array_equal(after[field], before[field])


def test_a_clicked_end_gets_the_full_set_of_handles(session: Session) -> None:
    session.select("edge")
    start = pixel(session, 2, -4, 1)
    assert session.press(*start)
    assert session.release(*start)
    assert (session.document.active, session.selection.part) == ("edge", "end")
    begin = arrow(session, 2)
    drag(session, begin, (begin[0], begin[1] + 40))
    edge = session.scene["edge"].values()
    assert edge["start"].tolist() == [0, -4, 0]
    assert edge["end"][:2].tolist() == [2, -4]
    assert edge["end"][2] > 1.1
    session.manipulation.nudge("down")
    assert session.scene["edge"].values()["end"][2] < edge["end"][2]
    assert session.scene["edge"].values()["start"].tolist() == [0, -4, 0]
    middle = pixel(session, *session.manipulation.tool.gizmo.subject.middle)  # type: ignore[union-attr]
    assert session.press(*middle)
    session.release(*middle)
    assert session.selection.part == "body"


@pytest.mark.parametrize("name", ["ray", "line"])
def test_the_tip_of_a_ray_or_line_turns_it(session: Session, name: str) -> None:
    session.select(name)
    gizmo = session.manipulation.tool.gizmo
    assert gizmo is not None
    tip = pixel(session, *gizmo.parts(session.viewport)["tip"])
    target = (tip[0] + 40, tip[1] + 70)
    assert session.press(*tip)
    session.move(*target)
    # While it is in hand, the tip is under the cursor at any distance.
    held = session.manipulation.tool.gizmo
    assert held is not None
    assert pixel(session, *held.parts(session.viewport)["tip"]) == pytest.approx(target, abs=1e-6)
    session.release(*target)
    before, after = SCENE[name], session.scene[name]
    assert np.array_equal(after.core.operands[0], before.core.operands[0])
    assert not np.allclose(after.values()["direction"], before.values()["direction"])
    origin, there = np.array(pixel(session, *after.core.operands[0])), np.array(target)
    onwards = np.array(pixel(session, *(after.core.operands[0] + after.values()["direction"]))) - origin
    assert np.cross([*onwards, 0], [*(there - origin), 0])[2] == pytest.approx(
        0.0, abs=1e-6 * np.linalg.norm(onwards) * 100
    )


def test_an_element_of_a_batch_moves_alone(session: Session) -> None:
    session.selection.click(*pixel(session, 8, 3, 0))
    start = arrow(session, 2)
    drag(session, start, (start[0], start[1] + 50))
    centers = session.scene["crowd"].values()["center"]
    assert centers[[0, 2]].tolist() == [[8, 0, 0], [8, 6, 0]]
    assert centers[1, :2].tolist() == [8, 3]
    assert centers[1, 2] > 0.1
    assert session.document.active == "crowd[1]"


def test_a_whole_batch_moves_together(session: Session) -> None:
    session.select("crowd")
    session.move_selection([0, 0, 2])
    assert session.scene["crowd"].values()["center"].tolist() == [[8, 0, 2], [8, 3, 2], [8, 6, 2]]
    start = arrow(session, 2)
    drag(session, start, (start[0], start[1] + 50))
    assert len(set(session.scene["crowd"].values()["center"][:, 2].tolist())) == 1


def test_hovering_lights_up_a_handle_and_asks_for_a_new_picture_only_then(session: Session) -> None:
    session.select("ball")
    at = arrow(session, 1)
    session.move(3, 3)
    revision = session.revision
    session.move(4, 4)
    assert session.revision == revision
    session.move(*at)
    assert session.manipulation.tool.hot == Handle("body", "axis", 1)
    assert session.revision > revision
    session.move(3, 3)
    assert session.manipulation.tool.hot is None


def test_a_second_press_without_a_release_drops_the_drag(session: Session) -> None:
    session.select("ball")
    start = arrow(session, 2)
    session.press(*start)
    session.move(start[0], start[1] + 50)
    assert session.press(3, 3) is False
    assert session.scene is SCENE


# -- from Python and from the keys -------------------------------------------------------------------------------------


def test_commands_need_no_window() -> None:
    session = Session(SCENE)
    with pytest.raises(KeyError, match="no shape named 'nobody'"):
        session.select("nobody")
    with pytest.raises(ValueError, match="select a shape first"):
        session.move_selection([1, 0, 0])
    session.select("ball")
    with pytest.raises(ValueError, match="finite"):
        session.move_selection([np.nan, 0, 0])
    session.move_selection([2, 0, 0])
    assert session.scene.colliding_pairs().tolist() == [[0, 1]]
    with pytest.raises(ValueError, match="hud, legend, grid, labels, bar, help"):
        session.settings.toggle("everything")
    with pytest.raises(ValueError, match="view must be one of"):
        session.view.look("inside")
    with pytest.raises(ValueError, match="view must be one of"):
        Session(SCENE, view="inside")
    with pytest.raises(ValueError, match="direction must be one of"):
        session.manipulation.nudge("sideways")  # type: ignore[arg-type]


def test_another_scene_can_take_the_place_of_this_one_and_be_undone(session: Session) -> None:
    session.select("P")
    session.change(SCENE.without("P"))
    assert session.document.active is None
    session.undo()
    assert session.scene is SCENE


@pytest.mark.parametrize(
    ("view", "moves"),
    [
        ("z", {"Right": (1, 0, 0), "Left": (-1, 0, 0), "Up": (0, 1, 0), "Down": (0, -1, 0), "Next": (0, 0, 1)}),
        ("-y", {"Right": (1, 0, 0), "Up": (0, 0, 1), "Prior": (0, 1, 0), "Next": (0, -1, 0)}),
        ("x", {"Right": (0, 1, 0), "Up": (0, 0, 1), "Prior": (-1, 0, 0)}),
        ("iso", {"Right": (1, 0, 0), "Up": (0, 0, 1), "Prior": (0, 1, 0), "Next": (0, -1, 0)}),
    ],
)
def test_arrow_keys_nudge_along_the_axis_that_one_sees(view: str, moves: dict[str, tuple[int, int, int]]) -> None:
    for symbol, direction in moves.items():
        session = Session(SCENE, size=SIZE, view=view)
        session.select("ball")
        assert session.key(symbol)
        moved = session.scene["ball"].values()["center"]
        step = float(np.linalg.norm(moved))
        assert moved / step == pytest.approx(direction, abs=0)
        assert f"{step:e}"[0] in "125"
        per_pixel = session.viewport.units_per_pixel([0, 0, 0])
        assert 5 * per_pixel < step < 20 * per_pixel


def test_shift_nudges_farther_and_ctrl_finer(session: Session) -> None:
    steps = []
    for held in ({}, {"shift": True}, {"ctrl": True}):
        session.select("ball")
        session.key("Up", **held)
        steps.append(float(session.scene["ball"].values()["center"][2]))
        session.undo()
    assert steps[1] == pytest.approx(10 * steps[0])
    assert steps[2] == pytest.approx(steps[0] / 10)


def test_a_nudge_without_a_selection_does_nothing(session: Session) -> None:
    assert session.key("Up")
    assert session.scene is SCENE
    session.undo()
    assert session.scene is SCENE


def test_tab_walks_all_shapes_and_comes_round(session: Session) -> None:
    names = []
    for _ in range(SCENE.element_count + 1):
        session.key("Tab")
        names.append(session.document.active)
    assert names[:3] == ["ball", "box", "arm"]
    assert names[7:10] == ["crowd[0]", "crowd[1]", "crowd[2]"]
    assert names[10] == "ball"
    session.key("ISO_Left_Tab", shift=True)
    assert session.document.active == "crowd[2]"
    session.deselect()
    session.key("Tab", shift=True)
    assert session.document.active == "crowd[2]"
    session.select("crowd")
    session.key("Tab")
    assert session.document.active == "ball"
    session.select("crowd")
    session.key("Tab", shift=True)
    assert session.document.active == "P"


def test_f_frames_the_selection_and_then_everything(session: Session) -> None:
    for name in ("ball", "P", "ray", "crowd[2]", "crowd"):
        session.view.frame_all()
        forward, everything = session.viewport.forward, session.viewport
        session.select(name)
        session.key("f")
        assert session.viewport.forward == pytest.approx(forward)
        shape: Shape = SCENE[name]
        middle = shape.bounds().center if shape.bounded else shape.core.operands[0]
        assert np.array(pixel(session, *np.mean(np.atleast_2d(middle), axis=0))) / SIZE == pytest.approx(
            [0.5, 0.5], abs=0.1
        )
        if name != "crowd":
            assert session.viewport.units_per_pixel(np.atleast_2d(middle)[0]) < 0.5 * everything.units_per_pixel(
                np.atleast_2d(middle)[0]
            )
    session.deselect()
    session.key("f")
    pixels, _ = session.viewport.project([[-4, -4, 0], [8.5, 6.5, 0.5], [4, 1, 1]])
    assert ((pixels > 0) & (pixels < SIZE)).all()


def test_views_have_keys() -> None:
    session = Session(SCENE, size=SIZE)
    for symbol, held, forward in (
        ("z", {}, (0, 0, -1)),
        ("x", {}, (-1, 0, 0)),
        ("X", {"shift": True}, (1, 0, 0)),
        ("2", {}, (-1, 0, 0)),
        ("3", {}, (0, -1, 0)),
        ("i", {}, np.array([-1, 1, -1]) / np.sqrt(3)),
    ):
        assert session.key(symbol, **held)
        assert session.viewport.forward == pytest.approx(np.array(forward))
    session.key("p")
    assert session.viewport.camera.parallel_height is not None
    session.key("z")
    assert session.viewport.camera.parallel_height is not None
    session.key("p")
    session.key("R", shift=True)
    assert session.viewport.camera == Session(SCENE, size=SIZE).viewport.camera


def test_the_scenes_own_camera_comes_first_and_a_named_view_before_it() -> None:
    camera = Camera((9, 9, 9), parallel_height=3.0)
    scene = SCENE.replaced(camera=camera)
    assert Session(scene).viewport.camera == camera
    from_above = Session(scene, view="z").viewport
    assert from_above.forward == pytest.approx([0, 0, -1])
    assert from_above.camera.parallel_height is not None


def test_toggles_have_keys(session: Session) -> None:
    for symbol, held, name in (
        ("t", {}, "hud"),
        ("l", {}, "legend"),
        ("G", {"shift": True}, "grid"),
        ("n", {}, "labels"),
    ):
        before = getattr(session.settings.toggles, name)
        session.key(symbol, **held)
        assert getattr(session.settings.toggles, name) is not before
        session.key(symbol, **held)
    assert session.settings.toggles == Toggles()


def test_undo_and_redo_have_keys(session: Session) -> None:
    session.select("ball")
    session.key("Up")
    nudged = session.scene
    session.key("z", ctrl=True)
    assert session.scene is SCENE
    session.key("Z", ctrl=True, shift=True)
    assert session.scene is nudged
    session.key("z", ctrl=True)
    session.key("y", ctrl=True)
    assert session.scene is nudged
    session.undo()
    session.key("Left")
    session.redo()
    assert session.scene is not nudged


def test_unknown_keys_are_not_consumed(session: Session) -> None:
    revision = session.revision
    free = free_key()
    assert not any([session.key(free), session.key("F5"), session.key(free, ctrl=True), session.key("")])
    assert session.revision == revision


#: How the help writes keys, where it is not by their names.
WRITTEN = {
    **dict.fromkeys(("left", "right", "up", "down"), "arrows"),
    **{"escape": "esc", "return": "enter", "comma": ",", "less": ",", "period": ".", "greater": "."},
    **{"plus": "+", "equal": "+", "add": "+", "minus": "-", "subtract": "-", "bracketleft": "[", "bracketright": "]"},
    "question": "?",
    **dict.fromkeys("23456789", "1 ... ctrl+9"),
}

#: How it spells keys with Ctrl, where a "+" would stand beside another.
SPELLED = {"equal": "plus", "add": "plus", "subtract": "minus"}


def test_the_help_names_every_key_of_the_table_once() -> None:
    seen: list[str] = []
    line = ""
    for row in TABLE:
        if isinstance(row, Topic):
            line = row.keys.lower()
            continue
        for key in row.chords:
            assert key not in seen
            seen.append(key)
            bare = key.rpartition("+")[2]
            names = {bare, WRITTEN.get(bare, bare), SPELLED.get(bare, bare)}
            assert any(name in line for name in names), f"{key} is not in the help"
    assert set(seen) == set(BINDINGS)


def press_chord(session: Session, chord: str) -> None:
    """Press a key as the table writes it, such as ``ctrl+shift+z``."""
    *held, symbol = chord.split("+")
    assert session.key(symbol, **dict.fromkeys(held, True))


#: What cannot be done in the session below; the notice says why.
REFUSED = {f"ctrl+{n}" for n in "23456789"} | {
    "ctrl+r",
    "shift+o",
    "k",
    "alt+y",
    "alt+shift+z",
    "ctrl+p",
    "ctrl+shift+p",
    "ctrl+e",
    "ctrl+n",
    "ctrl+o",
    "alt+e",
    "shift+i",
    "f8",
    "shift+f8",
    "j",
    "ctrl+j",
    "shift+j",
    "ctrl+shift+j",
    "shift+v",
}

#: What is done and said, too.
TOLD = {"ctrl+shift+b"}


#: What changes no picture by itself, but what comes next.
UNSEEN = {"q", "ctrl+q", "ctrl+w", "b", "ctrl+c", "ctrl+shift+c", "ctrl+0"}


def test_every_key_of_the_table_changes_what_is_seen() -> None:
    unseen, first = set(), None
    tried = some(4, BINDINGS)
    for key in tried:
        session = Session(TIMED, size=(1280, 960))  # with room for all panels
        session.view.set_camera(Camera((30, -40, 20)))
        session.view.remember("1")
        session.view.reset()
        session.select("P")
        session.document.hide()
        session.select("ball")
        session.manipulation.nudge("up")
        session.manipulation.nudge("up")
        session.undo()
        session.view.set_camera(Camera((20, -40, 20)))
        session.settings.toggle("distances")  # the margin is that of what is near
        session.player.scrub(0.5)
        first = first or present(session)
        look = session.viewport, session.settings.theme
        press_chord(session, key)
        if (session.viewport, session.settings.theme) == look and same(present(session), first):
            unseen.add(key)
        assert bool(session.notice) is (key in REFUSED | TOLD), (key, session.notice)

    assert unseen == UNSEEN & {*tried}


def test_what_changes_no_picture_changes_what_comes_next(session: Session) -> None:
    for key in ("q", "ctrl+q", "ctrl+w"):
        press_chord(session, key)
        assert session.closed
        session.dialog.closed = False
    press_chord(session, "b")
    assert session.press(2, 2)
    assert session.selection.box is not None


def test_what_finds_nothing_to_do_says_so() -> None:
    apart = Session(Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([5, 0, 0], 1)}), size=SIZE)
    for key, notice in (
        ("bracketright", "no two shapes collide"),
        ("bracketleft", "no two shapes collide"),
        ("ctrl+z", "nothing to undo"),
        ("ctrl+y", "nothing to redo"),
        ("c", "contacts are shown where shapes collide: none do"),
        ("v", "normals are shown where shapes collide: none do"),
        ("c", ""),
        ("v", ""),
        ("up", "select a shape first"),
        ("shift+h", "select a shape first"),
        ("f2", "select a shape first"),
        ("m", ""),
        ("bracketright", "no two shapes are within the margin"),
    ):
        press_chord(apart, key)
        assert apart.notice == notice, key
    apart.select("a")
    apart.move_selection([4, 0, 0])
    for key in ("c", "v", "bracketright", "ctrl+z", "ctrl+y"):
        press_chord(apart, key)
        assert apart.notice == "", key


# -- scenes that are hardly there --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "scene",
    [
        Scene(),
        Scene({"none": Sphere(np.zeros((0, 3)), 1.0)}),
        Scene({"ball": Sphere([0, 0, 0], 1), "none": Sphere(np.zeros((0, 3)), 1.0)}),
        Scene({"P": Point([1, 2, 3])}),
        Scene({"l": Line([0, 0, 0], [1, 0, 0])}),
        Scene({"dot": Segment([1, 1, 1], [1, 1, 1])}),
        Scene({"small": Sphere([1e-6, 0, 0], 1e-6)}),
        Scene({"far": Sphere([1e6, 0, 0], 1)}),
    ],
    ids=["empty", "empty batch", "and a ball", "point", "line", "zero-length segment", "tiny", "far away"],
)
def test_every_command_works_on_a_scene_that_is_hardly_there(scene: Scene) -> None:
    session = Session(scene, size=SIZE)
    for name in (None, *scene):
        session.select(name)
        for key in BINDINGS:
            session.dialog.closed = False
            session.dialog.dismiss()
            session.select(name if name is not None and name in session.scene else None)
            press_chord(session, key)
            assert isinstance(present(session), tuple), key
            session.dialog.dismiss()
            session.press(400, 300)
            session.move(440, 330)
            session.release(440, 330)
            assert np.isfinite(session.viewport.camera.position).all()
            assert isinstance(present(session), tuple), key
    while session.scene is not scene:
        session.undo()


def test_a_zero_length_segment_can_be_pulled_apart() -> None:
    session = Session(Scene({"dot": Segment([1, 1, 1], [1, 1, 1])}), size=SIZE)
    session.select("dot")
    start = pixel(session, 1, 1, 1)
    drag(session, start, (start[0] + 50, start[1]))
    segment = session.scene["dot"].values()
    assert np.linalg.norm(segment["end"] - segment["start"]) > 0.0


@pytest.mark.parametrize("given", ["first.toml", 3, None])
def test_what_is_no_scene_is_refused(given: object) -> None:
    with pytest.raises(TypeError, match=r"Session takes a Scene, got .*as_scene"):
        Session(given)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"snapshot takes a Session, got .*render"):
        snapshot(given)  # type: ignore[arg-type]
