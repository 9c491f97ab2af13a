"""Selecting by the mouse: what is seen at a pixel, and what is in a rectangle that is drawn in the picture."""

from __future__ import annotations

import numpy as np

from viewer.picture.drawables import Drawable, Patch, Role, Stroke
from viewer.session.document import Document
from viewer.session.events import Mouse
from viewer.session.player import Player
from viewer.session.selection import Selection
from viewer.session.updates import Updates
from viewer.session.view import View
from viewer.view.picking import pick, pick_box


class Picking:
    """Selects what is seen somewhere in the picture."""

    def __init__(self, document: Document, selection: Selection, player: Player, view: View, updates: Updates) -> None:
        self._document, self._selection, self._player = document, selection, player
        self._view, self._updates = view, updates
        self._box: tuple[tuple[float, float], tuple[float, float]] | None = None
        self._box_next = False

    def click(self, x: float, y: float, *, add: bool = False) -> str | None:
        """Select what is seen at a pixel, and return its name; where nothing is, deselect, unless there is to add."""
        name = pick(self._player.scene, self._view.viewport, x, y)
        self._selection.select(name, add=add)
        return name

    def point_at(self, x: float, y: float) -> None:
        """Select what is seen at a pixel, unless it is selected already, or nothing is."""
        scene = self._player.scene
        name = pick(scene, self._view.viewport, x, y)
        if name is not None:
            number = scene.element_numbers(name)[0]
            if not any(number in scene.element_numbers(other) for other in self._document.selected):
                self._selection.select(name)

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
        self._selection.select_many([*kept, *inside])

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

    # -- the mouse ----------------------------------------------------------------------------------------------------

    def press(self, mouse: Mouse) -> bool:
        """Begin a rectangle, if the next drag is to draw one."""
        if not self._box_next:
            return False
        self.begin_box(*mouse.place)
        return True

    def move(self, mouse: Mouse) -> bool:
        """Go on with the rectangle."""
        return self.stretch_box(*mouse.place)

    def release(self, mouse: Mouse) -> bool:
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
