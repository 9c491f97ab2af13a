"""VTK's camera as one of ours."""

from __future__ import annotations

from typing import Any

from collision import Camera


def camera_of(eye: Any, last: Camera | None = None) -> Camera:
    """Return a camera of VTK's as one of ours: the last one where it is the same, as making one checks all numbers."""
    height = 2.0 * eye.GetParallelScale() if eye.GetParallelProjection() else None
    numbers = eye.GetPosition(), eye.GetFocalPoint(), eye.GetViewUp(), eye.GetViewAngle(), height
    if last is not None and numbers == (
        last.position, last.target, last.up, last.view_angle, last.parallel_height,
    ):  # fmt: skip
        return last
    return Camera(*numbers)


def aim(eye: Any, camera: Camera) -> None:
    """Have a camera of VTK's stand and look like another."""
    eye.SetPosition(*camera.position)
    eye.SetFocalPoint(*camera.target)
    eye.SetViewUp(*camera.up)
    eye.SetViewAngle(camera.view_angle)
    eye.SetParallelProjection(camera.parallel_height is not None)
    if camera.parallel_height is not None:
        eye.SetParallelScale(0.5 * camera.parallel_height)
