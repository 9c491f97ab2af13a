"""A million pairs in one call: closest points beside coal and NumPy, distances beside reading memory.

And contact patches beside MuJoCo, sweeps, and sweeps of shapes that turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import cycle
from os import cpu_count
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from collision import ClosestPoints, Shape, Transform, closest_points, manifold, signed_distance, sweep
from collision.base.fields import FloatArray
from tests.benchmarks import numpy_peer, peers
from tests.benchmarks.inputs import CORES, Pair, pairs
from tests.benchmarks.measure import Bench, Contestant, Disagreement, Effort, Row, Task, close, faster

_MIXED = "mixed"


def tasks(effort: Effort) -> Iterator[Task]:
    """Yield what there is to measure."""
    for core in (*CORES, _MIXED):
        yield Task(f"closest points of many pairs, {core}", partial(_closest_points, core))
    for core in ("sphere-sphere", "sphere-capsule"):
        yield Task(f"distances of many pairs, {core}", partial(_distances, core))
    for core in CORES:
        yield Task(f"sweeps of many pairs, {core}", partial(_sweeps, core))
        yield Task(f"contact patches of many pairs, {core}", partial(_patches, core))
    for core in CORES:
        if not core.startswith("sphere"):  # which a turn about its middle does not change
            yield Task(f"turning sweeps of many pairs, {core}", partial(_turning_sweeps, core))


# -- closest points ----------------------------------------------------------------------------------------------------


def _closest_points(core: str, bench: Bench) -> Iterable[Row]:
    effort = bench.effort
    bench.say("making pairs")
    batches = _batches(core, effort.pairs)
    into = [_room(batch) for batch in batches]
    contestants = {
        "ours": Contestant(partial(_each, closest_points, batches)),
        "again": Contestant(partial(_each_into, batches, into)),
    }
    blocked = [batch.some(effort.blocked // len(batches)) for batch in batches]
    _check_numpy(core, blocked)
    count = sum(len(batch.a) for batch in batches)
    share = count / sum(len(batch.a) for batch in blocked)
    contestants["NumPy"] = Contestant(partial(_each, numpy_peer.closest_points, blocked), share)
    contestants["NumPy in blocks"] = Contestant(partial(_each, numpy_peer.closest_points_in_blocks, blocked), share)
    coal = peers.load("coal")
    if coal:
        sampled = [batch.some(effort.sampled // len(batches)) for batch in batches]
        loops = [coal.distance_loop(batch) for batch in sampled]
        share = count / sum(len(batch.a) for batch in sampled)
        contestants["coal"] = Contestant(partial(_all, loops), share)
    results = bench.race(**contestants)
    if coal:
        ours = np.concatenate([signed_distance(batch.a, batch.b) for batch in sampled])
        close(ours, np.concatenate(results["coal"].answer), 1e-4, f"coal, {core}")
    work = f"closest points of {effort.pairs:,} pairs"
    for peer, goal in (("coal", faster(10.0)), ("NumPy", faster(1.0)), ("NumPy in blocks", None)):
        yield Row(work, core, results["ours"], peer, results.get(peer), goal, note=f"{peer} is not installed")
    work += ", out="  # as coal, which has one place for the points and normals of all pairs
    yield Row(work, core, results["again"], "coal", results.get("coal"), faster(10.0), note="coal is not installed")


def _batches(core: str, count: int) -> list[Pair]:
    """Return pairs of a core, or of all cores in equal parts; between 30 and 70 % of them overlap."""
    if core == _MIXED:
        return [pairs(each, count // len(CORES)) for each in CORES]
    batch = pairs(core, count)
    part = np.mean(signed_distance(batch.a, batch.b) < 0.0)
    if not 0.3 <= part <= 0.7:
        raise ValueError(f"{core}: {part:.0%} of the pairs overlap, which should be 30 to 70 %")
    return [batch]


def _each(query: Callable[[Shape, Shape], Any], batches: Iterable[Pair]) -> list[Any]:
    return [query(batch.a, batch.b) for batch in batches]


def _room(batch: Pair) -> ClosestPoints:
    """Return arrays for the answer to a batch."""
    count = len(batch.a)
    return ClosestPoints(np.zeros(count), np.zeros((count, 3)), np.zeros((count, 3)), np.zeros((count, 3)))


def _each_into(batches: Iterable[Pair], into: Iterable[ClosestPoints]) -> list[ClosestPoints]:
    return [closest_points(batch.a, batch.b, out=out) for batch, out in zip(batches, into, strict=True)]


def _all(loops: Iterable[Callable[[], Any]]) -> list[Any]:
    return [loop() for loop in loops]


def _check_numpy(core: str, batches: Iterable[Pair]) -> None:
    """Compare with NumPy's record: every distance; and every point and normal, but for the few that are not unique."""
    for batch in batches:
        ours, theirs = closest_points(batch.a, batch.b), numpy_peer.closest_points(batch.a, batch.b)
        close(ours.signed_distance, theirs[0], 1e-9, f"NumPy, {core}")
        for mine, other in zip((ours.on_a, ours.on_b, ours.normal), theirs[1:], strict=True):
            differ = np.mean(np.abs(mine - other).max(axis=1) > 1e-6)
            if differ > 1e-3:
                raise Disagreement(f"NumPy, {core}: points or normals of {differ:.2%} of the pairs differ")


