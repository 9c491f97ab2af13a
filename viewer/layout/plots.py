"""Small plots of a step of an explanation: axes with round numbers, curves, bars, points and their labels."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from collision.inner import Plot, PlotLine
from viewer.layout.page import Page
from viewer.layout.parts import Area, Disk, Hit, Ink, Part, Path, Point, Shape, Written
from viewer.records.drawables import MARK_ROLES, FlatMark, Role, StepRow
from viewer.records.pixels import Rect, Run
from viewer.records.words import number, with_indices

#: The gaps beside the texts of a plot, and its dots, in heights of the text beside it.
_GAP, _DOT = 0.4, 0.27

#: How opaque bars are: one that is highlighted, the one that decides, and others.
_HIGHLIGHTED, _FILL, _FAINT = 0.6, 0.4, 0.2

#: Distances between the numbers of an axis, at least: in heights of the text along it.
_APART_X, _APART_Y = 3.6, 2.0

#: Where the label of a point may stand: to which side, and how far up.
_SIDES = ((1, 1), (-1, 1), (1, -1), (-1, -1), (0, 1), (0, -1), (1, 0), (-1, 0))


class Look(NamedTuple):
    """How a plot is written: on which page, and which mark is highlighted."""

    page: Page
    highlighted: str = ""

    @property
    def text(self) -> float:
        """The height of the text beside it."""
        return self.page.text

    @property
    def unit(self) -> float:
        """Pixels in a unit."""
        return self.page.unit

    @property
    def small(self) -> float:
        """The height of its texts."""
        return self.page.small

    def width(self, text: str) -> float:
        """Return how wide a text of it is."""
        return self.page.wide(text, self.small)

    def shortened(self, text: str, room: float, *, bold: bool = False) -> str:
        """Return a text of it, or as much as fits."""
        return self.page.shortened(text, room, self.small, bold=bold)


class _Named(NamedTuple):
    """A label and the pixel that it is for, from which it stays away by a radius; without one it may be on it."""

    at: Point
    text: str
    role: Role
    radius: float = 0.0


def ticks(low: float, high: float, most: int) -> list[float]:
    """Return round numbers in a range, so many at most.

    Examples
    --------
    >>> ticks(0.0, 1.0, 4), ticks(-3.0, 7.0, 3)
    ([0.0, 0.5, 1.0], [0.0, 5.0])
    """
    span = high - low
    if not (0.0 < span < math.inf) or most < 1:
        return []
    power = 10.0 ** math.floor(math.log10(span / most))
    step = next(factor * power for factor in (1.0, 2.0, 5.0, 10.0, 20.0) if span / (factor * power) <= most)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [k * step for k in range(first, last + 1)]


class _Frame(NamedTuple):
    """The rectangle of a plot's curves, and its ranges."""

    rect: Rect
    x: tuple[float, float]
    y: tuple[float, float]
    down: bool

    def at(self, x: float, y: float) -> Point:
        """Return the pixel of a place."""
        (left, right), (low, high) = self.x, self.y
        across, up = (x - left) / (right - left), (y - low) / (high - low)
        return self.rect.x + across * self.rect.width, self.rect.y + (1.0 - up if self.down else up) * self.rect.height

    def inside(self, x: float, y: float) -> bool:
        """Say whether a place is within the ranges."""
        return self.x[0] <= x <= self.x[1] and self.y[0] <= y <= self.y[1]


def least_height(plot: Plot, look: Look) -> float:
    """Return how high a plot is at least."""
    rows = max(1.25 * look.text * len(plot.rows), 5.5 * look.text)
    return rows + _above(plot, look) + _below(plot, look)


