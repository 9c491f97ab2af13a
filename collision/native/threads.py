"""Large batches done in parts, by several threads: a running loop lets other threads run."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

#: The work that is worth a thread of its own, in elements of a loop.
THREAD_GRAIN = 1 << 15


def in_parts(work: Callable[[int, int], Any], count: int, grain: int = THREAD_GRAIN) -> list[Any]:
    """Return the results of ``work(first, last)`` for parts of range(count), by several threads where that pays.

    When this returns or raises, none of it is at work any longer, not even where Ctrl-C or a mistake has ended it.
    """
    threads = min(processors(), count // grain)
    if threads < 2:
        return [work(0, count)]
    cuts = [count * k // (4 * threads) for k in range(4 * threads + 1)]  # smaller parts, for when one takes longer
    parts: list[Future[Any]] = []
    try:
        parts.extend(_pool().submit(work, *cut) for cut in pairwise(cuts))
        return [part.result() for part in parts]
    except BaseException:
        _end(parts)
        raise


def _end(parts: Sequence[Future[Any]]) -> None:
    """Drop what has not begun and wait for the rest: it writes to memory that is given back once nobody waits."""
    for part in [part for part in parts if not part.cancel()]:
        while not part.done():
            with suppress(KeyboardInterrupt):  # there is one already
                part.exception()


@cache
def processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@cache
def _pool() -> ThreadPoolExecutor:
    from concurrent.futures import ThreadPoolExecutor  # takes long to import, and few have so much to do

    return ThreadPoolExecutor(processors(), thread_name_prefix="collision")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)  # threads do not survive a fork
