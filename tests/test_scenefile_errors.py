"""What is wrong in a scene file: all of it at once, each on a line with its key, in words for those who write files."""

from __future__ import annotations

import contextlib
import os
import pickle
import re
import textwrap
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collision import Scene
from collision.files.toml import inline, key_text, unclosed
from collision.scenefile import SceneFileError, load_scene, parse_scene


def errors(text: str) -> list[str]:
    """Return the lines of the error that a file raises."""
    with pytest.raises(SceneFileError) as caught:
        parse_scene(textwrap.dedent(text).lstrip("\n"), "s.toml")
    return str(caught.value).split("\n")


# -- all of it at once --

BROKEN = """
titel = "x"
ignore = [["ball", "bal"],
    ["a*"], ["nobody*", "ball"]]

[camera]
position = [0, 0]
zoom = 2

[shapes.ball]
kind = "sphere"   # with a comment
center = [0, 0, "1"]
radus = 2

[shapes."the crate"]
kind = "spere"

[shapes.crowd]
kind = "sphere"
center = [
    [0, 0, 0],
    [1, nan, 0],
]
radius = -1

[[show]]
query = "bounds"
a = "ball"

[[show]]
query = "contact"
a = "bal"
b = "ball"
"""


def test_all_errors_come_at_once_in_order_with_line_and_key() -> None:
    kinds = "point, segment, ray, line, sphere, capsule, cylinder, aabb, box, halfspace, hull"
    assert errors(BROKEN) == [
        's.toml:1: titel: unknown key; did you mean "title"?',
        's.toml:2: ignore, pair 1: there is no shape named "bal"; did you mean "ball"?',
        's.toml:3: ignore, pair 2: expected a pair of names or patterns, such as ["arm*", "torso"], got ["a*"]',
        "s.toml:6: camera.position: expected three numbers, got [0, 0]",
        "s.toml:7: camera.zoom: unknown key; a camera takes position, target, up, view_angle, parallel_height",
        's.toml:11: shapes.ball.center[2]: expected a number, got "1"',
        's.toml:12: shapes.ball.radus: unknown key; did you mean "radius"?',
        f's.toml:15: shapes."the crate".kind: expected one of {kinds}, got "spere"; did you mean "sphere"?',
        "s.toml:21: shapes.crowd.center[1][1]: expected a finite number, got nan",
        "s.toml:23: shapes.crowd.radius: expected zero or more, got -1",
        's.toml:31: show 2: a: there is no shape named "bal"; did you mean "ball"?',
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "hint"),
    [
        ("Cube", '; did you mean "box"?'),
        ("plane", '; did you mean "halfspace"?'),
        ("mesh", ""),
    ],
)
def test_kinds_of_other_programs_are_known(kind: str, hint: str) -> None:
    (error,) = errors(f'[shapes.a]\nkind = "{kind}"')
    assert error.endswith(f', got "{kind}"{hint}')


def test_the_error_can_be_taken_apart() -> None:
    with pytest.raises(SceneFileError) as caught:
        parse_scene(BROKEN)
    error = caught.value
    assert isinstance(error, ValueError)
    assert error.source == "<text>"
    assert error.problems[4].path == ("camera", "zoom")
    assert error.problems[4].line == 8
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    assert all("pydantic" not in line for line in str(error).split("\n"))


BALL = 'kind = "sphere"\ncenter = [0, 0, 0]\nradius = 1\n'
BOX = 'kind = "box"\ncenter = [0, 0, 0]\n'
CAPSULE = 'kind = "capsule"\nradius = 1\n'


def ball(center: str = "[0, 0, 0]", radius: str = "1") -> str:
    return f'kind = "sphere"\ncenter = {center}\nradius = {radius}\n'


def matches(wanted: str, line: str) -> bool:
    """Tell whether a line holds a text in which three dots stand for anything."""
    return re.search(".*".join(map(re.escape, wanted.split("..."))), line) is not None


