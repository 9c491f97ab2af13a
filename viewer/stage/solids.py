"""Solids of any number in three actors.

Spheres are impostors, and so are capsules, each in one piece; boxes are glyphs of one cube. Their arrays are NumPy
views of VTK's own, written in place: painting ten thousand shapes red is one assignment.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.spatial.transform import Rotation
from vtkmodules import vtkRenderingOpenGL2
from vtkmodules.vtkRenderingCore import vtkActor, vtkGlyph3DMapper, vtkRenderer

from collision import AABB, Capsule, OrientedBox, Sphere
from collision.inner import BoolArray, FloatArray, IntArray, address
from viewer.latest import Latest
from viewer.picture.drawables import Marker, Role, Solid, Solidity, SolidShape, Stroke
from viewer.picture.theme import Theme
from viewer.stage import meshes
from viewer.stage.clouds import Cloud
from viewer.stage.extent import MANY, Corners, Extent, origin_in, union
from viewer.stage.rows import ARRAYS, REFUSED, ROWS, SHORTEST, TURNED
from viewer.stage.shading import Surface, color_table, set_view, shade
from viewer.view.camera import Viewport

Codes = npt.NDArray[np.uint8]

#: What a cloud is made of: points, colors and its other arrays.
Written: TypeAlias = tuple[FloatArray, Codes, dict[str, FloatArray]]

#: The origin of no solids.
_NOWHERE: FloatArray = np.zeros(3)

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


def sort_solids(drawables: Sequence[Solid]) -> Solids:
    """Sort solids by what draws them, each group flat and broadcast."""
    none, codes = np.zeros((0, 3)), np.zeros(0, dtype=np.uint8)
    groups: dict[type, list[tuple[Any, ...]]] = {
        Balls: [(none, none[:, 0], codes)],
        Capsules: [(none, none, none[:, 0], codes)],
        Boxes: [(none, np.zeros((0, 3, 3)), none, codes)],
    }
    for drawable in drawables:
        shape = drawable.shape.flattened()
        standing = np.broadcast_to(np.asarray(drawable.standing, dtype=np.uint8).reshape(-1), len(shape))
        some = _sorted(shape, standing)
        groups[type(some)].append(some)
    balls, capsules, boxes = ([np.concatenate(part) for part in zip(*group, strict=True)] for group in groups.values())
    return Solids(Balls(*balls), Capsules(*capsules), Boxes(*boxes))


def _sorted(shape: Sphere | Capsule | AABB | OrientedBox, standing: Codes) -> Balls | Capsules | Boxes:
    """Return solids of one kind, in a flat batch, as what draws them takes them."""
    if isinstance(shape, Sphere):
        return Balls(shape.center, shape.radius, standing)
    if isinstance(shape, Capsule):
        return Capsules(shape.start, shape.end, shape.radius, standing)
    if isinstance(shape, OrientedBox):
        return Boxes(shape.center, shape.axes, shape.half_extents, standing)
    return Boxes(shape.center, np.broadcast_to(np.eye(3), (len(shape), 3, 3)), shape.half_extents, standing)


def _thin(some: Balls | Capsules | Boxes) -> BoolArray:
    """Tell which solids have no surface: those of no radius, and boxes of one extent at most."""
    if isinstance(some, Boxes):
        return np.asarray((some.half > 0.0).sum(axis=1) <= 1)
    return np.asarray(some.radius == 0.0)


def thin_marks(solids: Solids) -> list[Marker | Stroke]:
    """Return dots and lines for solids without a surface."""
    balls, capsules, boxes = solids
    points, bare, rods = (_thin(some) for some in solids)
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

    def patch(
        self, shape: SolidShape, was: SolidShape, standing: Codes, before: int, rows: IntArray, origin: FloatArray
    ) -> bool:
        """Show some rows of a batch as they are now, after so many others that are drawn as this kind is.

        The shapes, as they are and were, are those of the batch, or a single one for a single row. Returns whether that
        was possible; if not, all have to be shown anew.
        """


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
        self.bounds: Corners | None = None
        #: The box that the origin follows from, and what the coordinates in the arrays are relative to.
        self._whole: Corners | None = None
        self._origin = _NOWHERE
        self._extent = Extent()
        #: The last solids that were shown, and the actors that are hidden since there are none.
        self._drawn: Sequence[Solid] = ()
        #: Of each, how many rows there are before its own in the cloud that draws it.
        self._befores: list[int] = []
        self._hidden: list[vtkActor] = []
        self._seen: tuple[Viewport, float] | None = None
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

    @property
    def origin(self) -> FloatArray:
        """A point near all solids, for coordinates to be relative to."""
        return _NOWHERE if self.bounds is None else self._origin

    def renewed(self, theme: Theme, *, see_through: bool) -> SolidActors:
        """Return others in the place of these: what solids look like is part of their shaders."""
        for actor in self.actors:
            self._renderer.RemoveActor(actor)
        return SolidActors(self._renderer, theme, mesh=self._mesh, see_through=see_through)

    def update(self, drawables: Sequence[Solid], beside: Corners | None = None) -> None:
        """Show these solids and no others. Where most are like those that are shown, only the others are written.

        The origin is that of all that is in the box beside them, too.
        """
        if not drawables:
            self._hide()
            return
        for actor in self._hidden:
            actor.VisibilityOn()
        self._hidden = []
        same = len(drawables) == len(self._drawn) and all(map(operator.is_, drawables, self._drawn))
        if same and beside is None and self.bounds is not None:
            return
        if not self._patch(drawables, beside):
            self._place(self._extent.around(drawables), beside)
            solids = sort_solids(drawables)
            self._befores = _rows_before(drawables)
            self.thin = thin_marks(solids)
            self._stand()
            self._layer.update(solids, self._origin)
        self._drawn = drawables

    def _hide(self) -> None:
        """Show nothing: what comes again is likely to be like what was last."""
        if self.bounds is not None:
            self._hidden = [actor for actor in self.actors if actor.GetVisibility()]
            for actor in self._hidden:
                actor.VisibilityOff()
            if self.thin:
                self._drawn, self.thin = (), []
            self.bounds = None

    def _place(self, bounds: Corners | None, beside: Corners | None) -> bool:
        """Take other bounds; say whether the origin is still the same."""
        self.bounds = bounds
        whole = bounds if bounds is None or beside is None else union((bounds, beside))
        if whole == self._whole:
            return True
        self._whole = whole
        origin = _NOWHERE if whole is None else origin_in(*whole)
        if origin.tolist() == self._origin.tolist():
            return True
        self._origin = origin
        return False

    def _patch(self, drawables: Sequence[Solid], beside: Corners | None) -> bool:
        """Write what differs from the solids that are shown; False where that is not possible, and all must be."""
        if self.thin or len(drawables) != len(self._drawn):
            return False
        for solid, last, before in zip(drawables, self._drawn, self._befores, strict=True):
            if solid is not last:
                if solid.batch is not last.batch or len(solid.standing) != len(solid.batch):
                    return False
                if not self._rewrite(solid, last, before):
                    return False
        if not self._place(self._extent.around(drawables), beside):
            self._stand()
            for solid, before in zip(drawables, self._befores, strict=True):
                if len(solid.standing):
                    all_rows = np.arange(len(solid.standing))
                    self._layer.patch(solid.shape, solid.shape, solid.standing, before, all_rows, self._origin)
        return True

    def _rewrite(self, solid: Solid, last: Solid, before: int) -> bool:
        """Write the rows in which a solid differs from the last one of the same batch; False if that cannot be."""
        patch, standing, new, old = self._layer.patch, solid.standing, solid.moved, last.moved
        base = solid.batch
        rows = [row for row, shape in new.items() if old.get(row) is not shape]
        rows += [row for row in old if row not in new]
        painted = [] if standing is last.standing else np.flatnonzero(standing != last.standing).tolist()
        rows += [row for row in painted if row in new and old.get(row) is new[row]]
        if len(rows) >= MANY:
            every = np.array(sorted({*rows, *painted}), dtype=np.intp)
            return patch(solid.shape, last.shape, standing, before, every, self._origin)
        for row in rows:
            shape = new[row] if row in new else base[row]
            was = old[row] if row in old else base[row]
            if not patch(shape, was, standing, before, np.array([row]), self._origin):
                return False
        painted = [row for row in painted if row not in new and row not in old]
        return not painted or patch(base, base, standing, before, np.array(painted), self._origin)

    def _stand(self) -> None:
        for actor in self.actors:
            actor.SetPosition(*self._origin)

    def set_view(self, view: Viewport, unit: float) -> None:
        """Follow the camera and the picture's size."""
        if self._seen is not None and self._seen[0] is view and self._seen[1] == unit:
            return
        self._seen = view, unit
        parallel = view.camera.parallel_height is not None
        pixel = float(view.units_per_pixel(view.eye + view.forward))
        for actor in self.actors:
            set_view(actor, unit=unit, pixel=pixel, parallel=parallel)


