"""The pair of shapes that is looked at: the two that are selected, and the walk through the table of pairs."""

from __future__ import annotations

import numpy as np

from collision import Contacts, contact, signed_distance
from collision.inner import IntArray
from viewer.session.document import Document
from viewer.session.player import Player
from viewer.session.selection import Selection
from viewer.session.settings import Settings
from viewer.session.updates import Updates
from viewer.session.view import View
from viewer.view.framing import clearest_side
from viewer.view.outline import outline


class Pairs:
    """Walks through the pairs of a scene."""

    def __init__(
        self,
        document: Document,
        selection: Selection,
        player: Player,
        view: View,
        settings: Settings,
        updates: Updates,
    ) -> None:
        self._document, self._selection, self._player = document, selection, player
        self._view, self._settings, self._updates = view, settings, updates
        self._walked: tuple[str, str] | None = None

    @property
    def pair(self) -> tuple[str, str] | None:
        """The two selected shapes, where there are just two single ones; the second is the active one."""
        names, scene = self._document.selected, self._document.scene
        if len(names) != 2 or any(len(scene.element_numbers(name)) != 1 for name in names):
            return None
        return names[0], names[1]

    @property
    def listed(self) -> Contacts:
        """The pairs that the table lists, the deepest first: those that collide, or all that are within the margin."""
        distances = self._settings.toggles.distances
        return self._player.scene.contacts(margin=self._settings.margin if distances else 0.0)

    def walk_pairs(self, step: int) -> None:
        """Select and frame the next pair of the table, or the previous one for a step of -1; round and round.

        The walk goes on from the pair that is selected, or else from the last one walked to. Where that is no longer in
        the table, it goes on from the place that it would have by its signed distance.
        """
        listed, scene = self.listed, self._player.scene
        if not len(listed):
            distances = self._settings.toggles.distances
            self._updates.say("no two shapes are within the margin" if distances else "no two shapes collide")
            return
        count = len(listed)
        order = listed.deepest(count)
        place = self._place(listed, order, self.pair or self._walked)
        first = 0 if step > 0 else count - 1
        number = first if place is None else int(np.floor(place) if step > 0 else np.ceil(place)) + step
        a, b = listed.pairs[order[number % count]].tolist()
        self.show_pair(scene.element_name(a), scene.element_name(b))

    def show_pair(self, a: str, b: str) -> None:
        """Select and frame two shapes.

        Raises
        ------
        KeyError
            If there is no such shape.
        """
        self._walked = (a, b)
        self._selection.select_many([a, b])
        scene, at = self._player.scene, self._view.viewport
        touch = contact(scene[a], scene[b])
        shown = [scene[a], scene[b]]
        if self._settings.toggles.ghost and np.isfinite(touch.depth):  # what no move parts has no ghost
            shown.append(scene[b].translated(touch.depth * touch.normal))
        side = clearest_side(scene, (a, b), -at.forward)
        # Beside the panels: the table, which grows with what it says of the pair, must not hide it.
        self._view.frame_boxes(
            outline(shown), -at.forward if side is None else side, up=at.up if side is None else None
        )

    def _place(self, listed: Contacts, order: IntArray, pair: tuple[str, str] | None) -> float | None:
        """Return where a pair is in the table; between two rows, where it is not; None where it is no more."""
        scene = self._player.scene
        if pair is None or any(name not in scene or scene[name].batch_shape for name in pair):
            return None
        numbers = sorted(scene.element_numbers(name)[0] for name in pair)
        rows = np.flatnonzero((listed.pairs[order] == numbers).all(axis=1))
        if len(rows):
            return float(rows[0])
        a, b = (scene.element(number) for number in numbers)
        return float(np.searchsorted(listed.signed_distance[order], signed_distance(a, b))) - 0.5
