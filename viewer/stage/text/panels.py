"""Where panels go in a picture: in its corners. Pure arithmetic, no renderer.

No panel covers another, and none leaves the picture: what does not fit is shortened, and says so. Coordinates are
pixels, the origin the lower left corner.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from viewer.records.drawables import Panel
from viewer.records.pixels import Measure, Rect
from viewer.stage.text.blocks import Block, PlacedPanel
from viewer.stage.text.lines import MARGIN, PAD_X, Page

#: The widest panel, as a part of the picture's width, where there is no panel beside it.
WIDEST = 0.66

#: The tallest caption, as a part of the picture's height.
TALLEST = 0.4

#: Panels cover no more than this part of a picture: what is spare goes first, then the caption is cut to so many lines,
#: and then the table.
MOST_COVERED, FEWEST_LINES = 0.35, 2

#: Longer lines than this are hard to read, in heights of the text; a picture may be wide enough for them.
LONGEST_LINE = 46.0


class Sheet(NamedTuple):
    """The panels of a picture, and the square of the small axes."""

    panels: tuple[PlacedPanel, ...]
    triad: Rect | None


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
    >>> from viewer.records.drawables import Row
    >>> panel = Panel("upper-left", (Row("a"),), "Title")
    >>> sheet = place_panels([panel], (640, 480), 1.0, 15.0, lambda text, size, bold: size * len(text))
    >>> [run.text for run in sheet.panels[0].runs]
    ['Title', 'a']
    """
    return Panels().place(panels, Page(size, unit, font, measure, foot), triad * unit)


class Panels:
    """Places the panels of one picture after another. It keeps the lines of those that come again."""

    def __init__(self) -> None:
        #: What was placed last, and where; and all lines, by the panel and the width that they fit into.
        self._page: Page | None = None
        self._given: tuple[tuple[Panel, ...], float] = ((), 0.0)
        self._sheet = Sheet((), None)
        self._blocks: dict[tuple[Panel, float], Block] = {}
        self._last: dict[tuple[Panel, float], Block] = {}

    def place(self, panels: Sequence[Panel], page: Page, square: float = 0.0) -> Sheet:
        """Return panels placed in the corners of a page, beside a square for the small axes with such a side."""
        if page != self._page:
            self._page, self._blocks, self._given = page, {}, ((), -1.0)
        if (given := (tuple(panels), square)) != self._given:
            self._last, self._blocks = self._blocks, {}
            self._given, self._sheet = given, self._placed(panels, page, square)
        return self._sheet

    def _placed(self, panels: Sequence[Panel], page: Page, square: float) -> Sheet:
        stacks: dict[str, list[Panel]] = {}
        for panel in panels:
            stacks.setdefault(panel.corner, []).append(panel)
        # The small axes are in the lower right corner, whatever comes and goes: panels there stand above them.
        beside = square + page.gap if square else 0.0

        # What is lower right is as wide as it is; the caption beside it gets the rest, and the legend stays above both.
        lower_right = self._broken(stacks.get("lower-right", ()), page.half)
        caption, lower_left = stacks.get("lower-left"), list[Block]()
        if caption:
            lower_left = self._broken(caption, min(_rest(page, lower_right, beside), LONGEST_LINE * page.text))
            _cut(page, TALLEST * page.height, lower_left)
        upper_right = self._broken(stacks.get("upper-right", ()), page.half)
        wide = bool(lower_left) and max([block.width for block in lower_left]) > _rest(page, upper_right)
        above = _height(page, lower_left) + page.gap if wide else 0.0
        _cut(page, page.height - max(beside, above), upper_right, lower_right)
        widest = max(WIDEST * page.width, page.half)
        upper_left = self._broken(stacks.get("upper-left", ()), min(_rest(page, upper_right), widest))
        _cut(page, page.height, upper_left, lower_left)
        count = len(upper_right)
        _uncover(page, upper_right, lower_left, upper_left)
        if len(upper_right) < count:  # what is spare is gone, and what was beside it may be wider
            return self._placed(
                [panel for panel in panels if panel.corner != "upper-right" or not panel.spare], page, square
            )
        placed = [*_stacked(page, [*upper_left, *lower_left]), *_stacked(page, [*upper_right, *lower_right], beside)]
        free = _triad_place(page, square, placed) if square else None
        center = self._broken(stacks.get("center", ()), page.width)
        return _covered(page, center, placed, free) if center else Sheet(tuple(placed), free)

    def _broken(self, panels: Sequence[Panel], room: float) -> list[Block]:
        """Break the texts of panels into lines, on plates of a width at most."""
        assert self._page is not None
        blocks = []
        for panel in panels:
            key = panel, room
            block = self._blocks.get(key) or self._last.get(key)
            if block is None:
                block = Block.of(self._page, panel, room - 2.0 * PAD_X * self._page.unit)
            self._blocks[key] = block
            blocks.append(block)
        return blocks


