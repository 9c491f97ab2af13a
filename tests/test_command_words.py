"""What the words of a command line may be: a scene on stdin, and what is told of words that fit nothing."""

from __future__ import annotations

import io
import json
import os
import sys
import threading
from pathlib import Path

import pytest

from viewer.cli import ExitCode, main
from viewer.files import catalogue

TWO = """
[shapes."Кран"]
kind = "sphere"
center = [0, 0, 0]
radius = 1

[shapes.b]
kind = "sphere"
center = [0, 0, 1]
radius = 1
"""

ROOT = Path(__file__).parents[1]


def given(monkeypatch: pytest.MonkeyPatch, text: str | bytes = TWO) -> None:
    data = text.encode() if isinstance(text, str) else text
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))


# -- a scene on stdin --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["check", "-"], "1 pair of 2 shapes collides."),
        (["why", "-", "Кран", "b"], "overlap"),
        (["expect", "-"], "collide = "),
        (["snippet", "-"], "assert_collides"),
        (["explain", "-"], "overlap by 1."),
        (["test", "-"], "<stdin>: states nothing"),
    ],
)
def test_a_scene_is_read_from_stdin(
    words: list[str], said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given(monkeypatch)
    assert main(words) == {"check": ExitCode.BROKEN, "test": ExitCode.NOTHING_TESTED}.get(words[0], ExitCode.FINE)
    assert said in capsys.readouterr().out


def test_programs_are_told_where_it_is_from(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given(monkeypatch)
    assert main(["check", "--format", "json", "-"]) == ExitCode.BROKEN
    assert json.loads(capsys.readouterr().out)["scene"] == "<stdin>"


def test_a_picture_of_it_has_to_be_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    given(monkeypatch)
    assert main(["render", "-"]) == ExitCode.MISTAKE
    said = "a scene on stdin has no name to give to a picture: expected --output FILE.png"
    assert said in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("shapes = 3", "<stdin>:1: shapes: expected a table, got 3"),
        ("x = [1", "<stdin>:1:7: this is not valid TOML"),
        (b"\xff", "<stdin>: expected text in UTF-8: invalid start byte at byte 0"),
        (" \n", "- is a scene on stdin, and nothing came: expected the text of a scene file"),
    ],
)
def test_mistakes_in_it_are_told(
    text: str | bytes, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given(monkeypatch, text)
    assert main(["check", "-"]) == ExitCode.MISTAKE
    assert said in capsys.readouterr().err


def test_a_closed_stdin_and_promises_for_no_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", None)
    assert main(["check", "-"]) == ExitCode.MISTAKE
    assert "- is a scene on stdin, and stdin is closed" in capsys.readouterr().err
    given(monkeypatch)
    assert main(["expect", "-", "--write"]) == ExitCode.MISTAKE
    assert "<stdin>: promises are written into .toml scene files" in capsys.readouterr().err


@pytest.mark.skipif(os.name != "posix", reason="only there another program can have a pipe not wait")
@pytest.mark.parametrize("command", ["check", "test"])
def test_a_pipe_that_does_not_wait_is_read_to_its_end(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ours, theirs = os.pipe()
    os.set_blocking(ours, False)
    first, second = TWO[:40].encode(), TWO[40:].encode()
    os.write(theirs, first)

    def end() -> None:
        os.write(theirs, second)
        os.close(theirs)

    later = threading.Timer(0.2, end)
    with open(ours) as stream:
        monkeypatch.setattr("sys.stdin", stream)
        later.start()
        code = main([command, "-"])
        later.join()
    out, err = capsys.readouterr()
    assert (code, err) == (ExitCode.BROKEN if command == "check" else ExitCode.NOTHING_TESTED, "")
    assert ("1 pair of 2 shapes collides." if command == "check" else "<stdin>: states nothing") in out


def test_a_stdin_that_can_only_be_written_to_is_a_mistake(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with open(tmp_path / "written", "w+b", buffering=0) as file:
        only = os.open(file.name, os.O_WRONLY)
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.FileIO(os.dup(file.fileno())))))
        os.dup2(only, sys.stdin.fileno())
        os.close(only)
        for command in ("check", "test"):
            assert main([command, "-"]) == ExitCode.MISTAKE
            assert "- is a scene on stdin, which cannot be read: bad file descriptor" in capsys.readouterr().err
        sys.stdin.close()


# -- what is told ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_columns_stand_below_each_other_in_any_encoding(
    encoding: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "two.toml"
    path.write_text(TWO, encoding="utf-8")
    written = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(written, encoding=encoding))
    assert main(["check", str(path)]) == ExitCode.BROKEN
    header, rule, row, *_ = written.getvalue().decode(encoding).splitlines()
    assert row.index("b ") == header.index("B ")
    assert row.index("0  0  0.5") == header.index("contact point")
    assert set(rule) == ({"─"} if encoding == "utf-8" else {"-"})
    assert row.startswith("Кран" if encoding == "utf-8" else "\\u041a\\u0440")


def test_an_example_says_what_it_takes_beside(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(catalogue, "find_spec", lambda name: None)
    assert main(["examples"]) == ExitCode.FINE
    lines = capsys.readouterr().out.splitlines()
    told = [number for number, line in enumerate(lines) if "is not installed" in line]
    assert [lines[number - 1] for number in told] == [
        "physics: A pile, and a second opinion",
        "robot: A small robot",
    ]
    assert lines[told[0]] == f"    (takes mujoco, which is not installed: {sys.executable} -m pip install mujoco)"


# -- names that the font cannot write ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "name", "note"),
    [
        (["render", "-", "-o", "a.png"], "Кран", ""),
        (["render", "-", "-o", "a.png"], "箱", "<stdin>: 1 character that the font lacks is drawn as □: 箱\n"),
        (
            ["render", "-", "-o", "a.png"],
            "0一2三四五六七八九\U000f0000",
            "<stdin>: 9 characters that the font lacks are drawn as □: 一 三 四 五 六 七 八 九 and 1 more\n",
        ),
        (
            ["render", "-", "-o", "a.png"],
            "\U000f0000",
            "<stdin>: 1 character that the font lacks is drawn as □: U+F0000\n",
        ),
        (["render", "-", "-o", "a.gif", "-q"], "箱", "<stdin>: 1 character that the font lacks is drawn as □: 箱\n"),
        (
            ["render", "-", "-o", "a.png"],
            "קיר דלת",
            "<stdin>: 6 characters that are read from right to left are drawn from left to right: ק י ר ד ל ת\n",
        ),
        (
            ["render", "-", "-o", "a.gif", "-q"],
            "箱ش",
            "<stdin>: 1 character that the font lacks is drawn as □: 箱\n"
            "<stdin>: 1 character that is read from right to left is drawn from left to right: ش\n",
        ),
    ],
    ids=["none", "one", "many", "not printable", "animated", "hebrew", "both"],
)
def test_characters_that_are_not_drawn_as_they_should_be_are_named(
    words: list[str],
    name: str,
    note: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    moving = '[[motion]]\nshape = "b"\ntime = [0, 0.1]\noffset = [[0, 0, 0], [1, 0, 0]]\n'
    given(monkeypatch, TWO.replace("Кран", name) + moving)
    assert main([*words, "--size", "320x240"]) == ExitCode.FINE
    assert capsys.readouterr().err == note
