"""Links of URDF files where pinocchio and MuJoCo put them too; pinocchio is asked where it is installed."""

from pathlib import Path

import numpy as np
import pytest

from collision.importers import Model, load_model


def robot(kinds: str, rng: np.random.Generator) -> str:
    """Return a tree of links with joints of the kinds that letters stand for, each at a place of its own."""
    words = {"f": "fixed", "r": "revolute", "c": "continuous", "p": "prismatic"}
    text = ['<link name="l0"/>']
    for i, kind in enumerate(kinds):
        numbers = [" ".join(map(str, rng.normal(size=3).round(4))) for _ in range(3)]
        inertia = '<mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
        text.append(f'<link name="l{i + 1}"><inertial>{inertia}</inertial></link>')
        limit = '<limit lower="-3" upper="3" effort="1" velocity="1"/>' if kind in "rp" else ""
        text.append(
            f'<joint name="j{i}" type="{words[kind]}"><parent link="l{rng.integers(max(i - 2, 0), i + 1)}"/>'
            f'<child link="l{i + 1}"/><origin xyz="{numbers[0]}" rpy="{numbers[1]}"/>'
            f'<axis xyz="{numbers[2]}"/>{limit}</joint>'
        )
    return f'<robot name="tree">{"".join(text)}</robot>'


@pytest.fixture(params=range(5))
def tree(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, Model, np.ndarray]:
    """Return a file, its model, and values of its joints."""
    rng = np.random.default_rng(request.param)
    file = tmp_path / "tree.urdf"
    file.write_text(robot("".join(rng.choice(list("frcp"), 12)) + "r", rng), encoding="utf-8")
    model = load_model(file)
    return file, model, rng.uniform(-2, 2, (20, len(model.q)))


def test_links_are_where_pinocchio_puts_them(tree: tuple[Path, Model, np.ndarray]) -> None:
    pinocchio = pytest.importorskip("pinocchio")
    file, model, q = tree
    peer = pinocchio.buildModelFromUrdf(str(file))
    data = peer.createData()
    places = model.forward(q)
    for number, values in enumerate(q):
        configuration = pinocchio.neutral(peer)
        for joint in model.joints.values():
            if joint.size:
                own = peer.joints[peer.getJointId(joint.name)]
                (value,) = values[joint.values]
                turned = [np.cos(value), np.sin(value)]  # as pinocchio has it where there are no limits
                configuration[own.idx_q : own.idx_q + own.nq] = value if own.nq == 1 else turned
        pinocchio.framesForwardKinematics(peer, data, configuration)
        for index, link in enumerate(model.links):
            found = data.oMf[peer.getFrameId(link)]
            np.testing.assert_allclose(places.position[number, index], found.translation, atol=1e-13)
            np.testing.assert_allclose(places.axes[number, index], found.rotation, atol=1e-13)


def test_links_are_where_mujoco_puts_them(tree: tuple[Path, Model, np.ndarray]) -> None:
    mujoco = pytest.importorskip("mujoco", reason='needs the robots extra: pip install ".[robots]"')
    file, model, q = tree
    text = file.read_text(encoding="utf-8")
    keep = '<mujoco><compiler fusestatic="false"/></mujoco></robot>'
    peer = mujoco.MjModel.from_xml_string(text.replace("</robot>", keep))
    data = mujoco.MjData(peer)
    names = [peer.body(number).name for number in range(1, peer.nbody)]
    places = model.forward(q, names)
    for number, values in enumerate(q):
        for joint in model.joints.values():
            if joint.size:
                data.joint(joint.name).qpos[:] = values[joint.values]
        mujoco.mj_kinematics(peer, data)
        np.testing.assert_allclose(places.position[number], data.xpos[1:], atol=1e-13)
        np.testing.assert_allclose(places.axes[number], data.xmat[1:].reshape(-1, 3, 3), atol=1e-13)
