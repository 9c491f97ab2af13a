"""The tables of a scene file: one pydantic model each, which checks its keys and makes what the table describes.

What only a constructor knows (``lower`` above ``upper``, lists that do not fit together) is found while a table is
read, and so is reported along with everything else. A new kind of shape is a new `ShapeTable` in `SHAPE_TABLES`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import reduce
from itertools import pairwise
from typing import Annotated, Any, ClassVar, Literal, Self, TypeAlias, get_args

import numpy as np
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    TypeAdapter,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WithJsonSchema,
    WrapValidator,
    create_model,
    model_validator,
)
from pydantic.functional_validators import ModelWrapValidatorHandler
from pydantic_core import CoreSchema, ErrorDetails, PydanticCustomError, core_schema

from collision.base.decimals import near_decimal
from collision.base.fields import LARGEST, FloatArray
from collision.files.errors import Problem, mismatch, nearest, problem, suggestion, wrong
from collision.files.numbers import (
    AXES,
    Axes,
    Extents,
    Frames,
    Number,
    Numbers,
    Points,
    Quaternions,
    Scalars,
    Sizes,
    Vector,
    joint_axes,
)
from collision.files.toml import Path, inline, shortened
from collision.scene.expectations import EXPECTATION_KINDS, PAIR_KINDS, TAKES, Expectation, Kind, When
from collision.scene.name_groups import NameGroup
from collision.scene.names import check_name
from collision.scene.shows import SHOW_QUERIES, Camera, Show, ShowQuery
from collision.shapes.capsule_space import Axis, CapsuleCollider
from collision.shapes.kinds import (
    AABB,
    Capsule,
    ConvexHull,
    Cylinder,
    HalfSpace,
    Line,
    OrientedBox,
    Point,
    Ray,
    Segment,
    Shape,
    Sphere,
    out_of_range,
)
from collision.shapes.motion import LATEST, Motion
from collision.shapes.rotations import KnownQuaternions
from collision.shapes.transforms import Transform

# -- what all tables have in common ------------------------------------------------------------------------------------

#: What pydantic's own errors expect, in the words of a file.
_EXPECTED = {
    "string_type": "text in quotes",
    "bool_type": "true or false",
    "list_type": "a list",
    "dict_type": "a table",
}


def _title(table: type[Any]) -> str:
    """Return the title that a table has in the schema."""
    called: str = table.called
    return called.partition(" ")[2].capitalize()


class FileTable(BaseModel):
    """A table: unknown keys are errors, and nothing is converted that is of another type."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        arbitrary_types_allowed=True,
        defer_build=True,
        model_title_generator=_title,
    )

    #: What the table is called in an error.
    called: ClassVar[str]

    _result: Any = None

    @property
    def result(self) -> Any:
        """What the table describes."""
        return self._result

    def _make(self) -> Any:
        """Make what the table describes of its values, each of which is right."""

    @model_validator(mode="wrap")
    @classmethod
    def _read(cls, value: Any, read: ModelWrapValidatorHandler[Self]) -> Self:
        if not isinstance(value, dict):
            raise mismatch("a table", value)
        try:
            table = read(value)
            table._result = table._make()
        except ValidationError as error:
            raise wrong(*cls._in_words(error.errors(include_url=False))) from None
        except ValueError as error:  # of a constructor: "Kind.field must be ..."
            found = re.fullmatch(r"(\w+)\.(\w+) (.*)", str(error), re.DOTALL)
            if found is None or found[2] not in cls.model_fields:
                raise problem(str(error)) from None
            raise problem(found[3].replace(f"{found[1]}.", ""), (found[2],)) from None
        return table

    @classmethod
    def _in_words(cls, errors: list[ErrorDetails]) -> list[Problem]:
        """Say what pydantic found in the words of a file."""
        unknown = [error["loc"][0] for error in errors if error["type"] == "extra_forbidden"]
        misspelt = {near for name in unknown for near in nearest(name, cls.model_fields)}
        return [
            Problem(error["loc"], cls._in_word(error))
            for error in errors
            if error["type"] != "missing" or error["loc"][0] not in misspelt
        ]

    @classmethod
    def _in_word(cls, error: ErrorDetails) -> str:
        if error["type"] == "problem":
            return error["msg"]
        name, value = error["loc"][0], error["input"]
        match error["type"]:
            case "missing":
                needed = [name for name, field in cls.model_fields.items() if field.is_required()]
                return f"missing; {cls.called} needs {', '.join(needed)}"
            case "extra_forbidden":
                return cls._unknown_key(str(name))
            case "literal_error":
                words = get_args(cls.model_fields[str(name)].annotation)
                return f"expected one of {', '.join(words)}, got {shortened(value)}{suggestion(value, words)}"
            case "list_type" if name in ("show", "motion", "expect", "accept") and isinstance(value, dict):
                return f"expected a list of tables: the header of each stands in two brackets, [[{name}]]"
            case kind:
                return f"expected {_EXPECTED[kind]}, got {shortened(value)}"

    @classmethod
    def _unknown_key(cls, name: str) -> str:
        known = cls.model_fields
        return "unknown key" + (suggestion(name, known) or f"; {cls.called} takes {', '.join(known)}")

    def given(self) -> dict[str, Any]:
        """Return the values of the keys that are there, in the order of the class."""
        return {name: getattr(self, name) for name in type(self).model_fields if name in self.model_fields_set}


