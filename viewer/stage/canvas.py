"""The flat part of a picture: plates, swatches, the small axes and text, in pixels."""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable, Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
from vtkmodules.vtkRenderingCore import (
    vtkActor2D,
    vtkPolyDataMapper2D,
    vtkRenderer,
)

from collision.inner import BoolArray, FloatArray, IntArray
from viewer.latest import Recent
from viewer.picture.drawables import Role, Solidity
from viewer.picture.pixels import Rect, Run
from viewer.picture.theme import Color, Theme
from viewer.picture.timeline import PlacedStrip
from viewer.stage.labels import PlacedLabel, axis_letters
from viewer.stage.plates import PlacedPanel, Swatch
from viewer.stage.ribbons import Triangles, joined
from viewer.stage.setting import text_width
from viewer.stage.surfaces import TriangleData
from viewer.stage.texts import TextActor, Texts
from viewer.view.camera import Viewport

_Thing = TypeVar("_Thing", PlacedPanel, PlacedLabel)

#: Radius of a plate's corners, and width of its border, in units.
_ROUND, _BORDER = 5.0, 1.0

#: How opaque the tint is behind what a click would choose.
_TINT = 0.1

#: Points of a round corner.
_ARC = 7

#: Length of the small axes, as a part of their square's side.
_AXIS = 0.33

#: Radius of the corners of the plate below the small axes, as a part of its side, and how opaque it is.
_TRIAD_ROUND, _TRIAD_OPACITY = 0.5, 0.8

#: So many pieces are kept at least.
_MOST_PIECES = 128


class Piece(NamedTuple):
    """A part of a picture: its shapes, their points (as floats of 4 bytes) and colors in memory, its colored texts."""

    shapes: Triangles
    points: bytes
    colors: bytes
    texts: tuple[Texts, ...]

    def moved(self, x: float, y: float) -> Piece:
        """Return its shapes elsewhere."""
        _, corners, colors = self.shapes
        points = self.shapes.points + np.array([x, y, 0.0])
        return Piece(Triangles(points, corners, colors), points.astype(np.float32).tobytes(), self.colors, ())


