"""The corners, edges and faces of the convex hull of points, found with exact tests."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from collision.base.fields import ArrayLike, FloatArray, IntArray
from collision.kernels.cores import ROUNDING
from collision.kernels.hull import HEAD, hull_numbers
from collision.shapes.bounding import read_points

#: A point off a line or a plane by no more than this, times the largest coordinate, is on it: users give coordinates in
#: decimals, so that four corners of a slanted rectangle are on one plane to rounding alone.
FLAT = ROUNDING

#: So far off, relative to the sum of the sizes of its products, a rounded determinant of three differences can be
#: (J. R. Shewchuk, *Adaptive Precision Floating-Point Arithmetic*, 1997); products below `_LOST` may have lost digits.
_DETERMINANT, _LOST = 8.0 * 2.0**-53, 1e-280

#: The normal of a triangle that is so short, relative to the products of which it is made, is taken from whole numbers.
_CANCELLED = 1e-3


class Polytope(NamedTuple):
    """The convex hull of points: a solid, or a polygon, a segment or a point where they are that to rounding.

    Attributes
    ----------
    corners : ndarray of int, shape (k,)
        Which of the points are corners; those of a polygon in order.
    faces : list of list of int
        The corners of each face, counter-clockwise seen from outside, as numbers in `corners`. A polygon has two
        faces, which look opposite ways; a segment and a point have none.
    normals : ndarray, shape (f, 3)
        The unit normal of each face, outward.
    edges : ndarray of int, shape (e, 2)
        The two ends of each edge, as numbers in `corners`.
    sides : ndarray of int, shape (e, 2)
        The faces on the left and on the right of each edge, seen from outside; (-1, -1) for a segment.
    """

    corners: IntArray
    faces: list[list[int]]
    normals: FloatArray
    edges: IntArray
    sides: IntArray

    @property
    def dimension(self) -> int:
        """What it is: 0 a point, 1 a segment, 2 a polygon, 3 a solid."""
        return min(len(self.corners) - 1, 2) if len(self.faces) < 3 else 3


def polytope(points: ArrayLike, *, label: str = "polytope.points") -> Polytope:
    """Return the convex hull of points (n, 3).

    Corners are found by exact tests, so that no input leads to a hull that is not convex. Then faces that are in one
    plane to rounding become one, and points that are on an edge or a face to rounding are no corners. `label` is what
    an error calls the points.

    It is the quickhull of C. B. Barber, D. P. Dobkin and H. Huhdanpaa (*The Quickhull Algorithm for Convex Hulls*,
    1996), in which the sign of a determinant decides: of rounded numbers where that is certain, else of whole ones.

    Examples
    --------
    >>> found = polytope([[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4], [1, 1, 1]])
    >>> found.corners
    array([0, 1, 2, 3])
    >>> len(found.faces), len(found.edges)
    (4, 6)
    """
    array = read_points(points, label)
    if array.ndim != 2:
        raise ValueError(f"{label} must be an array of shape (n, 3), got shape {array.shape}")
    allowed = FLAT * float(np.abs(array).max())
    # Powers of two change no digit: with them no product is lost or infinite, whatever the unit of length.
    exponent = -math.frexp(float(np.abs(array).max()))[1]
    with np.errstate(under="ignore"):
        scaled = np.ldexp(array, exponent)
    allowed = math.ldexp(allowed, exponent)
    first = int(np.argmin(array[:, int(np.argmax(np.ptp(scaled, axis=0)))]))
    offsets = scaled - scaled[first]
    distances = _lengths(offsets)
    second = int(np.argmax(distances))
    if not distances[second] > allowed:
        return _without_faces([first])
    way = offsets[second] / distances[second]
    rises = offsets @ way
    asides = offsets - rises[:, None] * way  # of a needle, no more than this tells the plane of three points
    asides -= (asides @ way)[:, None] * way  # once more, or rounding leaves some of the way in them
    third = int(np.argmax(_lengths(asides)))
    if not _lengths(asides[third]) > allowed:
        return _without_faces(sorted([int(np.argmin(rises)), int(np.argmax(rises))]))
    across = np.cross(way, asides[third])
    across /= float(_lengths(across))
    heights = asides @ across
    fourth = int(np.argmax(np.abs(heights)))
    exact = _Exact(array)
    if not abs(heights[fourth]) > allowed or not exact.orientation((first, second, third), fourth):
        return _polygon(scaled, exact, across, allowed)
    return _solid(scaled, exact, [first, second, third, fourth], allowed)


def numbers_of(points: FloatArray, *, label: str) -> tuple[FloatArray, FloatArray]:
    """Return the middle of the hull of points (n, 3), and its numbers as kernels read them, its corners last."""
    found = polytope(points, label=label)
    middle, numbers = hull_numbers(points[found.corners], *found[1:])
    return middle, np.concatenate([numbers, found.corners])


def polytope_of(numbers: FloatArray, axes: FloatArray) -> Polytope:
    """Return the hull of points that `numbers_of` made numbers of, turned to axes (3, 3)."""
    count, faces, edges, dimension = numbers[:4].astype(int).tolist()
    first, last = HEAD + 3 * count + 4 * faces, HEAD + 3 * count + 4 * (faces + edges)
    table = numbers[first:last].reshape(-1, 4).astype(np.intp)
    begins = numbers[last : last + faces + 1].astype(int).tolist()
    corners = numbers[begins[-1] : begins[-1] + count].astype(np.intp)
    loops = [numbers[begin:end].astype(int).tolist() for begin, end in pairwise(begins)]
    if dimension < 2:
        return _without_faces(corners.tolist())
    normals = numbers[HEAD + 3 * count : first].reshape(-1, 4)[:, :3] @ axes.T
    if dimension == 2:  # the faces beside its edges, and these once more, are for kernels alone
        return Polytope(corners, loops[:2], normals[:2], table[:count, :2], np.array([(0, 1)] * count))
    return Polytope(corners, loops, normals, table[:, :2].copy(), table[:, 2:].copy())


def _lengths(vectors: FloatArray) -> FloatArray:
    return np.asarray(np.sqrt(np.einsum("...i,...i", vectors, vectors)))


def _without_faces(corners: list[int]) -> Polytope:
    """Return a segment or a point."""
    edges = np.arange(len(corners)).reshape(-1, 2) if len(corners) == 2 else np.empty((0, 2), dtype=np.intp)
    return Polytope(np.array(corners), [], np.empty((0, 3)), edges, np.full(edges.shape, -1))


class _Exact:
    """Points as whole numbers, in a unit that is a power of two, each made when it is first needed."""

    def __init__(self, points: FloatArray) -> None:
        parts, exponents = np.frexp(points)
        least = int(exponents[points != 0.0].min(initial=0))
        self._parts, self._shifts = np.ldexp(parts, 53), exponents - least
        self._known: dict[int, tuple[int, int, int]] = {}

    def __getitem__(self, i: int) -> tuple[int, int, int]:
        found = self._known.get(i)
        if found is None:
            parts, shifts = self._parts[i].tolist(), self._shifts[i].tolist()
            x, y, z = (int(part) << shift if part else 0 for part, shift in zip(parts, shifts, strict=True))
            found = self._known[i] = x, y, z
        return found

    def normal(self, i: int, j: int, k: int) -> tuple[int, int, int]:
        """Return the cross product of two sides of a triangle."""
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = self[i], self[j], self[k]
        ux, uy, uz, vx, vy, vz = bx - ax, by - ay, bz - az, cx - ax, cy - ay, cz - az
        return uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx

    def orientation(self, triangle: tuple[int, int, int], other: int) -> int:
        """Return a number above zero where a point is on the side of a triangle from which it is counter-clockwise."""
        (nx, ny, nz), (ax, ay, az), (px, py, pz) = self.normal(*triangle), self[triangle[0]], self[other]
        return nx * (px - ax) + ny * (py - ay) + nz * (pz - az)

    def area(self, loop: Sequence[int]) -> FloatArray:
        """Return the unit vector along the sum of the areas of a polygon's triangles, rounded once."""
        parts = [self.normal(loop[0], j, k) for j, k in pairwise(loop[1:])]
        total = [sum(part) for part in zip(*parts, strict=True)]
        shift = max(max(abs(part).bit_length() for part in total) - 1000, 0)
        area = np.array([float(part >> shift) for part in total])
        area /= np.abs(area).max()
        return np.asarray(area / _lengths(area))


