"""When a moving shape first touches a resting one.

The distance of two convex shapes in straight relative motion is a convex function of time, and its slope is minus the
speed along the normal. Newton's method started before the touch therefore never passes it: each step goes to where the
tangent is zero, and a convex function lies above its tangents. One short loop serves every pair of kinds.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from collision.compile import compiled, quiet
from collision.fields import ArrayLike, BoolArray, FloatArray, read_vector
from collision.separation import RANK, TOUCH
from collision.separation.box import box_box
from collision.separation.cores import (
    ROUNDING,
    Box,
    Linear,
    box_size,
    linear_size,
    load_box,
    load_linear,
)
from collision.separation.linear import linear_box, linear_linear
from collision.separation.point import point_box, point_linear, point_point
from collision.shape import Shape
from collision.vec3 import along, dot, kernel, largest, load, norm, scale, store

_TOUCH = TOUCH  # a plain global: kernels take it as a constant

#: A grazing touch is a double root, where each step only halves the way: 2^-53 of it needs 53 steps.
_STEPS = 80


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
    Conservative advancement with the exact slope: Mirtich, *Impulse-based Dynamic Simulation of Rigid Body Systems*
    (1996), section 2.3, has the idea for bounds on the speed.

    Examples
    --------
    >>> from collision import AABB, Sphere, sweep
    >>> hit = sweep(Sphere([0, 0, 0], 1), AABB([3, -1, -1], [4, 1, 1]), motion=[4, 0, 0])
    >>> float(hit.fraction), hit.point, hit.normal
    (0.5, array([3., 0., 0.]), array([1., 0., 0.]))
    """
    for shape in (a, b):
        if not isinstance(shape, Shape):
            raise TypeError(f"sweep takes two shapes, got {type(shape).__name__}")
    way = read_vector(motion, "sweep.motion")
    first, second = a.core, b.core
    swap = RANK[first.kind] > RANK[second.kind]
    if swap:  # seen from A, it is B that moves, the other way
        first, second = second, first
    kernel_ = _KERNELS[first.kind, second.kind]
    with quiet():
        fraction, point, normal = kernel_(*first.operands, *second.operands, -way if swap else way)
    if swap:
        point, normal = point + np.asarray(fraction)[..., None] * way, -normal
    return Sweep(~np.isnan(fraction), fraction, point, normal)


@kernel
def _advance(s, radius, v, t, size):  # type: ignore[no-untyped-def]
    """Return the time of the next step, or infinity: the way is clear; and whether they touch at the time given."""
    gap = s.distance - radius
    if gap <= 0.0 or (t == 0.0 and gap <= _TOUCH * size):
        return t, True
    closing = dot(s.normal, v)  # how fast the gap shrinks
    if closing <= 0.0:
        return (t, True) if gap <= _TOUCH * size else (math.inf, False)
    following = t + gap / closing
    if gap <= ROUNDING * size:  # near enough; the last step is taken where it is no wild one
        return (following if closing > 1e-3 * norm(v) else t), True
    return following, following == t


@kernel
def _finish(s, t, touch, radius_b, v, size, fraction, point, normal):  # type: ignore[no-untyped-def]
    """Store the answer."""
    length = norm(v)
    room = _TOUCH * size / length if length > 0.0 else 0.0
    if not touch or t > 1.0 + room:
        fraction[0] = math.nan
        for i in range(3):
            point[i] = normal[i] = math.nan
        return
    fraction[0] = min(max(t, 0.0), 1.0)
    # Of thin shapes that meet (crossing segments, a sheet) either side is right; the one that they came from is meant.
    facing = scale(s.normal, -1.0) if t > 0.0 and dot(s.normal, v) < 0.0 else s.normal
    store(point, along(s.on_b, -radius_b, facing))
    store(normal, facing)


@kernel
def _moved_linear(line, t, v):  # type: ignore[no-untyped-def]
    """Return a linear piece after a part of its motion."""
    tip = along(line.tip, t, v) if line.hi < math.inf else line.tip
    return Linear(along(line.origin, t, v), line.direction, tip, line.lo, line.hi)


@kernel
def _moved_box(box, t, v):  # type: ignore[no-untyped-def]
    """Return a box after a part of its motion."""
    return Box(along(box.origin, t, v), box.x, box.y, box.z, box.lo, box.hi)


@compiled("(n),(),(n),(),(n)->(),(n),(n)")
def sweep_point_point(a, ra, b, rb, motion, fraction, point, normal):  # type: ignore[no-untyped-def]
    """Store the first touch of two cores with radii, the first of which moves."""
    first, second = load(a), load(b)
    v, radius = load(motion), ra[0] + rb[0]
    size = max(largest(first), largest(second), radius, largest(v))
    t, touch = 0.0, False
    s = point_point(first, second)
    for _ in range(_STEPS):
        following, touch = _advance(s, radius, v, t, size)
        if touch or following > 2.0:
            t = following
            break
        t = following
        s = point_point(along(first, t, v), second)
    _finish(s, t, touch, rb[0], v, size, fraction, point, normal)


