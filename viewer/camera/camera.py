"""From pixels to rays and from points to pixels: pure arithmetic, no renderer.

Pixels are those of VTK: the origin is the lower left corner of the picture, x goes right, y goes up, and a picture of
`w` pixels reaches from 0 to `w`. Every function takes one place or many, by NumPy's rules of broadcasting.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import permutations
from numbers import Real
from typing import Literal, TypeAlias

import numpy as np

from collision import Camera, Ray
from collision.inner import ArrayLike, FloatArray

#: A point or a vector as plain numbers, as a `Camera` has them.
Three: TypeAlias = tuple[float, float, float]

#: Directions in the picture.
Direction = Literal["left", "right", "up", "down", "away", "near"]

#: Up to this height of a picture, sizes in pixels are those of the screen; beyond, they grow with it.
REFERENCE_HEIGHT = 960

_AXES = np.eye(3)


@dataclass(frozen=True)
class Viewport:
    """A camera and the size of its picture, width and height in pixels."""

    camera: Camera
    size: tuple[int, int]

    def __post_init__(self) -> None:
        sides = self.size if isinstance(self.size, Sequence) else ()
        if len(sides) != 2 or not all(isinstance(side, Real) and 1.0 <= side < math.inf for side in sides):
            raise ValueError(f"the size of a picture must be two positive numbers of pixels, got {self.size!r}")

    @cached_property
    def eye(self) -> FloatArray:
        """Where the picture is taken from."""
        return _frozen(np.array(self.camera.position))

    @cached_property
    def forward(self) -> FloatArray:
        """The unit vector into the picture."""
        return unit_vector(np.subtract(self.camera.target, self.camera.position))

    @cached_property
    def right(self) -> FloatArray:
        """The unit vector to the right of the picture."""
        return unit_vector(np.cross(self.forward, unit_vector(np.array(self.camera.up))))

    @cached_property
    def up(self) -> FloatArray:
        """The unit vector to the top of the picture."""
        return _frozen(np.cross(self.right, self.forward))

    @cached_property
    def axes(self) -> FloatArray:
        """The axes of the view as columns: right, up and forward."""
        return _frozen(np.stack([self.right, self.up, self.forward], axis=1))

    @cached_property
    def aspect(self) -> float:
        """Width over height."""
        return self.size[0] / self.size[1]

    @cached_property
    def scale(self) -> float:
        """Pixels to a pixel of an ordinary screen: what is to be grabbed grows with a picture of very many."""
        return max(1.0, self.size[1] / REFERENCE_HEIGHT)

    def ray(self, x: ArrayLike, y: ArrayLike) -> Ray:
        """Return the ray of everything that is seen at a pixel, nearest first; rays, where there are many pixels.

        It starts at the eye; in a parallel projection, at the pixel in the plane through the eye.
        """
        across, upward = 2.0 * np.asarray(x) / self.size[0] - 1.0, 2.0 * np.asarray(y) / self.size[1] - 1.0
        height = self._half_height(1.0)
        offset = (across * self.aspect * height)[..., None] * self.right + (upward * height)[..., None] * self.up
        if self.camera.parallel_height is None:
            return Ray(self.eye, self.forward + offset)
        return Ray(self.eye + offset, self.forward)

    def project(self, points: ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Return the pixels (..., 2) of points (..., 3), and how far before the eye they are, in scene units.

        The pixel is NaN for a point that is not before the eye, which perspective has no pixel for.
        """
        seen = (np.asarray(points, dtype=np.float64) - self.eye) @ self.axes
        depth = seen[..., 2]
        per_unit = 0.5 * self.size[1] / self._half_height(depth)
        return seen[..., :2] * per_unit[..., None] + np.array(self.size) / 2.0, depth

    def units_per_pixel(self, points: ArrayLike) -> FloatArray:
        """Return how many scene units a pixel covers at points (..., 3); NaN in perspective not before the eye."""
        depth = (np.asarray(points, dtype=np.float64) - self.eye) @ self.forward
        return self._half_height(depth) * 2.0 / self.size[1]

    def _half_height(self, depth: ArrayLike) -> FloatArray:
        """Half of the picture's height in scene units, at a depth; NaN in perspective if not before the eye."""
        if self.camera.parallel_height is not None:
            return np.full(np.shape(depth), 0.5 * self.camera.parallel_height)
        before = np.where(np.greater(depth, 0.0), depth, np.nan)
        return np.asarray(before * self._slope)

    @cached_property
    def _slope(self) -> float:
        """Half of the picture's height in perspective, at a depth of one."""
        return math.tan(math.radians(self.camera.view_angle) / 2.0)


def nearest_axes(viewport: Viewport) -> dict[Direction, FloatArray]:
    """Return, for each direction of the picture, the world axis nearest to it: three different axes for the three."""
    seen = np.stack([viewport.right, viewport.up, viewport.forward])
    # Rounded, so that of two axes that are equally near the same one is taken on every machine.
    orders = permutations(range(3))
    best = max(orders, key=lambda order: round(float(np.abs(seen[range(3), order]).sum()), 9))
    right, up, away = (np.copysign(1.0, seen[row, axis]) * _AXES[axis] for row, axis in enumerate(best))
    return {"left": -right, "right": right, "down": -up, "up": up, "near": -away, "away": away}


def distance(camera: Camera) -> float:
    """Return how far the eye is from its target, or how much of the scene a parallel picture is high."""
    if camera.parallel_height is not None:
        return camera.parallel_height
    return length(np.subtract(camera.position, camera.target))


def other_projection(camera: Camera) -> Camera:
    """Return the camera in perspective if it is parallel, or parallel if not; what it aims at keeps its size."""
    height_at_one = 2.0 * np.tan(np.radians(camera.view_angle) / 2.0)
    if camera.parallel_height is None:
        return replace(camera, parallel_height=float(distance(camera) * height_at_one))
    towards_eye = unit_vector(np.subtract(camera.position, camera.target))
    position = camera.target + towards_eye * (camera.parallel_height / height_at_one)
    return replace(camera, position=three(position), parallel_height=None)


def length(vector: FloatArray) -> float:
    """Return how long a vector is, also where the squares of its numbers would be no numbers, or zero."""
    power = math.frexp(float(np.abs(vector).max()))[1]
    return float(np.ldexp(np.linalg.norm(np.ldexp(vector, -power)), power))


def lengths(vectors: FloatArray) -> FloatArray:
    """Return how long vectors (..., 3) are, also where the squares of the longest would be no numbers, or zero."""
    power = math.frexp(float(np.abs(vectors).max(initial=0.0)))[1]
    return np.asarray(np.ldexp(np.linalg.norm(np.ldexp(vectors, -power), axis=-1), power))


def unit_vector(vector: FloatArray) -> FloatArray:
    """Return the unit vector along a direction, however long or short that is."""
    straight = vector / np.abs(vector).max()  # which can be squared
    return _frozen(straight / np.linalg.norm(straight))


def three(vector: FloatArray) -> Three:
    """Return a point or a vector as plain numbers."""
    x, y, z = (vector + 0.0).tolist()  # no zero is negative
    return x, y, z


def _frozen(vector: FloatArray) -> FloatArray:
    vector.flags.writeable = False
    return vector
