"""Where panels go in a picture: in its corners. Pure arithmetic, no renderer.

No panel covers another, and none leaves the picture: what does not fit is shortened, and says so. Coordinates are
pixels, the origin the lower left corner.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
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

#: The widest panel, as a part of the picture's width, where there is no panel beside it.
WIDEST = 0.66

#: The tallest caption, as a part of the picture's height.
TALLEST = 0.4

#: Longer lines than this are hard to read, in heights of the text; a picture may be wide enough for them.
LONGEST_LINE = 46.0

#: How often the width of a text is halved to find the narrowest that needs no more lines.
_BALANCING = 6

_ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"

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
    """A plate with its texts and swatches; a quiet one has its texts alone."""

    corner: Corner
    plate: Rect
    runs: tuple[Run, ...]
    swatches: tuple[Swatch, ...]
    quiet: bool = False


class Sheet(NamedTuple):
    """Everything that is written in a picture."""

    panels: tuple[PlacedPanel, ...]
    triad: Rect | None

    def raised(self, by: float) -> Sheet:
        """Return everything farther up."""
        if not by:
            return self
        panels = tuple(
            panel._replace(
                plate=_up(panel.plate, by),
                runs=tuple(run._replace(y=run.y + by) for run in panel.runs),
                swatches=tuple(swatch._replace(rect=_up(swatch.rect, by)) for swatch in panel.swatches),
            )
            for panel in self.panels
        )
        return Sheet(panels, self.triad and _up(self.triad, by))


def _up(rect: Rect, by: float) -> Rect:
    return rect._replace(y=rect.y + by)


@dataclass
class _Block:
    """A panel while it is being fitted: `shown` of its rows fit."""

    panel: Panel
    title: list[str]
    rows: list[list[str]]
    swatches: list[Role | Solidity | None]
    room: float
    shown: int = 0
    columns: list[float] = field(default_factory=list)
    gone: bool = False
    #: What stands in it, and how much of it was shown then.
    written: tuple[tuple[int, int], tuple[list[Run], list[Swatch]]] | None = None

    @property
    def total(self) -> int:
        return len(self.panel.rows)

    @property
    def lines(self) -> int:
        cut = self.shown < self.total
        return 0 if self.gone else len(self.title) + sum(len(row) for row in self.rows[: self.shown]) + cut

    @property
    def more(self) -> str:
        return f"{_ELLIPSIS} and {self.total - self.shown:,} more"


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
    square = triad * unit
    blocked = {panel.corner for panel in panels if not panel.quiet}
    # It does not change corners when something is selected, which brings a panel to the lower right.
    corner = "lower-right" if "lower-left" in blocked else "lower-left"
    beside = square + page.gap if square else 0.0
    at_left, at_right = (beside * corner.endswith(side) for side in ("left", "right"))

    def of(*corners: Corner) -> list[Panel]:
        return [panel for panel in panels if panel.corner in corners]

    # What is lower right is as wide as it is; the caption beside it gets the rest, and the legend stays above both.
    lower_right = page.blocks(of("lower-right"), page.half)
    lower_left = page.blocks(of("lower-left"), min(page.rest(lower_right, at_right), LONGEST_LINE * page.text))
    page.cut(lower_left, TALLEST * page.height)
    upper_right = page.blocks(of("upper-right"), page.half)
    wide = max(map(page.width_of, lower_left), default=0.0) > page.rest(upper_right)
    page.cut([*upper_right, *lower_right], page.height - max(at_right, wide * (page.tall(lower_left) + page.gap)))
    upper_left = page.blocks(of("upper-left"), min(page.rest(upper_right), max(WIDEST * page.width, page.half)))
    page.cut([*upper_left, *lower_left], page.height - at_left)
    placed = [*page.place([*upper_left, *lower_left]), *page.place([*upper_right, *lower_right])]
    free = page.triad_place(square, corner, placed) if square else None
    center = page.blocks(of("center"), page.width)
    page.cut(center, page.height)
    on_top = page.place(center)
    for panel in on_top:
        placed = [other for other in placed if not other.plate.overlaps(panel.plate)]
        if free is not None and free.overlaps(panel.plate):
            free = None
    return Sheet((*placed, *on_top), free)


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

    @property
    def width(self) -> float:
        return self.size[0] - 2.0 * MARGIN * self.unit

    @property
    def height(self) -> float:
        return self.size[1] - 2.0 * MARGIN * self.unit

    @property
    def half(self) -> float:
        return 0.5 * (self.width - self.gap)

    def rest(self, blocks: Sequence[_Block], reserved: float = 0.0) -> float:
        """Return the width that some panels leave to those beside them: half of the picture at least."""
        widest = max(map(self.width_of, blocks), default=-self.gap)
        return max(self.width - max(widest + self.gap, reserved), self.half)

    def blocks(self, panels: Sequence[Panel], room: float) -> list[_Block]:
        """Break the texts of panels into lines of a width at most."""
        return [self._block(panel, room - 2.0 * PAD_X * self.unit, self.height) for panel in panels]

    def place(self, blocks: Sequence[_Block]) -> list[PlacedPanel]:
        """Place panels in their corners, or in the center, one above the other."""
        shown = [block for block in blocks if block.lines]
        heights = [self._height(block) for block in shown]
        bottom = MARGIN * self.unit
        top = self.size[1] - bottom
        middle = 0.5 * (self.size[1] + self.tall(shown))
        placed = []
        for block, tall in zip(shown, heights, strict=True):
            if block.panel.corner.startswith("lower"):
                y, bottom = bottom, bottom + tall + self.gap
            elif block.panel.corner == "center":
                y, middle = middle - tall, middle - tall - self.gap
            else:
                y, top = top - tall, top - tall - self.gap
            placed.append(self._fill(block, y, tall))
        return placed

    def triad_place(self, square: float, corner: str, placed: Sequence[PlacedPanel]) -> Rect | None:
        """Return the place of the small axes: in their corner, above the panels that are there; None without room."""
        margin = MARGIN * self.unit
        x = margin if corner.endswith("left") else self.size[0] - margin - square
        place = Rect(x, margin, square, square)
        for plate in sorted((panel.plate for panel in placed if panel.corner == corner), key=lambda plate: plate.y):
            if place.overlaps(plate, self.gap):
                place = place._replace(y=plate.y + plate.height + self.gap)
        inside = place.y + square <= self.size[1] - margin
        return place if inside and not any(place.overlaps(panel.plate) for panel in placed) else None

    def tall(self, blocks: Sequence[_Block]) -> float:
        """Return the height of panels one above the other."""
        return sum(map(self._height, blocks)) + self.gap * max(len(blocks) - 1, 0)

    def width_of(self, block: _Block) -> float:
        """Return the width of a panel's plate."""
        right = max([run.x + self.measure(run.text, run.size, run.bold) for run in self._write(block)[0]], default=0.0)
        return right + 2.0 * PAD_X * self.unit

    def _height(self, block: _Block) -> float:
        extra = (TITLE - 1.0) * self.line * len(block.title)
        return block.lines * self.line + extra + 2.0 * PAD_Y * self.unit

    def _block(self, panel: Panel, room: float, height: float) -> _Block:
        """Break a panel's texts into lines that fit into a width; only as many rows as could ever fit."""
        some = panel.rows[: int(height / self.line) + 1]
        title = self._wrapped(panel.title, TITLE * self.text, room, bold=True) if panel.title else []
        indent = self._indent(some)
        columns = self._columns(some, room - indent)
        rows = [[row.text] if "\t" in row.text else self._balanced(row.text, room - indent) for row in some]
        swatches = [row.swatch for row in some]
        return _Block(panel, title, rows, swatches, room, shown=len(some), columns=columns)

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

    def cut(self, blocks: Sequence[_Block], height: float) -> None:
        """Take rows away, from the longest panel first, until all fit; at last take panels away."""
        while (shown := [block for block in blocks if block.lines]) and self.tall(shown) > height:
            longest = max(shown, key=lambda block: (block.lines, block.shown))
            candidates = [block for block in (longest, *shown) if block.shown > 0]
            if candidates:
                self._shorten(candidates[0])
            else:
                shown[-1].gone = True

    def _shorten(self, block: _Block) -> None:
        """Take the last line of a panel away."""
        last = block.rows[block.shown - 1]
        if len(last) > 1:
            last.pop()
            last[-1] = self._shortened(f"{last[-1]} {_ELLIPSIS}", self.text, block.room)
            return
        block.shown -= 1
        block.gone = block.total == 1 and not block.title

    def _balanced(self, text: str, room: float) -> list[str]:
        """Break a text into as few lines as there can be, about equally long: no word alone on the last."""
        best = self._wrapped(text, self.text, room)
        low, high = 0.5 * room, room
        for _ in range(_BALANCING if len(best) > 1 else 0):
            middle = 0.5 * (low + high)
            lines = self._wrapped(text, self.text, middle)
            if len(lines) <= len(best) and " ".join(lines) == " ".join(best):
                best, high = lines, middle
            else:
                low = middle
        return best

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
            if self.measure(text[:middle] + _ELLIPSIS, size, bold) <= room:
                low = middle
            else:
                high = middle - 1
        return text[:low] + _ELLIPSIS

    def _fill(self, block: _Block, y: float, height: float) -> PlacedPanel:
        """Write the lines of a panel on its plate."""
        runs, swatches = self._write(block)
        width = self.width_of(block)
        corner = block.panel.corner
        margin = MARGIN * self.unit
        x = {"left": margin, "right": self.size[0] - margin - width}.get(
            corner.rpartition("-")[2], 0.5 * (self.size[0] - width)
        )
        left, top = round(x + PAD_X * self.unit), round(y + height - PAD_Y * self.unit)
        return PlacedPanel(
            corner,
            Rect(round(x), round(y), round(width), round(height)),
            tuple(run._replace(x=round(left + run.x), y=round(top + run.y)) for run in runs),
            tuple(s._replace(rect=s.rect._replace(x=left + s.rect.x, y=top + s.rect.y)) for s in swatches),
            block.panel.quiet,
        )

    def _write(self, block: _Block) -> tuple[list[Run], list[Swatch]]:
        """Return the texts and swatches of a panel, relative to the upper left corner of its text."""
        if block.written is None or block.written[0] != (block.shown, block.lines):
            block.written = (block.shown, block.lines), self._lines(block)
        return block.written[1]

    def _lines(self, block: _Block) -> tuple[list[Run], list[Swatch]]:
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
