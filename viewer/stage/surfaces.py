"""Actors of flat colored triangles, and the ground: what is drawn as it is, without light."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkDataObject, vtkPolyData
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkProp, vtkRenderer

from collision.inner import FloatArray
from viewer.picture.drawables import Ground
from viewer.picture.theme import Theme
from viewer.stage.extent import Corners
from viewer.stage.marks.layers import Triangles
from viewer.stage.solids.meshes import poly_data
from viewer.stage.solids.shading import place_vertices, set_fragment_code


class TriangleActor:
    """Triangles in the world, in their own colors; see-through ones are drawn after the opaque ones.

    It shows the first so many vertices and triangles of what is in memory, to which someone else writes.
    """

    def __init__(self, *, see_through: bool) -> None:
        self._data = vtkPolyData()
        mapper = vtkPolyDataMapper()
        mapper.SetInputData(self._data)
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
        #: What was last told to VTK: the memory, the vertices and triangles that are shown, and the origin.
        self._memory: Triangles | None = None
        self._shown = (0, 0)
        self._origin: FloatArray | None = None

    def show(self, memory: Triangles, vertices: int, triangles: int, *, changed: bool, origin: FloatArray) -> None:
        """Show the first triangles in memory and no others.

        Parameters
        ----------
        memory : Triangles
            The same for as long as it lies in the same place; points are in single precision.
        vertices, triangles : int
            How many of them are shown.
        changed : bool
            Whether the triangles have other corners than before.
        origin : ndarray, shape (3,)
            What the points are relative to.
        """
        if not triangles:
            if self._shown[1]:
                self.actor.SetVisibility(False)
                self._shown = (0, 0)
            return
        if memory is not self._memory:
            self._take(memory)
        if (vertices, triangles) != self._shown:
            for array, count in zip(self._arrays, (vertices, vertices, triangles + 1, 3 * triangles), strict=True):
                array.SetNumberOfTuples(count)
            self.actor.SetVisibility(True)
            self._shown, changed = (vertices, triangles), True
        if origin is not self._origin:
            self.actor.SetPosition(*origin)
            self._origin = origin
        if changed:
            self._cells.Modified()
        self._points.Modified()
        self._arrays[1].Modified()
        self._data.Modified()

    def _take(self, memory: Triangles) -> None:
        self._points, self._cells = vtkPoints(), vtkCellArray()
        offsets = np.arange(0, 3 * len(memory.corners) + 1, 3, dtype=np.int64)
        points, colors = numpy_to_vtk(memory.points), numpy_to_vtk(memory.colors)
        ends, corners = numpy_to_vtkIdTypeArray(offsets), numpy_to_vtkIdTypeArray(memory.corners.reshape(-1))
        self._arrays = points, colors, ends, corners
        self._points.SetData(points)
        self._cells.SetData(ends, corners)
        self._data.SetPoints(self._points)
        self._data.SetPolys(self._cells)
        self._data.GetPointData().SetScalars(colors)
        self._memory, self._shown = memory, (0, 0)


class Others:
    """The props of a renderer but some that are known: what else a user shows in a plotter.

    Parameters
    ----------
    renderer : vtkRenderer
        Whose props they are; it is asked for all of them again only when one has come or gone.
    """

    def __init__(self, renderer: vtkRenderer) -> None:
        self._props: Any = renderer.GetViewProps()
        self._count = -1
        self._others: list[vtkProp] = []

    def boxes(self, known: Sequence[Sequence[vtkProp]]) -> list[Corners]:
        """Return the lowest and the highest corner of each prop that is seen and is not among those that are known."""
        if self._props.GetMTime() != self._count:
            mine = {prop for props in known for prop in props}
            self._count, self._others = self._props.GetMTime(), [prop for prop in self._props if prop not in mine]
        found: list[Corners] = []
        for prop in self._others:
            if prop.GetVisibility() and prop.GetUseBounds():
                bounds = prop.GetBounds()
                if bounds is not None and bounds[0] <= bounds[1]:
                    found.append((bounds[0::2], bounds[1::2]))
        return found


#: A line is a strip that is just wide enough wherever it is seen: in perspective, what a pixel spans across a straight
#: line grows in proportion to the distance. So of the many pixels of the ground only those near lines are computed.
_STRIP = """
    vec3 stageScale = vec3(0.5 * stageSize, 1.0);
    vec3 stageX = MCDCMatrix[0].xyw * stageScale;
    vec3 stageY = MCDCMatrix[1].xyw * stageScale;
    vec3 stageAt = (MCDCMatrix * vertexMC).xyw * stageScale;
    vec3 stageTurn = cross(stageSide.x != 0.0 ? stageY : stageX, stageAt);
    float stageSpan = (abs(stageTurn.x) + abs(stageTurn.y)) / max(abs(dot(cross(stageX, stageY), stageAt)), 1.0e-30);
    vec2 stageAside = stageSide * stageSpan * stageAt.z * 1.1 * (0.6 * stageUnit + 0.5);
    bool stageFirst = stageSide.x != 0.0;
    float stageNumber = dot(vertexMC.xy, abs(stageSide)) * stageHalf - dot(stageShift, abs(stageSide));
    stageLocal.xy += stageAside;
    stagePlace.x = (stageAside.x + stageAside.y) * stageHalf;
    stagePlace.y = (stageFirst ? stageLocal.y : stageLocal.x) * stageHalf - (stageFirst ? stageShift.y : stageShift.x);
    stageOwn.x = abs(fract(0.2 * stageNumber + 0.5) - 0.5) < 0.1 ? 1.0 : 0.0;
    stageOwn.y = stageFirst ? 1.0e-2 : -1.0e-2;
    gl_Position = MCDCMatrix * vec4(stageLocal.xy, 0.0, 1.0);
