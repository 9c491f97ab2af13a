"""Can this machine draw? Asked in a second process, because where OpenGL is missing VTK does not fail: it crashes.

A second process takes half a second. So that not every picture pays it, a success is written down, under a digest of
all that it depends on as far as can be seen. What cannot be seen (a driver that was replaced behind our back) does no
harm more than once: the note is taken away before the first frame and put back after it. A process that crashes in
between leaves no note, and the next one asks again.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

#: What Debian and Ubuntu need; ``libegl1`` alone is not enough.
DEBIAN_PACKAGES = "libegl1 libgl1-mesa-dri"

#: The variable that tells VTK which kind of window to make. Set but empty, it makes VTK crash.
WINDOW_VARIABLE = "VTK_DEFAULT_OPENGL_WINDOW"

#: The kinds of window that need no display, in the order in which they are tried.
_WITHOUT_DISPLAY = ("vtkEGLRenderWindow", "vtkOSOpenGLRenderWindow")

#: Seconds that a test picture may take. Importing VTK for the first time can be slow.
_TIMEOUT = 120.0

#: Environment variables that decide which OpenGL is found.
_DECISIVE = ("DISPLAY", "XAUTHORITY", "VTK_", "LD_", "LIBGL_", "MESA_", "GALLIUM_", "EGL_", "__EGL", "__GL", "NVIDIA_")

#: Files and folders that change when graphics libraries are installed or removed.
_DECISIVE_FILES = ("/etc/ld.so.cache", "/usr/share/glvnd/egl_vendor.d", "/etc/glvnd/egl_vendor.d", "/dev/dri")
_DRIVERS = ("lib/dri", "lib64/dri", "lib/*/dri")

_SOFTWARE = ("llvmpipe", "softpipe", "swrast", "swiftshader", "gdi generic", "basic render")

_TEST_PICTURE = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
sys.modules["numpy"] = None  # VTK can do without, and importing it takes as long as all the rest
import vtkmodules.vtkRenderingOpenGL2
from vtkmodules.vtkRenderingCore import vtkRenderer, vtkRenderWindow, vtkWindowToImageFilter
window, renderer, grab = vtkRenderWindow(), vtkRenderer(), vtkWindowToImageFilter()
window.SetOffScreenRendering(1)
window.SetMultiSamples(0)
window.SetSize(8, 8)
renderer.SetBackground(1.0, 0.0, 0.0)
window.AddRenderer(renderer)
window.Render()
grab.SetInput(window)
grab.Update()
facts = [line.split(":", 1) for line in window.ReportCapabilities().splitlines() if ":" in line]
name = next((value.strip() for key, value in facts if key.strip() == "OpenGL renderer string"), "")
red = grab.GetOutput().GetScalarComponentAsDouble(4, 4, 0, 0)
print("probe", json.dumps([window.GetClassName(), name, red]), flush=True)
"""


class GLUnavailable(RuntimeError):  # noqa: N818 (reads as what it says)
    """Nothing can be drawn on this machine; the message says what to do about it."""


@dataclass(frozen=True)
class GLReport:
    """What a test picture showed.

    Attributes
    ----------
    ok : bool
        Whether pictures can be drawn.
    renderer : str
        What OpenGL calls itself, such as ``llvmpipe (LLVM 15.0.6, 256 bits)``.
    window_class : str
        The kind of VTK window that works.
    problem : str
        Why nothing can be drawn; empty if all is well.
    remedy : str
        What to do about it, in one sentence; empty if all is well.
    """

    ok: bool
    renderer: str = ""
    window_class: str = ""
    problem: str = ""
    remedy: str = ""

    @property
    def software(self) -> bool:
        """Whether the processor draws, rather than a graphics card."""
        return is_software(self.renderer)


def is_software(renderer: str) -> bool:
    """Say whether the processor draws, by what OpenGL calls itself.

    Examples
    --------
    >>> is_software("llvmpipe (LLVM 15.0.6, 256 bits)"), is_software("Mesa Intel(R) UHD Graphics 620")
    (True, False)
    """
    return any(name in renderer.lower() for name in _SOFTWARE)