# -- distances beside memory -------------------------------------------------------------------------------------------


def _distances(core: str, bench: Bench) -> Iterable[Row]:
    """Compare with reading the operands: their sum, by as many threads as there are processors.

    Four sets of operands take turns. Together they are many times larger than any cache, so both have to fetch them.
    """
    bench.say("making pairs")
    sets = [pairs(core, bench.effort.pairs, seed) for seed in range(4)]
    ours, theirs = cycle(sets), cycle([_operands(batch) for batch in sets])
    with ThreadPoolExecutor(cpu_count()) as pool:
        results = bench.race(
            ours=Contestant(lambda: signed_distance(*next(ours))),
            memory=Contestant(lambda: _read(next(theirs), pool)),
        )
    work = f"distance of {bench.effort.pairs:,} pairs"
    yield Row(work, core, results["ours"], "reading memory", results["memory"])


def _operands(batch: Pair) -> list[FloatArray]:
    return [value.reshape(-1) for shape in batch for value in shape.values().values()]


def _read(operands: Iterable[FloatArray], pool: ThreadPoolExecutor) -> float:
    """Return the sum of everything, which needs every number once and does next to nothing with it."""
    parts = [part for operand in operands for part in np.array_split(operand, cpu_count() or 1)]
    return float(sum(pool.map(np.sum, parts)))


# -- sweeps ------------------------------------------------------------------------------------------------------------


def _sweeps(core: str, bench: Bench) -> Iterable[Row]:
    bench.say("making pairs")
    batch = pairs(core, bench.effort.pairs)
    motion = np.random.default_rng(5).normal(0.0, 1.0, (len(batch.a), 3))
    results = bench.race(ours=Contestant(lambda: sweep(batch.a, batch.b, motion=motion)))
    yield Row(f"{bench.effort.pairs:,} sweeps", core, results["ours"])


def _turning_sweeps(core: str, bench: Bench) -> Iterable[Row]:
    """Sweep shapes to some place near others, and by about a radian about their middle; few touch at the start.

    No peer: of those here only python-fcl does it, and its answers differ from run to run.
    """
    count = bench.effort.turned
    bench.say("making pairs")
    batch, rng = pairs(core, count), np.random.default_rng(6)
    way = rng.normal(0.0, 2.0, (count, 3))
    batch = Pair(batch.a.translated(-way), batch.b)
    middle, turn = peers.poses(batch.a)[0], Rotation.from_rotvec(rng.normal(0.0, 0.6, way.shape))
    end = Transform(position=middle + way - turn.apply(middle.copy()), rotation=turn)
    results = bench.race(ours=Contestant(lambda: sweep(batch.a, batch.b, end=end, pivot=middle)))
    yield Row(f"{count:,} sweeps with turns", core, results["ours"])


# -- contact patches ---------------------------------------------------------------------------------------------------


def _patches(core: str, bench: Bench) -> Iterable[Row]:
    """Find contact patches, with faces that meet at any angle, as MuJoCo does."""
    effort = bench.effort
    bench.say("making pairs")
    batch = pairs(core, effort.pairs)
    few = batch.some(effort.sampled)
    contestants = {"ours": Contestant(lambda: manifold(batch.a, batch.b, angle=1.0))}
    mujoco = peers.load("MuJoCo")
    if mujoco:
        bench.say("making a model for MuJoCo")
        contestants["MuJoCo"] = Contestant(mujoco.contacts_of_pairs(few), effort.pairs / len(few.a))
    results = bench.race(**contestants)
    if mujoco:
        ours = np.flatnonzero(results["ours"].answer.count[: len(few.a)])
        theirs = np.unique(mujoco.pairs_found(results["MuJoCo"].answer).min(axis=1))
        if not np.array_equal(ours, theirs):
            raise Disagreement(f"MuJoCo, {core}: other pairs touch")
    work, note = f"contact patches of {effort.pairs:,} pairs", "MuJoCo is not installed"
    yield Row(work, core, results["ours"], "MuJoCo", results.get("MuJoCo"), faster(1.0), note)
