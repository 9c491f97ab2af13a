"""The mouse where nothing else wants it: clicks select, a drag with Ctrl draws a rectangle, others turn the camera."""

from __future__ import annotations

from viewer.session.events import Mouse
from viewer.session.selection import Selection
from viewer.session.tool import Tool
from viewer.session.view import View


class Clicks:
    """Tells clicks from drags."""

    def __init__(self, view: View, selection: Selection, tool: Tool) -> None:
        self._view, self._selection, self._tool = view, selection, tool
        self._pressed: tuple[float, float] | None = None

    def press(self, mouse: Mouse) -> bool:
        """Take note of where a click may begin; with Ctrl, begin a rectangle."""
        if mouse.ctrl:
            self._selection.begin_box(*mouse.place)
            return True
        self._pressed = mouse.place
        return False

    def move(self, mouse: Mouse) -> bool:
        """Light up the handle under the cursor, unless the button is down; the mouse is always left to others."""
        if self._pressed is None:
            self._tool.hover(mouse)
        return False

    def release(self, mouse: Mouse) -> bool:
        """Select what is clicked; a click accepts what waits for numbers. The mouse is always left to others."""
        pressed, self._pressed = self._pressed, None
        if pressed is not None and mouse.is_near(pressed, self._view.viewport.scale) and not self._tool.accept():
            self._selection.click(*mouse.place, add=mouse.shift)
        return False

    def cancel(self) -> bool:
        """Have the button that is down be no click when it is let go."""
        self._pressed = None
        return False
