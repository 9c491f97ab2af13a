"""The menus: every command by its name, for the mouse, and for who does not know its key yet.

A menu is a question with choices: a letter of each is its key there, and a click on its row is as good.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

#: The menus, and in each what its commands are called, with the key or chord that each stands for.
MENUS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "File": {
            "save": "ctrl+s",
            "save as": "ctrl+shift+s",
            "revert to the file": "ctrl+r",
            "close the window": "ctrl+w",
        },
        "Edit": {
            "undo": "ctrl+z",
            "redo": "ctrl+y",
            "add a shape": "a",
            "duplicate": "ctrl+d",
            "rename": "f2",
            "delete": "delete",
            "make it a box that turns": "shift+o",
            "hide": "ctrl+h",
            "hide all else": "shift+h",
            "show all": "ctrl+shift+h",
        },
        "Select": {
            "all": "ctrl+a",
            "invert": "ctrl+i",
            "what is in a box": "b",
            "next shape": "tab",
            "previous shape": "shift+tab",
            "next shape, too": "ctrl+bracketright",
            "previous shape, too": "ctrl+bracketleft",
            "next pair of the table": "bracketright",
            "previous pair": "bracketleft",
            "nothing": "escape",
        },
        "Handles": {
            "move": "g",
            "turn": "r",
            "resize": "s",
            "another end": "k",
            "axes of the world, or its own": "e",
            "always snap, or not": "shift+s",
        },
        "View": {
            "frame the selection": "f",
            "frame everything": "shift+f",
            "first view": "shift+r",
            "isometric": "i",
            "along x": "x",
            "along y": "y",
            "along z": "z",
            "along x from behind": "shift+x",
            "along y from behind": "shift+y",
            "along z from below": "shift+z",
            "perspective or parallel": "p",
            "remember this view": "ctrl+b",
            "go to a remembered view": "shift+b",
            "make this the file's own view": "ctrl+shift+b",
        },
        "Show": {
            "table and other texts": "t",
            "legend": "l",
            "ground": "shift+g",
            "labels": "n",
            "contact points": "c",
            "normals": "v",
            "distances within the margin": "m",
            "larger margin": "plus",
            "smaller margin": "minus",
            "boxes of the broad phase": "o",
            "ghost pushed out": "u",
            "see-through": "w",
            "another theme": "shift+t",
            "all keys": "h",
        },
        "Play": {
            "play or pause": "space",
            "a frame on": "period",
            "a frame back": "comma",
            "to the next change": "shift+period",
            "to the change before": "shift+comma",
            "faster": "ctrl+period",
            "slower": "ctrl+comma",
            "to the start": "home",
            "to the end": "end",
            "over and over, or once": "ctrl+l",
        },
    }
)

#: Which of the commands turn something on and off, by what the attribute is called that tells of it: of `Toggles`, or
#: of the session.
SWITCHES: Mapping[str, str] = MappingProxyType(
    {
        "t": "hud",
        "l": "legend",
        "shift+g": "grid",
        "n": "labels",
        "c": "contacts",
        "v": "normals",
        "m": "distances",
        "o": "boxes",
        "u": "ghost",
        "w": "see_through",
        "shift+s": "snapping",
        "ctrl+l": "loop",
    }
)

#: Which of the commands have nothing to do at times, by the attribute of the session that is then empty or false. They
#: are faint in the menus, and say why when they are chosen all the same.
NEEDS: Mapping[str, str] = MappingProxyType(
    {
        "ctrl+r": "path",
        "ctrl+z": "undoable",
        "ctrl+y": "redoable",
        **dict.fromkeys(("ctrl+d", "delete", "ctrl+h", "shift+h"), "selected"),
        "f2": "renamable",
        "shift+o": "orientable",
        "ctrl+shift+h": "hidden",
        **dict.fromkeys(("bracketright", "bracketleft"), "listed"),
        "g": "movable",
        "r": "turnable",
        "s": "sizable",
        "k": "has_ends",
        "shift+b": "bookmarks",
        **dict.fromkeys(("space", "period", "comma", "shift+period", "shift+comma", "end"), "has_motion"),
    }
)

#: What stands beside that which is on.
ON = "\N{CHECK MARK}"

#: What is printed on keys that window systems call by a word.
_PRINTED = {"bracketright": "]", "bracketleft": "[", "plus": "+", "minus": "-", "period": ".", "comma": ","}


def letters(names: Iterable[str]) -> dict[str, str]:
    """Return a key for each of some names: the first of its letters that none before it has, or else a digit.

    Examples
    --------
    >>> letters(["save", "save as", "revert"])
    {'s': 'save', 'a': 'save as', 'r': 'revert'}
    """
    found: dict[str, str] = {}
    for name in names:
        signs = [*(sign for sign in name.lower() if sign.isalpha()), *"123456789"]
        found[next(sign for sign in signs if sign not in found)] = name
    return found


def printed(chord: str) -> str:
    """Return how a chord is written for people.

    Examples
    --------
    >>> printed("ctrl+shift+s"), printed("f2"), printed("ctrl+bracketright"), printed("h")
    ('Ctrl+Shift+S', 'F2', 'Ctrl+]', 'h')
    """
    *held, key = chord.split("+")
    name = _PRINTED.get(key, key)
    shown = name if len(name) == 1 and not held else name.capitalize()
    return "+".join([*(part.capitalize() for part in held), shown])
