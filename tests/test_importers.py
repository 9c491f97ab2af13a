"""MJCF models as scenes: names, places, what is left out, what is ignored, and every way to fail."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from collision import Capsule, Cylinder, HalfSpace, OrientedBox, Scene, Sphere
from collision.importers import ImporterError, Model, load_model, to_geom
from collision.models.ignored import ignored_pairs

mujoco = pytest.importorskip("mujoco", reason='needs the robots extra: pip install ".[robots]"')

Load = Callable[..., Model]
Pairs = set[tuple[str, ...]]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Load a model from its text; what is not a whole document is taken for the inside of <mujoco>."""

    def load(text: str, name: str = "model.xml", **options: Any) -> Model:
        file = tmp_path / name
        whole = text if text.startswith("<mujoco") else f"<mujoco>{text}</mujoco>"
        file.write_text(whole, encoding="utf-8")
        return load_model(file, **options)

    return load


def ball(name: str, contype: int = 1, conaffinity: int = 1, **more: object) -> str:
    """Write a sphere so large that any two of them overlap, wherever they are."""
    others = " ".join(f'{key}="{value}"' for key, value in more.items())
    return f'<geom name="{name}" size="100" mass="1" contype="{contype}" conaffinity="{conaffinity}" {others}/>'


def pairs(*texts: str) -> Pairs:
    return {tuple(text.split("-")) for text in texts}


def colliding(scene: Scene) -> Pairs:
    return {tuple(sorted(map(scene.element_name, pair))) for pair in scene.colliding_pairs().tolist()}


# -- names and places -------------------------------------------------------------------------------------------------


def test_shapes_are_where_mujoco_puts_them(load: Load) -> None:
    model = load("""
        <compiler angle="degree"/>
        <worldbody>
          <geom name="rod" type="capsule" fromto="1 2 3 4 5 6" size="0.5"/>
          <body pos="1 0 0" euler="0 0 90">
            <geom name="ball" pos="1 0 0" size="0.25"/>
            <body pos="0 2 0" euler="90 0 0"><joint/>
              <geom name="brick" type="box" pos="0 0 1" size="1 2 3"/>
            </body>
          </body>
        </worldbody>""")
    rod, round_, brick = (model.scene[name] for name in ("rod", "ball", "brick"))
    assert isinstance(rod, Capsule)
    np.testing.assert_allclose([rod.start, rod.end], [[1, 2, 3], [4, 5, 6]], rtol=1e-15)
    assert float(rod.radius) == 0.5
    assert isinstance(round_, Sphere)
    np.testing.assert_allclose(round_.center, [1, 1, 0], atol=1e-15)
    assert isinstance(brick, OrientedBox)
    # The inner body's axes are y, z and x of the world, and it is at -1, 0, 0.
    np.testing.assert_allclose(brick.axes, [[0, 0, 1], [1, 0, 0], [0, 1, 0]], atol=1e-15)
    np.testing.assert_allclose(brick.center, [0, 0, 0], atol=1e-15)
    assert brick.half_extents.tolist() == [1, 2, 3]


def test_geoms_without_names_are_called_after_their_bodies(load: Load) -> None:
    model = load("""<worldbody><geom size="1"/><geom name="known" size="1"/><geom size="1"/>
        <body name="arm"><geom size="1"/><geom size="1"/><body><geom size="1"/></body></body></worldbody>""")
    assert list(model.scene) == ["world/geom0", "known", "world/geom2", "arm/geom0", "arm/geom1", "body2/geom0"]
    assert model.notes == ()


def test_signs_that_mean_something_in_a_scene_are_replaced_and_noted(load: Load) -> None:
    model = load("""<worldbody><geom name="a[0]" size="1"/><geom name="a(0)" size="1"/><geom name="b*" size="1"/>
        <body name="c[1]"><geom size="1"/></body></worldbody>""")
    assert list(model.scene) == ["a(0)_2", "a(0)", "b+", "c(1)/geom0"]
    assert [note.partition(" here")[0] for note in model.notes] == ["'a[0]' is called 'a(0)_2'", "'b*' is called 'b+'"]
    assert list(load('<worldbody><geom name="d&#10;e&#9;f" size="1"/></worldbody>').scene) == ["d_e_f"]


