"""The mouse: what is taken in hand, moved, and let go."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from collision import AABB, Line, Ray, Scene, Shape
from collision.fields import ArrayLike, FloatArray, read_vector
from viewer.camera import Direction, nearest_axes, round_length
from viewer.drawables import Drawable
from viewer.gizmo import Drag, Gizmo, Handle, Part, with_part
from viewer.session.editing import Editing

#: A press and a release this near to each other, in pixels, are a click and no drag.
CLICK_REACH = 4.0

#: A nudge is a round number of about this many pixels.
NUDGE = 10.0


@dataclass
class _Hand:
    """A drag: the scene before it, and whether the pointer has left the place of the press yet."""

    drag: Drag
    before: Scene
    pressed: tuple[float, float]
    gizmo: Gizmo
    moved: bool = False


class Handling(Editing):
    """The layer of a session that takes shapes by their handles."""

    def __init__(self, scene: Scene, size: tuple[int, int], view: str | None, extent: AABB | None) -> None:
        super().__init__(scene, size, view, extent)
        self._part: Part = "body"
        self._hand: _Hand | None = None
        self._hover: Handle | None = None
        self._pressed: tuple[float, float] | None = None

    @property
    def part(self) -> Part:
        """The part of the selection that carries the handles, and that nudges move."""
        return self._part

    @property
    def dragging(self) -> bool:
        """Whether a handle is in hand."""
        return self._hand is not None

    @property
    def hot(self) -> Handle | None:
        """The handle in hand, or else under the cursor."""
        return self._hand.drag.handle if self._hand else self._hover

    @property
    def gizmo(self) -> Gizmo | None:
        """The handles of the selection."""
        if self._hand is not None:
            return self._hand.gizmo
        if self._selection is None:
            return None
        shape = self._scene[self._selection]
        return Gizmo(shape, self._part) if np.prod(shape.batch_shape, dtype=int) else None

    @property
    def handles(self) -> tuple[Drawable, ...]:
        """The handles of the selection as they are drawn; none without a selection."""
        gizmo = self.gizmo
        return () if gizmo is None else gizmo.drawables(self._viewport, self.hot)

    # -- exact moves --------------------------------------------------------------------------------------------------

    def move_selection(self, offset: ArrayLike) -> None:
        """Move the selected part by an offset (3,).

        Raises
        ------
        ValueError
            If nothing is selected, or the offset is no vector.
        """
        name = self._selected("move")
        self.cancel()
        self._commit(self._scene, self._moved(self._scene, name, self._part, read_vector(offset, "move.offset")))

    def nudge(self, direction: Direction, factor: float = 1.0) -> None:
        """Move the selection a small round step, along the world axis nearest to a direction of the picture.

        Parameters
        ----------
        direction : str
            ``left``, ``right``, ``up``, ``down``, ``away`` or ``near``, as seen.
        factor : float
            How many steps.
        """
        if direction not in get_args(Direction):
            raise ValueError(f"direction must be one of {', '.join(get_args(Direction))}, got {direction!r}")
        gizmo = self.gizmo
        if gizmo is None or self.dragging:
            return
        at = gizmo.parts(self._viewport)[self._part]
        step = factor * round_length(NUDGE * self._viewport.scale * self._viewport.units_per_pixel(at))
        if np.isfinite(step):
            self.move_selection(step * nearest_axes(self._viewport)[direction])

    def set_end(self, name: str, end: Literal["start", "end"], position: ArrayLike) -> None:
        """Put one end of a segment or capsule elsewhere; the start of a ray is its origin, and its end turns it.

        Raises
        ------
        KeyError
            If there is no such shape.
        ValueError
            If it has no such end.
        """
        shape, part = self._scene[name], _part_of(self._scene[name], end)
        self.cancel()
        self._commit(self._scene, self._scene.with_shape(name, with_part(shape, part, position)))

    # -- the mouse ----------------------------------------------------------------------------------------------------

    def press(self, x: float, y: float) -> bool:
        """Take what is under the cursor in hand; True when that is a handle, and the camera must not turn."""
        self.cancel()
        self._pressed = (x, y)
        gizmo, view = self.gizmo, self._viewport
        handle = gizmo.hit(view, x, y) if gizmo else None
        drag = gizmo.begin(view, handle, x, y) if gizmo and handle else None
        if gizmo is None or drag is None:
            return False
        self._hand = _Hand(drag, self._scene, (x, y), gizmo)
        self._touch()
        return True

    def move(self, x: float, y: float) -> bool:
        """Move what is in hand, or light up the handle under the cursor; True when something is in hand."""
        if self._hand is not None:
            self._drag_to(self._hand, x, y)
            return True
        if self._pressed is None:
            hover = self.gizmo.hit(self._viewport, x, y) if self.gizmo else None
            if hover != self._hover:
                self._hover = hover
                self._touch()
        return False

    def release(self, x: float, y: float) -> bool:
        """Let go: one step of the history. A click on a shape selects it, on an end gives it the handles."""
        hand, pressed = self._hand, self._pressed
        self._pressed = None
        if hand is not None:
            self._drag_to(hand, x, y)
            self._hand = None
            if hand.moved:
                self._commit(hand.before, self._scene)
            elif hand.drag.handle.kind == "view":
                self._part = hand.drag.handle.part
            self._touch()
            return True
        if pressed is not None and self._near(pressed, x, y):
            self.click(x, y)
        return False

    def cancel(self) -> bool:
        """Put what is in hand back where it was; True when something was in hand."""
        if self._hand is None:
            return False
        self._scene, self._hand, self._pressed = self._hand.before, None, None
        self._touch()
        return True

    # -- inside -------------------------------------------------------------------------------------------------------

    def select(self, name: str | None) -> None:  # noqa: D102 (what it does is said below)
        super().select(name)
        self._part, self._hover = "body", None

    def _show(self, scene: Scene) -> None:
        super()._show(scene)
        if self.gizmo is None or self._part not in self.gizmo.parts(self._viewport):
            self._part = "body"
        self._hover = None

    def _moved(self, scene: Scene, name: str, part: Part, offset: FloatArray) -> Scene:
        if part == "body":
            return scene.moved(name, offset)
        shape = scene[name]
        at = Gizmo(shape, part).parts(self._viewport)[part]
        return scene.with_shape(name, with_part(shape, part, at + offset))

    def _drag_to(self, hand: _Hand, x: float, y: float) -> None:
        hand.moved = hand.moved or not self._near(hand.pressed, x, y)
        offset = hand.drag.update(self._viewport, x, y) if hand.moved else None
        if offset is None or self._selection is None:
            return
        drag, name = hand.drag, self._selection
        self._scene = self._moved(hand.before, name, drag.handle.part, offset)
        hand.gizmo = drag.gizmo(self._scene[name], offset, self._part)
        self._touch()

    def _near(self, pressed: tuple[float, float], x: float, y: float) -> bool:
        return float(np.hypot(x - pressed[0], y - pressed[1])) < CLICK_REACH * self._viewport.scale


def _part_of(shape: Shape, end: Literal["start", "end"]) -> Part:
    if isinstance(shape, Ray | Line):
        return "body" if end == "start" else "tip"
    return end
