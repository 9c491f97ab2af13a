"""Loops that Python calls as it calls its own functions: without ctypes, which takes several times as long a call.

CPython hands the objects that it calls a function with to machine code as they are. What that reads of them here is the
same in all of its versions: of which type an object is, the bytes of `bytes`, where an array of NumPy's has its
numbers. For all else it asks Python's own functions, whose addresses it is given. So there is nothing to compile or to
link for one version of Python or another. Where objects look different (other Pythons, free-threaded ones), ctypes
makes the call.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from collision.native.instructions import call_for_int, place_of
from collision.native.kernels import kernel
from collision.native.loop import Loop
from collision.native.memory import FLOAT, INT, INT_TABLE, Ints, IntTable, address

#: Where things are in an object, in words of eight bytes: its type, where an array's numbers are, the bytes of `bytes`.
TYPE, NUMBERS, CONTENT = 1, 2, 4

#: Whether it is so in this Python.
IS_SO: bool = (
    sys.implementation.name == "cpython"
    and sys.byteorder == "little"
    and (object.__basicsize__, bytes.__basicsize__, ctypes.sizeof(ctypes.c_void_p)) == (16, 33, 8)
)

#: What there is in the words that a function has of its own: the types, functions of Python's, and then what it calls.
BYTES_TYPE, ARRAY_TYPE, AS_INT, NEW_INT, NEW_FLOAT, OCCURRED, BAD_ARGUMENT, CODE = range(8)

#: Behind the address of a brief loop: how many arguments it takes. With fewer it would read what is at address zero.
_COUNT = CODE + 1

_FUNCTIONS = (
    "PyLong_AsLongLong", "PyLong_FromLongLong", "PyFloat_FromDouble", "PyErr_Occurred", "PyErr_BadArgument",
)  # fmt: skip

#: So many arguments a brief loop can have.
_MOST = 12

#: In the definition of a function: it takes its objects as an array.
_FASTCALL = 0x80

#: What the loops take that functions are made of: the array of the function's own words, the objects that it is called
#: with, and how many these are. They return an object, or zero where they had Python note an error.
ARGUMENTS = (INT_TABLE, INT_TABLE, INT)


def builtin(loop: Loop, codes: Sequence[int], called: Any = None) -> Callable[..., Any]:
    """Return a function that Python has in place of a loop's.

    Parameters
    ----------
    loop : Loop
        What it does, with `ARGUMENTS` and an integer as result.
    codes : sequence of int
        Its own words from `CODE` on: addresses, as a rule. They are in the array ``__self__`` of the function, and may
        be changed.
    called : object, optional
        What keeps the code at these addresses in memory. The function keeps it, and that of the loop.
    """
    api = ctypes.pythonapi
    functions = [ctypes.cast(getattr(api, name), ctypes.c_void_p).value or 0 for name in _FUNCTIONS]
    own = [id(bytes), id(np.ndarray), *functions, *codes]
    name = loop.name.encode() + b"\0"
    memory: Any = (ctypes.c_int64 * (len(own) + 4 + len(name) // 8 + 1))()
    memory.keeps = loop.run, called
    words = np.frombuffer(memory, dtype=np.int64)
    # Behind its words is the definition, as C has it: the name, the function, the flags, and no text; and the name.
    definition, letters = address(words) + 8 * len(own), address(words) + 8 * (len(own) + 4)
    words[: len(own) + 3] = [*own, letters, loop.address, _FASTCALL]
    ctypes.memmove(letters, name, len(name))
    made: Any = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)
    function: Callable[..., Any] = made(("PyCFunction_NewEx", api))(definition, words, None)
    return function


@kernel
def _given(words: Ints, objects: IntTable, count: int, number: int) -> int:
    """Return what a loop is to have for an object: an integer, or where the numbers of it are; zero for none."""
    if number >= count:
        return 0
    one = objects[number]
    if one[TYPE] == words[BYTES_TYPE]:
        return place_of(one) + 8 * CONTENT
    if one[TYPE] == words[ARRAY_TYPE]:
        return one[NUMBERS]
    return call_for_int(words, AS_INT, (place_of(one),))


def _brief(own: IntTable, objects: IntTable, count: int) -> int:
    words = own[NUMBERS]
    if count != words[_COUNT]:
        return call_for_int(words, BAD_ARGUMENT, ())
    given = (
        _given(words, objects, count, 0), _given(words, objects, count, 1), _given(words, objects, count, 2),
        _given(words, objects, count, 3), _given(words, objects, count, 4), _given(words, objects, count, 5),
        _given(words, objects, count, 6), _given(words, objects, count, 7), _given(words, objects, count, 8),
        _given(words, objects, count, 9), _given(words, objects, count, 10), _given(words, objects, count, 11),
    )  # fmt: skip
    if call_for_int(words, OCCURRED, ()) != 0:
        return 0
    # What a function does not take does no harm: it is the caller's, by the conventions of all systems.
    return call_for_int(words, NEW_INT, (call_for_int(words, CODE, given),))


_BRIEF = Loop("brief", _brief, ARGUMENTS, INT)


def brief(loop: Loop) -> Callable[..., Any]:
    """Return what calls a loop that is done in less time than letting other threads run would take.

    Parameters
    ----------
    loop : Loop
        Of up to twelve arguments, none of which is a float, and with an integer or nothing as result.

    Returns
    -------
    callable
        It takes integers, addresses among them, or what has the numbers: `bytes`, or contiguous arrays. What it returns
        for a loop without result means nothing.

    Raises
    ------
    TypeError
        If the loop is of another form.
    """
    if len(loop.arguments) > _MOST or FLOAT in (*loop.arguments, loop.result):
        raise TypeError(f"the loop {loop.name} takes or returns floats, or takes over {_MOST} arguments: call its run")
    if IS_SO:
        return builtin(_BRIEF, [loop.address, len(loop.arguments)], loop.run)
    run = loop.run

    def call(*given: Any) -> Any:
        return run(*[address(value) if isinstance(value, np.ndarray) else value for value in given])

    return call
