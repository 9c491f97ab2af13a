"""The names of shapes: which are written into a picture, and at which place that one can see of each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from collision import Contacts, HalfSpace, Line, Point, Ray, Scene, Segment, Shape, closest_points
from collision.inner import BoolArray, FloatArray, Group, IntArray, joined
from viewer.latest import Latest
from viewer.picture.colliding import deepest_of, pairs_of
from viewer.picture.drawables import Label, Role
from viewer.view.camera import Viewport
from viewer.view.footprint import NOWHERE, Footprint, footprint
from viewer.view.outline import corners

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

_NO_POINT = np.full(3, np.nan)


def shape_names(
    scene: Scene, contacts: Contacts, viewport: Viewport, pairs: int, unnamed: str | None = None
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

    Examples
    --------
    >>> from collision import Camera, Sphere
    >>> scene = Scene({"ball": Sphere([0, 0, 0], 1), "behind": Sphere([0, 0, -4], 1)})
    >>> view = Viewport(Camera(position=(0, 0, 9), up=(0, 1, 0)), (640, 480))
    >>> [label.text for label in shape_names(scene, scene.contacts(), view, 8)]
    ['ball']
    """
    wanted = _wanted(scene, contacts, pairs)
    return [*_points(scene, wanted), *_places(scene, wanted, unnamed, viewport)]


class _Wanted:
    """Which elements were named in the last picture; moves change it only where others collide, or the most deeply."""

    def __init__(self) -> None:
        self._groups: tuple[Group, ...] = ()
        self._always: BoolArray = np.zeros(0, dtype=bool)
        self._pairs: IntArray | None = None
        #: Those that collide, unless there are too many.
        self._few: frozenset[int] | None = None
        self._named: frozenset[int] | None = None
        self._wanted: BoolArray = np.zeros(0, dtype=bool)
        self._asked: tuple[Contacts, int] | None = None

    def __call__(self, scene: Scene, contacts: Contacts, count: int) -> BoolArray:
        """Tell of every element whether it is named: for as long as the same are, by the same array."""
        groups, asked = scene.changes.groups, self._asked
        if groups is not self._groups or not groups:  # every tuple of none is the same one
            self._groups, self._always, self._named = groups, _always(scene), None
        elif asked is not None and asked[0] is contacts and asked[1] == count:
            return self._wanted
        self._asked = contacts, count
        pairs = pairs_of(contacts)
        if pairs is not self._pairs:
            # So few elements have no more pairs than this.
            few = frozenset(pairs.ravel().tolist()) if 2 * len(pairs) <= MANY * (MANY - 1) else None
            self._pairs, self._few = pairs, few if few is not None and len(few) <= MANY else None
        named = self._few
        if named is None:
            named = frozenset(pairs[deepest_of(contacts, count)].ravel().tolist())
        if named != self._named:
            self._named, self._wanted = named, self._always.copy()
            self._wanted[list(named)] = True
        return self._wanted


_wanted = _Wanted()


def _always(scene: Scene) -> BoolArray:
    """Tell of every element whether it is named even if it does not collide."""
    wanted = np.full(scene.element_count, scene.element_count <= FEW)
    if len(scene) <= FEW:
        first = ((scene.element_numbers(name).start, name) for name in scene if len(scene.element_numbers(name)))
        wanted[[number for number, name in first if scene.element_name(number) == name]] = True
    return wanted


class _Points:
    """The names of the points of the last picture, renewed where a point moves or others are wanted."""

    def __init__(self) -> None:
        self._of: tuple[Group, BoolArray] | None = None
        self._labels: list[Label] = []

    def __call__(self, scene: Scene, wanted: BoolArray) -> list[Label]:
        """Return the names of those points that are entries of their own; of very many, of the wanted ones."""
        if not _any_points(scene.changes.groups):
            return []
        points = next(group for group in scene.groups if isinstance(group.shape, Point))
        if self._of is None or self._of[0] is not points or self._of[1] is not wanted:
            self._of, self._labels = (points, wanted), _point_labels(scene, points, wanted)
        return self._labels


_points = _Points()


@Latest
def _any_points(groups: tuple[Group, ...]) -> bool:
    return any(isinstance(shape, Point) for _, shape in groups)


def _point_labels(scene: Scene, points: Group, wanted: BoolArray) -> list[Label]:
    elements, shape = points
    assert isinstance(shape, Point)
    single = _singles(scene, elements)
    if len(single) > MANY_POINTS:
        single = {row: name for row, name in single.items() if wanted[elements[row]]}
    return [Label(shape.position[row], name) for row, name in single.items()]


