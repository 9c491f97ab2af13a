"""When the shortest way to part two shapes is not the only one: all the directions that are equally short.

Only the cores count, since a radius adds the same to every way out. The vectors from a point of B's core to a point of
A's make a polytope with the origin in it. Moving B along n parts the shapes when it has gone as far as the polytope
reaches along n. If the origin is inside, that is least at the nearest facets; if it is on the boundary, or the polytope
is flat, it is zero for every n between the normals of the facets that meet there.
"""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import Literal, NamedTuple

import numpy as np

from collision.base.fields import FloatArray, read_whole
from collision.kernels.cores import ROUNDING, TOUCH
from collision.kernels.extents import Edge, Outline
from collision.queries.distances import joint_axes
from collision.queries.separation import separate
from collision.shapes.kinds import Shape, check_range

#: Two unit vectors whose product is this near to 1 are the same direction, found twice.
_SAME = 1e-12


class Normals(NamedTuple):
    """All unit vectors from A to B along which two shapes part by the shortest move.

    Attributes
    ----------
    kind : str
        How many there are: ``one``, ``several`` single ones, an ``arc`` or a whole ``circle`` of them, a ``patch`` of
        the unit sphere, or all of the ``sphere``; ``none`` where no move parts the two.
    corners : ndarray, shape (k, 3)
        All of them, where they are single ones. Of an arc or a patch its corners (and the middle of a half circle or
        hemisphere), of a circle or the sphere some that are evenly spread.
    outlines : tuple of ndarray, shape (m, 3)
        Chains of the corners: arcs of great circles from each to the next run along the arc, the circle or the border
        of the patch; along three great circles of the sphere.
    """

    kind: Literal["none", "one", "several", "arc", "circle", "patch", "sphere"]
    corners: FloatArray
    outlines: tuple[FloatArray, ...] = ()

    @property
    def unique(self) -> bool:
        """Whether there is one only."""
        return self.kind == "one"

    def curves(self, pieces: int = 24) -> list[FloatArray]:
        """Return each outline as points of the unit sphere: a list of arrays (m, 3), to rounding.

        Parameters
        ----------
        pieces : int
            How many to an arc; one or more.

        Examples
        --------
        >>> from collision import AABB, Point, all_normals
        >>> corner = all_normals(AABB([0, 0, 0], [1, 1, 1]), Point([1, 1, 1]))
        >>> [points.shape for points in corner.curves(2)]
        [(7, 3)]
        """
        count = read_whole(pieces, "curves: pieces", least=1)
        return [_curve(outline, count) for outline in self.outlines]


class _CoreDifference(NamedTuple):
    """All vectors from a point of one core to a point of another: about a center, with the edges of both."""

    center: FloatArray
    edges: list[Edge]
    outlines: tuple[Outline, Outline]
    #: Along these unit vectors it is taken as flat.
    flat: tuple[FloatArray, ...] = ()

    def reach(self, n: FloatArray) -> float:
        """Return how far it goes along a unit vector."""
        own = n
        for across in self.flat:
            own = own - (own @ across) * across
        a, b = self.outlines
        return float(self.center @ n) + a.reach(own) + b.reach(-own)


def all_normals(a: Shape, b: Shape, /) -> Normals:
    """Return every direction in which two single shapes are parted by the shortest move, as `Normals`.

    `closest_points` gives one of them. Moves whose lengths differ by no more than rounding, as `intersects` has it,
    count as equally long. A batch is refused with a `ValueError`.

    Examples
    --------
    >>> from collision import AABB, Capsule, Sphere, all_normals
    >>> ball = Sphere([0, 0, 0], 1)
    >>> all_normals(ball, ball).kind, all_normals(ball, Capsule([0, 0, -2], [0, 0, 2], 0.5)).kind
    ('sphere', 'circle')
    >>> all_normals(ball, AABB([-1, -3, -3], [1, 3, 3])).corners
    array([[-1.,  0.,  0.],
           [ 1.,  0.,  0.]])
    """
    if joint_axes(a, b, "all_normals"):
        raise ValueError("all_normals takes two single shapes, got a batch")
    check_range("all_normals", a, b)
    record = separate(a, b, ())
    if record.signed_distance == -np.inf:
        return Normals("none", np.empty((0, 3)))
    one = Normals("one", record.normal[None])
    outlines = a.core.outline(), b.core.outline()
    if outlines[0] is None or outlines[1] is None:
        return one
    difference, radii = _difference(outlines[0], outlines[1]), float(a.core.radius) + float(b.core.radius)
    size = float(record.size) or 1.0  # lines through the origin have no numbers but those of their directions
    tolerance = TOUCH * size
    if float(record.signed_distance) + radii > tolerance:
        return one  # polytopes beside the origin have one point nearest to it
    found = _ways_out(difference, size, tolerance)
    return one if found.kind == "one" else found  # edges that are nearly parallel have a vague normal here


def _ways_out(difference: _CoreDifference, size: float, tolerance: float) -> Normals:
    """Return all the normals along which a polytope is left the soonest by the origin, which it holds."""
    edges = [edge for edge in difference.edges if edge.endless or np.linalg.norm(edge.vector) > tolerance]
    frame, rank = _frame([edge.long(size) for edge in edges], tolerance)
    facets = _facets(edges, frame, rank, tolerance)
    reaches = np.array([difference.reach(n) for n in facets])
    # A flat polytope is left sideways at no cost; a solid one through a facet.
    least = max(float(reaches.min(initial=np.inf)), 0.0) if rank == 3 else 0.0
    near = _sorted(facets[reaches <= least + tolerance])
    if rank == 3 and least > tolerance:
        return Normals("one" if len(near) == 1 else "several", near)
    across = next((n for n in near if (near @ n).min() < _SAME - 1.0), None)
    if across is not None:  # it is flat to rounding, though its edges lean out of the plane by a little more
        level = [edge._replace(vector=edge.vector - (edge.vector @ across) * across) for edge in edges]
        return _ways_out(difference._replace(edges=level, flat=(*difference.flat, across)), size, tolerance)
    return (_off_a_point, _off_a_line, _off_a_plane, _off_a_corner)[rank](near, frame)


