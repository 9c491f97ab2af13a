"""How signed distances change with poses, against what they do when shapes are moved and turned a little."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.random import Generator
from scipy.optimize import nnls
from scipy.spatial.transform import Rotation

from collision import (
    AABB,
    Capsule,
    HalfSpace,
    Line,
    OrientedBox,
    Point,
    PoseGradient,
    Ray,
    Segment,
    Shape,
    Sphere,
    Transform,
    closest_points,
    pose_gradient,
    signed_distance,
)
from collision.base.fields import FloatArray
from tests.corpus import ORDERED, Corpus, Order, both_orders, check, corpus_fixture, names, stacked
from tests.strategies import Kind, parted, random_case

__all__ = ["corpus_fixture"]  # a fixture, which tests ask for by its name

STEP = 1e-5


def pivot(shape: Any) -> FloatArray:
    """Return what a shape turns about unless another pivot is given."""
    match shape:
        case Point():
            return np.asarray(shape.position)
        case Segment() | Capsule():
            return np.asarray(0.5 * (shape.start + shape.end))
        case Ray():
            return np.asarray(shape.origin)
        case Line() | HalfSpace():
            return np.asarray(shape.point)
    return np.asarray(shape.center)


def turned(shape: Shape, turn: FloatArray, about: FloatArray) -> Shape:
    """Return a shape turned by a rotation vector; an AABB as the box that it is."""
    if isinstance(shape, AABB):
        shape = shape.oriented()
    there = shape.translated(-about).transformed(Transform(rotation=Rotation.from_rotvec(turn)))
    return there.translated(about)


def generic(order: Order, rng: Generator, count: int = 80) -> tuple[Shape, Shape]:
    """Return a batch of pairs about as large as 1 and some 1 apart; half of them overlap, if they can."""
    cases = [random_case("anywhere", *order, rng, plain=True) for _ in range(count)]
    return stacked([case.a for case in cases]), stacked([case.b for case in cases])


def differences(a: Shape, b: Shape, about: FloatArray | None) -> list[tuple[FloatArray, FloatArray]]:
    """Return the slopes of the signed distance, forwards and backwards, in the order of the record's vectors."""
    moves = [lambda s, v, _: s.translated(v), turned]
    pairs = []
    for side in (0, 1):
        center = pivot((a, b)[side]) if about is None else about
        for move in moves:
            slopes = np.empty((2, *a.batch_shape, 3))
            for k, sign in np.ndindex(3, 2):
                way = (1 - 2 * sign) * STEP
                shapes: list[Shape] = [a, b]
                shapes[side] = move(shapes[side], way * np.eye(3)[k], center)
                slopes[sign, ..., k] = (signed_distance(*shapes) - signed_distance(a, b)) / way
            pairs.append((slopes[0], slopes[1]))
    return pairs


@pytest.mark.parametrize("order", [order for order in ORDERED if parted(order)], ids=names)
def test_gradients_are_what_central_differences_tend_to(order: Order) -> None:
    rng = np.random.default_rng([7, *map(ORDERED.index, [order])])
    a, b = generic(order, rng)
    about = None if ORDERED.index(order) % 2 else np.array([0.3, -0.7, 1.1])
    got = pose_gradient(a, b, about=about)
    assert np.array_equal(got.signed_distance, signed_distance(a, b))
    smooth = 0
    for vector, (forwards, backwards) in zip(got[1:], differences(a, b, about), strict=True):
        even = np.abs(forwards - backwards).max(axis=-1) < 3e-4  # else there is a kink, or the shapes all but touch
        smooth += int(even.sum())
        np.testing.assert_allclose(vector[even], 0.5 * (forwards + backwards)[even], rtol=0.0, atol=1e-6)
    assert smooth > (0.45 if order == (AABB, AABB) else 0.75) * 4 * len(a)  # parallel faces: a kink for every turn


@both_orders
def test_gradients_follow_from_the_witness_points(corpus: Corpus) -> None:
    a, b = corpus.a, corpus.b
    got, near = pose_gradient(a, b), closest_points(a, b)
    endless = np.isneginf(near.signed_distance)
    near.normal[endless] = np.nan
    assert np.array_equal(got.translation_a, -near.normal, equal_nan=True)
    assert np.array_equal(got.translation_b, near.normal, equal_nan=True)
    for turn, arm in ((got.rotation_a, near.on_a - pivot(a)), (got.rotation_b, pivot(b) - near.on_b)):
        errors = np.abs(turn - np.cross(near.normal, arm)).max(axis=-1)
        check(corpus, np.where(endless, 0.0, errors), 1e-14, "moment arm")


