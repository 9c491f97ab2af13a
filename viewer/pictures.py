"""Pictures without a window: one PNG, an animation, or a scene among other things in a user's own plot.

PyVista is imported when a picture is made, not before.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sized
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from collision import Camera, Scene, Shape

if TYPE_CHECKING:
    from pyvista import Plotter

#: What can be viewed: a scene, shapes by name, or the path of a scene file, an example or a model.
SceneSource: TypeAlias = Scene | Mapping[str, Shape] | str | PathLike[str]

Image: TypeAlias = npt.NDArray[np.uint8]

#: Width and height of a picture in pixels.
SIZE = (1280, 960)

#: What Pillow calls the animations that it writes, by suffix.
ANIMATIONS: Mapping[str, str] = {".gif": "GIF", ".webp": "WEBP", ".apng": "PNG", ".png": "PNG"}


def as_scene(source: SceneSource) -> Scene:
    """Return the scene of whatever a user has.

    Parameters
    ----------
    source : Scene, mapping of str to Shape, or path
        A path is a scene file, a Python file with ``scene()``, a robot model, or the name of an example.

    Raises
    ------
    ValueError
        If the path or what is there makes no scene.

    Examples
    --------
    >>> from collision import Sphere
    >>> len(as_scene({"ball": Sphere([0, 0, 0], 1)}))
    1
    """
    if isinstance(source, Scene):
        return source
    if isinstance(source, Mapping):
        return Scene(source)
    from viewer.loading import load

    return load(Path(source))
