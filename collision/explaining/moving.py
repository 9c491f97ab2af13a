"""A pair of a moving scene: what the search for the intervals in which it touches was asked, and where it is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from collision.base.fields import FloatArray
from collision.explaining.trace import Call, trace
from collision.scene.scene import Scene
from collision.shapes.shape import Shape
from collision.timeline.intervals import TouchingIntervals, touching_intervals
from collision.timeline.moving import Mover

#: What of the query in Python says what was asked of its kernels.
_ASKED = frozenset({"touching_intervals", "_searched", "_straight", "_swept_along", "_walked", "_resting"})


@dataclass(frozen=True)
class Asked:
    """A pair of a moving scene, and the record of the query.

    Attributes
    ----------
    scene : Scene
    pair : tuple of int
        The numbers of the two elements, in order.
    names : tuple of str
    root : Call
        Of the query.
    result : TouchingIntervals
    """

    scene: Scene
    pair: tuple[int, int]
    names: tuple[str, str]
    root: Call
    result: TouchingIntervals

    @property
    def rows(self) -> FloatArray:
        """The intervals of the pair (m, 2)."""
        own = np.flatnonzero((self.result.pairs == sorted(self.pair)).all(axis=1))
        return np.stack([self.result.begin[own], self.result.end[own]], axis=1)

    @property
    def searched(self) -> Call:
        """The search through the pairs whose swept boxes overlap."""
        return [*self.root.each("_searched")][-1]

    def place(self, element: int) -> tuple[int, int]:
        """Return in which group of shapes of a kind an element is, and which of it."""
        for number, (elements, _) in enumerate(self.searched["groups"]):
            found = np.flatnonzero(np.asarray(elements) == element)
            if len(found):
                return number, int(found[0])
        raise ValueError(f"explain: touching_intervals: {self.scene.element_name(element)!r} is hidden")

    def swept(self, element: int) -> tuple[FloatArray, FloatArray]:
        """Return the corners of the box around all places of an element."""
        group, row = self.place(element)
        k = int(self.searched["starts"][group]) + row
        return self.searched["lower"][k], self.searched["upper"][k]

    def at(self, element: int, times: FloatArray) -> Shape:
        """Return an element at some times, but for what moves all as one."""
        group, row = self.place(element)
        chains, shape = self.searched["chains"], self.searched["groups"][group].shape
        number = int(self.searched["chain_of"][self.searched["starts"][group] + row])
        return Mover(shape[[row]], chains.of(number, chains.lengths[number])).at(times[:, None])

    def row_of(self, call: Call) -> int | None:
        """Return the row of the pair among those of a call."""
        pairs = call.arguments["pairs"]
        groups = self.searched["groups"]
        for one, other in (self.pair, self.pair[::-1]):
            (a, i), (b, j) = self.place(one), self.place(other)
            if groups[a].shape is pairs.a and groups[b].shape is pairs.b:
                found = np.flatnonzero((pairs.rows == (i, j)).all(axis=1))
                if len(found):
                    return int(found[0])
        return None


def asked_of(scene: Scene, result: TouchingIntervals, more: dict[str, Any], names: tuple[str, str]) -> Asked:
    """Run the query again, and return the record of it for a pair."""
    pair, names = _pair(scene, names)
    return Asked(scene, pair, names, trace(partial(touching_intervals, scene, **more), only=_ASKED), result)


def _pair(scene: Scene, names: tuple[str, str]) -> tuple[tuple[int, int], tuple[str, str]]:
    if names == ("A", "B") and scene.element_count == 2:
        names = (scene.element_name(0), scene.element_name(1))
    found = []
    for name in names:
        numbers = scene.element_numbers(name)
        if len(numbers) != 1:
            raise ValueError(f"explain: touching_intervals: {name!r} stands for {len(numbers)} shapes; name one")
        found.append(numbers[0])
    return (found[0], found[1]), names