def required(description: str) -> Any:
    """Return what pydantic is to know of a key that must be there."""
    return Field(description=description)


def optional(description: str, default: Any = None) -> Any:
    """Return what pydantic is to know of a key that may be left out."""
    return Field(default=default, description=description)


class OneOf:
    """The pydantic type of a value of one of several types: `choose` names that of a value, or raises."""

    def __init__(self, choose: Callable[[Any], str], types: Mapping[str, Any]) -> None:
        self._choose, self._types = choose, types
        self._adapters: dict[str, TypeAdapter[Any]] = {}

    def read(self, value: Any) -> Any:
        """Check a value, and return what its type makes of it."""
        name = self._choose(value)
        if name not in self._adapters:
            self._adapters[name] = TypeAdapter(self._types[name])
        return self._adapters[name].validate_python(value)

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self.read)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        types = {name: TypeAdapter(one).core_schema for name, one in self._types.items()}
        return handler(core_schema.tagged_union_schema(types, self._choose))


def expecting(expected: str) -> WrapValidator:
    """Have all errors of a type say what a user has to write."""

    def read(value: Any, check: ValidatorFunctionWrapHandler) -> Any:
        try:
            return check(value)
        except ValidationError:
            raise mismatch(expected, value) from None

    return WrapValidator(read)


# -- rotations and transforms; angles in degrees -----------------------------------------------------------------------


class AxisAngle(FileTable):
    """A turn about an axis."""

    called = "a rotation by axis and angle"

    axis: Axes = required('"x", "y", "z" or a direction [x, y, z], of any length.')
    angle: Scalars = required("Degrees, counterclockwise when looking against the axis.")

    def _make(self) -> None:
        joint_axes(axis=self.axis.shape[:-1], angle=self.angle.shape)

    def matrices(self) -> FloatArray:
        """Return (..., 3, 3) rotation matrices."""
        return _about(self.axis, self.angle)


def _about(axis: FloatArray, angle: FloatArray) -> FloatArray:
    """Return (..., 3, 3) rotation matrices, by Rodrigues' formula; those of quarter turns are exact."""
    unit = axis / np.abs(axis).max(axis=-1, keepdims=True)
    unit = unit / np.linalg.norm(unit, axis=-1, keepdims=True)
    within = np.remainder(angle, 360.0)
    sine = np.where(within % 180.0 == 0.0, 0.0, np.sin(np.radians(within)))[..., None, None]
    cosine = np.where(within % 180.0 == 90.0, 0.0, np.cos(np.radians(within)))[..., None, None]
    x, y, z = np.moveaxis(unit, -1, 0)
    zero = np.zeros_like(x)
    rows = [np.stack(row, axis=-1) for row in ((zero, -z, y), (z, zero, -x), (-y, x, zero))]
    outer = unit[..., :, None] * unit[..., None, :]
    return np.asarray(cosine * np.eye(3) + sine * np.stack(rows, axis=-2) + (1.0 - cosine) * outer)


def _check_order(order: str) -> str:
    if (
        len(order) != 3
        or order not in (order.lower(), order.upper())
        or not set(order.lower()) <= set(AXES)
        or any(a == b for a, b in pairwise(order))
    ):
        raise mismatch('three axes in order, such as "xyz" or (turning with the shape) "ZYX"', order)
    return order


class Euler(FileTable):
    """Three turns, one after the other."""

    called = "a rotation by euler angles"

    euler: Points = required("Three angles in degrees, in the order of the letters.")
    order: Annotated[str, AfterValidator(_check_order)] = Field(
        default="xyz",
        description='Which axes to turn about, as "xyz": the axes of the world. In capitals, the axes as they turn.',
        json_schema_extra={"pattern": "^([xyz]{3}|[XYZ]{3})$"},
    )

    def matrices(self) -> FloatArray:
        """Return (..., 3, 3) rotation matrices."""
        turns = [_about(np.array(AXES[c]), self.euler[..., i]) for i, c in enumerate(self.order.lower())]
        if self.order.islower():
            turns.reverse()  # about the axes of the world, the last turn comes last: it stands leftmost
        return np.asarray(turns[0] @ turns[1] @ turns[2])


