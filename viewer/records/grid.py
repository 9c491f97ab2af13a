"""Where the cards of a page are: in a grid that fills the picture. Pure arithmetic, no renderer."""

from __future__ import annotations

from typing import NamedTuple

from viewer.records.pixels import Rect

#: Lengths in units: the picture's margin, the gap between cards, the padding of a card, its narrowest and its widest.
MARGIN, GAP, PAD, NARROWEST, WIDEST = 16.0, 10.0, 7.0, 150.0, 300.0

#: Height over width of a picture, and height of a line over that of its letters.
ASPECT, LEADING = 2.0 / 3.0, 1.45

#: How many lines a card has at least, and where there is room.
FEWEST, MOST = 2, 5

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
    def of(cls, count: int, size: tuple[int, int], unit: float, font: float) -> Grid:
        """Return the grid with the largest cards that are all seen, or else the narrowest that can be read.

        Examples
        --------
        >>> Grid.of(18, (1280, 960), 1.0, 15.0)[1:3], Grid.of(18, (640, 480), 0.85, 15.0)[1:3]
        ((6, 3), (4, 2))
        """
        gap, line = GAP * unit, LEADING * font * unit
        across = size[0] - 2.0 * MARGIN * unit + gap
        room = size[1] - 2.0 * MARGIN * unit - HEAD * font * unit + gap
        columns = 1
        while True:
            width = min(across / columns - gap, WIDEST * unit)
            bare = ASPECT * (width - 2.0 * PAD * unit) + 2.5 * PAD * unit
            rows = max(int(room / (bare + FEWEST * line + gap)), 1)
            if rows * columns >= count or across / (columns + 1) - gap < NARROWEST * unit:
                break
            columns += 1
        rows = min(rows, -(-count // columns))
        lines = min(max(int((room / rows - gap - bare) / line), FEWEST), MOST)
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
