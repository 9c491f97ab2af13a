"""Where a pose takes bodies and their shapes, with the arithmetic of `Shape.transformed`, to the last bit.

Each pose begins with the balls around bodies alone; the shapes of a body are moved when something comes near to it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from collision.kernels.vec3 import Vec3, add, along, largest, load, scale, store
from collision.native import (
    BYTES,
    INT_TABLE,
    SINGLES,
    TABLE,
    TABLES,
    Bytes,
    Floats,
    Ints,
    IntTable,
    Singles,
    Table,
    Tables,
    kernel,
)
from collision.poses.memory import BALL, DIRECTION, FRAME, PLACE, PLACED, SLACK
from collision.shapes.checks import set_unit
from collision.shapes.rotations import ALLOWED, settle

_ALLOWED, _SLACK = ALLOWED, SLACK  # plain globals: loops take them as constants

#: How rotations are given.
UPRIGHT, KNOWN, UNIT = 0, 1, 2

#: What every loop over poses takes first: `Arguments` in `collision.poses.running` has it.
POSES = (TABLE, INT_TABLE, BYTES, BYTES, SINGLES, TABLES, TABLES, TABLES)


class Rest(NamedTuple):
    """What is the same in every pose, as kernels see it.

    There are so many `bodies`, shapes that move, shapes in `every`, shapes with a box that rest, and `wide`
    ones without an end, in this order. `starts` are those of operands, `body_starts` those of the shapes of bodies.
    """

    bodies: int
    moving: int
    every: int
    boxed: int
    wide: int
    operands: Floats
    balls: Floats
    around: Floats
    boxes: Floats
    noise: Floats
    body_starts: Ints
    starts: Ints
    seconds: Ints
    ranks: Ints
    elements: Ints
    first: Ints
    codes: Ints
    compared: Bytes
    met: Bytes
    blocks: Singles
    tables: Tables


class Place(NamedTuple):
    """Where a pose takes the shapes: their operands and balls, the balls around bodies, and which bodies it has moved.

    `lows` and `waiting` are for searches to write to.
    """

    operands: Floats
    balls: Floats
    spheres: Floats
    bodies: Floats
    lows: Floats
    marks: Ints
    waiting: Ints
    tables: Tables
    body_tables: Tables


class Poses(NamedTuple):
    """Poses in memory, as they were given: of each body three numbers for its place, and those of its rotation.

    These are a quaternion (`UNIT`), a matrix (`KNOWN`), or nothing (`UPRIGHT`). `axes` are the matrices of one pose.
    """

    positions: Floats
    rotations: Floats
    form: int
    axes: Floats


class Pose(NamedTuple):
    """One pose in memory: from where on the places of its bodies are, and the matrices of its rotations."""

    positions: Floats
    axes: Floats
    place: int


@kernel
def read_rest(floats: Table, ints: IntTable, compared: Bytes, met: Bytes, blocks: Singles, tables: Tables) -> Rest:
    """Read what is the same in every pose from what a loop takes."""
    sizes = ints[0]
    return Rest(
        sizes[0],
        sizes[1],
        sizes[2],
        sizes[3],
        sizes[4],
        floats[0],
        floats[1],
        floats[2],
        floats[3],
        floats[4],
        ints[1],
        ints[2],
        ints[3],
        ints[4],
        ints[5],
        ints[6],
        ints[7],
        compared,
        met,
        blocks,
        tables,
    )


@kernel
def read_place(floats: Table, ints: IntTable, tables: Tables, body_tables: Tables) -> Place:
    """Read where things are put from what a loop takes."""
    return Place(floats[5], floats[6], floats[7], floats[8], floats[9], ints[8], ints[9], tables, body_tables)


@kernel
def read_poses(floats: Table, ints: IntTable) -> Poses:
    """Read where the poses are from what a loop takes."""
    return Poses(floats[10], floats[11], ints[0][5], floats[12])


@kernel
def take_pose(poses: Poses, bodies: int, number: int) -> tuple[bool, Pose]:
    """Tell whether all places of a pose are finite and all rotations are such, and return it."""
    place, well = 3 * bodies * number, True
    for k in range(place, place + 3 * bodies):
        well &= abs(poses.positions[k]) < math.inf
    if poses.form != UPRIGHT:
        for body in range(bodies):
            well &= store_matrix(poses.rotations, bodies * number + body, poses.form, poses.axes, 9 * body)
    return well, Pose(poses.positions, poses.axes, place)


@kernel
def store_matrix(rotations: Floats, number: int, form: int, matrices: Floats, i: int) -> bool:
    """Store the matrix of a rotation as a `Transform` has it, to the last bit, and tell whether it is one."""
    total = 0.0
    if form == UNIT:
        _store_turn(load(rotations, 4 * number), rotations[4 * number + 3], matrices, i)
    else:
        for k in range(9):
            matrices[i + k] = rotations[9 * number + k]
    for k in range(i, i + 9):
        total += abs(matrices[k])
    return (total < math.inf) & (not settle(matrices, i, _ALLOWED))


@kernel
def _store_turn(q: Vec3, w: float, matrices: Floats, i: int) -> None:
    """Store the matrix of a quaternion of any length; without a length it is no matrix of numbers."""
    most = max(largest(q), abs(w))
    x, y, z, w = q.x / most, q.y / most, q.z / most, w / most
    length = math.sqrt(x * x + y * y + z * z + w * w)
    x, y, z, w = x / length, y / length, z / length, w / length
    xx, yy, zz, ww = x * x, y * y, z * z, w * w
    store(matrices, i, Vec3(xx - yy - zz + ww, 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)))
    store(matrices, i + 3, Vec3(2.0 * (x * y + z * w), -xx + yy - zz + ww, 2.0 * (y * z - x * w)))
    store(matrices, i + 6, Vec3(2.0 * (x * z - y * w), 2.0 * (y * z + x * w), -xx - yy + zz + ww))


@kernel
def _turned(axes: Floats, i: int, v: Vec3) -> Vec3:
    """Return a matrix, from number i on, times a vector."""
    x = Vec3(axes[i], axes[i + 3], axes[i + 6])
    y = Vec3(axes[i + 1], axes[i + 4], axes[i + 7])
    z = Vec3(axes[i + 2], axes[i + 5], axes[i + 8])
    return along(along(scale(x, v.x), v.y, y), v.z, z)


@kernel
def place_bodies(rest: Rest, place: Place, pose: Pose) -> None:
    """Move the balls around bodies, a little larger than they are, and none of the shapes."""
    n = rest.bodies
    for body in range(n):
        p, ball = load(pose.positions, pose.place + 3 * body), BALL * body
        c = add(_turned(pose.axes, 9 * body, load(rest.around, ball)), p)
        radius = rest.around[ball + 3] + _SLACK * (rest.around[ball + 4] + largest(p))
        place.spheres[body], place.spheres[n + body], place.spheres[2 * n + body] = c.x, c.y, c.z
        place.spheres[3 * n + body] = radius
        store(place.bodies, PLACED * body, c)
        place.bodies[PLACED * body + 3] = radius
        place.marks[body] = 0


@kernel
def move_body(rest: Rest, place: Place, pose: Pose, body: int) -> None:
    """Move the shapes of a body and the balls around them, unless that has been done in this pose."""
    if place.marks[body] != 0:
        return
    place.marks[body] = 1
    p, axes = load(pose.positions, pose.place + 3 * body), 9 * body
    for shape in range(rest.body_starts[body], rest.body_starts[body + 1]):
        ball = BALL * shape
        c = add(_turned(pose.axes, axes, load(rest.balls, ball)), p)
        store(place.balls, PLACED * shape, c)
        place.balls[PLACED * shape + 3] = rest.balls[ball + 3] + _SLACK * (rest.balls[ball + 4] + largest(p))
        _move_shape(rest, place, pose, shape, p, axes)


@kernel
def _move_shape(rest: Rest, place: Place, pose: Pose, shape: int, p: Vec3, axes: int) -> None:
    """Move the operands of a shape: a place, and what comes after it; all others are there."""
    i, second = rest.starts[shape], rest.seconds[shape]
    store(place.operands, i, add(_turned(pose.axes, axes, load(rest.operands, i)), p))
    if second == PLACE:
        store(place.operands, i + 3, add(_turned(pose.axes, axes, load(rest.operands, i + 3)), p))
    elif second == DIRECTION:
        store(place.operands, i + 3, _turned(pose.axes, axes, load(rest.operands, i + 3)))
        set_unit(place.operands, i + 3)
    elif second == FRAME:
        for k in range(i + 3, i + 6):
            column = Vec3(rest.operands[k], rest.operands[k + 3], rest.operands[k + 6])
            v = _turned(pose.axes, axes, column)
            place.operands[k], place.operands[k + 3], place.operands[k + 6] = v.x, v.y, v.z
        settle(place.operands, i + 3, _ALLOWED)
