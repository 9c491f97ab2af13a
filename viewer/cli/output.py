"""What commands print: text and JSON on stdout, and on a terminal a notice while kernels are compiled."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult

#: The version of what commands write as JSON; it grows when a key changes its meaning or goes, not when one is added.
JSON_VERSION = 1

NOTICE = "compiling the collision tests for this processor, once (some twenty seconds)"


class Table:
    """Rows under a header, a line each; on a terminal that is too narrow for that, a row after the other.

    It lays itself out: rich needs a third of a millisecond a row, too long for the thousands of pairs of a crowd.

    Parameters
    ----------
    header : sequence of str
        The titles of the columns; the first two hold names.
    rows : iterable of sequences of str
        A cell for each column.
    right : tuple of int
        The columns that are written to the right.
    """

    def __init__(self, header: Sequence[str], rows: Iterable[Sequence[str]], right: tuple[int, ...]) -> None:
        self._header, self._rows, self._right = header, list(rows), right

    def lines(self, encoding: str) -> list[str]:
        """Return its lines, as long as they are, of what can be written in an encoding."""
        rows = [[_writable(cell, encoding) for cell in row] for row in (self._header, *self._rows)]
        widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
        rule = "─" if encoding.lower().startswith("utf") else "-"
        lines = ["   ".join(self._padded(row, widths)).rstrip() for row in rows]
        return [lines[0], rule * (sum(widths) + 3 * (len(widths) - 1)), *lines[1:]]

    def _padded(self, row: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
        for column, (cell, width) in enumerate(zip(row, widths, strict=True)):
            room = " " * (width - _width(cell))
            yield room + cell if column in self._right else cell + room

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.text import Text

        header, rule, *lines = self.lines(options.encoding)
        if len(rule) <= options.max_width:
            yield Text(header, style="bold", no_wrap=True, overflow="ignore")
            yield from (Text(line, no_wrap=True, overflow="ignore") for line in (rule, *lines))
            return
        for a, b, *values in self._rows:
            yield Text(f"{a}  {b}", style="bold", overflow="fold")
            for title, value in zip(self._header[2:], values, strict=True):
                yield Text(f"    {title:<15} {value}", overflow="fold")


def _writable(cell: str, encoding: str) -> str:
    """Return a cell as streams write it: what an encoding lacks is longer there."""
    return cell if cell.isascii() else cell.encode(encoding, "backslashreplace").decode(encoding)


def _width(text: str) -> int:
    """Return how many columns of a terminal a text needs."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def print_rich(*items: RenderableType) -> None:
    """Print what rich can lay out: to the width of a terminal, and without an end of lines into a file or a pipe."""
    # A file or a pipe has no edge at which a line would have to end. It takes longer to import rich than to write them.
    if not sys.stdout.isatty() and "FORCE_COLOR" not in os.environ:
        encoding = sys.stdout.encoding or "utf-8"
        if all(isinstance(item, str | Table) for item in items):
            for item in items:
                print("\n".join(item.lines(encoding)) if isinstance(item, Table) else item)
            return
    console = output_console(None if sys.stdout.isatty() else 100_000)
    for item in items:
        console.print(item, highlight=False, markup=False, crop=False)


def output_console(width: int | None = None) -> Console:
    """Return what writes on stdout, and leaves it to `viewer.cli.commands.main` to say that nobody reads it."""
    from rich.console import Console

    class QuietConsole(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # for main, which knows the exit code

    return QuietConsole(width=width)


class LateConsole:
    """What `output_console` returns, made when first used: most commands write nothing that is laid out."""

    def __getattr__(self, name: str) -> Any:
        if "console" not in vars(self):
            self.console = output_console()
        return getattr(self.console, name)


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Keep NumPy, if the block imports it, from starting threads for large matrices, of which shapes have none.

    The threads wait for work with full power, for a third of the time that importing NumPy takes. What a user has set
    counts.
    """
    if "numpy" in sys.modules or "OPENBLAS_NUM_THREADS" in os.environ:
        yield
        return
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    try:
        yield
    finally:
        del os.environ["OPENBLAS_NUM_THREADS"]


def open_streams() -> None:
    """Have a place for what is written where the shell has closed stdout or stderr: nowhere."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 (for as long as the program runs)


@contextmanager
def plain_warnings(program: str) -> Iterator[None]:
    """Say warnings on the cache as all else that the program says, in one line without a place in the code."""
    with warnings.catch_warnings():
        usual = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *rest: Any, **more: Any) -> None:
            from collision.inner import CacheWarning  # who warns has imported it

            if issubclass(category, CacheWarning):
                print(f"{program}: {message}", file=sys.stderr)
            else:
                usual(message, category, *rest, **more)

        warnings.showwarning = show
        yield


def to_json(value: object) -> str:
    """Return a value as JSON for people and programs."""
    import json

    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)


@contextmanager
def told_of_compiling(tell: Callable[[], object]) -> Iterator[None]:
    """Have something called whenever a kernel is about to be compiled, while a block runs."""
    from collision.inner import on_compile

    def call(_: str) -> None:
        tell()

    on_compile.append(call)
    try:
        yield
    finally:
        on_compile.remove(call)


@contextmanager
def compile_notice() -> Iterator[None]:
    """Say on a terminal that kernels are being compiled, from the first one that has to be until the block ends.

    Nothing is said where the kernels are ready, nor into a file or a pipe. The block should compute, and do little
    else: nothing tells when the last kernel is done.

    Examples
    --------
    >>> with compile_notice():
    ...     pass
    """
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.live import Live
    from rich.spinner import Spinner

    # What is printed meanwhile is left alone: redirected by a thread of its own, it would not find back.
    spinner, console = Spinner("dots", NOTICE), Console(file=sys.stderr)
    status = Live(spinner, console=console, transient=True, redirect_stdout=False, redirect_stderr=False)
    try:
        with told_of_compiling(status.start):
            yield
    finally:
        status.stop()
