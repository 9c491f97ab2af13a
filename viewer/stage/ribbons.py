"""Marks as triangles that face the camera: pure arithmetic, no renderer.

A stroke of constant width on the screen is a ribbon across the view, as wide at each of its ends as so many pixels are
there; perspective keeps it straight and even in between. Dots, heads of arrows and dashes are cut from the same cloth.
The triangles are made anew for every camera, so infinite lines never reach beyond what is seen of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from collision.fields import FloatArray
from viewer.camera import Viewport
from viewer.drawables import Arrow, Marker, Patch, Stroke
from viewer.theme import Color, Style, Theme

Mark: TypeAlias = Marker | Stroke | Arrow | Patch

#: Corners of a round dot; of dots in their thousands, fewer.
_CORNERS, _FEW_CORNERS, _MANY_DOTS = 28, 10, 1000

#: Length of a dash and of the gap after it, in units.
_DASH, _GAP = 9.0, 6.0

#: Length and half width of an arrow's head, in units; never more than this part of the arrow.
_HEAD_LENGTH, _HEAD_RADIUS, _HEAD_PART = 17.0, 5.6, 0.6

#: Width of the ring around a marker, and of the casing on each side of a line, in units; how opaque the casing is.
_RING, _CASING, _CASING_OPACITY = 1.6, 1.3, 0.7

#: Marks stand this many pixels before what they mark (the last drawn the farthest), so that no surface cuts into them.
_FIRST_PULL, _LAST_PULL = 1.0, 5.0

#: Nothing nearer to the eye than this part of the distance to its target is drawn of a stroke.
_NEAREST = 1e-3

#: Strokes go this far over the picture's edge, as a part of its size.
_BLEED = 0.05


class Triangles(NamedTuple):
    """Colored triangles in the world: vertices (n, 3), corners (m, 3), and red, green, blue, opacity of each vertex."""

    points: FloatArray
    corners: npt.NDArray[np.int64]
    colors: npt.NDArray[np.uint8]


class Layers(NamedTuple):
    """Triangles by how they are drawn: among the solids or over them, opaque or see-through."""

    solid: Triangles
    clear: Triangles
    top_solid: Triangles
    top_clear: Triangles


NO_TRIANGLES = Triangles(np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int64), np.zeros((0, 4), dtype=np.uint8))


def layers(marks: Sequence[Mark], view: Viewport, theme: Theme, unit: float) -> Layers:
    """Return marks as triangles.

    Parameters
    ----------
    marks : sequence of Marker, Stroke, Arrow or Patch
        Later ones are drawn over earlier ones of the same kind, markers over arrows over strokes over patches.
    view : Viewport
        Where the picture is taken from, and its size in pixels.
    theme : Theme
        What the roles look like.
    unit : float
        Pixels in a unit of the theme.

    Examples
    --------
    >>> from collision import Camera
    >>> from viewer.drawables import Role
    >>> from viewer.theme import LIGHT
    >>> view = Viewport(Camera((0, 0, 10), up=(0, 1, 0)), (640, 480))
    >>> dot = Marker(np.zeros((1, 3)), Role.CONTACT)
    >>> [len(triangles.corners) > 0 for triangles in layers([dot], view, LIGHT, 1.0)]
    [False, False, True, False]
    """
    ordered = sorted(marks, key=lambda mark: _ORDER.index(type(mark)))
    step = unit * (_LAST_PULL - _FIRST_PULL) / max(len(ordered), 1)
    found: tuple[list[Triangles], ...] = ([], [], [], [])
    for number, mark in enumerate(ordered):
        style = theme.styles[mark.role]
        pen = Pen(view, theme, style, unit)
        for triangles, opacity, above in pen.draw(mark):
            pull = _FIRST_PULL * unit + (number + 0.5 * above) * step
            placed = triangles._replace(points=_pulled(triangles.points, view, pull))
            found[2 * style.on_top + (opacity < 1.0)].append(_faded(placed, opacity))
            if style.ghost and not style.on_top:
                found[3].append(_faded(placed, opacity * style.ghost))
    return Layers(*(joined(parts) for parts in found))


def joined(parts: Iterable[Triangles]) -> Triangles:
    """Return several triangle sets as one, in order."""
    all_parts = [NO_TRIANGLES, *parts]
    starts = np.cumsum([0, *(len(part.points) for part in all_parts[:-1])])
    return Triangles(
        np.concatenate([part.points for part in all_parts]),
        np.concatenate([part.corners + start for part, start in zip(all_parts, starts, strict=True)]),
        np.concatenate([part.colors for part in all_parts]),
    )


class Pen:
    """Draws marks of one style, as they are seen in one view."""

    def __init__(self, view: Viewport, theme: Theme, style: Style, unit: float) -> None:
        self.view, self.theme, self.style, self.unit = view, theme, style, unit

    def draw(self, mark: Mark) -> list[tuple[Triangles, float, bool]]:
        """Return the triangles of a mark in sets: each with its opacity, and whether it lies above the others."""
        style = self.style
        if isinstance(mark, Marker):
            return [(self.dots(*finite(mark.points)), style.opacity, True)]
        if isinstance(mark, Stroke):
            return self._cased(*self.pieces(*finite(mark.start, mark.end)))
        if isinstance(mark, Arrow):
            shafts, heads = self.arrows(*finite(mark.start, mark.end))
            return [*self._cased(*shafts), (heads, style.opacity, True)]
        (corners,) = finite(mark.corners)
        border = self.pieces(corners.reshape(-1, 3), np.roll(corners, -1, axis=1).reshape(-1, 3))
        return [
            (self.patches(corners), style.opacity * style.fill, False),
            (self._lines(*border), style.opacity, True),
        ]

    def _cased(self, start: FloatArray, end: FloatArray) -> list[tuple[Triangles, float, bool]]:
        """Return lines between two thin ones in the halo color, which set them off from whatever is behind."""
        style, half = self.style, 0.5 * self.style.width
        sides = [(half, half + _CASING), (-half - _CASING, -half)]
        casing = joined(self._ribbons(start, end, low, high, self.theme.halo) for low, high in sides)
        return [(casing, style.opacity * _CASING_OPACITY, False), (self._lines(start, end), style.opacity, True)]

    def _lines(self, start: FloatArray, end: FloatArray) -> Triangles:
        half = 0.5 * self.style.width
        return self._ribbons(start, end, -half, half, self.style.color)

    def dots(self, points: FloatArray) -> Triangles:
        """Return round dots with a ring in the theme's halo color."""
        points = self._before_eye(points)
        radius = 0.5 * self.style.size * self.unit
        return joined(
            [
                self._disk(points, 0.0, radius, self.style.color),
                self._disk(points, radius, radius + _RING * self.unit, self.theme.halo),
            ]
        )

    def pieces(self, start: FloatArray, end: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return what is in the picture of lines, cut into dashes if the style says so."""
        start, end = clipped(start, end, self.view)
        return self._dashes(start, end) if self.style.dashed else (start, end)

    def arrows(self, start: FloatArray, end: FloatArray) -> tuple[tuple[FloatArray, FloatArray], Triangles]:
        """Return the shafts of arrows, and their heads: cones of constant size in the picture."""
        length = np.linalg.norm(end - start, axis=1)
        seen = (length > 0.0) & (pixel_size(end, self.view) > 0.0)
        start, end, length = start[seen], end[seen], length[seen]
        scale = pixel_size(end, self.view) * self.unit
        head = np.minimum(_HEAD_LENGTH * scale, _HEAD_PART * length)
        neck = end - (end - start) / length[:, None] * head[:, None]
        cones = self._cones(neck, end, head * (_HEAD_RADIUS / _HEAD_LENGTH))
        return clipped(start, neck, self.view), cones

    def patches(self, corners: FloatArray) -> Triangles:
        """Return quadrilaterals; one that reaches behind the eye is left out."""
        _, depth = self.view.project(corners.reshape(-1, 3))
        corners = corners[(depth.reshape(-1, 4) > 0.0).all(axis=1)]
        triangles = 4 * np.arange(len(corners))[:, None, None] + np.array([[0, 1, 2], [0, 2, 3]])
        return self._triangles(corners.reshape(-1, 3), triangles, self.style.color)

    def _before_eye(self, points: FloatArray) -> FloatArray:
        return points[pixel_size(points, self.view) > 0.0]

    def _disk(self, points: FloatArray, inner: float, outer: float, color: Color) -> Triangles:
        """Return disks, or rings, of radii in pixels."""
        count = _CORNERS if len(points) < _MANY_DOTS else _FEW_CORNERS
        angle = 2.0 * np.pi * np.arange(count) / count
        circle = np.cos(angle)[:, None] * self.view.right + np.sin(angle)[:, None] * self.view.up
        scale = pixel_size(points, self.view)[:, None, None]
        rings = [points[:, None] + inner * scale * circle, points[:, None] + outer * scale * circle]
        vertices = np.concatenate(rings, axis=1)
        i = np.arange(count)
        j = (i + 1) % count
        around = np.concatenate([np.stack([i, i + count, j + count], 1), np.stack([i, j + count, j], 1)])
        triangles = 2 * count * np.arange(len(points))[:, None, None] + around
        return self._triangles(vertices.reshape(-1, 3), triangles, color)

    def _ribbons(self, start: FloatArray, end: FloatArray, low: float, high: float, color: Color) -> Triangles:
        """Return ribbons along lines, from so many units beside them to so many."""
        first, _ = self.view.project(start)
        last, _ = self.view.project(end)
        along = last - first
        length = np.linalg.norm(along, axis=1, keepdims=True)
        # A stroke that is seen end on has no direction in the picture: any will do.
        along = np.where(length > 0.0, along / np.where(length > 0.0, length, 1.0), [1.0, 0.0])
        aside = (-along[:, :1] * self.view.up + along[:, 1:] * self.view.right) * self.unit
        at_start, at_end = (aside * pixel_size(point, self.view)[:, None] for point in (start, end))
        corners = np.stack(
            [start + low * at_start, end + low * at_end, end + high * at_end, start + high * at_start], axis=1
        )
        triangles = 4 * np.arange(len(start))[:, None, None] + np.array([[0, 1, 2], [0, 2, 3]])
        return self._triangles(corners.reshape(-1, 3), triangles, color)

    def _dashes(self, start: FloatArray, end: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Cut strokes into dashes that are even in the picture, and run on where one stroke begins at another's end."""
        if not len(start):
            return start, end
        (first, near), (last, far) = self.view.project(start), self.view.project(end)
        length = np.linalg.norm(last - first, axis=1) / self.unit
        begins = np.append(True, (start[1:] != end[:-1]).any(axis=1))
        line = np.cumsum(begins) - 1  # which line a stroke is a piece of
        total = np.bincount(line, length)
        until = np.cumsum(length)
        low = until - length - (until - length)[begins][line]  # where on its line a piece begins
        # A whole dash at both ends of a line: its length is so many periods less one gap.
        count = np.maximum(np.round((total + _GAP) / (_DASH + _GAP)), 1.0)
        period = np.maximum(total / (count - _GAP / (_DASH + _GAP)), np.finfo(float).tiny)[line]
        dash = period * (_DASH / (_DASH + _GAP))
        # The dashes of a piece: from the first that ends in it to the last that begins in it.
        number = np.maximum(np.ceil((low - dash) / period), 0.0)
        many = np.maximum(np.floor((low + length) / period) - number + 1.0, 0.0).astype(np.int64)
        piece = np.repeat(np.arange(len(start)), many)
        rank = np.arange(len(piece)) - np.repeat(np.cumsum(many) - many, many)
        begin = (number[piece] + rank) * period[piece] - low[piece]
        across = np.clip(np.stack([begin, begin + dash[piece]]), 0.0, length[piece])
        across = across / np.maximum(length[piece], np.finfo(float).tiny)
        seen = across[0] < across[1]
        across, piece = across[:, seen], piece[seen]
        if self.view.camera.parallel_height is None:
            # Depth runs evenly with its inverse across the picture, not with the picture itself.
            across = across * near[piece] / (far[piece] + across * (near[piece] - far[piece]))
        parts = start[piece] + across[..., None] * (end - start)[piece]
        return parts[0], parts[1]

    def _cones(self, base: FloatArray, tip: FloatArray, radius: FloatArray) -> Triangles:
        """Return cones, a little darker on the sides that face away from the light."""
        axis = tip - base
        axis /= np.linalg.norm(axis, axis=1, keepdims=True)
        aside = np.cross(axis, np.where(np.abs(axis[:, :1]) < 0.9, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]))
        aside /= np.linalg.norm(aside, axis=1, keepdims=True)
        angle = 2.0 * np.pi * np.arange(_CORNERS)[:, None] / _CORNERS
        out = np.cos(angle) * aside[:, None] + np.sin(angle) * np.cross(axis, aside)[:, None]
        rim = base[:, None] + radius[:, None, None] * out
        vertices = np.concatenate([rim, base[:, None], np.repeat(tip[:, None], _CORNERS, axis=1)], axis=1)
        light = 0.86 + 0.14 * (out @ (self.view.up - 0.6 * self.view.right))
        shade = np.concatenate([light, np.full((len(base), 1), 0.7), light], axis=1)
        i = np.arange(_CORNERS)
        j = (i + 1) % _CORNERS
        sides = np.stack([i, j, i + _CORNERS + 1], axis=1)
        bottom = np.stack([j, i, np.full_like(i, _CORNERS)], axis=1)
        triangles = vertices.shape[1] * np.arange(len(base))[:, None, None] + np.concatenate([sides, bottom])
        cones = self._triangles(vertices.reshape(-1, 3), triangles, self.style.color)
        colors = cones.colors.astype(np.float64)
        colors[:, :3] *= np.clip(shade, 0.0, 1.0).reshape(-1, 1)
        return cones._replace(colors=np.round(colors).astype(np.uint8))

    def _triangles(self, points: FloatArray, triangles: npt.NDArray[np.int64], color: Color) -> Triangles:
        colors = np.broadcast_to(np.array([*color, 255], dtype=np.uint8), (len(points), 4))
        return Triangles(points, triangles.reshape(-1, 3), colors)


