"""What queries over a whole scene work on: the broad phase, the narrow phase, and what changed since both were built.

A `World` is built once for many elements. An element that moves makes a new world that shares all of the old one and
remembers the change; its queries correct the shared answers for the few elements that changed, and so cost what the
change costs. When too much has changed, the caller builds anew.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

import numpy as np

from collision.base.cached import cached_property
from collision.base.fields import BoolArray, IntArray
from collision.broadphase.hierarchy import FEW as SMALL
from collision.broadphase.hierarchy import Hierarchy
from collision.kernels.cores import TOUCH
from collision.queries.distances import intersects, signed_distance
from collision.scene.answers import Changes, Contacts
from collision.scene.at_once import touching_at_once
from collision.scene.candidates import NO_PAIRS, bounding_box, others_in, others_near, paired, pairs_of
from collision.scene.elements import Elements, Group
from collision.scene.ignored import Ignored
from collision.scene.memory import Listed, SceneMemory
from collision.scene.one import is_alone, touching_one
from collision.scene.outermost import Outermost
from collision.scene.pairing import Batches, Near, PairsByKind
from collision.scene.volumes import hierarchy_of
from collision.shapes.kinds import AABB, Shape

#: Up to so many changed elements are kept apart; each costs every query a little.
MANY = 64

#: Up to so many pairs are looked at one by one, which takes less time than all at once.
FEW = 8

#: What a world works out when it is first asked for.
_WORKED_OUT = {
    *("groups", "_hierarchy", "_ignored", "_spacing", "_touching_at_first", "batches", "gone", "memory", "moved"),
    *("_found_near", "_last_near", "_last_at_rest", "_looked", "since_first"),
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
        if len(merged) > MANY:
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
        hidden = np.zeros(self.elements.count, dtype=bool) if self.hidden is None else self.hidden.copy()
        hidden[numbers] = True
        return self._sharing(self.changes, hidden)

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
                for name in _WORKED_OUT:
                    world.__dict__.pop(name, None)
        if self.elements is not but.elements:
            self.elements.forget()

    # -- elements ---------------------------------------------------------------------------------------------------

    def shape(self, number: int) -> Shape:
        """Return an element."""
        changed = self.changes.get(number)
        return self.elements.shape(number) if changed is None else changed

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """All elements by kind, as flat batches, without those that are hidden."""
        groups = self.elements.changed_groups(self.changes) if self.changes else self.elements.groups
        if self.hidden is None:
            return groups
        shown = [(members, ~self.hidden[members.elements]) for members in groups]
        return tuple(Group(members.elements[rows], members.shape[rows]) for members, rows in shown if rows.any())

    @cached_property
    def bounds(self) -> AABB | None:
        """The box around everything that is finite; see `Scene.bounds`."""
        hidden = self.hidden
        shown = {n: shape if hidden is None or not hidden[n] else None for n, shape in self.changes.items()}
        return self.first._outermost.box(shown)

    @cached_property
    def _outermost(self) -> Outermost:
        return Outermost.of(self.groups, MANY)

    @property
    def ignored(self) -> Ignored:
        """The pairs to ignore."""
        return self._base._ignored

    @cached_property
    def _ignored(self) -> Ignored:
        return Ignored(self.ignored_names, self.elements)

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
        listed = list(numbers)
        if len(listed) == 1 and is_alone(self, listed[0]):
            return paired(listed[0], touching_one(self.shape(listed[0]), listed[0], self._base.memory))
        return self._touching_among(pairs_of(self, listed, 0.0))

    def near(self, margin: float) -> Contacts:
        """Return the pairs that touch or are no more than a margin apart, and all there is to know of them."""
        known = self._base._near_at_first(margin)
        if self.as_at_first:
            return known.contacts
        if self._found_near is None or self._found_near[0] != margin:
            found = self._near_now(margin, known)
            for shared in found._parts():
                shared.flags.writeable = False
            self._found_near = margin, found
        return self._found_near[1]

    #: The last answer of `near`, and for which margin: several parts of a picture ask for the same.
    _found_near: tuple[float, Contacts] | None = None

    def _near_now(self, margin: float, known: Near) -> Contacts:
        alone = margin == 0.0 and len(self.changes) == 1
        pairs = self._touching_one(*self.changes.items()) if alone else pairs_of(self, self.changes, margin)
        if not len(pairs):
            return self._near_at_rest(known)
        return PairsByKind(pairs, self.batches).near(margin, known, self.gone).contacts

    def near_of(self, numbers: Iterable[int], margin: float) -> Contacts:
        """Return those of the pairs that are `near` of which at least one element is among some."""
        return PairsByKind(pairs_of(self, numbers, margin), self.batches).near(margin).contacts

    # -- one shape and the elements around it -----------------------------------------------------------------------

    def around(self, number: int, reach: float) -> tuple[IntArray, bool]:
        """Return the others in the box of an element that reaches so far beyond it, or somewhat farther.

        They are kept: after a move, who collides is asked first, and then what is nearest.
        """
        last = self._looked
        if last is None or last[0] != number or not last[1] >= reach:  # which may be no number
            last = self._looked = number, reach, *others_in(self, number, bounding_box(self.shape(number), reach))
        return last[2:]

    #: The last answer of `around`, and to what.
    _looked: tuple[int, float, IntArray, bool] | None = None

    def likely_reach(self, number: int, shape: Shape) -> float | None:
        """Return how far an element is now from what was nearest to it when that was last asked; None if it was not.

        It is where to begin a search: from one place of a drag to the next, the nearest is mostly the same.
        """
        asked, nearest = self._base._nearest_before
        gap = float(signed_distance(shape, self.shape(nearest))) if asked == number >= 0 else math.inf
        return max(gap, 0.0) * (1.0 + TOUCH) if gap < math.inf else None

    def pairs_of_one(self, number: int, shape: Shape, others: IntArray) -> PairsByKind:
        """Return the pairs of one element, or of a shape from outside, and some elements."""
        pairs = np.empty((len(others), 2), dtype=np.int64)
        pairs[:, 0], pairs[:, 1] = number, others
        return PairsByKind(pairs, self.batches if number >= 0 else self.batches.with_more({number: shape}))

    def by_group(self, numbers: IntArray) -> Iterator[tuple[IntArray, Shape, IntArray]]:
        """Yield which of some elements are in one batch, the batch, and their rows in it."""
        group, row = self.places(numbers)
        for place in np.flatnonzero(np.bincount(group)).tolist():
            here = np.flatnonzero(group == place)
            yield here, self.batches.shapes[place].flattened(), row[here]

    def found_nearest(self, number: int, nearest: int) -> None:
        """Remember which is the nearest to an element, for all worlds that share the broad phase."""
        self._base._nearest_before = number, nearest

    #: The element for which the nearest was last asked, and the answer, which may be out of date.
    _nearest_before = -1, -1

    @property
    def spacing(self) -> float:
        """A length to start a search for neighbours with."""
        return self._base._spacing

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
    def moved(self) -> tuple[IntArray, Hierarchy]:
        """The elements that were replaced and are not hidden, and a broad phase over them as they are now."""
        numbers = np.array([n for n in self.changes if self.hidden is None or not self.hidden[n]], dtype=np.int64)
        elements = Elements({str(number): self.changes[number] for number in numbers.tolist()})
        return numbers, hierarchy_of(elements)

    @cached_property
    def memory(self) -> SceneMemory:
        """The world as compiled walks see it."""
        with np.errstate(over="ignore", invalid="ignore"):  # near the largest number there may be no answer
            small = self.elements.count <= SMALL
            beside = np.arange(self.elements.count) if small else self.hierarchy.wide
            if not self.as_at_first:
                beside = beside[~self.gone[beside]]
            boxes = self.hierarchy.rows(beside)
            if self.changes:
                numbers, moved = self.moved
                beside, boxes = np.concatenate([beside, numbers]), np.concatenate([boxes, moved.rows(moved.every)])
            listed = Listed(boxes, beside, np.stack(self.places(beside), axis=1))
            gone = None if self.as_at_first else self.gone
            return SceneMemory(None if small else self.hierarchy.tree, listed, gone, self.batches)

    @cached_property
    @np.errstate(over="ignore", invalid="ignore")  # near the largest number there may be no answer
    def _spacing(self) -> float:
        """A length to start a search for neighbours with."""
        _, lower, upper = self.elements.placed
        if not self.elements.count:
            return 1.0
        finite = np.isfinite(lower) & np.isfinite(upper)
        extent = float(np.max(np.where(finite, upper, -np.inf)) - np.min(np.where(finite, lower, np.inf)))
        return extent / self.elements.count ** (1.0 / 3.0) if 0.0 < extent < np.inf else 1.0

    @cached_property
    def _touching_at_first(self) -> IntArray:
        pairs = touching_at_once(self.elements)
        if pairs is not None:
            return self.ignored.removed(pairs) if self.ignored_names else pairs
        return self._touching_among(self.ignored.removed(self.hierarchy.pairs()))

    def _near_at_first(self, margin: float) -> Near:
        for room, near in self._last_near:
            if room == margin:
                return near
        with np.errstate(over="ignore", invalid="ignore"):
            pairs = self.ignored.removed(self.hierarchy.pairs(margin=margin))
        found = PairsByKind(pairs, self.batches).near(margin).contacts
        near = Near.of(found._rows(np.argsort(self.keys(found.pairs))))
        for shared in near.contacts._parts():
            shared.flags.writeable = False
        self._last_near = ((margin, near), *self._last_near[:1])
        return near

    #: The answers for the last two margins: who looks at what is near asks for what touches in between.
    _last_near: tuple[tuple[float, Near], ...] = ()

    def _near_at_rest(self, known: Near) -> Contacts:
        """Return those of the pairs that were near at first that are of elements neither changed nor hidden.

        They are kept, read-only, for all worlds in which the same elements are changed and hidden: while a shape is
        dragged through free space, the others touch as they did.
        """
        changed = frozenset(self.changes)
        if (last := self._base._last_at_rest) is not None:
            before, numbers, hidden, contacts = last
            if before is known and numbers == changed and hidden is self.hidden:
                return contacts
        contacts = PairsByKind(NO_PAIRS, self.batches).near(0.0, known, self.gone).contacts
        for shared in contacts._parts():
            shared.flags.writeable = False
        self._base._last_at_rest = known, changed, self.hidden, contacts
        return contacts

    #: The last answer of `_near_at_rest`, and of what: the pairs at first, those that changed, and those hidden.
    _last_at_rest: tuple[Near, frozenset[int], BoolArray | None, Contacts] | None = None

    def _touching_one(self, changed: tuple[int, Shape]) -> IntArray:
        """Return the pairs that the only changed element may have, in order: where there are few, those that touch.

        It looks as far as what was nearest to it is: who asks next what is nearest need not look again.
        """
        number, shape = changed
        reach = self.likely_reach(number, shape) or 0.0
        others = self.around(number, reach)[0] if shape.bounded else others_near(self, number, shape, 0.0)
        if len(others) > FEW:
            return pairs_of(self, [number], 0.0) if reach else paired(number, others)
        # The first of a pair is that of the lower number, as everywhere: the other way round, rounding may differ.
        pairs = [(other, number) if other < number else (number, other) for other in others.tolist()]
        found = [(a, b) for a, b in pairs if intersects(self.shape(a), self.shape(b))]
        return np.array(found, dtype=np.int64) if found else NO_PAIRS

    @cached_property
    def gone(self) -> BoolArray:
        """The elements the pairs of which are not as they were at first: those that changed, and those hidden."""
        gone = np.zeros(self.elements.count, dtype=bool) if self.hidden is None else self.hidden.copy()
        gone[list(self.changes)] = True
        return gone

    # -- the narrow phase -------------------------------------------------------------------------------------------

    def _touching_among(self, pairs: IntArray) -> IntArray:
        """Return those of some pairs that touch, in order."""
        return PairsByKind(pairs, self.batches).touching(self.elements.count)

    @cached_property
    def batches(self) -> Batches:
        """The elements by kind as they were at first, and then, by kind again, those that changed."""
        if self.changes:
            return self._base.batches.with_more(self.changes)
        shapes = [members.shape for members in self._base.elements.groups]
        return Batches(shapes, self._base.elements.placed.places, np.empty((0, 3), dtype=np.int64))

    def places(self, numbers: IntArray) -> tuple[IntArray, IntArray]:
        """Return the group and the row in it of some elements."""
        places = self.elements.placed.places[numbers]
        for number, group, row in self.batches.moved.tolist():
            places[numbers == number] = group, row
        return places[:, 0], places[:, 1]

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
