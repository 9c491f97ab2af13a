"""The command line: ``collision-viewer open | render | animate | check | why | examples | schema | doctor``.

What a command needs is imported inside it, so that ``check`` starts quickly and never loads PyVista. Answers go to
stdout, all else to stderr. Exit codes:

0    all is well
1    ``check --fail-on-collision`` found a pair
2    a user's mistake: no such file, a broken scene, a bad option, a window without a display
3    no picture can be drawn on this machine
70   a bug in this program
130  stopped with Ctrl-C
141  whoever read the output went away
"""

from __future__ import annotations

import math
import os
import signal
import sys
import traceback
from collections.abc import Iterable
from contextlib import AbstractContextManager, suppress
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, CycloptsError, Parameter

from viewer.cli.errors import PROGRAM, ExitCode, in_plain_words
from viewer.cli.options import (
    DEFAULT_SIZE,
    MOVIE_SIZE,
    Flag,
    OutputOption,
    ScenePath,
    SizeOption,
    ThemeOption,
    ViewOption,
)
from viewer.cli.output import MistakeError, check_output, writing

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from collision import Contacts, TouchingIntervals
    from viewer.files.loading import Loaded
    from viewer.session import Session


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return f"{PROGRAM} {version(PROGRAM)}"
    except PackageNotFoundError:
        return f"{PROGRAM}, run from its sources"


app = App(
    name=PROGRAM,
    help="Show which shapes of a scene collide.",
    help_epilogue="Exit codes: 0 fine; 1 check --fail-on-collision found a pair; 2 a mistake in a scene or an option; "
    "3 no picture can be drawn here; 70 a bug in this program; 130 stopped with Ctrl-C; "
    "141 whoever read the output went away.",
    version=_version,
    version_flags=["--version"],
    help_format="plaintext",
    suppress_keyboard_interrupt=False,
)


@app.command(name="open")
def open_window(
    scene: ScenePath,
    /,
    *,
    new: Flag = False,
    size: SizeOption = DEFAULT_SIZE,
    view: ViewOption = None,
    theme: ThemeOption = "light",
) -> ExitCode:
    """Show a scene in a window, and move its shapes with the mouse.

    A click selects a shape, and its handles move it; the key "h" shows all other keys. Ctrl+S saves the scene; what
    cannot be saved over, such as an example or a robot model, is saved as a new file.

    Without a display, use "render" for a picture or "check" for the numbers.

    Parameters
    ----------
    new
        Begin an empty scene, to be saved in SCENE: a .toml file that is not there yet.
    """
    from viewer.files.loading import LoadError

    try:
        loaded = _begun(scene) if new else _load(scene)
    except LoadError as error:
        if scene.suffix.lower() != ".toml" or os.path.exists(scene):
            raise
        raise MistakeError(f'{error}; "{PROGRAM} open --new {scene}" begins one') from error
    from viewer.app import NoDisplay, run, warm_up
    from viewer.session import Session

    with _compile_notice():
        warm_up(Session(loaded.scene, size=size, view=view))
    # While the window waits for its user no Python runs that could see a Ctrl-C: let it end the process by itself.
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        run(loaded.scene, size=size, view=view, theme=theme, path=loaded.path, template=not (new or scene.exists()))
    except NoDisplay as error:
        raise MistakeError(str(error)) from error
    finally:
        signal.signal(signal.SIGINT, before)
    return ExitCode.FINE


