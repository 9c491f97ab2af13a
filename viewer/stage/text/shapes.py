"""Flat shapes as triangles: rectangles with round corners, polygons, in pixels."""

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
    none = Flat(np.zeros((0, 3, 2)), np.zeros((0, 3, 4), np.uint8))
    points, colors = zip(none, *parts, strict=True)
    return Flat(np.concatenate(points), np.concatenate(colors))


def polygon(corners: FloatArray, color: Color, opacity: float = 1.0) -> Flat:
    """Return a convex polygon."""
    first = np.arange(1, len(corners) - 1)
    return flat(corners, np.stack([0 * first, first, first + 1], axis=1), color, opacity)


def dot(center: FloatArray, radius: float, color: Color) -> Flat:
    """Return a disk."""
    return polygon(center + radius * _CIRCLE, color)


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
    return polygon(_outline(rect, radius), color, opacity)


def plate(rect: Rect, radius: float, border: float, color: Color, border_color: Color, opacity: float) -> list[Flat]:
    """Return a rectangle with round corners and the border around it."""
    outer, inner = _outline(rect.grown(border), radius + border), _outline(rect, radius)
    point = np.arange(len(inner))
    following = (point + 1) % len(point)
    rim = [(point, following, following + len(point)), (point, following + len(point), point + len(point))]
    corners = np.concatenate([np.stack(some, axis=1) for some in rim])
    return [flat(np.concatenate([outer, inner]), corners, border_color, opacity), polygon(inner, color)]


def _outline(rect: Rect, radius: float) -> FloatArray:
    """Return the outline of a rectangle with round corners, anticlockwise."""
    radius = min(radius, 0.5 * rect.width, 0.5 * rect.height)
    low, high = np.array(rect[:2]) + radius, np.array(rect[:2]) + rect[2:] - radius
    centers = np.where(_RIGHT_AND_UP, high, low)
    return centers + radius * _ARCS


#: The points of a disk and of round corners of radius one, and whether each of the latter is right, and up.
_ANGLE = 2.0 * np.pi * np.arange(_DISK) / _DISK
_CIRCLE = np.column_stack([np.cos(_ANGLE), np.sin(_ANGLE)])
_TURN = np.concatenate([np.linspace(0.0, 0.5 * np.pi, _ARC) + k * 0.5 * np.pi for k in range(4)])
_ARCS = np.column_stack([np.cos(_TURN), np.sin(_TURN)])
_RIGHT_AND_UP = np.repeat([(1, 1), (0, 1), (0, 0), (1, 0)], _ARC, axis=0) == 1
