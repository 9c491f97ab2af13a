"""All scenes of a run, in this process and in some beside it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.connection import wait
from multiprocessing.context import BaseContext

from viewer.verdicts.collecting import Source
from viewer.verdicts.judging import Wish, judge_source
from viewer.verdicts.results import SceneResult

#: So many scenes are tested before another process is worth its start, which takes up to a second.
FEW = 50

#: So many scenes at most go to a process at once. Of those that are left each process takes so small a part at a time
#: that all of them end together.
_CHUNK, _GOES = 16, 4


def judge_all(
    sources: Sequence[Source], wish: Wish, *, jobs: int = 1, told: Callable[[int], object] = lambda count: None
) -> list[SceneResult]:
    """Return what came of some scenes, in their order.

    Parameters
    ----------
    sources : sequence of Source
        Where they are.
    wish : Wish
        How they are to be tested.
    jobs : int
        How many processes test them; this one does all where they are few.
    told : callable
        Is told of each step how many scenes it has done; 0 at first, when all processes are there.
    """
    if jobs < 2 or len(sources) <= FEW:
        told(0)
        return [_one(source, wish, told) for source in sources]
    with _helpers(jobs - 1) as pool:
        told(0)
        return _shared(sources, wish, jobs - 1, pool, told)


def _shared(
    sources: Sequence[Source], wish: Wish, helpers: int, pool: ProcessPoolExecutor, told: Callable[[int], object]
) -> list[SceneResult]:
    """Test scenes in this process from the end on, and give the others some from the beginning whenever they have none.

    None is taken back from them: a pool whose process dies (of a lack of memory, say) would wait for ever for a future
    that was cancelled.
    """
    asked: list[tuple[Sequence[Source], Future[list[SceneResult]]]] = []
    waiting: dict[Future[list[SceneResult]], int] = {}
    mine: list[SceneResult] = []
    begin, end, broken = 0, len(sources), False
    while begin < end:
        for future in [one for one in waiting if one.done()]:
            told(waiting.pop(future))
            broken = broken or future.exception() is not None
        if len(waiting) < 2 * helpers and not broken:
            size = max(1, min(_CHUNK, (end - begin) // (_GOES * (helpers + 1))))
            chunk = sources[begin : begin + size]
            try:
                future = pool.submit(_chunk, chunk, wish)
            except BrokenProcessPool:  # it has died since
                broken = True
                continue
            asked.append((chunk, future))
            waiting[future] = len(chunk)
            begin += len(chunk)
        else:
            end -= 1
            mine.append(_one(sources[end], wish, told))
    found = [result for chunk, future in asked for result in _results(future, chunk)]
    told(sum(waiting.values()))
    return [*found, *reversed(mine)]


def _one(source: Source, wish: Wish, told: Callable[[int], object]) -> SceneResult:
    result = judge_source(source, wish)
    told(1)
    return result


def _chunk(sources: Sequence[Source], wish: Wish) -> list[SceneResult]:
    return [judge_source(source, wish) for source in sources]


def _results(done: Future[list[SceneResult]], sources: Sequence[Source]) -> list[SceneResult]:
    """Return what another process found; if it has died, its scenes are tested by nobody."""
    try:
        return done.result()
    except BrokenProcessPool:
        why = f"the process that tested it, among {len(sources)} scenes, has died: perhaps for lack of memory"
        return [SceneResult(path=source.path, state="bug", message=why) for source in sources]


@contextmanager
def _helpers(count: int) -> Iterator[ProcessPoolExecutor]:
    """Give some processes, which end with this one: at its end, when Ctrl-C stops it, and if it is killed."""
    context = _context()
    before = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(count, mp_context=context, initializer=_begin, initargs=(list(sys.path),))
    try:
        if context.get_start_method() == "fork":
            _start_copies(pool)
        yield pool
    except BaseException:
        for process in set(multiprocessing.active_children()) - before:
            process.terminate()
        raise
    finally:  # wait in any case: Python 3.11 may complain where its own end meets that of the pool
        pool.shutdown(wait=True, cancel_futures=True)


def _context() -> BaseContext:
    """Return how other processes begin: as copies of this one, which have imported all, or else as a new Python.

    A copy takes milliseconds where a new Python takes half a second. What has other threads must not be copied: what
    they hold would be held for ever.
    """
    ways = multiprocessing.get_all_start_methods()
    if sys.platform == "linux" and "fork" in ways and _has_one_thread():
        return multiprocessing.get_context("fork")
    return multiprocessing.get_context("forkserver" if "forkserver" in ways else "spawn")


def _has_one_thread() -> bool:
    """Tell whether this process has no threads beside the first one, be they Python's or of a library."""
    try:
        return len(os.listdir("/proc/self/task")) == 1
    except OSError:  # a jail without /proc
        return False


#: What ends a run, in the first process.
_ENDING = (signal.SIGINT, signal.SIGTERM)


def _start_copies(pool: ProcessPoolExecutor) -> None:
    """Start all processes of a pool, none of which may take a signal for its own before `_begin` has run in it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    try:
        pool.submit(int)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(path: list[str]) -> None:
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
