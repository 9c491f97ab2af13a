"""The table of pairs: which it lists, in which order, what part of it is shown, and the walk from pair to pair."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from collision import Contacts, Scene, contact, signed_distance
from collision.inner import BoolArray, IntArray
from viewer.camera.hiding import turned_to_see
from viewer.camera.outline import outline
from viewer.records.words import size_of
from viewer.session.document import Document
from viewer.session.focus import Focus
from viewer.session.player import Player
from viewer.session.selection import Selection
from viewer.session.settings import Settings
from viewer.session.updates import Updates
from viewer.session.view import View

#: Rows of the table at most and at least. By heights of the text, in pixels of the picture: what is left without rows,
#: and how much there is to a row of the rest. In a small picture a long table would hide what it is about.
TABLE_ROWS, FEWEST_ROWS, NO_ROWS, ROW_HEIGHT = 8, 2, 14.0, 6.0

#: What pairs are sorted by.
Order = Literal["depth", "name"]

_Keys = npt.NDArray[np.float64] | npt.NDArray[np.int64]


def table_rows(height: int, font: float) -> int:
    """Return how many rows of the table a picture of this height has room for, in a text that is so high, in units."""
    return min(max(int((height / font - NO_ROWS) / ROW_HEIGHT), FEWEST_ROWS), TABLE_ROWS)


class PairRow(NamedTuple):
    """A row of the table: two names, how far apart they are, and whether they are what is selected."""

    a: str
    b: str
    signed_distance: float
    selected: bool


class PairRows(NamedTuple):
    """The rows that are shown: the place of the first, how many are listed, of how many, and how large places are."""

    rows: tuple[PairRow, ...]
    first: int
    listed: int
    all: int
    scale: float


class _Names(NamedTuple):
    """What was worked out of the names of a scene: which elements a filter finds, or their order by name."""

    names: tuple[str, ...]
    text: str
    found: tuple[BoolArray, ...]
    rank: IntArray


class PairTable:
    """Lists the pairs that collide, or all that are within the margin where distances are shown."""

    def __init__(
        self,
        document: Document,
        player: Player,
        view: View,
        settings: Settings,
        selection: Selection,
        focus: Focus,
        updates: Updates,
    ) -> None:
        self._document, self._player, self._view = document, player, view
        self._settings, self._selection, self._focus, self._updates = settings, selection, focus, updates
        self._filter = ""
        self._order: Order = "depth"
        #: The pair that was walked to last.
        self._walked: tuple[str, str] | None = None
        #: The place of the first row that is shown, and the pair that was selected when the table was scrolled last:
        #: any other one that is selected is kept in view.
        self._first = 0
        self._left: tuple[str, str] | None = None
        self._names = _Names((), "", (), np.zeros(0, np.int64))

    # -- what is listed ------------------------------------------------------------------------------------------------

    @property
    def listed(self) -> Contacts:
        """The pairs that the table lists, those that the filter finds; sorted they are only in `rows`."""
        contacts = self._all()
        if not self._filter:
            return contacts
        rows = np.flatnonzero(self._found(contacts.pairs))
        return Contacts(*(getattr(contacts, field.name)[rows] for field in fields(Contacts)))

    @property
    def rows(self) -> PairRows:
        """The rows that are shown: the part that the table was scrolled to, or the one with the selected pair."""
        scene, listed, pair = self._player.scene, self.listed, self._selection.pair
        first, count, marked = self._window(listed)
        rows, shown = [], _lowest(self._keys(listed), first + count)[first:]
        for row in shown.tolist():
            a, b = map(scene.element_name, listed.pairs[row].tolist())
            rows.append(PairRow(a, b, float(listed.signed_distance[row]), pair is not None and row == marked))
        return PairRows(tuple(rows), first, len(listed), len(self._all()), size_of(listed.point[shown]))

    @property
    def filter(self) -> str:
        """What names are to have for their pairs to be listed; nothing where all are."""
        return self._filter

    @property
    def order(self) -> Order:
        """What the pairs are sorted by: ``depth``, the deepest or nearest first, or ``name``."""
        return self._order

    def filter_pairs(self, text: str) -> None:
        """List only pairs in which a name has this text; with a comma in it, a text for each of the two names.

        Capitals do not matter; ``*`` stands for any characters, and ``?`` for one.

        Raises
        ------
        ValueError
            If there are more than two texts.
        """
        if text.count(",") > 1:
            raise ValueError(f"a pair has two names: there can be one comma, got {text!r}")
        self._filter, self._first = text.strip(), 0
        self._updates.touch()

    def sort_pairs(self, order: Order) -> None:
        """Sort the pairs by ``depth`` or by ``name``.

        Raises
        ------
        ValueError
            If it is neither.
        """
        if order not in get_args(Order):
            raise ValueError(f"pairs are sorted by {' or by '.join(get_args(Order))}, got {order!r}")
        self._order, self._first, self._left = order, 0, None
        self._updates.touch()

    def next_pair_order(self) -> None:
        """Sort the pairs by name, or again by depth."""
        self.sort_pairs("name" if self._order == "depth" else "depth")

    def scroll_pairs(self, rows: int) -> None:
        """Show other rows: so many further down, or up for fewer than none."""
        first = self._window(self.listed)[0]
        self._first, self._left = first + rows, self._selection.pair
        self._first = self._window(self.listed)[0]
        if self._first != first:
            self._updates.touch()

    # -- the walk ------------------------------------------------------------------------------------------------------

    def walk_pairs(self, step: int) -> None:
        """Select and frame the next pair of the table, or the previous one for a step of -1; round and round.

        The walk goes on from the pair that is selected, or else from the last one walked to. Where that is no longer in
        the table, it goes on from the place that it would have.
        """
        listed, scene = self.listed, self._player.scene
        if not len(listed):
            distances = self._settings.toggles.distances
            none = "no two shapes are within the margin" if distances else "no two shapes collide"
            self._updates.say(
                f"no pair has {self._filter!r} in its names" if self._filter and len(self._all()) else none
            )
            return
        place = self._place(listed, self._selection.pair or self._walked)
        first = 0 if step > 0 else len(listed) - 1
        number = first if place is None else int(np.floor(place) if step > 0 else np.ceil(place)) + step
        number %= len(listed)
        a, b = listed.pairs[_lowest(self._keys(listed), number + 1)[number]].tolist()
        self.show_pair(scene.element_name(a), scene.element_name(b))

    def show_pair(self, a: str, b: str) -> None:
        """Select and frame two shapes from the side where the eye is, and fade what hides them.

        The eye goes round them, as high as before, only where the one hides the other.

        Raises
        ------
        KeyError
            If there is no such shape.
        """
        self._first = self._window(self.listed)[0]
        self._selection.select_many([a, b])
        self._walked, self._left = (a, b), None
        self._focus.focus_on(a, b)
        scene, at = self._player.scene, self._view.viewport
        shown = [scene[a], scene[b]]
        touch, turn = contact(scene[a], scene[b]), turned_to_see(scene[a], scene[b], -at.forward)
        if self._settings.toggles.ghost and np.isfinite(touch.depth):  # what no move parts has no ghost
            shown.append(scene[b].translated(touch.depth * touch.normal))
        turn = np.eye(3) if turn is None else turn
        # Beside the panels: none must hide it.
        self._view.frame_boxes(outline(shown), turn @ -at.forward, up=turn @ at.up)

    # -- inside --------------------------------------------------------------------------------------------------------

    def _all(self) -> Contacts:
        distances = self._settings.toggles.distances
        return self._player.scene.contacts(margin=self._settings.margin if distances else 0.0)

    def _window(self, listed: Contacts) -> tuple[int, int, int | None]:
        """Return the place of the first row that is shown, how many are, and which of the pairs is selected."""
        count, total = table_rows(self._view.viewport.size[1], self._settings.theme.font_size), len(listed)
        # To say that there is one more takes as much room as that one.
        count += total == count + 1
        pair, first = self._selection.pair, self._first
        marked = None if pair is None else _row_of(self._player.scene, listed, pair)
        if marked is not None and pair != self._left:
            place = _place_of(self._keys(listed), marked)
            first = min(max(first, place - count + 1), place)
        return min(max(first, 0), max(total - count, 0)), count, marked

    def _place(self, listed: Contacts, pair: tuple[str, str] | None) -> float | None:
        """Return where a pair is in the table; between two rows, where it is not; None where it is no more."""
        scene = self._player.scene
        if pair is None or any(name not in scene or scene[name].batch_shape for name in pair):
            return None
        row, keys = _row_of(scene, listed, pair), self._keys(listed)
        if row is not None:
            return float(_place_of(keys, row))
        a, b = sorted(scene.element_numbers(name)[0] for name in pair)
        rank = self._ranks().rank if self._order == "name" else None
        own = signed_distance(scene.element(a), scene.element(b)) if rank is None else rank[a] * len(rank) + rank[b]
        return float(np.count_nonzero(keys < own)) - 0.5

    def _keys(self, listed: Contacts) -> _Keys:
        """Return the numbers that pairs are sorted by."""
        if self._order == "depth":
            return listed.signed_distance
        rank = self._ranks().rank
        return rank[listed.pairs[:, 0]] * len(rank) + rank[listed.pairs[:, 1]]

    def _found(self, pairs: IntArray) -> BoolArray:
        """Return which pairs the filter finds."""
        one, *others = self._ranks().found
        other = others[0] if others else np.ones_like(one)
        a, b = pairs.T
        return np.asarray((one[a] & other[b]) | (one[b] & other[a]))

    def _ranks(self) -> _Names:
        """Return what there is to know of the names of the scene, which moves do not change."""
        names, text = self._player.scene.element_names, self._filter
        if (names, text) != self._names[:2]:
            found = tuple(_matches(names, part.strip()) for part in text.split(","))
            rank = np.empty(len(names), np.int64)
            rank[sorted(range(len(names)), key=lambda number: _natural(names[number]))] = np.arange(len(names))
            self._names = _Names(names, text, found, rank)
        return self._names


def _matches(names: tuple[str, ...], text: str) -> BoolArray:
    """Return which names have a text in them; * stands for any characters, ? for one."""
    parts = [re.escape(part).replace(r"\?", ".") for part in text.split("*")]
    pattern = re.compile("".join(f"(?>.*?{part})" for part in parts), re.IGNORECASE)  # each where it is first found
    return np.fromiter(map(bool, map(pattern.match, names)), bool, len(names))


def _natural(name: str) -> list[tuple[int, str]]:
    """Return what names are sorted by: numbers in them by their size."""
    return [(int(part), "") if part.isdecimal() else (-1, part.lower()) for part in re.split(r"(\d+)", name)]


def _lowest(keys: _Keys, count: int) -> IntArray:
    """Return the places of so many of the lowest numbers, in order; of equal ones the first."""
    few = np.arange(len(keys))
    if 0 < count < len(keys):
        few = np.flatnonzero(keys <= np.partition(keys, count - 1)[count - 1])
    return np.asarray(few[np.argsort(keys[few], kind="stable")][:count])


def _place_of(keys: _Keys, row: int) -> int:
    """Return the place of a row when all are sorted."""
    return int(np.count_nonzero(keys < keys[row]) + np.count_nonzero(keys[:row] == keys[row]))


def _row_of(scene: Scene, contacts: Contacts, pair: tuple[str, str]) -> int | None:
    """Return the row of a pair among contacts."""
    numbers = sorted(scene.element_numbers(name)[0] for name in pair)
    rows = np.flatnonzero((contacts.pairs == numbers).all(axis=1))
    return int(rows[0]) if len(rows) else None
