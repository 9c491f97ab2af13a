"""What can go wrong on a command line, whose fault it is, and what is said of it: mistakes and exit codes."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from enum import IntEnum
from typing import get_args

from cyclopts import (
    Argument,
    CoercionError,
    CycloptsError,
    MissingArgumentError,
    RepeatArgumentError,
    Token,
    UnknownCommandError,
    UnknownOptionError,
    UnusedCliTokensError,
)

from viewer.cli.old_forms import successor

PROGRAM = "collision-viewer"


#: The packages that draw. All else works without them.
_DRAWING = ("pyvista", "vtk", "vtkmodules")


#: What is said of a write to what is full, or broken.
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


#: How alike two words are of which one may be meant by the other, as difflib counts it.
_SLIP = 0.7


class ExitCode(IntEnum):
    """What the program tells the shell. None is 1, with which Python itself ends."""

    FINE = 0
    MISTAKE = 2
    NO_PICTURE = 3
    NOTHING_TESTED = 4
    BROKEN = 10
    BUG = 70
    INTERRUPTED = 130
    BROKEN_PIPE = 141


#: What each exit code means, for the help and for the page.
EXIT_CODES = {
    ExitCode.FINE: "all is well: no shapes overlap, all promises hold",
    ExitCode.MISTAKE: "a mistake: no such file, a broken scene, an unknown option, no display",
    ExitCode.NO_PICTURE: "no picture can be drawn on this machine; the message says what is missing",
    ExitCode.NOTHING_TESTED: "test found no promise; or with --strict, test or check could not test all",
    ExitCode.BROKEN: "a promise is broken, shapes overlap, a picture differs from its baseline",
    ExitCode.BUG: "a bug in this program, or it cannot even start",
    ExitCode.INTERRUPTED: "stopped with Ctrl-C",
    ExitCode.BROKEN_PIPE: "the program that read the output has ended",
}


class EndedError(KeyboardInterrupt):
    """Something asked the program to end: handled as Ctrl-C is, and no code of a user's scene takes it for its own.

    Parameters
    ----------
    number : int
        That of the signal.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.code = 128 + number


class MistakeError(Exception):
    """A user's mistake that no reader finds by itself; the text says what was expected and what was given."""


@contextmanager
def mistakes(prefix: str = "") -> Iterator[None]:
    """Take a ValueError for a mistake of the user's; what stands before its text says of what."""
    try:
        yield
    except ValueError as error:
        raise MistakeError(f"{prefix}{error}") from error


def drop_output() -> None:
    """Forget what is still to be written to stdout: Python would try once more when it ends, and complain."""
    with suppress(OSError, ValueError):  # a stream of a test or a notebook has no descriptor
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def explain(error: Exception) -> ExitCode:
    """Say on stderr what went wrong, in a way that depends on whose fault it is."""
    if isinstance(error, ImportError) and isinstance(error.__cause__, ImportError):
        error = error.__cause__  # cyclopts imported a command
    drawing = isinstance(error, ModuleNotFoundError) and (error.name or "").partition(".")[0] in _DRAWING
    if isinstance(error, ImportError) and not drawing:
        from viewer.package_conflicts import cannot_start

        print(f"{PROGRAM}: {cannot_start(error)}", file=sys.stderr)
        return ExitCode.BUG
    from viewer.camera.framing import SizeError
    from viewer.files.loading import LoadError
    from viewer.stage.gl import GLUnavailable

    if isinstance(error, CycloptsError | MistakeError | LoadError | SizeError | GLUnavailable):
        text = in_plain_words(error) if isinstance(error, CycloptsError) else str(error)
        print(f"{PROGRAM}: {text}", file=sys.stderr)
        return ExitCode.NO_PICTURE if isinstance(error, GLUnavailable) else ExitCode.MISTAKE
    if isinstance(error, ModuleNotFoundError):
        text = f"{error.name} is not installed, and pictures are drawn with it: pip install pyvista"
        print(f"{PROGRAM}: {text}", file=sys.stderr)
        return ExitCode.NO_PICTURE
    if isinstance(error, MemoryError):
        print(f"{PROGRAM}: out of memory: {str(error) or 'the scene is too large'}", file=sys.stderr)
        return ExitCode.MISTAKE
    if isinstance(error, OSError):  # a full disk, most often
        # Files are named, or written within `writing`: what is full and has no name is stdout.
        full = error.filename is None and error.errno in _FULL
        text = f"cannot write the answer: {error.strerror}" if full else str(error)
        drop_output()
        print(f"{PROGRAM}: {text}", file=sys.stderr)
        return ExitCode.MISTAKE
    traceback.print_exception(error)
    print(
        f"{PROGRAM}: this is a bug; please report the lines above and the output of: {PROGRAM} doctor", file=sys.stderr
    )
    return ExitCode.BUG


