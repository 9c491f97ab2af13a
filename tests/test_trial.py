"""Where nothing is known of OpenGL, the program draws in a copy of itself, and a copy that crashes is no crash."""

from __future__ import annotations

import os
import runpy
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.helpers import is_gone, red_pixels
from viewer.cli.errors import ExitCode
from viewer.stage import gl, trial
from viewer.stage.screen import Screen

ROOT = Path(__file__).parent.parent

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has copies of a process that may draw")

#: The program, with an empty folder for notes, and with a line that breaks something in it.
_PROGRAM = """
import os, signal, sys
from pathlib import Path
from viewer.stage import gl
gl._cache_folder = lambda: Path("notes")
{change}
from viewer.__main__ import main
sys.exit(main())
"""

_ASKS_NOBODY = "def probe(): sys.exit('a second Python was asked')\ngl.probe = probe"
#: How programs are started at times: nobody wants to know how their own processes end, and nobody listens.
_STARTED_ODDLY = "signal.signal(signal.SIGCHLD, signal.SIG_IGN); sys.stdout = None"

_BROKEN = "from viewer.stage.screen import Screen\nScreen.draws = lambda screen: {ending}"

#: VTK finds no driver, on any machine.
_NOWHERE = {"__EGL_VENDOR_LIBRARY_FILENAMES": "/nowhere", "LIBGL_DRIVERS_PATH": "/nowhere", "DISPLAY": ""}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def start(change: str = "", scene: str = "first", environment: dict[str, str] | None = None) -> subprocess.Popen[str]:
    command = [
        sys.executable,
        "-c",
        _PROGRAM.format(change=change),
        "render",
        scene,
        "--size",
        "320x240",
        "-o",
        "a.png",
    ]
    return subprocess.Popen(
        command,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | (environment or {}),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def draw(change: str = "", **environment: str) -> tuple[int, str, str]:
    with start(change, environment=environment) as running:
        out, errors = running.communicate(timeout=120)
    return running.returncode, out, errors


def picture_is_right() -> bool:
    with Image.open("a.png") as picture:
        return red_pixels(np.asarray(picture)) > 500


def test_the_first_picture_asks_nobody_and_leaves_a_note() -> None:
    code, out, errors = draw(_ASKS_NOBODY)
    assert (code, errors) == (ExitCode.FINE, "")
    assert out.count("a.png") == 1
    assert picture_is_right()
    assert len([*Path("notes").iterdir()]) == 1
    # The next one needs no copy either.
    assert draw(_ASKS_NOBODY + "\ndel os.fork")[0] == ExitCode.FINE


def test_it_matters_not_how_the_program_is_started() -> None:
    assert draw(_STARTED_ODDLY) == (ExitCode.FINE, "", "")
    assert picture_is_right()


def test_without_a_driver_it_is_one_sentence_and_no_crash() -> None:
    if gl.probe().window_class == "vtkOSOpenGLRenderWindow":
        pytest.skip("OSMesa needs no driver")
    code, out, errors = draw(**_NOWHERE)
    assert (code, out) == (ExitCode.NO_PICTURE, "")
    assert errors.startswith("collision-viewer: no picture can be drawn on this machine: OpenGL does not start")
    assert errors.count("\n") == 1
    assert not Path("a.png").exists()


@pytest.mark.parametrize("ending", ["os.abort()", "False", "os.write(2, b'noise') and signal.raise_signal(14)"])
def test_after_a_copy_that_cannot_draw_the_program_asks_and_draws(ending: str) -> None:
    asked = "ask = gl.probe\ndef probe():\n  print('asked')\n  return ask()\ngl.probe = probe\n"
    asked += "signal.signal(signal.SIGALRM, signal.SIG_IGN)\n"
    code, out, errors = draw(asked + _BROKEN.format(ending=ending))
    assert (code, out.count("asked"), errors) == (ExitCode.FINE, 1, "")
    assert picture_is_right()


def test_a_crash_after_the_picture_is_a_crash() -> None:
    change = "from viewer.studio import pictures\n"
    change += "pictures.write_bytes = lambda *_: signal.raise_signal(signal.SIGSEGV)"
    assert draw(change)[0] == -signal.SIGSEGV


def test_a_crash_at_the_end_writes_nothing_twice_also_where_no_note_can_be_written() -> None:
    code, out, _ = draw("gl._cache_folder = lambda: None\nimport atexit\natexit.register(os.abort)")
    assert (code, out.count("a.png")) == (-signal.SIGABRT, 1)


_Waiting = Callable[..., tuple[subprocess.Popen[str], int]]


@pytest.fixture
def waiting() -> Iterator[_Waiting]:
    """Start the program; return it once its copy reads a scene, which takes a minute, and the copy."""
    Path("slow.py").write_text(
        "import os, time\ndef scene():\n    os.symlink(str(os.getpid()), 'copy')\n    time.sleep(60)\n",
        encoding="utf-8",
    )
    with ExitStack() as started:

        def begin(change: str = "") -> tuple[subprocess.Popen[str], int]:
            running = started.enter_context(start(change, scene="slow.py"))
            started.callback(running.kill)
            while not Path("copy").is_symlink() and running.poll() is None:
                time.sleep(0.01)
            copy = int(os.readlink("copy"))
            assert copy != running.pid
            return running, copy

        yield begin


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (signal.SIGINT, ExitCode.INTERRUPTED),
        (signal.SIGTERM, -signal.SIGTERM),
        (signal.SIGKILL, -signal.SIGKILL),
        (signal.SIGUSR1, -signal.SIGUSR1),
    ],
)
def test_a_signal_to_the_program_ends_its_copy(waiting: _Waiting, number: signal.Signals, code: int) -> None:
    running, copy = waiting()
    running.send_signal(number)
    assert running.wait(timeout=60) == code
    assert is_gone(copy)


