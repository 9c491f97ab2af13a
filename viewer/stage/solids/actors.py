"""Solids of any number in few actors: spheres, capsules and cylinders are impostors, boxes are glyphs of one cube."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from vtkmodules.vtkRenderingCore import vtkActor, vtkRenderer

from collision.inner import FloatArray
from viewer.camera.camera import Viewport
from viewer.records.drawables import Floor, Ghost, Marker, Solid, Stroke
from viewer.records.theme import PAINTED, Theme
from viewer.stage.extent import bounds_of, origin_in
from viewer.stage.hatch import set_stripes
from viewer.stage.solids.impostors import ImpostorLayer
from viewer.stage.solids.kinds import corners_of, sort_solids, thin_marks
from viewer.stage.solids.meshes import MeshLayer
from viewer.stage.solids.shading import set_view
from viewer.stage.vtk_camera import Tile


class SolidActors:
    """The actors of all solids of a picture.

    Parameters
    ----------
    renderer : vtkRenderer
        Gets the actors.
    theme : Theme
        Colors and light.
    mesh : bool
        Whether to draw triangles instead of impostors and glyphs, as exports need.
    """

    def __init__(self, renderer: vtkRenderer, theme: Theme, *, mesh: bool) -> None:
        #: Dots and lines for those solids that have no surface.
        self.thin: list[Marker | Stroke] = []
        #: The lowest and the highest corner of the box around all solids, (1, 2, 3); (0, 2, 3) without any.
        self.bounds: FloatArray = np.zeros((0, 2, 3))
        #: A point near all solids, for coordinates to be relative to.
        self.origin: FloatArray = np.zeros(3)
        #: Whether any of them is seen through.
        self.clear = False
        self._theme = theme
        self._layer = MeshLayer(theme) if mesh else ImpostorLayer(theme)
        for actor in self._layer.actors:
            renderer.AddActor(actor)

    @property
    def actors(self) -> Sequence[vtkActor]:
        """The actors, the same for as long as this lives."""
        return self._layer.actors

    def restyle(self, theme: Theme) -> None:
        """Look as a theme says from the next `update` on."""
        self._theme = theme
        self._layer.restyle(theme)

    def update(
        self,
        drawables: Sequence[Solid],
        beside: FloatArray | None = None,
        *,
        see_through: bool = False,
        floors: tuple[Floor, ...] = (),
    ) -> None:
        """Show these solids and no others.

        The origin is that of all that is in the box beside them, too. All of them may be seen through, not only what is
        faded. They throw shadows on some floors.
        """
        solids = sort_solids(drawables)
        self.bounds = bounds_of(*corners_of(solids))
        boxes = self.bounds if beside is None else np.concatenate([self.bounds, beside])
        self.origin = origin_in(*bounds_of(*boxes.swapaxes(0, 1))[0]) if len(self.bounds) else np.zeros(3)
        self.thin = thin_marks(solids)
        for actor in self.actors:
            actor.SetPosition(*self.origin)
        self.clear = self._layer.update(solids, self.origin, floors, see_through=see_through)

    def set_view(self, view: Viewport, unit: float, part: Tile) -> None:
        """Follow the camera and the picture's size, or that of a part of it, in pixels."""
        parallel = view.camera.parallel_height is not None
        pixel = float(view.units_per_pixel(view.eye + view.forward))
        for actor in self.actors:
            set_view(actor, unit=unit, pixel=pixel, parallel=parallel)
            set_stripes(actor, self._theme, unit, part)


def ghostly(theme: Theme) -> Theme:
    """Return a theme in which all solids look like ghosts."""
    return replace(theme, paints=dict.fromkeys(PAINTED, theme.ghost))


def solid_ghosts(ghosts: Sequence[Ghost]) -> list[Solid]:
    """Return ghosts as solids, which a theme of their own paints."""
    return [Solid(ghost.core, ghost.rows, ghost.radii, ghost.table, np.zeros(len(ghost), np.uint8)) for ghost in ghosts]
