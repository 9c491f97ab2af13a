"""Cylinders against hulls: as against boxes, and certified by corners where hulls are at random, flat or thin."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from collision.base.fields import FloatArray
from collision.kernels.cores import Box
from collision.kernels.cylinder import CylinderCore, box_cylinder, cylinder, load_cylinder, store_cylinder
from collision.kernels.cylinder_hull import cylinder_hull
from collision.kernels.hull import load_hull, store_hull
from collision.kernels.vec3 import Vec3, store
from collision.native import FLOATS, Floats, Loop, address
from tests.certificate.bodies import cylinders, wide
from tests.oracles import foremost_of_corners, foremost_of_cylinder, overlap_between
from tests.test_hull import of_points, off


def _compiled(numbers: Floats, row: Floats, table: Floats, out: Floats) -> None:
    s = cylinder_hull(load_cylinder(numbers, 0), load_hull(row, 0, table))
    out[0] = s.distance
    store(out, 1, s.on_a)
    store(out, 4, s.on_b)
    store(out, 7, s.normal)


LOOP = Loop("test_cylinder_hull", _compiled, (FLOATS, FLOATS, FLOATS, FLOATS))


def vec(v: FloatArray) -> Vec3:
    return Vec3(*(float(x) for x in v))


def some(rng: np.random.Generator, spread: float) -> tuple[CylinderCore, FloatArray, FloatArray, float]:
    """Return a cylinder, with its ends and its radius."""
    middle, way = rng.normal(size=3) * spread, rng.normal(size=3)
    start, end, radius = middle - way, middle + way, float(10.0 ** rng.uniform(-1, 0.3))
    return cylinder(vec(start), vec(end), radius), start, end, radius


@pytest.mark.parametrize("seed", range(40))
def test_a_box_is_a_hull(seed: int) -> None:
    rng = np.random.default_rng(seed)
    core, *_ = some(rng, 0.5 + seed % 3)
    half, center = rng.uniform(0.1, 1.5, 3), rng.normal(size=3)
    axes = np.eye(3) if seed % 4 == 0 else Rotation.random(rng=rng).as_matrix()
    corners = center + (np.array(list(product((-1.0, 1.0), repeat=3))) * half) @ axes.T
    found = cylinder_hull(core, of_points(corners).core)
    x, y, z = (vec(axes[:, i]) for i in range(3))
    wanted = box_cylinder(Box(vec(center), x, y, z, vec(-half), vec(half)), core)
    assert found.distance == pytest.approx(wanted.distance, abs=1e-14)


@pytest.mark.parametrize("seed", range(60))
def test_answers_are_certified(seed: int) -> None:
    rng = np.random.default_rng(seed)
    core, start, end, radius = some(rng, (0.2, 1.0, 3.0)[seed % 3])
    corners = rng.normal(size=(int(rng.integers(1, 20)), 3)) * [1.0, 1.0, (1.0, 1e-3, 0.0)[seed % 5 % 3]]
    found, body = cylinder_hull(core, of_points(corners).core), cylinders(start[None], end[None], np.array([radius]))
    numbers, row, out = np.empty(14), np.empty(18), np.empty(10)
    store_cylinder(numbers, 0, core)
    hull = of_points(corners).core
    store_hull(row, 0, hull)
    LOOP.run(address(numbers), address(row), address(table := np.asarray(hull.table)), address(out))
    assert out.tolist() == [found.distance, *found.on_a, *found.on_b, *found.normal], len(table)
    normal, on_a, on_b = (np.array(v) for v in (found.normal, found.on_a, found.on_b))
    size = max(np.abs([*start, *end]).max() + radius, np.abs(corners).max())
    room = (corners @ normal).min() - float(body.support(wide(normal[None]), np.zeros(1, dtype=np.longdouble))[0])
    assert abs(room - found.distance) <= 1e-14 * size
    assert np.abs(on_a + found.distance * normal - on_b).max() <= 1e-15 * size
    assert float(body.off_surface(wide(on_a[None]))[0]) <= 1e-12 * size
    assert off(corners, on_b) <= 1e-12 * size
    if found.distance < 0.0 and seed % 3 == 0:
        other = foremost_of_corners(corners)
        lower, upper = overlap_between(foremost_of_cylinder(start, end, radius), other, normal, 1e-6 * size)
        assert -found.distance <= upper + 1e-12 * size
        assert lower > -1e-6 * size
