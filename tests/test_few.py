"""Pairs of few boxes, compared eight at a time: those that a tree finds, and those that overlap each with each."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from collision import AABB, Point, Scene, Shape, Sphere
from collision.base.fields import FloatArray, IntArray
from collision.broadphase.hierarchy import WIDENING, Hierarchy
from collision.broadphase.search import FEW, PAIRS, TREE_THRESHOLD, filled, pairs_of_few
from collision.broadphase.tree import LEAF, build_tree
from collision.native import address
from collision.scene import elements

#: Around blocks of eight, and the most that there are.
COUNTS = (1, 2, 7, 8, 9, 16, 17, 65, TREE_THRESHOLD - 1, TREE_THRESHOLD)


def pairs_of(lower: FloatArray, upper: FloatArray, room: int | None = None, reach: float = 0.0) -> tuple[int, IntArray]:
    """Return how many pairs there are, and what is in memory with room for some: -1 behind them."""
    count = len(lower)
    room = count * count if room is None else room
    rows, blocks, found = (
        np.empty(6 * count),
        np.empty(48 * -(-count // 8), dtype=np.float32),
        np.full((room + 1, 2), -1),
    )
    given = address(lower), address(upper), WIDENING, reach, address(rows), address(blocks), address(found)
    total = FEW.run(count, *given, room)
    return total, found


def each_with_each(lower: FloatArray, upper: FloatArray, reach: float = 0.0) -> IntArray:
    """Return the pairs of widened boxes that overlap, or are no farther apart than a reach."""
    rows = Hierarchy(lower, upper).rows(np.arange(len(lower)))
    a, b = rows[:, None], rows[None]
    overlaps = (a[..., :3] - reach <= b[..., 3:]).all(-1) & (b[..., :3] - reach <= a[..., 3:]).all(-1)
    return np.argwhere(np.triu(overlaps, 1))


def pairs_of_tree(lower: FloatArray, upper: FloatArray, reach: float = 0.0) -> IntArray:
    tree = build_tree(lower, upper, WIDENING)
    found = filled(PAIRS, (0, len(tree.order) // LEAF, *tree.addresses, WIDENING, reach), 64)
    return found[np.lexsort(found.T[::-1])]


# -- boxes that mislead ------------------------------------------------------------------------------------------------

Boxes = tuple[FloatArray, FloatArray]


def spread(count: int, rng: np.random.Generator) -> Boxes:
    lower = rng.uniform(0.0, 1.4 * count ** (1 / 3), (count, 3))
    return lower, lower + rng.uniform(0.2, 1.2, (count, 3))


def grid_cells(count: int, rng: np.random.Generator) -> Boxes:
    """Cells of a grid, all of which touch their neighbours, some of them in numbers that are not rounded."""
    lower = rng.integers(0, 4, (count, 3)) * 0.1
    return lower, lower + 0.1


def coincident(count: int, rng: np.random.Generator) -> Boxes:
    return np.full((count, 3), 0.3), np.full((count, 3), 0.7)


def points(count: int, rng: np.random.Generator) -> Boxes:
    places = rng.integers(0, 3, (count, 3)) / 3.0
    return places, places


def a_few_ulp_apart(count: int, rng: np.random.Generator) -> Boxes:
    """Boxes in two layers, the gaps between which are about what boxes are widened by, far below single precision."""
    lower = np.zeros((count, 3))
    lower[::2, 2] = 1.0 + rng.uniform(0.0, 8.0, len(lower[::2])) * WIDENING
    return lower, lower + 1.0


def large_and_small(count: int, rng: np.random.Generator) -> Boxes:
    lower = rng.normal(size=(count, 3)) * 3.0
    return lower, lower + 10.0 ** rng.choice([-6.0, 0.0, 1.0, 6.0], (count, 1), p=[0.3, 0.4, 0.29, 0.01])


def far_away(count: int, rng: np.random.Generator) -> Boxes:
    lower, upper = spread(count, rng)
    return 1e6 + 1e-6 * lower, 1e6 + 1e-6 * upper


def one_far_away(count: int, rng: np.random.Generator) -> Boxes:
    """Have the first so far from the others that these are all one in single precision."""
    lower, upper = spread(count, rng)
    lower[0], upper[0] = -1e9, -1e9 + 1.0
    return lower, upper


def scaled(factor: float) -> Callable[[int, np.random.Generator], Boxes]:
    def boxes(count: int, rng: np.random.Generator) -> Boxes:
        lower, upper = spread(count, rng)
        return factor * lower, factor * upper

    return boxes


FINITE: dict[str, Callable[[int, np.random.Generator], Boxes]] = {
    **{f.__name__: f for f in (spread, grid_cells, coincident, points, a_few_ulp_apart, large_and_small)},
    **{f.__name__: f for f in (far_away, one_far_away)},
    **{f"times {factor:g}": scaled(factor) for factor in (1e-6, 1e6, 1e-42, 1e-160, 1e39, 1e160)},
}


@pytest.mark.parametrize("layout", FINITE)
def test_pairs_are_those_of_a_tree_in_order(layout: str) -> None:
    found = kept = 0
    for seed, count in enumerate(COUNTS):
        lower, upper = FINITE[layout](count, np.random.default_rng(seed))
        total, pairs = pairs_of(lower, upper)
        assert np.array_equal(pairs[:total], each_with_each(lower, upper))
        assert np.array_equal(pairs[:total], pairs_of_tree(lower, upper))
        assert (pairs[total:] == -1).all()
        found, kept = found + total, kept + count * (count - 1) // 2
    assert 0.001 * kept < found
    assert found < 0.7 * kept or layout == "coincident"


@pytest.mark.parametrize("layout", FINITE)
def test_pairs_within_a_reach_are_those_of_a_tree(layout: str) -> None:
    for seed, count in enumerate(COUNTS):
        lower, upper = FINITE[layout](count, np.random.default_rng(seed))
        for reach in 0.3 * np.ptp(lower), 1e-9 * np.abs(upper).max(), 1e300:
            total, pairs = pairs_of(lower, upper, reach=reach)
            assert np.array_equal(pairs[:total], each_with_each(lower, upper, reach))
            assert np.array_equal(pairs[:total], pairs_of_tree(lower, upper, reach))


@pytest.mark.parametrize("count", [1, 9, 64, TREE_THRESHOLD])
def test_boxes_may_be_infinite_or_none(count: int) -> None:
    rng = np.random.default_rng(count)
    for first in (0.0, np.inf, -np.inf, np.nan):
        lower, upper = spread(count, rng)
        lower[rng.random(lower.shape) < 0.05] = -np.inf
        upper[rng.random(upper.shape) < 0.05] = np.inf
        lower[rng.random(lower.shape) < 0.02] = np.nan
        upper[rng.random(upper.shape) < 0.02] = -np.inf
        lower[0, 0] += first
        total, pairs = pairs_of(lower, upper)
        assert np.array_equal(pairs[:total], each_with_each(lower, upper))
        assert total > count // 2 or count < 64


def test_what_there_is_no_room_for_is_counted_and_not_stored() -> None:
    lower, upper = spread(65, np.random.default_rng(0))
    every = each_with_each(lower, upper)
    for room in (0, 1, len(every) - 1, len(every)):
        total, pairs = pairs_of(lower, upper, room)
        assert total == len(every)
        assert np.array_equal(pairs[:room], every[:room])
        assert (pairs[room:] == -1).all()


def test_as_plain_python_it_comes_to_the_same_within_its_memory() -> None:
    for count in (1, 8, 21):
        lower, upper = spread(count, np.random.default_rng(count))
        lower[-1], upper[-1] = -np.inf, np.inf  # not even this overlaps what is behind the last
        expected = each_with_each(lower, upper)
        blocks, found = np.empty(48 * -(-count // 8), dtype=np.float32), np.empty(2 * len(expected), dtype=np.int64)
        given = lower.reshape(-1), upper.reshape(-1), WIDENING, 0.0, np.empty(6 * count), blocks, found, len(expected)
        assert pairs_of_few(count, *given) == len(expected)
        assert np.array_equal(found.reshape(-1, 2), expected)
    assert len(expected) > 5


# -- scenes ------------------------------------------------------------------------------------------------------------


def in_steps(shapes: dict[str, Shape], monkeypatch: pytest.MonkeyPatch) -> IntArray:
    with monkeypatch.context() as patch:
        patch.setattr(elements, "ONE_CALL", 0)
        return Scene(shapes).colliding_pairs()


@pytest.mark.parametrize("layout", [layout for layout in FINITE if "160" not in layout])  # which no scene takes
def test_scenes_of_few_and_of_one_more_are_answered_as_in_steps(layout: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = 0
    for count in (2, 40, TREE_THRESHOLD, TREE_THRESHOLD + 1):
        lower, upper = FINITE[layout](count, np.random.default_rng(count))
        if layout == "points":
            shapes: dict[str, Shape] = {"points": Point(lower)}
        else:
            half, middle = 0.5 * (upper - lower), 0.5 * lower + 0.5 * upper
            of = np.split(np.arange(count), [1, 2, count // 2])
            shapes = {
                "one": Sphere(middle[0], half[0].min()),
                "wall": AABB(lower[1], upper[1]),
                "balls": Sphere(middle[of[2]], half[of[2]].min(axis=1)),
                "boxes": AABB(lower[of[3]], upper[of[3]]),
            }
        pairs = Scene(shapes).colliding_pairs()
        assert np.array_equal(pairs, in_steps(shapes, monkeypatch))
        found += len(pairs)
    assert found > 20
