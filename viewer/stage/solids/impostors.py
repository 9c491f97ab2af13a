"""Solids as glyphs of VTK's own, capsules as impostors: the arrays of each kind are VTK's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData
from vtkmodules.vtkRenderingCore import vtkActor

from collision.inner import FloatArray, quaternions_of
from viewer.records.drawables import Floor, ShapeFlags
from viewer.records.theme import Theme
from viewer.stage.solids.kinds import Boxes, Capsules, Solids, thickened
from viewer.stage.solids.meshes import cube, glyphs, poly_data
from viewer.stage.solids.shading import Surface, color_table, shade, show_all
from viewer.stage.solids.shadows import FLOORS, cast, shadow, square

#: Values by the name of the array that they go into: ``points``, ``color`` and others.
Arrays: TypeAlias = dict[str, npt.NDArray[Any]]

#: The shortest capsule, as a part of its radius. Of balls the shader knows by a length that is much less; VTK takes one
#: of zero for 1e-10.
_SHORTEST, _OF_BALL = 1e-6, 1e-9


class ImpostorLayer:
    """Solids as impostors and as glyphs of a cube."""

    def __init__(self, theme: Theme) -> None:
        self._colors = color_table(theme)
        self._clouds = (
            Cloud(_capsules, {"size": 3, "axis": 3}, theme, Surface.CAPSULE),
            Cloud(_boxes, {"size": 3, "quaternion": 4}, theme, Surface.BOX),
        )
        #: Shadows come first: of what is see-through, the first is drawn first.
        self.actors = (*(a for c in self._clouds for a in c.shadows), *(a for c in self._clouds for a in c.actors))
        # The far side of a flat box lies within rounding of its near side. Through one that is seen through, its far
        # edges are to be seen.
        self._clouds[1].actors[0].GetProperty().BackfaceCullingOn()

    def cast(self, floors: tuple[Floor, ...], origin: FloatArray) -> None:
        """Say what shadows fall on."""
        for cloud in self._clouds:
            cloud.floors = min(len(floors), FLOORS)
            for actor, floor in zip(cloud.shadows, floors, strict=False):
                cast(actor, floor, origin)

    def update(self, solids: Solids, origin: FloatArray, *, see_through: bool) -> bool:
        """Write the solids into the arrays; say whether any of them is seen through."""
        written = self._capsules(solids.capsules, origin), self._boxes(solids.boxes, origin)
        clear = [cloud.write(own, see_through) for cloud, own in zip(self._clouds, written, strict=True)]
        return any(clear)

    def _capsules(self, capsules: Capsules, origin: FloatArray) -> Arrays:
        start, end, radius = capsules.start, capsules.end, capsules.radius
        length = np.linalg.norm(end - start, axis=1)
        shortest = np.where(length > 0.0, _SHORTEST, _OF_BALL) * radius
        axis = np.tile([1.0, 0.0, 0.0], (len(length), 1))  # of one without a length
        np.divide(end - start, length[:, None], out=axis, where=length[:, None] > 0.0)
        return {
            "points": start + 0.5 * (end - start) - origin,
            "color": self._colors[capsules.flags],
            "size": np.stack([np.maximum(length, shortest), radius, radius], axis=1),
            "axis": axis,
        }

    def _boxes(self, boxes: Boxes, origin: FloatArray) -> Arrays:
        return {
            "points": boxes.center - origin,
            "color": self._colors[boxes.flags],
            "size": thickened(boxes.half),
            "quaternion": _quaternions(boxes.axes),
        }


def _capsules() -> Any:
    return _directed(glyphs(_outline()))


def _outline() -> vtkPolyData:
    """Return what becomes of each ball and capsule: eight corners, which the shader puts in their places.

    Their signs say which they are, and VTK takes them for the bounds of a ball. From one end to the other, each three
    corners make a triangle.
    """
    pairs = ((-1, -1), (-1, 1), (1, 1), (1, -1))
    corners = np.sqrt(0.5) * np.array([(end, side, behind) for end, behind in pairs for side in (-1, 1)])
    return poly_data(corners, np.arange(6)[:, None] + np.arange(3), {})


def _boxes() -> Any:
    return glyphs(cube())


def _directed(mapper: Any) -> Any:
    """Have a mapper of glyphs turn them towards an axis each."""
    mapper.SetOrientationModeToDirection()
    mapper.SetOrientationArray("axis")
    return mapper


def _quaternions(axes: FloatArray) -> FloatArray:
    """Return rotations as VTK takes them, the real part first."""
    return quaternions_of(axes)[:, [3, 0, 1, 2]]


class Cloud:
    """Points with arrays, drawn by mappers that make a shape of each: two, as some of them may be seen through.

    Parameters
    ----------
    make : callable
        Returns a mapper that makes the shapes; it is told to color them by the array ``color``.
    widths : dict of str to int
        Names of the float arrays, and how many numbers a point has in each.
    theme : Theme
        What they look like.
    surface : Surface
        What they are.
    """

    def __init__(self, make: Callable[[], Any], widths: dict[str, int], theme: Theme, surface: Surface) -> None:
        #: Of solids, and of those that are seen through; and of the shadows on each floor, of which there are so many.
        self.actors = vtkActor(), vtkActor()
        self.shadows = tuple(vtkActor() for _ in range(FLOORS))
        self.floors = 0
        flat = [glyphs(square()) for _ in self.shadows]
        self._mappers, self._widths = (make(), make(), *(map(_directed, flat) if "axis" in widths else flat)), widths
        self._arrays: dict[str, npt.NDArray[Any]] = {}
        for actor, mapper in zip((*self.actors, *self.shadows), self._mappers, strict=True):
            actor.SetMapper(mapper)
            actor.PickableOff()
            actor.VisibilityOff()
        for actor, clear in zip(self.actors, (False, True), strict=True):
            shade(actor, theme, surface, clear=clear)
        for actor in self.shadows:
            shadow(actor, theme, rounded=surface is not Surface.BOX)
        self._rebuild(0)

    def write(self, arrays: Arrays, see_through: bool) -> bool:
        """Put new values into all arrays, and show them; say whether any is seen through.

        What is as it was stays on the graphics card.
        """
        count = len(arrays["points"])
        if count and count != len(self._arrays["points"]):
            self._rebuild(count)
        for name, values in arrays.items() if count else ():
            own = self._arrays[name]
            with np.errstate(over="ignore"):  # what is farther away than single precision reaches becomes infinite
                new = values.astype(own.dtype, copy=False).reshape(own.shape)
            if (own != new).any():
                own[:] = new
                self._vtk[name].Modified()
                self._data.Modified()
        some = count > 0  # an empty actor would still have its shaders compiled
        clear = some and (see_through or bool(((255 - self._arrays["color"][:, 3]) & ShapeFlags.FADED).any()))
        self.actors[0].SetVisibility(some and not see_through)
        self.actors[1].SetVisibility(clear)
        for number, actor in enumerate(self.shadows):
            actor.SetVisibility(some and number < self.floors)
        show_all(self.actors[1], everything=see_through)
        return clear

    def _rebuild(self, count: int) -> None:
        self._data = vtkPolyData()
        self._arrays = {"points": np.zeros((count, 3), np.float32), "color": np.zeros((count, 4), np.uint8)}
        self._arrays |= {name: np.zeros((count, width), np.float32) for name, width in self._widths.items()}
        points, cells = vtkPoints(), vtkCellArray()
        self._vtk: dict[str, Any] = {name: numpy_to_vtk(values) for name, values in self._arrays.items()}
        points.SetData(self._vtk["points"])
        self._data.SetPoints(points)
        for name in ("color", *self._widths):
            self._vtk[name].SetName(name)
            self._data.GetPointData().AddArray(self._vtk[name])
        self._vtk["points"] = points
        cells.SetData(
            numpy_to_vtkIdTypeArray(np.arange(count + 1, dtype=np.int64), deep=True),
            numpy_to_vtkIdTypeArray(np.arange(count, dtype=np.int64), deep=True),
        )
        self._data.SetVerts(cells)
        for mapper in self._mappers:
            mapper.SetInputData(self._data)
