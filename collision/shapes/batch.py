"""What every shape holds: its fields, the batch axes that they share, and where loops find them."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Self

import numpy as np

from collision.base.cached import cached_property
from collision.base.fields import LARGEST, SMALLEST, Field, FloatArray
from collision.shapes.checks import BROKEN, LOOK_OVER, is_length
from collision.shapes.operands import Layout, packed
from collision.shapes.values import Batched


class Batch(Batched):
    """What `Shape` is as a value: fields, the batch axes that they share, and the elements along these."""

    #: The type of the core, a `collision.kernels.table.CoreType`.
    core_type: ClassVar[int]
    #: The operands of the core: fields by name, and constants.
    _operands: ClassVar[tuple[str | FloatArray, ...]] = ()
    _fields: ClassVar[tuple[Field, ...]] = ()
    #: How the fields are handed to loops; not for users.
    layout: ClassVar[Layout]
    #: Whether the largest coordinate or size of any element is too large or too small for answers to be right.
    out_of_range: ClassVar[bool] = False

    def _read(self, *given: Any) -> None:
        """Take what a constructor was given for the fields, and check all of it."""
        kind = type(self).__name__
        self._hold([field.converted(kind, given[k]).copy() for k, field in enumerate(self._fields)], self.layout.rules)

    @classmethod
    def _of(cls, *values: FloatArray) -> Self:
        """Make a shape of contiguous arrays that are known to be right and that nobody else will write to."""
        shape = object.__new__(cls)
        shape._hold(values)
        return shape

    def _hold(self, values: Sequence[FloatArray], rules: Any = None) -> None:
        """Keep contiguous arrays that nobody else will write to; refuse what breaks rules of the layout, if any."""
        attributes, layout = self.__dict__, self.layout
        form = layout.form(tuple([value.shape for value in values]))
        table = layout.table(values)
        attributes["batch_shape"], attributes["operands"] = form.lead, (table, form.strides)
        found = LOOK_OVER.run(layout.count, table, form.sizes, layout.only_finite if rules is None else rules)
        if found == BROKEN and rules is not None:
            for field, value in zip(self._fields, values, strict=True):
                field.check(type(self).__name__, value)
        for k, field in enumerate(self._fields):  # which takes half of what a strict zip does
            value = values[k]
            if isinstance(value.base, np.ndarray):
                value.base.setflags(write=False)
            value.setflags(write=False)
            attributes[field.name] = value.view()  # which nobody can make writable
        if found:
            sizes = self._sizes()
            attributes["out_of_range"] = bool(np.any((sizes != 0.0) & ~((sizes >= SMALLEST) & (sizes <= LARGEST))))

    def _sizes(self) -> FloatArray:
        """Return the largest coordinate or size of each element, (...)."""
        found = np.zeros(self.batch_shape)
        for field, value in self._each():
            if is_length(field):
                np.maximum(found, np.abs(value).max(axis=tuple(range(-field.width, 0))), out=found)
        return found

    @classmethod
    def _trusted(cls, **values: FloatArray) -> Self:
        """Make a shape of copies of values known to be right: no second check, no second normalisation."""
        return cls._of(*[np.array(values[name], order="C") for name in cls._cores])

    @cached_property
    def operands(self) -> tuple[Any, Any]:
        """The core as loops take it: where the operands are, and their strides from element to element; not for users.

        For shapes of one batch axis or none. Both are arrays of ctypes.
        """
        raise AttributeError("a shape has its operands from when it is made")

    @cached_property
    def packed(self) -> bytes | None:
        """What the fast call takes of a single shape; None for a batch; not for users."""
        return None if self.batch_shape else packed(self.core_type, ctypes.addressof(self.operands[0]))

    @property
    def row(self) -> bytes:
        """The numbers of a single shape, one after the other; not for users."""
        return b"".join([value.tobytes() for value in self.values().values()])

    def flattened(self) -> Self:
        """Return the same elements along a single batch axis, with every field broadcast to it.

        Returns
        -------
        Shape
            Of one batch axis, in C order, to the last bit; also of a single shape, which has one element then.

        Examples
        --------
        >>> from collision import Sphere
        >>> Sphere([[[0, 0, 0], [1, 0, 0]]], 2).flattened().radius
        array([2., 2.])
        """
        axes = self.batch_shape
        if len(axes) == 1 and all(value.shape == axes + field.core for field, value in self._each()):
            return self
        flat = (
            v.reshape(math.prod(axes), *f.core) for f, v in zip(self._fields, self._broadcast().values(), strict=True)
        )
        return self._of(*map(np.ascontiguousarray, flat))

    def _broadcast(self) -> dict[str, FloatArray]:
        """Return the fields by name, each with all batch axes."""
        return {f.name: np.broadcast_to(v, self.batch_shape + f.core) for f, v in self._each()}

    def _each(self) -> Iterator[tuple[Field, FloatArray]]:
        """Return the fields with their values."""
        return zip(self._fields, self.values().values(), strict=True)

    def values(self) -> dict[str, FloatArray]:
        """Return the fields by name, as they were given (not broadcast).

        Returns
        -------
        dict of str to ndarray
            Read-only arrays, exact.

        Examples
        --------
        >>> from collision import Sphere
        >>> Sphere([[0, 0, 0], [1, 0, 0]], 2).values()["radius"]
        array(2.)
        """
        attributes = self.__dict__
        return {field.name: attributes[field.name] for field in self._fields}

    def __repr__(self) -> str:
        def text(value: FloatArray) -> str:
            return str(value.tolist()) if value.size <= 9 else f"<{' × '.join(map(str, value.shape))} array>"

        return f"{type(self).__name__}({', '.join(f'{name}={text(v)}' for name, v in self.values().items())})"
