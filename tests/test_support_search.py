"""The search by supports: its bounds beside the distances that the kernels of boxes and segments find their own way."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from collision import OrientedBox, Segment, signed_distance
from collision.kernels.support_search import Nearness, support_search
from collision.kernels.vec3 import Vec3, add, dot, largest, load, norm, scale, sub
from collision.native import FLOATS, Floats, Loop, address, kernel


class Sum(NamedTuple):
    """A segment, a rectangle or a box about a middle: the sum of three edges, each taken -1 to 1 times."""

    x: Vec3
    y: Vec3
    z: Vec3


@kernel
def sum_support(core: Sum, direction: Vec3) -> Vec3:
    """Return the corner that is farthest in a direction."""
    x, y, z = dot(core.x, direction), dot(core.y, direction), dot(core.z, direction)
    corner = add(scale(core.x, math.copysign(1.0, x)), scale(core.y, math.copysign(1.0, y)))
    return add(corner, scale(core.z, math.copysign(1.0, z)))


SEARCH = support_search(sum_support, sum_support)


def _search(numbers: Floats, found: Floats) -> None:
    a = Sum(load(numbers, 0), load(numbers, 3), load(numbers, 6))
    b = Sum(load(numbers, 9), load(numbers, 12), load(numbers, 15))
    s = SEARCH(a, b, load(numbers, 18))
    found[0], found[1], found[2] = s.lower, s.upper, s.normal.x


LOOP = Loop("test_support_search", _search, (FLOATS, FLOATS))


def _box(rng: np.random.Generator, size: float) -> OrientedBox:
    half = rng.choice([0.0, 1e-6, 1.0], 3) * rng.uniform(0.5, 1.5, 3) * size
    turn = Rotation.random(rng=rng) if rng.random() < 0.5 else Rotation.from_rotvec(rng.normal(size=3) * 1e-9)
    return OrientedBox(rng.normal(size=3) * 2.0 * size, turn.as_matrix(), half)


def _sum(box: OrientedBox) -> Sum:
    x, y, z = (Vec3(*map(float, box.axes[:, i] * box.half_extents[i])) for i in range(3))
    return Sum(x, y, z)


def _found(a: OrientedBox, b: OrientedBox) -> Nearness:
    return SEARCH(_sum(a), _sum(b), Vec3(*map(float, b.center - a.center)))


@pytest.mark.parametrize("size", [1.0, 1e-60, 1e60])
def test_bounds_hold_the_distance_between_them(size: float) -> None:
    rng, apart = np.random.default_rng(1), 0
    for _ in range(300):
        a, b = _box(rng, size), _box(rng, size)
        true, found = float(signed_distance(a, b)), _found(a, b)
        if true > 1e-12 * size:
            apart += 1
            assert found.apart
            assert abs(found.lower - true) <= 1e-13 * size
            assert abs(found.upper - true) <= 1e-13 * size
            gap = add(Vec3(*map(float, b.center - a.center)), sub(found.on_b, found.on_a))
            assert norm(gap) == found.upper
            assert abs(norm(found.normal) - 1.0) <= 1e-15
        else:
            assert not found.lower > 1e-15 * size, "a gap along the normal would prove them apart"
    assert apart > 100


def test_flat_tetrahedra_hide_no_gap() -> None:
    """Rectangles all but in one plane, a hair apart: each tetrahedron of their difference is flat."""
    rng = np.random.default_rng(2)
    for _ in range(100):
        gap = 10.0 ** rng.uniform(-9, -3)
        a = OrientedBox([0, 0, 0], Rotation.from_rotvec([0, 0, rng.uniform(0, 3)]).as_matrix(), [1, 1, 0])
        b = OrientedBox([*rng.uniform(-0.5, 0.5, 2), gap], np.eye(3), [1, 1, 0])
        found = _found(a, b)
        assert found.apart
        assert found.lower == pytest.approx(gap, abs=1e-14)
        assert found.upper == pytest.approx(gap, abs=1e-14)


def test_points_and_segments_are_cores_too() -> None:
    zero = Vec3(0.0, 0.0, 0.0)
    point, segment = Sum(zero, zero, zero), Sum(Vec3(0.0, 1.0, 0.0), zero, zero)
    found = SEARCH(point, segment, Vec3(3.0, 0.0, 0.0))
    assert found.apart
    assert (found.lower, found.upper) == (3.0, 3.0)
    assert largest(sub(found.normal, Vec3(1.0, 0.0, 0.0))) == 0.0
    assert not SEARCH(point, point, zero).apart
    assert float(signed_distance(Segment([0, -1, 0], [0, 1, 0]), Segment([3, -1, 0], [3, 1, 0]))) == 3.0


def test_it_compiles_to_the_same_bits() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        a, b = _box(rng, 1.0), _box(rng, 1.0)
        numbers = np.array([*np.ravel(_sum(a)), *np.ravel(_sum(b)), *(b.center - a.center)])
        compiled = np.empty(3)
        LOOP.run(address(numbers), address(compiled))
        found = _found(a, b)
        assert compiled.tolist() == [found.lower, found.upper, found.normal.x]
