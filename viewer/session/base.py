"""What every layer of a session stands on: the scene and the view as they are now, and the number of the picture."""

from __future__ import annotations

from collision import AABB, Camera, Scene
from viewer.camera import Viewport


class Base:
    """A scene, a viewport, and `revision`, which tells when there is a new picture to make."""

    def __init__(self, scene: Scene, size: tuple[int, int], extent: AABB | None) -> None:
        self.revision = 0
        self._notice = ""
        self._scene = scene
        self._extent = scene.bounds() if extent is None else extent
        # Some camera before there is the first of its own.
        self._viewport = Viewport(scene.camera or Camera((1.0, 1.0, 1.0)), size)

    @property
    def scene(self) -> Scene:
        """The scene as it is now, also in the middle of a drag."""
        return self._scene

    @property
    def extent(self) -> AABB | None:
        """The box that the ground lies under. It stays as it was at first: a ground that moves is none."""
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
