"""The command line: ``collision-viewer open | render | animate | check | test | expect | why | ...``.

What a command needs is imported inside it, so that ``check`` starts quickly and never loads PyVista. Answers go to
stdout, all else to stderr. Exit codes:

0    all is well
2    a user's mistake: no such file, a broken scene, a bad option, a window without a display
3    no picture can be drawn on this machine
4    nothing was tested; or not all of it, where ``--strict`` asks for all
10   a promise is broken; or ``check --fail-on-collision`` found a pair
70   a bug in this program, or it cannot even start
130  stopped with Ctrl-C
141  whoever read the output went away

Never 1, which is Python's own for whatever goes wrong.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterable
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, Parameter

from viewer.cli.errors import PROGRAM, EndedError, ExitCode, MistakeError, drop_output, explain
from viewer.cli.options import (
    DEFAULT_SIZE,
    MAX_PAIRS,
    PLAIN,
    Flag,
    OptionalScene,
    OutputOption,
    PictureFlags,
    ScenePath,
    SizeOption,
    ThemeOption,
    ViewOption,
    WholeNumber,
    beside,
    check_margin,
    check_output,
    is_stdin,
    named,
    new_scene,
    read_scene,
    sized,
    time_of,
    warm_up,
    writing,
)
from viewer.cli.output import LateConsole, compile_notice, open_streams, plain_warnings, print_rich, to_json
from viewer.cli.worst import AtOption, moment_of, seen_from_the_side
from viewer.ctrl_c import CtrlC

if TYPE_CHECKING:
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
    help_epilogue="Exit codes: 0 fine; 2 a mistake in a scene or an option; 3 no picture can be drawn here; "
    "4 nothing was tested, or with --strict not all; 10 a promise is broken, or check --fail-on-collision found a "
    "pair; 70 a bug in this program; 130 stopped with Ctrl-C; 141 whoever read the output went away.",
    version=_version,
    version_flags=["--version"],
    help_format="plaintext",
    suppress_keyboard_interrupt=False,
)


@app.command(name="open")
def open_window(
    scene: OptionalScene = None,
    /,
    *,
    new: Flag = False,
    size: SizeOption = DEFAULT_SIZE,
    view: ViewOption = None,
    theme: ThemeOption = "light",
) -> ExitCode:
    """Show a scene in a window, and move its shapes with the mouse; without a scene, choose an example by its picture.

    A click selects a shape, and its handles move it; the key "h" shows all other keys. Ctrl+S saves the scene; what
    cannot be saved over, such as an example or a robot model, is saved as a new file.

    Without a display, use "render" for a picture or "check" for the numbers.

    Parameters
    ----------
    new
        Begin an empty scene, to be saved in SCENE: a .toml file that is not there yet.
    """
    if scene is None and new:
        raise MistakeError(f'--new needs the file to begin, as in "{PROGRAM} open --new scene.toml"')
    loaded = None if scene is None else _scene_to_open(scene, new=new)
    from collision import Scene
    from viewer.session import Session
    from viewer.studio.app import NoDisplay, run, warm_up

    shown = Scene() if loaded is None else loaded.scene
    if loaded is not None:
        with compile_notice(), sized(loaded.path):
            warm_up(Session(shown, size=size, view=view))
    # While the window waits for its user no Python runs that could see a Ctrl-C: let it end the process by itself.
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        run(
            shown,
            size=size,
            view=view,
            theme=theme,
            path=None if loaded is None or is_stdin(loaded.path) else loaded.path,
            template=scene is not None and not (new or scene.exists()),
            state=loaded and loaded.state,
            react=loaded and loaded.react,
            switches=True,
            page=loaded is None,
        )
    except NoDisplay as error:
        raise MistakeError(str(error)) from error
    finally:
        signal.signal(signal.SIGINT, before)
    return ExitCode.FINE


def _scene_to_open(scene: Path, *, new: bool) -> Loaded:
    from viewer.files.loading import LoadError

    try:
        return new_scene(scene) if new else read_scene(scene)
    except LoadError as error:
        if scene.suffix.lower() != ".toml" or os.path.exists(scene):
            raise
        raise MistakeError(f'{error}; "{PROGRAM} open --new {named(scene)}" begins one') from error


@app.command
def render(
    scene: ScenePath,
    /,
    *,
    output: OutputOption = None,
    at: AtOption = None,
    size: SizeOption = DEFAULT_SIZE,
    picture: PictureFlags = PLAIN,
    quiet: Annotated[Flag, Parameter(name=("--quiet", "-q"))] = False,
) -> ExitCode:
    """Draw a scene to a picture file, without a window, and list its colliding pairs.

    Parameters
    ----------
    output
        The picture to write; by default the scene's name with .png, in this folder.
    quiet
        List no pairs.
    """
    loaded = read_scene(scene)
    path = output or beside(loaded, ".png")
    check_output(path, ".png")
    wanted = picture.keywords(size, loaded)
    time = moment_of(loaded, at, picture.focus)
    if at == "worst":
        wanted = seen_from_the_side(wanted, loaded, time, size)
    warm_up(loaded, size, picture)
    from viewer.cli.missing_glyphs import warn_of_glyphs
    from viewer.studio.options import PictureOptions
    from viewer.studio.pictures import take

    with writing(path):
        _, session = take(loaded.scene, path, PictureOptions(**wanted), time=time)
    _warn_of_tiny_shapes(loaded, session)
    warn_of_glyphs(loaded)
    if not quiet:
        from viewer.cli.report import print_contacts, when

        print_contacts(loaded.at(time), when=when(loaded, time if at is not None else None))
        if at is None and time is not None:
            word = "-" if is_stdin(scene) else scene
            print(f'The scene moves: "{PROGRAM} check {word}" lists what touches during its motion.')
    print(path)
    return ExitCode.FINE


app.command("viewer.cli.animating:animate")


@app.command
def check(
    scene: ScenePath,
    /,
    *,
    margin: float = 0.0,
    at: float | None = None,
    json: Flag = False,
    fail_on_collision: Flag = False,
    strict: Flag = False,
    max_pairs: WholeNumber = MAX_PAIRS,
    quiet: Annotated[Flag, Parameter(name=("--quiet", "-q"))] = False,
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
        Exit with code 10 if a pair is listed, and with 4 if there is no pair that could be.
    strict
        Exit with code 4 if parts of a model were left out, or no pair is tested; a pair that is found comes first.
    max_pairs
        List no more pairs (of a motion, no more times) than this, and say how many there are.
    quiet
        List nothing, and only say whether there is a pair: by a sentence and the exit code.
    """
    check_margin(margin)
    if max_pairs < 0:
        raise MistakeError(f"--max-pairs must be a whole number, zero or more, got {max_pairs}")
    if quiet and json:
        raise MistakeError("expected --quiet or --json, got both")
    loaded = read_scene(scene, quiet=json)
    found = _found(scene, loaded, margin, at, None if quiet else max_pairs, json=json)
    if not json:
        from viewer.cli.report import print_left_out

        print_left_out(loaded.skipped)
    if fail_on_collision and found:
        return ExitCode.BROKEN
    return _unless_untested(loaded, fail_on_collision, strict)


