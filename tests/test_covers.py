"""Hulls of few corners around many points: they hold all of them exactly, and reach no farther out than they say."""

from fractions import Fraction

import numpy as np
import pytest

from collision.base.fields import FloatArray
from collision.models.covers import Cover, cover
from collision.shapes.polytope import polytope


def ball(count: int, seed: int = 0) -> FloatArray:
    points = np.random.default_rng(seed).normal(size=(count, 3))
    return points / np.linalg.norm(points, axis=1, keepdims=True)


def holds(found: Cover, points: FloatArray) -> bool:
    """Tell in exact arithmetic whether no point is outside of the hull of the corners, a face of which is triangles."""
    exact = [tuple(map(Fraction, point)) for point in found.corners.tolist()]
    others = [tuple(map(Fraction, point)) for point in points.tolist()]
    hull = polytope(found.corners)
    for face in hull.faces:
        a, b, c = (exact[hull.corners[k]] for k in face[:3])
        u, v = [[q - p for p, q in zip(a, end, strict=True)] for end in (b, c)]
        normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
        if any(sum(n * (x - y) for n, x, y in zip(normal, p, a, strict=True)) > 0 for p in others):
            return False
    return True


POINTS = {
    "ball": ball(800),
    "egg far away": ball(500, 1) * [1e-3, 2.0, 0.3] + [40.0, -7.0, 1e3],
    "cylinder": np.concatenate([np.append(ball(300, 2)[:, :2], np.full((300, 1), z), axis=1) for z in (-1.0, 2.0)]),
    "rounded box": ball(600, 3) * 0.1 + np.sign(ball(600, 3)),
    "needle": ball(400, 4) * [1.0, 1e-6, 1e-5],
}


@pytest.mark.parametrize("name", POINTS)
@pytest.mark.parametrize("most", [8, 13, 64])
def test_a_cover_holds_all_points_and_says_how_far_it_reaches_out(name: str, most: int) -> None:
    points = POINTS[name]
    found = cover(points, most)
    assert len(found.corners) <= most
    assert holds(found, points)
    # In each of many directions it reaches out by no more, and in that of a corner nearly so far.
    ways = ball(2000, 5)
    reach = (found.corners @ ways.T).max(axis=0) - (points @ ways.T).max(axis=0)
    assert reach.max() <= found.excess * (1 + 1e-9)
    assert reach.max() >= 0.3 * found.excess > 0.0


def test_more_corners_lie_closer() -> None:
    excess = [cover(POINTS["ball"], most).excess for most in (8, 16, 32, 64, 128)]
    assert excess == sorted(excess, reverse=True)
    assert excess[0] == pytest.approx(np.sqrt(3) - 1, rel=0.02)
    assert excess[3] < 0.15


def test_what_has_few_corners_keeps_them() -> None:
    box = np.stack(np.meshgrid([0.1, 0.3], [1.0, 7.0], [-1.0, 1.0]), axis=-1).reshape(-1, 3)
    inside = np.random.default_rng(1).uniform([0.1, 1.0, -1.0], [0.3, 7.0, 1.0], (5000, 3))
    found = cover(np.concatenate([inside, box]), 8)
    assert found.excess == 0.0
    assert sorted(found.corners.tolist()) == sorted(box.tolist())


@pytest.mark.parametrize("count", [12, 40, 64])
def test_few_corners_are_found_among_many_points(count: int) -> None:
    """Some of them are close together, and seen from few directions; and a needle has two that are far apart."""
    for points in (ball(count), ball(count) * [1.0, 0.01, 0.01], ball(count) * [1.0, 1e-7, 1e-7]):
        corners = np.concatenate([points[: count // 2], points[count // 2 :] * 1e-3 + points[0]])
        corners = corners[polytope(corners).corners]
        inside = np.random.default_rng(2).dirichlet(np.full(len(corners), 0.3), 500) @ corners
        middle = corners.mean(axis=0)
        found = cover(np.concatenate([middle + 0.999 * (inside - middle), corners]), 64)
        assert found.excess == 0.0
        assert sorted(found.corners.tolist()) == sorted(corners.tolist())


def test_what_is_flat_keeps_its_corners() -> None:
    angles = np.linspace(0.0, 2.0 * np.pi, 200, endpoint=False)
    disc = np.stack([np.cos(angles), np.sin(angles), np.full(200, 3.0)], axis=-1)
    assert len(cover(disc, 64).corners) == 200
    assert len(cover(np.linspace([0.0, 0.0, 0.0], [1.0, 2.0, 3.0], 300), 64).corners) == 2
    assert len(cover(np.full((100, 3), 0.7), 64).corners) == 1
