"""The command that says what is installed, what can be drawn here, what is missing and how to get it.

Nothing of what is looked at is imported, so this works where NumPy, VTK or OpenGL are broken.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from json import loads
from pathlib import Path

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from viewer.cli.errors import ExitCode
from viewer.cli.options import FormatOption
from viewer.cli.output import print_rich, to_json
from viewer.package_conflicts import conflicting_packages, remedy
from viewer.stage import gl

#: What must be there.
REQUIRED = [
    "numpy",
    "platformdirs",
    "pydantic",
    "tomlkit",
    "pyvista",
    "vtk",
    "pillow",
    "matplotlib",
    "cyclopts",
    "rich",
]

#: What is said of the code of collision tests.
_TOPIC = "collision tests"

#: What compiles collision tests where they were not compiled when this was built: in a checkout.
COMPILERS = ("numba", "llvmlite")

#: Says which code of collision tests runs; see `collision.native.library`, which is not imported here.
_CODE_VARIABLE = "COLLISION_CODE"

#: Where what is compiled lies in an installed package.
_INSTALLED = Path(__file__).parents[2] / "collision" / "native" / "library" / "loops.json"

#: Asks a question that machine code answers, and prints for which processors that is, and whether it is a checkout's.
_QUESTION = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
try:
    from collision import Sphere, signed_distance
    from collision.inner import built_library, pair_call
    library = built_library()
    gap = signed_distance(Sphere([0, 0, 0], 1), Sphere([5, 0, 0], 1))
    print("answer", json.dumps([gap, library and library.baseline, library and library.left, pair_call()]), flush=True)
except ImportError as error:
    if not getattr(error, "advised", False):
        raise
    print("advice", json.dumps([str(error), type(error).__name__]), flush=True)
"""

#: What need not be there, and what does not work without it.
OPTIONAL = {
    "mujoco": "robot models in MuJoCo's format (.xml) cannot be read",
    "trimesh": "meshes of robot models cannot be read",
    "pycollada": "meshes of robot models in COLLADA files (.dae) cannot be read",
}


#: The widest that it is printed, in characters; a remedy is never broken, so that it can be copied.
WIDTH = 80


