"""Show which shapes of a scene collide: in a window, in a picture, in an animation or in a plot of your own.

Examples
--------
>>> from collision import Capsule, Scene, Sphere
>>> import viewer
>>> scene = Scene({"ball": Sphere([0, 0, 0], 1), "arm": Capsule([1, 0, -1], [1, 0, 2], 0.3)})
>>> viewer.render(scene, "picture.png")  # doctest: +SKIP
>>> viewer.view(scene)  # doctest: +SKIP
"""

from __future__ import annotations

import importlib
import os
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from collision import Scene
    from viewer.files.catalogue import Example, find_examples
    from viewer.files.loading import Loaded
    from viewer.records.theme import Theme
    from viewer.studio.added import AddedScene, add_scene
    from viewer.studio.live.handle import WindowHandle, show
    from viewer.studio.notebook import widget
    from viewer.studio.pages import export_html
    from viewer.studio.pictures import (
        SceneSource,
        as_scene,
        render,
        render_frames,
        render_motion,
        render_step,
        render_steps,
        snapshot,
    )

__all__ = [
    "AddedScene",
    "Example",
    "SceneSource",
    "WindowHandle",
    "add_scene",
    "as_scene",
    "export_html",
    "find_examples",
    "render",
    "render_frames",
    "render_motion",
    "render_step",
    "render_steps",
    "show",
    "snapshot",
    "view",
    "view_frames",
    "widget",
]

#: Where the public names are. A module is imported when a name of it is first asked for: so the command line starts
#: quickly, and says in words what is not installed.
_HOMES = MappingProxyType(
    {
        "viewer.studio.notebook": ("widget",),
        "viewer.studio.pages": ("export_html",),
        "viewer.studio.added": ("AddedScene", "add_scene"),
        "viewer.files.catalogue": ("Example", "find_examples"),
        "viewer.studio.live.handle": ("WindowHandle", "show"),
        "viewer.studio.pictures": (
            *("SceneSource", "as_scene", "render", "render_frames", "render_motion"),
            *("render_step", "render_steps", "snapshot"),
        ),
    }
)

if not TYPE_CHECKING:

    def __getattr__(name):
        """Return a public name of a module that is not imported yet."""
        for home, names in _HOMES.items():
            if name in names:
                return getattr(importlib.import_module(home), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__():
        return sorted({*globals(), *__all__})


def view(
    source: SceneSource,
    *,
    size: tuple[int, int] | None = None,
    view: str | None = None,
    theme: Theme | str | None = None,
    scale: float = 1.0,
    react: Callable[[Scene], Scene] | None = None,
) -> Scene:
    """Open a window on a scene, and return the scene as it was left when the window is closed.

    Click a shape to select it, drag its handles to move it, and press ``h`` for the keys.

    Parameters
    ----------
    source : Scene, mapping of str to Shape, or path
        What to show: a scene, shapes by name, the path of a scene file or a model, or the name of an example.
    size : tuple of 2 ints, optional
        Width and height of the window in pixels; by default 1280 and 960.
    view : str, optional
        ``iso``, ``x``, ``y``, ``z``, ``-x``, ``-y`` or ``-z``: look from there at the whole scene.
    theme : str or Theme, optional
        What it looks like at first: ``light``, ``dark``, ``colour-blind``, ``colour-blind-dark``, or one's own.
    scale : float
        How many times as large as usual all text is at first, from 0.5 to 4; Ctrl++ and Ctrl+- change it.
    react : callable, optional
        Called with the scene that each change leads to, also in the middle of a drag; what it returns is shown in its
        place. So shapes follow others: a ball its shadow, a scale a point that is dragged. A whole drag, with all that
        follows it, is one step of the history. Where it raises a ValueError, the change is not made, and the text says
        why. By default the function ``react`` of a Python file, if it has one.

    Raises
    ------
    ValueError
        If the source is no scene, the view, the theme or the scale is none, or a side is not from 64 to 8192 pixels.
    RuntimeError
        If there is no display; the message says what to use instead.
    """
    from viewer.records.sizes import DEFAULT
    from viewer.studio.app import run
    from viewer.studio.pictures import as_scene

    shown: Scene | Loaded
    if isinstance(source, str | os.PathLike):
        from viewer.files.loading import read

        loaded = read(source)
        react = react or loaded.react
        shown = loaded._replace(react=None, lesson=None) if os.path.exists(source) else loaded.scene
    else:
        shown = as_scene(source)
    return run(shown, size=size or DEFAULT, view=view, theme=theme, scale=scale, react=react)


def view_frames(
    scenes: Iterable[Scene], *, fps: float = 30.0, size: tuple[int, int] | None = None, view: str | None = None
) -> None:
    """Open a window on scenes that come one after another, as those of a simulation that runs.

    The space bar pauses, and the key ``.`` takes the next; the camera can be moved all the time.

    Parameters
    ----------
    scenes : iterable of Scene
        At least one; they may come for ever, and are taken as they are shown.
    fps : float
        How many a second, if they can be made and drawn so quickly.
    size, view
        As for `view`.

    Raises
    ------
    ValueError
        If there is no scene, or an argument is none of what it can be.
    RuntimeError
        If there is no display; the message says what to use instead.
    """
    from viewer.records.sizes import DEFAULT
    from viewer.studio.app import run

    coming = iter(scenes)
    first = next(coming, None)
    if first is None:
        raise ValueError("there is no scene to show")
    run(first, size=size or DEFAULT, view=view, follow=coming, fps=fps)
