"""A scene from any file that can hold one: ``.toml``, a ``.py`` with ``scene()``, or a robot model.

Every reader is imported when its kind of file is met, and none of them needs PyVista.
"""

from __future__ import annotations

import contextlib
import math
import os
import shlex
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from os import PathLike
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

import collision
from collision import Scene
from collision.inner import not_read, shown_path
from viewer.files.places import example_files, lesson_files
from viewer.files.state import FileState, state_of

if TYPE_CHECKING:
    from collision.importers import Model, Skipped, Trajectory
    from viewer.files.lessons import OpenLesson

#: Endings of the files of robot models.
MODELS = (".xml", ".mjcf", ".urdf")

#: So many examples are named at most, where a name is a part of theirs.
_MOST_MEANT = 3


class LoadError(ValueError):
    """A scene that cannot be had. The text is for the user: which file, what was expected, what was found."""


class ModelOptions(NamedTuple):
    """What is wanted of a robot model: values of joints, a pose by its name, and files to read beside it."""

    joints: tuple[tuple[str, float], ...] = ()
    pose: str = ""
    trajectory: Path | None = None
    srdf: Path | None = None
    packages: tuple[tuple[str, Path], ...] = ()
    visual: bool = False

    def words(self) -> list[str]:
        """Return what says so on a command line."""
        named = {"--pose": self.pose, "--trajectory": self.trajectory, "--srdf": self.srdf}
        pairs = [("--joint", f"{name}={value!r}") for name, value in self.joints]
        pairs += [(option, str(value)) for option, value in named.items() if value]
        pairs += [("--package", f"{name}={folder}") for name, folder in self.packages]
        return [word for pair in pairs for word in pair]


#: A model as its file has it.
AS_IT_IS = ModelOptions()


class Loaded(NamedTuple):
    """A scene and its file, what of that was left out, what else there is to say of it, and what reacts to changes.

    The state is what the file was like before it was read; None where the scene is from elsewhere. Of a lesson there is
    more to say than the scene; of a robot the model in the pose that the scene shows, what was wanted of it, and the
    trajectory that it goes along.
    """

    scene: Scene
    path: Path
    skipped: tuple[Skipped, ...] = ()
    notes: tuple[str, ...] = ()
    react: Callable[[Scene], Scene] | None = None
    state: FileState | None = None
    lesson: OpenLesson | None = None
    wanted: ModelOptions = AS_IT_IS
    model: Model | None = None
    trajectory: Trajectory | None = None

    def at(self, time: float | None) -> Loaded:
        """Return the same with the scene as it is at a time of its motion; None for one that has none."""
        return self if time is None else self._replace(scene=self.scene.at(time))

    def opening(self) -> tuple[str, str]:
        """Return how a robot is opened as it is here: by a command in a terminal, and in Python."""
        wanted, path = self.wanted, str(self.path)
        packages = {name: str(folder) for name, folder in wanted.packages}
        srdf = [] if wanted.srdf is None else [str(wanted.srdf)]
        words = ["collision-viewer", "open", path, *(word for file in srdf for word in ("--srdf", file))]
        words += [word for name, folder in packages.items() for word in ("--package", f"{name}={folder}")]
        words += [word for name in filter(None, [wanted.pose]) for word in ("--pose", name)]
        words += [word for name, value in wanted.joints for word in ("--joint", f"{name}={value!r}")]
        given = [repr(path), *(f"srdf={file!r}" for file in srdf), *([f"packages={packages!r}"] if packages else [])]
        return shlex.join(words), f"load_model({', '.join(given)})"


def load(path: str | PathLike[str]) -> Scene:
    """Return the scene in a file; see `read`."""
    return read(path).scene


def read(path: str | PathLike[str], wanted: ModelOptions = AS_IT_IS) -> Loaded:
    """Return the scene in a file or of an example, and what of the file was left out.

    After the path or the name of Python, ``/`` and the name of a scene that its function ``states()`` returns.
    """
    if not os.fspath(path):
        raise LoadError(f"the name of a scene is empty; a scene is a {', '.join(_READERS)} file, or an example's name")
    try:
        found, state_name = _find(Path(path))
        if wanted != AS_IT_IS and found.suffix.lower() not in (*MODELS, ".xacro"):
            options = ", ".join(f"--{name.removesuffix('s')}" for name in ModelOptions._fields)
            kinds = ", ".join(MODELS)
            raise LoadError(f"{shown_path(found)}: {options} are for a robot model, a {kinds} file")
        if state_name:
            return _read_state(found, state_name)
        reader = _READERS.get(found.suffix.lower())
        if found.suffix == ".xacro":
            reader = _read_model  # which says how to expand it
        if reader is None:
            got = f"ends in {shown_path(found.suffix)}" if found.suffix else "has no ending"
            raise LoadError(f"{shown_path(found)}: a scene is a {', '.join(_READERS)} file, and this name {got}")
        if words := not_read(os.stat(found)):
            raise LoadError(f"{shown_path(found)}: {words}")
        state = state_of(found)  # says "permission denied" in one way for all readers, too
        return (reader(found) if wanted == AS_IT_IS else _read_model(found, wanted))._replace(state=state)
    except OSError as error:
        raise LoadError(f"{shown_path(error.filename or path)}: {(error.strerror or str(error)).lower()}") from error


