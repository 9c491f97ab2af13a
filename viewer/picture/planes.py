"""Planes as they are drawn: what shadows fall on, and half-spaces, as squares with hatching on the solid side."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from collision import AABB, HalfSpace, Scene
from collision.inner import BoolArray, FloatArray
from viewer.camera.camera import lengths
from viewer.camera.planes import squares
from viewer.records.drawables import Drawable, Floor, Ground, Patch, Role, Shadows, Stroke

#: Hatching strokes along each side of the square, and how deep they go, as a part of the gap between two of them.
STROKES = 12
DEPTH = 0.5

#: How far up a half-space looks that shadows fall on.
LEAST_UP = 0.2

#: The corners of a square, in order, by its two axes.
_CORNERS = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])


def shadows(scene: Scene, below: Ground) -> Shadows:
    """Return what solids throw shadows on: half-spaces that look up, or else the ground."""
    x, y, half = *below.center, below.half_size
    spaces = [shape for _, shape in scene.groups if isinstance(shape, HalfSpace)]
    floors = [floor for some in spaces for floor in _slopes(some, scene.bounds())]
    return Shadows(tuple(floors) or (Floor((x, y, below.z), (half, 0.0, 0.0), (0.0, half, 0.0)),))


def _slopes(spaces: HalfSpace, bounds: AABB | None) -> list[Floor]:
    """Return the squares of half-spaces that look up, as far as they are drawn."""
    square = squares(spaces, bounds)
    sides = np.swapaxes(square.axes * square.half_extents[..., None, :], 1, 2)
    up = np.flatnonzero(square.axes[:, 2, 2] > LEAST_UP)
    return [_floor(square.center[k], sides[k, 0], sides[k, 1]) for k in up]


def _floor(center: FloatArray, u: FloatArray, v: FloatArray) -> Floor:
    (a, b, c), (d, e, f), (g, h, i) = center.tolist(), u.tolist(), v.tolist()
    return Floor((a, b, c), (d, e, f), (g, h, i))


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
    shown = {Role.FREE: Role.PLANE, Role.HIT: Role.PLANE_HIT, Role.TOUCHING: Role.PLANE_TOUCHING}
    halos = (Role.SELECTED, Role.HOVERED)
    drawables: list[Drawable] = [
        Patch(corners[rows], shown.get(role, Role.PLANE)) for role, rows in roles if role not in halos
    ]
    for role, rows in roles:
        start, end = corners[rows], np.roll(corners[rows], -1, axis=1)
        line = shown.get(role, role)
        drawables.append(Stroke(start.reshape(-1, 3), end.reshape(-1, 3), line))
        if role not in halos:
            drawables.append(_hatching(start, end, axes[rows, :, 2], line))
    return drawables


def _hatching(start: FloatArray, end: FloatArray, normals: FloatArray, role: Role) -> Stroke:
    """Return short slanting strokes from each side of each square into the solid."""
    part = (np.arange(STROKES)[:, None] + 0.5) / STROKES
    at = start[:, :, None] + part * (end - start)[:, :, None]
    gap = (end - start) / STROKES
    depth = lengths(gap)[..., None]
    way = DEPTH * (-depth * normals[:, None] - gap)
    return Stroke(at.reshape(-1, 3), (at + way[:, :, None]).reshape(-1, 3), role)
