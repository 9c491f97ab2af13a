"""The camera that frames shapes, where no panel covers them: pure arithmetic, no renderer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from collision import AABB, Camera
from collision.inner import ArrayLike, FloatArray, read_vector
from viewer.camera.camera import Three, Viewport, distance, length, three, unit_vector
from viewer.camera.outline import corners, merged

#: What the picture frames when nothing in the scene is finite.
EMPTY = AABB([-1.0, -1.0, -1.0], [1.0, 1.0, 1.0])


class SizeError(ValueError):
    """A scene is too large or too small for any picture; the text says what it is, and what is possible."""


class ViewDirection(NamedTuple):
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

_Z_UP = (0.0, 0.0, 1.0)

#: The views by name. ``z`` looks down on the plane, with y up; a minus sign looks from the other side.
VIEWS: Mapping[str, ViewDirection] = MappingProxyType(
    {
        "iso": ViewDirection((1.0, -1.0, 1.0), _Z_UP),
        "x": ViewDirection((1.0, 0.0, 0.0), _Z_UP),
        "y": ViewDirection((0.0, 1.0, 0.0), _Z_UP),
        "z": ViewDirection((0.0, 0.0, 1.0), (0.0, 1.0, 0.0)),
        "-x": ViewDirection((-1.0, 0.0, 0.0), _Z_UP),
        "-y": ViewDirection((0.0, -1.0, 0.0), _Z_UP),
        "-z": ViewDirection((0.0, 0.0, -1.0), (0.0, 1.0, 0.0)),
    }
)

#: The thinnest box to frame, as a part of its longest side: seen end on, a segment has no size to fit.
_THINNEST = 0.05

#: The smallest box to frame, as a part of its largest coordinate: below it the eye and its target would coincide.
_SMALLEST = 1e-9

#: The size of the smallest scene to be seen, as a pixel of it has a size, too; and the largest coordinate: the eye
#: stands farther away, and the ends of lines are farther still.
LEAST_SIZE, FARTHEST = 1e-300, 1e303

#: Shapes stay so far away from panels, as a part of the picture.
GAP = 0.015

#: The smallest room that is worth going to, as a part of the picture's width and of its height.
SMALLEST = 0.25

#: What is left free at the edges of a picture whose camera has to give way.
_EDGE = 0.04

#: What is out of a picture. Boxes are larger than what is in them: they may reach a little over its edges.
_BEYOND = 0.1
_OUTSIDE = [
    Room(-9.0, -9.0, 9.0, -_BEYOND),
    Room(-9.0, 1.0 + _BEYOND, 9.0, 9.0),
    Room(-9.0, -9.0, -_BEYOND, 9.0),
    Room(1.0 + _BEYOND, -9.0, 9.0, 9.0),
]

#: Width and height of the pictures that cameras of scenes are made for.
_MADE_FOR = (4, 3)

#: How often the way to a room is halved.
STEPS = 6


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
    """Return the camera that sees all of some boxes, as large as they can be in a room of the picture.

    Many boxes are framed more closely than the one around them; the view is a name of `VIEWS` or a direction to the
    eye.
    """
    if not 0.0 <= margin < 0.5:
        raise ValueError(f"margin must be from 0 to below 0.5 of the picture, got {margin}")
    if not 0.0 < aspect < np.inf:
        raise ValueError(f"aspect must be positive, got {aspect}")
    towards_eye, default_up = _resolve(view)
    boxes = _framable(bounds)
    middle = AABB.union(boxes).center
    # The eye's direction is all that this first camera is for: it gives right, up and forward.
    axes = Viewport(Camera(towards_eye, up=default_up if up is None else three(read_vector(up, "frame.up"))), (1, 1))
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
    return Camera(three(position), three(target), three(axes.up), lens.view_angle, height)


def frame_clear(
    boxes: AABB | None,
    view: str | ArrayLike,
    size: tuple[int, int],
    covered: Sequence[Room] = (),
    *,
    margin: float = 0.1,
    up: ArrayLike | None = None,
    lens: Camera | None = None,
) -> Camera:
    """Return the camera that sees some boxes as large as they can be without one of them being covered.

    Where what is covered leaves no room worth the name, the smallest parts of it are not minded.
    """
    covered = sorted(covered, key=lambda room: (room.right - room.left) * (room.top - room.bottom))
    while covered and not _free_rooms(covered):
        del covered[0]

    def seen(some: AABB | None, room: Room) -> Camera:
        return frame(some, view, size[0] / size[1], margin=0.0, room=room, up=up, lens=lens)

    whole = WHOLE.inset(margin)
    best = seen(boxes, whole)
    if boxes is None or 0 in boxes.batch_shape:
        return best
    few = merged(boxes)
    found = []
    if meets(few, best, size, covered):
        goals = (room.inset(0.5 * margin) for room in _free_rooms(covered))
        found = [_least(lambda room: meets(few, seen(few, room), size, covered), whole, goal) for goal in goals]
    return min((seen(few, room) for room in found), key=distance, default=best)


def cleared(boxes: AABB | None, camera: Camera, size: tuple[int, int], covered: Sequence[Room]) -> Camera:
    """Return a camera that sees some boxes from the same side, where nothing covers them.

    It stays where it is if none is covered, some are out of the picture (it shows a part then), or there is no room.
    """
    if boxes is None or 0 in boxes.batch_shape:
        return camera
    few = merged(boxes)
    if meets(few, camera, size, _OUTSIDE, 0.0) or not meets(few, camera, size, covered, 0.0):
        return camera
    at = Viewport(camera, size)
    clear = frame_clear(boxes, -at.forward, size, covered, margin=_EDGE, up=at.up, lens=camera)
    return camera if meets(few, clear, size, covered, 0.0) else clear


def narrowness(size: tuple[int, int]) -> float:
    """Return how many times narrower a picture is than those that cameras of scenes are made for; 1 if it is not."""
    return max(_MADE_FOR[0] * size[1] / (_MADE_FOR[1] * size[0]), 1.0)


def for_width(boxes: AABB | None, camera: Camera, size: tuple[int, int]) -> Camera:
    """Return the camera for a picture of a size that sees what a scene's camera was made to see, from the same side.

    In a narrow picture it stands farther back, or is parallel and sees more; in all others it is the same.
    """
    return camera if narrowness(size) == 1.0 else _as_wide(boxes, camera, _MADE_FOR, size)


def from_width(boxes: AABB | None, camera: Camera, size: tuple[int, int]) -> Camera:
    """Return the camera that a scene is to have to be seen by this one in a picture of a size: see `for_width`.

    Where shapes in a narrow picture fill its height, it sees more, so that no other picture cuts them off.
    """
    return camera if narrowness(size) == 1.0 else _as_wide(boxes, camera, size, _MADE_FOR)


def _as_wide(boxes: AABB | None, camera: Camera, was: tuple[int, int], now: tuple[int, int]) -> Camera:
    """Return a camera that sees as much across one picture, at its target's depth, as another does in another.

    It goes back along its line of sight, as a wider view angle would distort what is near the edges, and farther for
    corners of boxes that would leave the picture.
    """
    before, after = Viewport(camera, was), Viewport(camera, now)
    times = before.aspect / after.aspect
    parts, depth, least = np.empty((0, 2)), np.empty(0), 1.0 - 2.0 * _EDGE
    if boxes is not None and 0 not in boxes.batch_shape:
        pixels, depth = before.project(corners(*merged(boxes).flattened().corners()).reshape(-1, 3))
        parts = np.abs(2.0 * pixels / was - 1.0)  # from the middle to the edges
        seen = np.all(parts <= 1.0, axis=-1)  # nothing behind the eye is
        parts, depth = parts[seen], depth[seen]
    needed = (parts * [times, 1.0] / np.maximum(parts, least)).max(axis=-1, initial=0.0)
    if camera.parallel_height is not None:
        return replace(camera, parallel_height=camera.parallel_height * float(needed.max(initial=times)))
    back = (depth * (needed - 1.0)).max(initial=(times - 1.0) * distance(camera))
    return replace(camera, position=three(before.eye - back * before.forward))


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
    return np.array([*aside, lower[2] - length(size)]), 2.0 * half


def _resolve(view: str | ArrayLike) -> ViewDirection:
    if isinstance(view, str):
        if view not in VIEWS:
            raise ValueError(f"view must be one of {', '.join(VIEWS)}, got {view!r}")
        return VIEWS[view]
    direction = read_vector(view, "frame.view")
    if direction.shape != (3,) or not np.any(direction):
        raise ValueError(f"view must be a name or a direction of three numbers, got {direction.tolist()}")
    direction = unit_vector(direction)
    # Looking straight down, z is no longer up in the picture.
    straight_down = abs(direction[2]) > np.cos(np.radians(1.0))
    return ViewDirection(three(direction), VIEWS["z"].up if straight_down else _Z_UP)


def _framable(bounds: AABB | None) -> AABB:
    """Return the boxes, grown where all of them together have no size that could be fitted into a picture."""
    if bounds is None or 0 in bounds.batch_shape:
        return EMPTY
    whole = AABB.union(bounds)
    farthest, size = float(np.abs([whole.lower, whole.upper]).max()), 2.0 * float(whole.half_extents.max())
    if farthest > FARTHEST:
        raise SizeError(f"a picture shows scenes with coordinates up to {FARTHEST:g}, got {farthest:g}")
    if 0.0 < size < LEAST_SIZE:
        raise SizeError(f"a picture shows scenes of a size from {LEAST_SIZE:g} on, got {size:g}")
    half = whole.half_extents if np.any(whole.half_extents) else EMPTY.half_extents
    largest = max(float(half.max()), _SMALLEST * float(np.abs(whole.center).max()))
    grow = np.maximum(np.maximum(half, _THINNEST * largest) - whole.half_extents, 0.0)
    return AABB(bounds.lower - grow, bounds.upper + grow)


def _least(met: Callable[[Room], bool], whole: Room, goal: Room) -> Room:
    """Return the room on the way from the whole picture to a goal that is the first where nothing is met."""
    low, high, best = 0.0, 1.0, goal
    for _ in range(STEPS):
        middle = 0.5 * (low + high)
        room = Room(*((1.0 - middle) * np.array(whole) + middle * np.array(goal)).tolist())
        if met(room):
            low = middle
        else:
            high, best = middle, room
    return best


def _free_rooms(covered: Sequence[Room]) -> list[Room]:
    """Return the largest rooms beside all that is covered: those that are in no other."""
    left, right = [0.0, *(room.right + GAP for room in covered)], [1.0, *(room.left - GAP for room in covered)]
    bottom, top = [0.0, *(room.top + GAP for room in covered)], [1.0, *(room.bottom - GAP for room in covered)]
    free = [
        room
        for room in map(Room._make, product(left, bottom, right, top))
        if room.right - room.left >= SMALLEST and room.top - room.bottom >= SMALLEST
        if not any(_overlap(room, other) for other in covered)
    ]
    return [room for room in free if not any(other != room and _inside(room, other) for other in free)]


def _overlap(a: Room, b: Room) -> bool:
    return a.left < b.right and b.left < a.right and a.bottom < b.top and b.bottom < a.top


def _inside(a: Room, b: Room) -> bool:
    return a.left >= b.left and a.bottom >= b.bottom and a.right <= b.right and a.top <= b.top


def meets(boxes: AABB, camera: Camera, size: tuple[int, int], covered: Sequence[Room], gap: float = 0.5 * GAP) -> bool:
    """Say whether the outline of a box comes as near to what is covered as a gap, or the eye is too near to tell."""
    pixels, depth = Viewport(camera, size).project(corners(*boxes.flattened().corners()))
    parts = pixels / size
    low, high = parts.min(axis=0) - gap, parts.max(axis=0) + gap
    return bool(depth.min() <= 0.0) or any(
        bool(np.any((low < (room.right, room.top)).all(axis=1) & (high > (room.left, room.bottom)).all(axis=1)))
        for room in covered
    )
