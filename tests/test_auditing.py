"""How much of a robot is outside its collision shapes: known answers, bounds against dense samples, what is not had."""

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from collision import Capsule, OrientedBox, Point, Scene, Sphere, signed_distance
from collision.importers import ImporterError, LinkAudit, audit_model, load_model
from collision.shapes.kinds import Shape
from tests.helpers import red_pixels
from viewer.cli.commands import main
from viewer.files.differences import read_picture
from viewer.picture.audit import audit_marks
from viewer.picture.panels import legend_panel
from viewer.picture.shapes import shape_drawables
from viewer.records.drawables import Label, Panel, Role, Visual
from viewer.records.words import percent
from viewer.studio.options import PictureOptions
from viewer.studio.pictures import take_audited

trimesh = pytest.importorskip("trimesh", reason='needs the robots extra: pip install ".[robots]"')

Write = Callable[..., Path]

BALL = '<sphere radius="1"/>'

#: A cube from -1 to 1, and a plate at z = 0 from -2 to 2 and from -1 to 1.
CUBE = trimesh.creation.box([2, 2, 2])
PLATE = trimesh.Trimesh([[-2, -1, 0], [2, -1, 0], [2, 1, 0], [-2, 1, 0]], [[0, 1, 2], [0, 2, 3]])


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a robot of the inside of <robot>, with the two meshes beside it."""

    def write(*links: str, name: str = "arm.urdf") -> Path:
        CUBE.export(tmp_path / "cube.stl")
        PLATE.export(tmp_path / "plate.obj")
        file = tmp_path / name
        file.write_text(f'<robot name="arm">{"".join(links)}</robot>', encoding="utf-8")
        return file

    return write


def mesh(name: str, more: str = "") -> str:
    return f'<mesh filename="{name}" {more}/>'


def part(tag: str, geometry: str, origin: str = "") -> str:
    return f"<{tag}>{origin}<geometry>{geometry}</geometry></{tag}>"


def link(name: str, visual: str, *collisions: str) -> str:
    shapes = "".join(one if one.startswith("<collision") else part("collision", one) for one in collisions)
    return f'<link name="{name}">{part("visual", visual) if visual else ""}{shapes}</link>'


def fixed(parent: str, child: str, origin: str = "") -> str:
    ends = f'<parent link="{parent}"/><child link="{child}"/>'
    return f'<joint name="{parent} {child}" type="fixed">{ends}{origin}</joint>'


def check(found: LinkAudit, depth: float, share: float) -> None:
    assert found.reason == ""
    assert found.depth - 1e-12 <= depth <= found.bound + 1e-12 <= found.depth + 1.0001e-4
    assert found.share[0] <= share + 1e-9
    assert share - 1e-9 <= found.share[1] <= found.share[0] + 0.0100001


# -- known answers -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shapes", "depth", "share"),
    [
        (['<sphere radius="1.2"/>'], np.sqrt(3) - 1.2, 1 - np.pi * (1.2001**2 - 1) / 4),
        (['<sphere radius="1.8"/>'], 0, 0),
        (['<box size="2 2 2"/>'], 0, 0),
        (['<box size="2 2 1"/>'], 0.5, (8 + 8 * (1 - 2e-4)) / 24),
        (['<box size="1 1 1"/>'], np.sqrt(0.75), 1),
        # Two boxes that meet, and two that leave a gap of 0.4 between them.
        ([part("collision", '<box size="1 2 2"/>', f'<origin xyz="{x} 0 0"/>') for x in (-0.5, 0.5)], 0, 0),
        (
            [part("collision", '<box size="1 2 2"/>', f'<origin xyz="{x} 0 0"/>') for x in (-0.7, 0.7)],
            0.2,
            4 * 2 * (0.4 - 2e-4) / 24,
        ),
    ],
)
def test_a_cube_is_as_far_outside_as_it_should(write: Write, shapes: list[str], depth: float, share: float) -> None:
    (found,) = audit_model(write(link("part", mesh("cube.stl"), *shapes)))
    check(found, depth, share)
    assert (found.triangles, found.point is None) == (12, depth == 0)
    assert found.area == pytest.approx(24)


def test_the_farthest_point_may_be_inside_of_a_triangle(write: Write) -> None:
    rods = [
        part("collision", '<capsule radius="0.1" length="2"/>', f'<origin xyz="{x} 0 0" rpy="1.5707963267948966 0 0"/>')
        for x in (-2, 2)
    ]
    (found,) = audit_model(write(link("part", mesh("plate.obj"), *rods)))
    check(found, 1.9, 3.8 / 4 - 1e-4 / 2)
    assert found.point is not None
    assert abs(found.point[0]) < 1e-3


def test_a_mesh_is_where_its_origin_and_scale_put_it(write: Write) -> None:
    visual = part("visual", mesh("cube.stl", 'scale="0.001 0.002 -0.003"'), '<origin xyz="0 1 0" rpy="0 0 0.5"/>')
    cover = part("collision", '<box size="0.002 0.004 0.005"/>', '<origin xyz="0 1 0" rpy="0 0 0.5"/>')
    (found,) = audit_model(write(f'<link name="part">{visual}{cover}</link>'))
    assert (found.depth, found.bound) == (pytest.approx(5e-4), pytest.approx(5e-4))
    assert found.area == pytest.approx(8 * (2 + 3 + 6) * 1e-6)


def test_a_surface_is_cut_where_it_comes_out_of_its_shapes(write: Write) -> None:
    """A cut of flat triangles by flat faces is exact; it comes with the audit where it is asked for."""
    file = write(
        link("part", mesh("cube.stl"), '<box size="3 3 1"/>'),
        link("bare", mesh("cube.stl")),
        link("round", '<sphere radius="0.5"/>', BALL),
        *(fixed("part", name).replace("fixed", "floating") for name in ("bare", "round")),
    )
    assert {one.surface for one in audit_model(file)} == {()}
    part, bare, round_ = audit_model(file, fineness=0.4)
    assert [one.outside for one in part.surface] == [False, True]
    inside, outside = (one.points[one.triangles] for one in part.surface)
    assert np.abs(inside[..., 2]).max() == pytest.approx(0.5001)
    assert np.abs(outside[..., 2]).min() == pytest.approx(0.5001)
    assert (area_of(inside), area_of(outside)) == (pytest.approx(8 * 1.0002), pytest.approx(24 - 8 * 1.0002))
    normals = np.cross(outside[:, 1] - outside[:, 0], outside[:, 2] - outside[:, 0])
    assert (np.einsum("ni,ni->n", normals, outside.mean(axis=1)) > 0).all()  # outwards, as those of the cube
    ((whole,), (ghost,)) = bare.surface, round_.surface
    assert (whole.outside, area_of(whole.points[whole.triangles])) == (True, pytest.approx(24))
    assert (ghost.outside, area_of(ghost.points[ghost.triangles])) == (None, pytest.approx(np.pi, rel=0.01))


def test_a_box_is_audited_as_the_mesh_that_it_is(write: Write) -> None:
    file = write(link("part", '<box size="2 2 2"/>', '<box size="2 2 1"/>'))
    (found,) = audit_model(file)
    check(found, 0.5, (8 + 8 * (1 - 2e-4)) / 24)
    assert (found.area, beyond(found)[1]) == (pytest.approx(24), 0.0)


def test_shapes_of_links_that_are_fixed_to_it_cover_a_link(write: Write) -> None:
    """The cube of the first link is in the box of the third, and none of it in that of the fourth, which moves."""
    joint = fixed("far", "arm").replace("fixed", "continuous")
    found = audit_model(
        write(
            link("shell", mesh("cube.stl")),
            link("between", ""),
            link("far", mesh("plate.obj"), part("collision", '<box size="2 2 2"/>', '<origin xyz="-3 0 0"/>')),
            link("arm", mesh("cube.stl"), '<sphere radius="9"/>'),
            fixed("shell", "between", '<origin xyz="1 0 0" rpy="0 0 3.141592653589793"/>'),
            fixed("between", "far", '<origin xyz="-2 0 0" rpy="0 0 3.141592653589793"/>'),
            joint,
        )
    )
    assert [one.link for one in found] == ["shell", "between", "far", "arm"]
    check(found[0], 0, 0)
    check(found[2], 4, 1)
    check(found[3], 0, 0)
    assert (found[1].reason, found[1].drawn) == ("no visual shape", False)


# -- bounds against samples --------------------------------------------------------------------------------------------


def some_shape(rng: np.random.Generator) -> tuple[str, Shape]:
    """Return a shape about the origin, as URDF and as the library has it."""
    place, size = rng.normal(0, 0.4, 3), rng.uniform(0.1, 0.5, 3)
    origin = f'<origin xyz="{place[0]} {place[1]} {place[2]}"/>'
    match rng.integers(3):
        case 0:
            return part("collision", f'<sphere radius="{size[0]}"/>', origin), Sphere(place, size[0])
        case 1:
            wide = 2 * size
            box = part("collision", f'<box size="{wide[0]} {wide[1]} {wide[2]}"/>', origin)
            return box, OrientedBox(place, np.eye(3), size)
        case _:
            up = [0, 0, size[1] / 2]
            text = part("collision", f'<capsule radius="{size[0]}" length="{size[1]}"/>', origin)
            return text, Capsule(place - up, place + up, size[0])


def area_of(corners: np.ndarray) -> float:
    edges = corners[:, 1:] - corners[:, :1]
    return float(np.linalg.norm(np.cross(edges[:, 0], edges[:, 1]), axis=-1).sum() / 2)


@pytest.mark.parametrize("seed", range(12))
def test_no_sample_of_the_surface_is_beyond_the_bound(write: Write, tmp_path: Path, seed: int) -> None:
    rng = np.random.default_rng(seed)
    corners = rng.normal(0, 0.6, (8, 1, 3)) + rng.normal(0, 0.5, (8, 3, 3))
    trimesh.Trimesh(corners.reshape(-1, 3), np.arange(24).reshape(8, 3)).export(tmp_path / "soup.obj", digits=17)
    texts, shapes = zip(*(some_shape(rng) for _ in range(rng.integers(1, 5))), strict=True)
    (found,) = audit_model(write(link("part", mesh("soup.obj"), *texts)), fineness=0.02)
    areas = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=-1)
    weights = rng.dirichlet([1, 1, 1], 200_000)
    points = np.einsum("nk,nkd->nd", weights, corners[rng.choice(8, 200_000, p=areas / areas.sum())])
    gaps = np.min([signed_distance(Point(points), shape) for shape in shapes], axis=0)
    assert gaps.max() <= found.bound + 1e-12
    assert gaps.max() >= found.depth - 0.05
    assert found.bound - found.depth <= 1.0001e-4
    assert found.point is not None
    reached = min(signed_distance(Point(found.point), shape) for shape in shapes)
    assert reached == pytest.approx(found.depth, abs=1e-12)
    cut = {part.outside: part.points[part.triangles] for part in found.surface}
    assert sum(area_of(part) for part in cut.values()) == pytest.approx(areas.sum() / 2)
    if True in cut:
        assert found.share[0] - 1e-4 <= 2 * area_of(cut[True]) / areas.sum() <= found.share[1] + 1e-4
    else:
        assert found.share[0] == 0.0
    for part, sign in ((cut.get(False), 1.0), (cut.get(True), -1.0)):
        if part is not None:
            inner = np.einsum("k,nkd->nd", [0.5, 0.3, 0.2], part)
            wrong = sign * (np.min([signed_distance(Point(inner), shape) for shape in shapes], axis=0) - 1e-4)
            assert wrong.max() < 0.01  # where two shapes meet, half of a piece may be taken for the other
    outside = np.mean(gaps > 1e-4)
    assert found.share[0] - 0.005 <= outside <= found.share[1] + 0.005  # four standard deviations


# -- what shapes and hulls add -----------------------------------------------------------------------------------------


def beyond(found: LinkAudit) -> tuple[float, float]:
    assert found.beyond is not None
    return found.beyond


@pytest.mark.parametrize(
    ("shape", "origin", "least"),
    [
        ('<box size="2 2 2"/>', "0 0 0", 0),
        ('<box size="1 1 1"/>', "0 0 0", 0),
        ('<box size="3 2 2"/>', "0 0 0", 0.5),
        ('<box size="2 2 2"/>', "2 2 0", np.sqrt(8)),
        ('<sphere radius="0.5"/>', "0.75 0 0", 0.25),
        ('<sphere radius="1"/>', "5 0 0", 5),
        ('<capsule radius="0.5" length="3"/>', "0 0 0", 1),
        ('<cylinder radius="2" length="2"/>', "0 0 0", 1),
        ('<cylinder radius="1" length="2"/>', "3 3 0", 3 * np.sqrt(2)),  # the rim is not symmetrical to the corner
        ('<mesh filename="cube.stl" scale="1 1 2"/>', "0 0 0", 1),
    ],
)
def test_shapes_reach_as_far_beyond_a_cube_as_they_do(write: Write, shape: str, origin: str, least: float) -> None:
    cover = part("collision", shape, f'<origin xyz="{origin}"/>')
    (found,) = audit_model(write(link("part", mesh("cube.stl"), cover)))
    if origin == "3 3 0":
        angles = np.linspace(0, 2 * np.pi, 1_000_001)
        x, y = 3 + np.cos(angles), 3 + np.sin(angles)
        least = float(np.hypot(np.maximum(x - 1, 0), np.maximum(y - 1, 0)).max())
    assert beyond(found) == (pytest.approx(least, abs=1e-9), pytest.approx(least, abs=1e-9))


def test_links_that_are_fixed_to_each_other_reach_beyond_all_of_their_meshes(write: Write) -> None:
    """The ball is far from the mesh of its own link, and in the hull of those of both."""
    links = link("left", mesh("cube.stl"), BALL), link("right", mesh("cube.stl"), '<box size="1 1 1"/>')
    found = audit_model(write(*links, fixed("left", "right", '<origin xyz="9 0 0" rpy="0 0 1.5707963267948966"/>')))
    assert [beyond(one)[1] for one in found] == [pytest.approx(0, abs=1e-12)] * 2
    wide = link("right", '<sphere radius="9"/>', '<box size="1 1 1"/>')
    assert audit_model(write(links[0], wide, fixed("left", "right")))[0].beyond is None


def test_hulls_say_what_they_add_to_their_meshes(write: Write, tmp_path: Path) -> None:
    ring = trimesh.creation.annulus(r_min=1, r_max=2, height=1, sections=16)
    pair = trimesh.util.concatenate([CUBE, CUBE.copy().apply_translation([6, 0, 0])])
    half = trimesh.Trimesh(CUBE.vertices, CUBE.faces[:-1])
    globe = trimesh.creation.icosphere(subdivisions=3)
    for name, one in (("ring", ring), ("pair", pair), ("half", half), ("globe", globe)):
        one.export(tmp_path / f"{name}.obj")
    names = ["ring.obj", "pair.obj", "half.obj", "globe.obj", "cube.stl"]
    scale = 'scale="1 2 -1"'
    found = audit_model(
        write(f'<link name="a">{"".join(part("collision", mesh(name, scale)) for name in [*names, "gone.stl"])}</link>')
    )
    (one,) = found
    assert one.reason.startswith("a collision shape is left out: there is no file gone.stl (looked in ")
    assert [hull.mesh for hull in one.hulls] == names
    rings, pairs, halves, globes, cubes = one.hulls
    disc = 16 / 2 * np.sin(2 * np.pi / 16) * 4
    assert rings[1:] == (32, 0.0, pytest.approx(2 * disc), pytest.approx(2 * disc * 3 / 4), 1, 1)
    assert pairs[1:] == (8, 0.0, pytest.approx(64), pytest.approx(32), 2, 0)
    assert halves[1:] == (8, 0.0, pytest.approx(16), None, 1, None)
    assert globes[4:] == (pytest.approx(2 * globe.volume), 1, 0)
    assert (globes.corners, cubes[1:]) == (64, (8, 0.0, pytest.approx(16), pytest.approx(16), 1, 0))
    assert 0.05 < globes.excess < 0.3
    assert globes.mesh_volume is not None
    assert 1 < globes.volume / globes.mesh_volume < 1.2


# -- what is not had ---------------------------------------------------------------------------------------------------


def test_links_that_are_not_audited_say_why(write: Write, tmp_path: Path) -> None:
    (tmp_path / "dots.ply").write_text(
        "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\n"
        "end_header\n0 0 0\n"
    )
    (tmp_path / "broken.stl").write_bytes(b"solid")
    ball = '<sphere radius="1"/>'
    names = ("gone", "drawn", "bare", "broken", "dots", "left", "other", "hidden")
    turns = [fixed("root", name).replace("fixed", "floating") for name in names]
    found = audit_model(
        write(
            link("root", ""),
            link("gone", mesh("gone.stl"), ball),
            link("drawn", '<sphere radius="1"/>', ball),
            link("bare", mesh("cube.stl")),
            link("broken", mesh("broken.stl"), ball),
            link("dots", mesh("dots.ply"), ball),
            link("left", mesh("cube.stl"), ball, "<cone/>"),
            link("other", mesh("cube.glb"), ball),
            link("hidden", "", mesh("broken.stl")),
            link("beside", mesh("cube.stl"), ball),
            fixed("left", "beside"),
            *turns,
        )
    )
    reasons = {one.link: one.reason for one in found}
    assert reasons["gone"].startswith("there is no file gone.stl (looked in ")
    assert reasons["broken"].startswith("broken.stl is no mesh that can be read: ")
    assert reasons["dots"]
    assert reasons["other"].startswith("there is no file cube.glb")
    assert all("\n" not in reason for reason in reasons.values())
    assert [reasons[name] for name in ("root", "drawn", "bare", "left")] == [
        "no visual shape",
        "drawn as a sphere; only meshes and boxes are audited",
        "no collision shape on the whole body",
        "a collision shape is left out: "
        "only spheres, capsules, cylinders, boxes, meshes and planes are compared, and a cone is none of them",
    ]
    assert reasons["hidden"].startswith("a collision shape is left out: broken.stl is no mesh that can be read: ")
    assert reasons["beside"] == "fixed to left, of which a collision shape is left out"
    assert [one.link for one in found if not one.drawn] == ["root"]


def test_a_mistake_names_the_file(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ImporterError, match=r"arm\.urdf:1: <visual>: expected a <geometry> in it, got none"):
        audit_model(write('<link name="a"><visual/></link>'))
    with pytest.raises(ImporterError, match=r"no\.urdf: there is no such file"):
        audit_model("no.urdf")
    file = write(name="scene.xml")
    file.write_text("<mujoco/>")
    with pytest.raises(ImporterError, match=r"scene\.xml: expected a URDF model, whose links have visual meshes"):
        audit_model(file)
    monkeypatch.setitem(sys.modules, "trimesh", None)
    with pytest.raises(ImporterError, match=r"arm\.urdf: reading a mesh takes trimesh .* -m pip install trimesh"):
        audit_model(write(link("part", mesh("cube.stl"), '<sphere radius="1"/>')))


# -- the command -------------------------------------------------------------------------------------------------------


@pytest.fixture
def robot(write: Write) -> str:
    return str(
        write(
            link("base", mesh("cube.stl"), '<box size="2 2 1"/>'),
            link("tip", mesh("cube.stl"), '<sphere radius="1.8"/>'),
            link("sensor", mesh("gone.stl"), '<sphere radius="1"/>'),
            fixed("base", "tip").replace("fixed", "floating"),
            fixed("tip", "sensor").replace("fixed", "floating"),
        )
    )


def test_the_command_lists_the_farthest_link_first(robot: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", robot]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["link", "outside", "of", "its", "surface", "farthest", "point", "(m)", "beyond"]
    assert lines[2].split()[:5] == ["base", "500.0", "mm", lines[2].split()[3], "%"]
    assert lines[2].split()[3] in ("66", "67")
    assert lines[2].endswith(" 0.0 mm")
    assert lines[3].split() == ["tip", "0.0", "mm", "0", "%", "800.0", "mm"]
    assert lines[4].startswith("not audited: sensor: there is no file gone.stl")
    assert lines[5] == "2 of 3 links audited; base is farthest outside, by 500.0 mm."


def test_the_command_lists_each_hull_once_the_largest_first(
    write: Write, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    trimesh.creation.annulus(r_min=1, r_max=2, height=1, sections=16).export(tmp_path / "ring.obj")
    file = write(
        link("a", mesh("cube.stl"), *[mesh(name) for name in ("cube.stl", "ring.obj", "cube.stl", "plate.obj")])
    )
    assert main(["audit", str(file)]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()[3:]]
    assert lines[0] == ["mesh", "of", "corners", "around", "it", "volume", "solids", "holes", "filled"]
    assert lines[2] == ["ring.obj", "a", "32", "exact", "x", "1.33", "1", "1"]
    assert lines[3] == ["cube.stl", "a", "8", "exact", "x", "1.00", "1", "0"]
    assert lines[4] == ["plate.obj", "a", "4", "exact", "not", "closed", "1", "unknown"]
    assert lines[5][:4] == ["1", "of", "1", "link"]


def test_the_command_exits_by_what_it_found(robot: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", robot, "--most", "499.9"]) == 10
    assert main(["audit", robot, "--most", "500"]) == 0
    assert capsys.readouterr().err == ""
    assert main(["audit", robot, "--most", "500", "--strict"]) == 4
    assert capsys.readouterr().err == "arm.urdf: not all that is drawn is audited, and --strict requires it\n"
    assert main(["audit", "gone.urdf"]) == 2
    assert "gone.urdf: there is no such file" in capsys.readouterr().err
    assert main(["audit", robot, "--most", "-1"]) == 2
    assert "must be a finite number, zero or more" in capsys.readouterr().err


def test_the_command_writes_json(robot: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", robot, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["version"], found["robot"]) == (1, robot)
    base, tip, sensor = found["links"]
    assert "surface" not in base
    assert (base["link"], base["audited"], base["depth"], base["bound"], base["triangles"]) == (
        "base",
        True,
        0.5,
        0.5,
        12,
    )
    assert 0.65 < base["share"]["least"] <= base["share"]["most"] < 0.68
    assert np.abs(base["point"]).tolist() == [1, 1, 1]
    assert (tip["point"], tip["depth"], tip["hulls"]) == (None, 0.0, [])
    assert tip["beyond"] == {"least": pytest.approx(0.8), "most": pytest.approx(0.8)}
    assert sensor["beyond"] is None
    assert (sensor["audited"], sensor["reason"][:20]) == (False, "there is no file gon")


# -- its picture -------------------------------------------------------------------------------------------------------


def test_the_picture_has_in_red_what_is_outside(
    robot: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the cube of the base what is above and below its box, and where the deepest point of all is."""
    picture = tmp_path / "arm.png"
    assert main(["audit", robot, "-o", str(picture), "--size", "640x480"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == str(picture)
    image = read_picture(picture)[..., :3]
    assert image.shape[:2] == (480, 640)
    assert len(np.unique(image[:90, :120].reshape(-1, 3), axis=0)) > 10  # the table
    found = audit_model(robot, fineness=0.02)
    covered = [replace(one, surface=tuple(part._replace(outside=False) for part in one.surface)) for one in found]
    plain = take_audited(load_model(robot), covered, options=PictureOptions((640, 480)))
    assert red_pixels(image) > 3 * red_pixels(plain) > 0  # the sign of the legend, the point and its name
    assert main(["audit", robot, "--most", "1", "--format", "json", "-o", str(picture)]) == 10
    assert json.loads(capsys.readouterr().out)["version"] == 1


def test_the_table_of_the_picture_names_the_farthest_first(robot: str) -> None:
    base, *others = audit_model(robot)
    table, _marker, label = audit_marks(load_model(robot), [*others, base])
    assert isinstance(table, Panel)
    assert [row.text for row in table.rows[1:]] == [f"base\t500.0 mm\t{percent(*base.share)}", "2 of 3 links audited"]
    assert isinstance(label, Label)
    assert (label.text, label.role) == ("base: 500.0 mm", Role.UNCOVERED)
    assert np.abs(label.position).tolist() == [1, 1, 1]


@pytest.mark.parametrize("audited", [True, False])
def test_the_legend_of_an_audit_has_the_collision_shapes_and_what_is_tiny(audited: bool) -> None:
    scene = Scene({"a": Sphere([0, 0, 0], 1)})
    roles = [Role.FADED, *([Role.COVERED, Role.UNCOVERED] if audited else [])]
    drawn = [Visual("a", np.eye(3), np.array([[0, 1, 2]], np.int32), np.eye(3, 4), role) for role in roles]
    legend = legend_panel([*shape_drawables(scene, np.zeros(1, np.uint8)), *drawn], "1 shape, drawn as a dot")
    assert legend is not None
    own = ["drawn outside its collision shapes", "drawn inside its collision shapes", "collision shapes"]
    words = [*own, "visual shapes: not compared", "1 shape, drawn as a dot"]
    assert sorted(row.text for row in legend.rows) == sorted(words if audited else words[3:4])


def test_where_nothing_is_outside_no_link_is_named(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(write(link("a", mesh("cube.stl"), '<box size="3 3 3"/>')))
    assert main(["audit", file]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "1 of 1 link audited; no link is outside."
    (table,) = audit_marks(load_model(file), audit_model(file))
    assert isinstance(table, Panel)
    assert [row.text for row in table.rows] == ["no link is outside", "1 of 1 link audited"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["-o", "arm.jpg"], "arm.jpg: a picture is written to a .png file, got .jpg"),
        (["-o", "none/arm.png"], "none/arm.png: there is no folder none"),
        (["-o", "."], ".: this is a folder, and a picture is written to a file"),
        (["--theme", "dark"], "options of pictures need a picture: give its file, such as --output audit.png"),
        (["-o", "arm.png", "--size", "1x1"], "--size must be WIDTHxHEIGHT"),
        (["-o", "arm.png", "--scale", "9"], "--scale must be"),
    ],
)
def test_a_picture_that_cannot_be_had_is_said_in_a_line(
    robot: str, words: list[str], expected: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(robot).parent
    monkeypatch.chdir(folder)
    before = sorted(folder.iterdir())
    assert main(["audit", robot, *words]) == 2
    told = capsys.readouterr()
    assert (told.out, told.err.count("\n")) == ("", 1)
    assert expected in told.err
    assert sorted(folder.iterdir()) == before


def test_a_robot_without_visual_shapes_has_a_picture(
    write: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "arm.png"
    for links in ([link("a", "", BALL)], [link("a", mesh("gone.stl"))], []):
        assert main(["audit", str(write(*links)), "-o", str(picture), "--size", "320x240"]) == 0
        assert read_picture(picture).shape[:2] == (240, 320)
        assert capsys.readouterr().err == ""
        picture.unlink()
