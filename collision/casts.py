"""Where lines, rays and segments pierce shapes.

One question lies under both functions: over which interval of its parameter does a straight line run inside a solid?
The kernels of `collision.separation.chords` answer it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from collision.fields import ArrayLike, BoolArray, FloatArray, IntArray, check_broadcast, first_bad, to_float
from collision.native import PAIRS, Ints, Loop, Table, run_pairs
from collision.separation import separate
from collision.separation.cores import read_linear
from collision.separation.dispatch import carrier, chord_of
from collision.separation.table import CoreRow, for_all_cores
from collision.shape import Shape, no_shape
from collision.shapes import Capsule, Line, Point, Ray, Segment
from collision.vec3 import store


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
    """Return where a ray first meets a shape.

    Parameters
    ----------
    ray : Ray
        One ray or a batch.
    shape : Shape
        Any kind; batch axes broadcast with the ray's.
    max_distance : array_like, shape (...)
        How far the ray goes; what it hits there still counts. One number, or one for each pair.

    Returns
    -------
    RayHit
        ``.hit``, ``.enter``, ``.exit``, ``.point``, ``.normal``.

    Raises
    ------
    TypeError
        If the first argument is no Ray or the second no shape.
    ValueError
        If batch axes do not broadcast, or a distance is negative or NaN.

    Notes
    -----
    A ray that starts on the surface hits it there, with ``enter == 0``, whichever way it goes. Where it leaves,
    ``exit`` is 0 too, to rounding, and the normal is against the ray, as inside; where it goes in, the normal is the
    outward one. For a ray that bounces, leave out what it comes from if ``exit`` is no more than rounding.

    Examples
    --------
    >>> from collision import Ray, Sphere, raycast
    >>> hit = raycast(Ray([-3, 0, 0], [1, 0, 0]), Sphere([0, 0, 0], 1))
    >>> float(hit.enter), float(hit.exit), hit.normal
    (2.0, 4.0, array([-1.,  0.,  0.]))
    >>> leaving = raycast(Ray([-1, 0, 0], [-1, 0, 0]), Sphere([0, 0, 0], 1))  # what bounces off starts in touch
    >>> bool(leaving.hit), float(leaving.enter), float(leaving.exit), float(leaving.normal[0])
    (True, 0.0, 0.0, 1.0)
    """
    if not isinstance(ray, Ray):
        raise TypeError(f"raycast: the first argument must be a Ray, got {type(ray).__name__}")
    found = _interval(ray, shape, "raycast")
    limits = read_limits(max_distance, found[0].shape, "raycast")
    enter, leave, normal = entered(ray.direction, *found, limits)
    point = ray.origin + enter[..., None] * ray.direction
    return RayHit(~np.isnan(enter)[()], enter[()], leave[()], point, normal)


def entered(
    direction: FloatArray,
    first: FloatArray,
    last: FloatArray,
    normal: FloatArray,
    tolerance: FloatArray,
    limits: FloatArray,
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return where rays enter and leave, and the normals there, NaN for a miss.

    Parameters
    ----------
    direction : ndarray, shape (..., 3)
        Of the rays.
    first, last, normal, tolerance : ndarray
        As from `intervals`.
    limits : ndarray
        How far the rays go.
    """
    enter, leave = np.maximum(first, 0.0), np.maximum(last, 0.0)
    hit = (last >= -tolerance) & (enter <= limits)
    outward = np.where((first < -tolerance)[..., None], -direction, normal)
    return np.where(hit, enter, np.nan), np.where(hit, leave, np.nan), np.where(hit[..., None], outward, np.nan)


def read_limits(max_distance: ArrayLike, lead: tuple[int, ...], query: str) -> FloatArray:
    """Check how far rays go: a number of zero or more, or infinity, or one for each element of the batch axes."""
    limits = to_float(max_distance, f"{query}: max_distance")
    if not (limits >= 0.0).all():
        raise ValueError(f"{query}: max_distance must be zero or more, got {first_bad(~(limits >= 0.0), limits)}")
    try:
        return np.broadcast_to(limits, lead)
    except ValueError:
        raise ValueError(f"{query}: max_distance {limits.shape} does not broadcast to the batch axes {lead}") from None


