"""The mouse and exact changes: what is taken in hand, moved, turned, resized, and let go."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, get_args

import numpy as np

from collision import AABB, HalfSpace, Line, Ray, Scene, Shape
from collision.inner import ArrayLike, FloatArray, read_vector
from viewer.gizmo import (
    GIZMOS,
    Axes,
    Change,
    Gizmo,
    Grip,
    Hand,
    Handle,
    Mode,
    Move,
    Mover,
    Part,
    Resize,
    Scale,
    Side,
    Subject,
    Turn,
    with_part,
)
from viewer.picture.drawables import Drawable
from viewer.picture.words import number
from viewer.session.boxing import Boxing
from viewer.view.camera import Direction, nearest_axes
from viewer.view.sizes import grid_step, round_length

#: A press and a release this near to each other, in pixels, are a click and no drag.
CLICK_REACH = 4.0

#: A nudge is a round number of about this many pixels.
NUDGE = 10.0

#: What angles snap to, in degrees, and what they snap to more finely; lengths, to this part of the ground's squares.
ANGLE, FINE_ANGLE = 15.0, 1.0
FINE_STEP = 0.1

_EMPTY = "what is selected has no elements"


class Handling(Boxing):
    """The layer of a session that takes shapes by their handles."""

    def __init__(self, scene: Scene, size: tuple[int, int], view: str | None, extent: AABB | None) -> None:
        super().__init__(scene, size, view, extent)
        self._mode: Mode = "translate"
        self._axes: Axes = "world"
        self._own_axes: Axes | None = None
        self._snapping = False
        self._part: Part = "body"
        self._hand: Hand | None = None
        self._hover: Handle | None = None
        self._pressed: tuple[float, float] | None = None
        self._made: tuple[Scene, tuple[object, ...], Gizmo | None] | None = None

    @property
    def mode(self) -> Mode:
        """What the handles do: ``translate``, ``rotate`` or ``size``."""
        return self._mode

    @property
    def axes(self) -> Axes:
        """Whose axes they follow: ``world``, or ``local``, those of the active shape."""
        return self._axes

    @property
    def snapping(self) -> bool:
        """Whether drags snap to round lengths and angles; Ctrl does the opposite."""
        return self._snapping

    @property
    def part(self) -> Part:
        """The part of the selection that carries the handles, and that nudges move."""
        return self._part

    @property
    def dragging(self) -> bool:
        """Whether the mouse has a handle in hand."""
        return self._hand is not None and self._hand.pressed is not None

    @property
    def pending(self) -> bool:
        """Whether something is in hand: a handle, or a change that waits for its numbers."""
        return self._hand is not None

    @property
    def hot(self) -> Handle | None:
        """The handle in hand, or else under the cursor."""
        return self._hand.handle if self._hand and self._hand.handle else self._hover

    @property
    def gizmo(self) -> Gizmo | None:
        """The handles of the selection; None without one, or where it can have none."""
        if self._hand is None:
            return self._gizmo_in(self._scene)
        return None if self._hand.pressed is None and self._obstacle(self._scene) else self._hand.shown

    @property
    def handles(self) -> tuple[Drawable, ...]:
        """The handles of the selection as they are drawn; none without a selection."""
        gizmo = self.gizmo
        return () if gizmo is None else gizmo.drawables(self._viewport, self.hot)

    @property
    def status(self) -> tuple[str, ...]:
        """What the handles do, and how much has been done, line by line; nothing without a selection."""
        gizmo, hand = self.gizmo, self._hand
        obstacle = self._obstacle(self._scene) if gizmo is None else ()
        if hand is not None:
            return (hand.gizmo.heading(hand.handle), *hand.rows, *hand.notes, *obstacle[1:])
        if gizmo is None:
            return obstacle
        snap = f" · snap {number(self._step)}, {ANGLE:g}°" if self._snapping else ""
        what = gizmo.heading(None) if gizmo.mode == "size" else f"{gizmo.verb} · {self._axes} axes"
        return tuple(filter(None, (what + snap, gizmo.note)))

    # -- how handles work ---------------------------------------------------------------------------------------------

    def set_mode(self, mode: Mode) -> None:
        """Have the handles ``translate``, ``rotate`` or ``size``.

        Raises
        ------
        ValueError
            If there is no such mode.
        """
        if mode not in GIZMOS:
            raise ValueError(f"mode must be one of {', '.join(GIZMOS)}, got {mode!r}")
        self.cancel()
        if mode != self._mode:
            self._mode, self._part = mode, "body"
        self._hover = None
        self._touch()

    def set_axes(self, axes: Axes) -> None:
        """Have the handles follow the ``world`` axes, or the ``local`` ones of the active shape; also while in hand.

        Raises
        ------
        ValueError
            If they are neither.
        """
        if axes not in get_args(Axes):
            raise ValueError(f"axes must be world or local, got {axes!r}")
        self._own_axes = None
        self._follow_axes(axes)

    def _follow_axes(self, axes: Axes) -> None:
        self._axes, self._hover = axes, None
        hand = self._hand
        gizmo = None if hand is None else self._gizmo_in(hand.scene)
        if hand is not None and gizmo is not None:
            hand.gizmo = gizmo
            self._retake(hand, hand.handle)
        self._touch()

    def switch_axes(self) -> None:
        """Go from the world's axes to the local ones, or back."""
        self.set_axes("local" if self._axes == "world" else "world")

    def switch_snapping(self) -> None:
        """Have drags snap, or stop it."""
        self._snapping = not self._snapping
        self._touch()

    # -- exact changes ------------------------------------------------------------------------------------------------

    def move_selection(self, offset: ArrayLike) -> None:
        """Move all that is selected, or the chosen part of it, by an offset (3,).

        Raises
        ------
        ValueError
            If nothing is selected, or the offset is no vector.
        """
        self._chosen()
        step = read_vector(offset, "move.offset")
        if step.ndim > 1:
            raise ValueError(f"move.offset must be a single vector (3,), got shape {step.shape}")
        self._do(Move(step, self._part, self._part_place() if self._part != "body" else None))

    def rotate_selection(self, axis: str | ArrayLike, degrees: float, *, about: ArrayLike | None = None) -> None:
        """Turn all that is selected, counterclockwise when looking against an axis.

        An `AABB` stays along the axes of the world: it is refitted. `orient_selection` makes it one that turns.

        Parameters
        ----------
        axis : str or array_like, shape (3,)
            ``x``, ``y`` or ``z`` of the world, or of the active shape where `axes` is ``local``; ``view``, which points
            to the viewer; or a direction of the world.
        degrees : float
            How far. Quarter turns are exact, whole turns change no bit.
        about : array_like, shape (3,), optional
            The point that stays; by default the common middle of what is selected.

        Raises
        ------
        ValueError
            If nothing is selected, there is nothing to turn, or axis, degrees or about are none.
        """
        gizmo = self._gizmo_for("rotate", checked=about is None)
        if not np.isfinite(degrees):
            raise ValueError(f"degrees must be finite, got {degrees}")
        if isinstance(axis, str):
            turn = gizmo.typed(gizmo.along(axis), [float(degrees)], self._viewport)
            assert isinstance(turn, Turn)
            direction, middle = turn.axis, turn.about
        else:
            direction, middle = read_vector(axis, "rotate.axis"), gizmo.subject.middle
            if direction.shape != (3,) or not np.any(direction):
                raise ValueError(f"rotate.axis must be x, y, z, view or a direction (3,), got {direction.tolist()}")
        self._do(Turn(direction, float(degrees), middle if about is None else read_vector(about, "rotate.about")))

    def resize_selection(self, size: str, value: float, *, side: Side = 0) -> None:
        """Give the selected shape another size.

        Parameters
        ----------
        size : str
            ``radius``; ``length``, of a segment, or of a capsule between its ends; ``x``, ``y`` or ``z``, of a box
            along its own axes.
        value : float
            The new size, zero or more.
        side : -1, 0 or 1
            What moves: the start or the lower face, both, or the end or the upper face.

        Raises
        ------
        ValueError
            If not just one shape is selected, it has no such size, or the value is none.
        """
        gizmo = self._gizmo_for("size")
        if gizmo.subject.shape is None:
            raise ValueError("only a single shape has a size: select one, or an element, or scale the selection")
        self._do(Resize(size, float(value), side, nearest_axes(self._viewport)["up"]))

    def scale_selection(self, factor: float) -> None:
        """Make all that is selected larger or smaller about its common middle.

        Raises
        ------
        ValueError
            If nothing is selected, or the factor is negative or not finite.
        """
        self._do(Scale(float(factor), self._gizmo_for("size", checked=False).subject.middle))

    def orient_selection(self) -> None:
        """Make every selected `AABB` an `OrientedBox`, which turns; also while it is being turned.

        Raises
        ------
        ValueError
            If no AABB is selected, or only an element of a batch.
        """
        start = self._scene if self._hand is None else self._hand.scene
        boxes = {name: start[name] for name in self._chosen()}
        boxes = {name: box for name, box in boxes.items() if isinstance(box, AABB)}
        if not boxes:
            raise ValueError("no AABB is selected: only that can be made an oriented box")
        scene = start
        for name, box in boxes.items():
            if name not in start.shapes:
                raise ValueError(f"{name!r} is an element of a batch of AABBs: select the batch instead")
            assert isinstance(box, AABB)
            scene = scene.with_shape(name, box.oriented())
        if self._hand is None:
            self._commit(start, scene)
        else:
            self._hand.start_from(scene)
            self._follow(self._hand)

    def nudge(self, direction: Direction, factor: float = 1.0) -> None:
        """Move the selection a small round step, along the world axis nearest to a direction of the picture.

        Parameters
        ----------
        direction : str
            ``left``, ``right``, ``up``, ``down``, ``away`` or ``near``, as seen.
        factor : float
            How many steps.

        Raises
        ------
        ValueError
            If nothing is selected, or it has no elements.
        """
        if direction not in get_args(Direction):
            raise ValueError(f"direction must be one of {', '.join(get_args(Direction))}, got {direction!r}")
        if self.dragging:
            return
        self._gizmo_for("translate", checked=False)
        at = self._part_place()
        step = factor * round_length(NUDGE * self._viewport.scale * float(self._viewport.units_per_pixel(at)))
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

    # -- the end of what is in hand ------------------------------------------------------------------------------------

    def accept(self) -> bool:
        """Let go of what is in hand where it is now, as one step of the history; False when nothing was."""
        hand = self._hand
        if hand is None:
            return False
        self._let_go()
        before, after = hand.before, hand.result
        if any(before[name] != after[name] for name in hand.names):  # all else is as it was
            self._commit(before, after)
        else:
            self._scene = before
        self._touch()
        return True

    # -- the mouse ----------------------------------------------------------------------------------------------------

    def press(self, x: float, y: float, *, ctrl: bool = False) -> bool:
        """Take what is under the cursor in hand; True when that is a handle, and the camera must not turn.

        Beside the handles, with Ctrl or after `draw_box`, it begins a rectangle to select by.
        """
        if self.box_next:
            self.begin_box(x, y)
            return True
        gizmo = self.gizmo
        handle = gizmo.hit(self._viewport, x, y) if gizmo else None
        if self.dragging or handle is not None:
            if self._hand is not None and self._hand.entry.begun and not self.dragging:
                self._own_axes = None  # the handle is one of those that are seen
                self.accept()
            self.cancel()
        self._pressed = (x, y)
        gizmo = self.gizmo
        drag = gizmo.begin(self._viewport, handle, x, y) if gizmo and handle else None
        if gizmo is None or drag is None:
            if ctrl:
                self.begin_box(x, y)
            return ctrl
        self._hand = Hand(self._scene, self._selected, gizmo, handle, drag, (x, y))
        self._touch()
        return True

    def move(self, x: float, y: float, *, shift: bool = False, ctrl: bool = False) -> bool:
        """Move what is in hand, or light up the handle under the cursor; True when the mouse has something in hand.

        Parameters
        ----------
        x, y : float
            The pixel.
        shift : bool
            Resize both sides, or snap more finely.
        ctrl : bool
            Snap to round lengths and angles; where drags snap anyway, do not.
        """
        if self._hand is not None and self.dragging:
            self._drag_to(self._hand, x, y, self._grip(shift, ctrl))
            return True
        if self.stretch_box(x, y):
            return True
        if self._pressed is None:
            hover = self.gizmo.hit(self._viewport, x, y) if self.gizmo else None
            if hover != self._hover:
                self._hover = hover
                self._touch()
        return False

    def release(self, x: float, y: float, *, shift: bool = False, ctrl: bool = False) -> bool:
        """Let go: one step of the history. A click on a shape selects it, on an end gives it the handles.

        With Shift, a click adds to what is selected, or takes out of it what was selected before. What waits for
        numbers is accepted by a click.
        """
        hand, pressed = self._hand, self._pressed
        self._pressed = None
        if self.stretch_box(x, y):
            self.end_box(add=shift)
            return True
        if hand is not None and self.dragging:
            self._drag_to(hand, x, y, self._grip(shift, ctrl))
            if not hand.moved and hand.handle is not None and hand.handle.kind == "view":
                self._part = hand.handle.part
            return self.accept()
        if pressed is not None and self._near(pressed, x, y) and not self.accept():
            self.click(x, y, add=shift)
        return False

    def cancel(self) -> bool:
        """Put what is in hand back where it was; True when something was in hand."""
        if self._hand is None:
            return super().cancel()
        self._scene = self._hand.before
        self._let_go()
        self._touch()
        return True

    # -- inside -------------------------------------------------------------------------------------------------------

    def select_many(self, names: Iterable[str]) -> None:  # noqa: D102 (what it does is said below)
        super().select_many(names)
        self._part, self._hover = "body", None

    def _show(self, scene: Scene, selected: Iterable[str]) -> None:
        super()._show(scene, selected)
        if self._part != "body" and self._part not in self._parts():
            self._part = "body"
        self._hover = None

    @property
    def _step(self) -> float:
        return grid_step(self._extent)

    def _grip(self, shift: bool, ctrl: bool) -> Grip:
        both = shift and self._mode == "size"
        if ctrl == self._snapping:
            return Grip(both=both)
        finer = shift and not both
        return Grip(self._step * (FINE_STEP if finer else 1.0), FINE_ANGLE if finer else ANGLE, both)

    def _gizmo_in(self, scene: Scene) -> Gizmo | None:
        """Return the handles of the selection in a scene; None without one, or where it can have none."""
        key = (self._selected, self._mode, self._axes, self._part)
        if self._made is None or self._made[0] is not scene or self._made[1] != key:
            self._made = (scene, key, None if self._obstacle(scene) else self._new_gizmo(scene, self._mode))
        return self._made[2]

    def _new_gizmo(self, scene: Scene, mode: Mode) -> Gizmo | None:
        shapes = [scene[name] for name in self._selected]
        shapes = [shape for shape in shapes if 0 not in shape.batch_shape]
        if not shapes:
            return None
        subject = Subject.of(shapes, self._axes)
        return Mover(subject, self._part) if mode == "translate" else GIZMOS[mode](subject)

    def _gizmo_for(self, mode: Mode, *, checked: bool = True) -> Gizmo:
        self._chosen()
        gizmo = self._new_gizmo(self._scene if self._hand is None else self._hand.before, mode)
        if gizmo is None:
            raise ValueError(_EMPTY)
        if checked and gizmo.note:
            raise ValueError(gizmo.note)
        return gizmo

    def _obstacle(self, scene: Scene) -> tuple[str, ...]:
        """Say why what is selected has no handles in a scene; nothing where it has some, or nothing is selected."""
        shapes = (scene[name] for name in self._selected)
        return (_EMPTY,) if self._selected and all(0 in shape.batch_shape for shape in shapes) else ()

    def _let_go(self) -> None:
        self._hand, self._pressed = None, None
        if self._own_axes is not None:
            self._axes, self._own_axes = self._own_axes, None

    def _parts(self) -> dict[Part, FloatArray]:
        gizmo = self._new_gizmo(self._scene, "translate")
        return gizmo.parts(self._viewport) if isinstance(gizmo, Mover) else {}

    def _part_place(self) -> FloatArray:
        return self._parts()[self._part]

    def _do(self, change: Change) -> None:
        self.cancel()
        self._commit(self._scene, change.apply(self._scene, self._selected))

    def _retake(self, hand: Hand, handle: Handle | None) -> None:
        hand.take(self._viewport, handle)
        self._follow(hand)

    def _drag_to(self, hand: Hand, x: float, y: float, grip: Grip) -> None:
        assert hand.pressed is not None
        hand.moved = hand.moved or not self._near(hand.pressed, x, y)
        if hand.moved:
            hand.pull(self._viewport, x, y, grip)
            self._follow(hand)

    def _follow(self, hand: Hand) -> None:
        self._scene = hand.result
        self._touch()

    def _near(self, pressed: tuple[float, float], x: float, y: float) -> bool:
        return float(np.hypot(x - pressed[0], y - pressed[1])) < CLICK_REACH * self._viewport.scale


def _part_of(shape: Shape, end: Literal["start", "end"]) -> Part:
    if isinstance(shape, Ray | Line | HalfSpace):
        return "body" if end == "start" else "tip"
    return end
