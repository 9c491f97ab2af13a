"""What hides a pair of shapes from the eye, and from where the one does not hide the other: rays through the scene."""

from __future__ import annotations

from itertools import product

import numpy as np

from collision import Ray, Scene, Shape, contact
from collision.inner import FloatArray, IntArray
from viewer.camera.camera import Viewport, length, lengths
from viewer.camera.outline import finite_bounds

#: The view turns only where the shape of a pair that is seen least is seen less than this part of what it could be, and
#: there most of it is seen; of sides that are nearly as good, that which is nearer counts by so much.
_ENOUGH, _MOST, _NEARER = 0.25, 0.6, 0.1

#: How far the view may turn, in degrees about the vertical, the nearest first.
_TURNS = (0.0, 30.0, -30.0, 60.0, -60.0, 90.0, -90.0, 120.0, -120.0, 150.0, -150.0, 180.0)

#: Places of a shape to look at, in halves of the box around it, from its middle.
_INNER = np.array(list(product((-0.5, 0.0, 0.5), repeat=3)))


def hiding(scene: Scene, viewport: Viewport, a: int, b: int) -> IntArray:
    """Return the elements between the eye and where two others, by number, are nearest or deepest in each other."""
    between = elements_before(scene, viewport, _looked_at(scene.element(a), scene.element(b)))
    return np.asarray(between[(between != a) & (between != b)])


def elements_before(scene: Scene, viewport: Viewport, points: FloatArray) -> IntArray:
    """Return the numbers of the elements between the eye and some points, sorted."""
    depth = (points - viewport.eye) @ viewport.forward
    points, depth = points[depth > 0.0], depth[depth > 0.0]
    if not len(points):
        return np.empty(0, np.int64)
    parallel = viewport.camera.parallel_height is not None
    start = points - depth[:, None] * viewport.forward if parallel else np.tile(viewport.eye, (len(points), 1))
    away = points - start
    hits = scene.raycast_all(Ray(start, away), max_distance=lengths(away))
    return np.unique(hits.element).astype(np.int64)


def turned_to_see(a: Shape, b: Shape, towards_eye: FloatArray) -> FloatArray | None:
    """Return how a view turns about the vertical so that neither of two shapes hides the other.

    It is None where the eye may stay, which it does unless it is much better elsewhere.
    """
    turns = np.stack([_about_z(np.radians(angle)) for angle in _TURNS])
    sides = turns @ towards_eye
    pair = Scene({"a": a, "b": b})
    places = [_places(shape) for shape in (a, b)]
    reach = 4.0 * float(np.ptp(np.concatenate(places), axis=0).max()) or 1.0
    seen = []
    for number, some in enumerate(places):
        start = (some[:, None] + reach * sides).reshape(-1, 3)
        hits = pair.raycast(Ray(start, np.tile(-sides, (len(some), 1))))
        seen.append((hits.element == number).reshape(len(some), len(sides)).mean(axis=0))
    least = np.minimum(*seen)
    if least[0] >= _ENOUGH * least.max() or least.max() < _MOST:
        return None
    best = int(np.argmax(least + _NEARER * (sides @ towards_eye)))
    return np.asarray(turns[best])


def _looked_at(a: Shape, b: Shape) -> FloatArray:
    """Return where two shapes meet, and places of both near there: of a large one, as far as the small one reaches."""
    touch = contact(a, b)
    sizes = [length(finite_bounds(shape).half_extents) for shape in (a, b)]
    reach = min((size for size in sizes if size > 0.0), default=0.0)
    points = [touch.point[None], touch.on_a[None], touch.on_b[None]]
    for shape, witness in ((a, touch.on_a), (b, touch.on_b)):
        places = _places(shape)
        away = places - witness
        far = lengths(away)[:, None]
        points.append(witness + away * (reach / np.maximum(far, reach or 1.0)))
    every = np.concatenate(points)
    return every[np.isfinite(every).all(axis=1)]


def _places(shape: Shape) -> FloatArray:
    box = finite_bounds(shape)
    return np.asarray(box.center + _INNER * box.half_extents)


def _about_z(angle: float) -> FloatArray:
    sine, cosine = np.sin(angle), np.cos(angle)
    return np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
