"""How large the WebAssembly modules are, and how quick in Node.js beside machine code: ``python -m tests.wasm_speed``.

Both are asked for the same, in one thread, the fastest of many rounds.
"""

from __future__ import annotations

import gzip
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from collision import Scene, closest_points, signed_distance, sweep
from collision.native import THREAD_GRAIN
from collision.wasm import MODULES, build
from tests.benchmarks.inputs import CORES, pairs
from tests.webassembly import Job, asked

#: So few that Python uses one thread, too.
COUNT = THREAD_GRAIN // 2
ROUNDS = 60


def main() -> None:
    """Build the module, measure, and print a table."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        build(folder)
        for name in MODULES:
            code = (folder / name).read_bytes()
            print(f"{name}: {len(code):,} bytes, {len(gzip.compress(code, 9)):,} compressed")
        jobs, own, names = [], [], []
        for core in CORES:
            a, b = pairs(core, COUNT).a, pairs(core, COUNT).b
            way = np.random.default_rng(0).normal(size=(COUNT, 3))
            jobs += [Job("records", (a, b)), Job("distances", (a, b)), Job("sweeps", (a, b), (way,))]
            own += [_least(closest_points, a, b), _least(signed_distance, a, b), _least(sweep, a, b, motion=way)]
            names += [f"{core}, {question}" for question in ("records", "distances", "sweeps")]
        scene = {f"{k}": pairs(core, 170).a for k, core in enumerate(CORES)}
        jobs += [Job("collidingPairs", tuple(scene.values()))]
        own += [_least(lambda: Scene(scene).colliding_pairs())]
        names += [f"a scene of {len(scene) * 170:,} shapes"]
        counts = [COUNT] * (len(jobs) - 1) + [1]
        for name, count, here, there in zip(names, counts, own, asked(folder, folder, jobs, ROUNDS)[1], strict=True):
            nanoseconds = f"{here / count * 1e9:9.0f} ns here {there / count * 1e9:9.0f} ns in Node.js"
            print(f"{name:30} {nanoseconds} {there / here:5.1f} x")


def _least(ask: Callable[..., Any], *given: Any, **named: Any) -> float:
    """Return the least seconds that a question takes."""
    seconds = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        ask(*given, **named)
        seconds.append(time.perf_counter() - began)
    return min(seconds)


if __name__ == "__main__":
    main()
