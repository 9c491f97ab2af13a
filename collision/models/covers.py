"""Hulls of few corners around many points: never smaller than the convex hull of the points, and by how much larger."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from collision.base.fields import BoolArray, FloatArray
from collision.kernels.support_search import support_search
from collision.kernels.vec3 import Vec3, dot, load, store
from collision.native import FLOATS, INT, Floats, Loop, address, kernel
from collision.shapes.polytope import FLAT, polytope

#: By so much of the largest coordinate each face of a cover is moved outward: rounding takes away less.
_MARGIN = 1e-12


#: So many points have a box in common.
_BOXED = 32


class Cloud(NamedTuple):
    """Points in memory, known by their supports, and a box (middle and half sizes) around each `_BOXED` of them."""

    points: Floats
    boxes: Floats
    size: int


@kernel
def _foremost(cloud: Cloud, direction: Vec3) -> Vec3:
    points, x, y, z = cloud.points, direction.x, direction.y, direction.z
    sizes = Vec3(abs(x), abs(y), abs(z))
    best, found = -math.inf, 0
    for box in range(0, cloud.size, _BOXED):
        i = box // _BOXED * 6
        if dot(load(cloud.boxes, i), direction) + dot(load(cloud.boxes, i + 3), sizes) <= best:
            continue
        for k in range(3 * box, 3 * min(box + _BOXED, cloud.size), 3):
            rise = points[k] * x + points[k + 1] * y + points[k + 2] * z
            if rise > best:
                best, found = rise, k
    return load(points, found)


@kernel
def _here(point: Vec3, direction: Vec3) -> Vec3:
    return Vec3(0.0, 0.0, 0.0)


_SEARCH = support_search(_foremost, _here, 1e-2)


def _look(count: int, points: Floats, boxes: Floats, queries: int, vertices: Floats, found: Floats) -> None:
    """Store for each vertex its distance from the hull of points at most, a direction to it, and its height there."""
    cloud = Cloud(points, boxes, count)
    for i in range(queries):
        vertex = load(vertices, 3 * i)
        near = _SEARCH(cloud, vertex, vertex)
        found[5 * i] = near.upper
        store(found, 5 * i + 1, near.normal)
        found[5 * i + 4] = dot(near.normal, _foremost(cloud, near.normal))


_LOOK = Loop("look_at_cloud", _look, (INT, FLOATS, FLOATS, INT, FLOATS, FLOATS))


class Cover(NamedTuple):
    """Points (k, 3) whose hull holds all others, and how far it reaches out of the hull of these at most."""

    corners: FloatArray
    excess: float


def cover(points: FloatArray, most: int) -> Cover:
    """Return points whose hull is that of points (n, 3), or a hull around it, if that has too many corners.

    Where points are in a plane, their own corners are returned, however many.

    Parameters
    ----------
    points : ndarray, shape (n, 3)
        The points.
    most : int
        How many corners are not too many: 8 or more.

    Notes
    -----
    A hull around the points begins as a box. Then the corner that is farthest from the hull of the points is cut off,
    by the plane that touches this where it is nearest (one of the *adaptive* methods that G. K. Kamenev, *A class of
    adaptive algorithms for approximating convex bodies by polyhedra*, 1992, compares). What is convex has a distance
    that is a convex function, so no point of the cover is farther away than a corner.
    """
    if len(points) <= most:
        return Cover(points, 0.0)
    flat = np.linalg.svd(points - points.mean(axis=0), compute_uv=False)[-1] <= FLAT * np.abs(points).max()
    own = points[polytope(points).corners] if flat else _few_corners(points, most)
    return _around(points, most) if own is None else Cover(own, 0.0)


def _few_corners(points: FloatArray, most: int) -> FloatArray | None:
    """Return the corners of the hull of points, or None if they are too many; they are seen in ever more directions."""
    ways, corners = _directions(4 * most), set[int]()
    while True:
        for way in ways:
            corners.add(int(np.argmax(points @ way)))
            if len(corners) > most:
                return None
        some = points[sorted(corners)]
        hull = polytope(some)
        if not hull.faces:  # as of a needle
            hull = polytope(points)
            return None if len(hull.corners) > most else points[hull.corners]
        reach = (some @ hull.normals.T).max(axis=0)
        beyond = (points @ hull.normals.T).max(axis=0) - reach > FLAT * np.abs(points).max()
        if not beyond.any():
            return some[hull.corners]
        ways = hull.normals[beyond]


def _directions(count: int) -> FloatArray:
    """Return unit vectors (count, 3) that are spread evenly, on a spiral from pole to pole."""
    number = np.arange(count) + 0.5
    z, turn = 1.0 - 2.0 * number / count, np.pi * (1.0 + np.sqrt(5.0)) * number
    across = np.sqrt(1.0 - z * z)
    return np.stack([across * np.cos(turn), across * np.sin(turn), z], axis=-1)


def _around(points: FloatArray, most: int) -> Cover:
    lower, upper = points.min(axis=0), points.max(axis=0)
    middle, margin = 0.5 * (lower + upper), _MARGIN * float(np.abs(points).max())
    cloud, half = _boxed(points - middle), 0.5 * (upper - lower) + margin
    number = np.arange(8)[:, None] >> np.arange(3) & 1
    vertices = np.where(number, half, -half)
    on: BoolArray = np.concatenate([number == 0, number == 1], axis=1)  # which of the planes each corner is on
    seen = _seen(cloud, vertices)
    while True:
        worst = int(np.argmax(seen[:, 0]))
        normal, height = seen[worst, 1:4], seen[worst, 4] + margin
        above = vertices @ normal - height
        gone = above > 0.0
        kept = ~gone
        # Two corners are the ends of an edge if they are on two planes.
        i, j = np.nonzero(on[gone].astype(np.intp) @ on[kept].T.astype(np.intp) >= 2)
        if not above[worst] > 0.0 or kept.sum() + len(i) > most:
            break
        start, end, rise, drop = vertices[gone][i], vertices[kept][j], above[gone][i, None], above[kept][j, None]
        new = start + rise / (rise - drop) * (end - start)
        vertices, seen = np.concatenate([vertices[kept], new]), np.concatenate([seen[kept], _seen(cloud, new)])
        on = np.concatenate([on[kept], on[gone][i] & on[kept][j]])
        on = np.concatenate([on, np.arange(len(on))[:, None] >= kept.sum()], axis=1)
    return Cover(vertices + middle, float(seen[:, 0].max()))


def _boxed(points: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return points with neighbours beside each other, and the boxes around them."""
    count = len(points)
    lower, size = points.min(axis=0), np.ptp(points, axis=0)
    x, y, _ = ((points - lower) * math.ceil((count / _BOXED) ** (1 / 3)) // size).T
    ordered = points[np.lexsort((points[:, 2], y, x))]
    starts = np.arange(0, count, _BOXED)
    lower, upper = np.minimum.reduceat(ordered, starts), np.maximum.reduceat(ordered, starts)
    return ordered, np.concatenate([0.5 * (lower + upper), 0.5 * (upper - lower)], axis=1)


def _seen(cloud: tuple[FloatArray, FloatArray], vertices: FloatArray) -> FloatArray:
    """Return of vertices (k, 3) what `_look` stores, (k, 5)."""
    found, given = np.empty((len(vertices), 5)), np.ascontiguousarray(vertices)
    points, boxes = cloud
    _LOOK.run(len(points), address(points), address(boxes), len(given), address(given), address(found))
    return found
