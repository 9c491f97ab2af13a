"""What is looked for in a tree of boxes: other boxes, and what has no end, straight lines and half-spaces.

A box says next to nothing of a long line, and nothing of one without an end; so a line meets the boxes that it runs
through, by the slab method (Kay and Kajiya, *Ray Tracing Complex Scenes*, 1986), and a half-space those whose lowest
corner is in it. A box in motion is a line too, that of its center. All are widened: by the rounding that the narrow
phase grants to touching shapes, and by a reach.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from collision.broadphase.rows import UPPER
from collision.fields import FloatArray
from collision.native import Floats, address, kernel
from collision.vec3 import EPS, Vec3, absolute, add, dot, largest, load, scale, sub, times

#: How much quotients of a line's slabs may be off, relatively, with plenty to spare.
QUOTIENTS = 64.0 * EPS

#: How far a line that is level with an axis goes for a unit along it: so far that no shape is there, and no farther, as
#: products with it must be numbers.
_FOR_EVER = 1e150


class Boxes(NamedTuple):
    """Boxes by their corners, (n, 3) each."""

    lower: FloatArray
    upper: FloatArray


class Lines(NamedTuple):
    """Lines and rays: origins and unit directions, (n, 3) each, and the distances at which they start, (n,).

    A ray starts at 0, a line at minus infinity.
    """

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


Volumes: TypeAlias = Boxes | Lines | HalfSpaces | Swept


def around(volumes: Volumes) -> Boxes | None:
    """Return boxes around volumes, of those in motion around their whole ways; None for what has no end."""
    if isinstance(volumes, Swept):
        end = volumes.lower + volumes.way, volumes.upper + volumes.way
        return Boxes(np.minimum(volumes.lower, end[0]), np.maximum(volumes.upper, end[1]))
    return volumes if isinstance(volumes, Boxes) else None


def contiguous(volumes: Volumes) -> tuple[list[FloatArray], tuple[int, int, int | None]]:
    """Return the arrays of volumes as loops need them, to be kept as long as their places are used, and the places."""
    arrays = [np.ascontiguousarray(values, dtype=np.float64) for values in volumes]
    places = [*map(address, arrays), None]
    return arrays, (places[0] or 0, places[1] or 0, places[2])


class Corners(NamedTuple):
    """A box as kernels see it."""

    lower: Vec3
    upper: Vec3


class Course(NamedTuple):
    """A line as kernels see it: what turns the sides of a box into the distances at which the line crosses them.

    A side at x along an axis is crossed at x times `rate`, less what the origin has of it: `near` for the side that is
    crossed first, `far` for the other; both have some room. Which side is first, the lower or the upper one, the line's
    direction says: `first` are the places of those sides in a row.
    """

    rate: Vec3
    near: Vec3
    far: Vec3
    first: tuple[int, int, int]
    start: float
    end: float


class Side(NamedTuple):
    """A half-space as kernels see it; `room` is how near a box must be to be met."""

    point: Vec3
    normal: Vec3
    room: float


@kernel
def read_box(lower: Floats, upper: Floats, unused: Floats, i: int, widening: float, reach: float) -> Corners:
    """Read a box from memory, widened."""
    a, b = load(lower, 3 * i), load(upper, 3 * i)
    size = max(_finite(a), _finite(b))
    room = widening * size + reach
    return Corners(Vec3(a.x - room, a.y - room, a.z - room), Vec3(b.x + room, b.y + room, b.z + room))


@kernel
def _finite(v: Vec3) -> float:
    """Return the largest absolute component that is finite."""
    x, y, z = abs(v.x), abs(v.y), abs(v.z)
    return max(x if x < math.inf else 0.0, y if y < math.inf else 0.0, z if z < math.inf else 0.0)


@kernel
def box_meets(box: Corners, rows: Floats, i: int) -> bool:
    """Tell whether a box overlaps another, which may be the empty one that fills a leaf up."""
    a, b = box.lower, box.upper
    return (
        (rows[i] <= rows[i + UPPER])
        & (a.x <= rows[i + 3])
        & (rows[i] <= b.x)
        & (a.y <= rows[i + 4])
        & (rows[i + 1] <= b.y)
        & (a.z <= rows[i + 5])
        & (rows[i + 2] <= b.z)
    )


@kernel
def read_line(origins: Floats, directions: Floats, starts: Floats, i: int, widening: float, reach: float) -> Course:
    """Read a line from memory."""
    origin = load(origins, 3 * i)
    room = widening * largest(origin) + reach
    return course_along(origin, load(directions, 3 * i), Vec3(room, room, room), starts[i], math.inf)


@kernel
def read_swept(lower: Floats, upper: Floats, ways: Floats, i: int, widening: float, reach: float) -> Course:
    """Read a box in motion from memory: its center goes along a line, and meets boxes that are wider by its half."""
    a, b, way = load(lower, 3 * i), load(upper, 3 * i), load(ways, 3 * i)
    center, half = add(scale(a, 0.5), scale(b, 0.5)), sub(scale(b, 0.5), scale(a, 0.5))
    room = widening * (max(largest(a), largest(b)) + largest(way)) + reach
    return course_along(center, way, Vec3(half.x + room, half.y + room, half.z + room), 0.0, 1.0)


@kernel
def course_along(origin: Vec3, direction: Vec3, room: Vec3, start: float, end: float) -> Course:
    """Return a line as kernels see it, which meets boxes that are no farther from it than some room along each axis."""
    o, rate = origin, Vec3(_rate(direction.x), _rate(direction.y), _rate(direction.z))
    wide = times(absolute(rate), room)
    near = Vec3(o.x * rate.x + wide.x, o.y * rate.y + wide.y, o.z * rate.z + wide.z)
    far = Vec3(o.x * rate.x - wide.x, o.y * rate.y - wide.y, o.z * rate.z - wide.z)
    x, y, z = UPPER * (rate.x < 0.0), UPPER * (rate.y < 0.0) + 1, UPPER * (rate.z < 0.0) + 2
    return Course(rate, near, far, (x, y, z), start, end)


@kernel
def _rate(x: float) -> float:
    """Return how far a line goes for a unit along an axis; of a line that is level, as good as for ever."""
    return 1.0 / x if abs(x) > 1.0 / _FOR_EVER else _FOR_EVER


@kernel
def course_in_box(line: Course, rows: Floats, i: int) -> tuple[float, float]:
    """Return between which distances a line may run through a box; for a line that misses, in the wrong order."""
    (x, y, z), rate, near, far = line.first, line.rate, line.near, line.far
    enter = max(rows[i + x] * rate.x - near.x, rows[i + y] * rate.y - near.y, rows[i + z] * rate.z - near.z)
    x, y, z = UPPER - x, UPPER + 2 - y, UPPER + 4 - z
    leave = min(rows[i + x] * rate.x - far.x, rows[i + y] * rate.y - far.y, rows[i + z] * rate.z - far.z)
    return max(enter, line.start), min(leave, line.end)


@kernel
def runs_through(enter: float, leave: float) -> bool:
    """Tell whether distances are in order, or out of it by no more than rounding."""
    return enter <= leave + QUOTIENTS * (abs(enter) + abs(leave))


@kernel
def line_meets(line: Course, rows: Floats, i: int) -> bool:
    """Tell whether a line may run through a box."""
    enter, leave = course_in_box(line, rows, i)
    return runs_through(enter, leave)


@kernel
def read_half_space(points: Floats, normals: Floats, unused: Floats, i: int, widening: float, reach: float) -> Side:
    """Read a half-space from memory."""
    point = load(points, 3 * i)
    return Side(point, load(normals, 3 * i), widening * largest(point) + reach)


@kernel
def half_space_meets(side: Side, rows: Floats, i: int) -> bool:
    """Tell whether the corner of a box that is farthest in may be in a half-space."""
    n = side.normal
    x = rows[i] if n.x > 0.0 else rows[i + 3]
    y = rows[i + 1] if n.y > 0.0 else rows[i + 4]
    z = rows[i + 2] if n.z > 0.0 else rows[i + 5]
    return rows[i] <= rows[i + UPPER] and not dot(sub(Vec3(x, y, z), side.point), n) > side.room


class VolumeKernels(NamedTuple):
    """How volumes of a kind are read from memory, and whether one meets a box."""

    name: str
    read: Callable[..., Any]
    meets: Callable[[Any, Floats, int], bool]


#: The kernels of each kind of volumes.
KERNELS: dict[type[Volumes], VolumeKernels] = {
    Boxes: VolumeKernels("boxes", read_box, box_meets),
    Lines: VolumeKernels("lines", read_line, line_meets),
    HalfSpaces: VolumeKernels("half_spaces", read_half_space, half_space_meets),
    Swept: VolumeKernels("swept", read_swept, line_meets),
}
