"""A rectangle drawn in the picture, which selects what is in it."""

from __future__ import annotations

import numpy as np

from collision import AABB, Scene
from viewer.picture.drawables import Drawable, Patch, Role, Stroke
from viewer.session.filing import Filing
from viewer.view.picking import pick_box


class Boxing(Filing):
    """The layer of a session that selects by a rectangle."""

    def __init__(self, scene: Scene, size: tuple[int, int], view: str | None, extent: AABB | None) -> None:
        super().__init__(scene, size, view, extent)
        self._box: tuple[tuple[float, float], tuple[float, float]] | None = None
        self._box_next = False

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
        found = pick_box(self.scene, self._viewport, start, end)
        self.select_many([*(name for name in self._selected if add and name not in found), *found])

    def draw_box(self) -> None:
        """Have the next drag draw a rectangle, wherever it starts, and select what is in it."""
        self.cancel()
        self._box_next = True
        self._touch()

    def begin_box(self, x: float, y: float) -> None:
        """Begin a rectangle at a pixel."""
        self.cancel()
        self._box = (x, y), (x, y)
        self._touch()

    def stretch_box(self, x: float, y: float) -> bool:
        """Go on with the rectangle to a pixel; True when there is one."""
        if self._box is None:
            return False
        self._box = self._box[0], (x, y)
        self._touch()
        return True

    def end_box(self, *, add: bool = False) -> None:
        """Select what is in the rectangle."""
        box = self._box
        if box is not None:
            self._box, self._box_next = None, False
            self.select_box(*box, add=add)

    def cancel(self) -> bool:
        """Drop the rectangle; True when there was one, or was going to be."""
        if self._box is None and not self._box_next:
            return super().cancel()
        self._box, self._box_next = None, False
        self._touch()
        return True

    @property
    def box_marks(self) -> tuple[Drawable, ...]:
        """The rectangle as it is drawn; nothing without one."""
        if self._box is None:
            return ()
        (left, low), (right, high) = self._box
        rays = self._viewport.ray([left, right, right, left], [low, low, high, high])
        # At the depth that the camera aims at, where it is neither too near to be drawn nor too far.
        away = (np.array(self._viewport.camera.target) - self._viewport.eye) @ self._viewport.forward
        # All rays have one origin in perspective, and one direction in a parallel projection.
        origin, direction = np.broadcast_arrays(rays.origin, rays.direction)
        corners = origin + (away / (direction @ self._viewport.forward))[:, None] * direction
        return (
            Patch(corners[None], Role.VIEW_PLANE),
            Stroke(corners, np.roll(corners, -1, axis=0), Role.VIEW_PLANE),
        )
