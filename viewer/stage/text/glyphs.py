"""Texts in pixels: each glyph is drawn once into one texture, and all texts are rectangles that show it.

So however much is written in a picture, it is one actor.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from viewer.records.pixels import TextRun
from viewer.records.theme import Color
from viewer.stage.flat import flat_actor, image_of, pixel_texture, show_polygons
from viewer.stage.text.fonts import Fonts

#: Width of the texture, and its height at first, in pixels; it becomes higher as glyphs come.
_WIDTH, _HEIGHT = 2048, 64

#: The corners of a rectangle, around it, by the numbers of its left, bottom, right and top.
_CORNERS = np.array([(0, 1), (2, 1), (2, 3), (0, 3)])

#: Left, bottom, right and top of a rectangle in pixels.
Box: TypeAlias = tuple[float, float, float, float]


class Glyph(NamedTuple):
    """A character that is drawn: its rectangle from where it stands, that in the texture, and where the next stands."""

    box: Box
    texels: Box
    advance: int


class TextActor:
    """All texts of a picture: one actor of rectangles, which are written in place.

    Parameters
    ----------
    fonts : Fonts
        What texts are written in.
    """

    def __init__(self, fonts: Fonts) -> None:
        self.glyphs = GlyphSheet(fonts)
        self._fonts = fonts
        #: The texts that are shown.
        self._written: list[tuple[TextRun, Color]] = []
        self.actor = flat_actor(self.glyphs.texture)

    def forget(self) -> None:
        """Forget the glyphs: others, of another size, come."""
        self.glyphs.clear()
        self._written = []

    def write(self, texts: Sequence[tuple[TextRun, Color]]) -> None:
        """Show these texts in their colors, and no others."""
        if texts == self._written:
            return
        self._written = list(texts)
        places, glyphs, colors = list[tuple[float, float]](), list[Glyph](), list[Color]()
        for run, color in texts:
            name, size = self._fonts.font(run.size, run.bold, run.font)
            x, y = round(run.x), round(run.y) - (self._fonts.depth(name, size) if run.on_line else 0)
            for character in run.text:
                glyph = self.glyphs.glyph(character, name, size)
                places.append((x, y))
                glyphs.append(glyph)
                x += glyph.advance
            colors += [color] * len(run.text)
        at = np.array(places, dtype=float).reshape(-1, 1, 2)
        boxes = np.array([glyph.box for glyph in glyphs], dtype=float).reshape(-1, 4)[:, _CORNERS]
        texels = np.array([glyph.texels for glyph in glyphs], dtype=float).reshape(-1, 4)[:, _CORNERS]
        paint = np.full((len(glyphs), 4, 4), 255, np.uint8)
        paint[:, :, :3] = np.array(colors, dtype=np.uint8).reshape(-1, 1, 3)
        show_polygons(self.actor, at + boxes, paint, texels / self.glyphs.size)


class GlyphSheet:
    """A texture with the glyphs that have been written so far.

    Parameters
    ----------
    fonts : Fonts
        Whose glyphs they are.
    """

    def __init__(self, fonts: Fonts) -> None:
        self._fonts = fonts
        self.texture = pixel_texture(_empty(_HEIGHT))
        self.clear()

    def clear(self) -> None:
        """Forget all glyphs."""
        self._glyphs: dict[tuple[str, str, int], Glyph] = {}
        #: Where the next glyph goes, and where the next row of glyphs does.
        self._free, self._top = (0, 0), 0
        self._show(_empty(_HEIGHT))

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the texture, in pixels."""
        return _WIDTH, len(self._pixels)

    @property
    def count(self) -> int:
        """How many glyphs are drawn."""
        return len(self._glyphs)

    def glyph(self, character: str, name: str, size: int) -> Glyph:
        """Return the glyph of a character in a font, which is drawn if it is new."""
        key = character, name, size
        if key not in self._glyphs:
            self._glyphs[key] = self._draw(character, name, size)
        return self._glyphs[key]

    def _draw(self, character: str, name: str, size: int) -> Glyph:
        font, depth = self._fonts.file(name, size), self._fonts.depth(name, size)
        mask, (left, top) = font.getmask2(self._fonts.drawn(character), mode="L", anchor="ls")
        width, height = mask.size
        x, y = self._place(width, height)
        if width and height:
            # Rows of a picture go down, and those of a texture up.
            self._pixels[y : y + height, x : x + width, 3] = np.array(mask).reshape(height, width)[::-1]
            self._image.GetPointData().GetScalars().Modified()
            self._image.Modified()
        bottom, advance = depth - top - height, self._fonts.advance(name, size, character)
        return Glyph((left, bottom, left + width, bottom + height), (x, y, x + width, y + height), advance)

    def _place(self, width: int, height: int) -> tuple[int, int]:
        """Return the lower left corner of a place that is free: rows of glyphs, one above the other."""
        x, y = self._free
        if x + width > _WIDTH:
            x, y = 0, self._top
        self._free, self._top = (x + width + 1, y), max(self._top, y + height + 1)
        while self._top > len(self._pixels):
            self._show(np.concatenate([self._pixels, _empty(len(self._pixels))]))
        return x, y

    def _show(self, pixels: npt.NDArray[np.uint8]) -> None:
        self._pixels = pixels
        self._image = image_of(pixels)
        self.texture.SetInputData(self._image)


def _empty(height: int) -> npt.NDArray[np.uint8]:
    return np.full((height, _WIDTH, 4), (255, 255, 255, 0), np.uint8)
