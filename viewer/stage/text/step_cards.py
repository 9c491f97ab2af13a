"""The card of a step of an explanation: its texts, formulas, plot and values at the right edge of a picture.

What there is no room for goes, the least important first. Pure arithmetic, no renderer; the origin is the lower left
corner of the picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from collision.inner import Mark, Value, tex_number
from viewer.records.drawables import MARK_ROLES, Row, StepCard, StepRow
from viewer.records.pixels import Rect, Run
from viewer.records.text import ELLIPSIS, shortened, wrapped
from viewer.stage.text.lines import LEADING, MARGIN, PAD_X, PAD_Y, TITLE
from viewer.stage.text.maths import ABOVE, BELOW, Bar, Box, Maths, MeasureAll, single
from viewer.stage.text.parts import LINE_GAP, Area, Disk, Hit, Ink, Part, Shape, Written, lines_part, stacked
from viewer.stage.text.plots import Look, least_height, plot_part, space_part

#: How wide a card is: a part of the picture, but so many heights of the text at least, and at most; and never more than
#: a part of the picture.
_PART, _LEAST, _MOST, _SHARE = 0.32, 27.0, 36.0, 0.5

#: Between the parts of a card, and how wide its buttons are, in heights of the text.
_GAP, _BUTTON = 0.55, 1.7

#: How high a plot and a second picture are where there is room, as a part of their width; and the latter at least.
_PLOT, _SPACE, _LEAST_SPACE = 0.58, 0.72, 0.4

#: How opaque what is behind a number is that is lit.
_TINT = 0.16

#: What follows a value of each unit.
UNITS = {"": "", "length": "", "length²": "", "degrees": "\N{DEGREE SIGN}"}


class PlacedStep(NamedTuple):
    """A card on its plate, in a column that is kept for it: its texts, its shapes, and what the pointer finds in it.

    What is found last lies on top.
    """

    plate: Rect
    column: Rect
    texts: tuple[Written, ...]
    shapes: tuple[Shape, ...]
    hits: tuple[Hit, ...]
    page: Row

    def row_at(self, x: float, y: float) -> Row:
        """Return what is at a pixel of the card; the wheel goes from step to step everywhere."""
        found = next((row for rect, row in reversed(self.hits) if rect.covers(x, y)), self.page)
        return replace(found, scrolls=self.page.scrolls)

    def place_of(self, row: Row) -> Rect | None:
        """Return where a button is; None where that is none of this card."""
        return next((rect for rect, other in self.hits if other == row and other.lights), None)


def column_of(size: tuple[int, int], unit: float, font: float) -> float:
    """Return how much of a picture's width the card takes, its margin included, in pixels."""
    text = font * unit
    wide = min(max(_PART * size[0], _LEAST * text), _MOST * text)
    return round(min(wide + MARGIN * unit, _SHARE * size[0]))


class StepCards:
    """Places the card of one picture after another. It keeps the last one, which is mostly the same.

    Parameters
    ----------
    measure : callable
        Says how wide a text is.
    """

    def __init__(self, measure: MeasureAll) -> None:
        self._measure, self._maths = measure, Maths(measure)
        self._last: tuple[StepCard, tuple[float, ...], PlacedStep] | None = None

    def place(self, card: StepCard, size: tuple[int, int], unit: float, font: float, foot: float) -> PlacedStep:
        """Return a card in a picture of a size, above what is at its foot."""
        given = (*size, unit, font, foot)
        if self._last is None or self._last[1] != given or self._last[0] != card:
            self._last = card, given, self._placed(card, size, unit, font, foot)
        return self._last[2]

    def _placed(self, card: StepCard, size: tuple[int, int], unit: float, font: float, foot: float) -> PlacedStep:
        margin, pad_x, pad_y = MARGIN * unit, PAD_X * unit, PAD_Y * unit
        width = column_of(size, unit, font) - margin
        room = size[1] - foot - 2.0 * margin - 2.0 * pad_y
        made = _Writer(card, self._maths, Look(font * unit, unit, self._measure, card.lit), width - 2.0 * pad_x)
        parts = made.parts(room)
        gap = _GAP * font * unit
        high = min(sum([part.height + gap for part in parts]) - gap, room) + 2.0 * pad_y
        plate = Rect(round(size[0] - margin - width), round(size[1] - margin - high), round(width), round(high))
        part = stacked(parts, gap, plate.x + pad_x, plate.y + plate.height - pad_y)
        column = Rect(plate.x, foot + margin, plate.width, size[1] - foot - 2.0 * margin)
        return PlacedStep(plate, column, part.texts, part.shapes, part.hits, StepRow("", scrolls=card.scrolls))