def test_a_name_made_up_for_a_geom_is_never_another_geoms_name(load: Load) -> None:
    model = load("""<worldbody><geom name="world/geom1" size="1"/><geom size="1"/></worldbody>""")
    assert list(model.scene) == ["world/geom1", "world/geom1_2"]


def test_the_title_is_the_models_name_or_the_files(load: Load) -> None:
    assert load("<mujoco model='Atlas'/>").scene.title == "Atlas"
    assert load("<worldbody/>", name="two-links.xml").scene.title == "two-links"


@pytest.mark.parametrize(
    ("inside", "caption"),
    [
        (ball("a"), "1 sphere from m.xml."),
        ('<geom type="plane" size="1 1 1"/>', "1 plane from m.xml."),
        ('<geom type="ellipsoid" size="1 1 1"/>', "No shapes from m.xml. Left out: 1 ellipsoid."),
        (
            f'{ball("a")}<body><freejoint/>{ball("b")}<geom type="box" size="1 1 1"/><geom type="box" size="1 1 1"/>'
            '<geom type="ellipsoid" size="1 1 1" contype="0"/></body>',
            "2 spheres, 2 boxes from m.xml. Left out: 1 ellipsoid.",
        ),
        (ball("a") + ball("b"), "2 spheres from m.xml. The model lets no two of them collide."),
        (
            f"{ball('a')}<body><freejoint/>{ball('b')}{ball('c', 0, 0)}</body>",
            "3 spheres from m.xml. 1 of them collides with nothing.",
        ),
    ],
)
def test_the_caption_counts(load: Load, inside: str, caption: str) -> None:
    assert load(f"<worldbody>{inside}</worldbody>", name="m.xml").scene.caption == caption


# -- what is left out -------------------------------------------------------------------------------------------------

TETRAHEDRON = '<mesh name="tetra" vertex="0 0 0  1 0 0  0 1 0  0 0 1"/>'
HILLS = '<hfield name="hills" nrow="2" ncol="2" size="1 1 1 1" elevation="0 1 1 0"/>'


def test_what_no_shape_stands_for_is_listed(load: Load) -> None:
    model = load(f"""<asset>{TETRAHEDRON}{HILLS}</asset><worldbody>
        <geom name="floor" type="plane" size="1 1 1"/><geom name="ground" type="hfield" hfield="hills"/>
        <geom name="can" type="cylinder" size="1 1"/><geom type="ellipsoid" size="1 2 3"/>
        <geom name="kept" size="1"/>
        <body name="bed"><flexcomp name="sheet" type="grid" count="2 2 1" spacing="1 1 1" radius="0.1"/></body>
        </worldbody>""")
    assert list(model.scene) == ["floor", "can", "kept"]
    left_out = [("ground", "hfield"), ("world/geom3", "ellipsoid")]
    assert [part[:2] for part in model.skipped] == [*left_out, ("sheet", "flex")]
    assert (
        model.skipped[1].reason
        == "only spheres, capsules, cylinders, boxes, meshes and planes are compared, and an ellipsoid is none of them"
    )


