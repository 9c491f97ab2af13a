"""Links in one pose and in many, beside MuJoCo; trees that are none, and values that do not fit."""

import pickle
from typing import Any

import numpy as np
import pytest

from collision import OrientedBox, Sphere, Transform
from collision.importers import Joint, Mimic, Model, read_model

FINGERS = ["left", "right"]


def gripper(**changes: Any) -> Model:
    """Return a palm that turns, with two fingers that slide, one of which follows the other."""
    slide = Joint("slide", "prismatic", "palm", "left", Transform([0, 1, 0]), [0, 1, 0], (0, 2))
    follow = Joint(
        "follow", "prismatic", "palm", "right", Transform([0, -1, 0]), [0, -1, 0], mimic=Mimic("slide", 2, 0.5)
    )
    turn = Joint("turn", "continuous", "base", "palm", Transform([0, 0, 1]), [0, 0, 3])
    ball = Sphere([0, 0, 0], 0.25)
    links = {name: {f"{name} tip": ball} for name in FINGERS} | {"palm": {}, "base": {"post": Sphere([0, 5, 1], 0.5)}}
    return Model.of(links, [follow, slide, turn], **changes)


def test_a_tree_in_any_order_has_parents_first() -> None:
    model = gripper()
    assert list(model.joints) == ["turn", "follow", "slide"]
    assert list(model.links) == ["base", "palm", "right", "left"]
    assert {name: joint.values for name, joint in model.joints.items()} == {
        "turn": slice(0, 1),
        "follow": slice(1, 1),
        "slide": slice(1, 2),
    }
    assert model.joints["turn"].axis.tolist() == [0, 0, 1]


def test_a_joint_that_follows_another_moves_along() -> None:
    model = gripper().at({"slide": 1.0})
    assert model.scene["left tip"].values()["center"].tolist() == [0, 2, 1]
    assert model.scene["right tip"].values()["center"].tolist() == [0, -3.5, 1]
    assert gripper(q={"slide": 1.0}).scene == model.scene
    with pytest.raises(ValueError, match="q: the joint 'follow' follows 'slide', which has a value"):
        model.at({"follow": 1})


def test_many_poses_are_each_as_it_is_alone() -> None:
    model, rng = gripper(), np.random.default_rng(3)
    q = rng.normal(size=(4, 5, 2))
    places = model.forward(q)
    assert places.batch_shape == (4, 5, 4)
    for index in np.ndindex(4, 5):
        alone = model.forward(q[index])
        np.testing.assert_array_equal(places[index].matrix, alone.matrix)
        centers = model.at(q[index]).scene["right tip"].values()["center"]
        np.testing.assert_allclose(places[index].position[2], centers, atol=1e-15)
    # By name the leading axes broadcast, what is not named stays, and links come as they are asked for.
    by_name = model.at({"slide": 1}).forward({"turn": q[..., 0]}, FINGERS)
    np.testing.assert_array_equal(by_name.matrix, model.forward({"turn": q[..., 0], "slide": 1.0}, FINGERS).matrix)
    both = model.forward({"turn": q[:, :1, 0], "slide": q[0, :, 1]}, ["left"])
    assert both.batch_shape == (4, 5, 1)


def test_rounding_adds_up_along_a_long_chain_and_does_not_multiply() -> None:
    names, rng = [f"link {i}" for i in range(101)], np.random.default_rng(6)
    joints = [
        Joint(f"joint {i}", "revolute", names[i], names[i + 1], Transform([0.1, 0, 0]), rng.normal(size=3))
        for i in range(100)
    ]
    model, q = Model.of({name: {} for name in names}, joints), rng.uniform(-3, 3, 100)
    places, place = model.forward(q), Transform()
    for i, joint in enumerate(model.joints.values()):
        place = place @ joint.origin @ joint.motion(q[i])
        np.testing.assert_allclose(places[i + 1].matrix, place.matrix, rtol=0.0, atol=1e-13)


