"""The pairs of elements that a scene never reports: those that it ignores, and those of two half-spaces.

Walls and floors overlap for ever, by no depth and at no place in particular; so that a room is not all contacts of its
own walls, a scene compares no half-space with another, as physics engines do not.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from collision.base.cached import cached_property
from collision.base.fields import BoolArray, IntArray
from collision.native import INTEGERS, address
from collision.scene.elements import Elements
from collision.shapes.kinds import HalfSpace


class IgnoredTable(NamedTuple):
    """Pairs of elements to be ignored: of single ones, as numbers in order, and of sets, two rows of flags a pair."""

    listed: IntArray
    sets: BoolArray
    elements: int

    def arguments(self) -> tuple[int, int, object]:
        """Return what walks take: where both are, and how many there are of each, and elements."""
        sizes = INTEGERS[3](len(self.listed), len(self.sets) // 2, self.elements)
        return address(self.listed), address(self.sets), sizes


class Ignored:
    """Pairs of elements that are never reported; pairs of two half-spaces are always among them.

    Parameters
    ----------
    pairs : iterable of pairs of str
        Names of entries or of elements, or patterns.
    elements : Elements
        What they name.
    """

    def __init__(self, pairs: Iterable[tuple[str, str]], elements: Elements) -> None:
        self._count = elements.count
        # Robots ignore hundreds of pairs of two single elements: those are looked up, as one number each.
        self._masks: list[tuple[BoolArray, BoolArray]] = []
        listed = []
        for a, b in pairs:
            numbers = [elements.numbers(name) for name in (a, b) if elements.find(name) is not None]
            if [len(n) for n in numbers] == [1, 1]:
                i, j = sorted(n[0] for n in numbers)
                listed.append(i * self._count + j)
            else:
                self._masks.append((elements.mask(a), elements.mask(b)))
        if HalfSpace in map(type, elements.shapes.values()) and np.count_nonzero(spaces := half_spaces(elements)) > 1:
            self._masks.append((spaces, spaces))
        self._listed = np.array(listed, dtype=np.intp)

    @cached_property
    def table(self) -> IgnoredTable:
        """The same for compiled walks."""
        sets = np.array(self._masks, dtype=bool).reshape(2 * len(self._masks), self._count)
        return IgnoredTable(np.sort(self._listed).astype(np.int64), sets, self._count)

    def removed(self, pairs: IntArray) -> IntArray:
        """Return those of the pairs (k, 2), i < j, that are not ignored."""
        return pairs[self.keeps(pairs)] if len(self._listed) or self._masks else pairs

    def keeps(self, pairs: IntArray) -> BoolArray:
        """Tell which of the pairs (k, 2), i < j, are not ignored."""
        i, j = pairs.T
        keep = ~np.isin(i * self._count + j, self._listed)
        for first, second in self._masks:
            keep &= ~((first[i] & second[j]) | (second[i] & first[j]))
        return keep


def half_spaces(elements: Elements) -> BoolArray:
    """Tell of every element whether it is a half-space."""
    mask: BoolArray = np.zeros(elements.count, dtype=bool)
    for name, shape in elements.shapes.items():
        if isinstance(shape, HalfSpace):
            numbers = elements.numbers_at(name, None)
            mask[numbers.start : numbers.stop] = True
    return mask
