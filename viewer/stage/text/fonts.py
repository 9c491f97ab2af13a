"""How wide texts are: as Pillow and FreeType draw them."""

from __future__ import annotations

from functools import cache
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
        #: The font of a name and a size.
        self.file = cache(open_font)
        #: How far the deepest characters of a font reach below the line, in pixels; and how far from each of its
        #: characters the next one stands.
        self.depth, self.advance = cache(self._depth), cache(self._advance)

    def width(self, text: str, size: float, bold: bool) -> float:
        """Return the width in pixels of a text of a height in pixels."""
        font = self.font(size, bold)
        return sum([self.advance(*font, character) for character in text])

    def font(self, size: float, bold: bool = False, name: str = "") -> tuple[str, int]:
        """Return the name and the size in whole pixels of the font that a text is drawn in."""
        return name or (_BOLD if bold else _PLAIN), max(round(size), 1)

    def drawn(self, character: str) -> str:
        """Return what is drawn for a character: a square where the usual font has no glyph for it."""
        return _UNKNOWN if missing_glyphs(character, self.file(_PLAIN, 16)) else character

    def _depth(self, name: str, size: int) -> int:
        return round(self.file(name, size).getbbox(_DEEP, anchor="ls")[3])

    def _advance(self, name: str, size: int, character: str) -> int:
        return round(self.file(name, size).getlength(self.drawn(character)))


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