def test_bodies_answer_for_many_poses_what_each_scene_says() -> None:
    model, rng = gripper(), np.random.default_rng(4)
    assert model.bodies.names == ("right", "left")
    q = np.stack([rng.uniform(-4, 4, 300), rng.uniform(2, 5, 300)], axis=-1)
    places = model.forward(q, model.bodies.names)
    touching = model.bodies.touching(places.position, places.axes)
    assert touching.tolist() == [model.at(one).scene.has_contact() for one in q]
    assert 3 < touching.sum() < 290


def test_links_that_are_welded_or_neighbours_are_not_compared() -> None:
    box = OrientedBox([0, 0, 0], [0, 0, 0, 1], [1, 1, 1])
    joints = [Joint("ab", "revolute", "a", "b"), Joint("bc", "fixed", "b", "c"), Joint("cd", "revolute", "c", "d")]
    model = Model.of({name: {f"{name} box": box} for name in "abcd"}, joints)
    assert dict(model.welds) == {"a": "a", "b": "b", "c": "b", "d": "d"}
    found = [model.scene.element_name(i) for pair in model.scene.colliding_pairs().tolist() for i in pair]
    assert found == ["a box", "d box"]


def test_a_model_can_be_sent_to_another_process() -> None:
    model = gripper().at({"slide": 1.0})
    again = pickle.loads(pickle.dumps(model))
    assert not any(joint.axis.flags.writeable or joint.anchor.flags.writeable for joint in again.joints.values())
    assert (again.scene, dict(again.links), list(again.joints)) == (model.scene, dict(model.links), list(model.joints))
    assert again.at({"turn": 1}).scene == model.at({"turn": 1}).scene
    with pytest.raises(ValueError, match="read-only"):
        again.q[0] = 1


@pytest.mark.parametrize(
    ("kind", "value", "point"),
    [
        ("planar", [1, 2, np.pi / 2], [1, 3, 0]),
        ("ball", [1, 0, 0, 1], [0, 1, 0]),
        ("floating", [1, 2, 3, 2, 0, 0, 2], [1, 3, 3]),
        ("fixed", np.zeros(0), [1, 0, 0]),
    ],
)
def test_joints_of_many_numbers(kind: str, value: Any, point: list[float]) -> None:
    joint = Joint("j", kind, "a", "b", axis=[0, 0, 1])
    np.testing.assert_allclose(joint.motion(value).apply([1, 0, 0]), point, atol=1e-15)
    model = Model.of({"a": {}, "b": {"tip": Sphere([1, 0, 0], 1)}}, [joint])
    np.testing.assert_allclose(model.scene["tip"].values()["center"], [1, 0, 0])
    np.testing.assert_allclose(model.at(np.array(value)).scene["tip"].values()["center"], point, atol=1e-15)


def test_a_turn_leaves_its_anchor_where_it_is() -> None:
    joint = Joint("j", "revolute", "a", "b", axis=[0, 0, 1], anchor=[1, 0, 0])
    np.testing.assert_allclose(
        joint.motion([0.0, np.pi]).apply([[2, 0, 0], [2, 0, 0]]), [[2, 0, 0], [0, 0, 0]], atol=1e-15
    )


