"""Pictures without a window: one PNG, or an animation.

PyVista is imported when a picture is made, not before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar, Unpack

import numpy as np

from collision import AABB, Camera, Explanation, Scene, Shape
from collision.importers import LinkAudit, Model
from collision.inner import shown_path, write_bytes
from viewer.camera.framing import for_width
from viewer.files.loading import Loaded
from viewer.files.movies import TRANSPARENT, Image, Movie, png
from viewer.files.paths import checked_path
from viewer.picture.audit import audit_marks
from viewer.picture.present import present
from viewer.records.drawables import Bar, Drawable, Panel, Timeline
from viewer.session import Session
from viewer.studio.options import PictureKeywords, PictureOptions, checked_focus, read_options, single_name

if TYPE_CHECKING:
    from viewer.stage.stage import Stage

#: What can be viewed: a scene, a robot, shapes by name, or the path of a scene file, an example or a model.
SceneSource: TypeAlias = Scene | Model | Mapping[str, Shape] | str | PathLike[str] | Loaded

#: The longest animation, and the width and height of one in pixels where nothing else is asked for.
MOST_FRAMES, MOVIE_SIZE = 20_000, (800, 600)

_Frame = TypeVar("_Frame")


def as_scene(source: SceneSource) -> Scene:
    """Return the scene of whatever a user has.

    Parameters
    ----------
    source : Scene, Model, mapping of str to Shape, or path
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
    if isinstance(source, Scene | Model | Loaded):
        return source if isinstance(source, Scene) else source.scene
    if isinstance(source, Mapping):
        return Scene(source)
    if not isinstance(source, str | PathLike):
        hint = f'; a shape needs a name, such as {{"{type(source).__name__.lower()}": shape}}'
        got = "None" if source is None else type(source).__name__
        raise ValueError(
            "what is to be seen must be a collision.Scene, a mapping of names to shapes, or the path of a file, "
            f"got {got}{hint if isinstance(source, Shape) else ''}"
        )
    from viewer.files.loading import load

    return load(source)


def render(
    source: SceneSource,
    path: str | PathLike[str] | None = None,
    *,
    time: float | None = None,
    **options: Unpack[PictureKeywords],
) -> Image:
    """Make the picture of a scene, without a window.

    Parameters
    ----------
    source : Scene, mapping of str to Shape, or path
        What to draw; see `as_scene`.
    path : path, optional
        A PNG file to write; it is written whole or not at all.
    time : float, optional
        A time of the scene's motion; by default when it starts.
    **options
        What the picture is to be like: ``size``, ``view``, ``camera``, ``theme``, ``mesh``, ``transparent``,
        ``panels``, ``parallel``, ``scale`` and ``focus``; see `PictureOptions`.

    Returns
    -------
    ndarray of uint8, shape (height, width, 3)
        The picture, its upper row first; with a fourth channel where it is transparent.

    Raises
    ------
    TypeError
        If there is no such option.
    ValueError
        If the source is no scene, the time is none of its motion, the path's suffix is none of a picture, an option is
        none of what it can be, or there is no shape to look at.

    Examples
    --------
    >>> from collision import Sphere
    >>> render({"ball": Sphere([0, 0, 0], 1)}, size=(320, 240)).shape  # doctest: +SKIP
    (240, 320, 3)
    """
    return take(source, path, read_options(**options), time=time)[0]


def take(
    source: SceneSource,
    path: str | PathLike[str] | None = None,
    options: PictureOptions = PictureOptions(),  # noqa: B008 (it never changes)
    *,
    time: float | None = None,
) -> tuple[Image, Session]:
    """Do what `render` does, and return the session that the picture is of as well."""
    target = _target(path)
    scene = as_scene(source)
    if time is not None:
        check_time(scene, time)
    with _studio(options) as studio:
        session = studio.session(scene, time=time, robot=source)
        image = studio.image(session)
    return _saved(image, target), session


