"""Errors in a scene file that cannot be read: every problem, each with its line and its key."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any, NamedTuple

from pydantic_core import ErrorDetails

from collision.scenefile.schema import TABLES, SceneTable
from collision.scenefile.shapes import KIND_NAMES, CapsuleTable, ColliderTable
from collision.scenefile.tables import Table
from collision.scenefile.toml import Path, dotted, inline, shortened


class Problem(NamedTuple):
    """One thing that is wrong.

    Attributes
    ----------
    path : tuple of str and int
        Where in the file: keys, and numbers of array elements from zero; empty for the file as a whole.
    text : str
        What was expected and what is there.
    line, column : int, optional
        From one, where they are known.
    """

    path: Path
    text: str
    line: int | None = None
    column: int | None = None


class SceneFileError(ValueError):
    """A scene file cannot be read or written; the message has one line for every problem in it.

    Attributes
    ----------
    source : str
        The file, as the user named it.
    problems : tuple of Problem
        In the order of their lines.
    """

    def __init__(self, source: str, problems: Iterable[Problem]) -> None:
        self.source = source
        self.problems = tuple(problems)
        super().__init__(source, self.problems)  # as they are: so a pickle makes the same error

    def __str__(self) -> str:
        return "\n".join(_written(self.source, problem) for problem in self.problems)


def _written(source: str, problem: Problem) -> str:
    place = ":".join(str(part) for part in (source, problem.line, problem.column) if part is not None)
    return ": ".join(part for part in (place, _spoken(problem.path), problem.text) if part)


def _spoken(path: Path) -> str:
    """Write where a problem is: what has no name in the file (shows, motions, promises, pairs to ignore) is counted.

    Examples
    --------
    >>> _spoken(("show", 0, "a")), _spoken(("ignore", 1, 0)), _spoken(("shapes", "crowd", "radius", 3))
    ('show 1: a', 'ignore, pair 2', 'shapes.crowd.radius[3]')
    """
    match path:
        case (("show" | "motion" | "expect") as kind, int(number), *inner):
            return f"{kind} {number + 1}: {dotted(tuple(inner))}" if inner else f"{kind} {number + 1}"
        case ("ignore", int(number), *_):
            return f"ignore, pair {number + 1}"
    return dotted(path)


def suggestion(name: object, known: Iterable[str]) -> str:
    """Return a half-sentence with the nearest known name, or nothing where none is near.

    Examples
    --------
    >>> suggestion("centre", ["center", "radius"])
    '; did you mean "center"?'
    """
    near = _near(name, known)
    return f"; did you mean {inline(near[0])}?" if near else ""


def _near(name: object, known: Iterable[str]) -> list[str]:
    return difflib.get_close_matches(str(name), list(known), n=1, cutoff=0.65)


def translated(errors: list[ErrorDetails]) -> list[Problem]:
    """Say in the words of a TOML file what pydantic found."""
    explained: set[tuple[int | str, ...]] = set()  # keys that are missing because they are misspelt
    for error in errors:
        if error["type"] == "extra_forbidden":
            table, name = _table(error["loc"][:-1]), error["loc"][-1]
            explained.update((*error["loc"][:-1], other) for other in _near(name, table.model_fields))
    return [_problem(error) for error in errors if error["type"] != "missing" or error["loc"] not in explained]


def _problem(error: ErrorDetails) -> Problem:
    loc, value, context = error["loc"], error["input"], error.get("ctx", {})
    path = _path(loc)
    match error["type"]:
        case "scene":
            return Problem((*path, *context["where"]), context["text"])
        case "expected":
            return Problem(path, f"expected {error['msg']}, got {shortened(value)}")
        case "missing":
            table = _table(loc[:-1])
            return Problem(path, f"missing; {table.called} needs {table.needs()}")
        case "extra_forbidden":
            return Problem(path, _unknown_key(_table(loc[:-1]), loc[-1]))
        case "list_type" if path in (("show",), ("motion",), ("expect",)) and isinstance(value, dict):
            return Problem(path, f"expected a list of tables: the header of each stands in two brackets, [[{path[0]}]]")
        case "union_tag_not_found" | "union_tag_invalid":
            return _unknown_kind(path, value)
        case "literal_error":
            return Problem(path, _unknown_word(context["expected"], value))
        case kind:
            return Problem(path, f"expected {_EXPECTED.get(kind, error['msg'])}, got {shortened(value)}")


_EXPECTED = {
    "string_type": "text in quotes",
    "bool_type": "true or false",
    "list_type": "a list",
    "dict_type": "a table",
    "model_type": "a table",
    "model_attributes_type": "a table",
}


def _path(loc: tuple[str | int, ...]) -> Path:
    """Leave out what pydantic adds to a path: the forms of a shape and of a rotation, and the mark of a key."""
    path = [part for i, part in enumerate(loc) if not _is_form(loc, i)]
    return tuple(path)


def _is_form(loc: tuple[str | int, ...], i: int) -> bool:
    if i == 2 and loc[0] == "shapes":
        return True  # a form, or "[key]" after a name that cannot be one
    if loc[0] == "groups" and loc[i] == "[key]":
        return True
    first = {"shapes": 4, "motion": 3}.get(str(loc[0]), i + 1)
    return i >= first and loc[i - 1] == "rotation" and isinstance(loc[i], str)


def _table(loc: tuple[str | int, ...]) -> type[Table]:
    """Return the table that an error's path leads to."""
    if not loc:
        return SceneTable
    if loc[0] == "groups":
        return TABLES["groups"]
    if loc[0] == "expect" and loc[-1] == "ray":  # which is no shape
        return TABLES["expected ray"]
    return TABLES[str(loc[-2] if isinstance(loc[-1], int) else loc[-1])]


def _unknown_key(table: type[Table], name: object) -> str:
    if table is CapsuleTable and name in ColliderTable.model_fields:
        return "expected start, end and radius alone; or, without start and end, center, axis, height and radius"
    hint = suggestion(name, table.model_fields) or f"; {table.called} takes {', '.join(table.model_fields)}"
    return f"unknown key{hint}"


def _unknown_word(expected: str, value: object) -> str:
    words = expected.replace("'", "").replace(" or ", ", ").split(", ")
    text = f"expected one of {', '.join(words)}, got {shortened(value)}"
    return text + suggestion(value, words)


def _unknown_kind(path: Path, value: Any) -> Problem:
    kinds = ", ".join(KIND_NAMES.values())
    if not isinstance(value, dict):
        return Problem(
            path, f'expected a table such as {{ kind = "point", position = [0, 0, 0] }}, got {shortened(value)}'
        )
    if "kind" in value:
        text = f"expected one of {kinds}, got {shortened(value['kind'])}"
        return Problem((*path, "kind"), text + suggestion(value["kind"], KIND_NAMES.values()))
    inner = [name for name, item in value.items() if isinstance(item, dict) and "kind" in item]
    if inner:
        quoted = inline(f"{path[-1]}.{inner[0]}")
        return Problem(path, f"a name with a dot in it stands in quotes: [shapes.{quoted}]")
    return Problem((*path, "kind"), f"missing; a shape needs a kind: {kinds}")