@compiled("(n),(),(n),(n),(),(),(),(n)->(),(n),(n)")
def sweep_point_linear(a, ra, b, tip, lo, hi, rb, motion, fraction, point, normal):  # type: ignore[no-untyped-def]
    """Store the first touch of two cores with radii, the first of which moves."""
    first, second = load(a), load_linear(b, tip, lo[0], hi[0])
    v, radius = load(motion), ra[0] + rb[0]
    size = max(largest(first), linear_size(second), radius, largest(v))
    t, touch = 0.0, False
    s = point_linear(first, second)
    for _ in range(_STEPS):
        following, touch = _advance(s, radius, v, t, size)
        if touch or following > 2.0:
            t = following
            break
        t = following
        s = point_linear(along(first, t, v), second)
    _finish(s, t, touch, rb[0], v, size, fraction, point, normal)


@compiled("(n),(),(n),(n,n),(n),(n),(),(n)->(),(n),(n)")
def sweep_point_box(a, ra, b, axes, lo, hi, rb, motion, fraction, point, normal):  # type: ignore[no-untyped-def]
    """Store the first touch of two cores with radii, the first of which moves."""
    first, second = load(a), load_box(b, axes, lo, hi)
    v, radius = load(motion), ra[0] + rb[0]
    size = max(largest(first), box_size(second), radius, largest(v))
    t, touch = 0.0, False
    s = point_box(first, second)
    for _ in range(_STEPS):
        following, touch = _advance(s, radius, v, t, size)
        if touch or following > 2.0:
            t = following
            break
        t = following
        s = point_box(along(first, t, v), second)
    _finish(s, t, touch, rb[0], v, size, fraction, point, normal)


@compiled("(n),(n),(),(),(),(n),(n),(),(),(),(n)->(),(n),(n)")
def sweep_linear_linear(a, tip_a, lo_a, hi_a, ra, b, tip_b, lo_b, hi_b, rb, motion, fraction, point, normal):  # type: ignore[no-untyped-def]
    """Store the first touch of two cores with radii, the first of which moves."""
    first, second = load_linear(a, tip_a, lo_a[0], hi_a[0]), load_linear(b, tip_b, lo_b[0], hi_b[0])
    v, radius = load(motion), ra[0] + rb[0]
    size = max(linear_size(first), linear_size(second), radius, largest(v))
    t, touch = 0.0, False
    s = linear_linear(first, second)
    for _ in range(_STEPS):
        following, touch = _advance(s, radius, v, t, size)
        if touch or following > 2.0:
            t = following
            break
        t = following
        s = linear_linear(_moved_linear(first, t, v), second)
    _finish(s, t, touch, rb[0], v, size, fraction, point, normal)


@compiled("(n),(n),(),(),(),(n),(n,n),(n),(n),(),(n)->(),(n),(n)")
def sweep_linear_box(a, tip, lo_a, hi_a, ra, b, axes, lo, hi, rb, motion, fraction, point, normal):  # type: ignore[no-untyped-def]
    """Store the first touch of two cores with radii, the first of which moves."""
    first, second = load_linear(a, tip, lo_a[0], hi_a[0]), load_box(b, axes, lo, hi)
    v, radius = load(motion), ra[0] + rb[0]
    size = max(linear_size(first), box_size(second), radius, largest(v))
    t, touch = 0.0, False
    s = linear_box(first, second)
    for _ in range(_STEPS):
        following, touch = _advance(s, radius, v, t, size)
        if touch or following > 2.0:
            t = following
            break
        t = following
        s = linear_box(_moved_linear(first, t, v), second)
    _finish(s, t, touch, rb[0], v, size, fraction, point, normal)


@compiled("(n),(n,n),(n),(n),(),(n),(n,n),(n),(n),(),(n)->(),(n),(n)")
def sweep_box_box(a, axes_a, lo_a, hi_a, ra, b, axes_b, lo_b, hi_b, rb, motion, fraction, point, normal):  # type: ignore[no-untyped-def]
    """Store the first touch of two cores with radii, the first of which moves."""
    first, second = load_box(a, axes_a, lo_a, hi_a), load_box(b, axes_b, lo_b, hi_b)
    v, radius = load(motion), ra[0] + rb[0]
    size = max(box_size(first), box_size(second), radius, largest(v))
    t, touch = 0.0, False
    s = box_box(first, second)
    for _ in range(_STEPS):
        following, touch = _advance(s, radius, v, t, size)
        if touch or following > 2.0:
            t = following
            break
        t = following
        s = box_box(_moved_box(first, t, v), second)
    _finish(s, t, touch, rb[0], v, size, fraction, point, normal)


_KERNELS = {
    ("point", "point"): sweep_point_point,
    ("point", "linear"): sweep_point_linear,
    ("point", "box"): sweep_point_box,
    ("linear", "linear"): sweep_linear_linear,
    ("linear", "box"): sweep_linear_box,
    ("box", "box"): sweep_box_box,
}
