"""Lines of panels: cells in columns, numbers to the right. Pure arithmetic, no renderer; all lengths are in pixels."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from typing import Literal, NamedTuple, TypeAlias

from viewer.records.drawables import Row
from viewer.records.pixels import Measure, Run
from viewer.records.text import shortened, wrapped

#: Lengths in units: the picture's margin, the gap between plates, the padding of a plate, the gap between columns.
MARGIN, GAP, PAD_X, PAD_Y, COLUMN_GAP = 16.0, 10.0, 12.0, 9.0, 18.0

#: Height of a line as a part of that of its text, and the title's text as a part of the other.
LEADING, TITLE = 1.5, 1.12

#: Side of a swatch and the gap after it, as a part of the text's height.
SWATCH, SWATCH_GAP = 1.15, 0.55

#: How often the width of a text is halved to find the narrowest that needs no more lines.
_BALANCING = 6

#: The part of a shortened cell that is its end.
_TAIL = 0.5

#: So many texts are kept, broken into lines, at most.
MOST_LINES = 1024

#: What stands to the right in its column: a symbol by itself, such as that of a key, does not; a dash for nothing does.
_NUMBER = re.compile(
    r"[-+\N{MINUS SIGN}]?[.,]?\d[\d.,]*(e[-+\N{MINUS SIGN}]?\d+)?%?|[\N{EN DASH}\N{EM DASH}]|[-+\N{MINUS SIGN}]?inf|nan"
)

#: Whether a line is a title, or matters less.
Kind: TypeAlias = Literal["", "title", "faint"]


class Cell(NamedTuple):
    """A part of a line: its text, how wide it is, and whether it is a number."""

    text: str
    width: float
    is_number: bool


class Words(NamedTuple):
    """A line of a text as it is given: its cells, and its kind."""

    cells: tuple[Cell, ...]
    kind: Kind

    @property
    def text(self) -> str:
        """The text of all cells."""
        return "\t".join([cell.text for cell in self.cells])

    @property
    def is_of_table(self) -> bool:
        """Whether it has columns."""
        return len(self.cells) > 1


class Line(NamedTuple):
    """A line of a panel: where its texts begin, from the edge of the panel's text, and how far they go."""

    cells: tuple[tuple[float, str], ...]
    right: float
    size: float
    kind: Kind

    def at(self, left: int, bottom: int) -> tuple[Run, ...]:
        """Return its texts where the panel's text begins and the line is, in whole pixels."""
        bold, faint = self.kind == "title", self.kind == "faint"
        return tuple([Run(round(left + x), bottom, text, self.size, bold, faint) for x, text in self.cells])


