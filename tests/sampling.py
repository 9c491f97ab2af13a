"""One example of every kind, points inside shapes and support functions: oracles for bounds and transforms.

Nothing here uses the shapes' own cores, bounds or transforms, only their fields.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from collision.base.fields import FloatArray
from collision.shapes.kinds import (
    AABB,
    Capsule,
    ConvexHull,
    Cylinder,
    HalfSpace,
    Line,
    OrientedBox,
    Point,
    Ray,
    Segment,
    Shape,
    Sphere,
)

Kind = type[Shape]

_TURNED = [[0.36, 0.48, -0.8], [-0.8, 0.6, 0.0], [0.48, 0.64, 0.6]]

#: The fields of one shape of every kind, nothing in it special.
FIELDS: dict[Kind, dict[str, Any]] = {
    Point: {"position": [1.5, -2.0, 0.25]},
    Segment: {"start": [0.5, 1.0, -1.0], "end": [2.0, -1.0, 3.0]},
    Ray: {"origin": [0.5, 1.0, -1.0], "direction": [1.0, 2.0, 2.0]},
    Line: {"point": [0.5, 1.0, -1.0], "direction": [2.0, -1.0, 2.0]},
    Sphere: {"center": [1.5, -2.0, 0.25], "radius": 0.75},
    Capsule: {"start": [0.5, 1.0, -1.0], "end": [2.0, -1.0, 3.0], "radius": 0.5},
    Cylinder: {"start": [0.5, 1.0, -1.0], "end": [2.0, -1.0, 3.0], "radius": 0.5},
    AABB: {"lower": [-1.0, 0.5, 2.0], "upper": [0.5, 2.0, 5.0]},
    OrientedBox: {"center": [1.5, -2.0, 0.25], "axes": _TURNED, "half_extents": [0.5, 1.0, 2.0]},
    HalfSpace: {"point": [0.5, 1.0, -1.0], "normal": [1.0, 2.0, 2.0]},
    ConvexHull: {
        "points": [[0.5, 1, -1], [2, -1, 3], [1, 2, 0.25], [-1, 0.5, 2], [0.75, 0.5, 1], [0, -1, 0]],
        "radius": 0.5,
    },
}

BOUNDED: tuple[Kind, ...] = tuple(kind for kind in FIELDS if kind.bounded)


def one(kind: Kind) -> Shape:
    """Return the example of a kind."""
    return kind(**FIELDS[kind])


def batch(kind: Kind, *axes: int, seed: int = 0) -> Shape:
    """Return different shapes of a kind along batch axes."""
    rng = np.random.default_rng(seed)
    fields: dict[str, Any] = {}
    for name, value in FIELDS[kind].items():
        array = np.broadcast_to(np.asarray(value, dtype=float), (*axes, *np.shape(value)))
        shift = rng.normal(size=axes)[(...,) + (None,) * np.ndim(value)]
        fields[name] = array if name == "axes" else array + (np.abs(shift) if name in _SIZES else shift)
    if kind is AABB:
        fields["upper"] = np.maximum(fields["lower"], fields["upper"])
    return kind(**fields)


_SIZES = ("radius", "half_extents")


def varied(kind: Kind, *axes: int, seed: int = 0) -> Shape:
    """Return different shapes along batch axes, boxes turned in different ways."""
    values = batch(kind, *axes, seed=seed).values()
    if "axes" in values:
        count = int(np.prod(axes))
        turns = Rotation.random(count, rng=np.random.default_rng(seed)).as_matrix() if count else np.empty((0, 3, 3))
        values["axes"] = turns.reshape(*axes, 3, 3)
    return kind(**values)


def crossed(kind: Kind, rows: int, columns: int, seed: int = 0) -> Shape:
    """Return shapes some fields of which have batch axes (rows, 1), and others (columns,)."""
    values = varied(kind, rows, columns, seed=seed).values()
    first = next(iter(values))
    if len(values) > 1:
        if kind is AABB:
            values["upper"] = np.maximum(values["upper"], values["lower"].max(axis=(0, 1)))
        values = {name: value[:, :1] if name == first else value[0] for name, value in values.items()}
    return kind(**values)


def corners(shape: AABB | OrientedBox) -> FloatArray:
    """Return the eight corners of a single box."""
    signs = np.array(list(np.ndindex(2, 2, 2))) * 2.0 - 1.0
    if isinstance(shape, AABB):
        return np.where(signs > 0.0, shape.upper, shape.lower)
    return shape.center + (signs * shape.half_extents) @ shape.axes.T


def points_in(shape: Shape, rng: np.random.Generator, count: int) -> FloatArray:
    """Return points of a single bounded shape, many of them on its surface."""
    if isinstance(shape, Point):
        return np.repeat(shape.position[None], count, axis=0)
    if isinstance(shape, AABB | OrientedBox):
        weights = rng.dirichlet(np.full(8, 0.3), size=count)
        return np.concatenate([corners(shape), weights @ corners(shape)])
    out = rng.normal(size=(count, 3))
    if isinstance(shape, ConvexHull):
        out *= float(shape.radius) / np.linalg.norm(out, axis=1, keepdims=True)
        return np.concatenate(
            [shape.points, rng.dirichlet(np.full(len(shape.points), 0.3), size=count) @ shape.points + out]
        )
    if isinstance(shape, Sphere):
        start = end = shape.center
    else:
        start, end = shape.start, shape.end
    rate = rng.integers(0, 3, size=(count, 1)) / 2.0
    if isinstance(shape, Cylinder):
        out -= np.outer(out @ (end - start), end - start) / ((end - start) @ (end - start))
    out /= np.linalg.norm(out, axis=1, keepdims=True)
    return start + rate * (end - start) + getattr(shape, "radius", 0.0) * out


def support(shape: Shape, directions: FloatArray) -> FloatArray:
    """Return how far a single bounded shape reaches along each direction (n, 3): the largest inner product."""
    if isinstance(shape, AABB | OrientedBox):
        return (directions @ corners(shape).T).max(axis=1)
    if isinstance(shape, ConvexHull):
        return np.asarray((directions @ shape.points.T).max(axis=1) + shape.radius * np.linalg.norm(directions, axis=1))
    ends = {Point: ("position",), Sphere: ("center",)}.get(type(shape), ("start", "end"))
    reach = np.max([directions @ getattr(shape, name) for name in ends], axis=0)
    if isinstance(shape, Cylinder):
        axis = (shape.end - shape.start) / np.linalg.norm(shape.end - shape.start)
        return np.asarray(reach + shape.radius * np.linalg.norm(np.cross(directions, axis), axis=1))
    return reach + getattr(shape, "radius", 0.0) * np.linalg.norm(directions, axis=1)