_ORDER: tuple[type, ...] = (Patch, Stroke, Arrow, Marker)


def finite(*arrays: FloatArray) -> tuple[FloatArray, ...]:
    """Return arrays without the rows that have no place in one of them, such as crossings that do not exist."""
    own = [np.asarray(array, dtype=np.float64) for array in arrays]
    seen = np.all([np.isfinite(array).all(axis=tuple(range(1, array.ndim))) for array in own], axis=0)
    return tuple(array[seen] for array in own)


def pixel_size(points: FloatArray, view: Viewport) -> FloatArray:
    """Return how many scene units a pixel covers at each point; zero behind the eye."""
    points = np.asarray(points, dtype=np.float64).reshape(-1, 3)
    depth = (points - view.eye) @ view.forward
    if view.camera.parallel_height is not None:
        return np.where(depth > 0.0, view.camera.parallel_height / view.size[1], 0.0)
    slope = np.tan(np.radians(view.camera.view_angle) / 2.0)
    return np.asarray(np.maximum(depth, 0.0) * (2.0 * slope / view.size[1]))


def clipped(start: FloatArray, end: FloatArray, view: Viewport) -> tuple[FloatArray, FloatArray]:
    """Return the parts of straight lines that are in the picture (a little over its edge), and before the eye."""
    start, end = np.asarray(start, dtype=np.float64), np.asarray(end, dtype=np.float64)
    distance = float(np.linalg.norm(np.subtract(view.camera.target, view.camera.position)))
    inside = np.stack([_margins(points, view, distance * _NEAREST) for points in (start, end)])
    rise = inside[1] - inside[0]
    with np.errstate(divide="ignore", invalid="ignore"):
        cut = -inside[0] / rise
    enter = np.where((inside[0] < 0.0) & (rise > 0.0), cut, 0.0).max(axis=0, initial=0.0)
    leave = np.where((inside[1] < 0.0) & (rise < 0.0), cut, 1.0).min(axis=0, initial=1.0)
    outside = ((inside[0] < 0.0) & (inside[1] < 0.0)).any(axis=0)
    seen = (enter <= leave) & ~outside
    along, enter, leave = (end - start)[seen], enter[seen, None], leave[seen, None]
    # The ends that are not cut keep all their digits.
    first = np.where(enter > 0.0, start[seen] + enter * along, start[seen])
    return first, np.where(leave < 1.0, start[seen] + leave * along, end[seen])


