"""The loop that tells which poses touch: each ends with the first touch that is found."""

from __future__ import annotations

from typing import NamedTuple

from collision.kernels.cores import TOUCH
from collision.kernels.dispatch import size_choice
from collision.native import BYTES, FLOAT, INT, Bytes, IntTable, Loop, Singles, Table, Tables, kernel, lowest_bit
from collision.poses.memory import PLACED, SLACK
from collision.poses.near import STRIDE, any_near, between, blocks_near, gap_of, table_of, to_box, to_wide
from collision.poses.placing import (
    POSES,
    Place,
    Pose,
    Rest,
    move_body,
    place_bodies,
    read_place,
    read_poses,
    read_rest,
    take_pose,
)

_TOUCH, _SLACK = TOUCH, SLACK  # constants, as loops take them

_size = size_choice()


class Near(NamedTuple):
    """What counts as near: a margin, and what it may come to by rounding."""

    margin: float
    reach: float


@kernel
def _touch(rest: Rest, place: Place, s: int, t: int, margin: float) -> bool:
    """Tell whether two shapes are compared, and touch or are no more than a margin apart, as in scenes."""
    if rest.compared[rest.every * s + t] == 0:
        return False
    gap = gap_of(rest, place, s, t)
    if gap <= margin:
        return True
    size = max(_size(rest.ranks[s], table_of(rest, place, s)), _size(rest.ranks[t], table_of(rest, place, t)))
    return gap <= margin + _TOUCH * size


@kernel
def _bodies_touch(rest: Rest, place: Place, pose: Pose, a: int, b: int, near: Near) -> bool:
    """Tell whether a shape of one body touches one of another."""
    if between(place.bodies, PLACED * a, place.bodies, PLACED * b) > near.reach:
        return False
    move_body(rest, place, pose, a)
    move_body(rest, place, pose, b)
    for s in range(rest.body_starts[a], rest.body_starts[a + 1]):
        if between(place.balls, PLACED * s, place.bodies, PLACED * b) > near.reach:
            continue
        for t in range(rest.body_starts[b], rest.body_starts[b + 1]):
            apart = between(place.balls, PLACED * s, place.balls, PLACED * t) > near.reach
            if not apart and _touch(rest, place, s, t, near.margin):
                return True
    return False


@kernel
def _touches_others(rest: Rest, place: Place, pose: Pose, a: int, near: Near) -> bool:
    """Tell whether a shape of a body touches one of those that come after it."""
    n = rest.bodies
    for start in range(a + 1, n, STRIDE):
        end = min(start + STRIDE, n)
        if any_near(place, n, a, start, end, near.reach):
            for b in range(start, end):
                if rest.met[n * a + b] != 0 and _bodies_touch(rest, place, pose, a, b, near):
                    return True
    return False


@kernel
def _box_touched(rest: Rest, place: Place, pose: Pose, body: int, box: int, near: Near) -> bool:
    """Tell whether a shape of a body touches one with a box that rests."""
    if to_box(place.bodies, PLACED * body, rest, box) > near.reach:
        return False
    move_body(rest, place, pose, body)
    for s in range(rest.body_starts[body], rest.body_starts[body + 1]):
        apart = to_box(place.balls, PLACED * s, rest, box) > near.reach
        if not apart and _touch(rest, place, s, rest.moving + box, near.margin):
            return True
    return False


@kernel
def _touches_boxed(rest: Rest, place: Place, pose: Pose, body: int, near: Near) -> bool:
    """Tell whether a shape of a body touches one with a box that rests, looked for in blocks."""
    waiting, count = place.waiting, 1 if rest.boxed > 0 else 0
    waiting[0] = 0
    while count > 0:
        count -= 1
        block = waiting[count]
        mask, first = blocks_near(rest, place, body, block, near.reach), rest.first[block]
        while mask != 0:
            lane = lowest_bit(mask)
            mask &= mask - 1
            if first >= 0:
                waiting[count] = first + lane
                count += 1
            elif _box_touched(rest, place, pose, body, lane - 1 - first, near):
                return True
    return False


@kernel
def _touches_wide(rest: Rest, place: Place, pose: Pose, body: int, near: Near) -> bool:
    """Tell whether a shape of a body touches one without an end that rests."""
    for wide in range(rest.wide):
        if to_wide(rest, place, body, wide) > near.reach:
            continue
        move_body(rest, place, pose, body)
        for s in range(rest.body_starts[body], rest.body_starts[body + 1]):
            if _touch(rest, place, s, rest.moving + rest.boxed + wide, near.margin):
                return True
    return False


@kernel
def _touches(rest: Rest, place: Place, pose: Pose, near: Near) -> bool:
    """Tell whether anything touches in a pose."""
    place_bodies(rest, place, pose)
    for a in range(rest.bodies):
        if (
            _touches_others(rest, place, pose, a, near)
            or _touches_boxed(rest, place, pose, a, near)
            or _touches_wide(rest, place, pose, a, near)
        ):
            return True
    return False


def _touching(
    first: int, last: int, floats: Table, ints: IntTable, compared: Bytes, met: Bytes, blocks: Singles,
    rest_tables: Tables, tables: Tables, body_tables: Tables, margin: float, found: Bytes,
) -> int:  # fmt: skip
    """Store of some poses whether anything touches or is no more than a margin apart.

    Returns the first that is no pose, else the end.
    """
    rest = read_rest(floats, ints, compared, met, blocks, rest_tables)
    place, near = read_place(floats, ints, tables, body_tables), Near(margin, margin + _SLACK * margin)
    poses = read_poses(floats, ints)
    for number in range(first, last):
        well, pose = take_pose(poses, rest.bodies, number)
        if not well:
            return number
        found[number] = _touches(rest, place, pose, near)
    return last


TOUCHING = Loop("poses_touching", _touching, (INT, INT, *POSES, FLOAT, BYTES), INT)
