"""A scene by bodies in memory: what loops over poses read, and what each thread works with."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from collision.base.cached import cached_property
from collision.base.fields import BoolArray, FloatArray, IntArray
from collision.base.ram import check_memory
from collision.broadphase.blocks import Tree
from collision.broadphase.tree import build_tree
from collision.kernels.core import CoreMemory, CoreRows
from collision.kernels.vec3 import EPS
from collision.native import (
    BYTES,
    INT_TABLE,
    SINGLES,
    TABLE,
    Bytes,
    Floats,
    Ints,
    IntTable,
    Loop,
    Singles,
    Table,
    address,
    in_parts,
    kernel,
)
from collision.poses.poses import Poses, Progress, is_matrix
from collision.scene.scene import Scene
from collision.shapes.rows import core_rows, row_bounds

#: By how much of their own numbers balls and boxes are larger than need be: more than touching allows, and than is
#: rounded when they are made and moved.
SLACK = 256.0 * EPS

#: Numbers of a ball: the center and the radius; and of where a body is: its position, and the columns of its rotation.
BALL_SIZE, FRAME_SIZE = 4, 12

#: How rotations are given.
NO_ROTATIONS, MATRICES, QUATERNIONS = range(3)

#: Poses that are worth a thread of their own.
_THREAD_GRAIN = 512

#: Poses after which a caller hears how many are done.
_PROGRESS_STEP = 1 << 16


class PosedScene:
    """All that is the same in every pose: the shapes as they are given, by bodies, and which pairs are compared.

    Parameters
    ----------
    scene : Scene
        What is hidden in it is left out.
    owner : ndarray of int, shape (n,)
        The body of each element; -1 for what rests.
    bodies : int
        How many there are.

    Attributes
    ----------
    elements : ndarray of int, shape (n,)
        Numbers in the scene: of those that move, body by body, then of those that rest.
    balls : ndarray, shape (moving + bodies, 4)
        Those around the shapes that move, then around the bodies: of infinite radius where there is no end.
    compared, met : ndarray of bool, shape (moving, n) and (bodies, bodies)
        Which shapes, and shapes of which bodies, are compared.
    """

    def __init__(self, scene: Scene, owner: IntArray, bodies: int) -> None:
        self.bodies = bodies
        shown, moves = np.zeros(scene.element_count, dtype=bool), owner >= 0
        balls = np.full((scene.element_count, BALL_SIZE), [0.0, 0.0, 0.0, np.inf])
        for numbers, shape in scene.groups:
            shown[numbers] = True
            if shape.bounded:
                own = np.flatnonzero(moves[numbers])
                around = shape[own].bounding_sphere()
                balls[numbers[own], :3], balls[numbers[own], 3] = around.center, around.radius
        moving, resting = np.flatnonzero(shown & moves), np.flatnonzero(shown & ~moves)
        moving = moving[np.argsort(owner[moving], kind="stable")]
        self.moving = len(moving)
        self.starts = np.searchsorted(owner[moving], np.arange(bodies + 1)).astype(np.int64)
        self.elements = np.concatenate([moving, resting])
        rows = core_rows(scene.shapes.values())
        own_rows = rows.types[self.elements], rows.rows[self.elements], rows.radii[self.elements]
        self.rows = CoreRows(*own_rows, rows.corners)
        lower, upper = row_bounds(self.rows)
        boxed = np.isfinite(lower[:, 0]) & (np.arange(len(lower)) >= self.moving)
        self.tree = build_tree(lower, upper, SLACK, np.flatnonzero(boxed))
        self.unbounded = self.moving + np.flatnonzero(~boxed[self.moving :])
        self.balls = np.concatenate([balls[moving], np.zeros((bodies, BALL_SIZE))])
        for body, (start, end) in enumerate(pairwise(self.starts.tolist())):
            if end > start:
                self.balls[self.moving + body] = _around(self.balls[start:end])
        self.compared = self._compared(scene, owner)
        first, second = owner[moving][np.argwhere(self.compared[:, : self.moving]).T]
        self.met = np.zeros((bodies, bodies), dtype=bool)
        self.met[first, second] = True

    def _compared(self, scene: Scene, owner: IntArray) -> BoolArray:
        moving, count = self.moving, len(self.elements)
        check_memory(moving * count, f"there are {moving:,} shapes that move, and {count:,} in all")
        compared = np.empty((moving, count), dtype=bool)
        for row, number in enumerate(self.elements[:moving].tolist()):
            compared[row] = scene.tested(number, self.elements) & (owner[self.elements] != owner[number])
        return compared

    @cached_property
    def pairs(self) -> IntArray:
        """The pairs that are compared, by numbers here, in the order of their numbers in the scene."""
        shapes = np.argwhere(self.compared).astype(np.int64)
        shapes = shapes[(shapes[:, 1] >= self.moving) | (shapes[:, 0] < shapes[:, 1])]
        elements = np.sort(self.elements[shapes], axis=1)
        return np.ascontiguousarray(shapes[np.lexsort(elements.T[::-1])])


def _around(balls: FloatArray) -> FloatArray:
    """Return a ball around balls."""
    centers = balls[:, :3]
    center = 0.5 * centers.min(axis=0) + 0.5 * centers.max(axis=0)
    return np.array([*center, (np.linalg.norm(centers - center, axis=1) + balls[:, 3]).max()])


# -- what loops take -------------------------------------------------------------------------------------------------


class PosesView(NamedTuple):
    """A scene by bodies, poses of it, and the memory of a thread, as kernels see them; see `PosedScene`.

    `placed` are the rows of the shapes that move as they are given, and then in a pose; `placed_balls` are those of
    bodies always, and those of shapes where their body has been `moved`.
    """

    bodies: int
    moving: int
    every: int
    unbounded_count: int
    form: int
    starts: Ints
    elements: Ints
    unbounded: Ints
    cores: CoreMemory
    balls: Floats
    compared: Bytes
    met: Bytes
    tree: Tree
    positions: Floats
    rotations: Floats
    placed: Floats
    placed_balls: Floats
    frames: Floats
    moved: Ints


#: What every loop over poses takes behind the first and the last of them: what `PosesMemory.addresses` is.
POSES = (TABLE, INT_TABLE, BYTES, BYTES, SINGLES)


@kernel
def view_of(floats: Table, ints: IntTable, compared: Bytes, met: Bytes, blocks: Singles) -> PosesView:
    """Read what a loop takes for `POSES`."""
    sizes = ints[0]
    return PosesView(
        sizes[0],
        sizes[1],
        sizes[2],
        sizes[3],
        sizes[4],
        ints[1],
        ints[2],
        ints[3],
        CoreMemory(ints[4], floats[0], floats[1], floats[2]),
        floats[3],
        compared,
        met,
        Tree(blocks, ints[5], ints[6], floats[4], floats[5], floats[6]),
        floats[7],
        floats[8],
        floats[9],
        floats[10],
        floats[11],
        ints[7],
    )


class PosesMemory:
    """A scene by bodies, contiguous poses of it, and the memory of a thread."""

    def __init__(self, scene: PosedScene, positions: FloatArray, rotations: FloatArray | None) -> None:
        rows, tree, given = scene.rows, scene.tree, scene.rows.rows[: scene.moving]
        form = NO_ROTATIONS if rotations is None else MATRICES if is_matrix(rotations) else QUATERNIONS
        sizes = scene.bodies, scene.moving, len(scene.elements), len(scene.unbounded), form
        frames = np.tile([0.0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], (scene.bodies, 1))
        at_rest = rows.rows, rows.radii, rows.corners, scene.balls, tree.frame, tree.lower, tree.upper
        work = np.concatenate([given, given]), np.empty_like(scene.balls), frames
        #: What kernels read and write, as arrays.
        self.floats = *at_rest, positions, positions if rotations is None else rotations, *work
        shapes = scene.starts, scene.elements, scene.unbounded, rows.types, tree.order, tree.starts
        self.ints = np.array(sizes, dtype=np.int64), *shapes, np.zeros(scene.bodies, dtype=np.int64)
        self.others = scene.compared, scene.met, tree.blocks

    @property
    def addresses(self) -> tuple[Any, ...]:
        """The addresses of all of it, good as long as this lives: what loops take for `POSES`."""
        return _table(self.floats), _table(self.ints), *map(address, self.others)


def _table(arrays: Sequence[FloatArray | IntArray]) -> Any:
    return (ctypes.c_void_p * len(arrays))(*map(address, arrays))


def _apart(numbers: FloatArray, out: Sequence[FloatArray | IntArray | BoolArray]) -> FloatArray:
    """Return numbers, or a copy of them where an answer would be written over what is still to be read."""
    return numbers.copy() if any(np.may_share_memory(numbers, one) for one in out) else numbers


def run_poses(
    loop: Loop,
    scene: PosedScene,
    poses: Poses,
    query: str,
    progress: Progress | None,
    given: tuple[Any, ...],
    out: Sequence[FloatArray | IntArray | BoolArray],
) -> None:
    """Run a loop over poses, by several threads where there are many; what is no pose is refused."""
    if progress is not None and not callable(progress):
        raise TypeError(f"{query}: progress must be a function (done, all), got {progress!r}")
    (positions, rotations), count = poses.flat(), poses.total
    positions, rotations = _apart(positions, out), None if rotations is None else _apart(rotations, out)
    outside = *given, *map(address, out)

    def work(start: int, first: int, last: int) -> bool:
        memory = PosesMemory(scene, positions, rotations)  # it must live until the loop is done
        return bool(loop.run(start + first, start + last, *memory.addresses, *outside) == start + last)

    for start in range(0, count, _PROGRESS_STEP):
        end = min(start + _PROGRESS_STEP, count)
        if not all(in_parts(partial(work, start), end - start, _THREAD_GRAIN)):
            poses.refuse(query)
        if progress is not None:
            progress(end, count)