def in_plain_words(error: CycloptsError) -> str:
    """Say what is wrong with the words of a command line, and what was most likely meant."""
    command = " ".join([PROGRAM, *(error.command_chain or ())])
    see = f'"{command} --help" says what it takes'
    unused = error.unused_tokens or [""]
    match error:
        case UnusedCliTokensError():
            return f"expected nothing more, got {' '.join(map(repr, unused))}; {see}"
        case UnknownCommandError():
            return successor(unused[0]) or _unknown_command(unused[0], error.app or ())
        case UnknownOptionError():
            return _unknown_option(error, command)
        case CoercionError(argument=Argument() as argument, token=Token() as token):
            return f"{token.keyword or _positional(argument)} {_wrong(error, token.value)}"
        case MissingArgumentError(argument=Argument() as argument):
            positional = error.keyword is None and not argument.tokens
            return (
                f"{_positional(argument)} is missing; {see}" if positional else f"{error.keyword} needs a value; {see}"
            )
        case RepeatArgumentError():
            return f"{error.token.keyword} is given more than once"
    return str(error)


def _positional(argument: Argument) -> str:
    return argument.name.lstrip("-").upper()


def _wrong(error: CoercionError, value: str) -> str:
    """Say what the value of an argument must be: with a word of our own reader, or by its type."""
    if error.msg is not None:
        return str(error.msg)
    if choices := [str(choice) for choice in get_args(error.target_type)]:
        near = get_close_matches(value, choices, n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        return f"must be {', '.join(choices[:-1])} or {choices[-1]}, got {value!r}{hint}"
    return f"takes no value, got {value!r}" if error.target_type is bool else f"must be a number, got {value!r}"


def _unknown_option(error: UnknownOptionError, command: str) -> str:
    """Name the option that was meant; where none is as near as a slip of the finger is, all that there are."""
    word = (error.token.keyword or error.token.value).partition("=")[0]
    if now := successor(command.removeprefix(PROGRAM).strip(), word):
        return now
    known = error.argument_collection
    if not len(known) and error.app is not None:  # a reader of ours found it
        known = error.app.assemble_argument_collection()
    if near := near_option(word, (name for argument in known for name in argument.names)):
        return f"Unknown option: {word}. Did you mean {near}?"
    options = [argument.names[0] for argument in known if argument.names[0].startswith("-")]
    return f'Unknown option: {word}; "{command}" takes {", ".join(sorted(options)) or "no options"}'


def near_option(word: str, options: Iterable[str]) -> str:
    """Return the option that was meant by a word: the one that begins so, or is as near as a slip of the finger."""
    bare, names = word.lstrip("-").partition("=")[0], [option[2:] for option in options if option.startswith("--")]
    begun = [name for name in names if bare and name.startswith(bare)]
    near = begun if len(begun) == 1 else get_close_matches(bare, names, n=1, cutoff=_SLIP)
    return f"--{near[0]}" if near else ""


def _unknown_command(word: str, commands: Iterable[str]) -> str:
    """Say what was meant by a first word that is an option of the program, a scene, or nearly a command."""
    if word.startswith("-"):
        near = near_option(word, ["--help", "--version"])
        return f"Unknown option: {word}. " + (f"Did you mean {near}?" if near else f'See "{PROGRAM} --help".')
    from viewer.files.loading import is_scene

    if is_scene(word):
        return f'"{word}" is a scene, and no command. Did you mean "{PROGRAM} open {word}"?'
    known = [name for name in commands if not name.startswith("-")]
    hint = "".join(f" Did you mean {near}?" for near in get_close_matches(word, known, n=1))
    return f"Unknown command: {word}.{hint} The commands are {', '.join(known)}"
