"""What is selected, and how the scene is changed and changed back."""

from __future__ import annotations

from collision import AABB, Scene
from viewer.picking import pick
from viewer.session.looking import Looking


class Editing(Looking):
    """The layer of a session that selects shapes, changes the scene, and remembers what it was."""

    def __init__(self, scene: Scene, size: tuple[int, int], view: str | None, extent: AABB | None) -> None:
        super().__init__(scene, size, view, extent)
        self._past: list[Scene] = []
        self._future: list[Scene] = []
        self._selection: str | None = None

    @property
    def selection(self) -> str | None:
        """Name of the selected entry or element."""
        return self._selection

    # -- the scene ----------------------------------------------------------------------------------------------------

    def change(self, scene: Scene) -> None:
        """Put another scene in the place of this one, as one step of the history."""
        self.cancel()
        self._commit(self._scene, scene)

    def undo(self) -> None:
        """Take back the last step; a drag in hand is the last step."""
        if self._past and not self.cancel():
            self._future.append(self._scene)
            self._show(self._past.pop())

    def redo(self) -> None:
        """Take the last step again that was taken back."""
        if self._future and not self.cancel():
            self._past.append(self._scene)
            self._show(self._future.pop())

    def cancel(self) -> bool:
        """Put what is in hand back where it was; True when something was in hand."""
        return False

    # -- the selection ------------------------------------------------------------------------------------------------

    def select(self, name: str | None) -> None:
        """Select an entry or an element of a batch; None deselects.

        Raises
        ------
        KeyError
            If there is no such shape.
        """
        if name is not None:
            self._scene.element_numbers(name)
        self.cancel()
        self._selection = name
        self._touch()

    def deselect(self) -> None:
        """Select nothing."""
        self.select(None)

    def click(self, x: float, y: float) -> str | None:
        """Select what is seen at a pixel, and return its name; where nothing is, deselect."""
        self.select(pick(self._scene, self._viewport, x, y))
        return self._selection

    def walk(self, step: int) -> None:
        """Select the next shape, or the previous one for a step of -1; round and round."""
        count = self._scene.element_count
        if not count:
            return
        if self._selection is None:
            number = 0 if step > 0 else count - 1
        else:
            own = self._scene.element_numbers(self._selection)
            number = (own.stop - 1 + step if step > 0 else own.start + step) % count
        self.select(self._scene.element_name(number))

    def escape(self) -> None:
        """Drop what is in hand, and put it back where it was; with nothing in hand, deselect."""
        if not self.cancel():
            self.deselect()

    def frame_selection(self) -> None:
        """Look at the selection, from the same side; without one, at everything."""
        self.frame_shapes([] if self._selection is None else [self._scene[self._selection]])

    # -- inside -------------------------------------------------------------------------------------------------------

    def _show(self, scene: Scene) -> None:
        self._scene = scene
        if self._selection is not None and self._selection not in scene:
            self._selection = None
        self._touch()

    def _commit(self, before: Scene, after: Scene) -> None:
        self._past.append(before)
        self._future.clear()
        self._show(after)

    def _selected(self, verb: str) -> str:
        if self._selection is None:
            raise ValueError(f"there is nothing to {verb}: select a shape first")
        return self._selection
