"""The ground: a grid below a scene."""

from __future__ import annotations

import numpy as np

from collision import AABB
from viewer.records.drawables import Ground
from viewer.records.sizes import grid_step

#: The ground reaches this far around a scene, in parts of its size.
GROUND_MARGIN = 0.6


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
