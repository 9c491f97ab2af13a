"""The names of shapes: which are written into a picture, and at which place that one can see of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from collision import Contacts, HalfSpace, Line, Point, Ray, Scene, Segment, Shape, closest_points
from collision.inner import BoolArray, FloatArray, IntArray, joined
from viewer.camera.camera import Viewport
from viewer.camera.outline import corners
from viewer.picture.batches import moved_between, same_but_for_moves
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

#: So many pixels are added on each side of the part of the picture that a shape covers, for the rounding.
_ROUNDING = 1.0

_NO_POINT = np.full(3, np.nan)


class _Place(NamedTuple):
    """Where a name can stand.

    Attributes
    ----------
    point : ndarray, shape (3,)
        A point of the shape.
    room : tuple of 2 floats, or None
        How wide and high the shape is seen there, in pixels; None where nothing is seen of it.
    part : tuple of 4 floats
        The part of the picture that was looked at: left, bottom, right, top. While nothing comes or goes there, and the
        shape stays where it is, the place is the best one.
    """

    point: FloatArray
    room: tuple[float, float] | None
    part: tuple[float, ...]


class Names:
    """Writes the names of shapes, and keeps their places for the next picture: finding them takes many rays.

    Examples
    --------
    >>> from collision import Camera, Sphere
    >>> scene = Scene({"ball": Sphere([0, 0, 0], 1), "behind": Sphere([0, 0, -4], 1)})
    >>> view = Viewport(Camera(position=(0, 0, 9), up=(0, 1, 0)), (640, 480))
    >>> [label.text for label in Names().labels(scene, scene.contacts(), view, 8)]
    ['ball']
    """

    def __init__(self) -> None:
        self._scene: Scene | None = None
        self._viewport: Viewport | None = None
        #: The names of the points that are entries of their own, and the places of other names, by element.
        self._points: dict[int, str] = {}
        self._places: dict[int, _Place] = {}

    def labels(
        self,
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
        """
        self._forget(scene, viewport)
        wanted = _wanted(scene, contacts, pairs)
        for name in also:
            wanted[scene.element_numbers(name)] = True
        return [*self._of_points(scene, wanted), *self._of_others(scene, wanted, unnamed, viewport)]

    def _forget(self, scene: Scene, viewport: Viewport) -> None:
        """Forget what is not as it was in the last picture."""
        last = self._scene
        if last is None or not same_but_for_moves(scene, last):
            self._points, self._places = _single_points(scene), {}
        elif viewport != self._viewport:
            self._places = {}
        elif moved := moved_between(scene, last):
            # Also what is before or behind them, where they were and where they are.
            shapes = [one.element(number) for one in (last, scene) for number in moved]
            for element in [*_meeting(self._places, _covered(shapes, viewport)), *moved]:
                self._places.pop(element, None)
        self._scene, self._viewport = scene, viewport

    def _of_points(self, scene: Scene, wanted: BoolArray) -> list[Label]:
        """Return the names of those points that are entries of their own; of very many, of the wanted ones."""
        points = self._points
        if len(points) > MANY_POINTS:
            points = {number: name for number, name in points.items() if wanted[number]}
        return [Label(scene.element(number).core.operands[0], name) for number, name in points.items()]

    def _of_others(self, scene: Scene, wanted: BoolArray, unnamed: str | None, viewport: Viewport) -> list[Label]:
        """Return the names of the wanted solids and lines, but for one, each where one can see it."""
        named = _to_name(scene, wanted, unnamed)
        new = [element for element in named if element not in self._places]
        self._places = {element: self._places[element] for element in named if element in self._places}
        self._places.update(_find(scene, new, viewport))
        places = ((element, self._places[element]) for element in named)
        return [
            Label(place.point, scene.element_name(element), Role.NAME, place.room)
            for element, place in places
            if place.room is not None
        ]


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


def _single_points(scene: Scene) -> dict[int, str]:
    """Return the names of the points that are entries of their own, by element."""
    points = next((elements for elements, shape in scene.changes.groups if isinstance(shape, Point)), np.zeros(0, int))
    names = ((number, scene.element_name(number)) for number in points.tolist())
    return {number: name for number, name in names if "[" not in name}


def _to_name(scene: Scene, wanted: BoolArray, unnamed: str | None) -> list[int]:
    """Return the wanted elements that are no points, in the order of the batches, but for one."""
    numbers = scene.element_numbers(unnamed) if unnamed is not None else range(0)
    left_out = numbers[0] if len(numbers) == 1 and scene.element_name(numbers[0]) == unnamed else None
    groups = (elements for elements, shape in scene.changes.groups if not isinstance(shape, Point))
    return [element for elements in groups for element in elements[wanted[elements]].tolist() if element != left_out]


def _covered(shapes: Sequence[Shape], viewport: Viewport) -> FloatArray:
    """Return the part of the picture that each of some single shapes may cover, (n, 4): left, bottom, right, top.

    All of the picture, for a shape that has no end or is not wholly before the eye.
    """
    boxes = np.array([shape.box if shape.bounded else np.full((2, 3), np.nan) for shape in shapes])
    outline = corners(boxes[:, 0], boxes[:, 1])
    with np.errstate(over="ignore", invalid="ignore"):
        pixels, depth = viewport.project(outline.reshape(-1, 3))
        pixels, depth = pixels.reshape(8, -1, 2), depth.reshape(8, -1)
        parts = np.concatenate([pixels.min(axis=0) - _ROUNDING, pixels.max(axis=0) + _ROUNDING], axis=1)
        everywhere = ~((depth > 0.0).all(axis=0) & np.isfinite(parts).all(axis=1))
    parts[everywhere] = [-np.inf, -np.inf, np.inf, np.inf]
    return parts