def plot_part(plot: Plot, width: float, height: float, look: Look) -> Part:
    """Return a plot in a rectangle of a size."""
    frame = _frame(plot, width, height, look)
    axes, beside = _axes(plot, frame, look)
    bars, below, on_bars = _areas(plot, frame, look)
    dots, above, at_dots = _dots(plot, frame, look)
    curves, at_curves = list[Shape](), list[_Named]()
    for line in plot.lines:
        role = MARK_ROLES[line.role]
        pieces = _clipped(line, frame)
        curves += [Path(tuple(piece), 1.8 * look.unit, role) for piece in pieces]
        if line.label and pieces:
            at_curves.append(_Named(pieces[-1][-1], line.label, role))
    taken = [_around(dot.center, dot.radius) for dot in dots]
    if not plot.rows and frame.y[0] < 0.0 < frame.y[1]:
        taken.append(Rect(frame.rect.x, frame.at(frame.x[0], 0.0)[1], frame.rect.width, look.unit))
    names, plates = place_names([*at_dots, *on_bars, *at_curves], frame.rect, taken, look)
    shapes = (Area(frame.rect, "paper", 0.6), *axes, *bars, *curves, *plates, *dots)
    return Part(height, (*_head(plot, width, look), *beside, *names), shapes, (*below, *above))


def _areas(plot: Plot, frame: _Frame, look: Look) -> tuple[list[Shape], list[Hit], list[_Named]]:
    """Return the bars of a plot, what the pointer finds in them, and their labels."""
    shapes, hits, named = list[Shape](), list[Hit](), list[_Named]()
    for area in plot.areas:
        rect = _area(frame, area.x, area.y)
        if rect is None:
            continue
        role, highlighted = MARK_ROLES[area.role], bool(area.mark) and area.mark == look.highlighted
        shapes.append(
            Area(
                rect,
                "accent" if highlighted else role,
                _HIGHLIGHTED if highlighted else _FILL if area.role == "chosen" else _FAINT,
            )
        )
        shapes.append(_outline(rect, look.unit, "accent" if highlighted else role))
        if area.mark:
            hits.append(Hit(rect.grown(2.0 * look.unit), StepRow(f"area {area.label}", label=area.mark)))
        if area.label:
            named.append(_Named(rect.middle, area.label, MARK_ROLES[area.role]))
    return shapes, hits, named


def _dots(plot: Plot, frame: _Frame, look: Look) -> tuple[list[Disk], list[Hit], list[_Named]]:
    """Return the points of a plot, what the pointer finds there, and their labels."""
    radius, dots, hits, named = _DOT * look.text, list[Disk](), list[Hit](), list[_Named]()
    for point in plot.points:
        if not frame.inside(point.x, point.y):
            continue
        at, role = frame.at(point.x, point.y), MARK_ROLES[point.role]
        if point.mark and point.mark == look.highlighted:
            dots.append(Disk(at, 1.9 * radius, "accent"))
        dots += [Disk(at, 1.3 * radius, "paper"), Disk(at, radius, role)]
        if point.mark:
            hits.append(Hit(_around(at, 2.2 * radius), StepRow(f"point {point.label}", label=point.mark)))
        if point.label:
            named.append(_Named(at, point.label, role, radius))
    return dots, hits, named


def space_part(title: str, marks: Sequence[FlatMark], width: float, height: float, look: Look) -> Part:
    """Return a second picture: flat marks that fill a rectangle, as far as they are finite."""
    top = 1.5 * look.text
    rect = Rect(0.0, -height, width, height - top)
    texts = [Written(_small(0.0, -0.95 * look.text, look.shortened(title, width), look))]
    frame = _framed(marks, rect.grown(-1.6 * look.text))
    shapes: list[Shape] = [Area(rect, "paper", 0.6), _outline(rect, look.unit, "border")]
    named, hits, radius, dots = list[_Named](), list[Hit](), _DOT * look.text, list[Shape]()
    for mark in marks:
        highlighted = bool(mark.label) and mark.label == look.highlighted
        for piece in _pieces(mark, frame, rect):
            if highlighted:
                shapes.append(Path(piece, 5.0 * look.unit, "accent", 0.6))
            shapes.append(Path(piece, 1.8 * look.unit, mark.role))
        for x, y in mark.dots:
            at = frame.at(x, y)
            dots += [*([Disk(at, 1.9 * radius, "accent")] if highlighted else []), Disk(at, radius, mark.role)]
        if mark.at is not None and mark.label:
            at = frame.at(*mark.at)
            if rect.covers(*at):
                named.append(_Named(at, mark.label, mark.role, radius))
                hits.append(Hit(_around(at, 2.2 * radius), StepRow(mark.label, label=mark.label)))
    taken = [_around(name.at, radius) for name in named]
    names, plates = place_names(named, rect, taken, look)
    return Part(height, (*texts, *names), (*shapes, *plates, *dots), tuple(hits))


