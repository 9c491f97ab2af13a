"""What all handles have in common: their sizes in pixels, what is under the cursor, and where that is in the world."""

from __future__ import annotations

import math
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple, Protocol

import numpy as np

from collision import Line, OrientedBox, Point, Segment, closest_points, distance, raycast
from collision.inner import FloatArray
from viewer.camera.camera import Viewport
from viewer.gizmo.changes import Change, Part
from viewer.gizmo.subject import Subject
from viewer.records.drawables import Drawable, Role

#: What handles do.
Mode = Literal["translate", "rotate", "size"]

#: How near, in pixels, the cursor must be to a dot, and to an arrow or a ring.
DOT_REACH = 10.0
LINE_REACH = 8.0

#: In a drag, the cursor means no place on a line when its ray runs this nearly along it, as a sine ...
ALONG_LINE = 0.04
#: ... and none on a plane beyond this many times the distance to the eye.
PLANE_REACH = 50.0

AXIS_ROLES = (Role.AXIS_X, Role.AXIS_Y, Role.AXIS_Z)
FAINT_ROLES = (Role.AXIS_X_FAINT, Role.AXIS_Y_FAINT, Role.AXIS_Z_FAINT)


class Handle(NamedTuple):
    """Something to grab: which part of the shape it is about, what it does, along which axis, on which side.

    `axis` is the normal for a plane, and `VIEW` for what the view decides.
    """

    part: Part
    kind: Literal["axis", "plane", "view", "ring", "face", "end", "radius", "scale"]
    axis: int = 0
    side: Literal[-1, 1] = 1


#: The axis of the ring that turns in the plane of the view.
VIEW = 3


class SnapOptions(NamedTuple):
    """How a drag is held: steps to snap to, of lengths and of angles in degrees, and whether both sides move."""

    step: float | None = None
    angle: float | None = None
    both: bool = False


class HandleLayer(NamedTuple):
    """Handles that lie in one another's plane, with an outline for each: in pixels, or plates in the world."""

    handles: tuple[Handle, ...]
    outlines: Point | Segment | OrientedBox
    reach: float = 0.0

    def hit(self, viewport: Viewport, x: float, y: float) -> Handle | None:
        """Return the handle that is nearest to a pixel, if it is within reach; of plates, the nearest to the eye."""
        if isinstance(self.outlines, OrientedBox):
            hit = raycast(viewport.ray(x, y), self.outlines)
            away, reach = np.where(hit.hit, hit.enter, np.inf), sys.float_info.max
        else:
            away, reach = distance(Point([x, y, 0.0]), self.outlines), self.reach * viewport.scale
        best = int(np.argmin(away))
        return self.handles[best] if away[best] <= reach else None


class Drag(Protocol):
    """A handle in hand. It keeps what it found at the press, and every later change is computed from that alone."""

    @property
    def handle(self) -> Handle:
        """What was grabbed."""

    def update(self, viewport: Viewport, x: float, y: float, snap: SnapOptions, last: Change | None) -> Change | None:
        """Return what is done to the subject since the press; None where the pixel means nothing, so that all holds."""


@dataclass(frozen=True, eq=False)
class Gizmo(ABC):
    """The handles of a subject, in one mode."""

    subject: Subject

    mode: ClassVar[Mode]
    verb: ClassVar[str]

    @property
    def note(self) -> str:
        """Why there are no handles; nothing where there are some."""
        return ""

    @abstractmethod
    def handles(self, viewport: Viewport) -> dict[Handle, FloatArray]:
        """Return the handles that can be dragged in this view, each with the point it belongs to."""

    @abstractmethod
    def layers(self, viewport: Viewport) -> Iterable[HandleLayer]:
        """Yield what can be hit in this view; earlier layers lie over later ones."""

    def hit(self, viewport: Viewport, x: float, y: float) -> Handle | None:
        """Return the handle under a pixel: of the first layer that has one there, the nearest."""
        hits = (layer.hit(viewport, x, y) for layer in self.layers(viewport) if layer.handles)
        return next(filter(None, hits), None)

    @abstractmethod
    def begin(self, viewport: Viewport, handle: Handle, x: float, y: float) -> Drag | None:
        """Return the drag that starts at a pixel; None when the handle cannot be dragged in this view."""

    @abstractmethod
    def drawables(self, viewport: Viewport, hot: Handle | None = None) -> tuple[Drawable, ...]:
        """Return the handles as they are drawn; `hot` is the one under the cursor, or in hand."""

    @abstractmethod
    def along(self, axis: str) -> Handle:
        """Return the handle that a name of an axis or of a size stands for."""

    @abstractmethod
    def heading(self, handle: Handle | None) -> str:
        """Say what a handle does."""

    @abstractmethod
    def fields(self, handle: Handle | None) -> tuple[str, ...]:
        """Return the names of the numbers that say how much is done; of all of them, without a handle."""

    def now(self, handle: Handle | None) -> tuple[float | None, ...]:
        """Return what each field is before anything is done; None where it is nothing but how much is done."""
        return (None,) * len(self.fields(handle))

    def wanted(self, active: int) -> str:
        """Say what can be typed while there is neither a handle nor a number, of which this one is to be the next."""
        return "x y z: an axis; then a number and Enter"

    @abstractmethod
    def typed(self, handle: Handle | None, values: Sequence[float | None], viewport: Viewport) -> Change:
        """Return the change that numbers stand for, one for each field; None where nothing was typed."""

    @abstractmethod
    def measured(self, handle: Handle | None, change: Change) -> tuple[float, ...]:
        """Return the numbers that a change stands for, one for each field."""

    @abstractmethod
    def after(self, change: Change, subject: Subject) -> Gizmo:
        """Return the handles while a change is in hand, of the subject as the change has left it."""