# -- polygons ----------------------------------------------------------------------------------------------------------


def _polygon(points: FloatArray, exact: _Exact, across: FloatArray, allowed: float) -> Polytope:
    """Return the hull of points that are in a plane to rounding: that of their shadows along the nearest axis."""
    axis = int(np.argmax(np.abs(across)))
    x, y = ((axis + 1) % 3, (axis + 2) % 3)
    order = sorted(range(len(points)), key=lambda i: (exact[i][x], exact[i][y]))
    loop: list[int] = []
    for way in (order, order[::-1]):
        chain: list[int] = []
        for i in way:
            while len(chain) > 1 and _turn(exact[chain[-2]], exact[chain[-1]], exact[i], x, y) <= 0:
                chain.pop()
            chain.append(i)
        loop += chain[:-1]
    # What is farthest from anything is a corner, and no point of a side.
    one = loop[int(np.argmax(_lengths(points[loop] - points[loop].mean(axis=0))))]
    loop = _from(loop, one)
    other = loop.index(loop[int(np.argmax(_lengths(points[loop] - points[one])))])
    halves = loop[: other + 1], [*loop[other:], one]
    loop = [i for half in halves for i in _thinned(half, points, allowed)[:-1]]
    if len(loop) < 3:
        return _without_faces(sorted(loop))
    loop = _from(loop, min(loop))
    count = len(loop)
    ring = list(range(count))
    normal = exact.area(loop)
    edges = np.array([(k, (k + 1) % count) for k in ring])
    return Polytope(np.array(loop), [ring, ring[::-1]], np.array([normal, -normal]), edges, np.array([(0, 1)] * count))


