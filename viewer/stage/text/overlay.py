"""What is written over a picture: panels, labels, the small axes, and the strip of the time, each in its place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias

from vtkmodules.vtkRenderingCore import vtkRenderer

from viewer.camera.camera import Viewport
from viewer.records.drawables import (
    Arrow,
    Bar,
    Cards,
    Drawable,
    Ground,
    Label,
    Marker,
    Panel,
    Row,
    StepCard,
    Stroke,
    Timeline,
)
from viewer.records.pixels import Rect
from viewer.records.theme import FONT_SIZE, Theme
from viewer.records.timeline import Strip, place_strip
from viewer.stage.text.bar import PlacedBar, place_bar, place_tip
from viewer.stage.text.canvas import Canvas
from viewer.stage.text.cards import PlacedCards, place_cards
from viewer.stage.text.fonts import Fonts
from viewer.stage.text.images import Images
from viewer.stage.text.labels import Labels
from viewer.stage.text.lines import GAP, MARGIN, Page
from viewer.stage.text.panels import Panels, Sheet
from viewer.stage.text.step_cards import PlacedStep, StepCards, column_of
from viewer.stage.text.triad import arrow_at

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


class Places(NamedTuple):
    """Where the panels, the small axes, the strip of the time and the bar of buttons are in a picture."""

    sheet: Sheet
    strip: Strip | None
    bar: PlacedBar | None = None
    cards: PlacedCards | None = None
    step: PlacedStep | None = None

    @property
    def plates(self) -> list[Rect]:
        """What covers the picture."""
        strip = [self.strip.plate] if self.strip else []
        bar = [self.bar.plate] if self.bar else []
        step = [self.step.plate] if self.step else []
        return [*(panel.plate for panel in self.sheet.panels), *filter(None, [self.sheet.triad]), *strip, *bar, *step]

    @property
    def covered(self) -> list[Rect]:
        """What covers the picture, or may as the card of a step grows and shrinks: all its column."""
        column = [] if self.step is None else [self.step.column]
        return [*self.plates, *column]

    def panel_at(self, x: float, y: float, view: Viewport) -> tuple[bool, Row | None]:
        """Say whether a panel covers a pixel, and return the row of it that is there; or that of a small axis."""
        for panel in reversed(self.sheet.panels):  # the last one lies on top
            if panel.plate.covers(x, y) and not panel.quiet:
                return True, panel.row_at(x, y)
        if self.cards is not None:
            return True, self.cards.card_at(x, y)
        if self.bar is not None and self.bar.plate.covers(x, y):
            return True, self.bar.button_at(x, y)
        if self.step is not None and self.step.plate.covers(x, y):
            return True, self.step.row_at(x, y)
        triad = self.sheet.triad
        if triad is not None and triad.covers(x, y):
            arrow = arrow_at(triad, view, x, y)
            return arrow is not None, arrow
        return False, None


class Overlay:
    """Writes over a renderer's picture.

    Parameters
    ----------
    renderer : vtkRenderer
        Gets the actors.
    theme : Theme
        Colors, and the size of the text.
    """

    def __init__(self, renderer: vtkRenderer, theme: Theme) -> None:
        self._theme, self._fonts, self._panels = theme, Fonts(), Panels()
        self._steps = StepCards(self._fonts.width)
        self._canvas = Canvas(renderer, theme, self._fonts)
        #: What is drawn over the texts of the other.
        self._top = Canvas(renderer, theme, self._fonts)
        self._images = Images(renderer)
        #: Whether labels stay where they were in the last picture while that is as good, so that none jumps in a window
        #: or a film. Otherwise a picture depends on no other.
        self._steady = False
        self.labels = Labels()
        #: The row under the pointer that a click would do something with.
        self.hot: Row | None = None

    def stay(self) -> None:
        """Have labels stay where they are in the next picture, which depends on none before it."""
        self._steady, self.labels = True, Labels()

    def restyle(self, theme: Theme) -> None:
        """Take other colors for the next picture."""
        self._theme = theme
        self._canvas.restyle(theme)
        self._top.restyle(theme)

    def place(self, drawables: ByType, size: tuple[int, int], unit: float) -> Places:
        """Return where the panels of a picture of a size are; where there is a ground, the small axes are, too."""
        font, (width, height) = self._theme.font_size, size
        timelines, scale = drawables.get(Timeline), unit * font / FONT_SIZE
        triad = TRIAD * scale if drawables.get(Ground) else 0.0
        strip = Strip.of(timelines[0], (width, height), unit, font) if timelines else None
        foot = round(strip.plate.y + strip.plate.height - strip.plate.x + STRIP_GAP * unit) if strip else 0
        # Less of the picture than nothing is left in one that is little higher than the strip.
        bars = drawables.get(Bar)
        bar = place_bar(bars[0], size, scale, foot) if bars else None
        left = round(bar.plate.x + bar.plate.width - (MARGIN - GAP) * unit) if bar else 0
        steps = drawables.get(StepCard)
        step = self._steps.place(steps[0], size, unit, font, foot) if steps else None
        right = round(column_of(size, unit, font) - (MARGIN - GAP) * unit) if steps else 0
        page = Page((max(width - left - right, 1), max(height - foot, 1)), unit, font, self._fonts.width, foot, left)
        sheet = self._panels.place(drawables.get(Panel, []), page, triad)
        pages = drawables.get(Cards)
        cards = place_cards(pages[0], size, unit, font, self._fonts.width) if pages else None
        return Places(sheet, strip, bar, cards, step)

    def write(self, drawables: ByType, view: Viewport, unit: float, scale: int) -> None:
        """Write all there is to be read in a picture that has so many pixels of the plotter to one of its own."""
        canvas, top, font = self._canvas, self._top, self._theme.font_size
        canvas.begin(unit)
        top.begin(unit)
        page = self.place(drawables, view.size, unit)
        if page.strip is not None:
            canvas.strip(place_strip(page.strip, unit, font, self._fonts.width))
        if page.sheet.triad is not None:
            canvas.triad(page.sheet.triad, view, self.hot)
        self._show_cards(page.cards)
        over = canvas if page.cards is None else top  # what is asked lies over the cards
        over.panels(page.sheet.panels)
        if page.bar is not None:
            canvas.bar(page.bar)
        if page.step is not None:
            canvas.step(page.step)
        for place in self._tinted(page):
            over.tint(place)
        tip = page.bar and place_tip(page.bar, self.hot, font * unit, unit, self._fonts.width)
        asked = [panel.plate for panel in page.sheet.panels if panel.corner == "center"]
        if tip is not None and not any(tip.plate.overlaps(plate) for plate in asked):
            top.tip(tip)
        top.end()
        if not self._steady:
            self.labels = Labels()
        labels, marks = drawables.get(Label, []), list[Marker | Stroke | Arrow]()
        for kind in (Marker, Stroke, Arrow):
            marks += drawables.get(kind, ())
        canvas.labels(self.labels.place(labels, view, unit, font, self._fonts.width, page.plates, marks, scale))
        canvas.end()

    def _tinted(self, page: Places) -> list[Rect]:
        """Return where the row or the button under the pointer is, and where rows are that keys have come to."""
        panels = page.sheet.panels
        places = [panel.place_of(row) for panel in panels for row in panel.rows if row.lit]
        if self.hot is not None:
            places += [*(panel.place_of(self.hot) for panel in panels), page.bar and page.bar.place_of(self.hot)]
            places.append(page.step and page.step.place_of(self.hot))
        return [place for place in places if place is not None]

    def _show_cards(self, page: PlacedCards | None) -> None:
        cards = () if page is None else page.cards
        if page is not None:
            self._canvas.cards(page, self.hot)
        pictures = [(card.picture, place) for card, _, place, _ in cards if card.picture is not None]
        if self._images.show(pictures, self._theme.plate):
            self._top.come_to_top()
