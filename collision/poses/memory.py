"""The shapes of a scene in memory, by bodies: as kernels read them at rest, and room for where a pose takes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from collision.base.cached import cached_property
from collision.base.fields import BoolArray, FloatArray, IntArray
from collision.base.ram import check_memory
from collision.broadphase.rows import widened
from collision.kernels.loops import LOOPS
from collision.kernels.table import CoreType
from collision.kernels.vec3 import EPS
from collision.native import LANES, address
from collision.poses.blocks import Blocks, blocks_of
from collision.scene.scene import Scene
from collision.shapes.kinds import Sphere
from collision.shapes.shape import Shape

#: Balls and boxes are larger by so much of the numbers that they are made of: more than touching allows, and than is
#: rounded when they are made and moved.
SLACK = 256.0 * EPS

#: Numbers of a ball: the center, the radius, and the largest number of all.
BALL = 5

#: And of one that has been moved: the center and the radius.
PLACED = 4

#: How many numbers each operand of a core has.
WIDTHS = {
    CoreType.POINT: (3, 1),
    CoreType.LINEAR: (3, 3, 1, 1, 1),
    CoreType.BOX: (3, 9, 3, 3, 1),
    CoreType.ALIGNED: (3, 9, 3, 3, 1),
    CoreType.HALF_SPACE: (3, 3),
}

#: The most operands that there are.
OPERANDS = 5

#: What the second operand of a core is; the first is a place.
OTHER, PLACE, DIRECTION, FRAME = 0, 1, 2, 3


class Listed(NamedTuple):
    """Shapes in the order of their numbers here, in memory.

    Attributes
    ----------
    elements : ndarray of int, shape (n,)
        Their numbers in the scene.
    ranks, seconds : ndarray of int, shape (n,)
        The core of each, and what its second operand is.
    starts : ndarray of int, shape (n,)
        Where the operands of each begin.
    operands : ndarray, shape (m,)
        All of them.
    balls : ndarray, shape (n, 5)
        The ball around each: infinite for what has no end.
    """

    elements: IntArray
    ranks: IntArray
    seconds: IntArray
    starts: IntArray
    operands: FloatArray
    balls: FloatArray

    def places(self, operands: FloatArray) -> IntArray:
        """Return where the operands of the shapes are, (n, 5), in these or in a copy."""
        found = np.zeros((len(self.ranks), OPERANDS), dtype=np.int64)
        for rank, widths in WIDTHS.items():
            mine = self.ranks == rank
            offsets = np.cumsum((0, *widths[:-1]))
            found[mine, : len(widths)] = address(operands) + 8 * (self.starts[mine][:, None] + offsets)
        return found


def listed(scene: Scene, elements: IntArray) -> Listed:
    """Return elements of a scene, in an order, in memory; none is hidden."""
    row = np.full(scene.element_count, -1)
    row[elements] = np.arange(len(elements))
    count = len(elements)
    ranks, seconds, starts = np.empty((3, count), dtype=np.int64)
    balls, parts = np.empty((count, BALL)), []
    end = 0
    for numbers, shape in scene.groups:
        mine = row[numbers] >= 0
        to = row[numbers][mine]
        if not len(to):
            continue
        some = shape if mine.all() else shape[np.flatnonzero(mine)]
        own = _operands_of(some)
        ranks[to], seconds[to], balls[to] = shape.core_type, _second(shape), _balls(some)
        starts[to] = end + own.shape[1] * np.arange(len(to))
        parts.append(own.ravel())
        end += own.size
    return Listed(elements, ranks, seconds, starts, np.concatenate([*parts, np.zeros(1)]), balls)


def _operands_of(shape: Shape) -> FloatArray:
    """Return the operands of each element of a flat batch, one after the other, as rows."""
    kind, widths = shape.core.kind, WIDTHS[CoreType(shape.core_type)]
    values: Sequence[Any] = shape.core.operands[: len(widths)]
    if kind == "box":
        values = (*values[:4], 1.0)  # the sign of the lower corner
    count = len(shape)
    columns = [
        np.broadcast_to(np.asarray(value, dtype=np.float64), (count, *_core(width))).reshape(count, width)
        for value, width in zip(values, widths, strict=True)
    ]
    return np.concatenate(columns, axis=1)


def _core(width: int) -> tuple[int, ...]:
    return {1: (), 3: (3,), 9: (3, 3)}[width]


def _second(shape: Shape) -> int:
    if shape.core_type == CoreType.LINEAR:
        return PLACE if shape.bounded else DIRECTION
    return {CoreType.POINT: OTHER, CoreType.HALF_SPACE: DIRECTION}.get(CoreType(shape.core_type), FRAME)


def _balls(shape: Shape) -> FloatArray:
    balls = np.zeros((len(shape), BALL))
    if not shape.bounded:
        balls[:, 3] = np.inf
        return balls
    around = shape.bounding_sphere()
    balls[:, :3], balls[:, 3] = around.center, around.radius
    balls[:, 4] = np.abs(balls[:, :3]).max(axis=-1) + balls[:, 3]
    return balls


class AtRest:
    """All that is the same in every pose: the shapes at rest, by bodies, and what of them is compared.

    Parameters
    ----------
    scene : Scene
        What is hidden in it is left out.
    owner : ndarray of int, shape (n,)
        The body of each element; -1 for what rests.
    bodies : int
        How many there are.
    """

    def __init__(self, scene: Scene, owner: IntArray, bodies: int) -> None:
        self.bodies, everything = bodies, np.arange(scene.element_count)
        shown = np.zeros(scene.element_count, dtype=bool)
        for numbers, _ in scene.groups:
            shown[numbers] = True
        moving = everything[shown & (owner >= 0)]
        moving = moving[np.argsort(owner[moving], kind="stable")]
        self.starts = np.searchsorted(owner[moving], np.arange(bodies + 1)).astype(np.int64)
        resting, self.blocks, self.boxes = _resting(scene, everything[shown & (owner < 0)])
        self.own, self.others = listed(scene, moving), listed(scene, resting)
        self.elements = np.concatenate([moving, resting])
        self.ranks = np.concatenate([self.own.ranks, self.others.ranks])
        self.around = self._around(scene)
        #: What a distance from each of those without an end may be off by.
        self.wide = SLACK * np.array([np.abs(self.others.operands[k : k + 3]).max() for k in self._wide_starts])
        #: Where the operands of the shapes that rest are. It must be the same in all threads.
        self.tables = Tables.of(self.others.places(self.others.operands))
        self.compared = self._compared(scene, owner)
        self.met = self._met()

    @property
    def _wide_starts(self) -> list[int]:
        return list(self.others.starts[len(self.boxes) :].tolist())

    def _compared(self, scene: Scene, owner: IntArray) -> BoolArray:
        """Tell of every moving shape and every shape whether they are compared."""
        moving, count = len(self.own.elements), len(self.elements)
        check_memory(moving * count, f"there are {moving:,} shapes that move, and {count:,} in all")
        compared = np.empty((moving, count), dtype=bool)
        for row, number in enumerate(self.own.elements.tolist()):
            compared[row] = scene.tested(number, self.elements) & (owner[self.elements] != owner[number])
        return compared

    def _met(self) -> BoolArray:
        """Tell of every two bodies whether any two shapes of them are compared."""
        met, filled = np.zeros((self.bodies, self.bodies), dtype=bool), np.flatnonzero(np.diff(self.starts))
        if len(filled):
            starts = self.starts[filled]
            rows = np.logical_or.reduceat(self.compared[:, : len(self.own.elements)], starts, axis=0)
            met[np.ix_(filled, filled)] = np.logical_or.reduceat(rows, starts, axis=1)
        return met

    def _around(self, scene: Scene) -> FloatArray:
        """Return the ball around each body; one with nothing in it meets nothing."""
        balls, own = np.zeros((self.bodies, BALL)), self.own.balls
        for body, (start, end) in enumerate(zip(self.starts.tolist(), self.starts[1:].tolist(), strict=False)):
            if end - start == 1:
                balls[body] = own[start]
            elif end == start or np.isinf(own[start:end, 3]).any():
                balls[body, 3] = np.inf if end > start else -np.inf
            else:
                ball = Sphere.around(*(scene.element(n) for n in self.own.elements[start:end].tolist()))
                balls[body, :3], balls[body, 3] = ball.center, ball.radius
                balls[body, 4] = own[start:end, 4].max() + ball.radius
        return balls

    @cached_property
    def pairs(self) -> IntArray:
        """The pairs that are compared, by numbers here, in the order of their numbers in the scene."""
        shapes = np.argwhere(self.compared).astype(np.int64)
        shapes = shapes[(shapes[:, 1] >= len(self.own.elements)) | (shapes[:, 0] < shapes[:, 1])]
        elements = np.sort(self.elements[shapes], axis=1)
        return np.ascontiguousarray(shapes[np.lexsort(elements.T[::-1])])

    @cached_property
    def codes(self) -> IntArray:
        """Where the loops for two shapes are, by the cores of both; only those that there may be a use for."""
        codes = np.zeros((len(CoreType), len(CoreType)), dtype=np.int64)
        own, wide = set(self.own.ranks.tolist()), set(self.others.ranks[len(self.boxes) :].tolist())
        pairs = [(a, b) for a in own for b in set(self.ranks.tolist())] + [(int(CoreType.POINT), b) for b in wide]
        for a, b in pairs:
            codes[min(a, b), max(a, b)] = LOOPS[min(a, b), max(a, b)].one.address
        return codes


def _resting(scene: Scene, elements: IntArray) -> tuple[IntArray, Blocks, FloatArray]:
    """Return the elements that rest, those without an end last, and the others' boxes, in blocks and as rows."""
    lower, upper = np.full((2, scene.element_count, 3), np.nan)
    for numbers, shape in scene.groups:
        if shape.bounded:
            lower[numbers], upper[numbers] = shape.corners()
    near = elements[~np.isnan(lower[elements, 0])]
    rows = widened(lower[near], upper[near], SLACK)
    blocks = blocks_of(rows[:, :3], rows[:, 3:])
    order = [near[blocks.order], elements[np.isnan(lower[elements, 0])]]
    return np.concatenate(order), blocks, rows[blocks.order]


