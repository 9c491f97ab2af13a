"""A picture as text that another program can draw: its records as JSON, each with an id and a version.

README.md of this folder says what each record is. Numbers keep all their bits.
"""

from __future__ import annotations

import json
import math
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from types import MappingProxyType
from typing import Any, get_args

import numpy as np

from collision.inner import FloatArray
from viewer.records.commands import Command
from viewer.records.drawables import (
    Arrow,
    Button,
    Core,
    Cores,
    Drawable,
    FlatMark,
    Floor,
    GalleryItem,
    Label,
    Marker,
    Panel,
    Patch,
    Role,
    Row,
    ShapeFlags,
    Slider,
    Solid,
    StepArea,
    StepCurve,
    StepFormula,
    StepPlot,
    StepPoint,
    StepRow,
    StepSpace,
    StepValue,
    Stroke,
    TimelineRow,
    TimelineSpan,
    Visual,
)
from viewer.records.record import values_of

#: What the text begins with, and the number of the form that it has.
FORMAT, FORM = "collision-viewer picture", 1

#: What records are made of, beside arrays.
_PARTS = (
    *(Row, Button, Slider, GalleryItem, Command, TimelineRow, TimelineSpan, Floor, FlatMark, StepRow, Cores),
    *(StepFormula, StepValue, StepCurve, StepPoint, StepArea, StepPlot, StepSpace),
)
_KINDS: Mapping[str, Any] = MappingProxyType({kind.__name__: kind for kind in (*get_args(Drawable), *_PARTS)})
_ENUMS: Mapping[str, Any] = MappingProxyType({kind.__name__: kind for kind in (Role, ShapeFlags, Core)})

#: How arrays are written: floats and flags, the least significant byte first.
_ARRAYS: Mapping[str, str] = MappingProxyType({"float64": "<f8", "float32": "<f4", "int32": "<i4", "uint8": "|u1"})

_INFINITE = {"inf": math.inf, "-inf": -math.inf}


def with_ids(picture: Iterable[Drawable]) -> dict[str, Drawable]:
    """Return the records of a picture by their ids, which are the same in the next picture.

    An id is the kind of a record and what it stands for; of several that stand for the same, the second ends in ``/2``.

    Examples
    --------
    >>> dots = Marker(np.zeros((1, 3)), Role.HIT)
    >>> [*with_ids([dots, Label(np.zeros(3), "ball", Role.NAME), dots])]
    ['marker/hit', 'label/ball', 'marker/hit/2']
    """
    counts, found = Counter[str](), dict[str, Drawable]()
    for record in picture:
        stem = _stem(record)
        counts[stem] += 1
        found[stem if counts[stem] == 1 else f"{stem}/{counts[stem]}"] = record
    return found


def _stem(record: Drawable) -> str:
    kind = type(record).__name__.lower()
    match record:
        case Solid():
            return f"{kind}/{record.core}"
        case Visual(link=link):
            return f"{kind}/{link}"
        case Label(text=text, role=Role.NAME):
            return f"{kind}/{text}"
        case Label() | Marker() | Stroke() | Arrow() | Patch():
            return f"{kind}/{record.role}"
        case Panel():
            return f"{kind}/{record.name or record.corner}"
    return kind


def origin_of(picture: Iterable[Drawable]) -> FloatArray:
    """Return the middle of the solids of a picture: in single precision, places relative to it are precise."""
    places = [np.zeros((0, 3))]
    for solid in (record for record in picture if isinstance(record, Solid)):
        first = 12 if solid.core is Core.ALIGNED else 0
        some = solid.rows[:, first : first + 3]
        places.append(some if solid.transform is None else some @ solid.transform[:, :3].T + solid.transform[:, 3])
    every = np.concatenate(places)
    return 0.5 * every.min(axis=0) + 0.5 * every.max(axis=0) if len(every) else np.zeros(3)


