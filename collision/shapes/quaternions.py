"""Quaternions and rotation vectors as arrays: the formulas of rotations that shapes and motions need.

Quaternions are in (x, y, z, w) order. What is computed has the bits that SciPy's `Rotation` had when its answers were
written down, so that files, pictures and remembered cases stay as they are.
"""

from __future__ import annotations

import math

import numpy as np

from collision.base.fields import FloatArray

#: Below it, in radians, series are more exact than quotients of sines.
_SMALL = 1e-3


def unit(quaternions: FloatArray) -> FloatArray:
    """Return quaternions (..., 4) of unit length."""
    x, y, z, w = _parts(quaternions)
    return quaternions / np.sqrt(x * x + y * y + z * z + w * w)[..., None]


def matrices_of(quaternions: FloatArray) -> FloatArray:
    """Return the rotation matrices (..., 3, 3) of quaternions (..., 4) of any length but zero."""
    x, y, z, w = _parts(unit(quaternions))
    xx, yy, zz, ww = x * x, y * y, z * z, w * w
    rows = (
        (xx - yy - zz + ww, 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)),
        (2.0 * (x * y + z * w), -xx + yy - zz + ww, 2.0 * (y * z - x * w)),
        (2.0 * (x * z - y * w), 2.0 * (y * z + x * w), -xx - yy + zz + ww),
    )
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def quaternions_of(matrices: FloatArray) -> FloatArray:
    """Return unit quaternions (..., 4) of rotation matrices (..., 3, 3).

    Of four ways to compute one, that with the largest denominator: Markley, "Unit quaternion from rotation matrix",
    Journal of Guidance, Control, and Dynamics 31 (2008).
    """
    m = matrices
    a, b, c = m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]
    xy, xz, yz = m[..., 1, 0] + m[..., 0, 1], m[..., 2, 0] + m[..., 0, 2], m[..., 2, 1] + m[..., 1, 2]
    x, y, z = m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1]
    trace = a + b + c
    ways = (
        (1.0 - trace + 2.0 * a, xy, xz, x),
        (xy, 1.0 - trace + 2.0 * b, yz, y),
        (xz, yz, 1.0 - trace + 2.0 * c, z),
        (x, y, z, 1.0 + trace),
    )
    best = np.argmax(np.stack([a, b, c, trace], axis=-1), axis=-1)[..., None, None]
    table = np.stack([np.stack(way, axis=-1) for way in ways], axis=-2)
    return unit(np.take_along_axis(table, best, axis=-2)[..., 0, :])


def product(after: FloatArray, before: FloatArray) -> FloatArray:
    """Return unit quaternions of rotations that are carried out one after the other."""
    a, b, c, d = _parts(after)
    x, y, z, w = _parts(before)
    parts = (
        d * x + w * a + (b * z - c * y),
        d * y + w * b + (c * x - a * z),
        d * z + w * c + (a * y - b * x),
        d * w - a * x - b * y - c * z,
    )
    return unit(np.stack(parts, axis=-1))


def vectors_between(start: FloatArray, end: FloatArray) -> FloatArray:
    """Return rotation vectors (..., 3) from some unit quaternions to others, in the axes of the first: the short way.

    Their direction is the axis, their length the angle, from 0 to pi.
    """
    turn = product(start * (-1.0, -1.0, -1.0, 1.0), end)
    turn = np.where(turn[..., 3:] < 0.0, -turn, turn)
    sine = _length(turn[..., :3])
    # NumPy's own rounds otherwise on some processors.
    flat = map(math.atan2, sine.ravel().tolist(), turn[..., 3].ravel().tolist())
    angle = 2.0 * np.fromiter(flat, dtype=np.float64, count=sine.size).reshape(sine.shape)
    small, square = angle <= _SMALL, angle * angle
    series = 2.0 + square / 12.0 + 7.0 * square * square / 2880.0
    scale = np.where(small, series, angle / np.where(small, 1.0, np.sin(0.5 * angle)))
    return np.asarray(scale[..., None] * turn[..., :3])


def of_vectors(vectors: FloatArray) -> FloatArray:
    """Return the unit quaternions (..., 4) of rotation vectors (..., 3)."""
    angle = _length(vectors)
    small, square = angle <= _SMALL, angle * angle
    series = 0.5 - square / 48.0 + square * square / 3840.0
    scale = np.where(small, series, np.sin(0.5 * angle) / np.where(small, 1.0, angle))
    return np.concatenate([scale[..., None] * vectors, np.cos(0.5 * angle)[..., None]], axis=-1)


def to_axis(axis: FloatArray) -> FloatArray:
    """Return the unit quaternion of the shortest rotation of the z axis to another (3,), of any length but zero."""
    x, y, z = (axis / np.abs(axis).max()).tolist()
    length, across = math.hypot(x, y, z), x * x + y * y
    # Where the two are nearly opposite, the sum would cancel.
    along = length + z if z >= 0.0 else across / (length - z)
    return unit(np.array([-y, x, 0.0, along])) if across > 0.0 or z > 0.0 else np.array([1.0, 0.0, 0.0, 0.0])


def _parts(quaternions: FloatArray) -> tuple[FloatArray, ...]:
    return tuple(quaternions[..., k] for k in range(4))


def _length(vectors: FloatArray) -> FloatArray:
    x, y, z = vectors[..., 0], vectors[..., 1], vectors[..., 2]
    return np.asarray(np.sqrt(x * x + y * y + z * z))