def _from(loop: list[int], i: int) -> list[int]:
    """Return the same loop, from another of its points on."""
    k = loop.index(i)
    return loop[k:] + loop[:k]


def _turn(a: tuple[int, ...], b: tuple[int, ...], c: tuple[int, ...], x: int, y: int) -> int:
    """Return a number above zero for a turn to the left."""
    return (b[x] - a[x]) * (c[y] - a[y]) - (b[y] - a[y]) * (c[x] - a[x])


def _thinned(chain: list[int], points: FloatArray, allowed: float) -> list[int]:
    """Return a chain without what is on a straight line between others, to rounding (Ramer, Douglas and Peucker)."""
    if len(chain) < 3:
        return chain
    start, rest = points[chain[0]], points[chain[1:-1]]
    way = points[chain[-1]] - start
    length = float(_lengths(way))
    offsets = rest - start
    asides = _lengths(np.cross(offsets, way)) / length if length > 0.0 else _lengths(offsets)
    far = int(np.argmax(asides))
    if not asides[far] > allowed:
        return [chain[0], chain[-1]]
    return _thinned(chain[: far + 2], points, allowed)[:-1] + _thinned(chain[far + 1 :], points, allowed)


# -- solids ------------------------------------------------------------------------------------------------------------


class _Triangle:
    """A triangle of the hull: corners, counter-clockwise from outside; neighbours across its sides; points beyond."""

    __slots__ = ("beyond", "corners", "farthest", "gone", "limit", "neighbours", "normal", "place", "seen")

    def __init__(self, corners: tuple[int, int, int]) -> None:
        self.corners = corners
        self.neighbours: list[_Triangle] = []
        self.beyond = np.empty(0, dtype=np.intp)
        self.farthest = -1
        self.normal = self.limit = self.place = (0.0, 0.0, 0.0)
        self.gone = False
        self.seen = -1


