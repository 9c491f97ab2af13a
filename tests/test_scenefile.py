"""Scene files: what is written comes back to the last bit, and what may be written by hand."""

from __future__ import annotations

import json
import os
import re
import stat
import textwrap
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.spatial.transform import Rotation

import collision.scenefile
from collision import (
    AABB,
    Camera,
    Capsule,
    CapsuleCollider,
    Line,
    OrientedBox,
    Point,
    Ray,
    Scene,
    Segment,
    Shape,
    Show,
    Sphere,
    Transform,
)
from collision.files import reading
from collision.scene.shows import SHOW_QUERIES
from collision.scenefile import SceneFileError, dump_scene, json_schema, load_scene, parse_scene, save_scene
from collision.shapes.kinds import KINDS
from tests.sampling import FIELDS, Kind, batch, one

EPS = np.finfo(float).eps


def only(text: str) -> Shape:
    """Read a file of one shape, given by its keys."""
    return parse_scene("[shapes.it]\n" + textwrap.dedent(text))["it"]


def bits(scene: Scene) -> Any:
    """Return all that a scene holds, so that zeros of either sign differ."""
    shapes = [
        (name, type(shape), [(key, value.shape, value.tobytes()) for key, value in shape.values().items()])
        for name, shape in scene.shapes.items()
    ]
    return shapes, scene.ignored, scene.shows, repr(scene.camera), scene.title, scene.caption


# -- writing and reading back --

NUMBER = st.floats(-1e72, 1e72)
SIZE = st.floats(0.0, 1e72)
NAME = st.text(min_size=1, max_size=8).filter(
    lambda name: not re.search(r"[\[\]*\x00-\x1f\x7f-\x9f\u2028\u2029]", name)
)


@st.composite
def some_shapes(draw: st.DrawFn) -> Shape:
    kind = draw(st.sampled_from(KINDS))
    fields = list(FIELDS[kind])
    axes = draw(hnp.mutually_broadcastable_shapes(num_shapes=len(fields), min_side=0, max_side=3, max_dims=2))
    leads = zip(fields, axes.input_shapes, strict=True)
    values = {name: draw(_values(name, lead, np.shape(FIELDS[kind][name]))) for name, lead in leads}
    if kind is AABB:
        values["lower"], values["upper"] = np.minimum(*values.values()), np.maximum(*values.values())
    return kind(**values)


def _values(name: str, lead: tuple[int, ...], core: tuple[int, ...]) -> st.SearchStrategy[np.ndarray]:
    if name == "axes":
        angles = hnp.arrays(float, (int(np.prod(lead)), 3), elements=st.floats(-3.0, 3.0))
        return angles.map(lambda a: Rotation.from_euler("xyz", a).as_matrix().reshape(*lead, 3, 3))
    if name in ("radius", "half_extents"):
        return hnp.arrays(float, (*lead, *core), elements=SIZE)
    vectors = hnp.arrays(float, (*lead, *core), elements=NUMBER)
    if name in ("direction", "normal"):
        return vectors.map(lambda v: np.where(np.any(v != 0.0, axis=-1, keepdims=True), v, [0.0, -0.0, 1e-300]))
    return vectors


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    shapes = draw(st.dictionaries(NAME, some_shapes().filter(lambda shape: not shape.out_of_range), max_size=4))
    names = [*shapes, *(f"{name}[{','.join('0' * len(s.batch_shape))}]" for name, s in shapes.items() if _holds(s))]
    known = st.sampled_from(names) if names else st.nothing()
    pattern = st.builds(lambda name, length: name[:length] + "*", known, st.integers(0, 8))
    ignored = draw(st.lists(st.tuples(known | pattern, known | pattern), max_size=3))
    shows = []
    if names:
        shows = draw(st.lists(st.builds(Show, st.sampled_from(["closest_points", "contact"]), known, known, st.text())))
    place = st.tuples(NUMBER, NUMBER, NUMBER)
    camera = draw(st.none() | st.builds(_camera, place, place, SIZE))
    return Scene(shapes, ignored=ignored, shows=shows, camera=camera, title=draw(st.text()), caption=draw(st.text()))


