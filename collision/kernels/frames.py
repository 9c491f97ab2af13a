"""Unit vectors and rotations as the constructors of shapes make them of what is nearly one."""

import math

from collision.kernels.vec3 import EPS, Vec3, along, cross, dot, largest
from collision.native import kernel

#: How far the products of a matrix's columns may be from those of a rotation's, 1 and 0. Float32 leaves 1e-7, six
#: digits leave 2e-6.
ALLOWED = 1e-5

#: What is no farther off keeps its bits: that is what making a rotation, or the product of two, rounds away.
_EXACT = 16.0 * EPS

#: Each step squares what is off: from 1e-5, two come to rounding, and one more makes sure.
_STEPS = 3

#: Lengths that differ from 1 by no more are 1 to rounding.
_UNIT = 3.0 * EPS


@kernel
def unit(v: Vec3) -> Vec3:
    """Return the unit vector along a vector of any size; zero stays, and what is of unit length keeps its bits."""
    most = largest(v)
    if most > 0.0 and abs(math.sqrt(dot(v, v)) - 1.0) > _UNIT:
        v = Vec3(v.x / most, v.y / most, v.z / most)
        length = math.sqrt(dot(v, v))
        return Vec3(v.x / length, v.y / length, v.z / length)
    return v


@kernel
def orthonormalised(x: Vec3, y: Vec3, z: Vec3, allowed: float) -> tuple[Vec3, Vec3, Vec3, bool]:
    """Return the columns of the nearest rotation, and tell whether the vectors are one but for what is allowed.

    The nearest is the orthogonal factor of the polar decomposition, found by the Newton-Schulz iteration: Higham,
    *Functions of Matrices* (2008), section 8.3.
    """
    long = max(abs(dot(x, x) - 1.0), abs(dot(y, y) - 1.0), abs(dot(z, z) - 1.0))
    off, mirrored = max(long, abs(dot(x, y)), abs(dot(y, z)), abs(dot(z, x))), dot(cross(x, y), z) < 0.0
    if _EXACT < off <= allowed:
        for _ in range(_STEPS):
            xy, yz, zx = dot(x, y), dot(y, z), dot(z, x)
            x, y, z = _corrected(x, y, z, xy, zx), _corrected(y, z, x, yz, xy), _corrected(z, x, y, zx, yz)
    return x, y, z, not (off > allowed or mirrored)


@kernel
def _corrected(a: Vec3, b: Vec3, c: Vec3, ab: float, ca: float) -> Vec3:
    """Return a column less half of what it has along itself too much, and along the two others at all."""
    return along(along(along(a, -0.5 * (dot(a, a) - 1.0), a), -0.5 * ab, b), -0.5 * ca, c)
