"""The commands that draw a scene to a file: a picture, or the animation of its motion."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter, Token

from viewer.cli.errors import PROGRAM, ExitCode, MistakeError, mistakes
from viewer.cli.options import (
    DEFAULT_SIZE,
    MOVIE_SIZE,
    PLAIN,
    OutputOption,
    PictureFlags,
    QuietFlag,
    ScenePath,
    Size,
    SizeOption,
    check_output,
    default_output,
    ended_by_signal,
    is_stdin,
    named,
    numbered,
    read_scene,
    sized,
    time_of,
    writing,
)
from viewer.cli.output import compile_notice

if TYPE_CHECKING:
    from viewer.files.loading import Loaded


def _read_moment(_type: object, tokens: Sequence[Token]) -> float | Literal["worst"]:
    text = tokens[0].value
    if text == "worst":
        return "worst"
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"must be a time in seconds, or worst, got {text!r}") from None


AtOption = Annotated[
    float | Literal["worst"] | None,
    Parameter(
        converter=_read_moment,
        n_tokens=1,
        accepts_keys=False,
        allow_leading_hyphen=True,
        help="Draw the scene at this time of its motion, in seconds; by default when it starts. With worst: when the "
        "two shapes of --focus are nearest to each other, or deepest, seen from the side; or else any two.",
    ),
]


def render(
    scene: ScenePath,
    /,
    *,
    output: OutputOption = None,
    at: AtOption = None,
    size: SizeOption = DEFAULT_SIZE,
    picture: PictureFlags = PLAIN,
    quiet: QuietFlag = False,
) -> ExitCode:
    """Draw a scene to a picture file, without a window, and list its colliding pairs.

    Parameters
    ----------
    output
        The picture to write; by default the scene's name with .png, in this folder.
    """
    loaded = read_scene(scene)
    path = output or default_output(loaded, ".png")
    check_output(path, ".png")
    wanted = picture.keywords(size, loaded)
    time = _worst_moment(loaded, picture.focus) if at == "worst" else time_of(loaded, at)
    if at == "worst" and picture.view is None and picture.focus is not None:
        from viewer.verdicts.pictures import worst_view

        with compile_notice(), mistakes("--at worst: "):
            wanted["camera"] = worst_view(loaded.at(time).scene, *picture.focus, size)
    _warm_up(loaded, size, picture)
    from viewer.cli.missing_glyphs import warn_of_glyphs
    from viewer.picture.present import note_on_tiny
    from viewer.studio.options import PictureOptions
    from viewer.studio.pictures import take

    with writing(path):
        _, session = take(loaded.scene, path, PictureOptions(**wanted), time=time)
    if note := note_on_tiny(session):
        print(f"{loaded.path.name}: {note}", file=sys.stderr)
    warn_of_glyphs(loaded)
    if not quiet:
        from viewer.cli.check import print_contacts, time_words

        print_contacts(loaded.at(time).scene, when=time_words(loaded, time if at is not None else None))
        if at is None and time is not None:
            word = "-" if is_stdin(scene) else scene
            print(f'The scene moves: "{PROGRAM} check {word}" lists what touches during its motion.')
    print(path)
    return ExitCode.FINE


def _worst_moment(loaded: Loaded, focus: tuple[str, str] | None) -> float | None:
    """Return when two shapes are nearest, or deepest in each other; None where nothing moves."""
    if loaded.scene.span is None:
        if focus is None:
            raise MistakeError("--at worst needs a motion, or the two shapes of --focus; the scene has no motion")
        return None
    from collision import extreme_distance

    try:
        with compile_notice():
            return extreme_distance(loaded.scene, *(focus or ("*", "*"))).time
    except ValueError as error:
        raise MistakeError(f"--at worst: {str(error).removeprefix('extreme_distance: ')}") from error


def animate(
    scene: ScenePath,
    /,
    *,
    output: OutputOption = None,
    fps: float = 24.0,
    start: Annotated[float | None, Parameter(name="--from")] = None,
    stop: Annotated[float | None, Parameter(name="--to")] = None,
    size: SizeOption = MOVIE_SIZE,
    picture: PictureFlags = PLAIN,
    quiet: QuietFlag = False,
) -> ExitCode:
    """Draw the motion of a scene to an animation file, or to numbered pictures.

    Parameters
    ----------
    output
        A .gif, .webp, .apng, .png (animated, too) or .mp4 file; by default the scene's name with .gif, in this folder.
        For numbered pictures frame-####.png, or frame-%04d.png, stands for frame-0001.png and so on.
    fps
        Frames a second; of a .gif file at most 50.
    start
        The time to begin at, in seconds; by default that of the first keyframe.
    stop
        The time to end at; by default that of the last keyframe.
    """
    from viewer.files.movies import check_fps, names_of

    loaded = read_scene(scene)
    path = numbered(output, "frame") if output else default_output(loaded, ".gif")
    if not path.suffix:
        raise MistakeError(
            f"{named(path)}: the file to write must end in .gif, .webp, .png, .apng or .mp4, got no ending"
        )
    check_output(path, path.suffix.lower())
    with mistakes("--"):
        check_fps(path, fps)
    time_of(loaded, start, "--from")
    time_of(loaded, stop, "--to")
    if start is not None and stop is not None and start > stop:
        raise MistakeError(f"--from must be no later than --to, got {start:g} and {stop:g}")
    wanted = picture.keywords(size, loaded)
    _warm_up(loaded, size, picture)
    from viewer.cli.missing_glyphs import warn_of_glyphs
    from viewer.studio.pictures import render_motion

    with mistakes(), writing(path), ended_by_signal():
        files = render_motion(loaded.scene, path, fps=fps, start=start, stop=stop, progress=not quiet, **wanted)
    warn_of_glyphs(loaded)
    print(names_of(files))
    return ExitCode.FINE


def _warm_up(loaded: Loaded, size: Size, picture: PictureFlags) -> None:
    """Ask what the drawing will ask, and say on a terminal when that takes long."""
    from viewer.stage import gl

    gl.begin()  # what follows takes as long to import
    from viewer.session import Session
    from viewer.studio.pictures import warm_up

    with compile_notice(), sized(loaded.path):
        warm_up(Session(loaded.scene, size=size, view=picture.view))