#: The cloud that draws a kind: the boxes of both kinds are one.
_CLOUDS: dict[type, int] = {Sphere: 0, Capsule: 1, AABB: 2, OrientedBox: 2}


def _rows_before(solids: Sequence[Solid]) -> list[int]:
    """Return of each batch how many rows there are before its own, in the cloud that draws it."""
    befores, counts = [], [0, 0, 0]
    for solid in solids:
        cloud = _CLOUDS[type(solid.batch)]
        befores.append(counts[cloud])
        counts[cloud] += len(solid.standing)
    return befores


def _has_impostors() -> bool:
    return all(hasattr(vtkRenderingOpenGL2, name) for name in _IMPOSTORS)


class ImpostorLayer:
    """Solids as two kinds of impostors and as glyphs of a cube."""

    def __init__(self, theme: Theme, *, see_through: bool = False) -> None:
        self._colors = color_table(theme)
        balls, capsules = (getattr(vtkRenderingOpenGL2, name)() for name in _IMPOSTORS)
        boxes = vtkGlyph3DMapper()
        balls.SetScaleArray("radius")
        capsules.SetScaleArray("size")
        capsules.SetOrientationArray("axis")
        boxes.SetSourceData(meshes.cube())
        boxes.SetScaleModeToScaleByVectorComponents()
        boxes.SetScaleArray("size")
        boxes.SetOrientationModeToQuaternion()
        boxes.SetOrientationArray("quaternion")
        #: Where the colors are in memory.
        self._palette = address(self._colors)
        #: The last standings, which cannot be written to: to ask such an array for its address takes a while.
        self._standing_at = Latest(address)
        self._clouds = (
            Cloud(balls, {"radius": 1}),
            Cloud(capsules, {"size": 3, "axis": 3}),
            Cloud(boxes, {"size": 3, "quaternion": 4}),
        )
        self.actors = tuple(cloud.actor for cloud in self._clouds)
        for actor, surface in zip(self.actors, (Surface.BALL, Surface.CAPSULE, Surface.BOX), strict=True):
            shade(actor, theme, surface, see_through=see_through)
        # The far side of a flat box lies within rounding of its near side. Through one that is seen through, its far
        # edges are to be seen.
        self.actors[2].GetProperty().SetBackfaceCulling(not see_through)

    def update(self, solids: Solids, origin: FloatArray) -> None:
        """Write the solids into the arrays."""
        balls, capsules, boxes = self._clouds
        balls.write(*self._balls(solids.balls, origin))
        capsules.write(*self._capsules(solids.capsules, origin))
        boxes.write(*self._boxes(solids.boxes, origin))

    def patch(
        self, shape: SolidShape, was: SolidShape, standing: Codes, before: int, rows: IntArray, origin: FloatArray
    ) -> bool:
        """Write some rows of a batch into those of the arrays."""
        cloud = self._clouds[_CLOUDS[type(shape)]]
        changed = ROWS.run(
            shape.rank,
            len(rows),
            address(rows),
            *shape.operands,
            *was.operands,
            self._standing_at(standing),
            self._palette,
            address(origin),
            before,
            *cloud.places[:3],
            cloud.places[-1],
        )
        cloud.touch(changed & ARRAYS)
        if changed & REFUSED:
            return False
        if changed & TURNED and isinstance(shape, OrientedBox):
            axes = shape[rows].axes if shape.batch_shape else shape.axes[None]
            cloud.write_rows(rows + before, {"quaternion": _quaternions(axes)})
        return True

    def _balls(self, balls: Balls, origin: FloatArray) -> Written:
        return balls.center - origin, self._colors[balls.standing], {"radius": balls.radius}

    def _capsules(self, capsules: Capsules, origin: FloatArray) -> Written:
        start, end, radius = capsules.start, capsules.end, capsules.radius
        length = np.linalg.norm(end - start, axis=1)
        axis = np.tile([1.0, 0.0, 0.0], (len(length), 1))  # of one without a length
        np.divide(end - start, length[:, None], out=axis, where=length[:, None] > 0.0)
        size = np.stack([np.maximum(length, SHORTEST * radius), radius, radius], axis=1)
        return start + 0.5 * (end - start) - origin, self._colors[capsules.standing], {"size": size, "axis": axis}

    def _boxes(self, boxes: Boxes, origin: FloatArray) -> Written:
        return (
            boxes.center - origin,
            self._colors[boxes.standing],
            {"size": meshes.thickened(boxes.half), "quaternion": _quaternions(boxes.axes)},
        )


def _quaternions(axes: FloatArray) -> FloatArray:
    """Return rotations as VTK takes them, the real part first."""
    return Rotation.from_matrix(axes).as_quat()[:, [3, 0, 1, 2]] if len(axes) else np.zeros((0, 4))
