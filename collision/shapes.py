"""The eight kinds of shape.

A shape is a frozen, checked value. Its fields are read-only float64 arrays that may carry leading *batch axes*, which
broadcast by NumPy's rules: ``Sphere(centers, 0.5)`` with centers of shape (1000, 3) is a thousand spheres, and every
query takes it as it takes one.

Every shape is a *core* (a point, a linear piece or a box) grown by a *radius*; the property `core` says which, and it is
all that the kernels of `collision.separation` ever see. Shapes are closed sets: the surface belongs to the shape.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np

from collision.fields import (
    EXTENTS,
    NOT_NEGATIVE,
    NOT_ZERO,
    ROTATION,
    ArrayLike,
    Field,
    FloatArray,
    first_bad,
    read_vector,
)

if TYPE_CHECKING:
    from collision.transforms import Transform


class Core(NamedTuple):
    """What the kernels see of a shape: the kind of its core, and the arrays that describe it, the radius last."""

    kind: str
    operands: tuple[Any, ...]


def _lead(array: FloatArray, field: Field) -> tuple[int, ...]:
    return array.shape[: array.ndim - len(field.core)]


@dataclass(frozen=True, eq=False, repr=False)
class Shape:
    """What all kinds have in common: batch axes, indexing, moving, equality.

    This is the type to annotate with where any kind will do; it is not made directly.
    """

    #: Kinds that reach to infinity have no bounds.
    bounded: ClassVar[bool] = True
    _fields: ClassVar[tuple[Field, ...]] = ()

    def __init_subclass__(cls) -> None:
        cls._fields = tuple(value for value in vars(cls).values() if isinstance(value, Field))

    def __post_init__(self) -> None:
        if type(self) is Shape:
            raise TypeError("make one of the eight kinds, such as Sphere or AABB; Shape is only their common type")
        own = self.__dict__
        for field in self._fields:
            own[field.name] = field.read(type(self).__name__, own[field.name])
        self._seal()

    def _finish(self) -> None:
        """Check across fields, or normalise; the arrays are still writeable here."""

    def _seal(self, *, trusted: bool = False) -> None:
        own = self.__dict__
        try:
            own["_batch_shape"] = np.broadcast_shapes(*(_lead(own[f.name], f) for f in self._fields))
        except ValueError:
            shapes = ", ".join(f"{f.name} {own[f.name].shape}" for f in self._fields)
            raise ValueError(f"{type(self).__name__}: batch axes do not broadcast together: {shapes}") from None
        if not trusted:
            self._finish()
        for field in self._fields:
            own[field.name].flags.writeable = False

    @classmethod
    def _trusted(cls, **values: FloatArray) -> Self:
        """Make a shape from values known to be right: no second check, no second normalisation, not a bit changed."""
        shape = object.__new__(cls)
        for field in cls._fields:
            shape.__dict__[field.name] = np.array(values[field.name], dtype=np.float64, order="C")
        shape._seal(trusted=True)
        return shape

    @property
    def batch_shape(self) -> tuple[int, ...]:
        """The batch axes; empty for a single shape."""
        axes: tuple[int, ...] = self.__dict__["_batch_shape"]
        return axes

    @property
    def core(self) -> Core:
        """The core and the radius, as the kernels take them."""
        raise NotImplementedError

    def bounds(self) -> AABB:
        """Return the tight axis-aligned box around each element.

        Raises
        ------
        ValueError
            For a ray or a line, which reach to infinity.
        """
        raise ValueError(f"a {type(self).__name__} reaches to infinity and has no bounds")

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
        from collision.transforms import transform_shape

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
            If the offset is not finite or not (..., 3).

        Examples
        --------
        >>> Sphere([0, 0, 0], 1).translated([1, 2, 3]).center
        array([1., 2., 3.])
        """
        step = read_vector(offset, "translated.offset")
        own = self.__dict__
        return type(self)._trusted(**{f.name: own[f.name] + step if f.place else own[f.name] for f in self._fields})

    def flattened(self) -> Self:
        """Return the same elements along a single batch axis, with every field broadcast to it."""
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
        picked = {}
        for field, value in zip(self._fields, self._broadcast().values(), strict=True):
            try:
                # The trailing axes are the field's own; an index (an ellipsis, say) must not reach into them.
                rows = np.arange(int(np.prod(self.batch_shape, dtype=np.int64))).reshape(self.batch_shape)[picks]
            except IndexError:
                axes = self.batch_shape
                raise IndexError(f"{type(self).__name__} with batch axes {axes} has no element {index!r}") from None
            picked[field.name] = value.reshape(-1, *field.core)[rows]
        return type(self)._trusted(**picked)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Shape) or type(other) is not type(self):
            return NotImplemented
        theirs = other.values()
        return all(np.array_equal(value, theirs[name]) for name, value in self.values().items())

    def __hash__(self) -> int:
        return hash((type(self), *(value.tobytes() for value in self.values().values())))

    def __repr__(self) -> str:
        def text(value: FloatArray) -> str:
            return str(value.tolist()) if value.size <= 9 else f"<{' × '.join(map(str, value.shape))} array>"

        return f"{type(self).__name__}({', '.join(f'{name}={text(v)}' for name, v in self.values().items())})"


