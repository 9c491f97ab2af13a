"""Frames of links in many poses: what a joint does to the frame of its parent, as a loop over poses."""

from __future__ import annotations

import numpy as np

from collision.base.fields import FloatArray
from collision.kernels.chains import rotated
from collision.kernels.turned import Pose, put, turn
from collision.kernels.vec3 import Vec3, add, load, scale, store, sub
from collision.native import FLOATS, INT, Floats, Loop, address, kernel

#: Numbers of a frame: its position, and the columns of its rotation.
FRAME = 12

#: Numbers of a joint: its frame in that of its parent, its axis, and its anchor.
JOINT = FRAME + 6


@kernel
def _frame_at(numbers: Floats, i: int) -> Pose:
    """Return the frame that begins with number i."""
    position, x, y = load(numbers, i), load(numbers, i + 3), load(numbers, i + 6)
    return Pose(Vec3(0.0, 0.0, 0.0), position, x, y, load(numbers, i + 9))


def _attach(
    count: int,
    parents: Floats,
    parent_step: int,
    joints: Floats,
    joint_step: int,
    moves: Floats,
    move_step: int,
    children: Floats,
) -> None:
    """Store the frame of a link in each pose; a step of zero stands for numbers that are the same in all poses.

    A move is the sine and the cosine of a turn about the axis, and a way along it.
    """
    for i in range(count):
        parent, joint = _frame_at(parents, i * parent_step), _frame_at(joints, i * joint_step)
        axis, anchor = load(joints, i * joint_step + 12), load(joints, i * joint_step + 15)
        sine, cosine, way = moves[i * move_step], moves[i * move_step + 1], moves[i * move_step + 2]
        about = turn(joint, axis)  # in the parent's frame its length is right, so that rounding adds up at most
        x = turn(parent, rotated(joint.x, about, sine, cosine))
        y = turn(parent, rotated(joint.y, about, sine, cosine))
        z = turn(parent, rotated(joint.z, about, sine, cosine))
        fixed = put(parent, put(joint, add(anchor, scale(axis, way))))
        k = 12 * i
        store(children, k, sub(fixed, add(add(scale(x, anchor.x), scale(y, anchor.y)), scale(z, anchor.z))))
        store(children, k + 3, x)
        store(children, k + 6, y)
        store(children, k + 9, z)


_ATTACH = Loop("attach", _attach, (INT, FLOATS, INT, FLOATS, INT, FLOATS, INT, FLOATS))


def attached(parents: FloatArray, joints: FloatArray, moves: FloatArray) -> FloatArray:
    """Return the frames (m, 12) of a link: parents (m, 12), joints (m, 18) and moves (m, 3), each for all poses or one.

    Moves are sines and cosines of turns, and ways along the axis.
    """
    count = 1
    for rows in (parents, joints, moves):
        count = len(rows) if len(rows) != 1 else count
    given = [np.ascontiguousarray(rows) for rows in (parents, joints, moves)]
    steps = [0 if len(rows) == 1 else rows.shape[1] for rows in given]
    found = np.empty((count, FRAME))
    memory = [part for rows, step in zip(given, steps, strict=True) for part in (address(rows), step)]
    _ATTACH.run(count, *memory, address(found))
    return found


def frame_numbers(position: FloatArray, axes: FloatArray) -> FloatArray:
    """Return frames (m, 12) of positions (m, 3) and rotations (m, 3, 3)."""
    return np.concatenate([position, np.swapaxes(axes, -1, -2).reshape(*position.shape[:-1], 9)], axis=-1)


def frame_parts(frames: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return positions (..., 3) and rotations (..., 3, 3) of frames (..., 12)."""
    return frames[..., :3], np.swapaxes(frames[..., 3:].reshape(*frames.shape[:-1], 3, 3), -1, -2)
