"""Marks as triangles that face the camera: pure arithmetic, no renderer.

A stroke of constant width on the screen is a ribbon across the view, as wide at each of its ends as so many pixels are
there; perspective keeps it straight and even in between. Dots, heads of arrows and dashes are cut from the same cloth.
The triangles are made anew for every camera, so infinite lines never reach beyond what is seen of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from collision.fields import BoolArray, FloatArray, IntArray
from viewer.camera import Viewport
from viewer.drawables import Arrow, Marker, Patch, Stroke
from viewer.theme import Style, Theme

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


class Part(NamedTuple):
    """Pieces of marks that have the same triangles.

    Vertices (n, v, 3), the corners of the triangles of one piece (t, 3), the colors (n, v, 4), the opacity of each
    piece, the mark that it is a piece of, and the rank of all these pieces in their marks: 0 lies below the others.
    """

    points: FloatArray
    corners: npt.NDArray[np.int64]
    colors: npt.NDArray[np.uint8]
    opacity: FloatArray
    owner: IntArray
    rank: int

    def triangles(self) -> Triangles:
        """Return the triangles of all pieces."""
        count, size = self.points.shape[:2]
        corners = size * np.arange(count)[:, None, None] + self.corners
        return Triangles(self.points.reshape(-1, 3), corners.reshape(-1, 3), self.colors.reshape(-1, 4))


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
    styles = [theme.styles[mark.role] for mark in ordered]
    parts = Pen(view, theme, styles, unit).draw(ordered) if ordered else []
    if not parts:
        return Layers(*4 * [NO_TRIANGLES])
    owner, rank, opacity = (
        np.concatenate([np.repeat(values, part.points.shape[1]) for part, values in zip(parts, of_parts, strict=True)])
        for of_parts in (
            [part.owner for part in parts],
            [np.full(len(part.owner), part.rank) for part in parts],
            [part.opacity for part in parts],
        )
    )
    step = unit * (_LAST_PULL - _FIRST_PULL) / len(ordered)
    pieces = joined(part.triangles() for part in parts)
    points = _pulled(pieces.points, view, _FIRST_PULL * unit + (owner + 0.5 * (rank > 0)) * step)
    # Within a layer, triangles cover each other in the order of the marks.
    order = np.argsort((3 * owner + rank)[pieces.corners[:, 0]], kind="stable")
    whole = Triangles(points, pieces.corners[order], pieces.colors)
    on_top, ghost = (np.array([getattr(style, name) for style in styles])[owner] for name in ("on_top", "ghost"))
    place, ghost = 2 * on_top + (opacity < 1.0), np.where(on_top, 0.0, ghost)
    solid, clear, top_solid = (_chosen(whole, place == number, opacity) for number in range(3))
    top_clear = _chosen(whole, (place == 3) | (ghost > 0.0), np.where(ghost > 0.0, ghost, 1.0) * opacity)
    return Layers(solid, clear, top_solid, top_clear)


def joined(parts: Iterable[Triangles]) -> Triangles:
    """Return several triangle sets as one, in order."""
    all_parts = [NO_TRIANGLES, *parts]
    starts = np.cumsum([0, *(len(part.points) for part in all_parts[:-1])])
    return Triangles(
        np.concatenate([part.points for part in all_parts]),
        np.concatenate([part.corners + start for part, start in zip(all_parts, starts, strict=True)]),
        np.concatenate([part.colors for part in all_parts]),
    )


def _chosen(whole: Triangles, rows: BoolArray, opacity: FloatArray) -> Triangles:
    """Return the triangles of some vertices, with an opacity for each."""
    if not rows.any():
        return NO_TRIANGLES
    colors = whole.colors[rows]
    colors[:, 3] = np.round(colors[:, 3] * opacity[rows])
    corners = whole.corners[rows[whole.corners[:, 0]]]
    return Triangles(whole.points[rows], (np.cumsum(rows) - 1)[corners], colors)


class Pen:
    """Draws marks, each in a style of its own, as they are seen in one view: all marks at once."""

    def __init__(self, view: Viewport, theme: Theme, styles: Sequence[Style], unit: float) -> None:
        self.view, self.unit = view, unit
        self._halo = np.array([*theme.halo, 255], dtype=np.uint8)
        self._colors = np.array([(*style.color, 255) for style in styles], dtype=np.uint8)
        numbers = [(style.width, style.size, style.opacity, style.fill) for style in styles]
        self._width, self._size, self._opacity, self._fill = np.array(numbers).T
        self._dashed = np.array([style.dashed for style in styles])

    def draw(self, marks: Sequence[Mark]) -> list[Part]:
        """Return the pieces of marks, as many as there are styles."""
        numbered: dict[type, list[tuple[int, Any]]] = {kind: [] for kind in _ORDER}
        for number, mark in enumerate(marks):
            numbered[type(mark)].append((number, mark))
        lines = [_gathered(numbered[Stroke], "start", "end")]
        parts: list[Part] = []
        if numbered[Patch]:
            corners, owner = _gathered(numbered[Patch], "corners")
            parts.append(self._patches(corners, owner))
            border = (corners.reshape(-1, 3), np.roll(corners, -1, axis=1).reshape(-1, 3))
            lines.append((*border, np.repeat(owner, 4)))
        if numbered[Arrow]:
            *shafts, heads = self.arrows(*_gathered(numbered[Arrow], "start", "end"))
            parts.append(heads)
            lines.append(tuple(shafts))
        kinds = np.array([_ORDER.index(type(mark)) for mark in marks])
        start, end, owner = map(np.concatenate, zip(*lines, strict=True))
        parts += self._lines(start, end, owner, kinds)
        if numbered[Marker]:
            parts += self._dots(*_gathered(numbered[Marker], "points"))
        return [part for part in parts if len(part.owner)]

    def pieces(
        self, start: FloatArray, end: FloatArray, owner: IntArray, dashed: BoolArray
    ) -> tuple[FloatArray, FloatArray, IntArray]:
        """Return what is in the picture of lines, those of some marks cut into dashes, and whose each piece is."""
        start, end, owner = clipped(start, end, self.view, owner)
        cut = dashed[owner]
        if not cut.any():
            return start, end, owner
        found = [(start[~cut], end[~cut], owner[~cut])]
        for number in np.unique(owner[cut]):
            own = owner == number
            dashes = self._dashes(start[own], end[own])
            found.append((*dashes, np.full(len(dashes[0]), number)))
        first, last, whose = map(np.concatenate, zip(*found, strict=True))
        return first, last, whose

    def arrows(
        self, start: FloatArray, end: FloatArray, owner: IntArray
    ) -> tuple[FloatArray, FloatArray, IntArray, Part]:
        """Return the shafts of arrows, and their heads: cones of constant size in the picture."""
        length, scale = _lengths(end - start), pixel_size(end, self.view)
        seen = (length > 0.0) & (scale > 0.0)
        start, end, owner, length, scale = start[seen], end[seen], owner[seen], length[seen], scale[seen]
        head = np.minimum(_HEAD_LENGTH * self.unit * scale, _HEAD_PART * length)
        neck = end - (end - start) * (head / length)[:, None]
        return start, neck, owner, self._cones(neck, end, head * (_HEAD_RADIUS / _HEAD_LENGTH), owner)

    def _patches(self, corners: FloatArray, owner: IntArray) -> Part:
        """Return quadrilaterals; one that reaches behind the eye is left out."""
        before = ((corners - self.view.eye) @ self.view.forward > 0.0).all(axis=1)
        corners, owner = corners[before], owner[before]
        opacity = self._opacity[owner] * self._fill[owner]
        return _part(corners, _TWO_TRIANGLES, self._colors[owner], opacity, owner, 0)

    def _lines(self, start: FloatArray, end: FloatArray, owner: IntArray, kinds: IntArray) -> list[Part]:
        """Return lines; all but borders between two thin lines in the halo color, which set them off from the rest."""
        if not len(start):
            return []
        start, end, owner = self.pieces(start, end, owner, self._dashed & (kinds != _ORDER.index(Arrow)))
        half, opacity = 0.5 * self._width[owner], self._opacity[owner]
        edges = np.stack([-half - _CASING, -half, half, half + _CASING], axis=1)
        ribbons = self._ribbons(start, end, edges)
        cased = (kinds != _ORDER.index(Patch))[owner]
        sides, both = np.concatenate([ribbons[cased, 2], ribbons[cased, 0]]), np.tile(owner[cased], 2)
        return [
            _part(sides, _TWO_TRIANGLES, self._halo, _CASING_OPACITY * self._opacity[both], both, 0),
            _part(ribbons[:, 1], _TWO_TRIANGLES, self._colors[owner], opacity, owner, 1),
        ]

    def _dots(self, points: FloatArray, owner: IntArray) -> list[Part]:
        """Return round dots with a ring in the halo color."""
        scale = pixel_size(points, self.view)
        seen = scale > 0.0
        points, owner, scale = points[seen], owner[seen], scale[seen]
        many = (np.bincount(owner, minlength=len(self._size)) >= _MANY_DOTS)[owner]
        found = []
        for count, own in ((_CORNERS, ~many), (_FEW_CORNERS, many)):
            if not own.any():
                continue
            circle, around = _circle(count)
            across = circle @ np.stack([self.view.right, self.view.up])
            radius = 0.5 * self._size[owner[own]] * self.unit
            rims = np.stack([0.0 * radius, radius, radius + _RING * self.unit], axis=1) * scale[own, None]
            corners = points[own, None, None] + rims[:, :, None, None] * across
            disks, rings = (corners[:, k : k + 2].reshape(-1, 2 * count, 3) for k in (0, 1))
            whose, opacity = owner[own], self._opacity[owner[own]]
            found.append(_part(disks, around, self._colors[whose], opacity, whose, 1))
            found.append(_part(rings, around, self._halo, opacity, whose, 2))
        return found

    def _ribbons(self, start: FloatArray, end: FloatArray, edges: FloatArray) -> FloatArray:
        """Return three ribbons along each line, (n, 3, 4, 3), between four edges so many units beside it (n, 4)."""
        first, _ = self.view.project(start)
        last, _ = self.view.project(end)
        along = last - first
        length = np.linalg.norm(along, axis=1, keepdims=True)
        # A stroke that is seen end on has no direction in the picture: any will do.
        along = np.where(length > 0.0, along / np.where(length > 0.0, length, 1.0), [1.0, 0.0])
        aside = (-along[:, :1] * self.view.up + along[:, 1:] * self.view.right) * self.unit
        at_start, at_end = (
            point[:, None] + edges[:, :, None] * (aside * pixel_size(point, self.view)[:, None])[:, None]
            for point in (start, end)
        )
        return np.stack([at_start[:, :-1], at_end[:, :-1], at_end[:, 1:], at_start[:, 1:]], axis=2)

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

    def _cones(self, base: FloatArray, tip: FloatArray, radius: FloatArray, owner: IntArray) -> Part:
        """Return cones, a little darker on the sides that face away from the light."""
        axis = tip - base
        axis /= _lengths(axis)[:, None]
        aside = _cross(axis, np.where(np.abs(axis[:, :1]) < 0.9, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]))
        aside /= _lengths(aside)[:, None]
        circle, triangles = _circle(_CORNERS)[0], _cone()
        out = circle @ np.stack([aside, _cross(axis, aside)], axis=1)
        rim = base[:, None] + radius[:, None, None] * out
        vertices = np.concatenate([rim, base[:, None], np.repeat(tip[:, None], _CORNERS, axis=1)], axis=1)
        light = np.clip(0.86 + 0.14 * (out @ (self.view.up - 0.6 * self.view.right)), 0.0, 1.0)
        shade = np.concatenate([light, np.full((len(base), 1), 0.7), light], axis=1)
        colors = np.empty((*shade.shape, 4), dtype=np.uint8)
        colors[..., :3] = np.round(self._colors[owner, None, :3] * shade[..., None])
        colors[..., 3] = 255
        return Part(vertices, triangles, colors, self._opacity[owner], owner, 2)


def _part(
    points: FloatArray,
    corners: npt.NDArray[np.int64],
    colors: npt.NDArray[np.uint8],
    opacity: FloatArray,
    owner: IntArray,
    rank: int,
) -> Part:
    """Return pieces of one color each."""
    whole = np.empty((*points.shape[:2], 4), dtype=np.uint8)
    whole[:] = colors.reshape(-1, 1, 4)
    return Part(points, corners, whole, opacity, owner, rank)


_TWO_TRIANGLES = np.array([[0, 1, 2], [0, 2, 3]])


@cache
def _circle(count: int) -> tuple[FloatArray, npt.NDArray[np.int64]]:
    """Return points on a circle (count, 2), and the triangles between two such circles."""
    angle = 2.0 * np.pi * np.arange(count) / count
    i = np.arange(count)
    j = (i + 1) % count
    around = np.concatenate([np.stack([i, i + count, j + count], 1), np.stack([i, j + count, j], 1)])
    return np.column_stack([np.cos(angle), np.sin(angle)]), around


@cache
def _cone() -> npt.NDArray[np.int64]:
    """Return the triangles of a cone: its rim, the middle of its base, and its tip once for each point of the rim."""
    i = np.arange(_CORNERS)
    j = (i + 1) % _CORNERS
    sides = np.stack([i, j, i + _CORNERS + 1], axis=1)
    return np.concatenate([sides, np.stack([j, i, np.full_like(i, _CORNERS)], axis=1)])


def _cross(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return cross products, (n, 3): for a few, in half the time that NumPy takes."""
    return a[:, [1, 2, 0]] * b[:, [2, 0, 1]] - a[:, [2, 0, 1]] * b[:, [1, 2, 0]]


