"""The command ``python -m tests.benchmarks``."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from tests.benchmarks import bulk, changes, cold, many, moving, posed, report, scenes, single, starting, tested
from tests.benchmarks.measure import QUICK, Bench, Effort, Row, Task, Topic


def _of_viewer(effort: Effort) -> Iterable[Task]:
    """Return what there is to measure of the viewer."""
    from tests.benchmarks import viewer  # which imports PyVista

    return viewer.tasks(effort)


TOPICS: tuple[Topic, ...] = (
    bulk.tasks,
    single.tasks,
    scenes.tasks,
    many.tasks,
    moving.tasks,
    posed.tasks,
    changes.tasks,
    cold.tasks,
    starting.tasks,
    tested.tasks,
    _of_viewer,
)

#: The usual code of a program that Ctrl-C stopped.
_STOPPED = 130

#: How wide the table is where no terminal says.
_WIDTH = 130

app = App(name="python -m tests.benchmarks", suppress_keyboard_interrupt=False)


@app.default
def main(
    *,
    only: str = "*",
    markdown: Path | None = None,
    publish: Annotated[bool, Parameter(negative="")] = False,
    quick: Annotated[bool, Parameter(negative="")] = False,
) -> int:
    """Measure collision beside its peers, and print one table.

    Parameters
    ----------
    only
        Measure what has this in its name; * stands for anything.
    markdown
        Write the table to this file, too: the worst case of each kind of work.
    publish
        Put that table into collision/REFERENCE.md, and its rows of the viewer into viewer/REFERENCE.md.
    quick
        Go through everything in seconds with tiny sizes: the figures say nothing.
    """
    began = time.perf_counter()
    effort = QUICK if quick else Effort()
    known = [task for topic in TOPICS for task in topic(effort)]
    chosen = [task for task in known if fnmatch(task.name.lower(), f"*{only.lower()}*")]
    if not chosen:
        sys.exit("\n".join([f"--only {only}: nothing is called that; there is", *(task.name for task in known)]))
    if publish and (quick or len(chosen) < len(known)):
        sys.exit("--publish: the tables on the pages are those of a full run, without --only and --quick")
    if markdown and not _can_write(markdown):
        sys.exit(f"--markdown {markdown}: no file can be written there")
    load = _load()
    found = measured(chosen, effort)
    console = Console()
    if not console.is_terminal:
        console.width = _WIDTH
    console.print(report.table(found.rows))
    console.print(f"{report.machine()}; {time.perf_counter() - began:.0f} s in all", highlight=False)
    if quick:
        console.print("Tiny sizes: these figures say nothing.")
    elif load > 0.3:
        console.print(f"Other programs were running (a load of {load:.1f} at the start): measure again without them.")
    for failure in found.failures:
        console.print(f"[red]not measured:[/] {escape(failure)}", highlight=False)
    if found.stopped:
        console.print("Stopped; no file was written.")
        return _STOPPED
    if markdown:
        markdown.write_text(report.markdown(found.rows), encoding="utf-8")
    if found.failures:
        return 1
    if publish:
        report.publish(found.rows)
    return 0


def _can_write(path: Path) -> bool:
    """Tell whether a file can be written, or written over, before minutes are spent on what is to be in it."""
    there = path if path.exists() else path.parent
    return os.access(there, os.W_OK) and there.is_dir() != path.exists()


def _load() -> float:
    """Return how many programs wanted to run in the last minute."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0


@dataclass
class Found:
    """What came out: rows, what went wrong, and whether somebody stopped it."""

    rows: list[Row] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    stopped: bool = False


def measured(tasks: Iterable[Task], effort: Effort) -> Found:
    """Measure one task after the other; one that fails does not stop the others, Ctrl-C does."""
    tasks, found = list(tasks), Found()
    columns = (BarColumn(20), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    # Drawn when something begins, never meanwhile: a thread that redraws would take part in what is measured.
    with Progress(*columns, console=Console(stderr=True), auto_refresh=False, transient=True) as progress:
        bar = progress.add_task("", total=len(tasks))
        for task in tasks:

            def say(text: str, name: str = task.name) -> None:
                progress.update(bar, description=f"{name}: {text}", refresh=True)

            say("preparing")
            try:
                found.rows += task.run(Bench(effort, say))
            except KeyboardInterrupt:
                found.stopped = True
                break
            except Exception as error:
                found.failures.append(f"{task.name}: {type(error).__name__}: {error}")
            progress.advance(bar)
    return found


if __name__ == "__main__":
    sys.exit(app(result_action="return_value"))