def test_the_pivot_broadcasts() -> None:
    rod, balls = Capsule([-2, 0, 0], [2, 0, 0], 0.5), Sphere([[1, 0, 2], [0, 1, 3]], 0.5)
    pivots = np.array([[[0.0, 0, 0]], [[1, 2, 3]], [[0, -5, 0]]])
    got = pose_gradient(rod, balls, about=pivots)
    assert [vector.shape for vector in got] == [(3, 2), *[(3, 2, 3)] * 4]
    for i, j in np.ndindex(3, 2):
        for one, many in zip(pose_gradient(rod, balls[j], about=pivots[i, 0]), got, strict=True):
            assert np.array_equal(one, many[i, j])
    assert pose_gradient(rod, balls[0], about=pivots).rotation_a.shape == (3, 1, 3)


def test_moving_both_together_changes_nothing() -> None:
    a, b = generic((Capsule, OrientedBox), np.random.default_rng(5))
    got = pose_gradient(a, b, about=[1, 2, 3])
    np.testing.assert_allclose(got.rotation_a, -got.rotation_b, rtol=0.0, atol=1e-14)
    assert np.array_equal(got.translation_a, -got.translation_b)


def test_a_ball_may_turn_as_it_likes() -> None:
    got = pose_gradient(Sphere([1, 2, 3], 4), Point([9, 9, 9]))
    np.testing.assert_allclose(got.rotation_a, 0.0, atol=1e-15)
    np.testing.assert_allclose(got.rotation_b, 0.0, atol=1e-15)


def test_an_aabb_turns_as_the_box_that_it_is() -> None:
    box, rod = AABB([0, 0, 0], [4, 2, 1]), Segment([3, -1, 1.25], [3.5, 5, 1.75])
    for got, as_box in zip(pose_gradient(box, rod), pose_gradient(box.oriented(), rod), strict=True):
        np.testing.assert_allclose(got, as_box, rtol=0.0, atol=1e-15)


@pytest.mark.parametrize(
    "kinds", [(AABB, AABB), (OrientedBox, AABB), (Capsule, OrientedBox), (Capsule, Capsule)], ids=names
)
@pytest.mark.parametrize("gap", [-0.1, 0.2])
def test_where_there_are_kinks_it_is_a_mixture_of_the_gradients_around(kinds: tuple[Kind, Kind], gap: float) -> None:
    """A box that lies on another may tip over each corner: the gradient is a mean of theirs."""
    lower = {AABB: AABB([-1, -1, -1], [1, 1, 0]), OrientedBox: OrientedBox([0, 0, -0.5], np.eye(3), [1, 1, 0.5])}
    lower[Capsule] = Capsule([-1, 0, -0.5], [1, 0, -0.5], 0.5)
    upper = {AABB: AABB([0.2, -0.4, gap], [2, 0.3, 1]), Capsule: Capsule([0.2, 0, 0.5 + gap], [2, 0, 0.5 + gap], 0.5)}
    upper[OrientedBox] = OrientedBox([1.1, -0.05, 0.5 + gap], np.eye(3), [0.9, 0.35, 0.5])
    a, b = lower[kinds[0]], upper[kinds[1]]
    got = joined(pose_gradient(a, b))
    rng = np.random.default_rng(1)
    around = [
        joined(pose_gradient(turned(a, rng.normal(0, 1e-7, 3), pivot(a)), turned(b, rng.normal(0, 1e-7, 3), pivot(b))))
        for _ in range(200)
    ]
    assert np.ptp(around, axis=0).max() > 0.2  # there is a kink
    parts, miss = nnls(np.vstack([np.transpose(around), np.ones(200)]), np.append(got, 1.0))
    assert miss < 1e-5
    assert parts.sum() == pytest.approx(1.0, abs=1e-5)


def joined(gradient: PoseGradient) -> FloatArray:
    return np.concatenate(gradient[1:])


def test_mistakes_are_named() -> None:
    ball = Sphere([0, 0, 0], 1)
    with pytest.raises(TypeError, match="pose_gradient"):
        pose_gradient(ball, [1, 2, 3])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"pose_gradient\.about"):
        pose_gradient(ball, ball, about=[1, 2])
    with pytest.raises(ValueError, match="broadcast"):
        pose_gradient(Sphere(np.zeros((3, 3)), 1), ball, about=np.zeros((2, 3)))
