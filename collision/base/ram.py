"""Memory: how much an answer may take, so that more is refused before the machine is out of it, and its garbage."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

#: The part of all memory that one answer may take.
_PART = 0.5

#: Where a container's limit stands, in the two forms of Linux.
_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")

#: Taken for the memory of a machine that does not say.
_USUAL = 8 << 30


def check_memory(size: int, what: str) -> None:
    """Raise a MemoryError if so many bytes are more than half of what this process may have; `what` takes them."""
    if size > 1 << 26 and size > _PART * memory():  # asked only for what is large
        raise MemoryError(
            f"{what}: to look at all takes {size / 1e9:,.0f} GB of memory, more than half of what there is"
        )


def memory() -> int:
    """Return the bytes that this process may have: those of the machine, or the limit of a container or a shell."""
    found = [_USUAL]
    if sys.platform != "win32":
        import resource

        with suppress(ValueError, OSError):
            found = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        found += [limit] if limit != resource.RLIM_INFINITY else []
    for name in _LIMITS:
        with suppress(ValueError, OSError):  # there is no such file, or it says "max"
            found.append(int(Path(name).read_text(encoding="ascii")))
    return min(found)


@contextmanager
def no_garbage_collection() -> Iterator[None]:
    """Leave garbage for later where many small objects are made that stay: every collection looks at all of them."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
