"""A function that remembers its last answer: from picture to picture most of a session stays the same objects."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from operator import is_
from typing import Generic, ParamSpec, TypeVar

Given = ParamSpec("Given")
Answer = TypeVar("Answer")
Thing = TypeVar("Thing")
Key = TypeVar("Key")


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


class Recent(Generic[Key, Thing]):
    """Keeps things by their keys; when there are too many, those are forgotten that nobody has asked for in a while.

    Parameters
    ----------
    most : int
        So many are kept at least, and never more than twice as many.

    Examples
    --------
    >>> words = Recent(2)
    >>> words.keep("a", "apple"), words.keep("b", "bee"), words.keep("c", "cat"), words.get("a"), words.keep("d", "dog")
    ('apple', 'bee', 'cat', 'apple', 'dog')
    >>> [word for key in "abcd" if (word := words.get(key))]
    ['apple', 'cat', 'dog']
    """

    def __init__(self, most: int) -> None:
        self._most = most
        #: What was asked for last, and what before that.
        self._new: dict[Key, Thing] = {}
        self._old: dict[Key, Thing] = {}

    def get(self, key: Key) -> Thing | None:
        """Return a thing, or None if it is not kept."""
        found = self._new.get(key)
        if found is None and (found := self._old.get(key)) is not None:
            self.keep(key, found)
        return found

    def keep(self, key: Key, thing: Thing) -> Thing:
        """Keep a thing, and return it."""
        if len(self._new) >= self._most:
            self._old, self._new = self._new, {}
        self._new[key] = thing
        return thing
