"""What queries over a whole scene work on: the broad phase, the narrow phase, and what changed since both were built.

A `World` is built once for many elements. An element that moves makes a new world that shares all of the old one and
remembers the change; its queries correct the shared answers for the few elements that changed, and so cost what the
change costs. When too much has changed, the caller builds anew.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

import numpy as np

from collision.broadphase import Hierarchy
from collision.elements import Elements, Group, Ignored, joined
from collision.fields import BoolArray, FloatArray, IntArray
from collision.hits import Hits, first_hits
from collision.pairing import PairsByKind
from collision.separation import TOUCH, Record
from collision.shapes import Ray, Shape

#: Up to so many changed elements are kept apart; each costs every query a little.
MANY = 64


#: What a world works out when it is first asked for.
_WORKED_OUT = {
    "groups",
    "hierarchy",
    "_ignored",
    "_spacing",
    "_touching_at_first",
    "_all_groups",
    "_moved",
    "_last_near",
}


class World:
    """Elements, the pairs of them to ignore, and those that changed.

    Parameters
    ----------
    elements : Elements
        As they were when the broad phase was built, or is going to be.
    ignored : iterable of pairs of str
        Names or patterns.
    """

    def __init__(self, elements: Elements, ignored: Iterable[tuple[str, str]]) -> None:
        self.elements = elements
        self.changes: Mapping[int, Shape] = {}
        self._pairs = tuple(ignored)
        self._base = self._first = self
        self._hidden: BoolArray | None = None

    def changed(self, changes: Mapping[int, Shape]) -> World | None:
        """Return the world with some elements replaced by others of their kinds; None if it should be built anew."""
        merged = {**self.changes, **changes}
        if len(merged) > MANY:
            return None
        return self._sharing(merged, self._hidden)

    def hiding(self, numbers: Iterable[int]) -> World:
        """Return the world in which just these are hidden: they keep their numbers, but no query finds them."""
        listed = list(numbers)
        hidden = np.zeros(self.elements.count, dtype=bool)
        hidden[listed] = True
        return self._sharing(self.changes, hidden if listed else None)

    def leaving_out(self, numbers: list[int]) -> World:
        """Return the world in which these are hidden too."""
        hidden = np.zeros(self.elements.count, dtype=bool) if self._hidden is None else self._hidden.copy()
        hidden[numbers] = True
        return self._sharing(self.changes, hidden)

    def _sharing(self, changes: Mapping[int, Shape], hidden: BoolArray | None) -> World:
        world = object.__new__(World)
        world.elements, world.changes, world._pairs, world._base = self.elements, changes, self._pairs, self._base
        world._hidden = hidden
        if hidden is self._hidden:
            world._first = self._first
        else:
            world._first = self._base._sharing({}, hidden)._first if changes else world
        return world

    @property
    def first(self) -> World:
        """The world before any element was replaced: the same one for all that were made from it."""
        return self._first

    def forget(self, but: World) -> None:
        """Drop what was worked out for queries, except what another world shares; it can be worked out again."""
        kept = {id(world) for world in (but, but._first, but._base)}
        for world in (self, self._first, self._base):
            if id(world) not in kept:
                for name in _WORKED_OUT & world.__dict__.keys():
                    del world.__dict__[name]
        if self.elements is not but.elements:
            self.elements.forget()

    # -- elements ---------------------------------------------------------------------------------------------------

    def shape(self, number: int) -> Shape:
        """Return an element."""
        return self.changes.get(number) or self.elements.shape(number)

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """All elements by kind, as flat batches, without those that are hidden."""
        groups = self.elements.changed_groups(self.changes) if self.changes else self.elements.groups
        if self._hidden is None:
            return groups
        shown = [(members, ~self._hidden[members.elements]) for members in groups]
        return tuple(Group(members.elements[rows], members.shape[rows]) for members, rows in shown if rows.any())

    @property
    def ignored(self) -> Ignored:
        """The pairs to ignore."""
        return self._base._ignored

    @cached_property
    def _ignored(self) -> Ignored:
        return Ignored(self._pairs, self.elements)

    # -- pairs ------------------------------------------------------------------------------------------------------

    def touching(self) -> IntArray:
        """Return all pairs (k, 2) that intersect, i < j, in lexicographic order."""
        pairs = self._base._touching_at_first
        if self.changes:
            pairs = self._sorted(np.concatenate([pairs[self._untouched(pairs)], self.touching_of(self.changes)]))
        return pairs if self._hidden is None else pairs[self._shown(pairs)]

    def touching_of(self, numbers: Iterable[int]) -> IntArray:
        """Return the pairs of touching elements of which at least one is among some."""
        return self._touching_among(self._candidates_of(list(numbers), 0.0))

    def near(self, margin: float) -> tuple[IntArray, Record]:
        """Return the pairs that touch or are no more than a margin apart, in order, and their records."""
        base_pairs, base_record = self._base._near_at_first(margin)
        if not self.changes and self._hidden is None:
            return base_pairs, base_record
        kept = self._untouched(base_pairs) & self._shown(base_pairs)
        pairs, record = self._measure(self._candidates_of(list(self.changes), margin), margin)
        rows = np.concatenate([np.flatnonzero(kept), len(base_pairs) + np.arange(len(pairs))])
        pairs = np.concatenate([base_pairs, pairs])
        rows = rows[np.argsort(self._keys(pairs[rows]), kind="stable")]  # quick where most are in order already
        joint = (np.concatenate([old, new])[rows] for old, new in zip(base_record, record, strict=True))
        return pairs[rows], Record(*joint)

    def near_of(self, numbers: Iterable[int], margin: float) -> tuple[IntArray, Record]:
        """Return those of the pairs that are `near` of which at least one element is among some."""
        pairs, record = self._measure(self._candidates_of(list(numbers), margin), margin)
        order = np.argsort(self._keys(pairs))
        return pairs[order], Record(*(part[order] for part in record))

    # -- one shape and the elements around it -----------------------------------------------------------------------

    def others(self, number: int | None, lower: FloatArray, upper: FloatArray) -> tuple[IntArray, bool]:
        """Return the elements in a box that one of them, or (None) a shape from outside, may have a pair with.

        In order, neither hidden ones nor those of ignored pairs; and whether all elements were looked at.
        """
        found = self._near_box(-1 if number is None else number, lower, upper)
        all_of_them = len(found) == self.elements.count
        if number is not None:
            return self._pairs_with(number, found).sum(axis=1) - number, all_of_them
        return (found if self._hidden is None else found[~self._hidden[found]]), all_of_them

    def by_group(self, numbers: IntArray) -> Iterator[tuple[IntArray, Shape, IntArray]]:
        """Yield which of some elements are in one batch, the batch, and their rows in it."""
        group, row = self._places(numbers)
        for place in sorted(set(group.tolist())):
            here = np.flatnonzero(group == place)
            yield here, self._all_groups[place].shape, row[here]

    @property
    def spacing(self) -> float:
        """A length to start a search for neighbours with."""
        return self._base._spacing

    # -- rays -------------------------------------------------------------------------------------------------------

    def first_hits(self, rays: Ray) -> Hits:
        """Return the first element that each of some rays hits; of several at the same distance, the lowest number."""
        pairs = self._base.hierarchy.along(rays.origin, rays.direction)
        if self.changes:
            pairs = pairs[~np.isin(pairs[:, 1], list(self.changes))]
            more = np.stack(np.meshgrid(np.arange(len(rays)), list(self.changes), indexing="ij"), axis=-1)
            pairs = np.concatenate([pairs, more.reshape(-1, 2)])
        if self._hidden is not None:
            pairs = pairs[~self._hidden[pairs[:, 1]]]
        batches = [members.shape for members in self._all_groups]
        return first_hits(rays, pairs, self.elements.placed.places, self._moved, batches)

    # -- the broad phase --------------------------------------------------------------------------------------------

    @cached_property
    def hierarchy(self) -> Hierarchy:
        """The broad phase over the elements as they were at first."""
        return Hierarchy(self.elements.placed.lower, self.elements.placed.upper)

    @cached_property
    def _spacing(self) -> float:
        """A length to start a search for neighbours with."""
        _, lower, upper = self.elements.placed
        finite = np.isfinite(lower) & np.isfinite(upper)
        extent = float(np.max(np.where(finite, upper, -np.inf)) - np.min(np.where(finite, lower, np.inf)))
        return extent / self.elements.count ** (1.0 / 3.0) if 0.0 < extent < np.inf else 1.0

    @cached_property
    def _touching_at_first(self) -> IntArray:
        return self._touching_among(self.ignored.removed(self.hierarchy.pairs()))

    def _near_at_first(self, margin: float) -> tuple[IntArray, Record]:
        last = next((known for known in self._last_near if known[0] == margin), None)
        if last is None:
            pairs, record = self._measure(self.ignored.removed(self.hierarchy.pairs(margin=margin)), margin)
            order = np.argsort(self._keys(pairs))
            pairs, record = pairs[order], Record(*(part[order] for part in record))
            for shared in (pairs, *record):
                shared.flags.writeable = False
            last = margin, pairs, record
            self._last_near = (last, *self._last_near[:1])
        return last[1:]

    #: The answers for the last two margins: who looks at what is near asks for what touches in between.
    _last_near: tuple[tuple[float, IntArray, Record], ...] = ()

    def _near_box(self, number: int, lower: FloatArray, upper: FloatArray) -> IntArray:
        """Return the elements whose bounds overlap a box around one of them, and all others that changed."""
        if not all(map(math.isfinite, (*lower.tolist(), *upper.tolist()))):
            return np.arange(self.elements.count, dtype=np.int64)
        found = self._base.hierarchy.near(lower, upper)
        more = self.changes.keys() - {number}
        return np.union1d(found, list(more)) if more else found

    def _corners(self, number: int) -> tuple[FloatArray, FloatArray]:
        """Return the corners of an element's bounds, infinite for a ray or a line."""
        shape = self.shape(number)
        if not shape.bounded:
            return np.full(3, -np.inf), np.full(3, np.inf)
        lower, upper = shape.corners()
        return lower, upper

    def _candidates_of(self, numbers: list[int], margin: float) -> IntArray:
        """Return the pairs that some elements may have with any."""
        listed = []
        for number in numbers:
            lower, upper = self._corners(number)
            listed.append(self._pairs_with(number, self._near_box(number, lower - margin, upper + margin)))
        if len(listed) == 1:
            return listed[0]
        pairs = np.concatenate(listed) if listed else np.empty((0, 2), dtype=np.int64)
        return self._from_keys(np.unique(self._keys(pairs)))  # two of them make the same pair twice

    def _pairs_with(self, number: int, others: IntArray) -> IntArray:
        others = others[others != number]
        if self._hidden is not None:
            others = others[~(self._hidden[others] | self._hidden[number])]
        pairs = np.empty((len(others), 2), dtype=np.int64)
        np.minimum(others, number, out=pairs[:, 0])
        np.maximum(others, number, out=pairs[:, 1])
        return self.ignored.removed(pairs)

    def _untouched(self, pairs: IntArray) -> BoolArray:
        """Tell which pairs have no element that changed."""
        same = np.ones(self.elements.count, dtype=bool)
        same[list(self.changes)] = False
        return np.asarray(same[pairs[:, 0]] & same[pairs[:, 1]])

    def _shown(self, pairs: IntArray) -> BoolArray:
        """Tell which pairs have no element that is hidden."""
        if self._hidden is None:
            return np.ones(len(pairs), dtype=bool)
        return np.asarray(~self._hidden[pairs].any(axis=1))

    # -- the narrow phase -------------------------------------------------------------------------------------------

    def _touching_among(self, pairs: IntArray) -> IntArray:
        """Return those of some pairs that touch, in order."""
        return self._by_kind(pairs).touching(self.elements.count)

    def _measure(self, pairs: IntArray, margin: float) -> tuple[IntArray, Record]:
        """Return those of some pairs that are no more than a margin apart, and what there is to know of them."""
        sorted_pairs = self._by_kind(pairs)
        record = sorted_pairs.records()
        keep = record.signed_distance <= margin + TOUCH * record.size
        return pairs[sorted_pairs.rows[keep]], Record(*(part[keep] for part in record))

    def _by_kind(self, pairs: IntArray) -> PairsByKind:
        batches = [members.shape for members in self._all_groups]
        return PairsByKind(pairs, self.elements.placed.places, self._moved, batches)

    @cached_property
    def _all_groups(self) -> tuple[Group, ...]:
        """The elements by kind as they were at first, and then, by kind again, those that changed."""
        changed: dict[type[Shape], list[int]] = {}
        for number, shape in self.changes.items():
            changed.setdefault(type(shape), []).append(number)
        more = [
            Group(np.array(numbers), joined(kind, [self.changes[number] for number in numbers]))
            for kind, numbers in changed.items()
        ]
        return (*self.elements.groups, *more)

    def _places(self, numbers: IntArray) -> tuple[IntArray, IntArray]:
        """Return the group and the row in it of some elements."""
        places = self.elements.placed.places[numbers]
        for number, group, row in self._moved.tolist():
            places[numbers == number] = group, row
        return places[:, 0], places[:, 1]

    @cached_property
    def _moved(self) -> IntArray:
        """The elements that changed, with their groups and rows, (m, 3)."""
        first = len(self.elements.groups)
        placed = [
            (number, group, row)
            for group, members in enumerate(self._all_groups[first:], start=first)
            for row, number in enumerate(members.elements.tolist())
        ]
        return np.array(placed, dtype=np.int64).reshape(-1, 3)

    def _keys(self, pairs: IntArray) -> IntArray:
        """Return one number for each pair, in the order of the pairs."""
        return np.asarray(pairs[:, 0] * self.elements.count + pairs[:, 1])

    def _from_keys(self, keys: IntArray) -> IntArray:
        pairs = np.empty((len(keys), 2), dtype=np.int64)
        np.divmod(keys, max(self.elements.count, 1), out=(pairs[:, 0], pairs[:, 1]))
        return pairs

    def _sorted(self, pairs: IntArray) -> IntArray:
        return self._from_keys(np.sort(self._keys(pairs)))
