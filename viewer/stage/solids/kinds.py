"""Solids sorted by what draws them: capsules, boxes, cylinders, hulls; and what is drawn of those without a surface."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from collision.inner import BoolArray, FloatArray, IntArray, turned
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


class Hulls(NamedTuple):
    """Hulls that are polygons or solids: the middles, the axes as columns, the radii and the flags.

    And where the corners and faces of each are in the table, as `viewer.records.drawables.Cores` has it.
    """

    middle: FloatArray
    axes: FloatArray
    radius: FloatArray
    flags: Codes
    begin: IntArray
    table: FloatArray

    def of(self, rows: BoolArray) -> Hulls:
        """Return some of them."""
        middle, axes, radius, flags, begin, table = self
        return Hulls(middle[rows], axes[rows], radius[rows], flags[rows], begin[rows], table)


class HullParts(NamedTuple):
    """The corners of some hulls around their middles, the normals of their faces, and their edges.

    An edge has the numbers of its two corners and of the faces on its left and its right. `counts` has how many
    corners, faces and edges each hull has; those that are `flat` have faces without width on their sides.
    """

    corners: FloatArray
    normals: FloatArray
    edges: IntArray
    counts: IntArray
    flat: BoolArray

    @classmethod
    def of(cls, hulls: Hulls) -> HullParts:
        """Return the parts of hulls."""
        begin = hulls.begin
        heads = hulls.table[begin[:, None] + np.arange(4)].astype(int)
        counts, parts = heads[:, :3], list[FloatArray]()
        begin = begin + 5
        for count, width in zip(counts.T, (3, 4, 4), strict=True):
            first = np.repeat(begin - width * (np.cumsum(count) - count), count)
            parts.append(hulls.table[(first + width * np.arange(len(first)))[:, None] + np.arange(width)])
            begin = begin + width * count
        firsts = np.repeat(np.cumsum(counts, axis=0) - counts, counts[:, 2], axis=0)
        edges = parts[2].astype(int) + firsts[:, [0, 0, 1, 1]]
        return cls(parts[0], parts[1][:, :3], edges, counts, heads[:, 3] == 2)


class Solids(NamedTuple):
    """All solids of a picture, sorted by what draws them."""

    capsules: Capsules
    boxes: Boxes
    cylinders: Cylinders
    hulls: Hulls


def sort_solids(drawables: Sequence[Solid]) -> Solids:
    """Sort solids by what draws them, each group flat and broadcast."""
    none, codes = np.zeros((0, 3)), np.zeros(0, dtype=np.uint8)
    groups: dict[type, list[tuple[Any, ...]]] = {
        Capsules: [(none, none, none[:, 0], codes)],
        Boxes: [(none, np.zeros((0, 3, 3)), none, codes)],
        Cylinders: [(none, none, none[:, 0], codes)],
        Hulls: [(none, np.zeros((0, 3, 3)), none[:, 0], codes, np.zeros(0, int), none[:, 0])],
    }
    tables = 0
    for drawable in drawables:
        for some in _sorted_solid(drawable):
            groups[type(some)].append(some._replace(begin=some.begin + tables) if isinstance(some, Hulls) else some)
        tables += len(drawable.table)
    return Solids(*(kind(*map(np.concatenate, zip(*some, strict=True))) for kind, some in groups.items()))


def _sorted_solid(solid: Solid) -> tuple[Capsules | Boxes | Cylinders | Hulls, ...]:
    """Return solids of one kind as what draws them takes them, where they are."""
    rows, turn, shift = solid.rows, np.eye(3), np.zeros(3)
    first, moved = rows[:, :3], solid.transform is not None
    if solid.transform is not None:
        turn, shift = solid.transform[:, :3], solid.transform[:, 3]
        first = first @ turn.T + shift
    if solid.core is Core.POINT:
        return (Capsules(first, first, solid.radii, solid.flags),)
    if solid.core is Core.LINEAR:
        end = rows[:, 6:9] @ turn.T + shift if moved else rows[:, 6:9]
        return (Capsules(first, end, solid.radii, solid.flags),)
    if solid.core is Core.CYLINDER:
        end = rows[:, 3:6] @ turn.T + shift if moved else rows[:, 3:6]
        return (Cylinders(first, end, rows[:, 13], solid.flags),)
    axes = rows[:, 3:12].reshape(-1, 3, 3).swapaxes(1, 2)
    axes = turn @ axes if moved else axes
    if solid.core is Core.HULL:
        return _sorted_hulls(solid, first, axes)
    low, high = 0.5 * rows[:, 12:15], 0.5 * rows[:, 15:]
    return (Boxes(first + np.einsum("nij,nj->ni", axes, low + high), axes, high - low, solid.flags),)


def _sorted_hulls(solid: Solid, middle: FloatArray, axes: FloatArray) -> tuple[Capsules, Hulls]:
    """Return hulls around middles, turned to axes; those that are points or segments as capsules."""
    begin = solid.rows[:, 12].astype(int)
    dimension = solid.table[begin + 3].astype(int)
    hulls = Hulls(middle, axes, solid.radii, solid.flags, begin, solid.table)
    thin, long = hulls.of(dimension < 2), dimension[dimension < 2]
    start, end = (
        thin.middle + turned(thin.axes, solid.table[(thin.begin + 5 + 3 * last)[:, None] + np.arange(3)])
        for last in (0 * long, long)
    )
    return Capsules(start, end, thin.radius, thin.flags), hulls.of(dimension > 1)


def corners_of(solids: Solids) -> tuple[FloatArray, FloatArray]:
    """Return the lowest and the highest coordinates of each of some solids, of hulls those of balls around them."""
    capsules, boxes, cylinders, hulls = solids
    box = np.einsum("nij,nj->ni", np.abs(boxes.axes), boxes.half)
    # A disk reaches along each axis of the world by the sine of the angle between that and its own.
    disk = cylinders.radius[:, None] * np.sqrt((1.0 - np.square(directions(cylinders))).clip(0.0))
    starts = np.concatenate([capsules.start, boxes.center, cylinders.start])
    ends = np.concatenate([capsules.end, boxes.center, cylinders.end])
    reach = np.concatenate([np.broadcast_to(capsules.radius[:, None], capsules.start.shape), box, disk])
    lower, upper = np.minimum(starts, ends) - reach, np.maximum(starts, ends) + reach
    ball = (hulls.table[hulls.begin + 4] + hulls.radius)[:, None]
    return np.concatenate([lower, hulls.middle - ball]), np.concatenate([upper, hulls.middle + ball])


def directions(solids: Capsules | Cylinders) -> FloatArray:
    """Return unit vectors along the axes of capsules or cylinders, x for those without a length."""
    way = solids.end - solids.start
    length = np.linalg.norm(way, axis=1, keepdims=True)
    found = np.tile([1.0, 0.0, 0.0], (len(way), 1))
    np.divide(way, length, out=found, where=length > 0.0)
    return found


def thin_marks(solids: Solids) -> list[Marker | Stroke]:
    """Return dots and lines for solids without a surface: those of no radius, and boxes of one extent at most."""
    capsules, boxes, cylinders, _ = solids
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
