"""The panel of the joints of a robot: which of them it shows, which one is chosen, and the keys that go there."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from viewer.records.events import Key, Pointer
from viewer.records.sizes import unit_of
from viewer.session.document import Document
from viewer.session.joints import Joints
from viewer.session.pair_table import matches
from viewer.session.settings import Settings
from viewer.session.view import View

#: Rows of the panel at least; the part of the picture's height that they take at most, and the height of one in heights
#: of the text.
FEWEST, SHARE, ROW = 3, 0.5, 1.5

#: How far a key turns or slides a joint: in degrees, or as a part of its track; with Shift and with Ctrl so many times.
_STEP, _PART, _FAR, _FINE = 1.0, 0.01, 10.0, 0.1

#: The keys that go to other joints, and how far; and those that move the chosen one.
_ROWS, _STEPS = {"up": -1, "down": 1, "page up": -10, "page down": 10}, {"left": -1.0, "right": 1.0}


class Sliders:
    """Shows the joints, and takes keys for the one that is chosen."""

    def __init__(self, document: Document, view: View, settings: Settings, joints: Joints) -> None:
        self._document, self._view, self._settings = document, view, settings
        self.joints = joints
        #: Whether the panel is shown, and whether the keys go there.
        self.shown = self.listens = False
        #: What names are to have to be listed; nothing where all are.
        self.filter = ""
        self._chosen, self._first = "", 0

    @property
    def listed(self) -> Sequence[str]:
        """The names of the joints that the panel lists."""
        names = tuple(self.joints.numbers)
        found = matches(names, self.filter) if self.filter else np.ones(len(names), bool)
        return [name for name, is_found in zip(names, found, strict=True) if is_found]

    @property
    def window(self) -> tuple[int, Sequence[str]]:
        """The place of the first joint that there is room for, and the names of all those."""
        listed, size = self.listed, self._view.viewport.size
        line = ROW * self._settings.theme.font_size * unit_of(size)
        count = max(int(SHARE * size[1] / line), FEWEST)
        first = min(max(self._first, 0), max(len(listed) - count, 0))
        return first, listed[first : first + count]

    @property
    def chosen(self) -> str:
        """The name of the joint that keys move: the first one listed, until one is chosen."""
        listed = self.listed
        return self._chosen if self._chosen in listed else listed[0] if listed else ""

    # -- what is shown ------------------------------------------------------------------------------------------------

    def show(self) -> None:
        """Show the panel, with the robot beside it, and have the keys go there."""
        if not self.joints.numbers:
            raise ValueError("this scene is no robot with joints")
        if not self.shown:
            self._view.show_beside(self._document.scene.shapes.values())
        self.shown = self.listens = True
        self._document.touch()

    def switch(self) -> None:
        """Show the panel, or hide it."""
        if self.shown:
            self.shown = self.listens = False
            self._view.end_beside(self._document.scene.shapes.values())
            self._document.touch()
        else:
            self.show()

    def filter_joints(self, text: str) -> None:
        """List only joints whose names have a text in them."""
        self.filter, self._first = text.strip(), 0
        self._document.touch()

    def scroll(self, rows: int) -> None:
        """Show other rows: so many further down, or up for fewer than none."""
        self._first = self.window[0] + rows
        self._first = self.window[0]
        self._document.touch()

    def choose(self, name: str) -> None:
        """Have the keys move a joint, and show it."""
        self.joints.number(name)
        self.show()
        if name not in self.listed:
            self.filter = ""
        self._chosen = name
        place, (first, seen) = self.listed.index(name), self.window
        self._first = min(max(first, place - len(seen) + 1), place)

    def step(self, steps: int) -> None:
        """Choose another joint of those that are listed: so many further down, or up for fewer than none."""
        listed = self.listed
        if listed:
            place = listed.index(self.chosen) + steps
            self.choose(listed[place % len(listed) if abs(steps) == 1 else min(max(place, 0), len(listed) - 1)])

    # -- what is heard of ----------------------------------------------------------------------------------------------

    def press(self, _: Pointer) -> bool:
        """Have the keys go elsewhere, and leave the mouse to others: it has been pressed beside the panel."""
        if self.listens:
            self.listens = False
            self._document.touch()
        return False

    def types(self, key: Key) -> str | None:
        """Return what a key types of the value of the chosen joint: nothing yet for Enter, None for other keys."""
        if not (self.shown and self.listens and self.chosen) or key.ctrl or key.alt:
            return None
        if key.name in ("return", "enter"):
            return ""
        return key.character if key.character.isdigit() or key.character in ("-", ".") else None

    def key(self, key: Key) -> bool:
        """Take a key for the panel: arrows go through the joints and move the chosen one; Esc gives the keys back."""
        if not (self.shown and self.listens) or key.alt or self.joints.dragging:
            return False
        if key.name == "escape":
            self.listens = False
            self._document.touch()
            return True
        name = self.chosen
        if not name:
            return False
        if key.name in _ROWS and not (key.ctrl or key.shift):
            self.step(_ROWS[key.name])
        elif key.name in _STEPS:
            self._document.say("")
            try:
                self._move(name, _STEPS[key.name] * (_FAR if key.shift else _FINE if key.ctrl else 1.0))
            except ValueError as error:
                self._document.say(str(error))
        else:
            return False
        return True

    def _move(self, name: str, steps: float) -> None:
        one, value = self.joints.number(name), self.joints.values[name]
        lower, upper = self.joints.track(name)
        step = math.radians(_STEP) if one.angle else _PART * (upper - lower)
        self.joints.set(name, one.clipped(one.rounded(value + steps * step)))
