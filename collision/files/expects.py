"""Promises in a scene file: one table for each, the first key of which says what is promised, and groups of names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from collision.base.fields import FloatArray
from collision.files.errors import mismatch, problem
from collision.files.numbers import PLACE, SIZE, Numbers
from collision.files.tables import Own, Table, Text, holds
from collision.files.toml import Path, inline, key
from collision.scene.expectations import EXPECTATION_KINDS, TAKES, Expectation, Span
from collision.scene.name_groups import NameGroup

#: The kinds that are given by a pair of names.
_PAIRS = ("collide", "apart", "touch", "inside")


def _read_names(value: object) -> object:
    if type(value) is str and value:
        return (value,)
    if type(value) is not list or not value or not all(type(name) is str and name for name in value):
        raise mismatch('a name or a list of names and patterns, such as ["arm*", "hand"]', value)
    return tuple(value)


def _read_sides(value: object) -> object:
    if type(value) is not list or len(value) != 2 or not all(type(name) is str and name for name in value):
        raise mismatch('a pair of names, patterns or groups, such as ["gripper", "crate"]', value)
    return tuple(value)


def _read_inside(value: object) -> object:
    return ("", value) if type(value) is str and value else _read_sides(value)


def _read_bounds(value: object) -> object:
    numbers = value if type(value) is list else [value]
    if not 1 <= len(numbers) <= 2 or not all(type(number) in (int, float) for number in numbers):
        raise mismatch("a number, or two, the lower one first, such as [0.1, 0.2]", value)
    return _bounds(numbers, value)


def _read_span(value: object) -> object:
    numbers = value if type(value) is list else []
    if len(numbers) != 2 or not all(type(number) in (int, float) for number in numbers):
        raise mismatch("two times, such as [2, 3.5]", value)
    return _bounds(numbers, value)


def _bounds(numbers: list[Any], value: object) -> tuple[float, ...]:
    try:
        found = tuple(float(number) for number in numbers)
    except OverflowError:
        raise mismatch("finite numbers", value) from None
    if len(found) == 2 and not found[0] <= found[1]:
        raise mismatch("the lower number first", value)
    return found


def _read_true(value: object) -> object:
    if value is not True:
        raise mismatch("true (or leave the key out)", value)
    return value


_NAME = {"type": "string"}
_LIST = {"type": "array", "items": _NAME, "minItems": 1}
_SIDES = {"type": "array", "items": _NAME, "minItems": 2, "maxItems": 2}
_NUMBERS = {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}

NAMES = Own(_read_names, {"anyOf": [_NAME, _LIST]})
SIDES = Own(_read_sides, _SIDES)
INSIDE = Own(_read_inside, {"anyOf": [_NAME, _SIDES]})
BOUNDS = Own(_read_bounds, {"anyOf": [{"type": "number"}, _NUMBERS]})
TIMES = Own(_read_span, _NUMBERS)
YES = Own(_read_true, {"enum": [True]})
ALONG = Numbers(3, batch=False)


class GroupTable(Table):
    """Names under one name."""

    called: ClassVar[str] = "a group"

    include: tuple[str, ...] = holds(NAMES, 'Names of shapes, patterns in which "*" is anything, and other groups.')
    exclude: tuple[str, ...] = holds(NAMES, "The same: what of these is left out.", default=())


def _read_group(value: object) -> GroupTable:
    if isinstance(value, list | str):
        value = {"include": value}
    if not isinstance(value, dict):
        raise mismatch('a list of names and patterns, or { include = ["*"], exclude = ["arm"] }', value)
    return GroupTable.read(value)


GROUP = Own(
    _read_group,
    {
        "anyOf": [
            _NAME,
            _LIST,
            {
                "type": "object",
                "properties": {"include": {"anyOf": [_NAME, _LIST]}, "exclude": {"anyOf": [_NAME, _LIST]}},
                "required": ["include"],
                "additionalProperties": False,
            },
        ]
    },
)


class RayTable(Table):
    """A ray that is no shape of the scene."""

    called: ClassVar[str] = "a ray"

    origin: FloatArray = holds(PLACE, "Where it starts.")
    direction: FloatArray = holds(ALONG, "Which way it goes.")
    _name = ""

    @property
    def fields(self) -> dict[str, Any]:
        """What an expectation is given: the name of a ray, or where it starts and which way it goes."""
        return {"a": self._name} if self._name else self.given()


def _read_ray(value: object) -> RayTable:
    if isinstance(value, dict):
        return RayTable.read(value)
    if type(value) is not str or not value:
        raise mismatch("the name of a ray, or { origin = [0, 0, 5], direction = [0, 0, -1] }", value)
    named = RayTable()
    named._name = value
    return named


_ONE = {"type": "array", "items": {"type": "number"}, "minItems": 3, "maxItems": 3}
_FREE_RAY = {
    "type": "object",
    "properties": {"origin": _ONE, "direction": _ONE},
    "required": ["origin", "direction"],
    "additionalProperties": False,
}

RAY = Own(_read_ray, {"anyOf": [_NAME, _FREE_RAY]})


class ExpectTable(Table):
    """What a scene promises."""

    called: ClassVar[str] = "an entry of expect"

    collide: tuple[str, str] | None = holds(SIDES, "At least one pair between the two collides.", default=None)
    apart: tuple[str, str] | None = holds(SIDES, "All pairs between the two are apart.", default=None)
    touch: tuple[str, str] | None = holds(SIDES, "The two touch, and neither overlap nor are apart.", default=None)
    ray: RayTable | None = holds(
        RAY, "A ray, by its name or { origin, direction }: what it hits first is hits.", default=None
    )
    sweep: str | None = holds(Text(), "A shape that goes along motion: what it first touches is hits.", default=None)
    inside: tuple[str, str] | None = holds(
        INSIDE, "The first lies in the second; or, with a point, the point does in what is named.", default=None
    )
    depth: tuple[float, ...] | None = holds(
        BOUNDS, "How deep they overlap: at most, or [at least, at most].", default=None
    )
    clearance: FloatArray | None = holds(SIZE, "How far apart they are, at least.", default=None)
    tolerance: FloatArray | None = holds(SIZE, "How far from touching they may be.", default=None)
    normal: FloatArray | None = holds(ALONG, "The direction from the first to the second.", default=None)
    within: FloatArray | None = holds(SIZE, "Degrees that the normal may be off; 5 unless given.", default=None)
    hits: str | None = holds(Text(), 'What is hit first; "" for nothing.', default=None)
    distance: tuple[float, ...] | None = holds(
        BOUNDS, "Where along the ray: there, or [at least, at most].", default=None
    )
    motion: FloatArray | None = holds(PLACE, "The way that is swept.", default=None)
    fraction: tuple[float, ...] | None = holds(
        BOUNDS, "The part of the motion done: 0 to 1, or two such.", default=None
    )
    without: tuple[str, ...] | None = holds(NAMES, "What rays and sweeps do not find.", default=None)
    point: FloatArray | None = holds(PLACE, "A point that lies inside.", default=None)
    always: bool | None = holds(YES, "It holds all the while.", default=None)
    ever: bool | None = holds(YES, "It holds at some time.", default=None)
    never: bool | None = holds(YES, "It holds at no time.", default=None)
    at: FloatArray | None = holds(SIZE, "The time at which it holds.", default=None)
    during: tuple[float, float] | None = holds(TIMES, "The time in which it holds.", default=None)
    reason: str = holds(Text(), "Why; it is shown where the promise is broken.", default="")
    id: str = holds(Text(), "What it is called; made of the kind, the names and the time unless given.", default="")

    def _build(self) -> None:
        kind = self._kind()
        fields = self._fields(kind)
        for name in fields:
            if name not in (*TAKES[kind], "reason", "id"):
                own = _file_key(kind, name)
                takes = ", ".join(dict.fromkeys(_file_key(kind, one) for one in TAKES[kind]))
                raise problem(f"{kind} takes no {own}; it takes {takes}", (own,))
        try:
            self._expectation = Expectation(kind, **fields)  # type: ignore[arg-type]
        except (TypeError, ValueError) as error:
            raise _in_file(kind, str(error)) from None

    def _kind(self) -> str:
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
        found |= {name: float(found[name]) for name in ("clearance", "tolerance", "within", "at") if name in found}
        found |= {
            name: found[name][0] if len(found[name]) == 1 else found[name]
            for name in ("depth", "distance", "fraction")
            if name in found
        }
        if kind in _PAIRS:
            found["a"], found["b"] = getattr(self, kind)
            found |= {"hits": self.hits} if self.hits is not None else {}
            return found
        if self.hits is None:
            raise problem('missing; hits says what is hit first, by its name, or "" for nothing', ("hits",))
        found["b"] = self.hits
        return found | (self.ray.fields if self.ray else {"a": self.sweep})

    @property
    def expectation(self) -> Expectation:
        """The promise that the table describes."""
        return self._expectation


def place_of(promise: Expectation, name: str) -> Path:
    """Return where in the table of a promise a field of it stands."""
    found = _file_key(promise.kind, name)
    return (found, "ab".index(name)) if found in _PAIRS and promise.a else (found,)


def _file_key(kind: str, name: str) -> str:
    """Return what a file calls a field of an expectation."""
    if name == "when":
        return "always, ever, never"
    if name in ("a", "b"):
        return kind if kind in _PAIRS or name == "a" else "hits"
    return "ray" if kind == "ray" and name in ("origin", "direction") else name


def _in_file(kind: str, message: str) -> Any:
    """Return the error of an expectation in the words of a file, at the key that it is about."""
    text = message.removeprefix("expectation: ")
    name = text.split()[0]
    if text == f"{kind} needs a motion":
        return problem("missing; it says which way is swept, such as [1, 0, 0]", ("motion",))
    if kind == "inside" and "needs" in text:
        return problem('expected ["sensor", "room"], or the name of one with a point', ("inside",))
    if name in (
        "depth",
        "distance",
        "fraction",
        "during",
        "at",
        "clearance",
        "tolerance",
        "within",
        "normal",
        "direction",
    ):
        where = ("ray", name) if kind == "ray" and name == "direction" else (name,)
        return problem(
            text.removeprefix(f"{name} must be ").join(("expected ", "")) if "must be" in text else text, where
        )
    if text.startswith("an id"):
        return problem(text, ("id",))
    return problem(text)


def expect_lines(promise: Expectation) -> Iterator[str]:
    """Yield the keys of a promise, ``key = value`` each."""
    given = promise.given()
    if "id" in given:
        yield f"id = {inline(given.pop('id'))}"
    a, b = given.pop("a", ""), given.pop("b", "")
    if promise.kind == "ray" and not a:
        ray = {"origin": list(given.pop("origin")), "direction": list(given.pop("direction"))}
        yield f"ray = {inline(ray)}"
    elif promise.kind in ("ray", "sweep"):
        yield f"{promise.kind} = {inline(a)}"
    else:
        yield f"{promise.kind} = {inline([a, b] if a else b)}"
    if promise.kind in ("ray", "sweep"):
        yield f"hits = {inline(b)}"
    for name, value in given.items():
        if name == "when":
            yield f"{value} = true"
        elif name in ("depth", "distance", "fraction"):
            yield f"{name} = {inline(_least_bounds(name, value))}"
        else:
            yield f"{name} = {inline(list(value) if isinstance(value, tuple) else value)}"


def _least_bounds(name: str, value: Span) -> float | list[float]:
    """Return bounds as one number, where that says it."""
    return value[1] if value[0] == (0.0 if name == "depth" else value[1]) else list(value)


def group_values(groups: Mapping[str, NameGroup]) -> dict[str, str]:
    """Return groups by name, each as it is written."""
    found = {}
    for name, group in groups.items():
        include: Any = list(group.include)
        found[name] = inline({"include": include, "exclude": list(group.exclude)} if group.exclude else include)
    return found


def group_lines(groups: Mapping[str, NameGroup]) -> Iterator[str]:
    """Yield groups, ``name = value`` each."""
    for name, value in group_values(groups).items():
        yield f"{key(name)} = {value}"
