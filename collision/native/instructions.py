"""Instructions: what kernels can ask of LLVM beside arithmetic, each with a function that does the same in Python."""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Callable, Sequence
from functools import cache, update_wrapper
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np

from collision.native.memory import Floats, Ints, Memory, Single, Singles, Table

_Function = TypeVar("_Function", bound=Callable[..., Any])

#: Boxes to a block: as many are compared at once.
LANES = 8


class Instruction:
    """A function for kernels to call that is compiled to LLVM's instructions as they are written here.

    `function` is what it is in Python; `typed` takes Numba's types module and the arguments' types, and returns the
    signature; `emit` takes LLVM's builder, the signature and the values, and returns the result.
    """

    def __init__(self, function: Callable[..., Any], typed: Callable[..., Any], emit: Callable[..., Any]) -> None:
        update_wrapper(self, function)
        self.function, self._typed, self._emit = function, typed, emit
        self._intrinsic: Any = None

    def __call__(self, *values: Any) -> Any:
        """Do it in Python."""
        return self.function(*values)

    @property
    def token(self) -> tuple[str, str]:
        """What code that uses it depends on: its name, and the file that it is written in."""
        return self.name, _digest(self._emit.__code__.co_filename)

    @property
    def name(self) -> str:
        """What it is called."""
        return self.function.__name__

    @property
    def _numba_type_(self) -> Any:
        """What Numba asks of an object that it finds in compiled code."""
        if self._intrinsic is None:
            self._intrinsic = self._made()
        return self._intrinsic

    def _made(self) -> Any:
        from numba import types
        from numba.core.typing.templates import make_intrinsic_template

        typed, emit, count = self._typed, self._emit, self.function.__code__.co_argcount

        def emitted(context: Any, builder: Any, signature: Any, values: Sequence[Any]) -> Any:
            return emit(context, builder, signature, values)

        def definition(given: Sequence[Any]) -> Any:
            return typed(types, *given), emitted

        # Numba counts the parameters.
        by_count: dict[int, Callable[..., Any]] = {
            0: lambda context: definition(()),
            1: lambda context, a: definition((a,)),
            2: lambda context, a, b: definition((a, b)),
            3: lambda context, a, b, c: definition((a, b, c)),
            4: lambda context, a, b, c, d: definition((a, b, c, d)),
            8: lambda context, a, b, c, d, e, f, g, h: definition((a, b, c, d, e, f, g, h)),
        }
        return types.Function(make_intrinsic_template(self, by_count[count], self.name))


@cache
def _digest(file: str) -> str:
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()


def _instruction(typed: Callable[..., Any], emit: Callable[..., Any]) -> Callable[[_Function], _Function]:
    def made(function: _Function) -> _Function:
        return cast(_Function, Instruction(function, typed, emit))

    return made


# -- calls by address ----------------------------------------------------------------------------------------------


def _typed_call(result: str) -> Callable[..., Any]:
    def typed(types: Any, addresses: Any, number: Any, given: Any) -> Any:
        plain = types.BaseTuple.from_types(tuple(map(types.unliteral, given)))
        return getattr(types, result)(addresses, types.int64, plain)

    return typed


def _emit_call(context: Any, builder: Any, signature: Any, values: Sequence[Any]) -> Any:
    from llvmlite import ir
    from numba.core import cgutils

    addresses, number, given = values
    parts = cgutils.unpack_tuple(builder, given)
    kinds = [context.get_value_type(kind) for kind in signature.args[2]]
    result = context.get_value_type(signature.return_type)  # Numba has a type for nothing, too, and that is checked
    found = builder.load(builder.gep(addresses, [number]))
    function = builder.inttoptr(found, ir.FunctionType(result, kinds).as_pointer())
    return builder.call(function, parts)


@_instruction(_typed_call("void"), _emit_call)
def call(addresses: Ints, number: int, given: tuple[Any, ...]) -> None:
    """Call the loop whose address has a number in memory, in Python one of a list; floats must be given as floats."""
    cast(Any, addresses)[number](*given)


@_instruction(_typed_call("int64"), _emit_call)
def call_for_int(addresses: Ints, number: int, given: tuple[Any, ...]) -> int:
    """Call the loop whose address has a number in memory, and return the integer that it returns."""
    return int(cast(Any, addresses)[number](*given))


@_instruction(_typed_call("float64"), _emit_call)
def call_for_float(addresses: Ints, number: int, given: tuple[Any, ...]) -> float:
    """Call the loop whose address has a number in memory, and return the float that it returns."""
    return float(cast(Any, addresses)[number](*given))


# -- parts of memory -----------------------------------------------------------------------------------------------


def _typed_part(kind: str) -> Callable[..., Any]:
    def typed(types: Any, memory: Any, start: Any) -> Any:
        return types.CPointer(getattr(types, kind))(memory, types.int64)

    return typed


def _emit_part(context: Any, builder: Any, signature: Any, values: Sequence[Any]) -> Any:
    memory, start = values
    return builder.bitcast(builder.gep(memory, [start]), context.get_value_type(signature.return_type))


@_instruction(_typed_part("float64"), _emit_part)
def floats_from(memory: Floats, start: int) -> Floats:
    """Return the memory from a number on."""
    part: Floats = cast(Any, memory)[start:]
    return part


@_instruction(_typed_part("int64"), _emit_part)
def ints_from(memory: Memory[Any], start: int) -> Ints:
    """Return the memory from a number on, as memory for integers."""
    part: Ints = cast(Any, memory)[start:].view("int64")
    return part


