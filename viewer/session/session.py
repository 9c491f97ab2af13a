"""The session as users know it: a facade over its parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Concatenate, NamedTuple, TypeVar

from collision import AABB, Scene
from viewer.camera.framing import Room
from viewer.records.commands import Command
from viewer.records.events import Key, Pointer
from viewer.records.theme import FONT_SIZE
from viewer.session.arrivals import Arrivals
from viewer.session.clicks import Clicks
from viewer.session.commands import BINDINGS, KEY_HELP
from viewer.session.contents import Contents
from viewer.session.dialog import Dialog, reason
from viewer.session.document import Document
from viewer.session.explaining import Explaining
from viewer.session.file import File
from viewer.session.focus import Focus
from viewer.session.guide import Guide
from viewer.session.inspector import Cards
from viewer.session.listener import Listener
from viewer.session.manipulation import Manipulation
from viewer.session.menus import Menus
from viewer.session.modal_input import ModalInput
from viewer.session.pair_table import PairTable
from viewer.session.part_names import PartNames
from viewer.session.photos import Photos
from viewer.session.player import Player
from viewer.session.pointing import Pointing
from viewer.session.questions import Questions
from viewer.session.selection import Selection
from viewer.session.settings import Settings
from viewer.session.start import StartPage
from viewer.session.strip import TimeStrip
from viewer.session.transform_tool import TransformTool
from viewer.session.updates import Updates
from viewer.session.view import View


class Session(PartNames):
    """A scene being looked at and worked on.

    Parameters
    ----------
    scene : Scene
        What to show.
    size : tuple of 2 ints
        Width and height of the picture in pixels.
    view : str, optional
        A name from `viewer.camera.framing.VIEWS`; by default the scene's own camera, or ``iso`` when it has none.
    extent : AABB, optional
        What the first view frames and the ground lies under, until the scene outgrows it; by default the bounds of the
        scene.

    Raises
    ------
    TypeError
        If that is no scene.
    ValueError
        If the view is unknown or the size is not positive.

    Examples
    --------
    >>> from collision import Scene, Sphere
    >>> session = Session(Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([5, 0, 0], 1)}))
    >>> session.select("b")
    >>> session.move_selection([-3.5, 0, 0])
    >>> len(session.scene.colliding_pairs())
    1
    >>> session.undo()
    >>> len(session.scene.colliding_pairs())
    0
    """

    def __init__(
        self, scene: Scene, *, size: tuple[int, int] = (1280, 960), view: str | None = None, extent: AABB | None = None
    ) -> None:
        if not isinstance(scene, Scene):
            raise TypeError(f"Session takes a Scene, got {scene!r}; viewer.as_scene makes one of a file or of shapes")
        self.closed = self._down = False
        # Each part knows only some of those before it.
        updates = self._updates = Updates()
        document = self._document = Document(scene, extent, updates, interrupt=self.cancel)
        player = self._player = Player(document, updates)
        camera = self._view = View(document, player, updates, size, view)
        settings = self._settings = Settings(document, player, camera, updates)
        selection = self._selection = Selection(document, player, camera, updates)
        focus = self._focus = Focus(document, player, camera, updates)
        pairs = self._pairs = PairTable(document, player, camera, settings, selection, focus, updates)
        tool = self._tool = TransformTool(document, selection, player, camera, updates)
        self._phrase = ModalInput(tool, camera, updates)
        pointing = self._pointing = Pointing(document, player, camera, selection, tool, updates)
        self._explaining = Explaining(document, player, camera, selection, focus, pointing, updates)
        clicks = Clicks(camera, selection, tool, pointing)
        self._strip = TimeStrip(document, player, camera, settings, pairs)
        self._exact = Manipulation(document, selection, camera, tool)
        contents = self._contents = Contents(document, selection, camera)
        file = self._file = File(document, tool, updates)
        self._arrivals = Arrivals(document, camera, file)
        dialog = self._dialog = Dialog(document, updates)
        self._questions = Questions(document, camera, pairs, tool, contents, file, dialog, updates, self.close)
        self._photos = Photos(file, dialog, updates)
        self._cards = Cards(document, player, selection, dialog, updates)
        guided = (selection, tool, self._explaining, dialog, self._cards)
        self._guide = Guide(document, player, settings, *guided, updates)
        self._start = StartPage(document, camera, settings, dialog, updates, leave=self._questions.ask_leave)
        self._menus = Menus(document, camera, selection, dialog, do=self.do, tell=lambda question: question(self))
        self._listeners = self._in_order(clicks)
        self._parts = {type(part): part for part in (self, *vars(self).values())}

    def _in_order(self, clicks: Clicks) -> tuple[Listener, ...]:
        """Return who hears of the mouse and of the keys, one after another, until one of them takes what is done."""
        dialog, settings, start, strip, phrase = self._dialog, self._settings, self._start, self._strip, self._phrase
        selection, tool = self._selection, self._tool
        return (
            Listener("a question", press=dialog.mouse, move=dialog.mouse, release=dialog.mouse, key=dialog.key),
            Listener("the help", press=settings.press, key=settings.key),
            Listener("the first page", press=start.mouse, move=start.mouse, release=start.mouse, key=start.key),
            Listener("the strip of the time", strip.press, strip.move, strip.release, cancel=strip.cancel),
            Listener("a phrase of keys", press=phrase.press, key=phrase.key, cancel=phrase.cancel),
            Listener("an explanation", move=self._explaining.move, key=self._explaining.key),
            Listener("a rectangle", selection.press, selection.move, selection.release, cancel=selection.cancel),
            Listener("the handles", tool.press, tool.move, tool.release, cancel=tool.cancel),
            Listener("clicks", clicks.press, clicks.move, clicks.release, cancel=clicks.cancel),
            Listener("the guide", key=self._guide.key),
            Listener("the commands", key=self._give),
        )

    # -- what the mouse and the keys do -------------------------------------------------------------------------------

    def press(self, x: float, y: float, *, shift: bool = False, ctrl: bool = False) -> bool:
        """Take what is under the cursor in hand: a handle, an end, or a shape. True when the camera must not turn.

        Beside these, with Ctrl, or anywhere after `draw_box`, it begins a rectangle to select by. While something is
        asked, nothing is taken; on the strip of the time, that is chosen.

        Parameters
        ----------
        x, y : float
            The pixel.
        shift : bool
            A shape that is then dragged is selected with all that is selected already.
        ctrl : bool
            Draw a rectangle, where nothing can be taken.
        """
        return self.pressed(Pointer(x, y, "left", shift, ctrl))

    def pressed(self, pointer: Pointer) -> bool:
        """Do what `press` does, of an event of a window."""
        self._down = True
        return any(listener.press(pointer) for listener in self._listeners)

    def move(self, x: float, y: float, *, shift: bool = False, ctrl: bool = False) -> bool:
        """Move what is in hand, or light up what is under the cursor; True when the mouse has something in hand.

        A shape that was pressed is in hand, and selected, once the mouse has moved by more than a click may.

        Parameters
        ----------
        x, y : float
            The pixel.
        shift : bool
            Resize both sides, or snap more finely.
        ctrl : bool
            Snap to round lengths and angles; where drags snap anyway, do not.
        """
        return self.moved(Pointer(x, y, "left" if self._down else None, shift, ctrl))

    def moved(self, pointer: Pointer) -> bool:
        """Do what `move` does, of an event of a window."""
        taken = any(listener.move(pointer) for listener in self._listeners)
        if taken:
            self._pointing.leave()
        return taken

    def release(self, x: float, y: float, *, shift: bool = False, ctrl: bool = False) -> bool:
        """Let go: one step of the history. A click on a shape selects it, on an end gives it the handles.

        With Shift, a click adds to what is selected, or takes out of it what was selected before. What waits for
        numbers is accepted by a click.
        """
        return self.released(Pointer(x, y, "left", shift, ctrl))

    def released(self, pointer: Pointer) -> bool:
        """Do what `release` does, of an event of a window."""
        self._down = False
        return any(listener.release(pointer) for listener in self._listeners)

    def key(self, symbol: str, *, shift: bool = False, ctrl: bool = False, alt: bool = False, text: str = "") -> bool:
        """Do what a key stands for; False when it stands for nothing.

        While something is asked, every key goes there. What a command cannot do, it says in `notice`.

        Parameters
        ----------
        symbol : str
            The key as a window system names it: ``x``, ``X``, ``Left``, ``Prior``, ``Escape`` ...
        shift, ctrl, alt : bool
            Which keys are held with it.
        text : str, optional
            The character that it types, if the window system says so.
        """
        return self.typed(Key(symbol, shift, ctrl, alt, text))

    def typed(self, key: Key) -> bool:
        """Do what `key` does, of an event of a window."""
        before = self.resting, self.viewport.camera, self.pending
        known = any(listener.key(key) for listener in self._listeners)
        # The help covers the middle of the picture: it gives way to what is done there.
        if self.toggles.help and (self.resting, self.viewport.camera, self.pending) != before:
            self._settings.hide_help()
        return known

    def cancel(self) -> bool:
        """Put what is in hand back where it was; True when something was in hand."""
        return sum(listener.cancel() for listener in self._listeners) > 0  # all of them

    def escape(self) -> None:
        """Drop what is in hand, and put it back where it was; with nothing in hand, deselect."""
        if not self.cancel():
            self.deselect()

    def do(self, command: Command) -> None:
        """Do what a command says, such as one of `viewer.session.commands.TABLE`; what cannot be done, `notice` says.

        Raises
        ------
        TypeError
            If there is no such command, or it takes other arguments.

        Examples
        --------
        >>> from collision import Sphere
        >>> session = Session(Scene({"a": Sphere([0, 0, 0], 1)}))
        >>> session.do(Command("selection.select_all"))
        >>> session.selected
        ('a',)
        """
        method = METHODS.get(command.name)
        if method is None:
            raise TypeError(f"a session has no command {command.name!r}")
        self.say("")
        try:
            method.call(self._parts[method.part], *command.arguments)
        except (ValueError, KeyError) as error:  # a key or a click has nobody else to tell
            self.say(reason(error))

    def _give(self, key: Key) -> bool:
        """Give the command that a key stands for."""
        binding = BINDINGS.get(key.chord)
        kept = binding is not None and binding.while_typing
        if self.typing and not kept and (binding or key.character):
            what = "there is only one number to type" if self.past_the_only else "a number is being typed"
            self.say(f"{what}: Enter takes it, Esc drops it")
            return True
        if self.expecting and not kept and key.character and not (key.ctrl or key.alt):
            self.say("a number comes next: Enter is the end of it, Esc drops it")
            return True
        if binding is None:
            return False
        self.do(binding.command)
        return True

    def close(self) -> None:
        """End the session, whatever changed."""
        self.closed = True
        self._updates.touch()

    @property
    def key_help(self) -> Mapping[str, str]:
        """What each key does, for the help panel."""
        return KEY_HELP

    def keep_clear(self, covered: Callable[[Session], Sequence[Room]]) -> None:
        """Have the first view, and all that frames something, keep shapes clear of what covers parts of the picture.

        Parameters
        ----------
        covered : callable
            Takes this session and returns the parts of its picture that panels cover.
        """
        self._view.keep_clear(lambda: covered(self), lambda: self.theme.font_size / FONT_SIZE)

    def to_start(self) -> None:
        """Go to the start of the motion; without one, look at everything."""
        if not self._player.to_start():
            self.frame_all()


class Method(NamedTuple):
    """What a command calls: a method, and the class of the part of a session that it belongs to."""

    call: Callable[..., object]
    part: type


Part = TypeVar("Part")


def _methods(
    name: str, part: type[Part], *methods: Callable[Concatenate[Part, ...], object]
) -> Iterator[tuple[str, Method]]:
    """Yield methods of a part by the names of their commands: a part that has not got one is an error of its type."""
    for method in methods:
        yield f"{name}.{method.__name__}", Method(method, part)


#: What each command does: every method that keys, menus and clicks may call, by its name.
METHODS: Mapping[str, Method] = MappingProxyType(
    dict(
        [
            *_methods("session", Session, Session.escape, Session.to_start),
            *_methods("document", Document, Document.undo, Document.redo),
            *_methods(
                "document",
                Contents,
                Contents.delete,
                Contents.duplicate,
                Contents.hide,
                Contents.isolate,
                Contents.show_all,
            ),
            *_methods("file", File, File.revert),
            *_methods(
                "view",
                View,
                View.orbit,
                View.pan,
                View.zoom,
                View.frame_all,
                View.frame_selection,
                View.look,
                View.look_along,
                View.switch_projection,
                View.undo_view,
                View.redo_view,
                View.reset_view,
                View.keep_view,
                View.recall,
            ),
            *_methods(
                "player",
                Player,
                Player.play_or_pause,
                Player.step,
                Player.to_change,
                Player.to_end,
                Player.change_speed,
                Player.switch_loop,
            ),
            *_methods(
                "selection",
                Selection,
                Selection.select_all,
                Selection.invert_selection,
                Selection.walk,
                Selection.draw_box,
            ),
            *_methods(
                "selection",
                PairTable,
                PairTable.walk_pairs,
                PairTable.show_pair,
                PairTable.scroll_pairs,
                PairTable.next_pair_order,
            ),
            *_methods("manipulation", ModalInput, ModalInput.take),
            *_methods(
                "manipulation",
                TransformTool,
                TransformTool.set_mode,
                TransformTool.switch_axes,
                TransformTool.switch_snapping,
                TransformTool.switch_lock,
                TransformTool.next_part,
            ),
            *_methods("manipulation", Manipulation, Manipulation.nudge, Manipulation.orient_selection),
            *_methods(
                "explaining",
                Explaining,
                Explaining.switch_explanation,
                Explaining.end_explanation,
                Explaining.next_query,
                Explaining.turn_step,
            ),
            *_methods("dialog", Dialog, Dialog.answer, Dialog.dismiss, Dialog.tick_option),
            *_methods(
                "dialog",
                Questions,
                Questions.ask_add,
                Questions.ask_close,
                Questions.ask_filter,
                Questions.ask_recall,
                Questions.ask_remember,
                Questions.ask_rename,
                Questions.ask_save,
                Questions.ask_save_as,
            ),
            *_methods("dialog", Menus, Menus.ask_menu, Menus.ask_menus),
            *_methods("dialog", Cards, Cards.ask_card, Cards.ask_number, Cards.copy_card, Cards.copy_test),
            *_methods("dialog", Photos, Photos.ask_picture),
            *_methods(
                "start",
                StartPage,
                StartPage.show_page,
                StartPage.open_card,
                StartPage.scroll_page,
                StartPage.begin_scene,
                StartPage.ask_open,
            ),
            *_methods("start", Guide, Guide.end_guide),
            *_methods(
                "settings", Settings, Settings.toggle, Settings.change_margin, Settings.next_theme, Settings.turn_help
            ),
        ]
    )
)
