"""Which links of a model can collide at all: decided for every pose within the limits of the joints, not sampled.

The method is branch and bound. A box of joint values is looked at in its middle: `contact` says how far the links are
apart there and in which direction, and a bound how far any corner of theirs comes nearer in that direction within the
box. If they are further apart than that, they are apart in all of the box; if they overlap more deeply than any point
moves, they overlap in all of it. Otherwise the box is halved along the joint that does most of it.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial, reduce
from itertools import combinations, product
from multiprocessing import get_context
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from collision.base.fields import BoolArray, FloatArray, IntArray
from collision.models.frames import FRAME, attached, frame_numbers, frame_parts
from collision.models.model import Joint, Model, followed
from collision.queries.distances import contact, signed_distance
from collision.shapes.kinds import AABB, Cylinder, HalfSpace, Point, Shape
from collision.shapes.transforms import Transform

#: ``never`` and ``always`` are proved, ``sometimes`` is shown by two poses, ``touching`` is proved up to rounding,
#: ``open`` is not decided.
PairVerdict: TypeAlias = Literal["never", "always", "sometimes", "touching", "open"]

#: How many boxes of joint values are looked at together.
_BLOCK = 512

#: Fewer boxes than these are halved again before they are looked at: so few take as long as these.
_FULL = 64

#: How many poses are tried before anything is bounded, from how many of these the way to a touch is looked for, in how
#: many steps, and after how many boxes again.
_SAMPLES, _STARTS, _APPROACHES, _DUE = 128, 24, 10, 2000

#: Of more corners a box around them is bounded.
_CORNERS = 64

#: Links that touch to rounding in the middle of a box only just touch if in all of it they do so to rounding, so often.
_LEVEL = 1e3

#: Fewer pairs are decided in this process: others take longer to start.
_FEW = 40

#: What a way is at least, so that shares of it are numbers.
_TINY = np.finfo(np.float64).tiny

#: What rounding may do to a distance, times the size of the links and of their way: 1e4 units in the last place.
_ROUNDING = 1e4 * np.finfo(np.float64).eps


class Proof(NamedTuple):
    """Why two links never meet: boxes of joint values that fill the ranges, and in each a direction that parts them.

    Whoever checks it puts the links where the middle of a box has them, and needs no collision test: along the
    direction, which one of the links holds, the shapes are further apart there than the other's moves in the box.

    Attributes
    ----------
    ranges : ndarray, shape (2, n)
        The least and the largest value of each joint.
    boxes : ndarray, shape (k, 2, n)
        Parts of the ranges, each halved again and again.
    directions : ndarray, shape (k, a, b, 3)
        A unit vector for each shape of the first link and of the second one, in the frame of the first.
    """

    ranges: FloatArray
    boxes: FloatArray
    directions: FloatArray


@dataclass(frozen=True, eq=False)
class DecidedPair:
    """What is known of two links over all poses.

    Attributes
    ----------
    link1, link2 : str
        The links, in the order of `Model.links`.
    verdict : str
        ``never``: they are apart in every pose. ``always``: they overlap in every pose. ``sometimes``: there is a pose
        of each sort. ``touching``: in some pose they only just touch, and in no pose they overlap by more than that, or
        in none they are apart by more; `reason` says which. ``open``: not decided; `reason` says why.
    adjacent : bool
        Whether one joint, or only fixed joints, hold them together.
    in_pose : bool
        Whether they touch in the pose of the model.
    colliding, free : mapping of str to float, or None
        A pose in which they touch, and one in which they do not, by joint; other joints do not matter.
    least : float
        The smallest signed distance that was met.
    poses : int
        How many poses were looked at.
    joints : tuple of str
        The joints that move one link against the other, those that follow another one left out.
    reason : str
        Why the pair is open, or where it only just touches.
    proof : Proof, optional
        Of ``never``, where it was asked for and both links have shapes with an end.
    """

    link1: str
    link2: str
    verdict: PairVerdict
    adjacent: bool
    in_pose: bool
    colliding: Mapping[str, float] | None
    free: Mapping[str, float] | None
    least: float
    poses: int
    joints: tuple[str, ...] = ()
    reason: str = ""
    proof: Proof | None = None


def decide_pairs(
    model: Model,
    pairs: Iterable[tuple[str, str]] | None = None,
    *,
    most_poses: int = 200_000,
    proofs: bool = False,
    workers: int = 1,
    progress: Callable[[DecidedPair], object] | None = None,
) -> list[DecidedPair]:
    """Return for pairs of links whether they never, always or sometimes collide within the limits of the joints.

    Parameters
    ----------
    model : Model
        Joints without limits turn all the way around, until those that follow them are back, too. One that moves
        without limits, or by one that turns without, leaves its pairs open.
    pairs : iterable of (str, str), optional
        Names of links; without it all pairs of links that have shapes.
    most_poses : int
        A pair that needs more poses than these stays open.
    proofs : bool
        Whether to keep the proof of each pair that never collides.
    workers : int
        How many processes share the work. A script that asks for more than one needs ``if __name__ == "__main__":``.
    progress : function, optional
        Called with each pair as soon as it is decided. What it raises, ends the work.

    Notes
    -----
    Links that touch count as colliding. Bounds are rounded outwards: a distance below some 1e-12 of the size of the
    robot decides nothing, and where only that is left, the pair is ``touching``. A point that turns by at most h about
    an axis at a distance r moves by no more than the chord 2 r sin(h / 2), and what all joints between the links do
    adds up (Schwarzer, Saha and Latombe, *Exact collision checking of robot paths*, 2002). Along the direction that
    parts the links it moves by no more than its circle about each axis does, and by a part of second order; either link
    holds that direction, or the one that carries both. A point on an axis, deep in both links, shows that they always
    overlap.

    Examples
    --------
    >>> from collision import Sphere
    >>> turn = Joint("turn", "revolute", "base", "arm", axis=[0, 0, 1], limits=(0, 1))
    >>> links = {"base": {"near": Sphere([0, 2, 0], 0.5)}, "arm": {"tip": Sphere([2, 0, 0], 0.5)}}
    >>> pair, = decide_pairs(Model.of(links, [turn]))
    >>> pair.verdict, pair.adjacent
    ('never', True)
    """
    with_shapes = [link for link, shapes in model.links.items() if shapes]
    order = {link: number for number, link in enumerate(model.links)}
    asked: list[tuple[str, str]] = []
    for one, other in combinations(with_shapes, 2) if pairs is None else pairs:
        for link in (one, other):
            if not model.links.get(link):
                raise ValueError(f"decide_pairs: pairs must name links with shapes, got {link!r}")
        if one == other:
            raise ValueError(f"decide_pairs: a pair must be two links, got {one!r} twice")
        for link in (one, other):
            for name, shape in model.links[link].items():
                if isinstance(shape, AABB):
                    raise ValueError(
                        f"decide_pairs: {name!r} of link {link!r} is an AABB, which does not turn with its "
                        "link: make it an OrientedBox"
                    )
        asked.append((one, other) if order[one] < order[other] else (other, one))
    decided = []
    for pair in _each(model, asked, most_poses, proofs, workers):
        decided.append(pair)
        if progress is not None:
            progress(pair)
    return decided


def _each(
    model: Model, asked: list[tuple[str, str]], most_poses: int, proofs: bool, workers: int
) -> Iterator[DecidedPair]:
    """Yield what is decided of each pair, in the order in which they are asked for."""
    deciding = partial(_decided, model, most_poses=most_poses, proofs=proofs)
    if workers < 2 or len(asked) < _FEW:
        yield from map(deciding, asked)
        return
    with get_context("spawn").Pool(workers, signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
        yield from pool.imap(deciding, asked)  # whoever ends the work early, ends the processes


class _LinkShapes:
    """The shapes of a link, and corners between which they lie, grown by their radii."""

    def __init__(self, shapes: Mapping[str, Shape]) -> None:
        self.shapes = [one for shape in shapes.values() for one in _elements(shape)]
        found = [_corners(shape) for shape in self.shapes]
        self.bounded = None not in found
        #: Without an end there is nothing to bound, so one point stands for each shape and nobody asks for it.
        corners = [(np.zeros((1, 3)), 0.0) if own is None else own for own in found]
        self.corners = [own for own, _ in corners]
        self.radii = np.array([radius for _, radius in corners])
        #: Where the corners are those of a box around the shape, and no points of it.
        self.boxed = {number for number, own in enumerate(self.corners) if len(own) > _CORNERS}
        #: Cylinders, whose ends are discs, not balls.
        self.flat = {number for number, shape in enumerate(self.shapes) if isinstance(shape, Cylinder)}
        self.centers = np.array([0.5 * (own.min(axis=0) + own.max(axis=0)) for own in self.corners])
        reach = [
            np.linalg.norm(own - center, axis=1).max() for own, center in zip(self.corners, self.centers, strict=True)
        ]
        self.reach = np.array(reach) + self.radii
        for number in self.boxed:
            self.corners[number] = _box_corners(self.corners[number])

    @property
    def size(self) -> float:
        """How far from the frame of the link its shapes reach; of those without an end, how far they are."""
        points = [np.abs(own).max() for own in self.corners] if self.bounded else []
        points += [np.abs(shape.point).max() for shape in self.shapes if isinstance(shape, HalfSpace)]
        return float(max(points, default=0.0) + self.radii.max())


def _elements(shape: Shape) -> Iterable[Shape]:
    return shape.flattened() if shape.batch_shape else [shape]


def _corners(shape: Shape) -> tuple[FloatArray, float] | None:
    """Return points (k, 3) so that the shape is what lies between balls of a radius about them, or discs.

    A shape without an end has none.
    """
    core = shape.core
    vertices = core.vertices()
    if vertices is not None:
        return np.asarray(vertices, dtype=np.float64).reshape(-1, 3), float(core.radius)
    if isinstance(shape, Cylinder):
        return np.array([shape.start, shape.end]), float(shape.radius)
    return None


def _box_corners(points: FloatArray) -> FloatArray:
    """Return the corners (8, 3) of a box around points."""
    return np.array([*product(*zip(points.min(axis=0), points.max(axis=0), strict=True))])


class _MovingJoint(NamedTuple):
    """A joint between two links: its numbers as `attached` takes them, the variable that it follows, and how."""

    joint: Joint
    numbers: FloatArray
    forward: float
    variable: int
    multiplier: float
    offset: float


class _JointPath:
    """The joints between two links, in their order from the first, and how the second link moves against the first."""

    def __init__(self, model: Model, one: str, other: str) -> None:
        to = {joint.child: joint for joint in model.joints.values()}
        up, down = ([*_chain(to, link)] for link in (one, other))
        shared = {joint.name for joint in up} & {joint.name for joint in down}
        between = [(joint, -1.0) for joint in up if joint.name not in shared]
        between += [(joint, 1.0) for joint in reversed(down) if joint.name not in shared]
        self.reason = ""
        names: list[str] = []
        self.movers: list[_MovingJoint] = []
        place = Transform()  # of what comes next, in the frame that the last joint moves
        for joint, forward in between:
            root, multiplier, offset = followed(model.joints, joint)
            if joint.size > 1:
                self.reason = self.reason or f"the joint {joint.name!r} is {joint.kind}: it has no range"
            place = place @ joint.origin if forward > 0.0 else place
            if joint.size == 1:
                if root.name not in names:
                    names.append(root.name)
                frame = frame_numbers(np.atleast_2d(place.position), place.axes.reshape(-1, 3, 3))
                numbers = np.concatenate([frame, joint.axis[None], joint.anchor[None]], axis=1)
                self.movers.append(_MovingJoint(joint, numbers, forward, names.index(root.name), multiplier, offset))
                place = Transform()
            place = place if forward > 0.0 else place @ joint.origin.inverse()
        self.last = place
        self.names = tuple(names)
        ranges = [self._range(model.joints[name], number) for number, name in enumerate(names)]
        self.ranges = np.array(ranges).reshape(-1, 2).T
        with np.errstate(over="ignore"):
            bounded = np.isfinite(self.ranges[1] - self.ranges[0])
        if not bounded.all():
            endless = names[int(np.argmin(bounded))]
            self.reason = self.reason or f"the joint {endless!r} moves without limits"
        self.pose = np.array([float(model.q[model.joints[name].values][0]) for name in names])
        self.adjacent = len({model.welds[one], model.welds[other]}) == 1 or any(
            {model.welds[j.parent], model.welds[j.child]} == {model.welds[one], model.welds[other]} for j, _ in between
        )
        self.first, self.second = (_LinkShapes(model.links[link]) for link in (one, other))
        self.variables = np.array([m.variable for m in self.movers], dtype=int)
        self.multipliers = np.array([m.multiplier for m in self.movers])
        self.turning = np.array([m.joint.kind != "prismatic" for m in self.movers], dtype=bool)
        size = sum(float(np.linalg.norm(j.origin.position) + np.linalg.norm(j.anchor)) for j, _ in between)
        moved, turned = 0.0, np.pi
        for m in self.movers:
            farthest = float(np.abs(m.multiplier * self.ranges[:, m.variable] + m.offset).max())
            if m.joint.kind == "prismatic":
                moved += farthest
            else:
                turned = max(turned, farthest)
        count, fork = len(self.movers), sum(m.forward < 0.0 for m in self.movers)
        ends = [0] * self.second.bounded + [count] * self.first.bounded  # what has no end, can only stand still
        splits = ends if len(ends) < 2 else [*dict.fromkeys([fork, *ends])]
        #: Which joints move the second link, as the first one sees it, the second, and one that carries both.
        self.views = [np.arange(count) >= split for split in splits]
        #: What rounding may do to a distance or to a bound; of an angle above half a turn the last places are lost.
        self.slack = _ROUNDING * (size + self.first.size + self.second.size + moved) * turned / np.pi

    def _range(self, joint: Joint, variable: int) -> tuple[float, float]:
        """Return the values of a joint that are looked at: where it turns on, one turn of the slowest that follows.

        Others only repeat it, if they are back then; if they are not, there is no end.
        """
        low, high = joint.limits
        own = [(abs(m.multiplier), m.joint.kind) for m in self.movers if m.variable == variable and m.multiplier]
        times = np.array([multiplier for multiplier, _ in own])
        if joint.kind == "continuous" or (joint.kind == "revolute" and not np.all(np.isfinite(joint.limits))):
            slowest = times.min() if len(times) else 1.0
            if any(kind == "prismatic" for _, kind in own) or np.any(times % slowest):
                return -np.inf, np.inf
            return -np.pi / slowest, np.pi / slowest
        if joint.kind == "revolute" and own in ([(1.0, "revolute")], [(1.0, "continuous")]):
            high = min(high, low + 2.0 * np.pi)
        return low, high

    def frames(self, values: FloatArray) -> tuple[Transform, FloatArray, FloatArray]:
        """Return for values (m, n) the second link's frame in the first one's, and there the joints' axes and points.

        Axes and points are (m, number of movers, 3).
        """
        count = len(values)
        at = frame_numbers(np.zeros((1, 3)), np.eye(3)[None])
        axes, points = (np.empty((count, len(self.movers), 3)) for _ in range(2))
        for k, m in enumerate(self.movers):
            value = m.forward * (m.multiplier * values[:, m.variable, None] + m.offset)
            zero = np.zeros_like(value)
            turn, way = (value, zero) if self.turning[k] else (zero, value)
            before, turned = frame_parts(at)
            position, own = frame_parts(m.numbers[:, :FRAME])
            axes[:, k] = turned @ (own[0] @ m.joint.axis)
            points[:, k] = turned @ (own[0] @ m.joint.anchor + position[0]) + before
            at = attached(at, m.numbers, np.concatenate([np.sin(turn), np.cos(turn), way], axis=1))
        place = Transform(*frame_parts(np.broadcast_to(at, (count, FRAME)))) @ self.last
        return place, axes, points

    def named(self, values: FloatArray) -> dict[str, float]:
        return dict(zip(self.names, values.tolist(), strict=True))


def _chain(to: Mapping[str, Joint], link: str) -> Iterator[Joint]:
    while link in to:
        yield to[link]
        link = to[link].parent


class _Looked(NamedTuple):
    """What the middles of boxes (m) tell: distances there, bounds in all of a box, where to halve it, which way to go.

    The distance is infinite where balls around the shapes are apart in all of the box. `lower` bounds it from below and
    `upper` from above; `closing` and `moving` (m, n) say how much of that each variable does, and `slope` (m, n) how
    the distance changes with each. `directions` part the shapes as a `Proof` has them.
    """

    distance: FloatArray
    lower: FloatArray
    upper: FloatArray
    closing: FloatArray
    moving: FloatArray
    slope: FloatArray
    directions: FloatArray


class _Steps(NamedTuple):
    """How far each of k joints goes from the middles of m boxes, and what that does to points and directions.

    A turn by t about a unit axis a moves a point at r from it by sin(t) a x r + (1 - cos(t)) a x (a x r). A link that
    the joints carry holds a direction, an end of the way or one between. Let the joint nearest to it go first: those
    that follow move points along that direction as they do in the middle, and by no more of their way than the joints
    before them tilt it.
    """

    axes: FloatArray
    points: FloatArray
    turning: BoolArray
    sine: FloatArray
    drop: FloatArray
    chord: FloatArray

    def at(self, rows: IntArray) -> _Steps:
        """Return those of some boxes."""
        return self._replace(
            axes=self.axes[rows], points=self.points[rows],
            sine=self.sine[rows], drop=self.drop[rows], chord=self.chord[rows],
        )  # fmt: skip

    def of(self, joints: BoolArray) -> _Steps:
        """Return those of some joints; the others stand still."""
        return self._replace(sine=self.sine * joints, drop=self.drop * joints, chord=self.chord * joints)

    def levers(self, points: FloatArray) -> FloatArray:
        """Return how points (m, c, 3) begin to move by each joint, (m, c, k, 3)."""
        axes = self.axes[:, None]
        return np.where(self.turning[:, None], np.cross(axes, points[:, :, None] - self.points[:, None]), axes)

    def moved(self, levers: FloatArray) -> FloatArray:
        """Return how far points move at most by each joint, (m, c, k)."""
        far: FloatArray = self.chord[:, None] * np.linalg.norm(levers, axis=-1)
        return far

    def _tilted(self, normals: FloatArray, side: float) -> tuple[FloatArray, FloatArray]:
        """Return by how much each joint tilts normals (m, 3) at most, and the joints before it do, (m, k)."""
        tilt = self.swung(normals)
        return tilt, (np.cumsum(tilt, axis=1) if side > 0.0 else np.cumsum(tilt[:, ::-1], axis=1)[:, ::-1]) - tilt

    def nearer(self, normals: FloatArray, levers: FloatArray, side: float) -> tuple[FloatArray, FloatArray]:
        """Return by how much each joint brings points nearer along normals (m, 3) at most, and untilted, (m, c, k).

        The normals are held before the joints and the points are moved by them (side 1), or the other way around (-1).
        """
        tilts = np.cross(normals[:, None], self.axes)
        first = np.abs(np.einsum("mckx,mx->mck", levers, normals))
        second = np.maximum(-side * np.einsum("mckx,mkx->mck", levers, tilts), 0.0)
        moved = self.moved(levers)
        straight = self.sine[:, None] * first + self.drop[:, None] * second
        return np.minimum(straight + self._tilted(normals, side)[1][:, None] * moved, moved), np.minimum(
            straight, moved
        )

    def shares(self, normals: FloatArray, near: FloatArray, straight: FloatArray, side: float) -> FloatArray:
        """Return how much each joint does of what `nearer` says of points, (m, k): what it tilts is half its own."""
        tilt, before = self._tilted(normals, side)
        tilted = near - straight
        each = np.divide(tilted, before, out=np.zeros_like(tilted), where=before > 0.0)
        later = (np.cumsum(each[:, ::-1], axis=1)[:, ::-1] if side > 0.0 else np.cumsum(each, axis=1)) - each
        shares: FloatArray = straight + 0.5 * (tilted + tilt * later)
        return shares

    def slopes(self, normals: FloatArray, points: FloatArray) -> FloatArray:
        """Return how points (m, 3) begin to move along normals by each joint, (m, k)."""
        slopes: FloatArray = np.einsum("mkx,mx->mk", self.levers(points[:, None])[:, 0], normals)
        return slopes

    def swung(self, directions: FloatArray) -> FloatArray:
        """Return by how much each joint changes unit vectors (m, 3) at most, (m, k)."""
        sines = np.linalg.norm(np.cross(self.axes, directions[:, None]), axis=-1)
        return np.where(self.turning, self.chord * sines, 0.0)


class _MovingLink:
    """The shapes of one of two links in the middles of boxes, in the frame of the first."""

    def __init__(self, link: _LinkShapes, place: Transform | None, steps: _Steps, side: float) -> None:
        self._link, self._place, self._steps, self._side = link, place, steps, side
        self.centers = self._put(link.centers)
        self._levers = steps.levers(self.centers)
        self._known: dict[int, tuple[FloatArray, FloatArray]] = {}

    def _put(self, points: FloatArray) -> FloatArray:
        if self._place is None:
            return np.broadcast_to(points, (len(self._steps.axes), *points.shape))
        return self._place.apply(points[:, None]).swapaxes(0, 1)

    def _placed(self, number: int) -> tuple[FloatArray, FloatArray]:
        if number not in self._known:
            points = self._put(self._link.corners[number])
            self._known[number] = points, self._steps.levers(points)
        return self._known[number]

    def carried(self, steps: _Steps) -> FloatArray:
        """Return how far steps move the middles of shapes at most, (m, shapes)."""
        far: FloatArray = steps.moved(self._levers).sum(axis=-1)
        return far

    def moved(self, number: int, steps: _Steps) -> FloatArray:
        """Return how far each joint moves a corner of a shape at most, or turns its ends away, (m, k)."""
        points, levers = self._placed(number)
        far: FloatArray = steps.moved(levers).max(axis=1)
        if number in self._link.flat:  # a ball about a corner stays one, a disc turns with its axis
            far = far + self._link.radii[number] * steps.swung(_axis(points))
        return far

    def nearer(self, number: int, normals: FloatArray, rows: IntArray, steps: _Steps) -> tuple[FloatArray, FloatArray]:
        """Return by how much a shape comes nearer along normals (m, 3) at most, and what each joint does of it."""
        points, levers = (part[rows] for part in self._placed(number))
        steps = steps.at(rows)
        each, straight = steps.nearer(normals, levers, self._side)
        behind = self._side * np.einsum("mcx,mx->mc", points, normals)
        total = each.sum(axis=-1)
        if number not in self._link.boxed:
            total -= behind - behind.min(axis=1, keepdims=True)
        row, worst = np.arange(len(total)), total.argmax(axis=1)
        near = total[row, worst]
        if number in self._link.flat:  # along its axis a cylinder is its ends, and at right angles it reaches farthest
            axis = _axis(points)
            reach = np.linalg.norm(np.cross(normals, axis), axis=-1)
            swung = steps.swung(axis).sum(axis=1)
            near = near + self._link.radii[number] * np.minimum(np.maximum(1.0 - reach, 0.0), swung)
        return near, steps.shares(normals, each[row, worst], straight[row, worst], self._side)


class _Viewpoint:
    """How two links come nearer to each other for one that the joints between them carry: those behind it move one."""

    def __init__(self, front: _MovingLink, back: _MovingLink, steps: _Steps, behind: BoolArray) -> None:
        parts = ((0, front, ~behind), (1, back, behind))
        self._parts = [(side, link, steps.of(own)) for side, link, own in parts if own.any() or not len(own)]

    def carried(self) -> FloatArray:
        """Return how far the middles of shapes move at most, (m, shapes of one, shapes of the other) or less of it."""
        return np.asarray(sum(np.expand_dims(link.carried(steps), 2 - side) for side, link, steps in self._parts))

    def moved(self, numbers: tuple[int, int]) -> FloatArray:
        """Return how far each joint moves corners of two shapes at most, (m, k)."""
        return np.asarray(sum(link.moved(numbers[side], steps) for side, link, steps in self._parts))

    def nearer(self, numbers: tuple[int, int], normals: FloatArray, rows: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return by how much two shapes come nearer along normals (m, 3) at most, and what each joint does of it."""
        found = [link.nearer(numbers[side], normals, rows, steps) for side, link, steps in self._parts]
        near, each = (np.asarray(sum(part)) for part in zip(*found, strict=True))
        return near, each