def read_text(data: bytes, source: str) -> Loaded:
    """Return the scene in the text of a scene file, such as one from stdin."""
    from collision.scenefile import SceneFileError, parse_scene

    try:
        return Loaded(parse_scene(data.decode("utf-8"), source), Path(source))
    except UnicodeDecodeError as error:
        raise LoadError(
            f"{shown_path(source)}: expected text in UTF-8: {error.reason} at byte {error.start}"
        ) from error
    except SceneFileError as error:
        raise LoadError(str(error)) from error


def _find(path: Path) -> tuple[Path, str]:
    """Resolve what the user wrote to a file: as it stands, or as the name of an example; and the name of a state."""
    if path.is_dir():
        raise LoadError(f"{shown_path(path)}: this is a folder; a scene is a {', '.join(_READERS)} file")
    if path.exists():
        return path, ""
    known = _known()
    for place, state in ((path, ""), (path.parent, path.name)):
        if place.is_file() or place.as_posix() in known:
            return known.get(place.as_posix(), place), state
    if path.is_symlink():
        raise LoadError(
            f"{shown_path(path)}: this is a link to {shown_path(os.readlink(path))}, which leads to no file"
        )
    import difflib

    # Without what all have in common, which makes nothing alike: the folder, and the ending.
    bare = {other.stem: shown_path(other) for other in _neighbours(path)}
    near = [bare[stem] for stem in difflib.get_close_matches(path.stem, bare, n=1, cutoff=0.7)]
    near = near or difflib.get_close_matches((path.parent / path.stem).as_posix(), known, n=1, cutoff=0.7)
    near = near or [name for name in known if str(path).lower() in name][:_MOST_MEANT]
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    if not path.suffix and len(near) != 1:
        hint = f'{hint or ";"} "collision-viewer examples" lists {"all" if near else "them"}'
    raise LoadError(f"{shown_path(path)}: there is no such file, and no example of this name{hint}")


def _known() -> dict[str, Path]:
    """Return the files of the examples and the lessons by their names."""
    try:
        return {path.stem: path for path in example_files()} | {f"lessons/{path.stem}": path for path in lesson_files()}
    except FileNotFoundError:  # the examples are optional
        return {}


def is_scene(word: str) -> bool:
    """Say whether a word is the path of a scene that is there, or the name of an example."""
    return _ending(word) in _READERS


def runs_code(word: str) -> bool:
    """Say whether to read a scene is to run Python of the user's, by its path or the name of an example."""
    return _ending(word) == ".py"


def _ending(word: str) -> str:
    """Return the ending of the file that a word names; nothing where it names none."""
    try:
        return _find(Path(word))[0].suffix.lower() if word else ""
    except (LoadError, OSError):
        return ""


def _neighbours(path: Path) -> list[Path]:
    """Return the scenes that lie where this file was looked for."""
    try:
        return [other for other in sorted(path.parent.iterdir()) if other.suffix.lower() in _READERS]
    except OSError:  # there is no such folder, or none to look into
        return []


# -- one reader for each kind of file ----------------------------------------------------------------------------------


def _read_toml(path: Path) -> Loaded:
    from collision.scenefile import SceneFileError, load_scene

    try:
        return Loaded(load_scene(path), path)
    except SceneFileError as error:
        raise LoadError(str(error)) from error


def _read_model(path: Path, wanted: ModelOptions = AS_IT_IS) -> Loaded:
    from collision.importers import ImporterError, load_model, read_trajectory

    try:
        model = load_model(path, packages=dict(wanted.packages), srdf=wanted.srdf, visuals=wanted.visual)
        pose = _pose(model, wanted.pose) if wanted.pose else {}
        model = model.at(pose)
        try:
            model = model.at(dict(wanted.joints))
        except ValueError as error:
            said = str(error).removeprefix("q: ").removeprefix("q of ")
            raise LoadError(f"--joint: {shown_path(path)}: {said}") from error
        scene, trajectory = model.scene, None
        if wanted.trajectory is not None:
            trajectory = read_trajectory(wanted.trajectory, model)
            try:
                scene = model.along(*trajectory)
            except ValueError as error:  # of times and turns that no motion can have
                raise LoadError(f"{shown_path(wanted.trajectory)}: {error}") from error
    except ImporterError as error:
        raise LoadError(str(error)) from error
    except LoadError:
        raise
    except ValueError as error:  # of a joint or a pose that the model does not have
        raise LoadError(f"{shown_path(path)}: {error}") from error
    return Loaded(
        *(scene, path, model.skipped, (*model.notes, *_beyond_limits(model, pose, wanted, trajectory))),
        wanted=wanted,
        model=model,
        trajectory=trajectory,
    )


