"""From whatever a user has to a scene: a scene, shapes by name, or a file."""

from __future__ import annotations

import runpy
import traceback
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import TypeAlias

from collision import Scene, Shape

#: What can be viewed: a scene, shapes by name, or the path of a scene file, an example or a model.
SceneSource: TypeAlias = Scene | Mapping[str, Shape] | str | PathLike[str]

#: Suffixes of models that an importer reads.
MODELS = (".xml", ".mjcf", ".urdf")


def load(source: SceneSource) -> Scene:
    """Return the scene of a source.

    Parameters
    ----------
    source : Scene, mapping of str to Shape, or path
        A path ends in ``.toml`` (a scene file), ``.py`` (a module with a function ``scene()``), or ``.xml``, ``.mjcf``
        or ``.urdf`` (a robot model).

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If the file holds no scene; the message says where and why.

    Examples
    --------
    >>> from collision import Sphere
    >>> len(load({"ball": Sphere([0, 0, 0], 1)}))
    1
    """
    if isinstance(source, Scene):
        return source
    if isinstance(source, Mapping):
        return Scene(source)
    path = Path(source)
    if not path.is_file():
        raise FileNotFoundError(f"there is no scene file {path}")
    if path.suffix == ".toml":
        from collision.scenefile import load_scene

        return load_scene(path)
    if path.suffix == ".py":
        return _run(path)
    if path.suffix in MODELS:
        from collision.importers import load_model

        return load_model(path).scene
    raise ValueError(f"{path}: a scene must be a .toml, .py, {', '.join(MODELS)} file, got {path.suffix or 'no suffix'}")


def _run(path: Path) -> Scene:
    try:
        made = runpy.run_path(str(path)).get("scene")
        if not callable(made):
            raise ValueError("a scene in Python must have a function scene() that returns a Scene")
        scene = made()
    except Exception as error:
        raise ValueError(f"{path}{_line_in(path, error)}: {_words(error)}") from error
    if isinstance(scene, Mapping):
        return Scene(scene)
    if not isinstance(scene, Scene):
        raise ValueError(f"{path}: scene() must return a Scene or shapes by name, got {type(scene).__name__}")
    return scene


def _line_in(path: Path, error: Exception) -> str:
    """Return where in the user's own file an error arose."""
    if isinstance(error, SyntaxError) and error.lineno:
        return f", line {error.lineno}"
    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if Path(f.filename) == path]
    return f", line {lines[-1]}" if lines else ""


def _words(error: Exception) -> str:
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    return text if isinstance(error, ValueError) else f"{type(error).__name__}: {text}"
