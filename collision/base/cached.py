"""Attributes that are computed when they are first asked for, and kept by the object that has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from functools import cached_property
else:

    class cached_property:  # noqa: N801
        """What `functools.cached_property` is, without its lock, which a process forked meanwhile would have for ever.

        The first value stays where two threads compute one: some hold addresses of what is in it.
        """

        def __init__(self, function: Any) -> None:
            self._function, self.__doc__ = function, function.__doc__

        def __set_name__(self, owner: type, name: str) -> None:
            self._name = name

        def __get__(self, instance: Any, owner: type) -> Any:
            if instance is None:
                return self
            return instance.__dict__.setdefault(self._name, self._function(instance))


__all__ = ["cached_property"]
