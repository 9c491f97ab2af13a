"""Scenes of few shapes, which are compared without a tree: their pairs are those of asking each with each."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from collision import AABB, Point, Scene, Shape, Sphere, contact
from collision.base.fields import FloatArray, IntArray
from collision.broadphase.hierarchy import WIDENING
from collision.broadphase.search import TREE_THRESHOLD

#: Around blocks of eight, and both sides of where a tree begins.
COUNTS = (2, 7, 8, 9, 17, 40, TREE_THRESHOLD, TREE_THRESHOLD + 1)


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


def each_with_each(scene: Scene, margin: float) -> IntArray:
    """Return the pairs of elements that are in touch, or within a margin."""
    batches = [shape.flattened() for shape in scene.shapes.values()]
    touching = [[contact(a[:, None], b, margin=margin).touching for b in batches] for a in batches]
    return np.argwhere(np.triu(np.block(touching), 1))


@pytest.mark.every
@pytest.mark.parametrize("layout", [layout for layout in FINITE if "160" not in layout])  # which no scene takes
def test_pairs_of_few_are_those_of_asking_each_with_each(layout: str) -> None:
    found = 0
    for count in COUNTS:
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
        scene = Scene(shapes)
        pairs = scene.colliding_pairs()
        assert np.array_equal(pairs, each_with_each(scene, 0.0))
        for margin in 0.3 * np.ptp(lower), 1e-9 * np.abs(upper).max():
            assert np.array_equal(scene.contacts(margin=margin).pairs, each_with_each(scene, margin))
        found += len(pairs)
    assert found > 20
