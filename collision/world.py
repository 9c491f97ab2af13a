"""What queries over a whole scene work on: the broad phase, the narrow phase, and what changed since both were built.

A `World` is built once for many elements. An element that moves makes a new world that shares all of the old one and
remembers the change; its queries correct the shared answers for the few elements that changed, and so cost what the
change costs. When too much has changed, the caller builds anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

import numpy as np

from collision.broadphase import Hierarchy
from collision.casts import entries
from collision.elements import Elements, Group, Ignored, joined
from collision.fields import BoolArray, FloatArray, IntArray
from collision.separation import TOUCH, Record, separate, separation_distance, touches
from collision.shapes import Ray, Shape

#: Up to so many changed elements are kept apart; each costs every query a little.
MANY = 64


class Hits(NamedTuple):
    """The first elements that rays hit: element numbers (-1 for none), distances, and outward normals."""

    element: IntArray
    enter: FloatArray
    normal: FloatArray


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
        self._base = self

    def changed(self, changes: Mapping[int, Shape]) -> World | None:
        """Return the world with some elements replaced by others of their kinds; None if it should be built anew."""
        merged = {**self.changes, **changes}
        if len(merged) > MANY:
            return None
        world = object.__new__(World)
        world.elements, world.changes, world._pairs, world._base = self.elements, merged, self._pairs, self._base
        return world

    # -- elements ---------------------------------------------------------------------------------------------------

    def shape(self, number: int) -> Shape:
        """Return an element."""
        return self.changes.get(number) or self.elements.shape(number)

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """All elements by kind, as flat batches."""
        return self.elements.changed_groups(self.changes) if self.changes else self.elements.groups

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
        if not self.changes:
            return self._touching_at_first
        kept = self._untouched(self._base._touching_at_first)
        return self._sorted(np.concatenate([self._base._touching_at_first[kept], self.touching_of(self.changes)]))

    def touching_of(self, numbers: Iterable[int]) -> IntArray:
        """Return the pairs of touching elements of which at least one is among some."""
        pairs = self._candidates_of(list(numbers), 0.0)
        return self._sorted(pairs[self._touch(pairs)])

    def near(self, margin: float) -> tuple[IntArray, Record]:
        """Return the pairs that touch or are no more than a margin apart, in order, and their records."""
        if not self.changes:
            return self._near_at_first(margin)
        base_pairs, base_record = self._base._near_at_first(margin)
        kept = self._untouched(base_pairs)
        pairs, record = self._measure(self._candidates_of(list(self.changes), margin), margin)
        pairs = np.concatenate([base_pairs[kept], pairs])
        joint = [np.concatenate([old[kept], new]) for old, new in zip(base_record, record, strict=True)]
        order = np.argsort(self._keys(pairs))
        return pairs[order], Record(*(part[order] for part in joint))

    def nearest(self, number: int) -> int | None:
        """Return the element nearest to one, or deepest in it, ignored pairs left out; None if there is none."""
        lower, upper = self._corners(number)
        reach, everything = self._base._spacing, False
        while True:
            found = self._near_box(number, lower - reach, upper + reach)
            everything = len(found) == self.elements.count
            pairs = self._pairs_with(number, found)
            if len(pairs):
                best, gap = self._least(number, pairs)
                if gap <= reach or everything:
                    return best
                reach = gap * (1.0 + TOUCH)  # whatever is nearer is in reach then
            elif everything:
                return None
            else:
                reach = 4.0 * reach + float(np.max(upper - lower))

    # -- rays -------------------------------------------------------------------------------------------------------

    def first_hits(self, rays: Ray) -> Hits:
        """Return the first element that each of some rays hits; of several at the same distance, the lowest number."""
        pairs = self._base.hierarchy.along(rays.origin, rays.direction)
        if self.changes:
            pairs = pairs[~np.isin(pairs[:, 1], list(self.changes))]
            more = np.stack(np.meshgrid(np.arange(len(rays)), list(self.changes), indexing="ij"), axis=-1)
            pairs = np.concatenate([pairs, more.reshape(-1, 2)])
        enter, normal = np.empty(len(pairs)), np.empty((len(pairs), 3))
        group, row = self._places(pairs[:, 1])
        for number in set(group.tolist()):
            rows = np.flatnonzero(group == number)
            enter[rows], normal[rows] = entries(rays, self._all_groups[number].shape, (pairs[rows, 0], row[rows]))
        element = np.full(len(rays), -1, dtype=np.int64)
        distance, facing = np.full(len(rays), np.inf), np.full((len(rays), 3), np.nan)
        met = np.flatnonzero(enter < np.inf)
        order = met[np.lexsort((pairs[met, 1], enter[met], pairs[met, 0]))][::-1]
        ray = pairs[order, 0]  # of what is assigned to one place more than once, the last stays: the nearest
        element[ray], distance[ray], facing[ray] = pairs[order, 1], enter[order], normal[order]
        return Hits(element, distance, facing)

    # -- the broad phase --------------------------------------------------------------------------------------------

    @cached_property
    def hierarchy(self) -> Hierarchy:
        """The broad phase over the elements as they were at first."""
        return Hierarchy(*self.elements.bounds)

    @cached_property
    def _spacing(self) -> float:
        """A length to start a search for neighbours with."""
        lower, upper = self.elements.bounds
        finite = np.isfinite(lower) & np.isfinite(upper)
        extent = float(np.max(np.where(finite, upper, -np.inf)) - np.min(np.where(finite, lower, np.inf)))
        return extent / self.elements.count ** (1.0 / 3.0) if 0.0 < extent < np.inf else 1.0

    @cached_property
    def _touching_at_first(self) -> IntArray:
        pairs = self.ignored.removed(self.hierarchy.pairs())
        return self._sorted(pairs[self._touch(pairs)])

    def _near_at_first(self, margin: float) -> tuple[IntArray, Record]:
        last = self._last_near  # looked up once: another thread may ask for another margin meanwhile
        if last is None or last[0] != margin:
            pairs, record = self._measure(self.ignored.removed(self.hierarchy.pairs(margin=margin)), margin)
            order = np.argsort(self._keys(pairs))
            pairs, record = pairs[order], Record(*(part[order] for part in record))
            for shared in (pairs, *record):
                shared.flags.writeable = False
            self._last_near = last = margin, pairs, record
        return last[1:]

    _last_near: tuple[float, IntArray, Record] | None = None

    def _near_box(self, number: int, lower: FloatArray, upper: FloatArray) -> IntArray:
        """Return the elements whose bounds overlap a box around one of them, and all others that changed."""
        if not (np.isfinite(lower).all() and np.isfinite(upper).all()):
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
        pairs = np.concatenate(listed) if listed else np.empty((0, 2), dtype=np.int64)
        if len(numbers) > 1:  # two of them make the same pair twice
            pairs = self._from_keys(np.unique(self._keys(pairs)))
        return pairs

    def _pairs_with(self, number: int, others: IntArray) -> IntArray:
        others = others[others != number]
        pairs = np.empty((len(others), 2), dtype=np.int64)
        np.minimum(others, number, out=pairs[:, 0])
        np.maximum(others, number, out=pairs[:, 1])
        return self.ignored.removed(pairs)

    def _untouched(self, pairs: IntArray) -> BoolArray:
        """Tell which pairs have no element that changed."""
        same = np.ones(self.elements.count, dtype=bool)
        same[list(self.changes)] = False
        return np.asarray(same[pairs[:, 0]] & same[pairs[:, 1]])

    # -- the narrow phase -------------------------------------------------------------------------------------------

    def _touch(self, pairs: IntArray) -> BoolArray:
        hit = np.zeros(len(pairs), dtype=bool)
        for rows, a, b, index in self._by_kinds(pairs):
            hit[rows] = touches(a, b, (len(index[0]),), index)
        return hit

    def _measure(self, pairs: IntArray, margin: float) -> tuple[IntArray, Record]:
        """Return those of some pairs that are no more than a margin apart, and what there is to know of them."""
        count = len(pairs)
        joint = Record(np.empty(count), np.empty(count), *(np.empty((count, 3)) for _ in range(3)))
        for rows, a, b, index in self._by_kinds(pairs):
            for whole, part in zip(joint, separate(a, b, (len(index[0]),), index), strict=True):
                whole[rows] = part
        keep = joint.signed_distance <= margin + TOUCH * joint.size
        return pairs[keep], Record(*(part[keep] for part in joint))

    def _least(self, number: int, pairs: IntArray) -> tuple[int, float]:
        """Return the nearest partner of an element among some pairs, and its signed distance."""
        distance = np.empty(len(pairs))
        for rows, a, b, index in self._by_kinds(pairs):
            distance[rows] = separation_distance(a, b, (len(index[0]),), index)
        partner = np.where(pairs[:, 0] == number, pairs[:, 1], pairs[:, 0])
        first = np.lexsort((partner, distance))[0]
        return int(partner[first]), float(distance[first])

    def _by_kinds(self, pairs: IntArray) -> Iterator[tuple[IntArray, Shape, Shape, tuple[IntArray, IntArray]]]:
        """Split pairs by the groups they are of: rows of `pairs`, two flat batches, and the elements of each."""
        groups = self._all_groups
        (group_a, row_a), (group_b, row_b) = self._places(pairs[:, 0]), self._places(pairs[:, 1])
        code = group_a * len(groups) + group_b
        for value in np.flatnonzero(np.bincount(code)):
            rows = np.flatnonzero(code == value)
            first, second = divmod(int(value), len(groups))
            yield rows, groups[first].shape, groups[second].shape, (row_a[rows], row_b[rows])

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
        group, row = (part[numbers] for part in self.elements.places)
        first = len(self.elements.groups)
        for place, members in enumerate(self._all_groups[first:], start=first):
            for position, number in enumerate(members.elements):
                here = numbers == number
                group[here], row[here] = place, position
        return group, row

    def _keys(self, pairs: IntArray) -> IntArray:
        """Return one number for each pair, in the order of the pairs."""
        return np.asarray(pairs[:, 0] * self.elements.count + pairs[:, 1])

    def _from_keys(self, keys: IntArray) -> IntArray:
        return np.stack(np.divmod(keys, max(self.elements.count, 1)), axis=1)

    def _sorted(self, pairs: IntArray) -> IntArray:
        return self._from_keys(np.sort(self._keys(pairs)))