@pytest.mark.parametrize(
    ("keys", "wanted"),
    [
        ('kind = "sphere"\ncenter = [0, 0, 0]', "1: shapes.it.radius: missing; a sphere needs kind, center, radius"),
        ("center = [0, 0, 0]", "1: shapes.it.kind: missing; a shape needs a kind: point, segment,"),
        ("kind = 3", "2: shapes.it.kind: expected one of point, segment, ..., got 3"),
        (ball("3"), "3: shapes.it.center: expected three numbers (or a list of such), got 3"),
        (ball("[0, 0]"), "3: shapes.it.center: expected three numbers ..., got [0, 0]"),
        (BALL + "radius_ = 1", '5: shapes.it.radius_: unknown key; did you mean "radius"?'),
        (BALL + "colour = 'red'", "5: shapes.it.colour: unknown key; a sphere takes transform, kind, center, radius"),
        (ball(radius="true"), "4: shapes.it.radius: expected a number, zero or more ..., got true"),
        (ball(radius='"1"'), '4: shapes.it.radius: expected a number, zero or more ..., got "1"'),
        (ball(radius="1979-05-27"), "4: shapes.it.radius: expected a number, ..., got 1979-05-27"),
        (ball(radius="inf"), "4: shapes.it.radius: expected a finite number, got inf"),
        (ball(radius="1" + 400 * "0"), "4: shapes.it.radius: expected a finite number, got 10000000..."),
        (ball(radius="-1" + 400 * "0"), "4: shapes.it.radius: expected a finite number, got -1000000..."),
        (ball(radius="[1, -2]"), "4: shapes.it.radius[1]: expected zero or more, got -2"),
        (ball(radius="{ empty = [2] }"), "4: shapes.it.radius: expected the axes of an empty batch, such as"),
        (ball(radius="{ a = 2 }"), "4: shapes.it.radius: expected a number, ..., got { a = 2 }"),
        (ball(radius="[1, [2]]"), "4: shapes.it.radius[1]: expected no list, as before it, got [2]"),
        (ball(radius="[1, 2, '3']"), '4: shapes.it.radius[2]: expected a number, got "3"'),
        (ball("[[0, 0, 0], [0, 0]]"), "3: shapes.it.center[1]: expected a list of 3, as the one before it, got [0, 0]"),
        (ball("[[0, 0, 0], 0]"), "3: shapes.it.center[1]: expected a list, as the one before it, got 0"),
        (ball("[[0, 0, 0],\n[1, 1, nan]]"), "4: shapes.it.center[1][2]: expected a finite number, got nan"),
        (ball(40 * "[" + "0" + 40 * "]"), "3: shapes.it.center: expected three numbers"),
        (
            ball("[[0, 0, 0], [1, 1, 1]]", "[1, 2, 3]"),
            "1: shapes.it: expected lists of the same length (or one value for all), got: center lists 2, radius",
        ),
        (BALL + "transform = 3", "5: shapes.it.transform: expected a table, got 3"),
        (BALL + "transform = { scale = [1, 2, 3] }", "1: shapes.it: a Sphere cannot follow a scale that differs"),
        (BALL + "transform = { place = [1, 2, 3] }", "5: shapes.it.transform.place: unknown key; a transform takes"),
        (
            BALL + "transform = { position = [[1, 0, 0], [0, 1, 0]], scale = [1, 2, 3, 4] }",
            "5: shapes.it.transform: expected lists of the same length ...: position lists 2, scale lists 4",
        ),
        (
            ball(radius="[1, 2]") + "transform = { position = [[1, 0, 0], [0, 1, 0], [0, 0, 1]] }",
            "1: shapes.it: expected lists of the same length ...: shape lists 2, transform lists 3",
        ),
        (ball("[1e308, 0, 0]") + "transform = { scale = 1e308 }", "3: shapes.it.center: must be finite, got [inf, "),
        (
            ball(radius="1e-200"),
            "1: shapes.it: must have a largest coordinate or size from 1e-72 to 1e72, or zero, got",
        ),
        (ball() + "transform = { scale = 1e73 }", "1: shapes.it: must have a largest coordinate ... got 1e+73"),
        (ball("[[0, 0, 0], [1, 0, 0]]", "1e-73"), "1: shapes.it: must have a largest ... got 1e-73 at element [0]"),
        (
            'kind = "aabb"\nlower = [0, 2, 0]\nupper = [1, 1, 1]',
            "3: shapes.it.lower: must not be above upper ([1.0, 1.0, 1.0]), got [0.0, 2.0, 0.0]",
        ),
        (
            'kind = "ray"\norigin = [0, 0, 0]\ndirection = [0, 0, 0]',
            "4: shapes.it.direction: expected a direction, not the zero vector, got [0, 0, 0]",
        ),
        (BOX, "1: shapes.it: expected half_extents or size, got neither"),
        (BOX + "size = [1, 1, 1]\nhalf_extents = [1, 1, 1]", "1: shapes.it: expected half_extents or size, got both"),
        (BOX + "size = [1, -1, 1]", "4: shapes.it.size: expected zero or more on every axis, got [1, -1, 1]"),
        (
            BOX + "size = [1, 1, 1]\nrotation = [0, 0, 0, 1]\naxes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]",
            "1: shapes.it: expected axes or rotation, got both",
        ),
        (
            BOX + "size = [1, 1, 1]\naxes = [[1, 0, 0], [0, 1, 0], [0, 0, -1]]",
            "5: shapes.it.axes: expected a rotation matrix: columns of unit length",
        ),
        (CAPSULE + 'axis = "w"\nheight = 1', '4: shapes.it.axis: expected one of x, y, z, got "w"'),
        (
            CAPSULE + 'axis = "x"',
            "1: shapes.it.height: missing; a capsule by axis and height needs kind, axis, height, radius",
        ),
        (
            CAPSULE + 'start = [0, 0, 0]\nend = [1, 0, 0]\naxis = "x"',
            "6: shapes.it.axis: expected start, end and radius alone; or, without start and end, center, axis,",
        ),
        (
            CAPSULE + 'axis = "x"\nheight = [1, 2]\ntransform = { scale = [1, 2] }\ncenter = [[0, 0, 0]]\nhight = 2',
            '8: shapes.it.hight: unknown key; did you mean "height"?',
        ),
        (CAPSULE + 'axis = "x"\nheight = -1', "5: shapes.it.height: expected zero or more, got -1"),
    ],
)
def test_wrong_shapes(keys: str, wanted: str) -> None:
    line = errors(f"[shapes.it]\n{keys}")[0]
    assert matches(f"s.toml:{wanted}", line), line


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        ("45", ": expected a quaternion [x, y, z, w], { axis, angle }, { euler } or { matrix }, got 45"),
        ("{ turn = 45 }", ": expected a quaternion ..., got { turn = 45 }"),
        ("[0, 0, 1]", ": expected four numbers, not all of them zero (or a list of such), got [0, 0, 1]"),
        ("[0, 0, 0, 0]", ": expected not all of them zero, got [0, 0, 0, 0]"),
        ('{ axis = "w", angle = 1 }', '.axis: expected "x", "y", "z" or a direction, got "w"'),
        ('{ axis = "x" }', ".angle: missing; a rotation by axis and angle needs axis, angle"),
        ("{ axis = [0, 0, 0], angle = 1 }", ".axis: expected a direction, not the zero vector, got [0, 0, 0]"),
        (
            "{ axis = [[1, 0, 0], [0, 1, 0]], angle = [1, 2, 3] }",
            ": expected lists of the same length ...: axis lists 2, angle lists 3",
        ),
        ('{ euler = [0, 0, 0], order = "xxy" }', '.order: expected three axes in order, ..., got "xxy"'),
        ('{ euler = [0, 0, 0], order = "xYz" }', ".order: expected three axes in order"),
        ('{ euler = [0, 0, 0], order = "xy" }', ".order: expected three axes in order"),
        ('{ euler = [0, 0], order = "xyz" }', ".euler: expected three numbers (or a list of such), got [0, 0]"),
        (
            "{ matrix = [[1, 0, 0], [0, 1, 0], [0, 0, 2]] }",
            ".matrix: expected a rotation matrix: columns of unit length",
        ),
        ("{ matrix = [[1, 0, 0], [0, 1, 0]] }", ".matrix: expected three rows of three numbers"),
        ("{ angel = 1, axis = 'x' }", '.angel: unknown key; did you mean "angle"?'),
    ],
)
def test_wrong_rotations(written: str, wanted: str) -> None:
    line = errors(f"[shapes.it]\n{BOX}size = [1, 1, 1]\nrotation = {written}")[0]
    assert matches(f"s.toml:5: shapes.it.rotation{wanted}", line), line
    line = errors(f"[shapes.it]\n{BALL}transform = {{ rotation = {written} }}")[0]
    assert matches(f"s.toml:5: shapes.it.transform.rotation{wanted}", line), line


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("title = 1\n[shapes]", ["s.toml:1: title: expected text in quotes, got 1"]),
        ('title = "x"', ["s.toml: shapes: missing; a scene needs shapes"]),
        ("shapes = 3", ["s.toml:1: shapes: expected a table, got 3"]),
        (
            "shapes.a = 3",
            ['s.toml:1: shapes.a: expected a table such as { kind = "point", position = [0, 0, 0] }, got 3'],
        ),
        ("show = 3\n[shapes]", ["s.toml:1: show: expected a list, got 3"]),
        ("show = [3]\n[shapes]", ["s.toml:1: show 1: expected a table, got 3"]),
        ("camera = 3\n[shapes]", ["s.toml:1: camera: expected a table, got 3"]),
        ("ignore = 'a'\n[shapes]", ['s.toml:1: ignore: expected a list, got "a"']),
        (
            "[camera]\nposition = [0, 0, 5]\n[shapes]",
            ["s.toml:1: camera.up: must be a direction that is not along the view, got [0.0, 0.0, 1.0]"],
        ),
        (
            "[camera]\nposition = [0, 0, 5]\nview_angle = 180\n[shapes]\n",
            ["s.toml:1: camera.up: must be a direction that is not along the view, got [0.0, 0.0, 1.0]"],
        ),
        (
            "[camera]\nposition = [0, 9, 5]\nview_angle = 180\n[shapes]\n",
            ["s.toml:3: camera.view_angle: must be between 0 and 180 degrees, got 180.0"],
        ),
        (
            "[camera]\nposition = [[0, 9, 5]]\nview_angle = [3]\n[shapes]\n",
            [
                "s.toml:2: camera.position: expected three numbers, got [[0, 9, 5]]",
                "s.toml:3: camera.view_angle: expected a number, got [3]",
            ],
        ),
        (
            '[shapes.arm.upper]\nkind = "point"\nposition = [0, 0, 0]',
            ['s.toml:1: shapes.arm: a name with a dot in it stands in quotes: [shapes."arm.upper"]'],
        ),
        (
            '[shapes."a*"]\nkind = "point"\nposition = [0, 0, 0]',
            ["s.toml:1: shapes.\"a*\": a shape's name must be text without the characters [ ] *, got 'a*'"],
        ),
        (
            '[shapes.""]\nkind = "point"\nposition = [0, 0, 0]',
            ['s.toml:1: shapes."": a shape\'s name must not be empty'],
        ),
        (
            '[shapes."a\\tb"]\nkind = "point"\nposition = [0, 0, 0]',
            [
                's.toml:1: shapes."a\\tb": a shape\'s name must be one line, without tabs and other control '
                "characters, got 'a\\tb'"
            ],
        ),
    ],
)
def test_wrong_files(text: str, wanted: list[str]) -> None:
    assert errors(text) == wanted


