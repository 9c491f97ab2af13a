"""What pictures are drawn on where there is no window: VTK alone, as importing PyVista takes longer than a picture."""

from __future__ import annotations

from typing import Any

import numpy as np
import vtkmodules.vtkRenderingFreeType
import vtkmodules.vtkRenderingOpenGL2  # noqa: F401 (these two register what draws)
from vtkmodules.vtkRenderingCore import vtkRenderer, vtkRenderWindow

from viewer.stage.frames import grab

#: The longest side of a picture in pixels: what graphics drivers commonly draw.
LARGEST = 16384


def checked_size(size: tuple[int, int]) -> tuple[int, int]:
    """Return the size of a picture, if it can be one.

    Raises
    ------
    ValueError
        If it is not two whole numbers that are not too large.
    """
    if len(size) != 2 or not all(isinstance(side, int | np.integer) and 1 <= side <= LARGEST for side in size):
        raise ValueError(f"the size of a picture must be two whole numbers from 1 to {LARGEST}, got {size!r}")
    return int(size[0]), int(size[1])


class Screen:
    """A window of VTK's that nobody sees, with a renderer; to a stage, it is what a plotter of PyVista is.

    Parameters
    ----------
    width, height : int
        In pixels.
    transparent : bool
        Whether pictures can do without a background.

    Attributes
    ----------
    renderer : vtkRenderer
        Of what is drawn.
    render_window : vtkRenderWindow or None
        None once it is closed.
    """

    def __init__(self, width: int, height: int, *, transparent: bool = False) -> None:
        window: Any = vtkRenderWindow()
        window.SetAlphaBitPlanes(int(transparent))
        window.SetMultiSamples(0)
        window.SetOffScreenRendering(1)
        if hasattr(window, "SetConnectContextToNSView"):  # macOS, which would have a window all the same
            window.SetConnectContextToNSView(False)
        self.renderer: Any = vtkRenderer()
        self.renderer.SetAutomaticLightCreation(False)
        window.AddRenderer(self.renderer)
        window.SetSize(width, height)
        self.render_window: Any = window
        self._iren: Interactor | None = None

    def draws(self) -> bool:
        """Draw a few red pixels before anything else, and say whether they are red."""
        window, renderer = self.render_window, self.renderer
        size, color = window.GetSize(), renderer.GetBackground()
        window.SetSize(8, 8)
        renderer.SetBackground(1.0, 0.0, 0.0)
        window.Render()
        pixels = grab(window, 1, transparent=False)
        window.SetSize(*size)
        renderer.SetBackground(*color)
        return bool((pixels == (255, 0, 0)).all())

    @property
    def iren(self) -> Interactor | None:
        """What takes events that are made by hand, made when first asked for; None once it is closed."""
        if self._iren is None and self.render_window is not None:
            self._iren = Interactor(self.render_window)
        return self._iren

    def close(self) -> None:
        """Free what the window holds."""
        if self.render_window is not None:
            self.render_window.Finalize()
        self.render_window = self._iren = None


class Interactor:
    """What VTK's events come from, under the name that it has in PyVista.

    Attributes
    ----------
    interactor : vtkGenericRenderWindowInteractor
        It waits for no events: it gets them.
    """

    def __init__(self, window: Any) -> None:
        from vtkmodules.vtkRenderingUI import vtkGenericRenderWindowInteractor

        self.interactor: Any = vtkGenericRenderWindowInteractor()
        self.interactor.SetRenderWindow(window)

    def terminate_app(self) -> None:
        """Have those who wait for events wait no longer."""
        self.interactor.TerminateApp()
