"""Text in the room that there is for it: shortened, broken into lines, or around a cursor."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeAlias

#: How wide a text is: in pixels, in heights of its letters, or in characters.
Width: TypeAlias = Callable[[str], float]

ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"

#: The widths of most letters and digits, and of the widest of all characters, in tenths of the height of letters.
_USUAL, _WIDE = 7, 11
_USUAL_CHARACTERS = frozenset("abcdefghijklnopqrstuvxyzABCEFIJKLPRSTVXYZ0123456789 .,:;/\\|-_'\"()[]{}!?*$")


def breadth(text: str) -> float:
    """Return how wide a text is at most, in heights of its letters, whatever sans serif font it is drawn in."""
    return sum(_USUAL if character in _USUAL_CHARACTERS else _WIDE for character in text) / 10.0


def shortened(text: str, room: float, width: Width = len, *, tail: float = 0.0) -> str:
    """Return a text, or as much of it as there is room for, with an ellipsis for what is left out.

    Parameters
    ----------
    text : str
        One line.
    room : float
        How wide it can be.
    width : callable
        How wide a text is; by default, how many characters it has.
    tail : float
        Which part of what is kept is the text's end, from 0 (its beginning alone) to 1 (its end alone).

    Examples
    --------
    >>> shortened("scenes/arm.toml", 20), shortened("scenes/arm.toml", 9)
    ('scenes/arm.toml', 'scenes/a…')
    >>> shortened("scenes/arm.toml", 9, tail=0.5), shortened("scenes/arm.toml", 9, tail=1)
    ('scen…toml', '…arm.toml')
    """

    def cut(count: int) -> str:
        end = int(tail * count)
        return text[: count - end] + ELLIPSIS + text[len(text) - end :]

    return text if width(text) <= room else cut(_most(cut, len(text), room, width))


def wrapped(text: str, room: float, width: Width = breadth) -> list[str]:
    """Break a text into lines between words; a word that is longer than a line, after a slash or anywhere.

    Examples
    --------
    >>> wrapped("three small words", 12, len)
    ['three small', 'words']
    >>> wrapped("/home/somebody/scenes/arm.toml:3:14: expected a number", 20, len)
    ['/home/somebody/', 'scenes/', 'arm.toml:3:14:', 'expected a number']
    """
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for word in paragraph.split(" "):
            longer = f"{line} {word}" if line else word
            if line and width(longer) > room:
                lines.append(line)
                longer = word
            *full, line = _pieces(longer, room, width)
            lines += full
        lines.append(line)
    return lines


def around(text: str, at: int, room: float, width: Width = breadth) -> str:
    """Return the part of a line around one of its characters, as long as there is room; most of it from before.

    Examples
    --------
    >>> around("/home/somebody/scenes/arm.toml|", 30, 16, len)
    '…cenes/arm.toml|'
    >>> around("|/home/somebody/scenes/arm.toml", 0, 16, len)
    '|/home/somebody…'
    """
    before, after = text[: at + 1], text[at + 1 :]
    if width(text) <= room:
        return text
    shown = shortened(before, max(0.75 * room, room - width(after)), width, tail=1.0)
    return shown + shortened(after, room - width(shown), width)


def without_carets(text: str) -> str:
    r"""Leave out lines that point with a ``^`` at a place in the line above: only characters of one width can do that.

    Examples
    --------
    >>> without_carets("a.toml:1:3: this is no TOML\n    x 3\n      ^")
    'a.toml:1:3: this is no TOML\n    x 3'
    """
    return re.sub(r"\n *\^(?=\n|$)", "", text)


def _pieces(word: str, room: float, width: Width) -> Iterator[str]:
    while len(word) > 1 and width(word) > room:
        end = max(1, _most(partial(_beginning, word), len(word) - 1, room, width))
        parted = word.rfind("/", 0, end) + 1
        end = parted if parted > end // 4 else end
        yield word[:end]
        word = word[end:]
    yield word


def _beginning(text: str, count: int) -> str:
    return text[:count]


def _most(part: Callable[[int], str], count: int, room: float, width: Width) -> int:
    """Return how long a part of a text, up to a count of characters, there is room for; 0 if even one is too wide."""
    return bisect_left(range(1, count + 1), True, key=lambda number: width(part(number)) > room)
