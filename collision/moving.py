"""Elements that make the same moves: where they are at many times, how fast they are, and what space they sweep."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from collision.fields import BoolArray, FloatArray, length
from collision.motion import Motion
from collision.shapes import AABB, Shape
from collision.transforms import Transform

#: So many places between two cuts are looked at to find the space that is swept.
SAMPLES = 16


class Turning(NamedTuple):
    """A motion, and the point that it turns about."""

    motion: Motion
    pivot: FloatArray


class Mover:
    """Elements of one kind that make the same moves, one after the other.

    Parameters
    ----------
    shape : Shape
        The elements at rest, as a flat batch.
    moves : tuple of Turning
        None for elements that rest.
    """

    def __init__(self, shape: Shape, moves: tuple[Turning, ...]) -> None:
        self.shape = shape
        self.moves = moves

    def rows(self, rows: object) -> Mover:
        """Return some of the elements, or with repeated rows the same ones several times."""
        return Mover(self.shape[rows], self.moves)

    def displacement(self, times: FloatArray) -> Transform:
        """Return where the elements are taken at each of some times."""
        found = Transform(np.zeros((*times.shape, 3)))
        for motion, pivot in self.moves:
            found = motion.displacement(times, pivot) @ found
        return found

    def at(self, times: FloatArray) -> Shape:
        """Return the elements at times, the axes of which broadcast with those of the elements."""
        return self.shape.transformed(self.displacement(times)) if self.moves else self.shape

    def cuts(self, start: float, stop: float) -> FloatArray:
        """Return the times of keyframes between two times, and these two."""
        keys = [motion.times for motion, _ in self.moves]
        inside = [times[(times > start) & (times < stop)] for times in keys]
        return np.unique(np.concatenate([[start, stop], *inside]))

    def steady(self, times: FloatArray) -> BoolArray:
        """Tell of times between keyframes whether nothing turns then."""
        still: BoolArray = np.ones(times.shape, dtype=bool)
        for motion, _ in self.moves:
            still &= motion.steady(times)
        return still

    def speed(self, cuts: FloatArray) -> FloatArray:
        """Return a bound on the speed of all points of each element between cuts, at least all keyframes.

        Each motion adds the speed of its offset, and its turning times the distance from its pivot, which is as large
        as at the start and as far as the motions before have moved it since, at most.

        Returns
        -------
        ndarray, shape (len(cuts) - 1, n)
            Infinite for rays and lines that turn.
        """
        time, center, reach = np.diff(cuts)[:, None], *_ball(self.shape)
        place = np.broadcast_to(center, (len(time), *center.shape))
        speed, turning = np.zeros(place.shape[:2]), np.zeros((len(time), 1))
        for motion, pivot in self.moves:
            move = motion.displacement(cuts, pivot)
            axes = np.broadcast_to(move.axes, (len(cuts), 3, 3))
            slide = motion.displacement(cuts, np.zeros(3)).position
            turn = _angles(axes)[:, None] / time
            away = length(place - pivot) + speed * time
            speed = speed + length(np.diff(slide, axis=0))[:, None] / time + turn * away
            turning = turning + turn
            place = Transform(move.position[:-1, None], axes[:-1, None]).apply(place)
        return speed + np.multiply(turning, reach, out=np.zeros_like(speed), where=turning > 0.0)

    def swept(self, cuts: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return lower and upper corners (n, 3) of boxes around all places of each element."""
        if not self.shape.bounded:
            whole = np.full((len(self.shape), 3), np.inf)
            return -whole, whole
        speed, steady = self.speed(cuts), self.steady(0.5 * cuts[:-1] + 0.5 * cuts[1:])
        lower, upper = self.at(cuts[:1, None]).bounds().flattened().corners()
        for piece in range(len(cuts) - 1) if self.moves else ():
            count = 1 if steady[piece] else SAMPLES
            times = np.linspace(cuts[piece], cuts[piece + 1], count + 1)
            # Between two places that were looked at, no point gets farther from the nearer one than this.
            slack = 0.0 if steady[piece] else speed[piece][:, None] * (0.5 * (times[1] - times[0]))
            low, high = self.at(times[:, None]).corners()
            lower = np.minimum(lower, low.min(axis=0) - slack)
            upper = np.maximum(upper, high.max(axis=0) + slack)
        return lower, upper


def _ball(shape: Shape) -> tuple[FloatArray, FloatArray]:
    """Return centers (n, 3), and the distances (n,) that turning a shape has to do with."""
    if not shape.bounded:
        return shape.core.operands[0], np.full(len(shape), np.inf)
    ball = shape.bounding_sphere()
    # An upright box is refitted as it turns: each coordinate of its corners moves by itself.
    return ball.center, np.sqrt(3.0) * ball.radius if isinstance(shape, AABB) else ball.radius


def _angles(axes: FloatArray) -> FloatArray:
    """Return the angles between each of some rotation matrices and the next."""
    chord = np.sqrt(np.sum(np.diff(axes, axis=0) ** 2, axis=(-1, -2)) / 8.0)
    return np.asarray(2.0 * np.arcsin(np.minimum(chord, 1.0)))
