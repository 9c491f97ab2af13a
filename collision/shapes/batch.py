"""Values with batch axes: their fields in one piece of memory, picked by index, compared, kept in pickles."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from collision.base.cached import cached_property
from collision.base.fields import FLOAT64, LARGEST, SMALLEST, Field, FloatArray, check_broadcast, to_bytes
from collision.native import address
from collision.shapes.checks import FEW, TAKE
from collision.shapes.operands import Layout, Operands


def _lead(array: FloatArray, field: Field) -> tuple[int, ...]:
    return array.shape[: array.ndim - field.width]


class _Arranged(NamedTuple):
    """How values of some forms lie in memory.

    Attributes
    ----------
    leads, lead : tuple
        The batch axes of each field, and of all.
    header : bytes
        What is before the values.
    few : bool
        Whether it is so few elements that other threads may wait.
    alike : bool
        Whether all fields have the same axes.
    fits : bool
        Whether the forms are those of the fields; if not, nothing else is known.
    """

    leads: tuple[tuple[int, ...], ...]
    lead: tuple[int, ...]
    header: bytes
    few: bool
    alike: bool
    fits: bool = True


#: What is known of forms that no fields have.
_WRONG = _Arranged((), (), b"", few=False, alike=False, fits=False)


@lru_cache(256)
def _arranged(layout: Layout, forms: tuple[tuple[int, ...], ...]) -> _Arranged:
    """Return how values lie in memory whose arrays have some forms."""
    leads = tuple([form[: len(form) - len(core)] for form, core in zip(forms, layout.cores, strict=True)])
    if any(form[len(lead) :] != core for form, lead, core in zip(forms, leads, layout.cores, strict=True)):
        return _WRONG
    lead, alike = leads[0], len({*leads}) == 1
    if not alike:
        lead = check_broadcast(layout.kind, **dict(zip(layout.names, leads, strict=True)))
    counts = [*map(math.prod, leads)]
    return _Arranged(leads, lead, layout.header(*counts), sum(counts) <= FEW, alike)


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Batch:
    """What `Shape` is as a value: fields, the batch axes that they share, and the elements along these."""

    #: The place of the core among those of `collision.kernels`.
    core_type: ClassVar[int]
    #: The operands of the core: fields by name, and constants.
    _operands: ClassVar[tuple[str | FloatArray, ...]] = ()
    _fields: ClassVar[tuple[Field, ...]] = ()
    #: How the fields are handed to loops; not for users.
    layout: ClassVar[Layout]
    #: Whether the largest coordinate or size of any element is too large or too small for answers to be right.
    out_of_range: ClassVar[bool] = False

    def _read(self, *given: Any) -> None:
        """Take what a constructor was given for the fields, where it is not all plain arrays, and check all of it."""
        values, layout, forms = given, self.layout, []
        for value in given:
            if type(value) is not np.ndarray or value.dtype is not FLOAT64:
                break
            forms.append(value.shape)
        arranged = _arranged(layout, tuple(forms)) if len(forms) == len(given) else _WRONG
        if not arranged.fits:
            kind = type(self).__name__
            values = tuple([field.converted(kind, value) for field, value in zip(self._fields, given, strict=True)])
            arranged = _arranged(layout, tuple([value.shape for value in values]))
        self._hold(arranged, values, layout.checked)
        if not arranged.alike:
            self._finish()

    def _finish(self) -> None:
        """Check across fields."""

    def _keep(self, values: Sequence[FloatArray], plan: Any) -> None:
        """Take the values of the fields, and look them over as a plan of the layout says."""
        self._hold(_arranged(self.layout, tuple([value.shape for value in values])), values, plan)

    def _keep_one(self, numbers: bytes) -> None:
        """Take the values of a single shape, which are right if they are finite."""
        self._hold(_arranged(self.layout, self.layout.cores), [numbers], self.layout.finite)

    def _hold(self, arranged: _Arranged, values: Sequence[Any], plan: Any) -> None:
        """Take values, all copied to one piece of memory, which nobody changes from then on."""
        attributes = self.__dict__
        leads, attributes["batch_shape"], header, few, alike, _ = arranged
        if not alike:
            attributes["_leads"] = leads
        if few:
            try:
                memory: Any = b"".join((header, *values))
            except TypeError:  # what is not contiguous
                memory = b"".join((header, *[np.ascontiguousarray(value).data for value in values]))
            place = TAKE.briefly(memory, plan)
        else:
            memory = np.concatenate([np.frombuffer(header), *values], axis=None)
            place = TAKE.run(address(memory), plan)
            memory.setflags(write=False)
        attributes["_memory"] = memory
        if place >= 0:
            attributes["place"] = place & ~1
            if place & 1:
                self._look_at_range()
            return
        field = self._fields[-1 - place]
        field.check(type(self).__name__, self.values()[field.name].copy())
        self._finish()

    def _sizes(self) -> FloatArray:
        """Return the largest coordinate or size of each element, (...)."""
        found = np.zeros(self.batch_shape)
        for (field, value), is_length in zip(self._each(), self.layout.lengths, strict=True):
            if is_length:
                np.maximum(found, np.abs(value).max(axis=tuple(range(-field.width, 0))), out=found)
        return found

    def _look_at_range(self) -> None:
        """Find out whether any element is out of range."""
        sizes = self._sizes()
        if np.any((sizes != 0.0) & ~((sizes >= SMALLEST) & (sizes <= LARGEST))):
            self.__dict__["out_of_range"] = True

    @classmethod
    def _trusted(cls, **values: FloatArray) -> Self:
        """Make a shape from values known to be right: no second check, no second normalisation, not a bit changed."""
        shape = object.__new__(cls)
        shape._keep([values[field.name] for field in cls._fields], cls.layout.known)
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

    @property
    def operands(self) -> Operands:
        """The core as loops take it, addresses in memory, for shapes of one batch axis or none; not for users."""
        place = self.place
        return Operands(place, place + 8 * self.layout.count)

    @cached_property
    def place(self) -> int:
        """Where the table of the operands is in memory, and behind it their strides; not for users."""
        return ctypes.addressof(self._made_operands) + 8

    @cached_property
    def _made_operands(self) -> Any:
        """The mark and the operands of a shape that is not in memory of its own."""
        if "_picked" in self.__dict__:
            batch, row = self.__dict__["_picked"]
            return self.layout.picked(batch.operands, row)
        return self.layout.operands([*map(address, self.values().values())], self._field_leads())

    def _field_leads(self) -> tuple[tuple[int, ...], ...]:
        """Return the batch axes of each field."""
        attributes = self.__dict__
        if "_memory" in attributes:  # in which all are alike, if nothing else is said
            leads: tuple[tuple[int, ...], ...] | None = attributes.get("_leads")
            return leads or (self.batch_shape,) * len(self._fields)
        return tuple([_lead(value, field) for field, value in self._each()])

    @cached_property
    def single(self) -> bytes | None:
        """A single shape's mark, and its operands, good as long as the shape is there; not for users."""
        if self.batch_shape:
            return None
        own = self.__dict__.get("_memory")
        return own if type(own) is bytes else bytes(self._made_operands)

    @property
    def row(self) -> bytes:
        """The numbers of a single shape, one after the other; not for users."""
        own = self.__dict__.get("_memory")
        if type(own) is bytes:
            return own[8 * self.layout.begin :]
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
        if len(self.batch_shape) == 1:
            leads = self._field_leads()
            if leads.count(self.batch_shape) == len(leads):
                return self
        if not self.batch_shape:
            flat = type(self)._sharing({name: value[None] for name, value in self.values().items()}, (1,))
            # An axis of one element changes nothing in memory.
            flat.__dict__.update(place=self.place, out_of_range=self.out_of_range, _of=self)
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
        if self._fields[-1].name not in attributes:  # the last to be there, where several threads ask at once
            self._lay_out()
        return {field.name: attributes[field.name] for field in self._fields}

    def _lay_out(self) -> None:
        """Make arrays of the values in memory."""
        attributes, end = self.__dict__, self.layout.begin
        if "_picked" in attributes:
            batch, row = attributes["_picked"]
            for field, value in batch._each():
                attributes.setdefault(field.name, batch._pick(field, value, (row,)))
            return
        whole = np.frombuffer(attributes["_memory"])
        for field, lead in zip(self._fields, self._field_leads(), strict=True):
            form = lead + field.core
            start, end = end, end + math.prod(form)
            attributes.setdefault(field.name, whole[start:end] if len(form) == 1 else whole[start:end].reshape(form))

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
            if len(axes) == 1:
                one = type(self)._sharing({}, ())
                one.__dict__["_picked"] = self, picks[0] % axes[0]
            else:
                one = type(self)._sharing({f.name: self._pick(f, v, picks) for f, v in self._each()}, ())
            if self.out_of_range:
                one._look_at_range()
            return one
        some = type(index) is np.ndarray and index.ndim == 1 == len(axes) and index.dtype.kind == "i" and len(index) > 0
        if some and -axes[0] <= index.min() <= index.max() < axes[0]:  # the short way for some of many
            full = self.values() if self._field_leads().count(axes) == len(self._fields) else self._broadcast()
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
