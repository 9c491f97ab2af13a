"""Visual meshes of links as pale ghosts: where they are, what a pose does to them, and that they are not judged."""

import pickle
from pathlib import Path

import numpy as np
import pytest

from collision.importers import ImporterError, load_model
from collision.models.meshes import _read
from tests.helpers import red_pixels
from viewer.cli import main
from viewer.files.loading import LoadError, ModelOptions, read
from viewer.files.movies import Image
from viewer.picture.present import present
from viewer.records.commands import Command
from viewer.records.drawables import Panel, Visual
from viewer.records.protocol import from_json, to_json
from viewer.session import Session
from viewer.stage.scale import scaled
from viewer.stage.stage import Stage
from viewer.studio.pictures import take

pytest.importorskip("trimesh")

#: A pyramid with its corners outwards.
PYRAMID = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
VISUAL = '<visual><origin xyz="{}"/><geometry><mesh filename="tip.obj" scale="{}"/></geometry></visual>'.format
BALL = '<collision><geometry><sphere radius="0.2"/></geometry></collision>'
ROBOT = f"""<robot name="arm">
  <link name="post">{BALL}</link>
  <link name="arm">{VISUAL("0 0 0.5", "1 1 1")}{VISUAL("0 0 0", "2 2 2")}
    <collision><origin xyz="2 0 0"/><geometry><sphere radius="0.1"/></geometry></collision></link>
  <link name="eye"><visual><geometry><box size="1 1 1"/></geometry></visual>
    <visual><geometry><mesh filename="none.obj"/></geometry></visual></link>
  <joint name="turn" type="continuous"><parent link="post"/><child link="arm"/><axis xyz="0 0 1"/></joint>
  <joint name="look" type="fixed"><parent link="arm"/><child link="eye"/></joint>
</robot>"""


@pytest.fixture
def robot(tmp_path: Path) -> Path:
    (tmp_path / "tip.obj").write_text(PYRAMID)
    path = tmp_path / "arm.urdf"
    path.write_text(ROBOT)
    return path


def visuals_of(session: Session) -> list[Visual]:
    return [drawable for drawable in present(session) if isinstance(drawable, Visual)]


def opened(robot: Path) -> Session:
    loaded = read(robot, ModelOptions(visual=True))
    return Session(loaded.scene, model=loaded.model)


def test_each_link_has_its_meshes_in_its_frame_and_the_rest_is_listed(robot: Path) -> None:
    model = load_model(robot, visuals=True)
    (arm, eye), skipped = model.visuals, model.skipped
    assert (arm.link, eye.link) == ("arm", "eye")
    assert len(arm.points) == 8
    assert len(arm.triangles) == 8
    assert np.array_equal(arm.points.min(axis=0), [0, 0, 0])
    assert np.array_equal(arm.points.max(axis=0), [2, 2, 2])
    assert [part[:2] for part in skipped] == [("eye", "visual mesh")]
    assert {part[:2] for part in read(robot, ModelOptions(visual=True)).skipped} >= {("eye", "visual mesh")}
    assert load_model(robot).visuals == ()
    assert [mesh.link for mesh in pickle.loads(pickle.dumps(model.at([1.0]))).visuals] == ["arm", "eye"]


@pytest.mark.parametrize(
    ("geometry", "volume", "size"),
    [
        ('<box size="1 2 4"/>', 8.0, (1, 2, 4)),
        ('<sphere radius="2"/>', 32 / 3 * np.pi, (4, 4, 4)),
        ('<cylinder radius="1" length="4"/>', 4 * np.pi, (2, 2, 4)),
        ('<capsule radius="1" length="4"/>', 16 / 3 * np.pi, (2, 2, 6)),
        ('<mesh filename="tip.obj" scale="1 -2 3"/>', 1.0, (1, 2, 3)),
    ],
)
def test_primitives_are_closed_triangles_that_are_seen_from_outside(
    tmp_path: Path, geometry: str, volume: float, size: tuple[float, float, float]
) -> None:
    (tmp_path / "tip.obj").write_text(PYRAMID)
    path = tmp_path / "arm.urdf"
    path.write_text(f'<robot name="arm"><link name="a"><visual><geometry>{geometry}</geometry></visual></link></robot>')
    model = load_model(path, visuals=True)
    (seen,) = model.visuals
    assert model.skipped == ()
    assert np.ptp(seen.points, axis=0) == pytest.approx(size)
    corners = seen.points[seen.triangles]
    signed = np.linalg.det(corners).sum() / 6.0
    assert signed == pytest.approx(volume, rel=0.02)
    edges = np.concatenate([seen.triangles[:, [k, (k + 1) % 3]] for k in range(3)])
    places = seen.points.round(9)[edges] + 0.0
    there, back = ({pair.tobytes() for pair in way} for way in (places, places[:, ::-1]))
    assert there == back  # each edge has a triangle on both sides


