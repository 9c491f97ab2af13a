"""What is under the cursor: solids by a ray through the pixel, thin shapes by their distance from it in pixels."""

from __future__ import annotations

import numpy as np

from collision import Line, Point, Ray, Scene, Segment, closest_points
from collision.fields import FloatArray
from viewer.camera import Viewport

#: How near the cursor must be to a thin shape, in pixels: one in plain view, and one that shows through a solid.
REACH = 8.0
HIDDEN_REACH = 4.0

#: A point at the end of a segment is the smaller target: it wins by this many pixels.
POINT_BONUS = 4.0


def pick(scene: Scene, viewport: Viewport, x: float, y: float) -> str | None:
    """Return the name of the shape under a pixel, or None.

    Parameters
    ----------
    scene : Scene
        Where to look; an element of a batch has a name of its own.
    viewport : Viewport
        How the scene is seen.
    x, y : float
        The pixel, from the lower left corner.

    Examples
    --------
    >>> from collision import Camera, Point, Sphere
    >>> scene = Scene({"ball": Sphere([0, 0, 0], 1), "P": Point([3, 0, 0])})
    >>> view = Viewport(Camera(position=(0, 0, 20), up=(0, 1, 0)), (400, 400))
    >>> x, y = view.project(scene["P"].position)[0][0]
    >>> pick(scene, view, 200, 200), pick(scene, view, x + 5, y), pick(scene, view, 10, 10)
    ('ball', 'P', None)
    """
    ray = viewport.ray(x, y)
    solid = scene.raycast(ray)
    thin = _thin(scene, viewport, ray, np.array([x, y]), solid.enter)
    if thin is not None:
        return scene.element_name(thin)
    return solid.name or None


def _thin(scene: Scene, viewport: Viewport, ray: Ray, cursor: FloatArray, solid: float) -> int | None:
    """Return the number of the thin shape that is nearest to the cursor in the picture, of those within reach."""
    scale = viewport.scale
    best, winner = np.inf, None
    for elements, shape in scene.groups:
        if not isinstance(shape, Point | Segment | Ray | Line):
            continue
        found = closest_points(ray, shape)
        pixels, _ = viewport.project(found.on_b)
        away = np.linalg.norm(pixels - cursor, axis=-1) / scale
        depth = (found.on_b - ray.origin) @ ray.direction
        hidden = depth > solid
        away = np.where(away <= np.where(hidden, HIDDEN_REACH, REACH), away, np.inf)
        away -= POINT_BONUS if isinstance(shape, Point) else 0.0
        nearest = int(np.argmin(away))
        if away[nearest] < best:
            best, winner = float(away[nearest]), int(elements[nearest])
    return winner