def _axis(ends: FloatArray) -> FloatArray:
    """Return the unit vectors (m, 3) from the first to the second of points (m, 2, 3)."""
    line = ends[:, 1] - ends[:, 0]
    axis: FloatArray = line / np.linalg.norm(line, axis=-1, keepdims=True)
    return axis


def _look(way: _JointPath, low: FloatArray, high: FloatArray | None = None) -> _Looked:
    """Look at boxes (m, n) in their middles; or at poses alone, without bounds."""
    middle, half = (low, np.zeros_like(low)) if high is None else (0.5 * low + 0.5 * high, 0.5 * (high - low))
    place, axes, points = way.frames(middle)
    step = half[:, way.variables] * np.abs(way.multipliers)
    turn = np.minimum(step, np.pi)
    steps = _Steps(
        axes, points, way.turning,
        np.where(way.turning, np.sin(np.minimum(step, 0.5 * np.pi)), step),
        np.where(way.turning, 1.0 - np.cos(turn), 0.0),
        np.where(way.turning, 2.0 * np.sin(0.5 * turn), step),
    )  # fmt: skip
    first, second, count = way.first, way.second, len(middle)
    front, back = _MovingLink(first, None, steps, -1.0), _MovingLink(second, place, steps, 1.0)
    views = [] if high is None else [_Viewpoint(front, back, steps, behind) for behind in way.views]
    distance, lower, upper = (np.full(count, np.inf) for _ in range(3))
    closing, moving, slope = (np.zeros((count, len(way.movers))) for _ in range(3))
    directions = np.zeros((count, len(first.shapes), len(second.shapes), 3))
    near = np.ones(directions.shape[:3], dtype=bool)
    if views and first.bounded and second.bounded:
        line = back.centers[:, None] - front.centers[:, :, None]
        length = np.linalg.norm(line, axis=-1)
        free = length - first.reach[:, None] - second.reach
        free -= reduce(np.minimum, (view.carried() for view in views))
        near = ~(free > way.slack)
        directions[~near] = line[~near] / length[~near, None]
        lower = np.where(near, np.inf, free).min(axis=(1, 2))
    for (i, a), (j, b) in product(enumerate(first.shapes), enumerate(second.shapes)):
        rows = np.flatnonzero(near[:, i, j])
        if not len(rows):
            continue
        met = contact(a, b.transformed(place[rows]))
        gap = met.signed_distance
        directions[rows, i, j] = met.normal
        least = np.asarray(gap < distance[rows])
        at = rows[least]
        distance[at] = gap[least]
        slope[at] = steps.at(at).slopes(met.normal[least], met.on_b[least])
        bound, each = np.full(len(gap), -np.inf), np.zeros((len(gap), len(way.movers)))
        for view in views:
            todo = np.flatnonzero(~(bound > way.slack))
            closer, own = view.nearer((i, j), met.normal[todo], rows[todo])
            bound[todo] = np.maximum(bound[todo], gap[todo] - closer)
            each[todo] += own / np.maximum(np.square(closer), _TINY)[:, None]  # the best views count most
        worse = bound < lower[rows]
        at = rows[worse]
        lower[at], closing[at] = bound[worse], each[worse]
        if views and (gap < 0.0).any():
            far = np.stack([view.moved((i, j))[rows] for view in views])
            far = far[far.sum(axis=2).argmin(axis=0), np.arange(len(gap))]
            most = gap + far.sum(axis=1)
            for k in np.flatnonzero(way.turning):  # a point that both have stays where it is as they turn about it
                axis, origin = axes[rows, k], points[rows, k]
                along = np.einsum("mx,mx->m", 0.5 * (met.on_a + met.on_b) - origin, axis)
                common = origin + along[:, None] * axis
                own = steps.at(rows).moved(steps.at(rows).levers(common[:, None]))[:, 0]
                deep = np.maximum(*(signed_distance(Point(common), s) for s in (a, b.transformed(place[rows]))))
                deep += own.sum(axis=1)
                most = np.where(deep < -way.slack, np.minimum(deep, most), most)
            better = most < upper[rows]
            at = rows[better]
            upper[at], moving[at] = most[better], far[better]
    summed = np.zeros((len(way.movers), half.shape[1]))
    summed[np.arange(len(way.movers)), way.variables] = 1.0
    slope = slope * way.multipliers
    return _Looked(distance, lower, upper, closing @ summed, moving @ summed, slope @ summed, directions)


