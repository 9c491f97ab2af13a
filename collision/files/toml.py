"""Small services around TOML text: writing values and key paths, and finding the line on which a key stands."""

from __future__ import annotations

import json
import re
import textwrap
import tomllib
from collections.abc import Iterator
from typing import Any, TypeAlias

#: Where a value stands in a document: keys, and numbers of array elements.
Path: TypeAlias = tuple[str | int, ...]

_WIDTH = 110  # of written lines, indentation left out

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def inline(value: object) -> str:
    r"""Write a value on one line; a ValueError is raised if a number is infinite or not a number."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key_text(name)} = {inline(item)}" for name, item in value.items()) + " }"
    if isinstance(value, list) and any(isinstance(item, list | dict) for item in value):
        return "[" + ", ".join(map(inline, value)) + "]"
    # JSON's strings, numbers and arrays are TOML's as well; only this one character is left bare by JSON.
    return json.dumps(value, ensure_ascii=False, allow_nan=False).replace("\x7f", "\\u007f")


def paragraph(text: str) -> str:
    """Write a text, one of several lines between triple quotes."""
    if "\n" not in text:
        return inline(text)
    return '"""\n' + "\n".join(inline(line)[1:-1] for line in text.split("\n")) + '"""'


def array(values: list[Any]) -> str:
    """Write a list, broken into lines where it is long."""
    text = inline(values)
    if len(text) <= _WIDTH:
        return text
    if isinstance(values[0], list):
        items = [array(item) + "," for item in values]
    else:
        items = textwrap.wrap(text[1:-1] + ",", _WIDTH)
    return "[\n" + textwrap.indent("\n".join(items), "    ") + "\n]"


def key_text(name: str) -> str:
    """Write a key, quoted where it must be."""
    return name if _BARE_KEY.fullmatch(name) else inline(name)


def dotted(path: Path) -> str:
    """Write where a value stands, as ``shapes.crowd.center[3][1]``."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{key_text(part)}" if text else key_text(part)
    return text


def value_at(value: Any, path: Path) -> Any:
    """Return what stands somewhere within a table or a list."""
    for part in path:
        value = value[part]
    return value


#: Python writes no whole number of more bits than some 14,000.
_VAST = 4000


def shortened(value: object, limit: int = 60) -> str:
    """Write anything that a file can hold, for an error: cut where it is long."""
    try:
        text = inline(value)
    except (TypeError, ValueError):  # dates, and numbers that are not finite
        vast = isinstance(value, int) and value.bit_length() > _VAST
        text = "a whole number of more than a thousand digits" if vast else str(value)
    if len(text) <= limit:
        return text
    return "a table" if isinstance(value, dict) else text[: limit - 3] + "..."


def key_lines(text: str) -> dict[Path, int]:
    r"""Return the line of every key, table and array element in a valid TOML text, outside of inline tables.

    Examples
    --------
    >>> key_lines('title = "x"\n[shapes.ball]\nradius = [1,\n  2]')[("shapes", "ball", "radius", 1)]
    4
    """
    lines: dict[Path, int] = {}
    latest: dict[Path, tuple[int]] = {}  # of each array of tables, the number of its latest table
    table: Path = ()
    tokens = _tokens(text)
    for token, line in tokens:
        if token == "\n":
            continue
        words, end = token, "\n" if token == "[" else "="
        while (word := next(tokens)[0]) != end:
            words += word
        path: Path = ()
        if token == "[":
            for part in _parts(words.strip("[]")):
                path = (*path, *latest.get(path, ()), part)
            if words.startswith("[["):
                latest[path] = (latest[path][0] + 1,) if path in latest else (0,)
            path = table = (*path, *latest.get(path, ()))
        else:
            path = (*table, *_parts(words))
        for stop in range(1, len(path) + 1):
            lines.setdefault(path[:stop], line)
        if token != "[":
            _element_lines(path, tokens, lines)
    return lines


def _element_lines(path: Path, tokens: Iterator[tuple[str, int]], lines: dict[Path, int]) -> None:
    """Note the lines of the elements of a value, and leave behind its last token, a line feed."""
    within: list[int | None] = []  # for each open bracket the element's number in an array, None in an inline table
    for token, line in tokens:
        if token == "\n":
            if not within:
                return
        elif token in ("]", "}"):
            within.pop()
        elif token == ",":
            within[-1] = None if within[-1] is None else within[-1] + 1
        else:
            numbers = [number for number in within if number is not None]
            if len(numbers) == len(within):
                lines.setdefault((*path, *numbers), line)
            if token in ("[", "{"):
                within.append(0 if token == "[" else None)


def line_of(path: Path, lines: dict[Path, int]) -> int | None:
    """Return the line of a path, or of the innermost table or key around it; None where even that is unknown."""
    return next((lines[path[:end]] for end in range(len(path), 0, -1) if path[:end] in lines), None)


def unclosed(text: str) -> list[tuple[str, int]]:
    r"""Return what the beginning of a TOML text leaves open, and on which lines that begins, the innermost last.

    Examples
    --------
    >>> unclosed('a = [1]\nb = [ # not ]\n  { c = "]",\n')
    [('array', 2), ('inline table', 3)]
    """
    found: list[tuple[str, int]] = []
    for token, line in _tokens(text):
        if token in ("]", "}"):
            found = found[:-1]
        elif token in ("[", "{"):
            found.append(("array" if token == "[" else "inline table", line))
        elif token in ('"', "'", '"""', "'''"):
            return [*found, ("text", line)]  # all the rest is inside
    return found


#: Whole texts and comments, the beginning of a text that has no end, and all else in pieces.
_TOKEN = re.compile(
    r'''"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?'{3,5}'''  # texts of several lines may end in up to two quotes of their own
    r'''|"""|\'\'\''''
    r"""|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|["']"""
    r"""|\#[^\n]*|\n|[\[\]{},=]|[^\s"'\#\[\]{},=]+""",
    re.DOTALL,
)


def _tokens(text: str) -> Iterator[tuple[str, int]]:
    """Yield what a text consists of but for comments, each with its line; a line feed comes last."""
    line = 1
    for match in _TOKEN.finditer(text + "\n"):
        if not match[0].startswith("#"):
            yield match[0], line
        line += match[0].count("\n")


#: Keys that need no quotes: nearly all.
_BARE = re.compile(r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*")


def _parts(dotted_key: str) -> list[str]:
    if _BARE.fullmatch(dotted_key):
        return dotted_key.split(".")
    table: Any = tomllib.loads(f"{dotted_key} = 0")
    parts = []
    while isinstance(table, dict):
        ((part, table),) = table.items()
        parts.append(part)
    return parts
