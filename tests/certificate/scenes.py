"""Scenes of all kinds in one place, and what pair queries say of all of their elements: what scenes must agree with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np

from collision import Scene, Shape
from collision.base.fields import FloatArray, IntArray
from collision.shapes.kinds import KINDS
from tests.certificate.families import cases

#: How many elements of each kind a scene has.
EACH = 8


def scene_of(part: int) -> Scene:
    """Return a scene with some shapes of every kind, out of hard pairs of any two: one entry a kind, named like it."""
    rng = np.random.default_rng([2030, part])
    shapes = {}
    for kind in KINDS:
        order = sorted((kind, KINDS[rng.integers(len(KINDS))]), key=KINDS.index)
        pairs = cases((order[0], order[1]), 60, part)
        rows = rng.choice(len(pairs.families), EACH, replace=False)
        shapes[kind.__name__] = (pairs.a if order[0] is kind else pairs.b)[rows]
    return Scene(shapes)


def by_kinds(scene: Scene, first: IntArray, second: IntArray) -> Iterator[tuple[Any, Shape, Shape]]:
    """Yield the rows of pairs of elements that are of the same two kinds, and their elements as two batches."""
    batches = [scene[kind.__name__] for kind in KINDS]
    for i, j in product(range(len(KINDS)), repeat=2):
        rows = np.flatnonzero((first // EACH == i) & (second // EACH == j))
        if rows.size:
            yield rows, batches[i][first[rows] % EACH], batches[j][second[rows] % EACH]


def against_all(scene: Scene, ask: Callable[[Shape, Any], Any], one: Shape) -> FloatArray:
    """Return what a query answers about all elements of a scene, by their numbers, and one shape or some."""
    return np.concatenate([np.asarray(ask(scene[kind.__name__], one)) for kind in KINDS], axis=-1)
