"""VTK's camera as one of ours."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from collision import Camera


def camera_of(vtk_camera: Any) -> Camera:
    """Return a camera of VTK's as one of ours."""
    height = 2.0 * vtk_camera.GetParallelScale() if vtk_camera.GetParallelProjection() else None
    place, target, up = vtk_camera.GetPosition(), vtk_camera.GetFocalPoint(), vtk_camera.GetViewUp()
    return Camera(place, target, up, vtk_camera.GetViewAngle(), height)


def aim(vtk_camera: Any, camera: Camera) -> None:
    """Have a camera of VTK's stand and look like another."""
    vtk_camera.SetPosition(*camera.position)
    vtk_camera.SetFocalPoint(*camera.target)
    vtk_camera.SetViewUp(*camera.up)
    vtk_camera.SetViewAngle(camera.view_angle)
    vtk_camera.SetParallelProjection(camera.parallel_height is not None)
    if camera.parallel_height is not None:
        vtk_camera.SetParallelScale(0.5 * camera.parallel_height)


class Tile(NamedTuple):
    """What VTK draws at a time of a picture that is larger than its window (``screenshot(scale=2)``): a part of it.

    For each part it has cameras of its own, which look at no more than that.

    Attributes
    ----------
    left, low : float
        Where it begins, as parts of a renderer's width and height.
    width, height : float
        How much of these it has: nothing where a renderer is in other parts.
    """

    left: float
    low: float
    width: float
    height: float

    def whole(self, camera: Camera) -> Camera:
        """Return the camera that looks at all of the picture, made of that of a part."""
        if self.height == 1.0:
            return camera
        angle = math.degrees(2.0 * math.atan(math.tan(0.5 * math.radians(camera.view_angle)) / self.height))
        height = camera.parallel_height and _rounded(camera.parallel_height / self.height)
        return Camera(camera.position, camera.target, camera.up, _rounded(angle), height)

    def pixels(self, size: tuple[int, int]) -> Tile:
        """Return the part in pixels, of a renderer of this size."""
        return Tile(*(round(part * size[k % 2]) for k, part in enumerate(self)))


#: All of a renderer.
WHOLE = Tile(0.0, 0.0, 1.0, 1.0)


def scale_of(renderer: Any) -> int:
    """Return how many times as wide and as high as its window the picture is that is drawn next: commonly once."""
    window = renderer.GetRenderWindow()
    return 1 if window is None else int(window.GetTileScale()[1])


def tile_of(renderer: Any) -> Tile:
    """Return which part of a renderer is drawn next: commonly all of it."""
    if scale_of(renderer) == 1:
        return WHOLE
    left, low, right, high = renderer.GetRenderWindow().GetTileViewport()
    x0, y0, x1, y1 = renderer.GetViewport()
    x, y = max(x0, left), max(y0, low)
    width, height = max(min(x1, right) - x, 0.0), max(min(y1, high) - y, 0.0)
    return Tile((x - x0) / (x1 - x0), (y - y0) / (y1 - y0), width / (x1 - x0), height / (y1 - y0))


def _rounded(value: float) -> float:
    """Return a number that is the same for all parts: what VTK told of each is rounded."""
    return float(f"{value:.9g}")