def place_names(
    named: Iterable[_Named], room: Rect, taken: Iterable[Rect], look: Look
) -> tuple[list[Written], list[Area]]:
    """Return labels beside their points, and what is behind them.

    None covers another or a dot; those without a place are left out.
    """
    used, texts, plates, high = list(taken), list[Written](), list[Area](), 1.2 * look.small
    for (x, y), label, role, radius in named:
        text = with_indices(label)
        wide = look.width(text)
        away = radius + 0.25 * look.text
        places = [(0.0, 0.0)] if radius == 0.0 else []
        places += [
            (right * (0.5 * wide + away * (0.7 if up else 1.0)), up * (0.5 * high + away * 0.7)) for right, up in _SIDES
        ]
        if radius == 0.0:
            places += [(-0.5 * wide - away, 0.6 * high), (-0.5 * wide - away, -0.6 * high)]
        for across, upward in places:
            rect = Rect(x + across - 0.5 * wide, y + upward - 0.5 * high, wide, high)
            inside = rect.x >= room.x and rect.x + wide <= room.x + room.width
            inside = inside and rect.y >= room.y and rect.y + high <= room.y + room.height
            if inside and not any(rect.overlaps(other) for other in used):
                used.append(rect)
                plates.append(Area(rect, "paper", 0.7))
                texts.append(
                    Written(
                        _small(rect.x, rect.y + 0.32 * high, text, look), role if role is not Role.OUTSIDE else "faint"
                    )
                )
                break
    return texts, plates


# -- inside ------------------------------------------------------------------------------------------------------------


def _small(x: float, y: float, text: str, look: Look, *, bold: bool = False) -> Run:
    return Run(x, y, text, look.small, bold=bold, on_line=True)


def _above(plot: Plot, look: Look) -> float:
    return look.text * (1.5 * bool(plot.title) + 1.3 * bool(plot.y_label and not plot.rows) + 0.2)


def _below(plot: Plot, look: Look) -> float:
    return look.text * (1.35 + 1.25 * bool(plot.x_label))


def _frame(plot: Plot, width: float, height: float, look: Look) -> _Frame:
    low, high = plot.y_range
    rows = [look.width(_row_name(name, width, look)) for name in plot.rows]
    if not plot.rows:
        inner = height - _above(plot, look) - _below(plot, look)
        rows = [look.width(_tick(v, plot.y_range)) for v in ticks(low, high, _most(inner, _APART_Y * look.text))]
    left = max(rows, default=0.0) + _GAP * look.text
    right = 0.9 * look.text
    rect = Rect(
        left, -height + _below(plot, look), width - left - right, height - _above(plot, look) - _below(plot, look)
    )
    x, y = _range(plot.x_range), _range(plot.y_range)
    return _Frame(_fitted(rect, x[1] - x[0], y[1] - y[0]) if plot.square else rect, x, y, bool(plot.rows))


def _fitted(rect: Rect, wide: float, high: float) -> Rect:
    """Return the part of a rectangle in which one unit is as long across as up, in its middle."""
    scale = min(rect.width / wide, rect.height / high)
    return Rect(
        rect.x + 0.5 * (rect.width - scale * wide), rect.y + rect.height - scale * high, scale * wide, scale * high
    )