@_instruction(_typed_part("float32"), _emit_part)
def singles_from(memory: Floats, start: int) -> Singles:
    """Return the memory from a number on, as memory for twice as many numbers of single precision."""
    part: Singles = cast(Any, memory)[start:].view("float32")
    return part


def _typed_table(types: Any, memory: Any, start: Any) -> Any:
    return types.CPointer(types.CPointer(types.float64))(memory, types.int64)


@_instruction(_typed_table, _emit_part)
def table_from(memory: Memory[Any], start: int) -> Table:
    """Return the memory from a number on, as a table: what is there are addresses."""
    part: Table = cast(Any, memory)[start:]
    return part


def _typed_at(types: Any, address: Any) -> Any:
    return types.CPointer(types.float64)(types.int64)


def _emit_at(context: Any, builder: Any, signature: Any, values: Sequence[Any]) -> Any:
    return builder.inttoptr(values[0], context.get_value_type(signature.return_type))


@_instruction(_typed_at, _emit_at)
def memory_at(address: int) -> Floats:
    """Return the memory at an address; in Python as an array that is longer than what is there."""
    whole: Any = (ctypes.c_double * (1 << 40)).from_address(address)
    return np.frombuffer(whole)


def _typed_fetch(types: Any, memory: Any, number: Any) -> Any:
    return types.void(memory, types.int64)


def _emit_fetch(context: Any, builder: Any, signature: Any, values: Sequence[Any]) -> Any:
    from llvmlite import ir
    from numba.core import cgutils

    byte, word = ir.IntType(8).as_pointer(), ir.IntType(32)
    kind = ir.FunctionType(ir.VoidType(), [byte, word, word, word])
    fetch_it = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
    found = builder.bitcast(builder.gep(values[0], [values[1]]), byte)
    builder.call(fetch_it, [found, word(0), word(3), word(1)])  # to read it, to keep it near, and it is no code
    return context.get_dummy_value()


@_instruction(_typed_fetch, _emit_fetch)
def fetch(memory: Floats | Ints, number: int) -> None:
    """Let the processor fetch what has a number in memory, which is read soon; for random addresses in much memory."""


# -- eight at once -------------------------------------------------------------------------------------------------


def _typed_overlap(types: Any, boxes: Any, start: Any, *corners: Any) -> Any:
    return types.int64(boxes, types.int64, *[types.float32] * len(corners))


def _emit_overlap(context: Any, builder: Any, signature: Any, values: Sequence[Any]) -> Any:
    from llvmlite import ir

    boxes, start, *corners = values
    eight, lane = ir.VectorType(ir.FloatType(), LANES), ir.IntType(32)
    meet = None
    for k, corner in enumerate(corners):
        one = builder.insert_element(ir.Constant(eight, ir.Undefined), corner, lane(0))
        every = builder.shuffle_vector(
            one, ir.Constant(eight, ir.Undefined), ir.Constant(ir.VectorType(lane, LANES), [0] * LANES)
        )
        # The lower corner of the one against the upper ones of the others, and the other way round.
        other = builder.gep(boxes, [builder.add(start, ir.Constant(start.type, LANES * ((k + 3) % 6)))])
        others = builder.load(builder.bitcast(other, eight.as_pointer()), align=4)
        apart = builder.fcmp_ordered("<=" if k < 3 else ">=", every, others)
        meet = apart if meet is None else builder.and_(meet, apart)
    return builder.zext(builder.bitcast(meet, ir.IntType(LANES)), ir.IntType(64))


@_instruction(_typed_overlap, _emit_overlap)
def overlapping(
    boxes: Singles, start: int, ax: Single, ay: Single, az: Single, bx: Single, by: Single, bz: Single
) -> int:
    """Return which of the eight boxes of a block overlap one, given by its corners: a bit each; touching counts.

    The block has eight numbers each of the lower corners' x, y and z and then of the upper ones', in single precision,
    as the corners must be.
    """
    mask = 0
    for k in range(start, start + LANES):
        x = ax <= boxes[k + 3 * LANES] and bx >= boxes[k]
        y = ay <= boxes[k + 4 * LANES] and by >= boxes[k + LANES]
        z = az <= boxes[k + 5 * LANES] and bz >= boxes[k + 2 * LANES]
        mask |= int(x and y and z) << (k - start)
    return mask


def _typed_bit(types: Any, mask: Any) -> Any:
    return types.int64(types.int64)


def _emit_bit(context: Any, builder: Any, signature: Any, values: Sequence[Any]) -> Any:
    from llvmlite import ir

    return builder.cttz(values[0], ir.Constant(ir.IntType(1), 1))


@_instruction(_typed_bit, _emit_bit)
def lowest_bit(mask: int) -> int:
    """Return the number of the lowest bit that is set; one must be."""
    return int(mask & -mask).bit_length() - 1


# -- memory of a kernel's own --------------------------------------------------------------------------------------


def _typed_scratch(types: Any, count: Any) -> Any:
    return types.CPointer(types.float64)(types.int64)


def _emit_scratch(context: Any, builder: Any, signature: Any, values: Sequence[Any]) -> Any:
    from llvmlite import ir
    from numba.core import cgutils

    return cgutils.alloca_once(builder, ir.DoubleType(), size=values[0])


@_instruction(_typed_scratch, _emit_scratch)
def scratch(count: int) -> Floats:
    """Return memory for a constant count of numbers, such as a stack, until the kernel that asks for it returns."""
    return np.empty(count)
