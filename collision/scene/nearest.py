"""The nearest elements of a scene to many shapes at once, and the pairs of many shapes with it that touch or are near.

Candidates come from the broad phase for all shapes together; they are compared in batches, by the kinds of elements.
"""

from __future__ import annotations

import numpy as np

from collision.queries.distances import ClosestPoints
from collision.scene.answers import Contacts, Nearest
from collision.scene.asking import Asked
from collision.scene.ignored import half_spaces
from collision.scene.pairs import SceneRows, records
from collision.scene.volumes import volumes_of
from collision.scene.walks import nearest
from collision.scene.world import World, near
from collision.shapes.kinds import HalfSpace, Shape
from collision.shapes.rows import core_rows


def nearest_of(world: World, asked: Asked, most: int | None) -> Nearest:
    """Return the nearest element to each of some shapes, or so many of the nearest along a further axis."""
    count, shapes = len(asked.shapes), SceneRows(core_rows([asked.shapes]))
    number, gap = nearest(shapes, asked.numbers, most or 1, world.memory, world.ignored.table)
    number[asked.hidden], gap[asked.hidden] = -1, np.nan
    axes = asked.lead if most is None else (*asked.lead, most)

    def points() -> ClosestPoints:
        rows = np.repeat(np.arange(count), most or 1)
        vectors = np.full((3, number.size, 3), np.nan)
        given = np.flatnonzero(number.ravel() >= 0)
        found = records(shapes, world.rows, np.stack([rows[given], number.ravel()[given]], axis=1))
        vectors[:, given] = found.on_a, found.on_b, found.normal
        return ClosestPoints(gap.reshape(axes), *vectors.reshape(3, *axes, 3))

    return Nearest(number.reshape(axes), gap.reshape(axes), world.elements.names_of, points)


def contacts_of(world: World, shapes: Shape, margin: float) -> Contacts:
    """Return the pairs of some shapes from outside and elements that touch or are no more than a margin apart.

    The first of a pair is the row of a shape in its flat batch.
    """
    pairs = world.met_by(volumes_of(shapes), margin)
    pairs = world.from_keys(np.sort(world.keys(pairs)))
    return near(SceneRows(core_rows([shapes])), world.rows, pairs, margin)


def contacts_between(one: World, other: World, margin: float) -> Contacts:
    """Return the pairs of elements of two worlds that touch or are no more than a margin apart, but of half-spaces."""
    found, spaces = [Contacts.none()], half_spaces(other.elements)
    for members in one.groups:
        part = contacts_of(other, members.shape, margin)
        if isinstance(members.shape, HalfSpace):
            part = part._rows(~spaces[part.pairs[:, 1]])
        part.pairs[:, 0] = members.elements[part.pairs[:, 0]]
        found.append(part)
    joined = Contacts._joined(found)
    return joined._rows(np.lexsort((joined.pairs[:, 1], joined.pairs[:, 0])))
