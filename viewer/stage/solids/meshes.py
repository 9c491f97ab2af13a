"""The same solids as triangles, for exports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkDataObject, vtkPolyData
from vtkmodules.vtkRenderingCore import vtkActor, vtkGlyph3DMapper, vtkPolyDataMapper

from collision.inner import FloatArray
from viewer.records.drawables import Floor, ShapeFlags
from viewer.records.theme import Theme
from viewer.stage.solids.kinds import Boxes, Capsules, Solids, thickened
from viewer.stage.solids.shading import Surface, color_table, shade

#: Pieces of a great circle of a ball.
ROUNDNESS = 48

_Some = TypeVar("_Some", Capsules, Boxes)

Integers = npt.NDArray[np.int64]


class Template(NamedTuple):
    """A shape of unit size: its vertices, their normals, its triangles, and where on its face each is, from -1 to 1."""

    points: FloatArray
    normals: FloatArray
    triangles: Integers
    face: FloatArray


def cube() -> vtkPolyData:
    """Return a cube from -1 to 1: eight corners for each axis, the first four on the side where it begins."""
    box = _box_template()
    return poly_data(box.points, box.triangles, {})


def poly_data(
    points: FloatArray, triangles: Integers, arrays: dict[str, npt.NDArray[Any]], normals: str | None = None
) -> vtkPolyData:
    """Return triangles as VTK's data, with arrays at the vertices. The data keeps its own copy."""
    data = vtkPolyData()
    own_points = vtkPoints()
    own_points.SetData(numpy_to_vtk(np.ascontiguousarray(points, dtype=np.float32), deep=True))
    data.SetPoints(own_points)
    cells = vtkCellArray()
    offsets = np.arange(0, 3 * len(triangles) + 1, 3, dtype=np.int64)
    corners = np.ascontiguousarray(triangles, dtype=np.int64).reshape(-1)
    cells.SetData(numpy_to_vtkIdTypeArray(offsets, deep=True), numpy_to_vtkIdTypeArray(corners, deep=True))
    data.SetPolys(cells)
    for name, values in arrays.items():
        array = numpy_to_vtk(np.ascontiguousarray(values), deep=True)
        array.SetName(name)
        data.GetPointData().AddArray(array)
    if normals is not None:
        data.GetPointData().SetActiveNormals(normals)
    return data


def glyphs(shape: vtkPolyData) -> Any:
    """Return a mapper that draws a shape for each point, scaled, turned and colored by arrays of the points."""
    mapper: Any = vtkGlyph3DMapper()
    mapper.SetSourceData(shape)
    mapper.SetScaleModeToScaleByVectorComponents()
    mapper.SetScaleArray("size")
    mapper.SetOrientationModeToQuaternion()
    mapper.SetOrientationArray("quaternion")
    mapper.SetScalarModeToUsePointFieldData()
    mapper.SelectColorArray("color")
    mapper.SetColorModeToDirectScalars()
    return mapper


