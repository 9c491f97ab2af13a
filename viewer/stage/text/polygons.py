"""Flat polygons in VTK's data."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData

from collision.inner import FloatArray


def show_polygons(
    data: vtkPolyData, points: FloatArray, colors: npt.NDArray[np.uint8], texels: FloatArray | None = None
) -> None:
    """Have data show flat polygons that all have as many corners, and no others.

    Parameters
    ----------
    data : vtkPolyData
        What is changed.
    points : ndarray, shape (n, corners, 2)
        The pixels of the corners.
    colors : ndarray, shape (n, corners, 4)
        Red, green, blue and opacity of the corners.
    texels : ndarray, shape (n, corners, 2), optional
        Where the corners are in the texture, as parts of it.
    """
    count, corners, _ = points.shape
    flat = np.zeros((count * corners, 3), np.float32)
    flat[:, :2] = points.reshape(-1, 2)
    at = np.zeros_like(flat[:, :2]) if texels is None else texels.reshape(-1, 2).astype(np.float32)
    vertices, cells, numbers = vtkPoints(), vtkCellArray(), np.arange(corners * count + 1, dtype=np.int64)
    vertices.SetData(numpy_to_vtk(flat, deep=True))
    cells.SetData(
        numpy_to_vtkIdTypeArray(numbers[::corners], deep=True), numpy_to_vtkIdTypeArray(numbers[:-1], deep=True)
    )
    data.SetPoints(vertices)
    data.SetPolys(cells)
    data.GetPointData().SetTCoords(numpy_to_vtk(at, deep=True))
    data.GetPointData().SetScalars(numpy_to_vtk(colors.reshape(-1, 4), deep=True))