@dataclass
class _Readiness:
    """What this process has done so far: nothing, made sure (and has a note to write), or drawn."""

    sure: bool = False
    note: Path | None = None


_READINESS = _Readiness()


def probe() -> GLReport:
    """Draw a test picture in a second process, and report.

    The user's own kind of window is tried first, then what VTK takes by itself, then those that need no display.

    Returns
    -------
    GLReport
        Of the first kind of window that works, or of the first that was tried.
    """
    kinds = os.environ.get(WINDOW_VARIABLE) or None, None, *(_WITHOUT_DISPLAY if _is_linux() else ())
    reports = []
    for window_class in dict.fromkeys(kinds):
        report = _try_window(window_class)
        if report.ok:
            return report
        reports.append(report)
    return reports[0]


def ensure_offscreen() -> None:
    """Make sure that pictures can be drawn without a window, and choose the kind of VTK window for it.

    To be called before the first frame; later calls cost nothing.

    Raises
    ------
    GLUnavailable
        If nothing can be drawn, with the one sentence that says what to do.
    """
    if _READINESS.sure:
        return
    if os.environ.get(WINDOW_VARIABLE) == "":
        del os.environ[WINDOW_VARIABLE]
    note = _note()  # before this function changes the environment that the note's name depends on
    window_class = _take(note)
    if window_class is None:
        report = probe()
        if not report.ok:
            raise GLUnavailable(f"no picture can be drawn on this machine: {report.problem}. {report.remedy}")
        window_class = report.window_class
    if window_class in _WITHOUT_DISPLAY:
        os.environ[WINDOW_VARIABLE] = window_class
    _READINESS.sure, _READINESS.note = True, note


def ensure_window() -> None:
    """Make sure that a window can be opened on the display that there is.

    To be called before the first frame.

    Raises
    ------
    GLUnavailable
        If the display cannot draw, with the one sentence that says what to do.
    """
    if os.environ.get(WINDOW_VARIABLE) in ("", *_WITHOUT_DISPLAY):
        del os.environ[WINDOW_VARIABLE]  # forced to one that needs no display, VTK opens no window
    note = _note()
    if _take(note) in (None, *_WITHOUT_DISPLAY):
        report = _try_window(None)
        if report.window_class in _WITHOUT_DISPLAY:
            raise GLUnavailable(
                "no window can be opened: OpenGL (GLX) does not start on this display, though it does without one. "
                "A picture can still be made: collision-viewer render"
            )
        if not report.ok:
            raise GLUnavailable(f"no window can be opened: {report.problem}. {report.remedy}")
    _READINESS.sure, _READINESS.note = True, note


def confirm(window_class: str) -> None:
    """Write down that a frame was drawn; to be called after it with the window's class. Later calls cost nothing."""
    note, _READINESS.note = _READINESS.note, None
    if note is None:
        return
    from collision.inner import write_text

    # Without a place to keep it the next process asks again; that is all.
    with suppress(OSError):
        note.parent.mkdir(parents=True, exist_ok=True)
        write_text(note, window_class)


def has_display() -> bool:
    """Say whether a window can be opened: on Linux, whether an X server answers; elsewhere there is always one."""
    if not _is_linux():
        return True
    host, _, rest = os.environ.get("DISPLAY", "").rpartition(":")
    number = rest.partition(".")[0]
    if not number.isdigit():
        return False
    if host in ("", "unix"):
        path = f"/tmp/.X11-unix/X{number}"
        return any(_answers(socket.AF_UNIX, address) for address in (path, f"\0{path}"))
    return _answers(socket.AF_INET, (host, 6000 + int(number)))


def _is_linux() -> bool:
    return sys.platform.startswith("linux")


def _answers(family: int, address: str | tuple[str, int]) -> bool:
    with socket.socket(family, socket.SOCK_STREAM) as connection:
        connection.settimeout(2.0)
        try:
            connection.connect(address)
        except (OSError, OverflowError):  # no such server, or no such port
            return False
        return True


