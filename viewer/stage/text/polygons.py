"""Flat polygons in VTK's own arrays, which are written in place."""

from __future__ import annotations

from typing import Any

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData

#: So many polygons there is room for at first.
_ROOM = 1024


class Polygons:
    """Flat polygons that all have as many corners, and none of them in common.

    Parameters
    ----------
    corners : int
        How many corners a polygon has.

    Attributes
    ----------
    points : ndarray, shape (n, corners, 3)
        The pixels of the corners.
    texels : ndarray, shape (n, corners, 2)
        Where the corners are in the texture, as parts of it.
    colors : ndarray, shape (n, corners, 4)
        Red, green, blue and opacity of the corners.
    """

    def __init__(self, corners: int) -> None:
        self.data = vtkPolyData()
        self._corners, self._shown = corners, 0
        self._allocate(_ROOM)

    def reserve(self, count: int) -> None:
        """Have room for so many polygons; if there was less, new arrays take the place of the old ones."""
        if count > len(self.points):
            self._allocate(2 * count)

    def show(self, count: int) -> None:
        """Show the first polygons of the arrays as they are written now, and no others."""
        for memory in (self.points, self.texels, self.colors):  # a polygon of no size is not seen
            memory[count : self._shown] = 0
        self._shown = count
        for changed in self._changing:
            changed.Modified()

    def _allocate(self, count: int) -> None:
        corners = self._corners
        self.points = np.zeros((count, corners, 3), np.float32)
        self.texels = np.zeros((count, corners, 2), np.float32)
        self.colors = np.zeros((count, corners, 4), np.uint8)
        points, cells, values = vtkPoints(), vtkCellArray(), self.data.GetPointData()
        points.SetData(numpy_to_vtk(self.points.reshape(-1, 3)))
        numbers = np.arange(corners * count + 1, dtype=np.int64)
        cells.SetData(
            numpy_to_vtkIdTypeArray(numbers[::corners], deep=True), numpy_to_vtkIdTypeArray(numbers[:-1], deep=True)
        )
        self.data.SetPoints(points)
        self.data.SetPolys(cells)
        values.SetTCoords(numpy_to_vtk(self.texels.reshape(-1, 2)))
        values.SetScalars(numpy_to_vtk(self.colors.reshape(-1, 4)))
        self._changing: tuple[Any, ...] = (points, values.GetTCoords(), values.GetScalars(), self.data)
