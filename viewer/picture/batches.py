"""The shapes of a scene by kind, as they were at first, with the few that have moved since.

A drag makes a new scene for every picture. All of these share their first batches, so that what is known of many
shapes is worked out once, and then again only for those that moved.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from collision import Scene, Shape
from collision.inner import IntArray, with_elements


class Batch(NamedTuple):
    """All shapes of one kind that are not hidden.

    Attributes
    ----------
    elements : ndarray of int
        Their numbers in the scene, in order.
    first : Shape
        The shapes as they were at first, a flat batch: the same object for all scenes that differ in a few elements.
    moved : mapping of int to Shape
        What is in the place of some of them now, by row.
    """

    elements: IntArray
    first: Shape
    moved: Mapping[int, Shape]

    @property
    def shape(self) -> Shape:
        """The shapes as they are now, a flat batch."""
        return with_elements(self.first, {(row,): shape for row, shape in self.moved.items()})


def batches(scene: Scene) -> list[Batch]:
    """Return the shapes of a scene, a batch for each kind.

    Examples
    --------
    >>> from collision import Sphere
    >>> scene = Scene({"crowd": Sphere(np.eye(9, 3), 0.1)})
    >>> (before,), (after,) = batches(scene), batches(scene.moved("crowd[5]", [0, 0, 9]))
    >>> after.first is before.first, list(before.moved), list(after.moved)
    (True, [], [5])
    """
    groups, changes = scene.changes
    numbers = np.array(sorted(changes), dtype=np.int64)
    parts = []
    for elements, first in groups:
        rows = np.searchsorted(elements, numbers)
        here = elements[np.minimum(rows, len(elements) - 1)] == numbers  # the others are hidden, or of other kinds
        places = zip(rows[here].tolist(), numbers[here].tolist(), strict=True)
        parts.append(Batch(elements, first, {row: changes[number] for row, number in places}))
    return parts


def same_but_for_moves(scene: Scene, other: Scene | None) -> bool:
    """Tell whether two scenes have the same elements, hidden ones and names, and differ at most in where a few are."""
    # Where nothing is shown, the first batches of any two scenes are one and the same empty tuple.
    return other is not None and scene.changes.groups is other.changes.groups and bool(scene.changes.groups)


def moved_between(scene: Scene, other: Scene) -> list[int]:
    """Return the elements in which two scenes differ that are the `same_but_for_moves`."""
    one, two = scene.changes.elements, other.changes.elements
    return [number for number in one.keys() | two.keys() if one.get(number) is not two.get(number)]
