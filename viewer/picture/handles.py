"""What the mouse can take, and what it draws: the handles, the ends of what is under it, a rectangle to select by."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from viewer.records.drawables import Drawable, Marker, Patch, Role, Stroke

if TYPE_CHECKING:
    from viewer.session import Session


def handle_marks(session: Session) -> tuple[Drawable, ...]:
    """Return the handles of what is selected, the ends of what is under the cursor, and the rectangle."""
    tool = session.manipulation.tool
    handles = () if tool.gizmo is None else tool.gizmo.drawables(session.viewport, tool.hot)
    return (*handles, *_ends(session), *_box(session))


def _ends(session: Session) -> tuple[Drawable, ...]:
    """Return the ends of what is under the cursor, where they can be dragged alone."""
    ends = session.manipulation.pointing.ends
    if ends is None:
        return ()
    others = (Marker(np.stack(ends.others), Role.HANDLE),) if ends.others else ()
    return others if ends.hot is None else (*others, Marker(ends.hot[None], Role.HOT))


def _box(session: Session) -> tuple[Drawable, ...]:
    """Return the rectangle that is being drawn."""
    if session.selection.box is None:
        return ()
    (left, low), (right, high) = session.selection.box
    at = session.viewport
    rays = at.ray([left, right, right, left], [low, low, high, high])
    # At the depth that the camera aims at, where it is neither too near to be drawn nor too far.
    away = (np.array(at.camera.target) - at.eye) @ at.forward
    # All rays have one origin in perspective, and one direction in a parallel projection.
    origin, direction = np.broadcast_arrays(rays.origin, rays.direction)
    corners = origin + (away / (direction @ at.forward))[:, None] * direction
    return (
        Patch(corners[None], Role.VIEW_PLANE),
        Stroke(corners, np.roll(corners, -1, axis=0), Role.VIEW_PLANE),
    )