def _holds(shape: Shape) -> bool:
    return bool(shape.batch_shape) and 0 not in shape.batch_shape


def _camera(position: Any, target: Any, height: float) -> Camera | None:
    try:
        return Camera(position, target, (0.0, 0.6, 0.8), parallel_height=height or None)
    except ValueError:  # this eye and this target make no camera
        return None


@given(scenes())
@example(Scene())
@example(Scene({"a": Sphere([-0.0, 5e-324, 1e71], 9.999999999999999e71)}))
@example(Scene({"a": OrientedBox([0, 0, 0], [[1, -0.0, 0], [0, 1, -0.0], [0, 0, 1]], [1, 2, 3])}))
@example(Scene({"a": Point(np.zeros((0, 2, 3))), "b": Sphere(np.zeros((2, 0, 3)), np.zeros((1, 0)))}))
@example(Scene({'"quoted" \\ name': Point([0, 0, 0]), "é.ü": Point([1, 1, 1])}, title="\x7f\n\t\u2028"))
@example(Scene(title='several\nlines with """ and \\', caption="one\r\ntwo\n\n"))
def test_what_is_written_comes_back_to_the_last_bit(scene: Scene) -> None:
    text = dump_scene(scene)
    again = parse_scene(text)
    assert again == scene
    assert bits(again) == bits(scene)
    assert dump_scene(again) == text


def test_what_stands_in_a_list_too_long_for_a_line_comes_back() -> None:
    scene = Scene(
        {
            "many": Sphere(np.random.default_rng(0).normal(size=(2, 40, 3)), np.arange(40.0)),
            "boxes": batch(OrientedBox, 3),
        },
        ignored=[(f"many[0,{i}]", "boxes*") for i in range(20)],
    )
    text = dump_scene(scene)
    assert bits(parse_scene(text)) == bits(scene)
    assert max(map(len, text.split("\n"))) <= 120


def test_unit_directions_and_turned_boxes_keep_their_bits() -> None:
    rng = np.random.default_rng(1)
    turned = OrientedBox(
        rng.normal(size=(500, 3)), Rotation.random(500, rng=rng).as_matrix(), rng.uniform(size=(500, 3))
    )
    scene = Scene(
        {
            "rays": Ray(rng.normal(size=(500, 3)), rng.normal(size=(500, 3))),
            "lines": Line(rng.normal(size=(500, 3)), 1e-200 * rng.normal(size=(500, 3))),
            "boxes": turned.transformed(Transform([0.1, 0.2, 0.3], [0.1, 0.2, 0.3, 0.4])),
        }
    )
    assert bits(parse_scene(dump_scene(scene))) == bits(scene)


def test_a_file_is_pleasant_to_read() -> None:
    scene = Scene(
        {"ball": Sphere([0, 0, 1], 0.5), "crate": OrientedBox([3, 0, 0], np.eye(3), [1, 2, 3])},
        ignored=[("ball", "crate")],
        shows=[Show("bounds", "ball")],
        camera=Camera((0, -9, 3)),
        title="Two",
        caption="First line.\nSecond line.",
    )
    wanted = '''
        title = "Two"
        caption = """
        First line.
        Second line."""
        ignore = [["ball", "crate"]]

        [camera]
        position = [0.0, -9.0, 3.0]
        target = [0.0, 0.0, 0.0]
        up = [0.0, 0.0, 1.0]
        view_angle = 30.0

        [shapes.ball]
        kind = "sphere"
        center = [0.0, 0.0, 1.0]
        radius = 0.5

        [shapes.crate]
        kind = "box"
        center = [3.0, 0.0, 0.0]
        half_extents = [1.0, 2.0, 3.0]

        [[show]]
        query = "bounds"
        a = "ball"
    '''
    assert dump_scene(scene) == textwrap.dedent(wanted).lstrip("\n")


