"""What every layer of a session stands on: the scene and the view as they are now, and the number of the picture."""

from __future__ import annotations

import numpy as np

from collision import AABB, Camera, Scene
from viewer.view.camera import Viewport
from viewer.view.sizes import EMPTY, SQUARES

#: A scene has outgrown the box that the ground lies under where something of it is farther outside than this part of
#: the box's longest side. The ground itself reaches a little farther.
OUTGROWN = 0.5


def has_room(extent: AABB | None, bounds: AABB | None) -> bool:
    """Tell whether the ground under a box will do for a scene with other bounds: neither too small nor far too large.

    Examples
    --------
    >>> extent = AABB([0, 0, 0], [10, 10, 1])
    >>> has_room(extent, AABB([0, 0, 0], [12, 10, 1])), has_room(extent, AABB([0, 0, 0], [40, 10, 1]))
    (True, False)
    """
    if bounds is None:
        return True
    box = extent if extent is not None and np.any(extent.half_extents) else EMPTY
    with np.errstate(over="ignore"):
        longest, own = (2.0 * float(one.half_extents.max()) for one in (box, bounds))
        inside = bounds.lower >= box.lower - OUTGROWN * longest, bounds.upper <= box.upper + OUTGROWN * longest
    # What is smaller than one of its squares is lost on a ground, but for what has no size at all.
    return bool(np.all(inside)) and (own == 0.0 or own * SQUARES >= longest)


class Base:
    """A scene, a viewport, and `revision`, which tells when there is a new picture to make."""

    def __init__(self, scene: Scene, size: tuple[int, int], extent: AABB | None) -> None:
        self.revision = 0
        self._notice = ""
        self._scene = scene
        self._extent = self._first_extent = scene.bounds() if extent is None else extent
        # Some camera before there is the first of its own.
        self._viewport = Viewport(scene.camera or Camera((1.0, 1.0, 1.0)), size)

    @property
    def scene(self) -> Scene:
        """The scene as it is now, also in the middle of a drag."""
        return self._scene

    @property
    def extent(self) -> AABB | None:
        """The box that the ground lies under.

        A ground that moves is none: the box stays what it was at first, the very same object, until an edit has put
        something far outside, or left nothing but what is tiny on it.
        """
        return self._extent

    @property
    def viewport(self) -> Viewport:
        """The camera and the size of the picture."""
        return self._viewport

    @property
    def notice(self) -> str:
        """What the last command has to say, such as that a file is saved, or why not."""
        return self._notice

    def say(self, text: str) -> None:
        """Show a line until the next key; none for an empty text."""
        if text != self._notice:
            self._notice = text
            self._touch()

    def _touch(self) -> None:
        self.revision += 1
