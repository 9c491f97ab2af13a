"""Memory for large answers, used again once nobody has them.

Memory that is new to a process the system clears, page by page, when it is first written to. For the answers to a
million pairs that takes a third of the time, or as long as finding them. So where a large answer lay is kept for the
next one.
"""

from __future__ import annotations

import math
import mmap
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple, cast

import numpy as np

from collision.fields import FloatArray

#: How the system is told that it may take memory, with what is in it, once it is short of some: what is kept is at
#: nobody's expense. Where it cannot be told so (Windows), nothing is kept.
TAKE_IT: int | None = getattr(mmap, "MADV_FREE", None)

#: What memory is asked for in, and what is worth it: one of the larger pages that systems have.
PAGE = 1 << 21


class _Piece(NamedTuple):
    """Memory of the system's: what holds it, where it begins, and how many bytes it has."""

    holder: mmap.mmap
    place: int
    size: int


class _Lent:
    """What an array in a piece is made from: gives the piece back when the last that refers to it is gone.

    An array refers to what it is made from, and all that shows a part of an array refers to that array.
    """

    __slots__ = ("__array_interface__", "_back", "_piece")

    def __init__(self, piece: _Piece, shape: tuple[int, ...], back: Callable[[_Piece], None]) -> None:
        self._piece, self._back = piece, back
        kind = np.dtype(np.float64).str
        self.__array_interface__ = {"version": 3, "typestr": kind, "shape": shape, "data": (piece.place, False)}

    def __del__(self) -> None:
        self._back(self._piece)


class Reused:
    """Arrays in memory that is used again.

    Any thread may ask for one, and none waits: what is kept is a list, which each changes in one step. A process that
    is forked has its own copy of all.

    Parameters
    ----------
    most : int
        How many bytes are kept, at most, beside the arrays that somebody has.
    least : int
        From how many bytes on an array is in such memory; a smaller one is in NumPy's.

    Examples
    --------
    >>> reused = Reused()
    >>> answer = reused.floats(1_000_000)
    >>> del answer
    >>> reused.kept  # where the system has it back as soon as it wants it; else nothing
    8388608
    >>> reused.release()
    >>> reused.kept
    0
    """

    def __init__(self, most: int = 5 << 27, least: int = PAGE) -> None:
        self.most, self.least = most, least
        self._kept: list[_Piece] = []
        self._take_it: Any = TAKE_IT

    @property
    def kept(self) -> int:
        """How many bytes are kept that no array is in."""
        return sum([piece.size for piece in self._kept.copy()])

    def release(self) -> None:
        """Give what is kept back to the system."""
        self._kept.clear()

    def floats(self, *shape: int) -> FloatArray:
        """Return an array whose numbers are whatever was there: all of it is to be written."""
        size = 8 * math.prod(shape)
        piece = self._piece(size) if size >= max(self.least, 1) and self._take_it is not None else None
        if piece is None:
            return np.empty(shape)
        return np.asarray(cast(Any, _Lent(piece, shape, self._back)))

    def _piece(self, size: int) -> _Piece | None:
        """Return the smallest piece kept that fits, unless it is much too large, or a new one, if there is any."""
        fit = [piece for piece in self._kept.copy() if size <= piece.size < 2 * size + PAGE]
        for piece in sorted(fit, key=lambda piece: piece.size):
            with suppress(ValueError):  # another thread was quicker
                self._kept.remove(piece)
                return piece
        new = _new(size)
        if new is None and self._kept:  # all that the process may have, perhaps with what is kept
            self.release()
            new = _new(size)
        return new

    def _back(self, piece: _Piece) -> None:
        """Keep a piece, unless there is no more room than for it: then in place of the oldest."""
        if piece.size > self.most:
            return
        try:  # with nothing of the module's: the last arrays of a program die after that
            piece.holder.madvise(self._take_it)
        except OSError:  # an old system
            return
        self._kept.append(piece)
        while self.kept > self.most:
            try:
                self._kept.pop(0)
            except IndexError:  # another thread was quicker
                return


def _new(size: int) -> _Piece | None:
    """Return memory from the system, of this process alone; None if it has none."""
    size = -(-size // PAGE) * PAGE
    try:
        holder = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except (OSError, OverflowError):  # NumPy says what is wrong
        return None
    with suppress(AttributeError, OSError):  # only Linux can be asked, and not every one has them
        holder.madvise(mmap.MADV_HUGEPAGE)
    return _Piece(holder, np.frombuffer(holder, np.uint8).ctypes.data, size)


#: The memory of answers to pairs.
ANSWERS = Reused()
