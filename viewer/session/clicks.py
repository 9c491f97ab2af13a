"""The mouse beside the handles: clicks select, drags move what is pressed, and others turn or shift the view."""

from __future__ import annotations

from viewer.records.events import Pointer
from viewer.session.pointing import PickTarget, Pointing
from viewer.session.selection import Selection
from viewer.session.transform_tool import TransformTool
from viewer.session.view import View


class Clicks:
    """Tells clicks from drags."""

    def __init__(self, view: View, selection: Selection, tool: TransformTool, pointing: Pointing) -> None:
        self._view, self._selection, self._tool, self._pointing = view, selection, tool, pointing
        self._pressed: Pointer | None = None
        #: What the button went down on, if it can be moved.
        self._grasp: PickTarget | None = None
        #: Where the mouse was when it last shifted a drawing.
        self._shifts: tuple[float, float] | None = None

    def press(self, mouse: Pointer) -> bool:
        """Take note of where a click or a drag may begin; True when the camera must not turn.

        Beside all that can be moved, Ctrl begins a rectangle, and a drawing that is seen face on is shifted.
        """
        grasp = self._pointing.grasp_at(*mouse.place)
        self._pointing.leave()
        self._pressed, self._shifts = mouse, None
        self._grasp = grasp if grasp is not None and grasp.free else None
        if self._grasp is None and mouse.ctrl:
            self._pressed = None
            self._selection.begin_box(*mouse.place)
            return True
        if self._grasp is None and self._view.face_on:
            self._shifts = mouse.place
        return self._grasp is not None or self._shifts is not None

    def move(self, mouse: Pointer) -> bool:
        """Move what is pressed, or shift a drawing; with no button down, look what is under the cursor."""
        pressed, grasp = self._pressed, self._grasp
        if pressed is None:
            if mouse.button is None:
                self._tool.hover(mouse)
                self._pointing.hover(mouse)
            return False
        if grasp is not None and not mouse.is_near(pressed.place, self._view.viewport.scale):
            self._pressed = self._grasp = None
            self._pointing.take(grasp, pressed)
            return self._tool.move(mouse)
        if self._shifts is not None:
            (x, y), self._shifts = self._shifts, mouse.place
            self._view.pan(mouse.x - x, mouse.y - y)
        return grasp is not None or self._shifts is not None

    def release(self, mouse: Pointer) -> bool:
        """Select what is clicked; a click accepts what waits for numbers. The mouse is always left to others."""
        pressed = self._pressed
        self.cancel()
        if pressed is not None and mouse.is_near(pressed.place, self._view.viewport.scale) and not self._tool.accept():
            self._selection.click(*mouse.place, add=mouse.shift)
        return False

    def cancel(self) -> bool:
        """Have the button that is down be no click and no drag when it is moved or let go."""
        self._pressed = self._grasp = self._shifts = None
        return False
