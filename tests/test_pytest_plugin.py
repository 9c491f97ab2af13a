"""The plugin of pytest, in runs of its own: fixtures, pictures, scene files as tests, and what it costs unused."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from collision import Expectation, Scene, Sphere, judge
from collision.scenefile import load_scene
from tests.pages import LIBRARY, blocks, read, section
from viewer.cli import main
from viewer.verdicts.fixtures import drawn
from viewer.verdicts.pictures import picture_of

ROOT = Path(__file__).parent.parent

OPTIONS = ["-p", "viewer.verdicts.plugin", "-p", "no:cacheprovider"]

Run = Callable[..., subprocess.CompletedProcess[str]]

CELL = """
from collision import Capsule, Expectation, Scene, Sphere
from collision.testing import *

CELL = {"arm": Capsule([0, 0, 0], [0, 0, 2], 0.5), "crate": Sphere([0.875, 0, 1], 0.5)}
"""
FAILS = f"""{CELL}
def test_cell(collision_scene):
    scene = collision_scene(CELL)
    assert_apart(scene, clearance=0.25)
"""
PICTURE = f'{CELL}\ndef test_look(scene_picture):\n    scene_picture.check(CELL, "cell", size=(320, 240))\n'
PROMISES = """
[shapes.a]
kind = "sphere"
center = [0, 0, 0]
radius = 1

[shapes.b]
kind = "sphere"
center = [1.5, 0, 0]
radius = 1

[[expect]]
collide = ["a", "b"]
depth = 0.5

