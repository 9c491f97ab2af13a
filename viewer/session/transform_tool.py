"""The handles of what is selected, and what is in hand: taken by the mouse or by a key, moved, and let go."""

from __future__ import annotations

from typing import get_args

from collision import Scene
from collision.inner import FloatArray
from viewer.gizmo import GIZMOS, ActiveDrag, Axes, Gizmo, Handle, Mode, Mover, Part, SnapOptions, Subject
from viewer.records.events import Pointer
from viewer.records.sizes import grid_step
from viewer.records.words import number
from viewer.session.document import Document
from viewer.session.player import Player
from viewer.session.selection import Selection
from viewer.session.view import View

#: What angles snap to, in degrees, and what they snap to more finely; lengths, to this part of the ground's squares.
ANGLE, FINE_ANGLE = 15.0, 1.0
FINE_STEP = 0.1

EMPTY = "what is selected has no elements"
LOCKED = "locked: Shift+L unlocks"


class TransformTool:
    """Takes what is selected by handles."""

    def __init__(self, document: Document, selection: Selection, player: Player, view: View) -> None:
        self._document, self._selection, self._player = document, selection, player
        self._view = view
        #: What the handles do: ``translate``, ``rotate`` or ``size``.
        self.mode: Mode = "translate"
        self._axes: Axes = "world"
        #: The axes of what is in hand, where they are to be others than those of what is taken next.
        self._axes_in_hand: Axes | None = None
        #: Whether drags snap to round lengths and angles; Ctrl does the opposite.
        self.snapping = False
        #: Whether the mouse moves no shapes, and there are no handles: keys and typed numbers still change them.
        self.locked = False
        #: What is in hand.
        self.hand: ActiveDrag | None = None
        self._hover: Handle | None = None
        #: What handles of all modes are put on: in which scene, of which selection and along which axes.
        self._subject: tuple[Scene, tuple[object, ...], Subject | None] | None = None

    # -- what there is ------------------------------------------------------------------------------------------------

    @property
    def axes(self) -> Axes:
        """Whose axes they follow: ``world``, or ``local``, those of the active shape."""
        return self._axes_in_hand or self._axes

    @property
    def dragging(self) -> bool:
        """Whether the mouse has a handle in hand."""
        return self.hand is not None and self.hand.pressed is not None

    @property
    def hot(self) -> Handle | None:
        """The handle in hand, or else under the cursor."""
        return self.hand.handle if self.hand and self.hand.handle else self._hover

    @property
    def gizmo(self) -> Gizmo | None:
        """The handles of the selection; None without one, or where it can have none."""
        if self.hand is not None:
            away = self.hand.bare or (self.hand.pressed is None and self._obstacle())
            return None if away else self.hand.shown
        return None if self._obstacle() else self._make(self._document.scene, self.mode)

    @property
    def status(self) -> tuple[str, ...]:
        """What the handles do, and how much has been done, line by line; nothing without a selection."""
        gizmo, hand = self.gizmo, self.hand
        obstacle = self._obstacle() if gizmo is None else ()
        if hand is not None:
            return (hand.gizmo.heading(hand.handle), *hand.rows, *hand.notes, *obstacle[1:])
        if gizmo is None:
            return obstacle
        snap = f" · snap {number(self._step)}, {ANGLE:g}°" if self.snapping else ""
        what = gizmo.heading(None) if gizmo.mode == "size" else f"{gizmo.verb} · {self.axes} axes"
        return tuple(filter(None, (what + snap, gizmo.note)))

    def can(self, mode: Mode) -> bool:
        """Tell whether something is selected that the handles of a mode can change."""
        gizmo = self._make(self._document.scene, mode)
        return gizmo is not None and not gizmo.note

    def gizmo_for(self, mode: Mode, *, checked: bool = True) -> Gizmo:
        """Return the handles of a mode for the scene without what is in hand."""
        self._document.chosen()
        gizmo = self._make(self._document.settled, mode)
        if gizmo is None:
            raise ValueError(EMPTY)
        if checked and gizmo.note:
            raise ValueError(gizmo.note)
        return gizmo

    # -- how handles work ---------------------------------------------------------------------------------------------

    def set_mode(self, mode: Mode) -> None:
        """Have the handles ``translate``, ``rotate`` or ``size``."""
        if mode not in GIZMOS:
            raise ValueError(f"mode must be one of {', '.join(GIZMOS)}, got {mode!r}")
        self._document.interrupt()
        if mode != self.mode:
            self.mode = mode
            self._selection.take_part("body")
        self._document.touch()

    def set_axes(self, axes: Axes) -> None:
        """Have the handles follow the ``world`` axes, or the ``local`` ones of the active shape; also while in hand."""
        if axes not in get_args(Axes):
            raise ValueError(f"axes must be world or local, got {axes!r}")
        self._axes, self._axes_in_hand = axes, None
        self._follow_axes()

    def switch_axes(self) -> None:
        """Go from the world's axes to the local ones, or back."""
        self.set_axes("local" if self.axes == "world" else "world")

    def switch_axes_in_hand(self) -> None:
        """Have what is in hand follow the other axes, and what is taken next those of before."""
        self._axes_in_hand = "local" if self.axes == "world" else "world"
        self._follow_axes()

    def switch_snapping(self) -> None:
        """Have drags snap, or stop it."""
        self.snapping = not self.snapping
        self._document.touch()

    def lock(self) -> None:
        """Have the mouse move no shapes any more."""
        self.locked = True
        self._document.touch()

    def switch_lock(self) -> None:
        """Have the mouse move no shapes, or let it."""
        self._document.interrupt()
        self.locked = not self.locked
        self._document.touch()

    def choose_part(self, part: Part) -> None:
        """Have another part carry the handles: ``body``, ``start``, ``end`` or ``tip``."""
        parts = self._selection.parts
        if not parts:
            raise ValueError("select a shape first")
        if part not in parts:
            raise ValueError(f"what is selected has {', '.join(parts)}, got {part!r}")
        self._document.interrupt()
        self.mode = "translate"
        self._selection.take_part(part)

    def next_part(self) -> None:
        """Have the next of its parts carry the handles, round and round."""
        parts = self._selection.parts
        if len(parts) == 1:
            raise ValueError("what is selected has no end that moves alone")
        self.choose_part(parts[(parts.index(self._selection.part) + 1) % len(parts)] if parts else "body")

    # -- what is in hand ----------------------------------------------------------------------------------------------

    def begin(self, mode: Mode, axis: str | None = None) -> None:
        """Take the selection in hand without the mouse: keys choose an axis and type numbers, until Enter.

        The axis is ``x``, ``y`` or ``z``, a plane such as ``xy``, ``view``, or the name of a size; by default all can
        be typed.
        """
        if mode not in GIZMOS:
            raise ValueError(f"mode must be one of {', '.join(GIZMOS)}, got {mode!r}")
        self._document.interrupt()
        gizmo = self.gizmo_for(mode)
        handle = None if axis is None else gizmo.along(axis)
        self.mode = mode
        if mode != "translate":
            self._selection.take_part("body")
        self._take(ActiveDrag(self._document.scene, self._document.nonempty, gizmo, handle))

    def grab(self, handle: Handle, point: FloatArray, pressed: Pointer) -> None:
        """Take the selection in hand by a point of it (3,), as a handle would, where the button went down."""
        self._document.interrupt()
        scene = self._document.scene
        subject = self._selection.subject(scene, "local" if handle.kind == "axis" else "world")
        gizmo = None if subject is None else Mover(subject, self._selection.part)
        drag = None if gizmo is None else gizmo.grab(self._view.viewport, handle, point, *pressed.place)
        if gizmo is not None and drag is not None:
            self.mode = "translate"
            self._take(ActiveDrag(scene, self._document.nonempty, gizmo, handle, drag, pressed.place, bare=True))

    def retake(self, handle: Handle | None) -> None:
        """Take another handle in the place of the one in hand, for the numbers that have been typed."""
        if self.hand is not None:
            self.hand.take(self._view.viewport, handle)
            self.show_hand()

    def show_hand(self) -> None:
        """Show the scene as what is in hand makes it."""
        if self.hand is not None:
            self._document.preview(self.hand.result)

    def accept(self) -> bool:
        """Let go of what is in hand where it is now, as one step of the history; False when nothing was."""
        hand = self.hand
        if hand is None:
            return False
        self.hand = self._axes_in_hand = self._hover = None
        self._document.commit(hand.result)
        return True

    def cancel(self) -> bool:
        """Put what is in hand back where it was; True when something was in hand."""
        in_hand = self.hand is not None
        self.hand = self._axes_in_hand = self._hover = None
        if in_hand:
            self._document.preview(None)
        return in_hand

    # -- the mouse ----------------------------------------------------------------------------------------------------

    def press(self, mouse: Pointer) -> bool:
        """Take the handle under the cursor in hand; a drag that was not let go of is put back."""
        viewport, gizmo, hand = self._view.viewport, self.gizmo, self.hand
        handle = gizmo.hit(viewport, *mouse.place) if gizmo else None
        if handle is None and not self.dragging:
            return False
        if hand is not None and hand.entry.begun and not self.dragging:
            self._axes, self._axes_in_hand = self.axes, None  # the handle is one of those that are seen
            self.accept()
        self._document.interrupt()
        gizmo = self.gizmo
        drag = gizmo.begin(viewport, handle, *mouse.place) if gizmo and handle else None
        if gizmo is None or drag is None:
            return False
        self._take(ActiveDrag(self._document.scene, self._document.nonempty, gizmo, handle, drag, mouse.place))
        return True

    def move(self, mouse: Pointer) -> bool:
        """Move what the mouse has in hand."""
        hand = self.hand
        if hand is None or hand.pressed is None:
            return False
        hand.moved = hand.moved or not mouse.is_near(hand.pressed, self._view.viewport.scale)
        if hand.moved:
            hand.pull(self._view.viewport, *mouse.place, self._snap_options(mouse))
            self.show_hand()
        return True

    def release(self, mouse: Pointer) -> bool:
        """Let go of what the mouse has in hand; a click on an end gives it the handles."""
        if self.hand is None or not self.move(mouse):
            return False
        hand = self.hand
        if not hand.moved and hand.handle is not None and hand.handle.kind == "view":
            self._selection.take_part(hand.handle.part)
        return self.accept()

    def hover(self, mouse: Pointer) -> None:
        """Light up the handle under the cursor."""
        self._light_up(self.gizmo.hit(self._view.viewport, *mouse.place) if self.gizmo else None)

    def leave(self) -> None:
        """Light up no handle."""
        self._light_up(None)

    def _light_up(self, handle: Handle | None) -> None:
        if handle != self._hover:
            self._hover = handle
            self._document.touch()

    # -- inside -------------------------------------------------------------------------------------------------------

    def _take(self, hand: ActiveDrag) -> None:
        self.hand = hand
        self.show_hand()

    def _make(self, scene: Scene, mode: Mode) -> Gizmo | None:
        key = (self._document.selected, self.axes)
        if self._subject is None or self._subject[0] is not scene or self._subject[1] != key:
            self._subject = (scene, key, self._selection.subject(scene, self.axes))
        subject = self._subject[2]
        if subject is None:
            return None
        return Mover(subject, self._selection.part) if mode == "translate" else GIZMOS[mode](subject)

    def _obstacle(self) -> tuple[str, ...]:
        """Say why what is selected has no handles; nothing where it has some, or nothing is selected."""
        names, player = self._document.selected, self._player
        if not names:
            return ()
        if not self._selection.parts:
            return (EMPTY,)
        if self.locked:
            return LOCKED, "keys and typed numbers still move them"
        if player.at_rest(names):
            return ()
        ends = zip(("Home", "End"), self._document.scene.span or (), strict=False)
        key = next((key for key, time in ends if player.at_rest(names, time)), None)
        where = f"moving just now; {key} goes to where it rests" if key else "moving, and at neither end where it rests"
        return where, "no handles here: keys change how it rests"

    def _follow_axes(self) -> None:
        self._hover = None
        gizmo = None if self.hand is None else self._make(self.hand.scene, self.mode)
        if self.hand is not None and gizmo is not None:
            self.hand.gizmo = gizmo
            self.retake(self.hand.handle)
        self._document.touch()

    @property
    def _step(self) -> float:
        return grid_step(self._document.extent)

    def _snap_options(self, mouse: Pointer) -> SnapOptions:
        both = mouse.shift and self.mode == "size"
        if mouse.ctrl == self.snapping:
            return SnapOptions(both=both)
        finer = mouse.shift and not both
        return SnapOptions(self._step * (FINE_STEP if finer else 1.0), FINE_ANGLE if finer else ANGLE, both)
