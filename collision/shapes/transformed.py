"""What becomes of each kind of shape under a transform, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from collision.base.fields import BoolArray, FloatArray, first_bad, turned
from collision.shapes.kinds import AABB, Capsule, HalfSpace, Line, OrientedBox, Point, Ray, Segment, Sphere
from collision.shapes.matrices import product
from collision.shapes.shape import Shape
from collision.shapes.transforms import Transform, check_transform


def transform_shape(shape: Shape, transform: Transform) -> Shape:
    """Return the shape under the transform; see `Shape.transformed` for the rules."""
    check_transform(transform, f"{type(shape).__name__}.transformed", shape=shape.batch_shape)
    with np.errstate(over="ignore", invalid="ignore"):  # what becomes infinite is refused by name
        return _RULES[type(shape)](shape, transform)


def _same_size(transform: Transform) -> BoolArray:
    """Tell of each element whether all lengths follow one factor; mirrors may differ."""
    size = np.abs(transform.scale)
    return np.asarray(np.all(size == size[..., :1], axis=-1))


def _one_factor(shape: Shape, transform: Transform, hint: str) -> FloatArray:
    uneven = ~_same_size(transform)
    if np.any(uneven):
        raise ValueError(
            f"a {type(shape).__name__} cannot follow a scale that differs between axes, "
            f"got {first_bad(uneven, transform.scale)}; {hint}"
        )
    return np.abs(transform.scale[..., 0])


def _placed(points: FloatArray, t: Transform) -> FloatArray:
    """Return points that are known to be right under a transform that they broadcast with."""
    return turned(t.axes, points * t.scale) + t.position


def _sphere(s: Sphere, t: Transform) -> Shape:
    factor = _one_factor(s, t, "it would become an ellipsoid")
    return Sphere(_placed(s.center, t), s.radius * factor)


def _capsule(s: Capsule, t: Transform) -> Shape:
    factor = _one_factor(s, t, "given by axis and height, as a CapsuleCollider, it would")
    return Capsule(_placed(s.start, t), _placed(s.end, t), s.radius * factor)


def _aabb(s: AABB, t: Transform) -> Shape:
    linear = t.axes * t.scale[..., None, :]
    reach = turned(np.abs(linear), s.half_extents)
    middle = _placed(s.center, t)
    unrotated = np.all(t.axes == np.eye(3), axis=(-1, -2))[..., None]
    ends = _placed(s.lower, t), _placed(s.upper, t)  # to the last bit where nothing turns
    lower = np.where(unrotated, np.minimum(*ends), middle - reach)
    return AABB(lower, np.where(unrotated, np.maximum(*ends), middle + reach))


def _oriented_box(s: OrientedBox, t: Transform) -> Shape:
    # The columns of the scaled frame must stay at right angles; then their lengths are the factors of the extents.
    one_size = _same_size(t)
    along_axes = np.count_nonzero(np.abs(s.axes) > 1e-12, axis=-2).max(axis=-1) == 1
    sheared = ~(one_size | along_axes)
    if np.any(sheared):
        scales = np.broadcast_to(t.scale, (*sheared.shape, 3))
        raise ValueError(
            "an OrientedBox cannot follow a scale that differs between axes unless its own axes lie along them: "
            f"it would shear, got {first_bad(sheared, scales)}"
        )
    stretched = np.linalg.norm(t.scale[..., :, None] * s.axes, axis=-2)
    factors = np.where(one_size[..., None], np.abs(t.scale[..., :1]), stretched)  # to the last bit where it can be
    signs = np.where(t.scale < 0.0, -1.0, 1.0)
    mirrored = signs[..., :, None] * s.axes
    # A mirror makes the frame left-handed. A box is its own mirror image along its axes: turn the last one around.
    mirrored[..., 2] *= np.prod(signs, axis=-1)[..., None]
    return OrientedBox(_placed(s.center, t), product(t.axes, mirrored), s.half_extents * factors)


def _direction(s: Ray | Line, t: Transform) -> FloatArray:
    direction = turned(t.axes, s.direction * t.scale)
    lost = np.all(direction == 0.0, axis=-1)
    if np.any(lost):
        scales = np.broadcast_to(t.scale, (*lost.shape, 3))
        raise ValueError(
            f"a {type(s).__name__} along an axis of zero scale has no direction left, got {first_bad(lost, scales)}"
        )
    return direction


def _half_space(s: HalfSpace, t: Transform) -> Shape:
    flat = np.any(t.scale == 0.0, axis=-1)
    if np.any(flat):
        scales = np.broadcast_to(t.scale, (*flat.shape, 3))
        raise ValueError(f"a HalfSpace cannot follow a scale of zero, got {first_bad(flat, scales)}")
    # A normal follows the inverse of the scale. Only ratios count: the largest part of the normal has one of 1.
    used = s.normal != 0.0
    least = np.min(np.where(used, np.abs(t.scale), np.inf), axis=-1, keepdims=True)
    ratios = np.where(used, least / t.scale, 0.0)
    return HalfSpace(_placed(s.point, t), turned(t.axes, s.normal * ratios))


_RULES: dict[type[Shape], Callable[[Any, Transform], Shape]] = {
    Point: lambda s, t: Point(_placed(s.position, t)),
    Segment: lambda s, t: Segment(_placed(s.start, t), _placed(s.end, t)),
    Ray: lambda s, t: Ray(_placed(s.origin, t), _direction(s, t)),
    Line: lambda s, t: Line(_placed(s.point, t), _direction(s, t)),
    Sphere: _sphere,
    Capsule: _capsule,
    AABB: _aabb,
    OrientedBox: _oriented_box,
    HalfSpace: _half_space,
}
