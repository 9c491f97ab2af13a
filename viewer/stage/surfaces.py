"""Actors of flat colored triangles, and the ground: what is drawn as it is, without light."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, cast

import numpy as np
import numpy.typing as npt
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkProp, vtkRenderer

from collision.fields import FloatArray
from viewer.drawables import Ground
from viewer.stage.meshes import poly_data
from viewer.stage.ribbons import NO_TRIANGLES, Triangles
from viewer.stage.shading import set_fragment_code
from viewer.theme import Theme


class TriangleData:
    """Colored triangles as VTK's data, written in place for as long as their corners stay."""

    def __init__(self) -> None:
        self.data = vtkPolyData()
        self._points: npt.NDArray[Any] = np.zeros((0, 3), np.float32)
        self._colors: npt.NDArray[np.uint8] = np.zeros((0, 4), np.uint8)
        self._corners: npt.NDArray[np.int64] = np.zeros((0, 3), np.int64)

    def write(self, triangles: Triangles, origin: FloatArray | float = 0.0) -> None:
        """Show these triangles and no others."""
        if not len(triangles.points) and not len(self._points):
            return
        same = len(triangles.points) == len(self._points) and np.array_equal(triangles.corners, self._corners)
        if not same:
            self._rebuild(triangles)
        self._points[:] = triangles.points - origin
        self._colors[:] = triangles.colors
        self.data.GetPoints().Modified()
        self.data.GetPointData().GetScalars().Modified()
        self.data.Modified()

    def _rebuild(self, triangles: Triangles) -> None:
        self._corners = np.ascontiguousarray(triangles.corners, dtype=np.int64)
        self._points = np.zeros((len(triangles.points), 3), np.float32)
        self._colors = np.zeros((len(triangles.points), 4), np.uint8)
        points, cells = vtkPoints(), vtkCellArray()
        points.SetData(numpy_to_vtk(self._points))
        offsets = np.arange(0, 3 * len(self._corners) + 1, 3, dtype=np.int64)
        cells.SetData(
            numpy_to_vtkIdTypeArray(offsets, deep=True), numpy_to_vtkIdTypeArray(self._corners.reshape(-1), deep=True)
        )
        self.data.SetPoints(points)
        self.data.SetPolys(cells)
        self.data.GetPointData().SetScalars(numpy_to_vtk(self._colors))


class TriangleActor:
    """Triangles in the world, in their own colors; see-through ones are drawn after the opaque ones."""

    def __init__(self, *, see_through: bool) -> None:
        self._data = TriangleData()
        mapper = vtkPolyDataMapper()
        mapper.SetInputData(self._data.data)
        mapper.SetColorModeToDirectScalars()
        self.actor = vtkActor()
        self.actor.SetMapper(mapper)
        self.actor.GetProperty().LightingOff()
        # Marks are made for the camera: they must not decide where it stands or how far it sees.
        self.actor.UseBoundsOff()
        self.actor.PickableOff()
        self.actor.SetVisibility(False)
        if see_through:
            self.actor.ForceTranslucentOn()
        else:
            self.actor.ForceOpaqueOn()

    def write(self, triangles: Triangles, origin: FloatArray) -> None:
        """Show these triangles and no others, kept relative to an origin near them."""
        shown = len(triangles.corners) > 0
        if shown or self.actor.GetVisibility():
            self._data.write(triangles if shown else NO_TRIANGLES, origin)
            self.actor.SetPosition(*origin)
        self.actor.SetVisibility(shown)


def bounds_of_others(renderer: vtkRenderer, known: Collection[vtkProp]) -> list[tuple[FloatArray, FloatArray]]:
    """Return the lowest and the highest corner of each prop that is seen and is not among those that are known."""
    boxes, props = [], cast(Any, renderer.GetViewProps())
    for prop in props:
        if prop not in known and prop.GetVisibility() and prop.GetUseBounds():
            bounds = prop.GetBounds()
            if bounds is not None and bounds[0] <= bounds[1]:
                boxes.append((np.array(bounds[0::2]), np.array(bounds[1::2])))
    return boxes


