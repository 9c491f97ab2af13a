"""Boxes against boxes that are nearly special: aligned but for a hair, touching, thin, flat, tiny by huge, far away.

Where edges or faces are all but parallel, features that differ by less than rounding in their distance differ by up to
the root of it in their place and in their normal. So distances can be right while all else is not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import pytest
from numpy.random import Generator
from scipy.spatial.transform import Rotation

from collision import AABB, OrientedBox, closest_points
from collision.base.fields import FloatArray
from tests.certificate.families import Cases, hairs, mixed, random_frames, right_angles, taken, turns
from tests.certificate.pairs import certificate
from tests.certificate.report import verdict

#: Pairs a family.
COUNT = 2000

Frames: TypeAlias = Callable[[Generator], FloatArray]
Gaps: TypeAlias = Callable[[Generator], FloatArray]


# --- how B is turned, as A sees it ----------------------------------------------------------------


def any_way(rng: Generator) -> FloatArray:
    ways = rng.normal(size=(COUNT, 3))
    return np.asarray(ways / np.linalg.norm(ways, axis=1)[:, None])


def aligned(rng: Generator) -> FloatArray:
    return right_angles(rng, COUNT)


def nearly_aligned(rng: Generator) -> FloatArray:
    ways = mixed(rng, COUNT, np.eye(3)[rng.integers(3, size=COUNT)], any_way(rng), any_way(rng))
    return turns(ways, hairs(rng, COUNT, coarsest=-5.0)) @ aligned(rng)


def on_edge(rng: Generator) -> FloatArray:
    """Turn by 45 degrees about an edge, but for a hair: edges lie along edges and along faces."""
    quarter = Rotation.from_rotvec(np.eye(3)[rng.integers(3, size=COUNT)] * np.pi / 4).as_matrix()
    return nearly_aligned(rng) @ quarter @ aligned(rng)


def anyhow(rng: Generator) -> FloatArray:
    return random_frames(rng, COUNT)


# --- how far B is from A along the direction in which features of both face each other ------------


def deep(rng: Generator) -> FloatArray:
    return -(10.0 ** rng.uniform(-12.0, 0.0, COUNT))


def touching(rng: Generator) -> FloatArray:
    return np.where(rng.random(COUNT) < 0.3, 0.0, rng.choice([-1.0, 1.0], COUNT) * hairs(rng, COUNT, coarsest=-9.0))


def nearly_touching(rng: Generator) -> FloatArray:
    return np.asarray(10.0 ** rng.uniform(-13.0, -4.0, COUNT))


def apart(rng: Generator) -> FloatArray:
    return np.asarray(10.0 ** rng.uniform(-4.0, 4.0, COUNT))


# --- pairs ----------------------------------------------------------------------------------------


def sizes(rng: Generator) -> FloatArray:
    """Half extents: some or all of about one, thin as paper, foil or rounding, zero, or 1e-6 to 1e6."""
    some = rng.uniform(0.2, 2.0, (COUNT, 3))
    one = np.eye(3)[rng.integers(3, size=COUNT)] > 0.0
    return mixed(
        rng,
        COUNT,
        some,
        np.ceil(some),
        np.where(one, some * 10.0 ** rng.uniform(-14.0, -2.0, (COUNT, 1)), some),
        some * (rng.random((COUNT, 3)) > 0.4),
        some * 10.0 ** rng.uniform(-6.0, 6.0, (COUNT, 1)),
        some * 10.0 ** rng.uniform(-6.0, 6.0, (COUNT, 3)),
    )


def facing(rng: Generator, a: FloatArray, b: FloatArray) -> FloatArray:
    """Return normals of faces of A and of B, of edges across, and any directions."""
    rows, i, j = np.arange(COUNT), *rng.integers(3, size=(2, COUNT))
    across = np.cross(a[rows, :, i], b[rows, :, j])
    sine = np.linalg.norm(across, axis=1)[:, None]
    across = np.where(sine > 1e-3, across / np.maximum(sine, 1e-3), a[rows, :, i])
    some = mixed(rng, COUNT, a[rows, :, i], b[rows, :, j], across, any_way(rng))
    return np.asarray(some * rng.choice([-1.0, 1.0], (COUNT, 1)))


def farthest(rng: Generator, frame: FloatArray, half: FloatArray, way: FloatArray) -> FloatArray:
    """From the center of a box to where it is farthest along a direction; anywhere where it is level to a hair."""
    rise = np.einsum("nij,ni->nj", frame, way)
    return taken(frame, np.where(np.abs(rise) < 1e-4, rng.uniform(-1.0, 1.0, (COUNT, 3)), np.sign(rise)) * half)


def pairs(frames: Frames, gaps: Gaps) -> Cases:
    rng = np.random.default_rng([9, *frames.__name__.encode(), *gaps.__name__.encode()])
    a = np.where(rng.random((COUNT, 1, 1)) < 0.5, np.eye(3), random_frames(rng, COUNT))
    b, half_a = a @ frames(rng), sizes(rng)
    half_b = np.where(rng.random((COUNT, 1)) < 0.3, half_a, sizes(rng))
    way, size = facing(rng, a, b), np.maximum(half_a, half_b).max(axis=1)[:, None]
    off = farthest(rng, a, half_a, way) - farthest(rng, b, half_b, -way) + (gaps(rng)[:, None] * size) * way
    off = np.where((gaps is deep) & (rng.random((COUNT, 1)) < 0.5), off * hairs(rng, COUNT, 1, coarsest=0.0), off)
    center = rng.normal(size=(COUNT, 3)) * rng.choice([0.0, 1.0, 1e6], (COUNT, 1)) * size
    first, second = OrientedBox(center, a, half_a), OrientedBox(center + off, b, half_b)
    return Cases(first, second, [f"{frames.__name__}, {gaps.__name__}"] * COUNT)


@pytest.mark.parametrize("gaps", [deep, touching, nearly_touching, apart])
@pytest.mark.parametrize("frames", [aligned, nearly_aligned, on_edge, anyhow])
def test_all_that_is_returned_is_certified(frames: Frames, gaps: Gaps) -> None:
    given = pairs(frames, gaps)
    for cases in (given, given.turned()):
        wrong = verdict(cases, certificate(cases.a, cases.b, closest_points(cases.a, cases.b)))
        assert not wrong, wrong


# --- normals that are known -----------------------------------------------------------------------


@pytest.mark.parametrize("gap", [1e-13, 1e-12, 1e-9, 1e-6, 1e-3, 1.0])
def test_the_normal_of_a_face_is_exact_however_near_the_corner_above_it(gap: float) -> None:
    """Also that of a thin plate that lies nearly flat: the distance hardly changes while it turns."""
    rng = np.random.default_rng(3)
    plate = np.array([0.7, 0.5, 1e-9])
    turned = np.concatenate([random_frames(rng, 500), turns(rng.normal(size=(500, 3)), hairs(rng, 500, finest=-8.0))])
    half = np.where(rng.random((1000, 1)) < 0.5, plate, 1.0)
    reach = (np.abs(turned[:, 2]) * half).sum(axis=1)
    center = np.c_[rng.uniform(-1.0, 1.0, (1000, 2)), reach + gap]
    floor, boxes = AABB([-9, -9, 0], [9, 9, 0]), OrientedBox(center, turned, half)
    up = np.broadcast_to([0.0, 0.0, 1.0], (1000, 3))
    assert np.array_equal(closest_points(floor, boxes).normal, up)
    assert np.array_equal(closest_points(boxes, floor).normal, -up)


def test_faces_that_lie_on_each_other_meet_where_both_are() -> None:
    """Bricks in a bond: the middle of neither face need be on the other."""
    rng = np.random.default_rng(4)
    turned = np.where(rng.random((500, 1, 1)) < 0.5, np.eye(3), random_frames(rng, 500))
    half = rng.uniform(0.5, 2.0, (2, 500, 3))
    off = rng.uniform(-0.99, 0.99, (500, 3)) * half.sum(axis=0)
    off[:, 2] = half[:, :, 2].sum(axis=0)
    lower, upper = OrientedBox(np.zeros(3), turned, half[0]), OrientedBox(taken(turned, off), turned, half[1])
    near = closest_points(lower, upper)
    for box, point in ((lower, near.on_a), (upper, near.on_b)):
        local = np.einsum("nij,ni->nj", turned, point - box.center)
        assert np.all(np.abs(local) <= box.half_extents + 1e-14)
    assert np.allclose(np.einsum("nij,ni->nj", turned, near.normal), [0.0, 0.0, 1.0], rtol=0.0, atol=1e-15)
