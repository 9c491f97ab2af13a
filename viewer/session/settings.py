"""What is shown beside the shapes, how far is near, and what it all looks like."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np

from collision.inner import read_margin
from viewer.records.events import Key, Pointer
from viewer.records.sizes import SCALES, checked_scale, round_length
from viewer.records.theme import LIGHT, THEMES, Theme, read_theme, scaled
from viewer.session.document import Document
from viewer.session.player import Player
from viewer.session.view import View

#: What is near at first: a round part of the scene's size, about this.
NEAR = 0.05

#: Round lengths, and the smallest and largest of their powers of ten that keys go to.
_ROUND, _POWERS = (1.0, 2.0, 5.0), 60


@dataclass(frozen=True)
class Toggles:
    """What is shown beside the shapes.

    Attributes
    ----------
    hud, legend, grid, labels, bar, help : bool
        The table, the legend, the ground, names and texts, the bar of buttons, the keys. Windows alone have the bar.
    contacts, normals : bool
        Of all that collide, or of those that the selection collides with.
    distances : bool
        Between all that are within the margin, or within it of the selection.
    boxes : bool
        The boxes of the broad phase, and which pairs it kept.
    ghost : bool
        The selected shape as it would be pushed out of what it is deepest in; the last step of an explanation shows it
        anyway.
    shadows : bool
        What solids throw on the ground, where that is shown, and on large boxes.
    see_through : bool
        Solids of which one sees what is behind and inside.
    visuals : bool
        What the links of a robot look like, where that was read, too.
    """

    hud: bool = True
    legend: bool = True
    grid: bool = True
    labels: bool = True
    bar: bool = False
    help: bool = False
    contacts: bool = False
    normals: bool = False
    distances: bool = False
    boxes: bool = False
    ghost: bool = False
    shadows: bool = True
    see_through: bool = False
    visuals: bool = True


class Settings:
    """Turns things on and off."""

    def __init__(self, document: Document, player: Player, view: View) -> None:
        self._document, self._player, self._view = document, player, view
        #: What is shown beside the shapes.
        self.toggles = Toggles()
        largest = 0.0 if document.extent is None else 2.0 * float(document.extent.half_extents.max())
        #: Shapes no further apart than this are near.
        self.margin = round_length(NEAR * largest) if largest > 0.0 else 1.0
        #: The theme with its text as large as usual.
        self.usual_theme = LIGHT
        #: How many times as large as usual all text is.
        self.scale = 1.0
        #: What it looks like, with its text as large as it is.
        self.theme = LIGHT

    def toggle(self, name: str) -> None:
        """Show or hide one of the things that `Toggles` lists, such as ``legend`` or ``normals``."""
        names = [field.name for field in fields(Toggles)]
        if name not in names:
            raise ValueError(f"there is {', '.join(names)} to show or hide, got {name!r}")
        on = not getattr(self.toggles, name)
        self.toggles = replace(self.toggles, **{name: on})
        self._document.touch()
        if on and name in ("contacts", "normals") and not len(self._player.scene.colliding_pairs()):
            self._document.say(f"{name} are shown where shapes collide: none do")

    def toggle_visuals(self) -> None:
        """Show or hide what the links of a robot look like, where that was read, too."""
        if self._document.model is None or not self._document.model.visuals:
            self._document.say("what links look like is shown of a robot that is opened with --visual")
        else:
            self.toggle("visuals")

    def set_margin(self, margin: float) -> None:
        """Say how far apart shapes may be to be near."""
        self.margin = read_margin(margin, "set_margin")
        self._document.touch()

    def change_margin(self, steps: int) -> None:
        """Make the margin so many round lengths larger, or smaller."""
        number = 0
        if self.margin > 0.0:
            power = int(np.floor(np.log10(round_length(self.margin)) + 1e-9))
            number = 3 * power + int(np.argmin([abs(self.margin / 10.0**power - part) for part in _ROUND]))
        number = min(max(number + steps, -3 * _POWERS), 3 * _POWERS)
        # As a text, so that it is the very number that is meant: 1e-05, not 0.1 ** 5.
        self.set_margin(float(f"{_ROUND[number % 3]:g}e{number // 3}"))

    def set_theme(self, theme: str | Theme) -> None:
        """Look different: a name from `viewer.records.theme.THEMES`, or a theme of one's own."""
        self.usual_theme = read_theme(theme)
        self._look()

    def next_theme(self) -> None:
        """Look like the next of the themes that have a name."""
        known = list(THEMES.values())
        self.set_theme(known[(known.index(self.usual_theme) + 1) % len(known) if self.usual_theme in known else 0])

    def set_scale(self, scale: float) -> None:
        """Have all text so many times as large as usual, from 0.5 to 4."""
        self.scale = checked_scale(scale)
        self._look()

    def change_scale(self, steps: int) -> None:
        """Make all text larger by so many steps, or smaller; by 0, as large as usual."""
        if not steps:
            self.set_scale(1.0)
            return
        others = [scale for scale in SCALES if (scale > self.scale) == (steps > 0) and scale != self.scale]
        if not others:
            raise ValueError(f"text is no {'larger' if steps > 0 else 'smaller'} than {self.scale:g} times the usual")
        self.set_scale(others[min(steps, len(others)) - 1] if steps > 0 else others[max(steps, -len(others))])

    def _look(self) -> None:
        self.theme = scaled(self.usual_theme, self.scale)
        self._document.touch()

    # -- the help -----------------------------------------------------------------------------------------------------

    def hide_help(self) -> None:
        """Hide the keys, which cover the middle of the picture."""
        if self.toggles.help:
            self.toggle("help")

    def press(self, _: Pointer) -> bool:
        """Hide the keys, and leave the mouse to others."""
        self.hide_help()
        return False

    def key(self, key: Key) -> bool:
        """Hide the keys where they are shown."""
        shown = self.toggles.help and key.name == "escape"
        if shown:
            self.hide_help()
        return shown
