"""Scenes in notebooks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from collision import Scene
from viewer.records.theme import Theme, read_theme
from viewer.session.document import checked_reaction
from viewer.studio.pages import HEIGHT
from viewer.studio.pictures import SceneSource, as_scene

if TYPE_CHECKING:
    from viewer.studio.widget import SceneWidget


def widget(
    source: SceneSource,
    *,
    react: Callable[[Scene], Scene] | None = None,
    theme: str | Theme | None = None,
    height: int = HEIGHT,
) -> SceneWidget:
    """Return a scene as a widget of a notebook, in JupyterLab or marimo: the page that `export_html` writes, in a cell.

    Its attribute ``scene`` is the scene as it was dragged, and another that is set there is shown. However quickly
    scenes are set or shapes are dragged, the latest counts, and none waits in a queue.

    Parameters
    ----------
    source : Scene, mapping of str to Shape, or path
        What to show; see `as_scene`.
    react : callable, optional
        Called with the scene that each change leads to, also in the middle of a drag; what it returns is shown in its
        place. Where it raises a ValueError, the change is not made, and the page says why.
    theme : str or Theme, optional
        ``light``, ``dark``, ``colour-blind``, ``colour-blind-dark``, or one's own; by default light or dark, as the
        reader's machine has it.
    height : int
        How high it is, in pixels.

    Raises
    ------
    ImportError
        If anywidget is not installed; the message says how to install it.
    TypeError
        If what reacts is no function.
    ValueError
        If the source is no scene, or the theme is none.
    RuntimeError
        If there is no WebAssembly module; the message says how to make it.

    Examples
    --------
    >>> from collision import Sphere
    >>> shown = widget({"ball": Sphere([0, 0, 0], 1)})  # doctest: +SKIP
    >>> shown.observe(lambda change: print(change.new.contacts()), "scene")  # doctest: +SKIP
    """
    scene = as_scene(source)
    if react is not None:
        checked_reaction(react)
    look = None if theme is None else read_theme(theme)
    try:
        import anywidget  # noqa: F401
    except ImportError as error:
        raise ImportError(
            'viewer.widget needs anywidget, which `pip install ".[notebook]"` in the checkout installs '
            "(or `pip install anywidget`); a scene as the last line of a cell is shown without it"
        ) from error
    from viewer.studio.widget import SceneWidget

    return SceneWidget(scene, react=react, theme=look, height=height)