"""

#: How many pixels wide a square is, across a strip's own line and along it.
_SQUARES = "  vec2 stagePixels = 1.0 / max(fwidth(stagePlace), vec2(1.0e-9));"

#: A fragment knows its place, across its strip's own line and along it, in squares; whether that line is a fifth one;
#: and how much stronger than itself a line must be that it gives way to.
_GROUND = """
    // Where the squares are only a few pixels wide, their lines fade before they blur.
    vec2 stageFine = clamp((stagePixels - 4.0 * stageUnit) / (8.0 * stageUnit), 0.0, 1.0) * {fine};
    bool stageFifth = stageOwn.x > 0.5;
    float stageWide = (stageFifth ? 0.6 : 0.5) * stageUnit + 0.5;
    float stageLine = clamp(stageWide - abs(stagePlace.x) * stagePixels.x, 0.0, 1.0);
    stageLine *= stageFifth ? {bold} : stageFine.x;
    // Of the lines that cross it the nearest, and the nearest that is a fifth.
    vec2 stageAway = abs(fract(stagePlace.y * vec2(1.0, 0.2) - 0.5) - 0.5) * vec2(1.0, 5.0) * stagePixels.y;
    vec2 stageCover = clamp(vec2(0.5, 0.6) * stageUnit + 0.5 - stageAway, 0.0, 1.0) * vec2(stageFine.y, {bold});
    // Each pixel is drawn once: by the line that is nearest, and of two that cross by the stronger, or else the first.
    if (abs(stagePlace.x) > 0.5 || max(stageCover.x, stageCover.y) - stageOwn.y > stageLine) {{ discard; }}
    float stageFade = 1.0 - smoothstep(0.45, 1.0, length(stageLocal.xy));
    fragOutput0 = vec4(stageColor, stageLine * stageFade);
