"""Panels on their plates: texts broken into lines that fit, and columns of numbers. Pure arithmetic, no renderer.

Coordinates are pixels, the origin the lower left corner.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import accumulate, zip_longest
from typing import Literal, TypeAlias

from viewer.latest import Recent
from viewer.picture.drawables import Panel, Role, Row, Solidity
from viewer.picture.pixels import Measure, Rect, Run
from viewer.picture.text import ELLIPSIS, shortened, wrapped
from viewer.stage.plates import PlacedPanel, Swatch

#: Lengths in units: the picture's margin, the gap between plates, the padding of a plate, the gap between columns.
MARGIN, GAP, PAD_X, PAD_Y, COLUMN_GAP = 16.0, 10.0, 12.0, 9.0, 18.0

#: Height of a line as a part of that of its text, and the title's text as a part of the other.
LEADING, TITLE = 1.5, 1.12

#: Side of a swatch and the gap after it, as a part of the text's height.
SWATCH, SWATCH_GAP = 1.15, 0.55

#: How often the width of a text is halved to find the narrowest that needs no more lines.
_BALANCING = 6

#: The part of a shortened cell that is its end.
_TAIL = 0.5


#: What stands to the right in its column: a sign by itself, such as that of a key, does not; a dash for none does.
_NUMBER = re.compile(
    r"[-+\N{MINUS SIGN}]?[.,]?\d[\d.,]*(e[-+\N{MINUS SIGN}]?\d+)?%?|[\N{EN DASH}\N{EM DASH}]|[-+\N{MINUS SIGN}]?inf|nan"
)

#: Whether a line is a title, or matters less.
_Kind: TypeAlias = Literal["", "title", "faint"]

#: Panels that a page knows the lines of, at least.
_MOST_BLOCKS = 8


class Block:
    """A panel whose texts are broken into lines, as far as it is shown; the same for as long as the panel comes."""

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
        self.written: list[tuple[Line, float]] = []
        self.swatches: list[tuple[Role | Solidity, float]] = []
        self._write()
        #: The width of its plate.
        self.width = self._width_of(self.written)
        self._placed: tuple[float, PlacedPanel] | None = None
        #: The upper left corner of its text, where it was placed.
        self._corner = (0, 0)

    def _write(self) -> None:
        page, columns, lines = self.page, self.columns, self.written
        text, height, y = page.text, page.line, 0.0
        for words in self.title:
            y -= TITLE * height
            lines.append((line_of(page, words), y + 0.3 * text))
        shown = self.panel.rows[: len(self.rows)]
        indent, side = page.indent(shown), SWATCH * text
        for row, own in zip(shown, self.rows, strict=True):
            if row.swatch is not None:
                self.swatches.append((row.swatch, y - 0.5 * (height + side)))
            for words in own:
                y -= height
                lines.append((line_of(page, words, indent, columns if words.table else ()), y + 0.25 * text))
        if self.more:
            words = words_of(page, page.shortened(f"{ELLIPSIS} and {self.more:,} more", self.room), "faint")
            lines.append((line_of(page, words), y - height + 0.25 * text))

    def placed(self, y: float) -> PlacedPanel:
        """Return its lines on its plate, which is that far up."""
        if self._placed is None or self._placed[0] != y:
            self._placed = y, self._place(y)
        return self._placed[1]

    def _place(self, y: float) -> PlacedPanel:
        page, corner, width = self.page, self.panel.corner, self.width
        margin, x = MARGIN * page.unit, 0.5 * (page.size[0] - width)
        if self.panel.at is not None:
            across, up = page.size[0] * self.panel.at[0], (page.foot + page.size[1]) * self.panel.at[1]
            x = max(min(across, page.size[0] - margin - width), margin)
            y = max(min(up, page.foot + page.size[1] - margin) - self.height, page.foot + margin)
        elif corner != "center":
            x = margin if corner.endswith("left") else page.size[0] - margin - width
        left, top = self._corner = round(x + PAD_X * page.unit), round(y + self.height - PAD_Y * page.unit)
        return PlacedPanel(
            corner,
            Rect(round(x), round(y), round(width), round(self.height)),
            tuple([line.at(left, round(top + up)) for line, up in self.written]),
            tuple([_swatch(page, up, key, left, top) for key, up in self.swatches]),
            self.panel.quiet,
            self.panel.rows[: len(self.rows)],
            _edges(page, len(self.title), tuple(map(len, self.rows)), top),
        )

    @property
    def now(self) -> PlacedPanel | None:
        """Where it was placed last."""
        return None if self._placed is None else self._placed[1]

    def renewed(self, panel: Panel) -> Block | None:
        """Return the block of a panel of which only some rows have other words, as far up as this one.

        It may be wider, or less wide. None for a panel that differs in more: it has to be placed with all others.
        """
        last, page = self.panel, self.page
        like = (panel.title, panel.corner, panel.at, panel.quiet) == (last.title, last.corner, last.at, last.quiet)
        if not like or self._placed is None or self.more or len(panel.rows) != len(last.rows):
            return None
        y, placed = self._placed
        indent = page.indent(last.rows)
        inner, (left, top) = self.room - indent, self._corner
        rows, written, lines, at = list(self.rows), list(self.written), list(placed.lines), len(self.title)
        for k, (row, before) in enumerate(zip(panel.rows, last.rows, strict=True)):
            if row is not before and row != before:
                rows[k] = _lines(page, row.text, inner, "faint" if row.faint else "")
                if row.swatch is not before.swatch or len(rows[k]) != len(self.rows[k]):
                    return None
                for n, words in enumerate(rows[k], at):
                    line, up = line_of(page, words, indent, self.columns if words.table else ()), written[n][1]
                    written[n], lines[n] = (line, up), line.at(left, round(top + up))
            at += len(rows[k])
        table = tuple([own[0] for own in rows if own[0].table])
        if (_columns(page, table, inner) if table else ()) != self.columns or self._width_of(written) != self.width:
            new = page.block(panel, self.room)
            new.placed(y)
            return new if new.lines == self.lines else None
        new = Block.__new__(Block)
        new.__dict__ = self.__dict__ | {"panel": panel, "rows": tuple(rows), "written": written}
        new._placed = y, placed._replace(lines=tuple(lines), rows=panel.rows)
        return new

    def _width_of(self, written: Sequence[tuple[Line, float]]) -> float:
        return max([line.right for line, _ in written], default=0.0) + 2.0 * PAD_X * self.page.unit

    def shorter(self) -> Block:
        """Return the panel without its last line, or without anything."""
        page, title, rows = self.page, self.title, self.rows
        gone = not rows or (len(rows[-1]) == 1 and len(self.panel.rows) == 1 and not title)
        if rows and len(rows[-1]) > 1:
            words = page.shortened(f"{rows[-1][-2].text} {ELLIPSIS}", self.room)
            rows = (*rows[:-1], (*rows[-1][:-2], words_of(page, words, rows[-1][-2].kind)))
        else:
            rows = rows[:-1]
        return Block(page, self.panel, self.room, title, rows, self.columns, gone=gone)


@dataclass(frozen=True, eq=False)
class Page:
    """What panels are fitted into: `page_of` returns the same for the same."""

    size: tuple[int, int]
    unit: float
    font: float
    measure: Measure
    foot: float
    #: The lines of panels by the number (`id`) of the panel, which they keep, too, and the room that it had.
    _blocks: Recent[tuple[int, float], Block] = field(default_factory=lambda: Recent(_MOST_BLOCKS), init=False)

    @cached_property
    def gap(self) -> float:
        """The gap between plates, in pixels, as all lengths of a page."""
        return GAP * self.unit

    @cached_property
    def text(self) -> float:
        """The height of a text."""
        return self.font * self.unit

    @cached_property
    def line(self) -> float:
        """The height of a line."""
        return self.text * LEADING

    @cached_property
    def width(self) -> float:
        """The width within the margins."""
        return self.size[0] - 2.0 * MARGIN * self.unit

    @cached_property
    def height(self) -> float:
        """The height within the margins."""
        return self.size[1] - 2.0 * MARGIN * self.unit

    @cached_property
    def half(self) -> float:
        """The width of each of two plates beside each other."""
        return 0.5 * (self.width - self.gap)

    def rest(self, blocks: Sequence[Block], reserved: float = 0.0) -> float:
        """Return the width that some panels leave to those beside them: half of the picture at least."""
        widest = max([block.width for block in blocks], default=-self.gap)
        return max(self.width - max(widest + self.gap, reserved), self.half)

    def blocks(self, panels: Sequence[Panel], room: float) -> list[Block]:
        """Break the texts of panels into lines of a width at most, those of the last panels not again."""
        found = []
        for panel in panels:
            block = self._blocks.get((id(panel), room))
            if block is None:
                block = self._blocks.keep((id(panel), room), self.block(panel, room - 2.0 * PAD_X * self.unit))
            found.append(block)
        return found

    def block(self, panel: Panel, room: float) -> Block:
        """Break a panel's texts into lines that fit into a width; only as many rows as could ever fit."""
        rows = panel.rows[: int(self.height / self.line) + 1]
        title = self.wrapped(panel.title, TITLE * self.text, room, bold=True) if panel.title else []
        inner = room - self.indent(rows)
        lines = tuple([_lines(self, row.text, inner, "faint" if row.faint else "") for row in rows])
        table = tuple([own[0] for own in lines if own[0].table])
        columns = _columns(self, table, inner) if table else ()
        return Block(self, panel, room, tuple([words_of(self, words, "title") for words in title]), lines, columns)

    def place(self, blocks: Sequence[Block]) -> list[PlacedPanel]:
        """Place panels in their corners, or in the center, one above the other."""
        if not blocks:
            return []
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

    def tall(self, blocks: Sequence[Block]) -> float:
        """Return the height of panels one above the other."""
        return sum([block.height for block in blocks]) + self.gap * max(len(blocks) - 1, 0)

    def indent(self, rows: Sequence[Row]) -> float:
        """Return the room that the swatches of rows take."""
        for row in rows:
            if row.swatch is not None:
                return (SWATCH + SWATCH_GAP) * self.text
        return 0.0

    def cut(self, height: float, *stacks: list[Block]) -> None:
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
        """Break a text into lines that fit into a width."""
        return wrapped(text, room, lambda line: self.measure(line, size, bold))

    def shortened(self, text: str, room: float, *, tail: float = 0.0) -> str:
        """Return a text, or as much of it as fits: of its beginning, and as a part of that, of its end."""
        return shortened(text, room, lambda line: self.measure(line, self.text, False), tail=tail)


