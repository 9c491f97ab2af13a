"""The elements of a scene: every single shape in its entries, numbered in scene order and named.

An entry without batch axes is one element of the same name; an entry that is a batch holds one for each index, named
``crowd[17]`` or ``grid[2,3]``. Queries over a whole scene work on elements by kind, as flat batches.
"""

from __future__ import annotations

import difflib
import math
import operator
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple, TypeAlias

import numpy as np

from collision.cached import cached_property
from collision.fields import BoolArray, FloatArray, IntArray
from collision.native import INTEGERS, address
from collision.separation import BOUNDS
from collision.shape import no_shape
from collision.shapes import KINDS, Shape

#: Of so many elements the shapes are kept, once they were asked for.
MANY = 256

#: Names of elements: an array of str, each kept as the object that it is.
Names: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.object_]]

_INDEXED = re.compile(r"(.*)\[(\d+(?:,\s*\d+)*)\]", re.DOTALL)

#: What no name has in it, as it is no sign of a line: control characters, and the line ends of Unicode.
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


@lru_cache(1024)
def _parsed(name: str) -> tuple[str, tuple[int, ...]]:
    """Take the name of an element apart; without a name where it cannot be one."""
    match = _INDEXED.fullmatch(name)
    return (match[1], tuple(map(int, match[2].split(",")))) if match else ("", ())


class Group(NamedTuple):
    """All elements of one kind: their numbers in the scene, and the shapes as one flat batch."""

    elements: IntArray
    shape: Shape


class Placed(NamedTuple):
    """For every element its group and its row in it (n, 2), and the corners of its bounds, infinite without an end."""

    places: IntArray
    lower: FloatArray
    upper: FloatArray


