"""What the README says is true: its code runs, its tables are complete, its pictures are there."""

from __future__ import annotations

import doctest
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from collision.scenefile import parse_scene
from viewer.cli import ExitCode, app, main
from viewer.files.loading import load

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def blocks(language: str, text: str = TEXT) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def section(title: str) -> str:
    return TEXT.split(f"\n## {title}\n")[1].split("\n## ")[0]


def rows(header: str) -> dict[str, str]:
    """Return the first two columns of the table with this first heading."""
    table = TEXT.split(f"| {header} |")[1].split("\n\n")[0]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]
    return {first: second for first, second, *_ in cells}


SET_UP = blocks("sh", section("Set up"))[:2]


def test_set_up_is_two_commands_of_one_line_each() -> None:
    install, test = SET_UP
    assert install.count("\n") == test.count("\n") == 1
    assert "collision-viewer render examples/first.toml -o first.png" in install
    assert '".[test]"' in test
    assert "-m pytest" in test
    for part in re.findall(r"\S+/\S+\.toml", install):
        assert (ROOT / part).is_file()


@pytest.mark.skipif(sys.platform == "win32", reason="the script is for a POSIX shell")
def test_ci_reads_the_same_two_commands_from_here() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    function = re.search(r"^readme_command\(\) \{.*?^\}", script, re.MULTILINE | re.DOTALL)
    assert function
    for number, command in enumerate(SET_UP, start=1):
        shell = ["bash", "-c", f"{function[0]}\nreadme_command {number}"]
        found = subprocess.run(shell, cwd=ROOT, capture_output=True, text=True, check=True)
        assert found.stdout == command


def test_python_blocks_give_the_answers_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import viewer

    shown: list[object] = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(viewer, "view", shown.append)  # a window would wait for its user
    names: dict[str, Any] = {}
    for number, block in enumerate(blocks("pycon")):
        test = doctest.DocTestParser().get_doctest(block, names, f"README block {number}", "README.md", 0)
        report: list[str] = []
        failed, tried = doctest.DocTestRunner().run(test, out=report.append, clear_globs=False)
        assert tried
        assert not failed, "".join(report)
        names = test.globs
    assert shown == [names["scene"]]
    assert (tmp_path / "scene.png").is_file()


def test_scene_file_blocks_are_scenes() -> None:
    for block in blocks("toml"):
        scene = parse_scene(block, "README.md")
        assert len(scene)
        assert scene.shows


def test_python_scenes_are_scenes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = blocks("python")
    assert found
    for block in found:
        path = tmp_path / "scene.py"
        path.write_text(block, encoding="utf-8")
        scene = load(path)
        assert scene.shows
        assert scene.ignored
        assert len(scene.colliding_pairs())
        assert main(["check", str(path)]) == ExitCode.FINE
    assert capsys.readouterr().err == ""


def test_what_users_look_for_is_named() -> None:
    for name in ("Show", "Transform", "CapsuleCollider", "`ignore`", "`ignored`", "`shows`", "key `h`"):
        assert name in TEXT, f"README.md says nothing of {name}"


def commands() -> list[str]:
    lines = [line for block in blocks("sh") for line in block.splitlines()]
    return [line for line in lines if line.startswith("collision-viewer ")]


@pytest.mark.parametrize("command", commands())
def test_commands_run(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import viewer.app

    monkeypatch.setattr(viewer.app, "run", lambda *_, **__: None)  # a window would wait for its user
    monkeypatch.chdir(tmp_path)
    words = shlex.split(command)[1:]
    assert main(words) == ExitCode.FINE
    for written in re.findall(r"-o (\S+)", command):
        assert (tmp_path / written).stat().st_size


def test_every_command_is_listed() -> None:
    listed = {re.findall(r"`collision-viewer (\w+)", command)[0] for command in rows("Command")}
    known = {name for name in app if not name.startswith("-")}
    assert listed == known


def test_every_exit_code_is_listed() -> None:
    assert {int(code) for code in rows("Exit code")} == set(ExitCode)


def test_every_dependency_has_its_sentence() -> None:
    wanted = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["robots"]]
    assert set(rows("Package")) == {re.split(r"[<>=]", name)[0] for name in wanted}
    for extra, wanted in PROJECT["optional-dependencies"].items():
        assert f"`{extra}`" in TEXT
        for name in (re.split(r"[<>=]", name)[0] for name in wanted):
            assert name in TEXT or name in ("collision-viewer[robots]", "scipy-stubs")


def test_links_and_pictures_are_there() -> None:
    targets = [target for target in re.findall(r"\]\(([^)]+)\)", TEXT) if "://" not in target]
    assert any(target.endswith(".png") for target in targets)
    for target in targets:
        path = ROOT / target
        assert path.is_file(), f"README.md names {target}, which is not there"
        assert path.suffix != ".png" or path.stat().st_size < 500_000
