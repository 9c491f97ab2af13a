"""How kernels become functions of whole arrays."""

from collections.abc import Callable
from functools import cached_property, partial
from typing import Any

import numba
import numpy as np


class Compiled:
    """A kernel as a generalised ufunc, compiled or read from the cache when it is first called.

    A program pays for the kernels that it uses: importing `collision` loads none of them.
    """

    def __init__(self, kernel: Callable[..., None], layout: str) -> None:
        self.kernel = kernel
        self.layout = layout
        self.__doc__ = kernel.__doc__

    def __call__(self, *operands: Any) -> Any:
        return self._gufunc(*operands)

    @cached_property
    def _gufunc(self) -> Any:
        arguments = [part.strip("()") for part in self.layout.replace("->", ",").replace("),(", ")|(").split("|")]
        ranks = [len(part.split(",")) if part else 0 for part in arguments]
        # Numbers come in by value only through arrays of one item, as gufunc outputs do: one way for both.
        types = tuple(numba.float64[(slice(None),) * max(rank, 1)] for rank in ranks)
        return numba.guvectorize([types], self.layout, nopython=True, cache=True)(self.kernel)


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
