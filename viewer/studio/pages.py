"""Pages: a scene as one HTML file, which is alive in a browser, over its picture."""

from __future__ import annotations

from contextlib import suppress
from html import escape
from os import PathLike
from pathlib import Path
from typing import Any

from collision import Scene
from collision.importers import Model
from collision.inner import write_bytes
from collision.wasm import NoCodeError
from viewer.files.loading import Loaded, read
from viewer.files.movies import Image
from viewer.files.paths import checked_path
from viewer.page import export
from viewer.page.facts import along_facts, robot_facts
from viewer.records.theme import DARK, LIGHT, Theme, read_theme
from viewer.session import Session
from viewer.stage.gl import GLUnavailable
from viewer.studio.options import PictureOptions
from viewer.studio.pictures import SceneSource, as_scene, take

#: The size in which the picture of a page is drawn, and how high a scene is in a notebook, in pixels.
SIZE, HEIGHT = (1280, 800), 500


def export_html(source: SceneSource, path: str | PathLike[str], *, theme: str | Theme | None = None) -> bool:
    """Write a scene as one HTML file, in which it can be dragged, measured and played, without a network.

    The file is written whole or not at all.

    Parameters
    ----------
    source : Scene, Model, mapping of str to Shape, or path
        What to show; see `as_scene`. The joints of a robot can be moved.
    path : path
        An ``.html`` file.
    theme : str or Theme, optional
        ``light``, ``dark``, ``colour-blind``, ``colour-blind-dark``, or one's own; by default light or dark, as the
        reader's machine has it.

    Returns
    -------
    bool
        Whether a picture lies under it, for where no script may run: not where this machine cannot draw.

    Raises
    ------
    ValueError
        If the source is no scene, the path's suffix is another, or the theme is none.
    RuntimeError
        If there is no WebAssembly module; the message says how to make it.

    Examples
    --------
    >>> from collision import Sphere
    >>> export_html({"ball": Sphere([0, 0, 0], 1)}, "ball.html")  # doctest: +SKIP
    """
    target = checked_path(path, (".html", ".htm"), "a page")
    return export_loaded(_loaded(source), target, theme=theme)


def export_loaded(loaded: Loaded, path: Path, *, theme: str | Theme | None = None) -> bool:
    """Do what `export_html` does, for what a file holds."""
    facts, image = page_facts(loaded.scene, theme=theme)
    if loaded.model is not None and loaded.scene.span is None:
        facts["robot"] = robot_facts(loaded.scene, loaded.model, *loaded.opening())
    elif loaded.model is not None and loaded.trajectory is not None:
        facts["along"] = along_facts(loaded.model, loaded.trajectory, facts["motion"]["times"])
    write_bytes(path, export.page_html(loaded.scene, facts, image).encode("utf-8"))
    return image is not None


def _loaded(source: SceneSource) -> Loaded:
    if isinstance(source, Model):
        return Loaded(source.scene, Path("ROBOT.urdf"), model=source)
    return read(source) if isinstance(source, str | PathLike) else Loaded(as_scene(source), Path())


def page_facts(
    scene: Scene, *, theme: str | Theme | None = None, picture: bool = True
) -> tuple[dict[str, Any], Image | None]:
    """Return what a page knows of a scene, and the scene's picture; none where this machine cannot draw.

    Without a `picture` the camera is that of a session without panels, and nothing is drawn.
    """
    themes = {"light": LIGHT, "dark": DARK} if theme is None else {"": read_theme(theme)}
    image, session = None, None
    if picture:
        with suppress(GLUnavailable):  # it says so to who asks for pictures alone
            image, session = take(scene, None, PictureOptions(SIZE, theme=next(iter(themes.values()))))
    session = session or Session(scene, size=SIZE)
    return export.page_facts(scene, session.viewport.camera, SIZE, themes), image


def notebook_html(scene: Scene, *, theme: str | Theme | None = None, height: int = HEIGHT) -> str:
    """Return a scene as HTML for a cell of a notebook: the page in a frame, which stays alive where that is kept.

    Where the page cannot be made, or is too large to be kept in a notebook, there are the picture and a sentence.
    """
    facts, image = page_facts(scene, theme=theme)
    try:
        page, why = export.page_html(scene, facts, image), "This scene is too large to be alive in a notebook."
    except NoCodeError as error:
        page, why = "", str(error)
    if page and len(page) <= export.LONGEST:
        about = f'sandbox="allow-scripts allow-downloads" title="{escape(scene.title or "A scene")}"'
        return f'<iframe srcdoc="{escape(page)}" {about} style="width: 100%; height: {height}px; border: 0"></iframe>'
    picture = "" if image is None else f'<img src="{export.data_url(image)}" alt="" style="max-width: 100%">'
    return f"{picture}<p>{escape(why)}</p>"
