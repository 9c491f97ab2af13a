"""Memory as loops take it: what their arguments are called, what they may read and write, and where arrays lie."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, Protocol, SupportsIndex, TypeAlias, TypeVar

import numpy as np

from collision.base.fields import FloatArray

#: What a loop's arguments and its result can be. All but the first two are given as addresses.
INT, FLOAT, INTS, FLOATS, BYTES, TABLE = "int64", "float64", "int64*", "float64*", "uint8*", "float64**"
SINGLES, INT_TABLE, TABLES = "float32*", "int64**", "float64***"

_Item = TypeVar("_Item")


class Memory(Protocol[_Item]):
    """Memory as kernels see it: what is there from an address on, by number. Nothing knows where it ends."""

    def __getitem__(self, number: SupportsIndex, /) -> _Item:
        """Read what has a number."""

    def __setitem__(self, number: SupportsIndex, value: _Item, /) -> None:
        """Write what has a number."""


#: Memory by what is in it: numbers of a kind, a table of addresses of numbers, and a table of such tables.
Floats: TypeAlias = Memory[float]
Ints: TypeAlias = Memory[int]
Single: TypeAlias = float | np.float32
Singles: TypeAlias = Memory[Single]
Bytes: TypeAlias = Memory[int]
Table: TypeAlias = Memory[Floats]
IntTable: TypeAlias = Memory[Ints]
Tables: TypeAlias = Memory[Table]


def address(array: Any) -> int:
    """Return where a contiguous array keeps its numbers, as long as it lives."""
    try:
        return ctypes.addressof(_begin(array))  # many times as quick as what always works
    except TypeError:  # it is read-only
        return int(array.ctypes.data)


_begin: Any = (ctypes.c_char * 0).from_buffer

#: A few numbers, or addresses, in a row, as loops take them; by how many they are.
INTEGERS = tuple(ctypes.c_int64 * count for count in range(6))
ADDRESSES = tuple(ctypes.c_void_p * count for count in range(8))


def table(arrays: Sequence[FloatArray]) -> Any:
    """Return the addresses of arrays, which are as good as the arrays live."""
    return ADDRESSES[max(len(arrays), 1)](*map(address, arrays))


#: What loops over pairs are given where there are no vectors beside the shapes.
NONE: tuple[Any, Any] = ADDRESSES[1](), INTEGERS[1](0)
