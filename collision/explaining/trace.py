"""What kernels compute on their way: their calls, and all values that they gave names to, as debuggers read them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import Any

import numpy as np

from collision.kernels import vec3
from collision.native import instructions, kernels

#: What the modules of kernels are called, all of them; by name, as paths look different on other systems.
_PACKAGE = __name__.partition(".")[0] + "."
#: Those of vectors are too many, and too plain, to be worth a record each.
_PLAIN = frozenset({vec3.__name__, kernels.__name__, instructions.__name__})


@dataclass(eq=False)
class Call:
    """A call of a kernel, run as Python."""

    name: str  # of the kernel
    code: CodeType  # where it is written
    arguments: dict[str, Any]  # by name
    values: dict[str, Any] = field(default_factory=dict)  # what its names stood for when it returned
    assigned: list[tuple[str, Any]] = field(default_factory=list)  # all that names were given, in order
    result: Any = None  # what it returned
    calls: list[Call] = field(default_factory=list)  # in order, without those of `collision.kernels.vec3`

    def __getitem__(self, name: str) -> Any:
        """Return what a name stood for when the kernel returned."""
        return self.values[self._own(name)]

    def has(self, name: str) -> bool:
        """Return whether a name was given a value on the way that the kernel took."""
        return self._own(name) in self.values

    def values_of(self, name: str) -> list[Any]:
        """Return all values that a name had, in order; that of an argument comes first."""
        given = [self.arguments[name]] if self._own(name) in self.arguments else []
        return given + [value for assigned, value in self.assigned if assigned == name]

    def first(self, name: str) -> Any:
        """Return the first value that a name had."""
        return self.values_of(name)[0]

    def _own(self, name: str) -> str:
        """Return a name, if the kernel has it: an explainer that asks for another one does not fit it any more."""
        if name not in (*self.code.co_varnames, *self.code.co_cellvars):
            raise RuntimeError(f"{self.name}: expected a local variable {name}, it has none of that name")
        return name

    def each(self, name: str) -> Iterator[Call]:
        """Yield the calls of a kernel from here, at any depth, in order."""
        for call in self.calls:
            if call.name == name:
                yield call
            yield from call.each(name)

    def ran(self, name: str) -> bool:
        """Return whether a kernel was called from here, at any depth."""
        return next(self.each(name), None) is not None

    def calls_of(self, name: str) -> list[Call]:
        """Return the calls of a kernel from here itself, in order."""
        return [call for call in self.calls if call.name == name]

    def find(self, name: str) -> Call:
        """Return the first call of a kernel from here, at any depth; a RuntimeError is raised if there is none."""
        for call in self.each(name):
            return call
        called = ", ".join(dict.fromkeys(call.name for call in self.calls)) or "none"
        raise RuntimeError(f"{self.name}: expected a call of {name}, it called {called}")


def trace(function: Callable[..., Any], *given: Any, only: frozenset[str] | None = None) -> Call:
    """Run a kernel as Python and return the record of its call, with the kernels of some names recorded, or all."""
    root = Call("", trace.__code__, {})
    tracer, before = Tracer(root, only), sys.gettrace()
    sys.settrace(tracer.enter)
    try:
        function(*given)
    finally:
        sys.settrace(before)
    return root.calls[0]


def trace_dividing(function: Callable[..., Any], *given: Any, only: frozenset[str] | None = None) -> Call:
    """Return the record of a kernel's call in the numbers of NumPy, which divide by zero as machine code does."""
    try:
        return trace(function, *given, only=only)
    except ArithmeticError:
        with np.errstate(all="ignore"):
            return trace(function, *map(_as_numpy, given), only=only)


def _as_numpy(value: Any) -> Any:
    """Return numbers, and what is made of numbers, as NumPy's."""
    if isinstance(value, float):
        return np.float64(value)
    if isinstance(value, list):
        return [_as_numpy(part) for part in value]
    if isinstance(value, tuple):
        return getattr(value, "_make", tuple)(map(_as_numpy, value))
    return value


class Tracer:
    """Follows the frames of kernels."""

    def __init__(self, root: Call, only: frozenset[str] | None = None) -> None:
        self._open = [root]
        self._only = only

    def enter(self, frame: FrameType, event: str, _: Any) -> Callable[..., Any] | None:
        """Begin the record of a call, if it is one of a kernel."""
        code = frame.f_code
        if self._only is not None and code.co_name not in self._only:  # first, as most calls end here
            return None
        module = frame.f_globals.get("__name__", "")
        if not module.startswith(_PACKAGE) or module in _PLAIN:
            return None
        call = Call(code.co_name, code, dict(frame.f_locals))
        self._open[-1].calls.append(call)
        self._open.append(call)
        known = call.arguments.copy()

        def follow(frame: FrameType, event: str, value: Any) -> Any:
            for name, now in frame.f_locals.items():
                if name not in known or known[name] is not now:
                    known[name] = now
                    call.assigned.append((name, now))
            if event == "return":
                call.result, call.values = value, known
                self._open.pop()
            return follow

        return follow
