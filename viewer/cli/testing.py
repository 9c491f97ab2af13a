"""The command ``collision-viewer test``: whether scenes keep what they promise, for machines."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

from cyclopts import Parameter

from viewer.cli.errors import PROGRAM, ExitCode, MistakeError, explain, mistakes
from viewer.cli.options import (
    UNCHANGED,
    Count,
    FileOption,
    Flag,
    Margin,
    ModelFlags,
    Patterns,
    Seconds,
    check_output,
    ended_by_signal,
    read_by,
    read_word,
    stdin_bytes,
    writing,
)
from viewer.cli.output import NOTICE, told_of_compiling

if TYPE_CHECKING:
    from viewer.verdicts.pictures import Enliven
    from viewer.verdicts.results import Run

#: Seconds that a scene may take, where nothing else is said.
TIMEOUT = 60.0

#: So many pairs that break a promise are looked at where each is compared with what is known.
_ALL_PAIRS = 100_000


class Shard(NamedTuple):
    """One share of several."""

    number: int
    of: int

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


def _read_shard(text: str) -> Shard:
    parts = text.split("/")
    if len(parts) == 2 and all(part.isascii() and part.isdigit() and len(part) < 7 for part in parts):
        shard = Shard(*map(int, parts))
        if 1 <= shard.number <= shard.of:
            return shard
    raise ValueError(f"must be NUMBER/COUNT, such as 1/4 for the first of four shares, got {text!r}")


Paths = Annotated[
    str,
    read_by(
        read_word,
        help="Scenes and models, folders with scenes, patterns, names of examples; - stands for a scene on stdin.",
    ),
]
ShardOption = Annotated[Shard | None, read_by(_read_shard, help="Test one share of several.")]


def run_tests(
    *paths: Paths,
    format: Literal["text", "json", "github"] = "text",
    tolerance: Margin = 0.0,
    only: Patterns = (),
    strict: Flag = False,
    shard: ShardOption = None,
    jobs: Count | None = None,
    timeout: Seconds = TIMEOUT,
    max_pairs: Count = 10,
    junit: FileOption = None,
    html: FileOption = None,
    static: Flag = False,
    baseline: FileOption = None,
    accept: FileOption = None,
    verbose: Annotated[Flag, Parameter(name=("--verbose", "-v"))] = False,
    model: ModelFlags = UNCHANGED,
) -> ExitCode:
    """Test whether scenes keep their promises, for CI and scripts.

    The tables [[expect]] of a scene file say what must hold. Exit code 10 says that a promise is broken, 4 that nothing
    was tested, 2 that a scene could not be read; the others are tested all the same. A robot promises that nothing
    collides in the pose, or along the trajectory, that its options give.

    Parameters
    ----------
    format
        The form of the output; for a workflow on GitHub, annotations.
    tolerance
        By how much each distance may miss its promise, in scene units.
    only
        Test only promises with this id, or about a shape of this name; * stands for anything. It may be given again.
    strict
        Exit with code 4 if parts of a model were left out, or a scene promises nothing.
    jobs
        How many processes test at once; by default one for each processor.
    timeout
        Seconds that one scene may take: one that takes more is a mistake, and the others are tested.
    max_pairs
        List at most this many of the pairs that break a promise.
    junit
        Write also this file, as JUnit does: a suite for each scene, a case for each promise.
    html
        Write also a page with a picture of every broken promise, which a click makes live: one file, if it ends in
        .html, and else a folder with the page and the pictures.
    static
        Write this page without scripts: pictures stay pictures.
    baseline
        Tell which broken promises are new, known and gone since an earlier run, from its JSON.
    accept
        A TOML file of promises that may stay broken for some time: tables [[accept]] with id, reason and date.
    verbose
        List also the promises that hold.
    """
    if not paths:
        raise MistakeError(f'nothing to test: name scenes, folders or patterns; "{PROGRAM} test --help" says more')
    if junit is not None:
        check_output(junit, "a JUnit report", ".xml")
    check_page(html, static)
    from viewer.verdicts.collecting import collect, shard_of
    from viewer.verdicts.comparing import compare, read_accepted, read_baseline
    from viewer.verdicts.judging import JudgeOptions
    from viewer.verdicts.running import judge_all, run_record
    from viewer.verdicts.writing import named, picture_folder

    collected = collect(paths, stdin_bytes() if "-" in paths else b"")
    if junit is not None and os.path.realpath(junit) in (os.path.realpath(one.path) for one in collected.sources):
        raise MistakeError(f"--junit {junit}: this is a scene to be tested, and would be written over")
    with mistakes():
        earlier = read_baseline(baseline) if baseline else None
        accepted = read_accepted(accept) if accept else []
    sources = collected.sources if shard is None else shard_of(collected.sources, *shard)
    listed = max_pairs if earlier is None and not accepted else _ALL_PAIRS
    options = JudgeOptions(tolerance, only, listed - 1, pictured=html is not None, model=model.options())
    with ended_by_signal(), _progress(len(sources)) as progress:
        results = judge_all(sources, options, jobs=jobs or os.cpu_count() or 1, timeout=timeout, progress=progress)
    compared = compare(results, earlier, accepted, tolerance=tolerance, whole=not only and shard is None)
    share = None if shard is None else str(shard)
    run = run_record(compared.listing(max_pairs), collected, options, strict=strict, shard=share)
    run = named(run, picture_folder(html))
    code = _report(run, format, verbose, junit)
    return code if html is None else illustrated_report(code, run, html, static)


def check_page(html: Path | None, static: bool) -> None:
    """Refuse a page that cannot be written, before anything is tested."""
    if static and html is None:
        raise MistakeError("--static says how a page is written: --html FILE says where")
    if html is not None:
        from viewer.verdicts.writing import PAGES, check_report

        if html.suffix.lower() in PAGES:
            check_output(html, "a page", *PAGES)
        else:
            with writing(html):
                check_report(html)


@contextmanager
def _progress(count: int) -> Iterator[Callable[[int], object]]:
    """Show on a terminal how many scenes are done, and that kernels are compiled; give what counts them.

    It begins with the first count: it has a thread, and what has other threads cannot be copied (`judge_all`).
    """
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn

    columns = SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
    console = Console(file=sys.stderr)
    shown = Progress(*columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False)
    task = shown.add_task("", total=count)

    def show(description: str, done: int) -> None:
        shown.start()
        shown.update(task, advance=done, description=description)

    try:
        with told_of_compiling(partial(show, NOTICE, 0)):
            yield partial(show, "testing scenes")
    finally:
        shown.stop()


def _report(run: Run, format: str, verbose: bool, junit: Path | None) -> ExitCode:
    """Write a run, to stdout and for CI servers; return the code, which nothing that is drawn later makes better."""
    from collision.inner import write_text
    from viewer.verdicts import github, text
    from viewer.verdicts.junit import document

    failed = None
    if junit is not None:
        try:
            with writing(junit):
                write_text(junit, document(run))
        except MistakeError as error:
            failed = error
    code = ExitCode.MISTAKE if failed and run.exit_code != ExitCode.BUG else ExitCode(run.exit_code)
    if format == "json":
        print(run.model_copy(update={"exit_code": int(code)}).model_dump_json(indent=2))
    else:
        for line in github.lines_of(run) if format == "github" else text.lines_of(run, verbose=verbose):
            print(line)
    if format == "github":
        github.append_summary(run)
    if failed:
        explain(failed)
    return code


def illustrated_report(code: ExitCode, run: Run, html: Path, static: bool) -> ExitCode:
    """Draw and write pictures and the page, after all else: whatever goes wrong is said, and hides no verdict."""
    sys.stdout.flush()
    try:
        from viewer.verdicts.pictures import illustrated
        from viewer.verdicts.writing import write_report

        run, script, enliven = (run, "", None) if static else _enlivening(run)
        run, failed = illustrated(run, enliven)
        with writing(html):
            write_report(run, html, script)
    except Exception as error:
        failed = [error]
    codes = [explain(one) for one in failed]
    return codes[0] if codes and code is ExitCode.FINE else code


def _enlivening(run: Run) -> tuple[Run, str, Enliven | None]:
    """Return what makes pictures live, if there are any; without kernels for it nothing, and a run that says so."""
    from collision.wasm import NoCodeError
    from viewer.verdicts.live import live_script, with_live_pictures

    if not run.counts.broken + run.counts.accepted:
        return run, "", None
    try:
        return run, live_script(), with_live_pictures
    except NoCodeError as error:
        said = (*run.notes, f"The pictures cannot be made live: {error}")
        return run.model_copy(update={"notes": said}), "", None
