"""What tests of sessions and windows have in common: keys, texts, panels, and red in pictures."""

from __future__ import annotations

import numpy as np

from viewer.picture.drawables import Panel
from viewer.picture.present import present
from viewer.session import Session


def chord(session: Session, text: str) -> None:
    """Press keys together, such as ``ctrl+z``."""
    *held, symbol = text.split("+")
    assert session.key(symbol, **dict.fromkeys(held, True))


def write(session: Session, text: str) -> None:
    """Type a text into what is asked."""
    for character in text:
        session.key(character, text=character)


def pixel(session: Session, *point: float) -> tuple[float, float]:
    """Return where a point is in the picture of a session."""
    x, y = session.viewport.project(np.array(point))[0]
    return float(x), float(y)


def panel(session: Session, corner: str) -> Panel:
    """Return the first panel in a corner of the picture of a session."""
    return next(d for d in present(session) if isinstance(d, Panel) and d.corner == corner)


def red_pixels(image: np.ndarray) -> int:
    """Count what is clearly red: the amber of a selection and the brown of shaded amber are not."""
    red, green, blue = np.moveaxis(image.astype(int), -1, 0)
    return int(np.sum((red > 110) & (red > 2 * green) & (red > 2 * blue)))
