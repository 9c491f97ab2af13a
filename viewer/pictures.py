"""Pictures without a window: one PNG, an animation, or a scene among other things in a user's own plot.

PyVista is imported when a picture is made, not before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from collision import AABB, Camera, Scene, Shape
from collision.files import write_bytes
from viewer.presenter import present
from viewer.session import Session
from viewer.size import DEFAULT, checked_size

if TYPE_CHECKING:
    from pyvista import Plotter

    from viewer.stage import Stage
    from viewer.theme import Theme

#: What can be viewed: a scene, shapes by name, or the path of a scene file, an example or a model.
SceneSource: TypeAlias = Scene | Mapping[str, Shape] | str | PathLike[str]

Image: TypeAlias = npt.NDArray[np.uint8]

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
    if not isinstance(source, str | PathLike):
        hint = f'; a shape needs a name, such as {{"{type(source).__name__.lower()}": shape}}'
        got = "None" if source is None else type(source).__name__
        raise ValueError(
            "what is to be seen must be a collision.Scene, a mapping of names to shapes, or the path of a file, "
            f"got {got}{hint if isinstance(source, Shape) else ''}"
        )
    from viewer.loading import load

    return load(source)


def render(
    source: SceneSource,
    path: str | PathLike[str] | None = None,
    *,
    size: tuple[int, int] = DEFAULT,
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
        If the source is no scene, the view or the path's suffix is none, or a side is not from 64 to 8192 pixels.

    Examples
    --------
    >>> from collision import Sphere
    >>> render({"ball": Sphere([0, 0, 0], 1)}, size=(320, 240)).shape  # doctest: +SKIP
    (240, 320, 3)
    """
    return take(source, path, size=size, view=view, camera=camera, theme=theme, mesh=mesh)[0]


def take(
    source: SceneSource,
    path: str | PathLike[str] | None = None,
    *,
    size: tuple[int, int] = DEFAULT,
    view: str | None = None,
    camera: Camera | None = None,
    theme: Theme | None = None,
    mesh: bool = False,
) -> tuple[Image, Session]:
    """Do what `render` does, and return the session that the picture is of as well."""
    target = None if path is None else _checked(path, (".png",), "a picture")
    scene = as_scene(source)
    with _studio(size, theme, mesh) as stage:
        session = _session(stage, scene, view, camera)
        image = _taken(stage, session)
    if target is not None:
        write_bytes(target, _encoded([image], "PNG"))
    return image, session


def render_frames(
    scenes: Iterable[SceneSource],
    path: str | PathLike[str],
    *,
    fps: float = 24.0,
    size: tuple[int, int] = (800, 600),
    view: str | None = None,
    camera: Camera | None = None,
    theme: Theme | None = None,
    mesh: bool = False,
    progress: bool = True,
) -> None:
    """Write an animation that repeats for ever, a scene for each frame.

    The file is written whole or not at all, also when Ctrl-C ends it.

    Parameters
    ----------
    scenes : iterable of scenes
        Of anything that `as_scene` takes. Those without a camera of their own are all seen from one place, from where
        everything is in view, and the ground stays where it is.
    path : path
        A ``.gif``, ``.webp`` or ``.png`` (or ``.apng``) file to write.
    fps : float
        Frames a second. GIF knows hundredths of a second only, and the nearest is taken.
    size, view, camera, theme, mesh
        As for `render`.
    progress : bool
        Show how far it is, on the standard error stream.

    Raises
    ------
    ValueError
        If there is no scene, or an argument is none of what it can be.
    """
    target = _checked(path, tuple(ANIMATIONS), "an animation")
    if not 0.0 < fps <= 1000.0:
        raise ValueError(f"fps must be above 0 and at most 1000, got {fps}")
    frames = [as_scene(source) for source in scenes]
    if not frames:
        raise ValueError(f"{target}: there is no scene to make an animation of")
    boxes = [box for box in (scene.bounds() for scene in frames) if box is not None]
    extent = AABB.union(*boxes) if boxes else None
    with _studio(size, theme, mesh) as stage:
        still = _session(stage, frames[0].replaced(camera=None), view, camera, extent).viewport.camera
        images = []
        for scene in _tracked(frames, progress):
            own = camera or (scene.camera if view is None else None)
            images.append(_taken(stage, _session(stage, scene, None, own or still, extent)))
    write_bytes(target, _encoded(images, ANIMATIONS[target.suffix.lower()], 1000.0 / fps))