class _Known:
    """What the poses that were looked at tell of two links."""

    def __init__(self, slack: float) -> None:
        self._slack = slack
        self.least, self.poses = np.inf, 0
        self.touch: FloatArray | None = None
        self.overlap: FloatArray | None = None
        self.free: FloatArray | None = None

    def note(self, poses: FloatArray, distance: FloatArray) -> None:
        """Note poses (m, n) and the distances there."""
        nearest, farthest = int(distance.argmin()), int(distance.argmax())
        self.poses += len(poses)
        if distance[nearest] < min(self.least, -self._slack):
            self.overlap = poses[nearest]
        self.least = min(self.least, float(distance[nearest]))
        level = int(np.abs(distance).argmin())
        if self.touch is None and abs(distance[level]) <= self._slack:
            self.touch = poses[level]
        if self.free is None and distance[farthest] > self._slack:
            self.free = poses[farthest]


def _decided(model: Model, links: tuple[str, str], *, most_poses: int, proofs: bool) -> DecidedPair:
    way = _JointPath(model, *links)
    known = _Known(way.slack)
    known.note(way.pose[None], _look(way, way.pose[None]).distance)
    in_pose, reason = known.free is None, way.reason
    verdict: PairVerdict = "open"
    proof = None
    if not reason:
        low, high = way.ranges
        tried = np.random.default_rng(0).uniform(low, high, (_SAMPLES, len(low)))
        tried[0] = np.clip(way.pose, low, high)
        distance = _look(way, tried).distance
        known.note(tried, distance)
        order = distance.argsort()
        _approach(way, known, tried[order[:_STARTS] if known.overlap is None else order[-_STARTS:]])
        parting = _Search(way, known, most_poses)
        verdict, reason = parting.verdict()
        if verdict == "never" and proofs and way.first.bounded and way.second.bounded:
            proof = Proof(way.ranges, *(np.concatenate(part) for part in zip(*parting.leaves, strict=True)))
    hit = known.touch if known.overlap is None else known.overlap
    return DecidedPair(
        *links, verdict, way.adjacent, in_pose, None if hit is None else way.named(hit),
        None if known.free is None else way.named(known.free), known.least, known.poses, way.names, reason, proof,
    )  # fmt: skip


