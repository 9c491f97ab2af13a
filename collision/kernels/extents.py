"""What is asked of a core above the kernels, in NumPy, by its operands, whose batch axes broadcast, the radius last."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from collision.base.fields import FloatArray
from collision.kernels.cores import ROUNDING

#: The arrays that describe a core.
Operands: TypeAlias = Sequence[Any]

#: A convex function of points: it takes (k, ..., 3) and returns (k, ...), which may have more batch axes.
Convex: TypeAlias = Callable[[FloatArray], FloatArray]


class Edge(NamedTuple):
    """Half an edge as a vector from its middle; of an edge without an end its direction, which may go both ways."""

    vector: FloatArray
    endless: bool = False
    both_ways: bool = False

    def long(self, size: float) -> FloatArray:
        """Return the vector, at a length that stands for one without an end."""
        return size * self.vector if self.endless else self.vector

    @property
    def unit(self) -> FloatArray:
        """Its direction."""
        return np.asarray(self.vector / np.linalg.norm(self.vector))


class Outline(NamedTuple):
    """A point of a single core, its edges (of parallel ones one), and its reach from there along a unit vector."""

    center: FloatArray
    edges: list[Edge]
    reach: Callable[[FloatArray], float]


class Cone(NamedTuple):
    """The directions in which a core has no end: along an axis, or (`solid`) all at no sharp angle to it."""

    axis: FloatArray
    both_ways: bool = False
    solid: bool = False


def no_extremes(core: Operands, convex: Convex) -> FloatArray:
    """Refuse to answer: the core has vertices, or no end."""
    raise ValueError("only a bounded core with curved faces is asked for its extremes")


class Extent(NamedTuple):
    """The functions of a core.

    Attributes
    ----------
    middle : function
        (operands) -> (..., 3): what it turns about; of a core without an end the point that it is given by.
    outline : function
        (operands) -> Outline of a single core, or None where it is left along one normal alone or has curved faces.
    cone : function
        (operands) -> Cone, or None where it has an end on every side.
    vertices : function, optional
        (operands) -> (k, ..., 3): the corners of a bounded core, all of its points being between them; None where
        no core has them: with curved faces, or without an end.
    extremes : function
        (operands, convex) -> (k, ..., 3): points of a bounded core with curved faces, among them one where a convex
        function is greatest.
    solid : bool
        Whether it is bounded and has faces: of a line that meets it, the middle of the part inside is nearest to it.
    """

    middle: Callable[[Operands], FloatArray]
    outline: Callable[[Operands], Outline | None]
    cone: Callable[[Operands], Cone | None]
    vertices: Callable[[Operands], FloatArray] | None = None
    extremes: Callable[[Operands, Convex], FloatArray] = no_extremes
    solid: bool = False


def zonotope(center: FloatArray, edges: list[Edge]) -> Outline:
    """Return the outline of all points that are a center and a part, from -1 to 1, of each edge."""

    def reach(n: FloatArray) -> float:
        total = 0.0
        for vector, endless, both_ways in edges:
            along = float(vector @ n)
            if not endless:
                total += abs(along)
            elif along > ROUNDING or (both_ways and along < -ROUNDING):
                return np.inf
        return total

    return Outline(center, edges, reach)


def no_cone(core: Operands) -> None:
    """Return None: the core has an end on every side."""
