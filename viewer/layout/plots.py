"""Small plots of a step of an explanation: axes with round numbers, curves, bars, points and their labels."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from viewer.layout.page import Page
from viewer.layout.parts import Area, Disk, Hit, Ink, Part, Path, Point, Shape, Written
from viewer.records.drawables import FlatMark, Role, StepPlot, StepRow
from viewer.records.pixels import Rect, TextRun
from viewer.records.words import number, with_indices

#: In heights of the text beside a plot: the gaps beside its texts, its dots, and the room at its right edge.
_GAP, _DOT, _RIGHT = 0.4, 0.27, 0.9

#: How opaque bars are: one that is highlighted, the one that decides, and others; and the paper behind labels and all.
_HIGHLIGHTED, _FILL, _FAINT, _LABEL, _PAPER = 0.6, 0.4, 0.2, 0.7, 0.6

#: Widths of curves, and of what is behind a highlighted one, in units.
_CURVE, _HALO = 1.8, 5.0

#: Distances between the numbers of an axis, at least: in heights of the text along it; and how many there are at most.
_APART_X, _APART_Y, _MOST = 3.6, 2.0, 6

#: Where the label of a point may stand: to which side, and how far up.
_SIDES = ((1, 1), (-1, 1), (1, -1), (-1, -1), (0, 1), (0, -1), (1, 0), (-1, 0))


class Look(NamedTuple):
    """How a plot is written: on which page, and which mark is highlighted."""

    page: Page
    highlighted: str = ""

    def width(self, text: str) -> float:
        """Return how wide a text of a plot is."""
        return self.page.wide(text, self.page.small)

    def shortened(self, text: str, room: float, *, bold: bool = False) -> str:
        """Return a text of a plot, or as much as fits."""
        return self.page.shortened(text, room, self.page.small, bold=bold)


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
    down: bool = False

    def at(self, x: float, y: float) -> Point:
        """Return the pixel of a place."""
        (left, right), (low, high) = self.x, self.y
        across, up = (x - left) / (right - left), (y - low) / (high - low)
        return self.rect.x + across * self.rect.width, self.rect.y + (1.0 - up if self.down else up) * self.rect.height

    def inside(self, x: float, y: float) -> bool:
        """Say whether a place is within the ranges."""
        return self.x[0] <= x <= self.x[1] and self.y[0] <= y <= self.y[1]

    def cut(self, a: Point, b: Point) -> tuple[Point, Point] | None:
        """Return the part of a straight line within the ranges. Liang and Barsky, *A new concept for line clipping*."""
        (ax, ay), (bx, by) = a, b
        if not all(map(math.isfinite, (ax, ay, bx, by))):
            return None
        first, last = 0.0, 1.0
        for start, way, (low, high) in ((ax, bx - ax, self.x), (ay, by - ay, self.y)):
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


class _Drawing:
    """Draws in a frame: areas and axes, over these curves, then labels, and dots."""

    def __init__(self, frame: _Frame, look: Look) -> None:
        self.frame, self._look, self._unit = frame, look, look.page.unit
        self._dot = _DOT * look.page.text
        self._shapes: list[Shape] = [Area(frame.rect, "paper", _PAPER)]
        self._dots, self._texts, self._hits = list[Disk](), list[Written](), list[Hit]()
        #: Labels that are to be placed: the pixel and the radius of each, its text and its color.
        self._labels: list[tuple[Point, float, str, Role]] = []
        self.taken: list[Rect] = []

    def text(self, x: float, y: float, text: str, ink: Ink = "faint", *, bold: bool = False) -> None:
        """Write a text that begins at a place on its line."""
        self._texts.append(Written(TextRun(x, y, text, self._look.page.small, bold, on_line=True), ink))

    def line(self, a: Point, b: Point, ink: Ink = "border", width: float = 1.0) -> None:
        """Draw a line between two places."""
        self._shapes.append(Path((self.frame.at(*a), self.frame.at(*b)), width * self._unit, ink))

    def outline(self, rect: Rect, ink: Ink = "border") -> None:
        """Draw the border of a rectangle."""
        x, y, wide, high = rect
        points = ((x, y), (x + wide, y), (x + wide, y + high), (x, y + high), (x, y))
        self._shapes.append(Path(points, self._unit, ink))

    def curve(self, places: Iterable[Point], role: Role, label: str = "", *, mark: str = "") -> None:
        """Draw what is within the ranges of a line through some places."""
        pieces = list[list[Point]]()
        for cut in (self.frame.cut(a, b) for a, b in pairwise(places)):
            if cut is None:
                continue
            start, end = self.frame.at(*cut[0]), self.frame.at(*cut[1])
            if not pieces or pieces[-1][-1] != start:
                pieces.append([start])
            pieces[-1].append(end)
        if self._is_highlighted(mark):
            self._shapes += [Path(tuple(piece), _HALO * self._unit, "accent", 0.6) for piece in pieces]
        self._shapes += [Path(tuple(piece), _CURVE * self._unit, role) for piece in pieces]
        if label and pieces:
            self._labels.append((pieces[-1][-1], 0.0, label, role))

    def area(self, x: tuple[float, float], y: tuple[float, float], role: Role, fill: float, mark: str, to: str) -> None:
        """Draw the part of an area that is within the ranges; it is seen, also where it has no width."""
        (left, right), (low, high), frame = sorted(x), sorted(y), self.frame
        left, right = max(left, frame.x[0]), min(right, frame.x[1])
        low, high = max(low, frame.y[0]), min(high, frame.y[1])
        if not (left <= right and low <= high):
            return
        (a, b), (c, d) = frame.at(left, low), frame.at(right, high)
        rect = Rect(min(a, c), min(b, d), max(abs(c - a), 2.0), max(abs(d - b), 2.0))
        highlighted = self._is_highlighted(mark)
        ink: Ink = "accent" if highlighted else role
        self._shapes.append(Area(rect, ink, _HIGHLIGHTED if highlighted else fill))
        self.outline(rect, ink)
        if mark:
            self._hits.append(Hit(rect.grown(2.0 * self._unit), StepRow(f"area {to}", label=mark)))
        if to:
            self._labels.append((rect.middle, 0.0, to, role))

    def dot(self, at: Point, role: Role, mark: str = "") -> None:
        """Draw a dot at a place."""
        center = self.frame.at(*at)
        if self._is_highlighted(mark):
            self._dots.append(Disk(center, 1.9 * self._dot, "accent"))
        self._dots += [Disk(center, 1.3 * self._dot, "paper"), Disk(center, self._dot, role)]
        self.taken.append(_around(center, 1.3 * self._dot))

    def name(self, at: Point, label: str, role: Role, row: StepRow) -> None:
        """Label a place that the pointer finds."""
        center = self.frame.at(*at)
        if row.label:
            self._hits.append(Hit(_around(center, 2.2 * self._dot), row))
        if label:
            self._labels.append((center, self._dot, label, role))
            self.taken.append(_around(center, self._dot))

    def part(self, height: float) -> Part:
        """Return all of it, with its labels: those of points first."""
        names = [*self._placed(sorted(self._labels, key=lambda label: label[1] == 0.0))]
        texts = (*self._texts, *(text for text, _ in names))
        return Part(height, texts, (*self._shapes, *(area for _, area in names), *self._dots), tuple(self._hits))

    def _is_highlighted(self, mark: str) -> bool:
        return bool(mark) and mark == self._look.highlighted

    def _placed(self, labels: Iterable[tuple[Point, float, str, Role]]) -> Iterator[tuple[Written, Area]]:
        """Return labels beside their points, and what is behind them.

        None covers another or a dot; those without a place are left out.
        """
        page, room, used = self._look.page, self.frame.rect, list(self.taken)
        for (x, y), radius, label, role in labels:
            text, high, away = with_indices(label), 1.2 * page.small, radius + 0.25 * page.text
            wide = self._look.width(text)
            beside = 0.5 * wide + away
            places = [(right * (beside - 0.3 * away * abs(up)), up * (0.5 * high + 0.7 * away)) for right, up in _SIDES]
            if radius == 0.0:  # it may be on it, too
                places = [(0.0, 0.0), *places, (-beside, 0.6 * high), (-beside, -0.6 * high)]
            rects = [Rect(x + right - 0.5 * wide, y + up - 0.5 * high, wide, high) for right, up in places]
            free = (r for r in rects if r.within(room) and not any(r.overlaps(other) for other in used))
            if (rect := next(free, None)) is not None:
                used.append(rect)
                run = TextRun(rect.x, rect.y + 0.32 * high, text, page.small, on_line=True)
                yield Written(run, "faint" if role is Role.OUTSIDE else role), Area(rect, "paper", _LABEL)


def least_height(plot: StepPlot, look: Look) -> float:
    """Return how high a plot is at least."""
    text = look.page.text
    return text * max(1.25 * len(plot.rows), 5.5) + _above(plot, text) + _below(plot, text)


def plot_part(plot: StepPlot, width: float, height: float, look: Look) -> Part:
    """Return a plot in a rectangle of a size."""
    text = look.page.text
    drawing = _Drawing(_frame(plot, width, height, look), look)
    _draw_axes(plot, drawing, look)
    for area in plot.areas:
        fill = _FILL if area.role is Role.CONTACT else _FAINT
        drawing.area(area.x, area.y, area.role, fill, area.mark, area.label)
    for line in plot.lines:
        drawing.curve(zip(line.x, line.y, strict=True), line.role, line.label)
    for point in plot.points:
        if drawing.frame.inside(point.x, point.y):
            drawing.dot((point.x, point.y), point.role, point.mark)
            row = StepRow(f"point {point.label}", label=point.mark)
            drawing.name((point.x, point.y), point.label, point.role, row)
    if plot.title:
        drawing.text(0.0, -text, look.shortened(plot.title, width, bold=True), "text", bold=True)
    if plot.y_label and not plot.rows:
        y = -1.5 * text * bool(plot.title) - 0.75 * text
        drawing.text(0.0, y, look.shortened(plot.y_label, width))
    return drawing.part(height)


def space_part(title: str, marks: Sequence[FlatMark], width: float, height: float, look: Look) -> Part:
    """Return a second picture: flat marks that fill a rectangle, as far as they are finite."""
    text = look.page.text
    rect = Rect(0.0, -height, width, height - 1.5 * text)
    drawing = _Drawing(_framed(marks, rect, 1.6 * text), look)
    drawing.text(0.0, -0.95 * text, look.shortened(title, width), "text")
    drawing.outline(rect)
    for mark in marks:
        for a, b, c, d in mark.lines:
            drawing.curve([(a, b), (c, d)], mark.role, mark=mark.label)
        for place in mark.dots:
            drawing.dot(place, mark.role, mark.label)
        if mark.at is not None and mark.label and drawing.frame.inside(*mark.at):
            drawing.name(mark.at, mark.label, mark.role, StepRow(mark.label, label=mark.label))
    return drawing.part(height)


# -- inside ------------------------------------------------------------------------------------------------------------


def _above(plot: StepPlot, text: float) -> float:
    return text * (1.5 * bool(plot.title) + 1.3 * bool(plot.y_label and not plot.rows) + 0.2)


def _below(plot: StepPlot, text: float) -> float:
    return text * (1.35 + 1.25 * bool(plot.x_label))


def _frame(plot: StepPlot, width: float, height: float, look: Look) -> _Frame:
    """Return the frame of a plot, beside the numbers or the names of its rows."""
    text, x, y = look.page.text, _range(plot.x_range), _range(plot.y_range)
    inner = height - _above(plot, text) - _below(plot, text)
    beside = [_row_name(name, width, look) for name in plot.rows]
    beside = beside or [_tick(value, y) for value in ticks(*plot.y_range, _most(inner, _APART_Y * text))]
    left = max(map(look.width, beside), default=0.0) + _GAP * text
    rect = Rect(left, -height + _below(plot, text), width - left - _RIGHT * text, inner)
    if plot.square:  # one unit is as long across as up
        scale = min(rect.width / (x[1] - x[0]), rect.height / (y[1] - y[0]))
        wide, high = scale * (x[1] - x[0]), scale * (y[1] - y[0])
        rect = Rect(rect.x + 0.5 * (rect.width - wide), rect.y + rect.height - high, wide, high)
    return _Frame(rect, x, y, bool(plot.rows))


def _range(given: tuple[float, float]) -> tuple[float, float]:
    """Return a range of some length."""
    low, high = given
    if not (math.isfinite(low) and math.isfinite(high)):
        return 0.0, 1.0
    return (low, high) if high > low else (low - 0.5 * (abs(low) or 1.0), low + 0.5 * (abs(low) or 1.0))


def _most(length: float, apart: float) -> int:
    return max(min(int(length / apart), _MOST), 1)


def _tick(value: float, of: tuple[float, float]) -> str:
    return number(value, max(abs(of[0]), abs(of[1])), 4)


def _row_name(name: str, width: float, look: Look) -> str:
    return look.shortened(name, 0.34 * width)


def _draw_axes(plot: StepPlot, drawing: _Drawing, look: Look) -> None:
    """Draw the lines and the numbers of the axes."""
    frame, text, low = drawing.frame, look.page.text, 0.35 * look.page.small
    (rect, (left, right), (bottom, top), _), end = drawing.frame, -math.inf
    for value in ticks(left, right, _most(rect.width, _APART_X * text)):
        drawing.line((value, bottom), (value, top))
        words = _tick(value, frame.x)
        wide = look.width(words)
        start = min(frame.at(value, bottom)[0] - 0.5 * wide, rect.x + rect.width + _RIGHT * text - wide)
        if start >= end:
            drawing.text(start, rect.y - 1.1 * text, words)
            end = start + wide + 0.4 * text
    beside = rect.x - _GAP * text
    for row, name in enumerate(plot.rows):
        words = _row_name(name, rect.x + rect.width, look)
        drawing.text(beside - look.width(words), frame.at(left, row)[1] - low, words, "text")
    for value in () if plot.rows else ticks(bottom, top, _most(rect.height, _APART_Y * text)):
        drawing.line((left, value), (right, value))
        words = _tick(value, frame.y)
        drawing.text(beside - look.width(words), max(frame.at(left, value)[1] - low, rect.y), words)
    if left < 0.0 < right:
        drawing.line((0.0, bottom), (0.0, top), "faint", 1.2)
    if bottom < 0.0 < top and not plot.rows:
        drawing.line((left, 0.0), (right, 0.0), "faint", 1.2)
        drawing.taken.append(Rect(rect.x, frame.at(left, 0.0)[1], rect.width, look.page.unit))
    drawing.outline(rect)
    if plot.x_label:
        words = look.shortened(plot.x_label, rect.width)
        drawing.text(rect.x + 0.5 * (rect.width - look.width(words)), rect.y - 2.3 * text, words)


def _around(at: Point, radius: float) -> Rect:
    return Rect(at[0] - radius, at[1] - radius, 2.0 * radius, 2.0 * radius)


def _framed(marks: Sequence[FlatMark], rect: Rect, margin: float) -> _Frame:
    """Return a frame in which all that has ends fills a rectangle, but for a margin, as large across as up."""
    dots = [place for mark in marks for place in mark.dots]
    ends = [(mark.role, end) for mark in marks for a, b, c, d in mark.lines for end in ((a, b), (c, d))]
    places = [*dots, *(end for role, end in ends if role is not Role.EXTENSION)]
    xs, ys = zip(*(places or [end for _, end in ends] or [(0.0, 0.0)]), strict=True)
    wide, high, inner = max(xs) - min(xs), max(ys) - min(ys), rect.grown(-margin)
    scale = min(inner.width / wide if wide else math.inf, inner.height / high if high else math.inf)
    scale = scale if math.isfinite(scale) else 0.5 * inner.height
    x, y = 0.5 * (max(xs) + min(xs)), 0.5 * (max(ys) + min(ys))
    half, tall = 0.5 * rect.width / scale, 0.5 * rect.height / scale
    return _Frame(rect, (x - half, x + half), (y - tall, y + tall))
