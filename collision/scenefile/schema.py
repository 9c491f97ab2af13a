"""The tables of a scene file, which keys each takes, and the shape that each makes.

One pydantic model for each table; those of shapes are in `collision.scenefile.shapes`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self, TypeAlias

from pydantic import (
    BeforeValidator,
    Discriminator,
    Field,
    PrivateAttr,
    Tag,
    WithJsonSchema,
    model_validator,
)

from collision.scene.names import check_name
from collision.scene.shows import SHOW_QUERIES, Camera, Show, ShowQuery
from collision.scenefile.expects import AnyGroup, ExpectTable, GroupTable, RayTable
from collision.scenefile.motions import MotionTable
from collision.scenefile.numbers import (
    Place,
    Size,
    mismatch,
    problem,
)
from collision.scenefile.placement import AxisAngle, Euler, Matrix, TransformTable
from collision.scenefile.shapes import FORMS, ShapeTable, constructor_problem, form_of
from collision.scenefile.tables import Table


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


def _read_group_name(name: str) -> str:
    try:
        check_name(name)
    except ValueError as error:
        raise problem(str(error).replace("a shape's name", "the name of a group")) from None
    return name


ShapeName: TypeAlias = Annotated[str, BeforeValidator(_read_name)]
GroupName: TypeAlias = Annotated[str, BeforeValidator(_read_group_name)]

Pair: TypeAlias = Annotated[
    tuple[str, str],
    BeforeValidator(_read_pair),
    WithJsonSchema({"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2}),
]

if TYPE_CHECKING:
    AnyShape: TypeAlias = ShapeTable
else:  # any of the forms, which `form_of` distinguishes
    AnyShape = Annotated[
        reduce(or_, (Annotated[table, Tag(name)] for name, table in FORMS.items())), Discriminator(form_of)
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
    expect: list[ExpectTable] = Field(default=[], description="What the scene promises, [[expect]] each.")
    groups: dict[GroupName, AnyGroup] = Field(
        default={}, description="Names that stand for several names and patterns in [[expect]]."
    )
    open: bool = Field(
        default=False, description="Whether pairs that no [[expect]] is about may collide; they may not unless it is."
    )


#: The tables by what stands in their place in the path of an error.
TABLES: Mapping[str, type[Table]] = {
    **FORMS,
    "camera": CameraTable,
    "transform": TransformTable,
    "show": ShowTable,
    "motion": MotionTable,
    "expect": ExpectTable,
    "groups": GroupTable,
    "expected ray": RayTable,
    **{form.__name__: form for form in (AxisAngle, Euler, Matrix)},
}