def take_audited(
    model: Model,
    found: Sequence[LinkAudit],
    path: str | PathLike[str] | None = None,
    options: PictureOptions = PictureOptions(),  # noqa: B008 (it never changes)
) -> Image:
    """Make the picture of an audit: what is outside of collision shapes in red, these seen through, no pair judged."""
    target = _target(path)
    meshes = tuple(mesh for link in found for mesh in link.surface)
    scene = model.scene.replaced(ignored=[("*", "*")] if model.scene.shapes else [], caption="")
    loaded = Loaded(scene, Path(), model=replace(model, visuals=meshes))
    with _studio(options, beside=audit_marks(model, found)) as studio:
        session = studio.session(scene, robot=loaded)
        session.settings.toggles = replace(session.settings.toggles, see_through=True, hud=False, labels=False)
        image = studio.image(session)
    return _saved(image, target)


def _target(path: str | PathLike[str] | None) -> Path | None:
    """Return where a picture is to be written, if it is, before any work is done."""
    return None if path is None else checked_path(_checked_type(path), (".png",), "a picture")


def _saved(image: Image, target: Path | None) -> Image:
    if target is not None:
        write_bytes(target, png(image))
    return image


def _checked_type(path: str | PathLike[str]) -> str | PathLike[str]:
    if not isinstance(path, str | PathLike):
        raise ValueError(f"the file to write must be a path, got {path!r}")
    return path


def render_step(
    source: SceneSource,
    a: str,
    b: str,
    path: str | PathLike[str] | None = None,
    *,
    query: str | None = None,
    step: int = 1,
    time: float | None = None,
    **options: Unpack[PictureKeywords],
) -> Image:
    """Make the picture of a step of an explanation: the scene with the step's marks, and the card beside it.

    Parameters
    ----------
    source : Scene, mapping of str to Shape, or path
        What to draw; see `as_scene`.
    a, b : str
        The names of two shapes.
    path : path, optional
        A PNG file to write; it is written whole or not at all.
    query : str, optional
        The name of a query of `collision`; by default one that fits the two kinds.
    step : int
        Which step, from 1 on.
    time : float, optional
        A time of the scene's motion; by default when it starts.
    **options
        As for `render`. With ``panels=False`` there is no card.

    Returns
    -------
    ndarray of uint8, shape (height, width, 3)
        The picture, its upper row first; with a fourth channel where it is transparent.

    Raises
    ------
    ValueError
        If there is no such shape or step, the query cannot be explained, or `render` would refuse what is given.

    Examples
    --------
    >>> from collision import Sphere
    >>> balls = {"a": Sphere([0, 0, 0], 1), "b": Sphere([3, 0, 0], 1)}
    >>> render_step(balls, "a", "b", step=2, size=(320, 240)).shape  # doctest: +SKIP
    (240, 320, 3)
    """
    target = _target(path)
    return _saved(next(render_steps(source, a, b, query=query, steps=[step], time=time, **options)), target)


def render_steps(
    source: SceneSource,
    a: str,
    b: str,
    *,
    query: str | None = None,
    steps: Iterable[int] | None = None,
    time: float | None = None,
    **options: Unpack[PictureKeywords],
) -> Iterator[Image]:
    """Yield the pictures that `render_step` makes of some steps, by default of all, one after another.

    They are seen from one place, and drawn with one stage, which is quicker than one by one.

    Parameters
    ----------
    source, a, b, query, time, **options
        As for `render_step`.
    steps : iterable of int, optional
        Which steps, from 1 on.
    """
    wanted, scene = read_options(**options), as_scene(source)
    if time is not None:
        check_time(scene, time)
    a, b = (single_name(scene, name) for name in (a, b))
    yield from _step_images(scene, wanted, lambda session: session.explaining.explain(a, b, query), steps, time)