def _found(scene: Path, loaded: Loaded, margin: float, at: float | None, most: int | None, *, json: bool) -> int:
    """Print what collides, so many pairs at most, or for None only whether anything does; return how many do."""
    still = loaded.at(time_of(loaded, at))
    from viewer.cli.report import contacts_json, intervals_of, print_any, print_contacts, print_intervals, when

    if json and most is not None:
        with compile_notice():
            first = still.scene.first_contacts(most, margin=margin)
            moving = intervals_of(loaded, margin) if at is None else None
        print(contacts_json(str(scene), still, first, margin=margin, time=at, moving=moving, most=most))
        return first.total if moving is None else len(moving)
    if loaded.scene.span is not None and at is None:
        return print_intervals(loaded, margin, most or 0)
    if most is None:
        return print_any(still, margin, when(loaded, at))
    return print_contacts(still, margin, when(loaded, at), most)


def _unless_untested(loaded: Loaded, fails: bool, strict: bool) -> ExitCode:
    """Return what it means that no pair was found, and say on stderr where it means nothing."""
    from viewer.cli.report import count_tested_pairs

    name = loaded.path.name
    if (fails or strict) and not count_tested_pairs(loaded.scene):
        print(f"{name}: no pair of shapes is tested, so that nothing can be said of it", file=sys.stderr)
        return ExitCode.NOTHING_TESTED
    if strict and loaded.skipped:
        print(f"{name}: --strict wants all of it, and parts were left out", file=sys.stderr)
        return ExitCode.NOTHING_TESTED
    return ExitCode.FINE


@app.command
def expect(scene: ScenePath, /, *, margin: float = 0.0, write: Flag = False) -> ExitCode:
    """State what holds in a scene now, as promises for its file: what collides and how deep, what touches or is near.

    Over a motion also when pairs collide, and when not. What the scene's own promises are about is not stated again.

    Parameters
    ----------
    margin
        State the clearance of pairs that are no further apart than this, in scene units; in any case of the nearest.
    write
        Put them into the scene's file, in place of those that were written before in this way; all else stays.
    """
    check_margin(margin)
    loaded = read_scene(scene)
    from viewer.cli.expect import promises_text, stated, write_promises

    with compile_notice():
        promises = stated(loaded, margin)
    if write:
        print(write_promises(loaded, promises, scene))
    elif promises:
        print(promises_text(promises), end="")
    else:
        print(f"{loaded.path.name}: nothing is to be stated that the scene does not promise already", file=sys.stderr)
    return ExitCode.FINE


app.command("viewer.cli.testing:run_tests", name="test")


