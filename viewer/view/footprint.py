"""What part of a picture a shape can hide, and how large it is there."""

from __future__ import annotations

import math
from typing import NamedTuple

from collision import Shape
from viewer.view.camera import Viewport
from viewer.view.outline import corners


class Footprint(NamedTuple):
    """A part of a picture, in pixels; and how many the longest side of the shape that is seen there has, if known."""

    left: float
    bottom: float
    right: float
    top: float
    side: float = math.nan

    def meets(self, other: Footprint) -> bool:
        """Tell whether two have something in common; what is NaN has nothing in common with any."""
        across = self.left <= other.right and other.left <= self.right
        return across and self.bottom <= other.top and other.bottom <= self.top


EVERYWHERE = Footprint(-math.inf, -math.inf, math.inf, math.inf)
NOWHERE = Footprint(math.nan, math.nan, math.nan, math.nan)

#: So many pixels are added on each side, for the rounding.
_ROOM = 1.0


def footprint(shape: Shape, viewport: Viewport) -> Footprint:
    """Return a part of the picture that has all of a single shape in it.

    All of the picture, for a shape that has no end or is not wholly before the eye.

    Examples
    --------
    >>> from collision import AABB, Camera
    >>> view = Viewport(Camera(position=(0, 0, 10), up=(0, 1, 0), parallel_height=10), (200, 100))
    >>> footprint(AABB([0, 0, 0], [1, 2, 3]), view)
    Footprint(left=99.0, bottom=49.0, right=111.0, top=71.0, side=30.0)
    """
    if not shape.bounded:
        return EVERYWHERE
    box = shape.bounds()
    pixels, depth = viewport.project(corners(box.lower, box.upper))
    if not depth.min() > 0.0:
        return EVERYWHERE
    (left, bottom), (right, top) = (pixels.min(axis=0) - _ROOM).tolist(), (pixels.max(axis=0) + _ROOM).tolist()
    side = 2.0 * box.half_extents.max() / viewport.units_per_pixel(box.center)
    return Footprint(left, bottom, right, top, float(side))
