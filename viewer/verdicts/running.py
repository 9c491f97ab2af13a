"""All scenes of a run, judged here and in other processes, of which each may end: a scene may exit or crash in it."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Any, TypeAlias

from viewer.files.loading import runs_code
from viewer.verdicts.collecting import Collected, Source
from viewer.verdicts.comparing import Comparison
from viewer.verdicts.judging import JudgeOptions, judge_source
from viewer.verdicts.results import Run, SceneResult, State, counts_of, exit_code

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import ForkContext, ForkServerContext, SpawnContext
    from multiprocessing.process import BaseProcess

#: So many scenes are tested before another process is worth its start, which takes up to a second.
FEW = 50

#: So many scenes at most go to a process at once. Of those that are left each process takes so small a part at a time
#: that all of them end together.
_CHUNK, _GOES = 16, 4

#: Seconds that a process may take to end when all is done: a scene may have left threads in it.
_PATIENCE = 1.0

#: Python's own process that cleans up after this one, if that is killed, warns that there was something to clean up.
_QUIET = "ignore:resource_tracker:UserWarning"

#: What ends a run, in the first process.
_ENDING = (signal.SIGINT, signal.SIGTERM)


def judge_all(
    sources: Sequence[Source],
    options: JudgeOptions,
    *,
    jobs: int = 1,
    progress: Callable[[int], object] = lambda count: None,
) -> list[SceneResult]:
    """Return what came of some scenes, in their order.

    Parameters
    ----------
    sources : sequence of Source
        Where they are.
    options : JudgeOptions
        How they are judged.
    jobs : int
        How many processes test them; this one does all where they are few.
    progress : callable
        Is called after each step with the number of scenes that it has done; at first, when all processes are there,
        with 0.
    """
    with Worker(options) as worker:
        if any(runs_code(source.path) for source in sources):
            worker.start()  # while this process has no threads, and can be copied

        def judged(source: Source) -> SceneResult:
            result = worker.judge(source) if runs_code(source.path) else judge_source(source, options)
            progress(1)
            return result

        if jobs < 2 or len(sources) <= FEW:
            progress(0)
            return [judged(source) for source in sources]
        with _helpers(jobs - 1) as pool:
            progress(0)
            asked, mine = _shared(sources, options, jobs - 1, pool, judged, progress)
        return [*(result for chunk, future in asked for result in _results(chunk, future, worker)), *mine]


#: Some scenes, and what another process finds of them.
_Asked: TypeAlias = tuple[Sequence[Source], Future[list[bytes]]]


def _shared(
    sources: Sequence[Source],
    options: JudgeOptions,
    helpers: int,
    pool: ProcessPoolExecutor,
    judged: Callable[[Source], SceneResult],
    progress: Callable[[int], object],
) -> tuple[list[_Asked], list[SceneResult]]:
    """Test scenes from the end on, and give other processes some from the beginning whenever they have none.

    None is taken back from them: a pool whose process dies (of a lack of memory, say) would wait for ever for a future
    that was cancelled.
    """
    asked: list[_Asked] = []
    waiting: dict[Future[list[bytes]], int] = {}
    mine: list[SceneResult] = []
    first, end, broken = 0, len(sources), False
    while first < end:
        for future in [one for one in waiting if one.done()]:
            progress(waiting.pop(future))
            broken = broken or future.exception() is not None
        if len(waiting) < 2 * helpers and not broken:
            size = max(1, min(_CHUNK, (end - first) // (_GOES * (helpers + 1))))
            chunk = sources[first : first + size]
            try:
                future = pool.submit(_chunk, chunk, options)
            except BrokenProcessPool:  # it has died since
                broken = True
                continue
            asked.append((chunk, future))
            waiting[future] = len(chunk)
            first += len(chunk)
        else:
            end -= 1
            mine.append(judged(sources[end]))
    for future, count in waiting.items():
        future.exception()  # waits until it is done
        progress(count)
    return asked, mine[::-1]


def _chunk(sources: Sequence[Source], options: JudgeOptions) -> list[bytes]:
    return [judge_here(source, options) for source in sources]


def _results(sources: Sequence[Source], done: Future[list[bytes]], worker: Worker) -> list[SceneResult]:
    """Return what another process found; if one has died, test its scenes alone, to see which of them ended it."""
    try:
        return [received(source, sent) for source, sent in zip(sources, done.result(), strict=True)]
    except BrokenProcessPool:
        return [worker.judge(source) for source in sources]


@contextmanager
def _helpers(count: int) -> Iterator[ProcessPoolExecutor]:
    """Start some processes, which end with this one: at its end, when Ctrl-C stops it, and if it is killed."""
    how = context()
    before = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(count, mp_context=how, initializer=begin, initargs=(list(sys.path),))
    try:
        if how.get_start_method() == "fork":
            with ending_later(how):
                pool.submit(int)  # starts all of them
        yield pool
    except BaseException:
        for process in set(multiprocessing.active_children()) - before:
            process.terminate()
        raise
    finally:  # wait in any case: Python 3.11 may complain where its own end meets that of the pool
        pool.shutdown(wait=True, cancel_futures=True)


# -- a process that a scene may end ------------------------------------------------------------------------------------


class Worker:
    """A process that tests one scene after another; after a scene that ends it, the next one has a new process.

    Parameters
    ----------
    options : JudgeOptions
        How scenes are judged.
    """

    def __init__(self, options: JudgeOptions) -> None:
        self._options = options
        self._running: tuple[BaseProcess, Connection[Any, Any]] | None = None

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if self._running is None:
            return
        process, pipe = self._running
        if kind is not None:
            process.terminate()
        with suppress(OSError):
            pipe.send(None)
        pipe.close()
        process.join(_PATIENCE)
        process.kill()

    def start(self) -> tuple[BaseProcess, Connection[Any, Any]]:
        """Start the process, unless there is one; return it, and the pipe that leads to it."""
        if self._running is None:
            how = context()
            pipe, other = how.Pipe()
            process = how.Process(target=_serve, args=(other, self._options, list(sys.path)))
            with ending_later(how):
                process.start()
            other.close()
            self._running = process, pipe
        return self._running

    def judge(self, source: Source) -> SceneResult:
        """Return what came of a scene, which may have ended the process."""
        process, pipe = self.start()
        with suppress(EOFError, OSError):
            pipe.send(source)
            wait([pipe, process.sentinel])
            if pipe.poll():
                return received(source, pipe.recv_bytes())
        process.join()
        pipe.close()
        self._running = None
        return _failed(source, f"ended the process that tested it: {_how(process.exitcode or 0)}")


def _failed(source: Source, why: str) -> SceneResult:
    state: State = "mistake" if runs_code(source.path) else "bug"
    return SceneResult(path=source.path, state=state, message=f"{source.path}: {why}")


def _how(code: int) -> str:
    """Say how a process has ended: its exit code, or the signal."""
    if code >= 0:
        return f"exit code {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:  # one without a name
        name = f"signal {-code}"
    return name + (", perhaps for lack of memory" if name == "SIGKILL" else "")


def _serve(pipe: Connection[Any, Any], options: JudgeOptions, path: list[str]) -> None:
    """Test what comes until None does, in the other process, which may have a copy of the pipe's other end."""
    begin(path)
    while (source := _next(pipe)) is not None:
        pipe.send_bytes(judge_here(source, options))


