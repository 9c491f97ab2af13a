"""What is asked of pairs that links move: as plain Python the loop finds the same, in memory of just its size."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from collision import AABB, Capsule, HalfSpace, Line, Motion, OrientedBox, Ray, Scene, Segment, Shape, Sphere, Transform
from collision.kernels.core import ROW, SEARCH_ROWS
from collision.kernels.impact import FIRST_TOUCH, INTERVALS, LOOP, RANGE, IntervalSearch
from collision.queries.moving import Linked, MovingCores, PlacementPath
from collision.shapes.rows import core_rows
from collision.timeline.distances import TimedPairs
from collision.timeline.moving import MovingElements
from tests.cases import each

_TURNED = Rotation.from_rotvec([0.3, 0.4, -0.5]).as_matrix()

#: A shape of each core, with a box of the world's axes, which is kept upright.
SHAPES: list[Shape] = [
    Sphere([0.1, -0.2, 0.3], 0.6),
    Segment([-1.0, 0.2, 0.0], [1.0, 0.1, 0.3]),
    Capsule([-0.5, 0.0, 0.1], [0.7, 0.2, 0.0], 0.3),
    OrientedBox([0.1, 0.0, 0.2], _TURNED, [0.5, 0.6, 0.7]),
    AABB([-0.5, -0.4, -0.6], [0.4, 0.5, 0.7]),
    HalfSpace([0.0, 0.1, 0.0], [0.6, 0.0, 0.8]),
]

#: Those of which one is bounded, the lower rank first: only so there is a first touch.
PAIRS = [
    (a, b) for a, b in combinations_with_replacement(sorted(SHAPES, key=lambda one: one.core_type), 2) if a.bounded
]

every_pair = pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: "-".join(type(one).__name__ for one in pair))


#: A way past what is in the middle, without turning.
STRAIGHT = Transform([-2.5, 0.1, 0.2]), Transform([2.0, 0.3, -0.1])


def course(shape: Shape) -> PlacementPath:
    """Return a way past what is in the middle, turning."""
    start = Transform([-2.5, 0.1, 0.2])
    end = Transform([2.0, 0.3, -0.1], Rotation.from_rotvec([0.5, -0.9, 1.1]).as_matrix())
    return PlacementPath(shape, start, end, np.array([0.2, 0.1, 0.0]))


ONE = np.array([1])


def moving_pair(pair: tuple[Shape, Shape], turned: bool = True) -> tuple[MovingCores, Linked, Linked]:
    """Return a pair of which the first goes past the second, which rests."""
    a, b = pair
    links = course(a).links() if turned else PlacementPath(a, *STRAIGHT, np.zeros(3)).links()
    none = np.zeros(0, dtype=int)
    return MovingCores(core_rows([a, b]), links), Linked.of(ONE - 1, ONE - 1, ONE), Linked.of(ONE, none, ONE - 1)


def as_python(moving: MovingCores, task: int, numbers: list[Any], indices: list[Any], out: list[Any]) -> None:
    """Run the loop as plain Python for the only pair; what it reads before it has written it is not a number."""
    cores, scratch = moving.cores, np.full(ROW * SEARCH_ROWS, np.nan)
    given = cores.types, cores.rows.ravel(), cores.radii, cores.corners.ravel()
    with np.errstate(all="ignore"):
        LOOP.function(
            0, 1, task, *given, [0, 1], [moving.links.ravel(), *numbers], [[0], [0, 1, 1], *indices], out, scratch
        )


@every_pair
def test_the_first_touch_is_that_of_plain_python(pair: tuple[Shape, Shape]) -> None:
    moving, a, b = moving_pair(pair)
    found = [np.empty(1), np.empty(3), np.empty(3), np.empty(1)]
    as_python(moving, FIRST_TOUCH, [], [], found)
    assert np.isfinite(found[0][0])
    assert [value.tobytes() for value in found] == [value.tobytes() for value in moving.first_touches(a, b)]


@every_pair
@pytest.mark.parametrize("turned", [False, True])
def test_when_they_touch_is_what_plain_python_says(pair: tuple[Shape, Shape], turned: bool) -> None:
    moving, a, b = moving_pair(pair, turned)
    search, slack = IntervalSearch(0.0, 1.0, 1 / 64, 2.0**-36, 2.0**-35, 0.0), np.array([1e-12])
    found, counts = [np.empty(4), np.empty(4)], [0]
    as_python(moving, INTERVALS, [[], [], slack, search], [[0, 4], counts], found)
    _, begin, end = moving.intervals(a, b, slack, search)
    assert counts == [len(begin)]
    assert counts[0] == 1 or all(isinstance(one, Segment) for one in pair)  # which hardly ever meet
    assert [value[: len(begin)].tobytes() for value in found] == [begin.tobytes(), end.tobytes()]


@every_pair
def test_bounds_on_the_distance_are_those_of_plain_python(pair: tuple[Shape, Shape]) -> None:
    moving, a, b = moving_pair(pair)
    start, stop = np.array([0.125]), np.array([0.375])
    found = [np.empty(3 if k == 6 else 1) for k in range(7)]
    as_python(moving, RANGE, [start, stop], [], found)
    assert [value.tobytes() for value in found] == [value.tobytes() for value in moving.ranges(a, b, start, stop)]


#: Against each other, whatever has bounds turns; of what has none one of both does.
KINDS = [*SHAPES, Ray([0.1, 0.2, 0.3], [1.0, 0.5, -0.3]), Line([0.3, 0.1, 0.0], [0.2, 1.0, 0.4])]


@each("turning", ["first", "second", "both", "none"])
@pytest.mark.parametrize(
    "pair",
    [pair for pair in combinations_with_replacement(KINDS, 2) if not all(isinstance(one, HalfSpace) for one in pair)],
    ids=lambda pair: "-".join(type(one).__name__ for one in pair),
)
def test_distances_between_two_times_are_within_their_bounds(pair: tuple[Shape, Shape], turning: str) -> None:
    (a, b), rng = pair, np.random.default_rng(7)
    motions = [Motion(name, [0, 1], 2.0 * rng.normal(size=(2, 3))) for name in ("a", "b")]
    for name in {"first": "a", "second": "b", "both": "ab", "none": ""}[turning]:
        keys = Rotation.from_rotvec([[0, 0, 0], 1.5 * rng.normal(size=3)])
        motions.append(Motion(name, [0, 1], rotations=keys, pivot=rng.normal(size=3)))
    moving = MovingElements(Scene({"a": a.translated(rng.normal(size=3)), "b": b}, motion=motions))
    pairs = TimedPairs(moving, np.array([[0, 1]]), 0.0, 1.0)
    for count in (2, 16):
        times = np.linspace(0.0, 1.0, 64 * count + 1)
        distances = pairs.ranges(np.zeros(len(times), dtype=int), times, times).first
        for k in range(count):
            part = distances[64 * k : 64 * k + 65]
            found = pairs.ranges(np.array([0]), times[64 * k : 64 * k + 1], times[64 * k + 64 : 64 * k + 65])
            assert (found.first[0], found.last[0]) == pytest.approx((part[0], part[-1]), abs=1e-13)
            assert found.least[0] <= part.min() + 1e-13
            assert part.max() - 1e-13 <= found.most[0]
    known = a.bounded or b.bounded or turning == "none"
    assert np.isfinite([found.least[0], found.most[0]]).all() or not known or not np.isfinite(part).all()