def test_a_number_that_no_file_holds_is_not_written(tmp_path: Path) -> None:
    far = Point._trusted(position=np.array([0.0, np.inf, 0.0]))
    far.__dict__["out_of_range"] = False  # else no scene takes it
    broken = Scene({"ok": one(Sphere), "far": far})
    with pytest.raises(SceneFileError, match=r"^scene: shapes\.far\.position: expected finite numbers"):
        dump_scene(broken)
    with pytest.raises(SceneFileError, match=r"shapes\.far\.position"):
        save_scene(broken, tmp_path / "s.toml")
    assert list(tmp_path.iterdir()) == []


# -- what a file may say --


def test_the_file_in_the_documentation_reads() -> None:
    described = str(collision.scenefile.__doc__).partition("A file in full::")[2].partition("Kinds: ")[0]
    scene = parse_scene(textwrap.dedent(described))
    assert list(scene) == ["torso", "arm upper", "crate", "knot"]
    turned = Transform([1, 0, 1.5], Rotation.from_euler("z", 30, degrees=True))
    wanted = CapsuleCollider([0, 0, 0], "y", 2, 0.25).in_world(turned)
    for name, value in wanted.values().items():
        assert np.allclose(scene["arm upper"].values()[name], value, rtol=0.0, atol=4 * EPS)
    assert scene["crate"].bounds().upper[2] == 1.0
    assert len(scene["knot"]) == 3
    assert scene.shows == (Show("closest_points", "arm upper", "crate", "gap"),)
    assert scene.ignored == (("arm*", "torso"), ("knot", "knot"))
    assert scene.camera == Camera((0, -12, 5), (0, 0, 1))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_keys_are_named_as_in_python(kind: Kind) -> None:
    name = {"OrientedBox": "box", "ConvexHull": "hull"}.get(kind.__name__, kind.__name__.lower())
    keys = "\n".join(f"{key} = {value}" for key, value in FIELDS[kind].items())
    assert only(f'kind = "{name}"\n{keys}') == one(kind)


def test_whole_numbers_are_numbers() -> None:
    assert only('kind = "sphere"\ncenter = [1, -2, 0x10]\nradius = 1_000') == Sphere([1, -2, 16], 1000)


def test_lists_make_batches() -> None:
    assert only('kind = "sphere"\ncenter = [[0, 0, 0], [1, 0, 0]]\nradius = 0.5') == Sphere([[0, 0, 0], [1, 0, 0]], 0.5)
    assert only('kind = "sphere"\ncenter = [0, 0, 0]\nradius = [[1, 2], [3, 4]]') == Sphere([0, 0, 0], [[1, 2], [3, 4]])
    assert only('kind = "point"\nposition = []').batch_shape == (0,)
    assert only('kind = "point"\nposition = [[], []]').batch_shape == (2, 0)
    assert only('kind = "point"\nposition = { empty = [0, 2] }').batch_shape == (0, 2)