class _Writer:
    """Makes the parts of a card that is so wide inside."""

    def __init__(self, card: StepCard, maths: Maths, look: Look, width: float) -> None:
        self._card, self._maths, self._look, self._width = card, maths, look, width
        self._marks: dict[str, Mark] = {mark.label: mark for mark in card.step.marks}
        #: The labels of marks by the texts of formulas that belong to them.
        self._linked = self._links()

    def parts(self, room: float) -> list[Part]:
        """Return the parts that fit into a height, from the top to the foot."""
        step, gap = self._card.step, _GAP * self._look.text
        left = room
        head = [self._head(), self._title()]
        left -= sum([part.height + gap for part in head])
        text = self._text(step.text, max(left, self._leading))
        left -= text.height + gap
        numbers = [self._formula(rule.numbers) for rule in step.formulas]
        while numbers and sum([part.height + gap for part in numbers]) > left:
            numbers.pop()
        left -= sum([part.height + gap for part in numbers])
        figures = self._least_figures()
        while figures and sum([least + gap for _, least, _ in figures]) > left:
            figures.pop()
        left -= sum([least + gap for _, least, _ in figures])
        # Of values there is at least a line that says that there are some.
        spare = self._leading + gap if step.values else 0.0
        symbols: list[Part | None] = [None] * len(numbers)
        for k in range(len(numbers)):
            rule = step.formulas[k]
            made = self._formula(rule.symbols, "faint") if rule.symbols != rule.numbers else None
            if made is not None and made.height <= left - spare:
                symbols[k] = made
                left -= made.height
        values, left = self._values(left)
        drawn = []
        for kind, least, wanted in figures:
            height = min(wanted, least + max(left, 0.0))
            left -= height - least
            drawn.append(self._figure(kind, height))
        # The last step mostly says it all.
        said = step.text == self._card.summary or left <= self._leading + gap
        summary = None if said else self._text(self._card.summary, left - gap, "faint")
        rules = [
            stacked([part for part in pair if part is not None], 0.0) for pair in zip(symbols, numbers, strict=True)
        ]
        shown = [*head, text, *rules, *drawn, *values, *([summary] if summary is not None else [])]
        return [part for part in shown if part.height > 0.0]

    # -- inside --------------------------------------------------------------------------------------------------------

    @property
    def _leading(self) -> float:
        return LEADING * self._look.text

    def _head(self) -> Part:
        """Return the line with what is explained and the buttons."""
        asked, back, on, close = self._card.buttons
        text, high = self._look.text, self._leading
        y, x, wide = -0.5 * high - 0.33 * text, self._width, _BUTTON * text
        texts, hits = list[Written](), list[Hit]()
        count = f"{self._card.number} of {self._card.count}"
        middle = self._look.measure(count, text, False, False) + 0.6 * text
        for row, sign, room in (
            (close, "\N{MULTIPLICATION X}", wide),
            (on, "\N{BLACK RIGHT-POINTING TRIANGLE}", wide),
            (None, count, middle),
            (back, "\N{BLACK LEFT-POINTING TRIANGLE}", wide),
        ):
            x -= room
            start = x + 0.5 * (room - self._look.measure(sign, text, False, False))
            texts.append(Written(self._run(start, y, sign), "faint" if row is None or row.faint else "text"))
            if row is not None:
                hits.append(Hit(Rect(x, -high, room, high), row))
        left = x - 0.5 * text
        name = shortened(asked.text, left, lambda part: self._look.measure(part, text, False, False))
        texts.append(Written(self._run(0.0, y, name), "faint"))
        hits.append(Hit(Rect(0.0, -high, left, high), asked))
        return Part(high, tuple(texts), (), tuple(hits))

    def _title(self) -> Part:
        size, step = TITLE * self._look.text, self._card.step
        lines = wrapped(step.title, self._width, lambda text: self._look.measure(text, size, True, False))
        texts = [
            Written(self._run(0.0, -k * LEADING * size - ABOVE * size, line, size, bold=True))
            for k, line in enumerate(lines)
        ]
        high = (len(lines) - 1) * LEADING * size + (ABOVE + BELOW) * size
        if step.article:
            small = self._look.small
            high += 0.2 * small
            for line in wrapped("the article's way, computed beside the kernel's", self._width, self._look.width):
                texts.append(Written(self._run(0.0, -high - ABOVE * small, line, small), "faint"))
                high += 1.3 * small
        return Part(high, tuple(texts))

    def _text(self, text: str, room: float, ink: Ink = "text") -> Part:
        """Return a plain text in lines, as many as there is room for."""
        size = self._look.text
        lines = wrapped(text, self._width, self._plain) if text else []
        most = max(int(room / self._leading), 1)
        if len(lines) > most:
            lines[most - 1 :] = [shortened(f"{lines[most - 1]} {ELLIPSIS}", self._width, self._plain)]
        high = self._leading
        texts = [Written(self._run(0.0, -(k + 0.5) * high - 0.33 * size, line), ink) for k, line in enumerate(lines)]
        return Part(len(lines) * high, tuple(texts))

    def _formula(self, tex: str, ink: Ink = "text") -> Part:
        """Return a formula, in which the pointer finds the numbers and symbols of values that have a mark."""
        size = 1.08 * self._look.text
        part = lines_part(self._maths.lines(tex, size, self._width), self._leading, size, ink)
        shapes, hits = list(part.shapes), list[Hit]()
        for run, _ in part.texts:
            label = self._linked.get(run.text, "")
            if label:
                wide = self._look.measure(run.text, run.size, run.bold, run.slanted)
                rect = Rect(run.x, run.y - BELOW * run.size, wide, (ABOVE + BELOW) * run.size).grown(0.1 * size)
                hits.append(Hit(rect, StepRow(f"in a formula {run.text}", label=label)))
                if label == self._look.lit:
                    shapes.insert(0, Area(rect, "accent", _TINT))
        return Part(part.height, part.texts, tuple(shapes), tuple(hits))

    def _links(self) -> dict[str, str]:
        """Return the labels of marks by what formulas have for their values; not for what two of them share."""
        found: dict[str, set[str]] = {}
        for value in self._card.step.values:
            if value.mark in self._marks and not isinstance(value.value, bool):
                runs = self._maths.line(value.symbol, self._look.text).runs
                for text in (runs[0].text if len(runs) == 1 else "", single(tex_number(value.value).removeprefix("-"))):
                    found.setdefault(text, set()).add(value.mark)
        return {text: labels.pop() for text, labels in found.items() if text and len(labels) == 1}

    def _least_figures(self) -> list[tuple[str, float, float]]:
        """Return the plot and the second picture, how high they are at least, and where there is room."""
        step, wide, found = self._card.step, self._width, []
        if step.space is not None:
            found.append(("space", _LEAST_SPACE * wide, _SPACE * wide))
        if step.plot is not None:
            least = least_height(step.plot, self._look)
            found.append(("plot", least, max(least, (_SPACE if step.plot.square else _PLOT) * wide)))
        return found

    def _figure(self, kind: str, height: float) -> Part:
        step = self._card.step
        if kind == "plot" and step.plot is not None:
            return plot_part(step.plot, self._width, height, self._look)
        title = step.space.title if step.space is not None else ""
        return space_part(title, self._card.space, self._width, height, self._look)

    def _values(self, left: float) -> tuple[list[Part], float]:
        """Return the rows of values that fit, and what they leave; the last row says how many do not."""
        rows = [self._value(value) for value in self._card.step.values]
        if not rows:
            return [], left
        left -= _GAP * self._look.text
        shown = list[Part]()
        for k, row in enumerate(rows):
            spare = 0.0 if k == len(rows) - 1 else self._leading
            if row.height + spare > left:
                break
            shown.append(row)
            left -= row.height
        more = len(rows) - len(shown)
        if more and left >= self._leading:
            noun = "value" if more == 1 else "values"
            shown.append(
                self._text(
                    f"{ELLIPSIS} and {more} more {noun}" if shown else f"{more} {noun}, in a larger window",
                    left,
                    "faint",
                )
            )
            left -= self._leading
        return [stacked(shown, 0.0)] if shown else [], left

    def _value(self, value: Value) -> Part:
        """Return the row of a value: its symbol and its number, and what it is."""
        text, indent = self._look.text, 0.95 * self._look.text
        mark = self._marks.get(value.mark)
        room = self._width - indent
        boxes = self._number(value, room)
        part = lines_part(boxes, 1.35 * text, text, "text", indent)
        means, width = value.means, boxes[-1].width + 0.9 * text
        ink: Ink = "faint"
        texts, height = list(part.texts), part.height
        if means and self._plain(means) <= room - width:
            last = boxes[-1]
            spare = max(1.35 * text - last.above - last.below, LINE_GAP * text)
            y = -height + 0.5 * spare + last.below
            texts.append(Written(self._run(self._width - self._plain(means), y, means), ink))
        elif means:
            for line in wrapped(means, room, self._plain):
                height += 1.25 * text
                texts.append(Written(self._run(indent, -height + 0.4 * text, line), ink))
        shapes = list(part.shapes)
        if mark is not None:
            lit = mark.label == self._look.lit
            if lit:
                shapes.insert(0, Area(Rect(-0.3 * text, -height, self._width + 0.6 * text, height), "accent", _TINT))
            shapes.append(Disk((0.35 * text, -0.5 * 1.35 * text), 0.24 * text, MARK_ROLES[mark.role]))
        hit = Hit(Rect(0.0, -height, self._width, height), StepRow(f"value {value.symbol}", label=value.mark))
        return Part(height, tuple(texts), tuple(shapes), (hit,) if value.mark else ())

    def _number(self, value: Value, room: float) -> Sequence[Box]:
        """Return a symbol and its number as lines of a formula."""
        size, given = self._look.text, value.value
        if isinstance(given, tuple) and given and isinstance(given[0], tuple):
            return [_matrix(self._maths.line(f"{value.symbol} =", size), given, self._maths, size, room)]
        return self._maths.lines(rf"{value.symbol} = {tex_number(given)}{UNITS[value.unit]}", size, room)

    def _plain(self, text: str) -> float:
        return self._look.measure(text, self._look.text, False, False)

    def _run(self, x: float, y: float, text: str, size: float | None = None, *, bold: bool = False) -> Run:
        return Run(x, y, text, self._look.text if size is None else size, bold=bold, on_line=True)


