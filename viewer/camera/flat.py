"""Scenes in a plane, which are seen face on, as drawings are."""

from __future__ import annotations

import numpy as np

from collision import Camera, Capsule, HalfSpace, Line, Ray, Scene, Segment, Shape
from collision.inner import FloatArray
from viewer.camera.camera import distance

#: Shapes lie in one plane if none is farther out of it than this part of the camera's distance: what rounding does.
OUT = 1e-9


def flat_across(scene: Scene) -> int | None:
    """Return the axis, 0 to 2, that a drawing is seen along: its camera looks that way, and it lies flat across it.

    Shapes lie flat by their centers, or by both ends. None for all other scenes, and for those without a camera.
    """
    axis = None if scene.camera is None else looks_along(scene.camera)
    if scene.camera is None or axis is None:
        return None
    heights = [_heights(shape, axis) for _, shape in scene.groups]
    every = np.concatenate([np.zeros(0), *(height.ravel() for height in heights if height is not None)])
    if any(height is None for height in heights) or not len(every):
        return None
    return axis if np.ptp(every) <= OUT * distance(scene.camera) else None


def looks_along(camera: Camera) -> int | None:
    """Return the axis, 0 to 2, that a camera looks along; None for a camera that looks aslant."""
    way = np.subtract(camera.target, camera.position)
    axis = int(np.argmax(np.abs(way)))
    aside = np.delete(way, axis)
    return axis if np.abs(aside).max() <= OUT * abs(way[axis]) else None


def _heights(shape: Shape, axis: int) -> FloatArray | None:
    """Return how high some shapes lie along an axis; None if one stands aslant, and so in no plane across it."""
    if isinstance(shape, Segment | Capsule):
        return np.stack([shape.start, shape.end])[..., axis]
    if shape.bounded:
        lower, upper = shape.corners()
        return np.asarray((0.5 * lower + 0.5 * upper)[..., axis])
    assert isinstance(shape, Ray | Line | HalfSpace)
    if np.any(shape.normal[..., axis] if isinstance(shape, HalfSpace) else shape.direction[..., axis]):
        return None
    if isinstance(shape, HalfSpace):
        return np.zeros(0)  # its plane stands upright
    return np.asarray((shape.origin if isinstance(shape, Ray) else shape.point)[..., axis])