@dataclass(frozen=True)
class Page:
    """What panels are fitted into: a picture, but for its foot and a bar at its left.

    Parameters
    ----------
    size : tuple of 2 ints
        Its width and height.
    unit : float
        Pixels in a unit of the theme.
    font : float
        Height of the text, in units.
    measure : callable
        Says how wide a text is.
    foot, left : float
        How far up it begins, and how far to the right.
    """

    size: tuple[int, int]
    unit: float
    font: float
    measure: Measure
    foot: float = 0.0
    left: float = 0.0

    @cached_property
    def gap(self) -> float:
        """The gap between plates."""
        return GAP * self.unit

    @cached_property
    def text(self) -> float:
        """The height of a text."""
        return self.font * self.unit

    @cached_property
    def line(self) -> float:
        """The height of a line."""
        return self.text * LEADING

    @cached_property
    def width(self) -> float:
        """The width within the margins."""
        return self.size[0] - 2.0 * MARGIN * self.unit

    @cached_property
    def height(self) -> float:
        """The height within the margins."""
        return self.size[1] - 2.0 * MARGIN * self.unit

    @cached_property
    def half(self) -> float:
        """The width of each of two plates beside each other."""
        return 0.5 * (self.width - self.gap)

    def indent(self, rows: Sequence[Row]) -> float:
        """Return the room that the swatches of rows take."""
        return (SWATCH + SWATCH_GAP) * self.text if any(row.swatch is not None for row in rows) else 0.0

    def size_of(self, kind: Kind) -> float:
        """Return the height of the letters of a kind of lines."""
        return TITLE * self.text if kind == "title" else self.text

    def words(self, text: str, kind: Kind = "") -> Words:
        """Return the words of a line."""
        size, bold, measure = self.size_of(kind), kind == "title", self.measure
        cells = [text] if bold else text.split("\t")
        return Words(tuple([Cell(t, measure(t, size, bold), _NUMBER.fullmatch(t) is not None) for t in cells]), kind)

    def lines(self, text: str, room: float, kind: Kind) -> tuple[Words, ...]:
        """Return a row's lines: one where it is of a table, else as many as it takes to fit into a width."""
        key, kept = (text, room, kind), self._lines
        if key not in kept:
            if len(kept) >= MOST_LINES:
                kept.clear()
            lines = [text] if "\t" in text else self.balanced(text, room)
            kept[key] = tuple([self.words(line, kind) for line in lines])
        return kept[key]

    @cached_property
    def _lines(self) -> dict[tuple[str, float, Kind], tuple[Words, ...]]:
        """What `lines` has returned: most rows of a panel are in the next picture, too."""
        return {}

    def line_of(self, words: Words, indent: float = 0.0, columns: Sequence[float] = ()) -> Line:
        """Put words into their columns, so far from the edge of a panel's text."""
        x, right = indent, 0.0
        cells: list[tuple[float, str]] = []
        for (text, own, is_number), width in zip(words.cells, columns or [math.inf], strict=False):
            if own > width:
                # Names that begin alike differ in their ends.
                text = self.shortened(text, width, tail=_TAIL)
                own = self.measure(text, self.text, False)
            start = x + width - own if is_number and columns else x
            cells.append((start, text))
            right = max(right, start + own)
            x += width + COLUMN_GAP * self.unit
        return Line(tuple(cells), right, self.size_of(words.kind), words.kind)

    def columns(self, table: Sequence[Words], room: float) -> tuple[float, ...]:
        """Return the widths of the columns of a table; the widest is narrowed if they do not fit."""
        widths = [
            max(column) for column in zip_longest(*[[cell.width for cell in row.cells] for row in table], fillvalue=0.0)
        ]
        excess = sum(widths) + COLUMN_GAP * self.unit * max(len(widths) - 1, 0) - room
        while widths and excess > 0.0:
            widest = widths.index(max(widths))
            second = max([width for i, width in enumerate(widths) if i != widest], default=0.0)
            step = min(excess, max(widths[widest] - second, excess / len(widths), 1.0))
            widths[widest] = max(widths[widest] - step, 0.0)
            excess -= step
        return tuple(widths)

    def balanced(self, text: str, room: float) -> list[str]:
        """Break a text into as few lines as there can be, about equally long: no word alone on the last."""
        if "\n" not in text and self.measure(text, self.text, False) <= room:
            return [text]
        best = self.wrapped(text, self.text, room)
        low, high = 0.5 * room, room
        for _ in range(_BALANCING if len(best) > 1 else 0):
            middle = 0.5 * (low + high)
            lines = self.wrapped(text, self.text, middle)
            if len(lines) <= len(best) and " ".join(lines) == " ".join(best):
                best, high = lines, middle
            else:
                low = middle
        return best

    def wrapped(self, text: str, size: float, room: float, *, bold: bool = False) -> list[str]:
        """Break a text into lines that fit into a width."""
        return wrapped(text, room, lambda line: self.measure(line, size, bold))

    def shortened(self, text: str, room: float, *, tail: float = 0.0) -> str:
        """Return a text, or as much of it as fits: of its beginning, and as a part of that, of its end."""
        return shortened(text, room, lambda line: self.measure(line, self.text, False), tail=tail)
