"""Which links of a model can collide at all: decided for every pose within the limits of the joints, not sampled.

The method is branch and bound. A box of joint values is looked at in its middle: `contact` says how far the links are
apart there, and a bound how far any of their points moves against the other link within the box. If they are further
apart than that, they are apart in all of the box; if they overlap more deeply than that, they overlap in all of it.
Otherwise the box is halved along the joint that moves the link most.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from multiprocessing import get_context
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from collision.base.fields import BoolArray, FloatArray
from collision.models.model import Joint, Model
from collision.queries.distances import contact
from collision.shapes.kinds import AABB, Cylinder, HalfSpace, Shape
from collision.shapes.transforms import Transform

#: ``never`` and ``always`` are proved, ``sometimes`` is shown by two poses, ``open`` is not decided.
PairVerdict: TypeAlias = Literal["never", "always", "sometimes", "open"]

#: How many boxes of joint values are looked at together.
_BLOCK = 512

#: How many poses are tried at a time before anything is bounded: about the best so far, in a part of the ranges that is
#: halved whenever none is better, down to the smallest part.
_SAMPLES, _SMALLEST = 256, 1e-3

#: Fewer pairs are decided in this process: others take longer to start.
_FEW = 40

#: What rounding may do to a distance, times the size of the links and of their way: 1e4 units in the last place.
_ROUNDING = 1e4 * np.finfo(np.float64).eps


class Proof(NamedTuple):
    """Why two links never meet: boxes of joint values that fill the ranges, and in each a direction that parts them.

    Whoever checks it puts the links where the middle of a box has them, and needs no collision test: along the
    direction, the two shapes are further apart there than any point of the one moves against the other in the box.

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
        of each sort. ``open``: not decided; `reason` says why.
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
        Why the pair is open.
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
    robot decides nothing. The bound on a point that turns by at most h about an axis at a distance r is the chord
    2 r sin(h / 2), and those of all joints between the links add up (Schwarzer, Saha and Latombe, *Exact collision
    checking of robot paths*, 2002).

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
        self.corners = np.concatenate([own for own, _ in corners])
        self.starts = np.cumsum([0, *(len(own) for own, _ in corners[:-1])])
        self.radii = np.array([radius for _, radius in corners])
        self.centers = np.array([own.mean(axis=0) for own, _ in corners])
        reach = [np.linalg.norm(own - own.mean(axis=0), axis=1).max() for own, _ in corners]
        self.reach = np.array(reach) + self.radii


def _elements(shape: Shape) -> Iterable[Shape]:
    return shape.flattened() if shape.batch_shape else [shape]


def _corners(shape: Shape) -> tuple[FloatArray, float] | None:
    """Return points (k, 3) and a radius so that the shape lies between balls about them; None if it has no end."""
    core = shape.core
    vertices = core.vertices()
    if vertices is not None:
        return np.asarray(vertices, dtype=np.float64).reshape(-1, 3), float(core.radius)
    if isinstance(shape, Cylinder):
        return np.array([shape.start, shape.end]), float(shape.radius)
    try:
        box = shape.bounds()
    except ValueError:  # without an end
        return None
    signs = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
    return np.where(signs, box.upper, box.lower), 0.0


class _MovingJoint(NamedTuple):
    """A joint between two links: the variable that it follows, and how."""

    joint: Joint
    variable: int
    multiplier: float
    offset: float


