"""The loops over poses: whether anything touches, the smallest distance, and all distances.

A pose begins with the balls around bodies alone. Where two are near, or one is near to what rests, the shapes of these
bodies are moved, and the balls around them are compared.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from collision.broadphase.blocks import BLOCK, Tree, box_at, in_units, index_of
from collision.broadphase.walk import walk_of
from collision.kernels.core import ROW, AnyCore, core_at, posed, separate_any, size
from collision.kernels.cores import TOUCH
from collision.kernels.frames import ALLOWED, orthonormalised
from collision.kernels.nearness import Corners
from collision.kernels.table import CoreType
from collision.kernels.turned import Pose, put
from collision.kernels.vec3 import Vec3, largest, load, store
from collision.native import (
    BYTES,
    FLOAT,
    FLOATS,
    INT,
    INTS,
    Bytes,
    Floats,
    Ints,
    IntTable,
    Loop,
    Singles,
    Table,
    kernel,
    overlapping,
)
from collision.poses.memory import BALL_SIZE, FRAME_SIZE, MATRICES, NO_ROTATIONS, POSES, SLACK, PosesView, view_of
from collision.scene.pairs import Element, gap_of, size_of

_POINT = int(CoreType.POINT)

# -- where a pose takes things -----------------------------------------------------------------------------------------


@kernel
def enter_pose(view: PosesView, number: int) -> bool:
    """Take the balls around bodies to a pose, and none of the shapes; tell whether it is a valid one."""
    good = True
    for body in range(view.bodies):
        i, frame = view.bodies * number + body, FRAME_SIZE * body
        position = load(view.positions, 3 * i)
        good &= _is_finite(position)
        store(view.frames, frame, position)
        if view.form != NO_ROTATIONS:
            good &= _store_rotation(view, i, frame + 3)
        _place_ball(view, view.moving + body, _pose_of(view, body))
        view.moved[body] = 0
    return good


@kernel
def _is_finite(v: Vec3) -> bool:
    return (abs(v.x) < math.inf) & (abs(v.y) < math.inf) & (abs(v.z) < math.inf)


@kernel
def _store_rotation(view: PosesView, i: int, frame: int) -> bool:
    """Store the columns of a rotation as a `Transform` has them, to the last bit, and tell whether it is one."""
    if view.form == MATRICES:
        m, k = view.rotations, 9 * i
        x, y, z = Vec3(m[k], m[k + 3], m[k + 6]), Vec3(m[k + 1], m[k + 4], m[k + 7]), Vec3(m[k + 2], m[k + 5], m[k + 8])
    else:
        x, y, z = _columns(load(view.rotations, 4 * i), view.rotations[4 * i + 3])
    finite = _is_finite(x) & _is_finite(y) & _is_finite(z)
    x, y, z, is_rotation = orthonormalised(x, y, z, ALLOWED)
    store(view.frames, frame, x)
    store(view.frames, frame + 3, y)
    store(view.frames, frame + 6, z)
    return finite & is_rotation


@kernel
def _columns(q: Vec3, w: float) -> tuple[Vec3, Vec3, Vec3]:
    """Return the columns of the matrix of a quaternion of any length; without a length they are no numbers."""
    most = max(largest(q), abs(w))
    x, y, z, w = q.x / most, q.y / most, q.z / most, w / most
    length = math.sqrt(x * x + y * y + z * z + w * w)
    x, y, z, w = x / length, y / length, z / length, w / length
    xx, yy, zz, ww = x * x, y * y, z * z, w * w
    return (
        Vec3(xx - yy - zz + ww, 2.0 * (x * y + z * w), 2.0 * (x * z - y * w)),
        Vec3(2.0 * (x * y - z * w), -xx + yy - zz + ww, 2.0 * (y * z + x * w)),
        Vec3(2.0 * (x * z + y * w), 2.0 * (y * z - x * w), -xx - yy + zz + ww),
    )


@kernel
def _pose_of(view: PosesView, body: int) -> Pose:
    """Return where a body is."""
    f, k = view.frames, FRAME_SIZE * body
    return Pose(Vec3(0.0, 0.0, 0.0), load(f, k), load(f, k + 3), load(f, k + 6), load(f, k + 9))


@kernel
def _place_ball(view: PosesView, ball: int, pose: Pose) -> None:
    """Take a ball to a pose, a little larger than it is."""
    center, radius = load(view.balls, BALL_SIZE * ball), view.balls[BALL_SIZE * ball + 3]
    store(view.placed_balls, BALL_SIZE * ball, put(pose, center))
    view.placed_balls[BALL_SIZE * ball + 3] = radius + SLACK * (largest(center) + radius + largest(pose.position))


@kernel
def _move_body(view: PosesView, body: int) -> None:
    """Take the shapes of a body and the balls around them to a pose, unless that has been done."""
    if view.moved[body] != 0:
        return
    view.moved[body], pose = 1, _pose_of(view, body)
    for s in range(view.starts[body], view.starts[body + 1]):
        _place_ball(view, s, pose)
        given = AnyCore(view.cores.types[s], view.placed, ROW * s, view.cores.corners)
        posed(given, ROW * (view.moving + s), pose)


# -- pairs -------------------------------------------------------------------------------------------------------------


@kernel
def _element(view: PosesView, s: int) -> Element:
    """Return a shape in a pose."""
    if s < view.moving:
        core = AnyCore(view.cores.types[s], view.placed, ROW * (view.moving + s), view.cores.corners)
        return Element(core, view.cores.radii[s])
    return Element(core_at(view.cores, s), view.cores.radii[s])


@kernel
def _gap(view: PosesView, s: int, t: int) -> float:
    """Return the signed distance of two shapes, taken in the order in which a scene takes them."""
    a, b = (s, t) if view.elements[s] < view.elements[t] else (t, s)
    return gap_of(_element(view, a), _element(view, b), 0.0)


@kernel
def _are_near(view: PosesView, a: int, b: int, limit: float) -> bool:
    """Tell whether the distance of two balls is no more than a limit, which may be below zero."""
    balls, i, j = view.placed_balls, BALL_SIZE * a, BALL_SIZE * b
    x, y, z = balls[i] - balls[j], balls[i + 1] - balls[j + 1], balls[i + 2] - balls[j + 2]
    reach = balls[i + 3] + balls[j + 3] + limit
    # Two balls without an end are near also where the limit is minus infinity, and the reach no number.
    return not ((reach < 0.0) | (x * x + y * y + z * z > reach * reach))


@kernel
def _to_box(view: PosesView, ball: int, box: Corners) -> float:
    """Return the signed distance of a ball and a box."""
    p, radius = load(view.placed_balls, BALL_SIZE * ball), view.placed_balls[BALL_SIZE * ball + 3]
    a, b = box.lower, box.upper
    x, y, z = max(a.x - p.x, p.x - b.x), max(a.y - p.y, p.y - b.y), max(a.z - p.z, p.z - b.z)
    inside = max(x, y, z)
    if inside <= 0.0:
        return inside - radius
    x, y, z = max(x, 0.0), max(y, 0.0), max(z, 0.0)
    return math.sqrt(x * x + y * y + z * z) - radius


class _MovingBody(NamedTuple):
    """A body, in a pose, that goes down the tree of what rests."""

    poses: PosesView
    body: int


@kernel
def _overlapped(tree: Tree, mover: _MovingBody, state: Any, level: int, node: int) -> int:
    """Return which boxes of a block overlap the one around all that may be near enough to a body."""
    view, ball = mover.poses, BALL_SIZE * (mover.poses.moving + mover.body)
    c, r = load(view.placed_balls, ball), view.placed_balls[ball + 3] + state.limit
    a, b = in_units(Corners(Vec3(c.x - r, c.y - r, c.z - r), Vec3(c.x + r, c.y + r, c.z + r)), tree.frame)
    return overlapping(tree.blocks, BLOCK * (tree.starts[level + 1] + node), a.x, a.y, a.z, b.x, b.y, b.z)


@kernel
def _from_body(mover: _MovingBody, box: Corners) -> float:
    """Return the signed distance of the ball around a body and a box."""
    return _to_box(mover.poses, mover.poses.moving + mover.body, box)


@kernel
def _near_enough(state: Any, distance: float) -> bool:
    return not (state.done or distance > state.limit)


@kernel
def _to_unbounded(view: PosesView, ball: int, t: int) -> float:
    """Return a number no larger than the signed distance of a ball and a shape that rests and has no box."""
    center, other = AnyCore(_POINT, view.placed_balls, BALL_SIZE * ball, view.cores.corners), core_at(view.cores, t)
    found, _ = separate_any(center, other)
    radius = view.placed_balls[BALL_SIZE * ball + 3] + view.cores.radii[t]
    return found.distance - radius - SLACK * size(other)


def _searching(visit: Callable[[PosesView, int, int, Any], Any]) -> Callable[[PosesView, Any], Any]:
    """Return the kernel that visits the pairs of a pose that may be near enough: (view, s, t, state) -> state."""

    @kernel
    def in_bodies(view: PosesView, a: int, b: int, state: Any) -> Any:
        """Visit pairs of shapes of two bodies."""
        _move_body(view, a)
        _move_body(view, b)
        for s in range(view.starts[a], view.starts[a + 1]):
            if not _are_near(view, s, view.moving + b, state.limit):
                continue
            for t in range(view.starts[b], view.starts[b + 1]):
                if _are_near(view, s, t, state.limit) and view.compared[view.every * s + t] != 0:
                    state = visit(view, s, t, state)
                    if state.done:
                        return state
        return state

    @kernel
    def with_box(tree: Tree, mover: _MovingBody, state: Any, slot: int) -> Any:
        """Visit pairs of the shapes of a body and the one whose box has a slot in the tree."""
        view, body = mover
        box, t = box_at(tree, index_of(slot)), tree.order[slot]
        _move_body(view, body)
        for s in range(view.starts[body], view.starts[body + 1]):
            if not _to_box(view, s, box) > state.limit and view.compared[view.every * s + t] != 0:
                state = visit(view, s, t, state)
                if state.done:
                    return state
        return state

    in_tree = walk_of(with_box, lanes=_overlapped, bound=_from_body, worth=_near_enough)

    @kernel
    def with_unbounded(view: PosesView, body: int, state: Any) -> Any:
        """Visit pairs of the shapes of a body and those that rest and have no box."""
        for k in range(view.unbounded_count):
            t = view.unbounded[k]
            if _to_unbounded(view, view.moving + body, t) > state.limit:
                continue
            _move_body(view, body)
            for s in range(view.starts[body], view.starts[body + 1]):
                if view.compared[view.every * s + t] != 0:
                    state = visit(view, s, t, state)
                    if state.done:
                        return state
        return state

    @kernel
    def search(view: PosesView, state: Any) -> Any:
        for a in range(view.bodies):
            if view.starts[a] == view.starts[a + 1]:
                continue
            for b in range(a + 1, view.bodies):
                near = _are_near(view, view.moving + a, view.moving + b, state.limit)
                if near and view.met[view.bodies * a + b] != 0:
                    state = in_bodies(view, a, b, state)
                    if state.done:
                        return state
            if view.tree.order[0] >= 0:  # there is a box
                state = in_tree(view.tree, _MovingBody(view, a), state, 0)
                if state.done:
                    return state
            state = with_unbounded(view, a, state)
            if state.done:
                return state
        return state

    return search


# -- what is searched for ----------------------------------------------------------------------------------------------


class _Touch(NamedTuple):
    """Whether anything is found that touches, or is no more than a margin apart; the limit is that and its rounding."""

    limit: float
    done: bool
    margin: float


@kernel
def _touch(view: PosesView, s: int, t: int, state: _Touch) -> _Touch:
    """Tell whether two shapes touch, or are no more than a margin apart, as in scenes."""
    gap, margin = _gap(view, s, t), state.margin
    if gap > margin:
        margin += TOUCH * size_of(_element(view, s), _element(view, t))
    return _Touch(state.limit, gap <= margin, state.margin)


class _SmallestSoFar(NamedTuple):
    """The smallest distance so far, and the two elements that have it, the one of the smaller number first."""

    limit: float
    done: bool
    i: int
    j: int


@kernel
def _nearer(view: PosesView, s: int, t: int, best: _SmallestSoFar) -> _SmallestSoFar:
    """Return the best, or two shapes that are nearer; of equals the first pair in the scene's order."""
    gap, i, j = _gap(view, s, t), view.elements[s], view.elements[t]
    i, j = min(i, j), max(i, j)
    before = (i < best.i) | ((i == best.i) & (j < best.j))
    return _SmallestSoFar(gap, False, i, j) if gap < best.limit or (gap == best.limit and before) else best