def _beyond_limits(
    model: Model, pose: Mapping[str, Any], wanted: ModelOptions, trajectory: Trajectory | None
) -> Iterator[str]:
    """Say which joints have a value beyond their limits, as degrees without their mark are, and which none sets."""
    typed = dict(wanted.joints)
    given = {**pose, **typed, **(trajectory.q if trajectory else {})}
    unset = []
    for joint in model.joints.values():
        if joint.size != 1 or joint.mimic is not None:
            continue
        name, (low, high) = joint.name, joint.limits
        values = np.ravel(given.get(name, model.value(name))).tolist()
        value = max(values, key=lambda value: max(low - value, value - high))
        room = 1e-9 * max(1.0, abs(value))  # degrees are rounded, and limits are in their file
        if low - room <= value <= high + room:
            continue
        if name not in given:
            unset.append(name)
            continue
        degrees = joint.kind == "revolute" and low <= math.radians(value) <= high
        how = f"for degrees write {name}={value:g}deg" if name in typed else "angles in files are in radians"
        yield f"{name} is {value:g}, beyond its limits, {low:g} to {high:g}{f'; {how}' if degrees else ''}"
    if unset:
        more = f" and {len(unset) - 3} more" if len(unset) > 3 else ""
        how = "--joint and --pose set other values"
        yield f"beyond their limits as nothing sets them: {', '.join(unset[:3])}{more}; {how}"


def _pose(model: Model, name: str) -> Mapping[str, Any]:
    if name in model.poses:
        return model.poses[name]
    import difflib

    near = difflib.get_close_matches(name, model.poses, n=1)
    listed = ", ".join(model.poses) or "none; --srdf FILE brings those of a model"
    hint = f"did you mean {near[0]!r}?" if near else f"it has {listed}"
    raise ValueError(f"there is no pose named {name!r}; {hint}")


def _read_python(path: Path) -> Loaded:
    module, made = _made(path, "scene", "a Python scene needs a function scene() that returns a collision.Scene")
    scene, react = _scene_of(path, made, "scene()"), _reaction(path, vars(module).get("react"))
    return Loaded(scene, path, react=react, lesson=_lesson_of(module, path))


def _lesson_of(module: ModuleType, path: Path, state: str = "") -> OpenLesson | None:
    """Return the lesson that Python has by the name of LESSON, if it has one."""
    from viewer.files.lessons import Lesson, OpenLesson

    lesson = vars(module).get("LESSON")
    return OpenLesson(lesson, path, state) if isinstance(lesson, Lesson) else None


def _read_state(path: Path, name: str) -> Loaded:
    """Return the scene in one of its states."""
    if path.suffix.lower() != ".py":
        only = "only Python with a function states() has scenes in it"
        raise LoadError(f"{shown_path(path / name)}: {shown_path(path)} is a file, and {only}")
    needed = "no function states() returns scenes by name, so that it has none in a state"
    module, made = _made(path, "states", needed)
    if not isinstance(made, Mapping):
        raise LoadError(f"{shown_path(path)}: states() must return scenes by name, got {type(made).__name__}")
    if name not in made:
        import difflib

        near = difflib.get_close_matches(name, list(map(str, made)), n=1)
        hint = f"did you mean {near[0]}?" if near else f"it has {', '.join(map(str, made)) or 'none'}"
        raise LoadError(f"{shown_path(path)}: there is no state {name!r}; {hint}")
    scene = _scene_of(path, made[name], f"states()[{name!r}]")
    react, lesson = _reaction(path, vars(module).get("react")), _lesson_of(module, path, name)
    return Loaded(scene, path, react=react, state=state_of(path), lesson=lesson)


def _made(path: Path, function: str, needed: str) -> tuple[ModuleType, object]:
    """Run a Python file, and then a function of it that it needs to have; return its module and what came."""
    module = ModuleType(f"__scene__.{path.stem}")
    module.__file__ = str(path)
    with _importable(module, path.resolve().parent), _kept_apart():
        _run_user_code(path, lambda: _execute(path, module))
        make = vars(module).get(function)
        if not callable(make):
            raise LoadError(f"{shown_path(path)}: {needed}")
        return module, _run_user_code(path, make)


