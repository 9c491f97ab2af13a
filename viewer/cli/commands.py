"""The command line: ``collision-viewer open | render | animate | check | test | expect | why | ...``.

A command is imported when it is asked for, so that ``check`` starts quickly and never loads PyVista. Answers go to
stdout, all else to stderr. Exit codes:

0    all is well
2    a user's mistake: no such file, a broken scene, a bad option, a window without a display
3    no picture can be drawn on this machine
4    nothing was tested; or not all of it, where ``--strict`` asks for all
10   a promise is broken; or ``check`` found shapes that overlap
70   a bug in this program, or it cannot even start
130  stopped with Ctrl-C
141  whoever read the output went away

Never 1, which is Python's own for whatever goes wrong.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import ExitStack
from io import TextIOWrapper
from typing import Any

from cyclopts import App

from viewer.cli.errors import PROGRAM, EndedError, ExitCode, drop_output, explain
from viewer.cli.output import LateConsole, one_blas_thread, open_streams, plain_warnings
from viewer.ctrl_c import CtrlC

#: The commands, in the order of the help: each is imported when it is asked for.
_COMMANDS = {
    "open": "window:open_window",
    "render": "drawing:render",
    "animate": "drawing:animate",
    "check": "check:check",
    "expect": "expect:expect",
    "test": "testing:run_tests",
    "why": "why:why",
    "snippet": "snippet:snippet",
    "explain": "explain:explain",
    "examples": "examples:examples",
    "schema": "schema:schema",
    "diff": "diff:diff",
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
    help_epilogue="Exit codes: 0 fine; 2 a mistake in a scene or an option; 3 no picture can be drawn here; "
    "4 nothing was tested, or with --strict not all; 10 a promise is broken, or check found shapes that "
    "overlap; 70 a bug in this program; 130 stopped with Ctrl-C; 141 whoever read the output went away.",
    version=_version,
    version_flags=["--version"],
    help_format="plaintext",
    suppress_keyboard_interrupt=False,
)
for _name, _place in _COMMANDS.items():
    app.command(f"viewer.cli.{_place}", name=_name)


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