@dataclass(frozen=True, eq=False, repr=False)
class Point(Shape):
    """A point.

    Parameters
    ----------
    position : array_like, shape (..., 3)
        Where it is.

    Raises
    ------
    ValueError
        If the field is not finite or not (..., 3).

    Examples
    --------
    >>> Point([1, 2, 3])
    Point(position=[1.0, 2.0, 3.0])
    """

    position: Field = Field(3, place=True)

    @cached_property
    def core(self) -> Core:
        """A point of no radius."""
        return Core("point", (self.position, 0.0))

    def bounds(self) -> AABB:
        """Return the box of no extent at the point."""
        return AABB._trusted(lower=self.position, upper=self.position)

    def bounding_sphere(self) -> Sphere:
        """Return the sphere of no radius at the point."""
        return Sphere._trusted(center=self.position, radius=np.zeros(()))


@dataclass(frozen=True, eq=False, repr=False)
class Segment(Shape):
    """The straight piece between two points; both may be the same.

    Parameters
    ----------
    start, end : array_like, shape (..., 3)
        The two ends, which belong to the segment.

    Raises
    ------
    ValueError
        If a field is not finite or not (..., 3).

    Examples
    --------
    >>> Segment([0, 0, 0], [0, 0, 2]).bounding_sphere()
    Sphere(center=[0.0, 0.0, 1.0], radius=1.0)
    """

    start: Field = Field(3, place=True)
    end: Field = Field(3, place=True)

    @cached_property
    def core(self) -> Core:
        """A linear piece of no radius, from parameter 0 to 1."""
        return Core("linear", (self.start, self.end, 0.0, 1.0, 0.0))

    def bounds(self) -> AABB:
        """Return the tight box around each segment."""
        return AABB._trusted(lower=np.minimum(self.start, self.end), upper=np.maximum(self.start, self.end))

    def bounding_sphere(self) -> Sphere:
        """Return the sphere whose diameter is the segment."""
        return _around_segment(self.start, self.end, np.zeros(()))


@dataclass(frozen=True, eq=False, repr=False)
class Ray(Shape):
    """A half line.

    Parameters
    ----------
    origin : array_like, shape (..., 3)
        Where it starts; this point belongs to the ray.
    direction : array_like, shape (..., 3)
        Where it goes. It is stored with unit length, so that parameters along the ray are distances.

    Raises
    ------
    ValueError
        If a field is not finite or not (..., 3), or a direction is zero.

    Examples
    --------
    >>> Ray([0, 0, 0], [0, 3, 0]).direction
    array([0., 1., 0.])
    """

    bounded: ClassVar[bool] = False
    origin: Field = Field(3, place=True)
    direction: Field = Field(3, rule=NOT_ZERO)

    def _finish(self) -> None:
        self.__dict__["direction"] = _unit(self.direction)

    @cached_property
    def core(self) -> Core:
        """A linear piece of no radius, from parameter 0 to infinity."""
        return Core("linear", (self.origin, self.direction, 0.0, np.inf, 0.0))


@dataclass(frozen=True, eq=False, repr=False)
class Line(Shape):
    """A line without ends.

    Parameters
    ----------
    point : array_like, shape (..., 3)
        Any point of it: where its parameter is zero.
    direction : array_like, shape (..., 3)
        Where it goes. It is stored with unit length, so that parameters along the line are distances.

    Raises
    ------
    ValueError
        If a field is not finite or not (..., 3), or a direction is zero.

    Examples
    --------
    >>> Line([0, 0, 1], [2, 0, 0]).direction
    array([1., 0., 0.])
    """

    bounded: ClassVar[bool] = False
    point: Field = Field(3, place=True)
    direction: Field = Field(3, rule=NOT_ZERO)

    def _finish(self) -> None:
        self.__dict__["direction"] = _unit(self.direction)

    @cached_property
    def core(self) -> Core:
        """A linear piece of no radius, infinite both ways."""
        return Core("linear", (self.point, self.direction, -np.inf, np.inf, 0.0))


