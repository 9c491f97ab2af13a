"""The nine kinds of shape.

A shape is a frozen, checked value. Its fields are read-only float64 arrays that may carry leading *batch axes*, which
broadcast by NumPy's rules: ``Sphere(centers, 0.5)`` with centers of shape (1000, 3) is a thousand spheres, and every
query takes it as it takes one.

Every shape is a *core* (a point, a linear piece, a box or a half-space) grown by a *radius*; the property `core` says
which, and it is all that the kernels of `collision.separation` ever see. Shapes are closed sets: the surface belongs to
the shape.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeVar, final

import numpy as np

from collision.bounding import sphere_around
from collision.fields import (
    DIRECTION,
    EXTENTS,
    NOT_NEGATIVE,
    ArrayLike,
    Field,
    FloatArray,
    first_bad,
    length,
    read_vector,
)
from collision.halfspaces import HalfSpace
from collision.rotations import RotationField
from collision.separation.table import Rank
from collision.shape import Core, Shape

_Kind = TypeVar("_Kind", bound=Shape)

_ZERO, _ONE, _INFINITY = np.array([0.0]), np.array([1.0]), np.array([np.inf])
_ORIGIN, _WORLD = np.zeros(3), np.eye(3)
_ORIGIN.flags.writeable = _WORLD.flags.writeable = False

__all__ = ["AABB", "KINDS", "Capsule", "HalfSpace", "Line", "OrientedBox", "Point", "Ray", "Segment", "Shape", "Sphere"]


@final
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

    rank: ClassVar[int] = Rank.POINT
    _operands = ("position", _ZERO)
    position: Field = Field(3, place=True)

    @property
    def core(self) -> Core:
        """A point of no radius."""
        return Core("point", (self.position, 0.0))

    def _corners(self) -> tuple[FloatArray, FloatArray]:
        return self.position, self.position

    def bounding_sphere(self) -> Sphere:
        """Return the sphere of no radius at the point."""
        return Sphere._trusted(center=self.position, radius=np.zeros(()))


@final
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

    rank: ClassVar[int] = Rank.LINEAR
    _operands = ("start", "end", _ZERO, _ONE, _ZERO)
    start: Field = Field(3, place=True)
    end: Field = Field(3, place=True)

    @property
    def core(self) -> Core:
        """A linear piece of no radius, from parameter 0 to 1."""
        return Core("linear", (self.start, self.end, 0.0, 1.0, 0.0))

    def bounding_sphere(self) -> Sphere:
        """Return the sphere whose diameter is the segment."""
        return _around_segment(self.start, self.end, np.zeros(()))


@final
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

    rank: ClassVar[int] = Rank.LINEAR
    bounded: ClassVar[bool] = False
    _operands = ("origin", "direction", _ZERO, _INFINITY, _ZERO)
    origin: Field = Field(3, place=True)
    direction: Field = Field(3, rule=DIRECTION)

    @property
    def core(self) -> Core:
        """A linear piece of no radius, from parameter 0 to infinity."""
        return Core("linear", (self.origin, self.direction, 0.0, np.inf, 0.0))


@final
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

    rank: ClassVar[int] = Rank.LINEAR
    bounded: ClassVar[bool] = False
    _operands = ("point", "direction", -_INFINITY, _INFINITY, _ZERO)
    point: Field = Field(3, place=True)
    direction: Field = Field(3, rule=DIRECTION)

    @property
    def core(self) -> Core:
        """A linear piece of no radius, infinite both ways."""
        return Core("linear", (self.point, self.direction, -np.inf, np.inf, 0.0))


@final
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

    rank: ClassVar[int] = Rank.POINT
    _operands = ("center", "radius")
    center: Field = Field(3, place=True)
    radius: Field = Field(rule=NOT_NEGATIVE)

    @classmethod
    def from_points(cls, points: ArrayLike) -> Sphere:
        """Return a small sphere around points: the smallest for up to four, near the smallest beyond.

        See `collision.bounding.sphere_around` for the method and the bound.

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
        >>> Sphere.from_points([[0, 0, 0], [4, 0, 0], [1, 1, 0]])
        Sphere(center=[2.0, 0.0, 0.0], radius=2.0)
        """
        return cls(*sphere_around(points, label="Sphere.from_points.points"))

    @classmethod
    def union(cls, first: Sphere, *others: Sphere) -> Sphere:
        """Return a small sphere around several spheres, all their elements included.

        It has the center of the smallest sphere around their centers, so it is the smallest where all radii are equal,
        and at most twice as large as the smallest where they differ.

        Raises
        ------
        TypeError
            If an argument is no sphere.
        ValueError
            If all of them are empty batches.

        Examples
        --------
        >>> Sphere.union(Sphere([-2, 0, 0], 1), Sphere([2, 0, 0], 1))
        Sphere(center=[0.0, 0.0, 0.0], radius=3.0)
        """
        flat = [sphere.flattened() for sphere in _all_of(cls, first, *others)]
        centers = np.concatenate([sphere.center for sphere in flat])
        radii = np.concatenate([sphere.radius for sphere in flat])
        middle, _ = sphere_around(centers)
        return cls(middle, np.max(length(centers - middle) + radii))

    @property
    def core(self) -> Core:
        """A point with a radius."""
        return Core("point", (self.center, self.radius))

    def bounding_sphere(self) -> Sphere:
        """Return the sphere itself."""
        return self


@final
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

    rank: ClassVar[int] = Rank.LINEAR
    _operands = ("start", "end", _ZERO, _ONE, "radius")
    start: Field = Field(3, place=True)
    end: Field = Field(3, place=True)
    radius: Field = Field(rule=NOT_NEGATIVE)

    @property
    def core(self) -> Core:
        """A linear piece with a radius."""
        return Core("linear", (self.start, self.end, 0.0, 1.0, self.radius))

    def bounding_sphere(self) -> Sphere:
        """Return the smallest sphere around each capsule: it touches both caps."""
        return _around_segment(self.start, self.end, self.radius)


@final
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

    rank: ClassVar[int] = Rank.ALIGNED
    _operands = (_ORIGIN, _WORLD, "lower", "upper", _ONE)
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
            raise ValueError(f"AABB.from_points.points must be (..., n, 3) with n >= 1, got shape {array.shape}")
        return cls(array.min(axis=-2), array.max(axis=-2))

    @classmethod
    def union(cls, first: AABB, *others: AABB) -> AABB:
        """Return the tight box around several boxes, all their elements included.

        Raises
        ------
        TypeError
            If an argument is no AABB.
        ValueError
            If all of them are empty batches.

        Examples
        --------
        >>> AABB.union(AABB([0, 0, 0], [1, 1, 1]), AABB([2, 2, 2], [3, 3, 3])).upper
        array([3., 3., 3.])
        """
        boxes = _all_of(cls, first, *others)
        corners = [np.concatenate([b.lower.reshape(-1, 3), b.upper.reshape(-1, 3)]) for b in boxes]
        return cls.from_points(np.concatenate(corners))

    @property
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

    def _corners(self) -> tuple[FloatArray, FloatArray]:
        return self.lower, self.upper

    def bounding_sphere(self) -> Sphere:
        """Return the sphere through the corners."""
        return Sphere(self.center, length(self.half_extents))


@final
@dataclass(frozen=True, eq=False, repr=False)
class OrientedBox(Shape):
    """A box turned any way.

    Parameters
    ----------
    center : array_like, shape (..., 3)
        The middle.
    axes : Rotation or array_like, shape (..., 3, 3) or (..., 4)
        A rotation matrix, the columns of which are the box's unit axes in the world; or a SciPy rotation, or
        quaternions in (x, y, z, w) order, which need not be of unit length. It is stored as a matrix: one that is exact
        to rounding bit by bit, and of one that is a little off (as float32 or with six digits) the nearest rotation.
        The products of its columns may be off by 1e-5. A pose (3 x 4 or 4 x 4) is refused, not taken for quaternions:
        use its 3 x 3 part, or move a box at the origin by `Transform.from_matrix`.
    half_extents : array_like, shape (..., 3)
        Half the size along each of the box's axes, zero or more.

    Raises
    ------
    ValueError
        If a field is not finite or has the wrong width, a half extent is negative, or axes is no rotation: also where
        it may be a pose as well as three or four quaternions, which SciPy's ``Rotation.from_quat`` tells apart.

    Examples
    --------
    >>> turned = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    >>> OrientedBox([0, 0, 0], turned, [3, 1, 1]).bounds().upper
    array([1., 3., 1.])
    """

    rank: ClassVar[int] = Rank.BOX
    _operands = ("center", "axes", "half_extents", "half_extents", -_ONE)
    center: Field = Field(3, place=True)
    axes: RotationField = RotationField()
    half_extents: Field = Field(3, rule=EXTENTS)

    @property
    def core(self) -> Core:
        """A box in a frame of its own."""
        return Core("box", (self.center, self.axes, -self.half_extents, self.half_extents, 0.0))

    def bounding_sphere(self) -> Sphere:
        """Return the sphere through the corners."""
        return Sphere(self.center, length(self.half_extents))


#: The kinds, in the order used wherever kinds are listed.
KINDS: tuple[type[Shape], ...] = (Point, Segment, Ray, Line, Sphere, Capsule, AABB, OrientedBox, HalfSpace)


def _all_of(kind: type[_Kind], *shapes: _Kind) -> tuple[_Kind, ...]:
    """Return the shapes of which `kind` is to make a union, which must all be of that kind, and one not empty."""
    for shape in shapes:
        if not isinstance(shape, kind):
            raise TypeError(f"{kind.__name__}.union takes shapes of that kind alone, got {type(shape).__name__}")
    if all(0 in shape.batch_shape for shape in shapes):
        raise ValueError(f"{kind.__name__}.union: there must be at least one element, got only empty batches")
    return shapes


def _around_segment(start: FloatArray, end: FloatArray, radius: FloatArray) -> Sphere:
    half = 0.5 * end - 0.5 * start
    with np.errstate(over="ignore"):  # refused by name
        reach = length(half) + radius
    return Sphere(0.5 * start + 0.5 * end, reach)
