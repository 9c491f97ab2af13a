"""The plainest use of VTK for the same three actors: what the viewer is compared with. No light of its own, no text."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.spatial.transform import Rotation
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData
from vtkmodules.vtkFiltersSources import vtkCubeSource
from vtkmodules.vtkRenderingCore import vtkActor, vtkGlyph3DMapper, vtkRenderer, vtkRenderWindow
from vtkmodules.vtkRenderingOpenGL2 import vtkOpenGLSphereMapper, vtkOpenGLStickMapper

from collision import Camera
from collision.base.fields import FloatArray
from tests.benchmarks.inputs import Crowd

_COLOR = (70, 130, 180, 255)

Columns = dict[str, npt.NDArray[Any]]


class BareScene:
    """A window with three actors, one for each kind of shape in a crowd.

    Parameters
    ----------
    shapes : Crowd
        What it shows.
    size : tuple of 2 ints
        Of the picture, in pixels.
    camera : Camera
        Where it is seen from.
    """

    def __init__(self, shapes: Crowd, size: tuple[int, int], camera: Camera) -> None:
        self.renderer = vtkRenderer()
        self.window = vtkRenderWindow()
        self.window.SetOffScreenRendering(1)
        self.window.SetMultiSamples(0)
        self.window.SetSize(*size)
        self.window.AddRenderer(self.renderer)
        spheres, capsules, boxes = (shape.values() for shape in shapes)
        start, end, radius = capsules["start"], capsules["end"], capsules["radius"]
        balls = vtkOpenGLSphereMapper()
        balls.SetScaleArray("radius")
        radii = np.concatenate([spheres["radius"], radius, radius])
        self.balls = self._cloud(balls, np.concatenate([spheres["center"], start, end]), radius=radii)
        sticks = vtkOpenGLStickMapper()
        sticks.SetScaleArray("size")
        sticks.SetOrientationArray("axis")
        length = np.linalg.norm(end - start, axis=1)
        sizes, axes = np.stack([length, radius, radius], axis=1), (end - start) / length[:, None]
        self.sticks = self._cloud(sticks, 0.5 * (start + end), size=sizes, axis=axes)
        glyphs, cube = vtkGlyph3DMapper(), vtkCubeSource()
        glyphs.SetSourceConnection(cube.GetOutputPort())
        glyphs.SetScaleModeToScaleByVectorComponents()
        glyphs.SetScaleArray("size")
        glyphs.SetOrientationModeToQuaternion()
        glyphs.SetOrientationArray("quaternion")
        turned = Rotation.from_matrix(boxes["axes"]).as_quat()[:, [3, 0, 1, 2]]
        self.boxes = self._cloud(glyphs, boxes["center"], size=2.0 * boxes["half_extents"], quaternion=turned)
        self._look(camera)

    def _cloud(self, mapper: Any, points: FloatArray, **arrays: FloatArray) -> tuple[vtkPolyData, Columns]:
        colors = np.tile(np.array(_COLOR, dtype=np.uint8), (len(points), 1))
        columns: Columns = {name: values.astype(np.float32) for name, values in {"points": points, **arrays}.items()}
        columns["color"] = colors
        data, place, cells = vtkPolyData(), vtkPoints(), vtkCellArray()
        place.SetData(numpy_to_vtk(columns["points"]))
        data.SetPoints(place)
        every = np.arange(len(points) + 1, dtype=np.int64)
        cells.SetData(numpy_to_vtk(every, deep=True), numpy_to_vtk(every[:-1], deep=True))
        data.SetVerts(cells)
        for name in columns.keys() - {"points"}:
            array = numpy_to_vtk(columns[name])
            array.SetName(name)
            data.GetPointData().AddArray(array)
        mapper.SetInputData(data)
        mapper.SetScalarModeToUsePointFieldData()
        mapper.SelectColorArray("color")
        mapper.SetColorModeToDirectScalars()
        actor = vtkActor()
        actor.SetMapper(mapper)
        self.renderer.AddActor(actor)
        return data, columns

    def _look(self, camera: Camera) -> None:
        own = self.renderer.GetActiveCamera()
        own.SetPosition(*camera.position)
        own.SetFocalPoint(*camera.target)
        own.SetViewUp(*camera.up)
        own.SetViewAngle(camera.view_angle)
        self.renderer.ResetCameraClippingRange()

    def move(self, row: int, center: FloatArray) -> None:
        """Put one ball elsewhere."""
        data, columns = self.balls
        columns["points"][row] = center
        data.GetPoints().Modified()
        data.Modified()

    def render(self) -> None:
        """Draw a frame."""
        self.window.Render()

    def close(self) -> None:
        """Free what the window holds."""
        self.window.Finalize()
