"""The first page of a window: things to open, each on a plate with its picture and its texts."""

from __future__ import annotations

from viewer.layout.icons import icon
from viewer.layout.page import TITLE, Page
from viewer.layout.parts import Area, ExamplePicture, Hit, Part, Placed, Plate, Shape, Written, joined
from viewer.records.drawables import Gallery, GalleryItem, Role, Row
from viewer.records.grid import ASPECT, FEWEST, HEAD, LEADING, MARGIN, PAD, Grid
from viewer.records.pixels import Rect, TextRun

#: The title of the page, as a part of other titles; width of the rim around an item that is chosen, and radius of its
#: corners, in units.
_TITLE, _RIM, _ROUND = 1.34 * TITLE, 3.5, 10.0


def place_gallery(gallery: Gallery, page: Page, hot: Row | None = None) -> Placed:
    """Return a gallery that fills a page; one of its items may be under the pointer."""
    text, margin = page.text, MARGIN * page.unit
    grid = Grid.of([(item.text, item.line) for item in gallery.items], page.size, page.unit, page.font)
    places = [(item, grid.place(number, gallery.first)) for number, item in enumerate(gallery.items)]
    hidden = -(-len(gallery.items) // grid.columns) - grid.rows
    hint = gallery.hint if hidden <= 0 else f"{gallery.hint}; scroll for more"
    top, left = page.size[1] - margin, round(margin)
    head = (
        Written(TextRun(left, round(top - _TITLE * text), gallery.title, _TITLE * text, bold=True)),
        Written(TextRun(left, round(top - (HEAD - 0.7) * text), page.shortened(hint, page.width), text), "faint"),
    )
    whole = Rect(0.0, 0.0, *page.size)
    behind = Part(whole.height, head, (), (Hit(whole, Row("", scrolls=gallery.scrolls)),))
    items = [_item(item, place, grid, page, hot) for item, place in places if place is not None]
    return Placed(whole, joined([behind, *items]))


def _item(item: GalleryItem, plate: Rect, grid: Grid, page: Page, hot: Row | None) -> Part:
    pad, text = PAD * page.unit, page.text
    width = plate.width - 2.0 * pad
    picture = Rect(plate.x + pad, plate.y + plate.height - pad - ASPECT * width, width, ASPECT * width)
    most = max((grid.lines + 1) // 2, FEWEST)  # where there is little room, a whole title says more than two beginnings
    title = page.few_lines(item.text, width, most, bold=True)
    below = page.few_lines(item.line, width, grid.lines - len(title))
    texts = []
    for k, line in enumerate((*title, *below)):
        down, is_title = round(picture.y - 0.5 * pad - (k + 0.85) * LEADING * text), k < len(title)
        texts.append(
            Written(TextRun(round(plate.x + pad), down, line, text, is_title), "text" if is_title else "faint")
        )
    shapes = list[Shape]()
    if item.highlighted or item == hot:
        rim = plate.grown(_RIM * page.unit)
        shapes.append(Area(rim, Role.HANDLE if item.highlighted else "faint", corner=_ROUND * page.unit))
    shapes.append(Plate(plate))
    if item.icon:
        shapes += icon(item.icon, picture, 0.3 * picture.height, "faint")
    if item.picture:
        shapes.append(ExamplePicture(picture, item.picture))
    return Part(plate.height, tuple(texts), tuple(shapes), (Hit(plate, item),))
