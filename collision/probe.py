"""One shape among the elements of a world: what it is near to, and what it runs into. It need not be one of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from collision.fields import FloatArray, IntArray
from collision.separation import TOUCH, Record, separate, separation_distance
from collision.shape import Shape
from collision.sweeps import first_touches
from collision.world import World


class Met(NamedTuple):
    """The first element that a shape touches on its way: its number, the part of the way, and where."""

    element: int
    fraction: float
    point: FloatArray
    normal: FloatArray


class Probe:
    """A single shape, and the world that it is compared with.

    Parameters
    ----------
    world : World
        What is hidden in it, and what it ignores, is left out.
    shape : Shape
        The shape.
    number : int, optional
        Of the element that the shape is; None for one that is not of this world.
    """

    def __init__(self, world: World, shape: Shape, number: int | None = None) -> None:
        self.shape = shape
        self._world, self._number, self._alone = world, number, shape.flattened()
        self._lower: FloatArray = np.full(3, -np.inf)
        self._upper: FloatArray = np.full(3, np.inf)
        if shape.bounded:
            self._lower, self._upper = shape.corners()

    def nearest(self) -> int | None:
        """Return the nearest element, or the one it is deepest in, of equal ones the first; None if there is none."""
        reach = self._world.spacing
        while True:
            others, all_of_them = self._around(reach)
            if len(others):
                gap = np.empty(len(others))
                for rows, batch, index in self._by_group(others):
                    gap[rows] = separation_distance(self._alone, batch, rows.shape, index)
                best = int(np.argmin(gap))
                if gap[best] <= reach or all_of_them:
                    return int(others[best])
                reach = float(gap[best]) * (1.0 + TOUCH)  # whatever is nearer is in reach then
            elif all_of_them:
                return None
            else:
                reach = 4.0 * reach + float(np.max(self._upper - self._lower))

    def near(self, margin: float) -> tuple[IntArray, Record]:
        """Return the elements that it touches or is no more than a margin apart from, in order, and their records."""
        others, _ = self._around(margin)
        count = len(others)
        record = Record(np.empty(count), np.empty(count), *(np.empty((count, 3)) for _ in range(3)))
        for rows, batch, index in self._by_group(others):
            for whole, part in zip(record, separate(self._alone, batch, rows.shape, index), strict=True):
                whole[rows] = part
        keep = record.signed_distance <= margin + TOUCH * record.size
        return others[keep], Record(*(part[keep] for part in record))

    def first_touch(self, way: FloatArray) -> Met | None:
        """Return the first element that it touches when it moves; of several at the same time the lowest number."""
        others, _ = self._around(0.0, way)
        fraction, point, normal = np.empty(len(others)), np.empty((len(others), 3)), np.empty((len(others), 3))
        for rows, batch, index in self._by_group(others):
            fraction[rows], point[rows], normal[rows] = first_touches(self._alone, batch, way, rows.shape, index)
        if np.isnan(fraction).all():
            return None
        first = int(np.nanargmin(fraction))
        return Met(int(others[first]), float(fraction[first]), point[first], normal[first])

    def _around(self, reach: float, way: FloatArray | float = 0.0) -> tuple[IntArray, bool]:
        """Return the elements whose bounds it may reach on its way, in order, and whether all were looked at."""
        with np.errstate(over="ignore", invalid="ignore"):  # what is infinite overlaps everything
            lower = np.minimum(self._lower, self._lower + way) - reach
            upper = np.maximum(self._upper, self._upper + way) + reach
        return self._world.others(self._number, lower, upper)

    def _by_group(self, others: IntArray) -> list[tuple[IntArray, Shape, tuple[IntArray, IntArray]]]:
        """Return the rows of some elements that are in one batch, the batch, and how to pair it with the shape."""
        groups = self._world.by_group(others)
        return [(rows, batch, (np.zeros(len(rows), dtype=np.int64), index)) for rows, batch, index in groups]
