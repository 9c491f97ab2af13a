"""Planes as they are drawn: the ground as a grid, a half-space as a square with hatching on the side that is solid."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from collision import AABB, HalfSpace
from collision.inner import BoolArray, FloatArray
from viewer.picture.drawables import Drawable, Ground, Patch, Role, Stroke
from viewer.view.planes import squares
from viewer.view.sizes import grid_step

#: The ground reaches this far around a scene, in parts of its size.
GROUND_MARGIN = 0.6

#: Hatching strokes along each side of the square, and how deep they go, as a part of the gap between two of them.
STROKES = 12
DEPTH = 0.5

#: The corners of a square, in order, by its two axes.
_CORNERS = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])


def ground(bounds: AABB | None) -> Ground:
    """Return a grid below a box whose squares are 1, 2 or 5 times a power of ten wide."""
    box = bounds if bounds is not None and np.any(bounds.half_extents) else AABB([-1, -1, -1], [1, 1, 1])
    size = 2.0 * float(box.half_extents.max())
    spacing = grid_step(bounds)
    x, y = (spacing * np.round(box.center[:2] / spacing)).tolist()
    half = spacing * float(np.ceil(size * (0.5 + GROUND_MARGIN) / spacing))
    lowest = 0.0 if bounds is None else float(box.lower[2])
    # Shapes that stand above z = 0, or only just dip below it, stand on it.
    floor = 0.0 if -0.05 * size <= lowest <= 0.5 * size else lowest
    return Ground(floor, spacing, (x, y), half)


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
    drawables: list[Drawable] = [Patch(corners, Role.PLANE)]  # calm, also where something touches it
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
    depth = np.linalg.norm(gap, axis=-1, keepdims=True)
    way = DEPTH * (-depth * normals[:, None] - gap)
    return Stroke(at.reshape(-1, 3), (at + way[:, :, None]).reshape(-1, 3), role)
