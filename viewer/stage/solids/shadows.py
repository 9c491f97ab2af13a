"""Soft shadows below solids, as if light came straight from above: they say what floats and what lies.

A sphere, a capsule and a box are a disk, a capsule and a hexagon from above, so how far a pixel of the ground is from
their outline is a formula. The higher a solid is above what it would fall on, the softer and the fainter its shadow.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from vtkmodules.vtkCommonDataModel import vtkPolyData
from vtkmodules.vtkRenderingCore import vtkActor

from collision.inner import FloatArray
from viewer.records.drawables import FLOORS, Floor
from viewer.records.theme import Theme
from viewer.stage.solids.floor_code import Lies, lay
from viewer.stage.solids.meshes import poly_data


def squares(floors: int) -> vtkPolyData:
    """Return a square from -1 to 1 for each floor; the number of the floor is the third coordinate."""
    corners = [(x, y, number) for number in range(floors) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    first = 4 * np.arange(floors)[:, None, None]
    return poly_data(np.array(corners, float), (np.array([(0, 1, 2), (0, 2, 3)]) + first).reshape(-1, 3), {})


def shadow(actor: vtkActor, theme: Theme, *, rounded: bool) -> None:
    """Have an actor, whose glyphs are `squares`, draw the shadows of its solids. It needs floors before it is drawn."""
    lay(actor, theme, Lies.ROUND_SHADOW if rounded else Lies.BOX_SHADOW)
    actor.GetProperty().BackfaceCullingOn()  # from below the ground, none is seen
    cast(actor, (), np.zeros(3))


def cast(actor: vtkActor, floors: Sequence[Floor], origin: FloatArray) -> None:
    """Say what shadows fall on."""
    uniforms = actor.GetShaderProperty().GetFragmentCustomUniforms()
    uniforms.SetUniformi("stageDisk", int(any(floor.disk for floor in floors)))
    flat = Floor((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    for k in range(FLOORS):
        floor = floors[k] if k < len(floors) else flat
        u, v, center = (
            np.array(floor.u),
            np.array(floor.v),
            np.subtract(floor.center, origin if k < len(floors) else 0.0),
        )
        up = np.cross(u, v)
        rows = np.array([(v[1], -v[0], 0.0), (-u[1], u[0], 0.0), (-up[0], -up[1], 0.0)]) / up[2]
        rows[:, 2] = -rows[:, :2] @ center[:2]  # the coordinates of its middle are zero, ...
        rows[2, 2] += center[2]  # ... and that is as high as it is
        for name, row in zip(("U", "V", "High"), rows.tolist(), strict=True):
            uniforms.SetUniform3f(f"stage{name}{k}", row)
