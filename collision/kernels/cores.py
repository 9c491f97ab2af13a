"""The three cores as kernels see them, how they are read from memory, and the record every kernel returns."""

import math
from typing import NamedTuple

from collision.kernels.vec3 import Vec3, absolute, add, along, dot, largest, load, scale, store, sub
from collision.native import Floats, Ints, Table, kernel

#: Two results that differ by less than this many times the size of the pair are the same to rounding. A result is a sum
#: of about a dozen rounded products, each off by at most half of 2.2e-16 times the size.
ROUNDING = 4.0 * 2.220446049250313e-16


#: Touching counts as intersecting, and shapes meet "exactly" only to rounding: of their coordinates, which a user gives
#: in decimals, and of the result. Both are a few ulp of the largest number given; this is eight of them.
TOUCH = 8.0 * 2.220446049250313e-16


class Linear(NamedTuple):
    """The points origin + t direction with lo <= t <= hi; `tip` is the end of a segment, to the last bit."""

    origin: Vec3
    direction: Vec3
    tip: Vec3
    lo: float
    hi: float


class Box(NamedTuple):
    """The points origin + r x + s y + t z with lo <= (r, s, t) <= hi; an axis-aligned box has the world's frame."""

    origin: Vec3
    x: Vec3
    y: Vec3
    z: Vec3
    lo: Vec3
    hi: Vec3


class Aligned(NamedTuple):
    """A box with the world's axes, by its corners."""

    lo: Vec3
    hi: Vec3


class Separation(NamedTuple):
    """What there is to know of two cores: signed distance, witness points, and the unit normal from A to B."""

    distance: float
    on_a: Vec3
    on_b: Vec3
    normal: Vec3


@kernel
def read_point(table: Table, strides: Ints, i: int) -> tuple[Vec3, float]:
    """Read element i of the operands of a point core: the point and the radius."""
    return load(table[0], i * strides[0]), table[1][i * strides[1]]


@kernel
def read_linear(table: Table, strides: Ints, i: int) -> tuple[Linear, float]:
    """Read element i of the operands of a linear core: the piece and the radius."""
    line = linear(
        load(table[0], i * strides[0]),
        load(table[1], i * strides[1]),
        table[2][i * strides[2]],
        table[3][i * strides[3]],
    )
    return line, table[4][i * strides[4]]


@kernel
def linear(start: Vec3, tip: Vec3, lo: float, hi: float) -> Linear:
    """Return a linear piece; `tip` is the far end of a segment (lo, hi = 0, 1), else a direction.

    A segment so short that the square of its length is no number above zero is a point.
    """
    direction = sub(tip, start) if hi < math.inf else tip
    if dot(direction, direction) == 0.0:
        direction = Vec3(0.0, 0.0, 0.0)
    return Linear(start, direction, tip, lo, hi)


@kernel
def read_box(table: Table, strides: Ints, i: int) -> tuple[Box, float]:
    """Read element i of the operands of a box core; in place of a radius stands the sign of the lower corner."""
    axes, k = table[1], i * strides[1]
    x = Vec3(axes[k], axes[k + 3], axes[k + 6])
    y = Vec3(axes[k + 1], axes[k + 4], axes[k + 7])
    z = Vec3(axes[k + 2], axes[k + 5], axes[k + 8])
    lo, hi = scale(load(table[2], i * strides[2]), table[4][0]), load(table[3], i * strides[3])
    return Box(load(table[0], i * strides[0]), x, y, z, lo, hi), 0.0


@kernel
def read_aligned(table: Table, strides: Ints, i: int) -> tuple[Aligned, float]:
    """Read element i of the operands of a box with the world's axes: its corners and no radius."""
    return Aligned(load(table[2], i * strides[2]), load(table[3], i * strides[3])), 0.0


@kernel
def load_linear(numbers: Floats, k: int) -> Linear:
    """Read a linear core from its row, which begins at number k."""
    return Linear(load(numbers, k), load(numbers, k + 3), load(numbers, k + 6), numbers[k + 9], numbers[k + 10])


@kernel
def store_linear(numbers: Floats, k: int, line: Linear) -> None:
    """Write the row of a linear core."""
    store(numbers, k, line.origin)
    store(numbers, k + 3, line.direction)
    store(numbers, k + 6, line.tip)
    numbers[k + 9], numbers[k + 10] = line.lo, line.hi


@kernel
def load_box(numbers: Floats, k: int) -> Box:
    """Read a box from its row."""
    x, y, z = load(numbers, k + 3), load(numbers, k + 6), load(numbers, k + 9)
    return Box(load(numbers, k), x, y, z, load(numbers, k + 12), load(numbers, k + 15))


@kernel
def store_box(numbers: Floats, k: int, box: Box) -> None:
    """Write the row of a box."""
    store(numbers, k, box.origin)
    store(numbers, k + 3, box.x)
    store(numbers, k + 6, box.y)
    store(numbers, k + 9, box.z)
    store(numbers, k + 12, box.lo)
    store(numbers, k + 15, box.hi)


@kernel
def load_aligned(numbers: Floats, k: int) -> Aligned:
    """Read a box with the world's axes from its row."""
    return Aligned(load(numbers, k + 12), load(numbers, k + 15))


@kernel
def store_aligned(numbers: Floats, k: int, box: Aligned) -> None:
    """Write the row of a box with the world's axes, which any box is read from as well."""
    x, y, z = Vec3(1.0, 0.0, 0.0), Vec3(0.0, 1.0, 0.0), Vec3(0.0, 0.0, 1.0)
    store_box(numbers, k, Box(Vec3(0.0, 0.0, 0.0), x, y, z, box.lo, box.hi))


