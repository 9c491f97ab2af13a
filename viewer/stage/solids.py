"""Solids of any number in three actors.

Spheres and the ends of capsules are sphere impostors, the bodies of capsules stick impostors, boxes are glyphs of one
cube. Their arrays are NumPy views of VTK's own, written in place: painting ten thousand shapes red is one assignment.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.spatial.transform import Rotation
from vtkmodules import vtkRenderingOpenGL2
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData
from vtkmodules.vtkRenderingCore import vtkActor, vtkGlyph3DMapper, vtkRenderer

from collision import AABB, Capsule, OrientedBox, Sphere
from collision.fields import BoolArray, FloatArray, IntArray
from viewer.camera import Viewport
from viewer.drawables import Marker, Role, Solid, Solidity, Stroke
from viewer.stage import meshes
from viewer.stage.extent import Extent, origin_in
from viewer.stage.shading import Surface, set_view, shade, vertex_colors
from viewer.stage.sight import pixel_size
from viewer.theme import Theme

Codes = npt.NDArray[np.uint8]

#: What a cloud is made of: points, colors and its other arrays.
Written: TypeAlias = tuple[FloatArray, Codes, dict[str, FloatArray]]

#: VTK's impostor mappers. Builds of VTK for other kinds of graphics than desktop OpenGL lack them.
_IMPOSTORS = ("vtkOpenGLSphereMapper", "vtkOpenGLStickMapper")


class Balls(NamedTuple):
    """Spheres: the centers, the radii and how each stands."""

    center: FloatArray
    radius: FloatArray
    standing: Codes


class Capsules(NamedTuple):
    """Capsules: the ends, the radii and how each stands."""

    start: FloatArray
    end: FloatArray
    radius: FloatArray
    standing: Codes


class Boxes(NamedTuple):
    """Boxes: the centers, the axes as columns, the half extents and how each stands."""

    center: FloatArray
    axes: FloatArray
    half: FloatArray
    standing: Codes


class Solids(NamedTuple):
    """All solids of a picture, sorted by what draws them."""

    balls: Balls
    capsules: Capsules
    boxes: Boxes


class Rows(NamedTuple):
    """Some rows of each sort of solids."""

    balls: IntArray
    capsules: IntArray
    boxes: IntArray


def sort_rows(drawables: Sequence[Solid], rows: Sequence[IntArray]) -> tuple[Solids, Rows]:
    """Sort some rows of solids by what draws them, and say where among all that it draws they are."""
    some: list[Solid] = []
    places: dict[type, list[IntArray]] = {kind: [np.zeros(0, dtype=np.intp)] for kind in (Sphere, Capsule, OrientedBox)}
    counts = dict.fromkeys(places, 0)
    for drawable, own in zip(drawables, rows, strict=True):
        kind = OrientedBox if isinstance(drawable.shape, AABB) else type(drawable.shape)
        if len(own):
            some.append(Solid(drawable.shape[own], drawable.standing[own]))
            places[kind].append(counts[kind] + own)
        counts[kind] += len(drawable.shape)
    return sort_solids(some), Rows(*(np.concatenate(parts) for parts in places.values()))


def sort_solids(drawables: Sequence[Solid]) -> Solids:
    """Sort solids by what draws them, each group flat and broadcast."""
    rows: dict[type, list[tuple[Any, ...]]] = {Sphere: [], Capsule: [], OrientedBox: []}
    for drawable in drawables:
        shape = drawable.shape.flattened()
        standing = np.broadcast_to(np.asarray(drawable.standing, dtype=np.uint8).reshape(-1), len(shape))
        if isinstance(shape, AABB):
            axes = np.broadcast_to(np.eye(3), (len(shape), 3, 3))
            rows[OrientedBox].append((shape.center, axes, shape.half_extents, standing))
        else:
            rows[type(shape)].append((*shape.values().values(), standing))
    none = np.zeros((0, 3))
    codes = np.zeros(0, dtype=np.uint8)
    rows[Sphere].append((none, none[:, 0], codes))
    rows[Capsule].append((none, none, none[:, 0], codes))
    rows[OrientedBox].append((none, np.zeros((0, 3, 3)), none, codes))
    balls, capsules, boxes = ([np.concatenate(part) for part in zip(*group, strict=True)] for group in rows.values())
    return Solids(Balls(*balls), Capsules(*capsules), Boxes(*boxes))


def thin_marks(solids: Solids) -> list[Marker | Stroke]:
    """Return dots and lines for solids without a surface: those of no radius, and boxes of one extent at most."""
    balls, capsules, boxes = solids
    points, bare = balls.radius == 0.0, capsules.radius == 0.0
    rods = (boxes.half > 0.0).sum(axis=1) <= 1
    if not (points.any() or bare.any() or rods.any()):
        return []
    reach = np.einsum("nij,nj->ni", boxes.axes[rods], boxes.half[rods])
    center = boxes.center[rods]
    start = np.concatenate([balls.center[points], capsules.start[bare], center - reach])
    end = np.concatenate([balls.center[points], capsules.end[bare], center + reach])
    standing = np.concatenate([balls.standing[points], capsules.standing[bare], boxes.standing[rods]])
    marks: list[Marker | Stroke] = []
    for role, rows in (
        (Role.SELECTED, (standing & Solidity.SELECTED) > 0),
        (Role.FREE, (standing & Solidity.HIT) == 0),
        (Role.HIT, (standing & Solidity.HIT) > 0),
    ):
        short = rows & (start == end).all(axis=1)
        long = rows & ~short
        marks += [Marker(start[short], role)] if short.any() else []
        marks += [Stroke(start[long], end[long], role)] if long.any() else []
    return marks


class Layer(Protocol):
    """What `SolidActors` holds: it takes solids, relative to an origin, and shows them with its actors."""

    @property
    def actors(self) -> Sequence[vtkActor]:
        """The actors, the same for as long as this lives."""

    def update(self, solids: Solids, origin: FloatArray) -> None:
        """Show these solids and no others."""

    def patch(self, some: Solids, rows: Rows, origin: FloatArray) -> bool:
        """Show some solids in the place of those in some rows; False, and nothing is shown yet, where it cannot."""


class SolidActors:
    """The actors of all solids of a picture.

    Parameters
    ----------
    renderer : vtkRenderer
        Gets the actors.
    theme : Theme
        Colors and light.
    mesh : bool
        Whether to draw triangles instead of impostors and glyphs, as exports need.
    see_through : bool
        Whether to draw outlines that one sees through.
    """

    def __init__(self, renderer: vtkRenderer, theme: Theme, *, mesh: bool, see_through: bool = False) -> None:
        #: Dots and lines for those solids that have no surface.
        self.thin: list[Marker | Stroke] = []
        #: The lowest and the highest corner of the box around all solids.
        self.bounds: tuple[FloatArray, FloatArray] | None = None
        #: What the coordinates in the arrays are relative to: a point near all solids.
        self.origin: FloatArray = np.zeros(3)
        self._extent = Extent()
        self._like: list[Solid] = []
        self._rows: list[IntArray] = []
        kind = meshes.MeshLayer if mesh or not _has_impostors() else ImpostorLayer
        #: Whether they are outlines that one sees through.
        self.see_through = see_through
        self._renderer, self._mesh = renderer, mesh
        self._layer: Layer = kind(theme, see_through=see_through)
        for actor in self._layer.actors:
            renderer.AddActor(actor)

    @property
    def actors(self) -> Sequence[vtkActor]:
        """The actors, the same for as long as this lives."""
        return self._layer.actors

    def renewed(self, theme: Theme, *, see_through: bool) -> SolidActors:
        """Return others in the place of these: what solids look like is part of their shaders."""
        for actor in self.actors:
            self._renderer.RemoveActor(actor)
        return SolidActors(self._renderer, theme, mesh=self._mesh, see_through=see_through)

    def update(self, drawables: Sequence[Solid]) -> None:
        """Show these solids and no others. Where most are like those that are shown, only the others are written."""
        if not drawables and not self._like:
            return
        self.bounds = self._extent.around(drawables)
        origin = np.zeros(3) if self.bounds is None else origin_in(*self.bounds)
        same = np.array_equal(origin, self.origin)
        if not same or not self._patch(drawables):
            solids = sort_solids(drawables)
            self.thin = thin_marks(solids)
            self.origin = origin
            for actor in self.actors:
                actor.SetPosition(*origin)
            self._layer.update(solids, origin)
        self._like = [drawable.like or drawable for drawable in drawables]
        self._rows = [drawable.rows for drawable in drawables]

    def _patch(self, drawables: Sequence[Solid]) -> bool:
        """Write what differs from the solids that are shown; False where that is no gain, or not possible."""
        alike = len(drawables) == len(self._like) and all(
            drawable.like is not None and drawable.like is like
            for drawable, like in zip(drawables, self._like, strict=True)
        )
        if not alike:
            return False
        rows = [
            np.union1d(old, drawable.rows) if len(old) else drawable.rows
            for old, drawable in zip(self._rows, drawables, strict=True)
        ]
        some, places = sort_rows(drawables, rows)
        return not self.thin and not thin_marks(some) and self._layer.patch(some, places, self.origin)

    def set_view(self, view: Viewport, unit: float) -> None:
        """Follow the camera and the picture's size."""
        parallel = view.camera.parallel_height is not None
        pixel = float(pixel_size(view.eye + view.forward, view)[0])
        for actor in self.actors:
            set_view(actor, unit=unit, pixel=pixel, parallel=parallel)


