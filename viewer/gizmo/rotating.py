"""Handles that turn: a ring about each axis, and a larger one in the plane of the view."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from collision import Segment
from collision.inner import KIND_NAMES, FloatArray
from viewer.camera.camera import Viewport
from viewer.gizmo.changes import Change, Turn
from viewer.gizmo.handles import (
    AXIS_ROLES,
    FAINT_ROLES,
    LINE_REACH,
    VIEW,
    Gizmo,
    Handle,
    HandleLayer,
    Mode,
    SnapOptions,
    in_pixels,
    outlined,
    plane_at,
    plane_frame,
    rises,
    seen_at,
    snapped,
    towards_eye,
    unit_at,
    view_frame,
)
from viewer.gizmo.subject import Subject
from viewer.records.drawables import Drawable, Marker, Role, Stroke

#: Radii of the rings in pixels of an ordinary screen: about the axes, and in the plane of the view.
RING = 92.0
VIEW_RING = 114.0

#: Of so many straight pieces is a ring.
PIECES = 96
_ANGLES = np.linspace(0.0, 2.0 * np.pi, PIECES, endpoint=False)[:, None]
_COSINES, _SINES = np.cos(_ANGLES), np.sin(_ANGLES)

#: A ring is none when this is all that the view rises above its plane, as a sine: it is a line then.
FLATTEST_RING = 0.12

#: What of a ring is at least so near to the eye as its middle, in radii, is its near half.
_NEAR = -0.04

#: Nearer to the middle of a ring than this, in pixels, the cursor points in no direction.
_DEAD_CENTER = 3.0


#: Angles of a drag are multiples of this, in degrees: a pixel along a ring is about a degree.
FINEST = 0.1


@dataclass(frozen=True, eq=False)
class Turner(Gizmo):
    """Handles that turn a subject about its middle; `spokes` (2, 3) point to where a ring was grabbed, and is now.

    >>> from collision import Camera, Capsule
    >>> view = Viewport(Camera(position=(0, 0, 10), up=(0, 1, 0)), (400, 400))
    >>> turner = Turner(Subject.of([Capsule([-1, 0, 0], [1, 0, 0], 0.5)]))
    >>> drag = turner.begin(view, turner.hit(view, 200 + RING, 200), 200 + RING, 200)
    >>> round(drag.update(view, 200, 260, SnapOptions(), None).degrees, 9)
    90.0
    """

    spokes: FloatArray | None = None

    mode: ClassVar[Mode] = "rotate"
    verb: ClassVar[str] = "turn"

    @property
    def note(self) -> str:  # noqa: D102 (see Gizmo)
        shape = self.subject.shape
        if shape is None or not self.subject.alike_from_all_sides:
            return ""
        return f"a {KIND_NAMES[type(shape)]} is the same from all sides: there is nothing to turn"

    def handles(self, viewport: Viewport) -> dict[Handle, FloatArray]:  # noqa: D102 (see Gizmo)
        at = self.subject.middle
        if self.note or not viewport.units_per_pixel(at) > 0.0:
            return {}
        sines = rises(viewport, at, self.subject.frame)
        rings = [*(axis for axis in range(3) if sines[axis] >= FLATTEST_RING), VIEW]
        return {Handle("body", "ring", axis): at for axis in rings}

    def layers(self, viewport: Viewport) -> Iterator[HandleLayer]:
        """Yield the near halves of the rings, piece by piece."""
        owners: list[Handle] = []
        starts, ends = [], []
        for handle in self.handles(viewport):
            points, near = self.ring(viewport, handle.axis)
            pixels = in_pixels(viewport, points)
            owners += [handle] * int(near.sum())
            starts.append(pixels[near])
            ends.append(np.roll(pixels, -1, axis=0)[near])
        if owners:
            yield outlined(Segment, owners, np.concatenate(starts), np.concatenate(ends), reach=LINE_REACH)

    def begin(self, viewport: Viewport, handle: Handle, x: float, y: float) -> TurnDrag | None:  # noqa: D102 (see Gizmo)
        if handle not in self.handles(viewport):
            return None
        frame = self._plane(viewport, handle.axis)
        drag = TurnDrag(handle, self.subject.middle, frame, 0.0)
        grabbed = drag.angle(viewport, x, y)
        return None if grabbed is None else TurnDrag(handle, self.subject.middle, frame, grabbed)

    def drawables(self, viewport: Viewport, hot: Handle | None = None) -> tuple[Drawable, ...]:
        """Return the rings, faint at the far side and where they are seen edge on; spokes, and the middle."""
        rings = [*self._rings(viewport, hot)]
        if rings and self.spokes is not None and hot is not None:
            at = self.subject.middle
            reach = (VIEW_RING if hot.axis == VIEW else RING) * unit_at(viewport, at)
            start, ends = at[None], at + reach * self.spokes
            rings[-1:] = Stroke(start, ends[:1], Role.VIEW_PLANE), Stroke(start, ends[1:], Role.HOT), rings[-1]
        return tuple(rings)

    def along(self, axis: str) -> Handle:  # noqa: D102 (see Gizmo)
        if axis not in ("x", "y", "z", "view"):
            raise ValueError(f"what turns does so about x, y, z or view, got {axis!r}")
        return Handle("body", "ring", ("x", "y", "z", "view").index(axis))

    def heading(self, handle: Handle | None) -> str:  # noqa: D102 (see Gizmo)
        if handle is None or handle.axis == VIEW:
            return "turn in the view"
        return f"turn about {'local ' if self.subject.local else ''}{'xyz'[handle.axis]}"

    def fields(self, handle: Handle | None) -> tuple[str, ...]:  # noqa: D102 (see Gizmo)
        return ("angle",)

    def typed(self, handle: Handle | None, values: Sequence[float | None], viewport: Viewport) -> Turn:  # noqa: D102
        axis = VIEW if handle is None else handle.axis
        return Turn(self._plane(viewport, axis)[:, 2], values[0] or 0.0, self.subject.middle)

    def measured(self, handle: Handle | None, change: Change) -> tuple[float, ...]:  # noqa: D102 (see Gizmo)
        assert isinstance(change, Turn)
        return (change.degrees,)

    def after(self, change: Change, subject: Subject) -> Turner:
        """Return the rings as they were, with spokes that show how far they have been turned."""
        assert isinstance(change, Turn)
        spokes = None if change.grabbed is None else np.stack([change.grabbed, change.turned(change.grabbed)])
        return Turner(Subject(self.subject.middle, self.subject.frame, subject.shape), spokes)

    def ring(self, viewport: Viewport, axis: int) -> tuple[FloatArray, np.ndarray]:
        """Return the points of a ring, and which are on its near half."""
        at = self.subject.middle
        radius = (VIEW_RING if axis == VIEW else RING) * unit_at(viewport, at)
        u, v, _ = self._plane(viewport, axis).T
        out = _COSINES * u + _SINES * v
        near = np.ones(PIECES, dtype=bool) if axis == VIEW else out @ towards_eye(viewport, at) >= _NEAR
        return at + radius * out, near

    # -- inside -------------------------------------------------------------------------------------------------------

    def _plane(self, viewport: Viewport, axis: int) -> FloatArray:
        """Return the axes of a ring's plane, and its own axis."""
        return view_frame(viewport) if axis == VIEW else plane_frame(self.subject.frame, axis)

    def _rings(self, viewport: Viewport, hot: Handle | None) -> Iterator[Drawable]:
        """Yield the rings, and last the middle."""
        at = self.subject.middle
        if self.note or not viewport.units_per_pixel(at) > 0.0:
            return
        handles = self.handles(viewport)
        axes = sorted((*range(3), VIEW), key=lambda axis: hot is not None and hot.axis == axis)
        for axis in axes:
            points, near = self.ring(viewport, axis)
            ends = np.roll(points, -1, axis=0)
            handle = Handle("body", "ring", axis)
            near &= handle in handles
            if not near.all():
                yield Stroke(points[~near], ends[~near], FAINT_ROLES[axis])
            if near.any():
                role = Role.VIEW_PLANE if axis == VIEW else AXIS_ROLES[axis]
                yield Stroke(points[near], ends[near], Role.HOT if handle == hot else role)
        yield Marker(at[None], Role.VIEW_PLANE)


