"""Rotations as fields of shapes: the ways to write them, and how exact a matrix must be.

Kernels take the axes of a box for a right-handed frame of unit vectors, to rounding. A matrix that is a little off,
because it comes as float32 or was written with six digits, is replaced by the nearest rotation; others are refused.
Quaternions are in (x, y, z, w) order. What is computed has the bits that SciPy's `Rotation` had when its answers were
written down.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from collision.base.fields import FLOAT64, ArrayLike, BoolArray, Field, FloatArray, Rule, refuse, to_float, turned
from collision.kernels.frames import ALLOWED, orthonormalised
from collision.kernels.vec3 import EPS, Vec3, store
from collision.native import BYTES, FLOAT, FLOATS, INT, Bytes, Floats, Loop, address, kernel

if TYPE_CHECKING:
    from scipy.spatial.transform import Rotation

#: How near to unit length, and to right angles, the rows and columns of a pose are taken for what they are.
_POSE = 1e-2


@kernel
def orthonormalise_at(matrices: Floats, i: int, allowed: float) -> bool:
    """Tell whether the matrix from number i on is no rotation; if it is a little off, make it the nearest one."""
    x = Vec3(matrices[i], matrices[i + 3], matrices[i + 6])
    y = Vec3(matrices[i + 1], matrices[i + 4], matrices[i + 7])
    z = Vec3(matrices[i + 2], matrices[i + 5], matrices[i + 8])
    x, y, z, is_rotation = orthonormalised(x, y, z, allowed)
    store(matrices, i, Vec3(x.x, y.x, z.x))
    store(matrices, i + 3, Vec3(x.y, y.y, z.y))
    store(matrices, i + 6, Vec3(x.z, y.z, z.z))
    return not is_rotation


def _orthonormalise(count: int, matrices: Floats, allowed: float, bad: Bytes) -> None:
    """Make rotations of matrices, and store of each whether it is no rotation."""
    for i in range(count):
        bad[i] = orthonormalise_at(matrices, 9 * i, allowed)


_ORTHONORMALISE = Loop("rotations", _orthonormalise, (INT, FLOATS, FLOAT, BYTES))


def orthonormalise(matrices: FloatArray, allowed: float = ALLOWED) -> BoolArray:
    """Tell of each (..., 3, 3) matrix whether it is no rotation; those that are a little off become one, in place."""
    if not (matrices.flags.c_contiguous and matrices.flags.writeable):
        raise ValueError("rotations are put right in place, which needs a contiguous and writable array")
    bad = np.empty(matrices.shape[:-2], dtype=np.bool_)
    _ORTHONORMALISE.run(bad.size, address(matrices), allowed, address(bad))
    return bad


def _remark(matrix: FloatArray) -> str:
    """Say of a refused matrix what was measured, and what is allowed."""
    with np.errstate(over="ignore", invalid="ignore"):
        off = float(np.abs(matrix.T @ matrix - np.eye(3)).max())
    if off <= ALLOWED:
        return ", which mirrors: its determinant is -1"
    return f", whose columns have products that are off by {off:.2g}, where {ALLOWED:g} is allowed"


ROTATION = Rule(
    "a rotation matrix: columns of unit length, at right angles, right-handed (determinant +1)",
    orthonormalise,
    _remark,
)


class KnownQuaternions:
    """Quaternions (..., 4) that are known to be such, in whatever array they are."""

    def __init__(self, values: FloatArray) -> None:
        self.values = values


class RotationField(Field):
    """A field of rotation matrices, which takes rotations in all the forms that `Transform` takes."""

    def __init__(self) -> None:
        super().__init__(3, 3, rule=ROTATION)

    def converted(self, kind: str, value: Rotation | ArrayLike | KnownQuaternions) -> FloatArray:
        """Return matrices (..., 3, 3), maybe of rotations; the errors are those of `Field.converted`."""
        if type(value) is np.ndarray and value.dtype is FLOAT64 and value.shape[-2:] == (3, 3):
            return value
        label = self._label(kind)
        if isinstance(value, KnownQuaternions):
            return _of_quaternions(value.values, label)
        as_matrix: Any = getattr(value, "as_matrix", None)
        array = as_matrix() if as_matrix is not None else value
        if type(array) is not np.ndarray or array.dtype != np.float64:
            array = to_float(cast("ArrayLike", array), label)
        if array.shape[-2:] != (3, 3):
            if array.shape[-1:] != (4,):
                wanted = "quaternions (..., 4) or matrices (..., 3, 3)"
                raise ValueError(f"{label} must be {wanted}, got shape {array.shape}")
            _refuse_poses(array, label)
            array = _of_quaternions(array, label)
        return super().converted(kind, array)


_ROTATIONS = RotationField()


def read_rotation(rotation: Rotation | ArrayLike | KnownQuaternions, label: str) -> FloatArray:
    """Return the matrices (..., 3, 3) of rotations in any form; `label` is ``kind.field`` for the error."""
    return _ROTATIONS.read(label, cast("ArrayLike", rotation))


def _refuse_poses(array: FloatArray, label: str) -> None:
    """Refuse what may be one pose each (a rotation with a translation, 3 x 4 or 4 x 4), or three or four quaternions.

    A pose is a rotation whose columns may have been scaled, beside a translation. Unit quaternions are of this form
    only where all but the last are half turns about axes at right angles to each other; what is not of unit length may
    be by chance, and is refused as well. Of many arrays either all are poses or none.
    """
    rows = array.shape[-2] if array.ndim > 1 else 0
    if rows not in (3, 4) or not array.size:
        return
    with np.errstate(over="ignore", invalid="ignore"):  # what is not finite is refused by others
        columns = array[..., :3, :3]
        lengths = np.linalg.norm(columns, axis=-2)
        products = np.swapaxes(columns, -1, -2) @ columns / (lengths[..., :, None] * lengths[..., None, :])
        square = np.all(np.abs(products - np.eye(3)) <= _POSE, axis=(-1, -2))  # never where a column is zero
        rotated = np.all(np.abs(lengths - 1.0) <= _POSE, axis=-1)
        unit = np.all(np.abs(np.linalg.norm(array, axis=-1) - 1.0) <= _POSE, axis=-1)
    poses = square & (rotated | ~unit)
    if rows == 4:
        poses &= _is_last_row(array[..., 3, :]) | _is_last_row(array[..., :, 3])
    if np.all(poses):
        raise ValueError(
            f"{label} must be quaternions (..., 4) or matrices (..., 3, 3), got shape {array.shape}, which looks like "
            f"{'a pose' if array.ndim == 2 else 'poses'}: take the rotation m[..., :3, :3] of a pose m, or all of it "
            "by Transform.from_matrix(m); if these are quaternions, hand over scipy's Rotation.from_quat(q)"
        )


def _is_last_row(rows: FloatArray) -> BoolArray:
    return np.asarray(np.all(np.abs(rows - (0.0, 0.0, 0.0, 1.0)) <= _POSE, axis=-1))


def _of_quaternions(quaternions: FloatArray, label: str) -> FloatArray:
    bad = ~np.isfinite(quaternions).all(axis=-1) | np.all(quaternions == 0.0, axis=-1)
    refuse(bad, quaternions, f"{label} must be finite and not the zero quaternion")
    scaled = quaternions / np.abs(quaternions).max(axis=-1, keepdims=True)
    return matrices_of(scaled)


#: A turn by half is one about either of two opposite axes. It counts as half where its sine is rounding: that of the
#: product of two matrices.
_HALF = 16.0 * float(np.finfo(np.float64).eps)


def rotation_between(start: FloatArray, end: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the axes (..., 3) and the angles (...), from 0 to pi, of the rotations from some matrices to others.

    Where two are the same the axis is z; of half a turn it is that one whose largest component is positive.
    """
    r = np.einsum("...ij,...kj->...ik", end, start)
    skew = 0.5 * np.stack([r[..., 2, 1] - r[..., 1, 2], r[..., 0, 2] - r[..., 2, 0], r[..., 1, 0] - r[..., 0, 1]], -1)
    trace = np.trace(r, axis1=-2, axis2=-1)
    sine, cosine = np.linalg.norm(skew, axis=-1), 0.5 * (trace - 1.0)
    # Past a quarter of a turn the symmetric part has the axis more exactly: its columns are multiples of the axis.
    outer = 0.5 * (r + np.swapaxes(r, -1, -2)) - np.minimum(cosine, 0.0)[..., None, None] * np.eye(3)
    best = np.argmax(np.diagonal(outer, axis1=-2, axis2=-1), axis=-1)
    column = np.take_along_axis(outer, best[..., None, None], axis=-1)[..., 0]
    largest = np.take_along_axis(column, best[..., None], axis=-1)
    along = np.where(sine > _HALF, np.sum(column * skew, axis=-1), largest[..., 0])
    far = np.where(along < 0.0, -1.0, 1.0)[..., None] * column
    axis = np.where((cosine < 0.0)[..., None], far, skew)
    length = np.linalg.norm(axis, axis=-1, keepdims=True)
    same = np.all(start == end, axis=(-1, -2)) | (length[..., 0] == 0.0)
    axis = np.where(same[..., None], [0.0, 0.0, 1.0], axis / np.where(length > 0.0, length, 1.0))
    return axis, np.where(same, 0.0, np.arctan2(sine, cosine))


