"""From pixels to rays and from points to pixels, and the camera that frames a scene: pure arithmetic, no renderer.

Pixels are those of VTK: the origin is the lower left corner of the picture, x goes right, y goes up, and a picture of
`w` pixels reaches from 0 to `w`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import permutations, product
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from collision import AABB, Camera, Point, Ray, Shape
from collision.inner import EPS, ArrayLike, FloatArray, read_vector

#: A point or a vector as plain numbers: arithmetic on a single one is many times as quick as on an array.
Three: TypeAlias = tuple[float, float, float]


class View(NamedTuple):
    """A direction to look from: towards the eye, and what is up in the picture."""

    towards_eye: Three
    up: Three


class Room(NamedTuple):
    """A part of a picture: where its edges are, from 0 at the lower left of the picture to 1."""

    left: float = 0.0
    bottom: float = 0.0
    right: float = 1.0
    top: float = 1.0

    def inset(self, margin: float) -> Room:
        """Return what is left of it when a margin at the picture's edges stays free."""
        return Room(
            max(self.left, margin), max(self.bottom, margin), min(self.right, 1.0 - margin), min(self.top, 1.0 - margin)
        )


WHOLE = Room()

#: Directions in the picture.
Direction = Literal["left", "right", "up", "down", "away", "near"]

_AXES = np.eye(3)
_Z_UP = (0.0, 0.0, 1.0)

#: The views by name. ``z`` looks down on the plane, with y up; a minus sign looks from the other side.
VIEWS: Mapping[str, View] = MappingProxyType(
    {
        "iso": View((1.0, -1.0, 1.0), _Z_UP),
        "x": View((1.0, 0.0, 0.0), _Z_UP),
        "y": View((0.0, 1.0, 0.0), _Z_UP),
        "z": View((0.0, 0.0, 1.0), (0.0, 1.0, 0.0)),
        "-x": View((-1.0, 0.0, 0.0), _Z_UP),
        "-y": View((0.0, -1.0, 0.0), _Z_UP),
        "-z": View((0.0, 0.0, -1.0), (0.0, 1.0, 0.0)),
    }
)

#: What the picture frames when nothing in the scene is finite.
EMPTY = AABB([-1.0, -1.0, -1.0], [1.0, 1.0, 1.0])

#: Up to this height of a picture, sizes in pixels are those of the screen; beyond, they grow with it.
REFERENCE_HEIGHT = 960

#: The thinnest box to frame, as a part of its longest side: seen end on, a segment has no size to fit.
_THINNEST = 0.05

#: The smallest box to frame, as a part of its largest coordinate: below it the eye and its target would coincide.
_SMALLEST = 1e-9

#: Which side of a box each of its corners is on, along each axis.
_CORNERS = np.array(list(product((False, True), repeat=3)))


