"""What panels are fitted into, and how their texts are set: one scale of sizes for all of them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest

from viewer.records.pixels import Measure
from viewer.records.sizes import UNIT_HEIGHT
from viewer.records.text import ELLIPSIS, shortened, wrapped
from viewer.records.theme import FONT_SIZE

#: Lengths in units: the picture's margin, the gap between plates, the padding of a plate, the gap between columns.
MARGIN, GAP, PAD_X, PAD_Y, COLUMN_GAP = 16.0, 10.0, 12.0, 9.0, 18.0

#: Height of a line as a part of that of its text; the text of titles, and small text, as parts of the usual.
LEADING, TITLE, SMALL = 1.5, 1.12, 0.86

#: How far letters reach above the line and below it, in heights of the text.
ABOVE, BELOW = 0.78, 0.24

#: How often the width of a text is halved to find the narrowest that needs no more lines.
_BALANCING = 6

#: The part of a shortened cell that is its end: names that begin alike differ in their ends.
_TAIL = 0.5

#: What stands to the right in its column: a symbol by itself, such as that of a key, does not; a dash for nothing does.
_NUMBER = re.compile(
    r"[-+\N{MINUS SIGN}]?[.,]?\d[\d.,]*(e[-+\N{MINUS SIGN}]?\d+)?[%\N{DEGREE SIGN}]?"
    r"|[\N{EN DASH}\N{EM DASH}]|[-+\N{MINUS SIGN}]?inf|nan"
)


@dataclass(frozen=True)
class Page:
    """What panels are fitted into: a picture, or the part of it that others leave; and how wide texts are.

    Parameters
    ----------
    size : tuple of 2 ints
        Its width and height in pixels.
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

    @property
    def gap(self) -> float:
        """The gap between plates."""
        return GAP * self.unit

    @property
    def margin(self) -> float:
        """The margin around all plates."""
        return MARGIN * self.unit

    @property
    def text(self) -> float:
        """The height of a text."""
        return self.font * self.unit

    @property
    def small(self) -> float:
        """The height of a small text."""
        return SMALL * self.text

    @property
    def line(self) -> float:
        """The height of a line."""
        return LEADING * self.text

    @property
    def scale(self) -> float:
        """Pixels in a unit of what grows with the text."""
        return self.unit * self.font / FONT_SIZE

    @property
    def width(self) -> float:
        """The width within the margins."""
        return self.size[0] - 2.0 * self.margin

    @property
    def height(self) -> float:
        """The height within the margins."""
        return self.size[1] - 2.0 * self.margin

    @property
    def crowding(self) -> float:
        """How many times as high as in proportion to the whole picture the text is."""
        return self.text * UNIT_HEIGHT / (FONT_SIZE * (self.foot + self.size[1]))

    @property
    def half(self) -> float:
        """The width of each of two plates beside each other."""
        return 0.5 * (self.width - self.gap)

    def within(self, foot: float = 0.0, left: float = 0.0, right: float = 0.0) -> Page:
        """Return what is left of it above a foot, and between what is at its sides."""
        size = max(self.size[0] - round(left + right), 1), max(self.size[1] - round(foot), 1)
        return Page(size, self.unit, self.font, self.measure, foot, left)

    def wide(self, text: str, size: float = 0.0, *, bold: bool = False) -> float:
        """Return how wide a text is, of the usual size or another."""
        return self.measure(text, size or self.text, bold)

    def wrapped(self, text: str, room: float, size: float = 0.0, *, bold: bool = False) -> list[str]:
        """Break a text into lines that fit into a width."""
        return wrapped(text, room, partial(self.wide, size=size, bold=bold)) if text else []

    def shortened(self, text: str, room: float, size: float = 0.0, *, bold: bool = False, tail: float = 0.0) -> str:
        """Return a text, or as much of it as fits: of its beginning, and as a part of that, of its end."""
        return shortened(text, room, partial(self.wide, size=size, bold=bold), tail=tail)

    def few_lines(self, text: str, room: float, most: int, *, bold: bool = False) -> list[str]:
        """Return a text in so many lines at most; the last one says by an ellipsis that there is more."""
        lines = self.wrapped(text, room, bold=bold) if most > 0 else []
        if len(lines) > most:
            lines[most - 1 :] = [self.shortened(f"{lines[most - 1]} {ELLIPSIS}", room, bold=bold)]
        return lines

    def balanced(self, text: str, room: float) -> list[str]:
        """Break a text into as few lines as there can be, about equally long: no word alone on the last."""
        if "\n" not in text and self.wide(text) <= room:
            return [text]
        best = wrapped(text, room, self.wide)
        low, high = 0.5 * room, room
        for _ in range(_BALANCING if len(best) > 1 else 0):
            middle = 0.5 * (low + high)
            lines = wrapped(text, middle, self.wide)
            if len(lines) <= len(best) and " ".join(lines) == " ".join(best):
                best, high = lines, middle
            else:
                low = middle
        return best

    def columns(self, table: Sequence[str], room: float, least: Sequence[float] = ()) -> tuple[float, ...]:
        """Return the widths of the columns of a table, or the least; of those without numbers, the widest gives way."""
        cells = [*zip_longest(*[row.split("\t") for row in table], fillvalue="")]
        wanted = [*least, *[0.0] * (len(cells) - len(least))]
        widths = [max(0.0, *map(self.wide, column), wide) for column, wide in zip(cells, wanted, strict=True)]
        words = [i for i, column in enumerate(cells) if not any(map(_NUMBER.fullmatch, column)) and not wanted[i]]
        excess = sum(widths) + COLUMN_GAP * self.unit * max(len(widths) - 1, 0) - room
        while words and excess > 0.0 and max(widths[i] for i in words) > 0.0:
            widest = max(words, key=lambda i: widths[i])
            second = max([widths[i] for i in words if i != widest], default=0.0)
            step = min(excess, max(widths[widest] - second, excess / len(words), 1.0))
            widths[widest] = max(widths[widest] - step, 0.0)
            excess -= step
        return tuple(widths)

    def cells(self, row: str, columns: Sequence[float]) -> Iterator[tuple[float, str]]:
        """Return the texts of a row and where each begins: numbers stand to the right in their columns."""
        x = 0.0
        for text, width in zip(row.split("\t"), columns or [math.inf], strict=False):
            shown = self.shortened(text, width, tail=_TAIL)
            right = bool(columns) and _NUMBER.fullmatch(text) is not None
            yield (x + width - self.wide(shown) if right else x), shown
            x += width + COLUMN_GAP * self.unit
