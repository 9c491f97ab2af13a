"""The session as users know it: its parts, which they may use, and short names for what they do most."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from collision import AABB, Scene
from collision.inner import ArrayLike
from viewer.camera.camera import Viewport
from viewer.camera.framing import Room
from viewer.files.state import FileState
from viewer.gizmo import Side
from viewer.records.commands import Command
from viewer.records.events import Key, Pointer
from viewer.records.theme import FONT_SIZE
from viewer.session.commands import BINDINGS
from viewer.session.dialog import Dialog, reason
from viewer.session.document import Document
from viewer.session.explaining import Explaining
from viewer.session.file import File
from viewer.session.guide import Guide
from viewer.session.joints import Joints
from viewer.session.lesson import LessonGuide
from viewer.session.manipulation import Manipulation
from viewer.session.modal_input import ModalInput
from viewer.session.player import Player
from viewer.session.prompt import Prompt
from viewer.session.selection import Selection
from viewer.session.settings import Settings
from viewer.session.sliders import Sliders
from viewer.session.start import Start
from viewer.session.transform_tool import TransformTool
from viewer.session.view import View

if TYPE_CHECKING:
    from collision.importers import Model


class Session:
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
    model : collision.importers.Model, optional
        The robot that the scene is of, in the pose that it shows: its joints can be moved.

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
        self,
        scene: Scene,
        *,
        size: tuple[int, int] = (1280, 960),
        view: str | None = None,
        extent: AABB | None = None,
        model: Model | None = None,
    ) -> None:
        if not isinstance(scene, Scene):
            raise TypeError(f"Session takes a Scene, got {scene!r}; viewer.as_scene makes one of a file or of shapes")
        self._down = False
        # Each part knows only some of those before it.
        #: The scene at rest, what is selected in it, the history, and what there is in it.
        document = self.document = Document(scene, extent, interrupt=self.cancel, model=model)
        #: The time, and the scene as it is seen then.
        player = self.player = Player(document)
        #: The camera, and the size of the picture.
        camera = self.view = View(document, player, size, view)
        #: What is shown beside the shapes, and what it looks like.
        settings = self.settings = Settings(document, player, camera)
        #: The joints of a robot: their values, and its poses that have a name.
        joints = self.joints = Joints(document, player, camera)
        #: Choosing by name, by the mouse, and through the table of pairs.
        selection = self.selection = Selection(document, player, camera, settings, joints)
        #: The panel of the joints, and its keys.
        sliders = self.sliders = Sliders(document, camera, settings, joints)
        #: Changes of what is selected: by handles, by keys and by numbers.
        manipulation = self.manipulation = Manipulation(document, player, camera, selection, joints)
        #: A query of two shapes, step by step.
        self.explaining = Explaining(document, player, camera, selection, manipulation.pointing)
        #: Where the scene comes from, and where it is saved.
        self.file = File(document, camera, manipulation.tool)
        #: What is asked, and what a window is to do.
        dialog = self.dialog = Dialog(document, camera, selection, manipulation, sliders, self.file, do=self.do)
        guide = Guide(document, player, settings, selection, manipulation, self.explaining, dialog)
        #: The first page, and the guide through the first minute.
        self.start = Start(document, camera, settings, dialog, guide)
        #: What leads through a lesson, if one is open.
        self.lesson = LessonGuide(document, self.explaining, self.start)
        # Who hears of the mouse and the keys, one after another, until one of them says that it was meant for it: what
        # is asked, the help, the first page, keys for what is in hand, an explanation, a rectangle to select by, a link
        # of a robot, the handles, clicks, the guide, and the commands.
        asked, page = dialog.mouse, self.start.mouse
        modal, tool, pointing = manipulation.modal, manipulation.tool, manipulation.pointing
        self._press = (
            *(asked, settings.press, sliders.press, page),
            *(modal.press, selection.press, tool.press, pointing.press),
        )
        self._move = asked, page, self.explaining.move, selection.move, joints.move, tool.move, pointing.move
        self._release = asked, page, selection.release, joints.release, tool.release, pointing.release
        self._key = (
            *(dialog.key, settings.key, self.start.key, modal.key, self._key_of_joint),
            *(self.explaining.key, guide.key, self._give),
        )
        self._cancel = modal.cancel, selection.cancel, joints.cancel, tool.cancel, pointing.cancel

    # -- short names ---------------------------------------------------------------------------------------------------

    @property
    def scene(self) -> Scene:
        """The scene as it is seen: at the time, if it has a motion; also in the middle of a drag."""
        return self.player.scene

    @property
    def resting(self) -> Scene:
        """The scene at rest, with its motion: what edits change, and what is saved. Also in the middle of a drag."""
        return self.document.scene

    @property
    def selected(self) -> tuple[str, ...]:
        """Names of the selected entries and elements, in the order of choosing; the last is the active one."""
        return self.document.selected

    @property
    def pending(self) -> bool:
        """Whether something is in hand: a handle, or a change that waits for its numbers."""
        return self.document.held

    @property
    def time(self) -> float:
        """The time that is seen, in seconds."""
        return self.player.time

    @property
    def viewport(self) -> Viewport:
        """The camera and the size of the picture."""
        return self.view.viewport

    @property
    def prompt(self) -> Prompt | None:
        """The question that waits for an answer."""
        return self.dialog.prompt

    @property
    def closed(self) -> bool:
        """Whether the session has ended."""
        return self.dialog.closed

    @property
    def revision(self) -> int:
        """A number that is another one whenever there is a new picture to make."""
        return self.document.revision

    @property
    def notice(self) -> str:
        """What the last command has to say, such as that a file is saved, or why not."""
        return self.document.notice

    def say(self, text: str) -> None:
        """Show a line until the next key; none for an empty text."""
        self.document.say(text)

    def select(self, name: str | None, *, add: bool = False) -> None:
        """Select a shape by its name, in the place of all that is selected or beside it; see `Selection.select`."""
        self.selection.select(name, add=add)

    def select_many(self, names: Iterable[str]) -> None:
        """Select these shapes, and no others; the last becomes the active one."""
        self.selection.select_many(names)

    def deselect(self) -> None:
        """Select nothing."""
        self.selection.deselect()

    def move_selection(self, offset: ArrayLike) -> None:
        """Move all that is selected, or the chosen part of it, by an offset (3,)."""
        self.manipulation.move(offset)

    def rotate_selection(self, axis: str | ArrayLike, degrees: float, *, about: ArrayLike | None = None) -> None:
        """Turn all that is selected, counterclockwise when looking against an axis; see `Manipulation.rotate`."""
        self.manipulation.rotate(axis, degrees, about=about)

    def resize_selection(self, size: str, value: float, *, side: Side = 0) -> None:
        """Give the selected shape another size, such as ``radius``; see `Manipulation.resize`."""
        self.manipulation.resize(size, value, side=side)

    def scale_selection(self, factor: float) -> None:
        """Make all that is selected larger or smaller about its common middle."""
        self.manipulation.scale(factor)

    def add(self, kind: str) -> str:
        """Add a shape where the camera looks, select it, and return its name; see `Document.add`."""
        return self.document.add(kind, self.viewport)

    def duplicate(self) -> tuple[str, ...]:
        """Put a copy of all that is selected beside it, select the copies, and return their names."""
        return self.document.duplicate(self.viewport)

    def delete(self) -> None:
        """Take away everything that is selected."""
        self.document.delete()

    def rename(self, new: str, *, old: str | None = None) -> None:
        """Give the active one of the selected entries, or another entry, another name."""
        self.document.rename(new, old=old)

    def change(self, scene: Scene) -> None:
        """Put another scene in the place of this one, as one step of the history."""
        self.document.change(scene)

    def react_with(self, reaction: Callable[[Scene], Scene]) -> None:
        """Have a function make another scene of each that a change leads to; see `Document.react_with`."""
        self.document.react_with(reaction)

    def undo(self) -> None:
        """Take back the last step; a drag in hand is the last step."""
        self.document.undo()

    def redo(self) -> None:
        """Take the last step again that was taken back."""
        self.document.redo()

    def comes_from(
        self, path: str | os.PathLike[str], *, template: bool = False, state: FileState | None = None
    ) -> None:
        """Take note that the scene, as it is now, is that in a file; see `File.comes_from`."""
        self.file.comes_from(path, template=template, state=state)

    def save(self, *, overwrite: bool = False) -> None:
        """Write the scene into its file; see `File.save`."""
        self.file.save(overwrite=overwrite)

    # -- what the mouse and the keys do -------------------------------------------------------------------------------

    def press(self, x: float, y: float, *, shift: bool = False, ctrl: bool = False) -> bool:
        """Take what is under the cursor in hand: a handle, an end, or a shape. True when the camera must not turn.

        Beside these, with Ctrl, or anywhere after `draw_box`, it begins a rectangle to select by. While something is
        asked, nothing is taken.

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
        return any(press(pointer) for press in self._press)

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
        taken = any(move(pointer) for move in self._move)
        if taken:
            self.manipulation.pointing.leave()
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
        return any(release(pointer) for release in self._release)

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
        known = any(hear(key) for hear in self._key)
        # The help covers the middle of the picture: it gives way to what is done there.
        if self.settings.toggles.help and (self.resting, self.viewport.camera, self.pending) != before:
            self.settings.hide_help()
        return known

    def cancel(self) -> bool:
        """Put what is in hand back where it was; True when something was in hand."""
        return sum(cancel() for cancel in self._cancel) > 0  # all of them

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
        if command.name not in METHODS:
            raise TypeError(f"a session has no command {command.name!r}")
        name = command.name.rpartition(".")[0]
        part = self if name == "session" else attrgetter(name)(self)
        self.say("")
        try:
            METHODS[command.name].call(part, *command.arguments)
        except (ValueError, KeyError) as error:  # a key or a click has nobody else to tell
            self.say(reason(error))

    def can(self, command: Command) -> bool:
        """Tell whether there is something for a command to do just now: where there is not, it says why."""
        return bool(METHODS[command.name].can(self, *command.arguments))

    def is_on(self, command: Command) -> bool:
        """Tell whether what a command turns on and off is on."""
        on = METHODS[command.name].on
        return on is not None and bool(on(self, *command.arguments))

    def _key_of_joint(self, key: Key) -> bool:
        """Take a key for the joint that is chosen: a digit or Enter has its value typed."""
        typed = self.sliders.types(key)
        if typed is not None:
            self.do(Command("dialog.ask_joint", self.sliders.chosen, typed))
        return typed is not None or self.sliders.key(key)

    def _give(self, key: Key) -> bool:
        """Give the command that a key stands for."""
        binding = BINDINGS.get(key.chord)
        if binding is None or not binding.while_typing:
            obstacle = self.manipulation.modal.obstacle(key, bound=binding is not None)
            if obstacle:
                self.say(obstacle)
                return True
        if binding is not None:
            self.do(binding.command)
        return binding is not None

    def close(self) -> None:
        """End the session, whatever changed."""
        self.dialog.close()

    def cover(self, rooms: Iterable[Room]) -> None:
        """Take note of what panels cover of the picture just now: what was framed last is framed beside them."""
        self.view.cover(rooms, self.settings.theme.font_size / FONT_SIZE)

    def to_start(self) -> None:
        """Go to the start of the motion; without one, look at everything."""
        if not self.player.to_start():
            self.view.frame_all()


