"""The record of a pair (distance, witness points, normal) in NumPy expressions, as well as they can be made.

Vectors are arrays of shape (3, n): operations on a component then run along memory, and numbers need no extra axis.
What only some rows need is done for those alone. Rows can also be taken in blocks that fit the processor's cache.

Only the fields of the shapes are read: nothing here uses the kernels of `collision`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from collision import Capsule, OrientedBox, Shape, Sphere
from collision.base.fields import FloatArray, IntArray

#: Rows to a block, so that temporaries stay in a cache; more where much of the work is for few of the rows.
_BLOCK, _LARGE_BLOCK = 8_192, 32_768

#: What counts as equal, relative to the size of a pair.
_SAME = 1e-12


class Pairs(NamedTuple):
    """Signed distances, points on both and normals of many pairs; vectors are (3, n)."""

    distance: FloatArray
    on_a: FloatArray
    on_b: FloatArray
    normal: FloatArray


class Box(NamedTuple):
    """Boxes: centers (3, n), axes (3, 3, n) whose columns are unit vectors, and half extents (3, n)."""

    center: FloatArray
    axes: FloatArray
    half: FloatArray


def closest_points(a: Shape, b: Shape) -> tuple[FloatArray, ...]:
    """Return signed distances (n,), points on both shapes and normals (n, 3), as `collision.closest_points` does.

    Expressions over whole arrays, as one writes them.
    """
    return _in_blocks(a, b, max(len(a), 1))


def closest_points_in_blocks(a: Shape, b: Shape) -> tuple[FloatArray, ...]:
    """Return the same, a block that fits the cache at a time: as one writes it when it must be fast."""
    return _in_blocks(a, b, _LARGE_BLOCK if isinstance(b, OrientedBox) and not isinstance(a, Sphere) else _BLOCK)


def _in_blocks(a: Shape, b: Shape, block: int) -> tuple[FloatArray, ...]:
    cores, operands = _CORES[type(a), type(b)], [*_operands(a), *_operands(b)]
    radii = [getattr(shape, "radius", np.zeros(len(a))) for shape in (a, b)]
    n = len(a)
    answers = (np.empty(n), np.empty((n, 3)), np.empty((n, 3)), np.empty((n, 3)))
    with np.errstate(all="ignore"):
        for start in range(0, n, block):
            rows = slice(start, start + block)
            columns = [np.ascontiguousarray(np.moveaxis(operand[rows], 0, -1)) for operand in operands]
            found = _grown(cores(*columns), *(radius[rows] for radius in radii))
            for answer, value in zip(answers, found, strict=True):
                answer[rows] = value.T
    return answers


def _operands(shape: Shape) -> list[FloatArray]:
    return [value for name, value in shape.values().items() if name != "radius"]


def _grown(core: Pairs, radius_a: FloatArray, radius_b: FloatArray) -> Pairs:
    """Return the record of cores with radii."""
    return Pairs(
        core.distance - radius_a - radius_b,
        core.on_a + radius_a * core.normal,
        core.on_b - radius_b * core.normal,
        core.normal,
    )


# -- vectors -----------------------------------------------------------------------------------------------------------


def _dot(u: FloatArray, v: FloatArray) -> FloatArray:
    product: FloatArray = u[0] * v[0] + u[1] * v[1] + u[2] * v[2]
    return product


def _cross(u: FloatArray, v: FloatArray) -> FloatArray:
    return np.stack([u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]])


def _into(axes: FloatArray, v: FloatArray) -> FloatArray:
    """Take vectors from the world's axes to these."""
    return np.stack([_dot(axes[:, k], v) for k in range(3)])


def _out_of(axes: FloatArray, v: FloatArray) -> FloatArray:
    """Take vectors from these axes to the world's."""
    turned: FloatArray = axes[:, 0] * v[0] + axes[:, 1] * v[1] + axes[:, 2] * v[2]
    return turned


def _clip(v: FloatArray, half: FloatArray) -> FloatArray:
    return np.minimum(np.maximum(v, -half), half)


