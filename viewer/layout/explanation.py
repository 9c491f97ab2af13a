"""The explanation panel: the texts, formulas, plot and values of a step at the right edge of a picture.

What there is no room for goes, the least important first.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from collision.inner import Quantity, plain, tex_number
from viewer.layout.formulas import Typeset, formula_lines, formula_part, places_of
from viewer.layout.page import ABOVE, BELOW, LEADING, PAD_X, PAD_Y, TITLE, Page
from viewer.layout.parts import Area, Disk, Hit, Ink, Part, Path, Placed, Plate, Written, joined, stacked
from viewer.layout.plots import Look, least_height, plot_part, space_part
from viewer.records.drawables import ExplanationPanel, StepRow, StepValue
from viewer.records.pixels import Rect, TextRun
from viewer.records.text import ELLIPSIS

#: How wide the panel is: a part of the picture, but so many heights of the text at least, and at most; and never more
#: than a part of the picture.
_PART, _LEAST, _MOST, _SHARE = 0.32, 27.0, 36.0, 0.5

#: In heights of the text: gaps between its parts, and between a formula and its numbers; how wide its buttons are; how
#: far letters of a line are below its middle; and how high the letters of formulas are.
_GAP, _BETWEEN, _BUTTON, _MIDDLE, _FORMULA = 0.55, 0.25, 1.7, 0.33, 1.08

#: How high a plot and a second picture are where there is room, as a part of their width; and the latter at least.
_PLOT, _SPACE, _LEAST_SPACE = 0.58, 0.72, 0.4

#: How opaque what is behind a number is that is highlighted.
_TINT = 0.16

#: What follows a value of each unit.
_UNITS = {"": "", "length": "", "length²": "", "length⁴": "", "degrees": "\N{DEGREE SIGN}"}


def column_of(page: Page) -> float:
    """Return how much of a picture's width the panel takes, its margin included, in pixels."""
    wide = min(max(_PART * page.size[0], _LEAST * page.text), _MOST * page.text)
    return round(min(wide + page.margin, _SHARE * page.size[0]))


def place_explanation(panel: ExplanationPanel, page: Page, typeset: Typeset) -> tuple[Placed, Rect]:
    """Return the panel of a step at the right edge of a page, and the column that is kept for it as it grows."""
    unit, margin = page.unit, page.margin
    pad_x, pad_y = PAD_X * unit, PAD_Y * unit
    width = column_of(page) - margin
    room = page.height - 2.0 * pad_y
    parts = _Writer(panel, page, typeset, width - 2.0 * pad_x).parts(room)
    gap = _GAP * page.text
    high = min(sum([part.height + gap for part in parts]) - gap, room) + 2.0 * pad_y
    left, top = page.size[0] - margin - width, page.foot + page.size[1] - margin
    plate = Rect(round(left), round(top - high), round(width), round(high))
    content = stacked(parts, gap, plate.x + pad_x, plate.y + plate.height - pad_y)
    # The wheel goes from step to step everywhere.
    hits = [Hit(rect, replace(row, scrolls=panel.scrolls)) for rect, row in content.hits]
    part = content._replace(
        shapes=(Plate(plate), *content.shapes), hits=(Hit(plate, StepRow("", scrolls=panel.scrolls)), *hits)
    )
    return Placed(plate, part), Rect(plate.x, page.foot + margin, plate.width, page.height)


class _Figure(NamedTuple):
    """A plot or a second picture: how high it is at least, and where there is room, and what draws it."""

    least: float
    wanted: float
    draw: Callable[[float], Part]


