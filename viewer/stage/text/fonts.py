"""How wide texts are, and where each of their characters stands: as VTK and FreeType would have it."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PIL import ImageFont
from vtkmodules.vtkRenderingCore import vtkTextProperty, vtkTextRenderer

from collision.inner import IntArray

#: The DPI at which VTK's points are pixels.
_DPI = 72

#: VTK's number for a font that is read from a file.
_FONT_FILE = 4

#: A list of the characters in a font that has room for all of them.
_LONG_FORM = 12

#: The last of the characters that VTK can measure.
_BASIC = 0xFFFF

#: The last of the characters that are known to be in the font, and what stands for one that is not.
_LATIN, _UNKNOWN = 0x17F, "\N{WHITE SQUARE}"

#: A bar would divide what VTK measures into columns; the character that takes its place looks the same.
_INSTEAD = {"|": "\N{DIVIDES}"}

#: So many texts are kept at most.
MOST_TEXTS = 2048


class Glyph(NamedTuple):
    """A character of a font, of a height in pixels."""

    character: str
    size: int
    bold: bool
    slanted: bool = False


class Step(NamedTuple):
    """The number of a character's glyph, and how far from it the next one stands, in pixels."""

    glyph: int
    width: int


class LaidOut(NamedTuple):
    """A text that is laid out: the numbers of its glyphs, where each begins, and the width of all, in pixels."""

    glyphs: IntArray
    starts: IntArray
    width: int


class Fonts:
    """The plain and the bold font in all heights that were asked for.

    It keeps how texts are laid out, as most are in the next picture, too; and how far the second of two characters
    stands from the first, for which VTK is asked once.

    Examples
    --------
    >>> fonts = Fonts()
    >>> fonts.width("", 15, False), fonts.width("0.25", 15, False) == fonts.width("1.75", 15, False)
    (0, True)
    """

    def __init__(self) -> None:
        #: All glyphs that there are so far; their numbers are their places.
        self.glyphs: list[Glyph] = []
        self._numbers: dict[Glyph, int] = {}
        #: Of each two characters that follow each other, by the height and whether they are bold.
        self._steps: dict[tuple[int, bool, bool], dict[tuple[str, str], Step]] = {}
        self._texts: dict[tuple[str, float, bool, bool], LaidOut] = {}
        self._characters: frozenset[int] | None = None
        self._files: dict[tuple[bool, bool], str] = {}

    def width(self, text: str, size: float, bold: bool, slanted: bool = False) -> float:
        """Return the width in pixels of a text of a height in pixels."""
        return self.lay_out(text, size, bold, slanted).width

    def lay_out(self, text: str, size: float, bold: bool, slanted: bool = False) -> LaidOut:
        """Lay out a text of a height in pixels."""
        found = self._texts.get((text, size, bold, slanted))
        if found is None:
            if len(self._texts) >= MOST_TEXTS:
                self._texts.clear()
            found = self._texts[text, size, bold, slanted] = self._laid_out(text, max(round(size), 1), bold, slanted)
        return found

    def _laid_out(self, text: str, size: int, bold: bool, slanted: bool) -> LaidOut:
        known = self._steps.setdefault((size, bold, slanted), {})
        numbers, starts, x = [], [], 0
        for pair in zip(text, [*text[1:], ""], strict=False):
            step = known.get(pair)
            if step is None:
                step = known[pair] = self._step(*pair, size, bold, slanted)
            numbers.append(step.glyph)
            starts.append(x)
            x += step.width
        return LaidOut(np.array(numbers, dtype=np.int64), np.array(starts, dtype=np.int64), x)

    def _step(self, character: str, after: str, size: int, bold: bool, slanted: bool) -> Step:
        """Return the glyph of a character, and how far from it the next one stands; from the last one, its width.

        A character that belongs over the one before it may step back.
        """
        glyph, after = Glyph(self._drawn(character), size, bold, slanted), self._drawn(after) if after else ""
        if glyph not in self._numbers:
            self._numbers[glyph] = len(self.glyphs)
            self.glyphs.append(glyph)
        file = self._file(bold, slanted)
        if ord(glyph.character) > _BASIC:
            return Step(self._numbers[glyph], round(ImageFont.truetype(file, size).getlength(glyph.character)))
        both = _measured(f" {glyph.character}{after} ", size, file)
        return Step(self._numbers[glyph], both - _measured(f" {after} ", size, file))

    def _file(self, bold: bool, slanted: bool) -> str:
        if (bold, slanted) not in self._files:
            self._files[bold, slanted] = font_file(bold, slanted)
        return self._files[bold, slanted]

    def _drawn(self, character: str) -> str:
        """Return what is drawn for a character: another one where the font lacks it."""
        drawn = _INSTEAD.get(character, character)
        if ord(drawn) > _LATIN:
            if self._characters is None:
                self._characters = characters_of(self._file(False, False))
            if ord(drawn) not in self._characters:
                return _UNKNOWN
        return drawn


def _measured(text: str, size: int, file: str) -> int:
    """Return how wide VTK draws a text that begins and ends with a space."""
    prop = vtkTextProperty()
    prop.SetFontFamily(_FONT_FILE)
    prop.SetFontFile(file)
    prop.SetFontSize(size)
    box = [0, 0, 0, 0]
    # A dollar would begin a formula.
    if not vtkTextRenderer.GetInstance().GetBoundingBox(prop, text.replace("$", "\\$"), box, _DPI):
        raise RuntimeError(f"VTK cannot measure the text {text!r}")
    return box[1] - box[0] + 1


def font_file(bold: bool, slanted: bool = False) -> str:
    """Return the path of DejaVu Sans, which has Greek, arrows and symbols; VTK's own fonts do not.

    It comes with Matplotlib, which both VTK and PyVista require; this finds it without importing Matplotlib.
    """
    spec = find_spec("matplotlib")
    folders = [] if spec is None else list(spec.submodule_search_locations or [])
    kind = ("Bold" if bold else "") + ("Oblique" if slanted else "")
    for folder in folders:
        path = Path(folder, "mpl-data", "fonts", "ttf", f"DejaVuSans-{kind}.ttf" if kind else "DejaVuSans.ttf")
        if path.exists():
            return str(path)
    raise RuntimeError(
        "the font DejaVu Sans is missing: it comes with Matplotlib, which `pip install matplotlib` installs"
    )


def characters_of(file: str) -> frozenset[int]:
    """Return the characters that a TrueType font has, by their numbers.

    It reads the font's table ``cmap``, in the form with 32 bits a number (12), as importing what else can read it takes
    longer than a picture. Apple and Microsoft, *OpenType specification*, "cmap".
    """
    data = Path(file).read_bytes()
    tables = {data[at : at + 4]: int.from_bytes(data[at + 8 : at + 12]) for at in _entries(data, 4, 12, 16)}
    start = tables[b"cmap"]
    parts = {start + int.from_bytes(data[at + 4 : at + 8]) for at in _entries(data, start + 2, start + 4, 8)}
    found: set[int] = set()
    for part in sorted(parts):
        if int.from_bytes(data[part : part + 2]) == _LONG_FORM:
            for at in range(part + 16, part + 16 + 12 * int.from_bytes(data[part + 12 : part + 16]), 12):
                first, last = int.from_bytes(data[at : at + 4]), int.from_bytes(data[at + 4 : at + 8])
                found.update(range(first, last + 1))
    return frozenset(found)


def _entries(data: bytes, count: int, first: int, step: int) -> range:
    """Return where the entries of a table begin, of which there are as many as the number at a place says."""
    return range(first, first + step * int.from_bytes(data[count : count + 2]), step)
