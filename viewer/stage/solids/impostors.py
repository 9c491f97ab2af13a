"""Solids as glyphs of VTK's own: boxes as cubes, capsules and cylinders as impostors; and hulls; and their shadows."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkActor, vtkGlyph3DMapper

from collision.inner import FloatArray, quaternions_of
from viewer.records.drawables import Floor, ShapeFlags
from viewer.records.theme import Theme
from viewer.stage.polydata import bare_actor, colored, poly_data, show
from viewer.stage.solids.hulls import HullActors
from viewer.stage.solids.impostor_code import Surface
from viewer.stage.solids.kinds import Boxes, Capsules, Cylinders, Solids, directions, thickened
from viewer.stage.solids.meshes import cube
from viewer.stage.solids.shading import color_table, paint, shade, show_all
from viewer.stage.solids.shadows import FLOORS, cast, paint_shadow, shadow, square

#: Values by the name of the array that they go into: ``points``, ``color`` and others.
Arrays: TypeAlias = dict[str, npt.NDArray[Any]]

#: The shortest capsule, as a part of its radius. Of balls the shader knows by a length that is much less; VTK takes one
#: of zero for 1e-10.
_SHORTEST, _OF_BALL = 1e-6, 1e-9


class ImpostorLayer:
    """Solids as impostors and as glyphs of a cube, and hulls as triangles."""

    def __init__(self, theme: Theme) -> None:
        shapes = (outline(), Surface.CAPSULE), (cube(), Surface.BOX), (cube(), Surface.CYLINDER)
        self._kinds = tuple(GlyphKind(shape, surface) for shape, surface in shapes)
        self._hulls = HullActors(FLOORS)
        #: Shadows come first: of what is see-through, the first is drawn first.
        shadows = (*(a for k in self._kinds for a in k.shadows), *self._hulls.shadows)
        self.actors = (*shadows, *(a for k in self._kinds for a in k.actors), *self._hulls.actors)
        # The far side of a flat box lies within rounding of its near side. Through one that is seen through, its far
        # edges are to be seen.
        self._kinds[1].actors[0].GetProperty().BackfaceCullingOn()
        # Also from within the box around a cylinder one sees the other side of that box.
        for actor in self._kinds[2].actors:
            actor.GetProperty().FrontfaceCullingOn()
        self.restyle(theme)

    def restyle(self, theme: Theme) -> None:
        """Look as a theme says from the next `update` on."""
        self._colors = color_table(theme)
        for kind in self._kinds:
            for actor, clear in zip(kind.actors, (False, True), strict=True):
                paint(actor, theme, clear=clear)
            for actor in kind.shadows:
                paint_shadow(actor, theme)
        self._hulls.restyle(theme)

    def update(self, solids: Solids, origin: FloatArray, floors: tuple[Floor, ...], *, see_through: bool) -> bool:
        """Show these solids, relative to an origin, and what of their shadows falls on floors.

        Say whether any of them is seen through.
        """
        floors = floors[:FLOORS]
        for kind in self._kinds:
            for actor, floor in zip(kind.shadows, floors, strict=False):
                cast(actor, floor, origin)
        round_ = (self._round(some, origin) for some in (solids.capsules, solids.cylinders))
        written = next(round_), self._boxes(solids.boxes, origin), next(round_)
        clear = [kind.write(own, len(floors), see_through) for kind, own in zip(self._kinds, written, strict=True)]
        return any([*clear, self._hulls.update(solids.hulls, origin, floors, see_through=see_through)])

    def _round(self, solids: Capsules | Cylinders, origin: FloatArray) -> Arrays:
        start, end, radius = solids.start, solids.end, solids.radius
        length = np.linalg.norm(end - start, axis=1)
        shortest = np.where(length > 0.0, _SHORTEST, _OF_BALL) * radius
        return {
            "points": start + 0.5 * (end - start) - origin,
            "color": self._colors[solids.flags],
            "size": np.stack([np.maximum(length, shortest), radius, radius], axis=1),
            "turn": directions(solids),
        }

    def _boxes(self, boxes: Boxes, origin: FloatArray) -> Arrays:
        return {
            "points": boxes.center - origin,
            "color": self._colors[boxes.flags],
            "size": thickened(boxes.half),
            "turn": quaternions_of(boxes.axes)[:, [3, 0, 1, 2]],  # as VTK takes them, the real part first
        }


def outline() -> pv.PolyData:
    """Return what becomes of each ball and capsule: eight corners, which the shader puts in their places.

    Their signs say which they are, and VTK takes them for the bounds of a ball. From one end to the other, each three
    corners make a triangle.
    """
    pairs = ((-1, -1), (-1, 1), (1, 1), (1, -1))
    corners = np.sqrt(0.5) * np.array([(end, side, behind) for end, behind in pairs for side in (-1, 1)])
    return poly_data(corners, np.arange(6)[:, None] + np.arange(3))


class GlyphKind:
    """Solids of a kind, drawn by mappers that make a shape of each: two, as some of them may be seen through.

    Parameters
    ----------
    shape : PolyData
        What is made of each.
    surface : Surface
        What they are.
    """

    def __init__(self, shape: pv.PolyData, surface: Surface) -> None:
        #: Of solids, and of those that are seen through; and of the shadows on each floor.
        self.actors = vtkActor(), vtkActor()
        self.shadows = tuple(bare_actor(_glyphs(square(), surface)) for _ in range(FLOORS))
        self._arrays: Arrays = {}
        for actor, clear in zip(self.actors, (False, True), strict=True):
            actor.SetMapper(_glyphs(shape, surface))
            actor.PickableOff()
            shade(actor, surface, clear=clear)
        for actor in self.shadows:
            shadow(actor, surface)
        for actor in (*self.actors, *self.shadows):
            actor.VisibilityOff()

    def write(self, arrays: Arrays, floors: int, see_through: bool) -> bool:
        """Show solids with these values, and no others, over some floors; say whether any is seen through."""
        count = len(arrays["points"])
        # What is as it was stays on the graphics card.
        if count and not (self._arrays and all(np.array_equal(self._arrays[k], arrays[k]) for k in arrays)):
            self._arrays, data = arrays, poly_data(**arrays)
            for actor in (*self.actors, *self.shadows):
                show(actor, data)
        some = count > 0  # an empty actor would still have its shaders compiled
        clear = some and (see_through or bool(((255 - arrays["color"][:, 3]) & ShapeFlags.FADED).any()))
        self.actors[0].SetVisibility(some and not see_through)
        self.actors[1].SetVisibility(clear)
        for number, actor in enumerate(self.shadows):
            actor.SetVisibility(some and number < floors)
        show_all(self.actors[1], everything=see_through)
        return clear


def _glyphs(shape: pv.PolyData, surface: Surface) -> Any:
    """Return a mapper that draws a shape for each point, scaled, turned and colored by arrays of the points."""
    mapper: Any = colored(vtkGlyph3DMapper())
    mapper.SetSourceData(shape)
    mapper.SetScaleModeToScaleByVectorComponents()
    mapper.SetScaleArray("size")
    mapper.SetOrientationArray("turn")
    if surface is Surface.BOX:
        mapper.SetOrientationModeToQuaternion()
    else:
        mapper.SetOrientationModeToDirection()
    return mapper
