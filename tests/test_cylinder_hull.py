"""Cylinders against convex hulls: certified by their reaches, and no direction is better."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.random import Generator
from scipy.optimize import minimize
from scipy.spatial.transform import Rotation

from collision.base.fields import FloatArray
from collision.kernels.cylinder import CylinderCore, cylinder, from_cylinder
from collision.kernels.cylinder_hull import cylinder_hull
from collision.kernels.vec3 import Vec3, sub
from tests.test_hull import EPS, Solid, of_points, off


def reach(core: CylinderCore, n: FloatArray) -> float:
    axis = np.array(core.axis)
    return float(core.half * abs(axis @ n) + core.radius * np.linalg.norm(np.cross(axis, n)))


def gap(core: CylinderCore, solid: Solid, n: FloatArray) -> float:
    n = n / np.linalg.norm(n)
    return float(((solid.corners - core.center) @ n).min() - reach(core, n))


def certified(core: CylinderCore, solid: Solid) -> float:
    found = cylinder_hull(core, solid.core)
    n, size = (
        np.array(found.normal),
        max(np.abs([*core.start, *core.end]).max() + core.radius, np.abs(solid.corners).max()),
    )
    assert abs(np.linalg.norm(n) - 1.0) <= 4 * EPS
    assert abs(gap(core, solid, n) - found.distance) <= 16 * EPS * size
    assert np.abs(np.array(found.on_a) + found.distance * n - np.array(found.on_b)).max() <= 4 * EPS * size
    assert abs(from_cylinder(core, sub(found.on_a, core.center))[0]) <= 1e-12 * size
    assert off(solid.corners, np.array(found.on_b)) <= 1e-12 * size
    start = gap(core, solid, n)
    rng = np.random.default_rng(0)
    for way in (n, *rng.normal(size=(6, 3))):  # no other direction has a wider gap
        other = minimize(
            lambda v: -gap(core, solid, v), way, method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12}
        )
        assert -other.fun <= start + 1e-12 * size
    return found.distance


def of_cylinder(rng: Generator) -> CylinderCore:
    start, way = rng.normal(size=(2, 3))
    length = way * 10.0 ** rng.uniform(-1, 0.3)
    return cylinder(Vec3(*start.tolist()), Vec3(*(start + length).tolist()), float(10.0 ** rng.uniform(-1, 0.3)))


def anywhere(rng: Generator) -> tuple[CylinderCore, Solid]:
    return of_cylinder(rng), of_points(rng.normal(size=(int(rng.integers(1, 14)), 3)) + rng.normal(size=3))


def upright(rng: Generator) -> tuple[CylinderCore, Solid]:
    """Return a cylinder that stands on or beside a block, level with its faces and edges."""
    block = 2.0 * np.array(list(np.ndindex(2, 2, 2)), dtype=float) - 1.0
    axes = Rotation.random(rng=rng).as_matrix() if rng.random() < 0.5 else np.eye(3)
    shift, way = rng.choice([-2.0, -0.5, 0.0, 1.0, 1.5, 2.0], size=3), np.eye(3)[int(rng.integers(3))]
    ends = np.array([shift - way, shift + way]) @ axes.T
    radius = float(rng.choice([0.25, 0.5, 1.0, 3.0]))
    return cylinder(Vec3(*ends[0].tolist()), Vec3(*ends[1].tolist()), radius), of_points(block @ axes.T)


def nearly_upright(rng: Generator) -> tuple[CylinderCore, Solid]:
    """Return the same, but for a hair: what is level may be so to rounding, or not quite."""
    core, solid = upright(rng)
    start, way = np.array(core.start), np.array(core.end) - core.start
    start += rng.normal(size=3) * 10.0 ** rng.uniform(-17, -1)
    way += rng.normal(size=3) * 10.0 ** rng.uniform(-17, -3)
    return cylinder(Vec3(*start.tolist()), Vec3(*(start + way).tolist()), core.radius), solid


@pytest.mark.parametrize("family", [anywhere, upright, nearly_upright], ids=lambda family: family.__name__)
@pytest.mark.parametrize("seed", range(15))
def test_cylinders_and_hulls_are_certified(
    family: Callable[[Generator], tuple[CylinderCore, Solid]], seed: int
) -> None:
    certified(*family(np.random.default_rng(seed)))
