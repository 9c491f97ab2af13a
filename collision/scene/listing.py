"""The first contacts of a scene, and how many there are, in memory that grows with what is asked for, not with these.

The candidates of the broad phase, two numbers each, are all there is at once; what there is to know of a pair takes
twenty times as much, and is worked out for a part of them after the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from collision.base.fields import BoolArray, IntArray
from collision.scene.answers import Contacts
from collision.scene.candidates import pairs_of
from collision.scene.pairing import PairsByKind

if TYPE_CHECKING:
    from collision.scene.world import World

#: So many candidates are looked at together.
_PART = 1 << 16


class FirstContacts(NamedTuple):
    """Some contacts of a scene, and how many there are.

    Attributes
    ----------
    contacts : Contacts
        The first, in lexicographic order of the pairs.
    colliding : ndarray of bool, shape (k,)
        Which of them intersect; with a margin, others are only near.
    total : int
        How many contacts the scene has.
    """

    contacts: Contacts
    colliding: BoolArray
    total: int


def first_contacts(world: World, margin: float, most: int) -> FirstContacts:
    """Return the first pairs that touch or are no more than a margin apart, and how many there are."""
    parts, left, total = [Contacts.none()], most, 0
    for found in _in_order(world, _candidates(world, margin), margin):
        total += len(found)
        if left > 0:
            parts.append(found._rows(slice(left)))
            left -= len(parts[-1])
    contacts = Contacts(*(np.concatenate(part) for part in zip(*(part._parts() for part in parts), strict=True)))
    touching = PairsByKind(contacts.pairs, world.batches).touching(world.elements.count)
    return FirstContacts(contacts, np.isin(world.keys(contacts.pairs), world.keys(touching)), total)


def has_contact(world: World, margin: float) -> bool:
    """Tell whether any pair touches or is no more than a margin apart; where many do, few are looked at."""
    if any(len(found) for found in _in_order(world, _at_rest(world, margin, some=True), margin)):
        return True
    return any(len(found) for found in _in_order(world, _candidates(world, margin), margin))


def _in_order(world: World, pairs: IntArray, margin: float) -> Iterator[Contacts]:
    for start in range(0, len(pairs), _PART):
        yield PairsByKind(pairs[start : start + _PART], world.batches).near(margin).contacts


def _candidates(world: World, margin: float) -> IntArray:
    """Return the pairs that may be so near to each other, in order."""
    found = _at_rest(world, margin)
    if world.changes:
        found = np.concatenate([found, pairs_of(world, world.changes, margin)])
    return world.from_keys(np.sort(world.keys(found)))


@np.errstate(over="ignore", invalid="ignore")  # near the largest number there may be no answer
def _at_rest(world: World, margin: float, *, some: bool = False) -> IntArray:
    """Return the candidates, or some, of elements that neither changed nor are hidden."""
    pairs = world.ignored.removed(world.hierarchy.pairs(margin=margin, some=some))
    return pairs if world.as_at_first else pairs[~(world.gone[pairs[:, 0]] | world.gone[pairs[:, 1]])]
