"""The convex hull of points: the core, and its separation from points, segments, boxes and other hulls.

All of these are *polytopes*: they have corners, edges and faces, by which kernels here know them. What is flat or thin
has faces without width on its sides as well: a polygon is a prism without height, a segment or a point a box without
width. Apart, two of them are searched by their supports (`collision.kernels.support_search`). Where they
touch or overlap, the shortest way out is along the normal of a face, or across an edge of each (as for two boxes).
"""

import math
from typing import NamedTuple

import numpy as np

from collision.base.fields import FloatArray, IntArray, length
from collision.kernels.clips import SurfacePoint
from collision.kernels.cores import (
    ROUNDING,
    TOUCH,
    Box,
    Linear,
    Separation,
    at,
    half_of,
    middle_of,
    to_world,
)
from collision.kernels.extents import Edge, Extent, Operands, Outline, no_cone
from collision.kernels.features import Feature, Ring, Span, edge_feature, point_feature
from collision.kernels.frames import ALLOWED, orthonormalised
from collision.kernels.halfspace import HalfSpaceCore, height
from collision.kernels.support_search import support_search, to_nearest, weighted
from collision.kernels.turned import Pose, TurningKernels, put, turn, unchanged
from collision.kernels.vec3 import (
    EPS,
    Vec3,
    add,
    along,
    cross,
    cross_exactly,
    dot,
    largest,
    load,
    norm,
    opposite,
    over,
    perpendicular,
    scale,
    store,
    sub,
)
from collision.native import Floats, Ints, Table, kernel

#: Numbers at the beginning of a hull: how many corners, faces and edges it has, its dimension, and how far its farthest
#: corner is from the middle.
HEAD = 5


#: Where the numbers of a hull that is a box begin: nowhere.
_BOX = -1


class HullCore(NamedTuple):
    """A hull: its middle, its axes, and where in a table of numbers (`hull_numbers`) its corners and faces begin.

    A box is a hull, too, which begins nowhere: half its size along the axes is all there is to know.
    """

    middle: Vec3
    x: Vec3
    y: Vec3
    z: Vec3
    half: Vec3
    table: Floats
    start: int


class PolytopeFace(NamedTuple):
    """The unit normal of a face, outward, and how far it is along that from the middle of its core."""

    normal: Vec3
    height: float


class PolytopeEdge(NamedTuple):
    """A point of an edge, its direction, of any length but zero, and the normals of the faces on both sides.

    Seen from outside along the direction, one is on the left, the other on the right.
    """

    corner: Vec3
    way: Vec3
    left: Vec3
    right: Vec3


def hull_numbers(
    corners: FloatArray, faces: list[list[int]], normals: FloatArray, edges: IntArray, sides: IntArray
) -> tuple[FloatArray, FloatArray]:
    """Return the middle of a hull of corners (k, 3), (3,), and its numbers, as kernels read them.

    They are the head, the corners from the middle, the faces (normal and height), the edges (two corners, two faces),
    where the corners of each face begin and those of the last end, and these. A polygon, a segment or a point is given
    faces on its sides, which have no corners.
    """
    middle = corners[0] + (corners - corners[0]).mean(axis=0)  # inside, as kernels take it to be
    own = corners - middle
    dimension = min(len(corners) - 1, 2) if len(normals) < 3 else 3
    if len(corners) < 3:
        way = own[-1] - own[0]
        long = float(length(way))
        u = way / long if long > 0.0 else np.array([0.0, 0.0, 1.0])
        v = np.cross(u, np.eye(3)[int(np.argmin(np.abs(u)))])
        v /= np.linalg.norm(v)
        w = np.cross(u, v)
        normals = np.array([v, w, -v, -w, u, -u])
        edges = np.array([(0, 1)] * 4 if len(corners) == 2 else [], dtype=np.intp).reshape(-1, 2)
        sides = np.array([(0, 1), (1, 2), (2, 3), (3, 0)][: len(edges)], dtype=np.intp).reshape(-1, 2)
    elif len(normals) == 2:
        beside = np.cross(own[edges[:, 1]] - own[edges[:, 0]], normals[0])
        normals = np.concatenate([normals, beside / np.linalg.norm(beside, axis=1, keepdims=True)])
        number = np.arange(2, 2 + len(edges))
        sides = np.concatenate([np.stack([0 * number, number], axis=1), np.stack([number, 0 * number + 1], axis=1)])
        edges = np.concatenate([edges, edges])
    heights = (own @ normals.T).max(axis=0)
    head = [len(own), len(normals), len(edges), dimension, length(own).max()]
    planes = np.concatenate([normals, heights[:, None]], axis=1)
    counts = [*map(len, faces), *[0] * (len(normals) - len(faces))]
    begin = HEAD + own.size + planes.size + 2 * edges.size + len(normals) + 1
    begins = np.cumsum([begin, *counts])
    parts = [head, own.ravel(), planes.ravel(), np.concatenate([edges, sides], axis=1).ravel(), begins, *faces]
    return middle, np.concatenate(parts)


