"""What is selected: chosen by name or by the mouse, walked through shape by shape."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

import numpy as np

from collision import Scene, Shape
from viewer.camera.elements import numbers_of
from viewer.camera.picking import pick, pick_box
from viewer.gizmo import Axes, Part, Subject
from viewer.gizmo.changes import part_names
from viewer.records.drawables import Drawable, Patch, Role, Stroke
from viewer.records.events import Pointer
from viewer.session.document import Document
from viewer.session.player import Player
from viewer.session.updates import Updates
from viewer.session.view import View


class Selection:
    """Chooses shapes of a document: those that are seen are those of the player, where the view shows them."""

    def __init__(self, document: Document, player: Player, view: View, updates: Updates) -> None:
        self._document, self._player, self._view, self._updates = document, player, view, updates
        self._part: Part = "body"
        self._box: tuple[tuple[float, float], tuple[float, float]] | None = None
        self._box_next = False

    # -- by name -------------------------------------------------------------------------------------------------------

    def select(self, name: str | None, *, add: bool = False) -> None:
        """Select an entry or an element of a batch; None deselects.

        Parameters
        ----------
        name : str or None
            What to select.
        add : bool
            Whether all else that is selected stays so. What was selected already is then no longer.

        Raises
        ------
        KeyError
            If there is no such shape.
        """
        if name is not None:
            self._document.scene.element_numbers(name)
        if not add:
            self.select_many([] if name is None else [name])
        elif name is not None:
            before, covering = self._document.selected, {name, name.partition("[")[0]}
            kept = [other for other in before if other not in covering]
            self.select_many([*kept, *([name] if len(kept) == len(before) else [])])

    def select_many(self, names: Iterable[str]) -> None:
        """Select these entries and elements, and no others; the last becomes the active one.

        Raises
        ------
        KeyError
            If there is no such shape.
        """
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
        self.select_many(self.shown_but([]))

    def invert_selection(self) -> None:
        """Select what is neither selected nor hidden."""
        self.select_many(self.shown_but(self._document.selected))

    def shown_but(self, names: Iterable[str]) -> list[str]:
        """Return the names of all that is neither hidden nor named: of entries, or elements where only some are."""
        scene = self._document.scene
        out = {*scene.hidden, *names}
        gone = {number for name in out for number in scene.element_numbers(name)}
        shown: list[str] = []
        for entry in scene:
            numbers = scene.element_numbers(entry)
            if gone.isdisjoint(numbers):
                shown.append(entry)
            else:
                shown += [scene.element_name(number) for number in numbers if number not in gone]
        return [name for name in shown if name not in out]

    def walk(self, step: int, add: bool = False) -> None:
        """Select the next shape, or the previous one for a step of -1; round and round.

        Parameters
        ----------
        step : int
            1 or -1.
        add : bool
            Whether all else that is selected stays so; one that was selected before becomes the active one.
        """
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

    @property
    def box(self) -> tuple[tuple[float, float], tuple[float, float]] | None:
        """Two opposite corners, in pixels, of the rectangle that is being drawn."""
        return self._box

    @property
    def box_next(self) -> bool:
        """Whether the next drag beside the handles draws a rectangle."""
        return self._box_next

    def select_box(self, start: tuple[float, float], end: tuple[float, float], *, add: bool = False) -> None:
        """Select what is in a rectangle of the picture as a whole, be it covered or not.

        A shape is in it if none of it reaches over an edge; a ray or a line if the point is in it that it is given by.

        Parameters
        ----------
        start, end : tuple of 2 floats
            Two opposite corners, in pixels from the lower left corner of the picture.
        add : bool
            Whether all else that is selected stays so.
        """
        inside = pick_box(self._player.scene, self._view.viewport, start, end)
        kept = [name for name in self._document.selected if add and name not in inside]
        self.select_many([*kept, *inside])

    def draw_box(self) -> None:
        """Have the next drag draw a rectangle, wherever it starts, and select what is in it."""
        self._document.interrupt()
        self._box_next = True
        self._updates.touch()

    def begin_box(self, x: float, y: float) -> None:
        """Begin a rectangle at a pixel."""
        self._document.interrupt()
        self._box = (x, y), (x, y)
        self._updates.touch()

    def stretch_box(self, x: float, y: float) -> bool:
        """Go on with the rectangle to a pixel; True when there is one."""
        if self._box is None:
            return False
        self._box = self._box[0], (x, y)
        self._updates.touch()
        return True

    def end_box(self, *, add: bool = False) -> None:
        """Select what is in the rectangle."""
        box = self._box
        if box is not None:
            self._box, self._box_next = None, False
            self.select_box(*box, add=add)

    @property
    def box_marks(self) -> tuple[Drawable, ...]:
        """The rectangle as it is drawn; nothing without one."""
        if self._box is None:
            return ()
        (left, low), (right, high) = self._box
        at = self._view.viewport
        rays = at.ray([left, right, right, left], [low, low, high, high])
        # At the depth that the camera aims at, where it is neither too near to be drawn nor too far.
        away = (np.array(at.camera.target) - at.eye) @ at.forward
        # All rays have one origin in perspective, and one direction in a parallel projection.
        origin, direction = np.broadcast_arrays(rays.origin, rays.direction)
        corners = origin + (away / (direction @ at.forward))[:, None] * direction
        return (
            Patch(corners[None], Role.VIEW_PLANE),
            Stroke(corners, np.roll(corners, -1, axis=0), Role.VIEW_PLANE),
        )

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
        return self.stretch_box(*mouse.place)

    def release(self, mouse: Pointer) -> bool:
        """Select what is in the rectangle."""
        if not self.stretch_box(*mouse.place):
            return False
        self.end_box(add=mouse.shift)
        return True

    def cancel(self) -> bool:
        """Drop the rectangle; True when there was one, or was going to be."""
        if self._box is None and not self._box_next:
            return False
        self._box, self._box_next = None, False
        self._updates.touch()
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
        self._updates.touch()

    @property
    def taken(self) -> tuple[str, ...]:
        """The names of what is selected and has elements: what handles change."""
        scene = self._document.scene
        return tuple(name for name in self._document.selected if 0 not in scene[name].batch_shape)

    def subject(self, scene: Scene, axes: Axes) -> Subject | None:
        """Return what handles are put on in a scene; None where nothing is selected that has elements."""
        names = self.taken
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
