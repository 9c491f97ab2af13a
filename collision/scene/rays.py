"""Rays and a scene: the first element that each hits, any, or all in order."""

from __future__ import annotations

import numpy as np

from collision.base.fields import ArrayLike
from collision.queries.casts import read_limits
from collision.scene.answers import SceneHit, SceneHits
from collision.scene.pairs import SceneRows
from collision.scene.volumes import volumes_of
from collision.scene.walks import first_hits, hits_of_pairs
from collision.scene.world import World
from collision.shapes.kinds import Ray
from collision.shapes.rows import core_rows


def check_ray(ray: object, query: str) -> Ray:
    """Return a ray, and refuse any other object."""
    if not isinstance(ray, Ray):
        raise TypeError(f"{query} takes a Ray, got {type(ray).__name__}")
    return ray


def first_or_any(world: World, ray: Ray, max_distance: ArrayLike, any_hit: bool) -> SceneHit:
    """Return the first element that each of one or many rays hits, or any that it hits."""
    if not isinstance(any_hit, (bool, np.bool_)):
        raise TypeError(f"Scene.raycast: any_hit must be True or False, got {any_hit!r}")
    lead, rays = ray.batch_shape, SceneRows(core_rows([ray]))
    limits = read_limits(max_distance, lead, "Scene.raycast")
    with np.errstate(over="ignore", invalid="ignore"):  # near the largest number there may be no answer
        element, hits = first_hits(rays, limits.ravel(), world.memory, bool(any_hit))
    if not lead:
        number = int(element[0])
        name = world.elements.name(number) if number >= 0 else ""
        return SceneHit(number, name, float(hits.enter[0]), hits.point[0], hits.normal[0])
    names, vectors = world.elements.names_of(element), (hits.point.reshape(*lead, 3), hits.normal.reshape(*lead, 3))
    return SceneHit(element.reshape(lead), names.reshape(lead), hits.enter.reshape(lead), *vectors)


def all_hits(world: World, ray: Ray, max_distance: ArrayLike) -> SceneHits:
    """Return all elements that one or many rays hit, in order along each."""
    rays, limits = ray.flattened(), read_limits(max_distance, ray.batch_shape, "Scene.raycast_all").ravel()
    pairs = world.met_by(volumes_of(rays), 0.0)
    which, element = pairs.T
    enter, leave, point, normal = hits_of_pairs(SceneRows(core_rows([rays])), limits, world.rows, pairs)
    kept = np.flatnonzero(~np.isnan(enter))
    kept = kept[np.lexsort((element[kept], enter[kept], which[kept]))]
    return SceneHits(which[kept], element[kept], enter[kept], leave[kept], point[kept], normal[kept], world.elements)
