"""Small services around TOML text: writing values and key paths, and finding the line on which a key stands.

The standard library parses TOML, but says nothing about lines once it has; an error that names the line is worth the
scan here. It runs on text that has parsed already, and only when there is an error to report.
"""

from __future__ import annotations

import json
import re
import textwrap
import tomllib
from typing import Any, TypeAlias

#: Where a value stands in a document: keys, and numbers of array elements.
Path: TypeAlias = tuple[str | int, ...]

_WIDTH = 110  # of written lines, indentation left out

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")

_TOKEN = re.compile(
    r'''"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?'{3,5}'''  # strings of several lines may end in up to two quotes of their own
    r"""|"(?:\\.|[^"\\\n])*"|'[^'\n]*\'"""
    r"""|\#[^\n]*|\n|[\[\]{},=]|[^\s"'\#\[\]{},=]+""",
    re.DOTALL,
)


def inline(value: object) -> str:
    r"""Write a value on one line.

    Raises
    ------
    ValueError
        If a number is infinite or not a number: no value of a scene is.

    Examples
    --------
    >>> print(inline({"name": 'the "arm"', "center": [0.0, -0.0, 1e-300]}))
    { name = "the \"arm\"", center = [0.0, -0.0, 1e-300] }
    """
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key(name)} = {inline(item)}" for name, item in value.items()) + " }"
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


def key(name: str) -> str:
    """Write a key, quoted where it must be.

    Examples
    --------
    >>> key("arm"), key("upper arm")
    ('arm', '"upper arm"')
    """
    return name if _BARE_KEY.fullmatch(name) else inline(name)


def dotted(path: Path) -> str:
    """Write where a value stands, as ``shapes.crowd.center[3][1]``."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{key(part)}" if text else key(part)
    return text


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
    r"""Return the line of every key, table and array element in a valid TOML text, counted from one.

    The insides of inline tables are left out: their table stands on the same line.

    Examples
    --------
    >>> key_lines('title = "x"\n[shapes.ball]\nradius = [1,\n  2]')[("shapes", "ball", "radius", 1)]
    4
    """
    scan = _Scan()
    line = 1
    for match in _TOKEN.finditer(text + "\n"):
        scan.take(match[0], line)
        line += match[0].count("\n")
    return scan.lines


def line_of(path: Path, lines: dict[Path, int]) -> int | None:
    """Return the line of a path, or of the innermost table or key around it; None where even that is unknown."""
    for end in range(len(path), 0, -1):
        if path[:end] in lines:
            return lines[path[:end]]
    return None


#: Whole texts and comments, or the beginning of a text that has no end, or a bracket.
_OPENING = re.compile(
    r'''"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?'{3,5}|"""|\'\'\''''
    r"""|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|["']|\#[^\n]*|[\[\]{}]""",
    re.DOTALL,
)

_OPENED = {"[": "array", "{": "inline table", **dict.fromkeys(('"', "'", '"""', "'''"), "text")}


def unclosed(text: str) -> list[tuple[str, int]]:
    r"""Return what the beginning of a TOML text leaves open, and on which lines that begins, the innermost last.

    Examples
    --------
    >>> unclosed('a = [1]\nb = [ # not ]\n  { c = "]",\n')
    [('array', 2), ('inline table', 3)]
    >>> unclosed('a = ["b",\n  \'\'\'c]')
    [('array', 1), ('text', 2)]
    """
    found: list[tuple[str, int]] = []
    line, seen = 1, 0
    for match in _OPENING.finditer(text):
        line, seen = line + text.count("\n", seen, match.start()), match.start()
        if match[0] in ("]", "}"):
            found = found[:-1]
        elif match[0] in _OPENED:
            found.append((_OPENED[match[0]], line))
            if found[-1][0] == "text":  # all the rest is inside
                break
    return found


class _Scan:
    """Reads tokens one by one and notes the line of each key; a state machine of four states."""

    def __init__(self) -> None:
        self.lines: dict[Path, int] = {}
        self._take = self._start
        self._table: Path = ()
        self._counts: dict[Path, int] = {}  # of arrays of tables: the number of the latest
        self._words = ""
        self._line = 0
        self._value: Path = ()
        self._open: list[int | None] = []  # brackets: the element's number in an array, None in an inline table

    def take(self, token: str, line: int) -> None:
        if not token.startswith("#"):
            self._take(token, line)

    def _start(self, token: str, line: int) -> None:
        if token != "\n":
            self._words, self._line = token, line
            self._take = self._header if token == "[" else self._key

    def _header(self, token: str, line: int) -> None:
        if token != "\n":
            self._words += token
            return
        *parents, last = _parts(self._words.strip("[]"))
        path = (*self._resolved(parents), last)
        if self._words.startswith("[["):
            self._counts[path] = self._counts.get(path, -1) + 1
            path = (*path, self._counts[path])
        else:
            path = self._resolved([*parents, last])
        self._table = path
        self._note(path, self._line)
        self._take = self._start

    def _key(self, token: str, line: int) -> None:
        if token != "=":
            self._words += token
            return
        self._value = (*self._table, *_parts(self._words))
        self._note(self._value, self._line)
        self._take = self._inside

    def _inside(self, token: str, line: int) -> None:
        if token == "\n":
            self._take = self._inside if self._open else self._start
        elif token in ("]", "}"):
            self._open.pop()
        elif token == ",":
            self._open[-1] = None if self._open[-1] is None else self._open[-1] + 1
        else:
            inner = [number for number in self._open if number is not None]
            if len(inner) == len(self._open):
                self.lines.setdefault((*self._value, *inner), line)
            if token in ("[", "{"):
                self._open.append(0 if token == "[" else None)

    def _resolved(self, parts: list[str]) -> Path:
        """Insert the number of the latest table where a part names an array of tables."""
        path: Path = ()
        for part in parts:
            path = (*path, part)
            if path in self._counts:
                path = (*path, self._counts[path])
        return path

    def _note(self, path: Path, line: int) -> None:
        for end in range(1, len(path) + 1):
            self.lines.setdefault(path[:end], line)


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
