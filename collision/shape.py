"""What all kinds of shape have in common."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np

from collision.cached import cached_property
from collision.checks import CHECK
from collision.fields import ArrayLike, Field, FloatArray, check_broadcast, read_vector, to_bytes
from collision.native import INTEGERS, Layout, Operands, address
from collision.separation import BOUNDS

if TYPE_CHECKING:
    from collision.shapes import AABB, Sphere
    from collision.transforms import Transform


class Core(NamedTuple):
    """What the kernels see of a shape: the kind of its core, and the arrays that describe it, the radius last."""

    kind: str
    operands: tuple[Any, ...]


#: The rules of values that need only be finite.
_FINITE = INTEGERS[-1]()


def _lead(array: FloatArray, field: Field) -> tuple[int, ...]:
    return array.shape[: array.ndim - field.width]


@dataclass(frozen=True, eq=False, repr=False)
class Shape:
    """What all kinds have in common: batch axes, indexing, moving, equality.

    This is the type to annotate with where any kind will do; it is not made directly. For users are its batch axes,
    indexing, ``translated``, ``transformed``, ``bounds``, ``bounding_sphere``, ``flattened`` (the same elements along
    one batch axis), ``values`` (the fields by name) and ``corners`` (those of the bounds, as two arrays); ``core``,
    ``operands``, ``single`` and ``box`` are for kernels and may change.
    """

    #: Kinds that reach to infinity have no bounds.
    bounded: ClassVar[bool] = True
    #: Whether the point that an unbounded kind is given by says where it is; any of a plane's would do.
    anchored: ClassVar[bool] = True
    #: The place of the core among those of `collision.separation`.
    rank: ClassVar[int]
    #: The operands of the core: fields by name, and constants.
    _operands: ClassVar[tuple[str | FloatArray, ...]] = ()
    _fields: ClassVar[tuple[Field, ...]] = ()
    _layout: ClassVar[Layout]
    _rules: ClassVar[Any]

    def __init_subclass__(cls) -> None:
        if cls.__bases__ != (Shape,) or "rank" not in vars(cls):
            raise TypeError(
                f"class {cls.__name__}: the kinds of shape are values, which cannot be subclassed; what belongs to a "
                "shape can be kept beside it, in a dict by its name in a scene or in a class that has the shape"
            )
        cls._fields = tuple(value for value in vars(cls).values() if isinstance(value, Field))
        cls._layout = Layout({field.name: field.core for field in cls._fields}, cls._operands)
        cls._rules = INTEGERS[len(cls._fields)](*(field.rule.number if field.rule else 0 for field in cls._fields))

    def __post_init__(self) -> None:
        if type(self) is Shape:
            raise TypeError("make one of the kinds, such as Sphere or AABB; Shape is only their common type")
        own, kind = self.__dict__, type(self).__name__
        self._keep([field.converted(kind, own[field.name]) for field in self._fields], self._rules)
        self._finish()

    def _finish(self) -> None:
        """Check across fields."""

    def _keep(self, values: list[FloatArray], rules: Any = None) -> None:
        """Take the values of the fields, all copied into one piece of memory, which is looked over in one go.

        Without rules they are known to be right.
        """
        self._hold(np.concatenate(values, axis=None), values, rules)

    def _hold(self, memory: FloatArray, values: list[FloatArray], rules: Any) -> None:
        """Take a piece of memory in which the values of the fields are, in arrays of the forms of some others."""
        layout = self._layout
        place, single = address(memory), [value.ndim for value in values] == layout.widths
        if rules is not None:
            sizes = layout.sizes if single else INTEGERS[len(values)](*[value.size for value in values])
            wrong = CHECK.run(len(values), place, sizes, rules)
            if wrong:
                self._refuse(wrong - 1, memory, values)
        memory.setflags(write=False)  # and so are the parts of it that are taken from now on
        own = self.__dict__
        if single:
            for name, start, end, core in layout.parts:
                own[name] = memory[start:end].reshape(core)
            own["_batch_shape"], own["operands"] = (), layout.single(place)
            return
        start, places, leads = 0, [], []
        for field, value in zip(self._fields, values, strict=True):
            end, shape = start + value.size, value.shape
            own[field.name] = memory[start:end].reshape(shape)
            places.append(place + 8 * start)
            leads.append(shape[: len(shape) - field.width])
            start = end
        lead = leads[0]
        if leads.count(lead) < len(leads):
            lead = check_broadcast(type(self).__name__, **dict(zip(layout.names, leads, strict=True)))
        own["_batch_shape"] = lead
        if len(lead) < 2:
            own["operands"] = layout.operands(places, leads)

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

    @property
    def core(self) -> Core:
        """The core and the radius, as the kernels take them; not for users, who find the same in the fields."""
        raise NotImplementedError

    @cached_property
    def operands(self) -> Operands:
        """The core as loops take it, addresses in memory, for shapes of one batch axis or none; not for users."""
        if "_picked" in self.__dict__:
            return self._layout.picked(*self.__dict__["_picked"])
        values = self.values().values()
        leads = [_lead(value, field) for value, field in zip(values, self._fields, strict=True)]
        return self._layout.operands([*map(address, values)], leads)

    @cached_property
    def single(self) -> tuple[int, Any] | None:
        """A single shape's rank and the reference to its operands, for the shortest way to an answer; not for users."""
        return None if self.batch_shape else (self.rank, ctypes.byref(self.operands.table))

    def corners(self) -> tuple[FloatArray, FloatArray]:
        """Return the smallest and the largest coordinates of each element, (..., 3) each: the corners of `bounds`.

        Raises
        ------
        ValueError
            For a ray or a line, which reach to infinity.
        """
        if not self.batch_shape:
            lower, upper = self.box
            return lower.copy(), upper.copy()
        return self._corners()

    @cached_property
    def box(self) -> FloatArray:
        """The corners of a single shape's bounds, (2, 3), read-only: kept, as they are asked for again and again."""
        if not self.bounded:
            self._corners()  # which says why there are none
        box = np.empty((2, 3))
        place = address(box)
        BOUNDS[self.rank].run(1, *self.operands, None, -1, place, place + 24, None)
        box.setflags(write=False)
        return box

    def _corners(self) -> tuple[FloatArray, FloatArray]:
        if not self.bounded:
            raise ValueError(f"a {type(self).__name__} reaches to infinity and has no bounds")
        flat = self if len(self.batch_shape) < 2 else self.flattened()
        lower, upper = np.empty((*self.batch_shape, 3)), np.empty((*self.batch_shape, 3))
        BOUNDS[self.rank].run(lower.size // 3, *flat.operands, None, -1, address(lower), address(upper), None)
        return lower, upper

    def bounds(self) -> AABB:
        """Return the tight axis-aligned box around each element.

        Raises
        ------
        ValueError
            For a ray or a line, which reach to infinity, and where a corner would be too large for a number.
        """
        return self._bounds if not self.batch_shape else self._around()

    @cached_property
    def _bounds(self) -> AABB:
        """Those of a single shape, kept."""
        return self._around()

    def _around(self) -> AABB:
        from collision.shapes import AABB

        box = object.__new__(AABB)
        box._keep([*self.corners()], _FINITE)  # in order they are
        return box

    def bounding_sphere(self) -> Sphere:
        """Return the smallest sphere around each element.

        Raises
        ------
        ValueError
            For a ray or a line, which reach to infinity.
        """
        raise ValueError(f"a {type(self).__name__} reaches to infinity and has no bounding sphere")

    def transformed(self, transform: Transform) -> Shape:
        """Return the shape under a transform, as a shape of the same kind.

        What a kind cannot represent is refused, with one exception that is what engines do: an `AABB` under a rotation
        is refitted (its tight bounds are returned). Make it an `OrientedBox` first to have it turn.

        Parameters
        ----------
        transform : Transform
            Batch axes broadcast with the shape's own.

        Raises
        ------
        ValueError
            If the scale differs between axes and the kind cannot follow: a sphere would become an ellipsoid.
        """
        from collision.transformed import transform_shape  # it knows the kinds, which know this

        return transform_shape(self, transform)

    def translated(self, offset: ArrayLike) -> Self:
        """Return the shape moved by an offset.

        Parameters
        ----------
        offset : array_like, shape (..., 3)
            Batch axes broadcast with the shape's own.

        Raises
        ------
        ValueError
            If the offset is not finite or not (..., 3), its batch axes do not broadcast, or a place becomes infinite.

        Examples
        --------
        >>> from collision import Sphere
        >>> Sphere([0, 0, 0], 1).translated([1, 2, 3]).center
        array([1., 2., 3.])
        """
        return self._shifted(read_vector(offset, "translated.offset"))

    def _shifted(self, step: FloatArray) -> Self:
        """Return the shape moved by an offset known to be one."""
        if step.ndim > 1:
            check_broadcast(f"{type(self).__name__}.translated", shape=self.batch_shape, offset=step.shape[:-1])
        own, moved = self.__dict__, object.__new__(type(self))
        values = [own[field.name] for field in self._fields]
        if own["_batch_shape"] or step.ndim > 1:
            with np.errstate(over="ignore"):  # refused by name
                values = [v + step if f.place else v for f, v in zip(self._fields, values, strict=True)]
            moved._keep(values, _FINITE)
            return moved
        x, y, z = step.tolist()
        numbers: list[float] = []  # plain ones overflow without a warning
        for field, value in zip(self._fields, values, strict=True):
            if field.place:
                a, b, c = value.tolist()
                numbers += (a + x, b + y, c + z)
            else:
                numbers += value.ravel().tolist()
        finite = all(map(math.isfinite, numbers))
        moved._hold(np.array(numbers), values, None if finite else _FINITE)
        return moved

    def flattened(self) -> Self:
        """Return the same elements along a single batch axis, with every field broadcast to it."""
        own = self.__dict__
        if len(self.batch_shape) == 1:
            leads = [_lead(own[field.name], field) for field in self._fields]
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
        own = self.__dict__
        return {f.name: np.broadcast_to(own[f.name], self.batch_shape + f.core) for f in self._fields}

    def values(self) -> dict[str, FloatArray]:
        """Return the fields by name, as they were given (not broadcast)."""
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
        own = self.__dict__
        some = type(index) is np.ndarray and index.ndim == 1 == len(axes) and index.dtype.kind == "i" and len(index) > 0
        if some and -axes[0] <= index.min() <= index.max() < axes[0]:  # the short way for some of many
            full = own if all(_lead(own[f.name], f) == axes for f in self._fields) else self._broadcast()
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
        if not isinstance(other, Shape) or type(other) is not type(self):
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


def no_shape(value: object, role: str = "") -> str:
    """Return what a value is that should have been a shape, and how to make one of it where that is known."""
    name = type(value).__name__ + role
    return f"{name}; its .in_world(transform) is the Capsule" if hasattr(value, "in_world") else name


def check_shapes(query: str, a: object, b: object) -> None:
    """Refuse what is no shape."""
    for name, shape in (("a", a), ("b", b)):
        if not isinstance(shape, Shape):
            raise TypeError(f"{query} takes two shapes, got {no_shape(shape, f' as {name}')}") from None


def _restored(kind: type[Shape], values: dict[str, FloatArray]) -> Shape:
    """Make a shape from its pickle."""
    return kind._trusted(**values)
