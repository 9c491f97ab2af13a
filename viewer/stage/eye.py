"""VTK's camera as one of ours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from vtkmodules.vtkRenderingCore import vtkRenderer

from collision import Camera


class Eye:
    """The camera of a renderer, whichever it is.

    Asking PyVista's camera for all that it knows takes longer than the arithmetic of a frame, so it is read and set
    only where something has changed.

    Parameters
    ----------
    renderer : vtkRenderer
        Whose active camera it is.
    """

    def __init__(self, renderer: vtkRenderer) -> None:
        #: VTK's own camera, and how its count of changes is read. PyVista looks at every name before it gives it away,
        #: which takes longer than the call.
        self._own: Any = None
        self._count: Callable[[], int] = int
        self._active: Callable[[], Any] = renderer.GetActiveCamera
        #: What was last read, and what was last set; with VTK's own camera, and at which of its changes it was so.
        self._read: tuple[Camera, Any, int] | None = None
        self._set: tuple[Camera, Any, int] | None = None

    def _now(self) -> tuple[Any, int]:
        own = self._active()
        if own is not self._own:
            self._own, self._count = own, own.GetMTime
        return own, self._count()

    @property
    def camera(self) -> Camera:
        """The camera as it is now: the same object for as long as it is equal."""
        own, count = self._now()
        if self._read is None or self._read[2] != count or self._read[1] is not own:
            height = 2.0 * own.GetParallelScale() if own.GetParallelProjection() else None
            aim = own.GetPosition(), own.GetFocalPoint(), own.GetViewUp()
            camera = Camera(*aim, own.GetViewAngle(), height)
            self._read = (self._read[0] if self._read and self._read[0] == camera else camera, own, count)
        return self._read[0]

    def aim(self, camera: Camera) -> bool:
        """Have the camera stand and look like another; say whether it did not yet."""
        own, count = self._now()
        last = self._set
        if last is not None and last[2] == count and last[1] is own and (last[0] is camera or last[0] == camera):
            return False
        own.SetPosition(*camera.position)
        own.SetFocalPoint(*camera.target)
        own.SetViewUp(*camera.up)
        own.SetViewAngle(camera.view_angle)
        own.SetParallelProjection(camera.parallel_height is not None)
        if camera.parallel_height is not None:
            own.SetParallelScale(0.5 * camera.parallel_height)
        self._set = camera, own, own.GetMTime()
        return True

    def clip(self, near: float, far: float) -> None:
        """Have the camera see from one depth to another. It is still the same camera."""
        own, before = self._now()
        own.SetClippingRange(near, far)
        after = self._count()
        if after != before:
            # What was read and set at the last change but this one, is as it was.
            self._read, self._set = (
                (*last[:2], after) if last is not None and last[2] == before and last[1] is own else last
                for last in (self._read, self._set)
            )
