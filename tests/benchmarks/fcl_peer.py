"""How python-fcl is asked: objects and requests are made beforehand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import fcl
import numpy as np

from collision import Capsule, Shape, Sphere
from collision.base.fields import FloatArray
from tests.benchmarks.inputs import Crowd, Pair
from tests.benchmarks.peers import poses, sizes


def _objects(shape: Shape) -> list[Any]:
    places, rotations = poses(shape)
    parts = zip(sizes(shape), places, rotations.as_matrix(), strict=True)
    return [fcl.CollisionObject(_geometry(shape, size), fcl.Transform(matrix, place)) for size, place, matrix in parts]


def _geometry(shape: Shape, size: Any) -> Any:
    if isinstance(shape, Sphere):
        return fcl.Sphere(size[0])
    if isinstance(shape, Capsule):
        return fcl.Capsule(size[0], 2.0 * size[1])
    return fcl.Box(*(2.0 * size))


def distance_loop(pair: Pair) -> Callable[[], list[float]]:
    """Return the loop that asks for the signed distance of pair after pair."""
    ready = list(zip(_objects(pair.a), _objects(pair.b), strict=True))
    request, result = fcl.DistanceRequest(enable_signed_distance=True), fcl.DistanceResult()
    distance = fcl.distance

    def loop() -> list[float]:
        answers = []
        for a, b in ready:
            answers.append(distance(a, b, request, result))
        return answers

    return loop


def nearest_loop(crowd: Crowd, points: FloatArray) -> Callable[[], list[float]]:
    """Return the loop that asks for the distance of point after point from all shapes, by the fastest broad phase."""
    tree = fcl.DynamicAABBTreeCollisionManager()
    tree.registerObjects([item for batch in crowd for item in _objects(batch)])
    tree.setup()
    ready = [fcl.CollisionObject(fcl.Sphere(1e-9), fcl.Transform(np.eye(3), point)) for point in points]
    distance, callback = tree.distance, fcl.defaultDistanceCallback

    def loop() -> list[float]:
        answers = []
        for point in ready:
            data = fcl.DistanceData()
            distance(point, data, callback)
            answers.append(data.result.min_distance)
        return answers

    return loop