def doctor(*, format: FormatOption = "text") -> ExitCode:
    """Say which parts are installed, whether this machine can draw, which parts are missing and how to get them."""
    diagnosis = diagnose()
    if format == "json":
        print(to_json({"can_draw": diagnosis.can_draw, "findings": [asdict(one) for one in diagnosis.findings]}))
    else:
        print_rich(diagnosis)
    return ExitCode.FINE if diagnosis.can_draw else ExitCode.NO_PICTURE


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at: what there is, whether that is well, and what to do where it is not.

    Without what is ``needed`` nothing can be drawn.
    """

    topic: str
    found: str
    ok: bool = True
    needed: bool = True
    remedy: str = ""


@dataclass(frozen=True)
class Diagnosis:
    """All findings in the order in which they are read, to be printed with rich."""

    findings: tuple[Finding, ...]

    @property
    def can_draw(self) -> bool:
        """Whether nothing is missing that pictures need."""
        return all(finding.ok for finding in self.findings if finding.needed)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        # Wherever it is written to, it is read in a terminal or a report of a bug: it is never wider than one.
        width = min(options.max_width, WIDTH)
        marks = [_mark(finding) for finding in self.findings]
        first = max(map(len, marks)) + 2
        second = first + max(len(finding.topic) for finding in self.findings) + 2
        for mark, finding in zip(marks, self.findings, strict=True):
            head = Text.assemble(mark, " " * (first - len(mark)), finding.topic)
            head.pad_right(second - len(head))
            lines = Text(finding.found, overflow="fold").wrap(console, max(width - second, WIDTH // 4))
            for line in lines:
                line.rstrip()
            yield Text("\n" + " " * second).join([head + lines[0], *lines[1:]])
        for finding in self.findings:
            if finding.remedy:
                # A line that a terminal breaks by itself can still be copied as one.
                yield Text(f"\n{finding.topic}: {finding.remedy}", no_wrap=True, overflow="ignore")
        yield Text("\nPictures can be drawn." if self.can_draw else "\nNo picture can be drawn.")


def _mark(finding: Finding) -> Text:
    if finding.ok:
        return Text("ok", style="green")
    return Text("missing", style="bold red") if finding.needed else Text("-", style="yellow")


def diagnose() -> Diagnosis:
    """Look at everything; this draws a test picture in a second process and may take a few seconds."""
    return Diagnosis((*_programs(), ask_code(), *_packages(), *_graphics()))


def _programs() -> Iterator[Finding]:
    own = _version_of("collision-viewer") or "run from its sources, not installed"
    yield Finding("collision-viewer", own)
    yield Finding("Python", f"{platform.python_version()} at {sys.executable}")
    if found := conflicting_packages():
        text = f"the distribution {', '.join(found)} is installed, too, and overwrites files of this program"
        yield Finding("files", text, ok=False, remedy=remedy(found, sys.executable))
    yield Finding("system", f"{platform.system()} {platform.release()}, {platform.machine()}")


def ask_code() -> Finding:
    """Ask machine code a question, in a second process: what is broken there ends the process, without a word."""
    wanted = os.environ.get(_CODE_VARIABLE)
    try:
        done = gl.run_apart(_QUESTION, os.environ)
    except (OSError, subprocess.TimeoutExpired) as error:
        return _broken(f"a second Python for a question did not answer ({error})")
    said = [line for line in done.stdout.splitlines() if line.startswith(("answer ", "advice "))]
    first, _, rest = said[-1].partition(" ") if said else ("", "", "")
    if first == "advice":
        text, kind = loads(rest)
        return _broken(text) if kind == "WrongLibraryError" else Finding(_TOPIC, text, ok=False)
    if first != "answer":
        return _broken(gl.last_words(done, "a first question"))
    gap, baseline, left, call = loads(rest)
    if gap != 3.0:
        return _broken(f"a distance of 3 is said to be {gap}")
    text = f"compiled when this was built, for {baseline}" if baseline else "compiled when first needed"
    if left:
        text = f"compiled when build/ was made, for {baseline}; what has changed since, when first needed"
    text = f"{text} ({_CODE_VARIABLE} is {wanted!r})" if wanted else text
    return Finding(_TOPIC, f"{text}; one pair by {call}")


def _broken(problem: str) -> Finding:
    anew = f"installing it anew, in the checkout: {sys.executable} -m pip install --force-reinstall --no-deps ."
    return Finding(_TOPIC, problem, ok=False, remedy=anew if _INSTALLED.exists() else "")


def _packages() -> Iterator[Finding]:
    for name in REQUIRED:
        found = _version_of(name)
        remedy = "" if found else f"install it: {sys.executable} -m pip install {name}"
        yield Finding(name, found or "not installed", bool(found), remedy=remedy)
    without = [(name, f"without it {loss}", name) for name, loss in OPTIONAL.items()]
    if not _INSTALLED.exists():
        lost = "without it what changes in a checkout is not compiled"
        without = [*((name, lost, '--editable ".[compile]"') for name in COMPILERS), *without]
    for name, loss, wanted in without:
        found = _version_of(name)
        remedy = "" if found else f"{loss}; install it: {sys.executable} -m pip install {wanted}"
        yield Finding(name, found or "not installed", bool(found), needed=False, remedy=remedy)


def _graphics() -> Iterator[Finding]:
    report = gl.probe()
    if report.ok:
        drawn_by = "the processor" if report.software else "the graphics card"
        yield Finding("OpenGL", f"{report.renderer}, drawn by {drawn_by}, through {report.window_class}")
    else:
        yield Finding("OpenGL", report.problem, ok=False, remedy=report.remedy)
    if gl.has_display():
        yield Finding("display", "there is one: windows can be opened")
    else:
        remedy = '"collision-viewer open" needs one; "render" and "check" do not'
        yield Finding("display", "none: no window can be opened", ok=False, needed=False, remedy=remedy)


def _version_of(distribution: str) -> str:
    """Return the version of an installed distribution, or nothing where it is not installed."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        return ""
