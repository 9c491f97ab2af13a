"""The nearest elements of a scene to many shapes at once, and the pairs of many shapes with it that touch or are near.

Candidates come from the broad phase for all shapes together; they are compared in batches, by the kinds of elements.
"""

from __future__ import annotations

import numpy as np

from collision.base.fields import IntArray
from collision.kernels.cores import TOUCH
from collision.queries.distances import ClosestPoints
from collision.queries.separation import Record, separate
from collision.scene.answers import Contacts, Nearest
from collision.scene.asking import Asked
from collision.scene.candidates import met_by
from collision.scene.ignored import half_spaces
from collision.scene.volumes import volumes_of
from collision.scene.world import World
from collision.shapes.kinds import HalfSpace
from collision.shapes.shape import Shape


def nearest_of(world: World, asked: Asked, most: int | None) -> Nearest:
    """Return the nearest element to each of some shapes, or so many of the nearest along a further axis."""
    from collision.scene.neighbors import nearest_of_many  # and its loops

    count = len(asked.shapes)
    number, gap = nearest_of_many(asked.shapes, asked.numbers, most or 1, world.memory, world.ignored.table)
    number[asked.hidden], gap[asked.hidden] = -1, np.nan
    axes = asked.lead if most is None else (*asked.lead, most)

    def points() -> ClosestPoints:
        rows = np.repeat(np.arange(count), most or 1)
        found = records(world, asked.shapes, rows, number.ravel())
        vectors = [v.reshape(*axes, 3) for v in (found.on_a, found.on_b, found.normal)]
        return ClosestPoints(gap.reshape(axes), *vectors)

    return Nearest(number.reshape(axes), gap.reshape(axes), world.elements.names_of, points)


def contacts_of(world: World, shapes: Shape, margin: float) -> Contacts:
    """Return the pairs of some shapes from outside and elements that touch or are no more than a margin apart.

    The first of a pair is the row of a shape in its flat batch.
    """
    pairs = met_by(world, volumes_of(shapes), margin)
    found = records(world, shapes, *np.ascontiguousarray(pairs.T))
    near = np.flatnonzero(found.signed_distance <= margin + TOUCH * found.size)
    rows = near[np.lexsort((pairs[near, 1], pairs[near, 0]))]
    gap, _, on_a, on_b, normal = (part[rows] for part in found)
    return Contacts(pairs[rows], gap, 0.5 * on_a + 0.5 * on_b, normal, on_a, on_b)


def contacts_between(one: World, other: World, margin: float) -> Contacts:
    """Return the pairs of elements of two worlds that touch or are no more than a margin apart, but of half-spaces."""
    found, spaces = [Contacts.none()], half_spaces(other.elements)
    for members in one.groups:
        part = contacts_of(other, members.shape, margin)
        if isinstance(members.shape, HalfSpace):
            part = part._rows(~spaces[part.pairs[:, 1]])
        part.pairs[:, 0] = members.elements[part.pairs[:, 0]]
        found.append(part)
    joined = Contacts(*map(np.concatenate, zip(*(part._parts() for part in found), strict=True)))
    return joined._rows(np.lexsort((joined.pairs[:, 1], joined.pairs[:, 0])))


def records(world: World, shapes: Shape, rows: IntArray, numbers: IntArray) -> Record:
    """Return all there is to know of pairs of rows of a flat batch and elements, NaN where there is none (-1)."""
    count = len(rows)
    distance, size = np.full((2, count), np.nan)
    on_a, on_b, normal = np.full((3, count, 3), np.nan)
    given = np.flatnonzero(numbers >= 0)
    for which, batch, places in world.by_group(numbers[given]):
        here = given[which]
        found = separate(shapes, batch, here.shape, (rows[here], places))
        distance[here], size[here] = found.signed_distance, found.size
        on_a[here], on_b[here], normal[here] = found.on_a, found.on_b, found.normal
    return Record(distance, size, on_a, on_b, normal)
