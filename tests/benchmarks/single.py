"""One pair from Python: two shapes at hand, one call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

import numpy as np

from collision import closest_points, signed_distance
from collision.base.fields import FloatArray
from tests.benchmarks import peers
from tests.benchmarks.inputs import CORES, Pair, pairs
from tests.benchmarks.measure import Bench, Contestant, Effort, Row, Task, at_most, close, faster

#: What is to be reached, and how well distances have to agree: PyBullet rounds the corners of boxes off by millimetres.
_PEERS = {
    "coal": (at_most(1.0), 1e-4),
    "MuJoCo": (faster(1.0), 1e-4),
    "PyBullet": (faster(1.0), 2e-2),
    "python-fcl": (faster(1.0), 1e-3),
}


def tasks(effort: Effort) -> Iterator[Task]:
    """Yield what there is to measure."""
    for core in CORES:
        yield Task(f"one pair from Python, {core}", partial(_one_pair, core))
        yield Task(f"closest points of one pair from Python, {core}", partial(_closest_points, core))


def _one_pair(core: str, bench: Bench) -> Iterable[Row]:
    """Ask for one pair after the other, some of which overlap; the figure is the time for one of them."""
    batch = pairs(core, bench.effort.singles)
    share = 1.0 / len(batch.a)
    contestants = {"ours": Contestant(_distance_loop(batch), share)}
    for peer in _PEERS:
        module = peers.load(peer)
        if module:
            contestants[peer] = Contestant(module.distance_loop(batch), share)
    results = bench.race(**contestants)
    ours = np.array(results["ours"].answer)
    for peer, (goal, tolerance) in _PEERS.items():
        if peer in results:
            apart = ours > 0.0  # how deep an overlap is, some find out less well
            close(ours[apart], np.array(results[peer].answer)[apart], tolerance, f"{peer}, {core}")
        yield Row(
            "one pair from Python", core, results["ours"], peer, results.get(peer), goal, f"{peer} is not installed"
        )


def _distance_loop(pair: Pair) -> Callable[[], list[FloatArray]]:
    ready = list(zip(pair.a, pair.b, strict=True))

    def loop() -> list[FloatArray]:
        answers = []
        for a, b in ready:
            answers.append(signed_distance(a, b))
        return answers

    return loop


def _closest_points(core: str, bench: Bench) -> Iterable[Row]:
    batch = pairs(core, bench.effort.singles)
    ready = list(zip(batch.a, batch.b, strict=True))
    ours = Contestant(lambda: [closest_points(a, b) for a, b in ready], 1.0 / len(ready))
    yield Row("closest points of one pair from Python", core, bench.race(ours=ours)["ours"])
