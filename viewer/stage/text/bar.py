"""Where the bar of buttons is in a window: at the left edge, and the tip beside a button. Pure arithmetic."""

from __future__ import annotations

from itertools import accumulate
from typing import NamedTuple

from viewer.records.drawables import Bar, Button, Row
from viewer.records.pixels import Measure, Rect, Run

#: Lengths in units: the side of a button, the edge around all, the gap between groups, that beside the picture's edge.
SIDE, EDGE, GROUP, BESIDE = 31.0, 3.0, 7.0, 8.0

#: The smallest side of a button, as a part of that: in a picture where they would be smaller there is no bar.
SMALLEST = 0.5

#: Padding of a tip, and its gap beside the bar and between name and key, in units.
_PAD, _GAP, _COLUMN = 8.0, 8.0, 14.0


class PlacedBar(NamedTuple):
    """A plate with buttons."""

    plate: Rect
    buttons: tuple[tuple[Button, Rect], ...]

    def button_at(self, x: float, y: float) -> Button | None:
        """Return the button at a pixel."""
        return next((button for button, place in self.buttons if place.covers(x, y)), None)

    def place_of(self, row: Row | None) -> Rect | None:
        """Return where a button is that may look otherwise by now; None for what is none."""
        tip = row.text if isinstance(row, Button) else None
        return next((place for button, place in self.buttons if button.text == tip), None)


class Tip(NamedTuple):
    """A text on a plate."""

    plate: Rect
    runs: tuple[Run, ...]


def place_bar(bar: Bar, size: tuple[int, int], unit: float, foot: float = 0.0) -> PlacedBar | None:
    """Return the bar in the middle of the left edge, above what is at the foot; None where there is no room.

    Parameters
    ----------
    bar : Bar
        The buttons.
    size : tuple of 2 ints
        Of the picture in pixels.
    unit : float
        Pixels in a unit of the theme.
    foot : float
        Height of what is at the foot of the picture and stays free, in pixels.
    """
    buttons = bar.buttons
    gaps = [GROUP * unit if k and button.first else 0.0 for k, button in enumerate(buttons)]
    room = size[1] - foot - 2.0 * (BESIDE + EDGE) * unit - sum(gaps)
    side = min(SIDE * unit, room / max(len(buttons), 1))
    if not buttons or side < SMALLEST * SIDE * unit:
        return None
    side = float(int(side))
    height = side * len(buttons) + sum(gaps)
    edge, x, top = EDGE * unit, round((BESIDE + EDGE) * unit), round(0.5 * (foot + size[1] + height))
    below = accumulate(gap + side for gap in gaps)
    places = [Rect(x, round(top - down), side, side) for down in below]
    plate = Rect(x - edge, top - height - edge, side + 2.0 * edge, height + 2.0 * edge)
    return PlacedBar(plate, tuple(zip(buttons, places, strict=True)))


def place_tip(bar: PlacedBar, row: Row | None, text: float, unit: float, measure: Measure) -> Tip | None:
    """Return the tip of a button beside it, in letters of a height in pixels; None for what is no button of the bar."""
    place = bar.place_of(row)
    if row is None or place is None:
        return None
    name, _, key = row.text.partition("\t")
    pad, x = _PAD * unit, bar.plate.x + bar.plate.width + _GAP * unit
    height = 1.9 * text
    y = place.y + 0.5 * (place.height - height)
    across, down = measure(name, text, False), round(y + 0.5 * (height - text) + 0.1 * text)
    key_x = x + pad + across + _COLUMN * unit
    runs = Run(round(x + pad), down, name, text), Run(round(key_x), down, key, text, faint=True)
    return Tip(Rect(round(x), round(y), round(key_x + measure(key, text, False) + pad - x), round(height)), runs)
