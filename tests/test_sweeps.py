"""Sweeps: the first touch, for every pair of kinds."""

from itertools import product

import numpy as np
import pytest

from collision import (
    AABB,
    Capsule,
    Line,
    OrientedBox,
    Point,
    Ray,
    Segment,
    Shape,
    Sphere,
    Transform,
    signed_distance,
    sweep,
)
from collision.fields import FloatArray
from collision.shapes import KINDS

COUNT = 400

#: Rounding of a signed distance, relative to coordinates of about ten.
ROUNDING = 1e-13


def crowd(kind: type[Shape], seed: int, lattice: bool) -> Shape:
    rng = np.random.default_rng(seed)

    def vectors() -> FloatArray:
        return rng.integers(-3, 4, (COUNT, 3)) * 0.5 if lattice else rng.normal(size=(COUNT, 3))

    place, other, size = vectors(), vectors(), np.abs(vectors())
    direction = np.where(np.any(other != 0.0, axis=1, keepdims=True), other, [0.0, 0.0, 1.0])
    turn = Transform(rotation=rng.normal(size=(COUNT, 4)))
    made: dict[type[Shape], Shape] = {
        Point: Point(place),
        Segment: Segment(place, place + other),
        Ray: Ray(place, direction),
        Line: Line(place, direction),
        Sphere: Sphere(place, 0.5 * size[:, 0]),
        Capsule: Capsule(place, place + other, 0.5 * size[:, 0]),
        AABB: AABB(place, place + size),
        OrientedBox: OrientedBox(place, turn.axes, 0.5 * size),
    }
    return made[kind]


@pytest.mark.parametrize("lattice", [False, True])
@pytest.mark.parametrize("kinds", list(product(KINDS, KINDS)), ids=lambda kinds: "-".join(k.__name__ for k in kinds))
def test_they_touch_then_and_not_before(kinds: tuple[type[Shape], type[Shape]], lattice: bool) -> None:
    a, b = crowd(kinds[0], 1, lattice), crowd(kinds[1], 2, lattice)
    motion = np.random.default_rng(3).normal(size=(COUNT, 3)) * 3.0
    if lattice:
        motion = np.round(motion)
    found = sweep(a, b, motion=motion)
    assert np.array_equal(found.hit, ~np.isnan(found.fraction))
    way = np.where(found.hit, found.fraction, 1.0)

    started = found.hit & (found.fraction == 0.0)
    assert np.array_equal(started, signed_distance(a, b) <= ROUNDING)
    later = found.hit & ~started
    assert np.abs(signed_distance(a.translated(way[:, None] * motion), b)[later]).max(initial=0.0) <= ROUNDING
    for part in np.linspace(0.0, 1.0, 23, endpoint=False):
        apart = signed_distance(a.translated((part * way)[:, None] * motion), b)
        assert apart[~started].min(initial=0.0) >= -ROUNDING
    assert signed_distance(a.translated(motion), b)[~found.hit].min(initial=np.inf) > 0.0

    # The touching point is on both surfaces, and the normal is unit and against the motion.
    point = Point(np.where(found.hit[:, None], found.point, 0.0))
    assert np.abs(signed_distance(point, b)[later]).max(initial=0.0) <= ROUNDING
    assert np.abs(np.linalg.norm(found.normal[found.hit], axis=1) - 1.0).max(initial=0.0) <= 1e-15
    assert np.sum(found.normal * motion, axis=1)[later].min(initial=0.0) >= -ROUNDING


@pytest.mark.parametrize("kinds", list(product(KINDS, KINDS)), ids=lambda kinds: "-".join(k.__name__ for k in kinds))
def test_moving_the_one_or_the_other_is_the_same(kinds: tuple[type[Shape], type[Shape]]) -> None:
    a, b = crowd(kinds[0], 4, False), crowd(kinds[1], 5, False)
    motion = np.random.default_rng(6).normal(size=(COUNT, 3)) * 3.0
    one, other = sweep(a, b, motion=motion), sweep(b, a, motion=-motion)
    assert np.array_equal(one.hit, other.hit)
    both = one.hit
    # A touch at a flat angle is as uncertain in time as it is small in speed.
    speed = np.abs(np.sum(one.normal * motion, axis=1))[both]
    assert (np.abs(one.fraction - other.fraction)[both] * np.maximum(speed, 1e-3)).max(initial=0.0) <= ROUNDING


