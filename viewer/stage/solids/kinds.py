"""Solids sorted by what draws them: capsules, boxes and cylinders; and what is drawn of those without a surface."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from collision.inner import FloatArray
from viewer.records.drawables import Core, Marker, Solid, Stroke, thin_roles

Codes: TypeAlias = npt.NDArray[np.uint8]

#: The thinnest side of a box, as a part of its longest, or at least: a flat box needs a normal.
_THINNEST, _LEAST = 1e-6, 1e-30


class Capsules(NamedTuple):
    """Capsules, and balls as capsules without a length: the ends, the radii and the flags of each."""

    start: FloatArray
    end: FloatArray
    radius: FloatArray
    flags: Codes


class Boxes(NamedTuple):
    """Boxes: the centers, the axes as columns, the half extents and the flags of each."""

    center: FloatArray
    axes: FloatArray
    half: FloatArray
    flags: Codes


class Cylinders(NamedTuple):
    """Cylinders: the middles of their flat ends, the radii and the flags of each."""

    start: FloatArray
    end: FloatArray
    radius: FloatArray
    flags: Codes


class Solids(NamedTuple):
    """All solids of a picture, sorted by what draws them."""

    capsules: Capsules
    boxes: Boxes
    cylinders: Cylinders


def sort_solids(drawables: Sequence[Solid]) -> Solids:
    """Sort solids by what draws them, each group flat and broadcast."""
    none, codes = np.zeros((0, 3)), np.zeros(0, dtype=np.uint8)
    groups: dict[type, list[tuple[Any, ...]]] = {
        Capsules: [(none, none, none[:, 0], codes)],
        Boxes: [(none, np.zeros((0, 3, 3)), none, codes)],
        Cylinders: [(none, none, none[:, 0], codes)],
    }
    for drawable in drawables:
        some = _sorted_solid(drawable)
        groups[type(some)].append(some)
    return Solids(*(kind(*map(np.concatenate, zip(*some, strict=True))) for kind, some in groups.items()))


def _sorted_solid(solid: Solid) -> Capsules | Boxes | Cylinders:
    """Return solids of one kind as what draws them takes them, where they are."""
    rows, turn, shift = solid.rows, np.eye(3), np.zeros(3)
    first, moved = rows[:, :3], solid.transform is not None
    if solid.transform is not None:
        turn, shift = solid.transform[:, :3], solid.transform[:, 3]
        first = first @ turn.T + shift
    if solid.core is Core.POINT:
        return Capsules(first, first, solid.radii, solid.flags)
    if solid.core is Core.LINEAR:
        end = rows[:, 6:9] @ turn.T + shift if moved else rows[:, 6:9]
        return Capsules(first, end, solid.radii, solid.flags)
    if solid.core is Core.CYLINDER:
        end = rows[:, 3:6] @ turn.T + shift if moved else rows[:, 3:6]
        return Cylinders(first, end, rows[:, 13], solid.flags)
    axes, low, high = rows[:, 3:12].reshape(-1, 3, 3).swapaxes(1, 2), 0.5 * rows[:, 12:15], 0.5 * rows[:, 15:]
    axes = turn @ axes if moved else axes
    return Boxes(first + np.einsum("nij,nj->ni", axes, low + high), axes, high - low, solid.flags)


def corners_of(solids: Solids) -> tuple[FloatArray, FloatArray]:
    """Return the lowest and the highest coordinates of each of some solids."""
    capsules, boxes, cylinders = solids
    box = np.einsum("nij,nj->ni", np.abs(boxes.axes), boxes.half)
    # A disk reaches along each axis of the world by the sine of the angle between that and its own.
    disk = cylinders.radius[:, None] * np.sqrt((1.0 - np.square(directions(cylinders))).clip(0.0))
    starts = np.concatenate([capsules.start, boxes.center, cylinders.start])
    ends = np.concatenate([capsules.end, boxes.center, cylinders.end])
    reach = np.concatenate([np.broadcast_to(capsules.radius[:, None], capsules.start.shape), box, disk])
    return np.minimum(starts, ends) - reach, np.maximum(starts, ends) + reach


def directions(solids: Capsules | Cylinders) -> FloatArray:
    """Return unit vectors along the axes of capsules or cylinders, x for those without a length."""
    way = solids.end - solids.start
    length = np.linalg.norm(way, axis=1, keepdims=True)
    found = np.tile([1.0, 0.0, 0.0], (len(way), 1))
    np.divide(way, length, out=found, where=length > 0.0)
    return found


def thin_marks(solids: Solids) -> list[Marker | Stroke]:
    """Return dots and lines for solids without a surface: those of no radius, and boxes of one extent at most."""
    capsules, boxes, cylinders = solids
    bare, wires = capsules.radius == 0.0, cylinders.radius == 0.0
    rods = (boxes.half > 0.0).sum(axis=1) <= 1
    if not (bare.any() or wires.any() or rods.any()):
        return []
    reach = np.einsum("nij,nj->ni", boxes.axes[rods], boxes.half[rods])
    center = boxes.center[rods]
    start = np.concatenate([capsules.start[bare], center - reach, cylinders.start[wires]])
    end = np.concatenate([capsules.end[bare], center + reach, cylinders.end[wires]])
    flags = np.concatenate([capsules.flags[bare], boxes.flags[rods], cylinders.flags[wires]])
    marks: list[Marker | Stroke] = []
    for role, rows in thin_roles(flags):
        short = rows & (start == end).all(axis=1)
        long = rows & ~short
        marks += [Marker(start[short], role)] if short.any() else []
        marks += [Stroke(start[long], end[long], role)] if long.any() else []
    return marks


def thickened(half: FloatArray) -> FloatArray:
    """Return half extents with a little thickness where there is none."""
    longest = half.max(axis=-1, keepdims=True, initial=0.0)
    return np.asarray(np.maximum(half, _THINNEST * np.where(longest > 0.0, longest, _LEAST)))
