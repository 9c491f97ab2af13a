"""The tables of a scene file, which keys each takes, and the shape that each makes.

Those of shapes are in `collision.files.shapes`.
"""

from __future__ import annotations

from typing import Any, ClassVar, get_args

from collision.base.fields import FloatArray
from collision.files.errors import WrongError, mismatch, problem, suggestion
from collision.files.expects import GROUP, ExpectTable, GroupTable
from collision.files.motions import MotionTable
from collision.files.numbers import PLACE, SIZE
from collision.files.shapes import FORMS, KIND_NAMES, ShapeTable, constructor_problem, form_of
from collision.files.tables import Named, Own, Rows, Table, Text, Truth, Word, holds
from collision.files.toml import inline, shortened
from collision.scene.names import check_name
from collision.scene.shows import SHOW_QUERIES, Camera, Show, ShowQuery


class CameraTable(Table):
    """Where the picture is taken from; without it, the picture frames the scene."""

    called: ClassVar[str] = "a camera"

    position: FloatArray = holds(PLACE, "The eye.")
    target: FloatArray | None = holds(PLACE, "The point it looks at; the origin unless given.", default=None)
    up: FloatArray | None = holds(PLACE, "What is up in the picture; z unless given.", default=None)
    view_angle: FloatArray | None = holds(
        SIZE, "Degrees from the lower to the upper edge; 30 unless given.", default=None
    )
    parallel_height: FloatArray | None = holds(
        SIZE, "Height of the picture in scene units; given, the projection is parallel.", default=None
    )

    def _build(self) -> None:
        given: dict[str, Any] = {name: value.tolist() for name, value in self.given().items()}
        try:
            self._camera = Camera(**given)
        except ValueError as error:
            raise constructor_problem(error, CameraTable) from None

    @property
    def camera(self) -> Camera:
        """The camera."""
        return self._camera


class ShowTable(Table):
    """A query whose answer is drawn, and drawn anew whenever its shapes move."""

    called: ClassVar[str] = "an entry of show"

    query: ShowQuery = holds(Word(*get_args(ShowQuery)), "What is asked.")
    a: str = holds(Text(), "The name of a shape; the line, ray or point where the query takes one.")
    b: str = holds(Text(), "The name of the other shape, where the query takes two.", default="")
    label: str = holds(Text(), "Words to put before the numbers.", default="")

    def _build(self) -> None:
        if SHOW_QUERIES[self.query] == 2 and not self.b:
            raise problem(f"missing; {self.query} takes two shapes, a and b", ("b",))
        if SHOW_QUERIES[self.query] == 1 and self.b:
            raise mismatch(f"no second shape ({self.query} takes one, a)", self.b, ("b",))
        if not self.a:
            raise mismatch("the name of a shape", self.a, ("a",))
        self._show = Show(self.query, self.a, self.b, self.label)

    @property
    def show(self) -> Show:
        """The query to draw."""
        return self._show


def _read_pair(value: object) -> object:
    if type(value) is not list or len(value) != 2 or not all(type(name) is str and name for name in value):
        raise mismatch('a pair of names or patterns, such as ["arm*", "torso"]', value)
    return tuple(value)


def _check_name(name: str) -> None:
    try:
        check_name(name)
    except ValueError as error:
        raise problem(str(error)) from None


def _check_group_name(name: str) -> None:
    try:
        check_name(name)
    except ValueError as error:
        raise problem(str(error).replace("a shape's name", "the name of a group")) from None


PAIR = Own(_read_pair, {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2})


class Shapes(Named):
    """All shapes by name, each in the form that its keys tell."""

    def _value(self, name: str, value: Any) -> ShapeTable:
        form = form_of(value)
        if form is None:
            raise _unknown_kind(name, value)
        return FORMS[form].read(value)


class AnyShape:
    """A shape of any kind, for the JSON schema."""

    def read(self, value: Any) -> ShapeTable:
        """Return the table of its form."""
        return FORMS[form_of(value) or ""].read(value)

    def schema(self, tables: dict[str, Any]) -> dict[str, Any]:
        """Return its JSON schema."""
        return {"oneOf": [form.schema(tables) for form in FORMS.values()]}


#: What kinds of other programs are here.
_ELSEWHERE = {
    "cylinder": 'the nearest to a cylinder is "capsule", whose ends are round',
    **dict.fromkeys(("cube", "cuboid", "obb"), 'did you mean "box"?'),
    **dict.fromkeys(("ball", "circle"), 'did you mean "sphere"?'),
    **dict.fromkeys(("plane", "ground", "floor"), 'did you mean "halfspace"?'),
}


def _unknown_kind(name: str, value: Any) -> WrongError:
    kinds = ", ".join(KIND_NAMES.values())
    if not isinstance(value, dict):
        return mismatch('a table such as { kind = "point", position = [0, 0, 0] }', value)
    if "kind" in value:
        text = f"expected one of {kinds}, got {shortened(value['kind'])}"
        meant = _ELSEWHERE.get(str(value["kind"]).lower())
        return problem(text + (f"; {meant}" if meant else suggestion(value["kind"], KIND_NAMES.values())), ("kind",))
    inner = [name for name, item in value.items() if isinstance(item, dict) and "kind" in item]
    if inner:
        quoted = inline(f"{name}.{inner[0]}")
        return problem(f"a name with a dot in it stands in quotes: [shapes.{quoted}]")
    return problem(f"missing; a shape needs a kind: {kinds}", ("kind",))


class SceneTable(Table):
    """Shapes by name, what to ignore of them, and what to show."""

    called: ClassVar[str] = "a scene"

    title: str = holds(Text(), "What the scene is called.", default="")
    caption: str = holds(Text(), "What it teaches, in a sentence or two.", default="")
    ignore: list[tuple[str, str]] = holds(
        Rows(PAIR), 'Pairs of names that are never reported; in a name "*" stands for anything.', default=[]
    )
    camera: CameraTable | None = holds(CameraTable, "Where the picture is taken from.", default=None)
    shapes: dict[str, ShapeTable] = holds(
        Shapes(_check_name, AnyShape()), "The shapes, [shapes.NAME], in the order they are numbered."
    )
    show: list[ShowTable] = holds(
        Rows(ShowTable, "show"), "Queries whose answers are drawn, [[show]] each.", default=[]
    )
    motion: list[MotionTable] = holds(
        Rows(MotionTable, "motion"),
        "How shapes move, [[motion]] each, in the order in which it is carried out.",
        default=[],
    )
    expect: list[ExpectTable] = holds(
        Rows(ExpectTable, "expect"), "What the scene promises, [[expect]] each.", default=[]
    )
    groups: dict[str, GroupTable] = holds(
        Named(_check_group_name, GROUP), "Names that stand for several names and patterns in [[expect]].", default={}
    )
    open: bool = holds(
        Truth(), "Whether pairs that no [[expect]] is about may collide; they may not unless it is.", default=False
    )
