"""Where panels go in a picture: in its corners. Pure arithmetic, no renderer.

No panel covers another, and none leaves the picture: what does not fit is shortened, and says so. Coordinates are
pixels, the origin the lower left corner.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

from viewer.drawables import Panel, Role, Row, Solidity

#: Width in pixels of a text of a height in pixels, bold or not.
Measure: TypeAlias = Callable[[str, float, bool], float]

#: Lengths in units: the picture's margin, the gap between plates, the padding of a plate, the gap between columns.
MARGIN, GAP, PAD_X, PAD_Y, COLUMN_GAP = 16.0, 10.0, 12.0, 9.0, 18.0

#: Height of a line as a part of that of its text, and the title's text as a part of the other.
LEADING, TITLE = 1.5, 1.12

#: Side of a swatch and the gap after it, as a part of the text's height.
SWATCH, SWATCH_GAP = 1.15, 0.55

#: The widest panel, as a part of the picture's width, where there is no panel beside it; a caption is not wider.
WIDEST = 0.66

_NUMBER = re.compile(r"[-+\N{MINUS SIGN}]?[\d.,]+(e[-+]?\d+)?%?|[-\N{EN DASH}\N{EM DASH}]|inf|nan")

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
    """A plate with its texts and swatches."""

    corner: Corner
    plate: Rect
    runs: tuple[Run, ...]
    swatches: tuple[Swatch, ...]


class Sheet(NamedTuple):
    """Everything that is written in a picture."""

    panels: tuple[PlacedPanel, ...]
    triad: Rect | None


@dataclass
class _Block:
    """A panel while it is being fitted: `shown` of its rows fit."""

    corner: Corner
    title: list[str]
    rows: list[list[str]]
    swatches: list[Role | Solidity | None]
    total: int
    room: float
    shown: int = 0
    columns: list[float] = field(default_factory=list)

    @property
    def lines(self) -> int:
        cut = self.shown < self.total
        return len(self.title) + sum(len(row) for row in self.rows[: self.shown]) + cut

    @property
    def more(self) -> str:
        return f"\N{HORIZONTAL ELLIPSIS} and {self.total - self.shown:,} more"


def place_panels(
    panels: Sequence[Panel], size: tuple[int, int], unit: float, font: float, measure: Measure, triad: float = 0.0
) -> Sheet:
    """Return panels placed in the corners of a picture.

    Panels of one corner stand one above the other. Cells of a row that are separated by tabs stand in columns, numbers
    to the right; other rows are broken into lines. Rows that do not fit are replaced by how many they are. A panel in
    the center takes the place of those that it would cover.

    Parameters
    ----------
    panels : sequence of Panel
        In the order in which they get their place.
    size : tuple of 2 ints
        Of the picture, in pixels.
    unit : float
        Pixels in a unit of the theme.
    font : float
        Height of the text, in units.
    measure : callable
        Says how wide a text is.
    triad : float
        Side of the square that is kept free for the small axes, in units.

    Examples
    --------
    >>> panel = Panel("upper-left", (Row("a"),), "Title")
    >>> sheet = place_panels([panel], (640, 480), 1.0, 15.0, lambda text, size, bold: size * len(text))
    >>> [run.text for run in sheet.panels[0].runs]
    ['Title', 'a']
    """
    page = _Page(size, unit, font, measure)
    sides: Mapping[str, list[Panel]] = {
        side: [panel for panel in panels if panel.corner.endswith(side)] for side in ("left", "right")
    }
    square = triad * unit
    corner = next((c for c in ("lower-left", "lower-right") if all(p.corner != c for p in panels)), "lower-left")
    placed: list[PlacedPanel] = []
    free: Rect | None = None
    for side, own in sides.items():
        other = sides["right" if side == "left" else "left"]
        reserved = square + page.gap if square and corner.endswith(side) else 0.0
        column = page.column(own, beside=bool(other), reserved=reserved)
        placed += column
        if reserved:
            free = page.triad_place(square, corner, column)
    center = page.column([panel for panel in panels if panel.corner == "center"], beside=False, reserved=0.0)
    for panel in center:
        placed = [other for other in placed if not other.plate.overlaps(panel.plate)]
        if free is not None and free.overlaps(panel.plate):
            free = None
    return Sheet((*placed, *center), free)


@dataclass(frozen=True)
class _Page:
    size: tuple[int, int]
    unit: float
    font: float
    measure: Measure

    @property
    def gap(self) -> float:
        return GAP * self.unit

    @property
    def text(self) -> float:
        return self.font * self.unit

    @property
    def line(self) -> float:
        return self.text * LEADING

    def column(self, panels: Sequence[Panel], *, beside: bool, reserved: float) -> list[PlacedPanel]:
        """Place the panels of one side of the picture, or of its center."""
        width, height = (side - 2.0 * MARGIN * self.unit for side in self.size)
        room = 0.5 * (width - self.gap) if beside else WIDEST * width
        blocks = [self._block(panel, room - 2.0 * PAD_X * self.unit, height) for panel in panels]
        self._cut(blocks, height - reserved)
        blocks = [block for block in blocks if block.lines]
        heights = [self._height(block) for block in blocks]
        top = self.size[1] - MARGIN * self.unit
        bottom = MARGIN * self.unit
        middle = 0.5 * (self.size[1] + sum(heights) + self.gap * max(len(blocks) - 1, 0))
        placed = []
        for block, tall in zip(blocks, heights, strict=True):
            if block.corner.startswith("lower"):
                y, bottom = bottom, bottom + tall + self.gap
            elif block.corner == "center":
                y, middle = middle - tall, middle - tall - self.gap
            else:
                y, top = top - tall, top - tall - self.gap
            placed.append(self._fill(block, y, tall))
        return placed

    def triad_place(self, square: float, corner: str, column: Sequence[PlacedPanel]) -> Rect | None:
        """Return the place of the small axes: in their corner, above the panels that are there."""
        margin = MARGIN * self.unit
        x = margin if corner.endswith("left") else self.size[0] - margin - square
        lower = [panel.plate for panel in column if panel.corner.startswith("lower")]
        place = Rect(x, margin, square, square)
        for plate in sorted(lower, key=lambda plate: plate.y):
            if place.overlaps(plate, self.gap):
                place = place._replace(y=plate.y + plate.height + self.gap)
        return place if place.y + square <= self.size[1] - margin else None

    def _height(self, block: _Block) -> float:
        extra = (TITLE - 1.0) * self.line * len(block.title)
        return block.lines * self.line + extra + 2.0 * PAD_Y * self.unit

    def _block(self, panel: Panel, room: float, height: float) -> _Block:
        """Break a panel's texts into lines that fit into a width; only as many rows as could ever fit."""
        some = panel.rows[: int(height / self.line) + 1]
        title = self._wrapped(panel.title, TITLE * self.text, room, bold=True) if panel.title else []
        indent = self._indent(some)
        columns = self._columns(some, room - indent)
        rows = [[row.text] if "\t" in row.text else self._wrapped(row.text, self.text, room - indent) for row in some]
        swatches = [row.swatch for row in some]
        return _Block(panel.corner, title, rows, swatches, len(panel.rows), room, shown=len(some), columns=columns)

    def _indent(self, rows: Iterable[Row]) -> float:
        return (SWATCH + SWATCH_GAP) * self.text if any(row.swatch is not None for row in rows) else 0.0

    def _columns(self, rows: Sequence[Row], room: float) -> list[float]:
        """Return the widths of the columns; the widest is narrowed if they do not fit."""
        table = [row.text.split("\t") for row in rows if "\t" in row.text]
        widths = [
            max((self.measure(cells[i], self.text, False) for cells in table if i < len(cells)), default=0.0)
            for i in range(max(map(len, table), default=0))
        ]
        excess = sum(widths) + COLUMN_GAP * self.unit * max(len(widths) - 1, 0) - room
        while widths and excess > 0.0:
            widest = widths.index(max(widths))
            second = max([width for i, width in enumerate(widths) if i != widest], default=0.0)
            step = min(excess, max(widths[widest] - second, excess / len(widths), 1.0))
            widths[widest] = max(widths[widest] - step, 0.0)
            excess -= step
        return widths

    def _cut(self, blocks: list[_Block], height: float) -> None:
        """Take rows away, from the longest panel first, until all fit; at last take panels away."""
        while blocks and sum(map(self._height, blocks)) + self.gap * (len(blocks) - 1) > height:
            longest = max(blocks, key=lambda block: (block.lines, block.shown))
            candidates = [block for block in (longest, *blocks) if block.shown > 0]
            if candidates:
                candidates[0].shown -= 1
            else:
                blocks.pop()

    def _wrapped(self, text: str, size: float, room: float, *, bold: bool = False) -> list[str]:
        """Break a text into lines between words; a word that is too long is cut."""
        lines: list[str] = []
        for paragraph in text.split("\n"):
            line = ""
            for word in paragraph.split(" "):
                longer = f"{line} {word}" if line else word
                if line and self.measure(longer, size, bold) > room:
                    lines.append(line)
                    longer = word
                line = longer
            lines.append(line)
        return [self._shortened(line, size, room, bold=bold) for line in lines]

    def _shortened(self, text: str, size: float, room: float, *, bold: bool = False) -> str:
        if self.measure(text, size, bold) <= room:
            return text
        low, high = 0, len(text)
        while low < high:  # the longest beginning that fits, with its ellipsis
            middle = (low + high + 1) // 2
            if self.measure(text[:middle] + "\N{HORIZONTAL ELLIPSIS}", size, bold) <= room:
                low = middle
            else:
                high = middle - 1
        return text[:low] + "\N{HORIZONTAL ELLIPSIS}"

    def _fill(self, block: _Block, y: float, height: float) -> PlacedPanel:
        """Write the lines of a panel on its plate."""
        runs, swatches = self._write(block)
        right = max([run.x + self.measure(run.text, run.size, run.bold) for run in runs], default=0.0)
        width = right + 2.0 * PAD_X * self.unit
        margin = MARGIN * self.unit
        x = {"left": margin, "right": self.size[0] - margin - width}.get(
            block.corner.rpartition("-")[2], 0.5 * (self.size[0] - width)
        )
        left, top = round(x + PAD_X * self.unit), round(y + height - PAD_Y * self.unit)
        return PlacedPanel(
            block.corner,
            Rect(round(x), round(y), round(width), round(height)),
            tuple(run._replace(x=round(left + run.x), y=round(top + run.y)) for run in runs),
            tuple(s._replace(rect=s.rect._replace(x=left + s.rect.x, y=top + s.rect.y)) for s in swatches),
        )

    def _write(self, block: _Block) -> tuple[list[Run], list[Swatch]]:
        """Return the texts and swatches of a panel, relative to the upper left corner of its text."""
        runs: list[Run] = []
        swatches: list[Swatch] = []
        y = 0.0
        for line in block.title:
            y -= TITLE * self.line
            runs.append(Run(0.0, y + 0.3 * self.text, line, TITLE * self.text, bold=True))
        indent = (SWATCH + SWATCH_GAP) * self.text if any(s is not None for s in block.swatches[: block.shown]) else 0.0
        for row, swatch in zip(block.rows[: block.shown], block.swatches, strict=False):
            if swatch is not None:
                side = SWATCH * self.text
                swatches.append(Swatch(Rect(0.0, y - 0.5 * (self.line + side), side, side), swatch))
            for line in row:
                y -= self.line
                runs += self._cells(line, indent, y + 0.25 * self.text, block.columns)
        if block.shown < block.total:
            more = self._shortened(block.more, self.text, block.room)
            runs.append(Run(0.0, y - self.line + 0.25 * self.text, more, self.text, faint=True))
        return runs, swatches

    def _cells(self, line: str, x: float, y: float, columns: Sequence[float]) -> list[Run]:
        if "\t" not in line:
            return [Run(x, y, line, self.text)]
        runs = []
        for cell, width in zip(line.split("\t"), columns, strict=False):
            text = self._shortened(cell, self.text, width)
            aside = width - self.measure(text, self.text, False) if _NUMBER.fullmatch(cell) else 0.0
            runs.append(Run(x + aside, y, text, self.text))
            x += width + COLUMN_GAP * self.unit
        return runs
