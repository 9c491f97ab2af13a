"""The actors of marks: opaque and see-through ones, among the shapes and above them."""

from __future__ import annotations

from collections.abc import Sequence

from vtkmodules.vtkRenderingCore import vtkActor, vtkRenderer

from collision.inner import FloatArray
from viewer.camera.camera import Viewport
from viewer.records.theme import Theme
from viewer.stage.marks.layers import Ribbons, order
from viewer.stage.marks.pieces import Mark
from viewer.stage.surfaces import TriangleActor


class MarkActors:
    """Draws marks as triangles, a layer an actor.

    Parameters
    ----------
    renderer : vtkRenderer
        Gets the actors of what solids may hide.
    overlay : vtkRenderer
        Gets those of what nothing hides.
    """

    def __init__(self, renderer: vtkRenderer, overlay: vtkRenderer) -> None:
        self._ribbons = Ribbons()
        self._layers = tuple(TriangleActor(see_through=clear) for clear in (False, True, False, True))
        for number, layer in enumerate(self._layers):
            (overlay if number >= 2 else renderer).AddActor(layer.actor)

    @property
    def actors(self) -> tuple[vtkActor, ...]:
        """All actors."""
        return tuple(layer.actor for layer in self._layers)

    @property
    def depths(self) -> tuple[float, float]:
        """How near and how far the marks of the last frame reach."""
        return self._ribbons.depths

    def write(
        self, marks: Sequence[Mark], thin: Sequence[Mark], view: Viewport, theme: Theme, unit: float, origin: FloatArray
    ) -> None:
        """Draw these marks, and no others; among them those of solids that are too thin to be drawn as solids."""
        if thin:
            marks = sorted([*thin, *marks], key=order)
        ribbons = self._ribbons
        ribbons.write(marks, view, theme, unit, origin)
        written = zip(self._layers, ribbons.layers, ribbons.counts, ribbons.changed, strict=True)
        for layer, triangles, counts, changed in written:
            layer.show(triangles, *counts, changed=bool(changed), origin=origin)
