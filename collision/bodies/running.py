"""Loops over poses run: by several threads, a go at a time, each with memory of its own."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from collision.bodies.memory import AtRest, Room
from collision.bodies.poses import Poses, Progress, store_matrices
from collision.fields import BoolArray, FloatArray, IntArray
from collision.native import Loop, address, in_parts

#: Poses that are worth a thread of their own.
_PART = 512

#: Poses after which a caller hears how far it is.
_GO = 1 << 15

#: Numbers of rotations that a thread has as matrices at once: what its cache holds.
_BLOCK = 1 << 15


class Arguments(NamedTuple):
    """What loops over poses take first, as arrays; `addresses` is how machine code takes it."""

    floats: tuple[FloatArray, ...]
    ints: tuple[IntArray, ...]
    compared: BoolArray
    met: BoolArray
    blocks: np.ndarray[tuple[int, ...], np.dtype[np.float32]]
    tables: tuple[IntArray, IntArray, IntArray]

    @classmethod
    def of(cls, rest: AtRest, room: Room, places: FloatArray, turns: FloatArray) -> Arguments:
        """Return them for some poses; there may be one rotation of each body for all of them."""
        sizes = (rest.bodies, len(rest.own.elements), len(rest.elements), len(rest.boxes), len(rest.wide))
        step = 9 * rest.bodies if turns.size > 9 * rest.bodies else 0
        at_rest = rest.own.operands, rest.own.balls, rest.around, rest.boxes, rest.wide
        moved = room.operands, room.placed, room.spheres, room.balls, room.lows
        shapes = rest.starts, rest.own.starts, rest.own.seconds, rest.ranks, rest.elements
        search = rest.blocks.first, rest.codes, room.marks, room.waiting
        floats, ints = (*at_rest, *moved, places, turns), (np.array([*sizes, step], dtype=np.int64), *shapes, *search)
        tables = rest.tables.rows, room.tables.rows, room.ball_tables.rows
        return cls(floats, ints, rest.compared, rest.met, rest.blocks.boxes, tables)

    def addresses(self) -> tuple[Any, ...]:
        """Return the addresses of all, which are as good as these arrays live."""
        compared, met, blocks = map(address, (self.compared, self.met, self.blocks))
        return _table(self.floats), _table(self.ints), compared, met, blocks, *map(address, self.tables)


def _shifted(work: Callable[[int, int], None], start: int, first: int, last: int) -> None:
    work(start + first, start + last)


def _table(arrays: Sequence[FloatArray | IntArray]) -> Any:
    return (ctypes.c_void_p * len(arrays))(*map(address, arrays))


def run_poses(
    loop: Loop,
    rest: AtRest,
    poses: Poses,
    query: str,
    progress: Progress | None,
    outputs: Callable[[int], tuple[Any, ...]],
) -> None:
    """Run a loop over poses.

    Parameters
    ----------
    loop : Loop
        Takes which poses, `Arguments`, and outputs.
    rest : AtRest
        The shapes.
    poses : Poses
        As they were given.
    query : str
        What was asked, for errors.
    progress : callable, optional
        Called with how many are done, and how many there are.
    outputs : callable
        Takes the number of a pose, and returns what the loop takes last if that is the first one.
    """
    places, turns = poses.flat()
    count = poses.total
    upright = np.broadcast_to(np.eye(3), (1, rest.bodies, 3, 3)).copy()
    block = max(_BLOCK // (9 * rest.bodies), 1)

    def work(first: int, last: int) -> None:
        room, matrices = Room(rest), upright
        if turns is not None:
            matrices = np.empty((min(block, last - first), rest.bodies, 3, 3))
        for start in range(first, last, block):
            end = min(start + block, last)
            here = np.ascontiguousarray(places[start:end])
            if turns is not None and not store_matrices(turns[start:end], matrices[: end - start]):
                poses.refuse_rotations(query)
            given = Arguments.of(rest, room, here, matrices)
            loop.run(0, end - start, *given.addresses(), *outputs(start))

    go = _GO if progress is not None else max(count, 1)
    for start in range(0, count, go):
        size = min(go, count - start)
        in_parts(partial(_shifted, work, start), size, _PART)
        if progress is not None:
            progress(start + size, count)
