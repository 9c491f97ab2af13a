"""The first page: the examples or the lessons as pictures to choose from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from viewer.records.commands import Command
from viewer.records.drawables import Gallery, GalleryItem

if TYPE_CHECKING:
    from viewer.session import Session


def start_page(session: Session) -> Gallery:
    """Return the page as it is drawn."""
    start, scrolls = session.start, Command("start.scroll_page")
    back = "; Esc: back to the scene" if len(session.resting) else ""
    back = "; Esc: back to the examples" if start.learns and not start.teaches else back
    hint = f"click, or arrows and Enter; Ctrl+O: open a file, Ctrl+N: new scene{back}"
    cards = tuple(
        GalleryItem(
            entry.title,
            does=Command("start.open_card", k),
            scrolls=scrolls,
            highlighted=k == start.chosen,
            line=entry.line,
            picture=entry.picture,
            icon=entry.icon,
        )
        for k, entry in enumerate(start.entries)
    )
    title = "What do you want to learn? Begin with the first" if start.learns else "What do you want to see?"
    return Gallery(title, hint, cards, start.first_row, scrolls)
