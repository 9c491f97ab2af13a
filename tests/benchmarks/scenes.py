"""All colliding pairs of a scene, from plain arrays: even scenes, scenes with giants, scenes in a line; and growth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np

from collision import signed_distance
from collision.base.fields import IntArray
from tests.benchmarks import peers
from tests.benchmarks.inputs import Crowd, crowd, giants, line
from tests.benchmarks.measure import (
    Bench,
    Contestant,
    Disagreement,
    Effort,
    Goal,
    Result,
    Row,
    Task,
    at_most,
    faster,
)

#: Reads the pairs out of what a peer answered.
Finder = Callable[[Any], IntArray]

#: By how many times we are to be the faster, making the scene included; by how many shapes there are at most.
_GOALS = {100: 0.7, 1_000: 2.5, 10_000: 7.0, 100_000: 20.0, 10_000_000: 25.0}

_ODD: dict[str, Callable[[int], Crowd]] = {"1 % are 100 times larger": giants, "all in a thin line": line}


def tasks(effort: Effort) -> Iterator[Task]:
    """Yield what there is to measure."""
    for count in effort.crowds:
        yield Task(f"all colliding pairs of {count:,} shapes", partial(_even, count))
    for case in _ODD:
        for count in effort.odd_crowds:
            yield Task(f"all colliding pairs of {count:,} shapes, {case}", partial(_odd, case, count))
    for case, make in {"even": crowd, **_ODD}.items():
        yield Task(f"growth of the time for all colliding pairs, {case}", partial(_growth, case, make))


def _even(count: int, bench: Bench) -> Iterable[Row]:
    bench.say("making shapes")
    shapes = crowd(count)
    make, contestants = shapes.maker(), {}
    contestants["ours"] = Contestant(lambda: make().colliding_pairs())
    finders: dict[str, Finder] = {}
    _add_coal(shapes, contestants, finders, bench)
    mujoco = peers.load("MuJoCo")
    if mujoco and count <= mujoco.MOST_BODIES:
        bench.say("making a model for MuJoCo")
        contestants["MuJoCo"] = Contestant(mujoco.colliding_pairs(shapes))
        finders["MuJoCo"] = mujoco.pairs_found
    results = bench.race(**contestants)
    _check(shapes, results, finders)
    note = f"MuJoCo: {mujoco.MOST_BODIES:,} at most" if mujoco else "MuJoCo is not installed"
    goal = next(goal for most, goal in _GOALS.items() if count <= most)
    yield from _rows("colliding pairs, even", count, results, "coal", goal)
    yield from _rows("colliding pairs, even", count, results, "MuJoCo", goal, note)


def _odd(case: str, count: int, bench: Bench) -> Iterable[Row]:
    bench.say("making shapes")
    shapes = _ODD[case](count)
    make, contestants = shapes.maker(), {}
    contestants["ours"] = Contestant(lambda: make().colliding_pairs())
    finders: dict[str, Finder] = {}
    _add_coal(shapes, contestants, finders, bench)
    results = bench.race(**contestants)
    _check(shapes, results, finders)
    yield from _rows(f"colliding pairs, {case}", count, results, "coal", 3.0)


def _rows(
    work: str, count: int, results: dict[str, Result], peer: str, goal: float, note: str = "coal is not installed"
) -> Iterable[Row]:
    theirs = results.get(peer)
    yield Row(work, f"{count:,} shapes", results["ours"], peer, theirs, faster(goal), note, alone=True)


def _add_coal(shapes: Crowd, contestants: dict[str, Contestant], finders: dict[str, Finder], bench: Bench) -> None:
    """Let coal take part with the broad phase that is the fastest for these shapes."""
    coal = peers.load("coal")
    if not coal:
        return
    bench.say("making objects for coal")
    ways = coal.colliding_pairs(shapes)
    if len(ways) > 1:
        trial = Bench(bench.effort, bench.say).race(**{name: Contestant(way) for name, way in ways.items()})
        fastest = min(trial, key=lambda name: trial[name].best)
    else:
        (fastest,) = ways
    contestants["coal"], finders["coal"] = Contestant(ways[fastest]), coal.pairs_found


def _check(shapes: Crowd, results: dict[str, Result], finders: dict[str, Finder]) -> None:
    """Refuse to compare times if a peer found other pairs, but for those that just about touch."""
    ours = _keys(results["ours"].answer, shapes.total)
    for peer, find in finders.items():
        differ = np.setxor1d(ours, _keys(find(results[peer].answer), shapes.total))
        for i, j in zip(*np.divmod(differ, shapes.total), strict=True):
            a, b = shapes.shape(int(i)), shapes.shape(int(j))
            size = float(max(a.bounding_sphere().radius, b.bounding_sphere().radius))
            if abs(float(signed_distance(a, b))) > 1e-5 * size:
                raise Disagreement(f"{peer} and collision differ over the pair {a!r}, {b!r}")


def _keys(pairs: IntArray, count: int) -> IntArray:
    first, second = np.sort(pairs, axis=1).T
    keys: IntArray = np.unique(first * count + second)
    return keys


def _growth(case: str, make: Callable[[int], Crowd], bench: Bench) -> Iterable[Row]:
    few, many = bench.effort.growth
    bench.say("making shapes")
    small, large = make(few), make(many)
    results = bench.race(
        large=Contestant(lambda: large.scene().colliding_pairs()),
        small=Contestant(lambda: small.scene().colliding_pairs()),
    )
    goal: Goal = at_most(2.0 * many / few)
    work = f"growth, {few:,} to {many:,} shapes"
    yield Row(work, case, results["large"], f"ours, {few:,}", results["small"], goal)