"""

#: Opacity of the lines of the ground, and of every fifth of them.
_FINE, _BOLD = 0.32, 0.55

#: Where they have faded to nothing that is seen, as a part of the way from the middle of the ground to its border.
_SEEN = 0.94


class GroundActor:
    """A grid that fades towards its border: a strip for each line, ruled by its shader."""

    def __init__(self, theme: Theme) -> None:
        # Coordinates from -1 to 1 reach the shader as they are; the actor's own matrix puts the grid in its place.
        self._mapper = vtkPolyDataMapper()
        self._mapper.MapDataArrayToVertexAttribute("stageSide", "side", vtkDataObject.FIELD_ASSOCIATION_POINTS, -1)
        self.actor = vtkActor()
        self.actor.SetMapper(self._mapper)
        self.actor.GetProperty().LightingOff()
        self.actor.PickableOff()
        self.actor.UseBoundsOff()
        self.actor.ForceTranslucentOn()
        self.actor.SetVisibility(False)
        shader = self.actor.GetShaderProperty()
        code = _GROUND.format(fine=f"{_FINE:.4f}", bold=f"{_BOLD:.4f}")
        passed = ("vec3 stageLocal = vertexMC.xyz", "vec2 stagePlace = vec2(0.0)", "vec2 stageOwn = vec2(0.0)")
        set_fragment_code(shader, "", code, passed, "in vec2 stageSide;", first=_SQUARES)
        place_vertices(shader, _STRIP)
        self.restyle(theme)
        self.set_view(unit=1.0, size=(1, 1))
        self.ground: Ground | None = None
        self._write(Ground(0.0, 1.0, (0.0, 0.0), 1.0))

    def update(self, ground: Ground | None) -> None:
        """Show a ground, or none."""
        if ground is not None and ground != self.ground:
            self._write(ground)
        self.ground = ground
        self.actor.SetVisibility(ground is not None)

    @property
    def bounds(self) -> Corners | None:
        """The lowest and the highest corner of the ground; None without one."""
        if self.ground is None:
            return None
        (x, y), z, half = self.ground.center, self.ground.z, self.ground.half_size
        return (x - half, y - half, z), (x + half, y + half, z)

    def lines(self) -> vtkActor:
        """Return the grid as lines that exporters can take: this actor's own have no width without its shader."""
        actor = vtkActor()
        ground = self.ground
        if ground is not None:
            data, points, cells = vtkPolyData(), vtkPoints(), vtkCellArray()
            half, middle = ground.half_size / ground.spacing, np.array([*ground.center, ground.z])
            shift = np.mod(-np.array(ground.center) / ground.spacing, 5.0)
            for axis in (0, 1):
                for at in _lines(half, float(shift[axis])).tolist():
                    reach = float(np.sqrt(max(_SEEN**2 - at * at, 0.0)))
                    cells.InsertNextCell(2)
                    for end in (-reach, reach):
                        place = (at, end, 0.0) if axis == 0 else (end, at, 0.0)
                        cells.InsertCellPoint(points.InsertNextPoint(*(middle + ground.half_size * np.array(place))))
            data.SetPoints(points)
            data.SetLines(cells)
            mapper = vtkPolyDataMapper()
            mapper.SetInputData(data)
            actor.SetMapper(mapper)
            actor.GetProperty().SetColor(*self._color)
        actor.SetVisibility(ground is not None)
        return actor

    def restyle(self, theme: Theme) -> None:
        """Take another color for the lines."""
        self._color = color = [part / 255.0 for part in theme.grid]
        self.actor.GetShaderProperty().GetFragmentCustomUniforms().SetUniform3f("stageColor", color)

    def set_view(self, *, unit: float, size: tuple[int, int]) -> None:
        """Follow the picture's size."""
        shader = self.actor.GetShaderProperty()
        for uniforms in (shader.GetFragmentCustomUniforms(), shader.GetVertexCustomUniforms()):
            uniforms.SetUniformf("stageUnit", unit)
        shader.GetVertexCustomUniforms().SetUniform2f("stageSize", list(size))

    def _write(self, ground: Ground) -> None:
        uniforms = self.actor.GetShaderProperty().GetVertexCustomUniforms()
        self.actor.SetPosition(*ground.center, ground.z)
        self.actor.SetScale(ground.half_size, ground.half_size, 1.0)
        half = ground.half_size / ground.spacing
        uniforms.SetUniformf("stageHalf", half)
        # Lines stand at whole multiples of the spacing, and every fifth of them is bold, wherever the middle is.
        shift = np.mod(-np.array(ground.center) / ground.spacing, 5.0)
        uniforms.SetUniform2f("stageShift", shift.tolist())
        self._mapper.SetInputData(_strips([_lines(half, float(along)) for along in shift]))


def _lines(half: float, shift: float) -> FloatArray:
    """Return where lines cross an axis of the ground, from -1 to 1, as far as they are seen."""
    seen = _SEEN * half
    return (np.arange(np.ceil(-seen - shift), np.floor(seen - shift) + 1.0) + shift) / half


def _strips(lines: Sequence[FloatArray]) -> vtkPolyData:
    """Return strips without a width, across either axis and as long as the ground is, and to which side a vertex goes.

    The ground is round.
    """
    at = np.concatenate(lines)
    first = np.arange(len(at)) < len(lines[0])
    reach = np.sqrt(np.maximum(_SEEN**2 - at * at, 0.0))
    ends = np.array([-1.0, 1.0, 1.0, -1.0]) * reach[:, None]
    points = np.zeros((len(at), 4, 3))
    points[:, :, 0] = np.where(first[:, None], at[:, None], ends)
    points[:, :, 1] = np.where(first[:, None], ends, at[:, None])
    side = np.array([-1.0, -1.0, 1.0, 1.0])[:, None] * np.stack([first, ~first], axis=1)[:, None]
    corners = np.array([(0, 1, 2), (0, 2, 3)]) + 4 * np.arange(len(at))[:, None, None]
    return poly_data(points.reshape(-1, 3), corners.reshape(-1, 3), {"side": side.reshape(-1, 2).astype(np.float32)})
