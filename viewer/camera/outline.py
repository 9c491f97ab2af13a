"""Boxes around shapes, for framing them and for telling what part of a picture they cover."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

import numpy as np

from collision import AABB, Capsule, HalfSpace, OrientedBox, Point, Segment, Shape
from collision.inner import FloatArray

#: More boxes than this are merged with their neighbours, in a grid of so many cells along each axis: some hundred say
#: well enough where shapes are.
MANY, CELLS = 512, 8

#: How many boxes stand for a capsule or a segment.
PIECES = 5

#: A plane is seen with a scene unless it is farther away than this many times the scene's size, which would be small.
FAR = 4.0

#: How much of planes is seen where there is nothing else, as a part of the size of the box around their points.
PLANES = 0.8

#: Which side of a box each of its corners is on, along each axis.
_CORNERS = np.array(list(product((False, True), repeat=3)))

#: The edges of a box, each by the places of its two corners.
EDGES = np.array([(i, i | bit) for bit in (4, 2, 1) for i in range(8) if not i & bit])


def corners(lower: FloatArray, upper: FloatArray) -> FloatArray:
    """Return the eight corners of each of some boxes, (8, ..., 3)."""
    return np.where(_CORNERS.reshape(8, *[1] * (lower.ndim - 1), 3), upper, lower)


def corners_of(boxes: AABB | OrientedBox) -> FloatArray:
    """Return the eight corners of each box of a flat batch, (8, n, 3)."""
    if isinstance(boxes, AABB):
        return corners(boxes.lower, boxes.upper)
    reach = corners(-boxes.half_extents, boxes.half_extents)
    return np.asarray(boxes.center + np.einsum("nij,cnj->cni", boxes.axes, reach))


def circles(axis: FloatArray, beside: FloatArray, angles: FloatArray) -> FloatArray:
    """Return points of circles of radius 1 around axes, (n, angles, 3), of which angle 0 is across a direction, too."""
    axis = axis / np.linalg.norm(axis, axis=-1, keepdims=True)
    x = np.cross(axis, beside)
    along = np.linalg.norm(x, axis=-1, keepdims=True) < 1e-6
    x = np.where(along, np.cross(axis, np.eye(3)[np.abs(axis).argmin(axis=-1)]), x)
    x /= np.linalg.norm(x, axis=-1, keepdims=True)
    y = np.cross(axis, x)
    return np.asarray(np.cos(angles)[:, None] * x[:, None] + np.sin(angles)[:, None] * y[:, None])


def finite_bounds(shape: Shape) -> AABB:
    """Return the box around each element of a shape; rays and lines count by the point that they are given by."""
    return shape.bounds() if shape.bounded else Point(shape.core.middle()).bounds()


def outline(shapes: Iterable[Shape]) -> AABB | None:
    """Return boxes around some shapes, as one batch: where they are few, several along each capsule and segment.

    The box around a slanting capsule is empty for the most part, and what covers its corners covers nothing.
    """
    flat = [shape.flattened() for shape in shapes]
    flat = [shape for shape in flat if shape.anchored] or flat
    few = sum(map(len, flat)) <= MANY // PIECES
    boxes = [_pieces(shape) if few and isinstance(shape, Segment | Capsule) else finite_bounds(shape) for shape in flat]
    if not boxes:
        return None
    return AABB(np.concatenate([box.lower for box in boxes]), np.concatenate([box.upper for box in boxes]))


def with_planes(boxes: AABB, shapes: Iterable[Shape]) -> AABB:
    """Return boxes around all shapes of a scene, and the place of each plane that is nearest to their middle."""
    every = list(shapes)
    spaces = [shape.flattened() for shape in every if isinstance(shape, HalfSpace)]
    if not spaces:
        return boxes
    whole = AABB.union(boxes)
    middle, size = whole.center, 2.0 * float(whole.half_extents.max())
    if len(spaces) == len(every):
        reach = PLANES * (size or 2.0)
        return AABB([middle - reach], [middle + reach])
    feet = [np.zeros((0, 3))]
    for space in spaces:
        height = np.sum((middle - space.point) * space.normal, axis=-1, keepdims=True)
        feet.append((middle - height * space.normal)[np.abs(height[:, 0]) <= FAR * size])
    near, flat = np.concatenate(feet), boxes.flattened()
    return AABB(np.concatenate([flat.lower, near]), np.concatenate([flat.upper, near]))


def merged(boxes: AABB) -> AABB:
    """Return boxes, or where they are very many, the boxes around those in each cell of a coarse grid."""
    flat = boxes.flattened()
    if len(flat) <= MANY:
        return flat
    whole = AABB.union(flat)
    size = np.maximum(whole.upper - whole.lower, np.finfo(float).tiny)
    cells = np.minimum((CELLS * ((flat.center - whole.lower) / size)).astype(np.int64), CELLS - 1)
    _, cell = np.unique(cells @ np.array([CELLS * CELLS, CELLS, 1]), return_inverse=True)
    lower, upper = np.full((cell.max() + 1, 3), np.inf), np.full((cell.max() + 1, 3), -np.inf)
    np.minimum.at(lower, cell, flat.lower)
    np.maximum.at(upper, cell, flat.upper)
    return AABB(lower, upper)


def _pieces(shape: Segment | Capsule) -> AABB:
    part = np.linspace(0.0, 1.0, PIECES)[:, None, None]
    centers = (shape.start * (1.0 - part) + shape.end * part).reshape(-1, 3)
    reach = np.tile(shape.radius, PIECES)[:, None] if isinstance(shape, Capsule) else 0.0
    return AABB(centers - reach, centers + reach)
