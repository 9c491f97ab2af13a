"""The numbers of a shape as its card has them: its fields by the names that files have, and what follows from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from collision import (
    AABB,
    Capsule,
    ConvexHull,
    Cylinder,
    HalfSpace,
    Line,
    OrientedBox,
    Point,
    Ray,
    Scene,
    Segment,
    Shape,
    Sphere,
    contact,
    signed_distance,
)
from collision.inner import FloatArray, angles_of, decimal_sum
from collision.scenefile import AxisAngle
from viewer.gizmo.changes import check_size, shifted

#: How often a shape is moved to where it is as deep as is asked for, and how near that must come, as a part of it.
_STEPS, _CLOSE = 100, 1e-12

#: The fields of each kind, in the order in which they are shown.
FIELDS = MappingProxyType(
    {
        Point: ("position",),
        Segment: ("center", "start", "end", "length"),
        Ray: ("origin", "direction"),
        Line: ("point", "direction"),
        Sphere: ("center", "radius"),
        Capsule: ("center", "start", "end", "radius", "length"),
        Cylinder: ("center", "start", "end", "radius", "length"),
        AABB: ("center", "lower", "upper", "size"),
        OrientedBox: ("center", "rotation", "size"),
        ConvexHull: ("center", "size", "radius"),
        HalfSpace: ("point", "normal"),
    }
)


def with_field(scene: Scene, names: Sequence[str], field: str, first: int, values: Sequence[float]) -> Scene:
    """Return a scene in which some numbers of a field of shapes, from one of them on, are others."""
    check_size(values)
    return scene.changed(names, lambda shape: with_numbers(shape, field, first, values))


def with_distance(scene: Scene, names: Sequence[str], wanted: float) -> Scene:
    """Return a scene in which the second of two shapes has moved along their normal, to another signed distance.

    Along it two shapes part, or come together until they touch, by what it moves. Deeper, another way out may be
    shorter; as no move changes the distance by more than its length, steps of what is missing never go too far.
    """
    if not np.isfinite(wanted):
        raise ValueError(f"distance must be finite, got {wanted:g}")
    a, b = (scene[name] for name in names)
    touch = contact(a, b)
    distance = float(touch.signed_distance)
    if not np.isfinite(distance):
        raise ValueError("no move parts the two, so none gives them another distance")
    along = wanted - distance
    for _ in range(_STEPS):
        offset = np.asarray(along * touch.normal)
        missing = wanted - float(signed_distance(a, b.translated(offset)))
        if abs(missing) <= _CLOSE * max(abs(wanted), abs(distance), abs(along)):
            check_size(offset)
            return scene.moved(names[1:], offset)
        along += missing
    raise ValueError(f"no move along their normal makes the two {abs(wanted):g} deep")


def numbers_of(shape: Shape, name: str) -> FloatArray:
    """Return the numbers of a field of a shape, or of a batch: shape (..., 1) or (..., 3).

    A rotation is three angles in degrees: about the world's x, then its y, then its z, as files have them with
    ``euler``.
    """
    values = shape.values()
    if name == "rotation":
        return angles_of(values["axes"])
    if name in values:
        return values[name][..., None] if name == "radius" else values[name]
    if isinstance(shape, OrientedBox):
        return 2.0 * shape.half_extents
    if isinstance(shape, ConvexHull):
        wide = np.ptp(shape.points, axis=-2) + 2.0 * shape.radius[..., None]
        return shape.core.middle() if name == "center" else np.asarray(wide)
    if isinstance(shape, AABB):
        return shape.center if name == "center" else np.asarray(decimal_sum(shape.upper, -shape.lower))
    assert isinstance(shape, Segment | Capsule | Cylinder)
    if name == "center":
        return np.asarray(0.5 * (shape.start + shape.end))
    return np.asarray(np.linalg.norm(shape.end - shape.start, axis=-1, keepdims=True))


def with_numbers(shape: Shape, name: str, first: int, values: Sequence[float]) -> Shape:
    """Return a shape, or a batch, with other numbers in a field, from one of them on.

    >>> with_numbers(Segment([0, 0, 0], [2, 0, 0]), "length", 0, [4])
    Segment(start=[-1.0, 0.0, 0.0], end=[3.0, 0.0, 0.0])
    """
    old = numbers_of(shape, name)
    new = np.array(old)
    new[..., first : first + len(values)] = values
    if name == "radius":
        return replace(shape, **{name: new[..., 0]})
    if name == "rotation":
        name, new = "axes", _turned(new)
    if name in shape.values():
        return replace(shape, **{name: new})
    if not np.isfinite(new).all():
        raise ValueError(f"{name} must be finite, got {', '.join(f'{value:g}' for value in values)}")
    if isinstance(shape, ConvexHull):
        return _of_size(shape, old, new) if name == "size" else _centered(shape, new - old)
    if name == "center":
        ends = ("lower", "upper") if isinstance(shape, AABB) else ("start", "end")
        return replace(shape, **{end: decimal_sum(getattr(shape, end), new - old) for end in ends})
    if new.min() < 0.0:
        raise ValueError(f"{name} must be zero or more, got {min(values):g}")
    if isinstance(shape, OrientedBox):
        return replace(shape, half_extents=0.5 * new)
    if isinstance(shape, AABB):
        kept = new == old
        lower, upper = decimal_sum(shape.center, -0.5 * new), decimal_sum(shape.center, 0.5 * new)
        return replace(shape, lower=np.where(kept, shape.lower, lower), upper=np.where(kept, shape.upper, upper))
    assert isinstance(shape, Segment | Capsule | Cylinder)
    middle, along = 0.5 * (shape.start + shape.end), shape.end - shape.start
    # What has no length yet grows upwards.
    unit = np.where(old > 0.0, along, [0.0, 0.0, 1.0]) / np.where(old > 0.0, old, 1.0)
    return replace(shape, start=decimal_sum(middle, -0.5 * new * unit), end=decimal_sum(middle, 0.5 * new * unit))


def _centered(hull: ConvexHull, offset: FloatArray) -> Shape:
    """Return hulls moved: of a single one, the points by `decimal_sum`."""
    return hull.translated(offset) if hull.batch_shape else shifted(hull, offset)


def _of_size(hull: ConvexHull, old: FloatArray, new: FloatArray) -> Shape:
    """Return hulls of another size along the axes of the world, about their middles; round edges stay as they are."""
    if new.min() < 0.0:
        raise ValueError(f"size must be zero or more, got {new.min():g}")
    round_ = 2.0 * hull.radius[..., None]
    wide = old - round_
    if np.any((wide == 0.0) & (new != old)):
        raise ValueError("a hull that is flat along an axis of the world has no other size along it")
    factor = np.where(new == old, 1.0, (new - round_).clip(0.0) / np.where(wide > 0.0, wide, 1.0))
    middle = hull.core.middle()[..., None, :]
    return replace(hull, points=decimal_sum(middle, factor[..., None, :] * (hull.points - middle)))


def _turned(angles: FloatArray) -> FloatArray:
    """Return the rotation matrices of such angles."""
    if not np.isfinite(angles).all():
        raise ValueError("rotation must be finite angles in degrees")
    turns = [AxisAngle(axis=axis, angle=angles[..., number]).matrices() for number, axis in enumerate(np.eye(3))]
    return np.asarray(turns[2] @ turns[1] @ turns[0])
