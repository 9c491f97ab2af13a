"""What is done to shapes, however it was said: by a drag, by a number, or from Python."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, Protocol

import numpy as np

from collision import (
    AABB,
    Capsule,
    ConvexHull,
    Cylinder,
    HalfSpace,
    Line,
    OrientedBox,
    Ray,
    Scene,
    Segment,
    Shape,
    Sphere,
    Transform,
)
from collision.inner import KIND_NAMES, ArrayLike, FloatArray, decimal_sum, turned
from collision.scenefile import AxisAngle
from viewer.gizmo.subject import WORLD, direction_of, middle_of

#: What of a shape can be moved alone: its body is all of it, the tip of a ray or line turns it.
Part = Literal["body", "start", "end", "tip"]

#: Which side of a shape moves when its size changes: the start or lower one, both, or the end or upper one.
Side = Literal[-1, 0, 1]


#: More points of a hull than this are moved as they are.
_MANY = 64

#: Beyond this no number is taken: lengths may be of any scale up to it.
LARGEST = 1e70


def check_size(value: ArrayLike) -> None:
    """Refuse numbers that are too large to be a length."""
    numbers = np.asarray(value, dtype=np.float64).ravel().tolist()
    if any(abs(number) > LARGEST for number in numbers):
        raise ValueError(f"numbers go up to {LARGEST:.0e}".replace("+", ""))


class Change(Protocol):
    """Something that is done to shapes."""

    def apply(self, scene: Scene, names: Sequence[str]) -> Scene:
        """Return the scene in which it is done to what is named; the last name is the active one."""


@dataclass(frozen=True, eq=False)
class Move:
    """Move shapes, or one part of the active one, by an offset (3,) from where it is, or from a point (3,).

    Places that people would write with few digits go to such places, unless the offset is `free`: see `decimal_sum`.
    """

    offset: FloatArray
    part: Part = "body"
    start: FloatArray | None = None
    #: Whether it follows the cursor, and so is no number that anybody would write.
    free: bool = False

    def apply(self, scene: Scene, names: Sequence[str]) -> Scene:  # noqa: D102 (see Change)
        check_size(self.offset)
        if self.part == "body":
            if self.free:
                return scene.moved(names, self.offset)
            return scene.changed(names, lambda shape: shifted(shape, self.offset), together=True)
        shape = scene[names[-1]]
        start = part_of(shape, self.part) if self.start is None else self.start
        place = start + self.offset if self.free else decimal_sum(start, self.offset)
        return scene.with_shape(names[-1], with_part(shape, self.part, place))


@dataclass(frozen=True, eq=False)
class Turn:
    """Turn shapes about an axis (3,) through a point (3,), counterclockwise when looking against the axis.

    Quarter turns are exact, whole turns change no bit, and the axes of a box stay at right angles.
    """

    axis: FloatArray
    degrees: float
    about: FloatArray
    #: In a drag: the direction from the point to where the ring was grabbed, and the angle before it snapped.
    grabbed: FloatArray | None = None
    followed: float | None = None

    def apply(self, scene: Scene, names: Sequence[str]) -> Scene:  # noqa: D102 (see Change)
        return scene.changed(names, self.of)

    def of(self, shape: Shape) -> Shape:
        """Return one shape turned."""
        if self.degrees % 360.0 == 0.0:
            return shape
        # About the point itself: far from the origin nothing is rounded that stays in place.
        return shape.translated(-self.about).transformed(self._rotation).translated(self.about)

    def turned(self, direction: FloatArray) -> FloatArray:
        """Return a direction turned."""
        return turned(self._rotation.axes, direction)

    @cached_property
    def _rotation(self) -> Transform:
        turn = AxisAngle(axis=np.asarray(self.axis), angle=np.asarray(self.degrees))
        return Transform(rotation=turn.matrices())


@dataclass(frozen=True, eq=False)
class Resize:
    """Give the active shape another size; see `resized`."""

    name: str
    value: float
    side: Side = 0
    along: FloatArray = field(default_factory=lambda: WORLD[2])

    def apply(self, scene: Scene, names: Sequence[str]) -> Scene:  # noqa: D102 (see Change)
        check_size(self.value)
        shape = resized(scene[names[-1]], self.name, self.value, self.side, self.along)
        return scene.with_shape(names[-1], shape)


@dataclass(frozen=True, eq=False)
class Scale:
    """Make shapes, and how far they are from a point (3,), larger by a factor."""

    factor: float
    about: FloatArray

    def apply(self, scene: Scene, names: Sequence[str]) -> Scene:  # noqa: D102 (see Change)
        if not 0.0 <= self.factor < np.inf:
            raise ValueError(f"factor must be zero or more, got {self.factor:g}")
        check_size(self.factor)
        return scene.changed(names, self.of)

    def of(self, shape: Shape) -> Shape:
        """Return one shape made larger."""
        larger = shape.translated(-self.about).transformed(Transform(scale=self.factor)).translated(self.about)
        for value in larger.values().values():
            check_size(value)
        return larger


@dataclass(frozen=True, eq=False)
class Together:
    """Several changes, one after the other."""

    changes: tuple[Change, ...]

    def apply(self, scene: Scene, names: Sequence[str]) -> Scene:  # noqa: D102 (see Change)
        for change in self.changes:
            scene = change.apply(scene, names)
        return scene


def shifted(shape: Shape, offset: FloatArray) -> Shape:
    """Return a shape moved by an offset (3,), its places by `decimal_sum`, unless it is a hull of very many points."""
    moved = shape.translated(offset)
    if isinstance(shape, ConvexHull) and shape.points.shape[-2] > _MANY:
        return moved  # nobody writes so many, and all faces would have to be found anew
    old, places = shape.values(), dict[str, FloatArray]()
    for name, value in moved.values().items():
        if not np.array_equal(value, old[name]):
            place = decimal_sum(old[name], offset)
            if not np.array_equal(place, value):
                places[name] = place
    return replace(moved, **places) if places else moved


def part_names(shape: Shape) -> tuple[Part, ...]:
    """Return the parts of a shape that can be moved: all of it, and what moves alone."""
    if shape.batch_shape:
        return ("body",)
    if isinstance(shape, Segment | Capsule | Cylinder):
        return "body", "start", "end"
    return ("body", "tip") if isinstance(shape, Ray | Line | HalfSpace) else ("body",)


def part_of(shape: Shape, part: Part) -> FloatArray:
    """Return where a part of a single shape is; the tip of a direction is one unit from the point it is given by."""
    if part == "body":
        return middle_of(shape)
    if part == "tip" and isinstance(shape, Ray | Line | HalfSpace):
        return middle_of(shape) + direction_of(shape)
    if part in ("start", "end") and isinstance(shape, Segment | Capsule | Cylinder):
        return shape.start if part == "start" else shape.end
    raise ValueError(f"the {KIND_NAMES[type(shape)]} has no {part} that could be moved")


def with_part(shape: Shape, part: Part, position: ArrayLike) -> Shape:
    """Return a single shape with one part at a new position (3,); a tip turns a ray or line about its point."""
    at = part_of(shape, part)
    if part == "body":
        return shape.translated(np.subtract(position, at))
    if isinstance(shape, Ray | Line | HalfSpace):
        way = np.subtract(position, middle_of(shape))
        return replace(shape, normal=way) if isinstance(shape, HalfSpace) else replace(shape, direction=way)
    return replace(shape, **{part: position})


def sizes(shape: Shape) -> dict[str, float]:
    """Return the sizes of a shape that can be changed, by name; none for a batch, or for what has no size.

    >>> sizes(Capsule([0, 0, 0], [0, 0, 2], 0.5))
    {'radius': 0.5, 'length': 2.0}
    """
    if shape.batch_shape:
        return {}
    if isinstance(shape, AABB):
        return dict(zip("xyz", (shape.upper - shape.lower).tolist(), strict=True))
    if isinstance(shape, OrientedBox):
        return dict(zip("xyz", (2.0 * shape.half_extents).tolist(), strict=True))
    if isinstance(shape, ConvexHull):  # which cannot grow where it is flat
        extents = dict(zip("xyz", np.ptp(shape.points, axis=0).tolist(), strict=True))
        return {name: extent + 2.0 * float(shape.radius) for name, extent in extents.items() if extent > 0.0}
    lengths = {"radius": float(shape.radius)} if isinstance(shape, Sphere | Capsule | Cylinder) else {}
    if isinstance(shape, Segment | Capsule | Cylinder):
        lengths["length"] = float(np.linalg.norm(shape.end - shape.start))
    return lengths


def resized(shape: Shape, name: str, value: float, side: Side = 0, along: ArrayLike = (0.0, 0.0, 1.0)) -> Shape:
    """Return a single shape with another size; the side -1 or 1 moves (start or end, a face), 0 both.

    What has no length grows `along` a direction (3,).
    """
    names = list(sizes(shape))
    if name not in names:
        which = f"it has {', '.join(names)}" if names else "a batch is scaled" if shape.batch_shape else "it has none"
        raise ValueError(f"the {KIND_NAMES[type(shape)]} has no size {name!r}: {which}")
    if not 0.0 <= value < np.inf:
        raise ValueError(f"{name} must be zero or more, got {value:g}")
    if isinstance(shape, Sphere | Capsule | Cylinder) and name == "radius":
        return replace(shape, radius=value)
    if isinstance(shape, Segment | Capsule | Cylinder):
        start, end = _stretched(shape, value, side, np.asarray(along, dtype=np.float64))
        return replace(shape, start=start, end=end)
    if isinstance(shape, AABB):
        return _longer(shape, "xyz".index(name), value, side)
    if isinstance(shape, ConvexHull):
        return _stretched_hull(shape, "xyz".index(name), value, side)
    assert isinstance(shape, OrientedBox)
    axis = "xyz".index(name)
    half = shape.half_extents.copy()
    half[axis] = 0.5 * value
    shift = side * (half[axis] - shape.half_extents[axis])
    return replace(shape, center=decimal_sum(shape.center, shift * shape.axes[:, axis]), half_extents=half)


def _stretched(
    shape: Segment | Capsule | Cylinder, value: float, side: Side, along: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the ends of a piece of another length."""
    step = shape.end - shape.start
    largest = np.abs(step).max()
    unit = step / largest if largest > 0.0 else along
    unit = value * (unit / np.linalg.norm(unit))
    if side == 1:
        return shape.start, decimal_sum(shape.start, unit)
    if side == -1:
        return decimal_sum(shape.end, -unit), shape.end
    middle = middle_of(shape)
    return decimal_sum(middle, -0.5 * unit), decimal_sum(middle, 0.5 * unit)


def _stretched_hull(hull: ConvexHull, axis: int, value: float, side: Side) -> ConvexHull:
    """Return a hull of another size along an axis of the world; its round edges stay as round as they are."""
    places = hull.points[:, axis]
    low, high = float(places.min()), float(places.max())
    stays = {-1: high, 0: 0.5 * low + 0.5 * high, 1: low}[side]
    factor = max(value - 2.0 * float(hull.radius), 0.0) / (high - low)
    points = hull.points.copy()
    points[:, axis] = decimal_sum(np.asarray(stays), factor * (places - stays))
    return replace(hull, points=points)


def _longer(box: AABB, axis: int, value: float, side: Side) -> AABB:
    lower, upper = box.lower.copy(), box.upper.copy()
    if side == 1:
        upper[axis] = decimal_sum(lower[axis], value)
    elif side == -1:
        lower[axis] = decimal_sum(upper[axis], -value)
    else:
        middle = box.center[axis]
        lower[axis], upper[axis] = decimal_sum(middle, -0.5 * value), decimal_sum(middle, 0.5 * value)
    return AABB(lower, upper)