def turned_about(axis: FloatArray, angle: FloatArray, frames: FloatArray) -> FloatArray:
    """Return matrices (..., 3, 3) turned by angles (...) about unit vectors (..., 3)."""
    w, sine, cosine = axis[..., :, None], np.sin(angle)[..., None, None], np.cos(angle)[..., None, None]
    across = np.cross(w, frames, axis=-2)
    along = np.sum(w * frames, axis=-2, keepdims=True)
    return np.asarray(cosine * frames + sine * across + (1.0 - cosine) * (w * along))


def angles_of(axes: FloatArray) -> FloatArray:
    """Return the angles in degrees about x, y and z of the world, in this order, of rotation matrices (..., 3, 3)."""
    cosine = np.hypot(axes[..., 0, 0], axes[..., 1, 0])
    # Where y is turned a quarter, x and z turn about the same axis: it is all said by x.
    level = cosine <= 4.0 * EPS
    x = np.where(level, np.arctan2(-axes[..., 1, 2], axes[..., 1, 1]), np.arctan2(axes[..., 2, 1], axes[..., 2, 2]))
    y = np.arctan2(-axes[..., 2, 0], cosine)
    z = np.where(level, 0.0, np.arctan2(axes[..., 1, 0], axes[..., 0, 0]))
    return np.asarray(np.degrees(np.stack([x, y, z], axis=-1)))


