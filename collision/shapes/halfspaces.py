"""The half-space: a kind of shape without bounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from collision.base.fields import DIRECTION, ArrayLike, Field
from collision.kernels.table import CoreType
from collision.shapes.shape import Core, Shape


@dataclass(frozen=True, init=False, eq=False, repr=False)
class HalfSpace(Shape):
    """All that is behind a plane: solid, closed and without bounds, as a ground or a wall is.

    Parameters
    ----------
    point : array_like, shape (..., 3)
        Any point of the plane.
    normal : array_like, shape (..., 3)
        Out of the solid, at a right angle to the plane. It is stored with unit length.

    Raises
    ------
    ValueError
        If a field is not finite or not (..., 3), or a normal is zero.

    Notes
    -----
    What no move can part from it (a line that pierces the plane, another half-space that does not face it) has a signed
    distance of minus infinity; both witness points are then one point that the two have in common. A direction counts
    as level with the plane if it rises by no more than 1.8e-15 of its length.

    Examples
    --------
    >>> from collision import Sphere, closest_points
    >>> ground = HalfSpace([0, 0, 0], [0, 0, 2])
    >>> ground
    HalfSpace(point=[0.0, 0.0, 0.0], normal=[0.0, 0.0, 1.0])
    >>> found = closest_points(Sphere([3, 4, 2], 0.5), ground)
    >>> float(found.signed_distance), found.on_b, found.normal
    (1.5, array([3., 4., 0.]), array([ 0.,  0., -1.]))
    """

    core_type: ClassVar[int] = CoreType.HALF_SPACE
    bounded: ClassVar[bool] = False
    anchored: ClassVar[bool] = False
    _operands = ("point", "normal")
    point: Field = Field(3, place=True)
    normal: Field = Field(3, rule=DIRECTION)

    def __init__(self, point: ArrayLike, normal: ArrayLike) -> None:
        self._read(point, normal)

    @property
    def core(self) -> Core:
        """A half-space of no radius."""
        return Core("half_space", (self.point, self.normal, 0.0))
