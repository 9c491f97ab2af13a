"""All scenes of a run, in this process and in some beside it."""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import TypeAlias

from viewer.files.loading import runs_code
from viewer.verdicts.beside import Beside, begin, context, ending_later, judge_here, received
from viewer.verdicts.collecting import Source
from viewer.verdicts.judging import Judged, Wish, judge_source

#: So many scenes are tested before another process is worth its start, which takes up to a second.
FEW = 50

#: So many scenes at most go to a process at once. Of those that are left each process takes so small a part at a time
#: that all of them end together.
_CHUNK, _GOES = 16, 4


def judge_all(
    sources: Sequence[Source], wish: Wish, *, jobs: int = 1, told: Callable[[int], object] = lambda count: None
) -> list[Judged]:
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
    with Beside(wish) as beside:
        if any(runs_code(source.path) for source in sources):
            beside.start()  # while this process has no threads, and can be copied

        def judged(source: Source) -> Judged:
            result = beside.judge(source) if runs_code(source.path) else judge_source(source, wish)
            told(1)
            return result

        if jobs < 2 or len(sources) <= FEW:
            told(0)
            return [judged(source) for source in sources]
        with _helpers(jobs - 1) as pool:
            told(0)
            asked, mine = _shared(sources, wish, jobs - 1, pool, judged, told)
        return [*(result for chunk, future in asked for result in _results(chunk, future, beside)), *mine]


#: Some scenes, and what another process finds of them.
_Asked: TypeAlias = tuple[Sequence[Source], Future[list[bytes]]]


def _shared(
    sources: Sequence[Source],
    wish: Wish,
    helpers: int,
    pool: ProcessPoolExecutor,
    judged: Callable[[Source], Judged],
    told: Callable[[int], object],
) -> tuple[list[_Asked], list[Judged]]:
    """Test scenes from the end on, and give other processes some from the beginning whenever they have none.

    None is taken back from them: a pool whose process dies (of a lack of memory, say) would wait for ever for a future
    that was cancelled.
    """
    asked: list[_Asked] = []
    waiting: dict[Future[list[bytes]], int] = {}
    mine: list[Judged] = []
    first, end, broken = 0, len(sources), False
    while first < end:
        for future in [one for one in waiting if one.done()]:
            told(waiting.pop(future))
            broken = broken or future.exception() is not None
        if len(waiting) < 2 * helpers and not broken:
            size = max(1, min(_CHUNK, (end - first) // (_GOES * (helpers + 1))))
            chunk = sources[first : first + size]
            try:
                future = pool.submit(_chunk, chunk, wish)
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
        told(count)
    return asked, mine[::-1]


def _chunk(sources: Sequence[Source], wish: Wish) -> list[bytes]:
    return [judge_here(source, wish) for source in sources]


def _results(sources: Sequence[Source], done: Future[list[bytes]], beside: Beside) -> list[Judged]:
    """Return what another process found; if one has died, test its scenes alone, to see which of them ended it."""
    try:
        return [received(source, sent) for source, sent in zip(sources, done.result(), strict=True)]
    except BrokenProcessPool:
        return [beside.judge(source) for source in sources]


@contextmanager
def _helpers(count: int) -> Iterator[ProcessPoolExecutor]:
    """Give some processes, which end with this one: at its end, when Ctrl-C stops it, and if it is killed."""
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