HALF = np.sqrt(0.5)
TURNS = [
    ("[0, 0, 1, 1]", [[0, -1, 0], [1, 0, 0], [0, 0, 1]]),
    ('{ axis = "z", angle = 90 }', [[0, -1, 0], [1, 0, 0], [0, 0, 1]]),
    ('{ axis = "x", angle = 90 }', [[1, 0, 0], [0, 0, -1], [0, 1, 0]]),
    ('{ axis = "y", angle = -90 }', [[0, 0, -1], [0, 1, 0], [1, 0, 0]]),
    ("{ axis = [0, 0, 5], angle = 450.0 }", [[0, -1, 0], [1, 0, 0], [0, 0, 1]]),
    ("{ axis = [0, 0, -1e-300], angle = 180 }", [[-1, 0, 0], [0, -1, 0], [0, 0, 1]]),
    ('{ axis = "z", angle = 45 }', [[HALF, -HALF, 0], [HALF, HALF, 0], [0, 0, 1]]),
    ("{ axis = [1, 1, 1], angle = 120 }", [[0, 0, 1], [1, 0, 0], [0, 1, 0]]),
    ("{ euler = [90, 0, 0] }", [[1, 0, 0], [0, 0, -1], [0, 1, 0]]),
    ("{ euler = [90, 0, 90] }", [[0, 0, 1], [1, 0, 0], [0, 1, 0]]),
    ('{ euler = [90, 0, 90], order = "XYZ" }', [[0, -1, 0], [0, 0, -1], [1, 0, 0]]),
    ("{ matrix = [[0, -1, 0], [1, 0, 0], [0, 0, 1]] }", [[0, -1, 0], [1, 0, 0], [0, 0, 1]]),
]


@pytest.mark.parametrize(("written", "matrix"), TURNS)
def test_rotations(written: str, matrix: Any) -> None:
    box = only(f'kind = "box"\ncenter = [0, 0, 0]\nsize = [2, 4, 6]\nrotation = {written}')
    assert isinstance(box, OrientedBox)
    assert np.allclose(box.axes, matrix, rtol=0.0, atol=4 * EPS)
    assert np.array_equal(box.half_extents, [1, 2, 3])
    segment = only(f'kind = "segment"\nstart = [0, 0, 0]\nend = [1, 2, 3]\ntransform = {{ rotation = {written} }}')
    assert np.allclose(segment.end, np.array(matrix) @ [1, 2, 3], rtol=0.0, atol=32 * EPS)


@pytest.mark.parametrize("turns", range(-5, 6))
def test_quarter_turns_are_exact(turns: int) -> None:
    quarter = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    for written in (f'{{ axis = "z", angle = {90 * turns} }}', f"{{ euler = [0, 0, {90 * turns}] }}"):
        box = only(f'kind = "box"\ncenter = [0, 0, 0]\nsize = [2, 4, 6]\nrotation = {written}')
        assert np.array_equal(box.axes, np.linalg.matrix_power(quarter, turns % 4))


@pytest.mark.parametrize("order", ["xyz", "zyx", "yxz", "zxz", "XYZ", "ZYX", "YZX", "ZXZ"])
def test_euler_angles_are_those_of_scipy(order: str) -> None:
    angles = np.random.default_rng(2).uniform(-180, 180, size=(20, 3))
    written = f'rotation = {{ euler = {angles.tolist()}, order = "{order}" }}'
    boxes = only(f'kind = "box"\ncenter = [0, 0, 0]\nsize = [1, 1, 1]\n{written}')
    assert np.allclose(
        boxes.axes, Rotation.from_euler(order, angles, degrees=True).as_matrix(), rtol=0.0, atol=16 * EPS
    )


def test_axis_and_angle_is_that_of_scipy() -> None:
    rng = np.random.default_rng(3)
    axes, angles = rng.normal(size=(20, 3)), rng.uniform(-720, 720, size=20)
    written = f"rotation = {{ axis = {axes.tolist()}, angle = {angles.tolist()} }}"
    boxes = only(f'kind = "box"\ncenter = [0, 0, 0]\nsize = [1, 1, 1]\n{written}')
    unit = axes / np.linalg.norm(axes, axis=1, keepdims=True)
    wanted = Rotation.from_rotvec(unit * np.radians(angles)[:, None]).as_matrix()
    assert np.allclose(boxes.axes, wanted, rtol=0.0, atol=32 * EPS)