@pytest.mark.parametrize(
    ("a", "b", "motion", "fraction"),
    [
        (Sphere([0, 0, 0], 1), Sphere([6, 0, 0], 1), [8, 0, 0], 0.5),
        (Sphere([0, 0, 0], 1), Sphere([6, 0, 0], 1), [4, 0, 0], 1.0),  # at the very end
        (Sphere([0, 0, 0], 1), Sphere([6, 2, 0], 1), [12, 0, 0], 0.5),  # a grazing touch
        (Sphere([0, 0, 0], 1), Sphere([2, 0, 0], 1), [5, 0, 0], 0.0),  # they start in touch
        (Sphere([0, 0, 0], 1), Sphere([2, 0, 0], 1), [-5, 0, 0], 0.0),  # ... and part
        (Sphere([0, 0, 0], 1), Sphere([0.5, 0, 0], 1), [0, 0, 0], 0.0),  # they overlap and rest
        (AABB([0, 0, 0], [1, 1, 1]), AABB([3, 0, 0], [4, 1, 1]), [4, 0, 0], 0.5),
        (AABB([0, 0, 0], [1, 1, 1]), AABB([3, 1, 0], [4, 2, 1]), [4, 0, 0], 0.5),  # edge along edge
        (Capsule([0, 0, -1], [0, 0, 1], 0.25), Segment([1.25, -1, 0], [1.25, 1, 0]), [2, 0, 0], 0.5),
        (Point([0, 0, 0]), Line([0, 0, 1], [1, 1, 0]), [0, 0, 4], 0.25),
        (Point([-1, 0, 0]), Ray([0, 0, 0], [1, 0, 0]), [4, 0, 0], 0.25),
    ],
)
def test_known_times(a: Shape, b: Shape, motion: list[float], fraction: float) -> None:
    found = sweep(a, b, motion=motion)
    assert found.hit
    assert abs(found.fraction - fraction) <= (1e-7 if fraction == 0.5 and motion == [12, 0, 0] else 1e-12)


@pytest.mark.parametrize(
    ("a", "b", "motion"),
    [
        (Sphere([0, 0, 0], 1), Sphere([6, 0, 0], 1), [3.999999, 0, 0]),
        (Sphere([0, 0, 0], 1), Sphere([6, 2.000001, 0], 1), [12, 0, 0]),
        (Sphere([0, 0, 0], 1), Sphere([6, 0, 0], 1), [0, 0, 0]),
        (Sphere([0, 0, 0], 1), Sphere([6, 0, 0], 1), [-9, 0, 0]),
        (Point([0, 0, 1]), Line([0, 0, 0], [1, 0, 0]), [5, 0, 0]),
    ],
)
def test_known_misses(a: Shape, b: Shape, motion: list[float]) -> None:
    found = sweep(a, b, motion=motion)
    assert not found.hit
    assert np.isnan(found.fraction)
    assert np.all(np.isnan([found.point, found.normal]))


def test_batches_broadcast() -> None:
    spheres = Sphere(np.zeros((4, 1, 3)), 1)
    walls = AABB([[3, -1, -1], [5, -1, -1]], [[4, 1, 1], [6, 1, 1]])
    motion = np.array([4.0, 0, 0]) * np.arange(1, 5)[:, None, None]
    found = sweep(spheres, walls, motion=motion)
    assert found.fraction.shape == (4, 2)
    for i, j in np.ndindex(4, 2):
        one = sweep(spheres[i, 0], walls[j], motion=motion[i, 0])
        assert np.array_equal(one.fraction, found.fraction[i, j])
    assert sweep(Sphere(np.zeros((0, 3)), 1), walls[0], motion=[1, 0, 0]).hit.shape == (0,)


def test_what_is_no_shape_or_no_motion_is_refused() -> None:
    ball = Sphere([0, 0, 0], 1)
    with pytest.raises(TypeError, match="sweep takes two shapes, got str"):
        sweep(ball, "ball", motion=[1, 0, 0])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"sweep.motion must be finite, got \[nan"):
        sweep(ball, ball, motion=[np.nan, 0, 0])
    with pytest.raises(ValueError, match=r"sweep.motion must be an array of shape \(\.\.\., 3\)"):
        sweep(ball, ball, motion=[1, 0])