def test_what_would_move_a_terminals_cursor_is_not_shown_as_it_is() -> None:
    place, excerpt, mark = errors("[shapes.a]\r\nkind\x1b[2J\t= \x9b31m\u2028red\r\n")
    assert place.startswith("s.toml:2:5: this is not valid TOML: ")
    assert excerpt == "    kind\N{REPLACEMENT CHARACTER}[2J = \N{REPLACEMENT CHARACTER}31m\N{REPLACEMENT CHARACTER}red"
    assert mark == "        ^"


THREE = """
[shapes.crowd]
kind = "sphere"
center = [[0, 0, 0], [1, 0, 0]]
radius = 1
[shapes.edge]
kind = "segment"
start = [0, 0, 0]
end = [1, 0, 0]
"""


@pytest.mark.parametrize(
    ("extra", "wanted"),
    [
        ('query = "contact"\na = "crowd"', "10: show 1: b: missing; contact takes two shapes, a and b"),
        (
            'query = "bounds"\na = "crowd"\nb = "edge"',
            "13: show 1: b: expected no second shape (bounds takes one, a), got",
        ),
        ('query = "bounds"', "10: show 1: a: missing; an entry of show needs query, a"),
        ('a = "crowd"', "10: show 1: query: missing; an entry of show needs query, a"),
        (
            'query = "bound"\na = "crowd"',
            '11: show 1: query: expected one of closest_points, ...; did you mean "bounds"?',
        ),
        ('query = "bounds"\na = 3', "12: show 1: a: expected text in quotes, got 3"),
        (
            'query = "bounds"\na = "crowd[2]"',
            '12: show 1: a: there is no element "crowd[2]": its elements are counted 2, ',
        ),
        ('query = "bounds"\na = "edge[0]"', '12: show 1: a: there is no element "edge[0]": it is a single shape'),
        ('query = "bounds"\na = "nobody"', '12: show 1: a: there is no shape named "nobody"'),
        (
            'query = "crossings"\na = "crowd"\nb = "edge"',
            '12: show 1: a: expected the name of a segment or ray or line for crossings, got "crowd", which is of',
        ),
        (
            'query = "foot"\na = "crowd"\nb = "crowd[0]"',
            '13: show 1: b: expected the name of a segment or capsule or ray or line for foot, got "crowd[0]"',
        ),
    ],
)
def test_wrong_shows(extra: str, wanted: str) -> None:
    line = errors(f"{THREE.strip()}\n\n[[show]]\n{extra}")[0]
    assert matches(f"s.toml:{wanted}", line), line


