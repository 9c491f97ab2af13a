"""Where lines, rays and segments pierce shapes: over which interval of its parameter each runs inside a solid."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from collision.base.fields import ArrayLike, BoolArray, FloatArray, IntArray, check_broadcast, refuse, to_float
from collision.kernels.cores import linear_size, read_linear
from collision.kernels.loops import PAIRS, Pair, over_pairs
from collision.kernels.passes import hit_of, limited, pass_of
from collision.kernels.table import CoreRow, for_all_cores
from collision.kernels.vec3 import Vec3, largest, store
from collision.native import Loop, kernel
from collision.queries.separation import separate
from collision.shapes.kinds import Line, Ray, Segment, Shape, no_shape
from collision.shapes.rows import run_pairs


class RayHit(NamedTuple):
    """Where a ray enters a shape.

    Attributes
    ----------
    hit : ndarray of bool, shape (...)
        Whether it does; touching counts.
    enter, exit : ndarray, shape (...)
        Distances along the ray, NaN where it misses. ``enter`` is 0 when the ray starts inside; ``exit`` is infinite
        when it never leaves (a ray along a line).
    point, normal : ndarray, shape (..., 3)
        The entry point and the outward normal there; against the ray's direction when it starts inside. NaN where it
        misses.
    """

    hit: BoolArray
    enter: FloatArray
    exit: FloatArray
    point: FloatArray
    normal: FloatArray


class Crossings(NamedTuple):
    """Where a line, ray or segment crosses a shape's surface.

    Attributes
    ----------
    count : ndarray of int, shape (...)
        0, 1 (it touches, or one end is inside) or 2.
    parameters : ndarray, shape (..., 2)
        In order along the line, NaN where there is none: rates 0 to 1 for a segment, distances for a ray or a line.
    points : ndarray, shape (..., 2, 3)
        NaN where there is none.
    nearest : ndarray, shape (..., 3)
        The point of the line, ray or segment nearest to the shape's center or axis; for a box that it runs through, the
        middle of the part inside. Always filled.
    """

    count: IntArray  # type: ignore[assignment]  # the field, not the method of tuples
    parameters: FloatArray
    points: FloatArray
    nearest: FloatArray


@np.errstate(over="ignore", invalid="ignore")  # near the largest number there may be no answer
def raycast(ray: Ray, shape: Shape, /, *, max_distance: ArrayLike = np.inf) -> RayHit:
    """Return where a ray first meets a shape, as a `RayHit`.

    Parameters
    ----------
    ray : Ray
        One ray or a batch.
    max_distance : array_like, shape (...)
        How far the ray goes, zero or more; what it hits there still counts.

    Notes
    -----
    A ray that starts on the surface hits it there, with ``enter == 0``. Where it leaves, ``exit`` is 0 too, to
    rounding, and the normal is against the ray, as inside; where it goes in, the normal is the outward one. For a ray
    that bounces, leave out what it comes from if ``exit`` is no more than rounding.

    A position at distance t is known to 2.2e-16 t, however near the surface is. Where a ray grazes, the distance is
    known to the root of that only, and the point is on the surface all the same.

    Boxes follow Williams et al., "An efficient and robust ray-box intersection algorithm" (2005); balls and capsules
    have half the chord about the nearest point, and Newton's method for what rounding leaves.

    Examples
    --------
    >>> from collision import Ray, Sphere, raycast
    >>> hit = raycast(Ray([-3, 0, 0], [1, 0, 0]), Sphere([0, 0, 0], 1))
    >>> float(hit.enter), float(hit.exit), hit.normal
    (2.0, 4.0, array([-1.,  0.,  0.]))
    """
    if not isinstance(ray, Ray):
        raise TypeError(f"raycast: the first argument must be a Ray, got {type(ray).__name__}")
    _joint_axes(ray, shape, "raycast")
    limits = to_limits(max_distance, "raycast")
    lead = check_broadcast("raycast", ray=ray.batch_shape, shape=shape.batch_shape, max_distance=limits.shape)
    enter, leave, point, normal = cast(ray, shape, np.broadcast_to(limits, lead))
    return RayHit(~np.isnan(enter)[()], enter[()], leave[()], point, normal)


def cast(
    ray: Ray, shape: Shape, limits: FloatArray, index: tuple[IntArray, IntArray] | None = None
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return where rays, each as long as its limit, enter and leave shapes, points and normals; NaN for a miss."""
    enter, lead = np.array(limits, order="C"), limits.shape
    leave, point, normal = np.empty(lead), np.empty((*lead, 3)), np.empty((*lead, 3))
    run_pairs(HITS[shape.core_type], ray, shape, (enter, leave, point, normal), index=index)
    return enter, leave, point, normal


def to_limits(max_distance: ArrayLike, query: str) -> FloatArray:
    """Check how far rays go: numbers of zero or more, or infinity."""
    limits = to_float(max_distance, f"{query}: max_distance")
    refuse(~(limits >= 0.0), limits, f"{query}: max_distance must be zero or more")
    return limits


