"""What links look like, as pale triangles beside the solids that are compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyvista as pv
from vtkmodules.vtkCommonMath import vtkMatrix4x4
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer

from viewer.records.drawables import Role, Visual
from viewer.records.theme import Theme
from viewer.stage.polydata import poly_data, show

#: How opaque they are, and how much of their light comes from everywhere.
_OPACITY, _AMBIENT = 0.4, 0.5

#: How much farther they are taken to be: in slopes, and in steps of the depths.
_BEHIND = 2.0, 64.0


class _Shown(NamedTuple):
    """An actor, and what it draws."""

    actor: vtkActor
    visual: Visual


class VisualActors:
    """Draws each mesh by an actor of its own, which moves with its link: triangles are uploaded once."""

    def __init__(self, renderer: vtkRenderer, theme: Theme) -> None:
        self._renderer = renderer
        self._shown: list[_Shown] = []
        self.restyle(theme)

    def restyle(self, theme: Theme) -> None:
        """Look as a theme says."""
        self._theme = theme
        for actor, visual in self._shown:
            self._paint(actor, visual.role)

    def update(self, visuals: Sequence[Visual]) -> None:
        """Show these and no others."""
        for actor, _ in self._shown[len(visuals) :]:
            self._renderer.RemoveActor(actor)
        before, self._shown = self._shown[: len(visuals)], []
        for k, visual in enumerate(visuals):
            actor, last = before[k] if k < len(before) else (self._new(), None)
            if last is None or last.role is not visual.role:
                self._paint(actor, visual.role)
            if last is None or not (_same(last.points, visual.points) and _same(last.triangles, visual.triangles)):
                show(actor, _faceted(visual))
            place = vtkMatrix4x4()
            place.DeepCopy([*visual.transform.ravel().tolist(), 0.0, 0.0, 0.0, 1.0])
            actor.SetUserMatrix(place)
            self._shown.append(_Shown(actor, visual))

    def _paint(self, actor: vtkActor, role: Role) -> None:
        looks, ghost = actor.GetProperty(), role is Role.FADED
        looks.SetColor(*(part / 255.0 for part in self._theme.styles[role].color))
        looks.SetOpacity(_OPACITY if ghost else 1.0)
        looks.SetBackfaceCulling(ghost)  # of what is closed, one layer is seen
        actor.SetForceTranslucent(ghost)

    def _new(self) -> vtkActor:
        actor, mapper = vtkActor(), vtkPolyDataMapper()
        mapper.ScalarVisibilityOff()
        # What lies in the surface of a solid is behind it, as what is in it: else rounding would choose for each pixel.
        mapper.SetResolveCoincidentTopologyToPolygonOffset()
        mapper.SetRelativeCoincidentTopologyPolygonOffsetParameters(*_BEHIND)
        actor.SetMapper(mapper)
        actor.PickableOff()
        looks = actor.GetProperty()
        looks.SetAmbient(_AMBIENT)
        looks.SetDiffuse(1.0 - _AMBIENT)
        self._renderer.AddActor(actor)
        return actor


def _faceted(visual: Visual) -> pv.PolyData:
    """Return the triangles, each with its own corners and so with the normal of its plane."""
    corners = visual.points[visual.triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=-1, keepdims=True), np.finfo(float).tiny)
    order = np.arange(3 * len(corners)).reshape(-1, 3)
    data = poly_data(corners.reshape(-1, 3), order, Normals=np.repeat(normals, 3, axis=0))
    data.GetPointData().SetActiveNormals("Normals")
    return data


def _same(one: npt.NDArray[Any], other: npt.NDArray[Any]) -> bool:
    return one is other or bool(np.array_equal(one, other))
