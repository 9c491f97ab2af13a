"""The loops that tell the smallest distance of each pose, and the distances of all pairs.

The smallest leaves out what is certain to be farther apart than what has been found.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from collision.native import (
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
    Tables,
    kernel,
    lowest_bit,
)
from collision.poses.blocks import BLOCK
from collision.poses.memory import PLACED
from collision.poses.near import STRIDE, any_near, between, blocks_near, gap_of, to_block, to_box, to_wide
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

_BLOCK = BLOCK  # a constant, as loops take it


class Nearest(NamedTuple):
    """The smallest distance so far, and the two elements that have it, the one of the smaller number first."""

    distance: float
    i: int
    j: int


@kernel
def _better(rest: Rest, place: Place, s: int, t: int, best: Nearest) -> Nearest:
    """Return the best, or two shapes that are compared and nearer; of equals the first pair in the scene's order."""
    if rest.compared[rest.every * s + t] == 0:
        return best
    gap, i, j = gap_of(rest, place, s, t), rest.elements[s], rest.elements[t]
    i, j = min(i, j), max(i, j)
    before = (i < best.i) | ((i == best.i) & (j < best.j))
    return Nearest(gap, i, j) if gap < best.distance or (gap == best.distance and before) else best


@kernel
def _bodies_nearest(rest: Rest, place: Place, pose: Pose, a: int, b: int, best: Nearest) -> Nearest:
    """Return the best of what is known and of the shapes of two bodies."""
    move_body(rest, place, pose, a)
    move_body(rest, place, pose, b)
    for s in range(rest.body_starts[a], rest.body_starts[a + 1]):
        if between(place.balls, PLACED * s, place.bodies, PLACED * b) > best.distance:
            continue
        for t in range(rest.body_starts[b], rest.body_starts[b + 1]):
            if not between(place.balls, PLACED * s, place.balls, PLACED * t) > best.distance:
                best = _better(rest, place, s, t, best)
    return best


@kernel
def _nearest_other(rest: Rest, place: Place, pose: Pose, a: int, best: Nearest) -> Nearest:
    """Return the best of what is known and of a body and those that come after it."""
    n = rest.bodies
    for start in range(a + 1, n, STRIDE):
        end = min(start + STRIDE, n)
        if any_near(place, n, a, start, end, best.distance):
            for b in range(start, end):
                apart = between(place.bodies, PLACED * a, place.bodies, PLACED * b) > best.distance
                if not apart and rest.met[n * a + b] != 0:
                    best = _bodies_nearest(rest, place, pose, a, b, best)
    return best


@kernel
def _put_near(rest: Rest, place: Place, body: int, block: int, most: float, count: int) -> int:
    """Have what of a block may be so near to a body wait, the nearest last; return how many wait."""
    mask, first, lows = blocks_near(rest, place, body, block, most), rest.first[block], place.lows
    left = mask
    while left != 0:
        lane = lowest_bit(left)
        left &= left - 1
        lows[lane] = (
            to_box(place.bodies, PLACED * body, rest, lane - 1 - first)
            if first < 0
            else to_block(place.bodies, PLACED * body, rest, _BLOCK * block + lane)
        )
    while mask != 0:
        far, left = lowest_bit(mask), mask & (mask - 1)
        while left != 0:
            lane = lowest_bit(left)
            left &= left - 1
            far = lane if lows[lane] > lows[far] else far
        mask ^= 1 << far
        if not lows[far] > most:
            place.waiting[count] = first + far if first >= 0 else first - far
            count += 1
    return count


@kernel
def _nearest_box(rest: Rest, place: Place, pose: Pose, body: int, best: Nearest) -> Nearest:
    """Return the best of what is known and of a body and what has a box and rests, what is near first."""
    waiting, count = place.waiting, 1 if rest.boxed > 0 else 0
    waiting[0] = 0
    while count > 0:
        count -= 1
        if waiting[count] >= 0:
            count = _put_near(rest, place, body, waiting[count], best.distance, count)
            continue
        box = -1 - waiting[count]
        if to_box(place.bodies, PLACED * body, rest, box) > best.distance:
            continue
        move_body(rest, place, pose, body)
        for s in range(rest.body_starts[body], rest.body_starts[body + 1]):
            if not to_box(place.balls, PLACED * s, rest, box) > best.distance:
                best = _better(rest, place, s, rest.moving + box, best)
    return best


@kernel
def _nearest_wide(rest: Rest, place: Place, pose: Pose, body: int, best: Nearest) -> Nearest:
    """Return the best of what is known and of a body and what has no end and rests."""
    for wide in range(rest.wide):
        if to_wide(rest, place, body, wide) > best.distance:
            continue
        move_body(rest, place, pose, body)
        for s in range(rest.body_starts[body], rest.body_starts[body + 1]):
            best = _better(rest, place, s, rest.moving + rest.boxed + wide, best)
    return best


def _nearest(
    first: int, last: int, floats: Table, ints: IntTable, compared: Bytes, met: Bytes, blocks: Singles,
    rest_tables: Tables, tables: Tables, body_tables: Tables, distances: Floats, pairs: Ints,
) -> int:  # fmt: skip
    """Store of some poses the smallest signed distance and the two elements that have it; NaN and -1 for none.

    Returns the first that is no pose, else the end.
    """
    rest = read_rest(floats, ints, compared, met, blocks, rest_tables)
    place, poses = read_place(floats, ints, tables, body_tables), read_poses(floats, ints)
    for number in range(first, last):
        well, pose = take_pose(poses, rest.bodies, number)
        if not well:
            return number
        best = Nearest(math.inf, -1, -1)
        place_bodies(rest, place, pose)
        for a in range(rest.bodies):
            best = _nearest_other(rest, place, pose, a, best)
            best = _nearest_box(rest, place, pose, a, best)
            best = _nearest_wide(rest, place, pose, a, best)
        distances[number] = best.distance if best.i >= 0 else math.nan
        pairs[2 * number], pairs[2 * number + 1] = best.i, best.j
    return last


def _distances(
    first: int, last: int, floats: Table, ints: IntTable, compared: Bytes, met: Bytes, blocks: Singles,
    rest_tables: Tables, tables: Tables, body_tables: Tables, count: int, pairs: Ints, distances: Floats,
) -> int:  # fmt: skip
    """Store of some poses the signed distances of pairs of shapes.

    Returns the first that is no pose, else the end.
    """
    rest = read_rest(floats, ints, compared, met, blocks, rest_tables)
    place, poses = read_place(floats, ints, tables, body_tables), read_poses(floats, ints)
    for number in range(first, last):
        well, pose = take_pose(poses, rest.bodies, number)
        if not well:
            return number
        place_bodies(rest, place, pose)
        for body in range(rest.bodies):
            move_body(rest, place, pose, body)
        for k in range(count):
            distances[count * number + k] = gap_of(rest, place, pairs[2 * k], pairs[2 * k + 1])
    return last


NEAREST = Loop("poses_nearest", _nearest, (INT, INT, *POSES, FLOATS, INTS), INT)
DISTANCES = Loop("poses_distances", _distances, (INT, INT, *POSES, INT, INTS, FLOATS), INT)