class _JointPath:
    """The joints between two links, and how the second link moves against the first one."""

    def __init__(self, model: Model, one: str, other: str) -> None:
        self.links = one, other
        to = {joint.child: joint for joint in model.joints.values()}
        up, down = ([*_chain(to, link)] for link in self.links)
        shared = {joint.name for joint in up} & {joint.name for joint in down}
        between = [joint for joint in model.joints.values()
                   if joint in up + down and joint.name not in shared]  # fmt: skip
        self.reason = ""
        names: list[str] = []
        self.movers: list[_MovingJoint] = []
        for joint in between:
            root, multiplier, offset = _followed(model, joint)
            if joint.kind == "fixed":
                continue
            if joint.size != 1:
                self.reason = self.reason or f"the joint {joint.name!r} is {joint.kind}: it has no range"
                continue
            if root.name not in names:
                names.append(root.name)
            self.movers.append(_MovingJoint(joint, names.index(root.name), multiplier, offset))
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
            {model.welds[j.parent], model.welds[j.child]} == {model.welds[one], model.welds[other]} for j in between
        )
        self.first, self.second = (_LinkShapes(model.links[link]) for link in self.links)
        links: dict[str, dict[str, Shape]] = {end: {} for joint in between for end in (joint.parent, joint.child)} or {
            one: {},
            other: {},
        }
        free = [
            Joint(j.name, j.kind, j.parent, j.child, j.origin, j.axis, anchor=j.anchor) for j in between
        ]  # without limits, and following nobody: `frames` gives all values
        self.model = Model.of(_root_first(links, free), free)
        size = [np.linalg.norm(j.origin.position) + np.linalg.norm(j.anchor) for j in between]
        ends = [np.abs(link.corners).max() + link.radii.max() for link in (self.first, self.second) if link.bounded]
        ends += [np.abs(shape.point).max() for link in (self.first, self.second) for shape in link.shapes
                 if isinstance(shape, HalfSpace)]  # fmt: skip
        moved, turned = 0.0, np.pi
        for m in self.movers:
            farthest = float(np.abs(m.multiplier * self.ranges[:, m.variable] + m.offset).max())
            if m.joint.kind == "prismatic":
                moved += farthest
            else:
                turned = max(turned, farthest)
        #: What rounding may do to a distance or to a bound; of an angle above half a turn the last places are lost.
        self.slack = _ROUNDING * float(sum(size) + sum(ends) + moved) * turned / np.pi

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
        q = {m.joint.name: m.multiplier * values[:, m.variable] + m.offset for m in self.movers}
        names = [*self.links, *(m.joint.parent for m in self.movers)]
        places = self.model.forward(q, names)
        count = len(values)
        position = np.broadcast_to(places.position, (count, len(names), 3))
        turn = np.broadcast_to(places.axes, (count, len(names), 3, 3))
        base = Transform(position[:, 0], turn[:, 0]).inverse()
        rest = base[:, None] @ Transform(position[:, 1:], turn[:, 1:])
        origins = Transform(
            np.array([m.joint.origin.position for m in self.movers]).reshape(-1, 3),
            np.array([m.joint.origin.axes for m in self.movers]).reshape(-1, 3, 3),
        )
        at = rest[:, 1:] @ origins
        axes = np.array([m.joint.axis for m in self.movers]).reshape(-1, 3)
        anchors = np.array([m.joint.anchor for m in self.movers]).reshape(-1, 3)
        return rest[:, 0], at.turn(axes), at.apply(anchors)

    def named(self, values: FloatArray) -> dict[str, float]:
        return dict(zip(self.names, values.tolist(), strict=True))


def _chain(to: Mapping[str, Joint], link: str) -> Iterator[Joint]:
    while link in to:
        yield to[link]
        link = to[link].parent


def _root_first(links: Mapping[str, Mapping[str, Shape]], joints: list[Joint]) -> Mapping[str, Mapping[str, Shape]]:
    children = {joint.child for joint in joints}
    return {link: links[link] for link in sorted(links, key=lambda link: link in children)}


def _followed(model: Model, joint: Joint) -> tuple[Joint, float, float]:
    """Return the joint whose value decides that of another one, and value = multiplier * that + offset."""
    multiplier, offset = 1.0, 0.0
    while joint.mimic is not None:
        offset += multiplier * joint.mimic.offset
        multiplier *= joint.mimic.multiplier
        joint = model.joints[joint.mimic.joint]
    return joint, multiplier, offset


class _Looked(NamedTuple):
    """What the middles of boxes (m) tell: the least distance, what holds in all of a box, and where to halve it.

    The distance is infinite where balls around the shapes are apart in all of the box.
    """

    distance: FloatArray
    apart: BoolArray
    together: BoolArray
    along: FloatArray
    directions: FloatArray


def _look(way: _JointPath, low: FloatArray, high: FloatArray) -> _Looked:
    """Look at boxes (m, n) in their middles."""
    middle, half = 0.5 * low + 0.5 * high, 0.5 * (high - low)
    place, axes, points = way.frames(middle)
    first, second, count = way.first, way.second, len(middle)
    corners = place.apply(second.corners[:, None]).swapaxes(0, 1) if second.bounded else second.corners[None]
    steps = np.zeros((count, len(way.movers)))
    turns = np.array([m.joint.kind != "prismatic" for m in way.movers], dtype=bool)
    for k, mover in enumerate(way.movers):
        step = half[:, mover.variable] * abs(mover.multiplier)
        steps[:, k] = 2.0 * np.sin(0.5 * np.minimum(step, np.pi)) if turns[k] else step
    moved_second, each = _movement(second, corners, steps, turns, axes, points)
    moved_first, other = _movement(first, first.corners[None], steps, turns, axes, points)
    if other.max(initial=0.0) < each.max(initial=0.0) or not second.bounded:
        each = other
    impact = np.zeros_like(half)
    for k, mover in enumerate(way.movers):
        impact[:, mover.variable] += each[:, k]

    distance = np.full(count, np.inf)
    apart, together = np.ones(count, dtype=bool), np.zeros(count, dtype=bool)
    directions = np.zeros((count, len(first.shapes), len(second.shapes), 3))
    centers = place.apply(second.centers[:, None]) if second.bounded else None
    for i, a in enumerate(first.shapes):
        for j, b in enumerate(second.shapes):
            move = np.minimum(moved_first[:, i], moved_second[:, j]) + way.slack
            near = np.ones(count, dtype=bool)
            if centers is not None and first.bounded:
                line = centers[j] - first.centers[i]
                length = np.linalg.norm(line, axis=-1)
                gap = length - first.reach[i] - second.reach[j]
                near = ~(gap > move) | ~half.any(axis=1)  # of a pose alone the distance is wanted
                directions[~near, i, j] = line[~near] / length[~near, None]
            if not near.any():
                continue
            met = contact(a, b.transformed(place[near]))
            gap = met.signed_distance
            distance[near] = np.minimum(distance[near], gap)
            together[near] |= -gap > move[near]
            directions[near, i, j] = met.normal
            apart[near] &= gap > move[near]
    return _Looked(distance, apart, together, impact, directions)


