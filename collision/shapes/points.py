"""Points, and spheres, which are points with a radius."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from collision.base.fields import (
    NOT_NEGATIVE,
    ArrayLike,
    Field,
    FloatArray,
)
from collision.kernels.table import CoreType
from collision.shapes.balls import extreme_points, sphere_around_balls
from collision.shapes.bounding import sphere_around
from collision.shapes.shape import Core, Shape, no_shape
from collision.shapes.union import all_of

_ZERO = np.array([0.0])


@final
@dataclass(frozen=True, init=False, eq=False, repr=False)
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

    core_type: ClassVar[int] = CoreType.POINT
    _operands = ("position", _ZERO)
    position: Field = Field(3, place=True)

    def __init__(self, position: ArrayLike) -> None:
        self._read(position)

    @property
    def core(self) -> Core:
        """A point of no radius."""
        return Core("point", (self.position, 0.0))

    def _corners(self) -> tuple[FloatArray, FloatArray]:
        return self.position, self.position

    def bounding_sphere(self) -> Sphere:
        """Return the sphere of no radius at the point.

        Returns
        -------
        Sphere
            The smallest around each element, exact.

        Examples
        --------
        >>> from collision import Point
        >>> Point([1, 2, 3]).bounding_sphere()
        Sphere(center=[1.0, 2.0, 3.0], radius=0.0)
        """
        return Sphere._trusted(center=self.position, radius=np.zeros(()))


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

    core_type: ClassVar[int] = CoreType.POINT
    _operands = ("center", "radius")
    center: Field = Field(3, place=True)
    radius: Field = Field(rule=NOT_NEGATIVE)

    def __init__(self, center: ArrayLike, radius: ArrayLike) -> None:
        self._read(center, radius)

    @classmethod
    def from_points(cls, points: ArrayLike) -> Sphere:
        """Return the smallest sphere around points.

        Parameters
        ----------
        points : array_like, shape (..., n, 3)
            At least one point; all axes before the last two are batch axes.

        Returns
        -------
        Sphere
            The radius exceeds the smallest by no more than 1.8e-15 of itself and of the largest coordinate, and all
            points are inside to as much.

        Raises
        ------
        ValueError
            If there is no point, or a point is not finite.

        Notes
        -----
        The pivoting of B. Gärtner, "Fast and robust smallest enclosing balls" (ESA 1999).

        Examples
        --------
        >>> Sphere.from_points([[0, 0, 0], [4, 0, 0], [1, 1, 0]])
        Sphere(center=[2.0, 0.0, 0.0], radius=2.0)
        """
        return cls(*sphere_around(points, label="Sphere.from_points.points"))

    @classmethod
    def union(cls, first: Sphere, *others: Sphere) -> Sphere:
        """Return the smallest sphere around several spheres, all their elements included.

        Parameters
        ----------
        first, *others : Sphere
            Single ones or batches.

        Returns
        -------
        Sphere
            The radius exceeds the smallest by no more than 1e-14 of itself and of the largest coordinate, and all
            spheres are inside to as much.

        Raises
        ------
        TypeError
            If an argument is no sphere.
        ValueError
            If all of them are empty batches.

        Notes
        -----
        K. Fischer and B. Gärtner, "The smallest enclosing ball of balls: combinatorial structure and algorithms"
        (2004).

        Examples
        --------
        >>> Sphere.union(Sphere([-2, 0, 0], 1), Sphere([2, 0, 0], 3))
        Sphere(center=[1.0, 0.0, 0.0], radius=4.0)
        """
        return cls._smallest(*all_of(cls, first, *others))

    @classmethod
    def around(cls, first: Shape, *others: Shape) -> Sphere:
        """Return the smallest sphere around several shapes of any kinds, all their elements included.

        It can be much smaller than the union of their bounding spheres, which bulge.

        Parameters
        ----------
        first, *others : Shape
            Single ones or batches, of kinds with bounds.

        Returns
        -------
        Sphere
            As exact as that of `union`.

        Raises
        ------
        TypeError
            If an argument is no shape.
        ValueError
            If one reaches to infinity, or all of them are empty batches.

        Notes
        -----
        A sphere around a convex shape is one around its corners, grown by its radius; see `union`.

        Examples
        --------
        >>> from collision import AABB, Capsule
        >>> Sphere.around(Capsule([[0, 0, 0], [4, 0, 0]], [[4, 0, 0], [8, 0, 0]], 1), AABB([3, 0, 0], [5, 1, 1]))
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
        centers, radii = [], []
        for shape in shapes:
            points, radius = extreme_points(shape)
            for point in points:
                lead = np.broadcast_shapes(point.shape[:-1], radius.shape)
                centers.append(np.broadcast_to(point, (*lead, 3)).reshape(-1, 3))
                radii.append(np.broadcast_to(radius, lead).ravel())
        with np.errstate(over="ignore", invalid="ignore"):  # refused by name
            return cls(*sphere_around_balls(np.concatenate(centers), np.concatenate(radii)))

    @property
    def core(self) -> Core:
        """A point with a radius."""
        return Core("point", (self.center, self.radius))

    def bounding_sphere(self) -> Sphere:
        """Return the sphere itself.

        Returns
        -------
        Sphere
            The smallest around each element, exact.

        Examples
        --------
        >>> from collision import Sphere
        >>> Sphere([1, 2, 3], 4).bounding_sphere()
        Sphere(center=[1.0, 2.0, 3.0], radius=4.0)
        """
        return self
