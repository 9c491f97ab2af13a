"""How much of what a robot looks like is outside its collision shapes, and what these add to it: bounded, not sampled.

The signed distance to a convex shape is a convex function, and no steeper than one. So on a triangle it is nowhere
larger than at one of the corners, and nowhere smaller than the distance to a plane that touches the shape. What these
bounds do not decide is halved.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from collision.base.fields import FloatArray, IntArray
from collision.base.files import shown_path
from collision.models.loading import check_file, folders_of
from collision.models.meshes import MeshError, MeshReader, hull_of, need_trimesh
from collision.models.model import ImporterError, Model, VisualMesh
from collision.models.urdf import PRIMITIVES, LinkPart, read_parts, read_urdf
from collision.models.visuals import joined, triangles_of
from collision.models.words import NOT_COMPARED
from collision.models.xml import root_tag
from collision.queries.distances import contact, distances_to, signed_distance
from collision.shapes.kinds import ConvexHull, Point, Shape
from collision.shapes.transforms import Transform

#: How far a point may be outside and not count, in metres: so well is the depth known.
_TOLERANCE = 1e-4

#: How well the share of the surface is known.
_PRECISION = 0.01

#: The hull around what is drawn has no more corners: it is around the true one by some thousandths of its size.
_MOST_CORNERS = 256

#: So many triangles are looked at together at most; what is not known with these, is given as its bounds.
_MOST_PIECES = 1 << 21


#: The kinds of visual shapes of which triangles are all.
_FLAT = ("mesh", "box")

#: Why a link is not audited of which all is outside.
_NO_SHAPES = "no collision shape on the whole body"


class HullAudit(NamedTuple):
    """By how much the hull that a mesh is compared as is larger than the mesh.

    Attributes
    ----------
    mesh : str
        The mesh, as the model names it.
    corners : int
        How many corners the hull has.
    excess : float
        How far it reaches out of the convex hull of the mesh at most, in metres; 0 where it is that.
    volume : float
        The volume of the hull, in cubic metres.
    mesh_volume : float, optional
        That of the mesh: the sum of its solids, of which some may overlap. None where it is not closed.
    solids : int
        How many parts the mesh has that no triangle connects: the hull holds what is between them, too.
    holes : int, optional
        How many holes lead through the solids, all of which the hull fills. None where the mesh is not closed.
    """

    mesh: str
    corners: int
    excess: float
    volume: float
    mesh_volume: float | None
    solids: int
    holes: int | None


@dataclass(frozen=True, eq=False)
class LinkAudit:
    """How much of a link's visual meshes is outside its collision shapes, and what these add.

    Attributes
    ----------
    link : str
        The link.
    reason : str
        Why it is not audited; empty where it is.
    drawn : bool
        Whether the link has visual shapes, or collision shapes that are left out.
    depth, bound : float
        How far the farthest point of the meshes is outside all shapes, in metres: `depth` is reached, `bound` is not
        exceeded. They are at most 0.1 mm apart.
    point : tuple of float, optional
        Where the depth is reached, in the frame of the link; None where nothing is outside.
    share : (float, float)
        The least and the largest share of the surface that may be outside by more than 0.1 mm; at most 0.01 apart.
    area : float
        The surface of the meshes, in square metres.
    triangles : int
        How many triangles the meshes have.
    beyond : (float, float), optional
        How far its shapes reach out of the convex hull of its meshes, in metres: at least and at most; both of all
        links that are fixed to it. What the shapes fill within that hull is not counted. None where some of these
        links are drawn as something else.
    hulls : tuple of HullAudit
        Of each collision mesh of the link what its hull adds, audited or not.
    surface : tuple of VisualMesh
        Where `audit_model` was asked for it: the visual meshes of the link, audited or not, cut along the line that
        parts what is `outside` by more than 0.1 mm from the rest.
    """

    link: str
    reason: str = ""
    drawn: bool = True
    depth: float = 0.0
    bound: float = 0.0
    point: tuple[float, float, float] | None = None
    share: tuple[float, float] = (0.0, 0.0)
    area: float = 0.0
    triangles: int = 0
    beyond: tuple[float, float] | None = None
    hulls: tuple[HullAudit, ...] = ()
    surface: tuple[VisualMesh, ...] = ()


def audit_model(
    path: str | os.PathLike[str],
    *,
    packages: Mapping[str, str | os.PathLike[str]] = MappingProxyType({}),
    progress: Callable[[str, int, int], object] | None = None,
    fineness: float | None = None,
) -> list[LinkAudit]:
    r"""Return for each link of a URDF model how much of it is outside its collision shapes, and what these add.

    The shapes of links that only fixed joints connect count as one: they never move against each other. Meshes are read
    by trimesh, which comes with the extra ``robots``. A link is not audited where there are no shapes or no meshes,
    where one of these cannot be compared or read, or where it is drawn as something else.

    Parameters
    ----------
    path : path-like
        A URDF file.
    packages : mapping of str to path-like
        As of `load_model`.
    progress : function, optional
        Called before each link with its name, how many links are done, and how many there are. What it raises, ends
        the work.
    fineness : float, optional
        A length above zero in metres: return surfaces, too. Triangles of which a part is outside are halved until no
        edge is longer, and then cut along the straight line on which the distances at their corners say that it is.

    Notes
    -----
    Depth and share are bounded on all of the surface, to rounding. Where a link takes more than two million triangles
    at a time, its bounds may be further apart than `LinkAudit` says. Surfaces inside a mesh count, too.

    Examples
    --------
    >>> import tempfile
    >>> visual = '<visual><geometry><mesh filename="tip.obj"/></geometry></visual>'
    >>> ball = '<collision><geometry><sphere radius="1"/></geometry></collision>'
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "tip.obj").write_text("v 0 0 0\nv 3 0 0\nv 0 0.5 0\nf 1 2 3\n")
    ...     file = Path(folder, "arm.urdf")
    ...     _ = file.write_text(f'<robot name="arm"><link name="tip">{visual}{ball}</link></robot>')
    ...     (tip,) = audit_model(file)
    >>> tip.depth, tip.bound, tip.point
    (2.0, 2.0, (3.0, 0.0, 0.0))
    """
    file = Path(path)
    if file.suffix.lower() in (".xml", ".mjcf") and file.is_file() and root_tag(file) != "robot":
        raise ImporterError(f"{shown_path(file)}: expected a URDF model, whose links have visual meshes")
    check_file(file)
    meshes = MeshReader(file, folders_of(packages))
    model, parts = read_urdf(file, meshes), read_parts(file)
    if any(visual.tag == "mesh" for visuals, _ in parts.values() for visual in visuals):
        try:
            need_trimesh()
        except MeshError as error:
            raise ImporterError(f"{shown_path(file)}: {error}") from error
    left_out = {link: _left_out(compared, meshes) for link, (_, compared) in parts.items()}
    beyond: dict[str, tuple[float, float] | None] = {}
    found = []
    for done, (link, (visuals, compared)) in enumerate(parts.items()):
        if progress is not None:
            progress(link, done, len(parts))
        one, body = _audited(link, visuals, model, meshes, left_out, fineness), model.welds[link]
        if not one.reason and body not in beyond:
            beyond[body] = _beyond(body, model, {name: seen for name, (seen, _) in parts.items()}, meshes)
        found.append(replace(one, beyond=None if one.reason else beyond[body], hulls=tuple(_hulls(compared, meshes))))
    return found


def _left_out(compared: Sequence[LinkPart], meshes: MeshReader) -> str:
    """Say why the first collision shape is left out that is; nothing where all are compared."""
    for part in compared:
        if part.tag == "mesh":
            try:
                meshes.hull(part.mesh, part.scale)
            except MeshError as error:
                return str(error)
        elif part.tag not in PRIMITIVES:
            return NOT_COMPARED.format("a", part.tag)
    return ""


def _hulls(compared: Sequence[LinkPart], meshes: MeshReader) -> Iterator[HullAudit]:
    for part in compared:
        if part.tag != "mesh":
            continue
        try:
            mesh, (hull, excess) = meshes.mesh(part.mesh), meshes.hull(part.mesh, part.scale)
        except MeshError:  # it is no shape of the model, which says so
            continue
        closed, solids = bool(mesh.is_watertight and mesh.is_winding_consistent), _solids(mesh.faces)
        yield HullAudit(
            part.mesh,
            len(hull.polytope.corners),
            excess,
            _volume(hull),
            float(abs(mesh.volume * np.prod(part.scale))) if closed else None,
            solids,
            solids - mesh.euler_number // 2 if closed else None,
        )


def _solids(faces: IntArray) -> int:
    """Return how many parts triangles make that have no corner in common."""
    label = np.arange(int(faces.max()) + 1)
    while True:
        before = label.copy()
        np.minimum.at(label, faces.ravel(), label[faces].min(axis=1).repeat(3))
        label = label[label]
        if np.array_equal(label, before):
            return len(np.unique(label[faces]))


def _volume(hull: ConvexHull) -> float:
    """Return the volume of a hull: of the pyramids over its faces, which have their tips in one corner."""
    found = hull.polytope
    corners = hull.points[found.corners] - hull.points[found.corners[0]]
    triangles = [(face[0], *pair) for face in found.faces for pair in pairwise(face[1:])]
    a, b, c = np.moveaxis(corners[np.array(triangles, dtype=np.intp).reshape(-1, 3)], 1, 0)
    return float(np.einsum("ni,ni->", a, np.cross(b, c)) / 6.0)


def _beyond(
    body: str, model: Model, drawn: Mapping[str, Sequence[LinkPart]], meshes: MeshReader
) -> tuple[float, float] | None:
    """Return how far the shapes of a body reach out of the convex hull of its meshes, at least and at most.

    Of a convex shape no point is farther from what is convex than one of those that the core's `extremes` name.
    """
    links = [link for link in model.links if model.welds[link] == body]
    shapes, points = _body_shapes(model, body, links), []
    for link, place in zip(links, _places(model, body, links), strict=True):
        if any(part.tag not in _FLAT for part in drawn[link]):
            return None
        try:
            points += [place.apply(triangles_of(part, meshes)[0]) for part in drawn[link]]
        except MeshError:
            return None
    hull, excess = hull_of(np.concatenate(points), _MOST_CORNERS)
    farthest = 0.0
    for shape in shapes:
        outermost = shape.core.extremes(distances_to(hull))
        farthest = max(farthest, float(signed_distance(Point(outermost), hull).max() + shape.core.radius))
    return farthest, farthest + excess


def _body_shapes(model: Model, link: str, body: Sequence[str]) -> list[Shape]:
    """Return the shapes of links that are fixed to each other, in the frame of one of them."""
    shapes = []
    for other, place in zip(body, _places(model, link, body), strict=True):
        own = model.links[other].values()
        shapes += list(own) if other == link else [shape.transformed(place) for shape in own]
    return shapes


def _places(model: Model, link: str, body: Sequence[str]) -> Iterator[Transform]:
    """Yield where links are, in the frame of another one."""
    places = model.forward(links=[link, *body])
    here = Transform(places.position[0], places.axes[0]).inverse()
    for number in range(1, len(body) + 1):
        yield here @ Transform(places.position[number], places.axes[number])


def _audited(
    link: str,
    visuals: Sequence[LinkPart],
    model: Model,
    meshes: MeshReader,
    left_out: Mapping[str, str],
    fineness: float | None,
) -> LinkAudit:
    body = [other for other in model.links if model.welds[other] == model.welds[link]]
    shapes = _body_shapes(model, link, body)
    reason = _reason(link, visuals, left_out, body, shapes)
    drawn = []
    for visual in visuals:
        try:
            drawn.append(triangles_of(visual, meshes))
        except MeshError as error:
            reason = reason or str(error)
    points, index = joined(drawn) if drawn else (np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int64))
    corners = points[index]
    area = float(_areas(corners).sum())
    if not reason and not 0.0 < area < np.inf:
        reason = "meshes without a surface"
    if reason:
        whole = VisualMesh(link, points, index, True if reason == _NO_SHAPES else None)
        shown = (whole,) if fineness and len(index) else ()
        return LinkAudit(link, reason, drawn=bool(visuals or left_out[link]), surface=shown)
    gaps = _gaps(points, shapes)[index]
    tolerance = max(_TOLERANCE, 1e-12 * float(np.abs(points).max()))  # no less than rounding
    depth, bound, point = _deepest(corners, gaps, shapes, tolerance)
    share = _share(corners, gaps, shapes, tolerance)
    surface = () if fineness is None else _cut(link, corners, gaps, shapes, tolerance, fineness)
    return LinkAudit(
        link, depth=depth, bound=bound, point=point, share=share, area=area, triangles=len(corners), surface=surface
    )


def _reason(
    link: str, visuals: Sequence[LinkPart], left_out: Mapping[str, str], body: Sequence[str], shapes: Sequence[Shape]
) -> str:
    """Say why a link is not audited, whatever its meshes are like; nothing where it is."""
    if left_out[link]:
        return f"a collision shape is left out: {left_out[link]}"
    if not visuals:
        return "no visual shape"
    if lacking := [other for other in body if left_out[other]]:
        return f"fixed to {lacking[0]}, of which a collision shape is left out"
    if not shapes:
        return _NO_SHAPES
    if other := [visual.tag for visual in visuals if visual.tag not in _FLAT]:
        return f"drawn as a {other[0]}; only meshes and boxes are audited"
    return ""


def _areas(corners: FloatArray) -> FloatArray:
    edges = corners[:, 1:] - corners[:, :1]
    areas: FloatArray = 0.5 * np.linalg.norm(np.cross(edges[:, 0], edges[:, 1]), axis=-1)
    return areas


def _gaps(points: FloatArray, shapes: Sequence[Shape]) -> FloatArray:
    """Return the signed distances (n, k) of points to each shape."""
    return np.stack([signed_distance(Point(points), shape) for shape in shapes], axis=-1)


def _most(gaps: FloatArray) -> FloatArray:
    """Return how far triangles are outside all shapes at most: each is as convex as the shape that it is nearest to."""
    most: FloatArray = gaps.max(axis=1).min(axis=-1)
    return most


def _least(corners: FloatArray, gaps: FloatArray, shapes: Sequence[Shape], tolerance: float) -> FloatArray:
    """Return how far triangles are outside all shapes at least."""
    centers = corners.mean(axis=1)
    arms = corners - centers[:, None]
    reach = np.linalg.norm(arms, axis=-1).max(axis=-1)
    nearest = gaps.max(axis=1) - 2.0 * reach[:, None]
    for number, shape in enumerate(shapes):
        (near,) = np.nonzero(nearest[:, number] <= tolerance)
        found = contact(Point(centers[near]), shape)
        gap = np.asarray(found.signed_distance)
        # On the far side of the plane through the nearest point there is nothing of the shape. Nearer than this, its
        # direction may be rounding.
        beyond = np.einsum("nij,nj->ni", arms[near], -found.normal).min(axis=-1)
        beyond = np.where(gap > 0.1 * tolerance, np.maximum(beyond, -reach[near]), -reach[near])
        nearest[near, number] = gap + beyond
    least: FloatArray = nearest.min(axis=-1)
    return least


def _halved(corners: FloatArray, gaps: FloatArray, shapes: Sequence[Shape]) -> tuple[FloatArray, FloatArray]:
    """Return triangles halved across their longest edges, with the distances of their corners."""
    edges = np.linalg.norm(corners - np.roll(corners, -1, axis=1), axis=-1)
    order = (edges.argmax(axis=-1)[:, None] + np.arange(3)) % 3
    row = np.arange(len(corners))[:, None]
    corners, gaps = corners[row, order], gaps[row, order]  # the longest edge is from the first to the second
    middle = 0.5 * (corners[:, 0] + corners[:, 1])
    new = _gaps(middle, shapes)
    both = []
    for values, value in ((corners, middle), (gaps, new)):
        first, second = values.copy(), values.copy()
        first[:, 1] = second[:, 0] = value
        both.append(np.concatenate([first, second]))
    return both[0], both[1]


def _deepest(
    corners: FloatArray, gaps: FloatArray, shapes: Sequence[Shape], tolerance: float
) -> tuple[float, float, tuple[float, float, float] | None]:
    """Return how far a point of triangles is outside all shapes, how far none is, and the point."""
    depth, bound, point = 0.0, 0.0, None
    while True:
        nearest = gaps.min(axis=-1)
        row, corner = np.unravel_index(int(nearest.argmax()), nearest.shape)
        if nearest[row, corner] > depth:
            depth = float(nearest[row, corner])
            x, y, z = corners[row, corner].tolist()
            point = (x, y, z)
        most = _most(gaps)
        waiting = most > depth + tolerance
        if len(most) > _MOST_PIECES:
            waiting[:] = False
        bound = max(bound, depth, float(most.max(initial=0.0, where=~waiting)))
        if not waiting.any():
            return depth, bound, point
        corners, gaps = _halved(corners[waiting], gaps[waiting], shapes)


def _decided(
    corners: FloatArray, gaps: FloatArray, shapes: Sequence[Shape], tolerance: float
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return which triangles are nowhere outside, which are everywhere, and the rest with its distances."""
    unsure = _most(gaps) > tolerance
    inside, corners, gaps = corners[~unsure], corners[unsure], gaps[unsure]
    unsure = _least(corners, gaps, shapes, tolerance) <= tolerance
    return inside, corners[~unsure], corners[unsure], gaps[unsure]


