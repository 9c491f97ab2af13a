"""The tables of a scene file, which keys each takes, and the shape that each makes.

One pydantic model for each table. A table of a shape makes its shape while it is checked, so that what only the shape's
constructor knows (``lower`` above ``upper``, lists that do not fit together) is reported along with everything else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import reduce
from typing import Annotated, Any, ClassVar, Literal, Self, TypeAlias

import numpy as np
from pydantic import (
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    PrivateAttr,
    Tag,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import PydanticCustomError

from collision.capsule_space import Axis, CapsuleCollider
from collision.decimals import near_decimal
from collision.fields import FloatArray
from collision.scene.elements import check_name
from collision.scene.shows import SHOW_QUERIES, Camera, Show, ShowQuery
from collision.scenefile.motions import MotionTable
from collision.scenefile.numbers import (
    Directions,
    Extents,
    Frames,
    Place,
    Places,
    Size,
    Sizes,
    fit,
    mismatch,
    problem,
)
from collision.scenefile.placement import ROTATION_FORMS, AxisAngle, Euler, Matrix, TransformTable, Turn, matrices
from collision.scenefile.tables import Table
from collision.shapes import AABB, Capsule, HalfSpace, Line, OrientedBox, Point, Ray, Segment, Shape, Sphere

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


def constructor_problem(error: ValueError, table: type[Table]) -> PydanticCustomError:
    """Put the error of a constructor, ``Kind.field must be ...``, at the key that it is about."""
    match = re.fullmatch(r"(\w+)\.(\w+) (.*)", str(error), re.DOTALL)
    if match is None or match[2] not in table.model_fields:
        return problem(str(error))
    return problem(match[3].replace(f"{match[1]}.", ""), (match[2],))


class ShapeTable(Table):
    """One shape, or a batch of one kind."""

    made: ClassVar[type[Shape]]

    transform: TransformTable | None = Field(default=None, description="Scales, turns and moves the shape.")
    _shape: Shape = PrivateAttr()

    @model_validator(mode="after")
    def _build(self) -> Self:
        with np.errstate(all="ignore"):  # what overflows is found, and refused, as not finite
            try:
                self._shape = self._make()
            except PydanticCustomError:
                raise
            except ValueError as error:
                raise constructor_problem(error, type(self)) from None
        return self

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

    kind: Literal["point"]
    position: Places = Field(description="Where it is.")


class SegmentTable(ShapeTable):
    """The straight piece between two points."""

    called: ClassVar[str] = "a segment"
    made: ClassVar[type[Shape]] = Segment

    kind: Literal["segment"]
    start: Places = Field(description="One end.")
    end: Places = Field(description="The other end.")


class RayTable(ShapeTable):
    """A half line."""

    called: ClassVar[str] = "a ray"
    made: ClassVar[type[Shape]] = Ray

    kind: Literal["ray"]
    origin: Places = Field(description="Where it starts.")
    direction: Directions = Field(description="Where it goes; the length does not matter.")


class LineTable(ShapeTable):
    """A line without ends."""

    called: ClassVar[str] = "a line"
    made: ClassVar[type[Shape]] = Line

    kind: Literal["line"]
    point: Places = Field(description="Any point of it.")
    direction: Directions = Field(description="Where it goes; the length does not matter.")


class SphereTable(ShapeTable):
    """All points within a radius of a center."""

    called: ClassVar[str] = "a sphere"
    made: ClassVar[type[Shape]] = Sphere

    kind: Literal["sphere"]
    center: Places = Field(description="The middle.")
    radius: Sizes = Field(description="Zero or more.")


class CapsuleTable(ShapeTable):
    """All points within a radius of a segment."""

    called: ClassVar[str] = "a capsule by its ends"
    made: ClassVar[type[Shape]] = Capsule

    kind: Literal["capsule"]
    start: Places = Field(description="The center of one cap.")
    end: Places = Field(description="The center of the other cap.")
    radius: Sizes = Field(description="Zero or more.")


class ColliderTable(ShapeTable):
    """A capsule as game engines give it; under a scale it follows their rule and stays a capsule."""

    called: ClassVar[str] = "a capsule by axis and height"
    made: ClassVar[type[Shape]] = Capsule

    kind: Literal["capsule"]
    center: Places | None = Field(default=None, description="The middle.")
    axis: Axis = Field(description="The axis that it lies along.")
    height: Sizes = Field(description="From tip to tip, caps included; less than two radii makes a sphere.")
    radius: Sizes = Field(description="Zero or more.")

    def _make(self) -> Shape:
        batch = self._batch()
        collider = CapsuleCollider(axis=self.axis, **self._numbers())
        transform = self.transform or TransformTable()
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

    kind: Literal["aabb"]
    lower: Places = Field(description="The corner with the smallest coordinates.")
    upper: Places = Field(description="The corner with the largest coordinates.")


class BoxTable(ShapeTable):
    """A box turned any way."""

    model_config = ConfigDict(json_schema_extra={"oneOf": [{"required": ["half_extents"]}, {"required": ["size"]}]})

    called: ClassVar[str] = "a box"
    made: ClassVar[type[Shape]] = OrientedBox

    kind: Literal["box"]
    center: Places = Field(description="The middle.")
    half_extents: Extents | None = Field(default=None, description="Half the size along each of the box's axes.")
    size: Extents | None = Field(default=None, description="The size along each of the box's axes.")
    axes: Frames | None = Field(
        default=None, description="Three rows of a rotation matrix; its columns are the axes. Six digits do."
    )
    rotation: Turn | None = Field(default=None, description=ROTATION_FORMS)

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

    kind: Literal["halfspace"]
    point: Places = Field(description="Any point of the plane.")
    normal: Directions = Field(description="Out of the solid; the length does not matter.")


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


class CameraTable(Table):
    """Where the picture is taken from; without it, the picture frames the scene."""

    called: ClassVar[str] = "a camera"

    position: Place = Field(description="The eye.")
    target: Place | None = Field(default=None, description="The point it looks at; the origin unless given.")
    up: Place | None = Field(default=None, description="What is up in the picture; z unless given.")
    view_angle: Size | None = Field(
        default=None, description="Degrees from the lower to the upper edge; 30 unless given."
    )
    parallel_height: Size | None = Field(
        default=None, description="Height of the picture in scene units; given, the projection is parallel."
    )
    _camera: Camera = PrivateAttr()

    @model_validator(mode="after")
    def _build(self) -> Self:
        given: dict[str, Any] = {name: value.tolist() for name, value in self.given().items()}
        try:
            self._camera = Camera(**given)
        except ValueError as error:
            raise constructor_problem(error, CameraTable) from None
        return self

    @property
    def camera(self) -> Camera:
        """The camera."""
        return self._camera


class ShowTable(Table):
    """A query whose answer is drawn, and drawn anew whenever its shapes move."""

    called: ClassVar[str] = "an entry of show"

    query: ShowQuery = Field(description="What is asked.")
    a: str = Field(description="The name of a shape; the line, ray or point where the query takes one.")
    b: str = Field(default="", description="The name of the other shape, where the query takes two.")
    label: str = Field(default="", description="Words to put before the numbers.")
    _show: Show = PrivateAttr()

    @model_validator(mode="after")
    def _build(self) -> Self:
        if SHOW_QUERIES[self.query] == 2 and not self.b:
            raise problem(f"missing; {self.query} takes two shapes, a and b", ("b",))
        if SHOW_QUERIES[self.query] == 1 and self.b:
            raise mismatch(f"no second shape ({self.query} takes one, a)", self.b, ("b",))
        if not self.a:
            raise mismatch("the name of a shape", self.a, ("a",))
        self._show = Show(self.query, self.a, self.b, self.label)
        return self

    @property
    def show(self) -> Show:
        """The query to draw."""
        return self._show


def _read_pair(value: object) -> object:
    if type(value) is not list or len(value) != 2 or not all(type(name) is str and name for name in value):
        raise mismatch('a pair of names or patterns, such as ["arm*", "torso"]', value)
    return tuple(value)


def _read_name(name: str) -> str:
    try:
        check_name(name)
    except ValueError as error:
        raise problem(str(error)) from None
    return name


ShapeName: TypeAlias = Annotated[str, BeforeValidator(_read_name)]

Pair: TypeAlias = Annotated[
    tuple[str, str],
    BeforeValidator(_read_pair),
    WithJsonSchema({"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2}),
]

AnyShape: TypeAlias = Annotated[
    Annotated[PointTable, Tag("point")]
    | Annotated[SegmentTable, Tag("segment")]
    | Annotated[RayTable, Tag("ray")]
    | Annotated[LineTable, Tag("line")]
    | Annotated[SphereTable, Tag("sphere")]
    | Annotated[CapsuleTable, Tag("capsule")]
    | Annotated[ColliderTable, Tag("collider")]
    | Annotated[AABBTable, Tag("aabb")]
    | Annotated[BoxTable, Tag("box")]
    | Annotated[HalfSpaceTable, Tag("halfspace")],
    Discriminator(form_of),
]


class SceneTable(Table):
    """Shapes by name, what to ignore of them, and what to show."""

    called: ClassVar[str] = "a scene"

    title: str = Field(default="", description="What the scene is called.")
    caption: str = Field(default="", description="What it teaches, in a sentence or two.")
    ignore: list[Pair] = Field(
        default=[], description='Pairs of names that are never reported; in a name "*" stands for anything.'
    )
    camera: CameraTable | None = Field(default=None, description="Where the picture is taken from.")
    shapes: dict[ShapeName, AnyShape] = Field(description="The shapes, [shapes.NAME], in the order they are numbered.")
    show: list[ShowTable] = Field(default=[], description="Queries whose answers are drawn, [[show]] each.")
    motion: list[MotionTable] = Field(
        default=[], description="How shapes move, [[motion]] each, in the order in which it is carried out."
    )


#: The tables by what stands in their place in the path of an error.
TABLES: Mapping[str, type[Table]] = {
    **FORMS,
    "camera": CameraTable,
    "transform": TransformTable,
    "show": ShowTable,
    "motion": MotionTable,
    **{form.__name__: form for form in (AxisAngle, Euler, Matrix)},
}