def _next(pipe: Connection[Any, Any]) -> Source | None:
    """Return what is to be tested next; nothing where the first process is gone: nobody is left to be told."""
    try:
        source: Source | None = pipe.recv()
    except (EOFError, ConnectionResetError):
        return None
    return source


def judge_here(source: Source, options: JudgeOptions) -> bytes:
    """Return what came of a scene as JSON: reading that runs no code of the scene's.

    A copy that the scene has made of this process ends instead, as there is one answer.
    """
    own = os.getpid()
    result = judge_source(source, options)
    if os.getpid() != own:
        os._exit(0)
    # Not by pydantic: a path may be no UTF-8.
    return json.dumps({**result.model_dump(), "text": result.text}).encode("ascii")


def received(source: Source, sent: bytes) -> SceneResult:
    """Return what another process has found of a scene."""
    try:
        return SceneResult.model_validate(json.loads(sent))
    except ValueError:
        return _failed(source, "the process that tested it sent something else than verdicts")


def context() -> ForkContext | ForkServerContext | SpawnContext:
    """Return how other processes begin: as copies of this one, which have imported all, or else as a new Python.

    A copy takes milliseconds where a new Python takes half a second. What has other threads must not be copied: what
    they hold would be held for ever.
    """
    ways = multiprocessing.get_all_start_methods()
    if sys.platform == "linux" and "fork" in ways and _has_one_thread():
        return multiprocessing.get_context("fork")
    if _QUIET not in sys.warnoptions:
        sys.warnoptions.append(_QUIET)
    if "forkserver" in ways:
        return multiprocessing.get_context("forkserver")
    return multiprocessing.get_context("spawn")


def _has_one_thread() -> bool:
    """Tell whether this process has no threads beside the first one, be they Python's or of a library."""
    try:
        return len(os.listdir("/proc/self/task")) == 1
    except OSError:  # a jail without /proc
        return False


@contextmanager
def ending_later(how: ForkContext | ForkServerContext | SpawnContext) -> Iterator[None]:
    """Have no copy that a block starts take a signal for its own before `begin` has run in it."""
    if how.get_start_method() != "fork":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def begin(path: list[str]) -> None:
    """Prepare another process: Ctrl-C is for the first one to see, and it ends when that one does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
    sys.path[:] = path
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


# -- the record of a run -----------------------------------------------------------------------------------------------


def run_record(
    comparison: Comparison,
    collected: Collected,
    options: JudgeOptions,
    *,
    strict: bool = False,
    shard: str | None = None,
) -> Run:
    """Return the record of a run.

    Parameters
    ----------
    comparison : Comparison
        What came of each scene, beside what is known already.
    collected : Collected
        What the words of the command line named.
    options : JudgeOptions
        How they were judged.
    strict : bool
        Whether all of every scene must be tested, and every scene promise something.
    shard : str, optional
        Which share of them it was.
    """
    scenes, gone = comparison.scenes, comparison.gone
    empty = [f"{folder}: there is no scene in this folder" for folder in collected.empty]
    if shard is not None and collected.sources and not scenes:
        empty.append(f"share {shard} is empty: there are no more scenes than {len(collected.sources)}")
    if shard is None:  # in another share there may be one
        empty += [f"--only {pattern}: no promise of any scene is called so" for pattern in _unmatched(scenes, options)]
    return Run(
        exit_code=exit_code(scenes, strict=strict, empty=bool(empty)),
        tolerance=options.tolerance,
        strict=strict,
        only=options.only,
        shard=shard,
        counts=counts_of(scenes, len(gone), collected.other_files),
        scenes=scenes,
        gone=gone,
        untested=tuple(empty),
        notes=comparison.notes,
    )


def _unmatched(scenes: Iterable[SceneResult], options: JudgeOptions) -> list[str]:
    """Return what of several patterns fits nothing; that of a single one is said of each scene."""
    tested = [scene for scene in scenes if scene.state not in ("mistake", "bug")]
    if len(options.only) < 2 or not tested:
        return []
    return [pattern for pattern in options.only if all(pattern in scene.unmatched for scene in tested)]