class Matrix(FileTable):
    """A rotation matrix."""

    called = "a rotation by its matrix"

    matrix: Frames = required(
        "Three rows; the columns are the turned axes. Six digits do: the nearest rotation is taken."
    )

    def matrices(self) -> FloatArray:
        """Return the (..., 3, 3) matrices themselves."""
        return self.matrix


def _rotation_type(value: Any) -> str:
    if isinstance(value, list):
        return "quaternion"
    types = {"axis": "axis", "angle": "axis", "euler": "euler", "order": "euler", "matrix": "matrix"}
    for key in value if isinstance(value, dict) else ():
        if key in types:
            return types[key]
    raise mismatch("a quaternion [x, y, z, w], { axis, angle }, { euler } or { matrix }", value)


Turn: TypeAlias = Annotated[
    FloatArray | AxisAngle | Euler | Matrix,
    OneOf(_rotation_type, {"quaternion": Quaternions, "axis": AxisAngle, "euler": Euler, "matrix": Matrix}),
]

#: The description of keys that hold a rotation.
_ROTATION = "A quaternion [x, y, z, w], { axis, angle }, { euler } or { matrix }; angles in degrees."


def _matrices(turn: FloatArray | AxisAngle | Euler | Matrix) -> FloatArray:
    """Return the (..., 3, 3) rotation matrices of a rotation, however it is written."""
    return turn.matrices() if isinstance(turn, FileTable) else Transform(rotation=KnownQuaternions(turn)).axes


class TransformTable(FileTable):
    """Where an object is: scale first, then rotation, then translation."""

    called = "a transform"

    position: Points | None = optional("The translation.")
    rotation: Turn | None = optional(_ROTATION)
    scale: Scalars | None = optional("One factor, or one for each axis; negative ones mirror.")

    def _make(self) -> Transform:
        given, trailing = self.given(), {"position": 1, "rotation": 2, "scale": 0}
        if self.rotation is not None:
            given["rotation"] = _matrices(self.rotation)
        if self.scale is not None and self.scale.shape[-1:] == (3,):
            trailing["scale"] = 1
        joint_axes(**{name: array.shape[: array.ndim - trailing[name]] for name, array in given.items()})
        return Transform(**given)


# -- shapes ------------------------------------------------------------------------------------------------------------


class ShapeTable(FileTable):
    """One shape, or a batch of one kind."""

    made: ClassVar[type[Shape]]

    transform: TransformTable | None = optional("Scales, turns and moves the shape.")

    def _make(self) -> Shape:
        with np.errstate(all="ignore"):  # what overflows is found, and refused, as not finite
            shape = self._in_world(None if self.transform is None else self.transform.result)
        if shape.out_of_range:
            raise problem(out_of_range(shape))
        return shape

    def _in_world(self, transform: Transform | None) -> Shape:
        shape = self._local()
        if transform is None:
            return shape
        joint_axes(shape=shape.batch_shape, transform=transform.batch_shape)
        return shape.transformed(transform)

    def _local(self) -> Shape:
        """Make the shape as if there were no transform."""
        self._batch_shape()
        return self.made(**self._numbers())

    def _numbers(self) -> dict[str, FloatArray]:
        """Return the keys that hold numbers, those that are not given left out."""
        return {name: value for name, value in self.given().items() if isinstance(value, np.ndarray)}

    def _batch_shape(self) -> tuple[int, ...]:
        widths = {field.name: field.width for field in self.made._fields} | {"height": 0}
        return joint_axes(
            **{name: value.shape[: value.ndim - widths.get(name, 1)] for name, value in self._numbers().items()}
        )


def _shape_table(made: type[Shape], called: str, description: str, **keys: str) -> type[ShapeTable]:
    """Return the table of a kind whose keys are the fields of its shapes; `keys` has what the schema says of each."""
    kind: Any = made.__name__.lower()
    fields: dict[str, Any] = {"kind": (Literal[kind], ...)}
    for field in made._fields:
        numbers = Annotated[FloatArray, Numbers(*field.core, rule=field.rule)]
        fields[field.name] = (numbers, required(keys[field.name]))
    table = create_model(f"{made.__name__}FileTable", __base__=ShapeTable, __doc__=description, **fields)
    table.made, table.called = made, called
    return table


class CapsuleTable(ShapeTable):
    """All points within a radius of a segment."""

    called = "a capsule by its ends"
    made = Capsule

    kind: Literal["capsule"]
    start: Points = required("The center of one cap.")
    end: Points = required("The center of the other cap.")
    radius: Sizes = required("Zero or more.")

    @classmethod
    def _unknown_key(cls, name: str) -> str:
        if name in ColliderTable.model_fields:
            return "expected start, end and radius alone; or, without start and end, center, axis, height and radius"
        return super()._unknown_key(name)


