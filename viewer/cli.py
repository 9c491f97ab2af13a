"""The command line: ``collision-viewer open | render | check | examples | schema | doctor``.

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
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from difflib import get_close_matches
from enum import IntEnum
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

from cyclopts import App, CycloptsError, Parameter, Token, UnknownCommandError, UnknownOptionError, UnusedCliTokensError

from viewer.size import DEFAULT, LARGEST, SMALLEST, checked_size

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from collision import Contacts
    from viewer.loading import Loaded
    from viewer.session import Session

PROGRAM = "collision-viewer"


class ExitCode(IntEnum):
    """What the program tells the shell; see the text of this module."""

    FINE = 0
    COLLISION = 1
    MISTAKE = 2
    NO_PICTURE = 3
    BUG = 70
    INTERRUPTED = 130
    BROKEN_PIPE = 141


class Size(NamedTuple):
    """Width and height of a picture in pixels."""

    width: int
    height: int


DEFAULT_SIZE = Size(*DEFAULT)


def _read_size(_type: object, tokens: Sequence[Token]) -> Size:
    text = tokens[0].value
    sides = text.lower().replace("×", "x").split("x")
    wanted = f"must be WIDTHxHEIGHT in pixels, such as 1280x960, got {text!r}"
    if len(sides) != 2 or not all(side.isascii() and side.isdigit() for side in sides):
        raise ValueError(wanted)
    try:
        return Size(*checked_size([int(side) for side in sides]))
    except ValueError:
        raise ValueError(f"{wanted}; each side must be from {SMALLEST} to {LARGEST}") from None


def _read_scene(_type: object, tokens: Sequence[Token]) -> Path:
    if not tokens[0].value:
        raise ValueError("SCENE must be a file or the name of an example, got an empty name")
    return Path(tokens[0].value)


ScenePath = Annotated[
    Path,
    Parameter(
        converter=_read_scene,
        n_tokens=1,
        accepts_keys=False,
        help="A .toml scene, a .py file with scene(), an .xml or .urdf model, or the name of an example.",
    ),
]
SizeOption = Annotated[
    Size,
    Parameter(
        converter=_read_size,
        n_tokens=1,
        accepts_keys=False,
        allow_leading_hyphen=True,
        show_default=lambda size: f"{size.width}x{size.height}",
        help="Width and height in pixels.",
    ),
]
ViewOption = Annotated[
    Literal["iso", "x", "y", "z", "-x", "-y", "-z"] | None,
    Parameter(
        allow_leading_hyphen=True,
        help="Where to look from; by default where the scene's own camera stands, or else iso.",
    ),
]
OutputOption = Annotated[Path | None, Parameter(name=("--output", "-o"))]
Flag = Annotated[bool, Parameter(negative=(), show_default=False)]


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
def open_window(scene: ScenePath, /, *, size: SizeOption = DEFAULT_SIZE, view: ViewOption = None) -> ExitCode:
    """Show a scene in a window, and move its shapes with the mouse.

    A click selects a shape, and its handles move it; the key "h" shows all other keys.

    Without a display, use "render" for a picture or "check" for the numbers.
    """
    loaded = _load(scene)
    from viewer.app import NoDisplay, run, warm_up
    from viewer.session import Session

    with _compile_notice():
        warm_up(Session(loaded.scene, size=size, view=view))
    # While the window waits for its user no Python runs that could see a Ctrl-C: let it end the process by itself.
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        run(loaded.scene, size=size, view=view)
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
    _check_output(path, ".png")
    from viewer.pictures import take
    from viewer.presenter import present
    from viewer.session import Session

    with _compile_notice():  # before the drawing, which asks the same
        present(Session(loaded.scene, size=size, view=view))
    with _writing(path):
        _, session = take(loaded.scene, path, size=size, view=view, mesh=mesh)
    _warn_of_specks(loaded, session)
    if not quiet:
        _print_contacts(loaded)
    print(path)
    return ExitCode.FINE


@app.command
def check(
    scene: ScenePath,
    /,
    *,
    margin: float = 0.0,
    json: Flag = False,
    fail_on_collision: Flag = False,
) -> ExitCode:
    """List the pairs of shapes that collide: names, depth, contact point and normal.

    Parameters
    ----------
    margin
        List also the pairs that are no further apart than this, in scene units.
    json
        Write JSON to stdout, and nothing else.
    fail_on_collision
        Exit with code 1 if a pair is listed.
    """
    if not (margin >= 0.0 and math.isfinite(margin)):
        raise MistakeError(f"--margin must be a finite number, zero or more, got {margin:g}")
    loaded = _load(scene, quiet=json)
    if json:
        from viewer.report import to_json

        with _compile_notice():
            contacts = loaded.scene.contacts(margin=margin)
        print(to_json(str(scene), loaded, contacts, margin=margin))
    else:
        contacts = _print_contacts(loaded, margin)
    return ExitCode.COLLISION if fail_on_collision and len(contacts) else ExitCode.FINE


@app.command
def examples(*, json: Flag = False) -> ExitCode:
    """List the examples; each name stands for its scene in the other commands.

    Parameters
    ----------
    json
        Write JSON to stdout: name, path, title and caption of each.
    """
    from viewer.catalogue import find_examples

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
    _check_output(output, ".json")
    from collision.files import write_text

    with _writing(output):
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
    from viewer.doctor import diagnose

    diagnosis = diagnose()
    if json:
        print(_to_json(diagnosis.as_dict()))
    else:
        _print(diagnosis)
    return ExitCode.FINE if diagnosis.can_draw else ExitCode.NO_PICTURE


# -- what the commands share -------------------------------------------------------------------------------------------


class MistakeError(Exception):
    """A user's mistake that no reader finds by itself; the text says what was expected and what was given."""


