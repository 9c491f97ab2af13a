"""When a moving shape first touches a resting one."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from collision.base.fields import ArrayLike, BoolArray, FloatArray, IntArray, check_broadcast, read_vector
from collision.kernels import straight
from collision.kernels.core import ROW, SEARCH_ROWS
from collision.kernels.cores import Separation
from collision.kernels.vec3 import Vec3, along, largest
from collision.native import address
from collision.queries.moving import PlacementPath, turning_touches
from collision.queries.separation import separate
from collision.shapes.kinds import AABB, Shape, check_range, check_shapes
from collision.shapes.rows import run_pairs, spread
from collision.shapes.transforms import Transform


class Sweep(NamedTuple):
    """When and where a moving shape first touches a resting one.

    Attributes
    ----------
    hit : ndarray of bool, shape (...)
        Whether it does on the way; touching at the very end counts.
    fraction : ndarray, shape (...)
        The part of the motion done by then, 0 to 1; 0 when they start in touch, NaN for a miss.
    point : ndarray, shape (..., 3)
        Where they touch, at that time; NaN for a miss.
    normal : ndarray, shape (..., 3)
        Unit, from A to B, at that time; NaN for a miss.
    """

    hit: BoolArray
    fraction: FloatArray
    point: FloatArray
    normal: FloatArray


@np.errstate(over="ignore", invalid="ignore")  # near the largest number there may be no answer
def sweep(
    a: Shape,
    b: Shape,
    /,
    *,
    motion: ArrayLike | None = None,
    start: Transform | None = None,
    end: Transform | None = None,
    pivot: ArrayLike | None = None,
    b_start: Transform | None = None,
    b_end: Transform | None = None,
    b_pivot: ArrayLike | None = None,
) -> Sweep:
    """Return the first touch of a shape that moves, turning or not, and one that rests or moves (the time of impact).

    Either a motion is given, or where the shapes are placed at the end; neither or both is a `TypeError`. A
    `ValueError` is raised if scales differ, or both shapes reach to infinity and one turns, as then no bound on their
    speed exists.

    Parameters
    ----------
    motion : array_like, shape (..., 3), optional
        The whole way that `a` goes, in a straight line and without turning.
    start, end : Transform, optional
        The placements of `a`: it goes from ``a.transformed(start)`` to ``a.transformed(end)``; without a start, from
        where it is. Its pivot goes straight and evenly, and it turns evenly about one axis through there, the short way
        round: what is half a turn, about that one of two opposite axes whose largest component is positive. The scale
        must be the same at both.
    pivot : array_like, shape (..., 3), optional
        The point of `a`, before it is placed, that goes straight; the origin of its coordinates without it.
    b_start, b_end, b_pivot : optional
        The same of `b`.

    Notes
    -----
    What starts in touch, or overlapping, is hit at fraction 0 with the normal of the contact, whichever way it goes.
    The motion leads into `b` where ``motion @ normal`` is above zero; where it is not, the shapes part or slide along
    each other, and `b` is not in the way.

    Touching means to be no farther apart than eight units in the last place of the shapes' own largest coordinate or
    radius, however long the motion is. At the fraction returned the point is on both surfaces, and the normal is that
    of the contact, to 1e-13 of that size. The fraction is right to 1e-12, save where shapes graze or meet at a flat
    angle: there it is as exact as a distance of 1e-14 of the size makes it. A position on a motion of length L is known
    to 2e-16 of the part done, ``fraction * L``.

    Where something turns, the time is found by steps that are certain to pass no touch. It is never later than the
    touch by more than rounding. Two shapes that stay within 1e-9 of the way of their fastest point for more than a
    thousand steps, or farther apart for ten thousand, cannot be told from touching: they are reported as a touch at the
    fraction up to which it is certain that there was none. An `AABB` stays aligned with the world as it turns; make it
    an `OrientedBox` to have it turn.

    Along straight lines this is conservative advancement with the exact slope: Mirtich, *Impulse-based Dynamic
    Simulation of Rigid Body Systems* (1996), section 2.3. Where shapes turn, its bounds are those of Zhang, Redon, Lee
    and Kim, "Continuous collision detection for articulated models using Taylor models and temporal culling" (SIGGRAPH
    2007), taken along the normal in the frames of both shapes.

    Examples
    --------
    >>> import numpy as np
    >>> from collision import AABB, Sphere, sweep
    >>> ball, floor, motion = Sphere([0, 0, 2], 1), AABB([-9, -9, -1], [9, 9, 0]), np.array([2.0, 0.0, -2.0])
    >>> hit = sweep(ball, floor, motion=motion)
    >>> float(hit.fraction), hit.point, hit.normal
    (0.5, array([1., 0., 0.]), array([ 0.,  0., -1.]))

    So the ball slides on, and bounces:

    >>> rest = (1.0 - hit.fraction) * motion
    >>> into = max(rest @ hit.normal, 0.0)  # how much of the rest goes into the floor
    >>> rest - into * hit.normal, rest - 2.0 * into * hit.normal
    (array([1., 0., 0.]), array([1., 0., 1.]))
    """
    check_shapes("sweep", a, b)
    if motion is None:
        first = read_course("sweep", a, start, end, pivot)
        second = read_course("sweep", b, b_start, b_end, b_pivot, "b_")
        if first is None and second is None:
            raise TypeError("sweep takes a motion, or the placement of a shape at the end: end, b_end or both")
        return _found(*course_touches(first or a, second or b))
    if any(one is not None for one in (start, end, pivot, b_start, b_end, b_pivot)):
        raise TypeError("sweep takes either a motion or placements, got both")
    way = read_vector(motion, "sweep.motion")
    lead = check_broadcast("sweep", a=a.batch_shape, b=b.batch_shape, motion=way.shape[:-1])
    return _found(*first_touches(a, b, way, lead))


def _found(fraction: FloatArray, point: FloatArray, normal: FloatArray) -> Sweep:
    fraction = fraction[()]
    return Sweep(~np.isnan(fraction), fraction, point, normal)


def first_touches(
    a: Shape, b: Shape, way: FloatArray, lead: tuple[int, ...], index: tuple[IntArray, IntArray] | None = None
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return fractions, points and normals of the first touches of shapes that move and others, NaN for a miss."""
    swap = a.core_type > b.core_type
    if swap:  # seen from A, it is B that moves, the other way
        a, b, index = b, a, index[::-1] if index else None
    fraction, point, normal = np.empty(lead), np.empty((*lead, 3)), np.empty((*lead, 3))
    extra = (np.negative(way) if swap else way,)
    numbers = a.core_type, b.core_type, address(a.row_table), address(b.row_table)
    memory = ROW * SEARCH_ROWS
    run_pairs(straight.LOOP, a, b, (fraction, point, normal), extra=extra, index=index, numbers=numbers, scratch=memory)
    if swap:
        point, normal = point + fraction[..., None] * way, 0.0 - normal
    return fraction, point, normal