@pytest.mark.parametrize("axis", ["x", "y", "z"])
@pytest.mark.parametrize("scale", ["1", "2", "[1, 2, 3]", "[-1, 2, 0]"])
def test_a_capsule_as_game_engines_give_it(axis: Any, scale: str) -> None:
    text = f'''
        kind = "capsule"
        center = [1, 0, 2]
        axis = "{axis}"
        height = 3
        radius = 0.5
        transform = {{ position = [1, 2, 3], rotation = [0, 0, 0.6, 0.8], scale = {scale} }}
    '''
    wanted = CapsuleCollider([1, 0, 2], axis, 3, 0.5).in_world(
        Transform([1, 2, 3], [0, 0, 0.6, 0.8], json.loads(scale))
    )
    found = only(text)
    for end in ("start", "end"):
        # Where the ends are short decimals but for their rounding, they are those.
        assert getattr(found, end) == pytest.approx(getattr(wanted, end), abs=8 * EPS)
    assert found.radius == wanted.radius


@pytest.mark.parametrize("axis", [[3, 1, 2], [1e-3, -7, 1e5]])
def test_a_capsule_whose_ends_are_no_short_decimals_is_the_very_one_of_game_engines(axis: Any) -> None:
    text = 'kind = "capsule"\ncenter = [0.7, 0.1, 1.9]\naxis = "z"\nheight = 1.6\nradius = 0.3\n'
    turn = Transform(rotation=Rotation.from_rotvec(np.array(axis) / np.linalg.norm(axis)).as_quat())
    written = f"transform.rotation = {{ axis = {axis}, angle = {float(np.degrees(1.0))} }}"
    assert np.allclose(only(text + written).start, CapsuleCollider([0.7, 0.1, 1.9], "z", 1.6, 0.3).in_world(turn).start)
    plain = CapsuleCollider([1 / 3, 0.1, 1 / 7], "z", 1.6, 0.3).in_world(Transform())
    assert only(text.replace("0.7, 0.1, 1.9", f"{1 / 3}, 0.1, {1 / 7}")) == plain


@pytest.mark.parametrize(("low", "high", "middle"), [(0.2, 1.2, 0.7), (-0.1, 0.2, 0.05), (1.1, 1.4, 1.25)])
def test_a_capsule_by_height_has_the_ends_that_people_would_write(low: float, high: float, middle: float) -> None:
    height = float(f"{high - low + 0.6:.6g}")
    found = only(f'kind = "capsule"\ncenter = [0, 0, {middle}]\naxis = "z"\nheight = {height}\nradius = 0.3')
    assert found == Capsule([0, 0, low], [0, 0, high], 0.3)


def test_a_capsule_by_axis_stands_at_the_origin_unless_told() -> None:
    assert only('kind = "capsule"\naxis = "z"\nheight = 4\nradius = 1') == Capsule([0, 0, -1], [0, 0, 1], 1)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_kind_takes_a_transform(kind: Kind) -> None:
    plain = dump_scene(Scene({"it": one(kind)}))
    transform = "transform = { position = [[1, 2, 3], [4, 5, 6]], rotation = [0, 0, 0.6, 0.8], scale = 2 }\n"
    got = parse_scene(plain + transform)["it"]
    assert got == one(kind).transformed(Transform([[1, 2, 3], [4, 5, 6]], [0, 0, 0.6, 0.8], 2.0))
    assert got.batch_shape == (2,)


def test_tables_may_be_written_in_any_way() -> None:
    text = """
        show = [{ query = "bounds", a = "a" }]
        shapes.a = { kind = "point", position = [1, 2, 3] }
        shapes.b.kind = "sphere"
        shapes.b.center = [0, 0, 0]
        shapes.b.radius = 1
        [shapes."c.d"]
        kind = 'segment'
        start = [
            0, # a comment
            0, 0,
        ]
        end = [1, 1, 1]
        [shapes."c.d".transform]
        position = [1, 0, 0]
    """
    scene = parse_scene(textwrap.dedent(text))
    assert list(scene) == ["a", "b", "c.d"]
    assert scene["c.d"] == Segment([1, 0, 0], [2, 1, 1])