def test_meshes_are_hulls_where_mujoco_has_them(load: Load) -> None:
    """A mesh is moved to its middle and turned by MuJoCo; so is what is left of it here."""
    rng = np.random.default_rng(3)
    ball = rng.normal(size=(200, 3))
    dots = " ".join(f"{value:.6f}" for value in (ball / np.linalg.norm(ball, axis=1, keepdims=True)).ravel())
    text = f"""<mujoco><asset>{TETRAHEDRON}<mesh name="cloud" vertex="{dots}" scale="1 0.5 2"/></asset><worldbody>
        <geom name="wedge" type="mesh" mesh="tetra" pos="5 0 1" euler="10 20 30"/>
        <body pos="-4 1 0" euler="0 50 0"><freejoint/><geom name="stone" type="mesh" mesh="cloud"/></body>
        <body pos="1 0 0"><freejoint/><geom name="ball" size="0.1"/>
        <geom name="seen" type="mesh" mesh="cloud" contype="0" conaffinity="0"/></body></worldbody></mujoco>"""
    model, compiled = load(text), mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(compiled)
    mujoco.mj_forward(compiled, data)
    scene = model.scene
    assert list(scene) == ["wedge", "stone", "ball"]
    drawn, hulls = model.notes
    assert drawn == "1 mesh is only drawn, and compared with nothing"
    said = (
        r"2 meshes are compared as their convex hulls, 1 of them as a hull around it, up to ([.\d]+) larger \(stone\)"
    )
    excess = {"wedge": 0.0, "stone": float(re.fullmatch(said, hulls)[1])}
    ways = rng.normal(size=(500, 3)) / 2.0
    for name, most in excess.items():
        geom, mesh = data.geom(name), compiled.mesh(compiled.geom(name).dataid[0])
        points = compiled.mesh_vert[mesh.vertadr[0] :][: mesh.vertnum[0]] @ geom.xmat.reshape(3, 3).T + geom.xpos
        beyond = (scene[name].values()["points"] @ ways.T).max(axis=0) - (points @ ways.T).max(axis=0)
        assert beyond.min() > -1e-6
        assert beyond.max() <= 1.05 * most * np.linalg.norm(ways, axis=1).max() + 1e-6
    assert scene.caption.startswith("2 hulls, 1 sphere from ")


def test_cylinders_are_read_and_written(load: Load) -> None:
    model = load("""<worldbody><geom name="can" type="cylinder" size="0.5 2" pos="1 2 3"/>
        <geom name="rod" type="cylinder" fromto="0 0 0 4 0 0" size="0.25"/></worldbody>""")
    assert model.scene["can"] == Cylinder([1, 2, 5], [1, 2, 1], 0.5)
    assert model.scene["rod"].bounding_sphere().center == pytest.approx([2, 0, 0])
    geom = to_geom(Cylinder([0, 0, 0], [0, 0, 4], 0.5))
    assert (geom["size"], geom["pos"].tolist()) == ([0.5, 2.0, 0], [0, 0, 2])


def test_planes_become_half_spaces(load: Load) -> None:
    model = load("""<worldbody>
        <geom name="floor" type="plane" size="1 1 1" pos="0 0 -1"/>
        <geom name="wall" type="plane" size="0 0 1" euler="0 90 0"/>
        <body pos="3 0 0.5"><freejoint/><geom name="ball" size="1"/></body></worldbody>""")
    assert model.scene["floor"] == HalfSpace([0, 0, -1], [0, 0, 1])
    assert np.allclose(model.scene["wall"].values()["normal"], [1, 0, 0])
    assert colliding(model.scene) == set()  # also not the floor with the wall, which MuJoCo does not compare
    assert colliding(model.at([0.5, 0, -0.2, 1, 0, 0, 0]).scene) == {("ball", "floor"), ("ball", "wall")}


def test_margins_and_switched_off_contacts_are_noted(load: Load) -> None:
    text = '<option><flag contact="disable"/></option><worldbody><geom size="1" margin="0.01"/></worldbody>'
    margins, contacts = load(text).notes
    assert "margins and gaps up to 0.01" in margins
    assert "switches contacts off" in contacts
    near = f"<worldbody>{ball('a', margin=9)}<body pos='201 0 0'><freejoint/>{ball('b')}</body></worldbody>"
    assert colliding(load(near).scene) == set()


# -- pairs that MuJoCo does not compare -------------------------------------------------------------------------------

FREE = "<freejoint/>"
HINGE = "<joint/>"
CHAIN = f"<body>{FREE}{ball('a')}<body>{HINGE}{ball('b')}<body>{HINGE}{ball('c')}</body></body></body>"

