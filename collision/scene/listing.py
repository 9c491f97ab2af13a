"""The first contacts of a scene, and how many there are, in memory that grows with what is asked for, not with these.

The candidates of the broad phase, two numbers each, are all there is at once; what there is to know of a pair takes
twenty times as much, and is worked out for a part of them after the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from collision.base.fields import BoolArray, IntArray
from collision.scene.answers import Contacts
from collision.scene.pairs import touching
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
    for found in _in_order(world, world.candidates(margin), margin):
        total += len(found)
        if left > 0:
            parts.append(found._rows(slice(left)))
            left -= len(parts[-1])
    contacts = Contacts._joined(parts)
    colliding = world.keys(touching(world.rows, contacts.pairs))
    return FirstContacts(contacts, np.isin(world.keys(contacts.pairs), colliding), total)


def has_contact(world: World, margin: float) -> bool:
    """Tell whether any pair touches or is no more than a margin apart; where many do, few are looked at."""
    if any(len(found) for found in _in_order(world, world.candidates_at_rest(margin, some=True), margin)):
        return True
    return any(len(found) for found in _in_order(world, world.candidates(margin), margin))


def _in_order(world: World, pairs: IntArray, margin: float) -> Iterator[Contacts]:
    for start in range(0, len(pairs), _PART):
        yield world.near_among(pairs[start : start + _PART], margin)