def explained_steps(
    source: SceneSource,
    explanation: Explanation,
    *,
    steps: Iterable[int] | None = None,
    **options: Unpack[PictureKeywords],
) -> Iterator[Image]:
    """Yield pictures of the steps of an explanation that `collision.explain` has returned, whatever it is about."""
    wanted = read_options(**options)
    yield from _step_images(as_scene(source), wanted, lambda session: session.explaining.show(explanation), steps)


def _step_images(
    scene: Scene,
    options: PictureOptions,
    explain: Callable[[Session], object],
    steps: Iterable[int] | None,
    time: float | None = None,
) -> Iterator[Image]:
    with _studio(options, steady=True) as studio:
        session = studio.session(scene, time=time)
        explain(session)
        studio.look(session, options.camera)
        explanation = session.explaining.explanation
        if explanation is None:
            raise ValueError(session.notice)
        for step in range(1, len(explanation.steps) + 1) if steps is None else steps:
            session.explaining.go_to_step(step - 1)
            yield studio.image(session)


def check_time(scene: Scene, time: float) -> None:
    """Refuse what is no time of a scene's motion, and say which are."""
    span = scene.span
    if np.ndim(time) or np.asarray(time).dtype.kind not in "fiu":
        raise ValueError(f"the time must be a number of seconds, got {time!r}")
    if span is None or not span[0] <= time <= span[1]:
        held = f"the motion lasts from {span[0]:g} to {span[1]:g} s" if span else "the scene has no motion"
        raise ValueError(f"the time must be one of the motion, got {time:g}; {held}")


def snapshot(
    session: Session,
    path: str | PathLike[str] | None = None,
    *,
    transparent: bool = False,
    panels: bool = True,
    scale: float = 1.0,
) -> Image:
    """Make the picture of a session as it is: with its selection and handles, its view, its panels and its theme.

    Parameters
    ----------
    session : viewer.session.Session
        What a window would show; its size is that of the picture.
    path : path, optional
        A PNG file to write; it is written whole or not at all.
    transparent, panels, scale
        As for `render`. Its time, its projection and what it looks at are the session's own.

    Returns
    -------
    ndarray of uint8, shape (height, width, 3)
        The picture, its upper row first; with a fourth channel where it is transparent.

    Raises
    ------
    TypeError
        If that is no session.
    ValueError
        If the path's suffix is another, a side of the picture is not from 64 to 8192 pixels, or the scale is not from
        0.5 to 4.

    Examples
    --------
    >>> from collision import Scene, Sphere
    >>> from viewer.session import Session
    >>> session = Session(Scene({"ball": Sphere([0, 0, 0], 1)}), size=(320, 240))
    >>> session.select("ball")
    >>> snapshot(session).shape  # doctest: +SKIP
    (240, 320, 3)
    """
    if not isinstance(session, Session):
        raise TypeError(f"snapshot takes a Session, got {session!r}; viewer.render makes a picture of a scene")
    target = _target(path)
    options = PictureOptions(
        session.viewport.size, theme=session.settings.theme, transparent=transparent, panels=panels, scale=scale
    )
    with _studio(options, still=False) as studio:  # of what a window would show
        return _saved(studio.image(session), target)


