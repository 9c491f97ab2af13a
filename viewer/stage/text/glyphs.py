"""Texts in pixels: each glyph is drawn once into one texture, and all texts are rectangles that show it.

So however much is written in a picture, it is one actor.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from viewer.records.pixels import Run
from viewer.records.theme import Color
from viewer.stage.flat import flat_actor, image_of, white_texture
from viewer.stage.text.fonts import Fonts
from viewer.stage.text.polygons import Polygons

#: Width of the texture, and its height at first, in pixels; it becomes higher as glyphs come.
_WIDTH, _HEIGHT = 2048, 64

#: The corners of a rectangle, around it: left, bottom, right and top by number.
_X, _Y = [0, 2, 2, 0], [1, 1, 3, 3]

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
        self._written: list[tuple[Run, Color]] = []
        self._rectangles = Polygons(4)
        self.actor = flat_actor(self._rectangles.data, self.glyphs.texture)
        self.actor.SetVisibility(False)

    def forget(self) -> None:
        """Forget the glyphs: others, of another size, come."""
        self.glyphs.clear()
        self._written = []

    def write(self, texts: Sequence[tuple[Run, Color]]) -> None:
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
        total, shown = len(glyphs), self._rectangles
        shown.reserve(total)
        if total:
            at, corners = np.array(places, dtype=float), np.array([glyph.box for glyph in glyphs])
            texels = np.array([glyph.texels for glyph in glyphs]) / (2 * self.glyphs.size)
            shown.points[:total, :, 0] = at[:, :1] + corners[:, _X]
            shown.points[:total, :, 1] = at[:, 1:] + corners[:, _Y]
            shown.texels[:total, :, 0], shown.texels[:total, :, 1] = texels[:, _X], texels[:, _Y]
            shown.colors[:total, :, :3] = np.array(colors, dtype=np.uint8)[:, None]
            shown.colors[:total, :, 3] = 255
        shown.show(total)
        self.actor.SetVisibility(total > 0)


class GlyphSheet:
    """A texture with the glyphs that have been written so far.

    Parameters
    ----------
    fonts : Fonts
        Whose glyphs they are.
    """

    def __init__(self, fonts: Fonts) -> None:
        self._fonts = fonts
        self.texture = white_texture()
        self.clear()

    def clear(self) -> None:
        """Forget all glyphs."""
        self._glyphs: dict[tuple[str, str, int], Glyph] = {}
        #: Where the next glyph goes, and where the next row of glyphs does.
        self._free, self._top = (0, 0), 0
        self._show(np.full((_HEIGHT, _WIDTH, 4), (255, 255, 255, 0), np.uint8))

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
        bottom, advance = depth - top - height, self._fonts.advances(name, size)[character]
        return Glyph((left, bottom, left + width, bottom + height), (x, y, x + width, y + height), advance)

    def _place(self, width: int, height: int) -> tuple[int, int]:
        """Return the lower left corner of a place that is free: rows of glyphs, one above the other."""
        x, y = self._free
        if x + width > _WIDTH:
            x, y = 0, self._top
        self._free, self._top = (x + width + 1, y), max(self._top, y + height + 1)
        while self._top > len(self._pixels):
            self._show(np.concatenate([self._pixels, np.full_like(self._pixels, (255, 255, 255, 0))]))
        return x, y

    def _show(self, pixels: npt.NDArray[np.uint8]) -> None:
        self._pixels = pixels
        self._image = image_of(pixels)
        self.texture.SetInputData(self._image)
