"""The camera that frames shapes where no panel covers them: pure arithmetic, no renderer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product

import numpy as np

from collision import AABB, Camera, Capsule, Ray, Scene, Segment, Shape
from collision.inner import ArrayLike, FloatArray
from viewer.view.camera import WHOLE, Room, Viewport, corners, finite_bounds, frame

#: Shapes stay so far away from panels, as a part of the picture.
GAP = 0.015

#: The smallest room that is worth going to, as a part of the picture's width and of its height.
SMALLEST = 0.25

#: How often the way to a room is halved.
STEPS = 6

#: More boxes than this are merged with their neighbours, in a grid of so many cells along each axis: some hundred say
#: well enough where shapes are.
MANY, CELLS = 512, 8

#: The eye stays where it sees this part of what it could see of a pair, and otherwise goes where it sees most; turning
#: it to the other side counts like so much less that is seen.
_ENOUGH, _STAY = 0.6, 0.1

#: Directions to see a pair from.
_SIDES = np.array([side for side in product((-1.0, 0.0, 1.0), repeat=3) if any(side)])
_SIDES /= np.linalg.norm(_SIDES, axis=1, keepdims=True)

#: How many boxes stand for a capsule or a segment.
PIECES = 5


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

    Parameters
    ----------
    boxes : AABB or None
        See `viewer.view.camera.frame`, also for `view`, `margin`, `up` and `lens`.
    size : tuple of 2 ints
        Of the picture in pixels.
    covered : sequence of Room
        The parts of the picture where something is in the way. Where they leave no room worth the name, they are not
        minded.

    Examples
    --------
    >>> ball = AABB([-1, -1, -1], [1, 1, 1])
    >>> left_half = Room(0, 0, 0.5, 1)
    >>> camera = frame_clear(ball, "z", (800, 400), [left_half])
    >>> x, y = Viewport(camera, (800, 400)).project([0, 0, 0])[0][0]
    >>> bool(x > 500), round(float(y), 6)
    (True, 200.0)
    """

    def seen(some: AABB | None, room: Room) -> Camera:
        return frame(some, view, size[0] / size[1], margin=0.0, room=room, up=up, lens=lens)

    whole = WHOLE.inset(margin)
    best = seen(boxes, whole)
    if boxes is None or 0 in boxes.batch_shape:
        return best
    few = _merged(boxes)
    found = []
    if _meet(few, best, size, covered):
        goals = (room.inset(0.5 * margin) for room in _free_rooms(covered))
        found = [_least(lambda room: _meet(few, seen(few, room), size, covered), whole, goal) for goal in goals]
    return min((seen(few, room) for room in found), key=_distance, default=best)


def outline(shapes: Iterable[Shape]) -> AABB | None:
    """Return boxes around some shapes, as one batch: where they are few, several along each capsule and segment.

    The box around a slanting capsule is empty for the most part, and what covers its corners covers nothing.

    Examples
    --------
    >>> from collision import Capsule
    >>> boxes = outline([Capsule([0, 0, 0], [4, 4, 4], 1)])
    >>> len(boxes), boxes.upper[0]
    (5, array([1., 1., 1.]))
    """
    flat = [shape.flattened() for shape in shapes]
    flat = [shape for shape in flat if shape.anchored] or flat
    few = sum(map(len, flat)) <= MANY // PIECES
    boxes = [_pieces(shape) if few and isinstance(shape, Segment | Capsule) else finite_bounds(shape) for shape in flat]
    if not boxes:
        return None
    return AABB(np.concatenate([box.lower for box in boxes]), np.concatenate([box.upper for box in boxes]))


