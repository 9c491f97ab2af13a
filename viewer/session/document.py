"""The scene that is worked on, at rest, with what is selected in it; how it was before, and how it will be again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from collision import AABB, Scene
from viewer.camera.floors import settled_extent, whole_extent
from viewer.session.updates import Updates


class State(NamedTuple):
    """What a step of the history brings back: a scene, what is selected in it, and the box that the ground lies under.

    What is hidden is a part of the scene.
    """

    scene: Scene
    selected: tuple[str, ...]
    extent: AABB | None


class Document:
    """The scene at rest, the names that are selected in it, and the history.

    Parameters
    ----------
    scene : Scene
        As it is at first.
    extent : AABB or None
        The box that the ground lies under, until the scene outgrows it; by default the one around the scene.
    updates : Updates
        Hears of every change.
    interrupt : callable
        Called before another scene or selection takes the place of this one: whatever is in hand then is put back
        where it was. Returns whether something was.
    """

    def __init__(self, scene: Scene, extent: AABB | None, updates: Updates, interrupt: Callable[[], bool]) -> None:
        self._updates = updates
        self._interrupt = interrupt
        self._first_extent = whole_extent(scene) if extent is None else extent
        self._state = State(scene, (), self._first_extent)
        self._preview: Scene | None = None
        self._reaction: Callable[[Scene], Scene] | None = None
        self._past: list[State] = []
        self._future: list[State] = []

    @property
    def scene(self) -> Scene:
        """The scene at rest, with its motion: what edits change, and what is saved. Also in the middle of a drag."""
        return self._state.scene if self._preview is None else self._preview

    @property
    def settled(self) -> Scene:
        """The scene at rest without what is in hand."""
        return self._state.scene

    @property
    def selected(self) -> tuple[str, ...]:
        """Names of the selected entries and elements, in the order of choosing; the last is the active one."""
        return self._state.selected

    @property
    def active(self) -> str | None:
        """Name of the active one of the selected entries and elements: the last that was chosen."""
        return self.selected[-1] if self.selected else None

    @property
    def hidden(self) -> frozenset[str]:
        """Names of the entries and elements that are hidden: not drawn, not picked, and not tested against."""
        return self.scene.hidden

    @property
    def extent(self) -> AABB | None:
        """The box that the ground lies under.

        A ground that moves is none: the box stays what it was at first until an edit has put something far outside, or
        left nothing but what is tiny on it.
        """
        return self._state.extent

    def chosen(self) -> tuple[str, ...]:
        """Return the names of what is selected.

        Raises
        ------
        ValueError
            If nothing is.
        """
        if not self.selected:
            raise ValueError("select a shape first")
        return self.selected

    def react_with(self, reaction: Callable[[Scene], Scene]) -> None:
        """Have a function make another scene of each that a change leads to, also in the middle of a drag.

        What it makes is shown, and is the step of the history: taking that back needs no reaction. Where it raises a
        ValueError, the change is not made, and the text of it is said.
        """
        self._reaction = reaction

    def _reacted(self, scene: Scene) -> Scene:
        """Return what the reaction makes of a scene; the one that is shown now, where it refuses."""
        if self._reaction is None:
            return scene
        try:
            found = self._reaction(scene)
        except ValueError as error:
            self._updates.say(str(error))
            return self.scene
        if not isinstance(found, Scene):
            raise TypeError(f"react must return a collision.Scene, got {type(found).__name__}")
        return found

    # -- what is in hand ----------------------------------------------------------------------------------------------

    @property
    def held(self) -> bool:
        """Whether something is in hand: a handle, or a change that waits for its numbers."""
        return self._preview is not None

    def preview(self, scene: Scene | None) -> None:
        """Show a scene as what is in hand makes it; None when nothing is any more."""
        self._preview = None if scene is None else self._reacted(scene)
        self._updates.touch()

    def interrupt(self) -> bool:
        """Put what is in hand back where it was; True when something was in hand."""
        return self._interrupt()

    # -- changes ------------------------------------------------------------------------------------------------------

    def choose(self, names: Iterable[str]) -> None:
        """Have these names selected, and no others; the history does not know of it."""
        self._state = self._state._replace(selected=tuple(names))
        self._updates.touch()

    def change(self, scene: Scene) -> None:
        """Put another scene in the place of this one, as one step of the history, unless it is the same."""
        self.interrupt()
        self.commit(scene)

    def commit(self, scene: Scene, selected: Iterable[str] | None = None) -> None:
        """Go on with another scene, as one step of the history; what is selected stays so by default.

        What changes nothing is no step: there would be nothing to see when it is taken back.
        """
        before, scene = self._state, self._reacted(scene)
        extent = before.extent
        if before.scene.hidden == scene.hidden and alike(before.scene, scene, before.selected):
            scene = before.scene
        else:
            self._past.append(before)
            self._future.clear()
            if before.scene.shapes is not scene.shapes:
                extent = settled_extent(extent, self._first_extent, scene)
            before.scene.forget(but=scene)  # the history has no end, so each step of it is to be small
        self._show(State(scene, before.selected if selected is None else tuple(selected), extent))

    def follow(self, scene: Scene, *, settle: bool = False) -> None:
        """Go on with another scene that the history does not know of, on demand over a ground that fits it."""
        extent = settled_extent(self.extent, self._first_extent, scene) if settle else self.extent
        self._show(self._state._replace(scene=scene, extent=extent))

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
        self._go(self._past, self._future, "nothing to undo")

    def redo(self) -> None:
        """Take the last step again that was taken back."""
        self._go(self._future, self._past, "nothing to redo")

    def _go(self, way: list[State], back: list[State], nothing: str) -> None:
        if self.interrupt():
            return
        if not way:
            self._updates.say(nothing)
            return
        back.append(self._state)
        self._show(way.pop())

    def _show(self, state: State) -> None:
        self._preview = None
        self._state = state._replace(selected=tuple(name for name in state.selected if name in state.scene))
        self._updates.touch()


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
    names = ("ignored", "shows", "motion", "camera", "title", "caption", "expectations", "name_groups", "open")
    if any(getattr(a, name) != getattr(b, name) for name in names):
        return False
    if a.shapes is b.shapes:
        return True
    if len(a) != len(b) or any(name in a and (name not in b or a[name] != b[name]) for name in likely):
        return False
    pairs = zip(a.shapes.items(), b.shapes.items(), strict=True)
    return all(first == second and (one is two or one == two) for (first, one), (second, two) in pairs)
