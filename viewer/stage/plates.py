"""Rectangles, texts and swatches in a picture, and the panels made of them: records, in pixels.

The origin is the lower left corner of the picture.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias

from viewer.drawables import Role, Row, Solidity

#: Width in pixels of a text of a height in pixels, bold or not.
Measure: TypeAlias = Callable[[str, float, bool], float]

Corner: TypeAlias = Literal["upper-left", "upper-right", "lower-left", "lower-right", "center"]


class Rect(NamedTuple):
    """A rectangle in pixels."""

    x: float
    y: float
    width: float
    height: float

    def overlaps(self, other: Rect, gap: float = 0.0) -> bool:
        """Say whether two rectangles have a point in common, or come nearer to each other than a gap."""
        return (
            self.x < other.x + other.width + gap
            and other.x < self.x + self.width + gap
            and self.y < other.y + other.height + gap
            and other.y < self.y + self.height + gap
        )

    def grown(self, by: float) -> Rect:
        """Return the rectangle with a rim around it."""
        return Rect(self.x - by, self.y - by, self.width + 2.0 * by, self.height + 2.0 * by)

    def covers(self, x: float, y: float) -> bool:
        """Say whether a point lies inside."""
        return self.x <= x <= self.x + self.width and self.y <= y <= self.y + self.height


class Run(NamedTuple):
    """A piece of text: its lower left corner, its height, and whether it is bold or matters less."""

    x: float
    y: float
    text: str
    size: float
    bold: bool = False
    faint: bool = False


class Swatch(NamedTuple):
    """A square that shows what a role looks like."""

    rect: Rect
    key: Role | Solidity


class PlacedPanel(NamedTuple):
    """A plate with its texts, line by line, its swatches, and where its rows are; a quiet one has its texts alone.

    Row k reaches from `edges[k]` down to `edges[k + 1]`.
    """

    corner: Corner
    plate: Rect
    lines: tuple[tuple[Run, ...], ...]
    swatches: tuple[Swatch, ...]
    quiet: bool = False
    rows: tuple[Row, ...] = ()
    edges: tuple[float, ...] = ()

    @property
    def runs(self) -> tuple[Run, ...]:
        """All its texts."""
        return tuple([run for line in self.lines for run in line])

    def place_of(self, row: Row) -> Rect | None:
        """Return where a row is; None where it is not among those of this panel."""
        if row not in self.rows:
            return None
        k = self.rows.index(row)
        high, low = self.edges[k], self.edges[k + 1]
        return Rect(self.plate.x, low, self.plate.width, high - low)

    def row_at(self, x: float, y: float) -> Row | None:
        """Return the row at a pixel."""
        if self.plate.x <= x <= self.plate.x + self.plate.width:
            for row, (high, low) in zip(self.rows, pairwise(self.edges), strict=True):
                if low <= y <= high:
                    return row
        return None
