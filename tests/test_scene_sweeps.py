"""Sweeps through scenes of many elements find what sweeps against each of them find."""

from __future__ import annotations

import numpy as np
import pytest

from collision import AABB, HalfSpace, Line, OrientedBox, Ray, Scene, Shape, Sphere, Transform, sweep
from collision.base.fields import FloatArray, IntArray
from tests.strategies import Generator

COUNT = 30


def _crowd(rng: Generator, size: float) -> Scene:
    place = rng.uniform(0.0, size, (6, 60, 3))
    return Scene(
        {
            "balls": Sphere(place[0], rng.uniform(0.1, 0.6, 60)),
            "boxes": AABB(place[1] - 0.4, place[1] + 0.3),
            "turned": OrientedBox(place[2], rng.normal(size=(60, 4)), rng.uniform(0.0, 0.6, (60, 3))),
            "lines": Line(place[3, :20], rng.normal(size=(20, 3))),
            "rays": Ray(place[4, :20], rng.normal(size=(20, 3))),
            "floor": HalfSpace([0, 0, -1], [0, 0, 1]),
            "walls": HalfSpace([[-1, 0, 0], [0, -1, 0]], [[1, 0.1, 0], [0, 1, 0]]),
        }
    )


def _movers(rng: Generator, size: float) -> dict[str, Shape]:
    start = rng.uniform(0.0, size, (COUNT, 3))
    return {
        "balls": Sphere(start, 0.2),
        "upright boxes": AABB(start - 0.2, start + 0.3),
        "boxes": OrientedBox(start, rng.normal(size=(COUNT, 4)), [0.4, 0.1, 0.0]),
    }


def _first(fractions: FloatArray) -> IntArray:
    """Return the number of the first touch of each column, -1 for none; of several, the lowest."""
    first = np.argmin(np.where(np.isnan(fractions), np.inf, fractions), axis=0)
    return np.asarray(np.where(np.isnan(fractions).all(axis=0), -1, first))


@pytest.mark.parametrize("kind", ["balls", "upright boxes", "boxes"])
def test_the_first_of_many_on_the_way_of_what_turns_is_that_of_all(kind: str) -> None:
    rng = np.random.default_rng(8)
    scene = _crowd(rng, 12.0)
    mover, pivot = _movers(rng, 12.0)[kind], rng.uniform(0.0, 12.0, (COUNT, 3))
    end = Transform(rng.normal(size=(COUNT, 3)), rng.normal(size=(COUNT, 4)))
    found = scene.sweep(mover, end=end, pivot=pivot)
    every = [sweep(mover, scene.element(e), end=end, pivot=pivot) for e in range(scene.element_count)]
    assert found.element.tolist() == _first(np.array([one.fraction for one in every])).tolist()
    assert np.mean(found.hit) > 0.2
    for i in np.flatnonzero(found.hit):
        assert found.fraction[i] == every[found.element[i]].fraction[i]


def test_the_first_of_a_long_row_is_found_from_both_ends() -> None:
    row = np.arange(1000.0)[:, None] * [3.0, 0.0, 0.0]
    scene = Scene({"row": Sphere(row, 1.0)})
    starts = np.array([[-5.0, 0.0, 0.0], [-5.0, 0.5, 0.0], [3001.0, 0.0, 0.5]])
    found = scene.sweep(Sphere(starts, 0.5), motion=[[4000, 0, 0], [4000, 0, 0], [-4000, 0, 0]])
    assert found.element.tolist() == [0, 0, 999]
    found = scene.sweep(OrientedBox(starts, np.eye(3), [0.5, 0.5, 0.5]), end=Transform([4000, 0, 0], [1, 0, 0, 5]))
    assert found.element.tolist() == [0, 0, -1]


def test_what_has_no_end_is_touched_only_where_it_is_near() -> None:
    places = np.stack(np.meshgrid(np.arange(50.0), np.arange(40.0), [0.0]), axis=-1).reshape(-1, 3)
    scene = Scene({"posts": Line(places, [0, 0, 1]), "floor": HalfSpace([0, 0, -9], [0, 0, 1])})
    assert scene.sweep(Sphere([0.5, 0.5, 0.0], 0.2), motion=[0.5, 0, 0]).element == -1
    hit = scene.sweep(Sphere([0.5, 0.5, 0.0], 0.2), motion=[0.5, 0.5, 0])
    assert scene.element(hit.element).point.tolist() == [1.0, 1.0, 0.0]
