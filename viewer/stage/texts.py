"""Texts in pixels: each sign of a font is drawn once into one texture, and all texts are rectangles that show it.

So however much is written in a picture, it is one actor, and a number that changes is a matter of a few rectangles.
Signs stand where VTK, and with it FreeType, puts them: the steps from one to the next are asked for once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from operator import is_
from struct import Struct
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from PIL import ImageFont
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkImageData, vtkPolyData
from vtkmodules.vtkRenderingCore import vtkPolyDataMapper2D, vtkTexture, vtkTexturedActor2D

from collision.inner import BYTES, FLOATS, INT, INTS, SINGLES, Bytes, Floats, IntArray, Ints, Loop, Singles, address
from viewer.picture.pixels import Run
from viewer.picture.theme import Color
from viewer.stage.setting import SIGNS, Font, font_file, setting

#: Signs that reach as far below the line as there is room below it.
_DEEP = "_/7Agfy"

#: Width of the texture, and its height at first, in pixels; it becomes higher as signs come.
_WIDTH, _HEIGHT = 2048, 64

#: So many rectangles there is room for at first, and so many signs of a font.
_ROOM, _FEW_SIGNS = 1024, 128


#: Texts of one color.
Texts: TypeAlias = tuple[tuple[Run, ...], Color]


class _Chunk(NamedTuple):
    """Texts of one color as memory: for each, where it begins, how long it is, its font and color; and all signs."""

    numbers: bytes
    signs: bytes


_NOTHING = _Chunk(b"", b"")

#: A text in these, and the bytes of a sign.
_TEXT, _SIGN = Struct("7d"), 16


class TextActor:
    """All texts of a picture: one actor of rectangles, which are written in place."""

    def __init__(self) -> None:
        self._glyphs = GlyphSheet()
        #: The texts that are shown, and the chunk of memory of each.
        self._written: list[Texts] = []
        self._chunks: list[_Chunk] = []
        #: How many rectangles are shown.
        self._shown = 0
        self._data, mapper = vtkPolyData(), vtkPolyDataMapper2D()
        self._make_room(_ROOM)
        mapper.SetInputData(self._data)
        self.actor = vtkTexturedActor2D()
        self.actor.SetTexture(self._glyphs.texture)
        self.actor.SetMapper(mapper)
        self.actor.SetVisibility(False)

    def forget(self) -> None:
        """Forget the signs: others, of another size, come."""
        self._glyphs.clear()
        self._written, self._chunks = [], []

    def write(self, texts: Sequence[Texts]) -> None:
        """Show these texts in their colors, and no others; those that are where they were are not set again."""
        if texts == self._written:
            return
        # Those that come again are the very same runs, and mostly in the same place among the others.
        alike = [*map(is_, [runs for runs, _ in texts], [runs for runs, _ in self._written])]
        found = self._chunks[: len(texts)] + [_NOTHING] * (len(texts) - len(self._chunks))
        for k, (runs, color) in enumerate(texts):
            if k >= len(alike) or not alike[k] or self._written[k][1] != color:
                found[k] = self._glyphs.chunk(runs, color)
        self._written, self._chunks = list(texts), found
        total = sum([len(chunk.signs) for chunk in found]) // _SIGN
        if total > self._room:
            self._make_room(2 * total)
        self._glyphs.write(found, self._addresses)
        for memory in self._memories:  # a rectangle of no size is not seen
            memory[total : self._shown] = 0
        self._shown = total
        self.actor.SetVisibility(total > 0)
        for changed in self._changing:
            changed.Modified()

    def _make_room(self, count: int) -> None:
        self._room = count
        self._points = np.zeros((count, 4, 3), np.float32)
        self._texels = np.zeros((count, 4, 2), np.float32)
        self._colors = np.zeros((count, 4, 4), np.uint8)  # of each corner: red, green, blue and opacity
        points, cells, own = vtkPoints(), vtkCellArray(), self._data.GetPointData()
        points.SetData(numpy_to_vtk(self._points.reshape(-1, 3)))
        corners = np.arange(4 * count + 1, dtype=np.int64)
        cells.SetData(
            numpy_to_vtkIdTypeArray(corners[::4], deep=True), numpy_to_vtkIdTypeArray(corners[:-1], deep=True)
        )
        self._data.SetPoints(points)
        self._data.SetPolys(cells)
        own.SetTCoords(numpy_to_vtk(self._texels.reshape(-1, 2)))
        own.SetScalars(numpy_to_vtk(self._colors.reshape(-1, 4)))
        self._changing: tuple[Any, ...] = (points, own.GetTCoords(), own.GetScalars(), self._data)
        self._memories = self._points, self._texels, self._colors
        self._addresses = [address(memory) for memory in self._memories]


class GlyphSheet:
    """A texture with the signs that have been written so far, each once for each height of the text."""

    def __init__(self) -> None:
        self.texture = vtkTexture()
        self.texture.InterpolateOff()  # a pixel of the texture is one of the picture
        self.texture.RepeatOff()
        self.texture.SetColorModeToDirectScalars()
        self.clear()

    def clear(self) -> None:
        """Forget all signs."""
        #: The numbers of fonts; and for each of them and each sign the row of its rectangles, 0 where it is not drawn.
        self._fonts: dict[Font, int] = {}
        self._rows: IntArray = np.zeros((0, _FEW_SIGNS), dtype=np.int64)
        #: Corners of rectangles, left, bottom, right and top: beside where the sign stands, and in the texture.
        self._corners = np.zeros((1, 8))
        #: Where the next sign goes, and where the next row of signs does.
        self._free, self._top = (0, 0), 0
        self._show(np.full((_HEIGHT, _WIDTH, 4), (255, 255, 255, 0), np.uint8))

    def chunk(self, runs: Sequence[Run], color: Color) -> _Chunk:
        """Set texts of one color, and return them as memory."""
        numbers, signs = [], []
        for x, y, text, size, bold, _ in runs:
            own, length, _, font = setting(text, size, bold)
            number = self._fonts.get(font)
            numbers.append(_TEXT.pack(x, y, length, self._number(font) if number is None else number, *color))
            signs.append(own)
        return _Chunk(b"".join(numbers), b"".join(signs))

    def write(self, texts: Sequence[_Chunk], to: Sequence[int]) -> None:
        """Write the rectangles of all signs of texts: their corners, those in the texture, and their colors."""
        numbers, signs = b"".join([text.numbers for text in texts]), b"".join([text.signs for text in texts])
        while True:
            sheet = self._rows.shape[1], address(self._rows), address(self._corners), *self.size
            missing = RECTANGLES.run(len(numbers) // _TEXT.size, numbers, signs, *sheet, *to)
            if missing < 0:
                return
            given = np.frombuffer(numbers).reshape(-1, 7)
            text = np.cumsum(given[:, 2]).searchsorted(missing, side="right")
            self._draw(np.frombuffer(signs, dtype=np.int64)[2 * missing], [*self._fonts][int(given[text, 3])])

    def _number(self, font: Font) -> int:
        """Give a font the next number."""
        self._rows = np.concatenate([self._rows, np.zeros_like(self._rows, shape=(1, self._rows.shape[1]))])
        return self._fonts.setdefault(font, len(self._fonts))

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the texture, in pixels."""
        return _WIDTH, len(self._pixels)

    def _draw(self, number: int, font: Font) -> None:
        """Draw a sign into the texture."""
        mask, (left, top) = _font(font.size, font.bold).getmask2(SIGNS.drawn[number], mode="L", anchor="ls")
        width, height = mask.size
        x, y = self._place(width, height)
        if width and height:
            # Rows of a picture go down, and those of a texture up.
            self._pixels[y : y + height, x : x + width, 3] = np.array(mask).reshape(height, width)[::-1]
            self._image.GetPointData().GetScalars().Modified()
            self._image.Modified()
        while number >= self._rows.shape[1]:
            self._rows = np.concatenate([self._rows, np.zeros_like(self._rows)], axis=1)
        bottom = _depth(font.size, font.bold) - top - height
        corners = left, bottom, left + width, bottom + height, x, y, x + width, y + height
        self._rows[self._fonts[font], number] = len(self._corners)
        self._corners = np.concatenate([self._corners, [corners]])

    def _place(self, width: int, height: int) -> tuple[int, int]:
        """Return the lower left corner of a place that is free: rows of signs, one above the other."""
        x, y = self._free
        if x + width > _WIDTH:
            x, y = 0, self._top
        self._free, self._top = (x + width + 1, y), max(self._top, y + height + 1)
        while self._top > len(self._pixels):
            self._show(np.concatenate([self._pixels, np.full_like(self._pixels, (255, 255, 255, 0))]))
        return x, y

    def _show(self, pixels: npt.NDArray[np.uint8]) -> None:
        self._pixels = pixels
        self._image = vtkImageData()
        self._image.SetDimensions(_WIDTH, len(pixels), 1)
        self._image.GetPointData().SetScalars(numpy_to_vtk(pixels.reshape(-1, 4)))
        self.texture.SetInputData(self._image)


