"""Where points and lines are seen in a view, in pixels: compiled arithmetic, no renderer."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from collision.inner import FloatArray, Floats, Vec3, along, dot, kernel, load, sub
from viewer.camera.camera import Viewport

#: Nothing nearer to the eye than this part of the distance to its target is drawn of a stroke.
_NEAREST = 1e-3

#: Strokes go this far over the picture's edge, as a part of its size.
_BLEED = 0.05


class Pixel(NamedTuple):
    """Where a point is seen: pixels from the middle, and how many scene units one covers.

    That is 0 for a point that is not before the eye, or that has no place: one with an infinite coordinate, or none.
    """

    x: float
    y: float
    size: float


#: Where the numbers of a view are: eye, forward, right and up, three each. Then, a pixel covers so many scene units,
#: and so many more for each of depth; strokes go so many pixels to the side and up from the middle, and are so far
#: before the eye.
EYE, FORWARD, RIGHT, UP = range(0, 12, 3)
_FLAT, SLOPE, _WIDE, _HIGH, _FIRST = range(12, 17)


def view_numbers(view: Viewport) -> FloatArray:
    """Return a view as the numbers that kernels take."""
    camera, (wide, high) = view.camera, view.size
    flat = 0.0 if camera.parallel_height is None else camera.parallel_height / high
    slope = 2.0 * math.tan(math.radians(camera.view_angle) / 2.0) / high if camera.parallel_height is None else 0.0
    nearest = _NEAREST * math.dist(camera.target, camera.position)
    reach = 0.5 + _BLEED
    numbers = [*view.eye, *view.forward, *view.right, *view.up, flat, slope, reach * wide, reach * high, nearest]
    return np.array(numbers, dtype=np.float64)


# Kernels get a view as raw memory, not as a tuple: Numba takes long for calls with many values.


@kernel
def from_eye(s: Floats, p: Vec3) -> Vec3:
    """Return where a point is from the eye: to the right, up, and into the picture."""
    v = sub(p, load(s, EYE))
    return Vec3(dot(v, load(s, RIGHT)), dot(v, load(s, UP)), dot(v, load(s, FORWARD)))


@kernel
def pixel_of(s: Floats, p: Vec3) -> Pixel:
    """Return where a point is seen."""
    v = from_eye(s, p)
    size = s[_FLAT] + s[SLOPE] * v.z if 0.0 < v.z < math.inf else 0.0
    return Pixel(v.x / size, v.y / size, size)


@kernel
def _margin(s: Floats, p: Vec3, plane: int) -> float:
    """Return how far a point is inside of the near plane (0) or of a side of the picture; negative outside."""
    v = from_eye(s, p)
    if plane == 0:
        return v.z - s[_FIRST]
    size = s[_FLAT] + s[SLOPE] * v.z
    if plane < 3:
        return size * s[_WIDE] + (v.x if plane == 1 else -v.x)
    return size * s[_HIGH] + (v.y if plane == 3 else -v.y)


@kernel
def clip(s: Floats, a: Vec3, b: Vec3) -> tuple[bool, Vec3, Vec3]:
    """Return whether any of a line is in the picture (a little over its edge) and before the eye, and what is."""
    enter, leave = 0.0, 1.0
    for plane in range(5):
        first, last = _margin(s, a, plane), _margin(s, b, plane)
        if not abs(first + last) < math.inf or (first < 0.0 and last < 0.0):
            enter, leave = 2.0, -1.0
        elif first < 0.0:
            enter = max(enter, -first / (last - first))
        elif last < 0.0:
            leave = min(leave, -first / (last - first))
    line = sub(b, a)
    # The ends that are not cut keep all their digits.
    begin = along(a, enter, line) if enter > 0.0 else a
    end = along(a, leave, line) if leave < 1.0 else b
    return enter <= leave, begin, end