def test_names_and_patterns_to_ignore_must_stand_for_something() -> None:
    assert parse_scene('ignore = [["cro*", "crowd[0]"]]' + THREE).ignored == (("cro*", "crowd[0]"),)
    assert errors('ignore = [["nobody*", "crowd[0]"],\n["crwod*", "*"]]' + THREE) == [
        's.toml:1: ignore, pair 1: no shape has a name like "nobody*"',
        's.toml:2: ignore, pair 2: no shape has a name like "crwod*"; did you mean "crowd*"?',
    ]
    assert errors('ignore = [["nobody", "crowd[2]"]]' + THREE) == [
        's.toml:1: ignore, pair 1: there is no shape named "nobody"',
        's.toml:1: ignore, pair 1: there is no element "crowd[2]": its elements are counted 2, from 0',
    ]


def test_a_pattern_of_a_motion_must_stand_for_something() -> None:
    keys = "time = [0, 1]\noffset = [[0, 0, 0], [1, 0, 0]]\n"
    assert len(parse_scene(f'{THREE}\n[[motion]]\nshape = "cro*"\n{keys}').motion) == 1
    (found,) = errors(f'{THREE}\n[[motion]]\nshape = "crwod*"\n{keys}')
    assert found.endswith('no shape has a name like "crwod*"; did you mean "crowd*"?')