class Method(NamedTuple):
    """The method of a command; whether there is something for it to do, and whether what it turns on and off is on.

    Both are asked of a session, with the arguments of the command.
    """

    call: Callable[..., object]
    can: Callable[..., object] = lambda *_: True
    on: Callable[..., object] | None = None


def _has_selected(session: Session) -> object:
    return session.selected


def _has_motion(session: Session, *_: object) -> object:
    return session.player.has_motion


def _has_joints(session: Session) -> object:
    return session.joints.numbers


def _has_visuals(session: Session) -> object:
    return session.joints.model is not None and session.joints.model.visuals


def _may_open(session: Session) -> object:
    return session.start.may_open


#: The method of each command, by its name: the part of a session, and the method's own name.
METHODS: Mapping[str, Method] = MappingProxyType(
    {
        "session.escape": Method(Session.escape),
        "session.to_start": Method(Session.to_start),
        "session.duplicate": Method(Session.duplicate, _has_selected),
        "document.undo": Method(Document.undo, lambda s: s.document.undoable),
        "document.redo": Method(Document.redo, lambda s: s.document.redoable),
        "document.delete": Method(Document.delete, _has_selected),
        "document.hide": Method(Document.hide, _has_selected),
        "document.isolate": Method(Document.isolate, _has_selected),
        "document.show_all": Method(Document.show_all, lambda s: s.document.hidden),
        "player.play_or_pause": Method(Player.play_or_pause, _has_motion),
        "player.scrub": Method(Player.scrub),
        "player.step": Method(Player.step, _has_motion),
        "player.to_change": Method(Player.to_change, _has_motion),
        "player.to_end": Method(Player.to_end, _has_motion),
        "player.change_speed": Method(Player.change_speed),
        "player.switch_loop": Method(Player.switch_loop, on=lambda s: s.player.loop),
        "view.orbit": Method(View.orbit),
        "view.pan": Method(View.pan),
        "view.zoom": Method(View.zoom),
        "view.frame_all": Method(View.frame_all),
        "view.frame_selection": Method(View.frame_selection),
        "view.look": Method(View.look),
        "view.look_along": Method(View.look_along),
        "view.switch_projection": Method(View.switch_projection),
        "view.undo": Method(View.undo, lambda s: s.view.undoable),
        "view.redo": Method(View.redo, lambda s: s.view.redoable),
        "view.reset": Method(View.reset),
        "view.keep": Method(View.keep),
        "view.recall": Method(View.recall),
        "settings.toggle": Method(Settings.toggle, on=lambda s, name: getattr(s.settings.toggles, name)),
        "settings.toggle_visuals": Method(
            Settings.toggle_visuals, _has_visuals, lambda s: _has_visuals(s) and s.settings.toggles.visuals
        ),
        "settings.change_margin": Method(Settings.change_margin),
        "settings.next_theme": Method(Settings.next_theme),
        "settings.change_scale": Method(Settings.change_scale),
        "selection.select_all": Method(Selection.select_all),
        "selection.invert": Method(Selection.invert),
        "selection.walk": Method(Selection.walk),
        "selection.draw_box": Method(Selection.draw_box),
        "selection.walk_pairs": Method(Selection.walk_pairs, lambda s, _: s.selection.listed),
        "selection.show_pair": Method(Selection.show_pair),
        "selection.ignore_pair": Method(Selection.ignore_pair, lambda s: s.selection.pair),
        "selection.scroll_pairs": Method(Selection.scroll_pairs),
        "selection.next_pair_order": Method(Selection.next_pair_order),
        "joints.slide_to": Method(Joints.slide_to),
        "sliders.switch": Method(Sliders.switch, _has_joints, lambda s: s.sliders.shown),
        "sliders.choose": Method(Sliders.choose),
        "sliders.scroll": Method(Sliders.scroll),
        "manipulation.nudge": Method(Manipulation.nudge),
        "manipulation.orient": Method(Manipulation.orient, lambda s: s.manipulation.orientable),
        "manipulation.modal.take": Method(ModalInput.take, lambda s, mode: s.manipulation.tool.can(mode)),
        "manipulation.tool.set_mode": Method(
            TransformTool.set_mode,
            lambda s, mode: not s.selected or s.manipulation.tool.can(mode),
            lambda s, mode: s.selected and s.manipulation.tool.mode == mode,
        ),
        "manipulation.tool.switch_axes": Method(TransformTool.switch_axes),
        "manipulation.tool.switch_snapping": Method(
            TransformTool.switch_snapping, on=lambda s: s.manipulation.tool.snapping
        ),
        "manipulation.tool.switch_lock": Method(TransformTool.switch_lock, on=lambda s: s.manipulation.tool.locked),
        "manipulation.tool.next_part": Method(TransformTool.next_part, lambda s: s.selection.has_ends),
        "explaining.switch": Method(
            Explaining.switch, lambda s: s.explaining.can_explain, lambda s: s.explaining.active
        ),
        "explaining.end": Method(Explaining.end),
        "explaining.next_query": Method(Explaining.next_query, lambda s: s.explaining.active),
        "explaining.turn_step": Method(Explaining.turn_step),
        "file.revert": Method(File.revert, lambda s: s.file.path),
        "dialog.answer": Method(Dialog.answer),
        "dialog.dismiss": Method(Dialog.dismiss),
        "dialog.step_choice": Method(Dialog.step_choice),
        "dialog.tick_option": Method(Dialog.tick_option),
        "dialog.ask_add": Method(Dialog.ask_add),
        "dialog.ask_close": Method(Dialog.ask_close),
        "dialog.ask_command": Method(Dialog.ask_command),
        "dialog.ask_filter": Method(Dialog.ask_filter),
        "dialog.ask_menu": Method(Dialog.ask_menu),
        "dialog.ask_menus": Method(Dialog.ask_menus),
        "dialog.ask_pair": Method(Dialog.ask_pair),
        "dialog.ask_joint": Method(Dialog.ask_joint),
        "dialog.ask_joints": Method(Dialog.ask_joints, _has_joints),
        "dialog.ask_pose": Method(Dialog.ask_pose, _has_joints),
        "dialog.ask_save_pose": Method(Dialog.ask_save_pose, lambda s: s.file.srdf),
        "dialog.ask_card": Method(Dialog.ask_card, lambda s: s.manipulation.inspector.fields),
        "dialog.ask_number": Method(Dialog.ask_number),
        "dialog.ask_picture": Method(Dialog.ask_picture, lambda s: s.dialog.takes_pictures),
        "dialog.share_page": Method(Dialog.share_page, lambda s: s.dialog.takes_pictures),
        "dialog.ask_recall": Method(Dialog.ask_recall, lambda s: s.view.bookmarks),
        "dialog.ask_remember": Method(Dialog.ask_remember),
        "dialog.ask_rename": Method(Dialog.ask_rename, lambda s: s.document.renamable),
        "dialog.ask_save": Method(Dialog.ask_save),
        "dialog.ask_save_as": Method(Dialog.ask_save_as),
        "dialog.copy_card": Method(Dialog.copy_card, _has_selected),
        "dialog.copy_test": Method(Dialog.copy_test, lambda s: s.manipulation.inspector.testable),
        "start.show_page": Method(Start.show_page, _may_open),
        "start.open_card": Method(Start.open_card),
        "start.scroll_page": Method(Start.scroll_page),
        "start.begin_scene": Method(Start.begin_scene, _may_open),
        "start.ask_open": Method(Start.ask_open, _may_open),
        "start.guide.end": Method(Guide.end),
        "lesson.turn": Method(LessonGuide.turn, lambda s, _: s.lesson.active),
    }
)
