"""Where panels of text go in a picture: in its corners, or in its middle.

No panel covers another, and none leaves the picture: what does not fit is shortened, and says so. Coordinates are
pixels, the origin the lower left corner.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from viewer.layout.page import MARGIN, PAD_X, PAD_Y, TITLE, Page
from viewer.layout.parts import Area, Disk, Hit, Ink, Part, Placed, Plate, Shape, Swatch, Written
from viewer.records.drawables import Panel, Role, Row, Slider
from viewer.records.pixels import Rect, TextRun
from viewer.records.text import ELLIPSIS

#: The widest panel, as a part of the picture's width, where there is no panel beside it.
WIDEST = 0.66

#: The tallest caption, as a part of the picture's height.
TALLEST = 0.4

#: Panels cover no more than this part of a picture, and down to half of that where text is larger in proportion: what
#: is spare goes first, then the caption is cut to so many lines, then it goes, and then the table is cut to so many.
MOST_COVERED, MOST_CROWDED, FEWEST_LINES, FEWEST_ROWS = 0.35, 2.0, 2, 4

#: Panels that are not cut so that less is covered: their last row leads on.
_WHOLE = frozenset({"guide", "lesson"})

#: Longer lines than this are hard to read, in heights of the text; a picture may be wide enough for them.
LONGEST_LINE = 46.0

#: Rows with columns that have to be narrower than this are broken into lines, as others are, in heights of the text.
_NARROWEST = 4.0

#: Side of a swatch, the gap after it, and how far above the foot of its row the line below a letter is, in heights of
#: the text.
_SWATCH, _SWATCH_GAP, _UNDERLINE = 1.15, 0.55, 0.13

#: The column of the tracks of sliders, in heights of the text: how wide it is at least, and at most, and as a part of
#: the plate; half the height of a track, the radius of a knob, half the width and the height of what marks zero; and
#: how wide the column of values is at least.
TRACK = 2
_TRACK, _TRACK_PART, _RAIL, _KNOB, _ZERO, _SLIDER_VALUE = (4.0, 9.0), 0.24, 0.1, 0.36, (0.05, 0.28), 4.2


class Sheet(NamedTuple):
    """The panels of a picture, and the square of the small axes."""

    panels: tuple[Placed, ...]
    triad: Rect | None


def place_panels(panels: Sequence[Panel], page: Page, square: float = 0.0) -> Sheet:
    """Return panels placed in the corners of a page.

    Panels of one corner stand one above the other. Cells of a row that are separated by tabs stand in columns, numbers
    to the right; other rows are broken into lines. Rows that do not fit are replaced by how many they are. A panel in
    the center takes the place of those that it would cover.

    Parameters
    ----------
    panels : sequence of Panel
        In the order in which they get their place.
    page : Page
        What they are fitted into.
    square : float
        Side of the square that is kept free for the small axes, in pixels.

    Examples
    --------
    >>> panel = Panel("upper-left", (Row("a"),), "Title")
    >>> sheet = place_panels([panel], Page((640, 480), 1.0, 15.0, lambda text, size, bold: size * len(text)))
    >>> [run.text for run in sheet.panels[0].runs]
    ['Title', 'a']
    """
    corners: dict[str, list[Panel]] = {}
    for panel in panels:
        corners.setdefault(panel.corner, []).append(panel)
    left = corners.get("lower-left", [])
    if any(panel.name == "guide" for panel in left):  # one line of guidance at a time
        left[:] = [panel for panel in left if panel.name != "caption"]

    def broken(corner: str, room: float) -> list[FittedPanel]:
        return [FittedPanel.of(page, panel, room) for panel in corners.get(corner, ())]

    # The small axes are in the lower right corner, whatever comes and goes: panels there stand above them.
    beside = square + page.gap if square else 0.0
    # What is lower right is as wide as it is; the caption beside it gets the rest, and the legend stays above both.
    lower_right = broken("lower-right", page.half)
    lower_left = broken("lower-left", min(_rest(page, lower_right, beside), LONGEST_LINE * page.text))
    _cut(page, TALLEST * page.height, lower_left)
    upper_right = broken("upper-right", page.half)
    if any(panel.narrowed for panel in upper_right):
        upper_right = broken("upper-right", max(WIDEST * page.width, page.half))
    wide = bool(lower_left) and _widest(lower_left) > _rest(page, upper_right)
    above = _height(page, lower_left) + page.gap if wide else 0.0
    _cut(page, page.height - max(beside, above), upper_right, lower_right)
    widest = max(WIDEST * page.width, page.half)
    upper_left = broken("upper-left", min(_rest(page, upper_right), widest))
    _cut(page, page.height, upper_left, lower_left)
    if _widest(upper_left) + page.gap + _widest(lower_right) > page.width:
        _cut(page, page.height - beside, upper_left, lower_right)
    if not _uncover(page, lower_left, upper_left, beside=(*upper_right, *lower_right)):
        # What is spare goes, and what was beside it may be wider.
        return place_panels([panel for panel in panels if not panel.spare], page, square)
    placed = [*_in_corners(page, [*upper_left, *lower_left]), *_in_corners(page, [*upper_right, *lower_right], beside)]
    triad = _triad_place(page, square, placed) if square else None
    center = broken("center", page.width)
    _cut(page, page.height, center)
    for cover in _in_corners(page, center):
        placed = [*(other for other in placed if not other.plate.overlaps(cover.plate)), cover]
        if triad is not None and triad.overlaps(cover.plate):
            triad = None
    return Sheet(tuple(placed), triad)


@dataclass(frozen=True)
class FittedPanel:
    """A panel whose texts are broken into lines, as far as it is shown.

    Parameters
    ----------
    page : Page
        What it goes into.
    panel : Panel
        What it shows.
    room : float
        The width that its texts fit into.
    title : tuple of str
        The lines of its title.
    rows : tuple of tuples of str
        The lines of each row that is shown; a row with columns is one line.
    columns : tuple of float
        The widths of the columns of its table.
    narrowed : bool
        Whether there is not room for all of each cell.
    gone : bool
        Whether nothing of it is left.
    """

    page: Page
    panel: Panel
    room: float
    title: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    columns: tuple[float, ...]
    narrowed: bool = False
    gone: bool = False

    @classmethod
    def of(cls, page: Page, panel: Panel, width: float) -> FittedPanel:
        """Break a panel's texts into lines on a plate of a width at most; only as many rows as could ever fit."""
        room = width - 2.0 * PAD_X * page.unit
        shown = panel.rows[: int(page.height / page.line) + 1]
        title = page.wrapped(panel.title, room, TITLE * page.text, bold=True)
        inner = room - _indent(page, shown)
        table = [row.text for row in shown if "\t" in row.text]
        least: tuple[float, ...] = ()
        if any(isinstance(row, Slider) for row in shown):  # no track moves as the value beside it gets longer
            track = min(max(_TRACK_PART * inner, _TRACK[0] * page.text), _TRACK[1] * page.text)
            least = 0.0, 0.0, track, 0.0, _SLIDER_VALUE * page.text
        columns, whole = page.columns(table, inner, least), page.columns(table, math.inf, least)
        narrowed = columns != whole
        if any(now < min(full, _NARROWEST * page.text) for now, full in zip(columns, whole, strict=True)):
            columns = ()  # a cell could not be read
            shown = tuple([replace(row, text=row.text.replace("\t", "  ")) for row in shown])
        rows = [[row.text] if "\t" in row.text else page.balanced(row.text, inner) for row in shown]
        return cls(page, panel, room, tuple(title), tuple(map(tuple, rows)), columns, narrowed)

    @property
    def more(self) -> int:
        """How many rows are not shown."""
        return len(self.panel.rows) - len(self.rows)

    @property
    def lines(self) -> int:
        """How many lines it has."""
        return 0 if self.gone else len(self.title) + sum(map(len, self.rows)) + (self.more > 0)

    @property
    def height(self) -> float:
        """The height of its plate."""
        titles = (TITLE - 1.0) * len(self.title)
        return (self.lines + titles) * self.page.line + 2.0 * PAD_Y * self.page.unit

    @cached_property
    def width(self) -> float:
        """The width of its plate."""
        ends = [run.x + self.page.wide(run.text, run.size, bold=run.bold) for (run, _) in self._content.texts]
        return max(ends, default=0.0) + 2.0 * PAD_X * self.page.unit

    @cached_property
    def _content(self) -> Part:
        """Its texts and shapes, from the upper left corner of its text, and its rows, each as wide as can be."""
        page, y = self.page, 0.0
        text, line, side = page.text, page.line, _SWATCH * page.text
        texts, shapes, hits = list[Written](), list[Shape](), list[Hit]()

        def write(words: str, x: float, ink: Ink = "text", *, bold: bool = False) -> None:
            size = TITLE * text if bold else text
            texts.append(Written(TextRun(x, y + (0.3 if bold else 0.25) * text, words, size, bold), ink))

        for words in self.title:
            y -= TITLE * line
            write(words, 0.0, bold=True)
        shown = self.panel.rows[: len(self.rows)]
        indent = _indent(page, shown)
        for row, lines in zip(shown, self.rows, strict=True):
            top, starts = y, [0.0]
            if row.swatch is not None:
                shapes.append(Swatch(Rect(0.0, y - 0.5 * (line + side), side, side), row.swatch))
            for words in lines:
                y -= line
                cells = [*page.cells(words, self.columns if "\t" in words else ())]
                starts = [indent + x for x, _ in cells]
                for k, (x, cell) in enumerate(cells):
                    faint = row.faint or (isinstance(row, Slider) and k in (TRACK - 1, TRACK + 1))
                    if cell:
                        write(cell, indent + x, "faint" if faint else "text")
            if row.mark:
                before = row.text[: row.text.lower().index(row.mark)]
                left, letter = indent + page.wide(before), row.text[len(before)]
                place = Rect(left, top - line + _UNDERLINE * text, page.wide(letter), page.unit)
                shapes.append(Area(place, "text"))
            hits.append(Hit(Rect(-math.inf, y, math.inf, top - y), replace(row, drags=None)))
            # A cell reaches from before its text to the right, where the next one lies over it.
            for k, (does, x) in enumerate(zip(row.cells, starts, strict=False)):
                by_itself = replace(row, does=does, drags=None, highlighted=False)
                hits.append(Hit(Rect(x - text if k else -math.inf, y, math.inf, top - y), by_itself))
            if isinstance(row, Slider) and len(starts) > TRACK:
                track = Rect(starts[TRACK], y, self.columns[TRACK], line)
                shapes += _track(row, track, text)
                if row.drags is not None:
                    hits.append(Hit(track, replace(row, highlighted=False)))
        if self.more:
            y -= line
            write(page.shortened(f"{ELLIPSIS} and {self.more:,} more", self.room), 0.0, "faint")
        return Part(-y, tuple(texts), tuple(shapes), tuple(hits))

    def placed(self, y: float) -> Placed:
        """Return it in its place, which is that far up."""
        page, panel, width, margin = self.page, self.panel, self.width, self.page.margin
        x = 0.5 * (page.size[0] - width)
        if panel.at is not None:
            across = (page.left + page.size[0]) * panel.at[0] - page.left
            up = (page.foot + page.size[1]) * panel.at[1]
            x = max(min(across, page.size[0] - margin - width), margin)
            y = max(min(up, page.foot + page.size[1] - margin) - self.height, page.foot + margin)
        elif panel.corner != "center":
            x = margin if panel.corner.endswith("left") else page.size[0] - margin - width
        plate = Rect(round(page.left + x), round(y), round(width), round(self.height))
        left, top = round(page.left + x + PAD_X * page.unit), round(y + self.height - PAD_Y * page.unit)
        content = self._content.at(left, top)
        hits = tuple([Hit(_across(rect, plate), row) for rect, row in content.hits])
        return Placed(plate, Part(plate.height, content.texts, (Plate(plate), *content.shapes), hits), panel)

    def shorter(self) -> FittedPanel:
        """Return the panel without its last line, or without anything."""
        *first, last = self.rows or ((),)
        if len(last) > 1:
            words = self.page.shortened(f"{last[-2]} {ELLIPSIS}", self.room)
            return replace(self, rows=(*first, (*last[:-2], words)))
        gone = not self.rows or (len(last) == 1 and len(self.panel.rows) == 1 and not self.title)
        return replace(self, rows=tuple(first), gone=gone)


