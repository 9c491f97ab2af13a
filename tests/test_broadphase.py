"""The broad phase against comparing each box with each."""

import numpy as np
import pytest

from collision.broadphase import FEW, LEAF, Hierarchy
from collision.fields import FloatArray

#: From the empty scene over both sides of where the tree begins to many leaves, full and not.
COUNTS = (0, 1, 2, FEW, FEW + 1, FEW + LEAF + 1, 1500)

Boxes = tuple[FloatArray, FloatArray]


def boxes(layout: str, count: int, seed: int = 0) -> Boxes:
    rng = np.random.default_rng(seed)
    middle = rng.random((count, 3)) * max(count, 1) ** (1 / 3)
    half = rng.uniform(0.1, 0.4, (count, 3))
    if layout == "line":
        middle *= [max(count, 1) ** (2 / 3), 0.1, 0.1]
    elif layout == "sizes":
        half[rng.random(count) < 0.02] *= 100.0
    elif layout == "heap":
        middle[:] = 5.0
    elif layout == "far":
        middle += [1e6, -1e6, 1e6]
    elif layout == "unbounded" and count:
        half[:: max(count // 7, 1)] = np.inf
        half[count // 2, 1] = np.inf
    return middle - half, middle + half


LAYOUTS = ("even", "line", "sizes", "heap", "far", "unbounded")


def every_pair(lower: FloatArray, upper: FloatArray, margin: float = 0.0) -> FloatArray:
    apart = (lower[:, None] > upper[None] + margin) | (lower[None] > upper[:, None] + margin)
    return np.argwhere(np.triu(~apart.any(axis=-1), 1))


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_pairs_are_those_of_comparing_each_with_each(layout: str, count: int) -> None:
    lower, upper = boxes(layout, count)
    for margin in (0.0, 0.25):
        expected = every_pair(lower, upper, margin)
        assert np.array_equal(Hierarchy(lower, upper).pairs(margin=margin), expected.reshape(-1, 2))
    if count > FEW:
        assert len(expected)


@pytest.mark.parametrize("count", COUNTS[1:])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_boxes_near_one_are_those_of_comparing_it_with_each(layout: str, count: int) -> None:
    lower, upper = boxes(layout, count)
    hierarchy = Hierarchy(lower, upper)
    for one in range(min(count, 20)):
        near = hierarchy.near(lower[one], upper[one])
        assert np.array_equal(near, np.flatnonzero(np.all((lower <= upper[one]) & (lower[one] <= upper), axis=1)))


@pytest.mark.parametrize("count", COUNTS[1:])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_no_box_on_a_ray_is_missed_and_few_others_come_along(layout: str, count: int) -> None:
    lower, upper = boxes(layout, count)
    hierarchy = Hierarchy(lower, upper)
    rng = np.random.default_rng(1)
    finite = np.where(np.isfinite(lower), lower, 0.0)
    for _ in range(10):
        origin = finite[rng.integers(count)] + rng.normal(size=3)
        direction = rng.normal(size=3) * rng.integers(0, 2, 3)
        direction[2] += 1e-3
        direction /= np.linalg.norm(direction)
        with np.errstate(divide="ignore", invalid="ignore"):
            a, b = (lower - origin) / direction, (upper - origin) / direction
        level = (direction == 0.0) & np.ones_like(lower, dtype=bool)
        inside = (lower <= origin) & (origin <= upper)
        enter = np.where(level, np.where(inside, -np.inf, np.inf), np.minimum(a, b)).max(axis=1)
        leave = np.where(level, np.inf, np.maximum(a, b)).min(axis=1)
        sure = np.flatnonzero(np.maximum(enter, 0.0) <= leave)
        found = hierarchy.along(origin, direction)
        assert np.all(np.diff(found) > 0)
        assert set(sure) <= set(found)
        room = 1e-6 * (1.0 + np.abs(finite).max())
        assert set(found) <= set(np.flatnonzero(np.maximum(enter, 0.0) <= leave + room))


def test_touching_to_rounding_is_a_pair() -> None:
    lower = np.array([[0.0, 0.0, 0.0], [0.1 + 0.2, 0.0, 0.0]])
    upper = np.array([[0.3, 1.0, 1.0], [1.0, 1.0, 1.0]])
    assert lower[1, 0] > upper[0, 0]
    assert Hierarchy(lower, upper).pairs().tolist() == [[0, 1]]


def test_arguments_stay_as_they_are() -> None:
    lower, upper = boxes("even", 500)
    copies = lower.copy(), upper.copy()
    Hierarchy(lower, upper).pairs(margin=0.5)
    assert np.array_equal(lower, copies[0])
    assert np.array_equal(upper, copies[1])
