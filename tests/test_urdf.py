"""URDF as it is found: what becomes of it, what is left out, where meshes are looked for, and every way to fail."""

import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from collision import Capsule, ConvexHull, Cylinder, OrientedBox, Scene
from collision.importers import ImporterError, Model, load_model
from collision.models import meshes
from viewer.files.loading import LoadError, ModelOptions, read

Load = Callable[..., Model]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Load a model from its text; what is not a whole document is taken for the inside of <robot>."""

    def load(text: str, name: str = "arm.urdf", packages: dict[str, Path] | None = None) -> Model:
        file = tmp_path / name
        whole = text if text.startswith(("<robot", "<?xml", "<!")) or not text else f'<robot name="arm">{text}</robot>'
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(whole, encoding="utf-8")
        return load_model(file, packages=packages or {})

    return load


def link(name: str, *geometries: str) -> str:
    return (
        f'<link name="{name}">'
        + "".join(f"<collision><geometry>{g}</geometry></collision>" for g in geometries)
        + "</link>"
    )


def joint(
    name: str, parent: str, child: str, kind: str = "revolute", inside: str = '<limit lower="-1" upper="1"/>'
) -> str:
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{inside}</joint>'


BALL, BRICK, CAN = '<sphere radius="1"/>', '<box size="2 4 6"/>', '<cylinder radius="1" length="2"/>'


def colliding(scene: Scene) -> set[tuple[str, ...]]:
    return {tuple(sorted(map(scene.element_name, pair))) for pair in scene.colliding_pairs().tolist()}


# -- what becomes of it ------------------------------------------------------------------------------------------------


def test_shapes_are_where_the_file_puts_them(load: Load) -> None:
    model = load(
        link("base") + '<link name="arm"><inertial><mass value="1"/></inertial>'
        '<visual><geometry><box size="9 9 9"/></geometry></visual>'
        f'<collision name="rod"><origin xyz="1 0 0" rpy="0 1.5707963267948966 0"/><geometry>'
        f'<capsule radius="0.5" length="4"/></geometry></collision>'
        f'<collision><origin xyz="0 0 3"/><geometry>{BRICK}</geometry></collision></link>'
        + joint(
            "turn", "base", "arm", "continuous", '<origin xyz="0 0 1" rpy="0 0 1.5707963267948966"/><axis xyz="0 0 2"/>'
        )
    )
    assert (model.scene.title, list(model.scene)) == ("arm", ["rod", "arm/1"])
    assert model.scene.caption == "1 capsule, 1 box from arm.urdf."
    rod, brick = model.scene["rod"], model.scene["arm/1"]
    assert isinstance(rod, Capsule)
    np.testing.assert_allclose([rod.start, rod.end], [[0, -1, 1], [0, 3, 1]], atol=1e-15)
    assert isinstance(brick, OrientedBox)
    np.testing.assert_allclose(brick.center, [0, 0, 4], atol=1e-15)
    assert brick.half_extents.tolist() == [1, 2, 3]
    np.testing.assert_allclose(model.at({"turn": np.pi / 2}).scene["rod"].bounds().center, [-1, 0, 1], atol=1e-15)
    assert model.joints["turn"].axis.tolist() == [0, 0, 1]
    assert (model.skipped, model.notes) == ((), ())


def test_angles_turn_about_x_then_y_then_z_of_the_parent(load: Load) -> None:
    origin = '<origin xyz="1 2 3" rpy="0.3 0.4 0.5"/>'
    model = load(link("base") + link("tip", BALL) + joint("fix", "base", "tip", "fixed", origin))
    x, y, z = np.array([0.3, 0.4, 0.5])
    turns = [
        np.array([[1, 0, 0], [0, np.cos(x), -np.sin(x)], [0, np.sin(x), np.cos(x)]]),
        np.array([[np.cos(y), 0, np.sin(y)], [0, 1, 0], [-np.sin(y), 0, np.cos(y)]]),
        np.array([[np.cos(z), -np.sin(z), 0], [np.sin(z), np.cos(z), 0], [0, 0, 1]]),
    ]
    np.testing.assert_allclose(model.forward(links=["tip"]).axes[0], turns[2] @ turns[1] @ turns[0], atol=1e-15)


def test_joints_have_limits_axes_and_what_they_follow(load: Load) -> None:
    model = load(
        "".join(link(name) for name in "abcdef")
        + joint("ab", "a", "b", inside='<limit lower="-0.5" upper="2" effort="1" velocity="1"/>')
        + joint("bc", "b", "c", "prismatic", '<limit upper="3"/><axis xyz="0 1 0"/><mimic joint="ab" multiplier="2"/>')
        + joint("cd", "c", "d", "continuous", '<limit effort="1" velocity="1"/>')
        + joint("de", "d", "e", "floating", "")
        + joint("df", "d", "f", "revolute", "")
    )
    limits = {name: joint.limits for name, joint in model.joints.items()}
    endless = (-np.inf, np.inf)
    assert limits == {"ab": (-0.5, 2), "bc": (0, 3), "cd": endless, "de": endless, "df": endless}
    assert model.joints["bc"].mimic == ("ab", 2, 0)
    assert len(model.q) == 1 + 1 + 7 + 1
    assert model.notes[0] == "line 1: <joint name='df'> has no <limit>, which revolute joints need: it has no ends here"
    assert model.notes[2:] == (
        "the limits of 'bc', 0 to 3, are not looked at: it follows 'ab', which takes it from -1 to 4",
    )
    assert pickle.loads(pickle.dumps(model)).notes == model.notes
    np.testing.assert_allclose(model.forward({"ab": 0.25}, ["c"]).position[0], [0, np.cos(0.25) / 2, np.sin(0.25) / 2])


def test_shapes_are_called_after_their_links(load: Load) -> None:
    twice = '<collision name="pad"><geometry><sphere radius="1"/></geometry></collision>'
    model = load(
        link("one", BALL) + link("two", BALL, BALL)
        + f'<link name="three">{twice}{twice}</link>' + link("four[0]*", BALL)
        + "".join(joint(f"j{i}", "one", child, "fixed", "") for i, child in enumerate(["two", "three", "four[0]*"]))
    )  # fmt: skip
    assert list(model.scene) == ["one", "two/0", "two/1", "three/pad", "three/pad_2", "four(0)+"]
    assert model.notes == ("'three/pad' is called 'three/pad_2' here", "'four[0]*' is called 'four(0)+' here")
    assert list(model.links) == ["one", "two", "three", "four[0]*"]


def test_welded_links_and_neighbours_are_not_compared(load: Load) -> None:
    text = "".join(link(name, BALL) for name in "abcd")
    model = load(text + joint("ab", "a", "b") + joint("bc", "b", "c", "fixed", "") + joint("cd", "c", "d"))
    assert colliding(model.scene) == {("a", "d")}


def test_a_urdf_file_may_end_in_xml_and_needs_no_mujoco(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "mujoco", None)
    assert list(load(link("ball", BALL), name="arm.xml").scene) == ["ball"]


def test_what_no_shape_stands_for_is_listed(load: Load) -> None:
    model = load(
        link("a", '<mesh filename="gone.stl"/>', '<heightmap file="x"/>', BALL)
        + '<loop_joint name="rod"/>' + link("b")
        + joint("ab", "a", "b", inside='<mimic joint="ba"/><limit upper="1"/><rack_and_pinion/>')
    )  # fmt: skip
    assert [part[:2] for part in model.skipped] == [
        ("rod", "loop_joint"),
        ("a/0", "mesh"),
        ("a/1", "heightmap"),
        ("rack_and_pinion", "rack_and_pinion"),
        ("ab", "mimic"),
    ]
    reasons = [part.reason for part in model.skipped]
    assert reasons[0] == "line 1: URDF has no such element in <robot>"
    assert "there is no file gone.stl (looked in " in reasons[1]
    assert (
        reasons[2]
        == "only spheres, capsules, cylinders, boxes, meshes and planes are compared, and a heightmap is none of them"
    )
    assert reasons[4] == "line 1: there is no joint named 'ba': 'ab' has a value of its own"
    assert model.scene.caption.startswith("1 sphere from arm.urdf. Left out: 1 loop_joint, 1 mesh, 1 heightmap")


def test_cylinders_lie_along_z_and_have_a_length(load: Load) -> None:
    assert load(link("can", CAN)).scene["can"] == Cylinder([0, 0, -1], [0, 0, 1], 1)
    with pytest.raises(ImporterError, match="length must be above zero, got '0'"):
        load(link("can", '<cylinder radius="1" length="0"/>'))


def test_a_model_without_shapes_to_compare_says_so(load: Load) -> None:
    visual = f"<visual><geometry>{BALL}</geometry></visual>"
    assert load(f'<link name="a">{visual}{visual}</link>').notes == (
        "no link has a <collision> that is compared; 2 <visual> are not looked at",
    )
    empty = load("<robot/>")
    assert (len(empty.scene), empty.notes) == (0, ("line 1: <robot> has no <link>: the model is empty",))


# -- meshes ------------------------------------------------------------------------------------------------------------

#: A tetrahedron as each kind of file has it; that of COLLADA is in units of 2 m, and moved by a node.
POINTS, FACES = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
TRIANGLES = " ".join(f"{i}" for face in FACES for i in face)
OBJ = "".join(f"v {x} {y} {z}\n" for x, y, z in [*POINTS, (9, 9, 9)]) + "".join(
    f"f {i + 1} {j + 1} {k + 1}\n" for i, j, k in FACES
)
PLY = "\n".join(
    (
        "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z",
        "element face 4\nproperty list uchar int vertex_indices\nend_header",
        *(f"{x} {y} {z}" for x, y, z in POINTS),
        *(f"3 {i} {j} {k}" for i, j, k in FACES),
        "",
    )
)
STL = "solid s\n" + "".join(
    "facet normal 0 0 0\nouter loop\n"
    + "".join("vertex {} {} {}\n".format(*POINTS[i]) for i in face)
    + "endloop\nendfacet\n"
    for face in FACES
) + "endsolid s\n"  # fmt: skip
DAE = f"""<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="two" meter="2"/><up_axis>Y_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="a" count="12">{" ".join(f"{x} {y} {z}" for x, y, z in POINTS)}</float_array>
<technique_common><accessor source="#a" count="4" stride="3"><param name="X" type="float"/>
<param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/><p>{TRIANGLES}</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node><translate>1 0 0</translate><node><scale>1 1 3</scale>
<instance_geometry url="#g"/></node></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>"""
FILES = {"part.obj": OBJ, "part.ply": PLY, "part.STL": STL, "part.dae": DAE}


@pytest.mark.parametrize("name", FILES)
def test_meshes_are_their_convex_hulls(load: Load, tmp_path: Path, name: str) -> None:
    """The point that no triangle has is no part of it."""
    pytest.importorskip("trimesh", reason='needs the robots extra: pip install ".[robots]"')
    (tmp_path / name).write_text(FILES[name])
    place = '<origin xyz="0 0 7" rpy="0 0 1.5707963267948966"/>'
    geometry = f'<geometry><mesh filename="{name}" scale="1 2 -1"/></geometry>'
    model = load(f'<link name="a"><collision>{place}{geometry}</collision></link>')
    points = np.array(POINTS, dtype=float)
    if name == "part.dae":
        points = (points * [1, 1, 3] + [1, 0, 0]) * 2
    x, y, z = (points * [1, 2, -1]).T
    wanted = np.stack([-y, x, z + 7], axis=-1)
    found = model.scene["a"].values()["points"]
    assert sorted(found.round(9).tolist()) == sorted((wanted + 0.0).tolist())
    assert model.skipped == ()
    assert model.notes == ("1 mesh is compared as its convex hull",)
    assert model.scene.caption == "1 hull from arm.urdf."


def test_a_mesh_is_read_once_for_a_robot_and_again_for_the_next(
    load: Load, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trimesh = pytest.importorskip("trimesh", reason='needs the robots extra: pip install ".[robots]"')
    (tmp_path / "part.stl").write_text(STL)
    read, real = [], trimesh.load_scene

    def counted(file: Path, **options: object) -> object:
        read.append(file.name)
        return real(file, **options)

    monkeypatch.setattr(trimesh, "load_scene", counted)
    part = '<mesh filename="{}" scale="{}"/>'.format
    model = load(link("a", *(part(f"{way}part.stl", scale) for way in ("", "./") for scale in ("1 1 1", "2 2 2"))))
    assert len(model.scene) == 4
    assert read == ["part.stl"]
    load(link("a", part("part.stl", "1 1 1")))
    assert len(read) == 2


def test_every_mesh_that_is_left_out_is_one_line(load: Load, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("trimesh", reason='needs the robots extra: pip install ".[robots]"')
    monkeypatch.setattr(meshes, "_MOST_BYTES", 3000)
    files = {
        "empty.stl": "",
        "broken.dae": DAE[:500],
        "broken.ply": PLY.replace("vertex 4", "vertex 99999999999"),
        "flat.obj": "v 0 0 0\nv 1 0 0\nl 1 2\n",
        "nan.obj": OBJ.replace("v 1", "v nan"),
        "huge.obj": "# " + 3000 * "x" + OBJ,
        "cut.ply": PLY.rpartition("3 ")[0],
        "cut.obj": "# cut\n" + OBJ + "f 1 2\n",
        "none.obj": OBJ + "f 1 2 9\n",
        "short.obj": OBJ + "v 1 2\n",
        "first.obj": OBJ + "f 0 1 2\n",
        "size.obj": OBJ + "v 1e200 0 0\nf 1 2 -1\n",
        "unit.dae": DAE.replace('meter="', 'meter="-'),
        "skin.dae": DAE.replace("<node", "<instance_controller/><node", 1),
        "lost.dae": DAE.replace("</visual_scene>", '<node><instance_geometry url="#gone"/></node></visual_scene>'),
        "part.step": "",
        "fine.obj": OBJ,
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "folder.stl").mkdir()
    names = [*files, "folder.stl", "gone.stl", "package://../part.obj", "part.obj"]
    (tmp_path / "part.obj").write_text(OBJ)
    parts = [f'<mesh filename="{name}"/>' for name in names]
    parts[-1] = parts[-1].replace("/>", ' scale="1 1e200 1e308"/>')
    model = load(link("a", *parts))
    reasons = {names[int(part.name.removeprefix("a/"))]: part.reason for part in model.skipped}
    assert set(reasons) == {*names} - {"fine.obj"}
    assert list(model.scene) == [f"a/{names.index('fine.obj')}"]
    for name, reason in reasons.items():
        assert "\n" not in reason
        assert name in reason
    assert reasons["huge.obj"] == "huge.obj is no mesh that can be read: it is larger than 0 MiB"
    assert reasons["flat.obj"] == "flat.obj is no mesh that can be read: it has no triangles"
    assert reasons["nan.obj"] == "nan.obj is no mesh that can be read: it has points that are not finite"
    assert reasons["part.obj"] == (
        "part.obj in its scale must have a largest coordinate from 1e-72 to 1e72, or zero, got 1e+308"
    )
    reason = {name: reasons[name].partition(" is no mesh that can be read: ")[2] for name in reasons}
    assert reason["cut.ply"] == "it has 3 of 4 elements called face"
    assert reason["cut.obj"] == f"line {OBJ.count(chr(10)) + 2}: f takes three points or more, got f 1 2"
    assert reason["first.obj"].endswith("f takes three points or more, got f 0 1 2")
    assert reason["short.obj"].endswith("v takes three numbers, got v 1 2")
    assert reason["none.obj"] == "it has 5 points, and a face names point 9"
    assert reason["unit.dae"] == "<unit>: meter must be a number above zero, got '-2'"
    assert reason["skin.dae"] == "it has an <instance_controller>, and skins are not read"
    assert "Geometry #gone not found in library" in reason["lost.dae"]
    assert "from 1e-72 to 1e72, or zero, got 1e+200" in reasons["size.obj"]
    assert reasons["package://../part.obj"] == "expected package://NAME/PATH, got 'package://../part.obj'"
    assert reasons["part.step"] == "a mesh is a .stl, .obj, .dae, .ply file, got part.step"


def test_what_trimesh_logs_of_broken_files_is_not_shown(load: Load, tmp_path: Path) -> None:
    pytest.importorskip("trimesh", reason='needs the robots extra: pip install ".[robots]"')
    (tmp_path / "normal.stl").write_text(STL.replace("normal 0 0 0", "normal 0 x 0", 1))
    load(link("a", '<mesh filename="normal.stl"/>'))
    program = "import sys; from collision.importers import load_model; print(load_model(sys.argv[1]).skipped)"
    words = [sys.executable, "-c", program, str(tmp_path / "arm.urdf")]
    assert subprocess.run(words, capture_output=True, text=True, check=True).stderr == ""


def test_without_trimesh_meshes_are_left_out_with_a_word_how_to_get_it(
    load: Load, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "trimesh", None)
    (tmp_path / "part.stl").write_text(STL)
    (left,) = load(link("a", '<mesh filename="part.stl"/>', BALL)).skipped
    assert left[:2] == ("a/0", "mesh")
    how = f"it comes with the extra robots: {sys.executable} -m pip install trimesh pycollada"
    assert re.fullmatch(rf"reading a mesh takes trimesh \(.*\); {re.escape(how)}", left.reason)


def test_a_hull_keeps_its_faces_wherever_joints_put_it(load: Load, tmp_path: Path) -> None:
    pytest.importorskip("trimesh", reason='needs the robots extra: pip install ".[robots]"')
    (tmp_path / "part.obj").write_text(OBJ)
    arm = load(link("a", BALL) + link("b", '<mesh filename="part.obj"/>') + joint("ab", "a", "b", "continuous", ""))
    moved = arm.at({"ab": 1.0}).scene["b"]
    assert isinstance(moved, ConvexHull)
    assert np.array_equal(moved.row_table, arm.links["b"]["b"].row_table)
    turned = arm.forward({"ab": 1.0}, ["b"]).axes[0]
    assert np.allclose(moved.points, arm.links["b"]["b"].values()["points"] @ turned.T)
    halfway = arm.along([0, 1], {"ab": [0, 2]}).at(0.5)["b"]
    assert np.allclose(halfway.values()["points"], moved.points)


def test_a_package_that_is_no_folder_is_told(load: Load, tmp_path: Path) -> None:
    with pytest.raises(ImporterError, match=r"the package 'x': there is no folder .*nosuch$"):
        load(link("a"), packages={"x": tmp_path / "nosuch"})


# -- where meshes are looked for ---------------------------------------------------------------------------------------


def missing(model: Model) -> list[str]:
    return [part.name for part in model.skipped if "there is no file" in part.reason]


def mesh(name: str) -> str:
    return link("a", f'<mesh filename="{name}"/>')


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("meshes/part one.stl", "robot/arm.urdf"),
        ("meshes/part one.stl", "robot/deep/er/arm.urdf"),
        ("./meshes/part one.stl", "robot/arm.urdf"),
        ("../meshes/part one.stl", "robot/urdf/arm.urdf"),
        ("package://robot/meshes/part%20one.stl", "robot/urdf/arm.urdf"),
        ("package://robot/meshes/part one.stl", "other/arm.urdf"),
        ("file://meshes/part%20one.stl", "robot/urdf/arm.urdf"),
        ("file://{here}/robot/meshes/part one.stl", "arm.urdf"),
        ("{here}/robot/meshes/part one.stl", "elsewhere/arm.urdf"),
    ],
)
def test_meshes_are_found(load: Load, tmp_path: Path, name: str, model: str) -> None:
    (tmp_path / "robot/meshes").mkdir(parents=True)
    (tmp_path / "robot/meshes/part one.stl").write_bytes(b"")
    assert missing(load(mesh(name.format(here=tmp_path)), name=model)) == []
    assert missing(load(mesh(f"{name.format(here=tmp_path)}x"), name=model)) == ["a"]


def test_packages_are_found_by_what_is_given_and_by_what_ros_sets(
    load: Load, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("ros/arm", "ament/share/arm", "own"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "part.stl").write_bytes(b"")
    text, name = mesh("package://arm/part.stl"), "robots/x.urdf"
    (gone,) = load(text, name=name).skipped
    assert re.search(r"\(looked in .* more\); say where it is with --package arm=FOLDER$", gone.reason)
    assert missing(load(text, name=name, packages={"arm": tmp_path / "own"})) == []
    assert missing(load(text, name=name, packages={"arm": tmp_path})) == ["a"]  # what is given is what counts
    for key, value in (("ROS_PACKAGE_PATH", "ros"), ("ROS_PACKAGE_PATH", "ros/arm"), ("AMENT_PREFIX_PATH", "ament")):
        with monkeypatch.context() as patch:
            patch.setenv(key, f"{tmp_path / 'nowhere'}:{tmp_path / value}")
            assert missing(load(text, name=name)) == []


def test_nothing_is_fetched_and_odd_names_are_only_missing(load: Load) -> None:
    (part,) = load(mesh("https://example.com/a.stl")).skipped
    assert part.reason.endswith("https://example.com/a.stl is not fetched: expected package://, file:// or a path")
    assert missing(load(mesh("x" * 5000))) == ["a"]
    assert missing(load(mesh("package://%00/a.stl"))) == ["a"]


# -- what goes wrong ---------------------------------------------------------------------------------------------------

A, AB = link("a"), link("a") + link("b")
BOMB = '<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><robot name="&b;"/>'
SECRET = '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/hostname">]><robot name="x"><link name="&x;"/></robot>'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", ":1: it is no valid XML: no element found"),
        ("<robot><link", ":1: it is no valid XML: unclosed token"),
        ("<robot>\n<link></robot>", ":2: it is no valid XML: mismatched tag"),
        ("<?xml version='1.0' encoding='klingon'?><robot/>", ":1: it is no valid XML: unknown encoding"),
        ('<robot name="&x;"/>', ":1: it is no valid XML: undefined entity"),
        (BOMB, r":1: expected no document type: <!DOCTYPE \.\.\.> and its entities are not read"),
        (SECRET, ":1: expected no document type"),
        ("<robot>" + "<a>" * 200, ":1: <a>: a model has no more than 1,000,000 elements, and 100 in each other"),
        ("<?xml version='1.0'?>\n<sdf/>", ":2: <sdf>: expected <robot>, which holds the links and joints of URDF"),
        ("<link/>", ":1: <link>: expected the attribute name, got none"),
        ('<link name=" "/>', ":1: <link name=' '>: expected the attribute name, got an empty one"),
        ("\n<links name='x'/>", ":2: <links name='x'>: <robot name='arm'> has no such element; did you mean <link>?"),
        (A + "\n" + A, ":2: <link name='a'>: this name is taken by the one on line 1"),
        ('<link name="a"><collision/></link>', ":1: <collision>: expected a <geometry> in it, got none"),
        ('<link name="a"><colision/></link>', ":1: <colision>: <link name='a'> has no such element; .* <collision>?"),
        (link("a", ""), ":1: <geometry>: expected one shape, got none"),
        (link("a", BALL + BALL), ":1: <geometry>: expected one shape, got <sphere>, <sphere>"),
        (link("a", "<boxx/>"), ":1: <boxx>: expected a shape, as <box>"),
        (link("a", "<box/>"), ":1: <box>: expected the attribute size, got none"),
        (link("a", '<box size="1 2"/>'), ":1: <box>: size must be 3 numbers, got '1 2'"),
        (link("a", '<box size="1 2 -3"/>'), ":1: <box>: size must be zero or more, got '1 2 -3'"),
        (link("a", '<sphere radius="one"/>'), ":1: <sphere>: radius must be a number, got 'one'"),
        (link("a", '<sphere radius="nan"/>'), ":1: <sphere>: radius must be a number, got 'nan'"),
        (link("a", '<sphere radius="1_0"/>'), ":1: <sphere>: radius must be a number, got '1_0'"),
        (link("a", '<sphere radius="1e999"/>'), ":1: <sphere>: radius must be finite, got '1e999'"),
        (link("a", f'<sphere radius="{"x" * 999}"/>'), f"got '{'x' * 60}…'$"),
        (link("a", '<mesh/>'), ":1: <mesh>: expected the attribute filename, got none"),
        (link("a", '<mesh filename="a.stl" scale="1 0 1"/>'), "scale must be .* other than zero, got '1 0 1'"),
        (link("a", '<mesh filename="a.stl" scale="1"/>'), ":1: <mesh>: scale must be 3 numbers, got '1'"),
        (A + '<joint name="j"/>', ":1: <joint name='j'>: expected the attribute type, got name"),
        (AB + joint("j", "a", "b", "hinge"), "type must be one of fixed, revolute, .*, planar, got 'hinge'"),
        (AB + '<joint name="j" type="fixed"/>', ":1: <joint name='j'>: expected a <parent> in it, got none"),
        (AB + joint("j", "a", "B"), ":1: <child>: there is no link named 'B'"),
        (link("arm") + joint("j", "arn", "arm"), ":1: <parent>: there is no link named 'arn'; did you mean 'arm'?"),
        (A + joint("j", "a", "a"), "expected two links, got 'a' as parent and child"),
        (AB + joint("j", "a", "b", inside='<axis xyz="0 0 0"/><limit/>'), "<axis>: xyz must be a direction, got zeros"),
        (AB + joint("j", "a", "b", inside='<limit lower="1" upper="0"/>'), "<limit>: lower must not be above upper"),
        (AB + joint("j", "a", "b", inside='<origin/><origin/>'), "has one <origin> at most; the first is on line 1"),
        (AB + joint("j", "a", "b", inside='<mimic joint="j"/><limit/>'), "joint 'j' follows itself"),
        (AB + "\n" + link("c"), ":1: <link name='b'>: no joint connects it with the others, which begin with 'a'"),
        (AB + joint("j", "a", "b") + joint("k", "a", "b"), "the link 'b' is already the child of the joint 'j'"),
        (AB + "\n" + joint("j", "a", "b") + joint("k", "b", "a"), ":2: <joint name='j'>: .* in a circle: 'b' hangs"),
        (AB + link("c") + joint("j", "a", "b", "fixed") + joint("k", "b", "c", inside='<mimic joint="j"/><limit/>'),
         ":1: <joint name='k'>: joint 'k' follows 'j': both must turn"),
        (AB + "\n" + joint("j", "a", "b", inside='<limit lowr="-1" upper="0"/>'), ":2: .* lowr; .* mean lower?"),
        (AB + joint("j", "a", "b", "fixed", '<origin xzy="1 0 0"/>'), "it has no attribute xzy; did you mean xyz?"),
        (A + "\n" + link("b", '<sphere radius="1e90"/>'), ":2: <collision>: 'b' must have a largest .* 1e\\+90"),
        (link("a", '<sphere radius="\u0663"/>'), ":1: <sphere>: radius must be a number, got '\u0663'"),
        ('<link name="${name}"/>', "URDF that xacro has expanded, got '\\${name}'; expand it with: xacro arm"),
        ('<xacro:include filename="x"/>', "URDF that xacro has expanded, got an element of xacro"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_model(load: Load, tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ImporterError, match=message) as caught:
        load(text)
    assert str(caught.value).startswith(f"{tmp_path / 'arm.urdf'}:")
    assert "\n" not in str(caught.value)


def test_xacro_itself_is_told_from_urdf(tmp_path: Path) -> None:
    words = r"expand it with: xacro arm\.urdf\.xacro > arm\.urdf$"
    with pytest.raises(ImporterError, match=words):
        load_model(tmp_path / "arm.urdf.xacro")
    (tmp_path / "arm.urdf.xacro").write_text("<robot/>", encoding="utf-8")
    with pytest.raises(LoadError, match=words):
        read(tmp_path / "arm.urdf.xacro", ModelOptions(pose="home"))


def test_control_characters_are_not_quoted(load: Load) -> None:
    with pytest.raises(ImporterError, match="got 'a\N{REPLACEMENT CHARACTER}b'"):
        load(link("a", '<sphere radius="a&#x85;b"/>'))


def test_a_large_file_is_refused_before_it_is_read_whole(tmp_path: Path) -> None:
    file = tmp_path / "arm.urdf"
    with file.open("wb") as out:
        out.write(b"<robot>")
        out.truncate(1 << 33)
    with pytest.raises(ImporterError, match="it is no valid XML"):  # nothing but null characters
        load_model(file)
    file.write_bytes(b"<robot>" + b" " * (1 << 26))
    with pytest.raises(ImporterError, match="the file is larger than 64 MiB, which no model is"):
        load_model(file)


@pytest.mark.parametrize("axis", ["0 0 1e-320", "0 0 1e300"])
def test_an_axis_of_any_length_is_a_direction(load: Load, axis: str) -> None:
    model = load(link("a") + link("b") + joint("j", "a", "b", "continuous", f'<axis xyz="{axis}"/>'))
    assert model.joints["j"].axis.tolist() == [0, 0, 1]


def test_a_mistake_is_placed_once(load: Load) -> None:
    with pytest.raises(ImporterError) as caught:
        load(link("a") + link("b") + joint("j", "a", "b", "fixed", '<origin xyz="nan 0 0"/>'))
    assert str(caught.value).count("<origin>: ") == 1
