"""What the program tells the shell: a code for each way to end, and never Python's own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import vtkmodules

import viewer
from collision import Point, Scene, Sphere
from collision.scenefile import save_scene
from tests.slow import one_in
from viewer.cli import ExitCode, main

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def balls(*places: float, **more: object) -> str:
    """Write a file of balls along the x-axis."""
    save_scene(Scene({f"ball {x:g}": Sphere([x, 0, 0], 1) for x in places}, **more), "balls.toml")  # type: ignore[arg-type]
    return "balls.toml"


def run(code: str, *words: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-c", code, *words],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )


def test_one_is_left_to_python() -> None:
    assert 1 not in set(ExitCode)


@pytest.mark.parametrize(
    ("places", "ignored"), [((), []), ((0,), []), ((0, 1), [("*", "*")])], ids=["none", "one", "all ignored"]
)
def test_that_nothing_is_tested_is_said_and_fails_under_strict(
    places: tuple[float, ...], ignored: list[tuple[str, str]], capsys: pytest.CaptureFixture[str]
) -> None:
    scene = balls(*places, ignored=ignored)
    said = "balls.toml: no pair of shapes is tested, so nothing can be said about it\n"
    for words in ([], ["--report-only"], ["--format", "json"]):
        assert main(["check", scene, *words]) == ExitCode.FINE
        assert capsys.readouterr().err == said
        assert main(["check", scene, *words, "--strict"]) == ExitCode.NOTHING_TESTED
        assert capsys.readouterr().err == said
    assert main(["check", scene, "--quiet"]) == ExitCode.FINE
    assert capsys.readouterr() == ("", "")


def test_parts_left_out_are_counted_and_count_under_strict(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("mujoco")
    cans = "".join(f'<geom name="can{n}" type="ellipsoid" size="1 1 1"/>' for n in range(2))
    spheres = '<geom name="a" size="1"/><body pos="5 0 0"><freejoint/><geom name="b" size="1"/></body>'
    Path("model.xml").write_text(f"<mujoco><worldbody>{spheres}{cans}</worldbody></mujoco>", encoding="utf-8")
    assert main(["check", "model.xml"]) == ExitCode.FINE
    assert capsys.readouterr().out.endswith("2 parts of the model are left out, and not tested.\n")
    assert main(["check", "model.xml", "--strict"]) == ExitCode.NOTHING_TESTED
    assert "--strict requires all of it" in capsys.readouterr().err
    near = spheres.replace("5 0 0", "1 0 0")
    Path("model.xml").write_text(f"<mujoco><worldbody>{near}{cans}</worldbody></mujoco>", encoding="utf-8")
    assert main(["check", "model.xml", "--strict", "--margin", "9"]) == ExitCode.BROKEN


def test_a_pair_without_end_is_a_pair() -> None:
    save_scene(Scene({"a": Point([0, 0, 0]), "b": Point([0, 0, 0])}), "points.toml")
    assert main(["check", "points.toml", "--touching"]) == ExitCode.BROKEN


@pytest.mark.parametrize(
    ("command", "missing"), [("check", "numpy"), ("check", "numba"), ("check", "cyclopts"), ("render", "numpy")]
)
def test_what_cannot_start_says_so(command: str, missing: str) -> None:
    code = f"import os, sys; os.environ['COLLISION_CODE'] = 'compiled'; sys.modules[{missing!r}] = None;"
    code += "from viewer.__main__ import main; sys.exit(main())"
    done = run(code, command, "first")
    assert done.returncode == ExitCode.BUG
    assert done.stderr.startswith("collision-viewer: cannot start: ")
    assert missing in done.stderr
    assert done.stderr.count("\n") == 1


#: Says that Python itself has started; until then Ctrl-C is Python's own.
UP = "import sys; from viewer.__main__ import main; print('up', flush=True); sys.exit(main())"
SLOW = "import time\ndef scene():\n    time.sleep(600)\n"


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal to send there")
@pytest.mark.parametrize("word", ["check", "test", "render"])
def test_ctrl_c_while_it_starts_is_quiet(word: str) -> None:
    Path("slow.py").write_text(SLOW, encoding="utf-8")
    for delay in (0.02, 0.06, 0.11, 0.17, 0.24):
        command = [sys.executable, "-c", UP, word, "slow.py"]
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as running:
            assert running.stdout is not None
            running.stdout.readline()
            time.sleep(delay)
            running.send_signal(signal.SIGINT)
            _, errors = running.communicate(timeout=60)
        assert (running.returncode, errors) == (ExitCode.INTERRUPTED, b""), delay


def test_ctrl_c_that_comes_out_as_another_error_is_ctrl_c() -> None:
    Path("torn.py").write_text(
        "import signal\n"
        "def scene():\n"
        "    try:\n"
        "        signal.raise_signal(signal.SIGINT)\n"
        "    except KeyboardInterrupt:\n"
        "        raise RuntimeError('an import went wrong') from None\n",
        encoding="utf-8",
    )
    done = run(UP, "check", "torn.py")
    assert (done.returncode, done.stderr) == (ExitCode.INTERRUPTED, "")


def test_ctrl_c_where_nobody_can_be_told_comes_once_more() -> None:
    Path("lost.py").write_text(
        "import signal, time\n"
        "class Lost:\n"
        "    def __del__(self):\n"
        "        signal.raise_signal(signal.SIGINT)\n"
        "def scene():\n"
        "    Lost()\n"
        "    time.sleep(600)\n",
        encoding="utf-8",
    )
    done = run(UP, "check", "lost.py")
    assert (done.returncode, done.stderr) == (ExitCode.INTERRUPTED, "")


def test_ctrl_c_within_what_vtk_calls_has_its_code() -> None:
    Path("called.py").write_text(
        "import signal, time\n"
        "from vtkmodules.vtkCommonCore import vtkObject\n"
        "def scene():\n"
        "    thing = vtkObject()\n"
        "    thing.AddObserver('UserEvent', lambda *_: signal.raise_signal(signal.SIGINT))\n"
        "    thing.InvokeEvent('UserEvent')\n"
        "    time.sleep(600)\n",
        encoding="utf-8",
    )
    done = run(UP, "check", "called.py")
    assert done.returncode == ExitCode.INTERRUPTED
    assert done.stderr.count("\n") <= 1


def test_ctrl_c_while_vtk_drops_errors_comes_once_more() -> None:
    if not hasattr(vtkmodules, "on_vtk_module_init"):
        pytest.skip("this VTK calls nothing of Python's when it is imported")
    Path("dropped.py").write_text(
        "import signal, time\n"
        "def on_vtk_module_init(name):\n"
        "    signal.raise_signal(signal.SIGINT)\n"
        "def scene():\n"
        "    try:\n"
        "        on_vtk_module_init('as VTK does')\n"
        "    except KeyboardInterrupt:\n"
        "        pass\n"
        "    time.sleep(600)\n",
        encoding="utf-8",
    )
    done = run(UP, "check", "dropped.py")
    assert (done.returncode, done.stderr) == (ExitCode.INTERRUPTED, "")


def test_ctrl_c_waits_for_no_thread() -> None:
    Path("thread.py").write_text(
        "import signal, threading\n"
        "def scene():\n"
        "    threading.Thread(target=threading.Event().wait).start()\n"
        "    signal.raise_signal(signal.SIGINT)\n",
        encoding="utf-8",
    )
    done = run("print('said');" + UP, "check", "thread.py")
    assert (done.returncode, done.stdout[:4], done.stderr) == (ExitCode.INTERRUPTED, "said", "")


def test_ctrl_c_after_the_end_changes_nothing() -> None:
    late = "import atexit, signal; atexit.register(signal.raise_signal, signal.SIGINT); "
    done = run(late + UP, "check", balls(0, 1))
    assert (done.returncode, done.stderr) == (ExitCode.BROKEN, "")


def test_the_command_is_what_can_fail_to_start() -> None:
    assert 'collision-viewer = "viewer.__main__:main"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


@pytest.mark.skipif(os.name != "posix", reason="pipes of a shell")
@pytest.mark.parametrize("words", ["--help", *one_in(3, ["check first", "check --help", "--version"]), "schema"])
def test_a_reader_that_went_away_is_told(words: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "viewer", *words.split()]
    done = subprocess.run(command, env=environment, stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert done.returncode == ExitCode.BROKEN_PIPE, done.stderr


def test_public_names_are_found_when_they_are_asked_for() -> None:
    code = (
        "import sys, viewer; before = set(sys.modules); from viewer import *; print('numpy' in before);"
        "import viewer.records.sizes; print(callable(viewer.view), set(viewer.__all__) <= set(dir(viewer)))"
    )
    assert run(code).stdout.split() == ["False", "True", "True"]
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        getattr(viewer, "nonsense")  # noqa: B009


@pytest.mark.skipif(sys.platform == "win32", reason="no file can be called so there")
@pytest.mark.parametrize("name", ["bad\x1b[31mred.toml", "two\nlines.toml", "right\u202eleft.toml"])
@pytest.mark.parametrize("there", [False, True])
def test_names_of_files_do_nothing_to_a_terminal(
    name: str, there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    if there:
        Path(name).write_text("shapes = 3\n", encoding="utf-8")
    for command in (["check", name], ["render", "first", "-o", name], ["test", "first", "--accept", name]):
        assert main(command) == ExitCode.MISTAKE
        said = capsys.readouterr().err
        assert said.startswith(f"collision-viewer: {name!r}:")
        assert said.count("\n") == 1
        assert said.removesuffix("\n").isprintable()


def test_what_is_meant_is_alike_beside_its_ending_and_its_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("rd.toml", "shelf.toml"):
        (tmp_path / name).touch()
    for name, hint in (
        ("球🎾.toml", ""),
        ("ab.toml", ""),
        ("shelv.toml", f"; did you mean {tmp_path / 'shelf.toml'}?"),
    ):
        assert main(["check", str(tmp_path / name)]) == ExitCode.MISTAKE
        assert capsys.readouterr().err.endswith(f"no example of this name{hint}\n")
