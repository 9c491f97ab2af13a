"""A box with the world's axes against another."""

from collision.kernels.cores import Aligned, Separation
from collision.kernels.point import point_point
from collision.kernels.vec3 import Vec3
from collision.native import kernel


@kernel
def aligned_aligned(a: Aligned, b: Aligned) -> Separation:
    """Return the separation of two boxes with the world's axes: the general kernel's answer without its work."""
    a_lo, a_hi, b_lo, b_hi = a.lo, a.hi, b.lo, b.hi
    px, qx, gap_x = _facing(a_lo.x, a_hi.x, b_lo.x, b_hi.x)
    py, qy, gap_y = _facing(a_lo.y, a_hi.y, b_lo.y, b_hi.y)
    pz, qz, gap_z = _facing(a_lo.z, a_hi.z, b_lo.z, b_hi.z)
    if gap_x > 0.0 or gap_y > 0.0 or gap_z > 0.0:
        return point_point(Vec3(px, py, pz), Vec3(qx, qy, qz))
    widest = max(gap_x, gap_y, gap_z)
    if gap_x == widest:
        side = 1.0 if b_hi.x - a_lo.x >= a_hi.x - b_lo.x else -1.0
        p, normal = Vec3(a_hi.x if side > 0.0 else a_lo.x, py, pz), Vec3(side, 0.0, 0.0)
        q = Vec3(b_lo.x if side > 0.0 else b_hi.x, qy, qz)
    elif gap_y == widest:
        side = 1.0 if b_hi.y - a_lo.y >= a_hi.y - b_lo.y else -1.0
        p, normal = Vec3(px, a_hi.y if side > 0.0 else a_lo.y, pz), Vec3(0.0, side, 0.0)
        q = Vec3(qx, b_lo.y if side > 0.0 else b_hi.y, qz)
    else:
        side = 1.0 if b_hi.z - a_lo.z >= a_hi.z - b_lo.z else -1.0
        p, normal = Vec3(px, py, a_hi.z if side > 0.0 else a_lo.z), Vec3(0.0, 0.0, side)
        q = Vec3(qx, qy, b_lo.z if side > 0.0 else b_hi.z)
    return Separation(widest, p, q, normal)


@kernel
def _facing(a_lo: float, a_hi: float, b_lo: float, b_hi: float) -> tuple[float, float, float]:
    """Return the nearest coordinates of two intervals and the gap between them, negative where they overlap."""
    if a_hi < b_lo:
        return a_hi, b_lo, b_lo - a_hi
    if b_hi < a_lo:
        return a_lo, b_hi, a_lo - b_hi
    middle = 0.5 * max(a_lo, b_lo) + 0.5 * min(a_hi, b_hi)
    return middle, middle, -min(a_hi - b_lo, b_hi - a_lo)
