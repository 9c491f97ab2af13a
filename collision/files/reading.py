"""From the text of a scene file to a scene."""

from __future__ import annotations

import os
import pathlib
import re
import tomllib
from collections.abc import Iterable, Iterator
from typing import Any

from collision.base.ram import no_garbage_collection
from collision.files.crowds import crowd_of
from collision.files.errors import Problem, SceneFileError, WrongError, suggestion
from collision.files.promises import bad_promises, groups_of
from collision.files.schema import SceneTable
from collision.files.shapes import KIND_NAMES
from collision.files.toml import inline, key_lines, line_of, unclosed
from collision.scene.elements import Elements
from collision.scene.names import CONTROL, meant
from collision.scene.scene import Scene
from collision.shapes.kinds import Shape


def load_scene(path: str | os.PathLike[str]) -> Scene:
    """Read a scene file.

    Parameters
    ----------
    path : path-like
        A TOML file in UTF-8; the format is described in `collision.scenefile`.

    Raises
    ------
    SceneFileError
        If the file cannot be read or something in it is wrong; every problem is reported, each on a line of its own.
    """
    source = os.fspath(path)
    try:
        if pathlib.Path(source).is_dir():
            raise SceneFileError(source, [Problem((), "expected a file, got a directory")])
        data = pathlib.Path(source).read_bytes()
    except FileNotFoundError as error:
        raise SceneFileError(source, [Problem((), "there is no such file")]) from error
    except OSError as error:
        raise SceneFileError(source, [Problem((), f"the file cannot be read: {error.strerror}")]) from error
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        wrong = f"expected text in UTF-8, got byte 0x{data[error.start]:02x} at offset {error.start}"
        line = data.count(b"\n", 0, error.start) + 1
        raise SceneFileError(source, [Problem((), wrong, line)]) from error
    return parse_scene(text, source)


def parse_scene(text: str, source: str = "<text>") -> Scene:
    r"""Read a scene from the text of a scene file.

    Parameters
    ----------
    text : str
        TOML; the format is described in `collision.scenefile`. A text without keys is a scene without shapes.
    source : str
        What to call the text in errors.

    Raises
    ------
    SceneFileError
        If something is wrong; every problem is reported, each on a line of its own.

    Examples
    --------
    >>> scene = parse_scene('[shapes.ball]\nkind = "sphere"\ncenter = [0, 0, 1]\nradius = 0.5')
    >>> scene["ball"]
    Sphere(center=[0.0, 0.0, 1.0], radius=0.5)
    """
    with no_garbage_collection():
        return _read(text.removeprefix("\ufeff").replace("\r\n", "\n"), source)


def _read(text: str, source: str) -> Scene:
    raw = parse_toml(text, source)
    if not raw:  # nothing but comments, if any: the beginning of a scene
        return Scene()
    problems: list[Problem] = []
    table = None
    crowd = crowd_of(raw.get("shapes"))
    try:
        table = SceneTable.read(_without(raw, crowd))
    except WrongError as error:
        problems += error.problems
    scene = Scene(_shapes(raw, table, crowd)) if table else None
    problems += _bad_names(raw, scene)
    if table and scene and not problems:
        problems += _bad_kinds(table, scene)
        problems += bad_promises(table, scene, text)
    if problems or table is None or scene is None:
        lines = key_lines(text)
        placed = [p._replace(line=line_of(p.path, lines)) for p in problems]
        raise SceneFileError(source, sorted(placed, key=lambda p: p.line or 0))
    ignoring = scene.replaced(ignored=table.ignore) if table.ignore else scene
    return ignoring.replaced(
        shows=[entry.show for entry in table.show],
        motion=[entry.motion for entry in table.motion],
        camera=table.camera and table.camera.camera,
        title=table.title,
        caption=table.caption,
        expectations=[entry.expectation for entry in table.expect],
        name_groups=groups_of(table),
        open=table.open,
    )


def _without(raw: dict[str, Any], crowd: dict[str, Shape]) -> dict[str, Any]:
    if not crowd:
        return raw
    return raw | {"shapes": {name: table for name, table in raw["shapes"].items() if name not in crowd}}


def _shapes(raw: dict[str, Any], table: SceneTable, crowd: dict[str, Shape]) -> dict[str, Shape]:
    """Return all shapes in the order of the file."""
    return {name: crowd[name] if name in crowd else table.shapes[name].shape for name in raw["shapes"]}


