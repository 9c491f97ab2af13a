"""The command that tells how a query reaches its answer: on the terminal, as a page, as pictures, as JSON."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from viewer.cli.errors import ExitCode, MistakeError, mistakes
from viewer.cli.options import (
    DEFAULT_SIZE,
    PLAIN,
    UNCHANGED,
    Flag,
    FormatOption,
    ModelFlags,
    Name,
    OptionalSize,
    OutputOption,
    PictureFlags,
    ScenePath,
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
    model: ModelFlags = UNCHANGED,
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
    loaded = read_scene(scene, model, quiet=format == "json")
    wanted = picture.keywords(size or DEFAULT_SIZE)
    explanation = _explanation(loaded, scene, (a, b), query, at)
    if format == "json":
        print(to_json(explanation.as_dict()))
    elif path is None:
        # A terminal ends somewhere; a file or a pipe ends nowhere.
        width = min(shutil.get_terminal_size().columns, 100) if sys.stdout.isatty() else None
        print(explanation.as_text(width=width))
    if path is not None:
        draw = partial(_draw, loaded.at(time_of(loaded, at)).scene, explanation, wanted)
        written = _write(explanation, path, draw, pictures=pictures, fps=fps or _FPS)
        if format == "text":
            print(written)
    return ExitCode.FINE


def _explanation(
    loaded: Loaded, path: Path, names: tuple[str, str], query: str | None, at: float | None
) -> Explanation:
    """Return the explanation of a query, or of what fits two shapes, or of what a lesson asks."""
    time = time_of(loaded, at)
    scene = loaded.at(time).scene
    if loaded.lesson is not None and query is None and not any(names):
        with compile_notice():
            return loaded.lesson.lesson.explained(scene, loaded.lesson.state)
    from collision.inner import explain_in, fitting, names_of

    if query is not None and not names_of(query):
        if any(names):
            given = " ".join(filter(None, names))
            raise MistakeError(f"--query {query} is about the whole scene, and takes no names, got {given}")
        pair: tuple[str, ...] = ()
    elif not any(names) and scene.element_count == 2:
        pair = scene.element_name(0), scene.element_name(1)
    else:
        pair = named_pair(loaded.scene, path, names)
    if query is None:
        query, swapped = fitting(scene[pair[0]], scene[pair[1]])[0]
        pair = pair[::-1] if swapped else pair

    def explained(*pair: str) -> Explanation:
        return explain_in(loaded.scene, query, *pair, time=at if query.startswith("sweep") else time)

    try:
        with compile_notice():
            return explained(*pair)
    except (TypeError, ValueError) as error:
        hint = ""
        with suppress(TypeError, ValueError):
            if pair and explained(*pair[::-1]):
                hint = f"; it takes them in the other order: {pair[1]!r} {pair[0]!r}"
        raise MistakeError(f"{named(path)}: {str(error).removeprefix('explain: ')}{hint}") from error


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


def _write(
    explanation: Explanation, path: Path, draw: Callable[[Path, float], Movie], *, pictures: bool, fps: float
) -> str:
    """Write a file, or numbered ones; return their names in a line."""
    from collision.inner import write_text

    with writing(path), ended_by_signal():
        if path.suffix.lower() == ".json":
            write_text(path, to_json(explanation.as_dict()) + "\n")
        elif path.suffix.lower() == ".md":
            names = []
            if pictures:  # of each step, beside the page
                digits = "#" * len(str(len(explanation.steps)))
                movie = draw(path.with_name(f"{path.stem.replace('#', '-')}-{digits}.png"), fps)
                names = [file.name for file in movie.files]
            write_text(path, explanation.as_markdown(pictures=names))
        else:
            from viewer.files.movies import names_of

            return names_of(draw(path, fps).files)
    return str(path)


def _draw(scene: Scene, explanation: Explanation, wanted: PictureKeywords, path: Path, fps: float) -> Movie:
    """Draw all steps, and write them when they are there."""
    from viewer.files.movies import Movie
    from viewer.studio.pictures import explained_steps, tracked

    movie = Movie(path, fps)
    for image in tracked(explained_steps(scene, explanation, **wanted), True, len(explanation.steps)):
        movie.add(image)
    movie.write()
    return movie