class ColliderTable(ShapeTable):
    """A capsule as game engines give it; under a scale it follows their rule and stays a capsule."""

    called = "a capsule by axis and height"
    made = Capsule

    kind: Literal["capsule"]
    center: Points | None = optional("The middle.")
    axis: Axis = required("The axis that it lies along.")
    height: Sizes = required("From tip to tip, caps included; less than two radii makes a sphere.")
    radius: Sizes = required("Zero or more.")

    def _in_world(self, transform: Transform | None) -> Shape:
        batch_shape, transform = self._batch_shape(), transform or Transform()
        collider = CapsuleCollider(axis=self.axis, **self._numbers())
        joint_axes(shape=batch_shape, transform=transform.batch_shape)
        capsule = collider.in_world(transform)
        # The ends of one of height 1.6 and radius 0.3 around 0.7 are 0.2 and 1.2, whatever floats make of 0.7 - 0.5. So
        # one that is moved by a number that people write is still around a point that they would write.
        given = (self.center, self.transform and self.transform.position)
        points = [capsule.start, capsule.end, *(one for one in given if isinstance(one, np.ndarray))]
        largest = reduce(np.maximum, map(np.abs, points))
        return replace(capsule, **{end: near_decimal(getattr(capsule, end), largest) for end in ("start", "end")})


class BoxTable(ShapeTable):
    """A box turned any way."""

    called = "a box"
    made = OrientedBox

    model_config = ConfigDict(json_schema_extra={"oneOf": [{"required": ["half_extents"]}, {"required": ["size"]}]})

    kind: Literal["box"]
    center: Points = required("The middle.")
    half_extents: Extents | None = optional("Half the size along each of the box's axes.")
    size: Extents | None = optional("The size along each of the box's axes.")
    axes: Frames | None = optional("Three rows of a rotation matrix; its columns are the axes. Six digits do.")
    rotation: Turn | None = optional(_ROTATION)

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
            axes = _matrices(self.rotation)
        joint_axes(center=self.center.shape[:-1], rotation=axes.shape[:-2], size=half.shape[:-1])
        return OrientedBox(self.center, axes, half)


class HullTable(ShapeTable):
    """The convex hull of points, maybe grown by a radius."""

    called = "a hull"
    made = ConvexHull

    kind: Literal["hull"]
    points: Annotated[FloatArray, Numbers(None, 3)] = required("One or more; those inside change nothing.")
    radius: Sizes | None = optional("Zero or more: by how much the hull is grown. It is zero if left out.")


_DIRECTION = "Where it goes; the length does not matter."

#: The table of each kind of shape, and of the second form of a capsule.
SHAPE_TABLES: Mapping[str, type[ShapeTable]] = {
    "point": _shape_table(Point, "a point", "A point.", position="Where it is."),
    "segment": _shape_table(
        Segment, "a segment", "The straight piece between two points.", start="One end.", end="The other end."
    ),
    "ray": _shape_table(Ray, "a ray", "A half line.", origin="Where it starts.", direction=_DIRECTION),
    "line": _shape_table(Line, "a line", "A line without ends.", point="Any point of it.", direction=_DIRECTION),
    "sphere": _shape_table(
        Sphere, "a sphere", "All points within a radius of a center.", center="The middle.", radius="Zero or more."
    ),
    "capsule": CapsuleTable,
    "collider": ColliderTable,
    "cylinder": _shape_table(
        Cylinder,
        "a cylinder",
        "A cylinder with flat ends.",
        start="The middle of one end.",
        end="The middle of the other end, which is another point.",
        radius="Zero or more.",
    ),
    "aabb": _shape_table(
        AABB,
        "an aabb",
        "A box along the axes of the world; turned, it becomes the upright box around itself.",
        lower="The corner with the smallest coordinates.",
        upper="The corner with the largest coordinates.",
    ),
    "box": BoxTable,
    "halfspace": _shape_table(
        HalfSpace,
        "a halfspace",
        "All that is behind a plane, without bounds.",
        point="Any point of the plane.",
        normal="Out of the solid; the length does not matter.",
    ),
    "hull": HullTable,
}

#: The name of each kind in a file.
KIND_NAMES: Mapping[type[Shape], str] = {
    table.made: get_args(table.model_fields["kind"].annotation)[0] for table in SHAPE_TABLES.values()
}

#: What kinds of other programs are here.
_ELSEWHERE = {
    **dict.fromkeys(("cube", "cuboid", "obb"), 'did you mean "box"?'),
    **dict.fromkeys(("ball", "circle"), 'did you mean "sphere"?'),
    **dict.fromkeys(("plane", "ground", "floor"), 'did you mean "halfspace"?'),
    **dict.fromkeys(("convexhull", "convex", "polytope", "polyhedron"), 'did you mean "hull"?'),
}