class Canvas:
    """Draws flat shapes and texts over a renderer's picture.

    Parameters
    ----------
    renderer : vtkRenderer
        Gets the actors.
    theme : Theme
        Colors.
    """

    #: Says how wide a text is.
    measure = staticmethod(text_width)

    def __init__(self, renderer: vtkRenderer, theme: Theme) -> None:
        self._renderer, self._theme = renderer, theme
        self._shapes = TriangleData()
        mapper = vtkPolyDataMapper2D()
        mapper.SetInputData(self._shapes.data)
        actor = vtkActor2D()
        actor.SetMapper(mapper)
        renderer.AddViewProp(actor)
        self._texts = TextActor()
        renderer.AddViewProp(self._texts.actor)
        self._pieces: list[Piece] = []
        self._drawn: list[Piece] = []
        self._written: list[Texts] = []
        #: The pieces of the last pictures by what they show, for one theme and unit; ...
        self._known = Recent[Hashable, Piece](_MOST_PIECES)
        #: ... and of panels and labels by their number (`id`): they are kept, too, with their pieces and their texts.
        self._kept = Recent[int, tuple[object, list[Piece], list[Texts]]](_MOST_PIECES)
        #: Of the piece that is being made.
        self._parts: list[Triangles] = []
        self.unit = 1.0

    def restyle(self, theme: Theme) -> None:
        """Take other colors for the next picture."""
        self._theme = theme
        self._forget()

    def begin(self, unit: float) -> None:
        """Start a new picture; nothing of the last one is seen in it, but what comes again is not made again."""
        if unit != self.unit:
            self._forget()
            self._texts.forget()
        self.unit, self._pieces, self._written = unit, [], []

    def _forget(self) -> None:
        self._known, self._kept = Recent(_MOST_PIECES), Recent(_MOST_PIECES)

    def end(self) -> None:
        """Hand the picture to VTK."""
        pieces, drawn = self._pieces, self._drawn
        alike = len(pieces) == len(drawn)
        if not (alike and all(map(operator.is_, pieces, drawn))):
            if alike and all(map(_same_triangles, pieces, drawn)):
                points, colors = [piece.points for piece in pieces], [piece.colors for piece in pieces]
                self._shapes.refill(b"".join(points), b"".join(colors))
            else:
                self._shapes.write(joined([piece.shapes for piece in pieces]))
            self._drawn = pieces
        self._texts.write(self._written)

    def panels(self, panels: Sequence[PlacedPanel]) -> None:
        """Draw panels."""
        self._as_before(panels, self._panel)

    def _panel(self, panel: PlacedPanel) -> None:
        if not panel.quiet:
            self._again(panel.plate, self._plate, panel.plate)
        if panel.swatches:
            self._again(panel.swatches, self._swatches, panel.swatches)
        ink, faint = self._theme.faint_text if panel.quiet else self._theme.text, self._theme.faint_text
        self._written += [(line, faint if line[0].faint else ink) for line in panel.lines if line]

    def tint(self, place: Rect) -> None:
        """Draw attention to a part of a panel."""
        self._again(("tint", place), self.rounded, place, 0.0, self._theme.text, _TINT)

    def labels(self, labels: Sequence[PlacedLabel]) -> None:
        """Draw labels."""
        self._as_before(labels, self._label)

    def _label(self, label: PlacedLabel) -> None:
        style = self._theme.styles[label.role]
        if label.leader is not None:
            self._pieces.append(self._made(self._leader, label.leader, label.role))
        # A plate is made once for each size: labels move more often than they change.
        x, y, *size = label.plate
        plate, opacity = Rect(0.0, 0.0, *size), self._theme.plate_opacity * style.opacity
        key = "label", plate, label.role
        piece = self._piece(key, self.rounded, plate, 4.0 * self.unit, self._theme.plate, opacity)
        self._pieces.append(piece.moved(x, y))
        self.text(label.run, style.color)

    def _leader(self, leader: tuple[float, float, float, float], role: Role) -> None:
        """Draw the line from a label to what it names."""
        x0, y0, x1, y1 = leader
        style = self._theme.styles[role]
        self.line((x0, y0), (x1, y1), style.width * self.unit, style.color, 0.8)
        if role is Role.NAME:
            self.dot((x0, y0), 2.0 * self.unit, style.color)

    def triad(self, place: Rect, view: Viewport) -> None:
        """Draw the small axes on a plate, the one that points away from the eye first."""
        self._again((place, *view.right.tolist(), *view.up.tolist()), self._triad, place, view)

    def _triad(self, place: Rect, view: Viewport) -> None:
        self.rounded(place, _TRIAD_ROUND * place.width, self._theme.plate, _TRIAD_OPACITY)
        center = np.array([place.x + 0.5 * place.width, place.y + 0.5 * place.height])
        tips = _AXIS * place.width * np.column_stack([view.right, view.up])
        colors = [self._theme.styles[role].color for role in (Role.AXIS_X, Role.AXIS_Y, Role.AXIS_Z)]
        for i in sorted(range(3), key=lambda i: -view.forward[i]):
            self.line(tuple(center), tuple(center + tips[i]), 2.4 * self.unit, colors[i])
            self.dot(tuple(center + tips[i]), 2.6 * self.unit, colors[i])
        height = 0.9 * self._theme.font_size * self.unit
        for i, at in axis_letters(tips, 9.5 * self.unit, height).items():
            letter = "xyz"[i]
            x, y = center + at - [0.5 * self.measure(letter, height, True), 0.5 * height]
            self.text(Run(round(x), round(y), letter, height, bold=True), colors[i])

    def strip(self, strip: PlacedStrip) -> None:
        """Draw the strip of the time."""
        self._again(strip, self._strip, strip)

    def _strip(self, strip: PlacedStrip) -> None:
        theme, unit = self._theme, self.unit
        hit = theme.paints[Solidity.HIT].color
        colors = {"track": theme.plate_border, "hit": hit, "tick": theme.faint_text, "head": theme.text}
        self._plate(strip.plate)
        for box, part in strip.boxes:
            self.rounded(box, unit, colors[part])
            if part == "head":  # a knob to take it by
                self.dot((box.x + 0.5 * box.width, box.y + box.height), 5.0 * unit, theme.text)
        for text in strip.texts:
            self.text(text, theme.faint_text if text.faint else theme.text)

    def text(self, run: Run, color: Color) -> None:
        """Draw a text."""
        self._written.append(((run,), color))

    def rounded(self, rect: Rect, radius: float, color: Color, opacity: float = 1.0) -> None:
        """Draw a rectangle with round corners."""
        self._triangles(_round_points(rect, radius), _round_triangles(), color, opacity)

    def dot(self, center: Sequence[float], radius: float, color: Color) -> None:
        """Draw a disk."""
        angle = 2.0 * np.pi * np.arange(24) / 24
        self.polygon(np.asarray(center) + radius * np.column_stack([np.cos(angle), np.sin(angle)]), color)

    def line(
        self, start: Sequence[float], end: Sequence[float], width: float, color: Color, opacity: float = 1.0
    ) -> None:
        """Draw a straight line."""
        first, last = np.asarray(start), np.asarray(end)
        length = float(np.linalg.norm(last - first))
        if length > 0.0:
            along = (last - first) / length
            aside = 0.5 * width * np.array([-along[1], along[0]])
            self.polygon(np.array([first - aside, last - aside, last + aside, first + aside]), color, opacity)

    def polygon(self, corners: FloatArray, color: Color, opacity: float = 1.0) -> None:
        """Draw a convex polygon."""
        self._triangles(corners, _fan(len(corners)), color, opacity)

    def _triangles(self, corners: FloatArray, triangles: IntArray, color: Color, opacity: float = 1.0) -> None:
        points = np.zeros((len(corners), 3))
        points[:, :2] = corners
        self._parts.append(Triangles(points, triangles, _colors(color, opacity, len(corners))))

    def _as_before(self, things: Sequence[_Thing], draw: Callable[[_Thing], None]) -> None:
        """Draw objects: those that are the very same as in one of the last pictures as they were drawn there."""
        for thing in things:
            kept = self._kept.get(id(thing))
            if kept is None:
                pieces, texts = len(self._pieces), len(self._written)
                draw(thing)
                self._kept.keep(id(thing), (thing, self._pieces[pieces:], self._written[texts:]))
            else:
                self._pieces += kept[1]
                self._written += kept[2]

    def _again(self, key: Hashable, draw: Callable[..., None], *given: Any) -> None:
        """Draw what one of the last pictures had too, or else make it."""
        piece = self._piece(key, draw, *given)
        self._pieces.append(piece)
        self._written += piece.texts

    def _piece(self, key: Hashable, draw: Callable[..., None], *given: Any) -> Piece:
        """Return the piece of one of the last pictures, or else make it."""
        return self._known.get(key) or self._known.keep(key, self._made(draw, *given))

    def _made(self, draw: Callable[..., None], *given: Any) -> Piece:
        written, self._written, self._parts = self._written, [], []
        draw(*given)
        parts, own, self._written = self._parts, tuple(self._written), written
        shapes = parts[0] if len(parts) == 1 else joined(parts)
        shapes = shapes._replace(corners=_corners(shapes.corners.tobytes()))
        return Piece(shapes, shapes.points.astype(np.float32).tobytes(), shapes.colors.tobytes(), own)

    def _swatches(self, swatches: Sequence[Swatch]) -> None:
        for swatch in swatches:
            self._swatch(swatch.rect, swatch.key)

    def _plate(self, rect: Rect) -> None:
        border, theme = _BORDER * self.unit, self._theme
        outer = _round_points(rect.grown(border), (_ROUND + _BORDER) * self.unit)
        inner = _round_points(rect, _ROUND * self.unit)
        self._triangles(np.concatenate([outer, inner]), _rim_triangles(), theme.plate_border, theme.plate_opacity)
        self._triangles(inner, _round_triangles(), theme.plate)

    def _swatch(self, rect: Rect, key: Role | Solidity) -> None:
        if isinstance(key, Solidity):
            self._solid_swatch(rect, key)
            return
        style, unit = self._theme.styles[key], self.unit
        middle = rect.y + 0.5 * rect.height
        left, right = (rect.x, middle), (rect.x + rect.width, middle)
        if style.sign == "dot":
            self.dot((rect.x + 0.5 * rect.width, middle), 0.36 * rect.width, style.color)
        elif style.sign == "patch":
            self.rounded(rect, 2.0 * unit, style.color, style.fill)
        elif style.sign == "arrow":
            neck = rect.x + 0.5 * rect.width
            self.line(left, (neck, middle), style.width * unit, style.color)
            half = 0.3 * rect.height
            self.polygon(np.array([(neck, middle - half), right, (neck, middle + half)]), style.color)
        elif style.dashed:
            for part in (0.0, 0.38, 0.76):
                x = rect.x + part * rect.width
                self.line((x, middle), (x + 0.24 * rect.width, middle), style.width * unit, style.color)
        else:
            self.line(left, right, style.width * unit, style.color)

    def _solid_swatch(self, rect: Rect, standing: Solidity) -> None:
        """Draw a square as a solid of this standing looks: with its outline and its stripes."""
        paint, unit = self._theme.paints[standing], self.unit
        red, green, blue = (round(part * (1.0 - paint.outline)) for part in paint.color)
        self.rounded(rect, 3.0 * unit, (red, green, blue))
        inner = Rect(rect.x + unit, rect.y + unit, rect.width - 2.0 * unit, rect.height - 2.0 * unit)
        self.rounded(inner, 2.0 * unit, paint.color)
        if paint.stripe is None:
            return
        side, period = inner.width, 0.42 * inner.width
        for k in range(1, 5):
            middle, half = k * period, 0.2 * period * np.sqrt(2.0)
            stripe = _band(middle - half, middle + half, side)
            if len(stripe) > 2:
                self.polygon(stripe + np.array([inner.x, inner.y]), paint.stripe)


