"""Boxes: along the axes of the world, and turned any way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from collision.base.fields import (
    EXTENTS,
    ArrayLike,
    Field,
    FloatArray,
    first_bad,
    length,
    read_vector,
)
from collision.kernels.table import CoreType
from collision.shapes.points import Sphere
from collision.shapes.rotations import RotationField
from collision.shapes.shape import Core, Shape
from collision.shapes.union import all_of

_ONE, _ORIGIN, _WORLD = np.array([1.0]), np.zeros(3), np.eye(3)
_ORIGIN.flags.writeable = _WORLD.flags.writeable = False


@final
@dataclass(frozen=True, init=False, eq=False, repr=False)
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

    core_type: ClassVar[int] = CoreType.ALIGNED
    _operands = (_ORIGIN, _WORLD, "lower", "upper", _ONE)
    lower: Field = Field(3, place=True)
    upper: Field = Field(3, place=True)

    def __init__(self, lower: ArrayLike, upper: ArrayLike) -> None:
        self._read(lower, upper)

    def _finish(self) -> None:
        if (self.lower > self.upper).any():
            lower, upper = np.broadcast_arrays(self.lower, self.upper)
            bad = np.any(lower > upper, axis=-1)
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

        Returns
        -------
        AABB
            Exact: its coordinates are those of points.

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

        Parameters
        ----------
        first, *others : AABB
            Single ones or batches.

        Returns
        -------
        AABB
            Exact: its coordinates are those of the boxes.

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
        boxes = all_of(cls, first, *others)
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
        """Return the same box as an `OrientedBox`, which a rotation can turn.

        Returns
        -------
        OrientedBox
            The same to rounding of the center and the half extents.

        Examples
        --------
        >>> from collision import AABB
        >>> AABB([0, 0, 0], [4, 2, 2]).oriented().half_extents
        array([2., 1., 1.])
        """
        return OrientedBox(self.center, np.eye(3), self.half_extents)

    def _corners(self) -> tuple[FloatArray, FloatArray]:
        return self.lower, self.upper

    def bounding_sphere(self) -> Sphere:
        """Return the sphere through the corners.

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
        >>> from collision import AABB
        >>> AABB([0, 0, 0], [2, 4, 4]).bounding_sphere()
        Sphere(center=[1.0, 2.0, 2.0], radius=3.0)
        """
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

    core_type: ClassVar[int] = CoreType.BOX
    _operands = ("center", "axes", "half_extents", "half_extents", -_ONE)
    center: Field = Field(3, place=True)
    axes: RotationField = RotationField()
    half_extents: Field = Field(3, rule=EXTENTS)

    # Any: of nested lists in which some numbers are whole, type checkers make no array.
    def __init__(self, center: ArrayLike, axes: Any, half_extents: ArrayLike) -> None:
        self._read(center, axes, half_extents)

    @property
    def core(self) -> Core:
        """A box in a frame of its own."""
        return Core("box", (self.center, self.axes, -self.half_extents, self.half_extents, 0.0))

    def bounding_sphere(self) -> Sphere:
        """Return the sphere through the corners.

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
        >>> from collision import OrientedBox
        >>> OrientedBox([0, 0, 0], [0, 0, 0, 1], [1, 2, 2]).bounding_sphere()
        Sphere(center=[0.0, 0.0, 0.0], radius=3.0)
        """
        return Sphere(self.center, length(self.half_extents))