@pytest.mark.parametrize(
    ("joints", "message"),
    [
        ([], "the links are in 3 parts that no joint connects: one begins with 'a', another with 'b'"),
        ([("j", "a", "b"), ("j", "b", "c")], "two joints are named 'j'"),
        ([("j", "a", "b"), ("k", "a", "d")], "joint 'k': the model has no link named 'd'"),
        ([("j", "a", "b"), ("k", "c", "b")], "the joints 'j' and 'k' both move the link 'b'"),
        ([("j", "b", "c"), ("k", "c", "b")], "the joints go in a circle: 'c' hangs on itself by 'j'"),
        ([("j", "a", "b", "k"), ("k", "b", "c", "j")], "joint 'j' follows itself"),
        ([("j", "a", "b", "l"), ("k", "b", "c")], "joint 'j' follows another: the model has no joint named 'l'"),
    ],
)
def test_what_is_no_tree_is_refused(joints: list[tuple[str, ...]], message: str) -> None:
    made = [Joint(name, "revolute", *ends[:2], mimic=Mimic(ends[2]) if ends[2:] else None) for name, *ends in joints]
    with pytest.raises(ValueError, match=f"^{message}"):
        Model.of({name: {} for name in "abc"}, made)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: gripper().forward(links=["lift"]), "links: the model has no link named 'lift'; did you mean 'left'"),
        (lambda: gripper().forward([[1.0, 2.0, 3.0]]), r"q must be 2 numbers, got shape \(1, 3\)"),
        (lambda: gripper().forward({"turn": [1, 2], "slide": [1, 2, 3]}), r"together: turn \(2,\), slide \(3,\)"),
        (lambda: gripper().at({"turn": [1, 2]}), r"q of joint 'turn' must be 1 number, got shape \(2,\)"),
        (lambda: Joint("j", "hinge", "a", "b"), "Joint.kind must be one of fixed, revolute, .*, got 'hinge'"),
        (lambda: Joint("j", "revolute", "a", "b", axis=[0, 0, 0]), "Joint.axis must be a direction"),
        (lambda: Joint("j", "revolute", "a", "b", limits=(1, 0)), "Joint.limits must be the least and the largest"),
        (lambda: Joint("j", "prismatic", "a", "b", limits=(np.nan, 1)), "Joint.limits must be"),
        (
            lambda: Model.of({key: {"x": Sphere([0, 0, 0], 1)} for key in "ab"}, [Joint("j", "fixed", "a", "b")]),
            "two shapes are named 'x'",
        ),
    ],
)
def test_what_does_not_fit_is_refused(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def test_links_are_where_mujoco_puts_its_bodies() -> None:
    mujoco = pytest.importorskip("mujoco", reason='needs the robots extra: pip install ".[robots]"')
    compiled = mujoco.MjModel.from_xml_string("""<mujoco><compiler angle="radian"/><worldbody>
        <body name="base" pos="1 2 3" euler=".1 .2 .3"><freejoint/><geom size="1"/>
          <body name="arm" pos="0 1 0" euler="1 0 .5">
            <joint name="lift" type="slide" axis="1 2 3" ref=".2"/>
            <joint name="turn" axis="0 1 1" pos=".1 .2 .3" ref=".7"/>
            <joint name="wrist" type="ball" pos="0 .5 0"/><geom size="1" pos="3 0 0"/>
            <body name="tool" pos="0 0 2" quat="1 2 3 4"><geom size="1"/></body>
            <body name="finger" pos="0 0 1"><joint name="bend" axis="1 0 0" range="-1 2"/><geom size="1"/></body>
          </body></body></worldbody></mujoco>""")
    model, data, rng = read_model(compiled), mujoco.MjData(compiled), np.random.default_rng(9)
    q = compiled.qpos0 + rng.normal(size=(50, compiled.nq))
    names = [compiled.body(i).name for i in range(compiled.nbody)]
    places = model.forward(q, names)
    for number, one in enumerate(q):
        data.qpos[:] = one
        mujoco.mj_kinematics(compiled, data)
        np.testing.assert_allclose(places.position[number], data.xpos, atol=1e-13)
        np.testing.assert_allclose(places.axes[number], data.xmat.reshape(-1, 3, 3), atol=1e-13)
    assert (model.joints["bend"].kind, model.joints["bend"].limits) == ("revolute", (-1.0, 2.0))
    assert (model.joints["turn"].kind, model.joints["turn"].limits) == ("continuous", (-np.inf, np.inf))
    assert model.joints["lift"].parent == "base"
    assert model.welds["tool"] == "arm"
