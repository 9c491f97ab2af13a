"""The names of shapes: which are written into a picture, and at which place that one can see of each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from collision import Contacts, Line, Point, Ray, Scene, Segment, Shape, closest_points
from collision.fields import BoolArray, FloatArray, IntArray
from viewer.camera import Viewport, corners
from viewer.drawables import Label, Role

#: All shapes are named in a scene of so few, and all but the elements of batches in one of so few entries; else those
#: that collide.
FEW = 12

#: Of more shapes that collide than this, only those of the deepest pairs are named: as many pairs as the table has.
MANY = 24

#: Points are named, unless there are more than this: a point is too small to tell what it is.
MANY_POINTS = 24

#: Places that are tried along each side of a shape's outline, and along a line.
SAMPLES = 9

#: A point of a line counts as hidden where something is nearer to the eye by more than this part of its distance.
_NEARER = 1e-6


def shape_names(scene: Scene, contacts: Contacts, viewport: Viewport, pairs: int) -> list[Label]:
    """Return the names of points, and of all shapes or of those that collide, each at a place that one can see.

    Parameters
    ----------
    scene : Scene
        The shapes.
    contacts : Contacts
        Who collides.
    viewport : Viewport
        How the scene is seen.
    pairs : int
        Of how many pairs, the deepest, the shapes are named where very many collide.

    Examples
    --------
    >>> from collision import Camera, Sphere
    >>> scene = Scene({"ball": Sphere([0, 0, 0], 1), "behind": Sphere([0, 0, -4], 1)})
    >>> view = Viewport(Camera(position=(0, 0, 9), up=(0, 1, 0)), (640, 480))
    >>> [label.text for label in shape_names(scene, scene.contacts(), view, 8)]
    ['ball']
    """
    wanted = _wanted(scene, contacts, pairs)
    labels = _point_labels(scene, wanted)
    for elements, shape in scene.groups:
        rows = np.flatnonzero(wanted[elements])
        some: Shape = shape[rows]
        if isinstance(some, Point) or not len(rows):
            continue
        if isinstance(some, Segment | Ray | Line):
            places = _on_lines(scene, some, viewport)
        else:
            places = _on_solids(scene, elements[rows], some, viewport)
        labels += [
            Label(place.point, scene.element_name(int(elements[rows[place.row]])), Role.NAME, place.room)
            for place in places
        ]
    return labels


def _wanted(scene: Scene, contacts: Contacts, pairs: int) -> BoolArray:
    """Tell of every element whether it is named."""
    wanted = np.full(scene.element_count, scene.element_count <= FEW)
    if len(scene) <= FEW:
        single = (scene.element_numbers(name) for name in scene if not scene[name].batch_shape)
        wanted[[numbers[0] for numbers in single]] = True
    colliding = np.unique(contacts.pairs)
    if len(colliding) > MANY:
        deepest = np.argsort(contacts.signed_distance, kind="stable")[:pairs]
        colliding = np.unique(contacts.pairs[deepest])
    wanted[colliding] = True
    return wanted


def _point_labels(scene: Scene, wanted: BoolArray) -> list[Label]:
    single = [name for name, shape in scene.shapes.items() if isinstance(shape, Point) and not shape.batch_shape]
    if len(single) > MANY_POINTS:
        single = [name for name in single if wanted[scene.element_numbers(name)[0]]]
    return [Label(scene[name].values()["position"], name) for name in single]


class _Place(NamedTuple):
    """Where a name can stand: the row of the shape, a point of it, and the room there, in pixels."""

    row: int
    point: FloatArray
    room: tuple[float, float] = (0.0, 0.0)


def _on_solids(scene: Scene, elements: IntArray, shape: Shape, viewport: Viewport) -> Iterator[_Place]:
    """Yield a place for each of some solids that is seen: where there is most room on what is seen of it."""
    outline = corners(shape.bounds())
    pixels, depth = viewport.project(outline.reshape(-1, 3))
    pixels = pixels.reshape(*outline.shape[:2], 2)
    low, high = (np.clip(side(axis=0), 0.0, viewport.size) for side in (pixels.min, pixels.max))
    before = depth.reshape(outline.shape[:2]).min(axis=0) > 0.0
    rows = np.flatnonzero(before & (high - low > 0.0).all(axis=1))
    cells = (high - low)[rows] / SAMPLES
    steps = np.stack(np.meshgrid(*2 * [np.arange(SAMPLES) + 0.5]), axis=-1)
    grid = low[rows, None, None] + cells[:, None, None] * steps
    hits = scene.raycast(viewport.ray(grid[..., 0], grid[..., 1]))
    seen = hits.element == elements[rows, None, None]  # a name is not written on what hides the shape
    for row, own, points, cell in zip(rows.tolist(), seen, hits.point, cells, strict=True):
        if own.any():
            best, room = _roomiest(own, cell)
            yield _Place(row, points[best], room)


def _roomiest(seen: BoolArray, cell: FloatArray) -> tuple[tuple[int, int], tuple[float, float]]:
    """Return which of the places that are seen has most room around it, and how much, in pixels."""
    wide, high = ((2.0 * np.minimum(*_runs(seen, axis)) - 1.0) * cell[1 - axis] for axis in (1, 0))
    # A text is wide: where its line is high enough, only the width counts.
    room = np.where(seen, np.minimum(wide, 3.0 * high), -1.0)
    off = np.abs(np.arange(SAMPLES) - SAMPLES // 2)
    best = np.lexsort(((off[:, None] + off).ravel(), -room.ravel()))[0]
    i, j = divmod(int(best), SAMPLES)
    return (i, j), (float(wide[i, j]), float(high[i, j]))


def _runs(seen: BoolArray, axis: int) -> tuple[IntArray, IntArray]:
    """Count the places without a gap that end at each place, and those that begin there, along an axis."""

    def ending(flags: BoolArray) -> IntArray:
        place = np.arange(1, flags.shape[axis] + 1).reshape([-1 if k == axis else 1 for k in range(flags.ndim)])
        return place - np.maximum.accumulate(np.where(flags, 0, place), axis=axis)

    return ending(seen), np.flip(ending(np.flip(seen, axis)), axis)


def _on_lines(scene: Scene, shape: Segment | Ray | Line, viewport: Viewport) -> Iterator[_Place]:
    """Yield a place for each of some lines that is seen: amid the longest piece that is seen of it."""
    points = _along(shape, viewport)
    pixels, depth = viewport.project(points.reshape(-1, 3))
    pixels, depth = pixels.reshape(*points.shape[:2], 2), depth.reshape(points.shape[:2])
    inside = (depth > 0.0) & ((pixels >= 0.0) & (pixels <= viewport.size)).all(axis=-1)
    rays = viewport.ray(*np.moveaxis(np.where(inside[..., None], pixels, 0.0), -1, 0))
    away = ((points - rays.origin) * rays.direction).sum(axis=-1)
    seen = inside & (away <= scene.raycast(rays).enter * (1.0 + _NEARER))
    room = np.minimum(*_runs(seen, 1))
    for row in np.flatnonzero(seen.any(axis=1)).tolist():
        yield _Place(row, points[row, int(np.argmax(room[row]))])


def _along(shape: Segment | Ray | Line, viewport: Viewport) -> FloatArray:
    """Return places along each of some lines, (n, SAMPLES, 3): of what has no end, where the camera looks."""
    part = (np.arange(SAMPLES)[:, None] + 0.5) / SAMPLES
    if isinstance(shape, Segment):
        return shape.start[:, None] * (1.0 - part) + shape.end[:, None] * part
    middle = closest_points(Point(viewport.camera.target), shape).on_b
    reach = 0.5 * min(viewport.size) * viewport.units_per_pixel(viewport.camera.target)
    along = reach * (2.0 * part - 1.0) * shape.direction[:, None]
    return np.asarray(middle[:, None] + along)
