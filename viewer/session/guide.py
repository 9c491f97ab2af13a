"""The first minute: a line that says the next thing to do, and goes on when it is done."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from collision import AABB, Capsule, ConvexHull, Cylinder, HalfSpace, OrientedBox, Scene, Sphere
from collision.inner import Elements
from viewer.records.events import Key
from viewer.session.dialog import PICTURE_TITLE, Dialog
from viewer.session.document import Document
from viewer.session.explaining import Explaining
from viewer.session.manipulation import Manipulation
from viewer.session.player import Player
from viewer.session.selection import Selection
from viewer.session.settings import Settings

_SOLIDS = (Sphere, Capsule, Cylinder, AABB, OrientedBox, ConvexHull)


class _Seen(NamedTuple):
    """What there was when a step began, and what could be dragged best."""

    scene: Scene
    pair: tuple[str, str] | None
    time: float
    drag: str


class _GuideStep(NamedTuple):
    """A thing to do: whether there is something to do it with, what it is, and whether it is done."""

    applies: Callable[[], bool]
    text: Callable[[], str]
    done: Callable[[], bool]


class Guide:
    """Leads through the first minute, step by step; each follows from what the other parts say."""

    def __init__(
        self,
        document: Document,
        player: Player,
        settings: Settings,
        selection: Selection,
        manipulation: Manipulation,
        explaining: Explaining,
        dialog: Dialog,
    ) -> None:
        self._document, self._player, self._settings, self._selection = document, player, settings, selection
        self._tool, self._explaining, self._dialog = manipulation.tool, explaining, dialog
        self._steps = (
            _GuideStep(self._can_drag, self._drag, self._changed),
            _GuideStep(self._collides, lambda: "Press ] for a pair that collides, again for the next.", self._walked),
            _GuideStep(
                lambda: explaining.can_explain, lambda: "Shift+E explains an answer, step by step.", self._explains
            ),
            _GuideStep(lambda: bool(manipulation.inspector.fields), self._type, self._types),
            _GuideStep(lambda: True, lambda: "Ctrl+P saves a picture.", self._saves),
        )
        #: The step that is shown: none before it begins, and none after the last.
        self._number = -1
        self._seen = _Seen(document.scene, None, player.time, "")
        self._ticked = ""

    @property
    def ticked(self) -> str:
        """What was done just now, to be shown with a tick before the next thing to do."""
        return self._ticked

    def go_on(self) -> None:
        """Show the next thing to do in the place of what was done."""
        self._ticked = ""
        self._document.touch()

    @property
    def text(self) -> str:
        """What to do next; nothing where nobody is led."""
        if not 0 <= self._number < len(self._steps):
            return ""
        return self._steps[self._number].text()

    @property
    def over(self) -> bool:
        """Whether somebody was led to the end, or did not want to be."""
        return self._number >= len(self._steps)

    def begin(self) -> None:
        """Begin with the first thing to do."""
        self._go_to(0)

    def end(self) -> None:
        """Lead no further, for good."""
        self._ticked = ""
        self._go_to(len(self._steps))

    def follow(self) -> None:
        """Go on where a step is done, or can no longer be done; to be called when something has changed."""
        while self.text and not self._document.held and self._is_over(self._steps[self._number]):
            if self._steps[self._number].done():
                self._ticked = self.text
            self._go_to(self._number + 1)

    def key(self, key: Key) -> bool:
        """End it by Escape, where that has nothing else to end."""
        idle = not (self._document.held or self._document.selected)
        if (self.text or self.ticked) and idle and key.chord == "escape":
            self.end()
            return True
        return False

    # -- inside -------------------------------------------------------------------------------------------------------

    def _is_over(self, step: _GuideStep) -> bool:
        return step.done() or not step.applies()

    def _go_to(self, number: int) -> None:
        self._number = number
        self._seen = _Seen(self._document.scene, self._selection.pair, self._player.time, self._best_drag())
        self._document.touch()

    def _best_drag(self) -> str:
        """Say what to drag: what the caption does, or else a shape; nothing where there is none.

        It is the last solid that collides with nothing yet, if there is one: what comes first is often what others
        stand on. No ignored pair names it, as these are mostly the parts of one whole.
        """
        scene = self._document.scene
        task = scene.caption.partition("Try: ")[2].partition(". ")[0].removesuffix(".")
        if "drag" in task:
            return f"{task[0].upper()}{task[1:]}."
        elements, red, parts = Elements(scene.shapes), *np.zeros((2, scene.element_count), bool)
        red[self._player.scene.colliding_pairs()] = True
        for name in {name for pair in scene.ignored for name in pair}:
            parts |= elements.mask(name)
        loose = [name for name in self._draggable if not parts[_slice(scene, name)].any()]
        calm = [name for name in reversed(loose) if not red[_slice(scene, name)].any()]
        solid = [name for name in calm if isinstance(scene[name], _SOLIDS)]
        shape = next(iter([*solid, *calm, *loose]), None)
        if shape is None:
            return ""
        single = shape in calm and len(scene.element_numbers(shape)) == 1
        nearest = self._player.scene.nearest_element(shape) if single else None
        into = "" if nearest is None or red[nearest] else f" into {scene.element_name(nearest)}"
        return f"Drag {shape}{into}."

    @property
    def _draggable(self) -> list[str]:
        shapes = self._document.scene.shapes.items()
        hidden = self._document.hidden
        return [name for name, shape in shapes if name not in hidden and not isinstance(shape, HalfSpace)]

    def _can_drag(self) -> bool:
        return bool(self._draggable and self._seen.drag)

    def _drag(self) -> str:
        unlock = "Press Shift+L, which unlocks the shapes. " if self._tool.locked else ""
        return f"{unlock}{self._seen.drag} What overlaps is {self._settings.theme.hit_color}."

    def _collides(self) -> bool:
        return len(self._player.scene.colliding_pairs()) > 0

    def _changed(self) -> bool:
        return self._document.settled is not self._seen.scene or self._player.time != self._seen.time

    def _walked(self) -> bool:
        pair = self._selection.pair
        return pair is not None and pair != self._seen.pair

    def _explains(self) -> bool:
        return self._explaining.active

    def _type(self) -> str:
        if self._explaining.active:  # its card is where that of the selection was
            return "The keys . and , go from step to step; Shift+E ends it."
        return "Click a number of the card, and type another."

    def _types(self) -> bool:
        asked = self._dialog.prompt
        return asked is not None and asked.place.startswith("card")

    def _saves(self) -> bool:
        asked = self._dialog.prompt
        return asked is not None and asked.title == PICTURE_TITLE


def _slice(scene: Scene, name: str) -> slice:
    numbers = scene.element_numbers(name)
    return slice(numbers.start, numbers.stop)