@pytest.mark.parametrize("query", SHOW_QUERIES)
def test_every_query_can_be_shown(query: Any) -> None:
    first = {"foot": Point([0, 0, 0]), "raycast": Ray([0, 0, 0], [1, 0, 0])}.get(query, Segment([0, 0, 0], [1, 0, 0]))
    show = Show(query, "a", "b" if SHOW_QUERIES[query] == 2 else "")
    scene = Scene({"a": first, "b": Capsule([0, 0, 0], [1, 0, 0], 1)}, shows=[show])
    assert parse_scene(dump_scene(scene)) == scene


# -- writing files --

SCENE = Scene({"ball": Sphere([0, 0, 1], 0.5)}, title="Größe")


def test_saving_and_loading(tmp_path: Path) -> None:
    path = tmp_path / "s.toml"
    save_scene(SCENE, path)
    assert load_scene(path) == SCENE
    assert path.read_bytes() == dump_scene(SCENE).encode()
    save_scene(Scene(), str(path))
    assert load_scene(path) == Scene()
    assert [entry.name for entry in tmp_path.iterdir()] == ["s.toml"]


@pytest.mark.skipif(os.name == "nt", reason="permissions of POSIX")
def test_permissions_stay(tmp_path: Path) -> None:
    path = tmp_path / "s.toml"
    save_scene(SCENE, path)
    (tmp_path / "plain").write_text("")
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE((tmp_path / "plain").stat().st_mode)
    path.chmod(0o640)
    save_scene(Scene(), path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege")
def test_a_link_is_followed(tmp_path: Path) -> None:
    target, link = tmp_path / "target.toml", tmp_path / "link.toml"
    target.write_text("old")
    link.symlink_to(target)
    save_scene(SCENE, link)
    assert link.is_symlink()
    assert load_scene(target) == SCENE


def _refuse(*_: object) -> None:
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("step", ["os.fsync", "pathlib.Path.replace"])
def test_a_failure_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    path = tmp_path / "s.toml"
    path.write_text("old")
    monkeypatch.setattr(step, _refuse)
    with pytest.raises(SceneFileError, match=r"s\.toml: the file cannot be written: No space left on device$"):
        save_scene(SCENE, path)
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["s.toml"]


def test_places_where_no_file_can_be(tmp_path: Path) -> None:
    with pytest.raises(SceneFileError, match="the file cannot be written: No such file or directory"):
        save_scene(SCENE, tmp_path / "nowhere" / "s.toml")
    with pytest.raises(SceneFileError, match="the file cannot be written"):
        save_scene(SCENE, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_sign_that_utf8_cannot_hold(tmp_path: Path) -> None:
    with pytest.raises(SceneFileError, match=r"a text in the scene has a character that UTF-8 cannot hold: '\\ud800'"):
        save_scene(SCENE.replaced(title="\ud800"), tmp_path / "s.toml")
    assert list(tmp_path.iterdir()) == []


# -- the schema for editors --


def test_the_json_schema_describes_every_key() -> None:
    schema = json.loads(json.dumps(json_schema()))
    assert schema["$schema"] == "http://json-schema.org/draft-07/schema#"
    assert schema["title"]
    assert schema["required"] == ["shapes"]
    for table in (schema, *schema["$defs"].values()):
        assert table["additionalProperties"] is False
        assert table["description"]
        assert all("description" in key for name, key in table["properties"].items() if name != "kind")


def test_references_in_the_json_schema_lead_somewhere_and_nothing_is_null() -> None:
    schema = json_schema()
    text = json.dumps(schema)
    assert set(re.findall(r'"#/\$defs/(\w+)"', text)) == set(schema["$defs"])
    assert "null" not in text
    assert '"const"' not in text


EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*.toml"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_json_schema_takes_what_is_read(path: Path) -> None:
    jsonschema.Draft7Validator(json_schema()).validate(tomllib.loads(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('title = "A first scene"', "titel = 1"),
        ('title = "A first scene"', "title = 1"),
        ('kind = "sphere"', 'kind = "spere"'),
        ("radius = 0.8", ""),
        ("radius = 0.8", "radius = -1"),
        ("radius = 0.8", 'radius = "1"'),
        ("radius = 0.8", "radus = 1"),
        ("size = [1.2, 1.2, 1.2]", ""),
        ("size = [1.2, 1.2, 1.2]", "size = [1, 2]"),
        ("size = [1.2, 1.2, 1.2]", "size = [1, 1, 1]\nhalf_extents = [1, 1, 1]"),
        ('axis = "z"', 'axis = "w"'),
        ('query = "contact"', 'query = "contacts"'),
        ('["ball", "rod"]', '["ball"]'),
        ('["ball", "rod"]', '["ball", ""]'),
        ('["ball", "rod"]', '["ball", "rod"]\nalways = false'),
        ("position = [4.6, -9.2, 5.0]", ""),
    ],
)
def test_the_json_schema_refuses_what_is_not_read(old: str, new: str) -> None:
    text = (EXAMPLES[0].parent / "first.toml").read_text(encoding="utf-8")
    assert old in text
    broken = text.replace(old, new, 1)
    with pytest.raises(SceneFileError):
        parse_scene(broken)
    assert not jsonschema.Draft7Validator(json_schema()).is_valid(tomllib.loads(broken))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_the_json_schema_knows_the_keys_that_are_written(kind: Kind) -> None:
    written = tomllib.loads(dump_scene(Scene({"it": one(kind)})))["shapes"]["it"]
    tables = [table for name, table in json_schema()["$defs"].items() if "kind" in table["properties"]]
    fitting = [
        table
        for table in tables
        if table["properties"]["kind"]["enum"] == [written["kind"]]
        and set(table["required"]) <= set(written) <= set(table["properties"])
    ]
    assert len(fitting) == 1


def test_no_turn_at_all_is_a_rotation() -> None:
    scene = parse_scene('[shapes.it]\nkind = "box"\ncenter = [0, 0, 0]\nsize = [1, 1, 1]\nrotation = [0, 0, 0, 1]')
    assert scene["it"] == OrientedBox([0, 0, 0], np.eye(3), [0.5, 0.5, 0.5])


# -- many tables, which are read at once where they are alike --

PLAIN = {
    "point": "position = [{i}, 0.1, 0]",
    "segment": "start = [{i}, 0, 0]\nend = [{i}, 0.3, 1]",
    "ray": "origin = [{i}, 0, 0]\ndirection = [1, 0.7, {i}]",
    "line": "point = [{i}, 0, 0]\ndirection = [0.3, 2, {i}]",
    "sphere": "center = [{i}, 0, 0]\nradius = 0.{i}",
    "capsule": "start = [{i}, 0, 0]\nend = [{i}, 0.3, 1]\nradius = 1",
    "aabb": "lower = [{i}, 0, 0]\nupper = [{i}.7, 1, 1]",
    "box": "center = [{i}, 0, 0]\nhalf_extents = [1, 2, 0.{i}1]",
    "halfspace": "point = [{i}, 0, 0]\nnormal = [0.1, 3, {i}]",
}

#: What is not plain, and stays where it is among the others.
OTHERS = {
    "collider": 'kind = "capsule"\naxis = "y"\nheight = 3\nradius = 0.7\ncenter = [1, 2, 3]',
    "batch": 'kind = "sphere"\ncenter = [[0, 0, 0], [1, 0, 0]]\nradius = 1',
    "sized": 'kind = "box"\ncenter = [0, 0, 0]\nsize = [1, 2, 3]',
    "turned": 'kind = "box"\ncenter = [0, 0, 0]\nsize = [1, 2, 3]\nrotation = { axis = "z", angle = 30 }',
    "placed": 'kind = "sphere"\ncenter = [0, 0, 0]\nradius = 1\ntransform = { position = [1, 2, 3] }',
}


def written(first: int, stop: int) -> str:
    """Return a file with tables of all kinds, mixed."""
    tables = []
    for i in range(first, stop):
        tables += [f'[shapes.{kind}{i}]\nkind = "{kind}"\n{keys.format(i=i)}' for kind, keys in PLAIN.items()]
        if i == (first + stop) // 2:
            tables += [f"[shapes.{name}]\n{keys}" for name, keys in OTHERS.items()]
    return "\n".join(tables) + "\n"


def one_by_one(monkeypatch: pytest.MonkeyPatch, text: str) -> Scene:
    with monkeypatch.context() as patch:
        patch.setattr(reading, "CROWD", 10**9)
        return parse_scene(text)


def test_many_tables_are_read_to_the_same_scene_in_the_same_order(monkeypatch: pytest.MonkeyPatch) -> None:
    text = written(0, 120)
    found, wanted = parse_scene(text), one_by_one(monkeypatch, text)
    assert list(found) == list(wanted)
    assert found == wanted
    assert dump_scene(found) == dump_scene(wanted)
    assert len(reading._crowd({f"p{i}": {"kind": "point", "position": [i, 0, 0]} for i in range(100)})) == 100


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("radius = 0.77", "radius = -1"),
        ("radius = 0.77", "radius = nan"),
        ("radius = 0.77", 'radius = "1"'),
        ("radius = 0.77", "radius = true"),
        ("radius = 0.77", "radius = [[1], 2]"),
        ("radius = 0.77", "radius = 1" + "0" * 400),
        ("radius = 0.77", "radius = 1\nradios = 2"),
        ("position = [77, 0.1, 0]", "position = [77, 0.1]"),
        ("position = [77, 0.1, 0]", "position = [77, 0.1, [0]]"),
        ("position = [77, 0.1, 0]", ""),
        ("normal = [0.1, 3, 77]", "normal = [0, 0, 0]"),
        ("upper = [77.7, 1, 1]", "upper = [7, 1, 1]"),
        ('kind = "ray"\norigin = [77', 'kind = "rat"\norigin = [77'),
        ('kind = "ray"\norigin = [77', 'kind = ["ray"]\norigin = [77'),
        ("[shapes.line77]", '[shapes."line[77]"]'),
    ],
)
def test_a_mistake_among_many_is_told_as_among_few(monkeypatch: pytest.MonkeyPatch, old: str, new: str) -> None:
    text = written(60, 80)
    assert text.count(old) == 1
    text = text.replace(old, new)
    with pytest.raises(SceneFileError) as wanted:
        one_by_one(monkeypatch, text)
    with pytest.raises(SceneFileError) as found:
        parse_scene(text)
    assert str(found.value) == str(wanted.value)
    assert re.match(r"<text>:\d+: shapes\.", str(found.value))


def test_twenty_thousand_tables_are_read() -> None:
    text = "".join(
        f'[shapes.s{i}]\nkind = "sphere"\ncenter = [{3 * (i % 200)}, {i}, 0]\nradius = 1\n' for i in range(20_000)
    )
    assert len(parse_scene(text)) == 20_000


@pytest.mark.parametrize("begin", ["", "[", "[[", "title = 'x'\n[shapes.a]\nb.c = { d = 1, "])
def test_a_key_of_very_many_parts_is_refused_at_once(begin: str) -> None:
    text = begin + "a." * 20_000 + "a = 1\n"
    with pytest.raises(SceneFileError, match=r"<text>:[13]: a key has more than 200 parts with dots between"):
        parse_scene(text)


def test_dots_in_texts_are_no_key() -> None:
    dots = "a." * 300
    assert parse_scene(f'caption = "{dots}" # {dots}\n[shapes]').caption == dots
