"""Which piece of the plane of a half-space is seen: it is drawn, picked and framed."""

from __future__ import annotations

import numpy as np

from collision import AABB, HalfSpace, OrientedBox
from collision.inner import FloatArray
from viewer.records.sizes import grid_step

#: How far the square reaches beyond the scene, as a part of the scene's size.
MARGIN = 0.2

_LEVEL = np.array([1.0, 0.0, 0.0])


def squares(spaces: HalfSpace, bounds: AABB | None) -> OrientedBox:
    """Return the piece of each plane that is drawn, as flat boxes: amid the scene, and somewhat larger."""
    step = grid_step(bounds)
    middle = np.zeros(3) if bounds is None else step * np.round(bounds.center / step)
    size = 2.0 * float(bounds.half_extents.max()) if bounds is not None else 0.0
    half = step * float(np.ceil((0.5 + MARGIN) * (size or 2.0) / step))
    height = np.sum((middle - spaces.point) * spaces.normal, axis=-1)
    centers = middle - height[:, None] * spaces.normal
    normals = np.broadcast_to(spaces.normal, centers.shape)
    return OrientedBox(centers, np.array([_frame(n) for n in normals]).reshape(-1, 3, 3), [half, half, 0.0])


def _frame(normal: FloatArray) -> FloatArray:
    """Return axes of which the last is the normal and the first is level, so that a wall stands upright."""
    # NumPy's own product of single vectors takes ten times as long.
    x, y, z = normal.tolist()
    level = np.array([-y, x, 0.0])
    length = float(np.linalg.norm(level))
    first = level / length if length > 1e-6 else _LEVEL - (_LEVEL @ normal) * normal
    first = first / np.linalg.norm(first)
    a, b, c = first.tolist()
    return np.stack([first, np.array([y * c - z * b, z * a - x * c, x * b - y * a]), normal], axis=1)
