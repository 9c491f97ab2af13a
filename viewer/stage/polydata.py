"""Arrays as VTK's data, and actors whose shaders say where it is drawn, and in which colour."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkActor

from collision.inner import FloatArray


def poly_data(points: FloatArray, faces: npt.NDArray[Any] | None = None, **arrays: npt.NDArray[Any]) -> pv.PolyData:
    """Return points, or faces with as many corners each, as VTK's data in single precision, with arrays at the points.

    Examples
    --------
    >>> square = poly_data(np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]), np.array([(0, 1, 2, 3)]))
    >>> square.n_points, square.n_cells
    (4, 1)
    """
    with np.errstate(over="ignore"):  # what is farther away than single precision reaches becomes infinite
        own: Any = points.astype(np.float32)
        data = pv.PolyData(own) if faces is None else pv.PolyData.from_regular_faces(own, faces)
        for name, values in arrays.items() if len(own) else ():
            data.point_data[name] = values.astype(np.float32) if values.dtype == np.float64 else values
    return data


def colored(mapper: Any) -> Any:
    """Have a mapper take colours from the array ``color`` as they are, and return it."""
    mapper.SetScalarModeToUsePointFieldData()
    mapper.SelectColorArray("color")
    mapper.SetColorModeToDirectScalars()
    return mapper


def bare_actor(mapper: Any, *, see_through: bool = True) -> vtkActor:
    """Return an actor without light, which says nothing about where the camera stands or how far it sees."""
    actor = vtkActor()
    actor.SetMapper(mapper)
    actor.GetProperty().LightingOff()
    actor.UseBoundsOff()
    actor.PickableOff()
    (actor.ForceTranslucentOn if see_through else actor.ForceOpaqueOn)()
    return actor


def show(actor: vtkActor, data: pv.PolyData) -> None:
    """Have an actor draw other data."""
    mapper: Any = actor.GetMapper()
    mapper.SetInputData(data)