@app.command
def render(
    scene: ScenePath,
    /,
    *,
    output: OutputOption = None,
    size: SizeOption = DEFAULT_SIZE,
    view: ViewOption = None,
    theme: ThemeOption = "light",
    mesh: Flag = False,
    quiet: Annotated[Flag, Parameter(name=("--quiet", "-q"))] = False,
) -> ExitCode:
    """Draw a scene to a picture file, without a window, and list its colliding pairs.

    Parameters
    ----------
    output
        The picture to write; by default the scene's name with .png, in this folder.
    mesh
        Draw with plain meshes, for graphics drivers that cannot draw the quick way.
    quiet
        List no pairs.
    """
    loaded = _load(scene)
    path = output or Path(loaded.path.with_suffix(".png").name)
    check_output(path, ".png")
    from viewer.pictures import take, warm_up
    from viewer.session import Session

    with _compile_notice():  # before the drawing, which asks the same
        warm_up(Session(loaded.scene, size=size, view=view))
    with writing(path):
        _, session = take(loaded.scene, path, size=size, view=view, theme=theme, mesh=mesh)
    _warn_of_specks(loaded, session)
    if not quiet:
        _print_contacts(loaded)
    print(path)
    return ExitCode.FINE


@app.command
def animate(
    scene: ScenePath,
    /,
    *,
    output: OutputOption = None,
    fps: float = 24.0,
    start: Annotated[float | None, Parameter(name="--from")] = None,
    stop: Annotated[float | None, Parameter(name="--to")] = None,
    size: SizeOption = MOVIE_SIZE,
    view: ViewOption = None,
    theme: ThemeOption = "light",
    mesh: Flag = False,
    quiet: Annotated[Flag, Parameter(name=("--quiet", "-q"))] = False,
) -> ExitCode:
    """Draw the motion of a scene to an animation file, or to numbered pictures.

    Parameters
    ----------
    output
        A .gif, .webp, .png (animated) or .mp4 file; frame-####.png stands for frame-0001.png and so on. By default the
        scene's name with .gif, in this folder.
    fps
        Frames a second.
    start
        The time to begin at, in seconds; by default that of the first keyframe.
    stop
        The time to end at; by default that of the last keyframe.
    mesh
        Draw with plain meshes, for graphics drivers that cannot draw the quick way.
    quiet
        Show no progress.
    """
    loaded = _load(scene)
    path = output or Path(loaded.path.with_suffix(".gif").name)
    check_output(path, path.suffix.lower() or ".gif")
    from viewer.pictures import render_motion, warm_up
    from viewer.session import Session

    with _compile_notice():  # before the drawing, which asks the same
        warm_up(Session(loaded.scene, size=size, view=view))
    draw = partial(render_motion, size=size, view=view, theme=theme, mesh=mesh, progress=not quiet)
    try:
        with writing(path):
            draw(loaded.scene, path, fps=fps, start=start, stop=stop)
    except ValueError as error:
        raise MistakeError(str(error)) from error
    print(path)
    return ExitCode.FINE


@app.command
def check(
    scene: ScenePath,
    /,
    *,
    margin: float = 0.0,
    at: float | None = None,
    json: Flag = False,
    fail_on_collision: Flag = False,
) -> ExitCode:
    """List the pairs of shapes that collide: names, depth, contact point and normal.

    Of a scene with a motion, list the pairs that touch during it, and when.

    Parameters
    ----------
    at
        Look at this time of a motion alone, in seconds.
    margin
        List also the pairs that are no further apart than this, in scene units.
    json
        Write JSON to stdout, and nothing else.
    fail_on_collision
        Exit with code 1 if a pair is listed.
    """
    _check_margin(margin)
    loaded = _load(scene, quiet=json)
    span = loaded.scene.span
    still = loaded._replace(scene=loaded.scene.at(_time_of(loaded, at) or 0.0))
    if json:
        from viewer.cli.report import to_json

        with _compile_notice():
            contacts, moving = still.scene.contacts(margin=margin), _intervals(loaded, margin) if at is None else None
        print(to_json(str(scene), still, contacts, margin=margin, time=at, moving=moving))
        found = contacts if moving is None else moving
    else:
        found = _print_contacts(still, margin) if span is None or at is not None else _print_intervals(loaded, margin)
    return ExitCode.COLLISION if fail_on_collision and len(found) else ExitCode.FINE


