"""How shapes, one or a batch, are handed to loops: as addresses of numbers, and strides from element to element."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from collision.compile import INT, INTS, PART, TABLE, Loop, address, in_parts
from collision.fields import FloatArray, IntArray

if TYPE_CHECKING:
    from collision.shape import Core, Shape

#: How many trailing axes each operand of a core has that are its own: a number, a vector, a frame.
_OWN_AXES = {"point": (1, 0), "linear": (1, 1, 0, 0, 0), "box": (1, 2, 1, 1, 0)}

#: What every loop over pairs takes: the part of the pairs to do, whether elements are picked by an index, for both
#: shapes the table of operands with their strides and the index, what else there is, and the table of outputs.
PAIRS = (INT, INT, INT, TABLE, INTS, INTS, TABLE, INTS, INTS, TABLE, INTS, TABLE)


#: The pairs that are worth a thread of their own where elements are picked: many come from afar in memory.
_FEW = 2048


class Operands:
    """The operands of a core in memory.

    Parameters
    ----------
    core : Core
        Of a shape with no batch axis or one.
    """

    def __init__(self, core: Core) -> None:
        own_axes = _OWN_AXES[core.kind]
        arrays = [np.ascontiguousarray(v) if isinstance(v, np.ndarray) else _constant(v) for v in core.operands]
        # An axis of one element is repeated, as an axis that is missing is.
        strides = [
            a.size // len(a) if a.ndim > own and len(a) > 1 else 0 for a, own in zip(arrays, own_axes, strict=True)
        ]
        self._kept = arrays
        self.table, self.strides = table(arrays), (ctypes.c_int64 * len(arrays))(*strides)


@cache
def _constant(value: float) -> FloatArray:
    """Return one of the few numbers that cores are made of: 0, 1 and infinity."""
    return np.array(value, dtype=np.float64)


def run_pairs(
    loop: Loop,
    a: Shape,
    b: Shape,
    outputs: Sequence[FloatArray],
    *,
    extra: tuple[FloatArray, ...] = (),
    index: tuple[IntArray, IntArray] | None = None,
    numbers: tuple[float, ...] = (),
) -> None:
    """Run a loop over the pairs of two shapes whose batch axes broadcast, or over pairs of their elements.

    Parameters
    ----------
    loop : Loop
        With the arguments `PAIRS`, and maybe numbers after them.
    a, b : Shape
        In the loop's order of cores.
    outputs : sequence of ndarray
        What the loop fills, each with the joint batch axes and whatever axes of its own.
    extra : tuple of ndarray
        One array of vectors (..., 3), contiguous, with the joint batch axes or none.
    index : pair of ndarray of int, shape (n,), optional
        Elements of a and of b to pair, where these are flat batches; writable and contiguous, as new arrays are.
    numbers : tuple of float
        What the loop takes after `PAIRS`.
    """
    lead, count = outputs[0].shape, outputs[0].size
    if not count:
        return
    if index is None and (len(a.batch_shape) > 1 or len(b.batch_shape) > 1 or len(lead) > 1):
        index = (_spread(a, lead), _spread(b, lead))
        a, b = a.flattened(), b.flattened()
        # Copies, always: a loop cannot know of a vector that stands for many by a stride of zero.
        extra = tuple(np.broadcast_to(v, (*lead, 3)).flatten().reshape(-1, 3) for v in extra)
    first, second = a.operands, b.operands
    more, steps = NONE
    if extra:
        more, steps = table(extra), (ctypes.c_int64 * 1)(3 if extra[0].ndim > 1 and len(extra[0]) > 1 else 0)
    index_a, index_b = map(address, index) if index is not None else (None, None)
    out = (ctypes.c_void_p * len(outputs))(*map(address, outputs))
    operands = (first.table, first.strides, index_a, second.table, second.strides, index_b)
    run, indexed = loop.run, index is not None
    if count < PART:  # the usual case, without a detour
        run(0, count, indexed, *operands, more, steps, out, *numbers)
    else:
        in_parts(lambda start, end: run(start, end, indexed, *operands, more, steps, out, *numbers), count)


#: Pairs in a row that are of two batches: the loop for these, both in its order, and the end of the pairs.
Stretch: TypeAlias = "tuple[Loop, Shape, Shape, int]"


def run_stretches(
    stretches: Sequence[Stretch],
    picks: tuple[IntArray, IntArray],
    outputs: Sequence[FloatArray],
    numbers: tuple[float, ...] = (),
) -> None:
    """Run loops over pairs of elements of flat batches, those of two batches after those of two others.

    Parameters
    ----------
    stretches : sequence of Stretch
        In order, without gaps.
    picks : pair of ndarray of int, shape (n,)
        The elements of a and of b, of all pairs.
    outputs, numbers
        As in `run_pairs`; one output for all pairs.
    """
    (first, second), out = map(address, picks), table(outputs)

    def work(start: int, last: int) -> None:
        for loop, a, b, end in stretches:
            if start < end:
                x, y, until = a.operands, b.operands, min(end, last)
                given = (x.table, x.strides, first, y.table, y.strides, second, *NONE, out, *numbers)
                loop.run(start, until, True, *given)
                start = until

    in_parts(work, len(picks[0]), _FEW)


def table(arrays: Sequence[FloatArray]) -> Any:
    """Return the addresses of arrays."""
    return (ctypes.c_void_p * max(len(arrays), 1))(*map(address, arrays))


def _spread(shape: Shape, lead: tuple[int, ...]) -> IntArray:
    """Return for every element of the joint batch axes the shape's own element, counted flat."""
    own = np.arange(int(np.prod(shape.batch_shape, dtype=np.int64)), dtype=np.int64).reshape(shape.batch_shape)
    return np.broadcast_to(own, lead).flatten()  # a copy, always: what is only spread cannot be written to


#: No further arrays, as loops take them.
NONE = table(()), (ctypes.c_int64 * 1)(0)