def render_frames(
    scenes: Iterable[SceneSource],
    path: str | PathLike[str],
    *,
    fps: float = 24.0,
    progress: bool = True,
    **options: Unpack[PictureKeywords],
) -> list[Path]:
    """Write an animation that repeats for ever, a scene for each frame.

    The file is written whole or not at all, also when Ctrl-C ends it.

    Parameters
    ----------
    scenes : iterable of scenes
        Of anything that `as_scene` takes. Those without a camera of their own are all seen from one place, from where
        everything is in view, and the ground stays where it is.
    path : path
        A ``.gif``, ``.webp``, ``.png`` (or ``.apng``) or, where imageio is installed, ``.mp4`` file to write; or
        numbered pictures: ``frame-####.png`` stands for ``frame-0001.png`` and so on.
    fps : float
        Frames a second; of a ``.gif`` file at most 50.
    progress : bool
        Show how far it is, on the standard error stream.
    **options
        As for `render`; the size is 800 x 600 by default. Only ``.webp``, ``.png`` and ``.apng`` can be transparent.

    Returns
    -------
    list of Path
        The file, or the numbered ones in their order.

    Raises
    ------
    TypeError
        If it is a single scene.
    ValueError
        If there is no scene, or an argument is none of what it can be.
    """
    if isinstance(scenes, Scene | Mapping | str | PathLike):
        raise TypeError(f"render_frames takes scenes, one for each frame, got a single {type(scenes).__name__}")
    wanted, movie = _movie_options(path, options), Movie(path, fps)
    frames = [as_scene(source) for source in scenes]
    if not frames:
        raise ValueError(f"{shown_path(movie.path)}: there is no scene to make an animation of")
    boxes = [box for box in (scene.bounds() for scene in frames) if box is not None]
    extent = AABB.union(*boxes) if boxes else None
    with _studio(wanted, steady=True) as studio:
        still = studio.session(frames[0].replaced(camera=None), extent).viewport.camera
        for scene in tracked(frames, progress):
            own = scene.camera if wanted.view is None else None
            seen_from = wanted.camera or (still if own is None else for_width(extent, own, wanted.size))
            own_options = replace(wanted, view=None, camera=seen_from)
            movie.add(studio.image(studio.session(scene, extent, options=own_options)))
    movie.write()
    return movie.files


def render_motion(
    source: SceneSource,
    path: str | PathLike[str],
    *,
    fps: float = 24.0,
    start: float | None = None,
    stop: float | None = None,
    progress: bool = True,
    **options: Unpack[PictureKeywords],
) -> list[Path]:
    """Write the motion of a scene as an animation that repeats for ever, or as numbered pictures.

    What is written is written whole or not at all, also when Ctrl-C ends it.

    Parameters
    ----------
    source : Scene, mapping of str to Shape, or path
        A scene with a motion; see `as_scene`.
    path : path
        As for `render_frames`.
    fps : float
        Frames a second of the motion, of a ``.gif`` file at most 50; the last frame is at its end.
    start, stop : float, optional
        The times to begin and to end at; by default the first and the last keyframe.
    progress : bool
        Show how far it is, on the standard error stream.
    **options
        As for `render`; the size is 800 x 600 by default. Only ``.webp``, ``.png`` and ``.apng`` can be transparent.

    Returns
    -------
    list of Path
        The file, or the numbered ones in their order.

    Raises
    ------
    ValueError
        If the scene has no motion, or an argument is none of what it can be.

    Examples
    --------
    >>> from collision import Motion, Scene, Sphere
    >>> rise = Motion("ball", times=[0, 2], offsets=[[0, 0, 0], [0, 0, 3]])
    >>> render_motion(Scene({"ball": Sphere([0, 0, 0], 1)}, motion=[rise]), "rise.gif")  # doctest: +SKIP
    """
    wanted, movie, scene = _movie_options(path, options), Movie(path, fps), as_scene(source)
    if scene.span is None:
        raise ValueError(f"{shown_path(movie.path)}: the scene has no motion to make an animation of")
    times = _times(scene.span, start, stop, fps)
    with _studio(wanted, steady=True) as studio:
        session = studio.session(scene, robot=source)
        session.player.play()
        for time in tracked(times, progress):
            session.player.scrub(time)
            movie.add(studio.image(session))
    movie.write()
    return movie.files


def _movie_options(path: str | PathLike[str], options: PictureKeywords) -> PictureOptions:
    """Return what the frames of an animation are to be like, if its file can hold it."""
    wanted = read_options(**(PictureKeywords(size=MOVIE_SIZE) | options))
    suffix = Path(_checked_type(path)).suffix.lower()
    if wanted.transparent and suffix not in TRANSPARENT:
        known = ", ".join(TRANSPARENT)
        raise ValueError(f"{shown_path(path)}: an animation can be transparent as a {known} file, and not as {suffix}")
    return wanted