@lru_cache(maxsize=256)
def _corners(memory: bytes) -> IntArray:
    """Return the same triangles for the same numbers: there are only some ways to put a piece together."""
    return np.frombuffer(memory, dtype=np.int64).reshape(-1, 3)


def _same_triangles(a: Piece, b: Piece) -> bool:
    """Say whether two pieces have the same triangles, between points that may be others."""
    return a is b or (a.shapes.corners is b.shapes.corners and len(a.points) == len(b.points))


@lru_cache(maxsize=256)
def _colors(color: Color, opacity: float, count: int) -> npt.NDArray[np.uint8]:
    """Return the same color for so many points."""
    return np.full((count, 4), (*color, round(255 * opacity)), dtype=np.uint8)


@cache
def _round_corners() -> tuple[BoolArray, FloatArray]:
    """Return, for the outline of a square with round corners and the centers of those, where the points are.

    That is, on which sides of it, and how far from there, in radii of the corners.
    """
    sides = np.array([(1, 1), (0, 1), (0, 0), (1, 0)], dtype=bool)
    angle = np.concatenate([np.linspace(0.0, 0.5 * np.pi, _ARC) + k * 0.5 * np.pi for k in range(4)])
    side = np.concatenate([np.repeat(sides, _ARC, axis=0), sides])
    around = np.concatenate([np.column_stack([np.cos(angle), np.sin(angle)]), np.zeros((4, 2))])
    return side, around + np.where(side, -1.0, 1.0)


