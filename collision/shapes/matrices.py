"""Matrices of transforms: their products, and position, rotation and scale taken out of them."""

from __future__ import annotations

import numpy as np

from collision.base.fields import BoolArray, FloatArray, first_bad, turned
from collision.shapes.rotations import settled


def pose_factors(m: FloatArray, label: str, shears: str, allowed: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return position, axes and scale of matrices (..., 4, 4); how far the axes may be off, `allowed` says."""
    columns = m[..., :3, :3]
    largest = np.abs(columns).max(axis=-2)  # taken out first, so that no square over- or underflows
    flat = np.any(largest == 0.0, axis=-1)
    refuse_matrices(label, flat, m, "the matrix flattens an axis, so its rotation is not known")
    scale = largest * np.linalg.norm(columns / largest[..., None, :], axis=-2)
    mirrored = np.linalg.det(columns / scale[..., None, :]) < 0.0
    scale[..., 2] = np.where(mirrored, -scale[..., 2], scale[..., 2])
    axes = np.ascontiguousarray(columns / scale[..., None, :])
    refuse_matrices(label, settled(axes, allowed), m, shears)
    return m[..., :3, 3], axes, scale


def refuse_matrices(label: str, bad: BoolArray, values: FloatArray, words: str) -> None:
    """Refuse matrices that are marked as bad, saying why, and name the first."""
    if np.any(bad):
        raise ValueError(f"{label}: {words}, got {first_bad(bad, values)}")


def product(a: FloatArray, b: FloatArray) -> FloatArray:
    """Multiply matrices (..., 3, 3); a batch rounds as each of its elements alone does."""
    return np.stack([turned(a, b[..., k]) for k in range(3)], axis=-1)
