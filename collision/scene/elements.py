"""The elements of a scene: every single shape in its entries, numbered in scene order and named.

An entry without batch axes is one element; one that is a batch holds ``crowd[17]`` or ``grid[2,3]`` for each index.
"""

from __future__ import annotations

import math
import operator
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from collision.base.cached import cached_property
from collision.base.fields import BoolArray, IntArray
from collision.broadphase.hierarchy import Hierarchy
from collision.broadphase.volumes import BoundingBoxes, HalfSpaces, Lines, Volumes
from collision.scene.names import check_name, matcher, meant, parsed
from collision.scene.pairs import ElementCores, cores_of
from collision.shapes.kinds import KINDS, Shape, no_shape, of_one_length, out_of_range

#: Names of elements: an array of str, each kept as the object that it is.
Names: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.object_]]


class Group(NamedTuple):
    """All elements of one kind: their numbers in the scene, and the shapes as one flat batch."""

    elements: IntArray
    shape: Shape


class Elements:
    """Names, numbers and flat batches of the elements of shapes by name."""

    def __init__(self, shapes: Mapping[str, Shape]) -> None:
        starts, count = [0], 0
        for name, shape in shapes.items():
            if type(name) is not str or not name.isidentifier():  # as most are
                check_name(name)
            if not isinstance(shape, Shape):
                raise TypeError(f"scene entry {name!r} must be a shape, got {no_shape(shape)}")
            if shape.out_of_range:
                raise ValueError(f"shape {name!r} {out_of_range(shape)}")
            axes = shape.batch_shape
            count += axes[0] if len(axes) == 1 else math.prod(axes)  # which is the same, and takes longer
            starts.append(count)
        self.shapes = shapes
        self._entries = tuple(shapes)
        #: The number of the first element of each entry, and of all elements.
        self.starts = tuple(starts)
        #: The number of elements in all entries.
        self.count: int = count

    def __reduce__(self) -> tuple[Any, ...]:
        return Elements, (dict(self.shapes),)  # plain pickling would try what was worked out, too

    def find(self, name: str) -> tuple[str, tuple[int, ...] | None] | None:
        """Resolve a name to an entry and, for an element of a batch, its index; None where it names nothing."""
        if not isinstance(name, str):
            return None
        if name in self.shapes:
            return name, None
        entry, index = parsed(name)
        if entry not in self.shapes:
            return None
        axes = self.shapes[entry].batch_shape
        return (entry, index) if len(index) == len(axes) and all(map(operator.lt, index, axes)) else None

    def name(self, element: int) -> str:
        """Return the name of an element: its entry's, with its index where the entry is a batch."""
        if not 0 <= element < self.count:
            has = f"elements 0 to {self.count - 1}" if self.count else "no elements"
            raise IndexError(f"the scene has {has}, got {element}")
        name, index = self.locate(element)
        return name if index is None else f"{name}[{','.join(map(str, index))}]"

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of all elements."""
        return tuple(map(self.name, range(self.count)))

    def names_of(self, numbers: IntArray) -> Names:
        """Return the names of elements given by numbers, of any shape; empty for -1."""
        named = np.zeros(self.count + 1, dtype=bool)  # many numbers name few elements
        named[numbers] = True
        names = np.full(self.count + 1, "", dtype=object)
        for number in np.flatnonzero(named[:-1]).tolist():
            names[number] = self.name(number)
        return np.asarray(names[numbers])

    def locate(self, element: int) -> tuple[str, tuple[int, ...] | None]:
        """Return an element's entry and, where that is a batch, its index."""
        entry = bisect_right(self.starts, element) - 1
        name = self._entries[entry]
        axes = self.shapes[name].batch_shape
        if not axes:
            return name, None
        inner = element - self.starts[entry]
        # NumPy's way to the indices takes long for a single one.
        return name, (int(inner),) if len(axes) == 1 else tuple(int(i) for i in np.unravel_index(inner, axes))

    def numbers(self, name: str) -> range:
        """Return the numbers of an entry's elements, or of one element."""
        if not isinstance(name, str):
            raise TypeError(f"a shape is given by its name in the scene, or as it is, got {no_shape(name)}")
        return self.numbers_at(*self._found(name))

    def _found(self, name: str) -> tuple[str, tuple[int, ...] | None]:
        """Resolve a name as `find` does, and refuse one that names nothing."""
        found = self.find(name)
        if found is None:
            raise KeyError(f"there is no shape named {name!r} in the scene")
        return found

    def numbers_at(self, entry: str, index: tuple[int, ...] | None) -> range:
        """Return the numbers of an entry's elements, or of the one at an index."""
        position = self._positions[entry]
        start = self.starts[position]
        if index is None:
            return range(start, self.starts[position + 1])
        inner = 0
        for i, n in zip(index, self.shapes[entry].batch_shape, strict=True):
            inner = inner * n + i
        return range(start + inner, start + inner + 1)

    def by_entry(self, names: Iterable[str]) -> dict[str, list[tuple[int, ...]] | None]:
        """Return the entries of some names, with the indices of their elements; None for an entry as a whole."""
        found: dict[str, list[tuple[int, ...]] | None] = {}
        for name in names:
            entry, index = self._found(name)
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
        for name in ("groups", "cores"):
            self.__dict__.pop(name, None)

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The elements by kind, kinds in the order of `KINDS`."""
        found: dict[type[Shape], tuple[list[range], list[Shape]]] = {}
        first = 0
        for shape, end in zip(self.shapes.values(), self.starts[1:], strict=True):
            if end > first:
                numbers, shapes = found.setdefault(type(shape), ([], []))
                numbers.append(range(first, end))
                shapes.append(shape)
            first = end
        present = ((kind, *found[kind]) for kind in KINDS if kind in found)
        return tuple(Group(_listed(numbers), joined(kind, shapes)) for kind, numbers, shapes in present)

    @cached_property
    def cores(self) -> ElementCores:
        """The cores of all elements, and the corners of their bounds."""
        return cores_of(self.shapes.values())

    def shape(self, element: int) -> Shape:
        """Return one element by its number."""
        name, index = self.locate(element)
        return self.shapes[name] if index is None else self.shapes[name][index]

    def covers(self, pattern: str) -> bool:
        """Tell whether a name or a pattern stands for anything, be it a batch without elements."""
        if self.find(pattern) is not None:
            return True
        wanted = matcher(pattern)
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
        wanted = matcher(pattern)
        for position, entry in enumerate(self._entries):
            start, end = self.starts[position], self.starts[position + 1]
            if wanted.fullmatch(entry):
                mask[start:end] = True
            elif "[" in pattern and self.shapes[entry].batch_shape:
                mask[start:end] = [bool(wanted.fullmatch(self.name(number))) for number in range(start, end)]
        return mask


class ChangedShapes(Mapping[str, Shape]):
    """The entries of a scene some elements of which were replaced; a batch is put together when it is asked for."""

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


def with_elements(batch: Shape, elements: Mapping[tuple[int, ...], Shape]) -> Shape:
    """Return a batch with some elements replaced; a value that all elements share stays one, if they still do."""
    if not elements:
        return batch
    rows = [int(np.ravel_multi_index(index, batch.batch_shape)) for index in elements]
    return with_rows(batch, np.array(rows), joined(type(batch), [*elements.values()]))


def with_rows(batch: Shape, rows: IntArray, elements: Shape) -> Shape:
    """Return a batch with those of its elements replaced, counted in C order, that a flat batch has."""
    batch, elements = of_one_length([batch, elements])
    values, new, index = dict(batch.kept), elements._broadcast(), np.unravel_index(rows, batch.batch_shape)
    for name, old in batch._broadcast().items():
        if new[name].tobytes() != old[index].tobytes():
            values[name] = old.copy()
            values[name][index] = new[name]
    return type(batch)._trusted(**values)


def joined(kind: type[Shape], shapes: list[Shape]) -> Shape:
    """Return shapes of one kind, single or batches, as one flat batch."""
    if len(shapes) == 1:
        return shapes[0].flattened()
    if kind.layout.fixed and not any([shape.batch_shape for shape in shapes]):  # noqa: C419 - it is quicker
        rows = np.frombuffer(b"".join([shape.row for shape in shapes])).reshape(len(shapes), -1)
        parts = {name: rows[:, first:end].reshape(-1, *core) for name, first, end, core in kind.layout.parts}
        return kind._trusted(**parts)
    flat = [shape.kept for shape in of_one_length([shape.flattened() for shape in shapes])]
    return kind._trusted(**{name: np.concatenate([values[name] for values in flat]) for name in flat[0]})


def _listed(numbers: list[range]) -> IntArray:
    if len(numbers) == 1:
        return np.arange(numbers[0].start, numbers[0].stop)
    return np.fromiter(chain.from_iterable(numbers), dtype=np.intp)


# -- as the broad phase takes them -----------------------------------------------------------------------------------


def volumes_of(shape: Shape) -> Volumes:
    """Return what the broad phase looks for in place of a flat batch of shapes."""
    if shape.bounded:
        return BoundingBoxes(*shape.corners())
    cone = shape.core.cone()
    assert cone is not None  # as it has no bounds
    origin, axis = (np.broadcast_to(vectors, (*shape.batch_shape, 3)) for vectors in (shape.core.middle(), cone.axis))
    if cone.solid:
        return HalfSpaces(origin, axis)
    return Lines(origin, axis, np.full(shape.batch_shape, -np.inf if cone.both_ways else 0.0))


def hierarchy_of(elements: Elements) -> Hierarchy:
    """Return the broad phase over elements."""
    _, lower, upper = elements.cores
    groups = elements.groups if np.isinf(lower).any() else ()
    return Hierarchy(lower, upper, [(numbers, volumes_of(shape)) for numbers, shape in groups if not shape.bounded])
