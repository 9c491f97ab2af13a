"""A scene: shapes by name, the pairs to ignore, and what to show of it.

Every change returns a new scene that shares all that did not change, so keeping the old one is a free undo.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, ItemsView, Iterable, Iterator, KeysView, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from types import MappingProxyType
from typing import Any, Literal, Self

import numpy as np

from collision.base.cached import cached_property
from collision.base.fields import (
    LARGEST,
    ArrayLike,
    BoolArray,
    IntArray,
    read_margin,
    read_number,
    read_vector,
    read_whole,
)
from collision.queries.casts import read_limits
from collision.queries.distances import ClosestPoints, closest_points
from collision.scene.answers import Changes, Contacts, FirstContacts, Nearest, SceneHit, SceneHits, SceneSweep
from collision.scene.elements import ChangedShapes, Elements, Group, joined, volumes_of, with_elements, with_rows
from collision.scene.expectations import Expectation
from collision.scene.ignored import half_spaces
from collision.scene.movers import Movers, posed
from collision.scene.name_groups import NameGroup, NameGroups
from collision.scene.pairs import SceneRows, records, touching
from collision.scene.parts import read_names, read_parts, written
from collision.scene.promised import PromisedNames, followed_promises
from collision.scene.shows import SHOW_QUERIES, Camera, Show, ShowQuery
from collision.scene.walks import first_hits, hits_of_pairs, nearest
from collision.scene.world import MAX_CHANGED, QueryShapes, World
from collision.shapes.kinds import AABB, HalfSpace, Ray, Shape, out_of_range
from collision.shapes.motion import Motion, span
from collision.shapes.rows import core_rows
from collision.shapes.transforms import Transform

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
    "check_scene",
]

#: So many candidates are looked at together.
_BLOCK = 1 << 16

#: Near the largest number there may be no answer.
_quiet = np.errstate(over="ignore", invalid="ignore")

_NO_GROUPS = NameGroups()


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Scene:
    """Shapes by name.

    Parameters
    ----------
    shapes : mapping of str to Shape
        Entries, in the order they are numbered. An entry with batch axes holds many elements.
    ignored : iterable of pairs of str
        Pairs that are never reported. Each name is an entry, an element, or a pattern in which ``*`` stands for
        anything; it must stand for something. Pairs of two half-spaces never are, as walls and floors overlap for ever,
        wherever they are; `collision.signed_distance` and the other queries of pairs answer of them as of all others.
    shows : iterable of Show
        Queries whose answers are drawn.
    motion : iterable of Motion
        How shapes move, in the order in which it is carried out; `at` is the scene at a time.
    camera : Camera, optional
        Without one, the picture frames the scene.
    title, caption : str
        The title of the scene, and a sentence or two for its reader.
    hidden : iterable of str
        Names of entries or elements that are set aside: they keep their numbers, but no query over the whole
        scene finds them, and `groups` and `bounds` leave them out.

    Notes
    -----
    What is true of all methods. Names are those of entries or, as ``crowd[17]``, of elements; KeyError is raised where
    one names nothing, IndexError where there is no element of a number, TypeError where a number is not whole or
    something is of another type. `names` are one name or several; what is named twice, as an element of an entry that
    is named too, is changed once.

    What is true of all changes. Each returns a new scene that shares with the old one all that did not change. Shapes
    are kept to the last bit, entries keep their order, and new ones come last. ValueError is raised, as by `Scene`, if
    a name is empty or has a bracket or a control character in it, or a show, a motion, a pair to ignore, an
    expectation, a group or what is hidden names nothing; if a group holds itself, or two ids are the same; if the
    largest coordinate or size of a shape is less than 1e-72, but not zero, or more than 1e72.

    What is true of all queries. Touching counts. Numbers are those of the functions for two shapes, to the last bit,
    and as exact. Ignored pairs, pairs of two half-spaces, and what is hidden are left out. Pairs are numbers of
    elements, i < j, in lexicographic order. Of several elements at the same distance, or time, the answer is the one
    with the lowest number. A query is about a `shape`: an entry or an element by its name, or one that is not in the
    scene; each of a batch of either is answered for, on all processors. A `margin` is zero or more, in scene units.
    `without` names entries and elements to leave out. A `ray` is one or a batch, and goes as far as `max_distance`, one
    number or one for each ray; what it hits there still counts. ValueError is raised where one of these is negative or
    NaN, a margin is infinite, or distances are not one for each ray.

    Examples
    --------
    >>> from collision import Scene, Sphere
    >>> scene = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([1.5, 0, 0], 1), "c": Sphere([9, 0, 0], 1)})
    >>> scene.colliding_pairs(), len(scene.moved("b", [5, 0, 0]).colliding_pairs())
    (array([[0, 1]]), 0)
    """

    shapes: Mapping[str, Shape]
    ignored: tuple[tuple[str, str], ...] = ()
    shows: tuple[Show, ...] = ()
    motion: tuple[Motion, ...] = ()
    camera: Camera | None = None
    title: str = ""
    caption: str = ""
    hidden: frozenset[str] = frozenset()
    expectations: tuple[Expectation, ...] = ()
    name_groups: Mapping[str, NameGroup] = _NO_GROUPS
    open: bool = False
    _elements: Elements = field(init=False, repr=False)
    _world: World = field(init=False, repr=False)

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
        expectations: Iterable[Expectation] = (),
        name_groups: Mapping[str, Any] = _NO_GROUPS,
        open: bool = False,
    ) -> None:
        given = {
            "ignored": ignored,
            "shows": shows,
            "motion": motion,
            "camera": camera,
            "title": title,
            "caption": caption,
            "hidden": hidden,
            "expectations": expectations,
            "name_groups": name_groups,
            "open": open,
        }
        defaults = Scene.__init__.__kwdefaults__ or {}  # the class has them, too
        given = {name: value for name, value in given.items() if value is not defaults.get(name)}
        parts = read_parts({"shapes": shapes, **given})
        hide = parts.pop("hidden", self.hidden)
        elements = Elements(parts["shapes"])
        self.__dict__.update(parts, _elements=elements, _world=World(elements, parts.get("ignored", ())))
        if given:
            self._check_names()
            self._hide(hide)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Scene):
            return NotImplemented
        return list(self.shapes.items()) == list(other.shapes.items()) and self._extras() == other._extras()

    def __hash__(self) -> int:
        return hash((tuple(self.shapes.items()), tuple(self._extras().values())))

    def __repr__(self) -> str:
        return written(self.shapes, self._extras())

    def _repr_html_(self) -> str | None:
        """Return what notebooks show of the scene: what an installed package offers as ``collision.notebook``."""
        from importlib.metadata import entry_points

        return next((point.load()(self) for point in entry_points(group="collision.notebook")), None)

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), **self._extras()), (dict(self.shapes),)

    @cached_property
    def _movers(self) -> Movers:
        return Movers(self._elements, self.motion)

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
        if self.expectations or self.name_groups:
            for problem in self.promised_names.problems(self.expectations):
                raise ValueError(problem.text)

    @property
    def promised_names(self) -> PromisedNames:
        """The elements that names, patterns and groups in expectations stand for."""
        return PromisedNames(self._elements, self.name_groups)

    def tested(self, a: ArrayLike, b: ArrayLike) -> BoolArray:
        """Tell which pairs (n,) of elements are tested at all: of two that are not hidden, and no pair to ignore.

        Parameters
        ----------
        a, b : array_like of int, shape (n,)
            Numbers of elements, or one of either.

        Examples
        --------
        >>> from collision import Scene, Sphere
        >>> scene = Scene({"crowd": Sphere([[0, 0, 0], [1, 0, 0], [2, 0, 0]], 1)}, ignored=[("crowd[0]", "crowd[2]")])
        >>> scene.tested([0, 0, 1, 1], [0, 1, 1, 2])
        array([False,  True, False,  True])
        """
        first, second = np.broadcast_arrays(self._numbers(a, "tested: a"), self._numbers(b, "tested: b"))
        pairs = np.stack([np.minimum(first, second), np.maximum(first, second)], axis=-1)
        kept = self._world.ignored.keeps(pairs) & (first != second)
        hidden = self._world.hidden
        return np.asarray(kept if hidden is None else kept & ~hidden[first] & ~hidden[second])

    def _numbers(self, numbers: ArrayLike, label: str) -> IntArray:
        """Return numbers of elements, and refuse any others."""
        read = np.asarray(numbers)
        if read.size and read.dtype.kind not in "iu":
            raise TypeError(f"{label} must be whole numbers, got {numbers!r}")
        outside = (read < 0) | (read >= self._elements.count)
        if outside.any():
            self._elements.name(int(read[outside][0]))  # which says what numbers there are
        return read.astype(np.intp, copy=False)

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

    def keys(self) -> KeysView[str]:
        """Return the names of the entries, in order.

        Examples
        --------
        >>> from collision import Point, Scene
        >>> list(Scene({"a": Point([0, 0, 0]), "b": Point([1, 0, 0])}).keys())
        ['a', 'b']
        """
        return self.shapes.keys()

    def items(self) -> ItemsView[str, Shape]:
        """Return the entries with their names, in order.

        Examples
        --------
        >>> from collision import Point, Scene
        >>> list(Scene({"a": Point([0, 0, 0])}).items())
        [('a', Point(position=[0.0, 0.0, 0.0]))]
        """
        return self.shapes.items()

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._elements.find(name) is not None

    def __getitem__(self, name: str) -> Shape:
        """Return an entry by its name, or an element of a batch by ``name[index]``."""
        numbers = self._elements.numbers(name)
        return self.shapes[name] if name in self._elements.shapes else self._world.shape(numbers[0])

    def _extras(self) -> dict[str, Any]:
        names = ("ignored", "shows", "motion", "camera", "title", "caption", "hidden")
        return {name: getattr(self, name) for name in (*names, "expectations", "name_groups", "open")}

    # -- elements: every single shape, numbered in scene order ------------------------------------------------------

    @property
    def element_count(self) -> int:
        """The number of single shapes in all entries."""
        return self._elements.count

    @property
    def element_names(self) -> tuple[str, ...]:
        """The names of all elements, in the order of their numbers."""
        return self._elements.names

    def element_name(self, element: int) -> str:
        """Return the name of an element: its entry's, with its index where the entry is a batch.

        Examples
        --------
        >>> from collision import Scene, Sphere
        >>> scene = Scene({"ball": Sphere([0, 0, 0], 1), "crowd": Sphere([[4, 0, 0], [8, 0, 0]], 1)})
        >>> scene.element_name(2), scene.element_names
        ('crowd[1]', ('ball', 'crowd[0]', 'crowd[1]'))
        """
        try:
            return self._elements.name(operator.index(element))
        except TypeError:
            raise TypeError(f"element_name takes a number, got {element!r}") from None

    def element_numbers(self, name: str) -> range:
        """Return the element numbers of an entry, or of a single element, as a range.

        Examples
        --------
        >>> from collision import Scene, Sphere
        >>> Scene({"crowd": Sphere([[4, 0, 0], [8, 0, 0]], 1)}).element_numbers("crowd")
        range(0, 2)
        """
        return self._elements.numbers(name)

    def element(self, number: int) -> Shape:
        """Return one element by its number, as it was given, to the last bit; by its name it is ``scene[name]``.

        Parameters
        ----------
        number : int
            From 0 to `element_count`, that one excluded.

        Examples
        --------
        >>> from collision import Scene, Sphere
        >>> Scene({"crowd": Sphere([[4, 0, 0], [8, 0, 0]], 1)}).element(1)
        Sphere(center=[8.0, 0.0, 0.0], radius=1.0)
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
        """The elements by kind, as flat batches, for drawing and for queries over the whole scene."""
        return self._world.groups

    @property
    def changes(self) -> Changes:
        """The differences from the scene that this one was made from, where only a few elements were replaced since."""
        return self._world.since_first

    @_quiet
    def bounds(self) -> AABB | None:
        """Return the tight box around everything that is finite, to rounding, or None when nothing is.

        Rays and lines count by the point they are given by, and half-spaces, which may be given by any point of their
        planes, only where there is nothing else.

        Examples
        --------
        >>> from collision import Point, Scene, Sphere
        >>> Scene({"ball": Sphere([0, 0, 0], 1), "P": Point([4, 0, 0])}).bounds()
        AABB(lower=[-1.0, -1.0, -1.0], upper=[4.0, 1.0, 1.0])
        """
        return self._world.bounds

    # -- changes: each returns a new scene that shares all that did not change ------------------------------

    def replaced(self, **changes: Any) -> Self:
        """Return the scene with some of the values that it was made of replaced.

        Parameters
        ----------
        **changes
            ``shapes``, ``ignored``, ``shows``, ``motion``, ``camera``, ``title``, ``caption``, ``hidden``,
            ``expectations``, ``name_groups``, ``open``: as for `Scene`.

        Examples
        --------
        >>> from collision import Scene, Sphere
        >>> Scene({"ball": Sphere([0, 0, 0], 1)}).replaced(title="one ball").title
        'one ball'
        """
        changes = read_parts(changes)
        if not changes.keys() & {"shapes", "ignored"}:  # the broad phase is the same
            hidden = changes.pop("hidden", self.hidden)
            scene = object.__new__(type(self))
            scene.__dict__.update(self.__dict__ | changes)
            if "motion" in changes:
                scene.__dict__.pop("_movers", None)
            scene._check_names()
            scene._hide(hidden)
            return scene
        return type(self)(**({"shapes": self.shapes} | self._extras() | changes))

    def with_shape(self, name: str, shape: Shape) -> Self:
        """Return the scene with one more entry, or with an entry or an element replaced, which keeps its number.

        ValueError is raised also if an element is to become a batch or of another kind, or a show cannot show the new
        kind.

        Parameters
        ----------
        name : str
            A new name, or that of an entry or an element.
        shape : Shape
            Of any kind and batch axes; for an element a single one of the batch's kind.

        Examples
        --------
        >>> from collision import Scene, Sphere
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
            if type(shape) is type(old) and shape.batch_shape == old.batch_shape and len(numbers) <= MAX_CHANGED:
                elements = shape.flattened() if shape.batch_shape else (shape,)
                return self._with_elements(dict(zip(numbers, elements, strict=True)))
        return self.replaced(shapes={**self.shapes, name: shape})

    def _with_elements(self, changes: Mapping[int, Shape]) -> Self:
        """Return the scene with some elements replaced by shapes of their own kinds."""
        for number, shape in changes.items():
            if shape.out_of_range:
                raise ValueError(f"shape {self.element_name(number)!r} {out_of_range(shape)}")
        world = self._world.changed(changes)
        if world is None:
            return self.replaced(shapes=ChangedShapes(self._elements, {**self._world.changes, **changes}))
        scene = object.__new__(type(self))
        scene.__dict__.update(self.__dict__, shapes=ChangedShapes(self._elements, world.changes), _world=world)
        return scene

    def moved(self, names: str | Iterable[str], offset: ArrayLike) -> Self:
        """Return the scene with an entry, or one element of it, moved by an offset; or several of them.

        Parameters
        ----------
        offset : array_like, shape (3,)
            In scene units. Coordinates are rounded once.

        Examples
        --------
        >>> from collision import Scene, Sphere
        >>> scene = Scene({"crowd": Sphere([[0, 0, 0], [4, 0, 0]], 1)})
        >>> scene.moved("crowd[1]", [0, 0, 2])["crowd[1]"].center
        array([4., 0., 2.])
        """
        step = read_vector(offset, "moved.offset")
        if step.ndim > 1:
            raise ValueError(f"moved.offset must be a single vector (3,), got shape {step.shape}")
        return self.changed(names, lambda shape: shape._shifted(step), together=True)

    def changed(self, names: str | Iterable[str], change: Callable[[Shape], Shape], *, together: bool = False) -> Self:
        """Return the scene with an entry, or one element of it, or several of them, changed by a function.

        Parameters
        ----------
        change : callable
            Takes a shape, single or a batch, and returns another of the same kind and batch axes.
        together : bool
            Whether the function does to a batch what it does to each of its elements. Then very many shapes of a kind
            are given to it as one batch, which takes far less time.

        Examples
        --------
        >>> from collision import Scene, Sphere, Transform
        >>> scene = Scene({"crowd": Sphere([[0, 0, 0], [4, 0, 0]], 1)})
        >>> scene.changed("crowd[1]", lambda ball: ball.transformed(Transform(scale=2)))["crowd"].radius
        array([1., 2.])
        """
        names = read_names(names, "names")
        numbers = {number for name in names for number in self._elements.numbers(name)}
        if len(numbers) <= MAX_CHANGED:
            return self._with_elements({n: _changed(self._world.shape(n), change) for n in numbers})
        shapes, single = dict(self.shapes), []
        for entry, indices in self._elements.by_entry(names).items():
            whole = shapes[entry]
            if together and not whole.batch_shape:
                single.append(entry)
                continue
            few = {} if indices is None else {i: _changed(whole[i], change) for i in indices}
            shapes[entry] = with_elements(whole, few) if few else _changed(whole, change)
        by_kind: dict[type[Shape], list[str]] = {}
        for entry in single:
            by_kind.setdefault(type(shapes[entry]), []).append(entry)
        for kind, entries in by_kind.items():
            shapes.update(zip(entries, _changed(joined(kind, [shapes[e] for e in entries]), change), strict=True))
        return self.replaced(shapes=shapes)

    def at(self, time: float) -> Self:
        """Return the scene at a time of its motion, a scene without motion; it costs what the moved shapes cost.

        Shapes stand where the keyframes say, each as far from where it is in this scene as they say. An `AABB` that is
        turned is refitted: it is the upright box around itself as it stands in this scene, turned. See `Motion` for
        what is between keyframes.

        Parameters
        ----------
        time : float
            When; before the first and after the last keyframe, as there.

        Examples
        --------
        >>> from collision import Motion, Scene, Sphere
        >>> move = Motion("ball", times=[0, 1], offsets=[[0, 0, 0], [3, 0, 0]])
        >>> scene = Scene({"ball": Sphere([0, 0, 0], 1), "wall": Sphere([4, 0, 0], 1)}, motion=[move])
        >>> [len(scene.at(time).colliding_pairs()) for time in (0, 0.5, 1)]
        [0, 0, 1]
        """
        when = read_number(time, "Scene.at: time")
        if not self.motion:
            return self
        still, moved = self.replaced(motion=()), posed(self._movers, self, when)
        if self._movers.count <= MAX_CHANGED:
            first = self._elements.numbers
            parts = ((first(entry)[row], there[k]) for entry, rows, there in moved for k, row in enumerate(rows))
            elements = {number: _passing(shape) for number, shape in parts}
            return still._with_elements(elements) if elements else still
        by_entry: dict[str, list[tuple[IntArray, Shape]]] = {}
        for entry, rows, there in moved:
            by_entry.setdefault(entry, []).append((rows, there))
        shapes = dict(self.shapes)
        for entry, found in by_entry.items():
            own, before = joined(type(shapes[entry]), [there for _, there in found]), shapes[entry]
            rows = np.concatenate([rows for rows, _ in found])
            shapes[entry] = _passing(with_rows(before, rows, own) if before.batch_shape else own[0])
        return still.replaced(shapes=shapes)

    @property
    def span(self) -> tuple[float, float] | None:
        """The first and the last time of the motion; None without one."""
        return span(self.motion)

    def forget(self, *, but: Self) -> None:
        """Drop the results that are kept for queries, except those that another scene shares, to keep very many scenes.

        Parameters
        ----------
        but : Scene
            The other scene.

        Examples
        --------
        >>> from collision import Scene, Sphere
        >>> before = Scene({"a": Sphere([0, 0, 0], 1)})
        >>> before.forget(but=before.moved("a", [5, 0, 0]))
        """
        self._world.forget(check_scene(but, "forget")._world)
        if isinstance(self.shapes, ChangedShapes):
            self.shapes.forget()

    def ignoring(self, *pairs: tuple[str, str]) -> Self:
        """Return the scene with more pairs that are never reported.

        Parameters
        ----------
        *pairs : tuple of 2 str
            As for `Scene`; they come after those that are ignored already.

        Examples
        --------
        >>> from collision import Scene, Sphere
        >>> scene = Scene({"arm": Sphere([0, 0, 0], 1), "hand": Sphere([1, 0, 0], 1)})
        >>> len(scene.colliding_pairs()), len(scene.ignoring(("arm", "hand")).colliding_pairs())
        (1, 0)
        """
        return self.replaced(ignored=(*self.ignored, *pairs))

    # -- entries that go, or get another name: all that a scene says of them follows --------------------------------

    def without(self, *names: str) -> Self:
        """Return the scene without some entries or elements; shows, motions, promises and ignored pairs go with them.

        So do patterns that stand for nothing any more. The elements of a batch close the gap: what follows ``crowd[2]``
        is counted anew from there, and shows, motions and ignored pairs follow. With its last element an entry goes.
        ValueError is raised for an element of a batch with several axes, which would be no grid without it.

        Examples
        --------
        >>> from collision import Scene, Sphere
        >>> scene = Scene({"crowd": Sphere([[0, 0, 0], [4, 0, 0], [8, 0, 0]], 1)}, hidden=["crowd[2]"])
        >>> scene.without("crowd[1]").hidden
        frozenset({'crowd[1]'})
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

    def renamed(self, old: str, new: str) -> Self:
        """Return the scene with an entry under another name; its position, shows, motions, promises and pairs follow.

        A pattern that covered the old name and does not cover the new one gets the new name beside it, so that no pair
        is reported that was ignored before; where it covers nothing else, the new name takes its place. What a pattern
        covers by the new name is covered from then on. Of promises, those of pairs that stay apart are doubled so;
        others keep the pattern as long as it covers anything.

        Parameters
        ----------
        old : str
            The name of an entry.
        new : str
            A name that no other entry has.

        Examples
        --------
        >>> from collision import Point, Scene
        >>> scene = Scene({"arm left": Point([0, 0, 0]), "body": Point([0, 0, 0])}, ignored=[("arm*", "body")])
        >>> scene.renamed("arm left", "wing").ignored
        (('wing', 'body'),)
        """
        if old not in self.shapes:
            raise KeyError(f"there is no shape named {old!r} in the scene")
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

    def _followed(self, shapes: Mapping[str, Shape], follow: Callable[[str], tuple[str, ...]]) -> Self:
        """Return the scene with other shapes; `follow` gives the new names for each, none where it is gone."""
        shows = [(show, follow(show.a), follow(show.b) if show.b else ("",)) for show in self.shows]
        motion = [motion.of(name) for motion in self.motion for name in follow(motion.shape)]
        # What is promised of a time is about no time any more, once nothing moves.
        promises = [one for one in self.expectations if motion or not self.motion or not one.timed]
        return self.replaced(
            shapes=shapes,
            shows=[replace(show, a=a, b=b) for show, names_a, names_b in shows for a, b in product(names_a, names_b)],
            ignored=[pair for a, b in self.ignored for pair in _pairs(follow(a), follow(b))],
            motion=motion,
            hidden=[new for name in self.hidden for new in follow(name)],
            **followed_promises(shapes, promises, self.name_groups, follow),
        )

    # -- queries: the class says what is true of all of them ---------------------------------------------------------

    def colliding_pairs(self) -> IntArray:
        """Return the pairs (k, 2) of elements that intersect.

        Candidates come from a bounding volume hierarchy over a space-filling curve (Lauterbach et al., *Fast BVH
        Construction on GPUs*, 2009), with boxes that are widened by what rounding takes and gives, so that no touch is
        lost.

        Examples
        --------
        >>> from collision import Scene, Sphere
        >>> Scene({"crowd": Sphere([[0, 0, 0], [1, 0, 0], [5, 0, 0]], 1)}).colliding_pairs()
        array([[0, 1]])
        """
        return self._world.touching().copy()

    def pairs_of(self, shape: str | Shape) -> IntArray:
        """Return the pairs (k, 2) of `colliding_pairs` that a shape has a part in.

        After a move it costs what the moved elements cost, however many others there are. A shape that is not in the
        scene comes first in its pairs, as in `contacts`.

        Examples
        --------
        >>> from collision import Scene, Sphere
        >>> Scene({"crowd": Sphere([[0, 0, 0], [5, 0, 0], [6, 0, 0]], 1)}).pairs_of(Sphere([7.5, 0, 0], 1))
        array([[-1,  2]])
        """
        if isinstance(shape, Shape):
            return self.contacts(of=shape).pairs.copy()
        return self._world.touching_of(self.element_numbers(shape))

    def contacts(self, *, margin: float = 0.0, of: str | Shape | None = None) -> Contacts:
        """Return distance, points and normal of every pair that touches or is no more than a margin apart.

        Parameters
        ----------
        of : str or Shape, optional
            Only the pairs that this shape has a part in, at the cost of what it is near to. One that is not in the
            scene comes first in its pairs, with the number -1, or of a batch its number in C order.

        Examples
        --------
        >>> from collision import Point, Scene, Sphere
        >>> scene = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([5, 0, 0], 1)})
        >>> found = scene.contacts(of=Point([2, 0, 0]), margin=1)
        >>> found.pairs, found.signed_distance
        (array([[-1,  0]]), array([1.]))
        """
        margin = read_margin(margin, "contacts")
        if isinstance(of, Shape):
            found = self._world.near_to(of.flattened(), margin)
            if not of.batch_shape:
                found.pairs[:, 0] = -1
            return found
        return self._world.near(margin) if of is None else self._world.near_of(self.element_numbers(of), margin)

    def first_contacts(self, most: int, *, margin: float = 0.0) -> FirstContacts:
        """Return the first contacts, and how many there are, as `FirstContacts`, in little memory however many that is.

        A MemoryError is raised if not even the numbers of the pairs whose bounds overlap fit into memory.

        Parameters
        ----------
        most : int
            How many at most, zero or more.

        Examples
        --------
        >>> from collision import Scene, Sphere
        >>> found = Scene({"heap": Sphere([[0, 0, 0]] * 100, 1)}).first_contacts(2)
        >>> len(found.contacts), found.total
        (2, 4950)
        """
        left, margin = read_whole(most, "first_contacts: most"), read_margin(margin, "first_contacts")
        world, parts, total, touches = self._world, [Contacts.none()], 0, 0
        for found in self._contacts_among(world.candidates(margin), margin):
            total += len(found)
            touches += int(np.count_nonzero(found.only_touching))
            if left > 0:
                parts.append(found.take(slice(left)))
                left -= len(parts[-1])
        contacts = Contacts._joined(parts)
        colliding = world.keys(touching(world.rows, contacts.pairs))
        return FirstContacts(contacts, np.isin(world.keys(contacts.pairs), colliding), total, touches)

    def has_contact(self, *, margin: float = 0.0, touching: bool = True) -> bool:
        """Tell whether any pair touches or is no more than a margin apart; the search ends with the first that is.

        Parameters
        ----------
        touching : bool
            Whether pairs count that touch and no more, as `Contacts.only_touching` says.

        Examples
        --------
        >>> from collision import Scene, Sphere
        >>> scene = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([5, 0, 0], 1)})
        >>> scene.has_contact(), scene.has_contact(margin=3)
        (False, True)
        """
        margin, world = read_margin(margin, "has_contact"), self._world

        def any_among(pairs: IntArray) -> bool:
            return any(
                (touching and len(one)) or not one.only_touching.all() for one in self._contacts_among(pairs, margin)
            )

        # Where many pairs touch, few are looked at.
        return any_among(world.candidates_at_rest(margin, some=True)) or any_among(world.candidates(margin))

    def _contacts_among(self, pairs: IntArray, margin: float) -> Iterator[Contacts]:
        """Yield the contacts among some candidates, block by block."""
        for start in range(0, len(pairs), _BLOCK):
            yield self._world.near_among(pairs[start : start + _BLOCK], margin)

    @_quiet
    def contacts_with(self, other: Scene, *, margin: float = 0.0) -> Contacts:
        """Return distance, points and normal of every element of this scene and one of another that touch or are near.

        The first element of a pair is of this scene, the second of the other. Pairs that one of the scenes ignores are
        of its elements alone, so none is ignored here.

        Parameters
        ----------
        other : Scene
            The other one; it may be the same.

        Examples
        --------
        >>> from collision import AABB, Scene, Sphere
        >>> robot, hall = Scene({"hand": Sphere([0, 0, 1], 1)}), Scene({"floor": AABB([-9, -9, -1], [9, 9, 0.25])})
        >>> robot.contacts_with(hall).depth
        array([0.25])
        """
        check_scene(other, "contacts_with")
        margin, found = read_margin(margin, "contacts_with"), [Contacts.none()]
        spaces = half_spaces(other._elements)
        for members in self._world.groups:
            part = other._world.near_to(members.shape, margin)
            if isinstance(members.shape, HalfSpace):
                part = part.take(~spaces[part.pairs[:, 1]])
            part.pairs[:, 0] = members.elements[part.pairs[:, 0]]
            found.append(part)
        joined = Contacts._joined(found)
        return joined.take(np.lexsort((joined.pairs[:, 1], joined.pairs[:, 0])))

    @_quiet
    def nearest(self, shape: str | Shape, *, k: int | None = None, without: str | Iterable[str] = ()) -> Nearest | None:
        """Return the element nearest to a shape (the deepest, among those that overlap it); None if there is none.

        For a batch, or with `k`, the answer is a `Nearest` of arrays, with -1, no name and NaN where there is none. The
        search is branch and bound in a bounding volume hierarchy (Hjaltason and Samet, *Distance Browsing in Spatial
        Databases*, 1999).

        Parameters
        ----------
        k : int, optional
            How many of the nearest, one or more, along a further axis of the answer, the nearest first.

        Examples
        --------
        >>> from collision import Point, Scene, Sphere
        >>> scene = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([5, 0, 0], 1)})
        >>> scene.nearest("a").name, scene.nearest(Point([3, 0, 0]), without="b").name
        ('b', 'a')
        >>> scene.nearest(Point([2, 0, 0]), k=3).signed_distance
        array([ 1.,  2., nan])
        """
        query = self._query_shapes(shape)
        if k is None and not query.batch_shape:
            best = self.nearest_element(shape, without=without)
            if best is None:
                return None
            own = shape if isinstance(shape, Shape) else self._world.shape(self.element_numbers(shape)[0])
            points = closest_points(own, self.element(best))
            return Nearest(best, points.signed_distance, self.element_name(best), points)
        return _nearest_of(
            self._leaving_out(without), query, None if k is None else read_whole(k, "nearest: k", least=1)
        )

    def nearest_element(self, shape: str | Shape, *, without: str | Iterable[str] = ()) -> int | None:
        """Return the number of the element that `nearest` finds for a single shape; None if there is none.

        Examples
        --------
        >>> from collision import Scene, Sphere
        >>> scene = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([5, 0, 0], 1)})
        >>> scene.nearest_element("a")
        1
        """
        if isinstance(shape, Shape):
            if shape.batch_shape:
                axes = " by ".join(map(str, shape.batch_shape))
                raise ValueError(f"nearest_element takes a single shape, got a batch of {axes}; ask for each of them")
        elif len(numbers := self.element_numbers(shape)) != 1:
            hint = f"; name one of them, such as {self.element_name(numbers[0])!r}" if numbers else ""
            raise ValueError(f"nearest_element: {shape!r} is a batch of {len(numbers)} elements{hint}")
        found = int(_nearest_of(self._leaving_out(without), self._query_shapes(shape), 1).element[0])
        return None if found < 0 else found

    @_quiet
    def sweep(
        self,
        shape: str | Shape,
        *,
        motion: ArrayLike | None = None,
        start: Transform | None = None,
        end: Transform | None = None,
        pivot: ArrayLike | None = None,
        without: str | Iterable[str] = (),
    ) -> SceneSweep:
        """Return the first element that a shape touches when it moves, turning or not, while all others rest.

        What is in touch at the start is the first, at fraction 0, also if the shape moves away from it. Of a batch each
        moves alone, while the others rest where they are. Numbers, method and errors are those of `collision.sweep`.

        Parameters
        ----------
        motion : array_like, shape (..., 3), optional
            The whole way that it goes, straight on.
        start, end : Transform, optional
            Its placements, instead of a motion: from where and to where it goes and turns.
        pivot : array_like, shape (..., 3), optional
            The point of it that goes straight and that it turns about; the origin of its coordinates without it.

        Examples
        --------
        >>> from collision import Scene, Sphere
        >>> scene = Scene({"ball": Sphere([0, 0, 0], 1), "near": Sphere([6, 0, 0], 1), "far": Sphere([12, 0, 0], 1)})
        >>> hit = scene.sweep("ball", motion=[8, 0, 0])
        >>> hit.name, hit.fraction, hit.point
        ('near', 0.5, array([5., 0., 0.]))
        """
        from collision.scene.sweeps import first_swept, read_way  # and with it all that turns

        moving = self._query_shapes(shape)
        return first_swept(self._leaving_out(without), moving, *read_way(moving, motion, start, end, pivot))

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

        A ray that starts inside an element, or on its surface, hits it at once, whichever way it goes. The walk through
        the bounding volume hierarchy goes from near to far; boxes are tested as slabs (Kay and Kajiya, "Ray tracing
        complex scenes", 1986).

        Parameters
        ----------
        any_hit : bool
            Whether any element will do that is hit, in place of the first: for questions such as whether one place is
            seen from another, which this answers sooner. Which of several it is, is not said.

        Examples
        --------
        >>> from collision import Ray, Scene, Sphere
        >>> scene = Scene({"near": Sphere([2, 0, 0], 1), "far": Sphere([5, 0, 0], 1)})
        >>> hit = scene.raycast(Ray([0, 0, 0], [1, 0, 0]))
        >>> hit.name, hit.enter
        ('near', 1.0)
        >>> scene.raycast(Ray([0, 0, 0], [1, 0, 0]), max_distance=0.5, any_hit=True).hit  # is anything between?
        False
        """
        world = self._leaving_out(without)
        lead = _check_ray(ray, "Scene.raycast").batch_shape
        if not isinstance(any_hit, (bool, np.bool_)):
            raise TypeError(f"Scene.raycast: any_hit must be True or False, got {any_hit!r}")
        rays, limits = SceneRows(core_rows([ray])), read_limits(max_distance, lead, "Scene.raycast").ravel()
        element, hits = first_hits(rays, limits, world.memory, bool(any_hit))
        if not lead:
            number = int(element[0])
            name = self.element_name(number) if number >= 0 else ""
            return SceneHit(number, name, float(hits.enter[0]), hits.point[0], hits.normal[0])
        names, vectors = self._elements.names_of(element), (hits.point.reshape(*lead, 3), hits.normal.reshape(*lead, 3))
        return SceneHit(element.reshape(lead), names.reshape(lead), hits.enter.reshape(lead), *vectors)

    @_quiet
    def raycast_all(
        self, ray: Ray, *, max_distance: ArrayLike = np.inf, without: str | Iterable[str] = ()
    ) -> SceneHits:
        """Return all elements that each of one or many rays hits, in order along each.

        Examples
        --------
        >>> from collision import Ray, Scene, Sphere
        >>> scene = Scene({"far": Sphere([5, 0, 0], 1), "near": Sphere([2, 0, 0], 1)})
        >>> scene.raycast_all(Ray([0, 0, 0], [1, 0, 0])).name
        array(['near', 'far'], dtype=object)
        """
        world = self._leaving_out(without)
        rays = _check_ray(ray, "Scene.raycast_all").flattened()
        limits = read_limits(max_distance, ray.batch_shape, "Scene.raycast_all").ravel()
        pairs = world.met_by(volumes_of(rays), 0.0)
        which, element = pairs.T
        enter, leave, point, normal = hits_of_pairs(SceneRows(core_rows([rays])), limits, world.rows, pairs)
        kept = np.flatnonzero(~np.isnan(enter))
        kept = kept[np.lexsort((element[kept], enter[kept], which[kept]))]
        return SceneHits(
            which[kept],
            element[kept],
            enter[kept],
            leave[kept],
            point[kept],
            normal[kept],
            self._elements.names_of(element[kept]),
        )

    def _query_shapes(self, shape: str | Shape) -> QueryShapes:
        if isinstance(shape, Shape):
            return QueryShapes.outside(shape)
        return QueryShapes.elements(self._world, self.element_numbers(shape), self[shape])

    def _leaving_out(self, names: str | Iterable[str]) -> World:
        """Return the world without some entries and elements."""
        if type(names) is tuple and not names:
            return self._world
        listed = [n for name in read_names(names, "without") for n in self.element_numbers(name)]
        return self._world.leaving_out(listed) if listed else self._world


def world_of(scene: Scene) -> World:
    """Return what queries over a whole scene work on, for what asks more of its pairs than a scene has methods for."""
    return scene._world


def movers_of(scene: Scene) -> Movers:
    """Return which elements of a scene move, and how."""
    return scene._movers


def check_scene(scene: object, query: str) -> Scene:
    """Return a scene, and refuse any other object."""
    if not isinstance(scene, Scene):
        raise TypeError(f"{query} takes a Scene, got {type(scene).__name__}")
    return scene


def _passing(shape: Shape) -> Shape:
    """Return a shape on its way, refused only if too large: a point that goes through the origin is near it once."""
    if shape.out_of_range and not (shape._out_of_range()[1] > LARGEST).any():
        shape.__dict__["out_of_range"] = False
    return shape


def _changed(shape: Shape, change: Callable[[Shape], Shape]) -> Shape:
    """Return what a function makes of a shape, which must be of the same kind and batch axes."""
    new = change(shape)
    if type(new) is not type(shape) or new.batch_shape != shape.batch_shape:
        got = f"{type(new).__name__} with batch axes {new.batch_shape}" if isinstance(new, Shape) else repr(new)
        wanted = f"a {type(shape).__name__} with batch axes {shape.batch_shape}"
        raise ValueError(f"changed: the function must make {wanted} of such a one, got {got}")
    return new


def _pairs(first: Iterable[str], second: Iterable[str]) -> list[tuple[str, str]]:
    """Return all pairs of some names with others; of one and the same the other way round, the first."""
    found: dict[frozenset[str], tuple[str, str]] = {}
    for pair in product(first, second):
        found.setdefault(frozenset(pair), pair)
    return list(found.values())


def _nearest_of(world: World, query: QueryShapes, most: int | None) -> Nearest:
    """Return the nearest element to each of some shapes, or so many of the nearest along a further axis."""
    count, shapes = len(query.shapes), SceneRows(core_rows([query.shapes]))
    number, gap = nearest(shapes, query.numbers, most or 1, world.memory, world.ignored)
    number[query.hidden], gap[query.hidden] = -1, np.nan
    axes = query.batch_shape if most is None else (*query.batch_shape, most)

    rows, flat = np.repeat(np.arange(count), most or 1), number.ravel()
    given, vectors = np.flatnonzero(flat >= 0), np.full((3, number.size, 3), np.nan)
    found = records(shapes, world.rows, np.stack([rows[given], flat[given]], axis=1))
    vectors[:, given] = found.on_a, found.on_b, found.normal
    number, gap = number.reshape(axes), gap.reshape(axes)
    points = ClosestPoints(gap, *vectors.reshape(3, *axes, 3))
    return Nearest(number, gap, world.elements.names_of(number), points)


def _check_ray(ray: object, query: str) -> Ray:
    """Return a ray, and refuse any other object."""
    if not isinstance(ray, Ray):
        raise TypeError(f"{query} takes a Ray, got {type(ray).__name__}")
    return ray
