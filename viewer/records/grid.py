"""Where the cards of a page are: in a grid that fills the picture. Pure arithmetic, no renderer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from viewer.records.pixels import Rect
from viewer.records.text import wrapped

#: Lengths in units: the picture's margin, the gap between cards, the padding of a card, its narrowest and its widest.
MARGIN, GAP, PAD, NARROWEST, WIDEST = 16.0, 10.0, 7.0, 150.0, 300.0

#: Height over width of a picture, and height of a line over that of its letters.
ASPECT, LEADING = 0.6, 1.45

#: How many lines a card has at least, where not all of all texts can be seen.
FEWEST = 2

#: How wide a letter is, and a bold one, in heights of the letters, rather too much than too little.
_LETTER, _BOLD = 0.6, 0.68

#: How high the title of the page and its hint are, in heights of the letters.
HEAD = 3.6


class Grid(NamedTuple):
    """Columns of cards, some rows of which are seen.

    Attributes
    ----------
    size : tuple of 2 ints
        Of the picture in pixels.
    columns, rows : int
        How many there are in all, and how many rows of them are seen.
    width, height : float
        Of a card.
    unit, text : float
        Pixels in a unit, and the height of the letters.
    lines : int
        How many lines a card has.
    """

    size: tuple[int, int]
    columns: int
    rows: int
    width: float
    height: float
    unit: float
    text: float
    lines: int

    @classmethod
    def of(cls, texts: Sequence[tuple[str, str]], size: tuple[int, int], unit: float, font: float) -> Grid:
        """Return the grid with the largest cards that are all seen with all of their titles and lines.

        Where there is no room for that, the cards are the narrowest that can be read.

        Examples
        --------
        >>> texts = 18 * [("A turning knot", "As the knot turns, its box is refitted")]
        >>> Grid.of(texts, (1280, 960), 1.0, 15.0)[1:3], Grid.of(texts, (640, 480), 0.85, 15.0)[1:3]
        ((6, 3), (4, 2))
        """
        count = len(texts)
        gap, line = GAP * unit, LEADING * font * unit
        across = size[0] - 2.0 * MARGIN * unit + gap
        room = size[1] - 2.0 * MARGIN * unit - HEAD * font * unit + gap
        columns = 1
        while True:
            width = min(across / columns - gap, WIDEST * unit)
            bare = ASPECT * (width - 2.0 * PAD * unit) + 2.5 * PAD * unit
            lines = _lines(texts, (width - 2.0 * PAD * unit) / (font * unit))
            if int(room / (bare + lines * line + gap)) * columns >= count:
                break
            if across / (columns + 1) - gap < NARROWEST * unit:
                most = min(max(int(room / (bare + FEWEST * line + gap)), 1), -(-count // columns))
                lines = min(max(int((room / most - gap - bare) / line), FEWEST), lines)
                break
            columns += 1
        rows = min(max(int(room / (bare + lines * line + gap)), 1), -(-count // columns))
        return cls(size, columns, rows, width, bare + lines * line, unit, font * unit, lines)

    def place(self, number: int, first: int) -> Rect | None:
        """Return where a card is when the rows from the first on are seen; None where it is not seen."""
        row, column = divmod(number, self.columns)
        if not first <= row < first + self.rows:
            return None
        gap, margin = GAP * self.unit, MARGIN * self.unit
        left = 0.5 * (self.size[0] - self.columns * (self.width + gap) + gap)
        top = self.size[1] - margin - HEAD * self.text - (row - first) * (self.height + gap)
        x = left + column * (self.width + gap)
        return Rect(round(x), round(top - self.height), round(self.width), round(self.height))

    def first_for(self, number: int, first: int, count: int) -> int:
        """Return the first row that is to be seen, as near as can be to another, so that a card is seen."""
        row, last = number // self.columns, max(-(-count // self.columns) - self.rows, 0)
        return min(max(min(first, row), row - self.rows + 1, 0), last)


def _lines(texts: Sequence[tuple[str, str]], room: float) -> int:
    """Return how many lines a card needs for any of some titles and lines, in so many heights of the letters."""
    needed = (
        len(wrapped(title, room, lambda text: _BOLD * len(text)))
        + len(wrapped(line, room, lambda text: _LETTER * len(text)))
        for title, line in texts
    )
    return max(needed, default=FEWEST)
