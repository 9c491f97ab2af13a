"""A function that remembers its last answer: from picture to picture most of a session stays the same objects."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from operator import is_
from typing import Generic, ParamSpec, TypeVar

Given = ParamSpec("Given")
Answer = TypeVar("Answer")
Thing = TypeVar("Thing")


class Latest(Generic[Given, Answer]):
    """A function of objects that never change, asked again only for other objects.

    What is equal but another object counts as another: whether it is the same is free to ask. The objects are given
    by position, always as many.

    Examples
    --------
    >>> asked = Latest(lambda words: print("asked") or len(words))
    >>> words = ("a", "b")
    >>> asked(words), asked(words)
    asked
    (2, 2)
    """

    def __init__(self, function: Callable[Given, Answer]) -> None:
        update_wrapper(self, function)
        self._function = function
        self._last: tuple[tuple[object, ...], Answer] | None = None

    def __call__(self, *given: Given.args, **named: Given.kwargs) -> Answer:
        """Return the answer."""
        last = self._last  # read once: another thread may ask, too
        if last is None or not all(map(is_, last[0], given)):
            last = self._last = given, self._function(*given, **named)
        return last[1]

    def forget(self) -> None:
        """Forget the last answer."""
        self._last = None


class Same(Generic[Thing]):
    """Hands out the last of equal things, so that who gets it sees by ``is`` that nothing has changed.

    Examples
    --------
    >>> same = Same()
    >>> words = same(("a", "b"))
    >>> same(("a", "b")) is words, same(("a", "c")) is words
    (True, False)
    """

    def __init__(self) -> None:
        self._last: Thing | None = None

    def __call__(self, thing: Thing) -> Thing:
        """Return the thing, or the last one if it is equal."""
        last = self._last
        if last is None or last != thing:
            last = self._last = thing
        return last
