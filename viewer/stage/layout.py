"""Where panels go in a picture: in its corners. Pure arithmetic, no renderer.

No panel covers another, and none leaves the picture: what does not fit is shortened, and says so. Coordinates are
pixels, the origin the lower left corner.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise, zip_longest
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

#: A line of a panel: its words, where it begins, the widths of its columns, and whether it is a title or faint.
_Line: TypeAlias = tuple[str, float, float, tuple[float, ...], Literal["", "title", "faint"]]

#: Panels that a page knows the lines of, at most.
_MOST_BLOCKS = 64

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

    def row_at(self, x: float, y: float) -> Row | None:
        """Return the row at a pixel."""
        if self.plate.x <= x <= self.plate.x + self.plate.width:
            for row, (high, low) in zip(self.rows, pairwise(self.edges), strict=True):
                if low <= y <= high:
                    return row
        return None


class Sheet(NamedTuple):
    """Everything that is written in a picture."""

    panels: tuple[PlacedPanel, ...]
    triad: Rect | None


class _Block:
    """A panel whose texts are broken into lines, as far as it is shown; the same for as long as the panel comes."""

    def __init__(
        self,
        page: _Page,
        panel: Panel,
        room: float,
        title: tuple[str, ...],
        rows: tuple[tuple[str, ...], ...],
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
        self._placed: tuple[float, PlacedPanel] | None = None

    @cached_property
    def width(self) -> float:
        """The width of its plate."""
        right = max([_written(self.page, line)[1] for line in self.written[0]], default=0.0)
        return right + 2.0 * PAD_X * self.page.unit

    @cached_property
    def written(self) -> tuple[list[_Line], list[tuple[float, Role | Solidity]]]:
        """Its lines, and how far up its swatches are, relative to the upper left corner of its text."""
        page, columns = self.page, self.columns
        text, line = page.text, page.line
        lines: list[_Line] = []
        swatches: list[tuple[float, Role | Solidity]] = []
        y = 0.0
        for words in self.title:
            y -= TITLE * line
            lines.append((words, 0.0, y + 0.3 * text, (), "title"))
        shown = self.panel.rows[: len(self.rows)]
        indent, side = page.indent(shown), SWATCH * text
        for row, own in zip(shown, self.rows, strict=True):
            if row.swatch is not None:
                swatches.append((y - 0.5 * (line + side), row.swatch))
            for words in own:
                y -= line
                lines.append((words, indent, y + 0.25 * text, columns if "\t" in words else (), ""))
        if self.more:
            words = page.shortened(f"{_ELLIPSIS} and {self.more:,} more", text, self.room)
            lines.append((words, 0.0, y - line + 0.25 * text, (), "faint"))
        return lines, swatches

    def placed(self, y: float) -> PlacedPanel:
        """Return its lines on its plate, which is that far up."""
        if self._placed is None or self._placed[0] != y:
            self._placed = y, self._place(y)
        return self._placed[1]

    def _place(self, y: float) -> PlacedPanel:
        page, corner, width = self.page, self.panel.corner, self.width
        x = 0.5 * (page.size[0] - width)
        if corner != "center":
            margin = MARGIN * page.unit
            x = margin if corner.endswith("left") else page.size[0] - margin - width
        left, top = round(x + PAD_X * page.unit), round(y + self.height - PAD_Y * page.unit)
        lines, swatches = self.written
        return PlacedPanel(
            corner,
            Rect(round(x), round(y), round(width), round(self.height)),
            tuple([_moved(page, line, left, top) for line in lines]),
            tuple([_swatch(page, up, key, left, top) for up, key in swatches]),
            self.panel.quiet,
            self.panel.rows[: len(self.rows)],
            _edges(page, len(self.title), tuple(map(len, self.rows)), top),
        )

    def shorter(self) -> _Block:
        """Return the panel without its last line, or without anything."""
        page, title, rows = self.page, self.title, self.rows
        gone = not rows or (len(rows[-1]) == 1 and len(self.panel.rows) == 1 and not title)
        if rows and len(rows[-1]) > 1:
            words = page.shortened(f"{rows[-1][-2]} {_ELLIPSIS}", page.text, self.room)
            rows = (*rows[:-1], (*rows[-1][:-2], words))
        else:
            rows = rows[:-1]
        return _Block(page, self.panel, self.room, title, rows, self.columns, gone=gone)


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
    stacks: dict[Corner, list[Panel]] = {}
    corner: Corner = "lower-left"
    for panel in panels:
        stacks.setdefault(panel.corner, []).append(panel)
        # It does not change corners when something is selected, which brings a panel to the lower right.
        if panel.corner == "lower-left" and not panel.quiet:
            corner = "lower-right"
    beside = square + page.gap if square else 0.0
    at_left, at_right = (beside, 0.0) if corner == "lower-left" else (0.0, beside)

    # What is lower right is as wide as it is; the caption beside it gets the rest, and the legend stays above both.
    lower_right = page.blocks(stacks.get("lower-right"), page.half)
    lower_left = page.blocks(stacks.get("lower-left"), min(page.rest(lower_right, at_right), LONGEST_LINE * page.text))
    page.cut(TALLEST * page.height, lower_left)
    upper_right = page.blocks(stacks.get("upper-right"), page.half)
    wide = bool(lower_left) and max([block.width for block in lower_left]) > page.rest(upper_right)
    page.cut(page.height - max(at_right, wide * (page.tall(lower_left) + page.gap)), upper_right, lower_right)
    upper_left = page.blocks(stacks.get("upper-left"), min(page.rest(upper_right), max(WIDEST * page.width, page.half)))
    page.cut(page.height - at_left, upper_left, lower_left)
    placed = [*page.place([*upper_left, *lower_left]), *page.place([*upper_right, *lower_right])]
    free = page.triad_place(square, corner, placed) if square else None
    center = page.blocks(stacks.get("center"), page.width)
    page.cut(page.height, center)
    on_top = page.place(center)
    for cover in on_top:
        placed = [other for other in placed if not other.plate.overlaps(cover.plate)]
        if free is not None and free.overlaps(cover.plate):
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
    #: The lines of panels by the number (`id`) of the panel, which they keep, too, and the room that it had.
    _blocks: dict[tuple[int, float], _Block] = field(default_factory=dict, init=False)

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

    def blocks(self, panels: Sequence[Panel] | None, room: float) -> list[_Block]:
        """Break the texts of panels into lines of a width at most, those of the last panels not again."""
        found = []
        for panel in panels or ():
            block = self._blocks.get((id(panel), room))
            if block is None:
                if len(self._blocks) >= _MOST_BLOCKS:
                    self._blocks.clear()
                block = self._blocks[id(panel), room] = self._block(panel, room - 2.0 * PAD_X * self.unit)
            found.append(block)
        return found

    def _block(self, panel: Panel, room: float) -> _Block:
        """Break a panel's texts into lines that fit into a width; only as many rows as could ever fit."""
        rows = panel.rows[: int(self.height / self.line) + 1]
        title = self.wrapped(panel.title, TITLE * self.text, room, bold=True) if panel.title else []
        inner = room - self.indent(rows)
        lines = [(row.text,) if "\t" in row.text else _balanced(self, row.text, inner) for row in rows]
        return _Block(self, panel, room, tuple(title), tuple(lines), self.columns(rows, inner))

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
            placed.append(block.placed(y))
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

    def indent(self, rows: Sequence[Row]) -> float:
        """Return the room that the swatches of rows take."""
        for row in rows:
            if row.swatch is not None:
                return (SWATCH + SWATCH_GAP) * self.text
        return 0.0

    def columns(self, rows: Sequence[Row], room: float) -> tuple[float, ...]:
        """Return the widths of the columns; the widest is narrowed if they do not fit."""
        table = [_cell_widths(self, row.text) for row in rows if "\t" in row.text]
        widths = [max(column) for column in zip_longest(*table, fillvalue=0.0)]
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

