"""Stages in several threads draw one after the other.

VTK's collector of garbage and its Python wrappers each have a lock. A thread that frees objects of VTK takes the one
while it holds the other; one that draws takes them in the opposite order: so two that do both at once may wait for each
other for ever.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from threading import RLock
from typing import ParamSpec, TypeVar

Given = ParamSpec("Given")
Result = TypeVar("Result")

_LOCK = RLock()


def locked(function: Callable[Given, Result]) -> Callable[Given, Result]:
    """Have a function wait until no other thread is in one that is wrapped like it."""

    @wraps(function)
    def alone(*args: Given.args, **kwargs: Given.kwargs) -> Result:
        with _LOCK:
            return function(*args, **kwargs)

    return alone