def _pick(v: FloatArray, k: IntArray) -> FloatArray:
    """Return component k[i] of vector i, or column k[i] of matrix i when v is (3, 3, n)."""
    picked: FloatArray = np.where(k == 0, v[..., 0, :], np.where(k == 1, v[..., 1, :], v[..., 2, :]))
    return picked


def _between(p: FloatArray, q: FloatArray) -> Pairs:
    """Return the record of points; where they coincide the normal is z."""
    gap = q - p
    distance = np.sqrt(_dot(gap, gap))
    return Pairs(distance, p, q, np.where(distance > 0.0, gap / distance, [[0.0], [0.0], [1.0]]))


# -- points and linear pieces ------------------------------------------------------------------------------------------


def _point_linear(p: FloatArray, start: FloatArray, end: FloatArray) -> Pairs:
    d = end - start
    t = np.clip(_dot(p - start, d) / _dot(d, d), 0.0, 1.0)
    return _between(p, start + t * d)


def _linear_linear(start_a: FloatArray, end_a: FloatArray, start_b: FloatArray, end_b: FloatArray) -> Pairs:
    """Clamp one parameter, solve for the other, clamp that, and solve for the first again (Ericson, 5.1.9)."""
    u, v, w = end_a - start_a, end_b - start_b, start_a - start_b
    uu, vv, uv, uw, vw = _dot(u, u), _dot(v, v), _dot(u, v), _dot(u, w), _dot(v, w)
    determinant = uu * vv - uv * uv
    s = np.where(determinant > 0.0, np.clip((uv * vw - uw * vv) / determinant, 0.0, 1.0), 0.0)
    t = (uv * s + vw) / vv
    clamped = np.clip(t, 0.0, 1.0)
    s = np.where(t != clamped, np.clip((uv * clamped - uw) / uu, 0.0, 1.0), s)
    return _between(start_a + s * u, start_b + clamped * v)


# -- boxes -------------------------------------------------------------------------------------------------------------


def _to_world(core: Pairs, box: Box) -> Pairs:
    """Return a record in the box's frame as one in the world."""
    return Pairs(
        core.distance,
        box.center + _out_of(box.axes, core.on_a),
        box.center + _out_of(box.axes, core.on_b),
        _out_of(box.axes, core.normal),
    )


def _filled(core: Pairs, rows: IntArray, part: Pairs) -> Pairs:
    """Put in some rows what was found for them."""
    for whole, values in zip(core, part, strict=True):
        whole[..., rows] = values
    return core


def _point_box(p: FloatArray, center: FloatArray, axes: FloatArray, half: FloatArray) -> Pairs:
    box = Box(center, axes, half)
    q = _into(axes, p - center)
    core = _between(q, _clip(q, half))
    inside = np.flatnonzero(core.distance == 0.0)
    return _to_world(_filled(core, inside, _out_through_face(q[:, inside], half[:, inside])), box)._replace(on_a=p)


def _out_through_face(q: FloatArray, half: FloatArray) -> Pairs:
    """Return the record of points inside a box: the nearest face is the way out."""
    room = half - np.abs(q)
    k = room.argmin(axis=0)
    outward = np.where(np.arange(3)[:, None] == k, np.where(q < 0.0, -1.0, 1.0), 0.0)
    depth = room.min(axis=0)
    return Pairs(-depth, q, q + depth * outward, -outward)


def _nearest_parameter(o: FloatArray, d: FloatArray, half: FloatArray, first: Any, last: Any) -> FloatArray:
    """Return where on o + t d, first <= t <= last, the nearest point to a box is.

    Half the slope of the squared distance is piecewise linear and rises; the ends and the six places where a coordinate
    enters or leaves its slab bracket its zero.
    """
    t = np.empty((8, o.shape[1]))
    t[:3], t[3:6], t[6], t[7] = (-half - o) / d, (half - o) / d, first, last
    t = np.clip(np.where(np.isfinite(t), t, first), first, last)
    slope = np.zeros_like(t)
    for k in range(3):
        x = o[k] + t * d[k]
        slope += d[k] * (x - np.clip(x, -half[k], half[k]))
    falling, rising = slope < 0.0, slope > 0.0
    below, above = np.where(falling, t, first).max(axis=0), np.where(rising, t, last).min(axis=0)
    fall, rise = np.where(falling, slope, -np.inf).max(axis=0), np.where(rising, slope, np.inf).min(axis=0)
    zero = below + (above - below) * np.where(fall == -np.inf, 0.0, np.where(rise == np.inf, 1.0, fall / (fall - rise)))
    return np.where(np.any(slope == 0.0, axis=0), _middle_of_level(t, slope), zero)


