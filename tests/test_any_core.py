"""Loops that serve all pairs of kinds at once: as plain Python they find the same, in memory of just their size."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from collision import AABB, Capsule, HalfSpace, OrientedBox, Segment, Shape, Sphere, Transform
from collision.base.fields import FloatArray
from collision.kernels.chains import LENGTH, LINK
from collision.kernels.core import ROW, SEARCH_ROWS
from collision.queries import touching, turning
from collision.queries.placements import Course
from collision.queries.touching import Asked, Linked, touching_spans
from collision.queries.turning import turning_touches

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


def course(shape: Shape) -> Course:
    """Return a way past what is in the middle, turning."""
    start = Transform([-2.5, 0.1, 0.2])
    end = Transform([2.0, 0.3, -0.1], Rotation.from_rotvec([0.5, -0.9, 1.1]).as_matrix())
    return Course(shape, start, end, np.array([0.2, 0.1, 0.0]))


def operands(shape: Shape) -> tuple[list[FloatArray], list[int], list[int]]:
    """Return a single shape as loops take it, as arrays."""
    values = shape.values()
    given = [values[one] if isinstance(one, str) else one for one in shape.layout.given]
    arrays = [np.array(one, dtype=np.float64).reshape(-1) for one in given]
    return arrays, [0] * len(arrays), [0]


def room() -> FloatArray:
    """Return memory in which nothing is yet: what is read of it before it is written shows."""
    return np.full(ROW * SEARCH_ROWS, np.nan)


@every_pair
def test_the_first_touch_is_that_of_plain_python(pair: tuple[Shape, Shape]) -> None:
    a, b = pair
    way = course(a)
    found = [np.empty(1), np.empty(3), np.empty(3), np.empty(1)]
    links = [way.links().reshape(-1)]
    with np.errstate(all="ignore"):
        turning.LOOP.function(
            0,
            1,
            1,
            *operands(a),
            *operands(b),
            links,
            [0, -1],
            found,
            int(a.core_type),
            int(b.core_type),
            room(),
            np.zeros(0),
        )
    assert np.isfinite(found[0][0])
    expected = turning_touches(way, b, (), np.array([0]))
    assert [value.tobytes() for value in found] == [value.tobytes() for value in expected]


@every_pair
@pytest.mark.parametrize("turned", [False, True])
def test_when_they_touch_is_what_plain_python_says(pair: tuple[Shape, Shape], turned: bool) -> None:
    a, b = pair
    links = course(a).links().reshape(1, LINK)
    if not turned:
        links = Course(a, Transform([-2.5, 0.1, 0.2]), Transform([2.0, 0.3, -0.1]), np.zeros(3)).links()
    links[:, LENGTH] = 1.0
    numbers = np.concatenate([links, links])
    numbers[1, 0], numbers[1, LENGTH] = 1.0, np.inf
    asked, slack, none = Asked(0.0, 1.0, 1 / 64, 2.0**-36, 2.0**-35, 0.0), np.array([1e-12]), np.zeros(0, dtype=int)
    one = np.array([0])
    mover, rest = Linked(a, one, one, np.array([1])), Linked(b, one, none, one)
    found: list[Any] = [np.empty(4), np.empty(4)]
    counts = [0]
    (arrays_a, strides_a, index_a), (arrays_b, strides_b, index_b) = operands(a), operands(b)
    with np.errstate(all="ignore"):
        touching.LOOP.function(
            0, 1, arrays_a, strides_a, index_a, int(a.core_type), arrays_b, strides_b, index_b, int(b.core_type),
            list(asked), [numbers.reshape(-1), slack], [[0], [0, 1, 1], [0, 4], counts], found, room(), np.zeros(0),
        )  # fmt: skip
    _, begin, end = touching_spans(mover, rest, numbers, slack, asked)
    assert counts == [len(begin)]
    assert counts[0] == 1 or (isinstance(a, Segment) and isinstance(b, Segment))  # which hardly ever meet
    assert [value[: len(begin)].tobytes() for value in found] == [begin.tobytes(), end.tobytes()]
