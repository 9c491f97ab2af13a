"""Where points stand beside linear pieces: the foot of the perpendicular, and which region they are in."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from collision.base.fields import FloatArray
from collision.queries.distances import joint_axes
from collision.queries.separation import separate
from collision.shapes.kinds import Capsule, Line, Point, Ray, Segment, Shape, Sphere


class Foot(NamedTuple):
    """Where a point stands beside a linear piece.

    Attributes
    ----------
    parameter : ndarray, shape (...)
        The rate along the piece, not clamped: 0 at its start, 1 at its end; a distance for a ray or a line.
    point : ndarray, shape (..., 3)
        The foot of the perpendicular, on the piece or on its extension.
    region : ndarray of str, shape (...)
        ``before`` the start, ``between`` the ends, or ``after`` the end.
    nearest : ndarray, shape (..., 3)
        The nearest point that belongs to the piece.
    distance : ndarray, shape (...)
        From the point to `nearest`.
    """

    parameter: FloatArray
    point: FloatArray
    region: npt.NDArray[np.str_]
    nearest: FloatArray
    distance: FloatArray


def foot(point: Shape, linear: Shape, /) -> Foot:
    """Return the foot of the perpendicular from a point to a linear piece, and the region of the point, as a `Foot`.

    It is exact to 1e-14 of the largest coordinate of the point, the piece and the foot. See Ericson, *Real-Time
    Collision Detection*, section 5.1.2.

    Parameters
    ----------
    point : Point or Sphere
        For a sphere its center counts.
    linear : Segment, Capsule, Ray or Line
        For a capsule its axis counts. A zero-length piece has its foot at its start.

    Examples
    --------
    >>> from collision import Point, Segment, foot
    >>> found = foot(Point([3, 1, 0]), Segment([0, 0, 0], [2, 0, 0]))
    >>> float(found.parameter), found.point, str(found.region), found.nearest
    (1.5, array([3., 0., 0.]), 'after', array([2., 0., 0.]))
    """
    if not isinstance(point, Point | Sphere):
        raise TypeError(f"foot: the first shape must be a Point or a Sphere, got {type(point).__name__}")
    if not isinstance(linear, Segment | Capsule | Ray | Line):
        raise TypeError(f"foot: the second shape must be a Segment, Capsule, Ray or Line, got {type(linear).__name__}")
    lead = joint_axes(point, linear, "foot")
    center = point.core.middle()
    start, tip, *_ = linear.values().values()
    lo, hi = -np.inf if isinstance(linear, Line) else 0.0, 1.0 if linear.bounded else np.inf
    with np.errstate(over="ignore", invalid="ignore"):  # near the largest number there may be no answer
        direction = tip - start if linear.bounded else tip
        parameter = _rate_along(center - start, direction, lead)
        on_line = start + parameter[..., None] * direction
    region = np.where(parameter < lo, "before", np.where(parameter > hi, "after", "between"))
    nearest = separate(point.without_radius, linear.without_radius, lead)
    return Foot(parameter[()], on_line, region[()], nearest.on_b, nearest.signed_distance)


def _rate_along(way: FloatArray, direction: FloatArray, lead: tuple[int, ...]) -> FloatArray:
    """Return how many times a direction goes into the part of a way along it; 0 where the direction is zero."""
    exponent = np.frexp(np.abs(direction).max(axis=-1))[1]
    near_one = np.ldexp(direction, -exponent[..., None])  # exact, and neither 1e-200 nor 1e200 is lost in a square
    squared = np.sum(near_one * near_one, axis=-1)
    product = np.sum(way * near_one, axis=-1)
    rate = np.divide(product, squared, out=np.zeros(lead), where=squared > 0.0)
    return np.asarray(np.ldexp(rate, -exponent))
