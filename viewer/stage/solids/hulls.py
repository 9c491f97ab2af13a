"""Hulls as triangles in one actor: flat faces with sharp edges, or round ones where they are grown; their shadows."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyvista as pv
from vtkmodules.vtkCommonDataModel import vtkDataObject
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper

from collision.inner import FloatArray, IntArray, turned
from viewer.records.drawables import Floor, ShapeFlags
from viewer.records.theme import Theme
from viewer.stage.polydata import bare_actor, colored, poly_data, show
from viewer.stage.solids.impostor_code import Surface
from viewer.stage.solids.kinds import HullParts, Hulls
from viewer.stage.solids.shading import color_table, paint, shade
from viewer.stage.solids.shadows import cast, paint_shadow, shadow

#: Arrays of the vertices of shadows, and of those of faces: three lines or planes.
_THREE = "first", "second", "third"

#: Round edges turn by so much from corner to corner, unless they all have more corners than this.
_STEP, _CORNERS = np.pi / 24.0, 60_000

#: What is as far from an edge as this, in halves of its face, has none.
_EDGELESS = 100.0

#: A polygon is as thick as this, as a part of its size: its two sides are not in one place.
_THINNEST = 1e-6

#: A face that rises less than this is upright. A corner of a shadow reaches at most so many widths of its soft border.
_UPRIGHT, _REACH = 1e-6, 4.0

#: What has a rim, along which it counts which faces one sees.
_RIMMED = ShapeFlags.SELECTED | ShapeFlags.HOVERED


class HullActors:
    """The actors of hulls: of those that are seen through and the others, and of the shadows on each floor.

    Parameters
    ----------
    shadows : int
        On how many floors shadows can fall.
    """

    def __init__(self, shadows: int) -> None:
        self._faces = HullFaces(clear=False), HullFaces(clear=True)
        self.actors = tuple(faces.actor for faces in self._faces)
        self.shadows = tuple(bare_actor(_mapper("place", "reach", *_THREE)) for _ in range(shadows))
        self._last = _Last()
        for actor in self.shadows:
            shadow(actor, Surface.HULL)
            actor.VisibilityOff()

    def restyle(self, theme: Theme) -> None:
        """Look as a theme says from the next `update` on."""
        for faces in self._faces:
            faces.restyle(theme)
        for actor in self.shadows:
            paint_shadow(actor, theme)

    def update(self, hulls: Hulls, origin: FloatArray, floors: tuple[Floor, ...], *, see_through: bool) -> bool:
        """Show these hulls, relative to an origin, and their shadows on floors; say whether any is seen through."""
        faded = (hulls.flags & ShapeFlags.FADED) > 0
        clear = faded | see_through
        for faces, rows in zip(self._faces, (~clear, clear), strict=True):
            faces.update(hulls if rows.all() else hulls.of(rows), origin)
        for actor in self.shadows:
            actor.VisibilityOff()
        if floors and not faded.all():
            some = hulls.of(~faded)
            if self._last.changed("sides", some.begin, some.table):
                self._parts = HullParts.of(some)
                self._sides = Sides.of(self._parts)
            outlines = _outlines(some, self._parts, self._sides, origin)
            for actor, floor in zip(self.shadows, floors, strict=False):
                actor.VisibilityOn()
                cast(actor, floor, origin)
                show(actor, outlines)
        return bool(clear.any())


class _Last:
    """Arrays as they were the last time, by names."""

    def __init__(self) -> None:
        self._arrays = dict[str, tuple[npt.NDArray[Any], ...]]()

    def changed(self, name: str, *now: npt.NDArray[Any]) -> bool:
        """Tell whether some arrays are others than before, and keep them."""
        last = self._arrays.get(name, ())
        if last and all(map(np.array_equal, now, last)):
            return False
        self._arrays[name] = now
        return True


class HullFaces:
    """The faces of hulls, in one actor. What does not change stays on the graphics card."""

    def __init__(self, *, clear: bool) -> None:
        self.actor = vtkActor()
        self.actor.SetMapper(_mapper("flags", "face", *_THREE))
        self.actor.PickableOff()
        self.actor.VisibilityOff()  # until there is something to draw
        shade(self.actor, Surface.HULL, clear=clear)
        self.actor.GetProperty().SetOpacity(0.3 if clear else 1.0)  # for exports; the shader has its own
        # Of one that is seen through, its far edges are to be seen.
        self.actor.GetProperty().SetBackfaceCulling(not clear)
        self._clear, self._last = clear, _Last()

    def restyle(self, theme: Theme) -> None:
        """Look as a theme says from the next `update` on."""
        self._colors = color_table(theme)[:, :3]
        self._last = _Last()
        paint(self.actor, theme, clear=self._clear)

    def update(self, hulls: Hulls, origin: FloatArray) -> None:
        """Show these hulls, relative to an origin."""
        self.actor.SetVisibility(len(hulls.flags) > 0)
        if not len(hulls.flags):
            return
        anew = self._last.changed("mesh", hulls.begin, hulls.radius, hulls.table)
        if anew:
            self._mesh = mesh_of(hulls)
            self._data = poly_data(self._mesh.points, self._mesh.triangles, face=self._mesh.face)
            show(self.actor, self._data)
        mesh, own = self._mesh, self._mesh.owner
        arrays, axes = self._data.point_data, hulls.axes
        with np.errstate(over="ignore"):  # what is farther away than single precision reaches becomes infinite
            self._data.points = (turned(axes[own], mesh.points) + (hulls.middle - origin)[own]).astype(np.float32)
        turn, paint = self._last.changed("axes", axes) or anew, self._last.changed("flags", hulls.flags) or anew
        if turn:
            arrays["Normals"] = turned(axes[own], mesh.normals).astype(np.float32)
            self._data.GetPointData().SetActiveNormals("Normals")
        if paint:
            arrays["color"] = self._colors[hulls.flags[own]]
            arrays["flags"] = hulls.flags[own].astype(np.float32)
        if turn or paint:
            rimmed = (hulls.flags[own] & _RIMMED) > 0
            for name, planes in zip(_THREE, mesh.planes, strict=True):
                beyond = np.zeros((len(own), 4), np.float32)
                beyond[rimmed, :3] = turned(axes[own[rimmed]], planes[rimmed, :3])
                beyond[rimmed, 3] = planes[rimmed, 3]
                arrays[name] = beyond


def _mapper(*names: str) -> Any:
    """Return a mapper of triangles whose vertices have arrays for its shader, each called as it is and ``MC``."""
    mapper = colored(vtkPolyDataMapper())
    mapper.SetVBOShiftScaleMethod(0)  # else vertices are not where they are, where they are many or far apart
    for name in names:
        mapper.MapDataArrayToVertexAttribute(f"{name}MC", name, vtkDataObject.FIELD_ASSOCIATION_POINTS, -1)
    return mapper


# -- faces -------------------------------------------------------------------------------------------------------------


class Sides(NamedTuple):
    """The sides of all faces of hulls, each edge twice: from corner to corner, with a face on the left and the right.

    `owner` is the hull of each; `after` and `before` are the sides of the face next to each.
    """

    start: IntArray
    end: IntArray
    face: IntArray
    beyond: IntArray
    owner: IntArray
    after: IntArray
    before: IntArray

    @classmethod
    def of(cls, parts: HullParts) -> Sides:
        """Return the sides of the faces of hulls."""
        a, b, left, right = parts.edges.T
        start, end, face, beyond = map(np.concatenate, ((a, b), (b, a), (left, right), (right, left)))
        owner = np.repeat(np.arange(len(parts.counts)), parts.counts[:, 2])
        return cls(start, end, face, beyond, np.tile(owner, 2), *_neighbours(face, start, end))


def _neighbours(loop: IntArray, start: IntArray, end: IntArray) -> tuple[IntArray, IntArray]:
    """Return which side of a loop begins where each ends, and which ends where each begins."""
    count = max(int(start.max(initial=0)), int(end.max(initial=0))) + 1
    keys = loop * count + start, loop * count + end
    found = []
    for these, wanted in (keys, keys[::-1]):
        order = np.argsort(these)
        places = np.searchsorted(these, wanted, sorter=order)
        found.append(order[places.clip(max=len(order) - 1)])
    return found[0], found[1]


def _mean(numbers: IntArray, vectors: FloatArray, count: int) -> FloatArray:
    """Return the mean of the vectors with each number."""
    sums = np.stack([np.bincount(numbers, some, count) for some in vectors.T], axis=1)
    return np.asarray(sums / np.maximum(np.bincount(numbers, minlength=count), 1)[:, None])


class HullMesh(NamedTuple):
    """Triangles of hulls around their middles: places and normals of vertices, the three of each, whose each vertex is.

    `face` says how far a vertex is from three sides of its face, as a part of how far the middle is. `planes` are the
    normals of the faces beyond these, and how high the vertex is below each.
    """

    points: FloatArray
    normals: FloatArray
    triangles: IntArray
    owner: IntArray
    face: FloatArray
    planes: FloatArray


def mesh_of(hulls: Hulls) -> HullMesh:
    """Return the triangles of hulls."""
    meshes, total = list[HullMesh](), 0
    for rows, make in ((hulls.radius == 0.0, _sharp), (hulls.radius > 0.0, _rounded)):
        if rows.any():
            some = hulls.of(rows)
            parts = HullParts.of(some)
            made = make(some, parts, Sides.of(parts))
            meshes.append(made._replace(owner=np.flatnonzero(rows)[made.owner], triangles=made.triangles + total))
            total += len(made.points)
    points, normals, triangles, owner, face, planes = zip(*meshes, strict=True)
    return HullMesh(
        np.concatenate(points),
        np.concatenate(normals),
        np.concatenate(triangles),
        np.concatenate(owner),
        np.concatenate(face),
        np.concatenate(planes, axis=1),
    )


def _sharp(_: Hulls, parts: HullParts, sides: Sides) -> HullMesh:
    """Return the faces of hulls: triangles as they are, others as triangles around their middle."""
    faces, corners = len(parts.normals), parts.corners
    counts = np.bincount(sides.face, minlength=faces)[sides.face]
    inward = np.cross(parts.normals[sides.face], corners[sides.end] - corners[sides.start])
    middle = _mean(sides.face, corners[sides.start], faces)
    # Of how far from a side something is, all that counts is which part that is of how far the middle is.
    offset = np.einsum("ni,ni->n", inward, corners[sides.start])
    reach = np.einsum("ni,ni->n", inward, middle[sides.face]) - offset
    reach[counts < 3] = 1.0  # on the sides of a polygon
    inward, offset = inward / reach[:, None], offset / reach
    number, many = np.arange(len(counts)), counts > 3
    own = np.flatnonzero(many | ((counts == 3) & (number < sides.after) & (number < sides.before)))
    three = np.stack([own, sides.before[own], sides.after[own]], axis=1)
    apex = np.where(many[own, None], middle[sides.face[own]], corners[sides.start[three[:, 1]]])
    points = np.stack([apex, corners[sides.start[own]], corners[sides.end[own]]], axis=1)
    face = np.einsum("tvi,tsi->tvs", points, inward[three]) - offset[three][:, None]
    owner, normal = sides.owner[own], parts.normals[sides.face[own]]
    beyond = parts.normals[sides.beyond[three]]
    below = (
        np.einsum("tvi,tsi->tvs", points, beyond)
        - np.einsum("tsi,tsi->ts", beyond, corners[sides.start[three]])[:, None]
    )
    planes = [
        np.concatenate([np.repeat(beyond[:, k], 3, axis=0), below[:, :, k].reshape(-1, 1)], axis=1) for k in range(3)
    ]
    thick = np.where(parts.flat[owner], _THINNEST * np.ptp(points, axis=1).max(axis=1), 0.0)
    points += (thick[:, None] * normal)[:, None]
    return HullMesh(
        points.reshape(-1, 3),
        np.repeat(normal, 3, axis=0),
        np.arange(3 * len(own)).reshape(-1, 3),
        np.repeat(owner, 3),
        face.reshape(-1, 3),
        np.stack(planes),
    )


def _rounded(hulls: Hulls, parts: HullParts, sides: Sides) -> HullMesh:
    """Return hulls grown by their radii: faces moved out, cylinders along edges, parts of balls around corners."""
    corners, faces = parts.corners, len(parts.normals)
    # Arcs from the normal on the right to that on the left, (sides, pieces + 1, 3).
    right, left = parts.normals[sides.beyond], parts.normals[sides.face]
    angle = np.arctan2(np.linalg.norm(np.cross(right, left), axis=1), np.einsum("ni,ni->n", right, left))
    most = max(np.sqrt(_CORNERS / len(angle)) - 1.0, 1.0)
    pieces = int(np.ceil(np.clip(angle.max() / _STEP, 1.0, most)))
    part = np.arange(pieces + 1) / pieces
    turns = angle[:, None] * part
    arcs = np.sin(angle[:, None] - turns)[..., None] * right[:, None] + np.sin(turns)[..., None] * left[:, None]
    arcs /= np.linalg.norm(arcs, axis=2, keepdims=True)
    out = _mean(sides.start, left, len(corners))
    out /= np.linalg.norm(out, axis=1, keepdims=True)
    balls = (1.0 - part)[:, None, None] * out[sides.start][:, None, None] + part[:, None, None] * arcs[:, None]
    balls /= np.linalg.norm(balls, axis=3, keepdims=True)
    edges = np.arange(len(sides.start) // 2)
    ends = np.stack([corners[sides.start[edges]], corners[sides.end[edges]]], axis=1)[:, :, None]
    strips = np.broadcast_to(arcs[edges][:, None], (len(edges), 2, pieces + 1, 3))
    fans = np.flatnonzero(np.bincount(sides.face, minlength=faces)[sides.face] > 2)
    middle = _mean(sides.face, corners[sides.start], faces)[sides.face[fans]]
    flat = np.stack([middle, corners[sides.start[fans]], corners[sides.end[fans]]], axis=1)
    shapes = (
        (flat, np.broadcast_to(left[fans][:, None], flat.shape), fans, np.array([(0, 1, 2)])),
        (ends, strips, edges, _grid(2, pieces + 1)),
        (corners[sides.start][:, None, None], balls, np.arange(len(balls)), _grid(pieces + 1, pieces + 1)),
    )
    points, normals, triangles, owner, total = [], [], [], [], 0
    for place, normal, own, few in shapes:
        radius = hulls.radius[sides.owner[own]].reshape(-1, *[1] * (normal.ndim - 1))
        points.append((place + radius * normal).reshape(-1, 3))
        normals.append(normal.reshape(-1, 3))
        each = normal[0].size // 3
        triangles.append((total + each * np.arange(len(normal))[:, None, None] + few).reshape(-1, 3))
        owner.append(np.repeat(sides.owner[own], each))
        total += len(points[-1])
    return HullMesh(
        np.concatenate(points),
        np.concatenate(normals),
        np.concatenate(triangles),
        np.concatenate(owner),
        np.full((total, 3), _EDGELESS),
        np.zeros((3, total, 4)),
    )


def _grid(rows: int, columns: int) -> IntArray:
    """Return the triangles between vertices in rows and columns."""
    a = (columns * np.arange(rows - 1)[:, None] + np.arange(columns - 1)).ravel()
    b = a + columns
    return np.concatenate([np.stack([a, b, b + 1], axis=1), np.stack([a, b + 1, a + 1], axis=1)])


# -- shadows -----------------------------------------------------------------------------------------------------------


def _outlines(hulls: Hulls, parts: HullParts, sides: Sides, origin: FloatArray) -> pv.PolyData:
    """Return the outlines of hulls from above, as triangles around their middles, for shadows.

    Of each vertex, `place` is where it is from the middle of the box around its hull, and which way it goes where the
    shadow has a soft border; `first`, `second` and `third` are lines: a place is as far beyond them.
    """
    whose = [np.repeat(np.arange(len(parts.counts)), count) for count in parts.counts.T]
    corners = hulls.middle[whose[0]] - origin + turned(hulls.axes[whose[0]], parts.corners)
    firsts, wide = np.cumsum(parts.counts[:, 0]) - parts.counts[:, 0], hulls.radius[:, None]
    lower, upper = (side.reduceat(corners, firsts) for side in (np.minimum, np.maximum))
    middle, reach = 0.5 * lower + 0.5 * upper, 0.5 * upper - 0.5 * lower + wide
    up = np.einsum("ni,ni->n", hulls.axes[whose[1], 2], parts.normals) > _UPRIGHT
    on = np.flatnonzero(up[sides.face] & ~up[sides.beyond])
    owner, start, end = sides.owner[on], sides.start[on], sides.end[on]
    places = [corners[some, :2] - middle[owner, :2] for some in (start, end)]
    way = places[1] - places[0]
    out = np.stack([way[:, 1], -way[:, 0]], axis=1) / np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-300)
    lines = np.column_stack([out, -np.einsum("ni,ni->n", out, places[0]) - hulls.radius[owner]])
    after, before = _neighbours(np.zeros_like(start), start, end)
    both = out + out[before]
    ways = both / np.maximum(0.5 * np.einsum("ni,ni->n", both, both), 2.0 / _REACH**2)[:, None]
    tips = np.column_stack([places[0] + hulls.radius[owner, None] * ways, ways])
    middles = _mean(owner, np.pad(places[0], ((0, 0), (0, 2))), len(hulls.flags))[owner]
    three = np.stack([np.arange(len(on)), before, after])
    return poly_data(
        np.repeat(middle[owner], 3, axis=0),
        np.arange(3 * len(on)).reshape(-1, 3),
        place=np.stack([middles, tips, tips[after]], axis=1).reshape(-1, 4),
        reach=np.repeat(reach[owner], 3, axis=0),
        **{name: np.repeat(lines[some], 3, axis=0) for name, some in zip(_THREE, three, strict=True)},
    )
