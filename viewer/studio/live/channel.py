"""What two processes tell each other: how things are, so that only the latest message matters and nobody waits."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from contextlib import suppress
from threading import Condition, Event, Thread
from typing import IO, Any, NamedTuple

from collision import Scene


class Opening(NamedTuple):
    """The first message to the window: a scene, and how `viewer.studio.app.run` is to show it."""

    scene: Scene
    options: dict[str, Any]


class Update(NamedTuple):
    """A scene to be shown, which number it has, and how many of the user's changes were known when it was made."""

    scene: Scene
    number: int
    changes: int


class Report(NamedTuple):
    """How things are in the window: what was drawn, and what the user has changed.

    `done` counts updates that gave way to a change of the user, too; the scene is None where it is that of the update.
    """

    done: int = 0
    changes: int = 0
    scene: Scene | None = None
    selected: tuple[str, ...] = ()
    error: Exception | None = None


class Channel:
    """One end of the line between two processes. A message that was not sent yet gives way to the next one.

    What comes is unpickled, so there must be one's own program at the other end; None is heard when that has closed it.
    """

    def __init__(self, incoming: IO[bytes], outgoing: IO[bytes], heard: Callable[[object], object]) -> None:
        self._incoming, self._outgoing, self._heard = incoming, outgoing, heard
        #: The other end has closed the line.
        self.ended = Event()
        self._next: bytes | None = None
        self._closing = False
        self._changed = Condition()
        self._speaking = Thread(target=self._speak, daemon=True)
        self._speaking.start()
        Thread(target=self._listen, daemon=True).start()

    def say(self, message: object) -> None:
        """Send a message in the place of one that was not sent yet."""
        data = pickle.dumps(message)
        with self._changed:
            self._next = data
            self._changed.notify()

    def close(self) -> None:
        """Send what is still to be sent, and close the line."""
        with self._changed:
            self._closing = True
            self._changed.notify()

    def finish(self, seconds: float) -> None:
        """Close the line, and wait some time at most until all is sent."""
        self.close()
        self._speaking.join(seconds)

    def _listen(self) -> None:
        with self._incoming:
            while True:
                try:
                    message = pickle.load(self._incoming)
                except (EOFError, OSError, pickle.UnpicklingError):  # closed, also in the middle of a message
                    break
                self._heard(message)
        self.ended.set()
        self.close()
        self._heard(None)

    def _speak(self) -> None:
        with suppress(OSError), self._outgoing:  # the other end may be gone
            while True:
                with self._changed:
                    self._changed.wait_for(lambda: self._next is not None or self._closing)
                    data, self._next = self._next, None
                if data is None:
                    return
                self._outgoing.write(data)
                self._outgoing.flush()
