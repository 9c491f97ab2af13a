"""What touches follows the numbers that shapes are given by; nearly parallel lines are as exact as others."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from collision import Line, Point, Ray, Scene, Segment, Shape, Sphere, closest_points, contact, intersects, raycast
from collision import signed_distance as signed
from collision.base.fields import FloatArray
from tests import oracles
from tests.corpus import EPS, gap, stacked

#: Lines that are parallel but for 1.4e-15: they come nearest at 7e15, and are 1 apart there.
ALONG, NEARLY = Line([0.0, 0.0, 0.0], [1.0, 0.0, 0.0]), Line([0.0, 10.0, 1.0], [1.0, -1.4e-15, 0.0])


def endless(kind: type[Shape], points: FloatArray, ways: FloatArray) -> Shape:
    return Line(points, ways) if kind is Line else Ray(points, ways)


def nearly_parallel(kinds: tuple[type[Shape], type[Shape]], count: int = 300) -> tuple[Shape, Shape]:
    """Return lines or rays at angles from 3e-16 to 0.1, near the origin and far from it."""
    rng = np.random.default_rng(8)
    ways, aside = rng.normal(size=(2, count, 3))
    ways /= np.linalg.norm(ways, axis=-1, keepdims=True)
    turned = ways + 10.0 ** rng.uniform(-15.5, -1.0, (count, 1)) * aside
    points = rng.normal(size=(2, count, 3)) * 10.0 ** rng.choice([-3, 0, 6], (count, 1))
    return endless(kinds[0], points[0], ways), endless(kinds[1], points[1], turned * rng.choice([-1, 1], (count, 1)))


def own_size(a: Shape, b: Shape) -> float:
    return max(oracles.extent(a), oracles.extent(b))


def sine(a: Shape, b: Shape) -> float:
    across = oracles.cross(*(oracles.exact(line.values()["direction"]) for line in (a, b)))
    return float(oracles.root(oracles.dot(across, across)))


@pytest.mark.parametrize("kinds", [(Line, Line), (Line, Ray), (Ray, Ray)])
def test_nearly_parallel_lines_are_exact_by_their_own_numbers(kinds: tuple[type[Shape], type[Shape]]) -> None:
    a, b = nearly_parallel(kinds)
    got, turned, far = signed(a, b), signed(b, a), 0
    for i in range(len(got)):
        if sine(a[i], b[i]) > EPS:
            exact = oracles.signed_distance(a[i], b[i])
            assert abs(gap(got[i], exact)) <= 1e-15 * own_size(a[i], b[i]), (a[i], b[i])
            assert abs(gap(turned[i], exact)) <= 1e-15 * own_size(a[i], b[i]), (b[i], a[i])
            far += float(np.abs(closest_points(a[i], b[i]).on_a).max()) > 1e9 * own_size(a[i], b[i])
    assert far > 10


def test_directions_that_differ_by_what_unit_length_rounds_are_parallel() -> None:
    rng = np.random.default_rng(4)
    ways = rng.integers(-9, 10, (200, 3)).astype(float)
    ways[:, 0] += 10.0 * (np.abs(ways).max(axis=-1) == 0.0)
    factors = rng.choice([3.0, 7.0, 0.1, -1.7], (200, 1))
    aside = np.cross(ways, rng.normal(size=(200, 3)))
    aside /= np.linalg.norm(aside, axis=-1, keepdims=True)
    a, b = Line(np.zeros((200, 3)), ways), Line(aside, factors * ways)
    assert np.any(a.direction != np.sign(factors) * b.direction)
    assert np.allclose(signed(a, b), 1.0, rtol=0.0, atol=1e-15)
    assert np.allclose(closest_points(a, b).on_a, 0.0, atol=1e-15)


def test_lines_do_not_touch_by_a_hair_of_where_they_are_nearest() -> None:
    near = closest_points(ALONG, NEARLY)
    assert np.abs(near.on_a).max() > 1e15
    assert float(near.signed_distance) == pytest.approx(1.0, abs=1e-14)
    assert not intersects(ALONG, NEARLY)
    assert not contact(ALONG, NEARLY).touching
    assert not raycast(Ray(ALONG.point, ALONG.direction), NEARLY).hit
    scene = Scene({"along": ALONG, "nearly": NEARLY, "ball": Sphere([3.0, 0.0, 0.0], 1.0)})
    assert scene.colliding_pairs().tolist() == [[0, 2]]
    assert len(scene.contacts(of="nearly").pairs) == 0
    assert scene.contacts(of=NEARLY).pairs.tolist() == [[-1, 1]]


def test_lines_that_meet_far_out_meet_if_their_numbers_do() -> None:
    """In a plane of coordinates they do; where directions are rounded they miss by that, a thousand units out."""
    a, b = Line([0, 0, 0], [1, 0, 0]), Line([0, 1, 0], [1000, -1, 0])
    assert intersects(a, b)
    a, b = Line([0, 0, 0], [1, 2, 3]), Line([-3, 0, 1], [1.003, 2, 2.999])
    assert np.abs(closest_points(a, b).on_a).max() > 1e3
    exact = oracles.signed_distance(a, b)
    assert exact > Fraction(8 * EPS) * 3
    assert not intersects(a, b)
    assert intersects(Line(1000 * a.direction * np.sqrt(14), a.direction), Line([1000, 2000, 3000], b.direction))


def test_a_long_ray_touches_what_is_far_by_the_size_of_that() -> None:
    """What is far away has large coordinates of its own, which count."""
    way = np.array([1.0, 2.0, 3.0])
    ray = Ray([0, 0, 0], way)
    for length in (1.0, 1e3, 1e6):
        assert intersects(ray, Point(length * way))
        assert intersects(ray, Segment(length * way, length * way + [0, 0, 1]))
        assert intersects(Ray(length * way, [0, 0, 1]), ray)


@pytest.mark.parametrize("kinds", [(Line, Line), (Line, Ray), (Ray, Ray)])
def test_a_scene_has_the_pairs_that_intersect(kinds: tuple[type[Shape], type[Shape]]) -> None:
    """Alone, in batches, as a scene, of one element of it, and of a shape that is not in it."""
    a, b = nearly_parallel(kinds, 40)
    flat = b.values()["direction"] * [1, 1, 0] + [1e-3, 0, 0]
    across = endless(kinds[1], b.values()["point" if kinds[1] is Line else "origin"] * [1, 1, 0], flat)
    meeting = endless(kinds[0], a.values()["point" if kinds[0] is Line else "origin"] * [1, 1, 0], flat[::-1])
    everything = [*(s[i] for s in (a, b, across, meeting) for i in range(40))]
    expected = {
        (i, j) for j in range(len(everything)) for i in range(j) if bool(intersects(everything[i], everything[j]))
    }
    assert len(expected) > 50
    scene = Scene({str(i): shape for i, shape in enumerate(everything)})
    assert {*map(tuple, scene.colliding_pairs().tolist())} == expected
    for i in range(0, len(everything), 9):
        mine = {pair for pair in expected if i in pair}
        assert {*map(tuple, scene.contacts(of=str(i)).pairs.tolist())} == mine
        met = {j for pair in mine for j in pair} | {-1, i}
        assert {*scene.contacts(of=everything[i]).pairs.ravel().tolist()} == met
    batch = stacked([s for s in everything if isinstance(s, kinds[0])])
    assert np.array_equal(contact(batch[:, None], batch).touching, intersects(batch[:, None], batch))