def _try_window(window_class: str | None) -> GLReport:
    environment = {name: value for name, value in os.environ.items() if name != WINDOW_VARIABLE}
    environment.setdefault("OPENBLAS_NUM_THREADS", "1")  # VTK imports NumPy, whose threads would wait for work
    if window_class is not None:
        environment[WINDOW_VARIABLE] = window_class
    try:
        done = run_apart(_TEST_PICTURE, environment)
    except subprocess.TimeoutExpired:
        return _failure(f"a test picture was not drawn within {_TIMEOUT:.0f} seconds")
    except OSError as error:
        return _failure(f"a second Python for a test picture could not be started ({error})")
    answer = [line for line in done.stdout.splitlines() if line.startswith("probe ")]
    if not answer:
        return _failure(f"OpenGL does not start ({last_words(done, 'a test picture')})")
    name, renderer, red = json.loads(answer[-1].removeprefix("probe "))
    if red != 255.0:
        return _failure(f"OpenGL ({renderer}) draws wrong colors")
    return GLReport(True, renderer, name)


def run_apart(code: str, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run code that may crash in a second Python, which is given the paths of this one as its first argument."""
    return subprocess.run(
        [sys.executable, "-c", code, json.dumps([str(folder) for folder in sys.path])],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=_TIMEOUT,
        check=False,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )


def last_words(done: subprocess.CompletedProcess[str], what: str) -> str:
    """Say in a few words how a process ended that gave no answer, and what it was to do."""
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    if done.returncode > 0 and lines:
        return lines[-1].strip()  # the last line of a traceback
    return f"{what} {ending_of(done.returncode)}"


def ending_of(code: int) -> str:
    """Say in words how a process ended that did not end well.

    Examples
    --------
    >>> ending_of(-11), ending_of(1)
    ('ended in SIGSEGV', 'ended with code 1')
    """
    with suppress(ValueError):
        return f"ended in {signal.Signals(-code).name}"
    return f"ended with code {code}"


def _failure(problem: str) -> GLReport:
    return GLReport(False, problem=problem, remedy=_remedy())


def _remedy() -> str:
    if not _is_linux():
        return "Install the current driver of the graphics card."
    try:
        release = platform.freedesktop_os_release()
    except OSError:
        release = {}
    families = {release.get("ID", ""), *release.get("ID_LIKE", "").split()}
    if families & {"debian", "ubuntu"}:
        root = "" if getattr(os, "geteuid", lambda: 0)() == 0 else "sudo "
        return f"This installs what is missing: {root}apt-get install -y {DEBIAN_PACKAGES}"
    if "fedora" in families:
        return "This installs what is missing: dnf install -y mesa-libEGL mesa-dri-drivers"
    return (
        "Install your distribution's packages of Mesa: EGL (libEGL.so.1) and the software driver (swrast or llvmpipe)."
    )


def _note() -> Path | None:
    """Return where a success is written down: a file named after all that it depends on; None without a place."""
    folder = _cache_folder()
    if folder is None:
        return None
    vtk = find_spec("vtkmodules")
    facts = [sys.executable, platform.release(), f"display: {has_display()}", f"vtk: {vtk.origin if vtk else None}"]
    facts += sorted(f"{name}={value}" for name, value in os.environ.items() if name.startswith(_DECISIVE))
    drivers = sorted(str(path) for pattern in _DRIVERS for path in Path("/usr").glob(pattern))
    for name in (*_DECISIVE_FILES, *drivers, *([vtk.origin] if vtk and vtk.origin else [])):
        with suppress(OSError):
            facts.append(f"{name}: {os.stat(name).st_mtime_ns}")
    return folder / hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:32]


def _cache_folder() -> Path | None:
    from collision.inner import writable_folder

    return writable_folder("gl")


def _take(note: Path | None) -> str | None:
    """Read a note and take it away; None if there is none."""
    if note is None:
        return None
    with suppress(OSError):
        window_class = note.read_text(encoding="utf-8")
        note.unlink()
        return window_class or None
    return None
