"""How kernels become functions of whole arrays."""

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cached_property, partial
from pathlib import Path
from typing import Any
from zlib import crc32

import numba
import numpy as np
from filelock import FileLock


class Compiled:
    """A kernel as a generalised ufunc, compiled or read from the cache when it is first called.

    A program pays for the kernels that it uses: importing `collision` loads none of them.

    Parameters
    ----------
    kernel : callable
        Takes one element's arguments, the outputs last.
    layout : str
        As `compiled` takes it.
    """

    def __init__(self, kernel: Callable[..., None], layout: str) -> None:
        self.kernel = kernel
        self.layout = layout
        self.__doc__ = kernel.__doc__

    def __call__(self, *operands: Any) -> Any:  # noqa: D102 - it is the kernel's
        return self._gufunc(*operands)

    @cached_property
    def _gufunc(self) -> Any:
        arguments = [part.strip("()") for part in self.layout.replace("->", ",").replace("),(", ")|(").split("|")]
        ranks = [len(part.split(",")) if part else 0 for part in arguments]
        # Numbers come in by value only through arrays of one item, as gufunc outputs do: one way for both.
        types = tuple(numba.float64[(slice(None),) * max(rank, 1)] for rank in ranks)
        build: Any = numba.guvectorize([types], self.layout, nopython=True, cache=True)
        with _one_process_at_a_time():
            return build(self.kernel)


@contextmanager
def _one_process_at_a_time() -> Iterator[None]:
    """Wait until no other process of this user builds a kernel for the same cache.

    The cache keeps a kernel and the loop around it in two files, and the loop calls the kernel by a name with a number
    that depends on what its process compiled before. Two processes that fill the cache at once can leave a kernel of
    the one beside a loop of the other, which then crashes every later run.
    """
    user = os.getuid() if hasattr(os, "getuid") else ""
    settings: Any = numba.config
    cache = crc32(os.fsencode(settings.CACHE_DIR or Path(__file__).parent))  # those with another do not wait
    with ExitStack() as stack:
        with suppress(OSError):  # where there is no place for temporary files, there are no such neighbours to fear
            stack.enter_context(FileLock(Path(tempfile.gettempdir()) / f"collision-kernels-{user}-{cache:08x}.lock"))
        yield


def compiled(layout: str) -> Callable[[Callable[..., None]], Compiled]:
    """Return the decorator that makes a generalised ufunc of a kernel with this layout of float64 arguments.

    The compiled code is kept on disk beside the module that has the kernel (or in NUMBA_CACHE_DIR), and found again by
    that module's own time stamp: an edit of another module that it calls goes unnoticed, so clear the cache, or point
    NUMBA_CACHE_DIR elsewhere, after editing. The tests key the cache by the digest of all modules.
    """
    return partial(Compiled, layout=layout)


def quiet() -> np.errstate:
    """Return a context in which compiled code may touch NaN and infinity without NumPy warning of it.

    The compiler computes both sides of a choice and then picks one, so the processor's flags say nothing of the result.
    """
    return np.errstate(all="ignore")
