"""All commands with keys: one table, which the keys, the menus, the bar and the help are made from.

A row says what a command is called, which keys give it, in which menu it stands, and the command itself. Rows stand
under the line of the help that tells of them. Whether there is something for a command to do, `Session.can` tells.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from viewer.camera.camera import Direction
from viewer.records.commands import Command
from viewer.records.keys import printed

#: A key turns or shifts the view as far as a drag by so many pixels does.
TURN = 40.0

#: How much farther, or less far, a nudge goes with Shift or with Ctrl.
FAR, FINE = 10.0, 0.1


class Topic(NamedTuple):
    """A line of the help: some keys, or what the mouse does, and what comes of it. Commands follow."""

    keys: str
    what: str


class Binding(NamedTuple):
    """A command and the keys that give it; `while_typing`, also while a number is being typed."""

    name: str
    keys: str
    menu: str
    command: Command
    section: int = 1
    while_typing: bool = False

    @property
    def chords(self) -> list[str]:
        """The keys, one by one."""
        return self.keys.split(", ")


def _nudges(**directions: Direction) -> Iterator[Binding]:
    """Yield the commands to nudge by a key: plainly, with Shift and with Ctrl."""
    for name, where in directions.items():
        for held, factor in (("", 1.0), ("shift+", FAR), ("ctrl+", FINE)):
            yield Binding("", held + name.replace("_", " "), "", Command("manipulation.nudge", where, factor))


def _turns() -> Iterator[Binding]:
    """Yield the commands to turn and to shift the view, by arrows."""
    for key, way in {"left": (-TURN, 0.0), "right": (TURN, 0.0), "up": (0.0, TURN), "down": (0.0, -TURN)}.items():
        yield Binding("", f"alt+{key}", "", Command("view.orbit", *way))
        yield Binding("", f"alt+shift+{key}", "", Command("view.pan", *way))


def _toggle(name: str, key: str, what: str) -> Binding:
    """Return the command that shows or hides one of `viewer.session.Toggles`."""
    return Binding(name, key, "Show", Command("settings.toggle", what))


#: Every command.
TABLE: tuple[Topic | Binding, ...] = (
    Topic("click", "select a shape; with Shift: add or take away"),
    Topic("drag a shape, or an end", "move it: along the ground, or in the picture's plane; Ctrl: snap"),
    Topic("Ctrl+drag elsewhere, b and drag", "select what is in a box; Shift: add"),
    Binding("what is in a box", "b", "Select", Command("selection.draw_box")),
    Topic("Ctrl+A, Ctrl+I", "select all, invert the selection"),
    Binding("all", "ctrl+a", "Select", Command("selection.select_all"), section=0),
    Binding("invert", "ctrl+i", "Select", Command("selection.invert"), section=0),
    Topic("Tab, Shift+Tab, Ctrl+], Ctrl+[", "next, previous shape; one more, with the next, with the previous"),
    Binding("next shape", "tab", "Select", Command("selection.walk", 1)),
    Binding("previous shape", "shift+tab", "Select", Command("selection.walk", -1)),
    Binding("next shape, too", "ctrl+bracketright", "Select", Command("selection.walk", 1, True)),
    Binding("previous shape, too", "ctrl+bracketleft", "Select", Command("selection.walk", -1, True)),
    Topic("], [", "next, previous pair of the table"),
    Binding("next pair of the table", "bracketright", "Select", Command("selection.walk_pairs", 1)),
    Binding("previous pair", "bracketleft", "Select", Command("selection.walk_pairs", -1)),
    Topic("Ctrl+F, d", "find pairs by name; sort by depth or name; the wheel scrolls"),
    Binding("find pairs", "ctrl+f", "Select", Command("dialog.ask_filter"), section=2),
    Binding("sort pairs by depth or name", "d", "Select", Command("selection.next_pair_order"), section=2),
    Topic("Esc", "close the keys; drop what is in hand; deselect"),
    Binding("nothing", "escape", "Select", Command("session.escape")),
    Topic("drag a handle", "move, turn or resize; Ctrl: snap; Shift: snap finely, resize both sides"),
    Topic("g, r, s", "move, turn, resize; then x y z, a number, Enter"),
    Binding("move", "g", "Handles", Command("manipulation.modal.take", "translate")),
    Binding("turn", "r", "Handles", Command("manipulation.modal.take", "rotate")),
    Binding("resize", "s", "Handles", Command("manipulation.modal.take", "size")),
    Topic("e, Shift+S", "axes of the world or the shape's own; always snap"),
    Binding("axes of the world, or its own", "e", "Handles", Command("manipulation.tool.switch_axes"), section=2),
    Binding("always snap, or not", "shift+s", "Handles", Command("manipulation.tool.switch_snapping"), section=2),
    Topic("Shift+L", "lock the shapes: the mouse moves none; keys still do"),
    Binding("lock the shapes", "shift+l", "Handles", Command("manipulation.tool.switch_lock"), section=2),
    Topic("Shift+O", "make a box along the axes one that turns"),
    Binding(
        "make it a box that turns", "shift+o", "Edit", Command("manipulation.orient"), section=2, while_typing=True
    ),
    Topic("click an end dot, k", "the handles then move that end alone; the middle: all of it"),
    Binding("another end", "k", "Handles", Command("manipulation.tool.next_part")),
    Topic("arrows", "nudge along the axes nearest to right and up; Shift: far, Ctrl: fine"),
    *_nudges(left="left", right="right", up="up", down="down"),
    Topic("Page up, Page down", "nudge away, nearer"),
    *_nudges(page_up="away", page_down="near"),
    Topic("Enter, Ctrl+C", "type the numbers of the card, Tab: the next; copy it as Python"),
    Binding("type its numbers", "return, enter", "Edit", Command("dialog.ask_card"), section=2),
    Binding("copy as Python", "ctrl+c", "Edit", Command("dialog.copy_card"), section=2),
    Topic("Ctrl+Shift+C", "copy the pair that is selected, or all that collide, as a test in Python"),
    Binding("copy as a test", "ctrl+shift+c", "Edit", Command("dialog.copy_test"), section=2),
    Topic("a, Ctrl+D, F2", "add a shape, duplicate, rename"),
    Binding("add a shape", "a", "Edit", Command("dialog.ask_add")),
    Binding("duplicate", "ctrl+d", "Edit", Command("session.duplicate")),
    Binding("rename", "f2", "Edit", Command("dialog.ask_rename")),
    Topic("Delete, Backspace", "delete"),
    Binding("delete", "delete, backspace", "Edit", Command("document.delete")),
    Topic("Ctrl+H, Shift+H, Ctrl+Shift+H", "hide, hide all else, show all"),
    Binding("hide", "ctrl+h", "Edit", Command("document.hide"), section=2),
    Binding("hide all else", "shift+h", "Edit", Command("document.isolate"), section=2),
    Binding("show all", "ctrl+shift+h", "Edit", Command("document.show_all"), section=2),
    Topic("Shift+I", "ignore the pair that is selected: it is not tested any more"),
    Binding("ignore this pair", "shift+i", "Edit", Command("selection.ignore_pair"), section=2),
    Topic("Ctrl+Z, Ctrl+Y, Ctrl+Shift+Z", "undo, redo"),
    Binding("undo", "ctrl+z", "Edit", Command("document.undo"), section=0, while_typing=True),
    Binding("redo", "ctrl+y, ctrl+shift+z", "Edit", Command("document.redo"), section=0),
    Topic("Ctrl+S, Ctrl+Shift+S, Ctrl+R", "save, save as, revert to the file"),
    Binding("save", "ctrl+s", "File", Command("dialog.ask_save"), while_typing=True),
    Binding("save as", "ctrl+shift+s", "File", Command("dialog.ask_save_as"), while_typing=True),
    Binding("revert to the file", "ctrl+r", "File", Command("file.revert")),
    Topic("Ctrl+E, Ctrl+O, Ctrl+N", "choose an example or a lesson, open a file, begin a new scene"),
    Binding("examples", "ctrl+e", "File", Command("start.show_page"), section=0),
    Binding("open a file", "ctrl+o", "File", Command("start.ask_open"), section=0),
    Binding("new scene", "ctrl+n", "File", Command("start.begin_scene"), section=0),
    Topic("F8, Shift+F8", "go on with a lesson, or back"),
    Binding("go on with the lesson", "f8", "File", Command("lesson.turn", 1), section=0),
    Binding("back in the lesson", "shift+f8", "File", Command("lesson.turn", -1), section=0),
    Topic("Ctrl+P", "save a picture of what is seen"),
    Binding("save a picture", "ctrl+p", "File", Command("dialog.ask_picture")),
    Topic("Ctrl+Shift+P", "share as a page: one HTML file, alive in any browser"),
    Binding("share as a page", "ctrl+shift+p", "File", Command("dialog.share_page")),
    Topic("drag elsewhere", "turn the view; of a drawing that is seen face on: shift it"),
    Topic("middle button, Alt+drag, Alt+arrows", "turn the view anywhere"),
    *_turns(),
    Topic("right button, Shift+drag elsewhere", "shift the view; Alt+Shift+arrows, too"),
    Topic("wheel, Alt+Page up, Alt+Page down", "nearer, farther"),
    Binding("", "alt+page up", "", Command("view.zoom", 1.0)),
    Binding("", "alt+page down", "", Command("view.zoom", -1.0)),
    Topic("f, Shift+F", "frame the selection, everything"),
    Binding("frame the selection", "f", "View", Command("view.frame_selection")),
    Binding("frame everything", "shift+f", "View", Command("view.frame_all")),
    Topic("Alt+Z, Alt+Y", "take the last change of the view back, do it again"),
    Binding("the view before", "alt+z", "View", Command("view.undo"), section=0),
    Binding("that view again", "alt+y, alt+shift+z", "View", Command("view.redo"), section=0),
    Topic("Shift+R", "return to the first view"),
    Binding("first view", "shift+r", "View", Command("view.reset")),
    Topic("Ctrl+B, Shift+B, Ctrl+1 ... Ctrl+9", "remember the view as 1 to 9, return to one"),
    Binding("remember this view", "ctrl+b", "View", Command("dialog.ask_remember"), section=2),
    Binding("go to a remembered view", "shift+b", "View", Command("dialog.ask_recall"), section=2),
    *(Binding("", f"ctrl+{number}", "", Command("view.recall", number)) for number in "123456789"),
    Topic("Ctrl+Shift+B", "make the view the scene's own, for its file"),
    Binding("make this the file's own view", "ctrl+shift+b", "View", Command("view.keep"), section=2),
    Topic("i x y z, 1 2 3 4", "isometric view, view along x, y, z; Shift: from the other side"),
    Binding("isometric", "i, 1", "View", Command("view.look", "iso")),
    Binding("along x", "x, 2", "View", Command("view.look", "x")),
    Binding("along y", "y, 3", "View", Command("view.look", "y")),
    Binding("along z", "z, 4", "View", Command("view.look", "z")),
    Binding("along x from behind", "shift+x", "View", Command("view.look", "-x")),
    Binding("along y from behind", "shift+y", "View", Command("view.look", "-y")),
    Binding("along z from below", "shift+z", "View", Command("view.look", "-z")),
    Topic("p", "perspective or parallel"),
    Binding("perspective or parallel", "p", "View", Command("view.switch_projection")),
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
    Binding(
        "larger margin",
        "plus, equal, add, shift+plus, shift+equal, shift+add",
        "Show",
        Command("settings.change_margin", 1),
    ),
    Binding(
        "smaller margin", "minus, subtract, shift+minus, shift+subtract", "Show", Command("settings.change_margin", -1)
    ),
    Topic("Shift+E, Alt+E", "explain a pair, or end that (Esc); explain another question of it"),
    Binding("explain the pair", "shift+e", "Show", Command("explaining.switch"), section=0),
    Binding("explain another question", "alt+e", "Show", Command("explaining.next_query"), section=0),
    Topic("o, u", "boxes of the broad phase, ghost pushed out"),
    _toggle("boxes of the broad phase", "o", "boxes"),
    _toggle("ghost pushed out", "u", "ghost"),
    Topic("w, Shift+W, Shift+T", "see-through, shadows, theme"),
    _toggle("see-through", "w", "see_through"),
    _toggle("shadows", "shift+w", "shadows"),
    Binding("another theme", "shift+t", "Show", Command("settings.next_theme")),
    Topic("Ctrl+plus, Ctrl+minus, Ctrl+0", "larger, smaller text; as large as usual"),
    Binding(
        "larger text",
        "ctrl+plus, ctrl+equal, ctrl+add, ctrl+shift+plus, ctrl+shift+equal, ctrl+shift+add",
        "View",
        Command("settings.change_scale", 1),
        section=2,
        while_typing=True,
    ),
    Binding(
        "smaller text",
        "ctrl+minus, ctrl+subtract, ctrl+shift+minus, ctrl+shift+subtract",
        "View",
        Command("settings.change_scale", -1),
        section=2,
        while_typing=True,
    ),
    Binding("text as usual", "ctrl+0", "View", Command("settings.change_scale", 0), section=2, while_typing=True),
    Topic("Space", "play or pause the motion; drag its strip: scrub"),
    Binding("play or pause", "space", "Play", Command("player.play_or_pause")),
    Topic(
        ", .",
        "a frame, or a step of what is explained, back, on; Shift: to a change of who touches; Ctrl: slower, faster",
    ),
    Binding("a frame on", "period", "Play", Command("player.step", 1)),
    Binding("a frame back", "comma", "Play", Command("player.step", -1)),
    Binding("to the next change", "shift+period, shift+greater", "Play", Command("player.to_change", 1)),
    Binding("to the change before", "shift+comma, shift+less", "Play", Command("player.to_change", -1)),
    Binding("faster", "ctrl+period", "Play", Command("player.change_speed", 1)),
    Binding("slower", "ctrl+comma", "Play", Command("player.change_speed", -1)),
    Topic("Home, End, Ctrl+L", "start (without a motion: frame everything), end, loop"),
    Binding("to the start", "home", "Play", Command("session.to_start")),
    Binding("to the end", "end", "Play", Command("player.to_end")),
    Binding("over and over, or once", "ctrl+l", "Play", Command("player.switch_loop")),
    Topic("drag a link of a robot", "turn its joint, within its limits; Shift+L: handles that move a shape alone"),
    Topic("j, Ctrl+J", "sliders of the joints of a robot, whose keys are arrows and digits; find joints by name"),
    Binding("sliders of its joints", "j", "Robot", Command("sliders.switch")),
    Binding("find joints", "ctrl+j", "Robot", Command("dialog.ask_joints")),
    Topic("Shift+J, Ctrl+Shift+J", "take a pose that has a name, or zero; save this one"),
    Binding("take a pose", "shift+j", "Robot", Command("dialog.ask_pose")),
    Binding("save this pose", "ctrl+shift+j", "Robot", Command("dialog.ask_save_pose")),
    Topic("Shift+V", "what the links of a robot look like, as ghosts, if it was opened with --visual"),
    Binding("what its links look like", "shift+v", "Robot", Command("settings.toggle_visuals")),
    Topic("F10, right click", "menus of all commands"),
    Binding("", "f10", "", Command("dialog.ask_menu")),
    Topic("Ctrl+K, F3", "find a command by its name or its keys, and give it"),
    Binding("find a command", "ctrl+k, f3", "Show", Command("dialog.ask_command")),
    Topic("h, ?", "the keys that one needs first"),
    _toggle("keys", "h, question, shift+question", "help"),
    Topic("q, Ctrl+Q, Ctrl+W", "close the window"),
    Binding("close the window", "ctrl+w, ctrl+q", "File", Command("dialog.ask_close"), while_typing=True),
    Binding("", "q", "", Command("dialog.ask_close")),
)

_ROWS = tuple(row for row in TABLE if isinstance(row, Binding))

#: What each key or chord gives.
BINDINGS: Mapping[str, Binding] = MappingProxyType({chord: row for row in _ROWS for chord in row.chords})

#: The menu that is there only where the scene is of a robot.
ROBOT = "Robot"

#: The menus by their titles, and the commands of each.
MENUS: Mapping[str, tuple[Binding, ...]] = MappingProxyType(
    {
        title: tuple(sorted((row for row in _ROWS if row.menu == title), key=lambda row: row.section))
        for title in ("File", "Edit", "Select", "Handles", "View", "Show", "Play", ROBOT)
    }
)

#: What the help shows, by groups: what one needs first. `find_commands` finds the rest.
ESSENTIALS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "Select and change": {
            "click": "select a shape; Shift: one more",
            "drag a shape, a handle": "move it; turn, resize it",
            "g, r, s": "move, turn, resize by keys",
            "Enter": "type its numbers",
            "a, Delete": "add a shape, delete",
            "Ctrl+Z, Ctrl+Y": "undo, redo",
        },
        "Look": {
            "drag beside the shapes": "turn the view",
            "wheel, right button": "nearer or farther, shift",
            "f, Shift+F": "frame the selection, everything",
        },
        "Ask and play": {"Shift+E": "explain a pair", "Space": "play or pause"},
        "File": {"Ctrl+S, Ctrl+E": "save, examples and lessons"},
    }
)


class Found(NamedTuple):
    """A line of the commands that are found: its text, its keys, and its row, which what the mouse does has not."""

    text: str
    keys: str
    binding: Binding | None
    about: str = ""


def _lines() -> Iterator[Found]:
    """Yield a line for each command that has a name, and for what only the mouse or keys without a name do."""
    topic, named = Topic("", ""), True
    for row in (*TABLE, Topic("", "")):
        if isinstance(row, Topic):
            if not named:
                yield Found(topic.what, topic.keys, None)
            topic, named = row, False
        elif row.name:
            named = True
            yield Found(f"{row.menu}: {row.name}", printed(row.chords[0]), row, topic.what)


_LINES = tuple(_lines())


def find_commands(text: str) -> list[Found]:
    """Return what has all words of a text: in its name first, then in its keys or in what the help says of it.

    Examples
    --------
    >>> [(found.text, found.keys) for found in find_commands("undo")]
    [('Edit: undo', 'Ctrl+Z'), ('Edit: redo', 'Ctrl+Y')]
    """
    words = text.lower().split()

    def has(where: str) -> bool:
        return all(word in where.lower() for word in words)

    found = [line for line in _LINES if has(f"{line.text} {line.keys} {line.about}")]
    return sorted(found, key=lambda line: (line.binding is None, not has(line.text)))
