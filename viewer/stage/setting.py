"""How texts are set: which signs they are made of, and where each of these stands, as VTK and FreeType would have it.

A picture has a few new texts in every step of a drag, numbers mostly. Where a sign stands follows from the pairs of
signs before it, each of which VTK is asked for once; the rest is a loop over raw memory.
"""

from __future__ import annotations

from array import array
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import numpy as np
from vtkmodules.vtkRenderingCore import vtkTextProperty, vtkTextRenderer

from collision.inner import BYTES, INT, INTS, Bytes, IntArray, Ints, Loop, address

#: The DPI at which VTK's points are pixels.
_DPI = 72

#: VTK's number for a font that is read from a file.
_FONT_FILE = 4

#: The last of the signs that are known to be in the font, and what stands for one that is not.
_LATIN, _UNKNOWN = 0x17F, "\N{WHITE SQUARE}"

#: A bar would divide what VTK measures into columns; the sign that takes its place looks the same.
_INSTEAD = {"|": "\N{DIVIDES}"}

#: How far apart two signs are that VTK was not asked for, and what `_set` returns where something is missing.
_UNASKED = -(1 << 40)

#: So many code points there are, and room for so many signs there is at first.
_CODES, _ROOM = 0x110000, 128


class Setting(NamedTuple):
    """A text that is set: of each sign the number and where it stands; how many; its width in pixels; its font."""

    signs: array[int]
    length: int
    width: int
    font: Font


class Signs:
    """The signs that were written so far: they are numbered, as a text has a code point for each, from 1 on."""

    def __init__(self) -> None:
        #: The number of each code point, 0 where it is not known yet; and what is drawn for each number.
        self.numbers = np.zeros(_CODES, dtype=np.int64)  # memory that is never looked at costs nothing
        self.place, self.drawn = address(self.numbers), [""]

    def number(self, sign: str) -> None:
        """Give a sign the next number; to one that the font lacks, that of the sign that stands for it."""
        drawn = _INSTEAD.get(sign, sign)
        if ord(drawn) > _LATIN and ord(drawn) not in _signs():
            drawn = _UNKNOWN
        if not self.numbers[ord(drawn)]:
            self.numbers[ord(drawn)] = len(self.drawn)
            self.drawn.append(drawn)
        self.numbers[ord(sign)] = self.numbers[ord(drawn)]


SIGNS = Signs()


class Font:
    """A font of one height: how far the second of two signs stands from the first.

    Parameters
    ----------
    size : int
        Height in pixels.
    bold : bool
        Whether it is bold.
    """

    def __init__(self, size: int, bold: bool) -> None:
        self.size, self.bold = size, bold
        self._take(np.full((_ROOM, _ROOM), _UNASKED, dtype=np.int64))

    def _take(self, steps: IntArray) -> None:
        """Take other numbers, for more signs."""
        #: Pixels for each pair of numbers, or of one and 0: how wide a sign is that none follows; one that belongs over
        #: the sign before may step back. For how many signs there is room, where in memory, and the array itself, which
        #: another thread may still read when it is replaced.
        self.steps = len(steps), address(steps), steps

    def ask(self, first: int, second: int) -> None:
        """Ask VTK for a pair."""
        room, _, steps = self.steps
        if max(first, second) >= room:
            more = max(first, second) + 1
            self._take(np.pad(steps, (0, more), constant_values=_UNASKED))
        pair = SIGNS.drawn[first] + SIGNS.drawn[second]
        both, last = (_measured(f" {signs} ", self.size, self.bold) for signs in (pair, SIGNS.drawn[second]))
        self.steps[2][first, second] = both - last


#: The same font for the same.
font_of = lru_cache(maxsize=64)(Font)


def _set(count: int, codes: Bytes, numbers: Ints, room: int, pairs: Ints, signs: Ints) -> int:
    """Set a text of code points, four bytes each: store the number of each sign, and where it stands.

    Return its width; or, of what is missing, how far below `_UNASKED` its place: of a sign without a number, or after
    all these of one that VTK was not asked for how far from it the next is.
    """
    for i in range(count):
        number = numbers[codes[4 * i] | codes[4 * i + 1] << 8 | codes[4 * i + 2] << 16]
        if number == 0:
            return _UNASKED - i
        signs[2 * i] = number
    x = 0
    for i in range(count):
        sign, following = signs[2 * i], signs[2 * i + 2] if i + 1 < count else 0
        if max(sign, following) >= room or pairs[sign * room + following] == _UNASKED:
            return _UNASKED - count - i
        signs[2 * i + 1] = x
        x += pairs[sign * room + following]
    return x


SET = Loop("set_text", _set, (INT, BYTES, INTS, INT, INTS, INTS), INT)


@lru_cache(maxsize=4096)
def setting(text: str, size: float, bold: bool) -> Setting:
    """Set a text of a height in pixels.

    Examples
    --------
    >>> setting("", 15, False).width, setting("0.25", 15, False).width == setting("1.75", 15, False).width
    (0, True)
    """
    font, count = font_of(max(round(size), 1), bold), len(text)
    codes, signs = text.encode("utf-32-le", "surrogatepass"), array("q", bytes(16 * count))
    while True:
        room, pairs, _kept = font.steps
        width = SET.run(count, codes, SIGNS.place, room, pairs, signs.buffer_info()[0])
        if width > _UNASKED:
            return Setting(signs, count, width, font)
        missing = _UNASKED - width
        if missing < count:
            SIGNS.number(text[missing])
        else:
            numbers = [*signs[::2], 0]
            font.ask(*numbers[missing - count : missing - count + 2])


def text_width(text: str, size: float, bold: bool) -> float:
    """Return the width in pixels of a text of a height in pixels."""
    return setting(text, size, bold).width


@lru_cache(maxsize=8192)
def _measured(text: str, size: int, bold: bool) -> int:
    """Return how wide VTK draws a text that begins and ends with a space."""
    prop = vtkTextProperty()
    prop.SetFontFamily(_FONT_FILE)
    prop.SetFontFile(font_file(bold))
    prop.SetFontSize(size)
    box = [0, 0, 0, 0]
    # A dollar would begin a formula.
    if not vtkTextRenderer.GetInstance().GetBoundingBox(prop, text.replace("$", "\\$"), box, _DPI):
        raise RuntimeError(f"VTK cannot measure the text {text!r}")
    return box[1] - box[0] + 1


@cache
def font_file(bold: bool) -> str:
    """Return the path of DejaVu Sans, which has Greek, arrows and signs; VTK's own fonts do not.

    It comes with Matplotlib, which both VTK and PyVista require; this finds it without importing Matplotlib.
    """
    spec = find_spec("matplotlib")
    folders = [] if spec is None else list(spec.submodule_search_locations or [])
    for folder in folders:
        path = Path(folder, "mpl-data", "fonts", "ttf", "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf")
        if path.exists():
            return str(path)
    raise RuntimeError(
        "the font DejaVu Sans is missing: it comes with Matplotlib, which `pip install matplotlib` installs"
    )


@cache
def _signs() -> frozenset[int]:
    """Return the code points that the font has."""
    from matplotlib.ft2font import FT2Font

    return frozenset(FT2Font(font_file(False)).get_charmap())