def _load(path: Path, *, quiet: bool = False) -> Loaded:
    from viewer.loading import read

    with _compile_notice():  # a scene in Python may ask queries
        loaded = read(path)
    if (loaded.skipped or loaded.notes) and not quiet:
        from viewer.report import skipped_lines

        for line in (*skipped_lines(loaded.skipped), *loaded.notes):
            print(f"{loaded.path.name}: {line}", file=sys.stderr)
    return loaded


def _check_output(path: Path, suffix: str) -> None:
    """Refuse an output file before any work is done for it."""
    if path.exists() and not path.is_file() and not path.is_dir():
        raise MistakeError(f"{path}: this is a device, and a {suffix} file is to be written")
    if path.suffix.lower() != suffix:
        got = f"{path.suffix}" if path.suffix else "no ending"
        raise MistakeError(f"{path}: the file to write must end in {suffix}, got {got}")
    if path.is_dir():
        raise MistakeError(f"{path}: this is a folder, and a file is to be written")
    if not path.parent.is_dir():
        raise MistakeError(f"{path}: there is no folder {path.parent} to write it in")


def _warn_of_specks(loaded: Loaded, session: Session) -> None:
    from viewer.presenter import speck_note_of

    if note := speck_note_of(session):
        print(f"{loaded.path.name}: {note}", file=sys.stderr)


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise MistakeError(f"{path}: cannot be written: {(error.strerror or str(error)).lower()}") from error


def _print_contacts(loaded: Loaded, margin: float = 0.0) -> Contacts:
    from viewer.report import ContactTable, summary

    with _compile_notice():
        contacts = loaded.scene.contacts(margin=margin)
    if len(contacts):
        _print(ContactTable(loaded.scene, contacts, signed=margin > 0.0))
    _print(summary(loaded.scene, contacts, margin=margin))
    return contacts


def _compile_notice() -> AbstractContextManager[None]:
    from viewer.waiting import compile_notice

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
    from viewer.gl import GLUnavailable
    from viewer.loading import LoadError

    if isinstance(error, CycloptsError | MistakeError | LoadError | GLUnavailable):
        text = _in_plain_words(error) if isinstance(error, CycloptsError) else str(error)
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


def _in_plain_words(error: CycloptsError) -> str:
    """Say what is wrong with the words of a command line, and what was most likely meant."""
    command = " ".join([PROGRAM, *(error.command_chain or ())])
    see = f'"{command} --help" says what it takes'
    if isinstance(error, UnusedCliTokensError):
        return f"nothing more is expected, got {' '.join(map(repr, error.unused_tokens or ()))}; {see}"
    if isinstance(error, UnknownCommandError):
        return _unknown_command((error.unused_tokens or [""])[0]) or str(error)
    if isinstance(error, UnknownOptionError) and "Did you mean" not in str(error):
        options = [argument.names[-1] for argument in error.argument_collection if argument.names[-1].startswith("-")]
        takes = ", ".join(sorted(options)) or "no options"
        return f'{str(error).rstrip(".")}; "{command}" takes {takes}'
    return str(error)


def _unknown_command(word: str) -> str:
    """Say what was meant by a first word that is an option of the program, or a scene; nothing where it is neither."""
    if word.startswith("-"):
        near = get_close_matches(word, ["--help", "--version"], n=1)
        return f"Unknown option: {word}. " + (f"Did you mean {near[0]}?" if near else f'See "{PROGRAM} --help".')
    from viewer.loading import is_scene

    if is_scene(word):
        return f'"{word}" is a scene, and no command. Did you mean "{PROGRAM} open {word}"?'
    return ""
