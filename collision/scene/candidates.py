"""The candidates: which elements of a world may be near to a shape, or to each of many, from the broad phase alone.

They are those of the broad phase as it was built, less what has been replaced or hidden since, and what has been
replaced as it is now.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from collision.base.fields import FloatArray, IntArray
from collision.broadphase.volumes import Volumes
from collision.scene.volumes import volumes_of
from collision.shapes.shape import Shape

if TYPE_CHECKING:
    from collision.scene.world import World

NO_PAIRS: IntArray = np.empty((0, 2), dtype=np.int64)


def bounding_box(shape: Shape, room: float) -> FloatArray:
    """Return the corners of a single shape's bounds, (2, 3), with some room; infinite where it has no end."""
    if not shape.bounded:
        return np.array([[-np.inf] * 3, [np.inf] * 3])
    if not room:
        return shape.box.copy()
    # In plain numbers, which become infinite without a warning.
    (ax, ay, az), (bx, by, bz) = shape.box.tolist()
    return np.array([(ax - room, ay - room, az - room), (bx + room, by + room, bz + room)])


def others_in(world: World, number: int, box: FloatArray) -> tuple[IntArray, bool]:
    """Return the elements in a box (2, 3) that one of them, or (-1) a shape from outside, may have a pair with.

    In order, neither hidden ones nor those of ignored pairs; and whether all elements were looked at.
    """
    found = _in_box(world, number, box)
    return _partners(world, number, found), len(found) + (number >= 0) == world.elements.count


def others_near(world: World, number: int, shape: Shape, room: float) -> IntArray:
    """Return the elements that a shape, an element or (-1) one from outside, may be so near to, as `others_in` does."""
    if shape.bounded:
        return others_in(world, number, bounding_box(shape, room))[0]
    found = np.sort(met_by(world, volumes_of(shape.flattened()), room)[:, 1])
    return _partners(world, number, found[found != number])


def met_by(world: World, volumes: Volumes, room: float) -> IntArray:
    """Return the pairs (k, 2) of volumes and elements that may be so near to each other, in no order; none hidden."""
    with np.errstate(over="ignore", invalid="ignore"):  # near the largest number there may be no answer
        pairs = world.hierarchy.met_by(volumes, margin=room)
        if world.as_at_first:
            return pairs
        kept = pairs[~world.gone[pairs[:, 1]]]
        if not world.changes:
            return kept
        numbers, moved = world.moved
        found = moved.met_by(volumes, margin=room)
        return np.concatenate([kept, np.stack([found[:, 0], numbers[found[:, 1]]], axis=1)])


def pairs_of(world: World, numbers: Iterable[int], room: float) -> IntArray:
    """Return the pairs that some elements may have with any, in order."""
    listed = list(numbers)
    if len(listed) == 1:
        return paired(listed[0], others_near(world, listed[0], world.shape(listed[0]), room))
    shown = np.array([number for number in listed if _is_shown(world, number)], dtype=np.int64)
    found = [NO_PAIRS]
    for which, batch, rows in world.by_group(shown):
        own = shown[which]
        met = met_by(world, volumes_of(batch[rows]), room)
        found.append(np.sort(np.stack([own[met[:, 0]], met[:, 1]], axis=1), axis=1))
    pairs = np.concatenate(found)
    pairs = world.ignored.removed(pairs[pairs[:, 0] != pairs[:, 1]])
    return world.from_keys(np.unique(world.keys(pairs)))  # two of them make the same pair twice


def paired(number: int, others: IntArray) -> IntArray:
    """Return the pairs of an element with some others, in order."""
    if not len(others):
        return NO_PAIRS
    pairs = np.empty((len(others), 2), dtype=np.int64)
    np.minimum(others, number, out=pairs[:, 0])
    np.maximum(others, number, out=pairs[:, 1])
    return pairs


def _is_shown(world: World, number: int) -> bool:
    return number < 0 or world.hidden is None or not world.hidden[number]


def _in_box(world: World, number: int, box: FloatArray) -> IntArray:
    """Return the other elements whose bounds overlap a box around one of them, and all others that changed."""
    if not all(map(math.isfinite, box.ravel().tolist())):
        every = np.arange(world.elements.count, dtype=np.int64)
        return every[every != number] if number >= 0 else every
    found, changes = world.hierarchy.near(box, number), world.changes
    if not changes or (len(changes) == 1 and number in changes):
        return found
    return np.union1d(found, list(changes.keys() - {number}))


def _partners(world: World, number: int, others: IntArray) -> IntArray:
    """Return those of some other elements, in order, that one, or a shape from outside, may have a pair with."""
    if not _is_shown(world, number):
        return others[:0]
    if world.hidden is not None:
        others = others[~world.hidden[others]]
    return world.ignored.partners(number, others) if number >= 0 else others
