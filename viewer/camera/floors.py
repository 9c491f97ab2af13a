"""The box that the ground lies under: when one will do for a scene that has changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from collision import AABB, HalfSpace, OrientedBox, Scene, Shape
from collision.inner import BoolArray, FloatArray
from viewer.camera.framing import EMPTY
from viewer.records.sizes import SQUARES

if TYPE_CHECKING:
    from collision.importers import Model

#: A scene has outgrown the box that the ground lies under where something of it is farther outside than this part of
#: the box's longest side. The ground itself reaches a little farther.
OUTGROWN = 0.5

#: A box is a floor if it reaches at least so far of the scene's width both ways, and is no higher than this part of it.
FLOOR_WIDTH, FLOOR_HEIGHT = 0.8, 0.25

#: So many places of a motion are looked at for the box around all of it.
PLACES = 48


def has_room(extent: AABB | None, bounds: AABB | None) -> bool:
    """Tell whether the ground under a box will do for other bounds: it is neither too small nor far too large."""
    if bounds is None:
        return True
    box = extent if extent is not None and np.any(extent.half_extents) else EMPTY
    with np.errstate(over="ignore"):
        longest, size = (2.0 * float(one.half_extents.max()) for one in (box, bounds))
        inside = bounds.lower >= box.lower - OUTGROWN * longest, bounds.upper <= box.upper + OUTGROWN * longest
    # What is smaller than one of its squares is lost on a ground, but for what has no size at all.
    return bool(np.all(inside)) and (size == 0.0 or size * SQUARES >= longest)


def whole_extent(scene: Scene, model: Model | None = None) -> AABB | None:
    """Return the box around a scene at all times of its motion, as far as some of them tell, and what a robot shows."""
    boxes = [scene.bounds()]
    if scene.span is not None:
        times = [np.linspace(*scene.span, PLACES), *(motion.times for motion in scene.motion)]
        boxes = [scene.at(time).bounds() for time in np.unique(np.concatenate(times)[: 4 * PLACES]).tolist()]
    if model is not None and model.visuals:
        places = model.forward(links=[mesh.link for mesh in model.visuals])
        for mesh, axes, position in zip(model.visuals, places.axes, places.position, strict=True):
            points = mesh.points @ axes.T + position
            boxes.append(AABB(points.min(axis=0), points.max(axis=0)))
    bounded = [box for box in boxes if box is not None]
    return AABB.union(*bounded) if bounded else None


def settled_extent(extent: AABB | None, first: AABB | None, scene: Scene) -> AABB | None:
    """Return the box for a scene: the one that there is, or else the first one, where they will do."""
    if has_room(extent, scene.bounds()):
        return extent
    whole = whole_extent(scene)
    return next((box for box in (extent, first) if has_room(box, whole)), whole)


def is_floor(shape: Shape, extent: AABB | None) -> BoolArray:
    """Tell of shapes whether each is a floor for others: a level half-space, or a flat box as wide as the scene."""
    if isinstance(shape, HalfSpace):
        return np.asarray(shape.normal[..., 2] == 1.0)
    if not isinstance(shape, AABB | OrientedBox) or extent is None:
        return np.zeros(shape.batch_shape, dtype=bool)
    half, whole = shape.bounds().half_extents, extent.half_extents
    flat = half[..., 2] <= FLOOR_HEIGHT * half[..., :2].min(axis=-1)
    # A box that is all of the scene has nothing that stands on it.
    return np.asarray(flat & np.all(half[..., :2] >= FLOOR_WIDTH * whole[:2], axis=-1) & np.any(half != whole, axis=-1))


def top_of(floor: Shape) -> FloatArray:
    """Return how high floors are."""
    return np.asarray(floor.point[..., 2] if isinstance(floor, HalfSpace) else floor.bounds().upper[..., 2])
