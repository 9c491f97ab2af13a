"""The command that tells how a query reaches its answer: on the terminal, as a page, as pictures, as JSON."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from viewer.cli.errors import ExitCode, MistakeError, mistakes
from viewer.cli.options import (
    DEFAULT_SIZE,
    PLAIN,
    Flag,
    FormatOption,
    Name,
    OptionalSize,
    OutputOption,
    PictureFlags,
    ScenePath,
    Size,
    check_output,
    ended_by_signal,
    named,
    named_pair,
    numbered,
    read_scene,
    time_of,
    writing,
)
from viewer.cli.output import compile_notice, to_json

if TYPE_CHECKING:
    from collision import Explanation, Scene
    from viewer.files.loading import Loaded
    from viewer.files.movies import Movie
    from viewer.studio.options import PictureKeywords

#: The queries that can be asked of a scene.
Query = Literal[
    "signed_distance",
    "distance",
    "intersects",
    "closest_points",
    "contact",
    "foot",
    "contains",
    "crossings",
    "raycast",
    "manifold",
    "all_normals",
    "sweep",
    "sweep_steps",
    "touching_intervals",
    "candidate_pairs",
    "why",
]

#: What is written, by the end of the file's name; numbered pictures have a # or %d in it.
_MOVIES = (".gif", ".webp", ".apng", ".png", ".mp4")
_FORMS = (".md", ".json", *_MOVIES)

#: How many steps are shown a second, if nothing else is said.
_FPS = 0.25


class _Explained(NamedTuple):
    """An explanation, and the scene to show it in."""

    explanation: Explanation
    scene: Scene
    picture: PictureKeywords


def explain(
    scene: ScenePath,
    a: Name = "",
    b: Name = "",
    /,
    *,
    query: Query | None = None,
    at: float | None = None,
    output: OutputOption = None,
    format: FormatOption = "text",
    pictures: Flag = False,
    fps: float | None = None,
    size: OptionalSize = None,
    picture: PictureFlags = PLAIN,
) -> ExitCode:
    """Tell how a query of two shapes reaches its answer, step by step, with the numbers that its kernels computed.

    Parameters
    ----------
    a
        The name of the one shape, such as "arm" or "crowd[17]"; in a scene of two shapes names can be left out.
    b
        The name of the other one.
    query
        The query to explain; by default the question of a lesson, or else one that fits the two kinds. A sweep
        takes the way between two keyframes of the motion.
    at
        The shapes as they are at this time of a motion, in seconds; for a sweep, the way on which they are then.
    output
        A file to write: a .md file is a page whose formulas GitHub sets, a .json file is for programs ("schema
        explanation" describes it), step-%d.png stands for a picture of each step, and .gif, .webp, .apng, .png or
        .mp4 files show them in turn. Without it, the steps are printed.
    pictures
        Write pictures of the steps beside a .md file, and show them in it.
    fps
        Steps a second in a file that shows them in turn; by default 0.25, four seconds each.
    """
    path = None if output is None else _checked(output, fps=fps, pictures=pictures)
    if path is None and pictures:
        raise MistakeError("--pictures puts pictures beside a page: give its name, as in --output steps.md")
    drawn = pictures or (path is not None and path.suffix.lower() in _MOVIES)
    if not drawn and (size is not None or picture != PLAIN):
        raise MistakeError("options of pictures need a picture: give its file, such as --output step-%d.png")
    explained = _asked(scene, (a, b), query, at, picture, size or DEFAULT_SIZE, quiet=format == "json")
    if format == "json":
        print(to_json(explained.explanation.as_dict()))
    elif path is None:
        # A terminal ends somewhere; a file or a pipe ends nowhere.
        width = min(shutil.get_terminal_size().columns, 100) if sys.stdout.isatty() else None
        print(explained.explanation.as_text(width=width))
    if path is not None:
        written = _write(explained, path, pictures=pictures, fps=fps or _FPS)
        if format == "text":
            print(written)
    return ExitCode.FINE


# -- the explanation ---------------------------------------------------------------------------------------------------


def _asked(
    path: Path,
    names: tuple[str, str],
    query: str | None,
    at: float | None,
    picture: PictureFlags,
    size: Size,
    *,
    quiet: bool,
) -> _Explained:
    loaded = read_scene(path, quiet=quiet)
    time = time_of(loaded, at)
    scene = loaded.at(time).scene
    if loaded.lesson is not None and query is None and not any(names):
        it = loaded.lesson
        with compile_notice():
            told = it.lesson.explained(scene, it.state)
        return _Explained(told, scene, picture.keywords(size))
    from collision.inner import explain_in, fitting, names_of

    pair: tuple[str, ...] = _pair(loaded.scene, path, names) if query is None or names_of(query) else ()
    if query is None:
        query, swapped = fitting(scene[pair[0]], scene[pair[1]])[0]
        pair = pair[::-1] if swapped else pair
    if not names_of(query) and any(names):
        raise MistakeError(
            f"--query {query} is about the whole scene, and takes no names, got {' '.join(filter(None, names))}"
        )
    wanted = picture.keywords(size)
    try:
        with compile_notice():
            explained = explain_in(loaded.scene, query, *pair, time=at if query.startswith("sweep") else time)
    except (TypeError, ValueError) as error:
        text = str(error).removeprefix("explain: ")
        raise MistakeError(f"{named(path)}: {text}{_turned_round(loaded, query, pair, time)}") from error
    return _Explained(explained, scene, wanted)


def _turned_round(loaded: Loaded, query: str, pair: tuple[str, ...], time: float | None) -> str:
    """Return what to try where a query takes two shapes in the other order."""
    from collision.inner import explain_in

    if len(pair) != 2:
        return ""
    b, a = pair
    try:
        explain_in(loaded.scene, query, a, b, time=time)
    except (TypeError, ValueError):
        return ""
    return f"; it takes them in the other order: {a!r} {b!r}"


def _pair(scene: Scene, path: Path, names: tuple[str, str]) -> tuple[str, str]:
    if not any(names) and scene.element_count == 2:
        return scene.element_name(0), scene.element_name(1)
    return named_pair(scene, path, names)


# -- its files ---------------------------------------------------------------------------------------------------------


def _checked(path: Path, *, fps: float | None, pictures: bool) -> Path:
    """Return where to write, or refuse it before any work is done for it."""
    path = numbered(path, "step")
    suffix = path.suffix.lower()
    check_output(path, "an explanation", *_FORMS)
    if pictures and suffix != ".md":
        raise MistakeError(f"--pictures puts pictures beside a page, a .md file, got {named(path)}")
    if suffix in _MOVIES:
        from viewer.files.movies import Movie

        with mistakes("" if fps is None else "--"):
            Movie(path, _FPS if fps is None else fps)
    elif fps is not None:
        raise MistakeError(f"--fps is for a file that shows the steps in turn, and {named(path)} is not one")
    return path


def _write(explained: _Explained, path: Path, *, pictures: bool, fps: float) -> str:
    """Write a file, or numbered ones; return their names in a line."""
    from collision.inner import write_text

    with writing(path), ended_by_signal():
        if path.suffix.lower() == ".json":
            write_text(path, to_json(explained.explanation.as_dict()) + "\n")
        elif path.suffix.lower() == ".md":
            names = _pictures_beside(explained, path) if pictures else []
            write_text(path, explained.explanation.as_markdown(pictures=names))
        else:
            from viewer.files.movies import names_of

            return names_of(_draw(explained, path, fps).files)
    return str(path)


def _pictures_beside(explained: _Explained, page: Path) -> list[str]:
    """Write a picture of each step beside a page; return their names."""
    digits = "#" * len(str(len(explained.explanation.steps)))
    path = page.with_name(f"{page.stem.replace('#', '-')}-{digits}.png")
    movie = _draw(explained, path, _FPS)
    return [movie.numbered(number).name for number in range(1, len(movie) + 1)]


def _draw(explained: _Explained, path: Path, fps: float) -> Movie:
    """Draw all steps, and write them when they are there."""
    from viewer.files.movies import Movie
    from viewer.studio.pictures import explained_steps, tracked

    movie = Movie(path, fps)
    images = explained_steps(explained.scene, explained.explanation, **explained.picture)
    for image in tracked(images, True, len(explained.explanation.steps)):
        movie.add(image)
    movie.write()
    return movie
