"""Values with batch axes: their fields in one piece of memory, picked by index, compared, kept in pickles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from collision.cached import cached_property
from collision.checks import CHECK
from collision.fields import Field, FloatArray, check_broadcast, to_bytes
from collision.native import INTEGERS, Layout, Operands, address


def _lead(array: FloatArray, field: Field) -> tuple[int, ...]:
    return array.shape[: array.ndim - field.width]


@dataclass(frozen=True, eq=False, repr=False)
class Batch:
    """What `Shape` is as a value: fields, the batch axes that they share, and the elements along these."""

    #: The operands of the core: fields by name, and constants.
    _operands: ClassVar[tuple[str | FloatArray, ...]] = ()
    _fields: ClassVar[tuple[Field, ...]] = ()
    #: How the fields are handed to loops; not for users.
    layout: ClassVar[Layout]
    #: Of each field the number of the rule that its values follow.
    _rules: ClassVar[Any]

    def _keep(self, values: list[FloatArray], rules: Any = None) -> None:
        """Take the values of the fields, all copied into one piece of memory, which is looked over in one go.

        Without rules they are known to be right.
        """
        self._hold(np.concatenate(values, axis=None), values, rules)

    def _hold(self, memory: FloatArray, values: list[FloatArray], rules: Any) -> None:
        """Take a piece of memory in which the values of the fields are, in arrays of the forms of some others."""
        layout = self.layout
        place, single = address(memory), [value.ndim for value in values] == layout.widths
        if rules is not None:
            sizes = layout.sizes if single else INTEGERS[len(values)](*[value.size for value in values])
            wrong = CHECK.run(len(values), place, sizes, rules)
            if wrong:
                self._refuse(wrong - 1, memory, values)
        memory.setflags(write=False)  # and so are the parts of it that are taken from now on
        attributes = self.__dict__
        if single:
            for name, start, end, core in layout.parts:
                attributes[name] = memory[start:end].reshape(core)
            attributes["_batch_shape"], attributes["operands"] = (), layout.single(place)
            return
        start, places, leads = 0, [], []
        for field, value in zip(self._fields, values, strict=True):
            end, shape = start + value.size, value.shape
            attributes[field.name] = memory[start:end].reshape(shape)
            places.append(place + 8 * start)
            leads.append(shape[: len(shape) - field.width])
            start = end
        lead = leads[0]
        if leads.count(lead) < len(leads):
            lead = check_broadcast(type(self).__name__, **dict(zip(layout.names, leads, strict=True)))
        attributes["_batch_shape"] = lead
        if len(lead) < 2:
            attributes["operands"] = layout.operands(places, leads)

    def _refuse(self, wrong: int, memory: FloatArray, values: list[FloatArray]) -> None:
        """Refuse a value that is not finite or breaks its rule, among those that were copied to one piece of memory."""
        start = sum(value.size for value in values[:wrong])
        value = memory[start : start + values[wrong].size].reshape(values[wrong].shape)
        self._fields[wrong].check(type(self).__name__, value)

    @classmethod
    def _trusted(cls, **values: FloatArray) -> Self:
        """Make a shape from values known to be right: no second check, no second normalisation, not a bit changed."""
        shape = object.__new__(cls)
        shape._keep([values[field.name] for field in cls._fields])
        return shape

    @classmethod
    def _sharing(cls, values: dict[str, FloatArray], batch_shape: tuple[int, ...]) -> Self:
        """Make a shape of arrays that nobody else will write to, without copying them."""
        shape = object.__new__(cls)
        shape.__dict__.update(values)
        shape.__dict__["_batch_shape"] = batch_shape
        return shape

    @property
    def batch_shape(self) -> tuple[int, ...]:
        """The batch axes; empty for a single shape."""
        axes: tuple[int, ...] = self.__dict__["_batch_shape"]
        return axes

    @cached_property
    def operands(self) -> Operands:
        """The core as loops take it, addresses in memory, for shapes of one batch axis or none; not for users."""
        if "_picked" in self.__dict__:
            return self.layout.picked(*self.__dict__["_picked"])
        values = self.values().values()
        leads = [_lead(value, field) for value, field in zip(values, self._fields, strict=True)]
        return self.layout.operands([*map(address, values)], leads)

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
        attributes = self.__dict__
        if len(self.batch_shape) == 1:
            leads = [_lead(attributes[field.name], field) for field in self._fields]
            if leads.count(self.batch_shape) == len(leads):
                return self
        if not self.batch_shape:
            flat = type(self)._sharing({name: value[None] for name, value in self.values().items()}, (1,))
            flat.__dict__["operands"] = self.operands  # an axis of one element changes nothing in memory
            return flat
        size = int(np.prod(self.batch_shape, dtype=np.int64))
        full = self._broadcast()
        return type(self)._trusted(**{f.name: full[f.name].reshape(size, *f.core) for f in self._fields})

    def _broadcast(self) -> dict[str, FloatArray]:
        attributes = self.__dict__
        return {f.name: np.broadcast_to(attributes[f.name], self.batch_shape + f.core) for f in self._fields}

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
        return {f.name: self.__dict__[f.name] for f in self._fields}

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
            one = type(self)._sharing({f.name: self._pick(f, picks) for f in self._fields}, ())
            if len(axes) == 1:
                one.__dict__["_picked"] = self.operands, picks[0] % axes[0]
            return one
        attributes = self.__dict__
        some = type(index) is np.ndarray and index.ndim == 1 == len(axes) and index.dtype.kind == "i" and len(index) > 0
        if some and -axes[0] <= index.min() <= index.max() < axes[0]:  # the short way for some of many
            full = attributes if all(_lead(attributes[f.name], f) == axes for f in self._fields) else self._broadcast()
            picked = {f.name: np.take(full[f.name], index, axis=0) for f in self._fields}
            for values in picked.values():
                values.flags.writeable = False
            return type(self)._sharing(picked, index.shape)
        try:
            # The trailing axes are the fields' own; an index (an ellipsis, say) must not reach into them.
            rows = np.arange(int(np.prod(axes, dtype=np.int64))).reshape(axes)[picks]
        except IndexError:
            raise IndexError(f"{type(self).__name__} with batch axes {axes} has no element {index!r}") from None
        full = self._broadcast()
        return type(self)._trusted(**{f.name: full[f.name].reshape(-1, *f.core)[rows] for f in self._fields})

    def _pick(self, field: Field, picks: tuple[int, ...]) -> FloatArray:
        """Return one element of a field, as a view."""
        value: FloatArray = self.__dict__[field.name]
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
