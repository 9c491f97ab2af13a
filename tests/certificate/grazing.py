"""Rays and segments that graze, start on surfaces, or run along them, but for a hair: for the certificate of casts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from collision.base.fields import FloatArray
from collision.shapes.kinds import AABB, Capsule, HalfSpace, OrientedBox, Ray, Segment, Shape, Sphere
from tests.certificate.families import Cases, directions, hairs, mixed, random_frames
from tests.strategies import Generator, Kind


class Places(NamedTuple):
    """Points of surfaces of a batch of shapes, outward normals there, and a direction in which each shape is long."""

    shape: Shape
    point: FloatArray
    normal: FloatArray
    long: FloatArray


def grazing(kind: Kind, count: int, part: int = 0) -> tuple[Cases, Cases]:
    """Return rays, and segments of them, beside solids of a kind: up to a million sizes away, along and off surfaces.

    Starts are on the surface, near it, or far back along the ray. Directions are at right angles to a normal of the
    surface but for a hair, along the shape but for a hair, or any.
    """
    rng = np.random.default_rng([2029, part, *kind.__name__.encode()])
    shape, point, normal, long = _PLACES[kind](rng, count)
    level = mixed(rng, count, np.cross(normal, directions(rng, count)), long)
    level = _unit(level - np.sum(level * normal, axis=1, keepdims=True) * normal, directions(rng, count))
    tilt = hairs(rng, count, 1) * rng.choice([-1.0, 1.0], (count, 1)) * normal
    noise = hairs(rng, count, 1) * rng.integers(0, 2, (count, 1)) * directions(rng, count)
    way = mixed(rng, count, *[level + tilt + noise] * 4, directions(rng, count))
    back = rng.choice([0.0, 0.0, 1.0, 1e-3, 10.0, 1e3, 1e6], (count, 1)) * rng.uniform(size=(count, 1))
    start = point - back * way + hairs(rng, count, 1) * rng.choice([-1.0, 0.0, 0.0, 1.0], (count, 1)) * normal
    length = np.where(rng.random((count, 1)) < 0.5, 2.0 * back, rng.choice([0.0, 1e-16, 1e-8, 1.0, 1e3], (count, 1)))
    scale = 10.0 ** (rng.uniform(-6.0, 6.0, count) * (rng.random(count) < 0.3))
    far = 10.0 ** rng.uniform(0.0, 6.0, (count, 1)) * rng.normal(size=(count, 3)) * (rng.random((count, 1)) < 0.2)
    origin, end = (scale[:, None] * place + far for place in (start, start + length * way))
    placed, families = _placed(shape, scale, far), ["grazing"] * count
    return Cases(Ray(origin, way), placed, families), Cases(Segment(origin, end), placed, families)


def _unit(vectors: FloatArray, instead: FloatArray) -> FloatArray:
    """Return unit vectors; where there is hardly a vector, another."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(np.where(lengths > 1e-6, vectors / np.maximum(lengths, 1e-6), instead))


def _placed(shape: Shape, scale: FloatArray, far: FloatArray) -> Shape:
    """Return shapes scaled about the origin, then moved."""
    values = {}
    for name, value in shape.values().items():
        factor = np.reshape(scale, (-1,) + (1,) * (value.ndim - 1))
        place = name in ("center", "start", "end", "lower", "upper", "point")
        values[name] = (
            value if name in ("axes", "normal") else factor * value + far * place if place else factor * value
        )
    return type(shape)(**values)


def _sphere(rng: Generator, n: int) -> Places:
    center, radius, normal = rng.normal(size=(n, 3)), rng.uniform(0.2, 2.0, n), directions(rng, n)
    return Places(Sphere(center, radius), center + radius[:, None] * normal, normal, directions(rng, n))


def _capsule(rng: Generator, n: int) -> Places:
    """Thin and long ones too: places beside the axis, at its ends to the last bit, and on the caps."""
    start, long = rng.normal(size=(n, 3)), directions(rng, n)
    length = rng.uniform(0.0, 3.0, n) * 10.0 ** rng.integers(-3, 4, n) * rng.integers(0, 2, n)
    radius = rng.uniform(0.2, 2.0, n) * 10.0 ** rng.integers(-3, 1, n)
    aside, any_way = _unit(np.cross(long, directions(rng, n)), np.cross(long, [[0.6, 0.0, 0.8]])), directions(rng, n)
    beside = rng.random((n, 1)) < 0.7
    normal = _unit(np.where(beside, aside, any_way), any_way)
    part = np.where(beside[:, 0], rng.choice([0.0, 1.0, 0.3, 0.7], n), np.sum(any_way * long, axis=1) > 0.0)
    point = start + (part * length)[:, None] * long + radius[:, None] * normal
    return Places(Capsule(start, start + length[:, None] * long, radius), point, normal, long)


def _box(rng: Generator, n: int, frames: FloatArray) -> tuple[FloatArray, FloatArray, Places]:
    """Return centers, half extents, and places on faces, edges and corners of boxes, flat ones and sticks too."""
    center, half = rng.normal(size=(n, 3)), rng.uniform(0.2, 2.0, (n, 3)) * 10.0 ** rng.integers(-3, 1, (n, 3))
    half[rng.random((n, 3)) < 0.05] = 0.0
    side = rng.random((n, 3)) < 0.4
    side[range(n), rng.integers(3, size=n)] = True
    weights = rng.uniform(-1.0, 1.0, (n, 3))
    weights = np.where(side, np.sign(weights), weights)
    lean = weights * side * rng.choice([0.0, 1.0, 1.0, 0.5], (n, 3))
    lean[~lean.any(axis=1), 0] = 1.0
    along = np.eye(3)[rng.integers(3, size=n)]
    place, normal, long = (np.einsum("nij,nj->ni", frames, v) for v in (weights * half, lean, along))
    shape = OrientedBox(center, frames, half)
    return center, half, Places(shape, center + place, _unit(normal, normal), long)


def _oriented(rng: Generator, n: int) -> Places:
    return _box(rng, n, random_frames(rng, n))[2]


def _aligned(rng: Generator, n: int) -> Places:
    center, half, places = _box(rng, n, np.broadcast_to(np.eye(3), (n, 3, 3)))
    return places._replace(shape=AABB(center - half, center + half))


def _half_space(rng: Generator, n: int) -> Places:
    point, normal = rng.normal(size=(n, 3)), directions(rng, n)
    long = _unit(np.cross(normal, directions(rng, n)), directions(rng, n))
    return Places(HalfSpace(point, normal), point + rng.normal(size=(n, 1)) * long, normal, long)


_PLACES = {Sphere: _sphere, Capsule: _capsule, AABB: _aligned, OrientedBox: _oriented, HalfSpace: _half_space}

#: The kinds that have a surface to graze.
GRAZED: tuple[Kind, ...] = tuple(_PLACES)
