"""The pairs of elements that a scene never reports: those that it ignores, and those of two half-spaces."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from collision.base.fields import BoolArray, IntArray
from collision.native import INTEGERS, address
from collision.scene.elements import Elements
from collision.shapes.kinds import HalfSpace


class Ignored:
    """Pairs of elements that are never reported; pairs of two half-spaces are always among them.

    Attributes
    ----------
    listed : ndarray of int, shape (k,)
        The pairs of two single elements, of which robots ignore hundreds: one number each, in order.
    sets : ndarray of bool, shape (2 m, n)
        The pairs of any two sets, as flags for the elements in turn.
    """

    def __init__(self, pairs: Iterable[tuple[str, str]], elements: Elements) -> None:
        self.count = elements.count
        listed, sets = [], []
        for a, b in pairs:
            numbers = [elements.numbers(name) for name in (a, b) if elements.find(name) is not None]
            if [len(n) for n in numbers] == [1, 1]:
                i, j = sorted(n[0] for n in numbers)
                listed.append(i * self.count + j)
            else:
                sets += [elements.mask(a), elements.mask(b)]
        if HalfSpace in map(type, elements.shapes.values()) and np.count_nonzero(spaces := half_spaces(elements)) > 1:
            sets += [spaces, spaces]
        self.listed: IntArray = np.array(sorted(listed), dtype=np.int64)
        self.sets: BoolArray = np.array(sets, dtype=bool).reshape(len(sets), self.count)

    def arguments(self) -> tuple[int, int, object]:
        """Return what walks take: where both are, and how many there are of each, and elements."""
        sizes = INTEGERS[3](len(self.listed), len(self.sets) // 2, self.count)
        return address(self.listed), address(self.sets), sizes

    def removed(self, pairs: IntArray) -> IntArray:
        """Return those of the pairs (k, 2), i < j, that are not ignored."""
        return pairs[self.keeps(pairs)] if len(self.listed) or len(self.sets) else pairs

    def keeps(self, pairs: IntArray) -> BoolArray:
        """Tell which of the pairs (k, 2), i < j, are not ignored."""
        i, j = pairs.T
        keep = ~np.isin(i * self.count + j, self.listed)
        for first, second in zip(self.sets[::2], self.sets[1::2], strict=True):
            keep &= ~((first[i] & second[j]) | (second[i] & first[j]))
        return keep

    def count_among(self, shown: list[int]) -> int:
        """Return how many pairs of some elements are ignored."""
        listed, sets, count = self.listed, self.sets, self.count
        inside: BoolArray = np.zeros(count, dtype=bool)
        inside[shown] = True
        keys = np.unique(listed[listed // max(count, 1) != listed % max(count, 1)])
        keys = keys[inside[keys // max(count, 1)] & inside[keys % max(count, 1)]] if len(keys) else keys
        if not len(sets):
            return len(keys)
        # Elements that are in the same sets are alike: few kinds of them, even where there are very many elements.
        kinds, kind, counts = np.unique(sets[:, shown], axis=1, return_inverse=True, return_counts=True)
        first, second = kinds[0::2], kinds[1::2]
        met = (first.T.astype(np.int64) @ second.astype(np.int64)) > 0
        met |= met.T
        pairs = np.outer(counts, counts) - np.diag(counts)  # each twice, and none of an element with itself
        kind_of = np.zeros(count, dtype=np.intp)
        kind_of[shown] = kind.ravel()
        alone = ~met[kind_of[keys // count], kind_of[keys % count]]
        return int(pairs[met].sum()) // 2 + int(np.count_nonzero(alone))


def half_spaces(elements: Elements) -> BoolArray:
    """Tell of every element whether it is a half-space."""
    mask: BoolArray = np.zeros(elements.count, dtype=bool)
    for name, shape in elements.shapes.items():
        if isinstance(shape, HalfSpace):
            numbers = elements.numbers_at(name, None)
            mask[numbers.start : numbers.stop] = True
    return mask
