"""What is wrong with a scene file: every problem, each with its line and its key."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from typing import Any, NamedTuple

from pydantic_core import InitErrorDetails, PydanticCustomError, ValidationError

from collision.base.files import shown_path
from collision.files.toml import Path, dotted, inline, shortened, unclosed
from collision.scene.names import CONTROL


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


def problem(text: str, where: Path = ()) -> ValidationError:
    """Return an error for a validator to raise; `where` leads on from the value at hand."""
    return wrong(Problem(where, text))


def mismatch(expected: str, value: object, where: Path = ()) -> ValidationError:
    """Return the error that a value is not what was expected."""
    return problem(f"expected {expected}, got {shortened(value)}", where)


def wrong(*problems: Problem) -> ValidationError:
    """Return the error of several problems."""
    found: list[InitErrorDetails] = [
        {"type": PydanticCustomError("problem", "{text}", {"text": one.text}), "loc": one.path, "input": None}
        for one in problems
    ]
    return ValidationError.from_exception_data("scene", found)


#: So many problems of a file are written out.
MOST_LISTED = 100


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
        lines = [_written(self.source, problem) for problem in self.problems[:MOST_LISTED]]
        left = len(self.problems) - MOST_LISTED
        return "\n".join([*lines, f"... and {left:,} more mistakes"] if left > 0 else lines)


def _written(source: str, problem: Problem) -> str:
    named = shown_path(source) if source else ""  # without one, where the reader names the file
    where = ":".join(str(part) for part in (named, problem.line, problem.column) if part is not None)
    return ": ".join(part for part in (where, _in_words(problem.path), problem.text) if part)


def _in_words(path: Path) -> str:
    """Write where a problem is; what has no name in the file (shows, motions, promises, pairs to ignore) is counted."""
    match path:
        case ("ignore", int(number), *_):
            return f"ignore, pair {number + 1}"
        case (str(kind), int(number), *inner):
            return f"{kind} {number + 1}: {dotted(tuple(inner))}" if inner else f"{kind} {number + 1}"
    return dotted(path)


def suggestion(name: object, known: Iterable[str]) -> str:
    """Return a half-sentence with the nearest known name, or nothing where none is near."""
    near = nearest(name, known)
    return f"; did you mean {inline(near[0])}?" if near else ""


def nearest(name: object, known: Iterable[str]) -> list[str]:
    """Return the known name that is nearest to another, if any is near."""
    import difflib

    return difflib.get_close_matches(str(name), list(known), n=1, cutoff=0.7)


def parse_toml(text: str, source: str) -> dict[str, Any]:
    """Return what a text of TOML holds; a SceneFileError has the line on which the parser stopped."""
    if long := _LONG_KEY.search(text):
        line = text.count("\n", 0, long.end()) + 1
        raise SceneFileError(source, [Problem((), f"a key has more than {_MAX_PARTS} parts with dots between", line)])
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise SceneFileError(source, [Problem((), "lists or tables are nested too deeply")]) from None
    except ValueError as error:  # a TOMLDecodeError, or the error of an impossible number
        raise SceneFileError(source, [_syntax_problem(text, str(error))]) from None


#: The standard parser takes a time that grows with the square of these.
_MAX_PARTS = 200
_PART = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+"""
_LONG_KEY = re.compile(rf"(?:^|[{{,])[ \t]*+\[{{0,2}}+[ \t]*+(?:{_PART}){{{_MAX_PARTS}}}", re.MULTILINE)


def _syntax_problem(text: str, message: str) -> Problem:
    """Show where the parser stopped, with the line, and where what it was in began, if that was on an earlier one."""
    found = re.fullmatch(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", message, re.DOTALL)
    if found is None:
        return Problem((), f"this is not valid TOML: {message}")
    lines = text.split("\n")
    line = int(found[2] or len(lines))
    column = int(found[3] or len(lines[-1]) + 1)
    wrong = _TWICE.get(found[1].partition(" ")[0] + " " + found[1].rpartition(" ")[2], found[1])
    # One for one, so that the mark below is where it should be; a terminal would do what other characters say.
    shown = CONTROL.sub("\N{REPLACEMENT CHARACTER}", lines[line - 1].removesuffix("\r").replace("\t", " "))
    start = max(0, column - _SHOWN_COLUMNS)
    excerpt = shown[start : start + 2 * _SHOWN_COLUMNS]
    before = "\n".join([*lines[: line - 1], lines[line - 1][: column - 1]])
    earlier = [(what, begun) for what, begun in unclosed(before) if begun < line]
    if earlier:
        wrong += "; the {} that begins on line {} is not closed before this".format(*earlier[-1])
    text = f"this is not valid TOML: {wrong}\n    {excerpt}\n    {' ' * (column - 1 - start)}^"
    return Problem((), text, line, column)


_SHOWN_COLUMNS = 60

#: The parser's messages for what users do most: writing a name twice.
_TWICE = {
    "Cannot twice": "this table is there already; every name can be used once",
    "Cannot value": "this key is there already; every key can be used once",
}