FILTERS = {
    "geoms of one body": (f"<body>{FREE}{ball('a')}{ball('b')}</body>", "", set()),
    "bodies welded together": (f"<body>{FREE}{ball('a')}<body>{ball('b')}</body></body>", "", set()),
    "parent and child": (CHAIN, "", pairs("a-c")),
    "parent and child, not filtered": (
        CHAIN,
        "<option><flag filterparent='disable'/></option>",
        pairs("a-b", "a-c", "b-c"),
    ),
    "parent and child across a weld": (
        f"<body>{FREE}{ball('a')}<body>{ball('b')}<body>{HINGE}{ball('c')}</body></body></body>",
        "",
        set(),
    ),
    "the world is no parent": (f"{ball('a')}<body>{HINGE}{ball('b')}</body>", "", pairs("a-b")),
    "nothing moves either": (f"{ball('a')}<body>{ball('b')}</body><body mocap='true'>{ball('c')}</body>", "", set()),
    "a mocap body meets what moves": (
        f"<body mocap='true'>{ball('a')}</body><body>{FREE}{ball('b')}</body>",
        "",
        pairs("a-b"),
    ),
    "bits: b affects a, c nobody, d only itself": (
        "".join(
            f"<body>{FREE}{ball(*bits)}</body>"
            for bits in [("a", 1, 2), ("b", 2, 0), ("c", 4, 0), ("d", 8, 8), ("e", 0, 0)]
        ),
        "",
        pairs("a-b"),
    ),
    "excluded": (
        f"<body name='A'>{FREE}{ball('a')}</body><body name='B'>{FREE}{ball('b')}</body><body>{FREE}{ball('c')}</body>",
        "<contact><exclude body1='B' body2='A'/></contact>",
        pairs("a-c", "b-c"),
    ),
    "a pair is compared whatever the rules say": (
        f"<body name='A'>{FREE}{ball('a')}{ball('b')}</body><body name='C'>{FREE}"
        f"{ball('c', 0, 0)}{ball('d', 0, 0)}</body>",
        "<contact><exclude body1='A' body2='C'/><pair geom1='a' geom2='b'/><pair geom1='c' geom2='a'/></contact>",
        pairs("a-b", "a-c"),
    ),
}


@pytest.mark.parametrize(("bodies", "options", "expected"), FILTERS.values(), ids=FILTERS.keys())
def test_filters(load: Load, bodies: str, options: str, expected: Pairs) -> None:
    assert colliding(load(f"{options}<worldbody>{bodies}</worldbody>").scene) == expected


def test_what_collides_with_nothing_does_so_in_a_larger_scene_too(load: Load) -> None:
    silent = ball("silent", 0, 0)
    scene = load(f"<worldbody>{ball('still')}<body>{FREE}{ball('loud')}{silent}</body></worldbody>").scene
    assert ("silent", "*") in scene.ignored
    assert colliding(scene.with_shape("new", Sphere([0, 0, 0], 1))) == pairs("loud-new", "loud-still", "new-still")


def test_names_that_differ_by_numbers_share_ignored_pairs(load: Load) -> None:
    walls = "".join(ball(f"wall{i}") for i in range(40))
    links = "".join(f"<geom size='100'/>{ball(f'tip{i}')}" for i in range(3))
    scene = load(f"<worldbody>{walls}<body name='arm'>{HINGE}{links}</body></worldbody>").scene
    assert scene.ignored == (("wall*", "wall*"), ("arm/geom*", "arm/geom*"), ("arm/geom*", "tip*"), ("tip*", "tip*"))
    assert len(scene.colliding_pairs()) == 40 * 6


def test_ignored_pairs_say_what_the_table_says() -> None:
    rng = np.random.default_rng(12)
    everywhere = Sphere([0, 0, 0], 1)
    for _ in range(60):
        count = int(rng.integers(1, 14))
        stems = rng.choice(["a", "b", "a/geom", "x1y", "", "c_"], count)
        names = list(dict.fromkeys(f"{stem}{number}" for number, stem in enumerate(stems)))
        groups = rng.integers(0, 3, len(names)).tolist()
        table = np.triu(rng.random((len(names), len(names))) < rng.choice([0.0, 0.1, 0.5, 1.0]), 1)
        alone = ~(table | table.T).any(axis=0) & (rng.random(len(names)) < 0.5)
        ignored = ignored_pairs(names, groups, table | table.T, alone)
        scene = Scene(dict.fromkeys(names, everywhere), ignored=ignored)
        assert scene.colliding_pairs().tolist() == np.argwhere(table).tolist()
        assert len(set(ignored)) == len(ignored)