def _matrix(name: Box, rows: Sequence[object], maths: Maths, size: float, room: float) -> Box:
    """Return a matrix behind its name, as an array of numbers in brackets; smaller, where it is too wide."""
    cells = [[maths.line(tex_number(cell), size) for cell in row] for row in rows if isinstance(row, tuple)]
    widths = [max(box.width for box in column) for column in zip(*cells, strict=True)]
    gap, pad, high = 0.8 * size, 0.35 * size, 1.35 * size
    start = name.width + 0.3 * size
    width = start + 2.0 * pad + sum(widths) + gap * (len(widths) - 1)
    if width > room and size > 1.0:
        return _matrix(
            name, rows, maths, max(0.97 * size * min((room - name.width) / (width - name.width), 0.99), 1.0), room
        )
    half = 0.5 * high * len(cells)
    axis = 0.3 * size
    runs, bars = list(name.runs), list(name.bars)
    for k, row in enumerate(cells):
        x = start + pad
        for wide, box in zip(widths, row, strict=True):
            moved = box.at(x + wide - box.width, axis + half - (k + 0.5) * high - 0.3 * size)
            runs += moved.runs
            bars += moved.bars
            x += wide + gap
    top, foot, thick = axis + half, axis - half, max(0.07 * size, 1.0)
    for x, way in ((start, 0.25 * size), (width, -0.25 * size)):
        bars += [Bar(ends, thick) for ends in ((x, foot, x, top), (x, top, x + way, top), (x, foot, x + way, foot))]
    return Box(width, top + 0.1 * size, 0.1 * size - foot, tuple(runs), tuple(bars))
