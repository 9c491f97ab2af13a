"""Ways from one placement to another, as links: straight on, and turned evenly about one axis, the short way."""

from __future__ import annotations

import numpy as np

from collision.base.fields import FloatArray, IntArray, check_broadcast, length
from collision.kernels.chains import ANGLE, AXES, AXIS, CENTER, LENGTH, LINK, OFFSET, WAY
from collision.shapes.rotations import rotation_between
from collision.shapes.shape import Shape
from collision.shapes.transforms import Transform

#: Into so many parts a way is cut to find boxes around it.
PARTS = 16


class Course:
    """How a shape goes from one placement to another.

    Parameters
    ----------
    shape : Shape
        As it is before it is placed.
    start, end : Transform
        Its placements, of the same scale.
    pivot : ndarray, shape (..., 3)
        The point of the shape that goes straight, and that the shape turns about.

    Attributes
    ----------
    shape : Shape
        With the scale.
    batch_shape : tuple of int
        The joint batch axes of both placements and the pivot.
    turns : ndarray of bool, shape (n,)
        Whether the shape turns, for every element of these axes.
    """

    def __init__(self, shape: Shape, start: Transform, end: Transform, pivot: FloatArray) -> None:
        self._given = shape, start, end, pivot
        scaled = np.any(start.scale != 1.0)
        self.shape = shape.transformed(Transform(scale=start.scale)) if scaled else shape
        self._start, self._end = (Transform(one.position, one.axes) for one in (start, end))
        self._pivot = pivot * start.scale if scaled else pivot
        self.batch_shape = check_broadcast(
            "sweep", start=start.batch_shape, end=end.batch_shape, pivot=pivot.shape[:-1]
        )
        turns = np.any(start.axes != end.axes, axis=(-1, -2))
        self.turns = np.broadcast_to(turns, self.batch_shape).ravel()

    def at_start(self) -> Shape:
        """Return the shape where it starts."""
        return self.shape.transformed(self._start)

    def way(self) -> FloatArray:
        """Return how far it goes where it does not turn, (..., 3)."""
        return np.asarray(self._end.position - self._start.position)

    def spread(self, rows: IntArray, lead: tuple[int, ...]) -> Course:
        """Return flat batches: rows of a flat batch of shapes, and the ways spread over joint batch axes."""
        shape, start, end, pivot = self._given
        begin, last = (
            Transform(
                np.broadcast_to(t.position, (*lead, 3)).reshape(-1, 3),
                np.broadcast_to(t.axes, (*lead, 3, 3)).reshape(-1, 3, 3),
                np.broadcast_to(t.scale, (*lead, 3)).reshape(-1, 3),
            )
            for t in (start, end)
        )
        return Course(shape[rows], begin, last, np.broadcast_to(pivot, (*lead, 3)).reshape(-1, 3))

    def picked(self, rows: IntArray) -> Course:
        """Return some of flat batches of shapes and ways."""
        return Course(self.shape[rows], self._start[rows], self._end[rows], self._pivot[rows])

    def around(self) -> tuple[FloatArray, FloatArray]:
        """Return the corners (n, m, 3) of boxes around the places of flat batches of shapes, in m parts of their ways.

        They are infinite for shapes without an end, whose ways are one part.
        """
        if not self.shape.bounded:
            everywhere = np.full((len(self.turns), 1, 3), np.inf)
            return -everywhere, everywhere
        times = np.linspace(0.0, 1.0, PARTS + 1)[:, None]
        lower, upper = self.shape.transformed(self._start.toward(self._end, times, pivot=self._pivot)).corners()
        room = (self.speed() * (0.5 / PARTS))[:, None]
        parts = np.minimum(lower[:-1], lower[1:]) - room, np.maximum(upper[:-1], upper[1:]) + room
        return parts[0].swapaxes(0, 1), parts[1].swapaxes(0, 1)

    def speed(self) -> FloatArray:
        """Return bounds (n,) on how far any point goes of flat batches of shapes and ways; infinite without an end.

        Of an upright box, which grows and shrinks as it turns, they hold for the coordinates of its corners.
        """
        way = length(self._end.apply(self._pivot) - self._start.apply(self._pivot))
        if not self.shape.bounded:
            return np.asarray(np.where(self.turns, np.inf, way))
        ball, angle = self.shape.bounding_sphere(), rotation_between(self._start.axes, self._end.axes)[1]
        far = length(ball.center - self._pivot) + np.sqrt(3.0) * ball.radius
        return np.asarray(way + angle * far)

    def links(self) -> FloatArray:
        """Return the way as links from time 0 to time 1, (n, LINK), for every element of the batch axes."""
        links = np.zeros((*self.batch_shape, LINK))
        place = self._start.apply(self._pivot)
        links[..., LENGTH] = 1.0
        links[..., CENTER : CENTER + 3] = self._pivot
        links[..., OFFSET : OFFSET + 3] = place - self._pivot
        links[..., WAY : WAY + 3] = self._end.apply(self._pivot) - place
        links[..., AXES : AXES + 9] = self._start.axes.reshape(*self._start.axes.shape[:-2], 9)
        axis, links[..., ANGLE] = rotation_between(self._start.axes, self._end.axes)
        links[..., AXIS : AXIS + 3] = axis
        return links.reshape(-1, LINK)
