"""Handles that move: arrows along the axes, squares in the planes between them, a dot for the plane of the view.

A single shape has *parts* that can be moved: its body, the two ends of a segment or capsule, and for a ray or a line a
tip that turns it. One part carries the full set; the others show a dot each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from collision import Capsule, Line, OrientedBox, Point, Ray, Segment
from collision.fields import FloatArray
from viewer.camera import Viewport
from viewer.drawables import Arrow, Drawable, Marker, Patch, Role
from viewer.gizmo.changes import Change, Move, Part
from viewer.gizmo.handles import (
    AXIS_ROLES,
    DOT_REACH,
    LINE_REACH,
    Gizmo,
    Grip,
    Handle,
    Layer,
    Mode,
    in_pixels,
    on_line,
    on_plane,
    outlined,
    plane_frame,
    snapped,
    towards_eye,
    unit_at,
    view_frame,
)
from viewer.gizmo.subject import WORLD, Subject

#: Sizes in pixels of an ordinary screen: the arrows, the squares between them (nearer and farther edge), and how far
#: from a ray's origin its tip stands.
AXIS_LENGTH = 110.0
SQUARE = (36.0, 60.0)
_SQUARE_CORNERS = np.array(SQUARE)[np.array([(0, 0), (1, 0), (1, 1), (0, 1)])]
TIP_LENGTH = 180.0

#: Where the arrow's own part begins, in pixels.
ARROW_START = 14.0

#: An arrow is no handle when it is seen shorter than this (it points at the viewer) ...
SHORTEST_ARROW = 22.0
#: ... and a plane is none when this is all that the view rises above it, as a sine.
FLATTEST_PLANE = 0.2

_BODY: Part = "body"
_PARTS: tuple[Part, ...] = ("start", "end", "tip", "body")


@dataclass(frozen=True, eq=False)
class Mover(Gizmo):
    """Handles that move a subject, or a part of it.

    Parameters
    ----------
    subject : Subject
        What moves.
    part : str
        Which part carries the full set.
    reach : float, optional
        How far from its origin the tip of a ray or line stands, in scene units; by default a constant length in the
        picture.

    Examples
    --------
    >>> from collision import Camera, Sphere
    >>> view = Viewport(Camera(position=(0, 0, 10), up=(0, 1, 0)), (400, 400))
    >>> mover = Mover(Subject.of([Sphere([0, 0, 0], 1)]))
    >>> mover.hit(view, 200 + 60, 200)
    Handle(part='body', kind='axis', axis=0, side=1)
    >>> drag = mover.begin(view, mover.hit(view, 260, 200), 260, 200)
    >>> moved = drag.update(view, 300, 200, Grip(), None)
    >>> [round(value / view.units_per_pixel([0, 0, 0])) for value in moved.offset.tolist()]
    [40, 0, 0]
    """

    part: Part = "body"
    reach: float | None = None

    mode: ClassVar[Mode] = "translate"
    verb: ClassVar[str] = "move"

    def parts(self, viewport: Viewport) -> dict[Part, FloatArray]:
        """Return where the parts are."""
        shape, middle = self.subject.shape, self.subject.middle
        parts = {_BODY: middle}
        if isinstance(shape, Segment | Capsule):
            parts["start"], parts["end"] = shape.start, shape.end
        elif isinstance(shape, Ray | Line):
            reach = TIP_LENGTH * unit_at(viewport, middle) if self.reach is None else self.reach
            parts["tip"] = middle + reach * shape.direction
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
            found |= {Handle(self.part, "plane", axis): at for axis in self._facing_planes(viewport, at)}
            found |= {Handle(self.part, "axis", axis): at for axis in self._facing_axes(viewport, at)}
        return found

    def layers(self, viewport: Viewport) -> Iterator[Layer]:
        """Yield the dots, the squares and the arrows.

        An arrow that runs behind a square is long enough to be grabbed beside it.
        """
        places = self.handles(viewport)
        dots, squares, arrows = ([h for h in places if h.kind == kind] for kind in ("view", "plane", "axis"))
        if dots:
            at = np.stack([places[dot] for dot in dots])
            yield outlined(Point, dots, in_pixels(viewport, at), reach=DOT_REACH)
        if squares:
            boxes = [self._square(viewport, square, places[square]) for square in squares]
            values = zip(*(box.values().values() for box in boxes), strict=True)
            yield Layer(tuple(squares), OrientedBox(*map(np.stack, values)))
        if arrows:
            at = places[arrows[0]]
            along = unit_at(viewport, at) * self.subject.frame.T[[arrow.axis for arrow in arrows]]
            ends = (in_pixels(viewport, at + reach * along) for reach in (ARROW_START, AXIS_LENGTH))
            yield outlined(Segment, arrows, *ends, reach=LINE_REACH)

    def begin(self, viewport: Viewport, handle: Handle, x: float, y: float) -> MoveDrag | None:
        """Return the drag that starts at a pixel; None when the handle cannot be dragged in this view."""
        at = self.handles(viewport).get(handle)
        if at is None:
            return None
        drag = MoveDrag(self.subject, handle, at, at)
        grabbed = drag.under(viewport, x, y)
        return None if grabbed is None else MoveDrag(self.subject, handle, at, grabbed)

    def drawables(self, viewport: Viewport, hot: Handle | None = None) -> tuple[Drawable, ...]:
        """Return the handles as they are drawn; those that cannot be dragged in this view are left out."""
        return tuple(self._drawn(viewport, hot))

    def along(self, axis: str) -> Handle:  # noqa: D102 (see Gizmo)
        planes = ("yz", "xz", "xy")
        if axis in planes:
            return Handle(self.part, "plane", planes.index(axis))
        if axis not in ("x", "y", "z"):
            raise ValueError(f"what moves does so along x, y or z, or in xy, xz or yz, got {axis!r}")
        return Handle(self.part, "axis", "xyz".index(axis))

    def heading(self, handle: Handle | None) -> str:  # noqa: D102 (see Gizmo)
        names = self.fields(handle)
        own = "local " if self.subject.local else ""
        where = {1: " along ", 2: " in "}.get(len(names), "")
        part = handle.part if handle is not None else self.part
        return f"move{'' if part == _BODY else f' {part}'}{where and where + own + ''.join(names)}"

    def fields(self, handle: Handle | None) -> tuple[str, ...]:  # noqa: D102 (see Gizmo)
        return tuple("xyz"[axis] for axis in _free(handle))

    def typed(self, handle: Handle | None, values: Sequence[float | None], viewport: Viewport) -> Move:  # noqa: D102 (see Gizmo)
        steps = np.zeros(3)
        for axis, value in zip(_free(handle), values, strict=True):
            steps[axis] = value or 0.0
        offset = self.subject.frame @ steps if self.subject.local else steps  # what is typed moves by just that
        part = handle.part if handle is not None else self.part
        return Move(offset, part, self.parts(viewport)[part])

    def measured(self, handle: Handle | None, change: Change) -> tuple[float, ...]:  # noqa: D102 (see Gizmo)
        assert isinstance(change, Move)
        return tuple((change.offset @ self.subject.frame)[list(_free(handle))].tolist())

    def after(self, change: Change, subject: Subject) -> Mover:
        """Return the handles while a drag goes on: a tip stays under the cursor however far that is."""
        assert isinstance(change, Move)
        if change.part != "tip" or change.start is None:
            return Mover(subject, self.part)
        return Mover(subject, self.part, float(np.linalg.norm(change.start + change.offset - subject.middle)))

    # -- inside -------------------------------------------------------------------------------------------------------

    def _drawn(self, viewport: Viewport, hot: Handle | None) -> Iterator[Drawable]:
        places = self.handles(viewport)
        units = {handle.part: unit_at(viewport, at) for handle, at in places.items() if handle.kind == "view"}
        for handle, at in reversed(list(places.items())):
            role = Role.HOT if handle == hot else self._role(handle)
            if handle.kind == "axis":
                tip = at + AXIS_LENGTH * units[handle.part] * self.subject.frame[:, handle.axis]
                yield Arrow(at[None], tip[None], role)
            elif handle.kind == "plane":
                yield Patch(self._corners(handle, at, units[handle.part])[None], role)
            else:
                yield Marker(at[None], role)

    def _role(self, handle: Handle) -> Role:
        if handle.kind != "view":
            return AXIS_ROLES[handle.axis]
        return Role.VIEW_PLANE if handle.part == self.part else Role.HANDLE

    def _facing_axes(self, viewport: Viewport, at: FloatArray) -> list[int]:
        """Return the axes that do not point at the viewer, at a point."""
        tips = at + AXIS_LENGTH * unit_at(viewport, at) * self.subject.frame.T
        pixels, _ = viewport.project(np.concatenate([at[None], tips]))
        lengths = np.linalg.norm(pixels[1:] - pixels[0], axis=-1)
        return [axis for axis in range(3) if lengths[axis] >= SHORTEST_ARROW * viewport.scale]

    def _facing_planes(self, viewport: Viewport, at: FloatArray) -> list[int]:
        """Return the axes whose planes are not seen edge on, at a point."""
        sines = np.abs(towards_eye(viewport, at) @ self.subject.frame)
        return [axis for axis in range(3) if sines[axis] >= FLATTEST_PLANE]

    def _square(self, viewport: Viewport, handle: Handle, at: FloatArray) -> OrientedBox:
        unit = unit_at(viewport, at)
        half = 0.5 * (SQUARE[1] - SQUARE[0]) * unit
        middle = self._corners(handle, at, unit)[[0, 2]].mean(axis=0)
        return OrientedBox(middle, plane_frame(self.subject.frame, handle.axis), [half, half, 0.0])

    def _corners(self, handle: Handle, at: FloatArray, unit: float) -> FloatArray:
        plane = plane_frame(self.subject.frame, handle.axis)[:, :2]
        return np.asarray(at + unit * _SQUARE_CORNERS @ plane.T)


@dataclass(frozen=True, eq=False)
class MoveDrag:
    """A moving handle in hand.

    Attributes
    ----------
    subject : Subject
        As it was at the press.
    handle : Handle
        What was grabbed.
    at : ndarray, shape (3,)
        Where the part was.
    grabbed : ndarray, shape (3,)
        The point that stays under the cursor.
    """

    subject: Subject
    handle: Handle
    at: FloatArray
    grabbed: FloatArray

    def update(self, viewport: Viewport, x: float, y: float, grip: Grip, last: Change | None) -> Move | None:
        """Return how far the part has moved since the press.

        None when the pixel means no place on the axis or plane (it is beyond the horizon), or a tip would come to lie
        on the origin of its ray. Then the part stays where it was.
        """
        here = self.under(viewport, x, y)
        if here is None:
            return None
        offset: FloatArray = here - self.grabbed
        if grip.step and self.handle.part != "tip":
            offset = self._on_grid(offset, grip.step)
        turns_nowhere = self.handle.part == "tip" and np.array_equal(self.at + offset, self.subject.middle)
        return None if turns_nowhere else Move(offset, self.handle.part, self.at)

    def under(self, viewport: Viewport, x: float, y: float) -> FloatArray | None:
        """Return the point on the handle's axis or plane that is seen at a pixel."""
        frame = self.subject.frame
        if self.handle.kind == "axis":
            return on_line(viewport, self.at, frame[:, self.handle.axis], x, y)
        flat = plane_frame(frame, self.handle.axis) if self.handle.kind == "plane" else view_frame(viewport)
        return on_plane(viewport, self.at, flat, x, y)

    def _on_grid(self, offset: FloatArray, step: float) -> FloatArray:
        """Return the offset that ends on the grid of the world; along axes of its own, an offset of whole steps."""
        free = list(_free(self.handle))
        if self.subject.local:
            steps = offset @ self.subject.frame
            steps[free] = snapped(steps[free], step)
            return self.subject.frame @ steps
        there = self.at + offset
        there[free] = snapped(there[free], step)
        return np.asarray(np.where(WORLD[free].any(axis=0), there - self.at, 0.0))


def _free(handle: Handle | None) -> tuple[int, ...]:
    """Return the axes along which a handle moves."""
    if handle is None or handle.kind == "view":
        return (0, 1, 2)
    return tuple(axis for axis in range(3) if (axis == handle.axis) == (handle.kind == "axis"))