@app.command
def why(
    scene: ScenePath, a: str, b: str, /, *, margin: float = 0.0, at: float | None = None, json: Flag = False
) -> ExitCode:
    """Say why two shapes are reported as colliding, or why they are not.

    Of a scene with a motion, say it of its start, and when the two touch during it.

    Parameters
    ----------
    a, b
        The names of the two, such as "arm" or "crowd[17]".
    at
        Look at this time of a motion alone, in seconds.
    margin
        How far apart shapes may be to be reported, in scene units.
    json
        Write JSON to stdout.
    """
    _check_margin(margin)
    loaded = _load(scene, quiet=json)
    from viewer.cli.why import explained

    time = _time_of(loaded, at)
    try:
        with _compile_notice():
            found = explained(loaded.scene, a, b, margin=margin, time=time, intervals=at is None)
    except ValueError as error:
        raise MistakeError(f"{scene}: {error}") from error
    print(_to_json(found.as_dict(str(scene))) if json else found)
    return ExitCode.FINE


@app.command
def examples(*, json: Flag = False) -> ExitCode:
    """List the examples; each name stands for its scene in the other commands.

    Parameters
    ----------
    json
        Write JSON to stdout: name, path, title and caption of each.
    """
    from viewer.files.catalogue import find_examples

    try:
        found = find_examples()
    except FileNotFoundError as error:
        raise MistakeError(str(error)) from error
    if json:
        print(_to_json([{**vars(example), "path": str(example.path)} for example in found]))
        return ExitCode.FINE
    from rich.padding import Padding
    from rich.text import Text

    for example in found:
        _print(Text.assemble((example.name, "bold"), f": {example.title}"))
        _print(Padding(Text(example.caption), (0, 0, 0, 4), expand=False), "")
    _print(Text(f"Try: {PROGRAM} open {found[0].name}"))
    return ExitCode.FINE


@app.command
def schema(*, output: OutputOption = None) -> ExitCode:
    """Write the JSON schema of scene files, with which an editor can help to write them.

    Parameters
    ----------
    output
        The file to write; by default stdout.
    """
    from collision.scenefile import json_schema

    if output is None:
        print(_to_json(json_schema()))
        return ExitCode.FINE
    check_output(output, ".json")
    from collision.inner import write_text

    with writing(output):
        write_text(output, _to_json(json_schema()) + "\n")
    print(output)
    return ExitCode.FINE


@app.command
def doctor(*, json: Flag = False) -> ExitCode:
    """Say what is installed, what can be drawn here, what is missing and how to get it.

    Parameters
    ----------
    json
        Write JSON to stdout.
    """
    from viewer.cli.doctor import diagnose

    diagnosis = diagnose()
    if json:
        print(_to_json(diagnosis.as_dict()))
    else:
        _print(diagnosis)
    return ExitCode.FINE if diagnosis.can_draw else ExitCode.NO_PICTURE


# -- what the commands share -------------------------------------------------------------------------------------------


def _load(path: Path, *, quiet: bool = False) -> Loaded:
    from viewer.files.loading import read

    with _compile_notice():  # a scene in Python may ask queries
        loaded = read(path)
    if (loaded.skipped or loaded.notes) and not quiet:
        from viewer.cli.report import skipped_lines

        for line in (*skipped_lines(loaded.skipped), *loaded.notes):
            print(f"{loaded.path.name}: {line}", file=sys.stderr)
    return loaded


def _begun(path: Path) -> Loaded:
    """Return an empty scene for a file that is not there yet."""
    from collision import Scene
    from viewer.files.loading import Loaded

    check_output(path, ".toml")
    if path.exists():
        raise MistakeError(f"{path}: there is such a file already; open it without --new")
    return Loaded(Scene(), path)


def _check_margin(margin: float) -> None:
    if not (margin >= 0.0 and math.isfinite(margin)):
        raise MistakeError(f"--margin must be a finite number, zero or more, got {margin:g}")