def expectation_lines(text: str, scene: Scene | None = None) -> dict[str, int]:
    r"""Return the line of each promise in the text of a scene file, by its id.

    Parameters
    ----------
    text : str
        Of a file that is right.
    scene : Scene, optional
        The scene in it, where it has been read already.

    Examples
    --------
    >>> shape = 'kind = "point"\nposition = [0, 0, 0]\n'
    >>> text = f'[shapes.a]\n{shape}[shapes.b]\n{shape}[[expect]]\ntouch = ["a", "b"]\n'
    >>> expectation_lines(text)
    {'touch a b': 7}
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    scene, lines = parse_scene(text) if scene is None else scene, key_lines(text)
    found = (line_of(("expect", n), lines) for n in range(len(scene.expectations)))
    return {promise.id: line or 1 for promise, line in zip(scene.expectations, found, strict=True)}


def parse_toml(text: str, source: str) -> dict[str, Any]:
    """Return what a text of TOML holds, as Python has it; lines end in line feeds alone.

    Raises
    ------
    SceneFileError
        If it is no TOML: with the line on which the parser stopped.
    """
    if long := _LONG_KEY.search(text):
        line = text.count("\n", 0, long.end()) + 1
        raise SceneFileError(source, [Problem((), f"a key has more than {_MOST_PARTS} parts with dots between", line)])
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise SceneFileError(source, [Problem((), "lists or tables are nested too deeply")]) from None
    except ValueError as error:  # a TOMLDecodeError, or the error of an impossible number
        raise SceneFileError(source, [_syntax_problem(text, str(error))]) from None


#: The standard parser takes a time that grows with the square of these.
_MOST_PARTS = 200
_PART = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+"""
_LONG_KEY = re.compile(rf"(?:^|[{{,])[ \t]*+\[{{0,2}}+[ \t]*+(?:{_PART}){{{_MOST_PARTS}}}", re.MULTILINE)


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


def _bad_names(raw: dict[str, Any], scene: Scene | None) -> Iterator[Problem]:
    """Find names of shapes that do not exist, in whatever of the file has the right form."""
    shapes = raw.get("shapes")
    entries = list(shapes) if isinstance(shapes, dict) else []
    for i, show in enumerate(_lists(raw.get("show"))):
        for side in ("a", "b"):
            name = show.get(side) if isinstance(show, dict) else None
            if name and isinstance(name, str):
                yield from _bad_name(("show", i, side), name, entries, scene)
    for i, motion in enumerate(_lists(raw.get("motion"))):
        name = motion.get("shape") if isinstance(motion, dict) else None
        if name and isinstance(name, str):
            find = _bad_pattern if "*" in name else _bad_name
            yield from find(("motion", i, "shape"), name, entries, scene)
    for i, pair in enumerate(_lists(raw.get("ignore"))):
        for k, name in enumerate(_lists(pair)):
            if name and isinstance(name, str):
                find = _bad_pattern if "*" in name else _bad_name
                yield from find(("ignore", i, k), name, entries, scene)


def _lists(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _bad_name(path: tuple[str | int, ...], name: str, entries: Iterable[str], scene: Scene | None) -> Iterator[Problem]:
    entry = name.partition("[")[0]
    if entry not in entries:
        yield Problem(path, f"there is no shape named {inline(name)}{suggestion(name, entries)}")
    elif scene is not None and name not in scene:
        axes = scene[entry].batch_shape
        holds = f"its elements are counted {' by '.join(map(str, axes))}, from 0" if axes else "it is a single shape"
        yield Problem(path, f"there is no element {inline(name)}: {holds}")


def _bad_pattern(
    path: tuple[str | int, ...], pattern: str, entries: Iterable[str], scene: Scene | None
) -> Iterator[Problem]:
    if scene is not None and not Elements(scene.shapes).covers(pattern):
        near = meant(pattern, entries)
        hint = f"; did you mean {inline(near)}?" if near else ""
        yield Problem(path, f"no shape has a name like {inline(pattern)}{hint}")


def _bad_kinds(table: SceneTable, scene: Scene) -> Iterator[Problem]:
    """Find shows that name a shape of a kind that their query does not take."""
    for i, entry in enumerate(table.show):
        for side, name in (("a", entry.a), ("b", entry.b)):
            wanted = entry.show.wanted_kinds("a" if side == "a" else "b")
            if name and type(scene[name]) not in wanted:
                kinds = " or ".join(KIND_NAMES[kind] for kind in wanted)
                got = f"{inline(name)}, which is of kind {KIND_NAMES[type(scene[name])]}"
                yield Problem(("show", i, side), f"expected the name of a {kinds} for {entry.query}, got {got}")
