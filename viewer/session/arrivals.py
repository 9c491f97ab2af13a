"""Scenes that come from outside while a session is looked at, as from a program that computes them."""

from __future__ import annotations

from collision import Scene
from viewer.session.document import Document
from viewer.session.file import File
from viewer.session.view import View


class Arrivals:
    """Puts a scene in the place of another."""

    def __init__(self, document: Document, view: View, file: File) -> None:
        self._document, self._view, self._file = document, view, file

    def put(self, scene: Scene) -> bool:
        """Show another scene in the place of this one, unless something is in hand; say whether it is shown.

        The camera stays, what is selected and what is hidden stays so by name, and the history does not know of it.
        Where there was nothing to see before, all of it is framed.
        """
        if self._document.held:
            return False
        empty = not self._document.scene.shapes
        hidden = {*scene.hidden, *(name for name in self._document.hidden if name in scene)}
        self._document.follow(scene.replaced(hidden=hidden) if hidden else scene, settle=True)
        self._file.take_for_saved()
        if empty and scene.shapes:
            self._view.frame_all()
        return True