def test_the_end_of_its_terminal_ends_the_copy(waiting: _Waiting) -> None:
    ours, terminal = os.openpty()
    with open(ours, "wb"), open(terminal, "rb"):
        running, copy = waiting(f"os.setsid(); os.open({os.ttyname(terminal)!r}, os.O_RDWR)")
    assert running.wait(timeout=60) == -signal.SIGHUP
    assert is_gone(copy)


def test_ctrl_c_just_before_there_is_a_copy_ends_it() -> None:
    change = (
        "ours, terminal = os.openpty(); os.setsid(); os.open(os.ttyname(terminal), os.O_RDWR); fork = os.fork\n"
        "def fork_late():\n"
        "    os.write(ours, b'\\x03')\n"
        "    while signal.SIGINT not in signal.sigpending(): pass\n"
        "    return fork()\n"
        "os.fork = fork_late"
    )
    assert draw(change) == (ExitCode.INTERRUPTED, "", "")


@pytest.mark.parametrize(
    ("change", "code"),
    [("", -signal.SIGKILL), ("os.kill = lambda *_: 'as to the first process of a container'", 128 + signal.SIGKILL)],
)
def test_the_program_ends_as_a_copy_that_was_killed(waiting: _Waiting, change: str, code: int) -> None:
    running, copy = waiting(change)
    os.kill(copy, signal.SIGKILL)
    _, errors = running.communicate(timeout=60)
    assert (running.returncode, errors) == (code, "")


def test_where_there_can_be_no_copy_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> int:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(gl, "known", lambda: False)
    monkeypatch.setattr(os, "listdir", lambda _: ["1"])
    monkeypatch.setattr(os, "fork", none)
    assert trial.ended_in_copy() is None
    assert not gl.on_trial()
    monkeypatch.setattr(os, "listdir", lambda _: Path("no proc").stat())
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("not known to have no threads"))
    assert trial.ended_in_copy() is None


def test_windows_has_fewer_signals(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SIGALRM", "SIGBUS", "SIGCHLD", "SIGHUP", "SIGKILL", "SIGTRAP", "pthread_sigmask"):
        monkeypatch.delattr(signal, name)
    assert runpy.run_path(trial.__file__)["proved"](lambda: "made", pytest.fail, quickly=True) == "made"


def test_a_process_that_has_threads_is_not_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "listdir", lambda _: ["1", "2"])
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("a process with threads was copied"))
    assert trial.ended_in_copy() is None


def test_red_pixels_are_told_from_others() -> None:
    gl.ensure_offscreen()
    screen = Screen(64, 48)
    screen.renderer.SetBackground(0.2, 0.4, 0.6)
    assert screen.draws()
    assert screen.render_window.GetSize() == (64, 48)
    assert screen.renderer.GetBackground() == (0.2, 0.4, 0.6)
    screen.renderer.AddObserver("StartEvent", lambda *_: screen.renderer.SetBackground(0.0, 0.0, 0.0))
    assert not screen.draws()
    screen.close()


def test_the_program_from_source_may_be_copied_as_the_installed_one_may() -> None:
    """Its own name ends as that of a scene in Python does, for which NumPy has threads: with them there is no copy."""
    code = "from viewer import trial; import os, runpy, sys; sys.argv[1:] = ['render', 'first']\n"
    code += "import viewer.cli.options as options; once = options.one_blas_thread\n"
    code += "options.one_blas_thread = lambda: (print('one'), once())\n"
    code += "trial.ended_in_copy = lambda: print(len(os.listdir('/proc/self/task'))) or 0\n"
    code += "runpy.run_module('viewer', run_name='__main__', alter_sys=True)"
    found = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | {"PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE, check=True
    )
    assert found.stdout.split() == [b"one", b"1"]