_any_touch, _nearest_of_all = _searching(_touch), _searching(_nearer)

# -- loops -------------------------------------------------------------------------------------------------------------


def _touching(
    first: int, last: int, floats: Table, ints: IntTable, compared: Bytes, met: Bytes, blocks: Singles,
    margin: float, found: Bytes,
) -> int:  # fmt: skip
    """Store of some poses whether anything touches, or is no more than a margin apart."""
    view = view_of(floats, ints, compared, met, blocks)
    for number in range(first, last):
        if not enter_pose(view, number):
            return number
        found[number] = _any_touch(view, _Touch(margin + SLACK * margin, False, margin)).done
    return last


def _nearest(
    first: int, last: int, floats: Table, ints: IntTable, compared: Bytes, met: Bytes, blocks: Singles,
    distances: Floats, pairs: Ints,
) -> int:  # fmt: skip
    """Store of some poses the smallest signed distance and the two elements that have it; NaN and -1 for none."""
    view = view_of(floats, ints, compared, met, blocks)
    for number in range(first, last):
        if not enter_pose(view, number):
            return number
        best = _nearest_of_all(view, _SmallestSoFar(math.inf, False, -1, -1))
        distances[number] = best.limit if best.i >= 0 else math.nan
        pairs[2 * number], pairs[2 * number + 1] = best.i, best.j
    return last


def _distances(
    first: int, last: int, floats: Table, ints: IntTable, compared: Bytes, met: Bytes, blocks: Singles,
    count: int, pairs: Ints, distances: Floats,
) -> int:  # fmt: skip
    """Store of some poses the signed distances of pairs of shapes."""
    view = view_of(floats, ints, compared, met, blocks)
    for number in range(first, last):
        if not enter_pose(view, number):
            return number
        for body in range(view.bodies):
            _move_body(view, body)
        for k in range(count):
            distances[count * number + k] = _gap(view, pairs[2 * k], pairs[2 * k + 1])
    return last


TOUCHING = Loop("poses_touching", _touching, (INT, INT, *POSES, FLOAT, BYTES), INT)
NEAREST = Loop("poses_nearest", _nearest, (INT, INT, *POSES, FLOATS, INTS), INT)
DISTANCES = Loop("poses_distances", _distances, (INT, INT, *POSES, INT, INTS, FLOATS), INT)
