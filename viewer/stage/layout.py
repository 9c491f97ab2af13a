"""Where panels go in a picture: in its corners. Pure arithmetic, no renderer.

No panel covers another, and none leaves the picture: what does not fit is shortened, and says so. Coordinates are
pixels, the origin the lower left corner.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
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

#: The part of a shortened cell that is its end.
_TAIL = 0.5

_ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"

_NUMBER = re.compile(r"[-+\N{MINUS SIGN}]?[\d.,]+(e[-+\N{MINUS SIGN}]?\d+)?%?|[-\N{EN DASH}\N{EM DASH}]|inf|nan")

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
    """A plate with its texts and swatches, and where its rows are; a quiet one has its texts alone."""

    corner: Corner
    plate: Rect
    runs: tuple[Run, ...]
    swatches: tuple[Swatch, ...]
    quiet: bool = False
    rows: tuple[tuple[Rect, Row], ...] = ()

    def row_at(self, x: float, y: float) -> Row | None:
        """Return the row at a pixel."""
        return next((row for place, row in self.rows if place.covers(x, y)), None)


class Sheet(NamedTuple):
    """Everything that is written in a picture."""

    panels: tuple[PlacedPanel, ...]
    triad: Rect | None


@dataclass(frozen=True, eq=False)
class _Block:
    """A panel whose texts are broken into lines, as far as it is shown; the same for as long as the panel comes."""

    panel: Panel
    page: _Page
    title: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    room: float
    columns: tuple[float, ...]
    gone: bool = False

    @cached_property
    def lines(self) -> int:
        """How many lines it has."""
        return 0 if self.gone else len(self.title) + sum(map(len, self.rows)) + (self.more > 0)

    @property
    def more(self) -> int:
        """How many rows are not shown."""
        return len(self.panel.rows) - len(self.rows)

    @cached_property
    def height(self) -> float:
        """The height of its plate."""
        page = self.page
        return self.lines * page.line + (TITLE - 1.0) * page.line * len(self.title) + 2.0 * PAD_Y * page.unit

    @cached_property
    def width(self) -> float:
        """The width of its plate."""
        page = self.page
        right = max([run.x + page.measure(run.text, run.size, run.bold) for run in self.written[0]], default=0.0)
        return right + 2.0 * PAD_X * page.unit

    @cached_property
    def written(self) -> tuple[list[Run], list[Swatch]]:
        """Its texts and swatches, relative to the upper left corner of its text."""
        text, line = self.page.text, self.page.line
        runs: list[Run] = []
        swatches: list[Swatch] = []
        y = 0.0
        for words in self.title:
            y -= TITLE * line
            runs.append(Run(0.0, y + 0.3 * text, words, TITLE * text, bold=True))
        shown = self.panel.rows[: len(self.rows)]
        indent, side = self.page.indent(shown), SWATCH * text
        for lines, row in zip(self.rows, shown, strict=True):
            if row.swatch is not None:
                swatches.append(Swatch(Rect(0.0, y - 0.5 * (line + side), side, side), row.swatch))
            for words in lines:
                y -= line
                runs += self.page.cells(words, indent, y + 0.25 * text, self.columns)
        if self.more:
            words = self.page.shortened(f"{_ELLIPSIS} and {self.more:,} more", text, self.room)
            runs.append(Run(0.0, y - line + 0.25 * text, words, text, faint=True))
        return runs, swatches

    @cached_property
    def places(self) -> list[tuple[float, float, Row]]:
        """How far below the top of its text each row that is shown begins and ends."""
        line, found = self.page.line, []
        y = TITLE * line * len(self.title)
        for lines, row in zip(self.rows, self.panel.rows, strict=False):
            found.append((y, y + line * len(lines), row))
            y += line * len(lines)
        return found

    def shorter(self) -> _Block:
        """Return the panel without its last line, or without anything."""
        if not self.rows:
            return replace(self, gone=True)
        *rows, last = self.rows
        if len(last) > 1:
            words = self.page.shortened(f"{last[-2]} {_ELLIPSIS}", self.page.text, self.room)
            return replace(self, rows=(*rows, (*last[:-2], words)))
        return replace(self, rows=tuple(rows), gone=len(self.panel.rows) == 1 and not self.title)


def place_panels(
    panels: Sequence[Panel],
    size: tuple[int, int],
    unit: float,
    font: float,
    measure: Measure,
    triad: float = 0.0,
    foot: float = 0.0,
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
    foot : float
        Height of what is at the foot of the picture and stays free, in pixels.

    Examples
    --------
    >>> panel = Panel("upper-left", (Row("a"),), "Title")
    >>> sheet = place_panels([panel], (640, 480), 1.0, 15.0, lambda text, size, bold: size * len(text))
    >>> [run.text for run in sheet.panels[0].runs]
    ['Title', 'a']
    """
    page = _page(size, unit, font, measure, foot)
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
    page.cut(TALLEST * page.height, lower_left)
    upper_right = page.blocks(of("upper-right"), page.half)
    wide = max([block.width for block in lower_left], default=0.0) > page.rest(upper_right)
    page.cut(page.height - max(at_right, wide * (page.tall(lower_left) + page.gap)), upper_right, lower_right)
    upper_left = page.blocks(of("upper-left"), min(page.rest(upper_right), max(WIDEST * page.width, page.half)))
    page.cut(page.height - at_left, upper_left, lower_left)
    placed = [*page.place([*upper_left, *lower_left]), *page.place([*upper_right, *lower_right])]
    free = page.triad_place(square, corner, placed) if square else None
    center = page.blocks(of("center"), page.width)
    page.cut(page.height, center)
    on_top = page.place(center)
    for panel in on_top:
        placed = [other for other in placed if not other.plate.overlaps(panel.plate)]
        if free is not None and free.overlaps(panel.plate):
            free = None
    return Sheet((*placed, *on_top), free)


