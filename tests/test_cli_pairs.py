"""The command `pairs`: its table, what it says of an SRDF file, and the lines that it changes there."""

from __future__ import annotations

import base64
import html
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from PIL import Image

from collision.importers import decide_pairs
from tests.helpers import red_pixels
from viewer.cli import main
from viewer.session import Session

_LINK = '<link name="{}"><collision><origin xyz="{}"/><geometry><sphere radius="0.5"/></geometry></collision></link>'
_JOINT = (
    '<joint name="{0}" type="revolute"><origin xyz="{4}"/><parent link="{1}"/><child link="{2}"/><axis xyz="0 0 1"/>'
    '<limit lower="0" upper="{3}"/></joint>'
)


@pytest.fixture
def robot(tmp_path: Path) -> Path:
    """Return a robot whose upper arm swings past a post, and whose hand may hit it in a small part of its poses."""
    links = [_LINK.format("base", "0 2.8 0"), _LINK.format("upper", "1 0 0"), _LINK.format("hand", "1 0 0")]
    joints = [
        _JOINT.format("shoulder", "base", "upper", 1.3, "0 0 0"),
        _JOINT.format("elbow", "upper", "hand", 1, "1.1 0 0"),
    ]
    file = tmp_path / "swing.urdf"
    file.write_text(f'<robot name="swing">{"".join([*links, *joints])}</robot>')
    return file


class Said(NamedTuple):
    """What a command wrote, and its exit code."""

    code: int
    out: str
    err: str


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Said]:
    """Return a function that runs the program with some words."""

    def said(*words: str) -> Said:
        code = main([*words])
        return Said(code, *capsys.readouterr())

    return said


_SRDF = """<?xml version="1.0"?>
<robot name="swing">
  <!-- kept -->
  <disable_collisions link1="upper" link2="hand" reason="Adjacent"/>
  <disable_collisions link1="base" link2="hand" reason="Never"/>
  <group name="arm"><link name="upper"/></group>
</robot>
"""


def test_it_lists_each_pair_with_its_verdict(robot: Path, run: Callable[..., Said]) -> None:
    found = run("pairs", str(robot))
    assert found.code == 0
    assert "3 pairs of links: 0 always, 1 sometimes, 0 touching, 0 open, 2 never" in found.out
    report = json.loads(run("pairs", str(robot), "--format", "json").out)
    verdicts = {tuple(pair["links"]): pair["verdict"] for pair in report["pairs"]}
    assert verdicts == {("base", "upper"): "never", ("base", "hand"): "sometimes", ("upper", "hand"): "never"}


def test_a_false_never_exits_with_10_tells_a_pose_and_is_taken_out(robot: Path, run: Callable[..., Said]) -> None:
    srdf = robot.with_suffix(".srdf")
    srdf.write_text(_SRDF)
    found = run("pairs", str(robot), "--srdf", str(srdf))
    assert found.code == 10
    assert 'base and hand: line 5 says "Never", and they collide in this pose:' in found.out
    assert srdf.read_text() == _SRDF
    words = found.out.splitlines()[1].split()
    check = run("check", *words[2:])
    assert check.code == 10, check.out
    assert run("pairs", str(robot), "--srdf", str(srdf), "--write").code == 10
    lines = _SRDF.splitlines(keepends=True)
    added = '  <disable_collisions link1="base" link2="upper" reason="Never"/>\n'
    assert srdf.read_text() == "".join([*lines[:4], added, *lines[5:]])
    assert run("pairs", str(robot), "--srdf", str(srdf)).code == 0


def test_a_page_shows_each_false_never_and_how_to_open_it(robot: Path, run: Callable[..., Said]) -> None:
    srdf, page = robot.with_suffix(".srdf"), robot.with_suffix(".html")
    never = '<disable_collisions link1="base" link2="upper" reason="Never"/>\n  <group'
    srdf.write_text(_SRDF.replace("<group", never))
    found = run("pairs", str(robot), "--srdf", str(srdf), "--html", str(page))
    assert found.code == 10
    assert found.err.endswith(f"{page.name} is written\n")
    text = page.read_text(encoding="utf-8")
    assert "<h1>1 promise broken</h1>" in text
    assert "link base and link hand do not touch" in text
    assert "line 5 of the SRDF file says &quot;Never&quot;" in text
    assert "base and upper never collide" in text
    assert f"{srdf.name}:5" in text
    assert f"{robot.name}:5" not in text
    (picture,) = re.findall('data:image/png;base64,([^"]+)', text)
    image = np.asarray(Image.open(io.BytesIO(base64.b64decode(picture))).convert("RGB"))
    assert red_pixels(image) > 1000
    command = html.unescape(re.findall('<pre class="command">([^<]*)', text)[0]).split()
    assert command[:2] == ["collision-viewer", "open"]
    assert run("check", *command[2:]).code == 10
    assert run("pairs", str(robot), "--html", str(page)).err.endswith(
        "--html needs --srdf FILE: the page is about what that says\n"
    )


