"""What is selected: by name, by the mouse, shape by shape, or pair by pair through the table of those that collide."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple, get_args

import numpy as np

from collision import Contacts, Scene, Shape, contact, signed_distance
from collision.inner import BoolArray, FloatArray, IntArray
from viewer.camera.elements import numbers_of
from viewer.camera.hiding import hiding, turned_to_see
from viewer.camera.outline import outline
from viewer.camera.picking import pick, pick_box
from viewer.gizmo import Axes, Part, Subject
from viewer.gizmo.changes import part_names
from viewer.records.events import Pointer
from viewer.session.document import Document
from viewer.session.joints import Joints
from viewer.session.pair_table import (
    Keys,
    NameOrder,
    Order,
    PairRows,
    matches,
    natural,
    row_of,
    table_rows,
)
from viewer.session.player import Player
from viewer.session.settings import Settings
from viewer.session.view import View


class _Focus(NamedTuple):
    """A pair that is looked at: what was selected then, and whether all else stands aside, or only what hides it."""

    pair: tuple[str, str]
    rest: bool
    selected: tuple[str, ...]


class Selection:
    """Chooses shapes of a document: those that are seen are those of the player, where the view shows them."""

    def __init__(self, document: Document, player: Player, view: View, settings: Settings, joints: Joints) -> None:
        self._document, self._player, self._view, self._settings = document, player, view, settings
        self._joints = joints
        self._part: Part = "body"
        #: Two opposite corners, in pixels, of the rectangle that is being drawn.
        self.box: tuple[tuple[float, float], tuple[float, float]] | None = None
        #: Whether the next drag beside the handles draws one.
        self._box_next = False
        self._focus: _Focus | None = None
        #: What names are to have for their pairs to be listed; nothing where all are.
        self.pair_filter = ""
        #: What the pairs are sorted by: ``depth``, the deepest or nearest first, or ``name``.
        self.pair_order: Order = "depth"
        #: The pair that was walked to last.
        self._walked: tuple[str, str] | None = None
        #: The place of the first row that is shown, and the pair that was selected when the table was scrolled last:
        #: any other one that is selected is kept in view.
        self._first = 0
        self._left: tuple[str, str] | None = None
        self._names = NameOrder((), "", (), np.zeros(0, np.int64))

    # -- by name -------------------------------------------------------------------------------------------------------

    def select(self, name: str | None, *, add: bool = False) -> None:
        """Select an entry or an element of a batch, or with `add` no longer if it was; None deselects."""
        if name is not None:
            self._document.scene.element_numbers(name)
        if not add:
            self.select_many([] if name is None else [name])
        elif name is not None:
            before, covering = self._document.selected, {name, name.partition("[")[0]}
            kept = [other for other in before if other not in covering]
            self.select_many([*kept, *([name] if len(kept) == len(before) else [])])

    def select_many(self, names: Iterable[str]) -> None:
        """Select these entries and elements, and no others; the last becomes the active one."""
        names, scene = tuple(dict.fromkeys(names)), self._document.scene
        for name in names:
            scene.element_numbers(name)
        self._document.interrupt()
        self._part = "body"
        # An element of an entry that is selected itself is so anyway.
        entries = {name for name in names if name in scene.shapes}
        self._document.choose(name for name in names if name in entries or name.partition("[")[0] not in entries)

    def deselect(self) -> None:
        """Select nothing."""
        self.select_many([])

    def select_all(self) -> None:
        """Select everything that is not hidden; of a batch in which something is hidden, the other elements."""
        self.select_many(self._document.shown_but([]))

    def invert(self) -> None:
        """Select what is neither selected nor hidden."""
        self.select_many(self._document.shown_but(self._document.selected))

    def walk(self, step: int, add: bool = False) -> None:
        """Select the next shape, or the previous one for a step of -1, in the place of the others or beside them."""
        scene, active = self._document.scene, self._document.active
        shown = np.sort(np.concatenate([np.zeros(0, dtype=np.int64), *(group.elements for group in scene.groups)]))
        if not len(shown):
            return
        if active is None:
            place = 0 if step > 0 else -1
        else:
            numbers = scene.element_numbers(active)
            place = int(np.searchsorted(shown, numbers.stop) if step > 0 else np.searchsorted(shown, numbers.start) - 1)
        name = scene.element_name(int(shown[place % len(shown)]))
        self.select_many([*(other for other in self._document.selected if add and other != name), name])

    # -- pairs ---------------------------------------------------------------------------------------------------------

    @property
    def pair(self) -> tuple[str, str] | None:
        """The two selected shapes, where there are just two single ones; the second is the active one."""
        names, scene = self._document.selected, self._document.scene
        if len(names) != 2 or any(len(scene.element_numbers(name)) != 1 for name in names):
            return None
        return names[0], names[1]

    # -- the table of pairs: what is listed ---------------------------------------------------------------------------

    @property
    def listed(self) -> Contacts:
        """The pairs that the table lists, those that the filter finds; sorted they are only in `pair_rows`."""
        contacts = self._all()
        if not self.pair_filter:
            return contacts
        return contacts.take(self._found(contacts.pairs))

    @property
    def pair_rows(self) -> PairRows:
        """The rows that are shown: the part that the table was scrolled to, or the one with the selected pair."""
        listed = self.listed
        first, count, marked = self._window(listed)
        shown = self._sorted(listed)[first : first + count].tolist()
        selected = shown.index(marked) if marked in shown else None
        return PairRows(listed.take(shown), first, len(listed), len(self._all()), selected)

    def filter_pairs(self, text: str) -> None:
        """List only pairs in which a name has this text; with a comma in it, a text for each of the two names."""
        if text.count(",") > 1:
            raise ValueError(f"a pair has two names: there can be one comma, got {text!r}")
        self.pair_filter, self._first = text.strip(), 0
        self._document.touch()

    def sort_pairs(self, order: Order) -> None:
        """Sort the pairs by ``depth`` or by ``name``."""
        if order not in get_args(Order):
            raise ValueError(f"pairs are sorted by {' or by '.join(get_args(Order))}, got {order!r}")
        self.pair_order, self._first, self._left = order, 0, None
        self._document.touch()

    def next_pair_order(self) -> None:
        """Sort the pairs by name, or again by depth."""
        self.sort_pairs("name" if self.pair_order == "depth" else "depth")

    def scroll_pairs(self, rows: int) -> None:
        """Show other rows: so many further down, or up for fewer than none."""
        first = self._window(self.listed)[0]
        self._first, self._left = first + rows, self.pair
        self._first = self._window(self.listed)[0]
        if self._first != first:
            self._document.touch()

    # -- the table of pairs: the walk ---------------------------------------------------------------------------------

    def walk_pairs(self, step: int) -> None:
        """Select and frame the next pair of the table, or the previous one for a step of -1; round and round.

        A pair that is no longer in the table keeps the place that it would have.
        """
        listed, scene = self.listed, self._player.scene
        if not len(listed):
            distances = self._settings.toggles.distances
            none = "no two shapes are within the margin" if distances else "no two shapes collide"
            self._document.say(
                f"no pair has {self.pair_filter!r} in its names" if self.pair_filter and len(self._all()) else none
            )
            return
        place = self._place(listed, self.pair or self._walked)
        first = 0 if step > 0 else len(listed) - 1
        number = first if place is None else int(np.floor(place) if step > 0 else np.ceil(place)) + step
        number %= len(listed)
        a, b = listed.pairs[self._sorted(listed)[number]].tolist()
        self.show_pair(scene.element_name(a), scene.element_name(b))

    def show_pair(self, a: str, b: str, time: float | None = None) -> None:
        """Select and frame two shapes, at a time if one is given, and fade what hides them.

        The eye goes round them, as high as before, only where the one hides the other.
        """
        if time is not None:
            self._player.scrub(time)
        self._first = self._window(self.listed)[0]
        self.select_many([a, b])
        self._walked, self._left = (a, b), None
        self.focus_on(a, b)
        scene, at = self._player.scene, self._view.viewport
        shown = [scene[a], scene[b]]
        touch, turn = contact(scene[a], scene[b]), turned_to_see(scene[a], scene[b], -at.forward)
        if self._settings.toggles.ghost and np.isfinite(touch.depth):  # what no move parts has no ghost
            shown.append(scene[b].translated(touch.depth * touch.normal))
        turn = np.eye(3) if turn is None else turn
        # Beside the panels: none must hide it.
        self._view.frame_boxes(outline(shown), turn @ -at.forward, up=turn @ at.up)

    def ignore_pair(self) -> None:
        """Never report the selected pair any more, as `Document.ignore` does.

        Raises
        ------
        ValueError
            If no two single shapes are selected, or they are ignored already.
        """
        if self.pair is None:
            raise ValueError("two shapes are to be selected: a pair of them is ignored")
        self._document.ignore(*self.pair)

    # -- what stands aside --------------------------------------------------------------------------------------------

    def focus_on(self, a: str, b: str, *, rest: bool = False) -> None:
        """Fade what lies between the eye and where two shapes meet, or all else, until something else is selected."""
        for name in (a, b):
            if len(self._document.scene.element_numbers(name)) != 1:
                raise ValueError(f"{name!r} is a batch: a pair is of single shapes, such as '{name}[0]'")
        self._focus = _Focus((a, b), rest, self._document.selected)
        self._document.touch()

    def unfocus(self) -> None:
        """Fade nothing any more."""
        self._focus = None
        self._document.touch()

    @property
    def faded(self) -> IntArray:
        """The numbers of the elements that stand aside just now, sorted."""
        focus, scene = self._focus, self._player.scene
        if focus is None or self._document.selected != focus.selected or any(name not in scene for name in focus.pair):
            return np.empty(0, np.int64)
        a, b = (scene.element_numbers(name)[0] for name in focus.pair)
        if focus.rest:
            numbers = np.arange(scene.element_count)
            return np.asarray(numbers[(numbers != a) & (numbers != b)])
        return hiding(scene, self._view.viewport, a, b)

    # -- by the mouse --------------------------------------------------------------------------------------------------

    def click(self, x: float, y: float, *, add: bool = False) -> str | None:
        """Select what is seen at a pixel, and return its name; where nothing is, deselect, unless there is to add."""
        name = pick(self._player.scene, self._view.viewport, x, y)
        self.select(name, add=add)
        return name

    def point_at(self, x: float, y: float) -> str | None:
        """Select what is seen at a pixel, unless it is selected already, and return its name; None for nothing."""
        scene = self._player.scene
        name = pick(scene, self._view.viewport, x, y)
        if name is not None:
            number = scene.element_numbers(name)[0]
            if not any(number in scene.element_numbers(other) for other in self._document.selected):
                self.select(name)
        return name

    # -- a rectangle --------------------------------------------------------------------------------------------------

    def select_box(self, start: tuple[float, float], end: tuple[float, float], *, add: bool = False) -> None:
        """Select what is in a rectangle of the picture as a whole, be it covered or not; its corners are pixels."""
        inside = pick_box(self._player.scene, self._view.viewport, start, end)
        kept = [name for name in self._document.selected if add and name not in inside]
        self.select_many([*kept, *inside])

    def draw_box(self) -> None:
        """Have the next drag draw a rectangle, wherever it starts, and select what is in it."""
        self._document.interrupt()
        self._box_next = True
        self._document.touch()

    def begin_box(self, x: float, y: float) -> None:
        """Begin a rectangle at a pixel."""
        self._document.interrupt()
        self.box = (x, y), (x, y)
        self._document.touch()

    # -- what is heard of ----------------------------------------------------------------------------------------------

    def press(self, mouse: Pointer) -> bool:
        """Begin a rectangle, if the next drag is to draw one; drop one that was not let go of."""
        if not self._box_next:
            self.cancel()
            return False
        self.begin_box(*mouse.place)
        return True

    def move(self, mouse: Pointer) -> bool:
        """Go on with the rectangle."""
        if self.box is None:
            return False
        self.box = self.box[0], mouse.place
        self._document.touch()
        return True

    def release(self, mouse: Pointer) -> bool:
        """Select what is in the rectangle."""
        if self.box is None:
            return False
        start = self.box[0]
        self.box, self._box_next = None, False
        self.select_box(start, mouse.place, add=mouse.shift)
        return True

    def cancel(self) -> bool:
        """Drop the rectangle; True when there was one, or was going to be."""
        if self.box is None and not self._box_next:
            return False
        self.box, self._box_next = None, False
        self._document.touch()
        return True

    # -- what handles are put on --------------------------------------------------------------------------------------

    @property
    def part(self) -> Part:
        """The part of the selection that carries the handles, and that nudges move."""
        return self._part if self._part in self.parts else "body"

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts of the selection that handles can be at; none where nothing is selected that has elements."""
        few = list(islice(self._shapes(self._document.scene), 2))
        return part_names(few[0]) if len(few) == 1 else ("body",) if few else ()

    @property
    def has_ends(self) -> bool:
        """Whether what is selected has an end, or a tip, that moves alone."""
        return len(self.parts) > 1

    def take_part(self, part: Part) -> None:
        """Have another part carry the handles."""
        self._part = part
        self._document.touch()

    def subject(self, scene: Scene, axes: Axes) -> Subject | None:
        """Return what handles are put on in a scene; None where nothing is selected that has elements."""
        names = self._document.nonempty
        if len(names) < 2 or not scene.hidden.isdisjoint(names):
            return Subject.of([scene[name] for name in names], axes) if names else None
        # Batches of what is selected: each of very many shapes would be asked for its box.
        taken = np.zeros(scene.element_count, dtype=bool)
        taken[numbers_of(scene, names)] = True
        chosen = [(shape, taken[elements]) for elements, shape in scene.groups]
        return Subject.of([*(shape[rows] for shape, rows in chosen if rows.any()), scene[names[-1]]], axes)

    # -- inside --------------------------------------------------------------------------------------------------------

    def _shapes(self, scene: Scene) -> Iterable[Shape]:
        return (shape for shape in map(scene.__getitem__, self._document.selected) if 0 not in shape.batch_shape)

    def _all(self) -> Contacts:
        distances = self._settings.toggles.distances
        return self._player.scene.contacts(margin=self._settings.margin if distances else 0.0)

    def _window(self, listed: Contacts) -> tuple[int, int, int | None]:
        """Return the place of the first row that is shown, how many are, and which of the pairs is selected."""
        count, total = table_rows(self._view.viewport.size[1], self._settings.theme.font_size), len(listed)
        # To say that there is one more takes as much room as that one.
        count += total == count + 1
        pair, first = self.pair, self._first
        marked = None if pair is None else row_of(self._player.scene, listed, pair)
        if marked is not None and pair != self._left:
            place = int(np.flatnonzero(self._sorted(listed) == marked)[0])
            first = min(max(first, place - count + 1), place)
        return min(max(first, 0), max(total - count, 0)), count, marked

    def _place(self, listed: Contacts, pair: tuple[str, str] | None) -> float | None:
        """Return where a pair is in the table; between two rows, where it is not; None where it is no more."""
        scene = self._player.scene
        if pair is None or any(name not in scene or scene[name].batch_shape for name in pair):
            return None
        row = row_of(scene, listed, pair)
        if row is not None:
            return float(np.flatnonzero(self._sorted(listed) == row)[0])
        a, b = sorted(scene.element_numbers(name)[0] for name in pair)
        pairs = np.vstack([listed.pairs, [[a, b]]])
        distance = np.append(listed.signed_distance, signed_distance(scene.element(a), scene.element(b)))
        order = np.lexsort(self._keys(pairs, distance))
        return float(np.flatnonzero(order == len(listed))[0]) - 0.5

    def _sorted(self, listed: Contacts) -> IntArray:
        """Return the rows of the pairs in their order; of equal ones the first comes first."""
        return np.lexsort(self._keys(listed.pairs, listed.signed_distance))

    def _keys(self, pairs: IntArray, distance: FloatArray) -> tuple[Keys, ...]:
        """Return the numbers that pairs are sorted by, the last ones first; those of two links stay together."""
        if self.pair_order == "name":
            rank = self._ranks().rank
            return (rank[pairs[:, 0]] * len(rank) + rank[pairs[:, 1]],)
        if not self._joints.links or not len(pairs):
            return (distance,)
        _, group = np.unique(np.sort(self._links()[pairs], axis=1), axis=0, return_inverse=True)
        deepest = np.full(len(pairs), np.inf)
        np.minimum.at(deepest, group.ravel(), distance)
        return distance, group.ravel(), deepest[group.ravel()]

    def _links(self) -> IntArray:
        """Return a number for the link of each element, and for each that is of none one of its own."""
        scene, links = self._player.scene, self._joints.links
        known: dict[str, int] = {}
        names = (links.get(scene.element_name(number), f"\0{number}") for number in range(scene.element_count))
        return np.array([known.setdefault(name, len(known)) for name in names], np.int64)

    def _found(self, pairs: IntArray) -> BoolArray:
        """Return which pairs the filter finds."""
        one, *others = self._ranks().found
        other = others[0] if others else np.ones_like(one)
        a, b = pairs.T
        return np.asarray((one[a] & other[b]) | (one[b] & other[a]))

    def _ranks(self) -> NameOrder:
        """Return what there is to know of the names of the scene, which moves do not change."""
        names, text = self._player.scene.element_names, self.pair_filter
        if (names, text) != self._names[:2]:
            found = tuple(matches(names, part.strip()) for part in text.split(","))
            rank = np.empty(len(names), np.int64)
            rank[sorted(range(len(names)), key=lambda number: natural(names[number]))] = np.arange(len(names))
            self._names = NameOrder(names, text, found, rank)
        return self._names
