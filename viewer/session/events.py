"""What the mouse and the keys do, and who hears of it: a list of listeners, in the order in which they are asked."""

from __future__ import annotations

from collections.abc import Callable
from math import hypot
from typing import NamedTuple

from viewer.session.keys import chord, typed

#: A press and a release this near to each other, in pixels of an ordinary screen, are a click and no drag.
CLICK_REACH = 4.0


class Mouse(NamedTuple):
    """Where the mouse is, in pixels from the lower left corner, and which keys are held with it."""

    x: float
    y: float
    shift: bool = False
    ctrl: bool = False
    #: Whether its button is down.
    down: bool = False

    @property
    def place(self) -> tuple[float, float]:
        """The pixel."""
        return self.x, self.y

    def is_near(self, place: tuple[float, float], scale: float) -> bool:
        """Tell whether it is so near to where it was pressed that this is a click."""
        return hypot(self.x - place[0], self.y - place[1]) < CLICK_REACH * scale


class Key(NamedTuple):
    """A key as a window system names it, and which keys are held with it.

    Examples
    --------
    >>> key = Key("Prior", alt=True)
    >>> key.name, key.chord, key.character, Key("z", shift=True).character
    ('page up', 'alt+page up', '', 'Z')
    """

    symbol: str
    shift: bool = False
    ctrl: bool = False
    alt: bool = False
    #: What it types, where the window system says so.
    text: str | None = None

    @property
    def name(self) -> str:
        """Its name without the keys that are held."""
        return chord(self.symbol)

    @property
    def chord(self) -> str:
        """Its name with the keys that are held, as the table of commands has it."""
        return chord(self.symbol, shift=self.shift, ctrl=self.ctrl, alt=self.alt)

    @property
    def character(self) -> str:
        """The character that it types; nothing for one that types none, or one that no line can hold, such as a tab."""
        text = typed(self.symbol, shift=self.shift) if self.text is None else self.text
        return text if text.isprintable() else ""


def _pass_on(_: object) -> bool:
    return False


class Listener(NamedTuple):
    """Somebody who hears of what the mouse and the keys do; each returns whether that was meant for them.

    `cancel` puts back what is in hand, and returns whether something was.
    """

    what: str
    press: Callable[[Mouse], bool] = _pass_on
    move: Callable[[Mouse], bool] = _pass_on
    release: Callable[[Mouse], bool] = _pass_on
    key: Callable[[Key], bool] = _pass_on
    cancel: Callable[[], bool] = lambda: False