def _lengths(vectors: FloatArray) -> FloatArray:
    return np.asarray(np.sqrt(np.einsum("ij,ij->i", vectors, vectors)))


_ORDER: tuple[type, ...] = (Patch, Stroke, Arrow, Marker)


def _gathered(numbered: Sequence[tuple[int, Any]], *names: str) -> tuple[npt.NDArray[Any], ...]:
    """Return fields of marks as one array each, without what has no place, and the number of the mark of each row."""
    none = np.zeros((0, 4, 3) if names == ("corners",) else (0, 3))
    counts = [len(getattr(mark, names[0])) for _, mark in numbered]
    arrays = [np.concatenate([none, *(getattr(mark, name) for _, mark in numbered)]) for name in names]
    owner = np.repeat(np.array([number for number, _ in numbered], dtype=np.intp), counts)
    seen = np.all([np.isfinite(array).all(axis=tuple(range(1, array.ndim))) for array in arrays], axis=0)
    return (*(array[seen] for array in arrays), owner[seen])


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


def clipped(
    start: FloatArray, end: FloatArray, view: Viewport, owner: IntArray | None = None
) -> tuple[FloatArray, FloatArray, IntArray]:
    """Return the parts of straight lines that are in the picture (a little over its edge), and before the eye.

    With them comes the row that each is a part of, or its owner.
    """
    rows = np.arange(len(start)) if owner is None else owner
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
    return first, np.where(leave < 1.0, start[seen] + leave * along, end[seen]), rows[seen]


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


def _pulled(points: FloatArray, view: Viewport, pixels: FloatArray) -> FloatArray:
    """Return points moved towards the eye by so many pixels' size; they stay where they are in the picture."""
    size = (pixel_size(points, view) * pixels)[:, None]
    if view.camera.parallel_height is not None:
        return np.asarray(points - size * view.forward)
    to_eye = view.eye - points
    distance = np.linalg.norm(to_eye, axis=1, keepdims=True)
    return np.asarray(points + to_eye * np.minimum(size / np.where(distance > 0.0, distance, 1.0), 0.5))
