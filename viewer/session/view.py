"""Where a scene is looked at from: the camera and the size of the picture, what they frame, and views to return to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from collision import AABB, Camera, Scene, Shape
from collision.inner import ArrayLike
from viewer.camera import navigation
from viewer.camera.camera import Viewport, other_projection
from viewer.camera.flat import flat_across, looks_along
from viewer.camera.framing import (
    Room,
    SizeError,
    cleared,
    for_width,
    frame,
    frame_clear,
    from_width,
    narrowness,
)
from viewer.camera.outline import finite_bounds, outline, with_planes
from viewer.records.sizes import is_crowded
from viewer.session.document import Document
from viewer.session.player import Player

#: What is left free at each edge when the selection is framed, and how large a thing without a size is then taken to
#: be, as a part of the scene.
SELECTION_MARGIN = 0.15
POINT_SIZE = 0.1

#: One looks along an axis where the cosine of the angle between the two is larger.
SAME_SIDE = float(np.cos(np.radians(1.0)))


class _Aside(NamedTuple):
    """A change of the view that made room for a panel, with how far left of the middle it put what is seen."""

    before: Camera
    shown: Camera
    room: float


class _Opened(NamedTuple):
    """The scene's own camera, and the one by which it is seen at first, which may have to give way."""

    own: Camera | None
    shown: Camera


class _State(NamedTuple):
    """All that a framing changes of a view.

    `past` is where it was looked from before, `future` where again after that was taken back; changes of one `run` are
    one step.
    """

    viewport: Viewport
    opened: _Opened
    past: tuple[Camera, ...] = ()
    future: tuple[Camera, ...] = ()
    run: str = ""
    aside: _Aside | None = None


class _Framing(NamedTuple):
    """A change of the view that keeps clear of panels: how the view was before, and what does it."""

    before: _State
    frame: Callable[[], None]


