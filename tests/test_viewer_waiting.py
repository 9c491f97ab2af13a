"""While kernels are compiled a terminal says so: only then, only after a while, and nothing of it stays."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator

import pytest
from rich.console import Console
from rich.live import Live

from collision.native import on_compile
from viewer.cli.output import NOTICE, compile_notice


class Terminal(Console):
    """What stands in for a terminal, and remembers what it was told."""

    def __init__(self, *, terminal: bool = True) -> None:
        self.text = io.StringIO()
        super().__init__(file=self.text, force_terminal=terminal, width=100)


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Tell when the notice has been shown."""
    event = threading.Event()
    start = Live.start

    def started(self: Live, refresh: bool = False) -> None:
        start(self, refresh=True)
        event.set()

    monkeypatch.setattr(Live, "start", started)
    yield event
    assert on_compile == []


def compile_one() -> None:
    for call in on_compile:
        call("kernel")


def test_compiling_is_said(shown: threading.Event) -> None:
    terminal = Terminal()
    with compile_notice(terminal, patience=0.0):
        assert terminal.text.getvalue() == ""
        compile_one()
        compile_one()
        assert shown.wait(60)
    assert NOTICE in terminal.text.getvalue()
    # The line is wiped away again, and the cursor is back.
    assert terminal.text.getvalue().endswith("\x1b[2K") or "\x1b[?25h" in terminal.text.getvalue().rpartition(NOTICE)[2]


def test_nothing_is_said_where_nothing_is_compiled(shown: threading.Event) -> None:
    terminal = Terminal()
    with compile_notice(terminal, patience=0.0):
        pass
    assert terminal.text.getvalue() == ""


def test_nothing_is_said_where_it_is_soon_over(shown: threading.Event) -> None:
    terminal = Terminal()
    with compile_notice(terminal, patience=1e6):
        compile_one()
    assert not shown.is_set()
    assert NOTICE not in terminal.text.getvalue()


def test_a_file_hears_nothing(shown: threading.Event) -> None:
    log = Terminal(terminal=False)
    with compile_notice(log, patience=0.0):
        assert on_compile == []
    assert log.text.getvalue() == ""


def test_an_error_ends_it_too(shown: threading.Event) -> None:
    def failing() -> None:
        compile_one()
        raise KeyError("a")

    with pytest.raises(KeyError), compile_notice(Terminal(), patience=0.0):
        failing()
    assert not [thread for thread in threading.enumerate() if isinstance(thread, threading.Timer)]


def test_one_line_of_a_terminal_is_enough() -> None:
    assert len(NOTICE) + 2 <= 80
