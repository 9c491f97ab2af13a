"""The window: what the user does becomes commands of a session, and the session becomes a picture."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from time import monotonic
from typing import TYPE_CHECKING

from collision import Camera, Capsule, Scene
from viewer.camera.picking import pick
from viewer.files.clipboard import copy
from viewer.files.loading import Loaded
from viewer.files.paths import checked_path, in_words
from viewer.gizmo import GIZMOS, Subject
from viewer.picture.present import present
from viewer.records.commands import Command
from viewer.records.drawables import StepRow
from viewer.records.events import Closing, Key, Pointer, Resized, Timer, Wheel
from viewer.records.sizes import DEFAULT, checked_size, unit_of
from viewer.records.theme import DARK, LIGHT
from viewer.session import Prompt, Session
from viewer.session.requests import CopyText, OpenScene, Request, SavePicture, SharePage
from viewer.stage.gl import ensure_window, has_display
from viewer.studio import pictures

if TYPE_CHECKING:
    from viewer.records.drawables import Row
    from viewer.records.theme import Theme
    from viewer.stage.events import Event, Handler, Kind
    from viewer.stage.stage import Stage

PROGRAM = "collision-viewer"

#: Milliseconds from a frame of a motion to the next, beside what it takes to draw.
FRAME = 15

#: Milliseconds from a look at the scene's file to the next: another program may have changed it.
LOOK = 500

#: Milliseconds for which a hint that was followed is seen with its tick.
TICK = 1600

#: So many seconds apart, at most, are the two presses of a double click.
DOUBLE = 0.4


class NoDisplay(RuntimeError):  # noqa: N818 (the name is what it says)
    """There is no display to open a window on; the message says what to use instead."""


class App:
    """A session in a stage: binds the stage's events to the session's commands, and draws what comes of them.

    `poll` is called now and then, also while nobody does anything, and says in how many milliseconds to call it again.
    """

    def __init__(
        self,
        session: Session,
        stage: Stage,
        watch: Callable[[Session], object] | None = None,
        *,
        title: str | None = None,
        poll: Callable[[App], int] | None = None,
        switches: bool = False,
        copy: Callable[[str], str] = copy,
    ) -> None:
        self.session, self.stage = session, stage
        self._drawn, self._resets = -1, 0
        self._watch, self._poll, self._copy = watch, poll, copy
        self._pause = FRAME
        self._switches = switches
        #: When the last frame of a motion was shown, by the clock.
        self._shown: float | None = None
        #: When the scene's file was last looked at.
        self._looked = monotonic()
        self._heading, self._title = title, ""
        #: Whether there are letters that are drawn when no more of them wait.
        self._late = False
        self._down: Pointer | None = None
        #: Whether the left button is down and the session got it: all other drags are the camera's.
        self._told = False
        #: Whether the left button is down on the track of the time.
        self._scrubs = False
        #: The command of the track of a panel on which the left button is down, if any.
        self._drags: Command | None = None
        #: Where the pointer was last, and what was asked when it was last looked what is there.
        self._pointer: Pointer | None = None
        self._asked: Prompt | None = None
        #: When and where a row was clicked that has opened another menu.
        self._opened: tuple[float, Pointer] | None = None
        #: Since when a hint that was followed is shown with its tick.
        self._ticked: float | None = None
        self._listen()
        self._begin(session)
        self._go_on()

    def _listen(self) -> None:
        self._on("press", self._pressed)
        self._on("move", self._moved)
        self._on("release", self._released)
        self._on("wheel", self._wheeled)
        self._on("key", self._key)
        self._on("resize", self._resized)
        self._on("close", self._close)
        self._on("camera", self._camera_moved)
        self._on("timer", self._woken)

    def _on(self, kind: Kind, handler: Handler) -> None:
        """Have a handler called; where it fails, as a user's own function may, what is in hand is put back, once."""

        def handled(event: Event) -> bool | None:
            try:
                return handler(event)
            except Exception as error:
                self.session.cancel()
                self.session.say(f"{type(error).__name__}: {error} (the terminal says where)")
                self.refresh()
                raise

        self.stage.on(kind, handled)

    def _begin(self, session: Session) -> None:
        """Show a session from now on."""
        self.session, self._drawn, self._resets = session, -1, 0
        if not session.settings.toggles.bar:
            session.settings.toggle("bar")
        if self._switches:
            session.start.may_open = True
        session.dialog.takes_pictures = True
        self.draw()

    def _fulfil(self, request: Request) -> None:
        """Do what only a window can, as the session asks for it."""
        if isinstance(request, OpenScene):
            self._open(request)
        elif isinstance(request, CopyText):
            self.session.say(self._copy(request.text))
        elif isinstance(request, SavePicture):
            self._save_picture(request)
        else:
            self._share_page(request)

    def _open(self, request: OpenScene) -> None:
        """Open another scene in the place of this one, and say so first: there may be kernels to compile."""
        self.session.say("opening ... the first time, this takes some seconds")
        self.draw()
        self.stage.render()
        session = _session_of(request.loaded, self.stage.size, is_example=request.is_example)
        session.settings.set_theme(self.session.settings.usual_theme)
        session.settings.set_scale(self.session.settings.scale)
        if request.loaded is None:
            session.dialog.asks_always = True
        self._heading = None
        if self.session.start.guide.over:  # nobody is led twice
            session.start.guide.end()
        _lead(session, request.loaded, is_example=request.is_example)
        self._begin(session)

    def draw(self) -> bool:
        """Hand the session's picture to the stage if it has changed since the last one; say whether it has."""
        if self.session.revision == self._drawn:
            return False
        self._drawn = self.session.revision
        self.stage.restyle(self.session.settings.theme)
        if self.session.view.resets != self._resets:
            self._resets = self.session.view.resets
            self.stage.steady()
        drawables = present(self.session)
        if self.session.view.awaits_cover:
            self.session.cover(self.stage.covered(drawables))
            if self.session.revision != self._drawn:
                self._drawn, drawables = self.session.revision, present(self.session)
        self.stage.plays = self.session.player.playing
        self.stage.draw(drawables, self.session.viewport.camera)
        title = window_title(self.session, self._heading)
        if title != self._title:
            self._title = title
            self.stage.name(title)
        if self._watch is not None:
            self._watch(self.session)
        return True

    def refresh(self, *, tinted: bool = False) -> None:
        """Show what has changed, close what is to be closed, and go on with what plays."""
        if self.session.closed:
            self.stage.stop()
        else:
            requests = self.session.dialog.take_requests()
            for request in requests:
                self._fulfil(request)
            self._follow()
            drawn = self.draw() or bool(requests)
            if self._rested() or tinted or drawn:
                self.stage.render()
        self._go_on()

    def _follow(self) -> None:
        """Have the guide go on, and a hint that was followed be seen with its tick for a while."""
        guide = self.session.start.guide
        guide.follow()
        if not guide.ticked:
            self._ticked = None
        elif self._ticked is None:
            self._ticked = monotonic()
        elif monotonic() - self._ticked >= TICK / 1000.0:
            self._ticked = None
            guide.go_on()

    def _rested(self) -> bool:
        """Tint the row of a menu that has opened under a pointer that rests; say whether to draw anew."""
        if self.session.prompt == self._asked or self._pointer is None:
            return False
        self._asked = asked = self.session.prompt
        if asked is not None and asked.hot:
            return self.stage.point(None)
        return self._tint(self.stage.panel_at(self._pointer.x, self._pointer.y)[1])

    def _tint(self, row: Row | None) -> bool:
        """Show what a press would do: tint the row under the pointer, or have the pointer be a hand over a shape."""
        under = self.session.manipulation.pointing.under
        takes = self.session.manipulation.tool.hot is not None or (under is not None and under.free)
        return self.stage.point(row if row is not None and row.lights else None, takes)

    def _go_on(self) -> None:
        """Ask to be woken for the next frame, to poll, or to look at the file; else nothing wakes anybody."""
        if self._ticked is not None:
            self.stage.wake_in(TICK)
        if self.session.player.playing:
            self._shown = monotonic() if self._shown is None else self._shown
            self.stage.wake_in(FRAME)
            return
        self._shown = None
        if self._poll is not None:
            self.stage.wake_in(self._pause)
        elif self.session.file.path is not None:
            self.stage.wake_in(LOOK)

    def _woken(self, _: Timer) -> None:
        now = monotonic()
        if now - self._looked >= LOOK / 1000.0:
            self._looked = now
            self.session.dialog.look_at_file()
        if self._poll is not None:
            self._pause = self._poll(self)
        if self._shown is not None:
            passed, self._shown = now - self._shown, now
            self.session.player.tick(passed)
        late, self._late = self._late, False
        self.refresh()
        if late:
            self.stage.wake_in(FRAME)  # VTK waits for the next event though some have come while it drew

    def _save_picture(self, request: SavePicture) -> None:
        """Write a picture of what is seen, and say so; where it cannot be written, ask for another file."""
        try:
            with in_words(request.path, "written"):
                self._take_picture(request)
        except ValueError as error:
            self.session.dialog.refuse_picture(request, str(error))
        else:
            self.session.say(f"saved {request.path.name}")

    def _take_picture(self, request: SavePicture) -> None:
        """Write a picture of what is seen, without the bar and what the pointer lights; the window is not touched."""
        session = self.session
        session.manipulation.pointing.leave()
        width, height = size = session.viewport.size
        whole = (request.times * width, request.times * height)
        scale = request.times * unit_of(size) / unit_of(whole)  # text is as large a part of the picture as it is seen
        session.view.resize(whole)
        try:
            pictures.snapshot(
                session, request.path, transparent=request.transparent, panels=request.panels, scale=scale
            )
        finally:
            session.view.resize(size)

    def _share_page(self, request: SharePage) -> None:
        """Write the scene as a page, as it is and as it is seen, and say where."""
        from collision.wasm import NoCodeError
        from viewer.studio.pages import export_loaded

        session, look = self.session, self.session.settings.theme
        scene = session.resting.replaced(camera=session.viewport.camera)
        try:
            with in_words(request.path, "written"):
                path = checked_path(request.path, (".html",), "a page")
                export_loaded(session.file.shared(scene), path, theme=None if look in (LIGHT, DARK) else look)
        except (ValueError, NoCodeError) as error:
            session.say(str(error))
        else:
            session.say(f"wrote {request.path.absolute()}, which any browser opens")

    def _pressed(self, event: Pointer) -> bool:
        self._down = self._pointer = event
        self.session.view.settle()
        covered, row = self.stage.panel_at(event.x, event.y)
        asked = self.session.prompt
        if covered and event.button == "left":
            if row is not None and row.drags is not None:
                self._drags = row.drags
                self._drag(event)
            elif row is not None and row.does is not None and not self._is_double(event):
                self._scrubs = row.does.name == "player.scrub"
                self.session.player.hold(held=self._scrubs)
                self.session.do(row.does.followed_by(self.stage.time_at(event.x)) if self._scrubs else row.does)
                if asked is not None and self.session.prompt is not None:
                    self._opened = (monotonic(), event)
            self.refresh()
            return True
        if asked is not None and (asked.choices or asked.finds or asked.place):
            # A click beside a menu closes it, one beside a line in a panel takes what is typed there.
            self.session.dialog.answer(asked.text) if asked.place else self.session.dialog.dismiss()
            self.refresh()
            return True
        consumed = False
        if event.button == "left" and not event.alt:
            self._told = True
            consumed = self.session.pressed(event)
        self.refresh()
        return consumed

    def _drag(self, event: Pointer) -> None:
        """Give the command of a track for the part of it at which the pointer is."""
        part = None if self._drags is None else self.stage.part_at(self._drags, event.x)
        if self._drags is not None and part is not None:
            self.session.do(self._drags.followed_by(part))

    def _is_double(self, event: Pointer) -> bool:
        """Tell whether a press is the second of a double click on a row that has opened another menu in its place."""
        if self._opened is None:
            return False
        when, first = self._opened
        self._opened = None
        near = event.is_near(first.place, self.session.viewport.scale)
        return near and monotonic() - when < DOUBLE

    def _moved(self, event: Pointer) -> bool:
        self._pointer = event
        free = event.button is None
        self.session.dialog.leave_choice()
        covered, row = self.stage.panel_at(event.x, event.y) if free else (False, None)
        time = self.stage.time_at(event.x) if self._scrubs else None
        consumed = time is not None or self._drags is not None
        if self._drags is not None:
            if self.session.joints.dragging:  # no longer, after Esc
                self._drag(event)
        elif time is not None:
            self.session.player.scrub(time)
        elif covered or not (free or self._told):
            self.session.manipulation.pointing.leave()
            self.session.explaining.highlight(row.label if isinstance(row, StepRow) else "")
        else:
            consumed = self.session.moved(event)
        self.refresh(tinted=free and self._tint(row))
        return consumed

    def _released(self, event: Pointer) -> bool:
        pressed, self._down = self._down, None
        self.session.view.settle()
        self._pointer = event
        self._scrubs = False
        self.session.player.hold(held=False)
        if self._drags is not None:
            self._drags = None
            self.session.joints.let_go()
        scale = self.session.viewport.scale
        still = pressed is not None and event.is_near(pressed.place, scale)
        if event.button == "right" and still and self.session.prompt is None:
            row = self.stage.panel_at(event.x, event.y)[1]
            shows = None if row is None else row.does
            if shows is not None and shows.name == "selection.show_pair":
                self.session.do(Command("dialog.ask_pair", *shows.arguments[:2], event.place))
            else:
                self.session.do(Command("dialog.ask_menu", None, event.place))
        consumed = False
        if event.button == "left" and self._told:
            self._told = False
            consumed = self.session.released(event)
        self.refresh()
        return consumed

    def _wheeled(self, event: Wheel) -> bool:
        """Scroll the panel under the pointer; over one that does not scroll, the wheel does nothing."""
        covered, row = self.stage.panel_at(event.pointer.x, event.pointer.y)
        if row is not None and row.scrolls is not None:
            self.session.do(row.scrolls.followed_by(-round(event.clicks)))
            self.refresh()
        return covered

    def _key(self, event: Key) -> bool:
        asked = self.session.prompt is not None
        consumed = self.session.typed(event)
        # Timers come after all keys that wait: so many letters that are typed quickly are drawn once.
        self._late = asked and self.session.prompt is not None and self.stage.wake_in(0)
        if not self._late:
            self.refresh()
        return consumed

    def _close(self, _: Closing) -> bool:
        self.session.dialog.ask_close()
        self.refresh()
        return True

    def _resized(self, event: Resized) -> None:
        self.session.view.resize((event.width, event.height))
        self.refresh()

    def _camera_moved(self, camera: Camera) -> None:
        self.session.view.set_camera(camera, run="wheel" if self._down is None else "drag")
        if self._down is None and self._pointer is not None:  # the wheel: something else may be under the pointer
            self.session.moved(Pointer(*self._pointer.place))
        self.draw()  # the stage renders after it has moved its camera


