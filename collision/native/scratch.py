"""Memory that a kernel has for itself, for what registers cannot hold, such as a stack."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from collision.native.instructions import Instruction
from collision.native.memory import Floats


def _typed(types: Any, count: Any) -> Any:
    return types.CPointer(types.float64)(types.int64)


def _emit(context: Any, builder: Any, signature: Any, values: Sequence[Any]) -> Any:
    from llvmlite import ir
    from numba.core import cgutils

    return cgutils.alloca_once(builder, ir.DoubleType(), size=values[0])


@partial(Instruction, typed=_typed, emit=_emit)
def scratch(count: int) -> Floats:
    """Return memory for a constant count of numbers, which is there until the kernel that asks for it returns."""
    return np.empty(count)
