"""What is wrong with the words of a command line, and what was most likely meant."""

from __future__ import annotations

from difflib import get_close_matches
from enum import IntEnum

from cyclopts import CycloptsError, UnknownCommandError, UnknownOptionError, UnusedCliTokensError

PROGRAM = "collision-viewer"


class ExitCode(IntEnum):
    """What the program tells the shell; see `viewer.cli.commands`."""

    FINE = 0
    COLLISION = 1
    MISTAKE = 2
    NO_PICTURE = 3
    BUG = 70
    INTERRUPTED = 130
    BROKEN_PIPE = 141


def in_plain_words(error: CycloptsError) -> str:
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
    from viewer.files.loading import is_scene

    if is_scene(word):
        return f'"{word}" is a scene, and no command. Did you mean "{PROGRAM} open {word}"?'
    return ""