def unit_at(viewport: Viewport, at: FloatArray) -> float:
    """Return the length, in scene units, of a pixel of an ordinary screen at a point; NaN behind the eye."""
    return viewport.scale * float(viewport.units_per_pixel(at))


def towards_eye(viewport: Viewport, at: FloatArray) -> FloatArray:
    """Return the unit vector from a point before the eye to the eye."""
    if viewport.camera.parallel_height is not None:
        return -viewport.forward
    away = viewport.eye - at
    return np.asarray(away / np.linalg.norm(away))


def rises(viewport: Viewport, at: FloatArray, frame: FloatArray) -> FloatArray:
    """Return how far the view rises above the planes across the axes of a frame, at a point, as sines (3,)."""
    return np.asarray(np.abs(towards_eye(viewport, at) @ frame))


def sines_with(direction: FloatArray, others: FloatArray) -> FloatArray:
    """Return the sines of the angles between a unit vector and some others (n, 3)."""
    return np.asarray(np.linalg.norm(np.cross(direction, others), axis=-1))


def in_pixels(viewport: Viewport, points: FloatArray) -> FloatArray:
    """Return where points (n, 3) are in the picture, as points of the plane z = 0."""
    pixels, _ = viewport.project(points)
    return np.column_stack([pixels, np.zeros(len(pixels))])


def outlined(
    kind: type[Point] | type[Segment], handles: Sequence[Handle], *pixels: FloatArray, reach: float
) -> HandleLayer:
    """Return a layer of dots or lines, by their places in pixels (n, 3), without those that are behind the eye."""
    seen = ~np.isnan(np.stack(pixels)[..., 0]).any(axis=0)
    owners = tuple(handles[row] for row in np.flatnonzero(seen).tolist())
    return HandleLayer(owners, kind(*(places[seen] for places in pixels)), reach)


def seen_at(viewport: Viewport, on: Line | OrientedBox, x: float, y: float) -> FloatArray | None:
    """Return the point of a line, or of a flat box, that is seen at a pixel; None where there is none."""
    ray = viewport.ray(x, y)
    if isinstance(on, OrientedBox):
        hit = raycast(ray, on)
        return np.asarray(hit.point) if hit.hit and hit.enter > 0.0 else None
    if sines_with(ray.direction, on.direction) < ALONG_LINE:
        return None
    nearest = closest_points(on, ray)
    return nearest.on_a if (nearest.on_b - ray.origin) @ ray.direction > 0.0 else None


def plane_at(viewport: Viewport, at: FloatArray, frame: FloatArray) -> OrientedBox:
    """Return the plane of the first two axes of a frame through a point, as far as a drag goes: a flat box."""
    reach = PLANE_REACH * float(np.linalg.norm(at - viewport.eye))
    return OrientedBox(at, frame, [reach, reach, 0.0])


def plane_frame(frame: FloatArray, normal: int) -> FloatArray:
    """Return the axes of a frame in another order, so that the last is the normal; right-handed still."""
    return frame[:, [(normal + 1) % 3, (normal + 2) % 3, normal]]


def view_frame(viewport: Viewport) -> FloatArray:
    """Return the axes of the view: to the right, up, and towards the eye."""
    return np.stack([viewport.right, viewport.up, -viewport.forward], axis=-1)


def snapped(value: FloatArray | float, step: float | None) -> FloatArray:
    """Return the nearest multiples of a step; the values themselves without one.

    Steps below one are parts of one, so that tenths are as good as decimals can be.
    """
    if not step:
        return np.asarray(value)
    parts = round(1.0 / step)
    if step < 1.0 and abs(parts * step - 1.0) < 1e-12:
        return np.asarray(np.round(np.multiply(value, parts)) / parts)
    return np.asarray(np.round(np.divide(value, step)) * step)


def pixel_step(viewport: Viewport, at: FloatArray) -> float:
    """Return the largest power of ten that is no more than a pixel at a point: a drag means no finer digits.

    Examples
    --------
    >>> from collision import Camera
    >>> pixel_step(Viewport(Camera(position=(0, -9, 0), parallel_height=8), (400, 400)), np.zeros(3))
    0.01
    """
    exponent = math.floor(math.log10(viewport.units_per_pixel(at)))
    return float(f"1e{exponent}")
