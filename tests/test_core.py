"""The core record: rows of cores say of any pair what the kernels of its two types say, to the last bit."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from collision import (
    AABB,
    Capsule,
    HalfSpace,
    Line,
    OrientedBox,
    Point,
    Ray,
    Segment,
    Shape,
    Sphere,
    closest_points,
    intersects,
    raycast,
)  # fmt: skip
from collision.base.fields import FloatArray, IntArray
from collision.kernels.core import CORES, ROW, AnyCore, CoreRows, Cores, bounds, core_at, hit, separate_any, size
from collision.kernels.cores import Linear
from collision.kernels.passes import limited
from collision.kernels.table import CoreType
from collision.kernels.vec3 import Vec3, along, opposite, store
from collision.native import FLOATS, INT, INTS, Floats, Ints, Loop, address
from collision.shapes.rows import core_rows

_TURNED = Rotation.from_rotvec([0.3, 0.4, -0.5]).as_matrix()

SHAPES: list[Shape] = [
    Point([0.3, 0.4, -0.7]),
    Sphere([0.1, -0.2, 0.3], 0.6),
    Segment([-1.0, 0.2, 0.0], [1.0, 0.1, 0.3]),
    Capsule([-0.5, 0.0, 0.1], [0.7, 0.2, 0.0], 0.3),
    Ray([3.0, 0.2, 0.1], [-1.0, 0.1, 0.2]),
    Line([0.0, 2.0, 1.0], [0.3, 0.1, 1.0]),
    OrientedBox([0.1, 0.0, 0.2], _TURNED, [0.5, 0.6, 0.7]),
    OrientedBox([2.1, 0.4, 0.2], _TURNED.T, [0.5, 0.6, 0.7]),
    AABB([-0.5, -0.4, -0.6], [0.4, 0.5, 0.7]),
    AABB([1.5, -0.4, -0.6], [2.4, 0.5, 0.7]),
    HalfSpace([0.0, 0.1, 0.0], [0.6, 0.0, 0.8]),
    HalfSpace([0.0, 0.1, -4.0], [0.6, 0.0, -0.8]),
]


def _records(count: int, types: Ints, rows: Floats, radii: Floats, corners: Floats, pairs: Ints, out: Floats) -> None:
    """Store signed distances, witness points and normals of pairs."""
    cores = Cores(types, rows, radii, corners)
    for k in range(count):
        i, j = pairs[2 * k], pairs[2 * k + 1]
        s, swap = separate_any(core_at(cores, i), core_at(cores, j))
        radius, other = (radii[j], radii[i]) if swap else (radii[i], radii[j])
        on_a, on_b, normal = along(s.on_a, radius, s.normal), along(s.on_b, -other, s.normal), s.normal
        if swap:
            on_a, on_b, normal = on_b, on_a, opposite(normal)
        out[10 * k] = s.distance - (radius + other)
        store(out, 10 * k + 1, on_a)
        store(out, 10 * k + 4, on_b)
        store(out, 10 * k + 7, normal)


RECORDS = Loop("test_core_records", _records, (INT, *CORES, INTS, FLOATS))


def records(rows: CoreRows, pairs: IntArray) -> FloatArray:
    found = np.empty((len(pairs), 10))
    RECORDS.run(len(pairs), *rows.addresses, address(pairs), address(found))
    return found


def test_any_two_rows_are_separated_as_their_shapes_are() -> None:
    rows = core_rows(SHAPES)
    pairs = np.array([*product(range(len(SHAPES)), repeat=2)], dtype=np.int64)
    for (i, j), found in zip(pairs.tolist(), records(rows, pairs), strict=True):
        expected = closest_points(SHAPES[i], SHAPES[j])
        parts = [expected.signed_distance, expected.on_a, expected.on_b, expected.normal]
        assert found.tobytes() == b"".join(part.tobytes() for part in parts), (SHAPES[i], SHAPES[j])


def test_all_types_of_cores_are_tried() -> None:
    assert {*core_rows(SHAPES).types.tolist()} == {*CoreType}
    verdicts = [bool(intersects(a, b)) for a, b in product(SHAPES, repeat=2)]
    assert 0.3 < np.mean(verdicts) < 0.8


def test_batches_and_grids_are_rows_in_order() -> None:
    grid = Sphere(np.arange(18.0).reshape(2, 3, 3), [[0.5], [0.25]])
    line = Capsule([[0, 0, 0], [1, 1, 1]], [5, 5, 5], 0.5)
    rows = core_rows([SHAPES[0], grid, Sphere(np.empty((0, 3)), 1), line])
    alone = core_rows([SHAPES[0], *[grid[i, j] for i in range(2) for j in range(3)], line[0], line[1]])
    assert len(rows) == 9
    assert rows.types.tolist() == alone.types.tolist() == [0] * 7 + [1] * 2
    assert rows.radii.tolist() == alone.radii.tolist()
    assert rows.rows[:7, :3].tolist() == alone.rows[:7, :3].tolist()
    assert rows.rows[7:, :11].tolist() == alone.rows[7:, :11].tolist()


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: type(shape).__name__)
def test_what_is_asked_of_one_core(shape: Shape) -> None:
    rows = core_rows([shape])
    core, radius = AnyCore(int(shape.core_type), rows.rows[0], 0, []), float(rows.radii[0])
    with np.errstate(all="ignore"):
        if shape.bounded:
            lower, upper = bounds(core)
            found = [lower - np.full(3, radius), upper + np.full(3, radius)]
            assert np.array(found).tobytes() == np.array(shape.corners()).tobytes()
        else:
            assert bounds(core) == (Vec3(*[-np.inf] * 3), Vec3(*[np.inf] * 3))
        ray = Ray([-3.0, 0.1, 0.05], [1.0, 0.1, 0.02])
        origin, direction = Vec3(*ray.origin.tolist()), Vec3(*ray.direction.tolist())
        ray_core = limited(Linear(origin, direction, direction, 0.0, np.inf), np.inf)
        there = hit(core, ray_core, radius, max(3.0, size(core), radius))
    expected = raycast(ray, shape)
    assert np.array(there.enter).tobytes() == expected.enter.tobytes()
    assert np.array(there.normal).tobytes() == expected.normal.tobytes()


def test_rows_are_read_at_their_own_places() -> None:
    rows = core_rows(SHAPES)
    assert rows.rows.shape == (len(SHAPES), ROW)
    box = SHAPES[8]
    assert rows.rows[8].tolist() == [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, *box.values()["lower"], *box.values()["upper"]]
