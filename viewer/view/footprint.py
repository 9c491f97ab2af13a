"""What part of a picture a shape can hide, and how large it is there: in plain numbers, for the few that move."""

from __future__ import annotations

import math
from typing import NamedTuple

from collision import Shape
from viewer.latest import Latest
from viewer.view.camera import Viewport


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
    (ax, ay, az), (bx, by, bz) = shape.box.tolist()
    (ex, ey, ez), axes, sizes, at_one = _sight(viewport)
    width, length, height = 0.5 * (bx - ax), 0.5 * (by - ay), 0.5 * (bz - az)
    x, y, z = ax + width - ex, ay + length - ey, az + height - ez
    # Along each axis of the view: the middle of the box, from the eye, and how far it reaches to both sides of it.
    (ru, rv, rw), (uu, uv, uw), (fu, fv, fw) = axes
    (ra, rb, rc), (ua, ub, uc), (fa, fb, fc) = sizes
    across, half_across = ru * x + rv * y + rw * z, ra * width + rb * length + rc * height
    above, half_above = uu * x + uv * y + uw * z, ua * width + ub * length + uc * height
    depth, half_depth = fu * x + fv * y + fw * z, fa * width + fb * length + fc * height
    near, far = depth - half_depth, depth + half_depth
    if not near > 0.0:
        return EVERYWHERE
    if viewport.camera.parallel_height is not None:
        near = far = depth = 1.0
    left, bottom, right, top = across - half_across, above - half_above, across + half_across, above + half_above
    middle_x, middle_y = 0.5 * viewport.size[0], 0.5 * viewport.size[1]
    return Footprint(
        middle_x + left * at_one / (near if left < 0.0 else far) - _ROOM,
        middle_y + bottom * at_one / (near if bottom < 0.0 else far) - _ROOM,
        middle_x + right * at_one / (far if right < 0.0 else near) + _ROOM,
        middle_y + top * at_one / (far if top < 0.0 else near) + _ROOM,
        2.0 * max(width, length, height) * at_one / depth,
    )


@Latest
def _sight(viewport: Viewport) -> tuple[list[float], list[list[float]], list[list[float]], float]:
    """Return the eye, the axes of the view, these without signs, and the pixels to a unit at a depth of one.

    A parallel view has as many at any depth.
    """
    axes = [viewport.right.tolist(), viewport.up.tolist(), viewport.forward.tolist()]
    half = 0.5 * viewport.size[1]
    parallel, angle = viewport.camera.parallel_height, viewport.camera.view_angle
    at_one = half / math.tan(0.5 * math.radians(angle)) if parallel is None else 2.0 * half / parallel
    return viewport.eye.tolist(), axes, [[abs(part) for part in axis] for axis in axes], at_one