def _track(slider: Slider, place: Rect, text: float) -> list[Shape]:
    """Return the track of a slider in its cell, where zero is on it, and its knob."""
    middle, follows = place.y + 0.5 * place.height, slider.drags is None
    rail = Rect(place.x, middle - _RAIL * text, place.width, 2.0 * _RAIL * text)
    shapes = list[Shape]([Area(rail, "border", corner=_RAIL * text)])
    if slider.zero is not None:
        half, high = _ZERO[0] * text, _ZERO[1] * text
        at = place.x + slider.zero * place.width
        shapes.append(Area(Rect(at - half, middle - high, 2.0 * half, 2.0 * high), "faint"))
    at, radius = place.x + min(max(slider.knob, 0.0), 1.0) * place.width, _KNOB * text
    if follows:
        shapes.append(Disk((at, middle), 0.6 * radius, "faint"))
    else:
        ink = Role.HIT if slider.beyond else Role.HOT
        shapes += [Disk((at, middle), radius, "text"), Disk((at, middle), 0.62 * radius, ink)]
    return shapes


def _indent(page: Page, rows: Sequence[Row]) -> float:
    """Return the room that the swatches of rows take."""
    return (_SWATCH + _SWATCH_GAP) * page.text if any(row.swatch is not None for row in rows) else 0.0