def _margins(points: FloatArray, view: Viewport, nearest: float) -> FloatArray:
    """Return how far points are inside of the near plane and of the four sides of the view; negative outside."""
    from_eye = points - view.eye
    depth, across, upward = from_eye @ view.forward, from_eye @ view.right, from_eye @ view.up
    if view.camera.parallel_height is not None:
        high = np.full_like(depth, 0.5 * view.camera.parallel_height)
    else:
        high = depth * np.tan(np.radians(view.camera.view_angle) / 2.0)
    high = high * (1.0 + 2.0 * _BLEED)
    wide = high * view.aspect
    return np.stack([depth - nearest, wide - across, wide + across, high - upward, high + upward])


def _pulled(points: FloatArray, view: Viewport, pixels: float) -> FloatArray:
    """Return points moved towards the eye by so many pixels' size; they stay where they are in the picture."""
    size = pixel_size(points, view)[:, None] * pixels
    if view.camera.parallel_height is not None:
        return np.asarray(points - size * view.forward)
    to_eye = view.eye - points
    distance = np.linalg.norm(to_eye, axis=1, keepdims=True)
    return np.asarray(points + to_eye * np.minimum(size / np.where(distance > 0.0, distance, 1.0), 0.5))


def _faded(triangles: Triangles, opacity: float) -> Triangles:
    colors = triangles.colors.copy()
    colors[:, 3] = np.round(colors[:, 3] * opacity)
    return triangles._replace(colors=colors)
