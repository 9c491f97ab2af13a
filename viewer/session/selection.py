"""What is selected, by name: chosen, walked through, and which part of it the handles are at."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

import numpy as np

from collision import Scene, Shape
from viewer.gizmo import Axes, Part, Subject
from viewer.gizmo.changes import part_names
from viewer.session.document import Document
from viewer.session.updates import Updates


class Selection:
    """Chooses shapes of a document."""

    def __init__(self, document: Document, updates: Updates) -> None:
        self._document = document
        self._updates = updates
        self._part: Part = "body"

    # -- choosing -----------------------------------------------------------------------------------------------------

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

    def walk(self, step: int, *, add: bool = False) -> None:
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

    def subject(self, scene: Scene, axes: Axes) -> Subject | None:
        """Return what handles are put on in a scene; None where nothing is selected that has elements."""
        shapes = list(self._shapes(scene))
        return Subject.of(shapes, axes) if shapes else None

    def _shapes(self, scene: Scene) -> Iterable[Shape]:
        shapes = (scene[name] for name in self._document.selected)
        return (shape for shape in shapes if 0 not in shape.batch_shape)