@pytest.mark.parametrize(
    ("geometry", "what"),
    [
        ("<cone/>", "box, sphere, capsule, cylinder and mesh are shown, and a cone is none of them"),
        ('<sphere radius="1e80"/>', "the sphere must have a largest coordinate from 1e-72 to 1e72, or zero, got 1e+80"),
        (
            '<mesh filename="tip.obj" scale="1 1e300 1"/>',
            "tip.obj in its scale must have a largest coordinate from 1e-72 to 1e72, or zero, got 1e+300",
        ),
    ],
)
def test_what_cannot_be_shown_is_listed_and_the_rest_is_seen(robot: Path, geometry: str, what: str) -> None:
    robot.write_text(robot.read_text().replace('<box size="1 1 1"/>', geometry))
    model = load_model(robot, visuals=True)
    assert model.skipped[0][::2] == ("eye", what)
    assert [seen.link for seen in visuals_of(opened(robot))] == ["arm"]


def test_meshes_move_with_their_links_and_nothing_is_judged_by_them(robot: Path) -> None:
    session, plain = opened(robot), read(robot).scene
    assert session.scene.colliding_pairs().tolist() == plain.colliding_pairs().tolist() == []
    session.joints.set("turn", np.pi / 2)
    seen, _ = visuals_of(session)
    corner = seen.transform[:, :3] @ [2.0, 0.0, 0.0] + seen.transform[:, 3]
    assert np.allclose(corner, [0.0, 2.0, 0.0])
    legend = next(d for d in present(session) if isinstance(d, Panel) and d.name == "legend")
    assert [row.text for row in legend.rows] == ["visual shapes: not compared"]


def test_they_are_written_as_json_and_scaled(robot: Path) -> None:
    seen, _ = visuals_of(opened(robot))
    assert from_json(to_json([seen])) == (seen,)
    large = scaled(seen, 3)
    assert np.array_equal(large.points, 8.0 * seen.points)
    assert np.array_equal(large.transform[:, :3], seen.transform[:, :3])


def test_a_key_hides_them_and_shows_them_again(robot: Path) -> None:
    session, toggle = opened(robot), Command("settings.toggle_visuals")
    assert session.can(toggle)
    assert session.is_on(toggle)
    session.key("V", shift=True)
    assert (visuals_of(session), session.notice) == ([], "")
    session.key("V", shift=True)
    assert len(visuals_of(session)) == 2
    plain = Session(read(robot).scene, model=read(robot).model)
    assert not plain.can(toggle)
    assert not plain.is_on(toggle)
    plain.key("V", shift=True)
    assert plain.notice == "what links look like is shown of a robot that is opened with --visual"


def test_the_first_view_and_the_ground_reckon_with_them(robot: Path) -> None:
    plain, seen = Session(read(robot).scene).document.extent, opened(robot).document.extent
    assert plain is not None
    assert seen is not None
    assert np.allclose([seen.lower, seen.upper], [[-0.5, -0.5, -0.5], [2.1, 2.0, 2.0]])
    assert plain.upper[2] == 0.2
    robot.write_text(robot.read_text().replace("collision>", "sensor>"))
    bare = opened(robot)
    assert bare.document.extent is not None
    assert bare.document.extent.upper.tolist() == [2.0, 2.0, 2.0]


