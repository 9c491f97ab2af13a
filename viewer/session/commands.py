"""All commands: one table, which the keys, the menus and the help are made from.

A row says what a command is called, which keys give it, what it does, and in which menu it stands; when it has
something to do (it is faint there when it has not, and says why when it is given all the same); and, of what is turned
on and off, whether it is on. Rows stand under the line of the help that tells of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from operator import attrgetter as has
from operator import methodcaller as do
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from viewer.camera.camera import Direction
from viewer.records.sizes import unit_of

if TYPE_CHECKING:
    from viewer.session.session import Session

Action: TypeAlias = "Callable[[Session], object]"

#: A key turns or shifts the view as far as a drag by so many pixels does.
TURN = 40.0

#: How much farther, or less far, a nudge goes with Shift or with Ctrl.
FAR, FINE = 10.0, 0.1


class Topic(NamedTuple):
    """A line of the help: some keys, or what the mouse does, and what comes of it. Commands follow."""

    keys: str
    what: str


class Command(NamedTuple):
    """Something that can be done.

    Attributes
    ----------
    name : str
        What it is called in its menu.
    keys : str
        The keys that give it, as `viewer.session.keys.chord` has them, with commas between. The menu shows the first.
    menu : str
        The title of the menu; none for what has keys alone.
    action : callable
        Does it to a session.
    can : callable
        Whether a session has something for it to do.
    on : callable, optional
        Whether what it turns on and off is on.
    section : int
        The part of the menu: those of lower numbers come first, and those of one stand in the order of the table.
    while_typing : bool
        Whether its keys give it in the middle of a number, too.
    """

    name: str
    keys: str
    menu: str
    action: Action
    can: Action = lambda _: True
    on: Action | None = None
    section: int = 1
    while_typing: bool = False

    @property
    def chords(self) -> list[str]:
        """The keys, one by one."""
        return self.keys.split(", ")


def _nudges(**directions: Direction) -> Iterator[Command]:
    """Yield the commands to nudge by a key: plainly, with Shift and with Ctrl."""
    for name, where in directions.items():
        for held, factor in (("", 1.0), ("shift+", FAR), ("ctrl+", FINE)):
            yield Command("", held + name.replace("_", " "), "", do("nudge", where, factor))


def _turns() -> Iterator[Command]:
    """Yield the commands to turn and to shift the view, by arrows."""
    for key, way in {"left": (-TURN, 0.0), "right": (TURN, 0.0), "up": (0.0, TURN), "down": (0.0, -TURN)}.items():
        yield Command("", f"alt+{key}", "", do("orbit", *way))
        yield Command("", f"alt+shift+{key}", "", do("pan", *way))


def _toggle(name: str, key: str, what: str) -> Command:
    """Return the command that shows or hides one of `viewer.session.Toggles`."""
    return Command(name, key, "Show", do("toggle", what), on=has(f"toggles.{what}"))


#: Every command.
TABLE: tuple[Topic | Command, ...] = (
    Topic("click", "select a shape; with Shift: add or take away"),
    Topic("drag a shape, or an end", "move it: along the ground, or in the picture's plane; Ctrl: snap"),
    Topic("Ctrl+drag elsewhere, b and drag", "select what is in a box; Shift: add"),
    Command("what is in a box", "b", "Select", do("draw_box")),
    Topic("Ctrl+A, Ctrl+I", "select all, invert the selection"),
    Command("all", "ctrl+a", "Select", do("select_all"), section=0),
    Command("invert", "ctrl+i", "Select", do("invert_selection"), section=0),
    Topic("Tab, Shift+Tab, Ctrl+], Ctrl+[", "next, previous shape; one more, with the next, with the previous"),
    Command("next shape", "tab", "Select", do("walk", 1)),
    Command("previous shape", "shift+tab", "Select", do("walk", -1)),
    Command("next shape, too", "ctrl+bracketright", "Select", do("walk", 1, add=True)),
    Command("previous shape, too", "ctrl+bracketleft", "Select", do("walk", -1, add=True)),
    Topic("], [", "next, previous pair of the table"),
    Command("next pair of the table", "bracketright", "Select", do("walk_pairs", 1), has("listed")),
    Command("previous pair", "bracketleft", "Select", do("walk_pairs", -1), has("listed")),
    Topic("Ctrl+F, d", "find pairs by name; sort by depth or name; the wheel scrolls"),
    Command("find pairs", "ctrl+f", "Select", do("ask_filter"), section=2),
    Command("sort pairs by depth or name", "d", "Select", do("next_pair_order"), section=2),
    Topic("Esc", "close these keys; drop what is in hand; deselect"),
    Command("nothing", "escape", "Select", do("escape")),
    Topic("drag a handle", "move, turn or resize; Ctrl: snap; Shift: snap finely, resize both sides"),
    Topic("g, r, s", "move, turn, resize; then x y z, a number, Enter"),
    Command("move", "g", "Handles", do("take", "translate"), has("movable")),
    Command("turn", "r", "Handles", do("take", "rotate"), has("turnable")),
    Command("resize", "s", "Handles", do("take", "size"), has("sizable")),
    Topic("e, Shift+S", "axes of the world or the shape's own; always snap"),
    Command("axes of the world, or its own", "e", "Handles", do("switch_axes"), section=2),
    Command("always snap, or not", "shift+s", "Handles", do("switch_snapping"), on=has("snapping"), section=2),
    Topic("Shift+L", "lock the shapes: the mouse moves none; keys still do"),
    Command("lock the shapes", "shift+l", "Handles", do("switch_lock"), on=has("locked"), section=2),
    Topic("Shift+O", "make a box along the axes one that turns"),
    Command(
        "make it a box that turns",
        "shift+o",
        "Edit",
        do("orient_selection"),
        has("orientable"),
        section=2,
        while_typing=True,
    ),
    Topic("click an end dot, k", "the handles then move that end alone; the middle: all of it"),
    Command("another end", "k", "Handles", do("next_part"), has("has_ends")),
    Topic("arrows", "nudge along the axes nearest to right and up; Shift: far, Ctrl: fine"),
    *_nudges(left="left", right="right", up="up", down="down"),
    Topic("Page up, Page down", "nudge away, nearer"),
    *_nudges(page_up="away", page_down="near"),
    Topic("Enter, Ctrl+C", "type the numbers of the card, Tab: the next; copy it as Python"),
    Command("type its numbers", "return, enter", "Edit", do("ask_card"), has("card"), section=2),
    Command("copy as Python", "ctrl+c", "Edit", do("copy_card"), has("selected"), section=2),
    Topic("Ctrl+Shift+C", "copy the pair that is selected, or all that collide, as a test in Python"),
    Command("copy as a test", "ctrl+shift+c", "Edit", do("copy_test"), has("testable"), section=2),
    Topic("a, Ctrl+D, F2", "add a shape, duplicate, rename"),
    Command("add a shape", "a", "Edit", do("ask_add")),
    Command("duplicate", "ctrl+d", "Edit", do("duplicate"), has("selected")),
    Command("rename", "f2", "Edit", do("ask_rename"), has("renamable")),
    Topic("Delete, Backspace", "delete"),
    Command("delete", "delete, backspace", "Edit", do("delete"), has("selected")),
    Topic("Ctrl+H, Shift+H, Ctrl+Shift+H", "hide, hide all else, show all"),
    Command("hide", "ctrl+h", "Edit", do("hide"), has("selected"), section=2),
    Command("hide all else", "shift+h", "Edit", do("isolate"), has("selected"), section=2),
    Command("show all", "ctrl+shift+h", "Edit", do("show_all"), has("hidden"), section=2),
    Topic("Ctrl+Z, Ctrl+Y, Ctrl+Shift+Z", "undo, redo"),
    Command("undo", "ctrl+z", "Edit", do("undo"), has("undoable"), section=0, while_typing=True),
    Command("redo", "ctrl+y, ctrl+shift+z", "Edit", do("redo"), has("redoable"), section=0),
    Topic("Ctrl+S, Ctrl+Shift+S, Ctrl+R", "save, save as, revert to the file"),
    Command("save", "ctrl+s", "File", do("ask_save"), while_typing=True),
    Command("save as", "ctrl+shift+s", "File", do("ask_save_as"), while_typing=True),
    Command("revert to the file", "ctrl+r", "File", do("revert"), has("path")),
    Topic("Ctrl+E, Ctrl+O, Ctrl+N", "choose an example, open a file, begin a new scene"),
    Command("examples", "ctrl+e", "File", do("show_page"), has("may_open"), section=0),
    Command("open a file", "ctrl+o", "File", do("ask_open"), has("may_open"), section=0),
    Command("new scene", "ctrl+n", "File", do("begin_scene"), has("may_open"), section=0),
    Topic("Ctrl+P", "save a picture of what is seen"),
    Command("save a picture", "ctrl+p", "File", do("ask_picture"), has("has_window")),
    Topic("drag elsewhere", "turn the view; of a drawing that is seen face on: shift it"),
    Topic("middle button, Alt+drag, Alt+arrows", "turn the view anywhere"),
    *_turns(),
    Topic("right button, Shift+drag elsewhere", "shift the view; Alt+Shift+arrows, too"),
    Topic("wheel, Alt+Page up, Alt+Page down", "nearer, farther"),
    Command("", "alt+page up", "", do("zoom", 1.0)),
    Command("", "alt+page down", "", do("zoom", -1.0)),
    Topic("f, Shift+F", "frame the selection, everything"),
    Command("frame the selection", "f", "View", do("frame_selection")),
    Command("frame everything", "shift+f", "View", do("frame_all")),
    Topic("Alt+Z, Alt+Y", "take the last change of the view back, do it again"),
    Command("the view before", "alt+z", "View", do("undo_view"), has("view_undoable"), section=0),
    Command("that view again", "alt+y, alt+shift+z", "View", do("redo_view"), has("view_redoable"), section=0),
    Topic("Shift+R", "return to the first view"),
    Command("first view", "shift+r", "View", do("reset_view")),
    Topic("Ctrl+B, Shift+B, Ctrl+1 ... Ctrl+9", "remember the view as 1 to 9, return to one"),
    Command("remember this view", "ctrl+b", "View", do("ask_remember"), section=2),
    Command("go to a remembered view", "shift+b", "View", do("ask_recall"), has("bookmarks"), section=2),
    *(Command("", f"ctrl+{number}", "", do("recall", number)) for number in "123456789"),
    Topic("Ctrl+Shift+B", "make the view the scene's own, for its file"),
    Command("make this the file's own view", "ctrl+shift+b", "View", do("keep_view"), section=2),
    Topic("i x y z, 1 2 3 4", "isometric view, view along x, y, z; Shift: from the other side"),
    Command("isometric", "i, 1", "View", do("look", "iso")),
    Command("along x", "x, 2", "View", do("look", "x")),
    Command("along y", "y, 3", "View", do("look", "y")),
    Command("along z", "z, 4", "View", do("look", "z")),
    Command("along x from behind", "shift+x", "View", do("look", "-x")),
    Command("along y from behind", "shift+y", "View", do("look", "-y")),
    Command("along z from below", "shift+z", "View", do("look", "-z")),
    Topic("p", "perspective or parallel"),
    Command("perspective or parallel", "p", "View", do("switch_projection")),
    Topic("t, l, Shift+G, n, Ctrl+T", "table and other texts, legend, ground, labels, bar of buttons"),
    _toggle("table and other texts", "t", "hud"),
    _toggle("legend", "l", "legend"),
    _toggle("ground", "shift+g", "grid"),
    _toggle("labels", "n", "labels"),
    _toggle("bar of buttons", "ctrl+t", "bar"),
    Topic("c, v", "contact points, normals"),
    _toggle("contact points", "c", "contacts"),
    _toggle("normals", "v", "normals"),
    Topic("m", "distances within the margin"),
    _toggle("distances within the margin", "m", "distances"),
    Topic("+, -", "larger, smaller margin"),  # which of them need Shift differs between keyboards
    Command("larger margin", "plus, equal, add, shift+plus, shift+equal, shift+add", "Show", do("change_margin", 1)),
    Command("smaller margin", "minus, subtract, shift+minus, shift+subtract", "Show", do("change_margin", -1)),
    Topic("Shift+E, Alt+E", "explain a pair, or end that (Esc); explain another question of it"),
    Command(
        "explain the pair",
        "shift+e",
        "Show",
        do("switch_explanation"),
        has("can_explain"),
        on=has("explaining"),
        section=0,
    ),
    Command("explain another question", "alt+e", "Show", do("next_query"), has("explaining"), section=0),
    Topic("o, u", "boxes of the broad phase, ghost pushed out"),
    _toggle("boxes of the broad phase", "o", "boxes"),
    _toggle("ghost pushed out", "u", "ghost"),
    Topic("w, Shift+W, Shift+T", "see-through, shadows, theme"),
    _toggle("see-through", "w", "see_through"),
    _toggle("shadows", "shift+w", "shadows"),
    Command("another theme", "shift+t", "Show", do("next_theme")),
    Topic("Space", "play or pause the motion; drag its strip: scrub"),
    Command("play or pause", "space", "Play", do("play_or_pause"), has("has_motion")),
    Topic(
        ", .",
        "a frame, or a step of what is explained, back, on; Shift: to a change of who touches; Ctrl: slower, faster",
    ),
    Command("a frame on", "period", "Play", do("step", 1), has("has_motion")),
    Command("a frame back", "comma", "Play", do("step", -1), has("has_motion")),
    Command("to the next change", "shift+period, shift+greater", "Play", do("to_change", 1), has("has_motion")),
    Command("to the change before", "shift+comma, shift+less", "Play", do("to_change", -1), has("has_motion")),
    Command("faster", "ctrl+period", "Play", do("change_speed", 1)),
    Command("slower", "ctrl+comma", "Play", do("change_speed", -1)),
    Topic("Home, End, Ctrl+L", "start (without a motion: frame everything), end, loop"),
    Command("to the start", "home", "Play", do("to_start")),
    Command("to the end", "end", "Play", do("to_end"), has("has_motion")),
    Command("over and over, or once", "ctrl+l", "Play", do("switch_loop"), on=has("loop")),
    Topic("F10, right click", "menus of all commands"),
    Command("", "f10", "", do("ask_menu")),
    Topic("h, ?", "these keys"),
    Command("all keys", "h, question, shift+question", "Show", do("turn_help")),
    Topic("q, Ctrl+Q, Ctrl+W", "close the window"),
    Command("close the window", "ctrl+w, ctrl+q", "File", do("ask_close"), while_typing=True),
    Command("", "q", "", do("ask_close")),
)

_ROWS = tuple(row for row in TABLE if isinstance(row, Command))

#: What each key or chord does.
COMMANDS: Mapping[str, Command] = MappingProxyType({chord: row for row in _ROWS for chord in row.chords})

#: The menus by their titles, and the commands of each.
MENUS: Mapping[str, tuple[Command, ...]] = MappingProxyType(
    {
        title: tuple(sorted((row for row in _ROWS if row.menu == title), key=lambda row: row.section))
        for title in ("File", "Edit", "Select", "Handles", "View", "Show", "Play")
    }
)

#: The lines of the help.
KEY_HELP: Mapping[str, str] = MappingProxyType({row.keys: row.what for row in TABLE if isinstance(row, Topic)})

#: How high a line of the help is, in heights of the text, and how much of the picture is left free above and below all
#: lines: in such heights, and in units.
_LINE, _TITLE, _FREE = 1.5, 2.0, 70.0


def help_pages(size: tuple[int, int], font: float = 15.0) -> list[Mapping[str, str]]:
    """Return the lines of the help in as many pages as a picture of a size needs, in a text that is so high, in units.

    Examples
    --------
    >>> len(help_pages((3840, 2160))) <= len(help_pages((640, 400)))
    True
    """
    lines = list(KEY_HELP.items())
    room = max(int(((size[1] / unit_of(size) - _FREE) / font - _TITLE) / _LINE), 1)
    count = -(-len(lines) // room)
    long = -(-len(lines) // count)
    return [MappingProxyType(dict(lines[first : first + long])) for first in range(0, len(lines), long)]