class View:
    """Moves the camera. It begins with the scene's own, or sees the box that the ground lies under."""

    def __init__(self, document: Document, player: Player, size: tuple[int, int], name: str | None = None) -> None:
        self._document, self._player = document, player
        self._name = name
        self._first_framed = _boxes(document.scene, document.extent)
        #: What panels cover of the picture, and how many times as large as usual its text is.
        self._covered: tuple[Room, ...] = ()
        self._text_scale = 1.0
        #: The last framing, if it was the last change of the view: it is done anew once it is known what is covered.
        self._framing: _Framing | None = None
        self._bookmarks: dict[str, Camera] = {}
        #: How often the view was reset: each time, labels go where they were in the first picture.
        self.resets = 0
        # Some camera before there is the first one, which is framed for the size of the picture.
        viewport = Viewport(document.scene.camera or Camera((1.0, 1.0, 1.0)), size)
        self._state = _State(viewport, _Opened(None, viewport.camera))
        try:
            camera = self._open()
        except SizeError as error:
            raise SizeError(f"{error}; see {_farthest(document.scene)!r}") from error
        self._put(viewport=Viewport(camera, size))
        self._frame(lambda: self._show(self._open()))

    @property
    def viewport(self) -> Viewport:
        """The camera and the size of the picture."""
        return self._state.viewport

    @property
    def flat_across(self) -> int | None:
        """The axis that a drawing is seen along, from 0 to 2: see `viewer.camera.flat`. None for all other scenes."""
        return flat_across(self._player.scene)

    @property
    def face_on(self) -> bool:
        """Whether a drawing is seen face on: a drag beside its shapes then shifts it, and does not turn it."""
        axis = self.flat_across
        return axis is not None and looks_along(self.viewport.camera) == axis

    def set_camera(self, camera: Camera, *, run: str = "") -> None:
        """Look from elsewhere; changes of one `run`, such as a drag, are taken back together."""
        self._framing = None
        state = self._state
        if camera != state.viewport.camera:
            past = state.past if run and run == state.run else (*state.past, state.viewport.camera)
            self._put(past=past, future=(), run=run)
            self._show(camera)

    def resize(self, size: tuple[int, int]) -> None:
        """Take note of another size of the picture: where it is narrower, the scene's own camera gives way."""
        last = self.viewport.size
        if size != last:
            as_opened = self._as_opened
            self._put(viewport=Viewport(self.viewport.camera, size))
            self._document.touch()
            if as_opened and narrowness(size) != narrowness(last):
                self._frame(lambda: self._show(self._open()))

    # -- back and forth ------------------------------------------------------------------------------------------------

    @property
    def undoable(self) -> bool:
        """Whether there is a change of the view to take back."""
        return bool(self._state.past)

    @property
    def redoable(self) -> bool:
        """Whether there is a change of the view that was taken back."""
        return bool(self._state.future)

    def settle(self) -> None:
        """Have the next change of the view be one of its own, which is taken back alone."""
        self._put(run="")

    def undo(self) -> None:
        """Take back the last change of the view: a drag, a run of clicks of the wheel, or a command."""
        past, camera, future = self._state.past, self.viewport.camera, self._state.future
        if past:
            self._put(past=past[:-1], future=(*future, camera))
        self._return_to(past, "the view has not changed")

    def redo(self) -> None:
        """Take the last change of the view again that was taken back."""
        past, camera, future = self._state.past, self.viewport.camera, self._state.future
        if future:
            self._put(past=(*past, camera), future=future[:-1])
        self._return_to(future, "no change of the view was taken back")

    def _return_to(self, cameras: tuple[Camera, ...], nothing: str) -> None:
        self.settle()
        if cameras:
            self._show(cameras[-1])
        else:
            self._document.say(nothing)

    # -- views to return to -------------------------------------------------------------------------------------------

    @property
    def bookmarks(self) -> Mapping[str, Camera]:
        """Where to return to, by name."""
        return MappingProxyType(self._bookmarks)

    def remember(self, name: str) -> None:
        """Keep the view as it is now under a name, to return to it."""
        self._bookmarks[name] = self.viewport.camera
        self._document.touch()

    def recall(self, name: str) -> None:
        """Return to a view that was kept."""
        if name not in self._bookmarks:
            raise ValueError(f"no view is remembered as {name}")
        self._put(aside=None)
        self.set_camera(self._bookmarks[name])

    def reset(self) -> None:
        """Look from where the session began."""
        self.resets += 1
        self._document.touch()
        self._frame(lambda: self.set_camera(self._open()))

    def keep(self) -> None:
        """Make the view the scene's own, as one step of the history: when its file is opened, it is seen from here."""
        self._put(aside=None)
        as_opened, at = self._as_opened, self.viewport
        self._document.interrupt()
        if not as_opened:
            boxes = _boxes(self._document.scene)
            own, shown = (navigation.rounded(camera) for camera in (from_width(boxes, at.camera, at.size), at.camera))
            self._document.commit(self._document.scene.replaced(camera=own))
            self._show(shown)
            self._put(opened=_Opened(own, shown))
        self._document.say("this view is the scene's own now: its file has it when it is saved")

    # -- framing ------------------------------------------------------------------------------------------------------

    @property
    def awaits_cover(self) -> bool:
        """Whether the last change of the view was a framing, which `cover` has not been told of yet."""
        return self._framing is not None

    def cover(self, rooms: Iterable[Room], text_scale: float = 1.0) -> None:
        """Take note of what panels cover of the picture just now: what was framed last is framed beside them.

        The scene's own camera only gives way in pictures that are small, or where text is so many times larger.
        """
        rooms, framing = tuple(rooms), self._framing
        same = (rooms, text_scale) == (self._covered, self._text_scale)
        self._covered, self._text_scale, self._framing = rooms, text_scale, None
        if framing is not None and not same:
            before, shown = framing.before, self.viewport
            self._state = before._replace(viewport=Viewport(before.viewport.camera, shown.size))
            framing.frame()
            self._framing = None
            if self.viewport != shown:
                self._document.touch()

    def _frame(self, frame: Callable[[], None]) -> None:
        """Frame something, and once more when it is known what panels cover then."""
        before = self._state
        frame()
        self._framing = _Framing(before, frame)

    def look(self, view: str) -> None:
        """Look at everything from a named view, in the projection that there is."""
        self.frame_boxes(_boxes(self._player.scene), view, up=None)

    def look_along(self, axis: str) -> None:
        """Look at everything along ``x``, ``y`` or ``z``; where that is so already, from the other side."""
        side = -self.viewport.forward["xyz".index(axis)]
        self.look(f"-{axis}" if side > SAME_SIDE else axis)

    def frame_all(self) -> None:
        """Look at everything, from the same side."""
        self.frame_boxes(_boxes(self._player.scene), -self.viewport.forward, up=self.viewport.up)

    def frame_selection(self) -> None:
        """Look at the selection, from the same side; without one, at everything."""
        scene = self._player.scene
        self.frame_shapes([scene[name] for name in self._document.selected])

    def frame_shapes(self, shapes: Iterable[Shape], *, clear: bool = False) -> None:
        """Look at some shapes, from the same side, on demand where no panel covers them; without any, at everything."""
        shapes = list(shapes)
        boxes, whole = outline(shapes), self._player.scene.bounds()
        if boxes is None:
            self.frame_all()
            return
        if whole is not None and not any(np.any(finite_bounds(shape).half_extents) for shape in shapes):
            reach = POINT_SIZE * whole.half_extents.max()
            boxes = AABB(boxes.lower - reach, boxes.upper + reach)
        if clear:
            self.frame_boxes(boxes, -self.viewport.forward, up=self.viewport.up)
            return
        # In the very middle, panels or not: the view then turns around what is selected.
        at = self.viewport
        self.set_camera(frame(boxes, -at.forward, at.aspect, up=at.up, margin=SELECTION_MARGIN, lens=at.camera))

    def show_beside(self, shapes: Iterable[Shape]) -> None:
        """Look at some shapes from the same side, beside the panels."""
        boxes = outline(shapes)
        if boxes is not None:
            self._frame(lambda: self._show_beside(boxes))

    def _show_beside(self, boxes: AABB) -> None:
        at = self.viewport
        self.frame_boxes(boxes, -at.forward, up=at.up)
        last = self._state.aside
        before = last.before if last is not None and last.shown == at.camera else at.camera
        self._put(aside=_Aside(before, self.viewport.camera, self._left_of_middle(boxes)))

    def end_beside(self, shapes: Iterable[Shape]) -> None:
        """Look from where it was looked from before `show_beside`: the panel is gone.

        Where the view has changed since, it only shifts to the right, by at most the room that the panel had.
        """
        aside, at, boxes = self._state.aside, self.viewport, outline(shapes)
        self._put(aside=None)
        if aside is None or at.camera == aside.before:
            return
        self.settle()
        if at.camera == aside.shown:
            self.set_camera(aside.before)
        elif boxes is not None:
            part = max(min(self._left_of_middle(boxes), aside.room), 0.0)
            self.set_camera(navigation.pan(at, part * at.size[0], 0.0))

    def frame_boxes(self, boxes: AABB | None, view: str | ArrayLike, *, up: ArrayLike | None) -> None:
        """Look at some boxes from a side, where no panel covers them, in the projection that there is."""
        lens = self.viewport.camera
        self._frame(lambda: self.set_camera(self._framed(boxes, view, up=up, lens=lens)))

    # -- moving -------------------------------------------------------------------------------------------------------

    def orbit(self, right: float, up: float) -> None:
        """Turn the camera around its target, as a drag by so many pixels does; z stays up."""
        self.set_camera(navigation.orbit(self.viewport, right, up), run="turn")

    def pan(self, right: float, up: float) -> None:
        """Move the camera so that what it aims at moves by so many pixels."""
        self.set_camera(navigation.pan(self.viewport, right, up), run="shift")

    def zoom(self, clicks: float, x: float | None = None, y: float | None = None) -> None:
        """Come nearer by so many clicks of the wheel, to a pixel or to the middle; farther for fewer than none."""
        width, height = self.viewport.size
        at = (0.5 * width if x is None else x, 0.5 * height if y is None else y)
        self.set_camera(navigation.zoom(self.viewport, clicks, *at), run="zoom")

    def switch_projection(self) -> None:
        """Go from perspective to parallel or back; what the camera aims at keeps its size."""
        self.set_camera(other_projection(self.viewport.camera))

    # -- inside -------------------------------------------------------------------------------------------------------

    def _left_of_middle(self, boxes: AABB) -> float:
        """Return how far left of the picture's middle that of some boxes is, as a part of its width; 0 behind it."""
        pixels, depth = self.viewport.project(AABB.union(boxes).center)
        return float(0.5 - pixels[..., 0] / self.viewport.size[0]) if depth > 0.0 else 0.0

    def _put(self, **changes: Any) -> None:
        self._state = self._state._replace(**changes)

    def _show(self, camera: Camera) -> None:
        if camera != self.viewport.camera:
            self._put(viewport=Viewport(camera, self.viewport.size))
            self._document.touch()

    @property
    def _as_opened(self) -> bool:
        """Whether the scene is seen by its own camera, as it was when the session began: nobody has moved it."""
        own = self._document.scene.camera if self._name is None else None
        return own is not None and self._state.opened == (own, self.viewport.camera)

    def _open(self) -> Camera:
        """Return where the session begins, and remember it."""
        shown = self._opening_camera()
        self._put(opened=_Opened(self._document.scene.camera, shown))
        return shown

    def _opening_camera(self) -> Camera:
        camera = self._document.scene.camera
        if camera is not None and self._name is None:
            size = self.viewport.size
            camera = for_width(self._first_framed, camera, size)
            crowded = is_crowded(size, self._text_scale)
            return cleared(self._first_framed, camera, size, self._covered) if crowded else camera
        return self._framed(self._first_framed, self._name or "iso", lens=camera)

    def _framed(self, boxes: AABB | None, view: str | ArrayLike, **options: Any) -> Camera:
        return frame_clear(boxes, view, self.viewport.size, self._covered, **options)


def _farthest(scene: Scene) -> str:
    """Return the name of the element that reaches farthest: of a scene that is too small, all are."""
    reach: dict[str, float] = {}
    for group in scene.groups:
        boxes = finite_bounds(group.shape)
        each = np.maximum(np.abs(boxes.lower), np.abs(boxes.upper)).max(axis=-1)
        first = int(each.argmax())
        reach[scene.element_name(group.elements[first])] = float(each[first])
    return max(reach, key=lambda name: reach[name])


def _boxes(scene: Scene, extent: AABB | None = None) -> AABB | None:
    shapes = [group.shape for group in scene.groups]
    boxes = outline(shapes) if extent is None else extent
    return boxes if boxes is None else with_planes(boxes, shapes)