def _times(span: tuple[float, float], start: float | None, stop: float | None, fps: float) -> list[float]:
    """Return the times of frames: evenly from start to stop, both of which have one."""
    first, last = (span[k] if time is None else time for k, time in enumerate((start, stop)))
    if not span[0] <= first <= last <= span[1]:
        raise ValueError(
            "start and stop must be in order and within the motion, "
            f"{span[0]:g} to {span[1]:g}, got {first:g} and {last:g}"
        )
    count = round((last - first) * fps) + 1
    if count > MOST_FRAMES:
        raise ValueError(f"{count:,} frames are too many, {MOST_FRAMES:,} at most: take fewer a second")
    return list(map(float, np.linspace(first, last, count)))


class _Studio(NamedTuple):
    """Makes the pictures of sessions with one stage."""

    stage: Stage
    options: PictureOptions
    still: bool
    beside: Sequence[Drawable] = ()

    def session(
        self,
        scene: Scene,
        extent: AABB | None = None,
        *,
        time: float | None = None,
        options: PictureOptions | None = None,
        robot: SceneSource | None = None,
    ) -> Session:
        """Return a session whose pictures are as large as those of the stage; it may have options of its own.

        Of a robot that was read from a file, it shows what links look like, if that was read, too.
        """
        options = options or self.options
        loaded = robot if isinstance(robot, Loaded) else None
        model = None if loaded is None else loaded.model
        session = Session(scene, size=self.stage.size, view=options.view, extent=extent, model=model)
        if loaded is not None:
            session.joints.go_along(loaded.trajectory)
        session.settings.set_theme(self.stage.theme)
        self.look(session, options.camera)
        if options.parallel and session.viewport.camera.parallel_height is None:
            session.view.switch_projection()
        if time is not None:
            session.player.scrub(time)
        if options.focus is not None:
            a, b = checked_focus(scene, options.focus)
            session.selection.focus_on(a, b, rest=True)
            if options.camera is None:
                session.view.frame_shapes([session.scene[a], session.scene[b]], clear=True)
                self.look(session, None)
        return session

    def look(self, session: Session, camera: Camera | None) -> None:
        """Look from where a picture is to be taken; else have what was framed last stand beside the panels."""
        if camera is None:
            session.cover(self.stage.covered(self._drawables(session)))
        else:
            session.view.set_camera(camera)

    def image(self, session: Session) -> Image:
        """Take a picture."""
        self.stage.draw(self._drawables(session), session.viewport.camera)
        return self.stage.image()

    def _drawables(self, session: Session) -> Sequence[Drawable]:
        left_out = Bar if self.options.panels else Bar | Panel | Timeline
        shown = [d for d in (*present(session, still=self.still), *self.beside) if not isinstance(d, left_out)]
        return [d for d in shown if not (isinstance(d, Panel) and d.fleeting)]


@contextmanager
def _studio(
    options: PictureOptions, *, steady: bool = False, still: bool = True, beside: Sequence[Drawable] = ()
) -> Iterator[_Studio]:
    from viewer.stage.stage import Stage

    with Stage.offscreen(options.size, options.look, mesh=options.mesh, transparent=options.transparent) as stage:
        if steady:
            stage.steady()
        yield _Studio(stage, options, still, beside)


def tracked(frames: Iterable[_Frame], progress: bool, total: int | None = None) -> Iterable[_Frame]:
    """Show on stderr how far the work on some frames has come, if that is wanted."""
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    shown = progress and (console.is_terminal or console.is_jupyter)  # a log would have an empty line of it
    return track(frames, "drawing", total, console=console, transient=True, disable=not shown)
