"""Values that never change: compared, hashed and kept in pickles by what they are made of; and batches of such."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import prod
from typing import Any, ClassVar, Self

import numpy as np

from collision.base.cached import cached_property
from collision.base.fields import FloatArray, to_bytes


class FrozenValue:
    """What is the same for all frozen values."""

    def _parts(self) -> tuple[Any, ...]:
        """Return what the value is made of, in the order in which `_of` takes it."""
        raise NotImplementedError

    @classmethod
    def _of(cls, *parts: Any) -> Self:
        return cls(*parts)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        return all(map(np.array_equal, self._parts(), other._parts()))

    def __hash__(self) -> int:
        parts = (to_bytes(part) if isinstance(part, np.ndarray) else part for part in self._parts())
        return hash((type(self), *parts))

    def __reduce__(self) -> tuple[Any, ...]:
        return self._of, self._parts()  # plain pickling would forget that the arrays are read-only


class Batched(FrozenValue):
    """A value of arrays that share leading batch axes, along which it has elements."""

    #: The arrays by name, with the trailing axes that each element has.
    _cores: ClassVar[Mapping[str, tuple[int | None, ...]]] = {}

    @cached_property
    def batch_shape(self) -> tuple[int, ...]:
        """The batch axes; empty for a single value."""
        raise AttributeError("a value has its batch axes from when it is made")

    def _parts(self) -> tuple[Any, ...]:
        return tuple([self.__dict__[name] for name in self._cores])

    def __len__(self) -> int:
        if not self.batch_shape:
            raise TypeError(f"a single {type(self).__name__} has no length")
        return self.batch_shape[0]

    def __bool__(self) -> bool:
        return True  # also when a batch is empty: it is a value, not a container

    def __iter__(self) -> Iterator[Self]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, index: Any) -> Self:
        axes = self.batch_shape
        try:
            return self._of(*[_picked(self.__dict__[name], len(c), axes, index) for name, c in self._cores.items()])
        except IndexError:
            raise IndexError(f"{type(self).__name__} with batch axes {axes} has no element {index!r}") from None


def _picked(value: FloatArray, width: int, axes: tuple[int, ...], index: Any) -> FloatArray:
    """Return new elements of an array that broadcasts to batch axes; no index can reach into the axes of an element."""
    lead, core = value.shape[: value.ndim - width], value.shape[value.ndim - width :]
    size = prod(core)
    if type(index) is int and lead == axes and axes:  # as in a loop over the elements
        return value[index, ...].copy()
    opaque = value.reshape(*lead, size).view(f"V{8 * size}")[..., 0]
    picked = np.array((opaque if lead == axes else np.broadcast_to(opaque, axes))[index], order="C")
    return picked[..., None].view(np.float64).reshape(picked.shape + core)
