"""The shortest way to the distance of two single shapes: a function that Python calls as it calls its own.

It finds the kernel by the ranks of both shapes among its words, as which loops are put when two shapes of their kinds
are asked for first.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from collision.base.cached import cached_property
from collision.kernels.cores import TOUCH
from collision.kernels.loops import LOOPS
from collision.kernels.table import CoreType
from collision.native import INT, IntTable, Loop, call_for_float, call_for_int, table_from
from collision.native.builtin import (
    ARGUMENTS,
    BAD_ARGUMENT,
    BYTES_TYPE,
    CODE,
    CONTENT,
    IS_SO,
    NEW_FLOAT,
    NUMBERS,
    TYPE,
    builtin,
)
from collision.shapes.operands import SHAPE_MARK

_RANKS = len(CoreType)

_MARK = SHAPE_MARK >> 8  # a plain global: loops take it as a constant
_MARK_BYTES = _MARK.to_bytes(7, "little")


def _of_two(room: float) -> Callable[[IntTable, IntTable, int], int]:
    """Return the loop that such a function is, for distances less some room."""

    def loop(own: IntTable, objects: IntTable, count: int) -> int:
        words = own[NUMBERS]
        if count != 2 or objects[0][TYPE] != words[BYTES_TYPE] or objects[1][TYPE] != words[BYTES_TYPE]:
            return call_for_int(words, BAD_ARGUMENT, ())
        a, b = objects[0], objects[1]
        if a[CONTENT] >> 8 != _MARK or b[CONTENT] >> 8 != _MARK:
            return call_for_int(words, BAD_ARGUMENT, ())
        if a[CONTENT] > b[CONTENT]:
            a, b = b, a
        code = CODE + _RANKS * (a[CONTENT] & 0xFF) + (b[CONTENT] & 0xFF)
        if words[code] == 0:
            return call_for_int(words, BAD_ARGUMENT, ())
        distance = call_for_float(words, code, (table_from(a, CONTENT + 1), table_from(b, CONTENT + 1), room))
        return call_for_int(words, NEW_FLOAT, (distance,))

    return loop


class Between:
    """How far two single shapes are apart, less some room.

    Parameters
    ----------
    room : float
        Times the largest number that they are given by.
    loop : Loop
        What does it, where Python can call it.

    Attributes
    ----------
    call : callable
        Takes what two shapes have as ``single``, in any order, and returns a float.

        Raises TypeError for None, which batches have, and for two of kinds that nobody has asked for: then `first` is
        to be asked.
    """

    call: Callable[[Any, Any], float]

    def __init__(self, room: float, loop: Loop) -> None:
        self._room, self._loop = room, loop
        self.call = self._not_yet

    def _not_yet(self, a: bytes | None, b: bytes | None) -> float:
        raise TypeError("nobody has asked for any two shapes")

    def first(self, a: bytes, b: bytes) -> float:
        """Return what `call` does, and make ready for more of the same kinds."""
        if not IS_SO:
            self.call = self._by_ctypes
        else:
            i, j = sorted((a[0], b[0]))
            self._made.__self__[CODE + _RANKS * i + j] = LOOPS[i, j].one.address
            self.call = self._made
        return self.call(a, b)

    @cached_property
    def _made(self) -> Any:
        """The function, the same one for all threads that ask first."""
        return builtin(self._loop, [0] * _RANKS**2)

    def _by_ctypes(self, a: Any, b: Any) -> float:
        if not a[1:8] == b[1:8] == _MARK_BYTES:
            raise TypeError("these are not two shapes")
        if a[0] > b[0]:
            a, b = b, a
        places = [8 + (ctypes.cast(one, ctypes.c_void_p).value or 0) for one in (a, b)]
        return float(LOOPS[a[0], b[0]].one.run(*places, self._room))


_LOOPS = [Loop(f"between_{name}", _of_two(room), ARGUMENTS, INT) for name, room in (("any", 0.0), ("near", TOUCH))]

#: Less nothing; and less what touching allows.
BETWEEN, BETWEEN_TOUCHING = Between(0.0, _LOOPS[0]), Between(TOUCH, _LOOPS[1])
