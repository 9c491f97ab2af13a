"""The first elements of a scene that moving shapes touch, while all others rest."""

from __future__ import annotations

import numpy as np

from collision.broadphase.volumes import Boxes, HalfSpaces, Swept, Volumes
from collision.fields import FloatArray, IntArray
from collision.scene.answers import SceneSweep
from collision.scene.asking import Asked
from collision.scene.candidates import met_by
from collision.scene.volumes import volumes_of
from collision.scene.world import World
from collision.sweeps import first_touches


def first_swept(world: World, asked: Asked, way: FloatArray, lead: tuple[int, ...]) -> SceneSweep:
    """Return the first element that each of some shapes touches when it goes its way; of several, the lowest number.

    Parameters
    ----------
    world : World
        The elements that rest.
    asked : Asked
        The shapes.
    way : ndarray, shape (..., 3)
        The whole ways that they go.
    lead : tuple of int
        The joint batch axes of the shapes and the ways.
    """
    count = int(np.prod(lead, dtype=np.int64))
    own = np.broadcast_to(np.arange(len(asked.shapes)).reshape(asked.lead), lead).ravel()
    ways = np.ascontiguousarray(np.broadcast_to(way, (*lead, 3)).reshape(-1, 3))
    shapes, numbers = asked.shapes if len(own) == len(asked.shapes) else asked.shapes[own], asked.numbers[own]
    pairs = _partners(world, numbers, met_by(world, _swept(volumes_of(shapes), ways), 0.0))
    which, element = np.ascontiguousarray(pairs[~asked.hidden[own[pairs[:, 0]]]].T)
    fraction, point, normal = np.empty(len(which)), np.empty((len(which), 3)), np.empty((len(which), 3))
    for here, batch, rows in world.by_group(element):
        mine = which[here]
        found = first_touches(shapes, batch, ways[mine], here.shape, (mine, rows))
        fraction[here], point[here], normal[here] = found
    hit = np.flatnonzero(~np.isnan(fraction))
    order = hit[np.lexsort((element[hit], fraction[hit], which[hit]))]
    swept, first = np.unique(which[order], return_index=True)
    best = order[first]
    answer = np.full(count, -1, dtype=np.int64), np.full(count, np.nan), *np.full((2, count, 3), np.nan)
    for part, found in zip(answer, (element, fraction, point, normal), strict=True):
        part[swept] = found[best]
    number, fraction, point, normal = (part.reshape(lead + part.shape[1:]) for part in answer)
    if not lead:
        return SceneSweep(int(number), str(world.elements.names_of(number)), float(fraction), point, normal)
    return SceneSweep(number, world.elements.names_of(number), fraction, point, normal)


def _partners(world: World, numbers: IntArray, pairs: IntArray) -> IntArray:
    """Return the pairs of shapes and elements without those of an element and itself, and without ignored ones."""
    own, other = numbers[pairs[:, 0]], pairs[:, 1]
    kept = own != other
    inside = np.flatnonzero(own >= 0)
    if len(inside):
        kept[inside] &= world.ignored.keeps(np.sort(np.stack([own[inside], other[inside]], axis=1), axis=1))
    return np.asarray(pairs[kept])


def _swept(volumes: Volumes, way: FloatArray) -> Volumes:
    """Return what the broad phase looks for in place of volumes that move."""
    if isinstance(volumes, HalfSpaces):  # it is all in the farther of its first place and its last
        rise = np.maximum((way * volumes.normal).sum(axis=1), 0.0)
        return HalfSpaces(volumes.point + rise[:, None] * volumes.normal, volumes.normal)
    if isinstance(volumes, Boxes) and np.isfinite(volumes.lower).all() and np.isfinite(volumes.upper).all():
        return Swept(volumes.lower, volumes.upper, way)
    count = len(way)  # lines, and what is too large for a box, may come to anything
    return Boxes(np.full((count, 3), -np.inf), np.full((count, 3), np.inf))
