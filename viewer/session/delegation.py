"""A class that hands on what it is asked for to its parts: a line for each name, with the types and texts of the part.

Examples
--------
>>> class Engine:
...     @property
...     def speed(self) -> int:
...         "How fast it turns."
...         return 3
...     def start(self, gear: int) -> str:
...         "Start it."
...         return f"started in gear {gear}"
>>> class Car:
...     speed = value("_engine", Engine.speed)
...     start = method("_engine", Engine.start)
...     def __init__(self) -> None:
...         self._engine = Engine()
>>> Car().speed, Car().start(2), Car.speed.__doc__, Car.start.__doc__
(3, 'started in gear 2', 'How fast it turns.', 'Start it.')
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from operator import attrgetter
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, cast

Part = TypeVar("Part")
Given = ParamSpec("Given")
Result = TypeVar("Result")


class Value(Generic[Result]):
    """What a type checker takes a property for that `value` has made."""

    def __get__(self, whole: object, owner: type) -> Result:
        """Return what the part says."""
        raise NotImplementedError  # a property does this


def value(part: str, read: Callable[[Part], Result]) -> Value[Result]:
    """Return a property that is that of a part.

    Parameters
    ----------
    part : str
        The attribute that the part is kept in.
    read : property
        That of the part's class, which a type checker takes for its getter.
    """
    assert isinstance(read, property)
    assert read.fget is not None
    get, of = read.fget, attrgetter(part)
    return cast("Value[Result]", property(lambda whole: get(of(whole)), doc=read.__doc__))


def method(
    part: str, function: Callable[Concatenate[Part, Given], Result]
) -> Callable[Concatenate[Any, Given], Result]:
    """Return a method that is that of a part.

    Parameters
    ----------
    part : str
        The attribute that the part is kept in.
    function : callable
        The method of the part's class.
    """
    of = attrgetter(part)

    @wraps(function)
    def handed_on(whole: object, /, *args: Given.args, **named: Given.kwargs) -> Result:
        return function(of(whole), *args, **named)

    return handed_on
