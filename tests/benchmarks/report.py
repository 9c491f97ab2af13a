"""The table on the terminal, the same in Markdown, and the machine it was made on."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable
from importlib import metadata
from itertools import groupby
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.table import Table

from tests.benchmarks import peers
from tests.benchmarks.measure import COLUMNS, Row, worst

#: The page of the library, and that of the viewer.
ROOT = Path(__file__).parent.parent.parent
LIBRARY, VIEWER = ROOT / "collision" / "REFERENCE.md", ROOT / "viewer" / "REFERENCE.md"

BEGIN, END = "<!-- benchmarks: begin -->", "<!-- benchmarks: end -->"

_STYLES = {True: "green", False: "bold red", None: "default"}


def table(rows: Iterable[Row]) -> Table:
    """Return all rows for the terminal."""
    made = Table("", *COLUMNS, box=SIMPLE_HEAD, pad_edge=False)
    for column in made.columns:
        column.no_wrap = True
    for work, group in groupby(rows, key=lambda row: row.work):
        cases = list(group)
        if cases[0].case:
            made.add_row(f"[bold]{work}")
        for row in cases:
            name = f"  {row.case}" if row.case else f"[bold]{work}"
            *cells, met = row.cells()
            made.add_row(name, *cells, f"[{_STYLES[row.met]}]{met}")
    return made


def markdown(rows: Iterable[Row]) -> str:
    """Return the worst case of every kind of work as a Markdown table, with the machine above it."""
    lines = [_line("work", *COLUMNS), "| --- " * (1 + len(COLUMNS)) + "|"]
    lines += [_line(f"{row.work}, {row.case}" if row.case else row.work, *row.cells()) for row in worst(rows)]
    return f"Measured on {machine()}.\n\n" + "\n".join(lines) + "\n"


def _line(*cells: str) -> str:
    return "| " + " | ".join(cells) + " |"


def machine() -> str:
    """Return what the figures depend on: processor, and versions of all that takes part."""
    own = {"Python": platform.python_version(), "NumPy": metadata.version("numpy"), "Numba": metadata.version("numba")}
    versions = ", ".join(f"{name} {version}" for name, version in (own | peers.versions()).items())
    return f"{_processor()}, {os.cpu_count()} cores, {platform.system()}; {versions}"


def _processor() -> str:
    description = Path("/proc/cpuinfo")
    if description.is_file():
        for line in description.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def publish(rows: Iterable[Row]) -> None:
    """Put the rows of the viewer on its page, and all others on that of the library."""
    by_page: dict[Path, list[Row]] = {LIBRARY: [], VIEWER: []}
    for row in rows:
        by_page[VIEWER if row.work.startswith("viewer, ") else LIBRARY].append(row)
    for page, there in by_page.items():
        put_between_marks(markdown(there), page)


def put_between_marks(text: str, page: Path) -> None:
    """Replace what stands between the two marks in a file."""
    before, begin, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{page}: expected the marks {BEGIN} and {END}")
    page.write_text(f"{before}{begin}\n{text}{end}{after}", encoding="utf-8")
