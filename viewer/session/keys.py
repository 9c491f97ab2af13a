"""The keys: one table, which the session obeys and the help panel shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import methodcaller as do
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from viewer.view.camera import Direction
from viewer.view.sizes import unit_of

if TYPE_CHECKING:
    from viewer.session import Session

Command: TypeAlias = "Callable[[Session], object]"

#: A key turns or shifts the view as far as a drag by so many pixels does.
TURN = 40.0

#: How far arrows go to the right and up.
_ARROWS = MappingProxyType({"left": (-TURN, 0.0), "right": (TURN, 0.0), "up": (0.0, TURN), "down": (0.0, -TURN)})

#: How much farther, or less far, a nudge goes with Shift or with Ctrl.
FAR, FINE = 10.0, 0.1


class Binding(NamedTuple):
    """One row of the help, and the keys that it is about; the mouse has rows without keys."""

    keys: str
    what: str
    commands: Mapping[str, Command] = MappingProxyType({})


def _nudges(directions: Mapping[str, Direction]) -> dict[str, Command]:
    factors = {"": 1.0, "shift+": FAR, "ctrl+": FINE}
    return {m + key: do("nudge", where, factor) for key, where in directions.items() for m, factor in factors.items()}


def _margins(names: Mapping[int, tuple[str, ...]]) -> dict[str, Command]:
    """Return the keys that change the margin. Which of them need Shift differs between keyboards."""
    return {
        held + key: do("change_margin", step) for step, keys in names.items() for key in keys for held in ("", "shift+")
    }


def _frames(keys: Mapping[str, tuple[int, str]]) -> dict[str, Command]:
    """Return the keys that go through a motion: each with its way, and what it is called while Shift is held."""
    found: dict[str, Command] = {}
    for key, (way, shifted) in keys.items():
        found |= {key: do("step", way), f"ctrl+{key}": do("change_speed", way)}
        found |= {f"shift+{name}": do("to_change", way) for name in (key, shifted)}
    return found


#: Every key, in the order of the help.
BINDINGS: tuple[Binding, ...] = (
    Binding("click", "select a shape; with Shift: add or take away"),
    Binding("Ctrl+drag, b and drag", "select what is in a box; Shift: add", {"b": do("draw_box")}),
    Binding(
        "Ctrl+A, Ctrl+I",
        "select all, invert the selection",
        {"ctrl+a": do("select_all"), "ctrl+i": do("invert_selection")},
    ),
    Binding(
        "Tab, Shift+Tab, Ctrl+], Ctrl+[",
        "next, previous shape; one more, with the next, with the previous",
        {"tab": do("walk", 1), "shift+tab": do("walk", -1)}
        | {"ctrl+bracketright": do("walk", 1, add=True), "ctrl+bracketleft": do("walk", -1, add=True)},
    ),
    Binding(
        "], [",
        "next, previous pair of the table",
        {"bracketright": do("walk_pairs", 1), "bracketleft": do("walk_pairs", -1)},
    ),
    Binding("Esc", "close these keys; drop what is in hand; deselect", {"escape": do("escape")}),
    Binding("drag a handle", "move, turn or resize; Ctrl: snap; Shift: snap finely, resize both sides"),
    Binding(
        "g, r, s",
        "move, turn, resize; then x y z, a number, Enter",
        {"g": do("take", "translate"), "r": do("take", "rotate"), "s": do("take", "size")},
    ),
    Binding(
        "e, Shift+S",
        "axes of the world or the shape's own; always snap",
        {"e": do("switch_axes"), "shift+s": do("switch_snapping")},
    ),
    Binding("Shift+O", "make a box along the axes one that turns", {"shift+o": do("orient_selection")}),
    Binding(
        "click an end dot, k",
        "the handles then move that end alone; the middle: all of it",
        {"k": do("next_part")},
    ),
    Binding(
        "arrows",
        "nudge along the axes nearest to right and up; Shift: far, Ctrl: fine",
        _nudges({"left": "left", "right": "right", "up": "up", "down": "down"}),
    ),
    Binding("Page up, Page down", "nudge away, nearer", _nudges({"page up": "away", "page down": "near"})),
    Binding(
        "a, Ctrl+D, F2",
        "add a shape, duplicate, rename",
        {"a": do("ask_add"), "ctrl+d": do("duplicate"), "f2": do("ask_rename")},
    ),
    Binding("Delete, Backspace", "delete", {"delete": do("delete"), "backspace": do("delete")}),
    Binding(
        "Ctrl+H, Shift+H, Ctrl+Shift+H",
        "hide, hide all else, show all",
        {"ctrl+h": do("hide"), "shift+h": do("isolate"), "ctrl+shift+h": do("show_all")},
    ),
    Binding(
        "Ctrl+Z, Ctrl+Y, Ctrl+Shift+Z",
        "undo, redo",
        {"ctrl+z": do("undo"), "ctrl+y": do("redo"), "ctrl+shift+z": do("redo")},
    ),
    Binding(
        "Ctrl+S, Ctrl+Shift+S, Ctrl+R",
        "save, save as, revert to the file",
        {"ctrl+s": do("ask_save"), "ctrl+shift+s": do("ask_save_as"), "ctrl+r": do("revert")},
    ),
    Binding(
        "drag elsewhere, Alt+arrows",
        "turn the view; Shift, or middle or right button: shift it",
        {f"alt+{key}": do("orbit", *way) for key, way in _ARROWS.items()}
        | {f"alt+shift+{key}": do("pan", *way) for key, way in _ARROWS.items()},
    ),
    Binding(
        "wheel, Alt+Page up, Alt+Page down",
        "nearer, farther",
        {"alt+page up": do("zoom", 1.0), "alt+page down": do("zoom", -1.0)},
    ),
    Binding(
        "f, Shift+F",
        "frame the selection, everything",
        {"f": do("frame_selection"), "shift+f": do("frame_all")},
    ),
    Binding("Shift+R", "return to the first view", {"shift+r": do("reset_view")}),
    Binding(
        "Ctrl+B, Shift+B, Ctrl+1 ... Ctrl+9",
        "remember the view as 1 to 9, return to one",
        {"ctrl+b": do("ask_remember"), "shift+b": do("ask_recall")}
        | {f"ctrl+{n}": do("recall", n) for n in "123456789"},
    ),
    Binding("Ctrl+Shift+B", "make the view the scene's own, for its file", {"ctrl+shift+b": do("keep_view")}),
    Binding(
        "i x y z, 1 2 3 4",
        "isometric view, view along x, y, z; Shift: from the other side",
        {key: do("look", view) for key, view in zip("ixyz1234", ("iso", "x", "y", "z") * 2, strict=True)}
        | {f"shift+{axis}": do("look", f"-{axis}") for axis in "xyz"},
    ),
    Binding("p", "perspective or parallel", {"p": do("switch_projection")}),
    Binding(
        "t, l, Shift+G, n",
        "table and other texts, legend, ground, labels",
        {
            "t": do("toggle", "hud"),
            "l": do("toggle", "legend"),
            "shift+g": do("toggle", "grid"),
            "n": do("toggle", "labels"),
        },
    ),
    Binding("c, v", "contact points, normals", {"c": do("toggle", "contacts"), "v": do("toggle", "normals")}),
    Binding("m", "distances within the margin", {"m": do("toggle", "distances")}),
    Binding("+, -", "larger, smaller margin", _margins({1: ("plus", "equal", "add"), -1: ("minus", "subtract")})),
    Binding(
        "o, u", "boxes of the broad phase, ghost pushed out", {"o": do("toggle", "boxes"), "u": do("toggle", "ghost")}
    ),
    Binding("w, Shift+T", "see-through, theme", {"w": do("toggle", "see_through"), "shift+t": do("next_theme")}),
    Binding("Space", "play or pause the motion; drag its strip: scrub", {"space": do("play_or_pause")}),
    Binding(
        ", .",
        "a frame back, on; Shift: to a change of who touches; Ctrl: slower, faster",
        _frames({"comma": (-1, "less"), "period": (1, "greater")}),
    ),
    Binding(
        "Home, End, Ctrl+L",
        "start (without a motion: frame everything), end, loop",
        {"home": do("to_start"), "end": do("to_end"), "ctrl+l": do("switch_loop")},
    ),
    Binding("F10, right click", "menus of all commands", {"f10": do("ask_menu")}),
    Binding("h", "these keys", {"h": do("turn_help")}),
    Binding("q, Ctrl+Q, Ctrl+W", "close the window", dict.fromkeys(("q", "ctrl+q", "ctrl+w"), do("ask_close"))),
)

#: What each key or chord does.
COMMANDS: Mapping[str, Command] = MappingProxyType({key: do for row in BINDINGS for key, do in row.commands.items()})

#: What can be done in the middle of a number: saving and closing, which take it; undo, which drops it; and Shift+O.
WHILE_TYPING = frozenset(("ctrl+s", "ctrl+shift+s", "ctrl+q", "ctrl+w", "ctrl+z", "shift+o"))

#: The rows of the help.
KEY_HELP: Mapping[str, str] = MappingProxyType({row.keys: row.what for row in BINDINGS})

#: How high a row of the help is, and how much of the picture is left free above and below all rows, in units.
_ROW, _FREE = 22.5, 100.0


def help_pages(size: tuple[int, int]) -> list[Mapping[str, str]]:
    """Return the rows of the help in as many pages as a picture of a size needs.

    Examples
    --------
    >>> len(help_pages((3840, 2160))) <= len(help_pages((640, 400)))
    True
    """
    rows = list(KEY_HELP.items())
    room = max(int((size[1] / unit_of(size) - _FREE) / _ROW), 1)
    count = -(-len(rows) // room)
    long = -(-len(rows) // count)
    return [MappingProxyType(dict(rows[first : first + long])) for first in range(0, len(rows), long)]


#: What window systems call keys that have a plainer name.
_ALIASES = {
    "prior": "page up",
    "next": "page down",
    "iso_left_tab": "tab",
    "kp_prior": "page up",
    "kp_next": "page down",
}

#: The signs of keys that window systems call by a word.
_SIGNS = {
    "space": " ", "exclam": "!", "quotedbl": '"', "numbersign": "#", "dollar": "$", "percent": "%", "ampersand": "&",
    "apostrophe": "'", "parenleft": "(", "parenright": ")", "asterisk": "*", "plus": "+", "comma": ",", "minus": "-",
    "period": ".", "slash": "/", "colon": ":", "semicolon": ";", "less": "<", "equal": "=", "greater": ">",
    "question": "?", "at": "@", "bracketleft": "[", "backslash": "\\", "bracketright": "]", "asciicircum": "^",
    "underscore": "_", "grave": "`", "braceleft": "{", "bar": "|", "braceright": "}", "asciitilde": "~",
    "kp_decimal": ".", "kp_separator": ",", "kp_add": "+", "kp_subtract": "-", "kp_multiply": "*", "kp_divide": "/",
}  # fmt: skip


def chord(symbol: str, *, shift: bool = False, ctrl: bool = False, alt: bool = False) -> str:
    """Return the name of a key with its modifiers, as the table has it.

    Parameters
    ----------
    symbol : str
        The key as a window system names it: ``x``, ``X``, ``Left``, ``Prior``, ``Escape`` ...

    Examples
    --------
    >>> chord("Z", shift=True, ctrl=True), chord("Prior"), chord("KP_Left")
    ('ctrl+shift+z', 'page up', 'left')
    """
    name = symbol.lower()
    name = _ALIASES.get(name, name).removeprefix("kp_")
    held = [modifier for modifier, down in (("ctrl+", ctrl), ("alt+", alt), ("shift+", shift)) if down]
    return "".join(held) + name


def typed(symbol: str, *, shift: bool = False) -> str:
    """Return the sign that a key types; nothing for one that types none.

    Examples
    --------
    >>> typed("a"), typed("a", shift=True), typed("minus"), typed("KP_5"), typed("Left")
    ('a', 'A', '-', '5', '')
    """
    name = symbol.lower()
    bare = name.removeprefix("kp_")
    if len(bare) == 1:
        return symbol[-1].upper() if shift else symbol[-1]
    return _SIGNS.get(name, "")
