"""Segments, rays and lines, and capsules, which are segments with a radius."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from collision.base.fields import (
    DIRECTION,
    NOT_NEGATIVE,
    ArrayLike,
    Field,
    FloatArray,
    length,
)
from collision.kernels.table import CoreType
from collision.shapes.points import Sphere
from collision.shapes.shape import Core, Shape

_ZERO, _ONE, _INFINITY = np.array([0.0]), np.array([1.0]), np.array([np.inf])


@final
@dataclass(frozen=True, init=False, eq=False, repr=False)
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

    core_type: ClassVar[int] = CoreType.LINEAR
    _operands = ("start", "end", _ZERO, _ONE, _ZERO)
    start: Field = Field(3, place=True)
    end: Field = Field(3, place=True)

    def __init__(self, start: ArrayLike, end: ArrayLike) -> None:
        self._read(start, end)

    @property
    def core(self) -> Core:
        """A linear piece of no radius, from parameter 0 to 1."""
        return Core("linear", (self.start, self.end, 0.0, 1.0, 0.0))

    def bounding_sphere(self) -> Sphere:
        """Return the sphere whose diameter is the segment.

        Returns
        -------
        Sphere
            The smallest around each element, to rounding.

        Raises
        ------
        ValueError
            If the radius would be too large for a number.

        Examples
        --------
        >>> from collision import Segment
        >>> Segment([0, 0, 0], [0, 0, 4]).bounding_sphere()
        Sphere(center=[0.0, 0.0, 2.0], radius=2.0)
        """
        return _around_segment(self.start, self.end, np.zeros(()))


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

    Raises
    ------
    ValueError
        If a field is not finite or not (..., 3), or a direction is zero.

    Examples
    --------
    >>> Ray([0, 0, 0], [0, 3, 0]).direction
    array([0., 1., 0.])
    """

    core_type: ClassVar[int] = CoreType.LINEAR
    bounded: ClassVar[bool] = False
    _operands = ("origin", "direction", _ZERO, _INFINITY, _ZERO)
    origin: Field = Field(3, place=True)
    direction: Field = Field(3, rule=DIRECTION)

    def __init__(self, origin: ArrayLike, direction: ArrayLike) -> None:
        self._read(origin, direction)

    @property
    def core(self) -> Core:
        """A linear piece of no radius, from parameter 0 to infinity."""
        return Core("linear", (self.origin, self.direction, 0.0, np.inf, 0.0))


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

    Raises
    ------
    ValueError
        If a field is not finite or not (..., 3), or a direction is zero.

    Examples
    --------
    >>> Line([0, 0, 1], [2, 0, 0]).direction
    array([1., 0., 0.])
    """

    core_type: ClassVar[int] = CoreType.LINEAR
    bounded: ClassVar[bool] = False
    _operands = ("point", "direction", -_INFINITY, _INFINITY, _ZERO)
    point: Field = Field(3, place=True)
    direction: Field = Field(3, rule=DIRECTION)

    def __init__(self, point: ArrayLike, direction: ArrayLike) -> None:
        self._read(point, direction)

    @property
    def core(self) -> Core:
        """A linear piece of no radius, infinite both ways."""
        return Core("linear", (self.point, self.direction, -np.inf, np.inf, 0.0))


@final
@dataclass(frozen=True, init=False, eq=False, repr=False)
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

    core_type: ClassVar[int] = CoreType.LINEAR
    _operands = ("start", "end", _ZERO, _ONE, "radius")
    start: Field = Field(3, place=True)
    end: Field = Field(3, place=True)
    radius: Field = Field(rule=NOT_NEGATIVE)

    def __init__(self, start: ArrayLike, end: ArrayLike, radius: ArrayLike) -> None:
        self._read(start, end, radius)

    @property
    def core(self) -> Core:
        """A linear piece with a radius."""
        return Core("linear", (self.start, self.end, 0.0, 1.0, self.radius))

    def bounding_sphere(self) -> Sphere:
        """Return the smallest sphere around each capsule: it touches both caps.

        Returns
        -------
        Sphere
            The smallest around each element, to rounding.

        Raises
        ------
        ValueError
            If the radius would be too large for a number.

        Examples
        --------
        >>> from collision import Capsule
        >>> Capsule([0, 0, 0], [0, 0, 4], 1).bounding_sphere()
        Sphere(center=[0.0, 0.0, 2.0], radius=3.0)
        """
        return _around_segment(self.start, self.end, self.radius)


def _around_segment(start: FloatArray, end: FloatArray, radius: FloatArray) -> Sphere:
    half = 0.5 * end - 0.5 * start
    with np.errstate(over="ignore"):  # refused by name
        reach = length(half) + radius
    return Sphere(0.5 * start + 0.5 * end, reach)
