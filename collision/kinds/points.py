"""Points, and what is a point with a radius: spheres."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from collision.bounding import sphere_around
from collision.fields import (
    NOT_NEGATIVE,
    ArrayLike,
    Field,
    FloatArray,
    length,
)
from collision.kinds.union import all_of
from collision.separation.table import Rank
from collision.shape import Core, Shape

_ZERO = np.array([0.0])


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
        flat = [sphere.flattened() for sphere in all_of(cls, first, *others)]
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
