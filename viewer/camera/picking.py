"""What is under the cursor: solids by a ray through the pixel, thin shapes by their distance from it in pixels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from collision import (
    AABB,
    HalfSpace,
    Line,
    OrientedBox,
    Point,
    Ray,
    Scene,
    Segment,
    Shape,
    Transform,
    closest_points,
    raycast,
)
from collision.inner import BoolArray, FloatArray
from viewer.camera.camera import Viewport
from viewer.camera.planes import squares

#: How near the cursor must be to a thin shape, in pixels: one in plain view, and one that shows through a solid.
REACH = 8.0
HIDDEN_REACH = 4.0

#: A point at the end of a segment is the smaller target: it wins by this many pixels.
POINT_BONUS = 4.0


class Seen(NamedTuple):
    """What is seen at a pixel: the name of an element, and the point of it that is there."""

    name: str
    point: FloatArray


def pick(scene: Scene, viewport: Viewport, x: float, y: float) -> str | None:
    """Return the name of the shape under a pixel, or None; see `seen_at_pixel`."""
    seen = seen_at_pixel(scene, viewport, x, y)
    return None if seen is None else seen.name


def seen_at_pixel(scene: Scene, viewport: Viewport, x: float, y: float) -> Seen | None:
    """Return what is under a pixel: a solid, the drawn piece of a plane, or what is thin and within reach; or None."""
    ray = viewport.ray(x, y)
    planes = [(elements, shape) for elements, shape in scene.groups if isinstance(shape, HalfSpace)]
    solid = scene.raycast(ray, without=[scene.element_name(n) for elements, _ in planes for n in elements.tolist()])
    enter, name, point = solid.enter, solid.name, solid.point
    for elements, shape in planes:  # of a half-space only the piece that is drawn can be picked
        hits = raycast(ray, squares(shape, scene.bounds()))
        nearest = int(np.argmin(np.where(np.isnan(hits.enter), np.inf, hits.enter)))
        away = hits.enter[nearest]
        if away < enter or (np.isnan(enter) and not np.isnan(away)):
            enter, name, point = away, scene.element_name(int(elements[nearest])), hits.point[nearest]
    thin = _thin(scene, viewport, ray, np.array([x, y]), enter)
    if thin is not None:
        return thin
    return Seen(name, point) if name else None


def _thin(scene: Scene, viewport: Viewport, ray: Ray, cursor: FloatArray, solid: float) -> Seen | None:
    """Return the thin shape that is nearest to the cursor in the picture, of those within reach."""
    scale = viewport.scale
    best, winner = np.inf, None
    for elements, shape in scene.groups:
        if not isinstance(shape, Point | Segment | Ray | Line):
            continue
        near = shape.position if isinstance(shape, Point) else closest_points(ray, shape).on_b
        pixels, _ = viewport.project(near)
        away = np.linalg.norm(pixels - cursor, axis=-1) / scale
        depth = (near - ray.origin) @ ray.direction
        hidden = depth > solid  # never, where the ray hits nothing
        away = np.where(away <= np.where(hidden, HIDDEN_REACH, REACH), away, np.inf)
        away -= POINT_BONUS if isinstance(shape, Point) else 0.0
        nearest = int(np.argmin(away))
        if away[nearest] < best:
            best, winner = float(away[nearest]), Seen(scene.element_name(int(elements[nearest])), near[nearest])
    return winner


def pick_box(scene: Scene, viewport: Viewport, start: tuple[float, float], end: tuple[float, float]) -> list[str]:
    """Return the names of all shapes that are seen in a rectangle of the picture as a whole, be they covered or not.

    Rays and lines, which have no end, are in it if the point is that they are given by; an entry stands for all
    elements.
    """
    planes = _planes(viewport, start, end)
    inside = np.zeros(scene.element_count, dtype=bool)
    for elements, shape in scene.groups:
        solid = shape if shape.bounded else Point(shape.core.middle())
        if isinstance(solid, AABB):  # turned, an AABB would become the box around itself
            solid = OrientedBox(solid.center, np.eye(3), solid.half_extents)
        inside[elements] = np.all([_beyond(solid, normal, point) for normal, point in planes], axis=0)
    names: list[str] = []
    for entry in scene:
        numbers = scene.element_numbers(entry)
        found = np.flatnonzero(inside[numbers.start : numbers.stop]) + numbers.start
        whole = len(found) == len(numbers) > 0
        names += [entry] if whole else [scene.element_name(number) for number in found.tolist()]
    return names


def _planes(
    viewport: Viewport, start: tuple[float, float], end: tuple[float, float]
) -> list[tuple[FloatArray, FloatArray]]:
    """Return the planes, by normal and point, on whose positive side is all that is seen in a rectangle."""
    planes = [(viewport.forward, viewport.eye)]
    edges = zip(start, end, (viewport.up, viewport.right), strict=True)
    for axis, (one, other, along) in enumerate(edges):
        for value, side in ((min(one, other), 1.0), (max(one, other), -1.0)):
            ray = viewport.ray(*((value, 0.0) if axis == 0 else (0.0, value)))
            across = np.cross(ray.direction, along) if axis == 0 else np.cross(along, ray.direction)
            planes.append((side * across / np.linalg.norm(across), ray.origin))
    return planes


def _beyond(shape: Shape, normal: FloatArray, point: FloatArray) -> BoolArray:
    """Tell of each of some shapes whether all of it is on the positive side of a plane."""
    axes = np.linalg.qr(np.column_stack([normal, np.eye(3)]))[0]
    axes[:, 0] = normal
    axes[:, 2] = np.cross(axes[:, 0], axes[:, 1])
    turned = shape.translated(-point).transformed(Transform(rotation=axes.T))
    return np.asarray(turned.bounds().lower[..., 0] >= 0.0)