class Tables(NamedTuple):
    """The addresses of operands, five of each shape, and where those of each shape are listed."""

    places: IntArray
    rows: IntArray

    @classmethod
    def of(cls, places: IntArray) -> Tables:
        """Return them for addresses (n, 5)."""
        return cls(places, address(places) + 8 * OPERANDS * np.arange(len(places), dtype=np.int64))


class Room:
    """Memory for where one pose after the other takes the shapes: that of one thread.

    Parameters
    ----------
    rest : AtRest
        The shapes.
    """

    def __init__(self, rest: AtRest) -> None:
        bodies = rest.bodies
        #: Operands and balls of the shapes, as far as they have been moved; and the rotations.
        self.operands, self.placed = rest.own.operands.copy(), np.zeros((len(rest.own.elements), BALL))
        #: Balls around bodies: all x, all y, all z, all radii; and one after the other.
        self.spheres, self.balls = np.zeros((4, bodies)), np.zeros((bodies, 4))
        self.lows = np.zeros(LANES)
        self.turns = np.tile(np.eye(3), (bodies, 1, 1))
        #: Which bodies have been moved; and blocks and boxes that wait to be looked at.
        self.marks, self.waiting = np.zeros(bodies, dtype=np.int64), np.zeros(rest.blocks.most, dtype=np.int64)
        self.tables = Tables.of(rest.own.places(self.operands))
        places = np.zeros((bodies, OPERANDS), dtype=np.int64)
        places[:, :2] = address(self.balls) + 8 * (4 * np.arange(bodies)[:, None] + (0, 3))
        self.ball_tables = Tables.of(places)
