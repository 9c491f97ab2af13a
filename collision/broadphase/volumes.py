"""What is looked for in a tree of boxes: other boxes, and what has no end, straight lines and half-spaces.

A line meets the boxes that it runs through, by the slab method (Kay and Kajiya, *Ray Tracing Complex Scenes*, 1986),
and a half-space those whose lowest corner is in it. A box in motion is a line too, that of its center.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from collision.base.fields import FloatArray
from collision.broadphase.blocks import widened_box
from collision.kernels.nearness import Corners
from collision.kernels.vec3 import EPS, Vec3, absolute, add, dot, largest, load, scale, sub, times
from collision.native import Floats, address, kernel

#: How much quotients of a line's slabs may be off, relatively, with plenty to spare.
QUOTIENTS = 64.0 * EPS

#: How far a line that is level with an axis goes for a unit along it: so far that no shape is there, and no farther, as
#: products with it must be numbers.
_FOR_EVER = 1e150


class BoundingBoxes(NamedTuple):
    """Boxes by their corners, (n, 3) each."""

    lower: FloatArray
    upper: FloatArray


class Lines(NamedTuple):
    """Lines and rays: origins and unit directions, (n, 3) each, and where they start (n,): 0 or minus infinity."""

    origin: FloatArray
    direction: FloatArray
    start: FloatArray


class HalfSpaces(NamedTuple):
    """Half-spaces: points of their planes and the normals that point out of them, (n, 3) each."""

    point: FloatArray
    normal: FloatArray


class Swept(NamedTuple):
    """Boxes in motion, by their corners at the start and the whole way that each goes, (n, 3) each."""

    lower: FloatArray
    upper: FloatArray
    way: FloatArray


Volumes: TypeAlias = BoundingBoxes | Lines | HalfSpaces | Swept


def around(volumes: Volumes) -> BoundingBoxes | None:
    """Return boxes around volumes, of those in motion around their whole ways; None for what has no end."""
    if isinstance(volumes, Swept):
        end = volumes.lower + volumes.way, volumes.upper + volumes.way
        return BoundingBoxes(np.minimum(volumes.lower, end[0]), np.maximum(volumes.upper, end[1]))
    return volumes if isinstance(volumes, BoundingBoxes) else None


def contiguous(volumes: Volumes) -> tuple[list[FloatArray], tuple[int, int, int | None]]:
    """Return the arrays of volumes as loops need them, and their addresses, good as long as these are kept."""
    arrays = [np.ascontiguousarray(values, dtype=np.float64) for values in volumes]
    addresses = [*map(address, arrays), None]
    return arrays, (addresses[0] or 0, addresses[1] or 0, addresses[2])


class Course(NamedTuple):
    """A line as kernels see it: what turns the sides of a box into the distances at which the line crosses them.

    A side at x is crossed at x times `rate`, less `near` for the side that is crossed first, `far` for the other, both
    of which are off by a margin.
    """

    rate: Vec3
    near: Vec3
    far: Vec3
    start: float
    end: float


class Side(NamedTuple):
    """A half-space as kernels see it; `margin` is how near a box must be to be met."""

    point: Vec3
    normal: Vec3
    margin: float


@kernel
def read_box(lower: Floats, upper: Floats, unused: Floats, i: int, widening: float, reach: float) -> Corners:
    """Read a box from memory, widened."""
    (a, b), margin = widened_box(lower, upper, i, widening), Vec3(reach, reach, reach)
    return Corners(sub(a, margin), add(b, margin))


@kernel
def box_meets(box: Corners, other: Corners) -> bool:
    """Tell whether a box overlaps another, which may be the empty one that fills a block up."""
    a, b, c, d = box.lower, box.upper, other.lower, other.upper
    return (c.x <= d.x) & (a.x <= d.x) & (c.x <= b.x) & (a.y <= d.y) & (c.y <= b.y) & (a.z <= d.z) & (c.z <= b.z)


@kernel
def read_line(origins: Floats, directions: Floats, starts: Floats, i: int, widening: float, reach: float) -> Course:
    """Read a line from memory."""
    origin = load(origins, 3 * i)
    margin = widening * largest(origin) + reach
    return course_along(origin, load(directions, 3 * i), Vec3(margin, margin, margin), starts[i], math.inf)


@kernel
def read_swept(lower: Floats, upper: Floats, ways: Floats, i: int, widening: float, reach: float) -> Course:
    """Read a box in motion from memory: its center goes along a line, and meets boxes that are wider by its half."""
    a, b, way = load(lower, 3 * i), load(upper, 3 * i), load(ways, 3 * i)
    center, half = add(scale(a, 0.5), scale(b, 0.5)), sub(scale(b, 0.5), scale(a, 0.5))
    margin = widening * (max(largest(a), largest(b)) + largest(way)) + reach
    return course_along(center, way, Vec3(half.x + margin, half.y + margin, half.z + margin), 0.0, 1.0)


@kernel
def course_along(origin: Vec3, direction: Vec3, margin: Vec3, start: float, end: float) -> Course:
    """Return a line as kernels see it, which meets boxes that are no farther from it than a margin along each axis."""
    o, rate = origin, Vec3(_rate(direction.x), _rate(direction.y), _rate(direction.z))
    wide = times(absolute(rate), margin)
    near = Vec3(o.x * rate.x + wide.x, o.y * rate.y + wide.y, o.z * rate.z + wide.z)
    far = Vec3(o.x * rate.x - wide.x, o.y * rate.y - wide.y, o.z * rate.z - wide.z)
    return Course(rate, near, far, start, end)


@kernel
def _rate(x: float) -> float:
    """Return how far a line goes for a unit along an axis; of a line that is level, as good as for ever."""
    return 1.0 / x if abs(x) > 1.0 / _FOR_EVER else _FOR_EVER


@kernel
def course_in_box(line: Course, box: Corners) -> tuple[float, float]:
    """Return between which distances a line may run through a box; for a line that misses, in the wrong order."""
    rate, near, far, a, b = line.rate, line.near, line.far, box.lower, box.upper
    x, y, z = b.x if rate.x < 0.0 else a.x, b.y if rate.y < 0.0 else a.y, b.z if rate.z < 0.0 else a.z
    enter = max(x * rate.x - near.x, y * rate.y - near.y, z * rate.z - near.z)
    x, y, z = a.x if rate.x < 0.0 else b.x, a.y if rate.y < 0.0 else b.y, a.z if rate.z < 0.0 else b.z
    leave = min(x * rate.x - far.x, y * rate.y - far.y, z * rate.z - far.z)
    return max(enter, line.start), min(leave, line.end)


@kernel
def runs_through(enter: float, leave: float) -> bool:
    """Tell whether distances are in order, or out of it by no more than rounding."""
    return enter <= leave + QUOTIENTS * (abs(enter) + abs(leave))


@kernel
def line_meets(line: Course, box: Corners) -> bool:
    """Tell whether a line may run through a box."""
    enter, leave = course_in_box(line, box)
    return runs_through(enter, leave)


@kernel
def read_half_space(points: Floats, normals: Floats, unused: Floats, i: int, widening: float, reach: float) -> Side:
    """Read a half-space from memory."""
    point = load(points, 3 * i)
    return Side(point, load(normals, 3 * i), widening * largest(point) + reach)


@kernel
def half_space_meets(side: Side, box: Corners) -> bool:
    """Tell whether the corner of a box that is farthest in may be in a half-space."""
    n, a, b = side.normal, box.lower, box.upper
    x, y, z = a.x if n.x > 0.0 else b.x, a.y if n.y > 0.0 else b.y, a.z if n.z > 0.0 else b.z
    return a.x <= b.x and not dot(sub(Vec3(x, y, z), side.point), n) > side.margin


class VolumeKernels(NamedTuple):
    """How volumes of a kind are read from memory, and whether one meets a box."""

    name: str
    read: Callable[..., Any]
    meets: Callable[[Any, Corners], bool]


#: The kernels of each kind of volumes.
KERNELS: dict[type[Volumes], VolumeKernels] = {
    BoundingBoxes: VolumeKernels("boxes", read_box, box_meets),
    Lines: VolumeKernels("lines", read_line, line_meets),
    HalfSpaces: VolumeKernels("half_spaces", read_half_space, half_space_meets),
    Swept: VolumeKernels("swept", read_swept, line_meets),
}
