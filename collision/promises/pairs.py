"""The pairs that a promise is about, in a scene at rest: those that are nearest, and those that are too near."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from collision.base.cached import cached_property
from collision.base.fields import BoolArray, FloatArray, IntArray
from collision.kernels.cores import TOUCH
from collision.queries.separation import separate
from collision.scene.asking import Asked
from collision.scene.nearest import nearest_of
from collision.scene.scene import Scene

#: Up to so many pairs are compared one with one; of more, the broad phase finds those that are near.
FEW = 4096


class Gaps(NamedTuple):
    """Pairs of elements, one of each side first, and how far apart they are.

    Attributes
    ----------
    pairs : ndarray of int, shape (k, 2)
    signed_distance, size : ndarray, shape (k,)
    normal : ndarray, shape (k, 3)
        From the first to the second.
    """

    pairs: IntArray
    signed_distance: FloatArray
    size: FloatArray
    normal: FloatArray

    def rows(self, index: IntArray | BoolArray) -> Gaps:
        """Return some of them."""
        return Gaps(self.pairs[index], self.signed_distance[index], self.size[index], self.normal[index])

    def and_also(self, other: Gaps) -> Gaps:
        """Return these and others."""
        pairs, gap, size, normal = (np.concatenate(parts) for parts in zip(self, other, strict=True))
        return Gaps(pairs, gap, size, normal)

    @property
    def nearness(self) -> FloatArray:
        """How near they are: zero or less for those that touch."""
        return self.signed_distance - TOUCH * self.size

    def nearest(self, among: BoolArray | None = None) -> int:
        """Return the row of the pair that is nearest, or overlaps most; among some, if there are any."""
        if among is None or not among.any():
            return int(np.argmin(self.nearness))
        return int(np.argmin(np.where(among, self.nearness, np.inf)))


class StillScene:
    """A scene at rest, and what is asked of its pairs.

    Parameters
    ----------
    scene : Scene
        Without motion.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.names = scene.promised_names

    @cached_property
    def _places(self) -> IntArray:
        """The group of each element and its row in it, (n, 2); -1 for those that are hidden."""
        places: IntArray = np.full((self.scene.element_count, 2), -1)
        for number, (elements, _) in enumerate(self.scene.groups):
            places[elements, 0], places[elements, 1] = number, np.arange(len(elements))
        return places

    @cached_property
    def colliding(self) -> Gaps:
        """All pairs that collide."""
        found = self.scene.contacts()
        size = np.zeros(len(found))  # they are known to touch
        return Gaps(found.pairs, found.signed_distance, size, found.normal)

    def shown(self, numbers: IntArray) -> IntArray:
        """Return those of some elements that are not hidden."""
        return np.asarray(numbers[self._places[numbers, 0] >= 0])

    def pair_gaps(self, pairs: IntArray) -> Gaps:
        """Return how far apart the elements of pairs (k, 2) are, none of them hidden."""
        gap, size, normal = np.empty(len(pairs)), np.empty(len(pairs)), np.empty((len(pairs), 3))
        groups = self.scene.groups
        # The first of a pair is that of the lower number, as everywhere: the other way round, rounding may differ.
        turned = pairs[:, 0] > pairs[:, 1]
        first, second = (self._places[part] for part in (pairs.min(axis=1), pairs.max(axis=1)))
        code = first[:, 0] * len(groups) + second[:, 0]
        for value in np.unique(code).tolist():
            here = np.flatnonzero(code == value)
            a, b = divmod(value, len(groups))
            index = tuple(np.ascontiguousarray(side[here, 1]) for side in (first, second))
            found = separate(groups[a].shape, groups[b].shape, here.shape, (index[0], index[1]))
            gap[here], size[here], normal[here] = found.signed_distance, found.size, found.normal
        return Gaps(pairs, gap, size, np.where(turned[:, None], -normal, normal))

    def near(self, a: str, b: str, reach: float) -> Gaps:
        """Return the pairs between two names that are no farther apart than some distance, and the nearest in any case.

        None are returned where there is no pair that is tested.
        """
        first, second = self.shown(self.names.numbers(a)), self.shown(self.names.numbers(b))
        if len(first) * len(second) <= FEW:
            pairs = product(first, second)
            found = self.pair_gaps(pairs[self.scene.tested(pairs[:, 0], pairs[:, 1])])
        else:
            found = self._near_of_many(first, second, reach)
        if not len(found.pairs):
            return found
        keep = ~(found.signed_distance > reach + TOUCH * found.size)  # what is no number is kept
        keep[found.nearest()] = True
        return found.rows(keep)

    def _near_of_many(self, first: IntArray, second: IntArray, reach: float) -> Gaps:
        """Return the pairs of two sets of elements that are near, by the broad phase; the nearest in any case."""
        one, other = (self._only(numbers) for numbers in (first, second))
        same = np.array_equal(first, second)
        pairs = (one.contacts(margin=reach) if same else one.contacts_with(other, margin=reach)).pairs
        pairs = _unordered(pairs[self.scene.tested(pairs[:, 0], pairs[:, 1])])
        return self.pair_gaps(pairs if len(pairs) else self._nearest_pair(first, other))

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
        gone = np.ones(self.scene.element_count, dtype=bool)
        gone[numbers] = False
        hidden = map(self.scene.element_name, np.flatnonzero(gone).tolist())
        return self.scene.replaced(hidden=hidden, expectations=(), name_groups={})


def product(first: IntArray, second: IntArray) -> IntArray:
    """Return all pairs of one of each of two sets of elements, each pair once, and none of an element with itself."""
    pairs = np.stack([np.repeat(first, len(second)), np.tile(second, len(first))], axis=1)
    return _unordered(pairs[pairs[:, 0] != pairs[:, 1]])


def _unordered(pairs: IntArray) -> IntArray:
    """Leave out pairs that are there the other way round."""
    if len(pairs) < 2:
        return pairs
    most = int(pairs.max()) + 1
    keys = pairs.min(axis=1) * most + pairs.max(axis=1)
    return np.asarray(pairs[np.sort(np.unique(keys, return_index=True)[1])])