def of_angles(degrees: FloatArray) -> FloatArray:
    """Return the rotation matrices of such angles (..., 3), to rounding."""
    frames = np.eye(3)
    for number, axis in enumerate(np.eye(3)):
        frames = turned_about(axis, np.radians(degrees[..., number]), frames)
    return frames


# --- quaternions and rotation vectors ---------------------------------------------------------------

#: Below it, in radians, series are more exact than quotients of sines.
_SMALL = 1e-3


def unit_quaternions(quaternions: FloatArray) -> FloatArray:
    """Return quaternions (..., 4) of unit length."""
    x, y, z, w = _parts(quaternions)
    return quaternions / np.sqrt(x * x + y * y + z * z + w * w)[..., None]


def matrices_of(quaternions: FloatArray) -> FloatArray:
    """Return the rotation matrices (..., 3, 3) of quaternions (..., 4) of any length but zero."""
    x, y, z, w = _parts(unit_quaternions(quaternions))
    xx, yy, zz, ww = x * x, y * y, z * z, w * w
    rows = (
        (xx - yy - zz + ww, 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)),
        (2.0 * (x * y + z * w), -xx + yy - zz + ww, 2.0 * (y * z - x * w)),
        (2.0 * (x * z - y * w), 2.0 * (y * z + x * w), -xx - yy + zz + ww),
    )
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def quaternions_of(matrices: FloatArray) -> FloatArray:
    """Return unit quaternions (..., 4) of rotation matrices (..., 3, 3).

    Of four ways the one with the largest denominator is taken: Markley, "Unit quaternion from rotation matrix", Journal
    of Guidance, Control, and Dynamics 31 (2008).
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
    return unit_quaternions(np.take_along_axis(table, best, axis=-2)[..., 0, :])


def quaternion_product(after: FloatArray, before: FloatArray) -> FloatArray:
    """Return unit quaternions of rotations that are carried out one after the other."""
    a, b, c, d = _parts(after)
    x, y, z, w = _parts(before)
    parts = (
        d * x + w * a + (b * z - c * y),
        d * y + w * b + (c * x - a * z),
        d * z + w * c + (a * y - b * x),
        d * w - a * x - b * y - c * z,
    )
    return unit_quaternions(np.stack(parts, axis=-1))


def vectors_between(start: FloatArray, end: FloatArray) -> FloatArray:
    """Return the short rotation vectors (..., 3) from some unit quaternions to others, in the axes of the first."""
    turn = quaternion_product(start * (-1.0, -1.0, -1.0, 1.0), end)
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
    if across > 0.0 or z > 0.0:
        return unit_quaternions(np.array([-y, x, 0.0, along]))
    return np.array([1.0, 0.0, 0.0, 0.0])


def _parts(quaternions: FloatArray) -> tuple[FloatArray, ...]:
    return tuple(quaternions[..., k] for k in range(4))


def _length(vectors: FloatArray) -> FloatArray:
    x, y, z = vectors[..., 0], vectors[..., 1], vectors[..., 2]
    return np.asarray(np.sqrt(x * x + y * y + z * z))


# --- matrices of transforms ------------------------------------------------------------------------


def pose_factors(m: FloatArray, label: str, shears: str, allowed: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return position, axes and scale of matrices (..., 4, 4); how far the axes may be off, `allowed` says."""
    columns = m[..., :3, :3]
    largest = np.abs(columns).max(axis=-2)  # taken out first, so that no square over- or underflows
    flat = np.any(largest == 0.0, axis=-1)
    refuse(flat, m, f"{label}: the matrix flattens an axis, so its rotation is not known")
    scale = largest * np.linalg.norm(columns / largest[..., None, :], axis=-2)
    mirrored = np.linalg.det(columns / scale[..., None, :]) < 0.0
    scale[..., 2] = np.where(mirrored, -scale[..., 2], scale[..., 2])
    axes = np.ascontiguousarray(columns / scale[..., None, :])
    refuse(orthonormalise(axes, allowed), m, f"{label}: {shears}")
    return m[..., :3, 3], axes, scale


def matrix_product(a: FloatArray, b: FloatArray) -> FloatArray:
    """Multiply matrices (..., 3, 3); a batch rounds as each of its elements alone does."""
    return np.stack([turned(a, b[..., k]) for k in range(3)], axis=-1)
