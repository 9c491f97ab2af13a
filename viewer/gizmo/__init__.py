"""Handles to change shapes by, of constant size in the picture, and the arithmetic of a drag.

There is a set of handles for each mode: `Mover`, `Turner` and `Sizer`. A drag keeps what it found when the button went
down, and every later change is computed from that alone: nothing adds up, and the point that was grabbed stays under
the cursor. What the cursor hits, and where it is in the world, are queries of `collision`.

Whether dragged, typed or asked for from Python, what is done is a `Change`, and a change of a scene is another scene.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from viewer.gizmo.active_drag import ActiveDrag
from viewer.gizmo.changes import Change, Move, Part, Resize, Scale, Side, Turn, sizes, with_part
from viewer.gizmo.handles import Drag, Gizmo, Handle, Mode, SnapOptions, snapped
from viewer.gizmo.rotating import Turner
from viewer.gizmo.sizing import Sizer
from viewer.gizmo.subject import Axes, Subject
from viewer.gizmo.translating import AXIS_LENGTH, Mover

__all__ = [
    "AXIS_LENGTH",
    "GIZMOS",
    "ActiveDrag",
    "Axes",
    "Change",
    "Drag",
    "Gizmo",
    "Handle",
    "Mode",
    "Move",
    "Mover",
    "Part",
    "Resize",
    "Scale",
    "Side",
    "Sizer",
    "SnapOptions",
    "Subject",
    "Turn",
    "Turner",
    "sizes",
    "snapped",
    "with_part",
]

#: The handles of each mode.
GIZMOS: Mapping[Mode, type[Gizmo]] = MappingProxyType({"translate": Mover, "rotate": Turner, "size": Sizer})
