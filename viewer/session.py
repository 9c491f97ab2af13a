"""What changes while a scene is looked at: the scene, the selection, the view, the drag in hand, and what is shown.

A session is driven by commands, from a window's events or from Python; nothing here knows of a window. A picture is a
function of it, and `revision` tells when there is a new one to make.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, get_args

import numpy as np

from collision import AABB, Camera, Line, Ray, Scene, Shape
from collision.fields import ArrayLike, FloatArray, read_vector
from viewer.camera import Direction, Room, Viewport, finite_bounds, frame, nearest_axes, other_projection, round_length
from viewer.drawables import Drawable
from viewer.framing import frame_clear, outline
from viewer.gizmo import Drag, Gizmo, Handle, Part, with_part
from viewer.keys import COMMANDS, KEY_HELP, chord
from viewer.picking import pick

#: A press and a release this near to each other, in pixels, are a click and no drag.
CLICK_REACH = 4.0

#: A nudge is a round number of about this many pixels.
NUDGE = 10.0

#: What is left free at each edge when the selection is framed, and how large a thing without a size is then taken to
#: be, as a part of the scene.
SELECTION_MARGIN = 0.15
POINT_SIZE = 0.1


@dataclass(frozen=True)
class Toggles:
    """What is shown beside the shapes."""

    hud: bool = True
    legend: bool = True
    grid: bool = True
    labels: bool = True
    hint: bool = False
    help: bool = False


@dataclass
class _Hand:
    """A drag: the scene before it, and whether the pointer has left the place of the press yet."""

    drag: Drag
    before: Scene
    pressed: tuple[float, float]
    gizmo: Gizmo
    moved: bool = False


class Session:
    """A scene being looked at and worked on.

    Parameters
    ----------
    scene : Scene
        What to show.
    size : tuple of 2 ints
        Width and height of the picture in pixels.
    view : str, optional
        A name from `viewer.camera.VIEWS`; by default the scene's own camera, or ``iso`` when it has none.
    extent : AABB, optional
        What the first view frames and the ground lies under; by default the bounds of the scene.

    Raises
    ------
    ValueError
        If the view is unknown or the size is not positive.

    Examples
    --------
    >>> from collision import Scene, Sphere
    >>> session = Session(Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([5, 0, 0], 1)}))
    >>> session.select("b")
    >>> session.move_selection([-3.5, 0, 0])
    >>> len(session.scene.colliding_pairs())
    1
    >>> session.undo()
    >>> len(session.scene.colliding_pairs())
    0
    """

    def __init__(
        self, scene: Scene, *, size: tuple[int, int] = (1280, 960), view: str | None = None, extent: AABB | None = None
    ) -> None:
        self.revision = 0
        self.closed = False
        self._first_view = view
        self._scene = scene
        self._extent = scene.bounds() if extent is None else extent
        self._first_framed = _boxes(scene) if extent is None else extent
        self._past: list[Scene] = []
        self._future: list[Scene] = []
        self._selection: str | None = None
        self._part: Part = "body"
        self._hand: _Hand | None = None
        self._hover: Handle | None = None
        self._pressed: tuple[float, float] | None = None
        self._toggles = Toggles()
        self._covered: Callable[[Session], Sequence[Room]] = lambda _: ()
        # What covers a picture is asked of this session: it needs some camera before it can find its first.
        self._viewport = Viewport(scene.camera or Camera((1.0, 1.0, 1.0)), size)
        self._viewport = Viewport(self._opening_camera(), size)

    # -- what there is to see -----------------------------------------------------------------------------------------

    @property
    def scene(self) -> Scene:
        """The scene as it is now, also in the middle of a drag."""
        return self._scene

    @property
    def extent(self) -> AABB | None:
        """The box that the ground lies under. It stays as it was at first: a ground that moves is none."""
        return self._extent

    @property
    def selection(self) -> str | None:
        """Name of the selected entry or element."""
        return self._selection

    @property
    def part(self) -> Part:
        """The part of the selection that carries the handles, and that nudges move."""
        return self._part

    @property
    def viewport(self) -> Viewport:
        """The camera and the size of the picture."""
        return self._viewport

    @property
    def toggles(self) -> Toggles:
        """What is shown beside the shapes."""
        return self._toggles

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

    @property
    def key_help(self) -> Mapping[str, str]:
        """What each key does, for the help panel."""
        return KEY_HELP

    # -- the scene ----------------------------------------------------------------------------------------------------

    def change(self, scene: Scene) -> None:
        """Put another scene in the place of this one, as one step of the history."""
        self.cancel()
        self._commit(self._scene, scene)

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

    def undo(self) -> None:
        """Take back the last step; a drag in hand is the last step."""
        if self._past and not self.cancel():
            self._future.append(self._scene)
            self._show(self._past.pop())

    def redo(self) -> None:
        """Take the last step again that was taken back."""
        if self._future and not self.cancel():
            self._past.append(self._scene)
            self._show(self._future.pop())

    # -- the selection ------------------------------------------------------------------------------------------------

    def select(self, name: str | None) -> None:
        """Select an entry or an element of a batch; None deselects.

        Raises
        ------
        KeyError
            If there is no such shape.
        """
        if name is not None:
            self._scene.element_numbers(name)
        self.cancel()
        self._selection, self._part, self._hover = name, "body", None
        self._touch()

    def deselect(self) -> None:
        """Select nothing."""
        self.select(None)

    def click(self, x: float, y: float) -> str | None:
        """Select what is seen at a pixel, and return its name; where nothing is, deselect."""
        self.select(pick(self._scene, self._viewport, x, y))
        return self._selection

    def walk(self, step: int) -> None:
        """Select the next shape, or the previous one for a step of -1; round and round."""
        count = self._scene.element_count
        if not count:
            return
        if self._selection is None:
            number = 0 if step > 0 else count - 1
        else:
            own = self._scene.element_numbers(self._selection)
            number = (own.stop - 1 + step if step > 0 else own.start + step) % count
        self.select(self._scene.element_name(number))

    def escape(self) -> None:
        """Drop what is in hand, and put it back where it was; with nothing in hand, deselect."""
        if not self.cancel():
            self.deselect()

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

    # -- the view -----------------------------------------------------------------------------------------------------

    def keep_clear(self, covered: Callable[[Session], Sequence[Room]]) -> None:
        """Have the first view, and all that frames something, keep shapes clear of what covers parts of the picture.

        Parameters
        ----------
        covered : callable
            Takes this session and returns the parts of its picture that panels cover.
        """
        untouched = self._viewport.camera == self._opening_camera()
        self._covered = covered
        if untouched:
            self.reset_view()

    def set_camera(self, camera: Camera) -> None:
        """Look from elsewhere."""
        if camera != self._viewport.camera:
            self._viewport = Viewport(camera, self._viewport.size)
            self._touch()

    def resize(self, size: tuple[int, int]) -> None:
        """Take note of another size of the picture."""
        if size != self._viewport.size:
            self._viewport = Viewport(self._viewport.camera, size)
            self._touch()

    def look(self, view: str) -> None:
        """Look at everything from a named view, in the projection that there is.

        Raises
        ------
        ValueError
            If the view is unknown.
        """
        self.set_camera(self._framed(_boxes(self._scene), view, lens=self._viewport.camera))

    def frame_all(self) -> None:
        """Look at everything, from the same side."""
        at = self._viewport
        self.set_camera(self._framed(_boxes(self._scene), -at.forward, up=at.up, lens=at.camera))

    def frame_selection(self) -> None:
        """Look at the selection, from the same side; without one, at everything."""
        gizmo = self.gizmo
        if gizmo is None:
            self.frame_all()
            return
        boxes, whole = outline([gizmo.shape]), self._scene.bounds()
        if boxes is not None and whole is not None and not np.any(finite_bounds(gizmo.shape).half_extents):
            reach = POINT_SIZE * whole.half_extents.max()
            boxes = AABB(boxes.lower - reach, boxes.upper + reach)
        # In the very middle, panels or not: the view then turns around what is selected.
        at = self._viewport
        self.set_camera(frame(boxes, -at.forward, at.aspect, up=at.up, margin=SELECTION_MARGIN, lens=at.camera))

    def reset_view(self) -> None:
        """Look from where the session began."""
        self.set_camera(self._opening_camera())

    def switch_projection(self) -> None:
        """Go from perspective to parallel or back; what the camera aims at keeps its size."""
        self.set_camera(other_projection(self._viewport.camera))

    # -- the rest -----------------------------------------------------------------------------------------------------

    def toggle(self, name: str) -> None:
        """Show or hide ``hud``, ``legend``, ``grid``, ``labels``, ``hint`` or ``help``.

        Raises
        ------
        ValueError
            If there is no such thing to show.
        """
        names = [field.name for field in fields(Toggles)]
        if name not in names:
            raise ValueError(f"there is {', '.join(names)} to show or hide, got {name!r}")
        self._toggles = replace(self._toggles, **{name: not getattr(self._toggles, name)})
        self._touch()

    def key(self, symbol: str, *, shift: bool = False, ctrl: bool = False, alt: bool = False) -> bool:
        """Do what a key stands for; False when it stands for nothing."""
        command = COMMANDS.get(chord(symbol, shift=shift, ctrl=ctrl, alt=alt))
        if command is None:
            return False
        command(self)
        return True

    def close(self) -> None:
        """Ask for the end of the session."""
        self.closed = True
        self._touch()

    # -- inside -------------------------------------------------------------------------------------------------------

    def _touch(self) -> None:
        self.revision += 1

    def _show(self, scene: Scene) -> None:
        self._scene = scene
        if self._selection is not None and self._selection not in scene:
            self._selection, self._part = None, "body"
        if self.gizmo is None or self._part not in self.gizmo.parts(self._viewport):
            self._part = "body"
        self._hover = None
        self._touch()

    def _commit(self, before: Scene, after: Scene) -> None:
        self._past.append(before)
        self._future.clear()
        self._show(after)

    def _selected(self, verb: str) -> str:
        if self._selection is None:
            raise ValueError(f"there is nothing to {verb}: select a shape first")
        return self._selection

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

    def _opening_camera(self) -> Camera:
        own, view = self._scene.camera, self._first_view
        if own is not None and view is None:
            return own
        return self._framed(self._first_framed, view or "iso", lens=own)

    def _framed(self, boxes: AABB | None, view: str | ArrayLike, **options: Any) -> Camera:
        return frame_clear(boxes, view, self._viewport.size, self._covered(self), **options)


def _boxes(scene: Scene) -> AABB | None:
    return outline(group.shape for group in scene.groups)


def _part_of(shape: Shape, end: Literal["start", "end"]) -> Part:
    if isinstance(shape, Ray | Line):
        return "body" if end == "start" else "tip"
    return end