class _Writer:
    """Makes the parts of a panel that is so wide inside."""

    def __init__(self, panel: ExplanationPanel, page: Page, typeset: Typeset, width: float) -> None:
        self._panel, self._page, self._typeset, self._width = panel, page, typeset, width
        self._look = Look(page, panel.highlighted)
        #: The labels of marks by the signs of formulas that belong to them, and the font of these.
        self._linked = self._links()

    def parts(self, room: float) -> list[Part]:
        """Return the parts that fit into a height, from the top to the foot."""
        panel, gap = self._panel, _GAP * self._page.text
        left = room
        head = [self._head(), self._title()]
        left -= sum([part.height + gap for part in head])
        text = self._text(panel.text, max(left, self._page.line))
        left -= text.height + gap
        numbers = [self._formula(rule.numbers) for rule in panel.formulas]
        while numbers and sum([part.height + gap for part in numbers]) > left:
            numbers.pop()
        left -= sum([part.height + gap for part in numbers])
        figures = self._figures()
        while figures and sum([figure.least + gap for figure in figures]) > left:
            figures.pop()
        left -= sum([figure.least + gap for figure in figures])
        # Of values there is at least a line that says that there are some.
        spare = self._page.line + gap if any(value.listed for value in panel.values) else 0.0
        symbols: list[Part | None] = [None] * len(numbers)
        for k, rule in enumerate(panel.formulas[: len(numbers)]):
            if rule.symbols != rule.numbers:
                made = self._formula(rule.symbols, "faint")
                high = made.height + _BETWEEN * self._page.text
                if high <= left - spare:
                    symbols[k] = made._replace(height=high)
                    left -= high
        values, left = self._values(left)
        drawn = []
        for figure in figures:
            height = min(figure.wanted, figure.least + max(left, 0.0))
            left -= height - figure.least
            drawn.append(figure.draw(height))
        # The last step mostly says it all, and a number that stands on the card stands there once.
        numbers_said = {plain_number(value.value).lstrip("\N{MINUS SIGN}") for value in panel.values}
        repeats = not numbers_said.isdisjoint(re.findall(r"\d[\d.]*\d|\d", panel.summary))
        said = panel.text == panel.summary or repeats or left <= self._page.line + gap
        summary = None if said else self._text(panel.summary, left - gap, "faint")
        rules = [stacked(filter(None, pair), 0.0) for pair in zip(symbols, numbers, strict=True)]
        shown = [*head, text, *rules, *drawn, *values, *([summary] if summary is not None else [])]
        return [part for part in shown if part.height > 0.0]

    # -- inside --------------------------------------------------------------------------------------------------------

    def _head(self) -> Part:
        """Return the line with what is explained and the buttons."""
        asked, back, on, close = self._panel.buttons
        text, high, wide = self._page.text, self._page.line, self._page.wide
        y, x = -0.5 * high - _MIDDLE * text, self._width
        texts, hits = list[Written](), list[Hit]()
        count = f"{self._panel.number} of {self._panel.count}"
        for row, sign, room in (
            (close, "\N{MULTIPLICATION X}", _BUTTON * text),
            (on, "\N{BLACK RIGHT-POINTING TRIANGLE}", _BUTTON * text),
            (None, count, wide(count) + 0.6 * text),
            (back, "\N{BLACK LEFT-POINTING TRIANGLE}", _BUTTON * text),
        ):
            x -= room
            at = x + 0.5 * (room - wide(sign))
            texts.append(Written(self._run(at, y, sign), "faint" if row is None or row.faint else "text"))
            if row is not None:
                hits.append(Hit(Rect(x, -high, room, high), row))
        left = x - 0.5 * text
        texts.append(Written(self._run(0.0, y, self._page.shortened(asked.text, left)), "faint"))
        hits.append(Hit(Rect(0.0, -high, left, high), asked))
        return Part(high, tuple(texts), (), tuple(hits))

    def _title(self) -> Part:
        size, small = TITLE * self._page.text, self._page.small
        lines = self._page.wrapped(self._panel.title, self._width, size, bold=True)
        texts = [
            Written(TextRun(0.0, -k * LEADING * size - ABOVE * size, line, size, bold=True, on_line=True))
            for k, line in enumerate(lines)
        ]
        high = (len(lines) - 1) * LEADING * size + (ABOVE + BELOW) * size
        if self._panel.article:
            high += 0.2 * small
            for line in self._page.wrapped("the article's way, computed beside the kernel's", self._width, small):
                texts.append(Written(TextRun(0.0, -high - ABOVE * small, line, small, on_line=True), "faint"))
                high += 1.3 * small
        return Part(high, tuple(texts))

    def _text(self, text: str, room: float, ink: Ink = "text") -> Part:
        """Return a plain text in lines, as many as there is room for."""
        size, high = self._page.text, self._page.line
        lines = self._page.few_lines(text, self._width, max(int(room / high), 1))
        texts = [Written(self._run(0.0, -(k + 0.5) * high - _MIDDLE * size, line), ink) for k, line in enumerate(lines)]
        return Part(len(lines) * high, tuple(texts))

    def _formula(self, tex: str, ink: Ink = "text") -> Part:
        """Return a formula, in which the pointer finds the numbers and symbols of values that have a mark."""
        size = _FORMULA * self._page.text
        part = formula_part(formula_lines(tex, size, self._width, self._typeset), self._page.line, size, ink)
        shapes, hits = list(part.shapes), list[Hit]()
        for (signs, font), label in self._linked.items():
            for place in places_of(part, signs, font, lambda run: self._page.wide(run.text, run.size)):
                rect = place.grown(0.1 * size)
                hits.append(Hit(rect, StepRow(f"in a formula {signs}", label=label)))
                if label == self._look.highlighted:
                    shapes.insert(0, Area(rect, "accent", _TINT))
        return part._replace(shapes=tuple(shapes), hits=tuple(hits))

    def _links(self) -> dict[tuple[str, str], str]:
        """Return the labels of marks by what formulas have for their values; not for what two of them share."""
        found: dict[tuple[str, str], set[str]] = {}
        for value in self._panel.values:
            if value.role is not None and not isinstance(value.value, bool):
                signs = [(run.text, run.font) for run in self._typeset(value.symbol, self._page.text).runs]
                number = plain_number(value.value).removeprefix("\N{MINUS SIGN}")
                plain = "\N{MULTIPLICATION SIGN}" not in number
                for some in (*(signs if len(signs) == 1 else ()), *([(number, "")] if plain else ())):
                    found.setdefault(some, set()).add(value.mark)
        return {some: labels.pop() for some, labels in found.items() if len(labels) == 1}

    def _figures(self) -> list[_Figure]:
        """Return the second picture and the plot."""
        panel, wide, look, found = self._panel, self._width, self._look, list[_Figure]()
        if (space := panel.space) is not None:
            draw = partial(space_part, *space, wide, look=look)
            found.append(_Figure(_LEAST_SPACE * wide, _SPACE * wide, draw))
        if (plot := panel.plot) is not None:
            least = least_height(plot, look)
            wanted = max(least, (_SPACE if plot.square else _PLOT) * wide)
            found.append(_Figure(least, wanted, partial(plot_part, plot, wide, look=look)))
        return found

    def _values(self, left: float) -> tuple[list[Part], float]:
        """Return the rows of values that fit, and what they leave; the last row says how many do not."""
        rows = [self._value(value) for value in self._panel.values if value.listed]
        if not rows:
            return [], left
        left -= _GAP * self._page.text
        shown = list[Part]()
        for k, row in enumerate(rows):
            spare = 0.0 if k == len(rows) - 1 else self._page.line
            if row.height + spare > left:
                break
            shown.append(row)
            left -= row.height
        more = len(rows) - len(shown)
        if more and left >= self._page.line:
            noun = "value" if more == 1 else "values"
            shown.append(
                self._text(
                    f"{ELLIPSIS} and {more} more {noun}" if shown else f"{more} {noun} that do not fit here",
                    left,
                    "faint",
                )
            )
            left -= self._page.line
        return [stacked(shown, 0.0)] if shown else [], left

    def _value(self, value: StepValue) -> Part:
        """Return the row of a value: its symbol and its number, unless a formula has that, and what it is."""
        text, indent, high = self._page.text, 0.95 * self._page.text, 1.35 * self._page.text
        y = -0.5 * high - _MIDDLE * text
        symbol = self._typeset(value.symbol, text)
        if isinstance(value.value, tuple) and value.value and isinstance(value.value[0], tuple):
            part = self._matrix(symbol.width + indent, value.value)
            part = joined([part, symbol.part(indent, -0.5 * part.height - _MIDDLE * text)])._replace(height=part.height)
            width = self._width
        else:
            left, number = indent + symbol.width + 0.25 * text, f"= {plain_number(value.value)}{_UNITS[value.unit]}"
            lines = self._page.wrapped(number, self._width - left) if value.listed == "number" else []
            width = left + (self._page.wide(lines[-1]) if lines else 0.0)
            written = [Written(self._run(left, y - k * high, line)) for k, line in enumerate(lines)]
            part = joined([Part(0.0, tuple(written)), symbol.part(indent, y)])
            part = part._replace(height=max(len(lines), 1) * high)
        means, texts, height = value.means, list(part.texts), part.height
        if value.listed == "name":
            for k, line in enumerate(self._page.wrapped(means, self._width - width - 0.35 * text)):
                height += 1.25 * text if k else 0.0
                texts.append(Written(self._run(width + 0.35 * text, y + high - height, line), "faint"))
        elif means and self._page.wide(means) <= self._width - width - 0.9 * text:
            at = self._width - self._page.wide(means)
            texts.append(Written(self._run(at, y + high - height, means), "faint"))
        elif means:
            for line in self._page.wrapped(means, self._width - indent):
                height += 1.25 * text
                texts.append(Written(self._run(indent, -height + 0.4 * text, line), "faint"))
        shapes = list(part.shapes)
        if value.role is not None:
            if value.mark == self._look.highlighted:
                shapes.insert(0, Area(Rect(-0.3 * text, -height, self._width + 0.6 * text, height), "accent", _TINT))
            shapes.append(Disk((0.35 * text, -0.5 * high), 0.24 * text, value.role))
        hit = Hit(Rect(0.0, -height, self._width, height), StepRow(f"value {value.symbol}", label=value.mark))
        return Part(height, tuple(texts), tuple(shapes), (hit,) if value.mark else ())

    def _matrix(self, left: float, rows: tuple[Quantity, ...]) -> Part:
        """Return a matrix as an array of numbers in brackets behind what is left of it; smaller, if it is too wide."""
        size = self._page.text
        cells = [[plain_number(cell) for cell in row] for row in rows if isinstance(row, tuple)]
        while True:
            widths = [max(self._page.wide(cell, size) for cell in column) for column in zip(*cells, strict=True)]
            gap, start = 0.8 * size, left + 1.4 * self._page.text
            width = 2.0 * 0.35 * size + sum(widths) + gap * (len(widths) - 1)
            if start + width <= self._width or size <= 1.0:
                break
            size = max(0.97 * size, 1.0)
        high, texts = 1.35 * size, [Written(self._run(left + 0.25 * self._page.text, 0.0, "="))]
        for k, row in enumerate(cells):
            x = start + 0.35 * size
            for wide, cell in zip(widths, row, strict=True):
                at = x + wide - self._page.wide(cell, size)
                texts.append(Written(TextRun(at, -(k + 0.5) * high - _MIDDLE * size, cell, size, on_line=True)))
                x += wide + gap
        foot, thick = -high * len(cells), max(0.07 * size, 1.0)
        texts[0] = Written(texts[0].run.moved(0.0, 0.5 * foot - _MIDDLE * self._page.text))
        brackets = [
            Path(((x + way, 0.0), (x, 0.0), (x, foot), (x + way, foot)), thick, "text")
            for x, way in ((start, 0.25 * size), (start + width, -0.25 * size))
        ]
        return Part(-foot, tuple(texts), tuple(brackets))

    def _run(self, x: float, y: float, text: str) -> TextRun:
        return TextRun(x, y, text, self._page.text, on_line=True)


def plain_number(value: Quantity) -> str:
    r"""Return a number or a vector as plain text, with the digits that formulas have.

    Examples
    --------
    >>> plain_number((1.0, -2.5)), plain_number(1.5e-9), plain_number(False)
    ('(1, −2.5)', '1.5 × 10⁻⁹', 'no')
    """
    return plain(tex_number(value)).replace("-", "\N{MINUS SIGN}")
