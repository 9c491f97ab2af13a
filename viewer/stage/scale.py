"""Pictures of what is very large or very small: all that is drawn is made so many times smaller or larger.

Graphics cards count in single precision, and VTK's cameras come no nearer than 1e-20. So what is drawn is scaled by a
power of two, which changes no digit of it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np

from collision import Camera
from collision.inner import FloatArray
from viewer.camera.camera import distance
from viewer.records.drawables import (
    Arrow,
    Core,
    Cores,
    Drawable,
    Floor,
    Ghost,
    Ground,
    Label,
    Marker,
    Patch,
    Shadows,
    Solid,
    Stroke,
    Visual,
)
from viewer.records.sizes import power_of

_Drawable = TypeVar("_Drawable", bound=Drawable | Cores)

#: Which fields of drawables are lengths or places. Lines about a point have one place: that.
_PLACES: Mapping[type, tuple[str, ...]] = MappingProxyType(
    {
        Solid: ("rows", "radii", "transform"),
        **dict.fromkeys((Ghost, Cores), ("rows", "radii")),
        Visual: ("points", "transform"),
        Marker: ("points",),
        Stroke: ("start", "end", "radii", "widths"),
        Arrow: ("start", "end"),
        Patch: ("corners",),
        Label: ("position", "of"),
        Ground: ("z", "spacing", "center", "half_size"),
        Shadows: ("floors",),
    }
)

#: Which numbers of the rows of cores are lengths.
_LENGTHS: Mapping[Core, tuple[slice, ...]] = MappingProxyType(
    {
        Core.POINT: (slice(0, 3),),
        Core.LINEAR: (slice(0, 9),),
        Core.BOX: (slice(0, 3), slice(12, 18)),
        Core.ALIGNED: (slice(12, 18),),
        Core.HALF_SPACE: (slice(0, 3),),
        Core.CYLINDER: (slice(0, 9), slice(12, 14)),
        Core.HULL: (slice(0, 3),),
    }
)


def power_for(camera: Camera) -> int:
    """Return the power of two by which a picture is scaled that a camera takes: 0 for all ordinary ones.

    Examples
    --------
    >>> [power_for(Camera((0.0, -far, 0.0))) for far in (1e-9, 1.0, 1e9, 1e30, 1e-200)]
    [0, 0, 0, -128, 640]
    """
    return power_of(distance(camera))


def scaled_camera(camera: Camera, power: int) -> Camera:
    """Return a camera that sees scaled drawables as it sees those that are not; the same if the power is 0."""
    if not power:
        return camera
    lengths = {name: _times(getattr(camera, name), power) for name in ("position", "target", "parallel_height")}
    return replace(camera, **lengths)


def scaled(drawable: _Drawable, power: int) -> _Drawable:
    """Return a drawable 2 ** power times as large, seen from the origin; the same if the power is 0 or it has no place.

    Examples
    --------
    >>> scaled(Ground(1.0, 2.0, (3.0, 4.0), 5.0), 1)
    Ground(z=2.0, spacing=4.0, center=(6.0, 8.0), half_size=10.0)
    """
    names = _PLACES.get(type(drawable), ()) if power else ()
    if power and isinstance(drawable, Stroke | Arrow) and drawable.about is not None:
        names = ("about",)
    if power and isinstance(drawable, Stroke) and drawable.endless:
        names = ("start",)
    found: dict[str, Any] = {name: _times(getattr(drawable, name), power) for name in names}
    if isinstance(drawable, Cores) and found:
        found["rows"] = rows = drawable.rows.copy()
        for lengths in _LENGTHS[drawable.core]:
            rows[:, lengths] = _times(rows[:, lengths], power)
        found["table"] = _scaled_table(drawable, power) if drawable.core is Core.HULL else drawable.table
        if isinstance(drawable, Solid) and drawable.transform is not None:
            found["transform"][:, :3] = drawable.transform[:, :3]
    if isinstance(drawable, Visual) and found:
        found["transform"][:, :3] = drawable.transform[:, :3]
    return replace(drawable, **found) if found else drawable


def _scaled_table(hulls: Cores, power: int) -> FloatArray:
    """Return the table of hulls with all that is a length in it scaled."""
    table = hulls.table.copy()
    for begin in hulls.rows[:, 12].astype(int).tolist():
        corners, faces = table[begin : begin + 2].astype(int).tolist()
        first = begin + 5 + 3 * corners
        for lengths in (slice(begin + 4, first), slice(first + 3, first + 4 * faces, 4)):
            table[lengths] = np.ldexp(table[lengths], power)
    return table


def _times(value: Any, power: int) -> Any:
    """Return numbers 2 ** power times as large, as they are: an array, a tuple, or one of them; or nothing."""
    if isinstance(value, Cores):
        return scaled(value, power)
    if isinstance(value, Floor):
        return Floor(*_times(tuple(value), power))
    if isinstance(value, tuple):
        return tuple(_times(part, power) for part in value)
    if isinstance(value, np.ndarray):
        return np.ldexp(value, power)
    return None if value is None else math.ldexp(value, power)
