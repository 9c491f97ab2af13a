"""The shortest way to the distance of two single shapes, which takes less time than a look for a name does."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from collision.separation import LOOPS
from collision.separation.cores import TOUCH
from collision.separation.table import Rank


def _first_run(i: int, j: int) -> Callable[..., float]:
    """Return what runs a loop for two single shapes, and stays in its place after the first time."""

    def load_and_run(*given: Any) -> float:
        run = RUN[i][j] = LOOPS[i, j].one.run
        return float(run(*given))

    return load_and_run


#: Compiled functions by the ranks of both shapes, of which the first is the lower.
RUN = [[_first_run(i, j) for j in Rank] for i in Rank]

#: Numbers as these functions take them: no room, and what touching allows.
NO_ROOM, ROOM = ctypes.c_double.from_param(0.0), ctypes.c_double.from_param(TOUCH)
