"""What of a picture labels are better not put on: dots, lines, and the insides of shapes. Pure arithmetic, no renderer.

The picture is divided into small squares, and a table of sums says at once what it costs to cover a rectangle of them.
"""

from __future__ import annotations

import math

import numpy as np

from collision.inner import FloatArray
from viewer.camera.camera import Viewport, distance

#: Side of a square, in units.
CELL = 8.0

#: Of more marks than this of a kind, the first are kept off: among more than these no place is free.
MOST = 2000

#: Of a line, nothing nearer to the eye than this part of the distance to its target counts.
_NEAREST = 1e-3

#: A line that rises by less than this many pixels is level.
_LEVEL = 1e-6


class Clutter:
    """What it costs to cover rectangles of a picture.

    Parameters
    ----------
    view : Viewport
        The camera, and the picture in pixels.
    unit : float
        Pixels in a unit of the theme.

    Examples
    --------
    >>> from collision import Camera
    >>> clutter = Clutter(Viewport(Camera((0, 0, 9), up=(0, 1, 0)), (640, 480)), 1.0)
    >>> clutter.add_points(np.zeros((1, 3)), 2.0)
    >>> clutter.within(np.array([[300.0, 200.0, 340.0, 280.0], [0.0, 0.0, 99.0, 99.0]])).tolist()
    [2.0, 0.0]
    """

    def __init__(self, view: Viewport, unit: float) -> None:
        self._view, self._cell = view, CELL * unit
        wide, high = (math.ceil(side / self._cell) for side in view.size)
        self._size = wide, high
        #: What is in each square; once that is asked for, in all that are left of it and below, too. The first row and
        #: column stay empty.
        self._costs, self._summed = np.zeros((high + 1, wide + 1)), False

    def add_points(self, points: FloatArray, cost: float) -> None:
        """Add points (n, 3), as far as they are seen, with what it costs to cover one."""
        points = points[:MOST]
        self.add_pixels(self._view.project(points[np.isfinite(points).all(axis=1)])[0], cost)

    def add_pixels(self, pixels: FloatArray, cost: float) -> None:
        """Add dots where they are seen (n, 2)."""
        self._add(pixels[((pixels >= 0.0) & (pixels < self._view.size)).all(axis=1)], cost)

    def add_lines(self, start: FloatArray, end: FloatArray, cost: float) -> None:
        """Add lines between points (n, 3), as far as they are seen, with what it costs to cover a pixel of them."""
        first, along = lines_seen(self._view, start[:MOST], end[:MOST])
        length = np.hypot(along[:, 0], along[:, 1])
        pieces = np.ceil(length / self._cell).astype(np.intp)
        line = np.repeat(np.arange(len(pieces)), pieces)
        piece = np.arange(len(line)) - np.repeat(np.cumsum(pieces) - pieces, pieces)
        middles = first[line] + along[line] * ((piece + 0.5) / pieces[line])[:, None]
        self._add(middles, cost * length[line] / pieces[line])

    def add_area(self, left: float, bottom: float, right: float, top: float, cost: float) -> None:
        """Add all that is in a rectangle, with what it costs to cover a square pixel of it."""
        wide, high = self._size
        left, right = (min(max(round(x / self._cell), 0), wide) + 1 for x in (left, right))
        bottom, top = (min(max(round(y / self._cell), 0), high) + 1 for y in (bottom, top))
        self._costs[bottom:top, left:right] += cost * self._cell**2

    def within(self, boxes: FloatArray) -> FloatArray:
        """Return what it costs to cover rectangles (..., 4), by left, bottom, right and top. No more can be added."""
        if not self._summed:
            self._summed = True
            for axis in (0, 1):
                self._costs.cumsum(axis=axis, out=self._costs)
        (wide, high), cells = self._size, np.rint(boxes / self._cell)
        np.minimum(np.maximum(cells, 0.0, out=cells), (wide, high, wide, high), out=cells)
        whole = cells.astype(np.intp)
        left, bottom, right, top = (whole[..., k] for k in range(4))
        costs = self._costs
        return np.asarray(costs[top, right] - costs[bottom, right] - costs[top, left] + costs[bottom, left])

    def _add(self, pixels: FloatArray, costs: FloatArray | float) -> None:
        cells = np.minimum(pixels // self._cell, np.array(self._size) - 1).astype(np.intp) + 1
        np.add.at(self._costs, (cells[:, 1], cells[:, 0]), costs)


def lines_seen(view: Viewport, start: FloatArray, end: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the pixels where lines begin and the way to their ends, (n, 2), of as much as is seen of them.

    Lines of which nothing is in the picture are left out.

    Examples
    --------
    >>> from collision import Camera
    >>> view = Viewport(Camera((0, 0, 10), up=(0, 1, 0), parallel_height=480), (640, 480))
    >>> begin, way = lines_seen(view, np.array([[0.0, 0, 0], [900, 0, 0]]), np.array([[900.0, 0, 0], [900, 9, 0]]))
    >>> begin.tolist(), way.tolist()
    ([[320.0, 240.0]], [[320.0, 0.0]])
    """
    finite = np.isfinite(start).all(axis=1) & np.isfinite(end).all(axis=1)
    ends = np.stack([start[finite], end[finite]])
    depth = (ends - view.eye) @ view.forward - _NEAREST * distance(view.camera)
    some = (depth > 0.0).any(axis=0)
    ends, depth = ends[:, some], depth[:, some]
    if not (depth > 0.0).all():
        # Where a line passes the plane before the eye.
        fall = depth[0] - depth[1]
        crossing = ends[0] + (ends[1] - ends[0]) * (depth[0] / np.where(fall == 0.0, 1.0, fall))[:, None]
        ends = np.where((depth > 0.0)[..., None], ends, crossing)
    begin, stop = view.project(ends)[0]
    way = stop - begin
    steps = np.where(np.abs(way) < _LEVEL, _LEVEL, way)
    edges = -begin / steps, (np.array(view.size) - begin) / steps
    enter = np.minimum(*edges).max(axis=1, initial=0.0)
    leave = np.maximum(*edges).min(axis=1, initial=1.0)
    seen = enter < leave
    return (begin + enter[:, None] * way)[seen], ((leave - enter)[:, None] * way)[seen]
