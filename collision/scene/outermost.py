"""The box around a scene, from the few elements that reach farthest: a move of one does not ask all the others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from collision.base.fields import FloatArray, IntArray
from collision.scene.elements import Group
from collision.shapes.kinds import AABB, Shape


class Outermost(NamedTuple):
    """Elements, in the order of rows, with the corners of their bounds (n, 3); and whether any is where it is."""

    elements: IntArray
    lower: FloatArray
    upper: FloatArray
    anchored: bool

    @classmethod
    def of(cls, groups: Iterable[Group], spare: int) -> Outermost:
        """Return those that reach farthest to each side, and so many more that any of them may be replaced.

        Half-spaces, which may be given by any point of their planes, count only where there is nothing else.
        """
        every = list(groups)
        counted = [members for members in every if members.shape.anchored] or every
        corners = [_corners(shape) for _, shape in counted]
        elements = np.concatenate([np.zeros(0, np.int64), *[members.elements for members in counted]])
        lower, upper = (np.concatenate([np.zeros((0, 3)), *[each[k] for each in corners]]) for k in (0, 1))
        if len(elements) > 6 * (spare + 1):
            rows = np.unique([np.argpartition(side, spare, axis=0)[: spare + 1] for side in (lower, -upper)])
            elements, lower, upper = elements[rows], lower[rows], upper[rows]
        return cls(elements, lower, upper, any(members.shape.anchored for members in counted))

    def box(self, replaced: Mapping[int, Shape | None]) -> AABB | None:
        """Return the box around all, of which some are replaced (or gone); None where there is nothing."""
        elements, lower, upper, anchored = self
        if replaced:
            rest = np.isin(elements, list(replaced), invert=True)
            now = [shape for shape in replaced.values() if shape is not None and shape.anchored >= anchored]
            corners = np.array([_corners(shape) for shape in now]).reshape(-1, 2, 3)
            lower, upper = np.concatenate([lower[rest], corners[:, 0]]), np.concatenate([upper[rest], corners[:, 1]])
        return AABB(lower.min(axis=0), upper.max(axis=0)) if len(lower) else None


def _corners(shape: Shape) -> tuple[FloatArray, FloatArray]:
    """Return the corners of the bounds of a shape; of one that has no end, the point that it is given by."""
    return shape.corners() if shape.bounded else (shape.core.operands[0], shape.core.operands[0])
