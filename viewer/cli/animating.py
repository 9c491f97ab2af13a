"""The command that draws the motion of a scene to a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from viewer.cli.errors import ExitCode, MistakeError
from viewer.cli.options import (
    MOVIE_SIZE,
    PLAIN,
    Flag,
    OutputOption,
    PictureFlags,
    ScenePath,
    SizeOption,
    beside,
    check_output,
    ended_by_signal,
    named,
    numbered,
    read_scene,
    time_of,
    warm_up,
    writing,
)

if TYPE_CHECKING:
    from viewer.files.loading import Loaded


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
    quiet: Annotated[Flag, Parameter(name=("--quiet", "-q"))] = False,
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
    quiet
        Show no progress.
    """
    loaded = read_scene(scene)
    path = numbered(output, "frame") if output else beside(loaded, ".gif")
    if not path.suffix:
        raise MistakeError(
            f"{named(path)}: the file to write must end in .gif, .webp, .png, .apng or .mp4, got no ending"
        )
    check_output(path, path.suffix.lower())
    _check_pace(path, fps)
    _check_times(loaded, start, stop)
    wanted = picture.keywords(size, loaded)
    warm_up(loaded, size, picture)
    from viewer.cli.missing_glyphs import warn_of_glyphs
    from viewer.files.movies import names_of
    from viewer.studio.pictures import render_motion

    try:
        with writing(path), ended_by_signal():
            files = render_motion(loaded.scene, path, fps=fps, start=start, stop=stop, progress=not quiet, **wanted)
    except ValueError as error:
        raise MistakeError(str(error)) from error
    warn_of_glyphs(loaded)
    print(names_of(files))
    return ExitCode.FINE


def _check_pace(path: Path, fps: float) -> None:
    from viewer.files.movies import check_fps

    try:
        check_fps(path, fps)
    except ValueError as error:
        raise MistakeError(f"--{error}") from error


def _check_times(loaded: Loaded, start: float | None, stop: float | None) -> None:
    time_of(loaded, start, "--from")
    time_of(loaded, stop, "--to")
    if start is not None and stop is not None and start > stop:
        raise MistakeError(f"--from must be no later than --to, got {start:g} and {stop:g}")
