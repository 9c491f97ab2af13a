"""While kernels are compiled a terminal says so: only then, and nothing of it stays."""

from __future__ import annotations

import io
import sys

import pytest

from collision.native import on_compile
from viewer.cli.output import NOTICE, compile_notice


class Terminal(io.StringIO):
    """What stands in for a terminal, and remembers what it was told."""

    def __init__(self, *, terminal: bool = True) -> None:
        super().__init__()
        self.terminal = terminal

    def isatty(self) -> bool:
        """Tell whether it is one."""
        return self.terminal


def compile_one() -> None:
    for call in on_compile:
        call("kernel")


@pytest.mark.parametrize("fails", [False, True])
def test_compiling_is_said(fails: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    try:
        with compile_notice():
            assert terminal.getvalue() == ""
            compile_one()
            compile_one()
            if fails:
                raise KeyError("a")
    except KeyError:
        assert fails
    assert terminal.getvalue().count(NOTICE) > 0
    # The line is wiped away again, and the cursor is back.
    assert terminal.getvalue().endswith("\x1b[2K") or "\x1b[?25h" in terminal.getvalue().rpartition(NOTICE)[2]
    assert on_compile == []


def test_nothing_is_said_where_nothing_is_compiled_nor_into_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    for terminal in (Terminal(), Terminal(terminal=False)):
        monkeypatch.setattr(sys, "stderr", terminal)
        with compile_notice():
            if not terminal.terminal:
                compile_one()
        assert terminal.getvalue() == ""


def test_one_line_of_a_terminal_is_enough() -> None:
    assert len(NOTICE) + 2 <= 80
