"""How kernels become functions of whole arrays."""

from collections.abc import Callable
from typing import Any

import numba
import numpy as np


def compiled(layout: str) -> Callable[[Any], Any]:
    """Return the decorator that makes a generalised ufunc of a kernel with this layout of float64 arguments.

    The compiled code is kept on disk beside the module that has the kernel (or in NUMBA_CACHE_DIR), and found again by
    that module's own time stamp: an edit of another module that it calls goes unnoticed, so clear the cache, or point
    NUMBA_CACHE_DIR elsewhere, after editing. The tests key the cache by the digest of all modules.
    """
    inputs, outputs = (side.count("(") for side in layout.split("->"))
    arguments = [part.strip("()") for part in layout.replace("->", ",").replace("),(", ")|(").split("|")]
    ranks = [len(part.split(",")) if part else 0 for part in arguments]
    # Numbers come in by value only through arrays of one item, as gufunc outputs do: one way for both.
    types = [numba.float64[(slice(None),) * max(rank, 1)] for rank in ranks]
    assert len(types) == inputs + outputs
    return numba.guvectorize([tuple(types)], layout, nopython=True, cache=True)


def quiet() -> np.errstate:
    """Return a context in which compiled code may touch NaN and infinity without NumPy warning of it.

    The compiler computes both sides of a choice and then picks one, so the processor's flags say nothing of the result.
    """
    return np.errstate(all="ignore")
