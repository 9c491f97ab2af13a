"""What a command costs from its start to its end, in time of the processor: most of it is imports."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from types import MappingProxyType

import numpy as np

from collision import AABB, Capsule, OrientedBox, Sphere
from collision.native import built_library, loops_of
from collision.native.library import INSTALLED, LEFT
from collision.scenefile import load_scene
from tests.benchmarks.measure import Bench, Disagreement, Effort, Goal, Result, Row, Task, at_most, within

_ROOT = Path(__file__).parent.parent.parent

#: What the commands are asked about: it lies beside the packages.
_SCENE = "examples/first.toml"

#: A path in a command that stands for one where a picture can be written.
_PICTURE = "PICTURE"

#: What is started, with the arguments of Python, and how long it may take.
_COMMANDS: Mapping[str, tuple[list[str], Goal | None]] = {
    "python": (["-c", "pass"], None),
    "import numpy": (["-c", "import numpy"], None),
    "import collision": (["-c", "import collision"], within(0.120)),
    "import of all of collision": (["-c", "from collision import *"], None),
    "--help": (["-m", "viewer", "--help"], within(0.200)),
    "check FILE": (["-m", "viewer", "check", _SCENE], within(0.400)),
    "check NAME": (["-m", "viewer", "check", "first"], within(0.400)),
    "test FILE": (["-m", "viewer", "test", "--jobs", "1", _SCENE], None),
}
_RENDER = ["-m", "viewer", "render", _SCENE, "-o", _PICTURE]


def tasks(effort: Effort) -> Iterator[Task]:
    """Yield what there is to measure."""
    yield Task("start, with bytecode", partial(_commands, True))
    yield Task("start, without bytecode", partial(_commands, False))
    if effort.started == len(_COMMANDS):
        yield Task("start, a picture", _picture)
        yield Task("start, the first picture ever", _first_picture)


def _commands(bytecode: bool, bench: Bench) -> Iterable[Row]:
    """Start each command some times in turn; medians, as every process is another one."""
    work = ("start of a process" if bytecode else "start without bytecode") + _compiled_later()
    with _installed(bytecode) as folder:
        chosen = list(_COMMANDS)[: bench.effort.started]
        seconds = _race({name: _COMMANDS[name][0] for name in chosen}, folder, bench)
    for name in chosen:
        goal = _COMMANDS[name][1]
        yield Row(work, name, Result(None, seconds[name]), goal=goal if bytecode else None, alone=True)


def _picture(bench: Bench) -> Iterable[Row]:
    """Draw a picture of the same shapes with a script that does nothing else."""
    with _installed(True) as folder:
        bare = [str(Path(__file__).with_name("bare_pyvista.py")), _shapes(), _PICTURE]
        seconds = _race({"ours": _RENDER, "bare": bare}, folder, bench)
    ours, theirs = (Result(None, seconds[name]) for name in ("ours", "bare"))
    work = "start of a process" + _compiled_later()
    yield Row(work, "render FILE", ours, "bare PyVista", theirs, at_most(1.1), alone=True)


def _first_picture(bench: Bench) -> Iterable[Row]:
    """Draw a picture where nobody has drawn before, and again: nothing is known of OpenGL, and Mesa has no shaders.

    What is compiled of ours is there: installed, it always is.
    """
    seconds: dict[str, list[float]] = {"first": [], "later": []}
    with _installed(True) as folder:
        code, shaders = folder / "code", folder / "shaders"
        caches = {"COLLISION_CACHE_DIR": str(code), "MESA_SHADER_CACHE_DIR": str(shaders)}
        _cpu_seconds(_RENDER, folder, caches)
        for number in range(3 * bench.effort.starts):  # a tenth more or less is what there is to see
            bench.say(f"start {number + 1}")
            for unknown in (code / "gl", shaders):
                shutil.rmtree(unknown, ignore_errors=True)
            for when in ("first", "later"):
                seconds[when].append(_cpu_seconds(_RENDER, folder, caches))
    ours, theirs = (Result(None, np.array([np.median(seconds[when])])) for when in ("first", "later"))
    work = "start of a process" + _compiled_later()
    yield Row(work, "render FILE, the first ever", ours, "a later one", theirs, at_most(1.4), alone=True)


def _race(commands: Mapping[str, list[str]], folder: Path, bench: Bench) -> dict[str, np.ndarray]:
    """Return the median of each command, after one start each that is not counted."""
    found: dict[str, list[float]] = {name: [] for name in commands}
    for number in range(2 * bench.effort.starts + 1):
        for name, command in commands.items():
            bench.say(f"{name}, start {number + 1}")
            found[name].append(_cpu_seconds(command, folder))
    return {name: np.array([np.median(seconds[1:])]) for name, seconds in found.items()}


def _cpu_seconds(command: list[str], folder: Path, caches: Mapping[str, str] = MappingProxyType({})) -> float:
    """Run Python with some arguments in a folder, and return the time that processors spent on it."""
    words = [str(folder / "picture.png") if word == _PICTURE else word for word in command]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env=_environment(folder) | caches,
        capture_output=True,
        text=True,
        check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 10):  # shapes of the scene overlap
        raise Disagreement(f"{' '.join(words)}\n{done.stderr}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _environment(folder: Path) -> dict[str, str]:
    own = {name: value for name, value in os.environ.items() if name not in ("PYTHONPYCACHEPREFIX", _NO_BYTECODE)}
    own["PYTHONPATH"] = str(folder)
    return own if (folder / _WRITES).exists() else own | {_NO_BYTECODE: "1"}


_NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"

#: A file that says that bytecode may be written beside the sources.
_WRITES = "writes bytecode"


@contextmanager
def _installed(bytecode: bool) -> Iterator[Path]:
    """Have a copy of the packages as installed, but without bytecode; the first start writes it, or none does.

    Those who install with pip have bytecode at once; where the folder cannot be written, and the installer left it out,
    nobody ever has.
    """
    with tempfile.TemporaryDirectory(prefix="collision-benchmark-") as name:
        folder = Path(name)
        for package in ("collision", "viewer", "examples"):
            shutil.copytree(_ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
        if (library := _library()) is not None:
            place = folder / INSTALLED.relative_to(_ROOT)
            shutil.copytree(library, place, ignore=shutil.ignore_patterns("objects"), dirs_exist_ok=True)
        if bytecode:
            (folder / _WRITES).touch()
        yield folder


@cache
def _library() -> Path | None:
    """Return the folder of the library of all loops, if there is one, and no loop has changed since it was built."""
    library = built_library()
    if library is None:
        return None
    loops = loops_of("collision")
    same = all(loop.is_in(library) for loop in loops)
    return (LEFT if library.left else INSTALLED) if same else None


def _compiled_later() -> str:
    """Say what is not as it is for those who have installed the packages, if anything is."""
    return "" if _library() else ", no library"


def _shapes() -> str:
    """Return the shapes of the scene as JSON: spheres, capsules, and boxes as center, axes and half the size."""
    found: dict[str, list[list[object]]] = {"spheres": [], "capsules": [], "boxes": []}
    for shape in load_scene(_ROOT / _SCENE).shapes.values():
        box = shape.oriented() if isinstance(shape, AABB) else shape
        kind = {Sphere: "spheres", Capsule: "capsules", OrientedBox: "boxes"}[type(box)]
        found[kind].append([value.tolist() for value in box.values().values()])
    return json.dumps(found)
