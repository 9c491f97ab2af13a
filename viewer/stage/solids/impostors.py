"""Solids as glyphs of VTK's own, two kinds of them impostors: three actors, whose arrays are written in place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData
from vtkmodules.vtkRenderingCore import vtkActor

from collision.inner import FloatArray, IntArray, quaternions_of
from viewer.records.drawables import Floor, ShapeFlags
from viewer.records.theme import Theme
from viewer.stage.solids.floor_code import write_floor_code
from viewer.stage.solids.kinds import Balls, Boxes, Capsules, Solids, thickened
from viewer.stage.solids.meshes import cube, glyphs, poly_data
from viewer.stage.solids.shading import Surface, color_table, shade, show_all, write_code
from viewer.stage.solids.shadows import cast, shadow, squares

#: Values by the name of the array that they go into: ``points``, ``color`` and others.
Arrays: TypeAlias = dict[str, npt.NDArray[Any]]

#: Up to so many balls are drawn by the shader of capsules, so that one is compiled for both; more by one of their own,
#: which takes a sixth less for each pixel.
FEW_BALLS = 100

#: The shortest capsule, as a part of its radius: one of no length needs an axis. Of balls the shader knows by a length
#: that is much less; VTK takes one of zero for 1e-10.
_SHORTEST, _OF_BALL = 1e-6, 1e-9


class ImpostorLayer:
    """Solids as two kinds of impostors and as glyphs of a cube."""

    def __init__(self, theme: Theme) -> None:
        self._theme, self._colors = theme, color_table(theme)
        self._clouds = (
            Cloud(_capsules, {"size": 3, "axis": 3}),  # of balls
            Cloud(_capsules, {"size": 3, "axis": 3}),
            Cloud(_boxes, {"size": 3, "quaternion": 4}),
        )
        #: Shadows come first: of what is see-through, the first is drawn first.
        self.actors = tuple(actor for number in (2, 0, 1) for actor in (c.actors[number] for c in self._clouds))
        self._many_balls = False
        for cloud, surface in zip(self._clouds, (Surface.CAPSULE, Surface.CAPSULE, Surface.BOX), strict=True):
            for actor, clear in zip(cloud.actors[:2], (False, True), strict=True):
                shade(actor, theme, surface, clear=clear)
            shadow(cloud.actors[2], theme, rounded=surface is not Surface.BOX)
        # The far side of a flat box lies within rounding of its near side. Through one that is seen through, its far
        # edges are to be seen.
        self._clouds[2].actors[0].GetProperty().BackfaceCullingOn()

    def cast(self, floors: tuple[Floor, ...], origin: FloatArray) -> None:
        """Say what shadows fall on."""
        for cloud in self._clouds:
            cloud.lay_shadows(len(floors), self._theme)
            cast(cloud.actors[2], floors, origin)

    def show(self, *, shown: bool, see_through: bool) -> bool:
        """Show what was written, or nothing; say whether any of it is seen through."""
        clear = [cloud.show(shown=shown, see_through=see_through) for cloud in self._clouds]
        return any(clear)

    def update(self, solids: Solids, origin: FloatArray) -> None:
        """Write the solids into the arrays."""
        balls, capsules, boxes = self._clouds
        many = len(solids.balls.radius) > FEW_BALLS
        if many != self._many_balls:
            self._many_balls = many
            for actor, clear in zip(balls.actors[:2], (False, True), strict=True):
                write_code(actor, self._theme, Surface.BALL if many else Surface.CAPSULE, clear=clear)
        balls.write(self._balls(solids.balls, origin))
        capsules.write(self._capsules(solids.capsules, origin))
        boxes.write(self._boxes(solids.boxes, origin))

    def patch(self, some: Balls | Capsules | Boxes, rows: IntArray, origin: FloatArray) -> bool:
        """Write solids into some rows of their arrays."""
        if isinstance(some, Balls):
            self._clouds[0].write_rows(rows, self._balls(some, origin))
        elif isinstance(some, Capsules):
            self._clouds[1].write_rows(rows, self._capsules(some, origin))
        else:
            self._clouds[2].write_rows(rows, self._boxes(some, origin))
        return True

    def _balls(self, balls: Balls, origin: FloatArray) -> Arrays:
        size = np.outer(balls.radius, [_OF_BALL, 1.0, 1.0])
        axis = np.broadcast_to([1.0, 0.0, 0.0], size.shape)
        return {"points": balls.center - origin, "color": self._colors[balls.flags], "size": size, "axis": axis}

    def _capsules(self, capsules: Capsules, origin: FloatArray) -> Arrays:
        start, end, radius = capsules.start, capsules.end, capsules.radius
        length = np.linalg.norm(end - start, axis=1)
        axis = np.tile([1.0, 0.0, 0.0], (len(length), 1))  # of one without a length
        np.divide(end - start, length[:, None], out=axis, where=length[:, None] > 0.0)
        return {
            "points": start + 0.5 * (end - start) - origin,
            "color": self._colors[capsules.flags],
            "size": np.stack([np.maximum(length, _SHORTEST * radius), radius, radius], axis=1),
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


def _shadows(widths: dict[str, int]) -> Any:
    """Return a mapper that makes squares of what is drawn with such arrays; it moves and turns them alike."""
    mapper = glyphs(squares(1))
    return _directed(mapper) if "axis" in widths else mapper


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
    """

    def __init__(self, make: Callable[[], Any], widths: dict[str, int]) -> None:
        #: Of solids, of those that are seen through, and of shadows on so many floors.
        self.actors = vtkActor(), vtkActor(), vtkActor()
        self.floors = 0
        self._mappers, self._widths, self._count = (make(), make(), _shadows(widths)), widths, 0
        self._arrays: dict[str, npt.NDArray[Any]] = {}
        for actor, mapper in zip(self.actors, self._mappers, strict=True):
            mapper.SetScalarModeToUsePointFieldData()
            mapper.SelectColorArray("color")
            mapper.SetColorModeToDirectScalars()
            actor.SetMapper(mapper)
            actor.PickableOff()
            actor.VisibilityOff()
        self._rebuild(0)

    def write(self, arrays: Arrays) -> None:
        """Put new values into all arrays, in place unless their number has changed."""
        self._count = len(arrays["points"])
        if not self._count:
            return  # what comes back as it was finds its arrays again
        if self._count != len(self._arrays["points"]):
            self._rebuild(self._count)
        self.write_rows(slice(None), arrays)

    def show(self, *, shown: bool, see_through: bool) -> bool:
        """Show what was written, or nothing; say whether any of it is seen through."""
        some = shown and self._count > 0  # an empty actor would still have its shaders compiled
        clear = some and (see_through or bool(((255 - self._arrays["color"][:, 3]) & ShapeFlags.FADED).any()))
        self.actors[0].SetVisibility(some and not see_through)
        self.actors[1].SetVisibility(clear)
        self.actors[2].SetVisibility(some and self.floors > 0)
        if clear:
            show_all(self.actors[1], everything=see_through)
        return clear

    def lay_shadows(self, floors: int, theme: Theme) -> None:
        """Have shadows fall on so many floors."""
        if floors > 0 and floors != self.floors:
            self._mappers[2].SetSourceData(squares(floors))
            write_floor_code(self.actors[2], theme, several=floors > 1)
        self.floors = floors

    def write_rows(self, rows: IntArray | slice, arrays: Arrays) -> None:
        """Put new values into rows of some arrays; those that have none stay on the graphics card as they are."""
        for name, values in arrays.items():
            own = self._arrays[name]
            with np.errstate(over="ignore"):  # what is farther away than single precision reaches becomes infinite
                new = values.astype(own.dtype, copy=False).reshape(-1, own.shape[1])
            if (own[rows] != new).any():
                own[rows] = new
                self._vtk[name].Modified()
                self._data.Modified()

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
