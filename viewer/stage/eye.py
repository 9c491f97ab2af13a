"""VTK's camera as one of ours."""

from __future__ import annotations

from typing import Any

from collision import Camera


def camera_of(eye: Any) -> Camera:
    """Return a camera of VTK's as one of ours."""
    height = 2.0 * eye.GetParallelScale() if eye.GetParallelProjection() else None
    return Camera(eye.GetPosition(), eye.GetFocalPoint(), eye.GetViewUp(), eye.GetViewAngle(), height)


def aim(eye: Any, camera: Camera) -> None:
    """Have a camera of VTK's stand and look like another."""
    eye.SetPosition(*camera.position)
    eye.SetFocalPoint(*camera.target)
    eye.SetViewUp(*camera.up)
    eye.SetViewAngle(camera.view_angle)
    eye.SetParallelProjection(camera.parallel_height is not None)
    if camera.parallel_height is not None:
        eye.SetParallelScale(0.5 * camera.parallel_height)
