"""Planes as they are drawn: what shadows fall on, and half-spaces, as squares with hatching on the solid side."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import cast

import numpy as np

from collision import AABB, HalfSpace, OrientedBox, Scene, Shape
from collision.inner import BoolArray, FloatArray, with_elements
from viewer.camera.camera import lengths
from viewer.camera.planes import squares
from viewer.picture.batches import Batch
from viewer.records.drawables import FLOORS, Drawable, Floor, Ground, Patch, Role, Shadows, Stroke

#: Hatching strokes along each side of the square, and how deep they go, as a part of the gap between two of them.
STROKES = 12
DEPTH = 0.5

#: The least floor that is not the ground, as a part of that; and how far up a half-space looks that is one.
LARGE_PART, LEAST_UP = 0.02, 0.2

#: The corners of a square, in order, by its two axes.
_CORNERS = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])


def shadows(scene: Scene, parts: Sequence[Batch], below: Ground) -> Shadows:
    """Return what solids throw shadows on: half-spaces that look up, or else the ground; and the largest tops of boxes.

    Only what is no small part of the ground counts: shadows on what is small would not be seen as such.
    """
    x, y, half = *below.center, below.half_size
    spaces = [batch.shape for batch in parts if isinstance(batch.first, HalfSpace)]
    floors = [floor for some in spaces for floor in _slopes(some, scene.bounds())]
    floors = floors[: FLOORS - 1] or [Floor((x, y, below.z), (half, 0.0, 0.0), (0.0, half, 0.0), disk=True)]
    part, power = math.frexp(half)  # areas in squares of a power of two: of what is very large, no number holds them
    least = LARGE_PART * part * part
    boxes = [batch for batch in parts if isinstance(batch.first, AABB | OrientedBox)]
    found = [_tops(large) for large in (_large(batch, least, power) for batch in boxes) if len(large)]
    if found:
        center, u, v = (np.concatenate(each) for each in zip(*found, strict=True))
        (a, b), (c, d) = np.ldexp(u[:, :2].T, -power), np.ldexp(v[:, :2].T, -power)
        area = a * d - b * c
        largest = np.argsort(-area, kind="stable")[: FLOORS - len(floors)]
        floors += [_floor(center[k], u[k], v[k]) for k in largest if area[k] > least]
    return Shadows(tuple(floors))


def _slopes(spaces: Shape, bounds: AABB | None) -> list[Floor]:
    """Return the squares of half-spaces that look up, as far as they are drawn."""
    square = squares(cast("HalfSpace", spaces), bounds)
    sides = np.swapaxes(square.axes * square.half_extents[..., None, :], 1, 2)
    up = np.flatnonzero(square.axes[:, 2, 2] > LEAST_UP)
    return [_floor(square.center[k], sides[k, 0], sides[k, 1]) for k in up]


def _floor(center: FloatArray, u: FloatArray, v: FloatArray) -> Floor:
    (a, b, c), (d, e, f), (g, h, i) = center.tolist(), u.tolist(), v.tolist()
    return Floor((a, b, c), (d, e, f), (g, h, i))


def _large(batch: Batch, least: float, power: int) -> AABB | OrientedBox:
    """Return the boxes of a batch, as they are now, that have a face so large."""
    large = _are_large(cast("AABB | OrientedBox", batch.first), least, power)
    for row, box in batch.moved.items():
        large[row] = _are_large(cast("AABB | OrientedBox", box), least, power)
    rows = np.flatnonzero(large)
    now = [batch.moved.get(row) for row in rows.tolist()]
    places: dict[tuple[int, ...], Shape] = {(k,): box for k, box in enumerate(now) if box is not None}
    some = batch.first[rows]
    return cast("AABB | OrientedBox", with_elements(some, places) if places else some)


def _are_large(boxes: AABB | OrientedBox, least: float, power: int) -> BoolArray:
    x, y, z = np.ldexp(boxes.half_extents.T, -power)
    return np.asarray(np.maximum(np.maximum(x * y, y * z), z * x) > least)


def _tops(boxes: AABB | OrientedBox) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the middles and the half sides of the faces of boxes that look up most."""
    half = boxes.half_extents
    axes = np.broadcast_to(np.eye(3), (len(half), 3, 3)) if isinstance(boxes, AABB) else boxes.axes
    rows = np.arange(len(half))
    up = np.abs(axes[:, 2]).argmax(axis=1)
    sides = np.swapaxes(axes * half[:, None, :], 1, 2)
    one, other = sides[rows, (up + 1) % 3], sides[rows, (up + 2) % 3]
    sign = np.where(axes[rows, 2, up] < 0.0, -1.0, 1.0)[:, None]
    return boxes.center + sign * sides[rows, up], one, sign * other


def planes(spaces: HalfSpace, bounds: AABB | None, roles: Sequence[tuple[Role, BoolArray]]) -> list[Drawable]:
    """Return the pictures of half-spaces: what is filled, the border, and the hatching on the solid side.

    Parameters
    ----------
    spaces : HalfSpace
        A flat batch.
    bounds : AABB, optional
        The box around the scene.
    roles : sequence of pairs of Role and ndarray of bool
        Which of them have which role.
    """
    square = squares(spaces, bounds)
    axes, half = square.axes, float(square.half_extents[0])
    offsets = half * np.einsum("ck,nik->nci", _CORNERS, axes[:, :, :2])
    corners = square.center[:, None] + offsets
    hit = np.logical_or.reduce([np.zeros(len(corners), bool), *[rows for role, rows in roles if role is Role.HIT]])
    filled = ((Role.PLANE, ~hit), (Role.PLANE_HIT, hit))
    drawables: list[Drawable] = [Patch(corners[rows], role) for role, rows in filled if rows.any()]
    for role, rows in roles:
        start, end = corners[rows], np.roll(corners[rows], -1, axis=1)
        shown = {Role.FREE: Role.PLANE, Role.HIT: Role.PLANE_HIT}.get(role, role)
        drawables.append(Stroke(start.reshape(-1, 3), end.reshape(-1, 3), shown))
        if role not in (Role.SELECTED, Role.HOVERED):
            drawables.append(_hatching(start, end, axes[rows, :, 2], shown))
    return drawables


def _hatching(start: FloatArray, end: FloatArray, normals: FloatArray, role: Role) -> Stroke:
    """Return short slanting strokes from each side of each square into the solid."""
    part = (np.arange(STROKES)[:, None] + 0.5) / STROKES
    at = start[:, :, None] + part * (end - start)[:, :, None]
    gap = (end - start) / STROKES
    depth = lengths(gap)[..., None]
    way = DEPTH * (-depth * normals[:, None] - gap)
    return Stroke(at.reshape(-1, 3), (at + way[:, :, None]).reshape(-1, 3), role)
