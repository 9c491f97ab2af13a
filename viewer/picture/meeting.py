"""The curves in which the surfaces of colliding solids meet: without them, one red shape in another is one red area.

Of each pair, the surface of the thinner one is covered with a grid, which is finest where the pair is deepest. The
signed distance from the other shape, an answer of `collision`, has two signs on it, and the curve lies between them.
Where hulls meet what has flat faces, each face cuts others along pieces of straight lines.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias, TypeGuard, cast

import numpy as np

from collision import (
    AABB,
    Capsule,
    Contacts,
    ConvexHull,
    HalfSpace,
    OrientedBox,
    Point,
    Scene,
    Shape,
    Sphere,
    signed_distance,
)
from collision.inner import FloatArray, joined
from viewer.camera.camera import lengths
from viewer.camera.outline import corners_of
from viewer.picture.shapes import Flags
from viewer.records.drawables import Role, ShapeFlags, Stroke

#: Of so many pairs, the deepest, curves are drawn, and the grids of all have so many points: where there is time, and
#: in haste, as while something is dragged, when a step may take some ms.
MOST, _POINTS = (100, 20), (25_000, 4_000)

#: How many pairs are few, whose curves are made as fine again, and how many points each grid has along a side.
FEW, _LEAST, _FINEST = 20, 12, 32

#: How often the place of a curve between two points is halved, before the rest is taken as straight.
_HALVINGS = 6

#: How even the steps of a grid are: 1 for all alike, less for finer ones near the middle.
_EVEN = 0.25

#: Which part of its length a piece is off a curve in its middle where it cuts a corner; how far beside its ends
#: tangents are looked for, as a part of that; the sine of the least angle of a corner; and how near it is to the curve.
_CUT, _NEXT, _SHARP, _ON = 0.03, 0.02, 0.2, 0.003

#: How far beyond where two boxes overlap is looked, as a part of that.
_BEYOND = 0.1

#: The corners of a cell of a grid, in order around it.
_AROUND = np.array([(0, 0), (1, 0), (1, 1), (0, 1)])


class _Rounded(NamedTuple):
    """Surfaces of capsules, over the way along them from end to end, and the way around."""

    start: FloatArray
    length: FloatArray
    radius: FloatArray
    frames: FloatArray

    def points(self, rows: Any, along: FloatArray, around: FloatArray) -> FloatArray:
        """Return the points at some places of the surfaces with these numbers."""
        radius, length, frames = self.radius[rows], self.length[rows], self.frames[rows]
        quarter = 0.5 * math.pi * radius
        straight = (along - quarter).clip(0.0, length)
        turn, angle = (along - straight) / radius, around / radius
        out = np.sin(turn)
        local = np.stack([out * np.cos(angle), out * np.sin(angle), -np.cos(turn)], axis=-1) * radius[..., None]
        local[..., 2] += straight
        return np.asarray(self.start[rows] + np.einsum("...ij,...j->...i", frames, local))


class _Faces(NamedTuple):
    """Surfaces of boxes, six to each, over the two sides of a face."""

    middle: FloatArray
    axes: FloatArray

    def points(self, rows: Any, first: FloatArray, second: FloatArray) -> FloatArray:
        """Return the points at some places of the surfaces with these numbers."""
        axes = self.axes[rows]
        return np.asarray(self.middle[rows] + first[..., None] * axes[..., 0, :] + second[..., None] * axes[..., 1, :])


class _Grid(NamedTuple):
    """Surfaces, and over which places of each a grid lies: from low to high (k, 2), finest at the middle."""

    surfaces: _Rounded | _Faces
    low: FloatArray
    middle: FloatArray
    high: FloatArray


#: What pairs are of, and where the first, the thinner one, is deepest in the second.
_Plain: TypeAlias = Capsule | OrientedBox | HalfSpace | ConvexHull
_Pair: TypeAlias = tuple[_Plain, _Plain, FloatArray]


def meeting_curves(scene: Scene, contacts: Contacts, flags: Flags, *, haste: bool = False) -> list[Stroke]:
    """Return the curves in which solids meet the solids and half-spaces that they collide with.

    Parameters
    ----------
    scene : Scene
        The shapes.
    contacts : Contacts
        Of the scene: those that only touch have no curve.
    flags : ndarray of uint8
        The `ShapeFlags` of every element: what is faded has no curve.
    haste : bool
        Whether the curves of fewer pairs, the deepest, and coarser ones are enough.

    Examples
    --------
    >>> scene = Scene({"ball": Sphere([0, 0, 0], 1), "floor": HalfSpace([0, 0, -0.6], [0, 0, 1])})
    >>> (curve,) = meeting_curves(scene, scene.contacts(), np.zeros(2, np.uint8))
    >>> bool(np.allclose(curve.start[:, 2], -0.6)), bool(np.allclose(np.hypot(*curve.start[:, :2].T), 0.8))
    (True, True)
    """
    some = contacts.deepest(MOST[haste])
    faded = (flags[contacts.pairs[some]] & ShapeFlags.FADED).any(axis=1)
    groups: dict[tuple[type[Shape], type[Shape]], list[_Pair]] = {}
    cuts, cut_widths = [np.zeros((0, 2, 3))], [np.zeros(0)]
    rows = some[~(faded | contacts.only_touching[some])]
    for row in rows.tolist():
        a, b = map(_plain, map(scene.element, contacts.pairs[row].tolist()))
        if a is None or b is None:
            continue
        if _is_flat(a) and _is_flat(b) and isinstance(a if isinstance(a, ConvexHull) else b, ConvexHull):
            with np.errstate(all="ignore"):
                cuts.append(_cuts(_faces_of(a), _faces_of(b)))
            cut_widths.append(np.full(len(cuts[-1]), min(_width(a), _width(b))))
            continue
        first = not isinstance(a, ConvexHull) and (isinstance(b, ConvexHull) or _thickness(a) <= _thickness(b))
        pair = (a, b, contacts.on_a[row]) if first else (b, a, contacts.on_b[row])
        if not isinstance(pair[0], ConvexHull | HalfSpace):
            groups.setdefault((type(pair[0]), type(pair[1])), []).append(pair)
    count = sum(map(len, groups.values()))
    side = int(np.clip(math.sqrt(_POINTS[haste] / max(count, 1)), _LEAST, _FINEST))
    with np.errstate(all="ignore"):  # of what is too large for the arithmetic, no curve is drawn
        finer = 1 if count > (1 if haste else FEW) else 2
        curves = [_curves(pairs, side, finer) for pairs in groups.values()]
    lines = np.concatenate([*cuts, *(some for some, _ in curves)])
    widths = np.concatenate([*cut_widths, *(some for _, some in curves)])
    finite = np.isfinite(lines).all(axis=(1, 2))
    start, end = lines[finite, 0], lines[finite, 1]
    return [Stroke(start, end, Role.MEETING, widths=widths[finite])] if len(start) else []


def _plain(shape: Shape) -> _Plain | None:
    """Return a ball as a capsule without a length, and any box as one that is turned; None for what has no surface."""
    if isinstance(shape, Sphere):
        shape = Capsule(shape.center, shape.center, shape.radius)
    elif isinstance(shape, AABB):
        shape = OrientedBox(shape.center, np.eye(3), shape.half_extents)
    if isinstance(shape, Capsule):
        return shape if shape.radius > 0.0 else None
    if isinstance(shape, OrientedBox):
        return shape if np.count_nonzero(shape.half_extents) > 1 else None
    if isinstance(shape, ConvexHull):
        return shape if shape.polytope.dimension > 1 else None
    return shape if isinstance(shape, HalfSpace) else None


def _is_flat(shape: _Plain) -> TypeGuard[OrientedBox | ConvexHull | HalfSpace]:
    """Tell whether a shape has flat faces and no others."""
    return not isinstance(shape, Capsule) and not (isinstance(shape, ConvexHull) and shape.radius > 0.0)


def _thickness(shape: _Plain) -> float:
    if isinstance(shape, HalfSpace):
        return math.inf
    if isinstance(shape, ConvexHull):
        return float(np.ptp(shape.points, axis=0).min())
    return float(2.0 * (shape.radius if isinstance(shape, Capsule) else shape.half_extents.min()))


def _width(shape: _Plain) -> float:
    """Return how wide a shape looks at least, but for one that is flat and seen from the side."""
    if isinstance(shape, ConvexHull):
        return float(sorted(np.ptp(shape.points, axis=0))[1] + 2.0 * shape.radius)
    return 2.0 * float(sorted(shape.half_extents)[1]) if isinstance(shape, OrientedBox) else _thickness(shape)


class _Flat(NamedTuple):
    """Flat faces: their normals, how high they are along these, and their corners in order, (f, k, 3).

    Where some have fewer corners, the last of these is repeated. That of a half-space has none.
    """

    normals: FloatArray
    heights: FloatArray
    loops: FloatArray


def _faces_of(shape: OrientedBox | ConvexHull | HalfSpace) -> _Flat:
    if isinstance(shape, HalfSpace):
        return _Flat(shape.normal[None], np.array([shape.point @ shape.normal]), np.zeros((1, 0, 3)))
    hull = shape if isinstance(shape, ConvexHull) else ConvexHull(corners_of(shape.flattened())[:, 0])
    found = hull.polytope
    longest = max(map(len, found.faces))
    loops = hull.points[found.corners][[loop + loop[-1:] * (longest - len(loop)) for loop in found.faces]]
    return _Flat(found.normals, np.einsum("fi,fi->f", found.normals, loops[:, 0]), loops)


def _cuts(a: _Flat, b: _Flat) -> FloatArray:
    """Return the pieces (n, 2, 3) of lines along which faces of two shapes cut each other."""
    crossed = np.ones((len(a.normals), len(b.normals)), dtype=bool)
    for one, other, turned in ((a, b, crossed), (b, a, crossed.T)):
        if one.loops.size:
            above = one.loops @ other.normals.T - other.heights
            turned &= (above.min(axis=1) < 0.0) & (above.max(axis=1) > 0.0)
    i, j = np.nonzero(crossed)
    n, m = a.normals[i], b.normals[j]
    way = np.cross(n, m)
    at = np.cross(a.heights[i, None] * m - b.heights[j, None] * n, way) / np.square(way).sum(axis=1, keepdims=True)
    low, high = np.full(len(i), -np.inf), np.full(len(i), np.inf)
    for faces, rows in ((a, i), (b, j)):
        loops = faces.loops[rows]
        inward = np.cross(faces.normals[rows][:, None], np.roll(loops, -1, axis=1) - loops)
        rise = np.einsum("nki,ni->nk", inward, way)
        ends = np.einsum("nki,nki->nk", inward, loops - at[:, None]) / rise  # where the line crosses each side
        low = np.maximum(low, np.where(rise > 0.0, ends, -np.inf).max(axis=1, initial=-np.inf))
        high = np.minimum(high, np.where(rise < 0.0, ends, np.inf).min(axis=1, initial=np.inf))
    rows = np.flatnonzero(low < high)
    return np.asarray(at[rows, None] + np.stack([low, high], axis=1)[rows, :, None] * way[rows, None])


def _curves(pairs: Sequence[_Pair], side: int, finer: int) -> tuple[FloatArray, FloatArray]:
    """Return the pieces (n, 2, 3) of the curves of pairs of the same two kinds, of which the first have the grid.

    And of each, how wide the narrower of its pair looks.
    """
    thinner, others, deepest = zip(*pairs, strict=True)
    first = cast("Capsule | OrientedBox", joined(type(thinner[0]), list(thinner)))
    second = cast("_Plain", joined(type(others[0]), list(others)))
    if isinstance(first, Capsule):
        grid, owner = _over_capsules(first, np.array(deepest)), np.arange(len(pairs))
    else:
        grid, owner = _over_faces(first, second, np.array(deepest)), np.repeat(np.arange(len(pairs)), 6)
        side //= 2
    surfaces = grid.surfaces

    def distance(rows: Any, places: FloatArray) -> FloatArray:
        points = surfaces.points(rows, places[..., 0], places[..., 1])
        return np.asarray(signed_distance(Point(points), second[owner[rows]]))

    steps = np.linspace(-1.0, 1.0, side // 2 * 2 + 1)[:, None]
    steps *= _EVEN + (1.0 - _EVEN) * np.abs(steps)
    reach = np.where(steps < 0.0, (grid.middle - grid.low)[:, None], (grid.high - grid.middle)[:, None])
    ticks = grid.middle[:, None] + steps * reach
    count = len(steps)
    places = np.stack(np.broadcast_arrays(ticks[:, :, None, 0], ticks[:, None, :, 1]), axis=-1)
    values = distance(np.arange(len(ticks))[:, None, None], places)
    # Around a cell, the curve crosses an even number of sides: each two of them are the ends of a piece of it.
    corners = [np.s_[:, i : count - 1 + i, j : count - 1 + j] for i, j in _AROUND.tolist()]
    inside = np.stack([values[corner] < 0.0 for corner in corners], axis=-1)
    row, i, j, edge = np.nonzero(inside != np.roll(inside, -1, axis=-1))
    nodes = [(row * count + i + end[:, 0]) * count + j + end[:, 1] for end in (_AROUND[edge], _AROUND[(edge + 1) % 4])]
    keys, side_of = np.unique(np.minimum(*nodes) * values.size + np.maximum(*nodes), return_inverse=True)
    first_end, last_end = np.divmod(keys, values.size)  # two cells share a side
    low, high = (places.reshape(-1, 2)[nodes] for nodes in (first_end, last_end))
    lines, row = _zero(distance, first_end // count**2, low, high)[side_of].reshape(-1, 2, 2), row[::2]
    for _ in range(finer):
        lines, row = _halved(distance, row, lines, grid)
    widths = np.array([min(_width(a), _width(b)) for a, b, _ in pairs])
    return surfaces.points(row[:, None], lines[..., 0], lines[..., 1]), widths[owner[row]]


def _zero(distance: Any, rows: Any, low: FloatArray, high: FloatArray) -> FloatArray:
    """Return the places between two each at which the distance is zero: it has one sign at each of them."""
    at_low, at_high = distance(rows, low), distance(rows, high)
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        between = distance(rows, middle)
        same = (between < 0.0) == (at_low < 0.0)
        low, high = np.where(same[:, None], middle, low), np.where(same[:, None], high, middle)
        at_low, at_high = np.where(same, between, at_low), np.where(same, at_high, between)
    apart = at_low - at_high
    part = np.divide(at_low, apart, out=np.full_like(apart, 0.5), where=apart != 0.0)
    return np.asarray(low + part[:, None] * (high - low))


def _halved(distance: Any, rows: Any, lines: FloatArray, grid: _Grid) -> tuple[FloatArray, Any]:
    """Return each piece as two, with the point between them on the curve, if that is as near as their length."""
    start, end = lines[:, 0], lines[:, 1]
    middle, way = 0.5 * (start + end), end - start
    beside = 0.8 * np.stack([-way[:, 1], way[:, 0]], axis=1)
    low, high = (place.clip(grid.low[rows], grid.high[rows]) for place in (middle - beside, middle + beside))
    found = (distance(rows, low) < 0.0) != (distance(rows, high) < 0.0)
    off = np.abs(distance(rows, middle)) > _CUT * lengths(way)  # a chord that cuts a corner
    middle[found] = _zero(distance, rows[found], low[found], high[found])
    middle[off] = _cornered(distance, rows[off], lines[off], middle[off], grid)
    return np.stack([start, middle, middle, end], axis=1).reshape(-1, 2, 2), np.repeat(rows, 2)


def _cornered(distance: Any, rows: Any, lines: FloatArray, otherwise: FloatArray, grid: _Grid) -> FloatArray:
    """Return where the tangents at the ends of pieces meet, if that is on the curve, and other places elsewhere.

    Kobbelt, Botsch, Schwanecke and Seidel, *Feature Sensitive Surface Extraction from Volume Data* (2001).
    """
    reach = lengths(lines[:, 1] - lines[:, 0])[:, None]
    ways = _NEXT * reach[:, None] * np.eye(2)
    normals = np.stack(
        [
            np.stack([distance(rows, end + way) - distance(rows, end - way) for way in ways.swapaxes(0, 1)], axis=-1)
            for end in lines.swapaxes(0, 1)
        ],
        axis=1,
    )
    normals /= lengths(normals)[..., None]
    (a, b), (c, d) = np.moveaxis(normals, 0, -1)
    first, last = np.einsum("nki,nki->kn", normals, lines)
    with np.errstate(all="ignore"):
        sine = a * d - b * c
        met = np.stack([d * first - b * last, a * last - c * first], axis=1) / sine[:, None]
    fits = (np.abs(sine) > _SHARP) & np.all((met >= grid.low[rows]) & (met <= grid.high[rows]), axis=1)
    fits &= lengths(met - lines.mean(axis=1)) < reach[:, 0]
    met = np.where(fits[:, None], met, otherwise)
    fits &= np.abs(distance(rows, met)) < _ON * reach[:, 0]
    return np.where(fits[:, None], met, otherwise)


def _over_capsules(capsules: Capsule, deepest: FloatArray) -> _Grid:
    """Return grids over capsules, around where they are deepest in another shape."""
    start, end, radius = capsules.start, capsules.end, capsules.radius
    length = lengths(end - start)
    # A ball has its ends across the way to where it is deepest.
    towards = deepest - start
    aside = np.cross(towards, np.where(np.abs(towards[:, :1]) < 0.7 * radius[:, None], [1.0, 0, 0], [0, 1.0, 0]))
    axis = np.where(length[:, None] > 0.0, end - start, aside)
    axis /= lengths(axis)[:, None]
    x = np.cross(np.where(np.abs(axis[:, :1]) < 0.7, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]), axis)
    x /= lengths(x)[:, None]
    y = np.cross(axis, x)
    up, right, back = (np.einsum("ni,ni->n", towards, way) for way in (axis, x, y))
    quarter = 0.5 * np.pi * radius
    low, high = np.minimum(up, 0.0), np.maximum(up - length, 0.0)
    turns = np.arcsin(((low + high) / radius).clip(-1.0, 1.0))
    along = quarter + up.clip(0.0, length) + radius * turns
    around = radius * np.arctan2(back, right)
    middle = np.stack([along, around], axis=1)
    half = np.pi * radius
    least = np.stack([np.zeros_like(along), around - half], axis=1)
    most = np.stack([2.0 * quarter + length, around + half], axis=1)
    return _Grid(_Rounded(start, length, radius, np.stack([x, y, axis], axis=-1)), least, middle, most)


def _over_faces(boxes: OrientedBox, others: _Plain, deepest: FloatArray) -> _Grid:
    """Return grids over the faces of boxes, each as far as others reach, and a little beyond."""
    center, half, axes = boxes.center, boxes.half_extents, boxes.axes
    low, high = _extents(others, center, axes)
    low, high = np.maximum(low, -half), np.minimum(high, half)
    beyond = _BEYOND * (high - low)
    low, high = np.maximum(low - beyond, -half), np.minimum(high + beyond, half)
    middle = np.einsum("nij,ni->nj", axes, deepest - center).clip(low, high)
    normal = np.repeat(np.arange(3), 2)
    sides = np.stack([(normal + 1) % 3, (normal + 2) % 3], axis=1)
    rows = np.swapaxes(axes, 1, 2)  # the axes one after the other
    out = np.tile([-1.0, 1.0], 3)[:, None] * half[:, normal, None] * rows[:, normal]
    faces = _Faces((center[:, None] + out).reshape(-1, 3), rows[:, sides].reshape(-1, 2, 3))
    return _Grid(faces, *(some[:, sides].reshape(-1, 2) for some in (low, middle, high)))


def _extents(shapes: _Plain, origin: FloatArray, axes: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return how far shapes reach along some axes, the columns of (n, 3, 3), from an origin each."""
    if isinstance(shapes, ConvexHull):
        places = np.einsum("nki,nij->nkj", shapes.points - origin[:, None], axes)
        reach = shapes.radius[:, None]
        return places.min(axis=1) - reach, places.max(axis=1) + reach
    if isinstance(shapes, HalfSpace):
        return np.full_like(origin, -np.inf), np.full_like(origin, np.inf)
    if isinstance(shapes, Capsule):
        ends, reach = (shapes.start, shapes.end), shapes.radius[:, None]
    else:
        ends = shapes.center, shapes.center
        reach = np.einsum("nkj,nk->nj", np.abs(np.swapaxes(shapes.axes, 1, 2) @ axes), shapes.half_extents)
    first, last = (np.einsum("nij,ni->nj", axes, end - origin) for end in ends)
    return np.minimum(first, last) - reach, np.maximum(first, last) + reach
