"""How far the things in a picture reach, and how far its camera must see."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
from vtkmodules.vtkRenderingCore import vtkProp

from collision.inner import FloatArray
from viewer.camera.camera import Viewport

#: The nearest that the camera sees, as a part of the depth of what there is to see.
_NEAR_PART = 1e-3

#: The same, as a part of the distance to what the camera looks at.
_AIM_PART = 1e-2

#: The farthest that the camera sees, in multiples of the nearest.
_DEEPEST = 1e6

#: The lowest and the highest corner of a box.
Corners: TypeAlias = tuple[Sequence[float], Sequence[float]]


def clipping_range(bodies: Iterable[Corners], marks: tuple[float, float], view: Viewport) -> tuple[float, float]:
    """Return the nearest and the farthest depth that the camera must see.

    The steps of the depth buffer are as fine as the nearest depth is far. So lines that come towards the eye, or go to
    the horizon, do not bring it nearer than bodies need.

    Parameters
    ----------
    bodies : iterable of pairs of sequences of 3 floats
        The boxes around them.
    marks : tuple of 2 floats
        The nearest and the farthest depth of what of the marks is before the eye.
    view : Viewport
        Where the picture is taken from.
    """
    (ex, ey, ez), (fx, fy, fz) = view.eye.tolist(), view.forward.tolist()
    # Which of the two corners of a box, along each axis, is nearer.
    i, j, k = fx < 0.0, fy < 0.0, fz < 0.0
    aim = math.dist(view.camera.target, view.camera.position)
    nearest, farthest = math.inf, aim
    for box in bodies:
        near = (box[i][0] - ex) * fx + (box[j][1] - ey) * fy + (box[k][2] - ez) * fz
        far = (box[not i][0] - ex) * fx + (box[not j][1] - ey) * fy + (box[not k][2] - ez) * fz
        nearest, farthest = min(nearest, near), max(farthest, far)
    # A body with a corner behind the eye may be anywhere near; a mark ends where it leaves the view. However far the
    # farthest is, what one looks at is not cut open.
    least = max(min(farthest * _NEAR_PART, aim * _AIM_PART), farthest / _DEEPEST)
    near = max(0.99 * min(nearest, farthest, marks[0]), least)
    return near, min(1.01 * max(farthest, marks[1]), near * _DEEPEST)


def bounds_of(lower: FloatArray, upper: FloatArray) -> Corners | None:
    """Return the lowest and the highest corner of the box around all bodies with such corners; None without any."""
    return union([(lower.min(axis=0, initial=np.inf).tolist(), upper.max(axis=0, initial=-np.inf).tolist())])


def union(boxes: Iterable[Corners]) -> Corners | None:
    """Return the box around boxes; None if there is nothing."""
    lower, upper = zip(*boxes, strict=True) if boxes else ((), ())
    low, high = [*map(min, zip(*lower, strict=True))], [*map(max, zip(*upper, strict=True))]
    if not low or not low[0] <= high[0]:
        return None
    # The sums turn a negative zero into zero: which of them it is must not depend on what was before.
    return tuple(along + 0.0 for along in low), tuple(along + 0.0 for along in high)


def origin_in(lower: Sequence[float], upper: Sequence[float]) -> FloatArray:
    """Return a point near the middle of a box: single precision is relative to it.

    It stays where it is while the box changes a little, as it does when a shape is dragged at its border: it is one of
    the points of a grid as wide as half of the box's size at least, and as all of it at most. So it is within half of
    the size from the middle, and what is relative to it is precise to 2 ** -24 of the size.

    Examples
    --------
    >>> origin_in((1000.0, 0.0, 0.0), (1003.0, 1.0, 2.0)), origin_in((1000.0, 0.0, 0.0), (1003.5, 1.0, 2.0))
    (array([1002.,    0.,    0.]), array([1002.,    0.,    0.]))
    """
    size = max(map(operator.sub, upper, lower))
    middle = [0.5 * low + 0.5 * high for low, high in zip(lower, upper, strict=True)]
    if not 0.0 < size < math.inf:
        return np.array(middle)
    step = math.ldexp(0.5, math.frexp(size)[1])  # the greatest power of two that is not above the size
    # The sum turns a negative zero into zero: which of them it is must not depend on what was before.
    return np.array([step * round(along / step) + 0.0 for along in middle] if step > 0.0 else middle)


def others(renderer: Any, known: Iterable[vtkProp]) -> list[Corners]:
    """Return the boxes around the props of a renderer that are seen but not known: what else a user shows in a plotter.

    VTK would look at all solids for theirs after a change of one.
    """
    mine, found = {*known}, list[Corners]()
    for prop in renderer.GetViewProps():
        if prop not in mine and prop.GetVisibility() and prop.GetUseBounds():
            bounds = prop.GetBounds()
            if bounds is not None and bounds[0] <= bounds[1]:
                found.append((bounds[0::2], bounds[1::2]))
    return found
