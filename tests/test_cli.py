"""The command line, as a user meets it: right answers, short messages for mistakes, exit codes that mean something."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest

from collision import AABB, HalfSpace, Line, Motion, Scene, Sphere, contact, touching_intervals
from collision.scenefile import json_schema, load_scene, save_scene
from viewer.cli import ExitCode, app, main
from viewer.cli.errors import EndedError
from viewer.cli.old_forms import OLD_FORMS
from viewer.cli.options import ended_by_signal
from viewer.files.loading import Loaded

ROOT = Path(__file__).parent.parent

SCENE = """
from collision import Capsule, Point, Scene, Sphere

def scene():
    return Scene({
        "ball": Sphere([0, 0, 0], 1),
        "left upper arm": Capsule([1.5, 0, -1], [1.5, 0, 1], 0.75),
        "右手": Sphere([-1.125, 0.25, 0], 0.5),
        "far": Point([3, 0, 0]),
    })
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def scene(folder: Path) -> str:
    (folder / "arms.py").write_text(SCENE, encoding="utf-8")
    return "arms.py"


def process(
    *words: str, python: tuple[str, ...] = ("-m", "viewer"), **options: Any
) -> subprocess.CompletedProcess[str]:
    """Run the program on its own; the sources come first, wherever the caller stands."""
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"} | options.pop("env", {})
    return subprocess.run(
        [sys.executable, *python, *words],
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        **options,
    )


# -- check -------------------------------------------------------------------------------------------------------------


def test_check_lists_names_depth_point_and_normal(scene: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", scene]) == ExitCode.BROKEN
    header, rule, *pairs, total = capsys.readouterr().out.splitlines()
    assert re.split(r"\s{2,}", header.strip()) == ["A", "B", "depth", "contact point", "normal A to B"]
    assert set(rule) == {"─"}
    assert [re.split(r"\s{2,}", row.strip()) for row in pairs] == [
        ["ball", "left upper arm", "0.25", "0.875", "0", "0", "1", "0", "0"],
        ["ball", "右手", "0.3476", "-0.8065", "0.1792", "0", "-0.9762", "0.2169", "0"],
    ]
    assert total == "2 pairs of 4 shapes collide."


def test_output_that_is_no_terminal_is_plain_and_never_wrapped(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ["a" * 70, "b" * 70]
    save_scene(Scene(dict.fromkeys(names, Sphere([0, 0, 0], 1))), "long.toml")
    assert main(["check", "long.toml"]) == ExitCode.BROKEN
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert len([line for line in out.splitlines() if all(name in line for name in names)]) == 1


def test_narrow_terminal_gets_a_pair_after_the_other(folder: Path) -> None:
    from rich.console import Console

    from viewer.cli.contacts import contact_table

    scene = Scene({"left upper arm": Sphere([0, 0, 0], 1), "right upper arm": Sphere([1.5, 0.1, 0], 1)})
    table = contact_table(scene, scene.contacts())
    for width, stacked in ((100, False), (60, True)):
        console = Console(width=width, force_terminal=True, no_color=True)
        with console.capture() as captured:
            console.print(table)
        lines = re.sub(r"\x1b\[[0-9;]*m", "", captured.get()).splitlines()
        assert max(map(len, lines)) <= width
        assert ("left upper arm  right upper arm" in lines) == stacked
        assert sum("0.4967" in line for line in lines) == 1  # the depth


def test_margin_lists_near_pairs_with_signed_distances(scene: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", scene, "--margin", "0.8"]) == ExitCode.BROKEN
    out = capsys.readouterr().out
    assert "signed distance" in out
    assert re.search(r"left upper arm +far +0\.75 ", out)
    assert out.endswith("3 pairs of 4 shapes are within 0.8 of each other.\n")


def test_json_is_alone_on_stdout_and_says_what_the_queries_say(scene: str, capsys: pytest.CaptureFixture[str]) -> None:
    noisy = Path(scene).read_text(encoding="utf-8").replace("def scene():", "def scene():\n    print('working')")
    Path(scene).write_text(noisy, encoding="utf-8")
    assert main(["check", scene, "--format", "json", "--margin", "0.8"]) == ExitCode.BROKEN
    captured = capsys.readouterr()
    assert "working" in captured.err
    answer = json.loads(captured.out)
    pairs = answer.pop("pairs")
    about = {"version": 1, "scene": scene, "title": "", "shapes": 4, "ignored": 0, "margin": 0.8}
    counted = {"count": 3, "touching": 0, "truncated": False}
    assert answer == {**about, **counted, "time": None, "motion": None, "skipped": [], "notes": []}
    assert [(pair["a"], pair["b"], pair["colliding"]) for pair in pairs] == [
        ("ball", "left upper arm", True),
        ("ball", "右手", True),
        ("left upper arm", "far", False),
    ]
    from viewer.files.loading import load

    shapes = load(scene)
    for pair in pairs:
        wanted = contact(shapes[pair["a"]], shapes[pair["b"]])
        for key in ("signed_distance", "depth", "point", "normal", "on_a", "on_b"):
            assert np.array_equal(pair[key], getattr(wanted, key)), key


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ([], ExitCode.BROKEN),
        (["--format", "json"], ExitCode.BROKEN),
        (["-q"], ExitCode.BROKEN),
        (["--report-only"], ExitCode.FINE),
        (["--report-only", "--format", "json"], ExitCode.FINE),
        (["--report-only", "-q", "--margin", "1"], ExitCode.FINE),
    ],
)
def test_shapes_that_overlap_give_exit_code_10(scene: str, words: list[str], code: ExitCode) -> None:
    assert main(["check", scene, *words]) == code


def test_nothing_that_collides_is_fine(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save_scene(Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([3, 0, 0], 1)}), "apart.toml")
    assert main(["check", "apart.toml"]) == ExitCode.FINE
    assert capsys.readouterr().out == "No pair of 2 shapes collides.\n"
    assert main(["check", "apart.toml", "--margin", "1"]) == ExitCode.BROKEN
    assert main(["check", "apart.toml", "-q"]) == ExitCode.FINE
    assert main(["check", "apart.toml", "-q", "--margin", "1"]) == ExitCode.BROKEN


