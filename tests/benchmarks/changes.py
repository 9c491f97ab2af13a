"""A large scene after its first query: a shape moves, a ray is cast."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import cycle

import numpy as np

from collision import Ray, Scene
from collision.base.fields import IntArray
from tests.benchmarks.inputs import crowd
from tests.benchmarks.measure import Bench, Contestant, Disagreement, Effort, Row, Task, within

#: What nobody notices of a drag, and what one ray may take of very many.
_DRAG, _LIMIT = 10e-3, 30e-6


def tasks(effort: Effort) -> Iterator[Task]:
    """Yield what there is to measure."""
    yield Task(f"one shape of {effort.large:,} moved, its pairs again", _moved)
    yield Task(f"one ray against {effort.large:,} shapes", _ray)


def _moved(bench: Bench) -> Iterable[Row]:
    """Drag a shape: every call moves it on, to and fro, and asks what it touches now."""
    bench.say("making shapes")
    name = "spheres[17]"
    scene = crowd(bench.effort.large).scene()
    scene.colliding_pairs()
    moved = scene.moved(name, [0.3, 0.0, 0.0])
    _check(moved, name)
    results = bench.race(ours=Contestant(partial(_drag, scene, name), 1.0 / 100))
    yield Row(f"one of {bench.effort.large:,} shapes moved, its pairs", "", results["ours"], goal=within(_DRAG))


def _drag(scene: Scene, name: str) -> IntArray:
    pairs: IntArray
    for number in range(100):
        scene = scene.moved(name, [0.1 if number % 20 < 10 else -0.1, 0.05, 0.0])
        pairs = scene.pairs_of(name)
    return pairs


def _check(scene: Scene, name: str) -> None:
    """Compare the pairs of a shape with those a scene made anew finds."""
    (number,) = scene.element_numbers(name)
    every = Scene(scene.shapes).colliding_pairs()
    if not np.array_equal(scene.pairs_of(name), every[(every == number).any(axis=1)]):
        raise Disagreement(f"{name} has other pairs than in a new scene")


def _ray(bench: Bench) -> Iterable[Row]:
    """Cast rays through the scene from all over it, the first of them untimed."""
    bench.say("making shapes")
    shapes = crowd(bench.effort.large)
    scene, rng = shapes.scene(), np.random.default_rng(6)
    extent = shapes.spheres.bounds().upper.max()
    rays = [Ray(rng.uniform(0.0, extent, 3), rng.normal(size=3)) for _ in range(100)]
    cast: Callable[[], object] = _next(scene, rays)
    results = bench.race(ours=Contestant(cast))
    yield Row(f"one ray against {bench.effort.large:,} shapes", "", results["ours"], goal=within(_LIMIT))


def _next(scene: Scene, rays: list[Ray]) -> Callable[[], object]:
    turn = cycle(rays)
    return lambda: scene.raycast(next(turn))
