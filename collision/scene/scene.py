"""A scene: shapes by name, the pairs to ignore, and what to show of it.

A `Scene` is a value. Every change returns a new scene that shares all that did not change, so keeping the old one is a
free undo. An entry may be a batch; its elements are named ``crowd[17]`` and numbered with all other elements in scene
order, and queries over the whole scene answer with those numbers.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from collision.fields import ArrayLike, IntArray, check_broadcast, read_margin, read_number, read_vector
from collision.motion import Motion, span
from collision.queries import closest_points
from collision.scene.answers import Changes, Contacts, Nearest, SceneHit, SceneHits, SceneSweep
from collision.scene.asking import Asked, axes_of, leaving_out, probe_of, read_count
from collision.scene.elements import ChangedShapes, Elements, Group, with_elements
from collision.scene.movers import Movers, posed, posed_entries
from collision.scene.nearest import contacts_between, contacts_of, nearest_of
from collision.scene.parts import read_names, read_parts, written
from collision.scene.probe import Probe
from collision.scene.rays import all_hits, check_ray, first_or_any
from collision.scene.shows import SHOW_QUERIES, Camera, Show, ShowQuery
from collision.scene.sweeping import first_swept
from collision.scene.world import MANY, World
from collision.shapes import AABB, Ray, Shape

__all__ = [
    "SHOW_QUERIES",
    "Camera",
    "Changes",
    "Contacts",
    "Group",
    "Nearest",
    "Scene",
    "SceneHit",
    "SceneHits",
    "SceneSweep",
    "Show",
    "ShowQuery",
]


#: Near the largest number there may be no answer.
_quiet = np.errstate(over="ignore", invalid="ignore")


#: The parts of a scene that has none.
_EMPTY = {"ignored": (), "shows": (), "motion": (), "hidden": (), "camera": None, "title": "", "caption": ""}


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Scene:
    """Shapes by name.

    Parameters
    ----------
    shapes : mapping of str to Shape
        Entries, in the order they are numbered. An entry with batch axes holds many elements.
    ignored : iterable of pairs of str
        Pairs that are never reported. Each name is an entry, an element, or a pattern in which ``*`` stands for
        anything; it must stand for something.
    shows : iterable of Show
        Queries whose answers are drawn.
    motion : iterable of Motion
        How shapes move, in the order in which it is carried out; `at` is the scene at a time.
    camera : Camera, optional
        Without one, the picture frames the scene.
    title, caption : str
        What the scene is called, and what it teaches.
    hidden : iterable of str
        Names of entries or elements that are set aside: they keep their places and numbers, but no query over the whole
        scene finds them, and `groups` and `bounds` leave them out.

    Raises
    ------
    TypeError
        If there is no mapping, an entry is no shape, or another part is of a wrong type.
    ValueError
        If a name is empty or has a bracket or a control character in it, or a show, a motion, a pair to ignore or what
        is hidden names nothing.

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
    motion: tuple[Motion, ...] = ()
    camera: Camera | None = None
    title: str = ""
    caption: str = ""
    hidden: frozenset[str] = frozenset()
    _elements: Elements = field(init=False, repr=False)
    _world: World = field(init=False, repr=False)
    _movers: Movers = field(init=False, repr=False)

    def __init__(
        self,
        shapes: Mapping[str, Shape] = MappingProxyType({}),
        *,
        ignored: Iterable[tuple[str, str]] = (),
        shows: Iterable[Show] = (),
        motion: Iterable[Motion] = (),
        camera: Camera | None = None,
        title: str = "",
        caption: str = "",
        hidden: Iterable[str] = (),
    ) -> None:
        own, parts = self.__dict__, dict[str, Any](ignored=ignored, shows=shows, motion=motion, hidden=hidden)
        parts |= {"camera": camera, "title": title, "caption": caption}
        # What was not given is there already, as the class's own.
        own |= read_parts({"shapes": shapes} | {name: parts[name] for name in parts if parts[name] is not _EMPTY[name]})
        wanted = own.pop("hidden", self.hidden)
        own["_elements"] = Elements(self.shapes)
        own["_world"] = World(self._elements, self.ignored)
        own["_movers"] = Movers(self._elements, self.motion)
        self._check_names()
        self._hide(wanted)

    def _check_names(self) -> None:
        """Refuse what names nothing in the scene, and shows of kinds that their query does not take."""
        for show in self.shows:
            self._check_side(show, "a", show.a)
            if show.b:
                self._check_side(show, "b", show.b)
        for motion in self.motion:
            self._elements.check_covers(motion.shape, "motion")
        for pair in self.ignored:
            for name in pair:
                self._elements.check_covers(name, f"ignored pair {pair!r}")

    def _hide(self, hidden: frozenset[str]) -> None:
        """Hide these and no others; only for a scene that nobody has seen yet."""
        for name in hidden:
            if name not in self:
                raise ValueError(f"hidden: {self._elements.unknown(name)}")
        if hidden != self.hidden:
            numbers = (number for name in hidden for number in self._elements.numbers(name))
            self.__dict__.update(hidden=hidden, _world=self._world.hiding(numbers))

    def _check_side(self, show: Show, side: Literal["a", "b"], name: str) -> None:
        found = self._elements.find(name)
        if found is None:
            raise ValueError(f"show {show.query}: {self._elements.unknown(name)}")
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
        numbers = self._elements.numbers(name)
        return self.shapes[name] if name in self._elements.shapes else self._world.shape(numbers[0])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Scene):
            return NotImplemented
        return list(self.shapes.items()) == list(other.shapes.items()) and self._extras() == other._extras()

    def __hash__(self) -> int:
        return hash((tuple(self.shapes.items()), tuple(self._extras().values())))

    def __repr__(self) -> str:
        return written(self.shapes, self._extras())

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (dict(self.shapes), self._extras())

    def _extras(self) -> dict[str, Any]:
        names = ("ignored", "shows", "motion", "camera", "title", "caption", "hidden")
        return {name: getattr(self, name) for name in names}

    def replaced(self, **changes: Any) -> Scene:
        """Return the scene with others of what it was made of: ``shapes``, ``shows``, ``motion``, ``title`` ...

        Parameters and errors are those of `Scene`.
        """
        changes = read_parts(changes)
        if changes.keys() <= {"shows", "motion", "camera", "title", "caption", "hidden"}:  # the broad phase is the same
            hidden = changes.pop("hidden", self.hidden)
            scene = object.__new__(Scene)
            scene.__dict__.update(self.__dict__ | changes)
            if "motion" in changes:
                scene.__dict__["_movers"] = Movers(self._elements, scene.motion)
            scene._check_names()
            scene._hide(hidden)
            return scene
        return Scene(**({"shapes": self.shapes} | self._extras() | changes))

    def with_shape(self, name: str, shape: Shape) -> Scene:
        """Return the scene with one more entry, or with an entry or an element replaced, which keeps its place.

        Parameters
        ----------
        name : str
            A new name, or that of an entry, or as ``crowd[17]`` that of an element of a batch.
        shape : Shape
            Of any kind and batch axes; for an element a single one of the batch's own kind.

        Raises
        ------
        TypeError
            If there is no shape.
        ValueError
            If a new name cannot be one (``crowd[99]`` is none where the batch is smaller), an element is to become a
            batch or of another kind, or a show cannot show the new kind.

        Examples
        --------
        >>> from collision import Sphere
        >>> scene = Scene({"b": Sphere([[0, 0, 0], [4, 0, 0]], 1)})
        >>> scene.with_shape("b[0]", Sphere([9, 9, 9], 2))["b"].radius
        array([2., 1.])
        """
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
        """Return the scene without some entries or elements; shows, motions and ignored pairs of them go with them.

        So do patterns that stand for nothing any more.

        The elements of a batch close the gap: what follows ``crowd[2]`` is counted anew from there, and shows,
        motions and ignored pairs follow. With its last element an entry goes.

        Raises
        ------
        KeyError
            If there is no such shape.
        ValueError
            If a name is that of an element of a batch with several axes, which would be no grid without it.

        Examples
        --------
        >>> from collision import Sphere
        >>> scene = Scene({"crowd": Sphere([[0, 0, 0], [4, 0, 0], [8, 0, 0]], 1)}, hidden=["crowd[2]"])
        >>> left = scene.without("crowd[1]")
        >>> left["crowd"].center.tolist(), sorted(left.hidden)
        ([[0.0, 0.0, 0.0], [8.0, 0.0, 0.0]], ['crowd[1]'])
        """
        left = self._elements.without(names)
        shapes = {name: self.shapes[name] if rows is None else self.shapes[name][rows] for name, rows in left.items()}

        elements = Elements(shapes)

        def follow(name: str) -> tuple[str, ...]:
            entry, index = self._elements.find(name) or (name, None)
            rows = left.get(entry)
            if index is None or rows is None:  # also a pattern, which stays as it is
                return (name,) if elements.covers(name) else ()
            return (f"{entry}[{np.searchsorted(rows, index[0])}]",) if index[0] in rows else ()

        return self._followed(shapes, follow)

    def renamed(self, old: str, new: str) -> Scene:
        """Return the scene with an entry under another name; its place, shows, motions and ignored pairs follow.

        A pattern that covered the old name and does not cover the new one gets the new name beside it, so that no pair
        is reported that was ignored before; where it covers nothing else, the new name takes its place. What a pattern
        covers by the new name is covered from then on.

        Raises
        ------
        KeyError
            If there is no such entry; elements have no names of their own.
        ValueError
            If the new name is taken or cannot be one.

        Examples
        --------
        >>> from collision import Point
        >>> scene = Scene({"arm left": Point([0, 0, 0]), "body": Point([0, 0, 0])}, ignored=[("arm*", "body")])
        >>> scene.renamed("arm left", "wing").ignored
        (('wing', 'body'),)
        """
        self._entry(old)
        numbers = self.element_numbers(old)
        if new in self.shapes and new != old:
            raise ValueError(f"there is already a shape named {new!r} in the scene")
        shapes = {new if name == old else name: shape for name, shape in self.shapes.items()}
        elements = Elements(shapes)

        def follow(name: str) -> tuple[str, ...]:
            entry, bracket, rest = name.partition("[")
            if entry == old:
                return (new + bracket + rest,)
            if "*" not in name:
                return (name,)
            lost = (self._elements.mask(name) & ~elements.mask(name))[numbers.start : numbers.stop]
            few = [elements.name(numbers[row]) for row in np.flatnonzero(lost).tolist()]
            kept = (name,) if elements.covers(name) else ()
            return (*kept, new) if len(numbers) and lost.all() else (*kept, *few)

        return self._followed(shapes, follow)

    def _followed(self, shapes: Mapping[str, Shape], follow: Callable[[str], tuple[str, ...]]) -> Scene:
        """Return the scene with other shapes; `follow` gives the new names for each, none where it is gone."""
        shows = [(show, follow(show.a), follow(show.b) if show.b else ("",)) for show in self.shows]
        return self.replaced(
            shapes=shapes,
            shows=[replace(show, a=a, b=b) for show, names_a, names_b in shows for a, b in product(names_a, names_b)],
            ignored=[pair for a, b in self.ignored for pair in _pairs(follow(a), follow(b))],
            motion=[motion.of(name) for motion in self.motion for name in follow(motion.shape)],
            hidden=[new for name in self.hidden for new in follow(name)],
        )

    def moved(self, names: str | Iterable[str], offset: ArrayLike) -> Scene:
        """Return the scene with an entry, or one element of it, moved by an offset (3,); or several of them.

        What is named twice, as an element of an entry that is named too, is moved once.

        Raises
        ------
        KeyError
            If there is no such shape.
        ValueError
            If the offset is not finite or no (3,), or a place becomes infinite.
        """
        step = read_vector(offset, "moved.offset")
        if step.ndim > 1:
            raise ValueError(f"moved.offset must be a single vector (3,), got shape {step.shape}")
        return self.changed(names, lambda shape: shape._shifted(step))

    def changed(self, names: str | Iterable[str], change: Callable[[Shape], Shape]) -> Scene:
        """Return the scene with what a function makes of an entry, or of one element of it; or of several of them.

        Parameters
        ----------
        names : str or iterable of str
            What is named twice, as an element of an entry that is named too, is changed once.
        change : callable
            Takes a shape, single or a batch, and returns another of the same kind and batch axes.

        Raises
        ------
        KeyError
            If there is no such shape.

        Examples
        --------
        >>> from collision import Sphere, Transform
        >>> scene = Scene({"crowd": Sphere([[0, 0, 0], [4, 0, 0]], 1)})
        >>> scene.changed("crowd[1]", lambda ball: ball.transformed(Transform(scale=2)))["crowd"].radius
        array([1., 2.])
        """
        names = read_names(names, "names")
        numbers = {number for name in names for number in self._elements.numbers(name)}
        if len(numbers) <= MANY:
            return self._with_elements({n: change(self._world.shape(n)) for n in numbers})
        shapes = dict(self.shapes)
        for entry, indices in self._elements.by_entry(names).items():
            whole = shapes[entry]
            few = {} if indices is None else {i: change(whole[i]) for i in indices}
            shapes[entry] = with_elements(whole, few) if few else change(whole)
        return self.replaced(shapes=shapes)

    def at(self, time: float) -> Scene:
        """Return the scene at a time of its motion, a scene without motion; it costs what the moved shapes cost.

        Shapes stand where the keyframes say, each as far from its place in this scene as they tell. An `AABB` that is
        turned is refitted: it is the upright box around itself as it stands in this scene, turned.

        Parameters
        ----------
        time : float
            When; before the first and after the last keyframe, as there.

        Raises
        ------
        ValueError
            If the time is not finite, or a place becomes infinite.

        Examples
        --------
        >>> from collision import Motion, Sphere
        >>> move = Motion("ball", times=[0, 1], offsets=[[0, 0, 0], [3, 0, 0]])
        >>> scene = Scene({"ball": Sphere([0, 0, 0], 1), "wall": Sphere([4, 0, 0], 1)}, motion=[move])
        >>> [len(scene.at(time).colliding_pairs()) for time in (0, 0.5, 1)]
        [0, 0, 1]
        """
        when = read_number(time, "Scene.at: time")
        if not self.motion:
            return self
        still = self.replaced(motion=())
        if self._movers.count > MANY:
            return still.replaced(shapes={**self.shapes, **posed_entries(self._movers, self.shapes, when)})
        moved = posed(self._movers, self, when)
        return still._with_elements(moved) if moved else still

    @property
    def span(self) -> tuple[float, float] | None:
        """The first and the last time of the motion; None without one."""
        return span(self.motion)

    def forget(self, *, but: Scene) -> None:
        """Drop what was worked out for queries, except what another scene shares: for keeping very many scenes.

        The scene stays the same. What it is asked later is worked out again, which costs what it cost at first.

        Examples
        --------
        >>> from collision import Sphere
        >>> before = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([1, 0, 0], 1)})
        >>> after = before.moved("a", [5, 0, 0])
        >>> before.forget(but=after)
        >>> len(before.colliding_pairs())
        1
        """
        self._world.forget(but._world)
        if isinstance(self.shapes, ChangedShapes):
            self.shapes.forget()

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

    @property
    def element_names(self) -> tuple[str, ...]:
        """The names of all elements, in the order of their numbers.

        Examples
        --------
        >>> from collision import Sphere
        >>> Scene({"ball": Sphere([0, 0, 0], 1), "crowd": Sphere([[4, 0, 0], [8, 0, 0]], 1)}).element_names
        ('ball', 'crowd[0]', 'crowd[1]')
        """
        return self._elements.names

    def element_name(self, element: int) -> str:
        """Return the name of an element: its entry's, with its index where the entry is a batch.

        Raises
        ------
        IndexError
            If there is no element of this number.
        """
        return self._elements.name(element)

    def element_numbers(self, name: str) -> range:
        """Return the element numbers of an entry, or of a single element.

        Raises
        ------
        KeyError
            If there is no such shape.
        """
        return self._elements.numbers(name)

    def element(self, number: int) -> Shape:
        """Return one element by its number; by its name it is ``scene[name]``.

        Raises
        ------
        TypeError
            If that is no number.
        IndexError
            If there is no element of this number.
        """
        if type(number) is not int:
            try:
                number = operator.index(number)
            except TypeError:
                raise TypeError(f"element takes a number, got {number!r}; scene[name] takes a name") from None
        if not 0 <= number < self._elements.count:
            self.element_name(number)  # which says what numbers there are
        return self._world.shape(number)

    @property
    def groups(self) -> tuple[Group, ...]:
        """The elements by kind, as flat batches: what drawing and queries over the whole scene work on."""
        return self._world.groups

    @property
    def changes(self) -> Changes:
        """What differs from the scene that this one was made from, where only a few elements were replaced since."""
        return self._world.since_first

    @_quiet
    def bounds(self) -> AABB | None:
        """Return the box around everything that is finite, or None when nothing is.

        Rays and lines count by the point they are given by, and half-spaces, which may be given by any point of their
        planes, only where there is nothing else.
        """
        shapes = [shape for _, shape in self.groups]
        shapes = [shape for shape in shapes if shape.anchored] or shapes
        boxes = [s.bounds() if s.bounded else AABB(s.core.operands[0], s.core.operands[0]) for s in shapes]
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

    def pairs_of(self, shape: str | Shape) -> IntArray:
        """Return the pairs of `colliding_pairs` that an entry, or one element, has a part in.

        After a move it costs what the moved elements cost, however many others there are.

        Parameters
        ----------
        shape : str or Shape
            An entry or an element. Or a shape that is not in the scene, or a batch of them: the elements that they
            touch. In the pairs it comes first, with the number -1; of a batch each with its place in it, counted
            through the batch axes in C order.

        Returns
        -------
        ndarray of int, shape (k, 2)
            In lexicographic order.

        Raises
        ------
        KeyError
            If there is no such shape.

        Examples
        --------
        >>> from collision import Sphere
        >>> scene = Scene({"crowd": Sphere([[0, 0, 0], [1, 0, 0], [5, 0, 0], [6, 0, 0]], 1)})
        >>> scene.moved("crowd[3]", [-5, 0, 0]).pairs_of("crowd[3]")
        array([[0, 3],
               [1, 3]])
        >>> scene.pairs_of(Sphere([7.5, 0, 0], 1))
        array([[-1,  3]])
        """
        if isinstance(shape, Shape):
            return self.contacts(of=shape).pairs.copy()
        return self._world.touching_of(self.element_numbers(shape))

    def contacts(self, *, margin: float = 0.0, of: str | Shape | None = None) -> Contacts:
        """Return what there is to know of every pair that touches or is no more than a margin apart.

        Parameters
        ----------
        margin : float
            Zero or more, in scene units.
        of : str or Shape, optional
            An entry or an element: only the pairs that it has a part in, at the cost of what it is near to. Or a shape
            that is not in the scene, or a batch of them: their pairs with all elements. In these it comes first, with
            the number -1; of a batch each with its place in it, counted through the batch axes in C order.

        Returns
        -------
        Contacts
            ``.pairs``, ``.signed_distance``, ``.point``, ``.normal``, ``.on_a``, ``.on_b``, ``.depth``, one row a pair,
            in lexicographic order of the pairs. With a margin it has all that is within that distance.

        Raises
        ------
        KeyError
            If there is no such shape.
        ValueError
            If the margin is negative or not finite.

        Examples
        --------
        >>> from collision import Point, Sphere
        >>> scene = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([5, 0, 0], 1)})
        >>> found = scene.contacts(of=Point([2, 0, 0]), margin=1)
        >>> found.pairs, found.signed_distance
        (array([[-1,  0]]), array([1.]))
        >>> scene.contacts(of=Point([[2, 0, 0], [4.5, 0, 0], [4, 0, 0]]), margin=0.5).pairs
        array([[1, 1],
               [2, 1]])
        """
        room = read_margin(margin, "contacts")
        if isinstance(of, Shape):
            if of.batch_shape:
                return contacts_of(self._world, of.flattened(), room)
            return Probe(self._world, of).near(room)
        return self._world.near(room) if of is None else self._world.near_of(self.element_numbers(of), room)

    @_quiet
    def contacts_with(self, other: Scene, *, margin: float = 0.0) -> Contacts:
        """Return what there is to know of every element of this scene and one of another that touch or are near.

        Pairs that one of the scenes ignores are of its own elements, so none is ignored here; what is hidden is left
        out.

        Parameters
        ----------
        other : Scene
            The other one; it may be the same.
        margin : float
            Zero or more, in scene units.

        Returns
        -------
        Contacts
            As from `contacts`; the first element of a pair is of this scene, the second of the other, and normals point
            from the first to the second.

        Raises
        ------
        TypeError
            If that is no scene.
        ValueError
            If the margin is negative or not finite.

        Examples
        --------
        >>> from collision import AABB, Sphere
        >>> robot, room = Scene({"hand": Sphere([0, 0, 1], 1)}), Scene({"floor": AABB([-9, -9, -1], [9, 9, 0.25])})
        >>> found = robot.contacts_with(room)
        >>> found.pairs, found.depth
        (array([[0, 0]]), array([0.25]))
        """
        if not isinstance(other, Scene):
            raise TypeError(f"contacts_with takes a Scene, got {type(other).__name__}")
        return contacts_between(self._world, other._world, read_margin(margin, "contacts_with"))

    @_quiet
    def nearest(self, shape: str | Shape, *, k: int | None = None, without: str | Iterable[str] = ()) -> Nearest | None:
        """Return the element nearest to a shape (the deepest, among those that overlap it); None if there is none.

        Of several at the same signed distance it is the one with the lowest number. Ignored pairs are left out. All
        elements within a distance are what `contacts` has with a margin.

        Parameters
        ----------
        shape : str or Shape
            A shape of the scene: an entry or an element. Or one that is not in the scene. Of a batch of either, each
            is answered for, on all processors.
        k : int, optional
            How many of the nearest, along a further axis of the answer, the nearest first.
        without : str or iterable of str
            Entries and elements to leave out.

        Returns
        -------
        Nearest or None
            ``.element``, ``.signed_distance``, ``.name``, and ``.points`` with ``.on_a``, ``.on_b`` and ``.normal``.
            For a batch, or with `k`, they are arrays, with -1, no name and NaN where there is none; never None then.

        Raises
        ------
        TypeError
            If `k` is no whole number.
        KeyError
            If a name names nothing.
        ValueError
            If `k` is less than one.

        Notes
        -----
        Distances are those of `collision.signed_distance`, to the last bit. The search is branch and bound in a
        bounding volume hierarchy (Hjaltason and Samet, *Distance Browsing in Spatial Databases*, 1999).

        Examples
        --------
        >>> from collision import Point, Sphere
        >>> scene = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([5, 0, 0], 1)})
        >>> scene.nearest("a").name, scene.nearest(Point([3, 0, 0])).name
        ('b', 'b')
        >>> scene.nearest(Point([3, 0, 0]), without="b").name
        'a'
        >>> found = scene.nearest(Point([[1.5, 0, 0], [4.5, 0, 0]]))
        >>> found.element, found.signed_distance
        (array([0, 1]), array([ 0.5, -0.5]))
        >>> scene.nearest(Point([2, 0, 0]), k=3).signed_distance
        array([ 1.,  2., nan])
        """
        if k is None and not axes_of(self._world, shape):
            probe = probe_of(self._world, shape, "nearest", without)
            best = probe.nearest()
            if best is None:
                return None
            points = closest_points(probe.shape, self.element(best))
            return Nearest(best, points.signed_distance, self.element_name, lambda: points)
        return nearest_of(leaving_out(self._world, without), self._asked(shape), read_count(k, "nearest"))

    def nearest_element(self, shape: str | Shape, *, without: str | Iterable[str] = ()) -> int | None:
        """Return the number of the element that `nearest` finds for a single shape; None if there is none.

        Parameters and errors are those of `nearest`, without `k`. Of many shapes it is ``nearest(...).element``.

        Raises
        ------
        ValueError
            If a name is that of a batch of other than one element, or the shape is a batch.

        Examples
        --------
        >>> from collision import Sphere
        >>> scene = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([5, 0, 0], 1)})
        >>> scene.nearest_element("a")
        1
        """
        return probe_of(self._world, shape, "nearest_element", without).nearest()

    @_quiet
    def sweep(self, shape: str | Shape, *, motion: ArrayLike, without: str | Iterable[str] = ()) -> SceneSweep:
        """Return the first element that a shape touches when it moves in a straight line, while all others rest.

        What is in touch at the start is the first, at fraction 0, also if the shape moves away from it; see
        `collision.sweep`, also for how exact it is. Of several at the same time it is the one with the lowest number.
        Ignored pairs are left out.

        Parameters
        ----------
        shape : str or Shape
            A shape of the scene: an entry or an element. Or one that is not in the scene. Of a batch of either each
            moves alone, while the others rest where they are.
        motion : array_like, shape (..., 3)
            The whole way that it goes. Batch axes broadcast with those of the shape.
        without : str or iterable of str
            Entries and elements to leave out.

        Returns
        -------
        SceneSweep
            ``.element``, ``.name``, ``.fraction``, ``.point``, ``.normal`` and ``.hit``, with the joint batch axes.

        Raises
        ------
        KeyError
            If a name names nothing.
        ValueError
            If the motion is not finite or not (..., 3), or batch axes do not broadcast.

        Examples
        --------
        >>> from collision import Sphere
        >>> scene = Scene({"ball": Sphere([0, 0, 0], 1), "near": Sphere([6, 0, 0], 1), "far": Sphere([12, 0, 0], 1)})
        >>> hit = scene.sweep("ball", motion=[8, 0, 0])
        >>> hit.name, hit.fraction, hit.point
        ('near', 0.5, array([5., 0., 0.]))
        >>> scene.sweep("ball", motion=[[8, 0, 0], [0, 8, 0], [4, 0, 0]]).fraction
        array([0.5, nan, 1. ])
        """
        way, asked = read_vector(motion, "Scene.sweep.motion"), self._asked(shape)
        lead = check_broadcast("Scene.sweep", shape=asked.lead, motion=way.shape[:-1])
        return first_swept(leaving_out(self._world, without), asked, way, lead)

    def _asked(self, shape: str | Shape) -> Asked:
        """Return the shapes that a query is about."""
        if isinstance(shape, Shape):
            return Asked.strangers(shape)
        return Asked.elements(self._world, self.element_numbers(shape), self[shape])

    @_quiet
    def raycast(
        self,
        ray: Ray,
        *,
        max_distance: ArrayLike = np.inf,
        any_hit: bool = False,
        without: str | Iterable[str] = (),
    ) -> SceneHit:
        """Return the first element that each of one or many rays hits.

        Rays walk through the scene from near to far, many of them on all processors.

        Parameters
        ----------
        ray : Ray
            One ray or a batch.
        max_distance : array_like, shape (...)
            How far the rays go; what they hit there still counts. One number, or one for each ray.
        any_hit : bool
            Whether any element will do that is hit, in place of the first: for questions such as whether one place is
            seen from another, which this answers sooner. Which of several it is, is not said.
        without : str or iterable of str
            Entries and elements to leave out, such as the one that shoots.

        Returns
        -------
        SceneHit
            ``.element``, ``.enter``, ``.point``, ``.normal``, with the batch axes of the rays, ``.name`` and ``.hit``.
            A ray that starts inside an element, or on its surface, hits it at once, whichever way it goes; see
            `collision.raycast`, which gives the same numbers. Of several elements at the same distance it is the one
            with the lowest number.

        Raises
        ------
        TypeError
            If that is no ray.
        KeyError
            If there is no shape of a name to leave out.
        ValueError
            If a distance is negative or NaN, or there is not one for each ray.

        Examples
        --------
        >>> from collision import Sphere
        >>> scene = Scene({"near": Sphere([2, 0, 0], 1), "far": Sphere([5, 0, 0], 1)})
        >>> hit = scene.raycast(Ray([0, 0, 0], [1, 0, 0]))
        >>> hit.name, hit.enter
        ('near', 1.0)
        >>> scene.raycast(Ray([[0, 0, 0], [9, 0, 0]], [-1, 0, 0])).element
        array([-1,  1])

        Whether one place is seen from another:

        >>> eye, place = np.array([0.0, 0.0, 0.0]), np.array([3.5, 0.0, 0.0])
        >>> scene.raycast(Ray(eye, place - eye), max_distance=np.linalg.norm(place - eye), any_hit=True).hit
        True
        """
        return first_or_any(leaving_out(self._world, without), check_ray(ray, "Scene.raycast"), max_distance, any_hit)

    @_quiet
    def raycast_all(
        self, ray: Ray, *, max_distance: ArrayLike = np.inf, without: str | Iterable[str] = ()
    ) -> SceneHits:
        """Return all elements that each of one or many rays hits, in order along each.

        Parameters and errors are those of `raycast`.

        Returns
        -------
        SceneHits
            One row a hit: ``.ray``, ``.element``, ``.enter``, ``.exit``, ``.point``, ``.normal``, ``.name``.

        Examples
        --------
        >>> from collision import Sphere
        >>> scene = Scene({"far": Sphere([5, 0, 0], 1), "near": Sphere([2, 0, 0], 1)})
        >>> hits = scene.raycast_all(Ray([[0, 0, 0], [0, 0, 3]], [1, 0, 0]))
        >>> hits.ray, hits.name, hits.enter
        (array([0, 0]), array(['near', 'far'], dtype=object), array([1., 4.]))
        """
        return all_hits(leaving_out(self._world, without), check_ray(ray, "Scene.raycast_all"), max_distance)


def _restored(shapes: Mapping[str, Shape], extras: Mapping[str, Any]) -> Scene:
    """Make a scene from its pickle."""
    return Scene(shapes, **extras)


def _pairs(first: Iterable[str], second: Iterable[str]) -> list[tuple[str, str]]:
    """Return all pairs of some names with others; of one and the same the other way round, the first."""
    found: dict[frozenset[str], tuple[str, str]] = {}
    for pair in product(first, second):
        found.setdefault(frozenset(pair), pair)
    return list(found.values())
