"""The bar of buttons at the left edge of a window, and the tip beside a button."""

from __future__ import annotations

from itertools import accumulate

from viewer.layout.icons import icon
from viewer.layout.page import Page
from viewer.layout.parts import Area, Hit, Part, Placed, Plate, Shape, Written
from viewer.records.drawables import Bar, Button, Role, Row
from viewer.records.pixels import Rect, TextRun

#: Lengths in units: the side of a button, the edge around all, the gap between groups, that beside the picture's edge.
SIDE, EDGE, GROUP, BESIDE = 31.0, 3.0, 7.0, 8.0

#: The smallest side of a button, as a part of that: in a picture where they would be smaller there is no bar.
SMALLEST = 0.5

#: How opaque the mark is behind a button that is on, the radius of its corners and half the side of an icon, as parts
#: of a button's side.
_ON, _ROUND, _ICON = 0.45, 0.18, 0.29

#: Padding of a tip, and its gap beside the bar and between name and key, in units.
_PAD, _GAP, _COLUMN = 8.0, 8.0, 14.0


def place_bar(bar: Bar, page: Page) -> Placed | None:
    """Return the bar in the middle of the left edge of a page; None where there is no room."""
    buttons, unit = bar.buttons, page.scale
    gaps = [GROUP * unit if k and button.first else 0.0 for k, button in enumerate(buttons)]
    room = page.size[1] - 2.0 * (BESIDE + EDGE) * unit - sum(gaps)
    side = float(int(min(SIDE * unit, room / max(len(buttons), 1))))
    if not buttons or side < int(SMALLEST * SIDE * unit):
        return None
    height = side * len(buttons) + sum(gaps)
    edge, x, top = EDGE * unit, round((BESIDE + EDGE) * unit), round(page.foot + 0.5 * (page.size[1] + height))
    below = accumulate(gap + side for gap in gaps)
    hits = [Hit(Rect(x, round(top - down), side, side), button) for button, down in zip(buttons, below, strict=True)]
    plate = Rect(x - edge, top - height - edge, side + 2.0 * edge, height + 2.0 * edge)
    shapes = list[Shape]([Plate(plate)])
    for button, (place, _) in zip(buttons, hits, strict=True):
        if button.on:
            shapes.append(Area(place, Role.HOT, _ON, _ROUND * side))
        shapes += icon(button.icon, place, _ICON * side, "pale" if button.faint else "text")
    return Placed(plate, Part(plate.height, (), tuple(shapes), tuple(hits)))


def place_tip(bar: Placed, row: Row | None, page: Page) -> Placed | None:
    """Return the tip of a button of the bar, beside it; None for what is none."""
    place = bar.place_of(row) if isinstance(row, Button) else None
    if row is None or place is None:
        return None
    name, _, key = row.text.partition("\t")
    unit, text, height = page.unit, page.text, 1.9 * page.text
    x, y = bar.plate.x + bar.plate.width + _GAP * unit, place.y + 0.5 * (place.height - height)
    down, key_x = round(y + 0.5 * (height - text) + 0.1 * text), x + (_PAD + _COLUMN) * unit + page.wide(name)
    plate = Rect(round(x), round(y), round(key_x + page.wide(key) + _PAD * unit - x), round(height))
    texts = (
        Written(TextRun(round(x + _PAD * unit), down, name, text)),
        Written(TextRun(round(key_x), down, key, text), "faint"),
    )
    return Placed(plate, Part(plate.height, texts, (Plate(plate),)))
