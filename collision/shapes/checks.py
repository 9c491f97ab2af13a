"""The values of a shape taken in one pass, by machine code: whether all are finite and follow the rules, and where.

What is wrong, and where, is for `collision.base.fields` to find out at leisure. Directions become unit vectors here,
and what is all but a rotation becomes one.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from collision.base.fields import FLOAT64, LARGEST, SMALLEST
from collision.kernels.frames import ALLOWED
from collision.kernels.vec3 import EPS, Vec3, dot, largest, load, store
from collision.native import (
    FLOATS,
    INT,
    INTS,
    Floats,
    Ints,
    IntTable,
    Loop,
    call,
    call_for_int,
    floats_from,
    ints_from,
    kernel,
    memory_at,
    place_of,
    table_from,
)
from collision.native.builtin import (
    ARGUMENTS,
    ARRAY_TYPE,
    BAD_ARGUMENT,
    BYTES_TYPE,
    CODE,
    CONTENT,
    IS_SO,
    NEW_INT,
    NUMBERS,
    TYPE,
    builtin,
)
from collision.shapes.rotations import settle

_ALLOWED, _SMALLEST, _LARGEST = ALLOWED, SMALLEST, LARGEST  # plain globals: loops take them as constants

#: Lengths that differ from 1 by no more are 1 to rounding.
_UNIT = 3.0 * EPS


@kernel
def set_unit(vectors: Floats, i: int) -> bool:
    """Tell whether the vector from number i on is zero; if it is not, make it a unit vector.

    What is of unit length to rounding is left as it is, so that reading back what was written changes no bit. Others
    are divided by the largest component first, so that neither 1e-300 nor 1e300 is lost.
    """
    v = load(vectors, i)
    most = largest(v)
    if most > 0.0 and abs(math.sqrt(dot(v, v)) - 1.0) > _UNIT:
        v = Vec3(v.x / most, v.y / most, v.z / most)
        length = math.sqrt(dot(v, v))
        store(vectors, i, Vec3(v.x / length, v.y / length, v.z / length))
    return most == 0.0


@kernel
def _breaks(memory: Floats, start: int, end: int, rule: int) -> bool:
    """Tell whether the numbers of a field are not all finite, or break a rule; directions and rotations are put right.

    The rules are: 1, none is below zero; 2, directions; 3, rotations; 4, none is below the one as many places before it
    as there are; 5, numbers that are no lengths. Of what is less than zero nothing is asked.
    """
    if rule < 0:
        return False
    bad = False
    for i in range(start, end):
        bad |= (not abs(memory[i]) < math.inf) | ((rule == 1) & (memory[i] < 0.0))
    if bad:
        return True
    if rule == 2:
        for i in range(start, end, 3):
            bad |= set_unit(memory, i)
    elif rule == 3:
        for i in range(start, end, 9):
            bad |= settle(memory, i, _ALLOWED)
    elif rule == 4:
        for i in range(start, end):
            bad |= memory[i] < memory[i - (end - start)]
    return bad


@kernel
def _is_length(rule: int) -> bool:
    """Tell whether the numbers that follow a rule are coordinates or sizes, which directions and rotations are not."""
    return (rule == -1) | (rule == 0) | (rule == 1) | (rule == 4)


@kernel
def _out_of_range(memory: Floats, plan: Ints) -> bool:
    """Tell whether the largest coordinate or size of any element is out of range, or cannot be told here."""
    ints, fields, counts, many = ints_from(memory, 0), plan[0], 2 * plan[1], 1
    for field in range(fields):
        many = max(many, ints[counts + field])
    for field in range(fields):
        if ints[counts + field] == 0:
            return False
        if ints[counts + field] != 1 and ints[counts + field] != many:
            return True
    for k in range(many):
        most, start = 0.0, counts + fields
        for field in range(fields):
            count, size = ints[counts + field], plan[2 + 2 * field]
            if _is_length(plan[3 + 2 * field]):
                first = start + size * k if count > 1 else start
                for i in range(first, first + size):
                    most = max(most, abs(memory[i]))
            start += count * size
        if most != 0.0 and not _SMALLEST <= most <= _LARGEST:
            return True
    return False


@kernel
def _looked_over(memory: Floats, plan: Ints) -> int:
    """Look over the values of a shape, and store where its operands are before them; see `Layout` for the plan.

    Returns
    -------
    int
        Where the table of the operands is, plus one where an element may be out of range; or, less than zero, the first
        field, counted from -1 downwards, that has a number that is not finite or breaks its rule.
    """
    memory = floats_from(memory, 1)  # the first is the mark
    ints, fields, operands = ints_from(memory, 0), plan[0], plan[1]
    counts, place = 2 * operands, place_of(memory)
    start = counts + fields
    for field in range(fields):
        end, rule = start + ints[counts + field] * plan[2 + 2 * field], plan[3 + 2 * field]
        if rule == 4 and ints[counts + field] != ints[counts + field - 1]:
            rule = 0  # which is for `Batch` to look at
        if _breaks(memory, start, end, rule):
            return -1 - field
        start = end
    for operand in range(operands):
        own, given = plan[2 + 2 * fields + 2 * operand], plan[3 + 2 * fields + 2 * operand]
        stride = 0
        if own >= 0:
            start = counts + fields
            for field in range(own):
                start += ints[counts + field] * plan[2 + 2 * field]
            given = place + 8 * start
            # An axis of one element is repeated, as an axis that is missing is.
            stride = plan[2 + 2 * own] if ints[counts + own] > 1 else 0
        ints[operand], ints[operands + operand] = given, stride
    return place + int(_out_of_range(memory, plan))


def _take(memory: Floats, plan: Ints) -> int:
    return _looked_over(memory, plan)


#: For the memory of a shape, and what its kind says of it.
TAKE = Loop("checks", _take, (FLOATS, INTS), INT)

# -- arrays ------------------------------------------------------------------------------------------------------------

#: Where things are in an array of NumPy's, in words of eight bytes, of which axes and flags take half of one.
_AXES, _SIZES, _DTYPE, _FLAGS = 3, 4, 7, 8

#: The flags of an array whose numbers lie one after the other, each where a number may be.
_CONTIGUOUS = 0x101

#: What the function has of its own: the type of numbers, functions of Python's, and the names that a shape keeps its
#: memory, its batch axes and its place by.
_FLOAT64, _NEW_BYTES, _NEW_TUPLE, _PUT, _KEEP, _RELEASE, _MEMORY, _BATCH, _PLACE = range(CODE, CODE + 9)

#: The first array among what the function is called with: behind a plan and a shape.
_FIRST = 2

#: Batch axes that are neither one nor none; and none.
_UNFIT, _NO_AXIS = -2, -1

#: Up to so many elements are taken in so little time that other threads may wait for it.
FEW = 1 << 12

_MOST = FEW  # a plain global: loops take it as a constant


@kernel
def _batch_size(words: Ints, array: Ints, size: int) -> int:
    """Return how many elements there are in what may be an array, each of so many numbers."""
    if array[TYPE] != words[ARRAY_TYPE] or array[_DTYPE] != words[_FLOAT64]:
        return _UNFIT
    axes, own = array[_AXES] & 0xFFFFFFFF, 2 if size == 9 else int(size == 3)
    if array[_FLAGS] & _CONTIGUOUS != _CONTIGUOUS or axes < own or axes > own + 1:
        return _UNFIT
    sizes = ints_from(table_from(array, _SIZES)[0], 0)
    for axis in range(axes - own, axes):
        if sizes[axis] != 3:
            return _UNFIT
    return sizes[0] if axes > own else _NO_AXIS


@kernel
def _common_size(words: Ints, arrays: IntTable, plan: Ints) -> int:
    """Return how many elements there are in all arrays, of which the first is behind the plan and the shape."""
    common = _batch_size(words, arrays[_FIRST], plan[2])
    for field in range(1, plan[0]):
        if _batch_size(words, arrays[_FIRST + field], plan[2 + 2 * field]) != common:
            return _UNFIT
    return common if common * plan[0] <= _MOST else _UNFIT


@kernel
def _store_arrays(memory: Floats, arrays: IntTable, plan: Ints, count: int) -> None:
    """Store so many elements behind the mark, room for the operands, and their number, as `Layout` says."""
    ints, fields, operands = ints_from(memory, 0), plan[0], plan[1]
    ints[0] = plan[2 + 2 * fields + 2 * operands]
    start = 1 + 2 * operands + fields
    for field in range(fields):
        ints[1 + 2 * operands + field] = count
        numbers = table_from(arrays[_FIRST + field], NUMBERS)[0]
        for k in range(count * plan[2 + 2 * field]):
            memory[start + k] = numbers[k]
        start += count * plan[2 + 2 * field]


@kernel
def _memory_size(plan: Ints, count: int) -> int:
    """Return how many bytes a shape of so many elements takes."""
    size = 1 + 2 * plan[1]
    for field in range(plan[0]):
        size += 1 + count * plan[2 + 2 * field]
    return 8 * size


@kernel
def _new_batch_shape(words: Ints, size: int) -> int:
    """Return a new tuple of the batch axes, or zero."""
    axes = call_for_int(words, _NEW_TUPLE, (int(size != _NO_AXIS),))
    if axes != 0 and size != _NO_AXIS:
        number = call_for_int(words, NEW_INT, (size,))
        if number == 0:
            call(words, _RELEASE, (axes,))
            return 0
        call(words, _PUT, (axes, 0, number))  # which the tuple has from then on
    return axes


@kernel
def _keep(words: Ints, shape: Ints, name: int, value: int) -> bool:
    """Have a shape keep a new object, or zero where there is none, by a name; tell whether it does."""
    if value == 0:
        return False
    failed = call_for_int(words, _KEEP, (place_of(shape), words[name], value)) & 0xFFFFFFFF
    call(words, _RELEASE, (value,))
    return failed == 0


@kernel
def _refused(words: Ints, made: int) -> int:
    """Let go of new memory, and return what says that all is to be looked at in Python."""
    call(words, _RELEASE, (made,))
    return call_for_int(words, NEW_INT, (0,))


def _take_arrays(own: IntTable, objects: IntTable, count: int) -> int:
    words = own[NUMBERS]
    if count < 3 or objects[0][TYPE] != words[BYTES_TYPE]:
        return call_for_int(words, BAD_ARGUMENT, ())
    plan, shape = ints_from(objects[0], CONTENT), objects[1]
    if count != 2 + plan[0]:
        return call_for_int(words, BAD_ARGUMENT, ())
    axis = _common_size(words, objects, plan)
    if axis == _UNFIT:
        return call_for_int(words, NEW_INT, (0,))
    size = 1 if axis == _NO_AXIS else axis
    made = call_for_int(words, _NEW_BYTES, (0, _memory_size(plan, size)))
    if made == 0:
        return 0
    memory = memory_at(made + 8 * CONTENT)
    _store_arrays(memory, objects, plan, size)
    place = _looked_over(memory, plan)
    if place < 0 or place & 1 != 0:
        return _refused(words, made)
    if not _keep(words, shape, _MEMORY, made) or not _keep(words, shape, _BATCH, _new_batch_shape(words, axis)):
        return 0
    if not _keep(words, shape, _PLACE, call_for_int(words, NEW_INT, (place,))):
        return 0
    return call_for_int(words, NEW_INT, (1,))


_TAKE_ARRAYS = Loop("checks_of_arrays", _take_arrays, ARGUMENTS, INT)


def _arrays_are_so() -> bool:
    """Tell whether this NumPy has in its arrays what is read of them where it is read."""
    array, strided = np.zeros((2, 3)), np.zeros((2, 6))[:, ::2]
    words, others = ((ctypes.c_int64 * (_FLAGS + 1)).from_address(id(one)) for one in (array, strided))
    known = words[TYPE], words[NUMBERS], words[_AXES] & 0xFFFFFFFF, words[_DTYPE]
    if known != (id(np.ndarray), array.ctypes.data, 2, id(FLOAT64)):
        return False
    flags = words[_FLAGS] & _CONTIGUOUS == _CONTIGUOUS != others[_FLAGS] & _CONTIGUOUS
    return flags and (ctypes.c_int64 * 2).from_address(words[_SIZES])[:] == [2, 3]


class ArrayReader:
    """Fills shapes from arrays, where these are as they mostly are, without a step in Python.

    Attributes
    ----------
    fill : callable
        Takes a plan of the layout, a new shape, and an array for each field. Has the shape keep its memory, batch axes
        and place, and returns 1. Or returns 0, with nothing kept: where something else than arrays of numbers with at
        most one axis is given, where there are many elements, or a value is wrong. Then all is to be looked at in
        Python.
    """

    fill: Callable[..., int]

    #: By which a shape keeps what it is made of; the function has their addresses.
    _names = ("_memory", "batch_shape", "place")

    def __init__(self) -> None:
        self.fill = self._first

    def _first(self, *given: Any) -> int:
        self.fill = builtin(_TAKE_ARRAYS, self._codes(), self._names) if IS_SO and _arrays_are_so() else self._none
        return self.fill(*given)

    def _codes(self) -> list[int]:
        # A shape's own way to keep things is to refuse them, as it never changes.
        names = ("PyBytes_FromStringAndSize", "PyTuple_New", "PyTuple_SetItem", "PyObject_GenericSetAttr", "Py_DecRef")
        functions = [ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value or 0 for name in names]
        return [id(FLOAT64), *functions, *map(id, self._names)]

    def _none(self, *given: Any) -> int:
        return 0


#: Asked by all constructors.
ARRAYS = ArrayReader()
