"""What of records follows from where they are seen: marks that keep a size or show what is hidden, places of names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np

from collision import Capsule, ConvexHull, Cylinder, OrientedBox, Ray, Scene, raycast
from collision.inner import BoolArray, FloatArray, IntArray, hulls_of_rows
from viewer.camera.camera import Viewport
from viewer.camera.lines import as_seen, label_point, outline_of
from viewer.camera.outline import corners
from viewer.camera.tiny import dotted, thin_ends, unseen
from viewer.layout.arrangement import ByType, by_type
from viewer.records.drawables import (
    Arrow,
    Core,
    Cores,
    Drawable,
    Label,
    Marker,
    Patch,
    Role,
    ShapeFlags,
    Solid,
    Stroke,
    thin_roles,
)
from viewer.records.sizes import unit_of
from viewer.records.words import number, size_of
from viewer.stage.solids.kinds import Solids, sort_solids

Mark: TypeAlias = Marker | Stroke | Arrow | Patch

#: A name, and the shape that it is of.
_Name: TypeAlias = tuple[Label, Cores]

#: Of more selected solids than this none shows through.
_FEW = 8

#: Each line of an outline is seen or hidden in so many pieces, and what hides it is nearer by more than this part of
#: the way.
_PIECES, _BURIED = 16, 1e-3

#: Places that are tried along each side of a shape's outline, and along a line; and a part of the distance to the eye,
#: by more than which that is nearer which hides one.
_SAMPLES, _NEARER = 9, 1e-6

#: Labels of points that are seen no farther apart than this, in units, are at one place.
_ONE_PLACE = 3.0


class SeenLabel(NamedTuple):
    """A label, the point of the world that it stands near, and how wide and high its shape is seen there, in pixels."""

    label: Label
    point: FloatArray
    room: tuple[float, float] = (0.0, 0.0)


class Sight:
    """A picture's records as they are seen from anywhere: marks with places in the world, and labels with places.

    Parameters
    ----------
    picture : iterable of Drawable
        All of its records, or these by their types.

    Examples
    --------
    >>> from collision import Camera, Sphere
    >>> ball = Sphere([[0, 0, 0]], 0.01)
    >>> name = Label(np.zeros(3), "ball", Role.NAME, Cores(*Cores.of_shape(ball)))
    >>> sight = Sight([Solid.of(ball, np.zeros(1, np.uint8)), name])
    >>> view = Viewport(Camera((0, -9, 0)), (640, 480))
    >>> [dots.role for dots in sight.marks(view)], len(sight.labels(view))
    ([<Role.FREE: 'free'>], 1)
    """

    def __init__(self, picture: Iterable[Drawable] | ByType) -> None:
        given = picture if isinstance(picture, Mapping) else by_type(picture)
        self._marks: list[Mark] = [mark for kind in (Patch, Stroke, Arrow, Marker) for mark in given.get(kind, [])]
        self._labels: list[Label] = given.get(Label, [])
        solids = sort_solids(given.get(Solid, []))
        self._shapes = _shapes_of(solids)
        self._firsts = np.cumsum([0, *map(len, self._shapes)])
        self._flags = np.concatenate([some.flags for some in solids])
        self._faded = (self._flags & ShapeFlags.FADED) > 0

    @cached_property
    def _scene(self) -> Scene:
        """The solids, for rays, but for those that are seen through."""
        parts = zip(self._shapes, np.split(~self._faded, self._firsts[1:-1]), strict=True)
        names = ("capsules", "boxes", "cylinders", "hulls")
        return Scene({name: each[rows] for name, (each, rows) in zip(names, parts, strict=True)})

    def marks(self, view: Viewport) -> list[Mark]:
        """Return the marks in a view, later ones over earlier ones: their ends are in the world."""
        found: list[Mark] = [*self._small(view), *self._buried(view)]
        return found + [as_seen(mark, view) if isinstance(mark, Stroke | Arrow) else mark for mark in self._marks]

    def labels(self, view: Viewport) -> list[SeenLabel]:
        """Return the labels whose places are seen, each text at a place once, and each distance, however worded."""
        names = [(each, each.of) for each in self._labels if each.of is not None and each.role is Role.NAME]
        solids = (each for kind in range(len(self._shapes)) for each in self._on_solids(names, view, kind))
        found = {id(each.label): each for each in (*solids, *self._on_lines(names, view))}
        for label in self._labels:
            if label.position.shape != (3,):
                raise ValueError(f"points must be (3,): got {label.position.shape} of the label {label.text!r}")
            if label.of is None or label.role is not Role.NAME:
                point = label.position if label.of is None else label_point(label.of, view)
                found[id(label)] = SeenLabel(label, point)
        return _without_repeats([found[id(label)] for label in self._labels if id(label) in found], view)

    # -- what would be too small, or is hidden -------------------------------------------------------------------------

    def _small(self, view: Viewport) -> list[Marker | Stroke]:
        """Return dots and lines for solids that are too small or too thin to be seen."""
        tiny, thin = (np.concatenate(some) for some in zip(*(unseen(each, view) for each in self._shapes), strict=True))
        hit = (self._flags & ShapeFlags.HIT) > 0
        dots, lines = dotted(tiny, hit), dotted(thin, hit)
        marks: list[Marker | Stroke] = []
        if dots.any():
            centers = np.concatenate([np.add(*each.corners()) * 0.5 for each in self._shapes])
            marks += [Marker(centers[dots][rows], role) for role, rows in thin_roles(self._flags[dots])]
        if lines.any():
            parts = zip(self._shapes, np.split(lines, self._firsts[1:-1]), strict=True)
            ends = [thin_ends(each[rows], view) for each, rows in parts]
            start, end = map(np.concatenate, zip(*ends, strict=True))
            marks += [Stroke(start[rows], end[rows], role) for role, rows in thin_roles(self._flags[lines])]
        return marks

    def _buried(self, view: Viewport) -> list[Stroke]:
        """Return what others hide of the outlines of selected solids."""
        selected = np.flatnonzero(self._flags & ShapeFlags.SELECTED)
        if not 0 < len(selected) <= _FEW:
            return []
        found = []
        for element in selected.tolist():
            kind = int(np.searchsorted(self._firsts, element, side="right")) - 1
            own = self._shapes[kind][[element - int(self._firsts[kind])]]
            outline = outline_of(own, Role.BURIED, view)
            start, way = outline.start[:, None], (outline.end - outline.start)[:, None]
            ticks = np.linspace(0.0, 1.0, _PIECES + 1 if len(start) < 2 * _PIECES else 2)[:, None]
            places = start + ticks * way
            pieces = np.stack([places[:, :-1], places[:, 1:]], axis=2).reshape(-1, 2, 3)
            pixels, depth = view.project(pieces.mean(axis=1))
            pieces, pixels = pieces[depth > 0.0], pixels[depth > 0.0]
            rays = view.ray(*pixels.T)
            reach = (1.0 - _BURIED) * _along(rays, pieces.mean(axis=1)).clip(0.0)
            clear = [] if self._faded[element] else [self._scene.element_name(int((~self._faded[:element]).sum()))]
            found.append(pieces[self._scene.raycast(rays, max_distance=reach, any_hit=True, without=clear).hit])
        lines = np.concatenate(found)
        return [Stroke(lines[:, 0], lines[:, 1], Role.BURIED)] if len(lines) else []

    # -- where names stand ---------------------------------------------------------------------------------------------

    def _on_solids(self, names: Sequence[_Name], view: Viewport, kind: int) -> Iterator[SeenLabel]:
        """Yield the names of the sorted solids of a kind that are seen: each where there is most room for it."""
        some = [(name, of) for name, of in names if not _is_line(of) and _kind_of(of) == kind]
        if not some:
            return
        none = np.zeros(1, np.uint8)
        solids = sort_solids([Solid(of.core, of.rows, of.radii, of.table, none) for _, of in some])
        shapes = _shapes_of(solids)[kind]
        pixels, depth = view.project(corners(*shapes.corners()))
        low, high = (np.clip(side(axis=0), 0.0, view.size) for side in (pixels.min, pixels.max))
        rows = np.flatnonzero((depth.min(axis=0) > 0.0) & (high - low > 0.0).all(axis=1))
        cells = (high - low)[rows] / _SAMPLES
        steps = np.stack(np.meshgrid(*2 * [np.arange(_SAMPLES) + 0.5]), axis=-1)
        grid = low[rows, None, None] + cells[:, None, None] * steps
        rays = view.ray(grid[..., 0], grid[..., 1])
        own = raycast(rays, shapes[rows][:, None, None])
        # A name is not written on what hides the shape; and on none that the eye is in.
        seen = own.hit & (own.enter > 0.0) & ~self._hidden(rays, own.enter, view)
        i, j, rooms = _roomiest(seen, cells)
        for k, (row, (wide, high)) in enumerate(zip(rows.tolist(), rooms.tolist(), strict=True)):
            if seen[k].any():
                yield SeenLabel(some[row][0], own.point[k, i[k], j[k]], (wide, high))

    def _on_lines(self, names: Sequence[_Name], view: Viewport) -> Iterator[SeenLabel]:
        """Yield the names of lines and planes that are seen, each amid the longest piece that is seen of it."""
        some = [(name, of) for name, of in names if _is_line(of)]
        if not some:
            return
        points = np.stack([_places_on(of, view) for _, of in some])
        pixels, depth = view.project(points)
        inside = (depth > 0.0) & ((pixels >= 0.0) & (pixels <= view.size)).all(axis=-1)
        rays = view.ray(*np.moveaxis(np.where(inside[..., None], pixels, 0.0), -1, 0))
        seen = inside & ~self._hidden(rays, _along(rays, points), view)
        room = np.minimum(*_runs(seen, 1))
        for row, (name, _) in enumerate(some):
            if seen[row].any():
                yield SeenLabel(name, points[row, int(np.argmax(room[row]))])

    def _hidden(self, rays: Ray, away: FloatArray, view: Viewport) -> BoolArray:
        """Tell of which rays something is before a place on them. What the eye is in or on hides nothing."""
        ray, around = Ray(view.eye, view.forward), list[str]()
        if self._scene.raycast(ray, max_distance=0.0, any_hit=True).hit:  # the rule is no, which this finds sooner
            numbers = self._scene.raycast_all(ray, max_distance=0.0).element.tolist()
            around = [*map(self._scene.element_name, numbers)]
        enter = self._scene.raycast(rays, without=around).enter  # of a ray that hits nothing, no number
        return np.asarray(away > enter * (1.0 + _NEARER))


def _shapes_of(solids: Solids) -> tuple[Capsule | OrientedBox | Cylinder | ConvexHull, ...]:
    """Return sorted solids as shapes; balls are capsules without a length."""
    capsules, boxes, cylinders, hulls = solids
    axes = hulls.axes.swapaxes(1, 2).reshape(-1, 9)
    rows = np.concatenate([hulls.middle, axes, hulls.begin[:, None]], axis=1)
    made = hulls_of_rows(rows, hulls.radius, hulls.table)
    return Capsule(*capsules[:3]), OrientedBox(*boxes[:3]), Cylinder(*cylinders[:3]), made


def _kind_of(of: Cores) -> int:
    """Return as which of the sorted solids a shape is drawn."""
    if of.core is Core.HULL and of.table[int(of.rows[0, 12]) + 3] > 1.0:
        return 3
    return {Core.BOX: 1, Core.ALIGNED: 1, Core.CYLINDER: 2}.get(of.core, 0)


def _is_line(of: Cores) -> bool:
    """Tell whether a shape is a line or a plane, whose name stands on a line."""
    return of.core is Core.HALF_SPACE or (of.core is Core.LINEAR and not of.radii[0])


def _along(rays: Ray, points: FloatArray) -> FloatArray:
    """Return how far along rays points on them are."""
    return np.asarray(((points - rays.origin) * rays.direction).sum(axis=-1))


def _places_on(of: Cores, view: Viewport) -> FloatArray:
    """Return places along a line, (_SAMPLES, 3): of what has no end, where the camera looks."""
    row, target = of.rows[0], view.camera.target
    start, way, low, high = row[:3], row[3:6], -np.inf, np.inf
    if of.core is Core.HALF_SPACE:
        start = target - ((target - start) @ way) * way
        way = np.cross(view.forward, way)
    else:
        low, high = row[9:11]
    if not np.isfinite([low, high]).all():
        size = float(way @ way) or 1.0
        middle = np.clip((target - start) @ way / size, low, high)
        reach = 0.5 * min(view.size) * float(view.units_per_pixel(target)) / np.sqrt(size)
        low, high = np.clip([middle - reach, middle + reach], low, high)
    part = (np.arange(_SAMPLES)[:, None] + 0.5) / _SAMPLES
    return np.asarray(start + (low + (high - low) * part) * way)


def _roomiest(seen: BoolArray, cells: FloatArray) -> tuple[IntArray, IntArray, FloatArray]:
    """Return which of the places (n, y, x) that are seen have most room around them, and how much, in pixels."""
    wide, high = (
        (2.0 * np.minimum(*_runs(seen, axis)) - 1.0) * cells[:, side, None, None] for axis, side in ((2, 0), (1, 1))
    )
    # A text is wide: where its line is high enough, only the width counts.
    room = np.where(seen, np.minimum(wide, 3.0 * high), -1.0).reshape(-1, _SAMPLES * _SAMPLES)
    off = np.abs(np.arange(_SAMPLES) - _SAMPLES // 2)
    best = np.lexsort((np.broadcast_to((off[:, None] + off).ravel(), room.shape), -room))[:, :1].ravel()
    i, j = np.divmod(best, _SAMPLES)
    rows = np.arange(len(seen))
    return i, j, np.stack([wide[rows, i, j], high[rows, i, j]], axis=1)


def _runs(seen: BoolArray, axis: int) -> tuple[IntArray, IntArray]:
    """Count the places without a gap that end at each place, and those that begin there, along an axis."""

    def ending(flags: BoolArray) -> IntArray:
        place = np.arange(1, flags.shape[axis] + 1).reshape([-1 if k == axis else 1 for k in range(flags.ndim)])
        return place - np.maximum.accumulate(np.where(flags, 0, place), axis=axis)

    return ending(seen), np.flip(ending(np.flip(seen, axis)), axis)


def _without_repeats(labels: Sequence[SeenLabel], view: Viewport) -> list[SeenLabel]:
    """Return labels with each text at a place once, and each distance, however it is worded.

    Two shows may name the same end of a segment; and what is selected, near or shown has the same distance.
    """
    pixels = view.project(np.array([each.point for each in labels]).reshape(-1, 3))[0]
    near, kept, written = _ONE_PLACE * unit_of(view.size), list[SeenLabel](), list[tuple[float, float, set[str]]]()
    for each, (x, y) in zip(labels, pixels.tolist(), strict=True):
        texts = {each.label.text}
        if each.label.value is not None:
            texts.add(number(abs(each.label.value), size_of(each.label.position)))
        if not any(abs(x - u) <= near and abs(y - v) <= near and texts & others for u, v, others in written):
            kept.append(each)
            written.append((x, y, texts))
    return kept