FLOOR = HalfSpace([0, 0, 0], [0, 0, 1])


def test_what_only_touches_is_listed_as_such_and_counts_where_that_is_asked_for(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save_scene(Scene({"crate": AABB([0, 0, 0], [1, 1, 0.3]), "floor": FLOOR}), "stands.toml")
    for words, code in (([], ExitCode.FINE), (["--touching"], ExitCode.BROKEN), (["--margin", "1"], ExitCode.BROKEN)):
        assert main(["check", "stands.toml", *words]) == code
        assert "touching" in capsys.readouterr().out.splitlines()[2]
        assert main(["check", "stands.toml", *words, "-q"]) == code
        assert capsys.readouterr().out == ""
        assert main(["check", "stands.toml", *words, "--format", "json"]) == code
        found = json.loads(capsys.readouterr().out)
        assert (found["count"], found["touching"], found["pairs"][0]["touching"]) == (1, 1, True)
    main(["check", "stands.toml"])
    assert capsys.readouterr().out.endswith("1 pair of 2 shapes touches.\n")


def test_what_only_touches_during_a_motion_is_no_overlap(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    slide = Motion("ball", [0, 1], [[0.0, 0, 0], [0, 0.7, 0]])
    scene = Scene({"ball": Sphere([0, 0, 0.3], 0.3), "floor": FLOOR}, motion=[slide])
    save_scene(scene, "slides.toml")
    save_scene(scene.replaced(shapes={**scene.shapes, "post": Sphere([0, 1, 0.3], 0.1)}), "hits.toml")
    assert main(["check", "slides.toml"]) == main(["check", "slides.toml", "-q"]) == ExitCode.FINE
    out = capsys.readouterr().out
    assert "ball   floor          0        1   touching" in out
    assert out.endswith("1 pair of 2 shapes touches during the motion, from 0 to 1 s.\n")
    assert main(["check", "slides.toml", "--touching"]) == ExitCode.BROKEN
    assert main(["check", "hits.toml", "-q"]) == main(["check", "hits.toml", "--format", "json"]) == ExitCode.BROKEN
    assert [one["overlap"] for one in json.loads(capsys.readouterr().out.split("s.\n")[1])["motion"]["intervals"]] == [
        False,
        True,
    ]


def test_model_says_what_was_left_out(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("mujoco")
    geoms = '<geom name="a" size="1"/><geom name="can" type="ellipsoid" size="1 1 1"/>'
    Path("model.xml").write_text(f"<mujoco><worldbody>{geoms}</worldbody></mujoco>", encoding="utf-8")
    assert main(["check", "model.xml"]) == ExitCode.FINE
    captured = capsys.readouterr()
    assert captured.out == (
        "Nothing can collide: the scene has only 1 shape.\n1 part of the model is left out, and not tested.\n"
    )
    assert captured.err.startswith("model.xml: left out: can (ellipsoid): ")
    assert main(["check", "model.xml", "--format", "json", "--report-only"]) == ExitCode.FINE
    captured = capsys.readouterr()
    assert [part["name"] for part in json.loads(captured.out)["skipped"]] == ["can"]
    assert captured.err == "model.xml: no pair of shapes is tested, so nothing can be said about it\n"


# -- mistakes ----------------------------------------------------------------------------------------------------------


def file(text: str) -> Callable[[str], list[str]]:
    """Return what writes a file of this text and asks to check it."""

    def make(name: str) -> list[str]:
        Path(name).write_text(text, encoding="utf-8")
        return ["check", name]

    return make


MISTAKES: dict[str, tuple[Callable[[], list[str]], str]] = {
    "no such file": (lambda: ["check", "none.toml"], "none.toml: there is no such file"),
    "misspelt": (
        lambda: file("")("ball.toml") and ["check", "bal.toml"],
        "bal.toml: there is no such file, and no example of this name; did you mean ball.toml?",
    ),
    "many examples": (
        lambda: ["explain", "lessons", "ball", "crate"],
        "no example of this name; did you mean lessons/circle_segment or lessons/boxes_spheres or lessons/line_circle? "
        '"collision-viewer examples" lists all',
    ),
    "no example": (lambda: ["open", "nowhere"], 'this name; "collision-viewer examples" lists them'),
    "folder": (lambda: ["check", "."], ".: this is a folder"),
    "long name": (lambda: ["check", "x" * 300 + ".toml"], ".toml: file name too long"),
    "long command": (lambda: ["x" * 300], "Unknown command"),
    "ending": (lambda: file("")("scene.yaml"), "scene.yaml: a scene is a .toml, .py, .xml, .mjcf, .urdf file"),
    "no ending": (lambda: file("")("scene"), "this name has no ending"),
    "toml": (lambda: file("[shapes")("a.toml"), "a.toml:1"),
    "scene file": (lambda: file('[shapes.a]\nkind = "spere"')("b c.toml"), 'did you mean "sphere"?'),
    "latin-1": (lambda: Path("l.toml").write_bytes(b"title = '\xe9'") and ["check", "l.toml"], "l.toml"),
    "python syntax": (lambda: file("x = 1\ndef scene(:")("s.py"), "s.py:2: "),
    "python import": (
        lambda: (
            file("def ball(r):\n    import collision\n    return collision.Sphere([0, 0, 0], r)")("part.py")
            and file("import part\ndef scene():\n    return part.ball(-1)")("whole.py")
        ),
        "whole.py: part.py:3: ValueError: Sphere.radius must be zero or more, got -1",
    ),
    "python error": (lambda: file("x = 1\n\nx / 0")("e.py"), "e.py:3: ZeroDivisionError: division by zero"),
    "scene() fails": (
        lambda: file("import collision\ndef scene():\n    return collision.Sphere([0, 0, 0], -1)")("f.py"),
        "f.py:3: ValueError: Sphere.radius must be",
    ),
    "scene() exits": (
        lambda: file("import sys\ndef scene():\n    sys.exit('no')")("x.py"),
        "x.py:3: SystemExit: no",
    ),
    "scene() asks": (lambda: file("def scene(angle): ...")("g.py"), "scene() missing 1 required positional argument"),
    "no scene()": (lambda: file("scene = 3")("n.py"), "n.py: a Python scene needs a function scene()"),
    "another type": (
        lambda: file("def scene(): return [1]")("t.py"),
        "must return a collision.Scene (or shapes by name), got list",
    ),
    "no shapes": (
        lambda: file("def scene(): return {'a': 1}")("u.py"),
        "u.py: scene(): scene entry 'a' must be a shape, got int",
    ),
    "model": (
        lambda: file("<mujoco><worldbody><gem/></worldbody></mujoco>")("m.xml"),
        "m.xml: MuJoCo cannot read this model",
    ),
    "option": (lambda: ["check", "first", "--marign", "1"], "Unknown option: --marign. Did you mean --margin?"),
    "margin": (lambda: ["check", "first", "--margin=-1"], "--margin must be a finite number, zero or more, got '-1'"),
    "no number": (
        lambda: ["check", "first", "--margin", "x"],
        "--margin must be a finite number, zero or more, got 'x'",
    ),
    "no time": (lambda: ["check", "first", "--at", "x"], "--at must be a number, got 'x'"),
    "no value": (lambda: ["render", "first", "-o"], '-o needs a value; "collision-viewer render --help" says what it'),
    "value": (lambda: ["check", "first", "--strict=maybe"], "--strict takes no value, got 'maybe'"),
    "twice": (lambda: ["check", "first", "--at", "1", "--at", "2"], "--at is given more than once"),
    "nan": (lambda: ["check", "first", "--margin", "nan"], "--margin must be a finite number"),
    "no scene": (lambda: ["check"], 'SCENE is missing; "collision-viewer check --help" says what it takes'),
    "nameless": (lambda: ["check", ""], "SCENE must be a file or the name of an example, got an empty name"),
    "too many": (
        lambda: ["check", "first", "second"],
        "expected nothing more, got 'second'; \"collision-viewer check --help\" says what it takes",
    ),
    "another command's option": (
        lambda: ["check", "first", "--theme", "x"],
        'Unknown option: --theme; "collision-viewer check" takes --at, --format, --margin',
    ),
    "program's option": (lambda: ["--verson"], "Unknown option: --verson. Did you mean --version?"),
    "strange option": (lambda: ["--frobnicate"], 'Unknown option: --frobnicate. See "collision-viewer --help".'),
    "no command": (
        lambda: ["first"],
        '"first" is a scene, and no command. Did you mean "collision-viewer open first"?',
    ),
    "strange command": (lambda: ["frobnicate"], "Unknown command: frobnicate. The commands are open, render,"),
    "command": (lambda: ["rend", "first"], "Unknown command: rend. Did you mean render?"),
    "picture's ending": (
        lambda: ["render", "first", "-o", "p.bmp"],
        "p.bmp: a picture or an animation is written to a .png, .gif, .webp, .apng, .mp4 file, got .bmp",
    ),
    "picture's folder": (lambda: ["render", "first", "-o", "no/p.png"], "no/p.png: there is no folder no"),
    "picture's long name": (
        lambda: ["render", "first", "-o", "x" * 300 + ".png"],
        "x.png cannot be written: file name too long",
    ),
    "movie's long name": (
        lambda: ["render", "robot_arm", "-o", "x" * 300 + ".gif"],
        "x.gif cannot be written: file name too long",
    ),
    "schema's long name": (
        lambda: ["schema", "-o", "x" * 300 + ".json"],
        "x.json cannot be written: file name too long",
    ),
    "size": (
        lambda: ["render", "first", "--size", "big"],
        "--size must be WIDTHxHEIGHT in pixels, such as 1280x960, got 'big'",
    ),
    "small": (lambda: ["render", "first", "--size", "1x1"], "each side must be from 64 to 8192"),
    "new, but there": (lambda: file("")("old.toml") and ["open", "--new", "old.toml"], "this file is there already"),
    "new, but no scene": (lambda: ["open", "--new", "new.py"], "new.py: a scene is written to a .toml file, got .py"),
    "new, but nowhere": (lambda: ["open", "--new", "no/new.toml"], "no/new.toml: there is no folder no"),
    "not there yet": (lambda: ["open", "new.toml"], '"collision-viewer open --new new.toml" begins one'),
    "large": (lambda: ["open", "first", "--size", "64x8193"], "each side must be from 64 to 8192"),
    "negative": (
        lambda: ["render", "first", "--size", "-5x5"],
        "--size must be WIDTHxHEIGHT in pixels, such as 1280x960, got '-5x5'",
    ),
    "view": (lambda: ["render", "first", "--view", "w"], "--view must be iso, x, y, z, -x, -y or -z, got 'w'"),
    "schema's ending": (lambda: ["schema", "-o", "s.toml"], "s.toml: a schema is written to a .json file, got .toml"),
}


#: Words of a command line that cannot be meant, with a part of the message.
WORDS = [
    ("check -x", '-x; "collision-viewer check" takes --at, '),
    ("check --margn 2", "Unknown option: --margn. Did you mean --margin?"),
    ("check --margn=2", "Unknown option: --margn. Did you mean --margin?"),
    ("check first --max-pairs 1.5", "--max-pairs must be a whole number, zero or more, got '1.5'"),
    ("check scene", 'no example of this name; "collision-viewer examples" lists them'),
    ("check knit", "did you mean knot?"),
    ("explain --pic first", "Unknown option: --pic. Did you mean --pictures?"),
    ("explain --bogus", 'Unknown option: --bogus; "collision-viewer explain" takes --at, --format, --fps,'),
    ("render first --nonsense", '--nonsense; "collision-viewer render" takes --at, --baseline, --during, --fps,'),
    ("open -x", '-x; "collision-viewer open" takes --new, '),
    ("render first --max-pixels 1.5", "--max-pixels must be a whole number, zero or more, got '1.5'"),
    ("why first robot ball", "there is no shape named 'robot' in the scene; it has ball, rod, crate"),
    ("why first crat ball", "first: there is no shape named 'crat' in the scene; did you mean 'crate'?"),
    ("why first ball[0] rod", "there is no shape named 'ball[0]' in the scene; did you mean 'ball'?"),
    ("why first ball ball", "why takes two different shapes, got 'ball' and 'ball', which are the same"),
    ("why first ball rod --margin -1", "--margin must be a finite number, zero or more, got '-1'"),
    ("why first ball", 'B is missing; "collision-viewer why --help" says'),
    ("why first ball rod --at 0", "--at must be a time of the motion, got 0; the scene has no motion"),
    ("why robot_arm base wall --at 21", "--at must be a time of the motion, got 21; the motion lasts from 0 to "),
    ("snippet first ball", "a pair has two names"),
    ("snippet first ball crat", "first: "),
    ("snippet first ball ball", "a pair is of two shapes"),
    ("snippet first --during all", "the scene has no motion"),
    ("snippet first --at 2", "--at must be a time of the motion"),
    ("snippet robot_arm --at 2 --during all", "give one of them"),
    ("snippet first --during 2:3", "--during must be a time of the motion"),
    ("snippet robot_arm --during 3:2", "the earlier time first, got 3:2"),
    ("snippet robot_arm --during 3:3", "--during must be more than one time, got 3:3"),
    ("snippet robot_arm --during 3", "--during must be START:STOP in seconds, such as 3:4.5, 3: or :4.5, or all"),
    ("render robot_arm --during 3:x -o a.gif", "--during must be START:STOP in seconds"),
    ("render robot_arm --during 3:4", "--during is for an animation, and robot_arm.png is a picture"),
    ("render robot_arm --fps 3", "--fps is for an animation, and robot_arm.png is a picture"),
    ("render robot_arm --at 3 -o a.gif", "--at is for a picture, and a.gif is an animation"),
    ("render robot_arm --baseline a.png -o a-#.png", "--baseline is for a picture, and a-#.png is an animation"),
    ("render first --baseline ./first.png", "--baseline first.png: the new picture would be written over it"),
    ("render first ball", "first: expected the names of two shapes; it has ball, rod, crate"),
    ("explain first ball rod --theme dark", "options of pictures need a picture: give its file"),
    ("explain first ball rod --size 99x99", "options of pictures need a picture: give its file"),
    ("explain first ball rod -o a.md --fps 3", "--fps is for a file that shows the steps in turn, and a.md is not one"),
    ("test", "nothing to test: name scenes"),
    ("test --shrad x", "Unknown option: --shrad. Did you mean --shard?"),
    ("test --juint=x", "Unknown option: --juint. Did you mean --junit?"),
    ("test --zzz", 'Unknown option: --zzz; "collision-viewer test" takes --accept, --baseline, --format,'),
    ("test first --shard 3/2", "must be NUMBER/COUNT"),
    ("test first --shard 0/2", "must be NUMBER/COUNT"),
    ("test first --tolerance -1", "--tolerance must be a finite number"),
    ("test first --tolerance nan", "--tolerance must be a finite number"),
    ("test first --timeout 0", "--timeout must be a number of seconds above 0, got '0'"),
    ("test first --timeout nan", "--timeout must be a number of seconds above 0, got 'nan'"),
    ("test first --jobs 0", "--jobs must be a whole number, 1 or more"),
    ("test first --jobs 1.5", "--jobs must be a whole number, 1 or more, got '1.5'"),
    ("test first --max-pairs 0", "--max-pairs must be a whole number, 1 or more"),
    ("test first --max-pairs 1.5", "--max-pairs must be a whole number, 1 or more, got '1.5'"),
]
#: Words that went, each with what does the same now, for every command that took them.
WORDS += [
    (form if " " in form else f"{form} first", now.removeprefix("nothing: "))
    for forms, now in OLD_FORMS.items()
    for form in forms
    if not form.startswith("animate ")
]
MISTAKES |= {words: (words.split, message) for words, message in WORDS}
MISTAKES |= {
    "blank": (lambda: ["check", " "], "' ': there is no such file"),
    "nameless test": (lambda: ["test", ""], "PATHS must be a file or the name of an example, got an empty name"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_gets_one_short_message(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    make, message = MISTAKES[name]
    words = make()
    before = sorted(folder.iterdir())
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # else Python leaves a folder of its own
    assert main(words) == ExitCode.MISTAKE
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("collision-viewer: ")
    assert message in captured.err
    assert "Traceback" not in captured.err
    assert len(captured.err.splitlines()) <= 4
    assert sorted(folder.iterdir()) == before


def test_an_error_deep_in_a_library_names_the_users_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("deep.py").write_text("import json\n\ndef scene():\n    return json.loads('{')\n", encoding="utf-8")
    assert main(["check", "deep.py"]) == ExitCode.MISTAKE
    assert "deep.py:4: JSONDecodeError: " in capsys.readouterr().err


def test_a_bug_is_told_from_a_mistake(
    scene: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr(Scene, "first_contacts", broken)
    assert main(["check", scene]) == ExitCode.BUG
    err = capsys.readouterr().err
    assert "ZeroDivisionError: oops" in err
    assert "this is a bug" in err


# -- scenes in Python --------------------------------------------------------------------------------------------------


def test_python_scene_finds_its_neighbours_and_leaves_nothing_behind(folder: Path) -> None:
    (folder / "my scenes").mkdir()
    (folder / "my scenes" / "sizes.py").write_text("RADIUS = 2", encoding="utf-8")
    (folder / "my scenes" / "bällè.py").write_text(
        "from __future__ import annotations\nfrom dataclasses import dataclass\nimport sizes\nimport collision\n\n"
        "@dataclass\nclass Ball:\n    radius: float\n\n"
        "def scene():\n    return {'ball': collision.Sphere([0, 0, 0], Ball(sizes.RADIUS).radius)}\n"
        "if __name__ == '__main__':\n    raise SystemExit('run, not loaded')\n",
        encoding="utf-8",
    )
    from viewer.files.loading import load

    path, modules = list(sys.path), set(sys.modules)
    try:
        assert load("my scenes/bällè.py")["ball"] == Sphere([0, 0, 0], 2)
        assert sys.path == path
        assert set(sys.modules) - modules <= {"sizes"}
    finally:
        sys.modules.pop("sizes", None)


# -- render and open ---------------------------------------------------------------------------------------------------


def test_render_writes_a_picture_and_says_where(scene: str, capsys: pytest.CaptureFixture[str]) -> None:
    from PIL import Image

    assert main(["render", scene, "--size", "320x240"]) == ExitCode.FINE
    *table, written = capsys.readouterr().out.splitlines()
    assert table[-1] == "2 pairs of 4 shapes collide."
    assert written == "arms.png"
    with Image.open("arms.png") as picture:
        assert picture.size == (320, 240)
        colors = picture.convert("RGB").getcolors(320 * 240)
    assert colors is not None
    assert sum(count for count, (red, green, blue) in colors if red > 1.8 * max(green, blue)) > 500

    assert main(["render", scene, "-q", "--size", "320x240", "--view", "-y", "-o", "from behind.png"]) == ExitCode.FINE
    assert capsys.readouterr().out == "from behind.png\n"
    assert Path("from behind.png").read_bytes() != Path("arms.png").read_bytes()


def test_without_opengl_there_is_one_sentence(
    scene: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from viewer.stage import gl

    failed = gl.GLReport(ok=False, problem="OpenGL does not start", remedy="This helps: apt-get install -y libegl1")
    monkeypatch.setattr(gl, "_READINESS", gl._Readiness())
    monkeypatch.setattr(gl, "_take", lambda note: None)
    monkeypatch.setattr(gl, "probe", lambda: failed)
    assert main(["render", scene]) == ExitCode.NO_PICTURE
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert captured.err.startswith("collision-viewer: no picture can be drawn on this machine")
    assert "apt-get install -y libegl1" in captured.err
    assert not Path("arms.png").exists()


def test_without_a_display_open_says_what_to_use(
    scene: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import viewer.studio.app

    monkeypatch.setattr(viewer.studio.app, "has_display", lambda: False)
    assert main(["open", scene]) == ExitCode.MISTAKE
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "no display" in err
    assert "collision-viewer render" in err


def test_open_hands_over_scene_size_and_view(scene: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import viewer.studio.app

    opened: list[tuple[list[str], dict[str, object]]] = []
    on_ctrl_c: list[object] = []

    def run(loaded: Loaded, **options: object) -> None:
        opened.append((list(loaded.scene), options))
        on_ctrl_c.append(signal.getsignal(signal.SIGINT))

    before = signal.getsignal(signal.SIGINT)
    monkeypatch.setattr(viewer.studio.app, "run", run)
    assert main(["open", scene, "--size", "800x600", "--view", "z", "--theme", "dark"]) == ExitCode.FINE
    (names, options), *more = opened
    assert (names, more) == (["ball", "left upper arm", "右手", "far"], [])
    assert options.items() >= {"size": (800, 600), "view": "z", "theme": "dark"}.items()
    # A window that waits runs no Python, which would have to see the signal.
    assert on_ctrl_c == [signal.SIG_DFL]
    assert signal.getsignal(signal.SIGINT) is before


def test_a_new_scene_is_saved_where_it_was_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import viewer.studio.app
    from viewer.session import Session

    def run(loaded: Loaded, *, is_example: bool, **_: object) -> None:
        session = Session(loaded.scene)
        session.comes_from(loaded.path, template=is_example)
        session.add("sphere")
        session.save()

    monkeypatch.setattr(viewer.studio.app, "run", run)
    assert main(["open", "new.toml", "--new"]) == ExitCode.FINE
    assert list(load_scene("new.toml")) == ["sphere"]
    Path("empty.toml").write_text("# to be filled\n")
    assert main(["open", "empty.toml"]) == ExitCode.FINE
    assert Path("empty.toml").read_text().startswith("# to be filled\n\n[shapes.sphere]\n")


# -- why ---------------------------------------------------------------------------------------------------------------


def test_why_says_what_decided(scene: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["why", scene, "ball", "left upper arm"]) == ExitCode.FINE
    assert capsys.readouterr().out == "ball and left upper arm are reported: they overlap, by 0.25.\n"
    assert main(["why", scene, "far", "右手"]) == ExitCode.FINE
    assert capsys.readouterr().out == "far and 右手 are not reported: apart in the broad phase, along x by 3.625.\n"
    assert main(["why", scene, "far", "left upper arm", "--margin", "1"]) == ExitCode.FINE
    assert capsys.readouterr().out.endswith("are reported: they are 0.75 apart, within the margin 1.\n")


def test_why_as_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    balls = {"a": Sphere([0, 0, 0], 1), "b": Sphere([1, 0, 0], 1), "line": Line([0, 0, 9], [1, 0, 0])}
    save_scene(Scene(balls, ignored=[("a", "b*")]), folder / "balls.toml")
    assert main(["why", "balls.toml", "a", "b", "--format", "json"]) == ExitCode.FINE
    assert json.loads(capsys.readouterr().out) == {
        "version": 1,
        "scene": "balls.toml",
        "a": "a",
        "b": "b",
        "reported": False,
        "gate": "rule",
        "hidden": [],
        "rule": ["a", "b*"],
        "axis": "x",
        "box_gap": -1.0,
        "signed_distance": -1.0,
        "margin": 0.0,
        "because": "the scene ignores 'a' with 'b*'",
        "normals": "one",
        "time": None,
        "intervals": None,
    }
    assert main(["why", "balls.toml", "line", "b", "--format", "json"]) == ExitCode.FINE
    found = json.loads(capsys.readouterr().out)
    assert (found["axis"], found["box_gap"], found["gate"]) == (None, None, "broad phase")


def test_why_knows_the_elements_of_a_batch(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save_scene(Scene({"crowd": Sphere([[0, 0, 0], [1, 0, 0]], 1), "x": Sphere([9, 0, 0], 1)}), folder / "crowd.toml")
    assert main(["why", "crowd.toml", "crowd[0]", "crowd[1]"]) == ExitCode.FINE
    assert "they overlap, by 1" in capsys.readouterr().out
    for name, text in (
        ("crowd", "'crowd' is a batch of 2 elements; name one of them, such as 'crowd[0]'"),
        ("crowd[2]", "there is no shape named 'crowd[2]' in the scene; 'crowd' is a batch of 2 elements"),
    ):
        assert main(["why", "crowd.toml", name, "x"]) == ExitCode.MISTAKE
        assert text in capsys.readouterr().err


@pytest.fixture
def fly(folder: Path) -> str:
    shapes = {"ball": Sphere([0, 0, 0], 1), "post": Sphere([5, 0, 0], 1), "moon": Sphere([0, 9, 0], 1)}
    there_and_back = Motion("ball", [0, 10, 20], [[0, 0, 0], [10, 0, 0], [0, 0, 0]])
    save_scene(Scene(shapes, motion=[there_and_back]), folder / "fly.toml")
    return "fly.toml"


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["post"], "along x by 3; they touch from 3 to 7 s, from 13 to 17 s."),
        (["moon"], "along y by 7; they touch at no time of the motion."),
        (["post", "--margin", "1"], "the margin 1; they are within 1 of each other from 2 to 8 s, from 12 to 18 s."),
        (["post", "--at", "4"], "at 4 s: ball and post are reported: they overlap, by 1."),
        (["moon", "--at", "20"], "at 20 s: ball and moon are not reported: apart in the broad phase, along y by 7."),
    ],
)
def test_why_tells_the_time_of_a_motion(
    words: list[str], text: str, fly: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["why", fly, "ball", *words]) == ExitCode.FINE
    out = capsys.readouterr().out
    assert out.startswith("at ")
    assert out.endswith(f"{text}\n")


def test_why_tells_programs_the_times_of_a_motion(fly: str, capsys: pytest.CaptureFixture[str]) -> None:
    from viewer.files.loading import load

    wanted = touching_intervals(load(fly))
    assert main(["why", fly, "post", "ball", "--format", "json"]) == ExitCode.FINE
    found = json.loads(capsys.readouterr().out)
    assert (found["time"], found["normals"], found["reported"]) == (0.0, None, False)
    assert [(one["begin"], one["end"]) for one in found["intervals"]] == list(
        zip(wanted.begin, wanted.end, strict=True)
    )
    assert main(["why", fly, "post", "ball", "--at", "5", "--format", "json"]) == ExitCode.FINE
    found = json.loads(capsys.readouterr().out)
    assert (found["time"], found["normals"], found["intervals"]) == (5.0, "sphere", None)


def test_why_says_of_an_ignored_pair_no_more_than_that(fly: str, capsys: pytest.CaptureFixture[str]) -> None:
    from viewer.files.loading import load

    save_scene(load(fly).ignoring(("ball", "post")), fly)
    assert main(["why", fly, "ball", "post"]) == ExitCode.FINE
    assert capsys.readouterr().out == "at 0 s: ball and post are not reported: the scene ignores 'ball' with 'post'.\n"


def test_why_lists_only_some_of_many_times(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shapes = {"ball": Sphere([0, 0, 0], 1), "crowd": Sphere([[9, 9, 9], [5, 0, 0]], 1)}
    times = list(range(23))
    to_and_fro = Motion("crowd[1]", times, [[-5.0 * (k % 2), 0, 0] for k in times])
    save_scene(Scene(shapes, motion=[to_and_fro]), folder / "fro.toml")
    assert main(["why", "fro.toml", "ball", "crowd[1]"]) == ExitCode.FINE
    out = capsys.readouterr().out
    assert out.count(" to ") == 8
    assert out.endswith(" s, and 3 times more.\n")


def test_why_says_that_an_answer_is_not_the_only_one(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cube = AABB([-1, -1, -1], [1, 1, 1])
    save_scene(Scene({"a": cube, "b": cube, "c": AABB([0.5, -1, -1], [3, 1, 1])}), folder / "cubes.toml")
    assert main(["why", "cubes.toml", "a", "b"]) == ExitCode.FINE
    assert capsys.readouterr().out == "a and b are reported: they overlap, by 2; 6 directions are as short.\n"
    assert main(["why", "cubes.toml", "a", "c"]) == ExitCode.FINE
    assert capsys.readouterr().out == "a and c are reported: they overlap, by 0.5.\n"
    for name, kind in (("b", "several"), ("c", "one")):
        assert main(["why", "cubes.toml", "a", name, "--format", "json"]) == ExitCode.FINE
        assert json.loads(capsys.readouterr().out)["normals"] == kind


# -- themes ------------------------------------------------------------------------------------------------------------


def test_the_command_line_knows_all_themes(scene: str, capsys: pytest.CaptureFixture[str]) -> None:
    from typing import get_args

    from viewer.cli.options import ThemeOption
    from viewer.records.theme import THEMES

    assert get_args(get_args(ThemeOption)[0]) == tuple(THEMES)
    assert main(["render", scene, "--theme", "drak"]) == ExitCode.MISTAKE
    assert "'drak'" in (err := capsys.readouterr().err).replace('"', "'")
    assert "dark" in err


def test_render_draws_in_the_theme(scene: str, folder: Path) -> None:
    from PIL import Image

    from viewer.records.theme import DARK

    assert main(["render", scene, "-o", "dark.png", "--theme", "dark", "--size", "320x240", "-q"]) == ExitCode.FINE
    assert Image.open(folder / "dark.png").getpixel((160, 2)) == DARK.background


# -- the other commands ------------------------------------------------------------------------------------------------


def test_examples_are_listed_and_known_by_name(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["examples", "--format", "json"]) == ExitCode.FINE
    listed = json.loads(capsys.readouterr().out)
    assert {"first", "knot"} <= {example["name"] for example in listed}
    assert main(["examples"]) == ExitCode.FINE
    out = capsys.readouterr().out
    for example in listed:
        assert f"{example['name']}: {example['title']}\n    {example['caption']}\n" in out
    assert main(["check", "first"]) == ExitCode.BROKEN
    by_name = capsys.readouterr().out
    assert main(["check", next(example["path"] for example in listed if example["name"] == "first")]) == ExitCode.BROKEN
    assert capsys.readouterr().out == by_name


def test_schema_goes_to_stdout_or_to_a_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema"]) == ExitCode.FINE
    assert json.loads(capsys.readouterr().out) == json_schema()
    assert main(["schema", "-o", "scene.schema.json"]) == ExitCode.FINE
    assert capsys.readouterr().out == "scene.schema.json\n"
    assert json.loads(Path("scene.schema.json").read_text(encoding="utf-8")) == json_schema()


def test_ignored_pairs_are_counted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    balls = {name: Sphere([0, 0, 0], 1) for name in "abc"}
    save_scene(Scene(balls, ignored=[("a", "*")]), "deaf.toml")
    assert main(["check", "deaf.toml"]) == ExitCode.BROKEN
    assert capsys.readouterr().out.endswith("1 pair of 3 shapes collides; 2 pairs ignored.\n")
    assert main(["check", "deaf.toml", "--format", "json"]) == ExitCode.BROKEN
    assert json.loads(capsys.readouterr().out)["ignored"] == 2


def test_help_lists_every_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == ExitCode.FINE
    listed = capsys.readouterr().out.partition("Exit codes:")[2]
    assert {int(code) for code in re.findall(r"\b(\d+)\s", listed)} == set(ExitCode)


def test_help_says_what_each_command_does_and_each_command_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    for words in ([], ["--help"], ["-h"]):
        assert main(words) == ExitCode.FINE
        rows = dict(re.findall(r"^│ ([a-z]\S*)(.*)│$", capsys.readouterr().out, re.MULTILINE))
        assert {"check", "examples", "explain", "open", "snippet", "test"} <= rows.keys()
        assert all(described.strip() for described in rows.values())
    for command in rows:
        assert main([command, "--help"]) == ExitCode.FINE
        out = capsys.readouterr().out
        assert f"Usage: collision-viewer {command}" in out
        assert ('the key "h" shows' in out) == (command == "open")


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="there are no devices in the file system")
def test_a_device_is_no_picture(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["render", "first", "-o", "/dev/null"]) == ExitCode.MISTAKE
    assert (
        capsys.readouterr().err
        == "collision-viewer: /dev/null: this is a device, and a picture or an animation is written to a file\n"
    )


@pytest.mark.parametrize("command", ["check", "render", "open"])
def test_compiling_is_announced_before_anything_is_asked(
    command: str, scene: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import viewer.studio.app
    from viewer.cli import check, contacts, drawing, options, window

    inside: list[bool] = []
    asked: list[bool] = []

    @contextmanager
    def notice() -> Iterator[None]:
        inside.append(True)
        yield
        inside.pop()

    for name in ("contacts", "first_contacts"):
        original = getattr(Scene, name)

        def counted(self: Scene, *words: Any, original: Any = original, **more: Any) -> Any:
            asked.append(bool(inside))
            return original(self, *words, **more)

        monkeypatch.setattr(Scene, name, counted)
    for module in (check, contacts, drawing, options, window):
        monkeypatch.setattr(module, "compile_notice", notice)
    monkeypatch.setattr(viewer.studio.app, "run", lambda *_, **__: None)
    text = Path(scene).read_text(encoding="utf-8")
    Path(scene).write_text(
        text + "\nmake = scene\ndef scene():\n    made = make()\n    made.contacts()\n    return made\n"
    )
    words = ["--size", "100x100"] if command == "render" else []
    assert main([command, scene, *words]) == (ExitCode.BROKEN if command == "check" else ExitCode.FINE)
    # The file itself asks, and then what is drawn or listed. By the third question all is compiled.
    assert len(asked) > 1
    assert all(asked[:2])


def test_help_is_in_paragraphs_that_end_where_the_terminal_does(capsys: pytest.CaptureFixture[str]) -> None:
    for command in (name for name in app if not name.startswith("-")):
        main([command, "--help"])
        said = capsys.readouterr().out.partition("╭")[0]
        for paragraph in said.split("\n\n"):
            *lines, _ = paragraph.strip("\n").split("\n")
            short = [line for line in lines if len(line.rstrip()) < 60]
            assert not short, f"{command}: a line ends before the terminal does"


def test_a_variable_has_all_drawn_with_plain_meshes(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn: list[bool] = []
    monkeypatch.setattr("viewer.studio.pictures.take", lambda *words, **_: (drawn.append(words[2].mesh), 1 / 0))
    for given in ("", "meshes"):
        monkeypatch.setenv("COLLISION_DRAW", given)
        main(["render", "first", "--size", "100x100"])
    assert drawn == [False, True]
    capsys.readouterr()
    monkeypatch.setenv("COLLISION_DRAW", "quickly")
    assert main(["render", "first"]) == ExitCode.MISTAKE
    assert "COLLISION_DRAW must be meshes, or not set, got 'quickly'" in capsys.readouterr().err


def test_module_and_version(folder: Path) -> None:
    done = process("--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(r"collision-viewer( \d+\.\d+\.\d+|, run from its sources)\n", done.stdout)


# -- streams and signals -----------------------------------------------------------------------------------------------


def test_names_that_the_stream_cannot_write_are_escaped(scene: str) -> None:
    done = process("check", scene, env={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == ExitCode.BROKEN, done.stderr
    assert r"\u53f3\u624b" in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="pipes break in another way there")
def test_a_broken_pipe_is_quiet(folder: Path) -> None:
    Path("many.py").write_text(
        "import collision, numpy\ndef scene():\n    return {'crowd': collision.Sphere(numpy.zeros((200, 3)), 1)}",
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "viewer", "check", "many.py"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ | {"PYTHONPATH": str(ROOT)}
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        errors = running.stderr.read()
    assert (running.returncode, errors) == (ExitCode.BROKEN_PIPE, b"")


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal to send there")
def test_ctrl_c_is_quiet(folder: Path) -> None:
    Path("slow.py").write_text(
        "import pathlib, time\ndef scene():\n    pathlib.Path('started').touch()\n    time.sleep(60)", encoding="utf-8"
    )
    command = [sys.executable, "-m", "viewer", "check", "slow.py"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, env=os.environ | {"PYTHONPATH": str(ROOT)}) as running:
        while not Path("started").exists() and running.poll() is None:
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate()
    assert (running.returncode, errors) == (ExitCode.INTERRUPTED, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_is_said(unbuffered: str, scene: str) -> None:
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "viewer", "check", scene]
        environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": unbuffered}
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, env=environment, check=False)
    assert done.returncode == ExitCode.MISTAKE
    assert done.stderr == "collision-viewer: cannot write the answer: No space left on device\n"


@pytest.mark.skipif(os.name == "nt", reason="closes a stream as a POSIX shell does")
def test_a_stream_that_is_closed_is_no_bug(scene: str) -> None:
    for words, code in ((f"check {scene}", 10), ("check nothing.toml", 2)):
        command = f"exec {sys.executable} -m viewer {words} >&- 2>&-"
        assert subprocess.run(["sh", "-c", command], check=False, timeout=100).returncode == code


def test_what_draws_and_is_not_installed_is_named(
    scene: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing(*_: object, **__: object) -> None:
        raise ModuleNotFoundError("No module named 'pyvista'", name="pyvista")

    monkeypatch.setattr("viewer.studio.pictures.take", missing)
    assert main(["render", scene]) == ExitCode.NO_PICTURE
    assert capsys.readouterr().err == (
        "collision-viewer: pyvista is not installed, and pictures are drawn with it: pip install pyvista\n"
    )


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signal")
def test_a_signal_leaves_nothing_half_done(folder: Path) -> None:
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(EndedError) as end, ended_by_signal(), TemporaryDirectory(dir=folder):
        signal.raise_signal(signal.SIGTERM)
    assert end.value.code == 143
    assert [path.name for path in folder.iterdir() if path.is_dir()] == []
    assert signal.getsignal(signal.SIGTERM) is before


@pytest.mark.parametrize("target", ["loop.toml", "gone.toml"])
def test_a_link_to_nowhere_is_said(folder: Path, target: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("loop.toml").symlink_to(target)
    assert main(["check", "loop.toml"]) == ExitCode.MISTAKE
    said = f"collision-viewer: loop.toml: this is a link to {target}, which leads to no file\n"
    assert capsys.readouterr().err == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            '[shapes.a]\nkind = "sphere"\ncenter = [0, 0, 0]\nradius = 0x' + "f" * 3600,
            "shapes.a.radius: expected a finite number, got a whole number of more than a thousand digits",
        ),
        (
            '[shapes.a]\nkind = "point"\nposition = [0, 0, 0]\n'
            '[[motion]]\nshape = "a"\ntime = [-1e308, 1e308]\noffset = [[0, 0, 0], [1, 0, 0]]\n',
            "time[0]: expected a time within ±1e+150, got -1e+308",
        ),
    ],
    ids=["digits", "times"],
)
def test_vast_numbers_are_told(text: str, said: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("vast.toml").write_text(text)
    assert main(["check", "vast.toml"]) == ExitCode.MISTAKE
    assert said in capsys.readouterr().err