# -- whatever comes --

WORDS = (
    "shapes", "camera", "show", "ignore", "title", "transform", "rotation", "position", "scale", "kind", "center",
    "radius", "start", "end", "axis", "angle", "height", "euler", "order", "matrix", "axes", "size", "half_extents",
    "lower", "upper", "query", "a", "b", "empty", "ball", "target", "up", "x", "bounds", "contact", "",
)  # fmt: skip
KINDS = ("point", "segment", "ray", "line", "sphere", "capsule", "aabb", "box")
LEAVES = st.sampled_from(["sphere", "capsule", "box", "x", "ball", "[0]", "*", 0, 1, -1, 0.5, 1e308, 10**400, True, ""])
VALUES = st.recursive(
    LEAVES | st.lists(st.integers(-2, 2), max_size=4),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=4),
    max_leaves=12,
)
TABLES = st.dictionaries(st.sampled_from(WORDS), VALUES, max_size=6)
SHAPES = st.builds(lambda table, kind: table | {"kind": kind}, TABLES, st.sampled_from(KINDS))


@given(TABLES, st.dictionaries(st.sampled_from(WORDS), SHAPES, max_size=3), st.lists(TABLES, max_size=2))
def test_whatever_a_file_says_the_answer_is_a_scene_or_a_list_of_errors(
    document: dict[str, Any], shapes: dict[str, Any], shows: list[Any]
) -> None:
    document = document | {"shapes": shapes, "show": shows} if shapes else document
    text = "".join(f"{key_text(name)} = {inline(value)}\n" for name, value in document.items())
    try:
        scene = parse_scene(text, "s.toml")
    except SceneFileError as error:
        for line in str(error).split("\n"):
            assert re.match(r"s\.toml:\d*:? ?(.+: )?\S", line), line
            assert "Input" not in line
            assert "Traceback" not in line
    else:
        assert isinstance(scene, Scene)


