"""The pair of shapes that is looked at: the two that are selected, and the walk through the table of pairs."""

from __future__ import annotations

import numpy as np

from collision import AABB, Contacts, Scene, contact, signed_distance
from collision.inner import IntArray
from viewer.session.editing import Editing
from viewer.view.framing import clearest_side
from viewer.view.outline import outline


class Pairing(Editing):
    """The layer of a session that knows of pairs."""

    def __init__(self, scene: Scene, size: tuple[int, int], view: str | None, extent: AABB | None) -> None:
        super().__init__(scene, size, view, extent)
        self._walked: tuple[str, str] | None = None

    @property
    def pair(self) -> tuple[str, str] | None:
        """The two selected shapes, where there are just two single ones; the second is the active one."""
        if len(self.selected) != 2 or any(len(self.scene.element_numbers(name)) != 1 for name in self.selected):
            return None
        return self.selected[0], self.selected[1]

    @property
    def listed(self) -> Contacts:
        """The pairs that the table lists, the deepest first: those that collide, or all that are within the margin."""
        return self.scene.contacts(margin=self.margin if self.toggles.distances else 0.0)

    def walk_pairs(self, step: int) -> None:
        """Select and frame the next pair of the table, or the previous one for a step of -1; round and round.

        The walk goes on from the pair that is selected, or else from the last one walked to. Where that is no longer in
        the table, it goes on from the place that it would have by its signed distance.
        """
        listed = self.listed
        if not len(listed):
            self.say("no two shapes are within the margin" if self.toggles.distances else "no two shapes collide")
            return
        count = len(listed)
        order = listed.deepest(count)
        place = self._place(listed, order, self.pair or self._walked)
        first = 0 if step > 0 else count - 1
        number = first if place is None else int(np.floor(place) if step > 0 else np.ceil(place)) + step
        row = order[number % count]
        self.show_pair(*(self.scene.element_name(int(element)) for element in listed.pairs[row]))

    def show_pair(self, a: str, b: str) -> None:
        """Select and frame two shapes.

        Raises
        ------
        KeyError
            If there is no such shape.
        """
        self._walked = (a, b)
        self.select_many([a, b])
        at, found = self.viewport, contact(self.scene[a], self.scene[b])
        shown = [self.scene[a], self.scene[b]]
        if self.toggles.ghost and np.isfinite(found.depth):  # what no move parts has no ghost
            shown.append(self.scene[b].translated(found.depth * found.normal))
        boxes = outline(shown)
        side = clearest_side(self.scene, (a, b), -at.forward)
        up = at.up if side is None else None
        # Beside the panels: the table, which grows with what it says of the pair, must not hide it.
        self.set_camera(self._framed(boxes, -at.forward if side is None else side, up=up, lens=at.camera))

    def _place(self, listed: Contacts, order: IntArray, pair: tuple[str, str] | None) -> float | None:
        """Return where a pair is in the table; between two rows, where it is not; None where it is no more."""
        if pair is None or any(name not in self.scene or self.scene[name].batch_shape for name in pair):
            return None
        numbers = sorted(self.scene.element_numbers(name)[0] for name in pair)
        rows = np.flatnonzero((listed.pairs[order] == numbers).all(axis=1))
        if len(rows):
            return float(rows[0])
        a, b = (self.scene.element(number) for number in numbers)
        return float(np.searchsorted(listed.signed_distance[order], signed_distance(a, b))) - 0.5
