"""Names of keys: as window systems call them, as the table of commands has them, and as people read them."""

from __future__ import annotations

#: What is printed on keys that window systems call by a word.
_PRINTED = {"bracketright": "]", "bracketleft": "[", "plus": "+", "minus": "-", "period": ".", "comma": ","}


#: What window systems call keys that have a plainer name.
_ALIASES = {
    "prior": "page up",
    "next": "page down",
    "iso_left_tab": "tab",
    "kp_prior": "page up",
    "kp_next": "page down",
}

#: The characters of keys that window systems call by a word.
_CHARACTERS = {
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
    """Return the character that a key types; nothing for one that types none.

    Examples
    --------
    >>> typed("a"), typed("a", shift=True), typed("minus"), typed("KP_5"), typed("Left")
    ('a', 'A', '-', '5', '')
    """
    name = symbol.lower()
    bare = name.removeprefix("kp_")
    if len(bare) == 1:
        return symbol[-1].upper() if shift else symbol[-1]
    return _CHARACTERS.get(name, "")


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
