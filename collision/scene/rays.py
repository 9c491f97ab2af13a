"""Rays and a scene: the first element that each hits, any, or all in order."""

from __future__ import annotations

import numpy as np

from collision.base.fields import ArrayLike
from collision.queries.casts import cast, read_limits
from collision.scene.answers import SceneHit, SceneHits
from collision.scene.candidates import met_by
from collision.scene.hits import first_hit, first_hits
from collision.scene.volumes import volumes_of
from collision.scene.world import World
from collision.shapes.kinds import Ray


def check_ray(ray: object, query: str) -> Ray:
    """Return a ray, and refuse any other object."""
    if not isinstance(ray, Ray):
        raise TypeError(f"{query} takes a Ray, got {type(ray).__name__}")
    return ray


def first_or_any(world: World, ray: Ray, max_distance: ArrayLike, any_hit: bool) -> SceneHit:
    """Return the first element that each of one or many rays hits, or any that it hits."""
    if not isinstance(any_hit, (bool, np.bool_)):
        raise TypeError(f"Scene.raycast: any_hit must be True or False, got {any_hit!r}")
    if not ray.batch_shape:
        limit = max_distance if type(max_distance) is float and max_distance >= 0.0 else None
        if limit is None:
            limit = float(read_limits(max_distance, (), "Scene.raycast"))
        element, found = first_hit(ray, world.memory, limit, bool(any_hit))
        name = world.elements.name(element) if element >= 0 else ""
        return SceneHit(element, name, float(found[0]), found[1:4], found[4:])
    return _first_of_many(world, ray, max_distance, bool(any_hit))


@np.errstate(over="ignore", invalid="ignore")  # near the largest number there may be no answer
def _first_of_many(world: World, ray: Ray, max_distance: ArrayLike, any_hit: bool) -> SceneHit:
    lead, rays = ray.batch_shape, ray.flattened()
    limits = read_limits(max_distance, lead, "Scene.raycast")
    hits = first_hits(rays, world.memory, np.ascontiguousarray(limits.ravel()), any_hit)
    names = world.elements.names_of(hits.element)
    vectors = (vector.reshape(*lead, 3) for vector in (hits.point, hits.normal))
    return SceneHit(hits.element.reshape(lead), names.reshape(lead), hits.enter.reshape(lead), *vectors)


def all_hits(world: World, ray: Ray, max_distance: ArrayLike) -> SceneHits:
    """Return all elements that one or many rays hit, in order along each."""
    rays, limits = ray.flattened(), read_limits(max_distance, ray.batch_shape, "Scene.raycast_all").ravel()
    pairs = met_by(world, volumes_of(rays), 0.0)
    which, element = np.ascontiguousarray(pairs.T)
    (enter, leave), (point, normal) = np.empty((2, len(pairs))), np.empty((2, len(pairs), 3))
    for here, batch, rows in world.by_group(element):
        rows_of_rays = which[here]
        found = cast(rays, batch, limits[rows_of_rays], (rows_of_rays, rows))
        enter[here], leave[here], point[here], normal[here] = found
    kept = np.flatnonzero(~np.isnan(enter))
    kept = kept[np.lexsort((element[kept], enter[kept], which[kept]))]
    return SceneHits(which[kept], element[kept], enter[kept], leave[kept], point[kept], normal[kept], world.elements)