def _across(rect: Rect, plate: Rect) -> Rect:
    """Return the part of a row that is on its plate."""
    left, right = max(rect.x, plate.x), plate.x + plate.width
    return Rect(left, rect.y, min(right - left, rect.width), rect.height)


def _rest(page: Page, fitted: Sequence[FittedPanel], reserved: float = 0.0) -> float:
    """Return the width that some panels, or what is reserved, leave to those beside them."""
    return page.width - max(_widest(fitted) + page.gap if fitted else 0.0, min(reserved, page.half))


def _widest(fitted: Sequence[FittedPanel]) -> float:
    return max([panel.width for panel in fitted if panel.lines], default=0.0)


def _height(page: Page, fitted: Sequence[FittedPanel]) -> float:
    """Return the height of panels one above the other."""
    return sum([panel.height for panel in fitted]) + page.gap * max(len(fitted) - 1, 0)


def _cut(page: Page, height: float, *stacks: list[FittedPanel]) -> None:
    """Take lines away, from the longest panel first, until all fit; at last take panels away."""
    while (shown := [panel for stack in stacks for panel in stack if panel.lines]) and _height(page, shown) > height:
        longest = max(shown, key=lambda panel: (panel.lines, len(panel.rows)))
        _shorten(next((panel for panel in (longest, *shown) if panel.rows), shown[-1]), *stacks)


