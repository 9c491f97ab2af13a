"""How a drag or a turn of the wheel moves the camera: pure functions from camera to camera."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from collision import Camera
from collision.inner import FloatArray
from viewer.camera.camera import Viewport, distance, three

#: Degrees that a drag over the height of the picture turns.
TURN = 200.0

#: How much nearer one click of the wheel brings what is under the cursor.
ZOOM = 0.85

#: The eye's distance to its target stays within these bounds, as parts of its largest coordinate.
_NEAREST, _FARTHEST = 1e-6, 1e9


#: The last place of a camera that is written down, as a part of its distance to its target: far less than a pixel.
_SEEN = 1e-6


def rounded(camera: Camera) -> Camera:
    """Return a camera with numbers that can be read, which sees the same to a small part of a pixel."""
    position, target = np.array(camera.position), np.array(camera.target)
    digits = -int(np.floor(np.log10(_SEEN * np.abs(position - target).max())))
    up, height = np.array(camera.up), camera.parallel_height
    return replace(
        camera,
        position=three(np.round(position, digits)),
        target=three(np.round(target, digits)),
        up=three(np.round(up / np.abs(up).max(), -round(np.log10(_SEEN)))),
        parallel_height=None if height is None else float(f"{height:.7g}"),
    )


def orbit(view: Viewport, right: float, up: float) -> Camera:
    """Turn the camera around its target after a drag in pixels; z stays up."""
    camera = view.camera
    offset = np.subtract(camera.position, camera.target)
    radius = float(np.linalg.norm(offset))
    degrees = TURN / view.size[1]
    # To the right of the picture is where the azimuth grows; straight down, only this says where it is.
    azimuth = np.arctan2(-view.right[0], view.right[1]) - np.radians(degrees * right)
    elevation = np.arcsin(np.clip(offset[2] / radius, -1.0, 1.0)) - np.radians(degrees * up)
    elevation = np.clip(elevation, -0.5 * np.pi, 0.5 * np.pi)
    level = np.array([np.cos(azimuth), np.sin(azimuth), 0.0])
    towards_eye = np.cos(elevation) * level + np.array([0.0, 0.0, np.sin(elevation)])
    upward = np.array([0.0, 0.0, np.cos(elevation)]) - np.sin(elevation) * level
    return _camera(camera, camera.target + radius * towards_eye, np.array(camera.target), upward)


def pan(view: Viewport, right: float, up: float) -> Camera:
    """Move the camera so that what is at its target's depth follows a drag in pixels."""
    camera = view.camera
    step = -view.units_per_pixel(camera.target) * (right * view.right + up * view.up)
    return _camera(camera, camera.position + step, camera.target + step, view.up)


def zoom(view: Viewport, clicks: float, x: float, y: float) -> Camera:
    """Bring what is at a pixel nearer; it stays at its pixel. Negative clicks go away from it."""
    camera = view.camera
    factor = ZOOM**clicks
    offset = np.subtract(camera.position, camera.target)
    size = float(np.abs([camera.position, camera.target]).max())
    away = distance(camera)
    if not _NEAREST * size <= away * factor <= _FARTHEST * max(size, away):
        return camera
    per_pixel = view.units_per_pixel(camera.target)
    aside = (x - 0.5 * view.size[0]) * view.right + (y - 0.5 * view.size[1]) * view.up
    pivot = camera.target + per_pixel * aside
    target = pivot + factor * (camera.target - pivot)
    if camera.parallel_height is not None:
        return _camera(camera, target + offset, target, view.up, camera.parallel_height * factor)
    return _camera(camera, target + factor * offset, target, view.up)


def _camera(
    camera: Camera, position: FloatArray, target: FloatArray, up: FloatArray, height: float | None = None
) -> Camera:
    parallel = camera.parallel_height if height is None else height
    return Camera(three(position), three(target), three(up), camera.view_angle, parallel)
