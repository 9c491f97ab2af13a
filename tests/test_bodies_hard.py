"""Many poses of hard pairs: verdicts are those of the scene in each pose, and so are distances, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest

from collision import AABB, Bodies, HalfSpace, Scene, Shape, Transform, closest_points, intersects, signed_distance
from collision.base.fields import FloatArray
from collision.kernels.vec3 import EPS
from tests.strategies import KINDS, Kind, parted, random_pairs

#: Half turns, quarter turns, and none: of these, places on a lattice stay on it.
SQUARE = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 1, 1], [1, -1, 0, 0], [0, 0, 0, 1], [1, 1, 1, 1]])

#: How far a pose is off the hard one, in spacings of doubles of the size of the pair.
STEPS = np.array([0, 1, -1, 2, -2, 4, -4, 7, -7, 8, -8, 9, -9, 16, -16, 50, -50, 1000, -1000])

PAIRS = [(a, b) for a in KINDS for b in KINDS if not a is b is HalfSpace]
every_pair = pytest.mark.parametrize(("moves", "rests"), PAIRS, ids=lambda kind: kind.__name__)


def placed_back(shape: Shape, position: FloatArray, turn: Transform) -> Shape:
    """Return the shape that a pose takes to where one is: to the last bit on a lattice, and else nearly."""
    able = shape.oriented() if isinstance(shape, AABB) else shape
    return able.translated(-position).transformed(turn.inverse())


@every_pair
def test_verdicts_and_distances_of_hard_pairs_are_those_of_the_scene_in_each_pose(moves: Kind, rests: Kind) -> None:
    rng = np.random.default_rng([1, KINDS.index(moves), KINDS.index(rests)])
    touching = 0
    for number, case in enumerate(random_pairs(moves, rests, 5, seed=number_of(moves, rests))):
        turn = Transform(rotation=SQUARE[number % len(SQUARE)] if number % 3 else rng.normal(size=4))
        position = rng.integers(-3, 4, 3).astype(float) if number % 2 else np.zeros(3)
        bodies = Bodies(Scene({"a": placed_back(case.a, position, turn), "b": case.b}), ["a"])
        size = max(float(np.abs(value).max()) for shape in (case.a, case.b) for value in shape.values().values())
        normal = closest_points(case.a, case.b).normal if parted((moves, rests)) else np.array([0.0, 0.0, 1.0])
        positions = position + STEPS[:, None] * EPS * size * normal
        there = bodies.scene["a"].transformed(Transform(positions, turn.axes))
        expected = intersects(there, case.b)
        found = bodies.touching(positions[:, None], turn.axes[None])
        assert np.array_equal(found, expected), case
        gaps = signed_distance(there, case.b)
        assert bodies.distances(positions[:, None], turn.axes[None])[:, 0].tobytes() == gaps.tobytes(), case
        nearest = bodies.nearest_pair(positions[:, None], turn.axes[None])
        assert nearest.signed_distance.tobytes() == gaps.tobytes(), case
        assert np.array_equal(nearest.pair, np.broadcast_to([0, 1], (len(STEPS), 2)))
        scene = bodies.at(positions[number % 3][None], turn.axes[None])
        assert len(scene.colliding_pairs()) == found[number % 3], case
        touching += int(found.sum())
    assert touching  # some do


def number_of(moves: Kind, rests: Kind) -> int:
    return len(KINDS) * KINDS.index(moves) + KINDS.index(rests)
