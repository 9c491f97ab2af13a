"""What all tables of a scene file have in common: keys, each with a form, that are read, or refused with every mistake.

A table is a class that says which keys it has::

    class SphereTable(Table):
        called = "a sphere"

        center: FloatArray = holds(PLACES, "The middle.")
        radius: FloatArray = holds(SIZES, "Zero or more.")

and a form reads a value and describes it for the JSON schema. A library that does this takes longer to import than a
scene to be checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar, Protocol, Self

from collision.files.errors import Problem, WrongError, mismatch, nearest, problem, suggestion
from collision.files.toml import shortened

#: What stands for the default of a key that has none: it must be there.
_REQUIRED = object()


class Form(Protocol):
    """What a value in a file may be."""

    def read(self, value: Any) -> Any:
        """Return what a value of a file means; a `WrongError` says all that is wrong with it."""

    def schema(self, tables: dict[str, Any]) -> dict[str, Any]:
        """Return the JSON schema of such a value; those of tables that it refers to are added to `tables`."""


class Key:
    """A key of a table.

    Parameters
    ----------
    form : Form
        What its value may be.
    description : str
        For the JSON schema.
    default : object
        Its value where it is not there.
    pattern : str
        For the JSON schema, of a text.
    """

    def __init__(self, form: Form, description: str, default: Any, pattern: str) -> None:
        self.form, self.description, self.default, self.pattern = form, description, default, pattern

    @property
    def required(self) -> bool:
        """Whether it must be there."""
        return self.default is _REQUIRED

    def schema(self, name: str, tables: dict[str, Any]) -> dict[str, Any]:
        """Return the JSON schema of its value."""
        found = self.form.schema(tables)
        if "$ref" not in found:
            found["title"] = name.replace("_", " ").title()
        if self.description:
            found["description"] = self.description
        if self.pattern:
            found["pattern"] = self.pattern
        if not self.required and self.default is not None:
            found["default"] = self.default
        return {"anyOf": [{"$ref": found.pop("$ref")}], **found} if "$ref" in found and len(found) > 1 else found


def holds(form: Form, description: str = "", *, default: Any = _REQUIRED, pattern: str = "") -> Any:
    """Return a key of a table, as a class has it; its objects have the value there."""
    return Key(form, description, default, pattern)


class Table:
    """A table: unknown keys are errors, and nothing is converted that is of another type.

    Parameters
    ----------
    **values
        Values of keys; nothing is checked.
    """

    #: What the table is called in an error.
    called: ClassVar[str]

    #: Its keys, in the order of its class and of those that this extends.
    keys: ClassVar[dict[str, Key]] = {}

    #: What else its JSON schema says.
    more_schema: ClassVar[dict[str, Any]] = {}

    def __init_subclass__(cls) -> None:
        """Find the keys of the class."""
        cls.keys = cls.keys | {name: value for name, value in vars(cls).items() if isinstance(value, Key)}

    def __init__(self, **values: Any) -> None:
        self._given = values
        self.__dict__.update({name: one.default for name, one in self.keys.items() if name not in values}, **values)

    @classmethod
    def read(cls, value: Any) -> Self:
        """Return the table that a file holds.

        Raises
        ------
        WrongError
            If it is none: with every mistake in it.
        """
        if not isinstance(value, dict):
            raise mismatch("a table", value)
        unknown = [name for name in value if name not in cls.keys]
        misspelt = {near for name in unknown for near in nearest(name, cls.keys)}
        values: dict[str, Any] = {}
        problems: list[Problem] = []
        for name, one in cls.keys.items():
            try:
                if name in value:
                    values[name] = one.form.read(value[name])
                elif one.required and name not in misspelt:
                    raise problem(f"missing; {cls.called} needs {cls._needs()}")
            except WrongError as error:
                problems += error.inside(name)
        problems += (Problem((name,), cls._unknown_key(name)) for name in unknown)
        if problems:
            raise WrongError(*problems)
        made = cls(**values)
        made._build()
        return made

    def _build(self) -> None:
        """Make what the table stands for of its values, each of which is right."""

    def given(self) -> dict[str, Any]:
        """Return the values of the keys that are there, in the order of the class."""
        return {name: self._given[name] for name in self.keys if name in self._given}

    @classmethod
    def _needs(cls) -> str:
        """Write which keys must be there."""
        return ", ".join(name for name, one in cls.keys.items() if one.required)

    @classmethod
    def _unknown_key(cls, name: str) -> str:
        return "unknown key" + (suggestion(name, cls.keys) or f"; {cls.called} takes {', '.join(cls.keys)}")

    @classmethod
    def schema(cls, tables: dict[str, Any]) -> dict[str, Any]:
        """Return the JSON schema of such a table: a reference to one of `tables`."""
        if cls.__name__ not in tables:
            tables[cls.__name__] = {}  # its place, in the order in which they are met
            tables[cls.__name__] = cls.whole_schema(tables)
        return {"$ref": f"#/$defs/{cls.__name__}"}

    @classmethod
    def whole_schema(cls, tables: dict[str, Any]) -> dict[str, Any]:
        """Return the JSON schema itself."""
        required = [name for name, one in cls.keys.items() if one.required]
        return {
            "additionalProperties": False,
            "description": (cls.__doc__ or "").partition("\n")[0],
            "properties": {name: one.schema(name, tables) for name, one in cls.keys.items()},
            **({"required": required} if required else {}),
            "title": cls.called.partition(" ")[2].capitalize(),
            "type": "object",
            **cls.more_schema,
        }


class Text:
    """A text."""

    def read(self, value: Any) -> str:
        """Return it."""
        if type(value) is not str:
            raise mismatch("text in quotes", value)
        return value

    def schema(self, tables: dict[str, Any]) -> dict[str, Any]:
        """Return its JSON schema."""
        return {"type": "string"}


class Truth:
    """True or false."""

    def read(self, value: Any) -> bool:
        """Return it."""
        if type(value) is not bool:
            raise mismatch("true or false", value)
        return value

    def schema(self, tables: dict[str, Any]) -> dict[str, Any]:
        """Return its JSON schema."""
        return {"type": "boolean"}


class Word:
    """One of some words."""

    def __init__(self, *words: str) -> None:
        self.words = words

    def read(self, value: Any) -> str:
        """Return it."""
        if type(value) is not str or value not in self.words:
            text = f"expected one of {', '.join(self.words)}, got {shortened(value)}"
            raise problem(text + suggestion(value, self.words))
        return value

    def schema(self, tables: dict[str, Any]) -> dict[str, Any]:
        """Return its JSON schema."""
        return {"type": "string", "enum": list(self.words)}


class Rows:
    """A list of what has a form; where a header is given, of tables, each under that header in two brackets."""

    def __init__(self, form: Form, header: str = "") -> None:
        self.form, self.header = form, header

    def read(self, value: Any) -> list[Any]:
        """Return what each row means."""
        if self.header and isinstance(value, dict):
            raise problem(f"expected a list of tables: the header of each stands in two brackets, [[{self.header}]]")
        if not isinstance(value, list):
            raise mismatch("a list", value)
        return _each(enumerate(value), lambda _, one: self.form.read(one))

    def schema(self, tables: dict[str, Any]) -> dict[str, Any]:
        """Return its JSON schema."""
        return {"type": "array", "items": self.form.schema(tables)}


class Named:
    """A table whose keys are names, of what has a form.

    Parameters
    ----------
    check : callable
        Takes a name, and raises a `WrongError` for one that cannot be.
    form : Form
        Of each value.
    """

    def __init__(self, check: Callable[[str], None], form: Form) -> None:
        self.check, self.form = check, form

    def read(self, value: Any) -> dict[str, Any]:
        """Return what each means, by name."""
        if not isinstance(value, dict):
            raise mismatch("a table", value)
        return dict(zip(value, _each(value.items(), self._one), strict=True))

    def _one(self, name: str, value: Any) -> Any:
        problems: list[Problem] = []
        for read in (lambda: self.check(name), lambda: self._value(name, value)):
            try:
                found = read()
            except WrongError as error:
                problems += error.problems
        if problems:
            raise WrongError(*problems)
        return found

    def _value(self, name: str, value: Any) -> Any:
        return self.form.read(value)

    def schema(self, tables: dict[str, Any]) -> dict[str, Any]:
        """Return its JSON schema."""
        return {"type": "object", "additionalProperties": self.form.schema(tables)}


class Either:
    """One of several forms, which is seen from the value.

    Parameters
    ----------
    choose : callable
        Takes the value, and returns the name of its form; None where it has none.
    forms : dict
        By name.
    expected : str
        What to say of a value that has none of them.
    """

    def __init__(self, choose: Callable[[Any], str | None], forms: dict[str, Form], expected: str) -> None:
        self.choose, self.forms, self.expected = choose, forms, expected

    def read(self, value: Any) -> Any:
        """Return what it means."""
        name = self.choose(value)
        if name is None or name not in self.forms:
            raise mismatch(self.expected, value)
        return self.forms[name].read(value)

    def schema(self, tables: dict[str, Any]) -> dict[str, Any]:
        """Return its JSON schema."""
        return {"oneOf": [form.schema(tables) for form in self.forms.values()]}


class Own:
    """What a function reads, and a JSON schema describes.

    Parameters
    ----------
    read : callable
        Takes the value, and returns what it means or raises a `WrongError`.
    schema : dict
        The JSON schema.
    """

    def __init__(self, read: Callable[[Any], Any], schema: dict[str, Any]) -> None:
        self.read, self._schema = read, schema

    def schema(self, tables: dict[str, Any]) -> dict[str, Any]:
        """Return its JSON schema."""
        return dict(self._schema)


def _each(items: Iterable[tuple[Any, Any]], read: Callable[[Any, Any], Any]) -> list[Any]:
    """Return what all of some values mean, by their places; the error has the mistakes of all."""
    found: list[Any] = []
    problems: list[Problem] = []
    for place, value in items:
        try:
            found.append(read(place, value))
        except WrongError as error:
            problems += error.inside(place)
    if problems:
        raise WrongError(*problems)
    return found
