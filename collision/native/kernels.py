"""Kernels: small functions over values, of which loops are made."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Any, TypeVar, cast

_Function = TypeVar("_Function", bound=Callable[..., Any])


class Kernel:
    """A small function for other kernels and for loops to call; from Python it runs as Python, with the same result."""

    def __init__(self, function: Callable[..., Any]) -> None:
        update_wrapper(self, function)
        self.function = function
        self._dispatcher: Any = None
        self._digest = ""

    def __call__(self, *values: Any) -> Any:
        """Run it as Python."""
        return self.function(*values)

    def renew(self, digest: str) -> None:
        """Forget what Numba made of it when it, or anything that it reaches, was not what it is now."""
        if digest != self._digest:
            self._dispatcher, self._digest = None, digest

    @property
    def _numba_type_(self) -> Any:
        """What Numba asks of an object that it finds in compiled code."""
        if self._dispatcher is None:
            from collision.native.compiler import dispatcher

            self._dispatcher = dispatcher(self.function)
        return self._dispatcher._numba_type_


def kernel(function: _Function) -> _Function:
    """Make a function one for kernels and loops to call; to type checkers it stays what it was."""
    return cast(_Function, Kernel(function))