def _meeting(places: dict[int, _Place], parts: FloatArray) -> list[int]:
    """Return the elements the places of which were looked for in some of these parts of the picture (n, 4)."""
    looked = np.array([place.part for place in places.values()]).reshape(-1, 1, 4)
    apart = (looked[..., :2] > parts[:, 2:]) | (parts[:, :2] > looked[..., 2:])
    clear = np.all(np.any(apart, axis=2), axis=1).tolist()
    return [element for element, untouched in zip(places, clear, strict=True) if not untouched]


def _find(scene: Scene, elements: Sequence[int], viewport: Viewport) -> dict[int, _Place]:
    """Return places for the names of some elements: on solids of all kinds together, as rays by the many cost less."""
    kinds: dict[type[Shape], list[int]] = {}
    for element in elements:
        kinds.setdefault(type(scene.element(element)), []).append(element)
    places: dict[int, _Place] = {}
    solid, boxes = [], []
    around = _around_the_eye(scene, viewport) if kinds else []
    for kind, some in kinds.items():
        shapes = joined(kind, [scene.element(element) for element in some])
        if isinstance(shapes, Segment | Ray | Line | HalfSpace):
            places.update(zip(some, _on_lines(scene, shapes, viewport, around), strict=True))
        else:
            solid += some
            boxes.append(corners(*shapes.corners()))
    if boxes:
        outlines = np.concatenate(boxes, axis=1)
        places.update(zip(solid, _on_solids(scene, np.array(solid), outlines, viewport, around), strict=True))
    return places


def _around_the_eye(scene: Scene, viewport: Viewport) -> list[str]:
    """Return what the eye is in or on, such as a ray that one looks along: it is hit at once, and hides nothing."""
    ray = Ray(viewport.eye, viewport.forward)
    if not scene.raycast(ray, max_distance=0.0, any_hit=True).hit:  # the rule, which this finds sooner
        return []
    return [scene.element_name(element) for element in scene.raycast_all(ray, max_distance=0.0).element.tolist()]


def _on_solids(
    scene: Scene, elements: IntArray, outlines: FloatArray, viewport: Viewport, around: Sequence[str]
) -> list[_Place]:
    """Return a place for each of some solids, by the corners (8, n, 3) of their boxes: the roomiest that is seen."""
    pixels, depth = viewport.project(outlines.reshape(-1, 3))
    pixels = pixels.reshape(*outlines.shape[:2], 2)
    low, high = (np.clip(side(axis=0), 0.0, viewport.size) for side in (pixels.min, pixels.max))
    before = depth.reshape(outlines.shape[:2]).min(axis=0) > 0.0
    places = [_Place(_NO_POINT, None, part) for part in map(tuple, np.concatenate([low, high], axis=1).tolist())]
    rows = np.flatnonzero(before & (high - low > 0.0).all(axis=1))
    cells = (high - low)[rows] / SAMPLES
    steps = np.stack(np.meshgrid(*2 * [np.arange(SAMPLES) + 0.5]), axis=-1)
    grid = low[rows, None, None] + cells[:, None, None] * steps
    hits = scene.raycast(viewport.ray(grid[..., 0], grid[..., 1]), without=around)
    seen = hits.element == elements[rows, None, None]  # a name is not written on what hides the shape
    i, j, rooms = _roomiest(seen, cells)
    for k, (row, (wide, high)) in enumerate(zip(rows.tolist(), rooms.tolist(), strict=True)):
        if seen[k].any():
            places[row] = places[row]._replace(point=hits.point[k, i[k], j[k]], room=(wide, high))
    return places


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
    scene: Scene, shape: Segment | Ray | Line | HalfSpace, viewport: Viewport, around: Sequence[str]
) -> list[_Place]:
    """Return a place for each of some lines or planes: amid the longest piece that is seen of it."""
    points = _along(shape, viewport)
    pixels, depth = viewport.project(points.reshape(-1, 3))
    pixels, depth = pixels.reshape(*points.shape[:2], 2), depth.reshape(points.shape[:2])
    inside = (depth > 0.0) & ((pixels >= 0.0) & (pixels <= viewport.size)).all(axis=-1)
    rays = viewport.ray(*np.moveaxis(np.where(inside[..., None], pixels, 0.0), -1, 0))
    away = ((points - rays.origin) * rays.direction).sum(axis=-1)
    enter = scene.raycast(rays, without=around).enter  # a ray that hits nothing has no number
    seen = inside & ~(away > enter * (1.0 + _NEARER))
    room = np.minimum(*_runs(seen, 1))
    low, high = (np.where(inside[..., None], pixels, side) for side in (np.inf, -np.inf))
    parts = np.concatenate([low.min(axis=1), high.max(axis=1)], axis=1).tolist()
    return [
        _Place(points[row, int(np.argmax(room[row]))], (0.0, 0.0) if some.any() else None, tuple(parts[row]))
        for row, some in enumerate(seen)
    ]


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