class _Singles:
    """Which of the points of the last scene are entries of their own, and their names: moves change neither."""

    def __init__(self) -> None:
        self._elements: IntArray | None = None
        self._names: dict[int, str] = {}

    def __call__(self, scene: Scene, elements: IntArray) -> dict[int, str]:
        """Return the names by the place among some elements."""
        if self._elements is not elements:
            names = [scene.element_name(element) for element in elements.tolist()]
            self._elements, self._names = elements, {row: name for row, name in enumerate(names) if "[" not in name}
        return self._names


_singles = _Singles()


class _Place(NamedTuple):
    """Where a name can stand: a point of the shape, and the room there, None where nothing is seen of it.

    It is the best place for as long as the shape stays where it is, and nothing comes or goes in a part of the picture.
    """

    point: FloatArray
    room: tuple[float, float] | None
    part: Footprint


class _Places:
    """The places of names in the last picture: those stay that nothing came before, or went from before them."""

    def __init__(self) -> None:
        self._groups: tuple[Group, ...] = ()
        self._viewport: Viewport | None = None
        self._changes: Mapping[int, Shape] = {}
        #: What parts of the picture the shapes that have changed can hide.
        self._parts: dict[int, Footprint] = {}
        self._asked: tuple[BoolArray, str | None] | None = None
        #: The elements to name, in order; the places of those, and the labels there; None where some are to be found.
        self._own: list[int] = []
        self._known: dict[int, _Place] = {}
        self._labels: list[Label] | None = None

    def __call__(self, scene: Scene, wanted: BoolArray, unnamed: str | None, viewport: Viewport) -> list[Label]:
        """Return the names of the wanted solids and lines, but for one, each where one can see it."""
        groups, changes = scene.changes
        if groups is not self._groups or (viewport is not self._viewport and viewport != self._viewport):
            self._known, self._parts, self._asked = {}, {}, None
        else:
            self._forget(groups, changes, viewport)
        self._groups, self._viewport, self._changes = groups, viewport, changes
        if self._asked is None or self._asked[0] is not wanted or self._asked[1] != unnamed:
            self._asked, self._own, self._labels = (wanted, unnamed), _to_name(scene, wanted, unnamed), None
            self._known = {element: self._known[element] for element in self._own if element in self._known}
        if self._labels is None:
            self._find(scene, viewport)
            found = ((element, self._known[element]) for element in self._own)
            self._labels = [
                Label(place.point, scene.element_name(element), Role.NAME, place.room)
                for element, place in found
                if place.room is not None
            ]
        return self._labels

    def _find(self, scene: Scene, viewport: Viewport) -> None:
        """Find the places that are not known: those on solids of all kinds together, as rays by the many cost less."""
        kinds: dict[type[Shape], list[int]] = {}
        for element in self._own:
            if element not in self._known:
                kinds.setdefault(type(scene.element(element)), []).append(element)
        on_solids, boxes = [], []
        for kind, new in kinds.items():
            shapes = joined(kind, [scene.element(element) for element in new])
            if isinstance(shapes, Segment | Ray | Line | HalfSpace):
                self._known.update(zip(new, _on_lines(scene, shapes, viewport), strict=True))
            else:
                on_solids += new
                boxes.append(corners(*shapes.corners()))
        if boxes:
            outlines = np.concatenate(boxes, axis=1)
            found = _on_solids(scene, np.array(on_solids), outlines, viewport)
            self._known.update(zip(on_solids, found, strict=True))

    def _forget(self, groups: tuple[Group, ...], changes: Mapping[int, Shape], viewport: Viewport) -> None:
        """Forget the places of what moved, and of all before or behind it, where it was and where it is."""
        for number in self._changes.keys() | changes.keys():
            before, after = self._changes.get(number), changes.get(number)
            if before is not after:
                old = self._parts[number] if number in self._parts else _part(_element(groups, number), viewport)
                after = _element(groups, number) if after is None else after
                self._parts[number] = new = _part(after, viewport)
                for element in (*self._meeting(old, new), number):
                    if self._known.pop(element, None) is not None:
                        self._labels = None

    def _meeting(self, one: Footprint, other: Footprint) -> list[int]:
        """Return the elements the places of which meet one or another part of the picture, as `Footprint.meets` says.

        Written out: every step of a drag asks it of all names.
        """
        a, b, c, d, _ = one
        e, f, g, h, _ = other
        return [
            element
            for element, (_, _, (left, bottom, right, top, _)) in self._known.items()
            if (a <= right and left <= c and b <= top and bottom <= d)
            or (e <= right and left <= g and f <= top and bottom <= h)
        ]