def test_each_mesh_is_read_once_for_hulls_and_ghosts(robot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hull = '<collision><geometry><mesh filename="tip.obj"/></geometry></collision>'
    robot.write_text(robot.read_text().replace(BALL, hull))
    files = []

    def counted(path: Path) -> object:
        files.append(path.name)
        return _read(path)

    monkeypatch.setattr("collision.models.meshes._read", counted)
    assert read(robot, ModelOptions(visual=True)).model is not None
    assert files == ["tip.obj"]


def test_what_lies_in_the_surface_of_a_solid_does_not_flicker(tmp_path: Path) -> None:
    """A ghost that looks as the solid does is behind it in every pixel, seen from anywhere, also as a moved hull."""
    kinds = ['<box size="1 2 0.5"/>', '<cylinder radius="0.5" length="2"/>', '<mesh filename="tip.obj"/>']
    (tmp_path / "tip.obj").write_text(PYRAMID)
    links = "".join(
        f'<link name="{k}"><visual><geometry>{kind}</geometry></visual>'
        f"<collision><geometry>{kind}</geometry></collision></link>"
        for k, kind in enumerate(kinds)
    )
    joints = "".join(
        f'<joint name="{k}" type="fixed"><origin xyz="{3 * k} 0 0" rpy="0.3 0.4 {k}"/>'
        f'<parent link="0"/><child link="{k}"/></joint>'
        for k in (1, 2)
    )
    path = tmp_path / "arm.urdf"
    path.write_text(f'<robot name="arm">{links}{joints}</robot>')
    session = opened(path)
    session.settings.toggle("legend")
    with Stage.offscreen((640, 480)) as stage:
        for view in ("iso", "x", "y", "z"):
            session.view.look(view)
            images = []
            for _ in range(2):
                stage.draw(present(session), session.viewport.camera)
                images.append(stage.image().astype(int))
                session.settings.toggle("visuals")
            assert np.count_nonzero(np.abs(images[0] - images[1]).max(axis=-1) > 2) < 5


def test_they_are_seen_in_pictures_and_move_there(robot: Path) -> None:
    def picture(*joints: tuple[str, float], visual: bool) -> Image:
        loaded = read(robot, ModelOptions(joints=joints, visual=visual))
        return take(loaded)[0].astype(int)

    plain, ghosts, turned = picture(visual=False), picture(visual=True), picture(("turn", 0.2), visual=True)
    assert np.count_nonzero(np.abs(ghosts - plain).max(axis=-1) > 8) > 20_000
    assert np.count_nonzero(np.abs(ghosts - turned).max(axis=-1) > 8) > 2_000
    assert red_pixels(ghosts.astype(np.uint8)) == red_pixels(plain.astype(np.uint8))


def test_the_option_is_for_robots_and_is_of_open_and_render(
    robot: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(LoadError, match="--visual are for a robot model"):
        read("first", ModelOptions(visual=True))
    picture = tmp_path / "arm.png"
    assert main(["render", str(robot), "--visual", "-o", str(picture), "--size", "320x240"]) == 0
    assert picture.is_file()
    assert "eye (visual mesh): there is no file none.obj" in capsys.readouterr().err
    with pytest.raises(ImporterError, match="there is no such file"):
        load_model(tmp_path / "none.urdf", visuals=True)


def test_meshes_of_mujoco_are_shown_as_well(tmp_path: Path) -> None:
    pytest.importorskip("mujoco")
    (tmp_path / "tip.obj").write_text(PYRAMID)
    geom = '<geom type="mesh" mesh="tip" contype="0" conaffinity="0" pos="0 0 1"/>'
    body = f'<body name="arm"><joint name="turn" axis="0 0 1"/><geom type="sphere" size="0.1"/>{geom}</body>'
    path = tmp_path / "arm.xml"
    path.write_text(f'<mujoco><asset><mesh name="tip" file="tip.obj"/></asset><worldbody>{body}</worldbody></mujoco>')
    model = load_model(path, visuals=True)
    (arm,) = model.visuals
    assert (arm.link, model.skipped) == ("arm", ())
    assert np.allclose([arm.points.min(axis=0), arm.points.max(axis=0)], [[0, 0, 1], [1, 1, 2]], atol=1e-6)
    (seen,) = visuals_of(opened(path))
    assert len(seen.triangles) == 4
