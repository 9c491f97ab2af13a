"""Where panels go in a picture: in its corners. Pure arithmetic, no renderer.

No panel covers another, and none leaves the picture: what does not fit is shortened, and says so. Coordinates are
pixels, the origin the lower left corner.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from viewer.picture.drawables import Panel
from viewer.picture.pixels import Measure, Rect
from viewer.stage.blocks import Block, Page, page_of
from viewer.stage.plates import Corner, PlacedPanel

#: The widest panel, as a part of the picture's width, where there is no panel beside it.
WIDEST = 0.66

#: The tallest caption, as a part of the picture's height.
TALLEST = 0.4

#: Longer lines than this are hard to read, in heights of the text; a picture may be wide enough for them.
LONGEST_LINE = 46.0


class Sheet(NamedTuple):
    """Everything that is written in a picture."""

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
    >>> from viewer.picture.drawables import Row
    >>> panel = Panel("upper-left", (Row("a"),), "Title")
    >>> sheet = place_panels([panel], (640, 480), 1.0, 15.0, lambda text, size, bold: size * len(text))
    >>> [run.text for run in sheet.panels[0].runs]
    ['Title', 'a']
    """
    return laid_out(panels, page_of(size, unit, font, measure, foot), triad * unit)[0]


def laid_out(panels: Sequence[Panel], page: Page, square: float) -> tuple[Sheet, list[Block]]:
    """Return panels placed in the corners of a page, and for each its block; the small axes' square has such a side."""
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
    lower_right = page.blocks(stacks.get("lower-right", ()), page.half)
    caption, lower_left = stacks.get("lower-left"), list[Block]()
    if caption:
        lower_left = page.blocks(caption, min(page.rest(lower_right, at_right), LONGEST_LINE * page.text))
        page.cut(TALLEST * page.height, lower_left)
    upper_right = page.blocks(stacks.get("upper-right", ()), page.half)
    wide = bool(lower_left) and max([block.width for block in lower_left]) > page.rest(upper_right)
    above = page.tall(lower_left) + page.gap if wide else 0.0
    page.cut(page.height - max(at_right, above), upper_right, lower_right)
    widest = max(WIDEST * page.width, page.half)
    upper_left = page.blocks(stacks.get("upper-left", ()), min(page.rest(upper_right), widest))
    page.cut(page.height - at_left, upper_left, lower_left)
    placed = [*page.place([*upper_left, *lower_left]), *page.place([*upper_right, *lower_right])]
    free = page.triad_place(square, corner, placed) if square else None
    center = page.blocks(stacks.get("center", ()), page.width)
    sheet = _covered(page, center, placed, free) if center else Sheet(tuple(placed), free)
    own = {id(block.panel): block for block in (*upper_left, *lower_left, *upper_right, *lower_right, *center)}
    return sheet, [own[id(panel)] for panel in panels]


def renewed(sheet: Sheet, blocks: Sequence[Block], panels: Sequence[Panel]) -> tuple[Sheet, list[Block]] | None:
    """Return a sheet with other panels in the place of its own, each of which takes as much room; None where not."""
    placed, found = list(sheet.panels), list(blocks)
    for k, (block, panel) in enumerate(zip(blocks, panels, strict=True)):
        if panel is not block.panel:
            new = block.renewed(panel)
            at = [n for n, other in enumerate(placed) if other is block.now]
            if new is None or new.now is None or len(at) != 1:
                return None
            if new.width != block.width and not _has_room(sheet, new.now):
                return None
            found[k], placed[at[0]] = new, new.now
    return Sheet(tuple(placed), sheet.triad), found


def _has_room(sheet: Sheet, panel: PlacedPanel) -> bool:
    """Say whether the width of a panel matters to no other: in the lower right, with nothing but the axes beside it."""
    alone = panel.corner == "lower-right" and all(other.corner != "lower-left" for other in sheet.panels)
    return alone and sheet.triad is not None and not sheet.triad.overlaps(panel.plate)


def _covered(page: Page, center: list[Block], placed: list[PlacedPanel], free: Rect | None) -> Sheet:
    """Return panels in the center in the place of those that they would cover."""
    page.cut(page.height, center)
    on_top = page.place(center)
    for cover in on_top:
        placed = [other for other in placed if not other.plate.overlaps(cover.plate)]
        if free is not None and free.overlaps(cover.plate):
            free = None
    return Sheet((*placed, *on_top), free)
