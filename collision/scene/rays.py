"""Rays and a scene: the first element that each hits, any, or all in order."""

from __future__ import annotations

import numpy as np

from collision.casts import cast, read_limits
from collision.fields import ArrayLike
from collision.scene.answers import SceneHit, SceneHits
from collision.scene.candidates import met_by
from collision.scene.hits import first_hits
from collision.scene.volumes import volumes_of
from collision.scene.world import World
from collision.shapes import Ray


def check_ray(ray: object, query: str) -> Ray:
    """Return a ray, and refuse any other object."""
    if not isinstance(ray, Ray):
        raise TypeError(f"{query} takes a Ray, got {type(ray).__name__}")
    return ray


def first_or_any(world: World, ray: Ray, max_distance: ArrayLike, any_hit: bool) -> SceneHit:
    """Return the first element that each of one or many rays hits, or any that it hits."""
    if not isinstance(any_hit, (bool, np.bool_)):
        raise TypeError(f"Scene.raycast: any_hit must be True or False, got {any_hit!r}")
    lead, rays = ray.batch_shape, ray.flattened()
    limits = read_limits(max_distance, lead, "Scene.raycast")
    hits = first_hits(rays, world.memory, np.ascontiguousarray(limits.ravel()), bool(any_hit))
    if not lead:
        element = int(hits.element[0])
        name = world.elements.name(element) if element >= 0 else ""
        return SceneHit(element, name, float(hits.enter[0]), hits.point[0], hits.normal[0])
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