@dataclass(frozen=True)
class Viewport:
    """A camera and the size of its picture.

    Parameters
    ----------
    camera : Camera
        Where the picture is taken from.
    size : tuple of 2 ints
        Width and height in pixels.

    Raises
    ------
    ValueError
        If a size is not positive.

    Examples
    --------
    >>> view = Viewport(Camera(position=(0, 0, 10), up=(0, 1, 0)), (200, 100))
    >>> view.project([[0, 0, 0]])[0]
    array([[100.,  50.]])
    >>> view.ray(100, 50).direction
    array([ 0.,  0., -1.])
    """

    camera: Camera
    size: tuple[int, int]

    def __post_init__(self) -> None:
        if len(self.size) != 2 or min(self.size) < 1:
            raise ValueError(f"the size of a picture must be two positive numbers of pixels, got {self.size}")

    @cached_property
    def eye(self) -> FloatArray:
        """Where the picture is taken from."""
        return _frozen(np.array(self.camera.position))

    @cached_property
    def forward(self) -> FloatArray:
        """The unit vector into the picture."""
        return _unit(np.subtract(self.camera.target, self.camera.position))

    @cached_property
    def right(self) -> FloatArray:
        """The unit vector to the right of the picture."""
        return _unit(np.cross(self.forward, _unit(np.array(self.camera.up))))

    @cached_property
    def up(self) -> FloatArray:
        """The unit vector to the top of the picture."""
        return _frozen(np.cross(self.right, self.forward))

    @cached_property
    def _axes(self) -> FloatArray:
        """The axes of the view as columns: right, up and forward."""
        return np.stack([self.right, self.up, self.forward], axis=1)

    @cached_property
    def _middle(self) -> FloatArray:
        """The middle of the picture, in pixels."""
        return np.array(self.size) / 2.0

    @cached_property
    def _growth(self) -> float:
        """Half of the picture's height, in perspective, at a depth of one."""
        return math.tan(math.radians(self.camera.view_angle) / 2.0)

    @cached_property
    def _numbers(self) -> tuple[Three, Three, Three, Three]:
        """The eye and the axes right, up and forward, as plain numbers."""
        return _three(self.eye), _three(self.right), _three(self.up), _three(self.forward)

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

    def sight(self, x: float, y: float) -> tuple[Three, Three]:
        """Return the origin and the direction of the `ray` of one pixel, the same to the last bit, as plain numbers.

        Examples
        --------
        >>> Viewport(Camera(position=(0, 0, 10), up=(0, 1, 0)), (200, 100)).sight(100, 50)
        ((0.0, 0.0, 10.0), (0.0, 0.0, -1.0))
        """
        (ex, ey, ez), (rx, ry, rz), (ux, uy, uz), (fx, fy, fz) = self._numbers
        parallel = self.camera.parallel_height
        height = self._growth if parallel is None else 0.5 * parallel
        across = (2.0 * float(x) / self.size[0] - 1.0) * self.aspect * height
        upward = (2.0 * float(y) / self.size[1] - 1.0) * height
        dx, dy, dz = across * rx + upward * ux, across * ry + upward * uy, across * rz + upward * uz
        if parallel is None:
            return (ex, ey, ez), unit_vector((fx + dx, fy + dy, fz + dz))
        return (ex + dx, ey + dy, ez + dz), unit_vector((fx, fy, fz))

    def seen_lengths(self, point: FloatArray, steps: FloatArray) -> list[float]:
        """Return how long steps (n, 3) from a point before the eye are in the picture, in pixels; NaN behind the eye.

        Examples
        --------
        >>> view = Viewport(Camera(position=(0, 0, 10), up=(0, 1, 0), parallel_height=10), (200, 100))
        >>> view.seen_lengths(np.zeros(3), np.eye(3))
        [10.0, 10.0, 0.0]
        """
        (ex, ey, ez), (rx, ry, rz), (ux, uy, uz), (fx, fy, fz) = self._numbers
        px, py, pz = point.tolist()
        x, y, z = px - ex, py - ey, pz - ez
        parallel, depth, right, up = self.camera.parallel_height, 1.0, 0.0, 0.0
        if parallel is None:
            depth = x * fx + y * fy + z * fz
            right, up = (x * rx + y * ry + z * rz) / depth, (x * ux + y * uy + z * uz) / depth
        factor, lengths = self.size[1] / (2.0 * self._growth if parallel is None else parallel), []
        for x, y, z in steps.tolist():
            away = x * fx + y * fy + z * fz if parallel is None else 0.0
            across, upward = x * rx + y * ry + z * rz - right * away, x * ux + y * uy + z * uz - up * away
            far = depth + away
            lengths.append(factor * math.hypot(across, upward) / far if far > 0.0 else math.nan)
        return lengths

    def project(self, points: ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Return the pixels of points, and how far before the eye they are.

        Parameters
        ----------
        points : array_like, shape (n, 3)
            Points of the world.

        Returns
        -------
        pixels : ndarray, shape (n, 2)
            NaN for a point that is not before the eye, which perspective has no pixel for.
        depth : ndarray, shape (n,)
            Distance along the view, in scene units; negative behind the eye.
        """
        seen = (np.asarray(points, dtype=np.float64).reshape(-1, 3) - self.eye) @ self._axes
        depth = seen[:, 2]
        half_height = self._half_height(np.where(depth > 0.0, depth, np.nan))
        return seen[:, :2] * (0.5 * self.size[1] / half_height)[:, None] + self._middle, depth

    def pixel(self, point: FloatArray) -> tuple[float, float] | None:
        """Return the pixel of a single point (3,) as plain numbers; None if it is not before the eye.

        Examples
        --------
        >>> view = Viewport(Camera(position=(0, 0, 10), up=(0, 1, 0)), (200, 100))
        >>> view.pixel(np.zeros(3)), view.pixel(np.array([0.0, 0.0, 20.0]))
        ((100.0, 50.0), None)
        """
        (ex, ey, ez), (rx, ry, rz), (ux, uy, uz), (fx, fy, fz) = self._numbers
        px, py, pz = point.tolist()
        x, y, z = px - ex, py - ey, pz - ez
        depth, parallel = x * fx + y * fy + z * fz, self.camera.parallel_height
        if not depth > 0.0:
            return None
        (wide, high), half = self.size, depth * self._growth if parallel is None else 0.5 * parallel
        pixels = 0.5 * high / half
        return (x * rx + y * ry + z * rz) * pixels + 0.5 * wide, (x * ux + y * uy + z * uz) * pixels + 0.5 * high

    def units_per_pixel(self, point: ArrayLike) -> float:
        """Return how many scene units a pixel covers at a point; NaN where the point is not before the eye."""
        if self.camera.parallel_height is not None:
            return self.camera.parallel_height / self.size[1]
        (ex, ey, ez), _, _, (fx, fy, fz) = self._numbers
        x, y, z = np.asarray(point).tolist()
        depth = (x - ex) * fx + (y - ey) * fy + (z - ez) * fz
        return 2.0 * depth * self._growth / self.size[1] if depth > 0.0 else math.nan

    def units_per_pixels(self, points: ArrayLike) -> FloatArray:
        """Return how many scene units a pixel covers at each of some points (..., 3), as `units_per_pixel` does."""
        depth = (np.asarray(points, dtype=np.float64) - self.eye) @ self.forward
        return self._half_height(np.where(depth > 0.0, depth, np.nan)) * 2.0 / self.size[1]

    def _half_height(self, depth: FloatArray | np.float64 | float) -> FloatArray:
        """Half of the picture's height in scene units, at a depth."""
        if self.camera.parallel_height is not None:
            return np.full(np.shape(depth), 0.5 * self.camera.parallel_height)
        return np.asarray(depth * self._growth)


def frame(
    bounds: AABB | None,
    view: str | ArrayLike = "iso",
    aspect: float = 4 / 3,
    *,
    margin: float = 0.1,
    room: Room = WHOLE,
    up: ArrayLike | None = None,
    lens: Camera | None = None,
) -> Camera:
    """Return the camera that sees all of some boxes, as large as they can be.

    Parameters
    ----------
    bounds : AABB or None
        What to see: one box, or the boxes of many shapes, which are framed more closely than the one box around them.
        Without any, a box of two units around the origin.
    view : str or array_like, shape (3,)
        A name from `VIEWS`, or the direction from the scene towards the eye.
    aspect : float
        Width over height of the picture.
    margin : float
        The part of the picture that is left free at each edge, from 0 to below 0.5.
    room : Room
        Where in the picture the boxes have to be; by default anywhere.
    up : array_like, shape (3,), optional
        What is up in the picture; by default that of the named view, or z.
    lens : Camera, optional
        The camera whose view angle and projection to take; by default 30 degrees, in perspective.

    Raises
    ------
    ValueError
        If the view is no known name and no direction, or a number is out of its range.

    Examples
    --------
    >>> frame(AABB([-1, -1, -1], [1, 1, 1]), "z", margin=0.0, lens=Camera((0, 0, 1), up=(0, 1, 0))).target
    (0.0, 0.0, 0.0)
    """
    if not 0.0 <= margin < 0.5:
        raise ValueError(f"margin must be from 0 to below 0.5 of the picture, got {margin}")
    if not 0.0 < aspect < np.inf:
        raise ValueError(f"aspect must be positive, got {aspect}")
    towards_eye, default_up = _resolve(view)
    boxes = _framable(bounds)
    middle = AABB.union(boxes).center
    # The eye's direction is all that this first camera is for: it gives right, up and forward.
    axes = Viewport(Camera(towards_eye, up=default_up if up is None else _three(read_vector(up, "frame.up"))), (1, 1))
    frame_axes = np.stack([axes.right, axes.up, axes.forward])
    points = (corners(boxes.lower, boxes.upper).reshape(-1, 3) - middle) @ frame_axes.T
    left, bottom, right, top = room.inset(margin)
    if left >= right or bottom >= top:
        raise ValueError(f"room must have a width and a height within the margin {margin:g}, got {room}")
    # From the middle of the picture, in halves of its height.
    low, high = (np.array([aspect, 1.0]) * (2.0 * np.array(edge) - 1.0) for edge in ((left, bottom), (right, top)))
    lens = lens or axes.camera
    parallel = lens.parallel_height is not None
    eye, height = _fit_parallel(points, low, high) if parallel else _fit(points, low, high, lens.view_angle)
    position = middle + eye @ frame_axes
    target = position - eye[2] * axes.forward  # at the depth of the middle of the box
    return Camera(_three(position), _three(target), _three(axes.up), lens.view_angle, height)


def other_projection(camera: Camera) -> Camera:
    """Return the camera in perspective if it is parallel, or parallel if not; what it aims at keeps its size.

    Examples
    --------
    >>> parallel = other_projection(Camera((0, 0, 10), up=(0, 1, 0), view_angle=90))
    >>> round(parallel.parallel_height, 12)
    20.0
    >>> other_projection(parallel) == Camera((0, 0, 10), up=(0, 1, 0), view_angle=90)
    True
    """
    position, target = np.array(camera.position), np.array(camera.target)
    height_at_one = 2.0 * np.tan(np.radians(camera.view_angle) / 2.0)
    if camera.parallel_height is None:
        return replace(camera, parallel_height=float(np.linalg.norm(target - position) * height_at_one))
    away = _unit(position - target) * (camera.parallel_height / height_at_one)
    return replace(camera, position=_three(target + away), parallel_height=None)


def nearest_axes(viewport: Viewport) -> dict[Direction, FloatArray]:
    """Return, for each direction of the picture, the world axis nearest to it: three different axes for the three.

    Examples
    --------
    >>> axes = nearest_axes(Viewport(frame(None, "iso"), (640, 480)))
    >>> axes["right"], axes["up"], axes["away"]
    (array([1., 0., 0.]), array([0., 0., 1.]), array([0., 1., 0.]))
    """
    seen = np.stack([viewport.right, viewport.up, viewport.forward])
    # Rounded, so that of two axes that are equally near the same one is taken on every machine.
    orders = permutations(range(3))
    best = max(orders, key=lambda order: round(float(np.abs(seen[range(3), order]).sum()), 9))
    right, up, away = (np.copysign(1.0, seen[row, axis]) * _AXES[axis] for row, axis in enumerate(best))
    return {"left": -right, "right": right, "down": -up, "up": up, "near": -away, "away": away}


def round_length(value: float) -> float:
    """Return the number nearest to a value, by ratio, of 1, 2 and 5 times the powers of ten.

    Examples
    --------
    >>> round_length(0.17), round_length(3.0), round_length(8.0)
    (0.2, 2.0, 10.0)
    """
    power = 10.0 ** np.floor(np.log10(value))
    return float(min((f * power for f in (1.0, 2.0, 5.0, 10.0)), key=lambda length: abs(np.log(length / value))))


#: Squares of the ground along the longer side of a scene, about.
SQUARES = 10


def grid_step(bounds: AABB | None) -> float:
    """Return how wide the ground's squares are below a box, and what lengths snap to: a round length.

    Examples
    --------
    >>> grid_step(AABB([0, 0, 0], [3, 5, 1])), grid_step(None)
    (0.5, 0.2)
    """
    sized = bounds is not None and np.any(bounds.half_extents)
    return round_length(2.0 * float((bounds if bounds is not None and sized else EMPTY).half_extents.max()) / SQUARES)


def _fit(corners: FloatArray, low: FloatArray, high: FloatArray, view_angle: float) -> tuple[FloatArray, None]:
    """Return the eye, in its own frame, that fits the corners between the edges of a room in a perspective picture.

    A corner (x, y, z) is inside to the right when ``x - eye_x <= (z - eye_z) * slope``, and likewise for the other
    three edges: the two edges of each axis bound eye_z, and the tighter axis decides.
    """
    half = np.tan(np.radians(view_angle) / 2.0)
    last = (corners[:, :2] - corners[:, 2:] * (half * high)).max(axis=0)
    first = (corners[:, :2] - corners[:, 2:] * (half * low)).min(axis=0)
    depth = ((first - last) / (half * (high - low))).min()
    return np.array([*(0.5 * (first + last + depth * half * (low + high))), depth]), None


def _fit_parallel(corners: FloatArray, low: FloatArray, high: FloatArray) -> tuple[FloatArray, float]:
    """Return the eye, in its own frame, and the height that fits the corners between the edges of a room."""
    lower, upper = corners.min(axis=0), corners.max(axis=0)
    size = upper - lower
    half = float((size[:2] / (high - low)).max())
    aside = 0.5 * (lower + upper)[:2] - 0.5 * half * (low + high)
    # A parallel picture is the same from any distance; far enough off, the eye can turn without entering the box.
    return np.array([*aside, lower[2] - np.linalg.norm(size)]), 2.0 * half


def _resolve(view: str | ArrayLike) -> View:
    if isinstance(view, str):
        if view not in VIEWS:
            raise ValueError(f"view must be one of {', '.join(VIEWS)}, got {view!r}")
        return VIEWS[view]
    direction = read_vector(view, "frame.view")
    if direction.shape != (3,) or not np.any(direction):
        raise ValueError(f"view must be a name or a direction of three numbers, got {direction.tolist()}")
    direction = _unit(direction)
    # Looking straight down, z is no longer up in the picture.
    straight_down = abs(direction[2]) > np.cos(np.radians(1.0))
    return View(_three(direction), VIEWS["z"].up if straight_down else _Z_UP)


def _framable(bounds: AABB | None) -> AABB:
    """Return the boxes, grown where all of them together have no size that could be fitted into a picture."""
    if bounds is None or 0 in bounds.batch_shape:
        return EMPTY
    whole = AABB.union(bounds)
    half = whole.half_extents if np.any(whole.half_extents) else EMPTY.half_extents
    largest = max(float(half.max()), _SMALLEST * float(np.abs(whole.center).max()))
    grow = np.maximum(np.maximum(half, _THINNEST * largest) - whole.half_extents, 0.0)
    return AABB(bounds.lower - grow, bounds.upper + grow)


def corners(lower: FloatArray, upper: FloatArray) -> FloatArray:
    """Return the eight corners of each of some boxes, (8, ..., 3)."""
    return np.where(_CORNERS.reshape(8, *[1] * (lower.ndim - 1), 3), upper, lower)


def finite_bounds(shape: Shape) -> AABB:
    """Return the box around each element of a shape; rays and lines count by the point that they are given by.

    Examples
    --------
    >>> finite_bounds(Ray([1, 2, 3], [0, 0, 1])).upper
    array([1., 2., 3.])
    """
    return shape.bounds() if shape.bounded else Point(shape.core.operands[0]).bounds()


def _unit(vector: FloatArray) -> FloatArray:
    straight = vector / np.abs(vector).max()  # which can be squared, however long the vector is
    return _frozen(straight / np.linalg.norm(straight))


def unit_vector(vector: Three) -> Three:
    """Return the unit vector along a direction, as shapes keep theirs: one that is of unit length to rounding stays."""
    x, y, z = vector
    if abs(math.sqrt(x * x + y * y + z * z) - 1.0) <= 4.0 * EPS:
        return vector
    most = max(abs(x), abs(y), abs(z))
    x, y, z = x / most, y / most, z / most
    length = math.sqrt(x * x + y * y + z * z)
    return x / length, y / length, z / length


def _frozen(vector: FloatArray) -> FloatArray:
    vector.flags.writeable = False
    return vector


def _three(vector: FloatArray) -> Three:
    x, y, z = vector.tolist()
    return x, y, z