def test_names_of_many_numbers_share_patterns_at_once() -> None:
    """A pattern that tried all ways to match would never end here."""
    names = [*(f"{'a1' * 200}b{number}c" for number in range(3)), "a" * 10_000]
    blocked, shown = np.zeros((4, 4), dtype=bool), np.zeros(4, dtype=bool)
    pattern = "a*" * 200 + "b*c"
    assert ignored_pairs(names, [1, 1, 1, 2], blocked, shown) == [(pattern, pattern), (pattern, names[3])]


# -- other poses ------------------------------------------------------------------------------------------------------

ARM = """<worldbody><geom name="base" type="box" size=".1 .1 .1"/>
    <body><joint name="turn" axis="0 0 1"/><geom name="upper" type="capsule" fromto="0 0 0 1 0 0" size=".1"/>
    <body pos="1 0 0"><joint type="slide"/><joint type="ball" name="wrist"/><geom name="tip" pos="1 0 0" size=".1"/>
    </body></body></worldbody>"""
QUARTER = float(np.sqrt(0.5))


def test_a_pose_by_all_coordinates_or_by_joint_names(load: Load) -> None:
    model = load(ARM)
    slide = next(name for name, joint in model.joints.items() if joint.kind == "prismatic")
    assert {name: joint.values for name, joint in model.joints.items()} == {
        "turn": slice(0, 1),
        slide: slice(1, 2),
        "wrist": slice(2, 6),
    }
    assert model.q.tolist() == [0, 0, 1, 0, 0, 0]
    by_number = model.at([np.pi / 2, 0, QUARTER, 0, 0, QUARTER])
    by_name = model.at({"turn": np.pi / 2}).at({"wrist": [QUARTER, 0, 0, QUARTER]})
    at_once = load(ARM, q={"wrist": [QUARTER, 0, 0, QUARTER], "turn": np.pi / 2})
    for moved in (by_number, by_name, at_once):
        np.testing.assert_allclose(moved.scene["tip"].bounds().center, [-1, 1, 0], atol=1e-15)
        assert moved.scene.replaced(shapes=model.scene.shapes) == model.scene
    np.testing.assert_array_equal(by_name.q, by_number.q)
    assert model.q.tolist() == [0, 0, 1, 0, 0, 0]
    with pytest.raises(ValueError, match="read-only"):
        by_name.q[0] = 1.0


def test_keyframes_are_poses_and_equalities_are_told(load: Load) -> None:
    joints = '<joint name="slide" type="slide" ref="1"/><geom size="1"/><body><joint name="ball" type="ball"/>'
    free = '<body name="free"><freejoint name="free"/><geom size="1"/></body>'
    keys = '<key name="home" qpos="2 1 0 0 0 3 0 0 1 0 0 0"/><key/>'
    model = load(
        f'<worldbody><body name="arm">{joints}<geom size="1"/></body></body>{free}</worldbody>'
        f'<equality><weld body1="arm" body2="free"/></equality><keyframe>{keys}</keyframe>'
    )
    assert list(model.poses) == ["home", "key1"]
    assert {name: np.ravel(value).tolist() for name, value in model.poses["home"].items()} == {
        "slide": [2],
        "ball": [1, 0, 0, 0],
        "free": [3, 0, 0, 1, 0, 0, 0],
    }
    assert model.at(model.poses["home"]).scene["arm/geom0"].center.tolist() == [0, 0, 1]
    assert model.notes == ("1 equality constraint is not looked at: joints take any values here",)


@pytest.mark.parametrize(
    ("pose", "message"),
    [
        ([0, 1, 0], r"q must be 6 numbers, got shape \(3,\)"),
        (np.zeros((1, 6)), r"q must be 6 numbers, got shape \(1, 6\)"),
        ([0, 1, 0, 0, 0, np.nan], r"q must be finite, got nan"),
        (["a"] * 6, "q must be made of real numbers"),
        ({"turm": 1}, r"the model has no joint named 'turm'; did you mean 'turn'\?"),
        ({"": 1}, "the model has no joint named ''$"),
        ({"turn": [1, 2]}, r"q of joint 'turn' must be 1 number, got shape \(2,\)"),
        ({"wrist": 1}, r"q of joint 'wrist' must be 4 numbers, got shape \(\)"),
    ],
)
def test_a_pose_that_does_not_fit_is_refused(load: Load, pose: Any, message: str) -> None:
    model = load(ARM)
    with pytest.raises(ValueError, match=message):
        model.at(pose)
    with pytest.raises(ValueError, match=message):
        load(ARM, q=pose)


