"""What a shape has become, in the form in which a file gives it: a capsule by its height, anything with a transform."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from pydantic import ValidationError

from collision.base.fields import FloatArray
from collision.files.models import SHAPE_TABLES, shape_form
from collision.shapes.kinds import Capsule, Shape

#: People write fewer digits than these; a number that rounds to as many is tried before the one that was computed.
_DECIMALS = 12

#: So many of the next floats on either side are tried: the two ends of a capsule are rounded, each on its own.
_STEPS = 2


def in_form(table: dict[str, Any], shape: Shape) -> dict[str, Any] | None:
    """Return the table of a shape with another place or other sizes, such that it is a given shape.

    Parameters
    ----------
    table : dict
        How a file gives a shape, as it is read from TOML.
    shape : Shape
        What the table is to give, to the last bit.

    Returns
    -------
    dict or None
        The table with other values of ``center``, ``radius``, ``height`` or the transform's ``position``. None where
        these do not say it, and for a form that holds what is stored.

    Examples
    --------
    >>> table = {"kind": "capsule", "axis": "z", "height": 4, "radius": 1}
    >>> in_form(table, Capsule([3, 0, -1], [3, 0, 1], 1))
    {'kind': 'capsule', 'axis': 'z', 'height': 4, 'radius': 1, 'center': [3.0, 0.0, 0.0]}
    """
    was = _made(table)
    if type(was) is not type(shape) or was.batch_shape != shape.batch_shape:
        return None
    if "transform" not in table and shape_form(table) != "collider":
        return None
    return next(filter(None, (_placed(sized, shape) for sized in _sized(table, was, shape))), None)


def _made(table: dict[str, Any]) -> Shape | None:
    """Return the shape of a table; None where it gives none."""
    try:
        made: Shape = SHAPE_TABLES[shape_form(table)].model_validate(table).result
    except ValidationError:
        return None
    return made


def _sized(table: dict[str, Any], was: Shape, shape: Shape) -> Iterator[dict[str, Any]]:
    """Yield the table, first as it is, with the sizes that it may have; those of a batch are left as they are."""
    old, new = (one.values().get("radius") for one in (was, shape))
    if old is None or new is None or old.tobytes() == new.tobytes():
        radii = [table]
    elif np.ndim(table["radius"]) or shape.batch_shape or not float(old):
        return
    else:
        wanted = float(new) if float(old) == table["radius"] else table["radius"] * float(new) / float(old)
        radii = [{**table, "radius": radius} for radius in _around(wanted)]
    yield from radii
    scaled = np.any(np.asarray(table.get("transform", {}).get("scale", 1.0)) != 1.0)
    if isinstance(shape, Capsule) and shape_form(table) == "collider" and not shape.batch_shape and not scaled:
        same = table if len(radii) == 1 else {**table, "radius": float(shape.radius)}
        length = float(np.linalg.norm(shape.end - shape.start))
        for height in _around(length + 2.0 * float(shape.radius)):
            yield {**same, "height": height}


def _placed(table: dict[str, Any], shape: Shape) -> dict[str, Any] | None:
    """Return the table at the place where it gives the shape; None if there is none.

    Each coordinate of the place is in the same coordinate of the shape alone, so each is found by itself.
    """
    inside = table.get("transform")
    holder, key = (table, "center") if inside is None else (inside, "position")
    old = np.asarray(holder.get(key, [0.0, 0.0, 0.0]), dtype=np.float64)
    was = _made(table)
    if was is None or old.shape[:-1] not in ((), shape.batch_shape):
        return None
    offset = next(iter(shape.values().values())) - next(iter(was.values().values()))
    if old.ndim == 1:
        offset = offset.reshape(-1, 3)[:1].sum(axis=0)  # all of a batch go the same way, or it is not found
    place, open_ = old.copy(), np.ones(old.shape, dtype=bool)
    for values in (old, *_around(old + offset)):
        made = _made(_with_place(table, inside, key, values))
        if made is not None:
            fits = open_ & _same_coordinates(made, shape, old.ndim)
            place[fits], open_[fits] = values[fits], False
        if not open_.any():
            return table if np.array_equal(place, old) else _with_place(table, inside, key, place)
    return None


def _with_place(table: dict[str, Any], inside: dict[str, Any] | None, key: str, place: FloatArray) -> dict[str, Any]:
    new = {key: place.tolist()}
    return {**table, **new} if inside is None else {**table, "transform": {**inside, **new}}


def _same_coordinates(made: Shape, shape: Shape, axes: int) -> Any:
    """Tell of which coordinates two shapes are the same; with one axis, of all elements together."""
    same = np.ones((*shape.batch_shape, 3), dtype=bool)
    cores = {field.name: field.core for field in shape._fields}
    for name, value in shape.values().items():
        if len(cores[name]) == 1:
            same &= made.values()[name] == value
    return same.reshape(-1, 3).all(axis=0) if axes == 1 else same


def _around(value: Any) -> Iterator[Any]:
    """Yield what a number, or each of an array, may have been before it was rounded, the likeliest first."""
    kind = np.asarray if np.ndim(value) else float
    yield kind(np.round(value, _DECIMALS))
    yield value
    low = high = value
    for _ in range(_STEPS):
        low, high = np.nextafter(low, -np.inf), np.nextafter(high, np.inf)
        yield kind(low)
        yield kind(high)
