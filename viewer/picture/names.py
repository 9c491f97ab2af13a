"""The names of shapes: which are written into a picture, and at which place that one can see of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from collision import Contacts, HalfSpace, Line, Point, Ray, Scene, Segment, Shape, closest_points
from collision.inner import BoolArray, FloatArray, IntArray, joined
from viewer.camera.camera import Viewport
from viewer.camera.outline import corners
from viewer.records.drawables import Label, Role

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


class _Place(NamedTuple):
    """Where a name can stand: a point of the shape, and how wide and high it is seen there, in pixels."""

    point: FloatArray
    room: tuple[float, float]


def name_labels(
    scene: Scene,
    contacts: Contacts,
    viewport: Viewport,
    pairs: int,
    unnamed: str | None = None,
    also: Sequence[str] = (),
) -> list[Label]:
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
    unnamed : str, optional
        A shape to leave out, unless it is a point.
    also : sequence of str, optional
        Shapes that are named in any scene.

    Examples
    --------
    >>> from collision import Camera, Sphere
    >>> scene = Scene({"ball": Sphere([0, 0, 0], 1), "behind": Sphere([0, 0, -4], 1)})
    >>> view = Viewport(Camera(position=(0, 0, 9), up=(0, 1, 0)), (640, 480))
    >>> [label.text for label in name_labels(scene, scene.contacts(), view, 8)]
    ['ball']
    """
    wanted = _wanted(scene, contacts, pairs)
    for name in also:
        wanted[scene.element_numbers(name)] = True
    named = _to_name(scene, wanted, unnamed)
    places = _find(scene, named, viewport)
    return [
        *_of_points(scene, wanted),
        *(
            Label(places[element].point, scene.element_name(element), Role.NAME, places[element].room)
            for element in named
            if element in places
        ),
    ]


def _of_points(scene: Scene, wanted: BoolArray) -> list[Label]:
    """Return the names of those points that are entries of their own; of very many, of the wanted ones."""
    points = next((elements for elements, shape in scene.groups if isinstance(shape, Point)), np.zeros(0, int))
    names = ((number, scene.element_name(number)) for number in points.tolist())
    single = {number: name for number, name in names if "[" not in name}
    if len(single) > MANY_POINTS:
        single = {number: name for number, name in single.items() if wanted[number]}
    return [Label(scene.element(number).core.middle(), name) for number, name in single.items()]


def _wanted(scene: Scene, contacts: Contacts, pairs: int) -> BoolArray:
    """Tell of every element whether it is named."""
    wanted = np.full(scene.element_count, scene.element_count <= FEW)
    if len(scene) <= FEW:
        first = ((scene.element_numbers(name).start, name) for name in scene if len(scene.element_numbers(name)))
        wanted[[number for number, name in first if scene.element_name(number) == name]] = True
    colliding = contacts.pairs
    # So few elements have no more pairs than this.
    if 2 * len(colliding) > MANY * (MANY - 1) or len(np.unique(colliding)) > MANY:
        colliding = colliding[contacts.deepest(pairs)]
    wanted[colliding.ravel()] = True
    return wanted


def _to_name(scene: Scene, wanted: BoolArray, unnamed: str | None) -> list[int]:
    """Return the wanted elements that are no points, in the order of the batches, but for one."""
    numbers = scene.element_numbers(unnamed) if unnamed is not None else range(0)
    left_out = numbers[0] if len(numbers) == 1 and scene.element_name(numbers[0]) == unnamed else None
    groups = (elements for elements, shape in scene.groups if not isinstance(shape, Point))
    return [element for elements in groups for element in elements[wanted[elements]].tolist() if element != left_out]


def _find(scene: Scene, elements: Sequence[int], viewport: Viewport) -> dict[int, _Place]:
    """Return places for the names of those elements that are seen: on all solids together, as many rays cost less."""
    kinds: dict[type[Shape], list[int]] = {}
    for element in elements:
        kinds.setdefault(type(scene.element(element)), []).append(element)
    places: dict[int, _Place] = {}
    solid, boxes = [], []
    around = _around_the_eye(scene, viewport) if kinds else []
    for kind, some in kinds.items():
        shapes = joined(kind, [scene.element(element) for element in some])
        if isinstance(shapes, Segment | Ray | Line | HalfSpace):
            places.update(_on_lines(scene, some, shapes, viewport, around))
        else:
            solid += some
            boxes.append(corners(*shapes.corners()))
    if boxes:
        outlines = np.concatenate(boxes, axis=1)
        places.update(_on_solids(scene, np.array(solid), outlines, viewport, around))
    return places


def _around_the_eye(scene: Scene, viewport: Viewport) -> list[str]:
    """Return what the eye is in or on, such as a ray that one looks along: it is hit at once, and hides nothing."""
    ray = Ray(viewport.eye, viewport.forward)
    if not scene.raycast(ray, max_distance=0.0, any_hit=True).hit:  # the rule, which this finds sooner
        return []
    return [scene.element_name(element) for element in scene.raycast_all(ray, max_distance=0.0).element.tolist()]