# From picture to picture most lines of a panel stay, also where one of them changes: a line is laid out once for each
# place. Its texts are then the same objects, which is how what draws them sees that they have not changed.


@lru_cache(maxsize=4096)
def _balanced(page: _Page, text: str, room: float) -> tuple[str, ...]:
    return tuple(page.balanced(text, room))


@lru_cache(maxsize=4096)
def _cell_widths(page: _Page, text: str) -> tuple[float, ...]:
    return tuple([page.measure(cell, page.text, False) for cell in text.split("\t")])


@lru_cache(maxsize=4096)
def _written(page: _Page, line: _Line) -> tuple[list[Run], float]:
    """Return the texts of a line, and where the last of them ends."""
    words, x, y, columns, kind = line
    if kind == "title":
        runs = [Run(x, y, words, TITLE * page.text, bold=True)]
    elif kind == "faint":
        runs = [Run(x, y, words, page.text, faint=True)]
    else:
        runs = page.cells(words, x, y, columns)
    return runs, max([run.x + page.measure(run.text, run.size, run.bold) for run in runs], default=0.0)


@lru_cache(maxsize=4096)
def _moved(page: _Page, line: _Line, left: int, top: int) -> tuple[Run, ...]:
    """Return the texts of a line of a panel whose text has its upper left corner there, in whole pixels."""
    return tuple([Run(round(left + run.x), round(top + run.y), *run[2:]) for run in _written(page, line)[0]])


@lru_cache(maxsize=1024)
def _swatch(page: _Page, up: float, key: Role | Solidity, left: int, top: int) -> Swatch:
    side = SWATCH * page.text
    return Swatch(Rect(float(left), top + up, side, side), key)


@lru_cache(maxsize=1024)
def _edges(page: _Page, title: int, lines: tuple[int, ...], top: int) -> tuple[float, ...]:
    """Return where rows of so many lines end, from the top of the first to the foot of the last."""
    down = TITLE * page.line * title
    return tuple([top - below for below in accumulate([page.line * count for count in lines], initial=down)])