def read_course(
    query: str, shape: Shape, start: Transform | None, end: Transform | None, pivot: ArrayLike | None, prefix: str = ""
) -> PlacementPath | None:
    """Return the way of a shape from one placement to another, which are checked; None for one that rests."""
    for name, one in (("start", start), ("end", end)):
        if one is not None and not isinstance(one, Transform):
            raise TypeError(f"{query}: {prefix}{name} must be a Transform, got {type(one).__name__}")
    if end is None:
        for name, value in (("start", start), ("pivot", pivot)):
            if value is not None:
                raise TypeError(f"{query}: {prefix}{name} is given, but no {prefix}end")
        return None
    begin = Transform() if start is None else start
    if np.any(begin.scale != end.scale):
        raise ValueError(
            f"{query}: {prefix}start and {prefix}end must have the same scale, got {begin.scale.tolist()} "
            f"and {end.scale.tolist()}"
        )
    center = np.zeros(3) if pivot is None else read_vector(pivot, f"{query}.{prefix}pivot")
    return PlacementPath(shape, begin, end, center)


def course_touches(
    a: Shape | PlacementPath, b: Shape | PlacementPath, query: str = "sweep"
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return fractions, points and normals of the first touches of shapes that go somewhere or rest, NaN for a miss."""
    lead, turns = _joint(a, b, query)
    turning, straight_on = np.flatnonzero(turns), np.flatnonzero(~turns)
    count = len(turns)
    fraction, point, normal = np.empty(count), np.empty((count, 3)), np.empty((count, 3))
    if len(straight_on):
        fraction[straight_on], point[straight_on], normal[straight_on] = _straight_touches(a, b, lead, straight_on)
    if len(turning):
        fraction[turning], point[turning], normal[turning], _ = turning_touches(a, b, lead, turning)
    return fraction.reshape(lead), point.reshape(*lead, 3), normal.reshape(*lead, 3)


def _joint(a: Shape | PlacementPath, b: Shape | PlacementPath, query: str) -> tuple[tuple[int, ...], BoolArray]:
    """Return the joint batch axes, and whether something turns, for every element of them."""
    axes, shapes = {}, []
    for name, one in (("a", a), ("b", b)):
        shapes.append(one.shape if isinstance(one, PlacementPath) else one)
        axes[name] = shapes[-1].batch_shape
        if isinstance(one, PlacementPath):
            axes[f"the placements of {name}"] = one.batch_shape
    lead = check_broadcast(query, **axes)
    turns = np.zeros(math.prod(lead), dtype=bool)
    for one in (a, b):
        if isinstance(one, PlacementPath):
            turns |= one.turns[spread(one.batch_shape, lead)]
    if isinstance(a, PlacementPath) and isinstance(b, PlacementPath) and turns.any():
        turns &= ~_together(a, b, lead)
    if turns.any() and not any(shape.bounded for shape in shapes):
        kinds = " and a ".join(type(shape).__name__ for shape in shapes)
        raise ValueError(f"{query}: a {kinds} reach to infinity, so that what turns has no bound on its speed")
    return lead, turns


def _together(a: PlacementPath, b: PlacementPath, lead: tuple[int, ...]) -> BoolArray:
    """Return for which pairs both shapes are carried along as one: by the same way, and neither is kept upright."""
    if isinstance(a.shape, AABB) or isinstance(b.shape, AABB):
        return np.zeros(math.prod(lead), dtype=bool)
    one, other = (course.links()[::2][spread(course.batch_shape, lead)] for course in (a, b))
    return np.asarray(np.all(one == other, axis=1))


def _straight_touches(
    a: Shape | PlacementPath, b: Shape | PlacementPath, lead: tuple[int, ...], rows: IntArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the first touches of pairs that do not turn: those of straight motions, seen from B."""
    ways = [one.way() if isinstance(one, PlacementPath) else np.zeros(3) for one in (a, b)]
    own, other = (np.broadcast_to(way, (*lead, 3)).reshape(-1, 3)[rows] for way in ways)
    shapes = [one.at_start() if isinstance(one, PlacementPath) else one for one in (a, b)]
    index = [spread(shape.batch_shape, lead)[rows] for shape in shapes]
    first, second = (shape.flattened() for shape in shapes)
    fraction, point, normal = first_touches(first, second, own - other, rows.shape, (index[0], index[1]))
    return fraction, point + fraction[:, None] * other, normal


class SweepStep(NamedTuple):
    """One step of the search for the first touch.

    Attributes
    ----------
    fraction : float
        The part of the motion done.
    signed_distance : float
        Between the shapes, there.
    on_a, on_b, normal : ndarray, shape (3,)
        As in `collision.closest_points`, there.
    closing : float
        By how much the distance would shrink over the whole motion if it went on shrinking as here.
    """

    fraction: float
    signed_distance: float
    on_a: FloatArray
    on_b: FloatArray
    normal: FloatArray
    closing: float


def sweep_steps(a: Shape, b: Shape, /, *, motion: ArrayLike) -> tuple[SweepStep, ...]:
    """Return the steps by which `sweep` finds the first touch of two single shapes, as a tuple of `SweepStep`.

    The first is at fraction 0, and each goes to where the tangent of the step before is zero. A batch is refused with a
    `ValueError`.

    Parameters
    ----------
    motion : array_like, shape (3,)
        The whole way that `a` goes.

    Examples
    --------
    >>> from collision import Sphere, sweep_steps
    >>> steps = sweep_steps(Sphere([0, 0, 0], 1), Sphere([5, 1, 0], 1), motion=[6, 0, 0])
    >>> [round(step.fraction, 4) for step in steps]
    [0.0, 0.5267, 0.5445, 0.5447, 0.5447]
    """
    way = read_vector(motion, "sweep_steps.motion")
    check_shapes("sweep_steps", a, b)
    for shape in (a, b):
        if shape.batch_shape or way.ndim > 1:
            raise ValueError("sweep_steps takes single shapes and a single motion; pick one of the batch")
    check_range("sweep_steps", a, b)
    radius_a, radius_b = (float(s.core.radius) for s in (a, b))
    size = max(float(separate(a, b, ()).size), radius_a + radius_b)
    v, t, facing, far = Vec3(*way.tolist()), 0.0, Vec3(0.0, 0.0, 0.0), 0.0
    steps = []
    for _ in range(straight.MAX_STEPS):
        record = separate(a.translated(t * way), b, ())
        normal = Vec3(*record.normal.tolist())
        core = Separation(
            float(record.signed_distance) + (radius_a + radius_b),
            along(Vec3(*record.on_a.tolist()), -radius_a, normal),
            along(Vec3(*record.on_b.tolist()), radius_b, normal),
            normal,
        )
        closing = float(record.normal @ way)
        steps.append(SweepStep(t, float(record.signed_distance), record.on_a, record.on_b, record.normal, closing))
        following, touch, facing = straight.advance(core, facing, radius_a + radius_b, v, t, size, far)
        if touch or following > 1.0:
            break
        t, far = following, max(far, largest(core.on_a))
    return tuple(steps)
