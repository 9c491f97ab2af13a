"""A function that remembers its last answer: from picture to picture most of a session stays the same objects."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Generic, TypeVar

Given = TypeVar("Given")
Answer = TypeVar("Answer")


class Latest(Generic[Given, Answer]):
    """A function of one object that never changes, asked again only for another object.

    What is equal but another object counts as another: whether it is the same is free to ask.

    Examples
    --------
    >>> asked = Latest(lambda words: print("asked") or len(words))
    >>> words = ("a", "b")
    >>> asked(words), asked(words)
    asked
    (2, 2)
    """

    def __init__(self, function: Callable[[Given], Answer]) -> None:
        update_wrapper(self, function)
        self._function = function
        self._last: tuple[Given, Answer] | None = None

    def __call__(self, given: Given) -> Answer:
        """Return the answer."""
        last = self._last  # read once: another thread may ask, too
        if last is None or last[0] is not given:
            last = self._last = given, self._function(given)
        return last[1]

    def forget(self) -> None:
        """Forget the last answer."""
        self._last = None
