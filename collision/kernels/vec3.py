"""Vectors of three floats as Numba sees them: plain values that live in registers.

Nothing here allocates and nothing here raises: a division by zero gives infinity or NaN, as in NumPy.
"""

import math
from typing import NamedTuple

import numpy as np

from collision.native import Floats, Singles, kernel

#: Spacing of the doubles just above one, 2.2e-16. Every tolerance is a small multiple of this times a length.
EPS = float(np.finfo(np.float64).eps)


class Vec3(NamedTuple):
    """A point or a vector."""

    x: float
    y: float
    z: float


@kernel
def load(memory: Floats, i: int) -> Vec3:
    """Read a vector from three numbers in memory, from number i on."""
    return Vec3(memory[i], memory[i + 1], memory[i + 2])


@kernel
def store(memory: Floats | Singles, i: int, v: Vec3) -> None:
    """Write a vector to memory as three numbers, from number i on."""
    memory[i] = v.x
    memory[i + 1] = v.y
    memory[i + 2] = v.z


@kernel
def add(a: Vec3, b: Vec3) -> Vec3:
    """Return a + b."""
    return Vec3(a.x + b.x, a.y + b.y, a.z + b.z)


@kernel
def sub(a: Vec3, b: Vec3) -> Vec3:
    """Return a - b."""
    return Vec3(a.x - b.x, a.y - b.y, a.z - b.z)


@kernel
def scale(a: Vec3, s: float) -> Vec3:
    """Return a times the number s."""
    return Vec3(a.x * s, a.y * s, a.z * s)


@kernel
def opposite(a: Vec3) -> Vec3:
    """Return -a, in which zero has no sign."""
    return Vec3(0.0 - a.x, 0.0 - a.y, 0.0 - a.z)


@kernel
def along(a: Vec3, t: float, d: Vec3) -> Vec3:
    """Return a + t d: the point reached from a by going t times along d."""
    return Vec3(a.x + t * d.x, a.y + t * d.y, a.z + t * d.z)


@kernel
def dot(a: Vec3, b: Vec3) -> float:
    """Return the inner product."""
    return a.x * b.x + a.y * b.y + a.z * b.z


@kernel
def cross(a: Vec3, b: Vec3) -> Vec3:
    """Return the cross product."""
    return Vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)


@kernel
def absolute(a: Vec3) -> Vec3:
    """Return the absolute components."""
    return Vec3(abs(a.x), abs(a.y), abs(a.z))


@kernel
def times(a: Vec3, b: Vec3) -> Vec3:
    """Return the products of the components."""
    return Vec3(a.x * b.x, a.y * b.y, a.z * b.z)


@kernel
def largest(a: Vec3) -> float:
    """Return the largest absolute component."""
    return max(abs(a.x), abs(a.y), abs(a.z))


@kernel
def norm(a: Vec3) -> float:
    """Return the Euclidean length, without overflow or underflow on the way."""
    squared = dot(a, a)
    if 1e-280 < squared < 1e280:
        return math.sqrt(squared)
    unit = largest(a)
    if unit == 0.0 or not unit < math.inf:
        return unit
    b = scale(a, 1.0 / unit) if unit > 1e-300 else scale(scale(a, 1e300), 1.0 / (unit * 1e300))
    return unit * math.sqrt(dot(b, b))


@kernel
def over(a: Vec3, length: float) -> Vec3:
    """Return a vector over its length, also where that is so small that what it goes into is no number."""
    if length > 1e-290:
        return scale(a, 1.0 / length)
    b = scale(a, 1e300)
    return scale(b, 1.0 / norm(b))


@kernel
def perpendicular(d: Vec3) -> Vec3:
    """Return a unit vector at a right angle to d; the z axis when d is zero."""
    n = norm(d)
    if n == 0.0:
        return Vec3(0.0, 0.0, 1.0)
    u = Vec3(d.x / n, d.y / n, d.z / n)
    if abs(u.z) <= abs(u.x) and abs(u.z) <= abs(u.y):
        v = Vec3(u.y, -u.x, 0.0)
    elif abs(u.y) <= abs(u.x):
        v = Vec3(-u.z, 0.0, u.x)
    else:
        v = Vec3(0.0, u.z, -u.y)
    return scale(v, 1.0 / norm(v))


@kernel
def _split(a: float) -> float:
    """Return the upper half of a number's digits (Veltkamp); what is left over has no more."""
    c = 134217729.0 * a  # 2^27 + 1
    return c - (c - a)


@kernel
def _product(a: float, b: float) -> tuple[float, float]:
    """Return a b rounded, and what rounding took off (Dekker, *A floating-point technique*, 1971)."""
    p, a_hi, b_hi = a * b, _split(a), _split(b)
    a_lo, b_lo = a - a_hi, b - b_hi
    return p, ((a_hi * b_hi - p) + a_hi * b_lo + a_lo * b_hi) + a_lo * b_lo


@kernel
def _sum(a: float, b: float) -> tuple[float, float]:
    """Return a + b rounded, and what rounding took off (Knuth)."""
    s = a + b
    t = s - a
    return s, (a - (s - t)) + (b - t)


@kernel
def _determinant(a: float, b: float, c: float, d: float) -> float:
    """Return a d - b c to the last bit or so, however much of it cancels."""
    p, p_rest = _product(a, d)
    q, q_rest = _product(b, c)
    first, rest = _sum(p, -q)
    second, last = _sum(p_rest, -q_rest)
    total, more = _sum(first, second)
    return total + (more + (rest + last))


@kernel
def cross_exactly(a: Vec3, b: Vec3) -> Vec3:
    """Return the cross product, also of nearly parallel vectors each component to the last bit or so."""
    return Vec3(_determinant(a.y, a.z, b.y, b.z), _determinant(a.z, a.x, b.z, b.x), _determinant(a.x, a.y, b.x, b.y))
