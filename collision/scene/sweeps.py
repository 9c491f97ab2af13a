"""The first elements of a scene that moving shapes touch, while all others rest."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from collision.base.fields import ArrayLike, BoolArray, FloatArray, IntArray, check_broadcast, read_vector
from collision.broadphase.volumes import BoundingBoxes, HalfSpaces, Swept, Volumes
from collision.kernels.impact import NEAR_TOUCH
from collision.queries.moving import PlacementPath
from collision.queries.sweeps import course_touches, first_touches, read_course
from collision.scene.answers import SceneSweep
from collision.scene.elements import volumes_of
from collision.scene.world import QueryShapes, World
from collision.shapes.kinds import Shape
from collision.shapes.transforms import Transform


def read_way(
    moving: QueryShapes,
    motion: ArrayLike | None,
    start: Transform | None,
    end: Transform | None,
    pivot: ArrayLike | None,
) -> tuple[FloatArray | PlacementPath, tuple[int, ...]]:
    """Return how some shapes move, by motions or from placements to others, and the joint batch axes."""
    if (motion is None) == (end is None) or (end is None and start is not None):
        got = "neither" if motion is None else "both"
        raise TypeError(f"Scene.sweep takes either a motion, or a placement at the end, got {got}")
    if motion is not None:
        if pivot is not None:
            raise TypeError("Scene.sweep takes a pivot with a placement at the end, not with a motion")
        way = read_vector(motion, "Scene.sweep.motion")
        return way, check_broadcast("Scene.sweep", shape=moving.batch_shape, motion=way.shape[:-1])
    course = read_course("Scene.sweep", moving.shapes, start, end, pivot)
    assert course is not None  # since there is an end
    return course, check_broadcast("Scene.sweep", shape=moving.batch_shape, placements=course.batch_shape)


def first_swept(
    world: World, moving: QueryShapes, way: FloatArray | PlacementPath, lead: tuple[int, ...]
) -> SceneSweep:
    """Return the first element at rest that each of some shapes touches on its way; of several, the lowest number."""
    count = int(np.prod(lead, dtype=np.int64))
    own = np.broadcast_to(np.arange(len(moving.shapes)).reshape(moving.batch_shape), lead).ravel()
    shapes, numbers = moving.shapes[own], moving.numbers[own]
    if isinstance(way, PlacementPath):
        sweep = _SweptShapes(shapes, way.spread(own, lead))
    else:
        sweep = _SweptShapes(shapes, np.ascontiguousarray(np.broadcast_to(way, (*lead, 3)).reshape(-1, 3)))
    pairs, soonest = sweep.met(world)
    kept = _partners(world, numbers, pairs) & ~moving.hidden[own[pairs[:, 0]]]
    which, element = np.ascontiguousarray(pairs[kept].T)
    fraction, point, normal = sweep.touches(world, which, element, soonest[kept])
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


class _SweptShapes(NamedTuple):
    """Flat batches of shapes and of their ways: motions, or placements that they go between."""

    shapes: Shape
    ways: FloatArray | PlacementPath

    def met(self, world: World) -> tuple[IntArray, FloatArray]:
        """Return the pairs (k, 2) with elements that they may touch, and the least fractions at which they can."""
        if not isinstance(self.ways, PlacementPath):
            pairs = world.met_by(_swept(volumes_of(self.shapes), self.ways), 0.0)
            return pairs, np.zeros(len(pairs))
        lower, upper, _ = self.ways.boxes()
        parts, count = lower.shape[1], max(world.elements.count, 1)
        found = world.met_by(BoundingBoxes(lower.reshape(-1, 3), upper.reshape(-1, 3)), 0.0)
        keys = np.sort((found[:, 0] // parts * count + found[:, 1]) * parts + found[:, 0] % parts)
        pair, first = np.unique(keys // parts, return_index=True)
        return np.stack([pair // count, pair % count], axis=1), keys[first] % parts / parts

    def touches(self, world: World, which: IntArray, element: IntArray, soonest: FloatArray) -> list[FloatArray]:
        """Return fractions, points and normals of the first touches of pairs; NaN for misses and later touches."""
        found = [np.full(len(which), np.nan), *np.empty((2, len(which), 3))]
        first = np.full(1 + which.max(initial=-1), 1.0 + NEAR_TOUCH)  # a touch may be said to be so much too early
        for part in np.unique(soonest):
            now = np.flatnonzero((soonest == part) & (part <= first[which]))
            for here, batch, rows in world.by_group(element[now]):
                these = now[here]
                for whole, own in zip(found, self._touches_of(which[these], batch, rows), strict=True):
                    whole[these] = own
            np.fmin.at(first, which[now], found[0][now] + NEAR_TOUCH)
        return found

    def _touches_of(self, rows: IntArray, batch: Shape, others: IntArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        if isinstance(self.ways, PlacementPath):
            return course_touches(self.ways.picked(rows), batch[others], "Scene.sweep")
        return first_touches(self.shapes, batch, self.ways[rows], rows.shape, (rows, others))


def _partners(world: World, numbers: IntArray, pairs: IntArray) -> BoolArray:
    """Tell which pairs of shapes and elements are not of an element and itself, nor ignored ones."""
    own, other = numbers[pairs[:, 0]], pairs[:, 1]
    kept = own != other
    inside = np.flatnonzero(own >= 0)
    if len(inside):
        kept[inside] &= world.ignored.keeps(np.sort(np.stack([own[inside], other[inside]], axis=1), axis=1))
    return np.asarray(kept)


def _swept(volumes: Volumes, way: FloatArray) -> Volumes:
    """Return what the broad phase looks for in place of volumes that move."""
    if isinstance(volumes, HalfSpaces):  # it is all in the farther of its first position and its last
        rise = np.maximum((way * volumes.normal).sum(axis=1), 0.0)
        return HalfSpaces(volumes.point + rise[:, None] * volumes.normal, volumes.normal)
    if isinstance(volumes, BoundingBoxes) and np.isfinite(volumes.lower).all() and np.isfinite(volumes.upper).all():
        return Swept(volumes.lower, volumes.upper, way)
    count = len(way)  # lines, and what is too large for a box, may come to anything
    return BoundingBoxes(np.full((count, 3), -np.inf), np.full((count, 3), np.inf))