def _rest(page: Page, blocks: Sequence[Block], reserved: float = 0.0) -> float:
    """Return the width that some panels leave to those beside them: half of the picture at least."""
    widest = max([block.width for block in blocks], default=-page.gap)
    return max(page.width - max(widest + page.gap, reserved), page.half)


def _height(page: Page, blocks: Sequence[Block]) -> float:
    """Return the height of panels one above the other."""
    return sum([block.height for block in blocks]) + page.gap * max(len(blocks) - 1, 0)


def _cut(page: Page, height: float, *stacks: list[Block]) -> None:
    """Take lines away, from the longest panel first, until all fit; at last take panels away."""
    while (shown := [block for stack in stacks for block in stack if block.lines]) and _height(page, shown) > height:
        longest = max(shown, key=lambda block: (block.lines, len(block.rows)))
        worst = next((block for block in (longest, *shown) if block.rows), shown[-1])
        for stack in stacks:
            stack[:] = [block.shorter() if block is worst else block for block in stack]


def _uncover(page: Page, upper_right: list[Block], lower_left: list[Block], upper_left: list[Block]) -> None:
    """Take away what is spare, and then lines, one stack after the other, until panels do not cover too much.

    A table of which nothing but its head would be left keeps its lines, and what is below it goes.
    """
    room = MOST_COVERED * page.size[0] * page.size[1]
    whole = list(upper_left)

    def covered() -> float:
        return sum([block.width * block.height for stack in stacks for block in stack if block.lines])

    def cut(stack: list[Block]) -> None:
        while covered() > room and any(block.lines > FEWEST_LINES for block in stack):
            longest = max(stack, key=lambda block: block.lines)
            stack[:] = [block.shorter() if block is longest else block for block in stack]

    stacks = upper_right, lower_left, upper_left
    if covered() > room:
        upper_right[:] = [block for block in upper_right if not block.panel.spare]
    cut(lower_left)
    cut(upper_left)
    if any(block.more and len(block.rows) == 1 for block in upper_left):
        lower_left.clear()
        upper_left[:] = whole
        cut(upper_left)


def _stacked(page: Page, blocks: Sequence[Block], raised: float = 0.0) -> list[PlacedPanel]:
    """Place panels in their corners, the lower ones so far up, or in the center, one above the other."""
    shown = [block for block in blocks if block.lines]
    bottom = page.foot + MARGIN * page.unit
    top, bottom = bottom + page.height, bottom + raised
    middle = 0.5 * (bottom + top + _height(page, shown))
    placed = []
    for block in shown:
        step = block.height + page.gap
        if block.panel.corner.startswith("lower"):
            y, bottom = bottom, bottom + step
        elif block.panel.corner == "center":
            y, middle = middle - block.height, middle - step
        else:
            y, top = top - block.height, top - step
        placed.append(block.placed(y))
    return placed


def _triad_place(page: Page, square: float, placed: Sequence[PlacedPanel]) -> Rect | None:
    """Return the place of the small axes: in the lower right corner; None without room."""
    margin = MARGIN * page.unit
    place = Rect(page.left + page.size[0] - margin - square, page.foot + margin, square, square)
    inside = place.y + square <= page.foot + page.size[1] - margin
    return place if inside and not any(place.overlaps(panel.plate) for panel in placed) else None


def _covered(page: Page, center: list[Block], placed: list[PlacedPanel], free: Rect | None) -> Sheet:
    """Return panels in the center in the place of those that they would cover."""
    _cut(page, page.height, center)
    on_top = _stacked(page, center)
    for cover in on_top:
        placed = [other for other in placed if not other.plate.overlaps(cover.plate)]
        if free is not None and free.overlaps(cover.plate):
            free = None
    return Sheet((*placed, *on_top), free)