@lru_cache(maxsize=64)
def _font(size: int, bold: bool) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(font_file(bold), size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=64)
def _depth(size: int, bold: bool) -> float:
    """Return how far signs reach below their line, in pixels."""
    return _font(size, bold).getbbox(_DEEP, anchor="ls")[3]


def _rectangles(
    count: int, texts: Floats, signs: Ints, room: int, rows: Ints, corners: Floats, wide: int, high: int,
    points: Singles, texels: Singles, colors: Bytes,
) -> int:  # fmt: skip
    """Store the rectangles of the signs of texts.

    A text is seven numbers: where it begins, how many signs it has, its font, and its color. Return -1, or which is the
    first of the signs that is not drawn yet.
    """
    k = 0
    for t in range(0, 7 * count, 7):
        x, y, font = texts[t], texts[t + 1], int(texts[t + 3])
        for _ in range(int(texts[t + 2])):
            row = 8 * rows[font * room + signs[2 * k]] if signs[2 * k] < room else 0
            if row == 0:
                return k
            left, right = x + signs[2 * k + 1] + corners[row], x + signs[2 * k + 1] + corners[row + 2]
            bottom, top = y + corners[row + 1], y + corners[row + 3]
            u0, u1 = corners[row + 4] / wide, corners[row + 6] / wide
            v0, v1 = corners[row + 5] / high, corners[row + 7] / high
            for corner in range(4):
                at_right, at_top = corner == 1 or corner == 2, corner >= 2
                points[12 * k + 3 * corner] = right if at_right else left
                points[12 * k + 3 * corner + 1] = top if at_top else bottom
                points[12 * k + 3 * corner + 2] = 0.0
                texels[8 * k + 2 * corner] = u1 if at_right else u0
                texels[8 * k + 2 * corner + 1] = v1 if at_top else v0
                for part in range(3):
                    colors[16 * k + 4 * corner + part] = int(texts[t + 4 + part])
                colors[16 * k + 4 * corner + 3] = 255
            k += 1
    return -1


RECTANGLES = Loop(
    "text_rectangles",
    _rectangles,
    (INT, FLOATS, INTS, INT, INTS, FLOATS, INT, INT, SINGLES, SINGLES, BYTES),
    INT,
)