class _Search:
    """Halves the ranges of joints until in all of each part links are apart, or until in all of each they overlap."""

    def __init__(self, way: _JointPath, known: _Known, most_poses: int) -> None:
        self._way, self._known, self._most = way, known, most_poses
        self.leaves: list[tuple[FloatArray, FloatArray]] = []

    def verdict(self) -> tuple[PairVerdict, str]:
        """Return the verdict, and why there is no better one."""
        way, known = self._way, self._known
        apart = known.overlap is None
        whole = self._parted(apart=apart)
        if apart and known.overlap is not None and known.free is None:  # all that is left is whether they always do
            apart, whole = False, self._parted(apart=False)
        if known.overlap is not None and known.free is not None:
            return "sometimes", ""
        if whole is None:
            return "open", f"not decided in {known.poses:,} poses"
        if whole:
            return ("never" if apart else "always"), ""
        at = "" if known.touch is None else f" at {way.named(known.touch)}"
        rest = "overlap nowhere" if apart else "are nowhere apart"
        return "touching", f"they only just touch{at}, and {rest} by more than {_LEVEL * way.slack:.1g}"

    def _parted(self, *, apart: bool) -> bool | None:
        """Tell whether links are apart in all of the ranges, or overlap: False where that is so but for a touch."""
        way, known = self._way, self._known
        due, level = known.poses + _DUE, False
        waiting = [way.ranges[:, None]]
        while waiting:
            if known.overlap is not None and (apart or known.free is not None):
                return False
            if known.poses > self._most:
                return None
            lows, highs = waiting.pop()
            if len(lows) > _BLOCK:
                waiting.append(np.stack([lows[:-_BLOCK], highs[:-_BLOCK]]))
                lows, highs = lows[-_BLOCK:], highs[-_BLOCK:]
            looked = _look(way, lows, highs)
            middle = 0.5 * lows + 0.5 * highs
            known.note(middle, looked.distance)
            sure = looked.lower if apart else -looked.upper
            decided = sure > way.slack
            touching = (np.abs(looked.distance) <= way.slack) & (sure > -_LEVEL * way.slack) & ~decided
            level = level or bool(touching.any())
            if apart:
                self.leaves.append((np.stack([lows, highs], axis=1)[decided], looked.directions[decided]))
            left = np.flatnonzero(~(decided | touching))
            if not len(left):
                continue
            left = left[np.argsort(-np.abs(looked.distance[left]), kind="stable")]  # the nearest to touching go first
            if known.poses > due:
                due = 4 * known.poses
                _approach(way, known, middle[left[-_STARTS:]])
            waiting.append(_halved(lows[left], highs[left], (looked.closing if apart else looked.moving)[left]))
        return not level