def _planes(triangles: Sequence[_Triangle], points: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return a corner of each triangle, its normal, and sums of products that bound how far off that is, (n, 3)."""
    a, b, c = points[np.array([triangle.corners for triangle in triangles]).T]
    u, v = b - a, c - a
    uy, vz = u[:, [1, 2, 0]] * v[:, [2, 0, 1]], u[:, [2, 0, 1]] * v[:, [1, 2, 0]]
    return a, uy - vz, np.abs(uy) + np.abs(vz)


def _directions(triangles: Sequence[_Triangle], points: FloatArray, exact: _Exact) -> tuple[FloatArray, FloatArray]:
    """Return the unit normal of each triangle, and twice its area; that of a sliver is noise, and can be zero."""
    _, normals, limits = _planes(triangles, points)
    sizes = _lengths(normals)
    rounded = sizes > _CANCELLED * _lengths(limits) + math.sqrt(_LOST)
    units = normals / np.where(rounded, sizes, 1.0)[:, None]
    for k in np.flatnonzero(~rounded).tolist():
        units[k] = exact.area(triangles[k].corners)
    return units, sizes


def _give(triangles: list[_Triangle], candidates: IntArray, points: FloatArray, exact: _Exact) -> None:
    """Give each point that is beyond a triangle to the first such one; others are inside the hull, for good."""
    a, normals, limits = _planes(triangles, points)
    for triangle, corner, normal, limit in zip(triangles, a.tolist(), normals.tolist(), limits.tolist(), strict=True):
        triangle.place, triangle.normal, triangle.limit = corner, normal, limit
    if not len(candidates):
        return
    offsets = points[candidates] - a[:, None]
    heights = np.einsum("fni,fi->fn", offsets, normals)
    slack = np.einsum("fni,fi->fn", np.abs(offsets), limits) * _DETERMINANT + _LOST
    above = heights > slack
    unsure = ~above & ~(heights < -slack) & ~above.any(axis=0)
    for f, n in zip(*(found.tolist() for found in np.nonzero(unsure)), strict=True):
        above[f, n] = exact.orientation(triangles[f].corners, int(candidates[n])) > 0
    owners = np.where(above.any(axis=0), above.argmax(axis=0), -1)
    for f in set(owners.tolist()) - {-1}:
        own = owners == f
        triangles[f].beyond = candidates[own]
        triangles[f].farthest = int(triangles[f].beyond[int(np.argmax(heights[f, own]))])


def _sees(triangle: _Triangle, i: int, point: Sequence[float], exact: _Exact) -> bool:
    """Tell whether a point is beyond a triangle."""
    (ax, ay, az), (nx, ny, nz), (lx, ly, lz) = triangle.place, triangle.normal, triangle.limit
    x, y, z = point[0] - ax, point[1] - ay, point[2] - az
    height, slack = x * nx + y * ny + z * nz, (abs(x) * lx + abs(y) * ly + abs(z) * lz) * _DETERMINANT + _LOST
    if height > slack:
        return True
    return False if height < -slack else exact.orientation(triangle.corners, i) > 0


def _triangles(points: FloatArray, exact: _Exact, simplex: list[int]) -> list[_Triangle]:
    """Return the triangles of the hull, given four points that are in no plane."""
    i, j, k, top = simplex
    if exact.orientation((i, j, k), top) > 0:
        j, k = k, j
    first = [_Triangle(corners) for corners in ((i, j, k), (i, top, j), (j, top, k), (k, top, i))]
    base, *others = first
    base.neighbours = others
    for n, triangle in enumerate(others):
        triangle.neighbours = [others[n - 1], others[(n + 1) % 3], base]
    _give(first, np.setdiff1d(np.arange(len(points)), simplex), points, exact)
    every, waiting = list(first), list(first)
    while waiting:
        start = waiting.pop()
        if start.gone or start.farthest < 0:
            continue
        point = start.farthest
        place = points[point].tolist()
        seen, edges, start.seen = [start], {}, point
        for triangle in seen:  # which grows meanwhile
            for side, neighbour in enumerate(triangle.neighbours):
                if neighbour.seen == point:
                    continue
                if _sees(neighbour, point, place, exact):
                    neighbour.seen = point
                    seen.append(neighbour)
                else:
                    a, b = triangle.corners[side], triangle.corners[(side + 1) % 3]
                    edges[a] = (b, neighbour, triangle)
        made, by_start = [], {}
        for a, (b, neighbour, triangle) in edges.items():
            new = _Triangle((a, b, point))
            neighbour.neighbours[neighbour.neighbours.index(triangle)] = new
            by_start[a] = new
            new.neighbours = [neighbour]
            made.append(new)
        for new in made:
            new.neighbours.append(by_start[new.corners[1]])
        for new in made:
            by_start[new.corners[1]].neighbours.append(new)
        for triangle in seen:
            triangle.gone = True
        left = np.concatenate([triangle.beyond for triangle in seen])
        _give(made, left[left != point], points, exact)
        every += made
        waiting += made
    return [triangle for triangle in every if not triangle.gone]


def _solid(points: FloatArray, exact: _Exact, simplex: list[int], allowed: float) -> Polytope:
    """Return the hull of points that are in no plane."""
    triangles = _triangles(points, exact, simplex)
    units, sizes = _directions(triangles, points, exact)
    largest = int(np.argmax(sizes))
    across = units[largest]
    if not np.abs((points - points[triangles[largest].corners[0]]) @ across).max() > allowed:
        return _polygon(points, exact, across, allowed)
    loops = _loops(_grouped(triangles, units, sizes, points, allowed))
    while True:
        owners: dict[int, set[int]] = defaultdict(set)
        for face, loop in enumerate(loops):
            for i in loop:
                owners[i].add(face)
        loops = [_straightened(loop, owners, points, allowed) for loop in loops]
        if all(len(loop) > 2 for loop in loops):
            break
        loops = [loop for loop in loops if len(loop) > 2]
    if len(loops) < 4:
        return _polygon(points, exact, across, allowed)
    corners = sorted({i for loop in loops for i in loop})
    number = {i: k for k, i in enumerate(corners)}
    lefts = {(a, b): face for face, loop in enumerate(loops) for a, b in _pairs(loop)}
    edges = sorted((number[a], number[b], lefts[a, b], lefts[b, a]) for a, b in lefts if a < b)
    table = np.array(edges)
    normals = np.array([exact.area(loop) for loop in loops])
    faces = [[number[i] for i in loop] for loop in loops]
    return Polytope(np.array(corners), faces, normals, table[:, :2].copy(), table[:, 2:].copy())


def _pairs(loop: Sequence[int]) -> Iterable[tuple[int, int]]:
    return zip(loop, [*loop[1:], loop[0]], strict=True)


def _straightened(loop: list[int], owners: dict[int, set[int]], points: FloatArray, allowed: float) -> list[int]:
    """Return the corners of a face without those that are on an edge of two faces, to rounding."""
    true = [k for k, i in enumerate(loop) if len(owners[i]) > 2]
    if len(true) < 2:
        return loop
    found = []
    for start, end in zip(true, [*true[1:], true[0] + len(loop)], strict=True):
        chain = [loop[k % len(loop)] for k in range(start, end + 1)]
        backwards = chain[0] > chain[-1]  # both faces thin it the same way
        thinned = _thinned(chain[::-1] if backwards else chain, points, allowed)
        found += (thinned[::-1] if backwards else thinned)[:-1]
    return found


def _grouped(
    triangles: list[_Triangle], units: FloatArray, sizes: FloatArray, points: FloatArray, allowed: float
) -> list[list[tuple[int, int]]]:
    """Return the sides of each face, which is made of triangles that are in one plane to rounding.

    Faces grow from the largest triangles; one that would not be a polygon without holes stays a triangle.
    """
    number = {id(triangle): k for k, triangle in enumerate(triangles)}
    neighbours = [[number[id(other)] for other in triangle.neighbours] for triangle in triangles]
    corners = np.array([triangle.corners for triangle in triangles])
    places = points[corners]
    owner = [-1] * len(triangles)
    borders: list[list[tuple[int, int]]] = []
    for seed in np.argsort(-sizes, kind="stable").tolist():
        if owner[seed] >= 0:
            continue
        normal = units[seed]
        group, waiting = {seed}, [seed]
        while waiting:
            near = [k for k in neighbours[waiting.pop()] if k not in group and owner[k] < 0]
            level = np.abs((places[near] - places[seed, 0]) @ normal).max(axis=1, initial=0.0) <= allowed
            level &= units[near] @ normal >= 0.0  # or the back of a thin slab would be one face with its front
            found = [k for k, is_level in zip(near, level.tolist(), strict=True) if is_level]
            group.update(found)
            waiting += found
        border = _border(group, corners, neighbours)
        if not _is_ring(border):
            group = {seed}
            border = _border(group, corners, neighbours)
        for k in group:
            owner[k] = len(borders)
        borders.append(border)
    return borders


def _border(group: set[int], corners: IntArray, neighbours: list[list[int]]) -> list[tuple[int, int]]:
    """Return the sides of triangles that are no sides of two of them."""
    return [
        (int(corners[k, side]), int(corners[k, (side + 1) % 3]))
        for k in group
        for side in range(3)
        if neighbours[k][side] not in group
    ]


def _is_ring(border: list[tuple[int, int]]) -> bool:
    """Tell whether sides are those of one polygon."""
    after = dict(border)
    if len(after) < len(border):
        return False
    start = at = border[0][0]
    for step in range(len(border)):
        at = after[at]
        if at == start:
            return step == len(border) - 1
    return False


def _loops(borders: list[list[tuple[int, int]]]) -> list[list[int]]:
    """Return the corners of faces in order, each from its first point."""
    loops = []
    for border in borders:
        after, loop = dict(border), [min(a for a, _ in border)]
        while (i := after[loop[-1]]) != loop[0]:
            loop.append(i)
        loops.append(loop)
    return loops