@kernel
def read_hull(table: Table, strides: Ints, i: int) -> tuple[HullCore, float]:
    """Read element i of the operands of a hull: its points, which kernels pass by, middle, axes, numbers and radius."""
    axes, k = table[2], i * strides[2]
    x = Vec3(axes[k], axes[k + 3], axes[k + 6])
    y = Vec3(axes[k + 1], axes[k + 4], axes[k + 7])
    z = Vec3(axes[k + 2], axes[k + 5], axes[k + 8])
    middle, nothing = load(table[1], i * strides[1]), Vec3(0.0, 0.0, 0.0)
    return HullCore(middle, x, y, z, nothing, table[3], i * strides[3]), table[4][i * strides[4]]


@kernel
def load_hull(numbers: Floats, k: int, table: Floats) -> HullCore:
    """Read a hull from its row, which begins at number k, and the table that this refers to."""
    x, y, z = load(numbers, k + 3), load(numbers, k + 6), load(numbers, k + 9)
    return HullCore(load(numbers, k), x, y, z, Vec3(0.0, 0.0, 0.0), table, int(numbers[k + 12]))


@kernel
def store_hull(numbers: Floats, k: int, hull: HullCore) -> None:
    """Write the row of a hull; its numbers stay where they are."""
    store(numbers, k, hull.middle)
    store(numbers, k + 3, hull.x)
    store(numbers, k + 6, hull.y)
    store(numbers, k + 9, hull.z)
    numbers[k + 12] = hull.start


@kernel
def hull_size(hull: HullCore) -> float:
    """Return a bound on the coordinates of a hull's corners that rounding is measured by."""
    return largest(hull.middle) + hull_reach(hull)


@kernel
def _out(hull: HullCore, v: Vec3) -> Vec3:
    """Take a vector from the hull's axes to the world's."""
    return add(add(scale(hull.x, v.x), scale(hull.y, v.y)), scale(hull.z, v.z))


@kernel
def _into(hull: HullCore, v: Vec3) -> Vec3:
    """Take a vector from the world's axes to the hull's."""
    return Vec3(dot(v, hull.x), dot(v, hull.y), dot(v, hull.z))


@kernel
def hull_middle(hull: HullCore) -> Vec3:
    """Return the middle of a hull."""
    return hull.middle


@kernel
def hull_support(hull: HullCore, direction: Vec3) -> Vec3:
    """Return the corner of a hull that is farthest in a direction, from its middle."""
    x, y, z = _into(hull, direction)
    if hull.start == _BOX:
        half = hull.half
        return _out(hull, Vec3(math.copysign(half.x, x), math.copysign(half.y, y), math.copysign(half.z, z)))
    table, first = hull.table, hull.start + HEAD
    best, found = -math.inf, first
    for k in range(first, first + 3 * int(table[hull.start]), 3):
        rise = table[k] * x + table[k + 1] * y + table[k + 2] * z
        if rise > best:
            best, found = rise, k
    return _out(hull, load(table, found))


@kernel
def hull_corners(hull: HullCore) -> int:
    """Return how many corners a hull has."""
    return 8 if hull.start == _BOX else int(hull.table[hull.start])


@kernel
def hull_corner(hull: HullCore, k: int) -> Vec3:
    """Return a corner of a hull, from its middle."""
    if hull.start == _BOX:
        x, y = hull.half.x if k & 1 else -hull.half.x, hull.half.y if k & 2 else -hull.half.y
        return _out(hull, Vec3(x, y, hull.half.z if k & 4 else -hull.half.z))
    return _out(hull, load(hull.table, hull.start + HEAD + 3 * k))