def clearest_side(scene: Scene, names: Sequence[str], side: FloatArray) -> FloatArray | None:
    """Return the direction towards the eye from which most of some shapes is seen, past all that is before them.

    The direction where the eye is now is kept where enough of them is seen from there.

    Parameters
    ----------
    scene : Scene
        With all that may be in the way.
    names : sequence of str
        Single shapes of it.
    side : ndarray, shape (3,)
        The unit vector towards the eye as it is.

    Returns
    -------
    ndarray, shape (3,), or None
        None where the eye may stay.

    Examples
    --------
    >>> from collision import Sphere
    >>> scene = Scene({"a": Sphere([0, 0, 0], 1), "wall": AABB([2, -9, -9], [3, 9, 9])})
    >>> clearest_side(scene, ["a"], np.array([0.0, 0.0, 1.0])) is None
    True
    >>> bool(clearest_side(scene, ["a"], np.array([1.0, 0.0, 0.0]))[0] <= 0.0)
    True
    """
    own = [scene.element_numbers(name)[0] for name in names]
    boxes = [finite_bounds(scene[name]) for name in names]
    whole = scene.bounds()
    if whole is None:
        return None
    inner = np.array(list(product((-0.5, 0.0, 0.5), repeat=3)))
    places = np.concatenate([box.center + inner * box.half_extents for box in boxes])
    sides = np.stack([side, *_SIDES])
    reach = 4.0 * float(np.linalg.norm(whole.half_extents))
    hits = scene.raycast(Ray((places[:, None] + reach * sides).reshape(-1, 3), np.tile(-sides, (len(places), 1))))
    seen = np.isin(hits.element, own).reshape(len(places), len(sides)).mean(axis=0)
    if seen[0] >= _ENOUGH * seen.max():
        return None
    # Of sides that are nearly as good, that which is nearest to the one that the user has chosen.
    return np.asarray(sides[np.argmax(seen + _STAY * (sides @ side))])


def _pieces(shape: Segment | Capsule) -> AABB:
    part = np.linspace(0.0, 1.0, PIECES)[:, None, None]
    centers = (shape.start * (1.0 - part) + shape.end * part).reshape(-1, 3)
    reach = np.tile(shape.radius, PIECES)[:, None] if isinstance(shape, Capsule) else 0.0
    return AABB(centers - reach, centers + reach)


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


def _meet(boxes: AABB, camera: Camera, size: tuple[int, int], covered: Sequence[Room]) -> bool:
    """Say whether the outline of a box comes near to what is covered, or the eye is too near to tell."""
    points = corners(*boxes.flattened().corners())
    pixels, depth = Viewport(camera, size).project(points.reshape(-1, 3))
    parts = (pixels / size).reshape(*points.shape[:2], 2)
    low, high = parts.min(axis=0) - 0.5 * GAP, parts.max(axis=0) + 0.5 * GAP
    return bool(depth.min() <= 0.0) or any(
        bool(np.any((low < (room.right, room.top)).all(axis=1) & (high > (room.left, room.bottom)).all(axis=1)))
        for room in covered
    )


def _distance(camera: Camera) -> float:
    """Return how far the eye is from its target, or how much of the scene a parallel picture is high."""
    apart = float(np.linalg.norm(np.subtract(camera.position, camera.target)))
    return camera.parallel_height if camera.parallel_height is not None else apart


def _merged(boxes: AABB) -> AABB:
    """Return boxes, or where they are very many, the boxes around those in each cell of a coarse grid."""
    flat = boxes.flattened()
    if len(flat) <= MANY:
        return flat
    whole = AABB.union(flat)
    size = np.maximum(whole.upper - whole.lower, np.finfo(float).tiny)
    cells = np.minimum((CELLS * ((flat.center - whole.lower) / size)).astype(np.int64), CELLS - 1)
    _, cell = np.unique(cells @ np.array([CELLS * CELLS, CELLS, 1]), return_inverse=True)
    lower, upper = np.full((cell.max() + 1, 3), np.inf), np.full((cell.max() + 1, 3), -np.inf)
    np.minimum.at(lower, cell, flat.lower)
    np.maximum.at(upper, cell, flat.upper)
    return AABB(lower, upper)