class Elements:
    """Names, numbers and flat batches of the elements of a mapping of shapes.

    Parameters
    ----------
    shapes : mapping of str to Shape
        The entries, in order.

    Raises
    ------
    TypeError
        If an entry is no shape.
    ValueError
        If a name cannot be one.

    Examples
    --------
    >>> from collision import Point, Sphere
    >>> elements = Elements({"P": Point([0, 0, 0]), "crowd": Sphere([[1, 0, 0], [2, 0, 0]], 0.5)})
    >>> elements.count, elements.name(2), elements.numbers("crowd")
    (3, 'crowd[1]', range(1, 3))
    """

    def __init__(self, shapes: Mapping[str, Shape]) -> None:
        for name, shape in shapes.items():
            check_name(name)
            if not isinstance(shape, Shape):
                raise TypeError(f"scene entry {name!r} must be a shape, got {no_shape(shape)}")
        self.shapes = shapes
        self._entries = tuple(shapes)
        self._starts = (0, *accumulate(size(shape) for shape in shapes.values()))
        #: The number of elements in all entries.
        self.count: int = self._starts[-1]
        #: The names that were asked for, and the numbers of names; and of the shapes those asked for last.
        self._known: dict[int, str] = {}
        self._numbers: dict[str, range] = {}
        self._shapes: dict[int, Shape] = {}

    def find(self, name: str) -> tuple[str, tuple[int, ...] | None] | None:
        """Resolve a name to an entry and, for an element of a batch, its index; None where it names nothing."""
        if not isinstance(name, str):
            return None
        if name in self.shapes:
            return name, None
        entry, index = _parsed(name)
        if entry not in self.shapes:
            return None
        axes = self.shapes[entry].batch_shape
        return (entry, index) if len(index) == len(axes) and all(map(operator.lt, index, axes)) else None

    def name(self, element: int) -> str:
        """Return the name of an element: its entry's, with its index where the entry is a batch."""
        known = self._known.get(element)
        if known is not None:
            return known
        if not 0 <= element < self.count:
            has = f"elements 0 to {self.count - 1}" if self.count else "no elements"
            raise IndexError(f"the scene has {has}, got {element}")
        name, index = self.locate(element)
        known = self._known[element] = name if index is None else f"{name}[{','.join(map(str, index))}]"
        return known

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of all elements."""
        return tuple(map(self.name, range(self.count)))

    def names_of(self, numbers: IntArray) -> Names:
        """Return the names of elements given by numbers, of any shape; empty for -1."""
        asked = np.zeros(self.count + 1, dtype=bool)  # many numbers name few elements
        asked[numbers] = True
        names = np.full(self.count + 1, "", dtype=object)
        for number in np.flatnonzero(asked[:-1]).tolist():
            names[number] = self.name(number)
        return np.asarray(names[numbers])

    def locate(self, element: int) -> tuple[str, tuple[int, ...] | None]:
        """Return an element's entry and, where that is a batch, its index."""
        entry = bisect_right(self._starts, element) - 1
        name = self._entries[entry]
        axes = self.shapes[name].batch_shape
        if not axes:
            return name, None
        inner = element - self._starts[entry]
        # NumPy's way to the indices takes long for a single one.
        return name, (int(inner),) if len(axes) == 1 else tuple(int(i) for i in np.unravel_index(inner, axes))

    def numbers(self, name: str) -> range:
        """Return the numbers of an entry's elements, or of one element."""
        known = self._numbers.get(name) if isinstance(name, str) else None
        if known is None:
            found = self.find(name)
            if found is None:
                raise KeyError(f"there is no shape named {name!r} in the scene")
            known = self._numbers[name] = self.numbers_at(*found)
        return known

    def numbers_at(self, entry: str, index: tuple[int, ...] | None) -> range:
        """Return the numbers of an entry's elements, or of the one at an index."""
        position = self._positions[entry]
        start = self._starts[position]
        if index is None:
            return range(start, self._starts[position + 1])
        inner = 0
        for i, n in zip(index, self.shapes[entry].batch_shape, strict=True):
            inner = inner * n + i
        return range(start + inner, start + inner + 1)

    def by_entry(self, names: Iterable[str]) -> dict[str, list[tuple[int, ...]] | None]:
        """Return the entries of some names, with the indices of their elements; None for an entry as a whole."""
        found: dict[str, list[tuple[int, ...]] | None] = {}
        for name in names:
            place = self.find(name)
            if place is None:
                raise KeyError(f"there is no shape named {name!r} in the scene")
            entry, index = place
            indices = found.setdefault(entry, [])
            if index is None:
                found[entry] = None
            elif indices is not None:
                indices.append(index)
        return found

    def without(self, names: Iterable[str]) -> dict[str, IntArray | None]:
        """Return the entries that are left without some names, and of a batch the rows left; None for all of it."""
        gone = self.by_entry(names)
        left: dict[str, IntArray | None] = {}
        for entry, shape in self.shapes.items():
            indices = gone.get(entry, [])
            if not indices:
                if indices is not None:
                    left[entry] = None
                continue
            if len(shape.batch_shape) > 1:
                raise ValueError(
                    f"{entry!r} is a grid of {' by '.join(map(str, shape.batch_shape))} elements: "
                    "none can be taken out of it, only the whole of it"
                )
            rows = np.setdiff1d(np.arange(len(shape)), np.array(indices))
            if len(rows):
                left[entry] = rows
        return left

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {name: position for position, name in enumerate(self._entries)}

    def forget(self) -> None:
        """Drop what was worked out of the shapes; asked again, it is worked out again."""
        for name in {"groups", "placed"} & self.__dict__.keys():
            del self.__dict__[name]
        self._shapes.clear()

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The elements by kind, kinds in the order of `KINDS`."""
        found: dict[type[Shape], tuple[list[IntArray], list[Shape]]] = {}
        for shape, start, end in zip(self.shapes.values(), self._starts, self._starts[1:], strict=False):
            if end > start:
                numbers, shapes = found.setdefault(type(shape), ([], []))
                numbers.append(np.arange(start, end))
                shapes.append(shape)
        present = ((kind, *found[kind]) for kind in KINDS if kind in found)
        return tuple(Group(_concatenated(numbers), joined(kind, shapes)) for kind, numbers, shapes in present)

    @cached_property
    def placed(self) -> Placed:
        """Where every element is: in which group, and in which box."""
        places = np.empty((self.count, 2), dtype=np.int64)
        lower, upper = np.empty((self.count, 3)), np.empty((self.count, 3))
        out = [address(array) for array in (lower, upper, places)]
        for number, (elements, shape) in enumerate(self.groups):
            BOUNDS[shape.rank].run(len(elements), *shape.operands, address(elements), number, *out)
        return Placed(places, lower, upper)

    def changed_groups(self, changes: Mapping[int, Shape]) -> tuple[Group, ...]:
        """Return the groups with some elements replaced by shapes of their own kinds."""
        places = {element: self.placed.places[element].tolist() for element in changes}
        groups = list(self.groups)
        for number in {group for group, _ in places.values()}:
            members = groups[number]
            values = {name: value.copy() for name, value in members.shape.values().items()}
            for element, (group, row) in places.items():
                if group == number:
                    for name, value in changes[element].values().items():
                        values[name][row] = value
            for value in values.values():
                value.flags.writeable = False
            groups[number] = Group(members.elements, type(members.shape)._sharing(values, members.shape.batch_shape))
        return tuple(groups)

    def shape(self, element: int) -> Shape:
        """Return one element by its number: the same object, when it is asked for again soon."""
        known = self._shapes.get(element)
        if known is None:
            group, row = self.placed.places[element].tolist()
            if len(self._shapes) >= MANY:
                self._shapes.clear()
            known = self._shapes[element] = self.groups[group].shape[row]
        return known

    def covers(self, pattern: str) -> bool:
        """Tell whether a name or a pattern stands for anything, be it a batch without elements."""
        if self.find(pattern) is not None:
            return True
        wanted = _matcher(pattern)
        return "*" in pattern and (
            any(map(wanted.fullmatch, self._entries))
            or ("[" in pattern and any(wanted.fullmatch(self.name(number)) for number in range(self.count)))
        )

    def check_covers(self, pattern: str, label: str) -> None:
        """Refuse a name or a pattern that stands for nothing; `label` leads the error."""
        if not self.covers(pattern):
            raise ValueError(f"{label}: {self.unknown(pattern)}")

    def unknown(self, pattern: str) -> str:
        """Say of a name or a pattern that it stands for nothing in the scene, and what may have been meant."""
        near = meant(pattern, self._entries)
        words = f"no shape in the scene has a name like {pattern!r}"
        words = words if "*" in pattern else f"there is no shape named {pattern!r} in the scene"
        return f"{words}; did you mean {near!r}?" if near else words

    def mask(self, pattern: str) -> BoolArray:
        """Tell of every element whether a name or a pattern, in which ``*`` stands for anything, covers it."""
        mask: BoolArray = np.zeros(self.count, dtype=bool)
        if self.find(pattern) is not None:
            numbers = self.numbers(pattern)
            mask[numbers.start : numbers.stop] = True
            return mask
        wanted = _matcher(pattern)
        for position, entry in enumerate(self._entries):
            start, end = self._starts[position], self._starts[position + 1]
            if wanted.fullmatch(entry):
                mask[start:end] = True
            elif "[" in pattern and self.shapes[entry].batch_shape:
                mask[start:end] = [bool(wanted.fullmatch(self.name(number))) for number in range(start, end)]
        return mask


class IgnoredTable(NamedTuple):
    """Pairs of elements to be ignored: of single ones, as numbers in order, and of sets, two rows of flags a pair."""

    listed: IntArray
    sets: BoolArray
    elements: int

    def arguments(self) -> tuple[int, int, object]:
        """Return what walks take: where both are, and how many there are of each, and elements."""
        sizes = INTEGERS[3](len(self.listed), len(self.sets) // 2, self.elements)
        return address(self.listed), address(self.sets), sizes


class Ignored:
    """Pairs of elements that are never reported.

    Parameters
    ----------
    pairs : iterable of pairs of str
        Names of entries or of elements, or patterns.
    elements : Elements
        What they name.
    """

    def __init__(self, pairs: Iterable[tuple[str, str]], elements: Elements) -> None:
        self._count = elements.count
        # Robots ignore hundreds of pairs of two single elements: those are looked up, as one number each.
        self._masks: list[tuple[BoolArray, BoolArray]] = []
        listed = []
        for a, b in pairs:
            numbers = [elements.numbers(name) for name in (a, b) if elements.find(name) is not None]
            if [len(n) for n in numbers] == [1, 1]:
                i, j = sorted(n[0] for n in numbers)
                listed.append(i * self._count + j)
            else:
                self._masks.append((elements.mask(a), elements.mask(b)))
        self._listed = np.array(listed, dtype=np.intp)

    @cached_property
    def table(self) -> IgnoredTable:
        """The same for compiled walks."""
        sets = np.array(self._masks, dtype=bool).reshape(2 * len(self._masks), self._count)
        return IgnoredTable(np.sort(self._listed).astype(np.int64), sets, self._count)

    def removed(self, pairs: IntArray) -> IntArray:
        """Return those of the pairs (k, 2), i < j, that are not ignored."""
        return pairs[self.keeps(pairs)] if len(self._listed) or self._masks else pairs

    def keeps(self, pairs: IntArray) -> BoolArray:
        """Tell which of the pairs (k, 2), i < j, are not ignored."""
        i, j = pairs.T
        keep = ~np.isin(i * self._count + j, self._listed)
        for first, second in self._masks:
            keep &= ~((first[i] & second[j]) | (second[i] & first[j]))
        return keep

    def partners(self, number: int, others: IntArray) -> IntArray:
        """Return those of some elements whose pairs with one are not ignored."""
        if not len(self._listed) and not self._masks:
            return others
        pairs = np.stack([np.minimum(others, number), np.maximum(others, number)], axis=1)
        return np.asarray(self.removed(pairs).sum(axis=1) - number)


class ChangedShapes(Mapping[str, Shape]):
    """The entries of a scene some elements of which were replaced; a batch is put together when it is asked for.

    Parameters
    ----------
    elements : Elements
        The elements before.
    changes : mapping of int to Shape
        Those replaced, by number.
    """

    def __init__(self, elements: Elements, changes: Mapping[int, Shape]) -> None:
        self._elements, self._before, self._changes = elements, elements.shapes, changes
        self._changed: dict[str, Shape] = {}

    def __getitem__(self, name: str) -> Shape:
        if name not in self._changed:
            before, numbers = self._before[name], self._elements.numbers_at(name, None)
            mine = {number: shape for number, shape in self._changes.items() if number in numbers}
            if before.batch_shape and mine:
                placed = {self._elements.locate(number)[1] or (): shape for number, shape in mine.items()}
                before = with_elements(before, placed)
            self._changed[name] = before if before.batch_shape else mine.get(numbers.start, before)
        return self._changed[name]

    def __contains__(self, name: object) -> bool:
        return name in self._before

    def forget(self) -> None:
        """Drop the batches that were put together; asked again, they are put together again."""
        self._changed.clear()

    def __iter__(self) -> Iterator[str]:
        return iter(self._before)

    def __repr__(self) -> str:
        return repr(dict(self))

    def __len__(self) -> int:
        return len(self._before)


def meant(pattern: str, known: Iterable[str]) -> str | None:
    """Return the known name, or the pattern made of one, that comes nearest to one that stands for nothing.

    Examples
    --------
    >>> meant("amr*", ["arm left", "torso"]), meant("trso", ["arm left", "torso"])
    ('arm*', 'torso')
    """
    start, star, end = pattern.partition("*")
    likely = {name[: len(start)] + star + name[len(name) - len(end) :] if star else name: None for name in known}
    return next(iter(difflib.get_close_matches(pattern, likely, n=1, cutoff=0.65)), None)


def _matcher(pattern: str) -> re.Pattern[str]:
    return re.compile(".*".join(map(re.escape, pattern.split("*"))), re.DOTALL)


def check_name(name: object) -> None:
    """Refuse what cannot name an entry: brackets are for elements, the asterisk is for patterns.

    What does not stand on a line as it is (line ends, tabs, escapes) would break every table that names are put in.

    Raises
    ------
    ValueError
        If it is no text, empty, or has one of these signs in it.
    """
    if not isinstance(name, str) or not name or any(sign in name for sign in "[]*"):
        raise ValueError(f"a shape's name must be text without the signs [ ] *, got {name!r}")
    if CONTROL.search(name):
        raise ValueError(f"a shape's name must be one line, without tabs and other control characters, got {name!r}")


def size(shape: Shape) -> int:
    """Return the number of elements of a shape."""
    return math.prod(shape.batch_shape)


def with_elements(batch: Shape, elements: Mapping[tuple[int, ...], Shape]) -> Shape:
    """Return a batch with some elements replaced; a value that all elements share stays one, if they still do."""
    values = dict(batch.values())
    for name, old in batch._broadcast().items():
        new = {index: element.values()[name] for index, element in elements.items()}
        if any(value.tobytes() != old[index].tobytes() for index, value in new.items()):
            values[name] = old.copy()
            for index, value in new.items():
                values[name][index] = value
    return type(batch)._trusted(**values)


def joined(kind: type[Shape], shapes: list[Shape]) -> Shape:
    """Return shapes of one kind, single or batches, as one flat batch."""
    if len(shapes) == 1:
        return shapes[0].flattened()
    flat = [shape.flattened().values() for shape in shapes]
    return kind._trusted(**{name: np.concatenate([values[name] for values in flat]) for name in flat[0]})


def _concatenated(arrays: list[IntArray]) -> IntArray:
    return arrays[0] if len(arrays) == 1 else np.concatenate(arrays)
