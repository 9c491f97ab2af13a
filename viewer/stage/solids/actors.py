"""Solids of any number in three actors.

Spheres are impostors, and so are capsules, each in one piece; boxes are glyphs of one cube. Their arrays are NumPy
views of VTK's own, written in place: painting ten thousand shapes red is one assignment.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Protocol, cast

import numpy as np
from vtkmodules.vtkRenderingCore import vtkActor, vtkRenderer

from collision import AABB, Capsule, OrientedBox, Sphere
from collision.inner import FloatArray, IntArray, joined
from viewer.camera.camera import Viewport
from viewer.records.drawables import Floor, Marker, Solid, SolidShape, Stroke
from viewer.records.theme import Theme
from viewer.stage.extent import Corners, Extent, origin_in, union
from viewer.stage.hatch import set_stripes
from viewer.stage.solids.floor_code import set_size
from viewer.stage.solids.impostors import ImpostorLayer
from viewer.stage.solids.kinds import Balls, Boxes, Capsules, Solids, is_thin, sort_solids, sorted_solid, thin_marks
from viewer.stage.solids.meshes import MeshLayer
from viewer.stage.solids.shading import set_view
from viewer.stage.vtk_camera import Tile

#: The origin of no solids.
_NOWHERE: FloatArray = np.zeros(3)


class Layer(Protocol):
    """What `SolidActors` holds: it takes solids, relative to an origin, and shows them with its actors."""

    @property
    def actors(self) -> Sequence[vtkActor]:
        """The actors, the same for as long as this lives."""

    def update(self, solids: Solids, origin: FloatArray) -> None:
        """Show these solids and no others."""

    def cast(self, floors: tuple[Floor, ...], origin: FloatArray) -> None:
        """Say what shadows fall on."""

    def show(self, *, shown: bool, see_through: bool) -> bool:
        """Show what was written, or nothing; say whether any of it is seen through."""

    def patch(self, some: Balls | Capsules | Boxes, rows: IntArray, origin: FloatArray) -> bool:
        """Show solids in the place of those in some rows; False where that is not possible, and all must be anew."""


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
        #: The lowest and the highest corner of the box around all solids.
        self.bounds: Corners | None = None
        #: The box that the origin follows from, and what the coordinates in the arrays are relative to.
        self._whole: Corners | None = None
        self._origin = _NOWHERE
        self._extent = Extent()
        #: The last solids that were shown.
        self._drawn: Sequence[Solid] = ()
        #: Of each, how many rows there are before its own in the cloud that draws it.
        self._befores: list[int] = []
        kind = MeshLayer if mesh else ImpostorLayer
        #: What shadows fall on, relative to which origin.
        self._cast: tuple[tuple[Floor, ...], list[float]] | None = None
        #: Whether any of them is seen through.
        self.clear = False
        #: Whether they are triangles by wish.
        self.mesh = mesh
        self._renderer, self._theme = renderer, theme
        self._layer: Layer = kind(theme)
        for actor in self._layer.actors:
            renderer.AddActor(actor)

    @property
    def actors(self) -> Sequence[vtkActor]:
        """The actors, the same for as long as this lives."""
        return self._layer.actors

    @property
    def origin(self) -> FloatArray:
        """A point near all solids, for coordinates to be relative to."""
        return _NOWHERE if self.bounds is None else self._origin

    def renewed(self, theme: Theme, *, mesh: bool | None = None) -> SolidActors:
        """Return others in the place of these: what solids look like is part of their shaders."""
        for actor in self.actors:
            self._renderer.RemoveActor(actor)
        return SolidActors(self._renderer, theme, mesh=self.mesh if mesh is None else mesh)

    def update(
        self,
        drawables: Sequence[Solid],
        beside: Corners | None = None,
        *,
        see_through: bool = False,
        floors: tuple[Floor, ...] = (),
    ) -> None:
        """Show these solids and no others. Where most are like those that are shown, only the others are written.

        The origin is that of all that is in the box beside them, too. All of them may be seen through, not only what is
        faded. They throw shadows on some floors.
        """
        if drawables:
            self._write(drawables, beside)
        else:
            self._hide()
        cast = floors, self._origin.tolist()
        if cast != self._cast:
            self._layer.cast(floors, self._origin)
            self._cast = cast
        self.clear = self._layer.show(shown=bool(drawables), see_through=see_through)

    def _write(self, drawables: Sequence[Solid], beside: Corners | None) -> None:
        same = len(drawables) == len(self._drawn) and all(map(operator.is_, drawables, self._drawn))
        if same and beside is None and self.bounds is not None:
            return
        if not self._patch(drawables, beside):
            self._place(self._extent.around(drawables), beside)
            solids = sort_solids(drawables)
            self._befores = _rows_before(drawables)
            self.thin = thin_marks(solids)
            self._stand()
            self._layer.update(solids, self._origin)
        self._drawn = drawables

    def _hide(self) -> None:
        """Show nothing: what comes again is likely to be like what was last."""
        if self.bounds is not None:
            if self.thin:
                self._drawn, self.thin = (), []
            self.bounds = None

    def _place(self, bounds: Corners | None, beside: Corners | None) -> bool:
        """Take other bounds; say whether the origin is still the same."""
        self.bounds = bounds
        whole = bounds if bounds is None or beside is None else union((bounds, beside))
        if whole == self._whole:
            return True
        self._whole = whole
        origin = _NOWHERE if whole is None else origin_in(*whole)
        if origin.tolist() == self._origin.tolist():
            return True
        self._origin = origin
        return False

    def _patch(self, drawables: Sequence[Solid], beside: Corners | None) -> bool:
        """Write what differs from the solids that are shown; False where that is not possible, and all must be."""
        if self.thin or len(drawables) != len(self._drawn):
            return False
        alike = all(
            solid.batch is last.batch and len(solid.flags) == len(solid.batch)
            for solid, last in zip(drawables, self._drawn, strict=True)
        )
        if not alike or not self._place(self._extent.around(drawables), beside):
            return False
        changes = zip(drawables, self._drawn, self._befores, strict=True)
        return all(solid is last or self._rewrite(solid, last, before) for solid, last, before in changes)

    def _rewrite(self, solid: Solid, last: Solid, before: int) -> bool:
        """Write the rows in which a solid differs from the last one of the same batch; False if that cannot be."""
        new, old = solid.moved, last.moved
        painted = np.flatnonzero(solid.flags != last.flags).tolist()
        rows = {*painted, *(row for row, shape in new.items() if old.get(row) is not shape), *(old.keys() - new.keys())}
        moved = sorted(row for row in rows if row in new)
        rest = sorted(row for row in rows if row not in new)
        parts: list[tuple[list[int], SolidShape]] = [(rest, solid.batch[rest])] if rest else []
        if moved:
            parts.append((moved, cast("SolidShape", joined(type(solid.batch), [new[row] for row in moved]))))
        for some, shape in parts:
            at = np.array(some)
            sorted_part = sorted_solid(shape, solid.flags[at])
            if is_thin(sorted_part).any() or not self._layer.patch(sorted_part, at + before, self._origin):
                return False
        return True

    def _stand(self) -> None:
        for actor in self.actors:
            actor.SetPosition(*self._origin)

    def set_view(self, view: Viewport, unit: float, part: Tile) -> None:
        """Follow the camera and the picture's size, or that of a part of it, in pixels."""
        parallel = view.camera.parallel_height is not None
        pixel = float(view.units_per_pixel(view.eye + view.forward))
        for actor in self.actors:
            set_view(actor, unit=unit, pixel=pixel, parallel=parallel)
            set_stripes(actor, self._theme, part)
            set_size(actor, part)


#: What draws a kind: the boxes of both kinds are drawn by one actor.
_ACTORS: dict[type, int] = {Sphere: 0, Capsule: 1, AABB: 2, OrientedBox: 2}


def _rows_before(solids: Sequence[Solid]) -> list[int]:
    """Return of each batch how many rows there are before its own, in the actor that draws it."""
    befores, counts = [], [0, 0, 0]
    for solid in solids:
        actor = _ACTORS[type(solid.batch)]
        befores.append(counts[actor])
        counts[actor] += len(solid.flags)
    return befores
