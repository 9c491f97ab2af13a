"""What all of a scene rests on: a mapping of names to shapes, and its elements, numbered in scene order."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from collision.base.cached import cached_property
from collision.base.fields import ArrayLike, BoolArray, IntArray
from collision.scene.answers import Changes
from collision.scene.elements import Elements, Group
from collision.scene.expectations import Expectation
from collision.scene.movers import Movers
from collision.scene.name_groups import NameGroup, read_groups
from collision.scene.promised import PromisedNames
from collision.scene.shows import Camera, Show
from collision.scene.world import World
from collision.shapes.kinds import AABB, Shape
from collision.shapes.motion import Motion

#: Near the largest number there may be no answer.
_quiet = np.errstate(over="ignore", invalid="ignore")


class Parts:
    """The shapes of a scene by name and by number, and the checks that names stand for something."""

    shapes: Mapping[str, Shape]
    ignored: tuple[tuple[str, str], ...]
    shows: tuple[Show, ...]
    motion: tuple[Motion, ...]
    camera: Camera | None
    title: str
    caption: str
    hidden: frozenset[str]
    expectations: tuple[Expectation, ...]
    name_groups: Mapping[str, NameGroup]
    open: bool
    _elements: Elements
    _world: World

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
        """What names, patterns and groups in expectations stand for."""
        return PromisedNames(self._elements, self.name_groups)

    def tested(self, a: ArrayLike, b: ArrayLike) -> BoolArray:
        """Tell which pairs of elements are tested at all: of two that are not hidden, and no pair to ignore.

        Parameters
        ----------
        a, b : array_like of int, shape (n,)
            Numbers of elements, or one of either.

        Returns
        -------
        ndarray of bool, shape (n,)

        Raises
        ------
        TypeError
            If these are no whole numbers.
        IndexError
            If there is no element of a number.

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

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._elements.find(name) is not None

    def __getitem__(self, name: str) -> Shape:
        """Return an entry by its name, or an element of a batch by ``name[index]``."""
        numbers = self._elements.numbers(name)
        return self.shapes[name] if name in self._elements.shapes else self._world.shape(numbers[0])

    def _extras(self) -> dict[str, Any]:
        names = ("ignored", "shows", "motion", "camera", "title", "caption", "hidden")
        return {name: getattr(self, name) for name in (*names, "expectations", "name_groups", "open")}

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
        >>> from collision import Scene, Sphere
        >>> Scene({"ball": Sphere([0, 0, 0], 1), "crowd": Sphere([[4, 0, 0], [8, 0, 0]], 1)}).element_names
        ('ball', 'crowd[0]', 'crowd[1]')
        """
        return self._elements.names

    def element_name(self, element: int) -> str:
        """Return the name of an element: its entry's, with its index where the entry is a batch.

        Parameters
        ----------
        element : int
            Its number.

        Returns
        -------
        str

        Raises
        ------
        TypeError
            If that is no whole number.
        IndexError
            If there is no element of this number.

        Examples
        --------
        >>> from collision import Scene, Sphere
        >>> Scene({"ball": Sphere([0, 0, 0], 1), "crowd": Sphere([[4, 0, 0], [8, 0, 0]], 1)}).element_name(2)
        'crowd[1]'
        """
        try:
            return self._elements.name(operator.index(element))
        except TypeError:
            raise TypeError(f"element_name takes a number, got {element!r}") from None

    def element_numbers(self, name: str) -> range:
        """Return the element numbers of an entry, or of a single element.

        Parameters
        ----------
        name : str
            Of an entry, or as ``crowd[17]`` of an element.

        Returns
        -------
        range
            Of one number for a single shape, of as many as a batch has elements.

        Raises
        ------
        KeyError
            If there is no such shape.

        Examples
        --------
        >>> from collision import Scene, Sphere
        >>> Scene({"ball": Sphere([0, 0, 0], 1), "crowd": Sphere([[4, 0, 0], [8, 0, 0]], 1)}).element_numbers("crowd")
        range(1, 3)
        """
        return self._elements.numbers(name)

    def element(self, number: int) -> Shape:
        """Return one element by its number; by its name it is ``scene[name]``.

        Parameters
        ----------
        number : int
            From 0 to `element_count`, that one excluded.

        Returns
        -------
        Shape
            A single one, as it was given, to the last bit.

        Raises
        ------
        TypeError
            If that is no number.
        IndexError
            If there is no element of this number.

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

        Returns
        -------
        AABB or None
            The tight box around all elements that are not hidden, to rounding: see `Shape.bounds`.

        Raises
        ------
        ValueError
            If a corner would be too large for a number.

        Examples
        --------
        >>> from collision import Point, Scene, Sphere
        >>> Scene({"ball": Sphere([0, 0, 0], 1), "P": Point([4, 0, 0])}).bounds()
        AABB(lower=[-1.0, -1.0, -1.0], upper=[4.0, 1.0, 1.0])
        """
        return self._world.bounds


# -- what a scene is made of: each part read and checked once, with an error that names it ---------------------------

#: So many entries are written out where a scene is shown as text.
_SHOWN = 8


def read_parts(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return parts of a scene as they are kept, by name.

    Raises
    ------
    TypeError
        If there is no part of some name, or a part is of another type.
    ValueError
        If a pair to ignore is no pair of names.
    """
    for name in [name for name in given if name not in _READERS]:
        import difflib

        near = difflib.get_close_matches(name, _READERS, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(_READERS)}"
        raise TypeError(f"a scene has no {name!r}; {hint}")
    return {name: _READERS[name](value) for name, value in given.items()}


