"""One picture of a session, with nothing kept for the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from viewer.picture.picture import Picture

if TYPE_CHECKING:
    from viewer.records.drawables import Drawable
    from viewer.session import Session


def present(session: Session) -> tuple[Drawable, ...]:
    """Return all that is to be seen of a session; for one picture after another, use a `Picture`."""
    return Picture().drawables(session)