def _share(corners: FloatArray, gaps: FloatArray, shapes: Sequence[Shape], tolerance: float) -> tuple[float, float]:
    """Return the least and the largest share of triangles that may be outside all shapes."""
    whole, found = float(_areas(corners).sum()), 0.0
    while True:
        _, outside, corners, gaps = _decided(corners, gaps, shapes, tolerance)
        found += float(_areas(outside).sum())
        rest = float(_areas(corners).sum())
        if rest <= _PRECISION * whole or len(corners) > _MOST_PIECES:
            return min(found / whole, 1.0), min((found + rest) / whole, 1.0)
        corners, gaps = _halved(corners, gaps, shapes)


def _cut(
    link: str, corners: FloatArray, gaps: FloatArray, shapes: Sequence[Shape], tolerance: float, fineness: float
) -> tuple[VisualMesh, ...]:
    """Return what of triangles is inside of shapes, and what is outside all."""
    within, without = [], []
    while len(corners):
        inside, outside, corners, gaps = _decided(corners, gaps, shapes, tolerance)
        within.append(inside)
        without.append(outside)
        fine = np.linalg.norm(corners - np.roll(corners, -1, axis=1), axis=-1).max(axis=-1) <= fineness
        if len(corners) > _MOST_PIECES:
            fine[:] = True
        inside, outside = _parted(corners[fine], gaps[fine].min(axis=-1) - tolerance)
        within.append(inside)
        without.append(outside)
        corners, gaps = _halved(corners[~fine], gaps[~fine], shapes)
    found = []
    for parts, are in ((within, False), (without, True)):
        points = np.concatenate(parts).reshape(-1, 3)
        if len(points):
            found.append(VisualMesh(link, points, np.arange(len(points)).reshape(-1, 3), are))
    return tuple(found)


def _parted(corners: FloatArray, values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return triangles cut where values that are linear on them are zero: what is below, and what is above."""
    above = values > 0.0
    count = above.sum(axis=-1)
    cut = (count == 1) | (count == 2)
    lone = np.where(count == 1, above.argmax(axis=-1), above.argmin(axis=-1))[cut]  # alone on its side
    order = (lone[:, None] + np.arange(3)) % 3
    rows = np.arange(len(lone))[:, None]
    (a, b, c), (u, v, w) = np.moveaxis(corners[cut][rows, order], 1, 0), values[cut][rows, order].T
    ab, ac = (a + (u / (u - other))[:, None] * (end - a) for end, other in ((b, v), (c, w)))
    tips = np.stack([a, ab, ac], axis=1)
    rest = np.concatenate([np.stack([ab, b, c], axis=1), np.stack([ab, c, ac], axis=1)])
    up = (count == 1)[cut]
    up2 = np.concatenate([up, up])
    below = np.concatenate([corners[count == 0], tips[~up], rest[up2]])
    return below, np.concatenate([corners[count == 3], tips[up], rest[~up2]])
