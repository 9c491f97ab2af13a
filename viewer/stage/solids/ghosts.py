"""Ghosts: selected shapes where they are not, seen through."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from vtkmodules.vtkRenderingCore import vtkActor, vtkRenderer

from viewer.camera.camera import Viewport
from viewer.records.drawables import Ghost, ShapeFlags, Solid
from viewer.records.theme import PAINTED, Theme
from viewer.stage.extent import Corners
from viewer.stage.solids.actors import SolidActors
from viewer.stage.vtk_camera import Tile

#: The flags of the one row of each ghost: its own theme paints it.
_FREE = np.array([ShapeFlags.FREE], dtype=np.uint8)


def _ghostly(theme: Theme) -> Theme:
    """Return a theme in which all solids look like ghosts."""
    return replace(theme, paints=dict.fromkeys(PAINTED, theme.ghost))


class Ghosts:
    """Draws ghosts as solids that are seen through.

    Parameters
    ----------
    renderer : vtkRenderer
        Gets the actors.
    theme : Theme
        What they look like.
    mesh : bool
        Whether to draw them as triangles.
    """

    def __init__(self, renderer: vtkRenderer, theme: Theme, *, mesh: bool) -> None:
        self._solids = SolidActors(renderer, _ghostly(theme), mesh=mesh)
        self._first: list[Solid] = []

    @property
    def actors(self) -> Sequence[vtkActor]:
        """All actors."""
        return self._solids.actors

    @property
    def bounds(self) -> Corners | None:
        """The corners of a box around all ghosts; None where there is none."""
        return self._solids.bounds

    @property
    def clear(self) -> bool:
        """Whether there are any."""
        return self._solids.clear

    def restyle(self, theme: Theme) -> None:
        """Take other colors for the next picture."""
        self._solids = self._solids.renewed(_ghostly(theme))

    def set_view(self, view: Viewport, unit: float, part: Tile) -> None:
        """Take the view that the next frame is seen in."""
        self._solids.set_view(view, unit, part)

    def update(self, ghosts: Sequence[Ghost], around: Corners | None) -> None:
        """Draw these ghosts, and no others, relative to what is around them.

        They are the first ghosts moved, for as long as they are of the same kinds: then little is written anew.
        """
        shapes = [ghost.shape for ghost in ghosts]
        if not shapes:
            solids = []
        elif list(map(type, shapes)) != [type(first.batch) for first in self._first]:
            solids = self._first = [Solid(shape.flattened(), _FREE) for shape in shapes]
        else:
            pairs = zip(self._first, shapes, strict=True)
            solids = [Solid(first.batch, _FREE, {0: shape}) for first, shape in pairs]
        self._solids.update(solids, around, see_through=True)