@dataclass(frozen=True, eq=False)
class _Page:
    """What panels are fitted into: `_page` returns the same for the same."""

    size: tuple[int, int]
    unit: float
    font: float
    measure: Measure
    foot: float

    @cached_property
    def gap(self) -> float:
        return GAP * self.unit

    @cached_property
    def text(self) -> float:
        return self.font * self.unit

    @cached_property
    def line(self) -> float:
        return self.text * LEADING

    @cached_property
    def width(self) -> float:
        return self.size[0] - 2.0 * MARGIN * self.unit

    @cached_property
    def height(self) -> float:
        return self.size[1] - 2.0 * MARGIN * self.unit

    @cached_property
    def half(self) -> float:
        return 0.5 * (self.width - self.gap)

    def rest(self, blocks: Sequence[_Block], reserved: float = 0.0) -> float:
        """Return the width that some panels leave to those beside them: half of the picture at least."""
        widest = max([block.width for block in blocks], default=-self.gap)
        return max(self.width - max(widest + self.gap, reserved), self.half)

    def blocks(self, panels: Sequence[Panel], room: float) -> list[_Block]:
        """Break the texts of panels into lines of a width at most."""
        return [_block(self, panel, room - 2.0 * PAD_X * self.unit) for panel in panels]

    def place(self, blocks: Sequence[_Block]) -> list[PlacedPanel]:
        """Place panels in their corners, or in the center, one above the other."""
        shown = [block for block in blocks if block.lines]
        bottom = self.foot + MARGIN * self.unit
        top = bottom + self.height
        middle = 0.5 * (bottom + top + self.tall(shown))
        placed = []
        for block in shown:
            step = block.height + self.gap
            if block.panel.corner.startswith("lower"):
                y, bottom = bottom, bottom + step
            elif block.panel.corner == "center":
                y, middle = middle - block.height, middle - step
            else:
                y, top = top - block.height, top - step
            placed.append(_filled(block, y))
        return placed

    def triad_place(self, square: float, corner: str, placed: Sequence[PlacedPanel]) -> Rect | None:
        """Return the place of the small axes: in their corner, above the panels that are there; None without room."""
        margin = MARGIN * self.unit
        x = margin if corner.endswith("left") else self.size[0] - margin - square
        place = Rect(x, self.foot + margin, square, square)
        for plate in sorted((panel.plate for panel in placed if panel.corner == corner), key=lambda plate: plate.y):
            if place.overlaps(plate, self.gap):
                place = place._replace(y=plate.y + plate.height + self.gap)
        inside = place.y + square <= self.foot + self.size[1] - margin
        return place if inside and not any(place.overlaps(panel.plate) for panel in placed) else None

    def tall(self, blocks: Sequence[_Block]) -> float:
        """Return the height of panels one above the other."""
        return sum([block.height for block in blocks]) + self.gap * max(len(blocks) - 1, 0)

    def indent(self, rows: Iterable[Row]) -> float:
        """Return the room that the swatches of rows take."""
        return (SWATCH + SWATCH_GAP) * self.text if any(row.swatch is not None for row in rows) else 0.0

    def columns(self, rows: Sequence[Row], room: float) -> tuple[float, ...]:
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
        return tuple(widths)

    def cut(self, height: float, *stacks: list[_Block]) -> None:
        """Take lines away, from the longest panel first, until all fit; at last take panels away."""
        while (shown := [block for stack in stacks for block in stack if block.lines]) and self.tall(shown) > height:
            longest = max(shown, key=lambda block: (block.lines, len(block.rows)))
            worst = next((block for block in (longest, *shown) if block.rows), shown[-1])
            for stack in stacks:
                stack[:] = [block.shorter() if block is worst else block for block in stack]

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
        return [self.shortened(line, size, room, bold=bold) for line in lines]

    def shortened(self, text: str, size: float, room: float, *, bold: bool = False, tail: float = 0.0) -> str:
        """Return a text, or as much of it as fits: of its beginning, and as a part of that, of its end."""

        def cut(count: int) -> str:
            end = int(tail * count)
            return text[: count - end] + _ELLIPSIS + text[len(text) - end :]

        if self.measure(text, size, bold) <= room:
            return text
        low, high = 0, len(text)
        while low < high:
            middle = (low + high + 1) // 2
            fits = self.measure(cut(middle), size, bold) <= room
            low, high = (middle, high) if fits else (low, middle - 1)
        return cut(low)

    def cells(self, line: str, x: float, y: float, columns: Sequence[float]) -> list[Run]:
        if "\t" not in line:
            return [Run(x, y, line, self.text)]
        runs = []
        for cell, width in zip(line.split("\t"), columns, strict=False):
            text, own = cell, self.measure(cell, self.text, False)
            if own > width:
                # Names that begin alike are told apart by their ends.
                text = self.shortened(cell, self.text, width, tail=_TAIL)
                own = self.measure(text, self.text, False)
            runs.append(Run(x + width - own if _is_number(cell) else x, y, text, self.text))
            x += width + COLUMN_GAP * self.unit
        return runs