def _scene_of(path: Path, made: object, of: str) -> Scene:
    try:
        return Scene(made) if isinstance(made, Mapping) else _checked(made)
    except (TypeError, ValueError) as error:
        raise LoadError(f"{shown_path(path)}: {of}: {error}") from error


def _reaction(path: Path, react: object) -> Callable[[Scene], Scene] | None:
    """Return what reacts to changes, as a function that says in a line what goes wrong."""
    if react is None:
        return None
    if not callable(react):
        raise LoadError(f"{shown_path(path)}: react must be a function react(scene), got {type(react).__name__}")

    def reacted(scene: Scene) -> Scene:
        made = _run_user_code(path, lambda: react(scene))
        try:
            return _checked(made)
        except ValueError as error:
            raise LoadError(f"{shown_path(path)}: react(): {error}") from error

    return reacted


def _checked(made: object) -> Scene:
    if not isinstance(made, Scene):
        raise ValueError(f"must return a collision.Scene (or shapes by name), got {type(made).__name__}")
    return made


def _execute(path: Path, module: ModuleType) -> None:
    # Compiled here rather than imported, so that no __pycache__ appears beside the user's file.
    exec(compile(path.read_bytes(), str(path), "exec", dont_inherit=True), vars(module))


def _run_user_code(path: Path, code: Callable[[], object]) -> object:
    """Run code from the user's file; what goes wrong there is said in one line that names the line."""
    try:
        return code()
    except SyntaxError as error:
        raise LoadError(f"{shown_path(error.filename or path)}:{error.lineno}: {error.msg}") from error
    except (Exception, SystemExit) as error:
        raise LoadError(f"{shown_path(path)}{_place(path, error)}: {type(error).__name__}: {error}") from error


def _place(path: Path, error: BaseException) -> str:
    """Say where in a user's own code an error arose: the innermost line that is not of an installed package."""
    installed = _installed()
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename == str(path):
            return f":{frame.lineno}"
        file = Path(frame.filename)
        if file.is_file() and not any(file.is_relative_to(folder) for folder in installed):
            shown = file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file
            return f": {shown}:{frame.lineno}"
    return ""


def _installed() -> tuple[Path, ...]:
    """Return where code lies that is not the user's: that of Python, of installed packages, and of this project."""
    import sysconfig

    folders = (Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib", "purelib", "platlib"))
    return (*folders, Path(__file__).parent.parent, Path(collision.__file__).parent)


@contextlib.contextmanager
def _importable(module: ModuleType, folder: Path) -> Iterator[None]:
    """Let a module be found by its name (dataclasses look there) and import its neighbours, for the time being.

    The neighbours are forgotten then: another scene, in another folder, may have one of the same name.
    """
    before = set(sys.modules)
    sys.modules[module.__name__] = module
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.modules.pop(module.__name__, None)
        installed = _installed()
        for name in set(sys.modules) - before:
            if _is_neighbour(sys.modules[name], folder, installed):
                del sys.modules[name]
        if str(folder) in sys.path:
            sys.path.remove(str(folder))


def _is_neighbour(module: ModuleType, folder: Path, installed: tuple[Path, ...]) -> bool:
    """Tell whether a module was read from Python in a folder, and is none that is installed."""
    file = getattr(module, "__file__", None)
    if not isinstance(file, str) or not file.endswith(".py"):
        return False
    path = Path(file).resolve()
    return path.is_relative_to(folder) and not any(path.is_relative_to(place.resolve()) for place in installed)


@contextlib.contextmanager
def _kept_apart() -> Iterator[None]:
    """Keep what the user's code does to the process from what is ours: the current folder, and the answer on stdout."""
    try:
        here = os.getcwd()
    except FileNotFoundError:  # it was deleted
        here = ""
    kept = _stdout_to_stderr()
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield
    finally:
        if kept is not None:
            os.dup2(kept, _STDOUT)
            os.close(kept)
        if here:
            os.chdir(here)


#: As every program that is started takes them.
_STDOUT, _STDERR = 1, 2


def _stdout_to_stderr() -> int | None:
    """Have what is written to stdout go to stderr; return what stdout was, if both are open."""
    try:
        if sys.__stdout__ is not None:
            sys.__stdout__.flush()
        kept = os.dup(_STDOUT)
    except (OSError, ValueError):
        return None
    try:
        os.dup2(_STDERR, _STDOUT)
    except OSError:
        os.close(kept)
        return None
    return kept


_READERS: MappingProxyType[str, Callable[[Path], Loaded]] = MappingProxyType(
    {
        ".toml": _read_toml,
        ".py": _read_python,
        **dict.fromkeys(MODELS, _read_model),
    }
)