@dataclass(frozen=True, eq=False, repr=False)
class Sphere(Shape):
    """A ball: all points within a radius of the center.

    Parameters
    ----------
    center : array_like, shape (..., 3)
        The middle.
    radius : array_like, shape (...)
        Zero or more.

    Raises
    ------
    ValueError
        If a field is not finite or has the wrong width, or a radius is negative.

    Examples
    --------
    >>> Sphere([[0, 0, 0], [5, 0, 0]], 1).bounds().upper
    array([[1., 1., 1.],
           [6., 1., 1.]])
    """

    center: Field = Field(3, place=True)
    radius: Field = Field(rule=NOT_NEGATIVE)

    @classmethod
    def from_points(cls, points: ArrayLike) -> Sphere:
        """Return a small sphere around points: the smallest for up to four, near the smallest beyond.

        See `collision.bounding.sphere_around` for the method and the bound.

        Parameters
        ----------
        points : array_like, shape (..., n, 3)
            At least one point.
        """
        from collision.bounding import sphere_around

        return cls(*sphere_around(points))

    @cached_property
    def core(self) -> Core:
        """A point with a radius."""
        return Core("point", (self.center, self.radius))

    def bounds(self) -> AABB:
        """Return the tight box around each sphere."""
        reach = self.radius[..., None]
        return AABB._trusted(lower=self.center - reach, upper=self.center + reach)

    def bounding_sphere(self) -> Sphere:
        """Return the sphere itself."""
        return self


@dataclass(frozen=True, eq=False, repr=False)
class Capsule(Shape):
    """A segment grown by a radius: a cylinder with two half-sphere caps. A zero-length capsule is a sphere.

    Parameters
    ----------
    start, end : array_like, shape (..., 3)
        The centers of the caps.
    radius : array_like, shape (...)
        Zero or more.

    Raises
    ------
    ValueError
        If a field is not finite or has the wrong width, or a radius is negative.

    See Also
    --------
    collision.CapsuleCollider : the form game engines give it, by center, axis and height.

    Examples
    --------
    >>> Capsule([0, 0, 0], [0, 0, 2], 0.5).bounding_sphere()
    Sphere(center=[0.0, 0.0, 1.0], radius=1.5)
    """

    start: Field = Field(3, place=True)
    end: Field = Field(3, place=True)
    radius: Field = Field(rule=NOT_NEGATIVE)

    @cached_property
    def core(self) -> Core:
        """A linear piece with a radius."""
        return Core("linear", (self.start, self.end, 0.0, 1.0, self.radius))

    def bounds(self) -> AABB:
        """Return the tight box around each capsule."""
        reach = self.radius[..., None]
        return AABB._trusted(
            lower=np.minimum(self.start, self.end) - reach, upper=np.maximum(self.start, self.end) + reach
        )

    def bounding_sphere(self) -> Sphere:
        """Return the smallest sphere around each capsule: it touches both caps."""
        return _around_segment(self.start, self.end, self.radius)


