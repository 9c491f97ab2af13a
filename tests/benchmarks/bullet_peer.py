"""How PyBullet is asked: bodies are made beforehand, in a simulation without a window."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from collision import Capsule, Shape, Sphere
from tests.benchmarks.inputs import Pair
from tests.benchmarks.peers import poses, sizes


@contextmanager
def _silence() -> Iterator[None]:
    """Drop what C code says of itself: PyBullet tells when it was built, amid our progress."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


with _silence():
    import pybullet


def _bodies(shape: Shape) -> list[int]:
    places, rotations = poses(shape)
    parts = zip(sizes(shape), places.tolist(), rotations.as_quat().tolist(), strict=True)
    return [pybullet.createMultiBody(0, _form(shape, size), -1, place, turn) for size, place, turn in parts]


def _form(shape: Shape, size: Any) -> int:
    if isinstance(shape, Sphere):
        made = pybullet.createCollisionShape(pybullet.GEOM_SPHERE, radius=size[0])
    elif isinstance(shape, Capsule):
        made = pybullet.createCollisionShape(pybullet.GEOM_CAPSULE, radius=size[0], height=2.0 * size[1])
    else:
        made = pybullet.createCollisionShape(pybullet.GEOM_BOX, halfExtents=size.tolist())
    return int(made)


def distance_loop(pair: Pair) -> Callable[[], list[float]]:
    """Return the loop that asks for the signed distance of pair after pair."""
    if not pybullet.isConnected():
        pybullet.connect(pybullet.DIRECT)
    pybullet.resetSimulation()
    ready = list(zip(_bodies(pair.a), _bodies(pair.b), strict=True))
    closest = pybullet.getClosestPoints

    def loop() -> list[float]:
        answers = []
        for a, b in ready:
            answers.append(closest(a, b, 100.0)[0][8])
        return answers

    return loop
