"""Attributes that are computed when they are first asked for, and kept by the object that has them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or sys.version_info >= (3, 12):
    from functools import cached_property
else:

    class cached_property:  # noqa: N801
        """`functools.cached_property` as it is from Python 3.12 on, without a lock.

        The lock of older versions is one for all objects of a class. A process that is forked while another thread
        computes such an attribute, maybe for seconds, because it compiles for it, has that lock for ever.
        """

        def __init__(self, function: Any) -> None:
            self._function, self.__doc__ = function, function.__doc__

        def __set_name__(self, owner: type, name: str) -> None:
            self._name = name

        def __get__(self, instance: Any, owner: type) -> Any:
            if instance is None:
                return self
            value = instance.__dict__[self._name] = self._function(instance)
            return value


__all__ = ["cached_property"]
