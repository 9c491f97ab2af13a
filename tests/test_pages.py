"""What the pages say is true: their code and commands run, their tables are complete, their links lead somewhere."""

from __future__ import annotations

import ast
import doctest
import json
import re
import shlex
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest

import collision
import collision.testing
import viewer
from collision import AABB, Scene, Sphere
from collision.scenefile import parse_scene
from collision.shapes.kinds import KINDS
from tests import pages
from tests.benchmarks.__main__ import app as benchmarks
from tests.pages import (
    CONTRIBUTING,
    LIBRARY,
    PAGES,
    README,
    REFERENCE,
    ROOT,
    VIEWER,
    VIEWER_REFERENCE,
    blocks,
    name_of,
    read,
    rows,
    section,
)
from viewer.cli import ExitCode, main
from viewer.cli.errors import EXIT_CODES
from viewer.files.loading import load
from viewer.records.events import Pointer
from viewer.session import Session
from viewer.stage.stage import Stage
from viewer.studio.app import App
from viewer.verdicts.comparing import read_accepted

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = PROJECT["project"]["optional-dependencies"]
SET_UP = blocks(section(read(README), "Set up"), "sh")[:2]

pytestmark = pytest.mark.every

every_page = pytest.mark.parametrize("page", PAGES, ids=name_of)


# -- set-up ------------------------------------------------------------------------------------------------------------


def test_set_up_is_two_commands_of_one_line_each() -> None:
    install, test = SET_UP
    assert install.count("\n") == test.count("\n") == 1
    assert "collision-viewer render examples/first.toml -o first.png" in install
    assert '".[test]"' in test
    assert "-m pytest" in test
    for part in re.findall(r"\S+/\S+\.toml", install):
        assert (ROOT / part).is_file()


@pytest.mark.skipif(sys.platform == "win32", reason="the script is for a POSIX shell")
def test_ci_reads_the_same_two_commands_from_there() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    function = re.search(r"^readme_command\(\) \{.*?^\}", script, re.MULTILINE | re.DOTALL)
    assert function
    for number, command in enumerate(SET_UP, start=1):
        shell = ["bash", "-c", f"{function[0]}\nreadme_command {number}"]
        found = subprocess.run(shell, cwd=ROOT, capture_output=True, text=True, check=True)
        assert found.stdout == command


def test_the_first_page_is_short() -> None:
    assert len(read(README).split()) <= 950


