"""The eleven kinds of shape.

A shape is a frozen, checked value. Its fields are read-only float64 arrays that may carry leading *batch axes*, which
broadcast by NumPy's rules: ``Sphere(centers, 0.5)`` with centers of shape (1000, 3) is a thousand spheres. Every shape
is a *core* (a point, a linear piece, a box, a half-space, a cylinder or a hull) grown by a *radius*; the property
`core` says which, and it is all that the kernels of `collision.kernels` ever see.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from ctypes import addressof
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Self, TypeVar, final

import numpy as np

from collision.base.cached import cached_property
from collision.base.fields import (
    DIRECTION,
    EXTENTS,
    LARGEST,
    NOT_NEGATIVE,
    SMALLEST,
    ArrayLike,
    BoolArray,
    Field,
    FloatArray,
    check_broadcast,
    first_bad,
    length,
    read_vector,
    refuse,
    turned,
)
from collision.kernels.extents import Cone, Convex, Extent, Outline
from collision.kernels.loops import BOUNDS
from collision.kernels.table import ROWS, CoreType
from collision.native import address
from collision.shapes.bounding import read_points, sphere_around, sphere_around_balls
from collision.shapes.operands import BROKEN, LOOK_OVER, PACKED, SHAPE_MARK, Layout, is_length
from collision.shapes.polytope import Polytope, numbers_of, polytope_of
from collision.shapes.rotations import RotationField, matrix_product
from collision.shapes.transforms import Transform, check_transform
from collision.shapes.values import Batched

#: Constants among the operands of cores.
_ZERO, _ONE, _INFINITY = np.array([0.0]), np.array([1.0]), np.array([np.inf])
_ORIGIN, _WORLD, _NO_NUMBERS = np.zeros(3), np.eye(3), np.empty(0)
_ORIGIN.flags.writeable = _WORLD.flags.writeable = False


class ShapeCore(NamedTuple):
    """What is known of a shape above the kernels: the type of its core, and the arrays that describe it."""

    type: CoreType
    operands: tuple[Any, ...]

    @property
    def extent(self) -> Extent:
        """What the core can be asked."""
        return ROWS[self.type].extent

    @property
    def radius(self) -> FloatArray:
        """By how much the core is grown, (...)."""
        return np.asarray(self.operands[-1])

    @property
    def solid(self) -> bool:
        """Whether it is bounded and has faces."""
        return self.extent.solid

    def middle(self) -> FloatArray:
        """Return what the core turns about, (..., 3); of one without an end the point that it is given by."""
        return self.extent.middle(self.operands)

    def vertices(self) -> FloatArray | None:
        """Return the corners of a bounded core, (k, ..., 3), or None of one that has curved faces."""
        return None if self.extent.vertices is None else self.extent.vertices(self.operands)

    def extremes(self, convex: Convex) -> FloatArray:
        """Return points of a bounded core, (k, ..., 3), among them one where a convex function is greatest."""
        vertices = self.vertices()
        return self.extent.extremes(self.operands, convex) if vertices is None else vertices

    def outline(self) -> Outline | None:
        """Return the outline of a single core, or None where no outline tells along what it can be left."""
        return self.extent.outline(self.operands)

    def cone(self) -> Cone | None:
        """Return the directions in which the core has no end."""
        return self.extent.cone(self.operands)


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Shape(Batched):
    """What all kinds have in common: fields, the batch axes that they share, indexing, moving, equality.

    This is the type to annotate with where any kind will do; it is not made directly. For users are its batch axes,
    indexing, ``translated``, ``transformed``, ``bounds``, ``bounding_sphere``, ``flattened`` (the same elements along
    one batch axis), ``values`` (the fields by name) and ``corners`` (those of the bounds, as two arrays); ``core``,
    ``operands``, ``layout``, ``packed`` and ``box`` are for kernels and may change.

    Notes
    -----
    A `ValueError` is raised by the constructors if a field is not finite or has the wrong width, a size is negative, a
    direction is zero or batch axes do not broadcast; by methods also where a coordinate or a size would become too
    large for a number. Rays, lines and half-spaces reach to infinity: a `ValueError` is raised where bounds are asked
    of them. What is computed is right to rounding.
    """

    #: The type of the core.
    core_type: ClassVar[CoreType]
    #: The operands of the core: fields by name, and constants.
    _operands: ClassVar[tuple[str | FloatArray, ...]] = ()
    #: The fields that a user gives.
    _fields: ClassVar[tuple[Field, ...]] = ()
    #: These, and behind them what follows from them; the names of the latter begin with an underscore.
    _kept: ClassVar[tuple[Field, ...]] = ()
    #: How the fields are handed to loops.
    layout: ClassVar[Layout]
    #: Whether the largest coordinate or size of any element is too large or too small for answers to be right.
    out_of_range: ClassVar[bool] = False

    #: Kinds that reach to infinity have no bounds.
    bounded: ClassVar[bool] = True
    #: Whether the point that an unbounded kind is given by says where it is; any of a plane's would do.
    anchored: ClassVar[bool] = True

    def __init_subclass__(cls) -> None:
        if cls.__bases__ != (Shape,) or "core_type" not in vars(cls):
            raise TypeError(
                f"class {cls.__name__}: the kinds of shape are values, which cannot be subclassed; what belongs to a "
                "shape can be kept beside it, in a dict by its name in a scene or in a class that has the shape"
            )
        cls._kept = tuple(value for value in vars(cls).values() if isinstance(value, Field))
        cls._fields = tuple(field for field in cls._kept if not field.name.startswith("_"))
        if not cls.bounded and any(field.name == "radius" for field in cls._fields):
            raise TypeError(f"class {cls.__name__}: scenes take what has no end as thin, so it can have no radius")
        cls._cores = {field.name: field.core for field in cls._kept}
        cls.layout = Layout(cls.__name__, cls._kept, cls._operands)

    def __init__(self, *given: Any) -> None:
        raise TypeError("make one of the kinds, such as Sphere or AABB; Shape is only their common type")

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
            for field, value in zip(self._kept, values, strict=True):
                field.check(type(self).__name__, value)
        for k, field in enumerate(self._kept):  # which takes half of what a strict zip does
            value = values[k]
            if isinstance(value.base, np.ndarray):
                value.base.setflags(write=False)
            value.setflags(write=False)
            attributes[field.name] = value.view()  # which nobody can make writable
        if found:
            attributes["out_of_range"] = bool(self._out_of_range()[0].any())

    def _out_of_range(self) -> tuple[BoolArray, FloatArray]:
        """Tell of each element whether it is out of range, and its largest coordinate or size, (...)."""
        found = np.zeros(self.batch_shape)
        for field in self._fields:
            value = self.__dict__[field.name]
            if is_length(field):
                np.maximum(found, np.abs(value).max(axis=tuple(range(-field.width, 0))), out=found)
        return np.asarray((found != 0.0) & ~((found >= SMALLEST) & (found <= LARGEST))), found

    @classmethod
    def _trusted(cls, **values: FloatArray) -> Self:
        """Make a shape of copies of values known to be right: no second check, no second normalisation."""
        return cls._of(*[np.array(values[name], order="C") for name in cls._cores])

    @cached_property
    def operands(self) -> tuple[Any, Any]:
        """The core as loops take it: addresses of the operands, and strides from element to element; not for users."""
        raise AttributeError("a shape has its operands from when it is made")

    @cached_property
    def packed(self) -> bytes | None:
        """What the fast call takes of a single shape; None for a batch; not for users."""
        return None if self.batch_shape else PACKED.pack(SHAPE_MARK << 8 | self.core_type, addressof(self.operands[0]))

    @property
    def row(self) -> bytes:
        """The numbers of a single shape, one after the other; not for users."""
        return b"".join([value.tobytes() for value in self.kept.values()])

    @property
    def row_table(self) -> FloatArray:
        """The numbers that rows of the core refer to, where it does not fit into a row; not for users."""
        return _NO_NUMBERS

    @property
    def core(self) -> ShapeCore:
        """The core and the radius, as the kernels take them; not for users, who find the same in the fields."""
        operands = (self.__dict__[v] if isinstance(v, str) else float(v[0]) for v in self._operands)
        return ShapeCore(self.core_type, tuple(operands))

    @property
    def without_radius(self) -> Shape:
        """The core alone, as a shape; for queries, and may change."""
        return self

    def corners(self) -> tuple[FloatArray, FloatArray]:
        """Return the smallest and the largest coordinates (..., 3) of each element: the corners of `bounds`.

        They are exact for points, segments and boxes along the axes. A corner too large for a number is infinite.

        Examples
        --------
        >>> Sphere([0, 0, 1], 2).corners()
        (array([-2., -2., -1.]), array([2., 2., 3.]))
        """
        if not self.batch_shape:
            lower, upper = self.box
            return lower.copy(), upper.copy()
        return self._corners()

    @cached_property
    def box(self) -> FloatArray:
        """The corners of a single shape's bounds, (2, 3), read-only: kept, as they are asked for again and again."""
        box = np.array(Shape._corners(self))
        box.setflags(write=False)
        return box

    def _corners(self) -> tuple[FloatArray, FloatArray]:
        if not self.bounded:
            raise ValueError(f"a {type(self).__name__} reaches to infinity and has no bounds")
        flat = self if len(self.batch_shape) < 2 else self.flattened()
        lower, upper = np.empty((*self.batch_shape, 3)), np.empty((*self.batch_shape, 3))
        BOUNDS[self.core_type].run(lower.size // 3, *flat.operands, address(lower), address(upper))
        return lower, upper

    def bounds(self) -> AABB:
        """Return the tight axis-aligned box around each element.

        Examples
        --------
        >>> Capsule([0, 0, 0], [0, 0, 4], 1).bounds()
        AABB(lower=[-1.0, -1.0, -1.0], upper=[1.0, 1.0, 5.0])
        """
        box = object.__new__(AABB)
        box._hold(self.corners(), AABB.layout.only_finite)  # in order they are
        return box

    def bounding_sphere(self) -> Sphere:
        """Return the smallest sphere around each element.

        Examples
        --------
        >>> Capsule([0, 0, 0], [0, 0, 4], 1).bounding_sphere()
        Sphere(center=[0.0, 0.0, 2.0], radius=3.0)
        """
        if not self.bounded:
            raise ValueError(f"a {type(self).__name__} reaches to infinity and has no bounding sphere")
        return self._bounding_sphere()

    def _bounding_sphere(self) -> Sphere:
        raise NotImplementedError

    def transformed(self, transform: Transform) -> Shape:
        """Return the shape under a transform, as a shape of the same kind with the joint batch axes.

        What a kind cannot represent is refused with a `ValueError` (a sphere would become an ellipsoid where the scale
        differs between axes), with one exception that is what engines do: an `AABB` under a rotation is refitted (its
        tight bounds are returned). Make it an `OrientedBox` first to have it turn.

        Parameters
        ----------
        transform : Transform
            One or a batch.

        Examples
        --------
        >>> from collision import Transform
        >>> Sphere([1, 0, 0], 1).transformed(Transform([0, 0, 5], scale=2))
        Sphere(center=[2.0, 0.0, 5.0], radius=2.0)
        """
        check_transform(transform, f"{type(self).__name__}.transformed", shape=self.batch_shape)
        with np.errstate(over="ignore", invalid="ignore"):  # what becomes infinite is refused by name
            return _UNDER_TRANSFORM[type(self)](self, transform)

    def translated(self, offset: ArrayLike) -> Self:
        """Return the shape moved by an offset; coordinates are rounded once, all else stays to the last bit.

        Parameters
        ----------
        offset : array_like, shape (..., 3)
            In scene units.

        Examples
        --------
        >>> Sphere([0, 0, 0], 1).translated([1, 2, 3]).center
        array([1., 2., 3.])
        """
        return self._shifted(read_vector(offset, "translated.offset"))

    def _shifted(self, step: FloatArray) -> Self:
        """Return the shape moved by an offset known to be one."""
        if step.ndim > 1:
            check_broadcast(f"{type(self).__name__}.translated", shape=self.batch_shape, offset=step.shape[:-1])
        moved = object.__new__(type(self))
        with np.errstate(over="ignore"):  # refused by name
            moved._hold([_shifted(v, step, f) for f, v in self._each()], self.layout.only_finite)
        return moved

    def flattened(self) -> Self:
        """Return the same elements, to the last bit, along a single batch axis in C order.

        Examples
        --------
        >>> Sphere([[[0, 0, 0], [1, 0, 0]]], 2).flattened().radius
        array([2., 2.])
        """
        axes = self.batch_shape
        if len(axes) == 1 and all(value.shape == axes + own_axes(value, field) for field, value in self._each()):
            return self
        count, every = math.prod(axes), self._broadcast()
        flat = [every[f.name].reshape(count, *own_axes(value, f)) for f, value in self._each()]
        return self._of(*map(np.ascontiguousarray, flat))

    def _broadcast(self) -> dict[str, FloatArray]:
        """Return all that is kept by name, each with all batch axes."""
        return {f.name: np.broadcast_to(v, self.batch_shape + own_axes(v, f)) for f, v in self._each()}

    def _each(self) -> Iterator[tuple[Field, FloatArray]]:
        return zip(self._kept, self.kept.values(), strict=True)

    @property
    def kept(self) -> dict[str, FloatArray]:
        """Return the fields by name, and behind them what follows from them; not for users."""
        attributes = self.__dict__
        return {field.name: attributes[field.name] for field in self._kept}

    def _parts(self) -> tuple[Any, ...]:
        return tuple(self.values().values())

    def __reduce__(self) -> tuple[Any, ...]:
        return self._of, tuple(self.kept.values())

    def values(self) -> dict[str, FloatArray]:
        """Return the fields by name, as they were given (not broadcast), as read-only arrays.

        Examples
        --------
        >>> Sphere([[0, 0, 0], [1, 0, 0]], 2).values()["radius"]
        array(2.)
        """
        attributes = self.__dict__
        return {field.name: attributes[field.name] for field in self._fields}

    def __repr__(self) -> str:
        def text(field: Field, value: FloatArray) -> str:
            few = value.size <= (24 if None in field.core else 9)
            return (
                f"{field.name}={value.tolist()}" if few else f"{field.name}=<{' × '.join(map(str, value.shape))} array>"
            )

        return f"{type(self).__name__}({', '.join(map(text, self._fields, self.values().values()))})"


_Kind = TypeVar("_Kind", bound=Shape)


def own_axes(value: FloatArray, field: Field) -> tuple[int, ...]:
    """Return the axes that each element has of a field."""
    return value.shape[value.ndim - field.width :]


def _shifted(value: FloatArray, step: FloatArray, field: Field) -> FloatArray:
    if not field.position:
        return value
    return value + (step if field.width == 1 else step[..., None, :])


def of_one_length(shapes: list[_Kind]) -> list[_Kind]:
    """Return shapes of one kind with as many points each: where some have fewer, the last of these is repeated."""
    kind = type(shapes[0])
    every = [shape.kept for shape in shapes]
    for field in kind._kept:
        if None in field.core:
            axis = field.core.index(None) - field.width
            longest = max(values[field.name].shape[axis] for values in every)
            for values in every:
                value = values[field.name]
                if value.shape[axis] < longest:
                    last = value.take([-1], axis=axis).repeat(longest - value.shape[axis], axis=axis)
                    values[field.name] = np.concatenate([value, last], axis=axis)
    return shapes if kind.layout.fixed else [kind._trusted(**values) for values in every]


def no_shape(value: object, role: str = "") -> str:
    """Return what a value is that should have been a shape, and how to make one of it where that is known."""
    name = type(value).__name__ + role
    return f"{name}; its .in_world(transform) is the Capsule" if hasattr(value, "in_world") else name


def out_of_range(shape: Shape) -> str:
    """Say of a shape that is out of range what its largest coordinate or size must be, and what it is."""
    bad, sizes = shape._out_of_range()
    return f"must have a largest coordinate or size from 1e-72 to 1e72, or zero, got {first_bad(bad, sizes)}"


def check_range(query: str, a: Shape, b: Shape) -> None:
    """Refuse shapes that are out of range."""
    for name, shape in (("a", a), ("b", b)):
        if shape.out_of_range:
            raise ValueError(f"{query}: {name} {out_of_range(shape)}")


def check_shapes(query: str, a: object, b: object) -> None:
    """Refuse objects that are no shapes."""
    for name, shape in (("a", a), ("b", b)):
        if not isinstance(shape, Shape):
            raise TypeError(f"{query} takes two shapes, got {no_shape(shape, f' as {name}')}") from None


def _farthest(core: ShapeCore, center: FloatArray) -> FloatArray:
    """Return balls, (n, 4), of the elements of a core, among them those that reach farthest from a point."""
    radius, balls = core.radius, []
    for point in core.extremes(lambda points: length(points - center)):
        ball = np.empty((*np.broadcast_shapes(point.shape[:-1], radius.shape), 4))
        ball[..., :3], ball[..., 3] = point, radius
        balls.append(ball.reshape(-1, 4))
    return np.concatenate(balls)


def all_of(kind: type[_Kind], *shapes: _Kind) -> tuple[_Kind, ...]:
    """Return the shapes of which `kind` is to make a union, which must all be of that kind, and one not empty."""
    for shape in shapes:
        if not isinstance(shape, kind):
            raise TypeError(f"{kind.__name__}.union takes shapes of that kind alone, got {type(shape).__name__}")
    if all(0 in shape.batch_shape for shape in shapes):
        raise ValueError(f"{kind.__name__}.union: there must be at least one element, got only empty batches")
    return shapes


# --- points ---------------------------------------------------------------------------------------


@final
@dataclass(frozen=True, init=False, eq=False, repr=False)
class Point(Shape):
    """A point.

    Parameters
    ----------
    position : array_like, shape (..., 3)
        Where it is.

    Examples
    --------
    >>> Point([1, 2, 3])
    Point(position=[1.0, 2.0, 3.0])
    """

    core_type = CoreType.POINT
    _operands = ("position", _ZERO)
    position: Field = Field(3, position=True)

    def __init__(self, position: ArrayLike) -> None:
        self._read(position)

    def _corners(self) -> tuple[FloatArray, FloatArray]:
        return self.position, self.position

    def _bounding_sphere(self) -> Sphere:
        return Sphere(self.position, 0.0)


@final
@dataclass(frozen=True, init=False, eq=False, repr=False)
class Sphere(Shape):
    """A ball: all points within a radius of the center.

    Parameters
    ----------
    center : array_like, shape (..., 3)
        The middle.
    radius : array_like, shape (...)
        Zero or more.

    Examples
    --------
    >>> Sphere([[0, 0, 0], [5, 0, 0]], 1).bounds().upper[1]
    array([6., 1., 1.])
    """

    core_type = CoreType.POINT
    _operands = ("center", "radius")
    center: Field = Field(3, position=True)
    radius: Field = Field(rule=NOT_NEGATIVE)

    def __init__(self, center: ArrayLike, radius: ArrayLike) -> None:
        self._read(center, radius)

    @classmethod
    def from_points(cls, points: ArrayLike) -> Sphere:
        """Return the smallest sphere around points, exact to 1.8e-15 of the radius and of the largest coordinate.

        The method is the pivoting of B. Gärtner, "Fast and robust smallest enclosing balls" (ESA 1999).

        Parameters
        ----------
        points : array_like, shape (..., n, 3)
            At least one point; all axes before the last two are batch axes.

        Examples
        --------
        >>> Sphere.from_points([[0, 0, 0], [4, 0, 0], [1, 1, 0]])
        Sphere(center=[2.0, 0.0, 0.0], radius=2.0)
        """
        return cls(*sphere_around(points, label="Sphere.from_points.points"))

    @classmethod
    def union(cls, first: Sphere, *others: Sphere) -> Sphere:
        """Return the smallest sphere around several spheres, all their elements included.

        It is exact to 1e-14 of the radius and of the largest coordinate: K. Fischer and B. Gärtner, "The smallest
        enclosing ball of balls: combinatorial structure and algorithms" (2004). A `ValueError` is raised if all are
        empty batches.

        Parameters
        ----------
        first, *others : Sphere
            Single ones or batches.

        Examples
        --------
        >>> Sphere.union(Sphere([-2, 0, 0], 1), Sphere([2, 0, 0], 3))
        Sphere(center=[1.0, 0.0, 0.0], radius=4.0)
        """
        return cls._smallest(*all_of(cls, first, *others))

    @classmethod
    def around(cls, first: Shape, *others: Shape) -> Sphere:
        """Return the smallest sphere around several shapes, all their elements included, as exact as by `union`.

        It can be much smaller than the union of their bounding spheres, which bulge. A `ValueError` is raised if a
        shape reaches to infinity, or all of them are empty batches.

        Parameters
        ----------
        first, *others : Shape
            Single ones or batches, of kinds with bounds.

        Examples
        --------
        >>> Sphere.around(Capsule([0, 0, 0], [8, 0, 0], 1), AABB([3, 0, 0], [5, 1, 1]))
        Sphere(center=[4.0, 0.0, 0.0], radius=5.0)
        """
        for shape in (first, *others):
            if not isinstance(shape, Shape):
                raise TypeError(f"Sphere.around takes shapes, got {no_shape(shape)}")
            if not shape.bounded:
                raise ValueError(f"Sphere.around: a {type(shape).__name__} reaches to infinity")
        if all(0 in shape.batch_shape for shape in (first, *others)):
            raise ValueError("Sphere.around: there must be at least one element, got only empty batches")
        return cls._smallest(first, *others)

    @classmethod
    def _smallest(cls, *shapes: Shape) -> Sphere:
        center, largest, found = np.zeros(3), -np.inf, np.empty((0, 4))
        asked: Sequence[Shape] = shapes
        with np.errstate(over="ignore", invalid="ignore"):  # refused by name
            while True:
                found = np.concatenate([found, *(_farthest(shape.core, center) for shape in asked)])
                center, radius = sphere_around_balls(np.ascontiguousarray(found[:, :3]), found[:, 3])
                asked = [shape for shape in shapes if shape.core.extent.vertices is None]
                if not asked or not radius > largest:  # of curved cores other points may now be the farthest
                    return cls(center, radius)
                largest = radius

    @property
    def without_radius(self) -> Point:
        """The center."""
        return Point(self.center)

    def _bounding_sphere(self) -> Sphere:
        return self


# --- linear pieces --------------------------------------------------------------------------------


@final
@dataclass(frozen=True, init=False, eq=False, repr=False)
class Segment(Shape):
    """The straight piece between two points; both may be the same.

    Parameters
    ----------
    start, end : array_like, shape (..., 3)
        The two ends, which belong to the segment.

    Examples
    --------
    >>> Segment([0, 0, 0], [0, 0, 2]).bounding_sphere()
    Sphere(center=[0.0, 0.0, 1.0], radius=1.0)
    """

    core_type = CoreType.LINEAR
    _operands = ("start", "end", _ZERO, _ONE, _ZERO)
    start: Field = Field(3, position=True)
    end: Field = Field(3, position=True)

    def __init__(self, start: ArrayLike, end: ArrayLike) -> None:
        self._read(start, end)

    def _bounding_sphere(self) -> Sphere:
        return _around(self.start, self.end)


@final
@dataclass(frozen=True, init=False, eq=False, repr=False)
class Ray(Shape):
    """A half line.

    Parameters
    ----------
    origin : array_like, shape (..., 3)
        Where it starts; this point belongs to the ray.
    direction : array_like, shape (..., 3)
        Where it goes. It is stored with unit length, so that parameters along the ray are distances.

    Examples
    --------
    >>> Ray([0, 0, 0], [0, 3, 0]).direction
    array([0., 1., 0.])
    """

    core_type = CoreType.LINEAR
    bounded = False
    _operands = ("origin", "direction", _ZERO, _INFINITY, _ZERO)
    origin: Field = Field(3, position=True)
    direction: Field = Field(3, rule=DIRECTION)

    def __init__(self, origin: ArrayLike, direction: ArrayLike) -> None:
        self._read(origin, direction)


@final
@dataclass(frozen=True, init=False, eq=False, repr=False)
class Line(Shape):
    """A line without ends.

    Parameters
    ----------
    point : array_like, shape (..., 3)
        Any point of it: where its parameter is zero.
    direction : array_like, shape (..., 3)
        Where it goes. It is stored with unit length, so that parameters along the line are distances.

    Examples
    --------
    >>> Line([0, 0, 1], [2, 0, 0]).direction
    array([1., 0., 0.])
    """

    core_type = CoreType.LINEAR
    bounded = False
    _operands = ("point", "direction", -_INFINITY, _INFINITY, _ZERO)
    point: Field = Field(3, position=True)
    direction: Field = Field(3, rule=DIRECTION)

    def __init__(self, point: ArrayLike, direction: ArrayLike) -> None:
        self._read(point, direction)


@final
@dataclass(frozen=True, init=False, eq=False, repr=False)
class Capsule(Shape):
    """A segment grown by a radius: a cylinder with two half-sphere caps. A zero-length capsule is a sphere.

    `CapsuleCollider` is the form that game engines give it, by center, axis and height.

    Parameters
    ----------
    start, end : array_like, shape (..., 3)
        The centers of the caps.
    radius : array_like, shape (...)
        Zero or more.

    Examples
    --------
    >>> Capsule([0, 0, 0], [0, 0, 2], 0.5).bounding_sphere()
    Sphere(center=[0.0, 0.0, 1.0], radius=1.5)
    """

    core_type = CoreType.LINEAR
    _operands = ("start", "end", _ZERO, _ONE, "radius")
    start: Field = Field(3, position=True)
    end: Field = Field(3, position=True)
    radius: Field = Field(rule=NOT_NEGATIVE)

    def __init__(self, start: ArrayLike, end: ArrayLike, radius: ArrayLike) -> None:
        self._read(start, end, radius)

    @property
    def without_radius(self) -> Segment:
        """The axis."""
        return Segment(self.start, self.end)

    def _bounding_sphere(self) -> Sphere:
        return _around(self.start, self.end, self.radius)


@final
@dataclass(frozen=True, init=False, eq=False, repr=False)
class Cylinder(Shape):
    """A cylinder with flat ends.

    Parameters
    ----------
    start, end : array_like, shape (..., 3)
        The middles of its flat ends, which must not be one point: a cylinder of no length has no axis.
    radius : array_like, shape (...)
        Zero or more.

    Notes
    -----
    Distances and depths are the gap along the normal, right to rounding. Witness points are known to rounding, too, but
    where flat ends of two cylinders are nearly parallel: there they can be 1e-9 of the size off the surface.

    Examples
    --------
    >>> Cylinder([0, 0, 0], [0, 0, 4], 1).bounds()
    AABB(lower=[-1.0, -1.0, 0.0], upper=[1.0, 1.0, 4.0])
    """

    core_type = CoreType.CYLINDER
    _operands = ("start", "end", "radius", _ZERO)
    start: Field = Field(3, position=True)
    end: Field = Field(3, position=True)
    radius: Field = Field(rule=NOT_NEGATIVE)

    def __init__(self, start: ArrayLike, end: ArrayLike, radius: ArrayLike) -> None:
        self._read(start, end, radius)
        same = np.all(self.start == self.end, axis=-1)
        if same.any():
            got = first_bad(same, np.broadcast_to(self.end, (*same.shape, 3)))
            raise ValueError(f"Cylinder.end must not be Cylinder.start, as it would have no axis, got {got} for both")

    def _bounding_sphere(self) -> Sphere:
        half = 0.5 * self.end - 0.5 * self.start
        with np.errstate(over="ignore"):  # refused by name
            return Sphere(0.5 * self.start + 0.5 * self.end, np.hypot(length(half), self.radius))


def hull_parts(points: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the middles (..., 3) and the numbers (..., m) of the hulls of points (..., n, 3)."""
    each = points.reshape(-1, *points.shape[-2:])
    found = [numbers_of(one, label="ConvexHull.points") for one in each]
    longest = max((len(own) for _, own in found), default=1)
    middles, numbers = np.empty((*points.shape[:-2], 3)), np.zeros((*points.shape[:-2], longest))
    for (middle, own), to, row in zip(found, middles.reshape(-1, 3), numbers.reshape(-1, longest), strict=True):
        to[:], row[: len(own)] = middle, own
    return middles, numbers


@final
@dataclass(frozen=True, init=False, eq=False, repr=False)
class ConvexHull(Shape):
    """The convex hull of points, which may be grown by a radius: a solid, or a polygon, a segment or a point.

    Parameters
    ----------
    points : array_like, shape (..., n, 3)
        One or more. All that is between them belongs to the hull; points inside, and repeated ones, change nothing.
    radius : array_like, shape (...)
        Zero or more: by how much the hull is grown, with round edges.

    Notes
    -----
    Its corners, edges and faces are found once, when it is made; a hull that is moved or turned keeps them. Points off
    a plane, an edge or another point by no more than rounding (9e-16 of the largest coordinate) are on it. Where a
    ray brushes a sliver, or a cylinder is as thin as a line, witness points can be 4e-9 of the size off the surface.

    Examples
    --------
    >>> ConvexHull([[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4]]).bounds()
    AABB(lower=[0.0, 0.0, 0.0], upper=[4.0, 4.0, 4.0])
    """

    core_type = CoreType.HULL
    _operands = ("points", "_middle", "_axes", "_numbers", "radius")
    points: Field = Field(None, 3, position=True)
    radius: Field = Field(rule=NOT_NEGATIVE)
    _middle = Field(3, position=True)
    _axes = RotationField()
    _numbers = Field(None)

    def __init__(self, points: ArrayLike, radius: ArrayLike = 0.0) -> None:
        kind = type(self).__name__
        given, size = (field.read(kind, v) for field, v in zip(self._fields, (points, radius), strict=True))
        middle, numbers = hull_parts(given)
        self._hold([given, size, middle, np.eye(3), numbers])

    @property
    def row_table(self) -> FloatArray:
        """The corners, edges and faces; not for users."""
        return self._numbers

    @property
    def without_radius(self) -> ConvexHull:
        """The hull of the points alone."""
        return self._trusted(**self.kept | {"radius": np.zeros(())})

    @cached_property
    def polytope(self) -> Polytope:
        """The corners, edges and faces of a single hull without its radius.

        Examples
        --------
        >>> pyramid = ConvexHull([[0, 0, 0], [4, 0, 0], [4, 4, 0], [0, 4, 0], [2, 2, 3], [2, 2, 1]])
        >>> pyramid.polytope.corners, pyramid.polytope.faces[0]
        (array([0, 1, 2, 3, 4]), [0, 3, 2, 1])
        """
        if self.batch_shape:
            raise ValueError(f"a batch of {len(self)} hulls has no polytope, each of them has")
        return polytope_of(self._numbers, self._axes)

    def _placed(self, transform: Transform) -> ConvexHull:
        """Return the hull moved and turned, but not scaled: what was found of it stays."""
        t = transform
        axes, position = t.axes[..., None, :, :], t.position[..., None, :]
        points, middle = turned(axes, self.points) + position, turned(t.axes, self._middle) + t.position
        values = [points, self.radius, middle, matrix_product(t.axes, self._axes), self._numbers]
        placed = object.__new__(type(self))
        placed._hold([np.array(value, order="C") for value in values], self.layout.rules)
        return placed

    def _bounding_sphere(self) -> Sphere:
        center, radius = sphere_around(self.points, label="ConvexHull.points")
        with np.errstate(over="ignore"):  # refused by name
            return Sphere(center, radius + self.radius)


def _around(start: FloatArray, end: FloatArray, radius: FloatArray | float = 0.0) -> Sphere:
    """Return the smallest sphere around two spheres of one radius."""
    with np.errstate(over="ignore"):  # refused by name
        return Sphere(0.5 * start + 0.5 * end, length(0.5 * end - 0.5 * start) + radius)


# --- boxes ----------------------------------------------------------------------------------------


@final
@dataclass(frozen=True, init=False, eq=False, repr=False)
class AABB(Shape):
    """An axis-aligned box.

    Parameters
    ----------
    lower, upper : array_like, shape (..., 3)
        The corners with the smallest and the largest coordinates; equal ones make a flat box.

    Examples
    --------
    >>> AABB([0, 0, 0], [1, 2, 3]).bounding_sphere().center
    array([0.5, 1. , 1.5])
    """

    core_type = CoreType.ALIGNED
    _operands = (_ORIGIN, _WORLD, "lower", "upper", _ONE)
    lower: Field = Field(3, position=True)
    upper: Field = Field(3, position=True)

    def __init__(self, lower: ArrayLike, upper: ArrayLike) -> None:
        self._read(lower, upper)
        if (self.lower > self.upper).any():
            lower, upper = np.broadcast_arrays(self.lower, self.upper)
            bad = np.any(lower > upper, axis=-1)
            raise ValueError(
                f"AABB.lower must not be above AABB.upper ({first_bad(bad, upper)}), got {first_bad(bad, lower)}"
            )

    @classmethod
    def from_points(cls, points: ArrayLike) -> AABB:
        """Return the tight box around points; it is exact.

        Parameters
        ----------
        points : array_like, shape (..., n, 3)
            At least one point; all axes before the last two are batch axes.

        Examples
        --------
        >>> AABB.from_points([[0, 5, 0], [1, 0, 2]])
        AABB(lower=[0.0, 0.0, 0.0], upper=[1.0, 5.0, 2.0])
        """
        array = read_points(points, "AABB.from_points.points")
        return cls(array.min(axis=-2), array.max(axis=-2))

    @classmethod
    def union(cls, first: AABB, *others: AABB) -> AABB:
        """Return the tight box around several boxes, all their elements included; it is exact.

        A `ValueError` is raised if all of them are empty batches.

        Parameters
        ----------
        first, *others : AABB
            Single ones or batches.

        Examples
        --------
        >>> AABB.union(AABB([0, 0, 0], [1, 1, 1]), AABB([2, 2, 2], [3, 3, 3])).upper
        array([3., 3., 3.])
        """
        boxes = all_of(cls, first, *others)
        corners = [np.concatenate([b.lower.reshape(-1, 3), b.upper.reshape(-1, 3)]) for b in boxes]
        return cls.from_points(np.concatenate(corners))

    @property
    def core(self) -> ShapeCore:
        """A box in the world's own frame, by its corners: nothing is rounded."""
        return ShapeCore(CoreType.ALIGNED, (_ORIGIN, _WORLD, self.lower, self.upper, 0.0))

    @property
    def center(self) -> FloatArray:
        """The middle, (..., 3)."""
        return 0.5 * self.lower + 0.5 * self.upper

    @property
    def half_extents(self) -> FloatArray:
        """Half the size along each axis, (..., 3)."""
        return 0.5 * self.upper - 0.5 * self.lower

    def oriented(self) -> OrientedBox:
        """Return the same box as an `OrientedBox`, which a rotation can turn.

        Examples
        --------
        >>> AABB([0, 0, 0], [4, 2, 2]).oriented().half_extents
        array([2., 1., 1.])
        """
        return OrientedBox(self.center, np.eye(3), self.half_extents)

    def _corners(self) -> tuple[FloatArray, FloatArray]:
        return self.lower, self.upper

    def _bounding_sphere(self) -> Sphere:
        return Sphere(self.center, length(self.half_extents))


@final
@dataclass(frozen=True, init=False, eq=False, repr=False)
class OrientedBox(Shape):
    """A box turned any way.

    Parameters
    ----------
    center : array_like, shape (..., 3)
        The middle.
    axes : Rotation or array_like, shape (..., 3, 3) or (..., 4)
        A rotation as `Transform` takes it. It is stored as a matrix, the columns of which are the box's unit axes in
        the world: one that is exact to rounding bit by bit. Of a pose (3 x 4 or 4 x 4), which is refused, use the 3 x 3
        part, or move a box at the origin by `Transform.from_matrix`.
    half_extents : array_like, shape (..., 3)
        Half the size along each of the box's axes, zero or more.

    Examples
    --------
    >>> turned = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    >>> OrientedBox([0, 0, 0], turned, [3, 1, 1]).bounds().upper
    array([1., 3., 1.])
    """

    core_type = CoreType.BOX
    _operands = ("center", "axes", "half_extents", "half_extents", -_ONE)
    center: Field = Field(3, position=True)
    axes: RotationField = RotationField()
    half_extents: Field = Field(3, rule=EXTENTS)

    # Any: of nested lists in which some numbers are whole, type checkers make no array.
    def __init__(self, center: ArrayLike, axes: Any, half_extents: ArrayLike) -> None:
        self._read(center, axes, half_extents)

    @property
    def core(self) -> ShapeCore:
        """A box in a frame of its own."""
        return ShapeCore(CoreType.BOX, (self.center, self.axes, -self.half_extents, self.half_extents, 0.0))

    def _bounding_sphere(self) -> Sphere:
        return Sphere(self.center, length(self.half_extents))


# --- half-spaces ----------------------------------------------------------------------------------


@final
@dataclass(frozen=True, init=False, eq=False, repr=False)
class HalfSpace(Shape):
    """All that is behind a plane: solid, closed and without bounds, as a ground or a wall is.

    Parameters
    ----------
    point : array_like, shape (..., 3)
        Any point of the plane.
    normal : array_like, shape (..., 3)
        Out of the solid, at a right angle to the plane. It is stored with unit length.

    Notes
    -----
    What no move can part from it (a line that pierces the plane, another half-space that does not face it) has a signed
    distance of minus infinity; both witness points are then one point that the two have in common. A direction counts
    as level with the plane if it rises by no more than 1.8e-15 of its length.

    Examples
    --------
    >>> from collision import Sphere, signed_distance
    >>> float(signed_distance(Sphere([3, 4, 2], 0.5), HalfSpace([0, 0, 0], [0, 0, 2])))
    1.5
    """

    core_type = CoreType.HALF_SPACE
    bounded = False
    anchored = False
    _operands = ("point", "normal")
    point: Field = Field(3, position=True)
    normal: Field = Field(3, rule=DIRECTION)

    def __init__(self, point: ArrayLike, normal: ArrayLike) -> None:
        self._read(point, normal)

    @property
    def core(self) -> ShapeCore:
        """A half-space of no radius."""
        return ShapeCore(CoreType.HALF_SPACE, (self.point, self.normal, 0.0))


#: The kinds, in the order used wherever kinds are listed.
KINDS: tuple[type[Shape], ...] = (
    Point,
    Segment,
    Ray,
    Line,
    Sphere,
    Capsule,
    Cylinder,
    AABB,
    OrientedBox,
    HalfSpace,
    ConvexHull,
)


# --- what becomes of them under a transform -------------------------------------------------------


def _same_size(transform: Transform) -> BoolArray:
    """Tell of each element whether all lengths follow one factor; mirrors may differ."""
    size = np.abs(transform.scale)
    return np.asarray(np.all(size == size[..., :1], axis=-1))


def _refuse_scale(bad: BoolArray, t: Transform, words: str, hint: str = "") -> None:
    refuse(bad, np.broadcast_to(t.scale, (*bad.shape, 3)), words, lambda scale: hint)


def _one_factor(shape: Shape, t: Transform, hint: str) -> FloatArray:
    words = f"a {type(shape).__name__} cannot follow a scale that differs between axes"
    _refuse_scale(~_same_size(t), t, words, f"; {hint}")
    return np.abs(t.scale[..., 0])


def _placed(points: FloatArray, t: Transform) -> FloatArray:
    """Return points that are known to be right under a transform that they broadcast with."""
    return turned(t.axes, points * t.scale) + t.position


def _sphere(s: Sphere, t: Transform) -> Shape:
    factor = _one_factor(s, t, "it would become an ellipsoid")
    return Sphere(_placed(s.center, t), s.radius * factor)


def _capsule(s: Capsule, t: Transform) -> Shape:
    factor = _one_factor(s, t, "given by axis and height, as a CapsuleCollider, it would")
    return Capsule(_placed(s.start, t), _placed(s.end, t), s.radius * factor)


def _cylinder(s: Cylinder, t: Transform) -> Shape:
    factor = _one_factor(s, t, "its ends would become ellipses")
    return Cylinder(_placed(s.start, t), _placed(s.end, t), s.radius * factor)


def _hull(s: ConvexHull, t: Transform) -> Shape:
    if np.all(t.scale == 1.0):
        return s._placed(t)
    radius = s.radius * _one_factor(s, t, "its round edges would not stay round") if np.any(s.radius) else s.radius
    axes, scale, position = t.axes[..., None, :, :], t.scale[..., None, :], t.position[..., None, :]
    return ConvexHull(turned(axes, s.points * scale) + position, radius)


def _aabb(s: AABB, t: Transform) -> Shape:
    linear = t.axes * t.scale[..., None, :]
    reach = turned(np.abs(linear), s.half_extents)
    middle = _placed(s.center, t)
    unrotated = np.all(t.axes == np.eye(3), axis=(-1, -2))[..., None]
    ends = _placed(s.lower, t), _placed(s.upper, t)  # to the last bit where nothing turns
    lower = np.where(unrotated, np.minimum(*ends), middle - reach)
    return AABB(lower, np.where(unrotated, np.maximum(*ends), middle + reach))


def _oriented_box(s: OrientedBox, t: Transform) -> Shape:
    # The columns of the scaled frame must stay at right angles; then their lengths are the factors of the extents.
    one_size = _same_size(t)
    along_axes = np.count_nonzero(np.abs(s.axes) > 1e-12, axis=-2).max(axis=-1) == 1
    words = "an OrientedBox cannot follow a scale that differs between axes unless its own axes lie along them"
    _refuse_scale(~(one_size | along_axes), t, f"{words}: it would shear")
    stretched = np.linalg.norm(t.scale[..., :, None] * s.axes, axis=-2)
    factors = np.where(one_size[..., None], np.abs(t.scale[..., :1]), stretched)  # to the last bit where it can be
    signs = np.where(t.scale < 0.0, -1.0, 1.0)
    mirrored = signs[..., :, None] * s.axes
    # A mirror makes the frame left-handed. A box is its own mirror image along its axes: turn the last one around.
    mirrored[..., 2] *= np.prod(signs, axis=-1)[..., None]
    return OrientedBox(_placed(s.center, t), matrix_product(t.axes, mirrored), s.half_extents * factors)


def _direction(s: Ray | Line, t: Transform) -> FloatArray:
    direction = turned(t.axes, s.direction * t.scale)
    words = f"a {type(s).__name__} along an axis of zero scale has no direction left"
    _refuse_scale(np.all(direction == 0.0, axis=-1), t, words)
    return direction


def _half_space(s: HalfSpace, t: Transform) -> Shape:
    _refuse_scale(np.any(t.scale == 0.0, axis=-1), t, "a HalfSpace cannot follow a scale of zero")
    # A normal follows the inverse of the scale. Only ratios count: the largest part of the normal has one of 1.
    used = s.normal != 0.0
    least = np.min(np.where(used, np.abs(t.scale), np.inf), axis=-1, keepdims=True)
    ratios = np.where(used, least / t.scale, 0.0)
    return HalfSpace(_placed(s.point, t), turned(t.axes, s.normal * ratios))


#: What becomes of each kind under a transform.
_UNDER_TRANSFORM: dict[type[Shape], Callable[[Any, Transform], Shape]] = {
    Point: lambda s, t: Point(_placed(s.position, t)),
    Segment: lambda s, t: Segment(_placed(s.start, t), _placed(s.end, t)),
    Ray: lambda s, t: Ray(_placed(s.origin, t), _direction(s, t)),
    Line: lambda s, t: Line(_placed(s.point, t), _direction(s, t)),
    Sphere: _sphere,
    Capsule: _capsule,
    Cylinder: _cylinder,
    AABB: _aabb,
    OrientedBox: _oriented_box,
    ConvexHull: _hull,
    HalfSpace: _half_space,
}
