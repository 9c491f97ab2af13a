"""The distance of two single shapes by a function that Python calls as it calls those written in C: the fast call.

A call through ctypes takes several times as long as the distance itself. CPython hands the objects that it calls a
function with to machine code as they are, which reads their type, and the size and the content of `bytes`; for all else
it asks Python's own functions. It is done on the versions that the tests ran on; elsewhere ctypes makes the call.
"""

from __future__ import annotations

import ctypes
import platform
import sys
from collections.abc import Callable, Mapping
from typing import Any

from collision.base.cached import cached_property
from collision.kernels.cores import TOUCH
from collision.kernels.loops import LOOPS
from collision.kernels.table import CoreType
from collision.native import (
    INT,
    INT_TABLE,
    INTS,
    Ints,
    IntTable,
    Loop,
    call,
    call_for_float,
    call_for_int,
    ints_from,
    memory_at,
    table_from,
)
from collision.shapes.operands import PACKED, SHAPE_MARK

#: The versions of CPython that the tests ran on.
TESTED_PYTHONS = frozenset({(3, 11), (3, 12), (3, 13)})

#: Whether the fast call is active: also builds of other versions are told, by the sizes of their objects.
IS_ACTIVE: bool = (
    sys.implementation.name == "cpython"
    and sys.version_info[:2] in TESTED_PYTHONS
    and sys.byteorder == "little"
    and (object.__basicsize__, bytes.__basicsize__, ctypes.sizeof(ctypes.c_void_p)) == (16, 33, 8)
)


def pair_call() -> str:
    """Say in a few words how the distance of one pair is called."""
    version = f"{platform.python_implementation()} {sys.version_info[0]}.{sys.version_info[1]}"
    return f"a fast call, known for {version}" if IS_ACTIVE else f"ctypes, as {version} is not known for the fast call"


# Where things are in an object of Python's, in words of eight bytes: its type, and the size and the content of `bytes`.
_TYPE, _SIZE, _CONTENT = 1, 2, 4

# The words that are the content of `__self__`: the type `bytes`, the addresses of two functions of Python's,
# and those of the kernels by core types. A kernel that is not there yet is zero.
_BYTES_TYPE, _BAD_ARGUMENT, _NEW_FLOAT, _KERNELS = range(4)

_CORE_TYPES = len(CoreType)
_MARK, _PACKED_SIZE = SHAPE_MARK, PACKED.size  # plain globals: loops take them as constants

#: The function takes its arguments as an array of objects.
_METH_FASTCALL = 0x80


class _Definition(ctypes.Structure):
    """Python's `PyMethodDef`."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("code", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("text", ctypes.c_char_p),
    )


def _function_for(tolerance: float) -> Callable[[Ints, IntTable, int], int]:
    """Return what machine code does when it is called; it returns a new object, or zero where it noted an error."""

    def distance(own: Ints, given: IntTable, count: int) -> int:
        words = ints_from(own, _CONTENT)
        if count != 2:
            call(words, _BAD_ARGUMENT, ())
            return 0
        one, other = given[0], given[1]
        bytes_type = words[_BYTES_TYPE]
        is_packed = (one[_TYPE] == bytes_type) & (other[_TYPE] == bytes_type)
        if not is_packed or one[_SIZE] != _PACKED_SIZE or other[_SIZE] != _PACKED_SIZE:
            call(words, _BAD_ARGUMENT, ())
            return 0
        a, b = ints_from(one, _CONTENT), ints_from(other, _CONTENT)
        if a[0] >> 8 != _MARK or b[0] >> 8 != _MARK:
            call(words, _BAD_ARGUMENT, ())
            return 0
        if a[0] > b[0]:
            a, b = b, a
        kernel = _KERNELS + _CORE_TYPES * (a[0] & 0xFF) + (b[0] & 0xFF)
        if words[kernel] == 0:
            call(words, _BAD_ARGUMENT, ())
            return 0
        tables = table_from(memory_at(a[1]), 0), table_from(memory_at(b[1]), 0)
        gap = call_for_float(words, kernel, (tables[0], tables[1], tolerance))
        return call_for_int(words, _NEW_FLOAT, (gap,))

    return distance


class PairDistance:
    """The signed distance of two single shapes, less a tolerance times the largest number that they are given by."""

    #: Takes `Shape.packed` of two shapes, in any order, and returns a float. Raises TypeError for all else, and for two
    #: core types that nobody has asked for yet: then `first` is to be asked.
    call: Callable[[Any, Any], float]

    def __init__(self, tolerance: float, loop: Loop, *, fast: bool = IS_ACTIVE) -> None:
        self._tolerance, self._loop, self._fast = tolerance, loop, fast
        self._known: dict[tuple[int, int], int] = {}
        self.call = self._refuse

    def _refuse(self, a: object, b: object) -> float:
        raise TypeError("nobody has asked for two such shapes")

    def first(self, a: bytes, b: bytes) -> float:
        """Return what `call` does, and make ready for more of the same core types."""
        if not self._fast:
            made: Callable[[Any, Any], float] = self._by_ctypes
        else:
            lower, higher = sorted((a[0], b[0]))
            self._known[lower, higher] = LOOPS[lower, higher].one.address
            made = self._function(self._known.copy())
        self.call = made
        return made(a, b)

    def _function(self, kernels: Mapping[tuple[int, int], int]) -> Callable[[Any, Any], float]:
        """Return the function for some kernels: another one for each set, as it never changes."""
        api = ctypes.pythonapi
        words = [0] * (_KERNELS + _CORE_TYPES**2)
        words[_BYTES_TYPE] = id(bytes)
        for word, name in ((_BAD_ARGUMENT, "PyErr_BadArgument"), (_NEW_FLOAT, "PyFloat_FromDouble")):
            words[word] = ctypes.cast(getattr(api, name), ctypes.c_void_p).value or 0
        for (lower, higher), kernel in kernels.items():
            words[_KERNELS + _CORE_TYPES * lower + higher] = kernel
        make: Any = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)
        own = bytes((ctypes.c_int64 * len(words))(*words))
        function: Callable[[Any, Any], float] = make(("PyCFunction_NewEx", api))(
            ctypes.addressof(self._definition), own, None
        )
        return function

    @cached_property
    def _definition(self) -> _Definition:
        """What Python looks up at every call: there as long as this is."""
        return _Definition(self._loop.name.encode(), self._loop.address, _METH_FASTCALL, None)

    def _by_ctypes(self, a: bytes, b: bytes) -> float:
        if not len(a) == len(b) == _PACKED_SIZE:
            raise TypeError("these are not two single shapes")
        (one, first), (other, second) = PACKED.unpack(a), PACKED.unpack(b)
        if not one >> 8 == other >> 8 == SHAPE_MARK:
            raise TypeError("these are not two single shapes")
        if one > other:
            one, first, other, second = other, second, one, first
        return float(LOOPS[one & 0xFF, other & 0xFF].one.run(first, second, self._tolerance))


_ARGUMENTS = (INTS, INT_TABLE, INT)
_LOOPS = [
    Loop(f"fast_{name}", _function_for(tolerance), _ARGUMENTS, INT)
    for name, tolerance in (("distance", 0.0), ("touch", TOUCH))
]

#: Less nothing; and less what touching allows.
DISTANCE, DISTANCE_TOUCHING = PairDistance(0.0, _LOOPS[0]), PairDistance(TOUCH, _LOOPS[1])