def _halved(low: FloatArray, high: FloatArray, effect: FloatArray) -> FloatArray:
    """Return boxes halved along what has the largest effect (m, n), and again until they are enough for one look."""
    while True:
        row, widest = np.arange(len(low)), effect.argmax(axis=1)
        cut = 0.5 * low[row, widest] + 0.5 * high[row, widest]
        below, above, rest = high.copy(), low.copy(), effect.copy()
        below[row, widest] = above[row, widest] = cut
        rest[row, widest] *= 0.5
        low, high, effect = (
            np.stack(both, axis=1).reshape(-1, low.shape[1]) for both in ((low, above), (below, high), (rest, rest))
        )
        if len(low) >= _FULL:
            return np.stack([low, high])


def _approach(way: _JointPath, known: _Known, poses: FloatArray) -> None:
    """Look where the distance at poses (m, n) falls to zero, or rises to it, if it goes on as it begins to."""
    low, high = way.ranges
    for _ in range(_APPROACHES if len(low) else 0):
        if known.overlap is not None and known.free is not None:
            return
        looked = _look(way, poses)
        known.note(poses, looked.distance)
        distance = np.clip(looked.distance, -1e300, 1e300)[:, None]
        slope = np.where(np.where(distance * looked.slope > 0.0, poses <= low, poses >= high), 0.0, looked.slope)
        square = np.square(slope).sum(axis=1, keepdims=True)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            step = np.where(square > 0.0, 1.1 * distance * slope / square, 0.0)
        poses = np.clip(poses - np.clip(step, -0.25 * (high - low), 0.25 * (high - low)), low, high)
