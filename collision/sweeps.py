"""When a moving shape first touches a resting one.

The distance of two convex shapes in straight relative motion is a convex function of time, and its slope is minus the
speed along the normal. Newton's method started before the touch therefore never passes it: each step goes to where the
tangent is zero, and a convex function lies above its tangents. One short loop serves every pair of kinds.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from collision.fields import ArrayLike, BoolArray, FloatArray, IntArray, check_broadcast, read_vector
from collision.native import PAIRS, Ints, Loop, Table, kernel, run_pairs
from collision.separation import separate
from collision.separation.cores import ROUNDING, TOUCH, Separation
from collision.separation.table import KERNELS, CoreRow, Rank, Solve, for_all_pairs
from collision.shape import Shape, check_shapes
from collision.vec3 import Vec3, along, dot, largest, load, norm, scale, store, sub

#: A grazing touch is a double root, where each step only halves the way: 2^-53 of it needs 53 steps.
_STEPS = 80

#: Two gaps that differ by less than this times the size differ by rounding: that of two distances and of two motions.
_SAME = 8.0 * ROUNDING

#: The distance of two cores, relative to their size, from which on rounding hardly turns its direction.
_THIN = 1e-6

#: A last step from a gap of rounding goes at most a thousand times as far, nearly all of it sideways, where the cores
#: are so far from each other that this does not matter, and else twenty times as far.
_STEEP, _STEEP_THIN = 1e-3, 0.05


#: Normals that differ by no more are of the same two features.
_ALIKE = 1e-3


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
def sweep(a: Shape, b: Shape, /, *, motion: ArrayLike) -> Sweep:
    """Return the first touch of a shape that moves and one that rests (the time of impact).

    Parameters
    ----------
    a, b : Shape
        Any two kinds; `a` moves and `b` rests. Batch axes broadcast, also with those of the motion.
    motion : array_like, shape (..., 3)
        The whole way that `a` goes, in a straight line and without turning.

    Returns
    -------
    Sweep
        ``.hit``, ``.fraction``, ``.point``, ``.normal``.

    Raises
    ------
    TypeError
        If an argument is no shape.
    ValueError
        If the motion is not finite or not (..., 3), or batch axes do not broadcast.

    Notes
    -----
    What starts in touch, or overlapping, is hit at fraction 0 with the normal of the contact, whichever way it goes.
    The motion leads into `b` where ``motion @ normal`` is above zero; where it is not, the shapes part or slide along
    each other, and `b` is not in the way. The example shows how to slide and to bounce.

    Touching means to be no farther apart than eight units in the last place of the shapes' own largest coordinate or
    radius, however long the motion is: a long one turns no gap into a touch. At the fraction returned the point is on
    both surfaces, and the normal is that of the contact, to 1e-13 of that size. The fraction is right to 1e-12, save
    where shapes graze or meet at a flat angle: there it is as exact as a distance of 1e-14 of the size makes it. A
    place on a motion of length L is known to 2e-16 of the part done, ``fraction * L``, as every product is.

    Conservative advancement with the exact slope: Mirtich, *Impulse-based Dynamic Simulation of Rigid Body Systems*
    (1996), section 2.3, has the idea for bounds on the speed.

    Examples
    --------
    >>> from collision import AABB, Sphere, sweep
    >>> hit = sweep(Sphere([0, 0, 0], 1), AABB([3, -1, -1], [4, 1, 1]), motion=[4, 0, 0])
    >>> float(hit.fraction), hit.point, hit.normal
    (0.5, array([3., 0., 0.]), array([1., 0., 0.]))

    A ball flies to the floor and off it. On its way up it starts in touch with the floor, which is not in its way:

    >>> import numpy as np
    >>> ball, floor, motion = Sphere([0, 0, 2], 1), AABB([-9, -9, -1], [9, 9, 0]), np.array([2.0, 0.0, -2.0])
    >>> hit = sweep(ball, floor, motion=motion)
    >>> ball, rest = ball.translated(hit.fraction * motion), (1.0 - hit.fraction) * motion
    >>> into = max(rest @ hit.normal, 0.0)  # how much of the rest goes into the floor
    >>> slide, bounce = rest - into * hit.normal, rest - 2.0 * into * hit.normal
    >>> slide, bounce
    (array([1., 0., 0.]), array([1., 0., 1.]))
    >>> again = sweep(ball, floor, motion=bounce)
    >>> float(again.fraction), bool(bounce @ again.normal > 0.0)
    (0.0, False)
    """
    check_shapes("sweep", a, b)
    way = read_vector(motion, "sweep.motion")
    lead = check_broadcast("sweep", a=a.batch_shape, b=b.batch_shape, motion=way.shape[:-1])
    fraction, point, normal = first_touches(a, b, way, lead)
    fraction = fraction[()]
    return Sweep(~np.isnan(fraction), fraction, point, normal)


def first_touches(
    a: Shape, b: Shape, way: FloatArray, lead: tuple[int, ...], index: tuple[IntArray, IntArray] | None = None
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return fractions, points and normals of the first touches of shapes that move and others, NaN for a miss.

    `lead` are the joint batch axes; the number of pairs, where an index says which elements of flat batches to pair.
    """
    swap = a.rank > b.rank
    if swap:  # seen from A, it is B that moves, the other way
        a, b, index = b, a, index[::-1] if index else None
    fraction, point, normal = np.empty(lead), np.empty((*lead, 3)), np.empty((*lead, 3))
    extra = (np.negative(way) if swap else way,)
    run_pairs(_LOOPS[a.rank, b.rank], a, b, (fraction, point, normal), extra=extra, index=index)
    if swap:
        point, normal = point + fraction[..., None] * way, -normal
    return fraction, point, normal


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
    """Return the steps by which `sweep` finds the first touch of two single shapes, for an explanation of it.

    Each step goes to where the tangent of the step before is zero. It is `sweep`'s own rule, applied again one step at
    a time; `sweep` itself keeps no record.

    Parameters
    ----------
    a, b : Shape
        Two single shapes; `a` moves and `b` rests.
    motion : array_like, shape (3,)
        The whole way that `a` goes.

    Returns
    -------
    tuple of SweepStep
        The first at fraction 0, the last where the search ended: at the touch, or where the way turned out clear.

    Raises
    ------
    TypeError
        If an argument is no shape.
    ValueError
        If a shape or the motion is a batch, or the motion is not finite or not (3,).

    Notes
    -----
    Distances and normals of each step are as exact as those of `closest_points`; the method is that of `sweep`.

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
    radius_a, radius_b = (float(s.core.operands[-1]) for s in (a, b))
    size = max(*(_size_of(s) for s in (a, b)), radius_a + radius_b)
    v, t, facing, far = Vec3(*way.tolist()), 0.0, Vec3(0.0, 0.0, 0.0), 0.0
    steps = []
    for _ in range(_STEPS):
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
        following, touch, facing = _advance(core, facing, radius_a + radius_b, v, t, size, far)
        if touch or following > 1.0:
            break
        t, far = following, max(far, largest(core.on_a))
    return tuple(steps)


def _size_of(shape: Shape) -> float:
    """Return what rounding is relative to, for one shape at rest."""
    kind, operands = shape.core
    if kind == "box":
        origin, _, lo, hi, _ = operands
        return float(np.abs(origin).max() + max(np.abs(lo).max(), np.abs(hi).max()))
    ends = operands[:2] if shape.bounded and kind == "linear" else operands[:1]
    return float(max(np.abs(end).max() for end in ends))


@kernel
def _advance(
    s: Separation, before: Vec3, radius: float, v: Vec3, t: float, size: float, far: float
) -> tuple[float, bool, Vec3]:
    """Return the time of the next step (infinity: the way is clear), whether they touch at the time given, a normal.

    `before` is the normal of the step before (of none, the zero vector). It is kept where along it the gap would be the
    same to rounding: near the touch of cores without radius there is little of a gap, and its direction is rounding.
    `far` is the largest coordinate so far of where they were nearest: what the step to here may be off by is relative
    to it, and nearly parallel lines can be nearest at a great distance.
    """
    gap, reach = s.distance - radius, max(size, largest(s.on_a))
    at_start = before.x == 0.0 and before.y == 0.0 and before.z == 0.0
    closing, normal = dot(s.normal, v), s.normal  # how fast the gap shrinks
    if not at_start and s.distance <= _THIN * reach:
        normal = s.normal if s.distance * largest(sub(s.normal, before)) > _SAME * reach else before
    room = TOUCH * (size if at_start or t == 1.0 else reach)
    if gap <= room and (at_start or gap <= 0.0 or closing <= 0.0 or t == 1.0):
        return t, True, normal if at_start or dot(normal, v) > 0.0 else before
    if closing <= 0.0:
        # Rounding may have led past the touch, by more the flatter the angle was, or right through what has no
        # thickness: step back and decide there. Else the tangents show that they never came so near.
        earlier = dot(before, v)
        past = earlier > 0.0 and closing < 0.0 and gap * earlier <= -TOUCH * max(reach, far) * closing
        return (t + gap / closing if past else math.inf), False, before
    if gap <= ROUNDING * reach:  # near enough; the last step is taken where it is no wild one
        steep = _STEEP
        if s.distance <= _THIN * reach:
            steep, closing, gap = _STEEP_THIN, dot(normal, v), s.distance * dot(s.normal, normal) - radius
        return (t + gap / closing if closing > steep * norm(v) else t), True, normal
    following = t + gap / closing
    if t < 1.0 < following <= 2.0:  # Newton stays short of the touch: the end of the way decides
        return 1.0, False, normal
    return following, following == t, normal


@kernel
def _settled(there: Vec3, facing: Vec3, v: Vec3) -> Vec3:
    """Return the normal of the touch: the one there, if it is all but that of the approach, which may be from before.

    Of cores without thickness one may have come to the other side of the other, by rounding.
    """
    normal = there if dot(there, facing) >= 0.0 else scale(there, -1.0)
    return normal if largest(sub(normal, facing)) <= _ALIKE and dot(normal, v) >= 0.0 else facing


def straight_search(solve: Solve, moved: Callable[[Any, float, Vec3], Any]) -> Callable[..., Any]:
    """Return the kernel that finds the first touch of two cores, the first of which moves."""

    @kernel
    def search(core_a: Any, core_b: Any, radius: float, v: Vec3, size: float) -> tuple[float, Separation, Vec3]:
        """Return the time of the first touch (NaN for a miss), the separation then, and the normal."""
        t, touch, facing, far = 0.0, False, Vec3(0.0, 0.0, 0.0), 0.0
        s = solve(core_a, core_b)
        for _ in range(_STEPS):
            following, touch, facing = _advance(s, facing, radius, v, t, size, far)
            if touch or following > 1.0:
                if touch and following != t:  # the point is where they are then
                    s = solve(moved(core_a, following, v), core_b)
                t = following
                break
            t, far = following, max(far, largest(s.on_a))
            s = solve(moved(core_a, t, v), core_b)
        if not touch or t > 2.0:
            return math.nan, s, facing
        return min(max(t, 0.0), 1.0), s, _settled(s.normal, facing, v)

    return search


def _sweep(solve: Solve, a: CoreRow, b: CoreRow) -> Callable[..., None]:
    """Return the loop over pairs of two cores with radii, the first of which moves."""
    read_a, size_a, search = a.read, a.size, straight_search(solve, a.moved)
    read_b, size_b = b.read, b.size

    def loop(
        first: int, last: int, indexed: int, ta: Table, sa: Ints, ia: Ints, tb: Table, sb: Ints, ib: Ints,
        motion: Table, step: Ints, out: Table,
    ) -> None:  # fmt: skip
        fraction, point, normal = out[0], out[1], out[2]
        for k in range(first, last):
            i, j = (ia[k], ib[k]) if indexed else (k, k)
            core_a, radius_a = read_a(ta, sa, i)
            core_b, radius_b = read_b(tb, sb, j)
            v, radius = load(motion[0], k * step[0]), radius_a + radius_b
            size = max(size_a(core_a), size_b(core_b), radius)
            t, s, facing = search(core_a, core_b, radius, v, size)
            fraction[k] = t
            hit = t >= 0.0
            nowhere = Vec3(math.nan, math.nan, math.nan)
            store(point, 3 * k, along(s.on_b, -radius_b, s.normal) if hit else nowhere)
            store(normal, 3 * k, facing if hit else nowhere)

    return loop


def _loop(name: str, solve: Solve, a: CoreRow, b: CoreRow) -> Loop:
    return Loop(f"sweep_{name}", _sweep(solve, a, b), PAIRS)


#: The loops for two cores by their ranks; boxes with the world's axes are swept as any others.
_LOOPS = for_all_pairs(_loop, {pair: solve for pair, solve in KERNELS.items() if Rank.ALIGNED not in pair})