@lru_cache(maxsize=8192)
def _is_number(text: str) -> bool:
    return _NUMBER.fullmatch(text) is not None


#: A picture changes its size far less often than its texts.
_page = lru_cache(maxsize=8)(_Page)


@lru_cache(maxsize=64)
def _block(page: _Page, panel: Panel, room: float) -> _Block:
    """Break a panel's texts into lines that fit into a width; only as many rows as could ever fit."""
    rows = panel.rows[: int(page.height / page.line) + 1]
    title = page.wrapped(panel.title, TITLE * page.text, room, bold=True) if panel.title else []
    inner = room - page.indent(rows)
    lines = [(row.text,) if "\t" in row.text else tuple(page.balanced(row.text, inner)) for row in rows]
    return _Block(panel, page, tuple(title), tuple(lines), room, page.columns(rows, inner))


@lru_cache(maxsize=64)
def _filled(block: _Block, y: float) -> PlacedPanel:
    """Write the lines of a panel on its plate, which is that far up."""
    page, corner = block.page, block.panel.corner
    margin, width = MARGIN * page.unit, block.width
    sides = {"left": margin, "right": page.size[0] - margin - width}
    x = sides.get(corner.rpartition("-")[2], 0.5 * (page.size[0] - width))
    left, top = round(x + PAD_X * page.unit), round(y + block.height - PAD_Y * page.unit)
    runs, swatches = block.written
    return PlacedPanel(
        corner,
        Rect(round(x), round(y), round(width), round(block.height)),
        tuple([Run(round(left + run.x), round(top + run.y), *run[2:]) for run in runs]),
        tuple([Swatch(Rect(left + s.rect.x, top + s.rect.y, *s.rect[2:]), s.key) for s in swatches]),
        block.panel.quiet,
        tuple([(Rect(round(x), top - low, round(width), low - high), row) for high, low, row in block.places]),
    )