@kernel
def hull_faces(hull: HullCore) -> int:
    """Return how many faces a hull has."""
    return 6 if hull.start == _BOX else int(hull.table[hull.start + 1])


@kernel
def hull_face(hull: HullCore, k: int) -> PolytopeFace:
    """Return a face of a hull."""
    if hull.start == _BOX:
        normal = _axis(hull.x, hull.y, hull.z, k % 3)
        return PolytopeFace(normal if k < 3 else opposite(normal), _part(hull.half, k % 3))
    at = hull.start + HEAD + 3 * int(hull.table[hull.start]) + 4 * k
    return PolytopeFace(_out(hull, load(hull.table, at)), hull.table[at + 3])


@kernel
def _rings(hull: HullCore) -> int:
    """Return where the table of a hull, which is no box, says where the corners of its faces begin."""
    table, start = hull.table, hull.start
    return start + HEAD + 3 * int(table[start]) + 4 * int(table[start + 1]) + 4 * int(table[start + 2])


@kernel
def hull_edges(hull: HullCore) -> int:
    """Return how many edges a hull has."""
    return 12 if hull.start == _BOX else int(hull.table[hull.start + 2])


@kernel
def hull_edge(hull: HullCore, k: int) -> PolytopeEdge:
    """Return an edge of a hull."""
    if hull.start == _BOX:
        return _box_edge(hull.x, hull.y, hull.z, hull.half, k)
    edge = _own_edge(hull, k)
    return PolytopeEdge(_out(hull, edge.corner), _out(hull, edge.way), _out(hull, edge.left), _out(hull, edge.right))


@kernel
def _own_edge(hull: HullCore, k: int) -> PolytopeEdge:
    """Return an edge of a hull, which is no box, in its axes."""
    table, corners = hull.table, hull.start + HEAD
    faces = corners + 3 * int(table[hull.start])
    at = faces + 4 * int(table[hull.start + 1]) + 4 * k
    start, end = load(table, corners + 3 * int(table[at])), load(table, corners + 3 * int(table[at + 1]))
    left, right = load(table, faces + 4 * int(table[at + 2])), load(table, faces + 4 * int(table[at + 3]))
    return PolytopeEdge(start, sub(end, start), left, right)


@kernel
def hull_rises(hull: HullCore, k: int, v: Vec3) -> tuple[float, float]:
    """Return how the normals on both sides of an edge rise along a vector in the hull's axes."""
    if hull.start == _BOX:
        edge = _box_edge(Vec3(1.0, 0.0, 0.0), Vec3(0.0, 1.0, 0.0), Vec3(0.0, 0.0, 1.0), hull.half, k)
        return dot(edge.left, v), dot(edge.right, v)
    table, faces = hull.table, hull.start + HEAD + 3 * int(hull.table[hull.start])
    at = faces + 4 * int(table[hull.start + 1]) + 4 * k
    return dot(load(table, faces + 4 * int(table[at + 2])), v), dot(load(table, faces + 4 * int(table[at + 3])), v)


@kernel
def hull_reach(hull: HullCore) -> float:
    """Return how far the farthest corner is from the middle."""
    return norm(hull.half) if hull.start == _BOX else hull.table[hull.start + 4]


@kernel
def hull_bounds(hull: HullCore) -> tuple[Vec3, Vec3]:
    """Return the smallest and the largest coordinates of a hull."""
    middle, low, high = hull_middle(hull), hull_corner(hull, 0), hull_corner(hull, 0)
    for k in range(1, hull_corners(hull)):
        p = hull_corner(hull, k)
        low = Vec3(min(low.x, p.x), min(low.y, p.y), min(low.z, p.z))
        high = Vec3(max(high.x, p.x), max(high.y, p.y), max(high.z, p.z))
    return add(middle, low), add(middle, high)


@kernel
def moved_hull(hull: HullCore, t: float, v: Vec3) -> HullCore:
    """Return a hull after a part of its motion."""
    return HullCore(along(hull.middle, t, v), hull.x, hull.y, hull.z, hull.half, hull.table, hull.start)


@kernel
def hull_height(hull: HullCore, p: Vec3) -> float:
    """Return how high a point, from the middle, is above the face over which it is highest; negative inside."""
    most = -math.inf
    for k in range(hull_faces(hull)):
        face = hull_face(hull, k)
        most = max(most, dot(face.normal, p) - face.height)
    return most