@dataclass(frozen=True, eq=False)
class TurnDrag:
    """A ring in hand: its plane and axis (3, 3), and the angle in that plane at which it was grabbed, in degrees."""

    handle: Handle
    at: FloatArray
    frame: FloatArray
    grabbed: float

    def update(self, viewport: Viewport, x: float, y: float, snap: SnapOptions, last: Change | None) -> Turn | None:
        """Return how far it has been turned since the press, whole turns included.

        The angle comes from the press and the cursor alone; what was last only tells how many whole turns there are.
        """
        angle = self.angle(viewport, x, y)
        if angle is None:
            return None
        total = angle - self.grabbed
        before = last.followed if isinstance(last, Turn) and last.followed is not None else 0.0
        total += 360.0 * round((before - total) / 360.0)
        out = np.radians(self.grabbed)
        grabbed = np.cos(out) * self.frame[:, 0] + np.sin(out) * self.frame[:, 1]
        return Turn(self.frame[:, 2], float(snapped(total, snap.angle or FINEST)), self.at, grabbed, total)

    def angle(self, viewport: Viewport, x: float, y: float) -> float | None:
        """Return the direction from the middle to the point of the plane that is seen at a pixel, in degrees."""
        here = seen_at(viewport, plane_at(viewport, self.at, self.frame), x, y)
        if here is None:
            return None
        u, v, _ = (here - self.at) @ self.frame
        if np.hypot(u, v) < _DEAD_CENTER * unit_at(viewport, self.at):
            return None
        return float(np.degrees(np.arctan2(v, u)))