def run(
    shown: Scene | Loaded | None,
    *,
    size: tuple[int, int] = DEFAULT,
    view: str | None = None,
    title: str | None = None,
    theme: Theme | str | None = None,
    scale: float = 1.0,
    watch: Callable[[Session], object] | None = None,
    follow: Iterable[Scene] = (),
    fps: float = 30.0,
    react: Callable[[Scene], Scene] | None = None,
    poll: Callable[[App], int] | None = None,
    is_example: bool = False,
    switches: bool = False,
) -> Scene:
    """Open a window on a scene, or on the page of examples, and return the scene as it was left when it is closed.

    What was loaded from a file can be saved, and before the window closes over changes the user is asked. About a scene
    nobody is asked, as it is returned.
    """
    session = _session_of(shown, checked_size(size), view, is_example=is_example)
    if theme is not None:
        session.settings.set_theme(theme)
    session.settings.set_scale(scale)
    if react is not None:
        session.react_with(react)
    check_display()
    ensure_window()
    from viewer.stage.stage import Stage

    with Stage.window(size, window_title(session, title), session.settings.theme) as stage:
        session.view.resize(stage.size)  # a screen may not have room for more
        session.view.reset()
        if shown is not None:
            _lead(session, shown, is_example=is_example)
        app = App(session, stage, watch, title=title, poll=poll, switches=switches)
        if shown is None:
            session.start.show_page()
        if follow:
            session.player.follow(follow, fps)
        app.refresh()
        if not session.closed:  # by whoever watches it
            stage.start()
    return app.session.resting.replaced(hidden=())


