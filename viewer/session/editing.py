"""What is selected, and how the scene is changed and changed back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from collision import AABB, Scene
from viewer.session.base import has_room
from viewer.session.looking import Looking
from viewer.view.picking import pick


class Step(NamedTuple):
    """What the history remembers: a scene, with what is hidden in it, what was selected, and where the ground was."""

    scene: Scene
    selected: tuple[str, ...]
    extent: AABB | None


def alike(a: Scene, b: Scene, likely: Iterable[str] = ()) -> bool:
    """Tell whether a file would have the same of two scenes, where it is not said what is hidden.

    Parameters
    ----------
    a, b : Scene
        Those that share their shapes are compared at no cost.
    likely : iterable of str
        Where they differ if they do: this is looked at first, so that all that is alike need not be.

    Examples
    --------
    >>> from collision import Point
    >>> scene = Scene({"P": Point([0, 0, 0])})
    >>> alike(scene, scene.moved("P", [0, 0, 0])), alike(scene, scene.moved("P", [0, 0, 1]))
    (True, False)
    """
    names = ("ignored", "shows", "motion", "camera", "title", "caption")
    if any(getattr(a, name) != getattr(b, name) for name in names):
        return False
    if a.shapes is b.shapes:
        return True
    if len(a) != len(b) or any(name in a and (name not in b or a[name] != b[name]) for name in likely):
        return False
    pairs = zip(a.shapes.items(), b.shapes.items(), strict=True)
    return all(own == other and (one is two or one == two) for (own, one), (other, two) in pairs)


class Editing(Looking):
    """The layer of a session that selects shapes, changes the scene, and remembers what it was."""

    def __init__(self, scene: Scene, size: tuple[int, int], view: str | None, extent: AABB | None) -> None:
        super().__init__(scene, size, view, extent)
        self._past: list[Step] = []
        self._future: list[Step] = []
        self._selected: tuple[str, ...] = ()

    @property
    def selected(self) -> tuple[str, ...]:
        """Names of the selected entries and elements, in the order of choosing; the last is the active one."""
        return self._selected

    @property
    def selection(self) -> str | None:
        """Name of the active one of the selected entries and elements: the last that was chosen."""
        return self._selected[-1] if self._selected else None

    @property
    def hidden(self) -> frozenset[str]:
        """Names of the entries and elements that are hidden: not drawn, not picked, and not tested against."""
        return self._scene.hidden

    # -- the scene ----------------------------------------------------------------------------------------------------

    def change(self, scene: Scene) -> None:
        """Put another scene in the place of this one, as one step of the history, unless it is the same."""
        self.cancel()
        self._commit(self._scene, scene)

    @property
    def undoable(self) -> bool:
        """Whether there is a step to take back."""
        return bool(self._past)

    @property
    def redoable(self) -> bool:
        """Whether there is a step that was taken back."""
        return bool(self._future)

    def undo(self) -> None:
        """Take back the last step; a drag in hand is the last step."""
        if self.cancel():
            return
        if not self._past:
            self.say("nothing to undo")
            return
        self._future.append(self._step_now)
        self._return_to(self._past.pop())

    def redo(self) -> None:
        """Take the last step again that was taken back."""
        if self.cancel():
            return
        if not self._future:
            self.say("nothing to redo")
            return
        self._past.append(self._step_now)
        self._return_to(self._future.pop())

    def cancel(self) -> bool:
        """Put what is in hand back where it was; True when something was in hand."""
        return False

    # -- the selection ------------------------------------------------------------------------------------------------

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
            self._scene.element_numbers(name)
        if not add:
            self.select_many([] if name is None else [name])
        elif name is not None:
            covering = {name, name.partition("[")[0]}
            kept = [other for other in self._selected if other not in covering]
            self.select_many([*kept, *([name] if len(kept) == len(self._selected) else [])])

    def select_many(self, names: Iterable[str]) -> None:
        """Select these entries and elements, and no others; the last becomes the active one.

        Raises
        ------
        KeyError
            If there is no such shape.
        """
        names = tuple(dict.fromkeys(names))
        entries = {name for name in names if name in self._scene.shapes}
        for name in names:
            self._scene.element_numbers(name)
        self.cancel()
        # An element of an entry that is selected itself is so anyway.
        self._selected = tuple(name for name in names if name in entries or name.partition("[")[0] not in entries)
        self._touch()

    def select_all(self) -> None:
        """Select everything that is not hidden; of a batch in which something is hidden, the other elements."""
        self.select_many(self._shown_names())

    def invert_selection(self) -> None:
        """Select what is neither selected nor hidden."""
        self.select_many(self._shown_names(self._selected))

    def _shown_names(self, but: Iterable[str] = ()) -> list[str]:
        """Return the names of all that is neither hidden nor in `but`: entries, or elements where only some are."""
        scene, out = self._scene, {*self._scene.hidden, *but}
        gone = {number for name in out for number in scene.element_numbers(name)}
        names: list[str] = []
        for entry in scene:
            numbers = scene.element_numbers(entry)
            if gone.isdisjoint(numbers):
                names.append(entry)
            else:
                names += [scene.element_name(number) for number in numbers if number not in gone]
        return [name for name in names if name not in out]

    def deselect(self) -> None:
        """Select nothing."""
        self.select(None)

    def click(self, x: float, y: float, *, add: bool = False) -> str | None:
        """Select what is seen at a pixel, and return its name; where nothing is, deselect, unless there is to add."""
        found = pick(self.scene, self._viewport, x, y)
        self.select(found, add=add)
        return found

    def walk(self, step: int, *, add: bool = False) -> None:
        """Select the next shape, or the previous one for a step of -1; round and round.

        Parameters
        ----------
        step : int
            1 or -1.
        add : bool
            Whether all else that is selected stays so; one that was selected before becomes the active one.
        """
        shown = np.sort(
            np.concatenate([np.zeros(0, dtype=np.int64), *(group.elements for group in self._scene.groups)])
        )
        if not len(shown):
            return
        if self.selection is None:
            place = 0 if step > 0 else -1
        else:
            own = self._scene.element_numbers(self.selection)
            place = int(np.searchsorted(shown, own.stop) if step > 0 else np.searchsorted(shown, own.start) - 1)
        name = self._scene.element_name(int(shown[place % len(shown)]))
        self.select_many([*(other for other in self._selected if add and other != name), name])

    def escape(self) -> None:
        """Drop what is in hand, and put it back where it was; with nothing in hand, deselect."""
        if not self.cancel():
            self.deselect()

    def frame_selection(self) -> None:
        """Look at the selection, from the same side; without one, at everything."""
        self.frame_shapes([self.scene[name] for name in self._selected])

    # -- inside -------------------------------------------------------------------------------------------------------

    def _show(self, scene: Scene, selected: Iterable[str]) -> None:
        self._scene = scene
        self._selected = tuple(name for name in selected if name in scene)
        self._touch()

    @property
    def _step_now(self) -> Step:
        return Step(self._scene, self._selected, self._extent)

    def _return_to(self, step: Step) -> None:
        self._extent = step.extent
        self._show(step.scene, step.selected)

    def _settle(self, scene: Scene) -> None:
        """Have the ground lie under another scene, where it must: then as at first, if that does."""
        if not has_room(self._extent, scene.bounds()):
            whole = self._whole_extent(scene)
            if not has_room(self._extent, whole):
                self._extent = self._first_extent if has_room(self._first_extent, whole) else whole

    def _whole_extent(self, scene: Scene) -> AABB | None:
        """Return the box around all that there is ever to see of a scene."""
        return scene.bounds()

    def _commit(self, before: Scene, after: Scene, selected: Iterable[str] | None = None) -> None:
        """Go on with another scene, as one step of the history; what is selected stays so unless it is told.

        What changes nothing is no step: there would be nothing to see when it is taken back.
        """
        if before.hidden == after.hidden and alike(before, after, self._selected):
            after = before
        else:
            self._past.append(Step(before, self._selected, self._extent))
            self._future.clear()
            if before.shapes is not after.shapes:
                self._settle(after)
            before.forget(but=after)  # the history has no end, so each step of it is to be small
        self._show(after, self._selected if selected is None else selected)

    def _chosen(self) -> tuple[str, ...]:
        if not self._selected:
            raise ValueError("select a shape first")
        return self._selected