def _round_points(rect: Rect, radius: float) -> FloatArray:
    """Return the outline of a rectangle with round corners, and the centers of its corners."""
    points: FloatArray = _outline(rect.width, rect.height, radius) + np.array([rect.x, rect.y])
    return points


@lru_cache(maxsize=256)
def _outline(width: float, height: float, radius: float) -> FloatArray:
    """Return the outline of a rectangle from the origin, and the centers of its corners: a label moves more often."""
    side, inset = _round_corners()
    points: FloatArray = side * np.array([width, height]) + min(radius, 0.5 * width, 0.5 * height) * inset
    points.flags.writeable = False
    return points


@cache
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


@cache
def _rim_triangles() -> IntArray:
    """Return the triangles between the outlines of two rectangles with round corners."""
    point = np.arange(4 * _ARC)
    following = (point + 1) % len(point)
    inner, beyond = point + len(point) + 4, following + len(point) + 4
    return np.concatenate([np.stack([point, following, beyond], axis=1), np.stack([point, beyond, inner], axis=1)])


@cache
def _fan(count: int) -> IntArray:
    """Return the triangles of a convex polygon."""
    first = np.arange(1, count - 1)
    return np.stack([0 * first, first, first + 1], axis=1)


def _band(low: float, high: float, side: float) -> FloatArray:
    """Return the part of a square where x + y lies between two values, as the corners of a convex polygon."""

    def ends(total: float) -> list[tuple[float, float]]:
        total = min(max(total, 0.0), 2.0 * side)
        x = min(total, side)
        return [(x, total - x), (total - x, x)]

    (a, b), (c, d) = ends(low), ends(high)
    corners = [a, c, d, b]
    if low < side < high:  # the band goes round the square's two other corners
        corners = [a, (side, 0.0), c, d, (0.0, side), b]
    return np.array(corners)
