"""Shapes as geoms of MuJoCo, and compiled models as scenes: what is written is read again."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from collision import AABB, Capsule, Cylinder, HalfSpace, OrientedBox, Point, Ray, Segment, Shape, Sphere
from collision.importers import ImporterError, read_model, to_geom

mujoco = pytest.importorskip("mujoco", reason='needs the robots extra: pip install ".[robots]"')


def there_and_back(shape: Shape, *, moving: bool = False) -> Shape:
    spec = mujoco.MjSpec()
    body = spec.worldbody.add_body() if moving else spec.worldbody
    if moving:
        body.add_freejoint()
    body.add_geom(name="it", **to_geom(shape))
    return read_model(spec.compile()).scene["it"]


def assert_near(found: Shape, wanted: Shape) -> None:
    assert type(found) is type(wanted)
    for key, value in wanted.values().items():
        np.testing.assert_allclose(found.values()[key], value, rtol=0.0, atol=1e-14 * max(1.0, np.abs(value).max()))


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("moving", [False, True])
def test_all_kinds_that_both_know_come_back(seed: int, moving: bool) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.normal(scale=3.0, size=(2, 3))
    sizes = rng.uniform(0.1, 2.0, 3)
    for shape in (
        Sphere(a, sizes[0]),
        Capsule(a, b, sizes[0]),
        Capsule(a, a - [0.0, 0.0, sizes[1]], sizes[0]),
        Cylinder(a, b, sizes[0]),
        OrientedBox(a, Rotation.random(rng=rng).as_matrix(), sizes),
    ):
        assert_near(there_and_back(shape, moving=moving), shape)
    box = AABB(a - sizes, a + sizes)
    assert_near(there_and_back(box, moving=moving), box.oriented())
    if not moving:
        normals = [b, [0.0, 0.0, 1.0], [0.0, 0.0, -1.0], [1e-9, 0.0, -1.0]]
        assert_near(there_and_back(HalfSpace(a, normals[seed % 4])), HalfSpace(a, normals[seed % 4]))


def test_a_capsule_without_length_is_a_sphere() -> None:
    assert there_and_back(Capsule([1, 2, 3], [1, 2, 3], 0.5)) == Sphere([1, 2, 3], 0.5)


@pytest.mark.parametrize(
    ("shape", "said"),
    [
        (Point([0, 0, 0]), "got Point"),
        (Segment([0, 0, 0], [1, 0, 0]), "got Segment"),
        (Ray([0, 0, 0], [1, 0, 0]), "got Ray"),
        (Sphere([[0, 0, 0], [1, 0, 0]], 1), "got a batch"),
        (Sphere([0, 0, 0], 0), "sizes above zero, got Sphere"),
        (Capsule([0, 0, 0], [1, 0, 0], 0), "sizes above zero, got Capsule"),
        (AABB([0, 0, 0], [1, 1, 0]), "sizes above zero, got AABB"),
        ("ball", "got str"),
    ],
)
def test_what_mujoco_has_no_geom_for_is_refused(shape: Shape, said: str) -> None:
    with pytest.raises(ValueError, match=f"^a geom .*{said}"):
        to_geom(shape)


def test_without_mujoco_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mujoco", None)
    for call in (lambda: to_geom(Sphere([0, 0, 0], 1)), lambda: read_model(None)):
        with pytest.raises(ImporterError, match=r"takes MuJoCo .* -m pip install mujoco$"):
            call()


def test_a_model_follows_a_simulation_with_its_mocap_bodies() -> None:
    compiled = mujoco.MjModel.from_xml_string("""<mujoco><worldbody>
        <body><freejoint/><geom name="ball" type="sphere" size=".5" pos="0 0 2"/></body>
        <body name="hand" mocap="true" pos="5 0 0"><geom name="hand" type="box" size=".1 .1 .1"/></body>
        </worldbody></mujoco>""")
    model, data = read_model(compiled), mujoco.MjData(compiled)
    assert model.scene["hand"] == OrientedBox([5, 0, 0], np.eye(3), [0.1, 0.1, 0.1])
    data.mocap_pos[0] = [1.0, 2.0, 3.0]
    mujoco.mj_step(compiled, data, 50)
    now = model.at(data)
    assert now.scene["hand"].values()["center"].tolist() == [1.0, 2.0, 3.0]
    assert now.q.tolist() == data.qpos.tolist()
    mujoco.mj_kinematics(compiled, data)
    assert now.scene["ball"] == Sphere(data.geom_xpos[0], 0.5)
    assert now.scene["ball"].values()["center"][2] < 2.0
    # Where the mocap body is stays so in the poses that are made of it, and the model itself is as it was.
    assert now.at(compiled.qpos0).scene["hand"] == now.scene["hand"] != model.at(compiled.qpos0).scene["hand"]


def test_a_state_of_another_model_is_refused() -> None:
    ball = '<body {}>{}<geom type="sphere" size=".5"/></body>'
    texts = ("", ball.format("", "<freejoint/>"), ball.format('mocap="true"', ""))
    one, two, three = (mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{t}</worldbody></mujoco>") for t in texts)
    with pytest.raises(ValueError, match=r"q must be 0 numbers, got shape \(7,\)"):
        read_model(one).at(mujoco.MjData(two))
    with pytest.raises(ValueError, match="another model: this one has 0 mocap bodies, got 1"):
        read_model(one).at(mujoco.MjData(three))
    with pytest.raises(ValueError, match=r"read_model takes a mujoco\.MjModel, got MjData"):
        read_model(mujoco.MjData(one))


def test_a_model_without_a_name_says_what_it_is_made_of() -> None:
    spec = mujoco.MjSpec()
    spec.worldbody.add_geom(**to_geom(Sphere([0, 0, 0], 1)))
    scene = read_model(spec.compile()).scene
    assert (scene.title, scene.caption) == (
        "",
        "1 sphere from a model of MuJoCo.",
    )
