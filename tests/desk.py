"""An interactor without a window."""

from __future__ import annotations

from typing import Any

from vtkmodules.vtkInteractionStyle import vtkInteractorStyleTrackballCamera
from vtkmodules.vtkRenderingCore import vtkRenderWindowInteractor

from viewer.camera.camera import Viewport
from viewer.stage.events import Handlers, Navigator, Wiring
from viewer.stage.stage import Stage


class Desk:
    """An interactor without a window, wired as that of a window is, with a camera style that would react."""

    def __init__(self, stage: Stage, handlers: Handlers) -> None:
        self.stage, self.handlers = stage, handlers
        self.interactor = vtkRenderWindowInteractor()
        self.interactor.SetRenderWindow(stage.plotter.render_window)
        self.interactor.SetInteractorStyle(vtkInteractorStyleTrackballCamera())
        size = stage.size
        navigator = Navigator(lambda: Viewport(stage.camera, size), lambda camera: setattr(stage, "camera", camera))
        self.wiring = Wiring(self.interactor, handlers, navigator)

    def mouse(self, event: str, x: int, y: int, *, shift: bool = False, ctrl: bool = False, alt: bool = False) -> None:
        """Do something with the mouse."""
        self.interactor.SetEventInformation(x, y, int(ctrl), int(shift))
        self.interactor.SetAltKey(int(alt))
        self.interactor.InvokeEvent(event)

    def heard(self, kind: str, consume: bool = False) -> list[Any]:
        """Return a list to which all events of a kind will be added."""
        events: list[Any] = []
        self.handlers.add(kind, lambda event: events.append(event) or consume)  # type: ignore[arg-type, func-returns-value]
        return events

    def key(self, symbol: str, character: str, *, shift: bool = False, ctrl: bool = False, alt: bool = False) -> None:
        """Press a key and release it, in the middle of the window."""
        x, y = (length // 2 for length in self.stage.size)
        self.interactor.SetEventInformation(x, y, int(ctrl), int(shift), character or "\0", 0, symbol)
        self.interactor.SetAltKey(int(alt))
        for event in ("KeyPressEvent", "CharEvent", "KeyReleaseEvent"):
            self.interactor.InvokeEvent(event)
