"""Pictures of what is very large or very small: all that is drawn is made so many times smaller or larger.

Graphics cards count in single precision, and VTK's cameras come no nearer than 1e-20. So what is drawn is scaled by a
power of two, which changes no digit of it.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TypeVar

import numpy as np

from collision import Camera
from collision.inner import FloatArray
from viewer.camera.camera import distance
from viewer.records.drawables import (
    Arrow,
    Core,
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
)
from viewer.records.sizes import power_of

_Drawable = TypeVar("_Drawable", bound=Drawable)
_Cores = TypeVar("_Cores", Solid, Ghost)

#: Which numbers of the rows of cores are lengths: from where to where.
_LENGTHS = {
    Core.POINT: ((0, 3),),
    Core.LINEAR: ((0, 9),),
    Core.BOX: ((0, 3), (12, 18)),
    Core.ALIGNED: ((12, 18),),
}


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
    height = camera.parallel_height
    return replace(
        camera,
        position=_scaled_numbers(camera.position, power),
        target=_scaled_numbers(camera.target, power),
        parallel_height=None if height is None else math.ldexp(height, power),
    )


def scaled(drawable: _Drawable, power: int) -> _Drawable:
    """Return a drawable 2 ** power times as large, seen from the origin; the same if the power is 0 or it has no place.

    Examples
    --------
    >>> scaled(Ground(1.0, 2.0, (3.0, 4.0), 5.0), 1)
    Ground(z=2.0, spacing=4.0, center=(6.0, 8.0), half_size=10.0)
    """
    return _scaled(drawable, power) if power else drawable  # type: ignore[return-value]


def _scaled(drawable: Drawable, power: int) -> Drawable:
    match drawable:
        case Ghost():
            return _scaled_cores(drawable, power)
        case Solid(transform=placed):
            if placed is not None:
                placed = np.concatenate([placed[:, :3], _times(placed[:, 3:], power)], axis=1)
            return replace(_scaled_cores(drawable, power), transform=placed)
        case Marker(points, role):
            return Marker(_times(points, power), role)
        case Stroke(start, end, role, None) | Arrow(start, end, role, None):
            return type(drawable)(_times(start, power), _times(end, power), role)
        case Stroke(about=about) | Arrow(about=about) if about is not None:
            return replace(drawable, about=_times(about, power))
        case Patch(corners, role):
            return Patch(_times(corners, power), role)
        case Label(position):
            return replace(drawable, position=_times(position, power))
        case Ground(z, spacing, center, half):
            return Ground(
                *_scaled_numbers((z, spacing), power), _scaled_numbers(center, power), math.ldexp(half, power)
            )
        case Shadows(floors):
            return Shadows(tuple(_scaled_floor(floor, power) for floor in floors))
        case _:
            return drawable


def _scaled_floor(floor: Floor, power: int) -> Floor:
    return Floor(*(_scaled_numbers(some, power) for some in floor))


def _scaled_cores(cores: _Cores, power: int) -> _Cores:
    rows = cores.rows.copy()
    for first, end in _LENGTHS[cores.core]:
        rows[:, first:end] = _times(rows[:, first:end], power)
    return replace(cores, rows=rows, radii=_times(cores.radii, power))


def _times(numbers: FloatArray, power: int) -> FloatArray:
    return np.ldexp(numbers, power)


_Numbers = TypeVar("_Numbers", bound=tuple[float, ...])


def _scaled_numbers(numbers: _Numbers, power: int) -> _Numbers:
    return tuple(math.ldexp(number, power) for number in numbers)  # type: ignore[return-value]
