"""The question whether this machine can draw never ends in a crash, and is not asked more often than needed."""

from __future__ import annotations

import json
import os
import platform
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from viewer.stage import gl

LINUX = sys.platform.startswith("linux")
needs_linux = pytest.mark.skipif(not LINUX, reason="other systems have no choice of windows")

Answer = Callable[[str, dict[str, str]], "subprocess.CompletedProcess[str]"]


def done(code: int = 0, out: str = "", err: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.CompletedProcess([], code, out, err)


def success(window: str = "vtkEGLRenderWindow", red: float = 255.0) -> subprocess.CompletedProcess[str]:
    return done(out=f"noise\nprobe {json.dumps([window, 'llvmpipe (LLVM 15)', red])}\n")


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Make this process one that has not asked yet, with a folder of its own for notes."""
    monkeypatch.setattr(gl, "_READINESS", gl._Readiness())
    monkeypatch.setattr(gl, "_cache_folder", lambda: tmp_path / "notes")
    monkeypatch.setenv(gl.WINDOW_VARIABLE, "set, so that it is put back")
    monkeypatch.delenv(gl.WINDOW_VARIABLE)
    return tmp_path / "notes"


def answer_with(monkeypatch: pytest.MonkeyPatch, answer: Answer) -> list[str | None]:
    """Have second processes answer so; return the kinds of window that they were asked for."""
    asked: list[str | None] = []

    def run(code: str, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
        asked.append(environment.get(gl.WINDOW_VARIABLE))
        return answer(code, environment)

    monkeypatch.setattr(gl, "run_apart", run)
    return asked


def test_this_machine_can_draw() -> None:
    report = gl.probe()
    assert report.ok, report.problem
    assert report.renderer
    assert report.window_class.startswith("vtk")
    assert (report.problem, report.remedy) == ("", "")


@needs_linux
def test_without_drivers_it_is_a_report_and_no_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("__EGL_VENDOR_LIBRARY_FILENAMES", "/nowhere"), ("LIBGL_DRIVERS_PATH", "/nowhere")):
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("DISPLAY", raising=False)
    report = gl.probe()
    if report.ok:  # OSMesa needs neither
        assert report.window_class == "vtkOSOpenGLRenderWindow"
    else:
        assert report.problem.startswith("OpenGL does not start")
        assert report.remedy


@needs_linux
def test_a_program_without_drivers_ends_in_one_sentence() -> None:
    code = (
        "import sys; from viewer.stage import gl\n"
        "gl._WITHOUT_DISPLAY = ()\n"
        "from viewer.stage.stage import Stage\n"
        "try: Stage.offscreen((64, 48))\n"
        "except gl.GLUnavailable as error: sys.exit(str(error))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code],
        env={"__EGL_VENDOR_LIBRARY_FILENAMES": "/nowhere", "PATH": "/usr/bin:/bin", "XDG_CACHE_HOME": "/nowhere"},
        cwd=Path(__file__).parent.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 1, ended.stderr
    assert ended.stderr.splitlines()[-1].startswith("no picture can be drawn on this machine: OpenGL does not start")


@pytest.mark.parametrize(
    ("ending", "words"),
    [
        (done(-11), "SIGSEGV"),
        (done(139), "code 139"),
        (done(1, err="Traceback ...\nImportError: libGL.so.1: cannot open"), "ImportError: libGL.so.1: cannot open"),
        (success(red=0.0), "draws wrong colors"),
    ],
)
def test_how_a_test_picture_failed_is_told(
    monkeypatch: pytest.MonkeyPatch, ending: subprocess.CompletedProcess[str], words: str
) -> None:
    answer_with(monkeypatch, lambda *_: ending)
    report = gl.probe()
    assert not report.ok
    assert words in report.problem


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (subprocess.TimeoutExpired([], 1.0), "within 120 seconds"),
        (FileNotFoundError("no python"), "could not be started"),
    ],
)
def test_a_second_process_that_hangs_or_does_not_start(
    monkeypatch: pytest.MonkeyPatch, error: Exception, words: str
) -> None:
    def fail(*_: object) -> subprocess.CompletedProcess[str]:
        raise error

    answer_with(monkeypatch, fail)
    assert words in gl.probe().problem


@pytest.mark.parametrize(
    ("release", "user", "words"),
    [
        ({"ID": "debian"}, 0, ": apt-get install -y libegl1 libgl1-mesa-dri"),
        ({"ID": "mint", "ID_LIKE": "ubuntu debian"}, 1000, ": sudo apt-get install -y libegl1 libgl1-mesa-dri"),
        ({"ID": "fedora"}, 0, "dnf install -y mesa-libEGL mesa-dri-drivers"),
        ({"ID": "arch"}, 0, "your distribution's packages of Mesa"),
    ],
)
@needs_linux
def test_the_remedy_fits_the_system(
    monkeypatch: pytest.MonkeyPatch, release: dict[str, str], user: int, words: str
) -> None:
    answer_with(monkeypatch, lambda *_: done(-11))
    monkeypatch.setattr(platform, "freedesktop_os_release", lambda: release)
    monkeypatch.setattr("os.geteuid", lambda: user)
    assert words in gl.probe().remedy


def test_other_systems_have_a_remedy_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gl, "_is_linux", lambda: False)
    monkeypatch.delenv(gl.WINDOW_VARIABLE, raising=False)
    answer_with(monkeypatch, lambda *_: done(-11))
    assert "driver of the graphics card" in gl.probe().remedy
    assert gl.has_display()


@needs_linux
def test_without_a_display_other_windows_are_tried(monkeypatch: pytest.MonkeyPatch, fresh: Path) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    working = "vtkOSOpenGLRenderWindow"
    asked = answer_with(
        monkeypatch, lambda _, env: success(working) if env.get(gl.WINDOW_VARIABLE) == working else done(-11)
    )
    assert gl.probe().window_class == working
    assert asked == [None, "vtkEGLRenderWindow", working]


@needs_linux
def test_the_users_own_choice_comes_first(monkeypatch: pytest.MonkeyPatch, fresh: Path) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.setenv(gl.WINDOW_VARIABLE, "vtkNonsense")
    asked = answer_with(monkeypatch, lambda _, env: done(-11) if gl.WINDOW_VARIABLE in env else success())
    assert gl.probe().ok
    assert asked == ["vtkNonsense", None]


@needs_linux
def test_the_choice_is_made_known_to_vtk(monkeypatch: pytest.MonkeyPatch, fresh: Path) -> None:
    monkeypatch.setenv(gl.WINDOW_VARIABLE, "")  # which makes VTK crash
    answer_with(monkeypatch, lambda *_: success())
    gl.ensure_offscreen()
    assert os.environ[gl.WINDOW_VARIABLE] == "vtkEGLRenderWindow"


def test_a_success_is_asked_for_once(monkeypatch: pytest.MonkeyPatch, fresh: Path) -> None:
    asked = answer_with(monkeypatch, lambda *_: success())

    def next_process() -> None:
        monkeypatch.setattr(gl, "_READINESS", gl._Readiness())
        monkeypatch.delenv(gl.WINDOW_VARIABLE, raising=False)
        gl.ensure_offscreen()
        gl.ensure_offscreen()

    next_process()
    assert len(asked) == 1
    assert not fresh.exists()  # nothing is known before the first frame
    gl.confirm("vtkEGLRenderWindow")
    next_process()
    assert len(asked) == 1
    # This process crashes before its first frame: it has taken the note with it.
    assert not list(fresh.iterdir())
    next_process()
    assert len(asked) == 2


def test_what_was_found_elsewhere_does_not_count(monkeypatch: pytest.MonkeyPatch, fresh: Path) -> None:
    asked = answer_with(monkeypatch, lambda *_: success())
    gl.ensure_offscreen()
    gl.confirm("vtkEGLRenderWindow")
    monkeypatch.setattr(gl, "_READINESS", gl._Readiness())
    monkeypatch.delenv(gl.WINDOW_VARIABLE, raising=False)
    monkeypatch.setenv("LIBGL_DRIVERS_PATH", "/elsewhere")
    gl.ensure_offscreen()
    assert len(asked) == 2


def test_no_place_for_notes_is_no_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, fresh: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setattr(gl, "_cache_folder", lambda: tmp_path / "file" / "notes")
    asked = answer_with(monkeypatch, lambda *_: success())
    gl.ensure_offscreen()
    gl.confirm("vtkEGLRenderWindow")
    assert len(asked) == 1


def test_a_failure_is_not_remembered(monkeypatch: pytest.MonkeyPatch, fresh: Path) -> None:
    answer_with(monkeypatch, lambda *_: done(-11))
    with pytest.raises(gl.GLUnavailable, match="no picture can be drawn on this machine: OpenGL does not start"):
        gl.ensure_offscreen()
    gl.confirm("vtkEGLRenderWindow")
    assert not fresh.exists()
    answer_with(monkeypatch, lambda *_: success())
    gl.ensure_offscreen()


@pytest.mark.parametrize("display", ["", "nonsense", ":", ":987654", "127.0.0.1:x", "127.0.0.1:987654"])
@needs_linux
def test_a_display_that_does_not_answer_is_none(monkeypatch: pytest.MonkeyPatch, display: str) -> None:
    monkeypatch.setenv("DISPLAY", display)
    assert not gl.has_display()


@needs_linux
def test_a_display_that_answers_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        port = server.getsockname()[1]
        assert port > 6000
        monkeypatch.setenv("DISPLAY", f"127.0.0.1:{port - 6000}.0")
        assert gl.has_display()


def test_software_is_told_from_hardware() -> None:
    assert gl.GLReport(True, "llvmpipe (LLVM 15.0.6, 256 bits)").software
    assert not gl.GLReport(True, "NVIDIA H100/PCIe/SSE2").software
