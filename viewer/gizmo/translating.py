"""Handles that move: arrows along the axes, squares in the planes between them, a dot for the plane of the view.

A single shape has *parts* that can be moved: its body, the two ends of a segment or capsule, and for a ray or a line a
tip that turns it. One part carries the full set; the others show a dot each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from collision import Capsule, Cylinder, HalfSpace, Line, OrientedBox, Point, Ray, Segment
from collision.inner import FloatArray, decimal_sum
from viewer.camera.camera import Viewport
from viewer.gizmo.changes import Change, Move, Part
from viewer.gizmo.handles import (
    AXIS_ROLES,
    DOT_REACH,
    LINE_REACH,
    Gizmo,
    Handle,
    HandleLayer,
    Mode,
    SnapOptions,
    in_pixels,
    outlined,
    pixel_step,
    plane_at,
    plane_frame,
    rises,
    seen_at,
    snapped,
    unit_at,
    view_frame,
)
from viewer.gizmo.subject import WORLD, Subject, direction_of
from viewer.records.drawables import Arrow, Drawable, Marker, Patch, Role

#: Sizes in pixels of an ordinary screen: the arrows, the squares between them (nearer and farther edge), and how far
#: from a ray's origin its tip stands.
AXIS_LENGTH = 110.0
SQUARE = (36.0, 60.0)
_SQUARE_CORNERS = np.array(SQUARE)[np.array([(0, 0), (1, 0), (1, 1), (0, 1)])]
TIP_LENGTH = 180.0

#: Where an arrow begins, in pixels.
ARROW_START = 14.0

#: An arrow is no handle when it is seen shorter than this (it points at the viewer) ...
SHORTEST_ARROW = 22.0
#: ... and a plane is none when this is all that the view rises above it, as a sine.
FLATTEST_PLANE = 0.2

_PARTS: tuple[Part, ...] = ("start", "end", "tip", "body")


@dataclass(frozen=True, eq=False)
class Mover(Gizmo):
    """Handles that move a subject, or a part of it; the tip of a ray stands at a reach, or a length of the picture."""

    part: Part = "body"
    reach: float | None = None

    mode: ClassVar[Mode] = "translate"
    verb: ClassVar[str] = "move"

    def parts(self, viewport: Viewport) -> dict[Part, FloatArray]:
        """Return where the parts are."""
        shape, middle = self.subject.shape, self.subject.middle
        parts: dict[Part, FloatArray] = {"body": middle}
        if isinstance(shape, Segment | Capsule | Cylinder):
            parts["start"], parts["end"] = shape.start, shape.end
        elif isinstance(shape, Ray | Line | HalfSpace):
            reach = TIP_LENGTH * unit_at(viewport, middle) if self.reach is None else self.reach
            parts["tip"] = middle + reach * direction_of(shape)
        return parts

    def handles(self, viewport: Viewport) -> dict[Handle, FloatArray]:
        """Return the handles that can be dragged in this view, each with the point it belongs to."""
        parts = self.parts(viewport)
        dots = {dot: parts[dot.part] for dot in self._other_dots(viewport, parts)}
        at = parts[self.part]
        return dots | dict.fromkeys(self._full_set(viewport, at), at)

    def layers(self, viewport: Viewport) -> Iterator[HandleLayer]:
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
            yield HandleLayer(tuple(squares), OrientedBox(*map(np.stack, values)))
        if arrows:
            at = places[arrows[0]]
            along = unit_at(viewport, at) * self.subject.frame.T[[arrow.axis for arrow in arrows]]
            ends = (in_pixels(viewport, at + reach * along) for reach in (ARROW_START, AXIS_LENGTH))
            yield outlined(Segment, arrows, *ends, reach=LINE_REACH)

    def begin(self, viewport: Viewport, handle: Handle, x: float, y: float) -> MoveDrag | None:
        """Return the drag that starts at a pixel; None when the handle cannot be dragged in this view."""
        at = self.handles(viewport).get(handle)
        return None if at is None else self.grab(viewport, handle, at, x, y)

    def grab(self, viewport: Viewport, handle: Handle, through: FloatArray, x: float, y: float) -> MoveDrag | None:
        """Return the drag of a part by another point than its own (3,), as a handle there would start it at a pixel."""
        at = self.parts(viewport)[handle.part]
        grabbed = MoveDrag(self.subject, handle, at, through, through).under(viewport, x, y)
        return None if grabbed is None else MoveDrag(self.subject, handle, at, through, grabbed)

    def drawables(self, viewport: Viewport, hot: Handle | None = None) -> tuple[Drawable, ...]:
        """Return the handles, the first to be hit last; those that cannot be dragged in this view are left out."""
        parts = self.parts(viewport)
        at = parts[self.part]
        unit, drawn = unit_at(viewport, at), list[Drawable]()
        tips = at + self._arrows(unit)
        for handle in reversed(self._full_set(viewport, at)):
            role = Role.HOT if handle == hot else Role.VIEW_PLANE if handle.kind == "view" else AXIS_ROLES[handle.axis]
            if handle.kind == "axis":
                drawn.append(Arrow(at[None], tips[[handle.axis]], role))
            elif handle.kind == "plane":
                drawn.append(Patch((at + self._corners(unit, handle.axis))[None], role))
            else:
                drawn.append(Marker(at[None], role))
        for dot in reversed(self._other_dots(viewport, parts)):
            drawn.append(Marker(parts[dot.part][None], Role.HOT if dot == hot else Role.HANDLE))
        return tuple(drawn)

    def along(self, axis: str) -> Handle:  # noqa: D102 (see Gizmo)
        planes = ("yz", "xz", "xy")
        if axis in planes:
            return Handle(self.part, "plane", planes.index(axis))
        if axis not in ("x", "y", "z"):
            raise ValueError(f"what moves does so along x, y or z, or in xy, xz or yz, got {axis!r}")
        return Handle(self.part, "axis", "xyz".index(axis))

    def heading(self, handle: Handle | None) -> str:  # noqa: D102 (see Gizmo)
        names = self.fields(handle)
        axes = "local " if self.subject.local else ""
        where = {1: " along ", 2: " in "}.get(len(names), "")
        part = handle.part if handle is not None else self.part
        return f"move{'' if part == 'body' else f' {part}'}{where and where + axes + ''.join(names)}"

    def fields(self, handle: Handle | None) -> tuple[str, ...]:  # noqa: D102 (see Gizmo)
        return _NAMES[_free(handle)]

    def typed(self, handle: Handle | None, values: Sequence[float | None], viewport: Viewport) -> Move:  # noqa: D102 (see Gizmo)
        steps = np.zeros(3)
        for axis, value in zip(_free(handle), values, strict=True):
            steps[axis] = value or 0.0
        offset = self.subject.frame @ steps if self.subject.local else steps  # what is typed moves by just that
        part = handle.part if handle is not None else self.part
        return Move(offset, part, self.parts(viewport)[part])

    def measured(self, handle: Handle | None, change: Change) -> tuple[float, ...]:  # noqa: D102 (see Gizmo)
        assert isinstance(change, Move)
        x, y, z = values = change.offset.tolist()
        if self.subject.local:
            values = [x * a + y * b + z * c for a, b, c in self.subject.frame.T.tolist()]
        return tuple([values[axis] for axis in _free(handle)])

    def after(self, change: Change, subject: Subject) -> Mover:
        """Return the handles while a drag goes on: a tip stays under the cursor however far that is."""
        assert isinstance(change, Move)
        if change.part != "tip" or change.start is None:
            return Mover(subject, self.part)
        return Mover(subject, self.part, float(np.linalg.norm(change.start + change.offset - subject.middle)))

    # -- inside -------------------------------------------------------------------------------------------------------

    def _full_set(self, viewport: Viewport, at: FloatArray) -> list[Handle]:
        """Return the handles of the part that carries the full set; none behind the eye."""
        unit = unit_at(viewport, at)
        if not unit > 0.0:
            return []
        rise = rises(viewport, at, self.subject.frame)
        pixels, _ = viewport.project(np.stack([at, *(at + self._arrows(unit))]))
        lengths = np.linalg.norm(pixels[1:] - pixels[0], axis=1)
        planes = [Handle(self.part, "plane", axis) for axis in range(3) if rise[axis] >= FLATTEST_PLANE]
        shortest = SHORTEST_ARROW * viewport.scale
        axes = [Handle(self.part, "axis", axis) for axis in range(3) if lengths[axis] >= shortest]
        return [Handle(self.part, "view"), *planes, *axes]

    def _other_dots(self, viewport: Viewport, parts: Mapping[Part, FloatArray]) -> list[Handle]:
        """Return the handles of the parts that do not carry the full set; of those before the eye."""
        others = (part for part in _PARTS if part in parts and part != self.part)
        return [Handle(part, "view") for part in others if unit_at(viewport, parts[part]) > 0.0]

    def _arrows(self, unit: float) -> FloatArray:
        """Return the arrows along the axes (3, 3), in scene units."""
        return np.asarray(unit * (AXIS_LENGTH * self.subject.frame.T))

    def _corners(self, unit: float, axis: int) -> FloatArray:
        """Return the corners of the square across an axis (4, 3), seen from the part, in scene units."""
        return np.asarray(unit * (_SQUARE_CORNERS @ plane_frame(self.subject.frame, axis)[:, :2].T))

    def _square(self, viewport: Viewport, handle: Handle, at: FloatArray) -> OrientedBox:
        """Return a square as a flat box, to be hit."""
        unit = unit_at(viewport, at)
        half = 0.5 * (SQUARE[1] - SQUARE[0]) * unit
        corners = at + self._corners(unit, handle.axis)
        return OrientedBox(
            corners[[0, 2]].mean(axis=0), plane_frame(self.subject.frame, handle.axis), [half, half, 0.0]
        )


@dataclass(frozen=True, eq=False)
class MoveDrag:
    """A moving handle in hand: the part goes along an axis or a plane, and the point grabbed stays under the cursor."""

    subject: Subject
    handle: Handle
    at: FloatArray
    through: FloatArray
    grabbed: FloatArray

    def update(self, viewport: Viewport, x: float, y: float, snap: SnapOptions, last: Change | None) -> Move | None:
        """Return how far the part has moved since the press.

        None when the pixel means no place on the axis or plane (it is beyond the horizon), or a tip would come to lie
        on the origin of its ray: the part stays where it was.
        """
        here = self.under(viewport, x, y)
        if here is None:
            return None
        offset: FloatArray = here - self.grabbed
        if self.handle.part == "tip":
            turns_nowhere = np.array_equal(self.at + offset, self.subject.middle)
            return None if turns_nowhere else Move(offset, "tip", self.at, free=True)
        if snap.step:
            offset = self._on_grid(offset, snap.step)
        else:
            step = pixel_step(viewport, here)
            moved = np.abs(offset) > 1e-3 * step  # along the others nothing is to be rounded
            offset = np.where(moved, self._on_grid(offset, step), 0.0)
        return Move(offset, self.handle.part, self.at, free=self.subject.shape is None and not snap.step)

    def under(self, viewport: Viewport, x: float, y: float) -> FloatArray | None:
        """Return the point that is seen at a pixel, on the handle's axis or plane."""
        frame = self.subject.frame
        if self.handle.kind == "axis":
            return seen_at(viewport, Line(self.through, frame[:, self.handle.axis]), x, y)
        flat = plane_frame(frame, self.handle.axis) if self.handle.kind == "plane" else view_frame(viewport)
        return seen_at(viewport, plane_at(viewport, self.through, flat), x, y)

    def _on_grid(self, offset: FloatArray, step: float) -> FloatArray:
        """Return the offset that ends on the grid of the world; along axes of its own, an offset of whole steps."""
        free = list(_free(self.handle))
        if self.subject.local:
            steps = offset @ self.subject.frame
            steps[free] = snapped(steps[free], step)
            return self.subject.frame @ steps
        there = self.at + offset
        there[free] = snapped(there[free], step)
        return np.asarray(np.where(WORLD[free].any(axis=0), decimal_sum(there, -self.at), 0.0))


def _free(handle: Handle | None) -> tuple[int, ...]:
    """Return the axes along which a handle moves."""
    if handle is None or handle.kind == "view":
        return (0, 1, 2)
    return _ALONG[handle.axis] if handle.kind == "axis" else _ACROSS[handle.axis]


#: Each axis, the two across it, and what all of them are called.
_ALONG, _ACROSS = ((0,), (1,), (2,)), ((1, 2), (0, 2), (0, 1))
_FREE: tuple[tuple[int, ...], ...] = (*_ALONG, *_ACROSS, (0, 1, 2))
_NAMES = {axes: tuple("xyz"[axis] for axis in axes) for axes in _FREE}
