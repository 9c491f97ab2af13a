"""How far the things in a picture reach, and how far its camera must see. Pure arithmetic, no renderer."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from collision.fields import FloatArray
from viewer.camera import Viewport
from viewer.drawables import Solid

#: The nearest that the camera sees, as a part of the depth of what there is to see.
_NEAR_PART = 1e-3

#: The farthest that the camera sees, in multiples of the nearest.
_DEEPEST = 1e6


def clipping_range(bodies: FloatArray, marks: FloatArray, view: Viewport) -> tuple[float, float]:
    """Return the nearest and the farthest depth that the camera must see.

    The steps of the depth buffer are as fine as the nearest depth is far. So lines that come towards the eye, or go to
    the horizon, do not bring it nearer than bodies need.
    """
    target = float((np.array(view.camera.target) - view.eye) @ view.forward)
    of_bodies, of_marks = ((points - view.eye) @ view.forward for points in (bodies, marks))
    # A body with a corner behind the eye may be anywhere near; a mark ends where it leaves the view.
    depth = np.concatenate([of_bodies, of_marks[of_marks > 0.0]])
    middle = max(float(of_bodies.max(initial=0.0)), target)
    near = max(0.99 * float(depth.min(initial=middle)), middle * _NEAR_PART)
    far = 1.01 * float(depth.max(initial=middle))
    return near, min(far, near * _DEEPEST)


def middle(solids: Sequence[Solid]) -> FloatArray:
    """Return a point near all solids: single precision is relative to it."""
    boxes = [solid.shape.bounds() for solid in solids if len(solid.shape.flattened())]
    if not boxes:
        return np.zeros(3)
    lower = np.min([box.lower.reshape(-1, 3).min(axis=0) for box in boxes], axis=0)
    upper = np.max([box.upper.reshape(-1, 3).max(axis=0) for box in boxes], axis=0)
    return np.asarray(0.5 * lower + 0.5 * upper)


def corners(lower: FloatArray, upper: FloatArray) -> FloatArray:
    """Return the eight corners of a box."""
    choice = np.array([[(i >> axis) & 1 for axis in range(3)] for i in range(8)], dtype=bool)
    return np.where(choice, upper, lower)