def _difference(a: Outline, b: Outline) -> _CoreDifference:
    """Return the vectors from B's core to A's."""
    turned = [edge._replace(vector=-edge.vector) for edge in b.edges]
    return _CoreDifference(a.center - b.center, [*a.edges, *turned], (a, b))


def _frame(vectors: list[FloatArray], tolerance: float) -> tuple[FloatArray, int]:
    """Return three unit vectors at right angles, of which the first so many span what some vectors span."""
    frame: list[FloatArray] = []
    rests = list(vectors)
    while rests and len(frame) < 3:
        rest = max(rests, key=lambda rest: float(np.linalg.norm(rest)))
        if not np.linalg.norm(rest) > tolerance:
            break
        for axis in frame:  # once more: takes off what rounding left
            rest = rest - (rest @ axis) * axis
        frame.append(rest / np.linalg.norm(rest))
        rests = [vector - (vector @ frame[-1]) * frame[-1] for vector in rests]
    rank = len(frame)
    if rank == 0:
        return np.eye(3), rank
    if rank == 1:
        aside = np.cross(frame[0], np.eye(3)[int(np.argmin(np.abs(frame[0])))])
        frame.append(aside / np.linalg.norm(aside))
    return np.stack([frame[0], frame[1], np.cross(frame[0], frame[1])]), rank


def _facets(edges: list[Edge], frame: FloatArray, rank: int, tolerance: float) -> FloatArray:
    """Return the outward normals of all that can be facets: in the line or the plane of the edges if these are flat."""
    found: list[FloatArray] = []
    if rank == 1:
        found = [frame[0]]
    if rank == 2:
        found = [np.cross(frame[2], edge.unit) for edge in edges]
    if rank == 3:
        for one, other in combinations(edges, 2):
            normal = np.cross(one.unit, other.unit)
            shorter = min(np.inf if e.endless else float(np.linalg.norm(e.vector)) for e in (one, other))
            if (sine := float(np.linalg.norm(normal))) * min(shorter, tolerance / ROUNDING) > tolerance:
                found.append(normal / sine)
    return np.array([sign * normal for normal in found for sign in (-1.0, 1.0)]).reshape(-1, 3)


def _sorted(normals: FloatArray) -> FloatArray:
    """Return unit vectors each once, in an order that does not depend on where they came from."""
    kept: list[FloatArray] = []
    for normal in normals:
        if all(normal @ other < 1.0 - _SAME for other in kept):
            kept.append(normal + 0.0)
    order = np.lexsort(np.round(np.array(kept).reshape(-1, 3), 9).T[::-1])
    return np.array(kept).reshape(-1, 3)[order]


def _off_a_point(near: FloatArray, frame: FloatArray) -> Normals:
    """Return all directions: the cores are points, or coincide in one."""
    corners = np.concatenate([frame, -frame])
    return Normals("sphere", corners, tuple(corners[[i, j, i + 3, j + 3, i]] for i, j in ((0, 1), (1, 2), (2, 0))))


def _off_a_line(near: FloatArray, frame: FloatArray) -> Normals:
    """Return all directions across a line; where it ends, also those that lead away from its end."""
    _, u, w = frame
    circle = np.stack([u, w, -u, -w])
    ring = (circle[[0, 1, 2, 3, 0]],)
    return Normals("patch" if len(near) else "circle", np.concatenate([circle, near]), ring)


def _off_a_plane(near: FloatArray, frame: FloatArray) -> Normals:
    """Return the two directions out of a plane; at the border of what is flat, also those between them."""
    up = frame[2:]
    if len(near) == 0:
        return Normals("several", _sorted(np.concatenate([-up, up])))
    chain = np.concatenate([up, near[:1], -up, near[1:2], up[: len(near) - 1]])
    return Normals("arc" if len(near) == 1 else "patch", chain[: 2 + len(near)], (chain,))


def _off_a_corner(near: FloatArray, frame: FloatArray) -> Normals:
    """Return the normal of a facet, those between two facets that meet in an edge, or between all of a corner."""
    if len(near) < 3:
        return Normals("one", near) if len(near) == 1 else Normals("arc", near, (near,))
    middle = near.sum(axis=0)
    across = np.cross(middle, np.eye(3)[int(np.argmin(np.abs(middle)))])
    ring = near[np.argsort(np.arctan2(near @ np.cross(middle, across), near @ across * np.linalg.norm(middle)))]
    return Normals("patch", ring, (np.concatenate([ring, ring[:1]]),))


def _curve(outline: FloatArray, pieces: int) -> FloatArray:
    """Return points along the arcs from each of some unit vectors to the next."""
    part = np.arange(pieces)[:, None] / pieces
    points = []
    for start, end in pairwise(outline):
        aside = end - (end @ start) * start
        angle = np.arctan2(np.linalg.norm(aside), end @ start)
        points.append(np.cos(part * angle) * start + np.sin(part * angle) * aside / np.linalg.norm(aside))
    return np.concatenate([*points, outline[-1:]])