@np.errstate(over="ignore", invalid="ignore")  # near the largest number there may be no answer
def crossings(line: Shape, shape: Shape, /) -> Crossings:
    """Return the points in which a line, a ray or a segment pierces a shape's surface.

    Shapes are solid: a segment wholly inside crosses nothing, though it intersects.

    Parameters
    ----------
    line : Line, Ray or Segment
        One or a batch.
    shape : Shape
        Any kind; batch axes broadcast.

    Returns
    -------
    Crossings
        ``.count``, ``.parameters``, ``.points``, ``.nearest``.

    Raises
    ------
    TypeError
        If the first argument is of another kind or the second no shape.
    ValueError
        If batch axes do not broadcast.

    Examples
    --------
    >>> from collision import Segment, Sphere, crossings
    >>> crossings(Segment([-2, 0, 0], [2, 0, 0]), Sphere([0, 0, 0], 1)).parameters
    array([0.25, 0.75])
    >>> int(crossings(Segment([-2, 1, 0], [2, 1, 0]), Sphere([0, 0, 0], 1)).count)  # tangent
    1
    """
    if not isinstance(line, Line | Ray | Segment):
        raise TypeError(f"crossings: the first argument must be a Line, Ray or Segment, got {type(line).__name__}")
    first, last, _, tolerance = _interval(line, shape, "crossings")
    origin, tip, lo, hi, _ = line.core.operands
    ends = np.stack([first, last], axis=-1)
    room = tolerance[..., None]
    within = (ends >= lo - room) & (ends <= hi + room) & np.isfinite(ends)
    within[..., 1] &= last > first  # a tangent is one crossing
    ends = np.where(within, np.clip(ends, lo, hi), np.nan)
    ends = np.where(within[..., :1] | ~within[..., 1:], ends, ends[..., ::-1])  # the only one comes first
    direction = tip - origin if line.bounded else tip
    points = origin[..., None, :] + ends[..., None] * direction[..., None, :]
    if line.bounded:
        points = np.where((ends == 1.0)[..., None], tip[..., None, :], points)
    return Crossings(within.sum(axis=-1), ends, points, _nearest(line, shape, first, last))


def _nearest(line: Shape, shape: Shape, first: FloatArray, last: FloatArray) -> FloatArray:
    """Return the point of the line nearest to a shape's core; in a box, the middle of the part inside."""
    kind, operands = shape.core
    if kind == "point":
        shape = Point(operands[0])
    elif isinstance(shape, Capsule):
        shape = Segment(shape.start, shape.end)
    nearest = separate(line, shape, first.shape).on_a
    if kind != "box":
        return nearest
    origin, tip, lo, hi, _ = line.core.operands
    start, end = np.clip(first, lo, hi), np.clip(last, lo, hi)
    runs = (first <= hi) & (last >= lo) & np.isfinite(start) & np.isfinite(end)
    direction = tip - origin if line.bounded else tip
    middle = origin + (0.5 * np.where(runs, start, 0.0) + 0.5 * np.where(runs, end, 0.0))[..., None] * direction
    return np.where(runs[..., None], middle, nearest)


def _interval(line: Shape, shape: Shape, query: str) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return the interval of the carrier inside the shape, the entry normal, and what rounding amounts to in it."""
    if not isinstance(shape, Shape):
        raise TypeError(f"{query}: the second argument must be a shape, got {no_shape(shape)}")
    return intervals(line, shape, check_broadcast(query, line=line.batch_shape, shape=shape.batch_shape))


def intervals(
    line: Shape, shape: Shape, lead: tuple[int, ...], index: tuple[IntArray, IntArray] | None = None
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return first and last distances inside shapes, the entry normals, and what rounding amounts to in the distances.

    `lead` are the joint batch axes; the number of pairs, where an index says which elements of flat batches to pair.
    """
    first, last, normal, tolerance = np.empty(lead), np.empty(lead), np.empty((*lead, 3)), np.empty(lead)
    run_pairs(LOOPS[shape.rank], line, shape, (first, last, normal, tolerance), index=index)
    return first, last, normal, tolerance


def _cast(row: CoreRow) -> Callable[..., None]:
    """Return the loop over the carriers of linear pieces and shapes with a core."""
    chord_in = chord_of(row)

    def loop(
        start: int,
        end: int,
        indexed: int,
        ta: Table,
        sa: Ints,
        ia: Ints,
        tb: Table,
        sb: Ints,
        ib: Ints,
        more: Table,
        steps: Ints,
        out: Table,
    ) -> None:
        enter, leave, normal, tolerance = out[0], out[1], out[2], out[3]
        for k in range(start, end):
            i, j = (ia[k], ib[k]) if indexed else (k, k)
            piece, _ = read_linear(ta, sa, i)
            enter[k], leave[k], facing, tolerance[k] = chord_in(carrier(piece), tb, sb, j)
            store(normal, 3 * k, facing)

    return loop


#: The loops for the rank of the shape that is hit.
LOOPS = for_all_cores(lambda row: Loop(f"cast_{row.name}", _cast(row), PAIRS))
