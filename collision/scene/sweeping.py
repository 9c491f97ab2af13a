"""The first elements of a scene that moving shapes touch, while all others rest."""

from __future__ import annotations

import numpy as np

from collision.broadphase.volumes import Boxes, HalfSpaces, Swept, Volumes
from collision.fields import ArrayLike, FloatArray, IntArray, check_broadcast, read_vector
from collision.impact.placements import Course
from collision.scene.answers import SceneSweep
from collision.scene.asking import Asked
from collision.scene.candidates import met_by
from collision.scene.volumes import volumes_of
from collision.scene.world import World
from collision.sweeps import course_touches, first_touches, read_course
from collision.transforms import Transform


def read_way(
    asked: Asked, motion: ArrayLike | None, start: Transform | None, end: Transform | None, pivot: ArrayLike
) -> tuple[FloatArray | Course, tuple[int, ...]]:
    """Return how some shapes move, by motions or from placements to others, and the joint batch axes.

    Raises
    ------
    TypeError
        If there is not either a motion or an end, or a placement is no Transform.
    ValueError
        If a vector is not finite or not (..., 3), scales differ, or batch axes do not broadcast.
    """
    if (motion is None) == (end is None) or (end is None and start is not None):
        raise TypeError("Scene.sweep takes a motion, or a placement at the end, not both")
    if motion is not None:
        way = read_vector(motion, "Scene.sweep.motion")
        return way, check_broadcast("Scene.sweep", shape=asked.lead, motion=way.shape[:-1])
    course = read_course("Scene.sweep", asked.shapes, start, end, pivot)
    assert course is not None  # since there is an end
    return course, check_broadcast("Scene.sweep", shape=asked.lead, placements=course.batch_shape)


def first_swept(world: World, asked: Asked, way: FloatArray | Course, lead: tuple[int, ...]) -> SceneSweep:
    """Return the first element that each of some shapes touches when it goes its way; of several, the lowest number.

    Parameters
    ----------
    world : World
        The elements that rest.
    asked : Asked
        The shapes.
    way : ndarray, shape (..., 3), or Course
        The whole ways that they go; or the placements that they go between.
    lead : tuple of int
        The joint batch axes of the shapes and the ways.
    """
    count = int(np.prod(lead, dtype=np.int64))
    own = np.broadcast_to(np.arange(len(asked.shapes)).reshape(asked.lead), lead).ravel()
    shapes, numbers = asked.shapes if len(own) == len(asked.shapes) else asked.shapes[own], asked.numbers[own]
    ways: FloatArray | Course
    if isinstance(way, Course):
        ways = way.spread(own, lead)
        volumes: Volumes = Boxes(*ways.around())
    else:
        ways = np.ascontiguousarray(np.broadcast_to(way, (*lead, 3)).reshape(-1, 3))
        volumes = _swept(volumes_of(shapes), ways)
    pairs = _partners(world, numbers, met_by(world, volumes, 0.0))
    which, element = np.ascontiguousarray(pairs[~asked.hidden[own[pairs[:, 0]]]].T)
    fraction, point, normal = np.empty(len(which)), np.empty((len(which), 3)), np.empty((len(which), 3))
    for here, batch, rows in world.by_group(element):
        mine = which[here]
        if isinstance(ways, Course):
            found = course_touches(ways.picked(mine), batch[rows], "Scene.sweep")
        else:
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
