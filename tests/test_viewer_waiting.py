"""While kernels are compiled a terminal says so: only then, and nothing of it stays."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from collision.native import on_compile
from viewer.cli.output import NOTICE, compile_notice


class Terminal(Console):
    """What stands in for a terminal, and remembers what it was told."""

    def __init__(self, *, terminal: bool = True) -> None:
        self.text = io.StringIO()
        super().__init__(file=self.text, force_terminal=terminal, width=100)

    @property
    def told(self) -> str:
        """All that was written."""
        return self.text.getvalue()


def compile_one() -> None:
    for call in on_compile:
        call("kernel")


@pytest.mark.parametrize("fails", [False, True])
def test_compiling_is_said(fails: bool) -> None:
    terminal = Terminal()
    try:
        with compile_notice(terminal):
            assert terminal.told == ""
            compile_one()
            compile_one()
            if fails:
                raise KeyError("a")
    except KeyError:
        assert fails
    assert terminal.told.count(NOTICE) > 0
    # The line is wiped away again, and the cursor is back.
    assert terminal.told.endswith("\x1b[2K") or "\x1b[?25h" in terminal.told.rpartition(NOTICE)[2]
    assert on_compile == []


def test_nothing_is_said_where_nothing_is_compiled_nor_into_a_file() -> None:
    for terminal in (Terminal(), Terminal(terminal=False)):
        with compile_notice(terminal):
            if not terminal.is_terminal:
                compile_one()
        assert terminal.told == ""


def test_one_line_of_a_terminal_is_enough() -> None:
    assert len(NOTICE) + 2 <= 80
