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


def render(
    source: SceneSource,
    path: str | PathLike[str] | None = None,
    *,
    size: tuple[int, int] = SIZE,
    view: str | None = None,
    camera: Camera | None = None,
    theme: Theme | None = None,
    mesh: bool = False,
) -> Image:
    """Make the picture of a scene, without a window.

    Parameters
    ----------
    source : Scene, mapping of str to Shape, or path
        What to draw; see `as_scene`.
    path : path, optional
        A PNG file to write; it is written whole or not at all.
    size : tuple of 2 ints
        Width and height in pixels.
    view : str, optional
        ``iso``, ``x``, ``y``, ``z``, ``-x``, ``-y`` or ``-z``: look from there at the whole scene.
    camera : Camera, optional
        Where to take the picture from. Without it and without a view, the scene's own camera, or one that frames it.
    theme : Theme, optional
        The colours; light ones without it.
    mesh : bool
        Draw triangles instead of exact surfaces, for drivers that lack these.

    Returns
    -------
    ndarray of uint8, shape (height, width, 3)
        The picture, its upper row first.

    Raises
    ------
    ValueError
        If the source is no scene, or the size, the view or the path's suffix is none.

    Examples
    --------
    >>> from collision import Sphere
    >>> render({"ball": Sphere([0, 0, 0], 1)}, size=(320, 240)).shape  # doctest: +SKIP
    (240, 320, 3)
    """
    target = None if path is None else _checked(path, (".png",), "a picture")
    with _studio(size, theme, mesh) as take:
        image = take(as_scene(source), view, camera)
    if target is not None:
        from PIL import Image as Pillow

        with replacing(target) as temporary:
            Pillow.fromarray(image).save(temporary, format="PNG")
    return image
