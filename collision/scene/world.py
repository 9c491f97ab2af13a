"""What queries over a whole scene work on: the broad phase, the cores of all elements, and what changed since.

A `World` is built once for many elements. An element that moves makes a new world that shares all of the old one; its
queries correct the shared answers for the few elements that changed. When too much has changed, the caller builds anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from collision.base.cached import cached_property
from collision.base.fields import BoolArray, FloatArray, IntArray
from collision.broadphase.hierarchy import Hierarchy
from collision.broadphase.volumes import Volumes
from collision.kernels.cores import TOUCH
from collision.scene.answers import Changes, Contacts
from collision.scene.elements import Elements, Group, hierarchy_of, joined, volumes_of, with_rows
from collision.scene.ignored import Ignored, half_spaces
from collision.scene.pairs import (
    NO_PAIRS,
    SceneRows,
    records,
    touching,
    touching_in_one_call,
)
from collision.scene.walks import SceneMemory
from collision.shapes.kinds import AABB, Shape
from collision.shapes.rows import core_rows

#: Up to so many changed elements are kept apart; each costs every query a little.
MAX_CHANGED = 64

#: What a world is made of; all else it works out when it is first asked for.
_GIVEN = {"elements", "ignored_names", "changes", "hidden", "_other_base", "_other_first"}


class World:
    """Elements as they were when the broad phase was built, the names of pairs to ignore, and elements that changed."""

    changes: Mapping[int, Shape] = MappingProxyType({})
    #: None stands for the world itself: one that refers to itself would stay in memory for longer than it is used.
    _other_base: World | None = None
    _other_first: World | None = None
    #: Which elements are hidden, (n,); None where none is.
    hidden: BoolArray | None = None

    def __init__(self, elements: Elements, ignored: Iterable[tuple[str, str]]) -> None:
        self.elements = elements
        #: The pairs to ignore, as they were given.
        self.ignored_names = tuple(ignored)

    def changed(self, changes: Mapping[int, Shape]) -> World | None:
        """Return the world with some elements replaced by others of their kinds; None if it should be built anew."""
        merged = {**self.changes, **changes}
        if len(merged) > MAX_CHANGED:
            return None
        return self._sharing(merged, self.hidden)

    def hiding(self, numbers: Iterable[int]) -> World:
        """Return the world in which just these are hidden: they keep their numbers, but no query finds them."""
        listed = list(numbers)
        hidden = np.zeros(self.elements.count, dtype=bool)
        hidden[listed] = True
        return self._sharing(self.changes, hidden if listed else None)

    def leaving_out(self, numbers: list[int]) -> World:
        """Return the world in which these are hidden too."""
        return self.hiding(numbers if self.hidden is None else [*numbers, *np.flatnonzero(self.hidden)])

    def _sharing(self, changes: Mapping[int, Shape], hidden: BoolArray | None) -> World:
        world = object.__new__(World)
        world.elements, world.changes, world.ignored_names = self.elements, changes, self.ignored_names
        world._other_base, world.hidden = self._base, hidden
        if hidden is self.hidden:
            world._other_first = self.first
        else:
            world._other_first = self._base._sharing({}, hidden).first if changes else None
        return world

    @property
    def first(self) -> World:
        """The world before any element was replaced: the same one for all that were made from it."""
        return self._other_first or self

    @property
    def _base(self) -> World:
        """The world before any element was replaced or hidden: the same one for all that were made from it."""
        return self._other_base or self

    @cached_property
    def since_first(self) -> Changes:
        """What differs from that world."""
        return Changes(self.first.groups, self.changes)

    def forget(self, but: World) -> None:
        """Drop what was worked out for queries, except what another world shares; it can be worked out again."""
        kept = {id(world) for world in (but, but.first, but._base)}
        for world in (self, self.first, self._base):
            if id(world) not in kept:
                for name in vars(world).keys() - _GIVEN:
                    del world.__dict__[name]
        if self.elements is not but.elements:
            self.elements.forget()

    # -- elements ---------------------------------------------------------------------------------------------------

    def shape(self, number: int) -> Shape:
        """Return an element."""
        changed = self.changes.get(number)
        return self.elements.shape(number) if changed is None else changed

    @cached_property
    def every_group(self) -> tuple[Group, ...]:
        """All elements by kind, as flat batches."""
        groups = list(self.elements.groups)
        for k, (elements, shape) in enumerate(groups):
            changes = {n: change for n, change in self.changes.items() if type(change) is type(shape)}
            if changes:
                now = joined(type(shape), [*changes.values()])
                groups[k] = Group(elements, with_rows(shape, np.searchsorted(elements, [*changes]), now))
        return tuple(groups)

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """All elements by kind, as flat batches, without those that are hidden."""
        if self.hidden is None:
            return self.every_group
        shown = [(members, ~self.hidden[members.elements]) for members in self.every_group]
        return tuple(Group(members.elements[rows], members.shape[rows]) for members, rows in shown if rows.any())

    def by_group(self, numbers: IntArray) -> Iterator[tuple[IntArray, Shape, IntArray]]:
        """Yield which of some elements, none of them hidden, are in one batch, the batch, and their rows in it."""
        first, now = self.elements.groups, self._replaced_numbers
        changed = np.isin(numbers, now)
        groups = [*first, *(Group(now[own], shape) for own, shape in self._replaced.groups)]
        for k, (elements, shape) in enumerate(groups):
            rows = np.minimum(np.searchsorted(elements, numbers), len(elements) - 1)
            here = np.flatnonzero((elements[rows] == numbers) & (changed == (k >= len(first))))
            if len(here):
                yield here, shape, rows[here]

    @cached_property
    def rows(self) -> SceneRows:
        """The cores of all elements."""
        return SceneRows(self.elements.cores.rows, self.changes)

    @cached_property
    def bounds(self) -> AABB | None:
        """The box around everything that is finite; see `Scene.bounds`."""
        for planes in (False, True):  # half-spaces count where there is nothing else
            lower, upper = _corners(self.elements, self.gone, planes)
            if self.changes:
                now = _corners(self._replaced, np.zeros(self._replaced.count, dtype=bool), planes)
                lower, upper = np.minimum(lower, now[0]), np.maximum(upper, now[1])
            if np.isfinite(lower).all():
                return AABB(lower, upper)
        return None

    @property
    def ignored(self) -> Ignored:
        """The pairs to ignore."""
        return self._base._ignored

    @cached_property
    def _ignored(self) -> Ignored:
        return Ignored(self.ignored_names, self.elements)

    # -- the broad phase --------------------------------------------------------------------------------------------

    @property
    def as_at_first(self) -> bool:
        """Whether no element was replaced or hidden since the broad phase was built."""
        return not self.changes and self.hidden is None

    @property
    def hierarchy(self) -> Hierarchy:
        """The broad phase over the elements as they were at first."""
        return self._base._hierarchy

    @cached_property
    def _hierarchy(self) -> Hierarchy:
        return hierarchy_of(self.elements)

    @cached_property
    def _replaced(self) -> Elements:
        """The elements that were replaced and are not hidden, as they are now, in the order of their numbers."""
        return Elements({str(number): self.changes[number] for number in self._replaced_numbers.tolist()})

    @cached_property
    def _replaced_numbers(self) -> IntArray:
        shown = [number for number in sorted(self.changes) if self.hidden is None or not self.hidden[number]]
        return np.array(shown, dtype=np.int64)

    @cached_property
    def _moved(self) -> Hierarchy:
        """The broad phase over these."""
        return hierarchy_of(self._replaced)

    @cached_property
    def gone(self) -> BoolArray:
        """The elements the pairs of which are not as they were at first: those that changed, and those hidden."""
        gone = np.zeros(self.elements.count, dtype=bool) if self.hidden is None else self.hidden.copy()
        gone[list(self.changes)] = True
        return gone

    @cached_property
    def memory(self) -> SceneMemory:
        """The world as compiled walks see it."""
        with np.errstate(over="ignore", invalid="ignore"):  # near the largest number there may be no answer
            hierarchy = self.hierarchy
            listed = hierarchy.wide[~self.gone[hierarchy.wide]]
            boxes = hierarchy.rows(listed)
            if self.changes:
                listed = np.concatenate([listed, self._replaced_numbers])
                boxes = np.concatenate([boxes, self._moved.rows(np.arange(self._moved.count))])
            return SceneMemory(hierarchy.tree, listed, boxes, self.gone, self.rows)

    def met_by(self, volumes: Volumes, margin: float) -> IntArray:
        """Return the pairs (k, 2) of volumes and elements that may be so near, in no order; none hidden."""
        with np.errstate(over="ignore", invalid="ignore"):  # near the largest number there may be no answer
            pairs = self.hierarchy.met_by(volumes, margin=margin)
            if self.as_at_first:
                return pairs
            kept = pairs[~self.gone[pairs[:, 1]]]
            if not self.changes:
                return kept
            found = self._moved.met_by(volumes, margin=margin)
            return np.concatenate([kept, np.stack([found[:, 0], self._replaced_numbers[found[:, 1]]], axis=1)])

    def candidates_of(self, numbers: Iterable[int], margin: float) -> IntArray:
        """Return the pairs that some elements may have with any, in order."""
        shown = [number for number in numbers if self.hidden is None or not self.hidden[number]]
        found = [NO_PAIRS]
        listed = np.array(shown, dtype=np.int64)
        for which, batch, rows in self.by_group(listed):
            own = listed[which]
            met = self.met_by(volumes_of(batch[rows]), margin)
            found.append(np.sort(np.stack([own[met[:, 0]], met[:, 1]], axis=1), axis=1))
        pairs = np.concatenate(found)
        pairs = self.ignored.removed(pairs[pairs[:, 0] != pairs[:, 1]])
        return self.from_keys(np.unique(self.keys(pairs)))  # two of them make the same pair twice

    def candidates(self, margin: float) -> IntArray:
        """Return the pairs of elements that may be so near to each other, in order."""
        found = self.candidates_at_rest(margin)
        if self.changes:
            found = np.concatenate([found, self.candidates_of(self.changes, margin)])
        return self.from_keys(np.sort(self.keys(found)))

    @np.errstate(over="ignore", invalid="ignore")  # near the largest number there may be no answer
    def candidates_at_rest(self, margin: float, *, some: bool = False) -> IntArray:
        """Return the candidates, or some, of elements that neither changed nor are hidden."""
        pairs = self.ignored.removed(self.hierarchy.pairs(margin=margin, some=some))
        return pairs if self.as_at_first else pairs[~(self.gone[pairs[:, 0]] | self.gone[pairs[:, 1]])]

    # -- pairs ------------------------------------------------------------------------------------------------------

    def touching(self) -> IntArray:
        """Return all pairs (k, 2) that intersect, i < j, in lexicographic order."""
        pairs = self._base._touching_at_first
        if self.as_at_first:
            return pairs
        kept = pairs[~(self.gone[pairs[:, 0]] | self.gone[pairs[:, 1]])]
        return self._sorted(np.concatenate([kept, self.touching_of(self.changes)])) if self.changes else kept

    def touching_of(self, numbers: Iterable[int]) -> IntArray:
        """Return the pairs of touching elements of which at least one is among some."""
        return touching(self.rows, self.candidates_of(numbers, 0.0))

    @cached_property
    def _touching_at_first(self) -> IntArray:
        pairs = touching_in_one_call(self.elements.shapes.values(), self.elements.starts)
        if pairs is None:
            return self._sorted(touching(self.rows, self.candidates_at_rest(0.0)))
        return self.ignored.removed(pairs)

    def near(self, margin: float) -> Contacts:
        """Return the pairs that touch or are no more than a margin apart, and all there is to know of them."""
        found = next((found for at, found in self._last_near if at == margin), None)
        if found is None:
            found = self._found_near(margin)._read_only()
            self._last_near = (margin, found), *self._last_near[:1]
        return found

    #: The answers for the last two margins: who looks at what is near asks for what touches in between.
    _last_near: tuple[tuple[float, Contacts], ...] = ()

    def _found_near(self, margin: float) -> Contacts:
        if self.as_at_first:
            with np.errstate(over="ignore", invalid="ignore"):
                pairs = self.ignored.removed(self.hierarchy.pairs(margin=margin))
            return self._in_order(self.near_among(pairs, margin))
        known = self._base.near(margin)
        kept = known.take(~(self.gone[known.pairs[:, 0]] | self.gone[known.pairs[:, 1]]))
        now = self.near_of(self.changes, margin)
        return self._in_order(kept, now) if len(now) else kept

    def near_of(self, numbers: Iterable[int], margin: float) -> Contacts:
        """Return those of the pairs that are `near` of which at least one element is among some."""
        return self.near_among(self.candidates_of(numbers, margin), margin)

    def near_to(self, shapes: Shape, margin: float) -> Contacts:
        """Return the pairs of some shapes from outside, by their rows in a flat batch, and elements that are `near`."""
        pairs = self._sorted(self.met_by(volumes_of(shapes), margin))
        return near(SceneRows(core_rows([shapes])), self.rows, pairs, margin)

    def near_among(self, pairs: IntArray, margin: float) -> Contacts:
        """Return what there is to know of those of some pairs that are near."""
        return near(self.rows, self.rows, pairs, margin)

    def _in_order(self, *parts: Contacts) -> Contacts:
        """Return contacts in lexicographic order of their pairs."""
        found = Contacts._joined(parts)
        return found.take(np.argsort(self.keys(found.pairs), kind="stable"))

    def keys(self, pairs: IntArray) -> IntArray:
        """Return one number for each pair, in the order of the pairs."""
        return np.asarray(pairs[:, 0] * self.elements.count + pairs[:, 1])

    def from_keys(self, keys: IntArray) -> IntArray:
        """Return the pairs for such numbers."""
        pairs = np.empty((len(keys), 2), dtype=np.int64)
        np.divmod(keys, max(self.elements.count, 1), out=(pairs[:, 0], pairs[:, 1]))
        return pairs

    def _sorted(self, pairs: IntArray) -> IntArray:
        return self.from_keys(np.sort(self.keys(pairs)))


class QueryShapes(NamedTuple):
    """The shapes that a query is about: a flat batch, its former axes, and their elements (-1 from outside)."""

    shapes: Shape
    numbers: IntArray
    batch_shape: tuple[int, ...]
    hidden: BoolArray

    @classmethod
    def outside(cls, shapes: Shape) -> QueryShapes:
        """Return shapes that are not in the scene."""
        flat = shapes.flattened()
        return cls(flat, np.full(len(flat), -1, dtype=np.int64), shapes.batch_shape, np.zeros(len(flat), dtype=bool))

    @classmethod
    def elements(cls, world: World, numbers: range, shapes: Shape) -> QueryShapes:
        """Return elements of a world: all of an entry, or one."""
        listed = np.array(numbers, dtype=np.int64)
        hidden = np.zeros(len(listed), dtype=bool) if world.hidden is None else world.hidden[listed]
        return cls(shapes.flattened(), listed, shapes.batch_shape, hidden)


def near(one: SceneRows, other: SceneRows, pairs: IntArray, margin: float) -> Contacts:
    """Return what there is to know of those pairs (k, 2) of some and others that touch or are near, in their order."""
    found = records(one, other, pairs)
    kept = np.flatnonzero(found.signed_distance <= margin + TOUCH * found.size)
    gap, size, on_a, on_b, normal = (part[kept] for part in found)
    return Contacts(pairs[kept], gap, 0.5 * on_a + 0.5 * on_b, normal, on_a, on_b, np.abs(gap) <= TOUCH * size)


def _corners(elements: Elements, gone: BoolArray, planes: bool) -> tuple[FloatArray, FloatArray]:
    """Return the corners of the box around elements that are not gone: infinite and reversed around nothing."""
    rows, lower, upper = elements.cores
    endless, left_out = np.isinf(lower), gone
    if endless.any():
        points = rows.rows[:, :3]
        lower, upper = np.where(endless, points, lower), np.where(endless, points, upper)
        left_out = gone if planes else gone | half_spaces(elements)
    without = np.flatnonzero(left_out)
    if len(without):
        lower, upper = lower.copy(), upper.copy()
        lower[without], upper[without] = np.inf, -np.inf
    # NumPy takes ten times as long for the least numbers of all columns at once.
    least = [column.min(initial=np.inf) for column in lower.T]
    return np.array(least), np.array([column.max(initial=-np.inf) for column in upper.T])
