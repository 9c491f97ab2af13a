"""From the text of a scene file to a scene."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, TypeVar

from pydantic import ValidationError

from collision.base.files import not_regular
from collision.base.ram import no_garbage_collection
from collision.files.errors import Problem, SceneFileError, parse_toml, suggestion
from collision.files.models import KIND_NAMES, SHAPE_TABLES, FileTable, SceneTable, promise_path, shape_form
from collision.files.toml import Path, inline, key_lines, line_of
from collision.scene.elements import Elements
from collision.scene.expectations import PAIR_KINDS, Expectation
from collision.scene.names import check_name, meant
from collision.scene.promised import BadName, PromisedNames, no_such_element
from collision.scene.scene import Scene
from collision.shapes.kinds import Shape
from collision.shapes.motion import span

AnyTable = TypeVar("AnyTable", bound=FileTable)


def load_scene(path: str | os.PathLike[str]) -> Scene:
    """Read a scene file, of at most 64 MiB; a `SceneFileError` has every problem, each on a line of its own.

    Parameters
    ----------
    path : path-like
        A TOML file; the format is described in `collision.scenefile`.
    """
    return parse_scene(_text_of(os.fspath(path)), os.fspath(path))


def read_table(model: type[AnyTable], path: str | os.PathLike[str]) -> AnyTable:
    """Read a file that a table describes; a `SceneFileError` has every problem, as of a scene file."""
    source = os.fspath(path)
    text = _plain(_text_of(source))
    raw = parse_toml(text, source)
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        raise _located(source, text, _problems(error)) from error


def _text_of(source: str) -> str:
    try:
        return _bytes_of(source).decode("utf-8")
    except UnicodeDecodeError as error:
        data, at = error.object, error.start
        words, line = f"expected text in UTF-8, got byte 0x{data[at]:02x} at offset {at}", data.count(b"\n", 0, at) + 1
        raise SceneFileError(source, [Problem((), words, line)]) from error
    except OSError as error:
        missing = isinstance(error, FileNotFoundError)
        words = "there is no such file" if missing else f"the file cannot be read: {error.strerror}"
        raise SceneFileError(source, [Problem((), words)]) from error


def _plain(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n")


def _problems(error: ValidationError) -> Iterator[Problem]:
    return (Problem(one["loc"], one["msg"]) for one in error.errors(include_url=False, include_input=False))


def _located(source: str, text: str, problems: Iterable[Problem]) -> SceneFileError:
    """Return the error of problems in a text, in the order of their lines."""
    lines = key_lines(text)
    located = [p._replace(line=line_of(p.path, lines)) for p in problems]
    return SceneFileError(source, sorted(located, key=lambda p: p.line or 0))


#: The bytes of the largest scene file that is read, some hundred thousand shapes.
MAX_BYTES = 64 * 2**20

_TOO_LARGE = f"expected a file of at most {MAX_BYTES // 2**20} MiB, got {{:,}} bytes"


def _bytes_of(source: str) -> bytes:
    """Return what is in a regular file: others may have no end, or wait for somebody to write."""
    found = os.stat(source)
    if words := not_read(found):
        raise SceneFileError(source, [Problem((), words)])
    with open(source, "rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:  # it has grown meanwhile
        raise SceneFileError(source, [Problem((), _TOO_LARGE.format(len(data)))])
    return data


def not_read(found: os.stat_result) -> str:
    """Say why no such file is read as a scene, a model or a picture; nothing for a regular file that is not too large.

    Examples
    --------
    >>> not_read(os.stat(os.devnull))
    'expected a regular file, got a pipe, a socket or a device'
    """
    if words := not_regular(found):
        return words
    if found.st_size > MAX_BYTES:
        return _TOO_LARGE.format(found.st_size)
    return ""


def parse_scene(text: str, source: str = "<text>") -> Scene:
    r"""Read a scene from the text of a scene file; a `SceneFileError` has every problem, each on a line of its own.

    Parameters
    ----------
    text : str
        TOML; the format is described in `collision.scenefile`. A text without keys is a scene without shapes.
    source : str
        What to call the text in errors.

    Examples
    --------
    >>> scene = parse_scene('[shapes.ball]\nkind = "sphere"\ncenter = [0, 0, 1]\nradius = 0.5')
    >>> scene["ball"]
    Sphere(center=[0.0, 0.0, 1.0], radius=0.5)
    """
    with no_garbage_collection():
        return _read(_plain(text), source)


def expectation_lines(text: str, scene: Scene | None = None) -> dict[str, int]:
    r"""Return the line of each promise in the text of a scene file that is right, by its id.

    Examples
    --------
    >>> shape = 'kind = "point"\nposition = [0, 0, 0]\n'
    >>> text = f'[shapes.a]\n{shape}[shapes.b]\n{shape}[[expect]]\ntouch = ["a", "b"]\n'
    >>> expectation_lines(text)
    {'touch a b': 7}
    """
    text = _plain(text)
    scene, lines = parse_scene(text) if scene is None else scene, key_lines(text)
    found = (line_of(("expect", n), lines) for n in range(len(scene.expectations)))
    return {promise.id: line or 1 for promise, line in zip(scene.expectations, found, strict=True)}


def _read(text: str, source: str) -> Scene:
    raw = parse_toml(text, source)
    if not raw:  # nothing but comments, if any: the beginning of a scene
        return Scene()
    problems: list[Problem] = []
    table, scene = None, None
    crowd = _crowd(raw.get("shapes"))
    try:
        rest = {name: shape for name, shape in raw["shapes"].items() if name not in crowd} if crowd else {}
        table = SceneTable.model_validate(raw | {"shapes": rest} if crowd else raw)
    except ValidationError as error:
        problems += _problems(error)
    else:
        scene = Scene({name: crowd[name] if name in crowd else table.shapes[name].result for name in raw["shapes"]})
    problems += _bad_names(raw, scene)
    if table and scene and not problems:
        problems += _bad_kinds(table, scene)
        problems += _bad_promises(table, scene, text)
    if problems or table is None or scene is None:
        raise _located(source, text, problems)
    ignoring = scene.replaced(ignored=table.ignore) if table.ignore else scene
    return ignoring.replaced(
        shows=[entry.result for entry in table.show],
        motion=[entry.result for entry in table.motion],
        camera=table.camera and table.camera.result,
        title=table.title,
        caption=table.caption,
        expectations=[entry.result for entry in table.expect],
        name_groups={name: group.result for name, group in table.groups.items()},
        open=table.open,
    )


# -- many shapes at once -----------------------------------------------------------------------------------------------

#: So many tables of shapes that are alike are read as one batch, which takes a tenth of the time.
CROWD = 100


def _crowd(tables: object) -> dict[str, Shape]:
    """Return the single shapes that plain tables describe, by name; all else is for the models."""
    if not isinstance(tables, dict) or len(tables) < CROWD:
        return {}
    groups: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for name, table in tables.items():
        if isinstance(table, dict) and isinstance(table.get("kind"), str):
            groups[(table["kind"], *table)].append(name)
    found: dict[str, Shape] = {}
    for names in groups.values():
        if len(names) >= CROWD:
            found |= _alike(names, [tables[name] for name in names])
    return found


def _alike(names: list[str], tables: list[dict[str, Any]]) -> dict[str, Shape]:
    """Return the shapes of tables that have the same kind and the same keys; nothing where one is not plain."""
    try:
        model = SHAPE_TABLES[shape_form(tables[0])]
        cores = {field.name: field.core for field in model.made._fields if len(field.core) < 2}
        columns = {key: [table[key] for table in tables] for key in tables[0] if key != "kind"}
        if not all(key in cores and _is_plain(column, cores[key]) for key, column in columns.items()):
            return {}
        for name in names:
            check_name(name)
        made = model.model_validate({"kind": tables[0]["kind"], **columns}).result
    except ValueError:
        return {}
    return {name: made[row] for row, name in enumerate(names)}


def _is_plain(column: list[Any], core: tuple[int | None, ...]) -> bool:
    """Tell whether all values are numbers, or all are lists of as many numbers as one value has."""
    if not core:
        return set(map(type, column)) <= {int, float}
    if set(map(type, column)) != {list} or set(map(len, column)) != {*core}:
        return False
    return set(map(type, chain.from_iterable(column))) <= {int, float}


# -- names -------------------------------------------------------------------------------------------------------------


def _bad_names(raw: dict[str, Any], scene: Scene | None) -> Iterator[Problem]:
    """Find names of shapes that do not exist, in whatever of the file has the right form."""
    shapes = raw.get("shapes")
    entries = list(shapes) if isinstance(shapes, dict) else []
    for path, name in _names(raw):
        entry, quoted = name.partition("[")[0], inline(name)
        if "*" in name and path[0] != "show":
            if scene is not None and not Elements(scene.shapes).covers(name):
                near = meant(name, entries)
                yield Problem(
                    path, f"no shape has a name like {quoted}{f'; did you mean {inline(near)}?' if near else ''}"
                )
        elif entry not in entries:
            yield Problem(path, f"there is no shape named {quoted}{suggestion(name, entries)}")
        elif scene is not None and name not in scene:
            yield Problem(path, no_such_element(quoted, scene[entry]))


def _names(raw: dict[str, Any]) -> Iterator[tuple[Path, str]]:
    """Yield names and patterns of shapes, and where they stand."""
    for key, parts in (("show", ("a", "b")), ("motion", ("shape",)), ("ignore", None)):
        rows = raw.get(key)
        for number, row in enumerate(rows if isinstance(rows, list) else []):
            names: dict[Any, Any] = {}
            if parts and isinstance(row, dict):
                names = {part: row.get(part) for part in parts}
            elif not parts and isinstance(row, list):
                names = dict(enumerate(row))
            yield from (((key, number, part), name) for part, name in names.items() if name and type(name) is str)


def _bad_kinds(table: SceneTable, scene: Scene) -> Iterator[Problem]:
    """Find shows that name a shape of a kind that their query does not take."""
    for i, entry in enumerate(table.show):
        for side, name in (("a", entry.a), ("b", entry.b)):
            takes = entry.result.wanted_kinds("a" if side == "a" else "b")
            if name and type(scene[name]) not in takes:
                kinds = " or ".join(KIND_NAMES[kind] for kind in takes)
                got = f"{inline(name)}, which is of kind {KIND_NAMES[type(scene[name])]}"
                yield Problem(("show", i, side), f"expected the name of a {kinds} for {entry.query}, got {got}")


def _bad_promises(table: SceneTable, scene: Scene, text: str) -> Iterator[Problem]:
    """Find names in promises and groups that stand for nothing, and promises that nothing could be tested for."""
    promises = [entry.result for entry in table.expect]
    groups = {name: group.result for name, group in table.groups.items()}
    names = PromisedNames(scene.promised_names.elements, groups, inline)
    found = list(names.problems(promises))
    if found:
        lines = key_lines(text)
        yield from (_in_file(wrong, promises, lines) for wrong in found)
        return
    if not promises:
        return
    ignoring, times = scene.replaced(ignored=table.ignore), span(tuple(entry.result for entry in table.motion))
    for number, promise in enumerate(promises):
        if late := _bad_time(promise, times):
            yield Problem(("expect", number, "at" if promise.at is not None else "during"), late)
        elif (
            promise.kind in PAIR_KINDS
            and promise.a
            and (nothing := names.nothing_to_test(promise.a, promise.b, ignoring.tested))
        ):
            yield Problem(("expect", number, promise.kind), nothing)


def _bad_time(promise: Expectation, times: tuple[float, float] | None) -> str:
    if not promise.timed:
        return ""
    first, last = promise.during or (promise.at or 0.0,) * 2
    got = inline(promise.at if promise.during is None else [first, last])
    if times is None:
        return f"the scene has no motion, so that there is no other time than now; got {got}"
    if not times[0] <= first <= last <= times[1]:
        return f"expected a time of the motion, {times[0]:g} to {times[1]:g}, got {got}"
    return ""


def _in_file(wrong: BadName, promises: list[Expectation], lines: dict[Path, int]) -> Problem:
    """Say in the words of a file what is wrong with the names in promises."""
    match wrong.part:
        case ("name_groups", str(name)):
            return Problem(("groups", name), wrong.words)
        case ("name_groups", str(name), str(part), int(number)):
            return Problem(("groups", name, part, number), wrong.words)
        case ("expectations", int(number), "id", int(first)):
            line = line_of(("expect", first), lines)
            quoted = inline(promises[number].id)
            text = f"this is another promise with the id {quoted}, as on line {line}; give one of them an id of its own"
            return Problem(("expect", number), text)
        case ("expectations", int(number), str(field)):
            return Problem(("expect", number, *promise_path(promises[number], field)), wrong.words)
    raise ValueError(f"there is no such part of a scene: {wrong.part!r}")
