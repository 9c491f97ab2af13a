"""The pairs of a scene at rest that an expectation is about: the nearest, and those that are too near."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from collision.base.cached import cached_property
from collision.base.fields import BoolArray, FloatArray, IntArray
from collision.kernels.cores import TOUCH
from collision.scene.expectations import Expectation
from collision.scene.pairs import NO_PAIRS, SceneRows, records
from collision.scene.scene import Scene, world_of
from collision.scene.walks import nearest
from collision.shapes.rows import core_rows
from collision.timeline.extremes import NearPairs

#: Up to so many pairs are compared one by one; of more, the broad phase finds those that are near.
ONE_BY_ONE = 4096


def nearness(pairs: NearPairs) -> FloatArray:
    """Return how near pairs are: zero or less for those that touch."""
    return np.asarray(pairs.gap - TOUCH * pairs.size)


class StillScene:
    """A scene without motion and its pairs; their time and bound say nothing more than their distance."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.names = scene.promised_names

    @cached_property
    def _shown(self) -> BoolArray:
        """Which elements are not hidden."""
        shown: BoolArray = np.zeros(self.scene.element_count, dtype=bool)
        for elements, _ in self.scene.groups:
            shown[elements] = True
        return shown

    @cached_property
    def colliding(self) -> NearPairs:
        """All pairs that collide; their size is not asked for, as they are known to touch."""
        found = self.scene.contacts()
        gap, zero = found.signed_distance, np.zeros(len(found))
        return NearPairs(found.pairs, gap, zero, gap, zero, found.normal)

    def shown(self, name: str) -> IntArray:
        """Return the elements that a name stands for and that are not hidden."""
        numbers = self.names.numbers(name)
        return np.asarray(numbers[self._shown[numbers]])

    def element_names(self, names: Iterable[str]) -> list[str]:
        """Return the names of all elements that some names, patterns and groups stand for."""
        return [self.scene.element_name(number) for name in names for number in self.names.numbers(name).tolist()]

    def gaps(self, pairs: IntArray) -> NearPairs:
        """Return how far apart the elements of pairs (k, 2) are."""
        # The first of a pair is that of the lower number, as everywhere: the other way round, rounding may differ.
        rows = world_of(self.scene).rows
        found = records(rows, rows, np.sort(pairs, axis=1))
        gap, swapped = found.signed_distance, pairs[:, 0] > pairs[:, 1]
        normal = np.where(swapped[:, None], -found.normal, found.normal)
        return NearPairs(pairs, gap, np.zeros(len(gap)), gap, found.size, normal)

    def nearest(self, a: str, b: str, level: float) -> NearPairs:
        """Return the tested pairs of two names that are no farther apart than a level, and in any case the nearest."""
        first, second = self.shown(a), self.shown(b)
        if len(first) * len(second) <= ONE_BY_ONE:
            pairs = pairs_between(first, second)
            found = self.gaps(pairs[self.scene.tested(pairs[:, 0], pairs[:, 1])])
        else:
            found = self._near_of_many(first, second, level)
        if not len(found.pairs):
            return found
        keep = ~(found.gap > level + TOUCH * found.size)  # what is no number is kept
        keep[np.argmin(nearness(found))] = True
        return found.rows(np.flatnonzero(keep))

    def _near_of_many(self, first: IntArray, second: IntArray, level: float) -> NearPairs:
        one, other = self._only(first), self._only(second)
        same = np.array_equal(first, second)
        pairs = (one.contacts(margin=level) if same else one.contacts_with(other, margin=level)).pairs
        pairs = _each_once(pairs[self.scene.tested(pairs[:, 0], pairs[:, 1])])
        return self.gaps(pairs if len(pairs) else self._nearest_pair(first, other))

    def _nearest_pair(self, first: IntArray, other: Scene) -> IntArray:
        """Return the nearest pair of some elements and those of a scene that are not hidden, (1, 2); or (0, 2)."""
        parts = list(world_of(self.scene).by_group(first))
        numbers = np.concatenate([first[here] for here, _, _ in parts])
        shapes = SceneRows(core_rows(shape[rows] for _, shape, rows in parts))
        element, gap = nearest(shapes, numbers, 1, world_of(other).memory, world_of(other).ignored)
        row = int(np.argmin(np.where(element >= 0, gap, np.inf)))
        return np.array([[numbers[row], element[row, 0]]]) if gap[row, 0] < np.inf else NO_PAIRS

    def _only(self, numbers: IntArray) -> Scene:
        """Return the scene with all hidden but some elements."""
        others = np.setdiff1d(np.arange(self.scene.element_count), numbers)
        hidden = map(self.scene.element_name, others.tolist())
        return self.scene.replaced(hidden=hidden, expectations=(), name_groups={})


def pairs_between(first: IntArray, second: IntArray) -> IntArray:
    """Return all pairs of one of each of two sets of elements, each pair once, and none of an element with itself."""
    pairs = np.stack([np.repeat(first, len(second)), np.tile(second, len(first))], axis=1)
    return _each_once(pairs[pairs[:, 0] != pairs[:, 1]])


def _each_once(pairs: IntArray) -> IntArray:
    """Leave out pairs that are there the other way round."""
    if len(pairs) < 2:
        return pairs
    return np.asarray(pairs[np.sort(np.unique(_keys(pairs, int(pairs.max()) + 1), return_index=True)[1])])


def _keys(pairs: IntArray, count: int) -> IntArray:
    """Return a number for each pair, the same for both orders of its elements."""
    return np.asarray(pairs.min(axis=1) * count + pairs.max(axis=1))


def expected_among(scene: Scene, pairs: IntArray) -> BoolArray:
    """Tell which pairs an expectation of a scene speaks for: they may collide, or are checked on their own."""
    count, names, keys = scene.element_count, scene.promised_names, list[IntArray]()
    found: BoolArray = np.zeros(len(pairs), dtype=bool)
    if not len(pairs):
        return found
    for expectation in filter(_speaks_for_its_pairs, scene.expectations):
        first, second = names.numbers(expectation.a), names.numbers(expectation.b)
        if len(first) * len(second) > ONE_BY_ONE:
            a, b = names.mask(expectation.a), names.mask(expectation.b)
            i, j = pairs.T
            found |= (a[i] & b[j]) | (a[j] & b[i])
        elif len(own := pairs_between(first, second)):
            keys.append(_keys(own, count))
    return found | np.isin(_keys(pairs, count), np.concatenate(keys)) if keys else found


def _speaks_for_its_pairs(expectation: Expectation) -> bool:
    """Tell whether an expectation is about all that its pairs may do; never to touch is no leave to overlap."""
    match expectation.kind, expectation.quantifier:
        case "collide", "never":
            return not expectation.timed and expectation.depth is None and expectation.normal is None
        case (("touch" | "inside"), "never"):
            return False
        case "apart", quantifier:
            return not expectation.timed and quantifier == "always"
        case kind, _:
            return kind in ("collide", "touch", "inside") and bool(expectation.a)
