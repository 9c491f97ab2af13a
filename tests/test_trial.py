"""Where nothing is known of OpenGL, the program draws in a copy of itself, and a copy that crashes is no crash."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.helpers import red_pixels
from viewer import gl, trial
from viewer.cli.errors import ExitCode
from viewer.stage.screen import Screen

ROOT = Path(__file__).parent.parent

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has copies of a process that may draw")

#: The program, with an empty folder for notes, and with a line that breaks something in it.
_PROGRAM = """
import os, signal, sys
from pathlib import Path
from viewer import gl
gl._cache_folder = lambda: Path("notes")
{change}
from viewer.__main__ import main
sys.exit(main())
"""

_ASKS_NOBODY = "def probe(): sys.exit('a second Python was asked')\ngl.probe = probe"
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
    code, out, errors = draw(asked + _BROKEN.format(ending=ending))
    assert (code, out.count("asked"), errors) == (ExitCode.FINE, 1, "")
    assert picture_is_right()


def test_a_crash_after_the_picture_is_a_crash() -> None:
    change = "import viewer.pictures\nviewer.pictures.write_bytes = lambda *_: signal.raise_signal(signal.SIGSEGV)"
    assert draw(change)[0] == -signal.SIGSEGV


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, ExitCode.INTERRUPTED), (signal.SIGTERM, -signal.SIGTERM)])
def test_a_signal_to_the_program_reaches_its_copy(number: signal.Signals, code: int) -> None:
    Path("slow.py").write_text(
        "import os, time\ndef scene():\n    os.symlink(str(os.getpid()), 'copy')\n    time.sleep(60)\n",
        encoding="utf-8",
    )
    with start(scene="slow.py") as running:
        while not Path("copy").is_symlink() and running.poll() is None:
            time.sleep(0.01)
        copy = int(os.readlink("copy"))
        assert copy != running.pid
        running.send_signal(number)
        running.communicate(timeout=60)
    assert running.returncode == code
    with pytest.raises(ProcessLookupError):
        os.kill(copy, 0)


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