class MeshLayer:
    """Solids as triangles, two actors for each kind: the second one is of what is seen through."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._mappers = tuple(vtkPolyDataMapper() for _ in range(4))
        self.actors = tuple(_mesh_actor(mapper, theme, clear=k >= 2) for k, mapper in enumerate(self._mappers))
        for actor in self.actors:
            actor.VisibilityOff()  # until there is something to draw
        # Of what is round, one sees no far side, as there is none to an impostor.
        self.actors[2].GetProperty().BackfaceCullingOn()

    def update(self, solids: Solids, origin: FloatArray, *, see_through: bool) -> bool:
        """Make the triangles anew; say whether any of them is seen through."""
        shown = []
        for first, clear in ((0, False), (2, True)):
            seen = {"clear": clear, "see_through": see_through}
            chosen = Solids(_chosen(solids.capsules, **seen), _chosen(solids.boxes, **seen))
            self._write(self._mappers[first : first + 2], chosen, origin)
            shown += [len(some.flags) > 0 for some in chosen]
        for actor, some in zip(self.actors, shown, strict=True):
            actor.SetVisibility(some)
        return any(shown[2:])

    def cast(self, floors: tuple[Floor, ...], origin: FloatArray) -> None:
        """Leave shadows out: no export has them."""

    def _write(self, mappers: Sequence[vtkPolyDataMapper], solids: Solids, origin: FloatArray) -> None:
        capsules, boxes = solids
        ball = _ball_template()
        frames = _frames(capsules.end - capsules.start)
        # The upper half of the ball (its last vertices) goes to the end of the capsule, the lower half to the start.
        upper = np.arange(len(ball.points)) >= len(ball.points) // 2
        pieces = (
            (
                ball,
                capsules.radius[:, None, None] * frames,
                np.where(upper[:, None], capsules.end[:, None], capsules.start[:, None]),
                frames,
                capsules.flags,
            ),
            (
                _box_template(),
                boxes.axes * thickened(boxes.half)[:, None, :],
                boxes.center[:, None],
                boxes.axes,
                boxes.flags,
            ),
        )
        for mapper, (template, matrix, place, turn, flags) in zip(mappers, pieces, strict=True):
            count, corners = len(flags), len(template.points)
            points = template.points @ np.swapaxes(matrix, -1, -2) + place - origin
            normals = np.broadcast_to(template.normals @ np.swapaxes(turn, -1, -2), points.shape)
            triangles = template.triangles + corners * np.arange(count)[:, None, None]
            colors = color_table(self._theme)[flags, :3]
            arrays: dict[str, npt.NDArray[Any]] = {
                "Normals": normals.reshape(-1, 3).astype(np.float32),
                "color": np.repeat(colors, corners, axis=0),
                "flags": np.repeat(flags, corners).astype(np.float32),
                "face": np.tile(template.face, (count, 1)).astype(np.float32),
            }
            mapper.SetInputData(poly_data(points.reshape(-1, 3), triangles.reshape(-1, 3), arrays, normals="Normals"))


def _chosen(some: _Some, *, clear: bool, see_through: bool) -> _Some:
    """Return those of some solids that are seen through, or the others."""
    rows = (((some.flags & ShapeFlags.FADED) > 0) | see_through) == clear
    return type(some)(*(part[rows] for part in some))


def _mesh_actor(mapper: vtkPolyDataMapper, theme: Theme, *, clear: bool) -> vtkActor:
    mapper.SetScalarModeToUsePointFieldData()
    mapper.SelectColorArray("color")
    mapper.SetColorModeToDirectScalars()
    for attribute, array in (("flagsMC", "flags"), ("faceMC", "face")):
        mapper.MapDataArrayToVertexAttribute(attribute, array, vtkDataObject.FIELD_ASSOCIATION_POINTS, -1)
    actor = vtkActor()
    actor.SetMapper(mapper)
    actor.PickableOff()
    shade(actor, theme, Surface.MESH, clear=clear)
    actor.GetProperty().SetOpacity(0.3 if clear else 1.0)  # for exports; the shader has its own
    return actor


def _ball_template() -> Template:
    """Return a unit ball whose equator is there twice, so that it can be pulled apart into a capsule."""
    around, upward = ROUNDNESS, ROUNDNESS // 4
    longitude = 2.0 * np.pi * np.arange(around) / around
    half = np.linspace(0.0, np.pi / 2.0, upward + 1)
    latitude = np.concatenate([half - np.pi / 2.0, half])
    ring = np.stack([np.cos(longitude), np.sin(longitude)], axis=1)
    points = np.concatenate([np.column_stack([np.cos(a) * ring, np.full(around, np.sin(a))]) for a in latitude])
    i, j = np.meshgrid(np.arange(len(latitude) - 1), np.arange(around), indexing="ij")
    a, b = i * around + j, i * around + (j + 1) % around
    triangles = np.concatenate([np.stack([a, b, b + around], axis=-1), np.stack([a, b + around, a + around], axis=-1)])
    return Template(points, points, triangles.reshape(-1, 3), np.zeros((len(points), 2)))


def _box_template() -> Template:
    points: list[FloatArray] = []
    normals: list[FloatArray] = []
    triangles: list[tuple[int, int, int]] = []
    for axis in range(3):
        for sign in (-1.0, 1.0):
            normal, u = np.zeros(3), np.zeros(3)
            normal[axis], u[(axis + 1) % 3] = sign, 1.0
            v = np.cross(normal, u)
            first = len(points)
            points += [normal - u - v, normal + u - v, normal + u + v, normal - u + v]
            normals += [normal] * 4
            triangles += [(first, first + 1, first + 2), (first, first + 2, first + 3)]
    corners = np.array(points)
    face = np.tile([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)], (6, 1))
    return Template(corners, np.array(normals), np.array(triangles, dtype=np.int64), face)


def _frames(along: FloatArray) -> FloatArray:
    """Return rotations whose z axis lies along the vectors (anywhere, for a vector of no length)."""
    length = np.linalg.norm(along, axis=1, keepdims=True)
    z = np.where(length > 0.0, along / np.where(length > 0.0, length, 1.0), [0.0, 0.0, 1.0])
    aside = np.where(np.abs(z[:, :1]) < 0.9, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])
    x = np.cross(aside, z)
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    return np.stack([x, np.cross(z, x), z], axis=-1)
