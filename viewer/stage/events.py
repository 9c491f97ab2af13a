"""From VTK's events to the records of what the user does, and who gets them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import Any, Literal, TypeAlias, get_args
from unicodedata import lookup

from collision import Camera
from viewer.camera import navigation
from viewer.camera.camera import Viewport
from viewer.records.events import Button, Closing, Key, Pointer, Resized, Timer, Wheel

#: ``camera`` comes after the user has moved the camera, with the new one.
Kind: TypeAlias = Literal["press", "move", "release", "wheel", "key", "resize", "camera", "close", "timer"]

KINDS: tuple[Kind, ...] = get_args(Kind)

#: What Unicode calls the accents and the alphabet in X11's names of letters, as in ``eacute`` and ``Greek_alpha``; and
#: other letters.
_ACCENTS = {"ring": "RING ABOVE", "doubleacute": "DOUBLE ACUTE", "slash": "STROKE"}
_LETTERS = {"ssharp": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ"}


def typed(symbol: str, code: str) -> str:
    r"""Return the sign that a key types, nothing for a key that types none.

    Parameters
    ----------
    symbol : str
        The name of the key.
    code : str
        What VTK says that it types: one byte, which is the sign only if that is ASCII.

    Examples
    --------
    >>> typed("a", "a"), typed("udiaeresis", "\0"), typed("Eacute", "`"), typed("ssharp", "x"), typed("Left", "\0")
    ('a', 'ü', 'É', 'ß', '')
    """
    if symbol in _LETTERS:
        return _LETTERS[symbol]
    alphabet, letter, accent = "LATIN", symbol[:1], f" WITH {_ACCENTS.get(symbol[1:], symbol[1:].upper())}"
    if symbol.startswith("Greek_"):
        alphabet, letter, accent = "GREEK", symbol.removeprefix("Greek_"), ""
    with suppress(KeyError):  # most keys are no such letters
        return lookup(f"{alphabet} {'CAPITAL' if letter[:1].isupper() else 'SMALL'} LETTER {letter.upper()}{accent}")
    return code if code.isascii() and code.isprintable() else ""


Event: TypeAlias = Pointer | Wheel | Key | Resized | Camera | Closing | Timer

#: Takes an event and returns True to consume it: no other handler gets it, and the camera stays still.
Handler: TypeAlias = Callable[[Any], bool | None]

#: Above the priority of the camera styles and of PyVista's own keys.
_PRIORITY = 10.0

_BUTTONS: tuple[tuple[str, Button], ...] = (("Left", "left"), ("Middle", "middle"), ("Right", "right"))


class Handlers:
    """The handlers of each kind of event, the last added first."""

    def __init__(self) -> None:
        self._handlers: dict[Kind, list[Handler]] = {kind: [] for kind in KINDS}

    def add(self, kind: Kind, handler: Handler) -> None:
        """Add a handler; it is asked before those that are there."""
        if kind not in self._handlers:
            raise ValueError(f"the kind of an event must be one of {', '.join(KINDS)}, got {kind!r}")
        self._handlers[kind].insert(0, handler)

    def send(self, kind: Kind, event: Event) -> bool:
        """Give an event to the handlers, until one consumes it; say whether one did."""
        return any(handler(event) is True for handler in tuple(self._handlers[kind]))


class Navigator:
    """Moves the camera by those drags that no handler consumed: left or middle turns, right or Shift and left pans.

    Parameters
    ----------
    view : callable
        Returns the viewport as it is.
    move : callable
        Takes the new camera.
    """

    def __init__(self, view: Callable[[], Viewport], move: Callable[[Camera], None]) -> None:
        self._view, self._move = view, move
        self._last: Pointer | None = None
        self._pans = False

    def press(self, event: Pointer) -> None:
        """Begin a drag."""
        self._last = event
        self._pans = event.button == "right" or event.shift

    def drag(self, event: Pointer) -> None:
        """Go on with a drag, if there is one."""
        if self._last is None:
            return
        right, up = event.x - self._last.x, event.y - self._last.y
        self._last = event
        if right or up:
            self._move((navigation.pan if self._pans else navigation.orbit)(self._view(), right, up))

    def release(self) -> None:
        """End a drag."""
        self._last = None

    def wheel(self, event: Pointer, clicks: float) -> None:
        """Zoom."""
        self._move(navigation.zoom(self._view(), clicks, event.x, event.y))


class Wiring:
    """Listens to a VTK interactor in place of all that would listen by itself.

    Every event stops here: neither a camera style nor a key of VTK's or PyVista's own (``q`` closes, ``w`` shows wires,
    ``3`` turns on stereo) ever gets one. So no style can swallow a release, either. When a button is released, `settle`
    is called last.
    """

    def __init__(
        self, interactor: Any, handlers: Handlers, navigator: Navigator, settle: Callable[[], object] = lambda: None
    ) -> None:
        self._interactor, self._handlers, self._navigator, self._settle = interactor, handlers, navigator, settle
        self._held: Button | None = None
        #: Whether the pointer has moved since a button is held.
        self.dragging = False
        #: The timer that is set, and when it is due.
        self._timer: int | None = None
        self._due = 0.0
        self._size: tuple[int, int] = tuple(interactor.GetRenderWindow().GetSize())
        for name, button in _BUTTONS:
            self._listen(f"{name}ButtonPressEvent", partial(self._press, button))
            self._listen(f"{name}ButtonDoubleClickEvent", partial(self._press, button))
            self._listen(f"{name}ButtonReleaseEvent", partial(self._release, button))
        self._listen("MouseMoveEvent", self._moved)
        self._listen("MouseWheelForwardEvent", partial(self._wheel, 1.0))
        self._listen("MouseWheelBackwardEvent", partial(self._wheel, -1.0))
        self._listen("KeyPressEvent", self._key)
        for name in ("KeyReleaseEvent", "CharEvent", "MouseWheelLeftEvent", "MouseWheelRightEvent"):
            self._listen(name, lambda: None)
        interactor.AddObserver("TimerEvent", lambda *_: self._woken(), _PRIORITY)
        self._listen("ExitEvent", lambda: handlers.send("close", Closing()))
        interactor.AddObserver("ConfigureEvent", lambda *_: self._resized(), _PRIORITY)

    def _listen(self, name: str, react: Callable[[], object]) -> None:
        def stop_here(*_: object) -> None:
            self._interactor.GetCommand(tag).SetAbortFlag(1)
            react()

        tag = self._interactor.AddObserver(name, stop_here, _PRIORITY)

    def _modifiers(self) -> dict[str, bool]:
        of = self._interactor
        return {"shift": bool(of.GetShiftKey()), "ctrl": bool(of.GetControlKey()), "alt": bool(of.GetAltKey())}

    def _pointer(self, button: Button | None = None) -> Pointer:
        x, y = self._interactor.GetEventPosition()
        return Pointer(float(x), float(y), button, **self._modifiers())

    def _press(self, button: Button) -> None:
        event = self._pointer(button)
        self._held = button
        if not self._handlers.send("press", event):
            self._navigator.press(event)

    def _moved(self) -> None:
        event = self._pointer(self._held)
        self.dragging = self._held is not None
        if not self._handlers.send("move", event):
            self._navigator.drag(event)

    def _release(self, button: Button) -> None:
        self._held, self.dragging = None, False
        self._navigator.release()
        self._handlers.send("release", self._pointer(button))
        self._settle()

    def _wheel(self, clicks: float) -> None:
        event = self._pointer()
        if not self._handlers.send("wheel", Wheel(event, clicks)):
            self._navigator.wheel(event, clicks)

    def _key(self) -> None:
        symbol = self._interactor.GetKeySym() or ""
        text = typed(symbol, self._interactor.GetKeyCode())
        self._handlers.send("key", Key(symbol, **self._modifiers(), text=text))

    def wake_in(self, milliseconds: int) -> None:
        """Have a timer event sent, once; while one is due already, no later one."""
        due = monotonic() + milliseconds / 1000.0
        if self._timer is not None:
            if self._due <= due:
                return
            self._interactor.DestroyTimer(self._timer)
        self._timer, self._due = self._interactor.CreateOneShotTimer(milliseconds), due

    def _woken(self) -> None:
        if self._timer is not None:  # others may have timers of their own
            self._timer = None
            self._handlers.send("timer", Timer())

    def _resized(self) -> None:
        size = tuple(self._interactor.GetRenderWindow().GetSize())
        if size != self._size:
            self._size = size
            self._handlers.send("resize", Resized(*size))
