"""The tables of shapes in a scene file: one for each kind, which makes its shape while it is checked.

What only the shape's constructor knows (``lower`` above ``upper``, lists that do not fit together) is so reported along
with everything else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import reduce
from typing import Any, ClassVar, get_args

import numpy as np

from collision.base.decimals import near_decimal
from collision.base.fields import FloatArray
from collision.files.errors import WrongError, problem
from collision.files.numbers import DIRECTIONS, EXTENT, FRAMES, PLACES, SIZES, fit
from collision.files.placement import ROTATION_FORMS, TURN, AxisAngle, Euler, Matrix, TransformTable, matrices
from collision.files.tables import Table, Word, holds
from collision.shapes.capsule_space import Axis, CapsuleCollider
from collision.shapes.kinds import AABB, Capsule, HalfSpace, Line, OrientedBox, Point, Ray, Segment, Shape, Sphere

#: The name of each kind in a file.
KIND_NAMES: Mapping[type[Shape], str] = {
    Point: "point",
    Segment: "segment",
    Ray: "ray",
    Line: "line",
    Sphere: "sphere",
    Capsule: "capsule",
    AABB: "aabb",
    OrientedBox: "box",
    HalfSpace: "halfspace",
}


def constructor_problem(error: ValueError, table: type[Table]) -> WrongError:
    """Put the error of a constructor, ``Kind.field must be ...``, at the key that it is about."""
    match = re.fullmatch(r"(\w+)\.(\w+) (.*)", str(error), re.DOTALL)
    if match is None or match[2] not in table.keys:
        return problem(str(error))
    return problem(match[3].replace(f"{match[1]}.", ""), (match[2],))


class ShapeTable(Table):
    """One shape, or a batch of one kind."""

    made: ClassVar[type[Shape]]

    transform: TransformTable | None = holds(TransformTable, "Scales, turns and moves the shape.", default=None)

    def _build(self) -> None:
        with np.errstate(all="ignore"):  # what overflows is found, and refused, as not finite
            try:
                self._shape = self._make()
            except WrongError:
                raise
            except ValueError as error:
                raise constructor_problem(error, type(self)) from None

    @property
    def shape(self) -> Shape:
        """The shape that the table describes, in the world."""
        return self._shape

    def _make(self) -> Shape:
        shape = self._local()
        return shape if self.transform is None else self.transform.applied(shape)

    def _local(self) -> Shape:
        """Make the shape as if there were no transform."""
        self._batch()
        return self.made(**self._numbers())

    def _numbers(self) -> dict[str, FloatArray]:
        """Return the keys that hold numbers, those that are not given left out."""
        return {name: value for name, value in self.given().items() if isinstance(value, np.ndarray)}

    def _batch(self) -> tuple[int, ...]:
        return fit(
            **{name: value.shape[: value.ndim - self._trailing(name)] for name, value in self._numbers().items()}
        )

    @classmethod
    def _trailing(cls, name: str) -> int:
        return 0 if name in ("radius", "height") else 1


class PointTable(ShapeTable):
    """A point."""

    called: ClassVar[str] = "a point"
    made: ClassVar[type[Shape]] = Point

    kind: str = holds(Word("point"))
    position: FloatArray = holds(PLACES, "Where it is.")


class SegmentTable(ShapeTable):
    """The straight piece between two points."""

    called: ClassVar[str] = "a segment"
    made: ClassVar[type[Shape]] = Segment

    kind: str = holds(Word("segment"))
    start: FloatArray = holds(PLACES, "One end.")
    end: FloatArray = holds(PLACES, "The other end.")


class RayTable(ShapeTable):
    """A half line."""

    called: ClassVar[str] = "a ray"
    made: ClassVar[type[Shape]] = Ray

    kind: str = holds(Word("ray"))
    origin: FloatArray = holds(PLACES, "Where it starts.")
    direction: FloatArray = holds(DIRECTIONS, "Where it goes; the length does not matter.")


class LineTable(ShapeTable):
    """A line without ends."""

    called: ClassVar[str] = "a line"
    made: ClassVar[type[Shape]] = Line

    kind: str = holds(Word("line"))
    point: FloatArray = holds(PLACES, "Any point of it.")
    direction: FloatArray = holds(DIRECTIONS, "Where it goes; the length does not matter.")


class SphereTable(ShapeTable):
    """All points within a radius of a center."""

    called: ClassVar[str] = "a sphere"
    made: ClassVar[type[Shape]] = Sphere

    kind: str = holds(Word("sphere"))
    center: FloatArray = holds(PLACES, "The middle.")
    radius: FloatArray = holds(SIZES, "Zero or more.")


class CapsuleTable(ShapeTable):
    """All points within a radius of a segment."""

    called: ClassVar[str] = "a capsule by its ends"
    made: ClassVar[type[Shape]] = Capsule

    kind: str = holds(Word("capsule"))
    start: FloatArray = holds(PLACES, "The center of one cap.")
    end: FloatArray = holds(PLACES, "The center of the other cap.")
    radius: FloatArray = holds(SIZES, "Zero or more.")

    @classmethod
    def _unknown_key(cls, name: str) -> str:
        if name in ColliderTable.keys:
            return "expected start, end and radius alone; or, without start and end, center, axis, height and radius"
        return super()._unknown_key(name)


class ColliderTable(ShapeTable):
    """A capsule as game engines give it; under a scale it follows their rule and stays a capsule."""

    called: ClassVar[str] = "a capsule by axis and height"
    made: ClassVar[type[Shape]] = Capsule

    kind: str = holds(Word("capsule"))
    center: FloatArray | None = holds(PLACES, "The middle.", default=None)
    axis: Axis = holds(Word(*get_args(Axis)), "The axis that it lies along.")
    height: FloatArray = holds(SIZES, "From tip to tip, caps included; less than two radii makes a sphere.")
    radius: FloatArray = holds(SIZES, "Zero or more.")

    def _make(self) -> Shape:
        batch = self._batch()
        collider = CapsuleCollider(axis=self.axis, **self._numbers())
        transform = self.transform or TransformTable.read({})
        capsule = transform.placed(collider, batch)
        # The ends of one of height 1.6 and radius 0.3 around 0.7 are 0.2 and 1.2, whatever floats make of 0.7 - 0.5. So
        # one that is moved by a number that people write is still around a place that they would write.
        places = [place for place in (self.center, transform.position) if place is not None]
        largest = reduce(np.maximum, map(np.abs, (capsule.start, capsule.end, *places)))
        return replace(capsule, **{name: near_decimal(getattr(capsule, name), largest) for name in ("start", "end")})


class AABBTable(ShapeTable):
    """A box along the axes of the world; turned, it becomes the upright box around itself."""

    called: ClassVar[str] = "an aabb"
    made: ClassVar[type[Shape]] = AABB

    kind: str = holds(Word("aabb"))
    lower: FloatArray = holds(PLACES, "The corner with the smallest coordinates.")
    upper: FloatArray = holds(PLACES, "The corner with the largest coordinates.")


class BoxTable(ShapeTable):
    """A box turned any way."""

    more_schema: ClassVar[dict[str, Any]] = {"oneOf": [{"required": ["half_extents"]}, {"required": ["size"]}]}

    called: ClassVar[str] = "a box"
    made: ClassVar[type[Shape]] = OrientedBox

    kind: str = holds(Word("box"))
    center: FloatArray = holds(PLACES, "The middle.")
    half_extents: FloatArray | None = holds(EXTENT, "Half the size along each of the box's axes.", default=None)
    size: FloatArray | None = holds(EXTENT, "The size along each of the box's axes.", default=None)
    axes: FloatArray | None = holds(
        FRAMES, "Three rows of a rotation matrix; its columns are the axes. Six digits do.", default=None
    )
    rotation: FloatArray | AxisAngle | Euler | Matrix | None = holds(TURN, ROTATION_FORMS, default=None)

    def _local(self) -> Shape:
        half = self.half_extents if self.size is None else 0.5 * self.size
        if half is None:
            raise problem("expected half_extents or size, got neither")
        if self.half_extents is not None and self.size is not None:
            raise problem("expected half_extents or size, got both")
        if self.axes is not None and self.rotation is not None:
            raise problem("expected axes or rotation, got both")
        axes = np.eye(3) if self.axes is None else self.axes
        if self.rotation is not None:
            axes = matrices(self.rotation)
        fit(center=self.center.shape[:-1], rotation=axes.shape[:-2], size=half.shape[:-1])
        return OrientedBox(self.center, axes, half)


class HalfSpaceTable(ShapeTable):
    """All that is behind a plane, without bounds."""

    called: ClassVar[str] = "a halfspace"
    made: ClassVar[type[Shape]] = HalfSpace

    kind: str = holds(Word("halfspace"))
    point: FloatArray = holds(PLACES, "Any point of the plane.")
    normal: FloatArray = holds(DIRECTIONS, "Out of the solid; the length does not matter.")


#: The table of each kind, and of the second form of a capsule.
FORMS: Mapping[str, type[ShapeTable]] = {
    "point": PointTable,
    "segment": SegmentTable,
    "ray": RayTable,
    "line": LineTable,
    "sphere": SphereTable,
    "capsule": CapsuleTable,
    "collider": ColliderTable,
    "aabb": AABBTable,
    "box": BoxTable,
    "halfspace": HalfSpaceTable,
}


def form_of(value: Any) -> str | None:
    """Tell which form a shape's table has, by its kind and, for a capsule, by its keys."""
    kind = value.get("kind") if isinstance(value, dict) else getattr(value, "kind", None)
    if kind == "capsule":
        by_axis = {"center", "axis", "height"} & set(value) and not {"start", "end"} & set(value)
        return "collider" if by_axis else "capsule"
    return kind if isinstance(kind, str) and kind in KIND_NAMES.values() else None