def _has_impostors() -> bool:
    return all(hasattr(vtkRenderingOpenGL2, name) for name in _IMPOSTORS)


class ImpostorLayer:
    """Solids as two kinds of impostors and as glyphs of a cube."""

    def __init__(self, theme: Theme, *, see_through: bool = False) -> None:
        self._theme = theme
        balls, sticks = (getattr(vtkRenderingOpenGL2, name)() for name in _IMPOSTORS)
        boxes = vtkGlyph3DMapper()
        balls.SetScaleArray("radius")
        sticks.SetScaleArray("size")
        sticks.SetOrientationArray("axis")
        boxes.SetSourceData(meshes.cube())
        boxes.SetScaleModeToScaleByVectorComponents()
        boxes.SetScaleArray("size")
        boxes.SetOrientationModeToQuaternion()
        boxes.SetOrientationArray("quaternion")
        self._counts = (0, 0)
        self._long: BoolArray = np.zeros(0, dtype=bool)
        self._clouds = (
            Cloud(balls, {"radius": 1}),
            Cloud(sticks, {"size": 3, "axis": 3}),
            Cloud(boxes, {"size": 3, "quaternion": 4}),
        )
        self.actors = tuple(cloud.actor for cloud in self._clouds)
        for actor, surface in zip(self.actors, (Surface.BALL, Surface.STICK, Surface.BOX), strict=True):
            shade(actor, theme, surface, see_through=see_through)
        # The far side of a flat box lies within rounding of its near side. Through one that is seen through, its far
        # edges are to be seen.
        self.actors[2].GetProperty().SetBackfaceCulling(not see_through)

    def update(self, solids: Solids, origin: FloatArray) -> None:
        """Write the solids into the arrays."""
        self._counts = len(solids.balls.standing), len(solids.capsules.standing)
        self._long = _long(solids.capsules)
        balls, sticks, boxes = self._clouds
        balls.write(*self._balls(solids, origin))
        sticks.write(*self._sticks(solids.capsules, origin))
        boxes.write(*self._boxes(solids.boxes, origin))

    def patch(self, some: Solids, rows: Rows, origin: FloatArray) -> bool:
        """Write some solids into some rows of the arrays."""
        if (_long(some.capsules) != self._long[rows.capsules]).any():
            return False
        balls, sticks, boxes = self._clouds
        first, second = self._counts[0], sum(self._counts)
        ends = np.concatenate([rows.balls, first + rows.capsules, second + rows.capsules])
        if len(ends):
            balls.patch(ends, *self._balls(some, origin))
        if len(rows.capsules):
            bodies = rows.capsules[self._long[rows.capsules]]
            places = bodies if self._long.all() else (np.cumsum(self._long) - 1)[bodies]
            sticks.patch(places, *self._sticks(some.capsules, origin))
        if len(rows.boxes):
            boxes.patch(rows.boxes, *self._boxes(some.boxes, origin))
        return True

    def _balls(self, solids: Solids, origin: FloatArray) -> Written:
        balls, capsules = solids.balls, solids.capsules
        return (
            np.concatenate([balls.center, capsules.start, capsules.end]) - origin,
            vertex_colors(np.concatenate([balls.standing, capsules.standing, capsules.standing]), self._theme),
            {"radius": np.concatenate([balls.radius, capsules.radius, capsules.radius])},
        )

    def _sticks(self, capsules: Capsules, origin: FloatArray) -> Written:
        long = _long(capsules)  # a capsule of no length has no body
        start, end, radius = capsules.start[long], capsules.end[long], capsules.radius[long]
        length = np.linalg.norm(end - start, axis=1)
        return (
            start + 0.5 * (end - start) - origin,
            vertex_colors(capsules.standing[long], self._theme),
            {"size": np.stack([length, radius, radius], axis=1), "axis": (end - start) / length[:, None]},
        )

    def _boxes(self, boxes: Boxes, origin: FloatArray) -> Written:
        turned = Rotation.from_matrix(boxes.axes).as_quat()[:, [3, 0, 1, 2]] if len(boxes.axes) else np.zeros((0, 4))
        return (
            boxes.center - origin,
            vertex_colors(boxes.standing, self._theme),
            {"size": meshes.thickened(boxes.half), "quaternion": turned},
        )


