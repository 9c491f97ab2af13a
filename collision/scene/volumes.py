"""Shapes as the broad phase takes them: boxes around those that have an end, lines and half-spaces as they are."""

from __future__ import annotations

import numpy as np

from collision.base.fields import FloatArray
from collision.broadphase.hierarchy import Hierarchy
from collision.broadphase.volumes import Boxes, HalfSpaces, Lines, Volumes
from collision.scene.elements import Elements
from collision.shapes.kinds import Shape


def volumes_of(shape: Shape) -> Volumes:
    """Return what the broad phase looks for in place of a flat batch of shapes.

    Examples
    --------
    >>> from collision import Ray, Sphere
    >>> volumes_of(Sphere([[0, 0, 0]], 2))
    Boxes(lower=array([[-2., -2., -2.]]), upper=array([[2., 2., 2.]]))
    >>> volumes_of(Ray([[0, 0, 0]], [0, 0, 2])).direction
    array([[0., 0., 1.]])
    """
    if shape.bounded:
        return Boxes(*shape.corners())
    cone = shape.core.cone()
    assert cone is not None  # as it has no bounds
    origin, axis = _vectors(shape.core.middle(), shape), _vectors(cone.axis, shape)
    if cone.solid:
        return HalfSpaces(origin, axis)
    return Lines(origin, axis, np.full(shape.batch_shape, -np.inf if cone.both_ways else 0.0))


def hierarchy_of(elements: Elements) -> Hierarchy:
    """Return the broad phase over elements."""
    _, lower, upper = elements.cores
    groups = elements.groups if np.isinf(lower).any() else ()
    return Hierarchy(lower, upper, [(numbers, volumes_of(shape)) for numbers, shape in groups if not shape.bounded])


def _vectors(vectors: FloatArray, shape: Shape) -> FloatArray:
    return np.broadcast_to(vectors, (*shape.batch_shape, 3))
