"""The command line: ``collision-viewer open | render | check | test | expect | why | ...``.

A command is imported when it is asked for, so that ``check`` starts quickly and never loads PyVista. Answers go to
stdout, all else to stderr.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable
from contextlib import ExitStack
from io import TextIOWrapper
from typing import Any

from cyclopts import App

from viewer.cli.errors import EXIT_CODES, PROGRAM, EndedError, ExitCode, drop_output, explain
from viewer.cli.output import LateConsole, one_blas_thread, open_streams, plain_warnings
from viewer.ctrl_c import CtrlC

#: The commands, in the order of the help: each is imported when it is asked for.
_COMMANDS = {
    "open": "window:open_window",
    "render": "drawing:render",
    "export": "page:export",
    "lessons": "page:lessons",
    "check": "check:check",
    "expect": "expect:expect",
    "test": "testing:run_tests",
    "pairs": "pairs:pairs",
    "why": "why:why",
    "audit": "audit:audit",
    "snippet": "snippet:snippet",
    "explain": "explain:explain",
    "examples": "examples:examples",
    "schema": "schema:schema",
    "doctor": "doctor:doctor",
    "warm-up": "warm_up:warm_up",
}


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return f"{PROGRAM} {version(PROGRAM)}"
    except PackageNotFoundError:
        return f"{PROGRAM}, run from its sources"


app = App(
    name=PROGRAM,
    help="Show which shapes of a scene collide.",
    help_epilogue="Exit codes:\n" + "\n".join(f"{code:>4}  {text}" for code, text in EXIT_CODES.items()),
    version=_version,
    version_flags=["--version"],
    help_format="plaintext",
    suppress_keyboard_interrupt=False,
)
for _name, _place in _COMMANDS.items():
    app.command(f"viewer.cli.{_place}", name=_name, help_epilogue=f'"{PROGRAM} --help" has the exit codes.')


def _describe(word: str) -> None:
    """Have the descriptions that the help of a command shows, or that of all commands, in paragraphs of one line.

    A command that is imported when it is asked for has no description before. A terminal breaks lines where it ends.
    """
    for name in [word] if word in _COMMANDS else [name for name in app if not name.startswith("-")]:
        command = app[name]
        function: Any = command.default_command
        function.__doc__ = _unbroken(inspect.cleandoc(function.__doc__))
        command.help = function.__doc__.partition("\n\nParameters\n")[0]


def _unbroken(text: str) -> str:
    """Return a docstring with the lines of each paragraph joined: those of one indent, but for rules below titles."""
    lines = [""]
    for line in text.splitlines():
        before, indent = lines[-1], line[: len(line) - len(line.lstrip(" -"))]
        if line.strip(" -") and before.strip() and before[: len(before) - len(before.lstrip(" -"))] == indent:
            lines[-1] += f" {line.strip()}"
        else:
            lines.append(line)
    return "\n".join(lines[1:])


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
        if not words or not {"--help", "-h"}.isdisjoint(words):
            _describe(words[0] if words else "")
        with ExitStack() as stack:
            stack.enter_context(plain_warnings(PROGRAM))
            # A scene in Python may multiply large matrices; but many scenes are tested in copies of a process.
            if words[:1] == ["test"] or not any(word.endswith(".py") for word in words):
                stack.enter_context(one_blas_thread())
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
