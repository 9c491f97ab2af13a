"""A pair that is looked at: what stands aside so that it is seen."""

from __future__ import annotations

import numpy as np

from collision.inner import IntArray
from viewer.camera.hiding import hiding
from viewer.session.document import Document
from viewer.session.player import Player
from viewer.session.updates import Updates
from viewer.session.view import View

_NONE = np.empty(0, np.int64)


class Focus:
    """Fades what hides a pair, or all but the pair, for as long as what was selected then stays so."""

    def __init__(self, document: Document, player: Player, view: View, updates: Updates) -> None:
        self._document, self._player, self._view, self._updates = document, player, view, updates
        self._pair: tuple[str, str] | None = None
        self._rest = False
        self._selected: tuple[str, ...] = ()

    def focus_on(self, a: str, b: str, *, rest: bool = False) -> None:
        """Fade what lies between the eye and where two shapes meet, wherever the eye goes.

        It ends when something else is selected.

        Parameters
        ----------
        a, b : str
            The names of two single shapes.
        rest : bool
            Whether to fade everything else.

        Raises
        ------
        KeyError
            If there is no such shape.
        ValueError
            If one is a batch.
        """
        for name in (a, b):
            if len(self._document.scene.element_numbers(name)) != 1:
                raise ValueError(f"{name!r} is a batch: a pair is of single shapes, such as '{name}[0]'")
        self._pair, self._rest, self._selected = (a, b), rest, self._document.selected
        self._updates.touch()

    def unfocus(self) -> None:
        """Fade nothing any more."""
        self._pair = None
        self._updates.touch()

    @property
    def faded(self) -> IntArray:
        """The numbers of the elements that stand aside just now, sorted."""
        pair, scene = self._pair, self._player.scene
        if pair is None or self._document.selected != self._selected or any(name not in scene for name in pair):
            return _NONE
        a, b = (scene.element_numbers(name)[0] for name in pair)
        if self._rest:
            numbers = np.arange(scene.element_count)
            return np.asarray(numbers[(numbers != a) & (numbers != b)])
        return hiding(scene, self._view.viewport, a, b)
