"""Handles to move a shape by, of constant size in the picture, and the arithmetic of a drag.

A shape has *parts* that can be moved: its body, the two ends of a segment or capsule, and for a ray or a line a tip
that turns it. One part carries the full set of handles (three arrows along the axes, three squares in the planes
between them, a dot for the plane of the view); the others show a dot each.

A drag keeps what it found when the button went down, and every later position is computed from that alone: nothing
adds up, and the point that was grabbed stays under the cursor. Where the cursor is in the world, and what it hits, are
queries of `collision`: the point of an axis nearest to the ray of a pixel, and that ray against a plane, which is a
flat box.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from collision import (
    AABB,
    Capsule,
    Line,
    OrientedBox,
    Point,
    Ray,
    Segment,
    Shape,
    closest_points,
    distance,
    raycast,
)
from collision.fields import ArrayLike, FloatArray
from viewer.camera import Viewport, finite_bounds
from viewer.drawables import Arrow, Drawable, Marker, Patch, Role

Part = Literal["body", "start", "end", "tip"]

#: Sizes in pixels of an ordinary screen: the arrows, the squares between them (nearer and farther edge), and how far
#: from a ray's origin its tip stands.
AXIS_LENGTH = 110.0
SQUARE = (36.0, 60.0)
TIP_LENGTH = 180.0

#: How near, in pixels, the cursor must be to a dot or to an arrow, and where the arrow's own part begins.
DOT_REACH = 10.0
ARROW_REACH = 8.0
ARROW_START = 14.0

#: An arrow is no handle when it is seen shorter than this (it points at the viewer) ...
SHORTEST_ARROW = 22.0
#: ... and a plane is none when this is all that the view rises above it, as a sine.
FLATTEST_PLANE = 0.2

#: In a drag, the cursor means no place on an axis when its ray runs this nearly along it, as a sine ...
ALONG_AXIS = 0.04
#: ... and none on a plane beyond this many times the distance to the eye.
PLANE_REACH = 50.0

AXES = np.eye(3)
_BODY: Part = "body"
_PARTS: tuple[Part, ...] = ("start", "end", "tip", "body")
_AXIS_ROLES = (Role.AXIS_X, Role.AXIS_Y, Role.AXIS_Z)


class Handle(NamedTuple):
    """Something to grab: which part of the shape it moves, and along what.

    `axis` is the axis itself for an arrow, and the normal for a plane.
    """

    part: Part
    kind: Literal["axis", "plane", "view"]
    axis: int = 0


@dataclass(frozen=True, eq=False)
class Gizmo:
    """The handles of a shape.

    Parameters
    ----------
    shape : Shape
        A single shape, or a whole batch, which has a body only.
    part : str
        Which part carries the full set.
    reach : float, optional
        How far from its origin the tip of a ray or line stands, in scene units; by default a constant length in the
        picture.

    Examples
    --------
    >>> from collision import Camera, Sphere
    >>> view = Viewport(Camera(position=(0, 0, 10), up=(0, 1, 0)), (400, 400))
    >>> gizmo = Gizmo(Sphere([0, 0, 0], 1))
    >>> gizmo.hit(view, 200 + 60, 200)
    Handle(part='body', kind='axis', axis=0)
    >>> drag = gizmo.begin(view, gizmo.hit(view, 260, 200), 260, 200)
    >>> moved = drag.update(view, 300, 200)
    >>> [round(value / view.units_per_pixel([0, 0, 0])) for value in moved.tolist()]
    [40, 0, 0]
    """

    shape: Shape
    part: Part = "body"
    reach: float | None = None

    @cached_property
    def body(self) -> FloatArray:
        """The middle of the shape; for rays and lines, of the points that they are given by."""
        return AABB.union(finite_bounds(self.shape)).center

    def parts(self, viewport: Viewport) -> dict[Part, FloatArray]:
        """Return where the parts are."""
        shape, parts = self.shape, {_BODY: self.body}
        if shape.batch_shape:
            return parts
        if isinstance(shape, Segment | Capsule):
            parts["start"], parts["end"] = shape.start, shape.end
        elif isinstance(shape, Ray | Line):
            reach = TIP_LENGTH * _unit(viewport, self.body) if self.reach is None else self.reach
            parts["tip"] = self.body + reach * shape.direction
        return parts

    def handles(self, viewport: Viewport) -> dict[Handle, FloatArray]:
        """Return the handles that can be dragged in this view, each with the point it belongs to.

        The first is the first to be hit. None are there when the shape is behind the eye.
        """
        parts = {part: at for part, at in self.parts(viewport).items() if viewport.units_per_pixel(at) > 0.0}
        dots = [Handle(part, "view") for part in _PARTS if part in parts]
        found = {dot: parts[dot.part] for dot in sorted(dots, key=lambda dot: dot.part == self.part)}
        if self.part in parts:
            at = parts[self.part]
            found |= {Handle(self.part, "plane", axis): at for axis in _facing_planes(viewport, at)}
            found |= {Handle(self.part, "axis", axis): at for axis in _facing_axes(viewport, at)}
        return found

    def hit(self, viewport: Viewport, x: float, y: float) -> Handle | None:
        """Return the handle under a pixel: the nearest dot, else a square, else the nearest arrow.

        An arrow that runs behind a square is long enough to be grabbed beside it.
        """
        handles, ray = self.handles(viewport), viewport.ray(x, y)
        dot = _nearest(viewport, [(h, at) for h, at in handles.items() if h.kind == "view"], x, y, DOT_REACH)
        if dot is not None:
            return dot
        squares = [(h, _square(viewport, h, at)) for h, at in handles.items() if h.kind == "plane"]
        enters = {handle: float(hit.enter) for handle, square in squares if (hit := raycast(ray, square)).hit}
        if enters:
            return min(enters, key=enters.__getitem__)
        return _nearest(viewport, [(h, at) for h, at in handles.items() if h.kind == "axis"], x, y, ARROW_REACH)

    def begin(self, viewport: Viewport, handle: Handle, x: float, y: float) -> Drag | None:
        """Return the drag that starts at a pixel; None when the handle cannot be dragged in this view."""
        at = self.handles(viewport).get(handle)
        if at is None:
            return None
        grabbed = _under_cursor(viewport, handle, at, x, y)
        return None if grabbed is None else Drag(self.shape, handle, at, grabbed)

    def drawables(self, viewport: Viewport, hot: Handle | None = None) -> tuple[Drawable, ...]:
        """Return the handles as they are drawn.

        Parameters
        ----------
        viewport : Viewport
            Handles have a constant size in it, and those that cannot be dragged in it are left out.
        hot : Handle, optional
            The one under the cursor, or in hand.
        """
        return tuple(self._drawn(viewport, hot))

    def _drawn(self, viewport: Viewport, hot: Handle | None) -> Iterator[Drawable]:
        for handle, at in reversed(list(self.handles(viewport).items())):
            role = Role.HOT if handle == hot else _role(handle, self.part)
            if handle.kind == "axis":
                tip = at + AXIS_LENGTH * _unit(viewport, at) * AXES[handle.axis]
                yield Arrow(at[None], tip[None], role)
            elif handle.kind == "plane":
                yield Patch(_square_corners(viewport, handle, at)[None], role)
            else:
                yield Marker(at[None], role)


@dataclass(frozen=True, eq=False)
class Drag:
    """A handle in hand: what there was when the button went down.

    Attributes
    ----------
    shape : Shape
        As it was then.
    handle : Handle
        What was grabbed.
    at : ndarray, shape (3,)
        Where the part was.
    grabbed : ndarray, shape (3,)
        The point that stays under the cursor.
    """

    shape: Shape
    handle: Handle
    at: FloatArray
    grabbed: FloatArray

    def update(self, viewport: Viewport, x: float, y: float) -> FloatArray | None:
        """Return how far the part has moved since the button went down, shape (3,).

        None when the pixel means no place on the axis or plane (it is beyond the horizon), or a tip would come to lie
        on the origin of its ray. Then the part stays where it was.
        """
        here = _under_cursor(viewport, self.handle, self.at, x, y)
        if here is None:
            return None
        offset: FloatArray = here - self.grabbed
        turns_nowhere = self.handle.part == "tip" and np.array_equal(self.at + offset, self.shape.core.operands[0])
        return None if turns_nowhere else offset

    def gizmo(self, moved: Shape, offset: FloatArray, part: Part) -> Gizmo:
        """Return the handles while the drag goes on: a tip stays under the cursor however far that is."""
        if self.handle.part != "tip":
            return Gizmo(moved, part)
        return Gizmo(moved, part, float(np.linalg.norm(self.at + offset - moved.core.operands[0])))


def with_part(shape: Shape, part: Part, position: ArrayLike) -> Shape:
    """Return a single shape with one part at a new position.

    Parameters
    ----------
    shape : Shape
        Any kind for its body; a segment or capsule for ``start`` and ``end``; a ray or line for ``tip``.
    part : str
        What moves. The tip turns a ray or line about the point that it is given by.
    position : array_like, shape (3,)
        Where the part goes.

    Raises
    ------
    ValueError
        If the kind has no such part, or a tip is put on the origin.

    Examples
    --------
    >>> with_part(Segment([0, 0, 0], [1, 0, 0]), "end", [0, 2, 0])
    Segment(start=[0.0, 0.0, 0.0], end=[0.0, 2.0, 0.0])
    """
    if part == "body":
        return shape.translated(np.subtract(position, Gizmo(shape).body))
    if isinstance(shape, Segment | Capsule) and part == "start":
        return replace(shape, start=position)
    if isinstance(shape, Segment | Capsule) and part == "end":
        return replace(shape, end=position)
    if isinstance(shape, Ray | Line) and part == "tip":
        return replace(shape, direction=np.subtract(position, Gizmo(shape).body))
    raise ValueError(f"a {type(shape).__name__} has no {part} that could be moved")


def _role(handle: Handle, part: Part) -> Role:
    if handle.kind != "view":
        return _AXIS_ROLES[handle.axis]
    return Role.VIEW_PLANE if handle.part == part else Role.HANDLE


def _nearest(
    viewport: Viewport, handles: list[tuple[Handle, FloatArray]], x: float, y: float, reach: float
) -> Handle | None:
    """Return the dot or arrow that is nearest to a pixel, if it is within reach."""
    cursor = Point([x, y, 0.0])
    away = {handle: float(distance(cursor, _outline(viewport, handle, at))) for handle, at in handles}
    best = min(away, key=away.__getitem__, default=None)
    return best if best is not None and away[best] <= reach * viewport.scale else None


def _unit(viewport: Viewport, at: FloatArray) -> float:
    """Return the length, in scene units, of a pixel of an ordinary screen at a point."""
    return viewport.scale * viewport.units_per_pixel(at)


def _facing_axes(viewport: Viewport, at: FloatArray) -> list[int]:
    """Return the axes that do not point at the viewer, at a point."""
    tips = at + AXIS_LENGTH * _unit(viewport, at) * AXES
    pixels, _ = viewport.project(np.concatenate([at[None], tips]))
    lengths = np.linalg.norm(pixels[1:] - pixels[0], axis=-1)
    return [axis for axis in range(3) if lengths[axis] >= SHORTEST_ARROW * viewport.scale]


def _facing_planes(viewport: Viewport, at: FloatArray) -> list[int]:
    """Return the axes whose planes are not seen edge on, at a point."""
    pixels, _ = viewport.project(at[None])
    sines = np.abs(viewport.ray(*pixels[0]).direction)
    return [axis for axis in range(3) if sines[axis] >= FLATTEST_PLANE]


def _outline(viewport: Viewport, handle: Handle, at: FloatArray) -> Point | Segment:
    """Return where a dot or an arrow is in the picture, in pixels, in the plane z = 0."""
    unit = _unit(viewport, at)
    along = AXES[handle.axis] * unit if handle.kind == "axis" else np.zeros(3)
    pixels, _ = viewport.project([at + ARROW_START * along, at + AXIS_LENGTH * along])
    start, end = np.column_stack([pixels, np.zeros(2)])
    return Segment(start, end) if handle.kind == "axis" else Point(start)


def _square_corners(viewport: Viewport, handle: Handle, at: FloatArray) -> FloatArray:
    near, far = np.array(SQUARE) * _unit(viewport, at)
    u, v = np.delete(AXES, handle.axis, axis=0)
    return np.stack([at + a * u + b * v for a, b in ((near, near), (far, near), (far, far), (near, far))])


def _square(viewport: Viewport, handle: Handle, at: FloatArray) -> AABB:
    return AABB.from_points(_square_corners(viewport, handle, at))


def _under_cursor(viewport: Viewport, handle: Handle, at: FloatArray, x: float, y: float) -> FloatArray | None:
    """Return the point on the handle's axis or plane through a point that is seen at a pixel."""
    ray = viewport.ray(x, y)
    if handle.kind == "axis":
        axis = AXES[handle.axis]
        if np.linalg.norm(np.cross(ray.direction, axis)) < ALONG_AXIS:
            return None
        found = closest_points(Line(at, axis), ray)
        before_eye = (found.on_b - ray.origin) @ ray.direction > 0.0
        return found.on_a if before_eye else None
    hit = raycast(ray, _plane(viewport, handle, at))
    return hit.point if hit.hit and hit.enter > 0.0 else None


def _plane(viewport: Viewport, handle: Handle, at: FloatArray) -> OrientedBox:
    """Return the part of a handle's plane in which one can drag: a flat box around a point."""
    reach = PLANE_REACH * float(np.linalg.norm(at - viewport.eye))
    if handle.kind == "plane":
        return OrientedBox(at, AXES, reach * (1.0 - AXES[handle.axis]))
    frame = np.stack([viewport.right, viewport.up, -viewport.forward], axis=-1)
    return OrientedBox(at, frame, [reach, reach, 0.0])