@lru_cache(maxsize=512)
def _is_number(text: str) -> bool:
    return _NUMBER.fullmatch(text) is not None


#: A picture changes its size far less often than its texts.
page_of = lru_cache(maxsize=8)(Page)

# From picture to picture most lines of a panel stay, also where one of them changes: a line is measured once, laid out
# once for each place, and is then the very same object, which is how what draws it sees that it has not changed.


class Words:
    """A line of a text as it is given: its cells, how wide each is, and whether it is a number."""

    def __init__(self, page: Page, text: str, kind: _Kind = "") -> None:
        self.text, self.kind = text, kind
        #: The height of its letters, and whether they are bold, or faint.
        self.font = (TITLE if kind == "title" else 1.0) * page.text, kind == "title", kind == "faint"
        size, bold, _ = self.font
        cells = [text] if kind == "title" else text.split("\t")
        self.cells = [(cell, page.measure(cell, size, bold), _is_number(cell)) for cell in cells]
        #: Whether it is a row of a table.
        self.table = len(cells) > 1


#: The same words for the same text.
words_of = lru_cache(maxsize=1024)(Words)


@lru_cache(maxsize=1024)
def _lines(page: Page, text: str, room: float, kind: _Kind) -> tuple[Words, ...]:
    """Return a row's lines: one where it is of a table, else as many as it takes to fit into a width."""
    lines = [text] if "\t" in text else page.balanced(text, room)
    return tuple([words_of(page, line, kind) for line in lines])


