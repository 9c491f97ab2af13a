"""The elements of a scene: every single shape in its entries, numbered in scene order and named.

An entry without batch axes is one element of the same name; an entry that is a batch holds one for each index, named
``crowd[17]`` or ``grid[2,3]``. Queries over a whole scene work on elements by kind, as flat batches.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from collision.fields import BoolArray, FloatArray, IntArray
from collision.shapes import KINDS, Shape

_INDEXED = re.compile(r"(.*)\[(\d+(?:,\s*\d+)*)\]", re.DOTALL)


class Group(NamedTuple):
    """All elements of one kind: their numbers in the scene, and the shapes as one flat batch."""

    elements: IntArray
    shape: Shape


class Elements:
    """Names, numbers and flat batches of the elements of a mapping of shapes.

    Parameters
    ----------
    shapes : mapping of str to Shape
        The entries, in order.

    Raises
    ------
    ValueError
        If a name cannot be one, or an entry is no shape.

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
                raise ValueError(f"scene entry {name!r} must be a shape, got {type(shape).__name__}")
        self.shapes = shapes
        self._entries = tuple(shapes)
        self._starts = (0, *accumulate(size(shape) for shape in shapes.values()))

    @property
    def count(self) -> int:
        """The number of elements in all entries."""
        return self._starts[-1]

    def find(self, name: str) -> tuple[str, tuple[int, ...] | None] | None:
        """Resolve a name to an entry and, for an element of a batch, its index; None where it names nothing."""
        if not isinstance(name, str):
            return None
        if name in self.shapes:
            return name, None
        match = _INDEXED.fullmatch(name)
        if match is None or match[1] not in self.shapes:
            return None
        index = tuple(int(part) for part in match[2].split(","))
        axes = self.shapes[match[1]].batch_shape
        inside = len(index) == len(axes) and all(i < n for i, n in zip(index, axes, strict=True))
        return (match[1], index) if inside else None

    def name(self, element: int) -> str:
        """Return the name of an element: its entry's, with its index where the entry is a batch."""
        if not 0 <= element < self.count:
            has = f"elements 0 to {self.count - 1}" if self.count else "no elements"
            raise IndexError(f"the scene has {has}, got {element}")
        name, index = self.locate(element)
        return name if index is None else f"{name}[{','.join(map(str, index))}]"

    def locate(self, element: int) -> tuple[str, tuple[int, ...] | None]:
        """Return an element's entry and, where that is a batch, its index."""
        entry = bisect_right(self._starts, element) - 1
        name = self._entries[entry]
        axes = self.shapes[name].batch_shape
        if not axes:
            return name, None
        return name, tuple(int(i) for i in np.unravel_index(element - self._starts[entry], axes))

    def numbers(self, name: str) -> range:
        """Return the numbers of an entry's elements, or of one element."""
        found = self.find(name)
        if found is None:
            raise KeyError(f"there is no shape named {name!r} in the scene")
        return self.numbers_at(*found)

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

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {name: position for position, name in enumerate(self._entries)}

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The elements by kind, kinds in the order of `KINDS`."""
        groups = []
        for kind in KINDS:
            members = [(i, s) for i, s in enumerate(self.shapes.values()) if type(s) is kind and size(s)]
            if members:
                numbers = [np.arange(self._starts[i], self._starts[i + 1]) for i, _ in members]
                groups.append(Group(np.concatenate(numbers), joined(kind, [s for _, s in members])))
        return tuple(groups)

    @cached_property
    def places(self) -> tuple[IntArray, IntArray]:
        """For every element, its group and its row in the group."""
        group = np.empty(self.count, dtype=np.intp)
        row = np.empty(self.count, dtype=np.intp)
        for number, members in enumerate(self.groups):
            rows = _as_slice(members.elements)
            group[rows] = number
            row[rows] = np.arange(len(members.elements))
        return group, row

    @cached_property
    def bounds(self) -> tuple[FloatArray, FloatArray]:
        """Lower and upper corners of every element, infinite for rays and lines."""
        lower = np.empty((self.count, 3))
        upper = np.empty((self.count, 3))
        for elements, shape in self.groups:
            rows = _as_slice(elements)
            lower[rows], upper[rows] = shape.corners() if shape.bounded else (-np.inf, np.inf)
        return lower, upper

    def changed_groups(self, changes: Mapping[int, Shape]) -> tuple[Group, ...]:
        """Return the groups with some elements replaced by shapes of their own kinds."""
        group, row = self.places
        groups = list(self.groups)
        for number in {int(group[element]) for element in changes}:
            members = groups[number]
            values = {name: value.copy() for name, value in members.shape.values().items()}
            for element, shape in changes.items():
                if group[element] == number:
                    for name, value in shape.values().items():
                        values[name][row[element]] = value
            groups[number] = Group(members.elements, type(members.shape)._trusted(**values))
        return tuple(groups)

    def shape(self, element: int) -> Shape:
        """Return one element by its number."""
        group, row = self.places
        return self.groups[int(group[element])].shape[int(row[element])]

    def mask(self, pattern: str) -> BoolArray:
        """Tell of every element whether a name or a pattern, in which ``*`` stands for anything, covers it."""
        mask: BoolArray = np.zeros(self.count, dtype=bool)
        if self.find(pattern) is not None:
            numbers = self.numbers(pattern)
            mask[numbers.start : numbers.stop] = True
            return mask
        wanted = re.compile(".*".join(map(re.escape, pattern.split("*"))), re.DOTALL)
        for position, entry in enumerate(self._entries):
            start, end = self._starts[position], self._starts[position + 1]
            if wanted.fullmatch(entry):
                mask[start:end] = True
            elif "[" in pattern and self.shapes[entry].batch_shape:
                mask[start:end] = [bool(wanted.fullmatch(self.name(number))) for number in range(start, end)]
        return mask


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

    def removed(self, pairs: IntArray) -> IntArray:
        """Return those of the pairs (k, 2), i < j, that are not ignored."""
        if not len(self._listed) and not self._masks:
            return pairs
        i, j = pairs.T
        keep = ~np.isin(i * self._count + j, self._listed)
        for first, second in self._masks:
            keep &= ~((first[i] & second[j]) | (second[i] & first[j]))
        return pairs[keep]


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

    def __iter__(self) -> Iterator[str]:
        return iter(self._before)

    def __len__(self) -> int:
        return len(self._before)


def check_name(name: object) -> None:
    """Refuse what cannot name an entry: brackets are for elements, the asterisk is for patterns.

    Raises
    ------
    ValueError
        If it is no text, empty, or has one of these signs in it.
    """
    if not isinstance(name, str) or not name or any(sign in name for sign in "[]*"):
        raise ValueError(f"a shape's name must be text without the signs [ ] *, got {name!r}")


def size(shape: Shape) -> int:
    """Return the number of elements of a shape."""
    return int(np.prod(shape.batch_shape, dtype=np.int64))


def with_elements(batch: Shape, elements: Mapping[tuple[int, ...], Shape]) -> Shape:
    """Return a batch with some elements replaced."""
    values = {name: value.copy() for name, value in batch._broadcast().items()}
    for index, element in elements.items():
        for name, value in element.values().items():
            values[name][index] = value
    return type(batch)._trusted(**values)


def joined(kind: type[Shape], shapes: list[Shape]) -> Shape:
    """Return shapes of one kind, single or batches, as one flat batch."""
    if len(shapes) == 1:
        return shapes[0].flattened()
    flat = [shape.flattened().values() for shape in shapes]
    return kind._trusted(**{name: np.concatenate([values[name] for values in flat]) for name in flat[0]})


def _as_slice(numbers: IntArray) -> IntArray | slice:
    """Return ascending numbers as a slice where they have no gap: that is quicker to index with."""
    first, last = int(numbers[0]), int(numbers[-1])
    return slice(first, last + 1) if last - first + 1 == len(numbers) else numbers
