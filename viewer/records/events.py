"""What the user does to a window, as data: a stage makes these records, and a session and the window read them."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import hypot
from typing import Literal, TypeAlias

from viewer.records.keys import chord, typed

Button: TypeAlias = Literal["left", "middle", "right"]

#: A press and a release this near to each other, in pixels of an ordinary screen, are a click and no drag.
CLICK_REACH = 4.0


@dataclass(frozen=True)
class Pointer:
    """The mouse: where it is in pixels, the origin lower left, and which button it is about (when moving: held)."""

    x: float
    y: float
    button: Button | None = None
    shift: bool = False
    ctrl: bool = False
    alt: bool = False

    @property
    def place(self) -> tuple[float, float]:
        """The pixel."""
        return self.x, self.y

    def is_near(self, place: tuple[float, float], scale: float) -> bool:
        """Tell whether it is so near to where it was pressed that this is a click."""
        return hypot(self.x - place[0], self.y - place[1]) < CLICK_REACH * scale


@dataclass(frozen=True)
class Wheel:
    """The wheel of the mouse has turned: by so many clicks forward, or back for fewer than none."""

    pointer: Pointer
    clicks: float


@dataclass(frozen=True)
class Key:
    """A key that went down, by the name that X11 and Tk give it, such as ``f``, ``Escape`` or ``Left``.

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
    #: The sign that it types, on the user's own keyboard; empty where it is unknown.
    text: str = field(default="", compare=False)

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
        text = self.text or typed(self.symbol, shift=self.shift)
        return text if text.isprintable() else ""


@dataclass(frozen=True)
class Closing:
    """The user wants the window closed; it stays open until `Stage.stop`."""


@dataclass(frozen=True)
class Timer:
    """Some time has passed since `Stage.wake_in` was called."""


@dataclass(frozen=True)
class Resized:
    """The picture has a new size in pixels."""

    width: int
    height: int