def _long(capsules: Capsules) -> BoolArray:
    """Tell which capsules have a length."""
    return np.asarray(np.linalg.norm(capsules.end - capsules.start, axis=1) > 0.0)


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

    def write(self, points: FloatArray, colors: Codes, arrays: dict[str, FloatArray]) -> None:
        """Put new values into the arrays, in place unless their number has changed."""
        if len(points) != len(self._arrays["points"]):
            self._rebuild(len(points))
        self.patch(slice(None), points, colors, arrays)

    def patch(self, rows: IntArray | slice, points: FloatArray, colors: Codes, arrays: dict[str, FloatArray]) -> None:
        """Put new values into some rows of the arrays."""
        for name, values in {"points": points, "color": colors, **arrays}.items():
            own = self._arrays[name]
            new = np.asarray(values, dtype=own.dtype).reshape(-1, own.shape[1])
            if not np.array_equal(own[rows], new):
                own[rows] = new
                self._touch(name)

    def _touch(self, name: str) -> None:
        points = self._data.GetPoints()
        (points if name == "points" else self._data.GetPointData().GetArray(name)).Modified()
        self._data.Modified()

    def _rebuild(self, count: int) -> None:
        self._data = vtkPolyData()
        self._arrays = {"points": np.zeros((count, 3), np.float32), "color": np.zeros((count, 4), np.uint8)}
        self._arrays |= {name: np.zeros((count, width), np.float32) for name, width in self._widths.items()}
        points = vtkPoints()
        points.SetData(numpy_to_vtk(self._arrays["points"]))
        self._data.SetPoints(points)
        cells = vtkCellArray()
        cells.SetData(
            numpy_to_vtkIdTypeArray(np.arange(count + 1, dtype=np.int64), deep=True),
            numpy_to_vtkIdTypeArray(np.arange(count, dtype=np.int64), deep=True),
        )
        self._data.SetVerts(cells)
        for name, values in self._arrays.items():
            if name != "points":
                array = numpy_to_vtk(values)
                array.SetName(name)
                self._data.GetPointData().AddArray(array)
        self._mapper.SetInputData(self._data)
        # An empty actor would still have its shaders compiled.
        self.actor.SetVisibility(count > 0)
