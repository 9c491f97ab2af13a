"""How coal is asked: objects, transforms, requests and results are made beforehand."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import chain
from typing import Any

import coal
import numpy as np

from collision import Capsule, Shape, Sphere
from collision.base.fields import IntArray
from tests.benchmarks.inputs import Crowd, Pair
from tests.benchmarks.peers import poses, sizes

#: Its broad phases, and how many shapes each is tried with. What is left out is no loss: `SaPCollisionManager` takes
#: seven seconds to take in 10,000 shapes, `DynamicAABBTreeArrayCollisionManager` crashes with 100,000 and is no faster.
MANAGERS = {
    "DynamicAABBTreeCollisionManager": 10_000_000,
    "SSaPCollisionManager": 10_000,
    "IntervalTreeCollisionManager": 10_000,
    "SaPCollisionManager": 1_000,
}


def objects(shape: Shape, first: int = 0) -> list[Any]:
    """Return a batch as collision objects, numbered from `first`."""
    places, rotations = poses(shape)
    made = []
    for number, (size, place, matrix) in enumerate(zip(sizes(shape), places, rotations.as_matrix(), strict=True)):
        geometry = _geometry(shape, size)
        geometry.cost_density = float(first + number)  # nothing here uses it, so it can tell whose contact this is
        made.append(coal.CollisionObject(geometry, matrix, place))
    return made


def _geometry(shape: Shape, size: Any) -> Any:
    if isinstance(shape, Sphere):
        return coal.Sphere(size[0])
    if isinstance(shape, Capsule):
        return coal.Capsule(size[0], 2.0 * size[1])
    return coal.Box(*(2.0 * size))


def distance_loop(pair: Pair) -> Callable[[], list[float]]:
    """Return the loop that asks for the signed distance, witness points and normal of pair after pair."""
    ready = list(zip(objects(pair.a), objects(pair.b), strict=True))
    request, result = coal.DistanceRequest(), coal.DistanceResult()
    distance, clear = coal.distance, result.clear

    def loop() -> list[float]:
        answers = []
        for a, b in ready:
            clear()  # otherwise coal returns at once with what the last pair left behind
            answers.append(distance(a, b, request, result))
        return answers

    return loop


def colliding_pairs(crowd: Crowd) -> dict[str, Callable[[], Any]]:
    """Return, for each broad phase, the function that takes in all objects and collides them all.

    Bulk registration cannot be reached from Python, so the objects are registered one by one. Contact points are not
    asked for.
    """
    starts = np.cumsum([0, *map(len, crowd)])
    ready = list(chain.from_iterable(objects(batch, int(start)) for batch, start in zip(crowd, starts, strict=False)))
    managers = [name for name, most in MANAGERS.items() if len(ready) <= most]
    return {name: partial(_collide, getattr(coal, name), ready) for name in managers}


def _collide(manager: Any, ready: list[Any]) -> Any:
    found = coal.CollisionCallBackDefault()
    found.data.request.num_max_contacts = 2**31 - 1
    found.data.request.enable_contact = False
    broad_phase = manager()
    register = broad_phase.registerObject
    for item in ready:
        register(item)
    broad_phase.setup()
    broad_phase.collide(found)
    return found


def contacts_of_two(one: Crowd, other: Crowd) -> Callable[[], Any]:
    """Return the function that collides two sets of objects, each in a tree that is made beforehand."""
    trees = []
    for crowd in (one, other):
        starts = np.cumsum([0, *map(len, crowd)])
        ready = [item for batch, start in zip(crowd, starts, strict=False) for item in objects(batch, int(start))]
        tree = coal.DynamicAABBTreeCollisionManager()
        for item in ready:
            tree.registerObject(item)
        tree.setup()
        trees.append((tree, ready))  # the objects must live as long as the tree

    def collide() -> Any:
        found = coal.CollisionCallBackDefault()
        found.data.request.num_max_contacts = 2**31 - 1
        trees[0][0].collide(trees[1][0], found)
        return found

    return collide


def pairs_found(found: Any) -> IntArray:
    """Return the numbers of the shapes of each contact, (k, 2)."""
    contacts = found.data.result.getContacts()
    numbers = [(contact.o1.cost_density, contact.o2.cost_density) for contact in contacts]
    return np.array(numbers, dtype=np.int64).reshape(-1, 2)