def _range(given: tuple[float, float]) -> tuple[float, float]:
    """Return a range of some length."""
    low, high = given
    if not (math.isfinite(low) and math.isfinite(high)):
        return 0.0, 1.0
    return (low, high) if high > low else (low - 0.5 * (abs(low) or 1.0), low + 0.5 * (abs(low) or 1.0))


def _most(length: float, apart: float) -> int:
    return max(min(int(length / apart), 6), 1)


def _tick(value: float, of: tuple[float, float]) -> str:
    return number(value, max(abs(of[0]), abs(of[1])), 4)


def _row_name(name: str, width: float, look: Look) -> str:
    return look.shortened(name, 0.34 * width)


def _head(plot: Plot, width: float, look: Look) -> Iterable[Written]:
    y = 0.0
    if plot.title:
        y -= 1.0 * look.text
        title = look.shortened(plot.title, width, bold=True)
        yield Written(_small(0.0, y, title, look, bold=True))
        y -= 0.5 * look.text
    if plot.y_label and not plot.rows:
        yield Written(_small(0.0, y - 0.75 * look.text, look.shortened(plot.y_label, width), look), "faint")


def _axes(plot: Plot, frame: _Frame, look: Look) -> tuple[list[Shape], list[Written]]:
    """Return the lines and the numbers of the axes."""
    rect, shapes, texts = frame.rect, list[Shape](), list[Written]()
    foot, end = rect.y, 0.0
    for value in ticks(*frame.x, _most(rect.width, _APART_X * look.text)):
        x, _ = frame.at(value, frame.y[0])
        shapes.append(Path(((x, rect.y), (x, rect.y + rect.height)), look.unit, "border"))
        text = _tick(value, frame.x)
        wide = look.width(text)
        start = min(x - 0.5 * wide, rect.x + rect.width + 0.9 * look.text - wide)
        if start >= end or not texts:
            texts.append(Written(_small(start, foot - 1.1 * look.text, text, look), "faint"))
            end = start + wide + 0.4 * look.text
    if plot.rows:
        for row, name in enumerate(plot.rows):
            _, y = frame.at(frame.x[0], row)
            text = _row_name(name, rect.x + rect.width, look)
            texts.append(
                Written(_small(rect.x - _GAP * look.text - look.width(text), y - 0.35 * look.small, text, look))
            )
    else:
        for value in ticks(*frame.y, _most(rect.height, _APART_Y * look.text)):
            _, y = frame.at(frame.x[0], value)
            shapes.append(Path(((rect.x, y), (rect.x + rect.width, y)), look.unit, "border"))
            text = _tick(value, frame.y)
            at = rect.x - _GAP * look.text - look.width(text)
            texts.append(Written(_small(at, max(y - 0.35 * look.small, rect.y), text, look), "faint"))
    for k, (low, high) in enumerate((frame.x, frame.y)):
        if low < 0.0 < high and not (k == 1 and plot.rows):
            a, b = (
                (frame.at(0.0, frame.y[0]), frame.at(0.0, frame.y[1]))
                if k == 0
                else (frame.at(frame.x[0], 0.0), frame.at(frame.x[1], 0.0))
            )
            shapes.append(Path((a, b), 1.2 * look.unit, "faint"))
    shapes.append(_outline(rect, look.unit, "border"))
    if plot.x_label:
        text = look.shortened(plot.x_label, rect.width)
        x = rect.x + 0.5 * (rect.width - look.width(text))
        texts.append(Written(_small(x, foot - 2.3 * look.text, text, look), "faint"))
    return shapes, texts


def _around(at: Point, radius: float) -> Rect:
    return Rect(at[0] - radius, at[1] - radius, 2.0 * radius, 2.0 * radius)