def _time_of(loaded: Loaded, at: float | None) -> float | None:
    """Return the time that was asked for, or else when the motion starts; None where nothing moves."""
    span = loaded.scene.span
    if at is not None and (span is None or not span[0] <= at <= span[1]):
        held = f"the motion lasts from {span[0]:g} to {span[1]:g} s" if span else "the scene has no motion"
        raise MistakeError(f"--at must be a time of the motion, got {at:g}; {held}")
    return at if at is not None or span is None else span[0]


def _warn_of_specks(loaded: Loaded, session: Session) -> None:
    from viewer.picture.present import speck_note_of

    if note := speck_note_of(session):
        print(f"{loaded.path.name}: {note}", file=sys.stderr)


def _print_contacts(loaded: Loaded, margin: float = 0.0) -> Contacts:
    from viewer.cli.report import ContactTable, summary

    with _compile_notice():
        contacts = loaded.scene.contacts(margin=margin)
    if len(contacts):
        _print(ContactTable(loaded.scene, contacts, signed=margin > 0.0))
    _print(summary(loaded.scene, contacts, margin=margin))
    return contacts


def _intervals(loaded: Loaded, margin: float) -> TouchingIntervals | None:
    from collision import touching_intervals

    return touching_intervals(loaded.scene, margin=margin) if loaded.scene.motion else None


def _print_intervals(loaded: Loaded, margin: float) -> TouchingIntervals:
    from viewer.cli.report import IntervalTable, moving_summary

    with _compile_notice():
        found = _intervals(loaded, margin)
    assert found is not None  # for type checkers: there is a motion
    if len(found):
        _print(IntervalTable(loaded.scene, found))
    _print(moving_summary(loaded.scene, found, margin=margin))
    return found


def _compile_notice() -> AbstractContextManager[None]:
    from viewer.cli.compiling import compile_notice

    return compile_notice()


def _print(*items: RenderableType) -> None:
    console = _console()
    for item in items:
        console.print(item, highlight=False, markup=False, crop=False)


def _console() -> Console:
    from rich.console import Console

    class QuietConsole(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # for main, which knows the exit code

    # A file or a pipe has no edge at which a line would have to end.
    return QuietConsole(width=None if sys.stdout.isatty() else 100_000)


def _to_json(value: object) -> str:
    import json

    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)


def main(tokens: Iterable[str] | None = None) -> int:
    """Run the command line and return the exit code.

    Parameters
    ----------
    tokens : iterable of str, optional
        The words after the program's name; by default those that it was started with.

    Examples
    --------
    >>> int(main(["check", "nowhere.toml"]))
    2
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a name that the terminal cannot write is no reason to fail
            stream.reconfigure(errors="backslashreplace")
    try:
        code = app(tokens, exit_on_error=False, print_error=False, result_action="return_value")
        sys.stdout.flush()
        return int(code or ExitCode.FINE)
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        _drop_output()
        return ExitCode.BROKEN_PIPE
    except Exception as error:
        return _explain(error)


def _drop_output() -> None:
    """Forget what is still to be written to stdout: Python would try once more when it ends, and complain."""
    with suppress(OSError, ValueError):  # a stream of a test or a notebook has no descriptor
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _explain(error: Exception) -> ExitCode:
    """Say on stderr what went wrong, in a way that depends on whose fault it is."""
    from viewer.files.loading import LoadError
    from viewer.gl import GLUnavailable

    if isinstance(error, CycloptsError | MistakeError | LoadError | GLUnavailable):
        text = in_plain_words(error) if isinstance(error, CycloptsError) else str(error)
        print(f"{PROGRAM}: {text}", file=sys.stderr)
        return ExitCode.NO_PICTURE if isinstance(error, GLUnavailable) else ExitCode.MISTAKE
    if isinstance(error, OSError):  # a full disk, most often
        _drop_output()
        print(f"{PROGRAM}: {error}", file=sys.stderr)
        return ExitCode.MISTAKE
    traceback.print_exception(error)
    print(
        f"{PROGRAM}: this is a bug; please report the lines above and the output of: {PROGRAM} doctor", file=sys.stderr
    )
    return ExitCode.BUG