[[expect]]
apart = ["a", "b"]
reason = "they are asked to"
"""


#: Most are forked from one process.
pytestmark = pytest.mark.xdist_group("plugin of pytest")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    return tmp_path


def environment_of(variables: dict[str, str]) -> dict[str, str]:
    """Return the variables of a run, in which no plugin is loaded that happens to be installed."""
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"} | variables
    for name in ("PYTEST_ADDOPTS", "CI", "BUILD_NUMBER"):  # with the last two pytest cuts no line of its summary
        environment.pop(name, None)
    return environment


def run(folder: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run pytest with this plugin, in a new process."""
    return subprocess.run(
        [sys.executable, "-m", "pytest", *OPTIONS, *words],
        cwd=folder, env=environment_of(variables), capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip


#: Forks itself for each run. Until then nothing of OpenGL is in use, and nothing of the plugin is imported.
FORKING = """
import atexit, json, os, sys, tempfile
import numpy, PIL.Image, pytest
import collision.promises.checking, viewer.studio.pictures, viewer.stage.stage

for line in sys.stdin:
    words, folder, environment = json.loads(line)
    child = os.fork()
    if not child:
        for name, number in (("out", 1), ("err", 2)):
            os.dup2(os.open(os.path.join(folder, name), os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        tempfile.tempdir = None
        sys.path.insert(0, folder)
        code = 3
        try:
            code = int(pytest.main(words))
        finally:
            atexit._run_exitfuncs()
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


@pytest.fixture(scope="module")
def quick() -> Iterator[Run]:
    """Return what runs pytest with this plugin in a process forked from one that has imported most of it."""
    if not hasattr(os, "fork"):
        yield run
        return
    command = [sys.executable, "-c", FORKING]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        asked, told = server.stdin, server.stdout
        assert asked is not None
        assert told is not None

        def forked(folder: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
            given = [*OPTIONS, *words]
            asked.write(json.dumps([given, str(folder), environment_of(variables)]) + "\n")
            asked.flush()
            code = int(told.readline())
            out, err = ((folder / name).read_text(encoding="utf-8") for name in ("out", "err"))
            return subprocess.CompletedProcess(given, code, out, err)

        yield forked


def written(folder: Path, **files: str) -> None:
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")


def kept(output: str) -> dict[str, Path]:
    """Return what a report says was kept."""
    return {what: Path(path) for what, path in re.findall(r"^(picture|scene|verdicts): (/.*)$", output, re.MULTILINE)}


# -- unused ------------------------------------------------------------------------------------------------------------


def test_unused_it_imports_nothing_of_this_project_and_no_heavy_package(folder: Path) -> None:
    written(folder, conftest="""
import sys

def pytest_unconfigure():
    roots = {name.partition(".")[0] for name in sys.modules}
    print("LOADED", sorted(roots & {"collision", "numpy", "numba", "pydantic", "pyvista", "vtkmodules", "PIL"}))
    print("OURS", sorted(name for name in sys.modules if name.partition(".")[0] == "viewer"))
""", test_a="def test_a(): assert True\n")  # fmt: skip
    done = run(folder)
    assert "1 passed" in done.stdout
    assert "LOADED []" in done.stdout
    assert "OURS ['viewer', 'viewer.verdicts', 'viewer.verdicts.plugin', 'viewer.verdicts.stash']" in done.stdout


def test_it_is_what_installing_gives_pytest() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["entry-points"]["pytest11"] == {"collision-viewer": "viewer.verdicts.plugin"}


# -- assertions and the fixture ----------------------------------------------------------------------------------------


def test_a_failure_shows_the_line_of_the_test_and_keeps_picture_scene_and_verdicts(folder: Path, quick: Run) -> None:
    written(folder, test_cell=FAILS)
    done = quick(folder)
    assert done.returncode == 1, done.stdout + done.stderr
    assert (
        ">       assert_apart(scene, clearance=0.25)\nE       collision.testing.BrokenPromiseError: all shapes"
        in done.stdout
    )
    assert "E         mend      move crate by [0.375, 0, 0]: 0.375 far" in done.stdout
    assert "test_cell.py:9: BrokenPromiseError" in done.stdout
    files = kept(done.stdout)
    with Image.open(files["picture"]) as picture:
        assert len(np.unique(np.asarray(picture.convert("RGB")).reshape(-1, 3), axis=0)) > 100
    scene = load_scene(files["scene"])
    assert list(scene) == ["arm", "crate"]
    assert scene.expectations[0].clearance == 0.25
    verdicts = json.loads(files["verdicts"].read_text(encoding="utf-8"))
    assert verdicts["state"] == "broken"
    assert verdicts["promises"][0]["values"]["signed_distance"] == -0.125
    assert verdicts["promises"][0]["move"] == pytest.approx([0.375, 0, 0])


def test_what_passes_leaves_nothing(folder: Path, quick: Run) -> None:
    written(
        folder, test_cell=FAILS.replace("assert_apart(scene, clearance=0.25)", 'assert_collides(scene, "arm", "crate")')
    )
    assert quick(folder, "--collision-output", "kept").returncode == 0
    assert not (folder / "kept").exists()


@pytest.mark.deep
def test_the_output_goes_where_it_is_asked_for_also_from_two_processes(folder: Path) -> None:
    written(folder, test_cell=FAILS + FAILS.replace("test_cell", "test_other"))
    done = run(folder, "-p", "xdist.plugin", "-n", "2", "--collision-output", "kept")
    assert done.returncode == 1, done.stdout + done.stderr
    assert sorted(path.name for path in (folder / "kept").iterdir()) == [
        "test_cell.py-test_cell",
        "test_cell.py-test_other",
    ]
    assert str(folder / "kept" / "test_cell.py-test_other" / "picture.png") in done.stdout


def test_any_failure_of_a_test_keeps_its_scenes(folder: Path, quick: Run) -> None:
    written(folder, test_cell=f"""{CELL}
def test_cell(collision_scene):
    for name in ("before", "after"):
        collision_scene({{name: CELL["arm"]}}, name)
    assert 1 == 2
""")  # fmt: skip
    done = quick(folder, "-p", "no:tmpdir", "--collision-output", "kept")
    assert done.returncode == 1, done.stdout
    names = {path.name for path in (folder / "kept" / "test_cell.py-test_cell").iterdir()}
    assert names == {
        f"{n}-{file}" for n in ("before", "after") for file in ("picture.png", "scene.toml", "verdicts.json")
    }


def test_without_pytests_temporary_folders_there_is_one_of_the_run(folder: Path, quick: Run) -> None:
    written(folder, test_cell=FAILS)
    found = kept(quick(folder, "-p", "no:tmpdir", TMPDIR=str(folder)).stdout)
    assert found["scene"].is_relative_to(folder)


def test_a_bug_while_something_is_left_ends_no_run(folder: Path, quick: Run) -> None:
    breaks = "import viewer.verdicts.fixtures\nviewer.verdicts.fixtures.drawn = None\n"
    written(folder, conftest=breaks, test_cell=FAILS, test_more="def test_more(): pass\n")
    done = quick(folder)
    assert "1 failed, 1 passed" in done.stdout
    assert "TypeError: 'NoneType' object is not callable" in done.stdout


def test_without_pyvista_assertions_work_and_the_report_says_what_is_missing(folder: Path) -> None:
    hidden = "import sys\nfor name in ('pyvista', 'vtk', 'vtkmodules'):\n    sys.modules[name] = None\n"
    written(folder, conftest=hidden, test_cell=FAILS, test_look=PICTURE)
    done = run(folder)
    assert done.stdout.count("pip install pyvista") == 2, done.stdout
    assert "INTERNALERROR" not in done.stdout
    assert kept(done.stdout).keys() == {"scene", "verdicts"}
    assert "2 failed" in done.stdout


def test_the_example_of_the_page_passes_and_fails_as_it_says(folder: Path, quick: Run) -> None:
    part = section(read(LIBRARY), "In your own tests")
    (example,), (failure,) = blocks(part, "python"), blocks(part, "text")
    written(folder, test_passes=example, test_fails=example.replace("[5, 0, 0]", "[3, 0, 0.5]"))
    done = quick(folder)
    assert "1 failed, 1 passed" in done.stdout
    assert failure in done.stdout


# -- scene files -------------------------------------------------------------------------------------------------------


def test_scene_files_are_collected_a_test_for_each_promise_and_one_for_nothing_else(folder: Path, quick: Run) -> None:
    (folder / "cell.scene.toml").write_text(PROMISES, encoding="utf-8")
    (folder / "plain.toml").write_text(PROMISES, encoding="utf-8")
    done = quick(folder, "-v", "--collision-output", "kept")
    assert "cell.scene.toml::collide a b PASSED" in done.stdout
    assert "cell.scene.toml::apart a b FAILED" in done.stdout
    assert "cell.scene.toml::nothing-else PASSED" in done.stdout
    assert "1 failed, 2 passed" in done.stdout
    assert (
        "\ncell.scene.toml:16: a and b do not touch\n  actual    a and b overlap by 0.5\n"
        "  because   they are asked to\n  mend      move b by [0.5, 0, 0]: 0.5 far\n"
    ) in done.stdout
    assert kept(done.stdout)["picture"].is_file()
    again = quick(folder, "-q", "-k", "not apart")  # what was kept is no test
    assert "2 passed, 1 deselected" in again.stdout


def test_a_scene_file_has_its_ending_in_letters_of_any_size_for_pytest_and_for_the_command(
    folder: Path, quick: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "CELL.SCENE.TOML").write_text(PROMISES, encoding="utf-8")
    (folder / "empty.Scene.Toml").write_text("", encoding="utf-8")  # only its name says that it is a scene
    done = quick(folder, "-v")
    assert "CELL.SCENE.TOML::apart a b FAILED" in done.stdout
    assert "empty.Scene.Toml::promises FAILED" in done.stdout
    monkeypatch.chdir(folder)
    assert main(["test", "."]) == 10
    out = capsys.readouterr().out
    assert "CELL.SCENE.TOML:16: broken: apart a b" in out
    assert "empty.Scene.Toml: states nothing" in out


def test_what_a_scene_file_leaves_is_in_the_cache_of_pytest(folder: Path, quick: Run) -> None:
    (folder / "cell.scene.toml").write_text(PROMISES, encoding="utf-8")
    done = quick(folder, "-p", "cacheprovider", "--override-ini", "cache_dir=.kept")
    picture = kept(done.stdout)["picture"]
    assert picture.is_file()
    assert picture.is_relative_to(folder / ".kept" / "d" / "collision")


def test_the_picture_of_a_test_that_fails_is_that_of_the_report() -> None:
    shapes = {"ball": Sphere([0, 0, 1], 0.5), "post": Sphere([3, 1.2, 1], 0.3)}
    scene = Scene(shapes, expectations=[Expectation("sweep", "ball", "post", motion=(6, 0, 0))], open=True)
    judgement = judge(scene)
    shown, wanted = drawn(scene, judgement), picture_of(scene, judgement.broken[0])
    assert wanted is not None
    assert np.array_equal(shown, wanted)


def test_a_scene_file_that_promises_nothing_fails_and_a_broken_one_is_told(folder: Path, quick: Run) -> None:
    (folder / "silent.scene.toml").write_text(PROMISES.partition("[[expect]]")[0], encoding="utf-8")
    done = quick(folder)
    assert "silent.scene.toml:1: nothing is promised" in done.stdout
    assert '"collision-viewer expect silent.scene.toml --write"' in done.stdout
    (folder / "silent.scene.toml").write_text('[shapes.a]\nkind = "spere"\n', encoding="utf-8")
    done = quick(folder)
    assert done.returncode == 2
    assert "silent.scene.toml:2: shapes.a.kind: expected one of" in done.stdout
    assert "Traceback" not in done.stdout


# -- pictures ----------------------------------------------------------------------------------------------------------


def test_a_picture_is_compared_with_its_baseline_and_written_anew_where_asked(folder: Path, quick: Run) -> None:
    written(folder, test_look=PICTURE)
    first = quick(folder)
    assert "there is no " in first.stdout
    assert "pytest --collision-update" in first.stdout
    assert quick(folder, "--collision-update").returncode == 0
    baseline = folder / "baseline" / "cell.png"
    with Image.open(baseline) as picture:
        assert picture.size == (320, 240)
    assert quick(folder).returncode == 0
    written(folder, test_look=PICTURE.replace("0.875, 0, 1", "1.375, 0, 1"))
    moved = quick(folder, "--collision-output", "kept")
    assert re.search(
        r"the picture is not as in .*cell\.png: [\d,]+ pixels differ, 8 may: [\d,]+ in \d+x\d+ pixels at", moved.stdout
    )
    names = {path.name for path in (folder / "kept" / "test_look.py-test_look").iterdir()}
    assert names == {"cell.png", "cell-expected.png", "cell-difference.png"}
