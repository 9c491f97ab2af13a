"""How the signed distance of two shapes changes when they are moved or turned.

The signed distance is the way from one witness point to the other along the normal. Both are extremal, so to first
order its change is that of the points as the shapes carry them along (the envelope theorem).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from collision.base.fields import ArrayLike, FloatArray, check_broadcast, read_vector
from collision.queries.distances import joint_axes
from collision.queries.separation import separate
from collision.shapes.kinds import Shape


class PoseGradient(NamedTuple):
    """How the signed distance of A and B changes with their poses.

    Attributes
    ----------
    signed_distance : ndarray, shape (...)
        As from `signed_distance`.
    translation_a, translation_b : ndarray, shape (..., 3)
        The change for each unit of length that A, or B, is moved along the world's axes; unit vectors.
    rotation_a, rotation_b : ndarray, shape (..., 3)
        The change for each radian that A, or B, is turned about the world's axes through its pivot, in scene units.
    """

    signed_distance: FloatArray
    translation_a: FloatArray
    rotation_a: FloatArray
    translation_b: FloatArray
    rotation_b: FloatArray


def pose_gradient(a: Shape, b: Shape, /, *, about: ArrayLike | None = None) -> PoseGradient:
    """Return how the signed distance of two shapes changes when either is moved or turned, as a `PoseGradient`.

    If A is moved by a small vector t, and turned by a small rotation vector w (radians along the axis of the turn)
    about its pivot, the signed distance grows by ``translation_a @ t + rotation_a @ w``, to first order; likewise of B.

    Parameters
    ----------
    about : array_like, shape (..., 3), optional
        The pivot of both shapes. Without it each turns about its own middle, or about the origin of a ray, the point of
        a line or a half-space.

    Notes
    -----
    With n the normal, p and q the witness points, and c the pivot: ``translation_a = -n``, ``translation_b = n``,
    ``rotation_a = n x (p - c)`` and ``rotation_b = (q - c) x n``.

    Where the nearest points or the normal are not unique, the signed distance has a kink. What is returned is of the
    witness points that `closest_points` chooses: one element of the generalised gradient (of Clarke). `all_normals`
    tells all choices of the normal. Where no move parts two shapes (a half-space that a line pierces) all are NaN.

    The rotation gradient of an `AABB` is that of the same box as an `OrientedBox`.

    Examples
    --------
    >>> from collision import Capsule, Sphere, pose_gradient
    >>> rod, ball = Capsule([-2, 0, 0], [2, 0, 0], 0.5), Sphere([1, 0, 2], 0.5)
    >>> pose_gradient(rod, ball).rotation_a  # a turn about y lowers the rod's end beneath the ball
    array([0., 1., 0.])
    """
    lead = joint_axes(a, b, "pose_gradient")
    if about is None:
        pivot_a, pivot_b = a.core.middle(), b.core.middle()
    else:
        pivot_a = pivot_b = read_vector(about, "pose_gradient.about")
        lead = check_broadcast("pose_gradient", shapes=lead, about=pivot_a.shape[:-1])
    distance, _, on_a, on_b, normal = separate(a, b, lead)
    with np.errstate(over="ignore", invalid="ignore"):  # near the largest number there may be no answer
        turn_a, turn_b = np.cross(normal, on_a - pivot_a), np.cross(on_b - pivot_b, normal)
    none = np.where(np.isneginf(distance), np.nan, 0.0)[..., None]  # added to the others, it leaves no zero a minus
    return PoseGradient(distance, none - normal, turn_a + none, normal + none, turn_b + none)