def _outline(rect: Rect, width: float, ink: Ink) -> Path:
    x, y, wide, high = rect
    return Path(((x, y), (x + wide, y), (x + wide, y + high), (x, y + high), (x, y)), width, ink)


def _area(frame: _Frame, x: tuple[float, float], y: tuple[float, float]) -> Rect | None:
    """Return the part of an area that is within the ranges; it is seen, also where it has no width."""
    (left, right), (low, high) = sorted(x), sorted(y)
    left, right = max(left, frame.x[0]), min(right, frame.x[1])
    low, high = max(low, frame.y[0]), min(high, frame.y[1])
    if not (left <= right and low <= high):
        return None
    (a, b), (c, d) = frame.at(left, low), frame.at(right, high)
    return Rect(min(a, c), min(b, d), max(abs(c - a), 2.0), max(abs(d - b), 2.0))


def _clipped(line: PlotLine, frame: _Frame) -> list[list[Point]]:
    """Return the pieces of a curve that are within the ranges, in pixels."""
    pieces, open_piece = list[list[Point]](), list[Point]()
    places = list(zip(line.x, line.y, strict=True))
    for a, b in pairwise(places):
        whole = frame.inside(*a) and frame.inside(*b)
        cut = (a, b) if whole else _cut(a, b, frame.x, frame.y)
        if cut is None:
            open_piece = []
            continue
        start, end = frame.at(*cut[0]), frame.at(*cut[1])
        if not open_piece or open_piece[-1] != start:
            open_piece = [start]
            pieces.append(open_piece)
        open_piece.append(end)
    return pieces


def _cut(a: Point, b: Point, x: tuple[float, float], y: tuple[float, float]) -> tuple[Point, Point] | None:
    """Return the part of a straight line within a rectangle. Liang and Barsky, *A new concept for line clipping*."""
    (ax, ay), (bx, by) = a, b
    if not all(map(math.isfinite, (ax, ay, bx, by))):
        return None
    first, last = 0.0, 1.0
    for start, way, (low, high) in ((ax, bx - ax, x), (ay, by - ay, y)):
        if way == 0.0:
            if not low <= start <= high:
                return None
            continue
        near, far = sorted(((low - start) / way, (high - start) / way))
        first, last = max(first, near), min(last, far)
    if first > last:
        return None
    begin = a if first == 0.0 else (ax + first * (bx - ax), ay + first * (by - ay))
    end = b if last == 1.0 else (ax + last * (bx - ax), ay + last * (by - ay))
    return begin, end


def _framed(marks: Sequence[FlatMark], rect: Rect) -> _Frame:
    """Return a frame in which all that has ends fills a rectangle, as large across as up."""
    places = [place for mark in marks for place in mark.dots]
    places += [
        end
        for mark in marks
        if mark.role is not Role.EXTENSION
        for a, b, c, d in mark.lines
        for end in ((a, b), (c, d))
    ]
    places = places or [end for mark in marks for a, b, c, d in mark.lines for end in ((a, b), (c, d))] or [(0.0, 0.0)]
    xs, ys = zip(*places, strict=True)
    wide, high = max(xs) - min(xs), max(ys) - min(ys)
    scale = min(rect.width / wide if wide else math.inf, rect.height / high if high else math.inf)
    scale = scale if math.isfinite(scale) else 0.5 * rect.height
    x, y = 0.5 * (max(xs) + min(xs)), 0.5 * (max(ys) + min(ys))
    half, tall = 0.5 * rect.width / scale, 0.5 * rect.height / scale
    return _Frame(rect, (x - half, x + half), (y - tall, y + tall), down=False)


def _pieces(mark: FlatMark, frame: _Frame, rect: Rect) -> Iterable[tuple[Point, Point]]:
    within = (rect.x, rect.x + rect.width), (rect.y, rect.y + rect.height)
    for a, b, c, d in mark.lines:
        cut = _cut(frame.at(a, b), frame.at(c, d), *within)
        if cut is not None:
            yield cut
