"""Texts in pixels: each glyph is drawn once into one texture, and all texts are rectangles that show it.

So however much is written in a picture, it is one actor.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from PIL import ImageFont

from collision.inner import FloatArray, IntArray
from viewer.records.pixels import Run
from viewer.records.theme import Color
from viewer.stage.flat import flat_actor, image_of, white_texture
from viewer.stage.text.fonts import Fonts, Glyph, font_file
from viewer.stage.text.polygons import Polygons

#: Characters that reach as far below the line as there is room below it.
_DEEP = "_/7Agfy"

#: Width of the texture, and its height at first, in pixels; it becomes higher as glyphs come.
_WIDTH, _HEIGHT = 2048, 64

#: The corners of a rectangle, around it: left, bottom, right and top by number.
_X, _Y = [0, 2, 2, 0], [1, 1, 3, 3]

#: Texts of one color.
Texts: TypeAlias = tuple[tuple[Run, ...], Color]


class TextActor:
    """All texts of a picture: one actor of rectangles, which are written in place.

    Parameters
    ----------
    fonts : Fonts
        Say where the glyphs of a text stand.
    """

    def __init__(self, fonts: Fonts) -> None:
        self.glyphs = GlyphSheet(fonts)
        self._fonts = fonts
        #: The texts that are shown.
        self._written: list[Texts] = []
        self._rectangles = Polygons(4)
        self.actor = flat_actor(self._rectangles.data, self.glyphs.texture)
        self.actor.SetVisibility(False)

    def forget(self) -> None:
        """Forget the glyphs: others, of another size, come."""
        self.glyphs.clear()
        self._written = []

    def write(self, texts: Sequence[Texts]) -> None:
        """Show these texts in their colors, and no others."""
        if texts == self._written:
            return
        self._written = list(texts)
        runs = [(run, color) for some, color in texts for run in some if run.text]
        laid_out = [self._fonts.lay_out(run.text, run.size, run.bold, run.slanted) for run, _ in runs]
        counts = np.array([len(text.glyphs) for text in laid_out], dtype=np.int64)
        total, shown = int(counts.sum()), self._rectangles
        shown.reserve(total)
        if total:
            every = np.repeat(np.arange(len(runs)), counts)
            places = np.array([self._place(run) for run, _ in runs])[every]
            places[:, 0] += np.concatenate([text.starts for text in laid_out])
            corners, texels = self.glyphs.rectangles(np.concatenate([text.glyphs for text in laid_out]))
            shown.points[:total, :, 0] = places[:, :1] + corners[:, _X]
            shown.points[:total, :, 1] = places[:, 1:] + corners[:, _Y]
            shown.texels[:total, :, 0], shown.texels[:total, :, 1] = texels[:, _X], texels[:, _Y]
            shown.colors[:total, :, :3] = np.array([color for _, color in runs], dtype=np.uint8)[every][:, None]
            shown.colors[:total, :, 3] = 255
        shown.show(total)
        self.actor.SetVisibility(total > 0)

    def _place(self, run: Run) -> tuple[float, float]:
        """Return the lower left corner of a run, to which its deepest letters reach."""
        if not run.on_line:
            return run.x, run.y
        return round(run.x), round(run.y) - self.glyphs.depth(run.size, run.bold, run.slanted)


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
        #: How many glyphs are drawn; the fonts they are drawn in; and how far their characters reach below the line.
        self.count = 0
        self._files: dict[tuple[int, bool, bool], tuple[ImageFont.FreeTypeFont, float]] = {}
        #: Of each glyph the left, bottom, right and top of its rectangle, from where it stands and in the texture, in
        #: pixels; NaN for one that is not drawn.
        self._rectangles: FloatArray = np.zeros((0, 2, 4))
        #: Where the next glyph goes, and where the next row of glyphs does.
        self._free, self._top = (0, 0), 0
        self._show(np.full((_HEIGHT, _WIDTH, 4), (255, 255, 255, 0), np.uint8))

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the texture, in pixels."""
        return _WIDTH, len(self._pixels)

    def rectangles(self, glyphs: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return the left, bottom, right and top of the rectangles of glyphs, drawing those that are new.

        They are from where each stands, in pixels, and in the texture, as parts of it.
        """
        if more := len(self._fonts.glyphs) - len(self._rectangles):
            self._rectangles = np.concatenate([self._rectangles, np.full((more, 2, 4), np.nan)])
        if (new := np.isnan(self._rectangles[glyphs, 0, 0])).any():
            for number in np.unique(glyphs[new]).tolist():
                self._rectangles[number] = self._draw(self._fonts.glyphs[number])
        found = self._rectangles[glyphs]
        return found[:, 0], found[:, 1] / np.array([*self.size, *self.size])

    def _draw(self, glyph: Glyph) -> list[tuple[float, float, float, float]]:
        """Draw a glyph into the texture; return its rectangles."""
        font, depth = self._font(glyph.size, glyph.bold, glyph.slanted)
        mask, (left, top) = font.getmask2(glyph.character, mode="L", anchor="ls")
        width, height = mask.size
        x, y = self._place(width, height)
        if width and height:
            # Rows of a picture go down, and those of a texture up.
            self._pixels[y : y + height, x : x + width, 3] = np.array(mask).reshape(height, width)[::-1]
            self._image.GetPointData().GetScalars().Modified()
            self._image.Modified()
        self.count += 1
        bottom = depth - top - height
        return [(left, bottom, left + width, bottom + height), (x, y, x + width, y + height)]

    def depth(self, size: float, bold: bool, slanted: bool) -> float:
        """Return how far the deepest letters of a font reach below the line, in pixels."""
        return self._font(max(round(size), 1), bold, slanted)[1]

    def _font(self, size: int, bold: bool, slanted: bool) -> tuple[ImageFont.FreeTypeFont, float]:
        key = size, bold, slanted
        if key not in self._files:
            file = ImageFont.truetype(font_file(bold, slanted), size, layout_engine=ImageFont.Layout.BASIC)
            self._files[key] = file, file.getbbox(_DEEP, anchor="ls")[3]
        return self._files[key]

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