def _session_of(
    shown: Scene | Loaded | None, size: tuple[int, int], view: str | None = None, *, is_example: bool
) -> Session:
    """Return a session of a scene, of what was loaded from a file, or of nothing."""
    if not isinstance(shown, Loaded):
        return Session(Scene() if shown is None else shown, size=size, view=view)
    session = Session(shown.scene, size=size, view=view, model=shown.model)
    session.joints.go_along(shown.trajectory)
    session.file.comes_from(shown.path, template=is_example, state=shown.state, wanted=shown.wanted)
    if shown.react is not None:
        session.react_with(shown.react)
    return session


def _lead(session: Session, shown: Scene | Loaded | None, *, is_example: bool) -> None:
    """Make ready for the mouse, and lead through a lesson, or through an example's first minute."""
    warm_up(session)
    if isinstance(shown, Loaded) and shown.lesson is not None:
        session.lesson.begin(shown.lesson)
    elif is_example and not session.start.guide.over:
        session.start.guide.begin()


def check_display() -> None:
    """Say in words that there is no display, where there is none."""
    if not has_display():
        raise NoDisplay(
            f"there is no display to open a window on: `{PROGRAM} render` makes a picture without one, "
            f"`{PROGRAM} check` lists the colliding pairs, and `xvfb-run -a {PROGRAM} open` brings a display of its own"
        )


def window_title(session: Session, title: str | None = None) -> str:
    """Return what stands in the title of a window: an asterisk marks changes that are not saved."""
    mark, heading = "*" * session.file.dirty, session.file.heading if title is None else title
    return f"{mark}{heading} · {PROGRAM}" if heading else f"{mark}{PROGRAM}"


def warm_up(session: Session) -> None:
    """Ask once what every picture, click and drag will ask, so that no first one waits for kernels to be compiled."""
    present(session)
    viewport = session.viewport
    x, y = viewport.size
    pick(session.scene, viewport, x, y)
    subject = Subject.of([Capsule(viewport.camera.target, viewport.camera.position, 1.0)])
    for kind in GIZMOS.values():
        gizmo = kind(subject)
        gizmo.hit(viewport, x, y)
        for handle in gizmo.handles(viewport):
            gizmo.begin(viewport, handle, x, y)
