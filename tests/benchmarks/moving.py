"""When the pairs of moving scenes touch: time, and memory."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterable, Iterator
from functools import partial

import numpy as np

from collision import AABB, Motion, Point, Scene, Shape, Sphere, TouchingIntervals, touching_intervals
from tests.benchmarks.measure import Bench, Contestant, Disagreement, Effort, Result, Row, Task, within

_LIMIT, _ROOM = 0.5, 200e6

#: A half turn, in quarters.
_TIMES, _QUARTERS = np.array([0.0, 1.0, 2.0]), np.array([[0, 0, 0, 1], [0, 0, 1, 1], [0, 0, 1, 0]])


def tasks(effort: Effort) -> Iterator[Task]:
    """Yield what there is to measure."""
    yield Task(f"when {effort.among:,} balls on a turntable touch", _turntable)
    yield Task("when a ball that rolls touches", _rolling)


def _turntable(bench: Bench) -> Iterable[Row]:
    """Turn balls as one, past a post that rests."""
    count = bench.effort.among
    balls = Sphere(np.random.default_rng(0).uniform(-10, 10, (count, 3)), 0.3)
    table = Motion("balls", _TIMES, rotations=_QUARTERS, pivot=[0, 0, 0])
    shapes = {"balls": balls, "post": Point([99, 0, 0])}
    find = partial(_found, shapes, table, None)
    if not np.array_equal(find().pairs, Scene(shapes).colliding_pairs()):
        raise Disagreement("balls that turn as one touch otherwise than at rest")
    yield from _rows(f"when {count:,} balls on a turntable touch", find, bench)


def _rolling(bench: Bench) -> Iterable[Row]:
    """Roll a ball over the floor, with a resolution of a two-millionth of the time."""
    quarter = np.pi / 2
    roll = Motion("ball", _TIMES, np.outer(_TIMES, [quarter, 0, 0]), _QUARTERS[:, [0, 2, 1, 3]])
    shapes = {"floor": AABB([-9, -9, -1], [9, 9, 0]), "ball": Sphere([0, 0, 1], 1)}
    find = partial(_found, shapes, roll, 1e-6)
    if [*find().begin, *find().end] != [0.0, 2.0]:
        raise Disagreement("a ball that rolls leaves the floor")
    yield from _rows("when a ball that rolls touches", find, bench)


def _found(shapes: dict[str, Shape], motion: Motion, resolution: float | None) -> TouchingIntervals:
    return touching_intervals(Scene(shapes, motion=[motion]), resolution=resolution)


def _rows(work: str, find: partial[TouchingIntervals], bench: Bench) -> Iterable[Row]:
    results = bench.race(ours=Contestant(find))
    yield Row(work, "", results["ours"], goal=within(_LIMIT))
    bench.say("memory")
    tracemalloc.start()
    find()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    yield Row(f"{work}, memory", "", Result(None, np.array([most])), goal=within(_ROOM, "B"))
