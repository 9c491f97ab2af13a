"""Loops over poses run: by several threads, a go at a time, each with memory of its own."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from collision.base.fields import BoolArray, FloatArray, IntArray
from collision.native import Loop, address, in_parts
from collision.poses.memory import AtRest, Room
from collision.poses.placing import KNOWN, UNIT, UPRIGHT
from collision.poses.poses import Poses, Progress, is_matrix

#: Poses that are worth a thread of their own.
_PART = 512

#: Poses in one go, after which a caller hears how far it is.
_GO = 1 << 16


class Arguments(NamedTuple):
    """What loops over poses take first, as arrays; `addresses` is how machine code takes it."""

    floats: tuple[FloatArray, ...]
    ints: tuple[IntArray, ...]
    compared: BoolArray
    met: BoolArray
    blocks: np.ndarray[tuple[int, ...], np.dtype[np.float32]]
    tables: tuple[IntArray, IntArray, IntArray]

    @classmethod
    def of(cls, rest: AtRest, room: Room, places: FloatArray, turns: FloatArray | None) -> Arguments:
        """Return them for some poses: places (n, bodies, 3), and rotations in either form, or none."""
        sizes = rest.bodies, len(rest.own.elements), len(rest.elements), len(rest.boxes), len(rest.wide)
        form = UPRIGHT if turns is None else KNOWN if is_matrix(turns) else UNIT
        at_rest = rest.own.operands, rest.own.balls, rest.around, rest.boxes, rest.wide
        moved = room.operands, room.placed, room.spheres, room.balls, room.lows
        shapes = rest.starts, rest.own.starts, rest.own.seconds, rest.ranks, rest.elements
        search = rest.blocks.first, rest.codes, room.marks, room.waiting
        floats = *at_rest, *moved, places, places if turns is None else turns, room.turns
        ints = np.array([*sizes, form], dtype=np.int64), *shapes, *search
        tables = rest.tables.rows, room.tables.rows, room.ball_tables.rows
        return cls(floats, ints, rest.compared, rest.met, rest.blocks.boxes, tables)

    def addresses(self) -> tuple[Any, ...]:
        """Return the addresses of all, which are as good as these arrays live."""
        compared, met, blocks = map(address, (self.compared, self.met, self.blocks))
        return _table(self.floats), _table(self.ints), compared, met, blocks, *map(address, self.tables)


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

    Raises
    ------
    TypeError
        If progress cannot be called.
    """
    if progress is not None and not callable(progress):
        raise TypeError(f"{query}: progress must be a function (done, all), got {progress!r}")
    (places, turns), count = poses.flat(), poses.total
    for start in range(0, count, _GO):
        end = min(start + _GO, count)
        here = np.ascontiguousarray(places[start:end])
        turned = None if turns is None else np.ascontiguousarray(turns[start:end])
        work = partial(_run_part, loop, rest, here, turned, outputs(start))
        if not all(in_parts(work, end - start, _PART)):
            poses.refuse(query)
        if progress is not None:
            progress(end, count)


def _run_part(
    loop: Loop,
    rest: AtRest,
    places: FloatArray,
    turns: FloatArray | None,
    outputs: tuple[Any, ...],
    first: int,
    last: int,
) -> bool:
    """Run a loop over some poses, and tell whether all were such."""
    room = Room(rest)
    given = Arguments.of(rest, room, places, turns)  # both must live until the loop is done
    return bool(loop.run(first, last, *given.addresses(), *outputs) == last)
