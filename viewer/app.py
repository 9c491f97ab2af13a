"""The window: what the user does becomes commands of a session, and the session becomes a picture."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from collision import Camera, Point, Scene
from viewer.gizmo import Gizmo
from viewer.gl import ensure_window, has_display
from viewer.picking import pick
from viewer.presenter import present
from viewer.session import Session
from viewer.size import DEFAULT, checked_size

if TYPE_CHECKING:
    from viewer.stage import Key, Pointer, Resized, Stage
    from viewer.theme import Theme

PROGRAM = "collision-viewer"


class NoDisplay(RuntimeError):  # noqa: N818 (the name is what it says)
    """There is no display to open a window on; the message says what to use instead."""


class App:
    """A session in a stage: binds the stage's events to the session's commands, and draws what comes of them.

    Parameters
    ----------
    session : Session
        What the events change.
    stage : Stage
        Where they come from, and where the picture goes.
    watch : callable, optional
        Called with the session whenever it has changed, after the new picture was handed to the stage.
    """

    def __init__(self, session: Session, stage: Stage, watch: Callable[[Session], object] | None = None) -> None:
        self.session = session
        self.stage = stage
        self._watch = watch
        self._drawn = -1
        stage.on("press", self._pressed)
        stage.on("move", self._moved)
        stage.on("release", self._released)
        stage.on("key", self._key)
        stage.on("resize", self._resized)
        stage.on("camera", self._camera_moved)
        if not session.toggles.hint:
            session.toggle("hint")
        session.keep_clear(lambda session: stage.covered(present(session)))
        self.draw()

    def draw(self) -> bool:
        """Hand the session's picture to the stage if it has changed since the last one; say whether it has."""
        if self.session.revision == self._drawn:
            return False
        self._drawn = self.session.revision
        self.stage.draw(present(self.session), self.session.viewport.camera)
        if self._watch is not None:
            self._watch(self.session)
        return True

    def _refresh(self) -> None:
        if self.session.closed:
            self.stage.stop()
        elif self.draw():
            self.stage.render()

    def _pressed(self, event: Pointer) -> bool:
        consumed = event.button == "left" and self.session.press(event.x, event.y)
        self._refresh()
        return consumed

    def _moved(self, event: Pointer) -> bool:
        consumed = self.session.move(event.x, event.y)
        self._refresh()
        return consumed

    def _released(self, event: Pointer) -> bool:
        consumed = event.button == "left" and self.session.release(event.x, event.y)
        self._refresh()
        return consumed

    def _key(self, event: Key) -> bool:
        consumed = self.session.key(event.symbol, shift=event.shift, ctrl=event.ctrl, alt=event.alt)
        self._refresh()
        return consumed

    def _resized(self, event: Resized) -> None:
        self.session.resize((event.width, event.height))
        self._refresh()

    def _camera_moved(self, camera: Camera) -> None:
        self.session.set_camera(camera)
        self.draw()  # the stage renders after it has moved its camera


def run(
    scene: Scene,
    *,
    size: tuple[int, int] = DEFAULT,
    view: str | None = None,
    title: str | None = None,
    theme: Theme | None = None,
    watch: Callable[[Session], object] | None = None,
) -> Scene:
    """Open a window on a scene, and return the scene as it was left when the window is closed.

    Parameters
    ----------
    scene : Scene
        What to show.
    size : tuple of 2 ints
        Width and height of the window in pixels.
    view : str, optional
        Where to look from; by default where the scene's own camera stands.
    title : str, optional
        Of the window; by default the scene's.
    theme : Theme, optional
        What it looks like.
    watch : callable, optional
        Called with the session at the start and after every change, for example to print who collides.

    Raises
    ------
    NoDisplay
        If there is no display; the message says what to use instead.
    viewer.gl.GLUnavailable
        If there is one, but it cannot draw; the message says what to install.
    ValueError
        If the view is unknown, or a side is not from 64 to 8192 pixels.
    """
    session = Session(scene, size=checked_size(size), view=view)
    if not has_display():
        raise NoDisplay(
            f"there is no display to open a window on: `{PROGRAM} render` makes a picture without one, "
            f"`{PROGRAM} check` lists the colliding pairs, and `xvfb-run -a {PROGRAM} open` brings a display of its own"
        )
    ensure_window()
    from viewer.stage import Stage
    from viewer.theme import LIGHT

    heading = title if title is not None else scene.title
    with Stage.window(size, f"{heading} · {PROGRAM}" if heading else PROGRAM, theme or LIGHT) as stage:
        App(session, stage, watch)
        warm_up(session)
        stage.start()
    return session.scene


def warm_up(session: Session) -> None:
    """Ask once what every picture, click and drag will ask, so that no first one waits for kernels to be compiled."""
    present(session)
    viewport = session.viewport
    x, y = viewport.size
    pick(session.scene, viewport, x, y)
    gizmo = Gizmo(Point(viewport.camera.target))
    gizmo.hit(viewport, x, y)
    for handle in gizmo.handles(viewport):
        gizmo.begin(viewport, handle, x, y)
