"""Where new shapes find room: on the ground, near where the view looks, beside all that is there."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from collision import AABB, HalfSpace, Line, Ray, Scene, Shape, Sphere
from collision.inner import ArrayLike, BoolArray, FloatArray
from viewer.camera.camera import Viewport, nearest_axes
from viewer.camera.flat import flat_across
from viewer.camera.floors import is_floor, top_of
from viewer.records.ground import ground

#: So many places are tried, on a spiral so wide, in sizes of what is put there; and so much room is to be left.
PLACES, WIDTH, ROOM = 400, 2.2, 0.2

#: The part of the picture, from its middle, in which a new shape is to be seen.
SEEN = 0.35

#: The angle from each place on the spiral to the next, which leaves no rows.
_GOLDEN = np.pi * (3.0 - np.sqrt(5.0))

#: A maker of shapes of a kind, of places (..., 3) and a size.
Maker = Callable[[FloatArray, float], Shape]


def free_place(
    scene: Scene, extent: AABB | None, viewport: Viewport, make: Maker, size: float, step: float
) -> FloatArray:
    """Return where a new shape is put (3,): in round numbers, where it touches nothing and can be seen.

    It stands on the floor or the ground, or lies in the plane of a drawing; a half-space begins just below.
    """
    shape, axis = make(np.zeros(3), size), flat_across(scene)
    across = 2 if axis is None else axis
    # Where an empty scene is looked at leaves room for the panels.
    places = _spiral(viewport.camera.target if scene.element_count else (0.0, 0.0, 0.0), across, size, step)
    aimed = places[0, across]
    places[:, across] = _plane(scene, axis) if axis is not None else _floor(scene, extent) + _rise(shape, size, step)
    if scene.element_count and not _seen(viewport, places[:1])[0]:
        places[:, across] = aimed
    tried = make(places, size) if shape.bounded else Sphere(places, size)
    free = _clearance(scene, extent, tried) > ROOM * size
    return np.asarray(places[int(np.argmax(2 * free + (free & _seen(viewport, places))))])


def _spiral(middle: ArrayLike, across: int, size: float, step: float) -> FloatArray:
    """Return places around a point, the nearest first, in round numbers."""
    level = [axis for axis in range(3) if axis != across]
    count = np.arange(PLACES)
    away, angle = WIDTH * size * np.sqrt(count), _GOLDEN * count
    places = np.tile(np.asarray(middle, dtype=np.float64), (PLACES, 1))
    places[:, level] += away[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return np.asarray(np.round(step * np.round(places / step), max(-int(np.floor(np.log10(step))), 0)))


def _seen(viewport: Viewport, places: FloatArray) -> BoolArray:
    """Tell of some places whether each is well within the picture."""
    pixels, _ = viewport.project(places)
    return np.asarray(np.all(np.abs(pixels / viewport.size - 0.5) <= SEEN, axis=1))


def free_step(scene: Scene, extent: AABB | None, viewport: Viewport, box: AABB, step: float) -> FloatArray:
    """Return how far to move a copy of what is in a box (3,), so that it touches neither that nor all else.

    Of three steps each way the first that is free and can be seen is taken; where there is none, one step to the right.
    """
    axes, across = nearest_axes(viewport), flat_across(scene)
    ways = [axes[way] for way in ("right", "left", "near", "away", "up", "down")]
    level = [way for way in ways if not way[2 if across is None else across]]
    wide = [step * np.ceil((2.0 * float(np.abs(way) @ box.half_extents) + step) / step) for way in level]
    offsets = np.array([times * far * way for times in (1, 2, 3) for way, far in zip(level, wide, strict=True)])
    moved = AABB(box.lower + offsets, box.upper + offsets)
    free = _clearance(scene, extent, moved) > 0.0
    return np.asarray(offsets[int(np.argmax(2 * free + (free & _seen(viewport, moved.center))))])


def _clearance(scene: Scene, extent: AABB | None, shapes: Shape) -> FloatArray:
    """Return how far each of some shapes is from all but the floors it may stand on; infinity where nothing else is."""
    floors = [name for name, _ in _floors(scene, extent)]
    away = scene.nearest(shapes, without=floors)
    assert away is not None  # as it is asked for many
    return np.where(np.isnan(away.signed_distance), np.inf, away.signed_distance)


def _floors(scene: Scene, extent: AABB | None) -> list[tuple[str, float]]:
    """Return the names of the floors of a scene, and how high each of them is."""
    found: list[tuple[str, float]] = []
    for elements, shape in scene.groups:
        rows = np.flatnonzero(is_floor(shape, extent))
        found += [(scene.element_name(int(elements[row])), float(top_of(shape[row]))) for row in rows]
    return found


def _floor(scene: Scene, extent: AABB | None) -> float:
    return min((top for _, top in _floors(scene, extent)), default=ground(extent).z)


def _plane(scene: Scene, axis: int) -> float:
    bounds = scene.bounds()
    return 0.0 if bounds is None else float(bounds.center[axis])


def _rise(shape: Shape, size: float, step: float) -> float:
    """Return how high above the floor the place of a shape is."""
    if isinstance(shape, HalfSpace):
        return -step
    return size if isinstance(shape, Ray | Line) else -float(shape.bounds().lower[2])