def shape_form(value: Any) -> str:
    """Return which of `SHAPE_TABLES` a table is: that of its kind and, for a capsule, of its keys."""
    kinds = KIND_NAMES.values()
    if not isinstance(value, dict):
        raise mismatch('a table such as { kind = "point", position = [0, 0, 0] }', value)
    kind = value.get("kind")
    if kind == "capsule" and {"center", "axis", "height"} & value.keys() and not {"start", "end"} & value.keys():
        return "collider"
    if isinstance(kind, str) and kind in kinds:
        return kind
    if "kind" in value:
        meant = _ELSEWHERE.get(str(kind).lower())
        hint = f"; {meant}" if meant else suggestion(kind, kinds)
        raise problem(f"expected one of {', '.join(kinds)}, got {shortened(kind)}{hint}", ("kind",))
    inner = [name for name, item in value.items() if isinstance(item, dict) and "kind" in item]
    if inner:
        raise PydanticCustomError("name with a dot", "{rest}", {"rest": inner[0]})
    raise problem(f"missing; a shape needs a kind: {', '.join(kinds)}", ("kind",))


# -- what a scene holds beside shapes ----------------------------------------------------------------------------------


class CameraTable(FileTable):
    """Where the picture is taken from; without it, the picture frames the scene."""

    called = "a camera"

    position: Vector = required("The eye.")
    target: Vector | None = optional("The point it looks at; the origin unless given.")
    up: Vector | None = optional("The direction that is up in the picture; z unless given.")
    view_angle: Number | None = optional("Degrees from the lower to the upper edge; 30 unless given.")
    parallel_height: Number | None = optional(
        "Height of the picture in scene units; given, the projection is parallel."
    )

    def _make(self) -> Camera:
        return Camera(**self.given())


class ShowTable(FileTable):
    """A query whose answer is drawn, and drawn anew whenever its shapes move."""

    called = "an entry of show"

    query: ShowQuery = required("The query.")
    a: str = required("The name of a shape; the line, ray or point where the query takes one.")
    b: str = optional("The name of the other shape, where the query takes two.", "")
    label: str = optional("Words to put before the numbers.", "")

    def _make(self) -> Show:
        if SHOW_QUERIES[self.query] == 2 and not self.b:
            raise problem(f"missing; {self.query} takes two shapes, a and b", ("b",))
        if SHOW_QUERIES[self.query] == 1 and self.b:
            raise mismatch(f"no second shape ({self.query} takes one, a)", self.b, ("b",))
        if not self.a:
            raise mismatch("the name of a shape", self.a, ("a",))
        return Show(self.query, self.a, self.b, self.label)


#: A turn about one axis of as many degrees or more, from keyframe to keyframe, is cut into pieces: rotations alone do
#: not tell which way round it goes, or how often.
LONGEST_TURN, PIECE = 180.0, 120.0

#: More keyframes than this are not made of one long turn.
MAX_PIECES = 100_000


