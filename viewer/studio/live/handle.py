"""A window of its own process, in the hand of the program that opened it."""

from __future__ import annotations

import atexit
import json
import subprocess
import sys
from numbers import Real
from threading import TIMEOUT_MAX, Condition
from types import TracebackType
from typing import TYPE_CHECKING, Self

from collision import Scene
from viewer.records.sizes import DEFAULT, checked_scale, checked_size
from viewer.stage.gl import ending_of
from viewer.studio.app import check_display
from viewer.studio.live.channel import Channel, Opening, Report, Update
from viewer.studio.pictures import SceneSource, as_scene

if TYPE_CHECKING:
    from viewer.records.theme import Theme

#: Seconds that a window has to close before its process is ended.
PATIENCE = 5.0

#: The other process finds what this one has found, from wherever that is.
_CODE = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from viewer.studio.live.window import serve; serve()"


def show(
    source: SceneSource,
    *,
    size: tuple[int, int] = DEFAULT,
    view: str | None = None,
    theme: Theme | str | None = None,
    scale: float = 1.0,
    title: str | None = None,
) -> WindowHandle:
    """Open a window on a scene, and go on as soon as it is there: the window lives in a process of its own.

    It closes with the program that has opened it.

    Parameters
    ----------
    source, size, view, theme, scale
        As for `viewer.view`.
    title : str, optional
        Of the window; by default the scene's.

    Returns
    -------
    WindowHandle
        With which the scene is replaced, and what the user has changed is read.

    Raises
    ------
    ValueError
        If the source is no scene, the view, the theme or the scale is none, or a side is not from 64 to 8192 pixels.
    RuntimeError
        If there is no display, or it cannot be drawn on; the message says what to use instead.

    Examples
    --------
    >>> from collision import Sphere
    >>> balls = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([6, 0, 0], 1)})
    >>> window = show(balls)  # doctest: +SKIP
    >>> for _ in range(50):  # doctest: +SKIP
    ...     balls = balls.moved("b", [-0.1, 0, 0])
    ...     window.update(balls)
    >>> window.scene["b"], window.closed  # doctest: +SKIP
    (Sphere(center=[1.0, 0.0, 0.0], radius=1.0), False)
    >>> window.wait()  # until the user has closed it  # doctest: +SKIP
    """
    options = {"size": checked_size(size), "view": view, "theme": theme, "title": title, "scale": checked_scale(scale)}
    opening = Opening(as_scene(source), options)
    check_display()
    return WindowHandle(opening)


class WindowHandle:
    """A window in a process of its own, as `show` returns it; in a ``with`` statement, it is closed at the end.

    Raises
    ------
    RuntimeError
        If the window could not be opened.
    """

    def __init__(self, opening: Opening) -> None:
        self._scene, self._report = opening.scene, Report()
        #: How many updates were sent; how many of the user's changes were known when the scene was last read.
        self._sent, self._read = 0, -1
        self._opened = self._closing = False
        self._changed = Condition()
        command = [sys.executable, "-c", _CODE, json.dumps([str(folder) for folder in sys.path])]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self._process.stdin is not None  # for type checkers
        assert self._process.stdout is not None
        self._channel = Channel(self._process.stdout, self._process.stdin, self._heard)
        atexit.register(self.close)
        self._channel.say(opening)
        try:
            with self._changed:
                self._changed.wait_for(lambda: self._opened or self.closed)
        except BaseException:  # such as Ctrl-C
            self.close()
            raise
        self._check()

    @property
    def closed(self) -> bool:
        """Whether the window is closed, by whomever."""
        return self._channel.ended.is_set()

    @property
    def pid(self) -> int:
        """The number of the window's process."""
        return self._process.pid

    @property
    def scene(self) -> Scene:
        """The scene as it is in the window, as far as is known: the last update with all later changes of the user."""
        with self._changed:
            self._read = self._report.changes
            return self._scene

    @property
    def selected(self) -> tuple[str, ...]:
        """The names of the selected shapes in the window, as far as is known."""
        return self._report.selected

    def update(self, source: SceneSource) -> None:
        """Show another scene in the place of the last one, seen from where the user looks; nothing once it is closed.

        Nobody waits: where scenes come faster than they can be drawn, the latest is. Where the user has changed
        something since `scene` was last read for it, the scene is dropped: it would undo that.

        Parameters
        ----------
        source : Scene, mapping of str to Shape, or path
            See `viewer.as_scene`.

        Raises
        ------
        RuntimeError
            If the window's process has crashed.
        """
        scene = as_scene(source)
        self._check()
        with self._changed:
            # Who does not read the scene does not work with it: then all that is known is known to the update.
            changes, self._read = self._report.changes if self._read < 0 else self._read, -1
            if self.closed or changes < self._report.changes:
                return
            self._sent += 1
            self._scene = scene
            message = Update(scene, self._sent, changes)
        self._channel.say(message)

    def drawn(self, timeout: float | None = None) -> bool:
        """Wait until the last update is drawn; say whether it was in time.

        Parameters
        ----------
        timeout : float, optional
            Seconds to wait at most.
        """
        seconds = _read_timeout(timeout, "drawn")
        with self._changed:
            self._changed.wait_for(lambda: self._report.done >= self._sent or self.closed, seconds)
            return self._report.done >= self._sent

    def wait(self, timeout: float | None = None) -> Scene:
        """Wait until the window is closed, and return the scene as it was left.

        Parameters
        ----------
        timeout : float, optional
            Seconds to wait at most; `closed` says whether that was enough.

        Raises
        ------
        RuntimeError
            If the window's process has crashed.
        """
        self._channel.ended.wait(_read_timeout(timeout, "wait"))
        self._check()
        return self.scene

    def close(self) -> None:
        """Close the window, if it is open."""
        self._closing = True
        atexit.unregister(self.close)
        self._channel.finish(PATIENCE)
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _heard(self, message: object) -> None:
        with self._changed:
            if isinstance(message, Report):
                if message.changes > self._report.changes and message.scene is not None:
                    self._scene = message.scene
                self._report, self._opened = message, True
            self._changed.notify_all()

    def _check(self) -> None:
        """Raise what went wrong in the other process."""
        if self._report.error is not None:
            self.close()
            raise self._report.error
        if self.closed and not self._closing and (code := self._process.wait(PATIENCE)):
            raise RuntimeError(f"the window is gone: its process {ending_of(code)}")


def _read_timeout(timeout: object, method: str) -> float | None:
    if timeout is None:
        return None
    if isinstance(timeout, bool) or not isinstance(timeout, Real) or not float(timeout) >= 0.0:
        raise ValueError(f"{method}: timeout must be None or seconds, zero or more, got {timeout!r}")
    return min(float(timeout), TIMEOUT_MAX)
