"""VTK's camera as one of ours."""

from __future__ import annotations

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
        self._renderer = renderer
        #: What was last read, and what was last set; with VTK's own camera, and at which of its changes it was so.
        self._read: tuple[Camera, Any, int] | None = None
        self._set: tuple[Camera, Any, int] | None = None

    @property
    def camera(self) -> Camera:
        """The camera as it is now: the same object for as long as it is equal."""
        own = self._renderer.GetActiveCamera()
        now = own, own.GetMTime()
        if self._read is None or self._read[1:] != now:
            height = 2.0 * own.GetParallelScale() if own.GetParallelProjection() else None
            aim = own.GetPosition(), own.GetFocalPoint(), own.GetViewUp()
            camera = Camera(*aim, own.GetViewAngle(), height)
            self._read = (self._read[0] if self._read and self._read[0] == camera else camera, *now)
        return self._read[0]

    @camera.setter
    def camera(self, camera: Camera) -> None:
        own = self._renderer.GetActiveCamera()
        if self._set == (camera, own, own.GetMTime()):
            return
        own.SetPosition(*camera.position)
        own.SetFocalPoint(*camera.target)
        own.SetViewUp(*camera.up)
        own.SetViewAngle(camera.view_angle)
        own.SetParallelProjection(camera.parallel_height is not None)
        if camera.parallel_height is not None:
            own.SetParallelScale(0.5 * camera.parallel_height)
        self._set = camera, own, own.GetMTime()
