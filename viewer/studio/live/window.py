"""The process of a window that another process has opened: it shows what comes, and reports what the user does."""

from __future__ import annotations

import os
import pickle
import signal
import sys
from collections import deque
from time import monotonic
from typing import IO

from collision import Scene
from viewer.session import Session
from viewer.studio.app import FRAME, App, run
from viewer.studio.live.channel import Channel, Opening, Report, Update

#: So many seconds after an update others are expected; without any, there are so many milliseconds between looks.
LIVELY, REST = 2.0, 60

#: Seconds that the program has for the last report.
PATIENCE = 5.0


def serve() -> None:
    """Open the window that is asked for on stdin, and answer on stdout until either side is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is meant for the program, which shares the terminal
    incoming, outgoing = os.fdopen(os.dup(sys.stdin.fileno()), "rb"), os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what libraries print is no message
    opening: Opening = pickle.load(incoming)
    window = LiveWindow(opening.scene, incoming, outgoing)
    error: Exception | None = None
    try:
        run(opening.scene, watch=window.watch, poll=window.poll, **opening.options)
    except Exception as reason:  # for the program: it knows what to do about it
        error = reason
    window.end(error)


class LiveWindow:
    """What happens between frames: updates are put in, changes are reported."""

    def __init__(self, scene: Scene, incoming: IO[bytes], outgoing: IO[bytes]) -> None:
        self._resting, self._report = scene, Report()
        #: The latest update that was not looked at yet.
        self._updates: deque[Update] = deque(maxlen=1)
        self._opened = False
        #: When the last update came, by the clock.
        self._taken = monotonic()
        self._channel = Channel(incoming, outgoing, self._heard)

    def _heard(self, message: object) -> None:
        if isinstance(message, Update):
            self._updates.append(message)

    def poll(self, app: App) -> int:
        """Draw the latest update, or close the window with the line, and say in how many milliseconds to look again."""
        if self._channel.ended.is_set():
            app.session.close()
            return FRAME
        if not self._opened:
            self._opened = True
            self._tell(self._report)
        if self._updates and not app.session.pending:
            self._taken = monotonic()
            self._take(self._updates.pop(), app)
        return FRAME if monotonic() - self._taken < LIVELY else REST

    def _take(self, update: Update, app: App) -> None:
        report = self._report
        # What was worked out before the user's last change would undo it.
        if update.changes >= report.changes and app.session.file.put(update.scene):
            self._resting = app.session.resting
            app.refresh()
            report = self._report._replace(scene=None)
        self._tell(report._replace(done=update.number))

    def watch(self, session: Session) -> None:
        """Report what the user has changed."""
        report, resting, selected = self._report, session.resting, session.selected
        if resting is not self._resting:
            self._resting = resting
            self._tell(
                report._replace(changes=report.changes + 1, scene=resting.replaced(hidden=()), selected=selected)
            )
        elif selected != report.selected:
            self._tell(report._replace(selected=selected))

    def _tell(self, report: Report) -> None:
        self._report = report
        self._channel.say(report)

    def end(self, error: Exception | None) -> None:
        """Say why there is no window, if there is none, and close the line."""
        if error is not None:
            self._tell(self._report._replace(error=error))
        self._channel.finish(PATIENCE)