@kernel
def at(line: Linear, t: float) -> Vec3:
    """Return the point of a linear piece at parameter t; both ends of a segment come out exact."""
    if t == 1.0 and line.hi < math.inf:
        return line.tip
    return along(line.origin, t, line.direction)


@kernel
def offset(line: Linear, t: float, p: Vec3) -> Vec3:
    """Return the vector from p to the point of a linear piece at t, summed from differences, exact far out, too."""
    if t == 1.0 and line.hi < math.inf:
        return sub(line.tip, p)
    return along(sub(line.origin, p), t, line.direction)


@kernel
def squared_up(gap: Vec3, direction: Vec3, reach: float) -> Vec3:
    """Return a gap without its component along a direction, if that is only what rounding over the reach leaves."""
    rise, squared = dot(gap, direction), dot(direction, direction)
    if squared > 0.0:
        t = rise / squared
        if t * rise <= (ROUNDING * reach) ** 2:  # squares of lengths: a higher power might be no number
            return along(gap, -t, direction)
    return gap


@kernel
def nearest_parameter(line: Linear, p: Vec3) -> float:
    """Return the parameter of the point of a linear piece nearest to p."""
    squared = dot(line.direction, line.direction)
    if squared == 0.0:
        return line.lo
    t = dot(sub(p, line.origin), line.direction) / squared
    return min(max(t, line.lo), line.hi)


@kernel
def into(box: Box, v: Vec3) -> Vec3:
    """Take a vector from the world's axes to the box's."""
    return Vec3(dot(v, box.x), dot(v, box.y), dot(v, box.z))


@kernel
def out_of(box: Box, v: Vec3) -> Vec3:
    """Take a vector from the box's axes to the world's."""
    return add(add(scale(box.x, v.x), scale(box.y, v.y)), scale(box.z, v.z))


@kernel
def to_local(box: Box, p: Vec3) -> Vec3:
    """Return the coordinates of a point in the box's frame."""
    return into(box, sub(p, box.origin))


@kernel
def to_world(box: Box, q: Vec3) -> Vec3:
    """Return the point with coordinates q in the box's frame."""
    return add(box.origin, out_of(box, q))


@kernel
def clamp(q: Vec3, lo: Vec3, hi: Vec3) -> Vec3:
    """Return the point of the slab product [lo, hi] nearest to q."""
    return Vec3(min(max(q.x, lo.x), hi.x), min(max(q.y, lo.y), hi.y), min(max(q.z, lo.z), hi.z))


@kernel
def swapped(s: Separation) -> Separation:
    """Return the record with A and B exchanged."""
    return Separation(s.distance, s.on_b, s.on_a, scale(s.normal, -1.0))


@kernel
def linear_size(line: Linear) -> float:
    """Return the largest coordinate of a linear piece's ends."""
    size = largest(line.origin)
    return max(size, largest(line.tip)) if line.hi < math.inf else size


@kernel
def box_size(box: Box) -> float:
    """Return a bound on the coordinates of a box's corners that rounding is measured by."""
    return largest(box.origin) + max(largest(box.lo), largest(box.hi))


@kernel
def aligned_size(box: Aligned) -> float:
    """Return the largest coordinate of the corners of a box with the world's axes."""
    return max(largest(box.lo), largest(box.hi))


@kernel
def middle_of(box: Box) -> Vec3:
    """Return the coordinates of a box's center in its frame."""
    return add(scale(box.lo, 0.5), scale(box.hi, 0.5))


@kernel
def half_of(box: Box) -> Vec3:
    """Return the half extents of a box."""
    return sub(scale(box.hi, 0.5), scale(box.lo, 0.5))


@kernel
def linear_corners(line: Linear) -> tuple[Vec3, Vec3]:
    """Return the smallest and the largest coordinates of a linear piece, infinite for one without an end."""
    if line.hi == math.inf:
        return Vec3(-math.inf, -math.inf, -math.inf), Vec3(math.inf, math.inf, math.inf)
    a, b = line.origin, line.tip
    return Vec3(min(a.x, b.x), min(a.y, b.y), min(a.z, b.z)), Vec3(max(a.x, b.x), max(a.y, b.y), max(a.z, b.z))


@kernel
def box_corners(box: Box) -> tuple[Vec3, Vec3]:
    """Return the smallest and the largest coordinates of a box."""
    x, y, z = absolute(box.x), absolute(box.y), absolute(box.z)
    middle, half = to_world(box, middle_of(box)), half_of(box)
    reach = add(add(scale(x, half.x), scale(y, half.y)), scale(z, half.z))
    return sub(middle, reach), add(middle, reach)


@kernel
def point_corners(p: Vec3) -> tuple[Vec3, Vec3]:
    """Return a point twice: its smallest and its largest coordinates."""
    return p, p


@kernel
def aligned_corners(box: Aligned) -> tuple[Vec3, Vec3]:
    """Return the smallest and the largest coordinates of a box with the world's axes."""
    return box.lo, box.hi


@kernel
def moved_linear(line: Linear, t: float, v: Vec3) -> Linear:
    """Return a linear piece after a part of its motion."""
    tip = along(line.tip, t, v) if line.hi < math.inf else line.tip
    return Linear(along(line.origin, t, v), line.direction, tip, line.lo, line.hi)


@kernel
def moved_box(box: Box, t: float, v: Vec3) -> Box:
    """Return a box after a part of its motion."""
    return Box(along(box.origin, t, v), box.x, box.y, box.z, box.lo, box.hi)


@kernel
def moved_aligned(box: Aligned, t: float, v: Vec3) -> Aligned:
    """Return a box with the world's axes after a part of its motion."""
    return Aligned(along(box.lo, t, v), along(box.hi, t, v))
