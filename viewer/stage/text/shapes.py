"""Flat shapes as triangles: rectangles with round corners, polygons. Pure arithmetic, in pixels."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from collision.inner import FloatArray, IntArray
from viewer.records.pixels import Rect
from viewer.records.theme import Color

#: Points of a round corner.
_ARC = 7

#: Points of a disk.
_DISK = 24


class Flat(NamedTuple):
    """Colored triangles: their corners (n, 3, 2), and red, green, blue and opacity (n, 3, 4) of these."""

    points: FloatArray
    colors: npt.NDArray[np.uint8]


def flat(points: FloatArray, corners: IntArray, color: Color, opacity: float = 1.0) -> Flat:
    """Return triangles of one color, by which of some points (m, 2) are their corners (n, 3)."""
    return Flat(points[corners], np.full((len(corners), 3, 4), (*color, round(255 * opacity)), dtype=np.uint8))


def joined(parts: Iterable[Flat]) -> Flat:
    """Return several sets of triangles as one, in order."""
    points, colors = zip(*parts, strict=True)
    return Flat(np.concatenate(points), np.concatenate(colors))


def polygon(corners: FloatArray, color: Color, opacity: float = 1.0) -> Flat:
    """Return a convex polygon."""
    first = np.arange(1, len(corners) - 1)
    return flat(corners, np.stack([0 * first, first, first + 1], axis=1), color, opacity)


def dot(center: FloatArray, radius: float, color: Color) -> Flat:
    """Return a disk."""
    return polygon(center + radius * _CIRCLE, color)


def line(start: FloatArray, end: FloatArray, width: float, color: Color, opacity: float = 1.0) -> Flat:
    """Return a straight line; of no length, nothing is seen of it."""
    length = float(np.linalg.norm(end - start))
    along = (end - start) / length if length > 0.0 else np.zeros(2)
    aside = 0.5 * width * np.array([-along[1], along[0]])
    return polygon(np.array([start - aside, end - aside, end + aside, start + aside]), color, opacity)


def path(points: FloatArray, width: float, color: Color, opacity: float = 1.0) -> Flat:
    """Return a line through points (n, 2), with joints that leave no gap."""
    start, end = points[:-1], points[1:]
    way = end - start
    length = np.linalg.norm(way, axis=1, keepdims=True)
    along = 0.5 * width * np.divide(way, length, out=np.zeros_like(way), where=length > 0.0)
    aside = np.stack([-along[:, 1], along[:, 0]], axis=1)
    # Each piece reaches half a width further, but for the two ends of the whole.
    begin, finish = start - along, end + along
    begin[0], finish[-1] = start[0], end[-1]
    corners = np.stack([begin - aside, finish - aside, finish + aside, begin + aside], axis=1)
    triangles = corners[:, [[0, 1, 2], [0, 2, 3]]].reshape(-1, 3, 2)
    return Flat(triangles, np.full((len(triangles), 3, 4), (*color, round(255 * opacity)), dtype=np.uint8))


def rounded(rect: Rect, radius: float, color: Color, opacity: float = 1.0) -> Flat:
    """Return a rectangle with round corners."""
    return flat(_outline(rect, radius), _INSIDE, color, opacity)


def plate(rect: Rect, radius: float, border: float, color: Color, border_color: Color, opacity: float) -> list[Flat]:
    """Return a rectangle with round corners and the border around it."""
    outer, inner = _outline(rect.grown(border), radius + border), _outline(rect, radius)
    return [
        flat(np.concatenate([outer, inner]), _RIM, border_color, opacity),
        flat(inner, _INSIDE, color),
    ]


def _outline(rect: Rect, radius: float) -> FloatArray:
    """Return the outline of a rectangle with round corners, and the centers of its corners."""
    x, y, width, height = rect
    inset = min(radius, 0.5 * width, 0.5 * height) * _INSET
    points: FloatArray = _SIDE * np.array([width, height]) + inset + np.array([x, y])
    return points


def _round_corners() -> tuple[FloatArray, FloatArray]:
    """Return, for the outline of a square with round corners and the centers of those, where the points are.

    That is, on which sides of it, and how far from there, in radii of the corners.
    """
    sides = np.array([(1, 1), (0, 1), (0, 0), (1, 0)], dtype=float)
    angle = np.concatenate([np.linspace(0.0, 0.5 * np.pi, _ARC) + k * 0.5 * np.pi for k in range(4)])
    side = np.concatenate([np.repeat(sides, _ARC, axis=0), sides])
    around = np.concatenate([np.column_stack([np.cos(angle), np.sin(angle)]), np.zeros((4, 2))])
    return side, around + np.where(side > 0.0, -1.0, 1.0)


def _round_triangles() -> IntArray:
    """Return the triangles between the points of a rectangle with round corners.

    Few of them reach across all of it: thin and long ones take long to draw.
    """
    found = [(4 * _ARC, 4 * _ARC + 1, 4 * _ARC + 2), (4 * _ARC, 4 * _ARC + 2, 4 * _ARC + 3)]
    for corner in range(4):
        center, next_center = 4 * _ARC + corner, 4 * _ARC + (corner + 1) % 4
        first, last, beyond = _ARC * corner, _ARC * corner + _ARC - 1, (_ARC * corner + _ARC) % (4 * _ARC)
        found += [(center, point, point + 1) for point in range(first, last)]
        found += [(center, last, beyond), (center, beyond, next_center)]
    return np.array(found)


def _rim_triangles() -> IntArray:
    """Return the triangles between the outlines of two rectangles with round corners."""
    point = np.arange(4 * _ARC)
    following = (point + 1) % len(point)
    inner, beyond = point + len(point) + 4, following + len(point) + 4
    return np.concatenate([np.stack([point, following, beyond], axis=1), np.stack([point, beyond, inner], axis=1)])


#: What these shapes are made of.
_SIDE, _INSET = _round_corners()
_INSIDE, _RIM = _round_triangles(), _rim_triangles()
_ANGLE = 2.0 * np.pi * np.arange(_DISK) / _DISK
_CIRCLE = np.column_stack([np.cos(_ANGLE), np.sin(_ANGLE)])
