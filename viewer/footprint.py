"""What part of a picture a shape can hide, and how large it is there: in plain numbers, for the few that move."""

from __future__ import annotations

import math
from typing import NamedTuple

from collision import Shape
from viewer.camera import Viewport
from viewer.latest import Latest


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


@Latest  # specks and names ask for that of the same shape
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
    lower, upper = shape.corners()
    (ax, ay, az), (bx, by, bz), (ex, ey, ez) = lower.tolist(), upper.tolist(), viewport.eye.tolist()
    width, length, height = 0.5 * (bx - ax), 0.5 * (by - ay), 0.5 * (bz - az)
    x, y, z = ax + width - ex, ay + length - ey, az + height - ez
    # Along each axis of the view: the middle of the box, from the eye, and how far it reaches to both sides of it.
    middle, reach = [], []
    for axis in (viewport.right, viewport.up, viewport.forward):
        u, v, w = axis.tolist()
        middle.append(u * x + v * y + w * z)
        reach.append(abs(u) * width + abs(v) * length + abs(w) * height)
    if not middle[2] - reach[2] > 0.0:
        return EVERYWHERE
    wide, high = viewport.size
    parallel = viewport.camera.parallel_height
    if parallel is not None:
        least = most = usual = high / parallel
    else:
        at_one = 0.5 * high / math.tan(0.5 * math.radians(viewport.camera.view_angle))
        least, most = at_one / (middle[2] + reach[2]), at_one / (middle[2] - reach[2])
        usual = at_one / middle[2]
    edges = []
    for i, size in ((0, wide), (1, high)):
        low, top = middle[i] - reach[i], middle[i] + reach[i]
        edges.append(0.5 * size + low * (most if low < 0.0 else least) - _ROOM)
        edges.append(0.5 * size + top * (least if top < 0.0 else most) + _ROOM)
    return Footprint(edges[0], edges[2], edges[1], edges[3], 2.0 * max(width, length, height) * usual)