class MotionTable(FileTable):
    """How shapes move, by keyframes."""

    called = "an entry of motion"

    shape: str = required('The name of a shape or of an element, or a pattern in which "*" is anything.')
    time: Scalars = required("The times of the keyframes, at least two, ascending.")
    offset: Points | None = optional("How far the shape is from its place at each time; or one for all.")
    rotation: Turn | None = optional("How the shape is turned at each time: lists in the forms that rotations have.")
    pivot: Vector | None = optional(
        "The point of the scene at rest that it turns about; the middle of the shape unless given."
    )

    def _make(self) -> Motion:
        if not self.shape:
            raise mismatch("the name of a shape", self.shape, ("shape",))
        self._check_times()
        for key, points in (("offset", self.offset), ("pivot", self.pivot)):
            for index in np.argwhere(np.abs(np.zeros(3) if points is None else points) > LARGEST)[:1].tolist():
                raise mismatch("a number within ±1e72", float(np.asarray(points)[tuple(index)]), (key, *index))
        if self.offset is None and self.rotation is None:
            raise problem(f"missing; {self.called} needs an offset or a rotation, or both")
        times, offsets = self.time, self._at_each_time("offset", self.offset, np.zeros(3))
        turns = self._turns()
        if isinstance(self.rotation, AxisAngle) and self.rotation.axis.ndim == 1:
            times, offsets, turns = self._cut(self.rotation, offsets, turns)
        rotations = KnownQuaternions(turns) if turns.shape[-1] == 4 else turns
        return Motion(self.shape, times, offsets, rotations, pivot=self.pivot)

    def _check_times(self) -> None:
        if self.time.ndim != 1 or len(self.time) < 2:
            raise problem("expected a list of at least two times, such as [0, 1, 2.5]", ("time",))
        far = np.flatnonzero(np.abs(self.time) > LATEST)
        if len(far):
            raise mismatch(f"a time within ±{LATEST:g}", float(self.time[far[0]]), ("time", int(far[0])))
        late = np.flatnonzero(np.diff(self.time) <= 0.0)
        if len(late):
            at = int(late[0]) + 1
            raise mismatch(f"a time after {self.time[at - 1]:g}", float(self.time[at]), ("time", at))

    def _turns(self) -> FloatArray:
        """Return the rotations at the times as they are written: quaternions remain such, to the last bit."""
        if self.rotation is None or isinstance(self.rotation, np.ndarray):
            return self._at_each_time("rotation", self.rotation, np.array([0.0, 0.0, 0.0, 1.0]))
        return self._at_each_time("rotation", _matrices(self.rotation), np.eye(3))

    def _at_each_time(self, key: str, given: FloatArray | None, rest: FloatArray) -> FloatArray:
        """Return a value for every time, where there is one for each or one for all."""
        values, shape = (rest if given is None else given), (len(self.time), *rest.shape)
        if values.shape not in (shape, rest.shape):
            count = f"{len(values)}" if values.ndim == rest.ndim + 1 else f"lists of shape {values.shape[: -rest.ndim]}"
            raise problem(f"expected one for each of the {len(self.time)} times (or one for all), got {count}", (key,))
        return np.broadcast_to(values, shape)

    def _cut(
        self, turn: AxisAngle, offsets: FloatArray, turns: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return times, offsets and rotations, with keyframes between those that are a long turn apart."""
        angles = np.broadcast_to(turn.angle, self.time.shape)
        steps = np.abs(np.diff(angles))
        pieces = np.where(steps < LONGEST_TURN, 1.0, np.ceil(steps / PIECE))
        if not np.any(pieces > 1.0):
            return self.time, offsets, turns
        if pieces.sum() > MAX_PIECES:
            raise problem(f"expected at most {int(MAX_PIECES * PIECE / 360):,} whole turns", ("rotation", "angle"))
        # Where the new keyframes are, counted in old ones; whole numbers where an old one was.
        between = [k + np.arange(count) / count for k, count in enumerate(map(int, pieces))]
        new, old = np.concatenate([*between, [float(len(pieces))]]), np.arange(len(self.time), dtype=np.float64)
        columns = [np.interp(new, old, column) for column in (self.time, angles, *offsets.T)]
        return columns[0], np.stack(columns[2:], axis=-1), _about(turn.axis, columns[1])


# -- groups and promises -----------------------------------------------------------------------------------------------

Name: TypeAlias = Annotated[str, Field(min_length=1)]
NameList: TypeAlias = Annotated[list[Name], Field(min_length=1)]
NamePair: TypeAlias = Annotated[list[Name], Field(min_length=2, max_length=2)]

Names: TypeAlias = Annotated[
    Name | NameList, expecting('a name or a list of names and patterns, such as ["arm*", "hand"]')
]
_SIDES = expecting('a pair of names, patterns or groups, such as ["gripper", "crate"]')
Sides: TypeAlias = Annotated[NamePair, _SIDES]
Inside: TypeAlias = Annotated[Name | NamePair, _SIDES]


def _in_order(value: Any, check: ValidatorFunctionWrapHandler) -> Any:
    found = check(value)
    if isinstance(found, list) and len(found) == 2 and not found[0] <= found[1]:
        raise mismatch("the lower number first", value)
    return found[0] if isinstance(found, list) and len(found) == 1 else found


Bounds: TypeAlias = Annotated[
    float | Annotated[list[float], Field(min_length=1, max_length=2)],
    expecting("a number, or two, the lower one first, such as [0.1, 0.2]"),
    WrapValidator(_in_order),
]
Span: TypeAlias = Annotated[
    list[float],
    Field(min_length=2, max_length=2),
    expecting("two times, such as [2, 3.5]"),
    WrapValidator(_in_order),
]
Yes: TypeAlias = Annotated[Literal[True], expecting("true (or leave the key out)")]


class GroupTable(FileTable):
    """Names under one name."""

    called = "a group"

    include: Names = required('Names of shapes, patterns in which "*" is anything, and other groups.')
    exclude: Names = optional("Those of these names that the group leaves out.", [])

    def _make(self) -> NameGroup:
        return NameGroup(self.include, self.exclude)


def _group_type(value: Any) -> str:
    if not isinstance(value, str | list | dict):
        raise mismatch('a list of names and patterns, or { include = ["*"], exclude = ["arm"] }', value)
    return "table" if isinstance(value, dict) else "names"


_Included: TypeAlias = Annotated[
    GroupTable,
    BeforeValidator(lambda names: {"include": names}),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}, "minItems": 1}]}),
]
Group: TypeAlias = Annotated[GroupTable, OneOf(_group_type, {"names": _Included, "table": GroupTable})]


class FreeRayTable(FileTable):
    """A ray that is no shape of the scene."""

    called = "a ray"

    origin: Vector = required("Where it starts.")
    direction: Vector = required("Which way it goes.")


def _ray_type(value: Any) -> str:
    if isinstance(value, dict):
        return "table"
    if value and isinstance(value, str):
        return "name"
    raise mismatch("the name of a ray, or { origin = [0, 0, 5], direction = [0, 0, -1] }", value)


AnyRay: TypeAlias = Annotated[str | FreeRayTable, OneOf(_ray_type, {"name": Name, "table": FreeRayTable})]


class ExpectTable(FileTable):
    """A promise of the scene."""

    called = "an entry of expect"

    collide: Sides | None = optional("At least one pair between the two collides.")
    apart: Sides | None = optional("All pairs between the two are apart.")
    touch: Sides | None = optional("The two touch, and neither overlap nor are apart.")
    ray: AnyRay | None = optional("A ray, by its name or { origin, direction }; hits says which shape it hits first.")
    sweep: str | None = optional("A shape that goes along motion; hits says which shape it touches first.")
    inside: Inside | None = optional("The first lies in the second; or, with a point, the point lies in the named one.")
    depth: Bounds | None = optional("How deep they overlap: at most, or [at least, at most].")
    clearance: Number | None = optional("How far apart they are, at least.")
    tolerance: Number | None = optional("How far from touching they may be.")
    normal: Vector | None = optional("The direction from the first to the second.")
    within: Number | None = optional("Degrees that the normal may be off; 5 unless given.")
    hits: str | None = optional('The shape that is hit first; "" for none.')
    distance: Bounds | None = optional("Where along the ray: there, or [at least, at most].")
    motion: Vector | None = optional("The way that is swept.")
    fraction: Bounds | None = optional("The part of the motion done: 0 to 1, or two such.")
    without: Names | None = optional("Shapes that rays and sweeps pass through.")
    point: Vector | None = optional("A point that lies inside.")
    always: Yes | None = optional("It holds all the while.")
    ever: Yes | None = optional("It holds at some time.")
    never: Yes | None = optional("It holds at no time.")
    at: Number | None = optional("The time at which it holds.")
    during: Span | None = optional("The time in which it holds.")
    reason: str = optional("Why; it is shown where the promise is broken.", "")
    id: str = optional("Its name in reports; made of the kind, the names and the time unless given.", "")

    def _make(self) -> Expectation:
        kind = self._kind()
        fields = self._fields(kind)
        for name in fields:
            if name not in (*TAKES[kind], "reason", "id"):
                own = _file_key(kind, name)
                takes = ", ".join(dict.fromkeys(_file_key(kind, one) for one in TAKES[kind]))
                raise problem(f"{kind} takes no {own}; it takes {takes}", (own,))
        try:
            return Expectation(kind, **fields)
        except (TypeError, ValueError) as error:
            raise _promise_problem(kind, str(error)) from None

    def _kind(self) -> Kind:
        kinds = [kind for kind in EXPECTATION_KINDS if getattr(self, kind) is not None]
        if len(kinds) == 1:
            return kinds[0]
        if not kinds:
            raise problem(f"missing; it takes one of {', '.join(EXPECTATION_KINDS)}, which says what is promised")
        raise problem(
            f"expected one promise, got {len(kinds)}: {', '.join(kinds)}; write an [[expect]] for each", (kinds[1],)
        )

    def _fields(self, kind: str) -> dict[str, Any]:
        """Return the fields of the expectation that are given."""
        found = {name: value for name, value in self.given().items() if name not in (*EXPECTATION_KINDS, "hits")}
        words = [word for word in ("always", "ever", "never") if found.pop(word, None)]
        if len(words) > 1:
            raise problem(f"expected one of always, ever and never, got {' and '.join(words)}", (words[1],))
        found |= {"when": words[0]} if words else {}
        if kind in PAIR_KINDS:
            sides = getattr(self, kind)
            found["a"], found["b"] = ("", sides) if isinstance(sides, str) else sides
            return found | ({"hits": self.hits} if self.hits is not None else {})
        if self.hits is None:
            raise problem('missing; hits says what is hit first, by its name, or "" for nothing', ("hits",))
        found["b"] = self.hits
        if isinstance(self.ray, FreeRayTable):
            return found | self.ray.given()
        return found | {"a": self.ray or self.sweep}


def promise_path(promise: Expectation, name: str) -> Path:
    """Return where in the table of a promise a field of it stands."""
    found = _file_key(promise.kind, name)
    return (found, "ab".index(name)) if found in PAIR_KINDS and promise.a else (found,)


def _file_key(kind: str, name: str) -> str:
    """Return what a file calls a field of an expectation."""
    if name == "when":
        return "always, ever, never"
    if name in ("a", "b"):
        return kind if kind in PAIR_KINDS or name == "a" else "hits"
    return "ray" if kind == "ray" and name in ("origin", "direction") else name


def _promise_problem(kind: str, message: str) -> ValidationError:
    """Return the error of an expectation in the words of a file, at the key that it is about."""
    text = message.removeprefix("expectation: ")
    name = text.split()[0]
    if text == f"{kind} needs a motion":
        return problem("missing; it says which way is swept, such as [1, 0, 0]", ("motion",))
    if kind == "inside" and "needs" in text:
        return problem('expected ["sensor", "room"], or the name of one with a point', ("inside",))
    if text.startswith("an id"):
        return problem(text, ("id",))
    if name == "direction" or name in ExpectTable.model_fields.keys() - {*EXPECTATION_KINDS, *get_args(When)}:
        expected = text.replace(f"{name} must be", "expected", 1)
        return problem(expected, ("ray", name) if name == "direction" else (name,))
    return problem(text)


# -- the whole file ----------------------------------------------------------------------------------------------------


def _name(label: str) -> BeforeValidator:
    def read(name: str) -> str:
        try:
            check_name(name, label)
        except ValueError as error:
            raise PydanticCustomError("name", "{text}", {"text": str(error)}) from None
        return name

    return BeforeValidator(read)


class SceneTable(FileTable):
    """Shapes by name, what to ignore of them, and what to show."""

    called = "a scene"

    title: str = optional("The title of the scene.", "")
    caption: str = optional("What to see in it, in a sentence or two.", "")
    ignore: list[Annotated[NamePair, expecting('a pair of names or patterns, such as ["arm*", "torso"]')]] = optional(
        'Pairs of names that are never reported; in a name "*" stands for anything.', []
    )
    camera: CameraTable | None = optional("Where the picture is taken from.")
    shapes: dict[Annotated[str, _name("a shape's name")], Annotated[ShapeTable, OneOf(shape_form, SHAPE_TABLES)]] = (
        required("The shapes, [shapes.NAME], in the order they are numbered.")
    )
    show: list[ShowTable] = optional("Queries whose answers are drawn, [[show]] each.", [])
    motion: list[MotionTable] = optional(
        "How shapes move, [[motion]] each, in the order in which it is carried out.", []
    )
    expect: list[ExpectTable] = optional("The promises of the scene, [[expect]] each.", [])
    groups: dict[Annotated[str, _name("the name of a group")], Group] = optional(
        "Names that stand for several names and patterns in [[expect]].", {}
    )
    open: bool = optional("Whether pairs that no [[expect]] is about may collide; they may not unless it is.", False)

    @classmethod
    def _in_words(cls, errors: list[ErrorDetails]) -> list[Problem]:
        for error in errors:
            if error["type"] == "name":  # pydantic leads to the name of the entry, and then to its key
                error["type"], error["loc"] = "problem", error["loc"][:-1]
            elif error["type"] == "name with a dot":
                quoted = inline(f"{error['loc'][-1]}.{error['msg']}")
                error["type"] = "problem"
                error["msg"] = f"a name with a dot in it stands in quotes: [shapes.{quoted}]"
        return super()._in_words(errors)


def json_schema() -> dict[str, Any]:
    """Return the JSON schema of a scene file.

    Editors with Taplo or Even Better TOML use it in files that begin with ``#:schema`` and the schema's address.

    Examples
    --------
    >>> sorted(json_schema()["properties"])
    ['camera', 'caption', 'expect', 'groups', 'ignore', 'motion', 'open', 'shapes', 'show', 'title']
    """
    schema: dict[str, Any] = _simplified(SceneTable.model_json_schema())
    return {"$schema": "http://json-schema.org/draft-07/schema#", **schema, "title": "Scene of collision-viewer"}


def _simplified(node: Any) -> Any:
    """Keep to what the oldest drafts know, which is what editors for TOML implement; TOML has no null."""
    if isinstance(node, list):
        return [_simplified(item) for item in node]
    if not isinstance(node, dict):
        return node
    node = {key: _simplified(value) for key, value in node.items() if not (key == "default" and value is None)}
    if isinstance(node.get("const"), str | bool):
        node["enum"] = [node.pop("const")]
    if "anyOf" in node:
        forms = [form for form in node.pop("anyOf") if form != {"type": "null"}]
        node |= {"anyOf": forms} if len(forms) > 1 or "$ref" in forms[0] else forms[0]
    return node
