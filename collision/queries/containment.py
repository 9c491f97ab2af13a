"""Whether a shape without bounds lies inside another."""

from __future__ import annotations

import numpy as np

from collision.base.fields import BoolArray
from collision.kernels.cores import TOUCH
from collision.queries.separation import separate
from collision.shapes.kinds import Point, Shape


def contains_unbounded(a: Shape, b: Shape, lead: tuple[int, ...]) -> BoolArray:
    """Tell whether a holds a shape without bounds: only a line along the same carrier can, or a half-space."""
    outer, inner = a.core.cone(), b.core.cone()
    if outer is None or inner is None or (not outer.solid and (inner.solid or inner.both_ways > outer.both_ways)):
        return np.zeros(lead, dtype=bool)[()]
    carrier, direction = outer.axis, inner.axis
    origin = b.core.middle()
    point = Point(origin)
    record = separate(a, point, np.broadcast_shapes(a.batch_shape, point.batch_shape))
    if inner.solid:
        along = np.abs(carrier - direction).max(axis=-1) <= TOUCH
    elif outer.solid:
        rise = np.sum(carrier * direction, axis=-1)
        along = (np.abs(rise) if inner.both_ways else rise) <= TOUCH
    else:
        along = np.linalg.norm(np.cross(carrier, direction), axis=-1) <= TOUCH
        if not outer.both_ways:
            along &= np.sum(carrier * direction, axis=-1) > 0.0
    inside = (record.signed_distance <= TOUCH * record.size) & along
    return np.broadcast_to(np.asarray(inside), lead).copy()[()]
