"""What the machine code of a loop depends on, as a digest: object code in the cache is as old as what it was made of.

Numba compiles bytecode, and takes globals and closures as constants; these are looked at here, of the loop and of every
kernel that it reaches. A value of an unknown kind is refused. Docstrings, annotations and comments do not count.
"""

from __future__ import annotations

import dis
import hashlib
import opcode
from collections.abc import Callable, Sequence
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from collision.native.instructions import Instruction
from collision.native.kernels import Kernel

#: A value as plain ones, equal if and only if compiled code takes the values for the same.
_Token: TypeAlias = "tuple[object, ...]"

_PLAIN = (int, float, complex, bool, str, bytes, type(None))

#: What is of these modules is the same by the same name: `collision.native.compiler.toolchain` has their versions.
_KNOWN_MODULES = ("math", "numpy", "builtins")

#: Instructions that read the first constant, where a docstring is.
_READS_FIRST = [bytes((code, 0)) for code in opcode.hasconst]


class Dependencies(NamedTuple):
    """What a function depends on: a digest, equal for equal code and equal values, and all kernels that are reached."""

    digest: str
    kernels: tuple[Kernel, ...]


def dependencies(function: Callable[..., Any], *more: object) -> Dependencies:
    """Return what compiled code of a function depends on; a TypeError is raised where changes would not be noticed."""
    walk = _Walk()
    walk.number(function)
    parts = [walk.described(reached) for reached in walk.functions]  # they become more on the way
    digest = hashlib.sha256(repr((parts, more)).encode()).hexdigest()
    return Dependencies(digest, tuple(walk.kernels.values()))


class _UnknownError(Exception):
    """A value of a kind that is not known."""


class _Walk:
    """The functions that are reached, in the order in which they are: tokens have their numbers in it."""

    def __init__(self) -> None:
        self.functions: list[Any] = []
        self.kernels: dict[int, Kernel] = {}
        self._numbers: dict[int, int] = {}

    def number(self, function: Callable[..., Any]) -> int:
        """Return the number of a function, which is looked at later if it is a new one."""
        known = self._numbers.setdefault(id(function), len(self.functions))
        if known == len(self.functions):
            self.functions.append(function)
        return known

    def described(self, function: FunctionType) -> _Token:
        """Return all of a function that compiled code depends on."""
        code, outside = function.__code__, function.__globals__
        # What is not among the globals is a built-in, or the attribute of something.
        read = [(name, outside[name]) for name in _names(code) if name in outside]
        cells = [cell.cell_contents for cell in function.__closure__ or ()]
        defaults = [("defaults", function.__defaults__), *sorted((function.__kwdefaults__ or {}).items())]
        values: list[object] = []
        for k, (name, value) in enumerate([*read, *zip(code.co_freevars, cells, strict=True), *defaults]):
            try:
                values.append((name, self.token(value)))
            except _UnknownError:
                if k >= len(read) or _loads_global(code, name):  # maybe only an attribute has the name
                    raise _refusal(function, name, value) from None
        return _code(code, function.__doc__), values

    def token(self, value: Any) -> _Token:
        """Return a token that differs between values."""
        kind = type(value)
        if kind in _PLAIN:
            return kind.__name__, repr(value)
        if kind is Kernel:
            self.kernels[id(value)] = value
            return "kernel", self.number(value.function)
        if kind is Instruction:
            return "instruction", *value.token
        if isinstance(value, tuple) and (kind is tuple or hasattr(kind, "_fields")):
            return "tuple", *(() if kind is tuple else self._record(kind)), *map(self.token, value)
        if isinstance(value, np.generic):
            return "number", value.dtype.str, value.tobytes()
        if isinstance(value, type) and issubclass(value, tuple) and hasattr(value, "_fields"):
            return self._record(value)
        if isinstance(value, ModuleType) and value.__name__ in _KNOWN_MODULES:
            return "module", value.__name__
        if isinstance(value, BuiltinFunctionType | np.ufunc | type):
            module = "numpy" if isinstance(value, np.ufunc) else str(value.__module__)
            if module in _KNOWN_MODULES:
                return "known", module, value.__name__
        raise _UnknownError

    def _record(self, kind: Any) -> _Token:
        """Return what Numba sees of a class of named tuples."""
        defaults = [(name, self.token(value)) for name, value in kind._field_defaults.items()]
        return "record", kind.__module__, kind.__qualname__, kind._fields, defaults


def _refusal(function: FunctionType, name: str, value: object) -> TypeError:
    known = "numbers, texts, tuples and named tuples of them, kernels, instructions, and the modules math and numpy"
    where = f"{function.__module__}.{function.__qualname__}"
    return TypeError(f"{where} uses {name}, a {type(value).__name__}: compiled code can use {known}")


def _names(code: CodeType) -> Sequence[str]:
    """Return the names of globals and of attributes in code, also in that of functions within."""
    inner = [name for part in code.co_consts if isinstance(part, CodeType) for name in _names(part)]
    return (*code.co_names, *inner)


def _loads_global(code: CodeType, name: str) -> bool:
    """Tell whether a name is that of a global. To ask Python takes long."""
    inner = any(_loads_global(part, name) for part in code.co_consts if isinstance(part, CodeType))
    return inner or any(step.opname == "LOAD_GLOBAL" and step.argval == name for step in dis.Bytecode(code))


def _code(code: CodeType, text: str | None) -> _Token:
    """Return what of bytecode counts, all but where it stands and its docstring."""
    raw, constants = code.co_code, code.co_consts
    if text is not None and constants and constants[0] == text and not _reads_first(raw):
        constants = constants[1:]
    names = code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars
    counts = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags
    return raw, code.co_exceptiontable, names, counts, [*map(_constant, constants)]


def _reads_first(raw: bytes) -> bool:
    """Tell whether bytecode, two bytes an instruction, reads the first constant."""
    maybe = [pair for pair in _READS_FIRST if pair in raw]
    return bool(maybe) and any(raw[k : k + 2] in maybe for k in range(0, len(raw), 2))


def _constant(value: object) -> object:
    """Return a constant of bytecode so that its text is the same in all processes."""
    if isinstance(value, CodeType):
        return _code(value, None)
    if isinstance(value, frozenset):
        return "set", sorted(map(repr, value))
    if isinstance(value, tuple):
        return "tuple", [*map(_constant, value)]
    return repr(value)