def read_limits(max_distance: ArrayLike, lead: tuple[int, ...], query: str) -> FloatArray:
    """Check how far rays go: a number of zero or more, or infinity, or one for each element of the batch axes."""
    limits = to_limits(max_distance, query)
    if not limits.ndim:
        return np.full(lead, limits)  # which takes a tenth of the time
    try:
        return np.broadcast_to(limits, lead)
    except ValueError:
        raise ValueError(f"{query}: max_distance {limits.shape} does not broadcast to the batch axes {lead}") from None


@np.errstate(over="ignore", invalid="ignore")  # near the largest number there may be no answer
def crossings(line: Shape, shape: Shape, /) -> Crossings:
    """Return the points in which a line, a ray or a segment pierces a shape's surface, as `Crossings`.

    Shapes are solid: a segment wholly inside crosses nothing, though it intersects. A segment without length that is on
    the surface crosses it once; one that runs in a face crosses only where its line leaves the face. Methods and
    exactness are those of `raycast`.

    Parameters
    ----------
    line : Line, Ray or Segment
        One or a batch.

    Examples
    --------
    >>> from collision import Segment, Sphere, crossings
    >>> crossings(Segment([-2, 0, 0], [2, 0, 0]), Sphere([0, 0, 0], 1)).parameters
    array([0.25, 0.75])
    """
    if not isinstance(line, Line | Ray | Segment):
        raise TypeError(f"crossings: the first argument must be a Line, Ray or Segment, got {type(line).__name__}")
    lead = _joint_axes(line, shape, "crossings")
    start, end, parameters, points = np.empty(lead), np.empty(lead), np.empty((*lead, 2)), np.empty((*lead, 2, 3))
    run_pairs(PASSES[shape.core_type], line, shape, (start, end, parameters, points))
    count = np.count_nonzero(~np.isnan(parameters), axis=-1)
    return Crossings(np.asarray(count)[()], parameters, points, _nearest(line, shape, start, end))


def _nearest(line: Shape, shape: Shape, start: FloatArray, end: FloatArray) -> FloatArray:
    """Return the point of the line nearest to a shape's core; in a box, the middle of the part inside."""
    nearest = separate(line, shape.without_radius, start.shape).on_a
    if not shape.core.solid:
        return nearest
    origin, tip = line.values().values()
    direction, runs = tip - origin if line.bounded else tip, ~np.isnan(start)
    middle = origin + np.where(runs, 0.5 * start + 0.5 * end, 0.0)[..., None] * direction
    return np.where(runs[..., None], middle, nearest)


def _joint_axes(line: Shape, shape: Shape, query: str) -> tuple[int, ...]:
    """Return the joint batch axes of a line and what it is to meet, which must be a shape."""
    if not isinstance(shape, Shape):
        raise TypeError(f"{query}: the second argument must be a shape, got {no_shape(shape)}")
    return check_broadcast(query, line=line.batch_shape, shape=shape.batch_shape)


def _hits(row: CoreRow) -> Callable[..., None]:
    """Return the loop over rays and shapes with a core; a ray's limit lies where its answer goes."""
    read, size_of, hit_one = row.read, row.size, hit_of(row)

    @kernel
    def store_hit(pair: Pair) -> None:
        enter, leave, point, normal = pair.out[0], pair.out[1], pair.out[2], pair.out[3]
        k = pair.number
        ray, _ = read_linear(*pair.a)
        core, radius = read(*pair.b)
        size = max(largest(ray.origin), size_of(core), radius)
        enter[k], leave[k], at, facing = hit_one(limited(ray, enter[k]), core, radius, size)
        store(point, 3 * k, at)
        store(normal, 3 * k, facing)

    return over_pairs(store_hit)


def _passes(row: CoreRow) -> Callable[..., None]:
    """Return the loop over linear pieces and shapes with a core: the parts inside, and the crossings in order."""
    read, size_of, passing = row.read, row.size, pass_of(row)

    @kernel
    def passes(pair: Pair) -> None:
        start, end, parameters, points = pair.out[0], pair.out[1], pair.out[2], pair.out[3]
        k, nothing = pair.number, Vec3(math.nan, math.nan, math.nan)
        piece, _ = read_linear(*pair.a)
        target, radius = read(*pair.b)
        p = passing(piece, target, radius, max(linear_size(piece), size_of(target), radius))
        one, both = p.enters or p.leaves, p.enters and p.leaves
        start[k], end[k] = p.start, p.end
        parameters[2 * k] = (p.start if p.enters else p.end) if one else math.nan
        parameters[2 * k + 1] = p.end if both else math.nan
        store(points, 6 * k, (p.on_start if p.enters else p.on_end) if one else nothing)
        store(points, 6 * k + 3, p.on_end if both else nothing)

    return over_pairs(passes)


#: The loops for the core type of the shape that is met.
HITS = for_all_cores(lambda row: Loop(f"hits_{row.name}", _hits(row), PAIRS))
PASSES = for_all_cores(lambda row: Loop(f"passes_{row.name}", _passes(row), PAIRS))
