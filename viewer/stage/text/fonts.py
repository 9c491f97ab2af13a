"""How wide texts are: as Pillow and FreeType draw them."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from PIL import ImageFont

#: The characters that reach as far below the line as there is room below it.
_DEEP = "_/7Agfy"

#: The last of the characters that are known to be in the font, what stands for one that is not, and a character that no
#: font has.
_LATIN, _UNKNOWN, _NONE = 0x17F, "\N{WHITE SQUARE}", "\uffff"

_PLAIN, _BOLD = "DejaVuSans.ttf", "DejaVuSans-Bold.ttf"


class Fonts:
    """The fonts in all heights that were asked for, and how wide their characters are.

    Examples
    --------
    >>> fonts = Fonts()
    >>> fonts.width("", 15, False), fonts.width("0.25", 15, False) == fonts.width("1.75", 15, False)
    (0, True)
    """

    def __init__(self) -> None:
        self._files: dict[tuple[str, int], ImageFont.FreeTypeFont] = {}
        #: How far from each character the next one stands, and how far the deepest reach below the line, in pixels.
        self._advances: dict[tuple[str, int], _Advances] = {}
        self._depths: dict[tuple[str, int], int] = {}

    def width(self, text: str, size: float, bold: bool) -> float:
        """Return the width in pixels of a text of a height in pixels."""
        return sum(map(self.advances(*self.font(size, bold)).__getitem__, text))

    def font(self, size: float, bold: bool = False, name: str = "") -> tuple[str, int]:
        """Return the name and the size in whole pixels of the font that a text is drawn in."""
        return name or (_BOLD if bold else _PLAIN), max(round(size), 1)

    def advances(self, name: str, size: int) -> _Advances:
        """Return how far from each character of a font the next one stands, in pixels."""
        if (name, size) not in self._advances:
            self._advances[name, size] = _Advances(self, name, size)
        return self._advances[name, size]

    def depth(self, name: str, size: int) -> int:
        """Return how far the deepest characters reach below the line, in pixels."""
        if (name, size) not in self._depths:
            self._depths[name, size] = round(self.file(name, size).getbbox(_DEEP, anchor="ls")[3])
        return self._depths[name, size]

    def drawn(self, character: str) -> str:
        """Return what is drawn for a character: a square where the usual font has no glyph for it."""
        return _UNKNOWN if missing_glyphs(character, self.file(_PLAIN, 16)) else character

    def file(self, name: str, size: int) -> ImageFont.FreeTypeFont:
        """Return a font in a height."""
        if (name, size) not in self._files:
            self._files[name, size] = open_font(name, size)
        return self._files[name, size]


class _Advances(dict[str, int]):
    """How far from each character of a font the next one stands: each is measured once."""

    def __init__(self, fonts: Fonts, name: str, size: int) -> None:
        self._fonts, self._file = fonts, fonts.file(name, size)

    def __missing__(self, character: str) -> int:
        self[character] = round(self._file.getlength(self._fonts.drawn(character)))
        return self[character]


def missing_glyphs(text: str, font: ImageFont.FreeTypeFont | None = None) -> str:
    """Return the characters of a text that a font has no glyph for, by default the usual one.

    Examples
    --------
    >>> missing_glyphs("Ω 两个")
    '两个'
    """
    strange = [character for character in text if ord(character) > _LATIN]
    if not strange:
        return ""
    font = font or open_font(_PLAIN, 16)
    none = bytes(font.getmask(_NONE))
    return "".join([character for character in strange if bytes(font.getmask(character)) == none])


def open_font(name: str, size: int) -> ImageFont.FreeTypeFont:
    """Return a font that comes with Matplotlib, which this finds without importing it.

    DejaVu Sans has Greek, arrows and symbols; VTK's own fonts do not.
    """
    spec = find_spec("matplotlib")
    for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
        path = Path(folder, "mpl-data", "fonts", "ttf", name)
        if path.exists():
            return ImageFont.truetype(str(path), size, layout_engine=ImageFont.Layout.BASIC)
    raise RuntimeError(f"the font {name} is missing: it comes with Matplotlib, which `pip install matplotlib` installs")