def _shorten(worst: FittedPanel, *stacks: list[FittedPanel]) -> None:
    for stack in stacks:
        stack[:] = [panel.shorter() if panel is worst else panel for panel in stack]


def _uncover(
    page: Page, lower_left: list[FittedPanel], upper_left: list[FittedPanel], beside: Sequence[FittedPanel]
) -> bool:
    """Take lines away until panels do not cover too much: of the caption, then all of it, and then of the table.

    False where something spare is there, which is to go before that.
    """
    room = MOST_COVERED * page.size[0] * page.size[1] / min(max(page.crowding, 1.0), MOST_CROWDED)

    def covered() -> float:
        return sum([panel.width * panel.height for panel in (*beside, *lower_left, *upper_left) if panel.lines])

    def cut(stack: list[FittedPanel], fewest: int) -> None:
        while covered() > room and (long := [p for p in stack if p.lines > fewest and p.panel.name not in _WHOLE]):
            _shorten(max(long, key=lambda panel: panel.lines), stack)

    if covered() > room and any(panel.panel.spare for panel in (*beside, *lower_left, *upper_left)):
        return False
    cut(lower_left, FEWEST_LINES)
    if covered() > room:
        lower_left[:] = [panel for panel in lower_left if panel.panel.name != "caption"]
    cut(upper_left, FEWEST_ROWS)
    return True


def _in_corners(page: Page, fitted: Sequence[FittedPanel], raised: float = 0.0) -> list[Placed]:
    """Place panels in their corners, the lower ones so far up, or in the center, one above the other."""
    shown = [panel for panel in fitted if panel.lines]
    bottom = page.foot + page.margin
    top, bottom = bottom + page.height, bottom + raised
    middle = 0.5 * (bottom + top + _height(page, shown))
    placed = []
    for panel in shown:
        step = panel.height + page.gap
        if panel.panel.corner.startswith("lower"):
            y, bottom = bottom, bottom + step
        elif panel.panel.corner == "center":
            y, middle = middle - panel.height, middle - step
        else:
            y, top = top - panel.height, top - step
        placed.append(panel.placed(y))
    return placed


def _triad_place(page: Page, square: float, placed: Sequence[Placed]) -> Rect | None:
    """Return the place of the small axes: in the lower right corner; None without room."""
    margin = MARGIN * page.unit
    place = Rect(page.left + page.size[0] - margin - square, page.foot + margin, square, square)
    inside = place.y + square <= page.foot + page.size[1] - margin
    return place if inside and not any(place.overlaps(panel.plate) for panel in placed) else None
