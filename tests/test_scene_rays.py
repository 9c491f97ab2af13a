"""Rays and a scene: the answers are those of casting each ray at each element."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from collision import AABB, ConvexHull, Point, Ray, RayHit, Scene, Sphere, raycast
from collision.base.fields import FloatArray
from tests.crowds import crowds, shown

WITHOUT = ("ball", "Sphere[2]")


def rays_through(scene: Scene, rng: np.random.Generator, count: int) -> Ray:
    """Return rays through elements and beside them, some along axes or all but, some from inside."""
    found = [
        shape.points[:, 0] if isinstance(shape, ConvexHull) else shape.core.operands[0] * np.ones((len(shape), 3))
        for _, shape in scene.groups
    ]
    places = np.concatenate(found)
    extent = np.ptp(places, axis=0).max()
    target = places[rng.integers(len(places), size=count)] + rng.normal(0.0, 0.3, (count, 3))
    direction = rng.normal(size=(count, 3))
    direction[::4] = np.eye(3)[rng.integers(3, size=len(direction[::4]))] * rng.choice([-1.0, 1.0])
    direction[1::4, rng.integers(3)] *= 1e-17
    direction /= np.linalg.norm(direction, axis=1)[:, None]
    back = extent * rng.choice([0.0, 0.1, 1.0], (count, 1)) * rng.random((count, 1))
    return Ray(target - back * direction, direction)


class Brute:
    """What each ray and each element that is shown have to do with each other."""

    def __init__(self, scene: Scene, rays: Ray, limits: Any = np.inf, without: tuple[str, ...] = ()) -> None:
        self.numbers = np.array(shown(scene, without), dtype=np.int64)
        self.hits = [raycast(rays, scene.element(e), max_distance=limits) for e in self.numbers.tolist()]
        self.enter = np.stack([hit.enter for hit in self.hits], axis=1)

    def of(self, ray: int, element: int) -> RayHit:
        """Return one ray's hit of one element."""
        return RayHit(*(part[ray] for part in self.hits[int(np.searchsorted(self.numbers, element))]))

    def first(self) -> tuple[Any, FloatArray]:
        """Return the first element for each ray, and the distance."""
        enter = np.where(np.isnan(self.enter), np.inf, self.enter)
        best = np.where(np.isfinite(enter.min(axis=1)), self.numbers[enter.argmin(axis=1)], -1)
        return best, np.where(best >= 0, enter.min(axis=1), np.nan)


@pytest.mark.parametrize("seed", range(2))
def test_the_first_hit_is_that_of_casting_at_every_element(seed: int) -> None:
    rng, met, limited = np.random.default_rng(seed), [], 0
    for title, scene in crowds(seed):
        rays = rays_through(scene, rng, 40)
        everything = Brute(scene, rays)
        reach = np.nan_to_num(everything.first()[1], nan=1.0)
        limits = np.where(rng.random(40) < 0.5, reach, reach * rng.uniform(0.5, 1.5, 40))
        for brute, options in (
            (everything, {}),
            (Brute(scene, rays, limits), {"max_distance": limits}),
            (Brute(scene, rays, without=WITHOUT), {"without": WITHOUT}),
        ):
            best, enter = brute.first()
            found = scene.raycast(rays, **options)
            assert found.element.tolist() == best.tolist(), title
            np.testing.assert_array_equal(found.enter, enter)
            for ray in np.flatnonzero(best >= 0).tolist():
                wanted = brute.of(ray, best[ray])
                assert found.name[ray] == scene.element_name(best[ray])
                np.testing.assert_array_equal(found.point[ray], wanted.point)
                np.testing.assert_array_equal(found.normal[ray], wanted.normal)
            missed = best < 0
            assert np.isnan(found.point[missed]).all()
            assert np.isnan(found.normal[missed]).all()
            assert set(found.name[missed]) <= {""}
            np.testing.assert_array_equal(found.hit, ~missed)
            met.append(~missed)
        limited += int(np.sum(met[-2] != met[-3]))
    assert 0.3 < np.mean(met) < 0.97
    assert limited > 10


def test_any_hit_is_one_of_all_and_there_is_one_where_there_is_a_first() -> None:
    rng, others = np.random.default_rng(2), 0
    for _, scene in crowds(2):
        rays = rays_through(scene, rng, 40)
        limits = rng.uniform(0.0, 5.0, 40)
        brute, found = Brute(scene, rays, limits), scene.raycast(rays, max_distance=limits, any_hit=np.True_)
        best, _ = brute.first()
        np.testing.assert_array_equal(found.hit, best >= 0)
        for ray in np.flatnonzero(found.hit).tolist():
            wanted = brute.of(ray, found.element[ray])
            np.testing.assert_array_equal(found.enter[ray], wanted.enter)
            np.testing.assert_array_equal(found.normal[ray], wanted.normal)
        others += int(np.sum(found.element != best))
    assert others > 10  # it stops early


