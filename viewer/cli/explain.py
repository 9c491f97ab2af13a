"""The command that tells how a query reaches its answer: on the terminal, as a page, as pictures, as JSON."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from viewer.cli.errors import ExitCode, MistakeError, mistakes
from viewer.cli.options import (
    DEFAULT_SIZE,
    PLAIN,
    Flag,
    OptionalScene,
    OutputOption,
    PictureFlags,
    QuietFlag,
    Size,
    SizeOption,
    check_output,
    ended_by_signal,
    named,
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

#: So many shapes of a scene are named at most.
_LISTED = 8


class _Explained(NamedTuple):
    """An explanation, and the scene to show it in."""

    explanation: Explanation
    scene: Scene
    picture: PictureKeywords


def explain(
    scene: OptionalScene = None,
    a: str = "",
    b: str = "",
    /,
    *,
    query: Query | None = None,
    at: float | None = None,
    case: str = "",
    output: OutputOption = None,
    json: Flag = False,
    pictures: Flag = False,
    seconds: float = 4.0,
    size: SizeOption = DEFAULT_SIZE,
    picture: PictureFlags = PLAIN,
    quiet: QuietFlag = False,
) -> ExitCode:
    """Tell how a query of two shapes reaches its answer, step by step, with the numbers that its kernels computed.

    Parameters
    ----------
    a
        The name of the one shape, such as "arm" or "crowd[17]"; in a scene of two shapes names can be left out.
    b
        The name of the other one.
    query
        The query to explain; by default one that fits the two kinds, and of a lesson what that asks. A sweep takes
        the way between two keyframes of the motion.
    at
        The shapes as they are at this time of a motion, in seconds; of a sweep, the way that goes on then.
    case
        In place of a scene, one of the named cases that reach every branch of the kernels; "list" lists them.
    output
        A file to write: .md is a page whose formulas GitHub sets, .json is for programs ("schema --explanation"
        describes it), step-%d.png a picture of each step, and .gif, .webp, .apng, .png or .mp4 show them in turn.
        Without it, the steps are printed.
    json
        Write JSON to stdout.
    pictures
        Write pictures of the steps beside a .md file, and show them in it.
    seconds
        How long each step is shown in a file that shows them in turn.
    """
    if case == "list":
        if scene is not None or output is not None or query is not None or at is not None:
            raise MistakeError('"--case list" lists the cases, and takes nothing else')
        from collision.inner import all_cases

        for name, one in all_cases().items():
            print(f"{name} ({one.query}): {one.says}")
        return ExitCode.FINE
    path = None if output is None else _checked(output, seconds=seconds, pictures=pictures)
    if path is None and pictures:
        raise MistakeError("--pictures are beside a page: give its name, as in --output steps.md")
    if case and (scene is not None or query is not None or at is not None):
        raise MistakeError("--case is a query of its own shapes: it takes no scene, no --query and no --at")
    drawn = pictures or (path is not None and path.suffix.lower() in _MOVIES)
    if case:
        explained = _case(case, picture, size, drawn=drawn)
    else:
        explained = _asked(scene, (a, b), query, at, picture, size, quiet=json)
    if json:
        print(to_json(explained.explanation.as_dict()))
    elif path is None and not quiet:
        # A terminal ends somewhere; a file or a pipe ends nowhere.
        width = min(shutil.get_terminal_size().columns, 100) if sys.stdout.isatty() else None
        print(explained.explanation.as_text(width=width))
    if path is not None:
        written = _write(explained, path, pictures=pictures, seconds=seconds, progress=not quiet)
        if not json:
            print(written)
    return ExitCode.FINE


# -- the explanation ---------------------------------------------------------------------------------------------------


def _asked(
    path: Path | None,
    names: tuple[str, str],
    query: str | None,
    at: float | None,
    picture: PictureFlags,
    size: Size,
    *,
    quiet: bool,
) -> _Explained:
    if path is None:
        raise MistakeError(
            'expected a scene and the names of two shapes, or --case NAME; "--case list" lists the cases'
        )
    loaded = read_scene(path, quiet=quiet)
    time = time_of(loaded, at)
    scene = loaded.at(time).scene
    if loaded.lesson is not None and query is None and not any(names):
        it = loaded.lesson
        with compile_notice():
            told = it.lesson.explained(scene, it.state)
        return _Explained(told, scene, picture.keywords(size, loaded))
    from collision.inner import explain_in, fitting, names_of

    pair: tuple[str, ...] = _pair(loaded.scene, path, names) if query is None or names_of(query) else ()
    if query is None:
        query, swapped = fitting(scene[pair[0]], scene[pair[1]])[0]
        pair = pair[::-1] if swapped else pair
    if not names_of(query) and any(names):
        raise MistakeError(
            f"--query {query} is about the whole scene, and takes no names, got {' '.join(filter(None, names))}"
        )
    wanted = picture.keywords(size, loaded)
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
    from viewer.studio.options import single_name

    if not any(names) and scene.element_count == 2:
        return scene.element_name(0), scene.element_name(1)
    if not all(names):
        some = ", ".join(list(scene)[:_LISTED]) or "no shapes"
        some += f" and {len(scene) - _LISTED} more" if len(scene) > _LISTED else ""
        raise MistakeError(f"{named(path)}: expected the names of two shapes; it has {some}")
    with mistakes(f"{named(path)}: "):
        a, b = (single_name(scene, name) for name in names)
    if a == b:
        raise MistakeError(f"{named(path)}: expected the names of two shapes, got {a!r} twice")
    return a, b


def _case(name: str, picture: PictureFlags, size: Size, *, drawn: bool) -> _Explained:
    """Return the explanation of a named case, and its scene; an empty one where that is refused and not drawn."""
    import collision
    from collision import Scene
    from collision.inner import all_cases
    from viewer.files.loading import Loaded

    cases = all_cases()
    if name not in cases:
        from difflib import get_close_matches

        near = [known for known in cases if name and name.lower() in known.lower()][:3]
        near = near or get_close_matches(name, cases, n=3, cutoff=0.6)
        hint = f"did you mean {' or '.join(map(repr, near))}?" if near else '"--case list" lists them'
        raise MistakeError(f"--case: there is no case {name!r}; {hint}")
    case = cases[name]
    with compile_notice():
        explained = collision.explain(case.query, *case.given, **case.more)
    try:
        shown = _scene_of(case.given)
    except ValueError as error:  # scenes refuse the largest and the smallest numbers, which kernels have cases for
        if drawn:
            raise MistakeError(f"--case {name!r}: there is no picture of it, as {error}") from error
        shown = Scene()
    return _Explained(explained, shown, picture.keywords(size, Loaded(shown, Path(name))))


def _scene_of(given: tuple[Any, ...]) -> Scene:
    """Return a scene of what a query is given: two shapes, a scene, or a collider, where it is, and a sphere."""
    from collision import CapsuleCollider, Scene, Shape

    if isinstance(given[0], Scene):
        return given[0]
    if isinstance(given[0], CapsuleCollider):
        collider, placed, sphere = given
        return Scene({"A": collider.in_world(placed), "B": sphere})
    return Scene({name: shape for name, shape in zip("AB", given, strict=False) if isinstance(shape, Shape)})


# -- its files ---------------------------------------------------------------------------------------------------------


def _checked(path: Path, *, seconds: float, pictures: bool) -> Path:
    """Return where to write, or refuse it before any work is done for it."""
    path = numbered(path, "step")
    suffix = path.suffix.lower()
    if suffix not in _FORMS:
        raise MistakeError(
            f"{named(path)}: the file to write must end in {', '.join(_FORMS)}, got {suffix or 'no ending'}"
        )
    check_output(path, suffix)
    if pictures and suffix != ".md":
        raise MistakeError(f"--pictures are beside a page, a .md file, got {named(path)}")
    if suffix in _MOVIES:
        from viewer.files.movies import GIF_SECONDS, Movie

        least, most = GIF_SECONDS if suffix == ".gif" else (0.001, 3600.0)
        if not least <= seconds <= most:
            raise MistakeError(f"--seconds must be from {least:g} to {most:g} for a {suffix} file, got {seconds:g}")
        with mistakes():
            Movie(path, 1.0 / seconds)
    return path


def _write(explained: _Explained, path: Path, *, pictures: bool, seconds: float, progress: bool) -> str:
    """Write a file, or numbered ones; return their names in a line."""
    from collision.inner import write_text

    with writing(path), ended_by_signal():
        if path.suffix.lower() == ".json":
            write_text(path, to_json(explained.explanation.as_dict()) + "\n")
        elif path.suffix.lower() == ".md":
            names = _pictures_beside(explained, path, progress=progress) if pictures else []
            write_text(path, explained.explanation.as_markdown(pictures=names))
        else:
            from viewer.files.movies import names_of

            return names_of(_draw(explained, path, seconds, progress=progress).files)
    return str(path)


def _pictures_beside(explained: _Explained, page: Path, *, progress: bool) -> list[str]:
    """Write a picture of each step beside a page; return their names."""
    digits = "#" * len(str(len(explained.explanation.steps)))
    path = page.with_name(f"{page.stem.replace('#', '-')}-{digits}.png")
    movie = _draw(explained, path, 1.0, progress=progress)
    return [movie.numbered(number).name for number in range(1, len(movie) + 1)]


def _draw(explained: _Explained, path: Path, seconds: float, *, progress: bool) -> Movie:
    """Draw all steps, and write them when they are there."""
    from viewer.files.movies import Movie
    from viewer.studio.pictures import explained_steps, tracked

    movie = Movie(path, 1.0 / seconds)
    images = explained_steps(explained.scene, explained.explanation, **explained.picture)
    for image in tracked(images, progress, len(explained.explanation.steps)):
        movie.add(image)
    movie.write()
    return movie
