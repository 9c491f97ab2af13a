"""Handles that resize: the radius, the ends of segments and capsules, the faces of boxes; several shapes are scaled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from collision import AABB, Capsule, ConvexHull, Cylinder, Line, OrientedBox, Point, Segment, Shape
from collision.inner import KIND_NAMES, FloatArray
from viewer.camera.camera import Viewport, nearest_axes
from viewer.gizmo.changes import Change, Resize, Scale, Side, Together, sizes
from viewer.gizmo.handles import (
    AXIS_ROLES,
    DOT_REACH,
    FAINT_ROLES,
    Gizmo,
    Handle,
    HandleLayer,
    Mode,
    SnapOptions,
    in_pixels,
    outlined,
    pixel_step,
    seen_at,
    sines_with,
    snapped,
    towards_eye,
    unit_at,
)
from viewer.gizmo.subject import Subject, frame_of
from viewer.records.drawables import Drawable, Marker, Role, Stroke

#: No handle is nearer to the middle than this, in pixels: what has no size can still be given one.
NEAREST_DOT = 34.0

#: How far from the middle the handle is that scales several shapes, in pixels.
SCALE_REACH = 92.0

#: A handle is none when the line on which it moves is seen this nearly end on, as a sine.
END_ON = 0.2

_FACES = tuple(Handle("body", "face", axis, side) for axis in range(3) for side in (1, -1))
_RADIUS = Handle("body", "radius")
_ENDS = (Handle("end", "end", 0, 1), Handle("start", "end", 0, -1))
_SCALE = Handle("body", "scale")


@dataclass(frozen=True, eq=False)
class Sizer(Gizmo):
    """Handles that give a shape another size, or scale what is no single shape."""

    #: By how much several shapes have been scaled while their handle is in hand.
    factor: float = 1.0

    mode: ClassVar[Mode] = "size"
    verb: ClassVar[str] = "size"

    @property
    def note(self) -> str:  # noqa: D102 (see Gizmo)
        if self.subject.shape is None or sizes(self.subject.shape):
            return ""
        return f"a {KIND_NAMES[type(self.subject.shape)]} has no size"

    def handles(self, viewport: Viewport) -> dict[Handle, FloatArray]:  # noqa: D102 (see Gizmo)
        return {handle: place for handle, (place, _) in self._placed(viewport).items()}

    def layers(self, viewport: Viewport) -> Iterator[HandleLayer]:
        """Yield the dots."""
        places = self.handles(viewport)
        if places:
            pixels = in_pixels(viewport, np.stack(list(places.values())))
            yield outlined(Point, list(places), pixels, reach=DOT_REACH)

    def begin(self, viewport: Viewport, handle: Handle, x: float, y: float) -> SizeDrag | None:  # noqa: D102 (see Gizmo)
        at, along = self._placed(viewport).get(handle, (None, None))
        if at is None or along is None:
            return None
        grabbed = seen_at(viewport, Line(at, along), x, y)
        return None if grabbed is None else SizeDrag(self, handle, along, grabbed)

    def drawables(self, viewport: Viewport, hot: Handle | None = None) -> tuple[Drawable, ...]:
        """Return the handles, each on a line from the middle."""
        placed = self._placed(viewport)
        strokes: list[Drawable] = []
        dots: list[Drawable] = []
        if not placed:
            return ()
        middle, eye = self.subject.middle[None], towards_eye(viewport, self.subject.middle)
        for handle, (at, along) in placed.items():
            faint, role = Role.VIEW_PLANE, Role.HANDLE
            if handle.kind == "face":
                faint = FAINT_ROLES[handle.axis]
                role = faint if along @ eye < -END_ON else AXIS_ROLES[handle.axis]  # faint, too, on the far side
            if handle == hot:
                faint = role = Role.HOT
            strokes.append(Stroke(middle, at[None], faint))
            dots.append(Marker(at[None], role))
        return (*strokes, *dots)

    def along(self, axis: str) -> Handle:  # noqa: D102 (see Gizmo)
        names = self.fields(None)
        if axis not in names:
            raise ValueError(f"there is no size {axis!r} here, but {', '.join(names) or 'none'}")
        if axis in ("radius", "factor"):
            return _RADIUS if axis == "radius" else _SCALE
        return _ENDS[0] if axis == "length" else Handle("body", "face", "xyz".index(axis))

    def heading(self, handle: Handle | None) -> str:  # noqa: D102 (see Gizmo)
        return "scale" if self.subject.shape is None else "size"

    def fields(self, handle: Handle | None) -> tuple[str, ...]:  # noqa: D102 (see Gizmo)
        names = ("factor",) if self.subject.shape is None else tuple(sizes(self.subject.shape))
        return names if handle is None else (_name(handle),)

    def now(self, handle: Handle | None) -> tuple[float | None, ...]:  # noqa: D102 (see Gizmo)
        now = {"factor": 1.0} if self.subject.shape is None else sizes(self.subject.shape)
        return tuple(now[name] for name in self.fields(handle))

    def wanted(self, active: int) -> str:  # noqa: D102 (see Gizmo)
        names = self.fields(None)
        if len(names) == 3:
            return super().wanted(active)
        after = f"; Tab: {names[(active + 1) % len(names)]}" if len(names) > 1 else ""
        return f"{names[active]}: a number and Enter{after}"

    def typed(self, handle: Handle | None, values: Sequence[float | None], viewport: Viewport) -> Change:  # noqa: D102
        if self.subject.shape is None:
            return Scale(1.0 if values[0] is None else values[0], self.subject.middle)
        along = self._axis(self.subject.shape, viewport)
        side: Side = 0 if handle is None else handle.side
        given = [(name, value) for name, value in zip(self.fields(handle), values, strict=True) if value is not None]
        return Together(tuple(Resize(name, value, side, along) for name, value in given))

    def measured(self, handle: Handle | None, change: Change) -> tuple[float, ...]:  # noqa: D102 (see Gizmo)
        if isinstance(change, Scale):
            return (change.factor,)
        assert self.subject.shape is not None
        now = sizes(self.subject.shape)
        changes = change.changes if isinstance(change, Together) else (change,)
        now |= {each.name: each.value for each in changes if isinstance(each, Resize)}
        return tuple(now[name] for name in self.fields(handle))

    def after(self, change: Change, subject: Subject) -> Sizer:  # noqa: D102 (see Gizmo)
        return Sizer(subject, change.factor if isinstance(change, Scale) else 1.0)

    # -- inside -------------------------------------------------------------------------------------------------------

    def _placed(self, viewport: Viewport) -> dict[Handle, tuple[FloatArray, FloatArray]]:
        """Return where each handle is that can be dragged in this view, and its direction from the middle."""
        at = self.subject.middle
        if self.note or not viewport.units_per_pixel(at) > 0.0:
            return {}
        placed = {handle: (at + reach * along, along) for handle, (along, reach) in self._lines(viewport).items()}
        return {handle: place for handle, place in placed.items() if viewport.units_per_pixel(place[0]) > 0.0}

    def _lines(self, viewport: Viewport) -> dict[Handle, tuple[FloatArray, float]]:
        """Return the line on which each handle moves: its direction from the middle, and how far out the handle is."""
        shape, unit = self.subject.shape, unit_at(viewport, self.subject.middle)
        if shape is None:
            return {_SCALE: (viewport.right, self.factor * SCALE_REACH * unit)}
        eye, least = towards_eye(viewport, self.subject.middle), NEAREST_DOT * unit
        lines: dict[Handle, tuple[FloatArray, float]] = {}
        lengths = sizes(shape)
        radius, aside = lengths.get("radius", 0.0), viewport.right
        if isinstance(shape, AABB | OrientedBox | ConvexHull):
            frame = frame_of(shape)
            sines = sines_with(eye, frame.T)
            for handle in _FACES:
                if sines[handle.axis] >= END_ON and "xyz"[handle.axis] in lengths:
                    out = 0.5 * lengths["xyz"[handle.axis]]
                    if isinstance(shape, ConvexHull):  # whose middle is not midway
                        ends = shape.corners()
                        out = float(abs(ends[handle.side > 0] - self.subject.middle)[handle.axis])
                    lines[handle] = (handle.side * frame[:, handle.axis], max(out, least))
        elif isinstance(shape, Segment | Capsule | Cylinder):
            axis = self._axis(shape, viewport)
            aside = self._aside(axis, viewport, eye)
            if sines_with(eye, axis[None])[0] >= END_ON:
                out = max(0.5 * lengths["length"] + radius, least)
                lines = {handle: (handle.side * axis, out) for handle in _ENDS}
        if "radius" in lengths:
            lines[_RADIUS] = (aside, max(radius, least))
        return lines

    def _axis(self, shape: Shape, viewport: Viewport) -> FloatArray:
        """Return which way a segment or capsule runs; one of no length, along the axis that is most upright."""
        if isinstance(shape, Segment | Capsule | Cylinder) and shape.start.tolist() != shape.end.tolist():
            return frame_of(shape)[:, 2]
        return nearest_axes(viewport)["up"]

    def _aside(self, axis: FloatArray, viewport: Viewport, eye: FloatArray) -> FloatArray:
        """Return a direction across the view, and across the axis of a capsule."""
        across = np.cross(axis, eye)
        sine = float(np.linalg.norm(across))
        return viewport.right if sine < END_ON else across / sine


@dataclass(frozen=True, eq=False)
class SizeDrag:
    """A handle of a size in hand: it moves along a direction (3,), and what was grabbed stays under the cursor."""

    sizer: Sizer
    handle: Handle
    along: FloatArray
    grabbed: FloatArray

    def update(self, viewport: Viewport, x: float, y: float, snap: SnapOptions, last: Change | None) -> Change | None:
        """Return the size that the cursor stands for: it stops at zero."""
        here = seen_at(viewport, Line(self.grabbed, self.along), x, y)
        if here is None:
            return None
        farther = float((here - self.grabbed) @ self.along)
        subject = self.sizer.subject
        if subject.shape is None:
            reach = float((self.grabbed - subject.middle) @ self.along)
            fine = 0.1 if snap.step else 0.01
            return Scale(max(float(snapped(1.0 + farther / reach, fine)), 0.0), subject.middle)
        name = _name(self.handle)
        both = snap.both and self.handle.kind != "radius"
        value = sizes(subject.shape)[name] + farther * (2.0 if both else 1.0)
        side: Side = 0 if both else self.handle.side
        outwards = self.handle.side * self.along
        step = snap.step or (pixel_step(viewport, here) if farther else None)
        return Resize(name, max(float(snapped(value, step)), 0.0), side, outwards)


def _name(handle: Handle) -> str:
    """Return the name of the size that a handle changes."""
    return {"radius": "radius", "end": "length", "scale": "factor"}.get(handle.kind, "xyz"[handle.axis])
