"""Robots in a session: values of joints in the document, drags of links, and what is told of both."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from collision import ConvexHull, Scene, Sphere
from collision.importers import Joint, Model, load_model
from viewer.camera.picking import seen_at_pixel
from viewer.files.loading import ModelOptions, read
from viewer.gizmo import SnapOptions
from viewer.gizmo.jointing import JointDrag
from viewer.picture.present import present
from viewer.records.drawables import Panel
from viewer.session import Session
from viewer.session.joints import OPENED, ZERO

ROBOTS = Path(__file__).parents[1] / "examples" / "robots"
URDF, SRDF = ROBOTS / "picker.urdf", ROBOTS / "picker.srdf"


def opened(wanted: ModelOptions | None = None, size: tuple[int, int] = (1000, 800)) -> Session:
    loaded = read(URDF, wanted or ModelOptions(srdf=SRDF))
    session = Session(loaded.scene, size=size, model=loaded.model)
    session.joints.go_along(loaded.trajectory)
    session.file.comes_from(loaded.path, state=loaded.state, wanted=loaded.wanted)
    return session


@pytest.fixture
def session() -> Session:
    return opened()


def pixel_of(session: Session, name: str) -> tuple[float, float]:
    """Return a pixel at which a shape is seen."""
    (x, y), _ = session.viewport.project(session.scene[name].core.middle())
    for dx in range(0, 60, 4):
        for px in (x + dx, x - dx):
            seen = seen_at_pixel(session.scene, session.viewport, px, y)
            if seen is not None and seen.name == name:
                return float(px), float(y)
    raise AssertionError(f"{name} is not seen")


def drag(session: Session, start: tuple[float, float], *ways: tuple[float, float], ctrl: bool = False) -> None:
    x, y = start
    assert session.press(x, y)
    for dx, dy in ways:
        x, y = x + dx, y + dy
        assert session.move(x, y, ctrl=ctrl)
    session.release(x, y, ctrl=ctrl)


# -- values in the document --------------------------------------------------------------------------------------------


def test_a_value_makes_the_scene_of_that_pose_and_is_one_step(session: Session) -> None:
    model = load_model(URDF)
    session.joints.set("elbow", 1.0)
    wanted = model.at({"elbow": 1.0}).scene
    assert {name: session.scene[name] == wanted[name] for name in wanted} == dict.fromkeys(wanted, True)
    assert session.joints.values["elbow"] == 1.0
    session.undo()
    assert session.scene["palm"] == model.scene["palm"]
    assert session.joints.values["elbow"] == 0.0
    session.redo()
    assert session.joints.values["elbow"] == 1.0


def test_what_follows_another_joint_moves_along_and_cannot_be_set(session: Session) -> None:
    session.joints.set("grip", 0.05)
    assert session.joints.values["grip_mirrored"] == 0.05
    with pytest.raises(ValueError, match="grip_mirrored follows grip, and has no value of its own"):
        session.joints.set("grip_mirrored", 0.01)


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("elbow", 3.0, "elbow must be from 0° to 160.43°, got 171.89°"),
        ("grip", -0.01, "grip must be from 0 to 0.06, got −0.01"),
        ("elbow", float("nan"), "elbow must be a finite number, got nan"),
    ],
)
def test_beyond_its_limits_a_value_is_refused_and_the_limits_are_named(
    session: Session, name: str, value: float, says: str
) -> None:
    with pytest.raises(ValueError, match=re.escape(says)):
        session.joints.set(name, value)
    assert not session.document.undoable


def test_unknown_joints_are_named_with_what_was_meant(session: Session) -> None:
    with pytest.raises(KeyError, match="the robot has no joint named 'elbo'; did you mean 'elbow'"):
        session.joints.set("elbo", 1.0)
    with pytest.raises(KeyError, match="no robot"):
        Session(Scene({"a": Sphere([0, 0, 0], 1)})).joints.set("elbow", 1.0)


def test_a_joint_without_shapes_is_a_step_as_well() -> None:
    model = Model.of({"base": {"post": Sphere([0, 0, 0], 1)}, "eye": {}}, [Joint("look", "continuous", "base", "eye")])
    session = Session(model.scene, model=model)
    session.joints.set("look", 9.0)
    session.undo()
    assert session.joints.values["look"] == 0.0


def test_poses_by_name_zero_and_as_opened() -> None:
    session = opened(ModelOptions(srdf=SRDF, joints=(("wrist", 0.3),)))
    assert session.joints.poses == (ZERO, OPENED, "reach", "folded")
    session.joints.take_pose("reach")
    assert session.joints.values["elbow"] == 1.2
    session.joints.take_pose(ZERO)
    assert set(session.joints.values.values()) == {0.0}
    session.joints.take_pose(OPENED)
    assert session.joints.values["wrist"] == 0.3
    with pytest.raises(ValueError, match="no pose named 'home'; there is zero, as opened, reach, folded"):
        session.joints.take_pose("home")


def test_a_pose_of_a_file_may_be_called_zero(tmp_path: Path) -> None:
    srdf = tmp_path / "arm.srdf"
    pose = '<group_state name="zero" group="g"><joint name="elbow" value="1"/></group_state>'
    srdf.write_text(f'<robot name="r">{pose}</robot>')
    session = opened(ModelOptions(srdf=srdf))
    assert session.joints.poses == (OPENED, ZERO)
    session.joints.take_pose(ZERO)
    assert session.joints.values["elbow"] == 1.0


def test_of_many_poses_one_types_a_part_of_the_name() -> None:
    model = load_model(URDF)
    poses = {f"Number {count}": {"elbow": count / 100} for count in range(200)}
    session = Session(model.scene, model=replace(model, poses=poses))
    session.key("j", shift=True)
    asked = session.prompt
    assert asked is not None
    assert len(asked.choices) == 202
    for character in "number 17":
        session.key(character, text=character)
    session.key("down")
    session.key("return")
    assert session.prompt is None
    assert session.joints.values["elbow"] == 1.7


def test_zero_is_the_nearest_that_limits_let() -> None:
    model = Model.of({"a": {}, "b": {}}, [Joint("bent", "revolute", "a", "b", limits=(-3.0, -0.5))])
    session = Session(model.scene, model=model.at({"bent": -2.0}))
    session.joints.take_pose(ZERO)
    assert session.joints.values["bent"] == -0.5


def test_a_shape_that_was_moved_by_itself_stays_with_its_link(session: Session) -> None:
    session.select("forearm")
    session.move_selection([0.0, 0.2, 0.0])
    session.joints.set("turn", np.pi / 2)
    expected = load_model(URDF).at({"turn": np.pi / 2}).scene["forearm"]
    assert np.allclose(session.scene["forearm"].core.middle() - expected.core.middle(), [-0.2, 0.0, 0.0])
    assert not session.document.renamable


def test_free_joints_have_a_place_and_angles() -> None:
    ball = {"body": Sphere([1, 0, 0], 0.1)}
    model = Model.of({"world": {}, "body": ball}, [Joint("root", "floating", "world", "body")])
    session = Session(model.scene, model=model)
    session.joints.set_many({"root x": 2.0, "root turn z": np.pi / 2})
    assert np.allclose(session.scene["body"].core.middle(), [2.0, 1.0, 0.0])
    assert np.isclose(session.joints.values["root turn z"], np.pi / 2)
    assert list(session.joints.numbers)[3:] == ["root turn x", "root turn y", "root turn z"]


def test_along_a_trajectory_values_are_those_of_the_time_and_cannot_be_set() -> None:
    session = opened(ModelOptions(srdf=SRDF, trajectory=ROBOTS / "pick.csv"))
    first = dict(session.joints.values)
    session.player.to_end()
    assert session.joints.values != first
    with pytest.raises(ValueError, match="the joints go along a trajectory"):
        session.joints.set("elbow", 0.1)
    session.move(*pixel_of(session, "forearm"))
    assert session.manipulation.pointing.offer == "forearm is moved along a trajectory"


def test_reading_the_file_again_is_one_step(session: Session) -> None:
    session.joints.set("elbow", 1.0)
    session.file.revert()
    assert session.joints.values["elbow"] == 0.0
    session.undo()
    assert session.joints.values["elbow"] == 1.0


# -- drags -------------------------------------------------------------------------------------------------------------


def test_a_drag_turns_the_nearest_joint_and_the_point_stays_under_the_cursor(session: Session) -> None:
    session.view.look("-y")
    session.view.switch_projection()
    start = pixel_of(session, "forearm")
    seen = seen_at_pixel(session.scene, session.viewport, *start)
    model = session.document.model
    assert model is not None
    assert seen is not None
    place = model.forward(links=["forearm"]).inverse().apply(seen.point)[0]
    drag(session, start, (40, 0), (60, -20))
    moved = {name for name, value in session.joints.values.items() if value}
    assert moved == {"elbow"}
    model = session.document.model
    assert model is not None
    now = model.forward(links=["forearm"]).apply(place)[0]
    # It stays on its circle: the cursor is in the direction from the elbow in which it is seen.
    elbow = session.viewport.project(model.forward(links=["forearm"]).position[0])[0]
    there, cursor = session.viewport.project(now)[0] - elbow, np.add(start, [100, -20]) - elbow
    assert np.dot(there, cursor) / np.linalg.norm(there) / np.linalg.norm(cursor) > 0.99999
    session.undo()
    assert not session.document.undoable
    assert not any(session.joints.values.values())


def test_a_drag_of_a_hull_turns_its_link() -> None:
    hull = ConvexHull([[0.1, 0, -0.2], [1, 0.1, -0.1], [1, -0.1, -0.1], [1, 0, 0.3], [0.5, 0, 0.2]])
    links = {"base": {"post": Sphere([0, 0, 0], 0.1)}, "arm": {"hull": hull}}
    turn = Joint("turn", "revolute", "base", "arm", axis=[0, -1, 0], limits=(-1, 1))
    model = Model.of(links, [turn])
    session = Session(model.scene, size=(1000, 800), model=model)
    session.view.look("-y")
    start = pixel_of(session, "hull")
    drag(session, start, (0, 60), (0, 60))
    value = session.joints.values["turn"]
    assert 0.1 < value < 1
    assert session.scene["hull"] == hull.transformed(turn.motion(value))
    drag(session, pixel_of(session, "hull"), (0, 900))
    assert session.joints.values["turn"] == 1
    session.undo()
    session.undo()
    assert session.scene["hull"] == hull


def test_a_drag_stops_at_the_limits_and_says_so(session: Session) -> None:
    session.view.look("-y")
    start = pixel_of(session, "forearm")
    session.press(*start)
    session.move(start[0] - 60, start[1])
    session.move(start[0] - 200, start[1] - 60)
    values = session.joints.values["elbow"], session.joints.status
    assert values == (0.0, ("elbow\t0° (its limit)", "limits\t0° to 160.43°"))
    session.move(start[0] + 100, start[1])
    assert session.joints.values["elbow"] > 0.0
    assert session.pending
    session.escape()
    assert not session.pending
    assert not any(session.joints.values.values())


def test_a_drag_of_a_finger_slides_what_it_follows(session: Session) -> None:
    session.view.look("x")
    start = pixel_of(session, "right_finger")
    target = session.manipulation.pointing.target_at(*start)
    assert target is not None
    assert (target.joint, target.says) == ("grip", "slides")
    # Far out is as far as it goes.
    way = session.viewport.project([0.0, -1.0, 1.5])[0] - session.viewport.project([0.0, 0.0, 1.5])[0]
    drag(session, start, (0.1 * way[0], 0.1 * way[1]), (way[0], way[1]))
    assert session.joints.values["grip"] == session.joints.values["grip_mirrored"] == 0.06


def test_with_ctrl_angles_snap(session: Session) -> None:
    session.view.look("-y")
    drag(session, pixel_of(session, "forearm"), (40, 0), (30, 0), ctrl=True)
    assert np.degrees(session.joints.values["elbow"]) % 15.0 == pytest.approx(0.0, abs=1e-9)
    assert session.joints.values["elbow"] > 0.0


def test_an_endless_joint_goes_round_and_round() -> None:
    ball = {"ball": Sphere([1, 0, 0], 0.2)}
    model = Model.of({"base": {}, "arm": ball}, [Joint("turn", "continuous", "base", "arm", axis=[0, 0, 1])])
    session = Session(model.scene, model=model, view="z")
    start, last = np.array([1.0, 0.0, 0.0]), np.zeros(1)
    hand = JointDrag.of(model, model.joints["turn"], "arm", start)
    for angle in np.linspace(0.0, 5.0 * np.pi, 40):
        x, y = session.viewport.project([np.cos(angle), np.sin(angle), 0.0])[0]
        last = hand.update(session.viewport, x, y, SnapOptions(), last)
    assert last[0] == pytest.approx(5.0 * np.pi, abs=2e-3)


def test_a_quick_drag_goes_all_the_way() -> None:
    ball = {"ball": Sphere([1, 0, 0], 0.2)}
    model = Model.of(
        {"base": {}, "arm": ball}, [Joint("turn", "revolute", "base", "arm", axis=[0, 0, 1], limits=(-3, 3))]
    )
    session = Session(model.scene, model=model, view="z")
    hand = JointDrag.of(model, model.joints["turn"], "arm", np.array([1.0, 0.0, 0.0]))
    x, y = session.viewport.project([np.cos(2.9), np.sin(2.9), 0.0])[0]
    assert hand.update(session.viewport, x, y, SnapOptions(), np.zeros(1)) == pytest.approx(2.9, abs=2e-3)


@pytest.mark.parametrize("kind", ["floating", "planar", "ball"])
def test_joints_of_several_numbers_follow_the_cursor(kind: str) -> None:
    ball = {"ball": Sphere([1, 0, 0], 0.2)}
    model = Model.of({"base": {}, "arm": ball}, [Joint("root", kind, "base", "arm", axis=[0, 0, 1])])
    session = Session(model.scene, model=model, view="z")
    session.view.switch_projection()
    start = pixel_of(session, "ball")
    wanted = [0.0, 1.0, 0.0] if kind == "ball" else [1.5, 0.5, 0.0]
    there = session.viewport.project(wanted)[0] - session.viewport.project([1.0, 0.0, 0.0])[0]
    drag(session, start, *[(0.5 * there[0], 0.5 * there[1])] * 2)
    assert np.allclose(session.scene["ball"].core.middle(), wanted, atol=0.02)
    session.undo()
    assert np.array_equal(session.scene["ball"].core.middle(), [1.0, 0.0, 0.0])


def test_what_no_joint_moves_stays_and_is_said(session: Session) -> None:
    x, y = pixel_of(session, "base")
    assert not session.press(x, y)
    session.move(x + 50, y)
    session.release(x + 50, y)
    assert not session.document.undoable
    session.move(x, y)
    assert session.manipulation.pointing.offer == "base is where the robot stands: no joint moves it"


def test_red_appears_while_it_is_dragged(session: Session) -> None:
    session.view.look("-y")
    session.joints.set("wrist", 2.0)
    x, y = pixel_of(session, "forearm")
    session.press(x, y)
    counts = []
    for dx, dy in ((60, -20), (90, -80), (60, -160), (20, -200), (5, -200)):
        session.move(x + dx, y + dy)
        counts.append(len(session.scene.colliding_pairs()))
    assert session.pending
    assert counts[0] == 0 < counts[-1]


def test_pairs_are_listed_by_link_with_the_shapes_below() -> None:
    balls = {
        "base": {"base/0": [0, 0, 0], "base/1": [0.2, 0, 0]},
        "arm": {"arm": [0.9, 0, 0]},
        "hand": {"palm": [2, 0, 0]},
    }
    links = {link: {name: Sphere(at, 0.6) for name, at in own.items()} for link, own in balls.items()}
    joints = [Joint("a", "continuous", "base", "arm"), Joint("b", "continuous", "arm", "hand")]
    model = Model.of(links, joints, ignored=[])
    session = Session(model.scene, model=model)

    def rows() -> list[list[str]]:
        (table,) = (d for d in present(session) if isinstance(d, Panel) and d.name == "table")
        return [row.text.replace("\N{NO-BREAK SPACE}", "").split("\t")[:2] for row in table.rows if "\t" in row.text]

    # The two of the base are the deepest, then both of the base with the arm, then the arm with the hand.
    assert rows() == [["base/0", "base/1"], ["base/1", "arm"], ["/0", "arm"], ["arm", "hand/palm"]]
    session.selection.sort_pairs("name")
    assert rows()[0] == ["arm", "hand/palm"]
    session.selection.sort_pairs("depth")
    walked = []
    for _ in range(4):
        session.selection.walk_pairs(1)
        walked.append(set(session.selected))
    assert walked == [{"base/0", "base/1"}, {"base/1", "arm"}, {"base/0", "arm"}, {"arm", "palm"}]
    session.joints.set("b", 0.1)  # all stay as deep
    session.select_many(["base/0", "arm"])
    session.selection.walk_pairs(-1)
    assert set(session.selected) == {"base/1", "arm"}
