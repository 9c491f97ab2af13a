"""Panels on their plates: rows broken into lines, as many as there is room for. Pure arithmetic, no renderer.

Coordinates are pixels, the origin the lower left corner.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate, pairwise
from typing import NamedTuple

from viewer.records.drawables import Panel, Role, Row, ShapeFlags
from viewer.records.pixels import Rect, Run
from viewer.records.text import ELLIPSIS
from viewer.stage.text.lines import MARGIN, PAD_X, PAD_Y, SWATCH, TITLE, Line, Page, Words

#: How far above the foot of its row the line below a letter is, as a part of the letters' height.
_BELOW = 0.13


class Swatch(NamedTuple):
    """A square that shows what a role looks like."""

    rect: Rect
    key: Role | ShapeFlags


class PlacedPanel(NamedTuple):
    """A plate with its texts, line by line, its swatches, and where its rows are; a quiet one has its texts alone.

    Row k reaches from `edges[k]` down to `edges[k + 1]`. The marks are lines below letters.
    """

    corner: str
    plate: Rect
    lines: tuple[tuple[Run, ...], ...]
    swatches: tuple[Swatch, ...]
    quiet: bool = False
    rows: tuple[Row, ...] = ()
    edges: tuple[float, ...] = ()
    marks: tuple[Rect, ...] = ()

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
        """Return the row at a pixel; of one with cells, it does what the cell there does."""
        if self.plate.x <= x <= self.plate.x + self.plate.width:
            for row, (high, low) in zip(self.rows, pairwise(self.edges), strict=True):
                if low <= y <= high:
                    return replace(row, does=row.cells[self._cell_at(x, low, high)]) if row.cells else row
        return None

    def _cell_at(self, x: float, low: float, high: float) -> int:
        """Return which cell of the row between two edges is at or before a pixel."""
        line = next(line for line in self.lines if line and low <= line[0].y <= high)
        return max(sum(run.x - line[0].size <= x for run in line) - 1, 0)


class Block:
    """A panel whose texts are broken into lines, as far as it is shown.

    Parameters
    ----------
    page : Page
        What it goes into.
    panel : Panel
        What it shows.
    room : float
        The width that its texts fit into.
    title, rows : tuples of Words
        The lines of its title and of each of its rows.
    columns : tuple of float
        The widths of the columns of its table.
    gone : bool
        Whether nothing of it is left.
    """

    def __init__(
        self,
        page: Page,
        panel: Panel,
        room: float,
        title: tuple[Words, ...],
        rows: tuple[tuple[Words, ...], ...],
        columns: tuple[float, ...],
        *,
        gone: bool = False,
    ) -> None:
        self.page, self.panel, self.room, self.title, self.rows, self.columns = page, panel, room, title, rows, columns
        #: How many rows are not shown.
        self.more = len(panel.rows) - len(rows)
        #: How many lines it has.
        self.lines = 0 if gone else len(title) + sum(map(len, rows)) + (self.more > 0)
        #: The height of its plate.
        self.height = self.lines * page.line + (TITLE - 1.0) * page.line * len(title) + 2.0 * PAD_Y * page.unit
        #: Its lines and its swatches, and how far up each is from the upper left corner of its text.
        self._written: list[tuple[Line, float]] = []
        self._swatches: list[tuple[Role | ShapeFlags, float]] = []
        #: Lines below letters: from where to where, and how far up.
        self._marks: list[tuple[float, float, float]] = []
        self._write()
        #: The width of its plate.
        self.width = max([line.right for line, _ in self._written], default=0.0) + 2.0 * PAD_X * page.unit
        self._placed: tuple[float, PlacedPanel] | None = None

    @classmethod
    def of(cls, page: Page, panel: Panel, room: float) -> Block:
        """Break a panel's texts into lines that fit into a width; only as many rows as could ever fit."""
        rows = panel.rows[: int(page.height / page.line) + 1]
        title = page.wrapped(panel.title, TITLE * page.text, room, bold=True) if panel.title else []
        inner = room - page.indent(rows)
        lines = tuple([page.lines(row.text, inner, "faint" if row.faint else "") for row in rows])
        table = [words[0] for words in lines if words[0].is_of_table]
        columns = page.columns(table, inner) if table else ()
        return cls(page, panel, room, tuple([page.words(words, "title") for words in title]), lines, columns)

    def _write(self) -> None:
        page, lines = self.page, self._written
        text, height, y = page.text, page.line, 0.0
        for words in self.title:
            y -= TITLE * height
            lines.append((page.line_of(words), y + 0.3 * text))
        shown = self.panel.rows[: len(self.rows)]
        indent, side = page.indent(shown), SWATCH * text
        for row, row_lines in zip(shown, self.rows, strict=True):
            if row.swatch is not None:
                self._swatches.append((row.swatch, y - 0.5 * (height + side)))
            if row.mark:
                self._marks.append((*self._mark(row, indent), y - height))
            for words in row_lines:
                y -= height
                columns = self.columns if words.is_of_table else ()
                lines.append((page.line_of(words, indent, columns), y + 0.25 * text))
        if self.more:
            words = page.words(page.shortened(f"{ELLIPSIS} and {self.more:,} more", self.room), "faint")
            lines.append((page.line_of(words), y - height + 0.25 * text))

    def _mark(self, row: Row, indent: float) -> tuple[float, float]:
        """Return from where to where the letter of a row reaches that is marked."""
        page, place = self.page, row.text.lower().index(row.mark)
        left = indent + page.measure(row.text[:place], page.text, False)
        return left, left + page.measure(row.text[place], page.text, False)

    def placed(self, y: float) -> PlacedPanel:
        """Return its lines on its plate, which is that far up."""
        if self._placed is None or self._placed[0] != y:
            self._placed = y, self._place(y)
        return self._placed[1]

    def _place(self, y: float) -> PlacedPanel:
        page, corner, width = self.page, self.panel.corner, self.width
        margin, x = MARGIN * page.unit, 0.5 * (page.size[0] - width)
        if self.panel.at is not None:
            across, up = (
                (page.left + page.size[0]) * self.panel.at[0] - page.left,
                (page.foot + page.size[1]) * self.panel.at[1],
            )
            x = max(min(across, page.size[0] - margin - width), margin)
            y = max(min(up, page.foot + page.size[1] - margin) - self.height, page.foot + margin)
        elif corner != "center":
            x = margin if corner.endswith("left") else page.size[0] - margin - width
        left, top = round(page.left + x + PAD_X * page.unit), round(y + self.height - PAD_Y * page.unit)
        side = SWATCH * page.text
        return PlacedPanel(
            corner,
            Rect(round(page.left + x), round(y), round(width), round(self.height)),
            tuple([line.at(left, round(top + up)) for line, up in self._written]),
            tuple([Swatch(Rect(float(left), top + up, side, side), key) for key, up in self._swatches]),
            self.panel.quiet,
            self.panel.rows[: len(self.rows)],
            self._edges(top),
            tuple([Rect(left + a, top + up + _BELOW * page.text, b - a, page.unit) for a, b, up in self._marks]),
        )

    def _edges(self, top: float) -> tuple[float, ...]:
        """Return where its rows end, from the top of the first to the foot of the last."""
        heights = [self.page.line * len(lines) for lines in self.rows]
        return tuple([top - below for below in accumulate(heights, initial=TITLE * self.page.line * len(self.title))])

    def shorter(self) -> Block:
        """Return the panel without its last line, or without anything."""
        page, title, rows = self.page, self.title, self.rows
        gone = not rows or (len(rows[-1]) == 1 and len(self.panel.rows) == 1 and not title)
        if rows and len(rows[-1]) > 1:
            words = page.shortened(f"{rows[-1][-2].text} {ELLIPSIS}", self.room)
            rows = (*rows[:-1], (*rows[-1][:-2], page.words(words, rows[-1][-2].kind)))
        else:
            rows = rows[:-1]
        return Block(page, self.panel, self.room, title, rows, self.columns, gone=gone)