@given(st.text() | st.text(alphabet="[]{}=.,\"'#\n\\ abc123", max_size=60))
def test_any_text_gives_a_scene_or_an_error(text: str) -> None:
    with contextlib.suppress(SceneFileError):
        assert isinstance(parse_scene(text), Scene)


# -- what is no TOML, or no file --


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("[shapes.a]\nkind = ", ["s.toml:2:8: this is not valid TOML: .+", "    kind = ", "           \\^"]),
        ("[shapes.a]\n\tkind: 1", ["s.toml:2:6: this is not valid TOML: .+", "     kind: 1", "         \\^"]),
        ("[shapes.a", ["s.toml:1:10: this is not valid TOML: .+", "    \\[shapes.a", " {13}\\^"]),
        ("[shapes.a]\n[shapes.a]", ["s.toml:2:10: .*: this table is there already; every name .*", ".*", ".*"]),
        ("title = 'a'\ntitle = 'b'\n", ["s.toml:2:12: .*: this key is there already; every key .*", ".*", ".*"]),
        ("title = " + 400 * "x", ["s.toml:1:9: .*", "    title = x{112}", " {12}\\^"]),
        ("x = [" + 200 * "1, " + "?]", ["s.toml:1:606: .*", " {4}.{59}\\?\\]", " {63}\\^"]),
        ("x = " + 5000 * "[", ["s.toml: lists or tables are nested too deeply"]),
        ("x = 1" + 5000 * "0", ["s.toml: this is not valid TOML: .*"]),
        ("x = 2001-02-31", ["s.toml:1:.*: this is not valid TOML: .*", ".*", ".*"]),
    ],
    ids=lambda value: str(value)[:20],
)
def test_what_is_not_toml_is_shown(text: str, wanted: list[str]) -> None:
    lines = errors(text)
    assert len(lines) == len(wanted), lines
    for line, pattern in zip(lines, wanted, strict=True):
        assert re.fullmatch(pattern, line), line