@dataclass(frozen=True, eq=False, repr=False)
class AABB(Shape):
    """An axis-aligned box.

    Parameters
    ----------
    lower, upper : array_like, shape (..., 3)
        The corners with the smallest and the largest coordinates; equal ones make a flat box.

    Raises
    ------
    ValueError
        If a field is not finite or not (..., 3), or lower is above upper on an axis.

    Examples
    --------
    >>> AABB([0, 0, 0], [1, 2, 3]).bounding_sphere().center
    array([0.5, 1. , 1.5])
    """

    lower: Field = Field(3, place=True)
    upper: Field = Field(3, place=True)

    def _finish(self) -> None:
        lower, upper = np.broadcast_arrays(self.lower, self.upper)
        bad = np.any(lower > upper, axis=-1)
        if np.any(bad):
            raise ValueError(
                f"AABB.lower must not be above AABB.upper ({first_bad(bad, upper)}), got {first_bad(bad, lower)}"
            )

    @classmethod
    def from_points(cls, points: ArrayLike) -> AABB:
        """Return the tight box around points.

        Parameters
        ----------
        points : array_like, shape (..., n, 3)
            At least one point; all axes before the last two are batch axes.

        Raises
        ------
        ValueError
            If there is no point, or a point is not finite.

        Examples
        --------
        >>> AABB.from_points([[0, 5, 0], [1, 0, 2]])
        AABB(lower=[0.0, 0.0, 0.0], upper=[1.0, 5.0, 2.0])
        """
        array = read_vector(points, "AABB.from_points.points")
        if array.ndim < 2 or array.shape[-2] == 0:
            raise ValueError(f"AABB.from_points: points must be (..., n, 3) with n >= 1, got shape {array.shape}")
        return cls(array.min(axis=-2), array.max(axis=-2))

    @classmethod
    def union(cls, first: AABB, *others: AABB) -> AABB:
        """Return the tight box around several boxes, all their elements included.

        Examples
        --------
        >>> AABB.union(AABB([0, 0, 0], [1, 1, 1]), AABB([2, 2, 2], [3, 3, 3])).upper
        array([3., 3., 3.])
        """
        boxes = (first, *others)
        corners = [np.concatenate([b.lower.reshape(-1, 3), b.upper.reshape(-1, 3)]) for b in boxes]
        return cls.from_points(np.concatenate(corners))

    @cached_property
    def core(self) -> Core:
        """A box in the world's own frame, by its corners: nothing is rounded."""
        return Core("box", (_ORIGIN, _WORLD, self.lower, self.upper, 0.0))

    @property
    def center(self) -> FloatArray:
        """The middle, (..., 3)."""
        return 0.5 * self.lower + 0.5 * self.upper

    @property
    def half_extents(self) -> FloatArray:
        """Half the size along each axis, (..., 3)."""
        return 0.5 * self.upper - 0.5 * self.lower

    def oriented(self) -> OrientedBox:
        """Return the same box as an `OrientedBox`, which a rotation can turn."""
        return OrientedBox(self.center, np.eye(3), self.half_extents)

    def bounds(self) -> AABB:
        """Return the box itself."""
        return self

    def bounding_sphere(self) -> Sphere:
        """Return the sphere through the corners."""
        return Sphere(self.center, np.linalg.norm(self.half_extents, axis=-1))


@dataclass(frozen=True, eq=False, repr=False)
class OrientedBox(Shape):
    """A box turned any way.

    Parameters
    ----------
    center : array_like, shape (..., 3)
        The middle.
    axes : array_like, shape (..., 3, 3)
        A rotation matrix: its columns are the box's unit axes in the world.
    half_extents : array_like, shape (..., 3)
        Half the size along each of the box's axes, zero or more.

    Raises
    ------
    ValueError
        If a field is not finite or has the wrong width, a half extent is negative, or axes is no rotation matrix.

    Examples
    --------
    >>> turned = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    >>> OrientedBox([0, 0, 0], turned, [3, 1, 1]).bounds().upper
    array([1., 3., 1.])
    """

    center: Field = Field(3, place=True)
    axes: Field = Field(3, 3, rule=ROTATION)
    half_extents: Field = Field(3, rule=EXTENTS)

    @cached_property
    def core(self) -> Core:
        """A box in a frame of its own."""
        return Core("box", (self.center, self.axes, -self.half_extents, self.half_extents, 0.0))

    def bounds(self) -> AABB:
        """Return the tight axis-aligned box around each box."""
        reach = np.einsum("...ij,...j->...i", np.abs(self.axes), self.half_extents)
        return AABB._trusted(lower=self.center - reach, upper=self.center + reach)

    def bounding_sphere(self) -> Sphere:
        """Return the sphere through the corners."""
        return Sphere(self.center, np.linalg.norm(self.half_extents, axis=-1))


#: The kinds, in the order used wherever kinds are listed.
KINDS: tuple[type[Shape], ...] = (Point, Segment, Ray, Line, Sphere, Capsule, AABB, OrientedBox)

_ORIGIN = np.broadcast_to(0.0, 3)
_WORLD = np.eye(3)
_WORLD.flags.writeable = False


def _unit(vectors: FloatArray) -> FloatArray:
    """Scale to unit length; by the largest component first, so that neither 1e-300 nor 1e300 is lost.

    A vector that is of unit length to rounding is left as it is, so that reading back what was written changes no bit.
    """
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    scaled = vectors / np.abs(vectors).max(axis=-1, keepdims=True)
    unit = scaled / np.linalg.norm(scaled, axis=-1, keepdims=True)
    return np.where(np.abs(lengths - 1.0) <= 4.0 * np.finfo(np.float64).eps, vectors, unit)


def _around_segment(start: FloatArray, end: FloatArray, radius: FloatArray) -> Sphere:
    half = 0.5 * end - 0.5 * start
    return Sphere(0.5 * start + 0.5 * end, np.linalg.norm(half, axis=-1) + radius)
