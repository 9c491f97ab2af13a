"""Swatches and panels where they stand in a picture: records, in pixels."""

from __future__ import annotations

from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias

from viewer.picture.drawables import Role, Row, Solidity
from viewer.picture.pixels import Rect, Run

Corner: TypeAlias = Literal["upper-left", "upper-right", "lower-left", "lower-right", "center"]


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
