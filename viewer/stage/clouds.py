"""Points with arrays that a mapper of VTK makes shapes of, written in place."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData
from vtkmodules.vtkRenderingCore import vtkActor

from collision.inner import FloatArray, IntArray, address


class Cloud:
    """Points with arrays, drawn by a mapper that makes a shape of each.

    Parameters
    ----------
    mapper : vtkMapper
        What makes the shapes; it is told to color them by the array ``color``.
    widths : dict of str to int
        Names of the float arrays, and how many numbers a point has in each.
    """

    def __init__(self, mapper: Any, widths: dict[str, int]) -> None:
        self.actor = vtkActor()
        self._mapper, self._widths = mapper, widths
        self._arrays: dict[str, npt.NDArray[Any]] = {}
        mapper.SetScalarModeToUsePointFieldData()
        mapper.SelectColorArray("color")
        mapper.SetColorModeToDirectScalars()
        self.actor.SetMapper(mapper)
        self.actor.PickableOff()  # a hardware pick of the stick mapper crashes
        self._rebuild(0)
        self.actor.SetVisibility(False)

    def write(self, points: FloatArray, colors: npt.NDArray[np.uint8], arrays: dict[str, FloatArray]) -> None:
        """Put new values into the arrays, in place unless their number has changed."""
        # An empty actor would still have its shaders compiled. What comes back as it was finds its arrays again.
        self.actor.SetVisibility(len(points) > 0)
        if not len(points):
            return
        if len(points) != len(self._arrays["points"]):
            self._rebuild(len(points))
        self.write_rows(slice(None), {"points": points, "color": colors, **arrays})

    def write_rows(self, rows: IntArray | slice, arrays: dict[str, npt.NDArray[Any]]) -> None:
        """Put new values into rows of some arrays; those that have none stay on the graphics card as they are."""
        for name, values in arrays.items():
            own = self._arrays[name]
            with np.errstate(over="ignore"):  # what is farther away than single precision reaches becomes infinite
                new = values.astype(own.dtype, copy=False).reshape(-1, own.shape[1])
            if (own[rows] != new).any():
                own[rows] = new
                self._vtk[name].Modified()
                self._data.Modified()

    def touch(self, changed: int) -> None:
        """Tell VTK of new values in arrays: points, colors and the others, one bit for each."""
        if changed:
            for number, array in enumerate(self._vtk.values()):
                if changed >> number & 1:
                    array.Modified()
            self._data.Modified()

    def _rebuild(self, count: int) -> None:
        self._data = vtkPolyData()
        self._arrays = {"points": np.zeros((count, 3), np.float32), "color": np.zeros((count, 4), np.uint8)}
        self._arrays |= {name: np.zeros((count, width), np.float32) for name, width in self._widths.items()}
        points, cells = vtkPoints(), vtkCellArray()
        #: Where the arrays are in memory.
        self.places = tuple(map(address, self._arrays.values()))
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
        self._mapper.SetInputData(self._data)
