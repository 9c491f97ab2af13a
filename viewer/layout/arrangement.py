"""Where all panels of a picture are: what is at its edges takes its room first, and the others share the rest.

In a small picture this gives way, in this order: the bar of buttons; what is spare, as are the legend and what the
handles say; lines of the caption, and then all of it; lines of the table; and the strip of the time, to what is asked
in the middle. The strip has as many rows as there is room for, those first that touch at the time.
`viewer.layout.panels` cuts panels, `viewer.layout.explanation` the parts of a step.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias

from viewer.layout.bar import place_bar, place_tip
from viewer.layout.explanation import column_of, place_explanation
from viewer.layout.formulas import Typeset
from viewer.layout.gallery import place_gallery
from viewer.layout.page import GAP, MARGIN, Page
from viewer.layout.panels import Sheet, place_panels
from viewer.layout.parts import TINT, Area, Part, Placed
from viewer.layout.strip import Strip, place_strip
from viewer.records.commands import Command
from viewer.records.drawables import Bar, Drawable, ExplanationPanel, Gallery, Ground, Panel, Row, Timeline
from viewer.records.pixels import Rect

#: The drawables of a picture by their type.
ByType: TypeAlias = Mapping[type, list[Any]]

#: Side of the square of the small axes, in units, where the text is as high as usual.
TRIAD = 84.0

#: Between the strip of the time and what stands above it, in units.
STRIP_GAP = 10.0


def by_type(drawables: Iterable[Drawable]) -> dict[type, list[Any]]:
    """Return drawables by their type, those of one type in order."""
    found: dict[type, list[Any]] = {}
    for drawable in drawables:
        found.setdefault(type(drawable), []).append(drawable)
    return found


class Arrangement(NamedTuple):
    """Where the panels, the small axes, the strip of the time and the bar of buttons are in a picture."""

    sheet: Sheet
    strip: Placed | None = None
    bar: Placed | None = None
    gallery: Placed | None = None
    explanation: Placed | None = None
    column: Rect | None = None
    tip: Placed | None = None
    times: Strip | None = None

    @property
    def plates(self) -> list[Rect]:
        """What covers the picture."""
        edges = [placed.plate for placed in (self.strip, self.bar, self.explanation) if placed is not None]
        return [*(panel.plate for panel in self.sheet.panels), *filter(None, [self.sheet.triad]), *edges]

    @property
    def covered(self) -> list[Rect]:
        """What covers the picture, or may as the explanation grows and shrinks: all its column."""
        return [*self.plates, *filter(None, [self.column])]

    def panel_at(self, x: float, y: float) -> tuple[bool, Row | None]:
        """Say whether a panel covers a pixel, and return the row of it that is there."""
        last_on_top = reversed(self.sheet.panels)
        for placed in (*last_on_top, self.gallery, self.bar, self.explanation, self.strip):
            if placed is not None and placed.plate.covers(x, y):
                return True, placed.row_at(x, y)
        return False, None

    def part_at(self, drags: Command, x: float) -> float | None:
        """Return the part of the track of a command at which a place is, below 0 or above 1 beside it."""
        for placed in self.sheet.panels:
            for rect, row in placed.part.hits:
                if row.drags == drags:
                    return (x - rect.x) / rect.width
        return None

    def below(self, hot: Row | None) -> list[Part]:
        """Return what is drawn first: all, but for panels that lie over the gallery, and the tip."""
        shown = [self.strip, self.gallery, *(() if self.gallery else self.sheet.panels), self.bar, self.explanation]
        parts = [placed.part for placed in shown if placed is not None]
        return parts if self.gallery else [*parts, *self._tints(hot)]

    def above(self, hot: Row | None) -> list[Part]:
        """Return what is drawn over all that."""
        parts = [panel.part for panel in self.sheet.panels] + self._tints(hot) if self.gallery else []
        return parts if self.tip is None else [*parts, self.tip.part]

    def _tints(self, hot: Row | None) -> list[Part]:
        """Return what is behind the row or the button under the pointer, and behind rows that keys have come to."""
        panels = self.sheet.panels
        places = [rect for panel in panels for rect, row in panel.part.hits if row.highlighted]
        if hot is not None and hot.text:  # the track of the time has none
            placed = [*panels, *filter(None, [self.bar, self.explanation, self.strip])]
            places += filter(None, [panel.place_of(hot) for panel in placed])
        return [Part(0.0, (), (Area(place, "text", TINT),)) for place in places]


def arrange(drawables: ByType, page: Page, typeset: Typeset, hot: Row | None = None) -> Arrangement:
    """Return where the panels of a picture are.

    Parameters
    ----------
    drawables : mapping of type to list of drawables
        All there is in the picture. Where there is a ground, there are small axes.
    page : Page
        The whole picture.
    typeset : callable
        Sets formulas.
    hot : Row, optional
        The row under the pointer that a click would do something with.
    """

    def only(kind: type) -> Any:
        return next(iter(drawables.get(kind, ())), None)

    timeline, buttons, items, step = map(only, (Timeline, Bar, Gallery, ExplanationPanel))
    strip = Strip.of(timeline, page) if timeline else None
    foot = round(strip.plate.y + strip.plate.height - strip.plate.x + STRIP_GAP * page.unit) if strip else 0
    above = page.within(foot)
    bar = place_bar(buttons, above) if buttons else None
    explanation, column = place_explanation(step, above, typeset) if step else (None, None)
    beside = (MARGIN - GAP) * page.unit
    left = round(bar.plate.x + bar.plate.width - beside) if bar else 0
    right = round(column_of(page) - beside) if step else 0
    triad = TRIAD * page.scale if drawables.get(Ground) else 0.0
    panels = drawables.get(Panel, [])
    sheet = place_panels(panels, page.within(foot, left, right), triad)
    if strip and any(placed.is_cut for placed in sheet.panels if placed.is_center):
        strip, sheet = None, place_panels(panels, page.within(0.0, left, right), triad)
    tip = place_tip(bar, hot, page) if bar else None
    # No tip lies over what is asked.
    if tip and any(placed.is_center and placed.plate.overlaps(tip.plate) for placed in sheet.panels):
        tip = None
    return Arrangement(
        sheet,
        place_strip(strip, page) if strip else None,
        bar,
        place_gallery(items, page, hot) if items else None,
        explanation,
        column,
        tip,
        strip,
    )
