"""The three cores as kernels see them, the record every kernel returns, and how the gufuncs read and write both."""

import math
from typing import Any, NamedTuple

from collision.vec3 import Vec3, add, along, dot, kernel, largest, load, scale, store, sub

#: Two results that differ by less than this many times the size of the pair are the same to rounding. A result is a sum
#: of about a dozen rounded products, each off by at most half of 2.2e-16 times the size.
ROUNDING = 4.0 * 2.220446049250313e-16


class Linear(NamedTuple):
    """The points origin + t direction with lo <= t <= hi; `tip` is the end of a segment, to the last bit."""

    origin: Any
    direction: Any
    tip: Any
    lo: float
    hi: float


class Box(NamedTuple):
    """The points origin + r x + s y + t z with lo <= (r, s, t) <= hi.

    An axis-aligned box has the world's origin and axes, so its corners stay exact; an oriented one has its own center.
    """

    origin: Any
    x: Any
    y: Any
    z: Any
    lo: Any
    hi: Any


class Separation(NamedTuple):
    """What there is to know of two cores: signed distance, witness points, and the unit normal from A to B."""

    distance: float
    on_a: Any
    on_b: Any
    normal: Any


@kernel
def load_linear(origin, tip, lo, hi):  # type: ignore[no-untyped-def]
    """Read a linear piece. `tip` is the far end of a segment (lo, hi = 0, 1), else a direction."""
    start, end = load(origin), load(tip)
    direction = sub(end, start) if hi < math.inf else end
    return Linear(start, direction, end, lo, hi)


@kernel
def load_box(origin, axes, lo, hi):  # type: ignore[no-untyped-def]
    """Read a box; the columns of `axes` are its axes."""
    x = Vec3(axes[0, 0], axes[1, 0], axes[2, 0])
    y = Vec3(axes[0, 1], axes[1, 1], axes[2, 1])
    z = Vec3(axes[0, 2], axes[1, 2], axes[2, 2])
    return Box(load(origin), x, y, z, load(lo), load(hi))


@kernel
def at(line, t):  # type: ignore[no-untyped-def]
    """Return the point of a linear piece at parameter t; both ends of a segment come out exact."""
    if t == 1.0 and line.hi < math.inf:
        return line.tip
    return along(line.origin, t, line.direction)


@kernel
def offset(line, t, p):  # type: ignore[no-untyped-def]
    """Return the vector from p to the point of a linear piece at t.

    It is summed from differences, which are exact where coordinates are large and near each other: far from the origin
    the point itself is rounded more coarsely than its distance from p need be.
    """
    if t == 1.0 and line.hi < math.inf:
        return sub(line.tip, p)
    return along(sub(line.origin, p), t, line.direction)


@kernel
def squared_up(gap, direction, reach):  # type: ignore[no-untyped-def]
    """Return a gap without its component along a direction, if that is only what rounding over the reach leaves."""
    rise, squared = dot(gap, direction), dot(direction, direction)
    if squared > 0.0 and rise * rise <= (ROUNDING * reach) ** 2 * squared:
        return along(gap, -rise / squared, direction)
    return gap


@kernel
def nearest_parameter(line, p):  # type: ignore[no-untyped-def]
    """Return the parameter of the point of a linear piece nearest to p."""
    squared = dot(line.direction, line.direction)
    if squared == 0.0:
        return line.lo
    return min(max(dot(sub(p, line.origin), line.direction) / squared, line.lo), line.hi)


@kernel
def into(box, v):  # type: ignore[no-untyped-def]
    """Take a vector from the world's axes to the box's."""
    return Vec3(dot(v, box.x), dot(v, box.y), dot(v, box.z))


@kernel
def out_of(box, v):  # type: ignore[no-untyped-def]
    """Take a vector from the box's axes to the world's."""
    return add(add(scale(box.x, v.x), scale(box.y, v.y)), scale(box.z, v.z))


@kernel
def to_local(box, p):  # type: ignore[no-untyped-def]
    """Return the coordinates of a point in the box's frame."""
    return into(box, sub(p, box.origin))


@kernel
def to_world(box, q):  # type: ignore[no-untyped-def]
    """Return the point with coordinates q in the box's frame."""
    return add(box.origin, out_of(box, q))


@kernel
def clamp(q, lo, hi):  # type: ignore[no-untyped-def]
    """Return the point of the slab product [lo, hi] nearest to q."""
    return Vec3(min(max(q.x, lo.x), hi.x), min(max(q.y, lo.y), hi.y), min(max(q.z, lo.z), hi.z))


@kernel
def apart(on_a, on_b, distance, normal):  # type: ignore[no-untyped-def]
    """Return the record of two cores; a line of its own so that kernels read as sentences."""
    return Separation(distance, on_a, on_b, normal)


@kernel
def swapped(s):  # type: ignore[no-untyped-def]
    """Return the record with A and B exchanged."""
    return Separation(s.distance, s.on_b, s.on_a, scale(s.normal, -1.0))


@kernel
def linear_size(line):  # type: ignore[no-untyped-def]
    """Return the largest coordinate of a linear piece's ends."""
    size = largest(line.origin)
    return max(size, largest(line.tip)) if line.hi < math.inf else size


@kernel
def box_size(box):  # type: ignore[no-untyped-def]
    """Return a bound on the coordinates of a box's corners that rounding is measured by."""
    return largest(box.origin) + max(largest(box.lo), largest(box.hi))


@kernel
def write(s, size, radius_a, radius_b, signed_distance, scale_out, on_a, on_b, normal):  # type: ignore[no-untyped-def]
    """Grow both cores by their radii and store the record and the size that its rounding is measured by."""
    write_distance(s, size, radius_a, radius_b, signed_distance, scale_out)
    store(on_a, along(s.on_a, radius_a, s.normal))
    store(on_b, along(s.on_b, -radius_b, s.normal))
    store(normal, s.normal)


@kernel
def write_distance(s, size, radius_a, radius_b, signed_distance, scale_out):  # type: ignore[no-untyped-def]
    """Store the signed distance of the grown cores and the size that its rounding is measured by."""
    signed_distance[0] = s.distance - (radius_a + radius_b)
    scale_out[0] = max(size, largest(s.on_a), largest(s.on_b), radius_a, radius_b)