def to_json(picture: Iterable[Drawable]) -> str:
    """Return a picture as JSON.

    Parameters
    ----------
    picture : iterable of Drawable
        What `viewer.picture.present.present` returns.

    Raises
    ------
    ValueError
        If a number is not one (NaN).
    TypeError
        If a record holds what is no plain value.

    Examples
    --------
    >>> picture = (Label(np.array([0.1, 0.2, 0.3]), "ball", Role.NAME),)
    >>> from_json(to_json(picture)) == picture
    True
    """
    records = with_ids(picture)
    written = [{"id": id, "version": r.version, **_written(r, id)} for id, r in records.items()]
    head = {"format": FORMAT, "form": FORM, "origin": origin_of(records.values()).tolist()}
    return json.dumps({**head, "records": written}, allow_nan=False, ensure_ascii=False)


def from_json(text: str) -> tuple[Drawable, ...]:
    """Return the picture that `to_json` wrote.

    Raises
    ------
    ValueError
        If the text is no such picture, or a record is not as it was written.
    """
    try:
        whole = json.loads(text)
        if not isinstance(whole, dict) or whole.get("format") != FORMAT:
            raise ValueError(f'no "format": "{FORMAT}"')
        if whole.get("form") != FORM:
            raise ValueError(f'"form" must be {FORM}, got {whole.get("form")!r}')
        return tuple([_record(given) for given in whole["records"]])
    except (ValueError, TypeError, KeyError, Base64Error) as error:
        raise ValueError(f"a picture must be JSON as to_json writes it, got other text: {error}") from error


def _record(given: dict[str, Any]) -> Drawable:
    id, version = given.pop("id"), given.pop("version")
    record = _read(given)
    if not isinstance(record, Drawable) or record.version != version:
        raise ValueError(f"record {id} is not as it was written")
    return record


def _written(value: Any, where: str) -> Any:
    """Return a value as `json` takes it; errors name where it is."""
    if value is None or (isinstance(value, bool | int | str) and not isinstance(value, Enum)):
        return value
    if isinstance(value, float):
        if math.isnan(value):
            raise ValueError(f"{where} must be a number, got NaN")
        return value if math.isfinite(value) else {"is": repr(value)}
    if isinstance(value, Enum) and type(value).__name__ in _ENUMS:
        return {"is": type(value).__name__, "name": value.name}
    if isinstance(value, np.ndarray) and value.dtype.name in _ARRAYS:
        if np.isnan(value).any():
            raise ValueError(f"{where} must be numbers, got NaN")
        numbers = value.astype(_ARRAYS[value.dtype.name]).tobytes()
        return {"is": value.dtype.name, "shape": value.shape, "base64": b64encode(numbers).decode("ascii")}
    if type(value).__name__ in _KINDS:
        given = zip(_names(type(value)), values_of(value), strict=True)
        return {"is": type(value).__name__, **{name: _written(part, f"{where}: {name}") for name, part in given}}
    if type(value) is tuple:
        return [_written(part, where) for part in value]
    raise TypeError(f"{where} must be a plain value, got {type(value).__name__}")


def _read(given: Any) -> Any:
    """Return what `_written` wrote."""
    if isinstance(given, list):
        return tuple([_read(part) for part in given])
    if not isinstance(given, dict):
        return given
    kind, parts = given["is"], {name: part for name, part in given.items() if name != "is"}
    if kind in _INFINITE:
        return _INFINITE[kind]
    if kind in _ENUMS:
        return _flags(parts["name"]) if kind == ShapeFlags.__name__ else _ENUMS[kind][parts["name"]]
    if kind in _ARRAYS:
        numbers = np.frombuffer(b64decode(parts["base64"], validate=True), _ARRAYS[kind]).astype(kind)
        return numbers.reshape(parts["shape"])
    if kind == Command.__name__:
        return Command(parts["name"], *_read(parts["arguments"]))
    if kind not in _KINDS:
        raise ValueError(f"no record is called {kind!r}")
    return _KINDS[kind](**{name: _read(part) for name, part in parts.items()})


def _flags(names: str) -> ShapeFlags:
    found = ShapeFlags.FREE
    for name in names.split("|"):
        found |= ShapeFlags[name]
    return found


def _names(kind: Any) -> tuple[str, ...]:
    """Return the names of the fields of a record or a part of one."""
    return tuple([field.name for field in fields(kind)]) if is_dataclass(kind) else kind._fields