def _middle_of_level(t: FloatArray, slope: FloatArray) -> FloatArray:
    """Return the middle of where the slope is zero."""
    level = slope == 0.0
    middle: FloatArray = 0.5 * np.where(level, t, np.inf).min(axis=0) + 0.5 * np.where(level, t, -np.inf).max(axis=0)
    return middle


def _linear_box(start: FloatArray, end: FloatArray, center: FloatArray, axes: FloatArray, half: FloatArray) -> Pairs:
    o, tip = _into(axes, start - center), _into(axes, end - center)
    q = o + _nearest_parameter(o, tip - o, half, 0.0, 1.0) * (tip - o)
    core = _between(q, _clip(q, half))
    meet = np.flatnonzero(core.distance <= _SAME * half.max(axis=0))
    part = _linear_out_of_box(o[:, meet], tip[:, meet], half[:, meet])
    return _to_world(_filled(core, meet, part), Box(center, axes, half))


def _linear_out_of_box(o: FloatArray, tip: FloatArray, half: FloatArray) -> Pairs:
    """Return the record of segments that enter a box: the way out past a face or past an edge, whichever is shorter."""
    d = tip - o
    m = np.stack([_cross(np.eye(3)[:, k, None], d) for k in range(3)])  # edge, component, row
    m /= np.sqrt((m * m).sum(axis=1, keepdims=True))
    height = (m * o).sum(axis=1)
    depths = np.concatenate(
        [half - np.minimum(o, tip), half + np.maximum(o, tip), (np.abs(m) * half).sum(axis=1) - np.abs(height)]
    )
    depths[np.isnan(depths)] = np.inf
    number, depth = depths.argmin(axis=0), depths.min(axis=0)
    axis = number % 3
    face = np.eye(3)[:, axis] * np.where(number < 3, 1.0, -1.0)
    edge = np.take_along_axis(m, axis[None, None], axis=0)[0] * np.where(_pick(height, axis) < 0.0, -1.0, 1.0)
    outward = np.where(number < 6, face, edge)
    deepest = np.where(_dot(tip - o, outward) < 0.0, tip, o)
    core = Pairs(-depth, deepest.copy(), deepest + depth * outward, -outward)
    past = np.flatnonzero(number >= 6)
    return _filled(core, past, _past_edge(o, tip, half, axis, outward, depth, past))


def _past_edge(
    o: FloatArray, tip: FloatArray, half: FloatArray, axis: IntArray, outward: FloatArray, depth: FloatArray, rows: Any
) -> Pairs:
    """Return the record of segments that leave a box past its edge along an axis."""
    start = np.where(outward[:, rows] < 0.0, -half[:, rows], half[:, rows])
    along = np.arange(3)[:, None] == axis[rows]
    start, end = np.where(along, -half[:, rows], start), np.where(along, half[:, rows], start)
    points = _linear_linear(o[:, rows], tip[:, rows], start, end)
    return Pairs(-depth[rows], points.on_a, points.on_b, -outward[:, rows])


# -- box against box ---------------------------------------------------------------------------------------------------


class Turned(NamedTuple):
    """Box A in the frame of box B: where its center is, its axes (columns), and the half extents of both."""

    o: FloatArray
    axes: FloatArray
    half_a: FloatArray
    half_b: FloatArray

    def rows(self, index: IntArray) -> Turned:
        """Return some of the pairs."""
        return Turned(*(value[..., index] for value in self))

    def place(self, r: FloatArray) -> FloatArray:
        """Return points given in A's axes."""
        return self.o + _out_of(self.axes, r)