@app.command
def why(
    scene: ScenePath, a: str, b: str, /, *, margin: float = 0.0, at: float | None = None, json: Flag = False
) -> ExitCode:
    """Say why two shapes are reported as colliding, or why they are not.

    Of a scene with a motion, say it of its start, and when the two touch during it.

    Parameters
    ----------
    a
        The name of the one shape, such as "arm" or "crowd[17]".
    b
        The name of the other one.
    at
        Look at this time of a motion alone, in seconds.
    margin
        How far apart shapes may be to be reported, in scene units.
    json
        Write JSON to stdout.
    """
    check_margin(margin)
    loaded = read_scene(scene, quiet=json)
    from viewer.cli.why import explained

    time = time_of(loaded, at)
    try:
        with compile_notice():
            found = explained(loaded.scene, a, b, margin=margin, time=time, intervals=at is None)
    except ValueError as error:
        raise MistakeError(f"{scene}: {error}") from error
    print(to_json(found.as_dict(str(scene))) if json else found)
    return ExitCode.FINE


app.command("viewer.cli.snippet:snippet")
app.command("viewer.cli.explain:explain")
app.command("viewer.cli.examples:examples")


@app.command
def schema(*, output: OutputOption = None, results: Flag = False, explanation: Flag = False) -> ExitCode:
    """Write the JSON schema of scene files, with which an editor can help to write them.

    Parameters
    ----------
    output
        The file to write; by default stdout.
    results
        Write the schema of what "test --format json" writes.
    explanation
        Write the schema of what "explain --json" writes.
    """
    from collision.scenefile import json_schema

    if results and explanation:
        raise MistakeError("expected --results or --explanation, got both")
    if results:
        from viewer.verdicts.results import results_schema as json_schema
    if explanation:
        from collision import Explanation

        json_schema = Explanation.json_schema
    text = to_json(json_schema())
    if output is None:
        print(text)
        return ExitCode.FINE
    check_output(output, ".json")
    from collision.inner import write_text

    with writing(output):
        write_text(output, text + "\n")
    print(output)
    return ExitCode.FINE


@app.command
def diff(
    a: Path,
    b: Path,
    /,
    *,
    output: OutputOption = None,
    max_pixels: WholeNumber = 0,
    threshold: float = 0.2,
) -> ExitCode:
    """Compare two pictures as an eye does: edges that two renderers smooth otherwise are the same.

    The exit code is 10 if they differ. A square of 3 x 3 pixels that is of a clearly other colour always counts,
    whatever --max-pixels allows.

    Parameters
    ----------
    a
        The expected picture.
    b
        The picture to compare with it, of the same size.
    output
        A picture to write, .png: the first one, faded, with what differs in red.
    max_pixels
        So many pixels may differ.
    threshold
        Which part of the largest distance between two colours does not count, from 0 to 1.
    """
    from viewer.cli.diff import compared

    return compared(a, b, output=output, most=max_pixels, threshold=threshold)


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
        print(to_json(diagnosis.as_dict()))
    else:
        print_rich(diagnosis)
    return ExitCode.FINE if diagnosis.can_draw else ExitCode.NO_PICTURE


@app.command(name="warm-up")
def prepare(*, json: Flag = False) -> ExitCode:
    """Compile all that commands need for this processor, once, and say where it is kept.

    Without it each command compiles what it needs when it first needs it. Meant for container images and for CI.

    Parameters
    ----------
    json
        Write JSON to stdout.
    """
    from viewer.cli.warming import warm

    done = warm()
    print(to_json(done.as_dict()) if json else done)
    return ExitCode.FINE


def _warn_of_tiny_shapes(loaded: Loaded, session: Session) -> None:
    from viewer.picture.picture import Picture

    if note := Picture().note_on_tiny(session):
        print(f"{loaded.path.name}: {note}", file=sys.stderr)


def main(tokens: Iterable[str] | None = None, *, ctrl_c: CtrlC | None = None) -> int:
    """Run the command line and return the exit code.

    Parameters
    ----------
    tokens : iterable of str, optional
        The words after the program's name; by default those that it was started with.
    ctrl_c : viewer.ctrl_c.CtrlC, optional
        What handles Ctrl-C, and knows that whatever goes wrong may come of it.

    Examples
    --------
    >>> int(main(["check", "nowhere.toml"]))
    2
    """
    open_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a name that the terminal cannot write is no reason to fail
            stream.reconfigure(errors="backslashreplace")
    words = sys.argv[1:] if tokens is None else list(tokens)
    try:
        if ctrl_c is not None:
            ctrl_c.started()
        if not words or words[0] in ("--help", "-h"):
            for name in app:  # a command that is imported when it is asked for has no description before
                app[name]
        with plain_warnings(PROGRAM):
            console: Any = LateConsole()
            code = app(words, console=console, exit_on_error=False, print_error=False, result_action="return_value")
        sys.stdout.flush()
        return int(code or ExitCode.FINE)
    except EndedError as error:
        return error.code
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        drop_output()
        return ExitCode.BROKEN_PIPE
    except Exception as error:
        return ExitCode.INTERRUPTED if ctrl_c is not None and ctrl_c.pressed else explain(error)
