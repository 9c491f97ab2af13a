"""What ``collision-viewer test`` shows of broken promises: pictures, and a page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from viewer.cli import ExitCode, main
from viewer.stage.gl import GLUnavailable
from viewer.verdicts.results import Run

BROKEN = """
[shapes.ball]
kind = "sphere"
center = [0, 0, 1]
radius = 1

[shapes.crate]
kind = "box"
center = [1.5, 0, 1]
size = [2, 2, 2]

[[expect]]
apart = ["ball", "crate"]
clearance = 0.1

[[expect]]
collide = ["ball", "crate"]
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cell.toml").write_text(BROKEN, encoding="utf-8")
    (tmp_path / "wrong.toml").write_text("[shapes.a]\nkind = 3\n", encoding="utf-8")
    return tmp_path


def test_each_broken_promise_has_a_picture_and_its_path_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", "cell.toml", "--html", "out"]) == ExitCode.BROKEN
    assert "    picture   out/pictures/cell-apart-ball-crate.png\n" in capsys.readouterr().out
    assert [path.name for path in Path("out/pictures").iterdir()] == ["cell-apart-ball-crate.png"]
    assert main(["test", "cell.toml", "--html", "page", "--format", "json"]) == ExitCode.BROKEN
    run = Run.model_validate(json.loads(capsys.readouterr().out))
    paths = [promise.picture for promise in run.scenes[0].promises]
    assert paths == ["page/pictures/cell-apart-ball-crate.png", None, None]
    assert Path(str(paths[0])).read_bytes() == Path("out/pictures/cell-apart-ball-crate.png").read_bytes()
    assert 'src="pictures/cell-apart-ball-crate.png"' in Path("page/index.html").read_text(encoding="utf-8")


def test_the_page_is_there_whatever_came_of_the_scenes() -> None:
    Path("accept.toml").write_text(
        '[[accept]]\nid = "apart ball crate"\ndepth = 2.0\nreason = "soft"\ndate = 2026-01-02\n', encoding="utf-8"
    )
    words = ["test", "cell.toml", "wrong.toml", "first", "--html", "page.html", "--accept", "accept.toml"]
    assert main(words) == ExitCode.MISTAKE
    text = Path("page.html").read_text(encoding="utf-8")
    assert "1 known and accepted" in text
    assert "soft (2026-01-02)" in text
    assert "cell.toml:12" in text
    assert "wrong.toml:2" in text
    assert text.count("data:image/png;base64,") == 1


def test_a_scene_on_stdin_has_pictures_too(monkeypatch: pytest.MonkeyPatch) -> None:
    import io
    import sys

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(BROKEN.encode())))
    assert main(["test", "-", "--html", "out"]) == ExitCode.BROKEN
    assert [path.name for path in Path("out/pictures").iterdir()] == ["stdin-apart-ball-crate.png"]


def test_where_nothing_can_be_drawn_all_else_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def unavailable() -> None:
        raise GLUnavailable("no picture can be drawn on this machine")

    monkeypatch.setattr("viewer.stage.gl.ensure_offscreen", unavailable)
    assert main(["test", "cell.toml", "--html", "page.html"]) == ExitCode.BROKEN
    told = capsys.readouterr()
    assert "1 broken" in told.out
    assert "no picture can be drawn" in told.err
    assert "<img" not in Path("page.html").read_text(encoding="utf-8")
    assert main(["test", "first", "--html", "page.html"]) == ExitCode.FINE
    assert main(["test", "cell.toml", "wrong.toml", "--html", "out"]) == ExitCode.MISTAKE


#: What scenes in Python may do when they are run again.
SECOND_RUN = {"ends": "os._exit(0)", "fails": "raise RuntimeError('again')", "holds": "x = 9"}


@pytest.mark.parametrize("second", SECOND_RUN)
def test_a_scene_runs_once_and_pictures_are_of_what_was_judged(second: str, capfd: pytest.CaptureFixture[str]) -> None:
    Path("again.py").write_text(
        f"""import os
from collision import Expectation, Scene, Sphere


def scene():
    name, x = os.urandom(4).hex(), 1.5
    if os.path.exists("ran"):
        {SECOND_RUN[second]}
    open("ran", "a").write(name)
    balls = {{name: Sphere([0, 0, 0], 1), "other": Sphere([x, 0, 0], 1)}}
    return Scene(balls, expectations=[Expectation("apart", name, "other")])
""",
        encoding="utf-8",
    )
    words = ["test", "again.py", "--html", "page", "--junit", "junit.xml", "--format", "json"]
    assert main(words) == ExitCode.BROKEN
    found = json.loads(capfd.readouterr().out)
    promise = found["scenes"][0]["promises"][0]
    assert (found["exit_code"], promise["id"]) == (ExitCode.BROKEN, f"apart {Path('ran').read_text()} other")
    picture = Path(promise["picture"]).read_bytes()
    assert len(picture) > 5_000
    assert [path.read_bytes() for path in Path("page/pictures").iterdir()] == [picture]
    for file in ("page/index.html", "junit.xml"):
        assert promise["id"] in Path(file).read_text(encoding="utf-8")


def test_results_are_written_before_anything_is_drawn(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seen: list[str] = []

    def broken(*_: object) -> None:
        seen.extend((capsys.readouterr().out, Path("junit.xml").read_text(encoding="utf-8")))
        raise RuntimeError("the pencil broke")

    monkeypatch.setattr("viewer.verdicts.pictures.ReportRenderer.plan", broken)
    words = ["test", "cell.toml", "--html", "page.html", "--junit", "junit.xml"]
    assert main(words) == ExitCode.BROKEN
    assert all("apart ball crate" in text for text in seen[:2])
    assert "the pencil broke" in capsys.readouterr().err
    assert "apart ball crate" in Path("page.html").read_text(encoding="utf-8")


def test_what_cannot_be_written_is_told_before_anything_is_tested(capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine").mkdir()
    Path("mine/notes.txt").write_text("mine", encoding="utf-8")
    for words, said in (
        (["--html", "mine"], "no report"),
        (["--html", "cell.toml"], "a report is a folder, or a file that ends in .html"),
        (["--html", "nowhere/page.html"], "there is no folder nowhere"),
    ):
        assert main(["test", "cell.toml", *words]) == ExitCode.MISTAKE, words
        told = capsys.readouterr()
        assert said in told.err
        assert told.out == ""