@kernel
def hull_feature(hull: HullCore, radius: float, direction: Vec3, sine: float) -> Feature:
    """Return the foremost feature of a hull: its most level face or else edge that is foremost nearby, or a corner.

    Of a rounded one it is what is flat: a face or an edge that is moved out by the radius. A segment is all round.
    """
    m, table, middle, thin = _into(hull, direction), hull.table, hull_middle(hull), ROUNDING * hull_size(hull)
    planes, rings, endless = hull.start + HEAD + 3 * hull_corners(hull), _rings(hull), Span(-math.inf, math.inf)
    found, least = -1, (sine + ROUNDING) * (sine + ROUNDING)
    for k in range(hull_faces(hull)):
        normal = load(table, planes + 4 * k)
        aside = cross(normal, m)
        tilt = dot(aside, aside)
        if tilt <= least and dot(normal, m) > 0.0 and table[rings + k + 1] > table[rings + k]:
            found, least = k, tilt
    if found >= 0:
        normal, first = load(table, planes + 4 * found), int(table[rings + found])
        u = perpendicular(normal)
        ring = Ring(int(table[rings + found + 1]) - first, hull.start + first, hull.start + HEAD, u, cross(normal, u))
        origin = along(middle, table[planes + 4 * found + 3] + radius, _out(hull, normal))
        return Feature(2, origin, _out(hull, u), _out(hull, ring.v), endless, endless, 0.0, ring)
    for k in range(hull_edges(hull)):
        edge = _own_edge(hull, k)
        squared, rise = dot(edge.way, edge.way), dot(edge.way, m)
        if rise * rise <= least * squared and squared > thin * thin and dot(add(edge.left, edge.right), m) > 0.0:
            room = _ARC * math.sqrt(squared)
            if dot(cross(edge.left, edge.way), m) <= room and dot(cross(edge.way, edge.right), m) <= room:
                found, least = k, rise * rise / squared
    if found < 0:
        return point_feature(add(middle, hull_support(hull, direction)), radius, direction, sine)
    edge = hull_edge(hull, found)
    long = norm(edge.way)
    u, origin, round_all = over(edge.way, long), add(middle, edge.corner), table[hull.start + 3] == 1.0
    if radius == 0.0 or round_all:
        return edge_feature(origin, u, Span(0.0, long), radius)
    level = along(direction, -dot(direction, u), u)
    return edge_feature(along(origin, radius / norm(level), level), u, Span(0.0, long), 0.0)


@kernel
def turned_hull(hull: HullCore, pose: Pose) -> HullCore:
    """Return a hull where a pose takes it."""
    x, y, z = turn(pose, hull.x), turn(pose, hull.y), turn(pose, hull.z)
    return HullCore(put(pose, hull.middle), x, y, z, hull.half, hull.table, hull.start)


@kernel
def posed_hull(hull: HullCore, pose: Pose) -> HullCore:
    """Return a hull where a pose takes it, with axes that are a rotation's."""
    x, y, z, _ = orthonormalised(turn(pose, hull.x), turn(pose, hull.y), turn(pose, hull.z), ALLOWED)
    return HullCore(put(pose, hull.middle), x, y, z, hull.half, hull.table, hull.start)


@kernel
def farthest_hull(hull: HullCore, grows: bool, point: Vec3, axis: Vec3) -> float:
    """Return the distance of the corner of a hull that is farthest from an axis."""
    most, start = 0.0, sub(hull_middle(hull), point)
    for k in range(hull_corners(hull)):
        most = max(most, norm(cross(axis, add(start, hull_corner(hull, k)))))
    return most


@kernel
def hull_gain(hull: HullCore, grows: bool, at: Vec3, m: Vec3, own: Vec3, seen: Vec3) -> float:
    """Return the gain at the best corner."""
    way = add(m, cross(m, sub(own, seen)))
    return dot(way, add(sub(hull_middle(hull), at), hull_support(hull, way)))


TURNING = TurningKernels(turned_hull, posed_hull, unchanged, farthest_hull, hull_gain)


# -- boxes, segments and points as hulls -------------------------------------------------------------------------------


@kernel
def box_as_hull(box: Box, table: Floats) -> HullCore:
    """Return a box as a hull, which has no numbers in any table."""
    return HullCore(to_world(box, middle_of(box)), box.x, box.y, box.z, half_of(box), table, _BOX)


