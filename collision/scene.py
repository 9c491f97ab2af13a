"""A scene: shapes by name, the pairs to ignore, and what to show of it.

A `Scene` is a value. Every change returns a new scene that shares all that did not change, so keeping the old one is a
free undo. An entry may be a batch; its elements are named ``crowd[17]`` and numbered with all other elements in scene
order, and queries over the whole scene answer with those numbers.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

import numpy as np

from collision import queries
from collision.elements import ChangedShapes, Elements, Group
from collision.fields import ArrayLike, FloatArray, IntArray, read_margin, read_vector
from collision.shapes import AABB, Ray, Shape
from collision.shows import SHOW_QUERIES, Camera, Show, ShowQuery
from collision.world import MANY, World

__all__ = ["SHOW_QUERIES", "Camera", "Contacts", "Group", "Nearest", "Scene", "SceneHit", "Show", "ShowQuery"]


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
    """The nearest other element.

    Attributes
    ----------
    element : int
        Its number.
    name : str
        Its name.
    points : ClosestPoints
        Of the shape asked for (A) and this element (B).
    """

    element: int
    name: str
    points: queries.ClosestPoints


class SceneHit(NamedTuple):
    """The first element that a ray hits; for a batch of rays, arrays of them.

    Attributes
    ----------
    element : int, or ndarray of int, shape (...)
        Its number, -1 where there is none.
    name : str, or ndarray of str, shape (...)
        Its name, empty where there is none.
    enter : float, or ndarray, shape (...)
        The distance along the ray, infinite where there is none.
    point, normal : ndarray, shape (..., 3)
        Where the ray enters, and the outward normal there; NaN where there is none.
    """

    element: Any
    name: Any
    enter: Any
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
    _elements: Elements = field(init=False, repr=False)
    _world: World = field(init=False, repr=False)

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
        own = self.__dict__
        own["shapes"] = MappingProxyType(dict(shapes))
        own["ignored"] = tuple(_read_pair(pair) for pair in ignored)
        own["shows"] = tuple(shows)
        own["camera"], own["title"], own["caption"] = camera, title, caption
        own["_elements"] = Elements(self.shapes)
        own["_world"] = World(self._elements, self.ignored)
        self._check_names()

    def _check_names(self) -> None:
        """Refuse shows and ignored pairs that name nothing, and shows of kinds that their query does not take."""
        for show in self.shows:
            if not isinstance(show, Show):
                raise TypeError(f"shows must be made of Show, got {type(show).__name__}")
            self._check_side(show, "a", show.a)
            if show.b:
                self._check_side(show, "b", show.b)
        for pair in self.ignored:
            for name in pair:
                if "*" not in name and name not in self:
                    raise ValueError(f"ignored pair {pair!r}: there is no shape named {name!r} in the scene")

    def _check_side(self, show: Show, side: Literal["a", "b"], name: str) -> None:
        found = self._elements.find(name)
        if found is None:
            raise ValueError(f"show {show.query}: there is no shape named {name!r} in the scene")
        wanted, got = show.wanted_kinds(side), type(self.shapes[found[0]])
        if got not in wanted:
            kinds = ", ".join(kind.__name__ for kind in wanted)
            raise ValueError(f"show {show.query}: {side} must be one of {kinds}, got {got.__name__} {name!r}")

    # -- a mapping of names to shapes ------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.shapes)

    def __iter__(self) -> Iterator[str]:
        return iter(self.shapes)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._elements.find(name) is not None

    def __getitem__(self, name: str) -> Shape:
        """Return an entry by its name, or an element of a batch by ``name[index]``."""
        found = self._elements.find(name)
        if found is None:
            raise KeyError(f"there is no shape named {name!r} in the scene")
        entry, index = found
        return self.shapes[entry] if index is None else self._world.shape(self._elements.numbers(name)[0])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Scene):
            return NotImplemented
        return list(self.shapes.items()) == list(other.shapes.items()) and self._extras() == other._extras()

    def __hash__(self) -> int:
        return hash((tuple(self.shapes.items()), tuple(self._extras().values())))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (dict(self.shapes), self._extras())

    def _extras(self) -> dict[str, Any]:
        names = ("ignored", "shows", "camera", "title", "caption")
        return {name: getattr(self, name) for name in names}

    def replaced(self, **changes: Any) -> Scene:
        """Return the scene with other ``shapes``, ``ignored``, ``shows``, ``camera``, ``title`` or ``caption``."""
        if changes.keys() <= {"shows", "camera", "title", "caption"}:  # nothing that queries depend on
            scene = object.__new__(Scene)
            scene.__dict__.update(self.__dict__ | changes, shows=tuple(changes.get("shows", self.shows)))
            scene._check_names()
            return scene
        return Scene(**({"shapes": self.shapes} | self._extras() | changes))

    def with_shape(self, name: str, shape: Shape) -> Scene:
        """Return the scene with one more entry or one entry replaced (which keeps its place)."""
        found = self._elements.find(name)
        if found is not None:
            old = self[name]
            if found[1] is not None and (type(shape) is not type(old) or shape.batch_shape):
                raise ValueError(f"an element of a batch of {type(old).__name__} must be a single one, got {shape!r}")
            numbers = self.element_numbers(name)
            if type(shape) is type(old) and shape.batch_shape == old.batch_shape and len(numbers) <= MANY:
                elements = shape.flattened() if shape.batch_shape else (shape,)
                return self._with_elements(dict(zip(numbers, elements, strict=True)))
        return self.replaced(shapes={**self.shapes, name: shape})

    def _with_elements(self, changes: Mapping[int, Shape]) -> Scene:
        """Return the scene with some elements replaced by shapes of their own kinds."""
        world = self._world.changed(changes)
        if world is None:
            return self.replaced(shapes=ChangedShapes(self._elements, {**self._world.changes, **changes}))
        scene = object.__new__(Scene)
        scene.__dict__.update(self.__dict__, shapes=ChangedShapes(self._elements, world.changes), _world=world)
        return scene

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
        numbers = self.element_numbers(name)
        step = read_vector(offset, "moved.offset")
        if step.ndim > 1:
            raise ValueError(f"moved.offset must be a single vector (3,), got shape {step.shape}")
        if len(numbers) <= MANY:
            return self._with_elements({n: self._world.shape(n).translated(step) for n in numbers})
        return self.with_shape(name, self[name].translated(step))

    def ignoring(self, *pairs: tuple[str, str]) -> Scene:
        """Return the scene with more pairs that are never reported."""
        return self.replaced(ignored=(*self.ignored, *pairs))

    def _entry(self, name: str) -> Shape:
        if name not in self.shapes:
            raise KeyError(f"there is no shape named {name!r} in the scene")
        return self.shapes[name]

    # -- elements: every single shape, numbered in scene order ------------------------------------------------------

    @property
    def element_count(self) -> int:
        """The number of single shapes in all entries."""
        return self._elements.count

    def element_name(self, element: int) -> str:
        """Return the name of an element: its entry's, with its index where the entry is a batch."""
        return self._elements.name(element)

    def element_numbers(self, name: str) -> range:
        """Return the element numbers of an entry, or of a single element."""
        return self._elements.numbers(name)

    def element(self, number: int) -> Shape:
        """Return one element by its number."""
        number = operator.index(number)
        if not 0 <= number < self.element_count:
            self.element_name(number)  # which says what numbers there are
        return self._world.shape(number)

    @property
    def groups(self) -> tuple[Group, ...]:
        """The elements by kind, as flat batches: what drawing and queries over the whole scene work on."""
        return self._world.groups

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
        return self._world.touching().copy()

    def pairs_of(self, name: str) -> IntArray:
        """Return the pairs of `colliding_pairs` that an entry, or one element, has a part in.

        After a move it costs what the moved elements cost, however many others there are.

        Examples
        --------
        >>> from collision import Sphere
        >>> scene = Scene({"crowd": Sphere([[0, 0, 0], [1, 0, 0], [5, 0, 0], [6, 0, 0]], 1)})
        >>> scene.moved("crowd[3]", [-5, 0, 0]).pairs_of("crowd[3]")
        array([[0, 3],
               [1, 3]])
        """
        return self._world.touching_of(self.element_numbers(name))

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
        pairs, record = self._world.near(read_margin(margin, "contacts"))
        middle = 0.5 * record.on_a + 0.5 * record.on_b
        return Contacts(pairs, record.signed_distance, middle, record.normal, record.on_a, record.on_b)

    def nearest(self, name: str) -> Nearest | None:
        """Return the element nearest to an element (the deepest, among those that overlap it); None if it is alone.

        Ignored pairs are left out.

        Parameters
        ----------
        name : str
            A single shape: an entry without batch axes, or an element.

        Raises
        ------
        KeyError
            If the name names nothing.
        ValueError
            If it names a batch of other than one element.
        """
        numbers = self.element_numbers(name)
        if len(numbers) != 1:
            hint = f"; name one of them, such as {self.element_name(numbers[0])!r}" if numbers else ""
            raise ValueError(f"nearest: {name!r} is a batch of {len(numbers)} elements{hint}")
        best = self._world.nearest(numbers[0])
        if best is None:
            return None
        me, other = (self.element(number) for number in (numbers[0], best))
        return Nearest(best, self.element_name(best), queries.closest_points(me, other))

    def raycast(self, ray: Ray) -> SceneHit:
        """Return the first element that each of one or many rays hits.

        Parameters
        ----------
        ray : Ray
            One ray or a batch.

        Returns
        -------
        SceneHit
            ``.element``, ``.enter``, ``.point``, ``.normal``, with the batch axes of the rays, and ``.name``.

        Examples
        --------
        >>> from collision import Sphere
        >>> scene = Scene({"near": Sphere([2, 0, 0], 1), "far": Sphere([5, 0, 0], 1)})
        >>> hit = scene.raycast(Ray([0, 0, 0], [1, 0, 0]))
        >>> hit.name, hit.enter
        ('near', 1.0)
        >>> scene.raycast(Ray([[0, 0, 0], [9, 0, 0]], [-1, 0, 0])).element
        array([-1,  1])
        """
        if not isinstance(ray, Ray):
            raise TypeError(f"Scene.raycast takes a Ray, got {type(ray).__name__}")
        rays = ray.flattened()
        hits = self._world.first_hits(rays)
        point = rays.origin + np.where(np.isfinite(hits.enter), hits.enter, np.nan)[:, None] * rays.direction
        if not ray.batch_shape:
            element = int(hits.element[0])
            name = self.element_name(element) if element >= 0 else ""
            return SceneHit(element, name, float(hits.enter[0]), point[0], hits.normal[0])
        lead = ray.batch_shape
        names = np.array([self.element_name(e) if e >= 0 else "" for e in hits.element.tolist()], dtype=object)
        vectors = (v.reshape(*lead, 3) for v in (point, hits.normal))
        return SceneHit(hits.element.reshape(lead), names.reshape(lead), hits.enter.reshape(lead), *vectors)


def _restored(shapes: Mapping[str, Shape], extras: Mapping[str, Any]) -> Scene:
    """Make a scene from its pickle."""
    return Scene(shapes, **extras)


def _read_pair(pair: tuple[str, str]) -> tuple[str, str]:
    if not isinstance(pair, tuple | list) or len(pair) != 2 or not all(isinstance(name, str) and name for name in pair):
        raise ValueError(f"ignored must be pairs of names, such as ('arm*', 'torso'), got {pair!r}")
    return pair[0], pair[1]