def _box_box(
    center_a: FloatArray,
    axes_a: FloatArray,
    half_a: FloatArray,
    center_b: FloatArray,
    axes_b: FloatArray,
    half_b: FloatArray,
) -> Pairs:
    """Try the fifteen axes; along the best, the shortest way out, or the start of a search for the closest points."""
    axes = np.stack([_into(axes_b, axes_a[:, j]) for j in range(3)], axis=1)
    pair = Turned(_into(axes_b, center_a - center_b), axes, half_a, half_b)
    gap, number, normal = _widest_gap(pair)
    n = len(gap)
    core = Pairs(np.empty(n), np.empty((3, n)), np.empty((3, n)), np.empty((3, n)))
    apart, meet = np.flatnonzero(gap > 0.0), np.flatnonzero(gap <= 0.0)
    _filled(core, apart, _approach(pair.rows(apart), normal[:, apart]))
    _filled(core, meet, _box_out_of_box(pair.rows(meet), gap[meet], number[meet], normal[:, meet]))
    return _to_world(core, Box(center_b, axes_b, half_b))


def _widest_gap(pair: Turned) -> tuple[FloatArray, IntArray, FloatArray]:
    """Return the widest gap over the axes (B's, A's, their cross products), the number of its axis, and the normal."""
    o, axes, half_a, half_b = pair
    turns = np.abs(axes)
    in_a = _into(axes, o)
    gaps = np.empty((15, o.shape[1]))
    gaps[:3] = np.abs(o) - half_b - _out_of(turns, half_a)
    gaps[3:6] = np.abs(in_a) - half_a - _into(turns, half_b)
    for i in range(3):
        i1, i2 = (i + 1) % 3, (i + 2) % 3
        for j in range(3):
            j1, j2 = (j + 1) % 3, (j + 2) % 3
            reach_b = half_b[i1] * turns[i2, j] + half_b[i2] * turns[i1, j]
            reach_a = half_a[j1] * turns[i, j2] + half_a[j2] * turns[i, j1]
            sine = np.sqrt(np.maximum(axes[i1, j] ** 2 + axes[i2, j] ** 2, 0.0))
            level = np.abs(o[i2] * axes[i1, j] - o[i1] * axes[i2, j])
            gaps[6 + 3 * i + j] = np.where(sine > _SAME, (level - reach_a - reach_b) / sine, -np.inf)
    number, gap = gaps.argmax(axis=0), gaps.max(axis=0)
    return gap, number, _normal(pair, number)