# -- code --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(read(page), "pycon")], ids=name_of)
def test_python_blocks_give_the_answers_shown(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[object] = []
    monkeypatch.chdir(tmp_path)
    Path("examples").symlink_to(ROOT / "examples")
    monkeypatch.setattr(viewer, "view", shown.append)  # a window would wait for its user
    names: dict[str, Any] = {}
    text = read(page)
    for number, block in enumerate(blocks(text, "pycon")):
        test = doctest.DocTestParser().get_doctest(block, names, f"block {number}", str(page), 0)
        report: list[str] = []
        failed, tried = doctest.DocTestRunner().run(test, out=report.append, clear_globs=False)
        assert tried
        assert not failed, "".join(report)
        names = test.globs
    assert shown == ([names["scene"]] if "viewer.view(" in "".join(blocks(text, "pycon")) else [])
    for written in re.findall(r'"(\w+\.png)"', "".join(blocks(text, "pycon"))):
        assert (tmp_path / written).is_file()


def test_some_pages_have_python() -> None:
    assert {page for page in PAGES if blocks(read(page), "pycon")} >= {README, CONTRIBUTING, LIBRARY, VIEWER}


@pytest.mark.parametrize("page", [README, VIEWER], ids=name_of)
def test_scene_file_blocks_are_scenes(page: Path) -> None:
    found = blocks(read(page), "toml")
    assert found
    for block in found:
        scene = parse_scene(block, name_of(page))
        assert len(scene)
        assert scene.shows


def test_what_is_accepted_on_a_page_can_be_accepted(tmp_path: Path) -> None:
    (block,) = [block for block in blocks(read(VIEWER_REFERENCE), "toml") if "[[accept]]" in block]
    path = tmp_path / "accepted.toml"
    path.write_text(block, encoding="utf-8")
    assert [entry.pair for entry in read_accepted(path)] == [["upper arm", "post"]]


def test_python_scenes_are_scenes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = blocks(read(VIEWER), "python")
    assert found
    for block in found:
        path = tmp_path / "scene.py"
        path.write_text(block, encoding="utf-8")
        scene = load(path)
        assert scene.shows
        assert scene.ignored
        assert len(scene.colliding_pairs())
        assert main(["check", str(path)]) == ExitCode.BROKEN
    assert capsys.readouterr().err == ""


# -- commands ----------------------------------------------------------------------------------------------------------


def lines(page: Path) -> list[str]:
    """Return the commands of a page; the two of the set-up are run by ``.ci/run``."""
    found = [line for block in blocks(read(page), "sh") for line in block.splitlines()]
    return [part for line in found if f"{line}\n" not in SET_UP for part in line.split(" && ")]


#: Every command once, with a page that it stands on.
COMMANDS = {line: page for page in PAGES for line in lines(page)}
OURS = [line for line in COMMANDS if line.startswith("collision-viewer ")]


@pytest.mark.parametrize("command", OURS)
def test_our_commands_run(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import viewer.studio.app

    monkeypatch.setattr(viewer.studio.app, "run", lambda *_, **__: None)  # a window would wait for its user
    monkeypatch.chdir(tmp_path)
    Path("examples").symlink_to(ROOT / "examples")
    # What is checked on pages collides.
    expected = ExitCode.BROKEN if command.startswith("collision-viewer check") else ExitCode.FINE
    assert main(shlex.split(command)[1:]) == expected
    for written in re.findall(r"-o (\S+)", command):
        assert (tmp_path / written).stat().st_size


@pytest.mark.parametrize("command", [line for line in COMMANDS if line not in OURS])
def test_other_commands_name_what_there_is(command: str) -> None:
    """These take minutes or change the machine: what they name is looked up, and pytest says what it would run."""
    match shlex.split(command):
        case [".venv/bin/python", "-m", "pytest", *words]:
            _would_run(words)
        case [".venv/bin/python", "-m", "tests.benchmarks", *words]:
            benchmarks.parse_args(words, exit_on_error=False, print_error=False)
        case [".venv/bin/python", "-m", "tests.published", *words]:
            assert words in ([], ["--renew"])
        case [".venv/bin/python", "-m", module]:
            assert find_spec(f"{module}.__main__" if (ROOT / module.replace(".", "/")).is_dir() else module)
        case [".venv/bin/python", "-c", code]:
            (*imports, _) = ast.parse(code).body
            exec(compile(ast.Module(imports, []), command, "exec"), {})
        case [".venv/bin/python", script, *_]:
            assert (ROOT / script).is_file()
        case [".venv/bin/pip", "install", "--editable", what]:
            assert re.fullmatch(r"\.\[(\w+)\]", what)
            assert what[2:-1] in EXTRAS
        case [".venv/bin/pip", "install", "pre-commit"] | [".venv/bin/pre-commit", *_]:
            assert (ROOT / ".pre-commit-config.yaml").is_file()
        case [tool, *_] if tool.startswith(".venv/bin/"):
            assert any(re.split(r"[>=]", name)[0] == _distribution(tool) for name in EXTRAS["test"])
        case ["sudo", "apt-get", "install", "-y", *packages]:
            wanted = re.search(r"^packages=\((.*)\)", (ROOT / ".ci" / "run").read_text(encoding="utf-8"), re.MULTILINE)
            assert wanted
            assert set(packages) <= set(wanted[1].split())
        case [".ci/run"]:
            assert (ROOT / ".ci" / "run").is_file()
        case _:
            pytest.fail(f"{name_of(COMMANDS[command])}: nothing looks at {command}")


def _would_run(words: list[str]) -> None:
    """Look whether pytest knows all words and would run a test; without a path, whether they are known elsewhere."""
    if "-m" in words:
        marker = words[words.index("-m") + 1].removeprefix("not ")
        known = PROJECT["tool"]["pytest"]["ini_options"]["markers"]
        assert marker in {re.split(r"[(:]", line)[0] for line in known}
        words = [word for word in words if word != "-m" and word.removeprefix("not ") != marker]
    if any("/" in word for word in words):
        command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *words]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    else:
        known = set(re.split(r"[\s\"]", (ROOT / ".ci" / "run").read_text(encoding="utf-8"))) | {"auto"}
        assert set(words) <= known


def _distribution(tool: str) -> str:
    name = tool.removeprefix(".venv/bin/")
    return {"lint-imports": "import-linter"}.get(name, name)


# -- tables ------------------------------------------------------------------------------------------------------------


def test_every_public_name_is_in_the_reference() -> None:
    text = read(REFERENCE)
    wanted = set(collision.__all__) | set(collision.testing.__all__) | {kind.__name__ for kind in KINDS}
    assert {name for name in wanted if not re.search(rf"`(\w+\.)*{name}\b", text)} == set()


def test_every_exit_code_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert set(EXIT_CODES) == set(ExitCode)
    main(["--help"])
    helped = capsys.readouterr().out
    for code, text in EXIT_CODES.items():
        assert f"\n{code:>4}  {text}\n" in helped, "in a line of its own"
        assert f"\n| {code:d} | {text} |\n" in read(VIEWER_REFERENCE)
    main(["check", "--help"])
    assert "Exit codes:" not in capsys.readouterr().out


@pytest.mark.parametrize("command", ["check robot_arm", "check first", "why first ball crate"])
def test_every_key_of_json_is_explained(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    main([*shlex.split(command), "--format", "json"])
    found = json.loads(capsys.readouterr().out)
    parts = [
        found,
        found.get("motion"),
        *(found.get("pairs") or [])[:1],
        *((found.get("motion") or {}).get("intervals") or []),
    ]
    text = read(VIEWER_REFERENCE)
    keys = {key for part in parts if isinstance(part, dict) for key in part}
    assert len(keys) > 5
    assert {key for key in keys if f"`{key}`" not in text and command.startswith("check")} == set()


def test_every_dependency_has_its_sentence() -> None:
    text = read(CONTRIBUTING)
    shown = [*EXTRAS["compile"], *EXTRAS["robots"], *EXTRAS["scipy"], *EXTRAS["dask"]]
    wanted = [*PROJECT["project"]["dependencies"], *shown]
    assert {row[0] for row in rows(text, "Package")} == {re.split(r"[<>=[]", name)[0] for name in wanted}
    for extra, names in EXTRAS.items():
        assert f"`{extra}`" in text
        for name in (re.split(r"[<>=[]", name)[0] for name in names):
            assert name in text or name in ("collision-viewer", "scipy-stubs")


@pytest.mark.parametrize("name", pages.MADE)
def test_what_is_made_from_the_code_is_up_to_date(name: str) -> None:
    page = pages.MADE[name][0]
    assert pages.renewed(name) == read(page), f"{name_of(page)} is renewed by: python -m tests.pages"


@pytest.mark.parametrize("package", ["collision", "viewer"])
def test_every_module_is_in_one_part(package: str) -> None:
    listed = [module for part in pages.parts(package) for module in part.modules]
    assert len(set(listed)) == len(listed)
    there = [path for path in (ROOT / package).iterdir() if path.suffix == ".py" or (path / "__init__.py").is_file()]
    assert {module for module in listed if module.count(".") == 1} == {
        f"{package}.{path.stem}" for path in there if path.stem != "__init__"
    }
    for module in listed:
        assert find_spec(module)


def test_a_drag_goes_the_way_that_is_written() -> None:
    steps = re.findall(
        r"^\d+\. `([\w/]+\.py)`: `([\w.]+)`", section(read(CONTRIBUTING), "The way of a drag"), re.MULTILINE
    )
    assert len(steps) > 10
    session = Session(Scene({"ball": Sphere([0, 0, 0], 1), "crate": AABB([2, -1, -1], [4, 1, 1])}), size=(320, 240))
    called: list[tuple[str, str]] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            called.append((frame.f_code.co_filename, frame.f_code.co_qualname))

    with Stage.offscreen((320, 240)) as stage:
        App(session, stage)
        session.select("ball")
        along = session.viewport.project(np.linspace([0, 0, 0], [4, 0, 0], 200))[0]
        x, y = next((float(x), float(y)) for x, y in along if _is_x_arrow(session, float(x), float(y)))
        stage.send("press", Pointer(x, y, "left"))
        assert not len(session.scene.colliding_pairs())
        sys.setprofile(note)
        stage.send("move", Pointer(x + 60, y, "left"))
        sys.setprofile(None)
    assert len(session.scene.colliding_pairs())
    followed = iter((Path(path), name) for path, name in called)
    for file, name in steps:
        assert (ROOT / file, name) in followed, f"{file}, {name} does not come after the step before it"


def _is_x_arrow(session: Session, x: float, y: float) -> bool:
    handle = session.manipulation.tool.gizmo.hit(session.viewport, x, y) if session.manipulation.tool.gizmo else None
    return handle is not None and handle.kind == "axis" and handle.axis == 0


# -- names and links ---------------------------------------------------------------------------------------------------


@every_page
def test_links_and_pictures_are_there(page: Path) -> None:
    for target in re.findall(r"\]\(([^)]+)\)", read(page)):
        if "://" in target:
            continue
        place, _, anchor = target.partition("#")
        path = (page.parent / place).resolve() if place else page
        assert path.exists(), f"{name_of(page)} names {target}, which is not there"
        assert path.suffix != ".png" or path.stat().st_size < 500_000
        if anchor:
            headings = re.findall(r"^#+ (.*)$", read(path), re.MULTILINE)
            assert anchor in {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_example_and_every_picture_is_shown() -> None:
    text = read(pages.EXAMPLES)
    assert {example.name for example in viewer.find_examples() if f"`{example.name}`" not in text} == set()
    shown = {name for page in PAGES for name in re.findall(r"/([\w-]+\.(?:png|webp))\)", read(page))}
    assert {
        path.name for path in (ROOT / "examples" / "pictures").iterdir() if path.suffix in (".png", ".webp")
    } <= shown


@every_page
def test_files_that_are_named_are_there(page: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", read(page), flags=re.MULTILINE | re.DOTALL)
    for name in re.findall(r"`([\w./]+\.(?:py|md|yml|yaml))`", text):
        assert (ROOT / name).is_file() or (page.parent / name).is_file() or name in ("scene.py", ".py"), name


@every_page
def test_pages_are_shipped_with_their_packages(page: Path) -> None:
    if page.parent not in (ROOT, ROOT / "tests"):
        assert page.name in PROJECT["tool"]["setuptools"]["package-data"]["*"]
