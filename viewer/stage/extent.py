"""How far the things in a picture reach, and how far its camera must see."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from vtkmodules.vtkRenderingCore import vtkProp

from collision.inner import FloatArray
from viewer.camera.camera import Viewport, distance

#: The nearest that the camera sees, as a part of the depth of what there is to see.
_NEAR_PART = 1e-3

#: The same, as a part of the distance to what the camera looks at.
_AIM_PART = 1e-2

#: The farthest that the camera sees, in multiples of the nearest.
_DEEPEST = 1e6


def clipping_range(bodies: FloatArray, marks: tuple[float, float], view: Viewport) -> tuple[float, float]:
    """Return the nearest and the farthest depth that the camera must see.

    The steps of the depth buffer are as fine as the nearest depth is far. So lines that come towards the eye, or go to
    the horizon, do not bring it nearer than bodies need.

    Parameters
    ----------
    bodies : ndarray, shape (n, 2, 3)
        The lowest and the highest corners of the boxes around them.
    marks : tuple of 2 floats
        The nearest and the farthest depth of what of the marks is before the eye.
    view : Viewport
        Where the picture is taken from.
    """
    aim = distance(view.camera)
    nearer, farther = np.where(view.forward < 0.0, bodies[:, ::-1], bodies).swapaxes(0, 1)
    nearest = float(((nearer - view.eye) @ view.forward).min(initial=math.inf))
    farthest = float(((farther - view.eye) @ view.forward).max(initial=aim))
    # A body with a corner behind the eye may be anywhere near; a mark ends where it leaves the view. However far the
    # farthest is, what one looks at is not cut open.
    least = max(min(farthest * _NEAR_PART, aim * _AIM_PART), farthest / _DEEPEST)
    near = max(0.99 * min(nearest, farthest, marks[0]), least)
    return near, min(1.01 * max(farthest, marks[1]), near * _DEEPEST)


def bounds_of(lower: FloatArray, upper: FloatArray) -> FloatArray:
    """Return the box around all bodies between such corners, (1, 2, 3); (0, 2, 3) without any."""
    if not len(lower):
        return np.zeros((0, 2, 3))
    # The sum turns a negative zero into zero: which of them it is must not depend on what was before.
    return np.array([[lower.min(axis=0), upper.max(axis=0)]]) + 0.0


def origin_in(lower: FloatArray, upper: FloatArray) -> FloatArray:
    """Return a point near the middle of a box: single precision is relative to it.

    It stays where it is while the box changes a little, as it does when a shape is dragged at its border: it is one of
    the points of a grid as wide as half of the box's size at least, and as all of it at most. So it is within half of
    the size from the middle, and what is relative to it is precise to 2 ** -24 of the size.

    Examples
    --------
    >>> low = np.array([1000.0, 0.0, 0.0])
    >>> origin_in(low, low + [3.0, 1.0, 2.0]), origin_in(low, low + [3.5, 1.0, 2.0])
    (array([1002.,    0.,    0.]), array([1002.,    0.,    0.]))
    """
    size, middle = float((upper - lower).max()), 0.5 * lower + 0.5 * upper
    step = math.ldexp(0.5, math.frexp(size)[1]) if 0.0 < size < math.inf else 0.0  # a power of two not above the size
    # The sum turns a negative zero into zero: which of them it is must not depend on what was before.
    return np.asarray(step * np.round(middle / step) + 0.0 if step > 0.0 else middle)


def others(renderer: Any, known: Iterable[vtkProp]) -> FloatArray:
    """Return the boxes around the props of a renderer that are seen but not known: what else a user shows in a plotter.

    VTK would look at all solids for theirs after a change of one.
    """
    mine, found = {*known}, list[Any]()
    for prop in renderer.GetViewProps():
        if prop not in mine and prop.GetVisibility() and prop.GetUseBounds():
            bounds = prop.GetBounds()
            if bounds is not None and bounds[0] <= bounds[1]:
                found.append((bounds[0::2], bounds[1::2]))
    return np.reshape(found, (-1, 2, 3))