def test_reading_files(tmp_path: Path) -> None:
    path = tmp_path / "s.toml"
    text = '[shapes."Größe"]\r\n' + BALL.replace("\n", "\r\n")
    for data in (text.encode(), b"\xef\xbb\xbf" + text.encode()):
        path.write_bytes(data)
        assert list(load_scene(path)) == ["Größe"]
        assert list(load_scene(str(path))) == ["Größe"]


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "s.toml"

    def message(where: Path) -> str:
        with pytest.raises(SceneFileError) as caught:
            load_scene(where)
        return str(caught.value).replace(str(tmp_path), "")

    assert message(path) == "/s.toml: there is no such file".replace("/", os.sep)
    assert message(tmp_path) == ": expected a file, got a directory"
    assert message(tmp_path / ("x" * 300)).endswith("the file cannot be read: File name too long")
    path.write_bytes(b'title = "x"\n\xff\xfe')
    assert message(path) == f"{os.sep}s.toml:2: expected text in UTF-8, got byte 0xff at offset 12"
    path.write_bytes('[shapes]\ntitle = "x"'.encode("utf-16"))
    assert "expected text in UTF-8, got byte 0xff at offset 0" in message(path)
    path.write_bytes(b"\x00\x01\x02binary")
    assert "this is not valid TOML" in message(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with a name, and no /dev/zero")
def test_what_has_no_end_is_not_read(tmp_path: Path) -> None:
    pipe, device, vast = (tmp_path / name for name in ("pipe.toml", "device.toml", "vast.toml"))
    os.mkfifo(pipe)
    device.symlink_to("/dev/zero")
    with vast.open("wb") as file:
        file.truncate(64 * 2**20 + 1)
    regular = "expected a regular file, got a pipe, a socket or a device"
    for path, wanted in (
        (pipe, regular),
        (device, regular),
        (vast, "expected a file of at most 64 MiB, got 67,108,865 bytes"),
    ):
        with pytest.raises(SceneFileError) as caught:
            load_scene(path)
        assert str(caught.value) == f"{path}: {wanted}"


def test_what_is_out_of_range_has_its_line_in_crowds_and_motions_too() -> None:
    table = '[shapes."{0}"]\nkind = "sphere"\ncenter = [0, 0, 0]\nradius = {1}\n'
    crowd = "".join(table.format(number, "1e-99" if number == 150 else 1) for number in range(200))
    words = "must have a largest coordinate or size from 1e-72 to 1e72, or zero, got 1e-99"
    assert errors(crowd) == [f"s.toml:601: shapes.150: {words}"]
    motion = table.format("a", 1) + '[[motion]]\nshape = "a"\ntime = [0, 1]\n'
    for line, place in (("offset = [[0, 0, 0], [0, 1e308, 0]]", "offset[1][1]"), ("pivot = [0, 1e308, 0]", "pivot[1]")):
        text = motion + line + "\n" + ("" if "offset" in line else "offset = [1, 0, 0]\n")
        assert errors(text) == [f"s.toml:8: motion 1: {place}: expected a number within ±1e72, got 1e+308"]


# -- what is not closed --

#: Texts and comments full of brackets, that open and close nothing.
WHOLE = ['"[\\"{"', "'{\"'", "# ]'\"\n", '"""]\n"[""\n\\""""', "'''\n}''[\n'''''", "\n", "1, ", "a = ", '""', "''"]

#: What is never closed: all behind it is inside.
TEXTS = ['"a # [', "'b {", '"""c\n"]"" \\"""', "'''d\n'}'' "]


@given(st.lists(st.sampled_from([*WHOLE, "[", "{", "close"])), st.sampled_from(["", *TEXTS]))
def test_what_is_open_is_found_whatever_stands_in_texts_and_comments(pieces: list[str], last: str) -> None:
    text, stack = "", list[tuple[str, int]]()
    for piece in pieces:
        if piece == "close":
            if stack:
                text += "]" if stack.pop()[0] == "array" else "}"
        else:
            if piece in "[{":
                stack.append(("array" if piece == "[" else "inline table", text.count("\n") + 1))
            text += piece
        text += " "  # or quotes would be read together
    if last:
        stack.append(("text", text.count("\n") + 1))
    assert unclosed(text + last) == stack


@pytest.mark.parametrize(
    ("text", "at", "what", "begins"),
    [
        ('title = "x"\nignore = [["a", "b"],\n  ["c", "d"],\n', "4:1", "array", 2),
        ('[shapes.a]\nkind = "sphere"\ncenter = [0, 0, 1\nradius = 0.5\n', "4:1", "array", 3),
        ('[shapes.a]\nkind = "sphere"\ncenter = [0, 0, # ]\n1,\n\n[shapes.b]\nkind = "point"\n', "6:2", "array", 3),
        ('ignore = [["a", "b"],\n\n["c", "d"\n,\n', "5:1", "array", 3),
        ('title = """abc\ncaption = "x"\n[shapes]\n', "4:1", "text", 1),
        ("\ntitle = '''abc\ncaption = 'x'\n[shapes]", "4:9", "text", 2),
    ],
)
def test_where_it_begins_is_told_with_where_the_parser_stopped(text: str, at: str, what: str, begins: int) -> None:
    with pytest.raises(SceneFileError) as caught:
        parse_scene(text, "s.toml")
    told = f"this is not valid TOML: .+; the {what} that begins on line {begins} is not closed before this\n"
    assert re.match(rf"s\.toml:{at}: {told}", str(caught.value))


@pytest.mark.parametrize(
    "text", ["[shapes.a\nx = 1", "x = [1, 2", 'x = { a = 1\ny = "b', "x = 1 2", 'x = [\n1]\ny = "']
)
def test_nothing_is_told_of_what_begins_on_the_very_line(text: str) -> None:
    with pytest.raises(SceneFileError) as caught:
        parse_scene(text, "s.toml")
    assert "begins" not in str(caught.value)
