"""Many poses of hard pairs: verdicts are those of the scene in each pose, and so are distances, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest

from collision import (
    AABB,
    Bodies,
    HalfSpace,
    Line,
    OrientedBox,
    Ray,
    Scene,
    Shape,
    Sphere,
    Transform,
    closest_points,
    intersects,
    signed_distance,
)
from collision.base.fields import FloatArray, turned
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
        both = Bodies(Scene({"a": bodies.scene["a"], "b": case.b}), ["a", "b"])
        places = np.stack([positions, np.zeros_like(positions)], axis=1)
        assert np.array_equal(both.touching(places, [turn.axes, np.eye(3)]), intersects(there, both.scene["b"])), case
        scene = bodies.at(positions[number % 3][None], turn.axes[None])
        assert len(scene.colliding_pairs()) == found[number % 3], case
        touching += int(found.sum())
    assert touching  # some do


def test_axes_and_directions_are_made_unit_vectors_again_as_transforms_do() -> None:
    rng = np.random.default_rng(3)
    off = Transform(rotation=rng.normal(size=(200, 4))).axes * (1.0 + 6.0 * EPS)  # taken for a rotation as it is
    box = OrientedBox([1, 2, 3], off[0], [1, 2, 3])
    direction = np.array([0.48, 0.64, 0.6]) * (1.0 + 2.0 * EPS)
    ball = Sphere([9, -5, 4], 0.1)
    for shape in (box, Ray([1, 2, 3], direction), Line([1, 2, 3], direction), HalfSpace([1, 2, 3], direction)):
        bodies = Bodies(Scene({"a": shape, "ball": ball}), ["a"])
        there = shape.transformed(Transform(rotation=off))
        found = bodies.distances(np.zeros((200, 1, 3)), off[:, None])[:, 0]
        assert found.tobytes() == signed_distance(there, ball).tobytes()
    assert not np.array_equal(box.transformed(Transform(rotation=off)).axes, turned_axes(off, box.axes))


def turned_axes(turns: FloatArray, axes: FloatArray) -> FloatArray:
    return np.stack([turned(turns, axes[:, k]) for k in range(3)], axis=-1)


def number_of(moves: Kind, rests: Kind) -> int:
    return len(KINDS) * KINDS.index(moves) + KINDS.index(rests)