def test_all_hits_are_those_of_casting_at_every_element_in_order() -> None:
    rng, several = np.random.default_rng(3), 0
    for _, scene in crowds(3):
        rays = rays_through(scene, rng, 20)
        for limits, without in ((np.inf, ()), (rng.uniform(0.0, 5.0, 20), WITHOUT)):
            brute = Brute(scene, rays, limits, without)
            found = scene.raycast_all(rays, max_distance=limits, without=without)
            rows, columns = np.nonzero(~np.isnan(brute.enter))
            order = np.lexsort((columns, brute.enter[rows, columns], rows))
            rows, numbers = rows[order], brute.numbers[columns[order]]
            assert found.ray.tolist() == rows.tolist()
            assert found.element.tolist() == numbers.tolist()
            wanted = [brute.of(ray, number) for ray, number in zip(rows, numbers, strict=True)]
            for part in ("enter", "exit", "point", "normal"):
                expected = np.array([getattr(hit, part) for hit in wanted]).reshape(getattr(found, part).shape)
                np.testing.assert_array_equal(getattr(found, part), expected)
            assert found.name.tolist() == [scene.element_name(number) for number in numbers.tolist()]
            several += len(found) > 20
    assert several > 5


def test_many_rays_are_answered_as_each_alone() -> None:
    rng = np.random.default_rng(4)
    for _, scene in crowds(4):
        rays = rays_through(scene, rng, 12)
        grid = Ray(rays.origin.reshape(3, 4, 3), rays.direction.reshape(3, 4, 3))
        limits = rng.uniform(0.0, 9.0, (3, 4))
        together, flat = scene.raycast(grid, max_distance=limits), scene.raycast_all(grid, max_distance=limits)
        for number, index in enumerate(np.ndindex(3, 4)):
            alone = scene.raycast(grid[index], max_distance=limits[index])
            for mine, other in zip(alone, together, strict=True):
                np.testing.assert_array_equal(mine, other[index])
            every, rows = scene.raycast_all(grid[index], max_distance=limits[index]), flat.ray == number
            assert every.ray.tolist() == [0] * len(every)
            for part in ("element", "enter", "exit", "point", "normal", "name"):
                np.testing.assert_array_equal(getattr(every, part), getattr(flat, part)[rows])


def test_a_scene_without_elements_is_hit_by_nothing() -> None:
    for scene in (Scene(), Scene({"none": Sphere(np.empty((0, 3)), 1)}), Scene({"a": Point([0, 0, 0])}, hidden=["a"])):
        found = scene.raycast(Ray([[0, 0, 0], [1, 0, 0]], [1, 0, 0]))
        assert found.element.tolist() == [-1, -1]
        assert np.isnan(found.enter).all()
        assert not found.hit.any()
        assert len(scene.raycast_all(Ray([0, 0, 0], [1, 0, 0]))) == 0
        assert not scene.raycast(Ray([0, 0, 0], [1, 0, 0]), any_hit=True).hit


def test_a_ray_ends_where_it_is_said_to() -> None:
    wall, ray = AABB([2, -1, -1], [3, 1, 1]), Ray([0, 0, 0], [1, 0, 0])
    scene = Scene({"wall": wall})
    for limit, hit in ((2.0, True), (2.0 - 1e-12, False), (0.0, False), (np.inf, True)):
        assert bool(raycast(ray, wall, max_distance=limit).hit) is hit
        assert scene.raycast(ray, max_distance=limit).hit is hit
        assert len(scene.raycast_all(ray, max_distance=limit)) == hit
    inside = raycast(Ray([[2.5, 0, 0]] * 3, [1, 0, 0]), wall, max_distance=[0.0, 0.25, 1.0])
    assert inside.enter.tolist() == [0.0] * 3
    assert inside.exit.tolist() == [0.5] * 3  # where it leaves is said, also where the ray ends before


@pytest.mark.parametrize(
    ("limit", "message"),
    [
        (-1.0, "max_distance must be zero or more, got -1.0"),
        ([[1.0, np.nan]], r"max_distance must be zero or more, got nan at element \[0, 1\]"),
        ([1.0, 2.0, 3.0], r"(max_distance \(3,\) does not|batch axes do not) broadcast"),
        ("far", "max_distance must be made of real numbers, got 'far'"),
    ],
)
def test_lengths_that_are_none_are_refused(limit: Any, message: str) -> None:
    rays, ball = Ray([[0, 0, 0], [1, 0, 0]], [1, 0, 0]), Sphere([5, 0, 0], 1)
    for ask, query in (
        (lambda: raycast(rays, ball, max_distance=limit), "raycast"),
        (lambda: Scene({"ball": ball}).raycast(rays, max_distance=limit), "Scene.raycast"),
        (lambda: Scene({"ball": ball}).raycast_all(rays, max_distance=limit), "Scene.raycast_all"),
    ):
        with pytest.raises(ValueError, match=f"^{query}: {message}"):
            ask()
