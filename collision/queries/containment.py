"""Whether a shape without bounds lies inside another."""

from __future__ import annotations

import numpy as np

from collision.base.fields import BoolArray
from collision.kernels.cores import TOUCH
from collision.queries.separation import separate
from collision.shapes.kinds import HalfSpace, Line, Point, Ray, Shape


def contains_unbounded(a: Shape, b: Shape, lead: tuple[int, ...]) -> BoolArray:
    """Tell whether a holds a shape without bounds: only a line along the same carrier can, or a half-space."""
    never = a.bounded or (isinstance(a, Ray) and isinstance(b, Line))
    if never or (isinstance(b, HalfSpace) and not isinstance(a, HalfSpace)):
        return np.zeros(lead, dtype=bool)[()]
    origin, direction = b.core.operands[:2]
    carrier = a.core.operands[1]
    point = Point(origin)
    record = separate(a, point, np.broadcast_shapes(a.batch_shape, point.batch_shape))
    if isinstance(b, HalfSpace):
        along = np.abs(carrier - direction).max(axis=-1) <= TOUCH
    elif isinstance(a, HalfSpace):
        rise = np.sum(carrier * direction, axis=-1)
        along = (np.abs(rise) if isinstance(b, Line) else rise) <= TOUCH
    else:
        along = np.linalg.norm(np.cross(carrier, direction), axis=-1) <= TOUCH
        if isinstance(a, Ray):
            along &= np.sum(carrier * direction, axis=-1) > 0.0
    inside = (record.signed_distance <= TOUCH * record.size) & along
    return np.broadcast_to(np.asarray(inside), lead).copy()[()]
