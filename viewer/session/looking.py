"""Where a scene is looked at from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from collision import AABB, Camera, Scene, Shape
from collision.inner import ArrayLike
from viewer.session.showing import Showing
from viewer.view import navigation
from viewer.view.camera import Viewport, other_projection
from viewer.view.framing import Room, frame, frame_clear
from viewer.view.outline import finite_bounds, outline, with_planes

if TYPE_CHECKING:
    from viewer.session import Session

#: What is left free at each edge when the selection is framed, and how large a thing without a size is then taken to
#: be, as a part of the scene.
SELECTION_MARGIN = 0.15
POINT_SIZE = 0.1


class Looking(Showing):
    """The layer of a session that moves the camera."""

    def __init__(self, scene: Scene, size: tuple[int, int], view: str | None, extent: AABB | None) -> None:
        super().__init__(scene, size, extent)
        self._first_view = view
        self._first_framed = _boxes(scene, extent)
        self._covered: Callable[[Any], Sequence[Room]] = lambda _: ()
        self._bookmarks: dict[str, Camera] = {}

    @property
    def bookmarks(self) -> Mapping[str, Camera]:
        """Where to return to, by name."""
        return MappingProxyType(self._bookmarks)

    def remember(self, name: str) -> None:
        """Keep the view as it is now under a name, to return to it."""
        self._bookmarks[name] = self._viewport.camera
        self._touch()

    def recall(self, name: str) -> None:
        """Return to a view that was kept.

        Raises
        ------
        ValueError
            If none was kept under this name.
        """
        if name not in self._bookmarks:
            raise ValueError(f"no view is remembered as {name}")
        self.set_camera(self._bookmarks[name])

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
        self.set_camera(self._framed(_boxes(self.scene), view, lens=self._viewport.camera))

    def frame_all(self) -> None:
        """Look at everything, from the same side."""
        at = self._viewport
        self.set_camera(self._framed(_boxes(self.scene), -at.forward, up=at.up, lens=at.camera))

    def frame_shapes(self, shapes: Iterable[Shape]) -> None:
        """Look at some shapes, from the same side; without any, at everything."""
        shapes = list(shapes)
        boxes, whole = outline(shapes), self.scene.bounds()
        if boxes is None:
            self.frame_all()
            return
        if whole is not None and not any(np.any(finite_bounds(shape).half_extents) for shape in shapes):
            reach = POINT_SIZE * whole.half_extents.max()
            boxes = AABB(boxes.lower - reach, boxes.upper + reach)
        # In the very middle, panels or not: the view then turns around what is selected.
        at = self._viewport
        self.set_camera(frame(boxes, -at.forward, at.aspect, up=at.up, margin=SELECTION_MARGIN, lens=at.camera))

    def reset_view(self) -> None:
        """Look from where the session began."""
        self.set_camera(self._opening_camera())

    def orbit(self, right: float, up: float) -> None:
        """Turn the camera around its target, as a drag by so many pixels does; z stays up."""
        self.set_camera(navigation.orbit(self._viewport, right, up))

    def pan(self, right: float, up: float) -> None:
        """Move the camera so that what it aims at moves by so many pixels."""
        self.set_camera(navigation.pan(self._viewport, right, up))

    def zoom(self, clicks: float, x: float | None = None, y: float | None = None) -> None:
        """Come nearer by so many clicks of the wheel, to a pixel or to the middle; farther for fewer than none."""
        width, height = self._viewport.size
        at = (0.5 * width if x is None else x, 0.5 * height if y is None else y)
        self.set_camera(navigation.zoom(self._viewport, clicks, *at))

    def switch_projection(self) -> None:
        """Go from perspective to parallel or back; what the camera aims at keeps its size."""
        self.set_camera(other_projection(self._viewport.camera))

    def _opening_camera(self) -> Camera:
        own, view = self._scene.camera, self._first_view
        if own is not None and view is None:
            return own
        return self._framed(self._first_framed, view or "iso", lens=own)

    def _framed(self, boxes: AABB | None, view: str | ArrayLike, **options: Any) -> Camera:
        return frame_clear(boxes, view, self._viewport.size, self._covered(self), **options)


def _boxes(scene: Scene, extent: AABB | None = None) -> AABB | None:
    shapes = [group.shape for group in scene.groups]
    boxes = outline(shapes) if extent is None else extent
    return boxes if boxes is None else with_planes(boxes, shapes)