_places = _Places()


def _to_name(scene: Scene, wanted: BoolArray, unnamed: str | None) -> list[int]:
    """Return the wanted elements that are no points, in the order of the batches, but for one."""
    own = scene.element_numbers(unnamed) if unnamed is not None else range(0)
    left_out = own[0] if len(own) == 1 and scene.element_name(own[0]) == unnamed else None
    groups = (elements for elements, shape in scene.changes.groups if not isinstance(shape, Point))
    return [element for elements in groups for element in elements[wanted[elements]].tolist() if element != left_out]


def _element(groups: tuple[Group, ...], number: int) -> Shape | None:
    for elements, shape in groups:
        (rows,) = np.nonzero(elements == number)
        if len(rows):
            return shape[int(rows[0])]
    return None  # it is hidden


def _part(shape: Shape | None, viewport: Viewport) -> Footprint:
    """Return what part of the picture a shape can hide."""
    return NOWHERE if shape is None else footprint(shape, viewport)


def _on_solids(scene: Scene, elements: IntArray, outline: FloatArray, viewport: Viewport) -> list[_Place]:
    """Return a place for each of some solids, by the corners (8, n, 3) of their boxes: the roomiest that is seen."""
    pixels, depth = viewport.project(outline.reshape(-1, 3))
    pixels = pixels.reshape(*outline.shape[:2], 2)
    low, high = (np.clip(side(axis=0), 0.0, viewport.size) for side in (pixels.min, pixels.max))
    before = depth.reshape(outline.shape[:2]).min(axis=0) > 0.0
    rows = np.flatnonzero(before & (high - low > 0.0).all(axis=1))
    parts = np.concatenate([low, high], axis=1).tolist()
    places = [_Place(_NO_POINT, None, Footprint(*part)) for part in parts]
    cells = (high - low)[rows] / SAMPLES
    steps = np.stack(np.meshgrid(*2 * [np.arange(SAMPLES) + 0.5]), axis=-1)
    grid = low[rows, None, None] + cells[:, None, None] * steps
    hits = scene.raycast(viewport.ray(grid[..., 0], grid[..., 1]))
    seen = hits.element == elements[rows, None, None]  # a name is not written on what hides the shape
    for row, own, points, cell in zip(rows.tolist(), seen, hits.point, cells, strict=True):
        if own.any():
            best, room = _roomiest(own, cell)
            places[row] = _Place(points[best], room, places[row].part)
    return places


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


def _on_lines(scene: Scene, shape: Segment | Ray | Line | HalfSpace, viewport: Viewport) -> list[_Place]:
    """Return a place for each of some lines or planes: amid the longest piece that is seen of it."""
    points = _along(shape, viewport)
    pixels, depth = viewport.project(points.reshape(-1, 3))
    pixels, depth = pixels.reshape(*points.shape[:2], 2), depth.reshape(points.shape[:2])
    inside = (depth > 0.0) & ((pixels >= 0.0) & (pixels <= viewport.size)).all(axis=-1)
    rays = viewport.ray(*np.moveaxis(np.where(inside[..., None], pixels, 0.0), -1, 0))
    away = ((points - rays.origin) * rays.direction).sum(axis=-1)
    seen = inside & ~(away > scene.raycast(rays).enter * (1.0 + _NEARER))  # a ray that hits nothing has no number
    room = np.minimum(*_runs(seen, 1))
    low, high = (np.where(inside[..., None], pixels, side) for side in (np.inf, -np.inf))
    parts = np.concatenate([low.min(axis=1), high.max(axis=1)], axis=1).tolist()
    return [
        _Place(points[row, int(np.argmax(room[row]))], (0.0, 0.0) if own.any() else None, Footprint(*parts[row]))
        for row, own in enumerate(seen)
    ]


def _along(shape: Segment | Ray | Line | HalfSpace, viewport: Viewport) -> FloatArray:
    """Return places along each of some lines, (n, SAMPLES, 3): of what has no end, where the camera looks."""
    part = (np.arange(SAMPLES)[:, None] + 0.5) / SAMPLES
    if isinstance(shape, Segment):
        return shape.start[:, None] * (1.0 - part) + shape.end[:, None] * part
    middle = closest_points(Point(viewport.camera.target), shape).on_b
    reach = 0.5 * min(viewport.size) * viewport.units_per_pixel(viewport.camera.target)
    way = np.cross(viewport.forward, shape.normal) if isinstance(shape, HalfSpace) else shape.direction
    along = reach * (2.0 * part - 1.0) * way[:, None]
    return np.asarray(middle[:, None] + along)