# -- what goes wrong --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "m.xml",
            "<mujoco><worldbody><geom",
            r"MuJoCo cannot read this model: it is no valid XML: parsing element <geom>, line 1",
        ),
        ("m.xml", "", "MuJoCo cannot read this model: .*empty file"),
        ("m.xml", "<note>to self</note>", "MuJoCo cannot read this model: .*'note'"),
        ("m.xml", "<mujoco><worldbody><geom sise='1'/></worldbody></mujoco>", "unrecognized attribute: 'sise'"),
        ("m.xml", "<mujoco><worldbody><geom/></worldbody></mujoco>", "size 0 must be positive in geom"),
        ("m.xml", "<mujoco><asset><mesh file='gone.stl'/></asset></mujoco>", r"'.*gone\.stl'"),
        ("m.xml", "<mujoco><include file='gone.xml'/></mujoco>", r"'.*gone\.xml'"),
        ("m.stl", "solid", r"a model is an \.xml, \.mjcf or \.urdf file$"),
    ],
)
def test_a_file_that_is_no_model(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], name: str, text: str, message: str
) -> None:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ImporterError, match=message) as caught:
        load_model(str(file))
    assert str(caught.value).startswith(f"{file}: ")
    assert "\n" not in str(caught.value)
    assert capfd.readouterr() == ("", "")


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(ImporterError, match=r"gone\.xml: there is no such file$"):
        load_model(tmp_path / "gone.xml")
    (tmp_path / "folder.xml").mkdir()
    with pytest.raises(ImporterError, match=r"folder\.xml: this is a folder, not a model$"):
        load_model(tmp_path / "folder.xml")
    with pytest.raises(ImporterError, match=r"x\.xml: file name too long$"):
        load_model(tmp_path / ("x" * 300 + ".xml"))


def test_what_mujoco_warns_of_is_a_note(
    load: Load, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    class Worried:
        """MuJoCo's reader, with a warning first: which models it warns of differs between its releases."""

        @staticmethod
        def from_xml_path(path: str) -> Any:
            mujoco.get_mju_user_warning()("this is\nodd")
            return read(path)

    read = mujoco.MjModel.from_xml_path
    before = mujoco.get_mju_user_warning()
    monkeypatch.setattr(mujoco, "MjModel", Worried)
    assert load(f"<worldbody>{ball('a')}</worldbody>").notes == ("MuJoCo warns: this is odd",)
    with pytest.raises(ImporterError):
        load("<nonsense/>")
    assert mujoco.get_mju_user_warning() is before
    assert capfd.readouterr() == ("", "")


def test_without_mujoco_the_error_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "m.xml"
    file.write_text("<mujoco/>", encoding="utf-8")
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(ImporterError, match=r"m\.xml: .* -m pip install mujoco$"):
        load_model(file)


def test_mujoco_is_not_imported_before_a_model_is_loaded() -> None:
    code = "import sys, collision.importers; sys.exit('mujoco' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parent.parent, check=True)


def test_places_that_overflow_are_told_with_the_geom(load: Load) -> None:
    far = '<body pos="1e308 0 0"><body pos="1e308 0 0"><geom name="far" type="sphere" size="1"/></body></body>'
    with pytest.raises(ImporterError, match=r"the link 'body2' has no place: Transform\.position must be finite"):
        load(f"<mujoco><worldbody>{far}</worldbody></mujoco>")


def test_what_mujoco_says_is_quoted_without_control_characters(load: Load) -> None:
    with pytest.raises(ImporterError, match="invalid keyword: 's\N{REPLACEMENT CHARACTER}") as caught:
        load('<mujoco><worldbody><geom type="s\x1b[31mphere" size="1"/></worldbody></mujoco>')
    assert "\x1b" not in str(caught.value)