@kernel
def point_as_hull(point: Vec3, table: Floats) -> HullCore:
    """Return a point as a box without width."""
    x, y, z, nothing = Vec3(1.0, 0.0, 0.0), Vec3(0.0, 1.0, 0.0), Vec3(0.0, 0.0, 1.0), Vec3(0.0, 0.0, 0.0)
    return HullCore(point, x, y, z, nothing, table, _BOX)


@kernel
def segment_as_hull(line: Linear, table: Floats) -> HullCore:
    """Return a segment as a box without width along its first axis."""
    half = sub(scale(line.tip, 0.5), scale(line.origin, 0.5))
    long = norm(half)
    x = over(half, long) if long > 0.0 else Vec3(1.0, 0.0, 0.0)
    y = perpendicular(x)
    middle = add(scale(line.origin, 0.5), scale(line.tip, 0.5))
    return HullCore(middle, x, y, cross(x, y), Vec3(long, 0.0, 0.0), table, _BOX)


@kernel
def _axis(x: Vec3, y: Vec3, z: Vec3, k: int) -> Vec3:
    return x if k == 0 else (y if k == 1 else z)


@kernel
def _part(v: Vec3, k: int) -> float:
    return v.x if k == 0 else (v.y if k == 1 else v.z)


@kernel
def _box_edge(x: Vec3, y: Vec3, z: Vec3, half: Vec3, k: int) -> PolytopeEdge:
    j = k % 3
    way, u, v = _axis(x, y, z, j), _axis(y, z, x, j), _axis(z, x, y, j)
    left, right = u if (k // 3) & 1 else opposite(u), v if k > 5 else opposite(v)
    corner = along(scale(left, _part(half, (j + 1) % 3)), _part(half, (j + 2) % 3), right)
    if dot(cross(way, left), right) < 0.0:
        left, right = right, left
    return PolytopeEdge(corner, way, left, right)


# -- pairs -------------------------------------------------------------------------------------------------------------


class TouchingPoint(NamedTuple):
    """A point of B where it touches A, moved along the normal by the gap, and by how much it misses one of them."""

    on_b: Vec3
    misfit: float


#: Edges whose directions have a sine of no more than this have no common normal but that of a face.
_PARALLEL = 1e-15

#: Edges whose directions have a sine of no more than this need exact products.
_NEARLY_PARALLEL = 1e-3

#: A direction is on an arc of normals if it is not beyond its ends by more than this, for rounding.
_ARC = 1e-9

#: Corners that are level with the foremost to this part of the size are tried as contacts.
_LEVEL = 1e-6


_search = support_search(hull_support, hull_support, 0.0)


@kernel
def _gap_along(a: HullCore, b: HullCore, way: Vec3, n: Vec3) -> float:
    """Return the gap along a unit vector, negative where the cores overlap along it."""
    return dot(n, add(way, sub(hull_support(b, opposite(n)), hull_support(a, n))))


@kernel
def _across_faces(a: HullCore, b: HullCore, way: Vec3, gap: float, normal: Vec3) -> tuple[float, Vec3]:
    """Return the widest gap, and its direction, of the one given and those along the normals of faces.

    No gap is wider than to any point of the other core, such as its middle, or the last that was found.
    """
    last = way
    for k in range(hull_faces(a)):
        face = hull_face(a, k)
        if min(dot(face.normal, way), dot(face.normal, last)) - face.height > gap:
            last = add(way, hull_support(b, opposite(face.normal)))
            other = dot(face.normal, last) - face.height
            if other > gap:
                gap, normal = other, face.normal
    back = opposite(way)
    last = back
    for k in range(hull_faces(b)):
        face = hull_face(b, k)
        if min(dot(face.normal, back), dot(face.normal, last)) - face.height > gap:
            last = sub(hull_support(a, opposite(face.normal)), way)
            other = dot(face.normal, last) - face.height
            if other > gap:
                gap, normal = other, opposite(face.normal)
    return gap, normal


@kernel
def _across_edges(a: HullCore, b: HullCore, way: Vec3, gap: float, normal: Vec3) -> tuple[float, Vec3]:
    """Return the widest gap, and its direction, of the one given and those across an edge of each.

    The normals at an edge are an arc between those of its faces. Along any of them the overlap is at least what a
    point of B makes it at both ends of the arc, if that is positive; so most edges of A are out at once.
    """
    last = way
    for i in range(hull_edges(a)):
        e = hull_edge(a, i)
        if _is_out(e, way, gap) or _is_out(e, last, gap):
            continue
        long = norm(e.way)
        # Of length where its parts have none: with both faces on one plane, or back to back.
        mean = along(add(e.left, e.right), 1.0 / long, cross(e.way, sub(e.left, e.right)))
        last = add(way, hull_support(b, opposite(mean)))
        if _is_out(e, last, gap):
            continue
        own, arc = _into(b, e.way), _ARC * long
        for j in range(hull_edges(b)):
            one, other = hull_rises(b, j, own)
            if min(one, other) > arc or max(one, other) < -arc:
                continue
            o = hull_edge(b, j)
            one, other, wide = dot(o.way, e.left), dot(o.way, e.right), _ARC * norm(o.way)
            if min(one, other) > wide or max(one, other) < -wide:
                continue
            m, product = cross(e.way, o.way), long * norm(o.way)
            if norm(m) <= _NEARLY_PARALLEL * product:
                m = cross_exactly(e.way, o.way)
            sine = norm(m)
            if sine <= _PARALLEL * product:
                continue
            m = scale(m, math.copysign(1.0 / sine, dot(m, mean)))
            if dot(m, sub(add(way, o.corner), e.corner)) > gap:  # no gap is wider than between two points
                found = _gap_along(a, b, way, m)
                if found > gap:
                    gap, normal = found, m
    return gap, normal


@kernel
def _touching(a: HullCore, b: HullCore, way: Vec3, gap: float, n: Vec3, slack: float, size: float) -> TouchingPoint:
    """Return where B touches A, once that has gone along the normal by the gap.

    Two faces, or a face and an edge, that lie on each other have a corner of one in the other, or edges that cross.
    """
    step = along(way, -gap, n)  # to B's middle from that of A, moved
    best = TouchingPoint(hull_support(b, opposite(n)), math.inf)
    low, high = dot(n, best.on_b) + _LEVEL * size, dot(n, hull_support(a, n)) - _LEVEL * size
    for k in range(hull_corners(b)):
        q = hull_corner(b, k)
        if best.misfit > slack and dot(n, q) <= low:
            misfit = _outside(a, add(q, step))
            best = TouchingPoint(q, misfit) if misfit < best.misfit else best
    for k in range(hull_corners(a)):
        p = hull_corner(a, k)
        if best.misfit > slack and dot(n, p) >= high:
            q = sub(p, step)
            misfit = _outside(b, q)
            best = TouchingPoint(q, misfit) if misfit < best.misfit else best
    if best.misfit <= slack:
        return best
    for i in range(hull_edges(a)):
        e = hull_edge(a, i)
        if abs(dot(n, e.way)) > _LEVEL * norm(e.way) or dot(n, e.corner) < high:
            continue
        for j in range(hull_edges(b)):
            o = hull_edge(b, j)
            q = _crossing(e, o, step)
            if best.misfit > slack and abs(dot(n, sub(q, o.corner))) <= _LEVEL * size and dot(n, o.corner) <= low:
                misfit = max(_outside(a, add(q, step)), _outside(b, q))
                best = TouchingPoint(q, misfit) if misfit < best.misfit else best
    return best


@kernel
def hull_hull(a: HullCore, b: HullCore) -> Separation:
    """Return the separation of two hulls."""
    from_b = hull_middle(b)
    way = sub(from_b, hull_middle(a))
    size = largest(way) + hull_reach(a) + hull_reach(b)
    slack = 4.0 * EPS * size
    near = _search(a, b, way)
    gap, normal, on_b = near.lower, near.normal, near.on_b
    step = add(way, sub(near.on_b, near.on_a))
    if near.apart and gap > slack:  # of directions that are as good to rounding, the last one fits the points
        p, q, r = near.simplex.p.way, near.simplex.q.way, near.simplex.r.way
        other = to_nearest(near.simplex, weighted(near.simplex, p, q, r))
        other = over(other, norm(other))
        width = _gap_along(a, b, way, other)
        if width >= gap - slack:
            gap, normal = width, other
    aside = largest(along(step, -gap, normal))
    apart = near.apart and gap > slack
    if not (apart and aside <= slack):
        gap, normal = _across_faces(a, b, way, gap, normal)
        gap, normal = _across_edges(a, b, way, gap, normal)
        found = _touching(a, b, way, gap, normal, slack, size)
        on_b = found.on_b if found.misfit < aside or not apart else on_b
    normal = scale(normal, 1.5 - 0.5 * dot(normal, normal))  # unit to rounding: one step
    on_b = add(from_b, on_b)
    return Separation(gap, along(on_b, -gap, normal), on_b, normal)


@kernel
def _outside(hull: HullCore, p: Vec3) -> float:
    """Return how far outside of the farthest face a point is, from the middle of the core; zero inside."""
    most = 0.0
    for k in range(hull_faces(hull)):
        face = hull_face(hull, k)
        most = max(most, dot(face.normal, p) - face.height)
    return most


@kernel
def box_hull(box: Box, hull: HullCore) -> Separation:
    """Return the separation of a box and a hull."""
    return hull_hull(box_as_hull(box, hull.table), hull)


#: The most steps to where a line meets a rounded hull; a line that only just does takes most.
_STEPS = 64

#: So many times as far as a hull reaches, a line without an end is cut: it is then left sideways, not along itself.
_CUT = 8.0

#: A normal that leads so little back along a ray is at a right angle to it, but for the rounding of a small hull.
_ALONG = 1e-6


@kernel
def point_hull(point: Vec3, hull: HullCore) -> Separation:
    """Return the separation of a point and a hull."""
    return hull_hull(point_as_hull(point, hull.table), hull)


@kernel
def linear_hull(line: Linear, hull: HullCore) -> Separation:
    """Return the separation of a linear piece and a hull; one without an end is cut far beyond the hull."""
    if line.hi < math.inf:
        return hull_hull(segment_as_hull(line, hull.table), hull)
    start, way = sub(hull_middle(hull), line.origin), line.direction
    near, far = dot(start, way) / dot(way, way), _CUT * hull_reach(hull) / norm(way)
    first, last = max(near - far, line.lo), max(near + far, line.lo)
    origin, tip = along(line.origin, first, way), along(line.origin, last, way)
    found = hull_hull(segment_as_hull(Linear(origin, sub(tip, origin), tip, 0.0, 1.0), hull.table), hull)
    unit, noise = over(way, norm(way)), ROUNDING * (largest(line.origin) + hull_size(hull))
    rise, past = dot(found.normal, unit), dot(sub(found.on_a, line.origin), unit)
    if first > line.lo or rise > 0.0 or (past > noise and rise > -_ALONG):
        n = along(found.normal, -rise, unit)
        n = over(n, norm(n)) if norm(n) > 0.5 else perpendicular(unit)
        n = along(n, -dot(n, unit), unit)
        gap = dot(n, add(start, hull_support(hull, opposite(n))))
        return Separation(gap, along(found.on_b, -gap, n), found.on_b, n)
    return found


@kernel
def half_space_hull(space: HalfSpaceCore, hull: HullCore) -> Separation:
    """Return the separation of a half-space and a hull: that of its lowest corner, or of the mean of those as low."""
    down, slack = opposite(space.normal), ROUNDING * hull_reach(hull)
    low = dot(down, hull_support(hull, down)) - slack
    total, count = Vec3(0.0, 0.0, 0.0), 0
    for k in range(hull_corners(hull)):
        corner = hull_corner(hull, k)
        if dot(down, corner) >= low:
            total, count = add(total, corner), count + 1
    lowest = along(hull_middle(hull), 1.0 / count, total)
    h = height(space, lowest)
    return Separation(h, along(lowest, -h, space.normal), lowest, space.normal)


@kernel
def _is_out(e: PolytopeEdge, point: Vec3, gap: float) -> bool:
    """Tell whether no normal at an edge of A leads to a wider gap, given a point of B."""
    depth = sub(e.corner, point)
    least = min(dot(e.left, depth), dot(e.right, depth))
    return least > 0.0 and least >= -gap


@kernel
def _crossing(e: PolytopeEdge, o: PolytopeEdge, step: Vec3) -> Vec3:
    """Return the point of the line of an edge of B that is nearest to the line of one of A."""
    n = cross_exactly(e.way, o.way)
    squared = dot(n, n)
    if squared == 0.0:
        return o.corner
    return along(o.corner, dot(cross(e.way, sub(e.corner, add(o.corner, step))), n) / squared, o.way)


# -- lines through hulls -----------------------------------------------------------------------------------------------


@kernel
def _within(line: Linear, hull: HullCore, radius: float, t: float, tolerance: float) -> float:
    """Return where a line is first within a radius of a hull, from a parameter beyond on; NaN where it never is.

    The distance is convex, so Newton's steps come from one side and never pass what they look for.
    """
    ahead, least = True, math.inf
    for step in range(_STEPS):
        s = point_hull(at(line, t), hull)
        above, slope = s.distance - radius, -dot(s.normal, line.direction)
        if above <= tolerance:
            break
        if step == 0:
            ahead = slope < 0.0
        if (slope < 0.0) != ahead or not above < least:
            t = math.nan
            break
        t, least = t - above / slope, above
    return t


@kernel
def clip_hull(line: Linear, hull: HullCore, radius: float, size: float) -> tuple[float, float]:
    """Return the interval of a line inside a hull: the part that is behind the planes of all faces.

    It is counted from where the line is nearest to the middle (M. Cyrus and J. Beck, *Generalized two- and
    three-dimensional clipping*, 1978). A line is level with a face if its height changes by no more than rounding
    within the hull. Around a rounded hull it is found by the distance of its points.
    """
    way, start = line.direction, sub(line.origin, hull_middle(hull))
    near = -dot(start, way) / dot(way, way)
    if radius > 0.0:
        far = (hull_reach(hull) + radius) / norm(way)
        enter = _within(line, hull, radius, near - far, TOUCH * size)
        return (enter, _within(line, hull, radius, near + far, TOUCH * size)) if enter == enter else (enter, enter)
    p, speed, tolerance = along(start, near, way), norm(way), TOUCH * size
    level = tolerance * speed / max(2.0 * hull_reach(hull), tolerance)
    enter, leave = -math.inf, math.inf
    for k in range(hull_faces(hull)):
        face = hull_face(hull, k)
        rise, height = dot(face.normal, way), dot(face.normal, p) - face.height
        if rise > level:
            leave = min(leave, -height / rise)
        elif rise < -level:
            enter = max(enter, -height / rise)
        elif height > tolerance:
            return math.nan, math.nan
    if enter > leave or abs(leave - enter) * speed <= tolerance:  # through a flat one, or past an edge
        enter = leave = 0.5 * enter + 0.5 * leave
        if not hull_height(hull, along(p, enter, way)) <= tolerance:
            return math.nan, math.nan
    return near + enter, near + leave


@kernel
def surface_hull(line: Linear, t: float, hull: HullCore, radius: float, size: float) -> SurfacePoint:
    """Return what the point at a parameter is to a hull, by the faces over which it is highest."""
    middle = hull_middle(hull)
    if radius > 0.0:
        s = point_hull(at(line, t), hull)
        outward, above = opposite(s.normal), s.distance - radius
        return SurfacePoint(above, along(at(line, t), -above, outward), outward)
    p = sub(at(line, t), middle)
    gap, tolerance = hull_height(hull, p), TOUCH * size
    normal, slope = Vec3(0.0, 0.0, 1.0), math.inf
    for k in range(hull_faces(hull)):
        face = hull_face(hull, k)
        if dot(face.normal, p) - face.height >= gap - tolerance and dot(face.normal, line.direction) < slope:
            normal, slope = face.normal, dot(face.normal, line.direction)
    return SurfacePoint(gap, add(middle, along(p, -gap, normal)), normal)


# -- in NumPy ----------------------------------------------------------------------------------------------------------


def _middle(core: Operands) -> FloatArray:
    return np.asarray(core[1])


def _vertices(core: Operands) -> FloatArray:
    return np.moveaxis(core[0], -2, 0)


def _outline(core: Operands) -> Outline:
    _, middle, axes, numbers, _ = core
    corners, faces, edges = numbers[:3].astype(int).tolist()
    own = numbers[HEAD : HEAD + 3 * corners].reshape(-1, 3) @ axes.T
    begin = HEAD + 3 * corners + 4 * faces
    ends = numbers[begin : begin + 4 * edges].reshape(-1, 4)[:, :2].astype(int)
    ways = own[ends[:, 1]] - own[ends[:, 0]]
    return Outline(middle, [Edge(0.5 * way) for way in ways], lambda n: float((own @ n).max()))


EXTENT = Extent(_middle, _outline, no_cone, _vertices, solid=True)