def test_a_window_opens_on_the_first_false_never_and_has_all_among_its_poses(
    robot: Path, run: Callable[..., Said], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Any] = []
    monkeypatch.setattr("viewer.studio.app.run", lambda loaded, **_: opened.append(loaded))
    srdf = robot.with_suffix(".srdf")
    srdf.write_text(_SRDF)
    assert run("pairs", str(robot), "--srdf", str(srdf), "--open").code == 10
    (loaded,) = opened
    assert len(loaded.scene.colliding_pairs()) == 1
    session = Session(loaded.scene, model=loaded.model)
    session.joints.take_pose("base and hand")
    assert session.joints.values == pytest.approx({"shoulder": loaded.model.q[0], "elbow": loaded.model.q[1]})
    srdf.write_text(_SRDF.replace("Never", "User"))
    found = run("pairs", str(robot), "--srdf", str(srdf), "--open")
    assert found.code == 0
    assert "no pair that it calls Never collides, so no window is opened" in found.err
    assert len(opened) == 1
    assert "--open needs --srdf FILE" in run("pairs", str(robot), "--open").err


def test_mistakes_are_told_in_a_line(robot: Path, run: Callable[..., Said]) -> None:
    for arguments, words in (
        ([str(robot), "--write"], "--write needs --srdf FILE"),
        ([str(robot), "--most-poses", "0"], "--most-poses must be 1 or more, got 0"),
        ([str(robot.with_name("none.urdf"))], "there is no such file"),
        ([str(robot), "--srdf", str(robot.with_name("none.srdf"))], "no such file"),
        ([str(robot), "--package", "here"], "--package must be NAME=FOLDER, got 'here'"),
    ):
        found = run("pairs", *arguments)
        assert found.code == 2
        assert words in found.err
        assert "Traceback" not in found.err
    srdf = robot.with_suffix(".srdf")
    for text, words in (
        ('<robot name="swing"/>', "expected <robot ...> and </robot>"),
        (_SRDF.replace("kept", "k\xe9pt").replace("1.0", '1.0" encoding="latin-1'), "only a file in UTF-8"),
    ):
        srdf.write_bytes(text.encode("latin-1"))
        found = run("pairs", str(robot), "--srdf", str(srdf), "--write")
        assert found.code == 2
        assert words in found.err
        assert srdf.read_bytes() == text.encode("latin-1")


_FALSE = '  <disable_collisions link1="base" link2="hand" reason="Never"/>\n'
_ADDED = '  <disable_collisions link1="base" link2="upper" reason="Never"/>\n'


@pytest.mark.parametrize(
    "lines",
    [
        "  <disable_collisions\n    reason = 'Never' link2=\"base\"\n    link1='hand' />\n",
        '  <disable_collisions link1="base" link2="hand" reason="Never"></disable_collisions> <!-- sampled -->\n',
        '  <disable_collisions link1="base" link2="hand" reason="Never" note="a > b"/>\n',
        _FALSE + _FALSE,
        _FALSE + _FALSE.replace("base", "here").replace("hand", "base").replace("here", "hand"),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_false_never_is_taken_out_in_any_form(
    robot: Path, run: Callable[..., Said], lines: str, newline: str
) -> None:
    srdf = robot.with_suffix(".srdf")
    ghost = '  <disable_collisions link1="tail" link2="base" reason="Never"/>\n'
    comment = f"  <!--\n{_FALSE}  -->\n"
    text = _SRDF.replace(_FALSE, f"{ghost}{lines}{comment}").replace("\n", newline)
    srdf.write_bytes(text.encode())
    found = run("pairs", str(robot), "--srdf", str(srdf), "--write")
    assert found.code == 10, found.err
    expected = _SRDF.replace(_FALSE, f"{ghost}{_ADDED}{comment}").replace("\n", newline)
    assert srdf.read_bytes() == expected.encode()
    assert run("pairs", str(robot), "--srdf", str(srdf)).code == 0


def test_a_false_never_is_told_behind_another_reason_and_in_a_file_of_one_line(
    robot: Path, run: Callable[..., Said]
) -> None:
    srdf = robot.with_suffix(".srdf")
    user = _FALSE.replace("Never", "User")
    text = _SRDF.replace(_FALSE, user + _FALSE).replace("\n", "")
    srdf.write_text(text)
    assert run("pairs", str(robot), "--srdf", str(srdf), "--write").code == 10
    assert srdf.read_text() == text.replace(_FALSE.rstrip("\n"), _ADDED.rstrip("\n"))
    bare = '<robot name="swing">\n</robot>\n'
    srdf.write_text(bare)
    assert run("pairs", str(robot), "--srdf", str(srdf), "--write").code == 0
    upper = _ADDED.replace("base", "upper").replace('link2="upper"', 'link2="hand"')
    assert srdf.read_text() == bare.replace("\n</", f"\n{_ADDED}{upper}</")


def test_what_is_decided_when_somebody_ends_the_work_is_told_and_written(
    robot: Path, run: Callable[..., Said], monkeypatch: pytest.MonkeyPatch
) -> None:
    def ended(model: Any, *, progress: Callable[[Any], object], **options: Any) -> None:
        for pair in decide_pairs(model, [("base", "upper")]):
            progress(pair)
        raise KeyboardInterrupt

    monkeypatch.setattr("collision.importers.decide_pairs", ended)
    srdf = robot.with_suffix(".srdf")
    srdf.write_text(_SRDF)
    found = run("pairs", str(robot), "--srdf", str(srdf), "--write")
    assert found.code == 130
    assert "1 pair of links: 0 always, 0 sometimes, 0 touching, 0 open, 1 never" in found.out
    assert srdf.read_text() == _SRDF.replace(_FALSE, _FALSE + _ADDED)