@lru_cache(maxsize=512)
def _columns(page: Page, table: tuple[Words, ...], room: float) -> tuple[float, ...]:
    """Return the widths of the columns of a table; the widest is narrowed if they do not fit."""
    widths = [
        max(column) for column in zip_longest(*[[own for _, own, _ in row.cells] for row in table], fillvalue=0.0)
    ]
    excess = sum(widths) + COLUMN_GAP * page.unit * max(len(widths) - 1, 0) - room
    while widths and excess > 0.0:
        widest = widths.index(max(widths))
        second = max([width for i, width in enumerate(widths) if i != widest], default=0.0)
        step = min(excess, max(widths[widest] - second, excess / len(widths), 1.0))
        widths[widest] = max(widths[widest] - step, 0.0)
        excess -= step
    return tuple(widths)


class Line:
    """Words in their columns, numbers to the right, so far from the edge of a panel's text; and how far they go."""

    def __init__(self, page: Page, words: Words, indent: float = 0.0, columns: tuple[float, ...] = ()) -> None:
        x, self.right, self._font = indent, 0.0, words.font
        self._cells: list[tuple[float, str]] = []
        for (cell, own, number), width in zip(words.cells, columns or [math.inf], strict=False):
            text = cell
            if own > width:
                # Names that begin alike are told apart by their ends.
                text = page.shortened(cell, width, tail=_TAIL)
                own = page.measure(text, page.text, False)
            start = x + width - own if number and columns else x
            self._cells.append((start, text))
            self.right = max(self.right, start + own)
            x += width + COLUMN_GAP * page.unit
        #: Where it was last, and its texts there.
        self._place = (0, 0)
        self._placed: tuple[Run, ...] | None = None

    def at(self, left: int, bottom: int) -> tuple[Run, ...]:
        """Return its texts where the panel's text begins and the line is, in whole pixels."""
        if self._placed is None or self._place != (left, bottom):
            self._place = left, bottom
            self._placed = tuple([Run(round(left + x), bottom, text, *self._font) for x, text in self._cells])
        return self._placed


#: The same line for the same.
line_of = lru_cache(maxsize=1024)(Line)


@lru_cache(maxsize=512)
def _swatch(page: Page, up: float, key: Role | Solidity, left: int, top: int) -> Swatch:
    side = SWATCH * page.text
    return Swatch(Rect(float(left), top + up, side, side), key)


@lru_cache(maxsize=512)
def _edges(page: Page, title: int, lines: tuple[int, ...], top: int) -> tuple[float, ...]:
    """Return where rows of so many lines end, from the top of the first to the foot of the last."""
    down = TITLE * page.line * title
    return tuple([top - below for below in accumulate([page.line * count for count in lines], initial=down)])