def read_names(value: str | Iterable[str], label: str) -> list[str]:
    """Return names, of which there may be a single one that stands for itself."""
    if isinstance(value, str):
        return [value]
    if not isinstance(value, Iterable):
        raise TypeError(f"{label} must be a name or names, got {type(value).__name__}")
    return list(value)


def written(shapes: Mapping[str, Shape], extras: Mapping[str, Any]) -> str:
    """Return the text of a scene: its first entries, and all else of it that there is."""
    few = [f"{name!r}: {shapes[name]!r}" for name, _ in zip(shapes, range(_SHOWN), strict=False)]
    more = [f"... {len(shapes) - _SHOWN:,} more"] if len(shapes) > _SHOWN else []
    parts = [f"{name}={value!r}" for name, value in extras.items() if value]
    return f"Scene({', '.join(['{' + ', '.join(few + more) + '}', *parts])})"


def read_shapes(value: Any) -> Mapping[str, Shape]:
    """Return the shapes of a scene by name, in a mapping of its own."""
    if type(value) is not dict and not isinstance(value, Mapping):
        such = "such as {'ball': Sphere([0, 0, 0], 1)}"
        raise TypeError(f"Scene takes a mapping of names to shapes, {such}, got {type(value).__name__}")
    return MappingProxyType(dict(value))


def _read_pairs(value: Any) -> tuple[tuple[str, str], ...]:
    wrong = f"ignored must be pairs of names, such as ('arm*', 'torso'), got {value!r}"
    if not isinstance(value, Iterable):
        raise TypeError(wrong)
    if isinstance(value, tuple) and len(value) == 2 and all(isinstance(name, str) for name in value):
        raise ValueError(f"{wrong}; one pair alone stands in a list: [{value!r}]")
    return tuple(map(_read_pair, value))


def _read_pair(pair: Any) -> tuple[str, str]:
    if not isinstance(pair, tuple | list) or len(pair) != 2 or not all(isinstance(name, str) and name for name in pair):
        raise ValueError(f"ignored must be pairs of names, such as ('arm*', 'torso'), got {pair!r}")
    return pair[0], pair[1]


def _many(name: str, kind: type[Any]) -> Callable[[Any], tuple[Any, ...]]:
    def read(value: Any) -> tuple[Any, ...]:
        if isinstance(value, kind) or not isinstance(value, Iterable):
            hint = f"; one alone stands in a list: {name}=[...]" if isinstance(value, kind) else ""
            raise TypeError(f"{name} must be a list of {kind.__name__}, got {type(value).__name__}{hint}")
        found = tuple(value)
        for item in found:
            if not isinstance(item, kind):
                raise TypeError(f"{name} must be made of {kind.__name__}, got {type(item).__name__}")
        return found

    return read


def _read_camera(value: Any) -> Camera | None:
    if value is not None and not isinstance(value, Camera):
        raise TypeError(f"camera must be a Camera or None, got {type(value).__name__}")
    return value


def _text(name: str) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if not isinstance(value, str):
            raise TypeError(f"{name} must be text, got {type(value).__name__}")
        return value

    return read


def _read_open(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"open must be True or False, got {value!r}")
    return value


#: How each part is read, in the order in which they are written out.
_READERS: Mapping[str, Callable[[Any], Any]] = {
    "shapes": read_shapes,
    "ignored": _read_pairs,
    "shows": _many("shows", Show),
    "motion": _many("motion", Motion),
    "camera": _read_camera,
    "title": _text("title"),
    "caption": _text("caption"),
    "hidden": lambda value: frozenset(read_names(value, "hidden")),
    "expectations": _many("expectations", Expectation),
    "name_groups": read_groups,
    "open": _read_open,
}