def _on_solids(
    scene: Scene, elements: IntArray, outlines: FloatArray, viewport: Viewport, around: Sequence[str]
) -> dict[int, _Place]:
    """Return a place for each of some solids that is seen: the roomiest, by the corners (8, n, 3) of their boxes."""
    pixels, depth = viewport.project(outlines.reshape(-1, 3))
    pixels = pixels.reshape(*outlines.shape[:2], 2)
    low, high = (np.clip(side(axis=0), 0.0, viewport.size) for side in (pixels.min, pixels.max))
    before = depth.reshape(outlines.shape[:2]).min(axis=0) > 0.0
    rows = np.flatnonzero(before & (high - low > 0.0).all(axis=1))
    cells = (high - low)[rows] / SAMPLES
    steps = np.stack(np.meshgrid(*2 * [np.arange(SAMPLES) + 0.5]), axis=-1)
    grid = low[rows, None, None] + cells[:, None, None] * steps
    hits = scene.raycast(viewport.ray(grid[..., 0], grid[..., 1]), without=around)
    seen = hits.element == elements[rows, None, None]  # a name is not written on what hides the shape
    i, j, rooms = _roomiest(seen, cells)
    numbers = zip(elements[rows].tolist(), rooms.tolist(), strict=True)
    return {
        element: _Place(hits.point[k, i[k], j[k]], (wide, high))
        for k, (element, (wide, high)) in enumerate(numbers)
        if seen[k].any()
    }


def _roomiest(seen: BoolArray, cells: FloatArray) -> tuple[IntArray, IntArray, FloatArray]:
    """Return which of the places (n, y, x) that are seen have most room around them, and how much, in pixels."""
    wide, high = (
        (2.0 * np.minimum(*_runs(seen, axis)) - 1.0) * cells[:, side, None, None] for axis, side in ((2, 0), (1, 1))
    )
    # A text is wide: where its line is high enough, only the width counts.
    room = np.where(seen, np.minimum(wide, 3.0 * high), -1.0).reshape(-1, SAMPLES * SAMPLES)
    off = np.abs(np.arange(SAMPLES) - SAMPLES // 2)
    best = np.lexsort((np.broadcast_to((off[:, None] + off).ravel(), room.shape), -room))[:, :1].ravel()
    i, j = np.divmod(best, SAMPLES)
    rows = np.arange(len(seen))
    return i, j, np.stack([wide[rows, i, j], high[rows, i, j]], axis=1)


def _runs(seen: BoolArray, axis: int) -> tuple[IntArray, IntArray]:
    """Count the places without a gap that end at each place, and those that begin there, along an axis."""

    def ending(flags: BoolArray) -> IntArray:
        place = np.arange(1, flags.shape[axis] + 1).reshape([-1 if k == axis else 1 for k in range(flags.ndim)])
        return place - np.maximum.accumulate(np.where(flags, 0, place), axis=axis)

    return ending(seen), np.flip(ending(np.flip(seen, axis)), axis)


def _on_lines(
    scene: Scene,
    elements: Sequence[int],
    shape: Segment | Ray | Line | HalfSpace,
    viewport: Viewport,
    around: Sequence[str],
) -> dict[int, _Place]:
    """Return a place for each of some lines or planes that is seen: amid the longest piece that is seen of it."""
    points = _along(shape, viewport)
    pixels, depth = viewport.project(points.reshape(-1, 3))
    pixels, depth = pixels.reshape(*points.shape[:2], 2), depth.reshape(points.shape[:2])
    inside = (depth > 0.0) & ((pixels >= 0.0) & (pixels <= viewport.size)).all(axis=-1)
    rays = viewport.ray(*np.moveaxis(np.where(inside[..., None], pixels, 0.0), -1, 0))
    away = ((points - rays.origin) * rays.direction).sum(axis=-1)
    enter = scene.raycast(rays, without=around).enter  # a ray that hits nothing has no number
    seen = inside & ~(away > enter * (1.0 + _NEARER))
    room = np.minimum(*_runs(seen, 1))
    return {
        element: _Place(points[row, int(np.argmax(room[row]))], (0.0, 0.0))
        for row, (element, some) in enumerate(zip(elements, seen, strict=True))
        if some.any()
    }


def _along(shape: Segment | Ray | Line | HalfSpace, viewport: Viewport) -> FloatArray:
    """Return places along each of some lines, (n, SAMPLES, 3): of what has no end, where the camera looks.

    None of them is behind the origin of a ray.
    """
    part = (np.arange(SAMPLES)[:, None] + 0.5) / SAMPLES
    if isinstance(shape, Segment):
        return shape.start[:, None] * (1.0 - part) + shape.end[:, None] * part
    middle = closest_points(Point(viewport.camera.target), shape).on_b
    reach = 0.5 * min(viewport.size) * viewport.units_per_pixel(viewport.camera.target)
    way = np.cross(viewport.forward, shape.normal) if isinstance(shape, HalfSpace) else shape.direction
    low = np.full((len(way), 1, 1), -reach)
    if isinstance(shape, Ray):
        to_origin = ((shape.origin - middle) * way).sum(axis=-1)
        low = np.maximum(low, np.minimum(to_origin, 0.0)[:, None, None])
    return np.asarray(middle[:, None] + (low + (reach - low) * part) * way[:, None])