def _movement(
    link: _LinkShapes, corners: FloatArray, steps: FloatArray, turns: BoolArray, axes: FloatArray, points: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return how far points of each shape move at most (m, shapes), and of all by each joint (m, movers)."""
    count, movers = steps.shape
    if not link.bounded:
        return np.full((count, len(link.shapes)), np.inf), np.full((count, movers), np.inf)
    total, each = np.zeros((count, len(link.corners))), np.zeros((count, movers))
    for k in range(movers):
        own = np.broadcast_to(steps[:, k, None], total.shape)
        if turns[k]:
            arms = np.linalg.norm(np.cross(axes[:, None, k], corners - points[:, None, k]), axis=-1)
            own = own * (arms + np.repeat(link.radii, np.diff([*link.starts, len(link.corners)])))
        total = total + own
        each[:, k] = own.max(axis=1)
    return np.maximum.reduceat(total, link.starts, axis=1), each


def _decided(model: Model, links: tuple[str, str], *, most_poses: int, proofs: bool) -> DecidedPair:
    way = _JointPath(model, *links)
    first = _look(way, way.pose[None], way.pose[None])
    in_pose = bool(first.distance[0] <= way.slack)
    least, poses, hit, free = float(first.distance[0]), 1, None, None
    leaves: list[tuple[FloatArray, FloatArray]] = []

    def told(verdict: PairVerdict, reason: str = "") -> DecidedPair:
        proof = None
        if verdict == "never" and proofs and way.first.bounded and way.second.bounded:
            proof = Proof(way.ranges, *(np.concatenate(part) for part in zip(*leaves, strict=True)))
        one, other = links
        return DecidedPair(
            one, other, verdict, way.adjacent, in_pose, hit and way.named(hit[0]), free and way.named(free[0]),
            least, poses, way.names, reason, proof,
        )  # fmt: skip

    if way.reason:
        return told("open", way.reason)
    rng = np.random.default_rng(0)
    low, high = way.ranges
    tried = np.concatenate([np.clip(way.pose, low, high)[None], rng.uniform(low, high, (_SAMPLES, len(low)))])
    part, best, at = (1.0 if len(low) else 0.0), np.inf, tried[0]
    waiting = [(low[None], high[None])]
    while waiting:
        boxes = part < _SMALLEST
        if not boxes:  # poses first: boxes without width
            lows = highs = tried
        else:
            lows, highs = waiting.pop()
            if len(lows) > _BLOCK:
                waiting.append((lows[:-_BLOCK], highs[:-_BLOCK]))
                lows, highs = lows[-_BLOCK:], highs[-_BLOCK:]
            boxes = True
        looked = _look(way, lows, highs)
        poses += len(lows)
        nearest, farthest = int(looked.distance.argmin()), int(looked.distance.argmax())
        least = min(least, float(looked.distance[nearest]))
        middle = 0.5 * lows + 0.5 * highs
        if hit is None and looked.distance[nearest] <= way.slack:
            hit = (middle[nearest],)
        if free is None and looked.distance[farthest] > way.slack:
            free = (middle[farthest],)
        if hit is not None and free is not None:
            return told("sometimes")
        if not boxes:
            wanted, sign = (nearest, 1.0) if hit is None else (farthest, -1.0)
            if sign * looked.distance[wanted] < best:
                best, at = sign * float(looked.distance[wanted]), middle[wanted]
            else:
                part *= 0.5
            tried = np.clip(rng.normal(at, 0.3 * part * (high - low), tried.shape), low, high)
            continue
        if proofs and hit is None:
            leaves.append((np.stack([lows, highs], axis=1)[looked.apart], looked.directions[looked.apart]))
        left = ~(looked.apart | looked.together)
        if not left.any():
            continue
        narrow = looked.along.max(axis=1, initial=0.0)[left] <= 4.0 * way.slack
        if narrow.any():
            return told("open", f"they only just touch at {way.named(middle[left][narrow.argmax()])}")
        if poses > most_poses:
            return told("open", f"not decided in {poses:,} poses")
        lows, highs, impact, distance = (part[left] for part in (lows, highs, looked.along, looked.distance))
        order = np.argsort(-np.abs(distance), kind="stable")  # the ones nearest to touching last, so taken first
        lows, highs, impact = lows[order], highs[order], impact[order]
        row, widest = np.arange(len(lows)), impact.argmax(axis=1)
        cut = 0.5 * lows[row, widest] + 0.5 * highs[row, widest]
        below, above = highs.copy(), lows.copy()
        below[row, widest] = above[row, widest] = cut
        waiting.append((np.stack([lows, above], axis=1).reshape(-1, len(low)),
                        np.stack([below, highs], axis=1).reshape(-1, len(low))))  # fmt: skip
    return told("never" if hit is None else "always")