def _normal(pair: Turned, number: IntArray) -> FloatArray:
    """Return the unit normal, from A to B, along the axis of a number."""
    j, i = np.where(number < 6, number - 3, (number - 6) % 3), np.where(number < 3, number, (number - 6) // 3)
    basis, axis_a = np.eye(3)[:, np.maximum(i, 0)], _pick(pair.axes, j)
    m = np.where(number < 3, basis, np.where(number < 6, axis_a, _cross(basis, axis_a)))
    m = m / np.sqrt(_dot(m, m))
    return np.where(_dot(m, pair.o) > 0.0, -m, m)


def _box_out_of_box(pair: Turned, gap: FloatArray, number: IntArray, normal: FloatArray) -> Pairs:
    """Return the record of boxes that overlap: the deepest vertex at a face, or an edge of each."""
    deepest_a = pair.place(np.where(_into(pair.axes, normal) < 0.0, -pair.half_a, pair.half_a))
    deepest_b = np.where(normal < 0.0, pair.half_b, -pair.half_b)
    on_a = np.where(number < 3, deepest_a, deepest_b - gap * normal)
    core = Pairs(gap, on_a, on_a + gap * normal, normal)
    rows = np.flatnonzero(number >= 6)
    if not len(rows):
        return core
    i, j = (number[rows] - 6) // 3, (number[rows] - 6) % 3
    start_b, end_b = deepest_b[:, rows].copy(), deepest_b[:, rows].copy()
    along_b = np.arange(3)[:, None] == i
    start_b, end_b = (np.where(along_b, s * pair.half_b[:, rows], deepest_b[:, rows]) for s in (-1.0, 1.0))
    half, step = _pick(pair.half_a[:, rows], j), _pick(pair.axes[..., rows], j)
    side = np.where(_dot(step, normal[:, rows]) < 0.0, -1.0, 1.0)
    far = deepest_a[:, rows]
    points = _linear_linear(far - 2.0 * side * half * step, far, start_b, end_b)
    return _filled(core, rows, Pairs(gap[rows], points.on_a, points.on_b, normal[:, rows]))


def _approach(pair: Turned, normal: FloatArray) -> Pairs:
    """Return the closest points of boxes that are apart.

    In turn: the point of A nearest to the point of B, the point of B nearest to that, and the nearest along the edge of
    A that leads there the steepest, until the planes through both points prove that nothing is nearer. Nine in ten
    pairs are done after three rounds; for the others all edges and vertices are tried.
    """
    p = pair.place(np.where(_into(pair.axes, normal) < 0.0, -pair.half_a, pair.half_a))
    core = _between(p, _clip(p, pair.half_b))
    active = np.flatnonzero(~_proven(pair, core))
    for _ in range(3):
        part, q = pair.rows(active), core.on_b[:, active]
        r = _clip(_into(part.axes, q - part.o), part.half_a)
        p = part.place(r)
        step = _between(p, _clip(p, part.half_b))
        proven = _proven(part, step)
        rest = np.flatnonzero(~proven)
        _filled(step, rest, _along_steepest(part.rows(rest), r[:, rest], step.normal[:, rest]))
        proven[rest] = _proven(part.rows(rest), Pairs(*(value[..., rest] for value in step)))
        _filled(core, active, step)
        active = active[~proven]
    return _filled(core, active, _exhaustive(pair.rows(active)))


def _exhaustive(pair: Turned) -> Pairs:
    """Return the nearest over the twelve edges of A against B, and the eight vertices of B against A."""
    found = []
    for k, u, v in np.ndindex(3, 2, 2):
        r = np.insert(np.array([u, v]) * 2.0 - 1.0, k, 0.0)[:, None] * pair.half_a
        start, d, half = pair.place(r), pair.axes[:, k], pair.half_a[k]
        p = start + _nearest_parameter(start, d, pair.half_b, -half, half) * d
        found.append(_between(p, _clip(p, pair.half_b)))
    for corner in np.ndindex(2, 2, 2):
        q = (np.array(corner) * 2.0 - 1.0)[:, None] * pair.half_b
        found.append(_between(pair.place(_clip(_into(pair.axes, q - pair.o), pair.half_a)), q))
    best = np.argmin([core.distance for core in found], axis=0)
    rows = np.arange(len(best))
    return Pairs(*(np.moveaxis(np.stack(part), 0, -2)[..., best, rows] for part in zip(*found, strict=True)))


def _proven(pair: Turned, core: Pairs) -> Any:
    """Tell whether planes at a right angle to the normal prove that no two points are nearer, to rounding."""
    most_a = _dot(core.normal, pair.o) + _dot(np.abs(_into(pair.axes, core.normal)), pair.half_a)
    least_b = -_dot(np.abs(core.normal), pair.half_b)
    return least_b - most_a >= core.distance - _SAME * (core.distance + pair.half_a.max(axis=0))


def _along_steepest(pair: Turned, r: FloatArray, normal: FloatArray) -> Pairs:
    """Return the nearest points on the edge of A through r along which a step towards B gains the most."""
    rise = _into(pair.axes, normal)
    k = np.where(rise > 0.0, rise * (pair.half_a - r), rise * (-pair.half_a - r)).argmax(axis=0)
    start = pair.place(np.where(np.arange(3)[:, None] == k, 0.0, r))
    d, half = _pick(pair.axes, k), _pick(pair.half_a, k)
    p = start + _nearest_parameter(start, d, pair.half_b, -half, half) * d
    return _between(p, _clip(p, pair.half_b))


_CORES: dict[tuple[type[Shape], type[Shape]], Callable[..., Pairs]] = {
    (Sphere, Sphere): _between,
    (Sphere, Capsule): _point_linear,
    (Sphere, OrientedBox): _point_box,
    (Capsule, Capsule): _linear_linear,
    (Capsule, OrientedBox): _linear_box,
    (OrientedBox, OrientedBox): _box_box,
}
