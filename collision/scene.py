"""A scene: shapes by name, the pairs to ignore, and what to show of it.

A `Scene` is a value. Every change returns a new scene that shares all that did not change, so keeping the old one is a
free undo. An entry may be a batch; its elements are named ``crowd[17]`` and numbered with all other elements in scene
order, and queries over the whole scene answer with those numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from collision import broadphase, queries
from collision.casts import raycast
from collision.fields import ArrayLike, FloatArray, IntArray, read_vector
from collision.shapes import AABB, KINDS, Ray, Shape

ShowQuery = Literal["closest_points", "contact", "crossings", "raycast", "foot", "bounds", "bounding_sphere"]

#: The queries that a scene can ask to be drawn, and how many shapes each takes.
SHOW_QUERIES: Mapping[str, int] = MappingProxyType(
    {name: 1 if name.startswith("bound") else 2 for name in get_args(ShowQuery)}
)


@dataclass(frozen=True)
class Show:
    """A query whose answer is drawn, and drawn anew whenever its shapes move.

    Parameters
    ----------
    query : str
        ``closest_points``, ``contact``, ``crossings``, ``raycast`` or ``foot`` of two shapes; ``bounds`` or
        ``bounding_sphere`` of one.
    a, b : str
        Names of entries or of elements. For ``crossings`` and ``raycast`` the line or ray comes first; for ``foot``
        the point-like shape. ``b`` stays empty for queries of one shape.
    label : str
        Words to put before the numbers.

    Raises
    ------
    ValueError
        If the query is unknown or takes another number of shapes.
    """

    query: ShowQuery
    a: str
    b: str = ""
    label: str = ""

    def __post_init__(self) -> None:
        if self.query not in SHOW_QUERIES:
            raise ValueError(f"show.query must be one of {', '.join(SHOW_QUERIES)}, got {self.query!r}")
        if (SHOW_QUERIES[self.query] == 2) != bool(self.b):
            wanted = "two shapes, a and b" if SHOW_QUERIES[self.query] == 2 else "one shape, a"
            raise ValueError(f"show: {self.query} takes {wanted}, got a = {self.a!r}, b = {self.b!r}")


@dataclass(frozen=True)
class Camera:
    """Where the picture is taken from.

    Parameters
    ----------
    position, target : tuple of 3 floats
        The eye and the point it looks at.
    up : tuple of 3 floats
        What is up in the picture.
    view_angle : float
        Degrees from the lower to the upper edge of the picture, for perspective.
    parallel_height : float, optional
        Height of the picture in scene units; given, the projection is parallel.

    Raises
    ------
    ValueError
        If the eye is at the target, up is along the view, or a size is not positive.
    """

    position: tuple[float, float, float]
    target: tuple[float, float, float] = (0.0, 0.0, 0.0)
    up: tuple[float, float, float] = (0.0, 0.0, 1.0)
    view_angle: float = 30.0
    parallel_height: float | None = None

    def __post_init__(self) -> None:
        for name in ("position", "target", "up"):
            value = read_vector(getattr(self, name), f"camera.{name}")
            if value.shape != (3,):
                raise ValueError(f"camera.{name} must be three numbers, got shape {value.shape}")
            object.__setattr__(self, name, tuple(value.tolist()))
        view = np.subtract(self.target, self.position)
        if not np.any(view):
            raise ValueError(f"camera.position must differ from camera.target, got {list(self.position)} for both")
        sine = np.linalg.norm(np.cross(view / np.linalg.norm(view), self.up)) / (np.linalg.norm(self.up) or 1.0)
        if sine < 1e-6:
            raise ValueError(f"camera.up must not lie along the view, got {list(self.up)}")
        if not 0.0 < self.view_angle < 180.0:
            raise ValueError(f"camera.view_angle must be between 0 and 180 degrees, got {self.view_angle}")
        if self.parallel_height is not None and not 0.0 < self.parallel_height < np.inf:
            raise ValueError(f"camera.parallel_height must be positive, got {self.parallel_height}")


class Group(NamedTuple):
    """All elements of one kind: their numbers in the scene, and the shapes as one flat batch."""

    elements: IntArray
    shape: Shape


@dataclass(frozen=True)
class Contacts:
    """Pairs of a scene that touch (or are within a margin), one row a pair.

    Attributes
    ----------
    pairs : ndarray of int, shape (k, 2)
        Element numbers, i < j, in lexicographic order.
    signed_distance : ndarray, shape (k,)
    point, normal, on_a, on_b : ndarray, shape (k, 3)
        As in `collision.contact`; the normal points from the first element to the second.
    """

    pairs: IntArray
    signed_distance: FloatArray
    point: FloatArray
    normal: FloatArray
    on_a: FloatArray
    on_b: FloatArray

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def depth(self) -> FloatArray:
        """How deep each pair overlaps; zero for pairs that are only near."""
        return np.maximum(-self.signed_distance, 0.0)


class Nearest(NamedTuple):
    """The nearest other element: its number and name, and the closest points (A is the shape asked for)."""

    element: int
    name: str
    points: queries.ClosestPoints


class SceneHit(NamedTuple):
    """The first element that a ray hits; number -1 and an empty name where it hits none."""

    element: int
    name: str
    enter: float
    point: FloatArray
    normal: FloatArray


@dataclass(frozen=True, init=False, eq=False)
class Scene:
    """Shapes by name.

    Parameters
    ----------
    shapes : mapping of str to Shape
        Entries, in the order they are numbered. An entry with batch axes holds many elements.
    ignored : iterable of pairs of str
        Pairs that are never reported. Each name is an entry, an element, or a pattern in which ``*`` stands for
        anything.
    shows : iterable of Show
        Queries whose answers are drawn.
    camera : Camera, optional
        Without one, the picture frames the scene.
    title, caption : str
        What the scene is called, and what it teaches.

    Raises
    ------
    ValueError
        If a name is empty or has a bracket in it, an entry is no shape, or a show or a pair to ignore names nothing.

    Examples
    --------
    >>> from collision import Scene, Sphere
    >>> scene = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([1.5, 0, 0], 1), "c": Sphere([9, 0, 0], 1)})
    >>> scene.colliding_pairs()
    array([[0, 1]])
    >>> scene.moved("b", [5, 0, 0]).colliding_pairs()
    array([], shape=(0, 2), dtype=int64)
    """

    shapes: Mapping[str, Shape]
    ignored: tuple[tuple[str, str], ...] = ()
    shows: tuple[Show, ...] = ()
    camera: Camera | None = None
    title: str = ""
    caption: str = ""
    _starts: tuple[int, ...] = field(default=(), repr=False)

    def __init__(
        self,
        shapes: Mapping[str, Shape] = MappingProxyType({}),
        *,
        ignored: Iterable[tuple[str, str]] = (),
        shows: Iterable[Show] = (),
        camera: Camera | None = None,
        title: str = "",
        caption: str = "",
    ) -> None:
        for name, shape in shapes.items():
            _check_entry(name, shape)
        own = self.__dict__
        own["shapes"] = MappingProxyType(dict(shapes))
        own["ignored"] = tuple(_read_pair(pair) for pair in ignored)
        own["shows"] = tuple(shows)
        own["camera"], own["title"], own["caption"] = camera, title, caption
        own["_starts"] = (0, *accumulate(_size(shape) for shape in self.shapes.values()))
        for show in self.shows:
            for name in filter(None, (show.a, show.b)):
                if name not in self:
                    raise ValueError(f"show {show.query}: there is no shape named {name!r} in the scene")

    # -- a mapping of names to shapes ------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.shapes)

    def __iter__(self) -> Iterator[str]:
        return iter(self.shapes)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._find(name) is not None

    def __getitem__(self, name: str) -> Shape:
        """Return an entry by its name, or an element of a batch by ``name[index]``."""
        found = self._find(name)
        if found is None:
            raise KeyError(f"there is no shape named {name!r} in the scene")
        entry, index = found
        return self.shapes[entry] if index is None else self.shapes[entry][index]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Scene):
            return NotImplemented
        return list(self.shapes.items()) == list(other.shapes.items()) and self._extras() == other._extras()

    def __hash__(self) -> int:
        return hash((tuple(self.shapes.items()), tuple(self._extras().values())))

    def _extras(self) -> dict[str, Any]:
        names = ("ignored", "shows", "camera", "title", "caption")
        return {name: getattr(self, name) for name in names}

    def replaced(self, **changes: Any) -> Scene:
        """Return the scene with other ``shapes``, ``ignored``, ``shows``, ``camera``, ``title`` or ``caption``."""
        return Scene(**({"shapes": self.shapes} | self._extras() | changes))

    def with_shape(self, name: str, shape: Shape) -> Scene:
        """Return the scene with one more entry or one entry replaced (which keeps its place)."""
        found = self._find(name)
        if found is not None and found[1] is not None:
            entry, index = found
            return self.with_shape(entry, _with_element(self.shapes[entry], index, shape))
        return self.replaced(shapes={**self.shapes, name: shape})

    def without(self, *names: str) -> Scene:
        """Return the scene without some entries; shows and ignored pairs that name them go with them."""
        for name in names:
            self._entry(name)
        kept = {name: shape for name, shape in self.shapes.items() if name not in names}

        def gone(name: str) -> bool:
            return name.partition("[")[0] in names

        return self.replaced(
            shapes=kept,
            shows=[s for s in self.shows if not gone(s.a) and not gone(s.b)],
            ignored=[pair for pair in self.ignored if not any(map(gone, pair))],
        )

    def renamed(self, old: str, new: str) -> Scene:
        """Return the scene with an entry under another name; its place, shows and ignored pairs follow."""
        self._entry(old)
        if new in self.shapes and new != old:
            raise ValueError(f"there is already a shape named {new!r} in the scene")

        def follow(name: str) -> str:
            entry, bracket, rest = name.partition("[")
            return new + bracket + rest if entry == old else name

        return self.replaced(
            shapes={new if name == old else name: shape for name, shape in self.shapes.items()},
            shows=[replace(s, a=follow(s.a), b=follow(s.b)) for s in self.shows],
            ignored=[(follow(a), follow(b)) for a, b in self.ignored],
        )

    def moved(self, name: str, offset: ArrayLike) -> Scene:
        """Return the scene with an entry, or one element of it, moved by an offset (3,)."""
        return self.with_shape(name, self[name].translated(offset))

    def ignoring(self, *pairs: tuple[str, str]) -> Scene:
        """Return the scene with more pairs that are never reported."""
        return self.replaced(ignored=(*self.ignored, *pairs))

    def _entry(self, name: str) -> Shape:
        if name not in self.shapes:
            raise KeyError(f"there is no shape named {name!r} in the scene")
        return self.shapes[name]

    def _find(self, name: str) -> tuple[str, tuple[int, ...] | None] | None:
        """Resolve a name to an entry and, for an element, its index in the batch axes."""
        if name in self.shapes:
            return name, None
        match = re.fullmatch(r"(.*)\[(\d+(?:,\s*\d+)*)\]", name, re.DOTALL)
        if match is None or match[1] not in self.shapes:
            return None
        index = tuple(int(part) for part in match[2].split(","))
        axes = self.shapes[match[1]].batch_shape
        inside = len(index) == len(axes) and all(i < n for i, n in zip(index, axes, strict=True))
        return (match[1], index) if inside else None

    # -- elements: every single shape, numbered in scene order ------------------------------------------------------

    @property
    def element_count(self) -> int:
        """The number of single shapes in all entries."""
        return self._starts[-1]

    def element_name(self, element: int) -> str:
        """Return the name of an element: its entry's, with its index where the entry is a batch."""
        if not 0 <= element < self.element_count:
            raise IndexError(f"the scene has elements 0 to {self.element_count - 1}, got {element}")
        entry = int(np.searchsorted(self._starts, element, side="right")) - 1
        name, shape = list(self.shapes.items())[entry]
        if not shape.batch_shape:
            return name
        index = np.unravel_index(element - self._starts[entry], shape.batch_shape)
        return f"{name}[{','.join(str(int(i)) for i in index)}]"

    def element_numbers(self, name: str) -> range:
        """Return the element numbers of an entry, or of a single element."""
        found = self._find(name)
        if found is None:
            raise KeyError(f"there is no shape named {name!r} in the scene")
        entry, index = found
        start = self._starts[list(self.shapes).index(entry)]
        if index is None:
            return range(start, start + _size(self.shapes[entry]))
        inner = int(np.ravel_multi_index(index, self.shapes[entry].batch_shape))
        return range(start + inner, start + inner + 1)

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The elements by kind, as flat batches: what drawing and queries over the whole scene work on."""
        groups = []
        for kind in KINDS:
            members = [(i, s) for i, s in enumerate(self.shapes.values()) if type(s) is kind and _size(s)]
            if members:
                numbers = [np.arange(self._starts[i], self._starts[i + 1]) for i, _ in members]
                groups.append(Group(np.concatenate(numbers), _joined(kind, [s for _, s in members])))
        return tuple(groups)

    @cached_property
    def _places(self) -> tuple[IntArray, IntArray]:
        """For every element, its group and its row in the group."""
        group = np.zeros(self.element_count, dtype=np.intp)
        row = np.zeros(self.element_count, dtype=np.intp)
        for number, members in enumerate(self.groups):
            group[members.elements] = number
            row[members.elements] = np.arange(len(members.elements))
        return group, row

    @cached_property
    def _element_bounds(self) -> tuple[FloatArray, FloatArray]:
        """Lower and upper corners of every element, infinite for rays and lines."""
        lower = np.full((self.element_count, 3), -np.inf)
        upper = np.full((self.element_count, 3), np.inf)
        for elements, shape in self.groups:
            if shape.bounded:
                box = shape.bounds()
                lower[elements], upper[elements] = box.lower, box.upper
        return lower, upper

    def bounds(self) -> AABB | None:
        """Return the box around everything that is finite, or None when nothing is.

        Rays and lines count by the point they are given by.
        """
        boxes = [s.bounds() if s.bounded else AABB(s.core.operands[0], s.core.operands[0]) for _, s in self.groups]
        return AABB.union(*boxes) if boxes else None

    # -- queries ----------------------------------------------------------------------------------------------------

    def colliding_pairs(self) -> IntArray:
        """Return the pairs of elements that intersect, ignored ones left out.

        Returns
        -------
        ndarray of int, shape (k, 2)
            Element numbers, i < j, in lexicographic order. Touching counts.
        """
        pairs = self._candidates(0.0)
        hit = np.zeros(len(pairs), dtype=bool)
        for rows, a, b in self._by_kinds(pairs):
            hit[rows] = queries.intersects(a, b)
        return pairs[hit]

    def contacts(self, *, margin: float = 0.0) -> Contacts:
        """Return what there is to know of every pair that touches or is no more than a margin apart.

        Parameters
        ----------
        margin : float
            Zero or more, in scene units.

        Raises
        ------
        ValueError
            If the margin is negative or not finite.
        """
        if not 0.0 <= margin < np.inf:
            raise ValueError(f"margin must be zero or more and finite, got {margin}")
        pairs = self._candidates(margin)
        keep = np.zeros(len(pairs), dtype=bool)
        distance = np.zeros(len(pairs))
        point, normal, on_a, on_b = (np.zeros((len(pairs), 3)) for _ in range(4))
        for rows, a, b in self._by_kinds(pairs):
            record = queries.contact(a, b, margin=margin)
            keep[rows], distance[rows] = record.touching, record.signed_distance
            point[rows], normal[rows] = record.point, record.normal
            on_a[rows], on_b[rows] = record.on_a, record.on_b
        return Contacts(pairs[keep], distance[keep], point[keep], normal[keep], on_a[keep], on_b[keep])

    def nearest(self, name: str) -> Nearest | None:
        """Return the element nearest to an element (the deepest, among those that overlap it); None if it is alone.

        Ignored pairs are left out, and so are the other elements of the entry itself when a whole batch is asked for.

        Parameters
        ----------
        name : str
            A single shape: an entry without batch axes, or an element.
        """
        numbers = self.element_numbers(name)
        if len(numbers) != 1:
            raise ValueError(f"nearest: {name!r} is a batch of {len(numbers)}; name one element, such as {name}[0]")
        me = numbers[0]
        others = np.delete(np.arange(self.element_count, dtype=np.intp), me)
        pairs = self._not_ignored(np.sort(np.stack([np.full_like(others, me), others], axis=1), axis=1))
        if not len(pairs):
            return None
        others = np.where(pairs[:, 0] == me, pairs[:, 1], pairs[:, 0])
        group, row = self._places
        distances = np.empty(len(others))
        for number in np.unique(group[others]):
            rows = np.flatnonzero(group[others] == number)
            distances[rows] = queries.signed_distance(self[name], self.groups[number].shape[row[others[rows]]])
        best = int(others[np.argmin(distances)])
        return Nearest(best, self.element_name(best), queries.closest_points(self[name], self.element(best)))

    def raycast(self, ray: Ray) -> SceneHit:
        """Return the first element that a single ray hits."""
        if ray.batch_shape:
            raise ValueError(f"Scene.raycast takes a single ray, got batch axes {ray.batch_shape}")
        best, winner = np.inf, -1
        lower, upper = self._element_bounds
        candidates = broadphase.ray_candidates(ray.origin, ray.direction, lower, upper)
        group, row = self._places
        for number in np.unique(group[candidates]):
            members = candidates[group[candidates] == number]
            enter = raycast(ray, self.groups[number].shape[row[members]]).enter
            if not np.all(np.isnan(enter)) and np.nanmin(enter) < best:
                best, winner = float(np.nanmin(enter)), int(members[np.nanargmin(enter)])
        if winner < 0:
            nowhere = np.full(3, np.nan)
            return SceneHit(-1, "", np.inf, nowhere, nowhere)
        hit = raycast(ray, self.element(winner))
        return SceneHit(winner, self.element_name(winner), best, hit.point, hit.normal)

    def element(self, number: int) -> Shape:
        """Return one element by its number."""
        group, row = self._places
        return self.groups[group[number]].shape[int(row[number])]

    def _candidates(self, margin: float) -> IntArray:
        lower, upper = self._element_bounds
        return self._not_ignored(broadphase.candidate_pairs(lower, upper, margin=margin))

    def _by_kinds(self, pairs: IntArray) -> Iterator[tuple[IntArray, Shape, Shape]]:
        """Split pairs by the kinds they are of: rows of `pairs`, and the two flat batches."""
        group, row = self._places
        code = group[pairs[:, 0]] * len(KINDS) + group[pairs[:, 1]]
        for value in np.unique(code):
            rows = np.flatnonzero(code == value)
            first, second = divmod(int(value), len(KINDS))
            i, j = pairs[rows].T
            yield rows, self.groups[first].shape[row[i]], self.groups[second].shape[row[j]]

    def _not_ignored(self, pairs: IntArray) -> IntArray:
        keep = np.ones(len(pairs), dtype=bool)
        i, j = pairs.T
        for first, second in self._ignored_masks:
            keep &= ~((first[i] & second[j]) | (second[i] & first[j]))
        listed = self._ignored_numbers
        if len(listed):
            keep &= ~np.isin(i * self.element_count + j, listed)
        return pairs[keep]

    @cached_property
    def _ignored_masks(self) -> list[tuple[Any, Any]]:
        """For every ignored pair that covers more than two elements: which elements each of its names covers."""
        return [(self._mask(a), self._mask(b)) for a, b in self.ignored if not self._is_single(a, b)]

    @cached_property
    def _ignored_numbers(self) -> IntArray:
        """Ignored pairs of two single elements, as one number each: robots have hundreds of them."""
        pairs = [
            (self.element_numbers(a)[0], self.element_numbers(b)[0]) for a, b in self.ignored if self._is_single(a, b)
        ]
        return np.array([min(p) * self.element_count + max(p) for p in pairs], dtype=np.intp)

    def _is_single(self, *names: str) -> bool:
        return all(name in self and len(self.element_numbers(name)) == 1 for name in names)

    def _mask(self, pattern: str) -> Any:
        mask = np.zeros(self.element_count, dtype=bool)
        wanted = re.compile(".*".join(map(re.escape, pattern.split("*"))), re.DOTALL)
        for entry in self.shapes:
            numbers = self.element_numbers(entry)
            if wanted.fullmatch(entry):
                mask[numbers.start : numbers.stop] = True
            elif "[" in pattern and self.shapes[entry].batch_shape:
                mask[numbers.start : numbers.stop] = [bool(wanted.fullmatch(self.element_name(n))) for n in numbers]
        return mask


def _check_entry(name: object, shape: object) -> None:
    if not isinstance(name, str) or not name or any(sign in name for sign in "[]*"):
        raise ValueError(f"a shape's name must be text without the signs [ ] *, got {name!r}")
    if not isinstance(shape, Shape):
        raise ValueError(f"scene entry {name!r} must be a shape, got {type(shape).__name__}")


def _read_pair(pair: tuple[str, str]) -> tuple[str, str]:
    if isinstance(pair, str) or len(pair) != 2 or not all(isinstance(name, str) and name for name in pair):
        raise ValueError(f"ignored must be pairs of names, such as ('arm*', 'torso'), got {pair!r}")
    return pair[0], pair[1]


def _size(shape: Shape) -> int:
    return int(np.prod(shape.batch_shape, dtype=np.int64))


def _joined(kind: type[Shape], shapes: list[Shape]) -> Shape:
    if len(shapes) == 1:
        return shapes[0].flattened()
    flat = [shape.flattened().values() for shape in shapes]
    return kind._trusted(**{name: np.concatenate([values[name] for values in flat]) for name in flat[0]})


def _with_element(batch: Shape, index: tuple[int, ...], element: Shape) -> Shape:
    """Return a batch with one element replaced."""
    if type(element) is not type(batch) or element.batch_shape:
        raise ValueError(f"an element of a batch of {type(batch).__name__} must be a single one, got {element!r}")
    values = {name: value.copy() for name, value in batch._broadcast().items()}
    for name, value in element.values().items():
        values[name][index] = value
    return type(batch)._trusted(**values)
