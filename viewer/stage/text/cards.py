"""The cards of a page: their plates, pictures and texts. Pure arithmetic, no renderer."""

from __future__ import annotations

from typing import NamedTuple

from viewer.records.drawables import Card, Cards, Row
from viewer.records.grid import ASPECT, FEWEST, HEAD, LEADING, MARGIN, PAD, Grid
from viewer.records.pixels import Measure, Rect, Run
from viewer.records.text import ELLIPSIS, Width, shortened, wrapped

#: The size of the title of the page, as a part of that of the other text.
_TITLE = 1.5


class PlacedCard(NamedTuple):
    """A card on its plate, with the place of its picture, and its title and line."""

    card: Card
    plate: Rect
    picture: Rect
    runs: tuple[Run, ...]


class PlacedCards(NamedTuple):
    """The cards that are seen, and what stands above them."""

    cards: tuple[PlacedCard, ...]
    runs: tuple[Run, ...]
    page: Row

    def card_at(self, x: float, y: float) -> Row:
        """Return the card at a pixel; between cards, what scrolls them."""
        return next((placed.card for placed in self.cards if placed.plate.covers(x, y)), self.page)


def place_cards(page: Cards, size: tuple[int, int], unit: float, font: float, measure: Measure) -> PlacedCards:
    """Return a page of cards in a picture.

    Parameters
    ----------
    page : Cards
        What it shows.
    size : tuple of 2 ints
        Of the picture in pixels.
    unit, font : float
        Pixels in a unit of the theme, and the height of the text in units.
    measure : callable
        Says how wide a text is.
    """
    text, margin = font * unit, MARGIN * unit
    grid = Grid.of(len(page.cards), size, unit, font)
    places = [(card, grid.place(number, page.first)) for number, card in enumerate(page.cards)]
    placed = [_card(card, place, grid, measure) for card, place in places if place is not None]
    hidden = -(-len(page.cards) // grid.columns) - grid.rows
    hint = page.hint if hidden <= 0 else f"{page.hint}; scroll for more"
    top = size[1] - margin
    hint = shortened(hint, size[0] - 2.0 * margin, lambda line: measure(line, text, False))
    runs = (
        Run(round(margin), round(top - _TITLE * text), page.title, _TITLE * text, bold=True),
        Run(round(margin), round(top - (HEAD - 0.7) * text), hint, text, faint=True),
    )
    return PlacedCards(tuple(placed), runs, Row("", scrolls=page.scrolls))


def _card(card: Card, plate: Rect, grid: Grid, measure: Measure) -> PlacedCard:
    pad, text = PAD * grid.unit, grid.text
    width = plate.width - 2.0 * pad
    picture = Rect(plate.x + pad, plate.y + plate.height - pad - ASPECT * width, width, ASPECT * width)
    most = max((grid.lines + 1) // 2, FEWEST)  # where there is little room, a whole title says more than two beginnings
    title = _lines(card.text, width, most, lambda part: measure(part, text, True))
    below = _lines(card.line, width, grid.lines - len(title), lambda part: measure(part, text, False))
    runs = []
    for k, line in enumerate((*title, *below)):
        down = round(picture.y - 0.5 * pad - (k + 0.85) * LEADING * text)
        is_title = k < len(title)
        runs.append(Run(round(plate.x + pad), down, line, text, bold=is_title, faint=not is_title))
    return PlacedCard(card, plate, picture, tuple(runs))


def _lines(text: str, room: float, most: int, width: Width) -> list[str]:
    """Return a text in so many lines at most; the last one says by an ellipsis that there is more."""
    lines = wrapped(text, room, width) if text and most else []
    if len(lines) > most:
        lines[most - 1 :] = [shortened(f"{lines[most - 1]} {ELLIPSIS}", room, width)]
    return lines
