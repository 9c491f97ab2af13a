"""One shape among the elements of a world: what it is near to. It need not be one of them."""

from __future__ import annotations

import math

import numpy as np

from collision.base.fields import FloatArray, IntArray
from collision.kernels.cores import TOUCH
from collision.queries.distances import signed_distance
from collision.scene.answers import Contacts
from collision.scene.candidates import bounding_box, others_in, others_near
from collision.scene.world import FEW, World
from collision.shapes.shape import Shape


class Probe:
    """A single shape, and the world that it is compared with.

    Parameters
    ----------
    world : World
        What is hidden in it, and what it ignores, is left out.
    shape : Shape
        The shape.
    number : int, optional
        Of the element that the shape is; -1 for one that is not of this world.
    """

    def __init__(self, world: World, shape: Shape, number: int = -1) -> None:
        self.shape = shape
        self._world, self._number = world, number

    def nearest(self) -> int | None:
        """Return the nearest element, or the one it is deepest in, of equal ones the first; None if there is none."""
        world, number, shape = self._world, self._number, self.shape
        likely = world.likely_reach(number, shape)
        reach = world.spacing if likely is None else likely
        while True:
            box = bounding_box(shape, reach)
            if not shape.bounded:
                others, all_of_them = others_near(world, number, shape, reach), reach == math.inf
            else:
                others, all_of_them = others_in(world, number, box) if number < 0 else world.around(number, reach)
            if len(others):
                gap = self._distances(others)
                best = int(gap.argmin())
                if gap[best] <= reach or all_of_them:
                    world.found_nearest(number, int(others[best]))
                    return int(others[best])
                reach = float(gap[best]) * (1.0 + TOUCH)  # whatever is nearer is in reach then
                reach = reach if reach < math.inf else math.inf  # it may be no number
            elif all_of_them:
                return None
            else:
                (ax, ay, az), (bx, by, bz) = box.tolist()
                reach = 4.0 * reach + max(bx - ax, by - ay, bz - az)

    def _distances(self, others: IntArray) -> FloatArray:
        """Return how far it is apart from some elements: from few, in less time one by one."""
        if len(others) > FEW:
            return self._world.pairs_of_one(self._number, self.shape, others).distances()
        shape, world = self.shape, self._world
        return np.array([signed_distance(shape, world.shape(other)) for other in others.tolist()])

    def near(self, margin: float) -> Contacts:
        """Return the elements that it touches or is no more than a margin apart from, in order."""
        others = others_near(self._world, self._number, self.shape, margin)
        return self._world.pairs_of_one(self._number, self.shape, others).near(margin).contacts
