"""The pairs of a scene at rest that an expectation is about: the nearest, and those that are too near."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from collision.base.cached import cached_property
from collision.base.fields import BoolArray, FloatArray, IntArray
from collision.kernels.cores import TOUCH
from collision.queries.separation import separate
from collision.scene.asking import Asked
from collision.scene.expectations import Expectation
from collision.scene.nearest import nearest_of
from collision.scene.scene import Scene
from collision.timeline.pairs import NearPairs

#: Up to so many pairs are compared one by one; of more, the broad phase finds those that are near.
ONE_BY_ONE = 4096


def nearness(pairs: NearPairs) -> FloatArray:
    """Return how near pairs are: zero or less for those that touch."""
    return np.asarray(pairs.gap - TOUCH * pairs.size)


class StillScene:
    """A scene at rest and its pairs; their time and bound say nothing more than their distance.

    Parameters
    ----------
    scene : Scene
        Without motion.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.names = scene.promised_names

    @cached_property
    def _rows(self) -> IntArray:
        """The group of each element and its row in it, (n, 2); -1 for those that are hidden."""
        rows: IntArray = np.full((self.scene.element_count, 2), -1)
        for number, (elements, _) in enumerate(self.scene.groups):
            rows[elements, 0], rows[elements, 1] = number, np.arange(len(elements))
        return rows

    @cached_property
    def colliding(self) -> NearPairs:
        """All pairs that collide; their size is not asked for, as they are known to touch."""
        found = self.scene.contacts()
        gap, zero = found.signed_distance, np.zeros(len(found))
        return NearPairs(found.pairs, gap, zero, gap, zero, found.normal)

    def shown(self, name: str) -> IntArray:
        """Return the elements that a name stands for and that are not hidden."""
        numbers = self.names.numbers(name)
        return np.asarray(numbers[self._rows[numbers, 0] >= 0])

    def element_names(self, names: Iterable[str]) -> list[str]:
        """Return the names of all elements that some names, patterns and groups stand for."""
        return [self.scene.element_name(number) for name in names for number in self.names.numbers(name).tolist()]

    def gaps(self, pairs: IntArray) -> NearPairs:
        """Return how far apart the elements of pairs (k, 2) are, none of them hidden."""
        gap, size, normal = np.empty(len(pairs)), np.empty(len(pairs)), np.empty((len(pairs), 3))
        groups = self.scene.groups
        # The first of a pair is that of the lower number, as everywhere: the other way round, rounding may differ.
        swapped = pairs[:, 0] > pairs[:, 1]
        first, second = (self._rows[part] for part in (pairs.min(axis=1), pairs.max(axis=1)))
        kinds = first[:, 0] * len(groups) + second[:, 0]
        for kind in np.unique(kinds).tolist():
            here = np.flatnonzero(kinds == kind)
            a, b = divmod(kind, len(groups))
            index = np.ascontiguousarray(first[here, 1]), np.ascontiguousarray(second[here, 1])
            found = separate(groups[a].shape, groups[b].shape, here.shape, index)
            gap[here], size[here], normal[here] = found.signed_distance, found.size, found.normal
        return NearPairs(pairs, gap, np.zeros(len(gap)), gap, size, np.where(swapped[:, None], -normal, normal))

    def nearest(self, a: str, b: str, level: float) -> NearPairs:
        """Return the pairs between two names that are no farther apart than a level, and in any case the nearest.

        None are returned where there is no pair that is tested.
        """
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
        best, found = np.inf, np.zeros((0, 2), dtype=np.intp)
        for elements, shape in self.scene.groups:
            rows = np.flatnonzero(np.isin(elements, first))
            if not len(rows):
                continue
            asked = Asked(shape[rows], elements[rows], (len(rows),), np.zeros(len(rows), dtype=bool))
            nearest = nearest_of(other._world, asked, None)
            gaps = np.where(nearest.element >= 0, nearest.signed_distance, np.inf)
            row = int(np.argmin(gaps))
            if gaps[row] < best:
                best, found = gaps[row], np.array([[elements[rows[row]], nearest.element[row]]])
        return found

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
    """Tell whether an expectation is about all that its pairs may do.

    What may collide at some time is free to do so at others; what is apart, or never collides, all the time is checked
    for all of it. That something never touches, or is never inside, is no leave to overlap.
    """
    match expectation.kind, expectation.quantifier:
        case "collide", "never":
            return not expectation.timed and expectation.depth is None and expectation.normal is None
        case (("touch" | "inside"), "never"):
            return False
        case "apart", quantifier:
            return not expectation.timed and quantifier == "always"
        case kind, _:
            return kind in ("collide", "touch", "inside") and bool(expectation.a)
