"""The same solids as triangles, for exports."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyvista as pv
from vtkmodules.vtkCommonDataModel import vtkDataObject
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper

from collision.inner import BoolArray, FloatArray
from viewer.records.drawables import Floor, ShapeFlags
from viewer.records.theme import Theme
from viewer.stage.polydata import colored, poly_data, show
from viewer.stage.solids.hulls import HullActors
from viewer.stage.solids.impostor_code import Surface
from viewer.stage.solids.kinds import Boxes, Capsules, Codes, Cylinders, Solids, directions, thickened
from viewer.stage.solids.shading import color_table, paint, shade

#: Pieces of a great circle of a ball.
ROUNDNESS = 48

#: Which actors are of what is seen through: those of capsules, boxes and cylinders, twice.
_CLEAR = (False,) * 3 + (True,) * 3


class Template(NamedTuple):
    """A shape of unit size: its vertices, their normals, its triangles, and where on its face each is, from -1 to 1."""

    points: FloatArray
    normals: FloatArray
    triangles: npt.NDArray[Any]
    face: FloatArray


class Copies(NamedTuple):
    """Many of a shape: how each is made of it, where its vertices go, how its normals turn, and its flags."""

    template: Template
    matrix: FloatArray
    place: FloatArray
    turn: FloatArray
    flags: Codes


class MeshLayer:
    """Solids as triangles, two actors for each kind: the second one is of what is seen through."""

    def __init__(self, theme: Theme) -> None:
        self._hulls = HullActors(0)
        self.actors = (*(_mesh_actor(clear=clear) for clear in _CLEAR), *self._hulls.actors)
        # Of what is round, one sees no far side, as there is none to an impostor.
        for number in (3, 5):
            self.actors[number].GetProperty().BackfaceCullingOn()
        self.restyle(theme)

    def restyle(self, theme: Theme) -> None:
        """Look as a theme says from the next `update` on."""
        self._colors = color_table(theme)[:, :3]
        for actor, clear in zip(self.actors, _CLEAR, strict=False):
            paint(actor, theme, clear=clear)
        self._hulls.restyle(theme)

    def update(self, solids: Solids, origin: FloatArray, _: tuple[Floor, ...], *, see_through: bool) -> bool:
        """Make the triangles anew, without shadows, which no export has; say whether any of them is seen through."""
        for number, copies in enumerate((_balls(solids.capsules), _cubes(solids.boxes), _cylinders(solids.cylinders))):
            through = ((copies.flags & ShapeFlags.FADED) > 0) | see_through
            for actor, rows in ((self.actors[number], ~through), (self.actors[number + 3], through)):
                actor.SetVisibility(bool(rows.any()))
                show(actor, self._triangles(copies, rows, origin))
        clear = self._hulls.update(solids.hulls, origin, (), see_through=see_through)
        return clear or any(actor.GetVisibility() for actor in self.actors[3:6])

    def _triangles(self, copies: Copies, rows: BoolArray, origin: FloatArray) -> pv.PolyData:
        template, (matrix, place, turn, flags) = copies.template, (part[rows] for part in copies[1:])
        count, corners = len(flags), len(template.points)
        points = template.points @ np.swapaxes(matrix, -1, -2) + place - origin
        triangles = template.triangles + corners * np.arange(count)[:, None, None]
        data = poly_data(
            points.reshape(-1, 3),
            triangles.reshape(-1, 3),
            Normals=(template.normals @ np.swapaxes(turn, -1, -2)).reshape(-1, 3),
            color=np.repeat(self._colors[flags], corners, axis=0),
            flags=np.repeat(flags, corners).astype(np.float32),
            face=np.tile(template.face, (count, 1)),
        )
        data.GetPointData().SetActiveNormals("Normals")
        return data


def cube() -> pv.PolyData:
    """Return a cube from -1 to 1: eight corners for each axis, the first four on the side where it begins."""
    box: pv.PolyData = pv.Cube(x_length=2.0, y_length=2.0, z_length=2.0, clean=False).triangulate()
    return box


def _mesh_actor(*, clear: bool) -> vtkActor:
    mapper, actor = colored(vtkPolyDataMapper()), vtkActor()
    for attribute, array in (("flagsMC", "flags"), ("faceMC", "face")):
        mapper.MapDataArrayToVertexAttribute(attribute, array, vtkDataObject.FIELD_ASSOCIATION_POINTS, -1)
    actor.SetMapper(mapper)
    actor.PickableOff()
    actor.VisibilityOff()  # until there is something to draw
    shade(actor, Surface.MESH, clear=clear)
    actor.GetProperty().SetOpacity(0.3 if clear else 1.0)  # for exports; the shader has its own
    return actor


def _balls(capsules: Capsules) -> Copies:
    """Return capsules as balls whose equator is there twice, each of which is pulled apart."""
    around, upward = ROUNDNESS, ROUNDNESS // 4
    longitude = 2.0 * np.pi * np.arange(around) / around
    half = np.linspace(0.0, np.pi / 2.0, upward + 1)
    latitude = np.concatenate([half - np.pi / 2.0, half])
    ring = np.stack([np.cos(longitude), np.sin(longitude)], axis=1)
    points = np.concatenate([np.column_stack([np.cos(a) * ring, np.full(around, np.sin(a))]) for a in latitude])
    i, j = np.meshgrid(np.arange(len(latitude) - 1), np.arange(around), indexing="ij")
    a, b = i * around + j, i * around + (j + 1) % around
    triangles = np.concatenate([np.stack([a, b, b + around], axis=-1), np.stack([a, b + around, a + around], axis=-1)])
    ball = Template(points, points, triangles.reshape(-1, 3), np.zeros((len(points), 2)))
    turn = _frames(directions(capsules))
    # The upper half of the ball (its last vertices) goes to the end of the capsule, the lower half to the start.
    upper = np.arange(len(points)) >= len(points) // 2
    place = np.where(upper[:, None], capsules.end[:, None], capsules.start[:, None])
    return Copies(ball, capsules.radius[:, None, None] * turn, place, turn, capsules.flags)


def _cubes(boxes: Boxes) -> Copies:
    shape = cube()
    points, normals = np.asarray(shape.points, float), np.asarray(shape.point_data["Normals"], float)
    box = Template(points, normals, shape.regular_faces, points[normals == 0.0].reshape(-1, 2))
    matrix = boxes.axes * thickened(boxes.half)[:, None, :]
    return Copies(box, matrix, boxes.center[:, None], boxes.axes, boxes.flags)


def _cylinders(cylinders: Cylinders) -> Copies:
    """Return cylinders as prisms: a side, and both ends as rings around their middles."""
    longitude = 2.0 * np.pi * np.arange(ROUNDNESS) / ROUNDNESS
    ring = np.column_stack([np.cos(longitude), np.sin(longitude), np.zeros(ROUNDNESS)])
    up, rim = np.array([0.0, 0.0, 1.0]), np.tile([1.0, 0.0], (ROUNDNESS, 1))
    points = np.concatenate([ring - up, ring + up, ring - up, [-up], ring + up, [up]])
    normals = np.concatenate([ring, ring, np.tile(-up, (ROUNDNESS + 1, 1)), np.tile(up, (ROUNDNESS + 1, 1))])
    face = np.concatenate([-rim, rim, rim, [(0.0, 0.0)], rim, [(0.0, 0.0)]])
    a = np.arange(ROUNDNESS)
    b = (a + 1) % ROUNDNESS
    low, high = 2 * ROUNDNESS, 3 * ROUNDNESS + 1
    sides = np.stack([a, b, b + ROUNDNESS], axis=1), np.stack([a, b + ROUNDNESS, a + ROUNDNESS], axis=1)
    middles = np.full(ROUNDNESS, low + ROUNDNESS), np.full(ROUNDNESS, high + ROUNDNESS)
    ends = np.stack([b + low, a + low, middles[0]], axis=1), np.stack([a + high, b + high, middles[1]], axis=1)
    prism = Template(points, normals, np.concatenate([*sides, *ends]), face)
    turn = _frames(directions(cylinders))
    half = 0.5 * np.linalg.norm(cylinders.end - cylinders.start, axis=1)
    size = thickened(np.stack([cylinders.radius, cylinders.radius, half], axis=1))
    place = (cylinders.start + 0.5 * (cylinders.end - cylinders.start))[:, None]
    return Copies(prism, turn * size[:, None, :], place, turn, cylinders.flags)


def _frames(z: FloatArray) -> FloatArray:
    """Return rotations whose z axis lies along unit vectors."""
    aside = np.where(np.abs(z[:, :1]) < 0.9, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])
    x = np.cross(aside, z)
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    return np.stack([x, np.cross(z, x), z], axis=-1)