_GROUND = """
    vec2 stageCell = stageLocal.xy * stageHalf;
    vec2 stagePerPixel = max(fwidth(stageCell), vec2(1.0e-9));
    vec2 stageToLine = abs(fract(stageCell - stageShift - 0.5) - 0.5) / stagePerPixel;
    vec2 stageToFifth = abs(fract((stageCell - stageShift) * 0.2 - 0.5) - 0.5) * 5.0 / stagePerPixel;
    // Where the squares are only a few pixels wide, their lines fade before they blur.
    vec2 stageRoom = clamp((1.0 / stagePerPixel - 4.0 * stageUnit) / (8.0 * stageUnit), 0.0, 1.0);
    vec2 stageFine = clamp(0.5 * stageUnit + 0.5 - stageToLine, 0.0, 1.0) * stageRoom * {fine};
    vec2 stageBold = clamp(0.6 * stageUnit + 0.5 - stageToFifth, 0.0, 1.0) * {bold};
    vec2 stageLine = max(stageFine, stageBold);
    float stageFade = 1.0 - smoothstep(0.45, 1.0, length(stageLocal.xy));
    fragOutput0 = vec4(stageColor, max(stageLine.x, stageLine.y) * stageFade);
"""

#: Opacity of the lines of the ground, and of every fifth of them.
_FINE, _BOLD = 0.32, 0.55


class GroundActor:
    """A grid that fades towards its border: one square, ruled by its shader."""

    def __init__(self, theme: Theme) -> None:
        # Coordinates from -1 to 1 reach the shader as they are; the actor's own matrix puts the square in its place.
        corners = np.array([[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]])
        mapper = vtkPolyDataMapper()
        mapper.SetInputData(poly_data(corners, np.array([[0, 1, 2], [0, 2, 3]]), {}))
        self.actor = vtkActor()
        self.actor.SetMapper(mapper)
        self.actor.GetProperty().LightingOff()
        self.actor.PickableOff()
        self.actor.UseBoundsOff()
        self.actor.ForceTranslucentOn()
        self.actor.SetVisibility(False)
        code = _GROUND.format(fine=f"{_FINE:.4f}", bold=f"{_BOLD:.4f}")
        set_fragment_code(self.actor.GetShaderProperty(), "", code, ("vec3 stageLocal = vertexMC.xyz",))
        self.restyle(theme)
        self.set_view(unit=1.0)
        self.ground: Ground | None = None
        self._write(Ground(0.0, 1.0, (0.0, 0.0), 1.0))

    def update(self, ground: Ground | None) -> None:
        """Show a ground, or none."""
        if ground is not None and ground != self.ground:
            self._write(ground)
        self.ground = ground
        self.actor.SetVisibility(ground is not None)

    @property
    def bounds(self) -> tuple[FloatArray, FloatArray] | None:
        """The lowest and the highest corner of the ground; None without one."""
        if self.ground is None:
            return None
        reach = np.array([self.ground.half_size, self.ground.half_size, 0.0])
        center = np.array([*self.ground.center, self.ground.z])
        return center - reach, center + reach

    def restyle(self, theme: Theme) -> None:
        """Take another color for the lines."""
        color = [part / 255.0 for part in theme.grid]
        self.actor.GetShaderProperty().GetFragmentCustomUniforms().SetUniform3f("stageColor", color)

    def set_view(self, *, unit: float) -> None:
        """Follow the picture's size."""
        self.actor.GetShaderProperty().GetFragmentCustomUniforms().SetUniformf("stageUnit", unit)

    def _write(self, ground: Ground) -> None:
        uniforms = self.actor.GetShaderProperty().GetFragmentCustomUniforms()
        self.actor.SetPosition(*ground.center, ground.z)
        self.actor.SetScale(ground.half_size, ground.half_size, 1.0)
        uniforms.SetUniformf("stageHalf", ground.half_size / ground.spacing)
        # Lines stand at whole multiples of the spacing, and every fifth of them is bold, wherever the middle is.
        shift = np.mod(-np.array(ground.center) / ground.spacing, 5.0)
        uniforms.SetUniform2f("stageShift", shift.tolist())
