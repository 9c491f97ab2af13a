"""Values with batch axes: their fields, picked by index, compared, kept in pickles."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from collision.base.cached import cached_property
from collision.base.fields import LARGEST, SMALLEST, Field, FloatArray, to_bytes
from collision.shapes.checks import BROKEN, LOOK_OVER, is_length
from collision.shapes.operands import Layout, packed


def _lead(array: FloatArray, field: Field) -> tuple[int, ...]:
    return array.shape[: array.ndim - field.width]


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Batch:
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
        self._finish()

    def _finish(self) -> None:
        """Check across fields."""

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
            values[k].setflags(write=False)
            attributes[field.name] = values[k].view()  # which nobody can make writable
        if found:
            self._look_at_range()

    def _sizes(self) -> FloatArray:
        """Return the largest coordinate or size of each element, (...)."""
        found = np.zeros(self.batch_shape)
        for field, value in self._each():
            if is_length(field):
                np.maximum(found, np.abs(value).max(axis=tuple(range(-field.width, 0))), out=found)
        return found

    def _look_at_range(self) -> None:
        """Find out whether any element is out of range."""
        sizes = self._sizes()
        if np.any((sizes != 0.0) & ~((sizes >= SMALLEST) & (sizes <= LARGEST))):
            self.__dict__["out_of_range"] = True

    @classmethod
    def _trusted(cls, **values: FloatArray) -> Self:
        """Make a shape of copies of values known to be right: no second check, no second normalisation."""
        shape = object.__new__(cls)
        shape._hold([np.array(values[field.name], order="C") for field in cls._fields])
        return shape

    @classmethod
    def _sharing(cls, values: dict[str, FloatArray], batch_shape: tuple[int, ...]) -> Self:
        """Make a shape of arrays that nobody else will write to, without copying them."""
        shape = object.__new__(cls)
        shape.__dict__.update(values)
        shape.__dict__["batch_shape"] = batch_shape
        return shape

    @cached_property
    def batch_shape(self) -> tuple[int, ...]:
        """The batch axes; empty for a single shape."""
        raise AttributeError("a shape has its batch axes from when it is made")

    @cached_property
    def operands(self) -> tuple[Any, Any]:
        """The core as loops take it: where the operands are, and their strides from element to element; not for users.

        For shapes of one batch axis or none. Both are arrays of ctypes.
        """
        values = self.values().values()
        return self.layout.table(values), self.layout.form(tuple([v.shape for v in values])).strides

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
        if len(self.batch_shape) == 1 and self._is_full():
            return self
        if not self.batch_shape:
            flat = type(self)._sharing({name: value[None] for name, value in self.values().items()}, (1,))
            flat.__dict__["out_of_range"] = self.out_of_range
            return flat
        size = int(np.prod(self.batch_shape, dtype=np.int64))
        full = self._broadcast()
        return type(self)._trusted(**{f.name: full[f.name].reshape(size, *f.core) for f in self._fields})

    def _broadcast(self) -> dict[str, FloatArray]:
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

    def _is_full(self) -> bool:
        """Tell whether each field has all batch axes."""
        return all(_lead(value, field) == self.batch_shape for field, value in self._each())

    def __len__(self) -> int:
        if not self.batch_shape:
            raise TypeError(f"a single {type(self).__name__} has no length")
        return self.batch_shape[0]

    def __bool__(self) -> bool:
        return True  # also when a batch is empty: a shape is a value, not a container

    def __iter__(self) -> Iterator[Self]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, index: Any) -> Self:
        """Pick elements by their batch axes, as NumPy does."""
        picks = index if isinstance(index, tuple) else (index,)
        axes = self.batch_shape
        if len(picks) == len(axes) and all(type(i) is int and -n <= i < n for i, n in zip(picks, axes, strict=True)):
            one = type(self)._sharing({f.name: self._pick(f, v, picks) for f, v in self._each()}, ())
            if self.out_of_range:
                one._look_at_range()
            return one
        some = type(index) is np.ndarray and index.ndim == 1 == len(axes) and index.dtype.kind == "i" and len(index) > 0
        if some and -axes[0] <= index.min() <= index.max() < axes[0]:  # the short way for some of many
            full = self.values() if self._is_full() else self._broadcast()
            picked = {f.name: np.take(full[f.name], index, axis=0) for f in self._fields}
            for values in picked.values():
                values.flags.writeable = False
            few = type(self)._sharing(picked, index.shape)
            if self.out_of_range:
                few._look_at_range()
            return few
        try:
            # The trailing axes are the fields' own; an index (an ellipsis, say) must not reach into them.
            rows = np.arange(int(np.prod(axes, dtype=np.int64))).reshape(axes)[picks]
        except IndexError:
            raise IndexError(f"{type(self).__name__} with batch axes {axes} has no element {index!r}") from None
        full = self._broadcast()
        return type(self)._trusted(**{f.name: full[f.name].reshape(-1, *f.core)[rows] for f in self._fields})

    def _pick(self, field: Field, value: FloatArray, picks: tuple[int, ...]) -> FloatArray:
        """Return one element of a field, as a view."""
        if _lead(value, field) != self.batch_shape:
            value = np.broadcast_to(value, self.batch_shape + field.core)
        return np.asarray(value[picks + (...,)])  # noqa: RUF005 (as a display, type checkers take it for indices)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Batch) or type(other) is not type(self):
            return NotImplemented
        theirs = other.values()
        return all(np.array_equal(value, theirs[name]) for name, value in self.values().items())

    def __hash__(self) -> int:
        return hash((type(self), *(to_bytes(value) for value in self.values().values())))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self.values())  # plain pickling would forget that the arrays are read-only

    def __repr__(self) -> str:
        def text(value: FloatArray) -> str:
            return str(value.tolist()) if value.size <= 9 else f"<{' × '.join(map(str, value.shape))} array>"

        return f"{type(self).__name__}({', '.join(f'{name}={text(v)}' for name, v in self.values().items())})"


def _restored(kind: type[Batch], values: dict[str, FloatArray]) -> Batch:
    """Make a value from its pickle."""
    return kind._trusted(**values)
