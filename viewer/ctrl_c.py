"""What Ctrl-C does to the command line: the program ends with the code 130, and never with a traceback."""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
from contextlib import suppress
from types import FrameType

#: What the program then tells the shell; see `viewer.cli.errors.ExitCode`.
INTERRUPTED = 130

#: The function of VTK's own that its modules call when they are imported, from where no error comes out.
_SWALLOWED = "on_vtk_module_init"

#: So many seconds threads have to end after Ctrl-C.
_PATIENCE = 1.0


class CtrlC:
    """The handler of Ctrl-C.

    Interrupted imports fail in many ways, some of them long after: with errors of other kinds, or with a traceback that
    goes nowhere. So Ctrl-C ends the program at once while it starts, when nothing is to be cleaned up yet; then
    it raises a KeyboardInterrupt as usual, and is remembered.
    """

    def __init__(self) -> None:
        self._pressed = self._mine = False
        self._at_once = True

    def take(self) -> None:
        """Handle Ctrl-C from now on, unless it is ignored, as in the background, or somebody else handles it."""
        if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
            return
        signal.signal(signal.SIGINT, self._handle)
        self._mine = True
        atexit.register(self._end)
        usual = sys.unraisablehook

        def once_more(lost: sys.UnraisableHookArgs) -> None:
            if issubclass(lost.exc_type, KeyboardInterrupt):  # where nobody could be told: once more, a little later
                _press_later()
            else:
                usual(lost)

        sys.unraisablehook = once_more

    def started(self) -> None:
        """Have Ctrl-C raise a KeyboardInterrupt from now on."""
        self._at_once = False

    def done(self) -> None:
        """Have Ctrl-C do nothing any more: all is written that was to be, and the code is known."""
        if self._mine:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        self._mine = False

    def _end(self) -> None:
        """End with the code of Ctrl-C also where something else ends the program for it, as VTK does, with its own."""
        if self._mine and self._pressed:
            os._exit(INTERRUPTED)

    def end(self, code: int) -> None:
        """End with a code in a moment if it was pressed and a thread is left, for which Python would wait.

        One that was being started then may wait for ever: whoever was to give it work was interrupted. Those of a pool
        of processes end by themselves, and the pool cleans up.
        """

        def give_up() -> None:
            for stream in (sys.stdout, sys.stderr):
                with suppress(OSError, ValueError):
                    stream.flush()
            os._exit(code)

        if self._pressed and threading.active_count() > 1:
            watch = threading.Timer(_PATIENCE, give_up)
            watch.daemon = True
            watch.start()

    @property
    def pressed(self) -> bool:
        """Whether it was pressed."""
        return self._pressed

    def _handle(self, _number: int, frame: FrameType | None) -> None:
        if self._at_once:
            os._exit(INTERRUPTED)
        self._pressed = True
        if frame is not None and frame.f_code.co_name == _SWALLOWED:
            _press_later()
            return
        raise KeyboardInterrupt


def _press_later() -> None:
    threading.Timer(0.01, _press).start()


def _press() -> None:
    """Send the signal to the first thread, so that it wakes."""
    first = threading.main_thread().ident
    if sys.platform == "win32" or first is None:
        signal.raise_signal(signal.SIGINT)
    else:
        signal.pthread_kill(first, signal.SIGINT)