def add_scene(
    plotter: Plotter,
    source: SceneSource,
    *,
    hud: bool = False,
    legend: bool = False,
    grid: bool = False,
    labels: bool = True,
    theme: Theme | None = None,
    mesh: bool = False,
) -> AddedScene:
    """Add a scene to a plotter of the user's own, beside whatever else is in it.

    Parameters
    ----------
    plotter : pyvista.Plotter
        A camera that is set stays; otherwise the scene's own is taken, or one that frames the scene.
    source : Scene, mapping of str to Shape, or path
        See `as_scene`.
    hud, legend, grid, labels : bool
        Whether to add the table of collisions, the legend, the ground and the texts of shows.
    theme, mesh
        As for `render`. With `mesh` the scene can be exported by the plotter.

    Returns
    -------
    AddedScene
        Its `update` shows another scene in the place of this one: for what moves.

    Examples
    --------
    >>> import pyvista as pv
    >>> from collision import Scene, Sphere
    >>> scene = Scene({"ball": Sphere([0, 0, 0], 1), "wall": Sphere([4, 0, 0], 1)})
    >>> plotter = pv.Plotter(off_screen=True)
    >>> added = add_scene(plotter, scene)  # doctest: +SKIP
    >>> added.update(scene.moved("ball", [3, 0, 0]))  # doctest: +SKIP
    """
    from viewer.stage import Stage
    from viewer.theme import LIGHT

    added = AddedScene(Stage(plotter, theme or LIGHT, mesh=mesh), hud=hud, legend=legend, grid=grid, labels=labels)
    added.update(source)
    return added


class AddedScene:
    """A scene in a plotter of the user's own, as `add_scene` returns it.

    Attributes
    ----------
    stage : Stage
        What draws it.
    """

    def __init__(self, stage: Stage, **wanted: bool) -> None:
        self.stage = stage
        self._wanted = wanted
        self._extent: AABB | None = None

    def update(self, source: SceneSource) -> None:
        """Show another scene in the place of the last one, seen from where the plotter's camera is now.

        Parameters
        ----------
        source : Scene, mapping of str to Shape, or path
            See `as_scene`. ``plotter.render()`` then draws it.
        """
        session = Session(as_scene(source), size=self.stage.size, extent=self._extent)
        self._extent = session.extent  # the ground stays while shapes move
        if self.stage.plotter.renderer.camera_set:
            session.set_camera(self.stage.camera)
        for name, wanted in self._wanted.items():
            if getattr(session.toggles, name) != wanted:
                session.toggle(name)
        self.stage.draw(present(session), session.viewport.camera)


@contextmanager
def _studio(size: tuple[int, int], theme: Theme | None, mesh: bool) -> Iterator[Stage]:
    from viewer.stage import Stage
    from viewer.theme import LIGHT

    with Stage.offscreen(checked_size(size), theme or LIGHT, mesh=mesh) as stage:
        yield stage


def _session(
    stage: Stage, scene: Scene, view: str | None, camera: Camera | None, extent: AABB | None = None
) -> Session:
    if view is not None and camera is not None:
        raise ValueError("give a view or a camera, not both")
    session = Session(scene, size=stage.size, view=view, extent=extent)
    if camera is None:
        session.keep_clear(lambda session: stage.covered(present(session)))
    else:
        session.set_camera(camera)
    return session


def _taken(stage: Stage, session: Session) -> Image:
    stage.draw(present(session), session.viewport.camera)
    return stage.image()


def _tracked(scenes: list[Scene], progress: bool) -> Iterable[Scene]:
    if not progress:
        return scenes
    from rich.console import Console
    from rich.progress import track

    return track(scenes, "drawing", console=Console(stderr=True), transient=True)


def _encoded(images: list[Image], file_format: str, milliseconds: float = 0.0) -> bytes:
    """Return the file that holds a picture, or an animation of several."""
    from PIL import Image as Pillow

    frames = [Pillow.fromarray(image) for image in images]
    options: dict[str, Any] = {}
    if file_format == "GIF":
        # One palette for all frames, from some of them: colours that change from frame to frame would flicker.
        some = np.concatenate(images[:: max(len(images) // 6, 1)])
        palette = Pillow.fromarray(some).quantize(256, method=Pillow.Quantize.MEDIANCUT)
        frames = [frame.quantize(palette=palette, dither=Pillow.Dither.NONE) for frame in frames]
    elif file_format == "WEBP":
        options = {"lossless": True}
    if len(frames) > 1:
        duration = round(milliseconds, 3) if file_format == "PNG" else max(round(milliseconds), 1)
        options |= {"save_all": True, "append_images": frames[1:], "duration": duration, "loop": 0}
    buffer = BytesIO()
    frames[0].save(buffer, format=file_format, **options)
    return buffer.getvalue()


def _checked(path: str | PathLike[str], suffixes: tuple[str, ...], what: str) -> Path:
    """Return a path to write to, or say why it cannot be one, before any work is done."""
    target = Path(path)
    if target.suffix.lower() not in suffixes:
        raise ValueError(
            f"{target}: {what} is written to a {', '.join(suffixes)} file, got {target.suffix or 'no suffix'}"
        )
    if not target.parent.is_dir():
        raise ValueError(f"{target}: there is no folder {target.parent}")
    return target
