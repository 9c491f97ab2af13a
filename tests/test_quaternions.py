"""The formulas of rotations, beside SciPy's."""

from __future__ import annotations

import sys
from itertools import product as pairs

import numpy as np
import pytest
from scipy.spatial.transform import Rotation, Slerp

from collision import Motion, Transform
from collision.base.fields import FloatArray
from collision.shapes.rotations import (
    angles_of,
    matrices_of,
    of_angles,
    of_vectors,
    quaternion_product,
    quaternions_of,
    to_axis,
    unit_quaternions,
    vectors_between,
)

#: Some roundings of numbers up to one.
NEAR = 8.0 * float(np.finfo(np.float64).eps)


def quaternions() -> FloatArray:
    """Return random rotations, all that have parts 0 and ±1, and some by next to nothing."""
    rng = np.random.default_rng(7)
    whole = np.array([parts for parts in pairs((-1.0, 0.0, 1.0), repeat=4) if any(parts)])
    axes, angles = rng.normal(size=(60, 3)), np.repeat(10.0 ** -np.arange(1.0, 13.0), 5)
    axes /= np.linalg.norm(axes, axis=1)[:, None]
    little = np.concatenate([axes * np.sin(angles)[:, None], np.cos(angles)[:, None]], axis=1)
    most = np.concatenate([axes * np.cos(angles)[:, None], np.sin(angles)[:, None]], axis=1)  # nearly half a turn
    return unit_quaternions(np.concatenate([rng.normal(size=(400, 4)), whole, little, most, -little]))


def same(found: FloatArray, wanted: FloatArray, near: float = NEAR) -> None:
    assert found.shape == wanted.shape
    np.testing.assert_allclose(found, wanted, rtol=0.0, atol=near)


def test_quaternions_and_matrices_are_those_of_scipy() -> None:
    given = quaternions()
    known = Rotation.from_quat(given)
    same(matrices_of(3.0 * given), known.as_matrix())
    same(quaternions_of(known.as_matrix()), Rotation.from_matrix(known.as_matrix()).as_quat())
    axes = known.as_matrix()[:60].reshape(3, 4, 5, 3, 3)
    same(quaternions_of(axes).reshape(-1, 4), quaternions_of(axes.reshape(-1, 3, 3)), 0.0)
    assert quaternions_of(np.empty((0, 3, 3))).shape == (0, 4)
    assert matrices_of(np.empty((2, 0, 4))).shape == (2, 0, 3, 3)


def test_products_and_vectors_are_those_of_scipy() -> None:
    start = quaternions()
    end = np.roll(start, 17, axis=0)
    one, other = Rotation.from_quat(start), Rotation.from_quat(end)
    same(quaternion_product(start, end), (one * other).as_quat())
    found, wanted = vectors_between(start, end), (one.inv() * other).as_rotvec()
    half = np.abs(np.linalg.norm(wanted, axis=1) - np.pi) < 1e-6  # where either way is as short
    same(np.where(half[:, None], np.abs(found), found), np.where(half[:, None], np.abs(wanted), wanted), 4.0 * NEAR)
    assert np.count_nonzero(half) > 3
    vectors = np.concatenate([wanted, 1e-3 * wanted, 1e-9 * wanted, 9.0 * wanted])
    same(of_vectors(vectors), Rotation.from_rotvec(vectors).as_quat())


def test_a_small_turn_keeps_its_digits() -> None:
    for angle in (1e-12, 1e-6, 0.99e-3, 1.01e-3):
        vector = np.array([[0.0, angle, 0.0]])
        found = vectors_between(np.array([[0.0, 0.0, 0.0, 1.0]]), of_vectors(vector))
        np.testing.assert_allclose(found, vector, rtol=1e-15)


def test_the_z_axis_is_turned_the_short_way() -> None:
    rng = np.random.default_rng(5)
    tilts = [[tiny, 0.0, sign] for tiny in (1e-3, 1e-9, 1e-200) for sign in (-1.0, 1.0)]
    for axis in np.concatenate([rng.normal(size=(200, 3)), tilts, np.eye(3), -np.eye(3), 1e-250 * np.eye(3)]):
        way = axis / np.abs(axis).max()
        way /= np.linalg.norm(way)
        turn = Rotation.from_quat(to_axis(axis))
        np.testing.assert_allclose(turn.apply([0.0, 0.0, 1.0]), way, rtol=0.0, atol=NEAR)
        assert turn.magnitude() == pytest.approx(np.arctan2(np.hypot(*way[:2]), way[2]), rel=1e-15, abs=NEAR)


def test_angles_are_those_of_scipy() -> None:
    rng = np.random.default_rng(3)
    angles = np.concatenate([rng.uniform(-180, 180, (100, 3)), 90.0 * rng.integers(-2, 3, (60, 3))])
    axes = Rotation.from_euler("xyz", angles, degrees=True).as_matrix()
    same(of_angles(angles), axes)
    same(of_angles(angles_of(axes)), axes)
    assert of_angles(np.zeros((2, 3))).shape == (2, 3, 3)


def test_motions_turn_as_slerp_does() -> None:
    rng = np.random.default_rng(11)
    keys, times = rng.normal(size=(12, 4)), np.cumsum(rng.uniform(0.1, 2.0, 12))
    motion = Motion("ball", times, rotations=keys)
    when = np.sort(rng.uniform(times[0], times[-1], 200))
    same(motion.displacement(when, [0, 0, 0]).axes, Slerp(times, Rotation.from_quat(keys))(when).as_matrix())


def test_without_scipy_only_its_own_type_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)
    monkeypatch.setitem(sys.modules, "scipy.spatial.transform", None)
    turn = Transform(rotation=[0.0, 0.0, 1.0, 1.0])
    assert "rotation=[0.0, 0.0, 0.707107, 0.707107]" in repr(turn)
    with pytest.raises(ModuleNotFoundError, match="pip install scipy"):
        _ = turn.rotation
